// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Confine a reader, because untrusted files may exploit a bug in it: it can open files for reading,
 * read them, and answer, but nothing else.
 *
 *	descriptors, shared memory, signals	see base/proxy/leave.c
 *	memory		1 GB more than it has
 *	capabilities	CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE
 *	system calls	those of allowed[], by seccomp(2)
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "loader/profile/symbolize/wall.h"
#include "loader/base/calls/credentials.h"
#include "loader/explain/denied/privilege.h"
#include "loader/core/sys/read.h"

#define MEMORY_MAX (UINT64_C(1) << 30)

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#endif

/* --- memory --- */

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
	__NR_mmap,	/* its arguments are in memory, where the filter cannot check them */
#endif
};
#define NR_ALLOWED (sizeof(allowed) / sizeof(allowed[0]))

#define OPEN_FLAGS (O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_PATH | O_NOFOLLOW | O_DIRECTORY | \
		    O_LARGEFILE)

/* The lower half of argument @n, in native byte order. */
#define ARG(n) (offsetof(struct seccomp_data, args[n]) + \
		(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
/* Skip @n instructions unless the loaded value is @k. */
#define UNLESS(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)
/* Skip @n instructions if any bit of @k is set in the loaded value. */
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

int reader_confine(struct sys *sys)
{
	int ret = limit(sys, RLIMIT_CORE, 0);

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
	/* A kernel built without seccomp still has the other limits. */
	return ret == -ENOSYS || ret == -EINVAL ? 0 : ret;
}
