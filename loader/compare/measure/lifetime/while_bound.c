// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test a bound program: when it runs, whether a second one can be bound, and what ends it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"

struct bound {
	struct fixture *fx;
	struct section *s;
	struct attachment a;
	struct firing_prog *prog;	/* is bound */
	struct firing_prog *other;	/* is not */
};

static void put_runs(struct bound *b, unsigned int row, const char *none)
{
	const int64_t runs = fixture_runs_of_work(b->fx, b->prog);

	section_put_runs(b->s, row, runs < 0 ? runs : runs > 0, none);
}

static void try_states(struct bound *b)
{
	static const struct {
		enum life_row row;
		unsigned long request;
		const char *name, *none;
	} states[] = {
		{ LIFE_ENABLED, PERF_EVENT_IOC_ENABLE, "PERF_EVENT_IOC_ENABLE", "no runs" },
		{ LIFE_DISABLED, PERF_EVENT_IOC_DISABLE, "PERF_EVENT_IOC_DISABLE", "stops" },
		{ LIFE_ENABLED_AGAIN, PERF_EVENT_IOC_ENABLE, "PERF_EVENT_IOC_ENABLE", "no runs" },
	};
	struct error err = { 0 };

	put_runs(b, LIFE_NEVER_ENABLED, "no runs");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (fixture_ioctl(b->fx, &b->a, states[i].request, states[i].name, &err) < 0)
			section_refused(b->s, states[i].row, &err);
		else
			put_runs(b, states[i].row, states[i].none);
	}
}

/* --- second programs, second events --- */

static void try_second(struct bound *b, enum life_row row, const char *method)
{
	struct attachment again = { .event_fd = b->a.event_fd, .link_fd = -1 };
	struct error err = { 0 };

	if (attach_method_find(method, NULL)->bind(b->fx->sys, &again, b->other->prog_fd, 0, &err) <
	    0)
		section_refused(b->s, row, &err);
	else
		section_put(b->s, row, "binds", "two programs are bound to one event");
	sys_close_fd(b->fx->sys, &again.link_fd);
}

/* Attach @prog to a second event with the same description while the first one exists. */
static void try_on_other(struct bound *b, enum life_row row, const struct firing_prog *prog)
{
	struct error err = { 0 };
	struct attachment a;
	int ret = fixture_open(b->fx, NULL, &a, &err);

	if (!ret)
		ret = fixture_bind(b->fx, &a, prog->prog_fd, &err);
	if (!ret)
		ret = fixture_enable(b->fx, &a, &err);
	if (ret < 0)
		section_refused(b->s, row, &err);
	else if (fixture_runs_of_work(b->fx, prog) > 0)
		section_put(b->s, row, "runs", NULL);
	else
		section_put(b->s, row, "no runs", "it is bound and does not run");
	fixture_close(b->fx, &a);
}

/* --- commands of bpf(2) that replace, detach and pin --- */

static void refused(struct bound *b, enum life_row row, int cmd, const union bpf_attr *attr,
		    unsigned int size, int code)
{
	const char *name = sys_cmd_name(cmd);
	struct error err = { 0 };

	error_set(&err, code, "%s: %s%s", name ? name : "bpf", error_strerror(code),
		  b->a.link_fd < 0 ? ": a program bound by ioctl has only an event descriptor" :
				     "");
	sys_error_bpf(&err, cmd, attr, size, code);
	section_refused(b->s, row, &err);
}

/* Return the descriptor of the link or, for a program bound by ioctl, of the event. */
static int handle(const struct bound *b)
{
	return b->a.link_fd >= 0 ? b->a.link_fd : b->a.event_fd;
}

static void try_update(struct bound *b)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.link_update.link_fd = handle(b);
	attr.link_update.new_prog_fd = b->other->prog_fd;
	ret = sys_bpf(b->fx->sys, BPF_LINK_UPDATE, &attr, ATTR_SIZE(link_update.old_prog_fd));
	if (ret < 0)
		refused(b, LIFE_LINK_UPDATE, BPF_LINK_UPDATE, &attr,
			ATTR_SIZE(link_update.old_prog_fd), -ret);
	else
		section_put(b->s, LIFE_LINK_UPDATE,
			    fixture_runs_of_work(b->fx, b->other) > 0 ? "replaced" : "no effect",
			    NULL);
}

static void put_detached(struct bound *b, enum life_row row)
{
	section_put_runs(b->s, row, fixture_still_runs(b->fx, b->prog), "stops");
}

static void try_link_detach(struct bound *b)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.link_detach.link_fd = handle(b);
	ret = sys_bpf(b->fx->sys, BPF_LINK_DETACH, &attr, ATTR_SIZE(link_detach.link_fd));
	if (ret < 0)
		refused(b, LIFE_LINK_DETACH, BPF_LINK_DETACH, &attr,
			ATTR_SIZE(link_detach.link_fd), -ret);
	else
		put_detached(b, LIFE_LINK_DETACH);
}

