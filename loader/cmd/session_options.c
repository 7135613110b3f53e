// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What pload does when no command is named: a session over one object. Its options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cmd/command.h"
#include "loader/event/scope.h"
#include "loader/session/session.h"

static int set_attach(struct options *o, const char *text, struct error *err)
{
	o->method = attach_method_find(text, err);
	return o->method ? 0 : -EINVAL;
}

static int set_cookie(struct options *o, const char *text, struct error *err)
{
	o->has_cookie = true;
	return options_number("--cookie", text, 0, UINT64_MAX, &o->cookie, err);
}

static int set_rate(const char *option, const char *text, uint64_t max, uint64_t *value,
		    struct error *err)
{
	int ret = options_number(option, text, 1, max, value, err);

	if (ret && !strcmp(text, "0"))
		error_hint(err, "a counting event accepts a program and never runs it");
	return ret;
}

static int set_freq(struct options *o, const char *text, struct error *err)
{
	return set_rate("-F", text, UINT32_MAX, &o->freq, err);
}

static int set_period(struct options *o, const char *text, struct error *err)
{
	return set_rate("-c", text, INT64_MAX, &o->period, err);
}

static int set_processes(struct options *o, const char *text, struct error *err)
{
	o->scope.processes = text;
	return event_tasks_check(text, "process", err) ? error_where(err, "-p") : 0;
}

static int set_threads(struct options *o, const char *text, struct error *err)
{
	o->scope.threads = text;
	return event_tasks_check(text, "thread", err) ? error_where(err, "-t") : 0;
}

static int set_seconds(struct options *o, const char *text, struct error *err)
{
	char *end;

	o->seconds = strtod(text, &end);
	if (end == text || *end || !(o->seconds >= 0) || o->seconds > 1e9) {
		error_set(err, EINVAL, "'%s' is not a number of seconds from 0 to 1e9", text);
		return error_where(err, "-d");
	}
	return 0;
}

static int set_rows(struct options *o, const char *text, struct error *err)
{
	uint64_t n = 0;
	int ret = options_number("--rows", text, 0, UINT32_MAX, &n, err);

	o->rows = n;
	return ret;
}

static int set_pages(struct options *o, const char *text, struct error *err)
{
	uint64_t n = 0;
	int ret = options_number("--pages", text, 1, 1u << 18, &n, err);

	o->ring_pages = n;
	if (ret || !(n & (n - 1)))
		return ret;
	error_set(err, EINVAL, "'%s' is not a power of two", text);
	return error_where(err, "--pages");
}

static int set_test_run(struct options *o, const char *text, struct error *err)
{
	uint64_t n = 0;
	int ret = options_number("--test-run", text ? text : "1", 1, 1u << 20, &n, err);

	o->test_runs = n;
	return ret;
}

static int set_xdp_mode(struct options *o, const char *text, struct error *err)
{
	/* include/uapi/linux/if_link.h: XDP_FLAGS_* */
	static const struct {
		const char *name;
		uint32_t flag;
	} modes[] = { { "generic", 1 << 1 }, { "native", 1 << 2 }, { "offload", 1 << 3 } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(text, modes[i].name))
			continue;
		o->where.xdp_flags = modes[i].flag;
		return 0;
	}
	error_set(err, EINVAL, "'%s' is none of generic, native and offload", text);
	return error_where(err, "--xdp-mode");
}

static int set_direction(struct options *o, const char *text, struct error *err)
{
	o->where.has_direction = true;
	o->where.direction = !strcmp(text, "egress") ? BPF_TCX_EGRESS : BPF_TCX_INGRESS;
	if (o->where.direction == BPF_TCX_EGRESS || !strcmp(text, "ingress"))
		return 0;
	error_set(err, EINVAL, "'%s' is neither ingress nor egress", text);
	return error_where(err, "--direction");
}

static int set_netfilter(struct options *o, const char *text, struct error *err)
{
	return target_netfilter_parse(&o->where.netfilter, text, err);
}

static void print_methods(FILE *out)
{
	for (unsigned int i = 0; i < attach_nr_methods; i++)
		fprintf(out, "      --attach=%-11s %s%s\n", attach_methods[i].name,
			attach_methods[i].summary, i == 0 ? " (default)" : "");
}

static const struct option_row attach_rows[] = {
	{ "attach", 0, "=METHOD", NULL, OPTION_PARSED, 0, set_attach, print_methods },
	{ "cookie", 0, "=N", "what bpf_get_attach_cookie() returns (by link), and "
			     "bpf_usdt_cookie()",
	  OPTION_PARSED, 0, set_cookie, NULL },
	{ "pin", 0, "=DIR",
	  "go on when pload ends: links, programs and maps stay as pins below DIR, which\n"
	  "is in a bpffs and made when it is missing (link only); see adopt and detach",
	  OPTION_TEXT, OPTION_FIELD(pin), NULL, NULL },
	{ "no-enable", 0, NULL, "bind the programs and leave the events disabled", OPTION_FLAG,
	  OPTION_FIELD(no_enable), NULL, NULL },
	{ 0 },
};

