// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Places in files, on the running kernel: what a name is found to be is what runs the program, in
 * each sort of file and by each method, exactly as often as the code there is reached.
 *
 * regress_places PIE FIXED STRIPPED LIBRARY - test/cli/probed.c linked in three ways, and
 * probed_lib.c.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/attach/attach.h"
#include "test/unit/probe_builder.h"
#include "test/unit/probed_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define ROUNDS 7

enum { PIE, FIXED, STRIPPED, LIBRARY, NR_FILES };

static char files[NR_FILES][4096];
static char new_root[] = "/tmp/pload-root-XXXXXX";
static int tests, failed;

static void report(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", ok ? "ok" : "not ok", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	failed += !ok;
}

static void skip(const char *what, const char *method, const char *cause)
{
	printf("ok %d - %s%s%s # SKIP %s\n", ++tests, what, method[0] ? " x " : "", method, cause);
	fflush(stdout);
}

/* --- programs that run into the probes --- */

struct target {
	pid_t pid;
	int in;		/* its standard input: it goes on when that ends */
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

/* It has begun, and waits. false: it cannot be run so. */
static bool start(struct target *t, const char *path, const char *root)
{
	char line[64] = "";
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return false;
	t->pid = fork();
	if (!t->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		become(path, root);
	}
	close(in[0]);
	close(out[1]);
	t->in = in[1];
	t->out = fdopen(out[0], "r");
	return fgets(line, sizeof(line), t->out) && !strcmp(line, "waiting\n");
}

/* Lets it go on to its end. Whether it has got there; nobody has its other USDT probe. */
static bool finish(struct target *t)
{
	char line[64] = "";
	bool ended;

	close(t->in);
	ended = fgets(line, sizeof(line), t->out) && !strcmp(line, "listened 0\n");
	fclose(t->out);
	waitpid(t->pid, NULL, 0);
	return ended;
}

/* --- one place --- */

struct trial {
	struct sys *sys;
	const struct attach_method *method;
	struct event_spec spec;
	struct event_scope scope;
	struct probe probe;
	struct attach_set set;
	struct error err;
};

/* 0; 1: skipped; or an error, which has been reported. */
static int begin(struct trial *t, const char *what, const char *event, pid_t pid)
{
	struct attach_request req = {
		.method = t->method,
		.spec = &t->spec,
		.scope = &t->scope,
		.prog_type = BPF_PROG_TYPE_KPROBE,
	};
	int ret = probed_resolve(t->sys, &t->spec, event, pid, &t->err);

	if (ret == 0)
		ret = event_scope_init(t->sys, &t->scope, &(struct event_scope_options){ 0 },
				       &t->err);
	if (ret == 0) {
		ret = probe_load(t->sys, &t->probe, BPF_PROG_TYPE_KPROBE, &t->err);
		if (ret == -EPERM || ret == -EACCES)
			error_reason(&t->err, "attach/no-capability");
	}
	req.prog_fd = t->probe.prog_fd;
	if (ret == 0)
		ret = attach_prog(t->sys, &req, &t->set, &t->err);
	if (ret == 0)
		ret = attach_enable(t->sys, &t->set, &t->err);
	if (ret < 0 && probed_lacking(&t->err)) {
		skip(what, t->method->name, t->err.what);
		return 1;
	}
	if (ret < 0) {
		report(false, "%s x %s", what, t->method->name);
		printf("# %s: %s [%s]\n", t->err.where, t->err.what,
		       t->err.reason ? t->err.reason : "");
	}
	return ret;
}

static uint64_t end(struct trial *t)
{
	struct probe_value value;

	attach_close(t->sys, &t->set);
	value = probe_read(t->sys, &t->probe);
	probe_close(t->sys, &t->probe);
	event_scope_free(t->sys, &t->scope);
	error_clear(&t->err);
	return value.own.runs + value.others.runs;
}

static struct trial new_trial(unsigned int method)
{
	return (struct trial){
		.sys = sys_linux(), .method = &attach_methods[method], .probe = { -1, -1, false }
	};
}

/* @event with "%d" for the pid of the target, which goes through it ROUNDS times. */
static void test_target(const char *what, const char *path, const char *root, const char *event,
			bool by_pid)
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct trial t = new_trial(m);
		struct target target;
		char text[EVENT_TEXT_MAX];
		uint64_t runs;
		bool ended;
		int ret;

		if (!start(&target, path, root)) {
			finish(&target);
			skip(what, t.method->name, root ? "no other root can be had here" :
							  "the program does not run here");
			continue;
		}
		snprintf(text, sizeof(text), event, target.pid);
		ret = begin(&t, what, text, by_pid ? target.pid : 0);
		ended = finish(&target);
		runs = end(&t);
		if (ret == 0)
			report(runs == ROUNDS && ended, "%s x %s: %" PRIu64 " runs", what,
			       t.method->name, runs);
	}
}

/* A function that is called in this process. */
static void test_here(const char *what, const char *event, void (*work)(void))
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct trial t = new_trial(m);
		const int ret = begin(&t, what, event, 0);
		uint64_t runs;

		for (int i = 0; ret == 0 && i < ROUNDS; i++)
			work();
		runs = ret == 0 ? probe_read(t.sys, &t.probe).own.runs : 0;
		end(&t);
		if (ret == 0)
			report(runs == ROUNDS, "%s x %s: %" PRIu64 " runs", what, t.method->name,
			       runs);
	}
}

