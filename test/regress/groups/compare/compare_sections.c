// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The sections of pload compare: each row has an answer for each cell. When the kernel answers one
 * call differently, the rows that make the call change and no others, so that every answer comes
 * from the kernel. The expected answers are in the groups of the sections.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "test/regress/groups/compare/compare.h"
#include "loader/core/sys/read.h"

enum { LIFETIME, VISIBILITY, PRIVILEGE };

typedef int measure_fn(const struct compare_subject *s, struct json_object *event,
		       struct error *err);

static const struct {
	const char *name;
	measure_fn *measure;
} sections[COMPARE_SECTIONS] = {
	[LIFETIME] = { "lifetime", compare_lifetime },
	[VISIBILITY] = { "visibility", compare_visibility },
	[PRIVILEGE] = { "privilege", compare_privilege },
};

/* Any kind will do: the answers for the other kinds are tested in the groups of the sections. */
static const struct kind page_faults = { "page-faults", "page-faults", KIND_COUNTED };

/* --- a kernel that answers one call differently --- */

struct kernel {
	struct sys sys;		/* first: enter() gets it back */
	struct sys *real;
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
 * Calls that release something do not fail here. Neither do lookups in the map with the counter,
 * which are most of the calls and have a test of their own.
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

		*(struct firing_value *)(uintptr_t)attr->value = (struct firing_value){
			.own.runs = ++k->runs, .others.runs = k->runs
		};
		return 0;
	}
	if (may_fail(nr, arg) && ++k->calls == k->fail_at)
		return -ENOMEM;
	return k->real->enter(k->real, nr, arg);
}

/* --- an event, and its document --- */

#define NR_CELLS 2	/* by its type, and by ioctl or by link */

struct bench {
	struct kernel kernel;
	struct event_spec spec;
	struct compare_subject s;
	struct json_object *event;
};

/* Begins with the cells from @first up to, but without, @end, all of which have to be available. */
static void begin(struct regress *t, struct bench *b, unsigned int first, unsigned int end)
{
	struct json_object *cells = json_object_new_array(), *cell;
	struct error err = { 0 };
	struct compare_event e;

	*b = (struct bench){ .kernel = { .sys = { .enter = enter }, .real = t->sys, .nr = -1 } };
	b->event = json_object_new_object();
	value_add(b->event, "cells", cells);
	kind_begin(t, &page_faults, &b->spec, &b->s);
	b->s.rounds = 1;
	for (unsigned int i = first; i < end; i++) {
		regress_ok(t, compare_attach(&b->s, &b->s.cells[i], &b->s.prog, &e, &err), &err,
			   b->s.cells[i].name);
		compare_close(&b->s, &e);
		cell = json_object_new_object();
		value_append(cells, cell);
		value_add(cell, "cell", json_object_new_string(b->s.cells[i].name));
		value_add(cell, "outcome", json_object_new_string("fires"));
	}
	b->s.sys = &b->kernel.sys;
}

static void end(struct regress *t, struct bench *b)
{
	b->s.sys = t->sys;
	kind_end(&b->s);
	json_object_put(b->event);
}

/* Returns the section, which is removed from the event. NULL: it failed. */
static struct json_object *measure(struct bench *b, unsigned int section)
{
	struct json_object *all, *one = NULL;
	struct error err = { 0 };

	if (sections[section].measure(&b->s, b->event, &err) == 0) {
		all = message_get(b->event, "sections");
		if (all)
			one = json_object_get(json_object_array_get_idx(all, 0));
	}
	json_object_object_del(b->event, "sections");
	error_clear(&err);
	return one;
}

/* As the kernel has it, measured once. */
static struct json_object *look(struct regress *t, struct bench *b, unsigned int section)
{
	struct compare_room *room = t->room;
	struct compare_kept *kept = &room->sections[section];
	struct json_object *one;

	if (!kept->done) {
		one = measure(b, section);
		regress_expect(t, one, "there is no section");
		compare_keep(t, kept, one);
	}
	return compare_kept(t, kept);
}

static struct json_object *row_of(struct json_object *section, const char *id)
{
	struct json_object *rows = message_get(section, "rows");

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++)
		if (!strcmp(compare_word(json_object_array_get_idx(rows, i), "id"), id))
			return json_object_array_get_idx(rows, i);
	return NULL;
}

static struct json_object *answer_of(struct json_object *row, const char *cell)
{
	struct json_object *cells = row ? message_get(row, "cells") : NULL;

	return cells ? message_get(cells, cell) : NULL;
}

/* --- every row is answered --- */

static void is_whole(struct regress *t)
{
	struct json_object *section, *rows;
	struct bench b;

	begin(t, &b, 0, NR_CELLS);
	section = look(t, &b, *(const unsigned int *)t->data);
	rows = message_get(section, "rows");
	regress_expect(t, rows && json_object_array_length(rows), "there are no rows");
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const int nr = json_object_object_length(message_get(row, "cells"));

		regress_expect(t, compare_word(row, "what")[0] && nr == NR_CELLS,
			       "row %s has %d answers of %d cells", compare_word(row, "id"), nr,
			       NR_CELLS);
	}
	json_object_put(section);
	end(t, &b);
}

