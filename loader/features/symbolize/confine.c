// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Confine a reader. Files of others may have found a fault in it: it can open files for reading,
 * read them, and answer, and nothing else.
 *
 *	descriptors	closed, but for the connection: a reader that the kernel cannot end must
 *			not keep a program attached, or a pipe open
 *	shared memory	unmapped: rings and arenas are those of the session
 *	signals		blocked, but for that of its timer: ^C is for the session
 *	memory		1 GB more than it has
 *	capabilities	CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE
 *	system calls	those of allowed[], by seccomp(2)
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "loader/features/symbolize/wall.h"
#include "loader/sys/calls/credentials.h"
#include "loader/sys/denied/privilege.h"
#include "loader/sys/number.h"
#include "loader/sys/read.h"

#define MEMORY_MAX (UINT64_C(1) << 30)

/* A sanitizer has calls and terabytes of its own, and reports on standard error. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#endif

/* --- descriptors, memory, signals --- */

static int close_one(void *arg, const char *name)
{
	const int *keep = arg;
	uint64_t fd;

	if (!number_parse(name, strlen(name), &fd) && fd > (uint64_t)*keep)
		sys_close(sys_linux(), fd);
	return 0;
}

/* Move *@fd to the lowest number, and close all others. */
static int close_others(struct sys *sys, int *fd)
{
	int last = SANITIZED ? STDERR_FILENO : STDIN_FILENO, ret = 0;

	if (*fd != STDIN_FILENO)
		ret = sys_dup3(sys, *fd, STDIN_FILENO, 0);
	if (ret < 0)
		return ret;
	*fd = STDIN_FILENO;
	ret = sys_close_range(sys, last + 1, INT32_MAX);
	if (ret != -ENOSYS)
		return ret;
	/* Linux 5.9. Each round may close the directory that is read, which ends the round. */
	for (int round = 0; round < 4; round++)
		sys_each_entry(sys, AT_FDCWD, "/proc/self/fd", close_one, &last);
	return 0;
}

/* "7f00-7f10 rw-s ...": an 's' is memory that is shared. */
static int unmap_shared(void *sys, char *line)
{
	unsigned long start, end;
	char permissions[5];

	if (sscanf(line, "%lx-%lx %4s", &start, &end, permissions) == 3 && permissions[3] == 's')
		sys_munmap(sys, (void *)start, end - start);
	return 0;
}

static int limit(struct sys *sys, int resource, uint64_t max)
{
	return sys_prlimit(sys, resource, (const uint64_t[2]){ max, max }, NULL);
}

/* "size resident ...", in pages. */
static int limit_memory(struct sys *sys)
{
	char text[128];
	uint64_t pages;
	int ret = sys_read_text(sys, AT_FDCWD, "/proc/self/statm", text, sizeof(text));

	if (ret < 0)
		return ret;
	pages = strtoull(text, NULL, 10);
	return limit(sys, RLIMIT_AS, pages * sysconf(_SC_PAGESIZE) + MEMORY_MAX);
}

/* --- capabilities and system calls --- */

static int drop_capabilities(struct sys *sys)
{
	const uint64_t wanted = UINT64_C(1) << CAP_DAC_READ_SEARCH | UINT64_C(1) << CAP_SYS_PTRACE |
				UINT64_C(1) << CAP_CHECKPOINT_RESTORE;
	struct sys_privilege has;

	sys_privilege_read(sys, &has);
	if (!has.known)
		return -EACCES;
	return sys_capset(sys, has.effective & wanted);
}

#ifdef ARCH

static const unsigned short allowed[] = {
	__NR_read, __NR_pread64, __NR_fstat, __NR_readlinkat, __NR_close,
	__NR_brk, __NR_munmap, __NR_mremap, __NR_madvise, __NR_sysinfo,
	__NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_setitimer,
	__NR_clock_gettime, __NR_getpid, __NR_exit_group, __NR_restart_syscall,
#ifdef __s390x__
	__NR_mmap,	/* its arguments are in memory, where they cannot be checked */
#endif
};
#define NR_ALLOWED (sizeof(allowed) / sizeof(allowed[0]))

#define OPEN_FLAGS (O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_PATH | O_NOFOLLOW | O_DIRECTORY | \
		    O_LARGEFILE)

/* The lower half of argument @n, in the byte order of the machine. */
#define ARG(n) (offsetof(struct seccomp_data, args[n]) + \
		(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
/* Skip @n instructions unless what was loaded is @k. */
#define UNLESS(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)
/* Skip @n instructions if a bit of @k is set in what was loaded. */
#define IF_ANY(k, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k, n, 0)

static int filter_calls(struct sys *sys)
{
	static const struct sock_filter first[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		UNLESS(ARCH, 1),
		BPF_STMT(BPF_JMP | BPF_JA, 1),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(offsetof(struct seccomp_data, nr)),
	}, last[] = {
		UNLESS(__NR_write, 4),	/* to the session */
		LOAD(ARG(0)),
		UNLESS(STDIN_FILENO, 1),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EPERM),
		UNLESS(__NR_openat, 4),	/* for reading, and creating nothing */
		LOAD(ARG(2)),
		IF_ANY(~(unsigned int)OPEN_FLAGS, 1),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EPERM),
		UNLESS(__NR_mmap, 3),	/* no code */
		LOAD(ARG(2)),
		IF_ANY(PROT_EXEC, 1),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_filter code[sizeof(first) / sizeof(first[0]) + 2 * NR_ALLOWED +
				sizeof(last) / sizeof(last[0])];
	struct sock_fprog program = { .filter = code, .len = sizeof(code) / sizeof(code[0]) };
	struct sock_filter *at = mempcpy(code, first, sizeof(first));

	for (size_t i = 0; i < NR_ALLOWED; i++) {
		*at++ = (struct sock_filter)UNLESS(allowed[i], 1);
		*at++ = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	memcpy(at, last, sizeof(last));
	return sys_seccomp(sys, SECCOMP_SET_MODE_FILTER, 0, &program);
}

#else

static int filter_calls(struct sys *sys)
{
	(void)sys;
	return -ENOSYS;
}

#endif

int reader_confine(struct sys *sys, int *fd)
{
	int ret = close_others(sys, fd);

	if (ret >= 0)
		ret = sys_each_line_of(sys, AT_FDCWD, "/proc/self/maps", unmap_shared, sys);
	if (ret >= 0)
		ret = sys_sigprocmask(sys, SIG_SETMASK, ~(UINT64_C(1) << (SIGVTALRM - 1)), NULL);
	if (ret >= 0)
		ret = limit(sys, RLIMIT_CORE, 0);
	if (ret >= 0)
		ret = limit(sys, RLIMIT_FSIZE, 0);
	if (ret >= 0 && !SANITIZED)
		ret = limit_memory(sys);
	if (ret >= 0)
		ret = drop_capabilities(sys);
	if (ret >= 0)
		ret = sys_prctl(sys, PR_SET_NO_NEW_PRIVS, 1);
	if (ret < 0 || SANITIZED)
		return ret < 0 ? ret : 0;
	ret = filter_calls(sys);
	/* A kernel that was built without seccomp has the other limits. */
	return ret == -ENOSYS || ret == -EINVAL ? 0 : ret;
}
