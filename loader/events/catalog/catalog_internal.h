/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of the catalog: visit a part of all events. */
#ifndef PLOAD_EVENTS_CATALOG_CATALOG_INTERNAL_H
#define PLOAD_EVENTS_CATALOG_CATALOG_INTERNAL_H

#include "loader/events/catalog/expand_internal.h"
#include "loader/events/catalog/catalog.h"

struct walker {
	struct sys *sys;
	const struct event_visitor *visitor;
};

/** walk_pmus() - Visit the PMUs and their events, as event_catalog() does. */
int walk_pmus(const struct walker *w, struct error *err);

#endif
