// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* PERF_SAMPLE_BRANCH_STACK and bpf_read_branch_records(): the branches that a hardware PMU recorded before a sample. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"

#define TIMES 5
#define ENTRY 24	/* bytes of a struct perf_branch_entry */

static void with_type(struct perf_event_attr *attr, uint64_t type)
{
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK;
	attr->branch_sample_type = type;
	attr->exclude_kernel = 1;
}

static void any_user(struct perf_event_attr *attr)
{
	with_type(attr, PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY);
}

static void unknown_bit(struct perf_event_attr *attr)
{
	with_type(attr, PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY | UINT64_C(1) << 63);
}

static void no_branches(struct perf_event_attr *attr)
{
	with_type(attr, PERF_SAMPLE_BRANCH_USER);
}

static int open_with(struct regress *t, const char *event, void (*change)(struct perf_event_attr *attr))
{
	struct error err = { 0 };
	struct happen h;
	const int ret = happen_try(t, &h, BY_IOCTL, change, event, &err);

	happen_close(&h);
	if (ret == -EPERM || ret == -EACCES)
		regress_ok(t, ret, &err, event);
	error_clear(&err);
	return ret;
}

/*
 * perf_swevent_init() and similar functions do not support branches. A tracepoint event would get
 * those of another PMU.
 */
static void not_software(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EOPNOTSUPP" } };
	static uint64_t watched;
	const char *event = t->data;
	char breakpoint[64];
	struct happen h;

	snprintf(breakpoint, sizeof(breakpoint), "mem:%p/8:w,period=1", (void *)&watched);
	event = event ? event : breakpoint;
	happen_open(t, &h, BY_IOCTL, NULL, event);	/* s390x has no breakpoints */
	happen_close(&h);
	regress_answer(t, "", regress_errno(open_with(t, event, any_user)), rows, NR(rows));
}

/* perf_copy_attr() checks the type before a PMU is asked. */
static void wrong_type(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };

	regress_answer(t, "an unknown bit", regress_errno(open_with(t, "page-faults,period=1", unknown_bit)), rows, NR(rows));
	regress_answer(t, "only privileges", regress_errno(open_with(t, "page-faults,period=1", no_branches)), rows, NR(rows));
}

static void load(struct regress *t, struct regress_object *o, struct context_io io)
{
	known_ready();
	regress_load(t, o, "context", "pe_branches");
	io_put(t, o, &io);
}

static void answers(struct regress *t, const char *key, int64_t ret, const char *want)
{
	const struct regress_since rows[] = { { LINUX(0, 0), want } };

	regress_answer(t, key, regress_errno(ret), rows, 1);
}

/* Without branches no size fits; unknown flags are refused before that. */
static void none(struct regress *t)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	load(t, &o, (struct context_io){ .low = (uintptr_t)known_store_at, .high = (uintptr_t)known_store_at + 1 });
	happen_attach(t, &h, BY_IOCTL, "page-faults:u,period=1", &o, "pe_branches");
	happen_touch(t, TIMES);
	io = io_get(t, &o);
	regress_expect(t, io.runs >= TIMES, "%llu runs", (unsigned long long)io.runs);
	answers(t, "two entries", io.ret, "ENOENT");
	answers(t, "size", (int64_t)io.arg[0], "ENOENT");
	answers(t, "no multiple", (int64_t)io.arg[1], "ENOENT");
	answers(t, "one entry", (int64_t)io.arg[2], "ENOENT");
	answers(t, "unknown flags", (int64_t)io.arg[3], "EINVAL");
	answers(t, "no bytes", (int64_t)io.arg[4], "ENOENT");
	happen_close(&h);
	regress_unload(t, &o);
}

/* The last sample of the ring, which is the program's last run. */
static void last_sample(struct samples *s, struct sample *last)
{
	struct sample one;

	last->type = 0;
	while (samples_next(s, &one))
		if (one.type == PERF_RECORD_SAMPLE)
			*last = one;
}

struct branched {
	struct regress *t;
	const struct regress_object *o;
};

static bool has_run(void *arg)
{
	const struct branched *b = arg;

	known_spin(1000000);
	return io_get(b->t, b->o).runs >= TIMES;
}

/* ip, u64 nr, { from, to, flags } [nr]: the program gets the same entries, as many as fit. */
static void as_in_the_ring(struct regress *t)
{
	struct regress_object o;
	struct branched b = { t, &o };
	struct error err = { 0 };
	struct context_io io;
	struct sample one;
	struct samples s;
	struct happen h;
	uint64_t nr, room;
	int ret;

	ret = happen_try(t, &h, BY_IOCTL, any_user, "cycles:u,period=100000", &err);
	if (ret == -EOPNOTSUPP || ret == -ENOENT || ret == -EINVAL)
		regress_skip(t, "no hardware PMU here records branches: %s", regress_errno(ret));
	regress_ok(t, ret, &err, "opening");
	load(t, &o, (struct context_io){ .answer = 1 });
	samples_map(&s, &h, 64);
	happen_bind(&h, &o, "pe_branches", 0);
	regress_expect(t, regress_until(has_run, &b), "the program does not run");
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	io = io_get(t, &o);
	last_sample(&s, &one);
	regress_expect(t, one.type == PERF_RECORD_SAMPLE && one.ip == io.ip, "the last sample is not the last run's");
	nr = one.bytes[1];
	room = nr < 2 ? nr : 2;
	regress_expect(t, io.arg[0] == nr * ENTRY && io.ret == (int64_t)room * ENTRY &&
		       io.arg[2] == (nr ? ENTRY : 0), "of %" PRIu64 " entries: all %lld, two %lld, one %lld bytes", nr,
		       (long long)io.arg[0], (long long)io.ret, (long long)io.arg[2]);
	regress_expect(t, !memcmp(io.word, one.bytes + 2, room * ENTRY), "its entries are not those of the ring");
	answers(t, "no multiple", (int64_t)io.arg[1], "EINVAL");
	answers(t, "unknown flags", (int64_t)io.arg[3], "EINVAL");
	regress_expect(t, !io.arg[4], "no bytes are %lld", (long long)io.arg[4]);
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "PERF_SAMPLE_BRANCH_STACK of page-faults: EOPNOTSUPP", not_software, "page-faults,period=1" },
	{ "PERF_SAMPLE_BRANCH_STACK of cpu-clock: EOPNOTSUPP", not_software, "cpu-clock,period=1000000" },
	{ "PERF_SAMPLE_BRANCH_STACK of a tracepoint: EOPNOTSUPP", not_software, "sched:sched_switch" },
	{ "PERF_SAMPLE_BRANCH_STACK of a breakpoint: EOPNOTSUPP", not_software },
	{ "branch_sample_type of an unknown bit, or of no branches: EINVAL", wrong_type },
	{ "bpf_read_branch_records without branches: ENOENT of any size, EINVAL of unknown flags", none },
	{ "bpf_read_branch_records of cycles: the entries of the ring; EINVAL of a part of one", as_in_the_ring },
	{ 0 }
};

const struct regress_group regress_group_branches = {
	"branches", "PERF_SAMPLE_BRANCH_STACK and bpf_read_branch_records()", tests, NULL, __FILE__
};
