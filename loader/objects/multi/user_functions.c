// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find functions in a program or library for uprobe.multi, as for uprobe events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"
#include "loader/objects/symbols/symbols.h"

static int add_all(const struct symbol_locations *found, struct multi_functions *f,
		   struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < found->nr; i++) {
		const struct symbol_location *l = &found->list[i];

		ret = multi_functions_add(f, l->name ? l->name : "its offset", l->file_offset,
					  err);
	}
	return ret;
}

static int resolve(const struct multi *m, const struct multi_request *req,
		   const struct event_spec *spec, struct multi_functions *f, struct error *err)
{
	struct symbol_locations found;
	int ret = symbols_resolve(m->files, spec, req->pid, &found, err);

	if (ret)
		return ret;
	f->exact = !symbol_is_pattern(spec->uprobe.symbol);
	snprintf(f->path, sizeof(f->path), "%s", found.path);
	f->path_fd = found.fd;
	ret = add_all(&found, f, err);
	if (!ret && found.note[0])
		multi_note(m, "%s", found.note);
	symbol_locations_free(&found);
	return ret;
}

int find_user_functions(const struct multi *m, const struct multi_request *req,
			struct multi_functions *f, struct error *err)
{
	struct event_spec spec;
	int ret = event_parse_section(&spec, "uprobe", req->functions, err);

	if (ret)
		return ret;
	ret = resolve(m, req, &spec, f, err);
	event_spec_free(&spec);
	return ret;
}
