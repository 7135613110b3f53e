// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Create the link: bpf(BPF_LINK_CREATE) with arrays of cnt elements each.
 *
 *	link_create.	kprobe_multi		uprobe_multi		tracing_multi
 *	functions	addrs, or syms		path_fd or path,	ids
 *						offsets
 *	cookies		cookies			cookies			cookies
 *	other		flags			flags, pid		-
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/multi/multi_internal.h"
#include "loader/core/sys/refused.h"

/* The arrays that attr points to; NULL: not passed. */
struct arrays {
	const char **names;
	uint64_t *at, *cookies;
	uint32_t *ids;
};

static void arrays_free(struct arrays *a)
{
	free(a->names);
	free(a->at);
	free(a->cookies);
	free(a->ids);
}

/* Fill in @a. Return false if out of memory. */
static bool arrays_init(struct arrays *a, const struct multi_request *req,
			const struct multi_functions *f, uint32_t from, uint32_t nr)
{
	*a = (struct arrays){ 0 };
	if (f->by_name)
		a->names = calloc(nr, sizeof(*a->names));
	else if (f->kind == MULTI_TYPE)
		a->ids = calloc(nr, sizeof(*a->ids));
	else
		a->at = calloc(nr, sizeof(*a->at));
	if (req->has_cookie)
		a->cookies = calloc(nr, sizeof(*a->cookies));
	if ((!a->names && !a->ids && !a->at) || (req->has_cookie && !a->cookies))
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		const struct multi_function *one = &f->list[from + i];

		if (a->names)
			a->names[i] = one->name;
		else if (a->ids)
			a->ids[i] = one->at;
		else
			a->at[i] = one->at;
		if (a->cookies)
			a->cookies[i] = req->cookie;
	}
	return true;
}

struct link_call {
	union bpf_attr attr;
	unsigned int size;
	struct arrays arrays;
};

static unsigned int fill_kernel(union bpf_attr *attr, const struct multi_request *req,
				const struct arrays *a, uint32_t nr)
{
	attr->link_create.kprobe_multi.flags = req->returns ? BPF_F_KPROBE_MULTI_RETURN : 0;
	attr->link_create.kprobe_multi.cnt = nr;
	attr->link_create.kprobe_multi.syms = attr_pointer(a->names);
	attr->link_create.kprobe_multi.addrs = attr_pointer(a->at);
	attr->link_create.kprobe_multi.cookies = attr_pointer(a->cookies);
	return ATTR_SIZE(link_create.kprobe_multi.cookies);
}

static unsigned int fill_user(union bpf_attr *attr, const struct multi_request *req,
			      const struct arrays *a, const struct multi_functions *f, uint32_t nr)
{
	attr->link_create.uprobe_multi.offsets = attr_pointer(a->at);
	attr->link_create.uprobe_multi.cookies = attr_pointer(a->cookies);
	attr->link_create.uprobe_multi.cnt = nr;
	attr->link_create.uprobe_multi.flags = req->returns ? BPF_F_UPROBE_MULTI_RETURN : 0;
	attr->link_create.uprobe_multi.pid = req->pid;
	if (f->path_fd >= 0) {
		attr->link_create.uprobe_multi.flags |= BPF_F_UPROBE_MULTI_PATH_FD;
		attr->link_create.uprobe_multi.path_fd = f->path_fd;
		return ATTR_SIZE(link_create.uprobe_multi.path_fd);
	}
	attr->link_create.uprobe_multi.path = attr_pointer(f->path);
	return ATTR_SIZE(link_create.uprobe_multi.pid);
}

static unsigned int fill_types(union bpf_attr *attr, const struct arrays *a, uint32_t nr)
{
	attr->link_create.tracing_multi.ids = attr_pointer(a->ids);
	attr->link_create.tracing_multi.cookies = attr_pointer(a->cookies);
	attr->link_create.tracing_multi.cnt = nr;
	return ATTR_SIZE(link_create.tracing_multi.cnt);
}

static bool call_make(struct link_call *call, const struct multi_request *req,
		      const struct multi_functions *f, uint32_t from, uint32_t nr)
{
	union bpf_attr *attr = &call->attr;

	memset(attr, 0, sizeof(*attr));
	attr->link_create.prog_fd = req->prog_fd;
	attr->link_create.attach_type = req->attach_type;
	if (!arrays_init(&call->arrays, req, f, from, nr))
		return false;
	call->size = f->kind == MULTI_USER   ? fill_user(attr, req, &call->arrays, f, nr)
		     : f->kind == MULTI_TYPE ? fill_types(attr, &call->arrays, nr)
					     : fill_kernel(attr, req, &call->arrays, nr);
	return true;
}

int multi_link(struct sys *sys, const struct multi_request *req, const struct multi_functions *f,
	       uint32_t from, uint32_t nr)
{
	struct link_call call;
	int ret = -ENOMEM;

	if (call_make(&call, req, f, from, nr))
		ret = sys_bpf(sys, BPF_LINK_CREATE, &call.attr, call.size);
	arrays_free(&call.arrays);
	return ret;
}

void multi_show_call(const struct multi_request *req, const struct multi_functions *f, int code,
		     struct error *err)
{
	struct link_call call;

	if (call_make(&call, req, f, 0, f->nr))
		sys_error_bpf(err, BPF_LINK_CREATE, &call.attr, call.size, code);
	arrays_free(&call.arrays);
}
