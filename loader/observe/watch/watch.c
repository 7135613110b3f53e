// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The client of the tracer. A call that was observed is passed to the recorder of --trace as if it
 * were made here: its arguments are a copy in our memory, and a kernel that only replays returns
 * the result.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/bpf.h>

#include "elf/bytes.h"
#include "loader/core/value/value.h"
#include "loader/observe/step/record.h"
#include "loader/observe/trace/trace_call.h"
#include "loader/observe/watch/watch_internal.h"

/* This many calls on map elements in a row are printed; the others are only counted. */
#define ELEMENTS_ALIKE 32

static struct watched_process *process_of(struct watch *w, pid_t pid)
{
	for (unsigned int i = 0; i < w->nr_processes; i++)
		if (w->processes[i].pid == pid)
			return &w->processes[i];
	return NULL;
}

/* --- the recorder --- */

static long replay_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct watch *w = (struct watch *)((char *)sys - offsetof(struct watch, replay));

	(void)nr;
	(void)arg;
	return w->ret;
}

static bool is_element_call(long nr, unsigned long cmd)
{
	static const unsigned char element[] = {
		[BPF_MAP_LOOKUP_ELEM] = 1, [BPF_MAP_UPDATE_ELEM] = 1, [BPF_MAP_DELETE_ELEM] = 1,
		[BPF_MAP_GET_NEXT_KEY] = 1, [BPF_MAP_LOOKUP_AND_DELETE_ELEM] = 1,
	};

	return nr == __NR_bpf && cmd < sizeof(element) && element[cmd];
}

enum { TYPES, MAPS, PROGRAMS, ATTACH, READ, END };

static const char *const stages[] = {
	[TYPES] = "types: BTF", [MAPS] = "maps", [PROGRAMS] = "programs",
	[ATTACH] = "attach: events, links", [READ] = "read: elements, rings",
	[END] = "end: descriptors are closed",
};

static int stage_of(const struct watched_process *p, const struct copy *copy)
{
	if (copy->nr == __NR_perf_event_open || copy->nr == __NR_ioctl)
		return ATTACH;
	if (copy->nr == __NR_mmap)
		return READ;
	if (copy->nr == __NR_close)
		return p->stage == ATTACH || p->stage == READ ? END : p->stage;
	if (copy->nr != __NR_bpf)
		return p->stage;
	switch (copy->arg[0] & ~(unsigned long)BPF_COMMON_ATTRS) {
	case BPF_BTF_LOAD:
		return TYPES;
	case BPF_MAP_CREATE:
		return MAPS;
	case BPF_PROG_LOAD:
		return PROGRAMS;
	case BPF_LINK_CREATE:
	case BPF_RAW_TRACEPOINT_OPEN:
	case BPF_PROG_ATTACH:
		return ATTACH;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_MAP_GET_NEXT_KEY:
	case BPF_MAP_LOOKUP_BATCH:
		return READ;
	default:
		return p->stage;
	}
}

void watch_record(struct watch *w, struct watched_process *p, struct copy *copy, long ret)
{
	const int stage = stage_of(p, copy);
	struct text_stream text;

	w->copy = copy;
	w->ret = ret;
	if (w->o->form == WATCH_SUMMARY) {
		fd_names_update(sys_trace_names(p->trace), copy->nr, copy->arg, ret, "");
		return;
	}
	/* A probe of the kernel does not start a stage. */
	if (stage != p->stage && stage >= 0 && !facts_is_probe(copy, ret)) {
		p->stage = stage;
		if (w->o->form == WATCH_TEXT)
			watch_release(w);
		sys_stage(p->trace, "%s", stages[stage]);
	}
	p->trace->enter(p->trace, copy->nr, copy->arg);
	fflush(w->line.file);
	if (!w->line.failed && text_stream_open(&text)) {
		char *whole;

		copy_print(text.file, copy, w->line.text, w->line.len);
		fflush(text.file);
		watch_print(w, p, text.text, text.len, copy, ret);
		whole = text_stream_close(&text);
		free(whole);
	}
	w->line.len = 0;
	w->line.failed = false;
}

/* --- calls --- */

/* Most shared file mappings have nothing to do with maps or events. */
static bool is_object(const struct watched_process *p, int fd)
{
	return fd_names_find(sys_trace_names(p->trace), fd) != NULL;
}

