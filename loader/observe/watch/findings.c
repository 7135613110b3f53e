// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turn facts into sentences: what was loaded and attached, what failed, and what looks wrong. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "elf/error.h"
#include "loader/base/text/names.h"
#include "loader/observe/watch/facts.h"

#define NAMES_MAX 8	/* names in one sentence */

struct findings {
	const struct facts *f;
	void (*each)(void *arg, const char *kind, const char *sentence);
	void *arg;
	char text[1024];	/* of the sentence being built */
	size_t len;
};

__attribute__((format(printf, 2, 3)))
static void add(struct findings *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(s->text + s->len, sizeof(s->text) - s->len, fmt, ap);
	va_end(ap);
	s->len += n > 0 ? n : 0;
	if (s->len >= sizeof(s->text))
		s->len = sizeof(s->text) - 1;
}

static void end(struct findings *s, const char *kind)
{
	s->each(s->arg, kind, s->text);
	s->len = 0;
	s->text[0] = '\0';
}

/* --- loaded --- */

static void list_objects(struct findings *s, enum fd_kind kind, const char *one, const char *many)
{
	unsigned int nr = 0, named = 0;
	char type[48];

	for (unsigned int i = 0; i < s->f->nr_objects; i++)
		nr += s->f->objects[i].kind == kind && !fact_is_probe(&s->f->objects[i]);
	if (!nr)
		return;
	add(s, "%s%u %s (", s->len ? ", " : "", nr, nr == 1 ? one : many);
	for (unsigned int i = 0; i < s->f->nr_objects && named < NAMES_MAX; i++) {
		const struct fact_object *o = &s->f->objects[i];

		if (o->kind != kind || fact_is_probe(o))
			continue;
		add(s, "%s", named++ ? ", " : "");
		if (kind == FD_PROG)
			add(s, "%s: %s, %u instructions", o->name[0] ? o->name : "without a name",
			    fact_prog_type(o->type, type), o->nr);
		else if (kind == FD_MAP)
			add(s, "%s: %s of %u", o->name[0] ? o->name : "without a name",
			    fact_map_type(o->type, type), o->nr);
		else
			add(s, "%u bytes", o->nr);
	}
	add(s, "%s)", nr > named ? ", ..." : "");
}

static bool by_netlink(const struct facts *f)
{
	for (unsigned int i = 0; i < f->nr_objects; i++) {
		const struct fact_object *o = &f->objects[i];

		if (o->kind == FD_PROG && !o->attached && !o->tested && !fact_is_probe(o) &&
		    (o->type == BPF_PROG_TYPE_XDP || o->type == BPF_PROG_TYPE_SCHED_CLS ||
		     o->type == BPF_PROG_TYPE_SCHED_ACT))
			return true;
	}
	return false;
}

static void loaded(struct findings *s)
{
	list_objects(s, FD_BTF, "BTF", "BTFs");
	list_objects(s, FD_MAP, "map", "maps");
	list_objects(s, FD_PROG, "program", "programs");
	if (!s->len)
		add(s, "nothing: %s", s->f->nr_calls ?
		       "no program, map or BTF was accepted by the kernel" :
		       "bpf(2) and perf_event_open(2) were not called");
	end(s, "loaded");
	if (s->f->ran_syscall_prog) {
		add(s, "a program of type syscall was run, as a light skeleton does: what it loads "
		       "inside the kernel makes no system call, and is not seen");
		end(s, "note");
	}
	if (by_netlink(s->f)) {
		add(s, "programs of network devices and qdiscs may be attached by netlink, which "
		       "is not watched");
		end(s, "note");
	}
	if (s->f->nr_foreign) {
		add(s, "%u processes made calls of another ABI (32 bits, x32), which are not "
		       "decoded", s->f->nr_foreign);
		end(s, "note");
	}
}

/* --- attached --- */

static bool same_event(const struct fact_object *a, const struct fact_object *b)
{
	return a->attr.type == b->attr.type && a->attr.config == b->attr.config &&
	       !strcmp(a->target, b->target) && a->attr.config2 == b->attr.config2 &&
	       a->tid == b->tid;
}

static bool same_attachment(const struct facts *f, const struct fact_attachment *a,
			    const struct fact_attachment *b)
{
	if (a->how != b->how || a->prog != b->prog || a->attach_type != b->attach_type ||
	    a->cookie != b->cookie || (a->event < 0) != (b->event < 0))
		return false;
	return a->event < 0 || same_event(&f->objects[a->event], &f->objects[b->event]);
}

