// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attach in a process of its own, so that its end can be measured:
 *
 *	this process			the worker
 *					prepares; measures a hit of nothing; reports
 *	memory, 'a'	------------>	attaches; reports time, calls, descriptors, lines
 *	memory, 'h'	------------>	measures hits; reports
 *	'c'		------------>	closes; reports time and calls
 *	(end of pipe)	------------>	exits
 *	SIGKILL
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/processes.h"
#include "loader/base/calls/tracefs.h"
#include "loader/base/calls/looking.h"
#include "loader/base/kernel/kernel_calls.h"
#include "loader/base/text/each_line.h"
#include "loader/compare/measure/sections/peer.h"
#include "loader/compare/scale/scale_internal.h"
#include "loader/core/sys/read.h"

#define LOOK_MS 50
#define GONE_NS UINT64_C(10000000000)
#define MEMORY_LEAST 100	/* with fewer, other processes affect the memory as much */

/* --- in the worker --- */

static int count_entry(void *arg, const char *name)
{
	(void)name;
	++*(unsigned int *)arg;
	return 0;
}

static unsigned int count_fds(struct sys *sys)
{
	unsigned int nr = 0;

	sys_each_entry(sys, AT_FDCWD, "/proc/self/fd", count_entry, &nr);
	return nr;
}

static int attach(struct scale_many *m, struct peer_message *word)
{
	const unsigned int fds = count_fds(m->next);
	const uint64_t begin = sys_monotonic_ns();
	int ret = scale_many_attach(m, &word->err);

	word->number[0] = sys_monotonic_ns() - begin;
	word->number[1] = m->calls;
	word->number[2] = count_fds(m->next) - fds;
	word->number[3] = m->probes.nr;
	return ret;
}

/* With all attached, and with a second one at the same location. */
static int measure_hits(struct scale_many *m, struct peer_message *word)
{
	const uint64_t runs = scale_many_runs(m);

	word->number[0] = scale_many_hit_ns(m);
	word->number[1] = scale_many_runs(m) - runs;
	word->number[2] = SCALE_UNKNOWN;
	if (word->number[0] != (int64_t)SCALE_UNKNOWN && !word->number[1])
		return error_set(&word->err, ENODATA,
				 "all are attached, and a hit runs no program");
	return 0;
}

static int second_hit(struct scale_many *m, struct peer_message *word)
{
	int ret = scale_many_attach_second(m, &word->err);

	word->number[0] = ret < 0 ? SCALE_UNKNOWN : scale_many_hit_ns(m);
	scale_many_detach_second(m);
	return ret;
}

static int detach(struct scale_many *m, enum scale_end end, struct peer_message *word)
{
	const uint64_t begin = sys_monotonic_ns();
	int ret;

	m->calls = 0;
	ret = scale_many_detach(m, end, &word->err);
	word->number[0] = sys_monotonic_ns() - begin;
	word->number[1] = m->calls;
	return ret;
}

static uint32_t prog_id(struct scale_many *m)
{
	struct bpf_prog_info info;

	return kernel_prog_info(m->next, m->prog_fds[0], &info) < 0 ? 0 : info.id;
}

static void work(struct peer *self, void *arg)
{
	const struct scale_request *req = arg;
	struct scale_many m = { .next = self->sys, .way = req->way, .locations = req->locations,
				.number = req->number };
	struct peer_message word = { 0 };
	char what = 1;

	word.ret = scale_many_prepare(&m, &word.err);
	word.number[0] = req->hits && !word.ret ? scale_many_hit_ns(&m) : SCALE_UNKNOWN;
	word.number[1] = word.ret ? 0 : prog_id(&m);
	for (; what; what = peer_wait(self)) {
		if (what == 'a')
			word.ret = attach(&m, &word);
		else if (what == 'h')
			word.ret = measure_hits(&m, &word);
		else if (what == 's')
			word.ret = second_hit(&m, &word);
		else if (what == 'c')
			word.ret = detach(&m, req->end, &word);
		peer_report(self, &word);
		word = (struct peer_message){ 0 };
	}
}

/* --- memory --- */

static int add_slab(void *arg, char *line)
{
	uint64_t *bytes = arg;
	unsigned long long active, all, size;

	if (sscanf(line, "%*s %llu %llu %llu", &active, &all, &size) == 3)
		*bytes += active * size;
	return 0;
}

