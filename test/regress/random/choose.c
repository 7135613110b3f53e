// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses a random step that suits the state of the model, mostly one that is permitted. */
#include <stddef.h>

#include "test/regress/random/walk.h"

/* splitmix64 */
uint32_t walk_random(struct walk *w, uint32_t below)
{
	uint64_t x = w->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) >> 32) % below;
}

static bool chance(struct walk *w, unsigned int percent)
{
	return walk_random(w, 100) < percent;
}

/* A process that lives, or one that does not; -1: there is none. */
static int process(struct walk *w, const struct model *m, bool alive, int but)
{
	int found = -1;

	for (int who = 0, nr = 0; who < NR_PROCS; who++)
		if (m->alive[who] == alive && who != but && !walk_random(w, ++nr))
			found = who;
	return found;
}

/* The event of the process's latest steps; -1: none of these was about an event. */
static int focus(const struct walk *w, const struct model *m, int who)
{
	const struct life *life = &w->progress->life;

	for (unsigned int i = life->nr; i > 0 && i + 8 > life->nr; i--) {
		const struct op *op = &life->ops[i - 1];
		const int fd = op->code == OP_LINK_CREATE ? op->fd2 : op->fd;

		if (op->code != OP_FIRE && op->who == who && fd >= 0 &&
		    m->files[who][fd].kind == EVENT)
			return fd;
	}
	return -1;
}

/* A descriptor of that kind; of any, at times. -1: there is none. What many steps share has a history. */
static int descriptor(struct walk *w, const struct model *m, int who, enum kind kind)
{
	int found = -1;

	if (kind != NOTHING && chance(w, 3))
		return walk_random(w, NR_FDS);
	if (kind == EVENT && chance(w, 40))
		found = focus(w, m, who);
	if (found >= 0)
		return found;
	for (int fd = 0, nr = 0; fd < NR_FDS; fd++)
		if (m->files[who][fd].kind == kind && !walk_random(w, ++nr))
			found = fd;
	return found;
}

static int any_object(struct walk *w, const struct model *m, int who)
{
	static const enum kind kinds[] = { EVENT, LINK, LINK, PROG, PROG, MAP };

	return descriptor(w, m, who, kinds[walk_random(w, 6)]);
}

/* A uprobe comes and goes with a grace period, so that it is rarer. */
static enum event_type type(struct walk *w)
{
	static const enum event_type types[] = { TRACEPOINT, TRACEPOINT, TRACEPOINT, PAGE_FAULTS,
						 PAGE_FAULTS, BREAKPOINT, BREAKPOINT, UPROBE,
						 URETPROBE };
	enum event_type chosen;

	do
		chosen = types[walk_random(w, sizeof(types) / sizeof(types[0]))];
	while (!w->world.has[chosen]);
	return chosen;
}

static bool has_breakpoint(const struct model *m)
{
	unsigned int i = 0;

	while (i < m->nr_events && !(m->events[i].alive && m->events[i].type == BREAKPOINT))
		i++;
	return i < m->nr_events;
}

/* How a life begins. The others begin with anything. */
enum { INHERITING_LIFE, GROUP_LIFE, ARRAY_LIFE, LIMIT_LIFE, DROPPING_LIFE, LIMITED_GROUP_LIFE,
       NR_LIVES = 9 };

/* Return whether the events of this life are for limits: of a task, not inherited, with a period. */
static bool has_limits(const struct walk *w)
{
	return w->begins >= LIMIT_LIFE && w->begins <= LIMITED_GROUP_LIFE;
}

/* Joins a group as the kernel permits it: the task of its leader, and inherited like that. */
static void join(struct walk *w, const struct model *m, struct op *op)
{
	const struct event *leader;

	op->fd2 = descriptor(w, m, op->who, EVENT);
	if (op->fd2 < 0 || m->files[op->who][op->fd2].kind != EVENT || chance(w, 10))
		return;
	leader = &m->events[m->events[m->files[op->who][op->fd2].object].leader];
	for (int fd = 0; fd < NR_FDS; fd++)
		if (m->files[op->who][fd].kind == EVENT &&
		    &m->events[m->files[op->who][fd].object] == leader)
			op->fd2 = fd;
	op->other = leader->task;
	op->flags = (op->flags & ~INHERIT) | (leader->inherit ? INHERIT : 0);
}

