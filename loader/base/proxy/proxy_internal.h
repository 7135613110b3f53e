/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proxy process: it makes the calls that another user can make wait.
 *
 *	session	  enter()  --question-->  proxy  openat("/proc/7/maps"), perf_event_open(pid 7)
 *			   <--answer---		  or waits, and ends by SIGKILL
 *
 * These wait for whoever a process belongs to:
 *
 *	exec_update_lock	execve(2) holds it while it closes descriptors, each of which a file
 *				system of a user may have to be told of
 *	mmap_lock		while the process maps memory
 *	/proc/PID/root		the files there are those of its file systems
 *
 * A file stays open in the proxy, which also reads and closes it. Its number is that of an empty
 * descriptor of the session. Events are passed to the session.
 */
#ifndef PLOAD_BASE_PROXY_PROXY_INTERNAL_H
#define PLOAD_BASE_PROXY_PROXY_INTERNAL_H

#include "loader/base/proxy/aide.h"

#define PROXY_CALL_NS 1000000000ull	/* the time of one call */
#define PROXY_CHILDREN 16u

#define PROXY_BYTES (64u << 10)	/* that one call reads */

/* A call. Its memory is passed after it: what it reads, of in_size bytes. */
struct proxy_question {
	int32_t nr;
	int32_t keep;		/* the number that the opened file gets; -1: it is passed back */
	int8_t in_arg, out_arg;	/* the arguments that are memory; -1: none */
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
	struct sys sys;		/* first: enter() converts back */
	struct sys *next;	/* borrowed */
	struct patience patience;
	struct aide aide;
	pid_t children[PROXY_CHILDREN];	/* of the session: they are not others' */
	unsigned int next_child;
	pid_t *owners;		/* owned; of each descriptor: whose file it is in the proxy, or 0 */
	unsigned int nr_owners;
	int signal_fd;		/* owned; readable when a signal ends the session; -1: none */
	bool is_charged;	/* some user has taken more time than usual */
	pid_t pid;		/* that was asked about last ... */
	uint64_t spent_ns;	/* ... and what it has cost, before it is in a purse */
	uint32_t probe_types[2];	/* of kprobes and uprobes, whose attr has a string */
	bool has_types;
	struct proxy_messages *messages;	/* owned; NULL until something is asked */
};

/**
 * proxy_may_wait() - Return the process for whose user the kernel may let the call wait, or 0.
 *
 * proxy_owner_of() - Return whose file @fd is, if it is open in the proxy; else 0.
 */
pid_t proxy_may_wait(const struct proxy *p, long nr, const unsigned long arg[6]);
pid_t proxy_owner_of(const struct proxy *p, int fd);

/** proxy_run() - Answer questions that come by @fd until its other end is closed. */
void proxy_run(int fd, pid_t parent, void *proxy) __attribute__((noreturn));

/*
 * proxy_send(), proxy_receive() - Send or receive a message and a descriptor, which is -1 for none.
 * Return the size or -errno.
 */
ssize_t proxy_send(struct sys *sys, int fd, const void *data, size_t size, int passed);
ssize_t proxy_receive(struct sys *sys, int fd, void *data, size_t size, int *passed);

#endif
