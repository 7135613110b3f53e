// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPU lists as the kernel writes them in sysfs and users write them in options: "0-3,5". */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/sys/cpus.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/read.h"

/* The largest possible CONFIG_NR_CPUS (arch/x86/Kconfig, MAXSMP). */
#define CPU_MAX 8192u
#define WORD_BITS 64

/* One bit per CPU, which sorts the list and removes duplicates. */
struct cpu_bits {
	uint64_t word[CPU_MAX / WORD_BITS + 1];
	unsigned int nr;	/* number of bits set */
};

static void set_cpu(struct cpu_bits *bits, unsigned int cpu)
{
	uint64_t *word = &bits->word[cpu / WORD_BITS];
	const uint64_t bit = UINT64_C(1) << cpu % WORD_BITS;

	bits->nr += !(*word & bit);
	*word |= bit;
}

static int take_cpu(const char **text, unsigned int *cpu)
{
	const char *start = *text;

	for (*cpu = 0; **text >= '0' && **text <= '9'; (*text)++) {
		*cpu = *cpu * 10 + (**text - '0');
		if (*cpu > CPU_MAX)
			return -ERANGE;
	}
	return *text == start ? -EINVAL : 0;
}

/* "3" or "0-3" */
static int take_range(const char **text, struct cpu_bits *bits)
{
	unsigned int first, last;
	int ret = take_cpu(text, &first);

	if (ret)
		return ret;
	last = first;
	if (**text == '-') {
		(*text)++;
		ret = take_cpu(text, &last);
		if (ret)
			return ret;
	}
	if (last < first)
		return -EINVAL;
	for (unsigned int cpu = first; cpu <= last; cpu++)
		set_cpu(bits, cpu);
	return 0;
}

static int bits_to_list(const struct cpu_bits *bits, struct cpu_list *list, struct error *err)
{
	list->cpus = malloc(bits->nr * sizeof(list->cpus[0]));
	if (!list->cpus)
		return error_set(err, ENOMEM, "no memory for a list of %u CPUs", bits->nr);
	for (unsigned int cpu = 0; list->nr < bits->nr; cpu++)
		if (bits->word[cpu / WORD_BITS] >> cpu % WORD_BITS & 1)
			list->cpus[list->nr++] = cpu;
	return 0;
}

int cpu_list_parse(struct cpu_list *list, const char *text, struct error *err)
{
	struct cpu_bits bits = { 0 };
	const char *p = text;
	int ret;

	memset(list, 0, sizeof(*list));
	for (;;) {
		ret = take_range(&p, &bits);
		if (ret || *p == '\0')
			break;
		if (*p++ != ',') {
			ret = -EINVAL;
			break;
		}
	}
	if (ret == 0)
		return bits_to_list(&bits, list, err);
	if (ret == -ERANGE)
		error_set(err, EINVAL, "a CPU above %u in '%.64s'", CPU_MAX, text);
	else
		error_set(err, EINVAL, "'%.64s' is not a CPU list", text);
	error_hint(err, "write numbers and ranges, separated by commas: 0-3,5");
	error_reason(err, "cpu/grammar");
	return -EINVAL;
}

void cpu_list_free(struct cpu_list *list)
{
	free(list->cpus);
	memset(list, 0, sizeof(*list));
}

bool cpu_list_has(const struct cpu_list *list, int cpu)
{
	unsigned int low = 0, high = list->nr;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (list->cpus[middle] == cpu)
			return true;
		if (list->cpus[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const char *cpu_list_text(const struct cpu_list *list, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0, end; i < list->nr && len < size; i = end) {
		for (end = i + 1; end < list->nr && list->cpus[end] == list->cpus[end - 1] + 1;
		     end++)
			;
		len += snprintf(buf + len, size - len, "%s%d", i ? "," : "", list->cpus[i]);
		if (end - i > 1 && len < size)
			len += snprintf(buf + len, size - len, "-%d", list->cpus[end - 1]);
	}
	return buf;
}

int cpu_list_read(struct sys *sys, const char *which, struct cpu_list *list, struct error *err)
{
	char path[64], text[4096];
	int ret;

	memset(list, 0, sizeof(*list));
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", which);
	ret = sys_read_text(sys, AT_FDCWD, path, text, sizeof(text));
	if (ret == -ENOENT && sys_lacks(sys, "/sys/devices")) {
		error_set(err, ENOENT,
			  "sysfs is not mounted at /sys, so the CPUs are unknown");
		error_hint(err, "pload reads the CPU list from sysfs: mount -t sysfs sysfs /sys");
		error_reason(err, "cpu/no-sysfs");
	} else if (ret < 0) {
		error_set(err, -ret, "cannot be read: %s", error_strerror(-ret));
		if (!own_limit_failed(sys, -ret, "pload/fd-limit", err))
			error_reason(err, "cpu/no-sysfs");
	} else {
		ret = cpu_list_parse(list, text, err);
	}
	if (ret < 0)
		error_where(err, "%s", path);
	return ret < 0 ? ret : 0;
}
