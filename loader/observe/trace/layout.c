// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * List the fields of union bpf_attr by command, and those of struct perf_event_attr. The trace
 * prints calls from the same tables: the compiler computed each offset from uapi/.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "loader/observe/trace/trace_call.h"
#include "loader/observe/trace/trace_bpf.h"

#define PERF_NAME "perf_event_attr"
#define FIELDS_MAX 128

struct layout {
	const char *group;
	unsigned int nr;
	struct attr_field fields[FIELDS_MAX];
};

static bool has(const struct layout *l, const struct trace_field *f)
{
	for (unsigned int i = 0; i < l->nr; i++)
		if (!strcmp(l->fields[i].name, f->name))
			return true;
	return false;
}

/* Add the fields that are not in the list yet: a result may also be an argument. */
static void add(struct layout *l, const struct trace_field *table, bool is_result)
{
	for (const struct trace_field *f = table; f && f->name && l->nr < FIELDS_MAX; f++)
		if (!has(l, f))
			l->fields[l->nr++] = (struct attr_field){
				.group = l->group, .name = f->name, .off = f->off,
				.bytes = f->width, .is_result = is_result,
			};
}

/* Add the bit fields. Adjacent bits with the same name are one field. */
static void add_bits(struct layout *l)
{
	for (unsigned int bit = 0, end; bit < 64 && l->nr < FIELDS_MAX; bit = end) {
		const char *name = trace_perf_bit(bit);

		for (end = bit + 1; name && end < 64 && trace_perf_bit(end) == name; end++)
			;
		if (name)
			l->fields[l->nr++] = (struct attr_field){
				.name = name, .off = TRACE_PERF_BITS, .bytes = sizeof(uint64_t),
				.bit = bit, .bits = end - bit,
			};
	}
}

static void add_perf(struct layout *l)
{
	for (unsigned int i = 0; trace_perf_table(i); i++)
		add(l, trace_perf_table(i), false);
	add_bits(l);
}

static void add_command(struct layout *l, unsigned int cmd)
{
	const struct trace_command *command = trace_command_find(cmd);

	l->group = command->group;
	add(l, command->args, false);
	for (unsigned int i = 0; cmd == BPF_LINK_CREATE && trace_link_table(i); i++)
		add(l, trace_link_table(i), false);
	add(l, command->result, true);
}

static int compare(const void *a, const void *b)
{
	const struct attr_field *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->bit != y->bit)
		return x->bit < y->bit ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Return the @i-th command that has fields, or -1. */
static int nth_command(unsigned int i)
{
	for (unsigned int cmd = 0; sys_cmd_name(cmd); cmd++)
		if (trace_command_find(cmd) && !i--)
			return cmd;
	return -1;
}

const char *attr_name(unsigned int i)
{
	const int cmd = nth_command(i);

	if (cmd >= 0)
		return sys_cmd_name(cmd);
	return !i || nth_command(i - 1) >= 0 ? PERF_NAME : NULL;
}

static bool fill(struct layout *l, const char *name)
{
	memset(l, 0, sizeof(*l));
	for (unsigned int i = 0; attr_name(i); i++) {
		if (strcmp(attr_name(i), name))
			continue;
		if (nth_command(i) >= 0)
			add_command(l, nth_command(i));
		else
			add_perf(l);
	}
	return l->nr;
}

unsigned int attr_each_field(const char *name,
			     void (*fn)(void *arg, const struct attr_field *field), void *arg)
{
	unsigned int size = 0;
	struct layout l;

	if (!fill(&l, name))
		return 0;
	qsort(l.fields, l.nr, sizeof(l.fields[0]), compare);
	for (unsigned int i = 0; i < l.nr; i++) {
		if (l.fields[i].off + l.fields[i].bytes > size)
			size = l.fields[i].off + l.fields[i].bytes;
		if (fn)
			fn(arg, &l.fields[i]);
	}
	return size;
}
