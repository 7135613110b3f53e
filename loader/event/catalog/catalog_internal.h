/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of the catalog: visit a part of all events. */
#ifndef PLOAD_EVENT_CATALOG_CATALOG_INTERNAL_H
#define PLOAD_EVENT_CATALOG_CATALOG_INTERNAL_H

#include "loader/event/catalog/expand_internal.h"
#include "loader/event/catalog/catalog.h"

struct walker {
	struct sys *sys;
	const struct event_visitor *visitor;
};

/** walk_pmus() - Visit the PMUs and their events, as event_catalog() does. */
int walk_pmus(const struct walker *w, struct error *err);

#endif
