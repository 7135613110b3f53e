/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bpf(2) calls beyond those of a session: objects by id, batches, test runs. */
#ifndef PLOAD_BASE_KERNEL_KERNEL_CALLS_H
#define PLOAD_BASE_KERNEL_KERNEL_CALLS_H

#include "loader/core/kernel/kernel.h"

/**
 * map_lookup_batch() - Read up to *@count elements (Linux 5.6).
 * @in: NULL to start, otherwise @out of the previous call; max(4, key_size) bytes
 * @count: set to the number of elements read
 *
 * Return: 0, -ENOENT after the last elements, -EINVAL or -KERNEL_ENOTSUPP if the kernel or the map
 * type does not support batches, or -errno.
 */
int map_lookup_batch(struct sys *sys, int fd, const void *in, void *out, void *keys, void *values,
		     uint32_t *count);

/*
 * map_update_batch() - Write @count elements. On failure, some may have been written. Return: as
 * above.
 */
int map_update_batch(struct sys *sys, int fd, const void *keys, const void *values, uint32_t count);

/*
 * kernel_btf_bytes() - Read the first @size bytes of the BTF @fd into *@data, which is malloc'ed,
 * even on failure. Return: 0, -EFBIG, -ENOMEM or -errno.
 */
int kernel_btf_bytes(struct sys *sys, int fd, uint32_t size, unsigned char **data,
		     struct error *err);

/* kernel_prog_info() - Query program @fd. Return: 0 or -errno. */
int kernel_prog_info(struct sys *sys, int fd, struct bpf_prog_info *info);

/* --- kernel objects created by any process --- */

/*
 * kernel_next_id() - BPF_PROG_GET_NEXT_ID, BPF_LINK_GET_NEXT_ID, ... (@cmd): replace *@id with the
 * next higher id. Return: 0, -ENOENT after the last, -EPERM without CAP_SYS_ADMIN, or -EINVAL if
 * the kernel does not know @cmd (links: Linux 5.8).
 * kernel_fd_by_id() - BPF_PROG_GET_FD_BY_ID, ...: open the object with @id. Return: descriptor,
 * owned by the caller, or -errno; -ENOENT: it is gone, or still being created.
 */
int kernel_next_id(struct sys *sys, int cmd, uint32_t *id);
int kernel_fd_by_id(struct sys *sys, int cmd, uint32_t id);

/* A tracing event's program and its tracepoint or probe. */
struct task_fd_info {
	uint32_t prog_id;
	uint32_t fd_type;	/* BPF_FD_TYPE_* */
	char name[512];		/* tracepoint, function or file; truncated if longer */
	uint64_t offset, addr;	/* location of a probe */
};

/**
 * kernel_task_fd_query() - BPF_TASK_FD_QUERY: query descriptor @fd of process @pid.
 *
 * Return: 0, -ENOSPC (the name is truncated), -ENOENT (no program, or no such descriptor),
 * -EOPNOTSUPP (a program on an event that is not a tracing event), -KERNEL_ENOTSUPP (neither an
 * event nor a raw tracepoint) or -EPERM (without CAP_SYS_ADMIN).
 */
int kernel_task_fd_query(struct sys *sys, pid_t pid, int fd, struct task_fd_info *info);

/* The input for a test run. */
struct test_input {
	const void *data;	/* a packet; NULL: the program type has none */
	uint32_t size;
	void *ctx;		/* the context, read and written, for types that have one; or
				 * NULL */
	uint32_t ctx_size;
	uint32_t repeat;	/* 0: once; types without a packet can run only once */
};

/*
 * kernel_test_run() - BPF_PROG_TEST_RUN: run a program once or repeatedly. @retval: its last return
 * value. Return: 0 or -errno.
 */
int kernel_test_run(struct sys *sys, const struct kernel_object *k, uint32_t prog,
		    const struct test_input *in, uint32_t *retval, struct error *err);

#endif
