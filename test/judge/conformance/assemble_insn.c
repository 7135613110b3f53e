// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The instructions of the object language. Each is a form: its letters match themselves, blanks
 * may be between words, and capitals stand for
 *
 *	D S	the number of a register	T Y	u8 to u64, s8 to s64
 *	A	an operation of ALU		J	a comparison of JMP
 *	I L	imm of 32 or 64 bits		R	imm with a sign: "+2", "pc+2"
 *	O	off: "+2", "pc+2"		M P	imm or off with a sign, or nothing
 *	N	the name of a symbol
 */
#include <ctype.h>
#include <linux/bpf.h>
#include <stdio.h>

#include "test/judge/conformance/assemble_internal.h"

struct matched {
	struct bpf_insn insn;
	uint32_t high;	/* of the number, for the second half of ldimm64 */
	const char *name;
};

static const struct form {
	const char *text;
	uint8_t code;
} forms[] = {
	{ "exit", BPF_JMP | BPF_EXIT },
	{ "goto O", BPF_JMP | BPF_JA },
	{ "gotol R", BPF_JMP32 | BPF_JA },
	{ "gotox rD", BPF_JMP | BPF_JA | BPF_X },
	{ "may_goto O", BPF_JMP | BPF_JCOND },
	{ "if rD J rS goto O", BPF_JMP | BPF_X },
	{ "if rD J I goto O", BPF_JMP | BPF_K },
	{ "if wD J wS goto O", BPF_JMP32 | BPF_X },
	{ "if wD J I goto O", BPF_JMP32 | BPF_K },
	{ "call R", BPF_JMP | BPF_CALL },
	{ "call I", BPF_JMP | BPF_CALL },
	{ "callx rD", BPF_JMP | BPF_CALL | BPF_X },
	{ "call NM", BPF_JMP | BPF_CALL },
	{ "rD = &NM", BPF_LD | BPF_IMM | BPF_DW },
	{ "rD = L ll", BPF_LD | BPF_IMM | BPF_DW },
	{ "rD = *(T *)(rSP)", BPF_LDX | BPF_MEM },
	{ "rD = *(Y *)(rSP)", BPF_LDX | BPF_MEMSX },
	{ "r0 = *(T *)skb[I]", BPF_LD | BPF_ABS },
	{ "*(T *)(rDP) = rS", BPF_STX | BPF_MEM },
	{ "*(T *)(rDP) = I", BPF_ST | BPF_MEM },
	{ "lock *(T *)(rDP) A rS", BPF_STX | BPF_ATOMIC },
	{ "rD = -rD", BPF_ALU64 | BPF_NEG },
	{ "wD = -wD", BPF_ALU | BPF_NEG },
	{ "rD = leI rD", BPF_ALU | BPF_END | BPF_TO_LE },
	{ "rD = beI rD", BPF_ALU | BPF_END | BPF_TO_BE },
	{ "rD = bswapI rD", BPF_ALU64 | BPF_END },
	{ "rD = (sO)rS", BPF_ALU64 | BPF_MOV | BPF_X },
	{ "wD = (sO)wS", BPF_ALU | BPF_MOV | BPF_X },
	{ "rD A rS", BPF_ALU64 | BPF_X },
	{ "rD A I", BPF_ALU64 | BPF_K },
	{ "wD A wS", BPF_ALU | BPF_X },
	{ "wD A I", BPF_ALU | BPF_K },
};

/* Longer ones first where one begins with another. */
static const struct name alu_ops[] = {
	{ "s>>=", BPF_ARSH }, { "<<=", BPF_LSH }, { ">>=", BPF_RSH }, { "+=", BPF_ADD },
	{ "-=", BPF_SUB }, { "*=", BPF_MUL }, { "/=", BPF_DIV }, { "|=", BPF_OR },
	{ "&=", BPF_AND }, { "%=", BPF_MOD }, { "^=", BPF_XOR }, { "=", BPF_MOV }, { NULL, 0 },
};

static const struct name jump_ops[] = {
	{ "s>=", BPF_JSGE }, { "s<=", BPF_JSLE }, { "s>", BPF_JSGT }, { "s<", BPF_JSLT },
	{ "==", BPF_JEQ }, { "!=", BPF_JNE }, { ">=", BPF_JGE }, { "<=", BPF_JLE },
	{ ">", BPF_JGT }, { "<", BPF_JLT }, { "&", BPF_JSET }, { NULL, 0 },
};

static const struct name types[] = {
	{ "u8", BPF_B }, { "u16", BPF_H }, { "u32", BPF_W }, { "u64", BPF_DW }, { NULL, 0 },
};

static const struct name signed_types[] = {
	{ "s8", BPF_B }, { "s16", BPF_H }, { "s32", BPF_W }, { "s64", BPF_DW }, { NULL, 0 },
};

