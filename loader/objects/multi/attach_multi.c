// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the functions and create the link. If the kernel refuses one function, it refuses the whole
 * link without reporting which: find the function by bisection and leave it out.
 *
 *	[ a b c d e f g h ]	-EINVAL
 *	[ a b c d ]		works: it is in the other half
 *	        [ e f ]		-EINVAL
 *	        [ e ]		works: f is refused
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"

/* Maximum functions left out; finding each takes up to twenty trial links. */
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
		error_set(err, EINVAL, "%s is attached to functions in a file, but none are given",
			  req->target->name);
		error_reason(err, "attach/no-target");
		return error_hint(err, "SEC(\"%s/PATH:PATTERN\"), or --functions=PATH:PATTERN",
				  req->target->name);
	}
	if (!req->functions || !req->functions[0]) {
		error_set(err, EINVAL, "%s is attached to functions, but none are given",
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

bool multi_may_be_one(int code)
{
	return code == EINVAL || code == ENOENT || code == ESRCH || code == EBUSY ||
	       code == EADDRNOTAVAIL || code == KERNEL_ENOTSUPP;
}

/* Return true if @nr functions from @from on can be linked. Closes the link. */
static bool works(const struct multi *m, const struct multi_request *req,
		  const struct multi_functions *f, uint32_t from, uint32_t nr)
{
	int fd = multi_link(m->sys, req, f, from, nr);
	const bool ok = fd >= 0;

	sys_close_fd(m->sys, &fd);
	return ok;
}

/* How many single functions to try before giving up, if neither half works. */
#define SINGLES_MAX 4

/* Return the index of the function that the kernel refuses, or -1 if that is not a single one. */
static int64_t find_refused(const struct multi *m, const struct multi_request *req,
			    const struct multi_functions *f)
{
	uint32_t from = 0, nr = f->nr;
	bool any = false;	/* some functions can be linked */

	if (f->nr == 1)
		return 0;
	while (nr > 1) {
		const uint32_t half = nr / 2;

		if (works(m, req, f, from, half)) {
			any = true;
			from += half;
			nr -= half;
		} else {
			nr = half;
		}
	}
	for (uint32_t i = 1; !any && i < f->nr && i < SINGLES_MAX; i++)
		any = works(m, req, f, i, 1);
	return any && !works(m, req, f, from, 1) ? (int64_t)from : -1;
}

static int link_without(const struct multi *m, const struct multi_request *req,
			struct multi_functions *f, struct error *err)
{
	const uint32_t all = f->nr;
	char left[512] = "";
	size_t len = 0;
	int fd;

	while ((fd = multi_link(m->sys, req, f, 0, f->nr)) < 0) {
		int64_t refused;

		/*
		 * With a descriptor, the offsets refer to the file that was read, even if the path
		 * now leads to another file. Before Linux 7.2, the kernel accepts only a path.
		 */
		if (fd == -EINVAL && f->path_fd >= 0) {
			f->path_fd = -1;
			continue;
		}
		refused = multi_may_be_one(-fd) ? find_refused(m, req, f) : -1;
		if (refused < 0 || f->exact || f->nr == 1 || all - f->nr == LEFT_OUT_MAX) {
			multi_failed(m, req, f, refused < 0 ? NULL : f->list[refused].name, -fd,
				     err);
			if (all - f->nr == LEFT_OUT_MAX)
				error_hint(err,
					   "the kernel also refuses %.400s; use a narrower pattern",
					   left);
			return fd;
		}
		if (len < sizeof(left))
			len += snprintf(left + len, sizeof(left) - len, "%s%s", len ? ", " : "",
					f->list[refused].name);
		multi_functions_remove(f, refused);
	}
	if (len)
		multi_note(m, "left out, because the kernel refuses %s: %s",
			   all - f->nr == 1 ? "it" : "them", left);
	return fd;
}

int multi_attach(const struct multi *m, const struct multi_request *req, struct attach_set *set,
		 struct error *err)
{
	struct multi_functions f = { .kind = multi_kind(req->attach_type), .path_fd = -1 };
	int ret = f.kind == MULTI_USER	 ? find_user_functions(m, req, &f, err)
		  : f.kind == MULTI_TYPE ? find_fentry_functions(m, req, &f, err)
					 : find_kernel_functions(m, req, &f, err);

	if (ret >= 0)
		ret = link_without(m, req, &f, err);
	if (ret >= 0)
		ret = attach_add_link(m->sys, set, ret, req->prog, err);
	if (ret >= 0) {
		set->list[set->nr - 1].is_kprobe = f.kind == MULTI_KERNEL;
		ret = f.nr;
	} else {
		error_where(err, "%.200s (%s)", req->functions, req->target->name);
	}
	multi_functions_free(&f);
	return ret;
}
