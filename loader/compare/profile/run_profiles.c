// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Profile one run of a command by all methods at once:
 *
 *	fork		the command, which waits for child_start()
 *	fork, three times	a session with -p PID and its own method, which writes to a pipe
 *			a newline when all is attached, at the end the profile and the summary
 *	child_start()	when each of them has written its newline, or has failed
 *	read		until all pipes are closed: a session ends when the command does
 *
 * Each session is a process of its own, because it is a single thread that waits for one object.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include "loader/compare/document/document.h"
#include "loader/compare/profile/profile.h"
#include "loader/core/print/stop_signals.h"
#include "loader/base/output/interruptible_stdout.h"
#include "loader/base/json/parse_json.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/core/session/session.h"
#include "loader/base/calls/processes.h"

static const char *const method_names[PROFILE_METHODS] = { "ioctl", "pmu", "link" };

/*
 * The programs at both ends of a tick take up to a third longer, because the first ones find
 * neither the kernel's code nor the task's stack in the caches. So attach sessions there whose
 * profiles are not shown. Medians of nine runs at 1,999 Hz, by position of the three methods:
 *
 *	first, methods			1726 1456 1761 ns
 *	first, methods, last		1877 1499 1489 ns
 *	first, second, methods, last	1448 1444 1455 ns
 *
 * The order of the methods changes with every run.
 */
enum { FIRST = PROFILE_METHODS, SECOND, LAST, NR_SESSIONS };

#define MESSAGES_MAX (64u << 20)	/* bytes of the messages of one session */

/* The session of one method, seen from this process. */
struct profiling {
	const struct attach_method *method;
	pid_t pid;	/* 0: none, or already waited for */
	int fd;		/* owned; the end of its pipe to read from; -1: it is closed */
	char *text;	/* owned; what it has written */
	size_t size, room;
};

struct profiles {
	struct sys *sys;
	const struct options *options;
	struct child child;
	struct profiling sessions[NR_SESSIONS];	/* those of the methods, and FIRST to LAST */
	int signal_fd;		/* owned; or -1 */
	int signo;		/* the signal that arrived; 0: none */
	bool from_terminal;	/* ... which the terminal also sent to the command */
};

/* --- in the process of a session --- */

struct session_output {
	struct output out;	/* first: its note() gets a pointer to it */
	const char *method;
};

static void note_method(struct output *out, const char *text)
{
	char line[1024];

	snprintf(line, sizeof(line), "%s: %.1000s", ((struct session_output *)out)->method, text);
	note_stderr(out, line);
}

static struct json_object *error_message(const struct error *err)
{
	struct json_object *msg = doc_error(err);

	value_add_string(msg, "type", "error");
	return msg;
}

/*
 * Run the session and exit. pload has a single thread, so library functions that take locks work
 * here, too; do not flush what stdio has buffered for others.
 */
static void run_session(struct profiles *p, const struct profiling *session, int fd)
{
	struct options o = *p->options;
	struct error err = { 0 };
	struct output_format format = *output_format_find("json", NULL);
	struct stdout_watch watch = { .fd = fd };
	struct session_output to = {
		.out = { .format = &format, .note = note_method,
			 .file = interruptible_stdout(&watch) },
		.method = session->method->name,
	};
	struct output *out = &to.out;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", p->child.pid);
	format.picture = true;	/* neither rows nor records */
	o.scope.processes = pid;
	o.child = NULL;
	o.method = session->method;
	o.format = &format;
	o.attached_fd = fd;
	if (out->file && session_run(p->sys, &o, out, &err) < 0 && !output_has_no_reader(&err)) {
		error_reason_default(&err, NULL);
		output_message_as(out, error_message(&err), NULL, NULL);
	}
	if (out->file)
		output_flush(out, NULL);
	sys_exit_group(p->sys, 0);
}

/* --- in the process that shows them --- */

/* A task's events run their programs in the order in which they were opened. */
static unsigned int in_order(const struct profiles *p, unsigned int place)
{
	return ((unsigned int)p->child.pid + place) % PROFILE_METHODS;
}

