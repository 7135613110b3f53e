// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * btf_open(), btf_index(): check the header, and find each type from the lengths of the types
 * before it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* A header whose length is between the two forms is the old one plus unknown bytes. */
static bool has_layouts(uint32_t hdr_len)
{
	return hdr_len >= sizeof(struct btf_header);
}

/* Not damaged: it may be newer than this program. */
static int refuse_newer(struct error *err)
{
	return error_hint(err, "it may come from a newer compiler and need a newer pload");
}

static int check_header(struct btf *btf, struct bytes *rest, struct error *err)
{
	const struct bytes raw = btf->raw;
	uint32_t len;

	if (raw.size < BTF_HEADER_PLAIN)
		return error_set(err, EBADMSG, "its %zu bytes are fewer than the header's %zu",
				 raw.size, BTF_HEADER_PLAIN);
	btf->swap = bytes_u16(raw, 0, false) != BTF_MAGIC;
	if (bytes_u16(raw, 0, btf->swap) != BTF_MAGIC)
		return error_set(err, EBADMSG, "magic 0x%04x is not 0x%x", bytes_u16(raw, 0, false),
				 BTF_MAGIC);
	if (raw.data[offsetof(struct btf_header, version)] != BTF_VERSION) {
		error_set(err, ENOTSUP, "unknown version %u (expected %u)",
			  raw.data[offsetof(struct btf_header, version)], BTF_VERSION);
		return refuse_newer(err);
	}
	if (raw.data[offsetof(struct btf_header, flags)]) {
		error_set(err, ENOTSUP, "unknown flags 0x%x",
			  raw.data[offsetof(struct btf_header, flags)]);
		return refuse_newer(err);
	}
	len = bytes_u32(raw, offsetof(struct btf_header, hdr_len), btf->swap);
	if (len < BTF_HEADER_PLAIN || len > raw.size)
		return error_set(err, EBADMSG,
				 "header length %" PRIu32 " is not between %zu and the size, %zu",
				 len, BTF_HEADER_PLAIN, raw.size);
	/* Like the kernel, accept a longer header if the unknown part is zero. */
	for (size_t i = has_layouts(len) ? sizeof(struct btf_header) : BTF_HEADER_PLAIN; i < len;
	     i++) {
		if (!raw.data[i])
			continue;
		error_set(err, ENOTSUP, "unknown header byte %zu is not zero (0x%02x)", i,
			  raw.data[i]);
		return refuse_newer(err);
	}
	*rest = bytes_slice(raw, len, raw.size - len);
	return 0;
}

/* A part of the data. Its offset is relative to the end of the header. */
struct part {
	const char *name;
	uint32_t off, len;
};

/* Establishes that the part whose offset and length are at @field of the header is inside @rest. */
static int check_part(const struct btf *btf, struct bytes rest, const char *name, size_t field,
		      struct part *part, struct error *err)
{
	part->name = name;
	part->off = bytes_u32(btf->raw, field, btf->swap);
	part->len = bytes_u32(btf->raw, field + sizeof(uint32_t), btf->swap);
	if (bytes_hold(rest.size, part->off, part->len))
		return 0;
	return error_set(err, EBADMSG,
			 "%s at 0x%" PRIx32 ", 0x%" PRIx32 " bytes, do not fit in 0x%zx bytes",
			 name, part->off, part->len, rest.size);
}

/*
 * The kernel rejects overlapping parts, and a loader that rewrites one part must not change
 * another.
 */
static int check_apart(const struct part *a, const struct part *b, struct error *err)
{
	if (a->off >= (uint64_t)b->off + b->len || b->off >= (uint64_t)a->off + a->len)
		return 0;
	return error_set(err, EBADMSG,
			 "%s at 0x%" PRIx32 ", 0x%" PRIx32 " bytes, overlap %s at 0x%" PRIx32
			 ", 0x%" PRIx32 " bytes",
			 a->name, a->off, a->len, b->name, b->off, b->len);
}

static int check_aligned(const struct part *part, struct error *err)
{
	if (part->off % 4 == 0)
		return 0;
	return error_set(err, EBADMSG, "%s at 0x%" PRIx32 " do not begin at a multiple of 4",
			 part->name, part->off);
}

