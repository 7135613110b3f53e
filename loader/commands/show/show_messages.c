// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create the messages of pload show from the inventory. */
#include <string.h>

#include "loader/commands/show/show.h"
#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/base/text/names.h"

/* Return the ABI's name, or the number if its name is not known here. */
static struct json_object *name_or_number(const char *name, uint32_t number)
{
	return name ? json_object_new_string(name) : json_object_new_uint64(number);
}

/* --- holders --- */

static struct json_object *holder(pid_t pid, const char *comm, int fd)
{
	struct json_object *h = json_object_new_object();

	value_add_int(h, "pid", pid);
	value_add_string(h, "comm", comm);
	value_add_int(h, "fd", fd);
	return h;
}

static struct json_object *holders(const struct show *s, enum inventory_kind kind, uint32_t id)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < s->attached.nr_holders; i++) {
		const struct inventory_holder *h = &s->attached.holders[i];

		if (h->kind == kind && h->id == id)
			value_append(list, holder(h->pid, h->comm, h->fd));
	}
	return list;
}

static struct json_object *pins(const struct show *s, enum inventory_kind kind, uint32_t id)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < s->attached.nr_pins; i++) {
		const struct inventory_pin *pin = &s->attached.pins[i];

		if (pin->kind == kind && pin->id == id)
			value_append(list, json_object_new_string(pin->path));
	}
	return list;
}

static void add_held(const struct show *s, struct json_object *msg, enum inventory_kind kind,
		     uint32_t id)
{
	value_add(msg, "pins", pins(s, kind, id));
	value_add(msg, "holders", holders(s, kind, id));
}

/* A name has at most 15 bytes; a damaged one may lack the NUL. */
static struct json_object *prog_name(const struct bpf_prog_info *info)
{
	return json_object_new_string_len(info->name, strnlen(info->name, sizeof(info->name)));
}

static void add_prog_of(const struct show *s, struct json_object *msg, uint32_t id)
{
	const struct inventory_prog *prog = inventory_find_prog(&s->attached, id);

	value_add_uint(msg, "prog_id", id);
	if (prog)
		value_add(msg, "prog", prog_name(&prog->info));
}

/* --- links --- */

static struct json_object *field_value(const struct inventory_field *field)
{
	switch (field->kind) {
	case INVENTORY_TEXT:
		return json_object_new_string(field->text);
	case INVENTORY_HEX:
		return value_address(field->number);
	case INVENTORY_SIGNED:
		return json_object_new_int64(field->number);
	default:
		return json_object_new_uint64(field->number);
	}
}

static void add_target(struct json_object *msg, const struct inventory_target *target)
{
	value_add_string(msg, "where", target->unknown ? NULL : target->text);
	for (unsigned int i = 0; i < target->nr; i++)
		value_add(msg, target->fields[i].key, field_value(&target->fields[i]));
	value_add_uint(msg, "cookie", target->cookie);
}

/* List each function or location of a multi link with its cookie. */
static struct json_object *locations(const struct inventory_link *link)
{
	struct json_object *list = json_object_new_array(), *entry;

	for (uint32_t i = 0; i < link->nr_locations; i++) {
		entry = json_object_new_object();
		value_add(entry, "at", value_address(link->locations[i]));
		value_add_uint(entry, "cookie", link->cookies[i]);
		value_append(list, entry);
	}
	return list;
}

/* List the descriptors of the event that the link binds. */
static struct json_object *events_of(const struct show *s, uint32_t link)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < s->attached.nr_events; i++) {
		const struct inventory_event *e = &s->attached.events[i];

		if (e->link_id == link)
			value_append(list, holder(e->pid, e->comm, e->fd));
	}
	return list;
}

int show_link(struct show *s, const struct inventory_link *link, bool details, struct error *err)
{
	const struct bpf_link_info *info = &link->info;
	struct json_object *msg;
	struct inventory_target target;
	int ret = inventory_target_read(&s->names, link, &target, err);

	if (ret) {
		inventory_target_free(&target);
		return ret;
	}
	msg = message_new(details ? "link-details" : "link");
	value_add_uint(msg, "id", info->id);
	value_add(msg, "link_type", name_or_number(sys_link_type_name(info->type), info->type));
	add_prog_of(s, msg, info->prog_id);
	add_target(msg, &target);
	add_held(s, msg, INVENTORY_LINK, info->id);
	value_add(msg, "events", events_of(s, info->id));
	if (details && link->nr_locations)
		value_add(msg, "list", locations(link));
	inventory_target_free(&target);
	return output_message_as(s->out, msg, details ? show_print_details : show_print_link,
				 err);
}

/* --- programs --- */

static struct json_object *tag(const struct bpf_prog_info *info)
{
	return value_hex((struct bytes){ info->tag, sizeof(info->tag) });
}

static struct json_object *links_of(const struct show *s, uint32_t prog)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < s->attached.nr_links; i++)
		if (s->attached.links[i].info.prog_id == prog)
			value_append(list, json_object_new_uint64(s->attached.links[i].info.id));
	return list;
}

static uint32_t count_events(const struct show *s, uint32_t prog)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->attached.nr_events; i++)
		n += s->attached.events[i].info.prog_id == prog && !s->attached.events[i].link_id;
	return n;
}

