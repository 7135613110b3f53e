// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* btf_index(): check the header and find each type, reading only as much as its length needs. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* A header that ends between the two forms has the older one, and bytes without a meaning. */
static bool has_layouts(uint32_t hdr_len)
{
	return hdr_len >= sizeof(struct btf_header);
}

static int check_header(struct btf *btf, struct bytes *rest, struct error *err)
{
	const struct bytes raw = btf->raw;
	uint32_t len;

	if (raw.size < BTF_HEADER_PLAIN)
		return error_set(err, EBADMSG, "it has %zu bytes, fewer than the header's %zu",
				 raw.size, BTF_HEADER_PLAIN);
	btf->swap = bytes_u16(raw, 0, false) != BTF_MAGIC;
	if (bytes_u16(raw, 0, btf->swap) != BTF_MAGIC)
		return error_set(err, EBADMSG, "magic 0x%04x is not 0x%x", bytes_u16(raw, 0, false),
				 BTF_MAGIC);
	if (raw.data[offsetof(struct btf_header, version)] != BTF_VERSION)
		return error_set(err, EBADMSG, "version %u, only %u is known",
				 raw.data[offsetof(struct btf_header, version)], BTF_VERSION);
	if (raw.data[offsetof(struct btf_header, flags)])
		return error_set(err, EBADMSG, "flags 0x%x, none are known",
				 raw.data[offsetof(struct btf_header, flags)]);
	len = bytes_u32(raw, offsetof(struct btf_header, hdr_len), btf->swap);
	if (len < BTF_HEADER_PLAIN || len > raw.size)
		return error_set(err, EBADMSG,
				 "header length %" PRIu32 " is not within %zu and the size, %zu",
				 len, BTF_HEADER_PLAIN, raw.size);
	/* As in the kernel, a longer header is accepted if the unknown part is zero. */
	for (size_t i = has_layouts(len) ? sizeof(struct btf_header) : BTF_HEADER_PLAIN; i < len;
	     i++) {
		if (raw.data[i])
			return error_set(
				err, EBADMSG,
				"byte %zu of the header has a meaning unknown here (0x%02x)", i,
				raw.data[i]);
	}
	*rest = bytes_slice(raw, len, raw.size - len);
	return 0;
}

/* A part of the data, whose offset is relative to the end of the header. */
struct part {
	const char *name;
	uint32_t off, len;
};

/* Establishes that the part whose offset and length begin at @field of the header lies in @rest. */
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

/* The kernel refuses parts that overlap; and loaders that rewrite one must not change another. */
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
	/* The empty name at offset 0 belongs to the base. */
	if (s.size && (btf->base || !s.data[0]) && !s.data[s.size - 1])
		return 0;
	return error_set(err, EBADMSG, "strings do not begin and end with a zero byte");
}

