// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of sessions that outlive pload, over the fake kernel: they are pinned as a whole or not at
 * all, found again, and ended; whatever call fails meanwhile.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "loader/core/sys/refused.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_session.h"

#define DIR "/sys/fs/bpf/x/y"

static struct fake_session m;	/* of the test that runs */

static void begin(const char *object)
{
	static const char mounts[] = "bpf /sys/fs/bpf bpf rw 0 0\n";

	fake_session_object(&m, object);
	m.paths[1] = (struct fake_path){ .path = "/proc/self/mounts", .data = mounts };
	m.paths[2] = (struct fake_path){ .path = "/proc/version", .data = "" };
	fake_session_begin(&m);
}

static void end(void)
{
	fake_session_end(&m);
}

TEST_FIXTURE(NULL, end)

static bool is_pinned(const char *name)
{
	char path[256];
	union bpf_attr attr;
	int fd;

	snprintf(path, sizeof(path), DIR "/%s", name);
	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)path;
	fd = sys_bpf(fake_kernel_sys(m.kernel), BPF_OBJ_GET, &attr, sizeof(attr));
	if (fd >= 0)
		sys_close(fake_kernel_sys(m.kernel), fd);
	return fd >= 0;
}

/* A link lives, and so does what it has bound. */
static bool any_link_lives(void)
{
	for (unsigned int i = 0; fake_kernel_link(m.kernel, i); i++)
		if (!fake_kernel_link(m.kernel, i)->gone)
			return true;
	return false;
}

/* --- --pin --- */

static const struct {
	const char *object, *args;
	const char *pins[8];	/* of DIR */
	unsigned int nr;	/* all there are, directories and the mark included */
} sessions[] = {
	{ "ip_count", "--attach=link -e cpu-clock --cookie=7 --pin=" DIR " -d 1 prog.o",
	  { "links/ip_count-cpu0", "links/ip_count-cpu1", "progs/ip_count", "maps/hits",
	    "maps/bss" },
	  11 },
	{ "ip_count", "--attach=link -e cpu-clock -e page-faults --pin=" DIR "/ -d 0 prog.o",
	  { "links/ip_count-cpu-clock-cpu0", "links/ip_count-page-faults-cpu1" }, 13 },
	{ "event_output", "--attach=link --pin=" DIR " -d 1 --format=json prog.o",
	  { "links/event_output", "maps/events" }, 10 },
	{ "tc_output", "--attach=link --dev=lo --direction=egress --prog=tc_struct_only --pin=" DIR
	  " -d 0 prog.o", { "links/tc_struct_only" }, 13 },
};

#define NR_SESSIONS (sizeof(sessions) / sizeof(sessions[0]))

TEST_EACH(session_is_kept, NR_SESSIONS)
{
	char text[64];

	begin(sessions[_i].object);
	fake_session_succeeds(&m, sessions[_i].args);
	for (unsigned int i = 0; sessions[_i].pins[i]; i++)
		ck_assert_msg(is_pinned(sessions[_i].pins[i]), "%s", sessions[_i].pins[i]);
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), sessions[_i].nr);
	ck_assert_int_gt(sys_readlinkat(fake_kernel_sys(m.kernel), DIR "/pload", text,
					sizeof(text)), 0);
	ck_assert(any_link_lives());
	ck_assert_ptr_nonnull(strstr(m.out, "pinned"));
}

/* Each call fails in turn: then there are all pins, or none and nothing runs. */
TEST_EACH(session_is_kept_whole_or_not, 3 * NR_SESSIONS)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM };
	const char *args = sessions[_i % NR_SESSIONS].args;
	unsigned int calls = 1, none = 0;

	for (unsigned int n = 0; n < calls; n++) {
		begin(sessions[_i % NR_SESSIONS].object);
		fake_kernel_fail_call(m.kernel, n, codes[_i / NR_SESSIONS]);
		fake_session_run(&m, args);
		calls = n ? calls : fake_kernel_nr_calls(m.kernel) + 1;
		if (m.ret < 0) {
			ck_assert_int_eq(m.err.code, m.ret);
			ck_assert(m.err.what[0] != '\0' && m.err.where[0] != '\0');
		}
		if (fake_kernel_nr_pins(m.kernel)) {
			ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel),
					  sessions[_i % NR_SESSIONS].nr);
		} else {
			ck_assert_int_lt(m.ret, 0);
			ck_assert(!any_link_lives());
			none++;
		}
		fake_session_end(&m);
	}
	ck_assert_uint_gt(none, 10);
}

