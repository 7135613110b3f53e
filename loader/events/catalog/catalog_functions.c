// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Visit the kernel's functions as probes. */
#include <stdio.h>

#include "loader/events/catalog/catalog.h"
#include "loader/base/text/kallsyms.h"

struct functions {
	const char *prefix;
	const struct event_visitor *visitor;
};

static int visit_symbol(void *arg, const struct kernel_symbol *s)
{
	const struct functions *f = arg;
	char name[2 * EVENT_NAME_MAX];
	const struct event_row row = { .group = "probe", .name = name };

	if (!kernel_symbol_is_code(s))
		return 0;
	snprintf(name, sizeof(name), "%s%s%s%s", f->prefix, s->module, s->module[0] ? ":" : "",
		 s->name);
	return f->visitor->event(f->visitor->arg, &row);
}

int event_catalog_functions(struct sys *sys, const char *prefix,
			    const struct event_visitor *visitor, struct error *err)
{
	struct functions f = { prefix, visitor };
	struct kernel_symbols k;

	kernel_symbols_init(&k, sys);
	return kernel_symbols_visit(&k, visit_symbol, &f, err);
}
