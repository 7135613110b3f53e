// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parse the arguments of USDT probes, "-4@%eax 8@-8(%rbp)":
 *
 *	SIZE@OPERAND    SIZE: bytes, negative if signed; OPERAND: as the assembler writes it
 */
#include <ctype.h>
#include <errno.h>

#include "elf/exec/exec_internal.h"

/* A slice of the text. */
struct piece {
	const char *text;
	size_t len;
};

static const char not_understood[] = "unknown operand";
static const char in_vector[] = "it is in a register that BPF programs cannot read";

static struct piece piece_of(const char *text, const char *end)
{
	return (struct piece){ text, end - text };
}

static void skip_spaces(struct piece *p)
{
	for (; p->len && isspace((unsigned char)*p->text); p->text++)
		p->len--;
}

/* Consume @c if it comes next. Return true if it did. */
static bool take(struct piece *p, char c)
{
	skip_spaces(p);
	if (!p->len || *p->text != c)
		return false;
	p->text++;
	p->len--;
	return true;
}

static bool at_end(struct piece *p)
{
	skip_spaces(p);
	return !p->len;
}

/* Consume letters, digits, and the other characters of symbols. */
static struct piece take_word(struct piece *p)
{
	struct piece word;

	skip_spaces(p);
	word = (struct piece){ p->text, 0 };
	while (p->len && (isalnum((unsigned char)*p->text) || strchr("_.$@", *p->text))) {
		word.len++;
		p->text++;
		p->len--;
	}
	return word;
}

static unsigned int digit_of(char c)
{
	c |= 0x20;
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 255;
}