static const struct {
	const char *args, *reason, *what, *hint;
} refusals[] = {
	{ "--attach=ioctl -e cpu-clock --pin=" DIR " prog.o", "pin/no-link", "by ioctl",
	  "--attach=link" },
	{ "--attach=pmu -e cpu-clock --pin=" DIR " prog.o", "pin/no-link", "by ioctl",
	  "--attach=link" },
	{ "--test-run --attach=link --pin=" DIR " prog.o", "usage/command-line", "--test-run",
	  "--help" },
	{ "--attach=link -e cpu-clock --pin=/tmp/x prog.o", "pin/no-bpffs",
	  "not in a file system of type bpf", "mount -t bpf" },
	{ "--attach=link -e cpu-clock --pin=/sys/fs/bpf prog.o", "pin/exists", "it contains 'other'",
	  "pload pin remove /sys/fs/bpf" },
};

TEST_EACH(refused_before_anything_is_loaded,  NR(refusals))
{
	begin("ip_count");
	ck_assert_int_eq(sys_mkdirat(fake_kernel_sys(m.kernel), "/sys/fs/bpf/other", 0700), 0);
	fake_session_run(&m, refusals[_i].args);
	ck_assert_int_lt(m.ret, 0);
	ck_assert_pstr_eq(m.err.reason, refusals[_i].reason);
	ck_assert_ptr_nonnull(strstr(m.err.what, refusals[_i].what));
	ck_assert_ptr_nonnull(strstr(m.err.hint, refusals[_i].hint));
	ck_assert_uint_eq(fake_kernel_count(m.kernel, "BPF_MAP_CREATE"), 0);
}

/* Links of one name are numbered, as many as they are. */
TEST_EACH(links_of_one_name, 4)
{
	static const char *const events[] = {
		"-e cpu-clock", "-e cpu-clock -e cpu-clock", "-e cpu-clock -e cpu-clock -e cpu-clock",
		"-e cpu-clock -e cpu-clock -e task-clock -e cpu-clock",
	};
	unsigned int links = 0;
	struct fake_link *l;
	char args[256];

	begin("ip_count");
	snprintf(args, sizeof(args), "--attach=link %s -C 0 --pin=/sys/fs/bpf/x -d 0 prog.o", events[_i]);
	fake_session_succeeds(&m, args);
	for (unsigned int i = 0; (l = fake_kernel_link(m.kernel, i)); i++)
		links += !l->gone;
	ck_assert_uint_eq(links, _i + 1);
}

/* Signals are blocked once: before the map is pinned. */
TEST(pinned_map_of_a_session)
{
	begin("ip_count");
	fake_session_succeeds(&m, "-e cpu-clock --map=hits.pin=/sys/fs/bpf/hits -d 0 prog.o");
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), 1);
	ck_assert_uint_eq(fake_kernel_count(m.kernel, "signalfd4"), 1);
}

TEST(empty_directory_will_do)
{
	begin("ip_count");
	ck_assert_int_eq(sys_mkdirat(fake_kernel_sys(m.kernel), "/sys/fs/bpf/empty", 0700), 0);
	fake_session_succeeds(&m, "--attach=link -e cpu-clock --pin=/sys/fs/bpf/empty -d 0 prog.o");
}

/* A pin that another process removes meanwhile is gone, as it should be. */
TEST(detach_of_a_pin_that_is_gone)
{
	unsigned int begun, n;

	begin("ip_count");
	fake_session_succeeds(&m, "--attach=link -e cpu-clock --pin=/sys/fs/bpf/x -d 0 prog.o");
	begun = n = fake_kernel_nr_calls(m.kernel);
	fake_session_succeeds(&m, "pin remove /sys/fs/bpf/x");
	while (strcmp(fake_kernel_call(m.kernel, n)->name, "unlinkat"))
		n++;
	fake_session_succeeds(&m, "--attach=link -e cpu-clock --pin=/sys/fs/bpf/x -d 0 prog.o");
	fake_kernel_fail_call(m.kernel, n - begun + 1, ENOENT);
	fake_session_succeeds(&m, "pin remove /sys/fs/bpf/x");
}

/* --- adopt --- */

