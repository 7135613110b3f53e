// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of addresses in files: deleted, replaced, packed, written by a JIT compiler, and lying. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/profile/symbolize/symbolize_internal.h"
#include "test/unit/common/addresses_fixture.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

#define ENDIAN .big_endian = HOST_BIG_ENDIAN
#define TEXT(n) (XB_TEXT_ADDRESS + (n))

static char directory[64];
static unsigned int nr_paths;

static void begin(void)
{
	strcpy(directory, "/tmp/pload-addresses-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	nr_paths = 0;
	namer_begin();
}

static void end(void)
{
	char path[96];

	namer_end();
	for (unsigned int i = 0; i < nr_paths; i++) {
		snprintf(path, sizeof(path), "%s/%u", directory, i);
		unlink(path);
	}
	rmdir(directory);
}

TEST_FIXTURE(begin, end)

/* Write a file, and map it as executable by process 7. */
static const char *file_of(struct buffer content)
{
	static char path[96];
	struct stat st;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%u", directory, nr_paths++);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(content.data, 1, content.size, file), content.size);
	fclose(file);
	buffer_free(&content);
	ck_assert_int_eq(stat(path, &st), 0);
	add_process(7, "app");
	APPLY(mmap_record(7, BASE, XB_SEGMENT_SIZE, XB_TEXT_OFFSET, path, &st));
	wall_settle(a->wall, 10000);	/* it is open now */
	return path;
}

/* The answer about the address that is linked at @at. */
static struct frame in_text(uint64_t at)
{
	return ASK(.pid = 7, .address = BASE + (at - XB_TEXT_ADDRESS));
}

TEST(functions_of_a_file)
{
	static const unsigned char id[20] = { 0xab, 0xcd };
	struct exec_builder b = { ENDIAN, .build_id = id };
	const char *path;
	struct frame f;

	xb_symbol(&b, XB_SYMTAB, "outer", TEXT(0x10), 0x80, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "inner", TEXT(0x20), 0x10, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "__weak", TEXT(0x100), 8, STB_WEAK, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "strong", TEXT(0x100), 8, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "label", TEXT(0x120), 0, STB_LOCAL, STT_NOTYPE, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "$x", TEXT(0x128), 0, STB_LOCAL, STT_NOTYPE, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "_ZN2ns3hotIiEEvT_", TEXT(0x140), 8, STB_GLOBAL, STT_FUNC,
		  XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "_RNvCs1234_7mycrate3foo", TEXT(0x150), 8, STB_GLOBAL, STT_FUNC,
		  XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "_ZN4core3fmt3pad17h0123456789abcdefE", TEXT(0x158), 8, STB_GLOBAL,
		  STT_FUNC, XB_TEXT, 0);
	path = file_of(xb_finish(&b));
	f = in_text(TEXT(0x24));
	is(f.symbol, "inner");
	is(f.file, path);
	is(f.doubt, NULL);
	ck_assert_uint_eq(f.offset, 4);
	is(in_text(TEXT(0x34)).symbol, "outer");	/* after a function that is within it */
	f = in_text(TEXT(0xa0));
	is(f.symbol, NULL);
	ck_assert_uint_eq(f.offset, TEXT(0xa0));
	is(in_text(TEXT(0x104)).symbol, "strong");
	is(in_text(TEXT(0x130)).symbol, "label");
	is(in_text(TEXT(0x144)).symbol, "ns::hot<int>");
	is(in_text(TEXT(0x154)).symbol, "mycrate::foo");
	is(in_text(TEXT(0x15c)).symbol, "core::fmt::pad");
}

/* Functions within others, before and after them, with labels, gaps, and a second table. */
static struct buffer nested_functions(void)
{
	struct exec_builder b = { ENDIAN };

	xb_symbol(&b, XB_SYMTAB, "whole", TEXT(0x10), 0x100, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "first", TEXT(0x10), 0x10, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "middle", TEXT(0x40), 0x40, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "within", TEXT(0x50), 0x08, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "last", TEXT(0x100), 0x20, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "label", TEXT(0x140), 0, STB_LOCAL, STT_NOTYPE, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "after", TEXT(0x180), 0x08, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_DYNSYM, "exported", TEXT(0x120), 0x10, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_DYNSYM, "wide", TEXT(0x170), 0x40, STB_GLOBAL, STT_FUNC, XB_TEXT, 0);
	return xb_finish(&b);
}

/*
 * An answer holds for addresses around it: in whatever order they are asked for, each address has
 * the name that it has when nothing else was asked before.
 */
TEST_EACH(an_answer_holds_for_its_neighbours, 6)
{
	static const unsigned int factors[] = { 1, 0x1ff, 3, 77, 0x101, 0xfb };
	struct codes codes = { .sys = sys_linux() };
	const char *path = file_of(nested_functions());
	struct code *code = code_open(&codes, path, open(path, O_RDONLY | O_CLOEXEC));
	struct code_function alone;

	ck_assert_ptr_nonnull(code);
	for (unsigned int i = 0; i < 0x200; i++) {
		const uint64_t address = TEXT(i * factors[_i] % 0x200);
		const bool found = code_find(&codes, code, address, &alone);
		const struct frame f = in_text(address);

		ck_assert_uint_le(alone.begin, address);
		ck_assert_uint_gt(alone.end, address);
		ck_assert_msg(found == (f.symbol != NULL), "%#llx", (unsigned long long)address);
		ck_assert_uint_eq(f.offset, found ? address - alone.start : address);
		if (found)
			ck_assert_msg(strlen(f.symbol) == alone.len &&
				      !memcmp(f.symbol, alone.name, alone.len),
				      "%#llx: %s, expected %.*s", (unsigned long long)address,
				      f.symbol, (int)alone.len, alone.name);
	}
	codes_free(&codes);
}

TEST(a_file_that_is_deleted_after_it_was_mapped)
{
	struct exec_builder b = { ENDIAN };

	xb_function(&b, XB_SYMTAB, "gone", TEXT(0x10));
	ck_assert_int_eq(unlink(file_of(xb_finish(&b))), 0);
	EXIT(7);
	is(in_text(TEXT(0x14)).symbol, "gone");
}

/*
 * A reader that has ended held its files: the next one holds the files that are mapped from then
 * on.
 */
TEST(a_file_that_is_mapped_again_after_the_reader_has_ended)
{
	struct exec_builder b = { ENDIAN }, other = { ENDIAN };
	const char *path;
	siginfo_t info;
	struct stat st;

	file_of(xb_finish(&other));
	xb_function(&b, XB_SYMTAB, "gone", TEXT(0x10));
	path = file_of(xb_finish(&b));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(a->nr_held, 2);
	kill(wall_reader(a->wall), SIGKILL);
	ck_assert_int_eq(waitid(P_PID, wall_reader(a->wall), &info, WEXITED | WNOWAIT | __WALL), 0);
	APPLY(mmap_record(7, BASE + 0x10000, 0x1000, 0, "/none", NULL));	/* it is noticed */
	APPLY(mmap_record(7, BASE + 0x20000, XB_SEGMENT_SIZE, XB_TEXT_OFFSET, path, &st));
	wall_settle(a->wall, 10000);
	ck_assert_uint_eq(a->nr_held, 2);
	ck_assert_int_eq(unlink(path), 0);
	EXIT(7);
	is(in_text(TEXT(0x14)).symbol, "gone");	/* both were mapped there */
	ck_assert_uint_eq(a->nr_held, 1);
}

TEST(a_file_that_is_replaced)
{
	struct exec_builder b = { ENDIAN };
	struct stat st;
	const char *path;

	xb_function(&b, XB_SYMTAB, "other", TEXT(0x10));
	path = file_of(xb_finish(&b));
	ck_assert_int_eq(stat(path, &st), 0);
	st.st_ino++;
	if (!major(st.st_dev))
		return;	/* inode numbers of such a file system are not compared */
	APPLY(mmap_record(7, BASE + 0x10000, 0x1000, XB_TEXT_OFFSET, path, &st));
	is(ASK(.pid = 7, .address = BASE + 0x10014).symbol, NULL);
	has(ASK(.pid = 7, .address = BASE + 0x10014).doubt, "has been replaced");
}

/* A stripped file: what .dynsym has, up to the next of its functions. */
static struct buffer stripped_file(void)
{
	struct exec_builder b = { ENDIAN, .stripped = true };

	xb_function(&b, XB_DYNSYM, "exported", TEXT(0x40));
	return xb_finish(&b);
}

TEST(functions_of_a_stripped_file)
{
	file_of(stripped_file());
	is(in_text(TEXT(0x14)).symbol, NULL);
	is(in_text(TEXT(0x44)).symbol, "exported");
	is(in_text(TEXT(0x84)).symbol, NULL);
}

/* P<A, A>, then P<that, that> and so on: 2^33 times A. It is cut, and does not take for ever. */
TEST(a_name_that_stands_for_gigabytes)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z1fI1PI1AS1_E";
	char shown[SYMBOL_NAME_MAX];

	for (int i = 2; i < 35; i++)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "S0_IS%c_S%c_E",
			 digits[i], digits[i]);
	strcat(name, "EvT_");
	ck_assert_uint_eq(symbol_shown(name, strlen(name), shown), SYMBOL_NAME_MAX);
	ck_assert_int_eq(strncmp(shown, "f<P<A, A>, P<P<A, A>, P<A, A> >", 31), 0);
}

