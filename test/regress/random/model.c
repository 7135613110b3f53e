// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The specification of attaching as a model without a kernel: who holds whom, what runs, what each call answers. */

/*
 * A step is one call of one process. For each there is a function below, in the order of op.h. It
 * first lists the reasons to refuse the call, in the kernel's order, and then changes the state. No
 * call frees an object: sweep() ends whatever nobody holds any more.
 *
 *	descriptor, socket, pin  --->  map, program, event (not by a pin), link
 *	link     --->  its program and its event
 *	event    --->  the program that is bound to it, by whichever call
 *	program  --->  its maps
 *	task     --->  the events that it has inherited, as long as the event they come from exists
 *
 * Two families of events run their programs differently:
 *
 * - A tracing event (tracepoint, uprobe) puts the program into an array that is run whenever the
 *   event happens. The tracepoint has one array for all of its events, so a program there runs in
 *   every task and on every CPU, also while its event is disabled or its task has exited. A uprobe
 *   of the PMU has an array of its own, and runs in the processes that it was opened for.
 * - A sampling event (page faults, breakpoints) runs its program when it overflows. So it has to be
 *   enabled, with its leader, and in its own task.
 */
#include <errno.h>
#include <string.h>

#include "test/regress/random/model.h"

#define LINUX(major, minor) ((unsigned int)(major) << 16 | (unsigned int)(minor) << 8)
#define ENOTSUPP_KERNEL 524	/* ENOTSUPP of include/linux/errno.h, which user space should not see */

/* --- where kernels differ --- */

enum rule {
	MODIFY_CHILDREN, LINKS, ENDED_LEADER, LINK_INFO_EVENT, LINK_INFO_COOKIE, PROGRAM_FIRST,
	CHILD_TAKES_PROGRAM, RETURNS_ARE_FILTERED, LIMIT_STOPS
};

const struct model_rule model_rules[] = {
	[MODIFY_CHILDREN] = { LINUX(5, 13), "47f661eca070", "MODIFY_ATTRIBUTES changes inherited events as well" },
	[LINKS] = { LINUX(5, 15), "b89fbfbb854c", "BPF_LINK_CREATE takes perf events, and programs read cookies" },
	[ENDED_LEADER] = { LINUX(6, 12), "", "joining the group of an event whose task has exited is ENODEV" },
	[LINK_INFO_EVENT] = { LINUX(6, 6), "1b715e1b0ec5", "the info of a link has the type of its event" },
	[LINK_INFO_COOKIE] = { LINUX(6, 9), "d5c16492c66f", "the info of a link has its cookie" },
	[PROGRAM_FIRST] = { LINUX(6, 10), "f11f10bfa1ca",
			    "a sample that the program drops does not count towards the limit of REFRESH" },
	[CHILD_TAKES_PROGRAM] = { LINUX(6, 10), "f11f10bfa1ca",
				  "a fault: the end of an inherited tracing event takes the program out of the array" },
	[RETURNS_ARE_FILTERED] = { LINUX(6, 13), "4d756095d399",
				   "a uretprobe runs only in processes whose entry it has accepted" },
	[LIMIT_STOPS] = { LINUX(6, 17), "18dbcbfabfff", "a fault: a breakpoint or a tracing event that has reached "
			  "the limit of REFRESH never counts again" },
};
const unsigned int model_nr_rules = sizeof(model_rules) / sizeof(model_rules[0]);

static bool has(const struct model *m, enum rule rule)
{
	return m->kernel >= model_rules[rule].since;
}

/* --- answers --- */

static void may(struct expected *e, int err)
{
	e->may[e->nr_may++] = err;
}

/* The call answers @err, and nothing else. */
static void refuse(struct expected *e, int err)
{
	e->may[0] = err;
	e->nr_may = 1;
}

static void succeed(struct expected *e)
{
	refuse(e, 0);
}

/* --- descriptors --- */

static const struct descriptor nothing = { NOTHING, 0 };

static struct descriptor file_of(const struct model *m, int who, int fd)
{
	return fd >= 0 && fd < NR_FDS && m->alive[who] ? m->files[who][fd] : nothing;
}