static const struct {
	const char *object, *pin, *adopt;
	const char *said[4];	/* all of it is in what adopt prints */
} adoptions[] = {
	{ "ip_count", "--attach=link -e cpu-clock --cookie=7 --pin=" DIR " -d 0 prog.o",
	  "pin adopt -d 1 " DIR,
	  { "adopted " DIR " (prog.o): 2 links, 1 program, 2 maps\n"
	    "  ip_count-cpu0 on cpu-clock, cookie 0x7\n  ip_count-cpu1 on cpu-clock, cookie 0x7\n",
	    ".bss (data)\n  dropped = 0\n", "hits (hash, 0 elements)\n",
	    "  ip_count: 0 runs\n" } },
	{ "event_output", "--attach=link --pin=" DIR " -d 0 prog.o",
	  "pin adopt -d 1 --format=json " DIR "/",
	  { "\"where\":\"tracepoint sched_switch\"", "\"lost\":0,\"losses\":[]}\n" } },
	{ "ringbuf", "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o", "pin adopt -d 1 " DIR,
	  { "ringbuf-cpu1 on cpu-clock\n", "adopted for " } },
	{ "counter_read_value",
	  "--attach=link -e cpu-clock --counter=task-clock --pin=" DIR " -d 0 prog.o",
	  "pin adopt -d 0 " DIR, { "estimates (percpu_array, 1 element)\n", "runs not counted" } },
	{ "profile", "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o",
	  "pin adopt --format=json " DIR,
	  { "\"type\":\"summary\",\"attach\":null,\"adopted\":\"" DIR } },
};

#define NR_ADOPTIONS (sizeof(adoptions) / sizeof(adoptions[0]))

static void begin_adoption(int i)
{
	begin(adoptions[i].object);
	fake_session_succeeds(&m, adoptions[i].pin);
}

TEST_EACH(adopted, NR_ADOPTIONS)
{
	unsigned int pins;

	begin_adoption(_i);
	pins = fake_kernel_nr_pins(m.kernel);
	fake_session_succeeds(&m, adoptions[_i].adopt);
	for (unsigned int i = 0; i < 4 && adoptions[_i].said[i]; i++)
		ck_assert_msg(strstr(m.out, adoptions[_i].said[i]) != NULL, "'%s' is not in '%s'",
			      adoptions[_i].said[i], m.out);
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), pins);
	ck_assert(any_link_lives());
}

/* Calls whose failure adopt survives, because it can do without their result or prints a note. */
static bool can_be_done_without(const char *name)
{
	static const char *const names[] = {
		"close", "close_range", "munmap", "epoll_pwait",
		"BPF_ENABLE_STATS",	/* run_cnt is null */
		"BPF_MAP_LOOKUP_BATCH",	/* one by one */
		"BPF_MAP_GET_NEXT_KEY", "BPF_MAP_LOOKUP_ELEM",	/* deleted meanwhile */
		"BPF_BTF_GET_FD_BY_ID",	/* values are hex, with a note */
		"BPF_OBJ_GET_INFO_BY_FD",	/* of BTF, likewise; or where a link is */
		"BPF_OBJ_GET",		/* to name the location of a link */
		"perf_event_open",	/* EINVAL: without PERF_FORMAT_LOST */
		"socket", "bind", "recvfrom",	/* the list of CPUs is looked at, and a note says
						 * so */
		"openat", "read", "getdents64", "readlinkat",	/* who else has the maps open,
								 * PMUs */
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

TEST_EACH(adopt_survives_or_says_why, 3 * NR_ADOPTIONS)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM };
	const int session = _i % NR_ADOPTIONS;
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		unsigned int before, pins;
		const char *name;

		begin_adoption(session);
		pins = fake_kernel_nr_pins(m.kernel);
		before = fake_kernel_nr_calls(m.kernel);
		fake_kernel_fail_call(m.kernel, n, codes[_i / NR_ADOPTIONS]);
		fake_session_run(&m, adoptions[session].adopt);
		calls = n ? calls : fake_kernel_nr_calls(m.kernel) - before + 1;
		name = n ? fake_kernel_call(m.kernel, before + n - 1)->name : "";
		if (m.ret < 0) {
			ck_assert_int_eq(m.err.code, m.ret);
			ck_assert_msg(m.err.what[0] && m.err.where[0], "call %u, %s: nothing said",
				      n, name);
		} else if (n) {
			ck_assert_msg(can_be_done_without(name),
				      "call %u, %s: its failure was lost",
				      n, name);
		}
		ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), pins);
		ck_assert(any_link_lives());
		fake_session_end(&m);
	}
	ck_assert_uint_gt(calls, 30);
}

