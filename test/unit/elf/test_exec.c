// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Executables and libraries of every class and byte order: what is read of them, and what is
 * refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/unit/common/expect.h"
#include "test/unit/elf/exec_fixture.h"

/* The symbol called @name of @table, which has to be there. */
static struct exec_symbol find(const struct exec_table *table, const char *name)
{
	struct exec_symbol s;

	for (uint32_t i = 0; i < table->nr; i++)
		if (exec_symbol(&f.x, table, i, &s) && s.name_len == strlen(name) &&
		    !memcmp(s.name, name, s.name_len))
			return s;
	ck_abort_msg("no symbol %s", name);
}

TEST_EACH(symbols_of_every_form, NR_FORMS)
{
	struct exec_symbol s;

	begin(&forms[_i]);
	some_symbols(&f.b);
	opened();
	ck_assert_int_eq(f.x.is_64, !forms[_i].is_32);
	ck_assert_uint_eq(f.x.dynsym.nr, 7);
	ck_assert_uint_eq(f.x.symtab.nr, forms[_i].no_sections ? 0 : 5);
	s = find(&f.x.dynsym, "both");
	ck_assert_uint_eq(s.value, XB_TEXT_ADDRESS + 0x20);
	ck_assert_uint_eq(s.size, 16);
	ck_assert(s.is_default && !s.version && exec_symbol_is_function(&s));
	s = find(&f.x.dynsym, "old");
	ck_assert(!s.is_default && s.version_len == 6 && !memcmp(s.version, "SOME_1", 6));
	ck_assert_uint_eq(s.bind, STB_WEAK);
	s = find(&f.x.dynsym, "now");
	ck_assert(s.is_default && s.version_len == 6 && !memcmp(s.version, "SOME_2", 6));
	s = find(&f.x.dynsym, "choose");
	ck_assert_uint_eq(s.type, STT_GNU_IFUNC);
	ck_assert(exec_symbol_is_function(&s));
	s = find(&f.x.dynsym, "variable");
	ck_assert(!exec_symbol_is_function(&s));
	s = find(&f.x.dynsym, "imported");
	ck_assert(s.section == SHN_UNDEF && !exec_symbol_is_function(&s));
	ck_assert_str_eq(exec_needed(&f.x, 0), "libother.so.2");
	ck_assert_str_eq(exec_needed(&f.x, 1), "libc.so.6");
	ck_assert_ptr_null(exec_needed(&f.x, 2));
}

TEST(versions_in_names)
{
	struct exec_symbol s;

	begin(&forms[0]);
	some_symbols(&f.b);
	xb_function(&f.b, XB_SYMTAB, "@odd", XB_TEXT_ADDRESS);
	opened();
	s = find(&f.x.symtab, "named");
	ck_assert(s.is_default && s.version_len == 6 && !memcmp(s.version, "SOME_2", 6));
	ck_assert(exec_symbol(&f.x, &f.x.symtab, 4, &s));
	ck_assert(!s.is_default && s.name_len == 5 && !memcmp(s.version, "SOME_1", 6));
	s = find(&f.x.symtab, "@odd");
	ck_assert(!s.version && s.is_default);
	ck_assert(!exec_symbol(&f.x, &f.x.symtab, 0, &s));
}

static const struct {
	uint64_t address, offset;	/* offset 0: it is in no segment */
	uint32_t flags;
} places[] = {
	{ XB_TEXT_ADDRESS, XB_TEXT_OFFSET, PF_R | PF_X },
	{ XB_TEXT_ADDRESS + XB_SEGMENT_SIZE - 1, XB_TEXT_OFFSET + XB_SEGMENT_SIZE - 1,
	  PF_R | PF_X },
	{ XB_TEXT_ADDRESS + XB_SEGMENT_SIZE, 0, 0 },
	{ XB_TEXT_ADDRESS - 1, 0, 0 },
	{ XB_DATA_ADDRESS + 2, XB_DATA_OFFSET + 2, PF_R | PF_W },
	{ XB_DATA_ADDRESS + XB_SEGMENT_SIZE, 0, 0 },	/* .bss */
	{ 0, 0, 0 },
	{ UINT64_MAX, 0, 0 },
};

