// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gives a small program to the verifier, and keeps what it says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/kernel/attr.h"
#include "loader/tools/capabilities/capabilities_internal.h"

/*
 * A program of a few instructions; when the log is longer its begin is lost, and its end is read.
 */
#define LOG_SIZE 4096

/* The verifier gives up with EAGAIN when a signal is pending: kernel/bpf/verifier.c, do_check(). */
#define LOAD_TRIES 5

/* The last line of the log that says something of the program. */
static void last_line(char *log, char said[CAPABILITY_MESSAGE])
{
	char *line, *rest = log;

	said[0] = '\0';
	while ((line = strsep(&rest, "\n")))
		if (line[0] && strncmp(line, "processed ", strlen("processed ")))
			snprintf(said, CAPABILITY_MESSAGE, "%s", line);
}

int capability_verify(struct sys *sys, const struct capability_form *form, const struct code *code,
		      char *said)
{
	char log[LOG_SIZE] = "";
	union bpf_attr attr;
	int fd = -EAGAIN;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = form->kind->prog_type;
	attr.expected_attach_type = form->attach_type;
	attr.prog_flags = form->kind->prog_flags;
	attr.attach_btf_id = form->btf_id;
	attr.insns = attr_pointer(code->insns);
	attr.insn_cnt = code->nr;
	attr.license = attr_pointer("GPL");
	attr.log_level = 1;
	attr.log_buf = attr_pointer(log);
	attr.log_size = sizeof(log);
	for (int i = 0; i < LOAD_TRIES && fd == -EAGAIN; i++)
		fd = sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(attach_btf_obj_fd));
	if (said)
		last_line(log, said);
	return fd;
}
