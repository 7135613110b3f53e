// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that counts its runs on one event, by one method. */
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/base/text/kallsyms.h"
#include "test/regress/common/bound.h"
#include "test/regress/common/probed.h"

static void keep_note(void *arg, const char *text)
{
	struct bound *b = arg;
	const size_t len = strlen(b->noted);

	snprintf(b->noted + len, sizeof(b->noted) - len, "%s\n", text);
}

struct kernel_symbols *bound_symbols(struct regress *t)
{
	static struct kernel_symbols symbols;

	if (!symbols.sys)
		kernel_symbols_init(&symbols, t->sys);
	return &symbols;
}

int bound_try(struct regress *t, struct bound *b, const struct attach_method *method,
	      const char *event, pid_t pid, struct error *err)
{
	struct attach_request req = { .method = method, .spec = &b->spec, .scope = &b->scope,
				      .has_cookie = method->takes_cookie,
				      .cookie = method->takes_cookie ? BOUND_COOKIE : 0 };
	int ret;

	*b = (struct bound){ .method = method, .prog = { .map_fd = -1, .prog_fd = -1 } };
	b->set.probes.note = keep_note;
	b->set.probes.note_arg = b;
	b->set.probes.symbols = bound_symbols(t);
	ret = probed_resolve(t->sys, &b->spec, event, pid, err);
	if (ret == 0)
		ret = event_scope_init(t->sys, &b->scope, &(struct event_scope_options){ 0 }, err);
	if (ret == 0)
		ret = firing_prog_load(t->sys, &b->prog, event_prog_type(&b->spec), 1, err);
	req.prog_fd = b->prog.prog_fd;
	req.prog_type = b->prog.prog_type;
	b->set.enable = true;
	return ret < 0 ? ret : attach_prog(t->sys, &req, &b->set, err);
}

void bound_begin(struct regress *t, struct bound *b, const struct attach_method *method,
		 const char *event)
{
	struct error err = { 0 };

	regress_ok(t, bound_try(t, b, method, event, 0, &err), &err, "attach");
}

void bound_end(struct regress *t, struct bound *b)
{
	attach_close(t->sys, &b->set);
	firing_prog_close(t->sys, &b->prog);
	event_scope_free(t->sys, &b->scope);
}

struct firing_value bound_value(struct regress *t, const struct bound *b)
{
	struct firing_value value = { 0 };

	regress_ok(t, firing_prog_read(t->sys, &b->prog, &value), NULL, "reading the counter");
	return value;
}

uint64_t bound_runs(struct regress *t, const struct bound *b)
{
	return bound_value(t, b).own.runs;
}

uint64_t bound_during(struct regress *t, const struct bound *b, void (*work)(void),
		      unsigned int units)
{
	const uint64_t before = bound_runs(t, b);

	for (unsigned int i = 0; i < units; i++)
		work();
	return bound_runs(t, b) - before;
}
