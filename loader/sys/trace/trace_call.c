// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of traced calls, and those of them that deal with files, memory and signals. */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include <linux/magic.h>
#include <linux/mount.h>

#include "loader/sys/sys.h"
#include "loader/sys/trace/trace_internal.h"
#include "loader/sys/trace/trace_call.h"

#define FLAG(id) { id, #id }
#define SHOWN_MAX 8	/* names of a directory, fds of a poll */
#define READ_MAX 32	/* bytes of what was read */
#define WRITE_MAX 512	/* and written: a line of tracefs */

static const struct sys_flag open_flags[] = {
	FLAG(O_CREAT),
	FLAG(O_EXCL),
	FLAG(O_TRUNC),
	FLAG(O_APPEND),
	FLAG(O_NONBLOCK),
	FLAG(O_DIRECTORY),
	FLAG(O_NOFOLLOW),
	FLAG(O_PATH),
	FLAG(O_CLOEXEC),
	{ 0, NULL },
};

static const struct sys_flag prot_flags[] = {
	FLAG(PROT_READ),
	FLAG(PROT_WRITE),
	FLAG(PROT_EXEC),
	{ 0, NULL },
};

static const struct sys_flag map_flags[] = {
	FLAG(MAP_SHARED),
	FLAG(MAP_PRIVATE),
	FLAG(MAP_FIXED),
	FLAG(MAP_ANONYMOUS),
	FLAG(MAP_POPULATE),
	FLAG(MAP_FIXED_NOREPLACE),
	{ 0, NULL },
};

static const struct sys_flag poll_flags[] = {
	FLAG(POLLIN),
	FLAG(POLLPRI),
	FLAG(POLLOUT),
	FLAG(POLLERR),
	FLAG(POLLHUP),
	FLAG(POLLNVAL),
	{ 0, NULL },
};

static const struct sys_flag signalfd_flags[] = {
	FLAG(SFD_NONBLOCK),
	FLAG(SFD_CLOEXEC),
	{ 0, NULL },
};

static const struct sys_flag fsopen_flags[] = { FLAG(FSOPEN_CLOEXEC), { 0, NULL } };
static const struct sys_flag fsmount_flags[] = { FLAG(FSMOUNT_CLOEXEC), { 0, NULL } };

static const struct sys_flag mount_attrs[] = {
	FLAG(MOUNT_ATTR_RDONLY),
	FLAG(MOUNT_ATTR_NOSUID),
	FLAG(MOUNT_ATTR_NODEV),
	FLAG(MOUNT_ATTR_NOEXEC),
	{ 0, NULL },
};

static void openat_args(FILE *out, const unsigned long arg[6])
{
	static const char *const access_modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR" };
	const unsigned int mode = arg[2] & O_ACCMODE, flags = arg[2] & ~O_ACCMODE;

	trace_enum(out, (int)arg[0] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[0]);
	fputs(", ", out);
	trace_cstring(out, arg[1]);
	fputs(", ", out);
	trace_enum(out, mode < 3 ? access_modes[mode] : NULL, mode);
	if (flags) {
		fputc('|', out);
		trace_flags(out, open_flags, flags);
	}
}

/* fd, buffer, size: read and getdents64 */
static void buffer_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_pointer(out, arg[1]);
	fprintf(out, ", %lu", arg[2]);
}

static void pread64_args(FILE *out, const unsigned long arg[6])
{
	buffer_args(out, arg);
	fprintf(out, ", %ld", (long)arg[3]);
}

static void read_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret <= 0)
		return;
	fputs(" => ", out);
	trace_string(out, (const char *)arg[1], ret < READ_MAX ? ret : READ_MAX);
	fputs(ret > READ_MAX ? "..." : "", out);
}

static void write_args(FILE *out, const unsigned long arg[6])
{
	const size_t shown = arg[2] < WRITE_MAX ? arg[2] : WRITE_MAX;

	fprintf(out, "%d, ", (int)arg[0]);
	if (arg[1])
		trace_string(out, (const char *)arg[1], shown);
	else
		trace_pointer(out, arg[1]);
	fprintf(out, "%s, %lu", arg[1] && arg[2] > shown ? "..." : "", arg[2]);
}

/* struct linux_dirent64: u64 ino, s64 off, u16 reclen, u8 type, then the name. */
static void getdents64_result(FILE *out, const unsigned long arg[6], long ret)
{
	enum { RECLEN_OFF = 16, NAME_OFF = 19 };
	const char *at = (const char *)arg[1], *end = at + ret;
	struct trace_list list = { .out = out, .open = " => [" };

	while (ret > 0 && end - at > NAME_OFF) {
		uint16_t reclen;

		memcpy(&reclen, at + RECLEN_OFF, sizeof(reclen));
		if (reclen <= NAME_OFF || reclen > end - at)
			break;
		trace_name(&list, NULL);
		if (list.len > SHOWN_MAX) {
			fputs("...", out);
			break;
		}
		trace_string(out, at + NAME_OFF, strnlen(at + NAME_OFF, reclen - NAME_OFF));
		at += reclen;
	}
	fputs(list.len ? "]" : "", out);
}

