// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find out why a breakpoint was refused: check its length and address, and count free registers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/event/refused/refused_internal.h"

/* x86 and arm have 4, arm64 up to 16, powerpc 1 or 2. */
#define SLOTS_MAX 16
#define CPUS_SHOWN 8

/* The rules of hw_breakpoint_parse() and of the processor's hw_breakpoint_arch_parse(). */
static int explain_invalid(const struct perf_event_attr *attr, struct error *err)
{
	const char *what = "the processor does not take this breakpoint";

	if (!attr->bp_len)
		what = "it has no length: write mem:ADDR[/LEN][:rwx]";
	else if (attr->bp_len & (attr->bp_len - 1))
		what = "its length is not a power of two";
	else if (attr->bp_addr % attr->bp_len)
		what = "its address is not a multiple of its length";
	else if (attr->bp_type == HW_BREAKPOINT_R)
		what = "x86 cannot watch reads alone";
	open_fail(EINVAL, err, "perf-open/breakpoint", what);
	return error_hint(
		err,
		"lengths are 1, 2, 4 and 8, addresses their multiples; on x86 accesses are w, rw, "
		"and x (8 bytes)");
}

/* Return the number of breakpoints like this one that can still be opened on @cpu. */
static unsigned int free_slots(struct sys *sys, const struct event_call *call, int cpu)
{
	struct perf_event_attr attr = *call->attr;
	int fds[SLOTS_MAX];
	unsigned int nr = 0;

	attr.disabled = 1;
	attr.inherit = 0;
	while (nr < SLOTS_MAX &&
	       (fds[nr] = sys_perf_event_open(sys, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)) >= 0)
		nr++;
	for (unsigned int i = 0; i < nr; i++)
		sys_close_fd(sys, &fds[i]);
	return nr;
}

/* "CPU 0 has none free, CPU 1 has 4" */
static int explain_slots(struct sys *sys, const struct event_call *call, struct error *err)
{
	struct cpu_list online = { 0 };
	char text[256] = "";
	size_t len = 0;

	cpu_list_read(sys, "online", &online, NULL);
	for (unsigned int i = 0; i < online.nr && i < CPUS_SHOWN; i++)
		len += snprintf(text + len, sizeof(text) - len, "%sCPU %d has %u free",
				i ? ", " : "", online.cpus[i],
				free_slots(sys, call, online.cpus[i]));
	if (online.nr > CPUS_SHOWN)
		snprintf(text + len, sizeof(text) - len, " ...");
	cpu_list_free(&online);
	open_fail(ENOSPC, err, "perf-open/no-breakpoint-slot",
		  call->tid < 0 ? "every breakpoint register of the CPU is in use" :
				  "a task's breakpoint takes a register of each CPU, "
				  "and one has none");
	return error_hint(err, "%s; x86 has 4 each, for debuggers, perf and pload together", text);
}

int open_breakpoint_failed(struct sys *sys, const struct event_call *call, int code,
			   struct error *err)
{
	return code == ENOSPC ? explain_slots(sys, call, err) : explain_invalid(call->attr, err);
}
