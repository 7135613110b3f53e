// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Opening events wherever they are wanted: groups, threads that appear meanwhile, and the limit of
 * open files.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/core/attach/attach.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"
#include "loader/core/event/scope.h"

#define MAX 4

/*
 * A kernel that records the calls: "open TID:CPU/GROUP = FD; bind FD; enable FD; ".
 * Every event of a group but the first has the letter of its attr: d(isabled), e(xec), c(ounting).
 */
struct kernel {
	struct files files;	/* first: other() gets it back */
	char log[4096];
	char said[1024];	/* to the user */
	const struct fake_file *tables[MAX];	/* what /proc has after each listing */
	unsigned int listings;
	unsigned int fits;	/* events of a group that fit the PMU; 0: any number */
	uint64_t limit[2];	/* of open files that are not in the table; 0: none */
	bool may_raise;		/* the hard limit */
	int ended[2];		/* tasks that have ended since they were listed */
	unsigned int raised;
	bool enables_none;
};

static void put(char *text, size_t size, const char *fmt,
		...) __attribute__((format(printf, 3, 4)));

static void put(char *text, size_t size, const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, size - len, fmt, ap);
	va_end(ap);
}

#define LOG(k, ...) put((k)->log, sizeof((k)->log), __VA_ARGS__)

static bool is_full(const struct kernel *k)
{
	return k->limit[0] && k->files.open >= k->limit[0];
}

static long perf_open(struct kernel *k, const struct perf_event_attr *attr,
		      const unsigned long arg[6])
{
	const int group = arg[3];
	int fd;

	if (is_full(k))
		return -EMFILE;
	if ((int)arg[1] > 0 && ((int)arg[1] == k->ended[0] || (int)arg[1] == k->ended[1]))
		return -ESRCH;
	if (k->fits && group >= 0 && group + (int)k->fits <= (int)(FILES_FD_BASE + k->files.open))
		return -EINVAL;
	fd = files_take_fd(&k->files, NULL);
	LOG(k, "open %d:%d", (int)arg[1], (int)arg[2]);
	if (group >= 0)
		LOG(k, "/%d", group);
	LOG(k, "%s%s%s = %d; ", attr->disabled ? "d" : "", attr->enable_on_exec ? "e" : "",
	    attr->sample_period ? "" : "c", fd);
	return fd;
}

static long set_limit(struct kernel *k, const uint64_t *new, uint64_t *old)
{
	if (old)
		memcpy(old, k->limit, sizeof(k->limit));
	if (!new)
		return 0;
	if (new[1] > k->limit[1] && !k->may_raise)
		return -EPERM;
	memcpy(k->limit, new, sizeof(k->limit));
	k->raised++;
	return 0;
}

static long other(struct files *files, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)files;

	switch (nr) {
	case __NR_perf_event_open:
		return perf_open(k, (const struct perf_event_attr *)arg[0], arg);
	case __NR_ioctl:
		if (arg[1] == PERF_EVENT_IOC_ENABLE)
			LOG(k, "enable%s %d; ", arg[2] == PERF_IOC_FLAG_GROUP ? " group" : "",
			    (int)arg[0]);
		else
			LOG(k, "bind %d; ", (int)arg[0]);
		return arg[1] == PERF_EVENT_IOC_ENABLE && k->enables_none ? -EIO : 0;
	case __NR_bpf:
		if (is_full(k))
			return -EMFILE;
		LOG(k, "link %d; ", ((const union bpf_attr *)arg[1])->link_create.target_fd);
		return files_take_fd(files, NULL);
	case __NR_prlimit64:
		ck_assert_uint_eq(arg[1], RLIMIT_NOFILE);
		return set_limit(k, (const uint64_t *)arg[2], (uint64_t *)arg[3]);
	case __NR_close:
		/* The directory of threads has been read: what stands in it may change. */
		if (strstr(files->fd[arg[0] - FILES_FD_BASE].path, "/task") &&
		    ++k->listings < MAX && k->tables[k->listings])
			files->table = k->tables[k->listings];
		return 0;
	case __NR_close_range:
		for (unsigned long fd = arg[0]; fd <= arg[1]; fd++, files->open--)
			files->fd[fd - FILES_FD_BASE].used = false;
		LOG(k, "close %lu-%lu; ", arg[0], arg[1]);
		return 0;
	}
	ck_abort_msg("system call %ld", nr);
}

#define SWITCH { "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 }
#define CPUS(list) { "/sys/devices/system/cpu/online", list "\n", 0 }

