// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The programs that an event accepts, and its errors for all others. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/core/kernel/attr.h"
#include "loader/base/calls/processes.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"

#define LINKS LINUX(5, 15)	/* BPF_LINK_CREATE accepts perf events: b89fbfbb854c */

static const struct regress_since taken[] = { { LINUX(0, 0), "0" } };
static const struct regress_since linked[] = { { LINUX(0, 0), "EINVAL" }, { LINKS, "0" } };
static const struct regress_since einval[] = { { LINUX(0, 0), "EINVAL" } };
static const struct regress_since ebadf[] = { { LINUX(0, 0), "EBADF" } };
/* Older kernels fail earlier, because they have no links to events. */
static const struct regress_since no_target[] = { { LINUX(0, 0), "EINVAL" }, { LINKS, "EBADF" } };

/* An event without a program, opened and bound as one cell does. */
struct bare {
	struct event_spec spec;
	struct compare_subject s;
	struct compare_event e;
	const struct compare_cell *cell;
};

static void bare_open(struct regress *t, struct bare *b, const struct kind *kind, unsigned int cell)
{
	struct error err = { 0 };

	kind_begin(t, kind, &b->spec, &b->s);
	b->cell = &b->s.cells[cell];
	regress_ok(t, b->s.no_prog.code, &b->s.no_prog, "the program");
	regress_ok(t, compare_open(&b->s, b->cell, &b->e, &err), &err, b->cell->name);
}

static void bare_close(struct bare *b)
{
	compare_close(&b->s, &b->e);
	kind_end(&b->s);
}

/* --- types of programs --- */

static const struct kind kinds[] = {
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	{ "cpu-clock", "cpu-clock,freq=100", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "dummy", "dummy,period=1", KIND_COUNTED },
	{ "tracepoint", "sched:sched_switch", KIND_TRACEPOINT },
	{ "syscall tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "kretprobe", "kretprobe:%g", KIND_KRETPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
	{ "uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE },
};

static const struct {
	uint32_t type;
	const char *name;
	unsigned int kinds;	/* of those that take it */
} types[] = {
	{ BPF_PROG_TYPE_PERF_EVENT, "PERF_EVENT", KIND_COUNTED },
	{ BPF_PROG_TYPE_TRACEPOINT, "TRACEPOINT", KIND_TRACEPOINT },
	{ BPF_PROG_TYPE_KPROBE, "KPROBE", KIND_PROBES },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, "RAW_TRACEPOINT", 0 },
	{ BPF_PROG_TYPE_SOCKET_FILTER, "SOCKET_FILTER", 0 },
	{ BPF_PROG_TYPE_SCHED_CLS, "SCHED_CLS", 0 },
	{ BPF_PROG_TYPE_XDP, "XDP", 0 },
	{ BPF_PROG_TYPE_CGROUP_SKB, "CGROUP_SKB", 0 },
	{ BPF_PROG_TYPE_LWT_IN, "LWT_IN", 0 },
};

struct type_fact {
	const struct kind *kind;
	unsigned int cell;
};

/* Bind a program of each accepted type, or of each other type. Return their number. */
static unsigned int try_types(struct regress *t, struct bare *b, const struct type_fact *fact,
			      bool taken_ones)
{
	const bool by_link = CELLS_LINK & 1u << fact->cell;
	const struct regress_since *rows = !taken_ones ? einval : by_link ? linked : taken;
	unsigned int tried = 0;

	for (size_t i = 0; i < NR(types); i++) {
		int fd;

		if (!(types[i].kinds & fact->kind->is) == taken_ones)
			continue;
		fd = kind_program(t, types[i].type, 1);
		/* The kernel's configuration determines which types exist. */
		if (fd < 0 && !taken_ones)
			continue;
		regress_ok(t, fd, NULL, types[i].name);
		regress_answer(t, types[i].name,
			       regress_errno(b->cell->method->bind(t->sys, &b->e.a, fd, 0, NULL)),
			       rows, taken_ones && by_link ? 2 : 1);
		sys_close(t->sys, fd);
		tried++;
	}
	return tried;
}

/* perf_event_set_bpf_prog() checks only the program's type. */
static void only_its_type(struct regress *t)
{
	const struct type_fact *fact = t->data;
	unsigned int refused;
	struct bare b;

	bare_open(t, &b, fact->kind, fact->cell);
	refused = try_types(t, &b, fact, false);
	try_types(t, &b, fact, true);
	bare_close(&b);
	regress_expect(t, refused > 1, "only %u types of programs could be loaded", refused);
}

/* --- descriptors of the wrong kind, and bindings that do not exist --- */

static int set_bpf(struct regress *t, int event_fd, int prog_fd)
{
	return sys_ioctl(t->sys, event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd);
}


static void ioctl_refuses(struct regress *t)
{
	static const struct regress_since enotty[] = { { LINUX(0, 0), "ENOTTY" } };
	struct bare b;
	int pipes[2];

	bare_open(t, &b, &kinds[0], 0);
	regress_ok(t, sys_pipe(t->sys, pipes), NULL, "pipe");
	regress_answer(t, "program -1", regress_errno(set_bpf(t, b.e.a.event_fd, -1)), ebadf, 1);
	/* bpf_prog_get() refuses every descriptor that is not a program. */
	regress_answer(t, "program is a map",
		       regress_errno(set_bpf(t, b.e.a.event_fd, b.s.prog.map_fd)), einval, 1);
	regress_answer(t, "program is the event",
		       regress_errno(set_bpf(t, b.e.a.event_fd, b.e.a.event_fd)), einval, 1);
	regress_answer(t, "event is a pipe",
		       regress_errno(set_bpf(t, pipes[0], b.s.prog.prog_fd)), enotty, 1);
	regress_answer(t, "event is closed", regress_errno(set_bpf(t, -1, b.s.prog.prog_fd)), ebadf,
		       1);
	sys_close(t->sys, pipes[0]);
	sys_close(t->sys, pipes[1]);
	bare_close(&b);
}

static int create_link(struct regress *t, int prog_fd, int target_fd, uint32_t attach_type,
		       uint32_t flags)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = target_fd;
	attr.link_create.attach_type = attach_type;
	attr.link_create.flags = flags;
	ret = sys_bpf(t->sys, BPF_LINK_CREATE, &attr,
		      ATTR_SIZE(link_create.perf_event.bpf_cookie));
	if (ret >= 0)
		sys_close(t->sys, ret);
	return ret < 0 ? ret : 0;
}

