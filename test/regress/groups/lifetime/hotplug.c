// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CPUs that go offline and come back: the kernel's treatment of their events, and a session that
 * counts and reads records there again, each happening once. The tests take the last CPU offline
 * for moments, for everybody on the machine, so they run only where the machine is ours: where the
 * suite is the first process, or PLOAD_TEST_HOTPLUG=1 allows it.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>

#include "test/regress/common/command.h"
#include "test/regress/common/own_dir.h"
#include "test/regress/common/stress.h"
#include "test/regress/common/session.h"
#include "loader/events/scope/cpu_hotplug.h"
#include "loader/core/event/scope.h"

#define UNITS 20
#define ROUNDS 4

/* --- the CPU --- */

static int cpu;		/* the last one, which goes offline and comes back */

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

/* Brings CPUs online that a failed test has left offline. */
static void all_online(struct regress *t)
{
	struct error err = { 0 };
	struct cpu_list list;

	regress_ok(t, cpu_list_read(t->sys, "possible", &list, &err), &err, "the list of CPUs");
	for (unsigned int i = 0; i < list.nr; i++) {
		cpu = list.cpus[i];
		set_online(true);
	}
	cpu_list_free(&list);
}

static void take_away(struct regress *t)
{
	regress_ok(t, set_online(false), NULL, "taking a CPU offline");
}

static void bring_back(struct regress *t)
{
	regress_ok(t, set_online(true), NULL, "taking a CPU online");
}

static void choose_cpu(struct regress *t)
{
	const char *allowed = getenv("PLOAD_TEST_HOTPLUG");
	struct error err = { 0 };
	struct cpu_list list;

	if (getppid() != 1 && (!allowed || strcmp(allowed, "1")))
		regress_skip(t, "takes a CPU away from everybody: PLOAD_TEST_HOTPLUG=1 allows it");
	all_online(t);
	regress_ok(t, cpu_list_read(t->sys, "online", &list, &err), &err, "the list of CPUs");
	cpu = list.cpus[list.nr - 1];
	cpu_list_free(&list);
	if (!cpu)
		regress_skip(t, "there is only one CPU");
	if (set_online(false) || set_online(true))
		regress_skip(t, "CPUs cannot be taken offline here");
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

static void work_on(const struct firing_work *work, int which)
{
	run_on(which);
	for (int i = 0; i < UNITS; i++)
		work->unit();
	run_anywhere();
}

/* --- the kernel, and attachments --- */

/*
 * If an event counted again when its CPU is back, the one that is opened in its place would count
 * twice.
 */
static void counts_no_more(struct regress *t)
{
	const struct stress_kind *kind = &stress_kinds[STRESS_FAULTS];
	struct pollfd p = { .events = POLLIN };
	struct stress s;
	uint64_t runs;

	choose_cpu(t);
	stress_begin(t, &s, t->sys, kind, t->data, NULL);
	stress_attach(&s);
	runs = stress_runs(&s);
	work_on(s.work, cpu);
	regress_expect(t, stress_runs(&s) >= runs + UNITS, "it does not run on that CPU");
	take_away(t);
	bring_back(t);
	p.fd = s.set.list[s.set.nr - 1].event_fd;
	regress_expect(t, s.set.list[s.set.nr - 1].target.cpu == cpu, "the last event is of CPU %d",
		       s.set.list[s.set.nr - 1].target.cpu);
	poll(&p, 1, 0);
	regress_saw(t, "poll", "%s%s", p.revents & POLLHUP ? "POLLHUP" : "",
		    p.revents & POLLERR ? "POLLERR" : "");
	runs = stress_runs(&s);
	work_on(s.work, cpu);
	regress_expect(t, stress_runs(&s) - runs < UNITS, "it runs there again by itself");
	regress_saw(t, "enable", "%s", regress_errno(sys_ioctl(t->sys, p.fd,
							       PERF_EVENT_IOC_ENABLE, 0)));
	runs = stress_runs(&s);
	work_on(s.work, cpu);
	regress_expect(t, stress_runs(&s) - runs < UNITS, "it runs there when enabled again");
	runs = stress_runs(&s);
	work_on(s.work, 0);
	regress_expect(t, stress_runs(&s) >= runs + UNITS, "it does not run on other CPUs");
	stress_end(&s);
}

/*
 * A tracepoint's program is not bound to the CPU of its event: it runs on others while that CPU is
 * offline.
 */
static void traced_goes_on(struct regress *t)
{
	struct stress s;
	uint64_t runs;

	choose_cpu(t);
	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_TRACEPOINT], t->data, NULL);
	stress_attach(&s);
	for (int i = 0; i < 2; i++) {
		take_away(t);
		runs = stress_runs(&s);
		work_on(s.work, 0);
		regress_expect(t, stress_runs(&s) == runs + UNITS, "without it: %llu of %d runs",
			       (unsigned long long)(stress_runs(&s) - runs), UNITS);
		bring_back(t);
		runs = stress_runs(&s);
		work_on(s.work, cpu);
		regress_expect(t, stress_runs(&s) == runs + UNITS, "back again: %llu of %d runs",
			       (unsigned long long)(stress_runs(&s) - runs), UNITS);
	}
	stress_end(&s);
}

