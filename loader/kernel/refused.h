/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: names the kernel takes, limits it asks for, and why it refused. */
#ifndef PLOAD_KERNEL_REFUSED_H
#define PLOAD_KERNEL_REFUSED_H

#include "loader/kernel/kernel.h"

/*
 * kernel_name() - an object name as the kernel takes it: at most 15 characters of [A-Za-z0-9_.],
 * others become '_'. A section's map is called after the object's file, as "ip_count.bss": @path's
 * last part up to its first dot goes in front, cut so that @name fits.
 */
void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *name);

/*
 * kernel_raise_memlock() - before Linux 5.11 maps and programs are charged to RLIMIT_MEMLOCK, and
 * going over it is EPERM. Raises it once. Returns whether trying again makes sense.
 */
bool kernel_raise_memlock(struct sys *sys, struct kernel_object *k);

/* kernel_prog_load() - BPF_PROG_LOAD, again when a signal came in between. The fd, or -errno. */
int kernel_prog_load(struct sys *sys, union bpf_attr *attr);

/*
 * kernel_load_older() - load without what older kernels do not know: XDP_HAS_FRAGS (Linux 5.18),
 * BTF (5.0), expected_attach_type (4.17), the name (4.15); only where the program means the same.
 * @code is why it was refused. Returns the fd, or @code again.
 */
int kernel_load_older(struct sys *sys, union bpf_attr *attr, int code);

/*
 * prog_drop_btf() - take functions and lines out of @attr (Linux 5.0). Whether they were in there.
 */
bool prog_drop_btf(union bpf_attr *attr);

/*
 * kernel_load_plain_btf() - functions whose arguments carry tags (Linux 6.8) as static ones, which
 * older kernels verify with the arguments of their callers: k->plain_btf_fd. false: there are none,
 * or the kernel does not take it.
 */
bool kernel_load_plain_btf(struct sys *sys, struct kernel_object *k);

/* A release of Linux, as a number that can be compared. */
#define LINUX(major, minor) ((uint16_t)((major) << 8 | (minor)))

/* kernel_since() - which release takes programs of @kind, with its attach type and flags. */
uint16_t kernel_since(const struct prog_kind *kind);

/*
 * kernel_hint_age() - if the kernel that runs is older than @wanted, the hint says so of @what, and
 * the reason. Whether it did. kernel_hint_verdict() - the same where the verifier's last words, in
 * @log, are ones that a hint is known for.
 */
bool kernel_hint_age(struct sys *sys, const char *what, uint16_t wanted, struct error *err);
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
