// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel of a dry run: invents descriptors, enforces the rules, changes nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <linux/magic.h>
#include <linux/mount.h>

#include "loader/observe/dry/dry_internal.h"

#define MAX_FDS (1u << 20)	/* the default of /proc/sys/fs/nr_open */

int dry_fd_new(struct dry *dry, enum sim_kind kind, struct dry_fd **fd)
{
	const int nr = sim_fd_new(&dry->fds, kind, fd);

	if (nr >= 0)
		(*fd)->id = ++dry->last_id;
	return nr;
}

/* Closing a link frees its event, if that is still open, for another program. */
static void unbind(struct dry *dry, const struct dry_fd *link)
{
	struct dry_fd *event = sim_fd_get(&dry->fds, link->event_fd);

	if (event && event->kind == SIM_EVENT && event->id == link->event_id)
		event->bound = false;
}

static long dry_close(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_FILE || fd->kind == SIM_SYMBOLS)
		sys_close_fd(dry->files, &fd->real_fd);
	if (fd->kind == SIM_LINK)
		unbind(dry, fd);
	sim_fd_free(&dry->fds, arg[0]);
	return 0;
}

static long dry_close_range(struct dry *dry, const unsigned long arg[6])
{
	for (unsigned long fd = arg[0]; fd <= arg[1] && sim_fd_get(&dry->fds, fd); fd++)
		dry_close(dry, (const unsigned long[6]){ fd });
	return 0;
}

long dry_memory(struct dry *dry, const unsigned long arg[6])
{
	return dry->files->enter(dry->files, __NR_mmap,
				 SYS_ARGS(0, arg[1], arg[2],
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1UL, 0));
}

/* bpf_map_mmap() in kernel/bpf/syscall.c */
static long map_mmap(struct dry *dry, const struct dry_fd *map, const unsigned long arg[6])
{
	const bool ringbuf = map->type == BPF_MAP_TYPE_RINGBUF;

	if (!ringbuf && !(map->map_flags & BPF_F_MMAPABLE))
		return -KERNEL_ENOTSUPP;
	if (!(arg[3] & MAP_SHARED))
		return -EINVAL;
	if ((arg[2] & PROT_WRITE) && (map->frozen || map->map_flags & BPF_F_RDONLY_PROG))
		return -EPERM;
	/* Only the first page, the consumer's, may be mapped writable. */
	if (ringbuf && (arg[2] & PROT_WRITE) && arg[5] != 0)
		return -EPERM;
	return dry_memory(dry, arg);
}

static long dry_mmap(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[4]);

	if (arg[3] & MAP_ANONYMOUS)
		return dry->files->enter(dry->files, __NR_mmap, arg);
	if (!fd)
		return -EBADF;
	switch (fd->kind) {
	case SIM_FILE:
		return dry->files->enter(dry->files, __NR_mmap,
					 SYS_ARGS(arg[0], arg[1], arg[2], arg[3], fd->real_fd,
						  arg[5]));
	case SIM_MAP:
		return map_mmap(dry, fd, arg);
	case SIM_EVENT:
		return dry_perf_mmap(dry, arg);
	default:
		return -ENODEV;
	}
}

static bool is_ready(void *kernel, int nr, const void *fd)
{
	(void)nr;
	return dry_has_ended(kernel, fd);
}

static long dry_ppoll(struct dry *dry, const unsigned long arg[6])
{
	return sim_poll(&dry->fds, (struct pollfd *)arg[0], arg[1], is_ready, dry);
}

/* Limits are read from the machine and never changed. */
static long dry_prlimit64(struct dry *dry, const unsigned long arg[6])
{
	if (!arg[3])
		return 0;
	return dry->files->enter(dry->files, __NR_prlimit64, SYS_ARGS(arg[0], arg[1], 0, arg[3]));
}

static long fd_of_kind(struct dry *dry, enum sim_kind kind)
{
	struct dry_fd *fd;

	return dry_fd_new(dry, kind, &fd);
}

