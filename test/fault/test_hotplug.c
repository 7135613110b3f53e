// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of CPUs that go offline and come back during a session, over the fake kernel: events that
 * were open there are opened again, once; a call that is refused meanwhile leads to a note, and
 * ends nothing.
 */
#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "loader/events/scope/cpu_hotplug.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_session.h"

#define ck_noted(text) \
	ck_assert_msg(strstr(m.s.notes, text) != NULL, "'%s' is not in: %s", text, m.s.notes)
#define ck_not_noted(text) \
	ck_assert_msg(!strstr(m.s.notes, text), "'%s' is in: %s", text, m.s.notes)

static struct machine {
	struct fake_session s;
	const char *script;	/* what happens at each wait: see happen() */
	unsigned int fail_at;	/* in the script: which call of those that follow */
	int fail_code;
	unsigned int first_call;	/* when that began */
	unsigned int most;	/* events with a program that were open on CPU 1 at a time */
} m;

/* The last event of @cpu, whose type is @type. */
static struct fake_event *last_event(int cpu, uint32_t type, uint64_t config)
{
	struct fake_event *found = NULL, *e;

	for (unsigned int i = 0; (e = fake_kernel_event(m.s.kernel, i)); i++)
		if (e->cpu == cpu && e->attr.type == type && e->attr.config == config)
			found = e;
	return found;
}

static void push(int cpu)
{
	const char record[56] = { 1 };

	fake_perf_push(last_event(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT), record,
		       sizeof(record));
}

/*
 * One letter for what happens next, all before the next wait up to a ' '. "1" to "3": that CPU
 * goes; "b" to "d": the same come back; "+": two of these before anybody looks; "r", "R": a record
 * on CPU 1 or 2; "L": of CPU 1 seven are lost; "x": messages are lost; "?": messages that mean
 * nothing; "!": calls fail from here on, as the machine says.
 */
static void happen(struct fake_kernel *k, void *arg)
{
	unsigned int open = 0;
	struct fake_event *e;

	(void)arg;
	for (unsigned int i = 0; (e = fake_kernel_event(k, i)); i++)
		open += e->open && e->prog && e->cpu == 1;
	if (m.most < open)
		m.most = open;
	for (; *m.script && *m.script != ' '; m.script++) {
		const char c = *m.script;

		if (c >= '1' && c <= '3')
			fake_kernel_set_cpu(k, c - '0', false);
		else if (c >= 'b' && c <= 'd')
			fake_kernel_set_cpu(k, c - 'a', true);
		else if (c == 'r' || c == 'R')
			push(c == 'r' ? 1 : 2);
		else if (c == 'L')
			fake_perf_push_lost(last_event(1, PERF_TYPE_SOFTWARE,
						       PERF_COUNT_SW_BPF_OUTPUT), 7);
		else if (c == 'x')
			fake_kernel_uevent(k, "", ENOBUFS);
		else if (c == '!') {
			m.first_call = fake_kernel_nr_calls(k);
			fake_kernel_fail_call(k, m.fail_at, m.fail_code);
		} else {
			fake_kernel_uevent(k, "online@/devices/system/cpu/cpu1x", 0);
			fake_kernel_uevent(k, "online@/devices/system/cpu/cpu99999999999999999999", 0);
			fake_kernel_uevent(k, "online@/devices/system/cpu/cpu", 0);
			fake_kernel_uevent(k, "offline@/devices/system/node/node1", 0);
			fake_kernel_uevent(k, "", 0);
			fake_kernel_uevent(k, "offline@/devices/system/cpu/cpu1", -1);
		}
	}
	m.script += *m.script == ' ';
}

static void begin(const char *object)
{
	memset(&m, 0, sizeof(m));
	m.script = "";
	fake_session_object(&m.s, object);
	fake_session_begin(&m.s);
	fake_kernel_on_poll(m.s.kernel, happen, &m);
}

static void end(void)
{
	fake_session_end(&m.s);
}

TEST_FIXTURE(NULL, end)

/* One command, while @script happens. */
static void run(const char *args, const char *script)
{
	m.script = script;
	fake_session_run(&m.s, args);
}

static void succeeds(const char *args, const char *script)
{
	m.script = script;
	fake_session_succeeds(&m.s, args);
}

/* How many events of @cpu have had a program, and how many of these were enabled when all ended. */
struct had {
	unsigned int bound, enabled;
	uint64_t cookie;
};

