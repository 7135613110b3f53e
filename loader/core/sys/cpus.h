/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPU lists as the kernel writes them in sysfs and users write them in options: "0-3,5". */
#ifndef PLOAD_CORE_SYS_CPUS_H
#define PLOAD_CORE_SYS_CPUS_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

struct cpu_list {
	int *cpus;		/* owned, ascending, no duplicates */
	unsigned int nr;
};

/**
 * cpu_list_parse() - Parse "0-3,5" into @list, with CPU numbers up to 8192.
 * cpu_list_read() - Read a list from /sys/devices/system/cpu; @which is "online" or "possible".
 *
 * Both overwrite @list, which stays empty on failure. Free it with cpu_list_free().
 * Return: 0 or
 * -errno ("cpu/grammar", "cpu/no-sysfs").
 */
int cpu_list_parse(struct cpu_list *list, const char *text, struct error *err);
int cpu_list_read(struct sys *sys, const char *which, struct cpu_list *list, struct error *err);
void cpu_list_free(struct cpu_list *list);

bool cpu_list_has(const struct cpu_list *list, int cpu);

/** cpu_list_text() - Format the list as "0-3,5" into @buf, truncated to @size. Return: @buf. */
const char *cpu_list_text(const struct cpu_list *list, char *buf, size_t size);

#endif
