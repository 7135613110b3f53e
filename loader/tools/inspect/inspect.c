// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read one file, as far as it can be read, and print the parts that were asked for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/file.h"
#include "loader/sys/read.h"
#include "loader/tools/inspect/inspect_internal.h"
#include "loader/value/value.h"

/* As large as the largest object that a session reads. */
#define FILE_SIZE_MAX (256u << 20)

const struct output_format inspect_formats[] = {
	{ .name = "text", .print = inspect_print_text, .digest = true },
	{ 0 },
};

int inspect_put(struct inspect *in, struct json_object *msg, struct error *err)
{
	if (!in->page)
		return output_message(in->out, msg, err);
	return value_append(in->page, msg) ? 0 : error_set(err, ENOMEM, "no memory for a page");
}

int inspect_part(struct inspect *in, const char *part, uint64_t count, struct error *err)
{
	struct json_object *msg = message_new("inspect-part");

	value_add_string(msg, "part", part);
	value_add_uint(msg, "count", count);
	return inspect_put(in, msg, err);
}

/* Print the one error that a damaged file has, as a part of what is printed. */
static int put_error(struct inspect *in, struct error *err)
{
	struct json_object *msg = message_new("inspect-error");

	value_add_string(msg, "where", in->broken.where);
	value_add_string(msg, "what", in->broken.what);
	value_add_string(msg, "reason", in->broken.reason);
	value_add_string(msg, "hint", in->broken.hint[0] ? in->broken.hint : NULL);
	if (in->broken.at)
		value_add_uint(msg, "offset", in->broken.at - 1);
	else
		value_add_null(msg, "offset");
	return inspect_put(in, msg, err);
}

/* The parts, in the order in which they are printed. */
static int put_parts(struct inspect *in, struct error *err)
{
	const struct inspect_options *o = &in->o->inspect;
	const bool all = in->page;
	const bool any = o->sections || o->symbols || o->relocs || o->bytes || o->insns ||
			 o->types || o->log;
	int ret = 0;

	if (all || !any)
		ret = inspect_overview(in, err);
	if (!ret && (all || o->sections))
		ret = inspect_sections(in, err);
	if (!ret && (all || o->symbols))
		ret = inspect_symbols(in, err);
	if (!ret && (all || o->relocs))
		ret = inspect_relocs(in, err);
	if (!ret && (all || o->bytes))
		ret = inspect_bytes(in, o->section, err);
	if (!ret && in->has_object && (all || o->insns))
		ret = inspect_insns(in, o->prog, err);
	if (!ret && in->broken.code)
		ret = put_error(in, err);
	return ret;
}

static int read_file(struct inspect *in, struct file *file, struct error *err)
{
	int ret = file_open(file, in->sys, in->path, FILE_SIZE_MAX, err);

	if (!ret)
		ret = file->source.get(file->source.arg, 0, file->source.size, &in->file, err);
	if (ret == -ENOENT)
		error_hint(err, "pload inspect takes a BPF object, such as ip_count.bpf.o, or BTF");
	else if (ret && !err->hint[0])
		error_hint(err, "pload inspect reads a regular file");
	if (ret) {
		error_reason_default(err, ret == -EFBIG ? "object/too-large" : "object/no-file");
		return error_where(err, "%s", in->path);
	}
	if (!raw_elf_read(&in->elf, in->file))
		return error_set(err, ENOMEM, "no memory for the sections of '%.80s'", in->path);
	return 0;
}

static void read_object(struct inspect *in)
{
	if (!bpf_object_parse(&in->obj, in->path, in->file, &in->broken)) {
		in->has_object = true;
		return;
	}
	error_reason_default(&in->broken, "object/elf");
	if (!in->broken.hint[0])
		error_hint(&in->broken, "the file is damaged, or its compiler or linker has a bug: "
					"build it again");
}

static int put_page(struct inspect *in, struct error *err)
{
	struct json_object *page = in->page;

	in->page = NULL;
	return page ? output_message(in->out, page, err) : 0;
}

int inspect_file(struct sys *sys, const struct options *o, const char *path, struct output *out,
		 struct error *err)
{
	struct inspect in = { .sys = sys, .o = o, .path = path, .out = out };
	struct file file = { 0 };
	int ret;

	if (out->format->print == inspect_print_page)
		in.page = json_object_new_array();
	ret = read_file(&in, &file, err);
	if (!ret) {
		read_object(&in);
		ret = put_parts(&in, err);
	}
	if (!ret)
		ret = put_page(&in, err);
	if (!ret && in.broken.code)
		ret = error_copy(err, &in.broken);
	json_object_put(in.page);
	if (in.has_object)
		bpf_object_free(&in.obj);
	raw_elf_free(&in.elf);
	file_close(&file);
	return ret;
}
