// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pload inspect of files that are built to take long, or to reach the terminal. Work that grew with
 * the square of a file, or faster, would not end while somebody waits.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/mman.h>

#include "loader/tools/inspect/inspect.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

/* A kernel that has nothing. */
static long no_kernel(struct sys *sys, long number, const unsigned long args[6])
{
	(void)sys;
	(void)number;
	(void)args;
	return -ENOENT;
}

/* Inspect @file by @o, release it, and compare the error. Only logs are read. */
static void inspect(struct printed *p, const struct options *o, struct buffer file, int code)
{
	struct sys none = { .enter = no_kernel }, *sys = o->inspect.log ? sys_linux() : &none;
	struct error err = { 0 };

	alarm(300);	/* it would take years */
	printed_begin(p, "text");
	p->out.format = o->format ? o->format : &inspect_formats[0];
	ck_assert_int_eq(inspect_memory(sys, o, "t.o", buffer_bytes(&file), &p->out, &err), -code);
	ck_assert_int_eq(err.code, -code);
	ck_assert(!code || (err.what[0] && err.where[0] && err.reason));
	error_clear(&err);
	buffer_free(&file);
	alarm(0);
}

static void has(struct printed *p, const char *text)
{
	ck_assert_msg(strstr(printed_text(p), text), "no '%s' in:\n%.2000s", text, p->text);
}

static void has_not(struct printed *p, const char *text)
{
	ck_assert_msg(!strstr(printed_text(p), text), "'%s' in:\n%.2000s", text, p->text);
}

static unsigned int count(struct printed *p, const char *text)
{
	unsigned int nr = 0;

	for (const char *s = printed_text(p); (s = strstr(s, text)); s++)
		nr++;
	return nr;
}

/* The lines that begin with @text. strstr() of a sanitizer looks at all of a string each time. */
static unsigned int count_lines(struct printed *p, const char *text)
{
	unsigned int nr = 0;

	for (const char *s = printed_text(p); s; s = strchr(s, '\n'), s += s != NULL)
		nr += !strncmp(s, text, strlen(text));
	return nr;
}

/* --- types --- */

static const struct options types = { .inspect.types = true };

static struct buffer finish(struct btf_builder *b)
{
	struct buffer raw = bb_btf(b);

	bb_free(b);
	return raw;
}

/* Each function takes two pointers to the one before: as C, twice as long. */
static uint32_t doubled(struct btf_builder *b, unsigned int times)
{
	uint32_t id = bb_int(b, "int", 4, BTF_INT_SIGNED);

	while (times--) {
		const uint32_t pointer = bb_ref(b, BTF_KIND_PTR, "", id);

		id = bb_proto(b, 0);
		bb_param(b, "a", pointer);
		bb_param(b, "b", pointer);
	}
	return id;
}

TEST(types_that_contain_each_other)
{
	static const struct options page = { .format = &inspect_formats[1] };
	struct printed p;

	for (int i = 0; i < 2; i++) {
		struct btf_builder b = { 0 };

		bb_ref(&b, BTF_KIND_TYPEDEF, "before", doubled(&b, 2));
		bb_ref(&b, BTF_KIND_TYPEDEF, "left_out", doubled(&b, 120));
		inspect(&p, i ? &page : &types, finish(&b), E2BIG);
		has(&p, "typedef void before(void (*a)(int *a, int *b), void (*b)(int *a, int *b));");
		has(&p, "are left out");
		has_not(&p, "typedef void left");
		ck_assert_int_lt(p.size, 1 << 20);
		ck_assert(!i || count(&p, "</script") == 2);
		printed_end(&p);
	}
}
END_TEST

/* A gap of 4 GB is as many members as fill it. */
TEST(gap)
{
	struct btf_builder b = { 0 };
	struct printed p;

	bb_struct(&b, BTF_KIND_STRUCT, "gap", UINT32_MAX, false);
	inspect(&p, &types, finish(&b), E2BIG);
	printed_end(&p);
}
END_TEST

TEST(names_of_types)
{
	struct btf_builder b = { 0 };
	struct printed p;

	bb_struct(&b, BTF_KIND_STRUCT, "1a\033", 0, false);
	bb_struct(&b, BTF_KIND_STRUCT, "2\xc2\x9b", 0, false);
	inspect(&p, &types, finish(&b), 0);
	has(&p, "struct _1a_ {}");
	has(&p, "struct _2__ {}");
	printed_end(&p);
}
END_TEST

TEST(forward_declarations)
{
	struct btf_builder b = { 0 };
	struct printed p;
	uint32_t used, holder;

	bb_fwd(&b, "alone", false);
	bb_fwd(&b, "either", true);
	used = bb_fwd(&b, "used", false);
	bb_ref(&b, BTF_KIND_TYPEDEF, "t", bb_ref(&b, BTF_KIND_PTR, "", used));
	holder = bb_struct(&b, BTF_KIND_STRUCT, "holder", 8, false);
	bb_member(&b, "p", holder + 1, 0, 0);
	bb_ref(&b, BTF_KIND_PTR, "", holder + 2);
	bb_fwd(&b, "held", false);
	inspect(&p, &types, finish(&b), 0);
	has(&p, "struct alone;");
	has(&p, "union either;");
	has(&p, "struct held;\n\nstruct holder {");
	ck_assert_uint_eq(count(&p, "struct used;"), 1);
	printed_end(&p);
}
END_TEST

