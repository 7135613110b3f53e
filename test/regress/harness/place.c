// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mount the file systems that tests need, whether or not an init process has done so before. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <termios.h>
#include <unistd.h>

#include "test/regress/harness/place.h"

/* include/linux/proc_ns.h: PROC_PID_INIT_INO, the inode of the initial pid namespace. */
#define FIRST_PID_NS 0xeffffffcu

#define SAMPLING "/proc/sys/kernel/perf_cpu_time_max_percent"

#define MAGIC_BPF 0xcafe4a11
#define MAGIC_CGROUP2 0x63677270

struct tree {
	const char *type, *at;
	unsigned long magic;	/* include/uapi/linux/magic.h */
	bool always;		/* mount one even if there are others: tests need it */
};

/* In this order, so that each finds its directory. */
static const struct tree trees[] = {
	{ "proc", "/proc", 0x9fa0, false },
	{ "sysfs", "/sys", 0x62656572, false },
	{ "devtmpfs", "/dev", 0x01021994, false },
	{ "tmpfs", "/tmp", 0x01021994, false },
	{ "tracefs", "/sys/kernel/tracing", 0x74726163, true },
	{ "debugfs", "/sys/kernel/debug", 0x64626720, true },
	{ "bpf", "/sys/fs/bpf", MAGIC_BPF, true },
	{ "cgroup2", "/sys/fs/cgroup", MAGIC_CGROUP2, true },
};

static void say(struct place *place, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct place *place, const char *fmt, ...)
{
	const size_t len = strlen(place->notes);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(place->notes + len, sizeof(place->notes) - len, fmt, ap);
	va_end(ap);
}

/* The initial root is a tmpfs, too. A mount point is on another device than its parent. */
static bool is_mounted(const struct tree *tree)
{
	struct stat here, above;
	struct statfs fs;
	char up[64];

	snprintf(up, sizeof(up), "%s/..", tree->at);
	return !statfs(tree->at, &fs) && (unsigned long)fs.f_type == tree->magic &&
	       !stat(tree->at, &here) && !stat(up, &above) && here.st_dev != above.st_dev;
}

/* cgroup2 may be mounted anywhere: the field after " - " in mountinfo is the type. */
static void find_cgroups(struct place *place)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *at;
	size_t size = 0;

	while (mounts && !place->cgroups[0] && getline(&line, &size, mounts) > 0) {
		at = strstr(line, " - ");
		if (at && !strncmp(at + 3, "cgroup2 ", strlen("cgroup2 ")) &&
		    sscanf(line, "%*d %*d %*s %*s %255s", place->cgroups) != 1)
			place->cgroups[0] = '\0';
	}
	free(line);
	if (mounts)
		fclose(mounts);
}

static void mount_one(struct place *place, const struct tree *tree)
{
	/* A test's pins would be left in the machine's bpffs, so the suite mounts its own. */
	const bool anyway = tree->magic == MAGIC_BPF && place->own_mounts;

	if (tree->magic == MAGIC_CGROUP2)
		find_cgroups(place);
	if ((is_mounted(tree) && !anyway) || (tree->magic == MAGIC_CGROUP2 && place->cgroups[0]))
		return;
	if (place->alone)
		mkdir(tree->at, 0755);
	if (!place->alone && !place->own_mounts)
		say(place, "%s is not mounted, and may not be by this process\n", tree->type);
	else if (!mount(tree->type, tree->at, tree->type, 0, NULL))
		place->own_bpffs |= tree->magic == MAGIC_BPF;
	else
		say(place, "%s cannot be mounted at %s: %s\n", tree->type, tree->at,
		    strerror(errno));
}

bool place_first_pids(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && (unsigned int)st.st_ino == FIRST_PID_NS;
}

/*
 * Process 1 of a container is not alone. The kernel assigns fixed numbers to its initial
 * namespaces.
 */
static bool is_first(void)
{
	struct stat st;

	if (getpid() != 1)
		return false;
	mkdir("/proc", 0755);
	if (stat("/proc/self", &st))
		mount("proc", "/proc", "proc", 0, NULL);
	return stat("/proc/self/ns/pid", &st) || (unsigned int)st.st_ino == FIRST_PID_NS;
}

static void loopback_up(struct place *place)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq req = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &req))
		say(place, "lo cannot be brought up: %s\n", strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* As the first process of a machine, the suite does what init would have done. */
static void set_up(struct place *place)
{
	int fd;

	/* Without /dev/console in the initramfs, the kernel opens nothing. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
		fd = open("/dev/console", O_RDWR);
		for (int to = 0; fd >= 0 && to < 3; to++)
			if (fd != to)
				dup2(fd, to);
	}
	if (symlink("/proc/self/fd", "/dev/fd") && errno != EEXIST)
		say(place, "cannot create /dev/fd: %s\n", strerror(errno));
	mkdir("/dev/shm", 0777);
	loopback_up(place);
	if (chdir("/"))
		say(place, "no directory to be in: %s\n", strerror(errno));
	if (!getenv("PATH"))
		setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
}

static bool write_number(const char *path, int value)
{
	char text[16];
	const int len = snprintf(text, sizeof(text), "%d\n", value);
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const bool good = fd >= 0 && write(fd, text, len) == len;

	if (fd >= 0)
		close(fd);
	return good;
}

/* On a slow machine, the kernel would lower the maximum rate until it refuses high frequencies. */
static void sample_freely(struct place *place)
{
	FILE *file = fopen(SAMPLING, "re");
	int was;

	if (file && fscanf(file, "%d", &was) == 1 && was && write_number(SAMPLING, 0))
		place->sampling = was;
	if (file)
		fclose(file);
}

void place_init(struct place *place)
{
	*place = (struct place){ .alone = is_first(), .sampling = -1 };
	if (!place->alone && !unshare(CLONE_NEWNS))
		place->own_mounts = !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		if (place->alone || trees[i].always)
			mount_one(place, &trees[i]);
	place->own_bpffs |= place->alone;
	find_cgroups(place);
	if (place->alone)
		set_up(place);
	sample_freely(place);
}

void place_end(struct place *place)
{
	if (place->sampling >= 0)
		write_number(SAMPLING, place->sampling);
	place->sampling = -1;
}

_Noreturn void place_leave(const struct place *place, int status)
{
	fflush(NULL);
	if (!place->alone)
		exit(status);
	printf("attach-regress: exit %d\n", status);
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}
