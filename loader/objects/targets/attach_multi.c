// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attach a program to many functions with one link: kprobe.multi and similar. */
#include <stdlib.h>
#include <string.h>

#include "loader/objects/targets/targets.h"
#include "loader/objects/symbols/symbols.h"

/* "kretprobe.multi", "uretprobe.multi.s" run when the functions return. */
static bool returns(const struct prog_kind *kind)
{
	return !strncmp(kind->prefix + 1, "retprobe", strlen("retprobe"));
}

struct multi_request plan_multi(const struct options *o, const struct bpf_object *obj,
			       const struct plan_entry *entry)
{
	const struct object_prog *p = &obj->progs[entry->prog];

	return (struct multi_request){
		.target = entry->target, .attach_type = p->kind->attach_type,
		.returns = returns(p->kind),
		.functions = o->target.functions ? o->target.functions : p->target,
		.has_cookie = o->has_cookie, .cookie = o->cookie, .prog_fd = -1,
		.pid = plan_link_target(o, obj, entry).pid,
	};
}

struct noting {
	struct output *out;
	const char *prog;
};

static void print_note(void *arg, const char *text)
{
	const struct noting *n = arg;

	note(n->out, "prog '%s': %s", n->prog, text);
}

int session_attach_multi(struct session *s, uint32_t i, struct error *err)
{
	struct plan_entry *entry = &s->plan.list[i];
	struct multi_request req = plan_multi(s->options, &s->load.object, entry);
	struct noting noting = { s->out, s->load.object.progs[entry->prog].name };
	struct symbols files;
	const struct multi m = {
		.sys = s->sys, .types = &s->types.running, .files = &files, .note = print_note,
		.arg = &noting,
	};
	int ret;

	req.prog_fd = s->load.kernel.progs[entry->prog].fd;
	req.prog = i;
	symbols_init(&files, s->sys, getenv("PATH"));
	ret = multi_attach(&m, &req, &s->attachments, err);
	symbols_free(&files);
	if (ret < 0)
		return ret;
	entry->nr_functions = ret;
	return 0;
}