/* struct sample of progs/ringbuf.bpf.c has 64 bytes or so; any are decoded that are long enough. */
static void push_record(struct fake_kernel *k, void *arg)
{
	static const unsigned char bytes[256] = { 42 };
	unsigned int *polls = arg;

	if ((*polls)++ == 0)
		ck_assert(fake_ringbuf_push(fake_kernel_map(k, "samples"), bytes, sizeof(bytes)));
}

TEST(records_are_of_the_type_that_the_session_had)
{
	unsigned int polls = 0;

	begin_adoption(2);
	fake_kernel_on_poll(m.kernel, push_record, &polls);
	fake_session_succeeds(&m, "pin adopt --format=json " DIR);
	ck_assert_ptr_nonnull(strstr(m.out,
				     "{\"type\":\"record\",\"map\":\"samples\",\"value\":{\""));
	/* and by another name, as it is given */
	polls = 0;
	fake_session_succeeds(&m, "pin adopt --format=json --record=samples:int " DIR);
	ck_assert_ptr_nonnull(strstr(m.out, "\"map\":\"samples\",\"value\":42"));
	/* the last of several, and the others are used as well */
	polls = 0;
	fake_session_succeeds(&m, "pin adopt --format=json --record=samples:char --record=samples:int " DIR);
	ck_assert_ptr_nonnull(strstr(m.out, "\"map\":\"samples\",\"value\":42"));
}

/* The types are those of any program that has BTF, and each ring has its own. */
TEST_EACH(types_of_several_rings_and_programs, 4)
{
	static const char *const without[] = { NULL, "tc_both", "tc_payload_only", "tc_struct_only" };

	begin("tc_output");
	fake_session_succeeds(&m, "--attach=link --dev=lo --direction=egress --pin=" DIR " -d 0 prog.o");
	if (without[_i])
		fake_kernel_prog(m.kernel, without[_i])->btf_id = 0;
	fake_session_succeeds(&m, "pin adopt -d 0 " DIR);
	ck_assert_msg(!strstr(m.notes, "'struct_only': its records are shown as hex"), "%s", m.notes);
	ck_assert_msg(!strstr(m.notes, "'both': its records are shown as hex"), "%s", m.notes);
}

static const struct {
	int session;
	const char *args, *where, *what, *reason;
	int code;
} bad_adoptions[] = {
	{ 0, "pin adopt /sys/fs/bpf/none", "pin adopt: /sys/fs/bpf/none", "no session", "kept/none",
	  ENOENT },
	{ 0, "pin adopt", "", "no directory", NULL, EINVAL },
	{ 0, "pin adopt a b", "", "one session", NULL, EINVAL },
	{ 0, "pin adopt --record=hits:int " DIR, "--record=hits:int", "is for it", NULL, EINVAL },
	{ 2, "pin adopt --record=samples:int --record=hits:int " DIR, "--record=hits:int", "is for it", NULL,
	  EINVAL },
	{ 0, "pin adopt --counter=task-clock " DIR, "--counter=task-clock", "is for it", NULL, EINVAL },
	{ 2, "pin adopt --record=none " DIR, "map 'samples'", "records as 'none'", NULL, ENOENT },
	{ 3, "pin adopt --counter=counters:cpu-clok " DIR, "map 'counters'", "unknown event",
	  NULL, ENOENT },
	{ 2, "pin adopt -d 1 " DIR, "map 'samples'", "perf[12] has it open", "adopt/busy", EBUSY },
};

/* Another process has the ring open. */
static void hold_ring(char fdinfo[64])
{
	snprintf(fdinfo, 64, "map_id:\t%u\n", fake_kernel_map(m.kernel, "samples")->id);
	m.paths[3] = (struct fake_path){ "/proc/12/fd/3", "anon_inode:bpf-map", 0, FAKE_SYMLINK };
	m.paths[4] = (struct fake_path){ .path = "/proc/12/fdinfo/3", .data = fdinfo };
	m.paths[5] = (struct fake_path){ .path = "/proc/12/comm", .data = "perf\n" };
}

