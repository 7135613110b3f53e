// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of whole sessions over the fake kernel: call n fails for every n, kernels are old, the
 * verifier refuses. Nothing may stay open.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/session/session.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/exec_builder.h"

/* /proc/PID/stat: fields 5 to 21 are 0 */
#define STAT(pid, state, start) \
	#pid " (pload) " state " 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " #start " 0\n"

#define FIRST_FREE 7	/* of the paths of a session */

static struct fake_session r;	/* of the test that runs */
static struct buffer probed;	/* /bin/x */
static bool others;	/* there are lines in tracefs that are not ours to take away */

/* A program to be probed. */
static struct buffer make_prog(void)
{
	struct exec_builder b = { .fixed = true, .big_endian = HOST_BIG_ENDIAN };

#if defined(__aarch64__)
	b.machine = EM_AARCH64;
#elif defined(__s390x__)
	b.machine = EM_S390;
#endif
	xb_function(&b, XB_SYMTAB, "work", XB_TEXT_ADDRESS + 0x10);
	xb_function(&b, XB_SYMTAB, "worker", XB_TEXT_ADDRESS + 0x20);
	xb_note(&b, XB_TEXT_ADDRESS + 0x14, XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "begin", "");
	xb_note(&b, XB_TEXT_ADDRESS + 0x24, XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "begin", "");
	return xb_finish(&b);
}

/* The processes of the fake kernel see the same files as pload. */
static const struct fake_path namespaces[] = {
	{ "/proc/40/root", "/", 0, FAKE_SYMLINK },
	{ "/proc/40/ns/mnt", "mnt:[1]", 0, FAKE_SYMLINK },
	{ "/proc/50/root", "/", 0, FAKE_SYMLINK },
	{ "/proc/50/ns/mnt", "mnt:[1]", 0, FAKE_SYMLINK },
	{ "/proc/self/ns/mnt", "mnt:[1]", 0, FAKE_SYMLINK },
};

static void begin(const char *object)
{
	fake_session_object(&r, object);
	probed = make_prog();
	r.paths[1] = (struct fake_path){ "/bin/x", probed.data, probed.size, 0 };
	memcpy(&r.paths[2], namespaces, sizeof(namespaces));
	fake_session_begin(&r);
}

/* Run one session, with "prog.o" after the options. */
static void run(const char *args)
{
	const char *command = strstr(args, "-- ");
	const int options = command ? command - args : (int)strlen(args);
	char text[256];

	snprintf(text, sizeof(text), "%.*s prog.o %s", options, args, args + options);
	fake_session_run(&r, text);
}

static void end(void)
{
	if (!r.kernel)
		return;
	if (!others)
		ck_assert_ptr_null(fake_kernel_line(r.kernel, 0));
	others = false;
	fake_session_end(&r);
	buffer_free(&probed);
}

TEST_FIXTURE(NULL, end)

/* Returns the index of the first call of this name; the test fails if there is none. */
static unsigned int first(const struct fake_kernel *k, const char *name)
{
	unsigned int i = 0;

	while (i < fake_kernel_nr_calls(k) && strcmp(fake_kernel_call(k, i)->name, name))
		i++;
	ck_assert_msg(i < fake_kernel_nr_calls(k), "no %s", name);
	return i;
}

static unsigned int last(const struct fake_kernel *k, const char *name)
{
	unsigned int i = fake_kernel_nr_calls(k);

	while (i > 0 && strcmp(fake_kernel_call(k, i - 1)->name, name))
		i--;
	ck_assert_msg(i > 0, "no %s", name);
	return i - 1;
}