/* 1000 files with one to eight changed bytes each: names may be wrong, and reads never. */
TEST(files_that_lie)
{
	struct codes codes = { .sys = sys_linux() };
	struct buffer whole = stripped_file();
	struct code_function found;
	uint32_t seed = 1;

	for (int i = 0; i < 1000; i++) {
		struct buffer file = { 0 };
		struct code *code;
		char path[96];
		int fd;

		buffer_add(&file, whole.data, whole.size);
		for (uint32_t n = i % 8 + 1; n--;) {
			seed = seed * 1103515245 + 12345;
			file.data[(seed >> 8) % file.size] = seed >> 24;
		}
		snprintf(path, sizeof(path), "%s/%u", directory, 0);
		nr_paths = 1;
		fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		ck_assert_int_eq(write(fd, file.data, file.size), file.size);
		code = code_open(&codes, path, fd);
		ck_assert_ptr_nonnull(code);
		for (uint64_t at = 0; at < XB_SEGMENT_SIZE; at += 16) {
			const struct exec_segment *s = code_segment(code, XB_TEXT_OFFSET + at);

			if (!s)
				continue;
			code_find(&codes, code, s->address + (XB_TEXT_OFFSET + at - s->offset),
				  &found);
			ck_assert_uint_le(found.len, SYMBOL_NAME_MAX);
			ck_assert_uint_lt(found.begin, found.end);
		}
		buffer_free(&file);
		codes_free(&codes);
	}
	buffer_free(&whole);
}

