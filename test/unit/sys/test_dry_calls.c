// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The dry run refuses the calls that a kernel refuses: wrong kinds of descriptors, null addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <linux/mount.h>

#include "loader/core/sys/sys.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/suite.h"

#define PTR(p) ((unsigned long)(p))

/* The descriptors that each test begins with, in their order. */
enum { HASH = 3, ARRAY, PROG, EVENT, SIGNALS, SOCKET, LINK, BTF, NO_FD = 99 };

static const struct fake_path paths[] = { { NULL, NULL, 0, 0 } };
static struct fake_kernel *files;
static struct sys *dry;

static int bpf(int cmd, union bpf_attr attr)
{
	return sys_bpf(dry, cmd, &attr, sizeof(attr));
}

static void begin(void)
{
	const struct bpf_insn exits = { .code = BPF_JMP | BPF_EXIT };
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(clock) };

	files = fake_kernel_new(paths);
	dry = sys_dry_over(fake_kernel_sys(files));
	bpf(BPF_MAP_CREATE, (union bpf_attr){ .map_type = BPF_MAP_TYPE_HASH, .key_size = 4,
					      .value_size = 8, .max_entries = 1 });
	bpf(BPF_MAP_CREATE, (union bpf_attr){ .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
					      .value_size = 8, .max_entries = 1,
					      .map_flags = BPF_F_MMAPABLE });
	bpf(BPF_PROG_LOAD, (union bpf_attr){ .prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = 1,
					     .insns = PTR(&exits), .license = PTR("GPL") });
	sys_perf_event_open(dry, &clock, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	sys_signalfd(dry, 2, 0);
	dry->enter(dry, __NR_socket, (const unsigned long[6]){ 0 });
	bpf(BPF_LINK_CREATE, (union bpf_attr){ .link_create = {
		.prog_fd = PROG, .attach_type = BPF_XDP, .target_ifindex = 1 } });
	ck_assert_int_eq(bpf(BPF_BTF_LOAD, (union bpf_attr){ .btf = PTR("x"), .btf_size = 1 }),
			 BTF);
}

static void end(void)
{
	sys_dry_free(dry);
	ck_assert_int_eq(fake_kernel_leaks(files, stderr), 0);
	fake_kernel_free(files);
}

TEST_FIXTURE(begin, end)

static char buffer[256];
static uint64_t zero, one = 1;
static struct ifreq lo = { .ifr_name = "lo" }, eth = { .ifr_name = "eth0" };

