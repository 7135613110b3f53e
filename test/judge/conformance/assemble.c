// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The assembler of the object language: lines, words, sections, symbols, headers. */
#include <ctype.h>
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

/* Return the array with a zeroed entry after the @nr that it has. */
static void *grow(void *array, unsigned int nr, size_t each)
{
	array = realloc(array, (nr + 1) * each);
	if (!array)
		abort();
	memset((char *)array + nr * each, 0, each);
	return array;
}

/* --- words --- */

static char unescape(char **at)
{
	static const struct { char letter, byte; } escapes[] = { { 'n', '\n' }, { 't', '\t' } };
	char digits[3] = { 0 };

	if (*(*at)++ != '\\')
		return (*at)[-1];
	if (**at == 'x' && isxdigit((unsigned char)(*at)[1]) && isxdigit((unsigned char)(*at)[2])) {
		memcpy(digits, *at + 1, 2);
		*at += 3;
		return strtoul(digits, NULL, 16);
	}
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
		if (**at == escapes[i].letter)
			return (*at)++, escapes[i].byte;
	return **at ? *(*at)++ : '\\';
}

char *quoted(struct assembler *a, char **at, size_t *len)
{
	char *from = *at, *to = *at, *start = *at;

	if (*from == '"' || *from == '\'') {
		const char quote = *from++;

		while (*from && *from != quote)
			*to++ = unescape(&from);
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

/* Cut off the comment of the line, which begins with a # after a blank and outside of quotes. */
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
static void split(struct assembler *a, char *at)
{
	a->nr_words = 0;
	for (at += strspn(at, " \t\r"); *at && *at != '('; at += strspn(at, " \t\r")) {
		struct word *w = &a->words[a->nr_words++];
		const size_t key = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789:");

		if (a->nr_words == WORDS_MAX)
			return fail(a, "more than %d words", WORDS_MAX - 1);
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

const struct word *next_word(struct assembler *a, const char *what)
{
	static const struct word none = { .text = (char *)"" };

	for (unsigned int i = 0; i < a->nr_words; i++) {
		if (!a->words[i].used && !a->words[i].key) {
			a->words[i].used = true;
			return &a->words[i];
		}
	}
	fail(a, "%s is missing", what);
	return &none;
}

bool flag(struct assembler *a, const char *name)
{
	for (unsigned int i = 0; i < a->nr_words; i++) {
		if (!a->words[i].used && !a->words[i].key && !strcmp(a->words[i].text, name))
			return a->words[i].used = true;
	}
	return false;
}

const char *key_text(struct assembler *a, const char *key, const char *missing)
{
	for (unsigned int i = 0; i < a->nr_words; i++) {
		if (a->words[i].key && !strcmp(a->words[i].key, key)) {
			a->words[i].used = true;
			return a->words[i].text;
		}
	}
	return missing;
}

uint64_t number(struct assembler *a, const char *text, unsigned int bits)
{
	const bool negative = text[0] == '-';
	const char *digits = text + negative;
	const bool is_hex = digits[0] == '0' && digits[1] == 'x';
	char *end;
	uint64_t value = strtoull(digits, &end, is_hex ? 16 : 10);

	if (!isdigit((unsigned char)digits[0]) || end[strspn(end, "UL")])
		fail(a, "'%s' is not a number", text);
	else if (bits < 64 && (negative ? value > 1ull << (bits - 1) : value >> bits))
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

uint64_t key_name(struct assembler *a, const char *key, const struct name *names, uint64_t missing)
{
	const char *text = key_text(a, key, NULL);

	if (!text)
		return missing;
	for (; names->name; names++)
		if (!strcmp(text, names->name))
			return names->number;
	return number(a, text, 32);
}

/* --- symbols and references --- */

uint64_t here(struct assembler *a)
{
	const struct eb_section *s;

	if (!a->section) {
		fail(a, "no section before this line");
		return 0;
	}
	s = &a->elf.sections[a->section];
	return s->hdr.sh_type == SHT_NOBITS ? s->hdr.sh_size : s->data.size;
}

static void close_symbol(struct assembler *a)
{
	if (a->open)
		a->symbols[a->open - 1].size = here(a) - a->symbols[a->open - 1].value;
	a->open = 0;
}

struct symbol *find_symbol(struct assembler *a, const char *name)
{
	for (unsigned int i = 0; i < a->nr_symbols; i++)
		if (!strcmp(a->symbols[i].name, name))
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
	a->references[a->nr_references++] = (struct reference){
		.line = a->line, .section = section, .type = type, .offset = offset, .name = name };
}

static uint32_t find_section(const struct assembler *a, const char *name)
{
	for (uint32_t i = 1; i < a->elf.nr_sections; i++)
		if (!strcmp(a->elf.sections[i].name, name))
			return i;
	return 0;
}

/* --- headers --- */

#define FIELD(header, struct, field) \
	{ header, #field, offsetof(struct, field), sizeof(((struct *)0)->field) }

static const struct field {
	enum header header;
	const char *name;
	size_t offset;
	unsigned int width;
} fields[] = {
	{ HEADER_ELF, "ei_class", EI_CLASS, 1 },
	{ HEADER_ELF, "ei_data", EI_DATA, 1 },
	{ HEADER_ELF, "ei_version", EI_VERSION, 1 },
	{ HEADER_ELF, "ei_magic", 0, 4 },
	FIELD(HEADER_ELF, struct elf64_hdr, e_type),
	FIELD(HEADER_ELF, struct elf64_hdr, e_machine),
	FIELD(HEADER_ELF, struct elf64_hdr, e_version),
	FIELD(HEADER_ELF, struct elf64_hdr, e_entry),
	FIELD(HEADER_ELF, struct elf64_hdr, e_phoff),
	FIELD(HEADER_ELF, struct elf64_hdr, e_shoff),
	FIELD(HEADER_ELF, struct elf64_hdr, e_flags),
	FIELD(HEADER_ELF, struct elf64_hdr, e_ehsize),
	FIELD(HEADER_ELF, struct elf64_hdr, e_phentsize),
	FIELD(HEADER_ELF, struct elf64_hdr, e_phnum),
	FIELD(HEADER_ELF, struct elf64_hdr, e_shentsize),
	FIELD(HEADER_ELF, struct elf64_hdr, e_shnum),
	FIELD(HEADER_ELF, struct elf64_hdr, e_shstrndx),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_name),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_type),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_flags),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_addr),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_offset),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_size),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_link),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_info),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_addralign),
	FIELD(HEADER_SECTION, struct elf64_shdr, sh_entsize),
	FIELD(HEADER_BTF, struct btf_header, magic),
	FIELD(HEADER_BTF, struct btf_header, version),
	FIELD(HEADER_BTF, struct btf_header, flags),
	FIELD(HEADER_BTF, struct btf_header, hdr_len),
	FIELD(HEADER_BTF, struct btf_header, type_off),
	FIELD(HEADER_BTF, struct btf_header, type_len),
	FIELD(HEADER_BTF, struct btf_header, str_off),
	FIELD(HEADER_BTF, struct btf_header, str_len),
	{ HEADER_BTF_EXT, "magic", 0, 2 },
	{ HEADER_BTF_EXT, "version", 2, 1 },
	{ HEADER_BTF_EXT, "flags", 3, 1 },
	{ HEADER_BTF_EXT, "hdr_len", 4, 4 },
	{ HEADER_BTF_EXT, "func_info_off", 8, 4 },
	{ HEADER_BTF_EXT, "func_info_len", 12, 4 },
	{ HEADER_BTF_EXT, "line_info_off", 16, 4 },
	{ HEADER_BTF_EXT, "line_info_len", 20, 4 },
	{ HEADER_BTF_EXT, "core_relo_off", 24, 4 },
	{ HEADER_BTF_EXT, "core_relo_len", 28, 4 },
};

