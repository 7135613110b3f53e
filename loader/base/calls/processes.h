/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* System calls that create processes, execute programs, wait for processes and signal them. */
#ifndef PLOAD_BASE_CALLS_PROCESSES_H
#define PLOAD_BASE_CALLS_PROCESSES_H

#include <sys/wait.h>

#include "loader/core/sys/sys.h"

/*
 * Creates a copy of this process, in which it returns 0, and which sends @signo when it ends:
 * clone(2), without what the C library adds in fork(3). The copy must not flush stdio buffers.
 * @signo 0: no signal; wait for it with __WALL, and its pid stays reserved until then, even if
 * SIGCHLD is ignored.
 */
static inline pid_t sys_fork(struct sys *sys, int signo)
{
#ifdef __s390x__
	return sys->enter(sys, __NR_clone, SYS_ARGS(0, signo, 0, 0, 0));
#else
	return sys->enter(sys, __NR_clone, SYS_ARGS(signo, 0, 0, 0, 0));
#endif
}

static inline int sys_execve(struct sys *sys, const char *path, char *const argv[],
			     char *const envp[])
{
	return sys->enter(sys, __NR_execve,
			  SYS_ARGS((unsigned long)path, (unsigned long)argv, (unsigned long)envp));
}

/* Returns only in a simulated kernel. */
static inline void sys_exit_group(struct sys *sys, int status)
{
	sys->enter(sys, __NR_exit_group, SYS_ARGS(status));
}

/* @options: WEXITED, WNOHANG (si_pid is 0 if it has not ended), __WALL. */
static inline int sys_waitid(struct sys *sys, pid_t pid, siginfo_t *info, int options)
{
	return sys->enter(sys, __NR_waitid, SYS_ARGS(P_PID, pid, (unsigned long)info, options, 0));
}

/* Sets the nice value of process @pid, -20 to 19. Values below 0 require CAP_SYS_NICE. */
static inline int sys_set_nice(struct sys *sys, pid_t pid, int nice)
{
	return sys->enter(sys, __NR_setpriority, SYS_ARGS(PRIO_PROCESS, pid, (long)nice));
}

static inline int sys_kill(struct sys *sys, pid_t pid, int signo)
{
	return sys->enter(sys, __NR_kill, SYS_ARGS(pid, signo));
}

/* @fds: the read end, then the write end. Close-on-exec. */
static inline int sys_pipe(struct sys *sys, int fds[2])
{
	return sys->enter(sys, __NR_pipe2, SYS_ARGS((unsigned long)fds, O_CLOEXEC));
}

#if defined(__x86_64__) && !defined(__NR_uprobe)
#define __NR_uprobe 336
#endif

/*
 * Only code that the kernel maps for fast uprobes may make this call. Other callers get -EPROTO, or
 * -ENXIO from Linux 6.18 to 7.1, or -ENOSYS without fast uprobes.
 */
static inline int sys_uprobe(struct sys *sys)
{
#if defined(__NR_uprobe)
	return sys->enter(sys, __NR_uprobe, SYS_ARGS(0));
#else
	(void)sys;
	return -ENOSYS;
#endif
}

#define sys_fork(sys, ...) (sys_here(sys), sys_fork(sys, __VA_ARGS__))
#define sys_execve(sys, ...) (sys_here(sys), sys_execve(sys, __VA_ARGS__))
#define sys_exit_group(sys, ...) (sys_here(sys), sys_exit_group(sys, __VA_ARGS__))
#define sys_waitid(sys, ...) (sys_here(sys), sys_waitid(sys, __VA_ARGS__))
#define sys_set_nice(sys, ...) (sys_here(sys), sys_set_nice(sys, __VA_ARGS__))
#define sys_kill(sys, ...) (sys_here(sys), sys_kill(sys, __VA_ARGS__))
#define sys_pipe(sys, ...) (sys_here(sys), sys_pipe(sys, __VA_ARGS__))
#define sys_uprobe(sys) (sys_here(sys), sys_uprobe(sys))

#endif
