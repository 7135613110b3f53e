// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Address spaces: too many files in them, files of another mount namespace. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

#define PROCESSES 3
#define PATHS 30000	/* of each; a process has at most 65,530 mappings, a file 65,000 links */

static void symbol_file(const char *path, const char *symbol)
{
	struct elf_file f;

	elf_begin(&f, path);
	elf_symbols(&f, symbol);
	elf_end(&f);
}

/* --- many paths --- */

/* Change to a directory whose path has more than @length bytes. */
static void go_down(size_t length)
{
	char name[201];

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (size_t at = 0; at < length; at += sizeof(name)) {
		mkdir(name, 0755);
		if (chdir(name))
			cannot("chdir");
	}
}

/* Map the file @path under PATHS names, and execute a part of each. */
static void map_paths(const char *path, unsigned int nr, int is_mapped)
{
	void **codes = calloc(PATHS, sizeof(*codes));
	char name[32];

	for (unsigned int i = 0; codes && i < PATHS; i++) {
		snprintf(name, sizeof(name), "%u-%u", nr, i);
		if (link(path, name))
			cannot("link");
		codes[i] = elf_map(name);
	}
	if (!codes || write(is_mapped, "", 1) != 1)
		cannot("calloc");
	for (unsigned int i = 0;; i = (i + 1) % PATHS)
		((void (*)(void))code_at(codes[i], code_turn))();
}

static void act_paths(struct stage *stage, const char *length)
{
	char name[8], *path;
	int is_mapped[2];

	if (chdir(stage->dir) || pipe2(is_mapped, O_CLOEXEC))
		cannot("chdir, pipe");
	go_down(atoi(length));
	for (unsigned int i = 0; i < PROCESSES; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		path = path_of(stage, name);
		symbol_file(path, "of_many_paths");
		if (!worker())
			map_paths(path, i, is_mapped[1]);
	}
	close(is_mapped[1]);
	for (unsigned int i = 0; i < PROCESSES; i++)
		if (read(is_mapped[0], name, 1) != 1)
			_exit(1);	/* the reason is printed */
}

/* --- many mappings --- */

#define MAPPINGS 65000	/* a process has at most 65,530 */
#define SHARERS 6	/* processes that share them */

static int share(void *unused)
{
	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		code_turn();
	return 0;
}

/*
 * Each process has mappings without code, whose paths are four kilobytes long, and shares its
 * memory.
 */
static void act_mappings(struct stage *stage, const char *unused)
{
	static char stacks[SHARERS][64 << 10] __attribute__((aligned(16)));
	int fd;

	(void)unused;
	if (chdir(stage->dir))
		cannot("chdir");
	go_down(3600);
	fd = open("x", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || ftruncate(fd, 4096))
		cannot("open");
	for (unsigned int i = 0; i < MAPPINGS; i++)
		if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
			cannot("mmap");
	for (unsigned int i = 0; i < SHARERS; i++)
		if (clone(share, stacks[i] + sizeof(stacks[i]), CLONE_VM | SIGCHLD, NULL) < 0)
			cannot("clone");
}

/* --- another mount namespace --- */

static pid_t elsewhere;

/*
 * Mount a file system on DIR/there, in a private mount namespace, and execute a file in it as the
 * attacker. Elsewhere, that path is another file.
 */
static void run_elsewhere(struct stage *stage, bool ends)
{
	char *there = path_of(stage, "there"), *path = path_of(stage, "there/x");
	int is_mapped[2];
	char byte;

	mkdir(there, 0755);
	symbol_file(path, "name_of_the_host");
	if (pipe2(is_mapped, O_CLOEXEC))
		cannot("pipe");
	elsewhere = worker();
	if (!elsewhere) {
		void (*turn)(void);

		close(stage->go[1]);
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("hostile", there, "tmpfs", 0, NULL))
			cannot("unshare(CLONE_NEWNS), mount");
		symbol_file(path, "name_of_elsewhere");
		turn = (void (*)(void))code_at(elf_map(path), code_turn);
		prctl(PR_SET_NAME, "elsewhere");
		setpriority(PRIO_PROCESS, 0, ends ? -10 : 0);	/* to have ended by then */
		become(ATTACKER);
		if (write(is_mapped[1], "", 1) != 1)
			cannot("write");
		wait_for_session(stage);
		while (!ends || cpu_ms() < 50)
			turn();
		_exit(0);
	}
	close(is_mapped[1]);
	if (read(is_mapped[0], &byte, 1) != 1)
		_exit(0);	/* the reason is printed */
}

static void prepare_elsewhere(struct stage *stage)
{
	run_elsewhere(stage, false);
}

static void prepare_ended(struct stage *stage)
{
	run_elsewhere(stage, true);
}

static void after_elsewhere(struct stage *stage)
{
	(void)stage;
	kill(elsewhere, SIGKILL);
}

static void act_elsewhere(struct stage *stage, const char *unused)
{
	(void)stage;
	(void)unused;
}

const struct attack space_attacks[] = {
	{ "many-paths", act_paths, .arg = "0" },
	{ "many-long-paths", act_paths, .arg = "3000" },
	{ "many-mappings", act_mappings, .arg = "" },
	{ "other-root", act_elsewhere, .prepare = prepare_elsewhere, .after = after_elsewhere },
	{ "other-root-ended", act_elsewhere, .prepare = prepare_ended, .after = after_elsewhere },
	{ 0 },
};