static const struct {
	const char *object, *args, *bind;
} sessions[] = {
	{ "ip_count", "--attach=ioctl -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "ip_count", "--attach=pmu -e cpu-clock -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "ip_count", "--attach=link --cookie=7 -e cpu-clock -d 1", "BPF_LINK_CREATE" },
	{ "profile", "--attach=ioctl -e cpu-clock -C 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "counter_read_value", "--attach=link -e cpu-clock --counter=task-clock -d 1", "BPF_LINK_CREATE" },
	{ "event_output", "--attach=ioctl -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "event_output", "--attach=link --format=json -d 1", "BPF_LINK_CREATE" },
	{ "ringbuf", "--attach=ioctl -e cpu-clock -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "ringbuf", "--attach=pmu -e cpu-clock -d 0", "PERF_EVENT_IOC_SET_BPF" },
	{ "ip_count", "-e cpu-clock -p 40 -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "ip_count", "--attach=link -e cpu-clock -t 41,50 -C 1 -d 1", "BPF_LINK_CREATE" },
	{ "ip_count", "-e cpu-clock -u alice --no-inherit -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "ip_count", "-e cpu-clock -G a,/sys/fs/cgroup/b -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "kprobe", "--attach=ioctl -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "kprobe", "--attach=pmu -d 0", "PERF_EVENT_IOC_SET_BPF" },
	{ "kprobe", "--attach=link -d 1 --format=json", "BPF_LINK_CREATE" },
	{ "uprobe", "--attach=ioctl -e uprobe:/bin/x:0x610 -d 0", "PERF_EVENT_IOC_SET_BPF" },
	{ "uprobe", "--attach=ioctl -e uprobe:/bin/x:work -e uretprobe:/bin/x:work -d 1",
	  "PERF_EVENT_IOC_SET_BPF" },
	{ "uprobe", "--attach=link -e uretprobe:/bin/x:work* --cookie=5 -d 1", "BPF_LINK_CREATE" },
	{ "uprobe", "--attach=pmu -e uprobe:/bin/x:work -p 40,50 -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "uprobe", "--attach=ioctl -e usdt:/bin/x:app:begin -p 40 -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "usdt", "--attach=ioctl -e usdt:/bin/x:app:begin -d 1", "PERF_EVENT_IOC_SET_BPF" },
	{ "usdt", "--attach=link -e usdt:/bin/x:app:begin -d 1", "BPF_LINK_CREATE" },
	{ "ip_count", "-e cpu-clock -- true", "PERF_EVENT_IOC_SET_BPF" },
	{ "event_output", "--attach=link -a -d 1 -- ls -l", "BPF_LINK_CREATE" },
	{ "xdp_output", "--test-run=2", NULL },
	{ "tc_output", "--test-run --format=json", NULL },
	{ "xdp_output", "--attach=link --dev=lo --prog=xdp_both -d 1", NULL },
	{ "tc_output", "--attach=link --dev=lo --direction=egress -d 1 --format=json", NULL },
	{ "functions", "--attach=link --cookie=3 -d 1", NULL },
	{ "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 1", NULL },
	{ "tc_output", "load", NULL },
	{ "profile", "load --format=json -v prog.o", NULL },
	{ "tc_output", "load --skip-failing", NULL },
	{ "tc_output", "load --pin=/sys/fs/bpf/a/b", NULL },
	{ "tc_output", "load --pin=/sys/fs/bpf --skip-failing", NULL },
};

#define NR_SESSIONS (sizeof(sessions) / sizeof(sessions[0]))

TEST_EACH(session_succeeds, NR_SESSIONS)
{
	begin(sessions[_i].object);
	run(sessions[_i].args);
	ck_assert_msg(r.ret == 0, "%s: %s", r.err.where, r.err.what);
	ck_assert_uint_gt(r.out_size, 0);
	if (sessions[_i].bind) {
		/* Everything is bound before anything is enabled. */
		ck_assert_uint_lt(last(r.kernel, "perf_event_open"), last(r.kernel, sessions[_i].bind));
		if (!fake_kernel_count(r.kernel, "PERF_EVENT_IOC_ENABLE"))	/* execve does it */
			ck_assert_uint_lt(last(r.kernel, sessions[_i].bind), first(r.kernel, "write"));
		else
			ck_assert_uint_lt(last(r.kernel, sessions[_i].bind),
					  first(r.kernel, "PERF_EVENT_IOC_ENABLE"));
	}
}

/*
 * Calls whose failure a session survives, because what they give can be done without or be had
 * otherwise.
 */
static bool can_be_done_without(int s, const char *name)
{
	static const char *const names[] = {
		"close", "close_range", "munmap",
		"BPF_BTF_LOAD",		/* maps and programs are loaded without */
		"BPF_ENABLE_STATS",	/* run_cnt is null */
		"BPF_MAP_LOOKUP_BATCH",	/* one by one */
		"BPF_MAP_CREATE",	/* EINVAL: tried again in an older form */
		"BPF_MAP_FREEZE",	/* EINVAL: a kernel before 5.2 */
		"BPF_PROG_BIND_MAP",	/* a note; EINVAL: a kernel before 5.10 */
		"BPF_PROG_LOAD",	/* the second try, for the log, may succeed */
		"perf_event_open",	/* whether cycles are counted */
		"epoll_pwait",		/* EINTR: the rings are read at the next wait */
		"ppoll",		/* a signal is looked for, a command waited for */
		"pidfd_open",		/* a note says that the end of the child is not seen */
		"waitid",		/* a note says that the status is not known */
		"kill",			/* it ends by itself, or by the next signal */
		"BPF_MAP_GET_NEXT_KEY", "BPF_MAP_LOOKUP_ELEM",	/* deleted meanwhile */
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	/* Before Linux 6.10 there are other ways for the sockets in a map. */
	if (!strcmp(sessions[s].object, "sock_bytes") && !strcmp(name, "BPF_LINK_CREATE"))
		return true;
	/* Without the list of functions that can be traced all of kallsyms are tried. */
	if (!strcmp(sessions[s].object, "functions") &&
	    (!strcmp(name, "openat") || !strncmp(name, "fs", 2) || !strcmp(name, "read")))
		return true;
	/* "load" prints details of a loaded program, without which it succeeds. */
	if (!strncmp(sessions[s].args, "load", 4) && !strcmp(name, "BPF_OBJ_GET_INFO_BY_FD"))
		return true;
	/* A kprobe's misses are printed only if the kernel reports them. */
	if (!strcmp(name, "BPF_OBJ_GET_INFO_BY_FD") &&
	    (strstr(sessions[s].object, "probe") || !strcmp(sessions[s].object, "functions")))
		return strstr(sessions[s].args, "link");
	/*
	 * tracefs is looked for where it is mounted, in both places, and else opened without a
	 * mount. Lines that others left behind are looked for in both of its files, and our own are
	 * taken away by a second try.
	 */
	if ((strstr(sessions[s].object, "probe") || !strcmp(sessions[s].object, "usdt")) &&
	    (!strcmp(name, "read") || !strcmp(name, "write") || !strcmp(name, "openat")))
		return strstr(sessions[s].args, "ioctl");
	return !strcmp(sessions[s].object, "event_output") && !strcmp(name, "openat");
}

/* Without uevents a note says that the list of CPUs is read each second: docs/scope.md. */
static bool is_about_cpus(const struct fake_kernel *k, unsigned int call)
{
	const char *name = fake_kernel_call(k, call)->name;

	if (!strcmp(name, "bind") || !strcmp(name, "recvfrom"))
		return true;
	if (!strcmp(name, "readlinkat"))
		return call && !strcmp(fake_kernel_call(k, call - 1)->name, "bind");
	return !strcmp(name, "socket") && first(k, "socket") == call;
}

/* Without a ring of its own it is not known whether an event was throttled. */
static bool is_of_throttling(const struct fake_kernel *k, unsigned int call)
{
	return !strcmp(fake_kernel_call(k, call)->name, "mmap") &&
	       first(k, "PERF_EVENT_IOC_ENABLE") < call;
}

/*
 * For names of addresses: a process may have ended, or be another user's, when its comm and its
 * mappings are read, after the list of /proc; a ring that EPERM refuses is tried with fewer pages.
 * If the mount namespace of pload is not known, files of processes that have ended have a doubt.
 * Rows that have an address only are named by what the processes map at the end, or are not. Without
 * another nice value naming takes longer.
 */
static bool is_about_processes(int s, const struct fake_kernel *k, unsigned int call)
{
	const char *name = fake_kernel_call(k, call)->name;

	if (!strcmp(name, "setpriority"))
		return true;
	if (!strcmp(sessions[s].object, "ip_count"))
		return (!strcmp(name, "openat") || !strcmp(name, "read")) &&
		       call > last(k, "perf_event_open");
	if (strcmp(sessions[s].object, "profile") || !fake_kernel_count(k, "getdents64"))
		return false;
	if (!strcmp(name, "mmap"))
		return fake_kernel_call(k, call)->ret == -EPERM;
	if (!strcmp(name, "readlinkat"))
		return true;
	return call > first(k, "getdents64") && (!strcmp(name, "openat") || !strcmp(name, "read"));
}

/* Return true if a line of @notes is not one of @before. */
static bool has_another_note(const char *notes, const char *before)
{
	char line[sizeof(r.notes)];

	for (size_t len; *notes; notes += len) {
		len = strcspn(notes, "\n") + 1;
		snprintf(line, sizeof(line), "%.*s", (int)len, notes);
		if (!strstr(before, line))
			return true;
	}
	return false;
}

static void fail_each_call(int s, int code)
{
	unsigned int n = 0, calls = 1;
	char notes[sizeof(r.notes)] = "";	/* of the session without a failure */

	for (; n < calls; n++) {
		const char *name;

		begin(sessions[s].object);
		fake_kernel_fail_call(r.kernel, n, code);
		run(sessions[s].args);
		calls = n ? calls : fake_kernel_nr_calls(r.kernel) + 1;
		if (!n)
			memcpy(notes, r.notes, sizeof(notes));
		name = n ? fake_kernel_call(r.kernel, n - 1)->name : "";
		if (r.ret < 0) {
			ck_assert_int_eq(r.err.code, r.ret);
			ck_assert_msg(r.err.what[0] != '\0', "call %u, %s: an error without a word", n, name);
			ck_assert_msg(r.err.where[0] != '\0', "call %u, %s: '%s' without a place", n, name, r.err.what);
		} else if (r.ret > 0) {
			ck_assert_msg(strstr(r.out, "failed") != NULL, "call %u, %s: nothing said", n, name);
		} else if (n) {
			/* Another event that is taken for it is said, with the cause. */
			ck_assert_msg(can_be_done_without(s, name) || has_another_note(r.notes, notes) ||
				      strstr(r.out, "instead") || is_about_cpus(r.kernel, n - 1) ||
				      is_about_processes(s, r.kernel, n - 1) || is_of_throttling(r.kernel, n - 1),
				      "call %u, %s: its failure was lost", n, name);
		}
		if (r.ret)
			ck_assert_msg(!fake_kernel_nr_pins(r.kernel), "call %u, %s: pins are left", n, name);
		end();
	}
	ck_assert_uint_gt(n, 10);
}

TEST_EACH(every_call_fails_with_enomem, NR_SESSIONS)
{
	fail_each_call(_i, ENOMEM);
}

TEST_EACH(every_call_fails_with_einval, NR_SESSIONS)
{
	fail_each_call(_i, EINVAL);
}

TEST_EACH(every_call_fails_with_eperm, NR_SESSIONS)
{
	fail_each_call(_i, EPERM);
}

/* The features that an old kernel lacks; a session by ioctl works all the same. */
static const unsigned int ages[] = {
	FAKE_NO_BTF, FAKE_NO_MAP_BTF, FAKE_NO_MMAPABLE, FAKE_NO_NAMES, FAKE_NO_STATS, FAKE_NO_BATCH, FAKE_NO_FREEZE,
	FAKE_MEMLOCK, FAKE_NO_MISSES,
	FAKE_NO_BTF | FAKE_NO_MAP_BTF | FAKE_NO_MMAPABLE | FAKE_NO_STATS | FAKE_NO_BATCH | FAKE_NO_FREEZE | FAKE_MEMLOCK,
};

TEST_ROWS(old_kernel_is_met, ages)
{
	begin("profile");
	fake_kernel_set_age(r.kernel, ages[_i]);
	run("--attach=ioctl -e cpu-clock -d 1 --format=json");
	ck_assert_msg(r.ret == 0, "%s: %s", r.err.where, r.err.what);
	if (ages[_i] & FAKE_NO_STATS)
		ck_assert(strstr(r.out, "\"run_cnt\":null") != NULL);
	else
		ck_assert(strstr(r.out, "\"run_cnt\":0") != NULL);
	/* These are counted for everybody. */
	ck_assert(strstr(r.out, ages[_i] & FAKE_NO_MISSES ? "\"recursion_misses\":null" :
							    "\"recursion_misses\":7") != NULL);
}

TEST(link_before_5_15_is_named)
{
	begin("ip_count");
	r.paths[FIRST_FREE] = (struct fake_path){ .path = "/proc/sys/kernel/osrelease", .data = "5.10.0-26-amd64\n" };
	fake_kernel_set_age(r.kernel, FAKE_NO_PERF_LINK);
	run("--attach=link -e cpu-clock -d 1");
	ck_assert_int_eq(r.ret, -EINVAL);
	ck_assert_pstr_eq(r.err.reason, "attach/link-unsupported");
	ck_assert(strstr(r.err.hint, "ioctl") != NULL);
}

#define ONLINE_CPUS 2

/* The fake kernel has no hardware PMU, so the first event of each choice that needs none is taken. */
static const struct {
	const char *events;
	struct {
		uint64_t config;
		bool leads;
	} open[2];	/* on each CPU */
} choices[] = {
	{ "cycles,or=cpu-clock", { { PERF_COUNT_SW_CPU_CLOCK, true } } },
	{ "{cycles,or=cpu-clock,cs}",
	  { { PERF_COUNT_SW_CPU_CLOCK, true }, { PERF_COUNT_SW_CONTEXT_SWITCHES, false } } },
	{ "{cs,cycles,or=instructions,or=faults}",
	  { { PERF_COUNT_SW_CONTEXT_SWITCHES, true }, { PERF_COUNT_SW_PAGE_FAULTS, false } } },
	{ "{cycles,or=cs,instructions,or=faults}",
	  { { PERF_COUNT_SW_CONTEXT_SWITCHES, true }, { PERF_COUNT_SW_PAGE_FAULTS, false } } },
};

/* Returns true if @event is the one that choices[@i] expects as the open event number @nr. */
static bool is_chosen(const struct fake_event *event, int i, unsigned int nr)
{
	const bool alone = !choices[i].open[1].leads && !choices[i].open[1].config;
	const unsigned int which = alone ? 0 : nr / ONLINE_CPUS;

	return which < 2 && event->attr.type == PERF_TYPE_SOFTWARE && event->enabled &&
	       event->attr.config == choices[i].open[which].config &&
	       !event->leader == choices[i].open[which].leads;
}

/* Looked at while the session waits: afterwards nothing is open. */
static void look_at_choice(struct fake_kernel *k, void *arg)
{
	const int i = *(int *)arg;
	const unsigned int wanted = ONLINE_CPUS * (choices[i].open[1].config ? 2 : 1);
	unsigned int nr = 0;
	struct fake_event *event;

	for (unsigned int e = 0; (event = fake_kernel_event(k, e)); e++)
		if (event->open && event->prog)
			ck_assert_msg(is_chosen(event, i, nr++), "%s: event %u", choices[i].events, e);
	ck_assert_uint_eq(nr, wanted);
}

TEST_ROWS(first_that_is_there_is_taken, choices)
{
	char args[128];

	snprintf(args, sizeof(args), "-e %s -d 1", choices[_i].events);
	begin("ip_count");
	fake_kernel_on_poll(r.kernel, look_at_choice, &_i);
	run(args);
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_ge(fake_kernel_count(r.kernel, "ppoll"), 1);
}

/* Before Linux 6.10 there are no links to maps of sockets: the program is detached explicitly. */
TEST_EACH(sockets_before_6_10, 2)
{
	static const struct {
		bool taken;
		int ret;
	} rows[] = { { false, 0 }, { true, -EBUSY } };
	const union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_SOCKHASH, .key_size = 8, .value_size = 8, .max_entries = 1
	};
	struct fake_prog other = { .id = 77 };
	struct fake_map *map;

	begin("sock_bytes");
	fake_kernel_set_age(r.kernel, FAKE_NO_SOCKMAP_LINK);
	map = fake_kernel_pin(r.kernel, "/sys/fs/bpf/others", &attr);
	map->sockets_prog = rows[_i].taken ? &other : NULL;
	run("--attach=link --prog=count --target-map=/sys/fs/bpf/others -d 1");
	ck_assert_msg(r.ret == rows[_i].ret, "%s: %s", r.err.where, r.err.what);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "BPF_PROG_DETACH"), !rows[_i].taken);
	ck_assert_ptr_eq(map->sockets_prog, rows[_i].taken ? &other : NULL);
	if (rows[_i].taken)
		ck_assert_pstr_eq(r.err.reason, "attach/already-bound");
}

/* Each program has its events in the summary, however many those before it have. */
TEST(events_of_each_program)
{
	static const char events[] = "\"events\":[\"kprobe:do_exit\",\"kprobe:vfs_read\"]";
	unsigned int programs = 0;

	begin("kprobe");
	run("--attach=pmu --format=json -e kprobe:do_exit -e kprobe:vfs_read -d 1");
	ck_assert_msg(r.ret == 0, "%s: %s", r.err.where, r.err.what);
	for (const char *p = r.out; (p = strstr(p, events)); p++)
		programs++;
	ck_assert_msg(programs == 2, "%s", r.out);
}

/* One of the tasks has ended before it can be watched: the session is that of the other. */
TEST_EACH(tasks_that_have_ended, 2)
{
	begin("ip_count");
	fake_kernel_end_process(r.kernel, 40 + _i);
	run("-e cpu-clock -t 40,41 -d 600");
	ck_assert_msg(r.ret == 0, "%s: %s", r.err.where, r.err.what);
	ck_assert_msg(!strstr(r.notes, "pidfd"), "%s", r.notes);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "pidfd_open"), 1 + !_i);
}

TEST(refusal_keeps_errno_and_log)
{
	const size_t size = 300000;	/* more than the first log buffers */
	char *log = malloc(size + 1);

	memset(log, 'x', size);
	memcpy(log + size - 10, "\nthe end\n", 10);
	begin("ip_count");
	fake_kernel_reject(r.kernel, "ip_count", EACCES, log);
	run("--attach=ioctl -e cpu-clock -d 1");
	ck_assert_int_eq(r.ret, -EACCES);
	ck_assert_pstr_eq(r.err.reason, "prog-load/verifier");
	ck_assert(strstr(r.err.where, "prog 'ip_count'") != NULL);
	ck_assert_ptr_nonnull(r.err.log);
	ck_assert_str_eq(r.err.log, log);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "perf_event_open"), 0);
	end();
	free(log);
}

