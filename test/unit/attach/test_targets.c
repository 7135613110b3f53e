// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Link targets: the arguments of BPF_LINK_CREATE for each kind, how one is named, and refusals. */
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include <linux/sockios.h>

#include "loader/objects/link_targets/targets_internal.h"
#include "loader/core/kernel/attr.h"
#include "test/unit/common/suite.h"

#define PROG_FD 9
#define TRIAL_FD 63
#define LONGEST "a-device-of-fif"	/* IFNAMSIZ - 1 characters */

/* A kernel that records the calls. */
struct kernel {
	struct sys sys;
	const char *release;
	int answer, raw_answer;		/* to BPF_LINK_CREATE, BPF_RAW_TRACEPOINT_OPEN */
	uint32_t takes;			/* programs of this type that do nothing */
	bool takes_sleepers, trial_sleeps;
	bool was_read;			/* the release */
	int open;
	char asked[256];
};

static size_t put_iterator(char *text, const union bpf_attr *attr)
{
	const union bpf_iter_link_info *info = (void *)(uintptr_t)attr->link_create.iter_info;

	if (!info)
		return 0;
	ck_assert_uint_eq(attr->link_create.iter_info_len, sizeof(*info));
	/* a map; or nothing and a process; or an order and a cgroup */
	return sprintf(text, " info %u %u", info->map.map_fd, info->task.pid);
}

static long link_create(struct kernel *k, const union bpf_attr *attr, unsigned int size)
{
	char *text = k->asked + strlen(k->asked);

	ck_assert_uint_eq(attr->link_create.prog_fd, PROG_FD);
	text += sprintf(text, "type %u target %u flags %u", attr->link_create.attach_type,
			attr->link_create.target_fd, attr->link_create.flags);
	if (size == ATTR_SIZE(link_create.tracing.cookie))
		sprintf(text, " cookie %llu", (unsigned long long)attr->link_create.tracing.cookie);
	else if (size == ATTR_SIZE(link_create.iter_info_len))
		put_iterator(text, attr);
	else
		ck_assert_uint_eq(size, ATTR_SIZE(link_create.flags));
	return k->answer ? k->answer : (k->open++, 60);
}

static long raw_tracepoint(struct kernel *k, const union bpf_attr *attr, unsigned int size)
{
	const char *name = (const char *)(uintptr_t)attr->raw_tracepoint.name;
	char *text = k->asked + strlen(k->asked);

	if (attr->raw_tracepoint.prog_fd == TRIAL_FD)
		return k->takes == BPF_PROG_TYPE_RAW_TRACEPOINT &&
		       (!k->trial_sleeps || k->takes_sleepers) ? (k->open++, 62) : -EINVAL;
	ck_assert_uint_eq(attr->raw_tracepoint.prog_fd, PROG_FD);
	text += sprintf(text, "%sraw %s", k->asked[0] ? "; " : "", name ? name : "-");
	if (size == ATTR_SIZE(raw_tracepoint.cookie))
		sprintf(text, " cookie %llu", (unsigned long long)attr->raw_tracepoint.cookie);
	else
		ck_assert_uint_eq(size, ATTR_SIZE(raw_tracepoint.prog_fd));
	return k->raw_answer ? k->raw_answer : (k->open++, 61);
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;
	struct ifreq *ifr = (void *)arg[2];

	switch (nr) {
	case __NR_openat:
		if (!strcmp((char *)arg[1], "/proc/sys/kernel/osrelease")) {
			k->open++;
			k->was_read = false;
			return 51;
		}
		if (strncmp((char *)arg[1], "/fs", 3) && strcmp((char *)arg[1], "/proc/self/ns/net"))
			return -ENOENT;
		sprintf(k->asked, "%s: ", (char *)arg[1]);
		/* fall through */
	case __NR_socket:
		k->open++;
		return 50;
	case __NR_close:
		k->open--;
		return 0;
	case __NR_ioctl:
		if (arg[1] != SIOCGIFINDEX || (strcmp(ifr->ifr_name, "lo") && strcmp(ifr->ifr_name, LONGEST)))
			return -ENODEV;
		ifr->ifr_ifindex = 7;
		return 0;
	case __NR_read:		/* the release, once */
		if (arg[0] != 51 || !k->release || k->was_read)
			return 0;
		strcpy((char *)arg[1], k->release);
		k->was_read = true;
		return strlen((char *)arg[1]);
	case __NR_bpf:
		if (arg[0] == BPF_PROG_LOAD) {
			k->open++;
			k->trial_sleeps = ((union bpf_attr *)arg[1])->prog_flags & BPF_F_SLEEPABLE;
			return TRIAL_FD;
		}
		return arg[0] == BPF_LINK_CREATE ? link_create(k, (void *)arg[1], arg[2]) :
		       arg[0] == BPF_RAW_TRACEPOINT_OPEN ?
		       raw_tracepoint(k, (void *)arg[1], arg[2]) : -EINVAL;
	}
	return -ENOSYS;
}

