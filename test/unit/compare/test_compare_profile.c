// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions whose share differs between the profiles of one run: as a table. */
#include <stdlib.h>
#include <string.h>

#include "loader/compare/document/document.h"
#include "loader/compare/profile/profile.h"
#include "loader/compare/report/report.h"
#include "test/unit/common/json_of.h"
#include "test/unit/common/suite.h"

/* A method: HOT of 1000 samples are in the hot function, all others in one without a symbol. */
#define METHOD(name, HOT, REST) \
	"{\"attach\":\"" name "\",\"samples\":1000,\"duration_ns\":2000000000,\"run_cnt\":1000," \
	"\"run_time_ns\":500000,\"throttled\":3,\"profile\":{\"unit\":\"samples\",\"total\":1000," \
	"\"functions\":[{\"symbol\":\"<hot>\",\"file\":\"a.out\",\"self\":" HOT "," \
	"\"total\":" HOT "}," \
	"{\"file\":\"lib.so\",\"self\":" REST ",\"total\":1000},{\"self\":0,\"total\":0}]," \
	"\"stacks\":[[0,1],[1]],\"weights\":[" HOT "," REST "]}}"
#define FAILED \
	"{\"attach\":\"link\",\"error\":{\"text\":\"it is refused\",\"where\":\"event 'x'\"," \
	"\"hint\":\"\",\"reason\":\"attach/no-link\"}}"

/* The member "profile" of a document. */
static struct json_object *profile(const char *methods)
{
	struct json_object *doc = json_object_new_object();

	json_object_object_add(doc, "object", json_object_new_string("profile.bpf.o"));
	json_object_object_add(doc, "event", json_object_new_string("cpu-clock"));
	json_object_object_add(doc, "freq", json_object_new_int(99));
	json_object_object_add(doc, "command", json_object_new_string("./run"));
	json_object_object_add(doc, "methods", json_of(methods));
	compare_profile_sections(doc);
	return doc;
}

static const struct {
	const char *name, *methods, *differences;
} rows[] = {
	{ "the same", "[" METHOD("ioctl", "900", "100") "," METHOD("pmu", "900", "100") "]", "[]" },
	{ "as far apart as chance explains",
	  "[" METHOD("ioctl", "500", "500") "," METHOD("pmu", "580", "420") "]", "[]" },
	{ "farther apart",
	  "[" METHOD("ioctl", "500", "500") "," METHOD("pmu", "600", "400") "]",
	  "[{\"function\":\"<hot> (a.out)\",\"of\":\"self\",\"weights\":[500,600]},"
	  "{\"function\":\"<hot> (a.out)\",\"of\":\"total\",\"weights\":[500,600]},"
	  "{\"function\":\"[lib.so]\",\"of\":\"self\",\"weights\":[500,400]}]" },
	{ "one has no profile", "[" METHOD("ioctl", "500", "500") "," FAILED "]", "[]" },
	{ "two of three have one",
	  "[" METHOD("ioctl", "990", "10") "," METHOD("pmu", "10", "990") "," FAILED "]",
	  "[{\"function\":\"<hot> (a.out)\",\"of\":\"self\",\"weights\":[990,10,null]},"
	  "{\"function\":\"<hot> (a.out)\",\"of\":\"total\",\"weights\":[990,10,null]},"
	  "{\"function\":\"[lib.so]\",\"of\":\"self\",\"weights\":[10,990,null]}]" },
};

TEST_ROWS(differences, rows)
{
	struct json_object *doc = profile(rows[_i].methods);
	const char *text = json_object_to_json_string(doc_array(doc, "differences"));

	ck_assert_msg(!strcmp(text, rows[_i].differences), "%s: %s", rows[_i].name, text);
	json_object_put(doc);
}

/* Print the row with this index, and assert that each of @texts is in it. */
static void prints(int row, const char *const *texts)
{
	struct json_object *doc = json_object_new_object();
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	value_add(doc, "profile", profile(rows[row].methods));
	value_add(doc, "verdict", report_verdict(doc));
	ck_assert(report_text(file, doc));
	fclose(file);
	for (; *texts; texts++)
		ck_assert_msg(strstr(text, *texts) != NULL, "no '%s' in: %.3000s", *texts, text);
	free(text);
	json_object_put(doc);
}

TEST(text)
{
	static const char *const differ[] = {
		"profile.bpf.o: cpu-clock, 99 Hz, one run of ./run",
		"  samples               1000                  1000                  -",
		"  samples per second    500.0                 500.0                 -",
		"  time of one run       500 ns                500 ns                -",
		"  share of one CPU      0.0250 %              0.0250 %              -",
		"link has no profile: event 'x': it is refused [attach/no-link]",
		"They differ: 3 shares of functions are more than 4 standard errors apart.",
		"  <hot> (a.out), self   99.00 %               1.00 %                -",
		NULL,
	};
	static const char *const agree[] = { "They agree: no function's share differs", NULL };
	static const char *const alone[] = { "There are fewer than two profiles", NULL };

	prints(4, differ);
	prints(1, agree);
	prints(3, alone);
}
