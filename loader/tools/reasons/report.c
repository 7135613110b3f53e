// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of files that pload compare is given and cannot read. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_report[] = {
	{ "report/file", "the file of --against or --from cannot be read",
	  "open() or read() of the file, or pload, for what is no regular file or larger than 64 MiB.",
	  "ls -l FILE", "The path of a file that pload compare --format=json has written." },
	{ "report/not-json", "the file is not one JSON value",
	  "json-c, the library that reads it, with no leniency: one value, in UTF-8, and nothing "
	  "behind it.",
	  "jq . FILE; an interrupted run leaves a file that is empty or ends too early.",
	  "Write it again: pload compare --format=json EVENT >FILE. A file holds one document." },
	{ "report/other", "the file is JSON, and no document of pload compare",
	  "pload looks for \"type\": \"compare\", a \"version\" and the list \"events\"; more events, "
	  "sections and rows than pload writes are refused, too.",
	  "jq '.type, .version' FILE", "The output of pload compare --format=json." },
	{ "report/newer", "the document was written by a newer pload",
	  "pload compares its \"version\" with the newest that it knows.", "jq .version FILE",
	  "Show both documents with the newer pload; it reads older ones." },
	{ .code = NULL },
};
