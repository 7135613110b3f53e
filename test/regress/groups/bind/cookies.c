// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_get_attach_cookie(): the cookie of the link, and 0 if there is none. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/probed.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

#define COOKIE UINT64_C(0xfedcba9876543210)

/* A kind of event, and the function that triggers it once. */
struct kind {
	const char *event;	/* "%p": the variable that is written; NULL: a uprobe ... */
	bool ret;		/* ... where the function returns */
	const char *prog;
	const char *other;	/* another event of the kind; NULL: the same */
};

static volatile uint64_t watched[2];

static const struct kind
	clocks = { "cpu-clock,period=500000", false, "pe_cookie", NULL },
	faults = { "page-faults,period=1", false, "pe_cookie", NULL },
	breakpoint = { "mem:%p/8:w", false, "pe_cookie", NULL },
	tracepoint = { "syscalls:sys_enter_getppid", false, "tp_cookie",
		       "syscalls:sys_exit_getppid" },
	kprobe = { "kprobe:" PROBED_GETPPID, false, "kp_cookie", "kretprobe:" PROBED_GETPPID },
	uprobe = { NULL, false, "kp_cookie", NULL }, uretprobe = { NULL, true, "kp_cookie", NULL };

struct row {
	const struct kind *kind;
	enum happen_how how;
};

static void open_kind(struct regress *t, struct happen *h, const struct kind *kind,
		      enum happen_how how, bool other)
{
	const char *event = other && kind->other ? kind->other : kind->event;
	const char *address = event ? strstr(event, "%p") : NULL;
	char text[64];

	if (!event) {
		happen_open_uprobe(t, h, how, other ? (void *)known_outer : (void *)known_six,
				   kind->ret);
		return;
	}
	if (address)
		snprintf(text, sizeof(text), "%.*s%p%s", (int)(address - event), event,
			 (void *)&watched[other], address + 2);
	else
		snprintf(text, sizeof(text), "%s", event);
	happen_open(t, h, how, NULL, text);
}

static void nothing(void *arg)
{
	(void)arg;
}

/* All of them. */
static void make_it_happen(struct regress *t)
{
	volatile uint64_t *page = happen_page(t);

	known_store(page);
	happen_page_free(page);
	watched[0]++;
	watched[1]++;
	getppid();
	known_six(1, 2, 3, 4, 5, 6);
	known_outer(nothing, NULL);
}

struct waiting {
	struct regress *t;
	const struct regress_object *o;
	uint64_t until;		/* cookies that must be seen */
	struct context_io io;
};

static bool seen(void *arg)
{
	struct waiting *w = arg;

	make_it_happen(w->t);
	known_spin(100000);
	w->io = io_get(w->t, w->o);
	return w->io.runs >= 2 && (w->io.cookies & w->until) == w->until;
}

/* false: it was refused, as it must be before Linux 5.15 (7adfc6c9b315). */
static bool load(struct regress *t, struct regress_object *o, const char *prog)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "EINVAL" }, { LINUX(5, 15), "0" },
	};
	struct context_io io = { 0 };
	struct error err = { 0 };
	const int ret = regress_try_load(t, o, "context", prog, &err);

	if (ret && ret != -EINVAL)
		regress_ok(t, ret, &err, prog);
	error_clear(&err);
	regress_answer(t, "load", regress_errno(ret), rows, NR(rows));
	if (ret)
		return false;
	io_ours(t, &io);
	io_put(t, o, &io);
	return true;
}

static void one_cookie(struct regress *t)
{
	const struct row *row = t->data;
	const bool is_link = row->how == BY_LINK || row->how == BY_PMU_LINK;
	const uint64_t cookie = is_link ? COOKIE : 0;
	struct regress_object o;
	struct waiting w = { .t = t, .o = &o };
	struct happen h;

	if (load(t, &o, row->kind->prog)) {
		open_kind(t, &h, row->kind, row->how, false);
		happen_bind(&h, &o, row->kind->prog, cookie);
		regress_expect(t, regress_until(seen, &w), "%llu runs",
			       (unsigned long long)w.io.runs);
		regress_expect(t, w.io.cookies == cookie && w.io.cookie == cookie, "%#llx",
			       (unsigned long long)w.io.cookies);
		happen_close(&h);
	}
	regress_unload(t, &o);
}

