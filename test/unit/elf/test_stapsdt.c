// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* USDT notes, and their arguments on each machine. */
#include <errno.h>
#include <stdio.h>

#include "elf/exec/usdt_notes.h"
#include "test/unit/common/suite.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/expect.h"

#include <linux/ptrace.h>

struct fixture {
	struct exec_builder b;
	struct buffer file;
	struct bytes bytes;
	struct source source;
	struct exec x;
	struct sdt_reader r;
	struct sdt_note note;
	struct error err;
};

static void opened(struct fixture *f)
{
	if (!f->file.data)
		f->file = xb_finish(&f->b);
	f->bytes = buffer_bytes(&f->file);
	f->source = xb_source(&f->bytes);
	ck_assert_msg(!exec_open(&f->x, &f->source, &f->err), "%s", f->err.what);
	sdt_begin(&f->r, &f->x);
}

static void end(struct fixture *f)
{
	exec_close(&f->x);
	buffer_free(&f->file);
	error_clear(&f->err);
}

static void next_is(struct fixture *f, const char *provider, const char *name, const char *args,
		    uint64_t address, uint64_t semaphore)
{
	ck_assert_msg(sdt_next(&f->r, &f->note, &f->err) == 1, "%s: %s", f->err.where, f->err.what);
	ck_assert_str_eq(f->note.provider, provider);
	ck_assert_str_eq(f->note.name, name);
	ck_assert_str_eq(f->note.args, args);
	ck_assert_uint_eq(f->note.address, address);
	ck_assert_uint_eq(f->note.semaphore, semaphore);
}

/* Bits of _i: 32 bits, big endian. */
TEST_EACH(notes_of_every_form, 4)
{
	struct fixture f = { .b = { .is_32 = _i & 1, .big_endian = _i & 2 } };
	const uint64_t beyond = _i & 1 ? 0 : 1ull << 32;	/* addresses of 32 bits wrap */

	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "plain", "");
	xb_note(&f.b, XB_TEXT_ADDRESS + 8, XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "with_args",
		"-4@%eax 8@$5");
	/* It was assembled for an address 0x1000 below, and prelink has moved it. */
	xb_note(&f.b, XB_TEXT_ADDRESS - 0xff0, XB_BASE_ADDRESS - 0x1000, XB_DATA_ADDRESS - 0xffc,
		"",
		"moved", "");
	xb_note(&f.b, XB_TEXT_ADDRESS - 0xff0, XB_BASE_ADDRESS - 0x1000, 0, "", "moved", "");
	xb_note(&f.b, 0xfffff010, XB_BASE_ADDRESS - 0x1000, 0xfffff014, "", "far", "");
	/* Without a base nothing can be said of that. */
	xb_note(&f.b, XB_TEXT_ADDRESS + 12, 0, 0, "app", "no_base", "");
	opened(&f);
	next_is(&f, "app", "plain", "", XB_TEXT_ADDRESS + 4, 0);
	next_is(&f, "app", "with_args", "-4@%eax 8@$5", XB_TEXT_ADDRESS + 8, XB_DATA_ADDRESS + 2);
	next_is(&f, "", "moved", "", XB_TEXT_ADDRESS + 0x10, XB_DATA_ADDRESS + 4);
	next_is(&f, "", "moved", "", XB_TEXT_ADDRESS + 0x10, 0);
	next_is(&f, "", "far", "", beyond + 0x10, beyond + 0x14);
	next_is(&f, "app", "no_base", "", XB_TEXT_ADDRESS + 12, 0);
	ck_assert_int_eq(sdt_next(&f.r, &f.note, &f.err), 0);
	ck_assert_int_eq(sdt_next(&f.r, &f.note, &f.err), 0);
	end(&f);
}

TEST(no_notes)
{
	struct fixture f = { 0 };

	opened(&f);
	ck_assert_int_eq(sdt_next(&f.r, &f.note, &f.err), 0);
	end(&f);
}

/* Others' notes in the same section. */
TEST(notes_of_others)
{
	struct fixture f = { 0 };
	size_t size;

	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "other", "");
	buffer_poke(&f.b.notes, 8, 4, 4, false);	/* a version of the format */
	size = f.b.notes.size;
	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "other", "");
	buffer_poke(&f.b.notes, size, 4, 7, false);	/* a name without its NUL */
	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "ours", "");
	opened(&f);
	next_is(&f, "app", "ours", "", XB_TEXT_ADDRESS + 4, 0);
	ck_assert_int_eq(sdt_next(&f.r, &f.note, &f.err), 0);
	end(&f);
}

