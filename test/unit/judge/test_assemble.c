// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The assembler of the object language: each form of instruction, and each error. */
#include <stdio.h>

#include "elf/image.h"
#include "elf/insn/insn_text.h"
#include "test/judge/conformance/assemble.h"
#include "test/unit/common/suite.h"

/* As the verifier prints them, so that insn_text() gives the same text. */
static const char *const printed[] = {
	"exit", "goto pc+12", "goto pc-1", "gotol pc-70000", "gotox r1", "may_goto pc-3",
	"if r0 == 0x0 goto pc+1", "if r1 != 0xfffffff8 goto pc+1", "if r9 > r2 goto pc+32767",
	"if w3 s< 0xffffffff goto pc-2", "if w3 s>= w4 goto pc-32768", "if r3 & r4 goto pc+2",
	"if r3 <= 0x5 goto pc+2", "if r3 s> r4 goto pc+2", "if r3 < r4 goto pc+2",
	"if r3 s<= r4 goto pc+2", "if r3 >= r4 goto pc+2", "call pc-7", "callx r3", "r1 = -1",
	"r1 = 2147483647", "r1 = -2147483648", "w1 = 7", "r6 = r0", "w10 = w9", "r6 = (s8)r1",
	"r6 = (s32)r1", "w6 = (s16)w1", "r2 += -8", "r2 -= r3", "r2 *= r3", "r2 /= r3", "r2 %= r3",
	"w2 |= 5", "r2 &= r3", "r2 ^= r3", "r2 <<= 3", "r2 >>= r3", "w2 s>>= 3", "w2 = -w2",
	"r2 = -r2", "r2 = be16 r2", "r2 = le64 r2", "r2 = bswap32 r2", "r0 = *(u16 *)skb[12]",
	"r1 = *(u64 *)(r10 -8)", "r1 = *(u8 *)(r2 +255)", "r1 = *(s32 *)(r2 +4)",
	"r1 = *(s16 *)(r2 +4)", "*(u8 *)(r1 +0) = r2", "*(u32 *)(r10 -4) = -1",
	"lock *(u64 *)(r0 +0) += r1", "lock *(u32 *)(r0 +8) ^= r1",
};

/* The first instructions of @text. */
static struct bpf_insn *assembled(const char *text, size_t *nr)
{
	char object[256], error[256];
	struct elf_image image;
	struct bpf_insn *insns;
	size_t size;
	unsigned char *file;

	snprintf(object, sizeof(object), "section a\n%s", text);
	file = assemble(object, strlen(object), &size, error, sizeof(error));
	ck_assert_msg(file, "%s: %s", text, error);
	ck_assert_int_eq(elf_image_parse(&image, (struct bytes){ file, size }, NULL), 0);
	*nr = image.sections[1].size / sizeof(*insns);
	insns = malloc(image.sections[1].size);
	memcpy(insns, image.sections[1].data.data, image.sections[1].size);
	elf_image_free(&image);
	free(file);
	return insns;
}

TEST_ROWS(instructions_as_the_verifier_prints_them, printed)
{
	char text[INSN_TEXT_MAX];
	size_t nr;
	struct bpf_insn *insns = assembled(printed[_i], &nr);

	ck_assert_uint_eq(nr, 1);
	insn_text(text, insns, nr);
	ck_assert_str_eq(text, printed[_i]);
	free(insns);
}
END_TEST

/* Other spellings, and instructions that have none in the log; the code is that of the first. */
static const struct {
	const char *text;
	struct bpf_insn insn;
} forms[] = {
	{ " r1  =\t*( u32 * ) ( r2 + 4 )", { .code = 0x61, .dst_reg = 1, .src_reg = 2, .off = 4 } },
	{ "*(u64 *)(r10 - 8) = r1", { .code = 0x7b, .dst_reg = 10, .src_reg = 1, .off = -8 } },
	{ "*(u64 *)(r10) = 0xff", { .code = 0x7a, .dst_reg = 10, .imm = 0xff } },
	{ "if r1 == 5 goto +2", { .code = 0x15, .dst_reg = 1, .off = 2, .imm = 5 } },
	{ "goto 2", { .code = 0x05, .off = 2 } },
	{ "call 14", { .code = 0x85, .imm = 14 } },
	{ "call +2", { .code = 0x85, .src_reg = BPF_PSEUDO_CALL, .imm = 2 } },
	{ "call a", { .code = 0x85, .src_reg = BPF_PSEUDO_CALL, .imm = -1 } },
	{ "call \"a\" +5", { .code = 0x85, .src_reg = BPF_PSEUDO_CALL, .imm = 5 } },
	{ "r1 = &a", { .code = 0x18, .dst_reg = 1 } },
	{ "r1 = &a +8 # as a 'comment'", { .code = 0x18, .dst_reg = 1, .imm = 8 } },
	{ "r1 = 0x11223344ffffffff ll", { .code = 0x18, .dst_reg = 1, .imm = -1 } },
	{ "insn 0xff 15 14 -1 0xffffffff",
	  { .code = 0xff, .dst_reg = 15, .src_reg = 14, .off = -1, .imm = -1 } },
};

