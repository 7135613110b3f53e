// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers about the event itself: its count, its cookie, and where it happened. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/helpers/helper_run.h"

static const struct helper value_of = { "perf_prog_read_value", "helpers" };

static void counts(struct regress *t)
{
	struct helper_run h;

	helper_begin(t, &h, &value_of);
	for (unsigned int i = 0; i < 3; i++)
		helper_fire(t, &h);
	/*
	 * If the kernel does not trust a processor's clock, time does not advance until the next
	 * tick, which may be late.
	 */
	for (unsigned int i = 0; !h.io.out[1] && i < 50; i++) {
		usleep(1000);
		helper_fire(t, &h);
	}
	helper_returned(t, &h, 0, 0);
	/* Faults elsewhere count as well. */
	regress_expect(t, h.io.out[0] >= 3, "it has counted %llu",
		       (unsigned long long)h.io.out[0]);
	regress_expect(t, h.io.out[1] > 0 && h.io.out[1] == h.io.out[2],
		       "enabled for %llu ns, running for %llu", (unsigned long long)h.io.out[1],
		       (unsigned long long)h.io.out[2]);
	helper_end(t, &h);
}

static void counts_exactly(struct regress *t)
{
	struct helper_run h;
	uint64_t before;

	helper_begin(t, &h, &value_of);
	helper_fire(t, &h);
	before = h.io.out[0];
	for (unsigned int i = 0; i < 10; i++) {
		helper_fire(t, &h);
		regress_expect(t, h.io.out[0] > before, "%llu after %llu",
			       (unsigned long long)h.io.out[0], (unsigned long long)before);
		before = h.io.out[0];
	}
	helper_end(t, &h);
}

static void wrong_size(struct regress *t)
{
	struct helper_run h;

	helper_begin(t, &h, &value_of);
	helper_fire(t, &h);
	helper_returned(t, &h, 1, -EINVAL);
	regress_expect(t, !h.io.out[3] && !h.io.out[4], "the 16 bytes are not 0");
	helper_end(t, &h);
}

/* On s390x not every kernel can unwind user space. @ret: the result of one that cannot. */
static void need_user_stacks(struct regress *t, const struct helper_run *h, int64_t ret)
{
#ifdef __s390x__
	if (h->io.ret[0] == ret)
		regress_skip(t, "this kernel follows no stacks of user space");
#else
	(void)t;
	(void)h;
	(void)ret;
#endif
}

static void stackid(struct regress *t, struct helper_run *h)
{
	uint64_t stack[127] = { 0 };
	uint32_t key;

	helper_fire(t, h);
	need_user_stacks(t, h, -EFAULT);
	regress_expect(t, h->io.ret[0] >= 0, "there is no stack: %s", regress_errno(h->io.ret[0]));
	key = h->io.ret[0];
	regress_ok(t, map_lookup(t->sys, regress_map(t, &h->o, "traces"), &key, stack), NULL,
		   "the stack");
	regress_expect(t, stack[0] == h->io.out[0],
		       "it begins at 0x%llx, the registers are at 0x%llx",
		       (unsigned long long)stack[0], (unsigned long long)h->io.out[0]);
}

static void stackid_again(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	helper_returned(t, h, 1, h->io.ret[0]);
	helper_returned(t, h, 2, -EINVAL);
}

static void stack(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	need_user_stacks(t, h, 0);
	regress_expect(t, h->io.ret[0] > 0 && h->io.ret[0] % 8 == 0, "%lld bytes",
		       (long long)h->io.ret[0]);
	regress_expect(t, h->io.out[1] == h->io.out[0],
		       "it begins at 0x%llx, the registers are at 0x%llx",
		       (unsigned long long)h->io.out[1], (unsigned long long)h->io.out[0]);
}

static void stack_flags(struct regress *t, struct helper_run *h)
{
	memset(h->io.text, 'x', 8);
	helper_fire(t, h);
	helper_returned(t, h, 1, -EINVAL);
	regress_expect(t, !memcmp(h->io.text, (char[8]){ 0 }, 8), "its room is not 0");
}

static void cookie(struct regress *t)
{
	static const struct helper helper = { "get_attach_cookie", "helpers" };
	const bool by_link = t->data != NULL;
	struct helper_run h = { 0 };
	const char *answer = helper_load(t, &h.o, &helper);

	if (helper_is_lacking(answer))
		regress_skip(t, "bpf_get_attach_cookie(): %s", answer);
	helper_bind(t, &h, regress_prog(t, &h.o, "do_get_attach_cookie"),
		    by_link ? "link" : "ioctl", by_link ? 0x123456789abcdef0 : 0);
	helper_fire(t, &h);
	regress_expect(t, h.io.out[0] == (by_link ? 0x123456789abcdef0 : 0), "it is 0x%llx",
		       (unsigned long long)h.io.out[0]);
	helper_end(t, &h);
}

/* Software events never have branch records, whatever the PMU. */
static void no_branches(struct regress *t, struct helper_run *h)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOENT" } };
	static const struct regress_since flags[] = { { LINUX(0, 0), "EINVAL" } };

	helper_fire(t, h);
	regress_answer(t, "records", regress_errno(h->io.ret[0]), rows, NR(rows));
	regress_answer(t, "size", regress_errno(h->io.ret[1]), rows, NR(rows));
	regress_answer(t, "flags", regress_errno(h->io.ret[2]), flags, NR(flags));
}

static void no_snapshot(struct regress *t, struct helper_run *h)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOENT|EOPNOTSUPP" } };
	static const struct regress_since flags[] = { { LINUX(0, 0), "EINVAL|ENOENT" } };

	helper_fire(t, h);
	if (h->io.ret[0] > 0)
		regress_skip(t, "this CPU records branches");
	regress_answer(t, "records", regress_errno(h->io.ret[0]), rows, NR(rows));
	regress_answer(t, "flags", regress_errno(h->io.ret[1]), flags, NR(flags));
}

static const struct regress_test tests[] = {
	{ "bpf_perf_prog_read_value has the event's count and its times", counts },
	{ "bpf_perf_prog_read_value counts up from run to run", counts_exactly },
	{ "bpf_perf_prog_read_value into another size is EINVAL, and zeroed", wrong_size },
	{ "bpf_get_stackid of user space begins where the registers are",
	  HELPER_TEST("get_stackid", "helpers", stackid) },
	{ "bpf_get_stackid of the same stack is the same number; unknown flags are EINVAL",
	  HELPER_TEST("get_stackid", "helpers", stackid_again) },
	{ "bpf_get_stack of user space begins where the registers are",
	  HELPER_TEST("get_stack", "helpers", stack) },
	{ "bpf_get_stack with unknown flags is EINVAL, and zeroed",
	  HELPER_TEST("get_stack", "helpers", stack_flags) },
	{ "bpf_get_attach_cookie is 0 by ioctl", cookie },
	{ "bpf_get_attach_cookie by link is what the link was given", cookie, "link" },
	{ "bpf_read_branch_records of an event without any",
	  HELPER_TEST("read_branch_records", "helpers", no_branches) },
	{ "bpf_get_branch_snapshot without a PMU that has them",
	  HELPER_TEST("get_branch_snapshot", "helpers", no_snapshot) },
	{ 0 }
};

const struct regress_group regress_group_helpers_event = {
	"helpers_event", "what helpers say of the event", tests, NULL, __FILE__
};
