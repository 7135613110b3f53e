// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* btf_index(): check the header and find each type, reading only as much as its length needs. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

#define INFO_KNOWN	0x9f00ffffu	/* kind_flag, kind, vlen */

static int check_header(struct btf *btf, struct bytes *rest, struct error *err)
{
	const struct bytes raw = btf->raw;
	uint32_t len;

	if (raw.size < sizeof(struct btf_header))
		return error_set(err, EBADMSG, "it has %zu bytes, fewer than the header's %zu",
				 raw.size, sizeof(struct btf_header));
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
	if (len < sizeof(struct btf_header) || len > raw.size)
		return error_set(err, EBADMSG,
				 "header length %" PRIu32 " is not within %zu and the size, %zu",
				 len, sizeof(struct btf_header), raw.size);
	/* As in the kernel, a longer header is accepted if the unknown part is zero. */
	for (size_t i = sizeof(struct btf_header); i < len; i++) {
		if (raw.data[i])
			return error_set(
				err, EBADMSG,
				"byte %zu of the header has a meaning unknown here (0x%02x)", i,
				raw.data[i]);
	}
	*rest = bytes_slice(raw, len, raw.size - len);
	return 0;
}

static int check_parts(struct btf *btf, struct bytes rest, struct error *err)
{
	uint32_t type_off = bytes_u32(btf->raw, offsetof(struct btf_header, type_off), btf->swap);
	uint32_t type_len = bytes_u32(btf->raw, offsetof(struct btf_header, type_len), btf->swap);
	uint32_t str_off = bytes_u32(btf->raw, offsetof(struct btf_header, str_off), btf->swap);
	uint32_t str_len = bytes_u32(btf->raw, offsetof(struct btf_header, str_len), btf->swap);

	if (!bytes_hold(rest.size, type_off, type_len) || type_off % 4)
		return error_set(err, EBADMSG,
				 "types at 0x%" PRIx32 ", 0x%" PRIx32
				 " bytes, do not fit in 0x%zx bytes",
				 type_off, type_len, rest.size);
	if (!bytes_hold(rest.size, str_off, str_len))
		return error_set(err, EBADMSG,
				 "strings at 0x%" PRIx32 ", 0x%" PRIx32
				 " bytes, do not fit in 0x%zx bytes",
				 str_off, str_len, rest.size);
	/*
	 * The kernel refuses this too; and loaders that rewrite one part must not change the other.
	 */
	if (type_off < (uint64_t)str_off + str_len && str_off < (uint64_t)type_off + type_len)
		return error_set(err, EBADMSG,
				 "types at 0x%" PRIx32 ", 0x%" PRIx32
				 " bytes, overlap strings at 0x%" PRIx32 ", 0x%" PRIx32 " bytes",
				 type_off, type_len, str_off, str_len);
	btf->types = bytes_slice(rest, type_off, type_len);
	btf->strings = bytes_slice(rest, str_off, str_len);
	if (btf->base && !str_len)
		return 0;
	/* The empty name at offset 0 belongs to the base. */
	if (!str_len || (!btf->base && btf->strings.data[0]) || btf->strings.data[str_len - 1])
		return error_set(err, EBADMSG, "strings do not begin and end with a zero byte");
	return 0;
}

/*
 * Establishes that the type at @off has a known kind, no bits without a meaning, and lies in the
 * types. Returns its length.
 */
static int check_info(const struct btf *btf, size_t off, uint64_t *len, struct error *err)
{
	const struct btf_kind *kind;
	uint32_t info, vlen;

	if (!bytes_hold(btf->types.size, off, sizeof(struct btf_type)))
		return error_set(err, EBADMSG, "the types end within it");
	info = btf_word(btf, off + offsetof(struct btf_type, info));
	vlen = BTF_INFO_VLEN(info);
	kind = btf_kind(BTF_INFO_KIND(info));
	if (!kind)
		return error_set(err, EBADMSG, "kind %" PRIu32 " is unknown, the last known is %u",
				 BTF_INFO_KIND(info), BTF_KIND_MAX);
	if (info & ~INFO_KNOWN)
		return error_set(err, EBADMSG, "info 0x%08" PRIx32 " has bits without a meaning",
				 info);
	if (vlen && !kind->each && BTF_INFO_KIND(info) != BTF_KIND_FUNC)
		return error_set(err, EBADMSG, "a %s has no entries, and it is to have %" PRIu32,
				 kind->name, vlen);
	*len = sizeof(struct btf_type) + kind->fixed + (uint64_t)vlen * kind->each;
	if (!bytes_hold(btf->types.size, off, *len))
		return error_set(err, EBADMSG,
				 "the types end within it, a %s with %" PRIu32 " entries",
				 kind->name, vlen);
	return 0;
}