/* Only tracefs can be mounted in a dry run. Other file systems are refused by name. */
static long dry_fsopen(struct dry *dry, const unsigned long arg[6])
{
	if (!arg[0])
		return -EFAULT;
	return strcmp((const char *)arg[0], "tracefs") == 0 ? fd_of_kind(dry, SIM_FS) : -ENODEV;
}

static long dry_fsconfig(struct dry *dry, const unsigned long arg[6])
{
	int code;

	if (!sim_fd_as(&dry->fds, arg[0], SIM_FS, &code))
		return code;
	return arg[1] == FSCONFIG_CMD_CREATE ? 0 : -EOPNOTSUPP;
}

static long dry_fsmount(struct dry *dry, const unsigned long arg[6])
{
	int code;

	return sim_fd_as(&dry->fds, arg[0], SIM_FS, &code) ? fd_of_kind(dry, SIM_DIR) : code;
}

static long dry_signalfd4(struct dry *dry, const unsigned long arg[6])
{
	int code;

	if ((int)arg[0] == -1)
		return fd_of_kind(dry, SIM_SIGNAL);
	return sim_fd_as(&dry->fds, arg[0], SIM_SIGNAL, &code) ? (int)arg[0] : code;
}

/* poll(2) treats it like a signalfd, and does not wait: no descriptor is ready. */
static long dry_epoll_create1(struct dry *dry, const unsigned long arg[6])
{
	(void)arg;
	return fd_of_kind(dry, SIM_SIGNAL);
}

/* It accepts any descriptor, and none is ever ready. */
static long dry_epoll(struct dry *dry, const unsigned long arg[6])
{
	int code;

	return sim_fd_as(&dry->fds, arg[0], SIM_SIGNAL, &code) ? 0 : code;
}

/* Keep the dispositions of signals: a dry run does not wait for any. */
static long dry_rt_sigprocmask(struct dry *dry, const unsigned long arg[6])
{
	(void)dry;
	(void)arg;
	return 0;
}

/* A dry run pins nothing, so there is nothing to remove. Nor does it create directories. */
static long dry_path(struct dry *dry, const unsigned long arg[6])
{
	(void)dry;
	return arg[1] ? 0 : -EFAULT;
}

static long dry_symlinkat(struct dry *dry, const unsigned long arg[6])
{
	(void)dry;
	return arg[0] && arg[2] ? 0 : -EFAULT;
}

/* Symbolic links and files are real, except below a simulated descriptor. */
static long dry_readlinkat(struct dry *dry, const unsigned long arg[6])
{
	if (!arg[1] || !arg[2])
		return -EFAULT;
	if ((int)arg[0] != AT_FDCWD || !strncmp((const char *)arg[1], "/proc/self/", 11))
		return -ENOENT;
	return dry->files->enter(dry->files, __NR_readlinkat, arg);
}

/* A cgroup must be a directory. Pins may go anywhere in a dry run. */
static long dry_statfs(struct dry *dry, const unsigned long arg[6])
{
	struct statfs *fs = (struct statfs *)arg[1];

	if (!arg[0] || !fs)
		return -EFAULT;
	if (sys_statfs(dry->files, (const char *)arg[0], fs) >= 0 &&
	    ((uint32_t)fs->f_type == CGROUP_SUPER_MAGIC ||
	     (uint32_t)fs->f_type == CGROUP2_SUPER_MAGIC))
		return 0;
	memset(fs, 0, sizeof(*fs));
	fs->f_type = BPF_FS_MAGIC;
	return 0;
}

static long dry_socket(struct dry *dry, const unsigned long arg[6])
{
	(void)arg;
	return fd_of_kind(dry, SIM_SOCKET);
}

/* No message ever arrives. */
static long dry_bind_socket(struct dry *dry, const unsigned long arg[6])
{
	int code;

	sim_fd_as(&dry->fds, arg[0], SIM_SOCKET, &code);
	return code == -EINVAL ? -ENOTSOCK : code;
}

