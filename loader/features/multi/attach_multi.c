// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From patterns to a link, and what is done about the function for which the kernel says no. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loader/features/multi/multi_internal.h"

/* So many that a pattern matches may be left out, each found by some twenty links at most. */
#define LEFT_OUT_MAX 16

void multi_note(const struct multi *m, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!m->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	m->note(m->arg, text);
}

int multi_check(const struct multi_request *req, struct error *err)
{
	const enum multi_kind kind = multi_kind(req->attach_type);
	struct patterns patterns;
	int ret;

	if (kind == MULTI_USER && (!req->functions || !strchr(req->functions, ':'))) {
		error_set(err, EINVAL, "%s is attached to functions of a file, and none are named",
			  req->target->name);
		error_reason(err, "attach/no-target");
		return error_hint(err, "SEC(\"%s/PATH:PATTERN\"), or --functions=PATH:PATTERN",
				  req->target->name);
	}
	if (!req->functions || !req->functions[0]) {
		error_set(err, EINVAL, "%s is attached to functions, and none are named",
			  req->target->name);
		error_reason(err, "attach/no-target");
		return error_hint(err, "SEC(\"%s/PATTERN\"), or --functions=PATTERN",
				  req->target->name);
	}
	if (kind == MULTI_USER)
		return 0;
	ret = patterns_parse(&patterns, req->functions, err);
	patterns_free(&patterns);
	return ret;
}

/* What is about some of the functions, and not about the call. */
static bool may_be_one(int code)
{
	return code == EINVAL || code == ENOENT || code == ESRCH || code == EBUSY ||
	       code == EADDRNOTAVAIL || code == KERNEL_ENOTSUPP;
}

/* Whether a link can be made of @nr places from the @from-th on; it is closed again. */
static bool works(const struct multi *m, const struct multi_request *req,
		  const struct multi_targets *p, uint32_t from, uint32_t nr)
{
	int fd = multi_link(m->sys, req, p, from, nr);
	const bool ok = fd >= 0;

	sys_close_fd(m->sys, &fd);
	return ok;
}

/* As many of the first are asked, when it may be that nothing works at all. */
#define ASKED_MAX 4

/*
 * The function that the kernel refuses among those of @p, found by halves. Returns its index, or
 * -1: it is none of them alone.
 */
static int64_t find_refused(const struct multi *m, const struct multi_request *req,
			    const struct multi_targets *p)
{
	uint32_t from = 0, nr = p->nr;
	bool any = false;	/* of which a link can be made */

	if (p->nr == 1)
		return 0;
	while (nr > 1) {
		const uint32_t half = nr / 2;

		if (works(m, req, p, from, half)) {
			any = true;
			from += half;
			nr -= half;
		} else {
			nr = half;
		}
	}
	for (uint32_t i = 1; !any && i < p->nr && i < ASKED_MAX; i++)
		any = works(m, req, p, i, 1);
	return any && !works(m, req, p, from, 1) ? (int64_t)from : -1;
}

static int link_without(const struct multi *m, const struct multi_request *req,
			struct multi_targets *p, struct error *err)
{
	const uint32_t all = p->nr;
	char left[512] = "";
	size_t len = 0;
	int fd;

	while ((fd = multi_link(m->sys, req, p, 0, p->nr)) < 0) {
		const int64_t refused = may_be_one(-fd) ? find_refused(m, req, p) : -1;

		if (refused < 0 || p->exact || p->nr == 1 || all - p->nr == LEFT_OUT_MAX) {
			multi_failed(m, req, p, refused < 0 ? NULL : p->list[refused].name, -fd,
				     err);
			if (all - p->nr == LEFT_OUT_MAX)
				error_hint(err, "nor does it take %.400s; a narrower pattern",
					   left);
			return fd;
		}
		if (len < sizeof(left))
			len += snprintf(left + len, sizeof(left) - len, "%s%s", len ? ", " : "",
					p->list[refused].name);
		multi_targets_remove(p, refused);
	}
	if (len)
		multi_note(m, "left out, as the kernel does not take %s: %s",
			   all - p->nr == 1 ? "it" : "them", left);
	return fd;
}

int multi_attach(const struct multi *m, const struct multi_request *req, struct attach_set *set,
		 struct error *err)
{
	struct multi_targets p = { .kind = multi_kind(req->attach_type) };
	int ret = p.kind == MULTI_USER	 ? find_user_functions(m, req, &p, err)
		  : p.kind == MULTI_TYPE ? find_fentry_functions(m, req, &p, err)
					 : find_kernel_functions(m, req, &p, err);

	if (ret >= 0)
		ret = link_without(m, req, &p, err);
	if (ret >= 0)
		ret = attach_add_link(m->sys, set, ret, req->prog, err);
	if (ret >= 0) {
		set->list[set->nr - 1].is_kprobe = p.kind == MULTI_KERNEL;
		ret = p.nr;
	} else {
		error_where(err, "%.200s (%s)", req->functions, req->target->name);
	}
	multi_targets_free(&p);
	return ret;
}