static void try_prog_detach(struct bound *b)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.target_fd = b->a.event_fd;
	attr.attach_bpf_fd = b->prog->prog_fd;
	attr.attach_type = BPF_PERF_EVENT;
	ret = sys_bpf(b->fx->sys, BPF_PROG_DETACH, &attr, ATTR_SIZE(attach_type));
	if (ret < 0)
		refused(b, LIFE_PROG_DETACH, BPF_PROG_DETACH, &attr, ATTR_SIZE(attach_type),
			-ret);
	else
		put_detached(b, LIFE_PROG_DETACH);
}

/* The bpffs is not mounted anywhere: it is reached through its descriptor. */
static void try_pin(struct bound *b)
{
	int dir_fd = sys_open_detached(b->fx->sys, "bpf"), ret;
	struct error err = { 0 };
	char path[64];

	if (dir_fd < 0) {
		life_error_no_bpffs(dir_fd, &err);
		section_refused(b->s, LIFE_PIN, &err);
		return;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d/bound", dir_fd);
	ret = kernel_pin(b->fx->sys, handle(b), path);
	if (ret >= 0) {
		section_put(b->s, LIFE_PIN, "pinned", NULL);
		sys_unlinkat(b->fx->sys, path);
	} else {
		error_set(&err, -ret, "BPF_OBJ_PIN of the %s: %s",
			  b->a.link_fd >= 0 ? "link" : "event", error_strerror(-ret));
		error_reason(&err, "pin/refused");
		section_refused(b->s, LIFE_PIN, &err);
	}
	sys_close_fd(b->fx->sys, &dir_fd);
}

/* --- closing descriptors --- */

static void try_counts(struct bound *b)
{
	uint64_t before = 0, after = 0;
	ssize_t n = sys_read(b->fx->sys, b->a.event_fd, &before, sizeof(before));

	fixture_work(b->fx);
	if (n == sizeof(before))
		n = sys_read(b->fx->sys, b->a.event_fd, &after, sizeof(after));
	if (n == sizeof(after))
		section_put(b->s, LIFE_COUNTS_ON, after > before ? "counts" : "stops", NULL);
	else
		section_put_runs(b->s, LIFE_COUNTS_ON, n < 0 ? n : -EIO, NULL);
}

static void try_again(struct bound *b)
{
	struct error err = { 0 };

	if (fixture_bind(b->fx, &b->a, b->other->prog_fd, &err) < 0) {
		section_refused(b->s, LIFE_BOUND_AGAIN, &err);
		return;
	}
	b->prog = b->other;
	put_runs(b, LIFE_BOUND_AGAIN, "no runs");
}

static void close_both(struct bound *b)
{
	struct sys *sys = b->fx->sys;

	sys_close_fd(sys, &b->prog->prog_fd);
	section_put_runs(b->s, LIFE_PROG_FD, fixture_still_runs(b->fx, b->prog), "stops");
	if (b->a.link_fd < 0) {
		section_put(b->s, LIFE_LINK_FD, NO_LINK, NULL);
		section_put(b->s, LIFE_COUNTS_ON, NO_LINK, NULL);
		section_put(b->s, LIFE_BOUND_AGAIN, NO_LINK, NULL);
		return;
	}
	sys_close_fd(sys, &b->a.link_fd);
	section_put_runs(b->s, LIFE_LINK_FD, fixture_still_runs_late(b->fx, b->prog), "stops");
	try_counts(b);
	try_again(b);
}

void life_bound(struct fixture *fx, struct section *s)
{
	struct bound b = { .fx = fx, .s = s, .prog = &fx->second, .other = &fx->prog };
	struct error err = { 0 };
	int ret = fixture_open(fx, NULL, &b.a, &err);

	if (!ret)
		ret = fixture_bind(fx, &b.a, b.prog->prog_fd, &err);
	if (ret < 0) {
		section_rest(s, LIFE_NEVER_ENABLED, LIFE_BOUND_AGAIN, &err);
	} else {
		try_states(&b);
		try_second(&b, LIFE_SECOND_IOCTL, "ioctl");
		try_second(&b, LIFE_SECOND_LINK, "link");
		try_on_other(&b, LIFE_SAME_OTHER_EVENT, b.prog);
		try_on_other(&b, LIFE_OTHER_OTHER_EVENT, b.other);
		try_pin(&b);
		try_update(&b);
		try_link_detach(&b);
		try_prog_detach(&b);
		close_both(&b);
	}
	fixture_close(fx, &b.a);
}

void life_event_fd(struct fixture *fx, struct section *s)
{
	struct error err = { 0 };
	struct attachment a;

	if (fixture_attach(fx, NULL, &a, &err) < 0) {
		section_rest(s, LIFE_EVENT_FD, LIFE_EVENT_FD, &err);
	} else {
		sys_close_fd(fx->sys, &a.event_fd);
		section_put_runs(s, LIFE_EVENT_FD, fixture_still_runs(fx, &fx->prog), "stops");
	}
	fixture_close(fx, &a);
}
