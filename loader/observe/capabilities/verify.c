// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads a small program and keeps the last line of the verifier's log. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/observe/capabilities/capabilities_internal.h"

/* Enough for a few instructions. The kernel keeps the end of a longer log (Linux 6.4). */
#define LOG_SIZE 4096

/* do_check() in kernel/bpf/verifier.c gives up with EAGAIN when a signal is pending. */
#define LOAD_TRIES 5

/* Copy the last line of the log that is not a count of instructions. */
static void last_line(char *log, char message[CAPABILITY_MESSAGE])
{
	char *line, *rest = log;

	message[0] = '\0';
	while ((line = strsep(&rest, "\n")))
		if (line[0] && strncmp(line, "processed ", strlen("processed ")))
			snprintf(message, CAPABILITY_MESSAGE, "%s", line);
}

int capability_verify(struct sys *sys, const struct capability_form *form, const struct code *code,
		      char *message)
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
	if (message)
		last_line(log, message);
	return fd;
}
