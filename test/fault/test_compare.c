// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pload compare on a kernel whose answers can be set: each answer is changed separately, and only
 * the cells that depend on it may change. Then call n fails, for every n.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>


#include "loader/core/cmd/command.h"
#include "loader/compare/measure/compare.h"
#include "loader/core/kernel/kernel.h"
#include "test/unit/common/json_of.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_kernel.h"

#define COOKIE 0xc0ffee
#define RUNS 20		/* of a program while work is done */

/* --- a kernel whose programs run --- */

/*
 * The answers in which this kernel differs from the fake kernel. A member that is 0 changes
 * nothing.
 */
struct answers {
	long nr;		/* this call ... */
	unsigned long cmd;	/* ... with this command or request (0: any) ... */
	int code;		/* ... fails with this positive errno ... */
	unsigned int ms;	/* ... or takes this many milliseconds */
	int runs_more, others, cookie_more, kept_more, lost, counted_more;
};

struct running {
	struct sys sys;		/* first */
	struct fake_kernel *fake;
	struct answers answers;
};

static bool is_meant(const struct answers *a, long nr, const unsigned long arg[6])
{
	const unsigned long cmd = nr == __NR_ioctl ? arg[1] : arg[0];

	return a->nr && nr == a->nr && (!a->cmd || cmd == a->cmd);
}

/* The map of a trial program, found by the instruction that loads its value. */
static int map_of(const struct fake_prog *prog)
{
	for (uint32_t i = 0; i < prog->attr.insn_cnt; i++)
		if (prog->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    prog->insns[i].src_reg == BPF_PSEUDO_MAP_VALUE)
			return prog->insns[i].imm;
	return -1;
}

/* "r7 = imm", the value that it returns, is its second instruction. */
static int retval_of(const struct fake_prog *prog)
{
	ck_assert_uint_eq(prog->insns[1].dst_reg, 7);
	return prog->insns[1].imm;
}

static void happen(struct running *r, struct fake_event *event, struct firing_value *value)
{
	const struct answers *a = &r->answers;
	const uint64_t runs = RUNS + a->runs_more;

	value->own.runs += runs;
	value->own.cookie = event->cookie ? event->cookie + a->cookie_more : 0;
	value->others.runs += a->others;
	event->value += runs + a->counted_more;
	for (uint64_t i = 0; event->ring && retval_of(event->prog) && i < runs + a->kept_more; i++)
		fake_perf_push(event, "", 1);
	if (event->ring && a->lost)
		fake_perf_push_lost(event, a->lost);
}

/* Time passes between two lookups in a map. */
static void let_run(struct running *r, const union bpf_attr *attr)
{
	struct firing_value *value = (struct firing_value *)(uintptr_t)attr->value;
	struct sys *fake = fake_kernel_sys(r->fake);
	struct fake_event *event;
	uint32_t zero = 0;

	for (unsigned int i = 0; (event = fake_kernel_event(r->fake, i)); i++)
		if (event->open && event->enabled && event->prog &&
		    map_of(event->prog) == (int)attr->map_fd)
			happen(r, event, value);
	map_update(fake, attr->map_fd, &zero, value, BPF_ANY);
}

static long running_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct running *r = (struct running *)sys;
	struct sys *fake = fake_kernel_sys(r->fake);
	long ret;

	if (is_meant(&r->answers, nr, arg)) {
		const struct timespec ts = { 0, r->answers.ms * 1000000L };

		if (r->answers.code)
			return -r->answers.code;
		nanosleep(&ts, NULL);
	}
	ret = fake->enter(fake, nr, arg);
	if (nr == __NR_bpf && arg[0] == BPF_MAP_LOOKUP_ELEM && ret >= 0)
		let_run(r, (const union bpf_attr *)arg[1]);
	return ret;
}

/* --- the cells of one event --- */

struct table {
	struct running running;
	struct event_spec spec;
	struct compare_subject subject;
	struct json_object *event;	/* owned */
};

static void unit(void)
{
}

/* No processor is involved: everything depends on the kernel's answers. */
static const struct firing_work nothing = { "does nothing", unit, true, true, NULL };
/* This work may fail to cause its event, so its cost is not measured. */
static const struct firing_work perhaps = { "does nothing", unit, false, false, NULL };

