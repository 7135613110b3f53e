/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Helpers and tables for printing a system call. */
#ifndef PLOAD_OBSERVE_TRACE_TRACE_INTERNAL_H
#define PLOAD_OBSERVE_TRACE_TRACE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loader/base/text/names.h"

/* How a field is printed. Unless noted otherwise, 0 is not printed. */
enum trace_kind {
	TRACE_DEC,	/* unsigned */
	TRACE_INT,	/* signed; an fd for which 0 means none */
	TRACE_FD,	/* an fd for which 0 is valid; always printed */
	TRACE_SHOWN,	/* signed; always printed, even 0 */
	TRACE_HEX,
	TRACE_PTR,
	TRACE_STRING,	/* pointer to a C string */
	TRACE_CHARS,	/* text within the struct, terminated unless it fills the field */
	TRACE_ENUM,	/* .name_of; always printed: 0 has a name */
	TRACE_KIND,	/* .name_of; 0 means not set */
	TRACE_FLAGS,	/* .flags */
	TRACE_VERSION,	/* KERNEL_VERSION(6, 18, 0) */
};

/* One field of a struct passed through struct sys. */
struct trace_field {
	const char *name;	/* as the kernel spells it; NULL ends a table */
	uint16_t off;
	uint8_t width;
	uint8_t kind;
	const char *(*name_of)(uint32_t value);
	const struct sys_flag *flags;
};

/* The state of printing a list: @open precedes the first item, ", " each other one. */
struct trace_list {
	FILE *out;
	const char *open;
	int len;
};

/** trace_name() - Start an item: print its separator and, unless @name is NULL, "name=". */
void trace_name(struct trace_list *list, const char *name);

/** trace_fields() - Print the nonzero @fields that lie within the @size bytes at @base. */
void trace_fields(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size);

/** trace_result() - Print them as " => {...}", or nothing if all are 0. */
void trace_result(struct trace_list *list, const struct trace_field *fields, const void *base,
		  size_t size);

/* Print "NULL" or a hexadecimal number. */
void trace_pointer(FILE *out, unsigned long addr);

/* Print @len bytes, or a C string or "NULL": quoted, escaped, truncated to TRACE_TEXT_MAX. */
void trace_string(FILE *out, const char *text, size_t len);
void trace_cstring(FILE *out, unsigned long addr);

/* Print @name, or the number if @name is NULL. */
void trace_enum(FILE *out, const char *name, uint64_t value);

/* Print "A|B|0x80": the names of the set bits, and the remaining bits as a number. */
void trace_flags(FILE *out, const struct sys_flag *flags, uint64_t value);

/*
 * Functions for rows of the table in trace_call.c. trace_*_args() prints the text between the
 * parentheses, trace_*_result() the data that the kernel returned, after "= ret".
 */

/* trace_bpf.c, trace_perf.c */
void trace_bpf_args(FILE *out, const unsigned long arg[6]);
void trace_bpf_result(FILE *out, const unsigned long arg[6], long ret);
void trace_perf_args(FILE *out, const unsigned long arg[6]);
void trace_ioctl_args(FILE *out, const unsigned long arg[6]);
void trace_ioctl_result(FILE *out, const unsigned long arg[6], long ret);

/* The flags of struct perf_event_attr are the bits of a u64 at this offset. */
#define TRACE_PERF_BITS (offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t))

/*
 * trace_perf_table() - Return table @i of the fields of struct perf_event_attr, or NULL.
 * trace_perf_bit() - Return the name of the flag that bit @bit of their u64 belongs to, or NULL.
 */
const struct trace_field *trace_perf_table(unsigned int i);
const char *trace_perf_bit(unsigned int bit);

/* trace_process.c */
void trace_clone_args(FILE *out, const unsigned long arg[6]);
void trace_execve_args(FILE *out, const unsigned long arg[6]);
void trace_waitid_args(FILE *out, const unsigned long arg[6]);
void trace_waitid_result(FILE *out, const unsigned long arg[6], long ret);
void trace_dup3_args(FILE *out, const unsigned long arg[6]);
void trace_capset_args(FILE *out, const unsigned long arg[6]);
void trace_prctl_args(FILE *out, const unsigned long arg[6]);
void trace_unshare_args(FILE *out, const unsigned long arg[6]);
void trace_setns_args(FILE *out, const unsigned long arg[6]);
void trace_pipe2_args(FILE *out, const unsigned long arg[6]);
void trace_pipe2_result(FILE *out, const unsigned long arg[6], long ret);

/* trace_socket.c */
void trace_socket_args(FILE *out, const unsigned long arg[6]);
void trace_socketpair_args(FILE *out, const unsigned long arg[6]);
void trace_sendto_args(FILE *out, const unsigned long arg[6]);
void trace_bind_args(FILE *out, const unsigned long arg[6]);
void trace_recvfrom_args(FILE *out, const unsigned long arg[6]);
void trace_recvfrom_result(FILE *out, const unsigned long arg[6], long ret);

/* trace_wait.c */
void trace_mmap_args(FILE *out, const unsigned long arg[6]);
void trace_madvise_args(FILE *out, const unsigned long arg[6]);
void trace_ppoll_args(FILE *out, const unsigned long arg[6]);
void trace_ppoll_result(FILE *out, const unsigned long arg[6], long ret);
void trace_sigprocmask_args(FILE *out, const unsigned long arg[6]);
void trace_epoll_create1_args(FILE *out, const unsigned long arg[6]);
void trace_epoll_ctl_args(FILE *out, const unsigned long arg[6]);
void trace_epoll_pwait_args(FILE *out, const unsigned long arg[6]);
void trace_epoll_pwait_result(FILE *out, const unsigned long arg[6], long ret);
void trace_signalfd4_args(FILE *out, const unsigned long arg[6]);
void trace_prlimit64_args(FILE *out, const unsigned long arg[6]);
void trace_prlimit64_result(FILE *out, const unsigned long arg[6], long ret);

#endif
