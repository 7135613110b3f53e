// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Name addresses of the kernel by /proc/kallsyms, which has the functions of vmlinux, of modules,
 * of BPF programs and of trampolines:
 *
 *	ffffffff81000000 T _text
 *	ffffffffc0001000 t ext4_init	[ext4]
 *	ffffffffc0300000 t bpf_prog_6deef7357e7b4530_hot	[bpf]
 */
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/features/addresses/addresses_internal.h"
#include "loader/sys/more/kallsyms.h"

static int add_line(void *arg, const struct kernel_symbol *s)
{
	struct addresses *a = arg;
	struct kernel_names *k = &a->kernel;
	struct kernel_name *grown, name = { .address = s->address };

	if (!s->address || !kernel_symbol_is_code(s))
		return 0;
	grown = array_grow(k->list, k->nr, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	k->list = grown;
	name.name = strings_keep(&a->strings, s->name, strlen(s->name));
	if (s->module[0])
		name.module = strings_format(&a->strings, "[%s]", s->module);
	if (!name.name || (s->module[0] && !name.module))
		return -ENOMEM;
	k->list[k->nr++] = name;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct kernel_name *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void read_names(struct addresses *a)
{
	struct kernel_names *k = &a->kernel;
	struct kernel_symbols file;

	kernel_symbols_init(&file, a->sys);
	k->is_read = true;
	kernel_symbols_visit(&file, add_line, a, NULL);
	k->is_hidden = !k->nr;
	qsort(k->list, k->nr, sizeof(*k->list), by_address);
}

/* Return the last name at or below @address, or NULL. */
static const struct kernel_name *find(const struct kernel_names *k, uint64_t address)
{
	uint32_t low = 0, high = k->nr;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (k->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &k->list[low - 1] : NULL;
}

void kernel_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame)
{
	const struct kernel_name *name;

	if (!a->kernel.is_read)
		read_names(a);
	frame->file = "[kernel]";
	if (a->kernel.is_hidden) {
		frame->doubt = "the kernel hides its addresses: this takes CAP_SYSLOG, and "
			       "kernel.kptr_restrict below 2";
		return;
	}
	name = find(&a->kernel, query->address - query->caller);
	if (!name)
		return;
	frame->symbol = name->name;
	frame->offset = query->address - name->address;
	if (name->module)
		frame->file = name->module;
}