/* attach_cpu_gone() closes the events of that CPU alone, and they can be opened again. */
static void is_replaced(struct regress *t)
{
	struct attach_request req;
	struct error err = { 0 };
	struct stress s;
	unsigned int before;
	uint64_t runs;

	choose_cpu(t);
	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_BREAKPOINT], t->data, NULL);
	stress_attach(&s);
	before = s.set.nr;
	take_away(t);
	req = (struct attach_request){ .method = s.method, .spec = &s.spec, .scope = &s.scope,
				       .prog_fd = s.prog.prog_fd, .prog_type = s.prog.prog_type };
	regress_expect(t, attach_cpu_gone(t->sys, &req, cpu, &s.set) == 1, "not one was closed");
	regress_expect(t, s.set.nr == before - 1, "%u of %u are left", s.set.nr, before);
	bring_back(t);
	cpu_list_free(&s.scope.cpus);
	regress_expect(t, !cpu_list_add(&s.scope.cpus, cpu), "no memory");
	stress_ok(&s, attach_prog(t->sys, &req, &s.set, &err), &err, "attaching again");
	regress_ok(t, attach_enable_from(t->sys, &s.set, before - 1, &err), &err, "enable");
	runs = stress_runs(&s);
	work_on(s.work, cpu);
	work_on(s.work, 0);
	regress_expect(t, stress_runs(&s) == runs + 2 * UNITS, "%llu of %d runs",
		       (unsigned long long)(stress_runs(&s) - runs), 2 * UNITS);
	stress_end(&s);
}

static void *go_and_come(void *arg)
{
	(void)arg;
	for (int i = 0; i < ROUNDS; i++) {
		set_online(false);
		set_online(true);
	}
	return NULL;
}

/* Whenever the CPU goes offline, attaching either fails and closes all events, or succeeds. */
static void goes_while_attaching(struct regress *t)
{
	unsigned int attached = 0, refused = 0;
	struct stress s;
	pthread_t id;

	choose_cpu(t);
	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_FAULTS], t->data, NULL);
	stress_attach(&s);
	stress_close(&s);
	regress_expect(t, !pthread_create(&id, NULL, go_and_come, NULL), "no thread");
	while (pthread_tryjoin_np(id, NULL) == EBUSY) {
		struct error err = { 0 };
		const int ret = stress_try_attach(&s, &err);

		regress_expect(t, ret >= 0 || ret == -ENODEV, "attaching: %s: %s",
			       regress_errno(ret), err.what);
		attached += ret >= 0;
		refused += ret < 0;
		stress_close(&s);
		error_clear(&err);
	}
	regress_note(t, "attached %u times, and %u times not", attached, refused);
	bring_back(t);
	stress_attach(&s);
	stress_end(&s);
}

static void offline_is_refused(struct regress *t)
{
	char text[16];
	const struct event_scope_options asked = { .cpus = text };
	struct event_scope scope;
	struct error err = { 0 };
	int ret;

	choose_cpu(t);
	snprintf(text, sizeof(text), "%d", cpu);
	take_away(t);
	ret = event_scope_init(t->sys, &scope, &asked, &err);
	bring_back(t);
	regress_expect(t, ret == -ENODEV && err.reason &&
		       !strcmp(err.reason, "scope/offline-cpu"), "-C of an offline CPU: %s",
		       regress_errno(ret));
}

