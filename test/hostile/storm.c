// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A storm of events and damaged files: a user's processes execute, exit, rename, load, map, and
 * rewrite what they have mapped, as fast as they can.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

#define MAPPINGS 60000
#define FILES 16

/* Xorshift. Each process has its own sequence; a run cannot be repeated. */
static uint32_t next_random(void)
{
	static uint32_t x;

	x = x ? x : 2463534242u + getpid();
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

static char *file_name(struct stage *stage, const char *prefix)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%u", prefix, next_random() % FILES);
	return path_of(stage, name);
}

static void sound_file(const char *path)
{
	struct elf_file f;

	elf_begin(&f, path);
	elf_symbols(&f, "of_the_storm");
	elf_end(&f);
}

/* Execute a part of the file, which may no longer contain code. */
static void execute(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *base = mmap(NULL, code_size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, TEXT_AT);

	if (fd >= 0)
		close(fd);
	if (base == MAP_FAILED)
		return;
	for (int i = 0; i < 20; i++)
		((void (*)(void))code_at(base, code_turn))();
	munmap(base, code_size());
}

/* --- the actions that each process repeats --- */

static void exec_and_end(struct stage *stage)
{
	char *path = file_name(stage, "program");
	const pid_t pid = fork();

	if (!pid) {
		unlink(path);
		if (symlink("/proc/self/exe", path))
			_exit(1);
		execl("/proc/self/exe", next_random() % 2 ? path : "late", "late", NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	free(path);
}

static void fork_and_end(struct stage *stage)
{
	(void)stage;
	for (unsigned int i = 0; i < 20; i++)
		if (!fork()) {
			code_turn();
			_exit(0);
		}
	while (waitpid(-1, NULL, 0) > 0)
		;
}

static void rename_all(struct stage *stage)
{
	char *from = file_name(stage, "file"), *to = file_name(stage, "file"), name[16];

	snprintf(name, sizeof(name), "storm%u\n", next_random() % 1000);
	prctl(PR_SET_NAME, name);
	sound_file(from);
	execute(from);
	rename(from, to);
	execute(to);
	free(from);
	free(to);
}

static void load_and_unload(struct stage *stage)
{
	void *library = dlopen("libz.so.1", RTLD_NOW);
	char *path = file_name(stage, "file");

	execute(path);
	if (library)
		dlclose(library);
	free(path);
}

/* Every second page is code, so that the kernel cannot merge them. */
static void map_much(struct stage *stage)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char *base = mmap(NULL, MAPPINGS * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)stage;
	if (base == MAP_FAILED)
		return;
	for (size_t i = 0; i < MAPPINGS; i += 2)
		mprotect(base + i * page, page, PROT_READ | PROT_EXEC);
	munmap(base, MAPPINGS * page);
}

/* Damage a file that may be mapped, or truncate it: whoever executes it may be killed. */
static void damage(struct stage *stage)
{
	char *path = file_name(stage, "damaged");
	int fd;

	sound_file(path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	for (unsigned int i = next_random() % 16; i--;) {
		const uint32_t value = next_random() >> next_random() % 32;
		struct stat st;
		/* Headers are at the start, sections after the code. */
		const off_t at = fstat(fd, &st) || next_random() % 3 ? next_random() % 128 :
				 TEXT_AT + (off_t)code_size() +
				 next_random() % (st.st_size - TEXT_AT - code_size());

		if (pwrite(fd, &value, 1 + next_random() % 4, at) < 0)
			_exit(0);
	}
	if (fork()) {
		waitpid(-1, NULL, 0);
		if (ftruncate(fd, next_random() % (2 * TEXT_AT)))
			_exit(0);
		close(fd);
		free(path);
		return;
	}
	execute(path);
	_exit(0);
}

/* A JIT compiler's functions, whose map grows, is truncated, or is not a file. */
static void jit(struct stage *stage)
{
	static void *code;
	char path[64], other[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	snprintf(other, sizeof(other), "/tmp/perf-%d.map", getppid());
	if (!code) {
		stage_add_map(stage, getpid());
		code = mmap(NULL, code_size(), PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (code == MAP_FAILED)
			_exit(0);
		memcpy(code, code_start(), code_size());
		__builtin___clear_cache(code, (char *)code + code_size());
	}
	remove(path);
	f = next_random() % 8 ? fopen(path, "a") : NULL;
	if (!f && symlink(other, path))
		_exit(0);
	for (unsigned int i = next_random() % 2000; f && i--;)
		fprintf(f, "%lx %x _ZN%u\033\n", (unsigned long)code, next_random() >> 20, i);
	if (f)
		fclose(f);
	for (unsigned int i = 0; i < 20; i++)
		((void (*)(void))code_at(code, code_turn))();
}

/* Restart a process that an action of another one has killed. */
static void again_and_again(struct stage *stage, void (*deed)(struct stage *))
{
	for (;;) {
		const pid_t pid = worker();

		while (!pid)
			deed(stage);
		waitpid(pid, NULL, 0);
	}
}

static void act_storm(struct stage *stage, const char *unused)
{
	static void (*const deeds[])(struct stage *) = {
		exec_and_end, fork_and_end, rename_all, load_and_unload, map_much, damage, jit,
		damage,
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (!worker())
			again_and_again(stage, deeds[i]);
}

const struct attack storms[] = {
	{ "storm", act_storm, .arg = NULL },
	{ 0 },
};