static const struct {
	const char *name;
	long nr;
	unsigned long arg[6];
	long ret;
} calls[] = {
	{ "read of nothing", __NR_read, { NO_FD, PTR(buffer), 8 }, -EBADF },
	{ "read of a map", __NR_read, { HASH, PTR(buffer), 8 }, -EINVAL },
	{ "pread of nothing", __NR_pread64, { NO_FD, PTR(buffer), 8 }, -EBADF },
	{ "pread of a map", __NR_pread64, { HASH, PTR(buffer), 8 }, -ESPIPE },
	{ "write to nothing", __NR_write, { NO_FD, PTR(buffer), 8 }, -EBADF },
	{ "write to a map", __NR_write, { HASH, PTR(buffer), 8 }, -EINVAL },
	{ "names in nothing", __NR_getdents64, { NO_FD, PTR(buffer), 8 }, -EBADF },
	{ "names in a map", __NR_getdents64, { HASH, PTR(buffer), 8 }, -ENOTDIR },
	{ "state of nothing", __NR_fstat, { NO_FD, PTR(buffer) }, -EBADF },
	{ "state of a map", __NR_fstat, { HASH, PTR(buffer) }, 0 },
	{ "a directory without a path", __NR_mkdirat, { 0 }, -EFAULT },
	{ "a directory", __NR_mkdirat, { 0, PTR("x") }, 0 },
	{ "no file to remove", __NR_unlinkat, { 0 }, -EFAULT },
	{ "a link without a text", __NR_symlinkat, { 0, 0, PTR("x") }, -EFAULT },
	{ "a link without a path", __NR_symlinkat, { PTR("x") }, -EFAULT },
	{ "the text of no link", __NR_readlinkat, { (unsigned long)AT_FDCWD, 0, PTR(buffer), 8 },
	  -EFAULT },
	{ "the text of a link below a map", __NR_readlinkat, { HASH, PTR("x"), PTR(buffer), 8 },
	  -ENOENT },
	{ "file system of no path", __NR_statfs, { 0, PTR(buffer) }, -EFAULT },
	{ "no file system", __NR_fsopen, { 0 }, -EFAULT },
	{ "settings of nothing", __NR_fsconfig, { NO_FD, FSCONFIG_CMD_CREATE }, -EBADF },
	{ "settings of a map", __NR_fsconfig, { HASH, FSCONFIG_CMD_CREATE }, -EINVAL },
	{ "mount of a map", __NR_fsmount, { HASH }, -EINVAL },
	{ "other signals", __NR_signalfd4, { SIGNALS }, SIGNALS },
	{ "signals of a map", __NR_signalfd4, { HASH }, -EINVAL },
	{ "epoll", __NR_epoll_create1, { 0 }, BTF + 1 },
	{ "nothing to wait for", __NR_epoll_ctl, { SIGNALS }, 0 },
	{ "to wait for it in a map", __NR_epoll_ctl, { HASH }, -EINVAL },
	{ "to wait", __NR_epoll_pwait, { SIGNALS }, 0 },
	{ "to wait by nothing", __NR_epoll_pwait, { NO_FD }, -EBADF },
	{ "a limit that is set", __NR_prlimit64, { 0, RLIMIT_NOFILE, PTR(buffer), 0 }, 0 },
	{ "the index of lo", __NR_ioctl, { SOCKET, SIOCGIFINDEX, PTR(&lo) }, 0 },
	{ "the index of eth0", __NR_ioctl, { SOCKET, SIOCGIFINDEX, PTR(&eth) }, 0 },
	{ "the index of nothing", __NR_ioctl, { SOCKET, SIOCGIFINDEX, 0 }, -EFAULT },
	{ "the index by a map", __NR_ioctl, { HASH, SIOCGIFINDEX, PTR(&lo) }, -ENOTTY },
	{ "a period", __NR_ioctl, { EVENT, PERF_EVENT_IOC_PERIOD, PTR(&one) }, 0 },
	{ "a period of 0", __NR_ioctl, { EVENT, PERF_EVENT_IOC_PERIOD, PTR(&zero) }, -EINVAL },
	{ "no period", __NR_ioctl, { EVENT, PERF_EVENT_IOC_PERIOD, 0 }, -EFAULT },
	{ "an id", __NR_ioctl, { EVENT, PERF_EVENT_IOC_ID, PTR(buffer) }, 0 },
	{ "no room for an id", __NR_ioctl, { EVENT, PERF_EVENT_IOC_ID, 0 }, -EFAULT },
	{ "no ring", __NR_ioctl, { EVENT, PERF_EVENT_IOC_SET_OUTPUT, -1UL }, 0 },
	{ "the ring of itself", __NR_ioctl, { EVENT, PERF_EVENT_IOC_SET_OUTPUT, EVENT }, 0 },
	{ "the ring of a map", __NR_ioctl, { EVENT, PERF_EVENT_IOC_SET_OUTPUT, HASH }, -EBADF },
	{ "no such command", __NR_ioctl, { EVENT, 0x1234 }, -ENOTTY },
	{ "memory of a program", __NR_mmap, { 0, 4096, PROT_READ, MAP_SHARED, PROG }, -ENODEV },
	{ "memory of its own", __NR_mmap, { 0, 4096, PROT_READ, MAP_PRIVATE, ARRAY }, -EINVAL },
	{ "a ring of its own", __NR_mmap, { 0, 4096, PROT_READ, MAP_PRIVATE, EVENT }, -EINVAL },
	{ "no event", __NR_perf_event_open, { 0, 0, 0, -1UL, 8 }, -EFAULT },
	{ "a thing that is not known", __NR_bpf, { BPF_MAP_CREATE, 0, 8 }, -EFAULT },
	{ "a command that is not known", __NR_bpf, { 999, PTR(buffer), 8 }, -EINVAL },
	{ "no room for a pipe", __NR_pipe2, { 0 }, -EFAULT },
};