static bool open_event(struct walk *w, const struct model *m, struct op *op)
{
	op->what = type(w);
	op->n = chance(w, 25) ? 0 : chance(w, 60) ? 1 : 2 + walk_random(w, 2);
	op->other = chance(w, 60) ? op->who : process(w, m, !chance(w, 3), -1);
	if (chance(w, 15))
		op->other = -1;
	op->flags = (chance(w, 40) ? INHERIT : 0) | (chance(w, 40) ? DISABLED : 0);
	if (has_limits(w) && chance(w, 80)) {
		const enum event_type often = w->begins != LIMITED_GROUP_LIFE ? BREAKPOINT :
					      !w->progress->life.nr || chance(w, 40) ? UPROBE : URETPROBE;

		if (w->world.has[often] && chance(w, 70))
			op->what = often;
		op->n = 1;
		op->other = op->who;
		op->flags &= ~INHERIT;
	}
	if (chance(w, w->begins == GROUP_LIFE || w->begins == LIMITED_GROUP_LIFE ? 80 :
		   has_limits(w) ? 20 : 40))
		join(w, m, op);
	/* Other processes write at that address, too. */
	if (op->what == BREAKPOINT && op->other < 0)
		op->other = op->who;
	/* Memory may fault at other addresses at any time, which would bring a period out of step. */
	if (op->what == PAGE_FAULTS)
		op->n = op->n > 0;
	/* Since 6.12 such a member counts when another user reschedules its leader: docs/findings.md. */
	if (op->what == PAGE_FAULTS && op->other < 0)
		op->fd2 = -1;
	if (op->what == BREAKPOINT && w->world.one_breakpoint && has_breakpoint(m))
		return false;
	return m->nr_events < NR_EVENTS / 2;
}

static const enum prog_type fits[] = { FOR_TRACEPOINT, FOR_PROBE, FOR_PROBE, FOR_SAMPLES,
				       FOR_SAMPLES };

/* Prefer a program that fits the event. */
static int program(struct walk *w, const struct model *m, int who, int event)
{
	int fd = -1;

	for (int tries = 0; tries < 6; tries++) {
		fd = descriptor(w, m, who, PROG);
		if (event < 0 || fd < 0 || m->files[who][event].kind != EVENT ||
		    m->files[who][fd].kind != PROG ||
		    m->progs[m->files[who][fd].object].type ==
		    fits[m->events[m->files[who][event].object].type])
			break;
	}
	return fd;
}

/* Limits and periods would be used up by what others do, or by faults elsewhere. */
static bool is_exact(const struct model *m, const struct op *op)
{
	const struct descriptor file = m->files[op->who][op->fd];

	return file.kind != EVENT || (m->events[file.object].task >= 0 &&
				      m->events[file.object].type != PAGE_FAULTS);
}

static bool modify(struct walk *w, const struct model *m, struct op *op)
{
	const struct descriptor file = m->files[op->who][op->fd];

	op->what = walk_random(w, 2);
	op->n = 1;
	if (file.kind == EVENT) {
		op->n = m->events[file.object].period;
		op->flags = m->events[file.object].inherit ? INHERIT : 0;
	}
	op->flags ^= (chance(w, 20) ? INHERIT : 0) | (chance(w, 40) ? DISABLED : 0);
	if (chance(w, 10))
		op->n++;
	return true;
}

static bool is_grouped(const struct model *m, struct descriptor file)
{
	if (file.kind != EVENT)
		return false;
	for (unsigned int i = 0; i < m->nr_events; i++)
		if (m->events[i].alive && (int)i != m->events[i].leader &&
		    ((int)i == file.object || m->events[i].leader == file.object))
			return true;
	return false;
}

static bool fill_event(struct walk *w, const struct model *m, struct op *op)
{
	op->fd = descriptor(w, m, op->who, EVENT);
	if (op->fd < 0)
		return false;
	switch (op->code) {
	case OP_SET_BPF:
		op->fd2 = program(w, m, op->who, op->fd);
		return op->fd2 >= 0;
	case OP_REFRESH:
		op->n = walk_random(w, 4);
		return is_exact(m, op);
	case OP_PERIOD:
		op->n = chance(w, 5) ? 0 : 1 + walk_random(w, 3);
		return is_exact(m, op);
	case OP_MODIFY:
		return modify(w, m, op);
	case OP_SET_OUTPUT:
		op->fd2 = chance(w, 50) ? descriptor(w, m, op->who, EVENT) : -1;
		return true;
	default:
		op->flags = chance(w, is_grouped(m, m->files[op->who][op->fd]) ? 60 : 10) ? GROUP : 0;
		return true;
	}
}

