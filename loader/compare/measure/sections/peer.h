/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A second process of this program, which acts on command and reports through a pipe. */
#ifndef PLOAD_COMPARE_MEASURE_SECTIONS_PEER_H
#define PLOAD_COMPARE_MEASURE_SECTIONS_PEER_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/*
 *	this process              the peer (a fork)
 *	tell_fd  --- bytes --->   hear_fd	peer_send() -> peer_wait()
 *	hear_fd  <-- messages --  tell_fd	peer_receive() <- peer_report()
 */
struct peer {
	struct sys *sys;	/* borrowed */
	pid_t pid;		/* 0: no process */
	int tell_fd, hear_fd;	/* owned, -1 when closed; each process has its own ends */
};

/* A report. It fits into PIPE_BUF, so it is written and read as a whole. */
struct peer_message {
	int ret;		/* 0 or -errno */
	struct error err;	/* why @ret is negative; without a log */
	int64_t number[4];
};

/**
 * peer_begin() - Fork a process that calls @act and exits when @act returns.
 * @act: runs in the peer; @self is the peer's side of the connection.
 *
 * Return: 0 or -errno ("command/no-child"). Call peer_end() in any case.
 */
int peer_begin(struct peer *peer, struct sys *sys, void (*act)(struct peer *self, void *arg),
	       void *arg, struct error *err);

/**
 * peer_receive() - Wait at most 30 seconds for the next report.
 *
 * Return: the @ret of the report, with its error in @err; or -errno ("compare/no-answer").
 */
int peer_receive(struct peer *peer, struct peer_message *message, struct error *err);

/** peer_take_fd() - Copy descriptor @fd of the peer. Return: the copy, owned, or -errno. */
int peer_take_fd(struct peer *peer, int fd, struct error *err);

/** peer_send() - Send one byte. Return: 0 or -errno. */
int peer_send(struct peer *peer, char what);

/**
 * peer_end() - Close the connection and wait until the process has exited.
 * @kill: send SIGKILL first; otherwise only if it has not exited after 5 seconds.
 */
void peer_end(struct peer *peer, bool kill);

/** peer_report() - In the peer: send a report. */
void peer_report(struct peer *self, const struct peer_message *message);

/** peer_wait() - In the peer: wait for a byte. Return: the byte, or 0 if none will come. */
char peer_wait(struct peer *self);

#endif
