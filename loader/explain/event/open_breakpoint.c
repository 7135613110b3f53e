// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find out why a breakpoint was refused: check its length and address, and count the free
 * registers.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/explain/event/open_failed.h"

/* x86 and arm have 4, arm64 up to 16, powerpc 1 or 2. */
#define SLOTS_MAX 16
#define CPUS_SHOWN 8

/* Return true if an aligned 4-byte write breakpoint opens for the same task and CPU. */
static bool takes_plain(const struct open_failure *f)
{
	struct perf_event_attr attr = *f->attr;

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_addr &= ~UINT64_C(0xfff);
	return open_again(f->sys, f->call, &attr) == 0;
}

/* The rules of hw_breakpoint_parse() and of the processor's hw_breakpoint_arch_parse(). */
static int explain_invalid(const struct open_failure *f, struct error *err)
{
	const struct perf_event_attr *attr = f->attr;
	const char *what = "the processor supports other breakpoints, but not this one";

	if (!takes_plain(f))
		return open_unknown(f, err, "ruled out: length, address and access (an aligned "
					    "4-byte breakpoint is refused, too)");
	if (!attr->bp_len)
		what = "the length is 0: write mem:ADDR[/LEN][:rwx]";
	else if (attr->bp_len & (attr->bp_len - 1))
		what = "its length is not a power of two";
	else if (attr->bp_addr % attr->bp_len)
		what = "its address is not a multiple of its length";
	else if (attr->bp_type == HW_BREAKPOINT_R)
		what = "this processor cannot watch only reads";
	open_failed_by(f, err, "perf-open/breakpoint", what);
	return error_hint(
		err,
		"the length must be 1, 2, 4 or 8, and the address a multiple of it; on x86, "
		"accesses are w, rw, and x (8 bytes)");
}

/*
 * Return the number of breakpoints like this one that can still be opened on @cpu, or -1 if opening
 * fails for another reason.
 */
static int free_slots(struct sys *sys, const struct event_call *call, int cpu)
{
	struct perf_event_attr attr = *call->attr;
	int fds[SLOTS_MAX], nr = 0, ret = -ENOSPC;

	attr.disabled = 1;
	attr.inherit = 0;
	sys_why(sys, "diagnosis: how many breakpoints are free on CPU %d?", cpu);
	while (nr < SLOTS_MAX && (ret = sys_perf_event_open(sys, &attr, -1, cpu, -1,
							    PERF_FLAG_FD_CLOEXEC)) >= 0)
		fds[nr++] = ret;
	for (int i = 0; i < nr; i++)
		sys_close_fd(sys, &fds[i]);
	return nr == SLOTS_MAX || ret == -ENOSPC ? nr : -1;
}

/*
 * "CPU 0 has none free, CPU 1 has 4". Return true if none is free where the event needs one: on its
 * CPU, or for a task on any CPU.
 */
static bool lists_slots(const struct open_failure *f, char *text, size_t size)
{
	struct cpu_list online = { 0 };
	size_t len = 0;
	bool lacks = false;

	cpu_list_read(f->sys, "online", &online, NULL);
	for (unsigned int i = 0; i < online.nr; i++) {
		const int cpu = online.cpus[i];
		const int nr = free_slots(f->sys, f->call, cpu);

		lacks |= !nr && (f->call->cpu < 0 || cpu == f->call->cpu);
		if (i < CPUS_SHOWN && nr < 0)
			len += snprintf(text + len, size - len, "%sCPU %d opens none",
					i ? ", " : "", cpu);
		else if (i < CPUS_SHOWN)
			len += snprintf(text + len, size - len, "%sCPU %d has %d free",
					i ? ", " : "", cpu, nr);
	}
	if (online.nr > CPUS_SHOWN)
		snprintf(text + len, size - len, " ...");
	cpu_list_free(&online);
	return lacks;
}

static int explain_slots(const struct open_failure *f, struct error *err)
{
	char text[256] = "", ruled_out[320];

	if (!open_takes_dummy(f))
		return open_unknown(f, err, OPEN_NOT_THE_EVENT);
	if (!lists_slots(f, text, sizeof(text))) {
		snprintf(ruled_out, sizeof(ruled_out),
			 "ruled out: all breakpoint registers in use (%s)", text);
		return open_unknown(f, err, ruled_out);
	}
	open_failed_by(f, err, "perf-open/no-breakpoint-slot", f->call->tid < 0 ?
		       "all breakpoint registers of the CPU are in use" :
		       "a breakpoint for a task needs a register on every CPU, and one CPU has "
		       "none left");
	return error_hint(err, "%s; x86 has 4 per CPU, shared by debuggers, perf and pload", text);
}

int open_breakpoint_failed(const struct open_failure *f, struct error *err)
{
	return f->code == ENOSPC ? explain_slots(f, err) : explain_invalid(f, err);
}
