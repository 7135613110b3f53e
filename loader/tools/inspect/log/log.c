// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the verifier's log, of any level, and follow the registers through it:
 *
 *	0: R1=ctx() R10=fp0			the whole state before an instruction
 *	0: (b7) r1 = 0		; R1=0		what the instruction has changed
 *	from 13 to 15: R0=scalar() R6=...	the state at the begin of another path
 *	frame1: R1=... R10=fp0			that of a function of the program
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/refused.h"
#include "loader/core/sys/file.h"
#include "loader/tools/inspect/log/log.h"

#define LOG_SIZE_MAX (64u << 20)
#define NR_SLOTS 64	/* of a stack; additional ones are left out */
#define NR_FRAMES 8	/* MAX_CALL_FRAMES of include/linux/bpf_verifier.h */

/* A part of the log: "R1=ctx()", "fp-8=mmmm????". */
struct span {
	const char *at;
	size_t size;	/* 0: not known */
};

struct state {
	struct span regs[11], slots[NR_SLOTS];
	unsigned int nr_slots;
};

struct reader {
	struct verifier_log *log;
	struct state frames[NR_FRAMES];
	unsigned int frame;
	bool no_memory;
};

/*
 * pload load indents the log: remove as many spaces from each line as the first line starts with.
 */
static void unindent(char *text)
{
	const size_t blanks = strspn(text, " ");
	char *to = text;

	for (const char *from = text; blanks && *from;) {
		const size_t own = strspn(from, " "), skip = own < blanks ? own : blanks;
		const size_t n = strcspn(from + skip, "\n");
		const bool ends = !from[skip + n];

		memmove(to, from + skip, n + 1);
		to += n + 1;
		from += skip + n + 1;
		if (ends)
			return;
	}
	if (blanks)
		*to = '\0';
}

void log_free(struct verifier_log *log)
{
	for (uint32_t i = 0; log->insns && i < log->nr_insns; i++)
		for (uint32_t v = 0; v < log->insns[i].nr_shown; v++)
			free(log->insns[i].shown[v].state);
	free(log->insns);
	free(log->seen);
	free(log->text);
	memset(log, 0, sizeof(*log));
}

/* Read "12: (85) ..." or "12: R0=...". Return what follows the colon, or NULL. */
static const char *insn_line(const char *line, uint32_t *insn)
{
	char *end;
	unsigned long n;

	if (!isdigit((unsigned char)*line))	/* strtoul() would skip all empty lines */
		return NULL;
	n = strtoul(line, &end, 10);
	if (strncmp(end, ": ", 2) || n >= UINT32_MAX)
		return NULL;
	*insn = n;
	return end + 2;
}