static int check_strings(const struct btf *btf, struct error *err)
{
	const struct bytes s = btf->strings;

	if (btf->base && !s.size)
		return 0;
	/* Only the base has the empty name at offset 0. */
	if (s.size && (btf->base || !s.data[0]) && !s.data[s.size - 1])
		return 0;
	return error_set(err, EBADMSG, "the strings do not start and end with a zero byte");
}

static int check_parts(struct btf *btf, struct bytes rest, struct error *err)
{
	const uint32_t len = btf->raw.size - rest.size;
	struct part types, strings, layouts = { 0 };

	if (check_part(btf, rest, "types", offsetof(struct btf_header, type_off), &types, err) ||
	    check_part(btf, rest, "strings", offsetof(struct btf_header, str_off), &strings, err) ||
	    check_aligned(&types, err) || check_apart(&types, &strings, err))
		return -EBADMSG;
	if (has_layouts(len) && check_part(btf, rest, "layouts",
					   offsetof(struct btf_header, layout_off), &layouts, err))
		return -EBADMSG;
	if (layouts.len && (check_aligned(&layouts, err) || check_apart(&types, &layouts, err) ||
			    check_apart(&layouts, &strings, err)))
		return -EBADMSG;
	btf->types = bytes_slice(rest, types.off, types.len);
	btf->strings = bytes_slice(rest, strings.off, strings.len);
	btf->layouts = bytes_slice(rest, layouts.off, layouts.len);
	return check_strings(btf, err);
}

/*
 * The length of a type of one kind, in bytes: fixed + vlen * each. NOT_VALID, which is longer than
 * any BTF, is the length of a type of unknown kind, and of an entry of a kind that has no entries.
 */
struct shape {
	uint64_t fixed; /* including struct btf_type */
	uint64_t each;
};

#define NOT_VALID (UINT64_C(1) << 40)
#define NR_SHAPES (BTF_INFO_KIND(UINT32_MAX) + 1)

static uint64_t length(const struct shape *shapes, uint32_t info)
{
	const struct shape *shape = &shapes[BTF_INFO_KIND(info)];

	return shape->fixed + BTF_INFO_VLEN(info) * shape->each;
}

/*
 * Kinds 20 to 22, LOC_PARAM, LOC_PROTO and LOCSEC: where a function was inlined, and where its
 * arguments are there. They are skipped. No release of Linux has them yet, so that a layout wins.
 */
static const unsigned char location_kinds[][2] = { { 4, 4 }, { 0, 4 }, { 0, 12 } };

/*
 * Fill in the length of each kind: from btf_kind() if known, otherwise from the layouts, which
 * split BTF may inherit from its base. Like the kernel and libbpf, accept only multiples of 4.
 */
static void fill_shapes(const struct btf *btf, struct shape shapes[NR_SHAPES])
{
	const struct bytes layouts =
		btf->base && !btf->layouts.size ? btf->base->layouts : btf->layouts;

	for (uint32_t i = 0; i < NR_SHAPES; i++) {
		const struct btf_kind *kind = btf_kind(i);
		const size_t at = i * sizeof(struct btf_layout);
		const unsigned char *layout = NULL;

		shapes[i] = (struct shape){ NOT_VALID, 0 };
		if (kind) {
			shapes[i].fixed = sizeof(struct btf_type) + kind->fixed;
			shapes[i].each = kind->each ? kind->each : NOT_VALID;
		} else if (i >= NR_BTF_KINDS &&
			   bytes_hold(layouts.size, at, sizeof(struct btf_layout))) {
			layout = layouts.data + at;
		} else if (i >= NR_BTF_KINDS && i < NR_BTF_KINDS + sizeof(location_kinds) / 2) {
			layout = location_kinds[i - NR_BTF_KINDS];
		}
		if (layout && layout[0] % 4 == 0 && layout[1] % 4 == 0)
			shapes[i] =
				(struct shape){ sizeof(struct btf_type) + layout[0], layout[1] };
	}
	shapes[BTF_KIND_FUNC].each = 0; /* its vlen is its linkage */
}