/* The end of a log that fits no buffer is shown. No kernel before 5.2 takes one of 16 MB. */
TEST(log_without_an_end)
{
	const size_t size = 20u << 20;
	char *log = malloc(size + 1);

	memset(log, 'x', size);
	memcpy(log + size - 10, "\nthe end\n", 10);
	log[size] = '\0';
	begin("ip_count");
	fake_kernel_set_age(r.kernel, FAKE_SMALL_LOG);
	fake_kernel_reject(r.kernel, "ip_count", EACCES, log);
	run("--attach=ioctl -e cpu-clock -d 1");
	ck_assert_int_eq(r.ret, -EACCES);
	ck_assert_pstr_eq(r.err.reason, "prog-load/verifier");
	ck_assert_ptr_nonnull(r.err.log);
	ck_assert_ptr_nonnull(strstr(r.err.log, "the end"));
	end();
	free(log);
}

/* A program that the verifier refuses does not change the result of the others. */
TEST_EACH(failing_program_is_left_out, 2)
{
	begin("tc_output");
	fake_kernel_reject(r.kernel, "tc_struct_only", EACCES, "first\nR0 !read_ok\nprocessed 1 insns\n");
	run(_i ? "load --format=json --skip-failing" : "load --format=json");
	ck_assert_int_eq(r.ret, _i ? 0 : 1);
	ck_assert_ptr_nonnull(strstr(r.out, _i ? "\"status\":\"ok\"" : "\"status\":\"failed\""));
	ck_assert_ptr_nonnull(strstr(r.out, "\"programs\":3"));
	ck_assert_ptr_nonnull(strstr(r.out, "\"verifier\":\"R0 !read_ok\""));
	ck_assert_ptr_nonnull(strstr(r.out, "\"reason\":\"prog-load/verifier\""));
	ck_assert_ptr_null(strstr(r.out, "\"log\""));
	if (_i)
		ck_assert_ptr_nonnull(strstr(r.out, "\"loaded\":2,\"refused\":[{\"prog\":\"tc_struct_only\""));
}