static const struct fake_file two_threads[] = {
	{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 }, CPUS("0-1"), SWITCH,
	{ 0 }
}, three_threads[] = {
	{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 },
	{ "/proc/40/task/42/comm", "", 0 }, CPUS("0-1"), { 0 }
}, four_threads[] = {
	{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 },
	{ "/proc/40/task/42/comm", "", 0 }, { "/proc/40/task/43/comm", "", 0 }, { 0 }
}, five_threads[] = {
	{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 },
	{ "/proc/40/task/42/comm", "", 0 }, { "/proc/40/task/43/comm", "", 0 },
	{ "/proc/40/task/44/comm", "", 0 }, { 0 }
}, one_thread[] = { { "/proc/40/task/40/comm", "", 0 }, { 0 } }, none[] = { { 0 } };

static struct setting {
	struct kernel kernel;
	struct event_list events;
	struct event_scope scope;
	struct attach_request reqs[MAX];
	unsigned int nr;
	struct attach_set set;
	struct error err;
} s;

static void take_note(void *arg, const char *text)
{
	struct kernel *k = arg;

	put(k->said, sizeof(k->said), "%s\n", text);
}

static void set_up(const struct fake_file *table, const char *method, const char *events,
		   const struct event_scope_options *asked)
{
	struct event_list *list = &s.events;

	memset(&s, 0, sizeof(s));
	files_init(&s.kernel.files, table);
	s.kernel.files.other = other;
	s.kernel.tables[0] = table;
	s.set.probes.note = take_note;
	s.set.probes.note_arg = &s.kernel;
	ck_assert_int_eq(event_list_parse(list, events, NULL), 0);
	ck_assert_int_eq(event_scope_init(&s.kernel.files.sys, &s.scope, asked, NULL), 0);
	for (s.nr = 0; s.nr < list->nr; s.nr++) {
		list->specs[s.nr].resolved = true;
		s.reqs[s.nr] = (struct attach_request){
			.method = attach_method_find(method, NULL), .spec = &list->specs[s.nr],
			.scope = &s.scope, .prog_fd = 7, .prog = s.nr, .period = 1000,
			.prog_type = event_prog_type(&list->specs[s.nr]),
			.on_exec = asked->command != 0, .member = s.nr && list->specs[s.nr].group,
		};
	}
}

static void tear_down(void)
{
	attach_close(&s.kernel.files.sys, &s.set);
	event_scope_free(&s.kernel.files.sys, &s.scope);
	event_list_free(&s.events);
	ck_assert_uint_eq(s.kernel.files.open, 0);
	error_clear(&s.err);
}

TEST_FIXTURE(NULL, tear_down)

static int attach(void)
{
	int ret = attach_events(&s.kernel.files.sys, s.reqs, s.nr, &s.set, &s.err);

	return ret ? ret : attach_enable(&s.kernel.files.sys, &s.set, &s.err);
}

/* --- groups --- */

static const struct {
	const char *method, *events;
	struct event_scope_options asked;
	const char *log;
} groups[] = {
	{ "ioctl", "{cpu-clock,task-clock}", { .cpus = "1" },
	  "open -1:1d = 100; open -1:1/100 = 101; bind 100; bind 101; enable group 100; " },
	/* First the leader wherever it is wanted, then the next, each in the group of its place. */
	{ "link", "{cpu-clock,task-clock,page-faults}", { .processes = "40" },
	  "open 40:-1d = 100; open 41:-1d = 101; open 40:-1/100 = 102; open 41:-1/101 = 103; "
	  "open 40:-1/100 = 104; open 41:-1/101 = 105; "
	  "link 100; link 101; link 102; link 103; link 104; link 105; "
	  "enable group 100; enable group 101; " },
	/* The leader samples for all; nothing runs on those that count. */
	{ "ioctl", "{cpu-clock,task-clock}:S", { .cpus = "0", .no_inherit = true },
	  "open -1:0d = 100; open -1:0/100c = 101; bind 100; enable group 100; " },
	/* execve enables the leader, and with it all. */
	{ "ioctl", "{cpu-clock,task-clock}", { .command = 77 },
	  "open 77:-1de = 100; open 77:-1/100 = 101; bind 100; bind 101; " },
	/* A tracing event is opened once, and a group in which it is alone is no group. */
	{ "ioctl", "{task-clock,sched:sched_switch}", { 0 },
	  "open -1:0d = 100; open -1:1d = 101; open -1:0/100 = 102; bind 100; bind 101; bind 102; "
	  "enable group 100; enable 101; " },
};

