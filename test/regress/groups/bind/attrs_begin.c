// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When an event with a program begins to count: with its leader, or when its task executes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "loader/core/event/scope.h"

#define TIMES 10

static void expect_runs(struct regress *t, const struct regress_object *o, uint64_t runs,
			const char *when)
{
	const struct context_io io = io_get(t, o);

	regress_expect(t, io.runs == runs, "%llu runs, expected %llu %s",
		       (unsigned long long)io.runs, (unsigned long long)runs, when);
}

/* --- groups --- */

/* Opens a group of two events that one page fault triggers both; the leader is page-faults:u. */
static void begin_group(struct regress *t, struct regress_object *o, struct event_list *list,
			struct event_scope *scope, struct attach_set *set)
{
	const struct context_io io = { .low = (uintptr_t)known_store_at,
				       .high = (uintptr_t)known_store_at + 1 };
	struct attach_request reqs[2];
	struct error err = { 0 };
	char self[16];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };

	known_ready();
	snprintf(self, sizeof(self), "%d", gettid());
	regress_load(t, o, "context", "pe_see");
	io_put(t, o, &io);
	regress_ok(t, event_list_parse(list, "{page-faults:u,minor-faults:u}", &err), &err, "list");
	regress_ok(t, event_scope_init(t->sys, scope, &asked, &err), &err, "scope");
	for (int i = 0; i < 2; i++)
		reqs[i] = (struct attach_request){
			.method = attach_method_find("ioctl", NULL), .spec = &list->specs[i],
			.scope = scope, .period = 1, .prog_fd = regress_prog(t, o, "pe_see"),
			.prog_type = BPF_PROG_TYPE_PERF_EVENT, .member = i > 0,
		};
	regress_ok(t, attach_events(t->sys, reqs, 2, set, &err), &err, "group");
	regress_expect(t, set->nr == 2, "%u events", set->nr);
}

static void end_group(struct regress *t, struct regress_object *o, struct event_list *list,
		      struct event_scope *scope, struct attach_set *set)
{
	attach_close(t->sys, set);
	event_scope_free(t->sys, scope);
	event_list_free(list);
	regress_unload(t, o);
}

/* Each event from @first on has TIMES or more, and none has run more often than it occurred. */
static uint64_t expect_all(struct regress *t, const struct regress_object *o,
			   const struct attach_set *set, unsigned int first)
{
	const uint64_t runs = io_get(t, o).runs;
	uint64_t count, sum = 0;

	for (unsigned int i = first; i < set->nr; i++, sum += count)
		regress_expect(t, sys_read(t->sys, set->list[i].event_fd, &count, sizeof(count)) ==
			       sizeof(count), "reading a count");
	regress_expect(t, runs >= (set->nr - first) * TIMES && runs <= sum,
		       "%llu runs for %d pages, and %llu faults in all", (unsigned long long)runs,
		       TIMES, (unsigned long long)sum);
	return runs;
}

static void leader_enables(struct regress *t)
{
	struct event_scope scope = { 0 };
	struct event_list list = { 0 };
	struct attach_set set = { 0 };
	struct regress_object o;
	uint64_t runs;
	int ret;

	begin_group(t, &o, &list, &scope, &set);
	happen_touch(t, TIMES);
	expect_runs(t, &o, 0, "before it is enabled");
	ret = sys_ioctl(t->sys, set.list[0].event_fd, PERF_EVENT_IOC_ENABLE, 0);
	regress_expect(t, ret >= 0, "PERF_EVENT_IOC_ENABLE: %s", regress_errno(ret));
	happen_touch(t, TIMES);
	runs = expect_all(t, &o, &set, 0);
	ret = sys_ioctl(t->sys, set.list[0].event_fd, PERF_EVENT_IOC_DISABLE, 0);
	regress_expect(t, ret >= 0, "PERF_EVENT_IOC_DISABLE: %s", regress_errno(ret));
	happen_touch(t, TIMES);
	expect_runs(t, &o, runs, "once the leader is disabled");
	end_group(t, &o, &list, &scope, &set);
}