static void begin(struct table *t, const char *event, const struct fake_path *paths)
{
	memset(t, 0, sizeof(*t));
	t->running.sys.enter = running_enter;
	t->running.fake = fake_kernel_new(paths);
	ck_assert_int_eq(event_parse(&t->spec, event, NULL), 0);
	t->subject = (struct compare_subject){
		.sys = &t->running.sys, .spec = &t->spec, .cookie = COOKIE, .rounds = 1,
	};
	t->event = json_object_new_object();
}

static void measure(struct table *t, const struct firing_work *work)
{
	struct error err = { 0 };

	compare_begin(&t->subject);
	if (work)
		t->subject.work = work;
	ck_assert_int_eq(compare_cells(&t->subject, t->event, &err), 0);
	compare_end(&t->subject);
	error_clear(&err);
}

static void end(struct table *t)
{
	ck_assert_int_eq(fake_kernel_leaks(t->running.fake, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(t->running.fake, stderr), 0);
	fake_kernel_free(t->running.fake);
	event_spec_free(&t->spec);
	json_object_put(t->event);
}

/* "records.returns_1.kept" of cell number @i; NULL if missing or null. */
static struct json_object *get(const struct table *t, int i, const char *path)
{
	struct json_object *at;
	char text[128], *p = text;

	snprintf(text, sizeof(text), "%s", path);
	ck_assert(json_object_object_get_ex(t->event, "cells", &at));
	at = json_object_array_get_idx(at, i);
	if (!path[0])
		return at;
	while (p && at)
		if (!json_object_object_get_ex(at, strsep(&p, "."), &at))
			return NULL;
	return at;
}

static const char *text(const struct table *t, int i, const char *path)
{
	struct json_object *at = get(t, i, path);

	return at ? json_object_get_string(at) : "";
}

/* Descriptor numbers and addresses vary between runs, so compare their meaning. */
static void drop_lines(struct table *t)
{
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		struct json_object *calls = get(t, i, "calls");

		for (size_t n = 0; n < json_object_array_length(calls); n++)
			json_object_object_del(json_object_array_get_idx(calls, n), "text");
	}
}

TEST(test_cells_as_they_are)
{
	struct table t;

	begin(&t, "page-faults", NULL);
	measure(&t, &nothing);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		const bool link = i % 2;

		ck_assert_str_eq(text(&t, i, "outcome"), "fires");
		ck_assert_ptr_null(get(&t, i, "error"));
		ck_assert_str_eq(text(&t, i, "runs.own"), "20");
		ck_assert_str_eq(text(&t, i, "cookie.given"), link ? "0xc0ffee" : "");
		ck_assert_str_eq(text(&t, i, "cookie.seen"), link ? "0xc0ffee" : "0x0");
		ck_assert_str_eq(text(&t, i, "records.returns_0.kept"), "0");
		ck_assert_str_eq(text(&t, i, "records.returns_0.dropped"), "40");
		ck_assert_str_eq(text(&t, i, "records.returns_1.kept"), "40");
		ck_assert_str_eq(text(&t, i, "records.returns_1.dropped"), "0");
		ck_assert_str_eq(text(&t, i, "records.returns_1.counted"), "40");
		ck_assert_ptr_nonnull(get(&t, i, "times.detach.median_ns"));
		ck_assert_ptr_nonnull(get(&t, i, "cost.unit"));
	}
	end(&t);
}

/* --- each answer separately --- */

enum { IOCTL = 1 << 0 | 1 << 2, LINK = 1 << 1 | 1 << 3, TRACEFS = 1 << 0 | 1 << 1,
       PMU = 1 << 2 | 1 << 3, ALL = IOCTL | LINK };

static const struct fake_path other_type[] = {
	{ "/sys/bus/event_source/devices/software/type", "6\n", 0, 0 }, { 0 }
};
static const struct fake_path no_type[] = {
	{ "/sys/bus/event_source/devices/software/type", "", 0, ENOENT },
	{ "/sys/bus/event_source/devices/software", "", 0, ENOENT }, { 0 }
};

static const struct fake_path before_links[] = {
	{ "/proc/sys/kernel/osrelease", "5.10.0-26-amd64\n", 0, 0 }, { 0 }
};

