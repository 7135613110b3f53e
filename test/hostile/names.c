// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names that keep a demangler busy for ever, or that are terminal escapes: of symbols in files, and
 * of a JIT compiler's functions in /tmp/perf-PID.map.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

/* Write @text @times. */
static char *repeat(char *at, const char *text, unsigned int times)
{
	while (times--)
		at = stpcpy(at, text);
	return at;
}

/* Return the name for @kind. A binder in Rust has 62^8 lifetimes, each of which is printed. */
static const char *hostile_name(const char *kind)
{
	static char name[4096];
	char *at = name;

	if (!strcmp(kind, "rust"))
		return "_RNvMINtC1a1bFGzzzzzzzz_EuEC1c1d";
	if (!strcmp(kind, "control"))
		return "ctl\033[2J\033]0;owned\007\r\b\302\233;\"<\377";
	/* Each T_ of a conversion stands for the whole rest of the name. */
	if (!strcmp(kind, "cast")) {
		at = repeat(stpcpy(at, "_Z"), "cvT_I", 60);
		strcpy(repeat(stpcpy(at, "i"), "E", 60), "v");
	} else {
		at = repeat(stpcpy(at, "_Z"), "NcvT_I", 60);
		strcpy(repeat(stpcpy(at, "i"), "EE", 60), "v");
	}
	return name;
}

static void act_symbol(struct stage *stage, const char *kind)
{
	/* The name of the file is printed, too, and so is that of the command. */
	char *path = path_of(stage, strcmp(kind, "control") ? "x" : "x\033[31m\n\r\377");
	struct elf_file f;

	elf_begin(&f, path);
	elf_symbols(&f, hostile_name(kind));
	elf_end(&f);
	prctl(PR_SET_NAME, strcmp(kind, "control") ? "symbol" : "c\033[31m\n\377");
	elf_spin(path);
}

/* --- JIT compilers --- */

