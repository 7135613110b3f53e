// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From an object file to running programs, and back: session_run() lists the stages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/link_target.h"
#include "loader/core/event/scope.h"
#include "loader/core/print/stop_signals.h"
#include "loader/core/session/part.h"

void session_init(struct session *s, struct sys *sys, const struct options *o, struct output *out)
{
	*s = (struct session){
		.sys = sys, .options = o, .out = out, .child = CHILD_NONE,
		.signal_fd = -1, .map_fd = -1, .end_fd = -1, .watched = "",
	};
	out->version_due = true;
	loading_types_init(&s->types, sys, &o->load);
	s->attachments.probes = (struct probes){ .note = note_text, .note_arg = out,
						 .symbols = &s->types.running.symbols };
}

static int session_open(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	int ret;

	sys_stage(s->sys, "open: read the object file");
	ret = loading_check_files(&s->types, &o->load, err);

	if (!ret)
		ret = loading_begin(&s->load, s->sys, s->out, &o->load, &s->types, o->objects[0],
				    err);
	if (session_waits(s))	/* otherwise no element gets a name */
		s->load.stack_fields = &s->stack_fields;
	if (!ret && !s->load.object.license[0])
		note(s->out, "the object has no license: the kernel will refuse GPL-only helpers");
	return ret;
}

int session_begin_scope(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct event_scope_options asked = o->scope;
	int ret = session_stage(s, STAGE_SCOPE, err);

	if (ret < 0)
		return ret;
	if (!o->all_cpus && !asked.processes && !asked.threads && !asked.user && !asked.cgroups)
		asked.command = s->child.pid;
	return event_scope_init(s->sys, &s->scope, &asked, err);
}

/*
 * Decide what each program attaches to. Any error that can be found without loading a program is
 * found here.
 */
static int session_plan(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	const struct bpf_object *obj = &s->load.object;
	const struct event_expand_hooks hooks = plan_event_hooks(s);
	int ret;

	sys_stage(s->sys, "plan: an event or link target for each program");
	ret = plan_create(s->sys, o, &s->load, &s->plan, &hooks, err);

	if (!ret)
		ret = session_stage(s, STAGE_PLANNED, err);
	if (!ret)
		ret = session_begin_scope(s, err);
	if (!ret)
		ret = plan_resolve(s->sys, o, obj, getenv("PATH"), &s->plan, &hooks, err);
	if (!ret)
		ret = cookie_check(o, obj, &s->plan, err);
	return ret;
}

/* Detach all programs, so that the map contents printed later are consistent. */
static void session_stop(struct session *s)
{
	int ret;

	if (!s->stopped)
		sys_stage(s->sys, "stop: read the counts, detach");
	session_stop_parts(s);
	if (!s->stopped && s->begin_ns)
		s->duration_ns = sys_monotonic_ns() - s->begin_ns;
	s->stopped = true;
	ret = attach_close(s->sys, &s->attachments);
	session_parts_detached(s);
	if (ret < 0)
		note(s->out, "BPF_PROG_DETACH: %s: a map keeps its program", error_strerror(-ret));
}

static void stop(void *session)
{
	session_stop(session);
}

int session_block_signals(struct session *s, struct error *err)
{
	int ret = s->signal_fd < 0 ? stop_signals_open(s->sys, err) : 0;

	if (ret <= 0)
		return ret;
	s->signal_fd = ret;
	stdout_watch_begin(s->out->watch, ret, stop, s);
	return 0;
}

static bool pins_maps(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (object_map_is_pinned(&obj->maps[i]))
			return true;
	return false;
}

static int session_load(struct session *s, struct error *err)
{
	int ret;

	sys_stage(s->sys, "load: types and maps, then programs");
	ret = pins_maps(&s->load.object) ? session_block_signals(s, err) : 0;
	if (ret)
		return ret;
	/* Without cookies, USDT programs find their arguments by instruction pointer. */
	s->load.externs.no_cookies = s->plan.usdt.nr && !s->options->method->takes_cookie;
	ret = loading_maps(&s->load, err);
	if (!ret)
		ret = plan_fill(&s->load, &s->plan, s->options, err);
	for (uint32_t i = 0; !ret && i < s->load.object.nr_progs; i++)
		if (s->load.wanted[i])
			ret = load_program(&s->load, i, err);
	if (!ret)
		ret = loading_finish(&s->load, err);
	if (!ret && session_waits(s))
		kernel_start_counting(s->sys, &s->load.kernel);
	return ret;
}

struct attach_request session_request(struct session *s, uint32_t i)
{
	const struct options *o = s->options;
	const struct plan_entry *entry = &s->plan.list[i];
	struct attach_request req = {
		.method = o->method, .spec = &entry->spec, .scope = &s->scope,
		.period = o->period, .freq = o->freq,
		.prog_fd = -1, .prog_type = event_prog_type(&entry->spec), .prog = i,
		.on_exec = s->scope.tasks == TASK_SCOPE_COMMAND,
	};

