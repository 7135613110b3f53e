/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Helpers and tables with which the trace prints a system call. */
#ifndef PLOAD_SYS_TRACE_TRACE_INTERNAL_H
#define PLOAD_SYS_TRACE_TRACE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loader/sys/names.h"

/* How the bytes of a field are shown. */
enum trace_kind {
	TRACE_DEC,	/* unsigned */
	TRACE_INT,	/* signed; an fd for which 0 means none */
	TRACE_FD,	/* an fd for which 0 is an fd: shown always */
	TRACE_SHOWN,	/* signed; shown always, 0 being an answer */
	TRACE_HEX,
	TRACE_PTR,
	TRACE_STRING,	/* pointer to a C string */
	TRACE_CHARS,	/* text in place, at most as long as the field */
	TRACE_ENUM,	/* .name_of; shown always, 0 being a name as good as any */
	TRACE_KIND,	/* .name_of, where 0 means that nothing was said */
	TRACE_FLAGS,	/* .flags */
	TRACE_VERSION,	/* KERNEL_VERSION(6, 18, 0) */
};

/* One field of a struct that crosses the seam. */
struct trace_field {
	const char *name;	/* as the kernel spells it; NULL ends a table */
	uint16_t off;
	uint8_t width;
	uint8_t kind;
	const char *(*name_of)(uint32_t value);
	const struct sys_flag *flags;
};

/* A list in the making: prints @open in front of the first item and ", " in front of the others. */
struct trace_list {
	FILE *out;
	const char *open;
	int len;
};

/* trace_name() - start an item: its separator and, unless @name is NULL, "name=". */
void trace_name(struct trace_list *list, const char *name);

/* trace_fields() - those of @fields that are not 0 and lie whole in the @size bytes at @base. */
void trace_fields(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size);

/* trace_result() - the same as " => {...}", or nothing when all fields are 0. */
void trace_result(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size);

/* "NULL" or hex. */
void trace_pointer(FILE *out, unsigned long addr);

/* @len bytes, quoted, escaped, and cut when there are many; cstring: of a pointer, or "NULL". */
void trace_string(FILE *out, const char *text, size_t len);
void trace_cstring(FILE *out, unsigned long addr);

/* @name, or when it is NULL the number. */
void trace_enum(FILE *out, const char *name, uint64_t value);

/* "A|B|0x80": the names of the bits, and the rest that has none. */
void trace_flags(FILE *out, const struct sys_flag *flags, uint64_t value);

/*
 * Rows of the table in trace_call.c. trace_*_args() prints the text between the parentheses,
 * trace_*_result() the data that the kernel wrote back, after "= ret".
 */

/* trace_bpf.c, trace_perf.c */
void trace_bpf_args(FILE *out, const unsigned long arg[6]);
void trace_bpf_result(FILE *out, const unsigned long arg[6], long ret);
void trace_perf_args(FILE *out, const unsigned long arg[6]);
void trace_ioctl_args(FILE *out, const unsigned long arg[6]);
void trace_ioctl_result(FILE *out, const unsigned long arg[6], long ret);

/* trace_process.c */
void trace_clone_args(FILE *out, const unsigned long arg[6]);
void trace_execve_args(FILE *out, const unsigned long arg[6]);
void trace_waitid_args(FILE *out, const unsigned long arg[6]);
void trace_waitid_result(FILE *out, const unsigned long arg[6], long ret);
void trace_dup3_args(FILE *out, const unsigned long arg[6]);
void trace_capset_args(FILE *out, const unsigned long arg[6]);
void trace_prctl_args(FILE *out, const unsigned long arg[6]);
void trace_unshare_args(FILE *out, const unsigned long arg[6]);
void trace_pipe2_args(FILE *out, const unsigned long arg[6]);
void trace_pipe2_result(FILE *out, const unsigned long arg[6], long ret);

/* trace_socket.c */
void trace_socket_args(FILE *out, const unsigned long arg[6]);
void trace_bind_args(FILE *out, const unsigned long arg[6]);
void trace_recvfrom_args(FILE *out, const unsigned long arg[6]);
void trace_recvfrom_result(FILE *out, const unsigned long arg[6], long ret);

/* trace_wait.c */
void trace_mmap_args(FILE *out, const unsigned long arg[6]);
void trace_madvise_args(FILE *out, const unsigned long arg[6]);
void trace_ppoll_args(FILE *out, const unsigned long arg[6]);
void trace_ppoll_result(FILE *out, const unsigned long arg[6], long ret);
void trace_sigprocmask_args(FILE *out, const unsigned long arg[6]);
void trace_signalfd4_args(FILE *out, const unsigned long arg[6]);
void trace_prlimit64_args(FILE *out, const unsigned long arg[6]);
void trace_prlimit64_result(FILE *out, const unsigned long arg[6], long ret);

#endif
