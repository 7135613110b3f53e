// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Becoming somebody who may less, for good. */
#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>

#include "loader/tools/compare/privilege/privilege.h"

/* include/linux/highuid.h: whom the kernel shows for ids that have no other. */
#define NOBODY 65534

static int fail(struct error *err, int ret, const char *call, const char *hint)
{
	error_set(err, -ret, "%s: %s", call, error_strerror(-ret));
	error_reason(err, "compare/cannot-become");
	error_hint(err, "%s", hint);
	return ret;
}

/* Root in it has every capability there, and none outside. */
static int enter_namespace(struct sys *sys, struct error *err)
{
	int ret = sys_unshare(sys, CLONE_NEWUSER);

	if (ret >= 0)
		return 0;
	return fail(err, ret, "unshare(CLONE_NEWUSER)",
		    "user.max_user_namespaces, kernel.unprivileged_userns_clone and security "
		    "modules forbid it: sysctl -a | grep userns");
}

/*
 * Capabilities are kept over the change of the user, and then all but the wanted ones are given up.
 * A process that has changed its user is nobody's to look at, its own /proc included, until it says
 * otherwise.
 */
int identity_become(struct sys *sys, const struct identity *identity, struct error *err)
{
	static const char hint[] = "it takes root, or CAP_SETUID, CAP_SETGID and what is to be kept";
	int ret = sys_prctl(sys, PR_SET_KEEPCAPS, 1);

	if (ret < 0)
		return fail(err, ret, "prctl(PR_SET_KEEPCAPS)", hint);
	ret = sys_setgroups(sys, 0, NULL);
	if (ret < 0)
		return fail(err, ret, "setgroups", hint);
	ret = sys_setresgid(sys, NOBODY, NOBODY, NOBODY);
	if (ret < 0)
		return fail(err, ret, "setresgid", hint);
	ret = sys_setresuid(sys, NOBODY, NOBODY, NOBODY);
	if (ret < 0)
		return fail(err, ret, "setresuid", hint);
	ret = sys_capset(sys, identity->caps);
	if (ret < 0)
		return fail(err, ret, "capset", hint);
	ret = sys_prctl(sys, PR_SET_DUMPABLE, 1);
	if (ret < 0)
		return fail(err, ret, "prctl(PR_SET_DUMPABLE)", hint);
	return identity->namespaced ? enter_namespace(sys, err) : 0;
}
