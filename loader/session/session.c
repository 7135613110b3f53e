// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The line from a file to a program that fires, and back. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/output/interruptible_stdout.h"
#include "loader/session/session.h"

static int load(struct session *s, struct error *err)
{
	int ret;

	/* By another method they have none, and know their USDT probes by address. */
	s->load.externs.no_cookies = s->plan.usdt.nr && !s->options->method->takes_cookie;
	ret = loading_maps(&s->load, err);
	if (!ret)
		ret = usdt_fill(&s->load, &s->plan.usdt, s->options->cookie, err);
	for (uint32_t i = 0; !ret && i < s->load.object.nr_progs; i++)
		if (s->load.wanted[i])
			ret = loading_program(&s->load, i, err);
	if (!ret)
		ret = loading_finish(&s->load, err);
	if (!ret && session_waits(s))
		kernel_start_counting(s->sys, &s->load.kernel);
	return ret;
}

static int attach_point(struct session *s, uint32_t i, struct error *err)
{
	const struct plan_entry *entry = &s->plan.list[i];
	struct link_target_request req = plan_link_target(s->options, &s->load.object, entry);

	if (req.target->kind == TARGET_STRUCT_OPS)	/* when all its programs are there */
		return 0;
	if (req.target->kind == TARGET_FUNCTIONS)
		return session_attach_multi(s, i, err);
	req.prog_fd = s->load.kernel.progs[entry->prog].fd;
	req.prog = i;
	if (link_target_map_types(req.target, req.section_target)) {
		req.map_fd = session_target_map(s, entry, err);
		if (req.map_fd < 0)
			return req.map_fd;
	}
	return link_target_bind(s->sys, &req, &s->attachments, err);
}

/* Everything but those that join the group of another program's event; then these. */
static int attach_those(struct session *s, bool joining, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0, next; !ret && i < s->plan.nr; i = next) {
		next = alternatives_end(s, i);
		if (session_joins(&s->plan.list[i]) != joining)
			continue;
		ret = s->plan.list[i].target ? attach_point(s, i, err) :
					      attach_alternatives(s, i, next, err);
		if (ret < 0) {
			error_where(err, "prog '%s'",
				    s->load.object.progs[s->plan.list[i].prog].name);
			error_where(err, "%s", s->load.object.name);
		}
	}
	return ret;
}

static int attach(struct session *s, struct error *err)
{
	int ret = attach_those(s, false, err);

	if (!ret)
		ret = attach_those(s, true, err);
	if (!ret)
		ret = session_attach_struct_ops(s, err);
	if (!ret && s->options->no_enable && s->plan.nr_events)
		note(s->out, "the events stay disabled: perf_event programs will not run; "
		     "those of tracepoints and probes run all the same");
	else if (!ret)
		ret = attach_enable(s->sys, &s->attachments, err);
	return ret;
}

/* Nothing runs any more after it: what is printed of the maps belongs together. */
static void stop(void *arg)
{
	struct session *s = arg;
	int ret;

	if (!s->stopped)
		s->duration_ns = sys_monotonic_ns() - s->begin_ns;
	s->stopped = true;
	session_detach_struct_ops(s);
	ret = attach_close(s->sys, &s->attachments);
	if (ret < 0)
		note(s->out, "BPF_PROG_DETACH: %s: a map keeps its program", error_strerror(-ret));
}

static void be_patient(struct session *s)
{
	if (s->out->watch)
		*s->out->watch = (struct stdout_watch){
			.active = true, .signal_fd = s->signal_fd, .end_ns = session_end_ns(s),
			.stop = stop, .arg = s,
		};
}

static bool makes_probes(const struct session *s)
{
	for (uint32_t i = 0; i < s->plan.nr; i++)
		if (!s->plan.list[i].target && event_is_probe(&s->plan.list[i].spec))
			return true;
	return false;
}

static int start_child(struct session *s, struct error *err)
{
	if (session_waits(s))
		return child_start(s->sys, &s->child, err);
	note(s->out, "with -d 0 the command is not run");
	return 0;
}

/* The command ends with the session, which waits for it: its status is what pload exits with. */
static void end_child(struct session *s)
{
	child_end(s->sys, &s->child, s->from_terminal ? 0 : SIGTERM,
		  s->signal_fd > 0 ? s->signal_fd : -1);
}

