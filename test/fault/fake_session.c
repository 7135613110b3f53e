// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload commands on the fake kernel: the object, the command line, the output and the notes. */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "test/fault/fake_session.h"

#define NR_ARGS 24

void fake_session_object(struct fake_session *s, const char *name)
{
	memset(s, 0, sizeof(*s));
	s->object = fake_object(name, &s->paths[0].size);
	s->paths[0].path = "prog.o";
	s->paths[0].data = s->object;
}

void fake_session_begin(struct fake_session *s)
{
	s->kernel = fake_kernel_new(s->paths);
	s->sys = fake_kernel_sys(s->kernel);
}

static void keep_note(struct output *out, const char *text)
{
	struct fake_session *s = (void *)((char *)out - offsetof(struct fake_session, output));
	const size_t len = strlen(s->notes);

	snprintf(s->notes + len, sizeof(s->notes) - len, "%s\n", text);
}

static void run(struct fake_session *s, int argc, char **argv, FILE *file)
{
	struct options o;

	s->ret = options_parse(&o, argc, argv, &s->err);
	if (s->ret)
		return;
	s->output = (struct output){ .file = file, .format = o.format, .rows = o.rows,
				     .note = keep_note };
	s->ret = o.command->run(s->sys, &o, &s->output, &s->err);
}

void fake_session_run(struct fake_session *s, const char *args)
{
	char text[512], *argv[NR_ARGS] = { "pload" }, *p = text;
	int argc = 1;
	FILE *file;

	free(s->out);
	error_clear(&s->err);
	s->notes[0] = '\0';
	file = open_memstream(&s->out, &s->out_size);
	snprintf(text, sizeof(text), "%s", args);
	while (argc < NR_ARGS - 1 && p)
		if (*(argv[argc] = strsep(&p, " ")))
			argc++;
	argv[argc] = NULL;
	run(s, argc, argv, file);
	fclose(file);
	ck_assert_int_eq(fake_kernel_leaks(s->kernel, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(s->kernel, stderr), 0);
}

void fake_session_succeeds(struct fake_session *s, const char *args)
{
	fake_session_run(s, args);
	ck_assert_msg(s->ret == 0, "%s: %d %s: %s", args, s->ret, s->err.where, s->err.what);
}

void fake_session_end(struct fake_session *s)
{
	if (s->kernel)
		fake_kernel_free(s->kernel);
	error_clear(&s->err);
	free(s->out);
	free(s->object);
	memset(s, 0, sizeof(*s));
}