static void fstat_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_pointer(out, arg[1]);
}

static void fstat_result(FILE *out, const unsigned long arg[6], long ret)
{
	static const char *const types[] = {
		[S_IFIFO >> 12] = "S_IFIFO",
		[S_IFCHR >> 12] = "S_IFCHR",
		[S_IFDIR >> 12] = "S_IFDIR",
		[S_IFBLK >> 12] = "S_IFBLK",
		[S_IFREG >> 12] = "S_IFREG",
		[S_IFSOCK >> 12] = "S_IFSOCK",
	};
	const struct stat *st = (const struct stat *)arg[1];
	unsigned int type;

	if (ret < 0)
		return;
	type = (st->st_mode & S_IFMT) >> 12;
	fputs(" => {st_mode=", out);
	trace_enum(out, type < sizeof(types) / sizeof(types[0]) ? types[type] : NULL, type);
	fprintf(out, "|0%03o, st_size=%lld}", st->st_mode & 07777, (long long)st->st_size);
}

static void statfs_args(FILE *out, const unsigned long arg[6])
{
	trace_cstring(out, arg[0]);
	fputs(", ", out);
	trace_pointer(out, arg[1]);
}

static void statfs_result(FILE *out, const unsigned long arg[6], long ret)
{
	static const struct { uint32_t magic; const char *name; } types[] = {
		{ BPF_FS_MAGIC, "BPF_FS_MAGIC" },
		{ CGROUP_SUPER_MAGIC, "CGROUP_SUPER_MAGIC" },
		{ CGROUP2_SUPER_MAGIC, "CGROUP2_SUPER_MAGIC" },
	};
	const uint32_t type = ret < 0 ? 0 : ((const struct statfs *)arg[1])->f_type;
	const char *name = NULL;

	if (ret < 0)
		return;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].magic == type)
			name = types[i].name;
	fputs(" => {f_type=", out);
	trace_enum(out, name, type);
	fputc('}', out);
}

static void unlinkat_args(FILE *out, const unsigned long arg[6])
{
	trace_enum(out, (int)arg[0] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[0]);
	fputs(", ", out);
	trace_cstring(out, arg[1]);
	fputs(", ", out);
	trace_enum(out, arg[2] == AT_REMOVEDIR ? "AT_REMOVEDIR" : NULL, arg[2]);
}

static void mkdirat_args(FILE *out, const unsigned long arg[6])
{
	trace_enum(out, (int)arg[0] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[0]);
	fputs(", ", out);
	trace_cstring(out, arg[1]);
	fprintf(out, ", 0%03lo", arg[2]);
}

static void symlinkat_args(FILE *out, const unsigned long arg[6])
{
	trace_cstring(out, arg[0]);
	fputs(", ", out);
	trace_enum(out, (int)arg[1] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[1]);
	fputs(", ", out);
	trace_cstring(out, arg[2]);
}

static void readlinkat_args(FILE *out, const unsigned long arg[6])
{
	trace_enum(out, (int)arg[0] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[0]);
	fputs(", ", out);
	trace_cstring(out, arg[1]);
	fputs(", ", out);
	trace_pointer(out, arg[2]);
	fprintf(out, ", %lu", arg[3]);
}

static void readlinkat_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret <= 0)
		return;
	fputs(" => ", out);
	trace_string(out, (const char *)arg[2], ret);
}

static void close_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d", (int)arg[0]);
}

static void pidfd_open_args(FILE *out, const unsigned long arg[6])
{
	static const struct sys_flag flags[] = { FLAG(PIDFD_THREAD), { 0, NULL } };

	fprintf(out, "%d, ", (int)arg[0]);
	trace_flags(out, flags, arg[1]);
}

static void close_range_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, %d, %u", (int)arg[0], (int)arg[1], (unsigned int)arg[2]);
}

static void mmap_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fprintf(out, ", %lu, ", arg[1]);
	if (arg[2] == PROT_NONE)
		fputs("PROT_NONE", out);
	else
		trace_flags(out, prot_flags, arg[2]);
	fputs(", ", out);
	trace_flags(out, map_flags, arg[3]);
	fprintf(out, ", %d, %ld", (int)arg[4], (long)arg[5]);
}

static void madvise_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fprintf(out, ", %lu, ", arg[1]);
	trace_enum(out, arg[2] == MADV_POPULATE_WRITE ? "MADV_POPULATE_WRITE" : NULL, arg[2]);
}