/* dup3(2): what the descriptor was before is closed. */
static void install(struct model *m, const struct op *op, enum kind kind, int object)
{
	m->files[op->who][op->fd] = (struct descriptor){ kind, object };
}

/* The object of the kind, or -1 with the error of bpf(2): EBADF if closed, EINVAL if of another kind. */
static int bpf_object(const struct model *m, const struct op *op, int fd, enum kind kind,
		      struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, fd);

	if (file.kind == kind)
		return file.object;
	refuse(e, file.kind == NOTHING ? EBADF : EINVAL);
	return -1;
}

/* The event, or -1 with the error of ioctl(2), which objects of BPF do not have. */
static int ioctl_event(const struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, op->fd);

	if (file.kind == EVENT)
		return file.object;
	refuse(e, file.kind == NOTHING ? EBADF : ENOTTY);
	return -1;
}

/* --- events --- */

static bool is_tracing(const struct event *event)
{
	return event->type < NR_TRACING;
}

/* The event that was opened, from which @i was inherited; or @i. */
static int opened_of(const struct model *m, int i)
{
	return m->events[i].parent < 0 ? i : m->events[i].parent;
}

bool model_active(const struct model *m, int i)
{
	const struct event *event = &m->events[i];

	return event->alive && event->state == ON && m->events[event->leader].state == ON;
}

/* @change() for the event, or with GROUP for its leader and all members; and all that inherit from these. */
static void for_each(struct model *m, int event, bool group, void (*change)(struct event *event))
{
	const int leader = m->events[event].leader;

	for (unsigned int i = 0; i < m->nr_events; i++) {
		const int opened = opened_of(m, i);

		if (m->events[i].alive &&
		    (group ? m->events[opened].leader == leader : opened == event))
			change(&m->events[i]);
	}
}

static void enable(struct event *event)
{
	if (event->state == OFF)
		event->state = ON;
}

static void disable(struct event *event)
{
	if (event->state == ON)
		event->state = OFF;
}

/* The counts of children that have exited stay. */
static void reset(struct event *event)
{
	event->count = 0;
}

/* --- binding a program --- */

static void array_remove(struct model *m, int prog)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < m->nr_array; i++)
		if (m->array[i].prog != prog)
			m->array[kept++] = m->array[i];
	m->nr_array = kept;
}

/* perf_event_free_bpf_prog() */
static void unbind(struct model *m, int i)
{
	struct event *event = &m->events[i];

	if (event->prog >= 0 && event->type == TRACEPOINT)
		array_remove(m, event->prog);
	event->prog = -1;
}

static bool array_has(const struct model *m, int prog)
{
	unsigned int i = 0;

	while (i < m->nr_array && m->array[i].prog != prog)
		i++;
	return i < m->nr_array;
}

static enum prog_type fitting(const struct event *event)
{
	return event->type == TRACEPOINT ? FOR_TRACEPOINT : is_tracing(event) ? FOR_PROBE : FOR_SAMPLES;
}

/* perf_event_set_bpf_prog(). Returns an error. */
static int bind(struct model *m, int i, int prog, uint32_t cookie)
{
	struct event *event = &m->events[i];
	const bool fits = m->progs[prog].type == fitting(event);

	/* A tracing event looks at the type first, a sampling event at the program that it has. */
	if (is_tracing(event) && !fits)
		return EINVAL;
	if (event->prog >= 0)
		return EEXIST;
	if (!fits)
		return EINVAL;
	if (event->type == TRACEPOINT && array_has(m, prog))
		return EEXIST;
	event->prog = prog;
	event->cookie = cookie;
	if (event->type == TRACEPOINT) {
		m->array[m->nr_array].prog = prog;
		m->array[m->nr_array++].cookie = cookie;
	}
	return 0;
}

/* --- who holds whom --- */

struct held {
	bool events[NR_EVENTS], progs[NR_OBJECTS], maps[NR_OBJECTS], links[NR_OBJECTS];
};