static int add_percpu(void *arg, char *line)
{
	unsigned long long kb;

	if (sscanf(line, "Percpu: %llu", &kb) == 1)
		*(uint64_t *)arg += kb << 10;
	return 0;
}

/* Sum up all slab objects and per-CPU variables of the whole machine; 0: unknown. */
static uint64_t kernel_memory(struct sys *sys)
{
	uint64_t bytes = 0;

	if (sys_each_line_of(sys, AT_FDCWD, "/proc/slabinfo", add_slab, &bytes) < 0 || !bytes)
		return 0;
	sys_each_line_of(sys, AT_FDCWD, "/proc/meminfo", add_percpu, &bytes);
	return bytes;
}

/* --- lines of tracefs --- */

struct lines {
	struct sys *sys;
	int fd;			/* of the file; -1: only count */
	char owner[16];		/* "_1234_": line names contain the process that created them */
	uint64_t nr;
	char (*names)[128];	/* owned */
};

static int take_line(void *arg, char *line)
{
	struct lines *l = arg;
	char *name = strchr(line, ':'), (*names)[128];

	if (!name || strncmp(++name, "pload/", strlen("pload/")))
		return 0;
	name[strcspn(name, " ")] = '\0';
	if (!strstr(name, l->owner))
		return 0;
	names = realloc(l->names, (l->nr + 1) * sizeof(*names));
	if (!names)
		return -ENOMEM;
	l->names = names;
	snprintf(l->names[l->nr++], sizeof(*names), "-:%.120s\n", name);
	return 0;
}

/* The kernel may not have released the event of a line yet. */
static void remove_line(struct sys *sys, int fd, const char *line)
{
	struct sys_looking looking = sys_looking(GONE_NS / 10);

	while (sys_write(sys, fd, line, strlen(line)) == -EBUSY && sys_look_again(&looking))
		sys_poll(sys, NULL, 0, 10);
}

/* Count and remove the lines of process @pid, which has exited. */
static uint64_t remove_lines(struct sys *sys, pid_t pid)
{
	static const char *const files[] = { "kprobe_events", "uprobe_events" };
	struct tracefs t;
	uint64_t nr = 0;

	if (tracefs_find(sys, &t, NULL) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int fd = tracefs_openat(sys, &t, files[i], O_RDWR | O_APPEND | O_CLOEXEC);
		struct lines l = { .sys = sys, .fd = fd };

		snprintf(l.owner, sizeof(l.owner), "_%d_", pid);
		if (fd >= 0)
			sys_each_line(sys, fd, take_line, &l);
		for (uint64_t j = 0; j < l.nr; j++)
			remove_line(sys, fd, l.names[j]);
		nr += l.nr;
		free(l.names);
		sys_close_fd(sys, &fd);
	}
	tracefs_close(sys, &t);
	return nr;
}

/* --- in this process --- */

/* A measurement, which may take minutes. */
struct running {
	const struct scale_request *req;
	struct peer peer;
	struct wait_counts *counts;	/* receives what the worker waits for */
};

static int stopped(struct error *err)
{
	return error_set(err, EINTR, "a signal ended the measurement");
}

/* Wait until @fd is readable. Meanwhile, read samples before the rings are full. */
static int wait_until(struct running *r, int fd, struct error *err)
{
	struct pollfd poll = { .fd = fd, .events = POLLIN };
	int ret;

	do {
		if (r->req->stop && r->req->stop(r->req->arg))
			return stopped(err);
		ret = sys_poll(r->req->sys, &poll, 1, LOOK_MS);
		waits_add(r->req->waits, r->peer.pid, r->counts);
	} while (!ret || ret == -EINTR);
	return ret < 0 ? error_set(err, -ret, "poll: %s", error_strerror(-ret)) : 0;
}

static int answer(struct running *r, struct peer_message *word, struct error *err)
{
	int ret = wait_until(r, r->peer.hear_fd, err);

	return ret < 0 ? ret : peer_receive(&r->peer, word, err);
}

static int ask(struct running *r, char what, struct wait_counts *counts, struct peer_message *word,
	       struct error *err)
{
	int ret = 0;

	r->counts = counts;
	if (what)
		ret = peer_send(&r->peer, what);
	return ret < 0 ? error_set(err, -ret, "the worker has ended") : answer(r, word, err);
}