TEST_ROWS(addresses_and_offsets, places)
{
	uint64_t offset = 0, address = 0;
	uint32_t flags = 0;

	begin(&forms[0]);
	opened();
	ck_assert_int_eq(exec_offset(&f.x, places[_i].address, &offset, &flags),
			 places[_i].offset != 0);
	ck_assert_uint_eq(offset, places[_i].offset);
	ck_assert_uint_eq(flags, places[_i].flags);
	if (offset) {
		ck_assert(exec_address(&f.x, offset, &address, &flags));
		ck_assert_uint_eq(address, places[_i].address);
		ck_assert_uint_eq(flags, places[_i].flags);
	}
	ck_assert(!exec_address(&f.x, f.file.size, &address, &flags));
	ck_assert(!exec_address(&f.x, 0, &address, &flags));
}

TEST_EACH(build_id, NR_FORMS)
{
	struct bytes found;

	begin(&forms[_i]);
	f.b.build_id = id;
	opened();
	found = exec_build_id(&f.x);
	ck_assert_uint_eq(found.size, sizeof(id));
	ck_assert_mem_eq(found.data, id, sizeof(id));
}

TEST(thumb)
{
	struct exec_symbol s;

	begin(&forms[1]);
	f.b.machine = EM_ARM;
	xb_function(&f.b, XB_SYMTAB, "thumb", XB_TEXT_ADDRESS + 0x11);
	opened();
	s = find(&f.x.symtab, "thumb");
	ck_assert_uint_eq(s.value, XB_TEXT_ADDRESS + 0x10);
}

static const struct {
	const char *text;
	struct expect expect;
} others[] = {
	{ "", { ENOEXEC, NULL, "is empty", "executables" } },
	{ "#!/bin/sh\necho\n", { ENOEXEC, NULL, "is a script", "first line" } },
	{ "!<arch>\nmore", { ENOEXEC, NULL, "static library", "linked with" } },
	{ "/* GNU ld script\n", { ENOEXEC, NULL, "linker script", "library that it names" } },
	{ "\x1f\x8b\x08", { ENOEXEC, NULL, "compressed", "decompress" } },
	{ "hello", { ENOEXEC, NULL, "first byte 0x68", NULL } },
	{ "\x7f" "ELF", { ENOEXEC, NULL, "first byte 0x7f", NULL } },
	{ "\x7f" "ELF\x03\x01\x01..........", { ENOEXEC, NULL, "unknown ELF class", NULL } },
	{ "\x7f" "ELF\x02\x07\x01..........", { ENOEXEC, NULL, "unknown byte order", NULL } },
	{ "\x7f" "ELF\x02\x01\x01..........",
	  { EBADMSG, NULL, "inside the ELF header", "damaged" } },
};

TEST_ROWS(what_is_no_executable, others)
{
	memset(&f, 0, sizeof(f));
	buffer_add(&f.file, others[_i].text, strlen(others[_i].text) + 1);
	f.file.size--;
	expect_error(others[_i].text, open_exec(), &f.err, &others[_i].expect);
	ck_assert_ptr_null(f.x.segments);
}

/* Of damages: @at is in the bytes of the section, not in its header. */
#define BYTES 0x1000