/* A child of ours waits from here on until everything is attached. */
static int begin_scope(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct event_scope_options asked = o->scope;
	int ret = o->child ? child_begin(s->sys, s->out, &s->child, o->child, err) : 0;

	if (ret < 0)
		return ret;
	if (!o->all_cpus && !asked.processes && !asked.threads && !asked.user && !asked.cgroups)
		asked.command = s->child.pid;
	return event_scope_init(s->sys, &s->scope, &asked, err);
}

static int run_attached(struct session *s, struct error *err)
{
	/* A probe of tracefs outlives who is killed: no signal may come between. */
	int ret = session_waits(s) || makes_probes(s) ? stop_signals_open(s->sys, err) : 0;

	if (ret > 0)
		s->signal_fd = ret;
	if (ret >= 0)
		ret = attach(s, err);
	if (!ret && s->options->pin)
		ret = session_pins_create(s, err);
	if (!ret)
		kernel_keep_pins(&s->load.kernel);
	s->begin_ns = sys_monotonic_ns();
	if (!ret && session_waits(s)) {
		session_watch(s);
		be_patient(s);
	}
	if (!ret && s->pins.is_made)
		ret = session_pins_report(s, err);
	if (!ret && s->child.pid)
		ret = start_child(s, err);
	if (!ret && session_waits(s))
		ret = session_iterate(s, err);
	if (!ret && session_waits(s) && (s->child.pid || !session_has_iterated(s)))
		ret = session_wait(s, err);
	stop(s);
	end_child(s);
	return ret;
}

static void session_end(struct session *s)
{
	session_detach_struct_ops(s);
	attach_close(s->sys, &s->attachments);
	end_child(s);
	if (s->out->watch)	/* what it watches is closed now */
		s->out->watch->active = false;
	if (s->map_fd > 0)
		sys_close_fd(s->sys, &s->map_fd);
	if (s->end_fd > 0)
		sys_close_fd(s->sys, &s->end_fd);
	if (s->signal_fd > 0)
		sys_close_fd(s->sys, &s->signal_fd);
	counters_close(s->sys, &s->counters);
	rings_free(s->rings);
	hotplug_end(s->sys, &s->hotplug);
	event_scope_free(s->sys, &s->scope);
	plan_free(&s->plan);
	loading_end(&s->load);
	loading_types_free(&s->types);
}

int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct session s = { .sys = sys, .options = o, .out = out };
	const struct event_say say = session_say(&s);
	int ret;

	loading_types_init(&s.types, sys, &o->load);
	s.attachments.probes = (struct probes){ .note = note_text, .note_arg = out,
						.symbols = &s.types.running.symbols };
	ret = loading_check_files(&s.types, &o->load, err);
	if (!ret)
		ret = loading_begin(&s.load, sys, out, &o->load, &s.types, o->objects[0], err);
	if (!ret && !s.load.object.license[0])
		note(out,
		     "the object has no license: what the kernel has for GPL-compatible programs "
		     "only is refused; --license=GPL");
	if (!ret)
		ret = plan_make(sys, o, &s.load, &s.plan, &say, err);
	if (!ret && o->pin)
		ret = session_pins_check(&s, err);
	if (!ret && session_waits(&s) && session_needs_cpus(&s))
		ret = session_hotplug_begin(&s, err);
	if (!ret)
		ret = begin_scope(&s, err);
	if (!ret)
		ret = resolve_uprobes(sys, o, &s.load.object, getenv("PATH"), &s.plan, &say, err);
	if (!ret)
		ret = plan_cookie(o, &s.load.object, &s.plan, err);
	if (!ret)
		ret = load(&s, err);
	if (!ret)
		ret = session_listen(&s, err);
	if (!ret)
		ret = o->test_runs ? session_test_run(&s, err) : run_attached(&s, err);
	if (!ret)
		ret = rings_drain(s.rings, err);
	if (!ret)
		ret = session_report(&s, err);
	if (!ret)	/* while somebody listens who can end it */
		ret = output_flush(out, err);
	if (!ret)
		session_pins_note(&s);
	if (ret && s.pins.is_made)
		note(out,
		     "the links stay: pload adopt %s goes on with them, pload detach %s ends them",
		     o->pin, o->pin);
	if (!ret || !s.child.started)
		out->status = child_status(&s.child);
	session_end(&s);
	return ret;
}