static int begin_session(struct profiles *p, struct profiling *session, struct error *err)
{
	int fds[2], ret = sys_pipe(p->sys, fds);

	if (ret < 0)
		return error_set(err, -ret, "pipe2: %s", error_strerror(-ret));
	session->pid = sys_fork(p->sys, SIGCHLD);
	if (session->pid == 0) {
		/* Otherwise the command would wait forever if this process were killed. */
		sys_close_fd(p->sys, &p->child.go_fd);
		sys_close_fd(p->sys, &p->child.exec_fd);
		sys_close_fd(p->sys, &p->signal_fd);
		for (unsigned int i = 0; i < NR_SESSIONS; i++)
			sys_close_fd(p->sys, &p->sessions[i].fd);
		sys_close(p->sys, fds[0]);
		run_session(p, session, fds[1]);
	}
	sys_close(p->sys, fds[1]);
	session->fd = fds[0];
	if (session->pid > 0)
		return 0;
	ret = -session->pid;
	session->pid = 0;
	return error_set(err, ret, "clone: %s", error_strerror(ret));
}

static int read_session(struct profiles *p, struct profiling *session, struct error *err)
{
	const size_t room = session->room ? 2 * session->room : 65536;
	ssize_t n;

	if (session->size == session->room) {
		char *text = room <= MESSAGES_MAX ? realloc(session->text, room) : NULL;

		if (!text)
			return error_set(err, ENOMEM, "no memory for the profile by %s",
					 session->method->name);
		session->text = text;
		session->room = room;
	}
	n = sys_read(p->sys, session->fd, session->text + session->size,
		     session->room - session->size);
	if (n > 0)
		session->size += n;
	else if (n != -EINTR)
		sys_close_fd(p->sys, &session->fd);
	return 0;
}

static void take_signal(struct profiles *p)
{
	struct signalfd_siginfo info;

	memset(&info, 0, sizeof(info));
	sys_read(p->sys, p->signal_fd, &info, sizeof(info));
	/* A second one: the command did not end after the first. */
	if (p->signo && p->child.runs && !p->child.ended)
		sys_kill(p->sys, p->child.pid, SIGKILL);
	p->from_terminal = info.ssi_code == SI_KERNEL;
	if (!p->signo && p->child.runs && !p->child.ended && !p->from_terminal)
		sys_kill(p->sys, p->child.pid, SIGTERM);
	p->signo = info.ssi_signo ? (int)info.ssi_signo : SIGINT;
}

/* Read what has arrived. Return the number of sessions that have neither attached nor failed. */
static int wait_once(struct profiles *p, struct error *err)
{
	struct pollfd fds[NR_SESSIONS + 2];
	int waiting = 0, ret;

	for (unsigned int i = 0; i < NR_SESSIONS; i++)
		fds[i] = (struct pollfd){ .fd = p->sessions[i].fd, .events = POLLIN };
	fds[NR_SESSIONS] = (struct pollfd){ .fd = p->signal_fd, .events = POLLIN };
	fds[NR_SESSIONS + 1] = (struct pollfd){ .events = POLLIN,
			.fd = p->child.ended ? -1 : p->child.end_fd };
	ret = sys_poll(p->sys, fds, NR_SESSIONS + 2, -1);
	if (ret < 0)
		return ret == -EINTR ? NR_SESSIONS :
				       error_set(err, -ret, "poll: %s", error_strerror(-ret));
	if (fds[NR_SESSIONS].revents)
		take_signal(p);
	if (fds[NR_SESSIONS + 1].revents)
		child_reap(p->sys, &p->child);
	for (unsigned int i = 0; i < NR_SESSIONS; i++) {
		struct profiling *s = &p->sessions[i];

		if (fds[i].revents && read_session(p, s, err) < 0)
			return err->code;
		waiting += s->fd >= 0 && !s->size;
	}
	return waiting;
}

static bool has_open(const struct profiles *p)
{
	for (unsigned int i = 0; i < NR_SESSIONS; i++)
		if (p->sessions[i].fd >= 0)
			return true;
	return false;
}

static bool is_attached(const struct profiling *session)
{
	return session->size && session->text[0] == '\n';
}

