// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Irrevocably make this process run as a user with fewer privileges. */
#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>

#include "loader/base/calls/credentials.h"
#include "loader/compare/measure/privilege/privilege.h"

/* The overflow id, which the kernel reports for unmapped ids: include/linux/highuid.h. */
#define NOBODY 65534

static int fail(struct error *err, int ret, const char *call, const char *hint)
{
	error_set(err, -ret, "%s: %s", call, error_strerror(-ret));
	error_reason(err, "compare/cannot-become");
	error_hint(err, "%s", hint);
	return ret;
}

/* Root in a user namespace has every capability inside it and none outside. */
static int enter_namespace(struct sys *sys, struct error *err)
{
	int ret = sys_unshare(sys, CLONE_NEWUSER);

	if (ret >= 0)
		return 0;
	return fail(err, ret, "unshare(CLONE_NEWUSER)",
		    "a chroot, user.max_user_namespaces, kernel.unprivileged_userns_clone and "
		    "security modules can forbid it: see sysctl -a | grep userns");
}

/*
 * Keep the capabilities while the user changes, then drop all except those of @identity. After
 * changing its user, a process may not read its own /proc until it is made dumpable again.
 */
int identity_become(struct sys *sys, const struct identity *identity, struct error *err)
{
	static const char hint[] = "run it as root, or with CAP_SETUID, CAP_SETGID and the "
				   "capabilities to keep";
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
