// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The dry run: the answers that it invents, and the rules that it keeps, with files and without. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/mount.h>

#include "loader/base/calls/processes.h"
#include "loader/base/calls/sockets.h"
#include "loader/explain/denied/privilege.h"
#include "loader/core/sys/sys.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/suite.h"

#define SIZE_TO(member) (offsetof(union bpf_attr, member) + sizeof(((union bpf_attr *)0)->member))

/* A machine where nothing can be opened; the calls let through are about memory only. */
static long refuse(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	ck_assert_msg(nr == __NR_openat || nr == __NR_mmap || nr == __NR_munmap,
		      "call %ld let through", nr);
	return nr == __NR_openat ? -EACCES : sys_linux()->enter(sys_linux(), nr, arg);
}

static struct sys nothing = { .enter = refuse };
static struct fake_kernel *files;
static struct sys *dry;

static const struct fake_path paths[] = {
	{ "prog.o", "ELF", 0, 0 },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "316\n", 0, 0 },
	{ "/proc/12/fd/3", "anon_inode:bpf_link", 0, FAKE_SYMLINK },
	{ NULL, NULL, 0, 0 },
};

static void setup_closed(void)
{
	dry = sys_dry_over(&nothing);
}

static void setup_files(void)
{
	files = fake_kernel_new(paths);
	dry = sys_dry_over(fake_kernel_sys(files));
}

static void teardown_closed(void)
{
	sys_dry_free(dry);
}

static void teardown_files(void)
{
	sys_dry_free(dry);
	ck_assert_int_eq(fake_kernel_leaks(files, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(files, stderr), 0);
	fake_kernel_free(files);
}

TEST_FIXTURE(setup_files, teardown_files)

/* Lines longer than any buffer stand around the one that matters, and have its name in them. */
TEST(capabilities_are_behind_the_groups)
{
	static const char begin[] = "Name:\tCapEff:\nGroups:\t", end[] = "\nCapPrm:\tff\nCapEff:\t"
		"0000004000000000\nCapBnd:\t", name[] = "CapEff:ffffffffffffffff";

	/* the part that is read last begins at each byte of the name in turn */
	for (size_t size = 0; size < 200000; size += 997) {
		char *text = calloc(1, sizeof(begin) + 2 * size + sizeof(end) + 1), *fill;
		const struct fake_path status[] = {
			{ "/proc/self/status", text, 0, 0 }, { NULL, NULL, 0, 0 }
		};
		struct fake_kernel *k = fake_kernel_new(status);

		strcpy(text, begin);
		fill = text + strlen(text);
		for (size_t n = 0; n < size; n++)
			fill[n] = name[n % (sizeof(name) - 1)];
		strcpy(fill + size, end);
		memcpy(fill + size + sizeof(end) - 1, fill, size);
		strcat(text, "\n");
		ck_assert(sys_capable(fake_kernel_sys(k), CAP_PERFMON));
		ck_assert(!sys_capable(fake_kernel_sys(k), CAP_BPF));
		ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
		fake_kernel_free(k);
		free(text);
	}
}

static int map_create(uint32_t type, uint32_t key, uint32_t value, uint32_t entries, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key;
	attr.value_size = value;
	attr.max_entries = entries;
	attr.map_flags = flags;
	return sys_bpf(dry, BPF_MAP_CREATE, &attr, SIZE_TO(map_extra));
}

static int prog_load_insns(uint32_t type, const struct bpf_insn *insns, uint32_t nr)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = nr;
	attr.license = (unsigned long)"GPL";
	return sys_bpf(dry, BPF_PROG_LOAD, &attr, SIZE_TO(prog_name));
}

static int prog_load(uint32_t type)
{
	const struct bpf_insn insns[2] = { { .code = BPF_ALU64 | BPF_MOV },
					   { .code = BPF_JMP | BPF_EXIT } };

	return prog_load_insns(type, insns, 2);
}

static int event_open(uint32_t type)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = type;
	attr.size = sizeof(attr);
	return sys_perf_event_open(dry, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static int link_create(int prog_fd, int event_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	return sys_bpf(dry, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.perf_event.bpf_cookie));
}

TEST_FIXTURE(setup_closed, teardown_closed)