/* One field of a sound file that is not. @section: counted from the first header; -1: none. */
static const struct damage {
	const char *name;
	int section;
	size_t at;
	unsigned int width;
	uint64_t value;
	struct expect expect;	/* code 0: it is read all the same */
} damages[] = {
	{ "type REL", -1, 16, 2, ET_REL, { ENOEXEC, NULL, "object file", "linked into" } },
	{ "type CORE", -1, 16, 2, ET_CORE, { ENOEXEC, NULL, "core dump", NULL } },
	{ "type 77", -1, 16, 2, 77, { ENOEXEC, NULL, "type 77", NULL } },
	{ "no segments", -1, 56, 2, 0, { EBADMSG, NULL, "0 program headers", "install" } },
	{ "size of segments", -1, 54, 2, 55, { EBADMSG, NULL, "of 55 bytes", NULL } },
	{ "segments outside", -1, 32, 8, 0x7fffffff,
	  { EBADMSG, "program headers", "outside", NULL } },
	{ "segments at the end of all", -1, 32, 8, UINT64_MAX, { EBADMSG, NULL, "outside", NULL } },
	{ "many segments", -1, 56, 2, PN_XNUM, { EBADMSG, NULL, "0 program headers", NULL } },
	{ "sections outside", -1, 40, 8, UINT64_MAX - 63, { 0 } },
	{ "size of sections", -1, 58, 2, 3, { 0 } },
	{ "names of sections", -1, 62, 2, 0xfff0, { 0 } },
	{ "symbols outside", 9, 24, 8, 0x7fffffff, { EBADMSG, "'.symtab'", "outside", NULL } },
	{ "symbols too large", 9, 32, 8, UINT64_MAX, { EBADMSG, "'.symtab'", "symbols", NULL } },
	{ "entries of symbols", 9, 56, 8, 23, { EBADMSG, "'.symtab'", "of 23", NULL } },
	{ "names of symbols", 9, 40, 4, 99, { EBADMSG, "'.symtab'", "section 99", NULL } },
	{ "names that are none", 9, 40, 4, 1, { EBADMSG, "'.symtab'", "section 1", NULL } },
	{ "version names outside", 7, 24, 8, 0x7fffffff,
	  { EBADMSG, "'.gnu.version_d'", NULL, NULL } },
	{ "too few numbers of versions", 6, 32, 8, 2, { 0 } },
	{ "no sections", -1, 60, 2, 0, { 0 } },
	{ "names of sections take no bytes", 10, 4, 4, SHT_NOBITS, { 0 } },
	{ "name of a section outside", 1, 0, 4, 0xffff, { 0 } },
	{ "no symbols", 9, 32, 8, 0, { 0 } },
	{ "no dynamic symbols", 5, 32, 8, 0, { 0 } },
	{ "names of versions", 7, 40, 4, 99, { 0 } },
	{ "names of versions outside", 4, 24, 8, 0x7fffffff, { EBADMSG, "'.dynstr'", NULL, NULL } },
	{ "no versions", 7, 32, 8, 0, { 0 } },
	{ "a version twice", 7, BYTES + 60, 2, 2, { 0 } },
	{ "a gap between versions", 7, BYTES + 60, 2, 9, { 0 } },
	{ "a version without a name", 7, BYTES + 40, 4, 0xffff,
	  { EBADMSG, "'.gnu.version_d'", "2 has no name", NULL } },
	{ "a version outside", 7, BYTES + 16, 4, 0xffff,
	  { EBADMSG, "'.gnu.version_d'", "is outside", NULL } },
};

static size_t in_section(int section, size_t at)
{
	const size_t header = buffer_peek(&f.file, 40, 8, false) + 64 * section;

	return at < BYTES ? header + at : buffer_peek(&f.file, header + 24, 8, false) + at - BYTES;
}

static void put_sections(const struct damage *d)
{
	buffer_poke(&f.file, d->section < 0 ? d->at : in_section(d->section, d->at), d->width,
		    d->value, false);
}

TEST_ROWS(damaged_files, damages)
{
	const struct damage *d = &damages[_i];
	int ret;

	begin(&forms[0]);
	some_symbols(&f.b);
	f.file = xb_finish(&f.b);
	put_sections(d);
	ret = open_exec();
	if (d->expect.code)
		expect_error(d->name, ret, &f.err, &d->expect);
	else
		ck_assert_msg(!ret, "%s: %s: %s", d->name, f.err.where, f.err.what);
}