/* The type at @off is invalid: find out why. */
static int refuse_type(const struct btf *btf, const struct shape *shapes, size_t off,
		       struct error *err)
{
	uint32_t info, vlen, kind;

	if (!bytes_hold(btf->types.size, off, sizeof(struct btf_type)))
		return error_set(err, EBADMSG, "it is truncated");
	info = btf_word(btf, off + offsetof(struct btf_type, info));
	kind = BTF_INFO_KIND(info);
	vlen = BTF_INFO_VLEN(info);
	if (kind == BTF_KIND_UNKN)
		return error_set(err, EBADMSG, "kind 0 is void, which has no record");
	if (shapes[kind].fixed == NOT_VALID) {
		error_set(err, ENOTSUP,
			  "kind %" PRIu32 " is unknown: the last known one is %u, and the BTF has "
			  "no layout of it",
			  kind, BTF_KIND_MAX);
		return refuse_newer(err);
	}
	if (vlen && shapes[kind].each == NOT_VALID)
		return error_set(err, EBADMSG, "a %s cannot have entries; this one has %" PRIu32,
				 btf_kind_name(kind), vlen);
	return error_set(err, EBADMSG, "it is truncated: a %s with %" PRIu32 " entries",
			 btf_kind_name(kind), vlen);
}

/*
 * The types found so far. Ids number the records, and the offset of a record is the sum of the
 * lengths of the records before it. Each is found once, when it or a later one is needed.
 */
struct btf_found {
	struct shape shapes[NR_SHAPES];
	uint64_t end; /* offset after the last of them */
	uint32_t nr;
	uint32_t skipped; /* only ids with none of these bits set have their offset kept */
	bool broken; /* the type at @end is invalid */
};

static uint32_t first_own_id(const struct btf *btf)
{
	return btf->first_id ? btf->first_id : 1;
}

/* Find types until there are @nr, one ends after offset @at, or the data ends. */
static void find_types(const struct btf *btf, uint64_t nr, uint64_t at)
{
	struct btf_found *found = btf->found;
	/* Local copies: otherwise the compiler reloads the fields after each store. */
	const struct bytes types = btf->types;
	const uint32_t skipped = found->skipped;
	const bool swap = btf->swap;
	uint32_t *slot = btf->offsets + (skipped ? (found->nr + skipped) / BTF_STRIDE : 1);
	uint32_t i = found->nr;
	uint64_t off = found->end;

	if (found->broken)
		return;
	while (i < nr && off <= at && off < types.size) {
		const uint64_t room = types.size - off;
		uint32_t info = 0;
		uint64_t len;

		if (room >= sizeof(struct btf_type))
			info = bytes_u32(types, off + offsetof(struct btf_type, info), swap);
		/*
		 * Half of a kernel's types are FUNCs, in sequence. With this branch predicted, the
		 * processor can start on the next one.
		 */
		len = info == (uint32_t)BTF_KIND_FUNC << 24 ? sizeof(struct btf_type)
							    : length(found->shapes, info);
		if (len > room) {
			found->broken = true;
			break;
		}
		if (!(i++ & skipped))
			*slot++ = off;
		off += len;
	}
	found->nr = i;
	found->end = off;
}

bool btf_find_id(const struct btf *btf, uint32_t id)
{
	id -= first_own_id(btf);
	if (id >= btf->found->nr)
		find_types(btf, (uint64_t)id + 1, UINT64_MAX);
	return id < btf->found->nr;
}

uint32_t btf_nr_types(const struct btf *btf)
{
	if (!btf->found)
		return btf->nr_types;
	find_types(btf, UINT64_MAX, UINT64_MAX);
	return first_own_id(btf) + btf->found->nr;
}

/* Return the length of the type at @off, which was found before. */
static uint32_t known_length(const struct btf *btf, size_t off)
{
	return length(btf->found->shapes, btf_word(btf, off + offsetof(struct btf_type, info)));
}

size_t btf_offset_found(const struct btf *btf, uint32_t id)
{
	const uint32_t i = id - first_own_id(btf);
	size_t at = btf->offsets[i / BTF_STRIDE];

	for (uint32_t n = 0; n < i % BTF_STRIDE; n++)
		at += known_length(btf, at);
	return at;
}

