/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The seam: struct sys, through which every system call goes, and a typed wrapper per call. */
#ifndef PLOAD_CORE_SYS_SYS_H
#define PLOAD_CORE_SYS_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <linux/bpf.h>
#include <linux/pidfd.h>
#include <linux/perf_event.h>

/* Linux 5.14; the headers of Debian 11 are older. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct sys_remark;
struct patience;

/*
 * A kernel, real or simulated; always passed as an argument, never global. enter() takes a system
 * call number (__NR_*) and six arguments, and returns the kernel's result: a value >= 0, an address
 * (mmap), or -errno.
 *
 * Because every call goes through one function, a decorator is one function, too: sys_linux()
 * enters the kernel, sys_dry() simulates one, and sys_trace() prints each call and forwards it.
 * Tests add a fake kernel that counts calls and lets the n-th one fail.
 */
struct sys {
	long (*enter)(struct sys *sys, long nr, const unsigned long arg[6]);
	/* Receives the callers' remarks about their calls; NULL: nobody listens. */
	void (*remark)(struct sys *sys, const struct sys_remark *remark);
	void (*free)(struct sys *sys);	/* NULL: static */
	struct patience *patience;	/* borrowed; how long other users may still delay us; or
					 * NULL */
};

enum sys_remark_kind {
	SYS_STAGE,	/* a new stage of the session */
	SYS_WHY,	/* the reason for the next call */
	SYS_NOTE,	/* an event without a system call */
	SYS_SOURCE,	/* the source line of the next call; no text */
};

/* A line of pload's source. */
struct sys_source {
	const char *file, *function;
	int line;
};

struct sys_remark {
	enum sys_remark_kind kind;
	struct sys_source source;
	const char *text;	/* "" if none; valid during the call */
};

/**
 * sys_stage(sys, fmt, ...) - Announce the next stage of the session: "load: maps, programs".
 * sys_why(sys, fmt, ...) - Give the reason for the next call. sys_note(sys, fmt, ...) - Report
 * something that happens without a call. sys_here(sys) - Record this source line as the origin of
 * the next call.
 *
 * They serve the trace. Without one they cost a pointer test: their printf(3) arguments are not
 * evaluated.
 */
#define SYS_REMARK(to, kind, ...) \
	(__builtin_expect(((struct sys *)(to))->remark != NULL, 0) ? \
		 sys_remark(to, kind, \
			    &(const struct sys_source){ __FILE__, __func__, __LINE__ }, \
			    __VA_ARGS__) : (void)0)
#define sys_stage(sys, ...) SYS_REMARK(sys, SYS_STAGE, __VA_ARGS__)
#define sys_why(sys, ...) SYS_REMARK(sys, SYS_WHY, __VA_ARGS__)
#define sys_note(sys, ...) SYS_REMARK(sys, SYS_NOTE, __VA_ARGS__)
#define sys_here(sys) SYS_REMARK(sys, SYS_SOURCE, NULL)

/** sys_remark() - Pass a remark to the listener, which must exist. @fmt: NULL for no text. */
__attribute__((cold, format(printf, 4, 5)))
void sys_remark(struct sys *sys, enum sys_remark_kind kind, const struct sys_source *source,
		const char *fmt, ...);

static inline void sys_free(struct sys *sys)
{
	if (sys && sys->free)
		sys->free(sys);
}

/** sys_failed() - Return true if @ret is a kernel error, -4095..-1. */
static inline int sys_failed(long ret)
{
	return (unsigned long)ret >= -4095UL;
}

/* --- the kernels --- */

/** sys_linux() - The running kernel: the only caller of syscall(2). Static; nothing to free. */
struct sys *sys_linux(void);

/**
 * sys_proxy() - Forward calls to @next, except those that another user can block indefinitely: a
 * proxy process makes them, and is abandoned if it takes too long (base/proxy).
 *
 * Return: malloc'ed, or NULL; sys_free() ends the proxy.
 */
struct sys *sys_proxy(struct sys *next);

