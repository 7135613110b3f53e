// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests that end in every possible way, with which test/cli/regress.sh tests the harness. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "loader/core/sys/sys.h"
#include "test/regress/harness/parts.h"
#include "test/regress/self/self.h"

const char *self_file(const char *name)
{
	static char path[4096];
	const char *dir = getenv("SELF_DIR");

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "/nonexistent", name);
	return path;
}

const char regress_ids[] = "self.ids";
const char *const regress_exclusive[] = { "exclusive/*", NULL };
const char *const regress_quick[] = { "good/passes", "bad/fails", NULL };
const char *const regress_loader[] = { "bad/expects", NULL };
const char *const regress_abi[] = { "raise", "no_such" "_name", NULL };
const char *const regress_areas[] = { "first", "first", "second", "second", "second", "second",
				      "second", "second", "loader", "second", "third", "third",
				      NULL };
const struct regress_need regress_needs[] = {
	{ "CONFIG_FIRST", "*" }, { "CONFIG_SECOND", "@(bad|good)/@(passes|fails)" },
	{ "CONFIG_UNUSED", "no_group/*" }, { NULL, NULL },
};

const struct regress_freedom regress_may_differ[] = {
	{ "bad/answers", "nobody documents it" }, { "bad/crashes", "nobody documents that, either" }, { NULL, NULL },
};

const uint64_t regress_patience_ns = 2 * UINT64_C(1000000000);
const uint64_t regress_late_ns = 6 * UINT64_C(1000000000);

const char *regress_kmsg(void)
{
	return self_file("kmsg");
}

/* --- those that pass --- */

static void pass(struct regress *t)
{
	regress_note(t, "a note of '%s'", (const char *)t->data);
}

static void see(struct regress *t)
{
	regress_saw(t, "", "plain");
	regress_saw(t, "a key: with a colon", "a # value: with one");
	regress_saw(t, "kernel", "%s", getenv("SELF_KERNEL") ? getenv("SELF_KERNEL") : "old");
}

static const struct regress_test good[] = {
	{ "passes", pass, "one", 0 },
	{ "number #2 of: them # SKIP not at all", pass, "two", 0 },
	{ "sees", see, NULL, 0 },
	{ 0 }
};

static const struct regress_group self_good = { "good", "what passes", good, NULL, __FILE__ };

/* --- those that are skipped --- */

static void skip(struct regress *t)
{
	regress_skip(t, "%s", (const char *)t->data);
}

static const struct regress_test skipped[] = {
	{ "the first", skip, "no such machine", 0 },
	{ "the second", skip, "no such machine", 0 },
	{ 0 }
};

static const struct regress_test mixed[] = {
	{ "the first", skip, "no such machine", 0 },
	{ "the second", skip, "no such\nkernel # at all", 0 },
	{ 0 }
};

static const struct regress_group self_skipped = {
	"skipped", "one cause", skipped, NULL, __FILE__
};
static const struct regress_group self_mixed = { "mixed", "two causes", mixed, NULL, __FILE__ };

/* --- those that fail --- */

static void fail(struct regress *t)
{
	regress_note(t, "seen before");
	regress_fail(t, "it is %d", 7);
}

static void expect(struct regress *t)
{
	regress_expect(t, true, "not this");
	regress_expect(t, false, "wanted %s", "more");
}

static void answer(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOENT|EPERM" },
						     { LINUX(255, 0), "EEXIST" } };

	regress_answer(t, "first", "EPERM", rows, NR(rows));
	regress_answer(t, "second", "EEXIST", rows, NR(rows));
}

static void crash(struct regress *t)
{
	(void)t;
	signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own */
	raise(SIGSEGV);
}

static void be_illegal(struct regress *t)
{
	(void)t;
#ifdef __x86_64__
	__asm__ volatile("ud2");
#else
	__asm__ volatile(".long 0");
#endif
}

static void hang(struct regress *t)
{
	FILE *file = fopen(self_file("hangs"), "ae");

	regress_expect(t, file, "no file");
	fclose(file);
	for (;;)
		pause();
}

static void say_nothing(struct regress *t)
{
	(void)t;
	exit(0);
}

static void end_badly(void)
{
	_exit(3);
}

static void fail_late(struct regress *t)
{
	(void)t;
	atexit(end_badly);
}

static void print(struct regress *t)
{
	puts("not ok 1 of a child\n1..99\nKTAP version 1");
	fputs("ok 1 \033[31mred\n", stderr);
	if (t->data)
		regress_fail(t, "it has printed");
}

static void print_much(struct regress *t)
{
	for (int i = 0; i < 100000; i++)
		puts("more than anybody wants to read");
	regress_fail(t, "it has printed");
}