TEST(files_that_are_not_opened)
{
	static const struct {
		int code;
		const char *doubt;
	} rows[] = { { EINVAL, "is not a regular file" }, { EISDIR, "is not a regular file" },
		     { EACCES, "cannot be read: Permission denied" } };

	for (int i = 0; i < NR(rows); i++) {
		const struct fake_path files[] = { { "/odd", "", 0, rows[i].code }, { 0 } };
		const struct symbol_request request = { .kind = SYMBOL_FUNCTION, .file = 4, .host = 1,
							.path = "/odd" };
		struct fake_kernel *fake = fake_kernel_new(files);
		struct symbolizer *z = symbolizer_new(fake_kernel_sys(fake));
		struct symbol_answer answer;

		symbolizer_answer(z, &request, &answer);
		answer.text[answer.doubt_len] = '\0';
		has(answer.text, rows[i].doubt);
		symbolizer_free(z);
		fake_kernel_free(fake);
	}
}

/* --- JIT compilers --- */

/* Return the answer to an address of process 4 + @pid, whose perf map is /tmp/perf-@pid.map. */
static struct symbol_answer ask_jit(struct symbolizer *z, uint32_t pid, uint64_t address)
{
	struct symbol_request request = {
		.kind = SYMBOL_JIT, .file = pid + 4, .at = address, .pid = pid, .host = 1,
	};
	struct symbol_answer answer;

	symbolizer_answer(z, &request, &answer);
	ck_assert(symbol_answer_is_valid(&answer, symbol_answer_size(&answer)));
	return answer;
}

