// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read a file as far as possible, and print the requested parts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/sys/file.h"
#include "loader/core/sys/read.h"
#include "loader/tools/inspect/inspect_internal.h"
#include "loader/core/value/value.h"

/* The same limit as for objects in a session. */
#define FILE_SIZE_MAX (256u << 20)

const struct output_format inspect_formats[] = {
	{ .name = "text", .print = inspect_print_text, .digest = true },
	{ .name = "html", .print = inspect_print_page },
	{ 0 },
};

int inspect_put(struct inspect *in, struct json_object *msg, struct error *err)
{
	if (!in->page)
		return output_message_as(in->out, msg, NULL, err);
	return value_append(in->page, msg) ? 0 : error_set(err, ENOMEM, "no memory for a page");
}

int inspect_part(struct inspect *in, const char *part, uint64_t count, struct error *err)
{
	struct json_object *msg = message_new("inspect-part");

	value_add_string(msg, "part", part);
	value_add_uint(msg, "count", count);
	return inspect_put(in, msg, err);
}

/* Print the error of a damaged file, as a part of the output. */
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
	if (!ret && in->has_object && o->log)
		ret = inspect_log(in, o->log, err);
	else if (!ret && in->has_object && (all || o->insns))
		ret = inspect_insns(in, o->prog, err);
	if (!ret && (all || o->types))
		ret = inspect_types(in, err);
	if (!ret && in->broken.code)
		ret = put_error(in, err);
	return ret;
}

static int read_file(struct sys *sys, const char *path, struct file *file, struct bytes *bytes,
		     struct error *err)
{
	int ret = file_open(file, sys, path, FILE_SIZE_MAX, err);

	if (!ret)
		ret = file->source.get(file->source.arg, 0, file->source.size, bytes, err);
	if (!ret)
		return 0;
	if (ret == -ENOENT)
		error_hint(err, "pload inspect takes a BPF object, such as ip_count.bpf.o, or BTF");
	else if (!err->hint[0])
		error_hint(err, "pload inspect reads a regular file");
	error_reason_default(err, ret == -EFBIG ? "object/too-large" : "object/no-file");
	return error_where(err, "%s", path);
}

static bool is_for_bpf(const struct inspect *in)
{
	return in->elf.has_header && bytes_u16(in->file, offsetof(Elf64_Ehdr, e_machine),
					       in->elf.swap) == EM_BPF;
}

static void read_object(struct inspect *in)
{
	const struct bytes btf = inspect_btf(in);

	/*
	 * A file with nothing but BTF, or the BTF of a kernel or module, of which only the types
	 * were requested.
	 */
	if (btf.size && (btf.data == in->file.data ||
			 (in->o->inspect.types && !is_for_bpf(in))))
		return;
	if (!bpf_object_parse(&in->obj, in->path, in->file, &in->broken)) {
		in->has_object = true;
		return;
	}
	error_reason_default(&in->broken, "object/elf");
	if (!in->broken.hint[0])
		error_hint(&in->broken, "the file is damaged, or its compiler or linker has a bug: "
					"rebuild it");
}

static int put_page(struct inspect *in, struct error *err)
{
	struct json_object *page = in->page;

	in->page = NULL;
	return page ? output_message_as(in->out, page, NULL, err) : 0;
}

int inspect_memory(struct sys *sys, const struct options *o, const char *path, struct bytes bytes,
		   struct output *out, struct error *err)
{
	struct inspect in = { .sys = sys, .o = o, .path = path, .out = out, .file = bytes };
	int ret = 0;

	if (out->format->print == inspect_print_page)
		in.page = json_object_new_array();
	if (!raw_elf_read(&in.elf, bytes))
		ret = error_set(err, ENOMEM, "no memory for the sections of '%.80s'", path);
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
	return ret;
}

int inspect_file(struct sys *sys, const struct options *o, const char *path, struct output *out,
		 struct error *err)
{
	struct file file = { 0 };
	struct bytes bytes = { 0 };
	int ret = read_file(sys, path, &file, &bytes, err);

	if (!ret)
		ret = inspect_memory(sys, o, path, bytes, out, err);
	file_close(&file);
	return ret;
}