static void hold(struct held *held, struct descriptor file)
{
	bool *const of_kind[] = { NULL, held->events, held->progs, held->maps, held->links };

	if (file.kind != NOTHING)
		of_kind[file.kind][file.object] = true;
}

static void hold_all(const struct model *m, struct held *held)
{
	memset(held, 0, sizeof(*held));
	for (int who = 0; who < NR_PROCS; who++)
		for (int fd = 0; fd < NR_FDS; fd++)
			hold(held, m->files[who][fd]);
	for (int i = 0; i < NR_PINS; i++)
		hold(held, m->pins[i]);
	for (unsigned int i = 0; i < m->nr_transit; i++)
		hold(held, m->transit[i]);
	for (unsigned int i = 0; i < m->nr_links; i++)
		if (m->links[i].alive && held->links[i]) {
			held->events[m->links[i].event] = true;
			held->progs[m->links[i].prog] = true;
		}
	for (unsigned int i = 0; i < m->nr_events; i++) {
		held->events[i] = m->events[i].alive && held->events[opened_of(m, i)];
		if (held->events[i] && m->events[i].prog >= 0)
			held->progs[m->events[i].prog] = true;
	}
	for (unsigned int i = 0; i < m->nr_progs; i++)
		if (m->progs[i].alive && held->progs[i] && m->progs[i].map >= 0)
			held->maps[m->progs[i].map] = true;
}

/* The event ends. Members of its group are events of their own from then on. */
static void end_event(struct model *m, int i)
{
	struct event *event = &m->events[i];

	/* The parent's event still has the program, and is not run any more. */
	if (event->parent < 0 || has(m, CHILD_TAKES_PROGRAM) || !is_tracing(event))
		unbind(m, i);
	event->alive = false;
	for (unsigned int member = 0; member < m->nr_events; member++)
		if (m->events[member].alive && m->events[member].leader == i)
			m->events[member].leader = member;
}

/* End what nobody holds. */
static void sweep(struct model *m)
{
	struct held held;

	hold_all(m, &held);
	/* A link that ends takes its program off the event, and leaves those of children. */
	for (unsigned int i = 0; i < m->nr_links; i++)
		if (m->links[i].alive && !held.links[i]) {
			m->links[i].alive = false;
			unbind(m, m->links[i].event);
		}
	for (unsigned int i = 0; i < m->nr_events; i++)
		if (m->events[i].alive && !held.events[i])
			end_event(m, i);
	hold_all(m, &held);
	for (unsigned int i = 0; i < m->nr_progs; i++)
		m->progs[i].alive = m->progs[i].alive && held.progs[i];
	for (unsigned int i = 0; i < m->nr_maps; i++)
		m->maps[i] = m->maps[i] && held.maps[i];
}

/* --- creating --- */

static void map_create(struct model *m, const struct op *op, struct expected *e)
{
	succeed(e);
	m->maps[m->nr_maps] = true;
	install(m, op, MAP, m->nr_maps++);
}

static void prog_load(struct model *m, const struct op *op, struct expected *e)
{
	const int map = op->fd2 < 0 ? -1 : bpf_object(m, op, op->fd2, MAP, e);

	if (op->fd2 >= 0 && map < 0)
		return;
	succeed(e);
	m->progs[m->nr_progs] = (struct prog){ .alive = true, .type = op->what, .map = map,
					       .returns_1 = op->flags & RETURNS_1 };
	install(m, op, PROG, m->nr_progs++);
}

/* Return whether an event as @op describes it may be in the group of that leader. */
static bool may_follow(const struct model *m, const struct op *op, int leader)
{
	const struct event *event = &m->events[leader];

	return event->state != ENDED && event->leader == leader && event->task == op->other &&
	       (op->other < 0 || event->inherit == !!(op->flags & INHERIT));
}

static void may_open(const struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor group = file_of(m, op->who, op->fd2);

	if (op->fd2 >= 0 && group.kind != EVENT)
		return refuse(e, EBADF);
	if (op->fd2 >= 0 && m->events[group.object].state == ENDED && has(m, ENDED_LEADER))
		return refuse(e, ENODEV);
	if (op->other >= 0 && !m->alive[op->other])
		return refuse(e, ESRCH);
	if (op->fd2 >= 0 && !may_follow(m, op, group.object))
		return refuse(e, EINVAL);
	succeed(e);
	/* Only so many debug registers exist, and others use them as well. */
	if (op->what == BREAKPOINT)
		may(e, ENOSPC);
}

