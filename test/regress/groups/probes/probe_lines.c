// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lines that pload writes into tracefs: each has a name of its own; they are removed on every way
 * out; the next pload removes those of a killed one, and reports it; lines of others and of
 * processes that are alive stay.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/event/pmu.h"
#include "test/regress/common/command.h"
#include "test/regress/common/probed.h"

#define EVENT "uprobe:" PROBED_SELF ":probed_function"
#define SECOND "uprobe:" PROBED_SELF ":probed_usdt"
#define ONE "--attach=ioctl --prog=on_probe -e " EVENT
#define SESSION ONE " -e " SECOND
#define TRIES 10

static unsigned int lines_of(struct regress *t, pid_t pid)
{
	return probed_nr_lines_of(t->sys, &pid, 1);
}

/*
 * Starts a child that triggers the probes until it is killed, so that a session has records to
 * print.
 */
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

/* Starts a session in a child, and waits until its probes are attached. */
static void start(struct regress *t, struct command_child *c, const char *args)
{
	const pid_t caller = start_calling();
	const bool came = command_start(c, args, "\"type\":\"record\"");

	end_calling(caller);
	if (!came)
		command_refused(t, c->line);
}

/* Runs a short session with a probe line of its own in this process. Returns its notes. */
static const char *run_another(struct regress *t)
{
	struct command_said s = command_say("-d 0 " ONE " OBJ");

	command_ok(t, &s);
	command_forget(&s);
	return command_noted();
}

/* --- names --- */

/* Returns whether all lines "p:GROUP/NAME PLACE" in @text have different names. */
static bool names_differ(const char *text)
{
	for (const char *a = text, *next; (next = strchr(a, '\n')); a = next + 1)
		for (const char *b = next + 1, *end; (end = strchr(b, '\n')); b = end + 1)
			if (!strncmp(a, b, strcspn(a, " ") + 1))
				return false;
	return true;
}

static void names(struct regress *t)
{
	static const char same[] = "--format=json " SESSION " -e " EVENT " OBJ";
	const int object = command_use(t, "probes");
	struct command_child a, b;
	struct probed_lines lines;
	unsigned int nr_a, nr_b;

	start(t, &a, same);
	start(t, &b, same);
	lines = probed_lines(t->sys, ":pload/");
	nr_a = lines_of(t, a.pid);
	nr_b = lines_of(t, b.pid);
	regress_expect(t, nr_a == 3 && nr_b == 3, "two sessions with three events: %u and %u lines",
		       nr_a, nr_b);
	regress_expect(t, names_differ(lines.text), "two lines have one name: %s", lines.text);
	probed_forget(&lines);
	command_signal(&b, SIGTERM);
	nr_a = lines_of(t, a.pid);
	regress_expect(t, nr_a == 3, "%u lines of one are left when the other has ended", nr_a);
	command_signal(&a, SIGTERM);
	close(object);
}

/* --- ways out --- */

static void time_is_over(struct regress *t)
{
	const int object = command_use(t, "probes");

	run_another(t);
	regress_expect(t, !lines_of(t, getpid()), "%u lines are left", lines_of(t, getpid()));
	close(object);
}

struct end {
	const char *args, *reason;
	const char *without_pmu;	/* the reason where there is no PMU for kprobes; or NULL */
};

static const struct end before = {
	"-d 0 " SESSION " -e uprobe:" PROBED_SELF ":no_such", "symbols/no-symbol", NULL
};
static const struct end half_way = {
	"-d 0 " SESSION " -e kprobe:pload_has_no_such_function", "probe/no-symbol",
	"probe/no-kprobes"
};
static const struct end binding = {
	"-d 0 " SESSION " -e mem:0x1000000/8:w", "attach/prog-type", NULL
};

static void an_error(struct regress *t)
{
	const bool pmu = !access("/sys/bus/event_source/devices/kprobe", F_OK);
	const struct end *end = t->data;
	const char *reason = end->without_pmu && !pmu ? end->without_pmu : end->reason;
	const int object = command_use(t, "probes");
	struct command_said s = command_say("%s OBJ", end->args);

	regress_expect(t, s.ret < 0, "it was taken");
	if (!s.err.reason || strcmp(s.err.reason, reason))
		command_ok(t, &s);
	command_forget(&s);
	regress_expect(t, !lines_of(t, getpid()), "%u lines are left", lines_of(t, getpid()));
	close(object);
}

static void a_signal(struct regress *t)
{
	const int *signo = t->data, object = command_use(t, "probes");
	struct command_child c;
	unsigned int during, after;
	int status;
	pid_t pid;

	start(t, &c, "--format=json " SESSION " OBJ");
	pid = c.pid;
	during = lines_of(t, pid);
	status = command_signal(&c, *signo);
	after = lines_of(t, pid);
	regress_expect(t, during == 2 && status == 0 && after == 0,
		       "%u lines before, status %d, %u lines after", during, status, after);
	close(object);
}

/* --- lines of a session that was killed --- */

/*
 * Starts a session and kills it, so that its lines are left. If others use pload as well, theirs
 * may have been the next one, and have removed the lines: then it is tried again.
 */
static pid_t start_and_kill(struct regress *t, const char *args)
{
	struct command_child c;
	pid_t pid;

	for (int tries = 0; tries < TRIES; tries++) {
		start(t, &c, args);
		pid = c.pid;
		command_end(&c);
		if (lines_of(t, pid))
			return pid;
	}
	regress_fail(t, "SIGKILL leaves no lines behind");
}

