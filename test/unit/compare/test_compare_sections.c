// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of the parts that the sections of a comparison share: other processes, tools, rows,
 * answers.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>


#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/compare/measure/visibility/run_tool.h"
#include "test/unit/common/json_of.h"
#include "test/unit/common/suite.h"

/* --- processes --- */

/* The running kernel, on which call @fails has the answer @answer after @good others of it. */
struct kernel {
	struct sys sys;		/* first: enter() gets it back */
	long fails, answer;
	int good, pipe_ends, children, waited, killed;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;
	long ret;

	if (nr == k->fails && k->good-- <= 0)
		return k->answer;
	ret = sys_linux()->enter(sys_linux(), nr, arg);
	k->pipe_ends += nr == __NR_pipe2 ? 2 : -(nr == __NR_close);
	k->children += nr == __NR_clone && ret > 0;
	k->waited += nr == __NR_waitid && ret == 0;
	k->killed += nr == __NR_kill;
	return ret;
}

#define KERNEL(...) ((struct kernel){ .sys = { .enter = enter }, .fails = -1, ##__VA_ARGS__ })

/* A peer that adds up the numbers of its messages, and answers each with the sum. */
static void add(struct peer *self, void *arg)
{
	struct peer_message word = { .number = { *(int *)arg } };
	char what;

	peer_report(self, &word);
	while ((what = peer_wait(self))) {
		word.number[0] += what;
		peer_report(self, &word);
	}
}

static void refuse(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };

	(void)arg;
	word.ret = error_set(&word.err, EPERM, "it is night");
	error_reason(&word.err, "attach/no-capability");
	peer_report(self, &word);
}

static void be_silent(struct peer *self, void *arg)
{
	(void)self;
	(void)arg;
}

static void wait_in_silence(struct peer *self, void *arg)
{
	(void)arg;
	peer_wait(self);
}

TEST_EACH(actor_answers, 2)
{
	struct kernel k = KERNEL();
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;
	int begin = 5;

	ck_assert_int_eq(peer_begin(&peer, &k.sys, add, &begin, &err), 0);
	ck_assert_int_eq(peer_receive(&peer, &word, &err), 0);
	ck_assert_int_eq(word.number[0], 5);
	for (int i = 1; i < 4; i++) {
		ck_assert_int_eq(peer_send(&peer, 10), 0);
		ck_assert_int_eq(peer_receive(&peer, &word, &err), 0);
		ck_assert_int_eq(word.number[0], 5 + 10 * i);
	}
	peer_end(&peer, _i);
	ck_assert_int_eq(k.waited, 1);
	ck_assert_int_eq(k.killed, _i);
}

TEST(actor_is_refused)
{
	struct kernel k = KERNEL();
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;

	ck_assert_int_eq(peer_begin(&peer, &k.sys, refuse, NULL, &err), 0);
	ck_assert_int_eq(peer_receive(&peer, &word, &err), -EPERM);
	ck_assert_str_eq(err.what, "it is night");
	ck_assert_str_eq(err.reason, "attach/no-capability");
	peer_end(&peer, false);
	ck_assert_int_eq(k.waited, 1);
}

/*
 * The actor has ended; or it lives and sends nothing until the time for it is over, and is killed.
 */
TEST_EACH(actor_says_nothing, 2)
{
	struct kernel k = KERNEL();
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;

	ck_assert_int_eq(peer_begin(&peer, &k.sys, _i ? wait_in_silence : be_silent, NULL, &err),
			 0);
	if (_i)
		k.fails = __NR_ppoll;	/* "the time is over" */
	ck_assert_int_eq(peer_receive(&peer, &word, &err), _i ? -ETIMEDOUT : -EPIPE);
	ck_assert_str_eq(err.reason, "compare/no-answer");
	peer_end(&peer, false);
	ck_assert_int_eq(k.waited, 1);
	ck_assert_int_eq(k.killed, _i);
}

TEST_EACH(actor_cannot_begin, 3)
{
	static const long calls[] = { __NR_pipe2, __NR_clone, __NR_pipe2 };
	struct kernel k = KERNEL(.answer = -EAGAIN, .good = _i == 2);
	struct error err = { 0 };
	struct peer peer;

	k.fails = calls[_i];
	ck_assert_int_eq(peer_begin(&peer, &k.sys, be_silent, NULL, &err), -EAGAIN);
	ck_assert_str_eq(err.reason, "command/no-child");
	ck_assert_int_eq(k.children, 0);
	ck_assert_int_eq(peer.tell_fd, -1);
	ck_assert_int_eq(peer.hear_fd, -1);
	ck_assert_int_eq(k.pipe_ends, 0);
}

/* --- sections --- */

static const struct section_row two_rows[] = { { "a", "the first" }, { "b", "the second" } };

