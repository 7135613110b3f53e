// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of the list of attachments: the description of each type of link, unusual answers of
 * kernels, and the iteration over all links.
 */
#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include <linux/sockios.h>

#include "loader/tools/inventory/inventory.h"
#include "loader/core/kernel/kernel.h"
#include "loader/base/text/names.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/suite.h"
#include "loader/base/kernel/kernel_calls.h"

/* --- one link of a kernel that gives the answers of the test --- */

#define LINK_FD 7
#define OTHER_FD 8

struct talking {
	struct sys sys;
	struct bpf_link_info info;
	const char *name;
	size_t name_size;	/* bytes written to where the name shall be; 0: with its NUL */
	unsigned int calls;	/* for information about the link */
	int second;		/* what the second of them returns */
	uint32_t second_type;	/* and the type that it tells; 0: the same */
	struct bpf_prog_info prog;
};

static void put(const struct talking *t, uint64_t to)
{
	if (to && t->name)
		memcpy((char *)to, t->name, t->name_size ? t->name_size : strlen(t->name) + 1);
}

static void put_numbers(uint64_t to, uint32_t nr, uint64_t first)
{
	for (uint32_t i = 0; to && i < nr; i++)
		((uint64_t *)to)[i] = first + i;
}

/* Names and lists go where the caller wants them, the rest into the struct. */
static int tell_link(struct talking *t, struct bpf_link_info *in)
{
	const struct bpf_link_info asked = *in;

	if (++t->calls == 2 && t->second)
		return t->second;
	*in = t->info;
	if (t->calls == 2 && t->second_type)
		in->type = t->second_type;
	switch (t->info.type) {
	case BPF_LINK_TYPE_RAW_TRACEPOINT:
		put(t, asked.raw_tracepoint.tp_name);
		break;
	case BPF_LINK_TYPE_ITER:
		put(t, asked.iter.target_name);
		break;
	case BPF_LINK_TYPE_PERF_EVENT:
		if (t->info.perf_event.type != BPF_PERF_EVENT_EVENT)
			put(t, asked.perf_event.uprobe.file_name);
		break;
	case BPF_LINK_TYPE_UPROBE_MULTI:
		put(t, asked.uprobe_multi.path);
		put_numbers(asked.uprobe_multi.offsets, asked.uprobe_multi.count, 0x100);
		put_numbers(asked.uprobe_multi.cookies, asked.uprobe_multi.count, 5);
		break;
	case BPF_LINK_TYPE_KPROBE_MULTI:
		put_numbers(asked.kprobe_multi.addrs, asked.kprobe_multi.count, 0x1000);
		put_numbers(asked.kprobe_multi.cookies, asked.kprobe_multi.count, 9);
		break;
	}
	return 0;
}

static int tell_other(const struct talking *t, union bpf_attr *attr)
{
	struct bpf_map_info *map = (void *)attr->info.info;

	if (t->info.type == BPF_LINK_TYPE_TRACING) {
		memcpy((void *)attr->info.info, &t->prog, sizeof(t->prog));
		return 0;
	}
	memset(map, 'x', sizeof(*map));	/* the name of a damaged map has no end */
	return 0;
}

static long talk(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct talking *t = (struct talking *)sys;
	union bpf_attr *attr = (void *)arg[1];

	if (nr == __NR_close)
		return 0;
	if (nr == __NR_socket)
		return OTHER_FD;
	if (nr == __NR_ioctl && arg[1] == SIOCGIFNAME) {
		struct ifreq *ifr = (void *)arg[2];

		if (ifr->ifr_ifindex != 1)
			return -ENODEV;
		strcpy(ifr->ifr_name, "lo");
		return 0;
	}
	if (nr == __NR_readlinkat) {
		memcpy((void *)arg[2], "net:[4026531840]", 16);
		return 16;
	}
	if (nr != __NR_bpf)
		return -ENOENT;
	switch (arg[0]) {
	case BPF_MAP_GET_FD_BY_ID:
	case BPF_PROG_GET_FD_BY_ID:
		return OTHER_FD;
	case BPF_OBJ_GET_INFO_BY_FD:
		return attr->info.bpf_fd == LINK_FD ? tell_link(t, (void *)attr->info.info) :
						      tell_other(t, attr);
	default:
		return -ENOENT;
	}
}

