// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command on a kernel of which one call answers otherwise, by a filter of seccomp(2).
 *
 *	refuse CALL[:ARG=VALUE]:ERRNO COMMAND [ARG...]
 *		CALL	bpf, perf_event_open, ioctl, memfd_create, fork (clone, clone3 and vfork, too)
 *		ARG=VALUE	only with that number as argument ARG, counted from 0
 *		ERRNO	the answer; 0: the call returns 0 and does nothing
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The low 32 bits of an argument. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW 0
#else
#define LOW 4
#endif

static const struct {
	const char *name;
	long nr;
} calls[] = {
	{ "bpf", __NR_bpf },
	{ "perf_event_open", __NR_perf_event_open },
	{ "ioctl", __NR_ioctl },
	{ "memfd_create", __NR_memfd_create },
	{ "unshare", __NR_unshare },
	{ "mount", __NR_mount },
	{ "fork", __NR_clone },
	{ "fork", __NR_clone3 },
#ifdef __NR_fork
	{ "fork", __NR_fork },
	{ "fork", __NR_vfork },
#endif
};

static int usage(void)
{
	fprintf(stderr, "usage: refuse CALL[:ARG=VALUE]:ERRNO COMMAND...\n");
	return 2;
}

/* Return the number of instructions for the call with number @nr. */
static unsigned int add_call(struct sock_filter *code, long nr, bool has_arg, unsigned int arg,
			     unsigned int value, unsigned int error)
{
	unsigned int n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, has_arg ? 3 : 1);
	if (has_arg) {
		code[n++] = (struct sock_filter)BPF_STMT(
			BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * arg + LOW);
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	return n;
}

int main(int argc, char **argv)
{
	struct sock_filter code[64];
	struct sock_fprog program = { .filter = code };
	unsigned int arg = 0, value = 0, error, n = 0;
	char name[32];
	bool has_arg;

	if (argc < 3)
		return usage();
	has_arg = sscanf(argv[1], "%31[a-z_]:%u=%u:%u", name, &arg, &value, &error) == 4;
	if (!has_arg && (arg = 0, sscanf(argv[1], "%31[a-z_]:%u", name, &error)) != 2)
		return usage();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(calls[i].name, name))
			n += add_call(code + n, calls[i].nr, has_arg, arg, value, error);
	if (!n || arg > 5)
		return usage();
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("refuse: seccomp");
		return 77;
	}
	execvp(argv[2], argv + 2);
	perror("refuse: exec");
	return 127;
}