static int check_parts(struct btf *btf, struct bytes rest, struct error *err)
{
	const uint32_t len = btf->raw.size - rest.size;
	struct part types, strings, layouts = { 0 };

	if (check_part(btf, rest, "types", offsetof(struct btf_header, type_off), &types, err) ||
	    check_part(btf, rest, "strings", offsetof(struct btf_header, str_off), &strings, err) ||
	    check_aligned(&types, err) || check_apart(&types, &strings, err))
		return -EBADMSG;
	if (has_layouts(len) &&
	    check_part(btf, rest, "layouts", offsetof(struct btf_header, layout_off), &layouts,
		       err))
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
 * The length of the types of one kind, in bytes: fixed + vlen * each. What is not valid is longer
 * than any BTF: a type of an unknown kind, and one entry of a kind that has no entries.
 */
struct shape {
	uint64_t fixed;	/* with struct btf_type */
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
 * Fill in the length of each kind: those of the kinds that are known here from btf_kind(), others
 * from the layouts, which split BTF may leave to its base. Like the kernel and libbpf, take only
 * multiples of 4.
 */
static void fill_shapes(const struct btf *btf, struct shape shapes[NR_SHAPES])
{
	const struct bytes layouts =
		btf->base && !btf->layouts.size ? btf->base->layouts : btf->layouts;

	for (uint32_t i = 0; i < NR_SHAPES; i++) {
		const struct btf_kind *kind = btf_kind(i);
		const size_t at = i * sizeof(struct btf_layout);

		shapes[i] = (struct shape){ NOT_VALID, 0 };
		if (kind) {
			shapes[i].fixed = sizeof(struct btf_type) + kind->fixed;
			shapes[i].each = kind->each ? kind->each : NOT_VALID;
		} else if (i >= NR_BTF_KINDS &&
			   bytes_hold(layouts.size, at, sizeof(struct btf_layout)) &&
			   layouts.data[at] % 4 == 0 && layouts.data[at + 1] % 4 == 0) {
			shapes[i].fixed = sizeof(struct btf_type) + layouts.data[at];
			shapes[i].each = layouts.data[at + 1];
		}
	}
	shapes[BTF_KIND_FUNC].each = 0;	/* its vlen is its linkage */
}

/* The type at @off is not valid: find the reason. */
static int refuse_type(const struct btf *btf, const struct shape *shapes, size_t off,
		       struct error *err)
{
	uint32_t info, vlen, kind;

	if (!bytes_hold(btf->types.size, off, sizeof(struct btf_type)))
		return error_set(err, EBADMSG, "the types end within it");
	info = btf_word(btf, off + offsetof(struct btf_type, info));
	kind = BTF_INFO_KIND(info);
	vlen = BTF_INFO_VLEN(info);
	if (shapes[kind].fixed == NOT_VALID)
		return error_set(err, EBADMSG,
				 "kind %" PRIu32 " is unknown, the last known is %u, and no layout "
				 "gives its length",
				 kind, BTF_KIND_MAX);
	if (vlen && shapes[kind].each == NOT_VALID)
		return error_set(err, EBADMSG, "a %s has no entries, and it is to have %" PRIu32,
				 btf_kind_name(kind), vlen);
	return error_set(err, EBADMSG, "the types end within it, a %s with %" PRIu32 " entries",
			 btf_kind_name(kind), vlen);
}

/* Establishes the offset of each type, and that it lies in the types. */
static int index_types(struct btf *btf, const struct btf_visitor *visitor, struct error *err)
{
	const uint32_t first = btf->first_id ? btf->first_id : 1;
	const uint32_t kinds = visitor ? visitor->kinds : 0;
	/* Local copies: the compiler would load the fields again after each visit(). */
	const struct bytes types = btf->types;
	const uint32_t skipped = btf->sparse ? BTF_STRIDE - 1 : 0;
	uint32_t *offsets = btf->offsets + (btf->sparse ? 0 : first - btf->first_id), nr = 0;
	const bool swap = btf->swap;
	struct shape shapes[NR_SHAPES];

	fill_shapes(btf, shapes);
	for (uint64_t off = 0, len = 0; off < types.size; off += len) {
		const uint64_t room = types.size - off;
		uint32_t info = 0;

		if (!(nr++ & skipped))
			*offsets++ = off;
		if (room >= sizeof(struct btf_type))
			info = bytes_u32(types, off + offsetof(struct btf_type, info), swap);
		/*
		 * Half of the types of a kernel are FUNCs, which follow each other. Predicting this
		 * branch lets the processor begin with the next one.
		 */
		len = info == (uint32_t)BTF_KIND_FUNC << 24 ? sizeof(struct btf_type) :
							      length(shapes, info);
		if (len > room) {
			refuse_type(btf, shapes, off, err);
			return error_where(err, "BTF type %" PRIu32, first + nr - 1);
		}
		if (kinds >> btf_info_kind(info) & 1) {
			btf->nr_types = first + nr;
			visitor->visit(visitor->arg, btf, first + nr - 1, off);
		}
	}
	btf->nr_types = first + nr;
	return 0;
}

/* The length of a type that was found by index_types(), whose second word is @info. */
static uint32_t known_length(const struct btf *btf, uint32_t info)
{
	const struct btf_kind *kind = btf_kind(BTF_INFO_KIND(info));
	struct shape shapes[NR_SHAPES];

	if (kind)
		return sizeof(struct btf_type) + kind->fixed + BTF_INFO_VLEN(info) * kind->each;
	fill_shapes(btf, shapes);
	return length(shapes, info);
}

size_t btf_offset_sparse(const struct btf *btf, uint32_t id)
{
	const uint32_t record = id - (btf->first_id ? btf->first_id : 1);
	size_t at = btf->offsets[record / BTF_STRIDE];

	for (uint32_t i = 0; i < record % BTF_STRIDE; i++)
		at += known_length(btf, btf_word(btf, at + offsetof(struct btf_type, info)));
	return at;
}

void btf_visit(const struct btf *btf, const struct btf_visitor *visitor)
{
	uint32_t id = btf->first_id ? btf->first_id : 1, info;

	for (size_t at = 0; id < btf->nr_types; id++, at += known_length(btf, info)) {
		info = btf_word(btf, at + offsetof(struct btf_type, info));
		if (visitor->kinds >> btf_info_kind(info) & 1)
			visitor->visit(visitor->arg, btf, id, at);
	}
}

static int make_index(struct btf *btf, const struct btf_visitor *visitor, struct error *err)
{
	const size_t max = btf->types.size / sizeof(struct btf_type) + 1;

	/* One more each: a record that is cut off; and id 0. */
	btf->offsets = malloc((btf->sparse ? max / BTF_STRIDE + 1 : max + 1) *
			      sizeof(*btf->offsets));
	if (!btf->offsets)
		return error_set(err, ENOMEM, "no memory for the index of 0x%zx bytes of types",
				 btf->types.size);
	btf->offsets[0] = 0;
	btf->first_id = btf->base ? btf->base->nr_types : 0;
	return index_types(btf, visitor, err);
}

static int index_whole(struct btf *btf, const struct btf_visitor *visitor, struct error *err)
{
	struct bytes rest = { 0 };
	int ret = check_header(btf, &rest, err);

	if (!ret && btf->base && btf->swap != btf->base->swap)
		ret = error_set(err, EINVAL, "its byte order is not that of its base");
	if (!ret)
		ret = check_parts(btf, rest, err);
	if (ret)
		error_where(err, "BTF header");
	else
		ret = make_index(btf, visitor, err);
	if (ret)
		btf_free(btf);
	return ret;
}

int btf_index_visit(struct btf *btf, struct bytes raw, const struct btf_visitor *visitor,
		    struct error *err)
{
	*btf = (struct btf){ .raw = raw, .pointer_size = 8, .sparse = true };
	return index_whole(btf, visitor, err);
}

int btf_index_all(struct btf *btf, struct bytes raw, struct error *err)
{
	*btf = (struct btf){ .raw = raw, .pointer_size = 8 };
	return index_whole(btf, NULL, err);
}

int btf_index(struct btf *btf, struct bytes raw, struct error *err)
{
	return btf_index_visit(btf, raw, NULL, err);
}

int btf_index_split(struct btf *btf, struct bytes raw, const struct btf *base, struct error *err)
{
	*btf = (struct btf){ 0 };
	if (base->base)
		return error_set(err, EINVAL, "the base of split BTF is split itself");
	*btf = (struct btf){ .raw = raw, .base = base, .sparse = true,
			      .pointer_size = base->pointer_size };
	return index_whole(btf, NULL, err);
}

void btf_free(struct btf *btf)
{
	free(btf->offsets);
	memset(btf, 0, sizeof(*btf));
}