/* A file that is BTF, of either byte order. */
TEST_EACH(bytes_of_btf, 2)
{
	static const struct options bytes = { .inspect.bytes = true };
	struct btf_builder b = { .foreign = _i };
	struct printed p;

	bb_struct(&b, BTF_KIND_STRUCT, "first", 8, false);
	bb_member(&b, "a", bb_int(&b, "int", 4, BTF_INT_SIGNED), 0, 0);
	inspect(&p, &bytes, finish(&b), 0);
	has(&p, "00000000 BTF header, 24 bytes");
	has(&p, "type 1 STRUCT 'first'");
	has(&p, "  int\n");
	has(&p, "strings");
	has_not(&p, "padding");
	printed_end(&p);
}
END_TEST

/* --- programs --- */

static char names[200000][16];	/* the builder borrows them */

static const char *name(char kind, unsigned int i)
{
	snprintf(names[i], sizeof(names[i]), "%c%u", kind, i);
	return names[i];
}

/*
 * @nr_progs programs that call the first of @nr_funcs functions, each of which calls the next. The
 * last one has @nr_insns more instructions.
 */
static struct buffer chain(unsigned int nr_progs, unsigned int nr_funcs, unsigned int nr_insns)
{
	struct elf_builder b = { 0 };
	const uint32_t text = eb_prog(&b, ".text"), progs = eb_prog(&b, "perf_event");
	const uint32_t license = eb_data(&b, "license", "GPL", 4);

	for (unsigned int i = 0; i < nr_funcs; i++) {
		const size_t at = i + 1 < nr_funcs ? eb_call(&b, text, BPF_PSEUDO_CALL, -1)
						   : b.sections[text].data.size;

		for (unsigned int n = i + 1 < nr_funcs ? 0 : nr_insns; n--;)
			eb_insn(&b, text, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 7);
		eb_exit(&b, text);
		eb_symbol(&b, name('f', i), text, at, b.sections[text].data.size - at, STB_GLOBAL,
			  STT_FUNC);
		if (i + 1 < nr_funcs)	/* symbols are in the order of the calls, from 1 */
			eb_reloc(&b, text, at, R_BPF_64_32, i + 2, 0);
	}
	for (unsigned int i = 0; i < nr_progs; i++) {
		size_t at = b.sections[progs].data.size;

		if (nr_funcs)
			eb_reloc(&b, progs, eb_call(&b, progs, BPF_PSEUDO_CALL, -1), R_BPF_64_32, 1,
				 0);
		eb_exit(&b, progs);
		eb_symbol(&b, name('p', nr_funcs + i), progs, at, nr_funcs ? 16 : 8, STB_GLOBAL,
			  STT_FUNC);
	}
	eb_symbol(&b, "LICENSE", license, 0, 4, STB_GLOBAL, STT_OBJECT);
	return eb_finish(&b);
}

static const struct options overview, insns = { .inspect.insns = true };

TEST(programs_that_share_nothing)
{
	struct printed p;

	inspect(&p, &overview, chain(100000, 0, 0), 0);
	ck_assert_uint_eq(count_lines(&p, "program p"), 100000);
	has_not(&p, "and more");
	printed_end(&p);
}
END_TEST

static const struct {
	unsigned int nr_progs, nr_funcs, nr_insns;
	bool shown;	/* all of it */
} shared[] = {
	{ 2, 3, 10, true }, { 1000, 1000, 0, false }, { 100, 1, 100000, false },
};

TEST_ROWS(programs_that_share_functions, shared)
{
	const bool shown = shared[_i].shown;
	struct printed p;

	inspect(&p, &overview, chain(shared[_i].nr_progs, shared[_i].nr_funcs, shared[_i].nr_insns),
		0);
	ck_assert_uint_eq(count_lines(&p, "program p"), shared[_i].nr_progs);
	has(&p, "functions   f0");
	ck_assert_int_eq(!strstr(p.text, "    and more: the programs of this file share"), shown);
	has_not(&p, "this kernel: program");
	ck_assert_int_lt(p.size, 64 << 20);
	printed_end(&p);
	inspect(&p, &insns, chain(shared[_i].nr_progs, shared[_i].nr_funcs, shared[_i].nr_insns),
		0);
	ck_assert_int_eq(!strstr(printed_text(&p), "more code than is followed"), shown);
	ck_assert_int_lt(p.size, 256 << 20);
	printed_end(&p);
}
END_TEST

/* A page has what each option asks for, without any. */
TEST(a_page_has_all_parts)
{
	static const char *const parts[] = { "program", "section", "symbol", "relocation", "part", "insn" };
	const struct options page = { .format = &inspect_formats[1] };
	struct printed p;
	char type[64];

	inspect(&p, &page, chain(1, 2, 3), 0);
	for (int i = 0; i < NR(parts); i++) {
		snprintf(type, sizeof(type), "\"type\":\"inspect-%s\"", parts[i]);
		has(&p, type);
	}
	printed_end(&p);
}
END_TEST