/**
 * sys_dry() - Simulate a kernel for --dry-run: maps, programs, events and links exist only here,
 * and requests that break the kernel's rules fail as in the kernel. Files are really read; for a
 * file in /sys that cannot be read, plausible contents are made up, so that a dry run needs no
 * privileges. mmap of a simulated descriptor returns zeroed memory, and poll times out at once.
 * Descriptors start at 3 and mean nothing elsewhere.
 *
 * Return: malloc'ed, or NULL; sys_dry_free() closes any files still open.
 */
struct sys *sys_dry(void);
void sys_dry_free(struct sys *sys);

/**
 * * sys_dry_over() - Like sys_dry(), but read files through @files (borrowed) instead of
 * sys_linux().
 */
struct sys *sys_dry_over(struct sys *files);

/* The format of a trace. */
enum trace_form {
	TRACE_TEXT,	/* calls with stages, reasons, notes and descriptor names */
	TRACE_INSNS,	/* the same plus the instructions of programs */
	TRACE_CALLS,	/* calls alone */
	TRACE_JSON,	/* one object per call: docs/trace.md */
};

/**
 * sys_trace() - Print each call to @out, field by field with the kernel's names, and forward it to
 * @next:
 *
 *	bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=8, ...}, 80) = 4
 *	perf_event_open({type=PERF_TYPE_SOFTWARE, config=PERF_COUNT_SW_CPU_CLOCK, ...},
 *			-1, 0, -1, PERF_FLAG_FD_CLOEXEC) = -1 ENOENT (No such file or directory)
 *	read(5, 0x7ffd5a3c, 64) = 2 => "1\n"
 *
 * Each call is one line; remarks are lines starting with '#'. Data returned by the kernel follows
 * "=>". Fields that are 0 or beyond the passed size are omitted. Pointers must be valid, because
 * they are read before the call.
 *
 * Return: malloc'ed, or NULL; sys_trace_free() does not free @next.
 */
struct sys *sys_trace(struct sys *next, FILE *out, enum trace_form form);
void sys_trace_free(struct sys *sys);

/* --- one per system call; each returns >= 0 or -errno --- */

#define SYS_ARGS(...) ((const unsigned long[6]){ __VA_ARGS__ })

static inline int sys_bpf(struct sys *sys, int cmd, union bpf_attr *attr, unsigned int size)
{
	return sys->enter(sys, __NR_bpf, SYS_ARGS(cmd, (unsigned long)attr, size));
}

/* sys_bpf_common() - Like sys_bpf(), with @common: Linux 7.2; older kernels return EINVAL. */
static inline int sys_bpf_common(struct sys *sys, int cmd, union bpf_attr *attr, unsigned int size,
				 struct bpf_common_attr *common)
{
	return sys->enter(sys, __NR_bpf,
			  SYS_ARGS(cmd | BPF_COMMON_ATTRS, (unsigned long)attr, size,
				   (unsigned long)common, sizeof(*common)));
}

static inline int sys_perf_event_open(struct sys *sys, struct perf_event_attr *attr, pid_t pid,
				      int cpu, int group_fd, unsigned long flags)
{
	return sys->enter(sys, __NR_perf_event_open,
			  SYS_ARGS((unsigned long)attr, (long)pid, (long)cpu, (long)group_fd,
				   flags));
}

static inline int sys_ioctl(struct sys *sys, int fd, unsigned long req, unsigned long arg)
{
	return sys->enter(sys, __NR_ioctl, SYS_ARGS(fd, req, arg));
}

/* @dirfd: AT_FDCWD, or a directory such as a detached tracefs mount. */
static inline int sys_openat(struct sys *sys, int dirfd, const char *path, int flags)
{
	return sys->enter(sys, __NR_openat, SYS_ARGS((long)dirfd, (unsigned long)path, flags, 0));
}

static inline ssize_t sys_read(struct sys *sys, int fd, void *buf, size_t size)
{
	return sys->enter(sys, __NR_read, SYS_ARGS(fd, (unsigned long)buf, size));
}

/* Reads at @off; the file position does not change. */
static inline ssize_t sys_pread(struct sys *sys, int fd, void *buf, size_t size, off_t off)
{
	return sys->enter(sys, __NR_pread64, SYS_ARGS(fd, (unsigned long)buf, size, off));
}

static inline ssize_t sys_write(struct sys *sys, int fd, const void *buf, size_t size)
{
	return sys->enter(sys, __NR_write, SYS_ARGS(fd, (unsigned long)buf, size));
}

