// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of the lines that --trace prints, over a kernel that gives the answers of the test. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include <linux/hw_breakpoint.h>
#include <linux/mount.h>
#include <linux/netlink.h>

#include "loader/base/calls/credentials.h"
#include "loader/base/calls/epoll.h"
#include "loader/base/calls/processes.h"
#include "loader/base/calls/sockets.h"
#include "loader/base/text/names.h"
#include "loader/core/sys/sys.h"
#include "test/unit/common/suite.h"

/* Answers, and writes into the memory of the caller as a kernel would. */
struct answering {
	struct sys sys;
	long ret;
	void (*write)(const unsigned long arg[6]);
	unsigned int calls;
};

static long answer(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct answering *kernel = (struct answering *)sys;

	(void)nr;
	kernel->calls++;
	if (kernel->write)
		kernel->write(arg);
	return kernel->ret;
}

static struct answering kernel;
static struct sys *trace;
static FILE *out;
static char *text;
static size_t size, seen;

static void setup(void)
{
	kernel = (struct answering){ .sys = { .enter = answer } };
	out = open_memstream(&text, &size);
	seen = 0;
	trace = sys_trace(&kernel.sys, out, TRACE_CALLS);
	ck_assert_ptr_nonnull(trace);
}

static void teardown(void)
{
	sys_trace_free(trace);
	fclose(out);
	free(text);
}

static void answers(long ret, void (*write)(const unsigned long arg[6]))
{
	kernel.ret = ret;
	kernel.write = write;
}

