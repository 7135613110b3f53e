/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes valid executables and libraries of either class and byte order, for tests to read and
 * break.
 */
#ifndef PLOAD_TEST_UNIT_EXEC_BUILDER_H
#define PLOAD_TEST_UNIT_EXEC_BUILDER_H

#include <linux/elf.h>

#include "test/unit/common/buffer.h"

/*
 * The layout of the file. Addresses differ from file offsets, so that code which confuses them
 * fails; text comes first in memory and second in the file. The file is small, because tests read
 * and break it many times.
 */
#define XB_DATA_OFFSET	0x300
#define XB_DATA_ADDRESS	0x602000
#define XB_TEXT_OFFSET	0x600
#define XB_TEXT_ADDRESS	0x401000
#define XB_SEGMENT_SIZE	0x300
#define XB_BSS_SIZE	0x800	/* after the data, in memory only */
#define XB_DYN_OFFSET	0x900	/* tables for the dynamic linker, read-only */
#define XB_DYN_ADDRESS	0x800000
#define XB_BASE_ADDRESS	0x4012f0	/* of .stapsdt.base */

/* Set the flags before the first call. Nothing is freed before xb_finish(). */
struct exec_builder {
	bool is_32, big_endian;
	bool fixed;	/* ET_EXEC */
	bool no_sections;	/* PT_DYNAMIC alone */
	bool old_hash;	/* DT_HASH in place of DT_GNU_HASH */
	uint16_t machine;	/* 0: EM_X86_64, or EM_386 with is_32 */
	struct buffer symtab, strtab, dynsym, dynstr, versions, verdef, notes, dynamic;
	uint32_t nr_verdef;
	size_t last_verdef;
	const void *build_id;	/* borrowed; of 20 bytes */
	bool stripped;	/* no .symtab */
};

enum xb_table { XB_SYMTAB, XB_DYNSYM };

/* Sections that symbols are in. */
enum { XB_UNDEF = 0, XB_TEXT = 1, XB_DATA = 2 };

/* xb_symbol() - @value is an address. @version: what .gnu.version says; of DYNSYM only. */
void xb_symbol(struct exec_builder *b, enum xb_table table, const char *name, uint64_t value,
	       uint64_t size, uint8_t bind, uint8_t type, uint16_t section, uint16_t version);

/* xb_function() - one of .text, 16 bytes long, global, in @table. */
void xb_function(struct exec_builder *b, enum xb_table table, const char *name, uint64_t value);

/* xb_version() - version number @number is called @name; 1 is the base. */
void xb_version(struct exec_builder *b, uint16_t number, const char *name);

/* xb_needed() - a library that it is linked to. */
void xb_needed(struct exec_builder *b, const char *name);

/* xb_note() - a USDT note. @base: where .stapsdt.base was when it was assembled. */
void xb_note(struct exec_builder *b, uint64_t address, uint64_t base, uint64_t semaphore,
	     const char *provider, const char *name, const char *args);

/* xb_finish() - the file, which the caller frees; @b is empty afterwards. */
struct buffer xb_finish(struct exec_builder *b);

/* xb_source() - the file in memory as a source for exec_open(); @bytes is borrowed. */
struct source;
struct source xb_source(struct bytes *bytes);

#endif
