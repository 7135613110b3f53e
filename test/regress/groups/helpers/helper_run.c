// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program on the page faults of this thread, and one fault for it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/core/kernel/kernel.h"
#include "elf/insn/insn_text.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/groups/helpers/helper_run.h"

#define NR_PAGES 1024
#define CLOCK_TRIES 100

/* --- whether it loads --- */

/*
 * Returns whether the verifier's log has message @what about this helper, and not about another
 * that the program calls.
 */
static bool log_says(const char *log, const char *what, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "%s bpf_%s#", what, name);
	return strstr(log, text);
}

/*
 * Returns whether the verifier names the helper by its number only, as this kernel does not know
 * it.
 */
static bool is_unknown_number(const char *log, const char *name)
{
	const char *at = strstr(log, "invalid func unknown#");
	const char *unknown =
		at ? helper_name(strtoul(strchr(at, '#') + 1, NULL, 10)) : NULL;

	return unknown && !strcmp(unknown + strlen("bpf_"), name);
}

/* Returns whether the loader's reason code begins with @word. */
static bool is_about(const struct error *err, const char *word)
{
	return err->reason && !strncmp(err->reason, word, strlen(word));
}

static const char *refusal(const struct error *err, const char *name)
{
	const char *log = err->log ? err->log : "";

	if (!err->log && firing_outcome_of(err) == FIRING_DENIED)
		return "no privilege";
	if (log_says(log, "unknown func", name) || is_unknown_number(log, name) ||
	    log_says(log, "cannot use helper", name))
		return "no such helper";
	if (strstr(log, "might sleep") || strstr(log, "sleepable"))
		return "might sleep";
	if (strstr(log, "tracing progs cannot use bpf_"))
		return "not with its map";
	if (strstr(log, "not supported for program type"))
		return "not for this type";
	if (strstr(log, "unknown func") || strstr(log, "invalid func") ||
	    strstr(log, "invalid return type") || is_about(err, "externs/") ||
	    is_about(err, "core/") || is_about(err, "types/"))
		return "no such argument";
	if (is_about(err, "map-create/"))
		return "no such map";
	if (is_about(err, "prog-load/no-jit") || strstr(log, "non-JITed"))
		return "no JIT";
	if (is_about(err, "prog-load/too-old"))
		return "too old";
	return "refused";
}

const char *helper_load(struct regress *t, struct regress_object *o, const struct helper *helper)
{
	struct error err = { 0 };
	const char *answer = "accepted";
	char prog[64];

	snprintf(prog, sizeof(prog), "do_%s", helper->name);
	if (regress_try_load(t, o, helper->object, prog, &err) < 0) {
		answer = refusal(&err, helper->name);
		regress_note(t, "%s: %s\n%s", err.where, err.what, err.log ? err.log : "");
	}
	error_clear(&err);
	return answer;
}

bool helper_is_lacking(const char *answer)
{
	return !strncmp(answer, "no ", 3) || !strcmp(answer, "too old");
}

/* --- one that runs --- */

void helper_bind_to(struct regress *t, struct helper_run *h, const char *event, int prog_fd,
		    const char *method, uint64_t cookie)
{
	char self[16];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };
	const struct attach_method *row = attach_method_find(method, NULL);
	struct attach_request req;
	struct error err = { 0 };

	h->io_fd = regress_map(t, &h->o, "io");
	snprintf(self, sizeof(self), "%d", gettid());
	regress_event(t, &h->spec, event);
	regress_ok(t, event_scope_init(t->sys, &h->scope, &asked, &err), &err, "scope");
	req = (struct attach_request){ .method = row, .spec = &h->spec, .scope = &h->scope,
				       .prog_fd = prog_fd, .prog_type = BPF_PROG_TYPE_PERF_EVENT,
				       .has_cookie = row->takes_cookie, .cookie = cookie };
	regress_ok(t, attach_prog(t->sys, &req, &h->set, &err), &err, method);
}