/*
 * Returns a descriptor that becomes readable when process @pid (with PIDFD_THREAD, Linux 6.9: the
 * thread) ends. Linux 5.3. Close-on-exec.
 */
static inline int sys_pidfd_open(struct sys *sys, pid_t pid, unsigned int flags)
{
	return sys->enter(sys, __NR_pidfd_open, SYS_ARGS(pid, flags));
}

/* Duplicates descriptor @fd of the process of @pidfd. Linux 5.6. Close-on-exec. */
static inline int sys_pidfd_getfd(struct sys *sys, int pidfd, int fd)
{
	return sys->enter(sys, __NR_pidfd_getfd, SYS_ARGS(pidfd, fd, 0));
}

static inline ssize_t sys_getdents64(struct sys *sys, int fd, void *buf, size_t size)
{
	return sys->enter(sys, __NR_getdents64, SYS_ARGS(fd, (unsigned long)buf, size));
}

static inline int sys_fstat(struct sys *sys, int fd, struct stat *st)
{
	return sys->enter(sys, __NR_fstat, SYS_ARGS(fd, (unsigned long)st));
}

/* Returns the type of the file system that contains @path. */
static inline int sys_statfs(struct sys *sys, const char *path, struct statfs *fs)
{
	return sys->enter(sys, __NR_statfs, SYS_ARGS((unsigned long)path, (unsigned long)fs));
}

static inline int sys_unlinkat(struct sys *sys, const char *path)
{
	return sys->enter(sys, __NR_unlinkat, SYS_ARGS((long)AT_FDCWD, (unsigned long)path, 0));
}

/* Removes an empty directory. */
static inline int sys_rmdir(struct sys *sys, const char *path)
{
	return sys->enter(sys, __NR_unlinkat,
			  SYS_ARGS((long)AT_FDCWD, (unsigned long)path, AT_REMOVEDIR));
}

static inline int sys_mkdirat(struct sys *sys, const char *path, mode_t mode)
{
	return sys->enter(sys, __NR_mkdirat, SYS_ARGS((long)AT_FDCWD, (unsigned long)path, mode));
}

/* Creates a symbolic link to @text. */
static inline int sys_symlinkat(struct sys *sys, const char *text, const char *path)
{
	return sys->enter(sys, __NR_symlinkat,
			  SYS_ARGS((unsigned long)text, (long)AT_FDCWD, (unsigned long)path));
}

/*
 * Reads the target of a symbolic link, without a terminating NUL. Returns its length, at most
 * @size.
 */
static inline ssize_t sys_readlinkat(struct sys *sys, const char *path, char *buf, size_t size)
{
	return sys->enter(sys, __NR_readlinkat,
			  SYS_ARGS((long)AT_FDCWD, (unsigned long)path, (unsigned long)buf, size));
}

/* The same for a link opened as @fd with O_PATH and O_NOFOLLOW. */
static inline ssize_t sys_readlink_of(struct sys *sys, int fd, char *buf, size_t size)
{
	return sys->enter(sys, __NR_readlinkat,
			  SYS_ARGS(fd, (unsigned long)"", (unsigned long)buf, size));
}

static inline int sys_close(struct sys *sys, int fd)
{
	return sys->enter(sys, __NR_close, SYS_ARGS(fd));
}

/* Makes @to a duplicate of @fd; @flags: O_CLOEXEC. */
static inline int sys_dup3(struct sys *sys, int fd, int to, int flags)
{
	return sys->enter(sys, __NR_dup3, SYS_ARGS(fd, to, flags));
}

/* Closes every open descriptor from @first to @last. Linux 5.9. */
static inline int sys_close_range(struct sys *sys, int first, int last)
{
	return sys->enter(sys, __NR_close_range, SYS_ARGS(first, last, 0));
}

/* Returns the address or -errno: test it with sys_failed(). */
static inline long sys_mmap(struct sys *sys, size_t len, int prot, int flags, int fd, off_t off)
{
	return sys->enter(sys, __NR_mmap, SYS_ARGS(0, len, prot, flags, (long)fd, off));
}

