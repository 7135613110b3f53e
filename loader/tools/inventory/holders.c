// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the holders of BPF objects: the descriptors of all processes that may be inspected. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "loader/tools/inventory/inventory_internal.h"
#include "loader/core/event/event.h"
#include "loader/base/kernel/kernel_calls.h"

/* The position in /proc, with the current process. */
struct scan {
	struct inventory *a;
	pid_t own, pid;
	char comm[TASK_COMM];
	bool has_comm;
	uint32_t closed;	/* processes whose descriptors cannot be inspected */
	uint32_t silent;	/* ... because the kernel does not answer in time */
	uint32_t unknown;	/* events of this process with a program that is not reported */
	bool no_query;		/* BPF_TASK_FD_QUERY is refused */
};

/*
 * From bpf_map_new_fd(), bpf_prog_new_fd() and bpf_link_prime() in kernel/bpf/syscall.c. A link
 * that was reopened has the name from bpf_link_new_fd(), which differs.
 */
bool inventory_kind_of_name(const char *text, enum inventory_kind *kind)
{
	static const struct {
		const char *name;
		enum inventory_kind kind;
	} names[] = {
		{ "anon_inode:bpf-map", INVENTORY_MAP },
		{ "anon_inode:bpf-prog", INVENTORY_PROG },
		{ "anon_inode:bpf_link", INVENTORY_LINK },
		{ "anon_inode:bpf-link", INVENTORY_LINK },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i].name))
			continue;
		*kind = names[i].kind;
		return true;
	}
	return false;
}

struct number_line {
	const char *key;
	uint32_t value;
};

static int match_line(void *arg, char *line)
{
	struct number_line *wanted = arg;
	const size_t len = strlen(wanted->key);

	if (strncmp(line, wanted->key, len) || line[len] != ':')
		return 0;
	wanted->value = strtoul(line + len + 1, NULL, 10);
	return 1;
}

/*
 * Read the number after "@key:" in /proc/PID/fdinfo/FD, of which a link has these lines:
 *
 *	pos:	0
 *	flags:	02000002
 *	mnt_id:	16
 *	ino:	1058
 *	link_type:	perf
 *	link_id:	12
 *	prog_tag:	6deef7357e7b4530
 *	prog_id:	34
 *
 * Return 0 or -errno; -ENOENT if there is no such line.
 */
static int read_line(struct sys *sys, const char *path, const char *key, uint32_t *value)
{
	struct number_line wanted = { .key = key };
	int ret = sys_each_line_of(sys, AT_FDCWD, path, match_line, &wanted);

	*value = wanted.value;
	return ret > 0 ? 0 : ret ? ret : -ENOENT;
}

/* The name of the process, read at most once, and only if it has something to list. */
static const char *comm_of(struct scan *w)
{
	char path[32], text[TASK_COMM];

	if (w->has_comm)
		return w->comm;
	snprintf(path, sizeof(path), "/proc/%d/comm", w->pid);
	if (sys_read_text(w->a->sys, AT_FDCWD, path, text, sizeof(text)) < 0)
		text[0] = '\0';
	memcpy(w->comm, text, sizeof(text));
	w->has_comm = true;
	return w->comm;
}

static int add_holder(struct scan *w, enum inventory_kind kind, int fd)
{
	static const char *const keys[] = {
		[INVENTORY_MAP] = "map_id",
		[INVENTORY_PROG] = "prog_id",
		[INVENTORY_LINK] = "link_id",
	};
	struct inventory_holder *h;
	char path[48];
	uint32_t id;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", w->pid, fd);
	if (read_line(w->a->sys, path, keys[kind], &id) < 0)
		return 0;	/* closed in the meantime */
	h = inventory_grow(&w->a->holders, w->a->nr_holders, sizeof(*h));
	if (!h)
		return -ENOMEM;
	*h = (struct inventory_holder){ .kind = kind, .id = id, .pid = w->pid, .fd = fd };
	memcpy(h->comm, comm_of(w), sizeof(h->comm));
	w->a->nr_holders++;
	return 0;
}

