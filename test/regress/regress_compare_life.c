// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The sections of pload compare on the running kernel: what is known of any kernel holds, every row
 * has an answer of each cell, and when the kernel answers one thing otherwise, so do the rows that
 * asked for it, and no others: none of them comes from anywhere else.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "loader/cmd/note.h"
#include "loader/compare/compare.h"
#include "loader/output/message.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define COOKIE 0xc0ffee0123456789

/* Notes are main.c's, which is not linked. */
void note(const char *fmt, ...)
{
	(void)fmt;
}

static int tests, failed;

static void report(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", ok ? "ok" : "not ok", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	failed += !ok;
}

static void skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %.*s\n", ++tests, what, (int)strcspn(why, "\n"), why);
	fflush(stdout);
}

/* --- a kernel that answers one thing otherwise --- */

struct kernel {
	struct sys sys;		/* first: enter() gets it back */
	long nr;		/* of the call; -1: none */
	long arg;		/* its command: of bpf(2) the first argument, of ioctl(2) the second */
	long answer;		/* in its place */
	unsigned int calls, fail_at;	/* of this process; fail_at 0: none fails */
	bool runs_on;		/* each look at the counter finds one run more */
	uint64_t runs;
};

static bool is_it(const struct kernel *k, long nr, const unsigned long arg[6])
{
	if (nr != k->nr)
		return false;
	if (nr == __NR_bpf)
		return (long)arg[0] == k->arg;
	if (nr == __NR_ioctl)
		return (long)arg[1] == k->arg;
	return true;
}

/*
 * What gives something back does not fail here; and looking at a counter, which is most of all
 * calls, does so in a row of its own.
 */
static bool may_fail(long nr, const unsigned long arg[6])
{
	return nr != __NR_close && nr != __NR_munmap && nr != __NR_unlinkat && nr != __NR_waitid &&
	       nr != __NR_kill && nr != __NR_exit_group &&
	       !(nr == __NR_bpf && arg[0] == BPF_MAP_LOOKUP_ELEM);
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;

	if (is_it(k, nr, arg))
		return k->answer;
	if (k->runs_on && nr == __NR_bpf && arg[0] == BPF_MAP_LOOKUP_ELEM) {
		const union bpf_attr *attr = (const union bpf_attr *)arg[1];

		*(struct trial_value *)(uintptr_t)attr->value = (struct trial_value){
			.own.runs = ++k->runs, .others.runs = k->runs
		};
		return 0;
	}
	if (may_fail(nr, arg) && ++k->calls == k->fail_at)
		return -ENOMEM;
	return sys_linux()->enter(sys_linux(), nr, arg);
}

/* --- an event, and its document --- */

struct bench {
	struct kernel kernel;
	struct event_spec spec;
	struct compare_subject s;
	struct json_object *event;
	struct error err;
	unsigned int fires;
};

typedef int measure_fn(const struct compare_subject *s, struct json_object *event,
		       struct error *err);

static const char *word_of(struct json_object *o, const char *key)
{
	struct json_object *member = o ? message_get(o, key) : NULL;

	return member ? json_object_get_string(member) : "";
}

/* With an outcome for each cell, told by the kernel as it is. */
static bool begin(struct bench *b, const char *event)
{
	struct json_object *cells;

	*b = (struct bench){ .kernel = { .sys = { enter }, .nr = -1 } };
	b->event = json_object_new_object();
	b->s = (struct compare_subject){ .sys = &b->kernel.sys, .spec = &b->spec,
					 .cookie = COOKIE, .rounds = 1 };
	if (event_parse(&b->spec, event, &b->err) < 0)
		return false;
	compare_begin(&b->s);
	if (compare_cells(&b->s, b->event, &b->err) < 0)
		return false;
	cells = message_get(b->event, "cells");
	for (size_t i = 0; i < json_object_array_length(cells); i++)
		b->fires += !strcmp(word_of(json_object_array_get_idx(cells, i), "outcome"),
				    "fires");
	return true;
}

static void end(struct bench *b)
{
	compare_end(&b->s);
	json_object_put(b->event);
	error_clear(&b->err);
}

/* The section that @fn appends, taken off the event again. NULL: it failed. */
static struct json_object *measure(struct bench *b, measure_fn *fn)
{
	struct json_object *sections, *section = NULL;

	if (fn(&b->s, b->event, &b->err) < 0)
		return NULL;
	sections = message_get(b->event, "sections");
	if (sections)
		section = json_object_get(json_object_array_get_idx(sections, 0));
	json_object_object_del(b->event, "sections");
	return section;
}