/* Consume "12" or "-0x10". Numbers have 64 bits; those above INT64_MAX are negative. */
static bool take_number(struct piece *p, int64_t *value)
{
	struct piece rest = *p, word;
	const bool negative = take(&rest, '-');
	unsigned int base = 10;
	uint64_t sum = 0;
	size_t i = 0;

	if (!negative)
		take(&rest, '+');
	word = take_word(&rest);
	if (word.len > 2 && word.text[0] == '0' && (word.text[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	}
	if (i == word.len)
		return false;
	for (; i < word.len; i++) {
		const unsigned int digit = digit_of(word.text[i]);

		if (digit >= base || sum > (UINT64_MAX - digit) / base)
			return false;
		sum = sum * base + digit;
	}
	*value = negative ? -sum : sum;
	*p = rest;
	return true;
}

static bool other(struct sdt_arg *arg, const char *why)
{
	arg->kind = SDT_ARG_OTHER;
	arg->why = why;
	return false;
}

/* Consume a register, with or without a '%'. */
static bool take_register(uint16_t machine, struct piece *p, uint16_t *offset, bool *zero)
{
	struct piece word;

	take(p, '%');
	word = take_word(p);
	return sdt_register(machine, word.text, word.len, offset, zero);
}

/* Consume "name", "name+8", "8+name": a sum of numbers with at most one name. */
static bool take_sum(struct piece *p, struct sdt_arg *arg)
{
	bool any = false;
	int64_t value;

	for (;;) {
		struct piece word;

		skip_spaces(p);
		if (!p->len || *p->text == '(' || *p->text == '%')
			return true;
		if (take_number(p, &value)) {
			arg->value = (int64_t)((uint64_t)arg->value + (uint64_t)value);
			any = true;
			continue;
		}
		if (any && !take(p, '+'))
			return false;
		word = take_word(p);
		if (!word.len || isdigit((unsigned char)word.text[0]) || arg->symbol)
			return false;
		arg->symbol = word.text;
		arg->symbol_len = word.len;
		any = true;
	}
}

/* Consume the rest of "(%rbp)", "(%rax,%rbx,4)" or "(,%rbx,8)". */
static bool take_address_x86(uint16_t machine, struct piece *p, struct sdt_arg *arg, bool *has_base)
{
	bool zero;
	int64_t scale = 1;

	*has_base = false;
	skip_spaces(p);
	if (p->len && *p->text != ',') {
		if (!take_register(machine, p, &arg->base, &zero))
			return false;
		*has_base = true;
	}
	if (take(p, ',')) {
		if (!take_register(machine, p, &arg->index, &zero))
			return false;
		arg->has_index = true;
		if (take(p, ',') && !take_number(p, &scale))
			return false;
	}
	while (1 << arg->shift < scale && arg->shift < 3)
		arg->shift++;
	return 1 << arg->shift == scale && take(p, ')') && at_end(p);
}

/*
 * The operand syntax of each machine. The functions return false for an operand that SDT_ARG_*
 * cannot express, and set why if they know the cause.
 */
static bool parse_x86(uint16_t machine, struct piece p, struct sdt_arg *arg)
{
	bool has_base = false, zero;
	struct piece word;

	if (take(&p, '$')) {
		arg->kind = SDT_ARG_CONST;
		if (take_number(&p, &arg->value) && at_end(&p))
			return true;
		return other(arg, "it is the address of a symbol");
	}
	if (take(&p, '%')) {
		word = take_word(&p);
		arg->kind = SDT_ARG_REGISTER;
		if (take(&p, ':'))
			return other(arg, "it is in a thread-local segment");
		if (!sdt_register(machine, word.text, word.len, &arg->base, &zero) || !at_end(&p))
			return other(arg, in_vector);
		return true;
	}
	arg->kind = SDT_ARG_MEMORY;
	if (!take_sum(&p, arg) ||
	    (take(&p, '(') && !take_address_x86(machine, &p, arg, &has_base)) || !at_end(&p))
		return false;
	if (!arg->symbol && (!has_base || arg->base == SDT_X86_IP))
		return other(arg, "it is at a fixed address");
	if (!arg->symbol)
		return true;
	/*
	 * A variable of the program. Its distance from the probe is the same at any load address.
	 */
	if (has_base && arg->base != SDT_X86_IP) {
		if (arg->has_index)
			return false;
		arg->index = arg->base;
		arg->has_index = true;
	}
	arg->base = SDT_X86_IP;
	return true;
}

/* "[x0]", "[sp, 12]", "[x0, x1, lsl 3]" */
static bool parse_memory_arm64(struct piece p, struct sdt_arg *arg)
{
	int64_t shift = 0;
	struct piece word;
	bool zero;

	arg->kind = SDT_ARG_MEMORY;
	if (!take_register(EM_AARCH64, &p, &arg->base, &zero) || zero)
		return false;
	if (take(&p, ']'))
		return at_end(&p);
	if (!take(&p, ','))
		return false;
	take(&p, '#');
	if (take_number(&p, &arg->value))
		return take(&p, ']') && at_end(&p);
	skip_spaces(&p);
	/* Only the low half of a w register counts, which SDT_ARG_MEMORY cannot express. */
	if (!p.len || *p.text != 'x' || !take_register(EM_AARCH64, &p, &arg->index, &zero) || zero)
		return false;
	arg->has_index = true;
	if (take(&p, ',')) {
		word = take_word(&p);
		take(&p, '#');
		if (word.len != 3 || memcmp(word.text, "lsl", 3) || !take_number(&p, &shift) ||
		    shift < 0 || shift > 4)
			return false;
	}
	arg->shift = shift;
	return take(&p, ']') && at_end(&p);
}

static bool parse_arm64(struct piece p, struct sdt_arg *arg)
{
	bool zero;

	if (take(&p, '['))
		return parse_memory_arm64(p, arg);
	arg->kind = SDT_ARG_CONST;
	take(&p, '#');
	if (take_number(&p, &arg->value))
		return at_end(&p);
	arg->kind = SDT_ARG_REGISTER;
	if (!take_register(EM_AARCH64, &p, &arg->base, &zero) || !at_end(&p))
		return other(arg, in_vector);
	if (zero)
		arg->kind = SDT_ARG_CONST;
	return true;
}

/* "%r2", "160(%r15)", "8(%r1,%r2)": displacement, index, base; "42" is a constant. */
static bool parse_s390(struct piece p, struct sdt_arg *arg)
{
	bool zero;

	skip_spaces(&p);
	if (p.len && *p.text == '%') {
		arg->kind = SDT_ARG_REGISTER;
		if (!take_register(EM_S390, &p, &arg->base, &zero) || !at_end(&p))
			return other(arg, in_vector);
		return true;
	}
	arg->kind = SDT_ARG_CONST;
	if (!take_number(&p, &arg->value))
		return false;
	if (at_end(&p))
		return true;
	arg->kind = SDT_ARG_MEMORY;
	if (!take(&p, '(') || !take_register(EM_S390, &p, &arg->base, &zero))
		return false;
	if (take(&p, ',')) {
		arg->has_index = true;
		if (!take_register(EM_S390, &p, &arg->index, &zero))
			return false;
	}
	return take(&p, ')') && at_end(&p);
}

/*
 * Parse "-4": the number of bytes, negative for signed numbers. A following 'f' means floating
 * point.
 */
static bool parse_size(struct piece p, struct sdt_arg *arg)
{
	int64_t size;

	if (p.len && (p.text[p.len - 1] | 0x20) == 'f')
		return other(arg, "it is a floating-point number");
	if (!take_number(&p, &size) || !at_end(&p))
		return other(arg, not_understood);
	arg->is_signed = size < 0;
	arg->size = size < 0 ? -size : size;
	if (size == 1 || size == 2 || size == 4 || size == 8 || size == -1 || size == -2 ||
	    size == -4 || size == -8)
		return true;
	arg->size = 8;
	return other(arg, "its size is not 1, 2, 4 or 8 bytes");
}

/* Consume one argument. Spaces separate arguments, but may also occur inside brackets. */
static struct piece take_argument(const char **text)
{
	const char *begin = *text, *p;
	unsigned int depth = 0;

	while (isspace((unsigned char)*begin))
		begin++;
	for (p = begin; *p && (depth || !isspace((unsigned char)*p)); p++) {
		if (*p == '(' || *p == '[')
			depth++;
		else if ((*p == ')' || *p == ']') && depth)
			depth--;
	}
	*text = p;
	return piece_of(begin, p);
}

int sdt_arg_next(uint16_t machine, bool is_64, const char **text, struct sdt_arg *arg)
{
	struct piece whole = take_argument(text), operand = whole;
	bool parsed;
	const char *at;

	*arg = (struct sdt_arg){ .size = is_64 ? 8 : 4 };
	if (!whole.len)
		return 0;
	/* Old compilers omitted the size, meaning that of a register. */
	at = memchr(whole.text, '@', whole.len);
	if (at && !parse_size(piece_of(whole.text, at), arg))
		return 1;
	if (at)
		operand = piece_of(at + 1, whole.text + whole.len);
	switch (machine) {
	case EM_386:
	case EM_X86_64:
		parsed = parse_x86(machine, operand, arg);
		break;
	case EM_AARCH64:
		parsed = parse_arm64(operand, arg);
		break;
	case EM_S390:
		parsed = parse_s390(operand, arg);
		break;
	default:
		parsed = other(arg, "registers of this machine are unknown");
	}
	if (!parsed && !arg->why)
		other(arg, not_understood);
	return 1;
}
