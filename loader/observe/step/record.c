// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Run a session and record its calls, each with the holders after it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "loader/core/print/message.h"
#include "loader/core/session/session.h"
#include "loader/base/text/names.h"
#include "loader/base/text/text_stream.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/observe/step/holders.h"
#include "loader/observe/step/record.h"
#include "loader/base/json/parse_json.h"
#include "loader/core/value/value.h"

/* Above the descriptors of a session, so that recording does not change their numbers. */
#define TRACE_FD 512

#define STEPS_ALIKE 8	/* after this many consecutive calls that read files, fold the rest */

/* Open an unnamed file for the trace. A child writes to it, too, at the same position. */
static FILE *trace_file(struct error *err)
{
	FILE *temporary = tmpfile();
	const int fd = temporary ? fcntl(fileno(temporary), F_DUPFD_CLOEXEC, TRACE_FD) : -1;
	FILE *file = fd >= 0 ? fdopen(fd, "r+") : NULL;

	if (!file) {
		error_set(err, errno, "no temporary file for the calls: %s", error_strerror(errno));
		error_reason(err, "output/open");
		if (fd >= 0)
			close(fd);
	}
	if (temporary)
		fclose(temporary);
	return file;
}

/* Return true if a later line of the same process reports that its execve(2) failed. */
static bool exec_failed(struct json_object *steps, size_t i)
{
	struct json_object *call = json_object_array_get_idx(steps, i), *unused;
	const int pid = member_int(call, "pid", 0);

	if (strcmp(member_text(call, "call", ""), "execve"))
		return false;
	while (++i < json_object_array_length(steps)) {
		struct json_object *later = json_object_array_get_idx(steps, i);

		if (member_int(later, "pid", 0) == pid)
			return json_object_object_get_ex(later, "errno", &unused);
	}
	return false;
}

/* Add the graph to each step, as it is after the step. */
static int add_holders(struct json_object *steps, struct error *err)
{
	struct holders h = { 0 };
	bool complete = true;

	for (size_t i = 0; complete && i < json_object_array_length(steps); i++) {
		struct json_object *call = json_object_array_get_idx(steps, i);
		const unsigned int nr = h.nr_nodes;
		bool *before = calloc(nr + 1, sizeof(*before));

		for (unsigned int n = 0; before && n < nr; n++)
			before[n] = h.nodes[n].is_live;
		holders_apply(&h, call, exec_failed(steps, i));
		complete = before && !h.no_memory &&
			   value_add(call, "holders", holders_json(&h, before, nr));
		free(before);
	}
	holders_free(&h);
	return complete ? 0 : error_set(err, ENOMEM, "no memory for the graph of holders");
}

/* --- fold --- */

static bool reads_file(struct json_object *call)
{
	static const char *const names[] = { "openat", "fstat", "newfstatat", "read", "pread64",
					     "readlinkat", "getdents64", "close" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(member_text(call, "call", ""), names[i]))
			return true;
	return false;
}

/* Return true if both calls read files in the same stage, and @b changes no holder. */
static bool continues(struct json_object *a, struct json_object *b)
{
	struct json_object *notes;

	return reads_file(a) && reads_file(b) &&
	       member_int(a, "pid", 0) == member_int(b, "pid", 0) &&
	       !strcmp(member_text(a, "stage", ""), member_text(b, "stage", "")) &&
	       json_object_object_get_ex(b, "notes", &notes) && !json_object_array_length(notes) &&
	       json_object_equal(json_object_object_get(a, "holders"),
				 json_object_object_get(b, "holders"));
}

/*
 * Drop all but the first STEPS_ALIKE of consecutive calls that read files, because looking up names
 * of addresses reads hundreds of files. The last step that is kept has the number of dropped calls
 * as "folded".
 */
static int fold(struct recording *r, struct error *err)
{
	struct json_object *steps = json_object_new_array(), *before = NULL;
	unsigned int alike = 0;
	int ret = steps ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < json_object_array_length(r->steps); i++) {
		struct json_object *call = json_object_array_get_idx(r->steps, i), *last;

		alike = before && continues(before, call) ? alike + 1 : 0;
		before = call;
		if (alike < STEPS_ALIKE) {
			if (!value_append(steps, json_object_get(call)))
				ret = -ENOMEM;
			continue;
		}
		last = json_object_array_get_idx(steps, json_object_array_length(steps) - 1);
		if (json_object_object_add(last, "folded", json_object_new_int(
						   member_int(last, "folded", 0) + 1)))
			ret = -ENOMEM;
	}
	json_object_put(r->steps);
	r->steps = steps;
	return ret ? error_set(err, ENOMEM, "no memory for the steps") : 0;
}