static int add_event(struct scan *w, int fd)
{
	struct task_fd_info info;
	struct inventory_event *e;
	int ret = w->no_query ? -EPERM : kernel_task_fd_query(w->a->sys, w->pid, fd, &info);

	w->no_query |= ret == -EPERM;
	if (ret == -EOPNOTSUPP)
		w->unknown++;
	if (ret && ret != -ENOSPC)
		return 0;
	e = inventory_grow(&w->a->events, w->a->nr_events, sizeof(*e));
	if (!e)
		return -ENOMEM;
	*e = (struct inventory_event){ .pid = w->pid, .fd = fd, .info = info };
	memcpy(e->comm, comm_of(w), sizeof(e->comm));
	w->a->nr_events++;
	return 0;
}

static int visit_fd(void *arg, const char *name)
{
	struct scan *w = arg;
	enum inventory_kind kind;
	char path[48], text[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%.16s", w->pid, name);
	n = sys_readlinkat(w->a->sys, path, text, sizeof(text) - 1);
	if (n == -ETIME)
		return -ETIME;
	if (n <= 0)
		return 0;	/* closed in the meantime */
	text[n] = '\0';
	if (!strcmp(text, "anon_inode:[perf_event]"))
		return add_event(w, strtol(name, NULL, 10));
	if (inventory_kind_of_name(text, &kind))
		return add_holder(w, kind, strtol(name, NULL, 10));
	return 0;
}

/*
 * Report a process's sampling events that have a program, which the kernel does not identify. Each
 * link that the process holds accounts for one of them; the others were bound by ioctl, or by a
 * link that another process holds.
 */
static int add_unknown_events(struct scan *w)
{
	struct inventory_unseen *u;
	uint32_t links = 0;

	for (uint32_t i = w->a->nr_holders; i-- > 0 && w->a->holders[i].pid == w->pid;)
		links += w->a->holders[i].kind == INVENTORY_LINK;
	if (w->unknown <= links)
		return 0;
	u = inventory_grow(&w->a->unseen, w->a->nr_unseen, sizeof(*u));
	if (!u)
		return -ENOMEM;
	w->a->nr_unseen++;
	*u = (struct inventory_unseen){
		.what = "programs of events",
		.count = w->unknown - links,
		.pid = w->pid,
		.why = "the kernel reports only those of tracing events",
	};
	memcpy(u->comm, comm_of(w), sizeof(u->comm));
	return 0;
}

static int visit_process(void *arg, const char *name)
{
	struct scan *w = arg;
	char path[32];
	int ret;

	if (!isdigit((unsigned char)name[0]))
		return 0;
	w->pid = strtol(name, NULL, 10);
	w->has_comm = false;
	w->unknown = 0;
	if (w->pid <= 0 || w->pid == w->own)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/fd", w->pid);
	ret = sys_each_entry(w->a->sys, AT_FDCWD, path, visit_fd, w);
	if (ret == -EACCES || ret == -EPERM)
		w->closed++;
	w->silent += ret == -ETIME;
	if (ret == -ENOMEM)
		return ret;
	return w->unknown ? add_unknown_events(w) : 0; /* other errors: the process has exited */
}

static pid_t own_pid(struct sys *sys)
{
	char text[16] = "";
	ssize_t n = sys_readlinkat(sys, "/proc/self", text, sizeof(text) - 1);

	return n > 0 ? strtol(text, NULL, 10) : 0;
}

int inventory_read_holders(struct inventory *a, struct error *err)
{
	struct scan w = { .a = a, .own = own_pid(a->sys) };
	int ret = sys_each_entry(a->sys, AT_FDCWD, "/proc", visit_process, &w);

	if (ret != -ENOMEM && ret < 0)
		ret = inventory_add_unseen(a, "processes", 0, "/proc: %s", error_strerror(-ret));
	if (!ret && w.closed)
		ret = inventory_add_unseen(a, "processes", w.closed,
					   "their descriptors may not be inspected");
	if (!ret && w.silent)
		ret = inventory_add_unseen(a, "processes", w.silent,
					   "the kernel waited too long for them");
	if (!ret && w.no_query)
		ret = inventory_add_denied(a, INVENTORY_EVENTS, "programs of events",
					   "BPF_TASK_FD_QUERY", BPF_TASK_FD_QUERY, -EPERM);
	return ret ? error_set(err, ENOMEM, "no memory for the list of holders") : 0;
}