/* All fields as "key=value ...", in their order. */
static char *fields_text(const struct inventory_target *p)
{
	static char text[1024];
	size_t n = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < p->nr; i++) {
		const struct inventory_field *f = &p->fields[i];

		n += snprintf(text + n, sizeof(text) - n, "%s%s=", n ? " " : "", f->key);
		if (f->kind == INVENTORY_TEXT)
			n += snprintf(text + n, sizeof(text) - n, "%s", f->text);
		else if (f->kind == INVENTORY_HEX)
			n += snprintf(text + n, sizeof(text) - n, "0x%llx",
				      (unsigned long long)f->number);
		else
			n += snprintf(text + n, sizeof(text) - n, "%lld", (long long)f->number);
	}
	return text;
}

static const struct row {
	struct talking kernel;
	const char *where, *fields;
	uint64_t cookie;
	bool untold;
} rows[] = {
	{ { .info = { .type = BPF_LINK_TYPE_RAW_TRACEPOINT, .raw_tracepoint = { .cookie = 3 } },
	    .name = "sched_switch" },
	  "raw tracepoint sched_switch", "tracepoint=sched_switch", 3, false },
	{ { .info = { .type = BPF_LINK_TYPE_CGROUP,
		      .cgroup = { .cgroup_id = 77, .attach_type = BPF_CGROUP_INET4_CONNECT } } },
	  "cgroup 77 inet4_connect", "cgroup_id=77 attach_type=BPF_CGROUP_INET4_CONNECT", 0,
	  false },
	{ { .info = { .type = BPF_LINK_TYPE_CGROUP, .cgroup = { .attach_type = 999 } } },
	  "a cgroup that has gone, 999", "cgroup_id=0 attach_type=999", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_ITER, .iter = { .map.map_id = 5 } },
	    .name = "bpf_map_elem" },
	  "iterator over bpf_map_elem", "map_id=5 target=bpf_map_elem", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_ITER, .iter = { .task = { .tid = 12 } } },
	    .name = "task_file" },
	  "iterator over task_file", "tid=12 target=task_file", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_ITER,
		      .iter = { .cgroup = { .cgroup_id = 9, .order = 1 } } },
	    .name = "cgroup" },
	  "iterator over cgroup", "cgroup_id=9 order=1 target=cgroup", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_ITER } }, "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_NETNS,
		      .netns = { .netns_ino = 4026531840, .attach_type = BPF_SK_LOOKUP } } },
	  "this network namespace, sk_lookup", "netns_ino=4026531840 attach_type=BPF_SK_LOOKUP", 0,
	  false },
	{ { .info = { .type = BPF_LINK_TYPE_NETNS,
		      .netns = { .netns_ino = 5, .attach_type = BPF_FLOW_DISSECTOR } } },
	  "net:[5] flow_dissector", "netns_ino=5 attach_type=BPF_FLOW_DISSECTOR", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_XDP, .xdp = { .ifindex = 1 } } },
	  "lo", "ifindex=1 device=lo", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_XDP, .xdp = { .ifindex = 3 } } },
	  "device 3", "ifindex=3", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_XDP } },
	  "a device that has gone", "ifindex=0", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_TCX,
		      .tcx = { .ifindex = 1, .attach_type = BPF_TCX_EGRESS } } },
	  "lo egress", "ifindex=1 device=lo attach_type=BPF_TCX_EGRESS", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_NETKIT,
		      .netkit = { .ifindex = 9, .attach_type = BPF_NETKIT_PEER } } },
	  "device 9 peer", "ifindex=9 attach_type=BPF_NETKIT_PEER", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_STRUCT_OPS, .struct_ops = { .map_id = 4 } } },
	  "map 4 xxxxxxxxxxxxxxx", "map_id=4 map=xxxxxxxxxxxxxxx", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_SOCKMAP,
		      .sockmap = { .map_id = 4, .attach_type = BPF_SK_MSG_VERDICT } } },
	  "map 4 xxxxxxxxxxxxxxx",
	  "map_id=4 map=xxxxxxxxxxxxxxx attach_type=BPF_SK_MSG_VERDICT", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_NETFILTER,
		      .netfilter = { .pf = 2, .hooknum = 1, .priority = -7, .flags = 1 } } },
	  "ipv4:input:-7", "pf=2 hooknum=1 priority=-7 flags=0x1", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_NETFILTER,
		      .netfilter = { .pf = 4000000000, .hooknum = 99 } } },
	  "4000000000:99:0", "pf=4000000000 hooknum=99 priority=0 flags=0x0", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_KPROBE_MULTI,
		      .kprobe_multi = { .count = 3, .flags = 1, .missed = 2 } } },
	  "return of 3 functions", "functions=3 missed=2 flags=0x1", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_KPROBE_MULTI } }, "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_UPROBE_MULTI,
		      .uprobe_multi = { .count = 1, .pid = 6 } },
	    .name = "/bin/sh" },
	  "1 location in /bin/sh", "places=1 flags=0x0 pid=6 file=/bin/sh", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_UPROBE_MULTI } }, "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT } }, "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT, .perf_event = { .type = 77 } } },
	  "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_EVENT,
				      .event = { .type = 6, .cookie = 8 } } } },
	  "cpu-clock", "perf_type=6 config=0x0 event=cpu-clock", 8, false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_TRACEPOINT,
				      .tracepoint = { .cookie = 8 } } },
	    .name = "sched_switch" },
	  "tracepoint sched_switch", "tracepoint=sched_switch", 8, false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_KPROBE,
				      .kprobe = { .offset = 16, .addr = 0x81000010, .cookie = 1,
						  .missed = 4 } } },
	    .name = "do_exit" },
	  "kprobe do_exit+0x10", "missed=4 addr=0x81000010 offset=0x10 function=do_exit", 1,
	  false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_KRETPROBE } },
	    .name = "do_exit" },
	  "kretprobe do_exit", "missed=0 offset=0x0 function=do_exit", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_KPROBE,
				      .kprobe = { .addr = 0x81000010 } } } },
	  "kprobe 0x81000010", "missed=0 addr=0x81000010", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_UPROBE,
				      .uprobe = { .offset = 0x1234, .cookie = 2,
						  .ref_ctr_offset = 0x88 } } },
	    .name = "/bin/sh" },
	  "uprobe /bin/sh+0x1234", "offset=0x1234 ref_ctr_offset=0x88 file=/bin/sh", 2, false },
	{ { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
		      .perf_event = { .type = BPF_PERF_EVENT_URETPROBE } },
	    .name = "/bin/sh" },
	  "uretprobe /bin/sh+0x0", "offset=0x0 file=/bin/sh", 0, false },
	/* what no BTF names here */
	{ { .info = { .type = BPF_LINK_TYPE_TRACING,
		      .tracing = { .attach_type = BPF_TRACE_FENTRY, .target_obj_id = 1,
				   .target_btf_id = 55, .cookie = 6 } } },
	  "fentry a function",
	  "target_btf_obj_id=1 target_btf_id=55 attach_type=BPF_TRACE_FENTRY", 6, false },
	{ { .info = { .type = BPF_LINK_TYPE_TRACING,
		      .tracing = { .target_obj_id = 12, .target_btf_id = 3 } },
	    .prog = { .type = BPF_PROG_TYPE_EXT } },
	  "freplace a function of prog 12",
	  "target_prog_id=12 target_btf_id=3 attach_type=BPF_CGROUP_INET_INGRESS", 0, false },
	{ { .info = { .type = BPF_LINK_TYPE_TRACING } }, "", "", 0, true },
	{ { .info = { .type = BPF_LINK_TYPE_TRACING_MULTI } }, "", "", 0, true },
	{ { .info = { .type = 9999 } }, "", "", 0, true },
};

