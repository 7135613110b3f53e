// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cookies: which programs can have one. bpf_get_attach_cookie() returns the number from --cookie
 * only if it was passed to the kernel when the program was attached:
 *
 *	perf event		BPF_LINK_CREATE passes it (Linux 5.15); PERF_EVENT_IOC_SET_BPF
 *				cannot. See attach_method.takes_cookie.
 *	link target		fentry, raw tracepoints, kprobe.multi and others; see
 *				link_target.takes_cookie.
 *	USDT probe		The link's cookie is the index of the probe's arguments. The number
 *				from --cookie is in a map next to them, for bpf_usdt_cookie(), so it
 *				works with every method; see usdt_arguments.c.
 *
 * Everything else is rejected here: "attach/no-cookie".
 */
#include <errno.h>

#include "loader/core/attach/attach.h"
#include "loader/core/attach/link_target.h"

int attach_cookie_check(const struct attach_method *method, bool has_cookie, struct error *err)
{
	if (!has_cookie || method->takes_cookie)
		return 0;
	error_set(err, EINVAL, "--attach=%s cannot pass a cookie, so bpf_get_attach_cookie() is 0",
		  method->name);
	error_reason(err, "attach/no-cookie");
	return error_hint(err, "use --attach=link; USDT programs that include bpf/usdt.bpf.h can "
			       "always call bpf_usdt_cookie()");
}

int link_target_cookie_check(const struct link_target *target, bool has_cookie, struct error *err)
{
	if (!has_cookie || target->takes_cookie)
		return 0;
	error_set(err, EINVAL, "%s links have no cookie", target->name);
	error_reason(err, "attach/no-cookie");
	return error_hint(err, "leave out --cookie");
}
