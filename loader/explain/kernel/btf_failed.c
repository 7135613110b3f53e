// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why the kernel refused an object's BTF: the last line of the BPF_BTF_LOAD log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/feature.h"
#include "loader/explain/kernel/refused.h"

/* BTF_MAX_SIZE in the kernel: btf_new_fd() returns E2BIG. */
#define BTF_SIZE_MAX (16u << 20)

/*
 * The log lists each type before the invalid one. If it does not fit, the error is ENOSPC; before
 * Linux 6.4 the kernel keeps the start of the log, whose last line is not the reason. Return: the
 * log, owned by the caller, or NULL.
 */
static char *ask_for_log(struct sys *sys, const unsigned char *raw, uint32_t size)
{
	static const uint32_t rooms[] = { 64u << 10, (16u << 20) - 1 };

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		char *log = calloc(1, rooms[i]);
		int ret;

		if (!log)
			return NULL;
		sys_why(sys, "refused: load again for the log");
		ret = btf_load_syscall(sys, raw, size, log, rooms[i]);
		if (ret < 0 && ret != -ENOSPC)
			return log;
		free(log);
		if (ret >= 0) {		/* this time it loaded: the cause of the first failure is
					 * gone */
			sys_close(sys, ret);
			return NULL;
		}
	}
	return NULL;
}

/* Return the last line of @log, with '?' for unprintable characters. */
static char *last_line(char *log)
{
	size_t len = strlen(log);
	char *line;

	while (len && log[len - 1] == '\n')
		log[--len] = '\0';
	line = strrchr(log, '\n');
	line = line ? line + 1 : log;
	for (char *at = line; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	return line;
}

void explain_btf(struct sys *sys, const void *call, struct error *err)
{
	const struct refused_btf *r = call;
	char *log;

	if (r->code == E2BIG && r->size > BTF_SIZE_MAX) {
		error_set(err, r->code, "its BTF is larger than 16 MB");
		return;
	}
	log = r->code == EPERM ? NULL : ask_for_log(sys, r->raw, r->size);
	if (log && last_line(log)[0])
		error_set(err, r->code, "%s: \"%.200s\"", error_strerror(r->code), last_line(log));
	free(log);
}