/* Numbers as in a fresh process: the lowest free from 3, whatever the descriptor is. */
TEST(numbers)
{
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 1, 0), 3);
	ck_assert_int_eq(prog_load(BPF_PROG_TYPE_PERF_EVENT), 4);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), 5);
	ck_assert_int_eq(link_create(4, 5), 6);
	ck_assert_int_eq(sys_close(dry, 4), 0);
	ck_assert_int_eq(sys_close(dry, 4), -EBADF);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0), 4);
	for (int i = 7; i < 200; i++)
		ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), i);
	ck_assert_int_eq(sys_close(dry, 9), 0);
	ck_assert_int_eq(sys_close(dry, 8), 0);
	ck_assert_int_eq(sys_close(dry, 120), 0);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), 8);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), 9);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), 120);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE), 200);
	ck_assert_int_eq(sys_close(dry, 2), -EBADF);
	ck_assert_int_eq(sys_close(dry, -1), -EBADF);
}

static const struct {
	uint32_t type, key, value, entries, flags;
	int ret;
} map_rows[] = {
	{ BPF_MAP_TYPE_HASH, 8, 8, 10, BPF_F_NO_PREALLOC, 3 },
	{ BPF_MAP_TYPE_HASH, 0, 8, 10, 0, -EINVAL },
	{ BPF_MAP_TYPE_HASH, 8, 8, 0, 0, -EINVAL },
	{ BPF_MAP_TYPE_HASH, 8, 8, 10, BPF_F_MMAPABLE, -EINVAL },
	{ BPF_MAP_TYPE_ARRAY, 4, 8, 10, BPF_F_MMAPABLE, 3 },
	{ BPF_MAP_TYPE_ARRAY, 8, 8, 10, 0, -EINVAL },
	{ BPF_MAP_TYPE_ARRAY, 4, 0, 10, 0, -EINVAL },
	{ BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 2, 0, 3 },
	{ BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 8, 2, 0, -EINVAL },
	{ BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 16, 0, 3 },
	{ BPF_MAP_TYPE_RINGBUF, 0, 0, 5000, 0, -EINVAL },
	{ BPF_MAP_TYPE_RINGBUF, 0, 0, 64, 0, -EINVAL },
	{ BPF_MAP_TYPE_RINGBUF, 4, 0, 1 << 16, 0, -EINVAL },
	{ BPF_MAP_TYPE_STACK_TRACE, 4, 127 * 8, 10, 0, 3 },
	{ BPF_MAP_TYPE_STACK_TRACE, 4, 12, 10, 0, -EINVAL },
	{ BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 10, 0, -EBADF },
	{ BPF_MAP_TYPE_UNSPEC, 4, 4, 1, 0, -EINVAL },
	{ 1000, 4, 4, 1, 0, -EINVAL },
};

TEST_ROWS(map_rules, map_rows)
{
	ck_assert_int_eq(map_create(map_rows[_i].type, map_rows[_i].key, map_rows[_i].value,
				    map_rows[_i].entries, map_rows[_i].flags),
			 map_rows[_i].ret);
}

TEST(map_elements)
{
	const int hash = map_create(BPF_MAP_TYPE_HASH, 4, 8, 10, 0);
	const int array = map_create(BPF_MAP_TYPE_ARRAY, 4, 8, 10, 0);
	uint32_t key = 9;
	uint64_t value = 7;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = hash;
	attr.key = (unsigned long)&key;
	attr.value = (unsigned long)&value;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), 0);
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_LOOKUP_ELEM, &attr, SIZE_TO(flags)), -ENOENT);
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_GET_NEXT_KEY, &attr, SIZE_TO(flags)), -ENOENT);
	attr.map_fd = array;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_LOOKUP_ELEM, &attr, SIZE_TO(flags)), 0);
	ck_assert_uint_eq(value, 0);
	key = 10;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), -E2BIG);
	key = 0;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_FREEZE, &attr, SIZE_TO(map_fd)), 0);
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_FREEZE, &attr, SIZE_TO(map_fd)), -EBUSY);
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), -EPERM);
	attr.map_fd = 77;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_LOOKUP_ELEM, &attr, SIZE_TO(flags)), -EBADF);
	attr.map_fd = event_open(PERF_TYPE_SOFTWARE);
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_LOOKUP_ELEM, &attr, SIZE_TO(flags)), -EINVAL);
}

