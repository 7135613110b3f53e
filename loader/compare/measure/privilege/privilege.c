// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure which step of attaching is refused to a user with few or no capabilities. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/explain/denied/privilege.h"
#include "loader/compare/measure/privilege/attempt.h"

static const struct identity identities[] = {
	{ "none", "nobody", "with no capability", 0, false },
	{ "bpf", "CAP_BPF", "nobody with CAP_BPF", 1ull << CAP_BPF, false },
	{ "perfmon", "CAP_PERFMON", "nobody with CAP_PERFMON", 1ull << CAP_PERFMON, false },
	{ "both", "both", "nobody with CAP_BPF and CAP_PERFMON",
	  1ull << CAP_BPF | 1ull << CAP_PERFMON, false },
	{ "sys-admin", "CAP_SYS_ADMIN", "nobody with CAP_SYS_ADMIN", 1ull << CAP_SYS_ADMIN, false },
	{ "userns", "user namespace", "root in a user namespace of nobody's", 0, true },
};

#define NR_IDENTITIES (sizeof(identities) / sizeof(identities[0]))

/* The steps tried after a process has attached and then become nobody. */
enum { DROPPED_ENABLE, DROPPED_MMAP, DROPPED_READ, DROPPED_NR };

static const struct section_row dropped_rows[DROPPED_NR] = {
	{ "dropped-enable", "attached, then nobody: PERF_EVENT_IOC_ENABLE" },
	{ "dropped-mmap", "attached, then nobody: the event's ring" },
	{ "dropped-read", "attached, then nobody: the program's map" },
};

/* A row per identity, followed by one for each of its steps. */
#define ROWS_EACH (1 + STEP_RUNS)
#define ROW_DROPPED (NR_IDENTITIES * ROWS_EACH)
#define NR_ROWS (ROW_DROPPED + DROPPED_NR)

_Static_assert(NR_ROWS <= SECTION_ROWS, "there is room for all rows");

static const char *const step_whats[STEP_RUNS] = {
	"its type in sysfs or tracefs", "BPF_MAP_CREATE and BPF_PROG_LOAD", "perf_event_open",
	"SET_BPF or BPF_LINK_CREATE", "PERF_EVENT_IOC_ENABLE", "the event's ring",
};

struct privilege {
	struct section *s;
	struct fixture fx;
	struct attachment spare;	/* used by an identity that cannot open one */
	struct peer peers[NR_IDENTITIES];
};

/* --- in the other process --- */

static void report(struct peer *self, int step, int ret, const struct error *err)
{
	struct peer_message word = { .ret = ret < 0 ? ret : 0, .number = { step, 1 } };

	if (ret < 0)
		word.err = *err;
	peer_report(self, &word);
}

static void act(struct peer *self, void *arg)
{
	struct attempt *r = arg;
	bool failed = false;
	struct error err = { 0 };
	int ret = identity_become(self->sys, r->identity, &err);

	report(self, STEP_BECOME, ret, &err);
	for (int step = 0; ret >= 0 && step < STEP_NR; step++) {
		/* Runs prove nothing if the privileged process provided the program or event. */
		if (step == STEP_RUNS && failed)
			break;
		error_clear(&err);
		failed |= attempt_step(r, step, &err) < 0;
		report(self, step, err.code, &err);
	}
}

/* Attach everything, and then become nobody. */
static void act_dropped(struct peer *self, void *arg)
{
	struct attempt *r = arg;
	struct error err = { 0 };
	struct firing_value value;
	int ret = fixture_open(r->fx, NULL, &r->a, &err);

	if (!ret)
		ret = fixture_bind(r->fx, &r->a, r->fx->prog.prog_fd, &err);
	if (!ret)
		ret = identity_become(self->sys, r->identity, &err);
	report(self, STEP_BECOME, ret, &err);
	if (ret < 0)
		return;
	report(self, DROPPED_ENABLE, attempt_step(r, STEP_ENABLE, &err), &err);
	report(self, DROPPED_MMAP, attempt_step(r, STEP_MMAP, &err), &err);
	ret = firing_prog_read(self->sys, &r->fx->prog, &value);
	if (ret < 0)
		error_set(&err, -ret, "BPF_MAP_LOOKUP_ELEM: %s", error_strerror(-ret));
	report(self, DROPPED_READ, ret, &err);
}

/* --- here --- */

/* Receive the report of @step: *@ret is 0 or -errno. Return false if there is none. */
static bool hear(struct peer *peer, int step, int *ret, struct error *err)
{
	struct peer_message word = { .number = { -1, 0 } };

	*ret = peer_receive(peer, &word, err);
	return word.number[1] && word.number[0] == step;
}

static void put_step(struct section *s, unsigned int row, int ret, struct error *err)
{
	if (ret < 0)
		section_refused(s, row, err);
	else
		section_put(s, row, "ok", NULL);
}