static void get_place(struct talking *t, struct inventory_link *link,
		      struct inventory_target *place)
{
	struct inventory_names names;

	t->sys.enter = talk;
	inventory_names_init(&names, &t->sys);
	ck_assert_int_eq(inventory_link_read(&t->sys, LINK_FD, link), 0);
	ck_assert_int_eq(inventory_target_read(&names, link, place, NULL), 0);
	inventory_names_free(&names);
}

TEST_ROWS(each_type, rows)
{
	struct talking kernel = rows[_i].kernel;
	struct inventory_target place;
	struct inventory_link link;

	get_place(&kernel, &link, &place);
	ck_assert_str_eq(place.text, rows[_i].where);
	ck_assert_str_eq(fields_text(&place), rows[_i].fields);
	ck_assert_uint_eq(place.cookie, rows[_i].cookie);
	ck_assert_int_eq(place.unknown, rows[_i].untold);
	inventory_target_free(&place);
	inventory_link_free(&link);
}

TEST(each_type_of_the_abi_has_a_row)
{
	for (uint32_t type = 1; type < __MAX_BPF_LINK_TYPE; type++) {
		bool found = false;

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			found |= rows[i].kernel.info.type == type;
		ck_assert_msg(found, "%s", sys_link_type_name(type));
	}
}