static void munmap_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fprintf(out, ", %lu", arg[1]);
}

static void poll_list(FILE *out, const struct pollfd *fds, unsigned long nfds, bool after)
{
	struct trace_list list = { .out = out, .open = "[" };
	unsigned long i;

	for (i = 0; i < nfds; i++) {
		const unsigned short events = after ? fds[i].revents : fds[i].events;

		if (after && !events)
			continue;
		trace_name(&list, NULL);
		if (list.len > SHOWN_MAX) {
			fputs("...", out);
			break;
		}
		fprintf(out, "{fd=%d, %s=", fds[i].fd, after ? "revents" : "events");
		trace_flags(out, poll_flags, events);
		fputc('}', out);
	}
	fputs(list.len ? "]" : "[]", out);
}

static void ppoll_args(FILE *out, const unsigned long arg[6])
{
	const struct timespec *ts = (const struct timespec *)arg[2];

	poll_list(out, (const struct pollfd *)arg[0], arg[1], false);
	fprintf(out, ", %lu, ", arg[1]);
	if (ts)
		fprintf(out, "{tv_sec=%lld, tv_nsec=%ld}", (long long)ts->tv_sec, ts->tv_nsec);
	else
		trace_pointer(out, 0);
	fputs(", ", out);
	trace_pointer(out, arg[3]);
	fprintf(out, ", %lu", arg[4]);
}

static void ppoll_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret == 0)
		fputs(" (time is over)", out);
	if (ret <= 0)
		return;
	fputs(" => ", out);
	poll_list(out, (const struct pollfd *)arg[0], arg[1], true);
}

static void print_signals(FILE *out, const uint64_t *set)
{
	struct trace_list list = { .out = out, .open = "[" };
	unsigned int signo;

	if (!set) {
		trace_pointer(out, 0);
		return;
	}
	for (signo = 1; signo <= 64; signo++) {
		if (!(*set >> (signo - 1) & 1))
			continue;
		trace_name(&list, NULL);
		trace_enum(out, sys_signal_name(signo), signo);
	}
	fputs(list.len ? "]" : "[]", out);
}

static void sigprocmask_args(FILE *out, const unsigned long arg[6])
{
	static const char *const how[] = {
		[SIG_BLOCK] = "SIG_BLOCK",
		[SIG_UNBLOCK] = "SIG_UNBLOCK",
		[SIG_SETMASK] = "SIG_SETMASK",
	};

	trace_enum(out, arg[0] < sizeof(how) / sizeof(how[0]) ? how[arg[0]] : NULL, arg[0]);
	fputs(", ", out);
	print_signals(out, (const uint64_t *)arg[1]);
	fputs(", ", out);
	trace_pointer(out, arg[2]);
	fprintf(out, ", %lu", arg[3]);
}

static void signalfd4_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	print_signals(out, (const uint64_t *)arg[1]);
	fprintf(out, ", %lu, ", arg[2]);
	trace_flags(out, signalfd_flags, arg[3]);
}

/* struct rlimit64: two u64; all bits set is no limit. */
static void print_limits(FILE *out, const uint64_t *limits)
{
	static const char *const names[] = { "rlim_cur", "rlim_max" };
	int i;

	for (i = 0; i < 2; i++) {
		fprintf(out, "%s%s=", i ? ", " : "{", names[i]);
		trace_enum(out, limits[i] == UINT64_MAX ? "RLIM64_INFINITY" : NULL, limits[i]);
	}
	fputc('}', out);
}

static void prlimit64_args(FILE *out, const unsigned long arg[6])
{
	static const char *const resources[] = {
		[RLIMIT_STACK] = "RLIMIT_STACK", [RLIMIT_NOFILE] = "RLIMIT_NOFILE",
		[RLIMIT_MEMLOCK] = "RLIMIT_MEMLOCK", [RLIMIT_AS] = "RLIMIT_AS",
	};
	const size_t known = sizeof(resources) / sizeof(resources[0]);

	fprintf(out, "%d, ", (int)arg[0]);
	trace_enum(out, arg[1] < known ? resources[arg[1]] : NULL, arg[1]);
	fputs(", ", out);
	if (arg[2])
		print_limits(out, (const uint64_t *)arg[2]);
	else
		trace_pointer(out, 0);
	fputs(", ", out);
	trace_pointer(out, arg[3]);
}

static void prlimit64_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret < 0 || !arg[3])
		return;
	fputs(" => ", out);
	print_limits(out, (const uint64_t *)arg[3]);
}

static void fsopen_args(FILE *out, const unsigned long arg[6])
{
	trace_cstring(out, arg[0]);
	fputs(", ", out);
	trace_flags(out, fsopen_flags, arg[1]);
}

