// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The system calls at which a task stops, as a program of seccomp(2). All others run at full speed.
 *
 *	bpf		each command
 *	perf_event_open
 *	ioctl		of perf events: their type is '$'
 *	mmap		of a file that is shared: rings, and arrays with BPF_F_MMAPABLE
 *	prlimit64	of RLIMIT_MEMLOCK
 *
 * Closed and copied descriptors are found by comparing /proc/PID/fd before each of these calls:
 * a program that makes none of them is not slowed down.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>

#include "loader/observe/tracer/tracer.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define OTHER_ARCH AUDIT_ARCH_I386	/* arch/x86/entry/syscalls/syscall_32.tbl */
#define OTHER_BPF 357
#define OTHER_PERF 336
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#define OTHER_ARCH AUDIT_ARCH_ARM	/* arch/arm/tools/syscall.tbl */
#define OTHER_BPF 386
#define OTHER_PERF 364
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#define OTHER_ARCH AUDIT_ARCH_S390
#define OTHER_BPF 351
#define OTHER_PERF 331
#else	/* a filter must know the calls of its architecture */
#define ARCH 0
#define OTHER_ARCH 0
#define OTHER_BPF 0
#define OTHER_PERF 0
#endif
#define X32_CALLS 0x40000000

/* Offsets of the low 32 bits. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW 0
#else
#define LOW 4
#endif
#define ARG(i) (offsetof(struct seccomp_data, args) + (i) * 8 + LOW)
#define LOAD(off) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, off)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define MASK(k) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, k)
/* Skip @n instructions unless the value is @k. */
#define UNLESS(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)

#define PERF_TYPE_MASK (_IOC_TYPEMASK << _IOC_TYPESHIFT)
#define PERF_TYPE ('$' << _IOC_TYPESHIFT)
#define MMAP_MASK (MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS)

/* s390x passes the arguments of mmap in memory, which a filter cannot read. */
#ifdef __s390x__
#define MMAP_NR -1
#else
#define MMAP_NR __NR_mmap
#endif

static struct sock_filter code[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	UNLESS(ARCH, 24),
	LOAD(offsetof(struct seccomp_data, nr)),
	UNLESS(__NR_bpf, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_CALL),
	UNLESS(__NR_perf_event_open, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_CALL),
	UNLESS(__NR_ioctl, 5),
	LOAD(ARG(1)),
	MASK(PERF_TYPE_MASK),
	UNLESS(PERF_TYPE, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_CALL),
	RETURN(SECCOMP_RET_ALLOW),
	UNLESS(MMAP_NR, 5),
	LOAD(ARG(3)),
	MASK(MMAP_MASK),
	UNLESS(MAP_SHARED, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_CALL),
	RETURN(SECCOMP_RET_ALLOW),
	UNLESS(__NR_prlimit64, 3),
	LOAD(ARG(1)),
	UNLESS(RLIMIT_MEMLOCK, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_CALL),
	UNLESS(X32_CALLS | __NR_bpf, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_FOREIGN),
	RETURN(SECCOMP_RET_ALLOW),
	/* 26: another ABI */
	UNLESS(OTHER_ARCH, 4),
	LOAD(offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTHER_BPF, 1, 0),
	UNLESS(OTHER_PERF, 1),
	RETURN(SECCOMP_RET_TRACE | FILTER_FOREIGN),
	RETURN(SECCOMP_RET_ALLOW),
};

int filter_install(bool *no_privileges)
{
	const struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	*no_privileges = false;
	if (!ARCH)
		return -ENOSYS;
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 0;
	*no_privileges = true;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}

bool filter_matches(long nr, const unsigned long arg[6])
{
	switch (nr) {
	case __NR_bpf:
	case __NR_perf_event_open:
		return true;
	case __NR_ioctl:
		return (arg[1] & PERF_TYPE_MASK) == PERF_TYPE;
	case __NR_mmap:
		return MMAP_NR >= 0 && (arg[3] & MMAP_MASK) == MAP_SHARED;
	case __NR_prlimit64:
		return (uint32_t)arg[1] == RLIMIT_MEMLOCK;
	default:
		return false;
	}
}

bool filter_is_foreign(uint32_t arch, uint64_t nr)
{
	if (ARCH && arch == OTHER_ARCH)
		return nr == OTHER_BPF || nr == OTHER_PERF;
	return nr == (X32_CALLS | __NR_bpf);
}
