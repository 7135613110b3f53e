// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attempts with programs and events that the kernel refuses. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/groups/reasons/reasons.h"
#include "loader/core/event/scope.h"

bool opened_prepare(struct attempt *t, struct opened *a, const char *event, const char *pid)
{
	memset(a, 0, sizeof(*a));
	if (event_parse(&a->spec, event, &t->err))
		return false;
	regress_keep_event(&a->spec);
	if (event_scope_init(t->sys, &a->scope, &(struct event_scope_options){ .processes = pid },
			     &t->err))
		return false;
	if (firing_prog_load(t->sys, &a->prog, event_prog_type(&a->spec), 1, &t->err)) {
		memset(&t->err, 0, sizeof(t->err));
		return attempt_skip(t, "no program can be loaded here");
	}
	return true;
}

int opened_attach(struct attempt *t, struct opened *a, const char *method)
{
	const struct attach_request req = {
		.method = attach_method_find(method, NULL), .spec = &a->spec, .scope = &a->scope,
		.prog_fd = a->prog.prog_fd, .prog_type = event_prog_type(&a->spec),
	};

	return attach_prog(t->sys, &req, &a->set, &t->err);
}

/*
 * Returns whether the event is attached. If not, the row is skipped: its own failure comes later.
 */
static bool is_attached(struct attempt *t, struct opened *a, const char *method)
{
	if (opened_attach(t, a, method) == 0)
		return true;
	snprintf(t->skip, sizeof(t->skip), "%.199s", t->err.what);
	return false;
}

static void bind_second(struct attempt *t, const char *method, uint32_t type, const char *event)
{
	struct opened first;
	struct firing_prog second;

	if (opened_prepare(t, &first, event, NULL) && is_attached(t, &first, method) &&
	    !firing_prog_load(t->sys, &second, type, 1, &t->err))
		attach_method_find(method, NULL)->bind(t->sys, &first.set.list[0], second.prog_fd,
						       0, &t->err);
}

void second_by_ioctl(struct attempt *t)
{
	bind_second(t, "ioctl", BPF_PROG_TYPE_PERF_EVENT, "cpu-clock");
}

void second_by_link(struct attempt *t)
{
	bind_second(t, "link", BPF_PROG_TYPE_PERF_EVENT, "cpu-clock");
}

void same_program(struct attempt *t)
{
	struct opened a;

	if (opened_prepare(t, &a, "sched:sched_switch", NULL) && is_attached(t, &a, "ioctl"))
		opened_attach(t, &a, "ioctl");
}

static void other_type(struct attempt *t, const char *method)
{
	struct opened a;
	struct attachment event = { .event_fd = -1, .link_fd = -1 };
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1000000,
					.type = PERF_TYPE_SOFTWARE };
	const struct event_target all = { .tid = -1 };
	struct firing_prog traced;

	if (!opened_prepare(t, &a, "cpu-clock", NULL) ||
	    firing_prog_load(t->sys, &traced, BPF_PROG_TYPE_TRACEPOINT, 1, &t->err))
		return;
	event.event_fd = event_open(t->sys, &a.spec, &attr, &all, -1, &t->err);
	if (event.event_fd >= 0)
		attach_method_find(method, NULL)->bind(t->sys, &event, traced.prog_fd, 0, &t->err);
}

void other_type_by_ioctl(struct attempt *t)
{
	other_type(t, "ioctl");
}

void other_type_by_link(struct attempt *t)
{
	other_type(t, "link");
}

/* Binds programs of two instructions until the limit is exceeded. */
void too_many_programs(struct attempt *t)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 }, { .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_TRACEPOINT, .insn_cnt = NR(insns) };
	struct opened a;
	int ret = 0;

	load.insns = (uintptr_t)insns;
	load.license = (uintptr_t)"GPL";
	if (!opened_prepare(t, &a, "sched:sched_kthread_stop", NULL))
		return;
	for (int i = 0; !ret && i < 65; i++) {
		sys_close_fd(t->sys, &a.prog.prog_fd);
		a.prog.prog_fd = sys_bpf(t->sys, BPF_PROG_LOAD, &load, sizeof(load));
		if (a.prog.prog_fd < 0) {
			attempt_skip(t, "this many programs cannot be loaded");
			return;
		}
		ret = opened_attach(t, &a, "ioctl");
	}
	attach_close(t->sys, &a.set);
}

/* Each CPU has few debug registers even if all are free, and other users may hold some of them. */
void use_up_breakpoints(struct attempt *t)
{
	static uint64_t watched[20];

	for (size_t i = 0; i < NR(watched); i++) {
		char event[64], pid[16];
		struct opened a;

		snprintf(event, sizeof(event), "mem:%p/8:w", (void *)&watched[i]);
		snprintf(pid, sizeof(pid), "%d", getpid());
		if (!opened_prepare(t, &a, event, pid) || opened_attach(t, &a, "ioctl"))
			return;
	}
	attempt_skip(t, "this machine has breakpoints without end");
}

/* Opens an event of the parent, which is another user's process after become_nobody(). */
void not_mine(struct attempt *t)
{
	char pid[16];
	struct opened a;

	snprintf(pid, sizeof(pid), "%d", getppid());
	if (opened_prepare(t, &a, "page-faults:u", pid) && become_nobody(t))
		opened_attach(t, &a, "ioctl");
}

/* Changes the call on its way to the kernel: BPF_LINK_CREATE gets an unknown flag. */
static long with_flags(struct sys *sys, long nr, const unsigned long arg[6])
{
	union bpf_attr *attr = (union bpf_attr *)arg[1];

	(void)sys;
	if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE)
		attr->link_create.flags = 1;
	return sys_linux()->enter(sys_linux(), nr, arg);
}

void link_with_flags(struct attempt *t)
{
	struct sys flags = { .enter = with_flags };
	struct opened a;

	t->sys = &flags;
	if (opened_prepare(t, &a, "cpu-clock", NULL))
		opened_attach(t, &a, "link");
}
