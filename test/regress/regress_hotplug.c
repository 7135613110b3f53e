// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPUs that go offline and come back, on the running kernel: what the kernel does with their events,
 * and that a session counts and hears there again, each happening once. It takes the last CPU away
 * for moments, from everybody on the machine, so it runs only where PLOAD_TEST_HOTPLUG=1 says that it
 * may: in a virtual machine of one's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/cmd/note.h"
#include "loader/event/event.h"
#include "test/unit/command_builder.h"
#include "test/unit/probe_builder.h"
#include "test/unit/session_builder.h"

#define UNITS 20

static char mount_point[] = "/tmp/pload-cpus-XXXXXX", name[16];
static int tests, failed, cpu, note_fds[2];

/* What a session notes, its own or that of a child: for the test to wait for. */
void note(const char *fmt, ...)
{
	char text[600];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	n = n < (int)sizeof(text) - 1 ? n : (int)sizeof(text) - 2;
	text[n++] = '\n';
	if (write(note_fds[1], text, n) < 0)
		_exit(3);
}

/* --- reporting --- */

static void report(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", ok ? "ok" : "not ok", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	failed += !ok;
}

static void skip(const char *what, const char *cause)
{
	printf("ok %d - %s # SKIP %.*s\n", ++tests, what, (int)strcspn(cause, "\n"), cause);
	fflush(stdout);
}

/* --- the CPU --- */

static int set_online(bool online)
{
	char path[96];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ret = fd < 0 ? -errno : write(fd, online ? "1" : "0", 1) < 0 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return ret;
}

static void put_back(void)
{
	set_online(true);
}

