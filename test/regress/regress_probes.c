// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Probes on the running kernel: kind x method x { what stands in tracefs, EEXIST for a second
 * program, runs exactly as often as it happens, cookie, semaphore, stops when closed, nothing is
 * left }.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "loader/attach/attach.h"
#include "test/unit/probe_builder.h"
#include "test/unit/probed_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define UNITS 20
#define COOKIE 0xc0ffee0123456789

static const struct kind {
	const char *name;
	const char *event;	/* "%s": the kernel's function; "%+td": what is between the two labels */
	void (*work)(void);	/* one happening */
	bool counted_up;	/* it has a semaphore */
} kinds[] = {
	{ "kprobe", "kprobe:%s", probed_getppid, false },
	{ "kretprobe", "kretprobe:%s", probed_getppid, false },
	{ "ksyscall", "ksyscall:getppid", probed_getppid, false },
	{ "kretsyscall", "kretsyscall:getppid", probed_getppid, false },
	{ "uprobe", "uprobe:" PROBED_SELF ":probed_function", probed_function, false },
	{ "uprobe at an offset", "uprobe:" PROBED_SELF ":probed_function%+td", probed_function, false },
	{ "uretprobe", "uretprobe:" PROBED_SELF ":probed_function", probed_function, false },
	{ "usdt", "usdt:" PROBED_SELF ":pload_test:here", probed_usdt, true },
};

static unsigned int number, failed;

/* One kind and one method. */
struct trial {
	struct sys *sys;
	const struct attach_method *method;
	const struct kind *kind;
	struct event_spec spec;
	struct event_scope scope;
	struct probe probe;
	struct attach_set set;
};

static void report(const struct trial *t, bool ok, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void report(const struct trial *t, bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %u - %s x %s: ", ok ? "ok" : "not ok", ++number, t->kind->name,
	       t->method->name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	failed += !ok;
}

static void skip(const struct trial *t, const char *what, const char *where, const char *cause)
{
	printf("ok %u - %s x %s%s # SKIP %s%s%s\n", ++number, t->kind->name, t->method->name, what,
	       where, where[0] ? ": " : "", cause);
	fflush(stdout);
}

/* Returns -ENOENT with a cause where this kernel has no such function. */
static int event_text(const struct trial *t, char *text, size_t size, struct error *err)
{
	const char *function = "";

	if (strstr(t->kind->event, "%s"))
		function = probed_getppid_function(t->sys);
	if (!function) {
		error_set(err, ENOENT, "/proc/kallsyms has no function for getppid()");
		return error_reason(err, "probe/no-kprobes");
	}
	if (strstr(t->kind->event, "%+td"))
		snprintf(text, size, t->kind->event, probed_second - (const char *)probed_function);
	else
		snprintf(text, size, t->kind->event, function);
	return 0;
}

static int attach(struct trial *t, struct error *err)
{
	char text[EVENT_TEXT_MAX];
	struct attach_request req = {
		.method = t->method,
		.spec = &t->spec,
		.scope = &t->scope,
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.has_cookie = t->method->takes_cookie,
		.cookie = t->method->takes_cookie ? COOKIE : 0,
	};
	int ret = event_text(t, text, sizeof(text), err);

	if (ret == 0)
		ret = probed_resolve(t->sys, &t->spec, text, 0, err);
	if (ret == 0)
		ret = event_scope_init(t->sys, &t->scope, &(struct event_scope_options){ 0 }, err);
	if (ret == 0) {
		ret = probe_load(t->sys, &t->probe, BPF_PROG_TYPE_KPROBE, err);
		if (ret == -EPERM || ret == -EACCES)
			error_reason(err, "attach/no-capability");
	}
	req.prog_fd = t->probe.prog_fd;
	return ret < 0 ? ret : attach_prog(t->sys, &req, &t->set, err);
}

/* By tracefs it is a line of its own; by the PMU it has no name. */
static void check_lines(const struct trial *t)
{
	const unsigned int nr = probed_nr_lines_of(t->sys, getpid());

	report(t, nr == (t->method->probe == probe_by_tracefs), "%u lines in tracefs", nr);
}

static void check_second(const struct trial *t)
{
	struct attachment again = { .event_fd = t->set.list[0].event_fd, .link_fd = -1 };
	struct error err = { 0 };
	struct probe second;
	int ret = probe_load(t->sys, &second, BPF_PROG_TYPE_KPROBE, &err);

	if (ret == 0)
		ret = t->method->bind(t->sys, &again, second.prog_fd, 0, &err);
	report(t, ret == -EEXIST && !strcmp(err.reason, "attach/already-bound"),
	       "EEXIST for a second program");
	if (ret != -EEXIST)
		printf("# %d %s\n", ret, err.what);
	sys_close_fd(t->sys, &again.link_fd);
	probe_close(t->sys, &second);
	error_clear(&err);
}

static void check_runs(const struct trial *t)
{
	struct probe_value value;

	for (int i = 0; i < UNITS; i++)
		t->kind->work();
	value = probe_read(t->sys, &t->probe);
	report(t, value.own.runs == UNITS, "%llu runs for %d times",
	       (unsigned long long)value.own.runs, UNITS);
	if (!t->probe.has_cookie)
		skip(t, ": cookie", "", "this kernel has no bpf_get_attach_cookie()");
	else
		report(t, value.own.cookie == (t->method->takes_cookie ? COOKIE : 0), "cookie 0x%llx",
		       (unsigned long long)value.own.cookie);
}

static void check_closed(struct trial *t)
{
	struct probe_value before, after;
	unsigned int nr;

	attach_close(t->sys, &t->set);
	before = probe_read(t->sys, &t->probe);
	for (int i = 0; i < UNITS; i++)
		t->kind->work();
	after = probe_read(t->sys, &t->probe);
	report(t, after.own.runs == before.own.runs && after.others.runs == before.others.runs,
	       "stops when closed");
	nr = probed_nr_lines_of(t->sys, getpid());
	report(t, !nr, "and leaves %u lines in tracefs", nr);
}

static void run_trial(struct sys *sys, const struct attach_method *method, const struct kind *kind)
{
	struct trial t = { .sys = sys, .method = method, .kind = kind, .probe = { -1, -1, false } };
	struct error err = { 0 };
	int ret = attach(&t, &err);

	if (ret < 0 && probed_lacking(&err)) {
		skip(&t, "", err.where, err.what);
	} else if (ret < 0) {
		report(&t, false, "attached");
		printf("# %s: %s [%s]\n", err.where, err.what, err.reason ? err.reason : "");
	} else {
		check_lines(&t);
		check_second(&t);
		ret = attach_enable(sys, &t.set, &err);
		report(&t, ret == 0, "enabled");
		if (kind->counted_up)
			report(&t, probed_semaphore == 1, "its semaphore is %u", probed_semaphore);
		check_runs(&t);
		check_closed(&t);
		if (kind->counted_up)
			report(&t, probed_semaphore == 0, "its semaphore is %u again",
			       probed_semaphore);
	}
	attach_close(sys, &t.set);
	probe_close(sys, &t.probe);
	event_scope_free(sys, &t.scope);
	error_clear(&err);
}

int main(void)
{
	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int m = 0; m < attach_nr_methods; m++)
			run_trial(sys_linux(), &attach_methods[m], &kinds[k]);
	printf("1..%u\n", number);
	return failed != 0;
}
