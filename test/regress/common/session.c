// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A pload session in a process of its own, whose counters the test reads. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/run_command.h"
#include "test/regress/common/session.h"

void session_begin(struct session_child *s, const char *dir, const char *args,
		   void (*prepare)(void))
{
	struct command_said said;

	*s = (struct session_child){ .map_fd = -1 };
	s->out = fdopen(memfd_create("said", MFD_CLOEXEC), "w+");
	snprintf(s->path, sizeof(s->path), "%s/counts", dir);
	s->pid = fork();
	if (s->pid)
		return;
	if (prepare)
		prepare();
	said = command_say("--map=counts.pin=%s %s", s->path, args);
	fwrite(said.out, 1, said.size, s->out);
	if (said.ret < 0)
		fprintf(s->out, "%s: %s: %s [%s]\n", said.err.where, said.err.what,
			said.err.hint, said.err.reason ? said.err.reason : "");
	fflush(s->out);
	_exit(0);
}

uint64_t session_runs(const struct session_child *s)
{
	uint64_t counted = 0;

	map_lookup(sys_linux(), s->map_fd, &(uint32_t){ 0 }, &counted);
	return counted;
}

static bool has_ended(struct session_child *s)
{
	int status;

	if (s->pid > 0 && waitpid(s->pid, &status, WNOHANG) == s->pid)
		s->pid = -1;
	return s->pid < 0;
}

/*
 * Return whether the session waits in ppoll(2): then all events are open and enabled, not only the
 * one whose counter is read. If /proc does not show the system call, assume that it waits.
 */
static bool is_waiting(const struct session_child *s)
{
	char path[64], text[32] = "";
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/syscall", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	return n <= 0 || (text[0] != 'r' && atoi(text) == SYS_ppoll);
}

static uint64_t give_up_at(void)
{
	return sys_monotonic_ns() + SESSION_PATIENCE_MS * UINT64_C(1000000);
}

bool session_counts(struct session_child *s, void (*work)(void *arg), void *arg, uint64_t units)
{
	const uint64_t end = give_up_at();

	while (sys_monotonic_ns() < end && !has_ended(s)) {
		uint64_t before;

		if (s->map_fd < 0)
			s->map_fd = kernel_obj_get(sys_linux(), s->path);
		/*
		 * Working while the session is busy may keep it busy, because each run may produce
		 * a record.
		 */
		if (s->map_fd >= 0 && is_waiting(s)) {
			before = session_runs(s);
			work(arg);
			if (session_runs(s) - before == units)
				return true;
		}
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

bool session_ends(struct session_child *s)
{
	const uint64_t end = give_up_at();

	while (!has_ended(s) && sys_monotonic_ns() < end)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return s->pid < 0;
}

char *session_end(struct session_child *s)
{
	struct stat st = { 0 };
	char *text;
	int status;

	if (s->pid > 0) {
		kill(s->pid, SIGINT);
		waitpid(s->pid, &status, 0);
	}
	fstat(fileno(s->out), &st);
	text = calloc(1, st.st_size + 32);
	rewind(s->out);
	if (!fread(text, 1, st.st_size, s->out))
		strcpy(text, "nothing was printed");
	fclose(s->out);
	if (s->map_fd >= 0)
		close(s->map_fd);
	unlink(s->path);
	*s = (struct session_child){ .pid = -1, .map_fd = -1 };
	return text;
}
