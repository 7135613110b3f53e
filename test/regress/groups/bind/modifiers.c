// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Modifiers of an event: each sets its bits of perf_event_attr, and no others; two are counted. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/stress.h"

/* Keeps the attributes of the first event that is opened. */
struct watch {
	struct sys sys;
	struct sys *next;
	struct perf_event_attr attr;
	bool opened;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct watch *w = (struct watch *)sys;

	if (nr == __NR_perf_event_open && !w->opened) {
		memcpy(&w->attr, (const void *)arg[0], sizeof(w->attr));
		w->opened = true;
	}
	return w->next->enter(w->next, nr, arg);
}

static const struct row {
	const char *modifiers, *asked;
} rows[] = {
	{ "u", "exclude_kernel exclude_hv" },
	{ "k", "exclude_user exclude_hv" },
	{ "h", "exclude_user exclude_kernel" },
	{ "uk", "exclude_hv" },
	{ "G", "exclude_host" },
	{ "H", "exclude_guest" },
	{ "GH", "" },
	{ "uG", "exclude_kernel exclude_hv exclude_host" },
	{ "Gu", "exclude_kernel exclude_hv exclude_host" },
	{ "kH", "exclude_user exclude_hv exclude_guest" },
	{ "uI", "exclude_kernel exclude_hv exclude_idle" },
	{ "D", "pinned" },
	{ "e", "exclusive" },
	{ "De", "pinned exclusive" },
	{ "pp", "precise_ip=2" },
	{ "uppp", "exclude_kernel exclude_hv precise_ip=3" },
};

static void asked_of(const struct perf_event_attr *attr, char *text, size_t size)
{
	const struct {
		const char *name;
		bool set;
	} bits[] = {
		{ "exclude_user", attr->exclude_user }, { "exclude_kernel", attr->exclude_kernel },
		{ "exclude_hv", attr->exclude_hv }, { "exclude_host", attr->exclude_host },
		{ "exclude_guest", attr->exclude_guest }, { "exclude_idle", attr->exclude_idle },
		{ "pinned", attr->pinned }, { "exclusive", attr->exclusive },
	};
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < NR(bits); i++)
		if (bits[i].set)
			len += snprintf(text + len, size - len, "%s%s", len ? " " : "",
					bits[i].name);
	if (attr->precise_ip)
		snprintf(text + len, size - len, "%sprecise_ip=%u", len ? " " : "",
			 attr->precise_ip);
}

static void test(struct regress *t)
{
	char self[16], text[256];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };
	const struct row *row = t->data;
	struct watch w = { .sys = { .enter = enter }, .next = t->sys };
	struct stress s;

	snprintf(self, sizeof(self), "%d", gettid());
	stress_begin(t, &s, &w.sys, &stress_kinds[STRESS_FAULTS], "ioctl", &asked);
	snprintf(text, sizeof(text), "page-faults:%s,period=1", row->modifiers);
	regress_event(t, &s.spec, text);
	w.opened = false;	/* the scope may have tried one */
	stress_attach(&s);
	asked_of(&w.attr, text, sizeof(text));
	regress_expect(t, !strcmp(text, row->asked), "'%s' and not '%s'", text, row->asked);
	stress_end(&s);
}

/* --- which faults are the kernel's --- */

#define PAGES 20

/* read(2) into an unmapped page makes the kernel's copy fault. Returns the count of event @text. */
static uint64_t faults_of_read(struct regress *t, const char *text)
{
	struct happen h;
	uint64_t count;
	int fds[2];

	regress_expect(t, !pipe(fds), "no pipe");
	happen_open(t, &h, BY_IOCTL, NULL, text);
	happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	for (int i = 0; i < PAGES; i++) {
		volatile uint64_t *page = happen_page(t);

		regress_expect(t, write(fds[1], &i, sizeof(i)) == sizeof(i) &&
			       read(fds[0], (void *)page, sizeof(i)) == sizeof(i), "the pipe");
		happen_page_free(page);
	}
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	count = happen_count(&h);
	happen_close(&h);
	close(fds[0]);
	close(fds[1]);
	return count;
}

/* This program may have faults of its own in the meantime, but not one per page. */
static void whose_fault(struct regress *t)
{
	const uint64_t user = faults_of_read(t, "page-faults:u,period=1");
	const uint64_t kernel = faults_of_read(t, "page-faults:k,period=1");

	regress_expect(t, user < PAGES, "%llu of %d faults of the kernel count as :u",
		       (unsigned long long)user, PAGES);
	regress_expect(t, kernel >= PAGES, "%llu of %d faults of the kernel count as :k",
		       (unsigned long long)kernel, PAGES);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, test, &rows[i], ":%s asks for %s", rows[i].modifiers,
			    rows[i].asked[0] ? rows[i].asked : "nothing that is left out");
	regress_add(list, whose_fault, NULL, "a fault of the kernel is one of :k, and none of :u");
}

const struct regress_group regress_group_modifiers = {
	"modifiers", "the attributes of an event that its modifiers set", NULL, fill, __FILE__
};
