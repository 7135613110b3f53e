// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The three comparisons of CO-RE: each type with each other one, as three tables. */
#include <errno.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/co_re/co_re_internal.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

static const char *const names[] = {
	"void", "int", "unsigned", "long", "float", "const int", "int[3]", "int[4]", "s[3]",
	"struct s { a }", "struct s { a, b }", "struct s___2 { b }", "struct s { a: 3 }",
	"struct t { a }", "union s { a }", "struct s;", "union s;", "enum e { A }",
	"enum e { A, B }", "enum f { B }", "enum { A }", "enum64 e { A }", "int (int)",
	"void (int)", "int (int, int)", "int (s *)", "int *", "s *", "struct s; *", "union s *",
	"int (*)(int)", "int **", "s[3] *", "{ a, b }[3] *", "int (*)(s)", "int (*)({ a, b })",
};
enum { NR_TYPES = NR(names) };

static uint32_t a_struct(struct types *t, uint32_t kind, const char *name, const char *members)
{
	const uint32_t id = bb_struct(&t->b, kind, name, 4 * strlen(members), false);

	for (uint32_t i = 0; members[i]; i++)
		bb_member(&t->b, (char[2]){ members[i] }, t->s32, kind == BTF_KIND_UNION ? 0 : 32 * i,
			  0);
	return id;
}

static uint32_t an_enum(struct types *t, uint32_t kind, const char *name, const char *members)
{
	const uint32_t id = bb_enum(&t->b, kind, name, kind == BTF_KIND_ENUM ? 4 : 8, false);

	for (uint32_t i = 0; members[i]; i++)
		bb_enumerator(&t->b, (char[2]){ members[i] }, i);
	return id;
}

static uint32_t a_proto(struct types *t, uint32_t type, uint32_t first, uint32_t second)
{
	const uint32_t id = bb_proto(&t->b, type);

	bb_param(&t->b, "x", first);
	if (second)
		bb_param(&t->b, "y", second);
	return id;
}

/* In the order of names[]. */
static void build(struct types *t, uint32_t *id)
{
	uint32_t s, u, p, *next = id;

	types_begin(t);
	*next++ = 0;
	*next++ = t->s32;
	*next++ = t->u32;
	*next++ = bb_int(&t->b, "long", 8, BTF_INT_SIGNED);
	*next++ = bb_float(&t->b, "float", 4);
	*next++ = bb_ref(&t->b, BTF_KIND_CONST, "", t->s32);
	*next++ = bb_array(&t->b, t->s32, t->u32, 3);
	*next++ = bb_array(&t->b, t->s32, t->u32, 4);
	s = a_struct(t, BTF_KIND_STRUCT, "s", "a");
	*next++ = bb_array(&t->b, s, t->u32, 3);
	*next++ = s;
	*next++ = a_struct(t, BTF_KIND_STRUCT, "s", "ab");
	*next++ = a_struct(t, BTF_KIND_STRUCT, "s___2", "b");
	*next++ = bb_struct(&t->b, BTF_KIND_STRUCT, "s", 4, true);
	bb_member(&t->b, "a", t->s32, 0, 3);
	*next++ = a_struct(t, BTF_KIND_STRUCT, "t", "a");
	*next++ = u = a_struct(t, BTF_KIND_UNION, "s", "a");
	*next++ = bb_fwd(&t->b, "s", false);
	*next++ = bb_fwd(&t->b, "s", true);
	*next++ = an_enum(t, BTF_KIND_ENUM, "e", "A");
	*next++ = an_enum(t, BTF_KIND_ENUM, "e", "AB");
	*next++ = an_enum(t, BTF_KIND_ENUM, "f", "B");
	*next++ = an_enum(t, BTF_KIND_ENUM, "", "A");
	*next++ = an_enum(t, BTF_KIND_ENUM64, "e", "A");
	*next++ = p = a_proto(t, t->s32, t->s32, 0);
	*next++ = a_proto(t, 0, t->s32, 0);
	*next++ = a_proto(t, t->s32, t->s32, t->s32);
	*next++ = a_proto(t, t->s32, bb_ref(&t->b, BTF_KIND_PTR, "", s), 0);
	next[0] = bb_ref(&t->b, BTF_KIND_PTR, "", t->s32);
	next[1] = bb_ref(&t->b, BTF_KIND_PTR, "", s);
	next[2] = bb_ref(&t->b, BTF_KIND_PTR, "", id[15]);
	next[3] = bb_ref(&t->b, BTF_KIND_PTR, "", u);
	next[4] = bb_ref(&t->b, BTF_KIND_PTR, "", p);
	next[5] = bb_ref(&t->b, BTF_KIND_PTR, "", next[0]);
	next[6] = bb_ref(&t->b, BTF_KIND_PTR, "", id[8]);
	next[7] = bb_ref(&t->b, BTF_KIND_PTR, "", bb_array(&t->b, id[10], t->u32, 3));
	next[8] = bb_ref(&t->b, BTF_KIND_PTR, "", a_proto(t, t->s32, s, 0));
	next[9] = bb_ref(&t->b, BTF_KIND_PTR, "", a_proto(t, t->s32, id[10], 0));
	types_finish(t);
}