/* A line that is not an object is a call for which there was no memory. */
static int read_steps(struct recording *r, FILE *file, struct error *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int ret = 0;

	rewind(file);
	while (!ret && (len = getline(&line, &room, file)) > 0) {
		struct json_object *call = NULL;

		ret = line[0] == '{' ? json_parse(line, len, &call, err) : 0;
		if (!ret && (!call || !value_append(r->steps, call)))
			ret = error_set(err, ENOMEM, "no memory for a call");
	}
	free(line);
	return ret;
}

struct json_object *recording_end(int pid, int status)
{
	char text[40];
	struct json_object *call = json_object_new_object(), *args = json_object_new_array();

	snprintf(text, sizeof(text), "exit_group(%d) = ?", status);
	value_append(args, json_object_new_int(status));
	value_add_int(call, "step", 1);
	value_add_int(call, "pid", pid);
	value_add_string(call, "stage", "exit: the process ends");
	value_add_string(call, "call", "exit_group");
	value_add_string(call, "text", text);
	value_add(call, "args", args);
	value_add_string(call, "why", "the kernel closes what is still open; pins stay");
	value_add(call, "notes", json_object_new_array());
	return call;
}

/* The last step is the end of this process, whose effect on the holders is already known. */
static int add_end(struct json_object *steps, int status, struct error *err)
{
	return value_append(steps, recording_end(getpid(), status)) ? 0 :
	       error_set(err, ENOMEM, "no memory for a call");
}

/* Steps are numbered by their position in the recording, including those of children. */
static int number_steps(struct json_object *steps, struct error *err)
{
	for (size_t i = 0; i < json_object_array_length(steps); i++) {
		struct json_object *call = json_object_array_get_idx(steps, i);

		/* This replaces the number in the trace, which counts the calls of each process. */
		if (json_object_object_add(call, "step", json_object_new_int(i + 1)))
			return error_set(err, ENOMEM, "no memory for a number");
	}
	return 0;
}

/*
 * Return the last call that failed with the session's error, ignoring those with which pload looked
 * for the cause. Files are tried one after another, so a missing one is not a refusal.
 */
static unsigned int find_failed(struct json_object *steps, int code)
{
	static const char calls[] = " bpf ioctl perf_event_open ", trial[] = "diagnosis: ";
	const char *name = sys_errno_name(-code);

	for (size_t i = json_object_array_length(steps); i-- > 0;) {
		struct json_object *call = json_object_array_get_idx(steps, i);

		if (name && !strcmp(member_text(call, "errno", ""), name) &&
		    strstr(calls, member_text(call, "call", "")) &&
		    strncmp(member_text(call, "why", ""), trial, strlen(trial)))
			return i + 1;
	}
	return 0;
}

/* Add to the calls what is computed from all of them. */
static int complete(struct recording *r, struct error *err)
{
	int ret = add_holders(r->steps, err);

	if (!ret)
		ret = fold(r, err);
	return ret ? ret : number_steps(r->steps, err);
}

int recording_make(struct recording *r, struct sys *sys, const struct options *o,
		   const struct attach_method *method, struct error *err)
{
	struct options session = *o;
	struct stdout_watch watch = { .fd = -1 };
	struct text_stream printed;
	struct output out = { .format = output_format_find("text", err), .watch = &watch };
	FILE *file = trace_file(err);
	struct sys *trace = file ? sys_trace(sys, file, TRACE_JSON) : NULL;
	int ret = 0;

	*r = (struct recording){ .method = method->name, .steps = json_object_new_array() };
	session.method = method;
	if (!trace || !r->steps || !text_stream_open(&printed)) {
		ret = err->code ? err->code : error_set(err, ENOMEM, "no memory to record");
	} else {
		out.file = printed.file;
		out.rows = o->rows;
		session_run(trace, &session, &out, &r->refused);
		r->printed = text_stream_close(&printed);
		ret = read_steps(r, file, err);
	}
	sys_trace_free(trace);
	if (file)
		fclose(file);
	if (!ret)
		ret = add_end(r->steps, out.status ? out.status : r->refused.code != 0, err);
	if (!ret)
		ret = complete(r, err);
	if (!ret)
		r->failed = r->refused.code ? find_failed(r->steps, r->refused.code) : 0;
	return ret;
}

int recording_read(struct recording *r, FILE *file, struct error *err)
{
	int ret;

	*r = (struct recording){ .method = "", .steps = json_object_new_array() };
	ret = r->steps ? read_steps(r, file, err) : error_set(err, ENOMEM, "no memory for calls");
	return ret ? ret : complete(r, err);
}

void recording_free(struct recording *r)
{
	json_object_put(r->steps);
	free(r->printed);
	error_clear(&r->refused);
	*r = (struct recording){ 0 };
}