void helper_bind(struct regress *t, struct helper_run *h, int prog_fd, const char *method,
		 uint64_t cookie)
{
	void *pages = mmap(NULL, NR_PAGES * 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		regress_fail(t, "no pages to fault on: %s", strerror(errno));
	madvise(pages, NR_PAGES * 4096, MADV_NOHUGEPAGE);
	h->pages = pages;
	helper_bind_to(t, h, "page-faults,period=1", prog_fd, method, cookie);
}

static bool has_run(void *arg)
{
	struct helper_run *h = arg;
	const uint32_t key = 0;

	for (volatile unsigned int i = 0; i < 100000; i++)
		;
	return !map_lookup(sys_linux(), h->io_fd, &key, &h->io) && h->io.runs;
}

void helper_by_clock(struct regress *t, struct helper_run *h, int prog_fd)
{
	const uint32_t key = 0;
	struct error err = { 0 };

	helper_bind_to(t, h, "cpu-clock,period=1000000", prog_fd, "ioctl", 0);
	/*
	 * Just after a task switch the new task may not have its memory yet: interrupts are enabled
	 * by finish_lock_switch(), and the memory is switched by finish_arch_post_lock_switch()
	 * after it (finish_task_switch() in kernel/sched/core.c,
	 * arch/s390/include/asm/mmu_context.h). If the clock interrupts in between, the helper
	 * fails with EFAULT, and is tried again.
	 */
	for (int tries = 0; tries < CLOCK_TRIES; tries++) {
		h->io.runs = 0;
		memset(h->io.ret, 0, sizeof(h->io.ret));
		/* A clock event has no address: ctx->addr is 0, and so is io->page. */
		regress_ok(t, map_update(t->sys, h->io_fd, &key, &h->io, BPF_ANY), NULL, "telling it");
		regress_ok(t, attach_enable(t->sys, &h->set, &err), &err, "enable");
		regress_expect(t, regress_until(has_run, h), "the clock has not come");
		sys_ioctl(t->sys, h->set.list[0].event_fd, PERF_EVENT_IOC_DISABLE, 0);
		if (h->io.ret[0] != -EFAULT)
			break;
	}
}

void helper_begin(struct regress *t, struct helper_run *h, const struct helper *helper)
{
	char prog[64];
	const char *answer;

	*h = (struct helper_run){ 0 };
	answer = helper_load(t, &h->o, helper);
	if (helper_is_lacking(answer))
		regress_skip(t, "bpf_%s() cannot be called here: %s", helper->name, answer);
	if (strcmp(answer, "accepted"))
		regress_fail(t, "a program that calls bpf_%s(): %s", helper->name, answer);
	snprintf(prog, sizeof(prog), "do_%s", helper->name);
	helper_bind(t, h, regress_prog(t, &h->o, prog), "ioctl", 0);
}

static uint64_t faults_of(struct regress *t, const struct helper_run *h)
{
	uint64_t count = 0;
	const ssize_t got = sys_read(t->sys, h->set.list[0].event_fd, &count, sizeof(count));

	regress_expect(t, got == sizeof(count), "reading the count: %zd", got);
	return count;
}

void helper_fire(struct regress *t, struct helper_run *h)
{
	const uint32_t key = 0;
	uint64_t faults = faults_of(t, h);
	volatile unsigned char *page;
	struct error err = { 0 };

	if (h->next == NR_PAGES)
		regress_fail(t, "no page is left that nobody has touched");
	page = h->pages + 4096 * h->next++;
	h->io.page = (uintptr_t)page;
	h->io.runs = 0;
	memset(h->io.ret, 0, sizeof(h->io.ret));
	memset(h->io.out, 0, sizeof(h->io.out));
	regress_ok(t, map_update(t->sys, h->io_fd, &key, &h->io, BPF_ANY), NULL, "telling it");
	regress_ok(t, attach_enable(t->sys, &h->set, &err), &err, "enable");
	*page = 1;
	sys_ioctl(t->sys, h->set.list[0].event_fd, PERF_EVENT_IOC_DISABLE, 0);
	regress_ok(t, map_lookup(t->sys, h->io_fd, &key, &h->io), NULL, "asking it");
	faults = faults_of(t, h) - faults;
	regress_expect(t, h->io.runs >= 1 && h->io.runs <= faults,
		       "for one page and %llu faults it ran %llu times", (unsigned long long)faults,
		       (unsigned long long)h->io.runs);
}

void helper_end(struct regress *t, struct helper_run *h)
{
	attach_close(t->sys, &h->set);
	event_scope_free(t->sys, &h->scope);
	regress_unload(t, &h->o);
	if (h->pages)
		munmap(h->pages, NR_PAGES * 4096);
}

void helper_test(struct regress *t)
{
	const struct helper_test *test = t->data;
	struct helper_run h;

	helper_begin(t, &h, &test->helper);
	test->run(t, &h);
	helper_end(t, &h);
}

void helper_returned(struct regress *t, const struct helper_run *h, unsigned int nr, int64_t want)
{
	const int64_t saw = h->io.ret[nr];

	regress_expect(t, saw == want, "call %u returned %lld (%s), not %lld (%s)", nr + 1,
		       (long long)saw, regress_errno(saw), (long long)want, regress_errno(want));
}

void helper_returned_int(struct regress *t, const struct helper_run *h, unsigned int nr, int want)
{
	const int saw = (int)h->io.ret[nr];

	regress_expect(t, saw == want, "call %u returned %d (%s), not %d (%s)", nr + 1, saw,
		       regress_errno(saw), want, regress_errno(want));
}
