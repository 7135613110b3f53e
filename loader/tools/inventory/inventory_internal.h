/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that only the files of the inventory use: growing lists and describing link targets. */
#ifndef PLOAD_TOOLS_INVENTORY_INVENTORY_INTERNAL_H
#define PLOAD_TOOLS_INVENTORY_INVENTORY_INTERNAL_H

#include "loader/tools/inventory/inventory.h"

/**
 * inventory_grow() - Make room for one more element after the @nr elements of *@array.
 *
 * Return: the new element, zeroed, or NULL when there is no memory.
 */
void *inventory_grow(void *array, uint32_t nr, size_t size);

/**
 * inventory_add_unseen() - Record that @count objects of kind @what were not visible, and why.
 * @what: static.
 * @count: 0 when the number is unknown.
 *
 * Return: 0 or -ENOMEM.
 */
int inventory_add_unseen(struct inventory *a, const char *what, uint32_t count, const char *fmt,
			 ...) __attribute__((format(printf, 4, 5)));

/**
 * inventory_add_denied() - Find out why bpf(2) command @cmd, which requires CAP_SYS_ADMIN, is not
 * permitted, and record that nothing of @part (INVENTORY_*) was visible.
 * @code: -EPERM, -EACCES or -ENOSYS.
 *
 * Return: 0 or -ENOMEM.
 */
int inventory_add_denied(struct inventory *a, unsigned int part, const char *what, const char *call,
			 int cmd, int code);

/**
 * inventory_kind_of_name() - Translate the link text of a descriptor in /proc, such as
 *	"anon_inode:bpf-map".
 *
 * Return: true if it belongs to BPF.
 */
bool inventory_kind_of_name(const char *text, enum inventory_kind *kind);

/*
 * Each of these adds one field to a link target, or sets its text. target_string() copies @string;
 * without memory it sets inventory_target.no_memory.
 */
void target_number(struct inventory_target *t, const char *key, uint64_t number);
void target_signed(struct inventory_target *t, const char *key, int64_t number);
void target_hex(struct inventory_target *t, const char *key, uint64_t number);
void target_string(struct inventory_target *t, const char *key, const char *string);
void target_text(struct inventory_target *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** typedef target_fn - Describe the target of @link in @t. */
typedef void target_fn(struct inventory_names *names, const struct inventory_link *link,
		       struct inventory_target *t);

target_fn target_perf_event, target_raw_tracepoint, target_tracing, target_iter,
	target_kprobe_multi, target_uprobe_multi;		/* target_tracing.c */
target_fn target_cgroup, target_netns, target_netdev, target_map,
	target_netfilter;					/* target_network.c */

#endif
