// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Whom each scope covers, on the running kernel: threads and processes of the test make events of a
 * kind that is counted one by one, and each is counted once or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/cmd/note.h"
#include "test/unit/command_builder.h"
#include "test/unit/probe_builder.h"
#include "test/unit/session_builder.h"

#define UNITS 20
#define OTHER_UID 54321
#define MANY 64		/* threads, for the limit of descriptors */

static char bpffs[] = "/tmp/pload-scope-XXXXXX", name[16];
static int tests, failed;

/* Command-line notes are main.c's, which is not linked. */
void note(const char *fmt, ...)
{
	(void)fmt;
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

/* --- who works --- */

/*
 * A process that does what it is told by a letter, and says when it has been done: "m": its first
 * thread makes the events; "s": its second; "n": a thread that starts now; "c": a child that starts
 * now; "d": a child of the second thread; "0", "1": its first thread on that CPU.
 */
struct worker {
	pid_t pid, second;	/* the process, and its second thread */
	int to, from;
};

static int told[2], done[2];	/* of the second thread */

static void make_events(void)
{
	for (int i = 0; i < UNITS; i++)
		work_write();
}

/* None where there is no such CPU. */
static void make_events_on(int cpu)
{
	cpu_set_t set, all;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	memset(&all, 0xff, sizeof(all));
	if (!sched_setaffinity(0, sizeof(set), &set))
		make_events();
	sched_setaffinity(0, sizeof(all), &all);
}

static void *make_and_end(void *arg)
{
	make_events();
	return arg;
}

static void in_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		make_events();
		_exit(0);
	}
	waitpid(pid, &status, 0);
}

static void *second_thread(void *arg)
{
	pid_t tid = syscall(SYS_gettid);
	char c;

	if (write(done[1], &tid, sizeof(tid)) != sizeof(tid))
		_exit(1);
	while (read(told[0], &c, 1) == 1) {
		if (c == 's')
			make_events();
		else
			in_child();
		if (write(done[1], &tid, sizeof(tid)) != sizeof(tid))
			_exit(1);
	}
	return arg;
}

static void obey(char c)
{
	pthread_t thread;
	pid_t tid;

	if (c == 'm')
		make_events();
	else if (c == '0' || c == '1')
		make_events_on(c - '0');
	else if (c == 'c')
		in_child();
	else if (c == 'n' && !pthread_create(&thread, NULL, make_and_end, NULL))
		pthread_join(thread, NULL);
	else if (c == 's' || c == 'd')
		if (write(told[1], &c, 1) != 1 || read(done[0], &tid, sizeof(tid)) != sizeof(tid))
			_exit(1);
}