static bool entered(struct tracer *t, struct traced_task *task)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = process_of(w, task->tgid);

	if (!p)
		return false;
	p->elements = is_element_call(task->nr, (uint32_t)task->arg[0]) ? p->elements + 1 : 0;
	if (p->elements > ELEMENTS_ALIKE) {
		w->nr_folded++;
		return false;
	}
	if (p->elements < 2)
		descriptors_compare(w, p);
	if (task->nr == __NR_mmap && !is_object(p, task->arg[4]))
		return false;
	task->call = copy_call(task->pid, sys_trace_names(p->trace), task->nr, task->arg);
	return task->call != NULL;
}

/* A call interrupted by a signal is restarted, and is seen then. */
static bool begins_anew(long ret)
{
	return ret <= -512 && ret >= -516;	/* ERESTARTSYS to ERESTART_RESTARTBLOCK */
}

/* Return the event that a program is bound to, the object that is pinned, or NULL. */
static const struct fact_object *object_of(const struct watch *w, const struct watched_process *p,
					   const struct copy *copy)
{
	const union bpf_attr *attr = copy->nr == __NR_bpf ? copy_attr(copy) : NULL;
	const int fd = copy->nr == __NR_ioctl			     ? (int)copy->arg[0] :
		       attr && copy->arg[0] == BPF_LINK_CREATE	     ?
							(int)attr->link_create.target_fd :
		       attr && copy->arg[0] == BPF_OBJ_PIN ? (int)attr->bpf_fd : -1;
	const int object = held_object(&p->held, fd);

	return object < 0 ? NULL : &w->facts.objects[object];
}

static void returned(struct tracer *t, struct traced_task *task, long ret)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = process_of(w, task->tgid);
	struct copy *copy = task->call;
	struct fact_refusal *refusal;

	task->call = NULL;
	if (!p || !copy || begins_anew(ret)) {
		copy_free(copy);
		return;
	}
	copy_results(copy);
	p->has_called = true;
	if (ret >= 0 && fd_returns(copy->nr, copy->arg))
		descriptors_returned(p, ret);
	refusal = facts_call(&w->facts, &p->held, p->pid, copy, ret);
	if (refusal && !refusal->is_probe && refusal->times == 1)
		watch_cause(task->pid, copy, object_of(w, p, copy), refusal);
	w->pending = copy;
	w->pending_pid = p->pid;
	w->ret = ret;
}

static void resumed(struct tracer *t)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = w->pending ? process_of(w, w->pending_pid) : NULL;

	if (p) {
		watch_record(w, p, w->pending, w->ret);
		if (w->o->replay && w->pending->nr == __NR_bpf)
			watch_keep(w, p, w->pending);
	}
	copy_free(w->pending);
	w->pending = NULL;
}

/* --- processes --- */

/* On a page, the start and the end of a process are steps, because they change who holds what. */
static void record_fork(struct watch *w, struct watched_process *parent, pid_t pid)
{
	struct copy copy = { .pid = parent->pid, .nr = __NR_clone, .arg = { SIGCHLD } };

	if (w->o->form != WATCH_TEXT && sys_trace_names(parent->trace)->nr)
		watch_record(w, parent, &copy, pid);
}

static void record_end(struct watch *w, struct watched_process *p)
{
	struct json_object *step = recording_end(p->pid, 0);
	const char *line = step ? value_json(step, NULL) : NULL;

	if (line && w->o->form != WATCH_TEXT && w->o->form != WATCH_SUMMARY &&
	    sys_trace_names(p->trace)->nr) {
		watch_print(w, p, line, strlen(line), NULL, 0);
		watch_print(w, p, "\n", 1, NULL, 0);
	}
	json_object_put(step);
}

static void began(struct tracer *t, pid_t pid, pid_t parent)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *from = process_of(w, parent);
	const enum trace_form form = w->o->form != WATCH_TEXT ? TRACE_JSON :
				     w->o->insns ? TRACE_INSNS : TRACE_TEXT;
	const struct trace_process process = {
		.pid = pid, .nr_calls = &w->nr_calls, .parent = from ? from->trace : NULL,
	};
	struct sys *trace = sys_trace_process(&w->replay, w->line.file, form, &process);
	const size_t index = from ? from - w->processes : 0;
	struct watched_process *list, *p;

	list = trace ? array_grow(w->processes, w->nr_processes, sizeof(*list)) : NULL;
	if (!list) {
		sys_trace_free(trace);
		return;
	}
	from = from ? &list[index] : NULL;	/* the array has moved */
	w->processes = list;
	p = &list[w->nr_processes++];
	*p = (struct watched_process){ .pid = pid, .trace = trace, .stage = -1 };
	for (unsigned int i = 0; from && i < from->held.nr; i++)
		held_add(&w->facts, &p->held, from->held.list[i].fd, from->held.list[i].object);
	if (from)
		record_fork(w, from, pid);
}

