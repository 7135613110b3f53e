// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lines that pload writes into tracefs, on the running kernel: each has a name of its own; they go
 * away on every way out; those of a pload that was killed go away with the next one, which says so;
 * those of others and of who is alive stay.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/cmd/note.h"
#include "loader/event/parts.h"
#include "test/unit/command_builder.h"
#include "test/unit/probed_builder.h"

#define EVENT "uprobe:" PROBED_SELF ":probed_function"
#define SECOND "uprobe:" PROBED_SELF ":probed_usdt"
#define SESSION "--attach=ioctl --prog=on_probe -e " EVENT " -e " SECOND

#define NR_SESSIONS 16

static char noted[4096];
static int tests, failed;

static pid_t sessions[NR_SESSIONS];	/* those that were children */
static int nr_sessions;

/* Command-line notes are main.c's, which is not linked. */
void note(const char *fmt, ...)
{
	const size_t len = strlen(noted);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(noted + len, sizeof(noted) - len, fmt, ap);
	va_end(ap);
}

static void report(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", ok ? "ok" : "not ok", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!ok && noted[0])
		printf("# notes: %s\n", noted);
	fflush(stdout);
	failed += !ok;
}

static unsigned int lines_of(pid_t pid)
{
	return probed_nr_lines_of(sys_linux(), pid);
}

/* A child that runs into the probes until it is ended, so that a session has something to say. */
static pid_t start_calling(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;) {
			probed_function();
			usleep(1000);
		}
	return pid;
}

static void end_calling(pid_t pid)
{
	if (pid <= 0)	/* -1 would be everybody */
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A session in a child, which has its probes in place. */
static bool start(struct command_child *c, const char *args)
{
	const pid_t caller = start_calling();
	const bool came = command_start(c, args, "\"type\":\"record\"");

	end_calling(caller);
	if (!came)
		report(false, "a session begins: %s", c->line);
	else if (nr_sessions < NR_SESSIONS)
		sessions[nr_sessions++] = c->pid;
	return came;
}

/* --- names --- */

/* Whether no two of the lines "p:GROUP/NAME PLACE" in @text have one name. */
static bool names_differ(const char *text)
{
	for (const char *a = text, *next; (next = strchr(a, '\n')); a = next + 1)
		for (const char *b = next + 1, *end; (end = strchr(b, '\n')); b = end + 1)
			if (!strncmp(a, b, strcspn(a, " ") + 1))
				return false;
	return true;
}

static void test_names(void)
{
	static const char same[] = "--format=json " SESSION " -e " EVENT " OBJ";
	struct command_child a, b;
	struct probed_lines lines;

	if (!start(&a, same))
		return;
	if (start(&b, same)) {
		lines = probed_lines(sys_linux(), ":pload/");
		report(lines_of(a.pid) == 3 && lines_of(b.pid) == 3,
		       "two sessions with three events have %u and %u lines", lines_of(a.pid),
		       lines_of(b.pid));
		report(names_differ(lines.text), "and no two lines have one name");
		if (!names_differ(lines.text))
			printf("# %s", lines.text);
		probed_forget(&lines);
		command_signal(&b, SIGTERM);
		report(lines_of(a.pid) == 3, "when one ends the lines of the other stay");
	}
	command_signal(&a, SIGTERM);
}

/* --- ways out --- */

static void test_signal(int signo, const char *name)
{
	struct command_child c;
	unsigned int during;
	int status;
	pid_t pid;

	if (!start(&c, "--format=json " SESSION " OBJ"))
		return;
	pid = c.pid;
	during = lines_of(pid);
	status = command_signal(&c, signo);
	report(during == 2 && status == 0 && lines_of(pid) == 0,
	       "%s: %u lines before, status %d, %u lines after", name, during, status,
	       lines_of(pid));
}

static void test_end(const char *what, const char *args, const char *reason)
{
	struct command_said s = command_say("%s OBJ", args);
	const bool as_expected = s.ret < 0 && s.err.reason && !strcmp(s.err.reason, reason);

	report(as_expected && lines_of(getpid()) == 0, "%s: no line is left", what);
	if (!as_expected)
		printf("# %d %s: %s [%s]\n", s.ret, s.err.where, s.err.what,
		       s.err.reason ? s.err.reason : "");
	command_forget(&s);
}

/* --- those that were left behind --- */

static void test_killed(void)
{
	char wanted[128];
	struct command_child killed, alive;
	struct command_said s;
	unsigned int living;
	pid_t pid;

	if (!start(&alive, "--format=json " SESSION " OBJ"))
		return;
	if (start(&killed, "--format=json " SESSION " OBJ")) {
		pid = killed.pid;
		command_end(&killed);
		report(lines_of(pid) == 2, "SIGKILL leaves %u lines behind", lines_of(pid));
		noted[0] = '\0';
		s = command_say("-d 0 --attach=ioctl --prog=on_probe -e %s OBJ", EVENT);
		snprintf(wanted, sizeof(wanted),
			 "removed 2 lines from uprobe_events that pload %d or another left behind "
			 "when it was killed: 'pload/probed_", pid);
		report(s.ret == 0 && strstr(noted, wanted), "the next pload says that it removes them");
		living = lines_of(alive.pid);
		report(lines_of(pid) == 0, "and they have gone");
		report(living == 2, "those of one that runs stay");
		command_forget(&s);
	}
	command_signal(&alive, SIGINT);
}

/* Kept apart from those that pload has left by their group, their name and their namespace. */
static void test_of_others(void)
{
	static const char *const names[] = { "pload_test_of_another/mine", "pload/mine",
					     "pload/mine_1_2_3",
					     /* pid 2147483000 runs nowhere; its namespace is not ours */
					     "pload/mine_2147483000_309_1_4_0" };
	char line[256];
	struct event_spec spec;
	struct command_said s;
	struct error err = { 0 };
	int ret = probed_resolve(sys_linux(), &spec, EVENT, 0, &err);
	unsigned int nr = 0, left = 0;

	for (size_t i = 0; ret == 0 && i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(line, sizeof(line), "p:%s %s:0x%" PRIx64 "\n", names[i], PROBED_SELF,
			 spec.file_offset);
		nr += probed_write(sys_linux(), line) == 0;
	}
	noted[0] = '\0';
	s = command_say("-d 0 --attach=ioctl --prog=on_probe -e %s OBJ", EVENT);
	for (size_t i = 0; i < nr; i++) {
		snprintf(line, sizeof(line), ":%s ", names[i]);
		left += probed_nr_lines(sys_linux(), line);
		snprintf(line, sizeof(line), "-:%s\n", names[i]);
		probed_write(sys_linux(), line);
	}
	report(nr == 4 && s.ret == 0 && left == nr && !strstr(noted, "removed"),
	       "%u lines of others stay, of %u", left, nr);
	command_forget(&s);
	error_clear(&err);
}

/* The first line of pload @pid as an event that we have open, or -errno. */
static int open_line(pid_t pid)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	struct probed_lines lines = probed_lines(sys_linux(), "");
	char part[64], *name;
	int ret = -ENOENT;

	snprintf(part, sizeof(part), "pload/probed_function_%d_", pid);
	name = strstr(lines.text, part);
	if (name) {
		name += strlen("pload/");
		name[strcspn(name, " ")] = '\0';
		ret = event_tracepoint_id(sys_linux(), "pload", name, (uint64_t *)&attr.config, NULL);
	}
	probed_forget(&lines);
	return ret < 0 ? ret : sys_perf_event_open(sys_linux(), &attr, -1, 0, -1,
						   PERF_FLAG_FD_CLOEXEC);
}