/*
 * Returns true if a program was bound to the event: by ioctl until the event is closed, by a link
 * for good, because the fake kernel keeps the links that have gone.
 */
static bool was_bound(const struct fake_event *e, uint64_t *cookie)
{
	struct fake_link *l;

	for (unsigned int i = 0; (l = fake_kernel_link(m.s.kernel, i)); i++) {
		if (l->event != e)
			continue;
		*cookie = l->cookie;
		return true;
	}
	return e->prog;
}

static struct had events_of(int cpu)
{
	struct had had = { 0 };
	struct fake_event *e;

	for (unsigned int i = 0; (e = fake_kernel_event(m.s.kernel, i)); i++) {
		if (e->cpu != cpu || !was_bound(e, &had.cookie))
			continue;
		had.bound++;
		had.enabled += e->enabled;
	}
	return had;
}

/* --- events --- */

static const struct {
	const char *object, *args, *script;
	unsigned int bound[4], enabled[4];	/* of CPUs 0 to 3 */
	const char *notes[2];
	const char *summary;
} rows[] = {
	/* away, and away and back, by each method */
	{ "ip_count", "--attach=ioctl -e cpu-clock", "1", { 1, 1 }, { 1, 0 },
	  { "CPU 1 is offline: 1 event stopped until it comes back\n" }, "\"skipped_cpus\":[1,2,3]" },
	{ "ip_count", "--attach=ioctl -e cpu-clock", "1 b", { 1, 2 }, { 1, 1 },
	  { "CPU 1 is offline", "CPU 1 is online: 1 event reopened\n" }, "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "--attach=pmu -e cpu-clock", "1 b", { 1, 2 }, { 1, 1 }, { "CPU 1 is online" },
	  "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "--attach=link --cookie=7 -e cpu-clock", "1 b", { 1, 2 }, { 1, 1 },
	  { "CPU 1 is online" }, "\"skipped_cpus\":[2,3]" },
	/* before anybody has looked, and more than once */
	{ "ip_count", "--attach=link -e cpu-clock", "1b", { 1, 2 }, { 1, 1 }, { "CPU 1 is offline",
	  "CPU 1 is online" }, "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "--attach=ioctl -e cpu-clock", "1b1 b1 b", { 1, 2 }, { 1, 1 }, { "CPU 1 is online" },
	  "\"skipped_cpus\":[2,3]" },
	/* one that was not there before */
	{ "ip_count", "--attach=ioctl -e cpu-clock", "d", { 1, 1, 0, 1 }, { 1, 1, 0, 1 },
	  { "CPU 3 is online: 1 event reopened\n" }, "\"skipped_cpus\":[2]" },
	/* of those that were named */
	{ "ip_count", "-C 1 -e cpu-clock", "1 b c", { 0, 2 }, { 0, 1 }, { "CPU 1 is online" },
	  "\"skipped_cpus\":[]" },
	{ "ip_count", "-C 0-1 -e cpu-clock", "1", { 1, 1 }, { 1, 0 }, { "CPU 1 is offline" },
	  "\"skipped_cpus\":[1]" },
	/* several events, a group, cgroups */
	{ "ip_count", "-e cpu-clock -e task-clock", "1 b", { 2, 4 }, { 2, 2 },
	  { "CPU 1 is offline: 2 events stopped", "CPU 1 is online: 2 events" }, "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "-e {cpu-clock,page-faults}", "1 b", { 2, 4 }, { 2, 2 },
	  { "CPU 1 is offline: 2 events stopped" }, "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "-e cycles,or=cpu-clock", "1 b", { 1, 2 }, { 1, 1 }, { "CPU 1 is online: 1 event " },
	  "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "-G a,b -e cpu-clock", "1 b", { 0 }, { 0 }, { "CPU 1 is offline: 2 events stopped",
	  "CPU 1 is online: 2 events reopened" }, "\"skipped_cpus\":[2,3]" },
	/* what means nothing, and what is lost: everything is opened anew */
	{ "ip_count", "-e cpu-clock", "?", { 1, 1 }, { 1, 1 }, { "" }, "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "-e cpu-clock", "x", { 2, 2 }, { 2, 2 }, { "dropped uevents", "CPU 0 is online" },
	  "\"skipped_cpus\":[2,3]" },
	{ "ip_count", "-e cpu-clock", "1x", { 2, 1 }, { 2, 0 }, { "dropped uevents", "CPU 1 is offline" },
	  "\"skipped_cpus\":[1,2,3]" },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

