// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload pin: list, adopt and remove the sessions that --pin has kept. */
#include <errno.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/commands/pinned/pinned_session.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* --- list --- */

static void print_session(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "dir");
	fputs(": ", file);
	message_print_count(file, message_number(msg, "links"), "link");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "programs"), "program");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "maps"), "map");
	message_print_with(file, msg, " of ", "object", "");
	putc('\n', file);
}

struct lister {
	struct sys *sys;
	struct output *out;
};

static int list_one(void *arg, const char *dir, struct error *err)
{
	const struct lister *l = arg;
	struct pinned_session session;
	struct json_object *msg;
	int ret = pinned_session_open(l->sys, dir, false, &session, err);

	if (!ret) {
		msg = message_new("pinned-session");
		value_add_string(msg, "dir", dir);
		value_add_string(msg, "object", session.object[0] ? session.object : NULL);
		value_add_uint(msg, "links", session.links.nr);
		value_add_uint(msg, "programs", session.progs.nr);
		value_add_uint(msg, "maps", session.maps.nr);
		ret = output_message_as(l->out, msg, print_session, err);
	} else if (ret == -EPERM) {	/* another user's */
		note(l->out, "%s is left out: %s", dir, err->what);
		error_clear(err);
		ret = 0;
	}
	pinned_session_close(&session);
	return ret;
}

static int list_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct lister l = { sys, out };
	const int ret = pinned_sessions_visit(sys, list_one, &l, err);

	(void)o;
	return ret ? ret : output_flush(out, err);
}

static int list_check(const struct options *o, struct error *err)
{
	if (!o->nr_objects)
		return 0;
	return error_set(err, EINVAL, "'%s': pload pin list takes no argument", o->objects[0]);
}

/* --- the actions --- */

static const struct action {
	const char *name;
	bool reads;	/* it takes the options of maps and records */
	int (*check)(const struct options *o, struct error *err);
	int (*run)(struct sys *sys, const struct options *o, struct output *out, struct error *err);
} actions[] = {
	{ "list", false, list_check, list_run },
	{ "adopt", true, adopt_check, adopt_run },
	{ "remove", false, remove_check, remove_run },
};

static const struct action *find(const char *name)
{
	for (size_t i = 0; name && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

/* Return the options of the action, whose arguments follow its name. */
static struct options options_of(const struct options *o)
{
	struct options rest = *o;

	rest.objects++;
	rest.nr_objects--;
	return rest;
}

static int check(struct options *o, struct error *err)
{
	const char *name = o->nr_objects ? o->objects[0] : NULL;
	const struct action *action = find(name);
	struct options rest;

	if (!action) {
		if (name)
			error_set(err, EINVAL, "'%s' is not something to do with pins", name);
		else
			error_set(err, EINVAL, "what to do is not named");
		return error_hint(err, "pload pin list, pload pin adopt DIR, or pload pin remove "
				       "DIR|PIN|all");
	}
	rest = options_of(o);
	if (o->of_output && !action->reads)
		return error_set(err, EINVAL, "pload pin %s takes no --%s", name, o->of_output);
	return action->check(&rest, err);
}

static int run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	const struct options rest = options_of(o);
	const int ret = find(o->objects[0])->run(sys, &rest, out, err);

	return ret < 0 ? error_where(err, "pin %s", o->objects[0]) : ret;
}

static const struct option_group *const groups[] = { &options_output, &options_learning, NULL };

const struct command command_pin = {
	.name = "pin",
	.summary = "List pinned sessions, print their output, or end them.",
	.arguments = "list | adopt DIR | remove DIR|PIN|all...",
	.about = "list: print every session that pload has pinned, in any bpffs.\n"
		 "adopt: print the records of a session as they arrive, and at the end its maps\n"
		 "and how often its programs ran meanwhile. It needs no object, and the session\n"
		 "keeps running.\n"
		 "remove: remove the pins of a session, of all sessions, or one pin, and wait\n"
		 "until the links are gone. If something else holds a link, print it. Pins that\n"
		 "pload did not create are kept unless you name them.\n",
	.examples =
		"    pload --attach=link --pin=/sys/fs/bpf/s -d 0 prog.o"
		"  # keep a session attached\n"
		"    pload pin adopt -d 10 /sys/fs/bpf/s                "
		"  # print its output for ten seconds\n"
		"    pload pin remove /sys/fs/bpf/s                     "
		"  # end it\n",
	.groups = groups,
	.noted = &options_output,
	.check = check,
	.run = run,
};
