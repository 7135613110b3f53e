/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Executables and shared libraries, of any class, byte order and machine: segments, functions by
 * name and version, and the file offset of an address. Programs may be gigabytes large, so only
 * what is needed is read. (image.h is for BPF objects.)
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
	uint64_t file_size;	/* in bytes in the file ... */
	uint64_t size;	/* ... and in memory */
};

struct exec_section {
	const char *name;	/* "" if it has none, or an unterminated one */
	uint32_t type;	/* SHT_* */
	uint32_t link, info;
	uint64_t flags, address, offset, size, entsize;
};

/* A table of symbols, borrowed from the source; zeroed if there is none. */
struct exec_table {
	struct bytes entries, names;
	struct bytes versions;	/* a 16-bit version index per symbol; empty: no versions */
	uint32_t nr;
};

/* A symbol version; exec_table.versions has its index. */
struct exec_version {
	const char *name;	/* NULL: no such version is defined */
};

struct exec {
	struct source source;	/* borrowed */
	bool is_64;
	bool swap;	/* not in native byte order */
	uint16_t type;	/* ET_EXEC or ET_DYN */
	uint16_t machine;	/* EM_* */
	bool cut_short;	/* the section headers are past the end of the file */
	struct exec_segment *segments;	/* owned */
	uint32_t nr_segments;
	struct exec_section *sections;	/* owned; NULL if none can be read */
	uint32_t nr_sections;
	struct exec_table symtab, dynsym;	/* filled by exec_read_symbols() */
	struct exec_version *versions;	/* owned; likewise, by number */
	uint32_t nr_versions;
};

/**
 * exec_open() - Read the header, segments and sections of an executable or library.
 * @source: borrowed
 *
 * Programs run without section headers, so unreadable ones just mean "no sections".
 * Return: 0,
 * -ENOEXEC (not ELF, or neither an executable nor a library), -EBADMSG (damaged), -ENOMEM, or the
 * error of the source; @x is empty then. See gABI, chapters 4 and 5.
 */
int exec_open(struct exec *x, const struct source *source, struct error *err);
void exec_close(struct exec *x);

/* exec_machine_name() - Return "x86-64", "arm64" and so on; NULL: unknown. */
const char *exec_machine_name(uint16_t machine);

/* exec_section() - Return the first section called @name, or NULL. */
const struct exec_section *exec_section(const struct exec *x, const char *name);

/*
 * exec_section_bytes() - Return the bytes of a section, or -EBADMSG if they are outside the file.
 */
int exec_section_bytes(const struct exec *x, const struct exec_section *section, struct bytes *out,
		       struct error *err);

/*
 * exec_offset() - Find the file offset of @address and the flags (PF_*) of its PT_LOAD segment.
 * Return: false if no segment contains it.
 */
bool exec_offset(const struct exec *x, uint64_t address, uint64_t *offset, uint32_t *flags);

/*
 * exec_address() - The inverse: find the address at which the byte at @offset is mapped.
 * exec_segment_at() - Return its PT_LOAD segment; NULL: none.
 */
bool exec_address(const struct exec *x, uint64_t offset, uint64_t *address, uint32_t *flags);
const struct exec_segment *exec_segment_at(const struct exec *x, uint64_t offset);

/* --- symbols --- */

struct exec_symbol {
	const char *name;	/* name_len bytes; a version may follow */
	uint32_t name_len;
	const char *version;	/* version_len bytes; NULL: no version */
	uint32_t version_len;
	bool is_default;	/* "@@", the version that new programs link against; or no
				 * version */
	uint64_t value;	/* address as linked */
	uint64_t size;	/* 0: unknown */
	uint16_t section;	/* SHN_*; SHN_UNDEF: defined in another file */
	uint8_t bind, type;	/* STB_*, STT_* */
};

/**
 * exec_read_symbols() - Find .symtab, .dynsym and the version names.
 *
 * If there is no .dynsym section, PT_DYNAMIC is used. A missing table is empty.
 * Return: 0, -EBADMSG (a table cannot be read), -ENOMEM, or the error of the source.
 */
int exec_read_symbols(struct exec *x, struct error *err);

/*
 * exec_symbol() - Get symbol @i of a table of @x; return false if it has no name. In .symtab, '@'
 * separates the name from the version.
 */
bool exec_symbol(const struct exec *x, const struct exec_table *table, uint32_t i,
		 struct exec_symbol *symbol);

/*
 * exec_symbol_is_function() - Return true if this file defines the symbol as a function, or as a
 * label that may be one.
 */
bool exec_symbol_is_function(const struct exec_symbol *symbol);

/*
 * exec_needed() - Return the name of the @i-th library that the file needs ("libc.so.6"), or NULL
 * if there are no more or it cannot be read.
 */
const char *exec_needed(const struct exec *x, uint32_t i);

/* --- related files --- */

/* exec_build_id() - Return the linker's build ID, 1 to 64 bytes; empty if there is none. */
struct bytes exec_build_id(const struct exec *x);

#endif
