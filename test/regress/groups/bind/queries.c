// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Queries for the programs bound to an event: PERF_EVENT_IOC_QUERY_BPF, and BPF_TASK_FD_QUERY of
 * the descriptor.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "test/regress/common/others.h"
#include "loader/base/kernel/kernel_calls.h"

static const struct kind counted = { "page-faults", "page-faults,period=1", KIND_COUNTED };

#define EVENTS 3

/* Three events of one tracepoint; programs of others on it are listed, too. */
struct trio {
	struct kind kind;
	uint32_t others;
	struct event_spec spec;
	struct compare_subject s;
	struct compare_event first;
	struct attachment a[EVENTS];
	int progs[EVENTS];
	uint32_t ids[EVENTS];
};

static void begin_on(struct regress *t, struct trio *c)
{
	struct error err = { 0 };

	kind_begin(t, &c->kind, &c->spec, &c->s);
	regress_ok(t, c->s.no_prog.code, &c->s.no_prog, "the program");
	regress_ok(t, compare_open(&c->s, &c->s.cells[0], &c->first, &err), &err, "event");
	for (int i = 0; i < EVENTS; i++)
		c->a[i] = (struct attachment){ .event_fd = c->progs[i] = -1, .link_fd = -1 };
}

static void begin(struct regress *t, struct trio *c)
{
	c->kind = others_choose(t, &c->others);
	begin_on(t, c);
	if (c->others > OTHERS_MOST - EVENTS)
		regress_skip(t, "others have %u programs on %s", c->others, c->kind.event);
}

static void bind_all(struct regress *t, struct trio *c)
{
	struct bpf_prog_info info;

	for (int i = 0; i < EVENTS; i++) {
		c->progs[i] = regress_ok(t, kind_program(t, c->s.prog.prog_type, 1), NULL,
					 "a program");
		regress_ok(t, kernel_prog_info(t->sys, c->progs[i], &info), NULL, "its info");
		c->ids[i] = info.id;
		c->a[i].event_fd = regress_ok(t, event_open(t->sys, &c->spec, &c->first.attr,
							    &c->s.target, -1, NULL), NULL, "event");
		regress_ok(t, c->s.cells[0].method->bind(t->sys, &c->a[i], c->progs[i], 0, NULL),
			   NULL, "binding");
	}
}

static void end(struct regress *t, struct trio *c)
{
	for (int i = 0; i < EVENTS; i++) {
		sys_close_fd(t->sys, &c->a[i].event_fd);
		sys_close_fd(t->sys, &c->progs[i]);
	}
	compare_close(&c->s, &c->first);
	kind_end(&c->s);
}

/* struct perf_event_query_bpf: ids_len, prog_cnt, and then the ids. */
struct list {
	uint32_t room, nr, ids[66];
};

static const char *query(struct regress *t, int event_fd, struct list *list, uint32_t room)
{
	*list = (struct list){ .room = room };
	return regress_errno(sys_ioctl(t->sys, event_fd, PERF_EVENT_IOC_QUERY_BPF,
				       (unsigned long)list));
}

static bool lists(const struct list *list, uint32_t id)
{
	for (uint32_t i = 0; i < list->nr && i < list->room; i++)
		if (list->ids[i] == id)
			return true;
	return false;
}

static const struct regress_since ok[] = { { LINUX(0, 0), "0" } };
static const struct regress_since enospc[] = { { LINUX(0, 0), "ENOSPC" } };
static const struct regress_since e2big[] = { { LINUX(0, 0), "E2BIG" } };
static const struct regress_since einval[] = { { LINUX(0, 0), "EINVAL" } };

/* A query of one event lists the programs of all events on the tracepoint. */
static void all_programs(struct regress *t)
{
	struct list list;
	struct trio c;

	begin(t, &c);
	bind_all(t, &c);
	regress_answer(t, "", query(t, c.a[0].event_fd, &list, 64), ok, 1);
	regress_expect(t, list.nr == c.others + EVENTS, "%u programs", list.nr);
	for (int i = 0; i < EVENTS; i++)
		regress_expect(t, lists(&list, c.ids[i]), "program %u is not listed", c.ids[i]);
	end(t, &c);
}

static void of_an_unbound_event(struct regress *t)
{
	struct list list;
	struct trio c;

	begin(t, &c);
	regress_answer(t, "nobody is bound", query(t, c.first.a.event_fd, &list, 64), ok, 1);
	regress_expect(t, list.nr == c.others, "%u programs", list.nr);
	bind_all(t, &c);
	regress_answer(t, "others are", query(t, c.first.a.event_fd, &list, 64), ok, 1);
	regress_expect(t, list.nr == c.others + EVENTS, "%u programs", list.nr);
	end(t, &c);
}

/* bpf_prog_array_copy_info() */
static void too_little_room(struct regress *t)
{
	struct list list, all;
	struct trio c;

	begin(t, &c);
	bind_all(t, &c);
	regress_answer(t, "room for all", query(t, c.a[0].event_fd, &all, 64), ok, 1);
	regress_answer(t, "room for one", query(t, c.a[0].event_fd, &list, 1), enospc, 1);
	regress_expect(t, list.nr == c.others + EVENTS, "%u programs", list.nr);
	regress_expect(t, lists(&all, list.ids[0]), "id %u is none of them", list.ids[0]);
	regress_expect(t, !list.ids[1], "more was written than fits");
	regress_answer(t, "room for none", query(t, c.a[0].event_fd, &list, 0), ok, 1);
	regress_expect(t, list.nr == c.others + EVENTS, "%u programs", list.nr);
	regress_answer(t, "room for 65", query(t, c.a[0].event_fd, &list, 65), e2big, 1);
	end(t, &c);
}

