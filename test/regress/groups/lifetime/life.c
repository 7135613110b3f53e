// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lifetimes: a session is pinned, killed, taken up again, and ended; after each step the test
 * triggers events and checks whether they are counted. The bpffs is seen by no other process, and
 * ends with the test.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/lifetime/life.h"

/* --- a session that is pinned --- */

static void counts_on(struct regress *t)
{
	struct life_counted c;
	struct life l;

	life_begin(t, &l, t->data);
	life_pin(t, &l);
	life_counting(t, &l, "after SIGKILL");
	c = life_counts(t, &l);
	if (l.with_cookie)
		regress_expect(t, c.cookie == BOUND_COOKIE, "its cookie is 0x%" PRIx64, c.cookie);
	life_end(&l);
}

/*
 * A kernel reports the location of a link since Linux 6.6 (1b715e1b0ec5), and its cookie since 6.9
 * (d5c16492c66f).
 */
static void is_shown(struct regress *t)
{
	static const struct regress_since where[] = {
		{ LINUX(0, 0), "not told" }, { LINUX(6, 6), "told" },
	}, cookie[] = {
		{ LINUX(0, 0), "not told" }, { LINUX(6, 9), "told" },
	};
	struct command_said s;
	const char *line;
	struct life l;
	char text[64];

	life_begin(t, &l, t->data);
	life_pin(t, &l);
	s = command_say("show links --format=json");
	command_ok(t, &s);
	line = strstr(s.out, l.kind->pin);
	regress_expect(t, line, "it does not show the link");
	while (line > s.out && line[-1] != '\n')	/* the line that has the pin */
		line--;
	*strchrnul(line, '\n') = '\0';
	snprintf(text, sizeof(text), "\"cookie\":%" PRIu64, BOUND_COOKIE);
	regress_note(t, "%s", line);
	regress_answer(t, "where", strstr(line, l.kind->where) ? "told" : "not told", where,
		       NR(where));
	regress_answer(t, "cookie", strstr(line, text) ? "told" : "not told", cookie, NR(cookie));
	command_forget(&s);
	life_end(&l);
}

static void is_adopted(struct regress *t)
{
	struct command_said s;
	struct life l;
	char text[64];

	life_begin(t, &l, t->data);
	life_pin(t, &l);
	for (int i = 0; i < LIFE_UNITS; i++)
		l.work();
	/* Page faults and switches of our own are counted, too. */
	snprintf(text, sizeof(text), "\"runs\":%s", "");
	if (l.kind->exact)
		snprintf(text, sizeof(text), "\"runs\":%" PRIu64 ",", life_counts(t, &l).runs);
	s = command_say("pin adopt -d 0 --format=json %s", l.dir);
	command_ok(t, &s);
	regress_expect(t, strstr(s.out, "\"map\":\"counts\"") && strstr(s.out, text),
		       "pin adopt does not say %s but %s", text, s.out);
	command_forget(&s);
	life_counting(t, &l, "after who adopted it has ended");
	life_end(&l);
}

static void is_detached(struct regress *t)
{
	struct command_said s;
	struct life l;
	uint64_t runs;

	life_begin(t, &l, t->data);
	life_pin(t, &l);
	s = command_say("pin remove %s --format=json", l.dir);
	command_ok(t, &s);
	regress_expect(t, strstr(s.out, "\"left\":[]"), "pin remove says %s", s.out);
	command_forget(&s);
	runs = life_during(t, &l);
	regress_expect(t, !runs, "%" PRIu64 " runs for %d times after detach", runs, LIFE_UNITS);
	s = command_say("show links --format=json");
	command_ok(t, &s);
	regress_expect(t, !strstr(s.out, l.dir), "show knows a pin: %s", s.out);
	command_forget(&s);
	regress_expect(t, access(l.dir, F_OK) && errno == ENOENT, "its directory is left");
	life_end(&l);
}

/* Unpinning ends nothing as long as a process has a descriptor of the link. */
static void is_held(struct regress *t)
{
	struct life l;
	char path[128];
	int link_fd, status;
	pid_t pid;

	life_begin(t, &l, t->data);
	life_pin(t, &l);
	snprintf(path, sizeof(path), "%s/links/%s", l.dir, l.kind->prog);
	link_fd = regress_ok(t, kernel_obj_get(t->sys, path), NULL, path);
	pid = fork();	/* since a process does not look at itself */
	if (!pid) {
		struct command_said s;

		close(link_fd);
		s = command_say("pin remove %s", l.dir);
		_exit(s.ret != 1 || !strstr(s.out, "remains: it is held by"));
	}
	waitpid(pid, &status, 0);
	regress_expect(t, status == 0, "pin remove does not say who holds it");
	life_counting(t, &l, "without a pin");
	close(link_fd);
	life_ended(t, &l);
	life_end(&l);
}

static const struct life_unpinned
	faults_by_link = { LIFE_FAULTS, "link", NULL },
	faults_by_ioctl = { LIFE_FAULTS, "ioctl", NULL },
	traced_by_ioctl = { LIFE_TRACEPOINT, "ioctl",
			    "\"fd_type\":\"BPF_FD_TYPE_TRACEPOINT\",\"where\":\"sched_switch\"" },
	break_by_ioctl = { LIFE_BREAKPOINT, "ioctl", "\"what\":\"programs of events\"" };

static const struct regress_test tests[] = {
	{ "page-faults by link, not pinned: SIGKILL ends it", life_test_ends, &faults_by_link, 0 },
	{ "page-faults by ioctl: SIGKILL ends it", life_test_ends, &faults_by_ioctl, 0 },
	{ "tracepoint by ioctl: SIGKILL ends it", life_test_ends, &traced_by_ioctl, 0 },
	{ "tracepoint by ioctl: show says who has it and where", life_test_seen, &traced_by_ioctl, 0 },
	{ "breakpoint by ioctl: show says that there are programs of events", life_test_seen,
	  &break_by_ioctl, 0 },
	{ "tracepoint, unpinned: goes on while its link is held", is_held,
	  &life_kinds[LIFE_TRACEPOINT], 0 },
	{ "ring buffer: keeps records for who adopts it, each of them once", life_test_ringbuf, NULL, 0 },
	{ "perf ring: ends with its reader, and who adopts it opens another", life_test_perf_ring, NULL,
	  0 },
	{ 0 }
};

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < LIFE_NR_KINDS; i++) {
		regress_add(list, counts_on, &life_kinds[i], "%s, pinned: counts on after SIGKILL",
			    life_kinds[i].what);
		regress_add(list, is_shown, &life_kinds[i], "%s, pinned: show says where, and its cookie",
			    life_kinds[i].what);
		regress_add(list, is_adopted, &life_kinds[i], "%s, pinned: adopt goes on with it",
			    life_kinds[i].what);
		regress_add(list, is_detached, &life_kinds[i],
			    "%s, pinned: detach ends it, and nothing is left", life_kinds[i].what);
	}
}

const struct regress_group regress_group_life = {
	"life", "what outlives what: sessions that are pinned, killed, adopted and detached", tests,
	fill, __FILE__
};
