// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fields of .BTF and .BTF.ext, which are pictured in elf/btf.h and elf/btf_ext.h. */
#include <inttypes.h>
#include <stdio.h>

#include <linux/btf.h>

#include "loader/tools/inspect/bytes/bytes_internal.h"

static void mean_string(const struct dump *d, uint64_t v, char *to, size_t size)
{
	/* Overlapping names are printed only up to a limit, so that this takes linear time. */
	if (v && v < d->strings.size)
		snprintf(to, size, "%.*s", (int)(d->strings.size - v < 200 ? d->strings.size - v
									: 200),
			 (const char *)d->strings.data + v);
}

/* These kinds come from bpf-next: where a function was inlined, and where its arguments are. */
enum { LOC_PARAM = 20, LOC_PROTO, LOCSEC, NR_KINDS };

static const char *const kinds[NR_KINDS] = {
	"UNKN", "INT", "PTR", "ARRAY", "STRUCT", "UNION", "ENUM", "FWD", "TYPEDEF", "VOLATILE",
	"CONST", "RESTRICT", "FUNC", "FUNC_PROTO", "VAR", "DATASEC", "FLOAT", "DECL_TAG",
	"TYPE_TAG", "ENUM64", "LOC_PARAM", "LOC_PROTO", "LOCSEC",
};

static const char *kind_name(uint32_t info)
{
	const uint32_t kind = BTF_INFO_KIND(info);

	return kind < NR_KINDS ? kinds[kind] : "of an unknown kind";
}

static void mean_info(const struct dump *d, uint64_t v, char *to, size_t size)
{
	(void)d;
	snprintf(to, size, "%s, vlen %u%s", kind_name(v), (unsigned int)BTF_INFO_VLEN(v),
		 BTF_INFO_KFLAG(v) ? ", kind_flag" : "");
}

#define NAME_OFF { "name_off", 4, mean_string }

/* The words after struct btf_type: those that occur once, and those of each of the vlen entries. */
static const struct layout {
	struct field once[4], each[4];
} layouts[NR_KINDS] = {
	[BTF_KIND_INT] = { { { "encoding, offset, bits", 4, NULL } }, { { 0 } } },
	[BTF_KIND_ARRAY] = { { { "type", 4, NULL }, { "index_type", 4, NULL },
			       { "nelems", 4, NULL } }, { { 0 } } },
	[BTF_KIND_STRUCT] = { { { 0 } }, { NAME_OFF, { "type", 4, NULL }, { "offset", 4, NULL } } },
	[BTF_KIND_UNION] = { { { 0 } }, { NAME_OFF, { "type", 4, NULL }, { "offset", 4, NULL } } },
	[BTF_KIND_ENUM] = { { { 0 } }, { NAME_OFF, { "val", 4, NULL } } },
	[BTF_KIND_FUNC_PROTO] = { { { 0 } }, { NAME_OFF, { "type", 4, NULL } } },
	[BTF_KIND_VAR] = { { { "linkage", 4, NULL } }, { { 0 } } },
	[BTF_KIND_DATASEC] = { { { 0 } }, { { "type", 4, NULL }, { "offset", 4, NULL },
					    { "size", 4, NULL } } },
	[BTF_KIND_DECL_TAG] = { { { "component_idx", 4, NULL } }, { { 0 } } },
	[BTF_KIND_ENUM64] = { { { 0 } }, { NAME_OFF, { "val_lo32", 4, NULL },
					   { "val_hi32", 4, NULL } } },
	[LOC_PARAM] = { { { "flags", 4, NULL } }, { { "value", 4, NULL } } },
	[LOC_PROTO] = { { { 0 } }, { { "loc_param", 4, NULL } } },
	[LOCSEC] = { { { 0 } }, { { "func", 4, NULL }, { "loc_proto", 4, NULL },
				  { "offset", 4, NULL } } },
};

static uint64_t fields_size(const struct field *f)
{
	uint64_t size = 0;

	for (; f->size; f++)
		size += f->size;
	return size;
}

static void dump_type(struct dump *d, uint32_t id)
{
	static const struct field head[] = {
		NAME_OFF, { "info", 4, mean_info }, { "size, or a type", 4, NULL }, { 0 },
	};
	const uint32_t info = dump_u32(d, 4), kind = BTF_INFO_KIND(info);
	const struct layout *l = &layouts[kind < NR_KINDS ? kind : 0];
	const uint64_t each = fields_size(l->each);
	const uint32_t vlen = each ? BTF_INFO_VLEN(info) : 0;
	char name[256] = "";

	mean_string(d, dump_u32(d, 0), name, sizeof(name));
	dump_record(d, sizeof(struct btf_type) + fields_size(l->once) + vlen * each,
		    "type %" PRIu32 " %s '%.150s'", id, kind_name(info), name);
	dump_fields(d, head);
	dump_fields(d, l->once);
	for (uint32_t i = 0; i < vlen && dump_has(d, 1); i++)
		dump_fields(d, l->each);
}