static void *sleep_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void work(const int to[2], const int from[2], uid_t uid, unsigned int more)
{
	pthread_t thread;
	pid_t second;
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(to[1]);
	close(from[0]);
	if ((uid && setuid(uid)) || pipe(told) || pipe(done) ||
	    pthread_create(&thread, NULL, second_thread, NULL) ||
	    read(done[0], &second, sizeof(second)) != sizeof(second))
		_exit(1);
	while (more--)
		if (pthread_create(&thread, NULL, sleep_for_ever, NULL))
			_exit(1);
	if (write(from[1], &second, sizeof(second)) != sizeof(second))
		_exit(1);
	while (read(to[0], &c, 1) == 1) {
		obey(c);
		if (write(from[1], &c, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

/* @uid 0: ours. @more: threads that do nothing. false: there is none. */
static bool hire(struct worker *w, uid_t uid, unsigned int more)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return false;
	w->pid = fork();
	if (!w->pid)
		work(to, from, uid, more);
	close(to[0]);
	close(from[1]);
	w->to = to[1];
	w->from = from[0];
	return w->pid > 0 && read(w->from, &w->second, sizeof(w->second)) == sizeof(w->second);
}

static void dismiss(struct worker *w)
{
	int status;

	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		waitpid(w->pid, &status, 0);
		close(w->to);
		close(w->from);
	}
	w->pid = -1;
}

static void tell(const struct worker *w, char c)
{
	if (write(w->to, &c, 1) != 1 || read(w->from, &c, 1) != 1)
		report(false, "a worker is gone");
}

/* --- a session and what it counts --- */

struct order {
	const struct worker *who;
	char what;
};

static void carry_out(void *arg)
{
	const struct order *o = arg;

	tell(o->who, o->what);
}

static bool is_counted(const struct session_child *s, const struct worker *w, char what, bool wanted)
{
	const uint64_t before = session_runs(s);

	tell(w, what);
	return session_runs(s) - before == (wanted ? UNITS : 0);
}

/*
 * A session with @args, which is armed when @what of @who is counted. Else it is skipped by name,
 * with what the session has said.
 */
static bool begin(struct session_child *s, const char *title, const char *args,
		  const struct worker *who, char what)
{
	struct order order = { who, what };
	char line[512], *out;

	snprintf(line, sizeof(line), "--set=wanted=%s --prog=counted -e mem:%p/8:w --format=json %s OBJ",
		 name, (void *)&probe_watched, args);
	session_begin(s, bpffs, line, NULL);
	if (session_counts(s, carry_out, &order, UNITS))
		return true;
	out = session_end(s);
	skip(title, out);
	free(out);
	return false;
}

static void end(struct session_child *s, const char *title)
{
	char *out = session_end(s);

	report(strstr(out, "\"type\":\"summary\"") != NULL, "%s: ends with its summary", title);
	free(out);
}

/* --- tasks --- */

static struct worker one, other;

static const struct {
	const char *args;	/* "%p", "%t": the process of one and its second thread; "%o": the other */
	char armed;
	const char *counted, *not_counted;	/* of one */
	bool others;
} tasks[] = {
	{ "-t %t", 's', "s", "mncd", false },
	{ "-p %p", 'm', "msncd", "", false },
	{ "-p %p --no-inherit", 'm', "ms", "ncd", false },
	{ "-p %p,%o", 'm', "msncd", "", true },
	{ "-a", 'm', "msncd", "", true },
	{ "-C 0", '0', "0", "1", false },
	{ "-p %p -C 0", '0', "0", "1", false },
	{ "-p %p,%o -C 1", '1', "1", "0", false },
};

static void fill(const char *text, char *out, size_t size)
{
	size_t len = 0;

	for (; *text && len < size - 16; text++) {
		if (*text != '%') {
			out[len++] = *text;
			continue;
		}
		text++;
		len += sprintf(out + len, "%d", *text == 'p' ? one.pid :
						*text == 't' ? one.second : other.pid);
	}
	out[len] = '\0';
}

static const char *called(char what)
{
	return what == 'm' ? "the first thread" :
	       what == 's' ? "the second thread" :
	       what == 'n' ? "a thread that starts later" :
	       what == 'c' ? "a child that starts later" :
	       what == 'd' ? "a child of the second thread" :
	       what == '0' ? "what happens on CPU 0" :
			     "what happens on CPU 1";
}

static void test_tasks(size_t i)
{
	const char *title = tasks[i].args;
	struct session_child s;
	char args[128];

	fill(title, args, sizeof(args));
	if (!begin(&s, title, args, &one, tasks[i].armed))
		return;
	for (const char *c = tasks[i].counted; *c; c++)
		report(is_counted(&s, &one, *c, true), "%s: %s is counted", title, called(*c));
	for (const char *c = tasks[i].not_counted; *c; c++)
		report(is_counted(&s, &one, *c, false), "%s: %s is not counted", title, called(*c));
	if (!strstr(title, "-C"))
		report(is_counted(&s, &other, 'm', tasks[i].others), "%s: another process is %scounted",
		       title, tasks[i].others ? "" : "not ");
	end(&s, title);
}

/* One of two processes ends: the session goes on with the other, and ends with that. */
static void test_end_of_one(void)
{
	struct worker a, b;
	struct session_child s;
	char args[64];

	if (!hire(&a, 0, 0) || !hire(&b, 0, 0))
		return report(false, "workers for -p A,B");
	snprintf(args, sizeof(args), "-p %d,%d", a.pid, b.pid);
	if (begin(&s, "-p A,B, of which one ends", args, &b, 'm')) {
		dismiss(&a);
		report(is_counted(&s, &b, 'm', true), "-p A,B: when A ends B is counted on");
		dismiss(&b);
		report(session_ends(&s), "-p A,B: with B it ends by itself");
		end(&s, "-p A,B");
	}
	dismiss(&a);
	dismiss(&b);
}

/* --- users --- */

static void test_user(void)
{
	struct session_child s;
	struct worker w;
	char args[32];

	if (!hire(&w, OTHER_UID, 0)) {
		skip("-u", "this process cannot become another user");
		return;
	}
	snprintf(args, sizeof(args), "-u %d", OTHER_UID);
	if (begin(&s, "-u", args, &w, 'm')) {
		report(is_counted(&s, &w, 'c', true), "-u: a child of the user's process is counted");
		report(is_counted(&s, &w, 's', true), "-u: another thread of it, too");
		report(is_counted(&s, &one, 'm', false), "-u: another user's process is not");
		end(&s, "-u");
	}
	dismiss(&w);
}

/* --- cgroups --- */

static bool move_to(const char *dir, pid_t pid)
{
	char path[160], text[16];
	int fd, n = snprintf(text, sizeof(text), "%d", pid);
	bool ok;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, n) == n;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* In the hierarchy at @root, a cgroup of our own, which is gone again in the end. */
static void test_cgroup(const char *title, const char *root)
{
	char dir[128], args[160];
	struct worker in, later;
	struct session_child s;

	snprintf(dir, sizeof(dir), "%s/pload-scope-%d", root, getpid());
	if (mkdir(dir, 0755)) {
		skip(title, strerror(errno));
		return;
	}
	if (!hire(&in, 0, 0) || !hire(&later, 0, 0))
		return report(false, "workers for %s", title);
	snprintf(args, sizeof(args), "-G %s", dir);
	if (!move_to(dir, in.pid)) {
		skip(title, "no process can be put into a cgroup here");
	} else if (begin(&s, title, args, &in, 'm')) {
		report(is_counted(&s, &in, 'n', true), "%s: a thread that starts in it is counted", title);
		report(is_counted(&s, &in, 'c', true), "%s: so is a child", title);
		report(is_counted(&s, &later, 'm', false), "%s: who is elsewhere is not", title);
		report(move_to(dir, later.pid) && is_counted(&s, &later, 'm', true),
		       "%s: who comes into it is from then on", title);
		report(move_to(root, in.pid) && is_counted(&s, &in, 'm', false),
		       "%s: who leaves it is no more", title);
		end(&s, title);
	}
	dismiss(&in);
	dismiss(&later);
	/* It is empty when the last of them is reaped, which the kernel may notice a moment later. */
	while (rmdir(dir) && errno == EBUSY)
		work_switch();
}

/* Which hierarchy the controller is in, as in /proc/cgroups; 0 is cgroup2, -1: it is not there. */
static int hierarchy_of_perf(void)
{
	FILE *f = fopen("/proc/cgroups", "r");
	char line[128];
	int found = -1;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "perf_event %d", &found) == 1)
			break;
	if (f)
		fclose(f);
	return found;
}