/* Return a copy of the code in anonymous memory. */
static void *jit_code(void)
{
	void *code = mmap(NULL, code_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (code == MAP_FAILED)
		cannot("mmap");
	memcpy(code, code_start(), code_size());
	if (mprotect(code, code_size(), PROT_READ | PROT_EXEC))
		cannot("mprotect");
	__builtin___clear_cache(code, (char *)code + code_size());
	return code;
}

static void jit_map_path(struct stage *stage, pid_t pid, char path[64])
{
	snprintf(path, 64, "/tmp/perf-%d.map", pid);
	stage_add_map(stage, pid);
	unlink(path);
}

/* Write a map of process @pid at @path, with @name for all of the code. */
static void write_map(const char *path, const void *code, const char *name)
{
	FILE *f = fopen(path, "wx");

	if (!f)
		cannot("fopen of a perf map");
	fprintf(f, "%lx %zx %s\n", (unsigned long)code, code_size(), name);
	fclose(f);
}

static void jit_spin(void *code)
{
	((void (*)(void))code_at(code, code_spin))();
}

static void act_map(struct stage *stage, const char *kind)
{
	void *code = jit_code();
	const pid_t pid = worker();
	char path[64];

	if (!pid)
		jit_spin(code);
	jit_map_path(stage, pid, path);
	write_map(path, code, hostile_name(kind));
}

/* The map is not a file, or belongs to somebody else. */
static void act_map_kind(struct stage *stage, const char *kind)
{
	char path[64], *other = path_of(stage, "other");
	void *code = jit_code();
	const pid_t pid = worker();

	if (!pid)
		jit_spin(code);
	jit_map_path(stage, pid, path);
	write_map(other, code, "linked_name");
	if (!strcmp(kind, "fifo") ? mkfifo(path, 0644) :
	    !strcmp(kind, "directory") ? mkdir(path, 0755) :
	    symlink(strcmp(kind, "zero") ? other : "/dev/zero", path))
		cannot("mkfifo, mkdir or symlink");
}

/*
 * More processes than the session can have descriptors. Each is sampled now and then; they sleep
 * most of the time, so that others run, too.
 */
#define MANY 300

static void act_many_maps(struct stage *stage, const char *unused)
{
	void *code = jit_code();
	void (*turn)(void) = (void (*)(void))code_at(code, code_turn);
	char path[64];

	(void)unused;
	setpriority(PRIO_PROCESS, 0, 19);
	for (unsigned int i = 0; i < MANY; i++) {
		const pid_t pid = worker();

		if (!pid)
			wait_for_session(stage);
		while (!pid) {
			const unsigned int begin = cpu_ms();

			while (cpu_ms() < begin + 2)
				turn();
			usleep(300000);
		}
		jit_map_path(stage, pid, path);
		write_map(path, code, "jit_of_many");
	}
}

/* --- another user's names, which must not appear --- */

static void *foreign_code;
static pid_t foreign_pid;	/* of the process, and of the one that is killed at the end */
static pid_t foreign_parent;
static bool has_inner_pid;

static void prepare_root_jit(struct stage *stage)
{
	(void)stage;
	foreign_code = jit_code();
	foreign_pid = foreign_parent = worker();
	if (!foreign_pid) {
		prctl(PR_SET_NAME, "foreign");
		jit_spin(foreign_code);
	}
}

/* Get sampled for a while, and exit before addresses are named. */
static void jit_end(struct stage *stage)
{
	void (*turn)(void) = (void (*)(void))code_at(foreign_code, code_turn);

	close(stage->go[1]);
	prctl(PR_SET_NAME, "foreign");
	setpriority(PRIO_PROCESS, 0, -10);	/* has exited by then, even on a busy machine */
	become(BYSTANDER);
	wait_for_session(stage);
	while (cpu_ms() < 150)	/* a busy machine loses many samples */
		turn();
	_exit(0);
}

/* A third user's process, which is process 1 in its namespace. */
static void prepare_namespace(struct stage *stage)
{
	int pipes[2];

	foreign_code = jit_code();
	has_inner_pid = true;
	if (pipe2(pipes, O_CLOEXEC))
		cannot("pipe");
	foreign_parent = worker();
	if (!foreign_parent) {
		close(stage->go[1]);
		if (unshare(CLONE_NEWPID))
			cannot("unshare(CLONE_NEWPID)");
		foreign_pid = worker();
		if (!foreign_pid)
			jit_end(stage);
		if (write(pipes[1], &foreign_pid, sizeof(foreign_pid)) < 0)
			cannot("write");
		waitpid(foreign_pid, NULL, 0);
		_exit(0);
	}
	close(pipes[1]);
	if (read(pipes[0], &foreign_pid, sizeof(foreign_pid)) <= 0)
		_exit(0);	/* the reason is printed */
	close(pipes[0]);
}

static void after_foreign(struct stage *stage)
{
	(void)stage;
	kill(foreign_parent, SIGKILL);
}

static void act_foreign(struct stage *stage, const char *unused)
{
	char path[64];

	(void)unused;
	jit_map_path(stage, foreign_pid, path);
	write_map(path, foreign_code, "forged_name");
	if (!has_inner_pid)
		return;
	jit_map_path(stage, 1, path);
	write_map(path, foreign_code, "forged_name");
}

const struct attack name_attacks[] = {
	{ "symbol-rust", act_symbol, .arg = "rust" },
	{ "symbol-cast", act_symbol, .arg = "cast" },
	{ "symbol-nested", act_symbol, .arg = "nested" },
	{ "symbol-control", act_symbol, .arg = "control" },
	{ "map-rust", act_map, .arg = "rust" },
	{ "map-cast", act_map, .arg = "cast" },
	{ "map-nested", act_map, .arg = "nested" },
	{ "map-control", act_map, .arg = "control" },
	{ 0 },
};

const struct attack map_attacks[] = {
	{ "map-symlink", act_map_kind, .arg = "symlink" },
	{ "map-zero", act_map_kind, .arg = "zero" },
	{ "map-fifo", act_map_kind, .arg = "fifo" },
	{ "map-directory", act_map_kind, .arg = "directory" },
	{ "map-many", act_many_maps, .arg = NULL },
	{ "map-of-root", act_foreign, .prepare = prepare_root_jit, .after = after_foreign },
	{ "map-of-ended", act_foreign, .prepare = prepare_namespace, .after = after_foreign },
	{ 0 },
};
