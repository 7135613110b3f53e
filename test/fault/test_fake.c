// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of the fake kernel: it keeps data, finds leaks, and fails the calls that it should fail. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <linux/mount.h>

#include "test/fault/fake_kernel.h"
#include "test/unit/common/suite.h"

#define SIZE_TO(member) (offsetof(union bpf_attr, member) + sizeof(((union bpf_attr *)0)->member))

static const struct fake_path paths[] = {
	{ "prog.o", "\177ELF\0x", 6, 0 },
	{ "/sys/devices/system/cpu/online", "0\n", 0, 0 },
	{ "/proc/secret", NULL, 0, EACCES },
	{ NULL, NULL, 0, 0 },
};

static struct fake_kernel *k;
static struct sys *sys;

static void setup(void)
{
	k = fake_kernel_new(paths);
	sys = fake_kernel_sys(k);
}

static void teardown(void)
{
	fake_kernel_free(k);
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
	strcpy(attr.map_name, "map");
	return sys_bpf(sys, BPF_MAP_CREATE, &attr, SIZE_TO(map_extra));
}

static int prog_load(uint32_t type, char *log, uint32_t log_size)
{
	const struct bpf_insn insns[2] = { { .code = BPF_ALU64 | BPF_MOV },
					   { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = 2;
	attr.license = (unsigned long)"GPL";
	attr.log_level = log_size != 0;
	attr.log_buf = (unsigned long)log;
	attr.log_size = log_size;
	strcpy(attr.prog_name, "prog");
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, SIZE_TO(prog_name));
}

static int event_open(uint32_t type, int cpu)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = type;
	attr.size = sizeof(attr);
	attr.disabled = 1;
	return sys_perf_event_open(sys, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int element(int cmd, int fd, const void *key, void *value, uint64_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = (unsigned long)key;
	attr.value = (unsigned long)value;
	attr.flags = flags;
	return sys_bpf(sys, cmd, &attr, SIZE_TO(flags));
}

TEST_FIXTURE(setup, teardown)

TEST(ledger)
{
	const int map = map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0),
		  event = event_open(PERF_TYPE_SOFTWARE, 0);
	char told[512] = "";
	FILE *out = fmemopen(told, sizeof(told), "w");
	long addr =
		sys_mmap(sys, 2 * (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, event, 0);

	ck_assert_int_eq(map, 3);
	ck_assert_int_eq(event, 4);
	ck_assert_int_eq(fake_kernel_leaks(k, out), 3);
	fclose(out);
	ck_assert_ptr_nonnull(
		strstr(told, "fd 3 is open: map map, made by call 1 (BPF_MAP_CREATE)\n"));
	ck_assert_ptr_nonnull(
		strstr(told, "fd 4 is open: event , made by call 2 (perf_event_open)\n"));
	ck_assert_int_eq(sys_munmap(sys, (void *)addr, 2 * (size_t)sysconf(_SC_PAGESIZE)), 0);
	sys_close(sys, map);
	sys_close(sys, event);
	ck_assert_int_eq(fake_kernel_leaks(k, NULL), 0);
	ck_assert_int_eq(fake_kernel_violations(k, NULL), 0);
	ck_assert_uint_eq(fake_kernel_nr_calls(k), 6);
	ck_assert_str_eq(fake_kernel_call(k, 3)->name, "munmap");
	ck_assert_uint_eq(fake_kernel_count(k, "close"), 2);
	ck_assert_ptr_null(fake_kernel_call(k, 6));
}

TEST(violations)
{
	const int map = map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0);

	sys_close(sys, map);
	ck_assert_int_eq(sys_close(sys, map), -EBADF);
	ck_assert_int_eq(fake_kernel_violations(k, NULL), 1);
	ck_assert_int_eq(sys_munmap(sys, &setup, 4096), -EINVAL);
	ck_assert_int_eq(fake_kernel_violations(k, NULL), 2);
	ck_assert_int_eq(sys_poll(sys, NULL, 0, -1), -EINTR);
	ck_assert_int_eq(fake_kernel_violations(k, NULL), 3);
	ck_assert_int_ge(sys_openat(sys, AT_FDCWD, "prog.o", O_RDONLY), 3);
	ck_assert_int_eq(fake_kernel_violations(k, NULL), 4);
}

/* A call that is to fail has no effect, except that a call which releases something does so. */
TEST(fails_calls)
{
	int fd;

	fake_kernel_fail_call(k, 2, EMFILE);
	fd = map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0);
	ck_assert_int_eq(fd, 3);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0), -EMFILE);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0), 4);
	ck_assert_int_eq(fake_kernel_leaks(k, NULL), 2);
	fake_kernel_fail_call(k, 1, EIO);
	ck_assert_int_eq(sys_close(sys, fd), -EIO);
	ck_assert_int_eq(fake_kernel_leaks(k, NULL), 1);
	fake_kernel_fail_call(k, 0, EIO);
	ck_assert_int_eq(sys_close(sys, 4), 0);
}