static void run_on(int which)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(which, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void run_anywhere(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	sched_setaffinity(0, sizeof(set), &set);
}

/* The next note that has @text, of those that come; false: none has. */
static bool hears(const char *text)
{
	struct pollfd p = { .fd = note_fds[0], .events = POLLIN };
	char line[600];
	size_t len = 0;

	while (poll(&p, 1, SESSION_PATIENCE_MS) > 0 && read(note_fds[0], line + len, 1) == 1) {
		if (line[len] != '\n' && len < sizeof(line) - 2) {
			len++;
			continue;
		}
		line[len] = '\0';
		if (strstr(line, text))
			return true;
		printf("# %s\n", line);
		len = 0;
	}
	return false;
}

/* --- counting --- */

static void write_on(void *which)
{
	run_on(*(int *)which);
	for (int i = 0; i < UNITS; i++)
		work_write();
	run_anywhere();
}

static uint64_t runs_on(const struct session_child *s, int which)
{
	const uint64_t before = session_runs(s);

	write_on(&which);
	return session_runs(s) - before;
}

/* --- a session --- */

struct row {
	const char *what, *args, *prog;
	bool noted;		/* its events are opened again */
	bool at_first;		/* the CPU is online when it begins */
	bool elsewhere;		/* other CPUs count, too */
};

static const struct row rows[] = {
	{ "by ioctl", "--attach=ioctl", "recorded", true, true, true },
	{ "by pmu", "--attach=pmu", "recorded", true, true, true },
	{ "by link", "--attach=link", "recorded", true, true, true },
	{ "without records", "--attach=link --cookie=77", "counted", true, true, true },
	{ "-C", "--attach=ioctl -C %cpu", "recorded", true, true, false },
	{ "-G", "--attach=ioctl -G /sys/fs/cgroup", "recorded", true, true, true },
	{ "-p", "--attach=ioctl -p %pid", "recorded", false, true, true },
	{ "-p and -C", "--attach=ioctl -p %pid -C %cpu", "recorded", false, true, false },
	{ "a CPU that was offline at first", "--attach=ioctl", "recorded", true, false, true },
};

/* The words of @text with what %cpu and %pid stand for. */
static void fill(const char *text, char *out, size_t size)
{
	size_t len = 0;

	while (*text && len < size - 16) {
		if (!strncmp(text, "%cpu", 4))
			len += sprintf(out + len, "%d", cpu), text += 4;
		else if (!strncmp(text, "%pid", 4))
			len += sprintf(out + len, "%d", getpid()), text += 4;
		else
			out[len++] = *text++;
	}
	out[len] = '\0';
}

static bool is_armed(struct session_child *s, int which)
{
	return session_counts(s, write_on, &which, UNITS);
}

static bool start(const struct row *r, struct session_child *s)
{
	char args[512], more[128];

	fill(r->args, more, sizeof(more));
	snprintf(args, sizeof(args), "%s --set=wanted=%s --prog=%s -e mem:%p/8:w %s --format=json OBJ",
		 more, name, r->prog, (void *)&probe_watched,
		 strcmp(r->prog, "counted") ? "--record=record" : "");
	session_begin(s, mount_point, args, NULL);
	return (!r->elsewhere || is_armed(s, 0)) && (!r->at_first || is_armed(s, cpu));
}

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void goes(const struct row *r, const struct session_child *s, bool with_rings)
{
	char text[64];

	report(!set_online(false), "%s: the CPU goes offline", r->what);
	snprintf(text, sizeof(text), "CPU %d is offline: ", cpu);
	if (r->noted || with_rings)
		report(hears(text), "%s: that is said", r->what);
	if (r->elsewhere)
		report(runs_on(s, 0) == UNITS, "%s: other CPUs count meanwhile", r->what);
}

static void comes(const struct row *r, const struct session_child *s, bool with_rings)
{
	char text[64];

	report(!set_online(true), "%s: it comes back", r->what);
	snprintf(text, sizeof(text), "CPU %d is online: ", cpu);
	if (r->noted || with_rings)
		report(hears(text), "%s: and is armed, which is said", r->what);
	report(runs_on(s, cpu) == UNITS, "%s: each happening is counted once there", r->what);
	if (r->elsewhere)
		report(runs_on(s, 0) == UNITS, "%s: and once elsewhere", r->what);
}

static void test_row(const struct row *r)
{
	const bool with_rings = strcmp(r->prog, "counted");
	struct session_child s;
	uint64_t counted;
	char *out;

	if (!r->at_first && set_online(false)) {
		skip(r->what, "it does not go offline");
		return;
	}
	if (!start(r, &s)) {
		out = session_end(&s);
		skip(r->what, out);
		free(out);
		put_back();
		return;
	}
	if (r->at_first) {
		report(runs_on(&s, cpu) == UNITS, "%s: counts there at first", r->what);
		goes(r, &s, with_rings);
	}
	comes(r, &s, with_rings);
	goes(r, &s, with_rings);
	comes(r, &s, with_rings);
	counted = session_runs(&s);
	out = session_end(&s);
	report(strstr(out, "\"lost\":0") && strstr(out, "\"skipped_cpus\":[]"),
	       "%s: nothing is lost, and no CPU is left out in the end", r->what);
	if (with_rings)
		report(occurrences(out, "\"type\":\"record\"") == counted,
		       "%s: and each has left its record", r->what);
	free(out);
}

/* --- what is pinned --- */

static void test_pinned(void)
{
	const struct row r = { "pinned", "--attach=link --pin=%dir", "counted", true, true, true };
	char args[128];
	struct row filled = r;
	struct command_said d;
	struct session_child s;
	int status;
	char *out;

	snprintf(args, sizeof(args), "--attach=link --pin=%s/x", mount_point);
	filled.args = args;
	if (!start(&filled, &s)) {
		out = session_end(&s);
		skip(r.what, out);
		free(out);
		return;
	}
	goes(&r, &s, false);
	comes(&r, &s, false);
	kill(s.pid, SIGKILL);
	waitpid(s.pid, &status, 0);
	s.pid = -1;
	report(runs_on(&s, cpu) == UNITS, "pinned: it is the new link that stays");
	free(session_end(&s));
	d = command_say("detach %s/x", mount_point);
	report(!d.ret, "pinned: and it is detached");
	command_forget(&d);
}

/* --- the kernel --- */

static uint64_t count_of(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* Why all of this is there: were it not so, what is opened again would be counted twice. */
static void test_kernel(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0, .config = PERF_COUNT_SW_CPU_CLOCK
	};
	int fd = sys_perf_event_open(sys_linux(), &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t before;

	if (fd < 0) {
		skip("the kernel: an event of a CPU", strerror(-fd));
		return;
	}
	report(!set_online(false) && !set_online(true), "the kernel: the CPU goes and comes");
	before = count_of(fd);
	sys_ioctl(sys_linux(), fd, PERF_EVENT_IOC_ENABLE, 0);
	run_on(cpu);
	work_clock();
	run_anywhere();
	report(before && count_of(fd) == before,
	       "the kernel: an event of a CPU that went counts no more, also when enabled again");
	close(fd);
}

/* --- the surroundings --- */

static const char *choose_cpu(void)
{
	struct error err = { 0 };
	struct cpu_list list;
	const char *allowed = getenv("PLOAD_TEST_HOTPLUG");

	if (!allowed || strcmp(allowed, "1"))
		return "takes a CPU away from everybody: PLOAD_TEST_HOTPLUG=1 allows it";
	if (cpu_list_read(sys_linux(), "online", &list, &err))
		return "the list of CPUs cannot be read";
	cpu = list.cpus[list.nr - 1];
	cpu_list_free(&list);
	if (!cpu)
		return "there is only one CPU";
	return set_online(false) || set_online(true) ? "CPUs cannot be taken offline here" : NULL;
}

int main(int argc, char **argv)
{
	const char *why;

	if (argc != 2 || pipe(note_fds))
		return 2;
	command_object = argv[1];
	why = choose_cpu();
	if (!why)
		why = session_mount(mount_point);
	snprintf(name, sizeof(name), "cpus%d", getpid());
	prctl(PR_SET_NAME, name);
	if (why) {
		skip("CPUs that go and come", why);
	} else {
		atexit(put_back);
		test_kernel();
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			test_row(&rows[i]);
		test_pinned();
		session_unmount(mount_point);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