/* --- each answer is the kernel's --- */

/*
 * The calls whose answer is changed, and the rows that must report it by an answer that begins with
 * @word.
 */
static const struct change {
	const char *what;
	unsigned int section;
	long nr, arg, answer;
	const char *word;
	const char *rows;	/* " a b ": these, and no others; " ALL ": each */
} changes[] = {
	{ "PERF_EVENT_IOC_DISABLE does nothing", LIFETIME, __NR_ioctl,
	  PERF_EVENT_IOC_DISABLE, 0, "runs", " disabled " },
	{ "BPF_LINK_UPDATE", LIFETIME, __NR_bpf, BPF_LINK_UPDATE, -EPERM, "EPERM",
	  " link-update " },
	{ "BPF_LINK_DETACH", LIFETIME, __NR_bpf, BPF_LINK_DETACH, -EBUSY, "EBUSY",
	  " link-detach " },
	{ "BPF_LINK_DETACH does nothing", LIFETIME, __NR_bpf, BPF_LINK_DETACH, 0, "runs",
	  " link-detach " },
	{ "BPF_PROG_DETACH", LIFETIME, __NR_bpf, BPF_PROG_DETACH, -EPERM, "EPERM",
	  " prog-detach " },
	{ "BPF_OBJ_PIN", LIFETIME, __NR_bpf, BPF_OBJ_PIN, -EROFS, "EROFS",
	  " pin pinned-exits pinned-killed unpinned " },
	{ "no bpffs", LIFETIME, __NR_fsopen, 0, -ENODEV, "ENODEV",
	  " pin pinned-exits pinned-killed unpinned " },
	{ "pidfd_getfd", LIFETIME, __NR_pidfd_getfd, 0, -ENOSYS, "ENOSYS",
	  " event-handed link-handed " },
	{ "no cgroup can be made", LIFETIME, __NR_mkdirat, 0, -EROFS, "EROFS",
	  " cgroup-outside cgroup-inside " },
	{ "no process can be made", LIFETIME, __NR_clone, 0, -EAGAIN, "EAGAIN",
	  " exits killed fork-holds event-handed link-handed pinned-exits pinned-killed unpinned "
	  "child child-inherits child-ended other-pid cgroup-outside cgroup-inside " },
	{ "nobody tells how often it ran", LIFETIME, __NR_bpf, BPF_MAP_LOOKUP_ELEM, -EIO,
	  "EIO", " ALL " },
	{ "BPF_TASK_FD_QUERY", VISIBILITY, __NR_bpf, BPF_TASK_FD_QUERY, -EIO, "EIO",
	  " task-fd-query-unbound task-fd-query task-fd-query-link " },
	{ "PERF_EVENT_IOC_QUERY_BPF", VISIBILITY, __NR_ioctl, PERF_EVENT_IOC_QUERY_BPF,
	  -EACCES, "EACCES", " query-bpf " },
	{ "BPF_PROG_GET_NEXT_ID knows none", VISIBILITY, __NR_bpf, BPF_PROG_GET_NEXT_ID,
	  -ENOENT, "not listed", " prog-listed " },
	{ "BPF_LINK_GET_NEXT_ID", VISIBILITY, __NR_bpf, BPF_LINK_GET_NEXT_ID, -EPERM,
	  "EPERM", " link-listed " },
	{ "/proc/self/fd", VISIBILITY, __NR_readlinkat, 0, -EACCES, "EACCES",
	  " fd-name " },
	{ "no user namespaces", PRIVILEGE, __NR_unshare, 0, -ENOSPC,
	  "not tried", " userns userns-find userns-load userns-open userns-bind userns-enable "
	  "userns-mmap " },
};

/* Others may mount the controller's hierarchy elsewhere, or unmount it, meanwhile ... */
static bool is_without_controller(struct json_object *answer)
{
	return !strcmp(compare_word(message_get(answer, "error"), "reason"),
		       "scope/no-controller");
}

/*
 * ... and so many programs and links of others come and go that the ids cannot be iterated
 * (EAGAIN).
 */
static bool is_in_a_crowd(const struct change *c, struct json_object *answer)
{
	return c->section == VISIBILITY && !strcmp(compare_word(answer, "answer"), "EAGAIN");
}

/*
 * Returns whether the answer changed if it should, and only then. A cell without a link keeps its
 * answer "no link".
 */
static bool is_as_wanted(struct json_object *before, struct json_object *after, bool is_wanted,
			 const char *word)
{
	const char *was = compare_word(before, "answer"), *is = compare_word(after, "answer");

	if (!is_wanted)
		return !strcmp(was, is) || is_without_controller(before) ||
		       is_without_controller(after);
	return !strncmp(is, word, strlen(word)) || !strcmp(was, "no link");
}

/*
 * An answer that differs although it should not, or in another way than it should, ends the test.
 * The answer for user namespaces is the changed one already where they do not exist, as in a
 * chroot.
 */