TEST(hash_map)
{
	const int fd = map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0);
	uint32_t key = 7, next = 0;
	uint64_t value = 70, got = 0;

	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, BPF_EXIST), -ENOENT);
	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, BPF_NOEXIST), 0);
	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, BPF_NOEXIST), -EEXIST);
	key = 8;
	value = 80;
	ck_assert_int_eq(fake_map_put(fake_kernel_map(k, "map"), &key, &value), 0);
	key = 9;
	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, BPF_ANY), -E2BIG);
	ck_assert_int_eq(element(BPF_MAP_GET_NEXT_KEY, fd, NULL, &next, 0), 0);
	ck_assert_uint_eq(next, 7);
	ck_assert_int_eq(element(BPF_MAP_GET_NEXT_KEY, fd, &next, &next, 0), 0);
	ck_assert_uint_eq(next, 8);
	ck_assert_int_eq(element(BPF_MAP_LOOKUP_ELEM, fd, &next, &got, 0), 0);
	ck_assert_uint_eq(got, 80);
	ck_assert_int_eq(element(BPF_MAP_GET_NEXT_KEY, fd, &next, &next, 0), -ENOENT);
	key = 7;
	ck_assert_int_eq(element(BPF_MAP_DELETE_ELEM, fd, &key, NULL, 0), 0);
	ck_assert_int_eq(element(BPF_MAP_DELETE_ELEM, fd, &key, NULL, 0), -ENOENT);
	ck_assert_int_eq(element(BPF_MAP_LOOKUP_ELEM, fd, &next, &got, 0), 0);
	ck_assert_uint_eq(fake_kernel_map(k, "map")->nr, 1);
}

TEST(batches)
{
	const int fd = map_create(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 4, 5, 0);
	struct fake_map *map = fake_kernel_map(k, "map");
	uint32_t keys[3], cursor, key = 4;
	unsigned char values[3 * 32] = { 0 }, value[32] = { [24] = 44 }; /* CPU 3's share */
	union bpf_attr attr;

	ck_assert_uint_eq(map->stride, 4 * 8);
	ck_assert_int_eq(fake_map_put(map, &key, value), 0);
	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = fd;
	attr.batch.out_batch = (unsigned long)&cursor;
	attr.batch.keys = (unsigned long)keys;
	attr.batch.values = (unsigned long)values;
	attr.batch.count = 3;
	ck_assert_int_eq(sys_bpf(sys, BPF_MAP_LOOKUP_BATCH, &attr, sizeof(attr.batch)), 0);
	ck_assert_uint_eq(attr.batch.count, 3);
	ck_assert_uint_eq(keys[2], 2);
	attr.batch.in_batch = (unsigned long)&cursor;
	ck_assert_int_eq(sys_bpf(sys, BPF_MAP_LOOKUP_BATCH, &attr, sizeof(attr.batch)), -ENOENT);
	ck_assert_uint_eq(attr.batch.count, 2);
	ck_assert_uint_eq(keys[1], 4);
	ck_assert_uint_eq(values[32 + 24], 44);
	fake_kernel_set_age(k, FAKE_NO_BATCH);
	ck_assert_int_eq(sys_bpf(sys, BPF_MAP_LOOKUP_BATCH, &attr, sizeof(attr.batch)), -EINVAL);
}

