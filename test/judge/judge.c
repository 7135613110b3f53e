// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The judge of a learner's loader: which stage, which loader, and the sentences at the end. */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/value/value.h"
#include "test/judge/conformance/conformance.h"
#include "test/judge/stages/stages.h"
#include "test/judge/watch.h"

#define FIRST_KEYS_MAX 1000	/* a loader that gets the first key more often never gets the next one */

const struct stage *const stages[] = {
	&stage_sections, &stage_symbols, &stage_functions, &stage_maps, &stage_create, &stage_data,
	&stage_references, &stage_calls, &stage_load, &stage_log, &stage_event, &stage_pmu, &stage_link,
	&stage_cpus, &stage_values, &stage_ring, &stage_end, &stage_pin, &stage_core, NULL,
};

bool wrong(struct run *run, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(run->sentence, sizeof(run->sentence), fmt, args);
	va_end(args);
	return false;
}

void allowed(struct run *run, const char *fmt, ...)
{
	char sentence[SENTENCE_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	for (uint32_t i = 0; i < run->nr_allowed; i++)
		if (!strcmp(run->allowed[i], sentence))
			return;
	if (run->nr_allowed < sizeof(run->allowed) / sizeof(*run->allowed))
		strcpy(run->allowed[run->nr_allowed++], sentence);
}

const char *last_failure(struct run *run)
{
	run->failure[0] = 0;
	if (run->seen.last[0])
		snprintf(run->failure, sizeof(run->failure), "; the last call that failed is %s",
			 run->seen.last);
	return run->failure;
}

/* --- the words on the command line --- */

static const char usage[] =
	"usage: judge STAGE [OPTIONS] -- COMMAND...\n"
	"       judge [STAGE]\n"
	"       judge --compile=DIR\n"
	"Run a loader of BPF objects, watch its system calls, and report what is right and what the\n"
	"first mistake is.\n"
	"Without a command, show the stages and which are passed, or what one of them wants. STAGE is\n"
	"a number, a name, 'next' (the first that is not passed) or 'all'.\n"
	"\n"
	"  --hint[=N]      after a mistake, give its first N hints: 1, 2, 3 (default 1)\n"
	"  --seed=N        the same object as in a run that printed this number\n"
	"  --keep=DIR      keep the object and its source there\n"
	"  --watch         judge again whenever a file of the command changes, until Ctrl-C\n"
	"  --format=FORMAT text, tap (the checks as a test suite) or json (a line for each check)\n"
	"  --timeout=SEC   the time that the loader has until 'ready', and to its end (default 10)\n"
	"  --compile=DIR   compile an object for each stage to DIR, for machines without clang\n"
	"  --objects=DIR   take them from there\n"
	"  --peer          the command may execute a loader that somebody else has written, and gets\n"
	"                  objects without static functions beside programs, which libbpf refuses\n"
	"  --help\n"
	"\n"
	"judge --conformance judges a loader by the statements of docs/loading: see its --help.\n"
	"\n"
	"The status is 0 when the stage is passed, 1 when not, 2 for wrong arguments, and 4 when the\n"
	"judge cannot judge.\n";

static const struct stage *find_stage(const char *word, int *nr)
{
	char *end;
	const long number = strtol(word, &end, 10);

	for (int i = 0; stages[i]; i++) {
		*nr = i + 1;
		if ((!*end && number == i + 1) || !strcmp(word, stages[i]->name))
			return stages[i];
	}
	return NULL;
}

/* Return a number that differs each time and is short enough to type. */
static uint64_t random_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec ^ now.tv_nsec) & 0xffffff;
}

/* --- after the run --- */

/* The last complete line that the loader printed. */
static const char *last_line(const struct run *run)
{
	const char *end = run->out.len ? memrchr(run->out.bytes, '\n', run->out.len) : NULL;
	const char *before = end ? memrchr(run->out.bytes, '\n', end - run->out.bytes) : NULL;

	return before ? before + 1 : run->out.bytes ?: "";
}

static int last_line_length(const struct run *run)
{
	const int length = strcspn(last_line(run), "\r\n");

	return length < 80 ? length : 80;
}

/* Return true if the judge ended the run itself, with the reason as the mistake. */
static bool was_stopped(struct run *run)
{
	if (run->seen.spied[0])
		wrong(run, "%s", run->seen.spied);
	else if (run->flooded && run->seen.first_keys > FIRST_KEYS_MAX)
		wrong(run, "your program has printed more than a megabyte: it got the first key %u times. "
		      "BPF_MAP_GET_NEXT_KEY returns the first key when it gets none (key 0), and else the one "
		      "after the key that it gets", run->seen.first_keys);
	else if (run->flooded)
		wrong(run, "your program has printed more than a megabyte, and the judge has ended it. Does it print "
			   "the same again and again? A line of it is '%.*s'", last_line_length(run), last_line(run));
	return run->seen.spied[0] || run->flooded;
}

