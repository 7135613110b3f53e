// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of traced calls, and the printers of calls on files. */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include <linux/magic.h>
#include <linux/mount.h>

#include "loader/base/calls/processes.h"
#include "loader/core/sys/sys.h"
#include "loader/observe/trace/trace_internal.h"
#include "loader/observe/trace/trace_call.h"

#define FLAG(id) { id, #id }
#define SHOWN_MAX 8	/* maximum number of directory entries to print */
#define READ_MAX 32	/* maximum number of bytes read to print */
#define WRITE_MAX 512	/* maximum number of bytes written to print: a line of tracefs */

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

static void readlinkat_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret <= 0)
		return;
	fputs(" => ", out);
	trace_string(out, (const char *)arg[2], ret);
}

static void pidfd_open_args(FILE *out, const unsigned long arg[6])
{
	static const struct sys_flag flags[] = { FLAG(PIDFD_THREAD), { 0, NULL } };

	fprintf(out, "%d, ", (int)arg[0]);
	trace_flags(out, flags, arg[1]);
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

void trace_call_args(FILE *out, const struct trace_call *call, const unsigned long arg[6])
{
	if (call->args) {
		call->args(out, arg);
		return;
	}
	for (int i = 0; call->kinds[i]; i++) {
		fputs(i ? ", " : "", out);
		switch (call->kinds[i]) {
		case 'd':
			fprintf(out, "%d", (int)arg[i]);
			break;
		case 'l':
			fprintf(out, "%ld", (long)arg[i]);
			break;
		case 'u':
			fprintf(out, "%lu", arg[i]);
			break;
		case 'o':
			fprintf(out, "0%03lo", arg[i]);
			break;
		case 's':
			trace_cstring(out, arg[i]);
			break;
		case 'p':
			trace_pointer(out, arg[i]);
			break;
		case 'D':
			trace_enum(out, (int)arg[i] == AT_FDCWD ? "AT_FDCWD" : NULL, arg[i]);
			break;
		case 'r':
			trace_enum(out, arg[i] == AT_REMOVEDIR ? "AT_REMOVEDIR" : NULL, arg[i]);
			break;
		case 'S':
			trace_enum(out, sys_signal_name(arg[i]), arg[i]);
			break;
		}
	}
}

static const struct trace_call calls[] = {
	{ __NR_bpf, "bpf", NULL, trace_bpf_args, trace_bpf_result, false },
	{ __NR_perf_event_open, "perf_event_open", NULL, trace_perf_args, NULL, false },
	{ __NR_ioctl, "ioctl", NULL, trace_ioctl_args, trace_ioctl_result, false },
	{ __NR_openat, "openat", NULL, openat_args, NULL, false },
	{ __NR_read, "read", "dpu", NULL, read_result, false },
	{ __NR_pread64, "pread64", "dpul", NULL, read_result, false },
	{ __NR_write, "write", NULL, write_args, NULL, false },
	{ __NR_getdents64, "getdents64", "dpu", NULL, getdents64_result, false },
	{ __NR_fstat, "fstat", "dp", NULL, fstat_result, false },
	{ __NR_statfs, "statfs", "sp", NULL, statfs_result, false },
	{ __NR_unlinkat, "unlinkat", "Dsr", NULL, NULL, false },
	{ __NR_mkdirat, "mkdirat", "Dso", NULL, NULL, false },
	{ __NR_symlinkat, "symlinkat", "sDs", NULL, NULL, false },
	{ __NR_readlinkat, "readlinkat", "Dspu", NULL, readlinkat_result, false },
	{ __NR_socket, "socket", NULL, trace_socket_args, NULL, false },
	{ __NR_socketpair, "socketpair", NULL, trace_socketpair_args, NULL, false },
	{ __NR_sendto, "sendto", NULL, trace_sendto_args, NULL, false },
	{ __NR_bind, "bind", NULL, trace_bind_args, NULL, false },
	{ __NR_recvfrom, "recvfrom", NULL, trace_recvfrom_args, trace_recvfrom_result, false },
	{ __NR_close, "close", "d", NULL, NULL, false },
	{ __NR_pidfd_open, "pidfd_open", NULL, pidfd_open_args, NULL, false },
	{ __NR_pidfd_getfd, "pidfd_getfd", "ddd", NULL, NULL, false },
	{ __NR_dup3, "dup3", NULL, trace_dup3_args, NULL, false },
	{ __NR_setresuid, "setresuid", "ddd", NULL, NULL, false },
	{ __NR_setresgid, "setresgid", "ddd", NULL, NULL, false },
	{ __NR_setgroups, "setgroups", "up", NULL, NULL, false },
	{ __NR_capset, "capset", NULL, trace_capset_args, NULL, false },
	{ __NR_prctl, "prctl", NULL, trace_prctl_args, NULL, false },
	{ __NR_unshare, "unshare", NULL, trace_unshare_args, NULL, false },
	{ __NR_setns, "setns", NULL, trace_setns_args, NULL, false },
	{ __NR_close_range, "close_range", "ddd", NULL, NULL, false },
	{ __NR_mmap, "mmap", NULL, trace_mmap_args, NULL, true },
	{ __NR_madvise, "madvise", NULL, trace_madvise_args, NULL, false },
	{ __NR_munmap, "munmap", "pu", NULL, NULL, false },
	{ __NR_ppoll, "ppoll", NULL, trace_ppoll_args, trace_ppoll_result, false },
	{ __NR_epoll_create1, "epoll_create1", NULL, trace_epoll_create1_args, NULL, false },
	{ __NR_epoll_ctl, "epoll_ctl", NULL, trace_epoll_ctl_args, NULL, false },
	{ __NR_epoll_pwait, "epoll_pwait", NULL, trace_epoll_pwait_args, trace_epoll_pwait_result,
	  false },
	{ __NR_rt_sigprocmask, "rt_sigprocmask", NULL, trace_sigprocmask_args, NULL, false },
	{ __NR_signalfd4, "signalfd4", NULL, trace_signalfd4_args, NULL, false },
	{ __NR_prlimit64, "prlimit64", NULL, trace_prlimit64_args, trace_prlimit64_result, false },
	{ __NR_clone, "clone", NULL, trace_clone_args, NULL, false },
	{ __NR_execve, "execve", NULL, trace_execve_args, NULL, false },
	{ __NR_exit_group, "exit_group", "d", NULL, NULL, false },
	{ __NR_waitid, "waitid", NULL, trace_waitid_args, trace_waitid_result, false },
	{ __NR_kill, "kill", "dS", NULL, NULL, false },
	{ __NR_setpriority, "setpriority", "ddd", NULL, NULL, false },
	{ __NR_pipe2, "pipe2", NULL, trace_pipe2_args, trace_pipe2_result, false },
	{ __NR_fsopen, "fsopen", NULL, fsopen_args, NULL, false },
	{ __NR_fsconfig, "fsconfig", NULL, fsconfig_args, NULL, false },
	{ __NR_fsmount, "fsmount", NULL, fsmount_args, NULL, false },
#if defined(__NR_uprobe)
	{ __NR_uprobe, "uprobe", "", NULL, NULL, false },
#endif
};

const struct trace_call *trace_call_find(long nr)
{
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].nr == nr)
			return &calls[i];
	return NULL;
}