void dump_btf(struct dump *d)
{
	static const struct field header[] = {
		{ "magic", 2, NULL }, { "version", 1, NULL }, { "flags", 1, NULL },
		{ "hdr_len", 4, NULL }, { "type_off", 4, NULL }, { "type_len", 4, NULL },
		{ "str_off", 4, NULL }, { "str_len", 4, NULL }, { 0 },
	};
	const uint64_t head = dump_u32(d, 4), types = head + dump_u32(d, 8),
		       end = types + dump_u32(d, 12), strings = head + dump_u32(d, 16);

	if (!dump_has(d, 24) || head < 24)
		return;
	dump_record(d, head, "BTF header");
	dump_fields(d, header);
	if (types > d->done)
		dump_bytes(d, types - d->done, "(newer fields)");
	for (uint32_t id = 1; d->done < end && dump_has(d, sizeof(struct btf_type)); id++)
		dump_type(d, id);
	if (strings > d->done)
		dump_bytes(d, strings - d->done, "(between)");
	if (d->done < d->data.size)
		dump_record(d, d->data.size - d->done, "strings");
	dump_strings(d);
}

/* The three parts of .BTF.ext, and their records. */
static const struct ext_part {
	const char *name;
	struct field record[5];
} parts[] = {
	{ "func_info", { { "insn_off", 4, NULL }, { "type_id", 4, NULL } } },
	{ "line_info", { { "insn_off", 4, NULL }, { "file_name_off", 4, mean_string },
			 { "line_off", 4, mean_string }, { "line, column", 4, NULL } } },
	{ "core_relo", { { "insn_off", 4, NULL }, { "type_id", 4, NULL },
			 { "access_str_off", 4, mean_string }, { "kind", 4, NULL } } },
};

static void dump_ext_part(struct dump *d, const struct ext_part *part, uint64_t end)
{
	static const struct field first[] = { { "rec_size", 4, NULL }, { 0 } }, section[] = {
		{ "sec_name_off", 4, mean_string }, { "num_info", 4, NULL }, { 0 },
	};
	const uint32_t rec_size = dump_u32(d, 0);
	const uint64_t known = fields_size(part->record);

	dump_record(d, 4, "%s", part->name);
	dump_fields(d, first);
	while (d->done < end && dump_has(d, 8) && rec_size >= known) {
		const uint32_t nr = dump_u32(d, 4);

		dump_record(d, 8, "%s of a section", part->name);
		dump_fields(d, section);
		for (uint32_t i = 0; i < nr && d->done < end && dump_has(d, rec_size); i++) {
			dump_record(d, rec_size, "%s[%" PRIu32 "]", part->name, i);
			dump_fields(d, part->record);
			dump_bytes(d, rec_size - known, "(newer fields)");
		}
	}
}

void dump_btf_ext(struct dump *d)
{
	static const struct field header[] = {
		{ "magic", 2, NULL }, { "version", 1, NULL }, { "flags", 1, NULL },
		{ "hdr_len", 4, NULL }, { "func_info_off", 4, NULL }, { "func_info_len", 4, NULL },
		{ "line_info_off", 4, NULL }, { "line_info_len", 4, NULL }, { 0 },
	}, core[] = { { "core_relo_off", 4, NULL }, { "core_relo_len", 4, NULL }, { 0 } };
	const uint64_t head = dump_u32(d, 4);
	uint64_t at[3], end[3];

	if (!dump_has(d, 24) || head < 24)
		return;
	for (int i = 0; i < 3; i++) {
		const bool has = i < 2 || head >= 32;

		at[i] = has ? head + dump_u32(d, 8 + 8 * i) : 0;
		end[i] = has ? at[i] + dump_u32(d, 12 + 8 * i) : 0;
	}
	dump_record(d, head, ".BTF.ext header");
	dump_fields(d, header);
	if (head >= 32)
		dump_fields(d, core);
	for (int i = 0; i < 3; i++) {	/* parts in another order are printed as data */
		if (end[i] <= at[i] || at[i] < d->done)
			continue;
		if (at[i] > d->done)
			dump_bytes(d, at[i] - d->done, "(between)");
		if (dump_has(d, 4))
			dump_ext_part(d, &parts[i], end[i]);
	}
}