/* A program that was unbound is no longer in the list. */
static void who_left(struct regress *t)
{
	struct list list;
	struct trio c;

	begin(t, &c);
	bind_all(t, &c);
	sys_close_fd(t->sys, &c.a[1].event_fd);
	regress_answer(t, "", query(t, c.a[0].event_fd, &list, 64), ok, 1);
	regress_expect(t, list.nr == c.others + EVENTS - 1, "%u programs", list.nr);
	regress_expect(t, !lists(&list, c.ids[1]), "the one that left is listed");
	end(t, &c);
}

static void of_a_counter(struct regress *t)
{
	struct list list;
	struct trio c;

	c.kind = counted;
	begin_on(t, &c);
	regress_answer(t, "", query(t, c.first.a.event_fd, &list, 64), einval, 1);
	end(t, &c);
}

/* --- BPF_TASK_FD_QUERY --- */

/* @attr: the kernel's answer, except for the name. */
static const char *ask(struct regress *t, union bpf_attr *attr, pid_t pid, int fd, uint32_t flags,
		       char *name, uint32_t *len)
{
	int ret;

	memset(attr, 0, sizeof(*attr));
	attr->task_fd_query.pid = pid;
	attr->task_fd_query.fd = fd;
	attr->task_fd_query.flags = flags;
	attr->task_fd_query.buf = attr_pointer(name);
	attr->task_fd_query.buf_len = *len;
	ret = sys_bpf(t->sys, BPF_TASK_FD_QUERY, attr, ATTR_SIZE(task_fd_query.probe_addr));
	*len = attr->task_fd_query.buf_len;
	return regress_errno(ret);
}

static void fd_query_names(struct regress *t)
{
	char name[64] = "";
	uint32_t len = sizeof(name);
	union bpf_attr attr;
	const char *event;
	struct trio c;

	begin(t, &c);
	event = strchr(c.kind.event, ':') + 1;
	bind_all(t, &c);
	regress_answer(t, "room for it", ask(t, &attr, getpid(), c.a[0].event_fd, 0, name, &len), ok, 1);
	regress_expect(t, !strcmp(name, event), "'%s'", name);
	regress_expect(t, len == strlen(event), "a name of %u", len);
	for (int i = 0; i < EVENTS; i++) {
		len = sizeof(name);
		regress_answer(t, "each", ask(t, &attr, getpid(), c.a[i].event_fd, 0, name, &len), ok, 1);
		regress_expect(t, attr.task_fd_query.prog_id == c.ids[i] &&
			       attr.task_fd_query.fd_type == BPF_FD_TYPE_TRACEPOINT,
			       "program %u is program %u on a target of type %u", c.ids[i],
			       attr.task_fd_query.prog_id, attr.task_fd_query.fd_type);
	}
	len = 5;
	regress_answer(t, "room for 4 characters",
		       ask(t, &attr, getpid(), c.a[0].event_fd, 0, name, &len), enospc, 1);
	regress_expect(t, strlen(name) == 4 && !strncmp(name, event, 4), "'%s'", name);
	/*
	 * Before Linux 6.1 the kernel returned the size of the buffer, and since then the length
	 * that is required.
	 */
	regress_saw(t, "the length it takes", "%u", len);
	end(t, &c);
}

static void fd_query_errors(struct regress *t)
{
	static const struct regress_since ebadf[] = { { LINUX(0, 0), "EBADF" } };
	static const struct regress_since enoent[] = { { LINUX(0, 0), "ENOENT" } };
	static const struct regress_since enotsupp[] = { { LINUX(0, 0), "ENOTSUPP" } };
	char name[64];
	uint32_t len = sizeof(name);
	union bpf_attr attr;
	struct trio c;

	begin(t, &c);
	regress_answer(t, "no such descriptor", ask(t, &attr, getpid(), 1000, 0, name, &len), ebadf, 1);
	regress_answer(t, "no such process", ask(t, &attr, 0x3ffffffe, 0, 0, name, &len), enoent, 1);
	regress_answer(t, "flags 1", ask(t, &attr, getpid(), c.first.a.event_fd, 1, name, &len), einval,
		       1);
	regress_answer(t, "a program", ask(t, &attr, getpid(), c.s.prog.prog_fd, 0, name, &len), enotsupp,
		       1);
	end(t, &c);
}

static const struct regress_test tests[] = {
	{ "PERF_EVENT_IOC_QUERY_BPF lists all programs of the tracepoint", all_programs, NULL, 0 },
	{ "PERF_EVENT_IOC_QUERY_BPF of an event without a program", of_an_unbound_event, NULL, 0 },
	{ "PERF_EVENT_IOC_QUERY_BPF says how many there are when the room is too small",
	  too_little_room, NULL, 0 },
	{ "PERF_EVENT_IOC_QUERY_BPF lists none that has left", who_left, NULL, 0 },
	{ "PERF_EVENT_IOC_QUERY_BPF of a counted event is EINVAL", of_a_counter, NULL, 0 },
	{ "BPF_TASK_FD_QUERY names the tracepoint", fd_query_names, NULL, 0 },
	{ "BPF_TASK_FD_QUERY of what is not there, or no event", fd_query_errors, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_queries = {
	"queries", "who is bound to an event, asked of the kernel", tests, NULL, __FILE__
};
