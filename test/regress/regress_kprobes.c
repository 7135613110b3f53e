// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What is said of functions of the running kernel: offsets, names that are there twice or not at
 * all, functions that must not be probed, modules; and returns that the kernel has no room to wait
 * for.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/attach/attach.h"
#include "loader/event/parts.h"
#include "loader/types/kallsyms.h"
#include "test/unit/probe_builder.h"
#include "test/unit/probed_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define UNITS 20
#define CALLS 64	/* more than a kretprobe waits for at a time: twice the CPUs, often 10 */

static struct kernel_symbols symbols;
static char noted[1024];
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

/* --- one event by one method --- */

struct trial {
	struct sys *sys;
	const struct attach_method *method;
	struct event_spec spec;
	struct event_scope scope;
	struct probe probe;
	struct attach_set set;
	struct error err;
};

static void add_note(void *arg, const char *text)
{
	const size_t len = strlen(noted);

	(void)arg;
	snprintf(noted + len, sizeof(noted) - len, "%s\n", text);
}

static int begin(struct trial *t, unsigned int method, const char *event)
{
	struct attach_request req = { .prog_type = BPF_PROG_TYPE_KPROBE };
	int ret;

	noted[0] = '\0';
	*t = (struct trial){
		.sys = sys_linux(), .method = &attach_methods[method], .probe = { -1, -1, false }
	};
	t->set.probes = (struct probes){ .note = add_note, .symbols = &symbols };
	ret = event_parse(&t->spec, event, &t->err);
	if (ret == 0)
		ret = event_scope_init(t->sys, &t->scope, &(struct event_scope_options){ 0 },
				       &t->err);
	if (ret == 0)
		ret = probe_load(t->sys, &t->probe, BPF_PROG_TYPE_KPROBE, &t->err);
	req.method = t->method;
	req.spec = &t->spec;
	req.scope = &t->scope;
	req.prog_fd = t->probe.prog_fd;
	return ret < 0 ? ret : attach_prog(t->sys, &req, &t->set, &t->err);
}

static void end(struct trial *t)
{
	attach_close(t->sys, &t->set);
	probe_close(t->sys, &t->probe);
	event_scope_free(t->sys, &t->scope);
	error_clear(&t->err);
}

static uint64_t runs_during(struct trial *t, void (*work)(void))
{
	const uint64_t before = probe_read(t->sys, &t->probe).own.runs;

	for (int i = 0; i < UNITS; i++)
		work();
	return probe_read(t->sys, &t->probe).own.runs - before;
}

/* Refused by each method that the kernel has, for @reason, and with a hint that has @hint in it. */
static void test_refused(const char *what, const char *event, const char *reason, const char *hint)
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct trial t;
		const int ret = begin(&t, m, event);

		if (ret < 0 && probed_lacking(&t.err) && strcmp(t.err.reason, reason))
			skip(what, t.method->name, t.err.what);
		else
			report(ret < 0 && t.err.reason && !strcmp(t.err.reason, reason) &&
				       strstr(t.err.hint, hint),
			       "%s x %s: %s", what, t.method->name, ret < 0 ? t.err.what : "taken");
		if (ret < 0 && t.err.reason && strcmp(t.err.reason, reason))
			printf("# [%s] %s\n", t.err.reason, t.err.hint);
		end(&t);
	}
}

/* --- offsets --- */

/*
 * Instructions begin at some of the first bytes of a function, and are all executed; at the others
 * nothing is, and the kernel knows.
 */
static void test_offsets(const char *function)
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		unsigned int taken = 0, exact = 0, refused = 0, offset;
		bool lacking = false;
		char event[256];
		struct trial t;

		for (offset = 1; offset <= 16 && !lacking; offset++) {
			snprintf(event, sizeof(event), "kprobe:%s+%u", function, offset);
			if (begin(&t, m, event) == 0) {
				taken++;
				exact += runs_during(&t, probed_getppid) == UNITS;
			} else if (t.err.reason && !strcmp(t.err.reason, "probe/offset")) {
				refused++;
			} else if (probed_lacking(&t.err)) {
				skip("offsets", t.method->name, t.err.what);
				lacking = true;
			} else {
				printf("# %s: %s [%s]\n", event, t.err.what, t.err.reason);
			}
			end(&t);
		}
		if (!lacking)
			report(taken && taken == exact && taken + refused == 16,
			       "offsets x %s: %u instructions, %u exactly, %u offsets refused",
			       attach_methods[m].name, taken, exact, refused);
	}
}

