/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Socket system calls, for kernel uevents, device indexes and the symbol reader. */
#ifndef PLOAD_BASE_CALLS_SOCKETS_H
#define PLOAD_BASE_CALLS_SOCKETS_H

#include <sys/socket.h>

#include "loader/core/sys/sys.h"

/* @fds: the two ends of a connection that preserves message boundaries. Close-on-exec. */
static inline int sys_socketpair(struct sys *sys, int fds[2])
{
	return sys->enter(sys, __NR_socketpair,
			  SYS_ARGS(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, (unsigned long)fds));
}

/* Sends @buf as one message. @flags: MSG_DONTWAIT | MSG_NOSIGNAL */
static inline ssize_t sys_send(struct sys *sys, int fd, const void *buf, size_t size, int flags)
{
	return sys->enter(sys, __NR_sendto, SYS_ARGS(fd, (unsigned long)buf, size, flags));
}

static inline int sys_socket(struct sys *sys, int family, int type, int protocol)
{
	return sys->enter(sys, __NR_socket, SYS_ARGS(family, type, protocol));
}

static inline int sys_bind(struct sys *sys, int fd, const void *addr, socklen_t len)
{
	return sys->enter(sys, __NR_bind, SYS_ARGS(fd, (unsigned long)addr, len));
}

/*
 * Receives one message, and its sender's address in @from, a buffer of *@from_len bytes.
 */
static inline ssize_t sys_recvfrom(struct sys *sys, int fd, void *buf, size_t size, int flags,
				   void *from, socklen_t *from_len)
{
	return sys->enter(sys, __NR_recvfrom,
			  SYS_ARGS(fd, (unsigned long)buf, size, flags, (unsigned long)from,
				   (unsigned long)from_len));
}

static inline ssize_t sys_sendmsg(struct sys *sys, int fd, const struct msghdr *msg, int flags)
{
	return sys->enter(sys, __NR_sendmsg, SYS_ARGS(fd, (unsigned long)msg, flags));
}

static inline ssize_t sys_recvmsg(struct sys *sys, int fd, struct msghdr *msg, int flags)
{
	return sys->enter(sys, __NR_recvmsg, SYS_ARGS(fd, (unsigned long)msg, flags));
}

#define sys_socketpair(sys, ...) (sys_here(sys), sys_socketpair(sys, __VA_ARGS__))
#define sys_send(sys, ...) (sys_here(sys), sys_send(sys, __VA_ARGS__))
#define sys_socket(sys, ...) (sys_here(sys), sys_socket(sys, __VA_ARGS__))
#define sys_bind(sys, ...) (sys_here(sys), sys_bind(sys, __VA_ARGS__))
#define sys_recvfrom(sys, ...) (sys_here(sys), sys_recvfrom(sys, __VA_ARGS__))

#endif