/* The words FIELD=N of the line. */
static void add_patches(struct assembler *a, enum header header, const char *section)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *f = &fields[i];
		const char *text = f->header == header ? key_text(a, f->name, NULL) : NULL;

		if (!text)
			continue;
		a->patches = grow(a->patches, a->nr_patches, sizeof(*a->patches));
		a->patches[a->nr_patches++] = (struct patch){
			.header = header, .line = a->line, .section = section, .offset = f->offset,
			.width = f->width, .value = number(a, text, f->width * 8) };
	}
}

/* Return where the header of section @name is in the finished file, or 0. */
static size_t find_header(const struct buffer *file, const char *name)
{
	const bool big = HOST_BIG_ENDIAN;
	const uint32_t nr = buffer_peek(file, offsetof(struct elf64_hdr, e_shnum), 2, big),
		       names = buffer_peek(file, offsetof(struct elf64_hdr, e_shstrndx), 2, big);

	for (uint32_t i = 1; i < nr; i++)
		if (!strcmp((char *)file->data + eb_content(file, names) +
			    buffer_peek(file, eb_shdr(file, i), 4, big), name))
			return eb_shdr(file, i);
	return 0;
}

/* Fields of sections first, as those of the ELF header say where they are. */
static void apply_patches(struct assembler *a, struct buffer *to, enum header header)
{
	for (unsigned int i = 0; i < a->nr_patches; i++) {
		const struct patch *p = &a->patches[i];
		size_t at = 0;

		if (p->header != header)
			continue;
		a->line = p->line;
		if (header == HEADER_SECTION && !(at = find_header(to, p->section)))
			return fail(a, "no section '%s'", p->section);
		if (to->size)
			buffer_poke(to, at + p->offset, p->width, p->value, HOST_BIG_ENDIAN);
		else
			fail(a, "there is no such header in this object");
	}
}