static const struct row {
	uint32_t prog_type, attach_type;
	struct target_options where;
	struct target_request req;	/* the rest of it */
	const char *asked, *text;
} rows[] = {
	{ BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "lo", .xdp_flags = 2 }, { 0 },
	  "type 37 target 7 flags 2", "lo (xdp)" },
	{ BPF_PROG_TYPE_XDP, BPF_XDP, { .device = LONGEST, .xdp_flags = 2 }, { 0 },
	  "type 37 target 7 flags 2", LONGEST " (xdp)" },
	{ BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, { .device = "lo", .xdp_flags = 2 }, { 0 },
	  "type 47 target 7 flags 0", "lo (tcx egress)" },
	{ BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_INGRESS, { .device = "lo" }, { 0 },
	  "type 46 target 7 flags 0", "lo (tcx ingress)" },
	{ BPF_PROG_TYPE_SCHED_CLS, 0, { .device = "lo", .direction = BPF_TCX_EGRESS }, { 0 },
	  "type 47 target 7 flags 0", "lo (tcx egress)" },
	{ BPF_PROG_TYPE_SCHED_CLS, BPF_NETKIT_PEER, { .device = "lo" }, { 0 },
	  "type 55 target 7 flags 0", "lo (netkit peer)" },
	{ BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, { .cgroup = "/fs/cg" }, { 0 },
	  "/fs/cg: type 1 target 50 flags 0", "/fs/cg (cgroup skb)" },
	{ BPF_PROG_TYPE_FLOW_DISSECTOR, BPF_FLOW_DISSECTOR, { 0 }, { 0 },
	  "/proc/self/ns/net: type 17 target 50 flags 0", "this netns (flow_dissector)" },
	{ BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP, { 0 }, { 0 },
	  "/proc/self/ns/net: type 36 target 50 flags 0", "this netns (sk_lookup)" },
	{ BPF_PROG_TYPE_LSM, BPF_LSM_MAC, { 0 }, { 0 }, "type 27 target 0 flags 0",
	  "its hook (lsm)" },
	{ BPF_PROG_TYPE_LSM, BPF_LSM_MAC, { 0 }, { .section_target = "f", .cookie = 1ull << 32 },
	  "type 27 target 0 flags 0 cookie 4294967296", "f (lsm)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { 0 }, { .section_target = "task", .pid = 5 },
	  "type 28 target 0 flags 0 info 0 5", "task (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { .cgroup = "/fs/cg" },
	  { .section_target = "task_vma" }, "type 28 target 0 flags 0", "task_vma (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { 0 },
	  { .section_target = "bpf_map_elem", .map = "m", .map_fd = 5, .pid = 6 },
	  "type 28 target 0 flags 0 info 5 0", "bpf_map_elem of map 'm' (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { .cgroup = "/fs/cg" },
	  { .section_target = "cgroup" },
	  "/fs/cg: type 28 target 0 flags 0 info 2 50", "cgroup (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { 0 }, { .section_target = "cgroup" },
	  "type 28 target 0 flags 0 info 2 0", "cgroup (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { 0 }, { .section_target = "bpf_prog" },
	  "type 28 target 0 flags 0", "bpf_prog (iter)" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { 0 }, { 0 }, "type 28 target 0 flags 0",
	  "its hook (iter)" },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 }, { .section_target = "tp" }, "raw tp",
	  "tp (raw tracepoint)" },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 }, { .section_target = "tp", .cookie = 1ull << 32 },
	  "raw tp cookie 4294967296", "tp (raw tracepoint)" },
	/* Other code binds these; link_target_text() only names them. */
	{ BPF_PROG_TYPE_STRUCT_OPS, 0, { 0 }, { 0 }, NULL, "its struct (struct_ops)" },
	{ BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT, { 0 }, { .map = "m" }, NULL, "map 'm' (sk_msg)" },
	{ BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT, { 0 }, { 0 }, NULL, "map '' (sk_msg)" },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, { .functions = "g" },
	  { .section_target = "f", .nr_functions = 1 }, NULL, "g (kprobe.multi, 1 function)" },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, { 0 },
	  { .section_target = "f", .nr_functions = 2 }, NULL, "f (kprobe.multi, 2 functions)" },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, { .functions = "g" },
	  { .section_target = "f" }, NULL, "g (kprobe.multi)" },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, { 0 }, { .section_target = "f" }, NULL,
	  "f (kprobe.multi)" },
};

