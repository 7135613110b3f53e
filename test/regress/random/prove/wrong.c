// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Kernels that are wrong quietly: each changes what one system call does, or what it answers. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "test/regress/random/actors.h"

struct call {
	long nr, a, b, c, d, e;
	unsigned int times;	/* so often this process has made that call; from 1 */
};

static long make(const struct call *call)
{
	return syscall(call->nr, call->a, call->b, call->c, call->d, call->e, 0);
}

static bool is_bpf(const struct call *call, int command)
{
	return call->nr == __NR_bpf && call->a == command;
}

/* Only of an event: on other descriptors it fails as it should. */
static bool is_ioctl(const struct call *call, unsigned long request)
{
	uint64_t id;

	return call->nr == __NR_ioctl && (unsigned long)call->b == request &&
	       !syscall(__NR_ioctl, call->a, PERF_EVENT_IOC_ID, &id);
}

/* --- calls that do nothing --- */

#define NOTHING_DONE(name, condition) \
	static long name(struct call *c) { return (condition) ? 0 : make(c); }

NOTHING_DONE(enable_ignored, is_ioctl(c, PERF_EVENT_IOC_ENABLE))
NOTHING_DONE(second_enable_ignored, is_ioctl(c, PERF_EVENT_IOC_ENABLE) && c->times % 2 == 0)
NOTHING_DONE(disable_ignored, is_ioctl(c, PERF_EVENT_IOC_DISABLE))
NOTHING_DONE(reset_ignored, is_ioctl(c, PERF_EVENT_IOC_RESET))
NOTHING_DONE(refresh_ignored, is_ioctl(c, PERF_EVENT_IOC_REFRESH))
NOTHING_DONE(period_ignored, is_ioctl(c, PERF_EVENT_IOC_PERIOD))
NOTHING_DONE(modify_ignored, is_ioctl(c, PERF_EVENT_IOC_MODIFY_ATTRIBUTES))
NOTHING_DONE(set_bpf_ignored, is_ioctl(c, PERF_EVENT_IOC_SET_BPF))
NOTHING_DONE(update_succeeds, is_bpf(c, BPF_LINK_UPDATE))
NOTHING_DONE(detach_succeeds, is_bpf(c, BPF_LINK_DETACH))
NOTHING_DONE(pin_ignored, is_bpf(c, BPF_OBJ_PIN))
NOTHING_DONE(unpin_ignored, c->nr == __NR_unlinkat)
NOTHING_DONE(close_ignored, c->nr == __NR_close && c->times % 3 == 0)
NOTHING_DONE(task_disable_ignored, c->nr == __NR_prctl && c->a == PR_TASK_PERF_EVENTS_DISABLE)
NOTHING_DONE(output_succeeds, is_ioctl(c, PERF_EVENT_IOC_SET_OUTPUT))

/* --- processes that do not come back --- */

static long dies(struct call *c)
{
	if (is_ioctl(c, PERF_EVENT_IOC_SET_OUTPUT))
		raise(SIGKILL);
	return make(c);
}

static long hangs(struct call *c)
{
	if (is_ioctl(c, PERF_EVENT_IOC_SET_OUTPUT))
		pause();
	return make(c);
}

/* --- arguments that get lost --- */

static long group_flag_lost(struct call *c)
{
	if (is_ioctl(c, PERF_EVENT_IOC_DISABLE) || is_ioctl(c, PERF_EVENT_IOC_ENABLE))
		c->c = 0;
	return make(c);
}

static long limit_lost(struct call *c)
{
	if (is_ioctl(c, PERF_EVENT_IOC_REFRESH))
		c->c = 1000;
	return make(c);
}

static struct perf_event_attr *opened(struct call *c)
{
	return c->nr == __NR_perf_event_open ? (struct perf_event_attr *)c->a : NULL;
}

static long inherit_lost(struct call *c)
{
	if (opened(c))
		opened(c)->inherit = 0;
	return make(c);
}

static long disabled_lost(struct call *c)
{
	if (opened(c))
		opened(c)->disabled = 0;
	return make(c);
}

static long period_doubled(struct call *c)
{
	if (opened(c))
		opened(c)->sample_period *= 2;
	return make(c);
}

