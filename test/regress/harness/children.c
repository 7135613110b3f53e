// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes that a test started without waiting for them, and that have become our children. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/base/calls/looking.h"
#include "test/regress/harness/leaks.h"

/* The kernel takes a moment to remove a killed process. */
#define PATIENCE_NS (10 * UINT64_C(1000000000))

#define MAX_CHILDREN 64

struct children {
	pid_t pid[MAX_CHILDREN];
	char comm[MAX_CHILDREN][17];
	unsigned int nr;
};

/* Earlier children of this process, which belong to the program that executed it. */
static struct children others;

/* proc_pid_stat(5): "PID (COMM) STATE PPID"; COMM may contain anything. */
static void look(struct children *c, const char *pid)
{
	char path[64], text[512], state;
	const char *open, *close;
	FILE *file;
	int parent;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || sscanf(close + 1, " %c %d", &state, &parent) != 2 ||
	    parent != getpid() || state == 'Z' || state == 'X' || c->nr == MAX_CHILDREN)
		return;
	c->pid[c->nr] = atoi(pid);
	snprintf(c->comm[c->nr++], sizeof(c->comm[0]), "%.*s", (int)(close - open - 1), open + 1);
}

static bool is_other(pid_t pid)
{
	for (unsigned int i = 0; i < others.nr; i++)
		if (others.pid[i] == pid)
			return true;
	return false;
}

static void children_read(struct children *c)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;

	c->nr = 0;
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]) && !is_other(atoi(entry->d_name)))
			look(c, entry->d_name);
	if (dir)
		closedir(dir);
}

void children_begin(void)
{
	others.nr = 0;
	children_read(&others);
}

/* Reap children that have exited; false: there are none at all. */
static bool reap(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	return pid == 0;
}

void children_end(bool patient, struct texts *found)
{
	struct sys_looking alive = sys_looking(PATIENCE_NS), killed = sys_looking(2 * PATIENCE_NS);
	struct timespec pause = { 0, 1000000 };
	struct children c;
	bool late = false;

	/* The children of these children become ours in turn, so this takes several rounds. */
	while (reap()) {
		children_read(&c);
		if (!c.nr && others.nr)
			return;
		late = late || !patient || !sys_look_again(&alive);
		for (unsigned int i = 0; late && i < c.nr; i++) {
			if (patient && found->nr < 20)
				texts_add(found, "process %d '%s', still running", c.pid[i],
					  c.comm[i]);
			kill(c.pid[i], SIGKILL);
			waitpid(c.pid[i], NULL, 0);
		}
		if (!late || !c.nr)
			nanosleep(&pause, NULL);
		if (pause.tv_nsec < 50000000)
			pause.tv_nsec *= 2;
		if (!sys_look_again(&killed))
			return;
	}
}