static void close_ring(struct fake_kernel *k, void *arg)
{
	unsigned int *polls = arg;	/* how many are left until the ring is closed */

	(void)k;
	if (*polls && !--*polls)
		m.paths[3] = (struct fake_path){ 0 };
}

/* A process that holds the ring for a moment, as one that iterates over all maps, is no reader. */
TEST(held_for_a_moment_is_adopted)
{
	char fdinfo[64];
	unsigned int polls = 3;

	begin_adoption(2);
	hold_ring(fdinfo);
	fake_kernel_on_poll(m.kernel, close_ring, &polls);
	fake_session_succeeds(&m, "pin adopt -d 0 " DIR);
	ck_assert_uint_eq(polls, 0);
}

TEST_EACH(bad_adoption_is_refused,  NR(bad_adoptions))
{
	char fdinfo[64];

	begin_adoption(bad_adoptions[_i].session);
	if (bad_adoptions[_i].code == EBUSY)
		hold_ring(fdinfo);
	fake_session_run(&m, bad_adoptions[_i].args);
	ck_assert_int_eq(m.ret, -bad_adoptions[_i].code);
	ck_assert_msg(strstr(m.err.where, bad_adoptions[_i].where) != NULL, "%s", m.err.where);
	ck_assert_msg(strstr(m.err.what, bad_adoptions[_i].what) != NULL, "%s", m.err.what);
	ck_assert_pstr_eq(m.err.reason, bad_adoptions[_i].reason ? bad_adoptions[_i].reason :
					m.err.reason);
	ck_assert(m.err.hint[0] != '\0');
}

/* --- pin list, pin remove --- */

/* A session that has been pinned, and nobody has a descriptor of. */
static void begin_kept(int session)
{
	begin(sessions[session].object);
	fake_session_succeeds(&m, sessions[session].args);
}

TEST_EACH(detached, NR_SESSIONS)
{
	begin_kept(_i);
	fake_kernel_linger(m.kernel, 3);
	fake_session_succeeds(&m, "pin remove " DIR "/ --format=json");
	ck_assert_ptr_nonnull(strstr(m.out, "\"left\":[]"));
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), 1);	/* what is above was not made for
								 * it */
	ck_assert(!any_link_lives());
}

TEST(all_are_detached)
{
	begin_kept(0);
	fake_session_succeeds(&m, "--attach=link -e cpu-clock --pin=/sys/fs/bpf/z -d 0 prog.o");
	fake_session_succeeds(&m, "pin remove all");
	ck_assert_ptr_nonnull(strstr(m.out, DIR ": removed the pins of 2 links"));
	ck_assert_ptr_nonnull(strstr(m.out, "/sys/fs/bpf/z: removed the pins of 2 links"));
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), 1);
	fake_session_run(&m, "pin remove all");
	ck_assert_int_eq(m.ret, -ENOENT);
	ck_assert_pstr_eq(m.err.reason, "kept/none");
}

/* Whichever call fails, the message is right, and the rest can be detached by a second detach. */
TEST_EACH(detach_can_be_repeated, 3)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM };
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		unsigned int before;

		begin_kept(0);
		before = fake_kernel_nr_calls(m.kernel);
		fake_kernel_fail_call(m.kernel, n, codes[_i]);
		fake_session_run(&m, "pin remove " DIR);
		calls = n ? calls : fake_kernel_nr_calls(m.kernel) - before + 1;
		if (m.ret < 0)
			ck_assert(m.err.what[0] != '\0' && m.err.where[0] != '\0');
		if (fake_kernel_nr_pins(m.kernel) > 1) {
			fake_session_run(&m, "pin remove " DIR);
			ck_assert_msg(!any_link_lives(), "call %u, %s: %d %s %s", n,
				      fake_kernel_call(m.kernel, before + n - 1)->name, m.ret,
				      m.err.what, m.out);
		}
		ck_assert_uint_le(fake_kernel_nr_pins(m.kernel), 2);
		fake_session_end(&m);
	}
	ck_assert_uint_gt(calls, 30);
}

