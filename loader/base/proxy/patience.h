/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How long other users can make pload wait: per question, per user, and in total. */
#ifndef PLOAD_BASE_PROXY_PATIENCE_H
#define PLOAD_BASE_PROXY_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#define PATIENCE_USER_NS 4000000000ull	/* per user; it recovers ... */
#define PATIENCE_USER_SHARE 50u		/* ... by a fiftieth of elapsed time */
#define PATIENCE_END_NS	1000000000ull	/* after the end of the session, all users together */
#define PATIENCE_END_USER_NS 700000000ull	/* ... and a single user */

/* The time that one user has left. */
struct purse {
	uint32_t user;
	bool is_used;
	uint64_t left_ns, seen_ns;
	uint64_t end_ns;	/* time waited after the end of the session */
};

struct patience {
	struct purse purses[64];
	bool has_ended;		/* the session */
	uint64_t end_ns;	/* CLOCK_MONOTONIC: end of the session; 0: unknown */
	int signal_fd;		/* borrowed; readable when a signal ends it; -1: none */
	uint64_t waited_ns;	/* after the end */
};

/** patience_end() - Record that the session has ended. */
void patience_end(struct patience *p);

/**
 * patience_purse() - Return the purse of @user. If all purses are taken, reuse the one with the
 * most time left.
 */
struct purse *patience_purse(struct patience *p, uint32_t user, uint64_t now);

/** patience_trusts() - Return true for root and the user running pload. */
bool patience_trusts(uint32_t uid);

/** patience_spent() - Return true if the user has no time left; trusted users always do. */
bool patience_spent(const struct purse *purse);

/**
 * patience_limit() - Set *@until_ns to the time limit of a question for @purse.
 * @one_ns: the time of the question itself
 *
 * Return: 0, or -ECANCELED if this user, or all together, have no time left.
 */
int patience_limit(struct patience *p, const struct purse *purse, uint64_t one_ns, uint64_t now,
		   uint64_t *until_ns);

/** patience_count() - Charge the user for @time_ns, ending at @now. */
void patience_count(struct patience *p, struct purse *purse, uint64_t time_ns, uint64_t now);

/** time_left() - Return what is left of @max, or 0. */
static inline uint64_t time_left(uint64_t max, uint64_t used)
{
	return used < max ? max - used : 0;
}

static inline uint64_t time_less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