static void link_refuses(struct regress *t)
{
	struct bare b;
	int pipes[2], event, prog;

	bare_open(t, &b, &kinds[0], 1);
	event = b.e.a.event_fd;
	prog = b.s.prog.prog_fd;
	regress_ok(t, sys_pipe(t->sys, pipes), NULL, "pipe");
	regress_answer(t, "attach_type BPF_XDP",
		       regress_errno(create_link(t, prog, event, BPF_XDP, 0)), einval, 1);
	regress_answer(t, "attach_type BPF_TRACE_KPROBE_MULTI",
		       regress_errno(create_link(t, prog, event, BPF_TRACE_KPROBE_MULTI, 0)),
		       einval, 1);
	regress_answer(t, "flags 1",
		       regress_errno(create_link(t, prog, event, BPF_PERF_EVENT, 1)), einval, 1);
	regress_answer(t, "program is a map",
		       regress_errno(create_link(t, b.s.prog.map_fd, event, BPF_PERF_EVENT, 0)),
		       einval, 1);
	regress_answer(t, "program -1",
		       regress_errno(create_link(t, -1, event, BPF_PERF_EVENT, 0)), ebadf, 1);
	regress_answer(t, "target is a pipe",
		       regress_errno(create_link(t, prog, pipes[0], BPF_PERF_EVENT, 0)), no_target,
		       2);
	regress_answer(t, "target -1",
		       regress_errno(create_link(t, prog, -1, BPF_PERF_EVENT, 0)), no_target, 2);
	regress_answer(t, "target is the program",
		       regress_errno(create_link(t, prog, prog, BPF_PERF_EVENT, 0)), no_target, 2);
	/* None of the failed calls has left anything bound. */
	regress_answer(t, "and then as it has to be",
		       regress_errno(create_link(t, prog, event, BPF_PERF_EVENT, 0)), linked, 2);
	sys_close(t->sys, pipes[0]);
	sys_close(t->sys, pipes[1]);
	bare_close(&b);
}