/* --- logs --- */

/* Inspect a program of @nr_insns moves with this log, which is released. @format: NULL for text. */
static void inspect_log(struct printed *p, const struct output_format *format, struct buffer log,
			unsigned int nr_insns, int code)
{
	const int fd = memfd_create("log", MFD_CLOEXEC);
	struct options o = { .format = format };
	char path[32];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, log.data, log.size), log.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.inspect.log = path;
	inspect(p, &o, chain(1, 1, nr_insns), code);
	buffer_free(&log);
	close(fd);
}

static void put_many(struct buffer *log, char c)
{
	const size_t at = buffer_add(log, NULL, 1 << 20);

	memset(log->data + at, c, 1 << 20);
}

static void put_line(struct buffer *log, const char *text)
{
	buffer_add(log, text, strlen(text));
}

TEST(log_of_long_registers)
{
	struct buffer log = { 0 };
	struct printed p;
	char line[32];

	put_line(&log, "0: R0=");
	put_many(&log, 'x');
	put_line(&log, "\n");
	for (unsigned int i = 2; i < 100000; i++) {
		snprintf(line, sizeof(line), "%u: (b7)\n", i);
		put_line(&log, line);
	}
	inspect_log(&p, NULL, log, 100000, 0);
	has(&p, "R0=xxx");
	has(&p, "left out: the registers of this log would be too much text");
	ck_assert_int_lt(p.size, 256 << 20);
	printed_end(&p);
}
END_TEST

/* Each of these words is compared with the names of all slots, which are short. */
TEST(log_of_long_slots)
{
	struct buffer log = { 0 };
	struct printed p;

	put_line(&log, "0: fp-8=m fp-");
	put_many(&log, '1');
	put_line(&log, "=m");
	for (unsigned int i = 0; i < 200000; i++)
		put_line(&log, " fp-9=m");
	put_line(&log, "\n2: (b7)\n");
	inspect_log(&p, NULL, log, 3, 0);
	has(&p, "fp-8=m fp-9=m");
	has_not(&p, "111");
	printed_end(&p);
}
END_TEST

TEST(log_of_empty_lines)
{
	struct buffer log = { 0 };
	struct printed p;
	size_t at;

	put_line(&log, "2: (b7)\n");
	at = buffer_add(&log, NULL, 2 << 20);
	memset(log.data + at, '\n', 2 << 20);
	put_line(&log, "2: (b7)\n");
	inspect_log(&p, NULL, log, 3, 0);
	has(&p, "visit 2 of 2, line 2097154: ");
	printed_end(&p);
}
END_TEST

/* Neither returning to what the path has not, nor empty lines, look at all of it each time. */
TEST(log_of_many_returns)
{
	struct buffer log = { 0 };
	struct printed p;

	for (unsigned int i = 0; i < 300000; i++)
		put_line(&log, "2: (b7) r0 = 7\n");
	for (unsigned int i = 0; i < 300000; i++)
		put_line(&log, "from 5 to 3:\n\n");
	put_line(&log, "from 2 to 5:\n5: (95) exit\nR0 is bad\n");
	inspect_log(&p, NULL, log, 3, 0);
	has(&p, "fails at 5: R0 is bad");
	printed_end(&p);
}
END_TEST

static const char twice[] =
	"0: R1=ctx() R10=fp0\n0: (85) call pc+1\ncaller:\n R10=fp0\ncallee:\n"
	" frame1: R1=ctx() R6=5 R10=fp0\n2: (b7) r0 = 7 ; R0=7\n5: (95) exit\n"
	"to caller at 1:\n R0=7 R10=fp0\n0: (85) call pc+1\ncaller:\n R10=fp0\ncallee:\n"
	" frame1: R1=scalar() R10=fp0\n2: (b7) r0 = 7\n";

TEST(log_of_two_calls)
{
	struct buffer log = { 0 };
	struct printed p;

	put_line(&log, twice);
	inspect_log(&p, NULL, log, 3, 0);
	has(&p, "visit 1 of 2, line 7: R1=ctx() R6=5 R10=fp0\n");
	has(&p, "visit 2 of 2, line 16: R1=scalar() R10=fp0\n");
	printed_end(&p);
	log = (struct buffer){ 0 };
	put_line(&log, twice);
	inspect_log(&p, &inspect_formats[1], log, 3, 0);
	has(&p, "\"visits\":5");
	printed_end(&p);
}
END_TEST

static const char *const others[] = {
	"9: (95) exit\n",	/* there is none */
	"0: (95) exit\n",	/* it is a call */
	"2: (b7) r0 = 7\n2: (95) exit\n",
	"1000000: (b7) r0 = 7\n",
	"4294967295: (b7) r0 = 7\n",
};

TEST_ROWS(log_of_another_program, others)
{
	struct buffer log = { 0 };
	struct printed p;

	put_line(&log, others[_i]);
	/* A number that no instruction has is text. */
	inspect_log(&p, NULL, log, 3, _i < 4 ? EINVAL : 0);
	printed_end(&p);
}
END_TEST