/* A table without symbols has no use for versions, wherever these are. */
TEST(versions_of_no_symbols)
{
	begin(&forms[0]);
	some_symbols(&f.b);
	f.file = xb_finish(&f.b);
	buffer_poke(&f.file, in_section(5, 32), 8, 0, false);
	buffer_poke(&f.file, in_section(6, 24), 8, 0x7fffffff, false);
	opened();
	ck_assert_uint_eq(f.x.dynsym.nr, 0);
}

/* Section 0 has the numbers that are too large for the header. */
TEST(numbers_in_section_0)
{
	begin(&forms[0]);
	some_symbols(&f.b);
	f.file = xb_finish(&f.b);
	buffer_poke(&f.file, in_section(0, 32), 8, 11, false);
	buffer_poke(&f.file, in_section(0, 40), 4, 10, false);
	buffer_poke(&f.file, in_section(0, 44), 4, 4, false);
	buffer_poke(&f.file, 56, 2, PN_XNUM, false);
	buffer_poke(&f.file, 60, 2, 0, false);
	buffer_poke(&f.file, 62, 2, SHN_XINDEX, false);
	opened();
	ck_assert_uint_eq(f.x.nr_sections, 11);
	ck_assert_uint_eq(f.x.nr_segments, 4);
	ck_assert_ptr_nonnull(exec_section(&f.x, ".text"));
	exec_close(&f.x);
	buffer_poke(&f.file, in_section(0, 32), 8, UINT64_MAX, false);
	opened();
	ck_assert_uint_eq(f.x.nr_sections, 0);
	ck_assert_uint_eq(f.x.dynsym.nr, 7);
}

/* The build ID is a note of 4 + 20 bytes in a segment of its own, after the program headers. */
static const struct {
	size_t at;
	unsigned int width;
	uint64_t value;
} ids[] = {
	{ 12, 1, 'X' }, { 0, 4, 3 }, { 8, 4, 4 }, { 4, 4, 21 },
};

TEST_ROWS(notes_that_are_no_build_id, ids)
{
	const size_t note = sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Phdr);

	begin(&forms[0]);
	f.b.build_id = id;
	f.file = xb_finish(&f.b);
	buffer_poke(&f.file, note + ids[_i].at, ids[_i].width, ids[_i].value, false);
	opened();
	ck_assert_uint_eq(exec_build_id(&f.x).size, 0);
}

TEST(functions_have_a_section)
{
	static const uint16_t none[] = { SHN_UNDEF, SHN_ABS, SHN_COMMON };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ck_assert(!exec_symbol_is_function(
			&(struct exec_symbol){ .type = STT_FUNC, .section = none[i] }));
	ck_assert(exec_symbol_is_function(
		&(struct exec_symbol){ .type = STT_NOTYPE, .section = 1 }));
}

TEST(names_of_machines)
{
	ck_assert_str_eq(exec_machine_name(EM_BPF), "BPF");
	ck_assert_ptr_null(exec_machine_name(0xfeed));
}

/* Each prefix of a file is refused or read, and no byte after its end is read. */
TEST_EACH(cut_short, NR_FORMS)
{
	struct buffer whole;

	begin(&forms[_i]);
	some_symbols(&f.b);
	whole = xb_finish(&f.b);
	for (size_t at = 0; at < whole.size; at += at < 0x200 || at > XB_DYN_OFFSET ? 1 : 0x101) {
		unsigned char *copy = malloc(at ? at : 1);

		memcpy(copy, whole.data, at);
		f.file = (struct buffer){ copy, at, at };
		if (!open_exec())
			ck_assert(f.x.cut_short || forms[_i].no_sections);
		end();
	}
	buffer_free(&whole);
}