TEST_EACH(events_come_back, NR_ROWS)
{
	char args[256];

	begin(rows[_i].object);
	snprintf(args, sizeof(args), "--format=json -d 600 %s prog.o", rows[_i].args);
	succeeds(args, rows[_i].script);
	for (int cpu = 0; cpu < 4 && rows[_i].bound[1]; cpu++) {
		const struct had had = events_of(cpu);

		ck_assert_uint_eq(had.bound, rows[_i].bound[cpu]);
		/* The fake kernel leaves one that is closed as it was. */
		if (strcmp(rows[_i].script, "x") && strcmp(rows[_i].script, "1x"))
			ck_assert_uint_eq(had.enabled, rows[_i].enabled[cpu]);
		if (strstr(args, "--cookie=7") && had.bound)
			ck_assert_uint_eq(had.cookie, 7);
	}
	for (int i = 0; i < 2 && rows[_i].notes[i]; i++)
		ck_noted(rows[_i].notes[i]);
	ck_assert_msg(strstr(m.s.out, rows[_i].summary) != NULL, "%s", m.s.out);
	ck_not_noted("cannot");
}

/*
 * A CPU whose uevent arrives after its events were opened, because it was in the list already, gets
 * no second events.
 */
TEST(what_is_known_is_not_doubled)
{
	begin("ip_count");
	succeeds("-e cpu-clock -d 600 prog.o", "b  ");
	ck_assert_uint_eq(events_of(1).bound, 2);
	ck_assert_uint_eq(m.most, 1);
	ck_not_noted("offline");
}

/* Sessions that have nothing on CPUs do not listen. */
TEST_EACH(who_needs_no_cpus_does_not_listen, 7)
{
	static const struct {
		const char *object, *args;
		unsigned int sockets;
	} sessions[] = {
		{ "ip_count", "-e cpu-clock -p 40 -d 600 prog.o", 0 },
		{ "ip_count", "-e cpu-clock -t 41 -C 1 -d 600 prog.o", 0 },
		{ "ip_count", "-e cpu-clock -d 0 prog.o", 0 },
		{ "ip_count", "-e cpu-clock -d 600 prog.o -- true", 0 },
		{ "ip_count", "-e cpu-clock -a -d 600 prog.o -- true", 1 },
		{ "kprobe", "-d 600 prog.o", 0 },
		{ "event_output", "-p 40 -d 600 prog.o", 1 },	/* for its rings */
	};

	begin(sessions[_i].object);
	succeeds(sessions[_i].args, "");
	ck_assert_uint_eq(fake_kernel_count(m.s.kernel, "socket"), sessions[_i].sockets);
	ck_assert_uint_eq(fake_kernel_count(m.s.kernel, "bind"), sessions[_i].sockets);
}

/*
 * Events of tasks wait in their task's context, and a traced event goes on: only rings are renewed.
 */
TEST_EACH(what_stays_is_left_alone, 2)
{
	static const char *const args[] = {
		"-p 40 -d 600 --format=json prog.o", "-d 600 --format=json prog.o",
	};
	unsigned int bound = 0;

	begin("event_output");
	succeeds(args[_i], "1 b");
	for (int cpu = -1; cpu < 2; cpu++)
		bound += events_of(cpu).bound;
	ck_assert_uint_eq(bound, 1);
	ck_noted("CPU 1 is offline: 1 ring stopped until it comes back");
	ck_noted("CPU 1 is online: 1 ring reopened");
	ck_assert(strstr(m.s.out, _i ? "\"skipped_cpus\":[2,3]" : "\"skipped_cpus\":[]") != NULL);
}

/* Events of tasks on a CPU wait there, and only counters of the CPU are opened again. */
TEST(events_of_tasks_wait_on_their_cpu)
{
	begin("counter_read_value");
	succeeds("-e cpu-clock -p 40 -C 0-1 --counter=task-clock -d 600 prog.o", "1 b 1 b");
	ck_noted("CPU 1 is offline: 1 counter stopped until it comes back\n");
	ck_noted("CPU 1 is online: 1 counter reopened");
	ck_not_noted("event");
}

/* --- a PMU that counts for a package --- */