TEST(map_of_events)
{
	const int map = map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 2, 0);
	uint32_t key = 1, value = event_open(PERF_TYPE_SOFTWARE);
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (unsigned long)&key;
	attr.value = (unsigned long)&value;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), 0);
	value = map;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), -EINVAL);
	value = 99;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), -EBADF);
	key = 2;
	ck_assert_int_eq(sys_bpf(dry, BPF_MAP_UPDATE_ELEM, &attr, SIZE_TO(flags)), -E2BIG);
}

TEST(prog_rules)
{
	const int map = map_create(BPF_MAP_TYPE_HASH, 4, 8, 10, 0);
	struct bpf_insn insns[3] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map },
		{ 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int prog = prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, insns, 3);

	ck_assert_int_gt(prog, map);
	insns[0].imm = prog;
	ck_assert_int_eq(prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, insns, 3), -EINVAL);
	insns[0].imm = 99;
	ck_assert_int_eq(prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, insns, 3), -EBADF);
	ck_assert_int_eq(prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, insns, 1), -EINVAL);
	ck_assert_int_eq(prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, insns, 0), -E2BIG);
	ck_assert_int_eq(prog_load_insns(BPF_PROG_TYPE_PERF_EVENT, NULL, 3), -EFAULT);
	ck_assert_int_eq(prog_load(BPF_PROG_TYPE_UNSPEC), -EINVAL);
}

/* One program per event, whichever way came first; a link that is closed frees its event. */
TEST(binding)
{
	const int prog = prog_load(BPF_PROG_TYPE_PERF_EVENT),
		  traced = prog_load(BPF_PROG_TYPE_TRACEPOINT);
	const int clock = event_open(PERF_TYPE_SOFTWARE),
		  tracepoint = event_open(PERF_TYPE_TRACEPOINT);
	int link;

	ck_assert_int_eq(link_create(99, clock), -EBADF);
	ck_assert_int_eq(link_create(clock, clock), -EINVAL);
	ck_assert_int_eq(link_create(prog, prog), -EBADF);
	ck_assert_int_eq(link_create(traced, clock), -EINVAL);
	ck_assert_int_eq(link_create(prog, tracepoint), -EINVAL);
	link = link_create(prog, clock);
	ck_assert_int_gt(link, 0);
	ck_assert_int_eq(sys_ioctl(dry, clock, PERF_EVENT_IOC_SET_BPF, prog), -EEXIST);
	ck_assert_int_eq(sys_close(dry, link), 0);
	ck_assert_int_eq(sys_ioctl(dry, clock, PERF_EVENT_IOC_SET_BPF, prog), 0);
	ck_assert_int_eq(link_create(prog, clock), -EEXIST);
	ck_assert_int_eq(sys_ioctl(dry, tracepoint, PERF_EVENT_IOC_SET_BPF, traced), 0);
	ck_assert_int_eq(sys_ioctl(dry, clock, PERF_EVENT_IOC_SET_BPF, 99), -EBADF);
	ck_assert_int_eq(sys_ioctl(dry, prog, PERF_EVENT_IOC_ENABLE, 0), -ENOTTY);
	ck_assert_int_eq(sys_ioctl(dry, 99, PERF_EVENT_IOC_ENABLE, 0), -EBADF);
	ck_assert_int_eq(sys_ioctl(dry, clock, PERF_EVENT_IOC_ENABLE, 0), 0);
}

TEST(event_rules)
{
	struct perf_event_attr attr;
	uint64_t value = 5;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	ck_assert_int_eq(sys_perf_event_open(dry, &attr, -1, -1, -1, PERF_FLAG_FD_CLOEXEC),
			 -EINVAL);
	ck_assert_int_eq(sys_perf_event_open(dry, &attr, 0, -1, 77, PERF_FLAG_FD_CLOEXEC), -EBADF);
	ck_assert_int_eq(sys_perf_event_open(dry, &attr, 0, -1, -1, 1 << 9), -EINVAL);
	attr.size = 8;
	ck_assert_int_eq(sys_perf_event_open(dry, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC), -E2BIG);
	fd = event_open(PERF_TYPE_SOFTWARE);
	ck_assert_int_eq(sys_read(dry, fd, &value, sizeof(value)), sizeof(value));
	ck_assert_uint_eq(value, 0);
	ck_assert_int_eq(sys_read(dry, fd, &value, 4), -ENOSPC);
}