#define MAX_SEEN 8

/* Each row changes answers of the kernel, and lists the values that its cells then have. */
static const struct change {
	const char *name;
	struct answers answers;
	const struct fake_path *paths;
	unsigned int age;
	unsigned int cells;
	struct {
		const char *path, *text;
	} seen[MAX_SEEN];
} changes[] = {
	{ "opening is denied", { .nr = __NR_perf_event_open, .code = EACCES }, NULL, 0, ALL,
	  { { "outcome", "denied" }, { "error.errno", "EACCES" }, { "runs", "" },
	    { "times.open", "" }, { "times.detach", "" }, { "cost", "" }, { "records", "" } } },
	{ "opening is refused", { .nr = __NR_perf_event_open, .code = E2BIG }, NULL, 0, ALL,
	  { { "outcome", "refused" }, { "error.errno", "E2BIG" } } },
	{ "the ioctl is refused",
	  { .nr = __NR_ioctl, .cmd = PERF_EVENT_IOC_SET_BPF, .code = EEXIST }, NULL, 0, IOCTL,
	  { { "outcome", "refused" }, { "error.reason", "attach/failed" }, { "runs", "" },
	    { "times.bind", "" }, { "times.enable", "" }, { "cost", "" }, { "records", "" } } },
	{ "the link is refused", { .nr = __NR_bpf, .cmd = BPF_LINK_CREATE, .code = EPERM }, NULL, 0,
	  LINK, { { "outcome", "denied" }, { "error.errno", "EPERM" }, { "cookie.seen", "" } } },
	{ "there are no links", { 0 }, before_links, FAKE_NO_PERF_LINK, LINK,
	  { { "outcome", "absent" }, { "error.reason", "attach/link-unsupported" } } },
	{ "enabling is refused",
	  { .nr = __NR_ioctl, .cmd = PERF_EVENT_IOC_ENABLE, .code = ENODEV }, NULL, 0, ALL,
	  { { "outcome", "absent" }, { "error.reason", "attach/enable" }, { "times.enable", "" } } },
	{ "no program is loaded", { .nr = __NR_bpf, .cmd = BPF_PROG_LOAD, .code = EPERM }, NULL, 0,
	  ALL, { { "outcome", "denied" }, { "error.errno", "EPERM" }, { "times.bind", "" } } },
	{ "the PMU has another number", { 0 }, other_type, 0, PMU, { { "outcome", "fires" } } },
	{ "the PMU is not there", { 0 }, no_type, 0, PMU,
	  { { "outcome", "absent" }, { "error.reason", "event/no-pmu" }, { "times.open", "" } } },
	{ "it runs more often", { .runs_more = 5 }, NULL, 0, ALL,
	  { { "runs.own", "25" }, { "records.returns_0.dropped", "50" },
	    { "records.returns_1.kept", "50" }, { "records.returns_1.counted", "50" } } },
	{ "it never runs", { .runs_more = -RUNS }, NULL, 0, ALL,
	  { { "outcome", "silent" }, { "runs.own", "0" }, { "cookie.seen", "" }, { "cost", "" },
	    { "records", "" } } },
	{ "it runs for others", { .others = 3 }, NULL, 0, ALL, { { "runs.others", "3" } } },
	{ "the cookie is another one", { .cookie_more = 1 }, NULL, 0, LINK,
	  { { "cookie.given", "0xc0ffee" }, { "cookie.seen", "0xc0ffef" } } },
	{ "a record is missing", { .kept_more = -1 }, NULL, 0, ALL,
	  { { "records.returns_1.kept", "38" }, { "records.returns_1.dropped", "2" } } },
	{ "the ring was full", { .kept_more = -1, .lost = 1 }, NULL, 0, ALL,
	  { { "records.returns_1.kept", "38" }, { "records.returns_1.lost", "2" },
	    { "records.returns_1.dropped", "0" } } },
	{ "it counts otherwise", { .counted_more = 1 }, NULL, 0, ALL,
	  { { "records.returns_0.counted", "42" }, { "records.returns_1.counted", "42" } } },
	{ "there is no ring", { .nr = __NR_mmap, .code = ENOMEM }, NULL, 0, ALL,
	  { { "records.returns_1.error.errno", "ENOMEM" }, { "records.returns_1.kept", "" } } },
};

