// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The tasks that each scope covers: threads and processes trigger events that are counted singly,
 * and each is counted once or not at all. One session is started per scope, and each of its facts
 * is a test.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/groups/scope/scope.h"

#define OTHER_UID 54321
#define NR_STEPS 8

/* One worker does something, which is counted or not. */
struct step {
	const char *fact;
	char who;		/* '1', '2': the first or the second worker */
	char what;		/* as worker_tell() */
	bool counted;
	char before;		/* '+': the second comes into the cgroup; '-': the first leaves */
};

static const struct scene {
	const char *title, *args;	/* "%p", "%t": the first worker and its second thread; "%o":
					 * the second worker; "%g": the cgroup */
	char armed;			/* the first worker's work until it is counted */
	uid_t uid;			/* of the first; 0: ours */
	int cgroup;			/* the first is in one of this version; 0: in none */
	struct step steps[NR_STEPS];	/* those without a name are not there */
} scenes[] = {
	{ "-t", "-t %t", 's', 0, 0, {
		{ "the thread is counted", '1', 's', true, 0 },
		{ "the first thread is not", '1', 'm', false, 0 },
		{ "a thread that starts later is not", '1', 'n', false, 0 },
		{ "a child that starts later is not", '1', 'c', false, 0 },
		{ "a child of the thread is not", '1', 'd', false, 0 },
		{ "another process is not", '2', 'm', false, 0 } } },
	{ "-p", "-p %p", 'm', 0, 0, {
		{ "the first thread is counted", '1', 'm', true, 0 },
		{ "the second thread is", '1', 's', true, 0 },
		{ "a thread that starts later is", '1', 'n', true, 0 },
		{ "a child that starts later is", '1', 'c', true, 0 },
		{ "a child of the second thread is", '1', 'd', true, 0 },
		{ "another process is not", '2', 'm', false, 0 } } },
	{ "-p --no-inherit", "-p %p --no-inherit", 'm', 0, 0, {
		{ "the first thread is counted", '1', 'm', true, 0 },
		{ "the second thread is", '1', 's', true, 0 },
		{ "a thread that starts later is not", '1', 'n', false, 0 },
		{ "a child that starts later is not", '1', 'c', false, 0 },
		{ "a child of the second thread is not", '1', 'd', false, 0 },
		{ "another process is not", '2', 'm', false, 0 } } },
	{ "-p A,B", "-p %p,%o", 'm', 0, 0, {
		{ "the first thread is counted", '1', 'm', true, 0 },
		{ "the second thread is", '1', 's', true, 0 },
		{ "a thread that starts later is", '1', 'n', true, 0 },
		{ "a child that starts later is", '1', 'c', true, 0 },
		{ "a child of the second thread is", '1', 'd', true, 0 },
		{ "the other process is", '2', 'm', true, 0 } } },
	{ "-a", "-a", 'm', 0, 0, {
		{ "the first thread is counted", '1', 'm', true, 0 },
		{ "the second thread is", '1', 's', true, 0 },
		{ "a thread that starts later is", '1', 'n', true, 0 },
		{ "a child that starts later is", '1', 'c', true, 0 },
		{ "a child of the second thread is", '1', 'd', true, 0 },
		{ "another process is", '2', 'm', true, 0 } } },
	{ "-C 0", "-C 0", '0', 0, 0, {
		{ "what happens on CPU 0 is counted", '1', '0', true, 0 },
		{ "what happens on CPU 1 is not", '1', '1', false, 0 } } },
	{ "-p -C 0", "-p %p -C 0", '0', 0, 0, {
		{ "what happens on CPU 0 is counted", '1', '0', true, 0 },
		{ "what happens on CPU 1 is not", '1', '1', false, 0 },
		{ "another process is not", '2', '0', false, 0 } } },
	{ "-p A,B -C 1", "-p %p,%o -C 1", '1', 0, 0, {
		{ "what happens on CPU 1 is counted", '1', '1', true, 0 },
		{ "what happens on CPU 0 is not", '1', '0', false, 0 },
		{ "the other process is", '2', '1', true, 0 } } },
	{ "-u", "-u %u", 'm', OTHER_UID, 0, {
		{ "a child of the user's process is counted", '1', 'c', true, 0 },
		{ "another thread of it is", '1', 's', true, 0 },
		{ "another user's process is not", '2', 'm', false, 0 } } },
	{ "-G of cgroup2", "-G %g", 'm', 0, 2, {
		{ "a thread that starts in it is counted", '1', 'n', true, 0 },
		{ "a child that starts in it is", '1', 'c', true, 0 },
		{ "who is elsewhere is not", '2', 'm', false, 0 },
		{ "who comes into it is from then on", '2', 'm', true, '+' },
		{ "who leaves it is no more", '1', 'm', false, '-' } } },
	{ "-G of cgroup1", "-G %g", 'm', 0, 1, {
		{ "a thread that starts in it is counted", '1', 'n', true, 0 },
		{ "a child that starts in it is", '1', 'c', true, 0 },
		{ "who is elsewhere is not", '2', 'm', false, 0 },
		{ "who comes into it is from then on", '2', 'm', true, '+' },
		{ "who leaves it is no more", '1', 'm', false, '-' } } },
};

/* The results of a scene, which is played once for all its tests. */
struct seen {
	bool done;
	char refused[512];	/* why it never counted; "": it did */
	uint64_t counted[NR_STEPS];
	bool summary;		/* it has ended with one */
};

