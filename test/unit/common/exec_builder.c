// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes executables and libraries, field by field. */
#include "test/unit/common/exec_builder.h"

#include "elf/exec/exec.h"

static unsigned int word(const struct exec_builder *b)
{
	return b->is_32 ? 4 : 8;
}

static void put(const struct exec_builder *b, struct buffer *to, unsigned int width, uint64_t value)
{
	buffer_put(to, width, value, b->big_endian);
}

/* The offset of @name in @names, which begin with a NUL. */
static uint32_t name_at(struct buffer *names, const char *name)
{
	if (!names->size)
		buffer_add(names, "", 1);
	return name[0] ? buffer_add(names, name, strlen(name) + 1) : 0;
}

static void put_symbol(struct exec_builder *b, struct buffer *to, uint32_t name, uint64_t value,
		       uint64_t size, uint8_t info, uint16_t section)
{
	put(b, to, 4, name);
	if (b->is_32) {
		put(b, to, 4, value);
		put(b, to, 4, size);
	}
	put(b, to, 1, info);
	put(b, to, 1, 0);
	put(b, to, 2, section);
	if (!b->is_32) {
		put(b, to, 8, value);
		put(b, to, 8, size);
	}
}

void xb_symbol(struct exec_builder *b, enum xb_table table, const char *name, uint64_t value,
	       uint64_t size, uint8_t bind, uint8_t type, uint16_t section, uint16_t version)
{
	struct buffer *symbols = table == XB_SYMTAB ? &b->symtab : &b->dynsym;
	struct buffer *names = table == XB_SYMTAB ? &b->strtab : &b->dynstr;

	if (!symbols->size) {
		put_symbol(b, symbols, 0, 0, 0, 0, 0);
		if (table == XB_DYNSYM)
			put(b, &b->versions, 2, 0);
	}
	put_symbol(b, symbols, name_at(names, name), value, size, ELF64_ST_INFO(bind, type),
		   section);
	if (table == XB_DYNSYM)
		put(b, &b->versions, 2, version);
}

void xb_function(struct exec_builder *b, enum xb_table table, const char *name, uint64_t value)
{
	xb_symbol(b, table, name, value, 16, STB_GLOBAL, STT_FUNC, XB_TEXT, VER_NDX_GLOBAL);
}

void xb_version(struct exec_builder *b, uint16_t number, const char *name)
{
	const size_t at = b->verdef.size;

	if (b->nr_verdef++)
		buffer_poke(&b->verdef, b->last_verdef + 16, 4, at - b->last_verdef, b->big_endian);
	b->last_verdef = at;
	put(b, &b->verdef, 2, VER_DEF_CURRENT);
	put(b, &b->verdef, 2, number == 1 ? VER_FLG_BASE : 0);
	put(b, &b->verdef, 2, number);
	put(b, &b->verdef, 2, 1);
	put(b, &b->verdef, 4, 0);
	put(b, &b->verdef, 4, sizeof(Elf64_Verdef));
	put(b, &b->verdef, 4, 0);
	put(b, &b->verdef, 4, name_at(&b->dynstr, name));
	put(b, &b->verdef, 4, 0);
}

static void put_dynamic(struct exec_builder *b, int64_t tag, uint64_t value)
{
	put(b, &b->dynamic, word(b), tag);
	put(b, &b->dynamic, word(b), value);
}

void xb_needed(struct exec_builder *b, const char *name)
{
	put_dynamic(b, DT_NEEDED, name_at(&b->dynstr, name));
}

void xb_note(struct exec_builder *b, uint64_t address, uint64_t base, uint64_t semaphore,
	     const char *provider, const char *name, const char *args)
{
	struct buffer desc = { 0 };

	put(b, &desc, word(b), address);
	put(b, &desc, word(b), base);
	put(b, &desc, word(b), semaphore);
	buffer_add(&desc, provider, strlen(provider) + 1);
	buffer_add(&desc, name, strlen(name) + 1);
	buffer_add(&desc, args, strlen(args) + 1);
	put(b, &b->notes, 4, 8);
	put(b, &b->notes, 4, desc.size);
	put(b, &b->notes, 4, 3);
	buffer_add(&b->notes, "stapsdt", 8);
	buffer_add(&b->notes, desc.data, desc.size);
	buffer_align(&b->notes, 4);
	buffer_free(&desc);
}