/* The period of a clock is in nanoseconds. */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void attached_to(struct findings *s, const struct fact_attachment *a, unsigned int alike)
{
	const struct fact_object *event = a->event >= 0 ? &s->f->objects[a->event] : NULL;
	const char *type = sys_attach_type_name(a->attach_type);
	char text[200];

	if (!event) {
		add(s, "%s", a->how == BY_RAW_TRACEPOINT ? "BPF_RAW_TRACEPOINT_OPEN" :
			     a->how == BY_LINK		 ? "a link" : "BPF_PROG_ATTACH");
		if (a->how != BY_RAW_TRACEPOINT)
			add(s, " (%s)", type ? type : "unknown attach type");
	} else {
		event_text(event, text, sizeof(text));
		add(s, "%s+%s to %s", event->attr.type > PERF_TYPE_BREAKPOINT  ? "pmu" :
				      event->attr.type == PERF_TYPE_TRACEPOINT ? "tracefs" : "type",
		    a->how == BY_IOCTL ? "ioctl" : "link", text);
		if (event->attr.sample_period && event->attr.freq)
			add(s, " at %" PRIu64 " Hz", (uint64_t)event->attr.sample_freq);
		else if (event->attr.sample_period > 1 && is_clock(&event->attr))
			add(s, " each %g ms", event->attr.sample_period / 1e6);
		else if (event->attr.sample_period > 1)
			add(s, " each %" PRIu64 " events", (uint64_t)event->attr.sample_period);
		if (event->tid > 0)
			add(s, " of task %d", event->tid);
		else if (!event->tid)
			add(s, " of its own task");
		if (alike > 1 || event->cpu >= 0)
			add(s, alike > 1 ? " on %u CPUs or tasks" : " on one CPU", alike);
	}
	if (a->cookie)
		add(s, ", cookie %" PRIu64, a->cookie);
}

static void attached(struct findings *s)
{
	const struct facts *f = s->f;
	unsigned int sentences = 0;

	for (unsigned int i = 0; i < f->nr_attachments; i++) {
		const struct fact_attachment *a = &f->attachments[i];
		unsigned int alike = 1;
		bool is_first = true;

		for (unsigned int k = 0; k < f->nr_attachments; k++) {
			if (k == i || !same_attachment(f, a, &f->attachments[k]))
				continue;
			alike++;
			is_first &= k > i;
		}
		if (!is_first || ++sentences > NAMES_MAX)
			continue;
		add(s, "program %s%s by ", a->prog >= 0 ? "" : "of another process",
		    a->prog >= 0 ? f->objects[a->prog].name[0] ? f->objects[a->prog].name :
								 "without a name" : "");
		attached_to(s, a, alike);
		end(s, "attached");
	}
	if (sentences > NAMES_MAX) {
		add(s, "and in %u more ways", sentences - NAMES_MAX);
		end(s, "attached");
	}
}

/* --- refused --- */

static void refusal(struct findings *s, const struct fact_refusal *r, const char *kind)
{
	const char *errno_name = sys_errno_name(r->code);

	add(s, "%s: %s", r->what, errno_name ? errno_name : error_strerror(r->code));
	if (r->times > 1)
		add(s, ", %u times", r->times);
	if (r->instead)
		add(s, "; %s", r->instead);
	if (r->cause[0])
		add(s, "; %s%s", r->is_checked ? "" : "may be: ", r->cause);
	end(s, kind);
	if (r->hint[0] && !r->was_overcome) {
		add(s, "%s", r->hint);
		end(s, "hint");
	}
}

static bool has_failed(int status)
{
	return status >= 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool is_probe(const struct facts *f, const struct fact_refusal *r)
{
	return r->is_probe || (r->prog >= 0 && fact_is_probe(&f->objects[r->prog]));
}

static void refused(struct findings *s, int status)
{
	const struct facts *f = s->f;
	const struct fact_refusal *last = NULL;
	unsigned int sentences = 0;

	for (unsigned int i = 0; i < f->nr_refusals; i++) {
		const struct fact_refusal *r = &f->refusals[i];

		if (is_probe(f, r))
			continue;
		/* A memory limit by itself ends nothing. */
		if (!r->was_overcome && r->nr != __NR_prlimit64)
			last = r;
		else if (r->was_overcome && ++sentences <= NAMES_MAX)
			refusal(s, r, "given up");
	}
	for (unsigned int i = 0; i < f->nr_refusals; i++)
		if (!is_probe(f, &f->refusals[i]) && !f->refusals[i].was_overcome &&
		    &f->refusals[i] != last && ++sentences <= NAMES_MAX)
			refusal(s, &f->refusals[i], "refused");
	if (last) {
		refusal(s, last, has_failed(status) ? "ended by" : "refused");
	} else if (f->nr_calls && has_failed(status) && !WIFSIGNALED(status)) {
		add(s, "the kernel has refused none of these calls: if the command has failed, the "
		       "cause is in the loader, or in a file that it reads or writes");
		end(s, "note");
	}
	if (f->has_filter) {
		add(s, "a process has a filter of seccomp(2) of its own or of its container: calls "
		       "that it refuses are not seen");
		end(s, "note");
	}
}

/* --- left behind --- */

static void left(struct findings *s)
{
	const struct facts *f = s->f;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < f->nr_pins; i++) {
		if (access(f->pins[i], F_OK) || nr++ >= NAMES_MAX)
			continue;
		add(s, "%s%s", s->len ? ", " : "pins: ", f->pins[i]);
	}
	if (s->len)
		end(s, "left");
	nr = 0;
	for (unsigned int i = 0; i < f->nr_objects; i++)
		nr += f->objects[i].holders && !fact_is_probe(&f->objects[i]);
	if (nr) {
		add(s, "%u objects, which processes of the command hold that still run", nr);
		end(s, "left");
	}
}