/* The line since the last one; addresses, all of variables on the stack, become "PTR". */
static void printed(const char *want)
{
	char got[4096], *to = got;
	const char *from;

	fflush(out);
	from = text + seen;
	while (*from && to < got + sizeof(got) - 4) {
		const size_t digits = strspn(from + 2, "0123456789abcdef");

		if (from[0] == '0' && from[1] == 'x' && digits >= 10) {
			memcpy(to, "PTR", 3);
			to += 3;
			from += 2 + digits;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	ck_assert_str_eq(got, want);
	seen = size;
}

#define SIZE_TO(member) (offsetof(union bpf_attr, member) + sizeof(((union bpf_attr *)0)->member))

TEST_FIXTURE(setup, teardown)

TEST(map_create)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_HASH;
	attr.key_size = 8;
	attr.value_size = 16;
	attr.max_entries = 1024;
	attr.map_flags = BPF_F_NO_PREALLOC | BPF_F_MMAPABLE | 1u << 30;
	strcpy(attr.map_name, "hits");
	attr.btf_fd = 3;
	attr.btf_key_type_id = 7;
	attr.btf_value_type_id = 9;
	answers(4, NULL);
	ck_assert_int_eq(sys_bpf(trace, BPF_MAP_CREATE, &attr, SIZE_TO(map_extra)), 4);
	printed("bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=8, value_size=16, "
		"max_entries=1024, "
		"map_flags=BPF_F_NO_PREALLOC|BPF_F_MMAPABLE|0x40000000, map_name=\"hits\", "
		"btf_fd=3, "
		"btf_key_type_id=7, btf_value_type_id=9}, 72) = 4\n");

	/* Members beyond the size did not reach the kernel, and are not printed. */
	sys_bpf(trace, BPF_MAP_CREATE, &attr, SIZE_TO(map_flags));
	printed("bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=8, value_size=16, "
		"max_entries=1024, "
		"map_flags=BPF_F_NO_PREALLOC|BPF_F_MMAPABLE|0x40000000}, 20) = 4\n");

	memset(&attr, 0, sizeof(attr));
	attr.map_type = 999;
	memset(attr.map_name, 'x', sizeof(attr.map_name));
	answers(-EINVAL, NULL);
	sys_bpf(trace, BPF_MAP_CREATE, &attr, SIZE_TO(map_name));
	printed("bpf(BPF_MAP_CREATE, {map_type=999, map_name=\"xxxxxxxxxxxxxxxx\"}, 44) = "
		"-1 EINVAL (Invalid argument)\n");
}

static void write_log_size(const unsigned long arg[6])
{
	((union bpf_attr *)arg[1])->log_true_size = 777;
}

TEST(prog_load)
{
	struct bpf_insn insns[2] = { { .code = BPF_ALU64 | BPF_MOV },
				     { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insn_cnt = 2;
	attr.insns = (unsigned long)insns;
	attr.license = (unsigned long)"GPL";
	attr.kern_version = 6 << 16 | 18 << 8 | 44;
	attr.prog_flags = BPF_F_SLEEPABLE;
	strcpy(attr.prog_name, "count");
	attr.prog_btf_fd = 3;
	answers(5, NULL);
	sys_bpf(trace, BPF_PROG_LOAD, &attr, SIZE_TO(prog_btf_fd));
	printed("bpf(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_PERF_EVENT, insn_cnt=2, insns=PTR, "
		"license=\"GPL\", "
		"kern_version=KERNEL_VERSION(6, 18, 44), prog_flags=BPF_F_SLEEPABLE, "
		"prog_name=\"count\", "
		"prog_btf_fd=3}, 76) = 5\n");

	memset(&attr, 0, sizeof(attr));
	attr.license = (unsigned long)"a\"b\\c\n\x01";
	attr.expected_attach_type = BPF_PERF_EVENT;
	answers(-524, write_log_size);
	sys_bpf(trace, BPF_PROG_LOAD, &attr, SIZE_TO(log_true_size));
	printed("bpf(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_UNSPEC, "
		"license=\"a\\\"b\\\\c\\n\\x01\", "
		"expected_attach_type=BPF_PERF_EVENT}, 144) = "
		"-1 ENOTSUPP (Operation not supported (ENOTSUPP)) => {log_true_size=777}\n");
}

TEST(map_elements)
{
	const uint32_t key = 0;
	uint64_t value;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = 4;
	attr.key = (unsigned long)&key;
	attr.value = (unsigned long)&value;
	attr.flags = BPF_NOEXIST;
	sys_bpf(trace, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags));
	printed("bpf(BPF_MAP_UPDATE_ELEM, {map_fd=4, key=PTR, value=PTR, flags=BPF_NOEXIST}, 32) = "
		"0\n");
	attr.map_fd = 0;
	attr.key = 0;
	answers(-ENOENT, NULL);
	sys_bpf(trace, BPF_MAP_GET_NEXT_KEY, &attr, SIZE_TO(next_key));
	printed("bpf(BPF_MAP_GET_NEXT_KEY, {map_fd=0, next_key=PTR}, 24) = "
		"-1 ENOENT (No such file or directory)\n");
	sys_bpf(trace, BPF_MAP_FREEZE, &attr, SIZE_TO(map_fd));
	printed("bpf(BPF_MAP_FREEZE, {map_fd=0}, 4) = -1 ENOENT (No such file or directory)\n");
}

static void write_batch(const unsigned long arg[6])
{
	((union bpf_attr *)arg[1])->batch.count = 3;
}

TEST(batch)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = 4;
	attr.batch.count = 64;
	attr.batch.keys = (unsigned long)&attr;
	answers(-ENOENT, write_batch);
	sys_bpf(trace, BPF_MAP_LOOKUP_BATCH, &attr, sizeof(attr.batch));
	printed("bpf(BPF_MAP_LOOKUP_BATCH, {batch={keys=PTR, count=64, map_fd=4}}, 56) = "
		"-1 ENOENT (No such file or directory) => {count=3}\n");
}

TEST(link_create)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = 5;
	attr.link_create.target_fd = 6;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = 42;
	answers(7, NULL);
	sys_bpf(trace, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.perf_event.bpf_cookie));
	printed("bpf(BPF_LINK_CREATE, {link_create={prog_fd=5, target_fd=6, "
		"attach_type=BPF_PERF_EVENT, "
		"perf_event.bpf_cookie=42}}, 24) = 7\n");
	sys_bpf(trace, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.flags));
	printed("bpf(BPF_LINK_CREATE, {link_create={prog_fd=5, target_fd=6, "
		"attach_type=BPF_PERF_EVENT}}, "
		"16) = 7\n");
	attr.link_create.attach_type = BPF_TRACE_FENTRY;
	attr.link_create.tracing.target_btf_id = 8;
	attr.link_create.tracing.cookie = 9;
	sys_bpf(trace, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.tracing.cookie));
	printed("bpf(BPF_LINK_CREATE, {link_create={prog_fd=5, target_fd=6, "
		"attach_type=BPF_TRACE_FENTRY, "
		"tracing.target_btf_id=8, tracing.cookie=9}}, 32) = 7\n");
}

