// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read an executable or library with our reader and with libelf, and compare symbols, versions and
 * file offsets.
 */
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* libelf brings the system's elf.h, which has the same names as ours for the same things. */
#define _LINUX_ELF_H
#include "test/fuzz/libelf_exec.h"

struct sides {
	Elf *elf;
	struct exec x;
	struct libelf_exec *seen;
};

static bool differ(struct sides *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->seen->difference, sizeof(s->seen->difference), fmt, ap);
	va_end(ap);
	return false;
}

/* The section of that type, and its data. */
static Elf_Scn *find_section(struct sides *s, uint32_t type, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(s->elf, scn)))
		if (gelf_getshdr(scn, shdr) && shdr->sh_type == type)
			return scn;
	return NULL;
}

/* Return the name of version @number according to libelf. */
static const char *version_name(struct sides *s, uint16_t number)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_section(s, SHT_GNU_verdef, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Verdef def;
	GElf_Verdaux aux;

	for (int at = 0; data && gelf_getverdef(data, at, &def); at += def.vd_next) {
		if ((def.vd_ndx & 0x7fff) == number && !(def.vd_flags & VER_FLG_BASE))
			return gelf_getverdaux(data, at + def.vd_aux, &aux) ?
				       elf_strptr(s->elf, shdr.sh_link, aux.vda_name) : NULL;
		if (!def.vd_next)
			break;
	}
	return NULL;
}

static bool same_version(struct sides *s, const struct exec_symbol *ours, size_t i)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_section(s, SHT_GNU_versym, &shdr);
	const char *theirs = NULL;
	GElf_Versym number = VER_NDX_GLOBAL;

	if (scn && gelf_getversym(elf_getdata(scn, NULL), i, &number) && (number & 0x7fff) > 1)
		theirs = version_name(s, number & 0x7fff);
	s->seen->versions += theirs != NULL;
	if (!theirs != !ours->version || ours->is_default == !!(number & 0x8000))
		return differ(s, "version of '%.*s': libelf's %s, %#x", (int)ours->name_len,
			      ours->name, theirs ? theirs : "none", number);
	return !theirs || (strlen(theirs) == ours->version_len &&
			   !memcmp(theirs, ours->version, ours->version_len)) ||
	       differ(s, "version of '%.*s': ours '%.*s', libelf's '%s'", (int)ours->name_len,
		      ours->name, (int)ours->version_len, ours->version, theirs);
}

/* Compare the file offset of the symbol with the one from libelf's program headers. */
static bool same_offset(struct sides *s, const struct exec_symbol *ours)
{
	uint64_t offset, theirs = 0;
	GElf_Phdr phdr;
	uint32_t flags;
	size_t nr;
	bool found = false;

	elf_getphdrnum(s->elf, &nr);
	for (size_t i = 0; i < nr && !found; i++) {
		if (!gelf_getphdr(s->elf, i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		found = ours->value - phdr.p_vaddr < phdr.p_filesz;
		theirs = ours->value - phdr.p_vaddr + phdr.p_offset;
	}
	if (exec_offset(&s->x, ours->value, &offset, &flags) != found ||
	    (found && offset != theirs))
		return differ(s, "offset of '%.*s' at %#lx: libelf's %#lx", (int)ours->name_len,
			      ours->name, (unsigned long)ours->value, (unsigned long)theirs);
	s->seen->offsets += found;
	return true;
}

static bool same_symbol(struct sides *s, const struct exec_table *table, size_t i, Elf_Data *data,
			const GElf_Shdr *shdr)
{
	struct exec_symbol ours;
	const char *name;
	GElf_Sym sym;
	const bool named = exec_symbol(&s->x, table, i, &ours);

	if (!gelf_getsym(data, i, &sym))
		return differ(s, "symbol %zu: libelf: %s", i, elf_errmsg(-1));
	name = elf_strptr(s->elf, shdr->sh_link, sym.st_name);
	if (!name || !name[0] || strlen(name) >= 4096)
		return !named || differ(s, "symbol %zu: libelf has no name for it", i);
	if (!named)
		return differ(s, "symbol %zu '%s': ours has no name", i, name);
	s->seen->symbols++;
	if (strncmp(ours.name, name, ours.name_len) ||
	    (name[ours.name_len] && name[ours.name_len] != '@'))
		return differ(s, "symbol %zu: ours '%.*s', libelf's '%s'", i, (int)ours.name_len,
			      ours.name, name);
	if (ours.value != sym.st_value || ours.size != sym.st_size ||
	    ours.section != sym.st_shndx || ours.bind != GELF_ST_BIND(sym.st_info) ||
	    ours.type != GELF_ST_TYPE(sym.st_info))
		return differ(s, "symbol %zu '%s': other fields", i, name);
	return same_offset(s, &ours) &&
	       (table != &s->x.dynsym || same_version(s, &ours, i));
}

static bool same_table(struct sides *s, const struct exec_table *table, uint32_t type)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_section(s, type, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	const size_t nr = data && shdr.sh_entsize ? shdr.sh_size / shdr.sh_entsize : 0;

	if (nr != table->nr)
		return differ(s, "%u symbols, and %zu for libelf", table->nr, nr);
	for (size_t i = 0; i < nr; i++)
		if (!same_symbol(s, table, i, data, &shdr))
			return false;
	return true;
}

static int get(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	(void)err;
	*out = bytes_slice(*(struct bytes *)arg, off, len);
	return 0;
}

bool libelf_exec_agrees(struct bytes file, struct libelf_exec *seen)
{
	const struct source source = { file.size, get, &file };
	struct sides s = { .seen = seen };
	struct error err = { 0 };
	bool ok;

	memset(seen, 0, sizeof(*seen));
	elf_version(EV_CURRENT);
	s.elf = elf_memory((char *)file.data, file.size);
	if (exec_open(&s.x, &source, &err) || exec_read_symbols(&s.x, &err))
		ok = differ(&s, "%.100s: %.120s", err.where, err.what);
	else
		ok = same_table(&s, &s.x.symtab, SHT_SYMTAB) &&
		     same_table(&s, &s.x.dynsym, SHT_DYNSYM);
	exec_close(&s.x);
	elf_end(s.elf);
	error_clear(&err);
	return ok;
}
