/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare: what becomes of the document once it is measured. */
#ifndef PLOAD_CMD_COMPARE_SHOW_DOCUMENT_H
#define PLOAD_CMD_COMPARE_SHOW_DOCUMENT_H

#include "loader/cmd/command.h"
#include "loader/output/message.h"

/* text and html; json is everybody's. */
extern const struct output_format compare_formats[];

/* --against, --from */
extern const struct option_group compare_showing;

/*
 * compare_show_document() - put into *@doc what differs and, with --against, what has changed; print and
 * flush it. *@doc is given back and NULL afterwards, unless this fails before.
 */
int compare_show_document(struct sys *sys, const struct options *o, struct json_object **doc,
		 struct output *out, struct error *err);

/* compare_show_saved() - the same for the document of --from. */
int compare_show_saved(struct sys *sys, const struct options *o, struct output *out,
		      struct error *err);

#endif