TEST_ROWS(opens_groups, groups)
{
	set_up(two_threads, groups[_i].method, groups[_i].events, &groups[_i].asked);
	ck_assert_msg(attach() == 0, "%s: %s", s.err.where, s.err.what);
	ck_assert_str_eq(s.kernel.log, groups[_i].log);
}

/* The call that failed has the flag of a group, and none of an event alone. */
TEST_EACH(shows_the_flag_of_a_group, 2)
{
	set_up(two_threads, "ioctl", _i ? "{cpu-clock,task-clock}" : "cpu-clock",
	       &(struct event_scope_options){ .cpus = "0" });
	s.kernel.enables_none = true;
	ck_assert_int_eq(attach(), -EIO);
	ck_assert_str_eq(s.err.call, _i ?
			 "ioctl(100, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) = -EIO" :
			 "ioctl(100, PERF_EVENT_IOC_ENABLE, 0) = -EIO");
}

TEST(says_what_counts_only)
{
	const struct event_scope_options asked = { .cpus = "0" };

	set_up(two_threads, "ioctl", "{cpu-clock,task-clock}:S", &asked);
	ck_assert_int_eq(attach(), 0);
	ck_assert_msg(strstr(s.kernel.said, "event 'task-clock': it only counts"), "%s",
		      s.kernel.said);
}

/* Two events fit: a third is refused, or opened by itself where that is allowed. */
TEST_EACH(explains_groups_that_do_not_fit, 2)
{
	const struct event_scope_options asked = { .cpus = "0" };

	set_up(two_threads, "ioctl",
	       _i ? "{cpu-clock,task-clock,page-faults}:W" : "{cpu-clock,task-clock,page-faults}",
	       &asked);
	s.kernel.fits = 2;
	if (_i) {
		ck_assert_msg(attach() == 0, "%s", s.err.what);
		ck_assert_msg(strstr(s.kernel.log, "open -1:0d = 102; bind 100; bind 101; bind "
						   "102; "
						   "enable group 100; enable 102; "), "%s",
						   s.kernel.log);
		ck_assert_msg(strstr(s.kernel.said, "event 'page-faults': its group does not fit"),
			      "%s", s.kernel.said);
	} else {
		ck_assert_int_eq(attach(), -EINVAL);
		ck_assert_str_eq(s.err.reason, "perf-open/group");
		ck_assert_uint_eq(s.kernel.files.open, 0);
	}
}

TEST(needs_a_leader)
{
	const struct event_scope_options asked = { 0 };

	set_up(two_threads, "ioctl", "{sched:sched_switch,cpu-clock}", &asked);
	ck_assert_int_eq(attach(), -EINVAL);
	ck_assert_str_eq(s.err.reason, "attach/no-leader");
	ck_assert_str_eq(s.err.where, "event 'cpu-clock': CPU 1");
}

/* Its program is of another type than the leader's, and so it is attached later. */
TEST(joins_a_group)
{
	const struct event_scope_options asked = { 0 };

	set_up(two_threads, "ioctl", "{cpu-clock,task-clock}", &asked);
	s.nr = 1;
	ck_assert_int_eq(attach(), 0);
	s.kernel.log[0] = '\0';
	s.reqs[1].joins = true;
	s.reqs[1].member = false;
	s.reqs[1].leader = 0;
	ck_assert_int_eq(attach_events(&s.kernel.files.sys, &s.reqs[1], 1, &s.set, &s.err), 0);
	ck_assert_str_eq(s.kernel.log, "open -1:0/100 = 102; open -1:1/101 = 103; bind 102; bind "
				       "103; ");
}

/* The events after a per-process uprobe are a group of their own. */
TEST(a_uprobe_splits_a_group)
{
	static const struct fake_file table[] = {
		{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 }, CPUS("0"),
		{ "/proc/40/status", "Tgid:\t40\n", 0 }, { "/proc/41/status", "Tgid:\t40\n", 0 },
		{ "/sys/bus/event_source/devices/uprobe/type", "9\n", 0 }, { 0 }
	};

	set_up(table, "ioctl", "{cpu-clock,uprobe:/bin/x:work,task-clock,page-faults}",
	       &(struct event_scope_options){ .processes = "40" });
	s.reqs[1].method = attach_method_find("pmu", NULL);
	ck_assert_msg(attach() == 0, "%s: %s", s.err.where, s.err.what);
	ck_assert_str_eq(s.kernel.log,
			 "open 40:-1d = 100; open 41:-1d = 101; open 40:-1d = 102; "
			 "open 40:-1d = 103; open 41:-1d = 104; open 40:-1/103 = 105; "
			 "open 41:-1/104 = 106; bind 100; bind 101; bind 102; bind 103; bind 104; "
			 "bind 105; bind 106; enable 100; enable 101; enable 102; "
			 "enable group 103; enable group 104; ");
}

