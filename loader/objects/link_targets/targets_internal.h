/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internal: look up link targets, and explain why the kernel refused a program. */
#ifndef PLOAD_OBJECTS_LINK_TARGETS_TARGETS_INTERNAL_H
#define PLOAD_OBJECTS_LINK_TARGETS_TARGETS_INTERNAL_H

#include "loader/core/attach/link_target.h"

/** target_device() - Return the index of network device @name, or -errno with a hint. */
int target_device(struct sys *sys, const char *name, struct error *err);

/**
 * iter_target_info() - Set @info to what the iterator of @req visits.
 * @cgroup_fd: borrowed; the --cgroup directory, or -1.
 *
 * Return: false if it visits everything.
 */
bool iter_target_info(const struct target_request *req, int cgroup_fd,
		      union bpf_iter_link_info *info);

/**
 * link_target_bind_map() - Bind a program to the sockets in a map: with a link, or with
 * BPF_PROG_ATTACH before Linux 6.10. Appends to @set.
 */
int link_target_bind_map(struct sys *sys, const struct target_request *req, struct attach_set *set,
			 struct error *err);

/** link_target_failed() - Explain why @call (BPF_LINK_CREATE ...) failed. Return: -@code. */
int link_target_failed(struct sys *sys, const struct target_request *req, const char *call,
		       int code, struct error *err);

#endif