/* With one attached, and for most kinds with a second one at the same location. */
static int hit(struct running *r, struct scale_figures *f, struct error *err)
{
	struct wait_counts dropped = { .lost = 0 };
	struct peer_message word;
	int ret = ask(r, 'h', &dropped, &word, err);
	const uint64_t begin = sys_monotonic_ns();

	f->hit_ns = word.number[0];
	if (ret || r->req->number > 1 || r->req->way->kind == SCALE_USDT)
		return ret;
	if (ask(r, 's', &dropped, &word, NULL) >= 0)
		f->second_ns = word.number[0];
	f->second_wall_ns = sys_monotonic_ns() - begin;
	return 0;
}

static int attach_and_hit(struct running *r, struct scale_figures *f, struct error *err)
{
	const struct scale_request *req = r->req;
	const uint64_t before = kernel_memory(req->sys);
	struct peer_message word;
	uint64_t after;
	int ret = ask(r, 'a', &f->attach_waits, &word, err);

	if (ret < 0)
		return ret;
	after = kernel_memory(req->sys);
	f->memory = before && after > before && req->number >= MEMORY_LEAST ? after - before :
									      SCALE_UNKNOWN;
	f->attach_ns = word.number[0];
	f->attach_calls = word.number[1];
	f->fds = word.number[2];
	f->lines = word.number[3];
	return req->hits ? hit(r, f, err) : 0;
}

/* Wait until the process has exited: a pidfd becomes readable when all its files are closed. */
static int end_process(struct running *r, struct scale_figures *f, struct error *err)
{
	struct sys *sys = r->req->sys;
	int pid_fd = sys_pidfd_open(sys, r->peer.pid, 0), ret;
	const uint64_t begin = sys_monotonic_ns();

	if (pid_fd < 0)
		return error_set(err, -pid_fd, "pidfd_open: %s", error_strerror(-pid_fd));
	r->counts = &f->detach_waits;
	if (r->req->end == SCALE_KILL)
		sys_kill(sys, r->peer.pid, SIGKILL);
	else
		sys_close_fd(sys, &r->peer.tell_fd);
	ret = wait_until(r, pid_fd, err);
	f->detach_ns = sys_monotonic_ns() - begin;
	sys_close_fd(sys, &pid_fd);
	return ret;
}

/* Wait until the program is released, which may happen later. */
static uint64_t wait_for_release(struct sys *sys, uint32_t id)
{
	struct sys_looking looking = sys_looking(GONE_NS);
	const uint64_t begin = sys_monotonic_ns();
	int fd;

	do {
		fd = kernel_fd_by_id(sys, BPF_PROG_GET_FD_BY_ID, id);
		if (fd == -ENOENT)
			return sys_monotonic_ns() - begin;
		sys_close_fd(sys, &fd);
		sys_poll(sys, NULL, 0, 1);
	} while (sys_look_again(&looking));
	return SCALE_UNKNOWN;
}

static int measure(struct running *r, struct scale_figures *f, struct error *err)
{
	const bool exits = r->req->end == SCALE_EXIT || r->req->end == SCALE_KILL;
	struct wait_counts dropped = { .lost = 0 };
	struct peer_message word = { 0 };
	const pid_t pid = r->peer.pid;
	uint32_t id;
	int ret = ask(r, 0, &dropped, &word, err);

	f->nothing_ns = word.number[0];
	id = word.number[1];
	if (!ret)
		ret = attach_and_hit(r, f, err);
	if (!ret && exits)
		ret = end_process(r, f, err);
	else if (!ret)
		ret = ask(r, 'c', &f->detach_waits, &word, err);
	if (!ret && !exits) {
		f->detach_ns = word.number[0];
		f->detach_calls = word.number[1];
	}
	peer_end(&r->peer, ret != 0);
	f->gone_ns = ret || !id ? SCALE_UNKNOWN : wait_for_release(r->req->sys, id);
	f->left_lines = r->req->way->by_tracefs ? remove_lines(r->req->sys, pid) : 0;
	return ret;
}

int scale_run(const struct scale_request *req, struct scale_figures *f, struct error *err)
{
	struct running r = { .req = req };
	int ret;

	*f = (struct scale_figures){ .nothing_ns = SCALE_UNKNOWN, .hit_ns = SCALE_UNKNOWN,
				     .second_ns = SCALE_UNKNOWN };
	ret = peer_begin(&r.peer, req->sys, work, (void *)req, err);
	if (!ret)
		ret = measure(&r, f, err);
	return ret;
}
