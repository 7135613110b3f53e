// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the command line says, and what --help says about it. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cmd/options.h"

enum {
	OPT_ATTACH = 256,
	OPT_BTF,
	OPT_COOKIE,
	OPT_CORE,
	OPT_COUNTER,
	OPT_DRY_RUN,
	OPT_FORMAT,
	OPT_LICENSE,
	OPT_NO_ENABLE,
	OPT_PAGES,
	OPT_PROG,
	OPT_RECORD,
	OPT_ROWS,
	OPT_TEST_RUN,
	OPT_TRACE,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "attach", required_argument, NULL, OPT_ATTACH },
	{ "btf", required_argument, NULL, OPT_BTF },
	{ "cookie", required_argument, NULL, OPT_COOKIE },
	{ "core", required_argument, NULL, OPT_CORE },
	{ "count", required_argument, NULL, 'c' },
	{ "counter", required_argument, NULL, OPT_COUNTER },
	{ "cpu", required_argument, NULL, 'C' },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "duration", required_argument, NULL, 'd' },
	{ "event", required_argument, NULL, 'e' },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "freq", required_argument, NULL, 'F' },
	{ "help", no_argument, NULL, 'h' },
	{ "license", required_argument, NULL, OPT_LICENSE },
	{ "no-enable", no_argument, NULL, OPT_NO_ENABLE },
	{ "pages", required_argument, NULL, OPT_PAGES },
	{ "pid", required_argument, NULL, 'p' },
	{ "prog", required_argument, NULL, OPT_PROG },
	{ "record", required_argument, NULL, OPT_RECORD },
	{ "rows", required_argument, NULL, OPT_ROWS },
	{ "test-run", optional_argument, NULL, OPT_TEST_RUN },
	{ "trace", no_argument, NULL, OPT_TRACE },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

void options_help(FILE *out)
{
	fputs("usage: pload [options] prog.o\n"
	      "\n"
	      "Loads a BPF object by raw system calls, attaches its programs to perf events, prints what they say,\n"
	      "and takes everything away again.\n"
	      "\n"
	      "Attaching:\n",
	      out);
	for (unsigned int i = 0; i < attach_nr_methods; i++)
		fprintf(out, "  --attach=%-13s %s%s\n", attach_methods[i].name,
			attach_methods[i].summary, i == 0 ? " (default)" : "");
	fputs("  --cookie=N             what bpf_get_attach_cookie() returns (link only)\n"
	      "  --no-enable            bind the programs and leave the events disabled\n"
	      "  --prog=NAME            load this program only (may be repeated)\n"
	      "\n"
	      "Events (else the one in the program's section name, else cycles or cpu-clock):\n"
	      "  -e, --event=EVENT      cycles, cpu-clock, page-faults ... as perf names them; TYPE:CONFIG;\n"
	      "                         CATEGORY:NAME (tracepoint); mem:ADDR[/LEN][:rwx]; PMU/TERMS/ (of sysfs);\n"
	      "                         each with ,freq=HZ or ,period=N behind it (may be repeated)\n"
	      "  -F, --freq=HZ          sample so many times a second\n"
	      "  -c, --count=PERIOD     sample once every so many events\n"
	      "  -C, --cpu=LIST         on these CPUs, as in 0-3,5\n"
	      "  -p, --pid=PID          in this process: its threads, and those and the children to come\n"
	      "  -a, --all-cpus         on all online CPUs, in every process (the default)\n"
	      "\n"
	      "Maps and output:\n"
	      "  -d, --duration=SECONDS stop after so long; 0: attach, enable, detach at once (default: until ^C)\n"
	      "      --format=text|json text, or JSON Lines\n"
	      "      --counter=[MAP:]EVENT  what to count for bpf_perf_event_read() (default: as for programs)\n"
	      "      --record=[MAP:]TYPE  decode the records of MAP as this struct of the object\n"
	      "      --rows=N           rows of a map shown as text, 0 for all (default 32)\n"
	      "      --pages=N          pages of each perf ring, a power of two (default 64)\n"
	      "\n"
	      "Without an event:\n"
	      "      --test-run[=N]     run xdp and tc programs N times over a packet of ours\n"
	      "      --license=TEXT     for an object that has none\n"
	      "\n"
	      "Types of the kernel (CO-RE):\n"
	      "      --core=user|kernel who finds fields and values: pload (default), or BPF_PROG_LOAD (Linux 5.17)\n"
	      "      --btf=FILE         in this BTF and not the running kernel's: raw, or an ELF file that has it\n"
	      "\n"
	      "Learning:\n"
	      "      --trace            print each system call as it is made, decoded\n"
	      "      --dry-run          the same with no kernel and no privilege\n"
	      "  -v, --verbose          the whole verifier log when a program is refused\n"
	      "  -h, --help   --version\n"
	      "\n"
	      "Exit status: 0, 1 when something was refused or failed, 2 for a wrong command line.\n",
	      out);
}

