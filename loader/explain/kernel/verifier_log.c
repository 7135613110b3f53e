// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the parts of the verifier log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/refused.h"

/*
 *	4: (79) r0 = *(u64 *)(r0 +8)			the instructions, as they were verified
 *	R0 invalid mem access 'scalar'			the verdict
 *
 *	Verification failed: Register Type Safety: ...	the diagnosis: kernel/bpf/diagnostics.c
 *
 *	Reason:
 *	  R0 is an integer scalar here, not a pointer to memory.
 *
 *	At:
 *	  entry @ case.c:128:2
 *	  ...
 *
 *	Causal path:
 *	  ...
 *
 *	Suggestion:
 *	  ...
 *
 *	processed 5 insns (limit 1000000) ...		the statistics
 */
#define DIAGNOSIS	"\nVerification failed: "
#define CAUSAL_PATH	"\nCausal path:\n"

/* Number of log lines printed without a diagnosis, and before one. */
#define LAST_LINES	24
#define VERDICT_LINES	4

const char *verifier_log_end(const char *log)
{
	static const char *const after[] = { DIAGNOSIS, "\nverification time ", "\nstack depth ",
					     "\nprocessed " };
	const char *end = log + strlen(log);

	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++) {
		const char *at = strstr(log, after[i]);

		if (at && at < end)
			end = at;
	}
	while (end > log && end[-1] == '\n')
		end--;
	return end;
}

const char *verifier_log_last_lines(const char *log, const char *end, unsigned int lines)
{
	const char *at = end;

	while (at > log && (at[-1] != '\n' || --lines > 0))
		at--;
	return at;
}

char *verifier_log_verdict(const char *log)
{
	const char *end = verifier_log_end(log), *line = verifier_log_last_lines(log, end, 3);
	char *verdict = calloc(1, end - line + 2);

	for (size_t n, used = 0; verdict && line < end; line += n + 1) {
		n = strcspn(line, "\n");
		if (line[0] == ';')
			continue;
		memcpy(verdict + used, line, n);
		verdict[used + n] = '\n';
		used += n + 1;
	}
	return verdict;
}

const char *verifier_log_extract(const char *log, size_t *len)
{
	const char *begin, *end, *diagnosis = strstr(log, DIAGNOSIS);

	if (!diagnosis) {
		begin = verifier_log_last_lines(log, log + strlen(log), LAST_LINES + 1);
		*len = strlen(begin);
		return begin;
	}
	begin = verifier_log_last_lines(log, verifier_log_end(log), VERDICT_LINES);
	end = strstr(diagnosis, CAUSAL_PATH);
	*len = end ? (size_t)(end - begin) : strlen(begin);
	return begin;
}

bool verifier_log_section(const char *log, const char *title, unsigned int lines, char *text,
			  size_t size)
{
	const char *line = strstr(log, DIAGNOSIS);
	char heading[32];
	size_t used = 0;

	snprintf(heading, sizeof(heading), "\n%s:\n", title);
	line = line ? strstr(line, heading) : NULL;
	if (!line || !size)
		return false;
	/* Long sentences are wrapped; every line is indented by two spaces. */
	for (line += strlen(heading); lines-- && !strncmp(line, "  ", 2); line += line[0] == '\n') {
		size_t n;

		line += strspn(line, " ");
		n = strcspn(line, "\n");
		if (used + n + 2 > size)
			break;
		used += snprintf(text + used, size - used, "%s%.*s", used ? " " : "", (int)n, line);
		line += n;
	}
	return used;
}
