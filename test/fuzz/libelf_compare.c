// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read an object with our reader and with libelf, and compare sections, symbols and relocations
 * value by value.
 */
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* libelf includes the system's elf.h, which defines the same names as ours. */
#define _LINUX_ELF_H
#include "test/fuzz/libelf_compare.h"
#include "test/fuzz/mutate.h"

static bool differ(struct libelf_view *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->difference, sizeof(p->difference), fmt, ap);
	va_end(ap);
	return false;
}

static bool same(struct libelf_view *p, uint64_t ours, uint64_t theirs, const char *what, size_t i)
{
	p->values++;
	return ours == theirs || differ(p, "%s %zu: ours %#lx, libelf's %#lx", what, i,
					(unsigned long)ours, (unsigned long)theirs);
}

static bool same_name(struct libelf_view *p, const char *ours, const char *theirs, const char *what,
		      size_t i)
{
	p->values++;
	if (!theirs)
		return differ(p, "name of %s %zu: ours '%s', none for libelf (%s)", what, i, ours,
			      elf_errmsg(-1));
	return !strcmp(ours, theirs) ||
	       differ(p, "name of %s %zu: ours '%s', libelf's '%s'", what, i, ours, theirs);
}

static bool compare_section(struct libelf_view *p, size_t i, size_t shstrndx)
{
	const struct elf_section *s = &p->image->sections[i];
	GElf_Shdr shdr;

	if (!gelf_getshdr(elf_getscn(p->elf, i), &shdr))
		return differ(p, "section %zu: libelf: %s", i, elf_errmsg(-1));
	if (i == 0)	/* where extended counts are; ours is all zero */
		return true;
	if (!same_name(p, s->name, elf_strptr(p->elf, shstrndx, shdr.sh_name), "section", i) ||
	    !same(p, s->type, shdr.sh_type, "type of section", i))
		return false;
	if (s->type == SHT_NULL)	/* the other fields have no meaning */
		return true;
	return same(p, s->flags, shdr.sh_flags, "flags of section", i) &&
	       same(p, s->offset, shdr.sh_offset, "offset of section", i) &&
	       same(p, s->size, shdr.sh_size, "size of section", i) &&
	       same(p, s->link, shdr.sh_link, "link of section", i) &&
	       same(p, s->info, shdr.sh_info, "info of section", i) &&
	       same(p, s->align, shdr.sh_addralign, "alignment of section", i) &&
	       same(p, s->entsize, shdr.sh_entsize, "entry size of section", i);
}

/*
 * The contents according to libelf; it rejects some that we accept because we never read their
 * type.
 */
static bool compare_contents(struct libelf_view *p, size_t i)
{
	const struct elf_section *s = &p->image->sections[i];
	Elf_Data *data;

	if (s->type == SHT_NULL || s->type == SHT_NOBITS || !s->data.size)
		return true;
	data = elf_rawdata(elf_getscn(p->elf, i), NULL);
	if (!data)
		return s->type != SHT_SYMTAB && s->type != SHT_STRTAB && s->type != SHT_REL &&
				       s->type != SHT_RELA && s->type != SHT_PROGBITS
			       ? true
			       : differ(p, "contents of %zu: libelf: %s", i, elf_errmsg(-1));
	if (!same(p, s->data.size, data->d_size, "contents' size of section", i))
		return false;
	return !memcmp(s->data.data, data->d_buf, data->d_size) ||
	       differ(p, "contents of section %zu", i);
}

static Elf_Data *shndx_table(struct libelf_view *p)
{
	for (uint32_t i = 1; i < p->image->nr_sections; i++) {
		if (p->image->sections[i].type == SHT_SYMTAB_SHNDX &&
		    p->image->sections[i].link == p->image->symtab)
			return elf_getdata(elf_getscn(p->elf, i), NULL);
	}
	return NULL;
}

/* The section according to libelf, in our terms. */
static uint64_t their_section(const GElf_Sym *sym, Elf32_Word xindex)
{
	if (sym->st_shndx == SHN_XINDEX)
		return xindex;
	if (sym->st_shndx == SHN_ABS)
		return ELF_SHN_ABS;
	return sym->st_shndx == SHN_COMMON ? ELF_SHN_COMMON : sym->st_shndx;
}

static bool compare_symbol(struct libelf_view *p, Elf_Data *data, Elf_Data *shndx, size_t i,
			   size_t shstrndx)
{
	const struct elf_symbol *ours = &p->image->symbols[i];
	size_t strtab = p->image->sections[p->image->symtab].link;
	Elf32_Word xindex = 0;
	const char *name;
	GElf_Sym sym;

	if (!gelf_getsymshndx(data, shndx, i, &sym, &xindex))
		return differ(p, "symbol %zu: libelf: %s", i, elf_errmsg(-1));
	name = elf_strptr(p->elf, strtab, sym.st_name);
	if (GELF_ST_TYPE(sym.st_info) == STT_SECTION && name && !*name) {
		GElf_Shdr shdr;

		if (!gelf_getshdr(elf_getscn(p->elf, their_section(&sym, xindex)), &shdr))
			return differ(p, "section of symbol %zu: libelf: %s", i, elf_errmsg(-1));
		name = elf_strptr(p->elf, shstrndx, shdr.sh_name);
	}
	return same_name(p, ours->name, name, "symbol", i) &&
	       same(p, ours->value, sym.st_value, "value of symbol", i) &&
	       same(p, ours->size, sym.st_size, "size of symbol", i) &&
	       same(p, ours->bind, GELF_ST_BIND(sym.st_info), "binding of symbol", i) &&
	       same(p, ours->type, GELF_ST_TYPE(sym.st_info), "type of symbol", i) &&
	       same(p, ours->visibility, GELF_ST_VISIBILITY(sym.st_other), "visibility of symbol",
		    i) &&
	       same(p, ours->section, their_section(&sym, xindex), "section of symbol", i);
}

