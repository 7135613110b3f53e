// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The facts on which most of the other tests rest. If a kernel violates one of them, this group
 * reports it, once: see test/regress/harness/facts.h.
 */
#include <string.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/samples.h"

#define COOKIE UINT64_C(0x0123456789abcdef)
#define PAGES 3
#define EVENTS 3	/* one after another: a kernel may get the first one right */

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
	regress_expect(t, count >= PAGES, "a count of %llu for %d pages", (unsigned long long)count,
		       PAGES);
	happen_close(&h);
}

/* It counts nothing while it is disabled, and continues when it is enabled again. */
static void enable_one(struct regress *t)
{
	uint64_t before = 0, count;
	struct happen h;

	happen_open(t, &h, BY_IOCTL, NULL, "page-faults,period=1");
	for (int round = 1; round <= 3; round++) {
		happen_touch(t, PAGES);
		count = happen_count(&h);
		regress_expect(t, count == before, "disabled, it counts %llu in round %d",
			       (unsigned long long)(count - before), round);
		happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
		happen_touch(t, PAGES);
		happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
		count = happen_count(&h);
		regress_expect(t, count >= before + PAGES,
			       "enabled, it counts %llu of %d pages in round %d",
			       (unsigned long long)(count - before), PAGES, round);
		before = count;
	}
	happen_close(&h);
}

static void enables(struct regress *t)
{
	regress_states(t, REGRESS_FACT_ENABLE);
	for (int i = 0; i < EVENTS; i++)
		enable_one(t);
}

/* Some page faults each run the program, and no more often than were counted. */
static struct context_io bind(struct regress *t, enum happen_how how, uint64_t cookie)
{
	const char *prog = cookie ? "pe_cookie" : "pe_see";
	const struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct context_io saw;
	struct error err = { 0 };
	struct happen h;
	const int ret = regress_try_load(t, &o, "context", prog, &err);

	if (ret && cookie && t->kernel < LINUX(5, 15)) /* 7adfc6c9b315 */
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
	for (int i = 0; i < EVENTS; i++) {
		saw = bind(t, BY_LINK, COOKIE).cookie;
		regress_expect(t, saw == COOKIE, "the cookie is %#llx, and was %#llx",
			       (unsigned long long)saw, (unsigned long long)COOKIE);
	}
}

/*
 * Return the samples in the ring of an event opened as @text, while @pages are touched. No program
 * runs.
 */
static unsigned int samples_by(struct regress *t, const char *text, unsigned int pages,
			       uint64_t *count)
{
	struct samples ring;
	struct happen h;
	unsigned int nr;

	happen_open(t, &h, BY_IOCTL, NULL, text);
	samples_map(&ring, &h, 8);
	happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	happen_touch(t, pages);
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	*count = happen_count(&h);
	nr = samples_skip(&ring);
	samples_unmap(&ring);
	happen_close(&h);
	return nr;
}

/*
 * With a period of 4, every fourth page fault is a sample. With a frequency of 1,000 the kernel
 * begins with a period of 1, so that the first is one: taken for a period, 1,000 would be too many.
 */
static void samples(struct regress *t)
{
	unsigned int nr;
	uint64_t count;

	regress_states(t, REGRESS_FACT_PERIOD);
	for (int i = 0; i < EVENTS; i++) {
		nr = samples_by(t, "page-faults,period=4", 40, &count);
		regress_expect(t, nr == count / 4, "%u samples of %llu page faults with a period of 4", nr,
			       (unsigned long long)count);
	}
	nr = samples_by(t, "page-faults,freq=1000", PAGES, &count);
	regress_expect(t, nr, "no sample of %llu page faults with a frequency of 1,000",
		       (unsigned long long)count);
}

static void informs(struct regress *t)
{
	struct bpf_prog_info prog = { 0 };
	struct bpf_link_info link = { 0 };
	uint32_t prog_len = sizeof(prog), link_len = sizeof(link);
	struct regress_object o;
	struct happen h;

	regress_states(t, REGRESS_FACT_INFO);
	regress_load(t, &o, "context", "pe_see");
	regress_ok(t, kernel_fd_info(t->sys, regress_prog(t, &o, "pe_see"), &prog, &prog_len), NULL,
		   "BPF_OBJ_GET_INFO_BY_FD of a program");
	regress_expect(t,
		       prog.type == BPF_PROG_TYPE_PERF_EVENT && prog.id &&
			       !strcmp(prog.name, "pe_see"),
		       "program %u '%.16s' has type %u", prog.id, prog.name, prog.type);
	if (t->kernel >= LINUX(5, 15)) { /* b89fbfbb854c: links to events */
		happen_attach(t, &h, BY_LINK, "page-faults,period=1", &o, "pe_see");
		regress_ok(t, kernel_fd_info(t->sys, h.e.a.link_fd, &link, &link_len), NULL,
			   "BPF_OBJ_GET_INFO_BY_FD of a link");
		regress_expect(t,
			       link.type == BPF_LINK_TYPE_PERF_EVENT && link.id &&
				       link.prog_id == prog.id,
			       "link %u of type %u has program %u, and the program is %u", link.id,
			       link.type, link.prog_id, prog.id);
		happen_close(&h);
	}
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "bpf(2) creates maps and programs", creates, NULL, 0 },
	{ "perf_event_open(2) opens an event, which counts", opens, NULL, 0 },
	{ "an event counts while it is enabled, each time", enables, NULL, 0 },
	{ "sample_period and freq decide when an event samples", samples, NULL, 0 },
	{ "PERF_EVENT_IOC_SET_BPF binds programs that run", by_ioctl, NULL, 0 },
	{ "BPF_LINK_CREATE on a perf event binds programs that run", by_link, NULL, 0 },
	{ "BPF_OBJ_GET_INFO_BY_FD says what is bound", informs, NULL, 0 },
	{ "bpf_get_attach_cookie() returns the cookie of a link", cookie, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_basics = {
	"basics", "the facts on which most tests rest", tests, NULL, __FILE__,
};
