/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Executables and libraries, of any class, byte order and machine: their segments, their functions
 * by name and version, and where in the file an address is. What image.h is for BPF objects.
 */
#ifndef PLOAD_ELF_EXEC_EXEC_H
#define PLOAD_ELF_EXEC_EXEC_H

#include <linux/elf.h>

#include "elf/bytes.h"
#include "elf/error.h"

struct exec_segment {
	uint32_t type;	/* PT_* */
	uint32_t flags;	/* PF_* */
	uint64_t offset;	/* in the file */
	uint64_t address;	/* as linked */
	uint64_t file_size;	/* bytes in the file ... */
	uint64_t size;	/* ... and in memory */
};

struct exec_section {
	const char *name;	/* "" when there is none, or no end to it */
	uint32_t type;	/* SHT_* */
	uint32_t link, info;
	uint64_t flags, address, offset, size, entsize;
};

/* One table of symbols, and who names them. All borrowed from the source; zeroed is none. */
struct exec_table {
	struct bytes entries, names;
	struct bytes versions;	/* 16 bits for each; empty: they have none */
	uint32_t nr;
};

/* What struct exec_version is to a number in exec_table.versions. */
struct exec_version {
	const char *name;	/* NULL: no such version is defined here */
};

struct exec {
	struct source source;	/* borrowed */
	bool is_64;
	bool swap;	/* of the other byte order than this machine */
	uint16_t type;	/* ET_EXEC or ET_DYN */
	uint16_t machine;	/* EM_* */
	bool cut_short;	/* the header says where sections are, and that is not in the file */
	struct exec_segment *segments;	/* owned */
	uint32_t nr_segments;
	struct exec_section *sections;	/* owned; 0 when there are none, or none that can be read */
	uint32_t nr_sections;
	struct exec_table symtab, dynsym;	/* of exec_read_symbols() */
	struct exec_version *versions;	/* owned; likewise, by their number */
	uint32_t nr_versions;
};

/*
 * exec_open() - read header, segments and sections of @source (borrowed). Fails with ENOEXEC (not
 * ELF, or no executable and no library: what it is instead), EBADMSG (damaged), ENOMEM, and what
 * get() says. On failure @x is empty. Sections are for linkers and debuggers, and a program runs
 * without: where their table cannot be read, there are none. Source: gABI, chapters 4 and 5.
 */
int exec_open(struct exec *x, const struct source *source, struct error *err);
void exec_close(struct exec *x);

/* exec_machine_name() - "x86-64", "arm64" ...; NULL: unknown. */
const char *exec_machine_name(uint16_t machine);

/* exec_section() - the first section called @name, or NULL. */
const struct exec_section *exec_section(const struct exec *x, const char *name);

/* exec_section_bytes() - what is in it. EBADMSG: it does not lie in the file. */
int exec_section_bytes(const struct exec *x, const struct exec_section *section, struct bytes *out,
		       struct error *err);

/*
 * exec_offset() - where in the file @address is: in the bytes of a PT_LOAD segment, *@flags of
 * which (PF_*) are given. false: in none.
 */
bool exec_offset(const struct exec *x, uint64_t address, uint64_t *offset, uint32_t *flags);

/* exec_address() - the other way: which address the byte at @offset is loaded at. */
bool exec_address(const struct exec *x, uint64_t offset, uint64_t *address, uint32_t *flags);

/* --- symbols --- */

struct exec_symbol {
	const char *name;	/* not ended by a NUL where a version follows in it: name_len */
	uint32_t name_len;
	const char *version;	/* NULL: it has none; as name, version_len long */
	uint32_t version_len;
	bool is_default;	/* "@@": what programs are linked to now; or it has no version */
	uint64_t value;	/* address as linked */
	uint64_t size;	/* 0: not known */
	uint16_t section;	/* SHN_*; SHN_UNDEF: it is somewhere else */
	uint8_t bind, type;	/* STB_*, STT_* */
};

/*
 * exec_read_symbols() - find .symtab and .dynsym, the latter by PT_DYNAMIC where no section is it,
 * and the names of versions. A table that there is not stays empty. Fails with EBADMSG where one
 * that there is cannot be read, and as get().
 */
int exec_read_symbols(struct exec *x, struct error *err);

/*
 * exec_symbol() - symbol @i of @table, which is one of @x's. Returns false when it has no name. In
 * .symtab names have their versions behind an '@'.
 */
bool exec_symbol(const struct exec *x, const struct exec_table *table, uint32_t i,
		 struct exec_symbol *symbol);

/*
 * exec_symbol_is_function() - whether it is a function, or a label that may be one, of this file.
 */
bool exec_symbol_is_function(const struct exec_symbol *symbol);

/*
 * exec_needed() - library number @i that it is linked to, as "libc.so.6", or NULL behind the last,
 * and where that cannot be read.
 */
const char *exec_needed(const struct exec *x, uint32_t i);

/* --- where the rest of it is --- */

/*
 * exec_build_id() - the 1 to 64 bytes that the linker has made of its content; empty: it has none.
 */
struct bytes exec_build_id(const struct exec *x);

/*
 * exec_debug_link() - the name of the file that its symbols were moved to, and that file's CRC-32;
 * NULL: nothing was moved.
 */
const char *exec_debug_link(const struct exec *x, uint32_t *crc);

#endif