static const struct option_row event_rows[] = {
	{ "event", 'e', "=EVENT",
	  "as perf names them: cycles, cpu-clock, L1-dcache-load-misses; rHEX; TYPE:CONFIG;\n"
	  "CATEGORY:NAME (also globs); mem:ADDR[/LEN][:rwx]; PMU/TERMS/ (of sysfs);\n"
	  "kprobe:FUNCTION[+OFF] kretprobe: uprobe:FILE:FUNCTION uretprobe:\n"
	  "usdt:FILE:PROVIDER:NAME; behind it :MODIFIERS ,freq=HZ ,period=N, and ,or=EVENT\n"
	  "(where it is not to be had); lists by commas, {GROUPS}; see pload list",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ "freq", 'F', "=HZ", "sample so many times a second", OPTION_PARSED, 0, set_freq, NULL },
	{ "count", 'c', "=PERIOD", "sample once every so many events", OPTION_PARSED, 0, set_period,
	  NULL },
	{ "test-run", 0, "[=N]",
	  "without an event: run xdp and tc programs N times over a packet of ours;\n"
	  "raw_tp and syscall programs with arguments of 0", OPTION_PARSED,
	  0, set_test_run, NULL },
	{ 0 },
};

static const struct option_row scope_rows[] = {
	{ "all-cpus", 'a', NULL, "every process on all online CPUs (the default)", OPTION_FLAG,
	  OPTION_FIELD(all_cpus), NULL, NULL },
	{ "cpu", 'C', "=LIST", "on these CPUs, as in 0-3,5", OPTION_TEXT, OPTION_FIELD(scope.cpus),
	  NULL, NULL },
	{ "pid", 'p', "=PID,...",
	  "in these processes: their threads, and those and the children to come", OPTION_PARSED, 0,
	  set_processes, NULL },
	{ "tid", 't', "=TID,...", "in these threads and no others", OPTION_PARSED, 0, set_threads,
	  NULL },
	{ "uid", 'u', "=USER", "in the processes that a user (number or name) has now", OPTION_TEXT,
	  OPTION_FIELD(scope.user), NULL, NULL },
	{ "cgroup-tasks", 'G', "=DIR,...",
	  "in the tasks of these cgroups: from the mount of cgroups on, or from /", OPTION_TEXT,
	  OPTION_FIELD(scope.cgroups), NULL, NULL },
	{ "no-inherit", 0, NULL, "not in the threads and children to come", OPTION_FLAG,
	  OPTION_FIELD(scope.no_inherit), NULL, NULL },
	{ 0 },
};

static const struct option_row point_rows[] = {
	{ "dev", 0, "=NAME", "xdp and tc programs: this network device", OPTION_TEXT,
	  OPTION_FIELD(where.device), NULL, NULL },
	{ "xdp-mode", 0, "=MODE",
	  "generic, native or offload (default: the best that the device has)", OPTION_PARSED, 0,
	  set_xdp_mode, NULL },
	{ "direction", 0, "=ingress|egress",
	  "of SEC(\"tc\") programs, whose section does not say it", OPTION_PARSED, 0, set_direction,
	  NULL },
	{ "cgroup", 0, "=DIR", "cgroup programs: this directory of cgroup2", OPTION_TEXT,
	  OPTION_FIELD(where.cgroup), NULL, NULL },
	{ "netns", 0, "=FILE",
	  "sk_lookup and flow_dissector: this network namespace (default: ours)", OPTION_TEXT,
	  OPTION_FIELD(where.netns), NULL, NULL },
	{ "target-map", 0, "=MAP",
	  "sk_skb, sk_msg and iter/bpf_map_elem programs: a map of the object (default:\n"
	  "the only one that fits), or another by its path in bpffs or its id", OPTION_TEXT,
	  OPTION_FIELD(where.map), NULL, NULL },
	{ "functions", 0, "=PATTERN",
	  "kprobe.multi, uprobe.multi, fentry.multi and .session programs: not what the\n"
	  "section names; 'vfs_*,!vfs_read', or of a file 'libc.so.6:mem*'", OPTION_TEXT,
	  OPTION_FIELD(where.functions), NULL, NULL },
	{ "netfilter", 0, "=HOOK", "netfilter programs: ipv4:prerouting[:PRIORITY] or so",
	  OPTION_PARSED, 0, set_netfilter, NULL },
	{ 0 },
};

