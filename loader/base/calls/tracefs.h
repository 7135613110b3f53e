/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Access to tracefs, mounted or as a detached mount of our own. */
#ifndef PLOAD_BASE_CALLS_TRACEFS_H
#define PLOAD_BASE_CALLS_TRACEFS_H

#include "loader/core/event/pmu.h"

/* A mounted tracefs, or a detached mount of our own, which no path reaches. */
struct tracefs {
	int dir_fd;		/* owned; AT_FDCWD if tracefs is mounted */
	const char *root;	/* static path of the mount; "": relative to dir_fd */
};

/**
 * tracefs_find() - Find the mounted tracefs or create a detached mount.
 * tracefs_close() - Close it; call this even if tracefs_find() failed.
 *
 * Return: 0 or -errno ("event/no-tracefs", "event/fd-limit").
 */
int tracefs_find(struct sys *sys, struct tracefs *t, struct error *err);
void tracefs_close(struct sys *sys, struct tracefs *t);

/** tracefs_path() - Store the path of @file, relative to t->dir_fd, in @buf. Return: @buf. */
const char *tracefs_path(const struct tracefs *t, const char *file, char *buf, size_t size);
/** tracefs_openat() - Open @file in tracefs. Return: descriptor or -errno. */
int tracefs_openat(struct sys *sys, const struct tracefs *t, const char *file, int flags);

/**
 * tracepoint_category() - Find the first category with a tracepoint @name.
 * Return: false if there is none, or tracefs cannot be read.
 */
bool tracepoint_category(struct sys *sys, const char *name, char *category, size_t size);

#endif