uint32_t btf_id_at(const struct btf *btf, uint32_t at)
{
	uint32_t low = 0, high, i;
	size_t off;

	find_types(btf, UINT64_MAX, at);
	if (btf->found->end <= at)
		return 0;
	/* offsets[low] is at most @at; offsets[high] is greater, or does not exist. */
	for (high = (btf->found->nr - 1) / BTF_STRIDE + 1; high - low > 1;) {
		const uint32_t middle = low + (high - low) / 2;

		if (btf->offsets[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	for (i = low * BTF_STRIDE, off = btf->offsets[low]; off < at; i++)
		off += known_length(btf, off);
	return off == at ? first_own_id(btf) + i : 0;
}

static int make_index(struct btf *btf, uint32_t skipped, struct error *err)
{
	const size_t max = btf->types.size / sizeof(struct btf_type);

	btf->found = malloc(sizeof(*btf->found));
	/* One more element: for id 0, or for the last, incomplete stride. */
	btf->offsets = malloc((max / (skipped + 1) + 1) * sizeof(*btf->offsets));
	if (!btf->offsets || !btf->found)
		return error_set(err, ENOMEM, "no memory for the index of 0x%zx bytes of types",
				 btf->types.size);
	btf->offsets[0] = 0;
	*btf->found = (struct btf_found){ .skipped = skipped };
	fill_shapes(btf, btf->found->shapes);
	btf->first_id = btf->base ? btf_nr_types(btf->base) : 0;
	btf->nr_types = first_own_id(btf);
	return 0;
}

static int open_types(struct btf *btf, uint32_t skipped, struct error *err)
{
	struct bytes rest = { 0 };
	int ret = check_header(btf, &rest, err);

	if (!ret && btf->base && btf->swap != btf->base->swap)
		ret = error_set(err, EINVAL, "its byte order differs from its base's");
	if (!ret)
		ret = check_parts(btf, rest, err);
	if (ret) {
		error_at(err, 0);
		error_where(err, "BTF header");
	} else {
		ret = make_index(btf, skipped, err);
	}
	if (ret)
		btf_free(btf);
	return ret;
}

/* Establishes that each type is inside the types section. */
static int index_types(struct btf *btf, struct error *err)
{
	const uint32_t nr = btf_nr_types(btf);

	if (btf->found->broken) {
		refuse_type(btf, btf->found->shapes, btf->found->end, err);
		error_at(err, btf->types.data - btf->raw.data + btf->found->end);
		btf_free(btf);
		return error_where(err, "BTF type %" PRIu32, nr);
	}
	btf->nr_types = nr;
	return 0;
}

int btf_open(struct btf *btf, struct bytes raw, struct error *err)
{
	*btf = (struct btf){ .raw = raw, .pointer_size = 8 };
	return open_types(btf, BTF_STRIDE - 1, err);
}

int btf_index(struct btf *btf, struct bytes raw, struct error *err)
{
	const int ret = btf_open(btf, raw, err);

	return ret ? ret : index_types(btf, err);
}

int btf_index_all(struct btf *btf, struct bytes raw, struct error *err)
{
	int ret;

	*btf = (struct btf){ .raw = raw, .pointer_size = 8 };
	ret = open_types(btf, 0, err);
	if (!ret)
		ret = index_types(btf, err);
	free(btf->found);
	btf->found = NULL;
	return ret;
}

int btf_index_split(struct btf *btf, struct bytes raw, const struct btf *base, struct error *err)
{
	int ret;

	*btf = (struct btf){ 0 };
	if (base->base)
		return error_set(err, EINVAL, "the base of split BTF is itself split");
	*btf = (struct btf){ .raw = raw, .base = base, .pointer_size = base->pointer_size };
	ret = open_types(btf, BTF_STRIDE - 1, err);
	return ret ? ret : index_types(btf, err);
}

void btf_free(struct btf *btf)
{
	free(btf->found);
	free(btf->offsets);
	memset(btf, 0, sizeof(*btf));
}
