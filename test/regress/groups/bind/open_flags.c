// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Flags of perf_event_open(2), and attributes that determine what an event with a program writes
 * besides samples.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/common/known.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/samples.h"

#define TIMES 10
#define STACK_SIZE 1024

static void load(struct regress *t, struct regress_object *o, int64_t answer)
{
	const struct context_io io = { .answer = answer, .low = (uintptr_t)known_store_at,
				       .high = (uintptr_t)known_store_at + 1 };

	known_ready();
	regress_load(t, o, "context", "pe_see");
	io_put(t, o, &io);
}

static uint64_t runs_of_touch(struct regress *t, const struct regress_object *o)
{
	const uint64_t before = io_get(t, o).runs;

	happen_touch(t, TIMES);
	return io_get(t, o).runs - before;
}

static void with_ids(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_ID;
}

/* --- an invalid group, and another event's ring --- */

/* Page faults of this thread, opened with @leader as the group and bound by the ioctl. It counts at once. */
static int open_beside(struct regress *t, const struct regress_object *o, const struct happen *leader, unsigned long flags)
{
	struct perf_event_attr attr = leader->e.attr;
	int fd;

	attr.disabled = 0;
	fd = sys_perf_event_open(t->sys, &attr, 0, -1, leader->e.a.event_fd, flags | PERF_FLAG_FD_CLOEXEC);
	regress_ok(t, fd, NULL, "perf_event_open");
	regress_ok(t, sys_ioctl(t->sys, fd, PERF_EVENT_IOC_SET_BPF, regress_prog(t, o, "pe_see")), NULL,
		   "PERF_EVENT_IOC_SET_BPF");
	return fd;
}

/* A member counts only while its leader does; with the flag the event is no member. */
static void no_group(struct regress *t)
{
	struct regress_object o;
	struct happen leader;
	uint64_t runs;
	int fd;

	load(t, &o, 1);
	happen_open(t, &leader, BY_IOCTL, NULL, "page-faults:u,period=1");
	fd = open_beside(t, &o, &leader, 0);
	runs = runs_of_touch(t, &o);
	regress_expect(t, !runs, "%" PRIu64 " runs of a member whose leader is disabled", runs);
	sys_close(t->sys, fd);
	fd = open_beside(t, &o, &leader, PERF_FLAG_FD_NO_GROUP);
	runs = runs_of_touch(t, &o);
	regress_expect(t, runs >= TIMES, "%" PRIu64 " runs with the flag", runs);
	sys_close(t->sys, fd);
	happen_close(&leader);
	regress_unload(t, &o);
}

/* The samples of the second event in the ring of the first, which has none itself. */
static unsigned int samples_in_ring(struct regress *t, const struct regress_object *o, struct happen *h, unsigned long flags)
{
	struct samples s;
	unsigned int nr;
	int fd;

	samples_map(&s, h, 8);
	fd = open_beside(t, o, h, flags);
	regress_expect(t, runs_of_touch(t, o) >= TIMES, "the program does not run");
	nr = samples_skip(&s);
	sys_close(t->sys, fd);
	samples_unmap(&s);
	return nr;
}

static void output(struct regress *t)
{
	const int64_t *answer = t->data;
	struct regress_object o;
	struct happen h;
	unsigned int nr;

	load(t, &o, *answer);
	happen_open(t, &h, BY_IOCTL, with_ids, "page-faults:u,period=1");
	nr = samples_in_ring(t, &o, &h, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP);
	regress_expect(t, *answer ? nr >= TIMES : !nr, "%u samples in the ring of the other event", nr);
	nr = samples_in_ring(t, &o, &h, PERF_FLAG_FD_NO_GROUP);
	regress_expect(t, !nr, "%u samples there without the flag", nr);
	happen_close(&h);
	regress_unload(t, &o);
}

static void unknown_flag(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0, .exclude_kernel = 1,
					.config = PERF_COUNT_SW_PAGE_FAULTS };
	const int fd = sys_perf_event_open(t->sys, &attr, 0, -1, -1, 1UL << 4);

	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), rows, NR(rows));
}

/* --- what is written besides samples --- */

