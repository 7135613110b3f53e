// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload explain --attr: the fields of union bpf_attr by command, and of struct perf_event_attr. */
#include <errno.h>
#include <string.h>

#include "elf/error.h"
#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/observe/trace/trace_call.h"
#include "loader/core/value/value.h"

struct attr_run {
	struct output *out;
	const char *attr;
	int ret;
	struct error *err;
};

static unsigned int number(struct json_object *msg, const char *member)
{
	return json_object_get_int64(message_get(msg, member));
}

static void print_attr(FILE *file, struct json_object *msg)
{
	fprintf(file, "%-32s %u bytes\n", message_text(msg, "attr"), number(msg, "bytes"));
}

static void print_attr_begin(FILE *file, struct json_object *msg)
{
	fprintf(file, "%s, %u bytes\n  offset  bytes  field\n", message_text(msg, "attr"),
		number(msg, "bytes"));
}

static void print_attr_field(FILE *file, struct json_object *msg)
{
	const unsigned int bit = number(msg, "bit"), bits = number(msg, "bits");

	fprintf(file, "  %6u %6u  %s", number(msg, "offset"), number(msg, "bytes"),
		message_text(msg, "field"));
	if (bits == 1)
		fprintf(file, ", bit %u", bit);
	else if (bits)
		fprintf(file, ", bits %u to %u", bit, bit + bits - 1);
	fputs(json_object_get_boolean(message_get(msg, "result")) ? " (a result)\n" : "\n", file);
}

static struct json_object *attr_message(const char *name)
{
	struct json_object *msg = message_new("attr");

	value_add_string(msg, "attr", name);
	value_add_int(msg, "bytes", attr_each_field(name, NULL, NULL));
	return msg;
}

static void print_field(void *arg, const struct attr_field *f)
{
	struct attr_run *run = arg;
	struct json_object *msg;
	char path[96];

	if (run->ret)
		return;
	snprintf(path, sizeof(path), "%s%s%s", f->group ? f->group : "", f->group ? "." : "",
		 f->name);
	msg = message_new("attr-field");
	value_add_string(msg, "attr", run->attr);
	value_add_string(msg, "field", path);
	value_add_int(msg, "offset", f->off);
	value_add_int(msg, "bytes", f->bytes);
	if (f->bits) {
		value_add_int(msg, "bit", f->bit);
		value_add_int(msg, "bits", f->bits);
	}
	value_add_bool(msg, "result", f->is_result);
	run->ret = output_message_as(run->out, msg, print_attr_field, run->err);
}

static int unknown(const char *name, struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;

	nearest_init(&near, name);
	for (unsigned int i = 0; attr_name(i); i++)
		nearest_offer(&near, attr_name(i));
	error_set(err, ENOENT, "--attr does not know '%s'", name);
	error_reason(err, "usage/attr");
	if (near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&near, names, sizeof(names)));
	return error_hint(err, "pload explain --attr lists all names");
}

static int print_list(struct output *out, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && attr_name(i); i++)
		ret = output_message_as(out, attr_message(attr_name(i)), print_attr, err);
	return ret;
}

int explain_attrs(const struct options *o, struct output *out, struct error *err)
{
	struct attr_run run = { .out = out, .err = err };

	for (unsigned int i = 0; i < o->nr_objects; i++)
		if (!attr_each_field(o->objects[i], NULL, NULL))
			return unknown(o->objects[i], err);
	for (unsigned int i = 0; !run.ret && i < o->nr_objects; i++) {
		run.attr = o->objects[i];
		run.ret = output_message_as(out, attr_message(run.attr), print_attr_begin,
					    err);
		if (!run.ret)
			attr_each_field(run.attr, print_field, &run);
	}
	return o->nr_objects ? run.ret : print_list(out, err);
}