static void put_segment(struct exec_builder *b, struct buffer *out, uint32_t type, uint32_t flags,
			uint64_t offset, uint64_t address, uint64_t file_size, uint64_t size)
{
	put(b, out, 4, type);
	if (!b->is_32)
		put(b, out, 4, flags);
	put(b, out, word(b), offset);
	put(b, out, word(b), address);
	put(b, out, word(b), address);
	put(b, out, word(b), file_size);
	put(b, out, word(b), size);
	if (b->is_32)
		put(b, out, 4, flags);
	put(b, out, word(b), 0x1000);
}

/* The sections of the file, in the order of their headers. */
struct sections {
	struct buffer headers, names;
	uint32_t nr;
};

static uint32_t put_section(struct exec_builder *b, struct sections *s, const char *name,
			    uint32_t type, uint64_t flags, uint64_t address, uint64_t offset,
			    uint64_t size, uint32_t link, uint64_t entsize)
{
	struct buffer *out = &s->headers;

	put(b, out, 4, name_at(&s->names, name));
	put(b, out, 4, type);
	put(b, out, word(b), flags);
	put(b, out, word(b), address);
	put(b, out, word(b), offset);
	put(b, out, word(b), size);
	put(b, out, 4, link);
	put(b, out, 4, 0);
	put(b, out, word(b), 1);
	put(b, out, word(b), entsize);
	return s->nr++;
}

/* Appends @data to the file and makes a section of it. */
static uint32_t add_section(struct exec_builder *b, struct buffer *file, struct sections *s,
			    const char *name, uint32_t type, const struct buffer *data,
			    uint32_t link, uint64_t entsize)
{
	buffer_align(file, 8);
	return put_section(b, s, name, type, 0, 0, buffer_add(file, data->data, data->size),
			   data->size, link, entsize);
}

/* One bucket, one chain with every symbol but the first in it; a filter of one word. */
static void put_gnu_hash(struct exec_builder *b, struct buffer *out, uint32_t nr)
{
	put(b, out, 4, 1);
	put(b, out, 4, 1);
	put(b, out, 4, 1);
	put(b, out, 4, 0);
	put(b, out, word(b), -1);
	put(b, out, 4, nr > 1 ? 1 : 0);
	for (uint32_t i = 1; i < nr; i++)
		put(b, out, 4, i == nr - 1);
}

static void put_hash(struct exec_builder *b, struct buffer *out, uint32_t nr)
{
	const unsigned int size = b->machine == EM_S390 && !b->is_32 ? 8 : 4;

	put(b, out, size, 1);
	put(b, out, size, nr);
	for (uint32_t i = 0; i < nr + 1; i++)
		put(b, out, size, 0);
}

/* The contents of the PT_LOAD segment at XB_DYN_ADDRESS: each table, and PT_DYNAMIC at the end. */
struct loaded {
	struct buffer bytes;
	size_t symbols, names, versions, verdef, hash, dynamic;
};

static size_t load(struct loaded *l, const struct buffer *data)
{
	buffer_align(&l->bytes, 8);
	return buffer_add(&l->bytes, data->data, data->size);
}