static struct json_object *row_of(struct json_object *section, const char *id)
{
	struct json_object *rows = message_get(section, "rows");

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++)
		if (!strcmp(word_of(json_object_array_get_idx(rows, i), "id"), id))
			return json_object_array_get_idx(rows, i);
	return NULL;
}

static struct json_object *answer_of(struct json_object *row, const char *cell)
{
	struct json_object *cells = row ? message_get(row, "cells") : NULL;

	return cells ? message_get(cells, cell) : NULL;
}

/* --- every row is answered --- */

static void check_whole(struct bench *b, struct json_object *section, const char *event)
{
	struct json_object *rows = message_get(section, "rows");
	char missing[200] = "";

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i),
				   *cells = message_get(row, "cells");

		if (!word_of(row, "what")[0] ||
		    (unsigned int)json_object_object_length(cells) != b->fires)
			snprintf(missing, sizeof(missing), "%s", word_of(row, "id"));
	}
	report(!missing[0], "%s, %s: each of %zu rows has an answer of each cell%s%s", event,
	       word_of(section, "id"), json_object_array_length(rows), missing[0] ? ": not " : "",
	       missing);
}

/* --- what any kernel does --- */

/* Of cells by ioctl and by link, on counted events and on tracepoints; NULL: it may be anything. */
static const struct fact {
	const char *row, *ioctl, *link, *traced_ioctl, *traced_link;
} life_facts[] = {
	{ "never-enabled", "no runs", "no runs", "runs", "runs" },
	{ "enabled", "runs", "runs", "runs", "runs" },
	{ "disabled", "stops", "stops", "runs", "runs" },
	{ "enabled-again", "runs", "runs", "runs", "runs" },
	{ "second-ioctl", "EEXIST", "EEXIST", "EEXIST", "EEXIST" },
	{ "second-link", NULL, "EEXIST", NULL, "EEXIST" },
	{ "same-program", "runs", "runs", "EEXIST", "EEXIST" },
	{ "other-program", "runs", "runs", "runs", "runs" },
	{ "prog-fd-closed", "runs", "runs", "runs", "runs" },
	{ "link-fd-closed", "no link", "stops", "no link", "stops" },
	{ "counts-on", "no link", "counts", "no link", "counts" },
	{ "bound-again", "no link", "runs", "no link", "runs" },
	{ "event-fd-closed", "stops", "runs", "stops", "runs" },
	{ "exits", "stops", "stops", "stops", "stops" },
	{ "killed", "stops", "stops", "stops", "stops" },
	{ "fork-holds", "runs", "runs", "runs", "runs" },
	{ "event-handed", "runs", "stops", "runs", "stops" },
	{ "link-handed", "no link", "runs", "no link", "runs" },
	{ "pin", NULL, "pinned", NULL, "pinned" },
	{ "pinned-exits", "no link", "runs", "no link", "runs" },
	{ "pinned-killed", "no link", "runs", "no link", "runs" },
	{ "unpinned", "no link", "stops", "no link", "stops" },
	{ "child", "no runs", "no runs", "runs", "runs" },
	{ "child-inherits", "runs", "runs", "runs", "runs" },
	{ "thread", "no runs", "no runs", "runs", "runs" },
	{ "other-pid", "no runs", "no runs", "runs", "runs" },
	{ "other-cpu", "no runs", "no runs", "runs", "runs" },
	{ "cgroup-outside", "no runs", "no runs", "runs", "runs" },
	{ "cgroup-inside", "runs", "runs", "runs", "runs" },
}, visibility_facts[] = {
	{ "link-cookie", "no link", "as given", "no link", "as given" },
	{ "link-fdinfo", "no link", NULL, "no link", NULL },
	{ "task-fd-query-unbound", "ENOENT", "ENOENT", "ENOENT", "ENOENT" },
	{ "task-fd-query", "EOPNOTSUPP", "EOPNOTSUPP", "tracepoint", "tracepoint" },
	{ "query-bpf", "EINVAL", "EINVAL", "named", "named" },
	{ "prog-listed", "listed", "listed", "listed", "listed" },
	{ "link-listed", "not listed", "listed", "not listed", "listed" },
}, privilege_facts[] = {
	{ "sys-admin", "runs", "runs", NULL, NULL },
	{ "sys-admin-load", "ok", "ok", "ok", "ok" },
	{ "sys-admin-open", "ok", "ok", "ok", "ok" },
	{ "both-load", "ok", "ok", "ok", "ok" },
	{ "userns-load", "EPERM", "EPERM", "EPERM", "EPERM" },
	{ "dropped-enable", "ok", "ok", "ok", "ok" },
	{ "dropped-mmap", "ok", "ok", "ok", "ok" },
};