/* Here .data is made a second section of the same bytes. */
TEST(notes_in_two_sections)
{
	struct fixture f = { .b.big_endian = HOST_BIG_ENDIAN };
	Elf64_Shdr *section;
	Elf64_Ehdr *head;

	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "name", "");
	f.file = xb_finish(&f.b);
	head = (Elf64_Ehdr *)f.file.data;
	section = (Elf64_Shdr *)(f.file.data + head->e_shoff);
	for (int i = 0; i < head->e_shnum; i++)
		if (section[i].sh_type == SHT_NOTE)
			section[XB_DATA] = section[i];
	opened(&f);
	next_is(&f, "app", "name", "", XB_TEXT_ADDRESS + 4, 0);
	next_is(&f, "app", "name", "", XB_TEXT_ADDRESS + 4, 0);
	ck_assert_int_eq(sdt_next(&f.r, &f.note, &f.err), 0);
	end(&f);
}

static const struct {
	const char *name;
	size_t at;	/* in the notes, of which the first has 12 + 8 + 24 + 12 bytes */
	unsigned int width;
	uint64_t value;
	const char *what;
} damages[] = {
	{ "name too long", 0, 4, 0xffffffff, "past the section" },
	{ "descriptor too long", 4, 4, 0xfffffff0, "past the section" },
	{ "descriptor without addresses", 4, 4, 20, "three addresses" },
	{ "descriptor without texts", 4, 4, 24, "three addresses" },
	{ "texts without an end", 52, 4, 0x41414141, "three addresses" },
};

TEST_ROWS(damaged_notes, damages)
{
	const struct expect expect = { EBADMSG, "section '.note.stapsdt' at 0x0",
				       damages[_i].what, NULL };
	struct fixture f = { 0 };

	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "name", "args");
	buffer_poke(&f.b.notes, damages[_i].at, damages[_i].width, damages[_i].value, false);
	opened(&f);
	expect_error(damages[_i].name, sdt_next(&f.r, &f.note, &f.err), &f.err, &expect);
	end(&f);
}

TEST(half_a_note_after_a_note)
{
	const struct expect expect = { EBADMSG, "section '.note.stapsdt' at 0x",
				       "inside a note header" };
	struct fixture f = { 0 };

	xb_note(&f.b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, 0, "app", "name", "args");
	buffer_add(&f.b.notes, NULL, 4);
	opened(&f);
	next_is(&f, "app", "name", "args", XB_TEXT_ADDRESS + 4, 0);
	expect_error("half", sdt_next(&f.r, &f.note, &f.err), &f.err, &expect);
	end(&f);
}

/* --- arguments --- */

/* r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di */
#define SLOT_X86(n) (8 * (n))
#define AX SLOT_X86(10)
#define BX SLOT_X86(5)
#define BP SLOT_X86(4)
#define DI SLOT_X86(14)
#define IP SLOT_X86(16)
#define SP SLOT_X86(19)
#define X(n) (8 * (n))		/* arm64 */
#define R(n) (24 + 8 * (n))	/* s390x */

enum { CONST = SDT_ARG_CONST, REG = SDT_ARG_REGISTER, MEM = SDT_ARG_MEMORY, OTHER = SDT_ARG_OTHER };