TEST(memory)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int array = map_create(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE);
	const int hash = map_create(BPF_MAP_TYPE_HASH, 4, 8, 1, 0);
	const int event = event_open(PERF_TYPE_SOFTWARE);
	struct perf_event_mmap_page *ring;
	long addr = sys_mmap(dry, 8, PROT_READ | PROT_WRITE, MAP_SHARED, array, 0);

	ck_assert(!sys_failed(addr));
	ck_assert_uint_eq(*(uint64_t *)addr, 0);
	ck_assert_int_eq(sys_munmap(dry, (void *)addr, 8), 0);
	ck_assert_int_eq(sys_mmap(dry, 8, PROT_READ, MAP_SHARED, hash, 0), -524);
	ck_assert_int_eq(sys_mmap(dry, 8, PROT_READ, MAP_SHARED, 99, 0), -EBADF);
	ck_assert_int_eq(sys_mmap(dry, 4 * page, PROT_READ, MAP_SHARED, event, 0), -EINVAL);
	addr = sys_mmap(dry, 5 * page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	ck_assert(!sys_failed(addr));
	ring = (struct perf_event_mmap_page *)addr;
	ck_assert_uint_eq(ring->data_offset, page);
	ck_assert_uint_eq(ring->data_size, 4 * page);
	ck_assert_uint_eq(ring->data_head, 0);
	sys_munmap(dry, (void *)addr, 5 * page);
}

TEST(nothing_waits)
{
	struct pollfd fds[2] = { { .fd = sys_signalfd(dry, 2, 0), .events = POLLIN },
				 { .fd = 50 } };
	char buf[128];

	ck_assert_int_eq(fds[0].fd, 3);
	ck_assert_int_eq(sys_poll(dry, fds, 1, -1), 0);
	ck_assert_int_eq(sys_read(dry, fds[0].fd, buf, sizeof(buf)), -EAGAIN);
	ck_assert_int_eq(sys_poll(dry, fds, 2, -1), 1);
	ck_assert_int_eq(fds[1].revents, POLLNVAL);
	ck_assert_int_eq(sys_sigprocmask(dry, SIG_BLOCK, 2, NULL), 0);
	ck_assert_int_eq(
		dry->enter(dry, __NR_fchmodat,
			   (const unsigned long[6]){ AT_FDCWD, (unsigned long)"x" }),
		-ENOSYS);
}

/* A dry run creates no process: fork() returns a pid that ends at once, with status 0. */
TEST(processes)
{
	siginfo_t info;
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(sys_waitid(dry, 4242, &info, WEXITED), -ECHILD);
	pid = sys_fork(dry, SIGCHLD);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(sys_pipe(dry, fds), 0);
	ck_assert_int_eq(sys_write(dry, fds[1], "g", 1), 1);
	ck_assert_int_eq(sys_read(dry, fds[0], &info, 4), 0);
	ck_assert_int_eq(sys_kill(dry, pid, SIGTERM), 0);
	ck_assert_int_eq(sys_kill(dry, pid + 1, SIGTERM), -ESRCH);
	for (int i = 0; i < 2; i++) {
		struct pollfd end = { .fd = sys_pidfd_open(dry, i ? 1 : pid, 0), .events = POLLIN };

		ck_assert_int_eq(sys_poll(dry, &end, 1, -1), !i);
		sys_close(dry, end.fd);
	}
	ck_assert_int_eq(sys_waitid(dry, pid, &info, WEXITED), 0);
	ck_assert_int_eq(info.si_pid, pid);
	ck_assert_int_eq(info.si_code, CLD_EXITED);
	ck_assert_int_eq(info.si_status, 0);
	ck_assert_int_eq(sys_execve(dry, "/bin/true", NULL, NULL), -ENOENT);
}

