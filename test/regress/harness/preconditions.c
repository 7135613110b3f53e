// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Check the state of the machine before the first test: it may end the run, or explain skips. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/ktap.h"
#include "test/regress/harness/preconditions.h"
#include "test/regress/harness/run.h"

bool preconditions_has_bpf(struct sys *sys)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	return sys_bpf(sys, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)) != -ENOSYS;
}

static void say_tracing(void)
{
	FILE *file = fopen("/sys/kernel/tracing/tracing_on", "re");

	if (file && fgetc(file) == '0')
		ktap_say("tracing_on of tracefs is 0, as the kernel leaves it after an oops: tests that "
			 "look for a line of bpf_trace_printk() are skipped; write 1 to it");
	if (file)
		fclose(file);
}

void preconditions_say(struct sys *sys)
{
	say_tracing();
	if (!breakpoints_fire(sys))
		ktap_say("hardware breakpoints can be opened here and are never triggered: tests that "
			 "wait for one are skipped");
}