TEST(mapped_array)
{
	const int fd = map_create(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE);
	uint32_t key = 0;
	uint64_t value = 5, *mem = (uint64_t *)sys_mmap(sys, 8, PROT_READ, MAP_SHARED, fd, 0);

	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, 0), 0);
	ck_assert_uint_eq(*mem, 5);
	ck_assert_int_eq(element(BPF_MAP_FREEZE, fd, NULL, NULL, 0), 0);
	ck_assert_int_eq(element(BPF_MAP_UPDATE_ELEM, fd, &key, &value, 0), -EPERM);
	ck_assert_int_eq(sys_mmap(sys, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), -EPERM);
	ck_assert_int_eq(sys_munmap(sys, mem, 8), 0);
}

TEST(progs_and_links)
{
	const int prog = prog_load(BPF_PROG_TYPE_PERF_EVENT, NULL, 0),
		  event = event_open(PERF_TYPE_SOFTWARE, 1);
	struct bpf_prog_info info;
	union bpf_attr attr;
	int link;

	ck_assert_uint_eq(fake_kernel_prog(k, "prog")->attr.insn_cnt, 2);
	ck_assert_uint_eq(fake_kernel_prog(k, "prog")->insns[1].code, BPF_JMP | BPF_EXIT);
	ck_assert_str_eq(fake_kernel_prog(k, "prog")->license, "GPL");
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = event;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = 42;
	link = sys_bpf(sys, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.perf_event.bpf_cookie));
	ck_assert_int_eq(link, 5);
	ck_assert_ptr_eq(fake_kernel_event(k, 0)->prog, fake_kernel_prog(k, "prog"));
	ck_assert_uint_eq(fake_kernel_event(k, 0)->cookie, 42);
	ck_assert_int_eq(sys_ioctl(sys, event, PERF_EVENT_IOC_SET_BPF, prog), -EEXIST);
	sys_close(sys, link);
	ck_assert_ptr_null(fake_kernel_event(k, 0)->prog);
	ck_assert_int_eq(sys_ioctl(sys, event, PERF_EVENT_IOC_SET_BPF, prog), 0);
	ck_assert(!fake_kernel_event(k, 0)->enabled);
	ck_assert_int_eq(sys_ioctl(sys, event, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert(fake_kernel_event(k, 0)->enabled);
	ck_assert_int_eq(event_open(PERF_TYPE_HARDWARE, 0), -ENOENT);
	ck_assert_int_eq(event_open(PERF_TYPE_SOFTWARE, 2), -ENODEV);

	fake_kernel_prog(k, "prog")->run_cnt = 11;
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = prog;
	attr.info.info = (unsigned long)&info;
	attr.info.info_len = sizeof(info);
	ck_assert_int_eq(sys_bpf(sys, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr.info)), 0);
	ck_assert_uint_eq(info.run_cnt, 11);
}

static int path_cmd(int cmd, int fd, const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (unsigned long)path;
	attr.bpf_fd = fd;
	return sys_bpf(sys, cmd, &attr, SIZE_TO(file_flags));
}

/* The id after @id, or -errno. */
static int next_id(int cmd, uint32_t id)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = id;
	ret = sys_bpf(sys, cmd, &attr, SIZE_TO(next_id));
	return ret ? ret : (int)attr.next_id;
}

static int make_link(int prog, int event)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = event;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = 42;
	return sys_bpf(sys, BPF_LINK_CREATE, &attr, SIZE_TO(link_create.perf_event.bpf_cookie));
}

