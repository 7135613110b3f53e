// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs of other users on tracepoints, and tracepoints that nobody else uses. */
#include "test/regress/common/others.h"

uint32_t others_on(struct sys *sys, int event_fd)
{
	/* struct perf_event_query_bpf: ids_len, prog_cnt, and then no ids. */
	uint32_t query[2] = { 0 };

	if (sys_ioctl(sys, event_fd, PERF_EVENT_IOC_QUERY_BPF, (unsigned long)query) < 0)
		return 0;
	return query[1];
}

static _Noreturn void skip_for(struct regress *t, uint32_t nr, const char *event)
{
	regress_skip(t, "others have %u programs on %s, and decide whether it counts", nr, event);
}

void others_none(struct regress *t, int event_fd, const char *event)
{
	const uint32_t nr = others_on(t->sys, event_fd);

	if (nr)
		skip_for(t, nr, event);
}

/* Return whether the kernel has that tracepoint. */
static bool ask(struct regress *t, const struct kind *kind, uint32_t *programs)
{
	struct compare_subject s;
	struct compare_event e;
	struct event_spec spec;
	struct error err = { 0 };
	int ret;

	kind_begin(t, kind, &spec, &s);
	ret = compare_open(&s, &s.cells[0], &e, &err);
	if (!ret)
		*programs = others_on(t->sys, e.a.event_fd);
	compare_close(&s, &e);
	error_clear(&err);
	kind_end(&s);
	return !ret;
}

void others_none_on(struct regress *t, const struct kind *kind)
{
	uint32_t nr;

	if (ask(t, kind, &nr) && nr)
		skip_for(t, nr, kind->event);
}

struct kind others_choose(struct regress *t, uint32_t *programs)
{
	/* The first two are used by anybody who traces all system calls. */
	static const char *const events[] = {
		"syscalls:sys_enter_sync", "syscalls:sys_enter_acct", "cgroup:cgroup_remount",
		"power:suspend_resume", "oom:mark_victim",
	};
	struct kind best = { "tracepoint", events[0], KIND_TRACEPOINT };
	uint32_t nr;

	*programs = UINT32_MAX;
	for (size_t i = 0; *programs && i < NR(events); i++) {
		const struct kind kind = { "tracepoint", events[i], KIND_TRACEPOINT };

		if (!ask(t, &kind, &nr) || nr >= *programs)
			continue;
		*programs = nr;
		best = kind;
	}
	return best;
}
