// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of comparing: what could not be tried. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_compare[] = {
	{ "compare/no-answer", "a process that was to take part did not say what came of it",
	  "pload, which waits thirty seconds for a process that it has made (loader/compare/"
	  "lifetime_actor.c).",
	  "ps -o pid,stat,comm; dmesg: an OOM killer, a machine without time.",
	  "Once more, on a machine that has less to do." },
	{ "compare/not-ended", "what was attached before still runs its program",
	  "pload, which looks at the counter of its program before it attaches it anew: in ten "
	  "seconds of work it did not stand still (loader/tools/compare/lifetime/lifetime.c).",
	  "pload show; the rows before it.",
	  "Once more; if it stays, the kernel does not let go of what is closed." },
	{ "compare/cannot-become", "this process cannot become who was to try it",
	  "setresuid(2), setresgid(2), setgroups(2), capset(2): EPERM without CAP_SETUID, CAP_SETGID "
	  "and the capabilities to be kept; unshare(2) of CLONE_NEWUSER: EPERM, ENOSPC, EINVAL.",
	  "grep Cap /proc/self/status; sysctl user.max_user_namespaces.",
	  "As root; sysctl user.max_user_namespaces=10000." },
	{ NULL, NULL, NULL, NULL, NULL },
};