/* --- names --- */

/* A name that several functions of the kernel itself have, and the address of one. */
static const char *find_ambiguous(uint64_t *address)
{
	static const char *const names[] = { "t_next", "t_stop", "c_start", "c_next", "s_start" };
	struct kernel_symbol s;

	for (size_t i = 0; i < NR(names); i++) {
		unsigned int nr = 0;

		for (bool more = kernel_symbols_find(&symbols, names[i], &s, NULL) > 0; more;
		     more = kernel_symbols_same(&symbols, &s)) {
			nr += kernel_symbol_is_code(&s) && !s.module[0];
			*address = s.address;
		}
		if (nr > 1)
			return names[i];
	}
	return NULL;
}

static void test_ambiguous(void)
{
	uint64_t address;
	const char *name = find_ambiguous(&address);
	char event[128];
	struct trial t;

	if (!name) {
		skip("a name that is there twice", "", "this kernel has none that we know");
		return;
	}
	snprintf(event, sizeof(event), "kprobe:%s", name);
	if (begin(&t, 0, event) == 0)
		skip("a name that is there twice", "", "this kernel takes the first of them");
	else
		test_refused("a name that is there twice", event, "probe/ambiguous",
			     address ? "by address" : "");
	end(&t);
	for (unsigned int m = 0; address && m < attach_nr_methods; m++) {
		snprintf(event, sizeof(event), "kprobe:0x%" PRIx64, address);
		if (begin(&t, m, event) < 0 && probed_lacking(&t.err))
			skip("one of them by its address", t.method->name, t.err.what);
		else
			report(t.set.nr == 1, "one of them by its address x %s: %s", t.method->name,
			       t.err.what);
		end(&t);
	}
}

/* What debugfs lists first of those that nobody may probe. */
static int first_name(void *arg, char *line)
{
	char *name = strchr(line, '\t'), *function = arg;

	if (!name)
		return 0;
	name[1 + strcspn(name + 1, " \t+")] = '\0';
	snprintf(function, 128, "kprobe:%s", name + 1);
	return 1;
}

static void test_forbidden(void)
{
	char event[128];

	if (event_each_line_of(sys_linux(), AT_FDCWD, "/sys/kernel/debug/kprobes/blacklist",
			       first_name, event) <= 0)
		skip("what nobody may probe", "", "there is no kprobes/blacklist in debugfs");
	else
		test_refused("what nobody may probe", event, "probe/blacklisted", "who calls it");
}

/* --- modules --- */

static void open_tun(void)
{
	const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

static void test_module(void)
{
	struct kernel_symbol s;

	test_refused("a function of another module", "kprobe:tun:tcp_sendmsg",
		     access("/sys/module/tun", F_OK) ? "probe/no-module" : "probe/no-symbol", "");
	if (access("/dev/net/tun", R_OK) ||
	    kernel_symbols_find(&symbols, "tun_chr_open", &s, NULL) <= 0 || !s.module[0]) {
		skip("a function of a module", "", "module tun is not loaded");
		return;
	}
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct trial t;
		const int ret = begin(&t, m, "kprobe:tun:tun_chr_open");
		const uint64_t runs = ret ? 0 : runs_during(&t, open_tun);

		if (ret < 0 && probed_lacking(&t.err))
			skip("a function of a module", t.method->name, t.err.what);
		else
			report(runs == UNITS, "a function of a module x %s: %" PRIu64 " runs %s",
			       t.method->name, runs, t.err.what);
		end(&t);
	}
}

/* --- returns that are waited for --- */

