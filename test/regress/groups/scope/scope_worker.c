// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes that trigger events on request, and a session that counts them. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/observe/firing/firing.h"
#include "test/regress/groups/scope/scope.h"

static int told[2], done[2];	/* of the second thread */

static void make_events(void)
{
	for (int i = 0; i < SCOPE_UNITS; i++)
		firing_watched++;
}

/* Triggers no events if there is no such CPU. */
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

bool worker_hire(struct worker *w, uid_t uid, unsigned int more)
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

void worker_dismiss(struct worker *w)
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

void worker_tell(struct regress *t, const struct worker *w, char what)
{
	char c = what;

	if (write(w->to, &c, 1) != 1 || read(w->from, &c, 1) != 1)
		regress_fail(t, "a worker is gone that was told '%c'", what);
}

/* --- a session that counts the workers' events --- */

void scope_prepare(struct regress *t, struct scope_session *s)
{
	regress_needs_breakpoint(t);	/* opened by the session */
	*s = (struct scope_session){ .child = { .pid = -1, .map_fd = -1 } };
	own_dir_make(t, &s->bpffs, "bpf");
	s->object = command_use(t, "scope");
	command_name(s->name);
}

struct order {
	const struct worker *who;
	char what;
};

static void carry_out(void *arg)
{
	const struct order *o = arg;
	char c = o->what;

	/* A worker that is gone triggers no events, and so nothing is counted. */
	if (write(o->who->to, &c, 1) == 1 && read(o->who->from, &c, 1) != 1)
		return;
}

void scope_begin(struct scope_session *s, const char *args, const struct worker *who, char what,
		 void (*prepare)(void))
{
	struct order order = { who, what };
	char line[512];

	snprintf(line, sizeof(line), "--set=wanted=%s --prog=counted -e mem:%p/8:w --format=json "
		 "%s OBJ", s->name, (void *)&firing_watched, args);
	session_begin(&s->child, s->bpffs.dir, line, prepare);
	s->armed = session_counts(&s->child, carry_out, &order, SCOPE_UNITS);
}

uint64_t scope_counts(struct regress *t, const struct scope_session *s, const struct worker *who,
		      char what)
{
	const uint64_t before = session_runs(&s->child);

	worker_tell(t, who, what);
	return session_runs(&s->child) - before;
}

char *scope_end(struct scope_session *s)
{
	char *out = session_end(&s->child);

	close(s->object);
	own_dir_end(&s->bpffs);
	return out;
}
