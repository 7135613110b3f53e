/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Scopes: processes that trigger events on request, and a session that covers some of them. */
#ifndef PLOAD_REGRESS_SCOPE_H
#define PLOAD_REGRESS_SCOPE_H

#include "test/regress/common/command.h"
#include "test/regress/common/own_dir.h"
#include "test/regress/common/session.h"

#define SCOPE_UNITS 20

/* --- workers --- */

/*
 * A process that obeys letters, and answers each when it is done. "m": its first thread triggers
 * the events; "s": its second; "n": a thread that starts now; "c": a child that starts now; "d": a
 * child of the second thread; "0", "1": its first thread on that CPU.
 */
struct worker {
	pid_t pid, second;	/* the process, and its second thread */
	int to, from;
};

/*
 * worker_hire() - start a worker with @uid (0: ours) and @more idle threads. false: it could not be
 * started.
 */
bool worker_hire(struct worker *w, uid_t uid, unsigned int more);
void worker_dismiss(struct worker *w);
void worker_tell(struct regress *t, const struct worker *w, char what);

/* --- a session that counts the workers' events --- */

struct scope_session {
	struct own_dir bpffs;
	int object;
	char name[16];
	struct session_child child;
	bool armed;		/* it counts all events of its tasks */
};

/*
 * scope_prepare() - to be called before workers are hired, which get the name that is counted.
 * scope_begin() - start a session with @args, and wait until it counts @what of @who, or has ended.
 * @prepare, when not NULL, runs first in the session's process.
 */
void scope_prepare(struct regress *t, struct scope_session *s);
void scope_begin(struct scope_session *s, const char *args, const struct worker *who, char what,
		 void (*prepare)(void));

/* scope_counts() - the number of events, of SCOPE_UNITS, that were counted while @who did @what. */
uint64_t scope_counts(struct regress *t, const struct scope_session *s, const struct worker *who,
		      char what);

/* scope_end() - end the session by SIGINT. Returns its output; owned. */
char *scope_end(struct scope_session *s);

/* --- cgroups: scope_cgroup.c --- */

/* A cgroup of our own in a hierarchy that only we have mounted. */
struct scope_cgroup {
	struct own_dir root;
	char dir[64];
	char controller[32];	/* "+pids": asked for in the root; "": there was no need */
	int before;		/* which hierarchy the controller was in */
	uint64_t pause_ns, again_ns;	/* until it is to be there again, and when */
};

/* cgroup_make() - of version 1 or 2. cgroup_move() - @pid into it, or to the root; whether. */
void cgroup_make(struct regress *t, struct scope_cgroup *c, int version);
bool cgroup_move(const char *dir, pid_t pid);
void cgroup_end(struct regress *t, struct scope_cgroup *c);

/* Tests of sessions whose processes end, and of the limit of descriptors. scope_ends.c */
regress_run scope_test_end_of_one, scope_test_end_of_all, scope_test_limit;

#endif
