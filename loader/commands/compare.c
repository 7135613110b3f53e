// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload compare: attach to one event by every method and measure each on this kernel. */
#include <errno.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/compare/report/report.h"
#include "loader/compare/run/run.h"
#include "loader/compare/scale/scale.h"

#define DEFAULT_FREQ 999	/* of --profile */

static int set_cookie(struct options *o, const char *text, struct error *err)
{
	o->has_cookie = true;
	return options_number("--cookie", text, 0, UINT64_MAX, &o->cookie, err);
}

static int set_rounds(struct options *o, const char *text, struct error *err)
{
	return options_uint("--rounds", text, 1, 10000, &o->compare.rounds, err);
}

static int set_freq(struct options *o, const char *text, struct error *err)
{
	return options_number("-F", text, 1, UINT32_MAX, &o->freq, err);
}

static int check_only(const char *only, struct error *err)
{
	char name[32];

	for (size_t len; *only; only += len, only += *only == ',') {
		bool found = false;

		len = strcspn(only, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, only);
		for (size_t i = 0; compare_parts[i].name; i++)
			found = found || !strcmp(name, compare_parts[i].name);
		if (found)
			continue;
		error_set(err, EINVAL, "there is no part '%s'", name);
		return error_where(err, "--only");
	}
	return 0;
}

static int set_scale(struct options *o, const char *text, struct error *err)
{
	struct scale_words words;

	o->compare.scaled = true;
	o->compare.scale = text;
	return scale_parse(text, &words, err);
}

static int check_profile(struct options *o, struct error *err)
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
		return error_hint(err, "as in: pload compare --profile profile.bpf.o -- ls -l");
	}
	if (o->dry_run || o->compare.all || o->compare.from || o->compare.against ||
	    o->compare.only || o->compare.rounds || o->events.nr > 1)
		return error_set(err, EINVAL, "--profile measures one run by one event: without "
				 "--dry-run, --all, --only, --rounds, --from, "
				 "--against and a second -e");
	if (!o->events.nr)
		o->events.text[o->events.nr++] = "cpu-clock";
	if (!o->freq)
		o->freq = DEFAULT_FREQ;
	return 0;
}

static bool is_kind(const char *text)
{
	const char *name;

	for (unsigned int i = 0; (name = scale_kind_name(i)); i++)
		if (!strcmp(name, text))
			return true;
	return false;
}

static int check_scale(const struct options *o, struct error *err)
{
	if (o->format->print == report_csv && !o->compare.scaled && !o->compare.from)
		return error_set(err, EINVAL, "--format=csv is for --scale");
	if (!o->compare.scaled)
		return 0;
	if (o->nr_objects || o->dry_run || o->compare.all || o->compare.from ||
	    o->compare.against || o->compare.only || o->compare.rounds || o->compare.profile ||
	    o->has_cookie) {
		error_set(err, EINVAL, "--scale measures built-in programs: without OBJ, --all, "
			  "--only, --rounds, --cookie, --profile, --from, --against, --dry-run");
		return error_hint(err, "-e KIND selects what is attached to");
	}
	for (unsigned int i = 0; i < o->events.nr; i++) {
		if (is_kind(o->events.text[i]))
			continue;
		error_set(err, EINVAL, "'%s' is not a kind of --scale", o->events.text[i]);
		error_where(err, "-e");
		return error_hint(err, "the kinds are software, cpus, tasks, tracepoint, kprobe, "
				  "uprobe and usdt");
	}
	return 0;
}

static int check(struct options *o, struct error *err)
{
	if (o->nr_objects > 1) {
		error_set(err, EINVAL, "'%s': one object at a time", o->objects[1]);
		return error_hint(err, "its programs are compared one after the other");
	}
	if (check_profile(o, err) < 0 || check_scale(o, err) < 0)
		return err->code;
	return o->compare.only ? check_only(o->compare.only, err) : 0;
}

