/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An executable in each form, which the tests of elf/exec/ build, read and damage. */
#ifndef PLOAD_TEST_UNIT_ELF_EXEC_FIXTURE_H
#define PLOAD_TEST_UNIT_ELF_EXEC_FIXTURE_H

#include "elf/exec/exec.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

static const struct form {
	const char *name;
	bool is_32, big_endian, no_sections, old_hash;
	uint16_t machine;
} forms[] = {
	{ "64-bit, little endian", false, false, false, false, 0 },
	{ "32-bit, little endian", true, false, false, false, 0 },
	{ "64-bit, big endian", false, true, false, false, EM_S390 },
	{ "32-bit, big endian", true, true, false, false, EM_PPC },
	{ "64-bit, without sections", false, false, true, false, 0 },
	{ "32-bit, without sections, big endian", true, true, true, false, EM_PPC },
	{ "64-bit, without sections, DT_HASH", false, false, true, true, 0 },
	{ "s390x, without sections, DT_HASH", false, true, true, true, EM_S390 },
};

static const char id[20] = "20 bytes with a NUL";

#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

static struct fixture {
	struct exec_builder b;
	struct buffer file;
	struct bytes bytes;
	struct source source;
	struct exec x;
	struct error err;
} f;	/* of the test that runs */

static inline void begin(const struct form *form)
{
	memset(&f, 0, sizeof(f));
	f.b.is_32 = form->is_32;
	f.b.big_endian = form->big_endian;
	f.b.no_sections = form->no_sections;
	f.b.old_hash = form->old_hash;
	f.b.machine = form->machine;
}

static inline int open_exec(void)
{
	int ret;

	if (!f.file.data)
		f.file = xb_finish(&f.b);
	f.bytes = buffer_bytes(&f.file);
	f.source = xb_source(&f.bytes);
	ret = exec_open(&f.x, &f.source, &f.err);
	return ret ? ret : exec_read_symbols(&f.x, &f.err);
}

static inline void opened(void)
{
	ck_assert_msg(!open_exec(), "%s: %s", f.err.where, f.err.what);
}

static inline void end(void)
{
	exec_close(&f.x);
	buffer_free(&f.file);
	error_clear(&f.err);
}

TEST_FIXTURE(NULL, end)

static inline void some_symbols(struct exec_builder *b)
{
	xb_version(b, 1, "libsome.so.1");
	xb_version(b, 2, "SOME_1");
	xb_version(b, 3, "SOME_2");
	xb_needed(b, "libother.so.2");
	xb_needed(b, "libc.so.6");
	xb_function(b, XB_SYMTAB, "static_one", XB_TEXT_ADDRESS + 0x10);
	xb_function(b, XB_SYMTAB, "both", XB_TEXT_ADDRESS + 0x20);
	xb_function(b, XB_SYMTAB, "named@@SOME_2", XB_TEXT_ADDRESS + 0x30);
	xb_function(b, XB_SYMTAB, "named@SOME_1", XB_TEXT_ADDRESS + 0x40);
	xb_function(b, XB_DYNSYM, "both", XB_TEXT_ADDRESS + 0x20);
	xb_symbol(b, XB_DYNSYM, "old", XB_TEXT_ADDRESS + 0x50, 8, STB_WEAK, STT_FUNC, XB_TEXT,
		  0x8002);
	xb_symbol(b, XB_DYNSYM, "now", XB_TEXT_ADDRESS + 0x60, 8, STB_GLOBAL, STT_FUNC, XB_TEXT, 3);
	xb_symbol(b, XB_DYNSYM, "choose", XB_TEXT_ADDRESS + 0x70, 8, STB_GLOBAL, STT_GNU_IFUNC,
		  XB_TEXT, 3);
	xb_symbol(b, XB_DYNSYM, "variable", XB_DATA_ADDRESS + 8, 4, STB_GLOBAL, STT_OBJECT, XB_DATA,
		  1);
	xb_symbol(b, XB_DYNSYM, "imported", 0, 0, STB_GLOBAL, STT_FUNC, XB_UNDEF, 4);
}

#endif