static void add_prog_details(struct json_object *msg, const struct bpf_prog_info *info)
{
	value_add_uint(msg, "load_time_ns", info->load_time);
	value_add_uint(msg, "uid", info->created_by_uid);
	value_add_bool(msg, "gpl_compatible", info->gpl_compatible);
	value_add_uint(msg, "maps", info->nr_map_ids);
	value_add_uint(msg, "btf_id", info->btf_id);
	value_add_uint(msg, "xlated_bytes", info->xlated_prog_len);
	value_add_uint(msg, "jited_bytes", info->jited_prog_len);
	value_add_uint(msg, "verified_insns", info->verified_insns);
	value_add_uint(msg, "recursion_misses", info->recursion_misses);
}

int show_prog(struct show *s, const struct inventory_prog *prog, bool details, struct error *err)
{
	const struct bpf_prog_info *info = &prog->info;
	struct json_object *msg = message_new(details ? "program-details" : "program");

	value_add_uint(msg, "id", info->id);
	value_add(msg, "prog_type", name_or_number(sys_prog_type_name(info->type), info->type));
	value_add(msg, "name", prog_name(info));
	value_add(msg, "tag", tag(info));
	value_add_uint(msg, "run_cnt", info->run_cnt);
	value_add_uint(msg, "run_time_ns", info->run_time_ns);
	value_add(msg, "links", links_of(s, info->id));
	value_add_uint(msg, "events", count_events(s, info->id));
	if (details)
		add_prog_details(msg, info);
	add_held(s, msg, INVENTORY_PROG, info->id);
	return output_message_as(s->out, msg, details ? show_print_details : show_print_program,
				 err);
}

/* --- events without a link --- */

static int show_event(struct show *s, const struct inventory_event *e, struct error *err)
{
	struct json_object *msg = message_new("event");

	value_add(msg, "fd_type", name_or_number(sys_task_fd_type_name(e->info.fd_type),
						 e->info.fd_type));
	value_add_string(msg, "where", e->info.name);
	value_add(msg, "offset", value_address(e->info.offset));
	if (e->info.addr)
		value_add(msg, "addr", value_address(e->info.addr));
	add_prog_of(s, msg, e->info.prog_id);
	value_add_int(msg, "pid", e->pid);
	value_add_string(msg, "comm", e->comm);
	value_add_int(msg, "fd", e->fd);
	return output_message_as(s->out, msg, show_print_event, err);
}

/* --- all parts --- */

/* Print the headline of a table; only text has one. */
static int headline(struct show *s, const char *type, message_printer print, uint32_t nr,
		    struct error *err)
{
	struct json_object *msg;

	if (!nr || !s->out->format->digest)
		return 0;
	msg = message_new(type);
	value_add_uint(msg, "count", nr);
	return output_message_as(s->out, msg, print, err);
}

static int show_unseen(struct show *s, const struct inventory_unseen *u, struct error *err)
{
	struct json_object *msg = message_new("unseen");

	value_add_string(msg, "what", u->what);
	if (u->count)
		value_add_uint(msg, "count", u->count);
	if (u->pid) {
		value_add_int(msg, "pid", u->pid);
		value_add_string(msg, "comm", u->comm);
	}
	value_add_string(msg, "why", u->why);
	return output_message_as(s->out, msg, show_print_unseen, err);
}

static int show_total(struct show *s, uint32_t nr_events, struct error *err)
{
	struct json_object *msg = message_new("attached");

	value_add_uint(msg, "links", s->attached.nr_links);
	value_add_uint(msg, "events", nr_events);
	value_add_uint(msg, "programs", s->attached.nr_progs);
	value_add_uint(msg, "unseen", s->attached.nr_unseen);
	return output_message_as(s->out, msg, show_print_attached, err);
}

int show_parts(struct show *s, struct error *err)
{
	const struct inventory *a = &s->attached;
	uint32_t nr_events = 0;
	int ret = 0;

	for (uint32_t i = 0; i < a->nr_events; i++)
		nr_events += !a->events[i].link_id;
	if (s->parts & INVENTORY_LINKS)
		ret = headline(s, "links-begin", show_print_links_begin, a->nr_links, err);
	for (uint32_t i = 0; !ret && s->parts & INVENTORY_LINKS && i < a->nr_links; i++)
		ret = show_link(s, &a->links[i], false, err);
	if (!ret && s->parts & INVENTORY_EVENTS)
		ret = headline(s, "events-begin", show_print_events_begin, nr_events, err);
	for (uint32_t i = 0; !ret && s->parts & INVENTORY_EVENTS && i < a->nr_events; i++)
		ret = a->events[i].link_id ? 0 : show_event(s, &a->events[i], err);
	if (!ret && s->parts & INVENTORY_PROGS)
		ret = headline(s, "programs-begin", show_print_programs_begin, a->nr_progs, err);
	for (uint32_t i = 0; !ret && s->parts & INVENTORY_PROGS && i < a->nr_progs; i++)
		ret = show_prog(s, &a->progs[i], false, err);
	for (uint32_t i = 0; !ret && i < a->nr_unseen; i++)
		ret = show_unseen(s, &a->unseen[i], err);
	return ret ? ret : show_total(s, nr_events, err);
}
