// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Translate the verifier's verdict and the path that led to it into source lines, which .BTF.ext
 * has for each instruction.
 */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/diagnosis.h"

/* The maximum number of notes, more than most readers want to see. */
#define NOTES_MAX 12

struct diagnosis {
	const struct kernel_object *k;
	const struct prog_code *code;
	const char *log;
	struct verifier_path path;
	const struct verdict *verdict;	/* NULL: unknown here */
	char line[256];		/* end of the log, including the verdict */
	int reg;		/* the offending register, or -1 */
	struct mark {		/* steps of the path to note, in any order */
		uint32_t step;
		char text[160];
	} marks[NOTES_MAX];
	unsigned int nr_marks;
	bool more;		/* branches were omitted */
	char what[128], hint[256];	/* better than the verdict's; or "" */
	char name[128];			/* name of the register's value; or "" */
};

static void mark(struct diagnosis *d, uint32_t step, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void mark(struct diagnosis *d, uint32_t step, const char *fmt, ...)
{
	struct mark *m = &d->marks[d->nr_marks];
	va_list ap;

	if (d->nr_marks == NOTES_MAX)
		return;
	d->nr_marks++;
	m->step = step;
	va_start(ap, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	va_end(ap);
}

/* --- the verdict --- */

/* Return true for lines that describe states, between an instruction and the verdict. */
static bool is_state(const char *line)
{
	static const char *const begins[] = {
		";", " ", "cur state:", "old state:", "from ", "mark_precise:", "regs=", "parent ",
		"last_idx ", "arg#", "caller:", "callee:", "processed ", "Validating ", "func#",
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	return isdigit((unsigned char)line[0]) || !line[0];
}

/* Find the line with the verdict: the first known one, otherwise the last one. */
static bool find_verdict(struct diagnosis *d, const char *end)
{
	const struct verifier_path *p = &d->path;
	const char *at = p->nr ? d->log + p->steps[p->nr - 1].at :
				 verifier_log_last_lines(d->log, end, 4), *next;
	char line[sizeof(d->line)];

	d->reg = -1;
	for (; at < end; at = next) {
		next = at + strcspn(at, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)(next - at), at);
		next += *next == '\n';
		if (is_state(line))
			continue;
		if (d->reg < 0)
			d->reg = verdict_register(line);
		if (d->verdict)
			continue;
		memcpy(d->line, line, sizeof(line));
		d->verdict = verdict_find(line);
	}
	return d->line[0];
}

/* Find the instruction that the verdict is about. Return false if there is none. */
static bool find_insn(const struct diagnosis *d, uint32_t *insn)
{
	const char *named = strstr(d->line, " insn ");

	if (named && isdigit((unsigned char)named[6])) {
		*insn = strtoul(named + 6, NULL, 10);
		return *insn < d->code->nr_insns;
	}
	*insn = d->path.nr ? d->path.steps[d->path.nr - 1].insn : 0;
	return d->path.nr || (d->verdict && d->verdict->flags & VERDICT_PROGRAM);
}

/* --- the path --- */

/* Functions that invalidate their argument, and functions that move a packet. */
static const char *const releases[] = { "bpf_ringbuf_submit", "bpf_ringbuf_discard",
					"bpf_sk_release" };
static const char *const moves[] = {
	"bpf_xdp_adjust_head", "bpf_xdp_adjust_tail", "bpf_xdp_adjust_meta", "bpf_skb_pull_data",
	"bpf_skb_change_head", "bpf_skb_change_tail", "bpf_skb_change_proto", "bpf_skb_vlan_push",
	"bpf_skb_vlan_pop", "bpf_skb_adjust_room", "bpf_skb_store_bytes", "bpf_clone_redirect",
	"bpf_l3_csum_replace", "bpf_l4_csum_replace", "bpf_msg_pull_data", "bpf_msg_push_data",
	"bpf_msg_pop_data",
};

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Return true if a register on the line of @step points into a packet. */
static bool reads_packet(const struct diagnosis *d, uint32_t step)
{
	const char *line = d->log + d->path.steps[step].at;
	const char *found = strstr(line, "=pkt(");

	return found && found < line + strcspn(line, "\n");
}

/*
 * A pointer that turned into a number: find the call after @from that invalidated it. Return true
 * if found.
 */
static bool mark_end_of_pointer(struct diagnosis *d, struct verifier_origin from)
{
	const bool packet = from.kind == ORIGIN_LOAD && reads_packet(d, from.step);
	char name[64];

	for (uint32_t i = from.step + 1; i + 1 < d->path.nr; i++) {
		verifier_path_call(&d->path, i, name, sizeof(name));
		if (packet && is_one_of(name, moves, sizeof(moves) / sizeof(moves[0]))) {
			mark(d, i, "%s() moves the packet", name);
			snprintf(d->hint, sizeof(d->hint), "after %s(), reload ctx->data and "
							   "ctx->data_end, and compare them again",
							   name);
			return true;
		}
		if (is_one_of(name, releases, sizeof(releases) / sizeof(releases[0])) &&
		    from.kind == ORIGIN_CALL) {
			struct verifier_origin passed =
				verifier_path_origin(&d->path, i, BPF_REG_1, VERDICT_NULL);

			if (passed.kind != ORIGIN_CALL || passed.step != from.step)
				continue;
			mark(d, i, "%s() takes back the memory", name);
			snprintf(d->hint, sizeof(d->hint), "do not use memory after passing it to "
							   "%s()",
				 name);
			return true;
		}
	}
	return false;
}

static void mark_register(struct diagnosis *d, uint32_t step, const char *text)
{
	const bool offset = d->verdict && d->verdict->flags & VERDICT_OFFSET;

	mark(d, step, "%sR%d %s", offset ? "the offset of " : "", d->reg, text);
}

/* Mark the origin of the register's value. */
static void mark_origin(struct diagnosis *d)
{
	const unsigned int flags = d->verdict ? d->verdict->flags : 0;
	const struct verifier_origin o =
		verifier_path_origin(&d->path, d->path.nr - 1, d->reg, flags);
	const struct naming naming = { d->k->object, d->code, &d->path };
	char text[160], name[64] = "", from[76];

	origin_name(&naming, &o, from, sizeof(from));
	if (!(flags & VERDICT_OFFSET))
		value_name(&naming, d->reg, d->name, sizeof(d->name));
	switch (o.kind) {
	case ORIGIN_UNKNOWN:
		return;
	case ORIGIN_CALL:
		verifier_path_call(&d->path, o.step, name, sizeof(name));
		snprintf(text, sizeof(text), "comes from %s%s%s%s", name[0] ? name : "this call",
			 name[0] ? "()" : "", from[0] ? " with " : "", from);
		if (flags & VERDICT_NULL && name[0])
			snprintf(d->hint, sizeof(d->hint),
				 "%s() may return NULL: compare with NULL before using it", name);
		break;
	case ORIGIN_LOAD:
		snprintf(text, sizeof(text), "is read here%s%s", from[0] ? " from " : "", from);
		break;
	case ORIGIN_CONSTANT:
		snprintf(text, sizeof(text), "is set here%s%s", from[0] ? " to " : "", from);
		break;
	case ORIGIN_CLOBBERED:
		snprintf(text, sizeof(text), "loses its value in this call");
		break;
	case ORIGIN_ARGUMENT:
		snprintf(text, sizeof(text), "is argument %d of the function%s%s", o.reg,
			 from[0] ? ", " : "", from);
		if (flags & VERDICT_NULL)
			snprintf(d->hint, sizeof(d->hint), "a global function is verified for all "
							   "possible callers: compare its "
							   "argument with NULL first");
		break;
	}
	mark_register(d, o.kind == ORIGIN_ARGUMENT ? 0 : o.step, text);
	if (flags & VERDICT_NUMBER)
		mark_end_of_pointer(d, o);
}

/* Mark the call that acquired the unreleased reference. */
static void mark_acquired(struct diagnosis *d)
{
	const char *at = strstr(d->line, "alloc_insn=");
	const uint32_t insn = strtoul(at + strlen("alloc_insn="), NULL, 10);
	char name[64];

	for (uint32_t i = d->path.nr; i > 0; i--) {
		if (d->path.steps[i - 1].insn != insn)
			continue;
		verifier_path_call(&d->path, i - 1, name, sizeof(name));
		mark(d, i - 1, "acquired by %s%s", name[0] ? name : "this call",
		     name[0] ? "()" : "");
		if (name[0])
			snprintf(d->what, sizeof(d->what),
				 "the program exits without releasing what %s() returned", name);
		if (!strcmp(name, "bpf_ringbuf_reserve"))
			snprintf(d->hint, sizeof(d->hint), "pass it to bpf_ringbuf_submit() or "
				 "bpf_ringbuf_discard() before each return");
		return;
	}
}

static void mark_lock(struct diagnosis *d)
{
	char name[64];

	for (uint32_t i = d->path.nr; i > 0; i--) {
		verifier_path_call(&d->path, i - 1, name, sizeof(name));
		if (strcmp(name, "bpf_spin_lock") != 0)
			continue;
		mark(d, i - 1, "%s() takes the lock", name);
		return;
	}
}

/* Return true if the branch is already marked: loops take it repeatedly. */
static bool is_marked(const struct diagnosis *d, uint32_t step, const char *text)
{
	for (unsigned int i = 0; i < d->nr_marks; i++)
		if (d->path.steps[d->marks[i].step].insn == d->path.steps[step].insn &&
		    !strcmp(d->marks[i].text, text))
			return true;
	return false;
}

/* Mark the branches that lead to the failure, last one first. */
static void mark_branches(struct diagnosis *d)
{
	char text[sizeof(d->marks[0].text)];

	for (uint32_t i = d->path.nr; i > 0 && !d->more; i--) {
		if (!verifier_path_branch(&d->path, i - 1, text, sizeof(text)) ||
		    is_marked(d, i - 1, text))
			continue;
		d->more = d->nr_marks == NOTES_MAX;
		mark(d, i - 1, "%s", text);
	}
}

static int by_step(const void *a, const void *b)
{
	const struct mark *l = a, *r = b;

	return (l->step > r->step) - (l->step < r->step);
}

static void mark_path(struct diagnosis *d)
{
	if (!d->path.nr || (d->verdict && d->verdict->flags & (VERDICT_LOCATION | VERDICT_PROGRAM)))
		return;
	if (d->reg >= 0)
		mark_origin(d);
	else if (strstr(d->line, "alloc_insn="))
		mark_acquired(d);
	else if (d->verdict && d->verdict->flags & VERDICT_LOCK)
		mark_lock(d);
	mark_branches(d);
	qsort(d->marks, d->nr_marks, sizeof(d->marks[0]), by_step);
}

/* --- the notes --- */

static void set_location(const struct diagnosis *d, struct error_note *note, uint32_t insn,
			 const char *line)
{
	const struct source_line source = prog_code_line(d->k->object, d->code, insn, NULL);

	note->insn = insn;
	source_line_note(&source, note);
	if (note->line || !line)
		return;
	line += strcspn(line, "(");
	snprintf(note->source, sizeof(note->source), "%.*s", (int)strcspn(line, ";\n"), line);
	for (size_t n = strlen(note->source); n && note->source[n - 1] == ' '; n--)
		note->source[n - 1] = '\0';
}

static const char *step_line(const struct diagnosis *d, uint32_t step)
{
	return d->log + d->path.steps[step].at;
}

/* Add the value's name to the register: "R2 (variable 'n') may be negative". */
static void add_name(const struct diagnosis *d, char *text, size_t size)
{
	char reg[8], rest[256];
	char *at;

	snprintf(reg, sizeof(reg), "R%d", d->reg);
	at = d->name[0] && d->verdict && d->verdict->what ? strstr(text, reg) : NULL;
	if (!at)
		return;
	at += strlen(reg);
	snprintf(rest, sizeof(rest), "%s", at);
	snprintf(at, size - (at - text), " (%.100s)%.120s", d->name, rest);
}

static void add_notes(const struct diagnosis *d, uint32_t insn, struct error *err)
{
	const bool at_end = d->path.nr && d->path.steps[d->path.nr - 1].insn == insn;
	struct error_note *notes = calloc(2 + d->nr_marks, sizeof(*notes));
	unsigned int nr = 1;
	char call[64] = "";

	if (!notes)
		return;	/* the log remains */
	if (at_end)
		verifier_path_call(&d->path, d->path.nr - 1, call, sizeof(call));
	set_location(d, &notes[0], insn, at_end ? step_line(d, d->path.nr - 1) : NULL);
	if (d->what[0])
		snprintf(notes[0].text, sizeof(notes[0].text), "%s", d->what);
	else if (d->verdict || !verifier_log_section(d->log, "Reason", UINT_MAX, notes[0].text,
						sizeof(notes[0].text)))
		verdict_text(d->verdict, d->line, call, notes[0].text, sizeof(notes[0].text));
	add_name(d, notes[0].text, sizeof(notes[0].text));
	if (d->more)
		snprintf(notes[nr++].text, sizeof(notes[0].text),
			 "earlier branches omitted: -v prints the whole log");
	for (unsigned int i = 0; i < d->nr_marks; i++, nr++) {
		const uint32_t step = d->marks[i].step;

		set_location(d, &notes[nr], d->path.steps[step].insn, step_line(d, step));
		snprintf(notes[nr].text, sizeof(notes[nr].text), "%s", d->marks[i].text);
	}
	error_notes(err, notes, nr);
}

void kernel_diagnose(const struct kernel_object *k, const struct prog_code *code, struct error *err)
{
	struct diagnosis d = { .k = k, .code = code, .log = err ? err->log : NULL };
	const char *end = d.log ? verifier_log_end(d.log) : NULL;
	uint32_t insn;

	if (!d.log || verifier_path_read(&d.path, d.log, end, code))
		return;
	if (find_verdict(&d, end) && find_insn(&d, &insn)) {
		mark_path(&d);
		add_notes(&d, insn, err);
		if (d.hint[0] && !strstr(d.log, "\nSuggestion:\n"))
			error_hint(err, "%s", d.hint);
	}
	verifier_path_free(&d.path);
}
