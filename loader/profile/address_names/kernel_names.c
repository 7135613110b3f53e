// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Name kernel addresses through /proc/kallsyms, which lists functions of vmlinux, modules, BPF
 * programs and trampolines:
 *
 *	ffffffff81000000 T _text
 *	ffffffffc0001000 t ext4_init	[ext4]
 *	ffffffffc0300000 t bpf_prog_6deef7357e7b4530_hot	[bpf]
 */
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"
#include "loader/base/text/kallsyms.h"

#define TEXT_MAX (256u << 20)

/* No function is this long: an address further away belongs to no known function. */
#define FUNCTION_MAX (1u << 20)

/* Append a string. Return its offset; 0: no memory. */
static uint32_t add_text(struct kernel_names *k, const char *text)
{
	const size_t len = strlen(text) + 1;
	const uint32_t at = k->size ? k->size : 1;

	if (len > TEXT_MAX - at)
		return 0;
	if (k->room - at < len || !k->room) {
		const uint32_t room = 2 * (at + len);
		char *grown = realloc(k->text, room);

		if (!grown)
			return 0;
		k->text = grown;
		k->room = room;
		k->text[0] = '\0';
	}
	memcpy(k->text + at, text, len);
	k->size = at + len;
	return at;
}

/* The symbols of a module are adjacent and share its name. */
static bool add_module(struct kernel_names *k, const char *module, uint32_t *at)
{
	char text[80];

	*at = 0;
	if (!module[0])
		return true;
	snprintf(text, sizeof(text), "[%.70s]", module);
	if (!k->last_module || strcmp(k->text + k->last_module, text))
		k->last_module = add_text(k, text);
	*at = k->last_module;
	return *at;
}

int kernel_names_add(struct kernel_names *k, uint64_t address, const char *name,
		     const char *module)
{
	struct kernel_name added = { .address = address };
	struct kernel_name *grown = array_grow(k->list, k->nr, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	k->list = grown;
	added.name = add_module(k, module, &added.module) ? add_text(k, name) : 0;
	if (!added.name)
		return -ENOMEM;
	k->list[k->nr++] = added;
	k->is_sorted = false;
	return 0;
}

static int add_line(void *arg, const struct kernel_symbol *s)
{
	struct kernel_names *k = arg;

	if (!s->address || !kernel_symbol_is_code(s))
		return 0;
	k->has_kernel = true;
	return kernel_names_add(k, s->address, s->name, s->module);
}

/* find() returns the last name at an address, so sort the one reported last to the end. */
static int compare(const void *a, const void *b)
{
	const struct kernel_name *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void prepare(struct addresses *a)
{
	struct kernel_names *k = &a->kernel;
	struct kernel_symbols file;

	if (!k->is_read) {
		kernel_symbols_init(&file, a->sys);
		k->is_read = true;
		kernel_symbols_visit(&file, add_line, k, NULL);
	}
	if (k->nr && !k->is_sorted)
		qsort(k->list, k->nr, sizeof(*k->list), compare);
	k->is_sorted = true;
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
	if (!low || address - k->list[low - 1].address >= FUNCTION_MAX)
		return NULL;
	return &k->list[low - 1];
}

void kernel_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame)
{
	struct kernel_names *k = &a->kernel;
	const struct kernel_name *name;

	prepare(a);
	frame->file = "[kernel]";
	name = find(k, query->address - query->caller);
	if (name) {
		const char *text = k->text + name->name;

		frame->symbol = strings_keep(&a->strings, text, strlen(text));
		frame->offset = query->address - name->address;
		text = k->text + name->module;
		if (name->module)
			frame->file = strings_keep(&a->strings, text, strlen(text));
	} else if (!k->has_kernel) {
		frame->doubt = "the kernel hides its addresses: seeing them requires CAP_SYSLOG "
			       "and kernel.kptr_restrict below 2";
	}
}

void kernel_names_free(struct kernel_names *k)
{
	free(k->list);
	free(k->text);
}
