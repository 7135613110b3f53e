// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Small loaders for `pload watch`: each makes one mistake on purpose, or fights its tracer. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#define COUNT(list) (sizeof(list) / sizeof(list[0]))
#define INSN(op, dst, src, imm_) { .code = (op), .dst_reg = (dst), .src_reg = (src), .imm = (imm_) }
#define RETURN_0 INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0)

/* AddressSanitizer detects leaks with ptrace(2), which a traced process cannot use. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

static int sys_bpf(int cmd, void *attr, unsigned int size)
{
	return syscall(__NR_bpf, cmd, attr, size);
}

static int create_map(uint32_t type, uint32_t value_size, uint32_t entries, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = type == BPF_MAP_TYPE_RINGBUF ? 0 : 4;
	attr.value_size = value_size;
	attr.max_entries = entries;
	memcpy(attr.map_name, name, strnlen(name, BPF_OBJ_NAME_LEN - 1));
	return sys_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
}

static int load(const struct bpf_insn *insns, uint32_t nr, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = nr;
	attr.license = (uintptr_t)"GPL";
	memcpy(attr.prog_name, name, strnlen(name, BPF_OBJ_NAME_LEN - 1));
	return sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int load_good(const char *name)
{
	static const struct bpf_insn insns[] = { RETURN_0 };

	return load(insns, COUNT(insns), name);
}

static int open_event(int cpu, uint64_t rate, bool freq, bool disabled)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = rate;
	attr.freq = freq;
	attr.disabled = disabled;
	return syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int bind_all(uint64_t rate, bool freq, bool all, bool enable)
{
	const int prog = load_good("tick"), nr = all ? sysconf(_SC_NPROCESSORS_ONLN) : 1;

	for (int cpu = 0; cpu < nr; cpu++) {
		const int event = open_event(cpu, rate, freq, true);

		if (event < 0 || ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ||
		    (enable && ioctl(event, PERF_EVENT_IOC_ENABLE, 0)))
			return 1;
	}
	return 0;
}

/* --- mistakes --- */

static int good(void) { return bind_all(99, true, true, true); }
static int no_freq(void) { return bind_all(99, false, true, true); }
static int one_cpu(void) { return bind_all(99, true, false, true); }
static int timer(void) { return bind_all(300000000, false, false, true); }
static int never_enabled(void) { return bind_all(99, true, true, false); }

static int inherits(void)
{
	struct perf_event_attr attr;
	int status = 1;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	syscall(__NR_perf_event_open, &attr, 0, -1, -1, 0);
	if (!fork())
		execl("/bin/sh", "sh", "-c", ":", NULL);
	return wait(&status) < 0 || good();
}

static int never_attached(void)
{
	return load_good("other") < 0 || good();
}

static int never_read(void)
{
	return create_map(BPF_MAP_TYPE_RINGBUF, 0, 4096, "lost") < 0 || good();
}

static int freeze_empty(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "constants");
	return sys_bpf(BPF_MAP_FREEZE, &attr, sizeof(attr)) || good();
}

/* BPF_LINK_CREATE with a wrong attach type, then the ioctl. */
static int fall_back(void)
{
	union bpf_attr attr;
	const int prog = load_good("tick"), event = open_event(0, 99, true, true);

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = event;
	attr.link_create.attach_type = BPF_CGROUP_INET_INGRESS;
	return sys_bpf(BPF_LINK_CREATE, &attr, sizeof(attr)) >= 0 ||
	       ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ||
	       ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

/* --- failures --- */

static int verifier(void)
{
	static const struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 7),
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 0, .src_reg = 1 },
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0),
	};

	return load(insns, COUNT(insns), "reads_seven") < 0 ? 1 : 0;
}

/* libbpf inserts this call where CO-RE finds nothing. */
static int no_field(void)
{
	static const struct bpf_insn insns[] = {
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0xbad2310), RETURN_0,
	};

	return load(insns, COUNT(insns), "missing") < 0 ? 1 : 0;
}

static int map_too_large(void)
{
	return create_map(BPF_MAP_TYPE_ARRAY, 1 << 30, 1 << 30, "huge") < 0 ? 1 : 0;
}

static int ring_odd(void)
{
	return create_map(BPF_MAP_TYPE_RINGBUF, 0, 1000, "small") < 0 ? 1 : 0;
}

