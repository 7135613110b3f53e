// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs, maps, links and BTF that a test created, and that outlive it. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loader/base/calls/looking.h"
#include "loader/tools/inventory/inventory.h"
#include "loader/base/text/names.h"
#include "test/regress/harness/leaks.h"
#include "loader/base/kernel/kernel_calls.h"

#define SECOND UINT64_C(1000000000)

#define PINNED_NS (SECOND / 4)	/* after this time, look for pins of them in bpffs */

static const struct {
	int next, get;		/* bpf(2) commands */
	const char *what;
} kinds[NR_KINDS] = {
	[REGRESS_PROG] = { BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, "program" },
	[REGRESS_MAP] = { BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, "map" },
	[REGRESS_LINK] = { BPF_LINK_GET_NEXT_ID, BPF_LINK_GET_FD_BY_ID, "link" },
	[REGRESS_BTF] = { BPF_BTF_GET_NEXT_ID, BPF_BTF_GET_FD_BY_ID, "BTF" },
};

static void ids_add(struct ids *ids, uint32_t id)
{
	ids->list = reallocarray(ids->list, ids->nr + 1, sizeof(*ids->list));
	if (!ids->list)
		err(1, "no memory for ids");
	ids->list[ids->nr++] = id;
}

static int ids_read(struct sys *sys, enum regress_kind kind, struct ids *ids)
{
	uint32_t id = 0;
	int ret;

	while ((ret = kernel_next_id(sys, kinds[kind].next, &id)) == 0)
		ids_add(ids, id);
	/* Links have none before Linux 5.8. */
	return ret == -ENOENT || (ret == -EINVAL && kind == REGRESS_LINK) ? 0 : ret;
}

static int compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool ids_have(const struct ids *ids, uint32_t id)
{
	return ids->nr && bsearch(&id, ids->list, ids->nr, sizeof(id), compare);
}

static void ids_free(struct ids_before *before)
{
	for (int kind = 0; kind < NR_KINDS; kind++)
		free(before->kinds[kind].list);
	*before = (struct ids_before){ 0 };
}

int ids_begin(struct sys *sys, struct ids_before *before, bool all)
{
	uint32_t id = 0;
	int ret = 0;

	*before = (struct ids_before){ 0 };
	for (int kind = 0; ret == 0 && all && kind < NR_KINDS; kind++)
		ret = ids_read(sys, kind, &before->kinds[kind]);
	if (ret == 0)
		ret = kernel_next_id(sys, BPF_PROG_GET_NEXT_ID, &id);
	if (ret == 0 || ret == -ENOENT)
		return 0;
	ids_free(before);
	return ret;
}

/* Do not take a reference, which would keep it alive. */
static bool is_there(struct sys *sys, enum regress_kind kind, uint32_t id)
{
	uint32_t next = id - 1;

	return id && kernel_next_id(sys, kinds[kind].next, &next) == 0 && next == id;
}

/* Created by the kernel: a module was loaded. */
static bool is_kernels(struct sys *sys, enum regress_kind kind, uint32_t id)
{
	struct bpf_btf_info info = { 0 };
	uint32_t len = sizeof(info);
	int fd;

	if (kind != REGRESS_BTF)
		return false;
	fd = kernel_fd_by_id(sys, kinds[kind].get, id);
	if (fd >= 0 && kernel_fd_info(sys, fd, &info, &len) < 0)
		info.kernel_btf = 0;
	sys_close_fd(sys, &fd);
	return info.kernel_btf;
}

/*
 * Fill @now with the ids of new objects that still exist: all new ones if @all, and those that the
 * test created through the seam.
 */
static void left(struct sys *sys, const struct ids_before *before, bool all,
		 const struct regress_shared *shared, struct ids now[NR_KINDS])
{
	const unsigned int nr = shared->nr_made < REGRESS_MADE ? shared->nr_made : REGRESS_MADE;

	for (int kind = 0; all && kind < NR_KINDS; kind++) {
		struct ids ids = { 0 };

		ids_read(sys, kind, &ids);
		for (unsigned int i = 0; i < ids.nr; i++)
			if (!ids_have(&before->kinds[kind], ids.list[i]) &&
			    !is_kernels(sys, kind, ids.list[i]))
				ids_add(&now[kind], ids.list[i]);
		free(ids.list);
	}
	for (unsigned int i = 0; !all && i < nr; i++)
		if (shared->made[i].kind < NR_KINDS &&
		    is_there(sys, shared->made[i].kind, shared->made[i].id))
			ids_add(&now[shared->made[i].kind], shared->made[i].id);
	for (int kind = 0; kind < NR_KINDS; kind++)
		if (now[kind].nr)
			qsort(now[kind].list, now[kind].nr, sizeof(uint32_t), compare);
}

/* --- descriptions of an object --- */