/* The same from the start of @fd, at @addr; with MAP_FIXED_NOREPLACE exactly there. */
static inline long sys_mmap_at(struct sys *sys, void *addr, size_t len, int prot, int flags, int fd)
{
	return sys->enter(sys, __NR_mmap,
			  SYS_ARGS((unsigned long)addr, len, prot, flags, (long)fd, 0));
}

static inline int sys_madvise(struct sys *sys, void *addr, size_t len, int advice)
{
	return sys->enter(sys, __NR_madvise, SYS_ARGS((unsigned long)addr, len, advice));
}

static inline int sys_munmap(struct sys *sys, void *addr, size_t len)
{
	return sys->enter(sys, __NR_munmap, SYS_ARGS((unsigned long)addr, len));
}

/* @timeout_ms: -1 waits forever. */
static inline int sys_poll(struct sys *sys, struct pollfd *fds, nfds_t nfds, int timeout_ms)
{
	struct timespec ts = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	const unsigned long timeout = timeout_ms < 0 ? 0 : (unsigned long)&ts;

	return sys->enter(sys, __NR_ppoll, SYS_ARGS((unsigned long)fds, nfds, timeout, 0, 8));
}

/*
 * Changes the signal mask. The kernel's sigset is 64 bits: bit n - 1 for signal n.
 * @how: SIG_BLOCK or SIG_SETMASK. @old: set to the previous mask, or NULL.
 */
static inline int sys_sigprocmask(struct sys *sys, int how, uint64_t set, uint64_t *old)
{
	return sys->enter(sys, __NR_rt_sigprocmask,
			  SYS_ARGS(how, (unsigned long)&set, (unsigned long)old, sizeof(set)));
}

static inline int sys_signalfd(struct sys *sys, uint64_t set, int flags)
{
	return sys->enter(sys, __NR_signalfd4,
			  SYS_ARGS((long)-1, (unsigned long)&set, sizeof(set), flags));
}

/* Sets or reads a limit of this process; @old may be NULL. Both are { soft, hard }. */
static inline int sys_prlimit(struct sys *sys, int resource, const uint64_t set[2], uint64_t old[2])
{
	return sys->enter(sys, __NR_prlimit64,
			  SYS_ARGS(0, resource, (unsigned long)set, (unsigned long)old));
}

/* sys_open_detached() calls fsopen, fsconfig(FSCONFIG_CMD_CREATE) and fsmount. Linux 5.2. */
static inline int sys_fsopen(struct sys *sys, const char *type, unsigned int flags)
{
	return sys->enter(sys, __NR_fsopen, SYS_ARGS((unsigned long)type, flags));
}

static inline int sys_fsconfig(struct sys *sys, int fd, unsigned int cmd)
{
	return sys->enter(sys, __NR_fsconfig, SYS_ARGS(fd, cmd, 0, 0, 0));
}

static inline int sys_fsmount(struct sys *sys, int fd, unsigned int flags, unsigned int attrs)
{
	return sys->enter(sys, __NR_fsmount, SYS_ARGS(fd, flags, attrs));
}

