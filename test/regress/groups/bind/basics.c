// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The facts on which most of the other tests rest. A kernel that breaks one of them is told so here,
 * once: see test/regress/harness/facts.h.
 */
#include "test/regress/common/happen.h"

#define COOKIE UINT64_C(0x0123456789abcdef)
#define PAGES 3

static void creates(struct regress *t)
{
	struct regress_object o;

	regress_states(t, REGRESS_FACT_LOAD);
	regress_load(t, &o, "context", "pe_see");
	regress_unload(t, &o);
}

static void opens(struct regress *t)
{
	uint64_t count;
	struct happen h;

	regress_states(t, REGRESS_FACT_OPEN);
	happen_open(t, &h, BY_IOCTL, NULL, "page-faults,period=1");
	happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	happen_touch(t, PAGES);
	count = happen_count(&h);
	regress_expect(t, count >= PAGES, "a count of %llu for %d pages", (unsigned long long)count, PAGES);
	happen_close(&h);
}

/* Each of some page faults runs the program, and no more than were counted. */
static struct context_io bind(struct regress *t, enum happen_how how, uint64_t cookie)
{
	const char *prog = cookie ? "pe_cookie" : "pe_see";
	const struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct context_io saw;
	struct error err = { 0 };
	struct happen h;
	const int ret = regress_try_load(t, &o, "context", prog, &err);

	if (ret && cookie && t->kernel < LINUX(5, 15))	/* 7adfc6c9b315 */
		regress_skip(t, "this kernel has no bpf_get_attach_cookie()");
	regress_ok(t, ret, &err, "load");
	io_put(t, &o, &io);
	happen_open(t, &h, how, NULL, "page-faults,period=1");
	happen_bind(&h, &o, prog, cookie);
	happen_touch(t, PAGES);
	saw = io_get(t, &o);
	happen_ran(&h, &saw, PAGES);
	happen_close(&h);
	regress_unload(t, &o);
	return saw;
}

static void by_ioctl(struct regress *t)
{
	regress_states(t, REGRESS_FACT_IOCTL);
	bind(t, BY_IOCTL, 0);
}

static void by_link(struct regress *t)
{
	regress_states(t, REGRESS_FACT_LINK);
	bind(t, BY_LINK, 0);
}

static void cookie(struct regress *t)
{
	uint64_t saw;

	regress_states(t, REGRESS_FACT_COOKIE);
	saw = bind(t, BY_LINK, COOKIE).cookie;
	regress_expect(t, saw == COOKIE, "the cookie is %#llx, and was %#llx", (unsigned long long)saw,
		       (unsigned long long)COOKIE);
}

static const struct regress_test tests[] = {
	{ "bpf(2) creates maps and programs", creates, NULL, 0 },
	{ "perf_event_open(2) opens an event, which counts", opens, NULL, 0 },
	{ "PERF_EVENT_IOC_SET_BPF binds programs that run", by_ioctl, NULL, 0 },
	{ "BPF_LINK_CREATE on a perf event binds programs that run", by_link, NULL, 0 },
	{ "bpf_get_attach_cookie() returns the cookie of a link", cookie, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_basics = {
	"basics", "the facts on which most tests rest", tests, NULL, __FILE__,
};