TEST_ROWS(call, calls)
{
	const long ret = dry->enter(dry, calls[_i].nr, calls[_i].arg);

	ck_assert_msg(ret == calls[_i].ret, "%s: %ld", calls[_i].name, ret);
}

static const struct bpf_insn half = { .code = BPF_LD | BPF_IMM | BPF_DW };
static const uint32_t key;

#define XDP_LINK(fd, at) { .link_create = { .prog_fd = fd, .attach_type = at } }

static const struct {
	const char *name;
	int cmd;
	union bpf_attr attr;
	int ret;
} commands[] = {
	{ "lookup without a key", BPF_MAP_LOOKUP_ELEM, { .map_fd = ARRAY, .value = PTR(buffer) },
	  -EFAULT },
	{ "update of no map", BPF_MAP_UPDATE_ELEM, { .map_fd = NO_FD }, -EBADF },
	{ "update without a value", BPF_MAP_UPDATE_ELEM, { .map_fd = ARRAY, .key = PTR(&key) },
	  -EFAULT },
	{ "updates of no map", BPF_MAP_UPDATE_BATCH, { .batch = { .map_fd = NO_FD } }, -EBADF },
	{ "updates without key", BPF_MAP_UPDATE_BATCH, { .batch = { .map_fd = HASH, .count = 2 } },
	  -EFAULT },
	{ "elements of no map", BPF_MAP_LOOKUP_BATCH, { .batch = { .map_fd = PROG } }, -EINVAL },
	{ "elements of a map", BPF_MAP_LOOKUP_BATCH, { .batch = { .map_fd = HASH } }, -ENOENT },
	{ "delete of no map", BPF_MAP_DELETE_ELEM, { .map_fd = PROG }, -EINVAL },
	{ "delete of an element", BPF_MAP_DELETE_ELEM, { .map_fd = HASH }, -ENOENT },
	{ "delete from an array", BPF_MAP_DELETE_ELEM, { .map_fd = ARRAY }, -EINVAL },
	{ "the next key of no map", BPF_MAP_GET_NEXT_KEY, { .map_fd = NO_FD }, -EBADF },
	{ "a freeze of no map", BPF_MAP_FREEZE, { .map_fd = NO_FD }, -EBADF },
	{ "half an instruction", BPF_PROG_LOAD, { .prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = 1,
	  .insns = PTR(&half), .license = PTR("") }, -EINVAL },
	{ "lines without BTF", BPF_PROG_LOAD, { .prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = 1,
	  .insns = PTR(&(struct bpf_insn){ .code = BPF_JMP | BPF_EXIT }), .license = PTR(""),
	  .line_info_cnt = 1, .prog_btf_fd = HASH }, -EINVAL },
	{ "a name that is none", BPF_PROG_LOAD, { .prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = 1,
	  .insns = PTR(&half), .license = PTR(""), .prog_name = "a b" }, -EINVAL },
	{ "a test run of a map", BPF_PROG_TEST_RUN, { .test = { .prog_fd = HASH } }, -EINVAL },
	{ "what nothing is", BPF_OBJ_GET_INFO_BY_FD, { .info = { .bpf_fd = NO_FD } }, -EBADF },
	{ "what an event is", BPF_OBJ_GET_INFO_BY_FD, { .info = { .bpf_fd = EVENT } }, -EINVAL },
	{ "what a map is, to nowhere", BPF_OBJ_GET_INFO_BY_FD, { .info = { .bpf_fd = HASH } },
	  -EFAULT },
	{ "no BTF", BPF_BTF_LOAD, { .btf_size = 1 }, -EFAULT },
	{ "BTF of no bytes", BPF_BTF_LOAD, { .btf = PTR("x") }, -EINVAL },
	{ "other statistics", BPF_ENABLE_STATS, { .enable_stats = { .type = 7 } }, -EINVAL },
	{ "a pin of BTF", BPF_OBJ_PIN, { .pathname = PTR("x"), .bpf_fd = BTF }, -EINVAL },
	{ "a map of no program", BPF_PROG_BIND_MAP,
	  { .prog_bind_map = { .prog_fd = NO_FD, .map_fd = HASH } }, -EBADF },
	{ "a program of a program", BPF_PROG_BIND_MAP,
	  { .prog_bind_map = { .prog_fd = PROG, .map_fd = PROG } }, -EINVAL },
	{ "a map of a program", BPF_PROG_BIND_MAP,
	  { .prog_bind_map = { .prog_fd = PROG, .map_fd = HASH } }, 0 },
	{ "maps of none", BPF_MAP_CREATE, { .map_type = BPF_MAP_TYPE_ARRAY_OF_MAPS, .key_size = 4,
	  .value_size = 4, .max_entries = 1, .inner_map_fd = NO_FD }, -EBADF },
	{ "maps of a map", BPF_MAP_CREATE, { .map_type = BPF_MAP_TYPE_ARRAY_OF_MAPS, .key_size = 4,
	  .value_size = 4, .max_entries = 1, .inner_map_fd = HASH }, BTF + 1 },
	{ "a link of no program", BPF_LINK_CREATE, XDP_LINK(NO_FD, BPF_XDP), -EBADF },
	{ "a link at nothing that is known", BPF_LINK_CREATE, XDP_LINK(PROG, 9999), -EINVAL },
	{ "a link of a cgroup that is none", BPF_LINK_CREATE,
	  { .link_create = { .prog_fd = PROG, .target_fd = NO_FD,
			     .attach_type = BPF_CGROUP_INET_INGRESS } }, -EBADF },
	{ "no functions of the kernel", BPF_LINK_CREATE, XDP_LINK(PROG, BPF_TRACE_KPROBE_MULTI),
	  -EINVAL },
	{ "no functions", BPF_LINK_CREATE, XDP_LINK(PROG, BPF_TRACE_UPROBE_MULTI), -EINVAL },
	{ "functions of a file", BPF_LINK_CREATE, { .link_create = { .prog_fd = PROG,
	  .attach_type = BPF_TRACE_UPROBE_MULTI, .uprobe_multi = { .path = PTR("x"),
	  .offsets = PTR(&one), .cnt = 1 } } }, BTF + 1 },
	{ "a struct that is a hash", BPF_LINK_CREATE,
	  { .link_create = { .map_fd = HASH, .attach_type = BPF_STRUCT_OPS } }, -EINVAL },
	{ "a struct that is a program", BPF_LINK_CREATE,
	  { .link_create = { .map_fd = PROG, .attach_type = BPF_STRUCT_OPS } }, -EINVAL },
	{ "iterator of a map", BPF_ITER_CREATE, { .iter_create = { .link_fd = HASH } }, -EINVAL },
	{ "an iterator", BPF_ITER_CREATE, { .iter_create = { .link_fd = LINK } }, BTF + 1 },
	{ "a raw tracepoint of a map", BPF_RAW_TRACEPOINT_OPEN,
	  { .raw_tracepoint = { .name = PTR("x"), .prog_fd = HASH } }, -EINVAL },
};

TEST_ROWS(command, commands)
{
	const int ret = bpf(commands[_i].cmd, commands[_i].attr);

	ck_assert_msg(ret == commands[_i].ret, "%s: %d", commands[_i].name, ret);
}

/* Every network device exists, and anything may be where objects are pinned. */
TEST(answers)
{
	struct statfs fs;

	sys_ioctl(dry, SOCKET, SIOCGIFINDEX, PTR(&lo));
	sys_ioctl(dry, SOCKET, SIOCGIFINDEX, PTR(&eth));
	ck_assert(lo.ifr_ifindex == 1 && eth.ifr_ifindex == 2);
	ck_assert_int_eq(sys_statfs(dry, "/nowhere", &fs), 0);
	ck_assert_int_eq(fs.f_type, 0xcafe4a11);
}