static bool fill_new(struct walk *w, const struct model *m, struct op *op)
{
	int event;

	op->fd = descriptor(w, m, op->who, NOTHING);
	if (op->fd < 0)
		return false;
	switch (op->code) {
	case OP_MAP_CREATE:
		return m->nr_maps < NR_OBJECTS;
	case OP_PROG_LOAD:
		event = descriptor(w, m, op->who, EVENT);
		op->fd2 = chance(w, 30) ? descriptor(w, m, op->who, MAP) : -1;
		op->what = walk_random(w, NR_PROG_TYPES);
		if (event >= 0 && m->files[op->who][event].kind == EVENT && chance(w, 70))
			op->what = fits[m->events[m->files[op->who][event].object].type];
		op->flags = chance(w, 50) ? RETURNS_1 : 0;
		return m->nr_progs < NR_OBJECTS;
	case OP_OPEN:
		return open_event(w, m, op);
	case OP_LINK_CREATE:
		op->fd2 = descriptor(w, m, op->who, EVENT);
		op->other = program(w, m, op->who, op->fd2);
		op->n = walk_random(w, chance(w, 50) ? 4 : UINT32_MAX);
		return op->fd2 >= 0 && op->other >= 0 && m->nr_links < NR_OBJECTS;
	case OP_DUP:
		op->fd2 = any_object(w, m, op->who);
		return op->fd2 >= 0;
	case OP_GETFD:
		op->other = process(w, m, !chance(w, 3), op->who);
		op->fd2 = op->other < 0 ? -1 : any_object(w, m, op->other);
		return op->fd2 >= 0;
	case OP_OBJ_GET:
		op->what = walk_random(w, NR_PINS);
		return m->pins[op->what].kind != NOTHING || chance(w, 10);
	default:	/* RECEIVE */
		return m->nr_transit || chance(w, 10);
	}
}

static bool fill_old(struct walk *w, const struct model *m, struct op *op)
{
	if (op->code == OP_TASK_QUERY)
		op->other = process(w, m, !chance(w, 3), -1);
	if (op->code == OP_TASK_QUERY && op->other < 0)
		return false;
	op->fd = op->code == OP_TASK_QUERY ? descriptor(w, m, op->other, EVENT) :
		 op->code == OP_LINK_UPDATE || op->code == OP_LINK_DETACH ?
		 descriptor(w, m, op->who, LINK) : op->code == OP_READ ?
		 descriptor(w, m, op->who, EVENT) : any_object(w, m, op->who);
	if (op->code == OP_LINK_UPDATE)
		op->fd2 = descriptor(w, m, op->who, PROG);
	op->what = walk_random(w, NR_PINS);
	if (op->code == OP_SEND && m->nr_transit == NR_TRANSIT)
		return false;
	return op->fd >= 0 && (op->code != OP_LINK_UPDATE || op->fd2 >= 0);
}

static unsigned int nr_inherited(const struct model *m)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < m->nr_events; i++)
		nr += m->events[i].alive && m->events[i].parent >= 0;
	return nr;
}

static bool fill_fire(struct walk *w, const struct model *m, struct op *op)
{
	const int fd = chance(w, has_limits(w) ? 80 : 50) ? focus(w, m, op->who) : -1;
	const struct event *event = fd < 0 ? NULL : &m->events[m->files[op->who][fd].object];

	op->what = event ? event->type : type(w);
	op->n = 1 + walk_random(w, 5);
	op->fd = event ? event->variable : walk_random(w, 2);
	return true;
}

static bool fill_rest(struct walk *w, const struct model *m, struct op *op)
{
	switch (op->code) {
	case OP_UNPIN:
		op->what = walk_random(w, NR_PINS);
		return m->pins[op->what].kind != NOTHING || chance(w, 10);
	case OP_FORK:
		op->other = process(w, m, false, -1);
		return op->other >= 0 && nr_inherited(m) < 24;
	case OP_EXIT:
		return process(w, m, true, op->who) >= 0;
	case OP_KILL:
		op->other = process(w, m, true, op->who);
		return op->other >= 0;
	case OP_FIRE:
		return fill_fire(w, m, op);
	default:
		return true;
	}
}

/* How often a step is chosen. */
static const uint8_t weights[NR_OPS] = {
	[OP_MAP_CREATE] = 2, [OP_PROG_LOAD] = 10, [OP_OPEN] = 12, [OP_SET_BPF] = 10,
	[OP_LINK_CREATE] = 14, [OP_LINK_UPDATE] = 2, [OP_LINK_DETACH] = 1, [OP_ENABLE] = 6,
	[OP_DISABLE] = 5, [OP_RESET] = 4, [OP_REFRESH] = 4, [OP_PERIOD] = 4, [OP_MODIFY] = 4,
	[OP_SET_OUTPUT] = 1, [OP_READ] = 8, [OP_INFO] = 5, [OP_TASK_QUERY] = 4, [OP_QUERY_BPF] = 3,
	[OP_DUP] = 5, [OP_SEND] = 4, [OP_RECEIVE] = 4, [OP_GETFD] = 4, [OP_CLOSE] = 18, [OP_PIN] = 5,
	[OP_UNPIN] = 4, [OP_OBJ_GET] = 4, [OP_TASK_DISABLE] = 3, [OP_TASK_ENABLE] = 2, [OP_FORK] = 6,
	[OP_EXEC] = 2, [OP_EXIT] = 2, [OP_KILL] = 2, [OP_FIRE] = 30,
};