static int no_map_type(void)
{
	return create_map(9999, 4, 1, "future") < 0 ? 1 : 0;
}

static int no_event(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = 9999;
	return syscall(__NR_perf_event_open, &attr, -1, 0, -1, 0) < 0 ? 1 : 0;
}

/* The same call fails twice, for two different reasons. */
static int two_errors(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = 9999;
	syscall(__NR_perf_event_open, &attr, -1, 0, -1, 0);
	return syscall(__NR_perf_event_open, &attr, -1, -1, -1, 0) < 0 ? 1 : 0;
}

/* The second half of the instructions is not mapped. */
static int half(void)
{
	static const struct bpf_insn insns[] = { RETURN_0 };
	const size_t page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);

	if (pages == MAP_FAILED || munmap(pages + page, page))
		return 2;
	memcpy(pages + page - sizeof(insns), insns, sizeof(insns));
	return load((void *)(pages + page - sizeof(insns)), 2 * COUNT(insns), "half") < 0 ? 1 : 0;
}

/* A socket program on a perf event. */
static int wrong_type(void)
{
	static const struct bpf_insn insns[] = { RETURN_0 };
	union bpf_attr attr;
	const int event = open_event(0, 99, true, true);
	int prog;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = COUNT(insns);
	attr.license = (uintptr_t)"GPL";
	memcpy(attr.prog_name, "packets", 7);
	prog = sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
	return ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ? 1 : 0;
}

/* The log does not fit, so that loading a valid program fails. */
static int small_log(void)
{
	static const struct bpf_insn insns[] = { RETURN_0 };
	static char log[16];
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = COUNT(insns);
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 2;
	memcpy(attr.prog_name, "chatty", 6);
	return sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr)) < 0 ? 1 : 0;
}

static int bound_twice(void)
{
	const int event = open_event(0, 99, true, true);

	return ioctl(event, PERF_EVENT_IOC_SET_BPF, load_good("first")) ||
	       ioctl(event, PERF_EVENT_IOC_SET_BPF, load_good("second"));
}

/* An error of perf_event_open(2) that is ignored. */
static int no_fd(void)
{
	return ioctl(-1, PERF_EVENT_IOC_SET_BPF, load_good("tick")) ? 1 : 0;
}

static int pin_event(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.bpf_fd = open_event(0, 99, true, true);
	attr.pathname = (uintptr_t)"/sys/fs/bpf/watched";
	return sys_bpf(BPF_OBJ_PIN, &attr, sizeof(attr)) ? 1 : 0;
}

static int pin_elsewhere(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.bpf_fd = create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "pinned");
	attr.pathname = (uintptr_t)"/tmp/watched";
	return sys_bpf(BPF_OBJ_PIN, &attr, sizeof(attr)) ? 1 : 0;
}

static int no_fds_left(void)
{
	const struct rlimit few = { 16, 16 };
	int map;

	setrlimit(RLIMIT_NOFILE, &few);
	do {
		map = create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "each");
	} while (map >= 0);
	return 1;
}

/* BTF without the magic number; then the program is loaded without BTF. */
static int no_btf(void)
{
	static char bytes[1024] = "no BTF";
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = (uintptr_t)bytes;
	attr.btf_size = sizeof(bytes);
	sys_bpf(BPF_BTF_LOAD, &attr, sizeof(attr));
	return good();
}

/* --- descriptors that change hands --- */

static int copies(void)
{
	const int map = create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "moved"), copy = dup(map);
	union bpf_attr attr;
	uint32_t key = 0, value = 7;

	close(map);
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = copy;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	return sys_bpf(BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)) ? 1 : 0;
}

/* --- a process that fights back --- */

static int garbage(void)
{
	union bpf_attr attr;

	memset(&attr, 0xff, sizeof(attr));
	for (int cmd = 0; cmd < 64; cmd++) {
		sys_bpf(cmd, &attr, sizeof(attr));
		sys_bpf(cmd, (void *)1, sizeof(attr));
		sys_bpf(cmd, NULL, 0);
		sys_bpf(cmd, (void *)-4096L, -1);
	}
	syscall(__NR_bpf, -1L, -1L, -1L, -1L, -1L, -1L);
	syscall(__NR_perf_event_open, 1L, -1L, -1L, -1L, -1L);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insn_cnt = -1;
	attr.insns = attr.license = attr.func_info = attr.line_info = 0x1000;
	attr.func_info_cnt = attr.line_info_cnt = attr.line_info_rec_size = -1;
	sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
	for (unsigned long type = 0; type < 20; type++)
		ioctl(0, _IOC(3u, '$', type, 8), -1L);
	return 0;
}