/* Record the caller's source line for a trace. */
#define sys_bpf(sys, ...) (sys_here(sys), sys_bpf(sys, __VA_ARGS__))
#define sys_bpf_common(sys, ...) (sys_here(sys), sys_bpf_common(sys, __VA_ARGS__))
#define sys_perf_event_open(sys, ...) (sys_here(sys), sys_perf_event_open(sys, __VA_ARGS__))
#define sys_ioctl(sys, ...) (sys_here(sys), sys_ioctl(sys, __VA_ARGS__))
#define sys_openat(sys, ...) (sys_here(sys), sys_openat(sys, __VA_ARGS__))
#define sys_read(sys, ...) (sys_here(sys), sys_read(sys, __VA_ARGS__))
#define sys_pread(sys, ...) (sys_here(sys), sys_pread(sys, __VA_ARGS__))
#define sys_write(sys, ...) (sys_here(sys), sys_write(sys, __VA_ARGS__))
#define sys_pidfd_open(sys, ...) (sys_here(sys), sys_pidfd_open(sys, __VA_ARGS__))
#define sys_pidfd_getfd(sys, ...) (sys_here(sys), sys_pidfd_getfd(sys, __VA_ARGS__))
#define sys_getdents64(sys, ...) (sys_here(sys), sys_getdents64(sys, __VA_ARGS__))
#define sys_fstat(sys, ...) (sys_here(sys), sys_fstat(sys, __VA_ARGS__))
#define sys_statfs(sys, ...) (sys_here(sys), sys_statfs(sys, __VA_ARGS__))
#define sys_unlinkat(sys, ...) (sys_here(sys), sys_unlinkat(sys, __VA_ARGS__))
#define sys_rmdir(sys, ...) (sys_here(sys), sys_rmdir(sys, __VA_ARGS__))
#define sys_mkdirat(sys, ...) (sys_here(sys), sys_mkdirat(sys, __VA_ARGS__))
#define sys_symlinkat(sys, ...) (sys_here(sys), sys_symlinkat(sys, __VA_ARGS__))
#define sys_readlinkat(sys, ...) (sys_here(sys), sys_readlinkat(sys, __VA_ARGS__))
#define sys_readlink_of(sys, ...) (sys_here(sys), sys_readlink_of(sys, __VA_ARGS__))
#define sys_close(sys, ...) (sys_here(sys), sys_close(sys, __VA_ARGS__))
#define sys_dup3(sys, ...) (sys_here(sys), sys_dup3(sys, __VA_ARGS__))
#define sys_close_range(sys, ...) (sys_here(sys), sys_close_range(sys, __VA_ARGS__))
#define sys_mmap(sys, ...) (sys_here(sys), sys_mmap(sys, __VA_ARGS__))
#define sys_mmap_at(sys, ...) (sys_here(sys), sys_mmap_at(sys, __VA_ARGS__))
#define sys_madvise(sys, ...) (sys_here(sys), sys_madvise(sys, __VA_ARGS__))
#define sys_munmap(sys, ...) (sys_here(sys), sys_munmap(sys, __VA_ARGS__))
#define sys_poll(sys, ...) (sys_here(sys), sys_poll(sys, __VA_ARGS__))
#define sys_sigprocmask(sys, ...) (sys_here(sys), sys_sigprocmask(sys, __VA_ARGS__))
#define sys_signalfd(sys, ...) (sys_here(sys), sys_signalfd(sys, __VA_ARGS__))
#define sys_prlimit(sys, ...) (sys_here(sys), sys_prlimit(sys, __VA_ARGS__))
#define sys_fsopen(sys, ...) (sys_here(sys), sys_fsopen(sys, __VA_ARGS__))
#define sys_fsconfig(sys, ...) (sys_here(sys), sys_fsconfig(sys, __VA_ARGS__))
#define sys_fsmount(sys, ...) (sys_here(sys), sys_fsmount(sys, __VA_ARGS__))

/* --- helpers: sys.c --- */

/** sys_close_fd() - Close *@fd if it is not -1, and set it to -1. */
void sys_close_fd(struct sys *sys, int *fd);
#define sys_close_fd(sys, ...) (sys_here(sys), sys_close_fd(sys, __VA_ARGS__))

/**
 * sys_read_text() - Read the first line of a small file into @buf, without the newline. @buf is
 * always terminated. Return: its length, or -errno; -E2BIG if it does not fit.
 */
int sys_read_text(struct sys *sys, int dirfd, const char *path, char *buf, size_t size);

/**
 * sys_open_detached() - Create a file system of @type ("tracefs") without a mount point: no other
 * process sees it, and it goes away with its descriptor. Linux 5.2. Return: descriptor of its root
 * directory, owned by the caller, or -errno.
 */
int sys_open_detached(struct sys *sys, const char *type);

/**
 * sys_raise_memlock() - Lift RLIMIT_MEMLOCK. Before Linux 5.11, maps and programs count against it,
 * even for a while after they are released. Return true on success.
 */
bool sys_raise_memlock(struct sys *sys);

/** sys_monotonic_ns() - Read CLOCK_MONOTONIC through the vDSO, without a system call. */
uint64_t sys_monotonic_ns(void);

/**
 * sys_ms_until() - Return the milliseconds until @due_ns, rounded up to avoid busy waiting at the
 * end, and at most an hour, because poll(2) takes an int.
 */
int sys_ms_until(uint64_t due_ns);

#endif