/* A pin keeps a link, and a link its program and event, until the pin goes. */
TEST(pinned_links)
{
	const char *path = "/sys/fs/bpf/a/link";
	int prog = prog_load(BPF_PROG_TYPE_PERF_EVENT, NULL, 0), fd, link,
	    event = event_open(PERF_TYPE_SOFTWARE, 1);
	char text[64];

	link = make_link(prog, event);
	ck_assert_int_eq(path_cmd(BPF_OBJ_PIN, link, path), -ENOENT);
	ck_assert_int_eq(sys_mkdirat(sys, "/sys/fs/bpf/a", 0700), 0);
	ck_assert_int_eq(path_cmd(BPF_OBJ_PIN, link, path), 0);
	ck_assert_int_eq(path_cmd(BPF_OBJ_PIN, event, "/sys/fs/bpf/event"), -EINVAL);
	sys_close(sys, link);
	sys_close(sys, event);
	sys_close(sys, prog);
	ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
	ck_assert_ptr_eq(fake_kernel_event(k, 0)->prog, fake_kernel_prog(k, "prog"));
	ck_assert_int_eq(next_id(BPF_LINK_GET_NEXT_ID, 0), fake_kernel_link(k, 0)->id);
	ck_assert_int_eq(next_id(BPF_PROG_GET_NEXT_ID, 0), fake_kernel_prog(k, "prog")->id);

	fd = path_cmd(BPF_OBJ_GET, 0, path);
	ck_assert_int_eq(fd, 3);
	ck_assert_int_eq(sys_readlinkat(sys, "/proc/self/fd/3", text, sizeof(text)), 19);
	ck_assert_mem_eq(text, "anon_inode:bpf-link", 19);
	fake_kernel_linger(k, 2);
	ck_assert_int_eq(sys_unlinkat(sys, path), 0);
	sys_close(sys, fd);
	ck_assert_int_gt(next_id(BPF_LINK_GET_NEXT_ID, 0), 0);
	ck_assert_ptr_nonnull(fake_kernel_event(k, 0)->prog);
	ck_assert_int_gt(next_id(BPF_LINK_GET_NEXT_ID, 0), 0);
	ck_assert_int_eq(next_id(BPF_LINK_GET_NEXT_ID, 0), -ENOENT);
	ck_assert_int_eq(next_id(BPF_PROG_GET_NEXT_ID, 0), -ENOENT);
	ck_assert_ptr_null(fake_kernel_event(k, 0)->prog);
	ck_assert_int_eq(sys_rmdir(sys, "/sys/fs/bpf/a"), 0);
	ck_assert_uint_eq(fake_kernel_nr_pins(k), 0);
}

/* Names in information: all, none, or cut. */
TEST(link_information)
{
	const int prog = prog_load(BPF_PROG_TYPE_TRACEPOINT, NULL, 0),
		  event = event_open(PERF_TYPE_TRACEPOINT, 1), link = make_link(prog, event);
	char name[] = "#############";
	struct bpf_link_info info;
	union bpf_attr attr;

	for (uint32_t room = 0; room <= sizeof(name); room++) {
		memset(&attr, 0, sizeof(attr));
		memset(&info, 0, sizeof(info));
		attr.info.bpf_fd = link;
		attr.info.info = (unsigned long)&info;
		attr.info.info_len = sizeof(info);
		info.perf_event.tracepoint.tp_name = room ? (unsigned long)name : 0;
		info.perf_event.tracepoint.name_len = room;
		ck_assert_int_eq(sys_bpf(sys, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr.info)),
				 room && room < 13 ? -ENOSPC : 0);
		if (room)
			ck_assert_uint_eq(strlen(name), room < 13 ? room - 1 : 12);
	}
	ck_assert_uint_eq(info.type, BPF_LINK_TYPE_PERF_EVENT);
	ck_assert_uint_eq(info.perf_event.type, BPF_PERF_EVENT_TRACEPOINT);
	ck_assert_uint_eq(info.perf_event.tracepoint.cookie, 42);
	ck_assert_str_eq(name, "sched_switch");
	memset(&attr, 0, sizeof(attr));
	attr.link_detach.link_fd = link;
	ck_assert_int_eq(sys_bpf(sys, BPF_LINK_DETACH, &attr, sizeof(attr.link_detach)),
			 -EOPNOTSUPP);
}