TEST(lists_of_places)
{
	struct talking t = { .info = { .type = BPF_LINK_TYPE_KPROBE_MULTI,
				       .kprobe_multi = { .count = 3 } } };
	struct inventory_target place;
	struct inventory_link link;

	get_place(&t, &link, &place);
	ck_assert_uint_eq(link.nr_locations, 3);
	ck_assert_uint_eq(link.locations[2], 0x1002);
	ck_assert_uint_eq(link.cookies[2], 11);
	inventory_target_free(&place);
	inventory_link_free(&link);
}

/* --- unusual answers of kernels --- */

/* A name without an end: as many bytes as there was room for, and more than any text has. */
TEST(name_without_end)
{
	static char name[PATH_MAX];
	struct talking t = { .info = { .type = BPF_LINK_TYPE_PERF_EVENT,
				       .perf_event.type = BPF_PERF_EVENT_UPROBE },
			     .name = name, .name_size = sizeof(name) };
	struct inventory_target place;
	struct inventory_link link;

	memset(name, 'n', sizeof(name));
	get_place(&t, &link, &place);
	ck_assert_uint_eq(strlen(link.name), PATH_MAX);
	ck_assert_uint_eq(strlen(place.text), sizeof(place.text) - 1);
	inventory_target_free(&place);
	inventory_link_free(&link);
}

TEST(too_many_places)
{
	struct talking t = { .sys = { .enter = talk }, .info = { .type = BPF_LINK_TYPE_UPROBE_MULTI,
							.uprobe_multi.count = UINT32_MAX } };
	struct inventory_link link;

	ck_assert_int_eq(inventory_link_read(&t.sys, LINK_FD, &link), -E2BIG);
	ck_assert_ptr_null(link.locations);
	ck_assert_uint_eq(t.calls, 1);
}

/*
 * The first answer, without names, is kept if the kernel refuses the names or the link has been
 * replaced by another one.
 */
TEST_EACH(second_answer, 3)
{
	static const struct {
		int code;
		uint32_t type;
	} seconds[] = { { -ENOSPC, 0 }, { -EINVAL, 0 }, { 0, BPF_LINK_TYPE_XDP } };
	struct talking t = { .info = { .type = BPF_LINK_TYPE_UPROBE_MULTI,
				       .uprobe_multi = { .count = 2, .flags = 1 } },
			     .second = seconds[_i].code, .second_type = seconds[_i].type };
	struct inventory_target place;
	struct inventory_link link;

	get_place(&t, &link, &place);
	ck_assert_uint_eq(t.calls, 2);
	ck_assert_uint_eq(link.info.type, BPF_LINK_TYPE_UPROBE_MULTI);
	ck_assert_str_eq(place.text, "2 locations in ?");
	inventory_target_free(&place);
	inventory_link_free(&link);
}

