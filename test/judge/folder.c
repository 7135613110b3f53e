// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The surroundings of a run: the judge's own directory and mounts, run counts, and signals. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/judge/watch.h"

bool make_folder(struct run *run)
{
	const char *tmp = getenv("TMPDIR");

	if (snprintf(run->dir, sizeof(run->dir), "%s/judge.XXXXXX", tmp && *tmp ? tmp : "/tmp") >=
	    (int)sizeof(run->dir))
		return wrong(run, "TMPDIR is too long");
	return mkdtemp(run->dir) || wrong(run, "%s: %s", run->dir, strerror(errno));
}

#define PMU_TYPE "/sys/bus/event_source/devices/software/type"

/*
 * Whoever reads the number of the PMU and whoever knows that it is 1 pass the same. So the file has
 * another number here, in the judge's mount namespace. Without sysfs, nothing is proved.
 */
static void mount_pmu_number(struct run *run)
{
	const uint32_t number = 100 + run->seed % 900;
	char path[320];
	FILE *out;

	if (strcmp(run->stage->method, "pmu"))
		return;
	snprintf(path, sizeof(path), "%s/pmu", run->dir);
	out = fopen(path, "we");
	if (!out)
		return;
	fprintf(out, "%u\n", number);
	if (fclose(out) == 0 && mount(path, PMU_TYPE, NULL, MS_BIND, NULL) == 0)
		run->pmu = number;
}

/*
 * A mount namespace of the judge's own. The folder is a tmpfs there, in which pins are in a bpffs:
 * both go with it, and whatever the loader leaves there.
 */
bool mount_folder(struct run *run)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", run->dir, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=700"))
		return wrong(run, "a tmpfs cannot be mounted: %s", strerror(errno));
	mount_pmu_number(run);
	if (!run->stage->pin)
		return true;
	snprintf(run->pin, sizeof(run->pin), "%s/bpf", run->dir);
	if (mkdir(run->pin, 0700) || mount("bpffs", run->pin, "bpf", 0, NULL))
		return wrong(run, "a bpffs cannot be mounted: %s", strerror(errno));
	strcat(run->pin, "/link");
	return true;
}

/* Enable run counts for as long as the judge runs. */
bool enable_stats(struct run *run)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	if (syscall(__NR_bpf, BPF_ENABLE_STATS, &attr, sizeof(attr)) >= 0)
		return true;
	if (errno == EPERM)
		return wrong(run, "bpf(2) is refused: run the judge as root; in a container, or where root may not "
			     "use it, `make vm-shell` starts a kernel");
	return wrong(run, "this kernel cannot count the runs of programs (BPF_ENABLE_STATS, Linux 5.8): %s",
		     strerror(errno));
}

static void keep_files(const struct run *run)
{
	char to[512];
	/* From a file system of its own: copied by a command that everybody has. */
	const char *args[] = { "cp", "-r", run->dir, to, NULL };
	int status;
	pid_t pid;

	snprintf(to, sizeof(to), "%.400s/%.100s", run->keep, strrchr(run->dir, '/') + 1);
	if (mkdir(run->keep, 0777) && errno != EEXIST) {
		fprintf(stderr, "judge: --keep=%s: %s\n", run->keep, strerror(errno));
		return;
	}
	pid = fork();
	if (pid == 0) {
		execvp(args[0], (char *const *)args);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		printf("The object and its source are in %s.\n", to);
}

void unmount_folder(const struct run *run)
{
	char path[320];

	snprintf(path, sizeof(path), "%s/bpf", run->dir);
	if (run->pin[0] && umount2(path, MNT_DETACH) == 0)
		rmdir(path);
	if (run->keep)
		keep_files(run);
	if (run->pmu)
		umount2(PMU_TYPE, MNT_DETACH);
	umount2(run->dir, MNT_DETACH);
}

/* The judge exits on its own, and removes its files: keeper.c and watch.c read the signals. */
void block_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
}