static bool has_attached(const struct profiles *p)
{
	for (unsigned int i = 0; i < PROFILE_METHODS; i++)
		if (is_attached(&p->sessions[i]))
			return true;
	return false;
}

/* Return true if the methods are not at either end of a tick. */
static bool are_enclosed(const struct profiles *p)
{
	for (unsigned int i = FIRST; i <= LAST; i++)
		if (!is_attached(&p->sessions[i]))
			return false;
	return true;
}

static int run_command(struct profiles *p, struct error *err)
{
	int ret;

	if (p->signo || !has_attached(p))	/* there is nothing to measure */
		return 0;
	ret = child_start(p->sys, &p->child, err);
	while (!ret && (has_open(p) || !p->child.ended)) {
		ret = wait_once(p, err);
		ret = ret > 0 ? 0 : ret;
	}
	return ret;
}

/* Stop what is still running: first the command, whose end also ends the sessions. */
static void end(struct profiles *p)
{
	siginfo_t info;
	int ret;

	child_end(p->sys, &p->child, SIGTERM, p->signal_fd);
	for (unsigned int i = 0; i < NR_SESSIONS; i++) {
		struct profiling *s = &p->sessions[i];

		sys_close_fd(p->sys, &s->fd);
		free(s->text);
		if (!s->pid)
			continue;
		do {
			ret = sys_waitid(p->sys, s->pid, &info, WEXITED);
		} while (ret == -EINTR);
	}
	sys_close_fd(p->sys, &p->signal_fd);
}

/* --- the document --- */

/* Add the message in the @size bytes of @line to @method, under its type. */
static bool add_message(struct json_object *method, const char *line, size_t size)
{
	static const char *const types[] = { "profile", "summary", "error" };
	struct json_object *msg;
	struct error err = { 0 };
	const int ret = json_parse(line, size, &msg, &err);
	const char *type = message_text(msg, "type");

	error_clear(&err);
	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i]) && !message_get(method, type))
			return value_add(method, types[i], msg);
	json_object_put(msg);
	return ret != -ENOMEM;
}

/* The session's process was killed, or ran out of memory before reporting its error. */
static struct json_object *no_end(const struct profiling *s)
{
	struct error err = { 0 };

	error_set(&err, ECHILD, "its process has ended without a profile");
	error_reason(&err, "compare/no-profile");
	error_hint(&err, "dmesg shows whether a process was killed for lack of memory");
	error_where(&err, "session by %s", s->method->name);
	return error_message(&err);
}

/* Add the messages "profile", "summary" and "error" of its session to @method. */
static void add_messages(struct json_object *method, const struct profiling *s)
{
	const char *end = s->text + s->size, *line = s->text, *eol;
	bool ok = true;

	for (; ok && line < end && (eol = memchr(line, '\n', end - line)); line = eol + 1)
		if (eol > line)
			ok = add_message(method, line, eol - line);
	if (!ok)
		value_add(method, "error", NULL);	/* it is incomplete */
	else if (!message_get(method, "error") && !message_get(method, "summary"))
		value_add(method, "error", no_end(s));
}

/* Return the member "throttled" of the losses of @summary, added up. */
static uint64_t throttled(struct json_object *summary)
{
	struct json_object *losses = message_get(summary, "losses");
	uint64_t sum = 0;

	for (size_t i = 0; losses && i < json_object_array_length(losses); i++) {
		struct json_object *loss = json_object_array_get_idx(losses, i);
		const char *what = message_text(loss, "what");

		if (what && !strcmp(what, "throttled"))
			sum += message_number(loss, "count");
	}
	return sum;
}

/* Add to @method how often its programs ran and for how long. */
static void add_runs(struct json_object *method)
{
	struct json_object *summary = message_get(method, "summary"),
			   *programs = message_get(summary, "programs");
	uint64_t cnt = 0, ns = 0;
	bool counts = false;

	for (size_t i = 0; programs && i < json_object_array_length(programs); i++) {
		struct json_object *prog = json_object_array_get_idx(programs, i);

		counts = counts || message_get(prog, "run_cnt");
		cnt += message_number(prog, "run_cnt");
		ns += message_number(prog, "run_time_ns");
	}
	value_add_count(method, "duration_ns", summary, message_number(summary, "duration_ns"));
	value_add_count(method, "samples", message_get(method, "profile"),
			message_number(message_get(method, "profile"), "total"));
	value_add_count(method, "run_cnt", counts, cnt);
	value_add_count(method, "run_time_ns", counts, ns);
	value_add_count(method, "throttled", summary, throttled(summary));
}

