// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command under a watchdog, and print how it ended, as lines "key=value":
 *
 *	status		its exit status, "signal N", or "hang": the watchdog has killed it
 *	ms		how long it ran
 *	peak_mb		the memory of the largest of its processes
 *	programs	the number of BPF programs that it had open
 *	left		process or program of it that is still there afterwards; a line for each
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "test/hostile/hostile.h"

#define POLL_NS 10000000
#define KEY_MAX 64	/* in bytes: profile.bpf.o has 28 */
#define LEFT_MAX 500	/* polls after which what still exists counts as left */

static uint32_t programs[64];
static unsigned int nr_programs;
static bool has_samples;	/* a hash map of the command has an element */

static unsigned int now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = POLL_NS }, NULL);
}

static void add_program(uint32_t id)
{
	for (unsigned int i = 0; i < nr_programs; i++)
		if (programs[i] == id)
			return;
	if (nr_programs < sizeof(programs) / sizeof(programs[0]))
		programs[nr_programs++] = id;
}

/* Return true if the map has an element. An array always has. */
static bool has_element(uint32_t map_id)
{
	union bpf_attr attr;
	char key[KEY_MAX];
	bool has;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_id = map_id;
	fd = syscall(SYS_bpf, BPF_MAP_GET_FD_BY_ID, &attr, sizeof(attr));
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.next_key = (uintptr_t)key;
	has = fd >= 0 && !syscall(SYS_bpf, BPF_MAP_GET_NEXT_KEY, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
	return has;
}

/* Collect the programs that the process has open, and whether one of them has filled a map. */
static void find_programs(pid_t pid)
{
	char path[64], line[256];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		int fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
		FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
		uint32_t id, type = BPF_MAP_TYPE_UNSPEC, key_size = 0;

		while (f && fgets(line, sizeof(line), f)) {
			if (sscanf(line, "prog_id:%u", &id) == 1)
				add_program(id);
			sscanf(line, "map_type:%u", &type);
			sscanf(line, "key_size:%u", &key_size);
			if (sscanf(line, "map_id:%u", &id) == 1 && type == BPF_MAP_TYPE_HASH &&
			    key_size <= KEY_MAX && !has_samples)
				has_samples = has_element(id);
		}
		if (f)
			fclose(f);
		else if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

static bool program_exists(uint32_t id)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Return true if the process has the mappings of another one open. */
static bool has_maps(unsigned int pid)
{
	char path[64], file[64];
	struct dirent *entry;
	bool has = false;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	while (dir && !has && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, file, sizeof(file));
		has = len > 5 && !memcmp(file, "/proc", 5) && !memcmp(file + len - 5, "/maps", 5);
	}
	if (dir)
		closedir(dir);
	return has;
}

/* Return true if a child of the process reads mappings. */
static bool reads_maps(pid_t pid)
{
	unsigned int child;
	char path[64];
	bool reads = false;
	FILE *children;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	children = fopen(path, "r");
	while (children && !reads && fscanf(children, "%u", &child) == 1)
		reads = has_maps(child);
	if (children)
		fclose(children);
	return reads;
}

/* Send the process each signal whose time has come. Return those that remain. */
static const char *send_signals(const char *signals, pid_t pid, unsigned int ms)
{
	char name[8];
	unsigned int when;

	while (sscanf(signals, "%7[A-Z]:%u", name, &when) == 2 ? ms >= when :
	       sscanf(signals, "%7[A-Z]:maps", name) == 1 && reads_maps(pid)) {
		kill(pid, !strcmp(name, "INT") ? SIGINT : SIGTERM);
		signals += strcspn(signals, ",");
		signals += *signals == ',';
	}
	return signals;
}

static pid_t start(const struct stage *stage, const struct watched *how, char **argv)
{
	const pid_t pid = fork();
	char victim[16];

	if (pid)
		return pid;
	snprintf(victim, sizeof(victim), "%d", stage->shared->victim);
	for (char **arg = argv; *arg; arg++)
		*arg = strcmp(*arg, "@") ? *arg : victim;
	/* Like a service: the leader of a session without a terminal. */
	setsid();
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(how->out, 1);
	dup2(how->err, 2);
	execv(argv[0], argv);
	_exit(127);
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

void watch(struct stage *stage, const struct watched *how, char **argv)
{
	const unsigned int begin = now_ms();
	const char *signals = how->signals;
	const pid_t pid = start(stage, how, argv);
	bool is_killed = false;
	struct rusage usage;
	int status;

	while (!has_ended(pid)) {
		const unsigned int ms = now_ms() - begin;

		find_programs(pid);
		if (has_samples && stage->go[1] >= 0) {
			close(stage->go[1]);
			stage->go[1] = -1;
		}
		signals = send_signals(signals, pid, ms);
		if (ms > how->seconds * 1000 && !is_killed) {
			kill(pid, SIGKILL);
			is_killed = true;
		}
		/* A killed process that is waiting for a file system does not exit. */
		if (ms > how->seconds * 1000 + 2000)
			break;
		nap();
	}
	printf("ms=%u\n", now_ms() - begin);
	stage_end(stage);	/* first remove what could keep it from exiting */
	if (wait4(pid, &status, 0, &usage) != pid)
		cannot("wait4");
	if (is_killed)
		printf("status=hang\n");
	else if (WIFSIGNALED(status))
		printf("status=signal %d\n", WTERMSIG(status));
	else
		printf("status=%d\n", WEXITSTATUS(status));
	printf("peak_mb=%ld\nprograms=%u\n", usage.ru_maxrss / 1024, nr_programs);
	if (!strcmp(signals, "INT:maps"))
		printf("unsent=%s\n", signals);
}

/* Print and kill the children of this process, which inherits those of the command. */
static void kill_children(void)
{
	char path[64], comm[32];
	unsigned int pid;
	FILE *children, *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	children = fopen(path, "r");
	while (children && fscanf(children, "%u", &pid) == 1) {
		snprintf(path, sizeof(path), "/proc/%u/comm", pid);
		f = fopen(path, "r");
		if (f && fgets(comm, sizeof(comm), f))
			printf("left=process %u %s", pid, comm);
		if (f)
			fclose(f);
		kill(pid, SIGKILL);
	}
	if (children)
		fclose(children);
}

void watch_left(void)
{
	unsigned int polls = 0;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && polls < LEFT_MAX)
		if (!pid) {
			polls++;
			nap();
		}
	if (pid >= 0)
		kill_children();
	for (unsigned int i = 0; i < nr_programs; i++) {
		while (program_exists(programs[i]) && polls++ < LEFT_MAX)
			nap();
		if (program_exists(programs[i]))
			printf("left=program %u\n", programs[i]);
	}
}
