// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers about the time, the CPU, and the task in which the program runs. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/groups/helpers/helper_run.h"

static void said(struct regress *t, const struct helper_run *h, unsigned int nr, uint64_t want)
{
	regress_expect(t, h->io.out[nr] == want, "value %u is 0x%llx, not 0x%llx", nr,
		       (unsigned long long)h->io.out[nr], (unsigned long long)want);
}

/* --- times --- */

struct a_clock {
	struct helper helper;
	clockid_t id;
};

static const struct a_clock monotonic = { { "ktime_get_ns", "helpers" }, CLOCK_MONOTONIC };
static const struct a_clock boot = { { "ktime_get_boot_ns", "helpers" }, CLOCK_BOOTTIME };

static uint64_t now(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static void clock_is(struct regress *t)
{
	const struct a_clock *clock = t->data;
	uint64_t before, after;
	struct helper_run h;

	helper_begin(t, &h, &clock->helper);
	before = now(clock->id);
	helper_fire(t, &h);
	after = now(clock->id);
	regress_expect(t, before <= h.io.out[0] && h.io.out[0] <= h.io.out[1] &&
			  h.io.out[1] <= after,
		       "%llu, then %llu, between %llu and %llu", (unsigned long long)h.io.out[0],
		       (unsigned long long)h.io.out[1], (unsigned long long)before,
		       (unsigned long long)after);
	helper_end(t, &h);
}

/* A jiffy is 10 ms at most: the counter advances from one run to a later one. */
static void jiffies(struct regress *t, struct helper_run *h)
{
	const struct timespec pause = { 0, 20000000 };
	uint64_t before;

	helper_fire(t, h);
	before = h->io.out[0];
	regress_expect(t, before && h->io.out[1] >= before, "it is 0, or goes backwards");
	for (unsigned int i = 0; i < 50 && h->io.out[0] == before; i++) {
		nanosleep(&pause, NULL);
		helper_fire(t, h);
	}
	regress_expect(t, h->io.out[0] > before, "it stands still");
}

/* --- numbers --- */

static void cpu(struct regress *t, struct helper_run *h)
{
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof(all), &all);
	for (unsigned int i = 0; i < CPU_SETSIZE && h->next < 4; i++) {
		if (!CPU_ISSET(i, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(i, &one);
		regress_expect(t, !sched_setaffinity(0, sizeof(one), &one), "CPU %u is not ours",
			       i);
		helper_fire(t, h);
		said(t, h, 0, i);
	}
}

static void node(struct regress *t, struct helper_run *h)
{
	unsigned int of_cpu, number;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	regress_expect(t, !sched_setaffinity(0, sizeof(one), &one), "this CPU is not ours");
	getcpu(&of_cpu, &number);
	helper_fire(t, h);
	said(t, h, 0, number);
}

static void random_numbers(struct regress *t, struct helper_run *h)
{
	unsigned int same = 0;

	helper_fire(t, h);
	for (unsigned int i = 0; i < 8; i++) {
		regress_expect(t, h->io.out[i] <= UINT32_MAX, "the number exceeds 32 bits");
		same += h->io.out[i] == h->io.out[0];
	}
	regress_expect(t, same < 8, "eight times the same number");
}

/* --- the identity of the task --- */

static bool is_first(const char *file, unsigned int inode)
{
	struct stat st;

	return stat(file, &st) == 0 && (unsigned int)st.st_ino == inode;
}

/* include/linux/proc_ns.h: numbers of the first namespaces. */
static void pid_tgid(struct regress *t, struct helper_run *h)
{
	if (!is_first("/proc/self/ns/pid", 0xeffffffc))
		regress_skip(t, "this process has other numbers where it is numbered first");
	helper_fire(t, h);
	said(t, h, 0, (uint64_t)getpid() << 32 | (unsigned int)gettid());
}

static void ns_pid_tgid(struct regress *t, struct helper_run *h)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		regress_skip(t, "/proc/self/ns/pid: %s", strerror(errno));
	h->io.in[0] = st.st_dev;
	h->io.in[1] = st.st_ino;
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	said(t, h, 0, gettid());
	said(t, h, 1, getpid());
	helper_returned(t, h, 1, -EINVAL);
	said(t, h, 2, 0);
}

static void uid_gid(struct regress *t, struct helper_run *h)
{
	if (!is_first("/proc/self/ns/user", 0xeffffffd))
		regress_skip(t, "users have other numbers where they are numbered first");
	helper_fire(t, h);
	said(t, h, 0, (uint64_t)getgid() << 32 | getuid());
}

static void comm(struct regress *t, struct helper_run *h)
{
	prctl(PR_SET_NAME, "some-name");
	memset(h->io.text, 'x', 16);
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	regress_saw(t, "behind its NUL", "%s", h->io.text[15] ? "as it was" : "0");
	regress_expect(t, !strcmp(h->io.text, "some-name"), "it is '%.16s'", h->io.text);
	helper_returned(t, h, 1, 0);
	regress_expect(t, !memcmp(&h->io.text[16], "som", 4), "cut to 4 bytes it is '%.4s'",
		       &h->io.text[16]);
}

static void task(struct regress *t)
{
	const struct helper *helper = t->data;
	struct helper_run h;

	helper_begin(t, &h, helper);
	helper_fire(t, &h);
	regress_expect(t, h.io.out[0] != 0, "it is NULL");
	said(t, &h, 1, h.io.out[0]);
	helper_end(t, &h);
}

static void registers(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	said(t, h, 0, h->io.out[1]);
}

static void task_stack(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	regress_expect(t, h->io.ret[0] > 0 && h->io.ret[0] % 8 == 0, "%lld: %s",
		       (long long)h->io.ret[0], regress_errno(h->io.ret[0]));
	regress_expect(t, h->io.out[0] != 0, "the first function of the kernel is at 0");
	helper_returned(t, h, 1, -EINVAL);
}

/* --- signals --- */

static volatile sig_atomic_t received;

static void receive(int signo)
{
	(void)signo;
	received++;
}

static bool was_received(void *arg)
{
	(void)arg;
	return received;
}

static void signals(struct regress *t)
{
	const struct helper *helper = t->data;
	struct helper_run h;

	signal(SIGUSR1, receive);
	helper_begin(t, &h, helper);
	h.io.in[0] = SIGUSR1;
	helper_fire(t, &h);
	helper_returned(t, &h, 0, 0);
	helper_returned(t, &h, 1, -EINVAL);
	regress_expect(t, regress_until(was_received, NULL), "no signal has come");
	regress_expect(t, received == 1, "%d signals have come", (int)received);
	helper_end(t, &h);
}

static const struct helper send_signal = { "send_signal", "helpers" };
static const struct helper send_thread = { "send_signal_thread", "helpers" };
static const struct helper current_task = { "get_current_task", "helpers" };
static const struct helper current_btf = { "get_current_task_btf", "helpers" };

static const struct regress_test tests[] = {
	{ "bpf_ktime_get_ns is CLOCK_MONOTONIC", clock_is, &monotonic },
	{ "bpf_ktime_get_boot_ns is CLOCK_BOOTTIME", clock_is, &boot },
	{ "bpf_jiffies64 goes on", HELPER_TEST("jiffies64", "helpers", jiffies) },
	{ "bpf_get_smp_processor_id is the CPU the thread is bound to",
	  HELPER_TEST("get_smp_processor_id", "helpers", cpu) },
	{ "bpf_get_numa_node_id is the node of that CPU",
	  HELPER_TEST("get_numa_node_id", "helpers", node) },
	{ "bpf_get_prandom_u32 differs",
	  HELPER_TEST("get_prandom_u32", "helpers", random_numbers) },
	{ "bpf_get_current_pid_tgid is this thread of this process",
	  HELPER_TEST("get_current_pid_tgid", "helpers", pid_tgid) },
	{ "bpf_get_ns_current_pid_tgid: in its namespace; of another it is EINVAL, and zeroed",
	  HELPER_TEST("get_ns_current_pid_tgid", "helpers", ns_pid_tgid) },
	{ "bpf_get_current_uid_gid is this user and group",
	  HELPER_TEST("get_current_uid_gid", "helpers", uid_gid) },
	{ "bpf_get_current_comm is the thread's name, cut with its NUL",
	  HELPER_TEST("get_current_comm", "helpers", comm) },
	{ "bpf_get_current_task is not NULL, and the same again", task, &current_task },
	{ "bpf_get_current_task_btf is bpf_get_current_task", task, &current_btf },
	{ "bpf_task_pt_regs are those of the fault in user space",
	  HELPER_TEST("task_pt_regs", "helpers", registers) },
	{ "bpf_get_task_stack is the kernel's stack; unknown flags are EINVAL",
	  HELPER_TEST("get_task_stack", "helpers", task_stack) },
	{ "bpf_send_signal is received once; no signal is EINVAL", signals, &send_signal },
	{ "bpf_send_signal_thread is received once; no signal is EINVAL", signals, &send_thread },
	{ 0 }
};

const struct regress_group regress_group_helpers_task = {
	"helpers_task", "what helpers say of the time, the CPU and the task", tests, NULL, __FILE__
};
