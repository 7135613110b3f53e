// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* perf's names of cache events: a cache, an operation (loads) and a result (misses). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "loader/core/event/steps.h"
#include "loader/events/grammar/events.h"

#define SPELLINGS 4

/* All spellings of one part of a name; pload prints the first. */
struct part {
	const char *names[SPELLINGS];
	unsigned int ops;	/* valid operations of a cache: 1 << PERF_COUNT_HW_CACHE_OP_* */
};

#define R (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define W (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define P (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const struct part caches[] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { "L1-dcache", "L1-d", "L1d", "L1-data" }, R | W | P },
	[PERF_COUNT_HW_CACHE_L1I] = { { "L1-icache", "L1-i", "L1i", "L1-instruction" }, R | P },
	[PERF_COUNT_HW_CACHE_LL] = { { "LLC", "L2" }, R | W | P },
	[PERF_COUNT_HW_CACHE_DTLB] = { { "dTLB", "d-TLB", "Data-TLB" }, R | W | P },
	[PERF_COUNT_HW_CACHE_ITLB] = { { "iTLB", "i-TLB", "Instruction-TLB" }, R },
	[PERF_COUNT_HW_CACHE_BPU] = { { "branch", "bpu", "btb", "bpc" }, R },
	[PERF_COUNT_HW_CACHE_NODE] = { { "node" }, R | W | P },
};

static const struct part ops[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read",
						"speculative-load" }, 0 },
};

static const struct part results[] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "reference", "ops", "access" }, 0 },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" }, 0 },
};

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The rest of a name, without its leading '-'. */
struct rest {
	const char *text;
	size_t len;
};

/* Return true if @rest starts with @name, followed by '-' or nothing. */
static bool begins(const struct rest *rest, const char *name)
{
	const size_t len = strlen(name);

	return len <= rest->len && strncasecmp(rest->text, name, len) == 0 &&
	       (len == rest->len || rest->text[len] == '-');
}

/* Strip the first part from @rest. Return: its row in @parts, or -1. */
static int take(struct rest *rest, const struct part *parts, unsigned int nr)
{
	for (unsigned int i = 0; rest->len && i < nr; i++)
		for (unsigned int k = 0; k < SPELLINGS && parts[i].names[k]; k++) {
			size_t len = strlen(parts[i].names[k]);

			if (!begins(rest, parts[i].names[k]))
				continue;
			len += len < rest->len && len + 1 < rest->len;
			rest->text += len;
			rest->len -= len;
			return i;
		}
	return -1;
}

int cache_name_config(const char *text, size_t len, uint64_t *config)
{
	struct rest rest = { text, len };
	int cache = take(&rest, caches, NR(caches)), op, result;

	if (cache < 0)
		return -EINVAL;
	/* Any order is valid. The defaults are loads and all accesses. */
	result = take(&rest, results, NR(results));
	op = take(&rest, ops, NR(ops));
	if (result < 0)
		result = take(&rest, results, NR(results));
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (rest.len || !(caches[cache].ops & 1u << op))
		return -EINVAL;
	*config = cache | (uint64_t)op << 8 | (uint64_t)result << 16;
	return 0;
}

bool cache_name_at(unsigned int i, char name[CACHE_NAME_MAX])
{
	for (unsigned int cache = 0; cache < NR(caches); cache++)
		for (unsigned int op = 0; op < NR(ops); op++)
			for (unsigned int miss = 0; miss < NR(results); miss++) {
				if (!(caches[cache].ops & 1u << op) || i--)
					continue;
				/* "loads", "load-misses" */
				snprintf(name, CACHE_NAME_MAX, "%s-%s%s", caches[cache].names[0],
					 ops[op].names[miss ? 0 : 1], miss ? "-misses" : "");
				return true;
			}
	return false;
}
