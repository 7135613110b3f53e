// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload load: load objects one after the other, and print one line for each. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/commands/load.h"
#include "loader/core/print/stop_signals.h"
#include "loader/sessions/pins/pin_files.h"
#include "loader/core/session/plan.h"
#include "loader/core/print/message.h"
#include "loader/core/sys/refused.h"

static int refuse(struct load_result *r, uint32_t prog, struct error *err)
{
	struct load_refusal *list = array_grow(r->refused, r->nr_refused, sizeof(*list));

	if (!list)
		return error_set(err, ENOMEM, "no memory for what was refused");
	r->refused = list;
	sys_relative_files(r->l->sys, err);
	list[r->nr_refused++] = (struct load_refusal){ .prog = prog, .err = *err };
	memset(err, 0, sizeof(*err)); /* the list owns its log now */
	return 0;
}

/* Return true if the error concerns only one program, so that others may still load. */
static bool is_of_program(const struct error *err)
{
	return err->code != -ENOMEM && err->code != -EMFILE && err->code != -ENFILE &&
	       !sys_is_denial(err->reason);
}

static int load_programs(struct loading *l, struct load_result *r)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->object.nr_progs; i++) {
		if (!l->wanted[i])
			continue;
		ret = load_program(l, i, &r->err);
		if (!ret)
			r->nr_loaded++;
		else if (r->options->skip_failing && is_of_program(&r->err))
			ret = refuse(r, i, &r->err);
	}
	if (!ret && r->nr_refused && !r->nr_loaded) {
		ret = error_set(&r->err, ENOEXEC, "none of its %u programs can be loaded",
				r->nr_wanted);
		error_reason(&r->err, "prog-load/none");
	}
	return ret;
}

/* Use the file name up to its first dot as a directory name. */
static void object_name(char out[NAME_MAX], const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char stem[NAME_MAX];

	snprintf(stem, sizeof(stem), "%.*s", (int)strcspn(base, "."), base);
	pins_name(out, NAME_MAX, stem[0] ? stem : "object");
}

/* Check load targets before the first system call that loads something. */
static int check_targets(struct loading *l, struct load_result *r)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->object.nr_progs; i++) {
		if (!l->wanted[i])
			continue;
		r->nr_wanted++;
		if (!r->options->skip_failing)
			ret = loading_check_target(l, i, &r->err);
	}
	return ret;
}

/* If there are several objects, each has a directory of its own name. */
static int pin(struct sys *sys, const struct options *o, const char *path, char *dir, size_t size,
	       struct load_result *r)
{
	char name[NAME_MAX];
	int n;

	object_name(name, path);
	n = o->nr_objects > 1 ? snprintf(dir, size, "%s/%s", o->pin, name)
			      : snprintf(dir, size, "%s", o->pin);
	if (n < 0 || (size_t)n >= size) {
		error_set(&r->err, ENAMETOOLONG, "%s", error_strerror(ENAMETOOLONG));
		error_reason(&r->err, "pin/name");
		return error_where(&r->err, "--pin");
	}
	while (n > 1 && dir[n - 1] == '/')
		dir[--n] = '\0';
	n = pins_of_object(sys, r->l, dir, &r->err);
	r->pinned = n ? NULL : dir;
	return n;
}

/* State of the command for all objects. */
struct load_run {
	struct sys *sys;
	const struct options *options;
	struct output *out;
	struct loading_types types;
	int signal_fd; /* owned */
	bool interrupted;
	unsigned int nr_failed;
	unsigned int nr_logs;	/* of those that failed, the verifier's logs */
};

/* @dir: PATH_MAX bytes for the directory in which the object is pinned. */
static void load_object(struct load_run *run, const char *path, struct loading *l, char *dir,
			struct load_result *r)
{
	struct sys *sys = run->sys;
	const struct options *o = run->options;

	*r = (struct load_result){ .l = l, .options = o };
	r->ret = loading_begin(l, sys, run->out, &o->load, &run->types, path, &r->err);
	if (!r->ret)
		r->ret = check_targets(l, r);
	if (!r->ret)
		r->ret = loading_maps(l, &r->err);
	if (!r->ret)
		r->ret = load_programs(l, r);
	if (!r->ret)
		r->ret = loading_finish(l, &r->err);
	if (!r->ret && o->pin)
		r->ret = pin(sys, o, path, dir, PATH_MAX, r);
	if (!r->ret && o->pin)
		kernel_keep_pins(&l->kernel);
	if (r->ret)
		error_reason_default(&r->err, NULL);
	sys_relative_files(sys, &r->err);
}

static void result_free(struct load_result *r)
{
	for (uint32_t i = 0; i < r->nr_refused; i++)
		error_clear(&r->refused[i].err);
	free(r->refused);
	error_clear(&r->err);
}

static void interrupt(void *arg)
{
	struct load_run *run = arg;

	run->interrupted = true;
}

/* From here on, a signal ends the command between two objects, never in the middle of one. */
static int catch_signals(struct load_run *run, struct error *err)
{
	int ret = stop_signals_open(run->sys, err);

	if (ret < 0)
		return ret;
	run->signal_fd = ret;
	stdout_watch_begin(run->out->watch, run->signal_fd, interrupt, run);
	return 0;
}