/* Returns the member @key of the answer of @cell in row @row. */
static const char *said(struct section *s, unsigned int row, const char *cell, const char *key)
{
	struct json_object *cells, *answer, *member;

	if (!json_object_object_get_ex(s->rows[row], "cells", &cells) ||
	    !json_object_object_get_ex(cells, cell, &answer) ||
	    !json_object_object_get_ex(answer, key, &member))
		return NULL;
	return json_object_get_string(member);
}

TEST(first_answer_stays)
{
	const struct compare_cell one = { .name = "type+ioctl" }, two = { .name = "type+link" };
	struct json_object *event = json_object_new_object();
	struct error err = { 0 };
	struct section s;

	ck_assert_int_eq(section_begin(&s, event, "lifetime", "T", two_rows, 2, &err), 0);
	section_cell(&s, &one);
	section_put(&s, 0, "runs", "%d times", 3);
	section_put(&s, 0, "stops", NULL);
	error_set(&err, EEXIST, "it is there");
	section_rest(&s, 0, 1, &err);
	ck_assert_int_eq(err.code, 0);
	section_cell(&s, &two);
	error_set(&err, 4095, "a new errno");
	section_refused(&s, 0, &err);
	ck_assert_str_eq(said(&s, 0, "type+ioctl", "answer"), "runs");
	ck_assert_str_eq(said(&s, 0, "type+ioctl", "detail"), "3 times");
	ck_assert_ptr_null(said(&s, 0, "type+ioctl", "error"));
	ck_assert_str_eq(said(&s, 1, "type+ioctl", "answer"), "EEXIST");
	ck_assert_ptr_nonnull(strstr(said(&s, 1, "type+ioctl", "error"), "it is there"));
	ck_assert_str_eq(said(&s, 0, "type+link", "answer"), "-4095");
	ck_assert_ptr_null(said(&s, 1, "type+link", "answer"));
	ck_assert(!s.no_memory);
	json_object_put(event);
}

static void count(void *arg, const struct compare_subject *s, const struct compare_cell *cell)
{
	ck_assert_ptr_nonnull(s);
	strcat(arg, cell->name);
	strcat(arg, " ");
}

/* Only cells that fire have a lifetime; where none does there is no section. */
TEST_EACH(asks_cells_that_fire, 3)
{
	static const struct {
		const char *cells, *asked;
	} rows[] = {
		{ "[{\"cell\":\"a\",\"outcome\":\"fires\"},{\"cell\":\"b\",\"outcome\":\"silent\"},"
		  "{\"cell\":\"c\",\"outcome\":\"fires\"}]", "a c " },
		{ "[{\"cell\":\"d\",\"outcome\":\"absent\"}, {\"cell\":\"a\"}]", "" },
		{ "[]", "" },
	};
	struct compare_subject s = { .cells = { { .name = "a" }, { .name = "b" }, { .name = "c" },
						{ .name = "d" } } };
	struct json_object *event = json_object_new_object();
	char asked[64] = "";
	struct section section = { .id = "lifetime" };
	struct error err = { 0 };

	json_object_object_add(event, "cells", json_of(rows[_i].cells));
	ck_assert_int_eq(section_any_fires(&s, event), rows[_i].asked[0] != '\0');
	ck_assert_int_eq(section_each_fires(&s, event, &section, count, asked, &err), 0);
	ck_assert_str_eq(asked, rows[_i].asked);
	if (!asked[0]) {
		ck_assert_int_eq(compare_lifetime(&s, event, &err), 0);
		ck_assert(!json_object_object_get_ex(event, "sections", NULL));
	}
	json_object_put(event);
}

/* --- tools --- */

TEST(tool_is_found_and_run)
{
	char *const says[] = { "echo", "[{\"prog_id\":7}]", NULL }, *const fails[] = { "false", NULL };
	struct kernel k = KERNEL();
	struct error err = { 0 };
	char path[256], *text;

	ck_assert(!tool_find(&k.sys, "no such tool anywhere", path, sizeof(path)));
	ck_assert(tool_find(&k.sys, "echo", path, sizeof(path)));
	ck_assert_int_eq(tool_run(&k.sys, path, says, &text, &err), 0);
	ck_assert_str_eq(text, "[{\"prog_id\":7}]\n");
	free(text);
	ck_assert(tool_find(&k.sys, "false", path, sizeof(path)));
	ck_assert_int_eq(tool_run(&k.sys, path, fails, &text, &err), -ECHILD);
	ck_assert_ptr_nonnull(strstr(err.what, "has exited with status 1"));
	free(text);
	ck_assert_int_eq(k.waited, 2);
}

