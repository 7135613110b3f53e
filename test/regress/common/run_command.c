// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload commands in a test: run in its process, or in one that is killed. */
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/cmd/command.h"
#include "test/regress/common/run_command.h"
#include "test/regress/harness/regress.h"

const char *command_object;
int command_note_fd = -1;
static char noted[8192], taken[8192];

static void keep_note(struct output *out, const char *text)
{
	const size_t len = strlen(noted);

	(void)out;
	snprintf(noted + len, sizeof(noted) - len, "%s", text);
	if (command_note_fd >= 0)
		dprintf(command_note_fd, "%s\n", text);
}

const char *command_noted(void)
{
	strcpy(taken, noted);
	noted[0] = '\0';
	return taken;
}

void command_forget(struct command_said *said)
{
	free(said->out);
	error_clear(&said->err);
	memset(said, 0, sizeof(*said));
}

static int run(const char *text, FILE *file, struct error *err)
{
	char copy[512], *argv[32] = { "pload" }, *p = copy;
	struct options o;
	int argc = 1, ret;

	snprintf(copy, sizeof(copy), "%s", text);
	while (argc < 31 && p) {
		argv[argc] = strsep(&p, " ");
		if (!strcmp(argv[argc], "OBJ"))
			argv[argc] = (char *)command_object;
		argc += argv[argc][0] != '\0';
	}
	argv[argc] = NULL;
	ret = options_parse(&o, argc, argv, err);
	if (ret)
		return ret;
	return o.command->run(regress_session_sys(), &o,
			      &(struct output){ .file = file, .format = o.format,
						.note = keep_note },
			      err);
}

struct command_said command_say(const char *fmt, ...)
{
	struct command_said s = { 0 };
	char text[512];
	va_list ap;
	FILE *file = open_memstream(&s.out, &s.size);

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s.ret = run(text, file, &s.err);
	fclose(file);
	return s;
}

void command_end(struct command_child *c)
{
	int status;

	if (c->pid > 0) {	/* -1 would be everybody */
		kill(c->pid, SIGKILL);
		waitpid(c->pid, &status, 0);
	}
	c->pid = -1;
	if (c->in)
		fclose(c->in);
	c->in = NULL;
}

/* Limits the wait: however busy, a machine prints something within a minute. */
static bool is_coming(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 60000) > 0;
}

bool command_start(struct command_child *c, const char *args, const char *first)
{
	bool came = false;
	char *line = NULL;
	size_t room = 0;
	int fds[2];

	*c = (struct command_child){ .pid = -1 };
	if (pipe(fds) || (c->pid = fork()) < 0) {
		snprintf(c->line, sizeof(c->line), "no pipe or no process");
		return false;
	}
	if (!c->pid) {
		FILE *out = fdopen(fds[1], "w");
		struct error err = { 0 };

		setvbuf(out, NULL, _IONBF, 0);
		if (run(args, out, &err) < 0)
			fprintf(out, "%s: %s [%s]\n", err.where, err.what,
				err.reason ? err.reason : "");
		_exit(0);
	}
	close(fds[1]);
	c->in = fdopen(fds[0], "r");
	setvbuf(c->in, NULL, _IONBF, 0);	/* so that poll() sees everything */
	while (!came && is_coming(fds[0]) && getline(&line, &room, c->in) > 0) {
		came = strstr(line, first);
		snprintf(c->line, sizeof(c->line), "%.*s", (int)strcspn(line, "\n"), line);
	}
	free(line);
	if (!came)
		command_end(c);
	return came;
}

int command_signal(struct command_child *c, int signo)
{
	int status = -1;
	char byte;

	if (c->pid <= 0 || kill(c->pid, signo))
		return -1;
	while (c->in && is_coming(fileno(c->in)) && fread(&byte, 1, 1, c->in) == 1)
		;
	waitpid(c->pid, &status, 0);
	c->pid = -1;
	command_end(c);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool command_start_and_kill(struct command_child *c, const char *args, const char *first)
{
	const bool came = command_start(c, args, first);

	if (came)
		command_end(c);
	return came;
}
