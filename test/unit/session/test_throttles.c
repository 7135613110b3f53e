// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How often an event was throttled, as the ring of the event reports it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "loader/sessions/parts/parts.h"
#include "test/unit/common/suite.h"

/* Rings that mmap(2) returns for descriptors 10 and 11; 12 is refused. */
struct kernel {
	struct sys sys;
	struct perf_event_mmap_page *pages[2];
	int mapped;
	uint64_t counts[4];	/* of descriptors 10 to 13 */
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;

	if (nr == __NR_read) {
		*(uint64_t *)arg[1] = k->counts[arg[0] - 10];
		return sizeof(uint64_t);
	}
	if (nr == __NR_munmap) {
		k->mapped--;
		free((void *)arg[0]);
		return 0;
	}
	ck_assert_int_eq(nr, __NR_mmap);
	if (arg[4] == 12)
		return -EINVAL;
	k->mapped++;
	k->pages[arg[4] - 10] = aligned_alloc(4096, arg[1]);
	memset(k->pages[arg[4] - 10], 0, arg[1]);
	return (long)k->pages[arg[4] - 10];
}

/* A record of @size bytes; the kernel reads how far the reader is. */
static void put(struct perf_event_mmap_page *page, uint32_t type, uint16_t size)
{
	const struct perf_event_header header = { .type = type, .size = size };
	const uint64_t ring = 4 * sysconf(_SC_PAGESIZE);
	unsigned char *data = (unsigned char *)page + sysconf(_SC_PAGESIZE);

	ck_assert_uint_le(page->data_head + size - page->data_tail, ring);
	memcpy(data + (page->data_head & (ring - 1)), &header, sizeof(header));
	page->data_head += size;
}

TEST(throttled_events_are_counted)
{
	struct attachment list[] = {
		{ .event_fd = 10, .samples = true, .target = { .tid = -1, .cpu = 0 } },
		{ .event_fd = 11, .samples = true, .target = { .tid = -1, .cpu = 3 } },
		{ .event_fd = 12, .samples = true, .target = { .tid = 7, .cpu = 4 } },
		/* It has no ring: inherited over all CPUs. These two are never mapped. */
		{ .event_fd = 13, .samples = true, .target = { .tid = 7, .cpu = -1 } },
		{ .event_fd = 14, .target = { .tid = -1, .cpu = 0 } },
	};
	struct plan_entry entry = { .spec = { .text = "cycles" } };
	struct kernel k = { .sys.enter = enter };
	const struct options options = { .method = NULL };
	struct session s = { .sys = &k.sys, .options = &options, .plan = { .list = &entry, .nr = 1 },
			     .attachments = { .list = list, .nr = 5 } };
	struct losses losses = { .nr_throttled = 0 };
	struct error err = { 0 };

	ck_assert_int_eq(part_throttles.due_ms(&s), -1);
	ck_assert_int_eq(part_throttles.at[STAGE_BEGUN](&s, &err), 0);
	ck_assert_int_eq(k.mapped, 2);
	ck_assert_int_gt(part_throttles.due_ms(&s), 0);
	/* Two records of 32 bytes in each tick, of which there are at most 1000 in a second. */
	ck_assert_int_lt(part_throttles.due_ms(&s), 4 * sysconf(_SC_PAGESIZE) / 64);
	/* Several rounds of the ring, with samples of a program that returns 1 among them. */
	for (int i = 0; i < 1000; i++) {
		put(k.pages[0], PERF_RECORD_THROTTLE, 32);
		put(k.pages[0], PERF_RECORD_SAMPLE, 40);
		put(k.pages[0], PERF_RECORD_UNTHROTTLE, 32);
		ck_assert_int_eq(part_throttles.read(&s, false, &err), 0);
	}
	put(k.pages[0], PERF_RECORD_THROTTLE, 32);
	put(k.pages[1], 0, 0);	/* a size that cannot be ends the reading */
	k.pages[1]->data_head = 64;
	part_throttles.stop(&s);
	ck_assert_int_eq(k.mapped, 0);
	part_throttles.lost(&s, &losses);
	ck_assert_uint_eq(losses.nr_throttled, 2);
	ck_assert_str_eq(losses.throttled[0].event, "cycles");
	ck_assert_uint_eq(losses.throttled[0].begun, 1001);
	ck_assert_uint_eq(losses.throttled[0].ended, 1000);
	ck_assert_int_eq(losses.throttled[1].cpu, 3);
	ck_assert_uint_eq(losses.throttled[1].begun, 0);
	part_throttles.end(&s);
}

