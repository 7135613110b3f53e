// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Wait until links end, some time after their last pin and descriptor are gone, or find their
 * holders.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/pinned/remove.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/base/kernel/kernel_calls.h"

/*
 * The kernel drops an inode's last reference after an RCU grace period, and unregisters each
 * tracepoint or probe in another: this takes milliseconds for one link, and tenths of a second for
 * many.
 */
#define LINK_TIMEOUT_NS (10 * UINT64_C(1000000000))
#define PROG_TIMEOUT_NS (2 * UINT64_C(1000000000))	/* another owner may hold it */
#define HOLDERS_AFTER_NS (200 * UINT64_C(1000000))	/* then look for holders */
#define STEP_MS 1

static int add(struct removal_ids *set, uint32_t id)
{
	uint32_t *ids;

	if (set->nr && set->ids[set->nr - 1] == id)	/* links of one program are adjacent */
		return 0;
	ids = array_grow(set->ids, set->nr, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	set->ids = ids;
	ids[set->nr++] = id;
	return 0;
}

int removal_expect(struct removal *d, uint32_t id, uint32_t prog, struct error *err)
{
	if (add(&d->links, id) || (prog && add(&d->progs, prog)))
		return error_set(err, ENOMEM, "no memory for the ids of links");
	return 0;
}

void removal_free(struct removal *d)
{
	free(d->links.ids);
	free(d->progs.ids);
	d->links = d->progs = (struct removal_ids){ 0 };
}

/*
 * Return 1 if the id exists, 0, or -errno (-EPERM without privilege). Iterate over ids, because
 * opening the object by id would take a reference and could keep it alive.
 */
static int id_exists(struct sys *sys, int cmd, uint32_t id)
{
	uint32_t next = id - 1;
	int ret = kernel_next_id(sys, cmd, &next);

	if (ret == -ENOENT)
		return 0;
	return ret < 0 ? ret : next == id;
}

/* Remove ids that no longer exist. Return the number of remaining ones, or -errno. */
static int forget_gone(struct sys *sys, int cmd, struct removal_ids *set)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < set->nr; i++) {
		int ret = id_exists(sys, cmd, set->ids[i]);

		if (ret < 0)
			return ret;
		if (ret)
			set->ids[left++] = set->ids[i];
	}
	set->nr = left;
	return left;
}

static bool is_held(const struct inventory *a, enum inventory_kind kind, uint32_t id)
{
	for (uint32_t i = 0; i < a->nr_holders; i++)
		if (a->holders[i].kind == kind && a->holders[i].id == id)
			return true;
	for (uint32_t i = 0; i < a->nr_pins; i++)
		if (a->pins[i].kind == kind && a->pins[i].id == id)
			return true;
	return false;
}

static bool all_held(const struct inventory *a, enum inventory_kind kind,
		     const struct removal_ids *set)
{
	for (uint32_t i = 0; i < set->nr; i++)
		if (!is_held(a, kind, set->ids[i]))
			return false;
	return true;
}

/* Read the holders once: do not wait for processes that open the link later. */
static int read_holders(struct inventory *a, bool *have_read, struct error *err)
{
	int ret;

	if (*have_read)
		return 0;
	*have_read = true;
	ret = inventory_read_holders(a, err);
	return ret ? ret : inventory_read_pins(a, err);
}

/*
 * Wait until none of @set exist, all remaining ones have other holders, or @timeout_ns has passed.
 */
static int wait_for(struct removal *d, enum inventory_kind kind, struct removal_ids *set,
		    uint64_t timeout_ns, struct inventory *a, bool *have_read, struct error *err)
{
	const int cmd = kind == INVENTORY_LINK ? BPF_LINK_GET_NEXT_ID : BPF_PROG_GET_NEXT_ID;
	const uint64_t begin = sys_monotonic_ns();
	int ret;

	while ((ret = forget_gone(d->sys, cmd, set)) > 0) {
		const uint64_t passed = sys_monotonic_ns() - begin;

		if (passed >= HOLDERS_AFTER_NS) {
			ret = read_holders(a, have_read, err);
			if (ret || all_held(a, kind, set) || passed >= timeout_ns)
				return ret;
		}
		sys_poll(d->sys, NULL, 0, STEP_MS);
	}
	return ret;
}

static int wait_for_all(struct removal *d, struct inventory *a, struct error *err)
{
	bool have_read = false;
	int ret = wait_for(d, INVENTORY_LINK, &d->links, LINK_TIMEOUT_NS, a, &have_read, err);

	if (!ret && !d->links.nr)
		ret = wait_for(d, INVENTORY_PROG, &d->progs, PROG_TIMEOUT_NS, a, &have_read, err);
	return ret;
}

/* --- message --- */

static struct json_object *holders_of(const struct inventory *a, uint32_t id)
{
	struct json_object *list = json_object_new_array();
	char text[128];

	for (uint32_t i = 0; i < a->nr_holders; i++) {
		const struct inventory_holder *h = &a->holders[i];

		if (h->kind != INVENTORY_LINK || h->id != id)
			continue;
		snprintf(text, sizeof(text), "%s[%d] fd %d", h->comm, h->pid, h->fd);
		value_append(list, json_object_new_string(text));
	}
	for (uint32_t i = 0; i < a->nr_pins; i++)
		if (a->pins[i].kind == INVENTORY_LINK && a->pins[i].id == id)
			value_append(list, json_object_new_string(a->pins[i].path));
	return list;
}

static struct json_object *left(const struct removal *d, const struct inventory *a)
{
	struct json_object *list = json_object_new_array(), *entry;

	for (uint32_t i = 0; i < d->links.nr; i++) {
		entry = json_object_new_object();
		value_add_uint(entry, "id", d->links.ids[i]);
		value_add(entry, "held_by", holders_of(a, d->links.ids[i]));
		value_append(list, entry);
	}
	return list;
}

/* @unsure: this process may not read whether the links have ended. */
static int print_detached(struct removal *d, const char *what, const struct inventory *a,
			  bool unsure, struct error *err)
{
	struct json_object *msg = message_new("detached");

	value_add_string(msg, "what", what);
	value_add_uint(msg, "links", d->nr_links);
	value_add_uint(msg, "programs", d->nr_progs);
	value_add_uint(msg, "maps", d->nr_maps);
	value_add_uint(msg, "others", d->nr_others);
	value_add_bool(msg, "dir_stays", d->stays);
	if (unsure)
		value_add_null(msg, "left");
	else
		value_add(msg, "left", left(d, a));
	return output_message_as(d->out, msg, removal_print_text, err);
}

int removal_finish(struct removal *d, const char *what, struct error *err)
{
	struct inventory a = { .sys = d->sys };
	int ret = wait_for_all(d, &a, err);
	const bool unsure = ret < 0 && ret != -ENOMEM;

	if (ret != -ENOMEM)
		ret = print_detached(d, what, &a, unsure, err);
	else if (!err->code)
		error_set(err, ENOMEM, "no memory to wait for links");
	d->failed |= (!unsure && d->links.nr) || d->nr_others;
	inventory_free(&a);
	removal_free(d);
	d->nr_links = d->nr_progs = d->nr_maps = d->nr_others = 0;
	d->stays = false;
	return ret;
}