static struct target_request request_of(const struct row *row)
{
	struct target_request req = row->req;

	req.target = link_target_find(row->prog_type, row->attach_type);
	req.options = &row->where;
	req.attach_type = row->attach_type;
	req.prog_fd = PROG_FD;
	req.prog = 3;
	ck_assert_ptr_nonnull(req.target);
	return req;
}

TEST_ROWS(each_kind_is_bound, rows)
{
	const struct target_request req = request_of(&rows[_i]);
	struct kernel k = { .sys.enter = enter };
	struct attach_set set = { 0 };
	struct error err = { 0 };
	char text[128];

	link_target_text(&req, text, sizeof(text));
	ck_assert_str_eq(text, rows[_i].text);
	if (!rows[_i].asked)
		return;
	ck_assert_msg(!link_target_bind(&k.sys, &req, &set, &err), "%s", err.what);
	ck_assert_str_eq(k.asked, rows[_i].asked);
	ck_assert_int_eq(k.open, 1);	/* the link */
	ck_assert_uint_eq(set.nr, 1);
	ck_assert_uint_eq(set.list[0].prog, 3);
	free(set.list);
}

TEST(an_older_kernel_has_hooks_by_another_call)
{
	static const struct {
		int answer, raw, ret;
		uint64_t cookie;
		const char *asked, *call;
	} tries[] = {
		{ -EINVAL, 0, 0, 0, "type 27 target 0 flags 0; raw -", NULL },
		{ -EINVAL, -EBUSY, -EBUSY, 0, "type 27 target 0 flags 0; raw -",
		  "BPF_RAW_TRACEPOINT_OPEN" },
		{ -EINVAL, -EINVAL, -EINVAL, 0, "type 27 target 0 flags 0; raw -",
		  "BPF_LINK_CREATE" },
		{ -EBUSY, 0, -EBUSY, 0, "type 27 target 0 flags 0", "BPF_LINK_CREATE" },
		{ -EINVAL, 0, -EINVAL, 5, "type 27 target 0 flags 0 cookie 5", "BPF_LINK_CREATE" },
	};
	const struct row row = { .prog_type = BPF_PROG_TYPE_LSM, .attach_type = BPF_LSM_MAC };

	for (int i = 0; i < NR(tries); i++) {
		struct kernel k = { .sys.enter = enter, .release = "6.18.0",
				    .answer = tries[i].answer, .raw_answer = tries[i].raw };
		struct target_request req = request_of(&row);
		struct attach_set set = { 0 };
		struct error err = { 0 };

		req.cookie = tries[i].cookie;
		ck_assert_int_eq(link_target_bind(&k.sys, &req, &set, &err), tries[i].ret);
		ck_assert_str_eq(k.asked, tries[i].asked);
		ck_assert_int_eq(k.open, !tries[i].ret);
		if (tries[i].call)
			ck_assert_int_eq(strncmp(err.what, tries[i].call, strlen(tries[i].call)), 0);
		error_clear(&err);
		free(set.list);
	}
}

