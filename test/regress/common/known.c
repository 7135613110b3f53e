// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Functions at known addresses, made of known instructions and compiled with frame pointers
 * (regress.mk).
 */
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/known.h"

#if defined(__clang__)
#define KNOWN(name) __attribute__((noinline, section("known_fn_" #name)))
#else
#define KNOWN(name) __attribute__((noinline, noclone, section("known_fn_" #name)))
#endif

/* This instruction follows a call and prevents a tail call: each function returns to its caller. */
#define HERE() __asm__ volatile("nop" ::: "memory")

#define LABEL ".globl known_store_at\nknown_store_at:\n\t"
#if defined(__x86_64__)
#define STORE LABEL "movq %1, %0"
#elif defined(__aarch64__)
#define STORE LABEL "str %1, %0"
#elif defined(__s390x__)
#define STORE LABEL "stg %1, %0"
#endif

bool known_within(struct known_range range, uint64_t address)
{
	return address >= range.low && address <= range.high;
}

KNOWN(store) void known_store(volatile uint64_t *at)
{
#if defined(__s390x__)
	__asm__ volatile(STORE : "=T"(*at) : "d"(1UL) : "memory");
#else
	__asm__ volatile(STORE : "=m"(*at) : "r"(1UL) : "memory");
#endif
	HERE();
}

void known_ready(void)
{
	uint64_t here;

	known_store(&here);
}

KNOWN(spin) void known_spin(uint64_t rounds)
{
	while (rounds--)
		__asm__ volatile("" ::: "memory");
}

KNOWN(six) unsigned long known_six(unsigned long a, unsigned long b, unsigned long c,
				   unsigned long d, unsigned long e, unsigned long f)
{
	HERE();
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

KNOWN(inner) static void known_inner(void (*leaf)(void *arg), void *arg)
{
	leaf(arg);
	HERE();
}

KNOWN(middle) static void known_middle(void (*leaf)(void *arg), void *arg)
{
	known_inner(leaf, arg);
	HERE();
}

KNOWN(outer) void known_outer(void (*leaf)(void *arg), void *arg)
{
	known_middle(leaf, arg);
	HERE();
}

KNOWN(left) void known_left(void (*leaf)(void *arg), void *arg)
{
	known_inner(leaf, arg);
	HERE();
}

KNOWN(right) void known_right(void (*leaf)(void *arg), void *arg)
{
	known_inner(leaf, arg);
	HERE();
}

KNOWN(touch) void known_touch(void *page)
{
	known_store(page);
	HERE();
}

KNOWN(ask) void known_ask(void *unused)
{
	(void)unused;
	getppid();
	HERE();
}

KNOWN(deep) void known_deep(unsigned int depth, volatile uint64_t *page)
{
	if (depth)
		known_deep(depth - 1, page);
	else
		known_store(page);
	HERE();
}

/*
 * On s390x these programs have back chains instead of frame pointers; its kernels follow them from
 * Linux 5.x or 6.x on.
 */
bool known_unwinds(void)
{
#if defined(__s390x__)
	return false;
#else
	return true;
#endif
}

struct looking {
	uint64_t address, offset;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct looking *l = arg;
	const uint64_t address = l->address - info->dlpi_addr;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz)
			l->offset = address - p->p_vaddr + p->p_offset;
	}
	return 1;	/* the first one is this program */
}

uint64_t known_offset(const void *address)
{
	struct looking l = { (uintptr_t)address, 0 };

	dl_iterate_phdr(find_segment, &l);
	return l.offset;
}

struct build_id {
	uint8_t *bytes;
	bool found;
};

static int find_build_id(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct build_id *id = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
		const char *end = at + p->p_memsz;

		if (p->p_type != PT_NOTE)
			continue;
		while (at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *n = (const void *)at;
			const char *desc = at + sizeof(*n) + ((n->n_namesz + 3) & ~3U);

			if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
			    n->n_descsz == KNOWN_BUILD_ID && !memcmp(at + sizeof(*n), "GNU", 4)) {
				memcpy(id->bytes, desc, KNOWN_BUILD_ID);
				id->found = true;
			}
			at = desc + ((n->n_descsz + 3) & ~3U);
		}
	}
	return 1;
}

bool known_build_id(uint8_t bytes[KNOWN_BUILD_ID])
{
	struct build_id id = { bytes, false };

	dl_iterate_phdr(find_build_id, &id);
	return id.found;
}