	if (entry->spec.counts)
		return req;
	req.prog_fd = s->load.kernel.progs[entry->prog].fd;
	req.prog_type = s->load.object.progs[entry->prog].kind->prog_type;
	req.sleepable = s->load.object.progs[entry->prog].kind->prog_flags & BPF_F_SLEEPABLE;
	req.has_cookie = cookie_of(o, entry, &req.cookie);
	return req;
}

int session_attach_event(struct session *s, uint32_t first, uint32_t *end, bool late,
			 struct error *err)
{
	const struct attach_request req = session_request(s, first);

	*end = first + 1;
	return late ? 0 : attach_prog(s->sys, &req, &s->attachments, err);
}

static int session_attach(struct session *s, struct error *err)
{
	session_attach_fn *const attach = plan_attach_events();
	int ret;

	sys_stage(s->sys, "attach: open events, bind programs, enable");
	ret = session_block_signals(s, err);
	for (int late = 0; late < 2; late++) {
		for (uint32_t i = 0, end; !ret && i < s->plan.nr; i = end) {
			const struct plan_entry *entry = &s->plan.list[i];

			end = i + 1;
			if (!entry->target)
				ret = attach(s, i, &end, late, err);
			else if (!late)
				ret = plan_attach(s, i, err);
			if (ret < 0) {
				error_where(err, "prog '%s'",
					    s->load.object.progs[entry->prog].name);
				error_where(err, "%s", s->load.object.name);
			}
		}
	}
	if (!ret)
		ret = session_stage(s, STAGE_BOUND, err);
	if (!ret)
		ret = attach_enable(s->sys, &s->attachments, err);
	return ret;
}

int session_start(struct session *s, struct error *err)
{
	int ret;

	if (s->options->pin || s->child.pid)
		sys_stage(s->sys, "start: pins, and the command");
	ret = session_stage(s, STAGE_ENABLED, err);
	if (ret)
		return ret;
	s->begin_ns = sys_monotonic_ns();
	if (session_waits(s))
		ret = session_stage(s, STAGE_BEGUN, err);
	if (ret)
		return ret;
	if (session_waits(s) && s->out->watch)
		s->out->watch->end_ns = session_end_ns(s);
	ret = session_stage(s, STAGE_READY, err);
	if (!ret && s->options->attached_fd)
		sys_write(s->sys, s->options->attached_fd, "\n", 1);
	return ret;
}

static int session_report(struct session *s, struct error *err)
{
	int ret;

	sys_stage(s->sys, "report: records, map contents, summary");
	ret = session_stage(s, STAGE_DRAIN, err);
	if (!ret)
		ret = session_summary(s, err);
	if (!ret)	/* do this while signals and the end time can still interrupt it */
		ret = output_flush(s->out, err);
	return ret ? ret : session_stage(s, STAGE_PRINTED, err);
}

static void session_end(struct session *s)
{
	sys_stage(s->sys, "end: close whatever is still open");
	sys_close_fd(s->sys, &s->map_fd);
	session_end_parts(s);
	free(s->noted);
	event_scope_free(s->sys, &s->scope);
	plan_free(&s->plan);
	loading_end(&s->load);
	loading_types_free(&s->types);
}

int session_finish(struct session *s, int ret, struct error *err)
{
	const char *pin = s->options->pin;

	session_stop(s);	/* detach the programs */
	session_finish_parts(s);	/* the command ends */
	if (!ret)
		ret = session_report(s, err);	/* map contents, summary */
	if (ret && s->pins.is_made)
		note(s->out, "the links stay pinned: pload pin adopt %s resumes the session, "
			     "pload pin remove %s ends it", pin, pin);
	if (!ret || !s->child.runs)	/* execve(2) failed: exit like a shell */
		s->out->status = child_status(&s->child);
	if (!ret && s->lossy && s->options->strict)
		s->out->status = EXIT_LOSS;
	session_end(s);
	return ret;
}

int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct session s;
	int ret;

	session_init(&s, sys, o, out);
	ret = session_open(&s, err);	/* read the object file */
	if (!ret)
		ret = session_plan(&s, err);	/* an event or link target for each program */
	if (!ret)
		ret = session_load(&s, err);	/* maps, then programs */
	if (!ret)
		ret = session_stage(&s, STAGE_LOADED, err);	/* rings, stacks, bpf_printk() */
	if (!ret)
		ret = plan_run(&s, err);	/* replaces the next three */
	if (!ret) {
		ret = session_attach(&s, err);	/* open events, bind programs, enable */
		if (!ret)
			ret = session_start(&s, err);	/* pin them, start the command */
		if (!ret)
			ret = session_wait(&s, err);	/* print records until the session ends */
	}
	return session_finish(&s, ret < 0 ? ret : 0, err);
}
