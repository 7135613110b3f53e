// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* BTF of the object language: types as bpftool prints them, and those of maps and variables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loader/base/text/names.h"
#include "test/judge/conformance/assemble_internal.h"

/* A kind: the keys of its last word in struct btf_type, of the words after it, of its members. */
static const struct kind {
	const char *name;
	uint32_t kind;
	const char *word;
	const char *after[3];
	const char *member[3];
} kinds[] = {
	{ "INT", BTF_KIND_INT, .word = "size" },
	{ "PTR", BTF_KIND_PTR, .word = "type_id" },
	{ "ARRAY", BTF_KIND_ARRAY, .after = { "type_id", "index_type_id", "nr_elems" } },
	{ "STRUCT", BTF_KIND_STRUCT, .word = "size", .member = { "type_id", "bits_offset" } },
	{ "UNION", BTF_KIND_UNION, .word = "size", .member = { "type_id", "bits_offset" } },
	{ "ENUM", BTF_KIND_ENUM, .word = "size", .member = { "val" } },
	{ "FWD", BTF_KIND_FWD, .word = NULL },
	{ "TYPEDEF", BTF_KIND_TYPEDEF, .word = "type_id" },
	{ "VOLATILE", BTF_KIND_VOLATILE, .word = "type_id" },
	{ "CONST", BTF_KIND_CONST, .word = "type_id" },
	{ "RESTRICT", BTF_KIND_RESTRICT, .word = "type_id" },
	{ "FUNC", BTF_KIND_FUNC, .word = "type_id" },
	{ "FUNC_PROTO", BTF_KIND_FUNC_PROTO, .word = "ret_type_id", .member = { "type_id" } },
	{ "VAR", BTF_KIND_VAR, .word = "type_id", .after = { "linkage" } },
	{ "DATASEC", BTF_KIND_DATASEC, .word = "size", .member = { "type_id", "offset", "size" } },
	{ "FLOAT", BTF_KIND_FLOAT, .word = "size" },
	{ "DECL_TAG", BTF_KIND_DECL_TAG, .word = "type_id", .after = { "component_idx" } },
	{ "TYPE_TAG", BTF_KIND_TYPE_TAG, .word = "type_id" },
	{ "ENUM64", BTF_KIND_ENUM64, .word = "size", .member = { "val" } },
	{ "KIND", 0, .word = "size" },	/* any other: its number follows */
	{ NULL, 0, .word = NULL },
};

static const struct name linkages[] = {
	{ "static", BTF_FUNC_STATIC }, { "global", BTF_FUNC_GLOBAL }, { "extern", BTF_FUNC_EXTERN },
	{ "global-alloc", BTF_VAR_GLOBAL_ALLOCATED }, { NULL, 0 },
};
static const struct name encodings[] = {
	{ "(none)", 0 }, { "SIGNED", BTF_INT_SIGNED }, { "CHAR", BTF_INT_CHAR },
	{ "BOOL", BTF_INT_BOOL }, { "UNSIGNED", 0 }, { NULL, 0 },
};
static const struct name fwd_kinds[] = { { "struct", 0 }, { "union", 1 }, { NULL, 0 } };

static void put(struct assembler *a, uint32_t word)
{
	buffer_put(&a->btf.types, 4, word, bb_big_endian(&a->btf));
}

static uint32_t key_linkage(struct assembler *a)
{
	return key_name(a, "linkage", linkages, BTF_FUNC_GLOBAL);
}

static const char *type_name(struct assembler *a)
{
	const char *name = next_word(a, "the name")->text;

	return strcmp(name, "(anon)") ? name : "";
}

/* Change a bit or the number in the info field of the last type. */
static void change_info(struct assembler *a, uint32_t set, uint32_t add)
{
	const size_t at = a->btf.offsets[a->btf.nr_types] + offsetof(struct btf_type, info);
	const bool big = bb_big_endian(&a->btf);

	buffer_poke(&a->btf.types, at, 4, (buffer_peek(&a->btf.types, at, 4, big) | set) + add,
		    big);
}

