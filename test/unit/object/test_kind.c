// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Section names: the kind they mean, what follows, and where a name ends. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "loader/base/text/names.h"
#include "loader/core/object/feature.h"
#include "test/unit/common/suite.h"

static const struct {
	const char *section;
	uint32_t prog_type, attach_type, prog_flags;
	const char *target;
	bool needs_id;
} known[] = {
	{ "perf_event", BPF_PROG_TYPE_PERF_EVENT, 0, 0, NULL, false },
	{ "perf_event/cpu-clock,freq=99", BPF_PROG_TYPE_PERF_EVENT, 0, 0, "cpu-clock,freq=99",
	  false },
	{ "perf_event/mem:0x1000/4:rw", BPF_PROG_TYPE_PERF_EVENT, 0, 0, "mem:0x1000/4:rw", false },
	{ "?perf_event/cycles", BPF_PROG_TYPE_PERF_EVENT, 0, 0, "cycles", false },
	{ "tracepoint/sched/sched_switch", BPF_PROG_TYPE_TRACEPOINT, 0, 0, "sched/sched_switch",
	  false },
	{ "tp/sched/sched_switch", BPF_PROG_TYPE_TRACEPOINT, 0, 0, "sched/sched_switch", false },
	{ "tracepoint.s/syscalls/sys_enter_openat", BPF_PROG_TYPE_TRACEPOINT, 0, BPF_F_SLEEPABLE,
	  "syscalls/sys_enter_openat", false },
	{ "tp.s", BPF_PROG_TYPE_TRACEPOINT, 0, BPF_F_SLEEPABLE, NULL, false },
	{ "raw_tp.s/sys_enter", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_F_SLEEPABLE, "sys_enter",
	  false },
	{ "raw_tracepoint.s/sys_exit", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_F_SLEEPABLE, "sys_exit",
	  false },
	{ "tp_btf.s/sys_enter", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, BPF_F_SLEEPABLE,
	  "sys_enter", true },
	{ "tp_btf/sched_switch", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, 0, "sched_switch", true },
	{ "raw_tp/sys_enter", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, "sys_enter", false },
	{ "raw_tp.w/sys_enter", BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, 0, 0, "sys_enter", false },
	{ "raw_tracepoint/sys_enter", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, "sys_enter", false },
	{ "kprobe/do_exit+4", BPF_PROG_TYPE_KPROBE, 0, 0, "do_exit+4", false },
	{ "kretprobe/do_exit", BPF_PROG_TYPE_KPROBE, 0, 0, "do_exit", false },
	{ "kprobe.multi/do_*", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0, "do_*", false },
	{ "uprobe/libc:malloc", BPF_PROG_TYPE_KPROBE, 0, 0, "libc:malloc", false },
	{ "uprobe.s//bin/sh:main", BPF_PROG_TYPE_KPROBE, 0, BPF_F_SLEEPABLE, "/bin/sh:main",
	  false },
	{ "uretprobe.multi.s/x:y", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, BPF_F_SLEEPABLE,
	  "x:y", false },
	{ "ksyscall/nanosleep", BPF_PROG_TYPE_KPROBE, 0, 0, "nanosleep", false },
	{ "usdt/libc:probe", BPF_PROG_TYPE_KPROBE, 0, 0, "libc:probe", false },
	{ "xdp", BPF_PROG_TYPE_XDP, BPF_XDP, 0, NULL, false },
	{ "xdp/devmap", BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, 0, NULL, false },
	{ "xdp.frags/cpumap", BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP, BPF_F_XDP_HAS_FRAGS, NULL, false },
	{ "xdp.frags", BPF_PROG_TYPE_XDP, BPF_XDP, BPF_F_XDP_HAS_FRAGS, NULL, false },
	{ "tc", BPF_PROG_TYPE_SCHED_CLS, 0, 0, NULL, false },
	{ "tcx/egress", BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, 0, NULL, false },
	{ "classifier/cls", BPF_PROG_TYPE_SCHED_CLS, 0, 0, "cls", false },
	{ "action", BPF_PROG_TYPE_SCHED_ACT, 0, 0, NULL, false },
	{ "socket1", BPF_PROG_TYPE_SOCKET_FILTER, 0, 0, NULL, false },
	{ "xdp_sample", BPF_PROG_TYPE_XDP, BPF_XDP, 0, NULL, false },
	{ "xdp_devmap/map_prog", BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, 0, "map_prog", false },
	{ "xdp/foo", BPF_PROG_TYPE_XDP, BPF_XDP, 0, "foo", false },
	{ "classifier_foo", BPF_PROG_TYPE_SCHED_CLS, 0, 0, NULL, false },
	{ "cgroup/sock2", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE, 0, NULL, false },
	{ "cgroup/sock_relase", 0, 0, 0, NULL, false },
	{ "cgroup/connect5", 0, 0, 0, NULL, false },
	{ "socket+", 0, 0, 0, NULL, false },
	{ "xdp.fragz", 0, 0, 0, NULL, false },
	{ "kprobe.s/do_exit", 0, 0, 0, NULL, false },
	{ "kprobe1", 0, 0, 0, NULL, false },
	{ "lsm_file_open", 0, 0, 0, NULL, false },
	{ "tracepoint_x", 0, 0, 0, NULL, false },
	{ "fsession.s/do_exit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION, BPF_F_SLEEPABLE,
	  "do_exit",
	  true },
	{ "socket", BPF_PROG_TYPE_SOCKET_FILTER, 0, 0, NULL, false },
	{ "cgroup_skb/egress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, 0, NULL, false },
	{ "cgroup/sock", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE, 0, NULL, false },
	{ "cgroup/sock_release", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_RELEASE, 0, NULL,
	  false },
	{ "cgroup/connect6", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET6_CONNECT, 0, NULL,
	  false },
	{ "sk_skb/stream_verdict", BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_STREAM_VERDICT, 0, NULL,
	  false },
	{ "lwt_xmit", BPF_PROG_TYPE_LWT_XMIT, 0, 0, NULL, false },
	{ "netfilter", BPF_PROG_TYPE_NETFILTER, BPF_NETFILTER, 0, NULL, false },
	{ "syscall", BPF_PROG_TYPE_SYSCALL, 0, BPF_F_SLEEPABLE, NULL, false },
	{ "fentry/do_exit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0, "do_exit", true },
	{ "fexit.s/do_exit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, BPF_F_SLEEPABLE, "do_exit",
	  true },
	{ "lsm.s/file_open", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, BPF_F_SLEEPABLE, "file_open", true },
	{ "iter/task", BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, 0, "task", true },
	{ "freplace/f", BPF_PROG_TYPE_EXT, 0, 0, "f", true },
	{ "struct_ops/init", BPF_PROG_TYPE_STRUCT_OPS, 0, 0, "init", true },
	{ "xdpfoo", 0, 0, 0, NULL, false },
	{ "kprobe_do_exit", 0, 0, 0, NULL, false },
	{ "perf_events", 0, 0, 0, NULL, false },
	{ "perf", 0, 0, 0, NULL, false },
	{ "??perf_event", 0, 0, 0, NULL, false },
	{ "/perf_event", 0, 0, 0, NULL, false },
	{ "?", 0, 0, 0, NULL, false },
	{ "", 0, 0, 0, NULL, false },
};

/* Rows of type 0 are of no kind. */
TEST_ROWS(names, known)
{
	const char *target = "untouched";
	const struct prog_kind *kind = prog_kind_find(known[_i].section, &target);

	if (!known[_i].prog_type) {
		ck_assert_msg(!kind, "'%s' is '%s'", known[_i].section, kind ? kind->prefix : "");
		return;
	}
	ck_assert_msg(kind, "'%s' is of no kind", known[_i].section);
	ck_assert_uint_eq(kind->prog_type, known[_i].prog_type);
	ck_assert_uint_eq(kind->attach_type, known[_i].attach_type);
	ck_assert_uint_eq(kind->prog_flags, known[_i].prog_flags);
	ck_assert_pstr_eq(target, known[_i].target);
	ck_assert_int_eq(kind->names >= NAMES_BTF_FUNC, known[_i].needs_id);
}

/* libbpf as a reference for section names: its own list of them, and the two types of each. */
struct oracle {
	void *lib;
	int (*by_name)(const char *name, int *prog_type, int *attach_type);
	void *(*set_print)(int (*print)(int level, const char *format, va_list args));
};

static char libbpf_names[8192];

static int keep_names(int level, const char *format, va_list args)
{
	char text[sizeof(libbpf_names)];

	(void)level;
	vsnprintf(text, sizeof(text), format, args);
	if (strstr(text, "section(type) names are:"))
		strcpy(libbpf_names,
		       strchr(text, ':') + 1 + strcspn(strchr(text, ':') + 1, ":") + 1);
	return 0;
}

static struct oracle oracle_open(void)
{
	struct oracle o = { .lib = dlopen("libbpf.so.1", RTLD_NOW) };
	int type, attach;

	if (!o.lib)
		suite_skip("no libbpf.so.1 here");
	*(void **)&o.by_name = dlsym(o.lib, "libbpf_prog_type_by_name");
	*(void **)&o.set_print = dlsym(o.lib, "libbpf_set_print");
	ck_assert(o.by_name && o.set_print);
	/* libbpf prints all names that it knows if it is asked for one that it does not know. */
	o.set_print(keep_names);
	ck_assert_int_lt(o.by_name("no such section", &type, &attach), 0);
	return o;
}

/* One name in libbpf and here. "name+" in its list: "/more" may follow. */
static void compare(const struct oracle *o, const char *name)
{
	int type = -1, attach = -1;
	const char *target;
	const struct prog_kind *kind = prog_kind_find(name, &target);

	ck_assert_msg(o->by_name(name, &type, &attach) == 0, "libbpf does not know '%s'", name);
	ck_assert_msg(kind, "libbpf knows '%s', and pload does not", name);
	ck_assert_msg((int)kind->prog_type == type, "'%s' is of type %d in libbpf and %u here",
		      name,
		      type, kind->prog_type);
	ck_assert_msg((int)kind->attach_type == attach, "'%s' is %d in libbpf and %u here", name,
		      attach,
		      kind->attach_type);
}

TEST(names_of_libbpf)
{
	struct oracle o = oracle_open();
	unsigned int nr = 0;
	char *save = NULL, with_target[128];

	for (char *name = strtok_r(libbpf_names, " \n", &save); name;
	     name = strtok_r(NULL, " \n", &save), nr++) {
		size_t n = strcspn(name, "+");
		bool takes_target = name[n] == '+';

		name[n] = '\0';
		compare(&o, name);
		snprintf(with_target, sizeof(with_target), "%s/x", name);
		if (takes_target)
			compare(&o, with_target);
	}
	ck_assert_uint_gt(nr, 60);
	dlclose(o.lib);
}

/* The last column of the table in docs/loading/sections.md. */
static const char *const after_slash[] = {
	[NAMES_NOTHING] = "",
	[NAMES_EVENT] = "the event",
	[NAMES_BTF_FUNC] = "FUNC `NAME`",
	[NAMES_BTF_TRACEPOINT] = "TYPEDEF `btf_trace_NAME`",
	[NAMES_BTF_HOOK] = "FUNC `bpf_lsm_NAME`",
	[NAMES_BTF_ITER] = "FUNC `bpf_iter_NAME`",
	[NAMES_PROG_FUNC] = "a function of another program",
	[NAMES_STRUCT] = "ignored",
};

/* Such a name has no row. It is the name without ".s" in all but the flag. */
static bool is_sleepable_form(const struct prog_kind *kind)
{
	const struct prog_kind *base;
	const char *target;
	char name[64];
	const size_t n = strlen(kind->prefix);

	if (n < 3 || strcmp(kind->prefix + n - 2, ".s"))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)n - 2, kind->prefix);
	base = prog_kind_find(name, &target);
	ck_assert_msg(base && base->prog_type == kind->prog_type && base->names == kind->names &&
			      base->attach_type == kind->attach_type && !base->prog_flags &&
			      kind->prog_flags == BPF_F_SLEEPABLE,
		      "'%s' and '%s' differ by more than BPF_F_SLEEPABLE", name, kind->prefix);
	return true;
}