static void make_loaded(struct exec_builder *b, struct loaded *l)
{
	const uint32_t nr = b->versions.size / 2;

	l->symbols = load(l, &b->dynsym);
	l->names = load(l, &b->dynstr);
	l->versions = load(l, &b->versions);
	l->verdef = load(l, &b->verdef);
	buffer_align(&l->bytes, 8);
	l->hash = l->bytes.size;
	if (b->old_hash)
		put_hash(b, &l->bytes, nr);
	else
		put_gnu_hash(b, &l->bytes, nr);
	put_dynamic(b, DT_STRTAB, XB_DYN_ADDRESS + l->names);
	put_dynamic(b, DT_STRSZ, b->dynstr.size);
	put_dynamic(b, DT_SYMTAB, XB_DYN_ADDRESS + l->symbols);
	put_dynamic(b, b->old_hash ? DT_HASH : DT_GNU_HASH, XB_DYN_ADDRESS + l->hash);
	put_dynamic(b, DT_VERSYM, XB_DYN_ADDRESS + l->versions);
	if (b->nr_verdef) {
		put_dynamic(b, DT_VERDEF, XB_DYN_ADDRESS + l->verdef);
		put_dynamic(b, DT_VERDEFNUM, b->nr_verdef);
	}
	put_dynamic(b, DT_NULL, 0);
	l->dynamic = load(l, &b->dynamic);
}

static void put_header(struct exec_builder *b, struct buffer *out, uint32_t nr_segments)
{
	const uint16_t machine = b->machine ? b->machine : b->is_32 ? EM_386 : EM_X86_64;
	const unsigned char ident[EI_NIDENT] = {
		0x7f,
		'E',
		'L',
		'F',
		b->is_32 ? ELFCLASS32 : ELFCLASS64,
		b->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
		EV_CURRENT,
	};

	buffer_add(out, ident, sizeof(ident));
	put(b, out, 2, b->fixed ? ET_EXEC : ET_DYN);
	put(b, out, 2, machine);
	put(b, out, 4, EV_CURRENT);
	put(b, out, word(b), XB_TEXT_ADDRESS);
	put(b, out, word(b), b->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
	put(b, out, word(b), 0);	/* e_shoff */
	put(b, out, 4, 0);
	put(b, out, 2, b->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
	put(b, out, 2, b->is_32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr));
	put(b, out, 2, nr_segments);
	put(b, out, 2, 0);	/* e_shentsize, e_shnum, e_shstrndx */
	put(b, out, 2, 0);
	put(b, out, 2, 0);
}

static void add_sections(struct exec_builder *b, struct buffer *file, const struct loaded *l,
			 uint64_t at)
{
	const uint64_t entsize = b->is_32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	struct sections s = { 0 };
	uint32_t strings, symbols;
	size_t headers, fields;

	put_section(b, &s, "", SHT_NULL, 0, 0, 0, 0, 0, 0);
	put_section(b, &s, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, XB_TEXT_ADDRESS,
		    XB_TEXT_OFFSET, XB_SEGMENT_SIZE, 0, 0);
	put_section(b, &s, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, XB_DATA_ADDRESS,
		    XB_DATA_OFFSET, XB_SEGMENT_SIZE, 0, 0);
	put_section(b, &s, ".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, XB_BASE_ADDRESS,
		    XB_TEXT_OFFSET + 0x2f0, 1, 0, 0);
	if (b->dynsym.size) {
		strings =
			put_section(b, &s, ".dynstr", SHT_STRTAB, SHF_ALLOC,
				    XB_DYN_ADDRESS + l->names, at + l->names, b->dynstr.size, 0, 0);
		symbols = put_section(b, &s, ".dynsym", SHT_DYNSYM, SHF_ALLOC,
				      XB_DYN_ADDRESS + l->symbols, at + l->symbols, b->dynsym.size,
				      strings, entsize);
		put_section(b, &s, ".gnu.version", SHT_GNU_versym, SHF_ALLOC, 0, at + l->versions,
			    b->versions.size, symbols, 2);
		if (b->nr_verdef)
			put_section(b, &s, ".gnu.version_d", SHT_GNU_verdef, SHF_ALLOC, 0,
				    at + l->verdef, b->verdef.size, strings, 0);
	}
	if (b->symtab.size && !b->stripped) {
		strings = add_section(b, file, &s, ".strtab", SHT_STRTAB, &b->strtab, 0, 0);
		add_section(b, file, &s, ".symtab", SHT_SYMTAB, &b->symtab, strings, entsize);
	}
	if (b->notes.size)
		add_section(b, file, &s, ".note.stapsdt", SHT_NOTE, &b->notes, 0, 0);
	name_at(&s.names, ".shstrtab");
	strings = add_section(b, file, &s, ".shstrtab", SHT_STRTAB, &s.names, 0, 0);
	buffer_align(file, 8);
	headers = buffer_add(file, s.headers.data, s.headers.size);
	fields = b->is_32 ? offsetof(Elf32_Ehdr, e_shoff) : offsetof(Elf64_Ehdr, e_shoff);
	buffer_poke(file, fields, word(b), headers, b->big_endian);
	fields = b->is_32 ? offsetof(Elf32_Ehdr, e_shentsize) : offsetof(Elf64_Ehdr, e_shentsize);
	buffer_poke(file, fields, 2, b->is_32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr),
		    b->big_endian);
	buffer_poke(file, fields + 2, 2, s.nr, b->big_endian);
	buffer_poke(file, fields + 4, 2, strings, b->big_endian);
	buffer_free(&s.headers);
	buffer_free(&s.names);
}