/* A process that is in rt_sigtimedwait() until it gets SIGUSR1. */
static pid_t start_waiting(void)
{
	const uint64_t set = UINT64_C(1) << (SIGUSR1 - 1);
	pid_t pid;

	sys_block_signals(sys_linux(), set);
	pid = fork();
	if (!pid) {
		syscall(SYS_rt_sigtimedwait, &set, NULL, NULL, sizeof(set));
		_exit(0);
	}
	return pid;
}

/* Until it sleeps; a minute at most. */
static void until_it_waits(pid_t pid)
{
	const uint64_t deadline = sys_monotonic_ns() + 60 * UINT64_C(1000000000);
	const struct timespec pause = { 0, 1000000 };
	char path[64], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (sys_monotonic_ns() < deadline &&
	       sys_read_text(sys_linux(), AT_FDCWD, path, text, sizeof(text)) > 0 &&
	       !strstr(text, ") S "))
		nanosleep(&pause, NULL);
}

static void wait_together(void)
{
	pid_t pids[CALLS];

	for (int i = 0; i < CALLS; i++)
		pids[i] = start_waiting();
	for (int i = 0; i < CALLS; i++)
		if (pids[i] > 0)
			until_it_waits(pids[i]);
	for (int i = 0; i < CALLS; i++)
		if (pids[i] > 0 && !kill(pids[i], SIGUSR1))
			waitpid(pids[i], NULL, 0);
}

/* Nobody tells of a probe by the PMU; a link does (Linux 6.7), and the line of tracefs. */
static void check_said(const struct trial *t, uint64_t missed)
{
	char said[64];

	snprintf(said, sizeof(said), "%" PRIu64 " calls of functions", missed);
	if (t->method->probe == probe_by_pmu && !t->method->is_link)
		report(!noted[0], "those that were missed are not told x %s", t->method->name);
	else if (!noted[0] && sys_is_before(t->sys, 6, 7))
		skip("those that were missed are told", t->method->name,
		     "this kernel does not tell of them");
	else
		report(strstr(noted, said), "those that were missed are told x %s: %.9s",
		       t->method->name, noted);
}

static void test_missed(void)
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct trial t;
		uint64_t runs;

		if (begin(&t, m, "kretsyscall:rt_sigtimedwait") < 0) {
			skip("returns", t.method->name, t.err.what);
			end(&t);
			continue;
		}
		wait_together();
		runs = probe_read(t.sys, &t.probe).own.runs;
		attach_close(t.sys, &t.set);
		report(runs && runs < CALLS, "returns x %s: %" PRIu64 " runs of %d at a time",
		       t.method->name, runs, CALLS);
		check_said(&t, CALLS - runs);
		end(&t);
	}
}

int main(void)
{
	const char *function = probed_getppid_function(sys_linux());
	char event[256];
	struct trial t;

	kernel_symbols_init(&symbols, sys_linux());
	snprintf(event, sizeof(event), "kprobe:%s", function ? function : "getppid");
	if (begin(&t, 0, event) < 0 && (probed_lacking(&t.err) || !function)) {
		skip("functions of the kernel", "", t.err.what);
		end(&t);
	} else {
		end(&t);
		test_offsets(function);
		test_refused("a name that is not there", "kprobe:vfs_raed", "probe/no-symbol",
			     "vfs_read");
		test_refused("a variable", "kprobe:jiffies_64", "probe/no-symbol", "mem:ADDRESS");
		test_refused("behind the end", "kprobe:vfs_read+0x100000", "probe/offset",
			     "another function");
		test_refused("a return in the midst", "kretprobe:vfs_read+9", "probe/offset", "");
		test_refused("an address of nothing", "kprobe:0x1000", "probe/no-address", "");
		test_refused("no system call", "ksyscall:opneat", "probe/no-syscall", "openat");
		test_ambiguous();
		test_forbidden();
		test_module();
		test_missed();
	}
	kernel_symbols_free(&symbols);
	printf("1..%d\n", tests);
	return failed != 0;
}
