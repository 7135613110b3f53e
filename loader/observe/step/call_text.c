// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A recorded call in a few words: its kind, and the arguments that identify it. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/base/text/text_stream.h"
#include "loader/observe/step/call_text.h"
#include "loader/observe/step/record.h"

#define FD_NAME 80

static void append(struct call_text *c, struct text_stream *s)
{
	char *text = text_stream_close(s), **args = array_grow(c->args, c->nr, sizeof(*args));

	if (args)
		c->args = args;
	c->failed |= !text || !args;
	if (text && args)
		args[c->nr++] = text;
	else
		free(text);
}

static bool is_one_of(const char *word, const char *words)
{
	const size_t len = strlen(word);

	for (const char *at = words; len && (at = strstr(at, word)); at++)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static void put_text(FILE *to, const char *text, bool quoted)
{
	for (; *text; text++) {
		if (quoted && *text == '\n')
			fputs("\\n", to);
		else if (quoted && (*text == '"' || *text == '\\'))
			fprintf(to, "\\%c", *text);
		else
			fputc(isprint((unsigned char)*text) ? *text : '?', to);
	}
}

/*
 * Find the name that the line of --trace gives a descriptor: "7 <prog on_getenv>" is "prog", and
 * "12 <id>", a file, "id".
 */
static bool find_fd_name(const char *line, int64_t fd, char name[FD_NAME])
{
	char mark[32];
	const int len = snprintf(mark, sizeof(mark), "%" PRId64 " <", fd);

	for (const char *at = line; (at = strstr(at, mark)); at++) {
		size_t n, word;

		if (at > line && (isdigit((unsigned char)at[-1]) || at[-1] == '-'))
			continue;
		n = strcspn(at + len, ">");
		snprintf(name, FD_NAME, "%.*s", (int)(n < FD_NAME ? n : FD_NAME - 1), at + len);
		word = strcspn(name, " ");
		if (name[word]) {
			name[word] = '\0';
			if (!is_one_of(name, "event prog link map btf"))
				name[word] = ' ';
		}
		return true;
	}
	return false;
}

/* "PERF_TYPE_SOFTWARE", "BPF_F_MMAPABLE|BPF_F_RDONLY" */
static bool is_symbol(const char *text)
{
	return isupper((unsigned char)text[0]) &&
	       strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|<") == strlen(text);
}

/*
 * Members printed as hexadecimal numbers that are not addresses in pload, which vary from run to
 * run.
 */
static bool is_number(const char *member)
{
	return !strncmp(member, "config", 6) || !strncmp(member, "bp_", 3) ||
	       is_one_of(member, "probe_offset kprobe_addr bpf_cookie type");
}

/* A call and its line of --trace, while its arguments are listed. */
struct listing {
	struct call_text *c;
	const char *call, *line;
};

static void list_value(struct listing *l, const char *member, struct json_object *value)
{
	const char *text = json_object_get_string(value);
	const bool is_text = json_object_is_type(value, json_type_string);
	const size_t len = strlen(CALL_PMUS_PATH), end = strlen(member);
	char fd_name[FD_NAME];
	struct text_stream s;

	if (is_text && !strncmp(text, "0x", 2) && !is_number(member))
		return;
	if (!text_stream_open(&s)) {
		l->c->failed = true;
		return;
	}
	if (end >= 2 && !strcmp(member + end - 2, "fd") &&
	    find_fd_name(l->line, json_object_get_int64(value), fd_name)) {
		put_text(s.file, fd_name, false);
	} else if (is_text && is_symbol(text)) {
		fputs(text, s.file);
	} else if (is_text && !strcmp(member, "path")) {
		fputs(!strncmp(text, CALL_PMUS_PATH, len) ? CALL_PMUS : "", s.file);
		put_text(s.file, text + (strncmp(text, CALL_PMUS_PATH, len) ? 0 : len), false);
	} else {
		if (*member && strcmp(member, "fd"))
			fprintf(s.file, "%s=", member);
		fputs(is_text && strncmp(text, "0x", 2) ? "\"" : "", s.file);
		put_text(s.file, text ? text : "null", true);
		fputs(is_text && strncmp(text, "0x", 2) ? "\"" : "", s.file);
	}
	append(l->c, &s);
}

/* Members of a nested struct, such as link_create of bpf(2), are listed like the others. */
static void list_members(struct listing *l, struct json_object *object)
{
	json_object_object_foreach(object, member, value) {
		if (json_object_is_type(value, json_type_object))
			list_members(l, value);
		else
			list_value(l, member, value);
	}
}

/*
 * Return the kind of argument @i: "fd" and "path" are shown as such, "" has no name, and NULL is
 * left out.
 */
static const char *role_of(const char *call, size_t i)
{
	if (!strcmp(call, "bpf"))
		return i == 1 ? "" : NULL;
	if (!strcmp(call, "ioctl"))
		return i == 1 ? NULL : "fd";
	if (!strcmp(call, "openat"))
		return i == 1 ? "path" : NULL;
	if (is_one_of(call, "read pread64 fstat close"))
		return i == 0 ? "fd" : NULL;
	if (!strcmp(call, "close_range"))
		return i < 2 ? "fd" : NULL;
	if (!strcmp(call, "write"))
		return i == 0 ? "fd" : i == 1 ? "" : NULL;
	if (!strcmp(call, "perf_event_open") && i)
		return i == 1 ? "pid" : i == 2 ? "cpu" : i == 3 ? "group" : "";
	return "";
}

static void list_args(struct listing *l, struct json_object *args)
{
	for (size_t i = 0; args && i < json_object_array_length(args); i++) {
		struct json_object *value = json_object_array_get_idx(args, i);
		const char *role = role_of(l->call, i);

		if (!role)
			continue;
		if (json_object_is_type(value, json_type_object))
			list_members(l, value);
		else
			list_value(l, role, value);
	}
}

/*
 * The ioctl and BPF_LINK_CREATE have the same purpose. For openat and close, it depends on what is
 * opened or closed: one method closes a link where another closes nothing.
 */
static void set_kind(struct call_text *c, const char *call)
{
	const char *what = "", *slash;

	if (!strcmp(c->name, "PERF_EVENT_IOC_SET_BPF") || !strcmp(c->name, "BPF_LINK_CREATE")) {
		snprintf(c->kind, sizeof(c->kind), "bind");
		return;
	}
	if (c->nr && is_one_of(call, "openat close close_range read pread64 fstat write")) {
		slash = strrchr(c->args[0], '/');
		what = slash ? slash + 1 : c->args[0];
	}
	snprintf(c->kind, sizeof(c->kind), "%s %.*s", c->name, (int)sizeof(c->kind) - 68, what);
}

bool call_text_init(struct call_text *c, struct json_object *step)
{
	struct json_object *args = NULL, *returned = NULL;
	const char *call = member_text(step, "call", ""), *text;
	struct listing l = { c, call, member_text(step, "text", "") };
	struct text_stream s;

	*c = (struct call_text){ .nr = 0 };
	json_object_object_get_ex(step, "args", &args);
	text = !strcmp(call, "bpf") ? array_text(args, 0) :
	       !strcmp(call, "ioctl") ? array_text(args, 1) : call;
	snprintf(c->name, sizeof(c->name), "%s", *text ? text : call);
	list_args(&l, args);
	set_kind(c, call);
	json_object_object_get_ex(step, "returned", &returned);
	if (!is_one_of(call, "read pread64") || !*array_text(returned, 0))
		return !c->failed;
	if (!text_stream_open(&s))
		return false;
	fputs("=> \"", s.file);
	put_text(s.file, array_text(returned, 0), true);
	fputc('"', s.file);
	c->returned = text_stream_close(&s);
	return c->returned && !c->failed;
}

void call_text_free(struct call_text *c)
{
	for (unsigned int i = 0; i < c->nr; i++)
		free(c->args[i]);
	free(c->args);
	free(c->returned);
	*c = (struct call_text){ .nr = 0 };
}