static void print_parts(FILE *out, const struct command *command)
{
	char name[128];
	size_t n = 0;

	(void)command;
	for (size_t i = 0; compare_parts[i].name && n < sizeof(name); i++)
		n += snprintf(name + n, sizeof(name) - n, "%s%s", i ? "|" : "    --only=",
			      compare_parts[i].name);
	if (n < sizeof(name))
		snprintf(name + n, sizeof(name) - n, ",...");
	options_print_help(out, name, "Measure only these parts.");
}

static const struct option_row rows[] = {
	{ "event", 'e', "=EVENT",
	  "Print a table for this event (default: the events that the object's sections name, or "
	  "cpu-clock). The words tracepoint, breakpoint, uprobe, kprobe ... stand for any event of "
	  "that kind. May be repeated.",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ "all", 0, NULL,
	  "Print a table for each kind of event that this kernel can open.",
	  OPTION_FLAG, OPTION_FIELD(compare.all), NULL, NULL },
	{ "scale", 0, "[=N,...]",
	  "Measure what it costs to attach N times, and to detach, with each method. -e selects "
	  "what to attach to: software, cpus, tasks, tracepoint, kprobe, uprobe or usdt. Default: "
	  "1 to 1000, or as many as fit in 15 seconds. cpus=N and hz=N predict the cost on another "
	  "machine.",
	  OPTION_PARSED, 0, set_scale, NULL },
	{ "rounds", 0, "=N",
	  "Time each step N times (default: as often as time allows).",
	  OPTION_PARSED, 0, set_rounds, NULL },
	{ "only", 0, "=PART,...", NULL, OPTION_TEXT, OPTION_FIELD(compare.only), NULL,
	  print_parts },
	{ "cookie", 0, "=N",
	  "Set the cookie that bpf_get_attach_cookie() must return where a link passes one.",
	  OPTION_PARSED, 0, set_cookie, NULL },
	{ 0 },
};

static const struct option_row profile_rows[] = {
	{ "profile", 0, NULL,
	  "Run the command once, profile it with ioctl, pmu and link at the same time, and print "
	  "where the profiles differ. OBJ must count call stacks.",
	  OPTION_FLAG, OPTION_FIELD(compare.profile), NULL, NULL },
	{ "freq", 'F', "=HZ", "Sample HZ times a second (default: 999).",
	  OPTION_PARSED, 0, set_freq, NULL },
	{ 0 },
};

static const struct option_row show_rows[] = {
	{ "against", 0, "=FILE",
	  "Print what has changed since FILE, which --format=json has written.",
	  OPTION_TEXT, OPTION_FIELD(compare.against), NULL, NULL },
	{ "from", 0, "=FILE",
	  "Print the document in FILE instead of measuring.",
	  OPTION_TEXT, OPTION_FIELD(compare.from), NULL, NULL },
	{ 0 },
};

static const struct option_group comparing = { "Comparing", rows },
	profiling = { "Profiling (--profile OBJ -- COMMAND)", profile_rows },
	showing = { "Saved documents", show_rows };

static const struct option_group *const groups[] = {
	&comparing, &profiling, &showing, &options_loading, &options_kernel_types,
	&options_learning, NULL
};

const struct command command_compare = {
	.name = "compare",
	.summary = "Measure every way to attach to one event on this kernel, side by side.",
	.arguments = "[OBJ] [-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.about = "Open an event by its fixed type and through its PMU, bind a program by ioctl\n"
		 "and by link, and print the result of each of the four combinations: the system\n"
		 "calls, why it failed, how long it took, which program ran, with which cookie,\n"
		 "and what it cost. Without OBJ, use built-in programs. With --profile, profile a\n"
		 "command with every method at the same time.\n",
	.examples =
		"    pload compare -e cpu-clock                    "
		"  # every way to attach to one event\n"
		"    pload compare --format=html -o now.html prog.o"
		"  # a page about the events of an object\n"
		"    pload compare --against=then.json             "
		"  # what has changed since --format=json\n"
		"    pload compare --scale=1,100 -e uprobe         "
		"  # what many attachments cost\n"
		"    pload compare --profile prog.o -- make          # three profiles of one run\n",
	.groups = groups,
	.formats = compare_formats,
	.check = check,
	.run = compare_run,
};