static void test_refused(const char *what, const char *event, const char *reason)
{
	struct event_spec spec;
	struct error err = { 0 };
	const int ret = probed_resolve(sys_linux(), &spec, event, 0, &err);

	report(ret < 0 && err.reason && !strcmp(err.reason, reason), "%s: %s", what,
	       err.reason ? err.reason : "taken");
	error_clear(&err);
}

/* --- the rows --- */

static int (*function)(void);	/* of the library */
static int answer;

static void call_function(void)
{
	answer = function();
}

static void call_libc(void)
{
	answer = getppid();
}

static void test_programs(void)
{
	char event[EVENT_TEXT_MAX];
	struct event_spec work;
	struct error err = { 0 };

	snprintf(event, sizeof(event), "uprobe:%s:work", files[PIE]);
	test_target("ET_DYN", files[PIE], NULL, event, false);
	snprintf(event, sizeof(event), "uretprobe:%s:work", files[PIE]);
	test_target("ET_DYN, the return", files[PIE], NULL, event, false);
	snprintf(event, sizeof(event), "uprobe:%s:work", files[FIXED]);
	test_target("ET_EXEC", files[FIXED], NULL, event, false);
	snprintf(event, sizeof(event), "usdt:%s:probed:end", files[FIXED]);
	test_target("ET_EXEC, USDT", files[FIXED], NULL, event, false);
	snprintf(event, sizeof(event), "uprobe:%s:work", files[PIE]);
	if (probed_resolve(sys_linux(), &work, event, 0, &err) == 0) {
		snprintf(event, sizeof(event), "uprobe:%s:0x%" PRIx64, files[STRIPPED],
			 work.file_offset);
		test_target("stripped, by offset", files[STRIPPED], NULL, event, false);
	}
	error_clear(&err);
	snprintf(event, sizeof(event), "uprobe:%s:work", files[STRIPPED]);
	test_refused("stripped, by name", event, "symbols/stripped");
	snprintf(event, sizeof(event), "usdt:%s:probed:end", files[STRIPPED]);
	test_target("stripped, USDT", files[STRIPPED], NULL, event, false);
}

static void test_roots(void)
{
	char event[EVENT_TEXT_MAX], path[64], command[2 * EVENT_PATH_MAX];

	snprintf(event, sizeof(event), "uprobe:/proc/%%d/root%s:work", files[PIE]);
	test_target("/proc/PID/root", files[PIE], NULL, event, false);
	snprintf(event, sizeof(event), "uprobe:%s:work", files[PIE]);
	test_target("as the process sees it", files[PIE], NULL, event, true);
	if (!mkdtemp(new_root)) {
		skip("another root", "", "no directory can be made in /tmp");
		return;
	}
	snprintf(path, sizeof(path), "%s/probed", new_root);
	snprintf(command, sizeof(command), "cp '%s' '%s'", files[FIXED], path);
	if (system(command))
		skip("another root", "", "there is no cp");
	else
		test_target("another root", "/probed", new_root, "uprobe:/probed:work", true);
	unlink(path);
	rmdir(new_root);
}

static void test_libraries(void)
{
	static const struct {
		const char *what, *version, *symbol;
		int answer;
	} rows[] = {
		{ "a symbol with its version", "PROBED_1", "versioned@PROBED_1", 1 },
		{ "with the version of today", "PROBED_2", "versioned@PROBED_2", 2 },
		{ "and without one", "PROBED_2", "versioned", 2 },
	};
	void *library = dlopen(files[LIBRARY], RTLD_NOW);
	char event[EVENT_TEXT_MAX];

	for (size_t i = 0; library && i < NR(rows); i++) {
		function = (int (*)(void))(uintptr_t)dlvsym(library, "versioned", rows[i].version);
		snprintf(event, sizeof(event), "uprobe:%s:%s", files[LIBRARY], rows[i].symbol);
		test_here(rows[i].what, event, call_function);
		report(answer == rows[i].answer, "%s: it is that one", rows[i].what);
	}
	if (library)
		dlclose(library);
	else
		skip("symbols with versions", "", dlerror());
	snprintf(event, sizeof(event), "uprobe:%s:versioned@PROBED_3", files[LIBRARY]);
	test_refused("a version that is not there", event, "symbols/no-version");
	if (access("/etc/ld.so.cache", R_OK))
		skip("a library by ld.so.cache", "", "there is no /etc/ld.so.cache");
	else
		test_here("a library by ld.so.cache", "uprobe:libc:getppid", call_libc);
}

int main(int argc, char **argv)
{
	if (argc != NR_FILES + 1)
		return 2;
	for (int i = 0; i < NR_FILES; i++)
		if (!realpath(argv[i + 1], files[i]))
			return 2;
	test_programs();
	test_roots();
	test_libraries();
	report(probed_nr_lines_of(sys_linux(), getpid()) == 0, "no line is left in tracefs");
	printf("1..%d\n", tests);
	return failed != 0;
}
