// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The line of the source that an instruction is of, and the one that has a certain word. */
#include <stdlib.h>

#include "loader/core/object/feature.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/suite.h"

/* A line each; line 0 is the compiler's own. */
static const struct {
	uint32_t insn, line;
	const char *file, *text;
} lines[] = {
	{ 0, 10, "a.c", "  count = get_count();  " },
	{ 2, 11, "a.c", "counter++;" },
	{ 4, 0, "a.c", "" },
	{ 6, 12, "", "nowhere();" },
	{ 8, 13, "a.c", "x_count = count2;" },
	{ 10, 14, "a.c", "return count;" },
	{ 12, 15, "a.c", "recount(counter, &counts, count);" },
	{ 14, 16, "a.c", "return count;" },
};

static const struct {
	uint32_t insn;
	const char *word;
	uint32_t line;	/* 0: none */
} rows[] = {
	{ 0, NULL, 10 }, { 1, NULL, 10 }, { 2, NULL, 11 }, { 5, NULL, 11 }, { 7, NULL, 11 },
	{ 8, NULL, 13 }, { 11, NULL, 14 }, { 12, NULL, 15 }, { 99, NULL, 16 },
	/* The line itself has the word, or the next one has; else it stays. */
	{ 0, "count", 10 }, { 0, "get_count", 10 }, { 0, "get", 10 }, { 2, "count", 11 },
	{ 8, "count", 14 }, { 0, "counter", 11 }, { 10, "counter", 15 }, { 0, "", 10 },
	/* A longer word before it is another one. */
	{ 10, "counts", 15 }, { 12, "count", 15 }, { 12, "unt", 15 },
	{ 12, "recounts", 15 },
};

struct fixture {
	struct btf_builder b;
	struct buffer raw;
	struct bpf_object obj;
	struct bpf_line_info info[NR(lines)];
	struct prog_code code;
};

static void begin(struct fixture *f)
{
	struct error err = { 0 };

	memset(f, 0, sizeof(*f));
	bb_int(&f->b, "int", 4, 0);
	for (int i = 0; i < NR(lines); i++)
		f->info[i] = (struct bpf_line_info){
			lines[i].insn, bb_string(&f->b, lines[i].file),
			bb_string(&f->b, lines[i].text), lines[i].line << 10 | 3,
		};
	f->raw = bb_btf(&f->b);
	ck_assert_int_eq(btf_parse(&f->obj.btf, buffer_bytes(&f->raw), &err), 0);
	f->code = (struct prog_code){ .line_info = f->info, .nr_line_info = NR(lines) };
}

static void end(struct fixture *f)
{
	btf_free(&f->obj.btf);
	buffer_free(&f->raw);
	bb_free(&f->b);
}

TEST_ROWS(line_of, rows)
{
	struct source_line line;
	struct fixture f;

	begin(&f);
	line = prog_code_line(&f.obj, &f.code, rows[_i].insn, rows[_i].word);
	ck_assert_msg(line.line == rows[_i].line, "insn %u, '%s': line %u", rows[_i].insn,
		      rows[_i].word ? rows[_i].word : "", line.line);
	end(&f);
}

TEST(a_note_has_the_line_without_blanks)
{
	struct error err = { 0 };
	struct fixture f;

	begin(&f);
	error_set(&err, 1, "refused");
	explain_failure(NULL, FAILED_INSN, &(struct failed_insn){ &f.obj, &f.code, 1 }, &err);
	ck_assert_uint_eq(err.nr_notes, 1);
	ck_assert_str_eq(err.notes[0].source, "count = get_count();");
	ck_assert_str_eq(err.notes[0].file, "a.c");
	ck_assert_str_eq(err.notes[0].text, "refused");
	ck_assert(err.notes[0].line == 10 && err.notes[0].column == 3);
	error_clear(&err);
	error_set(&err, 1, "refused");
	f.code.nr_line_info = 0;
	explain_failure(NULL, FAILED_INSN, &(struct failed_insn){ &f.obj, &f.code, 1 }, &err);
	ck_assert_uint_eq(err.nr_notes, 0);
	explain_failure(NULL, FAILED_INSN, &(struct failed_insn){ &f.obj, &f.code, 1 }, NULL);
	end(&f);
}