/*
 * In a scope of processes a group is opened in parts. set->failed is an index into all requests,
 * and not into the part that failed.
 */
TEST(tells_who_failed)
{
	static const struct fake_file table[] = {
		{ "/proc/40/task/40/comm", "", 0 }, { "/proc/40/task/41/comm", "", 0 }, CPUS("0-1"),
		{ "/proc/40/status", "Tgid:\t40\n", 0 }, { "/proc/41/status", "Tgid:\t40\n", 0 },
		{ "/sys/bus/event_source/devices/uprobe/type", "9\n", 0 }, { 0 }
	};
	const struct event_scope_options asked = { .processes = "40" };

	set_up(two_threads, "ioctl", "{cpu-clock,task-clock,cs}", &asked);
	s.reqs[2].has_cookie = true;
	ck_assert_int_lt(attach(), 0);
	ck_assert_str_eq(s.err.reason, "attach/no-cookie");
	ck_assert_uint_eq(s.set.failed, 2);
	tear_down();

	set_up(two_threads, "ioctl", "{cpu-clock,uprobe:/bin/x:work,task-clock}", &asked);
	ck_assert_int_lt(attach(), 0);
	ck_assert_uint_eq(s.set.failed, 1);
	tear_down();

	set_up(table, "pmu", "{uprobe:/bin/x:work,mem:0x1000,mem:0x2000}", &asked);
	s.reqs[1].method = s.reqs[2].method = attach_method_find("ioctl", NULL);
	s.kernel.fits = 1;
	ck_assert_int_lt(attach(), 0);
	ck_assert_msg(s.set.failed == 2, "%u: %s", s.set.failed, s.err.what);
}

/* --- tasks that appear and go --- */

static const struct {
	const struct fake_file *tables[MAX];	/* at the first listing, at the second ... */
	bool no_inherit;
	const char *log, *said;
} rounds[] = {
	{ { two_threads }, false, "open 40:-1d = 100; open 41:-1d = 101; bind 100; bind 101; ",
	  "" },
	{ { two_threads, three_threads, three_threads }, false,
	  "open 40:-1d = 100; open 41:-1d = 101; close 100-101; "
	  "open 40:-1d = 100; open 41:-1d = 101; open 42:-1d = 102; bind 100; bind 101; bind 102; ",
	  "" },
	/*
	 * A thread that has ended is no reason to begin again, whether or not its process lives on.
	 */
	{ { two_threads, one_thread }, false,
	  "open 40:-1d = 100; open 41:-1d = 101; bind 100; bind 101; ", "" },
	{ { two_threads, none }, false,
	  "open 40:-1d = 100; open 41:-1d = 101; bind 100; bind 101; ", "" },
	{ { two_threads, three_threads }, true,
	  "open 40:-1d = 100; open 41:-1d = 101; bind 100; bind 101; ", "" },
};

TEST_ROWS(covers_threads_that_appear, rounds)
{
	const struct event_scope_options asked = { .processes = "40",
						   .no_inherit = rounds[_i].no_inherit };

	set_up(rounds[_i].tables[0], "ioctl", "cpu-clock", &asked);
	memcpy(s.kernel.tables, rounds[_i].tables, sizeof(s.kernel.tables));
	s.kernel.listings = 0;
	if (s.kernel.tables[1])
		s.kernel.files.table = s.kernel.tables[1];
	ck_assert_int_eq(attach_events(&s.kernel.files.sys, s.reqs, s.nr, &s.set, &s.err), 0);
	ck_assert_str_eq(s.kernel.log, rounds[_i].log);
	ck_assert_str_eq(s.kernel.said, rounds[_i].said);
}

/* Some of several processes with a uprobe may have ended since they were listed, but not all. */
static const struct {
	int ended[2], ret;
	const char *log;
} ends[] = {
	{ { 0 }, 0, "open 40:-1d = 100; open 50:-1d = 101; bind 100; bind 101; " },
	{ { 40 }, 0, "open 50:-1d = 100; bind 100; " },
	{ { 50 }, 0, "open 40:-1d = 100; bind 100; " },
	{ { 40, 50 }, -ESRCH, "" },
};