TEST(symbolic_links)
{
	char text[8];

	ck_assert_int_eq(sys_symlinkat(sys, "hello", "/sys/fs/bpf/x"), 0);
	ck_assert_int_eq(sys_symlinkat(sys, "hello", "/sys/fs/bpf/x"), -EEXIST);
	ck_assert_int_eq(sys_symlinkat(sys, "hello", "/tmp/x"), -EPERM);
	ck_assert_int_eq(sys_readlinkat(sys, "/sys/fs/bpf/x", text, 4), 4);
	ck_assert_mem_eq(text, "hell", 4);
	ck_assert_int_eq(sys_readlinkat(sys, "/sys/fs/bpf/y", text, 4), -ENOENT);
	ck_assert_int_eq(path_cmd(BPF_OBJ_GET, 0, "/sys/fs/bpf/x"), -EACCES);
	ck_assert_int_eq(sys_unlinkat(sys, "/sys/fs/bpf/x"), 0);
}

TEST(verifier)
{
	char log[64];

	fake_kernel_reject(k, "prog", EACCES, "R1 is not allowed");
	ck_assert_int_eq(prog_load(BPF_PROG_TYPE_PERF_EVENT, NULL, 0), -EACCES);
	ck_assert_int_eq(prog_load(BPF_PROG_TYPE_PERF_EVENT, log, 8), -ENOSPC);
	ck_assert_int_eq(prog_load(BPF_PROG_TYPE_PERF_EVENT, log, sizeof(log)), -EACCES);
	ck_assert_str_eq(log, "R1 is not allowed");
	fake_kernel_reject(k, "other", EACCES, NULL);
	ck_assert_int_ge(prog_load(BPF_PROG_TYPE_PERF_EVENT, NULL, 0), 3);
}

TEST(old_kernels)
{
	const uint64_t unlimited[2] = { UINT64_MAX, UINT64_MAX };
	uint64_t old[2];

	fake_kernel_set_age(k, FAKE_NO_NAMES);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0), -EINVAL);
	fake_kernel_set_age(k, FAKE_NO_MMAPABLE);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_ARRAY, 4, 8, 2, BPF_F_MMAPABLE), -EINVAL);
	fake_kernel_set_age(k, FAKE_MEMLOCK);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0), -EPERM);
	ck_assert_int_eq(sys_prlimit(sys, RLIMIT_MEMLOCK, unlimited, old), 0);
	ck_assert_uint_eq(old[0], 65536);
	ck_assert_int_eq(map_create(BPF_MAP_TYPE_HASH, 4, 8, 2, 0), 3);
}

TEST(files)
{
	char text[64];
	struct stat st;
	int fd = sys_openat(sys, AT_FDCWD, "prog.o", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(sys_fstat(sys, fd, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_int_eq(st.st_size, 6);
	ck_assert_int_eq(sys_read(sys, fd, text, 4), 4);
	ck_assert_int_eq(sys_read(sys, fd, text, 4), 2);
	ck_assert_int_eq(sys_read(sys, fd, text, 4), 0);
	ck_assert_int_eq(sys_pread(sys, fd, text, 4, 3), 3);
	ck_assert_int_eq(sys_pread(sys, fd, text, 4, 6), 0);
	sys_close(sys, fd);
	ck_assert_int_eq(sys_openat(sys, AT_FDCWD, "/proc/secret", O_RDONLY | O_CLOEXEC), -EACCES);
	ck_assert_int_eq(sys_openat(sys, AT_FDCWD, "/nothing", O_RDONLY | O_CLOEXEC), -ENOENT);
	ck_assert_int_eq(sys_read_text(sys, AT_FDCWD, "/sys/devices/system/cpu/online", text, 64),
			 1);
	ck_assert_str_eq(text, "0");
	ck_assert_int_eq(sys_read_text(sys, AT_FDCWD, "/sys/devices/system/cpu/possible", text, 64),
			 3);
	ck_assert_int_eq(sys_read_text(sys, AT_FDCWD, "/sys/devices/system/cpu/possible", text, 3),
			 -E2BIG);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
}

TEST(directories)
{
	char buf[512], text[16];
	int dir = sys_openat(sys, AT_FDCWD, "/sys/devices/system/cpu", O_RDONLY | O_CLOEXEC), fs;
	long len = sys_getdents64(sys, dir, buf, sizeof(buf));

	ck_assert_int_eq(len, 24 + 24 + 32 + 32);
	ck_assert_str_eq(buf + 19, ".");
	ck_assert_str_eq(buf + 48 + 19, "online");
	ck_assert_str_eq(buf + 80 + 19, "possible");
	ck_assert_int_eq(sys_getdents64(sys, dir, buf, sizeof(buf)), 0);
	sys_close(sys, dir);
	fs = sys_fsopen(sys, "tracefs", FSOPEN_CLOEXEC);
	ck_assert_int_eq(sys_fsconfig(sys, fs, FSCONFIG_CMD_CREATE), 0);
	dir = sys_fsmount(sys, fs, FSMOUNT_CLOEXEC, 0);
	ck_assert_int_eq(
		sys_read_text(sys, dir, "events/sched/sched_switch/id", text, sizeof(text)), 3);
	ck_assert_str_eq(text, "314");
}

static void send_at_poll(struct fake_kernel *kernel, void *arg)
{
	if (--*(int *)arg == 0)
		fake_kernel_signal(kernel, SIGTERM);
}

TEST(waiting)
{
	const uint64_t set = 1ull << (SIGINT - 1) | 1ull << (SIGTERM - 1);
	struct pollfd fd = { .fd = sys_signalfd(sys, set, SFD_CLOEXEC), .events = POLLIN };
	struct signalfd_siginfo info;
	int polls = 2;

	fake_kernel_on_poll(k, send_at_poll, &polls);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, 50), 0);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, 50), 1);
	ck_assert_int_eq(sys_read(sys, fd.fd, &info, sizeof(info)), sizeof(info));
	ck_assert_uint_eq(info.ssi_signo, SIGTERM);
	ck_assert_int_eq(sys_read(sys, fd.fd, &info, sizeof(info)), -EAGAIN);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, 50), 0);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, 50), 0);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, 50), 1);
	ck_assert_int_eq(sys_read(sys, fd.fd, &info, sizeof(info)), sizeof(info));
	ck_assert_uint_eq(info.ssi_signo, SIGINT);
	ck_assert_int_eq(sys_poll(sys, &fd, 1, -1), 1);
	ck_assert_int_eq(fake_kernel_violations(k, stderr), 0);
}

