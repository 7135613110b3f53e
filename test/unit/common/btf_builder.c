// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes valid BTF and .BTF.ext of either byte order, for tests to read, load, and break. */
#include "test/unit/common/btf_builder.h"

static uint32_t record_words(const struct btf_builder *b, uint32_t kind)
{
	static const uint32_t known[NR_RECORD_KINDS] = { 2, 4, 4 };

	return b->record_words[kind] > known[kind] ? b->record_words[kind] : known[kind];
}

/* A BTF has at least "". */
static uint32_t strings_size(const struct btf_builder *b)
{
	return b->strings.size || b->base_types ? b->strings.size : 1;
}

void bb_split(struct btf_builder *b, const struct btf_builder *base)
{
	b->base_types = base->nr_types;
	b->base_strings = strings_size(base);
}

uint32_t bb_string(struct btf_builder *b, const char *s)
{
	if (!b->strings.size && !b->base_types)
		buffer_add(&b->strings, "", 1);
	return *s ? b->base_strings + buffer_add(&b->strings, s, strlen(s) + 1) : 0;
}

static void put(struct btf_builder *b, uint32_t word)
{
	buffer_put(&b->types, 4, word, bb_big_endian(b));
}

static uint32_t add_type(struct btf_builder *b, uint32_t kind, const char *name, bool kind_flag,
			 uint32_t vlen, uint32_t word)
{
	if (!(b->nr_types & (b->nr_types + 1))) {	/* room for twice as many when full */
		b->offsets = realloc(b->offsets, 2 * (b->nr_types + 1) * sizeof(*b->offsets));
		if (!b->offsets)
			abort();
	}
	b->offsets[++b->nr_types] = b->types.size;
	put(b, bb_string(b, name));
	put(b, (uint32_t)kind_flag << 31 | kind << 24 | vlen);
	put(b, word);
	return b->base_types + b->nr_types;
}

/* One more entry in the type that was added last. */
static void count_entry(struct btf_builder *b)
{
	size_t at = b->offsets[b->nr_types] + offsetof(struct btf_type, info);

	buffer_poke(&b->types, at, 4, buffer_peek(&b->types, at, 4, bb_big_endian(b)) + 1,
		    bb_big_endian(b));
}

uint32_t bb_int(struct btf_builder *b, const char *name, uint32_t size, uint32_t encoding)
{
	uint32_t id = add_type(b, BTF_KIND_INT, name, false, 0, size);

	put(b, encoding << 24 | size * 8);
	return id;
}

uint32_t bb_float(struct btf_builder *b, const char *name, uint32_t size)
{
	return add_type(b, BTF_KIND_FLOAT, name, false, 0, size);
}

uint32_t bb_array(struct btf_builder *b, uint32_t type, uint32_t index_type, uint32_t nelems)
{
	uint32_t id = add_type(b, BTF_KIND_ARRAY, "", false, 0, 0);

	put(b, type);
	put(b, index_type);
	put(b, nelems);
	return id;
}

uint32_t bb_fwd(struct btf_builder *b, const char *name, bool is_union)
{
	return add_type(b, BTF_KIND_FWD, name, is_union, 0, 0);
}

uint32_t bb_func(struct btf_builder *b, const char *name, uint32_t proto,
		 enum btf_func_linkage linkage)
{
	return add_type(b, BTF_KIND_FUNC, name, false, linkage, proto);
}

uint32_t bb_var(struct btf_builder *b, const char *name, uint32_t type, uint32_t linkage)
{
	uint32_t id = add_type(b, BTF_KIND_VAR, name, false, 0, type);

	put(b, linkage);
	return id;
}

uint32_t bb_decl_tag(struct btf_builder *b, const char *name, uint32_t type, int32_t component)
{
	uint32_t id = add_type(b, BTF_KIND_DECL_TAG, name, false, 0, type);

	put(b, component);
	return id;
}

uint32_t bb_ref(struct btf_builder *b, uint32_t kind, const char *name, uint32_t type)
{
	return add_type(b, kind, name, false, 0, type);
}

uint32_t bb_struct(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		   bool bitfields)
{
	return add_type(b, kind, name, bitfields, 0, size);
}

void bb_member(struct btf_builder *b, const char *name, uint32_t type, uint32_t bit_offset,
	       uint32_t bitfield_size)
{
	count_entry(b);
	put(b, bb_string(b, name));
	put(b, type);
	put(b, bitfield_size << 24 | bit_offset);
}

uint32_t bb_enum(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		 bool is_signed)
{
	return add_type(b, kind, name, is_signed, 0, size);
}

void bb_enumerator(struct btf_builder *b, const char *name, uint64_t value)
{
	uint32_t info =
		buffer_peek(&b->types, b->offsets[b->nr_types] + offsetof(struct btf_type, info), 4,
			    bb_big_endian(b));

	count_entry(b);
	put(b, bb_string(b, name));
	put(b, value);
	if (BTF_INFO_KIND(info) == BTF_KIND_ENUM64)
		put(b, value >> 32);
}