/* The lengths of all kinds in one cache line: a kernel has more than a hundred thousand types. */
struct shape {
	uint8_t fixed, each;	/* in bytes; fixed includes struct btf_type, 0: unknown kind */
};

static void fill_shapes(struct shape shapes[32])
{
	for (uint32_t i = 0; i < 32; i++) {
		const struct btf_kind *kind = btf_kind(i);

		shapes[i].fixed = kind ? sizeof(struct btf_type) + kind->fixed : 0;
		shapes[i].each = kind ? kind->each : 0;
	}
}

/*
 * Return the length of a type whose second word is @info, with @room bytes left, or 0 if it is not
 * valid; check_info() then finds the reason.
 */
static uint64_t quick_length(const struct shape *shapes, uint32_t info, uint64_t room)
{
	const struct shape shape = shapes[BTF_INFO_KIND(info)];
	const uint64_t len = shape.fixed + (uint64_t)BTF_INFO_VLEN(info) * shape.each;

	/*
	 * Half of the types of a kernel are FUNCs, which follow each other. Predicting this branch
	 * lets the processor begin with the next one.
	 */
	if (info == (uint32_t)BTF_KIND_FUNC << 24)
		return sizeof(struct btf_type);
	if ((info & ~INFO_KNOWN) || !shape.fixed || len > room)
		return 0;
	return shape.each || !BTF_INFO_VLEN(info) ? len : 0;
}

/* Establishes the offset of each type, and that it lies in the types. */
static int index_types(struct btf *btf, const struct btf_visitor *visitor, struct error *err)
{
	const uint32_t first = btf->first_id ? btf->first_id : 1;
	const uint32_t kinds = visitor ? visitor->kinds : 0;
	/* Local copies: the compiler would load the fields again after each visit(). */
	const struct bytes types = btf->types;
	uint32_t *offsets = btf->offsets + first - btf->first_id, nr = 0;
	const bool swap = btf->swap;
	struct shape shapes[32];

	fill_shapes(shapes);
	for (uint64_t off = 0, len = 0; off < types.size; off += len) {
		uint32_t info = 0;

		offsets[nr++] = off;
		len = 0;
		if (types.size - off >= sizeof(struct btf_type)) {
			info = bytes_u32(types, off + offsetof(struct btf_type, info), swap);
			len = quick_length(shapes, info, types.size - off);
		}
		/* Not valid, or a FUNC, whose vlen is its linkage. */
		if (!len && check_info(btf, off, &len, err))
			return error_where(err, "BTF type %" PRIu32, first + nr - 1);
		if (kinds >> BTF_INFO_KIND(info) & 1) {
			btf->nr_types = first + nr;
			visitor->visit(visitor->arg, btf, first + nr - 1);
		}
	}
	btf->nr_types = first + nr;
	return 0;
}

static int make_index(struct btf *btf, const struct btf_visitor *visitor, struct error *err)
{
	btf->offsets =
		malloc((btf->types.size / sizeof(struct btf_type) + 2) * sizeof(*btf->offsets));
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
	*btf = (struct btf){ .raw = raw, .pointer_size = 8 };
	return index_whole(btf, visitor, err);
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
	*btf = (struct btf){ .raw = raw, .base = base, .pointer_size = base->pointer_size };
	return index_whole(btf, NULL, err);
}

void btf_free(struct btf *btf)
{
	free(btf->offsets);
	memset(btf, 0, sizeof(*btf));
}
