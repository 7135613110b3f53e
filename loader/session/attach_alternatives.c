// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Alternatives: which events of "a,or=b" a program is attached to, and saying so. */
#include <errno.h>
#include <stdlib.h>

#include "loader/session/session.h"
#include "loader/output/message.h"
#include "loader/output/value.h"

static void say_note(void *arg, const char *text)
{
	const struct session *s = arg;

	note(s->out, "%s", text);
}

/* Never silent: it is a message of its own, wherever the output goes. */
static int say_instead(void *arg, const char *wanted, const char *taken, const struct error *why,
		       struct error *err)
{
	struct session *s = arg;
	struct json_object *msg = message_new("instead");

	if (msg && value_add(msg, "wanted", json_object_new_string(wanted)) &&
	    value_add(msg, "taken", json_object_new_string(taken)) &&
	    value_add(msg, "why", json_object_new_string(why->what)) &&
	    (why->reason ? value_add(msg, "reason", json_object_new_string(why->reason)) :
			   value_add_null(msg, "reason")))
		return output_message(s->out, msg, err);
	json_object_put(msg);
	return output_message(s->out, NULL, err);
}

struct event_say session_say(struct session *s)
{
	return (struct event_say){ say_note, say_instead, s };
}

/*
 * Entries of the plan that are attached together: a group, with the choices in it, or one choice,
 * or one event.
 */
struct unit {
	struct plan_entry *list;	/* borrowed */
	uint32_t nr;
};

/* Whether @b is of the choice of @a, whatever its rank. */
static bool same_choice(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !b->target && a->spec.choice &&
	       a->spec.choice == b->spec.choice;
}

/* The first rank that is left of the choice of @entry is what is tried. */
static bool is_tried(const struct unit *u, const struct plan_entry *entry)
{
	if (entry->dropped)
		return false;
	for (uint32_t i = 0; i < u->nr; i++)
		if (!u->list[i].dropped && same_choice(&u->list[i], entry))
			return u->list[i].spec.rank == entry->spec.rank;
	return true;
}

/* The indexes in the plan of those that are tried, into @tried. Returns how many. */
static uint32_t list_tried(const struct unit *u, uint32_t first, uint32_t *tried)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->nr; i++)
		if (is_tried(u, &u->list[i]))
			tried[n++] = first + i;
	return n;
}

/* What comes after the rank of @entry in its choice; NULL: nothing. */
static const struct plan_entry *next_rank(const struct unit *u, const struct plan_entry *entry)
{
	for (uint32_t i = 0; i < u->nr; i++)
		if (same_choice(&u->list[i], entry) && u->list[i].spec.rank > entry->spec.rank)
			return &u->list[i];
	return NULL;
}

/* @entry was refused, as @err says: @next is taken instead of all of its rank. */
static int go_on(struct session *s, struct unit *u, const struct plan_entry *entry,
		 const struct plan_entry *next, struct error *err)
{
	struct error why = *err;
	int ret;

	*err = (struct error){ 0 };
	for (uint32_t i = 0; i < u->nr; i++)
		if (same_choice(&u->list[i], entry) && u->list[i].spec.rank == entry->spec.rank)
			u->list[i].dropped = true;
	ret = say_instead(s, entry->spec.text, next->spec.text, &why, err);
	error_clear(&why);
	return ret;
}

static int attach_unit(struct session *s, struct unit *u, uint32_t first, uint32_t *tried,
		       struct error *err)
{
	for (;;) {
		const uint32_t nr = list_tried(u, first, tried);
		const struct plan_entry *failed, *next;
		unsigned int which;
		int ret = attach_event_groups(s, tried, nr, &which, err);

		if (!ret)
			break;
		failed = &s->plan.list[tried[which]];
		next = next_rank(u, failed);
		if (!next || event_failed_for_all(err))
			return ret;
		ret = go_on(s, u, failed, next, err);
		if (ret)
			return ret;
	}
	for (uint32_t i = 0; i < u->nr; i++)
		u->list[i].dropped = !is_tried(u, &u->list[i]);
	return 0;
}

uint32_t alternatives_end(const struct session *s, uint32_t first)
{
	const struct plan_entry *list = s->plan.list;
	uint32_t end = first + 1;

	while (end < s->plan.nr && !list[first].target &&
	       (same_choice(&list[first], &list[end]) ||
		session_same_group(&list[first], &list[end])))
		end++;
	return end;
}

int attach_alternatives(struct session *s, uint32_t first, uint32_t end, struct error *err)
{
	struct unit u = { &s->plan.list[first], end - first };
	uint32_t *tried = calloc(u.nr, sizeof(*tried));
	int ret;

	if (!tried)
		return error_set(err, ENOMEM, "no memory for a group of events");
	ret = attach_unit(s, &u, first, tried, err);
	free(tried);
	return ret;
}
