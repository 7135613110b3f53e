// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scopes of processes that end, and scopes of more threads than the limit of descriptors allows. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>

#include "test/regress/groups/scope/scope.h"

#define MANY 64		/* threads, for the limit of descriptors */

static void hire(struct regress *t, struct worker *w, unsigned int more)
{
	regress_expect(t, worker_hire(w, 0, more), "no worker can be hired");
}

/* A session that never counted was refused: the last message of its process has the reason. */
static void need_armed(struct regress *t, struct scope_session *s)
{
	if (!s->armed)
		command_refused(t, session_end(&s->child));
}

static void begin_pair(struct regress *t, struct scope_session *s, struct worker *a,
		       struct worker *b)
{
	char args[64];

	scope_prepare(t, s);
	hire(t, a, 0);
	hire(t, b, 0);
	snprintf(args, sizeof(args), "-p %d,%d", a->pid, b->pid);
	scope_begin(s, args, b, 'm', NULL);
	need_armed(t, s);
	worker_dismiss(a);
}

void scope_test_end_of_one(struct regress *t)
{
	struct scope_session s;
	struct worker a, b;
	uint64_t counted;

	begin_pair(t, &s, &a, &b);
	counted = scope_counts(t, &s, &b, 'm');
	regress_expect(t, counted == SCOPE_UNITS, "%d of %d are counted of who is left",
		       (int)counted, SCOPE_UNITS);
	free(scope_end(&s));
	worker_dismiss(&b);
}

void scope_test_end_of_all(struct regress *t)
{
	struct scope_session s;
	struct worker a, b;
	char *out;

	begin_pair(t, &s, &a, &b);
	worker_dismiss(&b);
	regress_expect(t, session_ends(&s.child), "it goes on when the last has ended");
	out = scope_end(&s);
	regress_expect(t, strstr(out, "\"type\":\"summary\""), "it ends with '%s'", out);
	free(out);
}

/* --- descriptors --- */

static void set_limit(bool may_raise)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	const struct rlimit r = { 40, may_raise ? MANY * 4 : 40 };

	setrlimit(RLIMIT_NOFILE, &r);
	if (may_raise || syscall(SYS_capget, &header, data))
		return;
	data[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	data[0].permitted &= ~(1u << CAP_SYS_RESOURCE);
	syscall(SYS_capset, &header, data);
}

static void set_soft_limit(void)
{
	set_limit(true);
}

static void set_hard_limit(void)
{
	set_limit(false);
}

/* @data, "raised": 66 threads and a limit of 40 that may be raised; NULL: one that stays. */
void scope_test_limit(struct regress *t)
{
	const bool raised = t->data;
	struct scope_session s;
	struct worker many;
	char args[32], *out;

	scope_prepare(t, &s);
	hire(t, &many, MANY);
	snprintf(args, sizeof(args), "-p %d", many.pid);
	scope_begin(&s, args, &many, 's', raised ? set_soft_limit : set_hard_limit);
	out = scope_end(&s);
	if (!s.armed && !strstr(out, "fd-limit"))
		command_refused(t, out);
	if (raised)
		regress_expect(t, s.armed, "not all of %d threads are counted: %s", MANY + 2, out);
	else
		regress_expect(t, strstr(out, "of 66 (66 threads)") &&
			       strstr(out, "the limit is 40 (hard: 40)"),
			       "it does not say how many and which limits: %s", out);
	free(out);
	worker_dismiss(&many);
}