static void write_test_run(const unsigned long arg[6])
{
	((union bpf_attr *)arg[1])->test.retval = 0;
	((union bpf_attr *)arg[1])->test.duration = 12;
}

TEST(other_commands)
{
	struct bpf_prog_info info;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = 5;
	attr.info.info_len = sizeof(info);
	attr.info.info = (unsigned long)&info;
	sys_bpf(trace, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr.info));
	printed("bpf(BPF_OBJ_GET_INFO_BY_FD, {info={bpf_fd=5, info_len=232, info=PTR}}, 16) = 0 "
		"=> {info_len=232}\n");

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = 5;
	attr.test.repeat = 100;
	answers(0, write_test_run);
	sys_bpf(trace, BPF_PROG_TEST_RUN, &attr, SIZE_TO(test.duration));
	printed("bpf(BPF_PROG_TEST_RUN, {test={prog_fd=5, repeat=100}}, 40) = 0 "
		"=> {retval=0, duration=12}\n");

	memset(&attr, 0, sizeof(attr));
	answers(0, NULL);
	sys_bpf(trace, BPF_ENABLE_STATS, &attr, sizeof(attr.enable_stats));
	printed("bpf(BPF_ENABLE_STATS, {enable_stats={type=BPF_STATS_RUN_TIME}}, 4) = 0\n");
	sys_bpf(trace, 99, &attr, 8);
	printed("bpf(99, PTR, 8) = 0\n");
	sys_bpf(trace, BPF_BTF_LOAD, NULL, 28);
	printed("bpf(BPF_BTF_LOAD, NULL, 28) = 0\n");
}

TEST(perf_events)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_freq = 99;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	attr.disabled = attr.freq = attr.exclude_kernel = attr.inherit = 1;
	attr.precise_ip = 2;
	attr.wakeup_events = 1;
	answers(6, NULL);
	sys_perf_event_open(trace, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	printed("perf_event_open({type=PERF_TYPE_SOFTWARE, size=144, "
		"config=PERF_COUNT_SW_CPU_CLOCK, "
		"sample_freq=99, sample_type=PERF_SAMPLE_IP|PERF_SAMPLE_RAW, "
		"read_format=PERF_FORMAT_TOTAL_TIME_ENABLED, disabled=1, inherit=1, "
		"exclude_kernel=1, freq=1, "
		"precise_ip=2, wakeup_events=1}, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) = 6\n");

	/* Version 0 ends before config2. */
	memset(&attr, 0, sizeof(attr));
	attr.type = 11;
	attr.config = 0x1f;
	attr.config1 = 0x2f;
	attr.config2 = 0x3f;
	answers(-ENOENT, NULL);
	sys_perf_event_open(trace, &attr, 1234, -1, -1, 0);
	printed("perf_event_open({type=11, config=0x1f, config1=0x2f}, 1234, -1, -1, 0) = "
		"-1 ENOENT (No such file or directory)\n");
}

static const struct {
	struct perf_event_attr attr;
	const char *text;
} configs[] = {
	{ { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS, .sample_period = 5 },
	  "{type=PERF_TYPE_HARDWARE, config=PERF_COUNT_HW_INSTRUCTIONS, sample_period=5}" },
	{ { .type = PERF_TYPE_HARDWARE, .config = 8ull << PERF_PMU_TYPE_SHIFT },
	  "{type=PERF_TYPE_HARDWARE, config=0x800000000}" },
	{ { .type = PERF_TYPE_SOFTWARE, .config = 77 }, "{type=PERF_TYPE_SOFTWARE, config=0x4d}" },
	{ { .type = PERF_TYPE_TRACEPOINT, .config = 314 },
	  "{type=PERF_TYPE_TRACEPOINT, config=314}" },
	{ { .type = PERF_TYPE_RAW, .config = 0x1c0 }, "{type=PERF_TYPE_RAW, config=0x1c0}" },
	{ { .type = PERF_TYPE_HW_CACHE, .config = 1 << 16 | 1 << 8 | 3 },
	  "{type=PERF_TYPE_HW_CACHE, "
	  "config=PERF_COUNT_HW_CACHE_DTLB|PERF_COUNT_HW_CACHE_OP_WRITE<<8|"
	  "PERF_COUNT_HW_CACHE_RESULT_MISS<<16}" },
	{ { .type = PERF_TYPE_HW_CACHE, .config = 9 }, "{type=PERF_TYPE_HW_CACHE, config=0x9}" },
	{ { .type = PERF_TYPE_BREAKPOINT,
	    .size = 72,
	    .bp_type = HW_BREAKPOINT_RW,
	    .bp_addr = 0x1000,
	    .bp_len = 8 },
	  "{type=PERF_TYPE_BREAKPOINT, size=72, config=0x0, bp_type=HW_BREAKPOINT_RW, "
	  "bp_addr=0x1000, bp_len=8}" },
	{ { .type = PERF_TYPE_SOFTWARE, .config = 10, .watermark = 1, .wakeup_watermark = 64 },
	  "{type=PERF_TYPE_SOFTWARE, config=PERF_COUNT_SW_BPF_OUTPUT, watermark=1, "
	  "wakeup_watermark=64}" },
};

