// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The offsets of registers in the kernel's struct pt_regs, by assembler name. */
#include <stdlib.h>

#include "elf/exec/exec_internal.h"

/*
 * arch/x86/include/asm/ptrace.h: r15 first, 8 bytes each. Each register has names for its low 8, 4,
 * 2 and 1 bytes and for its second byte ("ah"). The names of r8 to r15 have suffixes.
 */
static const struct {
	char name[4][5];
	char high[3];
	uint8_t slot;
} x86[] = {
	{ { "rax", "eax", "ax", "al" }, "ah", 10 }, { { "rbx", "ebx", "bx", "bl" }, "bh", 5 },
	{ { "rcx", "ecx", "cx", "cl" }, "ch", 11 }, { { "rdx", "edx", "dx", "dl" }, "dh", 12 },
	{ { "rsi", "esi", "si", "sil" }, "", 13 },  { { "rdi", "edi", "di", "dil" }, "", 14 },
	{ { "rbp", "ebp", "bp", "bpl" }, "", 4 },   { { "rsp", "esp", "sp", "spl" }, "", 19 },
	{ { "rip", "eip", "ip", "" }, "", 16 },
};

static bool is(const char *name, size_t len, const char *word)
{
	return len && strlen(word) == len && !memcmp(name, word, len);
}

/*
 * Parse the "15" of "r15d", one or two digits. @behind: set to the number of digits. Return -1 if
 * there is none.
 */
static int number(const char *name, size_t len, size_t *behind)
{
	int value = 0;
	size_t i = 0;

	for (; i < len && i < 2 && name[i] >= '0' && name[i] <= '9'; i++)
		value = 10 * value + name[i] - '0';
	*behind = i;
	return i && !(i == 2 && name[0] == '0') ? value : -1;
}

static bool find_x86(const char *name, size_t len, uint16_t *offset)
{
	static const uint8_t slots[] = { 9, 8, 7, 6, 3, 2, 1, 0 };	/* r8 to r15 */
	size_t behind;
	int n;

	for (size_t i = 0; i < sizeof(x86) / sizeof(x86[0]); i++) {
		for (size_t k = 0; k < 4; k++) {
			if (!is(name, len, x86[i].name[k]))
				continue;
			*offset = x86[i].slot * 8;
			return true;
		}
		if (is(name, len, x86[i].high)) {
			*offset = x86[i].slot * 8 + 1;
			return true;
		}
	}
	if (len < 2 || name[0] != 'r')
		return false;
	n = number(name + 1, len - 1, &behind);
	behind++;
	if (n < 8 || n > 15 || len > behind + 1 ||
	    (len == behind + 1 && !strchr("dwb", name[behind])))
		return false;
	*offset = slots[n - 8] * 8;
	return true;
}

/* arch/arm64/include/uapi/asm/ptrace.h: regs[31], sp, pc. */
static bool find_arm64(const char *name, size_t len, uint16_t *offset, bool *zero)
{
	size_t behind;
	int n;

	*zero = is(name, len, "xzr") || is(name, len, "wzr");
	if (*zero)
		return true;
	if (is(name, len, "sp") || is(name, len, "wsp"))
		n = 31;
	else if (is(name, len, "pc"))
		n = 32;
	else if (is(name, len, "fp"))
		n = 29;
	else if (is(name, len, "lr"))
		n = 30;
	else if (len < 2 || (name[0] != 'x' && name[0] != 'w'))
		return false;
	else if ((n = number(name + 1, len - 1, &behind)) < 0 || n > 30 || behind != len - 1)
		return false;
	*offset = n * 8;
	return true;
}

/* arch/s390/include/asm/ptrace.h: args[1], psw of 16 bytes, gprs[16]. */
static bool find_s390(const char *name, size_t len, uint16_t *offset)
{
	size_t behind;
	int n;

	if (len < 2 || name[0] != 'r')
		return false;
	n = number(name + 1, len - 1, &behind);
	if (n < 0 || n > 15 || behind != len - 1)
		return false;
	*offset = 24 + n * 8;
	return true;
}

bool sdt_register(uint16_t machine, const char *name, size_t len, uint16_t *offset, bool *zero)
{
	*zero = false;
	if (machine == EM_AARCH64)
		return find_arm64(name, len, offset, zero);
	return machine == EM_S390 ? find_s390(name, len, offset) : find_x86(name, len, offset);
}