/* Check how the loader ended; return false if it should not have ended like this. */
static bool ended(struct run *run)
{
	if (run->timed_out && run->first_ended)
		return wrong(run, "your program has ended, and a process that it has started has not: it holds "
			     "what is open there");
	if (run->late_ready)
		return wrong(run, "your program waits, and its line 'ready' came only when its input had ended: "
			     "output to a pipe is buffered, so flush it after that line");
	if (run->timed_out && !run->ready)
		return wrong(run, "your program did not print 'ready' and did not end within %d s: if it waits, flush "
			     "its output%s", run->limit, last_failure(run));
	if (run->timed_out && run->seen.first_keys > FIRST_KEYS_MAX)
		return wrong(run, "your program did not end within %d s: it got the first key %u times. "
			     "BPF_MAP_GET_NEXT_KEY returns the first key when it gets none (key 0), and else the "
			     "one after the key that it gets", run->limit, run->seen.first_keys);
	if (run->timed_out)
		return wrong(run, "your program did not end within %d s after its standard input had ended",
			     run->limit);
	if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == 127 && !run->out.len)
		return wrong(run, "'%s' cannot be run", run->command[0]);
	if (WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGXFSZ)
		return wrong(run, "your program was ended by signal %d (%s): it wrote a file of more than the %d MB "
			     "that the judge allows", SIGXFSZ, strsignal(SIGXFSZ), FILE_SIZE_MAX >> 20);
	if (WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGKILL)
		return wrong(run, "your program was ended by signal 9 (%s) %s 'ready': it may have taken more than "
			     "the %llu MB that the judge allows", strsignal(SIGKILL),
			     run->ready ? "after" : "before", (unsigned long long)(memory_limit() >> 20));
	if (WIFSIGNALED(run->status))
		return wrong(run, "your program was ended by signal %d (%s) %s 'ready'%s",
			     WTERMSIG(run->status), strsignal(WTERMSIG(run->status)),
			     run->ready ? "after" : "before", last_failure(run));
	return true;
}

/* Return true if all checks are passed. A crash is reported first: what is missing then follows. */
static bool judge(struct run *run)
{
	const struct check *c = run->stage->checks;
	bool ended_well;
	char how[SENTENCE_SIZE];

	if (was_stopped(run)) {
		report_mistake(run, c, NULL, false);
		return false;
	}
	ended_well = ended(run);
	strcpy(how, run->sentence);
	for (; c->id && c->test(run); c++)
		report_right(run, c);
	if (!ended_well)
		wrong(run, "%s", how);
	if (c->id || !ended_well) {
		report_mistake(run, c, c->id ? c : NULL, ended_well);
		return false;
	}
	report_passed(run);
	return true;
}

static int judge_loader(struct run *run)
{
	int status = CANNOT_JUDGE;

	if (mount_folder(run) && enable_stats(run) && object_build(run) && watch(run))
		status = 0;
	if (run->signal) {
		status = 128 + run->signal;
	} else if (status) {
		fprintf(stderr, "judge: %s\n", run->sentence);
	} else {
		report_stage(run);
		status = judge(run) ? 0 : NOT_RIGHT;
	}
	if (fflush(stdout) && !status)
		status = CANNOT_JUDGE;
	unmount_folder(run);
	watch_forget(run);
	bpf_object_free(&run->object);
	free(run->file);
	return status;
}

static int compile_all(struct run *run, const char *dir)
{
	for (int i = 0; stages[i]; i++) {
		run->stage = stages[i];
		if (!object_compile(run, dir)) {
			fprintf(stderr, "judge: %s\n", run->sentence);
			return CANNOT_JUDGE;
		}
	}
	return 0;
}

static unsigned long number_of(const char *text, const char *option, unsigned long min,
			       unsigned long max)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 0);
	if (*end || end == text || *text == '-' || errno || number < min || number > max)
		errx(WRONG_USAGE, "--%s=%s: a number from %lu to %lu", option, text, min, max);
	return number;
}

/* Judge one stage. Return: the status of the process. */
static int judge_stage(const struct run *options, int nr)
{
	struct run run = *options;
	int status = -1;

	run.nr = nr;
	run.stage = stages[nr - 1];
	if (make_folder(&run))
		status = keep(&run, judge_loader);
	if (status < 0)
		fprintf(stderr, "judge: %s\n", run.sentence);
	if (status < 0 || status == CANNOT_JUDGE || status > 128)
		report_bail_out(&run);
	else
		progress_keep(&run, status == 0);
	return status < 0 ? CANNOT_JUDGE : status;
}