static int escapes(void)
{
	return load_good("\033[31m\n\"\\x") >= 0 ||
	       create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "\033]0;") >= 0;
}

static volatile bool stop;

static void *change(void *attr)
{
	while (!stop)
		memset(attr, rand(), sizeof(union bpf_attr));
	return NULL;
}

static int changing(void)
{
	static union bpf_attr attr;
	pthread_t thread;

	if (pthread_create(&thread, NULL, change, &attr))
		return 2;
	for (int i = 0; i < 2000; i++)
		sys_bpf(i % 40, &attr, sizeof(attr));
	stop = true;
	pthread_join(thread, NULL);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	return 0;
}

static int many(void)
{
	union bpf_attr attr;
	uint32_t key = 0, value;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = create_map(BPF_MAP_TYPE_ARRAY, 4, 1, "counts");
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	for (int i = 0; i < 20000; i++)
		if (sys_bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)))
			return 1;
	return 0;
}

static int kill_tracer(void)
{
	char line[128];
	FILE *status = fopen("/proc/self/status", "r");
	int tracer = 0;

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "TracerPid: %d", &tracer);
	if (tracer)
		kill(tracer, SIGKILL);
	return 42;
}

static void *execute(void *argv)
{
	execv("/proc/self/exe", argv);
	return NULL;
}

/* A thread replaces the process. */
static int thread_exec(void)
{
	static char *argv[] = { "watched", "good", NULL };
	pthread_t thread;

	if (pthread_create(&thread, NULL, execute, argv))
		return 2;
	for (;;)
		pause();
}

/*
 * The parent exits at once. A process in another session continues when 4 becomes readable, and
 * loads a program.
 */
static int daemonise(void)
{
	char c;

	if (!fork()) {
		setsid();
		if (fork())
			_exit(0);
		if (read(4, &c, 1) != 1)
			_exit(1);
		dprintf(3, "%d\n", load_good("late") >= 0);
		_exit(0);
	}
	wait(NULL);
	return 3;
}

static int good_later(void)
{
	getchar();
	return good();
}

static int signalled(void)
{
	raise(SIGTERM);
	return 0;
}

static int count_signals(void)
{
	sigset_t set;
	int signo;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		sigwait(&set, &signo);
		puts(signo == SIGTERM ? "SIGTERM" : "SIGUSR1");
		fflush(stdout);
	}
	return 9;
}

static const struct {
	const char *name;
	int (*run)(void);
} loaders[] = {
	{ "good", good }, { "good-later", good_later }, { "no-freq", no_freq }, { "one-cpu", one_cpu }, { "timer", timer },
	{ "never-enabled", never_enabled }, { "inherits", inherits }, { "never-attached", never_attached },
	{ "never-read", never_read }, { "freeze-empty", freeze_empty }, { "fall-back", fall_back },
	{ "verifier", verifier }, { "no-field", no_field }, { "map-too-large", map_too_large }, { "ring-odd", ring_odd },
	{ "no-map-type", no_map_type }, { "no-event", no_event }, { "wrong-type", wrong_type },
	{ "two-errors", two_errors }, { "half", half }, { "small-log", small_log }, { "bound-twice", bound_twice }, { "no-fd", no_fd },
	{ "pin-event", pin_event }, { "pin-elsewhere", pin_elsewhere },
	{ "no-fds-left", no_fds_left }, { "no-btf", no_btf }, { "copies", copies }, { "garbage", garbage }, { "escapes", escapes },
	{ "changing", changing }, { "many", many }, { "kill-tracer", kill_tracer },
	{ "thread-exec", thread_exec }, { "daemonise", daemonise }, { "signalled", signalled },
	{ "count-signals", count_signals },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < COUNT(loaders); i++)
		if (!strcmp(argv[1], loaders[i].name))
			return loaders[i].run();
	for (size_t i = 0; i < COUNT(loaders); i++)
		puts(loaders[i].name);
	return 2;
}
