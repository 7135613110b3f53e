// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lifetimes of sessions that are not pinned, and of records that nobody reads. */
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/lifetime/life.h"

/* --- a session that is not pinned --- */

/*
 * The programs of the session: that of the kind, and one that writes a record once all is attached;
 * a breakpoint has only the latter. Nothing of the session is pinned but the map with the counters.
 */
static void unpinned_args(const struct life *l, char *args, size_t size, const char *method)
{
	char own[256] = "";

	if (!l->kind->exact)
		snprintf(own, sizeof(own), "--prog=%s -e %s", l->kind->prog, l->event);
	snprintf(args, size,
		 "--attach=%s --set=wanted=%s --set=with_cookie=%d %s --prog=into_ring "
		 "-e mem:%p/8:w --map=counts.pin=%s/counts --record=record --format=json OBJ",
		 method, l->name, l->with_cookie, own, (void *)&firing_watched, l->bpffs.dir);
}

static void begin_unpinned(struct regress *t, struct life *l, struct command_child *c)
{
	const struct life_unpinned *u = t->data;
	char args[512], path[64];
	pid_t writer;
	bool came;

	regress_needs_breakpoint(t);
	life_begin(t, l, &life_kinds[u->kind]);
	unpinned_args(l, args, sizeof(args), u->method);
	writer = life_writing();
	came = command_start(c, args, "\"type\":\"record\"");
	life_written(writer);
	if (!came)
		command_refused(t, c->line);
	snprintf(path, sizeof(path), "%s/counts", l->bpffs.dir);
	l->map_fd = regress_ok(t, kernel_obj_get(t->sys, path), NULL, path);
	unlink(path);
}

void life_test_ends(struct regress *t)
{
	struct command_child c;
	struct life l;

	begin_unpinned(t, &l, &c);
	command_end(&c);
	regress_expect(t, life_counts(t, &l).runs > 0, "it has never run");
	life_ended(t, &l);
	life_end(&l);
}

void life_test_seen(struct regress *t)
{
	const struct life_unpinned *u = t->data;
	struct command_child c;
	struct command_said s;
	struct life l;

	begin_unpinned(t, &l, &c);
	s = command_say("show --format=json");
	command_ok(t, &s);
	regress_expect(t, strstr(s.out, u->shown), "show does not say %s", u->shown);
	command_forget(&s);
	command_end(&c);
	life_end(&l);
}

/* --- rings --- */

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

#define RECORD "\"value\":{\"magic\":1818846821"

static unsigned int records_of_adopt(struct regress *t, const struct life *l)
{
	struct command_said s = command_say("pin adopt -d 0 --format=json %s", l->dir);
	unsigned int nr;

	command_ok(t, &s);
	nr = occurrences(s.out, RECORD);
	command_forget(&s);
	return nr;
}

static void start_ring(struct regress *t, struct life *l, const char *prog)
{
	char args[512];

	life_begin(t, l, &life_kinds[LIFE_BREAKPOINT]);
	snprintf(args, sizeof(args), "--attach=link --prog=%s -e %s --record=record --pin=%s", prog,
		 l->event, l->dir);
	life_kill(t, l, args, "\"type\":\"pinned\"");
	for (int i = 0; i < LIFE_UNITS; i++)
		l->work();
}

static void detach(struct regress *t, struct life *l)
{
	struct command_said s = command_say("pin remove %s", l->dir);

	command_ok(t, &s);
	regress_expect(t, s.ret == 0, "detach: %s", s.out);
	command_forget(&s);
	life_end(l);
}

void life_test_ringbuf(struct regress *t)
{
	struct life l;
	unsigned int nr;

	start_ring(t, &l, "into_ring");
	nr = records_of_adopt(t, &l);
	regress_expect(t, nr == LIFE_UNITS, "%u records of %d are read by who adopts it", nr, LIFE_UNITS);
	l.work();
	nr = records_of_adopt(t, &l);
	regress_expect(t, nr == 1, "%u records are read by the next, after one more", nr);
	detach(t, &l);
}

/*
 * A perf ring ends with the process that opened it. Until another process opens one, records are
 * dropped.
 */
void life_test_perf_ring(struct regress *t)
{
	struct command_child c;
	struct life l;
	unsigned int nr;
	char args[128];
	pid_t writer;
	bool came;

	start_ring(t, &l, "into_events");
	nr = records_of_adopt(t, &l);
	regress_expect(t, !nr, "%u records of the time without a reader", nr);
	writer = life_writing();
	snprintf(args, sizeof(args), "pin adopt --format=json %s", l.dir);
	came = command_start_and_kill(&c, args, RECORD);
	life_written(writer);
	regress_expect(t, came, "who adopts it reads no records: %s", c.line);
	detach(t, &l);
}
