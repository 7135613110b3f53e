// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The assembler of the object language: lines, words, sections, symbols, headers. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "test/judge/conformance/assemble.h"
#include "test/judge/conformance/assemble_internal.h"

void fail(struct assembler *a, const char *fmt, ...)
{
	va_list args;
	int n;

	if (failed(a))
		return;
	n = snprintf(a->error, a->error_size, "line %u: ", a->line);
	va_start(args, fmt);
	vsnprintf(a->error + n, a->error_size - n, fmt, args);
	va_end(args);
}

/* Return the array with room for a zeroed entry after its @nr entries. */
static void *grow(void *array, unsigned int nr, size_t each)
{
	array = realloc(array, (nr + 1) * each);
	if (!array)
		abort();
	memset((char *)array + nr * each, 0, each);
	return array;
}

/* --- words --- */

/* Take a byte of a name: "\x00" is one, and so is any other after a backslash. */
static char next_byte(char **at)
{
	char digits[3] = { 0 };

	if (**at != '\\' || !(*at)[1])
		return *(*at)++;
	if (*++*at != 'x' || !isxdigit((unsigned char)(*at)[1]) ||
	    !isxdigit((unsigned char)(*at)[2]))
		return *(*at)++;
	memcpy(digits, *at + 1, 2);
	*at += 3;
	return strtoul(digits, NULL, 16);
}

char *quoted(struct assembler *a, char **at, size_t *len)
{
	char *from = *at, *to = *at, *start = *at;

	if (*from == '"' || *from == '\'') {
		const char quote = *from++;

		while (*from && *from != quote)
			*to++ = next_byte(&from);
		if (!*from)
			fail(a, "a name without its closing quote");
		from += *from != 0;
	} else {
		from += strcspn(from, " \t\r");
		to = from;
	}
	*at = from + (*from != 0 && to == from);
	*to = 0;
	if (len)
		*len = to - start;
	return start;
}

/* Remove the comment from the line. It starts with a # after a space, outside quotes. */
static void cut_comment(char *line)
{
	char quote = 0;

	for (char *at = line; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? 0 : *at;
		else if (!quote && *at == '#' && (at == line || strchr(" \t", at[-1])))
			*at = 0, at--;
	}
}

/* Split the line at @at, in place. bpftool's remarks are in parentheses. */
void split(struct assembler *a, char *at)
{
	a->nr_words = 0;
	for (at += strspn(at, " \t\r"); *at && *at != '('; at += strspn(at, " \t\r")) {
		const size_t key = strcspn(at, "= \t\r\"'");
		struct word *w = &a->words[a->nr_words];

		if (a->nr_words == WORDS_MAX)
			return fail(a, "more than %d words", WORDS_MAX);
		a->nr_words++;
		*w = (struct word){ 0 };
		if (key && at[key] == '=') {
			w->key = at;
			at[key] = 0;
			at += key + 1;
		}
		w->text = quoted(a, &at, &w->len);
		if (w->len && w->text[w->len - 1] == ',')
			w->text[--w->len] = 0;
	}
}

const struct word *take(struct assembler *a, const char *key, const char *text)
{
	for (struct word *w = a->words; w < a->words + a->nr_words; w++) {
		if (!w->used && !w->key == !key && (!key || !strcmp(w->key, key)) &&
		    (!text || !strcmp(w->text, text))) {
			w->used = true;
			return w;
		}
	}
	return NULL;
}

const struct word *next_word(struct assembler *a, const char *what)
{
	static const struct word none = { .text = (char *)"" };
	const struct word *w = take(a, NULL, NULL);

	if (!w)
		fail(a, "%s is missing", what);
	return w ? w : &none;
}

bool flag(struct assembler *a, const char *name)
{
	return take(a, NULL, name);
}

const char *key_text(struct assembler *a, const char *key, const char *missing)
{
	const struct word *w = take(a, key, NULL);

	return w ? w->text : missing;
}

