// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How long a reader of standard output has, once a signal has come; the errno of a failed write. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/base/output/interruptible_stdout.h"
#include "loader/core/print/output.h"
#include "loader/core/sys/sys.h"
#include "test/unit/common/suite.h"

#define HALF_A_SECOND UINT64_C(500000000)

/* Standard output is a pipe, of which @pipe_fds[0] is the other end; the signal has come. */
static FILE *begin(struct stdout_watch *p, int pipe_fds[2])
{
	FILE *out;

	ck_assert_int_eq(pipe(pipe_fds), 0);
	ck_assert_int_eq(dup2(pipe_fds[1], STDOUT_FILENO), STDOUT_FILENO);
	*p = (struct stdout_watch){
		.fd = STDOUT_FILENO, .active = true, .signal_fd = eventfd(0, EFD_CLOEXEC),
	};
	ck_assert_int_ge(p->signal_fd, 0);
	p->end_ns = sys_monotonic_ns() + HALF_A_SECOND;
	out = interruptible_stdout(p);
	ck_assert_ptr_nonnull(out);
	return out;
}

TEST(who_reads_has_more)
{
	const uint64_t begun = sys_monotonic_ns();
	struct stdout_watch p;
	int pipe_fds[2];
	FILE *out = begin(&p, pipe_fds);

	p.end_ns = begun;	/* over, but for what the pipe takes */
	ck_assert_int_gt(fprintf(out, "a line\n"), 0);
	ck_assert_int_eq(fflush(out), 0);
	ck_assert_uint_ge(p.end_ns, begun + HALF_A_SECOND);
	fclose(out);
}

TEST(who_does_not_read_ends_it)
{
	static char much[1 << 20];
	struct stdout_watch p;
	int pipe_fds[2];
	FILE *out = begin(&p, pipe_fds);

	ck_assert(fwrite(much, 1, sizeof(much), out) < sizeof(much) || fflush(out));
	ck_assert_uint_ge(sys_monotonic_ns(), p.end_ns);
	fclose(out);
}

/* The first failing write is reported, although calls of stdio have set other errnos since then. */
TEST(first_errno_is_reported)
{
	static char much[1 << 16];
	const int file = memfd_create("file", MFD_CLOEXEC);
	struct stdout_watch watch = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC) };
	struct output out = { .file = interruptible_stdout(&watch), .watch = &watch };
	struct error err = { 0 };

	ck_assert(watch.fd >= 0 && file >= 0 && out.file);
	fwrite(much, 1, sizeof(much), out.file);
	close(watch.fd);
	watch.fd = file;
	fwrite(much, 1, sizeof(much), out.file);
	errno = EBADF;
	ck_assert_int_eq(output_flush(&out, &err), -ENOSPC);
	ck_assert_str_eq(err.reason, "output/failed");
	ck_assert_str_ne(err.hint, "");
	ck_assert_int_eq(lseek(file, 0, SEEK_END), 0);	/* no byte without those before it */
	ck_assert_int_eq(watch.error, 0);
	error_clear(&err);
	ck_assert_int_eq(output_flush(&out, &err), 0);
	fclose(out.file);
	close(file);
}