enum comparison { FIELDS, COMPATIBLE, DECLARED, MATCH, NR_COMPARISONS };

static int compare(enum comparison by, struct co_re_pair *pair, uint32_t local, uint32_t target,
		   unsigned int depth)
{
	pair->declared = by == DECLARED;
	return by == FIELDS ? co_re_fields_compatible(pair, local, target) :
	       by == MATCH ? co_re_types_match(pair, local, target, false, depth) :
	       co_re_types_compatible(pair, local, target, depth);
}

/* A row for each local type, a column for each of the kernel; '#': they are compatible. */
static const char *const tables[NR_COMPARISONS][NR_TYPES] = {
	[FIELDS] = {
		"....................................",	/* void */
		".###.#..............................",	/* int */
		".###.#..............................",	/* unsigned */
		".###.#..............................",	/* long */
		"....#...............................",	/* float */
		".###.#..............................",	/* const int */
		"......##............................",	/* int[3] */
		"......##............................",	/* int[4] */
		"........#...........................",	/* s[3] */
		".........######.....................",	/* struct s { a } */
		".........######.....................",	/* struct s { a, b } */
		".........######.....................",	/* struct s___2 { b } */
		".........######.....................",	/* struct s { a: 3 } */
		".........######.....................",	/* struct t { a } */
		".........######.....................",	/* union s { a } */
		"...............##...................",	/* struct s; */
		"...............##...................",	/* union s; */
		".................##.##..............",	/* enum e { A } */
		".................##.##..............",	/* enum e { A, B } */
		"...................##...............",	/* enum f { B } */
		".................#####..............",	/* enum { A } */
		".................##.##..............",	/* enum64 e { A } */
		"....................................",	/* int (int) */
		"....................................",	/* void (int) */
		"....................................",	/* int (int, int) */
		"....................................",	/* int (s *) */
		"..........................##########",	/* int * */
		"..........................##########",	/* s * */
		"..........................##########",	/* struct s; * */
		"..........................##########",	/* union s * */
		"..........................##########",	/* int (*)(int) */
		"..........................##########",	/* int ** */
		"..........................##########",	/* s[3] * */
		"..........................##########",	/* { a, b }[3] * */
		"..........................##########",	/* int (*)(s) */
		"..........................##########",	/* int (*)({ a, b }) */
	},
	[COMPATIBLE] = {
		"#...................................",	/* void */
		".###.#..............................",	/* int */
		".###.#..............................",	/* unsigned */
		".###.#..............................",	/* long */
		"....................................",	/* float */
		".###.#..............................",	/* const int */
		"......##............................",	/* int[3] */
		"......##............................",	/* int[4] */
		"........#...........................",	/* s[3] */
		".........#####......................",	/* struct s { a } */
		".........#####......................",	/* struct s { a, b } */
		".........#####......................",	/* struct s___2 { b } */
		".........#####......................",	/* struct s { a: 3 } */
		".........#####......................",	/* struct t { a } */
		"..............#.....................",	/* union s { a } */
		"...............##...................",	/* struct s; */
		"...............##...................",	/* union s; */
		".................#####..............",	/* enum e { A } */
		".................#####..............",	/* enum e { A, B } */
		".................#####..............",	/* enum f { B } */
		".................#####..............",	/* enum { A } */
		".................#####..............",	/* enum64 e { A } */
		"......................#.............",	/* int (int) */
		".......................#............",	/* void (int) */
		"........................#...........",	/* int (int, int) */
		".........................#..........",	/* int (s *) */
		"..........................#.........",	/* int * */
		"...........................#........",	/* s * */
		"............................#.......",	/* struct s; * */
		".............................#......",	/* union s * */
		"..............................#.....",	/* int (*)(int) */
		"...............................#....",	/* int ** */
		"................................##..",	/* s[3] * */
		"................................##..",	/* { a, b }[3] * */
		"..................................##",	/* int (*)(s) */
		"..................................##",	/* int (*)({ a, b }) */
	},
	/* As COMPATIBLE, but for a struct or union that is only declared. */
	[DECLARED] = {
		[15] = ".........#####.#....................",	/* struct s; */
		[16] = "..............#.#...................",	/* union s; */
		[28] = "...........................##.......",	/* struct s; * */
	},
	[MATCH] = {
		"#...................................",	/* void */
		".#...#..............................",	/* int */
		"..#.................................",	/* unsigned */
		"...#................................",	/* long */
		"....................................",	/* float */
		".#...#..............................",	/* const int */
		"......#.............................",	/* int[3] */
		".......#............................",	/* int[4] */
		"........#...........................",	/* s[3] */
		".........##.#.......................",	/* struct s { a } */
		"..........#.........................",	/* struct s { a, b } */
		"..........##........................",	/* struct s___2 { b } */
		".........##.#.......................",	/* struct s { a: 3 } */
		".............#......................",	/* struct t { a } */
		"..............#.....................",	/* union s { a } */
		"...............#....................",	/* struct s; */
		"................#...................",	/* union s; */
		".................##..#..............",	/* enum e { A } */
		"..................#.................",	/* enum e { A, B } */
		"...................#................",	/* enum f { B } */
		"....................#...............",	/* enum { A } */
		".................##..#..............",	/* enum64 e { A } */
		"......................#.............",	/* int (int) */
		".......................#............",	/* void (int) */
		"........................#...........",	/* int (int, int) */
		".........................#..........",	/* int (s *) */
		"..........................#.........",	/* int * */
		"...........................##.......",	/* s * */
		"...........................##.......",	/* struct s; * */
		".............................#......",	/* union s * */
		"..............................#.....",	/* int (*)(int) */
		"...............................#....",	/* int ** */
		"................................##..",	/* s[3] * */
		"................................##..",	/* { a, b }[3] * */
		"..................................##",	/* int (*)(s) */
		"..................................##",	/* int (*)({ a, b }) */
	},
};

