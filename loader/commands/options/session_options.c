// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The default command, a session over one object, and its options. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/core/print/message.h"
#include "loader/core/session/session.h"

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

int options_seconds(struct options *o, const char *text, struct error *err)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "m", 60 }, { "h", 3600 } };
	char *unit;
	size_t i = 0;

	o->seconds = strtod(text, &unit);
	while (i < sizeof(units) / sizeof(units[0]) && strcmp(unit, units[i].name))
		i++;
	if (i < sizeof(units) / sizeof(units[0]))
		o->seconds *= units[i].seconds;
	if (unit == text || i == sizeof(units) / sizeof(units[0]) || !(o->seconds >= 0) ||
	    o->seconds > 1e9) {
		error_set(err, EINVAL, "'%s' is not a number of seconds from 0 to 1e9", text);
		error_hint(err, "as in -d 10, -d 500ms, -d 1.5m; the units are ms, s, m and h");
		return error_where(err, "-d");
	}
	return 0;
}

int options_interval(struct options *o, const char *text, struct error *err)
{
	return options_uint("-I", text, 1, 3600000, &o->interval_ms, err);
}

static int set_rows(struct options *o, const char *text, struct error *err)
{
	return options_uint("--rows", text, 0, UINT32_MAX, &o->rows, err);
}

static int set_pages(struct options *o, const char *text, struct error *err)
{
	int ret = options_uint("--pages", text, 1, 1u << 18, &o->ring_pages, err);

	if (ret || !(o->ring_pages & (o->ring_pages - 1)))
		return ret;
	error_set(err, EINVAL, "'%s' is not a power of two", text);
	return error_where(err, "--pages");
}

static int set_xdp_mode(struct options *o, const char *text, struct error *err)
{
	/* XDP_FLAGS_* in include/uapi/linux/if_link.h */
	static const struct {
		const char *name;
		uint32_t flag;
	} modes[] = { { "generic", 1 << 1 }, { "native", 1 << 2 }, { "offload", 1 << 3 } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(text, modes[i].name))
			continue;
		o->target.xdp_flags = modes[i].flag;
		return 0;
	}
	error_set(err, EINVAL, "'%s' is not generic, native or offload", text);
	return error_where(err, "--xdp-mode");
}

static int set_direction(struct options *o, const char *text, struct error *err)
{
	o->target.has_direction = true;
	o->target.direction = !strcmp(text, "egress") ? BPF_TCX_EGRESS : BPF_TCX_INGRESS;
	if (o->target.direction == BPF_TCX_EGRESS || !strcmp(text, "ingress"))
		return 0;
	error_set(err, EINVAL, "'%s' is neither ingress nor egress", text);
	return error_where(err, "--direction");
}

static void print_methods(FILE *out, const struct command *command)
{
	static const struct { const char *name, *help; } rows[] = {
		{ "    --attach=ioctl",
		  "The default. Bind programs with PERF_EVENT_IOC_SET_BPF. Open events by fixed "
		  "type, tracepoints and probes through tracefs." },
		{ "    --attach=pmu",
		  "Bind programs with PERF_EVENT_IOC_SET_BPF. Open events and probes through their "
		  "PMU in sysfs." },
		{ "    --attach=link",
		  "Bind programs with BPF_LINK_CREATE, which can pass a cookie. Open events by "
		  "fixed type, tracepoints through tracefs, probes through their PMU." },
		{ "    --attach=type+ioctl|type+link|pmu+ioctl|pmu+link|tracefs+ioctl|tracefs+link",
		  "Open and bind in exactly this way; fail if the event cannot be opened like "
		  "this." },
	};

	(void)command;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		options_print_help(out, rows[i].name, rows[i].help);
}

static const struct option_row attach_rows[] = {
	{ "attach", 0, "=METHOD", NULL, OPTION_PARSED, 0, set_attach, print_methods },
	{ "cookie", 0, "=N",
	  "Set the cookie that bpf_get_attach_cookie() (with links) and bpf_usdt_cookie() return.",
	  OPTION_PARSED, 0, set_cookie, NULL },
	{ "pin", 0, "=DIR",
	  "Keep the programs attached after pload exits: pin links, programs and maps under DIR. "
	  "DIR must be in a bpffs; it is created if needed. Requires --attach=link; see pload pin.",
	  OPTION_TEXT, OPTION_FIELD(pin), NULL, NULL },
	{ 0 },
};