#define NR_CHANGES (sizeof(changes) / sizeof(changes[0]))

/* Everything that does not depend on time. */
static bool is_same(const struct table *a, const struct table *b, int i)
{
	static const char *const members[] = { "outcome", "error", "runs", "cookie", "calls",
					       "records" };

	for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++)
		if (strcmp(text(a, i, members[m]), text(b, i, members[m])))
			return false;
	return true;
}

TEST_EACH(test_each_cell_changes_with_the_answer, NR_CHANGES)
{
	const struct change *c = &changes[_i];
	struct table before, after;

	begin(&before, "page-faults", NULL);
	measure(&before, &nothing);
	drop_lines(&before);
	begin(&after, "page-faults", c->paths);
	after.running.answers = c->answers;
	fake_kernel_set_age(after.running.fake, c->age);
	measure(&after, &nothing);
	drop_lines(&after);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		ck_assert_msg(is_same(&before, &after, i) == !(c->cells >> i & 1), "%s: %s", c->name,
			      text(&after, i, "cell"));
		for (int s = 0; c->cells >> i & 1 && s < MAX_SEEN && c->seen[s].path; s++)
			ck_assert_msg(!strcmp(text(&after, i, c->seen[s].path), c->seen[s].text),
				      "%s: %s: %s is '%s'", c->name, text(&after, i, "cell"),
				      c->seen[s].path, text(&after, i, c->seen[s].path));
	}
	end(&before);
	end(&after);
}

/* A probe by tracefs needs it, one by PMU does not; a tracepoint has its id from there. */
TEST_EACH(test_without_tracefs, 2)
{
	static const struct {
		const char *event;
		unsigned int absent;
	} rows[] = { { "kprobe:do_exit", TRACEFS }, { "sched:sched_switch", ALL } };
	struct table t;

	begin(&t, rows[_i].event, NULL);
	t.running.answers = (struct answers){ .nr = __NR_fsopen, .code = ENODEV };
	measure(&t, &nothing);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		const bool absent = rows[_i].absent >> i & 1;

		ck_assert_msg(!strcmp(text(&t, i, "outcome"), absent ? "absent" : "fires"), "%s: %s",
			      rows[_i].event, text(&t, i, ""));
		ck_assert_str_eq(text(&t, i, "error.reason"), absent ? "event/no-tracefs" : "");
		ck_assert_int_eq(!get(&t, i, "records"), absent);
	}
	end(&t);
}

/* A call that takes a while. */
static const struct {
	long nr;
	unsigned long cmd;
	const char *step;
	unsigned int cells;
} slow[] = {
	{ __NR_perf_event_open, 0, "open", ALL },
	{ __NR_openat, 0, "open", PMU },
	{ __NR_ioctl, PERF_EVENT_IOC_SET_BPF, "bind", IOCTL },
	{ __NR_bpf, BPF_LINK_CREATE, "bind", LINK },
	{ __NR_ioctl, PERF_EVENT_IOC_ENABLE, "enable", ALL },
	{ __NR_close, 0, "detach", ALL },
};

#define SLOW_MS 20

/* The cells whose @step took this much time. */
static unsigned int slow_cells(const struct table *t, const char *step)
{
	unsigned int cells = 0;
	char path[64];

	snprintf(path, sizeof(path), "times.%s.median_ns", step);
	for (int i = 0; i < COMPARE_NR_CELLS; i++)
		if (json_object_get_int64(get(t, i, path)) >= SLOW_MS * 1000000)
			cells |= 1u << i;
	return cells;
}

/* A busy machine may be slow without this, but not every time. */
#define TRIES 5

TEST_EACH(test_each_time_is_that_of_its_calls,  NR(slow))
{
	static const char *const steps[] = { "open", "bind", "enable", "detach" };
	unsigned int tries = TRIES;
	struct table t;

	for (;;) {
		begin(&t, "page-faults", NULL);
		t.running.answers = (struct answers){ .nr = slow[_i].nr, .cmd = slow[_i].cmd,
						      .ms = SLOW_MS };
		measure(&t, &perhaps);
		if (slow_cells(&t, slow[_i].step) == slow[_i].cells || !--tries)
			break;
		end(&t);
	}
	ck_assert_uint_eq(slow_cells(&t, slow[_i].step), slow[_i].cells);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		char path[64];

		for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
			snprintf(path, sizeof(path), "times.%s.rounds", steps[s]);
			ck_assert_str_eq(text(&t, i, path), "1");
		}
	}
	end(&t);
}

