// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An event of this thread with a program, using the steps of compare. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

/* @cpu -1: on any. */
static int open_spec(struct happen *h, enum happen_how how, int cpu,
		     void (*change)(struct perf_event_attr *attr), struct error *err)
{
	h->s = (struct compare_subject){ .sys = h->t->sys, .spec = &h->spec, .period = 1 };
	compare_prepare(&h->s);
	if (cpu >= 0)
		h->s.target.cpu = cpu;
	h->cell = &h->s.cells[how];
	return compare_open_as(&h->s, h->cell, change, &h->e, err);
}

static int try_on(struct regress *t, struct happen *h, enum happen_how how, int cpu,
		  void (*change)(struct perf_event_attr *attr), const char *text, struct error *err)
{
	*h = (struct happen){ .t = t, .e.a = { .event_fd = -1, .link_fd = -1 } };
	regress_event(t, &h->spec, text);
	return open_spec(h, how, cpu, change, err);
}

int happen_try(struct regress *t, struct happen *h, enum happen_how how,
	       void (*change)(struct perf_event_attr *attr), const char *text, struct error *err)
{
	return try_on(t, h, how, -1, change, text, err);
}

void happen_open(struct regress *t, struct happen *h, enum happen_how how,
		 void (*change)(struct perf_event_attr *attr), const char *text)
{
	struct error err = { 0 };

	regress_ok(t, happen_try(t, h, how, change, text, &err), &err, text);
}

void happen_open_on(struct regress *t, struct happen *h, enum happen_how how, int cpu,
		    void (*change)(struct perf_event_attr *attr), const char *text)
{
	struct error err = { 0 };

	regress_ok(t, try_on(t, h, how, cpu, change, text, &err), &err, text);
}

void happen_open_uprobe(struct regress *t, struct happen *h, enum happen_how how,
			const void *function, bool ret)
{
	const uint64_t offset = known_offset(function);
	struct error err = { 0 };
	char text[64];

	*h = (struct happen){ .t = t };
	snprintf(text, sizeof(text), "%s:" FIRING_PATH ":%#llx", ret ? "uretprobe" : "uprobe",
		 (unsigned long long)offset);
	regress_expect(t, offset, "a function is nowhere in the file of this program");
	regress_event(t, &h->spec, text);
	h->spec.resolved = true;
	h->spec.uprobe.file_offset = offset;
	regress_ok(t, open_spec(h, how, -1, NULL, &err), &err, text);
}

void happen_close(struct happen *h)
{
	compare_close(&h->s, &h->e);
	compare_end(&h->s);
}

void happen_bind(struct happen *h, const struct regress_object *o, const char *name,
		 uint64_t cookie)
{
	struct error err = { 0 };

	h->s.cookie = cookie;
	regress_ok(h->t, compare_bind(&h->s, h->cell, &h->e, regress_prog(h->t, o, name), &err),
		   &err, "binding the program");
	regress_ok(h->t, compare_enable(&h->s, &h->e, &err), &err, "enabling");
}

void happen_attach(struct regress *t, struct happen *h, enum happen_how how, const char *text,
		   const struct regress_object *o, const char *name)
{
	happen_open(t, h, how, NULL, text);
	happen_bind(h, o, name, 0);
}

int happen_ioctl(const struct happen *h, unsigned long request, unsigned long arg)
{
	return sys_ioctl(h->t->sys, h->e.a.event_fd, request, arg);
}

void happen_must(const struct happen *h, unsigned long request, unsigned long arg, const char *name)
{
	const int ret = happen_ioctl(h, request, arg);

	regress_expect(h->t, ret >= 0, "%s: %s", name, regress_errno(ret));
}

uint64_t happen_count(const struct happen *h)
{
	uint64_t count = 0;
	const ssize_t got = sys_read(h->t->sys, h->e.a.event_fd, &count, sizeof(count));

	regress_expect(h->t, got == sizeof(count), "reading the count: %zd", got);
	return count;
}

void io_put(struct regress *t, const struct regress_object *o, const struct context_io *io)
{
	const uint32_t zero = 0;

	regress_ok(t, map_update(t->sys, regress_map(t, o, "io"), &zero, io, BPF_ANY), NULL,
		   "map_update");
}

struct context_io io_get(struct regress *t, const struct regress_object *o)
{
	const uint32_t zero = 0;
	struct context_io io;

	regress_ok(t, map_lookup(t->sys, regress_map(t, o, "io"), &zero, &io), NULL, "map_lookup");
	return io;
}

void io_ours(struct regress *t, struct context_io *io)
{
	char comm[16] = { 0 };

	snprintf(comm, sizeof(comm), "regr%d", getpid());
	regress_expect(t, !prctl(PR_SET_NAME, comm), "PR_SET_NAME: %s", strerror(errno));
	memcpy(io->comm, comm, sizeof(comm));
}

volatile uint64_t *happen_page(struct regress *t)
{
	void *page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	regress_expect(t, page != MAP_FAILED, "mmap: %s", strerror(errno));
	return page;
}

void happen_page_free(volatile uint64_t *page)
{
	munmap((void *)page, getpagesize());
}

uint64_t happen_touch(struct regress *t, unsigned int nr)
{
	uint64_t last = 0;

	while (nr--) {
		volatile uint64_t *page = happen_page(t);

		known_store(page);
		last = (uintptr_t)page;
		happen_page_free(page);
	}
	return last;
}

void happen_ran(const struct happen *h, const struct context_io *io, unsigned int nr)
{
	const uint64_t count = happen_count(h);

	regress_expect(h->t, io->runs >= nr && io->runs <= count,
		       "%llu runs for %u pages, and %llu faults in all",
		       (unsigned long long)io->runs, nr, (unsigned long long)count);
}