static void leader_closed(struct regress *t)
{
	struct event_scope scope = { 0 };
	struct event_list list = { 0 };
	struct attach_set set = { 0 };
	struct regress_object o;
	struct error err = { 0 };

	begin_group(t, &o, &list, &scope, &set);
	regress_ok(t, attach_enable(t->sys, &set, &err), &err, "enabling");
	sys_close_fd(t->sys, &set.list[0].event_fd);
	happen_touch(t, TIMES);
	expect_all(t, &o, &set, 1);
	end_group(t, &o, &list, &scope, &set);
}

/* --- exec --- */

struct child {
	pid_t pid;
	int to[2], from[2];
};

/*
 * The child touches pages for one message of its parent, answers, and executes this program for the
 * next.
 */
static _Noreturn void be_child(struct regress *t, struct child *c)
{
	static char *const argv[] = { "attach-regress", "-l", NULL };
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char byte;

	close(c->to[1]);
	if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(1);
	if (read(c->to[0], &byte, 1) != 1)
		_exit(1);
	happen_touch(t, TIMES);
	if (write(c->from[1], "", 1) != 1 || read(c->to[0], &byte, 1) != 1)
		_exit(1);
	execve("/proc/self/exe", argv, (char *[]){ NULL });
	_exit(1);
}

static void tell(struct regress *t, const struct child *c)
{
	regress_expect(t, write(c->to[1], "", 1) == 1, "write: %s", strerror(errno));
}

static void on_exec(struct regress *t)
{
	const struct context_io io = { 0 };
	struct event_scope_options asked = { .no_inherit = true };
	struct attach_request req;
	struct attach_set set = { 0 };
	struct event_scope scope;
	struct regress_object o;
	struct event_spec spec;
	struct error err = { 0 };
	struct child c;
	char byte;

	regress_expect(t, !pipe2(c.to, O_CLOEXEC) && !pipe2(c.from, O_CLOEXEC), "pipe: %s",
		       strerror(errno));
	c.pid = fork();
	regress_expect(t, c.pid >= 0, "fork: %s", strerror(errno));
	if (!c.pid)
		be_child(t, &c);
	asked.command = c.pid;
	regress_load(t, &o, "context", "pe_see");
	io_put(t, &o, &io);
	regress_event(t, &spec, "page-faults:u,period=1");
	regress_ok(t, event_scope_init(t->sys, &scope, &asked, &err), &err, "scope");
	req = (struct attach_request){
		.method = attach_method_find(t->data, NULL), .spec = &spec, .scope = &scope,
		.on_exec = true, .prog_fd = regress_prog(t, &o, "pe_see"),
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
	};
	regress_ok(t, attach_prog(t->sys, &req, &set, &err), &err, "attach");
	tell(t, &c);
	regress_expect(t, read(c.from[0], &byte, 1) == 1, "the child has ended");
	expect_runs(t, &o, 0, "before it executes");
	tell(t, &c);
	waitpid(c.pid, NULL, 0);
	regress_expect(t, io_get(t, &o).runs > 0, "it has not run since");
	attach_close(t->sys, &set);
	event_scope_free(t->sys, &scope);
	regress_unload(t, &o);
	for (int i = 0; i < 2; i++) {
		close(c.to[i]);
		close(c.from[i]);
	}
}

static const struct regress_test tests[] = {
	{ "a group: enabling the leader runs the programs of all", leader_enables, NULL, 0 },
	{ "a group: without its leader the other goes on", leader_closed, NULL, 0 },
	{ "enable_on_exec by ioctl: runs from then on", on_exec, "ioctl", 0 },
	{ "enable_on_exec by link: runs from then on", on_exec, "link", 0 },
	{ 0 }
};

const struct regress_group regress_group_attrs_begin = {
	"attrs_begin", "when an event with a program begins to count", tests, NULL, __FILE__
};
