/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What stays of an object when pload has ended: its programs and maps, as files in bpffs. */
#ifndef PLOAD_CMD_PINS_H
#define PLOAD_CMD_PINS_H

#include "loader/cmd/loading.h"

/*
 * pins_check() - whether @dir is, or can be made, in a file system of type bpf. EINVAL with what to
 * do; ENOENT or so when nothing above it is there.
 */
int pins_check(struct sys *sys, const char *dir, struct error *err);

/*
 * pins_name() - a name for a pin made of @name, which bpffs takes no '.' in: one that begins it is
 * left out, and what is no letter, digit, '_' or '-' becomes '_'. @out has @size bytes.
 */
void pins_name(char *out, size_t size, const char *name);

/*
 * pins_make() - pin each program that is loaded as DIR/NAME and each map as DIR/maps/NAME. @dir and
 * what is missing above it are made. All or nothing: when a pin is there already or the kernel says
 * no, what this call has made is removed again. EEXIST: two of them would have the same name.
 */
int pins_make(struct sys *sys, const struct loading *l, const char *dir, struct error *err);

#endif
