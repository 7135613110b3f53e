// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Kprobes at offsets, at names that exist twice or not at all, in functions that must not be
 * probed, and in modules; and kretprobes that miss returns, because too many calls are under way.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/base/calls/machine.h"
#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "loader/base/text/kallsyms.h"
#include "test/regress/common/bound.h"
#include "test/regress/common/probed.h"

#define UNITS 20
#define CALLS 64	/* more than a kretprobe waits for at a time: twice the CPUs, often 10 */

/* One fact, which holds by each method: the kernel's symbols are read once for all of them. */
struct row {
	const char *what;
	void (*run)(struct regress *t, const struct attach_method *method);
	const char *event, *reason;	/* why it is refused: the code, since messages are reworded */
	const char *hint;		/* a name or an event that the hint suggests, or "" */
};

/* The methods that support kprobes on this machine, found out once. */
struct room {
	bool known, has[8];
	char why[sizeof(((struct error *)0)->what)];	/* not by the last that has none */
};

static void find_methods(struct regress *t, struct room *room)
{
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		struct error err = { 0 };
		struct bound b;
		int ret = bound_try(t, &b, &attach_methods[m], "kprobe:" PROBED_GETPPID, 0,
				    &err);

		bound_end(t, &b);
		if (ret < 0 && !probed_lacking(&err))
			regress_ok(t, ret, &err, attach_methods[m].name);
		if (ret < 0)
			strcpy(room->why, err.what);
		room->has[m] = ret == 0;
		error_clear(&err);
	}
	room->known = true;
}

static void by_each_method(struct regress *t)
{
	const struct row *row = t->data;
	struct room *room = t->room;
	unsigned int nr = 0;

	if (!room->known)
		find_methods(t, room);
	for (unsigned int m = 0; m < attach_nr_methods; m++) {
		if (room->has[m]) {
			regress_note(t, "by %s", attach_methods[m].name);
			row->run(t, &attach_methods[m]);
			nr++;
		}
	}
	if (!nr)
		regress_skip(t, "%s", room->why);
}

/* --- refusals, each with a reason and a suggestion in the hint --- */

static void expect_refused(struct regress *t, const struct attach_method *method,
			   const char *event, const char *reason, const char *hint)
{
	struct error err = { 0 };
	struct bound b;
	int ret = bound_try(t, &b, method, event, 0, &err);

	bound_end(t, &b);
	regress_expect(t, ret < 0, "%s is taken by %s", event, method->name);
	regress_expect(t, err.reason && !strcmp(err.reason, reason), "by %s: %s [%s]",
		       method->name, err.what, err.reason ? err.reason : "");
	regress_expect(t, strstr(err.hint, hint), "by %s: the hint is '%s'", method->name,
		       err.hint);
	error_clear(&err);
}

/*
 * Refusals do not depend on the way of binding, so that each way to create a probe is tried once.
 */
static bool is_made_alike(const struct attach_method *method)
{
	for (unsigned int m = 0; &attach_methods[m] != method; m++)
		if (attach_methods[m].probes_by_tracefs == method->probes_by_tracefs)
			return true;
	return false;
}

static void refused(struct regress *t, const struct attach_method *method)
{
	const struct row *row = t->data;

	if (is_made_alike(method))
		return;

	expect_refused(t, method, row->event, row->reason, row->hint);
}

static void variable(struct regress *t, const struct attach_method *method)
{
	struct kernel_symbol s;

	if (kernel_symbols_find(bound_symbols(t), "jiffies_64", &s, NULL) <= 0)
		regress_skip(t, "/proc/kallsyms has no variables: CONFIG_KALLSYMS_ALL");
	refused(t, method);
}

/* --- offsets --- */

static bool offset_is_taken(struct regress *t, const struct attach_method *method,
			    unsigned int offset)
{
	struct error err = { 0 };
	char event[64];
	struct bound b;
	uint64_t runs;
	int ret;

	snprintf(event, sizeof(event), "kprobe:" PROBED_GETPPID "+%u", offset);
	ret = bound_try(t, &b, method, event, 0, &err);
	if (ret == 0) {
		runs = bound_during(t, &b, probed_getppid, UNITS);
		regress_expect(t, runs == UNITS, "+%u by %s: %" PRIu64 " runs of %d", offset,
			       method->name, runs, UNITS);
	} else {
		regress_expect(t, err.reason && !strcmp(err.reason, "probe/offset"),
			       "+%u by %s: %s [%s]", offset, method->name, err.what,
			       err.reason ? err.reason : "");
	}
	bound_end(t, &b);
	error_clear(&err);
	return ret == 0;
}

