/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of the assembler: lines and words, instructions, BTF. */
#ifndef PLOAD_TEST_JUDGE_ASSEMBLE_INTERNAL_H
#define PLOAD_TEST_JUDGE_ASSEMBLE_INTERNAL_H

#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"

#define WORDS_MAX 64

/* "NAME" or "KEY=VALUE", without its quotes and with its escapes replaced. */
struct word {
	const char *key;	/* or NULL */
	char *text;
	size_t len;	/* of text, which may contain zero bytes */
	bool used;
};

#define TEMPLATE UINT32_MAX	/* section of the name of a type of maps, which is no symbol */

struct symbol {
	const char *name;
	uint32_t section;
	uint64_t value, size;
	uint8_t bind, type, visibility;
	const char *datasec;	/* the DATASEC that lists var, or NULL */
	uint32_t var, extern_size;	/* of its entry there */
	uint32_t map_type;	/* the STRUCT of a map, or 0 */
	uint32_t index;	/* in the symbol table of the file */
};

/* A reference to a symbol by name. A later line may define the symbol. */
struct reference {
	unsigned int line;
	uint32_t section, type;
	uint64_t offset;
	const char *name;
	int64_t addend;	/* of a RELA record */
};

enum header { HEADER_NONE, HEADER_ELF, HEADER_SECTION, HEADER_SYMBOL, HEADER_BTF, HEADER_BTF_EXT };

/* A field of a header, or a number in a section, to overwrite in the finished file. */
struct patch {
	enum header header;
	unsigned int line;
	const char *of;	/* the section or symbol */
	size_t at;
	unsigned int width;
	const char *text;
	uint64_t value;
};

struct assembler {
	struct elf_builder elf;
	struct btf_builder btf;
	unsigned int line;
	struct word words[WORDS_MAX];
	unsigned int nr_words;
	unsigned int arg;	/* of the item */
	uint32_t section;	/* the current one, or 0 */
	const char *ext_section;	/* its name in .BTF.ext, or NULL */
	uint32_t nr_sections;	/* those of the text and the null section, or 0 */
	uint64_t last;	/* offset in it of what the last line added */
	struct symbol *symbols;
	struct reference *references;
	struct patch *patches;
	unsigned int nr_symbols, nr_references, nr_patches;
	unsigned int open;	/* 1 + index of the symbol that ends with the next one, or 0 */
	const struct kind *kind;	/* of the last type, or NULL */
	bool counting;	/* it has no vlen=: its members count themselves */
	bool no_license, no_btf, no_btf_ext;
	uint32_t type_int;	/* INT of the arrays in maps, or 0 */
	char *error;
	size_t error_size;
};

/*
 * fail() - Set the error, unless there is one. Functions continue after it; main loops check for
 * it.
 */
void fail(struct assembler *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline bool failed(const struct assembler *a)
{
	return a->error[0];
}

/* A name and its number; tables end with a NULL name. */
struct name {
	const char *name;
	uint64_t number;
};

/* split() - Split the rest of a line into a->words. */
void split(struct assembler *a, char *rest);

/*
 * take() - Take the first unused word with @key, or without a key if that is NULL, and with @text
 * unless that is NULL. Return NULL if there is none.
 * next_word() - Take the next word without a key; without one, "" and an error that names @what.
 * flag() - Take the word @name, if it is there.
 * key_text(), key_number(), key_name() - Take KEY=: its text, number of at most @bits bits, number
 * by name in @names; without it, @missing.
 * number(), by_name() - Convert @text: a number, or a name in @names.
 */
const struct word *take(struct assembler *a, const char *key, const char *text);
const struct word *next_word(struct assembler *a, const char *what);
bool flag(struct assembler *a, const char *name);
const char *key_text(struct assembler *a, const char *key, const char *missing);
uint64_t key_number(struct assembler *a, const char *key, unsigned int bits, uint64_t missing);
uint64_t key_name(struct assembler *a, const char *key, const struct name *names, uint64_t missing);
uint64_t number(struct assembler *a, const char *text, unsigned int bits);
uint64_t by_name(struct assembler *a, const char *text, const struct name *names);
uint64_t next_number(struct assembler *a, const char *what, unsigned int bits);

/* quoted() - Unquote the name at @at in place and move @at past it. */
char *quoted(struct assembler *a, char **at, size_t *len);

/*
 * in_section() - Return true if there was no error and there is a current section.
 * here() - The offset in it at which the next line adds.
 */
bool in_section(struct assembler *a);
uint64_t here(struct assembler *a);
uint32_t find_section(const struct assembler *a, const char *name);
struct symbol *find_symbol(struct assembler *a, const char *name);
struct symbol *add_symbol(struct assembler *a, const char *name, uint8_t type);
void add_reference(struct assembler *a, uint32_t section, uint64_t offset, uint32_t type,
		   const char *name);

/* place_symbol() - Let @symbol begin here, and end where the next one begins. */
void place_symbol(struct assembler *a, struct symbol *symbol, uint8_t bind);

/* close_symbol() - Let the open symbol end here. */
void close_symbol(struct assembler *a);

/* ext_section() - The name of the current section in .BTF.ext. */
static inline const char *ext_section(const struct assembler *a)
{
	return a->ext_section ? a->ext_section : a->elf.sections[a->section].name;
}

void add_patch(struct assembler *a, struct patch patch);

/* add_patches() - Add the words FIELD=N of the line, of the header of the section or symbol @of. */
void add_patches(struct assembler *a, enum header header, const char *of);

/* add_item() - Add the item in @line; false if it is not an item. */
bool add_item(struct assembler *a, char *line);

/* assemble_insn() - Add the instruction in @text; false if it is not an instruction. */
bool assemble_insn(struct assembler *a, char *text);

/* btf_line() - Add the type or the member that the line is. */
void btf_line(struct assembler *a);
void item_map(struct assembler *a);

/* add_datasecs() - Add the DATASECs of all symbols that have one; @section: index of .BTF. */
void add_datasecs(struct assembler *a, uint32_t section);

/* add_line_info() - Add a line for each function with a type, unless the object has lines. */
void add_line_info(struct assembler *a);

/* type_size() - Return the size of type @id in bytes. */
uint32_t type_size(struct assembler *a, uint32_t id);

#endif
