// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The judge of a learner's loader: which stage, which loader, and the sentences at the end. */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/value/value.h"
#include "test/judge/stages/stages.h"
#include "test/judge/watch.h"

#define LIMIT_SECONDS 10
#define FIRST_KEYS_MAX 1000	/* a loader that gets the first key more often never gets the next one */

/* Exit statuses, beside 0. */
enum { NOT_RIGHT = 1, WRONG_USAGE = 2, CANNOT_JUDGE = 4 };

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
	"Without a command, show the stages, or what one of them wants. STAGE is a number or a name.\n"
	"\n"
	"  --hint[=N]      after a mistake, give its first N hints: 1, 2, 3 (default 1)\n"
	"  --seed=N        the same object as in a run that printed this number\n"
	"  --keep=DIR      keep the object and its source there\n"
	"  --timeout=SEC   the time that the loader has until 'ready', and to its end (default 10)\n"
	"  --compile=DIR   compile an object for each stage to DIR, for machines without clang\n"
	"  --objects=DIR   take them from there\n"
	"  --peer          the command may execute a loader that somebody else has written, and gets\n"
	"                  objects without static functions beside programs, which libbpf refuses\n"
	"  --help\n"
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

static void show_stages(void)
{
	for (int i = 0; stages[i]; i++)
		printf("%2d  %-11s %s\n", i + 1, stages[i]->name, stages[i]->title);
	printf("\njudge STAGE shows what a stage wants, judge STAGE -- COMMAND... judges a loader.\n"
	       "The contract is in docs/course/README.md.\n");
}

static void show_stage(const struct stage *stage, int nr)
{
	printf("%d %s: %s\n\n%s\n\n", nr, stage->name, stage->title, stage->task);
	for (const struct check *c = stage->checks; c->id; c++)
		printf("  %-18s %s\n", c->id, c->right);
	printf("\nIt calls: COMMAND... OBJECT %s %s%s\n", stage->method, stage->cookie ? "COOKIE" : "0",
	       stage->pin ? " PIN" : "");
	printf("To read:");
	for (const struct check *c = stage->checks; c->id; c++)
		if (c == stage->checks || strcmp(c->page, c[-1].page))
			printf(" docs/%s", c->page);
	printf("\n");
}

/* --- before the run --- */

static bool make_folder(struct run *run)
{
	const char *tmp = getenv("TMPDIR");

	if (snprintf(run->dir, sizeof(run->dir), "%s/judge.XXXXXX", tmp && *tmp ? tmp : "/tmp") >=
	    (int)sizeof(run->dir))
		return wrong(run, "TMPDIR is too long");
	return mkdtemp(run->dir) || wrong(run, "%s: %s", run->dir, strerror(errno));
}

#define PMU_TYPE "/sys/bus/event_source/devices/software/type"

/*
 * Whoever reads the number of the PMU and whoever knows that it is 1 pass the same. So the file has
 * another number here, in the judge's mount namespace. Without sysfs, nothing is proved.
 */
static void mount_pmu_number(struct run *run)
{
	const uint32_t number = 100 + run->seed % 900;
	char path[320];
	FILE *out;

	if (strcmp(run->stage->method, "pmu"))
		return;
	snprintf(path, sizeof(path), "%s/pmu", run->dir);
	out = fopen(path, "we");
	if (!out)
		return;
	fprintf(out, "%u\n", number);
	if (fclose(out) == 0 && mount(path, PMU_TYPE, NULL, MS_BIND, NULL) == 0)
		run->pmu = number;
}

/*
 * A mount namespace of the judge's own. The folder is a tmpfs there, in which pins are in a bpffs:
 * both go with it, and whatever the loader leaves there.
 */
static bool mount_folder(struct run *run)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", run->dir, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=700"))
		return wrong(run, "a tmpfs cannot be mounted: %s", strerror(errno));
	mount_pmu_number(run);
	if (!run->stage->pin)
		return true;
	snprintf(run->pin, sizeof(run->pin), "%s/bpf", run->dir);
	if (mkdir(run->pin, 0700) || mount("bpffs", run->pin, "bpf", 0, NULL))
		return wrong(run, "a bpffs cannot be mounted: %s", strerror(errno));
	strcat(run->pin, "/link");
	return true;
}

/* Ask for run counts, for as long as the judge runs. */
static bool enable_stats(struct run *run)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	if (syscall(__NR_bpf, BPF_ENABLE_STATS, &attr, sizeof(attr)) >= 0)
		return true;
	if (errno == EPERM)
		return wrong(run, "bpf(2) is refused: run the judge as root; in a container, or where root may not "
			     "use it, `make vm-shell` starts a kernel");
	return wrong(run, "this kernel cannot count the runs of programs (BPF_ENABLE_STATS, Linux 5.8): %s",
		     strerror(errno));
}