/* Judge all stages, of which only the first mistake is reported in full. */
static int judge_all(const struct run *options)
{
	struct run run = *options;
	int worst = 0, passed = 0;

	run.all = true;
	for (int nr = 1; stages[nr - 1]; nr++) {
		const int status = judge_stage(&run, nr);

		if (status > NOT_RIGHT)
			return status;
		run.first_test += report_nr_tests(stages[nr - 1]);
		run.brief |= status == NOT_RIGHT;
		passed += status == 0;
		worst = status ? status : worst;
	}
	report_all(&run, passed);
	return worst;
}

/* Judge once, or again at each change. */
static int judge_command(struct run *run, int nr, bool again)
{
	int status;

	do {
		status = nr ? judge_stage(run, nr) : judge_all(run);
		report_end(run, nr, status == 0);
		fflush(stdout);
		run->seed = random_seed();
	} while (again && status <= CANNOT_JUDGE && wait_for_change(run));
	return status;
}

/* Parse the options. Return: false if they are wrong; *@status is that of the process. */
static int parse_options(struct run *run, int argc, char **argv, const char **compile, bool *again)
{
	static const struct option options[] = {
		{ "hint", optional_argument, NULL, 'h' }, { "seed", required_argument, NULL, 's' },
		{ "keep", required_argument, NULL, 'k' }, { "timeout", required_argument, NULL, 't' },
		{ "objects", required_argument, NULL, 'o' }, { "compile", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' }, { "watch", no_argument, NULL, 'w' },
		{ "peer", no_argument, NULL, 'p' }, { "help", no_argument, NULL, '?' + 256 },
		{ 0 } };
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'h')
			run->hints = optarg ? number_of(optarg, "hint", 1, HINTS) : 1;
		else if (opt == 's')
			run->seed = number_of(optarg, "seed", 0, UINT32_MAX);
		else if (opt == 'k')
			run->keep = optarg;
		else if (opt == 't')
			run->limit = number_of(optarg, "timeout", 1, 3600);
		else if (opt == 'o')
			run->objects = optarg;
		else if (opt == 'c')
			*compile = optarg;
		else if (opt == 'f' && !report_format(run, optarg))
			errx(WRONG_USAGE, "--format=%s: text, tap or json", optarg);
		else if (opt == 'w')
			*again = true;
		else if (opt == 'p')
			run->is_peer = true;
		else if (opt == '?' + 256)
			exit(fputs(usage, stdout) < 0);
		else if (opt == '?')
			errx(WRONG_USAGE, "judge --help shows the options");
	}
	return optind;
}

/* The words before the command. Return: the number of the stage, 0 for all; -1: there is none. */
static int find_words(const char *word)
{
	int nr;

	if (!strcmp(word, "all"))
		return 0;
	if (!strcmp(word, "next"))
		return progress_next();
	return find_stage(word, &nr) ? nr : -1;
}

int main(int argc, char **argv)
{
	struct run run = { .limit = LIMIT_SECONDS, .seed = random_seed() };
	const char *compile = NULL;
	bool again = false;
	int nr, first;
	/* The command's own options are not for the judge. */
	int end = argc;

	if (argc > 1 && !strcmp(argv[1], "--conformance"))
		return conformance_main(argc - 1, argv + 1);
	for (int i = 1; i < argc && end == argc; i++)
		if (!strcmp(argv[i], "--"))
			end = i;
	first = parse_options(&run, end, argv, &compile, &again);
	if (compile)
		return compile_all(&run, compile);
	if (first >= end && end == argc)
		return show_stages(), 0;
	if (first + 1 != end)
		errx(WRONG_USAGE, "one STAGE is needed, then -- and the command of your loader: judge --help");
	nr = find_words(argv[first]);
	if (nr < 0)
		errx(WRONG_USAGE, "there is no stage '%s': judge shows them", argv[first]);
	if (end == argc && nr)
		return show_stage(stages[nr - 1], nr), 0;
	if (end == argc)
		return show_stages(), 0;
	if (end + 1 == argc)
		errx(WRONG_USAGE, "the command of your loader is missing after --");
	run.command = argv + end + 1;
	block_signals();
	if (geteuid() != 0) {
		fprintf(stderr, "judge: the judge asks the kernel for maps and programs, which root may: run it by "
				"sudo\n");
		return CANNOT_JUDGE;
	}
	return judge_command(&run, nr, again);
}