TEST(rings)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int event = event_open(PERF_TYPE_SOFTWARE, 0),
		  map = map_create(BPF_MAP_TYPE_RINGBUF, 0, 0, page, 0);
	struct pollfd fds[2] = { { .fd = event, .events = POLLIN },
				 { .fd = map, .events = POLLIN } };
	struct fake_event *e = fake_kernel_event(k, 0);
	struct fake_map *m = fake_kernel_map(k, "map");
	unsigned char *producer;
	uint64_t *consumer;
	uint32_t header;

	ck_assert(!fake_perf_push(e, "abc", 3));
	ck_assert(!fake_ringbuf_push(m, "abc", 3));
	sys_mmap(sys, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	consumer = (uint64_t *)sys_mmap(sys, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	producer = (unsigned char *)sys_mmap(sys, 3 * page, PROT_READ, MAP_SHARED, map, page);
	ck_assert_int_eq(sys_poll(sys, fds, 2, 0), 0);
	ck_assert(fake_perf_push(e, "abc", 3));
	ck_assert(fake_perf_push_lost(e, 9));
	ck_assert(fake_ringbuf_push(m, "abc", 3));
	ck_assert_int_eq(sys_poll(sys, fds, 2, 0), 2);
	ck_assert_uint_eq(e->ring->data_head, 16 + 24);
	ck_assert_mem_eq((char *)e->ring + page + 12, "abc\0", 4);
	memcpy(&header, producer + page, sizeof(header));
	ck_assert_uint_eq(header, 3);
	ck_assert_mem_eq(producer + page + 8, "abc", 3);
	/* The second half is the first again. */
	ck_assert_mem_eq(producer + 2 * page + 8, "abc", 3);
	ck_assert_uint_eq(*(uint64_t *)producer, 16);
	while (fake_ringbuf_push(m, "abc", 3))
		;
	ck_assert_uint_eq(*(uint64_t *)producer, page);
	*consumer = page;
	ck_assert_int_eq(sys_poll(sys, fds, 2, 0), 1);
	ck_assert(fake_ringbuf_push(m, "def", 3));
	ck_assert_mem_eq(producer + page + 8, "def", 3);
}