/*
 * A hierarchy of cgroup1 goes with its last mount when nobody is in it; a cgroup that was removed a
 * moment ago may still be. Then it is mounted once more, so that the controller is where it was.
 */
static void leave_cgroup1(const char *dir, int before)
{
	umount(dir);
	for (int tries = 1; hierarchy_of_perf() != before && tries <= 1000; tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		if (tries % 100 == 0 && !mount("perf_event", dir, "cgroup", 0, "perf_event"))
			umount(dir);
	}
	report(hierarchy_of_perf() == before, "-G of cgroup1: the controller is back where it was");
}

static void test_cgroups(void)
{
	const int before = hierarchy_of_perf();
	char dir[] = "/tmp/pload-cgroup-XXXXXX";

	if (!mkdtemp(dir)) {
		skip("-G", "no directory can be made in /tmp");
		return;
	}
	if (mount("cgroup2", dir, "cgroup2", 0, NULL)) {
		skip("-G of cgroup2", strerror(errno));
	} else {
		test_cgroup("-G of cgroup2", dir);
		umount(dir);
	}
	if (mount("perf_event", dir, "cgroup", 0, "perf_event")) {
		skip("-G of cgroup1", strerror(errno));
	} else {
		test_cgroup("-G of cgroup1", dir);
		leave_cgroup1(dir, before);
	}
	rmdir(dir);
}

/* --- descriptors --- */

static unsigned int limit;
static bool may_raise;

static void lower_the_limit(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	const struct rlimit r = { limit, may_raise ? MANY * 4 : limit };

	setrlimit(RLIMIT_NOFILE, &r);
	if (may_raise || syscall(SYS_capget, &header, data))
		return;
	data[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	data[0].permitted &= ~(1u << CAP_SYS_RESOURCE);
	syscall(SYS_capset, &header, data);
}

/*
 * 66 threads and a limit of 40: raised where it may be, and explained with the numbers where not.
 */
static void test_limit(bool raise)
{
	const char *title = raise ? "a limit of descriptors that may be raised" :
				    "a limit of descriptors that stays";
	struct worker many;
	struct order order = { &many, 's' };
	struct session_child s;
	char args[256], *out;
	bool counts;

	if (!hire(&many, 0, MANY))
		return report(false, "a worker with %d threads", MANY);
	limit = 40;
	may_raise = raise;
	snprintf(args, sizeof(args),
		 "--set=wanted=%s --prog=counted -e mem:%p/8:w --format=json -p %d OBJ", name,
		 (void *)&probe_watched, many.pid);
	session_begin(&s, bpffs, args, lower_the_limit);
	counts = session_counts(&s, carry_out, &order, UNITS);
	out = session_end(&s);
	if (!counts && !strstr(out, "fd-limit"))
		skip(title, out);
	else if (raise)
		report(counts, "%s: all of %d threads are counted", title, MANY + 2);
	else
		report(strstr(out, "of 66 (66 threads)") && strstr(out, "the limit is 40 (hard: 40)"),
		       "%s: it is said how many there are to be, and what the limits are", title);
	free(out);
	dismiss(&many);
}

int main(int argc, char **argv)
{
	const char *why;

	if (argc != 2)
		return 2;
	command_object = argv[1];
	snprintf(name, sizeof(name), "scope%d", getpid());
	prctl(PR_SET_NAME, name);
	why = session_mount(bpffs);
	if (why) {
		skip("whom a scope covers", why);
	} else if (!hire(&one, 0, 0) || !hire(&other, 0, 0)) {
		report(false, "workers");
	} else {
		for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
			test_tasks(i);
		test_end_of_one();
		test_user();
		test_cgroups();
		test_limit(true);
		test_limit(false);
		dismiss(&one);
		dismiss(&other);
		session_unmount(bpffs);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