static const struct {
	const char *first, *then, *back;	/* its cpumask: at first, when CPU 1 goes, when it is back */
	unsigned int bound;	/* in all */
	bool ends, comes;
} moves[] = {
	{ "1\n", "0\n", "0\n", 1, false, false },	/* CPU 0 counts for it */
	{ "0-1\n", "0\n", "0-1\n", 3, true, true },	/* it was the last of its package */
	{ "0-1\n", "0-1\n", "0-1\n", 3, true, true },	/* it only says where the PMU is */
	{ "0-1\n", "0,3\n", "0,3\n", 2, false, false },
};

static int move_row;

static void move(struct fake_kernel *k, void *arg)
{
	if (*m.script == '1')
		m.s.paths[3].data = moves[move_row].then;
	else if (*m.script == 'b')
		m.s.paths[3].data = moves[move_row].back;
	happen(k, arg);
}

TEST_ROWS(pmu_moves_its_events, moves)
{
	begin("ip_count");
	m.s.paths[1] = (struct fake_path){ .path = "/sys/bus/event_source/devices/unc/type", .data = "6\n" };
	m.s.paths[2] = (struct fake_path){ .path = "/sys/bus/event_source/devices/unc/format/event",
					 .data = "config:0-63\n" };
	m.s.paths[3] = (struct fake_path){ .path = "/sys/bus/event_source/devices/unc/cpumask",
					 .data = moves[_i].first };
	move_row = _i;
	fake_kernel_on_poll(m.s.kernel, move, &m);
	succeeds("-e unc/event=1/ -c 1000 -d 600 prog.o", "1 b");
	ck_assert_int_eq(strstr(m.s.notes, "CPU 1 is offline: 1 event stopped until it comes back") != NULL, moves[_i].ends);
	ck_assert_int_eq(strstr(m.s.notes, "CPU 1 is online: 1 event reopened") != NULL, moves[_i].comes);
	ck_not_noted("CPU 1 is online, but");
	ck_assert_uint_eq(events_of(0).bound + events_of(1).bound, moves[_i].bound);
}

/* --- rings and counters --- */

TEST(rings_come_back)
{
	unsigned int records = 0;

	begin("event_output");
	/* one before, one that lies there when the CPU goes, none while it is away, one afterwards */
	succeeds("--format=json -d 600 prog.o", "r rL1 r b r c R");
	for (const char *p = m.s.out; (p = strstr(p, "\"type\":\"record\"")); p++)
		records++;
	ck_assert_msg(records == 4, "%s", m.s.out);
	ck_assert(strstr(m.s.out, "\"lost\":7") != NULL);
	ck_noted("CPU 1 is offline: 1 ring stopped until it comes back\n");
	ck_noted("CPU 1 is online: 1 ring reopened\n");
	ck_noted("CPU 2 is online: 1 ring reopened\n");
	ck_assert(strstr(m.s.out, "\"cpu\":2,") != NULL);
}

/* Losses are those of all rings that a CPU has had. */
TEST_EACH(losses_of_each_round_are_kept, 3)
{
	static const char *const scripts[] = { "L1 b", "L1 b L1 b", "L1 b L1 b L1 b L" };
	static const char *const lost[] = { "\"lost\":7,", "\"lost\":14,", "\"lost\":28," };

	begin("event_output");
	succeeds("--format=json -d 600 prog.o", scripts[_i]);
	ck_assert_msg(strstr(m.s.out, lost[_i]) != NULL, "%s", m.s.out);
}

/* A CPU that goes is reported once, however often the list is read while it is away. */
TEST_EACH(a_cpu_goes_once, 3)
{
	static const char *const sessions[][2] = {
		{ "ip_count", "-e cpu-clock -d 600 prog.o" }, { "event_output", "-d 600 prog.o" },
		{ "counter_read_value", "-e cpu-clock --counter=task-clock -d 600 prog.o" },
	};
	unsigned int told = 0;

	begin(sessions[_i][0]);
	succeeds(sessions[_i][1], "1 x x");
	for (const char *p = m.s.notes; (p = strstr(p, "CPU 1 is offline: ")); p++)
		told++;
	ck_assert_msg(told == 1, "%s", m.s.notes);
}

