// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shortens a life that shows a difference, and prints it in words, as a C program, and as a regression test. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "test/regress/harness/parts.h"
#include "test/regress/random/walk.h"

static const char *const op_names[] = {
#define OP_NAME(name) #name,
	OPS(OP_NAME)
};

static const char *const event_names[NR_TYPES] = { "tracepoint", "uprobe", "uretprobe",
						   "page-faults", "breakpoint" };
static const char *const prog_names[NR_PROG_TYPES] = { "tracepoint", "kprobe", "perf_event" };

/* --- in words --- */

struct words {
	char *text;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void put(struct words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->text + w->len, w->size - w->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		w->len = w->len + n < w->size ? w->len + n : w->size - 1;
}

static void put_open(struct words *w, const struct op *op)
{
	put(w, " fd %d: %s, ", op->fd, event_names[op->what]);
	if (op->other < 0)
		put(w, "of the CPU");
	else
		put(w, "of process %d", op->other);
	if (op->n)
		put(w, ", period %u", op->n);
	if (op->fd2 >= 0)
		put(w, ", in the group of fd %d", op->fd2);
	put(w, "%s%s", op->flags & INHERIT ? ", inherit" : "",
	    op->flags & DISABLED ? ", disabled" : "");
}

static void put_rest(struct words *w, const struct op *op)
{
	switch (op->code) {
	case OP_PROG_LOAD:
		put(w, " fd %d: %s, returns %d", op->fd, prog_names[op->what],
		    !!(op->flags & RETURNS_1));
		if (op->fd2 >= 0)
			put(w, ", with the map fd %d", op->fd2);
		break;
	case OP_LINK_CREATE:
		put(w, " fd %d: event fd %d, program fd %d, cookie %u", op->fd, op->fd2, op->other,
		    op->n);
		break;
	case OP_MODIFY:
		put(w, " fd %d: variable %d, period %u%s%s", op->fd, op->what, op->n,
		    op->flags & INHERIT ? ", inherit" : "",
		    op->flags & DISABLED ? ", disabled" : "");
		break;
	case OP_TASK_QUERY:
		put(w, " fd %d of process %d", op->fd, op->other);
		break;
	case OP_GETFD:
		put(w, " fd %d = fd %d of process %d", op->fd, op->fd2, op->other);
		break;
	case OP_DUP:
		put(w, " fd %d = fd %d", op->fd, op->fd2);
		break;
	case OP_PIN:
	case OP_OBJ_GET:
		put(w, " fd %d, pin %d", op->fd, op->what);
		break;
	case OP_UNPIN:
		put(w, " pin %d", op->what);
		break;
	case OP_FORK:
	case OP_KILL:
		put(w, " process %d", op->other);
		break;
	case OP_FIRE:
		put(w, " %s, %u times", event_names[op->what], op->n);
		if (op->what == BREAKPOINT)
			put(w, ", variable %d", op->fd);
		break;
	default:
		if (op->fd >= 0)
			put(w, " fd %d", op->fd);
		if (op->fd2 >= 0)
			put(w, ", fd %d", op->fd2);
		if (op->code == OP_REFRESH || op->code == OP_PERIOD)
			put(w, ", %u", op->n);
		put(w, "%s", op->flags & GROUP ? ", the group" : "");
	}
}

const char *report_op(const struct op *op, char *text, size_t size)
{
	struct words w = { text, size, 0 };

	put(&w, "process %d: %s", op->who, op_names[op->code]);
	if (op->code == OP_OPEN)
		put_open(&w, op);
	else
		put_rest(&w, op);
	return text;
}

const char *report_fact(const struct fact *fact, char *text, size_t size)
{
	static const char *const names[NR_FACTS_WHAT] = {
		[COUNT] = "the event counts", [IS_PROG] = "its program is", [IS_MAP] = "it is map",
		[IS_LINK] = "it is link", [OF_PROG] = "it is a link of program",
		[COOKIE] = "its cookie is", [LINK_EVENT_TYPE] = "the type of its event is",
		[PROG_TYPE] = "its type is", [NR_PROG_MAPS] = "the number of its maps is",
	};

	if (fact->what == RUNS)
		snprintf(text, size, "program %d runs %" PRIu64 " times with cookie %" PRIu64,
			 fact->object, fact->value, fact->key);
	else if (fact->what == BOUND)
		snprintf(text, size, "program %d is bound", fact->object);
	else
		snprintf(text, size, "%s %" PRId64, names[fact->what], (int64_t)fact->value);
	return text;
}

/* --- shortening --- */

enum {
	TRIES = 3,		/* so often a difference has to show to be none of chance */
	SHORTEN_SECONDS = 30,	/* what an object that stays shows only after a wait is not shortened for hours */
};

bool report_shows(struct walk *w, const struct life *life, struct difference *d)
{
	for (int i = 0; i < TRIES; i++) {
		walk_again(w, life, d);
		if (!d->is)
			return false;
	}
	return true;
}

static void cut(struct life *to, const struct life *from, unsigned int at, unsigned int nr)
{
	*to = *from;
	memmove(&to->ops[at], &from->ops[at + nr], (from->nr - at - nr) * sizeof(to->ops[0]));
	to->nr -= nr;
}

/* Zeroes and ones instead of other numbers. */
static bool simplify(struct op *op, int how)
{
	const struct op was = *op;

	if (how == 0)
		op->flags = 0;
	if (how == 1 && op->n > 1)
		op->n = 1;
	if (how == 2 && op->code == OP_OPEN)
		op->fd2 = -1;
	return memcmp(&was, op, sizeof(was));
}

bool report_shorten(struct walk *w, struct life *life, struct difference *d)
{
	const time_t end = time(NULL) + SHORTEN_SECONDS;
	struct difference now;
	struct life less;

	if (!report_shows(w, life, d))
		return false;
	life->nr = d->step + 1 < life->nr ? d->step + 1 : life->nr;
	for (unsigned int nr = life->nr / 2; nr; nr /= 2)
		for (unsigned int at = 0; at + nr <= life->nr && time(NULL) < end; ) {
			cut(&less, life, at, nr);
			if (!report_shows(w, &less, &now)) {
				at += nr;
				continue;
			}
			*life = less;
			*d = now;
		}
	for (unsigned int i = 0; i < life->nr && time(NULL) < end; i++)
		for (int how = 0; how < 3; how++) {
			less = *life;
			if (simplify(&less.ops[i], how) && report_shows(w, &less, &now)) {
				*life = less;
				*d = now;
			}
		}
	return true;
}

/* --- printing --- */

static void row(FILE *file, const struct op *op)
{
	fprintf(file, "{ OP_%s, %u, %d, %d, %d, %d, %u, %u }", op_names[op->code], op->who, op->fd,
		op->fd2, op->other, op->what, op->flags, op->n);
}

void report_life(const struct life *life, const struct difference *d)
{
	char text[160];

	printf("# The shortest sequence of steps that shows it:\n");
	for (unsigned int i = 0; i < life->nr; i++)
		printf("#   %u. %s\n", i, report_op(&life->ops[i], text, sizeof(text)));
	printf("# after step %u: %s\n", d->step, d->text);
	printf("# A test for test/regress/groups/lifetime/lives.c:\n#\tLIFE(\"%s\",\n", d->text);
	for (unsigned int i = 0; i < life->nr; i++) {
		printf("#\t     ");
		row(stdout, &life->ops[i]);
		printf(i + 1 < life->nr ? ",\n" : "),\n");
	}
}

/* A source of this project in one that needs none: what it includes of it has been printed before. */
static void copy(FILE *file, const char *name)
{
	const struct regress_embedded *source = embedded_find(name);
	const char *at = (const char *)source->data, *end = (const char *)source->end;

	while (source->name && at < end) {
		const char *eol = memchr(at, '\n', end - at);
		const size_t len = (eol ? eol : end) - at;

		if (strncmp(at, "#include \"", 10))
			fprintf(file, "%.*s\n", (int)len, at);
		at += len + 1;
	}
}

static void print_main(FILE *file)
{
	fputs("int main(int argc, char **argv)\n"
	      "{\n"
	      "\tstatic struct world w;\n"
	      "\tconst char *lacks;\n"
	      "\n"
	      "\tactors_main(argc, argv);\n"
	      "\tlacks = actors_begin(&w);\n"
	      "\tif (lacks)\n"
	      "\t\treturn printf(\"this machine lacks %s\\n\", lacks), 4;\n"
	      "\tactors_start(&w);\n"
	      "\tfor (unsigned int i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {\n"
	      "\t\tstruct answer a;\n"
	      "\t\tconst char *wrong = actors_do(&w, &ops[i], &a);\n"
	      "\n"
	      "\t\tusleep(ops[i].code == OP_UNPIN ? 100000 : 0);\n"
	      "\t\tactors_runs(&w, &a);\n"
	      "\t\tprintf(\"%u. %s: %s\\n\", i, words[i], wrong ? wrong : a.err ? strerror(a.err) : \"0\");\n"
	      "\t\tfor (unsigned int f = 0; f < a.nr; f++)\n"
	      "\t\t\tprintf(a.facts[f].what == RUNS ? \"\\tprogram %d with cookie %llu runs %lld times\\n\" :\n"
	      "\t\t\t       \"\\tanswer (%d, %llu): %lld\\n\", a.facts[f].object,\n"
	      "\t\t\t       (unsigned long long)a.facts[f].key, (long long)a.facts[f].value);\n"
	      "\t}\n"
	      "\tactors_stop(&w);\n"
	      "\tputs(expected);\n"
	      "\treturn 0;\n"
	      "}\n", file);
}

bool report_program(const char *path, const struct life *life, const struct difference *d)
{
	FILE *file = fopen(path, "w");
	char text[160];

	if (!file)
		return false;
	fprintf(file, "/* cc -static -o life life.c && ./life, as root. After the last step: %s */\n"
		"#define _GNU_SOURCE\n", d->text);
	copy(file, "op.h");
	copy(file, "actors.h");
	copy(file, "actors.c");
	fputs("\nstatic const struct op ops[] = {\n", file);
	for (unsigned int i = 0; i < life->nr; i++) {
		fputs("\t", file);
		row(file, &life->ops[i]);
		fputs(",\n", file);
	}
	fputs("};\nstatic const char *const words[] = {\n", file);
	for (unsigned int i = 0; i < life->nr; i++)
		fprintf(file, "\t\"%s\",\n", report_op(&life->ops[i], text, sizeof(text)));
	fprintf(file, "};\nstatic const char expected[] = \"after the last step: %s\";\n\n", d->text);
	print_main(file);
	return !fclose(file);
}
