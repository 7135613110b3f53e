// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One run of random lives: a process that walks, and one that sees when it does not come back. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/harness/parts.h"
#include "test/regress/harness/whole.h"
#include "test/regress/random/random.h"
#include "test/regress/random/walk.h"

enum { STEPS_MIN = 5, SILENCE = 120 };	/* seconds without a step */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static unsigned int this_kernel(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (!uname(&name))
		sscanf(name.release, "%u.%u", &major, &minor);
	return major << 16 | minor << 8;
}

/* Print where the kernel and the model differ. false: it was chance, or another user. */
static bool report(struct walk *w, struct difference *d, const struct random_options *o)
{
	const struct difference first = *d;
	struct life life = w->progress->life;

	w->progress->quiet = true;
	if (!report_shows(w, &life, d) || (!o->brief && !report_shorten(w, &life, d))) {
		w->progress->quiet = false;
		printf("# once, and not again: %s\n", first.text);
		return false;
	}
	if (o->brief)
		printf("# %s\n", d->text);
	else
		report_life(&life, d);
	if (o->program)
		printf("# %s: %s\n", o->program, report_program(o->program, &life, d) ?
		       "the same as a C program" : "cannot be written");
	return true;
}

static bool is_over(const struct progress *p, const struct random_options *o, uint64_t begun)
{
	return (o->steps && p->steps >= o->steps) || (o->seconds && now() - begun >= o->seconds);
}

/* In a process of its own. Returns its exit status. */
static int walk(struct progress *p, const struct random_options *o)
{
	static struct walk w;	/* large */
	struct difference d = { 0 };
	const char *lacks = actors_begin(&w.world);
	const uint64_t begun = now();

	if (lacks) {
		printf("1..0 # SKIP this machine lacks %s, or does not permit it\n", lacks);
		return EXIT_SKIPPED;
	}
	w.kernel = this_kernel();
	w.progress = p;
	w.random = o->seed;
	do {
		p->limit = STEPS_MIN + walk_random(&w, walk_random(&w, 4) ? 40 :
						   STEPS_MAX - STEPS_MIN);
		p->lives++;
		walk_life(&w, &d);
		if (d.is && report(&w, &d, o))
			return EXIT_FAILED;
	} while (!is_over(p, o, begun));
	return EXIT_GOOD;
}

/* The walker is stuck, or dead: which step it made is in memory that both see. */
static void name_step(const struct progress *p, const char *what)
{
	char text[160];

	printf("# %s in step %u of life %llu:\n", what, p->at, (unsigned long long)p->lives);
	for (unsigned int i = 0; i <= p->at; i++)
		printf("#   %u. %s\n", i, report_op(&p->life.ops[i], text, sizeof(text)));
}

static int supervise(pid_t pid, const struct progress *p)
{
	const struct timespec tick = { 0, 20000000 };
	uint64_t steps = 0, since = now();
	int status;

	for (;;) {
		const pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid && WIFEXITED(status))
			return WEXITSTATUS(status);
		if (got == pid) {
			name_step(p, strsignal(WTERMSIG(status)));
			return EXIT_FAILED;
		}
		if (p->steps != steps) {
			steps = p->steps;
			since = now();
		}
		if (now() - since > SILENCE) {
			name_step(p, "the kernel does not come back");
			kill(pid, SIGKILL);
			return EXIT_FAILED;
		}
		nanosleep(&tick, NULL);
	}
}

static int begin(struct progress *p, const struct random_options *o)
{
	const pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(walk(p, o));
	}
	return pid < 0 ? EXIT_ERROR : supervise(pid, p);
}

int random_run(const struct random_options *o)
{
	struct progress *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	printf("KTAP version 1\n# --random=%llu\n", (unsigned long long)o->seed);
	if (p == MAP_FAILED)
		return EXIT_ERROR;
	p->verbose = o->verbose;
	status = begin(p, o);
	if (status == EXIT_GOOD || status == EXIT_FAILED) {
		printf("1..1\n%s 1 the kernel does what the model says: %llu steps in %llu lives, "
		       "seed %llu\n", status ? "not ok" : "ok", (unsigned long long)p->steps,
		       (unsigned long long)p->lives, (unsigned long long)o->seed);
	}
	munmap(p, sizeof(*p));
	return status;
}