static void inherit(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_TID;
	attr->inherit = 1;
}

static void inherit_with_stat(struct perf_event_attr *attr)
{
	inherit(attr);
	attr->inherit_stat = 1;
}

static pid_t child_that_touches(struct regress *t)
{
	const pid_t pid = fork();

	regress_expect(t, pid >= 0, "fork: %s", strerror(errno));
	if (!pid) {
		happen_touch(t, TIMES);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return pid;
}

/*
 * PERF_RECORD_READ: u32 pid, tid; u64 count. sync_child_event() writes it when a child ends. That the parent has
 * one more event keeps the kernel from exchanging the events of both (perf_event_context_sched_out()).
 */
static void count_of_child(struct regress *t)
{
	/* From ef54c1a476ae, also in stable series, to c418d8b4d7a4, no record is written. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "its count" }, { LINUX(5, 10), "its count|no record" }, { LINUX(6, 19), "its count" },
	};
	const bool stat = t->data;
	struct happen h, more;
	struct regress_object o;
	uint64_t count = 0;
	struct sample one;
	struct samples s;
	pid_t pid;
	int cpus[2];

	kind_two_cpus(t, cpus);
	kind_move_to(t, cpus[0]);
	load(t, &o, 0);
	happen_open_on(t, &h, BY_IOCTL, cpus[0], stat ? inherit_with_stat : inherit, "page-faults:u,period=1");
	happen_open(t, &more, BY_IOCTL, NULL, "dummy,period=1");
	samples_map(&s, &h, 8);
	happen_bind(&h, &o, "pe_see", 0);
	pid = child_that_touches(t);
	while (samples_next(&s, &one))
		if (one.type == PERF_RECORD_READ && (uint32_t)one.bytes[0] == (uint32_t)pid)
			count += one.bytes[1];
	regress_expect(t, io_get(t, &o).runs >= TIMES, "the program does not run for the child");
	regress_expect(t, !count || (stat && count >= TIMES), "PERF_RECORD_READ: the child has counted %" PRIu64, count);
	if (stat)
		regress_answer(t, "", count ? "its count" : "no record", rows, NR(rows));
	samples_unmap(&s);
	happen_close(&more);
	happen_close(&h);
	regress_unload(t, &o);
}

static void names(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID;
	attr->comm = 1;
}

static void names_with_ids(struct perf_event_attr *attr)
{
	names(attr);
	attr->sample_id_all = 1;
}

/* PERF_RECORD_COMM: u32 pid, tid; the name, filled up to 8; then u32 pid, tid; u64 time; u64 id. */
static void id_of_each(struct regress *t)
{
	const bool all = t->data;
	struct regress_object o;
	uint64_t id = 0, runs;
	struct sample one;
	struct samples s;
	struct happen h;

	load(t, &o, 1);
	happen_open(t, &h, BY_IOCTL, all ? names_with_ids : names, "dummy,period=1");
	samples_map(&s, &h, 8);
	happen_bind(&h, &o, "pe_see", 0);
	happen_must(&h, PERF_EVENT_IOC_ID, (uintptr_t)&id, "PERF_EVENT_IOC_ID");
	prctl(PR_SET_NAME, "seven77");
	regress_expect(t, samples_next(&s, &one) && one.type == PERF_RECORD_COMM && !memcmp(one.bytes + 1, "seven77", 8),
		       "there is no record of the name");
	regress_expect(t, all ? one.bytes[2] == one.bytes[0] && one.bytes[3] && one.bytes[4] == id :
				!one.bytes[2] && !one.bytes[3] && !one.bytes[4],
		       "after the name are %" PRIx64 ", %" PRIx64 " and %" PRIx64, one.bytes[2], one.bytes[3], one.bytes[4]);
	runs = io_get(t, &o).runs + io_get(t, &o).others;
	regress_expect(t, !runs, "%" PRIu64 " runs for a record that is not a sample", runs);
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

static void stack_of(struct perf_event_attr *attr, uint32_t size)
{
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = size;
}

static void stack(struct perf_event_attr *attr) { stack_of(attr, STACK_SIZE); }
static void odd_stack(struct perf_event_attr *attr) { stack_of(attr, STACK_SIZE + 4); }
static void huge_stack(struct perf_event_attr *attr) { stack_of(attr, 65536); }

#define MARK UINT64_C(0x5ca1ab1edeadfa11)

/* Its stack contains marks, below which known_store() runs. */
static __attribute__((noinline)) void store_below_marks(volatile uint64_t *page)
{
	volatile uint64_t marks[4] = { MARK, MARK + 1, MARK + 2, MARK + 3 };

	known_store(page);
	(void)marks[0];
}

/* u32 pid, tid; u64 size; the bytes from the stack pointer on; u64 how many of them could be read. */
static void has_stack(struct regress *t)
{
	const uint64_t marks[] = { MARK, MARK + 1, MARK + 2, MARK + 3 };
	struct regress_object o;
	struct sample one;
	struct samples s;
	struct happen h;

	load(t, &o, 1);
	happen_open(t, &h, BY_IOCTL, stack, "page-faults:u,period=1");
	samples_map(&s, &h, 8);
	happen_bind(&h, &o, "pe_see", 0);
	store_below_marks(happen_page(t));
	regress_expect(t, samples_next(&s, &one) && one.type == PERF_RECORD_SAMPLE, "there is no sample");
	regress_expect(t, one.bytes[1] == STACK_SIZE && one.bytes[2 + STACK_SIZE / 8] <= STACK_SIZE,
		       "it has %" PRIu64 " bytes of stack, of which %" PRIu64 " are read", one.bytes[1],
		       one.bytes[2 + STACK_SIZE / 8]);
	regress_expect(t, memmem(one.bytes + 2, one.bytes[2 + STACK_SIZE / 8], marks, sizeof(marks)),
		       "the %" PRIu64 " bytes are not those of the stack", one.bytes[2 + STACK_SIZE / 8]);
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

static void opens(struct regress *t, const char *key, void (*change)(struct perf_event_attr *attr), const char *want)
{
	const struct regress_since rows[] = { { LINUX(0, 0), want } };
	struct error err = { 0 };
	struct happen h;
	const int ret = happen_try(t, &h, BY_IOCTL, change, "page-faults:u,period=1", &err);

	happen_close(&h);
	error_clear(&err);
	regress_answer(t, key, regress_errno(ret), rows, 1);
}

static void stack_sizes(struct regress *t)
{
	opens(t, "no multiple of 8", odd_stack, "EINVAL");
	opens(t, "64 KB", huge_stack, "EINVAL");
}

static void aux(struct perf_event_attr *attr) { attr->aux_output = 1; }

/* It is for a group whose leader has an AUX area, as Intel PT has. */
static void no_aux(struct regress *t)
{
	opens(t, "", aux, "EOPNOTSUPP|EINVAL");
}

static const int64_t kept = 1, dropped;

static const struct regress_test tests[] = {
	{ "PERF_FLAG_FD_NO_GROUP: the event is no member of the group it is opened with", no_group },
	{ "PERF_FLAG_FD_OUTPUT: samples into the ring of the event it is opened with", output, &kept },
	{ "PERF_FLAG_FD_OUTPUT: what the program drops is not in that ring", output, &dropped },
	{ "an unknown flag of perf_event_open(2): EINVAL", unknown_flag },
	{ "inherit_stat: PERF_RECORD_READ has the count of a child that ends", count_of_child, &kept },
	{ "without inherit_stat there is no PERF_RECORD_READ", count_of_child, NULL },
	{ "sample_id_all: the record of a new name has the id of the event, and runs no program", id_of_each, &kept },
	{ "without sample_id_all the record of a new name has no id", id_of_each, NULL },
	{ "PERF_SAMPLE_STACK_USER: a sample has the stack of the thread", has_stack },
	{ "sample_stack_user of no multiple of 8, or of 64 KB: EINVAL", stack_sizes },
	{ "aux_output of an event without an AUX area is refused", no_aux },
	{ 0 }
};

const struct regress_group regress_group_open_flags = {
	"open_flags", "flags of perf_event_open(2), and records beside samples", tests, NULL, __FILE__
};