/* --- items --- */

static void item_elf(struct assembler *a, unsigned int arg)
{
	(void)arg;
	a->elf.rela |= flag(a, "rela");
	add_patches(a, HEADER_ELF, NULL);
}

static void item_shdr(struct assembler *a, unsigned int arg)
{
	(void)arg;
	add_patches(a, HEADER_SECTION, next_word(a, "the name of the section")->text);
}

static void item_header(struct assembler *a, unsigned int header)
{
	if (strcmp(next_word(a, "'header'")->text, "header"))
		return fail(a, "only fields of the header can be set");
	add_patches(a, header, NULL);
}

static void item_no(struct assembler *a, unsigned int arg)
{
	(void)arg;
	a->no_license |= flag(a, "license");
	a->no_btf |= flag(a, "btf");
	a->no_btf_ext |= flag(a, "btf_ext");
}

static void begin_section(struct assembler *a, const char *name)
{
	static const struct { const char *prefix; uint32_t type; uint64_t flags; } data[] = {
		{ ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE },
		{ ".rodata", SHT_PROGBITS, SHF_ALLOC },
		{ "license", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ "version", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".maps", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".kconfig", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".ksyms", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ "", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
	};
	size_t i = 0;

	close_symbol(a);
	while (strncmp(name, data[i].prefix, strlen(data[i].prefix)))
		i++;
	a->section = eb_section(&a->elf, name, data[i].type, data[i].flags, NULL, 0);
}

static void item_section(struct assembler *a, unsigned int arg)
{
	const bool nobits = flag(a, "nobits");
	struct elf64_shdr *hdr;

	(void)arg;
	begin_section(a, next_word(a, "the name of the section")->text);
	hdr = &a->elf.sections[a->section].hdr;
	hdr->sh_type = key_number(a, "type", 32, nobits ? SHT_NOBITS : hdr->sh_type);
	hdr->sh_flags = key_number(a, "flags", 64, hdr->sh_flags);
	hdr->sh_addralign = key_number(a, "align", 64, hdr->sh_addralign);
	hdr->sh_entsize = key_number(a, "entsize", 64, 0);
	hdr->sh_link = key_number(a, "link", 32, 0);
	hdr->sh_info = key_number(a, "info", 32, 0);
}

static void add_bytes(struct assembler *a, const void *data, size_t size)
{
	struct eb_section *s;

	a->last = here(a);
	if (failed(a))
		return;
	s = &a->elf.sections[a->section];
	if (s->hdr.sh_type != SHT_NOBITS)
		buffer_add(&s->data, data, size);
	else if (data)
		fail(a, "a nobits section has no bytes: only zero");
	else
		s->hdr.sh_size += size;
}

static void item_license(struct assembler *a, unsigned int arg)
{
	const struct word *w = next_word(a, "the license");

	(void)arg;
	begin_section(a, "license");
	add_bytes(a, w->text, w->len + 1);
	a->no_license = true;
}

static void item_number(struct assembler *a, unsigned int width)
{
	const struct word *w = next_word(a, "a number");
	struct buffer one = { 0 };

	for (bool more = true; more && !failed(a);) {
		uint64_t value = 0;

		if (w->text[0] == '&' && width >= 4)
			add_reference(a, a->section, here(a), width == 8 ?
				      R_BPF_64_ABS64 : R_BPF_64_ABS32, w->text + 1);
		else
			value = number(a, w->text, width * 8);
		buffer_put(&one, width, value, HOST_BIG_ENDIAN);
		more = false;
		for (unsigned int i = 0; i < a->nr_words; i++)
			more |= !a->words[i].used;
		if (more)
			w = next_word(a, "a number");
		add_bytes(a, one.data, width);
		one.size = 0;
	}
	buffer_free(&one);
}

static void item_version(struct assembler *a, unsigned int arg)
{
	(void)arg;
	begin_section(a, "version");
	item_number(a, 4);
}

static void item_bytes(struct assembler *a, unsigned int arg)
{
	(void)arg;
	for (unsigned int i = 0; i < a->nr_words; i++) {
		struct word *w = &a->words[i];
		char *end;
		const unsigned char byte = strtoul(w->text, &end, 16);

		if (w->used)
			continue;
		if (w->len != 2 || *end)
			return fail(a, "'%s' is not a byte of two digits", w->text);
		w->used = true;
		add_bytes(a, &byte, 1);
	}
}

static void item_string(struct assembler *a, unsigned int arg)
{
	const struct word *w = next_word(a, "the text");

	(void)arg;
	add_bytes(a, w->text, w->len + 1);
}

static void item_zero(struct assembler *a, unsigned int arg)
{
	(void)arg;
	add_bytes(a, NULL, next_number(a, "the number of bytes", 24));
}

static void item_align(struct assembler *a, unsigned int arg)
{
	const uint64_t to = next_number(a, "the alignment", 16);

	(void)arg;
	if (to)
		add_bytes(a, NULL, (to - here(a) % to) % to);
}

static void item_insn(struct assembler *a, unsigned int arg)
{
	const uint8_t code = next_number(a, "the code", 8), dst = next_number(a, "dst", 4),
		      src = next_number(a, "src", 4);
	const uint16_t off = next_number(a, "off", 16);
	const uint32_t imm = next_number(a, "imm", 32);

	(void)arg;
	a->last = here(a);
	if (!failed(a))
		eb_insn(&a->elf, a->section, code, dst, src, off, imm);
}

static void item_func(struct assembler *a, unsigned int arg)
{
	const bool is_static = flag(a, "static"), weak = flag(a, "weak"), hidden = flag(a, "hidden");
	const uint8_t type = flag(a, "notype") ? STT_NOTYPE : STT_FUNC;
	const char *name = next_word(a, "the name of the function")->text;
	const uint32_t proto = key_number(a, "proto", 32, 0);
	struct symbol *symbol = add_symbol(a, name, type);

	(void)arg;
	place_symbol(a, symbol, is_static ? STB_LOCAL : weak ? STB_WEAK : STB_GLOBAL);
	symbol->visibility = hidden ? STV_HIDDEN : 0;
	if (proto && !failed(a))
		bb_func_info(&a->btf, a->elf.sections[a->section].name, here(a),
			     bb_func(&a->btf, name, proto, !is_static));
}

static void item_var(struct assembler *a, unsigned int arg)
{
	const bool is_static = flag(a, "static"), weak = flag(a, "weak"), hidden = flag(a, "hidden");
	const char *name = next_word(a, "the name of the variable")->text;
	const uint32_t type = key_number(a, "type", 32, 0);
	struct symbol *symbol = add_symbol(a, name, STT_OBJECT);

	(void)arg;
	place_symbol(a, symbol, is_static ? STB_LOCAL : weak ? STB_WEAK : STB_GLOBAL);
	symbol->visibility = hidden ? STV_HIDDEN : 0;
	if (!type || failed(a))
		return;
	symbol->var = bb_var(&a->btf, name, type, !is_static);
	symbol->datasec = a->elf.sections[a->section].name;
}

static void item_extern(struct assembler *a, unsigned int arg)
{
	const bool weak = flag(a, "weak");
	const char *name = next_word(a, "the name")->text;
	const uint32_t proto = key_number(a, "proto", 32, 0), type = key_number(a, "type", 32, 0);
	struct symbol *symbol = add_symbol(a, name, STT_NOTYPE);

	(void)arg;
	symbol->bind = weak ? STB_WEAK : STB_GLOBAL;
	symbol->datasec = key_text(a, "section", NULL);
	symbol->size = key_number(a, "size", 32, type_size(a, type));
	if (proto)
		symbol->var = bb_func(&a->btf, name, proto, BTF_FUNC_EXTERN);
	else if (type)
		symbol->var = bb_var(&a->btf, name, type, 2 /* BTF_VAR_GLOBAL_EXTERN */);
	else
		symbol->datasec = NULL;
}

static const struct name sections[] = {
	{ "undef", SHN_UNDEF }, { "abs", SHN_ABS }, { "common", SHN_COMMON }, { NULL, 0 },
};
static const struct name binds[] = {
	{ "local", STB_LOCAL }, { "global", STB_GLOBAL }, { "weak", STB_WEAK }, { NULL, 0 },
};
static const struct name types[] = {
	{ "notype", STT_NOTYPE }, { "object", STT_OBJECT }, { "func", STT_FUNC },
	{ "section", STT_SECTION }, { "file", STT_FILE }, { NULL, 0 },
};
static const struct name visibilities[] = {
	{ "default", 0 }, { "internal", 1 }, { "hidden", STV_HIDDEN }, { "protected", 3 },
	{ NULL, 0 },
};

static void item_symbol(struct assembler *a, unsigned int arg)
{
	const char *name = next_word(a, "the name of the symbol")->text,
		   *section = key_text(a, "section", "undef");
	struct symbol *symbol = add_symbol(a, name, key_name(a, "type", types, STT_NOTYPE));

	(void)arg;
	symbol->bind = key_name(a, "bind", binds, STB_GLOBAL);
	symbol->visibility = key_name(a, "visibility", visibilities, 0);
	symbol->value = key_number(a, "value", 64, 0);
	symbol->size = key_number(a, "size", 64, 0);
	symbol->section = find_section(a, section);
	if (!symbol->section)
		symbol->section = key_name(a, "section", sections, SHN_UNDEF);
}

static void item_reloc(struct assembler *a, unsigned int arg)
{
	const uint32_t type = next_number(a, "the type of the relocation", 32);
	const char *name = next_word(a, "the name of the symbol")->text;

	(void)arg;
	here(a);
	add_reference(a, a->section, key_number(a, "offset", 64, a->last), type, name);
}

static void item_core(struct assembler *a, unsigned int arg)
{
	static const char *const kinds[] = {
		"byte_off", "byte_size", "field_exists", "signed", "lshift_u64", "rshift_u64",
		"local_type_id", "target_type_id", "type_exists", "type_size", "enumval_exists",
		"enumval_value", "type_matches",
	};
	const char *name = next_word(a, "the kind of the CO-RE relocation")->text;
	const uint32_t type = next_number(a, "the id of the type", 32);
	const char *access = next_word(a, "the access string")->text;
	uint32_t kind = 0;

	(void)arg;
	while (kind < sizeof(kinds) / sizeof(kinds[0]) && strcmp(name, kinds[kind]))
		kind++;
	if (kind == sizeof(kinds) / sizeof(kinds[0]))
		kind = number(a, name, 32);
	here(a);
	if (!failed(a))
		bb_core_relo(&a->btf, a->elf.sections[a->section].name,
			     key_number(a, "offset", 32, here(a)), type, access, kind);
}

static void item_line(struct assembler *a, unsigned int arg)
{
	const char *file = next_word(a, "the name of the file")->text,
		   *text = next_word(a, "the text of the line")->text;
	const uint32_t line = next_number(a, "the number of the line", 22),
		       column = next_number(a, "the column", 10);

	(void)arg;
	here(a);
	if (!failed(a))
		bb_line_info(&a->btf, a->elf.sections[a->section].name,
			     key_number(a, "offset", 32, here(a)), file, text, line, column);
}

static const struct item {
	const char *name;
	void (*add)(struct assembler *a, unsigned int arg);
	unsigned int arg;
} items[] = {
	{ "elf", item_elf, 0 }, { "shdr", item_shdr, 0 }, { "no", item_no, 0 },
	{ "btf", item_header, HEADER_BTF }, { "btf_ext", item_header, HEADER_BTF_EXT },
	{ "section", item_section, 0 }, { "license", item_license, 0 },
	{ "version", item_version, 0 }, { "symbol", item_symbol, 0 }, { "extern", item_extern, 0 },
	{ "func", item_func, 0 }, { "insn", item_insn, 0 }, { "reloc", item_reloc, 0 },
	{ "core", item_core, 0 }, { "line", item_line, 0 },
	{ "var", item_var, 0 }, { "map", item_map, 0 },
	{ "u8", item_number, 1 }, { "u16", item_number, 2 }, { "u32", item_number, 4 },
	{ "u64", item_number, 8 }, { "bytes", item_bytes, 0 }, { "string", item_string, 0 },
	{ "zero", item_zero, 0 }, { "align", item_align, 0 },
};

/* --- the file --- */

static bool is_btf_line(const char *line)
{
	return *line == '[' || *line == '\'' || !strncmp(line, "type_id=", 8);
}

static void split_and_add(struct assembler *a, char *line, const struct item *item)
{
	split(a, line);
	if (failed(a))
		return;
	if (item) {
		a->words[0].used = true;
		item->add(a, item->arg);
	} else {
		btf_line(a);
	}
	for (unsigned int i = 0; i < a->nr_words; i++)
		if (!a->words[i].used)
			fail(a, "unknown %s '%s'", a->words[i].key ? "key" : "word",
			     a->words[i].key ? a->words[i].key : a->words[i].text);
}

static void add_line(struct assembler *a, char *line)
{
	const size_t len = strcspn(line, " \t\r");

	if (is_btf_line(line))
		return split_and_add(a, line, NULL);
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		if (strlen(items[i].name) == len && !strncmp(line, items[i].name, len))
			return split_and_add(a, line, &items[i]);
	if (!assemble_insn(a, line))
		fail(a, "no item or instruction: %s", line);
}

/* Types first, so that other lines can refer to them wherever they are. Words remain in @text. */
static void add_lines(struct assembler *a, char *text)
{
	char **lines = NULL;
	unsigned int nr = 0;

	for (char *line = text, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = 0;
		line += strspn(line, " \t\r");
		cut_comment(line);
		lines = grow(lines, nr, sizeof(*lines));
		lines[nr++] = line;
	}
	for (int btf = 1; btf >= 0; btf--) {
		for (unsigned int i = 0; i < nr && !failed(a); i++) {
			a->line = i + 1;
			if (lines[i] && *lines[i] && is_btf_line(lines[i]) == btf) {
				add_line(a, lines[i]);
				lines[i] = NULL;
			}
		}
	}
	free(lines);
}

/* Sections have symbols, as compilers write them for those that they refer to. */
static void emit_symbols(struct assembler *a, uint32_t nr_sections)
{
	for (uint32_t i = 1; i < nr_sections; i++)
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

/* A name is that of a symbol, or of a section, whose symbol has the section's index. */
static void emit_references(struct assembler *a)
{
	for (struct reference *r = a->references; r < a->references + a->nr_references; r++) {
		const struct symbol *symbol = find_symbol(a, r->name);
		const uint32_t index = symbol ? symbol->index : find_section(a, r->name);

		a->line = r->line;
		if (!index)
			return fail(a, "no symbol or section '%s'", r->name);
		eb_reloc(&a->elf, r->section, r->offset, r->type, index, 0);
	}
}

static void emit_btf(struct assembler *a)
{
	struct eb_section *s;
	uint32_t section;

	if (a->no_btf || (!a->btf.nr_types && !a->btf.nr_records))
		return;
	section = eb_section(&a->elf, ".BTF", SHT_PROGBITS, 0, NULL, 0);
	add_datasecs(a, section);
	s = &a->elf.sections[section];
	s->data = bb_btf(&a->btf);
	apply_patches(a, &s->data, HEADER_BTF);
	if (a->no_btf_ext || !a->btf.nr_records)
		return;
	section = eb_section(&a->elf, ".BTF.ext", SHT_PROGBITS, 0, NULL, 0);
	s = &a->elf.sections[section];
	s->data = bb_ext(&a->btf);
	apply_patches(a, &s->data, HEADER_BTF_EXT);
}

static struct buffer finish(struct assembler *a)
{
	struct buffer file;

	close_symbol(a);
	if (!a->no_license && !find_section(a, "license")) {
		begin_section(a, "license");
		add_bytes(a, "GPL", 4);
	}
	emit_symbols(a, a->elf.nr_sections);
	emit_btf(a);
	emit_references(a);
	file = eb_finish(&a->elf);
	apply_patches(a, &file, HEADER_SECTION);
	apply_patches(a, &file, HEADER_ELF);
	return file;
}

unsigned char *assemble(const char *text, size_t len, size_t *size, char *error, size_t error_size)
{
	struct assembler a = { .error = error, .error_size = error_size };
	char *copy = strndup(text, len);
	struct buffer file;

	if (!copy)
		abort();
	error[0] = 0;
	add_lines(&a, copy);
	file = finish(&a);
	bb_free(&a.btf);
	free(a.symbols);
	free(a.references);
	free(a.patches);
	free(copy);
	*size = file.size;
	if (!error[0])
		return file.data;
	buffer_free(&file);
	return NULL;
}
