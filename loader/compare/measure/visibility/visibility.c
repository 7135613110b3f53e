// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure what the kernel reports about an attachment, with and without its descriptors. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "loader/tools/inventory/inventory.h"
#include "loader/compare/measure/sections/fixture.h"
#include "loader/compare/measure/sections/section.h"
#include "loader/compare/measure/visibility/run_tool.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"
#include "loader/explain/denied/privilege.h"
#include "loader/base/kernel/kernel_calls.h"

enum {
	VIS_LINK_INFO, VIS_LINK_EVENT, VIS_LINK_COOKIE, VIS_SHORT_NAME,
	VIS_FDINFO, VIS_EVENT_FDINFO, VIS_FD_NAME,
	VIS_QUERY_UNBOUND, VIS_QUERY, VIS_QUERY_LINK, VIS_QUERY_BPF,
	VIS_PROG_INFO, VIS_PROG_LISTED, VIS_LINK_LISTED,
	VIS_BPFTOOL_PERF, VIS_BPFTOOL_LINK,
	VIS_NR,
};

static const struct section_row rows[VIS_NR] = {
	[VIS_LINK_INFO] = { "link-info",
			    "BPF_OBJ_GET_INFO_BY_FD of the link, or else of the event" },
	[VIS_LINK_EVENT] = { "link-event", "the event in that info" },
	[VIS_LINK_COOKIE] = { "link-cookie", "the cookie in that info" },
	[VIS_SHORT_NAME] = { "link-name-short", "the same with room for a name of 3 characters" },
	[VIS_FDINFO] = { "link-fdinfo", "/proc/self/fdinfo of the link" },
	[VIS_EVENT_FDINFO] = { "event-fdinfo", "/proc/self/fdinfo of the event" },
	[VIS_FD_NAME] = { "fd-name", "/proc/self/fd of the link, or else of the event" },
	[VIS_QUERY_UNBOUND] = { "task-fd-query-unbound",
				"BPF_TASK_FD_QUERY of the event, before the program is bound" },
	[VIS_QUERY] = { "task-fd-query", "BPF_TASK_FD_QUERY of the event" },
	[VIS_QUERY_LINK] = { "task-fd-query-link", "BPF_TASK_FD_QUERY of the link" },
	[VIS_QUERY_BPF] = { "query-bpf", "PERF_EVENT_IOC_QUERY_BPF" },
	[VIS_PROG_INFO] = { "prog-info",
			    "BPF_OBJ_GET_INFO_BY_FD of the program, before and after" },
	[VIS_PROG_LISTED] = { "prog-listed", "BPF_PROG_GET_NEXT_ID" },
	[VIS_LINK_LISTED] = { "link-listed", "a link of the program by BPF_LINK_GET_NEXT_ID" },
	[VIS_BPFTOOL_PERF] = { "bpftool-perf", "bpftool perf show" },
	[VIS_BPFTOOL_LINK] = { "bpftool-link", "bpftool link show" },
};

/* An attachment to inspect. */
struct view {
	struct fixture fx;
	struct section *s;
	struct attachment a;
	struct bpf_prog_info before;	/* info on the program before it was bound */
};

static void put_errno(struct view *v, unsigned int row, int ret, const char *call)
{
	struct error err = { 0 };

	error_set(&err, -ret, "%s: %s", call, error_strerror(-ret));
	section_refused(v->s, row, &err);
}

/* The same for a call that requires @caps: explain EPERM by the missing ones. */
static void put_denied(struct view *v, unsigned int row, int ret, const char *call, long nr,
		       unsigned long request, uint64_t caps)
{
	const struct sys_asked asked = { .room = SYS_ATTACH, .call = call, .caps = caps, .nr = nr,
					 .request = request };
	struct error err = { 0 };

	if (ret != -EPERM && ret != -EACCES) {
		put_errno(v, row, ret, call);
		return;
	}
	sys_denied(v->fx.sys, &asked, -ret, &err);
	section_refused(v->s, row, &err);
}

static bool has_link(struct view *v, unsigned int row)
{
	if (v->a.link_fd < 0)
		section_put(v->s, row, NO_LINK, NULL);
	return v->a.link_fd >= 0;
}

/* --- link info --- */

/* include/uapi/linux/bpf.h, enum bpf_perf_event_type */
static const char *event_is_word(uint32_t type)
{
	static const char *const words[] = {
		[BPF_PERF_EVENT_UNSPEC] = "nothing", [BPF_PERF_EVENT_UPROBE] = "uprobe",
		[BPF_PERF_EVENT_URETPROBE] = "uretprobe", [BPF_PERF_EVENT_KPROBE] = "kprobe",
		[BPF_PERF_EVENT_KRETPROBE] = "kretprobe",
		[BPF_PERF_EVENT_TRACEPOINT] = "tracepoint", [BPF_PERF_EVENT_EVENT] = "event",
	};

	return type < sizeof(words) / sizeof(words[0]) ? words[type] : "unknown";
}