static void killed_by_the_next(struct regress *t)
{
	const int object = command_use(t, "probes");
	struct command_child alive;
	unsigned int left, living;
	const char *noted = "";
	char wanted[128];
	bool said = false;
	pid_t pid;

	start(t, &alive, "--format=json " SESSION " OBJ");
	for (int tries = 0; !said && tries < TRIES; tries++) {
		pid = start_and_kill(t, "--format=json " SESSION " OBJ");
		noted = run_another(t);
		snprintf(wanted, sizeof(wanted),
			 "removed 2 lines from uprobe_events that pload %d or another left behind "
			 "when it was killed: 'pload/probed_", pid);
		said = strstr(noted, wanted) != NULL;
		left = lines_of(t, pid);
		regress_expect(t, left == 0, "%u lines are there after the next pload", left);
	}
	regress_expect(t, said, "the next pload says '%s'", noted);
	living = lines_of(t, alive.pid);
	regress_expect(t, living == 2, "%u lines are left of one that runs", living);
	command_signal(&alive, SIGINT);
	close(object);
}

/* These differ from lines that pload has left by their group, their name or their namespace. */
static const char *const of_others[] = {
	"pload_test_of_another/mine", "pload/mine", "pload/mine_1_2_3",
	"pload/mine_2147483000_309_1_4_0",	/* it runs nowhere; its namespace is not ours */
};

static void those_of_others(struct regress *t)
{
	unsigned int left = 0;
	struct event_spec spec;
	struct error err = { 0 };
	const char *noted;
	char line[256];
	int object;

	regress_ok(t, probed_resolve(t->sys, &spec, EVENT, 0, &err), &err, EVENT);
	object = command_use(t, "probes");
	run_another(t);	/* skipped where it cannot be */
	for (size_t i = 0; i < NR(of_others); i++) {
		snprintf(line, sizeof(line), "p:%s %s:0x%" PRIx64 "\n", of_others[i], PROBED_SELF,
			 spec.uprobe.file_offset);
		regress_ok(t, probed_write(t->sys, line), NULL, line);
	}
	noted = run_another(t);
	for (size_t i = 0; i < NR(of_others); i++) {
		snprintf(line, sizeof(line), ":%s ", of_others[i]);
		left += probed_nr_lines(t->sys, line);
		snprintf(line, sizeof(line), "-:%s\n", of_others[i]);
		probed_write(t->sys, line);
	}
	regress_expect(t, left == NR(of_others) && !strstr(noted, "mine"),
		       "%u lines of %zu are left; it says '%s'", left, NR(of_others), noted);
	close(object);
}

/* Opens the first line of pload @pid as an event. Returns -1 if another pload has removed it. */
static int open_line(struct regress *t, pid_t pid)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	struct probed_lines lines = probed_lines(t->sys, "");
	struct error err = { 0 };
	char part[64], *name;
	int ret = -1;

	snprintf(part, sizeof(part), "pload/probed_function_%d_", pid);
	name = strstr(lines.text, part);
	if (name) {
		name += strlen("pload/");
		name[strcspn(name, " ")] = '\0';
		ret = tracepoint_id(t->sys, "pload", name, (uint64_t *)&attr.config, &err);
		error_clear(&err);
	}
	probed_forget(&lines);
	if (ret < 0)
		return -1;
	return sys_perf_event_open(t->sys, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static void in_use(struct regress *t)
{
	const int object = command_use(t, "probes");
	unsigned int left;
	const char *noted;
	pid_t pid = 0;
	int fd = -1;

	for (int tries = 0; fd < 0 && tries < TRIES; tries++) {
		pid = start_and_kill(t, "--format=json " ONE " OBJ");
		fd = open_line(t, pid);
	}
	regress_expect(t, fd >= 0, "no line of a killed pload can be opened");
	noted = run_another(t);
	left = lines_of(t, pid);
	regress_expect(t, left == 1 && strstr(noted, "still in use, so it stays"),
		       "%u lines while it is in use; it says '%s'", left, noted);
	close(fd);
	run_another(t);
	left = lines_of(t, pid);
	regress_expect(t, left == 0, "%u lines are left by the next pload", left);
	close(object);
}

static const int sigint = SIGINT, sigterm = SIGTERM, sighup = SIGHUP;

static const struct regress_test tests[] = {
	{ "none is left when the time is over", time_is_over, NULL, 0 },
	{ "none is left after an error before they are written", an_error, &before, 0 },
	{ "none is left after an error half-way", an_error, &half_way, 0 },
	{ "none is left after an error of binding", an_error, &binding, 0 },
	{ "none is left after SIGINT", a_signal, &sigint, 0 },
	{ "none is left after SIGTERM", a_signal, &sigterm, 0 },
	{ "none is left after SIGHUP", a_signal, &sighup, 0 },
	{ "two sessions have lines with names of their own", names, NULL, 0 },
	{ "the next pload removes those of one that was killed", killed_by_the_next, NULL, 0 },
	{ "those of others stay", those_of_others, NULL, 0 },
	{ "one in use stays until it is not", in_use, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_probe_lines = {
	"probe_lines", "what pload writes into tracefs, and when that goes away again", tests, NULL,
	__FILE__
};
