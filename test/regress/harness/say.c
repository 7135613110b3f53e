// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The functions with which a test reports its result: the fact is true, false, or cannot be tested
 * here.
 */
/* A failure is reported with the line of the test. */
#define REGRESS_KEEPS_LINE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loader/base/calls/looking.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/harness/parts.h"

#define SECOND UINT64_C(1000000000)

/* Far longer than the slowest emulated machine needs. */
static uint64_t patience_ns = 20 * SECOND;

void regress_hurry(void)
{
	patience_ns = SECOND / 10;
}

/* Programs read the output line by line, so a line break becomes a space. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			*text = ' ';
}

struct regress *regress_at(struct regress *t, const char *source, unsigned int line)
{
	t->shared->source = source;
	t->shared->line = line;
	if (source && !strstr(source, "/common/")) {
		t->shared->group_source = source;
		t->shared->group_line = line;
	}
	return t;
}

static void say(struct regress *t, enum regress_state state, const char *fmt, va_list ap)
{
	vsnprintf(t->shared->why, sizeof(t->shared->why), fmt, ap);
	one_line(t->shared->why);
	t->shared->state = state;
	t->shared->said = true;
}

void regress_fail(struct regress *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, REGRESS_FAILED, fmt, ap);
	va_end(ap);
	_exit(1);
}

void regress_skip(struct regress *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, REGRESS_SKIPPED, fmt, ap);
	va_end(ap);
	_exit(0);
}

void regress_expect(struct regress *t, bool ok, const char *fmt, ...)
{
	va_list ap;

	if (ok)
		return;
	va_start(ap, fmt);
	say(t, REGRESS_FAILED, fmt, ap);
	va_end(ap);
	_exit(1);
}

void regress_states(struct regress *t, enum regress_fact fact)
{
	t->shared->states |= fact;
}

bool regress_lacks(const struct error *err)
{
	/* bpf(2) also fails with EACCES for a program that the verifier rejects. */
	if (err->reason && !strcmp(err->reason, "prog-load/verifier"))
		return false;
	switch (firing_outcome_of(err)) {
	case FIRING_ABSENT:
	case FIRING_DENIED:
		return true;
	default:
		return false;
	}
}

int regress_ok(struct regress *t, int ret, const struct error *err, const char *what)
{
	if (ret >= 0)
		return ret;
	if (!err)
		regress_fail(t, "%s: %s", what, regress_errno(ret));
	if (err->log)
		regress_note(t, "%s", err->log);
	if (regress_lacks(err))
		regress_skip(t, "%s: %s%s%s", what, err->where, err->where[0] ? ": " : "", err->what);
	regress_fail(t, "%s: %s%s%s", what, err->where, err->where[0] ? ": " : "", err->what);
}

void regress_denied(struct regress *t, const char *key, const char *saw)
{
	static const char *const answers[] = { "EPERM", "EACCES", "not tried" };

	for (size_t i = 0; !t->root && i < NR(answers); i++)
		if (strstr(saw, answers[i]))
			regress_skip(t, "%s%s%s, to who is not root", key, key[0] ? ": " : "",
				     saw);
}

/* Append a line; text that does not fit is truncated. */
static void append(char *to, size_t size, const char *fmt, va_list ap)
{
	const size_t len = strlen(to);

	vsnprintf(to + len, size - len, fmt, ap);
}

void regress_note(struct regress *t, const char *fmt, ...)
{
	char *notes = t->shared->notes;
	const size_t size = sizeof(t->shared->notes);
	va_list ap;

	va_start(ap, fmt);
	append(notes, size, fmt, ap);
	va_end(ap);
	if (strlen(notes) < size - 1)
		strcat(notes, "\n");
}

void regress_saw(struct regress *t, const char *key, const char *fmt, ...)
{
	char *saw = t->shared->saw;
	const size_t used = strlen(saw), room = sizeof(t->shared->saw) - used;
	char value[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	one_line(value);
	/* A truncated line would be another behavior. */
	if ((size_t)snprintf(saw + used, room, "%s\t%s\n", key, value) >= room)
		regress_fail(t, "more behaviors were seen than fit");
}

/* Return whether @words, separated by '|', contains @word. */
static bool among(const char *words, const char *word)
{
	const size_t len = strlen(word);

	for (const char *at = words;; at++) {
		const size_t one = strcspn(at, "|");

		if (one == len && !memcmp(at, word, len))
			return true;
		at += one;
		if (!*at)
			return false;
	}
}

/* Write which kernels @row is about: from its version up to that of the next row. */
static const char *kernels_of(const struct regress_since *rows, unsigned int nr,
			      const struct regress_since *row, char *buf, size_t size)
{
	const struct regress_since *next = row + 1;

	if (row->since)
		snprintf(buf, size, "Linux %u.%u and later", row->since >> 16, row->since >> 8 & 255);
	else if (next < rows + nr)
		snprintf(buf, size, "kernels before Linux %u.%u", next->since >> 16,
			 next->since >> 8 & 255);
	else
		snprintf(buf, size, "all kernels");
	return buf;
}

void regress_answer(struct regress *t, const char *key, const char *saw,
		    const struct regress_since *rows, unsigned int nr)
{
	const struct regress_since *row = rows;
	char kernels[64];

	for (unsigned int i = 0; i < nr && rows[i].since <= t->kernel; i++)
		row = &rows[i];
	regress_saw(t, key, "%s", saw);
	if (among(row->answer, saw))
		return;
	regress_denied(t, key, saw);
	regress_fail(t, "%s%s'%s' where %s have '%s'", key, key[0] ? ": " : "", saw,
		     kernels_of(rows, nr, row, kernels, sizeof(kernels)), row->answer);
}

const char *regress_errno(int ret)
{
	const char *name = ret < 0 ? strerrorname_np(-ret) : "0";

	return name ? name : ret == -KERNEL_ENOTSUPP ? "ENOTSUPP" : "an unknown errno";
}

bool regress_until(bool (*done)(void *arg), void *arg)
{
	struct sys_looking looking = sys_looking(patience_ns);
	const struct timespec pause = { 0, 1000000 };

	while (!done(arg)) {
		if (!sys_look_again(&looking))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}
