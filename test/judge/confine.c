// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Confine a loader, which is somebody else's program and runs as root. It has its own namespaces
 * for processes, mounts, System V IPC and the host name, but no user namespace, in which the kernel
 * refuses perf_event_open(2) and bpf(2). So the loader can still do harm as root, but it cannot
 * reach the judge, and leaves no process.
 */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/capability.h>

#include "test/judge/watch.h"

#define PROCESSES_MAX 1000
#define FILES_MAX 16384

/* Unmount the machine's /proc: if it were only mounted over, the loader could uncover it. */
static bool mount_proc(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount_entry;

	while (mounts && (mount_entry = getmntent(mounts)))
		if (!strcmp(mount_entry->mnt_type, "proc"))
			umount2(mount_entry->mnt_dir, MNT_DETACH);
	if (mounts)
		endmntent(mounts);
	return mounts && mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

/*
 * Drop capabilities that control other processes or the machine from the bounding set, so that the
 * loader cannot regain them. Without them it cannot write to the memory of a process that has them:
 * see cap_ptrace_access_check() in security/commoncap.c.
 */
static bool drop_capabilities(void)
{
	static const int dropped[] = { CAP_SYS_PTRACE, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_BOOT,
				       CAP_SYS_TIME, CAP_MKNOD };

	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++)
		if (prctl(PR_CAPBSET_DROP, dropped[i], 0, 0, 0) && errno != EINVAL)
			return false;
	return true;
}

/* Lower a limit, both soft and hard; never raise it. */
static bool limit_resource(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return false;
	limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
	limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
	return setrlimit(resource, &limit) == 0;
}

/* Stop a loop that opens or writes without end before the disk or the kernel's memory is full. */
static bool limit_files(void)
{
	return limit_resource(RLIMIT_NOFILE, FILES_MAX) && limit_resource(RLIMIT_FSIZE, FILE_SIZE_MAX) &&
	       limit_resource(RLIMIT_CORE, 0);
}

bool confine(void)
{
	return mount_proc() && drop_capabilities() && limit_files();
}

/* --- control groups --- */

/* A limit, and the file that sets it in cgroup v2 and v1. */
struct group_limit {
	const char *controller, *file, *file_v1;
	uint64_t value;
};

static bool write_text(const char *dir, const char *name, const char *text)
{
	char path[512];
	int fd;
	bool written;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return written;
}

/* Return true if the hierarchy mounted there has the controller. */
static bool has_controller(const struct mntent *mounted, const char *controller)
{
	char path[512], line[256] = "", *save = NULL;
	FILE *in;

	if (!strcmp(mounted->mnt_type, "cgroup"))
		return hasmntopt(mounted, controller) != NULL;
	if (strcmp(mounted->mnt_type, "cgroup2"))
		return false;
	snprintf(path, sizeof(path), "%s/cgroup.controllers", mounted->mnt_dir);
	in = fopen(path, "re");
	if (in && !fgets(line, sizeof(line), in))
		line[0] = 0;
	if (in)
		fclose(in);
	for (char *word = strtok_r(line, " \n", &save); word; word = strtok_r(NULL, " \n", &save))
		if (!strcmp(word, controller))
			return true;
	return false;
}

/*
 * Write the path of the run's cgroup for the controller. In cgroup v2, its parent must enable the
 * controller for its children.
 * Return: the version, 1 or 2; 0 if there is no such controller.
 */
static int group_path(const struct run *run, const char *controller, char *path, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mounted;
	int version = 0;

	while (mounts && !version && (mounted = getmntent(mounts))) {
		char pass_on[32];

		if (!has_controller(mounted, controller))
			continue;
		version = strcmp(mounted->mnt_type, "cgroup") ? 2 : 1;
		snprintf(path, size, "%s%s", mounted->mnt_dir, strrchr(run->dir, '/'));
		snprintf(pass_on, sizeof(pass_on), "+%s", controller);
		if (version == 2)
			write_text(mounted->mnt_dir, "cgroup.subtree_control", pass_on);
	}
	if (mounts)
		endmntent(mounts);
	return version;
}

static bool limit_group(const struct run *run, const struct group_limit *limit, pid_t pid)
{
	char path[384], value[32], process[32];
	const int version = group_path(run, limit->controller, path, sizeof(path));

	snprintf(value, sizeof(value), "%llu", (unsigned long long)limit->value);
	snprintf(process, sizeof(process), "%d", pid);
	return version && (mkdir(path, 0755) == 0 || errno == EEXIST) &&
	       write_text(path, version == 2 ? limit->file : limit->file_v1, value) &&
	       write_text(path, "cgroup.procs", process);
}

uint64_t memory_limit(void)
{
	const uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;

	return half < MEMORY_MAX ? half : MEMORY_MAX;
}

void limit_memory_and_processes(struct run *run, pid_t pid)
{
	const struct group_limit limits[] = {
		{ "memory", "memory.max", "memory.limit_in_bytes", memory_limit() },
		{ "pids", "pids.max", "pids.max", PROCESSES_MAX },
	};

	run->unlimited = NULL;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!limit_group(run, &limits[i], pid))
			run->unlimited = limits[i].controller;
}

bool remove_groups(const struct run *run)
{
	bool removed = true;
	char path[384];

	for (const char *const *c = (const char *[]){ "memory", "pids", NULL }; *c; c++)
		if (group_path(run, *c, path, sizeof(path)))
			removed &= rmdir(path) == 0 || errno == ENOENT;
	return removed;
}