/* Since Linux 7.3 the verdict is followed by a diagnosis, whose last part is a suggestion. */
TEST(diagnosis_of_the_verifier)
{
	static const char log[] =
		"0: R1=ctx() R10=fp0\n"
		"0: (61) r2 = *(u32 *)(r6 +0)\n"
		"R6 invalid mem access 'mem_or_null'\n"
		"\nVerification failed: Register Type Safety: Invalid dereference\n"
		"\nReason:\n"
		"  R6 may be NULL here (mem_or_null). The program could dereference NULL on this "
		"path,\n"
		"  so the verifier cannot prove this access is safe.\n"
		"\nAt:\n"
		"  entry @ prog.bpf.c:13:36\n"
		"  Instruction context:\n"
		"  >>> 0 | (61) r2 = *(u32 *)(r6 +0)\n"
		"\nCausal path:\n"
		"  no retained diagnostic events on this path\n"
		"\nSuggestion:\n"
		"  Check R6 against NULL.\n"
		"\n"
		"processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0\n";
	const char *part;
	size_t len;

	begin("tc_output");
	fake_kernel_reject(r.kernel, "tc_struct_only", EACCES, log);
	run("load --format=json");
	ck_assert_ptr_nonnull(strstr(r.out,
		"\"verifier\":\"entry @ prog.bpf.c:13:36: R6 may be NULL here (mem_or_null). The "
		"program could dereference NULL on this path, so the verifier cannot prove this "
		"access is safe.\""));
	ck_assert_ptr_nonnull(strstr(r.out, "\"hint\":\"Check R6 against NULL.\""));
	part = verifier_log_extract(log, &len);
	ck_assert_ptr_eq(part, log);
	ck_assert_ptr_eq(part + len, strstr(log, "\nCausal path"));
}