static void fsconfig_args(FILE *out, const unsigned long arg[6])
{
	static const char *const commands[] = {
		[FSCONFIG_SET_FLAG] = "FSCONFIG_SET_FLAG",
		[FSCONFIG_SET_STRING] = "FSCONFIG_SET_STRING",
		[FSCONFIG_CMD_CREATE] = "FSCONFIG_CMD_CREATE",
	};
	const size_t known = sizeof(commands) / sizeof(commands[0]);

	fprintf(out, "%d, ", (int)arg[0]);
	trace_enum(out, arg[1] < known ? commands[arg[1]] : NULL, arg[1]);
	fputs(", ", out);
	trace_cstring(out, arg[2]);
	fputs(", ", out);
	trace_cstring(out, arg[3]);
	fprintf(out, ", %d", (int)arg[4]);
}

static void fsmount_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_flags(out, fsmount_flags, arg[1]);
	fputs(", ", out);
	trace_flags(out, mount_attrs, arg[2]);
}

static const struct trace_call calls[] = {
	{ __NR_bpf, "bpf", trace_bpf_args, trace_bpf_result, false },
	{ __NR_perf_event_open, "perf_event_open", trace_perf_args, NULL, false },
	{ __NR_ioctl, "ioctl", trace_ioctl_args, trace_ioctl_result, false },
	{ __NR_openat, "openat", openat_args, NULL, false },
	{ __NR_read, "read", buffer_args, read_result, false },
	{ __NR_pread64, "pread64", pread64_args, read_result, false },
	{ __NR_write, "write", write_args, NULL, false },
	{ __NR_getdents64, "getdents64", buffer_args, getdents64_result, false },
	{ __NR_fstat, "fstat", fstat_args, fstat_result, false },
	{ __NR_statfs, "statfs", statfs_args, statfs_result, false },
	{ __NR_unlinkat, "unlinkat", unlinkat_args, NULL, false },
	{ __NR_mkdirat, "mkdirat", mkdirat_args, NULL, false },
	{ __NR_symlinkat, "symlinkat", symlinkat_args, NULL, false },
	{ __NR_readlinkat, "readlinkat", readlinkat_args, readlinkat_result, false },
	{ __NR_socket, "socket", trace_socket_args, NULL, false },
	{ __NR_bind, "bind", trace_bind_args, NULL, false },
	{ __NR_recvfrom, "recvfrom", trace_recvfrom_args, trace_recvfrom_result, false },
	{ __NR_close, "close", close_args, NULL, false },
	{ __NR_pidfd_open, "pidfd_open", pidfd_open_args, NULL, false },
	{ __NR_pidfd_getfd, "pidfd_getfd", trace_pidfd_getfd_args, NULL, false },
	{ __NR_dup3, "dup3", trace_dup3_args, NULL, false },
	{ __NR_setresuid, "setresuid", trace_ids_args, NULL, false },
	{ __NR_setresgid, "setresgid", trace_ids_args, NULL, false },
	{ __NR_setgroups, "setgroups", trace_setgroups_args, NULL, false },
	{ __NR_capset, "capset", trace_capset_args, NULL, false },
	{ __NR_prctl, "prctl", trace_prctl_args, NULL, false },
	{ __NR_unshare, "unshare", trace_unshare_args, NULL, false },
	{ __NR_close_range, "close_range", close_range_args, NULL, false },
	{ __NR_mmap, "mmap", mmap_args, NULL, true },
	{ __NR_madvise, "madvise", madvise_args, NULL, false },
	{ __NR_munmap, "munmap", munmap_args, NULL, false },
	{ __NR_ppoll, "ppoll", ppoll_args, ppoll_result, false },
	{ __NR_rt_sigprocmask, "rt_sigprocmask", sigprocmask_args, NULL, false },
	{ __NR_signalfd4, "signalfd4", signalfd4_args, NULL, false },
	{ __NR_prlimit64, "prlimit64", prlimit64_args, prlimit64_result, false },
	{ __NR_clone, "clone", trace_clone_args, NULL, false },
	{ __NR_execve, "execve", trace_execve_args, NULL, false },
	{ __NR_exit_group, "exit_group", trace_number_args, NULL, false },
	{ __NR_waitid, "waitid", trace_waitid_args, trace_waitid_result, false },
	{ __NR_kill, "kill", trace_kill_args, NULL, false },
	{ __NR_pipe2, "pipe2", trace_pipe2_args, trace_pipe2_result, false },
	{ __NR_fsopen, "fsopen", fsopen_args, NULL, false },
	{ __NR_fsconfig, "fsconfig", fsconfig_args, NULL, false },
	{ __NR_fsmount, "fsmount", fsmount_args, NULL, false },
};

const struct trace_call *trace_call_find(long nr)
{
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].nr == nr)
			return &calls[i];
	return NULL;
}
