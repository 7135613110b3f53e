// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Locations in files: the location that a name is resolved to runs the program, in each sort of
 * file and by each method, exactly as often as the code there is executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/common/bound.h"
#include "test/regress/common/own_dir.h"
#include "test/regress/common/probed.h"

#define ROUNDS 7

/* One location by one method. */
struct cell {
	const struct row *row;
	const struct attach_method *method;
};

struct row {
	const char *what;
	regress_run *run;
	const char *file;	/* that is carried along */
	const char *event;	/* "%f": its path, "%p": the process that runs it; "%o": where
				 * work() is in it */
	bool by_pid;		/* the path is looked up as that process sees it */
	bool in_root;		/* ... and it has a root directory of its own */
	int answer;		/* of a function */
};

/* --- programs that run into the probes --- */

struct target {
	pid_t pid;
	int in;		/* its standard input, whose end lets it continue */
	FILE *out;
};

static void become(const char *path, const char *root)
{
	char rounds[16];

	snprintf(rounds, sizeof(rounds), "%d", ROUNDS);
	if (!root || (chroot(root) == 0 && chdir("/") == 0))
		execl(path, path, rounds, "wait", NULL);
	_exit(127);
}

/* It has begun, and waits. */
static void start(struct regress *t, struct target *target, const char *path, const char *root)
{
	char line[64] = "";
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		regress_fail(t, "no pipes: %s", strerror(errno));
	target->pid = fork();
	if (!target->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		become(path, root);
	}
	close(in[0]);
	close(out[1]);
	target->in = in[1];
	target->out = fdopen(out[0], "r");
	if (!fgets(line, sizeof(line), target->out))
		regress_skip(t, "%s", root ? "a process with another root is not possible here" :
					     "it does not run here, where it may lack its loader");
	regress_expect(t, !strcmp(line, "waiting\n"), "it begins with '%s'", line);
}

/* Lets the target run to its end. No program is attached to its other USDT probe. */
static void finish(struct regress *t, struct target *target)
{
	char line[64] = "";

	close(target->in);
	if (!fgets(line, sizeof(line), target->out))
		line[0] = '\0';
	fclose(target->out);
	waitpid(target->pid, NULL, 0);
	regress_expect(t, !strcmp(line, "listened 0\n"), "it ends with '%s'", line);
}

/* --- the text of an event --- */

static uint64_t offset_of_work(struct regress *t, const struct own_dir *place)
{
	char path[96], event[128];
	struct event_spec spec;
	struct error err = { 0 };

	own_dir_file(t, place, "probed-pie", path);
	snprintf(event, sizeof(event), "uprobe:%s:work", path);
	regress_ok(t, probed_resolve(t->sys, &spec, event, 0, &err), &err, event);
	return spec.uprobe.file_offset;
}

static void event_text(struct regress *t, const struct own_dir *place, const char *path, pid_t pid,
		       char *out, size_t size)
{
	const char *text = ((const struct cell *)t->data)->row->event;
	size_t len = 0;

	for (; *text; text++) {
		if (*text != '%')
			len += snprintf(out + len, size - len, "%c", *text);
		else if (*++text == 'f')
			len += snprintf(out + len, size - len, "%s", path);
		else if (*text == 'p')
			len += snprintf(out + len, size - len, "%d", pid);
		else
			len += snprintf(out + len, size - len, "0x%" PRIx64,
					offset_of_work(t, place));
	}
}

/* --- a program in a process of its own --- */

static void in_program(struct regress *t)
{
	const struct cell *cell = t->data;
	const struct row *row = cell->row;
	struct firing_value value;
	struct error err = { 0 };
	struct target target;
	struct own_dir place;
	char path[96], text[256];
	const char *seen = path;
	struct bound b;

	own_dir_make(t, &place, "tmpfs");
	own_dir_file(t, &place, row->file, path);
	if (row->in_root)
		seen += strlen(place.dir);
	start(t, &target, seen, row->in_root ? place.dir : NULL);
	event_text(t, &place, seen, target.pid, text, sizeof(text));
	regress_ok(t, bound_try(t, &b, cell->method, text, row->by_pid ? target.pid : 0, &err),
		   &err, "attach");
	finish(t, &target);
	value = bound_value(t, &b);
	regress_expect(t, value.own.runs + value.others.runs == ROUNDS,
		       "%" PRIu64 " runs of %d", value.own.runs + value.others.runs, ROUNDS);
	bound_end(t, &b);
	own_dir_end(&place);
}

/* --- a function of a file that is mapped here --- */

static int (*function)(void);
static int answer;

static void call_function(void)
{
	answer = function();
}