static const struct option_row target_rows[] = {
	{ "dev", 0, "=NAME",
	  "Attach xdp and tc programs to this network device.",
	  OPTION_TEXT, OPTION_FIELD(target.device), NULL, NULL },
	{ "xdp-mode", 0, "=generic|native|offload",
	  "How the device runs xdp programs (default: the best mode it supports).",
	  OPTION_PARSED, 0, set_xdp_mode, NULL },
	{ "direction", 0, "=ingress|egress",
	  "Direction of SEC(\"tc\") programs, whose section name does not say.",
	  OPTION_PARSED, 0, set_direction, NULL },
	{ "cgroup", 0, "=DIR",
	  "Attach cgroup programs to this cgroup2 directory.",
	  OPTION_TEXT, OPTION_FIELD(target.cgroup), NULL, NULL },
	{ "target-map", 0, "=MAP",
	  "Attach sk_skb and sk_msg programs to this map, or iterate over it with "
	  "iter/bpf_map_elem programs. MAP is a map of the object (default: the only one that "
	  "fits), or the bpffs path or id of another map.",
	  OPTION_TEXT, OPTION_FIELD(target.map), NULL, NULL },
	{ "functions", 0, "=PATTERN",
	  "Attach kprobe.multi, uprobe.multi, fentry.multi and .session programs to these "
	  "functions instead of those in the section name: 'vfs_*,!vfs_read', or 'libc.so.6:mem*' "
	  "for a file.",
	  OPTION_TEXT, OPTION_FIELD(target.functions), NULL, NULL },
	{ 0 },
};

static const struct option_row output_rows[] = {
	{ "duration", 'd', "=SECONDS",
	  "Stop after SECONDS; units are allowed: 500ms, 1.5m, 1h. 0 attaches, enables and "
	  "detaches immediately. Default: run until ^C.",
	  OPTION_PARSED, 0, options_seconds, NULL },
	{ "counter", 0, "=[MAP:]EVENT",
	  "Count EVENT for bpf_perf_event_read() (default: chosen as for programs).",
	  OPTION_LIST, OPTION_FIELD(counters), NULL, NULL },
	{ "interval", 'I', "=MS",
	  "Every MS milliseconds, print how much each counter has counted since the last time.",
	  OPTION_PARSED, 0, options_interval, NULL },
	{ "per-cpu", 'A', NULL,
	  "Also print the counters of each CPU. JSON always includes them.",
	  OPTION_FLAG, OPTION_FIELD(per_cpu), NULL, NULL },
	{ "record", 0, "=[MAP:]TYPE",
	  "Decode records from MAP as struct TYPE, which the object defines.",
	  OPTION_LIST, OPTION_FIELD(records), NULL, NULL },
	{ "rows", 0, "=N",
	  "Print at most N elements of each map in text output; 0 prints all (default 32).",
	  OPTION_PARSED, 0, set_rows, NULL },
	{ "pages", 0, "=N",
	  "Number of data pages of each perf ring, a power of two (default 64).",
	  OPTION_PARSED, 0, set_pages, NULL },
	{ "strict", 0, NULL,
	  "Exit with status 3 if anything was lost: records, updates of a full map, program runs, "
	  "samples of a throttled event.",
	  OPTION_FLAG, OPTION_FIELD(strict), NULL, NULL },
	{ 0 },
};

const struct option_group options_attaching = { "Attaching", attach_rows };
const struct option_group options_targets = {
	"Attach targets of links (--attach=link; iter, raw_tp, tp_btf, fentry, lsm ... "
	"need no option)",
	target_rows
};
const struct option_group options_output = { "Maps and records", output_rows };

static const struct option_group *const groups[] = {
	&options_events,  &options_scope,   &options_output,	   &options_attaching,
	&options_targets, &options_loading, &options_kernel_types, &options_learning,
	NULL,
};

