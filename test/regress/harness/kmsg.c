// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The reader of /dev/kmsg. Each read returns a record (Documentation/ABI/testing/dev-kmsg in the
 * kernel): "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS;TEXT", followed by lines that start with a space.
 * EAGAIN: no more records; EPIPE: some were overwritten. The priority includes the facility, which
 * is 0 for the kernel.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/harness/kmsg.h"

/* How many lines of a message to keep. */
#define MAX_LINES 40

#define LATE_NS (120 * UINT64_C(1000000000))

static const struct {
	const char *text;
	enum kmsg_kind kind;
	bool begins;		/* the line */
} rows[] = {
	/*
	 * In Linux 6.18, ext4 asserts a lock that is not held by install_breakpoint(), which reads
	 * the page that contains a uprobe. It only has to read if the page cache was dropped in the
	 * meantime.
	 */
	{ "ext4_check_map_extents_env", KMSG_KNOWN, false },

	/* Watchdogs first: some of their messages contain "BUG:" or "INFO:". */
	{ "soft lockup", KMSG_STALL, false },
	{ "hard LOCKUP", KMSG_STALL, false },
	{ "Hard LOCKUP", KMSG_STALL, false },
	{ "workqueue lockup", KMSG_STALL, false },
	{ "detected stall", KMSG_STALL, false },	/* rcu_sched, rcu_preempt, rcu_tasks */
	{ "detected expedited stall", KMSG_STALL, false },
	{ "self-detected stall", KMSG_STALL, false },
	{ "kthread starved for", KMSG_STALL, false },
	{ "blocked for more than", KMSG_STALL, false },	/* the hung task detector */

	{ "BUG:", KMSG_FAULT, false },			/* KASAN, KCSAN, KMSAN, KFENCE, page faults ... */
	{ "kernel BUG at", KMSG_FAULT, false },
	{ "WARNING: ", KMSG_FAULT, true },	/* WARN_ON(), lockdep, suspicious RCU usage */
	{ "UBSAN:", KMSG_FAULT, false },
	{ "KASAN:", KMSG_FAULT, false },
	{ "Oops", KMSG_FAULT, false },
	{ "general protection fault", KMSG_FAULT, false },
	{ "Unable to handle kernel", KMSG_FAULT, false },
	{ "Kernel panic", KMSG_FAULT, false },
	{ "kernel stack overflow", KMSG_FAULT, false },
	{ "stack guard page was hit", KMSG_FAULT, false },
	{ "refcount_t: ", KMSG_FAULT, false },
	{ "list_add corruption", KMSG_FAULT, false },
	{ "list_del corruption", KMSG_FAULT, false },
	{ "usercopy: Kernel memory", KMSG_FAULT, false },
	{ "INFO: trying to register non-static key", KMSG_FAULT, false },
	{ "INFO: possible recursive locking", KMSG_FAULT, false },
	{ "scheduling while atomic", KMSG_FAULT, false },
	{ "Bad page state", KMSG_FAULT, false },
	{ "Illegal operation", KMSG_FAULT, false },	/* s390 */
	{ "suspected memory leaks", KMSG_FAULT, false },
};

/* Only at the start of a word: "DEBUG:" is not "BUG:". */
static bool has(const char *text, const char *what, bool begins)
{
	for (const char *at = text; (at = strstr(at, what)); at++)
		if (at == text || (!begins && !isalnum((unsigned char)at[-1])))
			return true;
	return false;
}

enum kmsg_kind kmsg_kind_of(const char *text)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (has(text, rows[i].text, rows[i].begins))
			return rows[i].kind;
	return KMSG_NOTHING;
}

void kmsg_open(struct kmsg *k, const char *path)
{
	*k = (struct kmsg){ .fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) };
	if (k->fd < 0)
		k->code = errno;
	else
		kmsg_skip(k);
}

void kmsg_close(struct kmsg *k)
{
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
	texts_free(&k->said);
}

void kmsg_skip(struct kmsg *k)
{
	if (k->fd >= 0)
		lseek(k->fd, 0, SEEK_END);
}

/* Return the text of the kernel's own record in @line, or NULL if it is another kind of record. */
static const char *text_of(const char *line)
{
	const char *text = strchr(line, ';');
	const unsigned long priority = strtoul(line, NULL, 10);

	return text && line[0] >= '0' && line[0] <= '9' && priority >> 3 == 0 ? text + 1 : NULL;
}

/*
 * rcu_tasks_wait_gp() of kernel/rcu/tasks.h, since Linux 5.19, ten seconds after a grace period
 * began:
 * "rcu_tasks_wait_gp: rcu_tasks_trace grace period number 5 (since boot) is 2503 jiffies old."
 */
static bool is_late(const char *text)
{
	return strstr(text, "rcu_tasks") && strstr(text, " grace period ") &&
	       strstr(text, " jiffies old.");
}

static void note_worst(struct kmsg *k, enum kmsg_kind kind, unsigned int at)
{
	if (kind <= k->worst)
		return;
	k->worst = kind;
	k->worst_at = at;
}

static void end_report(struct kmsg *k)
{
	if (k->report.begun)
		note_worst(k, kmsg_is_others(&k->report) ? KMSG_OTHERS : KMSG_FAULT, k->report.at);
	k->report = (struct kmsg_report){ .pid = -1 };
}

/* "BUG: ..." and "Oops: ..." of the same fault both precede the line that names the process. */
static void begin_report(struct kmsg *k)
{
	if (k->report.begun && k->report.pid < 0)
		return;
	end_report(k);
	k->report.begun = true;
	k->report.at = k->said.nr;
}

static void take_line(struct kmsg *k, const char *text)
{
	const enum kmsg_kind kind = kmsg_kind_of(text);

	if (is_late(text))
		k->late_ns = sys_monotonic_ns();
	if (kind == KMSG_FAULT) {
		begin_report(k);
	} else if (kind > KMSG_NOTHING) {
		end_report(k);
		note_worst(k, kind, k->said.nr);
	}
	if (k->report.begun)
		kmsg_whose_line(&k->report, text);
	if ((k->report.begun || k->worst > KMSG_NOTHING) && k->said.nr < MAX_LINES)
		texts_add(&k->said, "%s", text);
	if (strstr(text, "[ end trace "))
		end_report(k);
}

static void look(struct kmsg *k)
{
	char buf[8192 + 1], *line, *at;
	ssize_t got;

	while (k->fd >= 0) {
		got = read(k->fd, buf, sizeof(buf) - 1);
		if (got < 0 && errno == EPIPE) {
			k->unread++;
			continue;
		}
		if (got <= 0)
			break;
		buf[got] = '\0';
		for (at = buf; (line = strsep(&at, "\n"));) {
			const char *text = text_of(line);

			if (text)
				take_line(k, text);
		}
	}
}

/* It repeats the message after 30 seconds, after 90, and so on. */
bool kmsg_is_late(struct kmsg *k)
{
	look(k);
	return k->late_ns && sys_monotonic_ns() - k->late_ns < LATE_NS;
}

enum kmsg_kind kmsg_read(struct kmsg *k, struct texts *found)
{
	enum kmsg_kind worst;

	look(k);
	end_report(k);
	worst = k->worst;
	*found = k->said;
	k->said = (struct texts){ 0 };
	k->worst = KMSG_NOTHING;
	return worst;
}