static long group_lost(struct call *c)
{
	if (opened(c))
		c->d = -1;
	return make(c);
}

static long cookie_lost(struct call *c)
{
	if (is_bpf(c, BPF_LINK_CREATE))
		((union bpf_attr *)c->b)->link_create.perf_event.bpf_cookie = 0;
	return make(c);
}

static long third_cookie_wrong(struct call *c)
{
	if (is_bpf(c, BPF_LINK_CREATE) && c->times % 3 == 0)
		((union bpf_attr *)c->b)->link_create.perf_event.bpf_cookie++;
	return make(c);
}

static long other_descriptor(struct call *c)
{
	if (c->nr == __NR_pidfd_getfd && c->times % 2)
		c->b ^= 1;
	return make(c);
}

/* --- answers --- */

static long link_held_twice(struct call *c)
{
	const long fd = make(c);

	return is_bpf(c, BPF_LINK_CREATE) && fd >= 0 && dup(fd) < 0 ? -1 : fd;
}

static long second_program_taken(struct call *c)
{
	const long ret = make(c);

	return ret && errno == EEXIST && is_ioctl(c, PERF_EVENT_IOC_SET_BPF) ? 0 : ret;
}

static long count_off_by_one(struct call *c)
{
	const long ret = make(c);

	if (c->nr == __NR_read && ret == 8 && c->times % 3 == 0)
		++*(uint64_t *)c->b;
	return ret;
}

static long query_of_nobody(struct call *c)
{
	const long ret = make(c);

	if (is_bpf(c, BPF_TASK_FD_QUERY) && !ret)
		((union bpf_attr *)c->b)->task_fd_query.prog_id++;
	return ret;
}

static long query_lacks_one(struct call *c)
{
	const long ret = make(c);

	if (is_ioctl(c, PERF_EVENT_IOC_QUERY_BPF) && !ret && ((uint32_t *)c->c)[1])
		((uint32_t *)c->c)[1]--;
	return ret;
}

static long info_of_link_wrong(struct call *c)
{
	const union bpf_attr *attr = (union bpf_attr *)c->b;
	const long ret = make(c);

	if (is_bpf(c, BPF_OBJ_GET_INFO_BY_FD) && !ret)
		((uint32_t *)(unsigned long)attr->info.info)[2]++;	/* prog_id of a link */
	return ret;
}

#define ROW(function) { #function, function }
static const struct wrong {
	const char *name;
	long (*make)(struct call *call);
} kernels[] = {
	ROW(enable_ignored), ROW(second_enable_ignored), ROW(disable_ignored), ROW(reset_ignored),
	ROW(refresh_ignored), ROW(period_ignored), ROW(modify_ignored), ROW(set_bpf_ignored),
	ROW(update_succeeds), ROW(detach_succeeds), ROW(pin_ignored), ROW(unpin_ignored),
	ROW(close_ignored), ROW(task_disable_ignored), ROW(output_succeeds), ROW(dies), ROW(hangs), ROW(group_flag_lost),
	ROW(limit_lost), ROW(inherit_lost), ROW(disabled_lost), ROW(period_doubled), ROW(group_lost),
	ROW(cookie_lost), ROW(third_cookie_wrong), ROW(other_descriptor), ROW(link_held_twice),
	ROW(second_program_taken), ROW(count_off_by_one), ROW(query_of_nobody), ROW(query_lacks_one),
	ROW(info_of_link_wrong),
};

static const struct wrong *chosen;

static long enter(long nr, long a, long b, long c, long d, long e)
{
	static unsigned int times[1024];
	struct call call = { nr, a, b, c, d, e, ++times[nr & 1023] };

	return chosen->make(&call);
}

/* PLOAD_TEST_WRONG names the kernel, for the processes that EXEC begins as well; "list" prints the names. */
__attribute__((constructor)) static void choose(void)
{
	const char *name = getenv("PLOAD_TEST_WRONG");

	if (!name)
		return;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!strcmp(name, kernels[i].name))
			chosen = &kernels[i];
		else if (!strcmp(name, "list"))
			puts(kernels[i].name);
	if (!chosen) {
		fflush(stdout);
		_exit(strcmp(name, "list") ? 2 : 0);
	}
	actors_enter = enter;
}