uint32_t bb_proto(struct btf_builder *b, uint32_t type)
{
	return add_type(b, BTF_KIND_FUNC_PROTO, "", false, 0, type);
}

void bb_param(struct btf_builder *b, const char *name, uint32_t type)
{
	count_entry(b);
	put(b, bb_string(b, name));
	put(b, type);
}

uint32_t bb_datasec(struct btf_builder *b, const char *name, uint32_t size)
{
	return add_type(b, BTF_KIND_DATASEC, name, false, 0, size);
}

void bb_datasec_var(struct btf_builder *b, uint32_t var, uint32_t offset, uint32_t size)
{
	count_entry(b);
	put(b, var);
	put(b, offset);
	put(b, size);
}

/* The section's name is written once for all its records of any kind. */
static uint32_t section_name(struct btf_builder *b, const char *section)
{
	for (uint32_t i = 0; i < b->nr_records; i++) {
		if (!strcmp((char *)b->strings.data + b->records[i].section, section))
			return b->records[i].section;
	}
	return bb_string(b, section);
}

static struct bb_record *add_record(struct btf_builder *b, uint32_t kind, const char *section)
{
	uint32_t name = section_name(b, section);

	b->records = realloc(b->records, (b->nr_records + 1) * sizeof(*b->records));
	if (!b->records)
		abort();
	b->records[b->nr_records] = (struct bb_record){ .kind = kind, .section = name };
	return &b->records[b->nr_records++];
}

void bb_func_info(struct btf_builder *b, const char *section, uint32_t insn_off, uint32_t type_id)
{
	struct bb_record *rec = add_record(b, FUNC_INFO, section);

	rec->words[0] = insn_off;
	rec->words[1] = type_id;
}

void bb_line_info(struct btf_builder *b, const char *section, uint32_t insn_off, const char *file,
		  const char *text, uint32_t line, uint32_t column)
{
	struct bb_record *rec = add_record(b, LINE_INFO, section);

	rec->words[0] = insn_off;
	rec->words[1] = bb_string(b, file);
	rec->words[2] = bb_string(b, text);
	rec->words[3] = line << 10 | column;
}

void bb_core_relo(struct btf_builder *b, const char *section, uint32_t insn_off, uint32_t type_id,
		  const char *access, uint32_t kind)
{
	struct bb_record *rec = add_record(b, CORE_RELO, section);

	rec->words[0] = insn_off;
	rec->words[1] = type_id;
	rec->words[2] = bb_string(b, access);
	rec->words[3] = kind;
}

/* The bytes after struct btf_type, as Documentation/bpf/btf.rst gives them for each kind. */
static const struct btf_layout layouts[BB_NEWER + 1] = {
	[BTF_KIND_INT] = { .info_sz = 4 },	  [BTF_KIND_ARRAY] = { .info_sz = 12 },
	[BTF_KIND_STRUCT] = { .elem_sz = 12 },	  [BTF_KIND_UNION] = { .elem_sz = 12 },
	[BTF_KIND_ENUM] = { .elem_sz = 8 },	  [BTF_KIND_FUNC_PROTO] = { .elem_sz = 8 },
	[BTF_KIND_VAR] = { .info_sz = 4 },	  [BTF_KIND_DATASEC] = { .elem_sz = 12 },
	[BTF_KIND_DECL_TAG] = { .info_sz = 4 },	  [BTF_KIND_ENUM64] = { .elem_sz = 12 },
	[BB_NEWER] = { .info_sz = 20, .elem_sz = 4 },
};

uint32_t bb_newer(struct btf_builder *b, const char *name, uint32_t vlen)
{
	uint32_t id = add_type(b, BB_NEWER, name, true, vlen, UINT32_MAX);

	for (size_t i = 0; i < layouts[BB_NEWER].info_sz / 4u + vlen; i++)
		put(b, UINT32_MAX);
	return id;
}

uint32_t bb_words(struct btf_builder *b, uint32_t kind, const char *name, uint32_t size,
		  uint32_t vlen, const uint32_t *words, uint32_t nr)
{
	const uint32_t id = add_type(b, kind, name, false, vlen, size);

	for (uint32_t i = 0; i < nr; i++)
		put(b, words[i]);
	return id;
}

struct buffer btf_with_layouts(struct bytes plain, bool big_endian)
{
	const bool swap = big_endian != HOST_BIG_ENDIAN;
	const uint32_t type_len = bytes_u32(plain, offsetof(struct btf_header, type_len), swap);
	const size_t strings = BTF_HEADER_PLAIN + type_len;
	struct buffer out = { 0 };