static const struct {
	uint16_t machine;
	const char *text;
	int kind, size;		/* size: negative for signed */
	int64_t value;
	int base, index, shift;	/* -1: none */
	const char *symbol;
} args[] = {
	{ EM_X86_64, "-4@%eax", REG, -4, 0, AX, -1, 0, NULL },
	{ EM_X86_64, "8@%rdi", REG, 8, 0, DI, -1, 0, NULL },
	{ EM_X86_64, "1@%al", REG, 1, 0, AX, -1, 0, NULL },
	{ EM_X86_64, "1@%ah", REG, 1, 0, AX + 1, -1, 0, NULL },
	{ EM_X86_64, "-1@%dil", REG, -1, 0, DI, -1, 0, NULL },
	{ EM_X86_64, "2@%bx", REG, 2, 0, BX, -1, 0, NULL },
	{ EM_X86_64, "8@%r8", REG, 8, 0, SLOT_X86(9), -1, 0, NULL },
	{ EM_X86_64, "-4@%r15d", REG, -4, 0, SLOT_X86(0), -1, 0, NULL },
	{ EM_X86_64, "2@%r11w", REG, 2, 0, SLOT_X86(6), -1, 0, NULL },
	{ EM_X86_64, "1@%r12b", REG, 1, 0, SLOT_X86(3), -1, 0, NULL },
	{ EM_X86_64, "8@%r16", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%r8x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%r7", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%r08", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%r8dd", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%rz", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%r", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%rax%rbx", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%rip", REG, 8, 0, IP, -1, 0, NULL },
	{ EM_X86_64, "8@%xmm0", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@%fs:16", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$42", CONST, 8, 42, -1, -1, 0, NULL },
	{ EM_X86_64, "-4@$-42", CONST, -4, -42, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$0xffffffffffffffff", CONST, 8, -1, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$0x10000000000000000", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$symbol", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$0xFf", CONST, 8, 255, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$+7", CONST, 8, 7, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$0x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$0xg", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$1a", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$-", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$7,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@$18446744073709551616", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8@(%rax)", MEM, 8, 0, AX, -1, 0, NULL },
	{ EM_X86_64, "-4@-8(%rbp)", MEM, -4, -8, BP, -1, 0, NULL },
	{ EM_X86_64, "8@0x20(%rsp)", MEM, 8, 32, SP, -1, 0, NULL },
	{ EM_X86_64, "8@8+16(%rsp)", MEM, 8, 24, SP, -1, 0, NULL },
	{ EM_X86_64, "4@(%rax,%rbx,4)", MEM, 4, 0, AX, BX, 2, NULL },
	{ EM_X86_64, "4@-16(%rax, %rbx)", MEM, 4, -16, AX, BX, 0, NULL },
	{ EM_X86_64, "1@8(%rax,%rbx,8)", MEM, 1, 8, AX, BX, 3, NULL },
	{ EM_X86_64, "1@8(%rax,%rbx,3)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%rax,%rbx,16)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%rax", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%rax)x", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%xmm0)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%rax,%xmm0)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8(%rax,%rbx,x)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8()", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8%rax", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8x(%rax)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@8,(%rax)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "1@(%rip)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@8( %rax , %rbx , 2 )", MEM, 4, 8, AX, BX, 1, NULL },
	{ EM_X86_64, "4@8(,%rbx,4)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@count(%rip)", MEM, 4, 0, IP, -1, 0, "count" },
	{ EM_X86_64, "4@count+8(%rip)", MEM, 4, 8, IP, -1, 0, "count" },
	{ EM_X86_64, "4@-8+count(%rip)", MEM, 4, -8, IP, -1, 0, "count" },
	{ EM_X86_64, "4@count.1234", MEM, 4, 0, IP, -1, 0, "count.1234" },
	{ EM_X86_64, "4@table(,%rbx,4)", MEM, 4, 0, IP, BX, 2, "table" },
	{ EM_X86_64, "4@table(%rbx)", MEM, 4, 0, IP, BX, 0, "table" },
	{ EM_X86_64, "4@table(%rax,%rbx,4)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@one+two(%rip)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@one+(%rip)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@8+9z(%rip)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@16(%rip)", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4@0x1234", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "16@%rax", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "x@%rax", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "@%rax", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "4,@%rax", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8F@%xmm0", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "8f@%xmm0", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "%rax", REG, 8, 0, AX, -1, 0, NULL },
	{ EM_X86_64, "4@", OTHER, 4, 0, -1, -1, 0, NULL },
	{ EM_X86_64, "2@$1", CONST, 2, 1, -1, -1, 0, NULL },
	{ EM_X86_64, "-2@%ax", REG, -2, 0, AX, -1, 0, NULL },
	{ EM_X86_64, "1@8)", OTHER, 1, 0, -1, -1, 0, NULL },
	{ EM_386, "-4@8(%ebp)", MEM, -4, 8, BP, -1, 0, NULL },
	{ EM_386, "%eax", REG, 4, 0, AX, -1, 0, NULL },
	{ EM_AARCH64, "8@x0", REG, 8, 0, X(0), -1, 0, NULL },
	{ EM_AARCH64, "-4@w30", REG, -4, 0, X(30), -1, 0, NULL },
	{ EM_AARCH64, "8@sp", REG, 8, 0, X(31), -1, 0, NULL },
	{ EM_AARCH64, "4@wsp", REG, 4, 0, X(31), -1, 0, NULL },
	{ EM_AARCH64, "8@pc", REG, 8, 0, X(32), -1, 0, NULL },
	{ EM_AARCH64, "8@fp", REG, 8, 0, X(29), -1, 0, NULL },
	{ EM_AARCH64, "8@lr", REG, 8, 0, X(30), -1, 0, NULL },
	{ EM_AARCH64, "4@wzr", CONST, 4, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "-4@-5", CONST, -4, -5, -1, -1, 0, NULL },
	{ EM_AARCH64, "-4@#5", CONST, -4, 5, -1, -1, 0, NULL },
	{ EM_AARCH64, "-4@[sp, 12]", MEM, -4, 12, X(31), -1, 0, NULL },
	{ EM_AARCH64, "8@[x19]", MEM, 8, 0, X(19), -1, 0, NULL },
	{ EM_AARCH64, "8@[x19, -16]", MEM, 8, -16, X(19), -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, #8]", MEM, 8, 8, X(1), -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2]", MEM, 8, 0, X(1), X(2), 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsl 3]", MEM, 8, 0, X(1), X(2), 3, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsl #3]", MEM, 8, 0, X(1), X(2), 3, NULL },
	{ EM_AARCH64, "8@[x1, w2, sxtw 3]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsl 9]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[xzr]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[d0]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1]x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1 8]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, 8", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, 8]x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1,y]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x77]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, xzr]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2]x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, ls 3]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsr 3]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsl x]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@[x1, x2, lsl -1]", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@#5,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@x1y", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@xy", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@x0,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@x1.5", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@x31", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_AARCH64, "8@d0", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "-4@%r2", REG, -4, 0, R(2), -1, 0, NULL },
	{ EM_S390, "8@160(%r15)", MEM, 8, 160, R(15), -1, 0, NULL },
	{ EM_S390, "8@-8(%r1,%r2)", MEM, 8, -8, R(1), R(2), 0, NULL },
	{ EM_S390, "-4@42", CONST, -4, 42, -1, -1, 0, NULL },
	{ EM_S390, "8@%r16", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%r2,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%r", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%rx", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%r2x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160,", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160(%f0)", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160(%r1,%f0)", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160(%r1", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160(%r1)x", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@160(%r1,%r2", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_S390, "8@%f0", OTHER, 8, 0, -1, -1, 0, NULL },
	{ EM_RISCV, "8@a0", OTHER, 8, 0, -1, -1, 0, NULL },
};