static void open_event(struct model *m, const struct op *op, struct expected *e)
{
	may_open(m, op, e);
	if (e->may[0] || e->answer.err)
		return;
	m->events[m->nr_events] = (struct event){
		.alive = true, .inherit = op->flags & INHERIT, .type = op->what, .task = op->other,
		.attr_disabled = op->flags & DISABLED, .state = op->flags & DISABLED ? OFF : ON,
		.parent = -1, .owner = op->who, .prog = -1, .period = op->n,
		.leader = op->fd2 < 0 ? (int)m->nr_events : file_of(m, op->who, op->fd2).object,
	};
	install(m, op, EVENT, m->nr_events++);
}

/* --- attaching --- */

static void set_bpf(struct model *m, const struct op *op, struct expected *e)
{
	const int event = ioctl_event(m, op, e);
	const int prog = event < 0 ? -1 : bpf_object(m, op, op->fd2, PROG, e);

	if (event >= 0 && prog >= 0)
		refuse(e, bind(m, event, prog, 0));
	else if (event >= 0 && !has(m, LINKS) && !is_tracing(&m->events[event]) &&
		 m->events[event].prog >= 0)
		may(e, EEXIST);
}

static void link_create(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor target = file_of(m, op->who, op->fd2);
	int prog, err;

	prog = bpf_object(m, op, op->other, PROG, e);
	if (prog < 0)
		return;
	if (!has(m, LINKS))
		return refuse(e, EINVAL);
	if (target.kind != EVENT)
		return refuse(e, EBADF);
	err = bind(m, target.object, prog, op->n);
	refuse(e, err);
	if (err)
		return;
	m->links[m->nr_links] = (struct link){ .alive = true, .event = target.object, .prog = prog,
					       .cookie = op->n };
	install(m, op, LINK, m->nr_links++);
}

/* A link to an event keeps its program. */
static void link_update(struct model *m, const struct op *op, struct expected *e)
{
	if (bpf_object(m, op, op->fd, LINK, e) >= 0 && bpf_object(m, op, op->fd2, PROG, e) >= 0)
		refuse(e, EINVAL);
}

/* A link to an event ends when nobody holds it, and in no other way. */
static void link_detach(struct model *m, const struct op *op, struct expected *e)
{
	if (bpf_object(m, op, op->fd, LINK, e) >= 0)
		refuse(e, EOPNOTSUPP);
}

/* --- controlling an event --- */

static void enabling(struct model *m, const struct op *op, struct expected *e)
{
	const int event = ioctl_event(m, op, e);

	if (event < 0)
		return;
	for_each(m, event, op->flags & GROUP, op->code == OP_ENABLE ? enable :
		 op->code == OP_DISABLE ? disable : reset);
	succeed(e);
}

static void refresh(struct model *m, const struct op *op, struct expected *e)
{
	const int i = ioctl_event(m, op, e);
	struct event *event = i < 0 ? NULL : &m->events[i];

	if (!event)
		return;
	if (event->inherit || !event->period)
		return refuse(e, EINVAL);
	event->limit += op->n;
	enable(event);
	succeed(e);
}

/* It changes this event alone; children that inherit it later get the new period. */
static void period(struct model *m, const struct op *op, struct expected *e)
{
	const int i = ioctl_event(m, op, e);
	struct event *event = i < 0 ? NULL : &m->events[i];

	if (!event)
		return;
	if (!event->period || !op->n)
		return refuse(e, EINVAL);
	succeed(e);
	if (event->state == ENDED)
		return;
	event->period = op->n;
	event->since = 0;
	/* The period of an event that counts right now is changed by stopping and starting it. */
	if (event->task == op->who && model_active(m, i))
		event->stopped = false;
}

