// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Dump a file, or a section of it, in the order of its bytes. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/bytes/bytes_internal.h"
#include "loader/core/value/value.h"

#define LINE 16	/* bytes */

static void put(struct dump *d, struct json_object *msg)
{
	if (!d->ret)
		d->ret = inspect_put(d->in, msg, d->err);
	else
		json_object_put(msg);
}

void dump_record(struct dump *d, uint64_t size, const char *fmt, ...)
{
	struct json_object *msg = message_new("inspect-record");
	char name[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	value_add_uint(msg, "offset", d->base + d->done);
	value_add_uint(msg, "size", size);
	value_add_string(msg, "name", name);
	put(d, msg);
}

bool dump_has(const struct dump *d, uint64_t size)
{
	return !d->ret && bytes_hold(d->data.size, d->done, size);
}

uint32_t dump_u32(const struct dump *d, uint64_t after)
{
	return bytes_hold(d->data.size, d->done + after, 4) ?
		       bytes_u32(d->data, d->done + after, d->in->elf.swap) : 0;
}

static uint64_t number(const struct dump *d, uint8_t size)
{
	switch (size) {
	case 1:
		return bytes_u8(d->data, d->done);
	case 2:
		return bytes_u16(d->data, d->done, d->in->elf.swap);
	case 4:
		return bytes_u32(d->data, d->done, d->in->elf.swap);
	default:
		return bytes_u64(d->data, d->done, d->in->elf.swap);
	}
}

/* Print the next @size bytes, which must exist. */
static void put_field(struct dump *d, uint64_t size, const char *name, const char *meaning,
		      bool is_number)
{
	struct json_object *msg = message_new("inspect-field");

	value_add_uint(msg, "offset", d->base + d->done);
	value_add(msg, "bytes", value_hex(bytes_slice(d->data, d->done, size)));
	value_add_string(msg, "field", name);
	if (is_number)
		value_add_uint(msg, "value", number(d, size));
	else
		value_add_null(msg, "value");
	value_add_string(msg, "meaning", meaning[0] ? meaning : NULL);
	put(d, msg);
	d->done += size;
}

void dump_fields(struct dump *d, const struct field *f)
{
	char meaning[256];

	for (; f->size && dump_has(d, f->size); f++) {
		const bool is_number = f->size <= 8 && !(f->size & (f->size - 1));

		meaning[0] = '\0';
		if (is_number && f->mean)
			f->mean(d, number(d, f->size), meaning, sizeof(meaning));
		put_field(d, f->size, f->name, meaning, is_number);
	}
	if (f->size && d->done < d->data.size)
		dump_bytes(d, d->data.size - d->done, "(cut short)");
}

void dump_bytes(struct dump *d, uint64_t size, const char *name)
{
	char characters[LINE + 1];

	for (uint64_t n; size && dump_has(d, 1); size -= n) {
		const uint64_t left = d->data.size - d->done;

		size = size < left ? size : left;
		n = size < LINE ? size : LINE;
		for (uint64_t i = 0; i < n; i++) {
			const unsigned char c = d->data.data[d->done + i];

			characters[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
		}
		characters[n] = '\0';
		put_field(d, n, name, characters, false);
	}
}

static void dump_data(struct dump *d, const struct raw_section *sec)
{
	switch (sec->type) {
	case SHT_SYMTAB:
		dump_symbols(d);
		break;
	case SHT_REL:
	case SHT_RELA:
		dump_relocs(d, sec);
		break;
	case SHT_STRTAB:
		dump_strings(d);
		break;
	default:
		if (sec->flags & SHF_EXECINSTR)
			dump_code(d, sec);
		else if (!strcmp(sec->name, ".BTF"))
			dump_btf(d);
		else if (!strcmp(sec->name, ".BTF.ext"))
			dump_btf_ext(d);
	}
	dump_bytes(d, d->data.size - d->done, "data");
}

/* The strings of BTF; str_off counts from the end of the header. */
static struct bytes btf_strings(const struct inspect *in)
{
	const struct bytes raw = inspect_btf(in);
	uint64_t at;
	uint32_t len;

	if (raw.size < BTF_HEADER_PLAIN)
		return (struct bytes){ 0 };
	at = (uint64_t)bytes_u32(raw, 4, in->elf.swap) + bytes_u32(raw, 16, in->elf.swap);
	len = bytes_u32(raw, 20, in->elf.swap);
	return bytes_hold(raw.size, at, len) ? bytes_slice(raw, at, len) : (struct bytes){ 0 };
}

static int dump_section(struct inspect *in, uint32_t i, struct error *err)
{
	const struct raw_section *sec = &in->elf.sections[i];
	struct dump d = { .in = in, .data = sec->data, .base = sec->offset,
			  .strings = in->strings, .err = err };

	dump_record(&d, sec->size, "section [%" PRIu32 "] '%.200s'", i, sec->name);
	dump_data(&d, sec);
	return d.ret;
}

/* A file that consists of BTF, such as those in /sys/kernel/btf: its magic shows its byte order. */
static int dump_raw_btf(struct inspect *in, struct error *err)
{
	struct dump d = { .in = in, .data = in->file, .strings = in->strings, .err = err };

	dump_btf(&d);
	dump_bytes(&d, d.data.size - d.done, "data");
	return d.ret;
}

/* --- the whole file --- */

/* A part of the file: the ELF header, the section headers, or a section. */
struct part {
	uint64_t at, size;
	uint32_t section;	/* its index, or HEADER or HEADERS */
};

#define HEADER	UINT32_MAX
#define HEADERS	(UINT32_MAX - 1)

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static uint32_t list_parts(const struct inspect *in, struct part *parts)
{
	const struct raw_elf *elf = &in->elf;
	uint32_t nr = 0;

	if (elf->has_header)
		parts[nr++] = (struct part){ 0, sizeof(Elf64_Ehdr), HEADER };
	if (elf->nr_sections)
		parts[nr++] = (struct part){ elf->sections[0].header_at,
					     elf->nr_sections * sizeof(Elf64_Shdr), HEADERS };
	for (uint32_t i = 1; i < elf->nr_sections; i++)
		if (elf->sections[i].data.size)
			parts[nr++] = (struct part){ elf->sections[i].offset,
						     elf->sections[i].data.size, i };
	qsort(parts, nr, sizeof(*parts), compare_parts);
	return nr;
}

/* Bytes that belong to no part: the next part is aligned. */
static int dump_gap(struct inspect *in, uint64_t from, uint64_t to, struct error *err)
{
	struct dump d = { .in = in, .base = from, .err = err,
			  .data = bytes_slice(in->file, from, to - from) };

	dump_record(&d, to - from, in->elf.has_header ? "between the sections" : "not an ELF file");
	dump_bytes(&d, to - from, "padding");
	return d.ret;
}

static int dump_part(struct inspect *in, const struct part *part, struct error *err)
{
	struct dump d = { .in = in, .base = part->at, .err = err };

	if (part->section < HEADERS)
		return dump_section(in, part->section, err);
	d.data = bytes_slice(in->file, part->at, part->size);
	if (part->section == HEADER)
		dump_elf_header(&d);
	else
		dump_section_headers(&d);
	return d.ret;
}

static int dump_file(struct inspect *in, struct error *err)
{
	struct part *parts = calloc(in->elf.nr_sections + UINT64_C(2), sizeof(*parts));
	uint64_t done = 0;
	uint32_t nr;
	int ret = 0;

	if (!parts)
		return error_set(err, ENOMEM, "no memory for %" PRIu32 " sections",
				 in->elf.nr_sections);
	nr = list_parts(in, parts);
	for (uint32_t i = 0; !ret && i < nr; i++) {
		if (parts[i].at > done)
			ret = dump_gap(in, done, parts[i].at, err);
		if (!ret && parts[i].at >= done)	/* of overlapping parts, the first one */
			ret = dump_part(in, &parts[i], err);
		if (parts[i].at + parts[i].size > done)
			done = parts[i].at + parts[i].size;
	}
	free(parts);
	if (!ret && done < in->file.size)
		ret = dump_gap(in, done, in->file.size, err);
	return ret;
}

static int no_section(const struct inspect *in, const char *name, struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;

	nearest_init(&near, name);
	for (uint32_t i = 1; i < in->elf.nr_sections; i++)
		nearest_offer(&near, in->elf.sections[i].name);
	error_set(err, ENOENT, "the file has no section with that name");
	error_reason(err, "inspect/no-section");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err, "--sections lists them");
	return error_where(err, "--bytes=%s", name);
}

int inspect_bytes(struct inspect *in, const char *name, struct error *err)
{
	const bool is_btf = in->file.size && inspect_btf(in).data == in->file.data;
	int ret;

	if (name && !raw_find(&in->elf, name))
		return no_section(in, name, err);
	ret = inspect_part(in, "bytes", in->file.size, err);
	if (is_btf)
		in->elf.swap = bytes_u16(in->file, 0, false) != BTF_MAGIC;
	in->strings = btf_strings(in);
	if (!ret && !name)
		ret = is_btf ? dump_raw_btf(in, err) : dump_file(in, err);
	if (!name)
		return ret;
	for (uint32_t i = 1; !ret && i < in->elf.nr_sections; i++)
		if (!strcmp(in->elf.sections[i].name, name))
			ret = dump_section(in, i, err);
	return ret;
}
