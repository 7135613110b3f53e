// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mutate BTF by types, entries and strings, and .BTF.ext by words. */
#include "elf/elf_internal.h"
#include "test/fuzz/structured.h"
#include "test/unit/common/buffer.h"

/* BTF in two parts: change one of them, then join both again. */
struct parts {
	const struct btf *btf;	/* of the original */
	struct mutator *m;
	struct buffer types, strings;
};

static bool big_endian(const struct btf *btf)
{
	return btf->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static uint32_t get(const struct parts *p, size_t at)
{
	return buffer_peek(&p->types, at, 4, big_endian(p->btf));
}

static void put(struct parts *p, size_t at, uint32_t v)
{
	buffer_poke(&p->types, at, 4, v, big_endian(p->btf));
}

/* Return the offset of an existing string, or sometimes of the middle of one. */
static uint32_t some_name(struct parts *p)
{
	uint32_t at = mutate_below(p->m, p->strings.size);

	while (at && mutate_below(p->m, 16) && p->strings.data[at - 1])
		at--;
	return at;
}

static uint32_t some_info(struct mutator *m, uint32_t old)
{
	switch (mutate_below(m, 3)) {
	case 0:
		return old ^ UINT32_C(1) << 31;
	case 1:
		return (old & ~UINT32_C(0x7f000000)) | mutate_below(m, BTF_KIND_MAX + 2) << 24;
	default:
		return old + mutate_below(m, 5) - 2;
	}
}

static uint32_t some_type(struct parts *p)
{
	return p->btf->nr_types > 1 ? 1 + mutate_below(p->m, p->btf->nr_types - 1) : 0;
}

static size_t type_end(const struct btf *btf, uint32_t id)
{
	return id + 1 < btf->nr_types ? btf->offsets[id + 1] : btf->types.size;
}

/* Change one word of a type to a value that is valid for it, or nearly so. */
static void change_word(struct parts *p)
{
	uint32_t id = some_type(p), words, i;
	size_t at = p->btf->offsets[id];

	if (!id)
		return;
	words = (type_end(p->btf, id) - at) / 4;
	i = mutate_below(p->m, words);
	if (i == 0)
		put(p, at, some_name(p));
	else if (i == 1)
		put(p, at + 4, some_info(p->m, get(p, at + 4)));
	else if (mutate_below(p->m, 3))
		put(p, at + 4 * i, pick_word(p->m, get(p, at + 4 * i), p->btf->nr_types));
	else
		put(p, at + 4 * i, some_name(p));
}

/* Replace the bytes of types from @from to @to. */
static void splice(struct parts *p, size_t from, size_t to, const void *with, size_t size)
{
	struct buffer out = { 0 };

	buffer_add(&out, p->types.data, from);
	buffer_add(&out, with, size);
	buffer_add(&out, p->types.data + to, p->types.size - to);
	buffer_free(&p->types);
	p->types = out;
}

/* Add an entry, a copy of an existing one, or remove one, and update vlen. */
static void change_entries(struct parts *p)
{
	uint32_t id = some_type(p), i;
	struct btf_type_view t = btf_type(p->btf, id);
	uint32_t each = t.kind ? btf_kind(t.kind)->each : 0;
	unsigned char copy[16] = { 0 };
	size_t at;

	if (!each)
		return;
	i = mutate_below(p->m, t.vlen + 1);
	at = btf_entry(&t, i, each);
	put(p, p->btf->offsets[id] + 4,
	    get(p, p->btf->offsets[id] + 4) + (i < t.vlen && t.vlen > 1 && mutate_below(p->m, 2) ?
						       -1u : 1u));
	if (get(p, p->btf->offsets[id] + 4) % 0x10000 < t.vlen) {
		splice(p, at, at + each, NULL, 0);
	} else {
		if (t.vlen)
			memcpy(copy,
			       p->types.data + btf_entry(&t, mutate_below(p->m, t.vlen), each),
			       each);
		splice(p, at, at, copy, each);
	}
}

/* Append a new type of any kind. */
static void add_type(struct parts *p)
{
	uint32_t kind = 1 + mutate_below(p->m, BTF_KIND_MAX), vlen = mutate_below(p->m, 4);
	uint32_t words = btf_kind(kind)->fixed / 4 + vlen * btf_kind(kind)->each / 4;
	bool big = big_endian(p->btf);

	if (!btf_kind(kind)->each && kind != BTF_KIND_FUNC)
		vlen = 0;
	buffer_put(&p->types, 4, some_name(p), big);
	buffer_put(&p->types, 4, kind << 24 | vlen | mutate_below(p->m, 2) << 31, big);
	for (uint32_t i = 0; i <= words; i++)
		buffer_put(&p->types, 4, mutate_below(p->m, 3) ?
			   mutate_below(p->m, p->btf->nr_types) : some_name(p), big);
}

/* Append a copy of a type, remove the last types, or exchange two. */
static void move_types(struct parts *p)
{
	uint32_t id = some_type(p);
	size_t at = p->btf->offsets[id], len = id ? type_end(p->btf, id) - at : 0;
	struct buffer copy = { 0 };

	if (!id)
		return;
	buffer_add(&copy, p->types.data + at, len);
	switch (mutate_below(p->m, 3)) {
	case 0:
		buffer_add(&p->types, copy.data, len);
		break;
	case 1:
		p->types.size = at;
		break;
	default:
		splice(p, at, at + len, NULL, 0);
		buffer_add(&p->types, copy.data, len);
	}
	buffer_free(&copy);
}

/* Change the bytes between the first and the last zero, and sometimes append a few. */
static void change_strings(struct parts *p)
{
	size_t size = p->strings.size, grown;

	if (size < 3)
		return;
	grown = mutate_below(p->m, 4) ? size : size + mutate_below(p->m, 32);
	buffer_add(&p->strings, NULL, grown - size);
	p->strings.size = 2 + mutate_bytes(p->m, p->strings.data + 1, size - 2, grown - 2);
	p->strings.data[p->strings.size - 1] = 0;
}

static size_t put_together(const struct parts *p, unsigned char *data, size_t size, size_t max)
{
	const struct bytes layouts = p->btf->layouts;
	const size_t header = layouts.size ? sizeof(struct btf_header) : BTF_HEADER_PLAIN;
	bool big = big_endian(p->btf);
	struct buffer out = { 0 };

	buffer_add(&out, data, header);
	buffer_poke(&out, offsetof(struct btf_header, hdr_len), 4, header, big);
	buffer_poke(&out, offsetof(struct btf_header, type_off), 4, 0, big);
	buffer_poke(&out, offsetof(struct btf_header, type_len), 4, p->types.size, big);
	buffer_poke(&out, offsetof(struct btf_header, str_off), 4, p->types.size + layouts.size,
		    big);
	buffer_poke(&out, offsetof(struct btf_header, str_len), 4, p->strings.size, big);
	if (layouts.size)
		buffer_poke(&out, offsetof(struct btf_header, layout_off), 4, p->types.size, big);
	buffer_add(&out, p->types.data, p->types.size);
	buffer_add(&out, layouts.data, layouts.size);
	buffer_add(&out, p->strings.data, p->strings.size);
	if (out.size <= max) {
		memcpy(data, out.data, out.size);
		size = out.size;
	}
	buffer_free(&out);
	return size;
}

/* Change a word of the header, an offset or length of a part, by a little. */
static void change_header(struct mutator *m, unsigned char *data, bool big)
{
	struct buffer b = { .data = data, .size = BTF_HEADER_PLAIN };
	size_t words = buffer_peek(&b, offsetof(struct btf_header, hdr_len), 4, big) / 4;
	size_t at = 4 + 4 * mutate_below(m, words - 1);

	b.size = 4 * words;
	buffer_poke(&b, at, 4, buffer_peek(&b, at, 4, big) + 4 * mutate_below(m, 32) - 64, big);
}

size_t mutate_btf(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	static void (*const ways[])(struct parts *) = { change_word, change_word, change_word,
							change_entries, add_type, move_types,
							change_strings };
	unsigned char *copy = size ? malloc(size) : NULL;
	struct parts p = { .m = m };
	struct btf btf = { 0 };

	if (copy)
		memcpy(copy, data, size);
	if (!copy || !mutate_below(m, 16) || btf_index_all(&btf, (struct bytes){ copy, size }, NULL)) {
		free(copy);
		return mutate_bytes(m, data, size, max);
	}
	p.btf = &btf;
	buffer_add(&p.types, btf.types.data, btf.types.size);
	buffer_add(&p.strings, btf.strings.data, btf.strings.size);
	ways[mutate_below(m, sizeof(ways) / sizeof(ways[0]))](&p);
	size = put_together(&p, data, size, max);
	if (!mutate_below(m, 64))
		change_header(m, data, big_endian(&btf));
	buffer_free(&p.types);
	buffer_free(&p.strings);
	btf_free(&btf);
	free(copy);
	return size;
}

size_t mutate_ext(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	struct bytes b = { data, size };
	size_t at;
	uint32_t v;

	if (size < 4 || !mutate_below(m, 4))
		return mutate_bytes(m, data, size, max);
	at = mutate_below(m, size / 4) * 4;
	v = pick_word(m, bytes_u32(b, at, false), 64);
	memcpy(data + at, &v, sizeof(v));
	return size;
}
