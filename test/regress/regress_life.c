// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What outlives what, on the running kernel: a session is pinned, killed, gone on with, and ended;
 * each time the test makes events of its own and looks whether they are counted. In a bpffs that no
 * other process sees, and that is gone with this one.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/cmd/note.h"
#include "loader/kernel/kernel.h"
#include "test/unit/command_builder.h"
#include "test/unit/probe_builder.h"

#define UNITS 20
#define COOKIE "0xc0ffee0123456789"

/* Command-line notes are main.c's, which is not linked. */
void note(const char *fmt, ...)
{
	(void)fmt;
}

static char mount_point[] = "/tmp/pload-life-XXXXXX", dir[64], name[16];
static int tests, failed;

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

/* --- the events --- */

/* A child that has our name and writes to probe_watched, which is at the same address there. */
static pid_t start_writing(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;) {
			work_write();
			work_switch();
		}
	return pid;
}

static void end_writing(pid_t pid)
{
	int status;

	if (pid <= 0)	/* -1 would be everybody */
		return;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

/* --- counting --- */

struct counted {
	uint64_t runs, cookie;
};

static struct counted read_counts(int map_fd)
{
	struct counted c = { 0 };
	uint32_t zero = 0;

	map_lookup(sys_linux(), map_fd, &zero, &c);
	return c;
}

static int open_counts(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/maps/counts", dir);
	return kernel_obj_get(sys_linux(), path);
}

static uint64_t runs_during(int map_fd, void (*work)(void))
{
	const uint64_t before = read_counts(map_fd).runs;

	for (int i = 0; i < UNITS; i++)
		work();
	return read_counts(map_fd).runs - before;
}

/*
 * A closed link is let go of some time later, after grace periods: until what it counted stands
 * still over a whole round of events. Bounded.
 */
static bool stops(int map_fd, void (*work)(void))
{
	const uint64_t end = sys_monotonic_ns() + 60 * UINT64_C(1000000000);

	while (runs_during(map_fd, work)) {
		if (sys_monotonic_ns() > end)
			return false;
		work_switch();
	}
	return true;
}

/* --- a session that is pinned, by each kind of event --- */

static const struct kind {
	const char *what, *prog, *event;	/* "%p": the address of probe_watched */
	void (*work)(void);
	bool exact;		/* as many runs as units of work, and none besides */
	const char *pin, *where;	/* of its first link, in what show says */
} kinds[] = {
	{ "page-faults", "counted", "page-faults,period=1", work_fault, false, "counted-cpu",
	  "\"where\":\"page-faults\"" },
	{ "breakpoint", "counted", "mem:%p/8:w", work_write, true, "counted-cpu",
	  "\"perf_type\":5" },
	{ "tracepoint", "traced", "sched:sched_switch", work_switch, false, "traced\"",
	  "\"where\":\"tracepoint sched_switch\"" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void event_text(const struct kind *k, char *out, size_t size)
{
	const char *address = strstr(k->event, "%p");

	if (address)
		snprintf(out, size, "%.*s%p%s", (int)(address - k->event), k->event,
			 (void *)&probe_watched, address + 2);
	else
		snprintf(out, size, "%s", k->event);
}

static bool counts_now(int map_fd, const struct kind *k)
{
	const uint64_t runs = runs_during(map_fd, k->work);

	return k->exact ? runs == UNITS : runs >= UNITS;
}

static void check_shown(const struct kind *k)
{
	struct command_said s = command_say("show links --format=json");
	const char *line = s.ret ? NULL : strstr(s.out, k->pin);

	/* the line that has the pin */
	while (line && line > s.out && line[-1] != '\n')
		line--;
	if (line && sys_is_before(sys_linux(), 6, 6))
		skip("show says where", "this kernel does not tell of links to events where they "
					"are");
	else
		report(line && strstr(line, k->where), "%s, pinned: show says where", k->what);
	if (line && sys_is_before(sys_linux(), 6, 9))
		skip("and the cookie", "this kernel does not tell the cookies of links");
	else
		report(line && strstr(line, "\"cookie\":13907095862997510025"),
		       "%s, pinned: and the cookie", k->what);
	command_forget(&s);
}

static void check_adopted(int map_fd, const struct kind *k)
{
	struct command_said s = command_say("adopt -d 0 --format=json %s", dir);
	char text[64];

	snprintf(text, sizeof(text), "\"runs\":%llu,",
		 (unsigned long long)read_counts(map_fd).runs);
	/*
	 * what other tasks of our name do not exist; page faults and switches of our own come on
	 * top
	 */
	if (!k->exact)
		snprintf(text, sizeof(text), "\"runs\":");
	report(!s.ret && strstr(s.out, text) && strstr(s.out, "\"map\":\"counts\""),
	       "%s, pinned: adopt reads what was counted", k->what);
	if (s.ret)
		printf("# %s: %s\n", s.err.where, s.err.what);
	command_forget(&s);
}

static void check_detached(int map_fd, const struct kind *k)
{
	struct command_said s = command_say("detach %s --format=json", dir), shown;

	report(!s.ret && strstr(s.out, "\"left\":[]"), "%s, pinned: detach says that the links "
						       "have gone",
	       k->what);
	report(runs_during(map_fd, k->work) == 0, "%s, pinned: and nothing runs any more", k->what);
	shown = command_say("show links --format=json");
	report(!shown.ret && !strstr(shown.out, dir), "%s, pinned: and no pin is left", k->what);
	report(access(dir, F_OK) && errno == ENOENT, "%s, pinned: nor the directory", k->what);
	command_forget(&shown);
	command_forget(&s);
}

static void test_kind(const struct kind *k)
{
	char args[512], event[128];
	struct command_child c;
	int map_fd;

	event_text(k, event, sizeof(event));
	snprintf(args, sizeof(args),
		 "--attach=link --cookie=" COOKIE " --set=wanted=%s --prog=%s -e %s --pin=%s "
		 "--format=json OBJ", name, k->prog, event, dir);
	if (!command_start_and_kill(&c, args, "\"type\":\"pinned\"")) {
		skip(k->what, c.line);
		return;
	}
	map_fd = open_counts();
	report(map_fd >= 0, "%s, pinned: the map is there after SIGKILL", k->what);
	if (map_fd < 0)
		return;
	report(counts_now(map_fd, k), "%s, pinned: and goes on counting", k->what);
	report(read_counts(map_fd).cookie == 0xc0ffee0123456789, "%s, pinned: with its cookie",
	       k->what);
	check_shown(k);
	check_adopted(map_fd, k);
	report(counts_now(map_fd, k), "%s, pinned: and still, after who adopted it has ended",
	       k->what);
	check_detached(map_fd, k);
	close(map_fd);
}

/* --- a session that is not --- */

/*
 * The program of @k, and one that says by a record that all is attached; for the breakpoint that
 * one alone. The map that they count in has a name in bpffs, and nothing else has.
 */
static void unpinned_args(char *args, size_t size, const char *method, const struct kind *k)
{
	char event[128], own[256] = "";

	event_text(k, event, sizeof(event));
	if (!k->exact)
		snprintf(own, sizeof(own), "--prog=%s -e %s", k->prog, event);
	snprintf(args, size,
		 "--attach=%s --set=wanted=%s %s --prog=into_ring -e mem:%p/8:w "
		 "--map=counts.pin=%s/counts --record=record --format=json OBJ", method, name, own,
		 (void *)&probe_watched, mount_point);
}

static void test_unpinned(const char *method, const struct kind *k)
{
	char args[512], path[64], what[64];
	const pid_t writer = start_writing();
	struct command_child c;
	int map_fd;
	bool came;

	snprintf(path, sizeof(path), "%s/counts", mount_point);
	snprintf(what, sizeof(what), "%s by %s, not pinned", k->what, method);
	unpinned_args(args, sizeof(args), method, k);
	came = command_start_and_kill(&c, args, "\"type\":\"record\"");
	end_writing(writer);
	if (!came) {
		skip(what, c.line);
		return;
	}
	map_fd = kernel_obj_get(sys_linux(), path);
	report(map_fd >= 0 && read_counts(map_fd).runs > 0, "%s: has run", what);
	report(map_fd >= 0 && stops(map_fd, k->work), "%s: SIGKILL ends it", what);
	if (map_fd >= 0)
		close(map_fd);
	unlink(path);
}

/* --- rings --- */

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static bool start_ring(struct command_child *c, const char *prog)
{
	char args[512];

	snprintf(args, sizeof(args),
		 "--attach=link --set=wanted=%s --prog=%s -e mem:%p/8:w --record=record --pin=%s "
		 "--format=json OBJ", name, prog, (void *)&probe_watched, dir);
	return command_start_and_kill(c, args, "\"type\":\"pinned\"");
}

/* What came while nobody read lies in a ring buffer, as far as there is room, for who adopts it. */
static void test_ringbuf(void)
{
	struct command_child c;
	struct command_said s;

	if (!start_ring(&c, "into_ring")) {
		skip("ring buffer", c.line);
		return;
	}
	for (int i = 0; i < UNITS; i++)
		work_write();
	s = command_say("adopt -d 0 --format=json %s", dir);
	report(!s.ret && occurrences(s.out, "\"value\":{\"magic\":1818846821,\"nr\":") == UNITS,
	       "ring buffer: records of the time without a reader are read by who adopts it");
	command_forget(&s);
	work_write();
	s = command_say("adopt -d 0 --format=json %s", dir);
	report(!s.ret && occurrences(s.out, "\"type\":\"record\"") == 1,
	       "ring buffer: and each of them once");
	command_forget(&s);
	s = command_say("detach %s", dir);
	report(!s.ret, "ring buffer: detached");
	command_forget(&s);
}

/* A perf ring belongs to who opened it. Until there is another, records are dropped. */
static void test_perf_ring(void)
{
	char args[128];
	struct command_child c;
	struct command_said s;
	pid_t writer;

	if (!start_ring(&c, "into_events")) {
		skip("perf ring", c.line);
		return;
	}
	for (int i = 0; i < UNITS; i++)
		work_write();
	s = command_say("adopt -d 0 --format=json %s", dir);
	report(!s.ret && !occurrences(s.out, "\"type\":\"record\""),
	       "perf ring: ends with pload: records of the time without a reader are lost");
	command_forget(&s);
	writer = start_writing();
	snprintf(args, sizeof(args), "adopt --format=json %s", dir);
	report(command_start_and_kill(&c, args, "\"value\":{\"magic\":1818846821"),
	       "perf ring: who adopts it opens another, and records come again");
	end_writing(writer);
	s = command_say("detach %s", dir);
	report(!s.ret, "perf ring: detached");
	command_forget(&s);
}

/* --- without links --- */

/* While a child has it attached by ioctl: what can be seen of it. */
static void test_ioctl(const struct kind *k, const char *wanted)
{
	const pid_t writer = start_writing();
	struct command_said s = { 0 };
	char args[512];
	struct command_child c;
	bool came;

	unpinned_args(args, sizeof(args), "ioctl", k);
	came = command_start(&c, args, "\"type\":\"record\"");
	end_writing(writer);
	if (!came) {
		skip(k->what, c.line);
		return;
	}
	s = command_say("show --format=json");
	report(!s.ret && strstr(s.out, wanted), "%s by ioctl: show says %s", k->what, wanted);
	command_forget(&s);
	command_end(&c);
	snprintf(args, sizeof(args), "%s/counts", mount_point);
	unlink(args);
}

/* --- links that somebody holds --- */

/* Unpinning ends nothing as long as a process has a descriptor of the link. */
static void test_held(const struct kind *k)
{
	char args[512], event[128], path[128];
	int map_fd, link_fd, status;
	struct command_child c;
	pid_t pid;

	event_text(k, event, sizeof(event));
	snprintf(args, sizeof(args),
		 "--attach=link --set=wanted=%s --prog=%s -e %s --pin=%s --format=json OBJ", name,
		 k->prog, event, dir);
	if (!command_start_and_kill(&c, args, "\"type\":\"pinned\"")) {
		skip("held link", c.line);
		return;
	}
	map_fd = open_counts();
	snprintf(path, sizeof(path), "%s/links/%s", dir, k->prog);
	link_fd = kernel_obj_get(sys_linux(), path);
	report(link_fd >= 0 && map_fd >= 0, "%s, held: opened", k->what);
	if (link_fd < 0 || map_fd < 0)
		return;
	pid = fork();	/* since a process does not look at itself */
	if (!pid) {
		struct command_said s;

		close(link_fd);
		s = command_say("detach %s", dir);
		_exit(s.ret != 1 || !strstr(s.out, "goes on: it is held by"));
	}
	waitpid(pid, &status, 0);
	report(status == 0, "%s, held: detach says who holds it", k->what);
	report(runs_during(map_fd, k->work) >= UNITS, "%s, held: goes on without a pin", k->what);
	close(link_fd);
	report(stops(map_fd, k->work), "%s, held: ends with the descriptor", k->what);
	close(map_fd);
}

/* --- the surroundings --- */

static const char *make_bpffs(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "no mount namespace can be made here";
	if (!mkdtemp(mount_point))
		return "no directory can be made in /tmp";
	if (mount("bpf", mount_point, "bpf", 0, NULL))
		return "no bpffs can be mounted here";
	snprintf(dir, sizeof(dir), "%s/session", mount_point);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *why;
	struct command_said s;

	if (argc != 2)
		return 2;
	command_object = argv[1];
	why = make_bpffs();
	snprintf(name, sizeof(name), "life%d", getpid());
	prctl(PR_SET_NAME, name);
	s = why ? (struct command_said){ 0 } : command_say("load OBJ --prog=counted");
	if (why || s.ret) {
		skip("what outlives pload", why ? why : s.ret < 0 ? s.err.what : s.out);
	} else {
		for (size_t i = 0; i < NR_KINDS; i++)
			test_kind(&kinds[i]);
		test_unpinned("link", &kinds[0]);
		test_unpinned("ioctl", &kinds[0]);
		test_unpinned("ioctl", &kinds[2]);
		test_ringbuf();
		test_perf_ring();
		test_ioctl(&kinds[2],
			   "\"fd_type\":\"BPF_FD_TYPE_TRACEPOINT\",\"where\":\"sched_switch\"");
		test_ioctl(&kinds[1], "\"what\":\"programs of events\"");
		test_held(&kinds[2]);
	}
	command_forget(&s);
	umount(mount_point);
	rmdir(mount_point);
	printf("1..%d\n", tests);
	return failed != 0;
}
