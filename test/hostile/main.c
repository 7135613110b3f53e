// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command of root, a session of pload, while another user attacks it and others do not.
 *
 *	hostile list				print the names of the attacks
 *	hostile run ATTACK DIR SECONDS SIGNALS COMMAND [ARG...]
 *		DIR: empty; the output of the command will be in DIR/out and DIR/err
 *		SECONDS: after which the command is killed
 *		SIGNALS: sent to it, as "INT:1000,TERM:1200", after so many milliseconds, or as
 *		"INT:maps" while a child of it reads the mappings of a process
 *
 * It prints "skip=CAUSE" if the attack is not possible here, or else what watch.c says.
 *
 * Beside the attack runs a user's process with the function well_behaved(), and processes with
 * late_comer() start one after the other.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

static void act_nothing(struct stage *stage, const char *unused)
{
	(void)stage;
	(void)unused;
}

/* The control: what a session on this machine can do when nobody attacks it. */
static const struct attack no_attack[] = { { "nothing", act_nothing, .arg = NULL }, { 0 } };

static const struct attack *const tables[] = { no_attack,     name_attacks, file_attacks, map_attacks,
					       space_attacks, fuse_attacks, storms };
static int ready;	/* the pipe to which the attacker writes */

/* --- functions shared by the attacks --- */

void cannot(const char *call)
{
	dprintf(ready, "skip=%s: %s\n", call, strerror(errno));
	_exit(1);
}

pid_t worker(void)
{
	const pid_t pid = fork();

	if (pid < 0)
		cannot("fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

void become(uid_t uid)
{
	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		cannot("setresuid");
	/* As if started by a shell of that user. */
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void wait_for_session(const struct stage *stage)
{
	char end;

	while (read(stage->go[0], &end, 1) < 0 && errno == EINTR)
		;
}

char *path_of(const struct stage *stage, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", stage->dir, name) < 0)
		cannot("asprintf");
	return path;
}

unsigned int cpu_ms(void)
{
	return clock() / (CLOCKS_PER_SEC / 1000);
}

/* --- a harmless process --- */

__attribute__((noinline)) void well_behaved(unsigned int ms)
{
	for (const unsigned int end = cpu_ms() + ms; cpu_ms() < end;)
		for (volatile int i = 0; i < 100000; i++)
			;
}

/* The map of stacks has no room for two with the same hash: one function is in several stacks. */
__attribute__((noinline)) static void deeper(unsigned int depth)
{
	if (depth)
		deeper(depth - 1);
	else
		well_behaved(5);
	__asm__ volatile("");
}

__attribute__((noinline)) void late_comer(void)
{
	well_behaved(20);
}

/* A copy of this program, whose path and inode are therefore new. */
static void copy_self(const char *to)
{
	static char buf[64 << 10];
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	ssize_t n;

	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, n) != n)
			cannot("write of a copy");
	if (n || out < 0)
		cannot("copy of this program");
	close(in);
	close(out);
}

static void be_good(const char *dir, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	copy_self(path);
	if (worker())
		return;
	become(BYSTANDER);
	do {
		const pid_t pid = strcmp(name, "late") ? 0 : worker();

		if (!pid) {
			execl(path, path, name, NULL);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	} while (1);
}

/* --- the stage --- */

static const struct attack *find_attack(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct attack *a = tables[i]; a->name; a++)
			if (!name)
				puts(a->name);
			else if (!strcmp(a->name, name))
				return a;
	return NULL;
}

static void stage_open(struct stage *stage, const struct attack *attack, const char *dir)
{
	*stage = (struct stage){ .attack = attack, .fuse = -1 };
	snprintf(stage->dir, sizeof(stage->dir), "%s/theirs", dir);
	stage->shared = mmap(NULL, sizeof(*stage->shared), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stage->shared == MAP_FAILED || pipe2(stage->go, O_CLOEXEC))
		cannot("mmap, pipe");
	if (mkdir(stage->dir, 0755) || chown(stage->dir, ATTACKER, ATTACKER))
		cannot("mkdir");
	if (attack->prepare)
		attack->prepare(stage);
}

/* Start the attack. Return 0 if it is running, or print why it cannot. */
static int stage_attack(struct stage *stage)
{
	char answer[256];
	int pipes[2];
	ssize_t n;

	if (pipe2(pipes, O_CLOEXEC))
		cannot("pipe");
	stage->attackers = worker();
	if (!stage->attackers) {
		ready = pipes[1];
		setpgid(0, 0);
		close(stage->go[1]);
		become(ATTACKER);
		stage->attack->act(stage, stage->attack->arg);
		dprintf(ready, "ready\n");
		for (;;)
			pause();
	}
	setpgid(stage->attackers, stage->attackers);
	close(pipes[1]);
	n = read(pipes[0], answer, sizeof(answer) - 1);
	close(pipes[0]);
	answer[n > 0 ? n : 0] = '\0';
	if (!strcmp(answer, "ready\n"))
		return 0;
	printf("%s", n > 0 ? answer : "skip=the attacker has ended\n");
	return -1;
}

void stage_add_map(struct stage *stage, pid_t pid)
{
	const uint32_t i = __sync_fetch_and_add(&stage->shared->nr_pids, 1);

	if (i < PIDS_MAX)
		stage->shared->pids[i] = pid;
}

void stage_end(struct stage *stage)
{
	char path[64];

	kill(-stage->attackers, SIGKILL);
	if (stage->attack->after)
		stage->attack->after(stage);
	for (uint32_t i = 0; i < stage->shared->nr_pids && i < PIDS_MAX; i++) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", stage->shared->pids[i]);
		remove(path);
	}
}

static int run(const struct attack *attack, char **args)
{
	struct watched how = { .seconds = atoi(args[1]), .signals = args[2] };
	const char *dir = args[0];
	struct stage stage;
	char path[PATH_MAX];

	ready = 1;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	chmod(dir, 0755);
	snprintf(path, sizeof(path), "%s/out", dir);
	how.out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	snprintf(path, sizeof(path), "%s/err", dir);
	how.err = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	stage_open(&stage, attack, dir);
	if (!stage_attack(&stage)) {
		/* These are ended like the attackers. */
		const pid_t good = worker();

		if (!good) {
			setpgid(0, 0);
			close(stage.go[1]);
			be_good(dir, "good");
			be_good(dir, "late");
			for (;;)
				pause();
		}
		setpgid(good, good);
		watch(&stage, &how, args + 3);
		kill(-good, SIGKILL);
		watch_left();
		return 0;
	}
	stage_end(&stage);
	return 0;
}

int main(int argc, char **argv)
{
	const struct attack *attack;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (argc == 2 && !strcmp(argv[1], "good"))
		for (unsigned int i = 0;; i++)
			deeper(i % 16);
	if (argc == 2 && !strcmp(argv[1], "late")) {
		late_comer();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "list"))
		return find_attack(NULL) ? 1 : 0;
	attack = argc > 6 && !strcmp(argv[1], "run") ? find_attack(argv[2]) : NULL;
	if (attack)
		return run(attack, argv + 3);
	fprintf(stderr, "usage: hostile list | run ATTACK DIR SECONDS SIGNALS COMMAND...\n");
	return 2;
}