TEST_ROWS(processes_that_end, ends)
{
	static const struct fake_file table[] = {
		{ "/proc/40/task/40/comm", "", 0 }, { "/proc/50/task/50/comm", "", 0 },
		{ "/proc/40/status", "Tgid:\t40\n", 0 }, { "/proc/50/status", "Tgid:\t50\n", 0 },
		{ "/sys/bus/event_source/devices/uprobe/type", "9\n", 0 }, { 0 }
	};
	const struct event_scope_options asked = { .processes = "40,50" };

	set_up(table, "pmu", "uprobe:/bin/x:work", &asked);
	memcpy(s.kernel.ended, ends[_i].ended, sizeof(s.kernel.ended));
	ck_assert_msg(attach_events(&s.kernel.files.sys, s.reqs, s.nr, &s.set, &s.err) == ends[_i].ret,
		      "%s", s.err.what);
	ck_assert_str_eq(s.kernel.log, ends[_i].log);
}

TEST(says_that_threads_are_too_fast)
{
	const struct event_scope_options asked = { .processes = "40" };

	set_up(one_thread, "ioctl", "cpu-clock", &asked);
	memcpy(s.kernel.tables,
	       (const struct fake_file *[]){ two_threads, three_threads, four_threads,
							      five_threads },
							      sizeof(s.kernel.tables));
	s.kernel.listings = 0;
	s.kernel.files.table = two_threads;
	ck_assert_int_eq(attach_events(&s.kernel.files.sys, s.reqs, s.nr, &s.set, &s.err), 0);
	ck_assert_uint_eq(s.set.nr, 4);
	ck_assert_msg(strstr(s.kernel.said, "some may be missed"), "%s", s.kernel.said);
}

/* --- the limit of open files --- */

static const struct {
	const char *events, *method;
	uint64_t limit[2];
	bool may_raise;
	int ret;
	const char *said, *reason, *what, *hint;
} limits[] = {
	{ "cpu-clock", "ioctl", { 2, 2 }, false, 0, "", NULL, "", "" },
	{ "cpu-clock", "ioctl", { 1, 64 }, false, 0, "raised from 1 to 64\n", NULL, "", "" },
	{ "cpu-clock", "link", { 2, 64 }, false, 0, "raised from 2 to 64\n", NULL, "", "" },
	{ "cpu-clock", "link", { 3, 3 }, true, 0, "raised from 3 to 69\n", NULL, "", "" },
	{ "cpu-clock", "ioctl", { 1, 1 }, true, 0, "raised from 1 to 66\n", NULL, "", "" },
	{ "cpu-clock", "ioctl", { 1, 1 }, false, -EMFILE, "", "perf-open/fd-limit",
	  "out of file descriptors after 1 of 2 (2 threads)", "the limit is 1 (hard: 1)" },
	{ "cpu-clock", "link", { 3, 3 }, false, -EMFILE, "", "attach/fd-limit",
	  "BPF_LINK_CREATE: Too many open files: out of file descriptors after 1 of 2 "
	  "(2 threads)",
	  "ulimit -n 68" },
	/* The events before it have descriptors, too. */
	{ "cpu-clock,task-clock", "ioctl", { 2, 2 }, false, -EMFILE, "", "perf-open/fd-limit",
	  "after 0 of 2 (2 threads), and those of other events", "ulimit -n 68" },
	{ "cpu-clock,task-clock", "link", { 5, 5 }, false, -EMFILE, "", "attach/fd-limit",
	  "after 1 of 2 (2 threads)", "ulimit -n 72" },
};

TEST_ROWS(makes_room_for_descriptors, limits)
{
	const struct event_scope_options asked = { .threads = "40,41" };
	const struct fake_file files[] = {
		{ "/proc/40/task/40/comm", "", 0 }, { "/proc/41/task/41/comm", "", 0 }, { 0 }
	};

	set_up(files, limits[_i].method, limits[_i].events, &asked);
	memcpy(s.kernel.limit, limits[_i].limit, sizeof(s.kernel.limit));
	s.kernel.may_raise = limits[_i].may_raise;
	ck_assert_msg(attach() == limits[_i].ret, "%s", s.err.what);
	ck_assert_msg(strstr(s.kernel.said, limits[_i].said), "%s", s.kernel.said);
	ck_assert_uint_eq(s.kernel.raised, limits[_i].said[0] != '\0');
	ck_assert_pstr_eq(s.err.reason, limits[_i].reason);
	ck_assert_msg(strstr(s.err.what, limits[_i].what), "%s", s.err.what);
	ck_assert_msg(strstr(s.err.hint, limits[_i].hint), "%s", s.err.hint);
}