/* A word that names no file, and does not look like a path. */
static bool is_mistaken_command(const char *word)
{
	int fd;

	if (strpbrk(word, "./"))
		return false;
	fd = sys_openat(sys_linux(), AT_FDCWD, word, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		sys_close(sys_linux(), fd);
	return fd == -ENOENT;
}

/* Commands of perf(1) and of earlier versions, and what does the same here. */
static const struct {
	const char *command, *hint;
} others[] = {
	{ "record", "pload profile -- COMMAND samples call stacks, and prints them when it ends; "
		    "-o FILE writes them to a file" },
	{ "report", "a session prints its report when it ends; --format=flamegraph or folded "
		    "draws stacks: pload profile" },
	{ "top", "pload profile prints the functions when it ends; perf top, while it runs" },
	{ "adopt", "pload pin adopt DIR" },
	{ "detach", "pload pin remove DIR|PIN|all; bpftool link detach id ID, for a link" },
};

#define NR_OTHERS (sizeof(others) / sizeof(others[0]))

static int no_command(const char *word, struct error *err)
{
	const struct command *near = command_nearest(word);
	char names[128];

	error_set(err, EINVAL, "there is no command and no file '%s'", word);
	for (size_t i = 0; i < NR_OTHERS; i++)
		if (!strcmp(word, others[i].command))
			return error_hint(err, "%s", others[i].hint);
	command_names(names, sizeof(names));
	return error_hint(err, "%s%s%sthe commands are %s; pload prog.o attaches an object",
			  near ? "did you mean pload " : "", near ? near->name : "",
			  near ? "? " : "", names);
}

static bool is_object(const char *path)
{
	const size_t len = strlen(path);

	return len > 2 && !strcmp(path + len - 2, ".o");
}

static int check_object(const struct options *o, struct error *err)
{
	const char *first = o->nr_objects ? o->objects[0] : NULL;
	const struct command *near;

	if (!first) {
		error_set(err, EINVAL, "no object file given");
		if (o->child)
			return error_hint(err, "the object goes before '--': pload prog.o -- %s",
					  o->child[0]);
		if (o->command->name)
			return error_hint(err, "as in: pload %s prog.o", o->command->name);
		return error_hint(err, "as in: pload -d 1 ip_count.bpf.o; pload --help lists the "
				       "options");
	}
	if (o->nr_objects == 1)
		return is_mistaken_command(first) ? no_command(first, err) : 0;
	for (size_t i = 0; i < NR_OTHERS; i++)
		if (!strcmp(first, others[i].command) && is_mistaken_command(first))
			return no_command(first, err);
	error_set(err, EINVAL, "'%s' after the object file '%s': one object at a time",
		  o->objects[1], first);
	near = command_nearest(first);
	if (near && !strcmp(near->name, first))
		return error_hint(err, "a command goes before its options: pload %s ...", first);
	if (near)
		return error_hint(err, "did you mean pload %s %s?", near->name, o->objects[1]);
	if (!is_object(o->objects[1]))
		return error_hint(err, "a command to run goes after '--': pload %s -- %s", first,
				  o->objects[1]);
	return error_hint(err, "pload load takes any number of them");
}

int options_check_scope(const struct options *o, struct error *err)
{
	const struct { const char *option, *text; } scopes[] = {
		{ "-p", o->scope.processes }, { "-t", o->scope.threads }, { "-u", o->scope.user },
		{ "-G", o->scope.cgroups },
	};
	const char *first = o->all_cpus ? "-a" : NULL;

	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		if (!scopes[i].text)
			continue;
		if (first) {
			error_set(err, EINVAL, "%s and %s cannot be combined", first,
				  scopes[i].option);
			return error_hint(err, "-a is every process, -p processes, -t threads, "
					       "-u a user's processes, -G the tasks of cgroups");
		}
		first = scopes[i].option;
	}
	return 0;
}

static bool has_scope(const struct options *o)
{
	return o->scope.processes || o->scope.threads || o->scope.user || o->scope.cgroups ||
	       o->scope.cpus || o->scope.no_inherit || o->all_cpus;
}

