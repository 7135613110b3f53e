// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * main(): parse the command line, choose the kernel (real, simulated or traced), run the command,
 * and print any error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/auxvec.h>

#include "commit.h"	/* COMMIT: " (commit 0123456789ab)", or "" */
#include "loader/core/cmd/command.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/core/sys/tables.h"

#define VERSION "0.1"

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_CLOSED_PIPE = 128 + SIGPIPE };

/*
 * The log quotes source code, which may contain control characters: escape all but '\n' and '\t'.
 */
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
	const bool color = program.has_color && program.has_color(STDERR_FILENO);
	const char *begin = color ? COLOR_ERROR : "", *end = color ? COLOR_END : "";
	const char *kind = color ? COLOR_ERROR "error" COLOR_END : "error";

	fflush(NULL);
	error_reason_default(err, NULL);
	if (err->log && (verbose || !err->nr_notes)) {
		const size_t whole = strlen(err->log);
		size_t len = whole;
		const char *part = verbose || !program.log_part ?
					   err->log : program.log_part(err->log, &len);

		if (len != whole)
			fprintf(stderr, "... (the whole log with -v)\n");
		print_log(part, len);
	}
	explain_failure(sys_linux(), FAILED, NULL, err);
	for (unsigned int i = 0; i < err->nr_notes; i++) {
		error_note_print(stderr, i ? "note" : kind, &err->notes[i]);
		putc('\n', stderr);
	}
	fprintf(stderr, "%s%s:%s %s%s%s", begin, program.name, end, err->where,
		err->where[0] ? ": " : "", err->what);
	if (err->reason)
		fprintf(stderr, " [%s]", err->reason);
	fputc('\n', stderr);
	if (err->call[0] && verbose)
		fprintf(stderr, "call: %s\n", err->call);
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

/*
 * If any of descriptors 0 to 2 is closed, a map or program would get its number, and output would
 * be written to it. Fill the gap with a descriptor that is not writable, so that writing still
 * fails.
 */
static void fill_standard_fds(struct sys *sys)
{
	struct pollfd fds[] = { { .fd = 0 }, { .fd = 1 }, { .fd = 2 } };

	sys_poll(sys, fds, 3, 0);
	for (int i = 0; i < 3; i++)	/* open(2) returns the lowest free number */
		if (fds[i].revents & POLLNVAL)
			sys_openat(sys, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
}

static void ignore_signal(int signo)
{
	(void)signo;
}

/*
 * SIGXFSZ by default kills a process that writes beyond RLIMIT_FSIZE; with a handler, write(2)
 * fails with EFBIG. Unlike SIG_IGN, a handler is not inherited by the command across execve(2).
 */
static void handle_file_limit(void)
{
	struct sigaction action = { 0 };

	if (sigaction(SIGXFSZ, NULL, &action) || action.sa_handler != SIG_DFL)
		return;
	action.sa_handler = ignore_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGXFSZ, &action, NULL);
}

static int print_help(const struct options *o, FILE *file)
{
	if (o->help)
		options_help(file, o->command, o->help_all);
	else
		fprintf(file, "%s " VERSION COMMIT "\n", program.name);
	return 0;	/* close_output() reports that this failed */
}

static int open_output(struct output *out, const struct options *o, struct error *err)
{
	out->format = o->format;
	out->rows = o->rows;
	out->file = stdout;
	out->owns_stdout = !o->format->digest;
	return program.open_output ? program.open_output(out, o, err) : 0;
}

static int close_output(struct output *out, int ret, struct error *err)
{
	if (ret >= 0 && out->file && output_flush(out, err) < 0)
		ret = err->code;
	return program.close_output ? program.close_output(out, ret, err) : ret;
}

/* Not from <sys/auxv.h>, which conflicts with uapi/linux/elf.h. */
extern unsigned long getauxval(unsigned long type);

/*
 * Installed setuid, pload would read any file that a user names, and run the command after "--", as
 * the file's owner. Compare the ids in the auxiliary vector; AT_SECURE is no use, because file
 * capabilities set it, too.
 */
static int refuse_setuid(struct error *err)
{
	if (getauxval(AT_UID) == getauxval(AT_EUID) && getauxval(AT_GID) == getauxval(AT_EGID))
		return 0;
	error_set(err, EPERM, "pload is installed setuid or setgid");
	error_reason(err, "pload/setuid");
	return error_hint(err, "chmod ug-s pload; file capabilities grant less: setcap "
			       "cap_bpf,cap_perfmon=ep pload");
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	struct output out = { .note = note_stderr, .program = program.name };
	struct options o = { .verbose = false };
	struct sys *layers[PROGRAM_LAYERS] = { NULL };
	int ret, nr;
	bool closed;

	ret = refuse_setuid(&err);
	if (!ret)
		ret = options_parse(&o, argc, argv, &err);
	if (ret < 0) {
		print_error(&err, false);
		error_clear(&err);
		return ret == -EPERM ? EXIT_REFUSED : EXIT_USAGE;
	}
	handle_file_limit();
	fill_standard_fds(sys_linux());
	ret = open_output(&out, &o, &err);
	nr = program.kernels ? program.kernels(&o, layers) : 0;
	if (!ret && (o.help || o.version))
		ret = print_help(&o, out.file);
	else if (!ret)
		ret = nr < 0 ? error_set(&err, ENOMEM, "no memory to start") :
			       o.command->run(nr ? layers[nr - 1] : sys_linux(), &o, &out, &err);
	for (int i = PROGRAM_LAYERS; i-- > 0;)
		sys_free(layers[i]);
	ret = close_output(&out, ret, &err);
	closed = ret < 0 && output_has_no_reader(&err);
	if (ret < 0 && !closed)
		print_error(&err, o.verbose);
	error_clear(&err);
	if (closed)
		return EXIT_CLOSED_PIPE;
	return out.status ? out.status : ret ? EXIT_REFUSED : 0;
}