static void keep_files(const struct run *run)
{
	char to[512];
	/* From a file system of its own: copied by a command that everybody has. */
	const char *args[] = { "cp", "-r", run->dir, to, NULL };
	int status;
	pid_t pid;

	snprintf(to, sizeof(to), "%.400s/%.100s", run->keep, strrchr(run->dir, '/') + 1);
	if (mkdir(run->keep, 0777) && errno != EEXIST) {
		fprintf(stderr, "judge: --keep=%s: %s\n", run->keep, strerror(errno));
		return;
	}
	pid = fork();
	if (pid == 0) {
		execvp(args[0], (char *const *)args);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		printf("The object and its source are in %s.\n", to);
}

static void unmount_folder(const struct run *run)
{
	char path[320];

	snprintf(path, sizeof(path), "%s/bpf", run->dir);
	if (run->pin[0] && umount2(path, MNT_DETACH) == 0)
		rmdir(path);
	if (run->keep)
		keep_files(run);
	if (run->pmu)
		umount2(PMU_TYPE, MNT_DETACH);
	umount2(run->dir, MNT_DETACH);
}

/* --- after the run --- */

/* The last line that the loader has printed whole. */
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

/* Return true if the judge has ended the run itself, and describe why. */
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

/* How the loader ended; return false if it should not have ended so. */
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
	if (WIFSIGNALED(run->status))
		return wrong(run, "your program was ended by signal %d (%s) %s 'ready'%s",
			     WTERMSIG(run->status), strsignal(WTERMSIG(run->status)),
			     run->ready ? "after" : "before", last_failure(run));
	return true;
}

/* A terminal obeys what a loader writes, and what it names. */
static void print_escaped(const char *text, size_t size)
{
	text_print(stdout, text, size, 0);
	putchar('\n');
}

#define FIRST_LINES 2
#define LAST_LINES 5

/*
 * Print what the loader said on standard error, without lines that repeat the one before: the first
 * lines, with which some languages name the cause, and the last ones, with which others do.
 */
static void print_errors(const struct run *run)
{
	const char *lines[FIRST_LINES + LAST_LINES], *last = "";
	unsigned int nr = 0;

	for (const char *line = run->err.bytes ? run->err.bytes : ""; *line;) {
		const size_t len = strcspn(line, "\n");

		if (len && strncmp(line, last, len + 1)) {
			if (nr >= FIRST_LINES + LAST_LINES)
				memmove(lines + FIRST_LINES, lines + FIRST_LINES + 1,
					(LAST_LINES - 1) * sizeof(*lines));
			lines[nr < FIRST_LINES + LAST_LINES ? nr : FIRST_LINES + LAST_LINES - 1] = line;
			nr++;
		}
		last = line;
		line += len + (line[len] == '\n');
	}
	for (unsigned int i = 0; i < nr && i < FIRST_LINES + LAST_LINES; i++) {
		const int len = strcspn(lines[i], "\n");

		if (i == FIRST_LINES && nr > FIRST_LINES + LAST_LINES)
			printf("      ... (%u more lines)\n", nr - FIRST_LINES - LAST_LINES);
		printf("      your program says: ");
		print_escaped(lines[i], len < 160 ? len : 160);
	}
}

/* A language's own buffer is lost when the program ends in another way than by its last line. */
static void print_cut_off(const struct run *run)
{
	const char *line;

	if (!run->out.len || run->out.bytes[run->out.len - 1] == '\n')
		return;
	line = memrchr(run->out.bytes, '\n', run->out.len);
	line = line ? line + 1 : run->out.bytes;
	printf("      note: your output ends in the middle of a line, after '");
	text_print(stdout, line, strnlen(line, 60), 0);
	printf("': flush it before your program ends\n");
}

/* An older kernel refuses what is right. Distributions add features to it, so this is a remark. */
static void print_age(const struct stage *stage)
{
	unsigned int major, minor;
	struct utsname name;

	if (stage->major && !uname(&name) && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	    (major < stage->major || (major == stage->major && minor < stage->minor)))
		printf("      this stage needs Linux %u.%u, and this is %s\n", stage->major, stage->minor,
		       name.release);
}