/* --- sessions --- */

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
	{ "of one CPU", "--attach=ioctl -C %cpu", "recorded", true, true, false },
	{ "of a cgroup", "--attach=ioctl -G %cgroup", "recorded", true, true, true },
	{ "of a process", "--attach=ioctl -p %pid", "recorded", false, true, true },
	{ "of a process on one CPU", "--attach=ioctl -p %pid -C %cpu", "recorded", false, true,
	  false },
	{ "begun while it was offline", "--attach=ioctl", "recorded", true, false, true },
};

struct scene {
	struct regress *t;
	const struct row *row;
	struct own_dir bpffs;
	struct session_child s;
	char name[16];
	int note_fds[2], object_fd;
};

static void write_on(void *which)
{
	struct event_spec spec = { .kind = EVENT_BREAKPOINT,
				   .breakpoint = { .type = HW_BREAKPOINT_W,
						   .addr = (uintptr_t)&firing_watched } };

	work_on(firing_work_find(&spec), *(int *)which);
}

static void expect_runs(struct scene *sc, int which, const char *when)
{
	const uint64_t before = session_runs(&sc->s);
	uint64_t runs;

	write_on(&which);
	runs = session_runs(&sc->s) - before;
	regress_expect(sc->t, runs == UNITS, "%s, on CPU %d: %llu of %d runs", when, which,
		       (unsigned long long)runs, UNITS);
}

/* Reads notes until one has the text; if none comes, the test fails. */
static void hear(struct scene *sc, const char *fmt)
{
	struct pollfd p = { .fd = sc->note_fds[0], .events = POLLIN };
	char line[1024], text[64];
	size_t len = 0;

	snprintf(text, sizeof(text), fmt, cpu);
	while (poll(&p, 1, SESSION_PATIENCE_MS) > 0 && read(p.fd, line + len, 1) == 1) {
		if (line[len] != '\n' && len < sizeof(line) - 2) {
			len++;
			continue;
		}
		line[len] = '\0';
		if (strstr(line, text))
			return;
		regress_note(sc->t, "%s", line);
		len = 0;
	}
	regress_fail(sc->t, "it does not say '%s...'", text);
}

/* Copies @text, and replaces %cpu, %pid and so on. */
static void fill_in(const struct scene *sc, const char *text, char *out, size_t size)
{
	size_t len = 0;

	while (*text && len < size - 48) {
		if (!strncmp(text, "%cpu", 4))
			len += sprintf(out + len, "%d", cpu), text += 4;
		else if (!strncmp(text, "%pid", 4))
			len += sprintf(out + len, "%d", getpid()), text += 4;
		else if (!strncmp(text, "%cgroup", 7))
			len += sprintf(out + len, "/sys/fs/cgroup"), text += 7;
		else if (!strncmp(text, "%dir", 4))
			len += sprintf(out + len, "%s", sc->bpffs.dir), text += 4;
		else
			out[len++] = *text++;
	}
	out[len] = '\0';
}

static bool with_rings(const struct scene *sc)
{
	return strcmp(sc->row->prog, "counted");
}

static void refused(struct scene *sc)
{
	char *said = session_end(&sc->s);

	set_online(true);
	command_refused(sc->t, said);
}

/* Starts a session that waits, and checks that it counts where it should. */
static void begin(struct regress *t, struct scene *sc, const struct row *row)
{
	char args[512], more[128];
	int zero = 0;

	choose_cpu(t);
	*sc = (struct scene){ .t = t, .row = row };
	own_dir_make(t, &sc->bpffs, "bpf");
	sc->object_fd = command_use(t, "scope");
	command_name(sc->name);
	regress_expect(t, !pipe(sc->note_fds), "pipe: %s", strerror(errno));
	command_note_fd = sc->note_fds[1];
	if (!row->at_first)
		take_away(t);
	fill_in(sc, row->args, more, sizeof(more));
	snprintf(args, sizeof(args),
		 "%s --set=wanted=%s --prog=%s -e mem:%p/8:w %s --format=json OBJ", more, sc->name,
		 row->prog, (void *)&firing_watched, with_rings(sc) ? "--record=record" : "");
	session_begin(&sc->s, sc->bpffs.dir, args, NULL);
	if (row->elsewhere && !session_counts(&sc->s, write_on, &zero, UNITS))
		refused(sc);
	if (row->at_first && !session_counts(&sc->s, write_on, &cpu, UNITS))
		refused(sc);
}

