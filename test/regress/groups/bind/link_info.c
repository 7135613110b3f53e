// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * BPF_OBJ_GET_INFO_BY_FD of a link: the size of its names when there is no buffer for them, and the
 * number of a kretprobe's misses.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "test/regress/common/probed.h"

#define NAMED_SINCE LINUX(6, 6)	/* 1b715e1b0ec5: the event of a link is described */

static void ask(struct regress *t, const struct happen *h, struct bpf_link_info *info)
{
	uint32_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	regress_ok(t, kernel_fd_info(t->sys, h->e.a.link_fd, info, &len), NULL,
		   "BPF_OBJ_GET_INFO_BY_FD");
}

/*
 * @len was returned without a buffer. With a buffer of @room bytes, the name has @has characters.
 */
static void answer(struct regress *t, uint32_t type, uint32_t len, size_t has)
{
	/* 4deecdd29cf2: before that the kernel did not set the length, which is 0. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "not described|0|the length" }, { NAMED_SINCE, "0|the length" },
		{ LINUX(6, 12), "the length" },
	};

	regress_note(t, "%u, for a name of %zu characters", len, has);
	regress_answer(t, "", !type ? "not described" : !len ? "0" :
		       len == has + 1 ? "the length" : "another length", rows, NR(rows));
}

static void tracepoint(struct regress *t)
{
	struct bpf_link_info info;
	struct regress_object o;
	struct happen h;

	regress_load(t, &o, "context", "tp_exit");
	happen_attach(t, &h, BY_LINK, "syscalls:sys_exit_sync", &o, "tp_exit");
	ask(t, &h, &info);
	answer(t, info.perf_event.type, info.perf_event.tracepoint.name_len,
	       strlen("sys_exit_sync"));
	happen_close(&h);
	regress_unload(t, &o);
}

static void kprobe(struct regress *t)
{
	struct bpf_link_info info;
	struct regress_object o;
	struct happen h;

	regress_load(t, &o, "context", "kp_see");
	happen_attach(t, &h, BY_PMU_LINK, "kprobe:" PROBED_GETPPID, &o, "kp_see");
	ask(t, &h, &info);
	answer(t, info.perf_event.type, info.perf_event.kprobe.name_len, strlen(PROBED_GETPPID));
	happen_close(&h);
	regress_unload(t, &o);
}

static void uprobe(struct regress *t)
{
	struct bpf_link_info info;
	struct regress_object o;
	struct happen h;

	regress_load(t, &o, "context", "kp_see");
	happen_open_uprobe(t, &h, BY_PMU_LINK, known_six, false);
	happen_bind(&h, &o, "kp_see", 0);
	ask(t, &h, &info);
	answer(t, info.perf_event.type, info.perf_event.uprobe.name_len, strlen(h.spec.uprobe.path));
	happen_close(&h);
	regress_unload(t, &o);
}

/* --- missed returns --- */

#define MISSED_SINCE LINUX(6, 7)	/* 3acf8ace6823 */
#define SLEEPERS 4000	/* more calls than a kretprobe follows at once: 10, or two for each CPU */

struct missing {
	struct regress *t;
	const struct happen *h;
};

static bool has_missed(void *arg)
{
	const struct missing *m = arg;
	struct bpf_link_info info;

	ask(m->t, m->h, &info);
	return info.perf_event.kprobe.missed != 0;
}

/* In the probed function until the test ends. */
static void *sleep_long(void *arg)
{
	const struct timespec hour = { .tv_sec = 3600 };

	nanosleep(&hour, NULL);
	return arg;
}

static void kretprobe_missed(struct regress *t)
{
	struct missing m = { .t = t };
	struct regress_object o;
	pthread_attr_t attr;
	struct happen h;
	pthread_t id;
	int nr = 0;

	if (t->kernel < MISSED_SINCE)
		regress_skip(t, "links count what was missed since Linux 6.7");
	regress_load(t, &o, "context", "kp_see");
	happen_attach(t, &h, BY_PMU_LINK, "kretprobe:hrtimer_nanosleep", &o, "kp_see");
	m.h = &h;
	regress_expect(t, !has_missed(&m), "there are missed returns before the first call");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	while (nr < SLEEPERS && (nr % 16 || !has_missed(&m)) &&
	       !pthread_create(&id, &attr, sleep_long, NULL))
		nr++;
	regress_expect(t, regress_until(has_missed, &m), "%d calls at once, and none is missed",
		       nr);
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "tracepoint: without a buffer the length of its name", tracepoint, NULL, 0 },
	{ "kprobe: without a buffer the length of its function's name", kprobe, NULL, 0 },
	{ "uprobe: without a buffer the length of its file's name", uprobe, NULL, 0 },
	{ "kretprobe: missed returns are counted", kretprobe_missed, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_link_info = {
	"link_info", "what a link reports of its event: lengths of names, missed returns", tests,
	NULL, __FILE__
};
