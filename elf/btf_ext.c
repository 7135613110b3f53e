// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read and validate .BTF.ext: function, line and CO-RE records by section. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/btf_ext.h"

#define INSN_SIZE	8u
#define SECTION_NAME_MAX 4096	/* bounds the time needed to sort by name */

/* Documentation/bpf/btf.rst, section 3.2. Offsets are relative to the end of the header. */
struct ext_header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len;
	uint32_t func_info_off, func_info_len;
	uint32_t line_info_off, line_info_len;
	uint32_t core_relo_off, core_relo_len;	/* absent if hdr_len is 24 */
};

/* Precedes the records of each section. */
struct ext_sec_header {
	uint32_t sec_name_off;
	uint32_t num_info;
};

struct reader {
	struct bytes rest;	/* the bytes after the header */
	const struct btf *btf;
	bool swap;
};

/* The three kinds of records differ only in size and in the words after insn_off. */
struct info_kind {
	const char *name;
	uint32_t header_field;	/* offset of its func_info_off, ... in struct ext_header */
	uint32_t rec_size;
	size_t info;		/* offset of its member in struct btf_ext */
	int (*check)(const struct reader *r, struct bytes rec, struct error *err);
};

static int check_string(const struct reader *r, uint32_t off, const char *what, struct error *err)
{
	if (off < r->btf->strings.size)	/* an object's BTF has no base */
		return 0;
	return error_set(err, EBADMSG,
			 "%s at 0x%" PRIx32 " is outside the 0x%zx bytes of strings", what, off,
			 r->btf->strings.size);
}

static int check_func(const struct reader *r, struct bytes rec, struct error *err)
{
	uint32_t id = bytes_u32(rec, offsetof(struct btf_func_info, type_id), r->swap);

	if (id >= r->btf->nr_types)
		return error_set(err, EBADMSG, "it refers to type %" PRIu32 " of %" PRIu32, id,
				 r->btf->nr_types);
	if (btf_type(r->btf, id).kind != BTF_KIND_FUNC)
		return error_set(err, EBADMSG, "type %" PRIu32 " is a %s, not a func", id,
				 btf_kind_name(btf_type(r->btf, id).kind));
	return 0;
}

static int check_line(const struct reader *r, struct bytes rec, struct error *err)
{
	int ret = check_string(
		r, bytes_u32(rec, offsetof(struct btf_line_info, file_name_off), r->swap),
		"the file's name", err);

	if (!ret)
		ret = check_string(
			r, bytes_u32(rec, offsetof(struct btf_line_info, line_off), r->swap),
			"the source line", err);
	return ret;
}

static int check_core(const struct reader *r, struct bytes rec, struct error *err)
{
	uint32_t id = bytes_u32(rec, offsetof(struct btf_core_relo, type_id), r->swap);

	if (id >= r->btf->nr_types)
		return error_set(err, EBADMSG, "it refers to type %" PRIu32 " of %" PRIu32, id,
				 r->btf->nr_types);
	return check_string(r,
			    bytes_u32(rec, offsetof(struct btf_core_relo, access_str_off), r->swap),
			    "the access string", err);
}

static const struct info_kind info_kinds[] = {
	{ "func_info", offsetof(struct ext_header, func_info_off), sizeof(struct btf_func_info),
	  offsetof(struct btf_ext, func_info), check_func },
	{ "line_info", offsetof(struct ext_header, line_info_off), sizeof(struct btf_line_info),
	  offsetof(struct btf_ext, line_info), check_line },
	{ "core_relo", offsetof(struct ext_header, core_relo_off), sizeof(struct btf_core_relo),
	  offsetof(struct btf_ext, core_relo), check_core },
};