/* modify_user_hw_breakpoint_check() */
static bool modify_one(struct event *event, const struct op *op)
{
	const bool ok = event->period == op->n && event->inherit == !!(op->flags & INHERIT);

	disable(event);
	if (ok) {
		event->variable = op->what;
		event->attr_disabled = op->flags & DISABLED;
	}
	/* As its attributes say, which ENABLE and DISABLE do not change. */
	if (!event->attr_disabled)
		enable(event);
	return ok;
}

static void modify(struct model *m, const struct op *op, struct expected *e)
{
	const int event = ioctl_event(m, op, e);

	if (event < 0)
		return;
	if (m->events[event].type != BREAKPOINT || !modify_one(&m->events[event], op))
		return refuse(e, EINVAL);
	succeed(e);
	for (unsigned int i = 0; has(m, MODIFY_CHILDREN) && i < m->nr_events; i++)
		if (m->events[i].alive && m->events[i].parent == event &&
		    !modify_one(&m->events[i], op))
			return refuse(e, EINVAL);
}

/* No event has a ring here, so there is none to redirect to. */
static void set_output(struct model *m, const struct op *op, struct expected *e)
{
	const int event = ioctl_event(m, op, e);

	if (event < 0)
		return;
	refuse(e, op->fd2 < 0 ? 0 : file_of(m, op->who, op->fd2).kind == EVENT ? EINVAL : EBADF);
}

/* PR_TASK_PERF_EVENTS_*: those that the process has opened, of whatever task, with what was inherited. */
static void task_enabling(struct model *m, const struct op *op, struct expected *e)
{
	succeed(e);
	for (unsigned int i = 0; i < m->nr_events; i++)
		if (m->events[i].alive && m->events[i].parent < 0 && m->events[i].owner == op->who)
			for_each(m, i, false, op->code == OP_TASK_ENABLE ? enable : disable);
}

/* --- asking --- */

static void read_count(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, op->fd);
	uint64_t count = 0;

	if (file.kind != EVENT)
		return refuse(e, file.kind == NOTHING ? EBADF : EINVAL);
	for (unsigned int i = 0; i < m->nr_events; i++)
		if (m->events[i].alive && opened_of(m, i) == file.object)
			count += m->events[i].count + m->events[i].of_children;
	succeed(e);
	answer_add(&e->answer, COUNT, 0, 0, count);
	/* Other tasks do the same on that CPU, and any memory may fault once more. */
	e->count_is_free = m->events[file.object].task < 0 ||
			   m->events[file.object].type == PAGE_FAULTS;
}

static void info_of_link(const struct model *m, const struct link *link, int number, struct answer *a)
{
	answer_add(a, IS_LINK, 0, 0, number);
	answer_add(a, OF_PROG, 0, 0, link->prog);
	if (has(m, LINK_INFO_EVENT))
		answer_add(a, LINK_EVENT_TYPE, 0, 0, m->events[link->event].type);
	if (has(m, LINK_INFO_COOKIE))
		answer_add(a, COOKIE, 0, 0, link->cookie);
}

static void info(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, op->fd);
	struct answer *a = &e->answer;

	if (file.kind == NOTHING || file.kind == EVENT)
		return refuse(e, file.kind == NOTHING ? EBADFD : EINVAL);
	succeed(e);
	if (file.kind == MAP)
		answer_add(a, IS_MAP, 0, 0, file.object);
	if (file.kind == PROG) {
		answer_add(a, IS_PROG, 0, 0, file.object);
		answer_add(a, PROG_TYPE, 0, 0, m->progs[file.object].type);
		answer_add(a, NR_PROG_MAPS, 0, 0, m->progs[file.object].map >= 0);
	}
	if (file.kind == LINK)
		info_of_link(m, &m->links[file.object], file.object, a);
}

static void task_query(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->other, op->fd);
	const struct event *event;

	if (!m->alive[op->other])
		return refuse(e, ENOENT);
	if (file.kind != EVENT)
		return refuse(e, file.kind == NOTHING ? EBADF : ENOTSUPP_KERNEL);
	event = &m->events[file.object];
	if (event->prog < 0)
		return refuse(e, ENOENT);
	if (!is_tracing(event))
		return refuse(e, EOPNOTSUPP);
	succeed(e);
	answer_add(&e->answer, IS_PROG, 0, 0, event->prog);
}