/*
 * A kprobe at a byte where an instruction begins is accepted, and runs; at another byte the kernel
 * refuses it. One of each sort is enough.
 */
static void offsets(struct regress *t, const struct attach_method *method)
{
	unsigned int taken = 0, refusals = 0;

	if (is_made_alike(method))
		return;
	for (unsigned int offset = 1; offset <= 16 && !(taken && refusals); offset++) {
		if (offset_is_taken(t, method, offset))
			taken++;
		else
			refusals++;
	}
	regress_expect(t, taken && refusals, "by %s %u are taken, and %u are not", method->name,
		       taken, refusals);
}

/* --- names --- */

/* A name that several functions of the kernel itself have, and the address of one. */
static const char *find_ambiguous(struct kernel_symbols *symbols, uint64_t *address)
{
	static const char *const names[] = { "t_next", "t_stop", "c_start", "c_next", "s_start" };
	struct kernel_symbol s;

	for (size_t i = 0; i < NR(names); i++) {
		unsigned int nr = 0;

		for (bool more = kernel_symbols_find(symbols, names[i], &s, NULL) > 0; more;
		     more = kernel_symbols_same(symbols, &s)) {
			nr += kernel_symbol_is_code(&s) && !s.module[0];
			*address = s.address;
		}
		if (nr > 1)
			return names[i];
	}
	return NULL;
}

static const char *need_ambiguous(struct regress *t, uint64_t *address)
{
	const char *name = find_ambiguous(bound_symbols(t), address);

	if (!name)
		regress_skip(t, "/proc/kallsyms has none of the names twice that are known to be");
	if (!*address)
		regress_skip(t, "/proc/kallsyms shows no addresses to this process");
	return name;
}

/*
 * An older kernel accepts one of the functions with that name; since b022f0c7e404, which stable
 * kernels have as well, it refuses.
 */
static void ambiguous(struct regress *t, const struct attach_method *method)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "taken|probe/ambiguous" }, { LINUX(6, 7), "probe/ambiguous" },
	};
	struct error err = { 0 };
	struct bound b;
	uint64_t address = 0;
	char event[128];
	int ret;

	snprintf(event, sizeof(event), "kprobe:%s", need_ambiguous(t, &address));
	ret = bound_try(t, &b, method, event, 0, &err);
	bound_end(t, &b);
	regress_answer(t, "", ret == 0 ? "taken" : err.reason ? err.reason : err.what, rows,
		       NR(rows));
	if (ret < 0)
		regress_expect(t, strstr(err.hint, "kprobe:0x"), "the hint is '%s'", err.hint);
	error_clear(&err);
}

static void by_address(struct regress *t, const struct attach_method *method)
{
	uint64_t address = 0;
	char event[128];
	struct bound b;

	need_ambiguous(t, &address);
	snprintf(event, sizeof(event), "kprobe:0x%" PRIx64, address);
	bound_begin(t, &b, method, event);
	regress_expect(t, b.set.nr == 1, "%u attachments", b.set.nr);
	bound_end(t, &b);
}

/* Copies the name of the first function of the kprobe blacklist, as an event. */
static int first_name(void *arg, char *line)
{
	char *name = strchr(line, '\t'), *function = arg;

	if (!name)
		return 0;
	name[1 + strcspn(name + 1, " \t+")] = '\0';
	snprintf(function, 128, "kprobe:%s", name + 1);
	return 1;
}

static void forbidden(struct regress *t, const struct attach_method *method)
{
	char event[128];

	if (sys_each_line_of(t->sys, AT_FDCWD, "/sys/kernel/debug/kprobes/blacklist", first_name,
			       event) <= 0)
		regress_skip(t, "there is no kprobes/blacklist in debugfs");
	expect_refused(t, method, event, "probe/blacklisted", "");
}

/* --- modules --- */

