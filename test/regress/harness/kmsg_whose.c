// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The process that a fault of the kernel is of. dump_stack_print_info() and show_trace_log_lvl() of
 * x86 print
 *
 *	CPU: 1 UID: 0 PID: 2345 Comm: cat Not tainted 6.18.0
 *	Call Trace:
 *	 <TASK>				" <IRQ>", " <NMI>" and others, if it was in one of these
 *	 ext4_map_blocks+0x1/0x2
 *	 </TASK>
 *
 * Other architectures do not print the context, so that there each fault is ours.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/harness/kmsg.h"
#include "test/regress/harness/place.h"

#define PF_KTHREAD 0x00200000	/* include/linux/sched.h */

static bool names_our_work(const char *text)
{
	static const char *const words[] = { "bpf", "perf", "probe", "trace", "breakpoint" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

void kmsg_whose_line(struct kmsg_report *report, const char *text)
{
	const char *pid = strstr(text, "PID: "), *context = text + strspn(text, " ");

	if (pid && strstr(pid, " Comm: "))
		sscanf(pid, "PID: %d Comm: ", &report->pid);
	if (!strncmp(context, "<TASK>", 6))
		report->in_task = true;
	else if (context[0] == '<' && context[1] != '/')
		report->in_interrupt = true;
	/* "---[ end trace 0000000000000000 ]---" */
	if (names_our_work(text) && !strstr(text, "[ end trace "))
		report->concerns_us = true;
}

/*
 * proc_pid_stat(5): "PID (COMM) STATE PPID PGRP SESSION TTY TPGID FLAGS"; COMM may contain
 * anything.
 */
static bool read_stat(int pid, int *parent, unsigned int *flags)
{
	char path[64], text[512] = "";
	const char *close;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	close = strrchr(text, ')');
	return close && sscanf(close + 1, " %*c %d %*d %*d %*d %*d %u", parent, flags) == 2;
}

/* A process that loses its parent becomes a child of this process, which is a subreaper. */
static bool is_another(int pid)
{
	unsigned int flags = 0;

	while (pid > 0) {
		int parent = 0;

		if (pid == getpid() || !read_stat(pid, &parent, &flags) || flags & PF_KTHREAD)
			return false;
		pid = parent;
	}
	return true;
}

bool kmsg_is_others(const struct kmsg_report *report)
{
	return report->pid > 0 && report->in_task && !report->in_interrupt &&
	       !report->concerns_us && place_first_pids() && is_another(report->pid);
}