static void query_bpf(struct model *m, const struct op *op, struct expected *e)
{
	const int event = ioctl_event(m, op, e);

	if (event < 0)
		return;
	if (m->events[event].type != TRACEPOINT)
		return refuse(e, EINVAL);
	succeed(e);
	for (unsigned int i = 0; i < m->nr_array; i++)
		answer_add(&e->answer, BOUND, m->array[i].prog, 0, 1);
}

/* --- passing descriptors on --- */

static void copy_fd(struct model *m, const struct op *op, struct descriptor file, struct expected *e)
{
	refuse(e, file.kind == NOTHING ? EBADF : 0);
	if (file.kind != NOTHING)
		install(m, op, file.kind, file.object);
}

static void dup_fd(struct model *m, const struct op *op, struct expected *e)
{
	if (op->fd == op->fd2)
		return refuse(e, EINVAL);
	copy_fd(m, op, file_of(m, op->who, op->fd2), e);
}

static void send_fd(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, op->fd);

	refuse(e, file.kind == NOTHING ? EBADF : 0);
	if (file.kind != NOTHING)
		m->transit[m->nr_transit++] = file;
}

static void receive_fd(struct model *m, const struct op *op, struct expected *e)
{
	if (!m->nr_transit)
		return refuse(e, EAGAIN);
	succeed(e);
	install(m, op, m->transit[0].kind, m->transit[0].object);
	m->nr_transit--;
	memmove(&m->transit[0], &m->transit[1], m->nr_transit * sizeof(m->transit[0]));
}

static void get_fd(struct model *m, const struct op *op, struct expected *e)
{
	if (!m->alive[op->other])
		return refuse(e, ESRCH);
	copy_fd(m, op, file_of(m, op->other, op->fd2), e);
}

static void close_fd(struct model *m, const struct op *op, struct expected *e)
{
	refuse(e, file_of(m, op->who, op->fd).kind == NOTHING ? EBADF : 0);
	install(m, op, NOTHING, 0);
}

/* --- pins --- */

static void pin(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor file = file_of(m, op->who, op->fd);

	/* It is asked for a map, a program and a link, and what is none of these is EINVAL. */
	if (file.kind == NOTHING || file.kind == EVENT)
		return refuse(e, EINVAL);
	if (m->pins[op->what].kind != NOTHING)
		return refuse(e, EEXIST);
	succeed(e);
	m->pins[op->what] = file;
}

static void unpin(struct model *m, const struct op *op, struct expected *e)
{
	refuse(e, m->pins[op->what].kind == NOTHING ? ENOENT : 0);
	m->pins[op->what] = nothing;
	/* The inode goes after a grace period. */
	e->later = true;
}

static void obj_get(struct model *m, const struct op *op, struct expected *e)
{
	const struct descriptor pinned = m->pins[op->what];

	if (pinned.kind == NOTHING)
		return refuse(e, ENOENT);
	succeed(e);
	install(m, op, pinned.kind, pinned.object);
}

/* --- processes --- */

/* inherit_event(). The state is that of the parent's event, all else that of the event it came from. */
static int inherit_one(struct model *m, int from, int child, int leader)
{
	const int opened = opened_of(m, from);
	const struct event *parent = &m->events[opened];
	struct event *event;
	unsigned int i = 0;

	while (i < m->nr_events && (m->events[i].alive || m->events[i].parent < 0))
		i++;
	m->nr_events += i == m->nr_events;
	event = &m->events[i];
	*event = (struct event){
		.alive = true, .inherit = true, .type = parent->type, .task = child, .parent = opened,
		.leader = leader < 0 ? (int)i : leader, .owner = -1, .period = parent->period,
		.state = m->events[from].state, .attr_disabled = parent->attr_disabled,
		.variable = parent->variable, .prog = -1,
	};
	/*
	 * A sampling event gets the program, but not its cookie. A tracing event does not run the
	 * program: the tracepoint's array runs it in all tasks, and the child's uprobe has its own.
	 */
	if (!is_tracing(parent) || has(m, CHILD_TAKES_PROGRAM))
		event->prog = parent->prog;
	return i;
}