static int check_header(struct reader *r, struct bytes raw, uint32_t *hdr_len, struct error *err)
{
	const uint32_t min = offsetof(struct ext_header, core_relo_off);

	if (raw.size < min)
		return error_set(err, EBADMSG, "its %zu bytes are fewer than the header's %" PRIu32,
				 raw.size, min);
	r->swap = bytes_u16(raw, 0, false) != BTF_MAGIC;
	if (bytes_u16(raw, 0, r->swap) != BTF_MAGIC)
		return error_set(err, EBADMSG, "magic 0x%04x is not 0x%x", bytes_u16(raw, 0, false),
				 BTF_MAGIC);
	if (raw.data[offsetof(struct ext_header, version)] != BTF_VERSION)
		return error_set(err, EBADMSG, "unknown version %u (expected %u)",
				 raw.data[offsetof(struct ext_header, version)], BTF_VERSION);
	if (raw.data[offsetof(struct ext_header, flags)])
		return error_set(err, EBADMSG, "unknown flags 0x%x",
				 raw.data[offsetof(struct ext_header, flags)]);
	*hdr_len = bytes_u32(raw, offsetof(struct ext_header, hdr_len), r->swap);
	if (*hdr_len < min || *hdr_len > raw.size)
		return error_set(err, EBADMSG,
				 "header length %" PRIu32 " is not between %" PRIu32
				 " and the size, %zu",
				 *hdr_len, min, raw.size);
	r->rest = bytes_slice(raw, *hdr_len, raw.size - *hdr_len);
	return 0;
}

static inline uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Return true if all lines of a section are valid; if not, check_records() finds the invalid one.
 * For most objects this branch-free loop is enough. There are about as many lines as instructions,
 * so it is inline to get a copy for each value of @swap.
 */
static inline bool lines_are_good(const struct btf_ext_sec *sec, uint32_t strings, bool swap)
{
	uint32_t last = 0, bits = 0, last_string = 0;
	bool descend = false;

	for (uint32_t i = 0; i < sec->num; i++) {
		const size_t at = (size_t)i * sec->rec_size;
		const uint32_t insn_off = bytes_u32(sec->records, at, swap);

		bits |= insn_off;
		descend |= insn_off < last;
		last = insn_off;
		last_string = max(last_string, bytes_u32(sec->records, at +
				  offsetof(struct btf_line_info, file_name_off), swap));
		last_string = max(last_string, bytes_u32(sec->records, at +
				  offsetof(struct btf_line_info, line_off), swap));
	}
	return !descend && bits % INSN_SIZE == 0 && last_string < strings;
}

/*
 * Establishes that offsets ascend in multiples of 8, and that each record meets the rules of its
 * kind.
 */
static int check_records(const struct reader *r, const struct info_kind *kind,
			 const struct btf_ext_sec *sec, struct error *err)
{
	uint32_t last = 0;

	if (kind->check == check_line &&
	    (r->swap ? lines_are_good(sec, r->btf->strings.size, true) :
		       lines_are_good(sec, r->btf->strings.size, false)))
		return 0;
	for (uint32_t i = 0; i < sec->num; i++) {
		struct bytes rec =
			bytes_slice(sec->records, (uint64_t)i * sec->rec_size, sec->rec_size);
		uint32_t insn_off = bytes_u32(rec, 0, r->swap);
		int ret;

		if (insn_off % INSN_SIZE)
			ret = error_set(err, EBADMSG,
					"offset 0x%" PRIx32 " is not the start of an instruction",
					insn_off);
		else if (insn_off < last)
			ret = error_set(err, EBADMSG, "offset 0x%" PRIx32 " comes after 0x%" PRIx32,
					insn_off, last);
		else
			ret = kind->check(r, rec, err);
		if (ret) {
			error_where(err, ".BTF.ext %s of section '%.80s'[%" PRIu32 "]", kind->name,
				    sec->section, i);
			return ret;
		}
		last = insn_off;
	}
	return 0;
}