struct fact {
	unsigned int scene, step;
};

/* --- a scene --- */

struct stage {
	struct scope_session session;
	struct scope_cgroup cgroup;
	struct worker first, second;
};

static void fill_args(const struct scene *scene, const struct stage *stage, char *out, size_t size)
{
	size_t len = 0;

	for (const char *text = scene->args; *text; text++) {
		if (*text != '%')
			len += snprintf(out + len, size - len, "%c", *text);
		else if (*++text == 'g')
			len += snprintf(out + len, size - len, "%s", stage->cgroup.dir);
		else
			len += snprintf(out + len, size - len, "%d",
					*text == 'p' ? stage->first.pid :
					*text == 't' ? stage->first.second :
					*text == 'u' ? OTHER_UID : stage->second.pid);
	}
}

static void enter(struct regress *t, const struct scene *scene, struct stage *stage)
{
	if (strchr(scene->args, 'C') && sysconf(_SC_NPROCESSORS_ONLN) < 2)
		regress_skip(t, "there is one CPU");
	if (scene->cgroup)
		cgroup_make(t, &stage->cgroup, scene->cgroup);
	scope_prepare(t, &stage->session);
	if (!worker_hire(&stage->first, scene->uid, 0) && scene->uid)
		regress_skip(t, "this process cannot become another user");
	regress_expect(t, stage->first.second > 0 && worker_hire(&stage->second, 0, 0),
		       "no workers can be hired");
	if (scene->cgroup && !cgroup_move(stage->cgroup.dir, stage->first.pid))
		regress_skip(t, "no process can be put into a cgroup here");
}

static void leave(struct regress *t, const struct scene *scene, struct stage *stage)
{
	worker_dismiss(&stage->first);
	worker_dismiss(&stage->second);
	if (scene->cgroup)
		cgroup_end(t, &stage->cgroup);
}

static uint64_t take(struct regress *t, const struct step *step, struct stage *stage)
{
	const struct worker *who = step->who == '1' ? &stage->first : &stage->second;

	if (step->before == '+' && !cgroup_move(stage->cgroup.dir, who->pid))
		regress_fail(t, "who shall come into the cgroup does not");
	if (step->before == '-' && !cgroup_move(stage->cgroup.root.dir, who->pid))
		regress_fail(t, "who shall leave the cgroup does not");
	return scope_counts(t, &stage->session, who, step->what);
}

static void play(struct regress *t, const struct scene *scene, struct seen *seen)
{
	struct stage stage = { 0 };
	char args[128], *out;

	enter(t, scene, &stage);
	fill_args(scene, &stage, args, sizeof(args));
	scope_begin(&stage.session, args, &stage.first, scene->armed, NULL);
	for (unsigned int i = 0; stage.session.armed && i < NR_STEPS && scene->steps[i].fact; i++)
		seen->counted[i] = take(t, &scene->steps[i], &stage);
	out = scope_end(&stage.session);
	seen->summary = strstr(out, "\"type\":\"summary\"");
	if (!stage.session.armed)
		snprintf(seen->refused, sizeof(seen->refused), "%.*s", (int)strcspn(out, "\n"),
			 out);
	free(out);
	leave(t, scene, &stage);
	seen->done = true;
}

static const struct seen *look(struct regress *t)
{
	const struct fact *fact = t->data;
	struct seen *seen = (struct seen *)t->room + fact->scene;

	if (!seen->done)
		play(t, &scenes[fact->scene], seen);
	if (seen->refused[0])
		command_refused(t, seen->refused);
	return seen;
}

static void step(struct regress *t)
{
	const struct fact *fact = t->data;
	const struct step *step = &scenes[fact->scene].steps[fact->step];
	const uint64_t counted = look(t)->counted[fact->step];

	regress_expect(t, counted == (step->counted ? SCOPE_UNITS : 0),
		       "%" PRIu64 " of %d are counted", counted, SCOPE_UNITS);
}

static void summary(struct regress *t)
{
	regress_expect(t, look(t)->summary, "there is none");
}

static const struct regress_test tests[] = {
	{ "-p A,B: when one ends the other is counted on", scope_test_end_of_one, NULL, 0 },
	{ "-p A,B: when both have ended it ends by itself", scope_test_end_of_all, NULL, 0 },
	{ "a limit of descriptors that may be raised is raised", scope_test_limit, "raised", 0 },
	{ "a limit of descriptors that stays is explained with the numbers", scope_test_limit, NULL,
	  0 },
	{ 0 }
};

static void fill(struct regress_list *list)
{
	static struct fact facts[NR(scenes)][NR_STEPS + 1];

	for (unsigned int i = 0; i < NR(scenes); i++) {
		for (unsigned int n = 0; n < NR_STEPS && scenes[i].steps[n].fact; n++) {
			facts[i][n] = (struct fact){ i, n };
			regress_add(list, step, &facts[i][n], "%s: %s", scenes[i].title,
				    scenes[i].steps[n].fact);
		}
		facts[i][NR_STEPS] = (struct fact){ i, 0 };
		regress_add(list, summary, &facts[i][NR_STEPS], "%s: ends with its summary",
			    scenes[i].title);
	}
	regress_share(list, NR(scenes) * sizeof(struct seen));
}

const struct regress_group regress_group_scope = {
	"scope", "whose events are counted: threads, processes, users, CPUs and cgroups", tests,
	fill, __FILE__
};