/* --- mistakes --- */

/* A loader that failed did not get to the rest, which is not a mistake. */
static bool is_cut_short(const struct facts *f, int status)
{
	if (has_failed(status))
		return true;
	for (unsigned int i = 0; i < f->nr_refusals; i++)
		if (!f->refusals[i].was_overcome && !is_probe(f, &f->refusals[i]) &&
		    f->refusals[i].nr != __NR_prlimit64)
			return true;
	return false;
}

static void event_mistakes(struct findings *s, int status)
{
	const struct facts *f = s->f;
	const bool cut_short = is_cut_short(f, status);
	unsigned int one_cpu = 0, never = 0, unbound = 0, rate = 0;
	int cpu = -1;

	for (unsigned int i = 0; i < f->nr_objects; i++) {
		const struct fact_object *e = &f->objects[i];

		if (e->kind != FD_EVENT)
			continue;
		never += e->bound && !e->enabled;
		unbound += !e->bound && e->attr.sample_period && !e->mapped && !e->has_output;
		rate += e->attr.sample_period && !e->attr.freq && e->attr.sample_period < 1000 &&
			e->attr.sample_period > 1 && e->attr.type <= PERF_TYPE_SOFTWARE &&
			e->bound;
		/*
		 * A clock with a period instead of a frequency is a timer: one CPU is enough for
		 * it.
		 */
		if (e->bound && e->tid < 0 && e->attr.type <= PERF_TYPE_SOFTWARE &&
		    (e->attr.freq || !is_clock(&e->attr))) {
			cpu = one_cpu ? cpu : e->cpu;
			one_cpu += one_cpu == 0 || e->cpu != cpu;
		}
	}
	if (rate) {
		add(s, "sample_freq without the bit freq: the kernel takes it for a period, and "
		       "the program runs once in so few events");
		end(s, "mistake");
	}
	if (one_cpu == 1 && sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		add(s, "the event is open on CPU %d alone, of %ld: an event without a task "
		       "belongs to one CPU", cpu, sysconf(_SC_NPROCESSORS_ONLN));
		end(s, "mistake");
	}
	if (never && !cut_short) {
		add(s, "%u of the events that have a program were never enabled: attr.disabled is "
		       "1, and PERF_EVENT_IOC_ENABLE was not called", never);
		end(s, "mistake");
	}
	if (unbound && !cut_short) {
		add(s, "%u of the sampling events have no program, and no ring that is read",
		    unbound);
		end(s, "mistake");
	}
}

static void object_mistakes(struct findings *s, int status)
{
	const struct facts *f = s->f;
	const bool cut_short = is_cut_short(f, status);
	unsigned int named = 0, inherited = 0;

	for (unsigned int i = 0; i < f->nr_objects; i++)
		inherited += f->objects[i].inherited;
	if (inherited) {
		add(s, "descriptors of %u objects were inherited by a program that was executed: "
		       "perf_event_open takes PERF_FLAG_FD_CLOEXEC", inherited);
		end(s, "mistake");
	}
	for (unsigned int i = 0; i < f->nr_objects && named < NAMES_MAX; i++) {
		const struct fact_object *o = &f->objects[i];

		if (fact_is_probe(o) || o->pinned || o->holders)
			continue;
		if (o->kind == FD_PROG && f->nr_attachments && !cut_short && !o->attached &&
		    !o->tested) {
			add(s, "program %s was loaded, and never attached", o->name);
			end(s, "mistake");
			named++;
		}
		if (o->kind == FD_MAP && o->frozen_empty) {
			add(s, "map %s was frozen before anything was written to it", o->name);
			end(s, "mistake");
			named++;
		}
		if (o->kind == FD_MAP && (o->type == BPF_MAP_TYPE_RINGBUF ||
					  o->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) &&
		    !o->mapped && !o->filled && f->nr_attachments) {
			add(s, "ring %s was never read", o->name);
			end(s, "mistake");
			named++;
		}
	}
}

void findings_each(const struct facts *facts, int status,
		   void (*each)(void *arg, const char *kind, const char *sentence), void *arg)
{
	struct findings s = { .f = facts, .each = each, .arg = arg };

	loaded(&s);
	attached(&s);
	refused(&s, status);
	left(&s);
	event_mistakes(&s, status);
	object_mistakes(&s, status);
	if (facts->left_out) {
		add(&s, "%" PRIu64 " more calls are not in these findings", facts->left_out);
		end(&s, "note");
	}
}
