// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Explain why the kernel refused a link to many functions. */
#include <errno.h>
#include <string.h>

#include "loader/base/calls/machine.h"
#include "loader/objects/multi/multi_internal.h"
#include "loader/core/sys/refused.h"

#define CALL "BPF_LINK_CREATE"

static int too_old(const struct multi_request *req, int code, struct error *err)
{
	error_set(err, code, CALL ": %s: this kernel does not support %s", error_strerror(code),
		  req->target->name);
	error_reason(err, "attach/link-unsupported");
	return error_hint(err, "it needs Linux %u.%u", req->target->major, req->target->minor);
}

static int unsupported(const struct multi_request *req, enum multi_kind kind, int code,
		       struct error *err)
{
	static const char *const needs[] = {
		[MULTI_KERNEL] = "CONFIG_FPROBE",
		[MULTI_USER] = "CONFIG_UPROBE_EVENTS",
		[MULTI_TYPE] = "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS",
	};

	error_set(err, code, CALL ": %s: this kernel may be built without support for %s",
		  error_strerror(code), req->target->name);
	error_reason(err, "attach/unsupported");
	return error_hint(err, "it needs %s", needs[kind]);
}

static int not_this_one(const struct multi_request *req, const struct multi_functions *f,
			const char *name, int code, struct error *err)
{
	error_set(err, code, CALL ": %s: the kernel refuses function '%s'", error_strerror(code),
		  name);
	error_reason(err, "multi/not-traceable");
	if (f->kind == MULTI_USER)
		return error_hint(err, "a probe must be at the start of an instruction");
	if (f->kind == MULTI_TYPE && code == EBUSY)
		return error_hint(err,
				  "another tracer patched it, or it has the maximum number of "
				  "programs: see bpftool link");
	if (f->kind == MULTI_TYPE)
		return error_hint(err,
				  "it is not traceable, or has arguments that trampolines cannot "
				  "pass on; leave it out with --functions='%.100s,!%s'",
				  req->functions, name);
	return error_hint(err, "functions that are notrace or inlined are not traceable; leave it "
			       "out with --functions='%.100s,!%s'", req->functions, name);
}

static const struct cause {
	enum multi_kind kind;
	int code;
	const char *reason, *what, *hint;
} causes[] = {
	{ MULTI_USER, ESRCH, "attach/no-target",
	  "the kernel reports that the process does not exist",
	  "-p takes the pid of a running process" },
	{ MULTI_USER, EBADF, "attach/no-target", "it may not be a regular file",
	  "use a program or a library" },
	{ MULTI_USER, ENOENT, "attach/no-target", "the kernel reports that the file does not exist",
	  "use the absolute path of a program or library" },
	{ MULTI_KERNEL, ESRCH, "multi/no-function",
	  "the kernel reports that it did not find one of the names",
	  "a module may have been unloaded" },
};

static int explain(const struct multi *m, const struct multi_request *req,
		   const struct multi_functions *f, const char *name, int code, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_ATTACH, .call = CALL, .nr = __NR_bpf, .request = BPF_LINK_CREATE,
		.caps = sys_prog_caps(BPF_PROG_TYPE_PERF_EVENT),
	};

	if ((code == EINVAL || code == E2BIG) &&
	    sys_is_before(m->sys, req->target->major, req->target->minor))
		return too_old(req, code, err);
	if (code == EOPNOTSUPP || (code == KERNEL_ENOTSUPP && !name))
		return unsupported(req, f->kind, code, err);
	if (code == EPERM)
		return sys_denied(m->sys, &asked, code, err);
	if (code == E2BIG) {
		error_set(err, code, CALL ": %s: the kernel may not accept as many as %u functions",
			  error_strerror(code), f->nr);
		error_reason(err, "multi/too-many");
		return error_hint(err, "use a pattern that matches fewer");
	}
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (causes[i].kind != f->kind || causes[i].code != code ||
		    (name && f->kind != MULTI_USER))
			continue;
		error_set(err, code, CALL ": %s: %s", error_strerror(code), causes[i].what);
		error_reason(err, causes[i].reason);
		return error_hint(err, "%s", causes[i].hint);
	}
	if (name)
		return not_this_one(req, f, name, code, err);
	return sys_error_unknown(err, CALL, code, "attach/failed", "%s", multi_may_be_one(code) ?
				 "ruled out: a single untraceable function (links to single "
				 "functions are refused, too)" : "the kernel gave no other reason");
}

int multi_failed(const struct multi *m, const struct multi_request *req,
		 const struct multi_functions *f, const char *name, int code, struct error *err)
{
	explain(m, req, f, name, code, err);
	multi_show_call(req, f, code, err);
	return -code;
}
