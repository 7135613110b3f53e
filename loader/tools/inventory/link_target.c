// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where a link is attached, in words: the table of types, and the small pieces that they share. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inventory/link_target.h"
#include "loader/sys/names.h"

void attached_names_init(struct attached_names *names, struct sys *sys)
{
	*names = (struct attached_names){ .sys = sys };
	kernel_types_init(&names->types, sys, NULL);
}

void attached_names_free(struct attached_names *names)
{
	kernel_types_free(&names->types);
}

const char *attached_word(const char *name, const char *prefix, uint32_t number, char *buf,
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

static struct attached_field *add(struct attached_place *p, const char *key,
				  enum attached_value kind)
{
	struct attached_field *field = &p->fields[p->nr++];

	*field = (struct attached_field){ .key = key, .kind = kind };
	return field;
}

void place_number(struct attached_place *p, const char *key, uint64_t number)
{
	add(p, key, ATTACHED_NUMBER)->number = number;
}

void place_signed(struct attached_place *p, const char *key, int64_t number)
{
	add(p, key, ATTACHED_SIGNED)->number = number;
}

void place_hex(struct attached_place *p, const char *key, uint64_t number)
{
	add(p, key, ATTACHED_HEX)->number = number;
}

int place_text(struct attached_place *p, const char *key, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	add(p, key, ATTACHED_TEXT)->text = copy;
	return 0;
}

int place_attach_type(struct attached_place *p, uint32_t type)
{
	const char *name = sys_attach_type_name(type);

	if (name)
		return place_text(p, "attach_type", name);
	place_number(p, "attach_type", type);
	return 0;
}

void place_where(struct attached_place *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->where, sizeof(p->where), fmt, ap);
	va_end(ap);
}

/* --- the table --- */

static const struct {
	uint32_t type;
	place_fn *fill;
} rows[] = {
	{ BPF_LINK_TYPE_RAW_TRACEPOINT, place_raw_tracepoint },
	{ BPF_LINK_TYPE_TRACING, place_tracing },
	{ BPF_LINK_TYPE_CGROUP, place_cgroup },
	{ BPF_LINK_TYPE_ITER, place_iter },
	{ BPF_LINK_TYPE_NETNS, place_netns },
	{ BPF_LINK_TYPE_XDP, place_xdp },
	{ BPF_LINK_TYPE_PERF_EVENT, place_perf_event },
	{ BPF_LINK_TYPE_KPROBE_MULTI, place_kprobe_multi },
	{ BPF_LINK_TYPE_STRUCT_OPS, place_struct_ops },
	{ BPF_LINK_TYPE_NETFILTER, place_netfilter },
	{ BPF_LINK_TYPE_TCX, place_tcx },
	{ BPF_LINK_TYPE_UPROBE_MULTI, place_uprobe_multi },
	{ BPF_LINK_TYPE_NETKIT, place_netkit },
	{ BPF_LINK_TYPE_SOCKMAP, place_sockmap },
	/* of BPF_LINK_TYPE_TRACING_MULTI struct bpf_link_info of Linux 6.18 knows nothing */
};

int attached_place_of(struct attached_names *names, const struct attached_link *link,
		      struct attached_place *place, struct error *err)
{
	int ret = 0;

	memset(place, 0, sizeof(*place));
	place->untold = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == link->info.type) {
			place->untold = false;
			ret = rows[i].fill(names, link, place);
		}
	return ret ? error_set(err, ENOMEM, "no memory for what a link is attached to") : 0;
}

void attached_place_free(struct attached_place *place)
{
	for (unsigned int i = 0; i < place->nr; i++)
		free(place->fields[i].text);
	memset(place, 0, sizeof(*place));
}