TEST(counters_come_back)
{
	unsigned int nr = 0;
	struct fake_event *e;

	begin("counter_read_value");
	succeeds("-e cpu-clock --counter=task-clock -d 600 prog.o", "1 b d");
	for (unsigned int i = 0; (e = fake_kernel_event(m.s.kernel, i)); i++)
		nr += !e->prog && e->cpu == 1 && !e->attr.disabled;
	ck_assert_uint_eq(nr, 2);
	ck_noted("CPU 1 is offline: 1 event, 1 counter stopped until it comes back");
	ck_noted("CPU 1 is online: 1 event, 1 counter reopened; counters restart at 0\n");
	ck_noted("CPU 3 is online: 1 event, 1 counter reopened");
}

/* --- pinned sessions --- */

TEST_EACH(pins_are_of_the_new_links, 2)
{
	const unsigned int nr = 1 + _i;		/* events */
	unsigned int alive = 0, gone = 0;
	struct fake_link *l;

	begin("ip_count");
	succeeds(_i ? "--attach=link -e cpu-clock -e task-clock --pin=/sys/fs/bpf/x -d 600 prog.o" :
		      "--attach=link -e cpu-clock --pin=/sys/fs/bpf/x -d 600 prog.o", "1 b d");
	for (unsigned int i = 0; (l = fake_kernel_link(m.s.kernel, i)); i++) {
		alive += !l->gone;
		gone += l->gone && l->event->cpu == 1;
	}
	ck_assert_uint_eq(gone, nr);
	ck_assert_uint_eq(alive, 3 * nr);	/* of CPUs 0, 1 and 3 */
	ck_not_noted("ends with pload");
	succeeds("pin adopt -d 600 /sys/fs/bpf/x", "1 b");
	ck_noted(_i ? "CPU 1 is offline: 2 links to its events are dead" :
		      "CPU 1 is offline: 1 links to its events are dead");
}

TEST(adopted_rings_come_back)
{
	begin("event_output");
	succeeds("--attach=link --pin=/sys/fs/bpf/x -d 0 prog.o", "");
	succeeds("pin adopt --format=json -d 600 /sys/fs/bpf/x", "1 b r");
	ck_noted("CPU 1 is online: 1 ring reopened");
	ck_assert(strstr(m.s.out, "\"type\":\"record\"") != NULL);
	ck_not_noted("links to its events");	/* a traced event has no CPU */
}

/* --- calls that fail --- */

static const struct {
	const char *object, *args;
} fragile[] = {
	{ "ip_count", "--attach=link --cookie=7 -e cpu-clock -d 600 prog.o" },
	{ "ip_count", "--attach=pmu -e {cpu-clock,page-faults} -e task-clock -d 600 prog.o" },
	{ "event_output", "-d 600 prog.o" },
	{ "counter_read_value", "--attach=link -e cpu-clock --counter=task-clock -d 600 prog.o" },
	{ "ip_count", "--attach=link -e cpu-clock --pin=/sys/fs/bpf/x -d 600 prog.o" },
	{ "ip_count", "--attach=link -e cpu-clock -G a,b -d 600 prog.o" },
};

#define NR_FRAGILE (sizeof(fragile) / sizeof(fragile[0]))

static bool is_of_hotplug(const struct fake_kernel *k, unsigned int from, unsigned int call)
{
	/* Without a ppoll between them, @call belongs to the wait that received the uevent. */
	for (unsigned int i = call; i > from; i--)
		if (!strcmp(fake_kernel_call(k, i)->name, "ppoll"))
			return false;
	return true;
}

/* Each call for a CPU that comes back fails once: a note reports it, and the session continues. */
TEST_EACH(refused_calls_end_nothing, 4 * NR_FRAGILE)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM, EMFILE };
	const unsigned int row = _i % NR_FRAGILE;
	unsigned int tried = 0;

	for (unsigned int n = 2;; n++, tried++) {	/* the first is ppoll, whose failure is no CPU's */
		const char *name;

		begin(fragile[row].object);
		m.fail_at = n;
		m.fail_code = codes[_i / NR_FRAGILE];
		run(fragile[row].args, "1 b!");
		ck_assert_uint_ge(fake_kernel_nr_calls(m.s.kernel), m.first_call + n);
		if (!is_of_hotplug(m.s.kernel, m.first_call, m.first_call + n - 1)) {
			fake_session_end(&m.s);
			break;
		}
		name = fake_kernel_call(m.s.kernel, m.first_call + n - 1)->name;
		ck_assert_msg(m.s.ret == 0, "call %u, %s: %s: %s", n, name, m.s.err.where, m.s.err.what);
		/* A call that fails is repeated, was not needed, or leads to a note. */
		if (strncmp(name, "close", 5) && strcmp(name, "munmap") && strcmp(name, "unlinkat") &&
		    !strstr(m.s.notes, "CPU 1 is online: "))
			ck_assert_msg(strstr(m.s.notes, "CPU 1 is online, but") ||
				      strstr(m.s.notes, "ignoring CPUs that come back"),
				      "call %u, %s: nothing said: %s", n, name, m.s.notes);
		fake_session_end(&m.s);
	}
	ck_assert_uint_gt(tried, 3);
}

