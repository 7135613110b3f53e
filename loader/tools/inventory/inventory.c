// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the inventory: all links and programs by id, and their holders. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"
#include "loader/tools/inventory/inventory_internal.h"
#include "loader/base/kernel/kernel_calls.h"

void *inventory_grow(void *array, uint32_t nr, size_t size)
{
	void **list = array;
	char *grown = array_grow(*list, nr, size);

	if (!grown)
		return NULL;
	*list = grown;
	return memset(grown + nr * size, 0, size);
}

int inventory_add_unseen(struct inventory *a, const char *what, uint32_t count, const char *fmt,
			 ...)
{
	struct inventory_unseen *u = inventory_grow(&a->unseen, a->nr_unseen, sizeof(*u));
	va_list ap;

	if (!u)
		return -ENOMEM;
	*u = (struct inventory_unseen){ .what = what, .count = count };
	va_start(ap, fmt);
	vsnprintf(u->why, sizeof(u->why), fmt, ap);
	va_end(ap);
	a->nr_unseen++;
	return 0;
}

int inventory_add_denied(struct inventory *a, unsigned int part, const char *what, const char *call,
			 int cmd, int code)
{
	const struct sys_asked asked = {
		.room = SYS_SHOW, .call = call, .caps = SYS_CAP(CAP_SYS_ADMIN),
		.nr = __NR_bpf, .request = cmd,
	};

	struct error why = { 0 };

	sys_denied(a->sys, &asked, -code, &why);
	if (!a->refused)
		a->why = why;
	a->refused |= part;
	return inventory_add_unseen(a, what, 0, "%s", why.what);
}

/* --- ids --- */

static int add_link(struct inventory *a, int fd)
{
	struct inventory_link *link = inventory_grow(&a->links, a->nr_links, sizeof(*link));
	int ret;

	if (!link)
		return -ENOMEM;
	ret = inventory_link_read(a->sys, fd, link);
	a->nr_links += !ret;
	return ret;
}

static int add_prog(struct inventory *a, int fd)
{
	struct inventory_prog *prog = inventory_grow(&a->progs, a->nr_progs, sizeof(*prog));
	int ret;

	if (!prog)
		return -ENOMEM;
	ret = kernel_prog_info(a->sys, fd, &prog->info);
	a->nr_progs += ret >= 0;
	return ret;
}

static const struct ids {
	unsigned int part;
	const char *what, *since, *call;
	int next, open;
	int (*add)(struct inventory *a, int fd);
} link_ids = { INVENTORY_LINKS, "links", "5.8", "BPF_LINK_GET_NEXT_ID", BPF_LINK_GET_NEXT_ID,
	       BPF_LINK_GET_FD_BY_ID, add_link },
  prog_ids = { INVENTORY_PROGS, "programs", "4.13", "BPF_PROG_GET_NEXT_ID", BPF_PROG_GET_NEXT_ID,
	       BPF_PROG_GET_FD_BY_ID, add_prog };

static int add_refused_ids(struct inventory *a, const struct ids *ids, int code)
{
	if (code == -EPERM || code == -EACCES || code == -ENOSYS)
		return inventory_add_denied(a, ids->part, ids->what, ids->call, ids->next, code);
	if (code == -EINVAL)
		return inventory_add_unseen(a, ids->what, 0,
					    "they have ids only since Linux %s", ids->since);
	return inventory_add_unseen(a, ids->what, 0, "%s", error_strerror(-code));
}

/* Skip objects that disappear between two calls (ENOENT); count refused ones. */
static int read_ids(struct inventory *a, const struct ids *ids)
{
	uint32_t id = 0, refused = 0;
	int ret, last = 0;

	for (uint32_t before = 0; (ret = kernel_next_id(a->sys, ids->next, &id)) >= 0;) {
		int fd, code;

		if (id <= before)	/* otherwise this might never end */
			return inventory_add_unseen(a, ids->what, 0, "their ids are not in "
								     "ascending order");
		before = id;
		code = fd = kernel_fd_by_id(a->sys, ids->open, id);
		if (fd >= 0)
			code = ids->add(a, fd);
		sys_close_fd(a->sys, &fd);
		if (code == -ENOMEM)
			return code;
		refused += code < 0 && code != -ENOENT;
		last = code < 0 && code != -ENOENT ? code : last;
	}
	if (ret < 0 && ret != -ENOENT)
		return ret == -ENOMEM ? ret : add_refused_ids(a, ids, ret);
	return refused ? inventory_add_unseen(a, ids->what, refused, "%s", error_strerror(-last)) :
			 0;
}