/* A line that somebody uses cannot go; it is said, and the one after that removes it. */
static void test_in_use(void)
{
	struct command_child killed;
	struct command_said s;
	pid_t pid;
	int fd;

	if (!start(&killed, "--format=json --attach=ioctl --prog=on_probe -e " EVENT " OBJ"))
		return;
	pid = killed.pid;
	command_end(&killed);
	fd = open_line(pid);
	noted[0] = '\0';
	s = command_say("-d 0 --attach=ioctl --prog=on_probe -e %s OBJ", EVENT);
	report(fd >= 0 && s.ret == 0 && strstr(noted, "still in use: it stays") && lines_of(pid) == 1,
	       "a line in use stays, which is said");
	sys_close_fd(sys_linux(), &fd);
	command_forget(&s);
	s = command_say("-d 0 --attach=ioctl --prog=on_probe -e %s OBJ", EVENT);
	report(s.ret == 0 && lines_of(pid) == 0, "and goes with the next pload once it is not");
	command_forget(&s);
}

int main(int argc, char **argv)
{
	struct command_said s;
	unsigned int left = 0;

	if (argc != 2)
		return 2;
	command_object = argv[1];
	s = command_say("-d 0 --attach=ioctl --prog=on_probe -e %s OBJ", EVENT);
	if (s.ret < 0 && (probed_lacking(&s.err) || !strncmp(s.err.reason, "prog-load/", 10))) {
		printf("ok 1 - lines of tracefs # SKIP %s: %s\n1..1\n", s.err.where, s.err.what);
		command_forget(&s);
		return 0;
	}
	report(s.ret == 0 && lines_of(getpid()) == 0, "the time is over: no line is left");
	command_forget(&s);
	test_end("an error before", "-d 0 " SESSION " -e uprobe:" PROBED_SELF ":no_such",
		 "symbols/no-symbol");
	test_end("an error half-way", "-d 0 " SESSION " -e kprobe:pload_has_no_such_function",
		 access("/sys/bus/event_source/devices/kprobe", F_OK) ? "probe/no-kprobes"
								      : "probe/no-symbol");
	test_end("an error of binding", "-d 0 " SESSION " -e mem:0x1000000/8:w",
		 "attach/prog-type");
	test_names();
	test_signal(SIGINT, "SIGINT");
	test_signal(SIGTERM, "SIGTERM");
	test_signal(SIGHUP, "SIGHUP");
	test_killed();
	test_of_others();
	test_in_use();
	for (int i = 0; i < nr_sessions; i++)
		left += lines_of(sessions[i]);
	report(left == 0, "no line of %d sessions is left at the end", nr_sessions);
	printf("1..%d\n", tests);
	return failed != 0;
}
