/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Room for descriptors: RLIMIT_NOFILE, raised where it is in the way and may be raised. */
#ifndef PLOAD_SYS_FD_LIMIT_H
#define PLOAD_SYS_FD_LIMIT_H

#include <stdbool.h>

#include "loader/sys/sys.h"

/* What the limit was and has become. Zeroed: it has not been raised. */
struct fd_room {
	uint64_t from, to;	/* soft limits: at first, and as last seen */
	uint64_t hard;		/* the hard limit, as last seen */
	unsigned int nr_raised;
};

/*
 * fd_room_make() - after EMFILE: raise the soft limit to the hard one; where that is in the way,
 * both by @more descriptors, which takes CAP_SYS_RESOURCE. Whether there is more room now. Children
 * have the limit that they began with.
 */
bool fd_room_make(struct sys *sys, struct fd_room *room, uint64_t more);

#endif