static enum op_code code(struct walk *w)
{
	unsigned int sum = 0, at, i = 0;

	for (unsigned int op = 0; op < NR_OPS; op++)
		sum += weights[op];
	for (at = walk_random(w, sum); at >= weights[i]; i++)
		at -= weights[i];
	return i;
}

static bool fill(struct walk *w, const struct model *m, struct op *op)
{
	switch (op->code) {
	case OP_SET_BPF:
	case OP_ENABLE:
	case OP_DISABLE:
	case OP_RESET:
	case OP_REFRESH:
	case OP_PERIOD:
	case OP_MODIFY:
	case OP_SET_OUTPUT:
	case OP_QUERY_BPF:
		return fill_event(w, m, op);
	case OP_MAP_CREATE:
	case OP_PROG_LOAD:
	case OP_OPEN:
	case OP_LINK_CREATE:
	case OP_DUP:
	case OP_RECEIVE:
	case OP_GETFD:
	case OP_OBJ_GET:
		return fill_new(w, m, op);
	case OP_LINK_UPDATE:
	case OP_LINK_DETACH:
	case OP_READ:
	case OP_INFO:
	case OP_TASK_QUERY:
	case OP_SEND:
	case OP_CLOSE:
	case OP_PIN:
		return fill_old(w, m, op);
	default:
		return fill_rest(w, m, op);
	}
}

/*
 * Most lives begin with what is rare otherwise: a program on an event that a child may inherit, a
 * group, events of one tracepoint, an event or a group that has reached its limit, samples that are
 * dropped.
 */
static enum op_code beginning(struct walk *w)
{
	static const enum op_code codes[][6] = {
		[INHERITING_LIFE] = { OP_OPEN, OP_PROG_LOAD, OP_LINK_CREATE, OP_FORK, OP_FIRE, OP_FORK },
		[GROUP_LIFE] = { OP_OPEN, OP_OPEN, OP_OPEN, OP_OPEN, OP_FORK, OP_FIRE },
		[ARRAY_LIFE] = { OP_OPEN, OP_PROG_LOAD, OP_SET_BPF, OP_OPEN, OP_PROG_LOAD, OP_SET_BPF },
		[LIMIT_LIFE] = { OP_OPEN, OP_REFRESH, OP_FIRE, OP_REFRESH, OP_PERIOD, OP_FIRE },
		[DROPPING_LIFE] = { OP_OPEN, OP_PROG_LOAD, OP_SET_BPF, OP_REFRESH, OP_FIRE, OP_FIRE },
		[LIMITED_GROUP_LIFE] = { OP_OPEN, OP_REFRESH, OP_OPEN, OP_OPEN, OP_FIRE, OP_FIRE },
	};
	const unsigned int nr = w->progress->life.nr;

	return w->begins > LIMITED_GROUP_LIFE || nr >= 6 || chance(w, 10) ? code(w) : codes[w->begins][nr];
}

/* Often the process that made the last step. */
static int actor(struct walk *w, const struct model *m)
{
	const struct life *life = &w->progress->life;
	const int last = life->nr ? life->ops[life->nr - 1].who : 0;

	return m->alive[last] && chance(w, 40) ? last : process(w, m, true, -1);
}

static void choose_one(struct walk *w, const struct model *m, struct op *op)
{
	do
		*op = (struct op){ .code = beginning(w), .who = actor(w, m), .fd = -1, .fd2 = -1,
				   .other = -1, .what = -1 };
	while (!fill(w, m, op));
}

void walk_choose(struct walk *w, const struct model *m, struct op *op)
{
	const struct life *life = &w->progress->life;
	const enum op_code last = life->nr ? life->ops[life->nr - 1].code : OP_FIRE;
	struct op second;

	if (!life->nr)
		w->begins = walk_random(w, NR_LIVES);
	choose_one(w, m, op);
	choose_one(w, m, &second);
	/* Weights say how often a step is of use; of two the pair that was rarer, by weight. */
	if (w->pairs[last][second.code] * weights[op->code] <
	    w->pairs[last][op->code] * weights[second.code])
		*op = second;
	w->pairs[last][op->code]++;
}