/* A dry run pins nothing, so it does not find its own pins again. */
TEST(pins)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (unsigned long)"/sys/fs/bpf/x";
	ck_assert_int_eq(sys_bpf(dry, BPF_OBJ_PIN, &attr, SIZE_TO(file_flags)), -EBADF);
	attr.bpf_fd = prog_load(BPF_PROG_TYPE_XDP);
	ck_assert_int_eq(sys_bpf(dry, BPF_OBJ_PIN, &attr, SIZE_TO(file_flags)), 0);
	ck_assert_int_eq(sys_bpf(dry, BPF_OBJ_GET, &attr, SIZE_TO(file_flags)), -ENOENT);
	ck_assert_int_eq(sys_unlinkat(dry, "/sys/fs/bpf/x"), 0);
	ck_assert_int_eq(sys_symlinkat(dry, "text", "/sys/fs/bpf/x"), 0);
	attr.pathname = 0;
	ck_assert_int_eq(sys_bpf(dry, BPF_OBJ_PIN, &attr, SIZE_TO(file_flags)), -EFAULT);
}

TEST(information)
{
	struct bpf_prog_info info;
	union bpf_attr attr;

	memset(&info, 0xff, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = prog_load(BPF_PROG_TYPE_XDP);
	attr.info.info = (unsigned long)&info;
	attr.info.info_len = sizeof(info);
	ck_assert_int_eq(sys_bpf(dry, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr.info)), 0);
	ck_assert_uint_eq(info.type, BPF_PROG_TYPE_XDP);
	ck_assert_uint_eq(info.run_cnt, 0);
	ck_assert_uint_eq(info.run_time_ns, 0);
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = 3;
	attr.test.retval = 9;
	ck_assert_int_eq(sys_bpf(dry, BPF_PROG_TEST_RUN, &attr, SIZE_TO(test.duration)), 0);
	ck_assert_uint_eq(attr.test.retval, 0);
}

static const struct {
	const char *path, *text;
} invented[] = {
	{ "/sys/devices/system/cpu/online", "0-1" },
	{ "/sys/devices/system/cpu/possible", "0-1" },
	{ "/sys/bus/event_source/devices/software/type", "1" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "5" },
	{ "/sys/bus/event_source/devices/anything/type", "11" },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "1" },
	{ "/sys/kernel/debug/tracing/events/sched/sched_switch/id", "1" },
	{ "/sys/kernel/tracing/events/sched/id", NULL },
	{ "/sys/kernel/tracing/events//x/id", NULL },
	{ "/sys/kernel/tracing/events/a/b/c/id", NULL },
	{ "/sys/bus/event_source/devices/software/format/x", NULL },
	{ "/sys/devices/system/cpu/offline", NULL },
	{ "/etc/passwd", NULL },
};

TEST_ROWS(invents_files, invented)
{
	char text[32];
	const int len = sys_read_text(dry, AT_FDCWD, invented[_i].path, text, sizeof(text));

	if (invented[_i].text)
		ck_assert_str_eq(text, invented[_i].text);
	else
		ck_assert_int_eq(len, -EACCES);
}

TEST(invents_tracefs)
{
	char text[32];
	int fs, dir, lines;

	ck_assert_int_eq(sys_fsopen(dry, "ext4", FSOPEN_CLOEXEC), -ENODEV);
	fs = sys_fsopen(dry, "tracefs", FSOPEN_CLOEXEC);
	ck_assert_int_eq(fs, 3);
	ck_assert_int_eq(sys_fsconfig(dry, fs, FSCONFIG_CMD_CREATE), 0);
	dir = sys_fsmount(dry, fs, FSMOUNT_CLOEXEC, 0);
	ck_assert_int_eq(dir, 4);
	ck_assert_int_eq(
		sys_read_text(dry, dir, "events/sched/sched_switch/id", text, sizeof(text)), 1);
	ck_assert_str_eq(text, "1");
	ck_assert_int_eq(sys_openat(dry, dir, "events/sched", O_RDONLY), -ENOENT);
	lines = sys_openat(dry, dir, "uprobe_events", O_RDWR | O_APPEND | O_CLOEXEC);
	ck_assert_int_eq(lines, 5);
	ck_assert_int_eq(sys_read(dry, lines, text, sizeof(text)), 0);
	ck_assert_int_eq(sys_write(dry, lines, "p:pload/x /bin/x:0\n", 19), 19);
	ck_assert_int_eq(sys_write(dry, dir, "x", 1), -EINVAL);
	ck_assert_int_eq(sys_write(dry, 77, "x", 1), -EBADF);
	ck_assert_int_eq(sys_read_text(dry, dir, "events/pload/x/id", text, sizeof(text)), 1);
	ck_assert_int_eq(sys_openat(dry, fs, "events", O_RDONLY), -ENOTDIR);
	ck_assert_int_eq(sys_openat(dry, 77, "events", O_RDONLY), -EBADF);
}