static const struct option_row output_rows[] = {
	{ "duration", 'd', "=SECONDS",
	  "stop after so long; 0: attach, enable, detach at once (default: until ^C)",
	  OPTION_PARSED, 0, set_seconds, NULL },
	{ "counter", 0, "=[MAP:]EVENT",
	  "what to count for bpf_perf_event_read() (default: as for programs)", OPTION_LIST,
	  OPTION_FIELD(counters), NULL, NULL },
	{ "record", 0, "=[MAP:]TYPE", "decode the records of MAP as this struct of the object",
	  OPTION_LIST, OPTION_FIELD(records), NULL, NULL },
	{ "rows", 0, "=N", "rows of a map shown as text, 0 for all (default 32)", OPTION_PARSED, 0,
	  set_rows, NULL },
	{ "pages", 0, "=N", "pages of each perf ring, a power of two (default 64)", OPTION_PARSED,
	  0, set_pages, NULL },
	{ 0 },
};

static const struct option_group attaching_group = { "Attaching", attach_rows };
static const struct option_group event_group = {
	"Events (else the one in the program's section name, else cycles or cpu-clock)", event_rows
};
static const struct option_group scope_group = { "Scope of the events", scope_rows };
static const struct option_group point_group = {
	"Other attach points (with --attach=link; iter, raw_tp, tp_btf, fentry, "
	"lsm ... need no option)",
	point_rows
};
const struct option_group options_output = { "Maps and records", output_rows };

static const struct option_group *const groups[] = {
	&attaching_group,	 &event_group,	   &scope_group,	  &point_group,
	&options_output,	 &options_loading, &options_kernel_types, &options_learning,
	NULL,
};

static int check_object(const struct options *o, struct error *err)
{
	const char *first = o->nr_objects ? o->objects[0] : NULL;
	const struct command *near = first ? command_nearest(first) : NULL;

	if (!first) {
		error_set(err, EINVAL, "no object file given");
		return error_hint(err, "as in: pload --attach=ioctl prog.o");
	}
	if (o->nr_objects == 1)
		return 0;
	error_set(err, EINVAL, "'%s' after the object file '%s': one object at a time",
		  o->objects[1], first);
	if (near && !strcmp(near->name, first))
		return error_hint(err, "a command goes before its options: pload %s ...", first);
	if (near)
		return error_hint(err, "did you mean pload %s %s?", near->name, o->objects[1]);
	return error_hint(err, "pload load takes any number of them");
}

/* Whom the events are for is said once. */
static int check_scope(const struct options *o, struct error *err)
{
	const struct { const char *option, *text; } whom[] = {
		{ "-p", o->scope.processes }, { "-t", o->scope.threads }, { "-u", o->scope.user },
		{ "-G", o->scope.cgroups },
	};
	const char *first = o->all_cpus ? "-a" : NULL;

	for (size_t i = 0; i < sizeof(whom) / sizeof(whom[0]); i++) {
		if (!whom[i].text)
			continue;
		if (first) {
			error_set(err, EINVAL, "%s and %s exclude each other", first,
				  whom[i].option);
			return error_hint(err, "-a is every process, -p processes, -t threads, "
					       "-u a user's processes, -G the tasks of cgroups");
		}
		first = whom[i].option;
	}
	return 0;
}

static bool has_scope(const struct options *o)
{
	return o->scope.processes || o->scope.threads || o->scope.user || o->scope.cgroups ||
	       o->scope.cpus || o->scope.no_inherit || o->all_cpus;
}

/* What is right alone and wrong together. */
static int check(struct options *o, struct error *err)
{
	int ret = check_object(o, err);

	if (ret < 0)
		return ret;
	if (o->period && o->freq)
		return error_set(err, EINVAL,
				 "-c and -F exclude each other: a period or a frequency");
	ret = check_scope(o, err);
	if (ret < 0)
		return ret;
	ret = cookie_check_options(o, err);
	if (ret < 0)
		return ret;
	if (o->pin && !o->method->is_link) {
		error_set(err, EINVAL,
			  "--pin with --attach=%s: what an ioctl has bound cannot be pinned, and "
			  "ends with pload",
			  o->method->name);
		error_reason(err, "pin/no-link");
		return error_hint(err, "--attach=link");
	}
	if (!o->method->is_link &&
	    (o->where.device || o->where.cgroup || o->where.netns || o->where.map ||
	     o->where.functions || o->where.netfilter.text)) {
		error_set(err, EINVAL, "--attach=%s attaches to events, and to nothing else",
			  o->method->name);
		error_reason(err, "attach/prog-type");
		return error_hint(err, "--attach=link");
	}
	if (o->test_runs && (o->events.nr || has_scope(o) || o->child || o->has_cookie ||
			     o->pin || o->period || o->freq || o->seconds >= 0 || o->no_enable))
		return error_set(err, EINVAL,
				 "--test-run attaches to nothing and waits for nothing: "
				 "without a command, -e -F -c -C -p -t -u -G -a -d --cookie --pin "
				 "--no-enable");
	return 0;
}

const struct command command_default = {
	.arguments = "prog.o [-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.about =
		"Loads a BPF object by raw system calls, "
		"attaches its programs to perf events (or by link to\n"
		"devices, cgroups, hooks), prints what they say, "
		"and takes everything away again.\n",
	.groups = groups,
	.check = check,
	.run = session_run,
};
