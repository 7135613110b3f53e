// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Room for descriptors: RLIMIT_NOFILE, raised where it is in the way and may be raised. */
#include <sys/resource.h>

#include "loader/sys/fd_limit.h"

/* To the hard limit, above it, and once more when somebody else counts, too. */
#define RAISES_MAX 4

bool fd_room_make(struct sys *sys, struct fd_room *room, uint64_t more)
{
	uint64_t old[2], new[2];

	if (room->nr_raised == RAISES_MAX || sys_prlimit(sys, RLIMIT_NOFILE, NULL, old) < 0)
		return false;
	room->hard = old[1];
	room->to = old[0];
	if (!room->nr_raised)
		room->from = old[0];
	new[0] = new[1] = old[1];
	if (old[0] >= old[1])
		new[0] = new[1] = old[1] + more;
	if (new[0] <= old[0] || sys_prlimit(sys, RLIMIT_NOFILE, new, NULL) < 0)
		return false;
	room->to = new[0];
	room->hard = new[1];
	room->nr_raised++;
	return true;
}