	buffer_add(&out, plain.data, BTF_HEADER_PLAIN);
	buffer_put(&out, 4, type_len, big_endian);
	buffer_put(&out, 4, sizeof(layouts), big_endian);
	buffer_poke(&out, offsetof(struct btf_header, hdr_len), 4, out.size, big_endian);
	buffer_poke(&out, offsetof(struct btf_header, str_off), 4, type_len + sizeof(layouts),
		    big_endian);
	buffer_add(&out, plain.data + BTF_HEADER_PLAIN, type_len);
	buffer_add(&out, layouts, sizeof(layouts));
	buffer_add(&out, plain.data + strings, plain.size - strings);
	return out;
}

static uint32_t header_size(const struct btf_builder *b)
{
	return b->header && !b->layouts ? b->header : BTF_HEADER_PLAIN;
}

size_t bb_type_at(const struct btf_builder *b, uint32_t id)
{
	return (b->layouts ? sizeof(struct btf_header) : header_size(b)) +
	       b->offsets[id - b->base_types];
}

/* All records of @kind about @section, in the order in which they were added, from the first on. */
static void put_section(const struct btf_builder *b, struct buffer *out, uint32_t first)
{
	uint32_t kind = b->records[first].kind, section = b->records[first].section;
	size_t count_at;
	uint32_t count = 0;

	for (uint32_t i = 0; i < first; i++) {
		if (b->records[i].kind == kind && b->records[i].section == section)
			return;	/* written with its first record */
	}
	buffer_put(out, 4, section, bb_big_endian(b));
	count_at = buffer_add(out, NULL, 4);
	for (uint32_t i = first; i < b->nr_records; i++) {
		if (b->records[i].kind != kind || b->records[i].section != section)
			continue;
		for (uint32_t w = 0; w < record_words(b, kind); w++)
			buffer_put(out, 4, w < 4 ? b->records[i].words[w] : 0, bb_big_endian(b));
		count++;
	}
	buffer_poke(out, count_at, 4, count, bb_big_endian(b));
}

static bool has_records(const struct btf_builder *b, uint32_t kind)
{
	for (uint32_t i = 0; i < b->nr_records; i++)
		if (b->records[i].kind == kind)
			return true;
	return false;
}

struct buffer bb_ext(const struct btf_builder *b)
{
	const uint32_t hdr_len = b->ext_header ? b->ext_header : 32;
	struct buffer out = { 0 };

	buffer_put(&out, 2, BTF_MAGIC, bb_big_endian(b));
	buffer_put(&out, 1, BTF_VERSION, bb_big_endian(b));
	buffer_put(&out, 1, 0, bb_big_endian(b));
	buffer_put(&out, 4, hdr_len, bb_big_endian(b));
	buffer_add(&out, NULL, hdr_len - out.size);
	for (uint32_t kind = 0; kind < NR_RECORD_KINDS && 16 + 8 * kind <= hdr_len; kind++) {
		const size_t start = out.size;

		/* Compilers write the record size even if there are no records. */
		if (kind != CORE_RELO || has_records(b, kind))
			buffer_put(&out, 4, record_words(b, kind) * 4, bb_big_endian(b));
		for (uint32_t i = 0; i < b->nr_records; i++)
			if (b->records[i].kind == kind)
				put_section(b, &out, i);
		buffer_poke(&out, 8 + 8 * kind, 4, start - hdr_len, bb_big_endian(b));
		buffer_poke(&out, 12 + 8 * kind, 4, out.size - start, bb_big_endian(b));
	}
	return out;
}

struct buffer bb_btf(const struct btf_builder *b)
{
	struct buffer out = { 0 }, newer;
	const uint32_t nr_strings = strings_size(b);

	buffer_put(&out, 2, BTF_MAGIC, bb_big_endian(b));
	buffer_put(&out, 1, BTF_VERSION, bb_big_endian(b));
	buffer_put(&out, 1, 0, bb_big_endian(b));
	buffer_put(&out, 4, header_size(b), bb_big_endian(b));
	buffer_put(&out, 4, 0, bb_big_endian(b));
	buffer_put(&out, 4, b->types.size, bb_big_endian(b));
	buffer_put(&out, 4, b->types.size, bb_big_endian(b));
	buffer_put(&out, 4, nr_strings, bb_big_endian(b));
	buffer_add(&out, NULL, header_size(b) - out.size);
	buffer_add(&out, b->types.data, b->types.size);
	buffer_add(&out, b->strings.data, nr_strings);
	if (!b->layouts)
		return out;
	newer = btf_with_layouts(buffer_bytes(&out), bb_big_endian(b));
	buffer_free(&out);
	return newer;
}

void bb_free(struct btf_builder *b)
{
	buffer_free(&b->types);
	buffer_free(&b->strings);
	free(b->offsets);
	free(b->records);
	memset(b, 0, sizeof(*b));
}