TEST_ROWS(arguments, args)
{
	const char *text = args[_i].text;
	struct sdt_arg a;

	ck_assert_int_eq(sdt_arg_next(args[_i].machine, args[_i].machine != EM_386, &text, &a), 1);
	ck_assert_msg((int)a.kind == args[_i].kind, "%s: %d", args[_i].text, a.kind);
	ck_assert_int_eq(a.is_signed ? -(int)a.size : (int)a.size, args[_i].size);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(sdt_arg_next(args[_i].machine, true, &text, &(struct sdt_arg){ 0 }), 0);
	if (a.kind == SDT_ARG_OTHER) {
		ck_assert_ptr_nonnull(a.why);
		return;
	}
	ck_assert_int_eq(a.value, args[_i].value);
	if (args[_i].base >= 0)
		ck_assert_int_eq(a.base, args[_i].base);
	ck_assert_int_eq(a.has_index ? a.index : -1, args[_i].index);
	ck_assert_int_eq(a.shift, args[_i].shift);
	ck_assert_int_eq(a.symbol != NULL, args[_i].symbol != NULL);
	if (a.symbol) {
		ck_assert_uint_eq(a.symbol_len, strlen(args[_i].symbol));
		ck_assert(!memcmp(a.symbol, args[_i].symbol, a.symbol_len));
	}
}

TEST(several_arguments)
{
	const char *text = "  -4@%edi 8@-16(%rax, %rbx)  4@$7 ";
	struct sdt_arg a;

	ck_assert_int_eq(sdt_arg_next(EM_X86_64, true, &text, &a), 1);
	ck_assert_int_eq(a.base, DI);
	ck_assert_int_eq(sdt_arg_next(EM_X86_64, true, &text, &a), 1);
	ck_assert_int_eq(a.value, -16);
	ck_assert_int_eq(a.index, BX);
	ck_assert_int_eq(sdt_arg_next(EM_X86_64, true, &text, &a), 1);
	ck_assert_int_eq(a.value, 7);
	ck_assert_int_eq(sdt_arg_next(EM_X86_64, true, &text, &a), 0);
}

/* The kernel's struct on this machine is the one that we think it is. */
TEST(registers_of_this_machine)
{
#if defined(__x86_64__)
	ck_assert_uint_eq(offsetof(struct pt_regs, rax), AX);
	ck_assert_uint_eq(offsetof(struct pt_regs, rbx), BX);
	ck_assert_uint_eq(offsetof(struct pt_regs, rbp), BP);
	ck_assert_uint_eq(offsetof(struct pt_regs, rdi), DI);
	ck_assert_uint_eq(offsetof(struct pt_regs, r15), SLOT_X86(0));
	ck_assert_uint_eq(offsetof(struct pt_regs, r8), SLOT_X86(9));
	ck_assert_uint_eq(offsetof(struct pt_regs, rip), IP);
	ck_assert_uint_eq(offsetof(struct pt_regs, rsp), SP);
#elif defined(__aarch64__)
	ck_assert_uint_eq(offsetof(struct user_pt_regs, regs[30]), X(30));
	ck_assert_uint_eq(offsetof(struct user_pt_regs, sp), X(31));
	ck_assert_uint_eq(offsetof(struct user_pt_regs, pc), X(32));
#elif defined(__s390x__)
	ck_assert_uint_eq(offsetof(user_pt_regs, gprs[2]), R(2));
	ck_assert_uint_eq(offsetof(user_pt_regs, psw.addr), 16);
#else
	suite_skip("the registers of this machine are not known");
#endif
}
