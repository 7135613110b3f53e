// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records the ids of the objects that a test creates: where other users load programs, too, a new
 * id need not be the test's. Each descriptor that is created through the seam is asked for its id.
 */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/harness/facts.h"
#include "test/regress/harness/leaks.h"

struct watch {
	struct sys sys;
	struct sys *next;
	struct regress_shared *shared;
	unsigned int nr_breakpoints;	/* events of breakpoints that this process has open */
	unsigned char is_breakpoint[4096 / 8];	/* their descriptors, as bits */
};

/* The id is at one offset in the info of a program, map or link, and at another in that of BTF. */
static uint32_t id_of(struct sys *sys, int fd, enum regress_kind kind)
{
	union {
		struct bpf_prog_info prog;
		struct bpf_map_info map;
		struct bpf_link_info link;
		struct bpf_btf_info btf;
	} info;
	uint32_t len = kind == REGRESS_PROG ? sizeof(info.prog) : kind == REGRESS_MAP ?
		       sizeof(info.map) : kind == REGRESS_LINK ? sizeof(info.link) :
		       sizeof(info.btf);

	memset(&info, 0, sizeof(info));
	if (kernel_fd_info(sys, fd, &info, &len) < 0)
		return 0;
	switch (kind) {
	case REGRESS_PROG:
		return info.prog.id;
	case REGRESS_MAP:
		return info.map.id;
	case REGRESS_LINK:
		return info.link.id;
	default:
		return info.btf.id;
	}
}

static bool creates(unsigned long cmd, enum regress_kind *kind)
{
	switch (cmd) {
	case BPF_PROG_LOAD:
		*kind = REGRESS_PROG;
		return true;
	case BPF_MAP_CREATE:
		*kind = REGRESS_MAP;
		return true;
	case BPF_BTF_LOAD:
		*kind = REGRESS_BTF;
		return true;
	case BPF_LINK_CREATE:
	case BPF_RAW_TRACEPOINT_OPEN:
		*kind = REGRESS_LINK;
		return true;
	default:
		return false;
	}
}

static bool is_made(const struct regress_shared *shared, uint32_t prog_id)
{
	for (unsigned int i = 0; i < shared->nr_made && i < REGRESS_MADE; i++)
		if (shared->made[i].kind == REGRESS_PROG && shared->made[i].id == prog_id)
			return true;
	return false;
}

/* A tracepoint accepts 64 programs. Returns how many of them are not the test's. */
static unsigned int others_on(struct watch *w, int event_fd)
{
	/* struct perf_event_query_bpf: ids_len, prog_cnt, and then the ids. */
	uint32_t query[2 + 64] = { 64 };
	unsigned int nr = 0;

	if (sys_ioctl(w->next, event_fd, PERF_EVENT_IOC_QUERY_BPF, (unsigned long)query) < 0)
		return 0;
	for (uint32_t i = 0; i < query[1] && i < 64; i++)
		nr += !is_made(w->shared, query[2 + i]);
	return nr;
}

static bool is_breakpoint(long nr, const unsigned long arg[6])
{
	return nr == __NR_perf_event_open &&
	       ((const struct perf_event_attr *)arg[0])->type == PERF_TYPE_BREAKPOINT;
}

/* Count the breakpoints of this process; one without a bit of its own counts for good. */
static void count_breakpoints(struct watch *w, long nr, const unsigned long arg[6], long ret)
{
	const unsigned long fd = nr == __NR_close ? arg[0] : (unsigned long)ret;
	const bool has_bit = fd / 8 < sizeof(w->is_breakpoint);
	const unsigned char bit = 1 << fd % 8;

	if (ret >= 0 && is_breakpoint(nr, arg)) {
		w->shared->opened_breakpoint = true;
		w->nr_breakpoints++;
		if (has_bit)
			w->is_breakpoint[fd / 8] |= bit;
	} else if (nr == __NR_close && has_bit && w->is_breakpoint[fd / 8] & bit) {
		w->is_breakpoint[fd / 8] &= ~bit;
		w->nr_breakpoints--;
	}
}

/* Record a refusal that others may have caused: they hold debug registers, or fill a tracepoint. */
static void see_refusal(struct watch *w, long nr, const unsigned long arg[6], long ret)
{
	if (ret == -ENOSPC && is_breakpoint(nr, arg)) {
		w->shared->lacked_breakpoint = true;
		/* Others may have given theirs back when the test is judged. */
		if (w->nr_breakpoints < DEBUG_REGISTERS)
			w->shared->others_hold_breakpoints = true;
	}
	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF && ret == -E2BIG)
		w->shared->others_on = others_on(w, arg[0]);
	if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE && ret == -E2BIG)
		w->shared->others_on =
			others_on(w, ((const union bpf_attr *)arg[1])->link_create.target_fd);
}

static void see_facts(struct regress_shared *shared, long nr, const unsigned long arg[6])
{
	const unsigned int used = facts_used(nr, arg);

	shared->used |= used;
	if (used & shared->broken & ~shared->states)
		regress_hurry();
}

static long watch_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct watch *w = (struct watch *)sys;
	const long ret = w->next->enter(w->next, nr, arg);
	enum regress_kind kind;
	unsigned int at;

	see_facts(w->shared, nr, arg);
	count_breakpoints(w, nr, arg, ret);
	if (ret < 0)
		see_refusal(w, nr, arg, ret);
	if (nr != __NR_bpf || ret < 0 || !creates(arg[0], &kind))
		return ret;
	at = __atomic_fetch_add(&w->shared->nr_made, 1, __ATOMIC_RELAXED);
	if (at < REGRESS_MADE)
		w->shared->made[at] = (struct regress_made){ kind, id_of(w->next, ret, kind) };
	return ret;
}

static struct watch watch;

static long enter_of_session(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	see_facts(watch.shared, nr, arg);
	return watch.next->enter(watch.next, nr, arg);
}

struct sys *regress_session_sys(void)
{
	static struct sys sys = { .enter = enter_of_session };

	return &sys;
}

struct sys *watch_sys(struct sys *next, struct regress_shared *shared)
{
	watch = (struct watch){ .sys = { .enter = watch_enter }, .next = next, .shared = shared };
	return &watch.sys;
}