static struct symbol_answer jit_answer(const struct fake_path *files, uint64_t address)
{
	struct fake_kernel *fake = fake_kernel_new(files);
	struct symbolizer *z = symbolizer_new(fake_kernel_sys(fake));
	struct symbol_answer answer = ask_jit(z, 3, address);

	symbolizer_free(z);
	fake_kernel_free(fake);
	return answer;
}

TEST(functions_of_a_jit_compiler)
{
	static const struct fake_path files[] = {
		{ "/tmp/perf-3.map",
		  "7f0000000000 40 old\nno line\n7f0000000010 20 Script:~f a.js:1\n"
		  "7f0000000000 40 again\n7f0000000100 0 nothing\n7f0000000200 10 last", 0, 0 },
		{ 0 }
	};
	struct symbol_answer answer = jit_answer(files, BASE + 0x18);

	ck_assert(answer.has_name);
	ck_assert_uint_eq(answer.name_len, 5);
	ck_assert_mem_eq(answer.text, "again", 5);	/* the memory was used again */
	ck_assert_uint_eq(answer.start, BASE);
	ck_assert(!jit_answer(files, BASE + 0x108).has_name);
	ck_assert(!jit_answer(NULL, BASE).is_file);
}

TEST(a_map_of_a_jit_compiler_that_is_not_read)
{
	static const struct {
		int code;
		const char *doubt;
	} rows[] = { { EINVAL, "is not a regular" }, { EISDIR, "is not a regular" },
		     { ELOOP, "is not a regular" }, { EPERM, "another user" }, { ENOENT, "" } };

	for (int i = 0; i < NR(rows); i++) {
		const struct fake_path files[] = { { "/tmp/perf-3.map", "", 0, rows[i].code }, { 0 } };
		struct symbol_answer answer = jit_answer(files, BASE);

		answer.text[answer.doubt_len] = '\0';
		has(answer.text, rows[i].doubt);
		ck_assert(!answer.is_file && !answer.has_name && !answer.doubt_len == !rows[i].doubt[0]);
	}
}

/* A map is searched and read again: one is gone that was somebody else's, and one has grown. */
TEST(a_map_of_a_jit_compiler_changes)
{
	struct fake_path files[] = { { "/tmp/perf-4.map", "10 8 first\n", 0, 0 },
				     { "/tmp/perf-3.map", NULL, 0, EPERM }, { 0 } };
	struct fake_kernel *fake = fake_kernel_new(files);
	struct symbolizer *z = symbolizer_new(fake_kernel_sys(fake));
	struct symbol_answer answer = ask_jit(z, 3, 0x20);

	answer.text[answer.doubt_len] = '\0';
	has(answer.text, "/tmp/perf-3.map belongs to another user: it is not read");
	ck_assert(ask_jit(z, 4, 0x10).has_name && !ask_jit(z, 4, 0x20).has_name);
	files[0].data = "10 8 first\n20 8 second\n";
	files[1].path = NULL;
	while (ask_jit(z, 3, 0x20).doubt_len || !ask_jit(z, 4, 0x20).has_name)
		usleep(10000);
	ck_assert(ask_jit(z, 4, 0x10).has_name);
	symbolizer_free(z);
	fake_kernel_free(fake);
}

/* A sparse file of 1 GB: 256 MB of it are read, and that is reported. */
TEST(a_huge_map_of_a_jit_compiler)
{
	struct codes codes = { .sys = sys_linux() };
	struct code_function found;
	struct code *code;
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/%u", directory, nr_paths++);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_eq(pwrite(fd, "10 10 first\n", 12, 0), 12);
	ck_assert_int_eq(pwrite(fd, "\n7f00 40 last\n", 14, (1ll << 30) - 14), 14);
	code = code_open_perf_map(&codes, path, fd);
	ck_assert(code_find(&codes, code, 0x7f10, &found));
	ck_assert_uint_eq(found.len, 4);
	ck_assert_mem_eq(found.name, "last", 4);
	ck_assert(!code_find(&codes, code, 0x10, &found));
	has(code_doubt(code), "larger than 256 MB");
	codes_free(&codes);
}
