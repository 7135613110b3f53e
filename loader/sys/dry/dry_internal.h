/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside the simulated kernel: its table of descriptors. */
#ifndef PLOAD_SYS_DRY_DRY_INTERNAL_H
#define PLOAD_SYS_DRY_DRY_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

enum dry_kind {
	DRY_FREE,
	DRY_FILE,	/* a real file under another number */
	DRY_TEXT,	/* an invented file */
	DRY_SYMBOLS,	/* a real /proc/kallsyms, whose addresses are invented where it hides
			 * them */
	DRY_LINES,	/* kprobe_events or uprobe_events, empty; what is written is forgotten */
	DRY_DIR,	/* the root of an invented tracefs */
	DRY_FS,		/* of fsopen */
	DRY_SIGNAL,
	DRY_SOCKET,
	DRY_PIDFD,
	DRY_PIPE,	/* nobody is at its other end */
	DRY_MAP,	/* from here to DRY_LINK: what bpf(2) gives information about */
	DRY_PROG,
	DRY_BTF,
	DRY_LINK,
	DRY_EVENT,
	DRY_STATS,
};

struct dry_fd {
	enum dry_kind kind;
	uint32_t id;		/* ids of maps, programs, links and events; each is unique */
	uint32_t type;		/* of the map, program, link (BPF_*_TYPE_*) or event */
	int real_fd;		/* DRY_FILE, DRY_SYMBOLS; owned */
	char text[32];		/* DRY_TEXT, and how far it has been read */
	uint32_t pos;		/* DRY_SYMBOLS: addresses invented so far */
	uint32_t key_size;	/* DRY_MAP */
	uint32_t value_size;
	uint32_t max_entries;
	uint32_t map_flags;
	bool frozen;
	bool bound;		/* DRY_EVENT: has a program */
	uint32_t event_id;	/* DRY_LINK: the event it binds; 0 for none */
	int event_fd;		/* its number, unless that is another's by now */
};

struct dry {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *files;	/* borrowed: opens and reads real files */
	struct dry_fd *fds;	/* indexed by number; owned */
	unsigned int nr_fds;
	unsigned int lowest;	/* none between the first and this one is free */
	uint32_t last_id;
	int child;		/* the last process that was not made; 0: none */
};

/*
 * dry_fd_new() - the lowest free number from 3, as @kind with a new id and all else 0. *@fd points
 * to the entry until the next call. Returns the number, or -ENOMEM or -EMFILE.
 */
int dry_fd_new(struct dry *dry, enum dry_kind kind, struct dry_fd **fd);

/* dry_fd_get() - the entry of an open number, or NULL. */
struct dry_fd *dry_fd_get(struct dry *dry, long fd);

/*
 * dry_fd_as() - the entry when it is of @kind. NULL otherwise, with *@code -EBADF for a number that
 * is not open and -EINVAL for one that is something else, as bpf(2) tells them apart.
 */
struct dry_fd *dry_fd_as(struct dry *dry, long fd, enum dry_kind kind, int *code);

/* dry_bind() - give the event a program. EEXIST: it has one; EINVAL: it takes another type. */
int dry_bind(struct dry_fd *event, const struct dry_fd *prog);

/* One function for each group of calls, like enter() of struct sys. */
long dry_bpf(struct dry *dry, const unsigned long arg[6]);
long dry_perf_event_open(struct dry *dry, const unsigned long arg[6]);
long dry_ioctl(struct dry *dry, const unsigned long arg[6]);
long dry_perf_mmap(struct dry *dry, const unsigned long arg[6]);
long dry_openat(struct dry *dry, const unsigned long arg[6]);
long dry_read(struct dry *dry, const unsigned long arg[6]);
long dry_pread64(struct dry *dry, const unsigned long arg[6]);
long dry_write(struct dry *dry, const unsigned long arg[6]);
long dry_getdents64(struct dry *dry, const unsigned long arg[6]);
long dry_fstat(struct dry *dry, const unsigned long arg[6]);

/* The commands of dry_bpf() that create links. */
long dry_link_create(struct dry *dry, union bpf_attr *attr);
long dry_raw_tracepoint_open(struct dry *dry, union bpf_attr *attr);
long dry_iter_create(struct dry *dry, union bpf_attr *attr);

/* Calls that make processes and wait for them. */
long dry_clone(struct dry *dry, const unsigned long arg[6]);
long dry_execve(struct dry *dry, const unsigned long arg[6]);
long dry_waitid(struct dry *dry, const unsigned long arg[6]);
long dry_kill(struct dry *dry, const unsigned long arg[6]);
long dry_pipe2(struct dry *dry, const unsigned long arg[6]);
bool dry_has_ended(const struct dry *dry, const struct dry_fd *fd);	/* of a pidfd */
long dry_pidfd_open(struct dry *dry, const unsigned long arg[6]);

/* dry_memory() - @len zeroed bytes with the protection and in the way an mmap of arg[] asks for. */
long dry_memory(struct dry *dry, const unsigned long arg[6]);

#endif