/* The extract of a long log is its last lines, or the verdict and the diagnosis. */
TEST(extract_of_a_log)
{
	char log[2000] = "";
	const char *part;
	size_t len, n = 0;

	for (int i = 0; i < 60; i++)
		n += snprintf(log + n, sizeof(log) - n, "%d: (b7) r0 = 0\n", i);
	snprintf(log + n, sizeof(log) - n, "R0 is odd\nprocessed 60 insns\n");
	part = verifier_log_extract(log, &len);
	ck_assert(!strncmp(part, "38: (b7)", 8));
	ck_assert_uint_eq(part[len], 0);
	ck_assert_ptr_eq(verifier_log_end(log), strstr(log, "\nprocessed"));
	snprintf(log + n, sizeof(log) - n, "R0 is odd\n\nVerification failed: Odd\n\nReason:\n"
					   "  It is.\n\nprocessed 60 insns\n");
	part = verifier_log_extract(log, &len);
	ck_assert(!strncmp(part, "57: (b7)", 8));
	ck_assert_uint_eq(part[len], 0);
	ck_assert_ptr_eq(verifier_log_end(log), strstr(log, "\n\nVerification"));
}

TEST(no_program_of_all_is_a_failure)
{
	begin("tc_output");
	fake_kernel_reject(r.kernel, NULL, EACCES, "R0 !read_ok\n");
	run("load --skip-failing -v");
	ck_assert_int_eq(r.ret, 1);
	ck_assert_ptr_nonnull(strstr(r.out, "failed  prog.o: none of its 3 programs can be loaded [prog-load/none]\n"));
	ck_assert_ptr_nonnull(strstr(r.out, "  without prog 'tc_struct_only': the verifier rejected the program: Permission denied: "
					    "R0 !read_ok [prog-load/verifier]\n    R0 !read_ok\n  call: bpf(BPF_PROG_LOAD, {"));
	ck_assert_ptr_nonnull(strstr(r.out, " = -EACCES\n  hint: "));
}

