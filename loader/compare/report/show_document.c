// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the document of pload compare, next to an earlier one with --against. */
#include <errno.h>

#include "loader/compare/report/show_document.h"
#include "loader/value/value.h"
#include "loader/compare/report/report.h"
#include "loader/sys/file.h"

const struct output_format compare_formats[] = {
	{ .name = "text", .print = report_text, .digest = true },
	{ .name = "html", .print = report_html },
	{ 0 },
};

static const struct output_format text_all_rows = { .name = "text", .print = report_text_all_rows,
						    .digest = true };

static int read_document(struct sys *sys, const char *path, struct json_object **doc,
			 struct error *err)
{
	struct file file;
	struct bytes bytes = { 0 };
	int ret = file_open(&file, sys, path, REPORT_SIZE_MAX, err);

	if (!ret)
		ret = file.source.get(file.source.arg, 0, file.source.size, &bytes, err);
	if (!ret)
		ret = report_parse((const char *)bytes.data, bytes.size, doc, err);
	file_close(&file);
	if (ret < 0) {
		error_reason_default(err, "report/file");
		if (!err->hint[0])
			error_hint(err, "pload compare --format=json >FILE writes what is read "
					"here");
		error_where(err, "%s", path);
	}
	return ret;
}

/* Replace member @key: differences in a saved document may be out of date. */
static int set(struct json_object *doc, const char *key, struct json_object *value,
	       struct error *err)
{
	if (value && !json_object_object_add(doc, key, value))
		return 0;
	json_object_put(value);
	return error_set(err, ENOMEM, "no memory for what differs");
}

int compare_read_against(struct sys *sys, const struct options *o, struct json_object **then,
			 struct error *err)
{
	*then = NULL;
	return o->compare.against ? read_document(sys, o->compare.against, then, err) : 0;
}

int compare_show_document(struct json_object **doc, struct json_object *then,
			  const struct options *o, struct output *out, struct error *err)
{
	int ret = set(*doc, "differences", report_differences(*doc), err);

	if (!ret)
		ret = set(*doc, "verdict", report_verdict(*doc), err);
	if (o->compare.all_rows && out->format->print == report_text)
		out->format = &text_all_rows;
	json_object_object_del(*doc, "against");
	if (!ret && then)
		ret = set(*doc, "against", report_against(then, *doc), err);
	if (!ret) {
		ret = output_message(out, *doc, err);
		*doc = NULL;
	}
	return ret ? ret : output_flush(out, err);
}

int compare_show_saved(struct sys *sys, const struct options *o, struct output *out,
		      struct error *err)
{
	struct json_object *doc = NULL, *then;
	int ret = compare_read_against(sys, o, &then, err);

	if (!ret)
		ret = read_document(sys, o->compare.from, &doc, err);
	if (!ret)
		ret = compare_show_document(&doc, then, o, out, err);
	json_object_put(doc);
	json_object_put(then);
	return ret;
}
