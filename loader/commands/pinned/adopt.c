// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload pin adopt: resume the output of a pinned session without its object. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/pinned/adopt.h"
#include "loader/commands/pinned/pinned_session.h"
#include "loader/core/print/stop_signals.h"
#include "loader/sessions/counting/counts.h"
#include "loader/sessions/parts/parts.h"

/* The programs continue to run: only reading ends. */
static void stop(void *arg)
{
	struct adopt *a = arg;

	if (!a->s.stopped)
		a->s.duration_ns = sys_monotonic_ns() - a->s.begin_ns;
	a->s.stopped = true;
}

/* Return true if the pinned link's name is that of an event on @cpu (pin_session.h). */
static bool is_of_cpu(const struct pinned_object *link, int cpu)
{
	const char *at = strstr(link->name, "-cpu");
	char text[32];

	for (const char *next = at; next; next = strstr(at + 1, "-cpu"))
		at = next;
	snprintf(text, sizeof(text), "-cpu%d", cpu);
	return at && (cpu < 0 || !strcmp(at, text));
}

/* A pinned event cannot be reopened, because its attributes are unknown here. */
static void cpu_gone(struct session *s, int cpu)
{
	const struct adopt *a = (const struct adopt *)s;
	unsigned int nr = 0;

	for (uint32_t i = 0; i < a->session.links.nr; i++)
		nr += is_of_cpu(&a->session.links.list[i], cpu);
	if (nr)
		note(s->out,
		     "CPU %d is offline: %u links to its events are dead, and stay dead when it "
		     "comes back: run pload pin remove %s and start the session again", cpu, nr,
		     a->session.dir);
}

/* Return true if the session depends on CPUs, through rings, counters or pinned events. */
static bool needs_cpus(const struct adopt *a)
{
	bool any = false;

	for (uint32_t i = 0; i < a->nr_maps; i++)
		any |= a->maps[i].map.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	for (uint32_t i = 0; i < a->session.links.nr; i++)
		any |= is_of_cpu(&a->session.links.list[i], -1);
	return any;
}

static int listen_and_wait(struct adopt *a, struct error *err)
{
	struct session *s = &a->s;
	int ret = session_waits(s) ? stop_signals_open(s->sys, err) : 0;

	if (ret > 0)
		s->signal_fd = ret;
	s->cpu_gone = cpu_gone;
	if (ret >= 0 && session_waits(s) && needs_cpus(a))
		ret = session_hotplug_begin(s, err);
	ret = ret < 0 ? ret : adopt_listen(a, err);
	s->begin_ns = sys_monotonic_ns();
	if (!ret && session_waits(s) && s->out->watch) {
		stdout_watch_begin(s->out->watch, s->signal_fd, stop, a);
		s->out->watch->end_ns = session_end_ns(s);
	}
	if (!ret)
		ret = adopt_print(a, err);
	if (!ret && session_waits(s)) {
		session_progress_begin(s, err);
		ret = session_wait(s, err);
	}
	stop(a);
	return ret;
}

static int adopt_all(struct adopt *a, const char *dir, struct error *err)
{
	int ret = pinned_session_open(a->s.sys, dir, true, &a->session, err);

	if (!ret)
		ret = cpu_list_read(a->s.sys, "possible", &a->possible, err);
	if (!ret)
		ret = adopt_maps(a, err);
	if (!ret)
		ret = adopt_progs(a, err);
	if (!ret)
		ret = listen_and_wait(a, err);
	if (!ret)
		ret = rings_drain(a->s.rings, err);
	if (!ret)
		ret = output_flush(a->s.out, err);
	session_read_counts(&a->s);
	if (!ret)
		ret = session_print_counts(&a->s, err);
	if (!ret)
		ret = adopt_print_summary(a, err);
	if (!ret)
		ret = output_flush(a->s.out, err);
	return ret;
}

static void end(struct adopt *a)
{
	session_end_parts(&a->s);
	adopt_free(a);
	pinned_session_close(&a->session);
}

int adopt_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct adopt *a = calloc(1, sizeof(*a));
	char dir[PATH_MAX];
	int ret, n = snprintf(dir, sizeof(dir), "%s", o->objects[0]);

	if (!a)
		return error_set(err, ENOMEM, "no memory to begin with");
	while (n > 1 && n < (int)sizeof(dir) && dir[n - 1] == '/')
		dir[--n] = '\0';
	session_init(&a->s, sys, o, out);
	a->session.sys = sys;
	a->kernel.stats_fd = -1;
	ret = adopt_all(a, dir, err);
	end(a);
	free(a);
	return ret;
}

int adopt_check(const struct options *o, struct error *err)
{
	if (o->nr_objects == 1)
		return 0;
	if (o->nr_objects)
		error_set(err, EINVAL, "'%s' after '%s': one session at a time", o->objects[1],
			  o->objects[0]);
	else
		error_set(err, EINVAL, "no directory is named");
	return error_hint(err, "as in: pload pin adopt /sys/fs/bpf/NAME, the directory of --pin");
}