static char said[256];

static void keep(struct output *out, const char *text)
{
	(void)out;
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", text);
}

/* The clocks of CPUs that have counted nothing; tasks, cgroups and other events may stand still. */
static const struct {
	const char *event, *last;	/* @last: of the last CPU */
	pid_t tid;
	bool cgroup;
	uint64_t counts[4];
	uint64_t at_least;	/* less one for each event */
	const char *note;
} stopped[] = {
	{ "cpu-clock", "cpu-clock", -1, false, { 100, 200, 300, 400 }, 6, "" },
	{ "cpu-clock", "cpu-clock", -1, false, { 100, 0, 300, 0 }, 0,
	  "event 'cpu-clock' counted nothing on CPU 1 and 1 more, as if the kernel had not "
	  "enabled it there\n" },
	{ "cpu-clock", "cpu-clock", -1, false, { 100, 200, 300, 0 }, 2,
	  "event 'cpu-clock' counted nothing on CPU 3, as if the kernel had not enabled it "
	  "there\n" },
	{ "cpu-clock", "cpu-clock", 7, false, { 100, 0, 300, 0 }, 0, "" },
	{ "cpu-clock", "cpu-clock", -1, true, { 100, 0, 300, 0 }, 0, "" },
	{ "page-faults", "page-faults", -1, false, { 100, 0, 900, 0 }, 6, "" },
	{ "cpu-clock", "page-faults", -1, false, { 100, 200, 300, 0 }, 2, "" },
};

TEST_ROWS(a_clock_that_stands_still, stopped)
{
	static const struct event_cgroup cgroup;
	struct attachment list[4];
	struct plan_entry entries[2] = { 0 };
	struct kernel k = { .sys.enter = enter };
	const struct options options = { .method = NULL };
	struct object_prog prog = { .name = "p" };
	const struct bpf_object object = { .progs = &prog, .nr_progs = 1 };
	struct output out = { .note = keep };
	struct session s = { .sys = &k.sys, .options = &options, .out = &out,
			     .plan = { .list = entries, .nr = 2 },
			     .load.kernel.object = &object,
			     .attachments = { .list = list, .nr = 4 } };
	struct losses losses = { 0 };
	struct error err = { 0 };

	said[0] = '\0';
	memcpy(k.counts, stopped[_i].counts, sizeof(k.counts));
	ck_assert_int_eq(event_parse(&entries[0].spec, stopped[_i].event, &err), 0);
	ck_assert_int_eq(event_parse(&entries[1].spec, stopped[_i].last, &err), 0);
	for (int i = 0; i < 4; i++)
		list[i] = (struct attachment){ .event_fd = 10 + i, .period = 100,
					       .prog = i == 3,
					       .target = { stopped[_i].tid, -1,
							   stopped[_i].cgroup ? &cgroup : NULL } };
	/* Without rings, which CPU -1 has none of. */
	ck_assert_int_eq(part_throttles.at[STAGE_BEGUN](&s, &err), 0);
	for (int i = 0; i < 4; i++) {
		list[i].samples = true;
		list[i].target.cpu = i;
	}
	part_throttles.stop(&s);
	part_throttles.lost(&s, &losses);
	ck_assert_str_eq(said, stopped[_i].note);
	ck_assert(losses.due[0].known);
	ck_assert_int_eq(losses.due[0].clock, stopped[_i].event[0] == 'c');
	ck_assert_uint_eq(losses.due[0].at_least, stopped[_i].at_least);
	part_throttles.end(&s);
	event_spec_free(&entries[0].spec);
	event_spec_free(&entries[1].spec);
}
