// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Wait until a file of the loader changes. Editors replace a file, and compilers write one in
 * pieces: the files named by the command, and those in folders that it names, are looked at again
 * and again, and have changed when they differ from before and then stay as they are.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test/judge/judge.h"

#define LOOK_MS 300

static void add_to(uint64_t *sum, uint64_t n)
{
	*sum = (*sum ^ n) * 0x100000001b3;	/* FNV-1a */
}

/* Add the state of a file to the sum: its inode, size, and time of the last change. */
static void add_file(uint64_t *sum, int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, 0))
		return add_to(sum, 1);
	add_to(sum, st.st_ino);
	add_to(sum, st.st_mode);
	if (S_ISDIR(st.st_mode))
		return;
	add_to(sum, st.st_size);
	add_to(sum, st.st_mtim.tv_sec);
	add_to(sum, st.st_mtim.tv_nsec);
}

static void add_folder(uint64_t *sum, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	uint64_t all = 0;

	while (dir && (entry = readdir(dir))) {
		uint64_t one = 0;

		if (entry->d_name[0] == '.')
			continue;
		add_file(&one, dirfd(dir), entry->d_name);
		all += one;	/* in any order */
	}
	if (dir)
		closedir(dir);
	add_to(sum, all);
}

/* Return a number that differs if any file differs. */
static uint64_t state_of(char **command)
{
	uint64_t sum = 0xcbf29ce484222325;
	struct stat st;

	for (char **word = command; *word; word++) {
		if (stat(*word, &st) == 0 && S_ISDIR(st.st_mode))
			add_folder(&sum, *word);
		else if (strpbrk(*word, "./"))
			add_file(&sum, AT_FDCWD, *word);
	}
	return sum;
}

/* Wait for this long. Return: false if a signal asks the judge to exit. */
static bool pause_briefly(void)
{
	const struct timespec time = { .tv_nsec = LOOK_MS * 1000000L };
	sigset_t signals;
	int signal;

	sigprocmask(SIG_BLOCK, NULL, &signals);
	sigdelset(&signals, SIGCHLD);
	signal = sigtimedwait(&signals, NULL, &time);
	return signal < 0;
}

bool wait_for_change(struct run *run)
{
	const uint64_t before = state_of(run->command);
	uint64_t last = before, now = before;

	if (run->format == FORMAT_TEXT)
		printf("waiting for a change (Ctrl-C ends)\n");
	fflush(stdout);
	do {
		if (!pause_briefly())
			return false;
		last = now;
		now = state_of(run->command);
	} while (now == before || now != last);
	if (run->format == FORMAT_TEXT)
		printf("\n");
	return true;
}
