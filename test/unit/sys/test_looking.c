// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looking again and again for a bounded time, also where the machine stands still meanwhile. */
#include "loader/base/calls/looking.h"
#include "loader/core/sys/sys.h"
#include "test/unit/common/suite.h"

#define SECOND UINT64_C(1000000000)
#define HOUR (3600 * SECOND)

TEST(time_is_bounded)
{
	struct sys_looking looking = sys_looking(SECOND / 10);

	while (sys_look_again(&looking))
		;
	ck_assert_uint_eq(looking.left_ns, 0);
	ck_assert(!sys_look_again(&looking));
}

TEST(no_time_has_passed)
{
	struct sys_looking looking = sys_looking(HOUR);

	ck_assert(sys_look_again(&looking));
	ck_assert_uint_le(looking.left_ns, HOUR);
	ck_assert_uint_ge(looking.left_ns, HOUR - SECOND / 4);
}

/* As often as a look takes an hour: no more than a quarter of a second counts. */
TEST(standing_still_counts_little)
{
	struct sys_looking looking = sys_looking(10 * SECOND);
	unsigned int looks = 0;

	do {
		looking.seen_ns -= HOUR;
		looks++;
	} while (sys_look_again(&looking));
	ck_assert_uint_eq(looks, 40);
}