static const char *expected(enum comparison by, int local)
{
	return tables[by][local] ? tables[by][local] : tables[COMPATIBLE][local];
}

TEST_EACH(each_with_each, NR_COMPARISONS)
{
	uint32_t id[NR_TYPES];
	struct types t;

	build(&t, id);
	for (int i = 0; i < NR_TYPES; i++) {
		char row[NR_TYPES + 1] = "";

		for (int k = 0; k < NR_TYPES; k++) {
			struct co_re_pair pair = { .local = &t.btf, .target = &t.btf };

			row[k] = compare(_i, &pair, id[i], id[k], 0) ? '#' : '.';
		}
		ck_assert_msg(!strcmp(row, expected(_i, i)), "%s: %s", names[i], row);
	}
	types_end(&t);
}

/* Parameters match as wholes, unless a pointer to the function is compared. */
TEST(parameters_of_a_function_type)
{
	static const char *const members[] = { "a", "ab" };
	uint32_t ids[2];
	struct types t;

	types_begin(&t);
	for (int i = 0; i < 2; i++)
		ids[i] = a_proto(&t, t.s32, a_struct(&t, BTF_KIND_STRUCT, "s", members[i]), 0);
	types_finish(&t);
	for (int i = 0; i < 2; i++) {
		struct co_re_pair pair = { .local = &t.btf, .target = &t.btf };

		ck_assert_int_eq(co_re_types_match(&pair, ids[i], ids[!i], false, 0), !i);
		ck_assert_int_eq(co_re_types_match(&pair, ids[i], ids[!i], true, 0), 1);
	}
	types_end(&t);
}

/* A member has the value of its type; of two without a name, the second may be the one that matches. */
TEST(members_match)
{
	static const struct {
		const char *names[2];
		int types[2];
	} outer[] = { { { "m" }, { 0 } }, { { "m" }, { 1 } }, { { "" }, { 3 } }, { { "", "" }, { 2, 3 } } };
	static const char *const matches[] = { "##..", ".#..", "..##", "...#" };
	struct types t;
	uint32_t inner[4], id[NR(outer)];

	types_begin(&t);
	inner[0] = a_struct(&t, BTF_KIND_STRUCT, "s", "a");
	inner[1] = a_struct(&t, BTF_KIND_STRUCT, "s", "ab");
	inner[2] = a_struct(&t, BTF_KIND_UNION, "", "a");
	inner[3] = a_struct(&t, BTF_KIND_UNION, "", "b");
	for (int i = 0; i < NR(outer); i++) {
		id[i] = bb_struct(&t.b, BTF_KIND_STRUCT, "o", 16, false);
		for (int k = 0; k < 2 && outer[i].names[k]; k++)
			bb_member(&t.b, outer[i].names[k], inner[outer[i].types[k]], 64 * k, 0);
	}
	types_finish(&t);
	for (int i = 0; i < NR(outer); i++)
		for (int k = 0; k < NR(outer); k++) {
			struct co_re_pair pair = { .local = &t.btf, .target = &t.btf };

			ck_assert_msg(compare(MATCH, &pair, id[i], id[k], 0) == (matches[i][k] == '#'), "%d with %d", i, k);
		}
	types_end(&t);
}

/* Work is counted over all comparisons of an object, and types may be nested. */
TEST_EACH(comparisons_end, NR_COMPARISONS)
{
	uint32_t id[NR_TYPES];
	struct types t;

	build(&t, id);
	for (int i = 0; i < NR_TYPES; i++) {
		struct co_re_pair pair = { .local = &t.btf, .target = &t.btf,
					   .steps = CO_RE_STEPS_MAX };

		if (_i != DECLARED || (i != 15 && i != 16))
			ck_assert_int_eq(compare(_i, &pair, id[i], id[i], 0), -ELOOP);
		pair.steps = CO_RE_STEPS_MAX - 1;
		ck_assert_int_ne(compare(_i, &pair, t.s32, t.s32, CO_RE_DEPTH_MAX), -ELOOP);
		ck_assert_uint_eq(pair.steps, CO_RE_STEPS_MAX);
		pair.steps = 0;
		if (_i != FIELDS)
			ck_assert_int_eq(compare(_i, &pair, t.s32, t.s32, CO_RE_DEPTH_MAX + 1),
					 -ELOOP);
	}
	types_end(&t);
}
