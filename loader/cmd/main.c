// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pload: loads a BPF object by raw system calls, attaches its programs to perf events, and says
 * what they say.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "loader/cmd/command.h"
#include "loader/output/interruptible_stdout.h"
#include "loader/output/value.h"

#define VERSION "0.1"

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_CLOSED_PIPE = 128 + SIGPIPE };

/* How much of a verifier's log is shown without -v: what it stumbled over stands at the end. */
#define LOG_LINES 24

/* The verifier's log has lines of the object's source in it. Its own lines and tabs stay. */
static void print_log(const char *log)
{
	size_t n;

	for (; *log; log += n) {
		n = strcspn(log, "\n\t");
		text_print(stderr, log, n, 0);
		if (log[n])
			fputc(log[n++], stderr);
	}
}

static const char *log_tail(const char *log, unsigned int lines)
{
	const char *p = log + strlen(log);

	while (p > log)
		if (*--p == '\n' && lines-- == 0)
			return p + 1;
	return log;
}

static void print_error(struct error *err, bool verbose)
{
	fflush(NULL);
	error_reason_default(err, NULL);
	if (err->log) {
		const char *tail = verbose ? err->log : log_tail(err->log, LOG_LINES);

		if (tail != err->log)
			fprintf(stderr, "... (the whole log with -v)\n");
		print_log(tail);
	}
	fprintf(stderr, "pload: %s%s%s", err->where, err->where[0] ? ": " : "", err->what);
	if (err->reason)
		fprintf(stderr, " [%s]", err->reason);
	fputc('\n', stderr);
	if (err->call[0])
		fprintf(stderr, "call: %s\n", err->call);
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

/*
 * Descriptors 0 to 2 that are closed would be given to maps and programs, and what is printed would
 * go there. Fill them with what cannot be written to, so that writing fails as it would have.
 */
static void fill_standard_fds(struct sys *sys)
{
	struct pollfd fds[] = { { .fd = 0 }, { .fd = 1 }, { .fd = 2 } };

	sys_poll(sys, fds, 3, 0);
	for (int i = 0; i < 3; i++)	/* each takes the lowest number that is free */
		if (fds[i].revents & POLLNVAL)
			sys_openat(sys, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Choose the kernel: the running one or none, watched or not. */
static int run(const struct options *o, int *status, struct error *err)
{
	struct patience patience = { 0 };
	struct output out = { .format = o->format, .rows = o->rows, .patience = &patience };
	struct sys *dry = o->dry_run ? sys_dry() : NULL, *trace = NULL;
	struct sys *sys = dry ? dry : sys_linux();
	int ret;

	fill_standard_fds(sys_linux());
	/* Nobody else writes to it from here on; whoever flushes stdout flushes this. */
	out.file = stdout = patience_stdout(&patience);
	if (o->trace || o->dry_run)
		sys = trace = sys_trace(sys, stderr);
	if (!out.file || (o->dry_run && !dry) || ((o->trace || o->dry_run) && !trace))
		ret = error_set(err, ENOMEM, "no memory to begin with");
	else
		ret = o->command->run(sys, o, &out, err);
	if (ret == -EINTR || ret == -EPIPE)	/* what could not be written is not tried again */
		__fpurge(out.file);
	if (ret == -EINTR)
		error_hint(err, "the reader of standard output did not read: "
				"its last part is lost");
	if (out.file)
		fclose(out.file);
	sys_trace_free(trace);
	sys_dry_free(dry);
	*status = out.status;
	return ret;
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	struct options o;
	int ret, status = 0;

	if (options_parse(&o, argc, argv, &err) < 0) {
		print_error(&err, false);
		error_clear(&err);
		return EXIT_USAGE;
	}
	if (o.help || o.version) {
		if (o.help)
			options_help(stdout, o.command);
		else
			puts("pload " VERSION);
		ret = 0;
		if (fflush(stdout)) {
			ret = error_set(&err, errno, "%s", error_strerror(errno));
			error_where(&err, "standard output");
		}
	} else {
		ret = run(&o, &status, &err);
	}
	if (ret == -EPIPE)
		return EXIT_CLOSED_PIPE;
	if (ret < 0)
		print_error(&err, o.verbose);
	error_clear(&err);
	if (status)
		return status;
	return ret ? EXIT_REFUSED : 0;
}