static struct json_object *methods_of(struct profiles *p)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < PROFILE_METHODS; i++) {
		struct profiling *s = &p->sessions[i];
		struct json_object *method = json_object_new_object();

		value_add_string(method, "attach", s->method->name);
		add_messages(method, s);
		add_runs(method);
		value_append(list, method);
	}
	return list;
}

static struct json_object *document(struct profiles *p)
{
	const struct options *o = p->options;
	struct json_object *doc = json_object_new_object();
	struct json_object *order = json_object_new_array();
	const char *name = strrchr(o->objects[0], '/');

	value_add_string(doc, "object", name ? name + 1 : o->objects[0]);
	value_add_string(doc, "event", o->events.text[0]);
	value_add_count(doc, "freq", o->freq, o->freq);
	value_add_string(doc, "command", o->child[0]);
	value_add_int(doc, "status", child_status(&p->child));
	for (unsigned int i = 0; i < PROFILE_METHODS; i++)
		value_append(order, json_object_new_string(method_names[in_order(p, i)]));
	value_add(doc, "order", order);
	value_add(doc, "methods", methods_of(p));
	compare_profile_sections(doc);
	return doc;
}

static int finish(struct profiles *p, struct output *out)
{
	const bool attached = p->child.started;

	out->status = attached ? child_status(&p->child) : p->signo ? 128 + p->signo : 0;
	if (attached && !are_enclosed(p))
		note(out, "the session that should run first or last in each tick is not attached, "
			  "so runs by %s or by %s take longer",
		     method_names[in_order(p, 0)],
		     method_names[in_order(p, PROFILE_METHODS - 1)]);
	if (!attached && !p->signo)
		note(out, "the command did not run, because no method is attached: the output "
			  "gives the cause for each");
	return !attached;
}

/* Begin a session, and wait until it is attached or has failed. */
static int attach_session(struct profiles *p, unsigned int i, const char *method,
			  struct error *err)
{
	struct profiling *session = &p->sessions[i];
	int ret;

	session->method = attach_method_find(method, err);
	ret = begin_session(p, session, err);
	while (!ret && !p->signo && session->fd >= 0 && !session->size) {
		ret = wait_once(p, err);
		ret = ret > 0 ? 0 : ret;
	}
	return ret;
}

static int begin(struct profiles *p, struct output *out, struct error *err)
{
	/* Create the command first, because it would inherit blocked signals. */
	int ret = child_begin(p->sys, out, &p->child, p->options->child, err);

	if (!ret)
		ret = stop_signals_open(p->sys, err);
	if (ret < 0)
		return ret;
	if (ret > 0)
		p->signal_fd = ret;
	ret = attach_session(p, FIRST, method_names[0], err);
	if (!ret)
		ret = attach_session(p, SECOND, method_names[0], err);
	for (unsigned int i = 0; !ret && i < PROFILE_METHODS; i++) {
		const unsigned int next = in_order(p, i);

		ret = attach_session(p, next, method_names[next], err);
	}
	if (!ret)
		ret = attach_session(p, LAST, method_names[0], err);
	return ret;
}

int compare_profile_run(struct sys *sys, const struct options *o, struct output *out,
			struct json_object **profile, struct error *err)
{
	struct profiles p = { .sys = sys, .options = o, .child = CHILD_NONE, .signal_fd = -1 };
	int ret;

	for (unsigned int i = 0; i < NR_SESSIONS; i++)
		p.sessions[i].fd = -1;
	ret = begin(&p, out, err);
	if (!ret)
		ret = run_command(&p, err);
	*profile = ret ? NULL : document(&p);
	if (!ret)
		ret = finish(&p, out);
	else if (!p.child.runs)
		out->status = child_status(&p.child);
	end(&p);
	return ret;
}
