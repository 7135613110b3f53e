// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shared by the tests of lifetimes: a session in a child, its counters, and its end. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/lifetime/life.h"

/* --- the events --- */

const struct life_kind life_kinds[] = {
	{ "page-faults", "counted", "page-faults,period=1", false, "counted-cpu",
	  "\"where\":\"page-faults\"" },
	{ "breakpoint", "counted", "mem:%p/8:w", true, "counted-cpu", "\"perf_type\":5" },
	{ "tracepoint", "traced", "sched:sched_switch", false, "traced\"",
	  "\"where\":\"tracepoint sched_switch\"" },
};

/* --- a session --- */

static bool knows_cookies(struct regress *t)
{
	struct firing_prog p;
	struct error err = { 0 };

	regress_ok(t, firing_prog_load(t->sys, &p, BPF_PROG_TYPE_PERF_EVENT, 1, &err), &err,
		   "a program");
	firing_prog_close(t->sys, &p);
	return p.has_cookie;
}

void life_begin(struct regress *t, struct life *l, const struct life_kind *k)
{
	const char *address = strstr(k->event, "%p");
	struct event_spec spec;

	*l = (struct life){ .kind = k, .with_cookie = knows_cookies(t), .map_fd = -1 };
	if (address) {
		regress_needs_breakpoint(t);
		snprintf(l->event, sizeof(l->event), "%.*s%p%s", (int)(address - k->event),
			 k->event, (void *)&firing_watched, address + 2);
	} else {
		snprintf(l->event, sizeof(l->event), "%s", k->event);
	}
	regress_event(t, &spec, l->event);
	l->work = firing_work_find(&spec)->unit;
	own_dir_make(t, &l->bpffs, "bpf");
	snprintf(l->dir, sizeof(l->dir), "%s/session", l->bpffs.dir);
	command_name(l->name);
	l->object = command_use(t, "life");
}

void life_end(struct life *l)
{
	if (l->map_fd >= 0)
		close(l->map_fd);
	close(l->object);
	own_dir_end(&l->bpffs);
}

void life_kill(struct regress *t, const struct life *l, const char *args,
			   const char *first)
{
	struct command_child c;
	char line[640];

	snprintf(line, sizeof(line), "--set=wanted=%s --set=with_cookie=%d --format=json %s OBJ",
		 l->name, l->with_cookie, args);
	if (!command_start_and_kill(&c, line, first))
		command_refused(t, c.line);
}

void life_pin(struct regress *t, struct life *l)
{
	char args[512], path[128];

	snprintf(args, sizeof(args), "--attach=link --cookie=%" PRIu64 " --prog=%s -e %s --pin=%s",
		 BOUND_COOKIE, l->kind->prog, l->event, l->dir);
	life_kill(t, l, args, "\"type\":\"pinned\"");
	snprintf(path, sizeof(path), "%s/maps/counts", l->dir);
	l->map_fd = regress_ok(t, kernel_obj_get(t->sys, path), NULL, "the map that was pinned");
}

/* --- counting --- */

struct life_counted life_counts(struct regress *t, const struct life *l)
{
	struct life_counted c = { 0 };
	uint32_t zero = 0;

	regress_ok(t, map_lookup(t->sys, l->map_fd, &zero, &c), NULL, "reading what was counted");
	return c;
}

uint64_t life_during(struct regress *t, const struct life *l)
{
	const uint64_t before = life_counts(t, l).runs;

	for (int i = 0; i < LIFE_UNITS; i++)
		l->work();
	return life_counts(t, l).runs - before;
}

void life_counting(struct regress *t, const struct life *l, const char *when)
{
	const uint64_t runs = life_during(t, l);

	regress_expect(t, l->kind->exact ? runs == LIFE_UNITS : runs >= LIFE_UNITS,
		       "%s: %" PRIu64 " runs for %d times", when, runs, LIFE_UNITS);
}

struct asking {
	struct regress *t;
	const struct life *l;
};

static bool stands_still(void *arg)
{
	const struct asking *a = arg;

	return !life_during(a->t, a->l);
}

void life_ended(struct regress *t, const struct life *l)
{
	struct asking asking = { t, l };

	regress_expect(t, regress_until(stands_still, &asking), "it goes on running");
}

pid_t life_writing(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;) {
			firing_watched++;
			usleep(100);
		}
	return pid;
}

void life_written(pid_t pid)
{
	if (pid <= 0)	/* -1 would be everybody */
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