/* A link of another program, and a map among the links: not of the session. */
TEST(what_is_not_ours_stays)
{
	const union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
				      .value_size = 4, .max_entries = 1 };
	struct fake_prog *other;

	begin_kept(0);
	fake_session_succeeds(&m, "load --pin=/sys/fs/bpf/load prog.o");
	other = fake_kernel_prog(m.kernel, "ip_count");
	fake_kernel_pin_link(m.kernel, DIR "/links/other", other, NULL);
	fake_kernel_pin(m.kernel, DIR "/links/map", &attr);
	fake_session_run(&m, "pin remove " DIR);
	ck_assert_int_eq(m.ret, 1);
	ck_assert_ptr_nonnull(strstr(m.out, "not removed: 2 pins"));
	ck_assert(is_pinned("links/other"));
	ck_assert(is_pinned("links/map"));
	ck_assert(!is_pinned("links/ip_count-cpu0"));
	ck_assert(fake_kernel_link(m.kernel, 0)->gone && fake_kernel_link(m.kernel, 1)->gone);
	/* those that are named go */
	fake_session_succeeds(&m, "pin remove " DIR "/links/other " DIR "/links/map");
	ck_assert(!is_pinned("links/other"));
	/* and a link without a mark belongs to no session */
	fake_session_run(&m, "pin remove " DIR);
	ck_assert_pstr_eq(m.err.reason, "kept/none");
	fake_session_run(&m, "pin remove /sys/fs/bpf/load");
	ck_assert_int_eq(m.ret, -ENOENT);
	ck_assert_pstr_eq(m.err.reason, "kept/none");
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), 3 + 5);
}

/* If another process has a descriptor of the link, the link lives on, and its holder is named. */
TEST(held_link_goes_on)
{
	char fdinfo[64];

	begin_kept(2);
	snprintf(fdinfo, sizeof(fdinfo), "link_id:\t%u\n", fake_kernel_link(m.kernel, 0)->id);
	m.paths[3] = (struct fake_path){ "/proc/12/fd/3", "anon_inode:bpf_link", 0, FAKE_SYMLINK };
	m.paths[4] = (struct fake_path){ .path = "/proc/12/fdinfo/3", .data = fdinfo };
	m.paths[5] = (struct fake_path){ .path = "/proc/12/comm", .data = "perf\n" };
	fake_kernel_linger(m.kernel, 1000000);
	fake_session_run(&m, "pin remove " DIR);
	ck_assert_int_eq(m.ret, 1);
	ck_assert_ptr_nonnull(strstr(m.out, "remains: it is held by perf[12] fd 3\n"));
}

/* A link that has no holder ends after the holders were read. */
struct waiting {
	struct fake_link *link;
	unsigned int before;	/* links that were read at the first wait */
};

static void end_link(struct fake_kernel *k, void *arg)
{
	struct waiting *w = arg;
	const unsigned int nr = fake_kernel_count(k, "readlinkat");

	w->before = w->before ? w->before : nr;
	if (nr > w->before && w->link->lingers > 1)
		w->link->lingers = 1;
}

TEST_EACH(all_links_that_nobody_holds_are_waited_for, 2)
{
	struct waiting waiting = { 0 };
	char fdinfo[64], left[64];

	begin_kept(0);
	waiting.link = fake_kernel_link(m.kernel, !_i);
	snprintf(fdinfo, sizeof(fdinfo), "link_id:\t%u\n", fake_kernel_link(m.kernel, _i)->id);
	m.paths[3] = (struct fake_path){ "/proc/12/fd/3", "anon_inode:bpf_link", 0, FAKE_SYMLINK };
	m.paths[4] = (struct fake_path){ .path = "/proc/12/fdinfo/3", .data = fdinfo };
	m.paths[5] = (struct fake_path){ .path = "/proc/12/comm", .data = "perf\n" };
	fake_kernel_linger(m.kernel, 100000000);
	fake_kernel_on_poll(m.kernel, end_link, &waiting);
	fake_session_run(&m, "pin remove --format=json " DIR);
	snprintf(left, sizeof(left), "\"left\":[{\"id\":%u,\"held_by\":[\"perf[12] fd 3\"]}]",
		 fake_kernel_link(m.kernel, _i)->id);
	ck_assert_msg(strstr(m.out, left) != NULL, "no %s in %s", left, m.out);
}

/* Each session, and no directory of load --pin. */
TEST(sessions_are_listed)
{
	begin_kept(0);
	fake_session_succeeds(&m, "load --pin=/sys/fs/bpf/load prog.o");
	fake_session_succeeds(&m, "--attach=link -e cpu-clock --pin=/sys/fs/bpf/z -d 0 prog.o");
	fake_session_succeeds(&m, "pin list");
	ck_assert_str_eq(m.out, DIR ": 2 links, 1 program, 2 maps of prog.o\n"
				"/sys/fs/bpf/z: 2 links, 1 program, 2 maps of prog.o\n");
	fake_session_succeeds(&m, "pin remove all");
	fake_session_succeeds(&m, "pin list --format=json");
	ck_assert_str_eq(m.out, "");
}