/*
 * What the machine does not have is told by an error, or by a word that is no answer; older kernels
 * do not tell of a link's event.
 */
static bool lacks(struct json_object *answer, const char *expected)
{
	static const char *const words[] = { "one CPU", "unknown", "none", "no name" };
	const char *word = word_of(answer, "answer");

	for (size_t i = 0; i < NR(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return expected[0] >= 'a' && message_get(answer, "error");
}

static void check_fact(struct bench *b, struct json_object *section, const char *event,
		       const struct fact *f)
{
	const bool traced = event_is_traced(&b->spec);
	char wrong[256] = "", lacking[256] = "";

	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		const struct compare_cell *cell = &b->s.cells[i];
		const bool link = cell->method.is_link;
		const char *wanted = traced ? link ? f->traced_link : f->traced_ioctl :
					      link ? f->link : f->ioctl;
		struct json_object *answer = answer_of(row_of(section, f->row), cell->name);

		if (!wanted || !answer || !strcmp(word_of(answer, "answer"), wanted))
			continue;
		snprintf(lacks(answer, wanted) ? lacking : wrong, sizeof(wrong), "%s: %s%s%.120s",
			 cell->name, word_of(answer, "answer"),
			 message_get(answer, "error") ? ": " : "",
			 word_of(message_get(answer, "error"), "text"));
	}
	if (lacking[0] && !wrong[0])
		skip(f->row, lacking);
	else
		report(!wrong[0], "%s: %s%s%s", event, f->row, wrong[0] ? ": " : "", wrong);
}

static const struct {
	measure_fn *fn;
	const struct fact *facts;
	size_t nr;
} parts[] = {
	{ compare_lifetime, life_facts, NR(life_facts) },
	{ compare_visibility, visibility_facts, NR(visibility_facts) },
	{ compare_privilege, privilege_facts, NR(privilege_facts) },
};

static void check_facts(const char *event)
{
	struct bench b;

	if (!begin(&b, event) || !b.fires) {
		skip(event, b.err.code ? b.err.what : "it is not to be had in any way here");
		end(&b);
		return;
	}
	for (size_t i = 0; i < NR(parts); i++) {
		struct json_object *section = measure(&b, parts[i].fn);

		report(section != NULL, "%s: a section", event);
		for (size_t j = 0; section && j < parts[i].nr; j++)
			check_fact(&b, section, event, &parts[i].facts[j]);
		if (section)
			check_whole(&b, section, event);
		json_object_put(section);
	}
	end(&b);
}

/* --- each answer is the kernel's --- */

/* What it answers otherwise, and which rows say so: an answer that begins with @word. */
static const struct change {
	const char *what;
	measure_fn *fn;
	long nr, arg, answer;
	const char *word;
	const char *rows;	/* " a b ": these, and no others; " ALL ": each */
} changes[] = {
	{ "PERF_EVENT_IOC_DISABLE does nothing", compare_lifetime, __NR_ioctl,
	  PERF_EVENT_IOC_DISABLE, 0, "runs", " disabled " },
	{ "BPF_LINK_UPDATE", compare_lifetime, __NR_bpf, BPF_LINK_UPDATE, -EPERM, "EPERM",
	  " link-update " },
	{ "BPF_LINK_DETACH", compare_lifetime, __NR_bpf, BPF_LINK_DETACH, -EBUSY, "EBUSY",
	  " link-detach " },
	{ "BPF_LINK_DETACH does nothing", compare_lifetime, __NR_bpf, BPF_LINK_DETACH, 0, "runs",
	  " link-detach " },
	{ "BPF_PROG_DETACH", compare_lifetime, __NR_bpf, BPF_PROG_DETACH, -EPERM, "EPERM",
	  " prog-detach " },
	{ "BPF_OBJ_PIN", compare_lifetime, __NR_bpf, BPF_OBJ_PIN, -EROFS, "EROFS",
	  " pin pinned-exits pinned-killed unpinned " },
	{ "no bpffs", compare_lifetime, __NR_fsopen, 0, -ENODEV, "ENODEV",
	  " pin pinned-exits pinned-killed unpinned " },
	{ "pidfd_getfd", compare_lifetime, __NR_pidfd_getfd, 0, -ENOSYS, "ENOSYS",
	  " event-handed link-handed " },
	{ "no cgroup can be made", compare_lifetime, __NR_mkdirat, 0, -EROFS, "EROFS",
	  " cgroup-outside cgroup-inside " },
	{ "no process can be made", compare_lifetime, __NR_clone, 0, -EAGAIN, "EAGAIN",
	  " exits killed fork-holds event-handed link-handed pinned-exits pinned-killed unpinned "
	  "child child-inherits child-ended other-pid cgroup-outside cgroup-inside " },
	{ "nobody tells how often it ran", compare_lifetime, __NR_bpf, BPF_MAP_LOOKUP_ELEM, -EIO,
	  "EIO", " ALL " },
	{ "BPF_TASK_FD_QUERY", compare_visibility, __NR_bpf, BPF_TASK_FD_QUERY, -EIO, "EIO",
	  " task-fd-query-unbound task-fd-query task-fd-query-link " },
	{ "PERF_EVENT_IOC_QUERY_BPF", compare_visibility, __NR_ioctl, PERF_EVENT_IOC_QUERY_BPF,
	  -EACCES, "EACCES", " query-bpf " },
	{ "BPF_PROG_GET_NEXT_ID knows none", compare_visibility, __NR_bpf, BPF_PROG_GET_NEXT_ID,
	  -ENOENT, "not listed", " prog-listed " },
	{ "BPF_LINK_GET_NEXT_ID", compare_visibility, __NR_bpf, BPF_LINK_GET_NEXT_ID, -EPERM,
	  "EPERM", " link-listed " },
	{ "/proc/self/fd", compare_visibility, __NR_readlinkat, 0, -EACCES, "EACCES",
	  " fd-name " },
	{ "no user namespaces", compare_privilege, __NR_unshare, 0, -ENOSPC,
	  "not tried", " userns userns-find userns-load userns-open userns-bind userns-enable "
	  "userns-mmap " },
};

/* Others may mount the controller's hierarchy elsewhere, or unmount it, meanwhile. */
static bool is_without_controller(struct json_object *answer)
{
	return !strcmp(word_of(message_get(answer, "error"), "reason"), "scope/no-controller");
}

/* A cell without a link has no more to say of one. */
static bool is_as_wanted(struct json_object *before, struct json_object *after, bool is_wanted,
			 const char *word)
{
	const char *was = word_of(before, "answer"), *is = word_of(after, "answer");

	if (!is_wanted)
		return !strcmp(was, is) || is_without_controller(before) ||
		       is_without_controller(after);
	return !strncmp(is, word, strlen(word)) || !strcmp(was, "no link");
}

static void check_change(struct bench *b, struct json_object *before, const struct change *c)
{
	struct json_object *rows = message_get(before, "rows"), *after;
	unsigned int changed = 0;
	char wrong[256] = "";

	b->kernel.nr = c->nr;
	b->kernel.arg = c->arg;
	b->kernel.answer = c->answer;
	after = measure(b, c->fn);
	b->kernel.nr = -1;
	for (size_t i = 0; after && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *id = word_of(row, "id");
		char wanted[64];
		bool is_wanted;

		snprintf(wanted, sizeof(wanted), " %s ", id);
		is_wanted = strstr(c->rows, wanted) || strstr(c->rows, " ALL ");
		for (int n = 0; n < COMPARE_NR_CELLS; n++) {
			const char *cell = b->s.cells[n].name;
			struct json_object *a = answer_of(row, cell),
					   *z = answer_of(row_of(after, id), cell);

			if (!a)
				continue;
			changed += strcmp(word_of(a, "answer"), word_of(z, "answer")) != 0;
			if (!is_as_wanted(a, z, is_wanted, c->word))
				snprintf(wrong, sizeof(wrong), "%s, %s: %s, it was %s", id, cell,
					 word_of(z, "answer"), word_of(a, "answer"));
		}
	}
	report(after && changed && !wrong[0], "an answer of its own: %s%s%s", c->what,
	       wrong[0] ? ": " : "", wrong);
	json_object_put(after);
}

static void check_changes(const char *event)
{
	struct json_object *before = NULL;
	measure_fn *measured = NULL;
	struct bench b;

	if (!begin(&b, event) || b.fires < COMPARE_NR_CELLS) {
		skip(event, "not all of its cells fire");
		end(&b);
		return;
	}
	for (size_t i = 0; i < NR(changes); i++) {
		if (changes[i].fn != measured) {
			json_object_put(before);
			measured = changes[i].fn;
			before = measure(&b, measured);
		}
		check_change(&b, before, &changes[i]);
	}
	json_object_put(before);
	end(&b);
}

/* --- call n fails --- */

/* So many of the calls of a section; all would take a quarter of an hour. */
#define FAILURES 40

static int count_name(void *arg, const char *name)
{
	(void)name;
	++*(int *)arg;
	return 0;
}

static int open_fds(void)
{
	int nr = 0;

	event_each_entry(sys_linux(), AT_FDCWD, "/proc/self/fd", count_name, &nr);
	return nr;
}

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0;
}

