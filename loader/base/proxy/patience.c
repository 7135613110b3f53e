// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Track how long a session has waited because of other users. */
#include <errno.h>
#include <unistd.h>

#include "loader/base/proxy/patience.h"
#include "loader/core/sys/sys.h"

#define PURSES (sizeof(((struct patience *)0)->purses) / sizeof(struct purse))

void patience_end(struct patience *p)
{
	if (p->has_ended)
		return;
	p->end_ns = sys_monotonic_ns();
	p->has_ended = true;
}

bool patience_trusts(uint32_t uid)
{
	return !uid || uid == geteuid();
}

struct purse *patience_purse(struct patience *p, uint32_t user, uint64_t now)
{
	struct purse *best = p->purses, *at;

	for (at = p->purses; at < p->purses + PURSES; at++) {
		if (at->is_used && at->user == user)
			break;
		if (best->is_used && (!at->is_used || at->left_ns > best->left_ns))
			best = at;
	}
	if (at == p->purses + PURSES) {
		at = best;
		*at = (struct purse){
			.user = user, .is_used = true, .left_ns = PATIENCE_USER_NS, .seen_ns = now,
		};
	}
	at->left_ns += (now - at->seen_ns) / PATIENCE_USER_SHARE;
	at->left_ns = time_less(at->left_ns, PATIENCE_USER_NS);
	at->seen_ns = now;
	return at;
}

bool patience_spent(const struct purse *purse)
{
	return !patience_trusts(purse->user) && !purse->left_ns;
}

int patience_limit(struct patience *p, const struct purse *purse, uint64_t one_ns, uint64_t now,
		   uint64_t *until_ns)
{
	const uint64_t all = time_left(PATIENCE_END_NS, p->waited_ns);
	const uint64_t share = patience_trusts(purse->user) ? all :
			       time_left(PATIENCE_END_USER_NS, purse->end_ns);
	const uint64_t last = time_less(all, share);
	uint64_t time = patience_trusts(purse->user) ? one_ns : time_less(one_ns, purse->left_ns);

	if (p->end_ns && now >= p->end_ns)
		patience_end(p);
	if (patience_spent(purse) || (p->has_ended && !last))
		return -ECANCELED;
	if (p->has_ended)
		time = time_less(time, last);
	else if (p->end_ns)
		time = time_less(time, p->end_ns - now + last);
	*until_ns = now + time;
	return 0;
}

void patience_count(struct patience *p, struct purse *purse, uint64_t time_ns, uint64_t now)
{
	purse->left_ns = time_left(purse->left_ns, time_ns);
	if (p->end_ns && now >= p->end_ns) {
		const uint64_t after = time_less(time_ns, now - p->end_ns);

		p->waited_ns += after;
		purse->end_ns += after;
	}
}