const struct inventory_prog *inventory_find_prog(const struct inventory *a, uint32_t id)
{
	for (uint32_t i = 0; i < a->nr_progs; i++)
		if (a->progs[i].info.id == id)
			return &a->progs[i];
	return NULL;
}

const struct inventory_link *inventory_find_link(const struct inventory *a, uint32_t id)
{
	for (uint32_t i = 0; i < a->nr_links; i++)
		if (a->links[i].info.id == id)
			return &a->links[i];
	return NULL;
}

/* --- the link of each event --- */

/*
 * The kernel reports the name since Linux 6.6. On older kernels, only the program can be compared.
 */
static bool is_of_event(const struct inventory_link *link, const struct inventory_event *e)
{
	return link->info.type == BPF_LINK_TYPE_PERF_EVENT &&
	       link->info.prog_id == e->info.prog_id &&
	       (!link->name || !strcmp(link->name, e->info.name));
}

static void match_events(struct inventory *a)
{
	for (uint32_t e = 0; e < a->nr_events; e++) {
		for (uint32_t i = 0; i < a->nr_links && !a->events[e].link_id; i++) {
			if (a->links[i].has_event || !is_of_event(&a->links[i], &a->events[e]))
				continue;
			a->links[i].has_event = true;
			a->events[e].link_id = a->links[i].info.id;
		}
	}
}

/* --- programs without a visible holder --- */

static bool is_seen_held(const struct inventory *a, uint32_t prog)
{
	for (uint32_t i = 0; i < a->nr_links; i++)
		if (a->links[i].info.prog_id == prog)
			return true;
	for (uint32_t i = 0; i < a->nr_events; i++)
		if (a->events[i].info.prog_id == prog)
			return true;
	for (uint32_t i = 0; i < a->nr_holders; i++)
		if (a->holders[i].kind == INVENTORY_PROG && a->holders[i].id == prog)
			return true;
	for (uint32_t i = 0; i < a->nr_pins; i++)
		if (a->pins[i].kind == INVENTORY_PROG && a->pins[i].id == prog)
			return true;
	return false;
}

/*
 * A program without a visible holder is either gone because its process exited, or held by
 * something that has no descriptor.
 */
static int find_unheld(struct inventory *a)
{
	uint32_t nr = 0, unheld = 0;

	for (uint32_t i = 0; i < a->nr_progs; i++) {
		const uint32_t id = a->progs[i].info.id;
		const bool held = is_seen_held(a, id);
		int fd = held ? 0 : kernel_fd_by_id(a->sys, BPF_PROG_GET_FD_BY_ID, id);

		if (fd == -ENOENT)
			continue;
		a->progs[nr++] = a->progs[i];
		unheld += !held;
		if (!held)
			sys_close_fd(a->sys, &fd);
	}
	a->nr_progs = nr;
	if (!unheld)
		return 0;
	return inventory_add_unseen(a, "holders of programs", unheld,
				    "a program array, tc, a socket or another process may");
}

int inventory_read(struct sys *sys, struct inventory *a, struct error *err)
{
	int ret;

	*a = (struct inventory){ .sys = sys };
	ret = read_ids(a, &link_ids);
	if (!ret)
		ret = read_ids(a, &prog_ids);
	if (ret)
		return error_set(err, ENOMEM, "no memory for the inventory");
	ret = inventory_read_holders(a, err);
	if (!ret)
		ret = inventory_read_pins(a, err);
	if (ret)
		return ret;
	match_events(a);
	return find_unheld(a) ? error_set(err, ENOMEM, "no memory for the inventory") : 0;
}

void inventory_free(struct inventory *a)
{
	for (uint32_t i = 0; i < a->nr_links; i++)
		inventory_link_free(&a->links[i]);
	for (uint32_t i = 0; i < a->nr_pins; i++)
		free(a->pins[i].path);
	free(a->links);
	free(a->progs);
	free(a->holders);
	free(a->pins);
	free(a->events);
	free(a->unseen);
	*a = (struct inventory){ .sys = a->sys };
}