static void put_cookie(struct view *v, uint64_t cookie)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, cookie);
	section_put(v->s, VIS_LINK_COOKIE,
		    !cookie		      ? "none" :
		    cookie == v->fx.s->cookie ? "as given" :
						text,
		    NULL);
}

static void put_link(struct view *v, const struct inventory_link *link)
{
	struct inventory_target place = { 0 };
	struct inventory_names names;
	struct error err = { 0 };
	char event[48];

	inventory_names_init(&names, v->fx.sys);
	if (inventory_target_read(&names, link, &place, &err) < 0) {
		section_rest(v->s, VIS_LINK_INFO, VIS_LINK_COOKIE, &err);
	} else {
		section_put(v->s, VIS_LINK_INFO, event_is_word(link->info.perf_event.type), NULL);
		snprintf(event, sizeof(event), "%" PRIu32 ":%" PRIu64,
			 link->info.perf_event.event.type,
			 (uint64_t)link->info.perf_event.event.config);
		if (place.unknown)
			section_put(v->s, VIS_LINK_EVENT, "none", "Linux reports it since 6.6");
		else if (link->info.perf_event.type == BPF_PERF_EVENT_EVENT)
			section_put(v->s, VIS_LINK_EVENT, event, "%s", place.text);
		else
			section_put(v->s, VIS_LINK_EVENT, link->name ? "by name" : "by address",
				    "%s", place.text);
		put_cookie(v, place.cookie);
	}
	inventory_target_free(&place);
	inventory_names_free(&names);
}

static void show_short_name(struct view *v)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);
	char name[4] = "";
	int ret;

	/* Check the type: members of another type would mean something else. */
	ret = kernel_fd_info(v->fx.sys, v->a.link_fd, &info, &len);
	if (!ret) {
		memset(&info, 0, sizeof(info));
		info.perf_event.uprobe.file_name = (uintptr_t)name;
		info.perf_event.uprobe.name_len = sizeof(name);
		len = sizeof(info);
		ret = kernel_fd_info(v->fx.sys, v->a.link_fd, &info, &len);
	}
	if (ret < 0)
		put_errno(v, VIS_SHORT_NAME, ret, "BPF_OBJ_GET_INFO_BY_FD");
	else
		section_put(v->s, VIS_SHORT_NAME, name[0] ? "fits" : "no name", NULL);
}

static void show_link(struct view *v)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);
	struct inventory_link link;
	int ret;

	if (!has_link(v, VIS_LINK_EVENT)) {
		section_put(v->s, VIS_LINK_COOKIE, NO_LINK, NULL);
		section_put(v->s, VIS_SHORT_NAME, NO_LINK, NULL);
		ret = kernel_fd_info(v->fx.sys, v->a.event_fd, &info, &len);
		if (ret < 0)
			put_errno(v, VIS_LINK_INFO, ret, "BPF_OBJ_GET_INFO_BY_FD of the event");
		else
			section_put(v->s, VIS_LINK_INFO, "info", "on the descriptor of an event");
		return;
	}
	ret = inventory_link_read(v->fx.sys, v->a.link_fd, &link);
	if (ret < 0) {
		struct error err = { 0 };

		error_set(&err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
		section_rest(v->s, VIS_LINK_INFO, VIS_SHORT_NAME, &err);
		return;
	}
	put_link(v, &link);
	inventory_link_free(&link);
	show_short_name(v);
}

/* --- /proc --- */

struct fields {
	unsigned int nr;
	char text[400];		/* "type: 6; config: 0" */
};

/* Skip the lines common to all descriptors: seq_show() in fs/proc/fd.c. */
static int take_field(void *arg, char *line)
{
	static const char *const common[] = { "pos:", "flags:", "mnt_id:", "ino:" };
	struct fields *f = arg;
	const size_t len = strlen(f->text);

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!strncmp(line, common[i], strlen(common[i])))
			return 0;
	if (!strchr(line, ':'))
		return 0;
	f->nr++;
	for (char *c = line; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	snprintf(f->text + len, sizeof(f->text) - len, "%s%s", len ? "; " : "", line);
	return 0;
}

static void show_fdinfo(struct view *v, unsigned int row, int fd)
{
	struct fields f = { 0 };
	char path[48], word[24];
	int ret;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	ret = sys_each_line_of(v->fx.sys, AT_FDCWD, path, take_field, &f);
	snprintf(word, sizeof(word), "%u fields", f.nr);
	if (ret < 0)
		put_errno(v, row, ret, path);
	else if (f.nr)
		section_put(v->s, row, word, "%s", f.text);
	else
		section_put(v->s, row, "nothing", NULL);
}

