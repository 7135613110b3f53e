// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The wall: a reader that answers, hangs, ends, or answers something else. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/profile/symbolize/symbolize_internal.h"
#include "loader/profile/symbolize/wall.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

#define STRANGER 65533u	/* a user other than root and this one */

/* The library for names of Rust would print 2^47 lifetimes. */
#define FOR_EVER "_RNvMINtC1a1bFGzzzzzzzz_EuEC1c1d"

static struct wall *w;
static struct symbol_request request;
static struct symbol_answer answer;
static uint64_t spent;
static char path[64];

/* A file with function "here" at offset XB_TEXT_OFFSET + 0x10, and FOR_EVER at 0x100. */
static void begin(void)
{
	struct exec_builder b = { .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
	struct buffer file;
	int fd;

	xb_function(&b, XB_SYMTAB, "here", XB_TEXT_ADDRESS + 0x10);
	xb_function(&b, XB_SYMTAB, FOR_EVER, XB_TEXT_ADDRESS + 0x100);
	file = xb_finish(&b);
	strcpy(path, "/tmp/pload-wall-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, file.data, file.size), file.size);
	close(fd);
	buffer_free(&file);
	w = wall_new(sys_linux());
	spent = 0;
	request = (struct symbol_request){
		.kind = SYMBOL_FUNCTION, .host = 1, .file = 5, .at = XB_TEXT_OFFSET + 0x14,
	};
	strcpy(request.path, path);
}

static void end(void)
{
	wall_free(w);
	setpriority(PRIO_PROCESS, 0, 0);
	unlink(path);
}

TEST_FIXTURE(begin, end)

static int ask(uint32_t user)
{
	return wall_ask(w, user, &request, &answer, &spent);
}

static void ask_is_answered(void)
{
	ck_assert_int_eq(ask(geteuid()), 0);
	ck_assert(answer.has_name);
	ck_assert_uint_eq(answer.start, XB_TEXT_OFFSET + 0x10);
	ck_assert_uint_eq(answer.name_len, 4);
	ck_assert_mem_eq(answer.text + answer.doubt_len, "here", 4);
}

/* The same for a file that took @before so far. */
static void ask_is_answered_after(uint64_t before)
{
	spent = before;
	ask_is_answered();
	ck_assert_uint_gt(spent, before);
}

/* Kill the reader, and wait until it has ended; its number stays. */
static void kill_and_wait(void)
{
	siginfo_t info;

	kill(wall_reader(w), SIGKILL);
	ck_assert_int_eq(waitid(P_PID, wall_reader(w), &info, WEXITED | WNOWAIT | __WALL), 0);
}

/* It goes on for a moment after kill(2). */
static void stop_reader(void)
{
	siginfo_t info;

	kill(wall_reader(w), SIGSTOP);
	ck_assert_int_eq(waitid(P_PID, wall_reader(w), &info, WSTOPPED | WNOWAIT | __WALL), 0);
}

static double seconds_since(uint64_t begin_ns)
{
	return (sys_monotonic_ns() - begin_ns) / 1e9;
}

TEST(a_reader_that_answers)
{
	ck_assert_int_eq(wall_reader(w), 0);	/* it starts when it is needed */
	ask_is_answered();
	ck_assert_int_gt(wall_reader(w), 0);
	request.at = XB_TEXT_OFFSET + 1;
	ck_assert_int_eq(ask(geteuid()), 0);
	ck_assert(answer.is_file && !answer.has_name);
	ck_assert_uint_eq(answer.begin, XB_TEXT_OFFSET);
	ck_assert_uint_eq(answer.end, XB_TEXT_OFFSET + 0x10);
}

/* The reader is a copy of a session, which blocks the signals; that of its timer comes all the same. */
TEST(a_name_that_takes_for_ever)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	request.at = XB_TEXT_OFFSET + 0x104;
	ck_assert_int_eq(ask(geteuid()), 0);
	ck_assert_uint_eq(answer.name_len, strlen(FOR_EVER));
	ck_assert_mem_eq(answer.text, FOR_EVER, strlen(FOR_EVER));
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/* The reader must not keep an attachment or a pipe open while the kernel has not yet ended it. */
TEST(a_reader_has_no_descriptors_of_the_session)
{
	char link[64], to[256];
	ssize_t len;

	ask_is_answered();
	for (int fd = 0; fd < 64; fd++) {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", wall_reader(w), fd);
		len = readlink(link, to, sizeof(to) - 1);
		if (len < 0)
			continue;
		to[len] = '\0';
		/* A sanitizer reports on standard error. */
		ck_assert_msg(fd < 3 || !strncmp(to, path, strlen(path)), "%d is %s", fd, to);
	}
}

/* A reader that ends while it has no request does not make a file the culprit. */
TEST(a_reader_that_was_killed)
{
	const uint32_t first = wall_generation(w);

	for (uint32_t i = 0; i < 3; i++) {
		ask_is_answered();
		ck_assert_uint_eq(wall_generation(w), first + i);
		kill_and_wait();
	}
	ask_is_answered();
}

/* Kill the reader when the session waits for its answer. */
static void kill_later(pid_t session, pid_t reader)
{
	char stat_path[32], state = 0;
	FILE *file;

	snprintf(stat_path, sizeof(stat_path), "/proc/%d/stat", session);
	while (state != 'S') {
		file = fopen(stat_path, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			_exit(1);
		fclose(file);
	}
	kill(reader, SIGKILL);
	_exit(0);
}

TEST(a_reader_that_ends_at_a_file)
{
	pid_t killer;

	for (int i = 0; i < 2; i++) {
		ask_is_answered();
		stop_reader();
		killer = fork();
		if (!killer)
			kill_later(getppid(), wall_reader(w));
		request.file++;
		ck_assert_int_eq(ask(geteuid()), -EPIPE);
		ck_assert_ptr_nonnull(strstr(wall_doubt(w), "that read its symbols died"));
		ck_assert_int_eq(waitpid(killer, NULL, 0), killer);
	}
	ask_is_answered();
}

/* If SIGCHLD is ignored, other children give their numbers back at once: others could be killed. */
TEST(the_number_of_a_reader_stays_its_own)
{
	signal(SIGCHLD, SIG_IGN);
	ask_is_answered();
	kill_and_wait();
	ask_is_answered();
	signal(SIGCHLD, SIG_DFL);
}

/* A reader that is stopped is like one that waits for a file system. */
TEST(a_reader_that_does_not_answer)
{
	const uint64_t begin_ns = sys_monotonic_ns();
	pid_t stopped;

	ask_is_answered();
	stopped = wall_reader(w);
	stop_reader();
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ck_assert_ptr_nonnull(strstr(wall_doubt(w), "longer than 2 s"));
	ck_assert_uint_ge(spent, WALL_FILE_NS);
	ck_assert(seconds_since(begin_ns) >= 1.9);
	spent = 0;
	ask_is_answered();
	ck_assert_int_ne(wall_reader(w), stopped);
}

/* The requested file is not to blame if the reader hangs on one that it was asked to hold. */
TEST(a_file_that_is_held_is_blamed)
{
	struct symbol_request hold = request;

	ask_is_answered();
	hold.kind = SYMBOL_HOLD;
	stop_reader();
	hold.file = 8;
	wall_hold(w, &hold);
	hold.file = 9;
	wall_hold(w, &hold);
	wall_end_at(w, sys_monotonic_ns(), -1);
	ck_assert_int_eq(ask(geteuid()), -EAGAIN);
	ck_assert_uint_eq(wall_blamed(w), 8);
}

TEST(files_that_are_held)
{
	struct symbol_request hold = request;

	hold.kind = SYMBOL_HOLD;
	wall_hold(w, &hold);
	hold.file = 6;
	wall_hold(w, &hold);
	wall_settle(w, 10000);
	ck_assert_int_eq(unlink(path), 0);
	ask_is_answered();
	request.file = 6;
	ask_is_answered();
	request.file = 7;
	ck_assert_int_eq(ask(geteuid()), 0);
	ck_assert(!answer.is_file);
	ck_assert_ptr_nonnull(strstr(answer.text, "cannot be read"));
}

/* More requests than the connection takes: none is lost that was asked for. */
TEST(more_files_are_held_than_the_connection_takes)
{
	struct symbol_request hold = request;

	ask_is_answered();
	hold.kind = SYMBOL_HOLD;
	memset(hold.path, '/', sizeof(hold.path) - 1);
	stop_reader();
	for (hold.file = 100; hold.file < 300; hold.file++)
		wall_hold(w, &hold);
	kill(wall_reader(w), SIGCONT);
	ask_is_answered();
	ask_is_answered();
}

/* After its end a session waits for a second in all, and for another user's files less. */
TEST(time_after_the_end)
{
	const uint64_t begin_ns = sys_monotonic_ns();

	ask_is_answered();
	stop_reader();
	wall_end(w);
	ck_assert_int_eq(ask(STRANGER), -ETIME);
	ck_assert_ptr_nonnull(strstr(wall_doubt(w), "after the end"));
	spent = 0;
	ck_assert_int_eq(ask(STRANGER), -ECANCELED);
	ck_assert_ptr_nonnull(strstr(wall_doubt(w), "share of a second"));
	ask_is_answered();	/* there is time left for others */
	stop_reader();
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ck_assert_int_eq(ask(geteuid()), -ECANCELED);
	ck_assert_ptr_nonnull(strstr(wall_doubt(w), "longer than a second"));
	ck_assert(seconds_since(begin_ns) >= 0.9);
}

static int hurried;	/* the process that comes before others; -1: none */

static long note_nice(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	if (nr != __NR_setpriority)
		return sys_linux()->enter(sys_linux(), nr, arg);
	ck_assert_int_eq(arg[0], PRIO_PROCESS);
	ck_assert_int_eq(arg[2], -20);
	hurried = arg[1];
	return 0;
}

/* The processes that were sampled must not keep the session from ending. */
TEST(a_session_that_ends_comes_before_others)
{
	struct sys noting = { .enter = note_nice };
	struct wall *ending = wall_new(&noting);

	hurried = -1;
	wall_end_at(ending, sys_monotonic_ns(), -1);
	ck_assert_int_eq(hurried, -1);
	wall_end(ending);
	ck_assert_int_eq(hurried, 0);
	hurried = -1;
	wall_end(ending);
	ck_assert_int_eq(hurried, -1);
	wall_free(ending);
}

/* The end of -d comes while a file is waited for. */
TEST(the_end_while_it_waits)
{
	ask_is_answered();
	stop_reader();
	wall_end_at(w, sys_monotonic_ns() + 100000000, -1);
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ck_assert_uint_lt(spent, WALL_FILE_NS);
	ck_assert_uint_ge(spent, PATIENCE_END_NS);
	ck_assert_int_eq(ask(geteuid()), -ECANCELED);
}

TEST(a_signal_while_it_waits)
{
	const int signal_fd = eventfd(1, EFD_CLOEXEC);

	ask_is_answered();
	stop_reader();
	wall_end_at(w, 0, signal_fd);
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ck_assert_uint_lt(spent, WALL_FILE_NS);
	ck_assert_int_eq(ask(geteuid()), -ECANCELED);
	close(signal_fd);
}

/* The time of one file and the time of one user are used up. */
TEST(time_that_is_used_up)
{
	ask_is_answered();
	spent = WALL_FILE_NS;
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ask_is_answered_after(WALL_FILE_NS / 2);
	stop_reader();
	ck_assert_int_eq(ask(geteuid()), -ETIME);
	ck_assert_uint_ge(spent, WALL_FILE_NS);
	for (int i = 0; i < 3; i++) {	/* two files of two seconds each */
		spent = 0;
		request.file = 10 + i;
		ask_is_answered();
		stop_reader();
		spent = 0;
		ck_assert_int_eq(ask(STRANGER), -ETIME);
	}
	/* The purse has grown by a fiftieth of the four seconds since, which is not two. */
	ck_assert_uint_lt(spent, WALL_FILE_NS / 2);
	ck_assert_int_eq(ask(STRANGER + 1), 0);
}

/* --- messages --- */

TEST(messages_that_lie_about_their_size)
{
	struct symbol_request r = { .path = "/a" };
	struct symbol_answer a = { .doubt_len = 2, .name_len = 3 };
	const size_t fixed = offsetof(struct symbol_answer, text);

	ck_assert(symbol_request_is_valid(&r, symbol_request_size(&r)));
	ck_assert(!symbol_request_is_valid(&r, symbol_request_size(&r) - 1));
	ck_assert(!symbol_request_is_valid(&r, offsetof(struct symbol_request, path)));
	ck_assert(!symbol_request_is_valid(&r, sizeof(r) + 1));
	r.nr_pids = SYMBOL_PIDS_MAX;
	ck_assert(symbol_request_is_valid(&r, symbol_request_size(&r)));
	r.nr_pids++;
	ck_assert(!symbol_request_is_valid(&r, symbol_request_size(&r)));
	ck_assert(symbol_answer_is_valid(&a, fixed + 5));
	ck_assert(!symbol_answer_is_valid(&a, fixed + 4));
	ck_assert(!symbol_answer_is_valid(&a, fixed + 6));
	ck_assert(!symbol_answer_is_valid(&a, fixed - 1));
	a.name_len = SYMBOL_NAME_MAX;
	ck_assert(symbol_answer_is_valid(&a, fixed + 2 + SYMBOL_NAME_MAX));
	a.name_len++;
	ck_assert(!symbol_answer_is_valid(&a, fixed + 3 + SYMBOL_NAME_MAX));
	a = (struct symbol_answer){ .doubt_len = SYMBOL_DOUBT_MAX + 1 };
	ck_assert(!symbol_answer_is_valid(&a, fixed + SYMBOL_DOUBT_MAX + 1));
}

/* --- names --- */

/* @n times @text. */
static void append(char *name, const char *text, int n)
{
	while (n--)
		strcat(name, text);
}

/* Names for which the library needs years: they stay as they are, and the next one does not. */
TEST(names_that_take_for_ever)
{
	char name[1100], shown[SYMBOL_NAME_MAX];

	for (int i = 0; i < 3; i++) {
		strcpy(name, i ? "_Z" : FOR_EVER);
		if (i) {
			append(name, i == 1 ? "cvT_I" : "NcvT_I", 60);
			append(name, "i", 1);
			append(name, i == 1 ? "E" : "EE", 60);
			append(name, "v", 1);
		}
		ck_assert_uint_eq(symbol_shown(name, strlen(name), shown), strlen(name));
		ck_assert_mem_eq(shown, name, strlen(name));
		ck_assert_uint_eq(symbol_shown("_Z3foov", 7, shown), 3);
		ck_assert_mem_eq(shown, "foo", 3);
	}
}

/* _Z, the length of the name, and a name, so that all is @len bytes. */
static void mangle(char *name, size_t len)
{
	const int digits = snprintf(name, 16, "_Z%zu", len - 7);

	ck_assert_int_eq(digits, 2 + (len - 7 > 999 ? 4 : 3));
	memset(name + digits, 'n', len - digits);
	memcpy(name + len - 1, "v", 2);
}

TEST(names_that_are_too_long_to_be_read)
{
	char name[1100], shown[SYMBOL_NAME_MAX];

	mangle(name, 1024);
	ck_assert_uint_eq(symbol_shown(name, 1024, shown), 1024 - 7);
	ck_assert_int_eq(shown[0], 'n');
	mangle(name, 1025);
	ck_assert_uint_eq(symbol_shown(name, 1025, shown), 1025);
	ck_assert_int_eq(shown[0], '_');
}
