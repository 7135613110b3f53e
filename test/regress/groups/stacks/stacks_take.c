// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that takes stacks of page faults at a known address. */
#include <errno.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/stacks/stacks.h"

static const uint32_t zero;

void taking_load(struct regress *t, struct taking *k, const char *prog)
{
	*k = (struct taking){ .t = t, .prog = prog };
	known_ready();
	regress_load(t, &k->o, "stacks", prog);
}

void taking_begin(struct regress *t, struct taking *k, const char *prog,
		  void (*change)(struct perf_event_attr *attr))
{
	taking_load(t, k, prog);
	happen_open(t, &k->h, BY_IOCTL, change, "page-faults,period=1");
	happen_bind(&k->h, &k->o, prog, 0);
}

void taking_put(struct taking *k, const struct stacks_io *io)
{
	struct stacks_io begin = *io;

	begin.runs = 0;
	if (!io->comm[0]) {
		begin.low = (uintptr_t)known_store_at;
		begin.high = begin.low + 1;
	}
	regress_ok(k->t, map_update(k->t->sys, regress_map(k->t, &k->o, "stacks"), &zero, &begin,
				    BPF_ANY), NULL, "map_update");
}

void taking_get(struct taking *k, struct stacks_io *io)
{
	regress_ok(k->t, map_lookup(k->t->sys, regress_map(k->t, &k->o, "stacks"), &zero, io),
		   NULL, "map_lookup");
	regress_expect(k->t, io->runs > 0, "it has not run");
}

void taking_end(struct taking *k)
{
	happen_close(&k->h);
	regress_unload(k->t, &k->o);
}

void touch(struct regress *t)
{
	volatile uint64_t *page = happen_page(t);

	known_outer(known_touch, (void *)page);
	happen_page_free(page);
}

void deep(struct regress *t, unsigned int depth)
{
	volatile uint64_t *page = happen_page(t);

	known_deep(depth, page);
	happen_page_free(page);
}

void taking_of(struct regress *t, const char *prog, void (*change)(struct perf_event_attr *attr),
	       struct stacks_io *io)
{
	struct taking k;

	taking_begin(t, &k, prog, change);
	taking_put(&k, io);
	touch(t);
	taking_get(&k, io);
	taking_end(&k);
}

void expect_path(struct regress *t, const __u64 *frames, int64_t bytes)
{
	const struct known_range ranges[] = { KNOWN_RANGE(inner), KNOWN_RANGE(middle),
					      KNOWN_RANGE(outer) };
	const int64_t nr = bytes / 8;
	bool found = false;

	for (int64_t i = 0; !found && i + 3 <= nr; i++)
		found = known_within(ranges[0], frames[i]) &&
			known_within(ranges[1], frames[i + 1]) &&
			known_within(ranges[2], frames[i + 2]);
	regress_saw(t, "path", found ? "found" : "not found");
	for (int64_t i = 0; i < nr; i++)
		regress_note(t, "%#llx", (unsigned long long)frames[i]);
	regress_expect(t, found || !known_unwinds(),
		       "the path of calls is not among %lld bytes of frames", (long long)bytes);
}

void needs_frames(struct regress *t, int64_t ret)
{
	if ((ret && ret != -EFAULT) || known_unwinds())
		return;
	regress_saw(t, "frames of user space", "none");
	regress_skip(t, "the kernel of this architecture walks no stacks of user space");
}