/*
 * The machine lacks descriptors, not the program: --skip-failing does not skip it, because the next
 * program would fail as well.
 */
TEST(failing_machine_is_not_skipped)
{
	begin("tc_output");
	fake_kernel_reject(r.kernel, NULL, EMFILE, NULL);
	run("load --skip-failing");
	ck_assert_int_eq(r.ret, 1);
	ck_assert_ptr_nonnull(strstr(r.out, "[prog-load/fd-limit]"));
	ck_assert_ptr_null(strstr(r.out, "without"));
}

/* Either all pins are created or none, and the pins of others remain. */
TEST_EACH(pins_are_all_or_none, 2)
{
	const union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1 };

	begin("tc_output");
	if (_i)
		fake_kernel_pin(r.kernel, "/sys/fs/bpf/tc_payload_only", &attr);
	run("load --pin=/sys/fs/bpf/");
	ck_assert_int_eq(r.ret, _i);
	if (_i) {
		ck_assert_ptr_nonnull(strstr(r.out, "BPF_OBJ_PIN '/sys/fs/bpf/tc_payload_only': File exists [pin/exists]\n"));
		ck_assert_uint_eq(fake_kernel_nr_pins(r.kernel), 1);
	} else {
		ck_assert_str_eq(r.out, "ok      prog.o: 5 maps, 3 programs, pinned in /sys/fs/bpf\n");
		ck_assert_uint_eq(fake_kernel_nr_pins(r.kernel), 9);
	}
}

static const struct {
	const char *args, *what, *hint;
	unsigned int age;
} no_places[] = {
	{ "load --pin=/sys/fs/bpf/x", "'/sys/fs/bpf' is not in a file system of type bpf", "mount -t bpf", FAKE_NO_BPFFS },
	{ "load --pin=/sys/fs/bpf/x prog.o", "two objects would be pinned in '/sys/fs/bpf/x/prog'", "one by one", 0 },
};

TEST_EACH(no_place_for_pins_is_said_first, 2)
{
	begin("tc_output");
	fake_kernel_set_age(r.kernel, no_places[_i].age);
	run(no_places[_i].args);
	ck_assert_int_lt(r.ret, 0);
	ck_assert_ptr_nonnull(strstr(r.err.what, no_places[_i].what));
	ck_assert_ptr_nonnull(strstr(r.err.hint, no_places[_i].hint));
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "BPF_MAP_CREATE"), 0);
}

TEST(signal_ends_load_between_objects)
{
	begin("ip_count");
	fake_kernel_signal(r.kernel, SIGINT);
	run("load prog.o prog.o");
	ck_assert_int_eq(r.ret, -ECANCELED);
	ck_assert_ptr_nonnull(strstr(r.err.what, "2 of 3"));
	ck_assert_str_eq(r.err.reason, "pload/interrupted");
	ck_assert_str_eq(r.out, "ok      prog.o: 2 maps, 1 program\n");
}

/*
 * A program that loads at once is loaded once, without a log, and nothing is queried that is not
 * used.
 */
TEST(no_probing_on_the_way)
{
	unsigned int bpf = 0;

	begin("ip_count");
	run("--attach=link -e cpu-clock -d 0");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "BPF_PROG_LOAD"), 1);
	ck_assert_uint_eq(fake_kernel_prog(r.kernel, "ip_count")->attr.log_level, 0);
	for (unsigned int i = 0; i < fake_kernel_nr_calls(r.kernel); i++) {
		ck_assert_msg(!sys_failed(fake_kernel_call(r.kernel, i)->ret), "%s failed", fake_kernel_call(r.kernel, i)->name);
		bpf += !strncmp(fake_kernel_call(r.kernel, i)->name, "BPF_", 4);
	}
	ck_assert_uint_le(bpf, 12);
	ck_assert_uint_le(fake_kernel_nr_calls(r.kernel), 30);
}