/* @named: the last line names the check; a loader that crashed did not fail there. */
static void print_mistake(const struct run *run, const struct check *check, bool named)
{
	printf("  no  ");
	print_escaped(run->sentence, strlen(run->sentence));
	print_errors(run);
	print_cut_off(run);
	print_age(run->stage);
	if (check)
		printf("      read: docs/%s\n", check->page);
	for (int i = 0; check && i < run->hints && check->hints[i][0]; i++)
		printf("      hint %d: %s\n", i + 1, check->hints[i]);
	printf("      again: %s %d --seed=%llu%s --", program_invocation_name, run->nr,
	       (unsigned long long)run->seed, run->hints ? "" : " --hint");
	for (char **word = run->command; *word; word++)
		printf(" %s", *word);
	printf("\n%s: not yet%s%s\n", run->stage->name, named ? ", " : "", named ? check->id : "");
}

/* Return true if all checks are passed. A crash is reported first: what is missing then follows. */
static bool judge(struct run *run)
{
	const struct check *c = run->stage->checks;
	bool ended_well;
	char how[SENTENCE_SIZE];

	if (was_stopped(run)) {
		print_mistake(run, NULL, false);
		return false;
	}
	ended_well = ended(run);
	strcpy(how, run->sentence);
	for (; c->id && c->test(run); c++)
		printf("  ok  %s\n", c->right);
	if (!ended_well)
		wrong(run, "%s", how);
	if (c->id || !ended_well) {
		print_mistake(run, c->id ? c : NULL, ended_well);
		return false;
	}
	for (uint32_t i = 0; i < run->nr_allowed; i++)
		printf("      allowed: %s\n", run->allowed[i]);
	printf("      beyond: %s\n", run->stage->beyond);
	printf("%s: passed, %u calls of bpf(2) and perf events\n", run->stage->name, run->seen.nr_calls);
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
		printf("%d %s: %s\n", run->nr, run->stage->name, run->stage->title);
		if (run->unlimited)
			printf("      note: no limit of '%s': the judge cannot use such a controller of cgroups\n",
			       run->unlimited);
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

/* The judge ends by itself, and removes its files: keeper.c and watch.c read the signals. */
static void block_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
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

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "hint", optional_argument, NULL, 'h' }, { "seed", required_argument, NULL, 's' },
		{ "keep", required_argument, NULL, 'k' }, { "timeout", required_argument, NULL, 't' },
		{ "objects", required_argument, NULL, 'o' }, { "compile", required_argument, NULL, 'c' },
		{ "peer", no_argument, NULL, 'p' }, { "help", no_argument, NULL, '?' + 256 },
		{ 0 } };
	struct run run = { .limit = LIMIT_SECONDS };
	const char *compile = NULL;
	struct timespec now;
	int opt, status = -1;
	/* The command's own options are not ours. */
	int end = argc;

	for (int i = 1; i < argc && end == argc; i++)
		if (!strcmp(argv[i], "--"))
			end = i;
	clock_gettime(CLOCK_REALTIME, &now);
	run.seed = (now.tv_sec ^ now.tv_nsec) & 0xffffff;
	while ((opt = getopt_long(end, argv, "", options, NULL)) != -1) {
		if (opt == 'h')
			run.hints = optarg ? number_of(optarg, "hint", 1, HINTS) : 1;
		else if (opt == 's')
			run.seed = number_of(optarg, "seed", 0, UINT32_MAX);
		else if (opt == 'k')
			run.keep = optarg;
		else if (opt == 't')
			run.limit = number_of(optarg, "timeout", 1, 3600);
		else if (opt == 'o')
			run.objects = optarg;
		else if (opt == 'c')
			compile = optarg;
		else if (opt == 'p')
			run.is_peer = true;
		else if (opt == '?' + 256)
			return fputs(usage, stdout) < 0;
		else
			return fprintf(stderr, "judge --help shows the options\n"), WRONG_USAGE;
	}
	if (compile)
		return compile_all(&run, compile);
	if (optind >= end && end == argc)
		return show_stages(), 0;
	if (optind + 1 != end)
		errx(WRONG_USAGE, "one STAGE is needed, then -- and the command of your loader: judge --help");
	run.stage = find_stage(argv[optind], &run.nr);
	if (!run.stage)
		errx(WRONG_USAGE, "there is no stage '%s': judge shows them", argv[optind]);
	if (end == argc)
		return show_stage(run.stage, run.nr), 0;
	if (end + 1 == argc)
		errx(WRONG_USAGE, "the command of your loader is missing after --");
	run.command = argv + end + 1;
	block_signals();
	if (geteuid() != 0)
		wrong(&run, "the judge asks the kernel for maps and programs, which root may: run it by sudo");
	else if (make_folder(&run))
		status = keep(&run, judge_loader);
	if (status < 0)
		fprintf(stderr, "judge: %s\n", run.sentence);
	return status < 0 ? CANNOT_JUDGE : status;
}