/* The words after struct btf_type, and what info has besides the kind. */
static void finish_type(struct assembler *a, const struct kind *k)
{
	const uint32_t encoding = key_name(a, "encoding", encodings, 0);
	const char *vlen = key_text(a, "vlen", NULL);

	if (k->kind == BTF_KIND_INT)
		put(a, encoding << 24 | key_number(a, "bits_offset", 8, 0) << 16 |
		       key_number(a, "nr_bits", 8, 0));
	for (int i = 0; i < 3 && k->after[i]; i++)
		put(a, strcmp(k->after[i], "linkage") ? key_number(a, k->after[i], 32, 0) :
							key_linkage(a));
	if (flag(a, "words"))
		for (const struct word *w; (w = take(a, NULL, NULL));)
			put(a, number(a, w->text, 32));
	if (key_name(a, "fwd_kind", fwd_kinds, 0) || key_number(a, "kind_flag", 1, 0) ||
	    (encoding && k->kind != BTF_KIND_INT))
		change_info(a, 1u << 31, 0);
	change_info(a, 0, k->kind == BTF_KIND_FUNC ? key_linkage(a) :
			  vlen ? number(a, vlen, 24) : 0);
	a->kind = k;
	a->counting = !vlen;
}

static void type_line(struct assembler *a)
{
	const struct kind *k = kinds;
	const char *word = next_word(a, "an id")->text;
	uint32_t kind;
	char id[16];

	snprintf(id, sizeof(id), "[%u]", a->btf.nr_types + 1);
	if (strcmp(word, id))
		return fail(a, "the id is %s; the next type is %s", word, id);
	word = next_word(a, "a kind")->text;
	while (k->name && strcmp(k->name, word))
		k++;
	if (!k->name)
		return fail(a, "unknown kind '%s'", word);
	kind = k->kind ? k->kind : next_number(a, "the number of the kind", 7);
	word = type_name(a);
	bb_words(&a->btf, kind, word, k->word ? key_number(a, k->word, 32, 0) : 0, 0, NULL, 0);
	finish_type(a, k);
}

static void member_line(struct assembler *a)
{
	const struct kind *k = a->kind;

	if (!k || !k->member[0])
		return fail(a, "a member after no type that has some");
	if (k->kind != BTF_KIND_DATASEC)
		put(a, bb_string(&a->btf, type_name(a)));
	for (int i = 0; i < 3 && k->member[i]; i++) {
		const bool wide = k->kind == BTF_KIND_ENUM64,
			   has_bits = !strcmp(k->member[i], "bits_offset");
		const uint64_t value = key_number(a, k->member[i], wide ? 64 : 32, 0);
		const uint32_t bits = has_bits ? key_number(a, "bitfield_size", 8, 0) : 0;

		put(a, value | bits << 24);
		if (wide)
			put(a, value >> 32);
		if (bits)
			change_info(a, 1u << 31, 0);
	}
	change_info(a, 0, a->counting);
}

void btf_line(struct assembler *a)
{
	if (a->words[0].text[0] == '[' && !a->words[0].key)
		type_line(a);
	else
		member_line(a);
}

/* --- maps --- */

static uint32_t pointer_to(struct assembler *a, uint32_t type)
{
	return bb_ref(&a->btf, BTF_KIND_PTR, "", type);
}

static uint32_t type_int(struct assembler *a)
{
	if (!a->type_int)
		a->type_int = bb_int(&a->btf, "int", 4, BTF_INT_SIGNED);
	return a->type_int;
}

static uint32_t array_of(struct assembler *a, uint32_t type, uint32_t nelems)
{
	return bb_array(&a->btf, type, type_int(a), nelems);
}

/* The number of KEY=: of the type also by name, "hash" for BPF_MAP_TYPE_HASH. */
static uint32_t map_number(struct assembler *a, const struct word *w)
{
	for (uint32_t i = 0; !strcmp(w->key, "type") && sys_map_type_name(i); i++)
		if (!strcasecmp(sys_map_type_name(i) + strlen("BPF_MAP_TYPE_"), w->text))
			return i;
	return number(a, w->text, 32);
}

/* The array at the end of a map of maps, of pointers to the type of the first, or of programs. */
static uint32_t values_type(struct assembler *a, const char *names)
{
	const struct symbol *first = NULL;
	size_t len;

	while (!strncmp(names, "-,", 2))
		names += 2;
	len = strcspn(names, ",");
	for (struct symbol *s = a->symbols; s < a->symbols + a->nr_symbols; s++)
		if (!strncmp(s->name, names, len) && !s->name[len])
			first = s;
	if (!first) {
		fail(a, "no map or function '%.*s' before this line", (int)len, names);
		return 0;
	}
	return array_of(a, pointer_to(a, first->map_type ? first->map_type :
				      bb_proto(&a->btf, type_int(a))), 0);
}

/* The type of the member that the word KEY=VALUE is. */
static uint32_t map_member(struct assembler *a, const struct word *w)
{
	if (!strcmp(w->key, "key") || !strcmp(w->key, "value"))
		return pointer_to(a, number(a, w->text, 32));
	if (!strncmp(w->key, "member:", 7))
		return number(a, w->text, 32);
	return pointer_to(a, array_of(a, type_int(a), map_number(a, w)));
}