/* The kernel gets names, types, the license, func_info and line_info. */
TEST(program_is_described)
{
	const struct fake_prog *prog;
	const struct fake_map *map;

	begin("ip_count");
	run("--attach=ioctl -e cpu-clock -d 0");
	ck_assert_int_eq(r.ret, 0);
	prog = fake_kernel_prog(r.kernel, "ip_count");
	ck_assert_ptr_nonnull(prog);
	ck_assert_uint_eq(prog->attr.prog_type, BPF_PROG_TYPE_PERF_EVENT);
	ck_assert_uint_gt(prog->attr.func_info_cnt, 0);
	ck_assert_uint_gt(prog->attr.line_info_cnt, 0);
	ck_assert_str_eq(prog->license, "Dual BSD/GPL");
	map = fake_kernel_map(r.kernel, "hits");
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_gt(map->attr.btf_key_type_id, 0);
	ck_assert_uint_gt(map->attr.btf_value_type_id, 0);
	map = fake_kernel_map(r.kernel, "prog.bss");
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(map->attr.map_flags, BPF_F_MMAPABLE);
}

TEST(perf_event_array_is_as_large_as_the_machine)
{
	begin("event_output");
	run("--attach=ioctl -d 0");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_eq(fake_kernel_map(r.kernel, "events")->attr.max_entries, 4);
}

/* Mapping is ours to give up where the map is ours: a flag that the object asks for is kept. */
TEST_EACH(flag_of_the_object_is_kept, 2)
{
	static const enum object_map_kind kinds[] = { OBJECT_MAP_DATA, OBJECT_MAP_BTF };
	struct object_map map = {
		.name = "m", .type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8,
		.max_entries = 1, .map_flags = BPF_F_MMAPABLE, .inner = -1, .kind = kinds[_i],
	};
	const struct bpf_object object = { .name = "prog", .maps = &map, .nr_maps = 1 };
	struct fake_kernel *kernel = fake_kernel_new(NULL);
	const struct map_options options = { .nr_possible_cpus = 1 };
	struct kernel_object k;
	struct error err = { 0 };

	fake_kernel_set_age(kernel, FAKE_NO_MMAPABLE);
	ck_assert_int_eq(kernel_load_maps(fake_kernel_sys(kernel), &object, &options, &k, &err),
			 _i ? -EINVAL : 0);
	kernel_unload(fake_kernel_sys(kernel), &k);
	ck_assert_int_eq(fake_kernel_leaks(kernel, stderr), 0);
	fake_kernel_free(kernel);
	error_clear(&err);
}

static void send_sigterm(struct fake_kernel *k, void *arg)
{
	(void)arg;
	fake_kernel_signal(k, SIGTERM);
}

TEST(signal_ends_the_session_with_its_summary)
{
	begin("ringbuf");
	fake_kernel_on_poll(r.kernel, send_sigterm, NULL);
	run("--attach=ioctl -e cpu-clock --format=json");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_ptr_nonnull(strstr(r.out, "\"type\":\"summary\""));
}

/*
 * The lines of a pload that was killed are removed; those of a running pload, of another pid
 * namespace and of others remain.
 */
TEST_EACH(lines_left_behind_go_away, 2)
{
	static const char *const lines[] = {
		"p:pload/do_exit_77_309_0_7_0 do_exit\n",	/* there is no process 77 */
		"r10:pload/do_exit_42_308_0_7_0 do_exit\n",	/* process 42 began later */
		"p:pload/__44_309_0_7_0 do_exit\n",		/* a zombie */
		"p:pload/do_exit_43_309_0_7_0 do_exit\n",	/* process 43 runs */
		"p:pload/do_exit_77_309_1_7_0 do_exit\n",	/* of another pid namespace */
		"p:pload/mine do_exit\n",
		"p:mine/do_exit_77_309_0_7_0 do_exit\n",
	};
	const unsigned int gone = 3, nr = sizeof(lines) / sizeof(lines[0]);

	begin("kprobe");
	others = true;
	r.paths[FIRST_FREE] = (struct fake_path){ .path = "/proc/42/stat", .data = STAT(42, "R", 777) };
	r.paths[FIRST_FREE + 1] = (struct fake_path){ .path = "/proc/43/stat", .data = STAT(43, "S", 777) };
	r.paths[FIRST_FREE + 2] = (struct fake_path){ .path = "/proc/44/stat", .data = STAT(44, "Z", 777) };
	for (unsigned int i = 0; i < nr; i++)
		fake_kernel_add_line(r.kernel, _i, lines[i]);
	run("--attach=ioctl -d 0");
	ck_assert_msg(r.ret == 0, "%s: %s", r.err.where, r.err.what);
	for (unsigned int i = gone; i < nr; i++)
		ck_assert_str_eq(fake_kernel_line(r.kernel, i - gone), lines[i]);
	ck_assert_uint_eq(fake_kernel_nr_lines(r.kernel), nr - gone);
}

/*
 * If another process has the event of our line open, pload waits for a while, and then leaves the
 * line to the next session, with a note.
 */
TEST_EACH(busy_line_is_waited_for, 2)
{
	const unsigned int tries = _i ? 1000 : 5;

	begin("kprobe");
	fake_kernel_keep_busy(r.kernel, tries);
	others = _i;
	run("--attach=ioctl -d 0");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_eq(fake_kernel_nr_lines(r.kernel), _i ? 2 : 0);
}

TEST(signal_takes_probes_away)
{
	begin("kprobe");
	fake_kernel_on_poll(r.kernel, send_sigterm, NULL);
	run("--attach=ioctl");
	ck_assert_int_eq(r.ret, 0);
}

/* --- a command after "--" --- */

static void send_sigint(struct fake_kernel *k, void *arg)
{
	(void)arg;
	fake_kernel_signal(k, SIGINT);
}

static void press_key(struct fake_kernel *k, void *arg)
{
	(void)arg;
	fake_kernel_key(k);
}