/* Return true if it bound the fixture's program, having none of its own. */
static bool hear_steps(struct peer *peer, struct section *s, unsigned int row)
{
	struct error err = { 0 };
	bool loaned = false;
	int ret, step;

	if (!hear(peer, STEP_BECOME, &ret, &err) || ret < 0) {
		section_untried(s, row, row + STEP_RUNS, &err);
		return false;
	}
	for (step = 0; step < STEP_NR; step++) {
		if (step == STEP_RUNS && s->answered[row])
			return loaned;
		if (!hear(peer, step, &ret, &err)) {
			section_rest(s, row, row + STEP_RUNS, &err);
			return loaned;
		}
		loaned |= step == STEP_LOAD && ret < 0;
		if (ret < 0)
			attempt_put_failure(s, row, step, &err);
		if (step < STEP_RUNS)
			put_step(s, row + 1 + step, ret, &err);
		error_clear(&err);
	}
	section_put(s, row, "runs", NULL);
	return loaned;
}

/*
 * The end of a process takes a while, so wait for it only if it bound the fixture's program to a
 * tracing event: otherwise the next identity could not bind it (EEXIST).
 */
static bool has_bound_ours(const struct privilege *p, const struct attempt *r)
{
	return r->loaned_prog && event_is_tracing(p->fx.s->spec);
}

static void try_identity(struct privilege *p, unsigned int i)
{
	struct attempt r = { .fx = &p->fx, .identity = &identities[i], .spare = &p->spare };
	const unsigned int row = i * ROWS_EACH;
	struct error err = { 0 };

	r.prog = (struct firing_prog){ .map_fd = -1, .prog_fd = -1 };
	r.a = (struct attachment){ .event_fd = -1, .link_fd = -1 };
	if (fixture_open(&p->fx, NULL, &p->spare, &err) < 0 ||
	    peer_begin(&p->peers[i], p->fx.sys, act, &r, &err) < 0) {
		section_rest(p->s, row, row + STEP_RUNS, &err);
	} else {
		r.loaned_prog = hear_steps(&p->peers[i], p->s, row);
		if (has_bound_ours(p, &r))
			peer_end(&p->peers[i], false);
	}
	fixture_close(&p->fx, &p->spare);
}

static void try_dropped(struct privilege *p)
{
	struct attempt r = { .fx = &p->fx, .identity = &identities[0] };
	struct error err = { 0 };
	struct peer peer;
	int ret = peer_begin(&peer, p->fx.sys, act_dropped, &r, &err);
	bool heard = !ret && hear(&peer, STEP_BECOME, &ret, &err) && !ret;

	for (int i = 0; heard && i < DROPPED_NR; i++) {
		heard = hear(&peer, i, &ret, &err);
		if (heard)
			put_step(p->s, ROW_DROPPED + i, ret, &err);
	}
	if (!heard)
		section_untried(p->s, ROW_DROPPED, NR_ROWS - 1, &err);
	peer_end(&peer, false);
}

static void try_cell(void *arg, const struct compare_subject *subject,
		     const struct compare_cell *cell)
{
	struct privilege p = { .s = arg };
	struct error err = { 0 };
	int ret;

	compare_progress(subject, cell, "who may attach");
	for (unsigned int i = 0; i < NR_IDENTITIES; i++)
		p.peers[i] = (struct peer){ .sys = subject->sys, .tell_fd = -1, .hear_fd = -1 };
	ret = fixture_begin(&p.fx, subject, cell, &err);
	if (ret < 0)
		section_rest(p.s, 0, NR_ROWS - 1, &err);
	for (unsigned int i = 0; !ret && i < NR_IDENTITIES && !compare_stopped(subject); i++)
		try_identity(&p, i);
	if (!ret && !compare_stopped(subject))
		try_dropped(&p);
	for (unsigned int i = 0; i < NR_IDENTITIES; i++)
		peer_end(&p.peers[i], false);
	fixture_end(&p.fx);
}

static const struct section_row *make_rows(struct section_row rows[NR_ROWS],
					   char texts[NR_ROWS][2][96])
{
	unsigned int row = 0;

	for (unsigned int i = 0; i < NR_IDENTITIES; i++) {
		rows[row++] = (struct section_row){ identities[i].id, identities[i].what };
		for (int step = 0; step < STEP_RUNS; step++, row++) {
			snprintf(texts[row][0], sizeof(texts[row][0]), "%s-%s", identities[i].id,
				 attempt_steps[step]);
			snprintf(texts[row][1], sizeof(texts[row][1]), "%s: %s", identities[i].name,
				 step_whats[step]);
			rows[row] = (struct section_row){ texts[row][0], texts[row][1] };
		}
	}
	memcpy(&rows[row], dropped_rows, sizeof(dropped_rows));
	return rows;
}

int compare_privilege(const struct compare_subject *s, struct json_object *event,
		      struct error *err)
{
	struct section_row rows[NR_ROWS];
	char texts[NR_ROWS][2][96];
	struct section section;
	int ret;

	if (!section_any_fires(s, event))
		return 0;
	ret = section_begin(&section, event, "privilege", "Who may do it", make_rows(rows, texts),
			    NR_ROWS, err);
	return ret ? ret : section_each_fires(s, event, &section, try_cell, &section, err);
}