static bool has_code(const char *text, uint8_t *code)
{
	char *end;

	if (text[0] != '(' || strspn(text + 1, "0123456789abcdef") != 2)
		return false;
	*code = strtoul(text + 1, &end, 16);
	return *end == ')';
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Count the visits of each instruction. This finds the same visits each time. */
static void count_visits(struct verifier_log *log)
{
	const char *end = verifier_log_end(log->text);
	uint32_t insn;
	uint8_t code;

	for (const char *line = log->text; *line; line = next_line(line)) {
		const char *text = insn_line(line + strspn(line, " "), &insn);
		struct log_seen *seen;

		if (!text || !has_code(text, &code))
			continue;
		seen = &log->seen[insn < LOG_INSNS ? insn : 0];
		log->disagrees |= insn >= LOG_INSNS || (seen->known && seen->code != code);
		seen->known = true;
		seen->code = code;
		seen->visits += line < end;
		log->end = insn < log->end ? log->end : insn + 1;
	}
}

static int read_text(struct verifier_log *log, struct bytes bytes, struct error *err)
{
	log->text = strndup((const char *)bytes.data, bytes.size);
	log->seen = calloc(LOG_INSNS, sizeof(*log->seen));
	if (!log->text || !log->seen)
		return error_set(err, ENOMEM, "no memory for a log of %zu bytes", bytes.size);
	unindent(log->text);
	count_visits(log);
	log->room = LOG_STATE_LEAST + LOG_STATE_PER_BYTE * (uint64_t)bytes.size;
	return 0;
}

int log_open(struct verifier_log *log, struct inspect *in, const char *path, struct error *err)
{
	struct bytes bytes;
	struct file file = { 0 };
	int ret = file_open(&file, in->sys, path, LOG_SIZE_MAX, err);

	*log = (struct verifier_log){ .last = UINT32_MAX };
	if (!ret)
		ret = file.source.get(file.source.arg, 0, file.source.size, &bytes, err);
	if (!ret)
		ret = read_text(log, bytes, err);
	file_close(&file);
	if (!ret)
		return 0;
	error_reason_default(err, "inspect/log");
	if (!err->hint[0])
		error_hint(err, "it must be a verifier log, as pload load -v prints it");
	return error_where(err, "--log=%s", path);
}

bool log_matches(const struct verifier_log *log, const struct prog_code *code)
{
	if (log->disagrees || log->end > code->nr_insns)
		return false;
	for (uint32_t i = 0; i < log->end; i++)
		if (log->seen[i].known && log->seen[i].code != code->insns[i].code)
			return false;
	return true;
}

/* --- registers --- */

/* Return the length of the word at @s, which ends at a space outside parentheses. */
static size_t word_size(const char *s)
{
	size_t n = 0;
	int depth = 0;

	for (; s[n] && s[n] != '\n' && (s[n] != ' ' || depth > 0); n++)
		depth += s[n] == '(' ? 1 : s[n] == ')' ? -1 : 0;
	return n;
}

static void set_slot(struct state *s, struct span word)
{
	const size_t name = strcspn(word.at, "_=");
	unsigned int i = 0;

	while (i < s->nr_slots && (strcspn(s->slots[i].at, "_=") != name ||
				   strncmp(s->slots[i].at, word.at, name)))
		i++;
	if (i == NR_SLOTS)
		return;
	s->slots[i] = word;
	s->nr_slots += i == s->nr_slots;
}

/* "8=", "16_rw=": only short names are compared. */
static bool is_slot(const char *offset)
{
	const size_t n = strspn(offset, "0123456789");

	return n && n < 6 && (offset[n] == '=' || offset[n] == '_');
}

/* Update the registers and stack slots from @text, up to the end of the line. */
static void take(struct reader *r, const char *text)
{
	struct state *s = &r->frames[r->frame];

	for (size_t n; *text && *text != '\n'; text += n) {
		char *end;

		n = word_size(text);
		if (!n) {
			n = 1;
			continue;
		}
		if (!strncmp(text, "frame", 5) && isdigit((unsigned char)text[5])) {
			r->frame = (text[5] - '0') % NR_FRAMES;
			s = &r->frames[r->frame];
			memset(s, 0, sizeof(*s));
		} else if (text[0] == 'R' && isdigit((unsigned char)text[1])) {
			const unsigned long reg = strtoul(text + 1, &end, 10);

			if (reg <= 10 && (*end == '=' || *end == '_'))
				s->regs[reg] = (struct span){ text, n };
		} else if (!strncmp(text, "fp-", 3) && is_slot(text + 3) && memchr(text, '=', n)) {
			set_slot(s, (struct span){ text, n });
		}
	}
}

static void take_whole(struct reader *r, const char *text)
{
	r->frame = 0;
	memset(&r->frames[0], 0, sizeof(r->frames[0]));
	take(r, text);
}

static char *state_text(struct verifier_log *log, const struct state *s)
{
	size_t size = 1, n = 0;
	char *text;

	for (int i = 0; i < 11; i++)
		size += s->regs[i].size + 1;
	for (unsigned int i = 0; i < s->nr_slots; i++)
		size += s->slots[i].size + 1;
	if (size > log->room)
		return strdup("left out: the registers of this log would be too much text");
	log->room -= size;
	text = malloc(size);
	for (unsigned int i = 0; text && i < 11 + s->nr_slots; i++) {
		const struct span *span = i < 11 ? &s->regs[i] : &s->slots[i - 11];

		if (!span->size)
			continue;
		memcpy(text + n, span->at, span->size);
		n += span->size;
		text[n++] = ' ';
	}
	if (text)
		text[n ? n - 1 : 0] = '\0';
	return text;
}

/* --- visits --- */

/* Keep the first visits, and the last one. */
static void visit(struct reader *r, uint32_t insn, uint32_t line)
{
	struct log_insn *i = &r->log->insns[insn];
	struct log_visit *v = &i->shown[i->nr_shown];

	i->visits++;
	r->log->nr_visits++;
	r->log->last = insn;
	if (i->nr_shown >= LOG_VISITS - 1 && i->visits < r->log->seen[insn].visits)
		return;
	i->nr_shown++;
	*v = (struct log_visit){ i->visits, line, state_text(r->log, &r->frames[r->frame]) };
	r->no_memory |= !v->state;
}

static void read_line(struct reader *r, const char *line, uint32_t number)
{
	const char *text, *after;
	uint32_t insn;
	uint8_t code;

	line += strspn(line, " ");
	text = insn_line(line, &insn);
	if (text && has_code(text, &code) && insn < r->log->nr_insns) {
		visit(r, insn, number);
		after = memmem(text, strcspn(text, "\n"), "; ", 2);
		if (after)
			take(r, after + 2);
	} else if (text) {
		take_whole(r, text);
	} else if (!strncmp(line, "from ", 5)) {
		after = strchr(line, ':');
		take_whole(r, after ? after + 1 : line);
	} else if (!strncmp(line, "frame", 5)) {
		take(r, line);
	} else if (!strncmp(line, "to caller", 9)) {
		r->frame -= r->frame > 0;
	} else if (line[0] == 'R' && isdigit((unsigned char)line[1]) && strchr(line, '=') &&
		   strcspn(line, "=") < 6) {
		take(r, line);
	}
}

int log_read(struct verifier_log *log, const struct prog_code *code, struct error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	const char *end = verifier_log_end(log->text), *verdict;
	uint32_t insn;

	log->nr_insns = code->nr_insns;
	log->insns = calloc(code->nr_insns + UINT64_C(1), sizeof(*log->insns));
	if (r)
		r->log = log;
	for (const char *line = log->text; r && log->insns && *line && !r->no_memory;
	     line = next_line(line)) {
		log->nr_lines++;
		if (line < end)
			read_line(r, line, log->nr_lines);
	}
	verdict = verifier_log_last_lines(log->text, end, 1);
	verdict += strspn(verdict, " ");
	log->accepted = verdict >= end || insn_line(verdict, &insn) ||
			!isalpha((unsigned char)*verdict);
	snprintf(log->verdict, sizeof(log->verdict), "%.*s", (int)strcspn(verdict, "\n"), verdict);
	if (!r || !log->insns || r->no_memory) {
		free(r);
		return error_set(err, ENOMEM, "no memory for a log of %u lines", log->nr_lines);
	}
	free(r);
	return 0;
}
