/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hooks, implemented in refused/: explain why the kernel refused a map or a program. */
#ifndef PLOAD_KERNEL_REFUSED_H
#define PLOAD_KERNEL_REFUSED_H

#include "loader/kernel/kernel.h"

/* A release of Linux, as a number that can be compared. */
#define LINUX(major, minor) ((uint16_t)((major) << 8 | (minor)))

/* kernel_since() - which release takes programs of @kind, with its attach type and flags. */
uint16_t kernel_since(const struct prog_kind *kind);

/*
 * kernel_hint_release() - if the kernel that runs is older than @wanted, the hint says so of @what, and
 * the reason. Whether it did. kernel_hint_verdict() - the same where the verifier's last words, in
 * @log, are ones that a hint is known for.
 */
bool kernel_hint_release(struct sys *sys, const char *what, uint16_t wanted, struct error *err);
bool kernel_hint_verdict(const char *log, const char *license, struct error *err);

/*
 * Why a map or a program, asked for with @attr, was refused with @code (positive), after checking:
 * fill @err, return -@code. @log: what the verifier said, NULL when nothing; @err has it then.
 */
int kernel_map_failed(struct sys *sys, const struct object_map *map, const union bpf_attr *attr,
		      int code, struct error *err);
int kernel_prog_failed(struct sys *sys, const struct kernel_object *k, uint32_t prog,
		       const union bpf_attr *attr, int code, char *log, struct error *err);

/* kernel_fds_failed() - the part of it about descriptors, EMFILE and ENFILE. */
int kernel_fds_failed(struct sys *sys, const char *call, const char *reason, int code,
		      struct error *err);

#endif