/*
 * The built-in program counts the samples: ten times as many runs mean ten times as many samples.
 */
TEST(test_cost_by_sample)
{
	struct table few, many;

	begin(&few, "cpu-clock", NULL);
	measure(&few, NULL);
	begin(&many, "cpu-clock", NULL);
	many.running.answers.runs_more = 9 * RUNS;
	measure(&many, NULL);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		ck_assert_str_eq(text(&few, i, "cost.samples"), "20");
		ck_assert_str_eq(text(&many, i, "cost.samples"), "200");
		ck_assert_ptr_nonnull(get(&many, i, "cost.event_ns"));
	}
	end(&few);
	end(&many);
}

/* The cost of unreliable work is missing; the rest of the cell is measured anyway. */
TEST(test_cost_of_what_cannot_be_known)
{
	struct table t;

	begin(&t, "page-faults", NULL);
	measure(&t, &perhaps);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		ck_assert_str_eq(text(&t, i, "outcome"), "fires");
		ck_assert_ptr_null(get(&t, i, "cost"));
		ck_assert_ptr_nonnull(get(&t, i, "records"));
	}
	end(&t);
}

/* --- call n fails --- */

static const char *const events[] = { "page-faults", "sched:sched_switch", "kprobe:do_exit" };

static unsigned int calls_of(const char *event, unsigned int n, int code)
{
	unsigned int nr;
	struct table t;

	begin(&t, event, NULL);
	fake_kernel_fail_call(t.running.fake, n, code);
	measure(&t, &perhaps);
	nr = fake_kernel_nr_calls(t.running.fake);
	ck_assert_ptr_null(fake_kernel_line(t.running.fake, 0));
	end(&t);
	return nr;
}

TEST_ROWS(test_each_call_fails, events)
{
	static const int codes[] = { EPERM, ENOMEM, EINVAL };
	const unsigned int nr = calls_of(events[_i], 0, 0);

	ck_assert_uint_gt(nr, 50);
	for (unsigned int n = 1; n <= nr; n++)
		calls_of(events[_i], n, codes[n % 3]);
}

/* --- the command --- */

struct said {
	char *out;	/* owned, as the two below */
	size_t size;
	struct json_object *document;
	struct error err;
	int ret, status;
};

static void run(struct fake_kernel *k, const char *args, struct said *said)
{
	char line[256], *argv[16] = { "pload" }, *p = line;
	FILE *file = open_memstream(&said->out, &said->size);
	struct output output;
	struct options o;
	int argc = 1;

	snprintf(line, sizeof(line), "compare --format=json --only=cells --rounds=1 %s", args);
	while (argc < 15 && p)
		argv[argc++] = strsep(&p, " ");
	ck_assert_int_eq(options_parse(&o, argc, argv, &said->err), 0);
	output = (struct output){ .file = file, .format = o.format };
	said->ret = o.command->run(fake_kernel_sys(k), &o, &output, &said->err);
	said->status = output.status;
	fclose(file);
	said->document = said->size ? json_of(said->out) : NULL;
}

static void forget(struct fake_kernel *k, struct said *said)
{
	ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(k, stderr), 0);
	fake_kernel_free(k);
	json_object_put(said->document);
	error_clear(&said->err);
	free(said->out);
}

TEST(test_command)
{
	struct fake_kernel *k = fake_kernel_new(NULL);
	struct json_object *events_of, *member;
	struct said said = { 0 };

	run(k, "-e page-faults -e sched:sched_switch", &said);
	ck_assert_int_eq(said.ret, 0);
	ck_assert(json_object_object_get_ex(said.document, "events", &events_of));
	ck_assert_uint_eq(json_object_array_length(events_of), 2);
	ck_assert(json_object_object_get_ex(json_object_array_get_idx(events_of, 1), "kind",
					    &member));
	ck_assert_str_eq(json_object_get_string(member), "traced");
	forget(k, &said);
}