static void show_proc(struct view *v)
{
	const int fd = v->a.link_fd >= 0 ? v->a.link_fd : v->a.event_fd;
	char path[48], text[64];
	ssize_t n;

	if (has_link(v, VIS_FDINFO))
		show_fdinfo(v, VIS_FDINFO, v->a.link_fd);
	show_fdinfo(v, VIS_EVENT_FDINFO, v->a.event_fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = sys_readlinkat(v->fx.sys, path, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (n < 0)
		put_errno(v, VIS_FD_NAME, n, path);
	else
		section_put(v->s, VIS_FD_NAME, strchr(text, ':') ? strchr(text, ':') + 1 : text,
			    "%s", text);
}

/* --- queries --- */

static void show_query(struct view *v, unsigned int row, int fd)
{
	struct task_fd_info info = { 0 };
	int ret = kernel_task_fd_query(v->fx.sys, getpid(), fd, &info);
	const char *name = sys_task_fd_type_name(info.fd_type);
	char word[32];

	if (ret < 0 && ret != -ENOSPC) {
		put_denied(v, row, ret, "BPF_TASK_FD_QUERY", __NR_bpf, BPF_TASK_FD_QUERY,
			   SYS_CAP(CAP_SYS_ADMIN));
		return;
	}
	inventory_word(name, "BPF_FD_TYPE_", info.fd_type, word, sizeof(word));
	section_put(v->s, row, info.prog_id == v->before.id ? word : "another",
		    "program %" PRIu32 ", %s, offset 0x%" PRIx64 ", address 0x%" PRIx64,
		    info.prog_id, info.name[0] ? info.name : "no name", info.offset, info.addr);
}

/*
 * struct perf_event_query_bpf:
 *
 *	0         4          8
 *	+---------+----------+-------------+
 *	| ids_len | prog_cnt | ids[] ...   |
 *	+---------+----------+-------------+
 */
static void show_query_bpf(struct view *v)
{
	enum { IDS = 64 };
	uint32_t query[2 + IDS] = { IDS };
	int ret =
		sys_ioctl(v->fx.sys, v->a.event_fd, PERF_EVENT_IOC_QUERY_BPF, (unsigned long)query);
	bool found = false;

	if (ret < 0) {
		put_denied(v, VIS_QUERY_BPF, ret, "PERF_EVENT_IOC_QUERY_BPF", __NR_ioctl,
			   PERF_EVENT_IOC_QUERY_BPF, SYS_CAP(CAP_PERFMON));
		return;
	}
	for (uint32_t i = 0; i < query[1] && i < IDS; i++)
		found |= query[2 + i] == v->before.id;
	section_put(v->s, VIS_QUERY_BPF, found ? "named" : "not named",
		    "%" PRIu32 " program%s, ours is number %" PRIu32, query[1],
		    query[1] == 1 ? "" : "s", v->before.id);
}

static void show_prog(struct view *v)
{
	const unsigned char *a = (const unsigned char *)&v->before, *b;
	struct bpf_prog_info after;
	int ret = kernel_prog_info(v->fx.sys, v->fx.prog.prog_fd, &after);
	size_t at = 0;

	b = (const unsigned char *)&after;
	if (ret < 0) {
		put_errno(v, VIS_PROG_INFO, ret, "BPF_OBJ_GET_INFO_BY_FD of the program");
		return;
	}
	/* These change if another process enabled run statistics (BPF_ENABLE_STATS). */
	after.run_time_ns = v->before.run_time_ns;
	after.run_cnt = v->before.run_cnt;
	after.recursion_misses = v->before.recursion_misses;
	while (at < sizeof(after) && a[at] == b[at])
		at++;
	if (at == sizeof(after))
		section_put(v->s, VIS_PROG_INFO, "the same",
			    "nothing in it shows that it is bound");
	else
		section_put(v->s, VIS_PROG_INFO, "differs", "from byte %zu on", at);
}

/* --- lists of all programs and links --- */

/* Return 1 if @is returns true for an object listed by @next, 0 if not, or -errno. */
static int find_id(struct view *v, int next, int open, bool (*is)(struct view *v, int fd))
{
	uint32_t id = 0;
	int ret, fd;

	while ((ret = kernel_next_id(v->fx.sys, next, &id)) >= 0) {
		fd = kernel_fd_by_id(v->fx.sys, open, id);
		if (fd == -ENOENT)
			continue;
		if (fd < 0)
			return fd;
		ret = is(v, fd);
		sys_close(v->fx.sys, fd);
		if (ret)
			return 1;
	}
	return ret == -ENOENT ? 0 : ret;
}

static bool is_prog(struct view *v, int fd)
{
	struct bpf_prog_info info;

	return kernel_prog_info(v->fx.sys, fd, &info) >= 0 && info.id == v->before.id;
}

static bool is_link(struct view *v, int fd)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);

	return kernel_fd_info(v->fx.sys, fd, &info, &len) >= 0 && info.prog_id == v->before.id;
}