/* The loader refuses the cookie before binding, as the ioctl would ignore it. */
static void cookie_needs_link(struct regress *t)
{
	const struct event_scope_options asked = { 0 };
	struct event_scope scope = { 0 };
	struct attach_set set = { 0 };
	struct attach_request req;
	struct error err = { 0 };
	struct bare b;
	int ret;

	bare_open(t, &b, &kinds[0], 0);
	regress_ok(t, event_scope_init(t->sys, &scope, &asked, &err), &err, "scope");
	req = (struct attach_request){ .method = b.cell->method, .spec = &b.spec, .scope = &scope,
				       .has_cookie = true, .cookie = 1,
				       .prog_fd = b.s.prog.prog_fd,
				       .prog_type = b.s.prog.prog_type };
	ret = attach_prog(t->sys, &req, &set, &err);
	regress_expect(t, ret < 0 && err.reason && !strcmp(err.reason, "attach/no-cookie"),
		       "%d, %s", ret, err.what);
	event_scope_free(t->sys, &scope);
	bare_close(&b);
}

/* --- the program that runs --- */

static uint64_t runs_of(struct regress *t, const struct firing_prog *prog)
{
	struct firing_value value;

	regress_ok(t, firing_prog_read(t->sys, prog, &value), NULL, "runs");
	return value.own.runs;
}

static void first_goes_on(struct regress *t)
{
	struct firing_prog second;
	struct error err = { 0 };
	struct bare b;

	bare_open(t, &b, &kinds[0], *(const unsigned int *)t->data);
	regress_ok(t, firing_prog_load(t->sys, &second, b.s.prog.prog_type, 1, &err), &err,
		   "another program");
	regress_ok(t, compare_bind(&b.s, b.cell, &b.e, b.s.prog.prog_fd, &err), &err, "first");
	regress_expect(t, set_bpf(t, b.e.a.event_fd, second.prog_fd) == -EEXIST, "it was taken");
	regress_ok(t, compare_enable(&b.s, &b.e, &err), &err, "enabling");
	b.s.work->unit();
	regress_expect(t, runs_of(t, &b.s.prog), "the first one does not run any more");
	regress_expect(t, !runs_of(t, &second), "the second one runs");
	firing_prog_close(t->sys, &second);
	bare_close(&b);
}

static void make_counting(struct perf_event_attr *attr)
{
	attr->sample_period = 0;
	attr->freq = 0;
}

/* perf_event_set_bpf_prog() accepts it, and __perf_event_overflow() is never called. */
static void counting_never_runs(struct regress *t)
{
	struct error err = { 0 };
	uint64_t count = 0;
	struct bare b;

	kind_begin(t, &kinds[0], &b.spec, &b.s);
	b.cell = &b.s.cells[*(const unsigned int *)t->data];
	regress_ok(t, compare_open_as(&b.s, b.cell, make_counting, &b.e, &err), &err, "event");
	regress_ok(t, b.s.no_prog.code, &b.s.no_prog, "the program");
	regress_ok(t, compare_bind(&b.s, b.cell, &b.e, b.s.prog.prog_fd, &err), &err, "program");
	regress_ok(t, compare_enable(&b.s, &b.e, &err), &err, "enabling");
	b.s.work->unit();
	regress_expect(t, !runs_of(t, &b.s.prog), "it runs");
	regress_expect(t,
		       sys_read(t->sys, b.e.a.event_fd, &count, sizeof(count)) == sizeof(count) &&
			       count, "it does not count");
	bare_close(&b);
}