/* A whole number in [@min, @max], decimal, 0x hexadecimal or 0 octal. */
static int parse_number(const char *option, const char *text, uint64_t min, uint64_t max,
			uint64_t *value, struct error *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	/* strtoull takes " -1" and gives the largest number for it. */
	if (!isdigit((unsigned char)text[0]) || *end || errno || *value < min || *value > max) {
		error_set(err, EINVAL, "'%s' is not a whole number from %llu to %llu", text,
			  (unsigned long long)min, (unsigned long long)max);
		return error_where(err, "%s", option);
	}
	return 0;
}

static int parse_rate(const char *option, const char *text, uint64_t max, uint64_t *value,
		      struct error *err)
{
	int ret = parse_number(option, text, 1, max, value, err);

	if (ret && !strcmp(text, "0"))
		error_hint(err, "a counting event accepts a program and never runs it");
	return ret;
}

static int parse_seconds(const char *text, double *seconds, struct error *err)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end == text || *end || !(*seconds >= 0) || *seconds > 1e9) {
		error_set(err, EINVAL, "'%s' is not a number of seconds from 0 to 1e9", text);
		return error_where(err, "-d");
	}
	return 0;
}

static int parse_core(const char *text, bool *by_kernel, struct error *err)
{
	*by_kernel = !strcmp(text, "kernel");
	if (*by_kernel || !strcmp(text, "user"))
		return 0;
	error_set(err, EINVAL, "'%s' is neither user nor kernel", text);
	return error_where(err, "--core");
}

static int add_to_list(struct option_list *list, const char *option, const char *text,
		       struct error *err)
{
	if (list->nr == OPTIONS_MAX_LIST) {
		error_set(err, EINVAL, "given more than %d times", OPTIONS_MAX_LIST);
		return error_where(err, "%s", option);
	}
	list->text[list->nr++] = text;
	return 0;
}

/* The options without a value: each is a field. NULL for the others. */
static bool *flag_of(struct options *o, int opt)
{
	switch (opt) {
	case 'a':
		return &o->all_cpus;
	case OPT_NO_ENABLE:
		return &o->no_enable;
	case OPT_TRACE:
		return &o->trace;
	case OPT_DRY_RUN:
		return &o->dry_run;
	case 'v':
		return &o->verbose;
	case 'h':
		return &o->help;
	case OPT_VERSION:
		return &o->version;
	}
	return NULL;
}

/* The options whose value is taken as it is. NULL for the others. */
static const char **text_of(struct options *o, int opt)
{
	switch (opt) {
	case 'C':
		return &o->cpus;
	case OPT_BTF:
		return &o->load.btf;
	case OPT_LICENSE:
		return &o->load.license;
	}
	return NULL;
}

static int parse_pages(const char *arg, unsigned int *pages, struct error *err)
{
	uint64_t n = 0;
	int ret = parse_number("--pages", arg, 1, 1u << 18, &n, err);

	*pages = n;
	if (ret || !(n & (n - 1)))
		return ret;
	error_set(err, EINVAL, "'%s' is not a power of two", arg);
	return error_where(err, "--pages");
}

