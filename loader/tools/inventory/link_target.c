// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where a link is attached, in words: the table of types, and the small pieces that they share. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/sys/names.h"

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

/* --- fields --- */

static struct inventory_field *add(struct inventory_target *p, const char *key,
				   enum inventory_value kind)
{
	struct inventory_field *field = &p->fields[p->nr++];

	*field = (struct inventory_field){ .key = key, .kind = kind };
	return field;
}

void target_number(struct inventory_target *p, const char *key, uint64_t number)
{
	add(p, key, INVENTORY_NUMBER)->number = number;
}

void target_signed(struct inventory_target *p, const char *key, int64_t number)
{
	add(p, key, INVENTORY_SIGNED)->number = number;
}

void target_hex(struct inventory_target *p, const char *key, uint64_t number)
{
	add(p, key, INVENTORY_HEX)->number = number;
}

int target_string(struct inventory_target *p, const char *key, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	add(p, key, INVENTORY_TEXT)->text = copy;
	return 0;
}

int target_attach_type(struct inventory_target *p, uint32_t type)
{
	const char *name = sys_attach_type_name(type);

	if (name)
		return target_string(p, "attach_type", name);
	target_number(p, "attach_type", type);
	return 0;
}

void target_text(struct inventory_target *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->text, sizeof(p->text), fmt, ap);
	va_end(ap);
}

/* --- the table --- */

static const struct {
	uint32_t type;
	target_fn *fill;
} rows[] = {
	{ BPF_LINK_TYPE_RAW_TRACEPOINT, target_raw_tracepoint },
	{ BPF_LINK_TYPE_TRACING, target_tracing },
	{ BPF_LINK_TYPE_CGROUP, target_cgroup },
	{ BPF_LINK_TYPE_ITER, target_iter },
	{ BPF_LINK_TYPE_NETNS, target_netns },
	{ BPF_LINK_TYPE_XDP, target_xdp },
	{ BPF_LINK_TYPE_PERF_EVENT, target_perf_event },
	{ BPF_LINK_TYPE_KPROBE_MULTI, target_kprobe_multi },
	{ BPF_LINK_TYPE_STRUCT_OPS, target_struct_ops },
	{ BPF_LINK_TYPE_NETFILTER, target_netfilter },
	{ BPF_LINK_TYPE_TCX, target_tcx },
	{ BPF_LINK_TYPE_UPROBE_MULTI, target_uprobe_multi },
	{ BPF_LINK_TYPE_NETKIT, target_netkit },
	{ BPF_LINK_TYPE_SOCKMAP, target_sockmap },
	/* of BPF_LINK_TYPE_TRACING_MULTI struct bpf_link_info of Linux 6.18 knows nothing */
};

int inventory_target_read(struct inventory_names *names, const struct inventory_link *link,
			  struct inventory_target *target, struct error *err)
{
	int ret = 0;

	memset(target, 0, sizeof(*target));
	target->unknown = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == link->info.type) {
			target->unknown = false;
			ret = rows[i].fill(names, link, target);
		}
	return ret ? error_set(err, ENOMEM, "no memory for what a link is attached to") : 0;
}

void inventory_target_free(struct inventory_target *target)
{
	for (unsigned int i = 0; i < target->nr; i++)
		free(target->fields[i].text);
	memset(target, 0, sizeof(*target));
}