TEST(no_pin_of_that_path)
{
	begin_kept(0);
	fake_session_run(&m, "pin remove /sys/fs/bpf/none");
	ck_assert_int_eq(m.ret, -ENOENT);
	ck_assert_pstr_eq(m.err.reason, "detach/no-pin");
}

/* Marks by others: none, one of another version, an invalid one. */
TEST(mark_of_another_version)
{
	struct sys *sys;

	begin_kept(0);
	sys = fake_kernel_sys(m.kernel);
	ck_assert_int_eq(sys_unlinkat(sys, DIR "/pload"), 0);
	fake_session_run(&m, "pin remove " DIR);
	ck_assert_pstr_eq(m.err.reason, "kept/none");
	ck_assert_int_eq(sys_symlinkat(sys, "17 -- x", DIR "/pload"), 0);
	fake_session_run(&m, "pin remove " DIR);
	ck_assert_pstr_eq(m.err.reason, "kept/version");
	ck_assert_uint_eq(fake_kernel_nr_pins(m.kernel), 11);
}

/* --- show --- */

TEST_EACH(shown, 3)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM };
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		unsigned int before;

		begin_kept(0);
		before = fake_kernel_nr_calls(m.kernel);
		fake_kernel_fail_call(m.kernel, n, codes[_i]);
		fake_session_run(&m, "show");
		calls = n ? calls : fake_kernel_nr_calls(m.kernel) - before + 1;
		if (m.ret)
			ck_assert(m.err.what[0] != '\0' && m.err.where[0] != '\0');
		else if (!n)
			ck_assert_str_eq(m.out,
"  link type           program                where                            held by\n"
"     7 perf_event     4 ip_count             cpu-clock\n"
"       cookie 0x7\n"
"       pinned /sys/fs/bpf/x/y/links/ip_count-cpu0\n"
"     8 perf_event     4 ip_count             cpu-clock\n"
"       cookie 0x7\n"
"       pinned /sys/fs/bpf/x/y/links/ip_count-cpu1\n"
"  prog type             name             tag                    runs  attached held by\n"
"     4 perf_event       ip_count         0000000000000000          0  2\n"
"       pinned /sys/fs/bpf/x/y/progs/ip_count\n"
"2 links, 0 events without a link, 1 program\n");
		fake_session_end(&m);
	}
	ck_assert_uint_gt(calls, 30);
}

/* Links may not be listed: that is a failure where nothing else was asked for. */
TEST(shown_without_links)
{
	static const struct {
		const char *args;
		int ret;
	} rows[] = { { "show", 0 }, { "show links", -EPERM }, { "show progs", 0 } };
	unsigned int begin, n;

	begin_kept(0);
	begin = n = fake_kernel_nr_calls(m.kernel);
	fake_session_succeeds(&m, "show");
	while (strcmp(fake_kernel_call(m.kernel, n)->name, "BPF_LINK_GET_NEXT_ID"))
		n++;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake_kernel_fail_call(m.kernel, n - begin + 1, EPERM);
		fake_session_run(&m, rows[i].args);
		ck_assert_int_eq(m.ret, rows[i].ret);
		ck_assert_ptr_nonnull(strstr(m.out, "could not read: links: BPF_LINK_GET_NEXT_ID: "));
		ck_assert(!m.ret || sys_is_denial(m.err.reason));
	}
	fake_session_end(&m);
}

TEST(shown_by_id)
{
	char args[64];
	uint32_t id;

	begin_kept(2);
	id = fake_kernel_prog(m.kernel, "event_output")->id;
	snprintf(args, sizeof(args), "show %u", id);
	fake_session_succeeds(&m, args);
	ck_assert_ptr_nonnull(strstr(m.out, "program\n  id  "));
	snprintf(args, sizeof(args), "show link %u", id);
	fake_session_run(&m, args);
	ck_assert_int_eq(m.ret, -ENOENT);
	ck_assert_pstr_eq(m.err.reason, "show/no-such-id");
	fake_session_run(&m, "show what");
	ck_assert_int_eq(m.ret, -EINVAL);
}