static void put_build_id(struct exec_builder *b, struct buffer *out)
{
	put(b, out, 4, 4);
	put(b, out, 4, 20);
	put(b, out, 4, NT_GNU_BUILD_ID);
	buffer_add(out, "GNU", 4);
	buffer_add(out, b->build_id, 20);
}

struct buffer xb_finish(struct exec_builder *b)
{
	const uint32_t nr_segments = 3 + (b->dynsym.size != 0) + (b->build_id != NULL);
	struct buffer file = { 0 };
	struct loaded l = { 0 };
	size_t id;

	if (b->dynsym.size)
		make_loaded(b, &l);
	put_header(b, &file, nr_segments);
	id = file.size + nr_segments * (b->is_32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr));
	put_segment(b, &file, PT_LOAD, PF_R | PF_X, XB_TEXT_OFFSET, XB_TEXT_ADDRESS,
		    XB_SEGMENT_SIZE, XB_SEGMENT_SIZE);
	put_segment(b, &file, PT_LOAD, PF_R | PF_W, XB_DATA_OFFSET, XB_DATA_ADDRESS,
		    XB_SEGMENT_SIZE, XB_SEGMENT_SIZE + XB_BSS_SIZE);
	put_segment(b, &file, PT_LOAD, PF_R, XB_DYN_OFFSET, XB_DYN_ADDRESS, l.bytes.size,
		    l.bytes.size);
	if (b->dynsym.size)
		put_segment(b, &file, PT_DYNAMIC, PF_R, XB_DYN_OFFSET + l.dynamic,
			    XB_DYN_ADDRESS + l.dynamic, b->dynamic.size, b->dynamic.size);
	if (b->build_id) {
		put_segment(b, &file, PT_NOTE, PF_R, id, 0x1000, 36, 36);
		put_build_id(b, &file);
	}
	buffer_add(&file, NULL, XB_DYN_OFFSET - file.size);
	buffer_add(&file, l.bytes.data, l.bytes.size);
	if (!b->no_sections)
		add_sections(b, &file, &l, XB_DYN_OFFSET);
	buffer_free(&l.bytes);
	buffer_free(&b->symtab);
	buffer_free(&b->strtab);
	buffer_free(&b->dynsym);
	buffer_free(&b->dynstr);
	buffer_free(&b->versions);
	buffer_free(&b->verdef);
	buffer_free(&b->notes);
	buffer_free(&b->dynamic);
	memset(b, 0, sizeof(*b));
	return file;
}

static int get(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	const struct bytes *bytes = arg;

	(void)err;
	if (!bytes_hold(bytes->size, off, len))
		abort();
	*out = bytes_slice(*bytes, off, len);
	return 0;
}

struct source xb_source(struct bytes *bytes)
{
	return (struct source){ .size = bytes->size, .get = get, .arg = bytes };
}