/* The tool runs without the user's environment, and no program that it names is run. */
TEST(tool_has_an_environment_of_its_own)
{
	char *const argv[] = { "env", NULL };
	struct kernel k = KERNEL();
	struct error err = { 0 };
	char path[256], *text;

	setenv("PATH", "/tmp:.", 1);
	setenv("LD_PRELOAD", "", 1);
	ck_assert(tool_find(&k.sys, "env", path, sizeof(path)));
	ck_assert(!strcmp(path, "/usr/bin/env") || !strcmp(path, "/bin/env"));
	ck_assert_int_eq(tool_run(&k.sys, path, argv, &text, &err), 0);
	ck_assert_str_eq(text, "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nLC_ALL=C\n");
	free(text);
}

/* The time is over: it is killed, and waited for. */
TEST(tool_does_not_end)
{
	char *const argv[] = { "sleep", "1000", NULL };
	struct kernel k = KERNEL(.answer = 0);
	struct error err = { 0 };
	char path[256], *text;

	ck_assert(tool_find(&k.sys, "sleep", path, sizeof(path)));
	k.fails = __NR_ppoll;
	ck_assert_int_eq(tool_run(&k.sys, path, argv, &text, &err), -ETIMEDOUT);
	ck_assert_int_eq(k.killed, 1);
	ck_assert_int_eq(k.waited, 1);
	free(text);
}

TEST(tool_lists_what_it_writes)
{
	static const char text[] = "[{\"id\":1,\"prog_id\":7},{\"prog_id\":8,\"pid\":3}]";

	ck_assert_int_eq(tool_lists(text, "prog_id", 7, NULL, 0), 1);
	ck_assert_int_eq(tool_lists(text, "prog_id", 8, "pid", 3), 1);
	ck_assert_int_eq(tool_lists(text, "prog_id", 7, "pid", 3), 0);
	ck_assert_int_eq(tool_lists(text, "prog_id", 9, NULL, 0), 0);
	ck_assert_int_eq(tool_lists("[]", "prog_id", 9, NULL, 0), 0);
	ck_assert_int_eq(tool_lists("{\"error\":\"no\"}", "prog_id", 9, NULL, 0), -EBADMSG);
	ck_assert_int_eq(tool_lists("", "prog_id", 9, NULL, 0), -EBADMSG);
	ck_assert_int_eq(tool_lists(NULL, "prog_id", 9, NULL, 0), -EBADMSG);
}

/* --- rounds of work that are in vain --- */

/* A kernel that counts misses: @more of them with each question. */
struct counting {
	struct sys sys;		/* first: enter() gets it back */
	uint64_t misses, more;
	unsigned int pauses;
};

static long count_misses(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct counting *k = (struct counting *)sys;
	struct bpf_prog_info *info;

	if (nr == __NR_ppoll) {
		k->pauses++;
		return 0;
	}
	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_uint_eq(arg[0], BPF_OBJ_GET_INFO_BY_FD);
	info = (void *)(uintptr_t)((const union bpf_attr *)arg[1])->info.info;
	info->recursion_misses = k->misses;
	k->misses += k->more;
	return 0;
}

static const struct {
	enum event_kind kind;
	bool exact;
	int prog_fd;		/* -1: nobody can ask */
	uint64_t more;
	unsigned int again;	/* this many rounds are repeated */
} vain[] = {
	{ EVENT_TRACEPOINT, true, 3, 0, 0 },
	{ EVENT_TRACEPOINT, true, 3, 1, 2 },
	{ EVENT_TRACEPOINT, true, -1, 0, 2 },
	{ EVENT_TRACEPOINT, false, 3, 1, 0 },
	{ EVENT_BREAKPOINT, true, 3, 0, 2 },
	{ EVENT_BREAKPOINT, false, 3, 0, 0 },
};

TEST_ROWS(what_was_missed_is_done_again, vain)
{
	struct counting k = { .sys = { .enter = count_misses }, .more = vain[_i].more };
	const struct event_spec spec = { .kind = vain[_i].kind };
	const struct firing_work work = { .exact = vain[_i].exact };
	const struct compare_subject s = { .sys = &k.sys, .spec = &spec, .work = &work };
	const struct fixture st = { .s = &s, .sys = &k.sys };
	const struct firing_prog prog = { .map_fd = -1, .prog_fd = vain[_i].prog_fd };
	struct fixture_rounds rounds = fixture_rounds(&st, &prog);
	unsigned int again = 0;

	while (fixture_retry_round(&st, &rounds))
		again++;
	ck_assert_uint_eq(again, vain[_i].again);
	ck_assert_uint_eq(k.pauses, again);
}

/*
 * A kernel in which programs run once @first children were created; @children is their number so
 * far.
 */
struct inheriting {
	struct sys sys;		/* first: enter() gets it back */
	unsigned int first, children;
	uint64_t runs;
};

