// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find externs of one kind by name, for use with files that contain many other names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"

static int compare(const void *a, const void *b)
{
	const struct extern_name *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int extern_names_init(struct extern_names *names, const struct bpf_object *obj,
		      enum object_extern_kind kind, struct error *err)
{
	*names = (struct extern_names){ .names = calloc(obj->nr_externs + 1,
							sizeof(*names->names)) };
	if (!names->names)
		return error_set(err, ENOMEM, "no memory for the names of %u externs",
				 obj->nr_externs);
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (obj->externs[i].kind == kind)
			names->names[names->nr++] =
				(struct extern_name){ obj->externs[i].name, i };
	qsort(names->names, names->nr, sizeof(*names->names), compare);
	return 0;
}

int64_t extern_names_find(const struct extern_names *names, const char *name, size_t len)
{
	uint32_t low = 0, high = names->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const char *there = names->names[mid].name;
		int order = strncmp(there, name, len);

		if (!order && !there[len])
			return names->names[mid].index;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return -1;
}

void extern_names_free(struct extern_names *names)
{
	free(names->names);
	memset(names, 0, sizeof(*names));
}