static void fork_process(struct model *m, const struct op *op, struct expected *e)
{
	const unsigned int nr = m->nr_events;

	succeed(e);
	m->alive[op->other] = true;
	memcpy(m->files[op->other], m->files[op->who], sizeof(m->files[0]));
	for (unsigned int i = 0; i < nr; i++) {
		const struct event *event = &m->events[i];
		int leader;

		if (!event->alive || event->task != op->who || event->state == ENDED ||
		    !event->inherit || event->leader != (int)i)
			continue;
		leader = inherit_one(m, i, op->other, -1);
		for (unsigned int member = 0; member < nr; member++)
			if (member != i && m->events[member].alive &&
			    m->events[member].leader == (int)i)
				inherit_one(m, member, op->other, leader);
	}
}

/* Add the runs of @prog, together with what it ran otherwise. */
static void runs(struct expected *e, int prog, uint32_t cookie, uint64_t times)
{
	struct answer *a = &e->answer;

	for (unsigned int i = 0; i < a->nr; i++)
		if (a->facts[i].what == RUNS && a->facts[i].object == prog &&
		    a->facts[i].key == cookie) {
			a->facts[i].value += times;
			return;
		}
	answer_add(a, RUNS, prog, cookie, times);
}

static void fire(struct model *m, const struct op *op, struct expected *e);

/* Its name changes, which is the tracepoint's event. Events of the task stay. */
static void exec(struct model *m, const struct op *op, struct expected *e)
{
	const struct op renamed = { .code = OP_FIRE, .who = op->who, .what = TRACEPOINT, .n = 1 };

	for (int fd = FIRST_CLOEXEC; fd < NR_FDS; fd++)
		m->files[op->who][fd] = nothing;
	fire(m, &renamed, e);
}

/* perf_event_exit_task(): what was inherited goes, what was opened stays without its task. */
static void end_process(struct model *m, int who)
{
	m->alive[who] = false;
	memset(m->files[who], 0, sizeof(m->files[who]));
	/* Descriptors are closed first. */
	sweep(m);
	for (unsigned int i = 0; i < m->nr_events; i++) {
		struct event *event = &m->events[i];

		if (event->owner == who)
			event->owner = -1;
		if (!event->alive || event->task != who)
			continue;
		event->state = ENDED;
		if (event->parent >= 0) {
			m->events[event->parent].of_children += event->count;
			end_event(m, i);
		}
	}
}

static void exit_or_kill(struct model *m, const struct op *op, struct expected *e)
{
	const int who = op->code == OP_EXIT ? op->who : op->other;

	refuse(e, m->alive[who] ? 0 : ESRCH);
	end_process(m, who);
}

/* --- what runs --- */

/* Return whether what happens in the process is an occurrence of the event. */
static bool is_for(const struct event *event, const struct op *op)
{
	if (!event->alive || event->state == ENDED || (event->task >= 0 && event->task != op->who))
		return false;
	if (op->what == UPROBE || op->what == URETPROBE)
		return event->type == UPROBE || event->type == URETPROBE;
	return event->type == op->what && (event->type != BREAKPOINT || event->variable == op->fd);
}

/* __perf_event_overflow() */
static void overflow(struct model *m, struct event *event, struct expected *e)
{
	const bool sampling = event->prog >= 0 && !is_tracing(event);

	if (sampling)
		runs(e, event->prog, event->cookie, 1);
	if (sampling && has(m, PROGRAM_FIRST) && !m->progs[event->prog].returns_1)
		return;
	if (!event->limit || --event->limit)
		return;
	disable(event);
	/* Adding it to the CPU again does not start it, except for those of perf's software PMU. */
	event->stopped = has(m, LIMIT_STOPS) && event->type != PAGE_FAULTS;
}