static const struct regress_test bad[] = {
	{ "fails", fail, NULL, 0 },
	{ "expects", expect, NULL, 0 },
	{ "answers", answer, NULL, 0 },
	{ "crashes", crash, NULL, 0 },
	{ "hangs", hang, NULL, 1 },
	{ "ends without a word", say_nothing, NULL, 0 },
	{ "fails late", fail_late, NULL, 0 },
	{ "prints", print, "", 0 },
	{ "is illegal", be_illegal, NULL, 0 },
	{ 0 }
};

static const struct regress_group self_bad = { "bad", "what fails", bad, NULL, __FILE__ };

static volatile long watched;

/* @sys: the seam, or NULL for a system call that it does not see, as one of another program. */
static int open_breakpoint(struct sys *sys)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W,
		.bp_addr = (unsigned long)&watched, .bp_len = sizeof(watched), .sample_period = 1,
	};

	return sys_perf_event_open(sys ? sys : sys_linux(), &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Takes all debug registers of this thread, fails to get one more, and releases them. */
static void take_breakpoints(struct regress *t)
{
	struct sys *sys = t->data ? t->sys : NULL;
	int fds[64], nr = 0, ret = 0;

	while (nr < 64 && (ret = open_breakpoint(sys)) >= 0)
		fds[nr++] = ret;
	ret = open_breakpoint(t->sys);
	for (int i = 0; i < nr; i++)
		sys_close(sys ? sys : sys_linux(), fds[i]);
	regress_fail(t, "%s after %d", regress_errno(ret), nr);
}

static const struct regress_test loud[] = {
	{ "prints and passes", print, NULL, 0 },
	{ "prints too much", print_much, NULL, 0 },
	{ "hangs for long", hang, NULL, 0 },
	{ "crashes at a breakpoint", crash, NULL, 0 },
	{ "lacks registers that others held for a moment", take_breakpoints, NULL, 0 },
	{ "lacks registers that it holds itself", take_breakpoints, "", 0 },
	{ 0 }
};

static const struct regress_group self_loud = {
	"loud", "what is asked for by name", loud, NULL, __FILE__
};

/* --- many rounds: a file has a letter for each --- */

static void every_second(struct regress *t)
{
	FILE *file = fopen(self_file("rounds"), "a+e");
	long rounds;

	regress_expect(t, file && fseek(file, 0, SEEK_END) == 0, "no file");
	rounds = ftell(file);
	fputc('x', file);
	fclose(file);
	regress_expect(t, rounds % 2 == 0, "in round %ld", rounds + 1);
}

/* The memory that a list shares is zeroed at the beginning of each round. */
static void count_share(struct regress *t)
{
	unsigned int *count = t->room;

	regress_expect(t, count && *count == 0, "the room is not new");
	(*count)++;
}

static void count_more(struct regress *t)
{
	unsigned int *count = t->room;

	regress_expect(t, *count <= 1, "the room has %u", *count);
}

static void fill(struct regress_list *list)
{
	regress_share(list, sizeof(unsigned int));
	regress_add(list, every_second, NULL, "fails every %s time", "second");
	regress_add(list, count_share, NULL, "shares");
	for (int i = 0; i < 6; i++)
		regress_add(list, count_more, NULL, "shares, %d", i);
}

static const struct regress_group self_rounds = {
	"rounds", "what is repeated", NULL, fill, __FILE__
};

/* --- facts that do not hold, and tests that rest on them --- */

static void state_ioctl(struct regress *t)
{
	regress_states(t, REGRESS_FACT_IOCTL);
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
	regress_fail(t, "nothing runs");
}

static void state_link(struct regress *t)
{
	regress_states(t, REGRESS_FACT_LINK);
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
	regress_fail(t, "nothing runs, either");
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

static void rest(struct regress *t)
{
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
	regress_expect(t, regress_until(never, NULL), "it never came");
}

/* Its result is that of the measurement, which another test has made. */
static void rest_on_shared(struct regress *t)
{
	regress_fail(t, "it has measured nothing");
}

static void hang_after_use(struct regress *t)
{
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
	pause();
}

static void crash_after_use(struct regress *t)
{
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
	raise(SIGKILL);
}

static void pass_after_use(struct regress *t)
{
	sys_ioctl(t->sys, -1, PERF_EVENT_IOC_SET_BPF, 0);
}

/* The call is one of a session, which a test runs by regress_session_sys(). */
static void rest_on_session(struct regress *t)
{
	sys_ioctl(regress_session_sys(), -1, PERF_EVENT_IOC_SET_BPF, 0);
	regress_fail(t, "the session counts nothing");
}

static void fill_facts(struct regress_list *list)
{
	regress_add(list, state_ioctl, NULL, "states");
	regress_add(list, state_link, NULL, "states another, and rests");
	regress_add(list, rest, NULL, "waits, after");
	regress_add(list, hang_after_use, NULL, "hangs");
	regress_add(list, crash_after_use, NULL, "crashes");
	regress_add(list, pass_after_use, NULL, "passes");
	regress_add(list, rest_on_shared, NULL, "uses nothing");
	regress_add(list, rest_on_session, NULL, "runs a session");
}

static const struct regress_group self_facts = {
	"facts", "facts that do not hold", NULL, fill_facts, __FILE__
};

static void fill_shared(struct regress_list *list)
{
	regress_share(list, 1);
	regress_add(list, rest, NULL, "measures");
	regress_add(list, rest_on_shared, NULL, "looks at what was measured");
}

static const struct regress_group self_shared = {
	"shared", "tests of one measurement", NULL, fill_shared, __FILE__
};

/* --- the kernel's messages: test/cli/regress.sh gives us a file for them --- */

static void kernel_says(struct regress *t)
{
	FILE *file = fopen(self_file("kmsg"), "ae");

	if (!file)
		regress_skip(t, "no file for messages");
	fprintf(file, "%s\n", (const char *)t->data);
	fclose(file);
}

/* A warning as x86 prints it, in the process of the test, or in process 1, which is not ours. */
static void kernel_says_whose(struct regress *t)
{
	const char *line = t->data;
	const bool ours = line[0] == '.';
	char text[1024];

	snprintf(text, sizeof(text),
		 "4,8,80,-;WARNING: CPU: 1 PID: 2 at fs/x.c:3 y+0x4/0x5\n"
		 "4,9,90,-;CPU: 1 UID: 0 PID: %d Comm: x Not tainted 6.18.0\n"
		 "4,10,90,-;Call Trace:\n4,11,90,-;%s\n4,12,90,-; </TASK>\n"
		 "4,13,90,-;---[ end trace 0000000000000000 ]---",
		 ours ? getpid() : 1, line + ours);
	t->data = text;
	kernel_says(t);
}

static const struct regress_test said[] = {
	{ "a warning", kernel_says,
	  "4,7,70,-;------------[ cut here ]------------\n"
	  "4,8,80,-;WARNING: CPU: 1 PID: 2 at kernel/x.c:3 y+0x4/0x5\n SUBSYSTEM=x\n"
	  "4,9,90,-;Call Trace:", 0 },
	{ "a warning that is known", kernel_says,
	  "4,8,80,-;WARNING: CPU: 1 PID: 2 at fs/x.c:3 ext4_check_map_extents_env+0x4/0x5", 0 },
	{ "a stall", kernel_says, "3,8,80,-;rcu: INFO: rcu_preempt self-detected stall on CPU", 0 },
	{ "an expedited stall", kernel_says,
	  "3,8,80,-;rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }", 0 },
	{ "what a process has written", kernel_says, "12,8,80,-;WARNING: CPU: 1 PID: 2", 0 },
	{ "a warning in our process", kernel_says_whose, ". <TASK>", 0 },
	{ "a warning in a process of others", kernel_says_whose, " <TASK>", 0 },
	{ "... in an interrupt", kernel_says_whose, " <IRQ>\n4,11,90,-; <TASK>", 0 },
	{ "... of BPF", kernel_says_whose, " <TASK>\n4,11,90,-; bpf_prog_free+0x1/0x2", 0 },
	{ "... and no context is printed", kernel_says_whose, " y+0x4/0x5", 0 },
	{ "what only looks like it", kernel_says,
	  "6,8,80,-;x: DEBUG: no WARNING: of ours\n"
	  "4,9,90,-;clocksource: timekeeping watchdog on CPU0: hpet wd-wd read-back delay of 2ns\n"
	  "4,9,90,-;perf: interrupt took too long (3 > 2), lowering", 0 },
	{ 0 }
};

static const struct regress_group self_said = {
	"said", "what the kernel says", said, NULL, __FILE__
};

/* --- things that exist only once: a file has a line for each begin and each end --- */

static void use_alone(struct regress *t)
{
	FILE *file = fopen(self_file("exclusive"), "ae");

	regress_expect(t, file && !setvbuf(file, NULL, _IOLBF, 0), "no file");
	fputs("begin\n", file);
	usleep(300000);
	fputs("end\n", file);
	fclose(file);
}

static const struct regress_test exclusive[] = {
	{ "one at a time", use_alone, NULL, 0 },
	{ 0 }
};

static const struct regress_group self_exclusive = {
	"exclusive", "what a kernel has once", exclusive, NULL, __FILE__
};

const struct regress_group *const regress_groups[] = { &self_good, &self_skipped, &self_mixed,
	&self_bad, &self_loud, &self_rounds, &self_said, &self_leaves, &self_exclusive,
	&self_late, &self_facts, &self_shared, NULL };