static bool ascend(const struct reader *r, const struct btf_ext_sec *sec)
{
	for (uint32_t i = 1; i < sec->num; i++)
		if (bytes_u32(sec->records, (size_t)i * sec->rec_size, r->swap) <
		    bytes_u32(sec->records, (size_t)(i - 1) * sec->rec_size, r->swap))
			return false;
	return true;
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* gcc 12 does not write CO-RE relocations in instruction order. */
static int sort_records(const struct reader *r, struct btf_ext_sec *sec, struct error *err)
{
	const size_t size = sec->rec_size;
	uint64_t *keys = calloc(sec->num, sizeof(*keys));	/* insn_off, then the index */

	sec->sorted = malloc(sec->records.size);
	if (!keys || !sec->sorted) {
		free(keys);
		return error_set(err, ENOMEM,
				 "no memory to sort %" PRIu32 " records", sec->num);
	}
	for (uint32_t i = 0; i < sec->num; i++)
		keys[i] = (uint64_t)bytes_u32(sec->records, i * size, r->swap) << 32 | i;
	qsort(keys, sec->num, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < sec->num; i++)
		memcpy(sec->sorted + i * size, sec->records.data + (uint32_t)keys[i] * size, size);
	sec->records.data = sec->sorted;
	free(keys);
	return 0;
}

/* Split the first section off @left and describe it. */
static int parse_sec(const struct reader *r, struct bytes *left, uint32_t rec_size,
		     struct btf_ext_sec *sec, struct error *err)
{
	const size_t head = sizeof(struct ext_sec_header);
	uint32_t name_off;
	int ret;

	if (left->size < head)
		return error_set(err, EBADMSG, "%zu trailing bytes", left->size);
	name_off = bytes_u32(*left, offsetof(struct ext_sec_header, sec_name_off), r->swap);
	ret = check_string(r, name_off, "a section's name", err);
	if (ret)
		return ret;
	sec->section = btf_string(r->btf, name_off);
	sec->num = bytes_u32(*left, offsetof(struct ext_sec_header, num_info), r->swap);
	sec->rec_size = rec_size;
	if (!memchr(sec->section, '\0', r->btf->strings.size - name_off > SECTION_NAME_MAX ?
		    SECTION_NAME_MAX : r->btf->strings.size - name_off))
		return error_set(err, EBADMSG, "a section's name is longer than %u bytes",
				 SECTION_NAME_MAX - 1);
	if (!sec->num || sec->num > (left->size - head) / rec_size)
		return error_set(err, EBADMSG,
				 "%" PRIu32 " records of section '%.80s' do not fit in 0x%zx bytes",
				 sec->num, sec->section, left->size - head);
	sec->records = bytes_slice(*left, head, (uint64_t)sec->num * rec_size);
	*left = bytes_slice(*left, head + sec->records.size, left->size - head - sec->records.size);
	return 0;
}

static int compare_secs(const void *a, const void *b)
{
	return strcmp(((const struct btf_ext_sec *)a)->section,
		      ((const struct btf_ext_sec *)b)->section);
}

/* Sort by name: btf_ext_find() is called for every section of the object. */
static int sort_secs(struct btf_ext_info *info, struct error *err)
{
	if (info->nr_secs < 2)
		return 0;
	qsort(info->secs, info->nr_secs, sizeof(*info->secs), compare_secs);
	for (uint32_t i = 1; i < info->nr_secs; i++) {
		if (!compare_secs(&info->secs[i - 1], &info->secs[i]))
			return error_set(err, EBADMSG, "section '%.80s' occurs twice",
					 info->secs[i].section);
	}
	return 0;
}

/*
 * Establishes that @part is a record size followed by sections, each with a header and its records.
 */
static int parse_secs(const struct reader *r, const struct info_kind *kind, struct bytes part,
		      struct btf_ext_info *info, struct error *err)
{
	uint32_t rec_size = part.size < sizeof(uint32_t) ? 0 : bytes_u32(part, 0, r->swap);
	struct bytes left;
	uint32_t max;
	int ret;

	if (rec_size < kind->rec_size || rec_size % sizeof(uint32_t))
		return error_set(err, EBADMSG,
				 "record size %" PRIu32 " is not a multiple of 4 from %" PRIu32
				 " up",
				 rec_size, kind->rec_size);
	left = bytes_slice(part, sizeof(uint32_t), part.size - sizeof(uint32_t));
	max = left.size / (sizeof(struct ext_sec_header) + rec_size);
	info->secs = calloc(max + UINT64_C(1),
			    sizeof(*info->secs)); /* one more, in case of trailing bytes */
	if (!info->secs)
		return error_set(err, ENOMEM, "no memory for the sections");
	while (left.size) {
		struct btf_ext_sec *sec = &info->secs[info->nr_secs];

		ret = parse_sec(r, &left, rec_size, sec, err);
		if (ret)
			return ret;
		info->nr_secs++;
	}
	return sort_secs(info, err);
}

static int parse_info(const struct reader *r, struct bytes raw, const struct info_kind *kind,
		      struct btf_ext_info *info, struct error *err)
{
	uint32_t off = bytes_u32(raw, kind->header_field, r->swap);
	uint32_t len = bytes_u32(raw, kind->header_field + sizeof(uint32_t), r->swap);
	int ret;

	if (!len)
		return 0;
	if (!bytes_hold(r->rest.size, off, len) || off % sizeof(uint32_t))
		ret = error_set(err, EBADMSG,
				"0x%" PRIx32 " bytes at 0x%" PRIx32 " do not fit into 0x%zx bytes",
				len, off, r->rest.size);
	else
		ret = parse_secs(r, kind, bytes_slice(r->rest, off, len), info, err);
	if (ret) {
		error_where(err, ".BTF.ext %s", kind->name);
		return ret;
	}
	for (uint32_t i = 0; !ret && i < info->nr_secs; i++) {
		if (kind->check == check_core && !ascend(r, &info->secs[i]))
			ret = sort_records(r, &info->secs[i], err);
		if (!ret)
			ret = check_records(r, kind, &info->secs[i], err);
	}
	return ret;
}

int btf_ext_parse(struct btf_ext *ext, struct bytes raw, const struct btf *btf, struct error *err)
{
	struct reader r = { .btf = btf };
	uint32_t hdr_len = 0;
	int ret;

	memset(ext, 0, sizeof(*ext));
	ret = check_header(&r, raw, &hdr_len, err);
	if (ret)
		error_where(err, ".BTF.ext header");
	ext->swap = r.swap;
	for (size_t i = 0; !ret && i < sizeof(info_kinds) / sizeof(info_kinds[0]); i++) {
		const struct info_kind *kind = &info_kinds[i];

		if (hdr_len >= kind->header_field + 2 * sizeof(uint32_t))
			ret = parse_info(&r, raw, kind,
					 (struct btf_ext_info *)((char *)ext + kind->info), err);
	}
	if (ret)
		btf_ext_free(ext);
	return ret;
}

bool btf_ext_has_core(struct bytes raw)
{
	struct reader r = { 0 };
	uint32_t hdr_len = 0;

	if (check_header(&r, raw, &hdr_len, NULL))
		return true;
	return hdr_len >= sizeof(struct ext_header) &&
	       bytes_u32(raw, offsetof(struct ext_header, core_relo_len), r.swap);
}

void btf_ext_free(struct btf_ext *ext)
{
	for (uint32_t i = 0; i < ext->core_relo.nr_secs; i++)
		free(ext->core_relo.secs[i].sorted);
	free(ext->func_info.secs);
	free(ext->line_info.secs);
	free(ext->core_relo.secs);
	memset(ext, 0, sizeof(*ext));
}

const struct btf_ext_sec *btf_ext_find(const struct btf_ext_info *info, const char *section)
{
	struct btf_ext_sec key = { .section = section };

	if (!info->nr_secs)
		return NULL;
	return bsearch(&key, info->secs, info->nr_secs, sizeof(*info->secs), compare_secs);
}