/* Nothing can be attached: the table reports why, and so does the exit status. */
TEST(test_command_denied)
{
	struct fake_kernel *k = fake_kernel_new(NULL);
	struct said said = { 0 };

	fake_kernel_reject(k, NULL, EPERM, NULL);
	run(k, "-e page-faults", &said);
	ck_assert_int_eq(said.ret, 1);
	ck_assert_ptr_nonnull(strstr(said.out, "\"outcome\":\"denied\""));
	ck_assert_ptr_null(strstr(said.out, "\"outcome\":\"fires\""));
	forget(k, &said);
}

/* After a signal the document has the events that were measured completely, and no others. */
TEST(test_command_interrupted)
{
	struct fake_kernel *k = fake_kernel_new(NULL);
	struct said said = { 0 };

	fake_kernel_signal(k, SIGTERM);
	run(k, "-e kprobe:do_exit -e page-faults", &said);
	ck_assert_int_eq(said.status, 128 + SIGTERM);
	ck_assert_ptr_nonnull(strstr(said.out, "\"events\":[]"));
	ck_assert_ptr_nonnull(strstr(said.out, "\"interrupted\":true"));
	ck_assert_ptr_null(fake_kernel_line(k, 0));
	forget(k, &said);
}

/* A program in an object, which the fake kernel never runs. */
static void read_object(struct fake_path *path)
{
	const char *dir = getenv("PROGS");
	static char data[1 << 16];
	char name[256];
	FILE *f;

	snprintf(name, sizeof(name), "%s/ip_count.bpf.o", dir ? dir : "build/progs");
	f = fopen(name, "rb");
	ck_assert_msg(f != NULL, "%s: %s", name, strerror(errno));
	path->path = "prog.o";
	path->data = data;
	path->size = fread(data, 1, sizeof(data), f);
	fclose(f);
}

static const char *const sessions[] = {
	"prog.o -e page-faults",
	"prog.o -e sched:sched_switch",
	"-e uprobe",
	"-e breakpoint",
};

static unsigned int calls_of_command(const char *args, unsigned int n, int code)
{
	struct fake_path paths[2] = { 0 };
	struct said said = { 0 };
	struct fake_kernel *k;
	unsigned int nr;

	read_object(&paths[0]);
	k = fake_kernel_new(paths);
	fake_kernel_fail_call(k, n, code);
	run(k, args, &said);
	nr = fake_kernel_nr_calls(k);
	if (said.ret < 0) {
		ck_assert_int_eq(said.err.code, said.ret);
		ck_assert_msg(said.err.what[0] && said.err.where[0], "%s, call %u: '%s: %s'", args, n,
			      said.err.where, said.err.what);
	} else {
		ck_assert_msg(said.document != NULL, "%s, call %u: no document", args, n);
	}
	ck_assert_ptr_null(fake_kernel_line(k, 0));
	forget(k, &said);
	return nr;
}

TEST_EACH(test_each_call_of_the_command_fails,  NR(sessions))
{
	static const int codes[] = { ENOMEM, EPERM, EINVAL, EMFILE };
	const unsigned int nr = calls_of_command(sessions[_i], 0, 0);

	ck_assert_uint_gt(nr, 30);
	for (unsigned int n = 1; n <= nr; n++)
		calls_of_command(sessions[_i], n, codes[n % 4]);
}

/*
 * The kernel refuses a program that does not fit the event in each cell, and the times are still
 * measured.
 */
TEST(test_object_that_fits_no_event)
{
	struct fake_path paths[2] = { 0 };
	struct said said = { 0 };
	struct fake_kernel *k;
	const char *at;
	int nr = 0;

	read_object(&paths[0]);
	k = fake_kernel_new(paths);
	run(k, "prog.o -e sched:sched_switch", &said);
	ck_assert_int_eq(said.ret, 1);
	for (at = said.out; (at = strstr(at, "\"outcome\":\"refused\"")); at++)
		nr++;
	ck_assert_int_eq(nr, COMPARE_NR_CELLS);
	ck_assert_ptr_nonnull(strstr(said.out, "\"median_ns\""));
	forget(k, &said);
}