TEST_ROWS(instructions_of_other_spellings, forms)
{
	size_t nr;
	struct bpf_insn *insns = assembled(forms[_i].text, &nr);

	ck_assert_uint_eq(nr, insns[0].code == (BPF_LD | BPF_IMM | BPF_DW) ? 2 : 1);
	ck_assert_mem_eq(insns, &forms[_i].insn, sizeof(*insns));
	if (strstr(forms[_i].text, " ll"))
		ck_assert_int_eq(insns[1].imm, 0x11223344);
	free(insns);
}
END_TEST

static const struct {
	const char *text, *error;
} mistakes[] = {
	{ "sction a", "line 1: no item or instruction: sction a" },
	{ "section a\n\n# c\nr1 == 5", "line 4: no item or instruction: r1 == 5" },
	{ "section a\nr16 = 5", "line 2: no item or instruction: r16 = 5" },
	{ "section a\nrx = 5", "line 2: no item or instruction: rx = 5" },
	{ "section a\nr1 = 5 5", "line 2: no item or instruction: r1 = 5 5" },
	{ "section a\nr1 = 0x100000000", "line 2: 0x100000000 does not fit into 32 bits" },
	{ "section a\ngoto +65536", "line 2: 65536 does not fit into 16 bits" },
	{ "section a\nr1 = 18446744073709551616 ll",
	  "line 2: 18446744073709551616 does not fit into 64 bits" },
	{ "exit", "line 1: no section before this line" },
	{ "func a", "line 1: no section before this line" },
	{ "var a type=1", "line 1: no section before this line" },
	{ "map a type=1", "line 1: no section before this line" },
	{ "insn 1 1 1 1 1", "line 1: no section before this line" },
	{ "u8 1", "line 1: no section before this line" },
	{ "core 1 1 \"0\"", "line 1: no section before this line" },
	{ "line a b 1 1", "line 1: no section before this line" },
	{ "reloc 1 a", "line 1: no section before this line" },
	{ "section", "line 1: the name of the section is missing" },
	{ "section \"a", "line 1: a name without its closing quote" },
	{ "section a typ=1", "line 1: unknown key 'typ'" },
	{ "section a b", "line 1: unknown word 'b'" },
	{ "section a type=", "line 1: '' is not a number" },
	{ "section a type=0x", "line 1: '0x' is not a number" },
	{ "section a type=4294967296", "line 1: 4294967296 does not fit into 32 bits" },
	{ "section a\nu8 256", "line 2: 256 does not fit into 8 bits" },
	{ "section a\nu8 1 -129", "line 2: -129 does not fit into 8 bits" },
	{ "section a\nu16 &a", "line 2: '&a' is not a number" },
	{ "section a\nbytes 1", "line 2: '1' is not a byte of two digits" },
	{ "section a\nbytes 0g", "line 2: '0g' is not a byte of two digits" },
	{ "section .bss\nzero 4\nu8 1", "line 3: a nobits section has no bytes: only zero" },
	{ "section a\n\ncall b", "line 3: no symbol or section 'b'" },
	{ "section a\nreloc 1 .symtab", "line 2: no symbol or section '.symtab'" },
	{ "map t template type=1\nsection a\nr1 = &t", "line 3: no symbol or section 't'" },
	{ "section .maps\nmap a values=-,b\nmap b type=1",
	  "line 2: no map or function 'b' before this line" },
	{ "symbol a section=b", "line 1: 'b' is not a number" },
	{ "symbol a bind=b", "line 1: 'b' is not a number" },
	{ "shdr a sh_size=1", "line 1: no section 'a'" },
	{ "shdr 9 sh_size=1", "line 1: no section '9'" },
	{ "section a\n\nshdr a sh_link=index:b", "line 3: no section 'b'" },
	{ "shdr license sh_link=x", "line 1: 'x' is not a number" },
	{ "shdr license st_size=1", "line 1: unknown key 'st_size'" },
	{ "elf e_type=65536", "line 1: 65536 does not fit into 16 bits" },
	{ "sym 9999 st_size=1", "line 1: this is after the end of the file" },
	{ "btf header magic=1", "line 1: no section '.BTF'" },
	{ "[1] PTR 'a'\nbtf_ext header magic=1", "line 2: no section '.BTF.ext'" },
	{ "btf hdr_len=4", "line 1: unknown key 'hdr_len'" },
	{ "btf header size=23", "line 1: a header has 24 bytes at least" },
	{ "patch a 0 u32 1", "line 1: no section 'a'" },
	{ "patch license 0 u24 1", "line 1: 'u24' is not a number" },
	{ "patch license 9999 u8 1", "line 1: this is after the end of the file" },
	{ "patch license 0 u8 256", "line 1: 256 does not fit into 8 bits" },
	{ "no licence", "line 1: unknown word 'licence'" },
	{ "[2] PTR 'a'", "line 1: the id is [2]; the next type is [1]" },
	{ "[1] PTR", "line 1: the name is missing" },
	{ "[1] PRT 'a'", "line 1: unknown kind 'PRT'" },
	{ "[1] PTR 'a' size=1", "line 1: unknown key 'size'" },
	{ "[1] KIND 128 'a'", "line 1: 128 does not fit into 7 bits" },
	{ "'a' type_id=1", "line 1: a member after no type that has some" },
	{ "[1] PTR 'a'\n'a' type_id=1", "line 2: a member after no type that has some" },
	{ "[1] STRUCT 'a'\n'a' typ_id=1", "line 2: unknown key 'typ_id'" },
	{ "section a\ncore none 1 \"0\"", "line 2: 'none' is not a number" },
	{ "section a\nline a b 1 1024", "line 2: 1024 does not fit into 10 bits" },
};

