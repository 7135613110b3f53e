// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Replace the parts of a call that vary randomly, such as descriptors, with names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/compare/measure/record_calls.h"

/* Return true for a call whose first argument is a descriptor. */
static bool is_about_fd(long nr)
{
	static const long calls[] = { __NR_ioctl,  __NR_read,  __NR_pread64, __NR_write,
				      __NR_getdents64, __NR_fstat, __NR_close, __NR_openat,
				      __NR_fsconfig, __NR_fsmount };

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i] == nr)
			return true;
	return false;
}

static bool has_buffer(long nr)
{
	return nr == __NR_read || nr == __NR_pread64 || nr == __NR_getdents64 || nr == __NR_fstat;
}

/* Closed descriptors are -1 in the table, and so are results of failed calls: no name. */
static const char *name_of(const struct recorder *r, int fd)
{
	for (unsigned int i = 0; fd >= 0 && i < r->nr_fds; i++)
		if (r->fds[i].fd == fd)
			return r->fds[i].name;
	return NULL;
}

/* A text being copied to @out from the start, with replacements. */
struct text {
	const struct recorder *r;
	const char *from, *at;
	FILE *out;
	bool about_fd;		/* it starts with a descriptor ... */
	bool has_buffer;	/* ... followed by an address that the kernel writes to */
};

static bool begins(const struct text *p, const char *word)
{
	return !strncmp(p->at, word, strlen(word));
}

static bool follows(const struct text *p, const char *word)
{
	const size_t len = strlen(word);

	return (size_t)(p->at - p->from) >= len && !strncmp(p->at - len, word, len);
}

/* Replace a descriptor with its name. */
static bool replace_fd(struct text *p)
{
	char *end;
	const long fd = strtol(p->at, &end, 10);
	const char *name = end != p->at && fd >= 0 ? name_of(p->r, fd) : NULL;

	if (!name)
		return false;
	fputs(name, p->out);
	p->at = end;
	return true;
}

static bool is_fd(const struct text *p)
{
	return (p->about_fd && p->at == p->from) || follows(p, "fd=") ||
	       follows(p, "PERF_EVENT_IOC_SET_BPF, ");
}

/* Replace "pload/p_1234_..." in a tracefs line with "pload/NAME". */
static bool replace_probe(struct text *p)
{
	if (!begins(p, "pload/") || follows(p, "/sys/fs/bpf/"))
		return false;
	fputs("pload/NAME", p->out);
	p->at += strlen("pload/");
	p->at += strcspn(p->at, " /\"\\");
	return true;
}

static bool replace_id(struct text *p)
{
	const size_t len = strlen(p->r->id);

	if (!len || strncmp(p->at, p->r->id, len) || isdigit((unsigned char)p->at[len]) ||
	    !(follows(p, ", config=") || follows(p, "\"")))
		return false;
	fputs("ID", p->out);
	p->at += len;
	return true;
}

/*
 * Replace an address in this process: that of a buffer with "buffer", and config1 with the string
 * @text that it points to. Other addresses, such as a breakpoint's, are meaningful.
 */
static bool replace_address(struct text *p, const char *text)
{
	const bool named = text && follows(p, "config1=");

	if (!begins(p, "0x") || (!named && !(p->has_buffer && follows(p, ", "))))
		return false;
	if (named)
		fprintf(p->out, "\"%s\"", text);
	else
		fputs("buffer", p->out);
	p->at += strspn(p->at, "0123456789abcdefx");
	return true;
}

/* @path: the string that config1 points to, or NULL. */
static char *replace_all(struct text *p, const char *path)
{
	bool quoted = false;
	struct text_stream out;

	if (!text_stream_open(&out))
		return NULL;
	p->out = out.file;
	while (*p->at) {
		if (*p->at == '"' && !follows(p, "\\"))
			quoted = !quoted;
		if (replace_probe(p) || replace_id(p) ||
		    (!quoted && ((is_fd(p) && replace_fd(p)) || replace_address(p, path))))
			continue;
		fputc(*p->at++, p->out);
	}
	return text_stream_close(&out);
}

/* A probe PMU gets the address of a function name or path in config1. */
static const char *pointed_to(const struct recorder *r, long nr, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];

	return r->probe && nr == __NR_perf_event_open && attr->type != PERF_TYPE_TRACEPOINT ?
		       (const char *)(uintptr_t)attr->config1 :
		       NULL;
}

char *normalize_args(struct recorder *r, long nr, const unsigned long arg[6], const char *text)
{
	struct text p = { .r = r, .from = text, .at = text, .about_fd = is_about_fd(nr),
			  .has_buffer = has_buffer(nr) };

	return replace_all(&p, pointed_to(r, nr, arg));
}

static bool returns_fd(long nr, const unsigned long arg[6])
{
	return nr == __NR_perf_event_open || nr == __NR_openat || nr == __NR_fsopen ||
	       nr == __NR_fsmount || (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE);
}

/* Remember the id of a tracepoint created for this cell. */
static void keep_id(struct recorder *r, const unsigned long arg[6], long ret)
{
	const char *bytes = (const char *)arg[1];
	size_t i = 0;

	while (i < (size_t)ret && i + 1 < sizeof(r->id) && isdigit((unsigned char)bytes[i])) {
		r->id[i] = bytes[i];
		i++;
	}
	r->id[i] = '\0';
	r->made = false;
}

char *normalize_result(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		  const char *text)
{
	struct text p = { .r = r, .from = text, .at = text };
	char *rest, *result = NULL;

	if (r->made && nr == __NR_read && ret > 0)
		keep_id(r, arg, ret);
	p.about_fd = returns_fd(nr, arg);
	rest = replace_all(&p, NULL);
	if (rest && asprintf(&result, "= %s", rest) < 0)
		result = NULL;
	free(rest);
	return result;
}