static void executed(struct tracer *t, pid_t pid)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = process_of(w, pid);

	if (!p)
		return;
	if (sys_trace_names(p->trace)->nr)
		descriptors_compare(w, p);
	for (unsigned int i = 0; i < p->held.nr; i++)
		w->facts.objects[p->held.list[i].object].inherited = true;
	p->stage = -1;
}

static void exiting(struct tracer *t, pid_t pid)
{
	struct watched_process *p = process_of((struct watch *)t, pid);

	if (!p)
		return;
	p->is_exiting = true;
	/* One filter is ours. Linux 5.9 and later count them. */
	if (p->has_called)
		((struct watch *)t)->facts.has_filter |= proc_number(pid, "Seccomp_filters:") > 1;
	if (sys_trace_names(p->trace)->nr)
		descriptors_compare((struct watch *)t, p);
}

static void gone(struct tracer *t, struct traced_task *task, bool last)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = last ? process_of(w, task->tgid) : NULL;

	copy_free(task->call);
	if (!p)
		return;
	if (!w->leaving)
		record_end(w, p);
	while (p->held.nr)
		held_remove(&w->facts, &p->held, p->held.list[0].fd);
	free(p->held.list);
	sys_trace_free(p->trace);
	*p = w->processes[--w->nr_processes];
}

static void foreign(struct tracer *t, pid_t pid)
{
	struct watch *w = (struct watch *)t;
	struct watched_process *p = process_of(w, pid);

	if (!p || p->said_foreign)
		return;
	p->said_foreign = true;
	if (w->o->form == WATCH_TEXT)
		fprintf(w->o->out, "# process %d makes calls of another ABI (32 bits, x32), which "
			"are not decoded\n", pid);
	w->facts.nr_foreign++;
}

static const struct tracer_client client = {
	.entered = entered, .returned = returned, .resumed = resumed, .began = began,
	.executed = executed, .exiting = exiting, .foreign = foreign, .gone = gone,
};

int watch_run(const struct watch_options *o, int *exit_code, struct error *err)
{
	struct watch w = { .tracer.client = &client, .o = o, .replay.enter = replay_enter };
	int ret;

	if (!text_stream_open(&w.line))
		return error_set(err, ENOMEM, "no memory to watch");
	if (o->replay && mkdir(o->replay, 0777) && errno != EEXIST) {
		error_set(err, errno, "%s: mkdir: %s", o->replay, error_strerror(errno));
		error_reason(err, "output/open");
	}
	w.calls = o->form == WATCH_PAGE ? tmpfile() : NULL;
	if (o->form == WATCH_PAGE && !w.calls) {
		error_set(err, errno, "no temporary file for the calls: %s", error_strerror(errno));
		error_reason(err, "output/open");
	}
	if (err->code) {
		free(text_stream_close(&w.line));
		return err->code;
	}
	ret = o->argv ? tracer_start(&w.tracer, o->argv, exit_code, err) :
			tracer_attach(&w.tracer, o->pid, err);
	if (!ret) {
		tracer_run(&w.tracer);
		tracer_leave(&w.tracer);
		w.leaving = true;
		if (o->form == WATCH_TEXT)
			watch_release(&w);
		ret = watch_findings(&w, err);
	}
	if (w.calls)
		fclose(w.calls);
	while (w.nr_processes)
		gone(&w.tracer, &(struct traced_task){ .tgid = w.processes[0].pid }, true);
	free(w.processes);
	for (unsigned int i = 0; i < w.tracer.nr_tasks; i++)
		copy_free(w.tracer.tasks[i].call);
	tracer_free(&w.tracer);
	free(text_stream_close(&w.line));
	facts_free(&w.facts);
	watch_kept_free(&w);
	return ret;
}