TEST(words)
{
	char buf[16];

	ck_assert_str_eq(inventory_word("BPF_LINK_TYPE_XDP", "BPF_LINK_TYPE_", 0, buf, 16), "xdp");
	ck_assert_str_eq(inventory_word("OTHER", "BPF_", 0, buf, 16), "other");
	ck_assert_str_eq(inventory_word(NULL, "BPF_", 7, buf, 16), "7");
	ck_assert_str_eq(inventory_word("BPF_AVERYLONGNAMEINDEED", "BPF_", 0, buf, 16),
			 "averylongnamein");
}

/* --- the walk --- */

static const struct fake_path paths[] = {
	{ "/proc/self/mounts", "sysfs /sys sysfs rw 0 0\nbpf /sys/fs/bpf bpf rw 0 0\nx", 0, 0 },
	{ "/proc/self", "1", 0, FAKE_SYMLINK },
	{ "/proc/1/fd/9", "anon_inode:bpf-map", 0, FAKE_SYMLINK },	/* of pload itself */
	{ "/proc/1/fdinfo/9", "map_id:\t3\n", 0, 0 },
	{ "/proc/12/comm", "perf\n", 0, 0 },
	{ "/proc/12/fd/0", "/dev/null", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/3", "anon_inode:[perf_event]", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/4", "anon_inode:[perf_event]", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/5", "anon_inode:[perf_event]", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/6", "anon_inode:bpf-prog", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/7", "anon_inode:bpf_link", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/8", "anon_inode:bpf-map", 0, FAKE_SYMLINK },
	{ "/proc/12/fd/9", "anon_inode:bpf-map", 0, FAKE_SYMLINK },
	{ "/proc/12/fdinfo/6", "pos:\t0\nprog_type:\t7\nprog_id_of:\t9\nprog_id:\t1\n", 0, 0 },
	{ "/proc/12/fdinfo/7", "link_type:\tperf_event\nlink_idle:\t9\nlink_id:\t55\nprog_id:\t1\n", 0, 0 },
	{ "/proc/12/fdinfo/8", "map_type:\t1\nmap_id:\t4000000000", 0, 0 },
	{ "/proc/12/fd/10", "anon_inode:bpf-map", 0, FAKE_SYMLINK },
	{ "/proc/12/fdinfo/10", "map_type:\t1\nmap_id:\t2\n", 0, 0 },	/* as a program's id */
	{ "/proc/13/comm", "top\n", 0, 0 },
	{ "/proc/13/fd/3", "anon_inode:[perf_event]", 0, FAKE_SYMLINK },
	{ "/proc/14/fd", "", 0, EACCES },
	{ "/proc/15/fd", "", 0, EPERM },
	{ "/proc/16/fd/3", "waits", 0, FAKE_SYMLINK },
	{ "/proc/16/fd/4", "anon_inode:bpf-map", 0, FAKE_SYMLINK },
	{ "/proc/17/fd/3", "waits", 0, FAKE_SYMLINK },
	{ "/proc/cpuinfo", "", 0, 0 },
	{ NULL, NULL, 0, 0 },
};