uint64_t number(struct assembler *a, const char *text, unsigned int bits)
{
	const bool negative = text[0] == '-';
	const char *digits = text + negative;
	const bool is_hex = digits[0] == '0' && digits[1] == 'x';
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(digits, &end, is_hex ? 16 : 10);
	if (!isdigit((unsigned char)digits[0]) || end[strspn(end, "UL")])
		fail(a, "'%s' is not a number", text);
	else if (errno || (bits < 64 && (negative ? value > 1ull << (bits - 1) : value >> bits)))
		fail(a, "%s does not fit into %u bits", text, bits);
	return negative ? -value : value;
}

uint64_t next_number(struct assembler *a, const char *what, unsigned int bits)
{
	const struct word *w = next_word(a, what);

	return failed(a) ? 0 : number(a, w->text, bits);
}

uint64_t key_number(struct assembler *a, const char *key, unsigned int bits, uint64_t missing)
{
	const char *text = key_text(a, key, NULL);

	return text ? number(a, text, bits) : missing;
}

uint64_t by_name(struct assembler *a, const char *text, const struct name *names)
{
	for (; names->name; names++)
		if (!strcmp(text, names->name))
			return names->number;
	return number(a, text, 32);
}

uint64_t key_name(struct assembler *a, const char *key, const struct name *names, uint64_t missing)
{
	const char *text = key_text(a, key, NULL);

	return text ? by_name(a, text, names) : missing;
}

/* --- symbols and references --- */

bool in_section(struct assembler *a)
{
	if (!a->section)
		fail(a, "no section before this line");
	return !failed(a);
}

uint64_t here(struct assembler *a)
{
	const struct eb_section *s = &a->elf.sections[a->section];

	if (!in_section(a))
		return 0;
	return s->hdr.sh_type == SHT_NOBITS ? s->hdr.sh_size : s->data.size;
}

void close_symbol(struct assembler *a)
{
	if (a->open)
		a->symbols[a->open - 1].size = here(a) - a->symbols[a->open - 1].value;
	a->open = 0;
}

struct symbol *find_symbol(struct assembler *a, const char *name)
{
	for (unsigned int i = 0; i < a->nr_symbols; i++)
		if (!strcmp(a->symbols[i].name, name) && a->symbols[i].section != TEMPLATE)
			return &a->symbols[i];
	return NULL;
}

struct symbol *add_symbol(struct assembler *a, const char *name, uint8_t type)
{
	struct symbol *symbol;

	a->symbols = grow(a->symbols, a->nr_symbols, sizeof(*a->symbols));
	symbol = &a->symbols[a->nr_symbols++];
	symbol->name = name;
	symbol->type = type;
	symbol->bind = STB_GLOBAL;
	return symbol;
}

void place_symbol(struct assembler *a, struct symbol *symbol, uint8_t bind)
{
	close_symbol(a);
	symbol->section = a->section;
	symbol->value = here(a);
	symbol->bind = bind;
	a->open = symbol - a->symbols + 1;
}

void add_reference(struct assembler *a, uint32_t section, uint64_t offset, uint32_t type,
		   const char *name)
{
	a->references = grow(a->references, a->nr_references, sizeof(*a->references));
	a->references[a->nr_references++] = (struct reference){ .line = a->line,
		.section = section, .offset = offset, .type = type, .name = name };
}

uint32_t find_section(const struct assembler *a, const char *name)
{
	for (uint32_t i = 1; i < a->elf.nr_sections; i++)
		if (!strcmp(a->elf.sections[i].name, name))
			return i;
	return 0;
}

/* Index in the symbol table, or 0. Sections have symbols, whose indices are those of the sections. */
static uint32_t find_index(struct assembler *a, const char *name)
{
	const struct symbol *symbol = find_symbol(a, name);
	const uint32_t section = find_section(a, name);

	return symbol ? symbol->index : section < a->nr_sections ? section : 0;
}

/* --- headers --- */

