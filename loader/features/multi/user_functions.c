// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of a program or library, for uprobe.multi: found as those of uprobe events are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/features/multi/multi_internal.h"
#include "loader/features/symbols/symbols.h"

static int add_all(const struct symbol_locations *found, struct multi_targets *p, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < found->nr; i++) {
		const struct symbol_location *place = &found->list[i];

		ret = multi_targets_add(p, place->name ? place->name : "its offset",
					place->file_offset, place->ref_ctr_offset, err);
	}
	return ret;
}

static int resolve(const struct multi *m, const struct multi_request *req,
		   const struct event_spec *spec, struct multi_targets *p, struct error *err)
{
	struct symbol_locations found;
	int ret = symbols_resolve(m->files, spec, req->pid, &found, err);

	if (ret)
		return ret;
	p->exact = !symbol_is_pattern(spec->second);
	snprintf(p->path, sizeof(p->path), "%s", found.path);
	ret = add_all(&found, p, err);
	if (!ret && found.note[0])
		multi_note(m, "%s", found.note);
	symbol_locations_free(&found);
	return ret;
}

int find_user_functions(const struct multi *m, const struct multi_request *req,
			struct multi_targets *p, struct error *err)
{
	struct event_spec *spec = malloc(sizeof(*spec));	/* it has room for whole paths */
	int ret;

	if (!spec)
		return error_set(err, ENOMEM, "no memory for the name of a file");
	ret = event_parse_section(spec, "uprobe", req->functions, err);
	if (!ret)
		ret = resolve(m, req, spec, p, err);
	free(spec);
	return ret;
}