/* The initial values of a map of maps or programs: "a,-,b", where - is none. */
static void map_values(struct assembler *a, char *names)
{
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		if (strcmp(name, "-"))
			add_reference(a, a->section, here(a), R_BPF_64_ABS64, name);
		buffer_add(&a->elf.sections[a->section].data, NULL, 8);
	}
}

/* The STRUCT of the words KEY=VALUE that are left. */
static uint32_t map_struct(struct assembler *a, const char *inner)
{
	const uint32_t array = inner ? values_type(a, inner) : 0;
	uint32_t types[WORDS_MAX], nr = 0, id;
	const char *names[WORDS_MAX];

	for (struct word *w = a->words; w < a->words + a->nr_words; w++) {
		if (w->used || !w->key)
			continue;
		w->used = true;
		types[nr] = map_member(a, w);
		names[nr++] = strncmp(w->key, "member:", 7) ? w->key : w->key + 7;
	}
	id = bb_struct(&a->btf, BTF_KIND_STRUCT, "", 8 * nr, false);
	for (uint32_t i = 0; i < nr; i++)
		bb_member(&a->btf, names[i], types[i], 64 * i, 0);
	if (array)
		bb_member(&a->btf, "values", array, 64 * nr, 0);
	return id;
}

void item_map(struct assembler *a)
{
	const bool is_static = flag(a, "static"), is_template = flag(a, "template");
	const char *name = next_word(a, "the name of the map")->text;
	const struct word *values = take(a, "values", NULL), *inner = take(a, "inner", NULL);
	const uint32_t type = map_struct(a, inner ? inner->text : values ? values->text : NULL);
	struct symbol *symbol;

	symbol = add_symbol(a, name, STT_OBJECT);
	symbol->map_type = type;
	symbol->section = TEMPLATE;
	if (is_template)
		return;
	place_symbol(a, symbol, is_static ? STB_LOCAL : STB_GLOBAL);
	if (failed(a))
		return;
	symbol->datasec = a->elf.sections[a->section].name;
	symbol->var = bb_var(&a->btf, name, type, !is_static);
	buffer_add(&a->elf.sections[a->section].data, NULL, type_size(a, type));
	if (values)
		map_values(a, values->text);
}

/* --- sections of variables --- */

/*
 * Compilers leave the size of a DATASEC and the offsets of its global entries 0. A relocation
 * refers to the symbol that has the offset, or to the section if the variable is static.
 */
static void add_datasec(struct assembler *a, const char *name, uint32_t section)
{
	const uint32_t id = bb_datasec(&a->btf, name, 0);
	size_t entry = bb_type_at(&a->btf, id) + sizeof(struct btf_type);

	for (struct symbol *s = a->symbols; s < a->symbols + a->nr_symbols; s++) {
		const bool is_static = s->bind == STB_LOCAL;

		if (!s->datasec || strcmp(s->datasec, name))
			continue;
		bb_datasec_var(&a->btf, s->var, is_static ? s->value : 0,
			       s->section ? s->size : s->extern_size);
		add_reference(a, section, entry + 4, R_BPF_64_NODYLD32,
			      is_static ? name : s->name);
		entry += 12;
	}
}

void add_datasecs(struct assembler *a, uint32_t section)
{
	for (unsigned int i = 0; i < a->nr_symbols; i++) {
		const char *name = a->symbols[i].datasec;
		unsigned int first = 0;

		while (name && (!a->symbols[first].datasec ||
				strcmp(a->symbols[first].datasec, name)))
			first++;
		if (name && first == i)
			add_datasec(a, name, section);
	}
}

uint32_t type_size(struct assembler *a, uint32_t id)
{
	struct buffer raw = bb_btf(&a->btf);
	struct btf btf = { 0 };
	int64_t size = 0;

	if (!btf_parse(&btf, buffer_bytes(&raw), NULL) && btf_has(&btf, id))
		size = btf_size(&btf, id);
	btf_free(&btf);
	buffer_free(&raw);
	return size > 0 ? size : 0;
}

/* As compilers do. Some loaders read no table without records. */
void add_line_info(struct assembler *a)
{
	const uint32_t nr = a->btf.nr_records;

	for (uint32_t i = 0; i < nr; i++)
		if (a->btf.records[i].kind == LINE_INFO)
			return;
	for (uint32_t i = 0; i < nr; i++)
		if (a->btf.records[i].kind == FUNC_INFO)
			bb_line_info(&a->btf, (char *)a->btf.strings.data + a->btf.records[i].section,
				     a->btf.records[i].words[0], "object", "", 1, 1);
}