int options_check_session(const struct options *o, struct error *err)
{
	int ret;

	if (o->period && o->freq)
		return error_set(err, EINVAL,
				 "-c and -F cannot be combined: give a period or a frequency");
	ret = options_check_scope(o, err);
	if (ret < 0)
		return ret;
	ret = cookie_check_options(o, err);
	if (ret < 0)
		return ret;
	if (o->pin && !o->method->is_link) {
		error_set(err, EINVAL,
			  "--pin with --attach=%s: a program bound by ioctl cannot be pinned, and "
			  "is detached when pload ends",
			  o->method->name);
		error_reason(err, "pin/no-link");
		return error_hint(err, "use --attach=link");
	}
	if (!o->method->is_link &&
	    (o->target.device || o->target.cgroup || o->target.map ||
	     o->target.functions)) {
		error_set(err, EINVAL, "--attach=%s attaches to events only",
			  o->method->name);
		error_reason(err, "attach/prog-type");
		return error_hint(err, "use --attach=link");
	}
	if (o->test_runs && (o->events.nr || has_scope(o) || o->child || o->has_cookie ||
			     o->pin || o->period || o->freq || o->seconds >= 0))
		return error_set(err, EINVAL,
				 "--test-run does not attach or wait: it cannot be combined with a "
				 "command, -e -F -c -C -p -t -u -G -a -d --cookie --pin");
	return 0;
}

static int check(struct options *o, struct error *err)
{
	const int ret = check_object(o, err);

	return ret < 0 ? ret : options_check_session(o, err);
}

/* The ways to open an event and to bind a program, as README.md has them. */
static void print_cells(FILE *out, const struct command *command)
{
	(void)command;
	options_print_help(out, "    --attach=OPEN+BIND",
			   "How to open the event, and bind the program by ioctl or link:");
	fputs("                             type+ioctl     type+link     PERF_TYPE_*\n"
	      "                             pmu+ioctl      pmu+link      a PMU in sysfs\n"
	      "                             tracefs+ioctl  tracefs+link  an id in tracefs\n"
	      "                           ioctl (the default), pmu and link take the usual one.\n",
	      out);
}

/* The options that most sessions need, in short. The parser reads the rows above only. */
static const struct option_row brief_rows[] = {
	{ .name = "event", .letter = 'e', .value = "=EVENT",
	  .help = "Attach to EVENT, as perf names it: cycles, sched:sched_switch, kprobe:vfs_read. "
		  "'pload list' prints the events of this machine." },
	{ .name = "freq", .letter = 'F', .value = "=HZ",
	  .help = "Sample HZ times a second. Or -c N: once every N events." },
	{ .name = "pid", .letter = 'p', .value = "=PID",
	  .help = "Limit the events to a process; -C CPUS, to these CPUs." },
	{ .name = "duration", .letter = 'd', .value = "=SECONDS",
	  .help = "Detach after SECONDS (default: at ^C)." },
	{ .name = "attach", .print = print_cells },
	{ .name = "pin", .value = "=DIR",
	  .help = "Leave the programs attached when pload exits (with --attach=link)." },
	{ .name = "prog", .value = "=NAME",
	  .help = "Load only this program. --set=NAME=VALUE sets a global variable." },
	{ .name = "format", .value = "=json",
	  .help = "Print JSON Lines. -o FILE writes them to a file." },
	{ .name = "trace", .help = "Print each system call, and what it is for." },
	{ .name = "dry-run",
	  .help = "Print the system calls without making them; needs no privilege." },
	{ .name = "verbose", .letter = 'v',
	  .help = "Print the whole log of the verifier when it rejects a program." },
	{ .name = "help", .letter = 'h', .value = "[=all]",
	  .help = "Print this text; with =all, every option." },
	{ .name = "version", .help = "Print the version." },
	{ 0 },
};

static const struct option_group brief_group = { "Options (--help=all prints all of them)",
						 brief_rows };
static const struct option_group *const brief[] = { &brief_group, NULL };

static const char about[] =
	"Load a BPF object with raw system calls, attach its programs, print their output,\n"
	"and detach them. With -- COMMAND, attach to that command's tasks until it exits,\n"
	"and exit with its status.\n";

static const char examples[] =
	"    pload -d 1 prog.o                            # attach for a second, then print maps\n"
	"    pload prog.o -- make -j2                     # attach to a command's tasks only\n"
	"    pload -e cycles -F 999 -p 42 prog.o          # sample a process until ^C\n"
	"    pload -e sched:sched_switch -C 0 prog.o      # a tracepoint, on one CPU\n"
	"    pload --attach=link --dev=lo prog.o          # an XDP or tc program, on a device\n"
	"    pload --format=json -o out.json -d 1 prog.o  # JSON Lines, written to a file\n";

const struct command command_default = {
	.arguments = "prog.o [-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.formats = profile_output_formats,
	.about = about,
	.examples = examples,
	.groups = groups,
	.brief = brief,
	.check = check,
	.run = session_run,
};
