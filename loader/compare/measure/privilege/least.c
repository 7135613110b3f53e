// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measure the minimal privileges with which each cell can be attached. It must run with all
 * capabilities below; those it can do without are dropped one by one. The rest is minimal: without
 * any of it some step is refused, and the detail of the answer names that step.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/explain/denied/privilege.h"
#include "loader/base/text/names.h"
#include "loader/compare/measure/privilege/attempt.h"
#include "loader/compare/measure/privilege/privilege.h"
#include "loader/compare/measure/sections/section.h"

/* Drop the most powerful ones first. */
static const struct {
	const char *name;
	unsigned int cap;
} candidates[] = {
	{ "CAP_SYS_ADMIN", CAP_SYS_ADMIN },
	{ "CAP_DAC_OVERRIDE", CAP_DAC_OVERRIDE },
	{ "CAP_DAC_READ_SEARCH", CAP_DAC_READ_SEARCH },
	{ "CAP_PERFMON", CAP_PERFMON },
	{ "CAP_BPF", CAP_BPF },
};

#define NR_CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

enum { LEAST_CAPS, LEAST_TOKEN, LEAST_NR };

static const struct section_row rows[LEAST_NR] = {
	[LEAST_CAPS] = { "capabilities", "nobody, with these capabilities" },
	[LEAST_TOKEN] = { "token", "in a user namespace, with a token and these" },
};

struct least {
	struct section *s;
	struct fixture fx;
	const struct delegation *delegation;	/* NULL: without a token */
	uint64_t caps;				/* to be tried */
	/* A process that had an event ends slowly, so wait for all only after all have run. */
	struct peer peers[LEAST_NR * (1 + NR_CANDIDATES)];
	unsigned int nr_peers;
};

/* In the other process: take all steps up to the first refused one, and report that. */
static void act(struct peer *self, void *arg)
{
	const struct least *l = arg;
	const struct identity identity = { .caps = l->caps };
	struct peer_message word = { .number = { STEP_BECOME, 0 } };
	struct fixture fx = l->fx;
	struct attempt r = { .fx = &fx };
	struct token_sys token;

	r.prog = (struct firing_prog){ .map_fd = -1, .prog_fd = -1 };
	r.a = (struct attachment){ .event_fd = -1, .link_fd = -1 };
	if (l->delegation) {
		word.ret = token_enter(&token, self->sys, l->delegation, l->caps, &word.err);
		fx.sys = &token.sys;
	} else {
		word.ret = identity_become(self->sys, &identity, &word.err);
	}
	for (int step = 0; word.ret >= 0 && step < STEP_NR; step++) {
		word.number[0] = step;
		word.ret = attempt_step(&r, step, &word.err);
	}
	word.ret = word.ret < 0 ? word.ret : 0;
	peer_report(self, &word);
}

/* Return 0 if it runs with @caps, or -errno with *@step set to the refused step. */
static int try_caps(struct least *l, uint64_t caps, int *step, struct error *err)
{
	struct peer *peer = &l->peers[l->nr_peers++];
	struct peer_message word = { .number = { STEP_BECOME, 0 } };
	int ret;

	l->caps = caps;
	ret = peer_begin(peer, l->fx.sys, act, l, err);
	if (!ret)
		ret = peer_receive(peer, &word, err);
	*step = word.number[0];
	return ret;
}

static void add_word(char *text, size_t size, const char *separator, const char *word)
{
	const size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? separator : "", word);
}

static void find_least(struct least *l, unsigned int row, const struct compare_subject *subject)
{
	char word[128] = "", detail[512] = "", step_text[96];
	struct error err = { 0 };
	uint64_t caps = 0;
	int step;

	for (size_t i = 0; i < NR_CANDIDATES; i++)
		caps |= 1ull << candidates[i].cap;
	if (try_caps(l, caps, &step, &err) < 0) {
		if (step == STEP_BECOME)
			section_untried(l->s, row, row, &err);
		else
			attempt_put_failure(l->s, row, step, &err);
		error_clear(&err);
		return;
	}
	for (size_t i = 0; i < NR_CANDIDATES && !compare_stopped(subject); i++) {
		const uint64_t without = caps & ~(1ull << candidates[i].cap);

		if (!try_caps(l, without, &step, &err)) {
			caps = without;
			continue;
		}
		attempt_failure(step, &err, step_text, sizeof(step_text));
		add_word(word, sizeof(word), " ", candidates[i].name);
		add_word(detail, sizeof(detail), "; ", "without ");
		add_word(detail, sizeof(detail), "", candidates[i].name);
		add_word(detail, sizeof(detail), ": ", step_text);
		error_clear(&err);
	}
	section_put(l->s, row, word[0] ? word : "none", detail[0] ? "%s" : NULL, detail);
}

struct least_arg {
	struct section *s;
	const struct delegation *delegation;
	const struct error *why;	/* there is none */
};

static void try_cell(void *arg, const struct compare_subject *subject,
		     const struct compare_cell *cell)
{
	const struct least_arg *with = arg;
	struct least l = { .s = with->s };
	struct error err = { 0 };
	int ret;

	compare_progress(subject, cell, "the least privileges");
	ret = fixture_begin(&l.fx, subject, cell, &err);
	if (ret < 0)
		section_rest(l.s, 0, LEAST_NR - 1, &err);
	if (!ret)
		find_least(&l, LEAST_CAPS, subject);
	l.delegation = with->delegation;
	if (!ret && l.delegation)
		find_least(&l, LEAST_TOKEN, subject);
	for (unsigned int i = 0; i < l.nr_peers; i++)
		peer_end(&l.peers[i], false);
	fixture_end(&l.fx);
	if (!ret && !l.delegation) {
		err = *with->why;
		err.log = NULL;	/* owned by @with->why */
		section_untried(l.s, LEAST_TOKEN, LEAST_TOKEN, &err);
	}
}

int compare_least(const struct compare_subject *s, struct json_object *event, struct error *err)
{
	struct error why = { 0 };
	struct delegation d;
	struct section section;
	struct least_arg arg = { &section, NULL, &why };
	int ret;

	if (!section_any_fires(s, event))
		return 0;
	ret = section_begin(&section, event, "least", "The least that works", rows, LEAST_NR, err);
	if (!ret && delegation_open(s->sys, &d, &why) >= 0)
		arg.delegation = &d;
	if (!ret)
		ret = section_each_fires(s, event, &section, try_cell, &arg, err);
	if (arg.delegation)
		delegation_close(s->sys, &d);
	error_clear(&why);
	return ret;
}
