// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How often an event was throttled, as the ring of the event reports it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "loader/session/part.h"
#include "test/unit/common/suite.h"

/* Rings that mmap(2) returns for descriptors 10 and 11; 12 is refused. */
struct kernel {
	struct sys sys;
	struct perf_event_mmap_page *pages[2];
	int mapped;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;

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