static void put_listed(struct view *v, unsigned int row, int ret, int cmd, const char *call)
{
	if (ret < 0)
		put_denied(v, row, ret, call, __NR_bpf, cmd, SYS_CAP(CAP_SYS_ADMIN));
	else
		section_put(v->s, row, ret ? "listed" : "not listed", NULL);
}

/* --- bpftool --- */

static void list_by_tool(struct view *v, unsigned int row, const char *path, const char *what,
			 const char *key2)
{
	char *const argv[] = { "bpftool", "-j", (char *)what, "show", NULL };
	struct error err = { 0 };
	char *text;
	int ret = tool_run(v->fx.sys, path, argv, &text, &err);

	if (ret >= 0)
		ret = tool_lists(text, "prog_id", v->before.id, key2, getpid());
	if (ret >= 0)
		section_put(v->s, row, ret ? "listed" : "not listed", NULL);
	else
		section_put(v->s, row, "failed", "%s",
			    err.code ? err.what : "its output is not a JSON array");
	error_clear(&err);
	free(text);
}

static void list_by_bpftool(struct view *v)
{
	char path[PATH_MAX];

	if (tool_find(v->fx.sys, "bpftool", path, sizeof(path))) {
		list_by_tool(v, VIS_BPFTOOL_PERF, path, "perf", "pid");
		list_by_tool(v, VIS_BPFTOOL_LINK, path, "link", NULL);
		return;
	}
	section_put(v->s, VIS_BPFTOOL_PERF, "no bpftool", "it is not in any system directory");
	section_put(v->s, VIS_BPFTOOL_LINK, "no bpftool", "it is not in any system directory");
}

/* --- the whole section --- */

static int attach(struct view *v, struct error *err)
{
	int ret = fixture_open(&v->fx, NULL, &v->a, err);

	if (ret < 0)
		return ret;
	show_query(v, VIS_QUERY_UNBOUND, v->a.event_fd);
	ret = kernel_prog_info(v->fx.sys, v->fx.prog.prog_fd, &v->before);
	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD of the program: %s",
				 error_strerror(-ret));
	ret = fixture_bind(&v->fx, &v->a, v->fx.prog.prog_fd, err);
	return ret ? ret : fixture_enable(&v->fx, &v->a, err);
}

static void look(struct view *v)
{
	show_link(v);
	show_proc(v);
	show_query(v, VIS_QUERY, v->a.event_fd);
	if (has_link(v, VIS_QUERY_LINK))
		show_query(v, VIS_QUERY_LINK, v->a.link_fd);
	show_query_bpf(v);
	show_prog(v);
	put_listed(v, VIS_PROG_LISTED,
		   find_id(v, BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, is_prog),
		   BPF_PROG_GET_NEXT_ID, "BPF_PROG_GET_NEXT_ID");
	put_listed(v, VIS_LINK_LISTED,
		   find_id(v, BPF_LINK_GET_NEXT_ID, BPF_LINK_GET_FD_BY_ID, is_link),
		   BPF_LINK_GET_NEXT_ID, "BPF_LINK_GET_NEXT_ID");
	list_by_bpftool(v);
}

static void try_cell(void *arg, const struct compare_subject *subject,
		     const struct compare_cell *cell)
{
	struct view v = { .s = arg, .a = { .event_fd = -1, .link_fd = -1 } };
	struct error err = { 0 };
	int ret;

	compare_progress(subject, cell, "what the kernel reports");
	ret = fixture_begin(&v.fx, subject, cell, &err);
	if (!ret)
		ret = attach(&v, &err);
	if (!ret)
		look(&v);
	else
		section_rest(v.s, 0, VIS_NR - 1, &err);
	fixture_close(&v.fx, &v.a);
	fixture_end(&v.fx);
}

int compare_visibility(const struct compare_subject *s, struct json_object *event,
		       struct error *err)
{
	struct section section;
	int ret;

	if (!section_any_fires(s, event))
		return 0;
	ret = section_begin(&section, event, "visibility", "What the kernel reports of it", rows,
			    VIS_NR, err);
	return ret ? ret : section_each_fires(s, event, &section, try_cell, &section, err);
}
