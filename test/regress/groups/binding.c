// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which program an event takes, how many, and what it says otherwise. */
#include "loader/trial/trial.h"
#include "test/regress/harness/regress.h"

/* A counting event of this thread with the program bound by a method. */
struct bound {
	struct event_spec spec;
	struct event_scope scope;
	struct trial_prog prog;
	struct attach_set set;
};

static void bind_it(struct regress *t, struct bound *b, const char *method)
{
	const struct event_scope_options asked = { 0 };
	struct attach_request req;
	struct error err = { 0 };

	*b = (struct bound){ 0 };
	regress_ok(t, event_parse(&b->spec, "page-faults,period=1", &err), &err, "event");
	regress_ok(t, event_scope_init(t->sys, &b->scope, &asked, &err), &err, "scope");
	regress_ok(t, trial_prog_load(t->sys, &b->prog, event_prog_type(&b->spec), 1, &err), &err,
		   "program");
	req = (struct attach_request){ .method = attach_method_find(method, NULL), .spec = &b->spec,
				       .scope = &b->scope, .prog_fd = b->prog.prog_fd,
				       .prog_type = b->prog.prog_type };
	regress_ok(t, attach_prog(t->sys, &req, &b->set, &err), &err, method);
}

static void give_back(struct regress *t, struct bound *b)
{
	attach_close(t->sys, &b->set);
	trial_prog_close(t->sys, &b->prog);
	event_scope_free(t->sys, &b->scope);
}

static void second_is_eexist(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EEXIST" } };
	const struct attach_method *method = attach_method_find(t->data, NULL);
	struct attachment again;
	struct bound b;

	bind_it(t, &b, t->data);
	again = (struct attachment){ .event_fd = b.set.list[0].event_fd, .link_fd = -1 };
	regress_answer(t, "", regress_errno(method->bind(t->sys, &again, b.prog.prog_fd, 0, NULL)),
		       rows, NR(rows));
	give_back(t, &b);
}

static const struct regress_test tests[] = {
	{ "a second program by ioctl is EEXIST", second_is_eexist, "ioctl", 0 },
	{ "a second program by link is EEXIST", second_is_eexist, "link", 0 },
	{ 0 }
};

const struct regress_group regress_group_binding = {
	"binding", "which program an event takes, how many, and what it says otherwise", tests, NULL
};