static long dry_recvfrom(struct dry *dry, const unsigned long arg[6])
{
	const long ret = dry_bind_socket(dry, arg);

	return ret ? ret : -EAGAIN;
}

static long dry_madvise(struct dry *dry, const unsigned long arg[6])
{
	return dry->files->enter(dry->files, __NR_madvise, arg);
}

static long dry_munmap(struct dry *dry, const unsigned long arg[6])
{
	return dry->files->enter(dry->files, __NR_munmap, arg);
}

static const struct {
	long nr;
	long (*call)(struct dry *dry, const unsigned long arg[6]);
} calls[] = {
	{ __NR_bpf, dry_bpf },
	{ __NR_perf_event_open, dry_perf_event_open },
	{ __NR_ioctl, dry_ioctl },
	{ __NR_openat, dry_openat },
	{ __NR_read, dry_read },
	{ __NR_pread64, dry_pread64 },
	{ __NR_write, dry_write },
	{ __NR_getdents64, dry_getdents64 },
	{ __NR_fstat, dry_fstat },
	{ __NR_statfs, dry_statfs },
	{ __NR_mkdirat, dry_path },
	{ __NR_unlinkat, dry_path },
	{ __NR_symlinkat, dry_symlinkat },
	{ __NR_readlinkat, dry_readlinkat },
	{ __NR_socket, dry_socket },
	{ __NR_bind, dry_bind_socket },
	{ __NR_recvfrom, dry_recvfrom },
	{ __NR_pidfd_open, dry_pidfd_open },
	{ __NR_clone, dry_clone },
	{ __NR_execve, dry_execve },
	{ __NR_waitid, dry_waitid },
	{ __NR_kill, dry_kill },
	{ __NR_pipe2, dry_pipe2 },
	{ __NR_close, dry_close },
	{ __NR_close_range, dry_close_range },
	{ __NR_mmap, dry_mmap },
	{ __NR_madvise, dry_madvise },
	{ __NR_munmap, dry_munmap },
	{ __NR_ppoll, dry_ppoll },
	{ __NR_epoll_create1, dry_epoll_create1 },
	{ __NR_epoll_ctl, dry_epoll },
	{ __NR_epoll_pwait, dry_epoll },
	{ __NR_rt_sigprocmask, dry_rt_sigprocmask },
	{ __NR_signalfd4, dry_signalfd4 },
	{ __NR_prlimit64, dry_prlimit64 },
	{ __NR_fsopen, dry_fsopen },
	{ __NR_fsconfig, dry_fsconfig },
	{ __NR_fsmount, dry_fsmount },
};

/* A call that is not in the table might change the machine, so it is refused. */
static long dry_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].nr == nr)
			return calls[i].call((struct dry *)sys, arg);
	return -ENOSYS;
}

struct sys *sys_dry_over(struct sys *files)
{
	struct dry *dry = calloc(1, sizeof(*dry));

	if (!dry)
		return NULL;
	dry->sys.enter = dry_enter;
	dry->sys.free = sys_dry_free;
	dry->files = files;
	dry->sys.patience = files->patience;
	dry->fds = sim_fds(sizeof(struct dry_fd), MAX_FDS);
	return &dry->sys;
}

struct sys *sys_dry(void)
{
	return sys_dry_over(sys_linux());
}

void sys_dry_free(struct sys *sys)
{
	struct dry *dry = (struct dry *)sys;

	if (!dry)
		return;
	for (int i = 0; i < (int)dry->fds.nr; i++) {
		struct dry_fd *fd = sim_fd_get(&dry->fds, i);

		if (fd && (fd->kind == SIM_FILE || fd->kind == SIM_SYMBOLS))
			sys_close_fd(dry->files, &fd->real_fd);
	}
	free(dry->fds.list);
	free(dry);
}