/* Each event gives its own to the one program that both run. */
static void two_cookies(struct regress *t)
{
	const struct row *row = t->data;
	struct regress_object o;
	struct waiting w = { .t = t, .o = &o, .until = 3 };
	struct happen h[2];

	if (load(t, &o, row->kind->prog)) {
		for (int i = 0; i < 2; i++) {
			open_kind(t, &h[i], row->kind, row->how, i);
			happen_bind(&h[i], &o, row->kind->prog, 1 << i);
		}
		regress_expect(t, regress_until(seen, &w), "%llu runs with cookies %#llx",
			       (unsigned long long)w.io.runs, (unsigned long long)w.io.cookies);
		regress_expect(t, w.io.cookies == 3 && w.io.cookie <= 2, "%#llx",
			       (unsigned long long)w.io.cookies);
		happen_close(&h[1]);
		happen_close(&h[0]);
	}
	regress_unload(t, &o);
}

static uint64_t cookie_of(struct regress *t, const struct regress_object *o)
{
	struct context_io io = io_get(t, o);

	regress_expect(t, io.runs, "no run");
	return io.cookie;
}

/* The kernel copies the list of a tracepoint's programs whenever one joins it or leaves it. */
static void keeps_its_cookie(struct regress *t)
{
	struct regress_object o[2];
	struct context_io io;
	struct happen h[2];
	uint64_t cookie;

	for (int i = 0; i < 2; i++) {
		if (!load(t, &o[i], "tp_cookie")) {
			regress_unload(t, &o[i]);
			return;
		}
		open_kind(t, &h[i], &tracepoint, BY_LINK, false);
		happen_bind(&h[i], &o[i], "tp_cookie", 1 + i);
	}
	getppid();
	for (int i = 0; i < 2; i++) {
		cookie = cookie_of(t, &o[i]);
		regress_expect(t, cookie == 1U + i, "program %d of two has cookie %llu", i + 1,
			       (unsigned long long)cookie);
	}
	happen_close(&h[0]);
	io = io_get(t, &o[1]);
	io.runs = io.cookie = 0;
	io_put(t, &o[1], &io);
	getppid();
	cookie = cookie_of(t, &o[1]);
	regress_expect(t, cookie == 2, "alone it has cookie %llu", (unsigned long long)cookie);
	happen_close(&h[1]);
	regress_unload(t, &o[0]);
	regress_unload(t, &o[1]);
}

#define ROWS(name) \
	static const struct row name##_ioctl = { &name, BY_IOCTL }, \
				name##_pmu = { &name, BY_PMU }, name##_link = { &name, BY_LINK }, \
				name##_pmu_link = { &name, BY_PMU_LINK }
ROWS(clocks);
ROWS(faults);
ROWS(breakpoint);
ROWS(tracepoint);
ROWS(kprobe);
ROWS(uprobe);
ROWS(uretprobe);

#define TESTS(name, text) \
	{ text " by ioctl: 0", one_cookie, &name##_ioctl, 0 }, \
	{ text " by pmu: 0", one_cookie, &name##_pmu, 0 }, \
	{ text " by link: what it was given", one_cookie, &name##_link, 0 }, \
	{ text " by pmu and link: what it was given", one_cookie, &name##_pmu_link, 0 }, \
	{ text ", two links of one program: each its own", two_cookies, &name##_link, 0 }

static const struct regress_test tests[] = {
	TESTS(clocks, "cpu-clock"),
	TESTS(faults, "page-faults"),
	TESTS(breakpoint, "breakpoint"),
	TESTS(tracepoint, "tracepoint"),
	TESTS(kprobe, "kprobe"),
	TESTS(uprobe, "uprobe"),
	TESTS(uretprobe, "uretprobe"),
	{ "tracepoint: each keeps its own while others join and leave", keeps_its_cookie, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_cookies = {
	"cookies", "bpf_get_attach_cookie()", tests, NULL, __FILE__
};
