/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Descriptors of a simulated kernel, and the rules by which it refuses calls. There are two: that
 * of --dry-run (loader/observe/dry), and that of the tests, which keeps what it is given, lists the
 * calls and fails them.
 */
#ifndef PLOAD_OBSERVE_SIMULATED_SIMULATED_H
#define PLOAD_OBSERVE_SIMULATED_SIMULATED_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

enum sim_kind {
	SIM_FREE,
	SIM_FILE,
	SIM_TEXT,	/* an invented file */
	SIM_SYMBOLS,	/* /proc/kallsyms, if its addresses are invented where it hides them */
	SIM_LINES,	/* kprobe_events or uprobe_events */
	SIM_DIR,
	SIM_FS,		/* of fsopen */
	SIM_SIGNAL,
	SIM_EPOLL,
	SIM_SOCKET,
	SIM_PIDFD,
	SIM_PIPE,
	SIM_MAP,	/* SIM_MAP to SIM_LINK: have BPF_OBJ_GET_INFO_BY_FD */
	SIM_PROG,
	SIM_BTF,
	SIM_LINK,
	SIM_EVENT,
	SIM_STATS,
};

#define SIM_FIRST_FD 3

/* A table of descriptors, indexed by number. Each entry begins with its enum sim_kind. */
struct sim_fds {
	char *list;		/* owned, for free(3) */
	size_t size;		/* of an entry */
	unsigned int nr, max;
	unsigned int lowest;	/* all numbers below are in use */
};

/** sim_fds() - Return an empty table of entries of @size bytes, of which there can be @max. */
struct sim_fds sim_fds(size_t size, unsigned int max);

/**
 * sim_fd_new() - Allocate the lowest free number from 3 on for an entry of @kind, zeroed else.
 * @fd: a pointer to a pointer, which is set to the entry; valid until the next call.
 *
 * Return: the number, -ENOMEM or -EMFILE.
 */
int sim_fd_new(struct sim_fds *fds, enum sim_kind kind, void *fd);

/* sim_fd_get() - Return the entry of an open number, or NULL. sim_fd_free() - Close it. */
void *sim_fd_get(const struct sim_fds *fds, long fd);
void sim_fd_free(struct sim_fds *fds, long fd);

/**
 * sim_fd_as() - Return the entry of an open number if it is of @kind, else NULL.
 * @code: set to the error of bpf(2) in that case: -EBADF if the number is not open, -EINVAL if it
 *	is of another kind; otherwise to 0.
 */
void *sim_fd_as(const struct sim_fds *fds, long fd, enum sim_kind kind, int *code);

/**
 * sim_poll() - Set revents of @nr descriptors in @list, as ppoll(2) does that does not wait.
 * @ready: returns true if number @nr, whose entry is @fd, has something to read.
 * @kernel: passed to @ready.
 *
 * Return: the number of those that are ready or not open.
 */
typedef bool sim_ready(void *kernel, int nr, const void *fd);
int sim_poll(const struct sim_fds *fds, struct pollfd *list, unsigned long nr, sim_ready *ready,
	     void *kernel);

/**
 * sim_bpf_begin() - Copy the attributes of a call of bpf(2). Fields beyond the given size are 0;
 *	bytes after those that are known must be.
 *
 * Return: the number of bytes that results are copied back into; -EFAULT or -E2BIG.
 */
long sim_bpf_begin(union bpf_attr *attr, const unsigned long arg[6]);

/** typedef sim_check_offset - Return 0 or -errno for @offset into the value of a map's entry. */
typedef int sim_check_offset(const void *kernel, const void *map, uint32_t offset);

/**
 * sim_check_map() - Check BPF_MAP_CREATE.
 * sim_check_prog() - Check BPF_PROG_LOAD, but what only the verifier finds.
 * @check: of offsets in instructions, or NULL.
 * @kernel: passed to @check.
 * sim_check_event() - Check perf_event_open(2).
 *
 * Return: 0 or -errno.
 */
int sim_check_map(const struct sim_fds *fds, const union bpf_attr *attr);
int sim_check_prog(const struct sim_fds *fds, const union bpf_attr *attr, sim_check_offset *check,
		   const void *kernel);
int sim_check_event(const struct sim_fds *fds, const unsigned long arg[6]);

/* sim_is_ring() - Return true for an mmap(2) of a page, then a ring of a power of two of pages. */
bool sim_is_ring(const unsigned long arg[6]);

/* sim_kind_of_value() - Return the kind of descriptors that values of a map are; 0: of none. */
enum sim_kind sim_kind_of_value(uint32_t map_type);
bool sim_is_array(uint32_t map_type);

#endif