TEST(refusals_have_a_cause)
{
	static const struct {
		struct row row;
		const char *release;
		int code;	/* of the kernel; 0: it is not asked */
		int ret;
		const char *reason, *what, *hint;
		uint32_t takes;
		bool takes_sleepers;
	} bad[] = {
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "lo" }, { 0 }, NULL, NULL }, "5.8.9",
		  EINVAL, -EINVAL, "attach/link-unsupported", "has no links of xdp",
		  "need Linux 5.9", 0, false },
		{ { BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, { .device = "lo" }, { 0 }, NULL, NULL },
		  "6.5.0", EINVAL, -EINVAL, "attach/link-unsupported", "has no links of tcx",
		  "6.6; older: tc filter add", 0, false },
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "lo" }, { 0 }, NULL, NULL }, "5.9.0",
		  EINVAL, -EINVAL, "attach/failed", "BPF_LINK_CREATE", "", 0, false },
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "lo" }, { 0 }, NULL, NULL }, "5.9.0",
		  EBUSY, -EBUSY, "attach/already-bound", "another program", "bpftool net", 0, false },
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "eth" }, { 0 }, NULL, NULL }, "6.0.0", 0,
		  -ENODEV, "attach/no-target", "no such network device", "", 0, false },
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "a_name_of_16_let" }, { 0 }, NULL,
		    NULL }, "6.0.0", 0, -ENODEV, "attach/no-target", "no such network device", "", 0, false },
		{ { BPF_PROG_TYPE_SOCK_OPS, 0, { .cgroup = "/no" }, { 0 }, NULL, NULL }, "6.0.0", 0,
		  -ENOENT, "attach/no-target", "/no: No such file", "below a cgroup2 mount", 0, false },
		{ { BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, { .cgroup = "/no" },
		    { .section_target = "cgroup" }, NULL, NULL }, "6.0.0", 0, -ENOENT,
		  "attach/no-target", "/no: No such file", "below a cgroup2 mount", 0, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 }, { .section_target = "x" }, NULL, NULL },
		  "6.0.0", EINVAL, -EINVAL, "attach/beyond-record", "beyond the tracepoint's",
		  "its prototype", BPF_PROG_TYPE_RAW_TRACEPOINT, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 }, { .section_target = "x" }, NULL, NULL },
		  "6.0.0", EINVAL, -EINVAL, "attach/failed", "unknown: EINVAL, no known cause",
		  "ruled out: the program (an empty one", 0, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 },
		    { .section_target = "x", .sleepable = true }, NULL, NULL }, "6.0.0", EINVAL,
		  -EINVAL, "attach/not-sleepable", "a sleepable program", "sys_enter and sys_exit",
		  BPF_PROG_TYPE_RAW_TRACEPOINT, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 },
		    { .section_target = "x", .sleepable = true }, NULL, NULL }, "6.0.0", EINVAL,
		  -EINVAL, "attach/beyond-record", "beyond the tracepoint's", "its prototype",
		  BPF_PROG_TYPE_RAW_TRACEPOINT, true },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 },
		    { .section_target = "x", .sleepable = true }, NULL, NULL }, "6.0.0", EINVAL,
		  -EINVAL, "attach/failed", "unknown: EINVAL", "ruled out: the program", 0, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 },
		    { .section_target = "x", .cookie = 1 }, NULL, NULL }, "6.0.0", EINVAL, -EINVAL,
		  "attach/no-cookie", "links have no cookie", "leave out --cookie", 0, false },
		{ { BPF_PROG_TYPE_LSM, BPF_LSM_MAC, { 0 }, { .cookie = 1 }, NULL, NULL }, "5.18.0",
		  EINVAL, -EINVAL, "attach/no-cookie", "links have no cookie", "Linux 5.19", 0,
		  false },
		{ { BPF_PROG_TYPE_LSM, BPF_LSM_MAC, { 0 }, { .cookie = 1 }, NULL, NULL }, "5.19.0",
		  EINVAL, -EINVAL, "attach/failed", "unknown: EINVAL", "", 0, false },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 },
		    { .section_target = "x", .cookie = 1 }, NULL, NULL }, "6.18.0", EINVAL, -EINVAL,
		  "attach/failed", "BPF_RAW_TRACEPOINT_OPEN: Invalid argument: unknown: EINVAL",
		  "no other reason", 0, false },
	};

	for (int i = 0; i < NR(bad); i++) {
		struct kernel k = { .sys.enter = enter, .release = bad[i].release,
				    .answer = -bad[i].code, .raw_answer = -bad[i].code,
				    .takes = bad[i].takes,
				    .takes_sleepers = bad[i].takes_sleepers };
		const struct target_request req = request_of(&bad[i].row);
		struct attach_set set = { 0 };
		struct error err = { 0 };

		ck_assert_int_eq(link_target_bind(&k.sys, &req, &set, &err), bad[i].ret);
		ck_assert_msg(!strcmp(err.reason, bad[i].reason), "%d: %s", i, err.reason);
		ck_assert_msg(strstr(err.what, bad[i].what), "%d: %s", i, err.what);
		ck_assert_msg(strstr(err.hint, bad[i].hint), "%d: %s", i, err.hint);
		ck_assert_int_eq(k.open, 0);
		ck_assert_uint_eq(set.nr, 0);
		error_clear(&err);
	}
}

