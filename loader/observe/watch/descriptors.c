// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compare the descriptors of a process with the known ones. close(2), dup(2), fcntl(2) and socket
 * messages change them. These calls are so common on other files that stopping at each would cost
 * more than everything else.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/kcmp.h>

#include "loader/observe/trace/trace_call.h"
#include "loader/observe/watch/watch_internal.h"

/* Return the kind of object that a descriptor refers to, from its link in /proc/PID/fd. */
static bool kind_of(pid_t pid, int fd, enum fd_kind *kind)
{
	static const struct {
		const char *name;
		enum fd_kind kind;
	} kinds[] = {
		{ "anon_inode:bpf-map", FD_MAP }, { "anon_inode:bpf-prog", FD_PROG },
		{ "anon_inode:bpf_link", FD_LINK }, { "anon_inode:bpf-link", FD_LINK },
		{ "anon_inode:btf", FD_BTF }, { "anon_inode:[perf_event]", FD_EVENT },
	};
	char path[64], name[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	n = readlink(path, name, sizeof(name) - 1);
	name[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(name, kinds[i].name))
			continue;
		*kind = kinds[i].kind;
		return true;
	}
	return false;
}

/* Record what must have happened as a call: close(2), or one that copies. */
static void record(struct watch *w, struct watched_process *p, long nr, long a, long b, long ret)
{
	struct copy copy = { .pid = p->pid, .nr = nr, .arg = { a, b } };

	watch_record(w, p, &copy, ret);
}

static void close_known(struct watch *w, struct watched_process *p, int fd)
{
	if (p->is_exiting)
		held_remove(&w->facts, &p->held, fd);
	else
		facts_close(&w->facts, &p->held, fd);
	record(w, p, __NR_close, fd, 0, 0);
}

/* Return the object of a descriptor that no call has returned, or -1. @original: or -1 */
static int find_object(struct watch *w, struct watched_process *p, int fd, enum fd_kind kind,
		       int *original)
{
	const uint32_t id = kind == FD_EVENT ? 0 : facts_fd_id(p->pid, fd);

	*original = -1;
	for (unsigned int i = 0; i < p->held.nr; i++) {
		const struct held_fd *held = &p->held.list[i];
		const struct fact_object *object = &w->facts.objects[held->object];

		if (object->kind != kind || held->fd == fd ||
		    (kind != FD_EVENT && object->id != id))
			continue;
		if (kind == FD_EVENT && syscall(__NR_kcmp, p->pid, p->pid, KCMP_FILE, held->fd, fd))
			continue;
		*original = held->fd;
		return held->object;
	}
	for (unsigned int i = 0; id && i < w->facts.nr_objects; i++)
		if (w->facts.objects[i].kind == kind && w->facts.objects[i].id == id)
			return i;
	return -1;
}

static void add_unknown(struct watch *w, struct watched_process *p, int fd, enum fd_kind kind)
{
	static const char *const kinds[] = {
		[FD_MAP] = "map", [FD_PROG] = "prog", [FD_BTF] = "btf", [FD_LINK] = "link",
		[FD_EVENT] = "event",
	};
	char name[64];
	int original;
	const int object = find_object(w, p, fd, kind, &original);

	held_add(&w->facts, &p->held, fd, object);
	if (original >= 0) {
		sys_why(p->trace, "a copy of descriptor %d: dup(2) or fcntl(2)", original);
		record(w, p, __NR_dup3, original, fd, fd);
		return;
	}
	if (object >= 0)
		snprintf(name, sizeof(name), "%s %s", kinds[kind], w->facts.objects[object].name);
	else
		snprintf(name, sizeof(name), "%s id %u", kinds[kind], facts_fd_id(p->pid, fd));
	fd_names_add(sys_trace_names(p->trace), fd, kind, name);
	if (w->o->form != WATCH_SUMMARY)	/* nobody prints notes there */
		sys_note(p->trace, "descriptor %d <%s> was inherited or received", fd, name);
}

static int next_fd(DIR *dir)
{
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			return atoi(entry->d_name);
	return -1;
}

static bool is_object(enum fd_kind kind)
{
	return kind == FD_MAP || kind == FD_PROG || kind == FD_BTF || kind == FD_LINK ||
	       kind == FD_EVENT;
}

/* An object of another kind may have reused the number of a closed one. */
static bool is_open(pid_t pid, const struct fd_entry *entry)
{
	enum fd_kind kind;
	char path[64];

	if (is_object(entry->kind))
		return kind_of(pid, entry->fd, &kind) && kind == entry->kind;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, entry->fd);
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A sum, because the order of the descriptors does not matter. */
static uint64_t hash_of(int fd)
{
	return (fd + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(fd + 1) << 40;
}

void descriptors_returned(struct watched_process *p, int fd)
{
	p->fds += hash_of(fd);
}

void descriptors_compare(struct watch *w, struct watched_process *p)
{
	struct fd_names *names = sys_trace_names(p->trace);
	uint64_t fds = 0;
	enum fd_kind kind;
	char path[64];
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd", p->pid);
	dir = opendir(path);
	while ((fd = next_fd(dir)) >= 0)
		fds += hash_of(fd);
	if (!dir || fds == p->fds) {
		if (dir)
			closedir(dir);
		return;
	}
	p->fds = fds;
	rewinddir(dir);
	/* Handle copies first: the original may be closed by now, but it is still known. */
	while ((fd = next_fd(dir)) >= 0)
		if (!fd_names_find(names, fd) && kind_of(p->pid, fd, &kind))
			add_unknown(w, p, fd, kind);
	closedir(dir);
	for (unsigned int i = 0; i < names->nr;) {
		if (is_open(p->pid, &names->list[i]))
			i++;
		else
			close_known(w, p, names->list[i].fd);
	}
}