TEST_ROWS(mistakes_are_named, mistakes)
{
	char error[256];
	size_t size;
	const char *text = mistakes[_i].text;
	unsigned char *file = assemble(text, strlen(text), &size, error, sizeof(error));

	ck_assert_ptr_null(file);
	ck_assert_str_eq(error, mistakes[_i].error);
}
END_TEST

TEST(nothing_but_an_elf_header)
{
	static const char text[] = "no license";
	char error[64];
	struct elf_image image;
	size_t size;
	unsigned char *file = assemble(text, strlen(text), &size, error, sizeof(error));

	ck_assert_int_eq(elf_image_parse(&image, (struct bytes){ file, size }, NULL), 0);
	ck_assert_uint_eq(image.nr_sections, 2);	/* null, .shstrtab */
	ck_assert_uint_eq(image.nr_symbols, 0);
	elf_image_free(&image);
	free(file);
}
END_TEST

/* The section of the license comes first, after the header of the file. */
TEST(patches_end_with_the_file)
{
	char text[64] = "", error[64];
	size_t size;
	unsigned char *file = assemble(text, 0, &size, error, sizeof(error));

	free(file);
	snprintf(text, sizeof(text), "patch license %zu u32 1", size - sizeof(struct elf64_hdr) - 3);
	ck_assert_ptr_null(assemble(text, strlen(text), &size, error, sizeof(error)));
	ck_assert_str_eq(error, "line 1: this is after the end of the file");
	snprintf(text, sizeof(text), "patch license %zu u32 1", size - sizeof(struct elf64_hdr) - 4);
	file = assemble(text, strlen(text), &size, error, sizeof(error));
	ck_assert_uint_eq(file[size - 4] + file[size - 1], 1);
	free(file);
}
END_TEST

/* The first wrong line is named in as many bytes as there are, and what is not in @len is not read. */
TEST(few_bytes_for_the_error)
{
	static const char text[] = "section a\nexit\nwrong";
	char error[8];
	size_t size;
	unsigned char *file = assemble(text, sizeof(text) - 1, &size, error, sizeof(error));

	ck_assert_ptr_null(file);
	ck_assert_str_eq(error, "line 3:");
	file = assemble(text, strlen("section a\nexit\n"), &size, error, sizeof(error));
	ck_assert_ptr_nonnull(file);
	free(file);
}
END_TEST
