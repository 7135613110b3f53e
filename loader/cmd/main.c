// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * main(): parse the command line, choose the kernel (real, simulated or traced), run the command,
 * and print the error that it returns.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "commit.h"	/* COMMIT: " (commit 0123456789ab)", or "" */
#include "loader/cmd/command.h"
#include "loader/kernel/refused.h"
#include "loader/output/interruptible_stdout.h"
#include "loader/output/value.h"

#define VERSION "0.1"

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_CLOSED_PIPE = 128 + SIGPIPE };

/* The log quotes the source, which may hold control characters: escape all but '\n' and '\t'. */
static void print_log(const char *log, size_t len)
{
	const char *end = log + len;
	size_t n;

	for (; log < end; log += n) {
		n = strcspn(log, "\n\t");
		n = n < (size_t)(end - log) ? n : (size_t)(end - log);
		text_print(stderr, log, n, 0);
		if (log + n < end)
			fputc(log[n++], stderr);
	}
}

static void print_error(struct error *err, bool verbose)
{
	fflush(NULL);
	error_reason_default(err, NULL);
	if (err->log) {
		const size_t whole = strlen(err->log);
		size_t len = whole;
		const char *part = verbose ? err->log : verifier_log_extract(err->log, &len);

		if (len != whole)
			fprintf(stderr, "... (the whole log with -v)\n");
		print_log(part, len);
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
 * If one of the descriptors 0 to 2 is closed, the next map or program would get its number, and
 * output would be written to it. Fill the gap with a descriptor that is not writable: writing still
 * fails.
 */
static void fill_standard_fds(struct sys *sys)
{
	struct pollfd fds[] = { { .fd = 0 }, { .fd = 1 }, { .fd = 2 } };

	sys_poll(sys, fds, 3, 0);
	for (int i = 0; i < 3; i++)	/* open(2) returns the lowest number that is free */
		if (fds[i].revents & POLLNVAL)
			sys_openat(sys, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Return the kernel to call: real or simulated (--dry-run), traced or not. NULL: no memory. */
static struct sys *choose_kernel(const struct options *o, struct sys **dry, struct sys **trace)
{
	*dry = o->dry_run ? sys_dry() : NULL;
	*trace = NULL;
	if (o->dry_run && !*dry)
		return NULL;
	if (o->trace || o->dry_run)
		return *trace = sys_trace(*dry ? *dry : sys_linux(), stderr);
	return sys_linux();
}

static int print_help(const struct options *o, struct error *err)
{
	if (o->help)
		options_help(stdout, o->command);
	else
		puts("pload " VERSION COMMIT);
	return output_flush(&(struct output){ .file = stdout }, err);
}

/* Close @out. After a failure, drop what is buffered: its reader is gone or does not read. */
static void finish_output(struct output *out, const struct error *err)
{
	if (err->reason && !strcmp(err->reason, "output/failed"))
		__fpurge(out->file);
	if (out->file)
		fclose(out->file);
}

/* pload would read any file that a user names, and run the command after "--", as its owner. */
static int refuse_setuid(struct error *err)
{
	if (getuid() == geteuid() && getgid() == getegid())
		return 0;
	error_set(err, EPERM, "it is installed setuid or setgid");
	error_reason(err, "pload/setuid");
	return error_hint(err, "chmod ug-s pload; file capabilities give away less: setcap "
			       "cap_bpf,cap_perfmon=ep pload");
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	struct stdout_watch watch = { 0 };
	struct output out = { .note = note_stderr, .watch = &watch };
	struct sys *sys, *dry = NULL, *trace = NULL;
	struct options o;
	bool closed;
	int ret;

	ret = refuse_setuid(&err);
	if (!ret)
		ret = options_parse(&o, argc, argv, &err);
	if (ret < 0) {
		print_error(&err, false);
		error_clear(&err);
		return ret == -EPERM ? EXIT_REFUSED : EXIT_USAGE;
	}
	if (o.help || o.version) {
		ret = print_help(&o, &err);
	} else {
		fill_standard_fds(sys_linux());
		out.format = o.format;
		out.rows = o.rows;
		/* It replaces stdout, so that fflush(stdout) flushes it. */
		out.file = stdout = interruptible_stdout(&watch);
		sys = choose_kernel(&o, &dry, &trace);
		ret = out.file && sys ? o.command->run(sys, &o, &out, &err) :
					error_set(&err, ENOMEM, "no memory to begin with");
		finish_output(&out, &err);
		sys_trace_free(trace);
		sys_dry_free(dry);
	}
	closed = ret < 0 && output_has_no_reader(&err);
	if (ret < 0 && !closed)
		print_error(&err, o.verbose);
	error_clear(&err);
	if (closed)
		return EXIT_CLOSED_PIPE;
	return out.status ? out.status : ret ? EXIT_REFUSED : 0;
}