static void compare_rows(struct regress *t, const struct bench *b, const struct change *c,
			 struct json_object *before, struct json_object *after)
{
	struct json_object *rows = message_get(before, "rows");
	unsigned int changed = 0, already = 0;

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *id = compare_word(row, "id");
		char wanted[64];
		bool is_wanted;

		/* The rows of bpftool report that program's answer rather than the kernel's. */
		if (!strncmp(id, "bpftool", strlen("bpftool")))
			continue;
		snprintf(wanted, sizeof(wanted), " %s ", id);
		is_wanted = strstr(c->rows, wanted) || strstr(c->rows, " ALL ");
		for (int n = 0; n < NR_CELLS; n++) {
			const char *cell = b->s.cells[n].name;
			struct json_object *a = answer_of(row, cell),
					   *z = answer_of(row_of(after, id), cell);

			if (is_wanted)
				regress_denied(t, cell, compare_word(a, "answer"));
			if (is_in_a_crowd(c, a) || is_in_a_crowd(c, z))
				continue;
			changed += strcmp(compare_word(a, "answer"), compare_word(z, "answer")) != 0;
			already += is_wanted && !strncmp(compare_word(a, "answer"), c->word,
							 strlen(c->word));
			regress_expect(t, is_as_wanted(a, z, is_wanted, c->word),
				       "%s, %s: %s, and it was %s", id, cell, compare_word(z, "answer"),
				       compare_word(a, "answer"));
		}
	}
	if (!changed && already)
		regress_skip(t, "the kernel itself answers: %s", c->word);
	regress_expect(t, changed, "nothing is answered otherwise");
}

static void is_changed(struct regress *t)
{
	const struct change *c = t->data;
	struct json_object *before, *after;
	struct bench b;

	begin(t, &b, 0, NR_CELLS);
	before = look(t, &b, c->section);
	b.kernel.nr = c->nr;
	b.kernel.arg = c->arg;
	b.kernel.answer = c->answer;
	after = measure(&b, c->section);
	b.kernel.nr = -1;
	regress_expect(t, after, "there is no section");
	compare_rows(t, &b, c, before, after);
	json_object_put(before);
	json_object_put(after);
	end(t, &b);
}

/* --- call n fails --- */

/* So many of a section's calls fail in turn; all of them would take a quarter of an hour. */
#define FAILURES 4

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0;
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

/*
 * Whichever call fails, nothing is left open, and each row has an answer. One cell is measured, by
 * link.
 */
static void some_fail(struct regress *t)
{
	const unsigned int section = *(const unsigned int *)t->data;
	struct json_object *one;
	unsigned int calls, n;
	struct bench b;
	unsigned int fds;

	begin(t, &b, 1, 2);
	fds = regress_nr_fds();
	json_object_put(measure(&b, section));
	calls = b.kernel.calls;
	regress_expect(t, calls > FAILURES, "there are %u calls", calls);
	for (unsigned int i = 1; i <= FAILURES; i++) {
		n = (uint64_t)calls * i / FAILURES;
		b.kernel.calls = 0;
		b.kernel.fail_at = n;
		one = measure(&b, section);
		regress_expect(t, one && all_answered(one), "call %u of %u: not all is answered", n,
			       calls);
		regress_expect(t, regress_nr_fds() == fds, "call %u of %u: %u descriptors, not %u",
			       n, calls, regress_nr_fds(), fds);
		regress_expect(t, !has_children(), "call %u of %u: a process is left", n, calls);
		json_object_put(one);
	}
	b.kernel.fail_at = 0;
	end(t, &b);
}

/*
 * One scene of one cell is enough: it waits for its ten seconds. Asked before the first cell, which
 * is left out, before the second, and before each of its scenes.
 */
static bool once(void *arg)
{
	return ++*(unsigned int *)arg > 3;
}

static void does_not_end(struct regress *t)
{
	struct json_object *section, *answer;
	unsigned int asked = 0;
	struct bench b;

	begin(t, &b, 1, 2);
	b.s.stop = once;
	b.s.arg = &asked;
	b.kernel.runs_on = true;
	section = measure(&b, LIFETIME);
	regress_expect(t, section, "there is no section");
	answer = answer_of(row_of(section, "never-enabled"), b.s.cells[1].name);
	regress_expect(t, !strcmp(compare_word(message_get(answer, "error"), "reason"),
				  "compare/not-ended"),
		       "the answer is '%s'", compare_word(answer, "answer"));
	json_object_put(section);
	end(t, &b);
}

void compare_fill_sections(struct regress_list *list)
{
	static const unsigned int numbers[] = { LIFETIME, VISIBILITY, PRIVILEGE };

	for (size_t i = 0; i < NR(numbers); i++)
		regress_add(list, is_whole, &numbers[i],
			    "%s: each row has an answer of each cell", sections[i].name);
	for (size_t i = 0; i < NR(changes); i++)
		regress_add(list, is_changed, &changes[i],
			    "an answer of its own: %s", changes[i].what);
	for (size_t i = 0; i < NR(numbers); i++)
		regress_add(list, some_fail, &numbers[i],
			    "%s: calls that fail leave nothing behind", sections[i].name);
	regress_add(list, does_not_end, NULL,
		    "what was attached before and still runs is told from what is attached then");
}