/* One cell that has everything is enough. */
static void leave_one_cell(struct bench *b)
{
	struct json_object *cells = message_get(b->event, "cells"), *one = json_object_new_array();

	json_object_array_add(one, json_object_get(json_object_array_get_idx(cells, 1)));
	json_object_object_add(b->event, "cells", one);
	b->fires = 1;
}

static bool all_answered(struct json_object *section)
{
	struct json_object *rows = message_get(section, "rows");

	for (size_t i = 0; i < json_object_array_length(rows); i++)
		if (!json_object_object_length(message_get(json_object_array_get_idx(rows, i),
							   "cells")))
			return false;
	return true;
}

/* Whatever fails, nothing stays behind, and each row says something. */
static void check_failures(struct bench *b, measure_fn *fn, const char *name)
{
	const int fds = open_fds();
	struct json_object *section;
	char wrong[128] = "";
	unsigned int calls, n;

	b->kernel.calls = b->kernel.fail_at = 0;
	json_object_put(measure(b, fn));
	calls = b->kernel.calls;
	for (unsigned int i = 1; i <= FAILURES; i++) {
		n = (uint64_t)calls * i / FAILURES;
		b->kernel.calls = 0;
		b->kernel.fail_at = n;
		section = measure(b, fn);
		if (!section || !all_answered(section))
			snprintf(wrong, sizeof(wrong), "call %u: not all is answered", n);
		if (open_fds() != fds)
			snprintf(wrong, sizeof(wrong), "call %u: %d descriptors, not %d", n,
				 open_fds(), fds);
		if (has_children())
			snprintf(wrong, sizeof(wrong), "call %u: a process is left", n);
		json_object_put(section);
	}
	b->kernel.fail_at = 0;
	report(calls > FAILURES && !wrong[0], "%s: some of %u calls fail, nothing stays behind%s%s",
	       name, calls, wrong[0] ? ": " : "", wrong);
}