static bool compare_symbols(struct libelf_view *p, size_t shstrndx)
{
	Elf_Data *data, *shndx;

	if (!p->image->symtab)
		return true;
	data = elf_getdata(elf_getscn(p->elf, p->image->symtab), NULL);
	if (!data)
		return differ(p, "symbol table: libelf: %s", elf_errmsg(-1));
	if (!same(p, p->image->nr_symbols,
		  data->d_size / gelf_fsize(p->elf, ELF_T_SYM, 1, EV_CURRENT), "symbols", 0))
		return false;
	shndx = shndx_table(p);
	for (size_t i = 0; i < p->image->nr_symbols; i++) {
		if (!compare_symbol(p, data, shndx, i, shstrndx))
			return false;
	}
	return true;
}

static bool compare_reloc(struct libelf_view *p, Elf_Data *data, size_t section, size_t i)
{
	struct elf_reloc ours = elf_reloc_get(p->image, section, i);
	bool rela = p->image->sections[section].type == SHT_RELA;
	GElf_Rela theirs = { 0 };
	GElf_Rel rel = { 0 };

	if (rela ? !gelf_getrela(data, i, &theirs) : !gelf_getrel(data, i, &rel))
		return differ(p, "relocation %zu of section %zu: libelf: %s", i, section,
			      elf_errmsg(-1));
	if (!rela) {
		theirs.r_offset = rel.r_offset;
		theirs.r_info = rel.r_info;
	}
	return same(p, ours.offset, theirs.r_offset, "offset of relocation", i) &&
	       same(p, ours.type, GELF_R_TYPE(theirs.r_info), "type of relocation", i) &&
	       same(p, ours.symbol, GELF_R_SYM(theirs.r_info), "symbol of relocation", i) &&
	       same(p, ours.addend, theirs.r_addend, "addend of relocation", i) &&
	       same(p, ours.has_addend, rela, "addend's presence in relocation", i);
}

static bool compare_relocs(struct libelf_view *p, size_t section)
{
	const struct elf_section *s = &p->image->sections[section];
	Elf_Data *data;

	/* elf_reloc_count() is 0 for sections that only debuggers and linkers relocate. */
	if (!elf_section_is_reloc(p->image, section) || !elf_reloc_count(p->image, section))
		return true;
	data = elf_getdata(elf_getscn(p->elf, section), NULL);
	if (!data)
		return differ(p, "relocations in section %zu: libelf: %s", section, elf_errmsg(-1));
	if (!same(p, elf_reloc_count(p->image, section), data->d_size / s->entsize,
		  "relocations in section", section))
		return false;
	for (size_t i = 0; i < elf_reloc_count(p->image, section); i++) {
		if (!compare_reloc(p, data, section, i))
			return false;
	}
	return true;
}

bool libelf_agrees(struct libelf_view *p, const struct elf_image *image)
{
	size_t count, shstrndx;
	GElf_Ehdr ehdr;
	GElf_Shdr null;

	p->image = image;
	if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &ehdr))
		return differ(p, "libelf: %s", elf_errmsg(-1));
	/*
	 * elf_getshdrstrndx() finds an extended index of the other byte order only in a section 0
	 * read before.
	 */
	if (!gelf_getshdr(elf_getscn(p->elf, 0), &null))
		return differ(p, "section 0: libelf: %s", elf_errmsg(-1));
	if (elf_getshdrnum(p->elf, &count) || elf_getshdrstrndx(p->elf, &shstrndx))
		return differ(p, "section counts: libelf: %s", elf_errmsg(-1));
	if (!same(p, p->image->nr_sections, count, "sections", 0) ||
	    !same(p, p->image->big_endian, ehdr.e_ident[EI_DATA] == ELFDATA2MSB, "byte order", 0))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!compare_section(p, i, shstrndx) || !compare_contents(p, i) ||
		    !compare_relocs(p, i))
			return false;
	}
	return compare_symbols(p, shstrndx);
}

static bool takes_tables(Elf *elf, Elf_Scn *scn, size_t shstrndx)
{
	GElf_Shdr shdr;
	Elf_Data *data;

	if (!gelf_getshdr(scn, &shdr) || !elf_strptr(elf, shstrndx, shdr.sh_name))
		return false;
	data = elf_getdata(scn, NULL);
	if (!data)
		return false;
	for (size_t i = 0; shdr.sh_type == SHT_SYMTAB &&
			   i < data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	     i++) {
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || !elf_strptr(elf, shdr.sh_link, sym.st_name))
			return false;
	}
	return true;
}

bool libelf_takes(const struct libelf_view *view)
{
	Elf *elf = view->elf;
	Elf_Scn *scn = NULL;
	size_t shstrndx;
	GElf_Ehdr ehdr;
	GElf_Shdr null;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr) ||
	    gelf_getclass(elf) != ELFCLASS64 || ehdr.e_type != ET_REL ||
	    (ehdr.e_machine != EM_BPF && ehdr.e_machine != EM_NONE) ||
	    !gelf_getshdr(elf_getscn(elf, 0), &null) || elf_getshdrstrndx(elf, &shstrndx))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!takes_tables(elf, scn, shstrndx))
			return false;
	}
	return true;
}

void libelf_open(struct libelf_view *view, struct bytes file)
{
	memset(view, 0, sizeof(*view));
	elf_version(EV_CURRENT);
	view->copy = mutate_copy(file, file.size);
	view->elf = elf_memory((char *)view->copy.data, view->copy.size);
}

void libelf_close(struct libelf_view *view)
{
	elf_end(view->elf);
	free((void *)view->copy.data);
	memset(view, 0, sizeof(*view));
}
