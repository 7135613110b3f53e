/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of a dry run's kernel: its descriptors and its calls. */
#ifndef PLOAD_OBSERVE_DRY_DRY_INTERNAL_H
#define PLOAD_OBSERVE_DRY_DRY_INTERNAL_H

#include "loader/observe/simulated/simulated.h"

struct dry_fd {
	enum sim_kind kind;	/* first */
	uint32_t id;		/* ids of maps, programs, links and events; each is unique */
	uint32_t type;		/* of the map, program, link (BPF_*_TYPE_*) or event */
	int real_fd;		/* SIM_FILE, SIM_SYMBOLS; owned */
	char text[32];		/* SIM_TEXT, and how far it has been read */
	uint32_t pos;		/* SIM_SYMBOLS: addresses invented so far */
	uint32_t key_size;	/* SIM_MAP */
	uint32_t value_size;
	uint32_t max_entries;
	uint32_t map_flags;
	bool frozen;
	bool bound;		/* SIM_EVENT: has a program */
	uint32_t event_id;	/* SIM_LINK: the event to which it is bound; 0 for none */
	int event_fd;		/* the descriptor of that event, which may have been reused */
};

struct dry {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *files;	/* borrowed: opens and reads real files */
	struct sim_fds fds;	/* of struct dry_fd; owned */
	uint32_t last_id;
	int child;		/* pid of the last simulated process; 0: none */
};

/** dry_fd_new() - sim_fd_new() with a new id. */
int dry_fd_new(struct dry *dry, enum sim_kind kind, struct dry_fd **fd);

/**
 * dry_bind() - Bind a program to the event.
 * Return: 0, -EEXIST if it has one, or -EINVAL if it does not run programs of this type.
 */
int dry_bind(struct dry_fd *event, const struct dry_fd *prog);

/* One function per group of calls, with the contract of enter() in struct sys. */
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

/* Calls that create processes and wait for them. */
long dry_clone(struct dry *dry, const unsigned long arg[6]);
long dry_execve(struct dry *dry, const unsigned long arg[6]);
long dry_waitid(struct dry *dry, const unsigned long arg[6]);
long dry_kill(struct dry *dry, const unsigned long arg[6]);
long dry_pipe2(struct dry *dry, const unsigned long arg[6]);
bool dry_has_ended(const struct dry *dry, const struct dry_fd *fd);	/* of a pidfd */
long dry_pidfd_open(struct dry *dry, const unsigned long arg[6]);

/** dry_memory() - Map @len zeroed bytes with the protection and flags of the mmap(2) in arg[]. */
long dry_memory(struct dry *dry, const unsigned long arg[6]);

#endif