/* Move @at past the name of @names that is there. Return NULL if none is. */
static const struct name *match_name(const struct name *names, char **at)
{
	for (; names->name; names++) {
		if (!strncmp(*at, names->name, strlen(names->name))) {
			*at += strlen(names->name);
			return names;
		}
	}
	return NULL;
}

/* Move @at past a number: "5", "-0x10", "+ 4". @signs: the number begins with a sign. */
static bool match_number(struct assembler *a, char **at, unsigned int bits, bool signs,
			 uint64_t *value)
{
	char digits[40], *from = *at;
	size_t len = 0;

	if (signs && *from != '+' && *from != '-')
		return false;
	if (*from == '-')
		digits[len++] = '-';
	from += *from == '+' || *from == '-';
	from += strspn(from, " \t");
	if (!isdigit((unsigned char)*from))
		return false;
	while (isalnum((unsigned char)*from) && len < sizeof(digits) - 1)
		digits[len++] = *from++;
	digits[len] = 0;
	*at = from;
	*value = number(a, digits, bits);
	return true;
}

static bool match_register(char **at, bool is_dst, struct matched *m)
{
	unsigned long value;

	if (!isdigit((unsigned char)**at))
		return false;
	value = strtoul(*at, at, 10);
	if (is_dst)
		m->insn.dst_reg = value;
	else
		m->insn.src_reg = value;
	return value < 16;
}

/* Match a number for the capital @what, of which M and P may be missing. */
static bool match_immediate(struct assembler *a, char what, char **at, struct matched *m)
{
	const bool is_off = what == 'O' || what == 'P', optional = what == 'M' || what == 'P';
	uint64_t value;

	*at += strspn(*at, " \t");
	if ((what == 'O' || what == 'R') && !strncmp(*at, "pc", 2))
		*at += 2;
	if (!match_number(a, at, what == 'L' ? 64 : is_off ? 16 : 32, optional || what == 'R',
			  &value))
		return optional;
	if (is_off)
		m->insn.off = value;
	else
		m->insn.imm = value;
	m->high = value >> 32;
	return true;
}

/* Match the capital @what at @at, and put it where it belongs in @m. */
static bool match_part(struct assembler *a, char what, char **at, struct matched *m)
{
	const struct name *found;

	if (what == 'D' || what == 'S')
		return match_register(at, what == 'D', m);
	if (strchr("ILRMOP", what))
		return match_immediate(a, what, at, m);
	if (what == 'N')
		return (m->name = quoted(a, at, NULL))[0];
	found = match_name(what == 'A' ? alu_ops : what == 'J' ? jump_ops :
			   what == 'T' ? types : signed_types, at);
	if (found && what == 'A' && BPF_CLASS(m->insn.code) == BPF_STX)
		m->insn.imm = found->number;	/* atomic */
	else if (found)
		m->insn.code |= found->number;
	return found;
}

/* A call with a name or a distance is one of a function of the object. */
static bool match(struct assembler *a, const struct form *form, char *text, struct matched *m)
{
	*m = (struct matched){ .insn.code = form->code };
	if (form->code == (BPF_JMP | BPF_CALL) && strpbrk(form->text, "NR")) {
		m->insn.src_reg = BPF_PSEUDO_CALL;
		m->insn.imm = -1;
	}
	for (const char *f = form->text; *f; f++) {
		if (f == form->text || !isalnum((unsigned char)f[-1]) ||
		    !isalnum((unsigned char)*f))
			text += strspn(text, " \t");
		if (isupper((unsigned char)*f) ? !match_part(a, *f, &text, m) :
		    *f != ' ' && *text++ != *f)
			return false;
	}
	return !text[strspn(text, " \t\r")];
}

/* The addend is in imm, or in the relocation: then that of a call counts bytes from the symbol. */
static void refer(struct assembler *a, struct matched *m)
{
	const bool is_call = m->insn.code == (BPF_JMP | BPF_CALL);
	const int64_t addend = is_call ? 8 * (m->insn.imm + 1ll) : m->insn.imm;

	add_reference(a, a->section, a->last, is_call ? R_BPF_64_32 : R_BPF_64_64, m->name);
	if (!a->elf.rela)
		return;
	a->references[a->nr_references - 1].addend = addend;
	m->insn.imm = 0;
}

bool assemble_insn(struct assembler *a, char *text)
{
	struct matched m;
	const struct bpf_insn *insn = &m.insn;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!match(a, &forms[i], text, &m))
			continue;
		a->last = here(a);
		if (failed(a))
			return true;
		if (m.name)
			refer(a, &m);
		eb_insn(&a->elf, a->section, insn->code, insn->dst_reg, insn->src_reg, insn->off,
			insn->imm);
		if (insn->code == (BPF_LD | BPF_IMM | BPF_DW))
			eb_insn(&a->elf, a->section, 0, 0, 0, 0, m.high);
		return true;
	}
	return false;
}