/* A PMU that has no interrupt: an event with a period is refused, one that counts is not. */
static void no_sampling(struct regress *t)
{
	static const struct kind msr = { "msr", "msr/tsc/", KIND_COUNTED };
	static const struct regress_since answer[] = { { LINUX(0, 0), "EINVAL" } };
	struct error err = { 0 };
	struct bare b;
	int ret;

	kind_begin(t, &msr, &b.spec, &b.s);
	b.cell = &b.s.cells[*(const unsigned int *)t->data];
	ret = compare_open(&b.s, b.cell, &b.e, &err);
	if (regress_lacks(&err))
		regress_ok(t, ret, &err, "event");
	regress_answer(t, "sampling", regress_errno(ret), answer, NR(answer));
	compare_close(&b.s, &b.e);
	error_clear(&err);
	regress_ok(t, compare_open_as(&b.s, b.cell, make_counting, &b.e, &err), &err, "event");
	regress_ok(t, b.s.no_prog.code, &b.s.no_prog, "the program");
	regress_ok(t, compare_bind(&b.s, b.cell, &b.e, b.s.prog.prog_fd, &err), &err, "program");
	regress_ok(t, compare_enable(&b.s, &b.e, &err), &err, "enabling");
	firing_work_find(&b.spec)->unit();
	regress_expect(t, !runs_of(t, &b.s.prog), "it runs");
	bare_close(&b);
}

/* A leader and a member: each has its own program. */
static void each_of_a_group(struct regress *t)
{
	struct firing_prog second;
	struct error err = { 0 };
	struct bare b;
	struct perf_event_attr attr;
	struct attachment follows = { .event_fd = -1, .link_fd = -1 };

	bare_open(t, &b, &kinds[0], *(const unsigned int *)t->data);
	regress_ok(t, firing_prog_load(t->sys, &second, b.s.prog.prog_type, 1, &err), &err,
		   "another program");
	attr = b.e.attr;
	attr.disabled = 0;
	follows.event_fd = regress_ok(t, event_open(t->sys, &b.spec, &attr, &b.s.target,
						    b.e.a.event_fd, &err), &err, "sibling");
	regress_ok(t, compare_bind(&b.s, b.cell, &b.e, b.s.prog.prog_fd, &err), &err, "leader");
	regress_ok(t, b.cell->method->bind(t->sys, &follows, second.prog_fd, 0, &err), &err,
		   "sibling");
	b.s.work->unit();
	regress_expect(t, !runs_of(t, &second), "it runs though its leader is disabled");
	regress_ok(t, compare_enable(&b.s, &b.e, &err), &err, "enabling");
	b.s.work->unit();
	regress_expect(t, runs_of(t, &b.s.prog), "the leader's does not run");
	regress_expect(t, runs_of(t, &second), "the sibling's does not run");
	sys_close_fd(t->sys, &follows.link_fd);
	sys_close_fd(t->sys, &follows.event_fd);
	firing_prog_close(t->sys, &second);
	bare_close(&b);
}

static const unsigned int by_ioctl = BY_IOCTL, by_link = BY_LINK, by_pmu = BY_PMU,
			  by_pmu_link = BY_PMU_LINK;

static const struct regress_test tests[] = {
	{ "the ioctl refuses what is no program and what is no event", ioctl_refuses, NULL, 0 },
	{ "a link refuses what is no program, no event, or no such type", link_refuses, NULL, 0 },
	{ "a cookie needs a link", cookie_needs_link, NULL, 0 },
	{ "by ioctl: what refuses a second program runs the first", first_goes_on, &by_ioctl, 0 },
	{ "by link: what refuses a second program runs the first", first_goes_on, &by_link, 0 },
	{ "by ioctl: an event that only counts never runs its program", counting_never_runs,
	  &by_ioctl, 0 },
	{ "by link: an event that only counts never runs its program", counting_never_runs,
	  &by_link, 0 },
	{ "by ioctl: what cannot sample takes a program and never runs it", no_sampling, &by_pmu,
	  0 },
	{ "by link: what cannot sample takes a program and never runs it", no_sampling,
	  &by_pmu_link, 0 },
	{ "by ioctl: of a group each has its program", each_of_a_group, &by_ioctl, 0 },
	{ "by link: of a group each has its program", each_of_a_group, &by_link, 0 },
	{ 0 }
};

static struct type_fact type_facts[NR(kinds)][COMPARE_NR_CELLS];

static void fill(struct regress_list *list)
{
	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++) {
			type_facts[k][c] = (struct type_fact){ &kinds[k], c };
			regress_add(list, only_its_type, &type_facts[k][c],
				    "%s by %s: takes programs of its type only", kinds[k].name,
				    kind_cell_name(&kinds[k], c));
		}
}

const struct regress_group regress_group_binding = {
	"binding", "which program an event takes, and what it says otherwise", tests, fill, __FILE__
};
