// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the suite is made of. */
#include "test/regress/groups/groups.h"
#include "test/regress/harness/parts.h"

#define GROUP(name) &regress_group_##name,
const struct regress_group *const regress_groups[] = { REGRESS_GROUPS NULL };
#undef GROUP

const char *regress_kmsg(void)
{
	return "/dev/kmsg";
}
