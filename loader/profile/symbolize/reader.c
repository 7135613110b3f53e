// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The reader: a copy of the session that gives up everything it has, then answers requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "loader/profile/symbolize/wall.h"
#include "loader/base/calls/credentials.h"
#include "loader/base/calls/processes.h"

static void serve(struct sys *sys, struct symbolizer *z, int fd)
{
	static struct symbol_request request;
	static struct symbol_answer answer;
	ssize_t size;

	for (;;) {
		size = sys_read(sys, fd, &request, sizeof(request));
		if (size <= 0 || !symbol_request_is_valid(&request, size))
			return;
		symbolizer_answer(z, &request, &answer);
		size = symbol_answer_size(&answer);
		if (sys_write(sys, fd, &answer, size) != size)
			return;
	}
}

void reader_run(int fd, pid_t parent, void *unused)
{
	struct sys *sys = sys_linux();	/* its calls are not the session's */
	struct symbolizer *z;
	int ret;

	(void)unused;
	sys_prctl(sys, PR_SET_NAME, (unsigned long)"pload-symbols");
	ret = aide_leave(sys, &fd, parent, UINT64_C(1) << (SIGVTALRM - 1));	/* its timer */
	ret = ret ? ret : reader_confine(sys);
	z = ret ? NULL : symbolizer_new(sys);
	if (z)
		serve(sys, z, fd);
	for (;;)
		sys_exit_group(sys, z == NULL);
}
