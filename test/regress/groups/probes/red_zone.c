// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A probe must leave the memory of the probed program unchanged, and so the red zone below the
 * stack pointer in which a leaf function of x86-64 keeps variables. Linux 6.18 writes a return
 * address and three registers there once it has replaced a probe on a nop of five bytes by a call.
 * See docs/findings.md.
 */
#include <inttypes.h>

#include "test/regress/common/happen.h"

#define WORDS 16	/* the red zone's 128 bytes: System V ABI, AMD64 supplement, 3.2.2 */
#define TIMES 20	/* the first ones are breakpoints still */

struct row {
	enum { NOP5, NOP10 } nop;
	enum happen_how how;
};

#if defined(__x86_64__)
/*
 * NAME(words): fill the red zone with 1 to 16, the last one nearest to the stack pointer; run over
 * the bytes at NAME_nop; and copy the red zone out.
 */
#define KEEPER(name, nop) \
	__asm__(".pushsection .text.red_zone,\"ax\",@progbits\n" \
		".balign 64\n" \
		#name ":\n" \
		".set word, 0\n" \
		".rept 16\n" \
		"	movq $(word + 1), (word * 8 - 128)(%rsp)\n" \
		"	.set word, word + 1\n" \
		".endr\n" \
		#name "_nop:\n" \
		"	.byte " nop "\n" \
		".set word, 0\n" \
		".rept 16\n" \
		"	movq (word * 8 - 128)(%rsp), %rax\n" \
		"	movq %rax, (word * 8)(%rdi)\n" \
		"	.set word, word + 1\n" \
		".endr\n" \
		"	ret\n" \
		".popsection"); \
	void name(uint64_t words[WORDS]); \
	extern const char name##_nop[]

KEEPER(red_zone_nop5, "0x0f, 0x1f, 0x44, 0x00, 0x00");
KEEPER(red_zone_nop10, "0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00");

static const struct keeper {
	void (*call)(uint64_t words[WORDS]);
	const void *nop;
} keepers[] = { { red_zone_nop5, red_zone_nop5_nop }, { red_zone_nop10, red_zone_nop10_nop } };

static bool is_kept(struct regress *t, const struct keeper *keeper, int run)
{
	uint64_t words[WORDS] = { 0 };

	keeper->call(words);
	for (int w = 0; w < WORDS; w++) {
		if (words[w] == (uint64_t)w + 1)
			continue;
		regress_note(t, "run %d: %d bytes below the stack pointer is %#" PRIx64
			     " and not %d", run, (WORDS - w) * 8, words[w], w + 1);
		return false;
	}
	return true;
}

static void test(struct regress *t)
{
	/* 6.18: "uprobes/x86: Add support to optimize uprobes", ba2bfc97b462. */
	static const struct regress_since nop5[] = {
		{ LINUX(0, 0), "kept" }, { LINUX(6, 18), "kept|overwritten" },
		{ LINUX(7, 2), "kept" },
	};
	static const struct regress_since nop10[] = { { LINUX(0, 0), "kept" } };
	const struct context_io io = { .answer = 1 };
	const struct row *row = t->data;
	struct regress_object o;
	struct happen h;
	bool kept = true;
	int runs = 0;

	regress_load(t, &o, "context", "kp_see");
	io_put(t, &o, &io);
	happen_open_uprobe(t, &h, row->how, keepers[row->nop].nop, false);
	happen_bind(&h, &o, "kp_see", 0);
	while (kept && runs < TIMES)
		kept = is_kept(t, &keepers[row->nop], ++runs);
	regress_expect(t, io_get(t, &o).runs == (uint64_t)runs, "%" PRIu64 " runs of %d",
		       (uint64_t)io_get(t, &o).runs, runs);
	happen_close(&h);
	regress_unload(t, &o);
	regress_answer(t, "", kept ? "kept" : "overwritten", row->nop == NOP5 ? nop5 : nop10,
		       row->nop == NOP5 ? NR(nop5) : NR(nop10));
}
#else
static void test(struct regress *t)
{
	regress_skip(t, "only x86-64 has a red zone");
}
#endif

static const struct row
	nop5_tracefs = { NOP5, BY_IOCTL }, nop5_pmu = { NOP5, BY_PMU },
	nop5_link = { NOP5, BY_PMU_LINK }, nop10_pmu = { NOP10, BY_PMU },
	nop10_link = { NOP10, BY_PMU_LINK };

static const struct regress_test tests[] = {
	{ "a uprobe of tracefs on a nop of five bytes", test, &nop5_tracefs, 0 },
	{ "a uprobe of its PMU on a nop of five bytes", test, &nop5_pmu, 0 },
	{ "a uprobe of its PMU on a nop of five bytes, by link", test, &nop5_link, 0 },
	{ "a uprobe of its PMU on a nop of ten bytes", test, &nop10_pmu, 0 },
	{ "a uprobe of its PMU on a nop of ten bytes, by link", test, &nop10_link, 0 },
	{ 0 }
};

const struct regress_group regress_group_red_zone = {
	"red_zone", "what a probed function keeps below its stack pointer stays as it is", tests,
	NULL, __FILE__
};
