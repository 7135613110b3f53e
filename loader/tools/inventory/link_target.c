// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe the target of a link: the table of link types, and functions to add texts and fields. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/base/text/names.h"

void inventory_names_init(struct inventory_names *names, struct sys *sys)
{
	*names = (struct inventory_names){ .sys = sys };
	kernel_types_init(&names->types, sys, NULL);
}

void inventory_names_free(struct inventory_names *names)
{
	kernel_types_free(&names->types);
}

const char *inventory_word(const char *name, const char *prefix, uint32_t number, char *buf,
			   size_t size)
{
	const size_t len = strlen(prefix);
	size_t n = 0;

	if (!name) {
		snprintf(buf, size, "%u", number);
		return buf;
	}
	if (!strncmp(name, prefix, len))
		name += len;
	for (; name[n] && n + 1 < size; n++)
		buf[n] = tolower((unsigned char)name[n]);
	buf[n] = '\0';
	return buf;
}

/* --- texts and fields --- */

static struct inventory_field *add(struct inventory_target *t, const char *key,
				   enum inventory_value kind)
{
	struct inventory_field *field = &t->fields[t->nr++];

	*field = (struct inventory_field){ .key = key, .kind = kind };
	return field;
}

void target_number(struct inventory_target *t, const char *key, uint64_t number)
{
	add(t, key, INVENTORY_NUMBER)->number = number;
}

void target_signed(struct inventory_target *t, const char *key, int64_t number)
{
	add(t, key, INVENTORY_SIGNED)->number = number;
}

void target_hex(struct inventory_target *t, const char *key, uint64_t number)
{
	add(t, key, INVENTORY_HEX)->number = number;
}

void target_string(struct inventory_target *t, const char *key, const char *string)
{
	char *copy = strdup(string);

	if (copy)
		add(t, key, INVENTORY_TEXT)->text = copy;
	else
		t->no_memory = true;
}

void target_text(struct inventory_target *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->text, sizeof(t->text), fmt, ap);
	va_end(ap);
}

/* --- the table --- */

#define AT(member) offsetof(struct bpf_link_info, member)

static const struct row {
	uint32_t type;
	target_fn *describe;
	uint16_t cookie, attach_type;	/* offsets in struct bpf_link_info; 0: none */
} rows[] = {
	{ BPF_LINK_TYPE_RAW_TRACEPOINT, target_raw_tracepoint, AT(raw_tracepoint.cookie), 0 },
	{ BPF_LINK_TYPE_TRACING, target_tracing, AT(tracing.cookie), AT(tracing.attach_type) },
	{ BPF_LINK_TYPE_CGROUP, target_cgroup, 0, AT(cgroup.attach_type) },
	{ BPF_LINK_TYPE_ITER, target_iter, 0, 0 },
	{ BPF_LINK_TYPE_NETNS, target_netns, 0, AT(netns.attach_type) },
	{ BPF_LINK_TYPE_XDP, target_netdev, 0, 0 },
	{ BPF_LINK_TYPE_PERF_EVENT, target_perf_event, 0, 0 },
	{ BPF_LINK_TYPE_KPROBE_MULTI, target_kprobe_multi, 0, 0 },
	{ BPF_LINK_TYPE_STRUCT_OPS, target_map, 0, 0 },
	{ BPF_LINK_TYPE_NETFILTER, target_netfilter, 0, 0 },
	{ BPF_LINK_TYPE_TCX, target_netdev, 0, AT(tcx.attach_type) },
	{ BPF_LINK_TYPE_UPROBE_MULTI, target_uprobe_multi, 0, 0 },
	{ BPF_LINK_TYPE_NETKIT, target_netdev, 0, AT(netkit.attach_type) },
	{ BPF_LINK_TYPE_SOCKMAP, target_map, 0, AT(sockmap.attach_type) },
	/* struct bpf_link_info of Linux 6.18 has no member for BPF_LINK_TYPE_TRACING_MULTI. */
};

static void describe(const struct row *row, struct inventory_names *names,
		     const struct inventory_link *link, struct inventory_target *t)
{
	const char *info = (const char *)&link->info, *name;
	uint32_t type;

	row->describe(names, link, t);
	if (row->cookie)
		memcpy(&t->cookie, info + row->cookie, sizeof(t->cookie));
	if (t->unknown || !row->attach_type)
		return;
	memcpy(&type, info + row->attach_type, sizeof(type));
	name = sys_attach_type_name(type);
	if (name)
		target_string(t, "attach_type", name);
	else
		target_number(t, "attach_type", type);
}

int inventory_target_read(struct inventory_names *names, const struct inventory_link *link,
			  struct inventory_target *target, struct error *err)
{
	memset(target, 0, sizeof(*target));
	target->unknown = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == link->info.type) {
			target->unknown = false;
			describe(&rows[i], names, link, target);
		}
	if (!target->no_memory)
		return 0;
	return error_set(err, ENOMEM, "no memory to describe the target of a link");
}

void inventory_target_free(struct inventory_target *target)
{
	for (unsigned int i = 0; i < target->nr; i++)
		free(target->fields[i].text);
	memset(target, 0, sizeof(*target));
}