static void check_all_failures(const char *event)
{
	struct bench b;

	if (!begin(&b, event) || b.fires < COMPARE_NR_CELLS) {
		skip("calls that fail", "not all of its cells fire");
	} else {
		leave_one_cell(&b);
		check_failures(&b, compare_lifetime, "lifetime");
		check_failures(&b, compare_visibility, "visibility");
		check_failures(&b, compare_privilege, "privilege");
	}
	end(&b);
}

/*
 * One scene of one cell is enough: it waits for its two seconds. Asked before the first cell, which
 * is left out, before the second, and before each of its scenes.
 */
static bool once(void *arg)
{
	return ++*(unsigned int *)arg > 3;
}

static void check_what_does_not_end(const char *event)
{
	const char *expected = "compare/not-ended";
	struct json_object *section, *answer;
	unsigned int asked = 0;
	struct bench b;

	if (!begin(&b, event) || b.fires < COMPARE_NR_CELLS) {
		skip("what does not end", "not all of its cells fire");
		end(&b);
		return;
	}
	leave_one_cell(&b);
	b.s.stop = once;
	b.s.arg = &asked;
	b.kernel.runs_on = true;
	section = measure(&b, compare_lifetime);
	answer = answer_of(row_of(section, "never-enabled"), b.s.cells[1].name);
	report(!strcmp(word_of(message_get(answer, "error"), "reason"), expected),
	       "what was attached before and still runs is told from what is attached then");
	json_object_put(section);
	end(&b);
}

int main(void)
{
	check_facts("page-faults");
	check_facts("syscalls:sys_enter_getppid");
	check_changes("page-faults");
	check_all_failures("page-faults");
	check_what_does_not_end("page-faults");
	printf("1..%d\n", tests);
	return failed != 0;
}
