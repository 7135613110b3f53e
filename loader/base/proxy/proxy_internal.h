/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proxy process makes the calls that another user can block.
 *
 *	session	  enter()  --question-->  proxy  openat("/proc/7/maps"), perf_event_open(pid 7)
 *			   <--answer---		  or blocks, and is killed
 *
 * The owner of a process can block a call by:
 *
 *	exec_update_lock	execve(2) holds it while it closes descriptors; the owner's FUSE
 *				file system may never answer the flush of one
 *	mmap_lock		held while the process maps memory
 *	/proc/PID/root		may be on a file system of the owner
 *
 * Files stay open in the proxy, which also reads and closes them. The session reserves the same
 * number with a placeholder descriptor. Events are passed to the session.
 */
#ifndef PLOAD_BASE_PROXY_PROXY_INTERNAL_H
#define PLOAD_BASE_PROXY_PROXY_INTERNAL_H

#include "loader/base/proxy/aide.h"

#define PROXY_CALL_NS 1000000000ull	/* time limit of one call */
#define PROXY_CHILDREN 16u

#define PROXY_BYTES (64u << 10)	/* maximum read by one call */

/* A call. The in_size bytes of memory that it reads follow it. */
struct proxy_question {
	int32_t nr;
	int32_t keep;		/* descriptor number for the opened file; -1: pass it to the
				 * session */
	int8_t in_arg, out_arg;	/* arguments that point to memory; -1: none */
	uint32_t in_size, out_size;
	uint64_t arg[6];
	unsigned char in[PROXY_BYTES];
};

struct proxy_answer {
	int64_t ret;
	unsigned char out[PROXY_BYTES];
};

struct proxy_messages {
	struct proxy_question question;
	struct proxy_answer answer;
};

struct proxy {
	struct sys sys;		/* first member: enter() converts back */
	struct sys *next;	/* borrowed */
	struct patience patience;
	struct aide aide;
	pid_t children[PROXY_CHILDREN];	/* the session's process, which is not another user's */
	unsigned int next_child;
	pid_t *owners;		/* owned; for each descriptor: the process whose file it is, or 0 */
	unsigned int nr_owners;
	int signal_fd;		/* owned; readable when a signal ends the session; -1: none */
	bool is_charged;	/* some user has been unusually slow */
	pid_t pid;		/* the process last asked about ... */
	uint64_t spent_ns;	/* ... and its cost, before it is charged to a purse */
	uint32_t probe_types[2];	/* types of kprobes and uprobes, whose attr has a string */
	bool has_types;
	struct proxy_messages *messages;	/* owned; NULL until the first question */
};

/**
 * proxy_may_wait() - Return the process whose user can block the call, or 0.
 *
 * proxy_owner_of() - Return the process that the file @fd belongs to if it is open in the proxy,
 * otherwise 0.
 */
pid_t proxy_may_wait(const struct proxy *p, long nr, const unsigned long arg[6]);
pid_t proxy_owner_of(const struct proxy *p, int fd);

/** proxy_run() - Answer questions from @fd until its other end is closed. */
void proxy_run(int fd, pid_t parent, void *proxy) __attribute__((noreturn));

/*
 * proxy_send(), proxy_receive() - Send or receive a message and a descriptor (-1: none). Return the
 * size or -errno.
 */
ssize_t proxy_send(struct sys *sys, int fd, const void *data, size_t size, int passed);
ssize_t proxy_receive(struct sys *sys, int fd, void *data, size_t size, int *passed);

#endif