static long inherit(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct inheriting *k = (struct inheriting *)sys;
	long ret;

	switch (nr) {
	case __NR_perf_event_open:
	case __NR_fsopen:
	case __NR_fsmount:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case __NR_fsconfig:
	case __NR_ioctl:
		return 0;
	case __NR_bpf:
		if (arg[0] == BPF_OBJ_PIN)
			return -EROFS;
		if (arg[0] == BPF_LINK_CREATE)
			return open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (arg[0] == BPF_MAP_LOOKUP_ELEM) {
			k->runs += k->children >= k->first;
			*(struct firing_value *)(uintptr_t)((const union bpf_attr *)arg[1])->value =
				(struct firing_value){ .own.runs = k->runs };
		}
		return 0;
	}
	ret = sys_linux()->enter(sys_linux(), nr, arg);
	k->children += nr == __NR_clone && ret > 0;
	return ret;
}

static void do_nothing(void)
{
}

/* The first child inherits nothing; the next ones do. */
static const struct {
	enum event_kind kind;
	unsigned int first, children;
	const char *answer;
} inherited[] = {
	{ EVENT_UPROBE, 2, 2, "runs" },
	{ EVENT_UPROBE, 3, 3, "runs" },
	{ EVENT_USDT, 4, 4, "runs" },
	{ EVENT_UPROBE, 5, 4, "no runs" },
	{ EVENT_TRACEPOINT, 2, 2, "runs" },
	{ EVENT_TRACEPOINT, 3, 2, "no runs" },
};

TEST_EACH(uprobe_in_vain_has_other_children,  NR(inherited))
{
	static const struct section_row rows[LIFE_NR] = {
		[LIFE_CHILD] = { "child", "" }, [LIFE_CHILD_INHERITS] = { "child-inherits", "" },
		[LIFE_CHILD_ENDED] = { "child-ended", "" },
	};
	struct inheriting k = { .sys = { .enter = inherit }, .first = inherited[_i].first };
	const struct event_spec spec = { .kind = inherited[_i].kind };
	const struct firing_work work = { .exact = true, .unit = do_nothing };
	const struct compare_cell cell = {
		.name = "tracefs+ioctl", .method = attach_method_find("ioctl", NULL),
	};
	const struct compare_subject s = {
		.sys = &k.sys, .spec = &spec, .work = &work, .target = { .cpu = -1 },
	};
	struct fixture st = {
		.s = &s,
		.sys = &k.sys,
		.cell = &cell,
		.units = 1,
		.prog = { .map_fd = -1, .prog_fd = 1000, .tells_tasks = true },
	};
	struct json_object *event = json_object_new_object();
	struct section section;

	ck_assert_int_eq(section_begin(&section, event, "lifetime", "T", rows, LIFE_NR, NULL), 0);
	section_cell(&section, &cell);
	life_children(&st, &section);
	ck_assert_str_eq(said(&section, LIFE_CHILD, cell.name, "answer"), "no runs");
	ck_assert_str_eq(said(&section, LIFE_CHILD_INHERITS, cell.name, "answer"),
			 inherited[_i].answer);
	ck_assert_uint_eq(k.children, inherited[_i].children);
	json_object_put(event);
}

TEST(link_that_cannot_be_pinned)
{
	static const struct section_row rows[LIFE_NR] = {
		[LIFE_PINNED_EXIT] = { "pinned-exits", "" },
		[LIFE_PINNED_KILL] = { "pinned-killed", "" }, [LIFE_UNPINNED] = { "unpinned", "" },
	};
	struct inheriting k = { .sys = { .enter = inherit }, .first = 1 };
	const struct event_spec spec = { .kind = EVENT_TRACEPOINT };
	const struct firing_work work = { .exact = true, .unit = do_nothing };
	const struct compare_cell cell = {
		.name = "tracefs+link", .method = attach_method_find("link", NULL),
	};
	const struct compare_subject s = {
		.sys = &k.sys, .spec = &spec, .work = &work, .target = { .cpu = -1 },
	};
	struct fixture st = {
		.s = &s, .sys = &k.sys, .cell = &cell, .units = 1,
		.prog = { .map_fd = -1, .prog_fd = 1000, .tells_tasks = true },
	};
	struct json_object *event = json_object_new_object();
	struct section section;

	ck_assert_int_eq(section_begin(&section, event, "lifetime", "T", rows, LIFE_NR, NULL), 0);
	section_cell(&section, &cell);
	life_pinned(&st, &section);
	for (unsigned int row = LIFE_PINNED_EXIT; row <= LIFE_UNPINNED; row++)
		ck_assert_pstr_eq(said(&section, row, cell.name, "answer"), "EROFS");
	json_object_put(event);
}
