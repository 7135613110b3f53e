// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The system calls at which a task of the loader stops, as a program of seccomp(2). All others run
 * at full speed: stopping at each call would make an interpreter twice as slow.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/judge/watch.h"

#define LENGTH_MAX 64

static const long watched[] = {
	__NR_bpf, __NR_perf_event_open,
	/* A tracer would intercept the calls instead of the judge: */
	__NR_ptrace,
	/* Calls that open a file come last: only method "pmu" needs them. */
	__NR_openat,
#ifdef __NR_open
	__NR_open,
#endif
};
#define NR_WITHOUT_FILES 3

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#endif
#define X32_CALLS 0x40000000

/* Offsets of the low 32 bits. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW 0
#else
#define LOW 4
#endif
#define NR offsetof(struct seccomp_data, nr)
#define ARG(i) (offsetof(struct seccomp_data, args) + (i) * 8 + LOW)
#define LOAD(off) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, off)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
/* Skip @n instructions unless the value is @k. */
#define UNLESS(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)

bool judge_filter_install(const struct failing *failing, bool files)
{
	const size_t nr = files ? sizeof(watched) / sizeof(*watched) : NR_WITHOUT_FILES;
	struct sock_filter code[LENGTH_MAX];
	unsigned int n = 0;
	struct sock_fprog program = { .filter = code };

#define ADD(...) (code[n++] = (struct sock_filter)__VA_ARGS__)
#ifdef ARCH
	ADD(LOAD(offsetof(struct seccomp_data, arch)));
	ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	ADD(RETURN(SECCOMP_RET_TRACE | FOREIGN_CALL));
#endif
	ADD(LOAD(NR));
	ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1));
	ADD(RETURN(SECCOMP_RET_TRACE | FOREIGN_CALL));
	if (failing) {
		ADD(UNLESS(failing->nr, failing->arg < 6 ? 3 : 1));
		if (failing->arg < 6) {
			ADD(LOAD(ARG(failing->arg)));
			ADD(UNLESS(failing->value, 1));
		}
		ADD(RETURN(SECCOMP_RET_ERRNO | failing->error));
	}
	ADD(LOAD(NR));
	for (size_t i = 0; i < nr; i++) {
		ADD(UNLESS(watched[i], 1));
		ADD(RETURN(SECCOMP_RET_TRACE));
	}
	ADD(UNLESS(__NR_ioctl, 5));
	ADD(LOAD(ARG(1)));
	ADD(UNLESS(PERF_EVENT_IOC_SET_BPF, 1));
	ADD(RETURN(SECCOMP_RET_TRACE));
	ADD(UNLESS(PERF_EVENT_IOC_ENABLE, 1));
	ADD(RETURN(SECCOMP_RET_TRACE));
	ADD(RETURN(SECCOMP_RET_ALLOW));
#undef ADD
	program.len = n;
	/* Without privileges, a filter may only be installed by a process that cannot gain any. */
	return (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ||
		(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		 prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0));
}