static int parse_option(struct options *o, int opt, const char *arg, struct error *err)
{
	const char **text = text_of(o, opt);
	bool *flag = flag_of(o, opt);
	uint64_t n = 0;
	int ret = 0;

	if (text)
		*text = arg;
	if (flag)
		*flag = true;
	if (text || flag)
		return 0;
	switch (opt) {
	case OPT_ATTACH:
		o->method = attach_method_find(arg, err);
		return o->method ? 0 : -EINVAL;
	case OPT_FORMAT:
		o->format = output_format_find(arg, err);
		return o->format ? 0 : -EINVAL;
	case OPT_CORE:
		return parse_core(arg, &o->load.core_by_kernel, err);
	case OPT_COOKIE:
		o->has_cookie = true;
		return parse_number("--cookie", arg, 0, UINT64_MAX, &o->cookie, err);
	case OPT_COUNTER:
		return add_to_list(&o->counters, "--counter", arg, err);
	case OPT_RECORD:
		return add_to_list(&o->records, "--record", arg, err);
	case OPT_PROG:
		return add_to_list(&o->progs, "--prog", arg, err);
	case 'e':
		return add_to_list(&o->events, "-e", arg, err);
	case 'c':
		return parse_rate("-c", arg, INT64_MAX, &o->period, err);
	case 'F':
		return parse_rate("-F", arg, UINT32_MAX, &o->freq, err);
	case 'p':
		ret = parse_number("-p", arg, 1, INT32_MAX, &n, err);
		o->pid = n;
		return ret;
	case 'd':
		return parse_seconds(arg, &o->seconds, err);
	case OPT_ROWS:
		ret = parse_number("--rows", arg, 0, UINT32_MAX, &n, err);
		o->rows = n;
		return ret;
	case OPT_PAGES:
		return parse_pages(arg, &o->ring_pages, err);
	case OPT_TEST_RUN:
		ret = parse_number("--test-run", arg ? arg : "1", 1, 1u << 20, &n, err);
		o->test_runs = n;
		return ret;
	default:
		return error_set(err, EINVAL, "option %d is not handled", opt);
	}
}

/* What getopt found wrong, in our words. It has left the place in optopt and argv. */
static int unknown_option(int opt, char **argv, struct error *err)
{
	const char *text = argv[optind - 1];

	if (opt == ':')
		error_set(err, EINVAL, "'%s' needs a value", text);
	else if (optopt && optopt < OPT_ATTACH && strncmp(text, "--", 2))
		error_set(err, EINVAL, "unknown option '-%c'", optopt);
	else
		error_set(err, EINVAL, "unknown or ambiguous option '%s'", text);
	return err->code;
}

/* What is right alone and wrong together. */
static int check_together(const struct options *o, struct error *err)
{
	if (o->period && o->freq)
		return error_set(err, EINVAL,
				 "-c and -F exclude each other: a period or a frequency");
	if (o->all_cpus && (o->pid || o->cpus))
		return error_set(err, EINVAL, "-a is every process on every CPU: without -p and -C");
	if (o->has_cookie && !o->method->takes_cookie) {
		error_set(err, EINVAL,
			  "--attach=%s has no cookie: bpf_get_attach_cookie() would return 0",
			  o->method->name);
		error_reason(err, "attach/no-cookie");
		return error_hint(err, "--attach=link");
	}
	if (o->load.core_by_kernel && o->load.btf)
		return error_set(err, EINVAL, "--core=kernel takes the kernel's own types, not --btf");
	if (o->test_runs && (o->events.nr || o->pid || o->cpus || o->all_cpus || o->has_cookie ||
			     o->period || o->freq || o->seconds >= 0 || o->no_enable))
		return error_set(err, EINVAL, "--test-run attaches to nothing and waits for nothing: "
				 "without -e -F -c -C -p -a -d --cookie --no-enable");
	return 0;
}

static int parse(struct options *o, int argc, char **argv, struct error *err)
{
	int opt, ret;

	*o = (struct options){
		.method = &attach_methods[0], .seconds = -1, .rows = 32, .ring_pages = 64
	};
	o->format = output_format_find("text", err);
	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":e:F:c:C:p:ad:vh", long_options, NULL)) != -1) {
		ret = opt == '?' || opt == ':' ? unknown_option(opt, argv, err)
					       : parse_option(o, opt, optarg, err);
		if (ret)
			return ret;
	}
	if (o->help || o->version)
		return 0;
	if (optind == argc) {
		error_set(err, EINVAL, "no object file given");
		return error_hint(err, "as in: pload --attach=ioctl prog.o");
	}
	if (argc - optind > 1) {
		return error_set(err, EINVAL,
				 "'%s' after the object file '%s': one object at a time",
				 argv[optind + 1], argv[optind]);
	}
	o->object = argv[optind];
	return check_together(o, err);
}

int options_parse(struct options *o, int argc, char **argv, struct error *err)
{
	int ret = parse(o, argc, argv, err);

	if (ret < 0 && !err->hint[0])
		error_hint(err, "pload --help lists the options and their values");
	return ret;
}
