/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print the document of pload compare, after adding differences and changes to it. */
#ifndef PLOAD_COMPARE_REPORT_SHOW_DOCUMENT_H
#define PLOAD_COMPARE_REPORT_SHOW_DOCUMENT_H

#include "loader/print/message.h"
#include "loader/session/options.h"

/* The formats text and html; every command has json. */
extern const struct output_format compare_formats[];

/**
 * compare_read_against() - Read the document of --against before anything is measured.
 * @then: owned by the caller; NULL without that option.
 */
int compare_read_against(struct sys *sys, const struct options *o, struct json_object **then,
			 struct error *err);

/**
 * compare_show_document() - Add the verdict, the differences between methods and, unless @then is
 *	NULL, the changes since that earlier document to *@doc; then print and flush it.
 * @doc: released and set to NULL, unless an error occurs before printing.
 */
int compare_show_document(struct json_object **doc, struct json_object *then,
			  const struct options *o, struct output *out, struct error *err);

/* compare_show_saved() - Do the same with the document in the file of --from. */
int compare_show_saved(struct sys *sys, const struct options *o, struct output *out,
		       struct error *err);

#endif
