// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Calls of several cells made alike where they mean the same: what differs by chance is named. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/compare/normalize_calls.h"

/* A call whose first argument is a descriptor. */
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

/* Of what is closed a name is left, with descriptor -1; that of a call that failed is none. */
static const char *name_of(const struct recorder *r, int fd)
{
	for (unsigned int i = 0; fd >= 0 && i < r->nr_fds; i++)
		if (r->fds[i].fd == fd)
			return r->fds[i].name;
	return NULL;
}

/* A text that is gone through from its beginning. */
struct pass {
	const struct recorder *r;
	const char *from, *at;
	FILE *out;
	bool about_fd;		/* the number that it begins with is a descriptor ... */
	bool has_buffer;	/* ... behind which stands an address that the kernel writes to */
};

static bool begins(const struct pass *p, const char *word)
{
	return !strncmp(p->at, word, strlen(word));
}

static bool follows(const struct pass *p, const char *word)
{
	const size_t len = strlen(word);

	return (size_t)(p->at - p->from) >= len && !strncmp(p->at - len, word, len);
}

/* The name of the descriptor that stands here, in place of its number. */
static bool pass_fd(struct pass *p)
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

static bool is_fd(const struct pass *p)
{
	return (p->about_fd && p->at == p->from) || follows(p, "fd=") ||
	       follows(p, "PERF_EVENT_IOC_SET_BPF, ");
}

/* "pload/p_1234_..." of a line in tracefs: pload/NAME */
static bool pass_probe(struct pass *p)
{
	if (!begins(p, "pload/") || follows(p, "/sys/fs/bpf/"))
		return false;
	fputs("pload/NAME", p->out);
	p->at += strlen("pload/");
	p->at += strcspn(p->at, " /\"\\");
	return true;
}

static bool pass_id(struct pass *p)
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
 * An address of ours says nothing. @text: what config1 points to. Behind a name any other number is
 * one that means something, as where a breakpoint is.
 */
static bool pass_address(struct pass *p, const char *text)
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

/* @path: what config1 points to. */
static char *pass_all(struct pass *p, const char *path)
{
	bool quoted = false;
	char *text = NULL;
	size_t size = 0;

	p->out = open_memstream(&text, &size);
	if (!p->out)
		return NULL;
	while (*p->at) {
		if (*p->at == '"' && !follows(p, "\\"))
			quoted = !quoted;
		if (pass_probe(p) || pass_id(p) ||
		    (!quoted && ((is_fd(p) && pass_fd(p)) || pass_address(p, path))))
			continue;
		fputc(*p->at++, p->out);
	}
	if (!fclose(p->out))
		return text;
	free(text);
	return NULL;
}

/* The PMU of a probe is told by an address where to look for a name. */
static const char *pointed_to(const struct recorder *r, long nr, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];

	return r->probe && nr == __NR_perf_event_open && attr->type != PERF_TYPE_TRACEPOINT ?
		       (const char *)(uintptr_t)attr->config1 :
		       NULL;
}

char *same_args(struct recorder *r, long nr, const unsigned long arg[6], const char *text)
{
	struct pass p = { .r = r, .from = text, .at = text, .about_fd = is_about_fd(nr),
			  .has_buffer = has_buffer(nr) };

	return pass_all(&p, pointed_to(r, nr, arg));
}

static bool gives_fd(long nr, const unsigned long arg[6])
{
	return nr == __NR_perf_event_open || nr == __NR_openat || nr == __NR_fsopen ||
	       nr == __NR_fsmount || (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE);
}

/* The number of a tracepoint that was made for this cell alone. */
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

char *same_result(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		  const char *text)
{
	struct pass p = { .r = r, .from = text, .at = text };
	char *rest, *result = NULL;

	if (r->made && nr == __NR_read && ret > 0)
		keep_id(r, arg, ret);
	p.about_fd = gives_fd(nr, arg);
	rest = pass_all(&p, NULL);
	if (rest && asprintf(&result, "= %s", rest) < 0)
		result = NULL;
	free(rest);
	return result;
}