/* perf_swevent_event() */
static void occurs(struct model *m, int i, struct expected *e)
{
	struct event *event = &m->events[i];

	if (!model_active(m, i) || event->stopped)
		return;
	event->count++;
	if (!event->period || ++event->since < event->period)
		return;
	event->since = 0;
	overflow(m, event, e);
}

/* trace_call_bpf(): programs of the array run; false: one of them wants nothing else to be done. */
static bool run_tracepoint(struct model *m, struct expected *e)
{
	bool go_on = true;

	for (unsigned int i = 0; i < m->nr_array; i++) {
		runs(e, m->array[i].prog, m->array[i].cookie, 1);
		go_on = go_on && m->progs[m->array[i].prog].returns_1;
	}
	return go_on;
}

/* Return whether this return is reported to the uretprobe of another process as well. */
static bool gets_return(const struct model *m, const struct event *event, const struct op *op)
{
	unsigned int i = 0;

	if (has(m, RETURNS_ARE_FILTERED) || !event->alive || event->type != URETPROBE ||
	    (op->what != UPROBE && op->what != URETPROBE))
		return false;
	while (i < m->nr_events && !is_for(&m->events[i], op))
		i++;
	return i < m->nr_events;
}

static void happens_once(struct model *m, const struct op *op, struct expected *e)
{
	bool go_on = op->what != TRACEPOINT || run_tracepoint(m, e);

	/* The newest first, returns last: a limit takes the group along after all at once have counted. */
	for (unsigned int i = 2 * m->nr_events; i-- > 0 && go_on;) {
		const struct event *event = &m->events[i % m->nr_events];
		const bool mine = is_for(event, op), returns = i < m->nr_events;

		if (returns != (event->type == URETPROBE) || (!mine && !gets_return(m, event, op)))
			continue;
		if (op->what != TRACEPOINT && is_tracing(event) && event->parent < 0 && event->prog >= 0) {
			runs(e, event->prog, event->cookie, 1);
			if (!m->progs[event->prog].returns_1)
				continue;
		}
		if (mine)
			occurs(m, i % m->nr_events, e);
	}
}

static void fire(struct model *m, const struct op *op, struct expected *e)
{
	succeed(e);
	for (uint32_t n = 0; n < op->n; n++)
		happens_once(m, op, e);
}

/* --- all of them --- */

static void (*const steps[NR_OPS])(struct model *m, const struct op *op, struct expected *e) = {
	[OP_MAP_CREATE] = map_create, [OP_PROG_LOAD] = prog_load, [OP_OPEN] = open_event,
	[OP_SET_BPF] = set_bpf, [OP_LINK_CREATE] = link_create, [OP_LINK_UPDATE] = link_update,
	[OP_LINK_DETACH] = link_detach, [OP_ENABLE] = enabling, [OP_DISABLE] = enabling,
	[OP_RESET] = enabling, [OP_REFRESH] = refresh, [OP_PERIOD] = period, [OP_MODIFY] = modify,
	[OP_SET_OUTPUT] = set_output, [OP_READ] = read_count, [OP_INFO] = info,
	[OP_TASK_QUERY] = task_query, [OP_QUERY_BPF] = query_bpf, [OP_DUP] = dup_fd,
	[OP_SEND] = send_fd, [OP_RECEIVE] = receive_fd, [OP_GETFD] = get_fd, [OP_CLOSE] = close_fd,
	[OP_PIN] = pin, [OP_UNPIN] = unpin, [OP_OBJ_GET] = obj_get,
	[OP_TASK_DISABLE] = task_enabling, [OP_TASK_ENABLE] = task_enabling, [OP_FORK] = fork_process,
	[OP_EXEC] = exec, [OP_EXIT] = exit_or_kill, [OP_KILL] = exit_or_kill, [OP_FIRE] = fire,
};

void model_init(struct model *m, unsigned int kernel)
{
	*m = (struct model){ .kernel = kernel, .alive = { true } };
}

void model_step(struct model *m, const struct op *op, int err, struct expected *e)
{
	*e = (struct expected){ .answer.err = err };
	steps[op->code](m, op, e);
	sweep(m);
}