TEST(refused_cpu_is_left_out)
{
	begin("ip_count");
	m.fail_at = 3;	/* ppoll, recvfrom, perf_event_open */
	m.fail_code = EBUSY;
	succeeds("--attach=link -e cpu-clock --format=json -d 600 prog.o", "1 b!");
	ck_noted("CPU 1 is online, but an event is not open there: event 'cpu-clock': CPU 1: ");
	ck_assert_msg(strstr(m.s.out, "\"skipped_cpus\":[1,2,3]") != NULL, "%s", m.s.out);
}

/* --- by uevents, or by the list of CPUs --- */

TEST_EACH(without_a_socket_it_is_looked, 2)
{
	static const struct {
		unsigned int call;
		int code;
		const char *what;
	} refused[] = {
		{ 0, EAFNOSUPPORT, "Address family not supported by protocol" },
		{ 1, EPERM, "Operation not permitted" },
	};
	unsigned int calls;

	begin("ip_count");
	succeeds("-e cpu-clock -d 600 prog.o", "");
	for (calls = 0; strcmp(fake_kernel_call(m.s.kernel, calls)->name, "socket"); calls++)
		;
	fake_session_end(&m.s);
	begin("ip_count");
	fake_kernel_fail_call(m.s.kernel, calls + 1 + refused[_i].call, refused[_i].code);
	succeeds("-e cpu-clock -d 600 prog.o", "1");
	ck_noted("the kernel does not report CPUs that go offline: ");
	ck_noted(refused[_i].what);
}

static unsigned int told[4], nr_told;

static void count(void *arg, int cpu, bool online)
{
	(void)arg;
	told[cpu] = online ? 1 : 2;
	nr_told++;
}

/* In a user namespace no uevents arrive, so the list of CPUs is compared with the previous one. */
TEST(list_is_compared)
{
	struct error err = { 0 };
	struct hotplug h;
	struct sys *sys;

	begin("ip_count");
	m.s.paths[1] = (struct fake_path){ .path = "/proc/self/ns/user", .data = "user:[4026532177]",
					 .error = FAKE_SYMLINK };
	sys = fake_kernel_sys(m.s.kernel);
	ck_assert_int_eq(hotplug_begin(sys, &h, &err), 1);
	ck_assert_pstr_eq(err.reason, "scope/no-uevents");
	ck_assert(h.polls);
	ck_assert_uint_gt(h.look_ns, 0);	/* it has been compared just now */
	ck_assert_int_le(hotplug_waits_ms(&h), HOTPLUG_POLL_MS);
	memset(told, 0, sizeof(told));
	nr_told = 0;
	fake_kernel_set_cpu(m.s.kernel, 1, false);
	fake_kernel_set_cpu(m.s.kernel, 3, true);
	h.fd = -h.fd;	/* the message is not seen */
	h.look_ns = UINT64_MAX;
	ck_assert_int_eq(hotplug_read(sys, &h, count, NULL, &err), 0);
	ck_assert_uint_eq(nr_told, 0);	/* it is not time */
	h.look_ns = 0;
	ck_assert_int_eq(hotplug_waits_ms(&h), 0);
	ck_assert_int_eq(hotplug_read(sys, &h, count, NULL, &err), 0);
	ck_assert_uint_gt(h.look_ns, 0);	/* and later again */
	ck_assert_uint_eq(nr_told, 2);
	ck_assert_uint_eq(told[1], 2);
	ck_assert_uint_eq(told[3], 1);
	h.look_ns = 0;
	ck_assert_int_eq(hotplug_read(sys, &h, count, NULL, &err), 0);
	ck_assert_uint_eq(nr_told, 2);
	h.fd = -h.fd;
	hotplug_end(sys, &h);
	error_clear(&err);
	ck_assert_int_eq(fake_kernel_leaks(m.s.kernel, stderr), 0);
}
