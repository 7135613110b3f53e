// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload step: run a session, record its calls, and show them one at a time. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/attach/attach.h"
#include "loader/commands/commands.h"
#include "loader/core/print/message.h"
#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"
#include "loader/core/value/value.h"

static int print_json(FILE *file, const struct recording *r, struct error *err)
{
	for (size_t i = 0; i < json_object_array_length(r->steps); i++) {
		const char *text = value_json(json_object_array_get_idx(r->steps, i), NULL);

		if (!text)
			return error_set(err, ENOMEM, "no memory for a step");
		fprintf(file, "%s\n", text);
	}
	return 0;
}

static void print_text(FILE *file, const struct recording *r)
{
	const size_t columns = step_columns(fileno(file));

	for (size_t i = 0; i < json_object_array_length(r->steps); i++)
		step_print(file, r, i, columns);
	step_print_end(file, r, columns);
}

/* Record the session of the method or, with --methods, of each method in turn. */
static int record(struct recording *list, unsigned int *nr, struct sys *sys,
		  const struct options *o, struct error *err)
{
	const unsigned int all = o->step_methods ? attach_nr_methods : 1;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < all; i++) {
		const struct attach_method *method = all > 1 ? &attach_methods[i] : o->method;

		ret = recording_make(&list[(*nr)++], sys, o, method, err);
	}
	return ret;
}

static int show(const struct options *o, const struct recording *list, unsigned int nr,
		struct output *out, struct error *err)
{
	if (!strcmp(o->format->name, "html"))
		return step_print_page(out->file, o->objects[0], list, nr, err);
	if (!o->format->digest)
		return print_json(out->file, list, err);
	if (nr > 1)
		return methods_print(out->file, list, nr, err);
	if (!o->output && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return step_browse(out->file, list);
	print_text(out->file, list);
	return 0;
}

static int step_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct recording list[METHODS_MAX] = { 0 };
	unsigned int nr = 0;
	int ret = record(list, &nr, sys, o, err);

	if (!ret)
		ret = show(o, list, nr, out, err);
	for (unsigned int i = 0; i < nr; i++) {
		if (!ret && list[i].refused.code)
			out->status = 1;
		recording_free(&list[i]);
	}
	return ret;
}

/* A session without -d would last until ^C; the first samples arrive within a second. */
static int check(struct options *o, struct error *err)
{
	const int ret = command_default.check(o, err);

	if (!ret && o->seconds < 0 && !o->child)
		o->seconds = o->dry_run ? 0 : 1;
	return ret;
}

static const struct output_format formats[] = {
	{ .name = "text", .digest = true },
	{ .name = "html" },
	{ 0 },
};

static const struct option_row rows[] = {
	{ "methods", 0, NULL,
	  "Run the session with each method, and print the calls side by side.",
	  OPTION_FLAG, OPTION_FIELD(step_methods), NULL, NULL },
	{ 0 },
};

static const struct option_group step_group = { "Steps", rows };

static const struct option_group *const groups[] = {
	&step_group,
	&options_events, &options_scope, &options_output, &options_attaching, &options_targets,
	&options_loading, &options_kernel_types, &options_learning, NULL,
};

const struct command command_step = {
	.name = "step",
	.summary = "Show the system calls of a session a step at a time, and who holds whom.",
	.arguments = "prog.o [-- COMMAND [ARGUMENT...]]",
	.records = true,
	.runs_child = true,
	.about = "Run a session for one second (or -d), or simulate it (--dry-run), and show each\n"
		 "system call: the reason for it, its attributes, the instructions it passes, the\n"
		 "line of pload that makes it, and who holds whom afterwards. On a terminal,\n"
		 "Enter goes forward, b goes back, /TEXT searches and q quits.\n",
	.examples =
		"    pload step --dry-run prog.o              # without privileges\n"
		"    pload step --attach=link prog.o | less   # all steps\n"
		"    pload step --format=html -o s.html prog.o  # a page for a browser\n"
		"    pload step --methods prog.o              # all methods side by side\n",
	.groups = groups,
	.formats = formats,
	.check = check,
	.run = step_run,
};
