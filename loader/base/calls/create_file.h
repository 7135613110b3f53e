/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The system calls that create, replace and complete a file, relative to an open directory. */
#ifndef PLOAD_BASE_CALLS_CREATE_FILE_H
#define PLOAD_BASE_CALLS_CREATE_FILE_H

#include "loader/core/sys/sys.h"

/* @mode: modified by the umask. */
static inline int sys_create(struct sys *sys, int dirfd, const char *path, int flags, mode_t mode)
{
	return sys->enter(sys, __NR_openat,
			  SYS_ARGS((long)dirfd, (unsigned long)path, flags, mode));
}

/* Creates a name @to in @dirfd for the file that the symbolic link @from points to. */
static inline int sys_linkat(struct sys *sys, const char *from, int dirfd, const char *to)
{
	return sys->enter(sys, __NR_linkat,
			  SYS_ARGS((long)AT_FDCWD, (unsigned long)from, (long)dirfd,
				   (unsigned long)to, AT_SYMLINK_FOLLOW));
}

/* Renames @from, which replaces @to. */
static inline int sys_renameat(struct sys *sys, int dirfd, const char *from, const char *to)
{
	return sys->enter(sys, __NR_renameat2,
			  SYS_ARGS((long)dirfd, (unsigned long)from, (long)dirfd,
				   (unsigned long)to, 0));
}

/* Removes the name @path from the directory @dirfd. */
static inline int sys_remove_in(struct sys *sys, int dirfd, const char *path)
{
	return sys->enter(sys, __NR_unlinkat, SYS_ARGS((long)dirfd, (unsigned long)path, 0));
}

/* Reads the target of the link @fd, which O_PATH | O_NOFOLLOW has opened, as sys_readlinkat(). */
static inline ssize_t sys_read_link_of(struct sys *sys, int fd, char *buf, size_t size)
{
	return sys->enter(sys, __NR_readlinkat,
			  SYS_ARGS(fd, (unsigned long)"", (unsigned long)buf, size));
}

/* Returns the type of the file system that contains the file @fd. */
static inline int sys_fstatfs(struct sys *sys, int fd, struct statfs *fs)
{
	return sys->enter(sys, __NR_fstatfs, SYS_ARGS(fd, (unsigned long)fs));
}

/* @uid, @gid: -1 keeps it unchanged. */
static inline int sys_fchown(struct sys *sys, int fd, uid_t uid, gid_t gid)
{
	return sys->enter(sys, __NR_fchown, SYS_ARGS(fd, uid, gid));
}

static inline int sys_fchmod(struct sys *sys, int fd, mode_t mode)
{
	return sys->enter(sys, __NR_fchmod, SYS_ARGS(fd, mode));
}

/* Returns when the file is on disk, or writing it failed. */
static inline int sys_fsync(struct sys *sys, int fd)
{
	return sys->enter(sys, __NR_fsync, SYS_ARGS(fd));
}

static inline ssize_t sys_getrandom(struct sys *sys, void *buf, size_t size)
{
	return sys->enter(sys, __NR_getrandom, SYS_ARGS((unsigned long)buf, size, 0));
}

#endif