TEST_FIXTURE(setup_files, teardown_files)

/* A dry run reads files of the running kernel, and changes nothing in it. */
TEST(reads_real_files)
{
	struct stat st;
	char text[32];
	int fd;

	map_create(BPF_MAP_TYPE_HASH, 4, 8, 1, 0);
	fd = sys_openat(dry, AT_FDCWD, "prog.o", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(fd, 4); /* 3 for the kernel that has the file */
	ck_assert_int_eq(sys_fstat(dry, fd, &st), 0);
	ck_assert_int_eq(st.st_size, 3);
	ck_assert_int_eq(sys_read(dry, fd, text, sizeof(text)), 3);
	ck_assert_int_eq(sys_pread(dry, fd, text, sizeof(text), 1), 2);
	ck_assert_int_eq(sys_pread(dry, fd, text, sizeof(text), 4), 0);
	ck_assert_int_eq(sys_pread(dry, 3, text, sizeof(text), 0), -ESPIPE);
	ck_assert_int_eq(sys_pread(dry, 9, text, sizeof(text), 0), -EBADF);
	ck_assert_int_eq(sys_read_text(dry, AT_FDCWD, paths[1].path, text, sizeof(text)), 3);
	ck_assert_str_eq(text, "316");
	ck_assert_int_eq(sys_read_text(dry, AT_FDCWD, "/sys/kernel/tracing/events/sched/no_such/id",
				       text, sizeof(text)),
			 -ENOENT);
	ck_assert_int_eq(sys_read_text(dry, AT_FDCWD, "/sys/bus/event_source/devices/none/type",
				       text, sizeof(text)),
			 -ENOENT);
	/* Probes are made in none, and would be in any. */
	ck_assert_int_eq(sys_read_text(dry, AT_FDCWD, "/sys/kernel/tracing/events/pload/x/id",
				       text, sizeof(text)), 1);
	ck_assert_int_eq(sys_read_text(dry, AT_FDCWD, "/sys/bus/event_source/devices/kprobe/type",
				       text, sizeof(text)), 1);
	ck_assert_int_eq(sys_openat(dry, AT_FDCWD, "/sys/kernel/tracing/kprobe_events", O_RDWR),
			 -ENOENT);
	ck_assert_int_eq(sys_openat(dry, AT_FDCWD, "prog.o", O_RDWR | O_CLOEXEC), -EROFS);
	ck_assert_int_eq(sys_readlinkat(dry, "/proc/12/fd/3", text, 10), 10);
	ck_assert_mem_eq(text, "anon_inode", 10);
	ck_assert_int_eq(sys_readlinkat(dry, "/proc/self/fd/3", text, 10), -ENOENT);
	ck_assert_int_eq(fake_kernel_count(files, "BPF_MAP_CREATE"), 0);
	/* A socket, and nobody sends. */
	fd = sys_socket(dry, AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sys_bind(dry, fd, NULL, 0), 0);
	ck_assert_int_eq(sys_recvfrom(dry, fd, text, 10, MSG_DONTWAIT, NULL, NULL), -EAGAIN);
	ck_assert_int_eq(sys_bind(dry, -1, NULL, 0), -EBADF);
	/* fd is left open: sys_dry_free() closes it. */
}

TEST(reads_real_directories)
{
	char buf[512];
	int dir = sys_openat(dry, AT_FDCWD, "/sys/bus/event_source/devices",
			     O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_eq(dir, 3);
	ck_assert_int_gt(sys_getdents64(dry, dir, buf, sizeof(buf)), 0);
	ck_assert_int_eq(sys_read_text(dry, dir, "software/type", buf, sizeof(buf)), 1);
	ck_assert_int_eq(sys_close(dry, dir), 0);
}