/* The fields of each header and their widths, without gaps. */
static const char *const headers[] = {
	[HEADER_ELF] = "ei_magic:4 ei_class:1 ei_data:1 ei_version:1 ei_osabi:1 ei_abiversion:1 "
		       "ei_pad:7 e_type:2 e_machine:2 e_version:4 e_entry:8 e_phoff:8 e_shoff:8 "
		       "e_flags:4 e_ehsize:2 e_phentsize:2 e_phnum:2 e_shentsize:2 e_shnum:2 "
		       "e_shstrndx:2",
	[HEADER_SECTION] = "sh_name:4 sh_type:4 sh_flags:8 sh_addr:8 sh_offset:8 sh_size:8 "
			   "sh_link:4 sh_info:4 sh_addralign:8 sh_entsize:8",
	[HEADER_SYMBOL] = "st_name:4 st_info:1 st_other:1 st_shndx:2 st_value:8 st_size:8",
	[HEADER_BTF] = "magic:2 version:1 flags:1 hdr_len:4 type_off:4 type_len:4 str_off:4 "
		       "str_len:4",
	[HEADER_BTF_EXT] = "magic:2 version:1 flags:1 hdr_len:4 func_info_off:4 func_info_len:4 "
			   "line_info_off:4 line_info_len:4 core_relo_off:4 core_relo_len:4",
};

void add_patch(struct assembler *a, struct patch patch)
{
	patch.line = a->line;
	a->patches = grow(a->patches, a->nr_patches, sizeof(*a->patches));
	a->patches[a->nr_patches++] = patch;
}

void add_patches(struct assembler *a, enum header header, const char *of)
{
	char name[16];
	unsigned int width, offset = 0;
	int len;

	for (const char *field = headers[header];
	     sscanf(field, " %15[^:]:%u%n", name, &width, &len) == 2;
	     field += len, offset += width) {
		const char *text = key_text(a, name, NULL);

		if (text)
			add_patch(a, (struct patch){ .header = header, .of = of, .at = offset,
						     .width = width, .text = text });
	}
}

/* Return the index of the section with this name or number. */
static uint32_t section_index(struct assembler *a, const char *name)
{
	const uint32_t index = find_section(a, name);

	if (!index && isdigit((unsigned char)name[0]) && number(a, name, 16) < a->elf.nr_sections)
		return number(a, name, 16);
	if (!index)
		fail(a, "no section '%s'", name);
	return index;
}

static size_t find_patched(struct assembler *a, const struct buffer *file, const struct patch *p)
{
	const struct symbol *symbol;

	if (p->header == HEADER_ELF)
		return 0;
	if (p->header == HEADER_SECTION)
		return eb_shdr(file, section_index(a, p->of));
	if (p->header != HEADER_SYMBOL)
		return eb_content(file, section_index(a, p->of));
	symbol = find_symbol(a, p->of);
	return eb_content(file, section_index(a, ".symtab")) +
	       sizeof(struct elf64_sym) * (symbol ? symbol->index : number(a, p->of, 16));
}

/* The value of a field: a number, "index:SECTION" or "offset:SECTION". */
static uint64_t patch_value(struct assembler *a, const struct buffer *file, const struct patch *p)
{
	if (!strncmp(p->text, "index:", 6))
		return section_index(a, p->text + 6);
	if (!strncmp(p->text, "offset:", 7))
		return eb_content(file, section_index(a, p->text + 7));
	return number(a, p->text, p->width * 8);
}

/* Look everything up before the first change. */
static void apply_patches(struct assembler *a, struct buffer *file)
{
	struct patch *const end = a->patches + a->nr_patches;

	for (struct patch *p = a->patches; p < end; p++) {
		a->line = p->line;
		p->at += find_patched(a, file, p);
		p->value = patch_value(a, file, p);
		if (p->at + p->width > file->size)
			fail(a, "this is after the end of the file");
	}
	for (struct patch *p = a->patches; p < end && !failed(a); p++)
		buffer_poke(file, p->at, p->width, p->value, HOST_BIG_ENDIAN);
}

/* --- the file --- */

static bool is_btf_line(const char *line)
{
	return *line == '[' || *line == '\'' || !strncmp(line, "type_id=", 8);
}