static void open_tun(void)
{
	const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

static void other_module(struct regress *t, const struct attach_method *method)
{
	if (!is_made_alike(method))
		expect_refused(t, method, "kprobe:tun:tcp_sendmsg",
			       access("/sys/module/tun", F_OK) ? "probe/no-module" :
								 "probe/no-symbol", "");
}

static void module(struct regress *t, const struct attach_method *method)
{
	struct kernel_symbol s;
	uint64_t runs;
	struct bound b;

	if (access("/dev/net/tun", R_OK) || !(kernel_symbols_find(bound_symbols(t), "tun_chr_open",
								  &s, NULL) > 0 && s.module[0]))
		regress_skip(t, "module tun is not loaded");
	bound_begin(t, &b, method, "kprobe:tun:tun_chr_open");
	runs = bound_during(t, &b, open_tun, UNITS);
	regress_expect(t, runs == UNITS, "%" PRIu64 " runs of %d", runs, UNITS);
	bound_end(t, &b);
}

/* --- returns that are missed --- */

/*
 * Starts a process that waits in rt_sigsuspend(), which hardly any other process calls, until
 * SIGUSR1 ends it.
 */
static pid_t start_waiting(struct sys *sys)
{
	const uint64_t all = UINT64_MAX, others = ~(UINT64_C(1) << (SIGUSR1 - 1));
	pid_t pid;

	sys_sigprocmask(sys, SIG_BLOCK, all, NULL);
	pid = fork();
	if (!pid) {
		syscall(SYS_rt_sigsuspend, &others, sizeof(others));
		_exit(0);
	}
	return pid;
}

/* Returns whether the process with that pid sleeps. */
static bool is_asleep(void *arg)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", *(pid_t *)arg);
	return sys_read_text(sys_linux(), AT_FDCWD, path, text, sizeof(text)) > 0 &&
	       strstr(text, ") S ");
}

static void wait_together(struct regress *t)
{
	pid_t pids[CALLS];

	for (int i = 0; i < CALLS; i++) {
		pids[i] = start_waiting(t->sys);
		regress_expect(t, pids[i] > 0, "only %d processes can be created", i);
	}
	for (int i = 0; i < CALLS; i++)
		regress_expect(t, regress_until(is_asleep, &pids[i]), "it does not wait");
	for (int i = 0; i < CALLS; i++)
		if (!kill(pids[i], SIGUSR1))
			waitpid(pids[i], NULL, 0);
}

/*
 * Returns whether the kernel reports the misses of a probe: of a line of tracefs always, of a link
 * since Linux 6.7, of another event of the PMU never.
 */
static bool tells(const struct regress *t, const struct attach_method *method)
{
	return method->probes_by_tracefs ||
	       (method->is_link && !sys_is_before(t->sys, 6, 7));
}

static void missed(struct regress *t, const struct attach_method *method)
{
	const char *said;
	struct bound b;
	uint64_t runs;

	bound_begin(t, &b, method, "kretsyscall:rt_sigsuspend");
	wait_together(t);
	runs = bound_value(t, &b).own.runs + bound_value(t, &b).others.runs;
	attach_close(t->sys, &b.set);
	regress_expect(t, runs && runs < CALLS, "by %s: %" PRIu64 " runs of %d at a time",
		       method->name, runs, CALLS);
	said = strstr(b.noted, " calls of functions");
	while (said && said > b.noted && said[-1] >= '0' && said[-1] <= '9')
		said--;
	/* Others may have called it, too. */
	regress_expect(t, tells(t, method) ? said && strtoull(said, NULL, 10) >= CALLS - runs :
					     !b.noted[0],
		       "by %s: %" PRIu64 " runs of %d at a time, and it says '%s'", method->name,
		       runs, CALLS, b.noted);
	bound_end(t, &b);
}

static const struct row rows[] = {
	{ "each instruction runs, and nothing between them is taken", offsets, NULL, NULL, NULL },
	{ "a name that is not there", refused, "kprobe:vfs_raed", "probe/no-symbol", "vfs_read" },
	{ "a variable", variable, "kprobe:jiffies_64", "probe/no-symbol", "mem:ADDRESS" },
	{ "behind the end", refused, "kprobe:vfs_read+0x100000", "probe/offset", "" },
	{ "a return in the midst", refused, "kretprobe:vfs_read+9", "probe/offset", "" },
	{ "an address of nothing", refused, "kprobe:0x1000", "probe/no-address", "" },
	{ "no system call", refused, "ksyscall:opneat", "probe/no-syscall", "openat" },
	{ "a name that is there twice", ambiguous, NULL, NULL, NULL },
	{ "one of two of a name by its address", by_address, NULL, NULL, NULL },
	{ "what nobody may probe", forbidden, NULL, NULL, NULL },
	{ "a function of another module", other_module, NULL, NULL, NULL },
	{ "a function of a module runs each time", module, NULL, NULL, NULL },
	{ "returns of many calls at a time are missed, and told where the kernel knows", missed,
	  NULL, NULL, NULL },
};

static void fill(struct regress_list *list)
{
	regress_patience(list, 120);	/* suggestions are searched among all symbols */
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, by_each_method, &rows[i], "%s", rows[i].what);
	regress_share(list, sizeof(struct room));
}

const struct regress_group regress_group_kprobes = {
	"kprobes", "names, offsets and returns of the kernel's functions", NULL, fill, __FILE__
};