static const struct {
	struct fake_child child;
	void (*on_poll)(struct fake_kernel *k, void *arg);
	int ret, status;
	const char *said;
	int signalled;
	unsigned int age;
} commands[] = {
	{ { 0 }, NULL, 0, 0, "exited with 0", 0, 0 },
	{ { .status = 3 }, NULL, 0, 3, "exited with 3", 0, 0 },
	{ { .code = CLD_KILLED, .status = SIGSEGV }, NULL, 0, 139, "ended by SIGSEGV", 0, 0 },
	{ { .exec_error = ENOENT }, NULL, -ENOENT, 127, NULL, 0, 0 },
	{ { .exec_error = EACCES }, NULL, -EACCES, 126, NULL, 0, 0 },
	{ { .status = 4 }, NULL, 0, 4, "exited with 4", 0, FAKE_NO_PIDFD },
	/*
	 * The command ends with the session: by a signal of pload, unless the terminal has sent one
	 * already, and by SIGKILL at the second signal.
	 */
	{ { .stays = true }, send_sigterm, 0, 143, "ended by SIGTERM", SIGTERM, 0 },
	{ { .stays = true }, send_sigint, 0, 143, "ended by SIGTERM", SIGTERM, 0 },
	{ { .stays = true }, press_key, 0, 130, "ended by SIGINT", 0, 0 },
	{ { .stays = true, .deaf = true }, press_key, 0, 137, "ended by SIGKILL", SIGKILL, 0 },
	{ { .stays = true, .deaf = true }, send_sigterm, 0, 137, "ended by SIGKILL", SIGKILL, FAKE_NO_PIDFD },
};

TEST_ROWS(command_gives_its_status, commands)
{
	const struct fake_child *child;

	begin("ip_count");
	fake_kernel_child(r.kernel, &commands[_i].child);
	fake_kernel_set_age(r.kernel, commands[_i].age);
	fake_kernel_on_poll(r.kernel, commands[_i].on_poll, NULL);
	run("-e cpu-clock -- thing x");
	ck_assert_int_eq(r.ret, commands[_i].ret);
	ck_assert_int_eq(r.output.status, commands[_i].status);
	child = fake_kernel_the_child(r.kernel);
	ck_assert_int_eq(child->signalled, commands[_i].signalled);
	if (commands[_i].said)
		ck_assert_msg(strstr(r.out, commands[_i].said) != NULL, "%s", r.out);
	else
		ck_assert_str_eq(r.err.where, "command 'thing'");
}

/* The number of the read(2) by which pload waits for execve(2): the one after the write(2). */
static unsigned int call_that_starts(const struct fake_kernel *k)
{
	unsigned int n = fake_kernel_nr_calls(k);

	while (n > 0 && strcmp(fake_kernel_call(k, --n)->name, "write"))
		;
	return n + 2;
}

/* pload cannot know how the command started, and ends it: the failure is pload's own. */
TEST(failure_to_start_is_no_status_of_the_command)
{
	unsigned int start = 0;

	for (int i = 0; i < 2; i++) {
		begin("ip_count");
		fake_kernel_child(r.kernel, &(struct fake_child){ .stays = i });
		fake_kernel_fail_call(r.kernel, start, EIO);
		run("-e cpu-clock -- thing x");
		ck_assert_int_eq(r.ret, i ? -EIO : 0);
		ck_assert_int_eq(r.output.status, 0);
		if (i)
			ck_assert_str_eq(r.err.where, "command 'thing'");
		start = call_that_starts(r.kernel);
		end();
	}
}

/*
 * Events of the child are enabled by its execve(2); events of all tasks are enabled before it
 * starts.
 */
TEST_EACH(command_starts_when_all_is_bound, 2)
{
	const struct fake_event *event;

	begin("ip_count");
	run(_i ? "-a -e cpu-clock -- thing" : "-e cpu-clock -- thing");
	ck_assert_int_eq(r.ret, 0);
	event = fake_kernel_event(r.kernel, 0);
	ck_assert_int_eq(event->pid, _i ? -1 : 4242);
	ck_assert_uint_eq(event->attr.enable_on_exec, !_i);
	ck_assert_uint_eq(event->attr.inherit, !_i);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "PERF_EVENT_IOC_ENABLE"), _i ? 2 : 0);
	ck_assert_uint_lt(last(r.kernel, "PERF_EVENT_IOC_SET_BPF"), first(r.kernel, "write"));
	if (_i)
		ck_assert_uint_lt(last(r.kernel, "PERF_EVENT_IOC_ENABLE"), first(r.kernel, "write"));
}

TEST(command_is_not_run_without_time)
{
	begin("ip_count");
	run("-e cpu-clock -d 0 -- thing");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_int_eq(r.output.status, 0);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "write"), 0);
	ck_assert_ptr_null(strstr(r.out, "command"));
}

/* A session of -p 40 ends with that process. */
static void end_process(struct fake_kernel *k, void *arg)
{
	(void)arg;
	fake_kernel_end_process(k, 40);
}

TEST(process_ends_the_session)
{
	begin("ip_count");
	fake_kernel_on_poll(r.kernel, end_process, NULL);
	run("-e cpu-clock -p 40");
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "ppoll"), 1);
	end();
	begin("ip_count");
	fake_kernel_on_poll(r.kernel, end_process, NULL);
	run("-e cpu-clock -p 40,50");	/* the other one goes on, until SIGINT */
	ck_assert_int_eq(r.ret, 0);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "ppoll"), 2);
	ck_assert_uint_eq(fake_kernel_count(r.kernel, "pidfd_open"), 2);
}