static void check_row(const struct prog_kind *kind, const char *page)
{
	char row[256], sleepable[64], attach[64] = "0", flags[16] = "";
	const struct prog_kind *other;
	const char *target;

	snprintf(sleepable, sizeof(sleepable), "%s.s", kind->prefix);
	other = prog_kind_find(sleepable, &target);
	if (kind->attach_type)
		snprintf(attach, sizeof(attach), "%s %u",
			 sys_attach_type_name(kind->attach_type) + strlen("BPF_"),
			 kind->attach_type);
	if (kind->prog_flags)
		snprintf(flags, sizeof(flags), "%#x", kind->prog_flags);
	snprintf(row, sizeof(row), "\n| `%s` | %s %u | %s | %s | %s | %s |\n", kind->prefix,
		 sys_prog_type_name(kind->prog_type) + strlen("BPF_PROG_TYPE_"), kind->prog_type,
		 attach, flags, other && !strcmp(other->prefix, sleepable) ? "yes" : "",
		 after_slash[kind->names]);
	ck_assert_msg(strstr(page, row), "docs/loading/sections.md has no %s", row + 1);
}

static unsigned int check_rows(const struct prog_kind *kind, const char *page)
{
	unsigned int nr = 0;

	for (; kind->prefix[0]; kind++)
		if (!is_sleepable_form(kind)) {
			check_row(kind, page);
			nr++;
		}
	return nr;
}

/* Readers write loaders by this table: it has all names, and no others. */
TEST(names_in_docs)
{
	FILE *in = fopen("docs/loading/sections.md", "r");
	unsigned int rows = 0, nr;
	char *page = NULL;
	size_t size = 0;

	ck_assert(in && getdelim(&page, &size, '\0', in) > 0);
	fclose(in);
	nr = check_rows(prog_kinds, page);
	for (const struct feature *f = features; f->name; f++)
		if (f->object && f->object->kinds)
			nr += check_rows(f->object->kinds, page);
	for (const char *row = page; (row = strstr(row, "\n| `")); row++)
		rows++;
	ck_assert_uint_eq(rows, nr);
	free(page);
}
