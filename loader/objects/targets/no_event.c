// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why a program cannot run on an event: it needs another section or option. */
#include <errno.h>
#include <string.h>

#include "loader/objects/targets/targets.h"
#include "loader/base/text/names.h"

static int no_event_of_its_type(const struct object_prog *p, struct error *err)
{
	const struct link_target *target =
		link_target_find(p->kind->prog_type, p->kind->attach_type);

	error_set(err, EINVAL, "section \"%s\" (%s) does not run on perf events", p->section,
		  sys_prog_type_name(p->kind->prog_type));
	error_reason(err, "attach/prog-type");
	if (!target || target->kind == TARGET_NONE)
		return error_hint(err, "%s; select one of several with --prog=NAME",
				  target ? target->hint : "pload load only loads it");
	return error_hint(err, "attach it with --attach=link%s%s; select one of several with "
			       "--prog=NAME",
			  target->kind == TARGET_DEVICE ? " to --dev=NAME" :
			  target->kind == TARGET_CGROUP ? " to --cgroup=DIR" : "",
			  target->prog_type == BPF_PROG_TYPE_XDP ||
			  target->prog_type == BPF_PROG_TYPE_SCHED_CLS ?
				  ", or run it on a packet with --test-run" : "");
}

/* Show how the section name of a probe program specifies its target. */
static int hint_probe(const struct object_prog *p, struct error *err)
{
	const char *prefix = p->kind->prefix;
	const char *target = strstr(prefix, "syscall") ? "openat" :
			     !strncmp(prefix, "usdt", 4) ? "/usr/bin/python3:python:gc__start" :
			     prefix[0] == 'u' ? "/bin/bash:readline" : "do_exit";

	return error_hint(err, "SEC(\"%s/%s\"), or -e %.*s:%s", prefix, target,
			  (int)strcspn(prefix, "."), prefix, target);
}

static int explain(const struct object_prog *p, struct error *err)
{
	switch (p->kind->prog_type) {
	case BPF_PROG_TYPE_TRACEPOINT:
		error_set(err, EINVAL, "section \"%s\" does not name a tracepoint", p->section);
		error_reason(err, "attach/no-target");
		return error_hint(
			err, "use SEC(\"tp/sched/sched_switch\"), or -e sched:sched_switch");
	case BPF_PROG_TYPE_KPROBE:
		if (p->kind->attach_type) {
			error_set(err, EINVAL,
				  "section \"%s\" is for many functions, which need a link",
				  p->section);
			error_reason(err, "attach/prog-type");
			return error_hint(err,
					  "use --attach=link; select one of several with "
					  "--prog=NAME");
		}
		error_set(err, EINVAL,
			  "section \"%s\" does not name anything to probe", p->section);
		error_reason(err, "attach/no-target");
		return hint_probe(p, err);
	default:
		return no_event_of_its_type(p, err);
	}
}

void explain_plan(struct sys *sys, const void *prog, struct error *err)
{
	(void)sys;
	explain(prog, err);
}
