/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel's names for the numbers of its ABI; used by the trace, messages and output. */
#ifndef PLOAD_SYS_NAMES_H
#define PLOAD_SYS_NAMES_H

#include <stdint.h>

/*
 * Each returns the name as spelled in the kernel headers ("BPF_MAP_TYPE_HASH"), static, or NULL if
 * the number is newer than this program: print the number then.
 */
const char *sys_cmd_name(uint32_t cmd);			/* enum bpf_cmd */
const char *sys_map_type_name(uint32_t type);		/* enum bpf_map_type */
const char *sys_prog_type_name(uint32_t type);		/* enum bpf_prog_type */
const char *sys_attach_type_name(uint32_t type);	/* enum bpf_attach_type */
const char *sys_link_type_name(uint32_t type);		/* enum bpf_link_type */
const char *sys_task_fd_type_name(uint32_t type);	/* enum bpf_task_fd_type */
const char *sys_stats_type_name(uint32_t type);		/* enum bpf_stats_type */
const char *sys_perf_type_name(uint32_t type);		/* enum perf_type_id, fixed types only */
const char *sys_perf_hw_name(uint32_t config);		/* enum perf_hw_id */
const char *sys_perf_sw_name(uint32_t config);		/* enum perf_sw_ids */
const char *sys_signal_name(uint32_t signo);		/* "SIGINT" */
const char *sys_errno_name(uint32_t code);		/* "ENOENT"; knows ENOTSUPP (524) */

/* One or more bits and their name; a table ends with a NULL name. */
struct sys_flag {
	uint64_t bits;
	const char *name;
};

extern const struct sys_flag sys_map_flags[];	/* map_flags of BPF_MAP_CREATE */
extern const struct sys_flag sys_prog_flags[];	/* prog_flags of BPF_PROG_LOAD */

#endif
