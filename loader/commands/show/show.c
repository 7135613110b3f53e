// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload show: print the links, events and programs of this system, and their holders. */
#include <errno.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/commands/show/show.h"
#include "loader/core/sys/number.h"

#define ALL_PARTS (INVENTORY_LINKS | INVENTORY_EVENTS | INVENTORY_PROGS)

static const struct {
	const char *word;
	unsigned int parts;
} words[] = {
	{ "links", INVENTORY_LINKS }, { "link", INVENTORY_LINKS },
	{ "progs", INVENTORY_PROGS }, { "prog", INVENTORY_PROGS },
	{ "events", INVENTORY_EVENTS }, { "event", INVENTORY_EVENTS },
	{ "all", ALL_PARTS },
};

/* Ids begin at 1. */
static bool is_id(const char *text, uint32_t *id)
{
	return !number_parse_id(text, id) && *id;
}

/* Words select the parts to show; without a word, show all. Numbers are ids. */
static int parse(const struct options *o, unsigned int *parts, struct error *err)
{
	uint32_t id;

	*parts = 0;
	for (unsigned int i = 0; i < o->nr_objects; i++) {
		size_t w = 0;

		if (is_id(o->objects[i], &id))
			continue;
		while (w < sizeof(words) / sizeof(words[0]) && strcmp(words[w].word, o->objects[i]))
			w++;
		if (w == sizeof(words) / sizeof(words[0])) {
			error_set(err, EINVAL, "'%s' is neither an id nor something to show",
				  o->objects[i]);
			return error_hint(err, "pload show [links|progs|events] [ID...]");
		}
		*parts |= words[w].parts;
	}
	*parts = *parts ? *parts : ALL_PARTS;
	return 0;
}

static int check(struct options *o, struct error *err)
{
	unsigned int parts;

	return parse(o, &parts, err);
}

/* Show the link and the program with this id; both can exist. */
static int show_id(struct show *s, uint32_t id, struct error *err)
{
	const struct inventory_link *link = NULL;
	const struct inventory_prog *prog = NULL;
	int ret = 0;

	if (s->parts & INVENTORY_LINKS)
		link = inventory_find_link(&s->attached, id);
	if (s->parts & INVENTORY_PROGS)
		prog = inventory_find_prog(&s->attached, id);
	if (!link && !prog) {
		error_set(err, ENOENT, "there is no %s with the id %u, or it cannot be seen",
			  s->parts == INVENTORY_LINKS ? "link" :
			  s->parts == INVENTORY_PROGS ? "program" : "link and no program", id);
		error_reason(err, "show/no-such-id");
		return error_hint(err, "pload show lists all links and programs, and what it "
				       "could not read");
	}
	if (link)
		ret = show_link(s, link, true, err);
	if (!ret && prog)
		ret = show_prog(s, prog, true, err);
	return ret;
}

static int show_ids(struct show *s, const struct options *o, bool *any, struct error *err)
{
	uint32_t id;
	int ret = 0;

	*any = false;
	for (unsigned int i = 0; !ret && i < o->nr_objects; i++) {
		if (!is_id(o->objects[i], &id))
			continue;
		*any = true;
		ret = show_id(s, id, err);
	}
	return ret;
}

/*
 * Events are found one by one, links and programs by id. Return true if the kernel refused all
 * requested lists and there are no events.
 */
static bool has_nothing(const struct show *s)
{
	const unsigned int lists = s->parts & ~s->attached.refused;

	return s->parts & s->attached.refused && !s->attached.nr_events &&
	       !(lists & (INVENTORY_LINKS | INVENTORY_PROGS));
}

static int show_run(struct sys *sys, const struct options *o, struct output *out,
		    struct error *err)
{
	struct show s = { .sys = sys, .out = out };
	bool ids = false, nothing;
	int ret = parse(o, &s.parts, err);

	inventory_names_init(&s.names, sys);
	if (!ret)
		ret = inventory_read(sys, &s.attached, err);
	nothing = !ret && has_nothing(&s);
	if (!ret && !nothing)
		ret = show_ids(&s, o, &ids, err);
	if (!ret && !ids)
		ret = show_parts(&s, err);
	if (!ret && nothing)
		ret = error_copy(err, &s.attached.why);
	if (ret)
		error_where(err, "show");
	inventory_free(&s.attached);
	inventory_names_free(&s.names);
	if (!ret)
		ret = output_flush(out, err);
	return ret;
}

const struct command command_show = {
	.name = "show",
	.summary = "Show links, events and programs on this system, and who holds them.",
	.arguments = "[links|progs|events] [ID...]",
	.about = "Show all links with their type, attach target, cookie and program; programs\n"
		 "that are bound to tracing events without a link; and all programs. Show which\n"
		 "processes and pins hold them, and what could not be read. With an ID, show\n"
		 "everything about the link and the program with that id.\n",
	.examples =
		"    pload show          # links, events and programs\n"
		"    pload show links 7  # everything about one link\n",
	.groups = options_learning_only,
	.check = check,
	.run = show_run,
};