static int load_prog(struct sys *sys, uint32_t type)
{
	const struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (uintptr_t)&insn;
	attr.insn_cnt = 1;
	attr.license = (uintptr_t)"GPL";
	strcpy(attr.prog_name, "prog");
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static const struct inventory_unseen *unseen(const struct inventory *a, const char *what, pid_t pid)
{
	for (uint32_t i = 0; i < a->nr_unseen; i++)
		if (!strcmp(a->unseen[i].what, what) && a->unseen[i].pid == pid)
			return &a->unseen[i];
	ck_abort_msg("nothing is said of %s", what);
	return NULL;
}

/*
 * A program (id 1), pinned, on a link (id 2) of a tracepoint, pinned, of which nobody has a
 * descriptor.
 */
static struct fake_kernel *populate(void)
{
	struct fake_kernel *k = fake_kernel_new(paths);
	struct sys *sys = fake_kernel_sys(k);
	int prog = load_prog(sys, BPF_PROG_TYPE_XDP);

	fake_kernel_pin_link(k, "/sys/fs/bpf/a/b/link", fake_kernel_prog(k, "prog"), NULL);
	ck_assert_int_eq(kernel_pin(sys, prog, "/sys/fs/bpf/a/prog"), 0);
	sys_close(sys, prog);
	ck_assert_int_eq(sys_symlinkat(sys, "/sys/fs/bpf/a/prog", "/sys/fs/bpf/a/again"), 0);
	fake_kernel_query(k, 12, 3, 0, 1, BPF_FD_TYPE_KPROBE, "do_exit");
	fake_kernel_query(k, 12, 4, EOPNOTSUPP, 0, 0, NULL);
	fake_kernel_query(k, 13, 3, EOPNOTSUPP, 0, 0, NULL);
	return k;
}

/* As the proxy answers when it has waited for too long. */
static struct sys *answers;

static long wait_for_user(struct sys *sys, long nr, const unsigned long arg[6])
{
	const long ret = answers->enter(answers, nr, arg);

	(void)sys;
	return nr == __NR_readlinkat && ret == 5 && !memcmp((void *)arg[2], "waits", 5) ? -ETIME :
											 ret;
}

TEST(walk)
{
	struct fake_kernel *k = populate();
	static char long_name[1000];
	struct sys waiting = { .enter = wait_for_user };
	struct inventory a;

	fake_kernel_query(k, 12, 5, 0, 1, BPF_FD_TYPE_UPROBE,
			  memset(long_name, 'n', sizeof(long_name) - 1));
	answers = fake_kernel_sys(k);
	ck_assert_int_eq(inventory_read(&waiting, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_links, 1);
	ck_assert_uint_eq(a.links[0].info.type, BPF_LINK_TYPE_XDP);
	ck_assert_uint_eq(a.nr_progs, 1);
	ck_assert_ptr_eq(inventory_find_prog(&a, a.links[0].info.prog_id), &a.progs[0]);
	ck_assert_ptr_eq(inventory_find_link(&a, a.links[0].info.id), &a.links[0]);
	ck_assert_ptr_null(inventory_find_link(&a, 99));

	ck_assert_uint_eq(a.nr_holders, 4);	/* another has been closed meanwhile */
	ck_assert_int_eq(a.holders[0].kind, INVENTORY_PROG);
	ck_assert_int_eq(a.holders[1].kind, INVENTORY_LINK);
	ck_assert_uint_eq(a.holders[1].id, 55);
	ck_assert_int_eq(a.holders[1].fd, 7);
	ck_assert_int_eq(a.holders[1].pid, 12);
	ck_assert_str_eq(a.holders[1].comm, "perf");
	ck_assert_uint_eq(a.holders[2].id, 4000000000);

	ck_assert_uint_eq(a.nr_pins, 2);
	ck_assert_str_eq(a.pins[0].path, "/sys/fs/bpf/a/b/link");
	ck_assert_int_eq(a.pins[0].kind, INVENTORY_LINK);
	ck_assert_str_eq(a.pins[1].path, "/sys/fs/bpf/a/prog");
	ck_assert_uint_eq(a.pins[1].id, a.progs[0].info.id);

	ck_assert_uint_eq(a.nr_events, 2);
	ck_assert_str_eq(a.events[0].info.name, "do_exit");
	ck_assert_uint_eq(a.events[1].info.prog_id, 1);	/* of which the name is cut */
	ck_assert_uint_gt(strlen(a.events[1].info.name), 200);
	ck_assert_uint_eq(a.events[0].link_id, 0);
	/* process 12 has a link for its event, and 13 has none */
	ck_assert_uint_eq(a.nr_unseen, 3);
	ck_assert_uint_eq(unseen(&a, "programs of events", 13)->count, 1);
	ck_assert_str_eq(unseen(&a, "programs of events", 13)->comm, "top");
	ck_assert_uint_eq(unseen(&a, "processes", 0)->count, 2);
	ck_assert_uint_eq(unseen(&a, "processes", 0)[1].count, 2);
	ck_assert_ptr_nonnull(strstr(unseen(&a, "processes", 0)[1].why, "the kernel waited too long"));
	inventory_free(&a);
	ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(k, stderr), 0);
	fake_kernel_free(k);
}

/* A tracepoint's link and the descriptor of its event are one thing. */
TEST(event_of_a_link)
{
	struct fake_kernel *k = fake_kernel_new(paths);
	struct sys *sys = fake_kernel_sys(k);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	const int prog = load_prog(sys, BPF_PROG_TYPE_TRACEPOINT),
		  event = sys_perf_event_open(sys, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	union bpf_attr link;
	struct inventory a;

	memset(&link, 0, sizeof(link));
	link.link_create.prog_fd = prog;
	link.link_create.target_fd = event;
	link.link_create.attach_type = BPF_PERF_EVENT;
	ck_assert_int_ge(sys_bpf(sys, BPF_LINK_CREATE, &link, sizeof(link)), 0);
	fake_kernel_query(k, 12, 3, 0, 1, BPF_FD_TYPE_TRACEPOINT, "sched_switch");
	fake_kernel_query(k, 12, 4, 0, 1, BPF_FD_TYPE_TRACEPOINT, "sched_switch");
	fake_kernel_query(k, 12, 5, 0, 1, BPF_FD_TYPE_TRACEPOINT, "sched_wakeup");
	ck_assert_int_eq(inventory_read(sys, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_events, 3);
	ck_assert_uint_eq(a.events[0].link_id, a.links[0].info.id);
	ck_assert_uint_eq(a.events[1].link_id, 0);
	ck_assert_uint_eq(a.events[2].link_id, 0);
	inventory_free(&a);
	fake_kernel_free(k);
}

/*
 * pload does not examine its own process, so a program that only it has bound by ioctl has no
 * holder.
 */
TEST(program_that_nothing_holds)
{
	struct fake_kernel *k = fake_kernel_new(paths);
	struct sys *sys = fake_kernel_sys(k);
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	const int other = load_prog(sys, BPF_PROG_TYPE_PERF_EVENT),	/* id 1, which is held */
		  prog = load_prog(sys, BPF_PROG_TYPE_PERF_EVENT),
		  event = sys_perf_event_open(sys, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	struct inventory a;

	ck_assert_int_eq(sys_ioctl(sys, event, PERF_EVENT_IOC_SET_BPF, prog), 0);
	sys_close(sys, other);
	sys_close(sys, prog);
	ck_assert_int_eq(inventory_read(sys, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_progs, 1);
	ck_assert_uint_eq(unseen(&a, "holders of programs", 0)->count, 1);
	inventory_free(&a);
	sys_close(sys, event);
	ck_assert_int_eq(inventory_read(sys, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_progs, 0);
	inventory_free(&a);
	fake_kernel_free(k);
}

/* One of two sampling events is that of the process's link. */
TEST(events_that_no_link_accounts_for)
{
	struct fake_kernel *k = populate();
	struct inventory a;

	fake_kernel_query(k, 12, 5, EOPNOTSUPP, 0, 0, NULL);
	ck_assert_int_eq(inventory_read(fake_kernel_sys(k), &a, NULL), 0);
	ck_assert_uint_eq(unseen(&a, "programs of events", 12)->count, 1);
	ck_assert_str_eq(unseen(&a, "programs of events", 12)->comm, "perf");
	ck_assert_uint_eq(unseen(&a, "programs of events", 13)->count, 1);
	inventory_free(&a);
	fake_kernel_free(k);
}

/* The first of three programs cannot be opened: the cause is reported, although the others can. */
TEST(one_of_three_is_refused)
{
	struct fake_kernel *k = fake_kernel_new(paths);
	struct sys *sys = fake_kernel_sys(k);
	unsigned int begin, n;
	struct inventory a;
	int progs[3];

	for (int i = 0; i < 3; i++)
		progs[i] = load_prog(sys, BPF_PROG_TYPE_XDP);
	begin = n = fake_kernel_nr_calls(k);
	ck_assert_int_eq(inventory_read(sys, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_progs, 3);
	inventory_free(&a);
	while (strcmp(fake_kernel_call(k, n)->name, "BPF_PROG_GET_FD_BY_ID"))
		n++;
	fake_kernel_fail_call(k, n - begin + 1, EACCES);
	ck_assert_int_eq(inventory_read(sys, &a, NULL), 0);
	ck_assert_uint_eq(a.nr_progs, 2);
	ck_assert_uint_eq(unseen(&a, "programs", 0)->count, 1);
	ck_assert_str_eq(unseen(&a, "programs", 0)->why, "Permission denied");
	inventory_free(&a);
	for (int i = 0; i < 3; i++)
		sys_close(sys, progs[i]);
	fake_kernel_free(k);
}

TEST(before_links_had_ids)
{
	struct fake_kernel *k = populate();
	struct inventory a;

	fake_kernel_set_age(k, FAKE_NO_LINK_ID);
	ck_assert_int_eq(inventory_read(fake_kernel_sys(k), &a, NULL), 0);
	ck_assert_uint_eq(a.nr_links, 0);
	ck_assert_ptr_nonnull(strstr(unseen(&a, "links", 0)->why, "Linux 5.8"));
	inventory_free(&a);
	fake_kernel_free(k);
}

/*
 * Each call is refused in turn: nothing leaks, only the lack of memory is an error, and the missing
 * parts are reported.
 */
TEST_EACH(each_call_refused, 5)
{
	static const int codes[] = { EPERM, ENOENT, EINVAL, ENOMEM, EACCES };
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		struct fake_kernel *k = populate();
		struct error err = { 0 };
		struct inventory a;
		unsigned int before = fake_kernel_nr_calls(k);
		int ret;

		fake_kernel_fail_call(k, n, codes[_i]);
		ret = inventory_read(fake_kernel_sys(k), &a, &err);
		ck_assert(ret == 0 || (ret == -ENOMEM && codes[_i] == ENOMEM));
		calls = n ? calls : fake_kernel_nr_calls(k) - before + 1;
		inventory_free(&a);
		ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
		ck_assert_int_eq(fake_kernel_violations(k, stderr), 0);
		fake_kernel_free(k);
	}
	ck_assert_uint_gt(calls, 30);
}

/* A kernel whose ids do not ascend would be walked for ever. */
static long stuck(struct sys *sys, long nr, const unsigned long arg[6])
{
	union bpf_attr *attr = (void *)arg[1];

	(void)sys;
	if (nr != __NR_bpf || (arg[0] != BPF_LINK_GET_NEXT_ID && arg[0] != BPF_PROG_GET_NEXT_ID))
		return -ENOENT;
	attr->next_id = 3;
	return 0;
}

TEST(ids_that_do_not_ascend)
{
	struct sys sys = { .enter = stuck };
	struct inventory a;

	ck_assert_int_eq(inventory_read(&sys, &a, NULL), 0);
	ck_assert_ptr_nonnull(strstr(unseen(&a, "links", 0)->why, "are not in ascending order"));
	ck_assert_ptr_nonnull(strstr(unseen(&a, "programs", 0)->why, "are not in ascending order"));
	inventory_free(&a);
}

/* A link has its id before it is there: BPF_LINK_GET_FD_BY_ID is EAGAIN until then. */
static long making(struct sys *sys, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	(void)sys;
	if (nr == __NR_bpf && arg[0] == BPF_LINK_GET_FD_BY_ID)
		return attr->link_id == 5 ? -EAGAIN : -EINVAL;
	return -ENOSYS;
}

TEST(link_that_is_being_made)
{
	struct sys sys = { .enter = making };

	ck_assert_int_eq(kernel_fd_by_id(&sys, BPF_LINK_GET_FD_BY_ID, 5), -ENOENT);
	ck_assert_int_eq(kernel_fd_by_id(&sys, BPF_LINK_GET_FD_BY_ID, 6), -EINVAL);
}