static void describe_fd(struct sys *sys, enum regress_kind kind, int fd, char *text, size_t size)
{
	union {
		struct bpf_prog_info prog;
		struct bpf_map_info map;
		struct bpf_link_info link;
	} info;
	uint32_t len = kind == REGRESS_PROG ? sizeof(info.prog) :
		       kind == REGRESS_MAP ? sizeof(info.map) : sizeof(info.link);
	const char *type;

	memset(&info, 0, sizeof(info));
	text[0] = '\0';
	if (kind == REGRESS_BTF || kernel_fd_info(sys, fd, &info, &len) < 0)
		return;
	type = kind == REGRESS_PROG ? sys_prog_type_name(info.prog.type) :
	       kind == REGRESS_MAP ? sys_map_type_name(info.map.type) :
				     sys_link_type_name(info.link.type);
	if (kind == REGRESS_LINK)
		snprintf(text, size, " (%s, of program %u)", type ? type : "of a new type",
			 info.link.prog_id);
	else
		snprintf(text, size, " (%s '%s')", type ? type : "of a new type",
			 kind == REGRESS_PROG ? info.prog.name : info.map.name);
}

static enum regress_kind kind_of(enum inventory_kind kind)
{
	return kind == INVENTORY_PROG ? REGRESS_PROG :
	       kind == INVENTORY_MAP  ? REGRESS_MAP :
					REGRESS_LINK;
}

/* Fill @text with the holder of an object: a process, or a path in bpffs. */
static void holder_of(struct sys *sys, enum regress_kind kind, uint32_t id, char *text, size_t size)
{
	struct inventory a = { .sys = sys };
	struct error err = { 0 };

	text[0] = '\0';
	if (kind == REGRESS_BTF)
		return;
	inventory_read_pins(&a, &err);
	inventory_read_holders(&a, &err);
	for (uint32_t i = 0; i < a.nr_holders; i++)
		if (kind_of(a.holders[i].kind) == kind && a.holders[i].id == id)
			snprintf(text, size, ", held by process %d '%s'", a.holders[i].pid,
				 a.holders[i].comm);
	for (uint32_t i = 0; i < a.nr_pins; i++)
		if (kind_of(a.pins[i].kind) == kind && a.pins[i].id == id)
			snprintf(text, size, ", pinned at %s", a.pins[i].path);
	inventory_free(&a);
	error_clear(&err);
}

static void describe(struct sys *sys, enum regress_kind kind, uint32_t id, struct texts *found)
{
	char text[256] = "", holder[512];
	int fd = kernel_fd_by_id(sys, kinds[kind].get, id);

	if (fd >= 0)
		describe_fd(sys, kind, fd, text, sizeof(text));
	sys_close_fd(sys, &fd);
	holder_of(sys, kind, id, holder, sizeof(holder));
	texts_add(found, "%s %u%s%s", kinds[kind].what, id, text, holder);
}

/* Return whether a pin has one of them, or a process, if @processes count. */
static bool is_held(struct sys *sys, const struct ids now[NR_KINDS], bool processes)
{
	struct inventory a = { .sys = sys };
	struct error err = { 0 };
	bool found = false;

	inventory_read_pins(&a, &err);
	if (processes)
		inventory_read_holders(&a, &err);
	for (uint32_t i = 0; i < a.nr_holders; i++)
		found |= ids_have(&now[kind_of(a.holders[i].kind)], a.holders[i].id);
	for (uint32_t i = 0; i < a.nr_pins; i++)
		found |= ids_have(&now[kind_of(a.pins[i].kind)], a.pins[i].id);
	inventory_free(&a);
	error_clear(&err);
	return found;
}

/* The wait until a test's objects are freed. */
struct patience {
	struct sys_looking looking;
	const struct leaks_late *late;
	bool asked;		/* bpffs was searched for pins of them */
	bool longer;		/* nobody holds what is left, or the kernel says that it is late */
};

static bool has_time(struct sys *sys, const struct ids now[NR_KINDS], struct patience *p)
{
	if (sys_look_again(&p->looking))
		return true;
	if (p->longer || !p->late->is_late(p->late->arg, is_held(sys, now, true)))
		return false;
	p->longer = true;
	p->looking = sys_looking(regress_late_ns);
	return true;
}

/* Return whether to stop waiting: @now is empty, the time is up, or an object is pinned. */
static bool is_final(struct sys *sys, const struct ids now[NR_KINDS], struct patience *p)
{
	bool any = false;

	for (int kind = 0; kind < NR_KINDS; kind++)
		any |= now[kind].nr;
	if (!any || !has_time(sys, now, p))
		return true;
	if (p->asked || p->looking.left_ns > regress_patience_ns - PINNED_NS)
		return false;
	p->asked = true;
	return is_held(sys, now, false);
}

void ids_end(struct sys *sys, struct ids_before *before, bool all,
	     const struct regress_shared *shared, const struct leaks_late *late,
	     struct texts *found)
{
	struct patience patience = { .looking = sys_looking(regress_patience_ns), .late = late };
	struct timespec pause = { 0, 500000 };
	struct ids now[NR_KINDS] = { 0 };

	left(sys, before, all, shared, now);
	while (!is_final(sys, now, &patience)) {
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 50000000)
			pause.tv_nsec *= 2;
		for (int kind = 0; kind < NR_KINDS; kind++)
			free(now[kind].list);
		memset(now, 0, sizeof(now));
		left(sys, before, all, shared, now);
	}
	for (int kind = 0; kind < NR_KINDS; kind++) {
		for (unsigned int i = 0; i < now[kind].nr && found->nr < 20; i++)
			describe(sys, kind, now[kind].list[i], found);
		free(now[kind].list);
	}
	ids_free(before);
}
