// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Forward each call, and record its text and the time the kernel took. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/compare/measure/record_calls.h"
#include "loader/base/text/text_stream.h"
#include "loader/observe/trace/trace_call.h"
#include "loader/base/text/names.h"

const char *const compare_step_names[COMPARE_NR_STEPS] = { "open", "bind", "enable", "detach" };

static long keep(struct recorder *r, long nr, const unsigned long arg[6]);

static long record_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct recorder *r = (struct recorder *)sys;
	uint64_t begin;
	long ret;

	if (r->calls)
		return keep(r, nr, arg);
	begin = sys_monotonic_ns();
	ret = r->next->enter(r->next, nr, arg);
	r->ns[r->step] += sys_monotonic_ns() - begin;
	return ret;
}

void recorder_begin(struct recorder *r, struct sys *next, bool with_text)
{
	*r = (struct recorder){ .sys.enter = record_enter, .next = next };
	if (!with_text)
		return;
	r->calls = json_object_new_array();
	r->no_memory = !r->calls;
}

void recorder_end(struct recorder *r)
{
	json_object_put(r->calls);
	r->calls = NULL;
}

void recorder_name(struct recorder *r, int fd, const char *name)
{
	unsigned int i = 0;

	while (i < r->nr_fds && r->fds[i].fd != fd)
		i++;
	if (fd < 0 || i == RECORDER_FDS)
		return;
	r->fds[i].fd = fd;
	snprintf(r->fds[i].name, sizeof(r->fds[i].name), "%s", name);
	r->nr_fds += i == r->nr_fds;
}

static bool is(struct json_object *call, const char *key, const char *text)
{
	struct json_object *member;

	return text && json_object_object_get_ex(call, key, &member) && member &&
	       !strcmp(json_object_get_string(member), text);
}

/* Return true for a call that may be the refused one; other calls only look for something. */
static bool decides(struct json_object *call)
{
	return is(call, "call", "perf_event_open") || is(call, "call", "ioctl") ||
	       is(call, "call", "bpf") || is(call, "call", "write");
}

void recorder_refused(struct recorder *r, int code)
{
	const size_t nr = r->calls ? json_object_array_length(r->calls) : 0;
	size_t last = nr, i = 0;

	for (; i < nr; i++) {
		struct json_object *call = json_object_array_get_idx(r->calls, i);

		if (!is(call, "step", compare_step_names[r->step]) ||
		    !is(call, "errno", sys_errno_name(-code)))
			continue;
		last = i;
		if (decides(call))
			break;
	}
	if (last + 1 < nr)
		json_object_array_del_idx(r->calls, last + 1, nr - last - 1);
}

/* --- with text --- */

/* Name the descriptor returned by this call. */
static void name_result(struct recorder *r, long nr, const unsigned long arg[6], long ret)
{
	const char *path, *slash;

	if (sys_failed(ret))
		return;
	switch (nr) {
	case __NR_perf_event_open:
		recorder_name(r, ret, "event");
		break;
	case __NR_bpf:
		if (arg[0] == BPF_LINK_CREATE)
			recorder_name(r, ret, "link");
		break;
	case __NR_openat:
		path = (const char *)arg[1];
		slash = strrchr(path, '/');
		recorder_name(r, ret, slash && slash[1] ? slash + 1 : path);
		r->made = strstr(path, "events/pload/");
		break;
	case __NR_fsopen:
	case __NR_fsmount:
		recorder_name(r, ret, "tracefs");
		break;
	}
}

/*
 * Return the arguments, or with @ret the result, as printed by --trace; malloc'ed; NULL if out of
 * memory.
 */
static char *text_of(long nr, const unsigned long arg[6], const long *ret)
{
	struct text_stream out;

	if (!text_stream_open(&out))
		return NULL;
	if (ret)
		sys_call_result(out.file, nr, arg, *ret);
	else
		sys_call_args(out.file, nr, arg);
	return text_stream_close(&out);
}

/* Return the whole line as printed by --trace. */
static struct json_object *line_of(const char *name, const char *args, const char *result)
{
	struct json_object *line;
	char *text = NULL;

	if (asprintf(&text, "%s(%s) = %s", name, args, result) < 0)
		return NULL;
	line = json_object_new_string(text);
	free(text);
	return line;
}

static struct json_object *string_of(char *text)
{
	struct json_object *string = text ? json_object_new_string(text) : NULL;

	free(text);
	return string;
}

static bool add_call(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		     const char *args, const char *result)
{
	const char *name = sys_call_name(nr) ? sys_call_name(nr) : "syscall";
	struct json_object *call = json_object_new_object();

	doc_add_text(call, "step", compare_step_names[r->step]);
	doc_add_text(call, "call", name);
	value_add(call, "text", line_of(name, args, result));
	value_add(call, "args", string_of(normalize_args(r, nr, arg, args)));
	name_result(r, nr, arg, ret);
	value_add(call, "result", string_of(normalize_result(r, nr, arg, ret, result)));
	doc_add_text(call, "errno", sys_failed(ret) ? sys_errno_name(-ret) : NULL);
	return value_append(r->calls, call);
}

#define SELF "/proc/self/"

/*
 * Return true for a call on a file in /proc/self: it does not concern the event, and its result,
 * such as a time, varies between runs.
 */
static bool is_about_self(struct recorder *r, long nr, const unsigned long arg[6], long ret)
{
	bool is = false;

	if (nr == __NR_openat && !strncmp((const char *)arg[1], SELF, strlen(SELF))) {
		recorder_name(r, ret, SELF);
		return true;
	}
	if (nr != __NR_read && nr != __NR_fstat && nr != __NR_close)
		return false;
	for (unsigned int i = 0; i < r->nr_fds; i++)
		if (r->fds[i].fd == (int)arg[0] && !strcmp(r->fds[i].name, SELF)) {
			is = true;
			r->fds[i].fd = nr == __NR_close ? -1 : r->fds[i].fd;
		}
	return is;
}

/* Create the texts outside the measured time. */
static long keep(struct recorder *r, long nr, const unsigned long arg[6])
{
	char *args = text_of(nr, arg, NULL), *result;
	const uint64_t begin = sys_monotonic_ns();
	const long ret = r->next->enter(r->next, nr, arg);

	r->ns[r->step] += sys_monotonic_ns() - begin;
	result = text_of(nr, arg, &ret);
	if (!is_about_self(r, nr, arg, ret) &&
	    (!args || !result || !add_call(r, nr, arg, ret, args, result)))
		r->no_memory = true;
	free(args);
	free(result);
	return ret;
}