static void end(struct scene *sc)
{
	command_note_fd = -1;
	close(sc->note_fds[0]);
	close(sc->note_fds[1]);
	close(sc->object_fd);
	if (sc->s.map_fd >= 0)
		close(sc->s.map_fd);
	own_dir_end(&sc->bpffs);
}

static void goes(struct scene *sc)
{
	take_away(sc->t);
	if (sc->row->noted || with_rings(sc))
		hear(sc, "CPU %d is offline: ");
	if (sc->row->elsewhere)
		expect_runs(sc, 0, "while it is offline");
}

static void comes(struct scene *sc)
{
	bring_back(sc->t);
	if (sc->row->noted || with_rings(sc))
		hear(sc, "CPU %d is online: ");
	expect_runs(sc, cpu, "when it is back");
	if (sc->row->elsewhere)
		expect_runs(sc, 0, "when it is back");
}

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void session_goes_on(struct regress *t)
{
	struct scene sc;
	uint64_t counted, told;
	const char *lost, *left_out;
	unsigned int records;
	char *out;

	begin(t, &sc, t->data);
	if (sc.row->at_first)
		goes(&sc);
	comes(&sc);
	goes(&sc);
	comes(&sc);
	counted = session_runs(&sc.s);
	out = session_end(&sc.s);
	left_out = strstr(out, "\"skipped_cpus\":");
	lost = strstr(out, "\"lost\":");
	regress_expect(t, lost && left_out, "the session ended without a summary");
	regress_expect(t, !strncmp(left_out, "\"skipped_cpus\":[]", 17),
		       "CPUs are left out in the end: %.32s", left_out);
	/* On a slow machine a ring may get full, and the lost records are then counted. */
	records = occurrences(out, "\"type\":\"record\"");
	told = strtoull(lost + strlen("\"lost\":"), NULL, 10);
	regress_expect(t, !with_rings(&sc) || (records && records + told == counted),
		       "%u records and %llu lost of %llu runs", records, (unsigned long long)told,
		       (unsigned long long)counted);
	free(out);
	end(&sc);
}

/*
 * When the CPU is back, pload pins a new link in place of the old one, and that stays when pload is
 * killed.
 */
static void pinned_goes_on(struct regress *t)
{
	static const struct row row = { "pinned", "--attach=link --pin=%dir/x", "counted", true,
					true, true };
	struct command_said said;
	struct scene sc;
	int status;

	begin(t, &sc, &row);
	goes(&sc);
	comes(&sc);
	kill(sc.s.pid, SIGKILL);
	waitpid(sc.s.pid, &status, 0);
	sc.s.pid = -1;
	expect_runs(&sc, cpu, "after SIGKILL");
	free(session_end(&sc.s));
	said = command_say("pin remove %s/x", sc.bpffs.dir);
	command_ok(t, &said);
	command_forget(&said);
	end(&sc);
}

static void fill(struct regress_list *list)
{
	static const char *const methods[] = { "ioctl", "link" };

	for (size_t i = 0; i < NR(methods); i++) {
		regress_add(list, counts_no_more, methods[i], "by %s, an event of a CPU that went "
			    "counts no more when that is back, also if enabled again", methods[i]);
		regress_add(list, traced_goes_on, methods[i], "by %s, a tracepoint goes on without "
			    "its CPU and with it", methods[i]);
		regress_add(list, is_replaced, methods[i], "by %s, what is of a CPU that went is "
			    "closed, and opened again when it is back", methods[i]);
		regress_add(list, goes_while_attaching, methods[i], "by %s, a CPU goes while it is "
			    "attached to each", methods[i]);
	}
	regress_add(list, offline_is_refused, NULL, "a CPU that is offline is refused by name");
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, session_goes_on, &rows[i], "a session %s goes on where a CPU "
			    "goes and comes, each happening counted once", rows[i].what);
	regress_add(list, pinned_goes_on, NULL, "pinned, it is the new link of a CPU that stays");
}

const struct regress_group regress_group_hotplug = {
	"hotplug", "CPUs that go offline and come back", NULL, fill, __FILE__
};