TEST_ROWS(perf_configs, configs)
{
	struct perf_event_attr attr = configs[_i].attr;
	char line[512];

	answers(3, NULL);
	sys_perf_event_open(trace, &attr, 0, -1, 9, PERF_FLAG_PID_CGROUP | 1ul << 8);
	snprintf(line, sizeof(line),
		 "perf_event_open(%s, 0, -1, 9, PERF_FLAG_PID_CGROUP|0x100) = 3\n",
		 configs[_i].text);
	printed(line);
}

static void write_id(const unsigned long arg[6])
{
	*(uint64_t *)arg[2] = 99;
}

TEST(ioctls)
{
	uint64_t period = 1000, id = 0;

	sys_ioctl(trace, 6, PERF_EVENT_IOC_SET_BPF, 5);
	printed("ioctl(6, PERF_EVENT_IOC_SET_BPF, 5) = 0\n");
	sys_ioctl(trace, 6, PERF_EVENT_IOC_ENABLE, 0);
	printed("ioctl(6, PERF_EVENT_IOC_ENABLE, 0) = 0\n");
	sys_ioctl(trace, 6, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	printed("ioctl(6, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) = 0\n");
	sys_ioctl(trace, 6, PERF_EVENT_IOC_PERIOD, (unsigned long)&period);
	printed("ioctl(6, PERF_EVENT_IOC_PERIOD, [1000]) = 0\n");
	sys_ioctl(trace, 6, PERF_EVENT_IOC_SET_FILTER, (unsigned long)"prev_pid == 0");
	printed("ioctl(6, PERF_EVENT_IOC_SET_FILTER, \"prev_pid == 0\") = 0\n");
	answers(0, write_id);
	sys_ioctl(trace, 6, PERF_EVENT_IOC_ID, (unsigned long)&id);
	printed("ioctl(6, PERF_EVENT_IOC_ID, PTR) = 0 => [99]\n");
	answers(-ENOTTY, NULL);
	sys_ioctl(trace, 6, 0x5413, 0x10);
	printed("ioctl(6, 0x5413, 0x10) = -1 ENOTTY (Inappropriate ioctl for device)\n");
}

static void write_text(const unsigned long arg[6])
{
	memcpy((void *)arg[1], "0-1\n", 4);
}

static void write_stat(const unsigned long arg[6])
{
	struct stat *st = (struct stat *)arg[1];

	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFREG | 0644;
	st->st_size = 1234;
}

static void write_statfs(const unsigned long arg[6])
{
	memset((void *)arg[1], 0, sizeof(struct statfs));
	((struct statfs *)arg[1])->f_type = 0xcafe4a11;
}

static void write_link(const unsigned long arg[6])
{
	memcpy((void *)arg[2], "bpf-prog", 8);
}

static void write_end(const unsigned long arg[6])
{
	siginfo_t *info = (siginfo_t *)arg[2];

	info->si_pid = arg[1];
	info->si_code = CLD_KILLED;
	info->si_status = SIGSEGV;
}

static void write_pipe(const unsigned long arg[6])
{
	memcpy((int *)arg[0], (const int[2]){ 8, 9 }, 2 * sizeof(int));
}

TEST(processes)
{
	char *const command[] = { "ls", "-l", NULL },
		    *many[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", NULL };
	siginfo_t info = { 0 };
	int fds[2];

	answers(7, NULL);
	ck_assert_int_eq(sys_fork(trace, SIGCHLD), 7);
	printed("clone(SIGCHLD) = 7\n");
	answers(0, NULL);
	ck_assert_int_eq(sys_fork(trace, SIGCHLD), 0);
	printed("");	/* which the parent has said */
	answers(-ENOENT, NULL);
	sys_execve(trace, "/bin/ls", command, NULL);
	printed("execve(\"/bin/ls\", [\"ls\", \"-l\"], NULL) = -1 ENOENT (No such file or "
		"directory)\n");
	sys_execve(trace, "/bin/x", many, NULL);
	printed("execve(\"/bin/x\", [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", ...], "
		"NULL) = -1 ENOENT (No such file or directory)\n");
	answers(0, write_end);
	sys_waitid(trace, 7, &info, WEXITED | WNOHANG);
	printed("waitid(P_PID, 7, PTR, WNOHANG|WEXITED, NULL) = 0 => "
		"{si_pid=7, si_code=CLD_KILLED, si_status=SIGSEGV}\n");
	answers(0, NULL);
	sys_kill(trace, 7, SIGTERM);
	printed("kill(7, SIGTERM) = 0\n");
	sys_exit_group(trace, 127);
	printed("exit_group(127) = 0\n");
	answers(0, write_pipe);
	sys_pipe(trace, fds);
	printed("pipe2(PTR, O_CLOEXEC) = 0 => [8, 9]\n");
	answers(1, NULL);
	sys_write(trace, 9, "g", 1);
	printed("write(9, \"g\", 1) = 1\n");
	answers(3, NULL);
	sys_pidfd_open(trace, 7, PIDFD_THREAD);
	printed("pidfd_open(7, PIDFD_THREAD) = 3\n");
	answers(4, NULL);
	sys_pidfd_getfd(trace, 3, 9);
	printed("pidfd_getfd(3, 9, 0) = 4\n");
	answers(1, NULL);
	sys_dup3(trace, 9, 1, 0);
	printed("dup3(9, 1, 0) = 1\n");
	answers(0, NULL);
	sys_setresuid(trace, 1, 2, 3);
	printed("setresuid(1, 2, 3) = 0\n");
	sys_setresgid(trace, -1, -1, 3);
	printed("setresgid(-1, -1, 3) = 0\n");
	sys_setgroups(trace, 0, NULL);
	printed("setgroups(0, NULL) = 0\n");
	sys_capset(trace, 0x201);
	printed("capset({version=0x20080522, pid=0}, {effective=0x201, permitted=0x201}) = 0\n");
	sys_prctl(trace, PR_SET_KEEPCAPS, 1);
	printed("prctl(PR_SET_KEEPCAPS, 1) = 0\n");
	answers(-EPERM, NULL);
	sys_unshare(trace, CLONE_NEWUSER);
	printed("unshare(CLONE_NEWUSER) = -1 EPERM (Operation not permitted)\n");
}

TEST(files)
{
	struct statfs fs;
	struct stat st;
	char buf[64];

	answers(3, NULL);
	sys_openat(trace, AT_FDCWD, "prog.o", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	printed("openat(AT_FDCWD, \"prog.o\", O_RDONLY|O_NONBLOCK|O_CLOEXEC) = 3\n");
	sys_openat(trace, 4, "events", O_RDWR);
	printed("openat(4, \"events\", O_RDWR) = 3\n");
	answers(4, write_text);
	sys_read(trace, 3, buf, sizeof(buf));
	printed("read(3, PTR, 64) = 4 => \"0-1\\n\"\n");
	answers(9, NULL);
	sys_write(trace, 3, "-:pload/x\n", 10);
	printed("write(3, \"-:pload/x\\n\", 10) = 9\n");
	answers(4, write_text);
	sys_pread(trace, 3, buf, sizeof(buf), 4096);
	printed("pread64(3, PTR, 64, 4096) = 4 => \"0-1\\n\"\n");
	answers(0, write_stat);
	sys_fstat(trace, 3, &st);
	printed("fstat(3, PTR) = 0 => {st_mode=S_IFREG|0644, st_size=1234}\n");
	answers(0, write_statfs);
	sys_statfs(trace, "/sys/fs/bpf", &fs);
	printed("statfs(\"/sys/fs/bpf\", PTR) = 0 => {f_type=BPF_FS_MAGIC}\n");
	answers(0, NULL);
	sys_unlinkat(trace, "/sys/fs/bpf/runs");
	printed("unlinkat(AT_FDCWD, \"/sys/fs/bpf/runs\", 0) = 0\n");
	sys_symlinkat(trace, "1 prog.o", "/sys/fs/bpf/a/pload");
	printed("symlinkat(\"1 prog.o\", AT_FDCWD, \"/sys/fs/bpf/a/pload\") = 0\n");
	answers(8, write_link);
	sys_readlinkat(trace, "/proc/self/fd/3", buf, sizeof(buf));
	printed("readlinkat(AT_FDCWD, \"/proc/self/fd/3\", PTR, 64) = 8 => \"bpf-prog\"\n");
	answers(-EBADF, NULL);
	sys_close(trace, 3);
	printed("close(3) = -1 EBADF (Bad file descriptor)\n");
	answers(5, NULL);
	sys_fsopen(trace, "tracefs", FSOPEN_CLOEXEC);
	printed("fsopen(\"tracefs\", FSOPEN_CLOEXEC) = 5\n");
	sys_fsconfig(trace, 5, FSCONFIG_CMD_CREATE);
	printed("fsconfig(5, FSCONFIG_CMD_CREATE, NULL, NULL, 0) = 5\n");
	sys_fsmount(trace, 5, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
	printed("fsmount(5, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY) = 5\n");
}

static void write_uevent(const unsigned long arg[6])
{
	memcpy((void *)arg[1], "online@/devices/system/cpu/cpu1\0ACTION=online", 46);
}

TEST(sockets)
{
	const struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	const struct sockaddr other = { .sa_family = AF_UNIX };
	char buf[64];

	answers(3, NULL);
	sys_socket(trace, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	printed("socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0) = 3\n");
	sys_socket(trace, AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	printed("socket(AF_NETLINK, SOCK_DGRAM|SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT) = 3\n");
	sys_socket(trace, AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 6);
	printed("socket(2, 1|SOCK_NONBLOCK, 6) = 3\n");
	answers(0, NULL);
	sys_bind(trace, 3, &addr, sizeof(addr));
	printed("bind(3, {nl_family=AF_NETLINK, nl_pid=0, nl_groups=0x1}, 12) = 0\n");
	sys_bind(trace, 3, &other, sizeof(other));
	printed("bind(3, PTR, 16) = 0\n");
	answers(46, write_uevent);
	sys_recvfrom(trace, 3, buf, sizeof(buf), MSG_DONTWAIT, NULL, NULL);
	printed("recvfrom(3, PTR, 64, MSG_DONTWAIT, NULL, NULL) = 46 => "
		"\"online@/devices/system/cpu/cpu1\"...\n");
	answers(-EAGAIN, NULL);
	sys_recvfrom(trace, 3, buf, sizeof(buf), 0, NULL, NULL);
	printed("recvfrom(3, PTR, 64, 0, NULL, NULL) = -1 EAGAIN (Resource temporarily "
		"unavailable)\n");
}

TEST(connections)
{
	int ends[2];

	answers(0, NULL);
	sys_socketpair(trace, ends);
	printed("socketpair(AF_UNIX, SOCK_SEQPACKET|SOCK_CLOEXEC, 0, PTR) = 0\n");
	answers(3, NULL);
	sys_send(trace, 4, "abc", 3, MSG_DONTWAIT | MSG_NOSIGNAL);
	printed("sendto(4, PTR, 3, MSG_DONTWAIT|MSG_NOSIGNAL, NULL, 0) = 3\n");
}

/* Two entries of 24 bytes. */
static void write_entries(const unsigned long arg[6])
{
	char *at = (char *)arg[1];

	memset(at, 0, 48);
	memcpy(at + 16, &(uint16_t){ 24 }, 2);
	memcpy(at + 24 + 16, &(uint16_t){ 24 }, 2);
	memcpy(at + 19, "cpu", 3);
	memcpy(at + 24 + 19, "msr", 3);
}

TEST(directories)
{
	char buf[64];

	answers(48, write_entries);
	sys_getdents64(trace, 3, buf, sizeof(buf));
	printed("getdents64(3, PTR, 64) = 48 => [\"cpu\", \"msr\"]\n");
	answers(0, NULL);
	sys_getdents64(trace, 3, buf, sizeof(buf));
	printed("getdents64(3, PTR, 64) = 0\n");
}

TEST(memory)
{
	answers(0x7f0000001000, NULL);
	sys_mmap(trace, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, 6, 0);
	printed("mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_SHARED, 6, 0) = PTR\n");
	answers(-EPERM, NULL);
	sys_mmap(trace, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printed("mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = "
		"-1 EPERM (Operation not permitted)\n");
	answers(0, NULL);
	sys_munmap(trace, (void *)0x7f0000001000, 8192);
	printed("munmap(PTR, 8192) = 0\n");
}

static void write_revents(const unsigned long arg[6])
{
	((struct pollfd *)arg[0])[1].revents = POLLIN;
}

static void write_ready(const unsigned long arg[6])
{
	struct epoll_event *ready = (struct epoll_event *)arg[1];

	for (unsigned int i = 0; i < 9; i++)
		ready[i] = (struct epoll_event){ .events = EPOLLIN, .data.u64 = i };
}

static void write_limits(const unsigned long arg[6])
{
	uint64_t *old = (uint64_t *)arg[3];

	old[0] = 65536;
	old[1] = UINT64_MAX;
}

TEST(waiting)
{
	struct pollfd fds[2] = { { .fd = 5, .events = POLLIN }, { .fd = 6, .events = POLLIN } };
	const uint64_t set = 1ull << (SIGINT - 1) | 1ull << (SIGTERM - 1);
	const uint64_t limits[2] = { UINT64_MAX, UINT64_MAX };
	struct epoll_event ready[9];
	uint64_t old[2];

	answers(1, write_revents);
	sys_poll(trace, fds, 2, -1);
	printed("ppoll([{fd=5, events=POLLIN}, {fd=6, events=POLLIN}], 2, NULL, NULL, 8) = 1 "
		"=> [{fd=6, revents=POLLIN}]\n");
	answers(0, NULL);
	sys_poll(trace, fds, 1, 1500);
	printed("ppoll([{fd=5, events=POLLIN}], 1, {tv_sec=1, tv_nsec=500000000}, NULL, 8) = 0 "
		"(time is over)\n");
	sys_sigprocmask(trace, SIG_BLOCK, set, NULL);
	printed("rt_sigprocmask(SIG_BLOCK, [SIGINT, SIGTERM], NULL, 8) = 0\n");
	sys_sigprocmask(trace, SIG_SETMASK, ~set, NULL);
	printed("rt_sigprocmask(SIG_SETMASK, ~[SIGINT, SIGTERM], NULL, 8) = 0\n");
	sys_sigprocmask(trace, SIG_SETMASK, ~0, NULL);
	printed("rt_sigprocmask(SIG_SETMASK, ~[], NULL, 8) = 0\n");
	answers(7, NULL);
	sys_signalfd(trace, set, SFD_CLOEXEC);
	printed("signalfd4(-1, [SIGINT, SIGTERM], 8, SFD_CLOEXEC) = 7\n");
	sys_epoll_create(trace);
	printed("epoll_create1(EPOLL_CLOEXEC) = 7\n");
	sys_epoll_add(trace, 7, 4, EPOLLIN, 12);
	printed("epoll_ctl(7, EPOLL_CTL_ADD, 4, {events=EPOLLIN, data=0xc}) = 7\n");
	answers(0, NULL);
	sys_epoll_wait(trace, 7, NULL, 64, 50);
	printed("epoll_pwait(7, NULL, 64, 50, NULL, 8) = 0 (time is over)\n");
	answers(2, write_ready);
	sys_epoll_wait(trace, 7, ready, 9, -1);
	printed("epoll_pwait(7, PTR, 9, -1, NULL, 8) = 2 => [{events=EPOLLIN, data=0}, "
		"{events=EPOLLIN, data=0x1}]\n");
	answers(9, write_ready);
	sys_epoll_wait(trace, 7, ready, 9, -1);
	printed("epoll_pwait(7, PTR, 9, -1, NULL, 8) = 9 => [{events=EPOLLIN, data=0}, "
		"{events=EPOLLIN, data=0x1}, {events=EPOLLIN, data=0x2}, "
		"{events=EPOLLIN, data=0x3}, {events=EPOLLIN, data=0x4}, "
		"{events=EPOLLIN, data=0x5}, {events=EPOLLIN, data=0x6}, "
		"{events=EPOLLIN, data=0x7}, ...]\n");
	answers(0, write_limits);
	sys_prlimit(trace, RLIMIT_MEMLOCK, limits, old);
	printed("prlimit64(0, RLIMIT_MEMLOCK, {rlim_cur=RLIM64_INFINITY, "
		"rlim_max=RLIM64_INFINITY}, PTR) = 0 "
		"=> {rlim_cur=65536, rlim_max=RLIM64_INFINITY}\n");
}

/* The next line has both. */
static void json(const char *one, const char *other)
{
	fflush(out);
	ck_assert_msg(strstr(text + seen, one) && strstr(text + seen, other), "%s", text + seen);
	seen = size;
}

TEST(json_has_values)
{
	const unsigned long set = ~(1ul << (SIGCHLD - 1));
	char value[70] = "v", key[4] = "k", path[130] = "";
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_HASH, .key_size = 4, .value_size = 70 };

	sys_trace_free(trace);
	trace = sys_trace(&kernel.sys, out, TRACE_JSON);
	sys_note(trace, "first \"note\"");
	sys_note(trace, "second");
	answers(-ENOENT, NULL);
	sys_openat(trace, AT_FDCWD, "a\"\\\n\x1b\xc3\xa9\xff", O_RDONLY);
	json("[\"AT_FDCWD\",\"a\\\"\\\\\\n\\u001b\xc3\xa9\\u00ff\",\"O_RDONLY\"],\"errno\":\"ENOENT\"",
	     ",\"notes\":[\"first \\\"note\\\"\",\"second\"]}\n");
	memset(path, '\x7f', 129);
	sys_openat(trace, 3, path, O_RDONLY);
	json("\\u007f\\u007f...\",\"O_RDONLY\"]", "\"notes\":[]}\n");
	answers(0, NULL);
	trace->enter(trace, __NR_rt_sigprocmask,
		     (const unsigned long[6]){ SIG_SETMASK, (unsigned long)&set, 0, sizeof(set) });
	json("\"args\":[\"SIG_SETMASK\",{\"all_but\":[\"SIGCHLD\"]},\"NULL\",8]", "\"result\":0");
	answers(5, NULL);
	sys_bpf(trace, BPF_MAP_CREATE, &attr, SIZE_TO(map_flags));
	json("{\"map_type\":\"BPF_MAP_TYPE_HASH\",\"key_size\":4,\"value_size\":70},20]",
	     "\"name\":\"map\"");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = 5;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	answers(0, NULL);
	sys_bpf(trace, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags));
	json("\"key\":\"6b000000\",\"value\":\"76000000", "0000... (70 bytes)\"");
	answers(4, write_text);
	sys_read(trace, 3, path, sizeof(path));
	json("\"returned\":[\"0-1\\n\"]", "\"result\":4");
}

/* A call that the trace does not know goes through all the same. */
TEST(unknown_call)
{
	answers(11, NULL);
	ck_assert_int_eq(trace->enter(trace, 4000, (const unsigned long[6]){ 1, 2, 3 }), 11);
	printed("syscall_4000(0x1, 0x2, 0x3, 0x0, 0x0, 0x0) = 11\n");
	ck_assert_uint_eq(kernel.calls, 1);
}

TEST(names)
{
	ck_assert_str_eq(sys_map_type_name(BPF_MAP_TYPE_ARENA), "BPF_MAP_TYPE_ARENA");
	ck_assert_str_eq(sys_prog_type_name(BPF_PROG_TYPE_NETFILTER), "BPF_PROG_TYPE_NETFILTER");
	ck_assert_str_eq(sys_cmd_name(BPF_PROG_TEST_RUN), "BPF_PROG_TEST_RUN");
	ck_assert_str_eq(sys_errno_name(524), "ENOTSUPP");
	ck_assert_str_eq(sys_link_type_name(BPF_LINK_TYPE_SOCKMAP), "BPF_LINK_TYPE_SOCKMAP");
	ck_assert_str_eq(sys_task_fd_type_name(BPF_FD_TYPE_URETPROBE), "BPF_FD_TYPE_URETPROBE");
	for (uint32_t type = 0; type < __MAX_BPF_MAP_TYPE; type++)
		ck_assert_msg(sys_map_type_name(type) != NULL, "map type %u", type);
	for (uint32_t type = 0; type < __MAX_BPF_PROG_TYPE; type++)
		ck_assert_msg(sys_prog_type_name(type) != NULL, "program type %u", type);
	ck_assert_ptr_null(sys_link_type_name(__MAX_BPF_LINK_TYPE));
	ck_assert_ptr_null(sys_map_type_name(__MAX_BPF_MAP_TYPE));
	ck_assert_ptr_null(sys_errno_name(0));
	ck_assert_ptr_null(sys_signal_name(UINT32_MAX));
}
