// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call the features' hooks while a session is planned and attached. */
#include "loader/core/session/session.h"

int plan_add_other(struct plan *plan, const struct options *o, const struct bpf_object *obj,
		   uint32_t prog, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->add)
			ret = f->plan->add(plan, o, obj, prog, err);
	return ret;
}

int plan_check(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
	       struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->check)
			ret = f->plan->check(o, obj, plan, err);
	return ret;
}

int plan_resolve(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		 const char *search, struct plan *plan, const struct event_expand_hooks *hooks,
		 struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->resolve)
			ret = f->plan->resolve(sys, o, obj, search, plan, hooks, err);
	return ret;
}

int plan_fill(struct loading *l, const struct plan *plan, const struct options *o,
	      struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->fill)
			ret = f->plan->fill(l, plan, o, err);
	return ret;
}

int plan_attach(struct session *s, uint32_t i, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->attach)
			ret = f->plan->attach(s, i, err);
	return ret;
}

int plan_run(struct session *s, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->plan && f->plan->run)
			ret = f->plan->run(s, err);
	return ret;
}

void plan_end(struct plan *plan)
{
	for (const struct feature *f = features; f->name; f++)
		if (f->plan && f->plan->end)
			f->plan->end(plan);
}

void plan_text(const struct options *o, const struct bpf_object *obj,
	       const struct plan_entry *entry, char *text, size_t size)
{
	text[0] = '\0';
	for (const struct feature *f = features; f->name; f++)
		if (f->plan && f->plan->text)
			f->plan->text(o, obj, entry, text, size);
}

struct event_expand_hooks plan_event_hooks(struct session *s)
{
	for (const struct feature *f = features; f->name; f++)
		if (f->plan && f->plan->event_hooks)
			return f->plan->event_hooks(s);
	return (struct event_expand_hooks){ .arg = s };
}

session_attach_fn *plan_attach_events(void)
{
	for (const struct feature *f = features; f->name; f++)
		if (f->plan && f->plan->attach_events)
			return f->plan->attach_events;
	return session_attach_event;
}