static int load_one(struct load_run *run, const char *path, struct error *err)
{
	char dir[PATH_MAX];
	struct load_result r;
	struct loading l;
	int ret;

	load_object(run, path, &l, dir, &r);
	run->nr_failed += r.ret < 0;
	run->nr_logs += r.ret < 0 && r.err.log;
	ret = load_print(run->out, &r, err);
	/* Print each line as soon as its object is loaded, not when the buffer is full. */
	if (!ret)
		ret = output_flush(run->out, err);
	if (ret && r.pinned)
		note(run->out, "%s: everything it loaded stays pinned in '%s'", path, r.pinned);
	result_free(&r);
	loading_end(&l);
	return ret;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Check every directory before the first object is loaded: bpffs, and no name twice. */
static int check_pins(struct sys *sys, const struct options *o, struct error *err)
{
	char(*names)[NAME_MAX];
	int ret = pins_check(sys, o->pin, err);

	if (ret < 0 || o->nr_objects == 1)
		return ret;
	names = calloc(o->nr_objects, sizeof(*names));
	if (!names)
		return error_set(err, ENOMEM, "no memory for the names of directories");
	for (unsigned int i = 0; i < o->nr_objects; i++)
		object_name(names[i], o->objects[i]);
	qsort(names, o->nr_objects, sizeof(*names), compare_names);
	for (unsigned int i = 1; !ret && i < o->nr_objects; i++) {
		if (strcmp(names[i], names[i - 1]))
			continue;
		ret = error_set(err, EEXIST, "two objects would be pinned in '%s/%s'", o->pin,
				names[i]);
		error_reason(err, "pin/name");
		error_hint(
			err,
			"each directory is named after its file, up to the first dot: load them "
			"one by one");
		error_where(err, "--pin=%s", o->pin);
	}
	free(names);
	return ret;
}

static int load_all(struct load_run *run, struct error *err)
{
	const struct options *o = run->options;

	for (unsigned int i = 0; i < o->nr_objects; i++) {
		int ret;

		if (i && (run->interrupted || stop_signal_came(run->sys, run->signal_fd))) {
			error_set(err, ECANCELED, "interrupted: %u of %u objects were not tried",
				  o->nr_objects - i, o->nr_objects);
			error_reason(err, "pload/interrupted");
			return error_where(err, "load");
		}
		ret = load_one(run, o->objects[i], err);
		if (ret)
			return ret;
	}
	return 0;
}

/* With -v, logs are printed as well, if there are any, and the hints of several objects. */
static const char *what_is_left_out(const struct load_run *run)
{
	if (run->options->nr_objects == 1)
		return run->nr_logs ? ": -v shows the whole log of the verifier" : "";
	return run->nr_logs ? ": -v shows the logs of the verifier, and hints" : ": -v shows hints";
}

static int load_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct load_run run = { .sys = sys, .options = o, .out = out, .signal_fd = -1 };
	int ret;

	loading_types_init(&run.types, sys, &o->load);
	ret = loading_check_files(&run.types, &o->load, err);
	if (!ret && o->pin)
		ret = check_pins(sys, o, err);
	if (!ret)
		ret = catch_signals(&run, err);
	if (!ret)
		ret = load_all(&run, err);
	if (!ret && run.nr_failed && o->format->digest && !o->verbose)
		note(out, "%u of %u failed%s", run.nr_failed, o->nr_objects,
		     what_is_left_out(&run));
	if (out->watch)
		out->watch->active = false;
	sys_close_fd(sys, &run.signal_fd);
	loading_types_free(&run.types);
	return ret ? ret : run.nr_failed != 0;
}

static int check(struct options *o, struct error *err)
{
	if (o->nr_objects)
		return 0;
	error_set(err, EINVAL, "no object file given");
	return error_hint(err, "as in: pload load prog.o; a file called load is ./load");
}

static const struct option_row rows[] = {
	{ "skip-failing", 0, NULL,
	  "Skip programs that the kernel refuses, and load the others.",
	  OPTION_FLAG, OPTION_FIELD(skip_failing), NULL, NULL },
	{ "pin", 0, "=DIR",
	  "Pin programs as DIR/NAME and maps as DIR/maps/NAME. DIR must be in a bpffs; it is "
	  "created if needed. With several objects, each gets its own directory DIR/OBJ.",
	  OPTION_TEXT, OPTION_FIELD(pin), NULL, NULL },
	{ 0 },
};

static const struct option_group group = { "Skipping and pinning", rows };

static const struct option_group *const groups[] = {
	&options_loading, &group, &options_kernel_types, &options_learning, NULL,
};

const struct command command_load = {
	.name = "load",
	.summary = "Load objects without attaching them; print one line for each.",
	.arguments = "OBJ...",
	.about = "Load the maps and programs of each object, print one line saying whether the\n"
		 "kernel accepted them, and unload them. --pin keeps them loaded.\n",
	.examples =
		"    pload load *.o                         # one line per object\n"
		"    pload load -v --skip-failing prog.o  "
		"  # each program, and why the kernel refused it\n"
		"    pload load --pin=/sys/fs/bpf/p prog.o  # keep programs and maps loaded\n",
	.groups = groups,
	.check = check,
	.run = load_run,
};