/* Each errno of each kind of target that has a cause of its own; and one that has none. */
static const struct {
	uint32_t prog_type, attach_type;
	int code;
	const char *reason, *what;
} causes[] = {
	{ BPF_PROG_TYPE_XDP, BPF_XDP, EBUSY, "attach/already-bound", "another program may be attached" },
	{ BPF_PROG_TYPE_XDP, BPF_XDP, EEXIST, "attach/already-bound", "another program may be attached" },
	{ BPF_PROG_TYPE_XDP, BPF_XDP, EOPNOTSUPP, "attach/unsupported", "driver may not do this" },
	{ BPF_PROG_TYPE_XDP, BPF_XDP, ENODEV, "attach/no-target", "device is gone" },
	{ BPF_PROG_TYPE_XDP, BPF_XDP, ENOSPC, "attach/failed", "BPF_LINK_CREATE: No space" },
	{ BPF_PROG_TYPE_SOCK_OPS, 0, EBADF, "attach/no-target", "not be a cgroup v2 directory" },
	{ BPF_PROG_TYPE_SOCK_OPS, 0, EPERM, "attach/forbidden", "attached above may forbid it" },
	{ BPF_PROG_TYPE_SK_LOOKUP, 0, EEXIST, "attach/already-bound", "may already have such" },
	{ BPF_PROG_TYPE_SK_LOOKUP, 0, E2BIG, "attach/too-many", "maximum number of programs" },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, 0, ENOENT, "attach/no-target", "no tracepoint with this name" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, EBUSY, "attach/too-many", "patched in another way" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, KERNEL_ENOTSUPP, "attach/unsupported",
	  "unable to patch functions" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, ENOENT, "attach/no-target", "reports that the function does not exist" },
	{ BPF_PROG_TYPE_SK_MSG, 0, EBUSY, "attach/already-bound", "may already have a program" },
	{ BPF_PROG_TYPE_SK_MSG, 0, EOPNOTSUPP, "attach/unsupported", "for sockets in maps" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, EACCES, "attach/beyond-record", "keys or values" },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, E2BIG, "attach/link-unsupported",
	  "only visit all processes" },
};

TEST_ROWS(errnos_have_a_cause, causes)
{
	struct kernel k = { .sys.enter = enter, .release = "6.18.0" };
	const struct target_options where = { .device = "lo", .cgroup = "/c" };
	const struct target_request req = {
		.target = link_target_find(causes[_i].prog_type, causes[_i].attach_type),
		.options = &where, .section_target = "x",
	};
	struct error err = { 0 };

	ck_assert_int_eq(link_target_failed(&k.sys, &req, "BPF_LINK_CREATE", causes[_i].code, &err),
			 -causes[_i].code);
	ck_assert_pstr_eq(err.reason, causes[_i].reason);
	ck_assert_msg(strstr(err.what, causes[_i].what) != NULL, "%s", err.what);
	ck_assert_str_ne(err.where, "");
	error_clear(&err);
}

/* Programs are detached from each of their maps; the first error of these calls is returned. */
static struct {
	struct sys sys;
	int codes[3];		/* of the calls */
	unsigned int nr;
} detaching;

static long detach(struct sys *sys, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	(void)sys;
	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_int_eq(arg[0], BPF_PROG_DETACH);
	ck_assert_uint_eq(attr->target_fd, 20 + detaching.nr);
	ck_assert_uint_eq(attr->attach_bpf_fd, PROG_FD);
	return -detaching.codes[detaching.nr++];
}

static const struct {
	int codes[3], ret;
} detached[] = {
	{ { 0 }, 0 }, { { ENOENT, 0, 0 }, -ENOENT }, { { 0, 0, EPERM }, -EPERM },
	{ { 0, ENOENT, EPERM }, -ENOENT },
};

TEST_ROWS(each_map_is_left, detached)
{
	struct attach_set set = { .list = calloc(3, sizeof(*set.list)), .nr = 3 };

	detaching.sys.enter = detach;
	memcpy(detaching.codes, detached[_i].codes, sizeof(detaching.codes));
	detaching.nr = 0;
	for (int i = 0; i < 3; i++)
		set.list[i] = (struct attachment){
			.event_fd = -1, .link_fd = -1, .target = { .tid = -1, .cpu = -1 },
			.by_map = { .map_fd = 20 + i, .prog_fd = PROG_FD },
		};
	ck_assert_int_eq(attach_close(&detaching.sys, &set), detached[_i].ret);
	ck_assert_uint_eq(detaching.nr, 3);
}

