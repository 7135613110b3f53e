// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options of `pload compare --profile`, and which of compare's others it takes. */
#include <errno.h>

#include "loader/cmd/compare/compare_profile.h"

#define DEFAULT_FREQ 999

static int set_freq(struct options *o, const char *text, struct error *err)
{
	return options_number("-F", text, 1, UINT32_MAX, &o->freq, err);
}

static const struct option_row rows[] = {
	{ "profile", 0, NULL,
	  "Run the command once, profile it by ioctl, pmu and link at once with OBJ, which counts "
	  "call stacks, and print where they differ; --format=html -o FILE draws three flame "
	  "graphs.",
	  OPTION_FLAG, OPTION_FIELD(compare.profile), NULL, NULL },
	{ "freq", 'F', "=HZ", "Sample so often (default: 999).",
	  OPTION_PARSED, 0, set_freq, NULL },
	{ 0 },
};

const struct option_group compare_profiling = { "Profiling (--profile OBJ -- COMMAND)", rows };

int compare_profile_check(struct options *o, struct error *err)
{
	if (!o->compare.profile && (o->child || o->freq)) {
		error_set(err, EINVAL, "%s is for --profile only", o->child ? "a command" : "-F");
		return error_hint(err, "without --profile pload compare does the work itself");
	}
	if (!o->compare.profile)
		return 0;
	if (!o->nr_objects || !o->child) {
		error_set(err, EINVAL, "--profile takes %s", o->nr_objects ?
			  "a command after --" : "an object that counts call stacks");
		return error_hint(err, "as in: pload compare --profile -o out.html "
				       "profile.bpf.o -- ls -l");
	}
	if (o->dry_run || o->compare.all || o->compare.from || o->compare.against ||
	    o->compare.only || o->compare.rounds || o->compare.all_rows || o->events.nr > 1)
		return error_set(err, EINVAL, "--profile measures one run by one event: without "
				 "--dry-run, --all, --all-rows, --only, --rounds, --from, "
				 "--against and a second -e");
	if (!o->events.nr)
		o->events.text[o->events.nr++] = "cpu-clock";
	if (!o->freq)
		o->freq = DEFAULT_FREQ;
	return 0;
}