/* No dynamic loader is needed for functions that need no other: they are executed as they lie. */
static void map_function(struct regress *t, const struct event_spec *spec, void **map, size_t *size)
{
	const int fd = open(spec->uprobe.path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	regress_expect(t, fd >= 0 && !fstat(fd, &st), "%s: %s", spec->uprobe.path, strerror(errno));
	*size = st.st_size;
	*map = mmap(NULL, *size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	regress_expect(t, *map != MAP_FAILED, "%s is not mapped: %s", spec->uprobe.path, strerror(errno));
	close(fd);
	function = (int (*)(void))((uintptr_t)*map + spec->uprobe.file_offset);
}

static void call_mapped(struct regress *t, const char *event, int wanted)
{
	const struct cell *cell = t->data;
	uint64_t runs;
	struct bound b;
	size_t size;
	void *map;

	bound_begin(t, &b, cell->method, event);
	map_function(t, &b.spec, &map, &size);
	runs = bound_during(t, &b, call_function, ROUNDS);
	regress_expect(t, answer == wanted, "the function there returns %d", answer);
	regress_expect(t, runs == ROUNDS, "%" PRIu64 " runs of %d", runs, ROUNDS);
	munmap(map, size);
	bound_end(t, &b);
}

static void versioned(struct regress *t)
{
	const struct cell *cell = t->data;
	struct own_dir place;
	char path[96], text[256];

	own_dir_make(t, &place, "tmpfs");
	own_dir_file(t, &place, cell->row->file, path);
	event_text(t, &place, path, 0, text, sizeof(text));
	call_mapped(t, text, cell->row->answer);
	own_dir_end(&place);
}

static void by_cache(struct regress *t)
{
	if (access("/etc/ld.so.cache", R_OK))
		regress_skip(t, "there is no /etc/ld.so.cache");
	call_mapped(t, "uprobe:libc:getppid", getppid());
}

/* --- refused --- */

struct refusal {
	const char *file, *event, *reason;
};

static void refused(struct regress *t)
{
	const struct refusal *r = t->data;
	struct event_spec spec;
	struct error err = { 0 };
	struct own_dir place;
	char path[96], text[256];

	own_dir_make(t, &place, "tmpfs");
	own_dir_file(t, &place, r->file, path);
	snprintf(text, sizeof(text), r->event, path);
	regress_expect(t, probed_resolve(t->sys, &spec, text, 0, &err) < 0, "%s is taken", text);
	regress_expect(t, err.reason && !strcmp(err.reason, r->reason), "%s: %s [%s]", text,
		       err.what, err.reason ? err.reason : "");
	error_clear(&err);
	own_dir_end(&place);
}

static const struct refusal
	stripped = { "probed-stripped", "uprobe:%s:work", "symbols/stripped" },
	no_version = { "probed_lib.so", "uprobe:%s:versioned@PROBED_3", "symbols/no-version" };

static const struct regress_test tests[] = {
	{ "a function of a stripped file cannot be named", refused, &stripped, 0 },
	{ "a version that is not there", refused, &no_version, 0 },
	{ 0 }
};

static const struct row rows[] = {
	{ "ET_DYN", in_program, "probed-pie", "uprobe:%f:work", false, false, 0 },
	{ "ET_DYN, the return", in_program, "probed-pie", "uretprobe:%f:work", false, false, 0 },
	{ "ET_EXEC", in_program, "probed-fixed", "uprobe:%f:work", false, false, 0 },
	{ "ET_EXEC, USDT", in_program, "probed-fixed", "usdt:%f:probed:end", false, false, 0 },
	{ "code at another offset than address", in_program, "probed-offset", "uprobe:%f:work",
	  false, false, 0 },
	{ "code at another offset than address, USDT", in_program, "probed-offset",
	  "usdt:%f:probed:end", false, false, 0 },
	{ "USDT at a fast nop", in_program, "probed-pie", "usdt:%f:probed:fast", false, false, 0 },
	{ "stripped, by offset", in_program, "probed-stripped", "uprobe:%f:%o", false, false, 0 },
	{ "stripped, USDT", in_program, "probed-stripped", "usdt:%f:probed:end", false, false, 0 },
	{ "/proc/PID/root", in_program, "probed-pie", "uprobe:/proc/%p/root%f:work", false, false,
	  0 },
	{ "as the process sees it", in_program, "probed-pie", "uprobe:%f:work", true, false, 0 },
	{ "another root", in_program, "probed-fixed", "uprobe:%f:work", true, true, 0 },
	{ "a symbol with its version", versioned, "probed_lib.so", "uprobe:%f:versioned@PROBED_1",
	  false, false, 1 },
	{ "a symbol with the version of today", versioned, "probed_lib.so",
	  "uprobe:%f:versioned@PROBED_2", false, false, 2 },
	{ "a symbol that has versions, without one", versioned, "probed_lib.so",
	  "uprobe:%f:versioned", false, false, 2 },
	{ "a library by ld.so.cache", by_cache, NULL, NULL, false, false, 0 },
};

static void fill(struct regress_list *list)
{
	static struct cell cells[NR(rows)][8];

	for (size_t i = 0; i < NR(rows); i++)
		for (unsigned int m = 0; m < attach_nr_methods; m++) {
			cells[i][m] = (struct cell){ &rows[i], &attach_methods[m] };
			regress_add(list, rows[i].run, &cells[i][m], "%s x %s", rows[i].what,
				    attach_methods[m].name);
		}
}

const struct regress_group regress_group_places = {
	"places", "functions and USDT probes in files of each sort, by name and by offset", tests,
	fill, __FILE__
};