static void add_line(struct assembler *a, char *line)
{
	a->nr_words = 0;
	if (is_btf_line(line)) {
		split(a, line);
		btf_line(a);
	} else if (!add_item(a, line) && !assemble_insn(a, line)) {
		fail(a, "no item or instruction: %s", line);
	}
	for (struct word *w = a->words; w < a->words + a->nr_words; w++)
		if (!w->used)
			fail(a, "unknown %s '%s'", w->key ? "key" : "word", w->key ? w->key : w->text);
}

/* Add the lines of @text that are types, or all others. Names remain where they are in @text. */
static void add_lines(struct assembler *a, char *text, bool are_types)
{
	a->line = 0;
	for (char *line = text, *end; line && !failed(a); line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = 0;
		a->line++;
		line += strspn(line, " \t\r");
		cut_comment(line);
		if (*line && is_btf_line(line) == are_types)
			add_line(a, line);
	}
}

/* Sections have symbols, as compilers write them for those that they refer to. */
static void emit_symbols(struct assembler *a)
{
	for (uint32_t i = 1; i < a->nr_sections; i++)
		eb_symbol(&a->elf, "", i, 0, 0, STB_LOCAL, STT_SECTION);
	for (int local = 1; local >= 0; local--) {
		for (struct symbol *s = a->symbols; s < a->symbols + a->nr_symbols; s++) {
			if ((s->bind == STB_LOCAL) != local || s->section == TEMPLATE)
				continue;
			s->index = eb_symbol(&a->elf, s->name, s->section, s->value, s->size,
					     s->bind, s->type);
			a->elf.symbols[s->index].sym.st_other = s->visibility;
		}
	}
}

static void emit_references(struct assembler *a)
{
	for (struct reference *r = a->references; r < a->references + a->nr_references; r++) {
		const uint32_t index = find_index(a, r->name);

		a->line = r->line;
		if (!index)
			return fail(a, "no symbol or section '%s'", r->name);
		eb_reloc(&a->elf, r->section, r->offset, r->type, index, r->addend);
	}
}

static void emit_btf(struct assembler *a)
{
	uint32_t section;

	if (a->no_btf || (!a->btf.nr_types && !a->btf.nr_records))
		return;
	add_line_info(a);
	section = eb_section(&a->elf, ".BTF", SHT_PROGBITS, 0, NULL, 0);
	add_datasecs(a, section);
	a->elf.sections[section].data = bb_btf(&a->btf);
	if (a->no_btf_ext || !a->btf.nr_records)
		return;
	section = eb_section(&a->elf, ".BTF.ext", SHT_PROGBITS, 0, NULL, 0);
	a->elf.sections[section].data = bb_ext(&a->btf);
}

static struct buffer finish(struct assembler *a)
{
	char gpl[] = "license GPL";
	struct buffer file;

	close_symbol(a);
	if (!a->no_license && !find_section(a, "license"))
		add_item(a, gpl);
	a->nr_sections = a->elf.nr_sections;
	if (!failed(a)) {
		emit_symbols(a);
		emit_btf(a);
		emit_references(a);
	}
	file = eb_write(&a->elf);
	if (!failed(a))
		apply_patches(a, &file);
	eb_free(&a->elf);
	return file;
}

unsigned char *assemble(const char *text, size_t len, size_t *size, char *error, size_t error_size)
{
	struct assembler a = {
		.elf.names_first = true, .error = error, .error_size = error_size };
	char *types = strndup(text, len), *rest = strndup(text, len);
	struct buffer file;

	if (!types || !rest)
		abort();
	error[0] = 0;
	add_lines(&a, types, true);	/* first, because other lines refer to their ids */
	if (!failed(&a))
		add_lines(&a, rest, false);
	file = finish(&a);
	bb_free(&a.btf);
	free(a.symbols);
	free(a.references);
	free(a.patches);
	free(types);
	free(rest);
	*size = file.size;
	if (!error[0])
		return file.data;
	buffer_free(&file);
	return NULL;
}