TEST(a_target_has_to_be_named)
{
	static const struct {
		struct row row;
		const char *reason, *what, *hint;	/* NULL: it passes */
	} checks[] = {
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .device = "lo" }, { 0 }, NULL, NULL }, NULL, NULL,
		  NULL },
		{ { BPF_PROG_TYPE_XDP, BPF_XDP, { .cgroup = "x" }, { 0 }, NULL, NULL },
		  "attach/no-target", "xdp is attached to a network device, but none", "--dev=lo" },
		{ { BPF_PROG_TYPE_SOCK_OPS, 0, { .device = "x" }, { 0 }, NULL, NULL },
		  "attach/no-target", "sockops is attached to a cgroup", "--cgroup=" },
		{ { BPF_PROG_TYPE_NETFILTER, 0, { 0 }, { 0 }, NULL, NULL },
		  "attach/no-link", "is attached to a netfilter hook", "pload load" },
		{ { BPF_PROG_TYPE_RAW_TRACEPOINT, 0, { 0 }, { 0 }, NULL, NULL },
		  "attach/no-target", "is attached to a tracepoint", "raw_tp/sched_switch" },
		{ { BPF_PROG_TYPE_SCHED_CLS, 0, { .device = "lo" }, { 0 }, NULL, NULL },
		  "attach/no-target", "lacks ingress or egress", "--direction=" },
		{ { BPF_PROG_TYPE_SCHED_CLS, 0, { .device = "lo", .has_direction = true }, { 0 },
		    NULL, NULL }, NULL, NULL, NULL },
		{ { BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, { .device = "lo" }, { 0 }, NULL,
		    NULL }, NULL, NULL, NULL },
		{ { BPF_PROG_TYPE_SOCKET_FILTER, 0, { 0 }, { 0 }, NULL, NULL }, "attach/no-link",
		  "a program of SEC(\"socket\")", "--prog=NAME" },
		{ { BPF_PROG_TYPE_LSM, 0, { 0 }, { .has_cookie = true }, NULL, NULL }, NULL, NULL,
		  NULL },
		{ { BPF_PROG_TYPE_SK_LOOKUP, 0, { 0 }, { .has_cookie = true }, NULL, NULL },
		  "attach/no-cookie", "sk_lookup links have no cookie", "leave out --cookie" },
	};

	for (int i = 0; i < NR(checks); i++) {
		const struct target_request req = request_of(&checks[i].row);
		struct error err = { 0 };

		ck_assert_int_eq(link_target_check(&req, &err) < 0, checks[i].reason != NULL);
		if (checks[i].reason) {
			ck_assert_str_eq(err.reason, checks[i].reason);
			ck_assert_msg(strstr(err.what, checks[i].what), "%s", err.what);
			ck_assert_msg(strstr(err.hint, checks[i].hint), "%s", err.hint);
		}
		error_clear(&err);
	}
}

TEST(what_a_section_takes)
{
	static const struct {
		uint32_t prog_type, attach_type;
		const char *section_target;
		uint64_t map_types;	/* some of them */
		bool cgroup;
	} takes[] = {
		{ BPF_PROG_TYPE_SK_MSG, 0, NULL, 1 << BPF_MAP_TYPE_SOCKMAP, false },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "sockmap", 1 << BPF_MAP_TYPE_SOCKHASH,
		  false },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "bpf_map_elem", 1 << BPF_MAP_TYPE_ARRAY,
		  false },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "cgroup", 0, true },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "task", 0, false },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "bpf_map", 0, false },
		{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, NULL, 0, false },
		{ BPF_PROG_TYPE_LSM, 0, "cgroup", 0, false },
		{ BPF_PROG_TYPE_SOCK_OPS, 0, NULL, 0, true },
	};

	for (int i = 0; i < NR(takes); i++) {
		const struct link_target *target =
			link_target_find(takes[i].prog_type, takes[i].attach_type);
		const uint64_t types = link_target_map_types(target, takes[i].section_target);

		ck_assert_uint_eq(types & takes[i].map_types, takes[i].map_types);
		ck_assert_int_eq(!types, !takes[i].map_types);
		ck_assert_int_eq(link_target_takes_cgroup(target, takes[i].section_target),
				 takes[i].cgroup);
	}
}
