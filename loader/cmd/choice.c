// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Alternatives: which events of "a,or=b" a program is attached to, and saying so. */
#include "loader/cmd/note.h"
#include "loader/cmd/session.h"
#include "loader/output/message.h"
#include "loader/output/value.h"

static void say_note(void *arg, const char *text)
{
	(void)arg;
	note("%s", text);
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

/* Whether two entries are tried together: the same program, the same choice, the same rank. */
static bool same_rank(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !b->point && a->spec.choice == b->spec.choice &&
	       a->spec.rank == b->spec.rank;
}

/* Whether @b is of the choice of @a, whatever its rank. */
static bool same_choice(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !b->point && a->spec.choice &&
	       a->spec.choice == b->spec.choice;
}

/* Attaches the entries from @first to @end, group by group; none of them when one fails. */
static int attach_rank(struct session *s, uint32_t first, uint32_t end, struct error *err)
{
	const unsigned int before = s->attachments.nr;
	int ret = 0;

	for (uint32_t i = first, next; !ret && i < end; i = next) {
		next = session_group_end(s, i);
		ret = session_attach_group(s, i, next, err);
	}
	if (ret < 0)
		attach_undo(s->sys, &s->attachments, before);
	return ret;
}

static void drop(struct session *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		s->plan.list[i].dropped = true;
}

/* The entries at @first were refused, as @err says: those at @next are taken instead. */
static int go_on(struct session *s, uint32_t first, uint32_t next, struct error *err)
{
	const struct plan_entry *list = s->plan.list;
	struct error why = *err;
	int ret;

	*err = (struct error){ 0 };
	drop(s, first, next);
	ret = say_instead(s, list[first].spec.text, list[next].spec.text, &why, err);
	error_clear(&why);
	return ret;
}

uint32_t session_choice_end(const struct session *s, uint32_t first)
{
	const struct plan_entry *list = s->plan.list;
	uint32_t end = first + 1;

	while (end < s->plan.nr && !list[first].point &&
	       (same_choice(&list[first], &list[end]) ||
		session_same_group(&list[first], &list[end])))
		end++;
	return end;
}

int session_attach_choice(struct session *s, uint32_t first, uint32_t end, struct error *err)
{
	const struct plan_entry *list = s->plan.list;
	uint32_t rank;
	int ret;

	for (;; first = rank) {
		for (rank = first + 1; rank < end && same_rank(&list[first], &list[rank]);)
			rank++;
		ret = attach_rank(s, first, rank, err);
		if (!ret || rank == end || event_failed_for_all(err))
			break;
		ret = go_on(s, first, rank, err);
		if (ret)
			return ret;
	}
	drop(s, rank, end);
	return ret;
}
