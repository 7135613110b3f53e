// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPUs that go offline and come back during a session: reopen what was open on them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/groups/groups.h"
#include "loader/core/event/scope.h"
#include "loader/events/scope/cpu_hotplug.h"
#include "loader/sessions/counting/counts.h"
#include "loader/sessions/parts/parts.h"

/* --- listen --- */

static bool asks_for_tasks(const struct options *o)
{
	return o->scope.processes || o->scope.threads || o->scope.user ||
	       (o->child && !o->all_cpus && !o->scope.cgroups);
}

/* Return true if any event, ring or counter will be open on a CPU. */
static bool needs_cpus(const struct session *s)
{
	for (uint32_t i = 0; i < s->load.object.nr_maps; i++)
		if (s->load.object.maps[i].type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			return true;
	for (uint32_t i = 0; i < s->plan.nr && !asks_for_tasks(s->options); i++)
		if (!s->plan.list[i].target && !event_is_tracing(&s->plan.list[i].spec))
			return true;
	return false;
}

int session_hotplug_begin(struct session *s, struct error *err)
{
	struct error why = { 0 };
	int ret;

	s->hotplug = calloc(1, sizeof(*s->hotplug));
	if (!s->hotplug)
		return error_set(err, ENOMEM, "no memory to listen for CPUs");
	ret = hotplug_begin(s->sys, s->hotplug, &why);
	if (ret < 0) {
		*err = why;
		return ret;
	}
	if (ret > 0)
		note(s->out,
		     "%s: checking the list of online CPUs every second instead; a CPU that comes "
		     "back sooner is missed", why.what);
	error_clear(&why);
	return 0;
}

/* --- notes --- */

struct tally {
	unsigned int events, rings, counters;
};

static size_t add_part(char *text, size_t size, size_t len, unsigned int nr, const char *what)
{
	if (!nr || len >= size)
		return len;
	return len + snprintf(text + len, size - len, "%s%u %s%s", len ? ", " : "", nr, what,
			      nr == 1 ? "" : "s");
}

/* Format "2 events, 1 ring, 1 counter"; "" if none. */
static const char *tally_text(const struct tally *t, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	len = add_part(text, size, len, t->events, "event");
	len = add_part(text, size, len, t->rings, "ring");
	add_part(text, size, len, t->counters, "counter");
	return text;
}

/* A failure on one CPU does not end the session. */
static void note_failure(struct session *s, int cpu, const char *what, struct error *why)
{
	note(s->out, "CPU %d is online, but %s: %s%s%s%s%s", cpu, what, why->where,
	     why->where[0] ? ": " : "", why->what, why->hint[0] ? "; " : "", why->hint);
	error_clear(why);
}

/* --- events --- */

static bool is_open(const struct plan_entry *entry)
{
	return !entry->target && !entry->dropped && !event_is_tracing(&entry->spec);
}

/* Return true if the scope has per-CPU events, and @cpu is in it. */
static bool is_in_scope(const struct session *s, int cpu)
{
	struct cpu_list asked = { 0 };
	bool in_scope = s->plan.nr && !event_scope_by_task(&s->scope);

	if (in_scope && s->scope.asked.cpus)
		in_scope = !cpu_list_parse(&asked, s->scope.asked.cpus, NULL) &&
			cpu_list_has(&asked, cpu);
	cpu_list_free(&asked);
	return in_scope;
}

static unsigned int close_events(struct session *s, int cpu)
{
	unsigned int nr = 0;

	for (uint32_t i = 0; i < s->plan.nr; i++) {
		struct attach_request req;

		if (!is_open(&s->plan.list[i]))
			continue;
		req = session_request(s, i);
		nr += attach_cpu_gone(s->sys, &req, cpu, &s->attachments);
	}
	return nr;
}

/*
 * Open the @nr entries, which form an event group or are single events. It is not an error if their
 * PMU does not count on this CPU. The CPU may already be offline again, which the next uevent
 * reports.
 */
static bool open_group(struct session *s, const uint32_t *entries, uint32_t nr, int cpu)
{
	struct attach_request *reqs;
	struct error why = { 0 };
	bool ok;
	int ret = session_requests(s, entries, nr, &reqs, &why);

	if (!ret)
		ret = attach_events(s->sys, reqs, nr, &s->attachments, &why);
	free(reqs);
	if (!ret)
		return true;
	ok = why.reason && !strcmp(why.reason, "scope/pmu-cpus");
	if (ok || (why.reason && !strcmp(why.reason, "perf-open/offline-cpu")))
		error_clear(&why);
	else
		note_failure(s, cpu, "an event is not open there", &why);
	return ok;
}

/* List the entries from @first to @end that are open on other CPUs. Return: their number. */
static uint32_t list_open(const struct session *s, uint32_t first, uint32_t end, uint32_t *entries)
{
	uint32_t nr = 0;

	for (uint32_t i = first; i < end; i++)
		if (is_open(&s->plan.list[i]))
			entries[nr++] = i;
	return nr;
}

/* As in session_attach(), entries that join another program's group come last. */
static bool open_all(struct session *s, uint32_t *entries, int cpu)
{
	bool ok = true;

	for (int joining = 0; joining < 2; joining++)
		for (uint32_t i = 0, next; i < s->plan.nr; i = next) {
			uint32_t nr;

			next = plan_alternatives_end(&s->plan, i);
			nr = list_open(s, i, next, entries);
			if (nr && plan_joins_group(&s->plan.list[entries[0]]) == joining)
				ok &= open_group(s, entries, nr, cpu);
		}
	return ok;
}

/*
 * Return the number of attachments on @cpu. If any of them failed, the CPU stays out of the scope,
 * and the summary lists it as skipped.
 */
static unsigned int open_events(struct session *s, int cpu)
{
	const struct cpu_list all = s->scope.cpus;
	const unsigned int before = s->attachments.nr;
	uint32_t *entries = calloc(s->plan.nr, sizeof(*entries));
	struct error why = { 0 };
	bool ok;

	s->scope.cpus = (struct cpu_list){ &cpu, 1 };
	ok = entries && open_all(s, entries, cpu);
	s->scope.cpus = all;
	if (!entries)
		note(s->out, "CPU %d is online, but there is no memory for its events", cpu);
	free(entries);
	if (attach_enable_from(s->sys, &s->attachments, before, &why) < 0) {
		note_failure(s, cpu, "cannot enable its events", &why);
		attach_undo(s->sys, &s->attachments, before);
		ok = false;
	}
	if (session_pins_replace(s, before, &why) < 0)
		note_failure(s, cpu, "whatever is open there ends with pload", &why);
	if (ok && cpu_list_add(&s->scope.cpus, cpu) < 0)
		note(s->out, "CPU %d: no memory to remember that it is online", cpu);
	return s->attachments.nr - before;
}

/* --- one CPU --- */

static void cpu_offline(struct session *s, int cpu)
{
	const struct tally dead = {
		.events = close_events(s, cpu),
		.rings = rings_cpu_gone(s->rings, cpu),
		.counters = counters_cpu_gone(s->sys, &s->counters, cpu),
	};
	char text[96];

	cpu_list_remove(&s->scope.cpus, cpu);
	if (s->cpu_gone)
		s->cpu_gone(s, cpu);
	if (tally_text(&dead, text, sizeof(text))[0])
		note(s->out, "CPU %d is offline: %s stopped until it comes back", cpu, text);
}

static void cpu_online(struct session *s, int cpu)
{
	struct tally open = { 0 };
	struct error why = { 0 };
	char text[96];
	int ret;

	/* Rings first: programs write records as soon as events are open. */
	ret = rings_cpu_online(s->rings, cpu, &why);
	if (ret < 0)
		note_failure(s, cpu, "its records are lost", &why);
	open.rings = ret < 0 ? 0 : ret;
	ret = counters_cpu_online(s->sys, &s->counters, cpu, &why);
	if (ret < 0)
		note_failure(s, cpu, "programs cannot read a counter there", &why);
	open.counters = ret < 0 ? 0 : ret;
	if (is_in_scope(s, cpu)) {
		close_events(s, cpu);	/* none, unless it came online before they were opened */
		open.events = open_events(s, cpu);
	}
	if (tally_text(&open, text, sizeof(text))[0])
		note(s->out, "CPU %d is online: %s reopened%s", cpu, text,
		     open.counters ? "; counters restart at 0" : "");
}

static void change(void *arg, int cpu, bool online)
{
	session_read_counts(arg);	/* before closing them */
	if (online)
		cpu_online(arg, cpu);
	else
		cpu_offline(arg, cpu);
}

static void end_hotplug(struct session *s)
{
	if (s->hotplug)
		hotplug_end(s->sys, s->hotplug);
	free(s->hotplug);
	s->hotplug = NULL;
}

/*
 * Close what was open on CPUs that went offline, and reopen it on those that came back. On failure,
 * print a note and continue.
 */
static void follow_cpus(struct session *s)
{
	const unsigned int lost = s->hotplug ? s->hotplug->nr_lost : 0;
	struct error why = { 0 };
	int ret;

	if (!s->hotplug || s->stopped)
		return;
	ret = hotplug_read(s->sys, s->hotplug, change, s, &why);
	if (s->hotplug->nr_lost != lost)
		note(s->out,
		     "the kernel dropped uevents because the socket queue was full: reopened "
		     "everything on all CPUs");
	if (ret >= 0)
		return;
	note(s->out, "%s%s%s: ignoring CPUs that come back from now on", why.where,
	     why.where[0] ? ": " : "", why.what);
	error_clear(&why);
	end_hotplug(s);
}

static int hotplug_fd(const struct session *s)
{
	return s->hotplug ? s->hotplug->fd : -1;
}

static int hotplug_due_ms(const struct session *s)
{
	return s->hotplug ? hotplug_waits_ms(s->hotplug) : -1;
}

static int begin_hotplug(struct session *s, struct error *err)
{
	return session_waits(s) && needs_cpus(s) ? session_hotplug_begin(s, err) : 0;
}

static int read_hotplug(struct session *s, bool ready, struct error *err)
{
	(void)err;
	if (ready || !hotplug_due_ms(s))
		follow_cpus(s);
	return 0;
}

/* The summary lists the CPUs that are now offline. */
static int hotplug_waited(struct session *s, struct error *err)
{
	(void)err;
	follow_cpus(s);
	return 0;
}

const struct session_part part_hotplug = {
	.at = { [STAGE_SCOPE] = begin_hotplug, [STAGE_WAITED] = hotplug_waited },
	.fd = hotplug_fd, .due_ms = hotplug_due_ms, .read = read_hotplug, .end = end_hotplug,
};
