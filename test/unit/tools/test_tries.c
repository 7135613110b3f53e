// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trying an event and a feature of the kernel: the task in which it fires, and the attach type. */
#include <errno.h>

#include "loader/observe/capabilities/capabilities_internal.h"
#include "loader/observe/firing/firing.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/suite.h"

/* A fake kernel whose program has counted these runs, and the attach types that it was asked for. */
struct trying {
	struct sys sys;
	struct fake_kernel *k;
	uint64_t own, others;
	uint32_t loaded, linked;
	unsigned int busy;	/* this many loads are interrupted */
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct trying *t = (struct trying *)sys;
	struct sys *inner = fake_kernel_sys(t->k);
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];
	const bool interrupted = nr == __NR_bpf && arg[0] == BPF_PROG_LOAD && t->busy;
	const long ret = interrupted ? -EAGAIN : inner->enter(inner, nr, arg);

	t->busy -= interrupted;

	if (nr == __NR_bpf && arg[0] == BPF_MAP_LOOKUP_ELEM) {
		struct firing_value *value = (struct firing_value *)(uintptr_t)attr->value;

		value->own.runs = t->own;
		value->others.runs = t->others;
	}
	if (nr == __NR_bpf && arg[0] == BPF_PROG_LOAD)
		t->loaded = attr->expected_attach_type;
	if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE)
		t->linked = attr->link_create.attach_type;
	return ret;
}

/* An event of this thread fires when its program ran in this thread. */
TEST(runs_in_other_tasks_are_not_its_own)
{
	static const struct {
		uint64_t own, others;
		enum firing_outcome is;
	} rows[] = { { 0, 0, FIRING_SILENT }, { 0, 3, FIRING_SILENT }, { 1, 0, FIRING_FIRES } };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	char task[32];
	const struct fake_path paths[] = { { task, "", 0, 0 }, { 0 } };

	snprintf(task, sizeof(task), "/proc/%d/task/x", gettid());
	ck_assert_int_eq(event_parse(&spec, "page-faults", NULL), 0);
	for (int i = 0; i < NR(rows); i++) {
		struct trying t = { .sys.enter = enter, .k = fake_kernel_new(paths), .own = rows[i].own,
				    .others = rows[i].others };
		const struct firing_request request = { .method = attach_method_find("ioctl", NULL),
							.spec = &spec };
		struct firing_result r;

		firing_run(&t.sys, &request, &r);
		ck_assert_msg(r.outcome == rows[i].is, "%d: %d: %s", i, r.outcome, r.err.what);
		ck_assert_uint_eq(r.of_tasks, true);
		error_clear(&r.err);
		fake_kernel_free(t.k);
	}
}

TEST(features_are_tried_with_their_attach_types)
{
	static const struct {
		const char *name;
		uint32_t type;
	} rows[] = { { "uprobe.multi", BPF_TRACE_UPROBE_MULTI },
		     { "uprobe.session", BPF_TRACE_UPROBE_SESSION } };
	int code;

	for (unsigned int f = 0, found = 0; found < NR(rows); f++) {
		struct trying t = { .sys.enter = enter, .k = fake_kernel_new(NULL) };

		ck_assert_uint_lt(f, capability_nr_features);
		if (!strcmp(capability_features[f].name, rows[found].name)) {
			ck_assert_int_eq(capability_try_feature(&t.sys, &capability_features[f], &code),
					 CAPABILITY_YES);
			ck_assert_uint_eq(t.loaded, rows[found].type);
			ck_assert_uint_eq(t.linked, rows[found++].type);
		}
		fake_kernel_free(t.k);
	}
}

/* Signals interrupt the verifier of a large program; the fifth is an answer. */
TEST(an_interrupted_load_is_repeated)
{
	const struct code code = { .insns = { { .code = BPF_JMP | BPF_EXIT } }, .nr = 1 };

	for (unsigned int busy = 4; busy < 6; busy++) {
		struct trying t = { .sys.enter = enter, .k = fake_kernel_new(NULL), .busy = busy };
		int fd = feature_load_code(&t.sys, &code, "perf_event");

		ck_assert_msg(busy == 4 ? fd >= 0 : fd == -EAGAIN, "%u: %d", busy, fd);
		ck_assert_uint_eq(t.busy, 0);
		sys_close_fd(&t.sys, &fd);
		fake_kernel_free(t.k);
	}
}
