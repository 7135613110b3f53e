// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of addresses: by records of processes that fork, execute and end, and by files that lie. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <lzma.h>

#include "loader/features/addresses/addresses_internal.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

#define ENDIAN .big_endian = HOST_BIG_ENDIAN
#define TEXT(n) (XB_TEXT_ADDRESS + (n))
#define BASE 0x7f0000000000ull

static struct addresses *a;
static struct fake_kernel *fake;
static char directory[64];
static unsigned int nr_paths;

static void begin(void)
{
	strcpy(directory, "/tmp/pload-addresses-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	nr_paths = 0;
	fake = NULL;
	a = addresses_new(sys_linux());
}

static void end(void)
{
	char path[96];

	addresses_free(a);
	for (unsigned int i = 0; i < nr_paths; i++) {
		snprintf(path, sizeof(path), "%s/%u", directory, i);
		unlink(path);
	}
	rmdir(directory);
	if (fake)
		fake_kernel_free(fake);
}

TEST_FIXTURE(begin, end)

/* Use files that a fake kernel has. */
static void with_files(const struct fake_path *paths)
{
	addresses_free(a);
	fake = fake_kernel_new(paths);
	a = addresses_new(fake_kernel_sys(fake));
}

static struct frame ask(struct frame_query q)
{
	struct frame_namer *namer = addresses_namer(a);
	struct frame frame;

	namer->name(namer, &q, &frame);
	ck_assert_uint_eq(frame.address, q.address);
	return frame;
}

#define ASK(...) ask((struct frame_query){ __VA_ARGS__ })

static void is(const char *found, const char *wanted)
{
	if (!wanted)
		ck_assert_msg(!found, "'%s' and not NULL", found);
	else
		ck_assert_msg(found && !strcmp(found, wanted), "'%s' and not '%s'", found, wanted);
}

static void has(const char *found, const char *wanted)
{
	ck_assert_msg(found && strstr(found, wanted), "'%s' lacks '%s'", found, wanted);
}

/* --- records --- */

static void put(struct buffer *b, unsigned int width, uint64_t value)
{
	buffer_poke(b, buffer_add(b, NULL, width), width, value, HOST_BIG_ENDIAN);
}

static void put_header(struct buffer *b, uint32_t type, uint16_t misc)
{
	put(b, 4, type);
	put(b, 2, misc);
	put(b, 2, 0);
}

static void put_text(struct buffer *b, const char *text)
{
	buffer_add(b, text, strlen(text) + 1);
	while (b->size % 8)
		put(b, 1, 0);
}

/* Apply a record, and free it. */
static void apply(struct buffer *b)
{
	put(b, 8, 1);	/* the time */
	buffer_poke(b, 6, 2, b->size, HOST_BIG_ENDIAN);
	record_apply(a, (struct bytes){ b->data, b->size });
	buffer_free(b);
}

static struct buffer comm_record(uint32_t pid, uint32_t tid, const char *comm, bool exec)
{
	struct buffer b = { 0 };

	put_header(&b, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put(&b, 4, pid);
	put(&b, 4, tid);
	put_text(&b, comm);
	return b;
}

static struct buffer task_record(uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid)
{
	struct buffer b = { 0 };

	put_header(&b, type, 0);
	put(&b, 4, pid);
	put(&b, 4, parent);
	put(&b, 4, tid);
	put(&b, 4, parent);
	put(&b, 8, 1);
	return b;
}

static struct buffer mmap_record(uint32_t pid, uint64_t start, uint64_t size, uint64_t offset,
				 const char *path, const struct stat *st)
{
	struct buffer b = { 0 };

	put_header(&b, PERF_RECORD_MMAP2, 0);
	put(&b, 4, pid);
	put(&b, 4, pid);
	put(&b, 8, start);
	put(&b, 8, size);
	put(&b, 8, offset);
	put(&b, 4, st ? major(st->st_dev) : 0);
	put(&b, 4, st ? minor(st->st_dev) : 0);
	put(&b, 8, st ? st->st_ino : 0);
	put(&b, 8, 0);
	put(&b, 8, 0);
	put_text(&b, path);
	return b;
}

static struct buffer ksymbol_record(uint64_t address, uint16_t type, uint16_t flags,
				    const char *name)
{
	struct buffer b = { 0 };

	put_header(&b, PERF_RECORD_KSYMBOL, 0);
	put(&b, 8, address);
	put(&b, 4, 64);
	put(&b, 2, type);
	put(&b, 2, flags);
	put_text(&b, name);
	return b;
}

#define APPLY(record) \
	do { \
		struct buffer b_ = record; \
		apply(&b_); \
	} while (0)
#define COMM(pid, comm, exec) APPLY(comm_record(pid, pid, comm, exec))
#define FORK(pid, parent) APPLY(task_record(PERF_RECORD_FORK, pid, parent, pid))
#define EXIT(pid) APPLY(task_record(PERF_RECORD_EXIT, pid, 1, pid))
#define MAP(pid, start, path) APPLY(mmap_record(pid, start, 0x1000, 0, path, NULL))

/* --- the kernel --- */

#define KALLSYMS_TEXT "ffffffff81000000 T _text\n" \
		      "ffffffff81000100 t do_work\n" \
		      "ffffffff81000180 D jiffies\n" \
		      "ffffffff81000200 T do_more\n" \
		      "ffffffffc0001000 t ext4_init\t[ext4]\n" \
		      "ffffffffc0300000 t bpf_prog_6deef7357e7b4530_hot\t[bpf]\n"

TEST(functions_of_the_kernel)
{
	static const struct fake_path files[] = { { "/proc/kallsyms", KALLSYMS_TEXT, 0, 0 },
						  { 0 } };
	struct frame f;

	with_files(files);
	f = ASK(.kernel = true, .address = 0xffffffff81000110);
	is(f.symbol, "do_work");
	is(f.file, "[kernel]");
	is(f.doubt, NULL);
	ck_assert_uint_eq(f.offset, 0x10);
	/* A call that does not return is the last instruction of its function. */
	f = ASK(.kernel = true, .address = 0xffffffff81000200, .caller = true);
	is(f.symbol, "do_work");
	ck_assert_uint_eq(f.offset, 0x100);
	f = ASK(.kernel = true, .address = 0xffffffff81000200);
	is(f.symbol, "do_more");
	f = ASK(.kernel = true, .address = 0xffffffffc0001008);
	is(f.symbol, "ext4_init");
	is(f.file, "[ext4]");
	f = ASK(.kernel = true, .address = 0xffffffffc0300004);
	is(f.symbol, "bpf_prog_6deef7357e7b4530_hot");
	is(f.file, "[bpf]");
	is(ASK(.kernel = true, .address = 0x1000).symbol, NULL);
	is(ASK(.kernel = true, .address = 0xfffffffff0000000).symbol, NULL);
}

TEST(functions_that_the_kernel_loads_meanwhile)
{
	static const struct fake_path files[] = { { "/proc/kallsyms", KALLSYMS_TEXT, 0, 0 },
						  { 0 } };

	with_files(files);
	APPLY(ksymbol_record(0xffffffffc0400000, 1, 0, "bpf_prog_1_before"));
	is(ASK(.kernel = true, .address = 0xffffffffc0400001).symbol, "bpf_prog_1_before");
	APPLY(ksymbol_record(0xffffffffc0400000, 1, 1, "bpf_prog_1_before"));
	APPLY(ksymbol_record(0xffffffffc0400000, 1, 0, "bpf_prog_2_after"));
	is(ASK(.kernel = true, .address = 0xffffffffc0400001).symbol, "bpf_prog_2_after");
	is(ASK(.kernel = true, .address = 0xffffffffc0400001).file, "[bpf]");
	is(ASK(.kernel = true, .address = 0xffffffff81000110).symbol, "do_work");
}

TEST(hidden_addresses_of_the_kernel)
{
	static const struct fake_path files[] = {
		{ "/proc/kallsyms", "0000000000000000 T _text\n0000000000000000 t do_work\n", 0, 0 },
		{ 0 }
	};

	with_files(files);
	has(ASK(.kernel = true, .address = 0xffffffff81000110).doubt, "CAP_SYSLOG");
}

/* --- processes --- */

TEST(a_process_that_executes_a_program)
{
	struct frame f;

	process_add(a, 7);
	COMM(7, "sh", true);
	MAP(7, BASE, "/none/sh");
	COMM(7, "ls", true);
	is(ASK(.pid = 7, .address = BASE + 8).file, "/none/sh");
	MAP(7, BASE, "/none/ls");
	f = ASK(.pid = 7, .address = BASE + 8);
	is(f.file, "/none/ls");
	has(f.doubt, "other code at this address");
	f = ASK(.pid = 7, .address = BASE + 8, .comm = "sh");
	is(f.file, "/none/sh");
	has(f.doubt, "cannot be read");
	ck_assert_uint_eq(f.offset, 8);
	is(ASK(.pid = 7, .address = BASE + 8, .comm = "ls").file, "/none/ls");
	is(ASK(.pid = 7, .address = BASE + 8, .comm = "a thread").file, "/none/ls");
}

TEST(a_child_has_what_its_parent_mapped)
{
	process_add(a, 7);
	COMM(7, "sh", true);
	MAP(7, BASE, "/none/sh");
	FORK(8, 7);
	APPLY(task_record(PERF_RECORD_FORK, 7, 7, 9));	/* a thread */
	MAP(8, BASE + 0x1000, "/none/child");
	MAP(7, BASE + 0x2000, "/none/parent");
	EXIT(7);
	is(ASK(.pid = 8, .address = BASE).file, "/none/sh");
	is(ASK(.pid = 8, .address = BASE + 0x1000).file, "/none/child");
	is(ASK(.pid = 8, .address = BASE + 0x2000).file, NULL);
	is(ASK(.pid = 7, .address = BASE + 0x2000).file, "/none/parent");
	is(ASK(.pid = 7, .address = BASE + 0x1000).file, NULL);
	has(ASK(.pid = 7, .address = BASE + 0x1000).doubt, "frame pointer");
	ck_assert_ptr_null(process_find(a, 9));
	FORK(20, 19);	/* of a process outside of the scope */
	ck_assert_ptr_null(process_find(a, 20));
	has(ASK(.pid = 4194304, .address = BASE).doubt, "is not known");
}

TEST(a_library_in_place_of_another)
{
	struct frame f;

	process_add(a, 7);
	COMM(7, "app", true);
	MAP(7, BASE, "/none/old");
	APPLY(mmap_record(7, BASE - 0x1000, 0x5000, 0, "/none/whole", NULL));
	APPLY(mmap_record(7, BASE + 0x1000, 0x1000, 0x9000, "/none/new", NULL));
	f = ASK(.pid = 7, .address = BASE + 0x1010);
	is(f.file, "/none/new");
	ck_assert_uint_eq(f.offset, 0x9010);
	has(f.doubt, "other code");
	/* What is left over on both sides keeps its offsets. */
	f = ASK(.pid = 7, .address = BASE - 0x800);
	is(f.file, "/none/whole");
	ck_assert_uint_eq(f.offset, 0x800);
	has(f.doubt, "cannot be read");
	f = ASK(.pid = 7, .address = BASE + 0x2010);
	is(f.file, "/none/whole");
	ck_assert_uint_eq(f.offset, 0x3010);
	/* The same once more is no other code. */
	APPLY(mmap_record(7, BASE + 0x1000, 0x1000, 0x9000, "/none/new", NULL));
	ck_assert_uint_eq(process_find(a, 7)->lives[0].space->nr_replaced, 2);
}

TEST(a_process_that_is_not_known)
{
	struct frame f;

	for (uint32_t pid = 7; pid < 9; pid++)
		process_add(a, pid);
	COMM(7, "one", true);
	MAP(7, BASE, "/none/one");
	COMM(8, "two", true);
	MAP(8, BASE, "/none/two");
	MAP(8, BASE + 0x1000, "/none/only");
	is(ASK(.address = BASE, .comm = "one").file, "/none/one");
	is(ASK(.address = BASE, .comm = "two").file, "/none/two");
	f = ASK(.address = BASE + 0x1000, .comm = "other");
	is(f.file, "/none/only");
	has(f.doubt, "cannot be read");
	has(ASK(.address = BASE).doubt, "processes have different code");
	has(ASK(.address = 0x10).doubt, "no process that was seen");
}

/* Each record, cut at each length: the sanitizers see what reads beyond it. */
TEST(records_that_are_too_short)
{
	process_add(a, 7);
	for (unsigned int kind = 0; kind < 5; kind++) {
		struct buffer b = kind == 0 ? comm_record(7, 7, "name", true) :
				  kind == 1 ? task_record(PERF_RECORD_FORK, 8, 7, 8) :
				  kind == 2 ? task_record(PERF_RECORD_EXIT, 8, 7, 8) :
				  kind == 3 ? mmap_record(7, BASE, 0x1000, 0, "/none/x", NULL) :
					      ksymbol_record(0x1000, 1, 0, "name");

		memset(b.data + 8, 0x7f, b.size - 8);
		buffer_poke(&b, 8, 4, 7, HOST_BIG_ENDIAN);
		for (size_t size = 8; size <= b.size; size++) {
			unsigned char *copy = malloc(size);

			memcpy(copy, b.data, size);
			record_apply(a, (struct bytes){ copy, size });
			free(copy);
		}
		buffer_free(&b);
	}
	ck_assert_uint_le(a->nr_processes, 2);
}

TEST(memory_for_processes_is_bounded)
{
	struct frame f;

	process_add(a, 1);
	COMM(1, "init", true);
	MAP(1, BASE, "/none/init");
	for (uint32_t i = 0; i < 70000; i++) {
		FORK(1000 + i, 1);
		MAP(1000 + i, BASE, "/none/job");
		EXIT(1000 + i);
	}
	ck_assert_uint_le(a->nr_processes, 65536);
	ck_assert_uint_eq(a->dropped, 0);
	is(ASK(.pid = 70999, .address = BASE).file, "/none/job");
	is(ASK(.pid = 1, .address = BASE).file, "/none/init");
	f = ASK(.pid = 1000, .address = BASE);	/* those that ended first are forgotten */
	is(f.file, NULL);
	has(f.doubt, "is not known");
}

TEST(memory_for_mappings_is_bounded)
{
	process_add(a, 1);
	COMM(1, "init", true);
	FORK(8, 1);
	MAP(8, BASE, "/none/job");
	EXIT(8);
	a->nr_mappings += (1u << 20) - 2;	/* others have as many */
	MAP(1, BASE, "/none/init");	/* in place of those of process 8 */
	is(ASK(.pid = 1, .address = BASE).file, "/none/init");
	ck_assert_ptr_null(process_find(a, 8));
	MAP(1, BASE + 0x1000, "/none/more");
	ck_assert_uint_eq(addresses_lost(a), 1);
}

TEST(a_process_that_maps_ten_thousand_files)
{
	char path[32];

	process_add(a, 7);
	COMM(7, "app", true);
	for (unsigned int i = 20000; i--;) {	/* downwards, as the kernel does */
		snprintf(path, sizeof(path), "/none/%u", i);
		MAP(7, BASE + 0x1000ull * i, path);
	}
	is(ASK(.pid = 7, .address = BASE + 0x1000ull * 19999).file, "/none/19999");
	is(ASK(.pid = 7, .address = BASE + 0x1000ull * 10000).file, "/none/10000");
	ck_assert_uint_eq(addresses_lost(a), 20000 - 16384);
	has(ASK(.pid = 7, .address = BASE).doubt, "records of 3616 were lost");
}

/* --- files --- */

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
	process_add(a, 7);
	COMM(7, "app", true);
	APPLY(mmap_record(7, BASE, XB_SEGMENT_SIZE, XB_TEXT_OFFSET, path, &st));
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
	path = file_of(xb_finish(&b));
	f = in_text(TEXT(0x24));
	is(f.symbol, "inner");
	is(f.file, path);
	is(f.build_id, "abcd000000000000000000000000000000000000");
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
	f = ASK(.pid = 7, .address = TEXT(0x24) - XB_TEXT_ADDRESS + XB_TEXT_OFFSET,
		.build_id = id);
	is(f.symbol, "inner");
	is(f.file, path);
	f = ASK(.pid = 7, .address = 0x123, .build_id = (const unsigned char *)"another one of twent");
	is(f.symbol, NULL);
	ck_assert_uint_eq(f.offset, 0x123);
	has(f.build_id, "616e6f74686572");
	has(f.doubt, "no file with this build ID");
}

TEST(a_file_that_is_deleted_after_it_was_mapped)
{
	struct exec_builder b = { ENDIAN };

	xb_function(&b, XB_SYMTAB, "gone", TEXT(0x10));
	ck_assert_int_eq(unlink(file_of(xb_finish(&b))), 0);
	EXIT(7);
	is(in_text(TEXT(0x14)).symbol, "gone");
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

/* Compress the file of @b. */
static struct buffer packed(struct exec_builder *b)
{
	struct buffer file = xb_finish(b), out = { 0 };
	size_t size = 0;

	buffer_add(&out, NULL, lzma_stream_buffer_bound(file.size));
	ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, file.data, file.size,
						 out.data, &size, out.size), LZMA_OK);
	out.size = size;
	buffer_free(&file);
	return out;
}

static struct buffer with_mini_debug(void)
{
	struct exec_builder mini = { ENDIAN }, b = { ENDIAN, .stripped = true, .debug_data = true };

	xb_function(&mini, XB_SYMTAB, "local", TEXT(0x10));
	b.notes = packed(&mini);
	xb_function(&b, XB_DYNSYM, "exported", TEXT(0x40));
	return xb_finish(&b);
}

TEST(functions_of_compressed_debug_data)
{
	file_of(with_mini_debug());
	is(in_text(TEXT(0x14)).symbol, "local");
	is(in_text(TEXT(0x44)).symbol, "exported");
	is(in_text(TEXT(0x84)).symbol, NULL);
}

/* P<A, A>, then P<that, that> and so on: 2^33 times A. It is cut, and does not take for ever. */
TEST(a_name_that_stands_for_gigabytes)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z1fI1PI1AS1_E";
	const char *shown;

	for (int i = 2; i < 35; i++)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "S0_IS%c_S%c_E",
			 digits[i], digits[i]);
	strcat(name, "EvT_");
	shown = symbol_shown(&a->strings, name, strlen(name));
	ck_assert_int_eq(strncmp(shown, "f<P<A, A>, P<P<A, A>, P<A, A> >", 31), 0);
	ck_assert_uint_eq(strlen(shown), 4096);
}

/* 1000 files with one to eight changed bytes each: names may be wrong, and reads never. */
TEST(files_that_lie)
{
	struct buffer whole = with_mini_debug();
	uint32_t seed = 1;

	for (int i = 0; i < 1000; i++) {
		struct buffer file = { 0 };
		struct code *code;
		char path[96];
		uint64_t at;
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
		code = code_open(a, path, fd);
		ck_assert_ptr_nonnull(code);
		for (at = 0; at < XB_SEGMENT_SIZE; at += 16) {
			uint64_t address, start;
			const char *found = NULL;

			if (code_address(code, XB_TEXT_OFFSET + at, &address))
				found = code_find(a, code, address, &start);
			if (found)
				ck_assert_uint_le(strlen(found), 4096);
		}
		buffer_free(&file);
		codes_free(a);
		a->codes = NULL;
		a->nr_codes = 0;
	}
	buffer_free(&whole);
}

TEST(functions_of_a_jit_compiler)
{
	static const struct fake_path files[] = {
		{ "/proc/7/status", "Name:\tnode\nNSpid:\t7\t3\n", 0, 0 },
		{ "/proc/7/root", "/", 0, FAKE_SYMLINK },
		{ "/proc/7/ns/mnt", "mnt:[1]", 0, FAKE_SYMLINK },
		{ "/proc/self/ns/mnt", "mnt:[2]", 0, FAKE_SYMLINK },
		{ "/proc/7/root/tmp/perf-3.map",
		  "7f0000000000 40 old\nno line\n7f0000000010 20 Script:~f a.js:1\n"
		  "7f0000000000 40 again\n7f0000000100 0 nothing\n7f0000000200 10 last", 0, 0 },
		{ 0 }
	};
	struct frame f;

	with_files(files);
	process_add(a, 7);
	COMM(7, "node", true);
	MAP(7, BASE, "//anon");
	f = ASK(.pid = 7, .address = BASE + 0x18);
	is(f.symbol, "again");	/* the memory was used again */
	is(f.file, "/tmp/perf-7.map");
	ck_assert_uint_eq(f.offset, 0x18);
	f = ASK(.pid = 7, .address = BASE + 0x108);
	is(f.symbol, NULL);
	is(f.file, "[anon]");
}

/* A sparse file of 1 GB: 256 MB of it are read, and that is reported. */
TEST(a_huge_map_of_a_jit_compiler)
{
	struct code *code;
	char path[96];
	uint64_t start;
	int fd;

	snprintf(path, sizeof(path), "%s/%u", directory, nr_paths++);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_eq(pwrite(fd, "10 10 first\n", 12, 0), 12);
	ck_assert_int_eq(pwrite(fd, "\n7f00 40 last\n", 14, (1ll << 30) - 14), 14);
	code = code_open_perf_map(a, path, fd);
	is(code_find(a, code, 0x7f10, &start), "last");
	is(code_find(a, code, 0x10, &start), NULL);
	has(code_doubt(code), "larger than 256 MB");
}

/* --- the running kernel --- */

static const struct mapping *mapping_of(uint32_t pid, const char *name)
{
	const struct process *p = process_find(a, pid);

	for (uint32_t i = 0; p && i < p->nr; i++)
		for (uint32_t j = 0; j < p->lives[i].space->nr; j++) {
			const struct mapping *m = &p->lives[i].space->list[j];

			if (m->file && strstr(m->file->id.path, name))
				return m;
		}
	return NULL;
}

TEST(a_command_that_has_ended)
{
	struct event_scope_options asked = { 0 };
	struct event_scope scope = { 0 };
	struct error err = { 0 };
	const struct mapping *m;
	char *const args[] = { "true", NULL };
	int go[2], ret;
	pid_t child;
	char c = 0;

	ck_assert_int_eq(pipe(go), 0);
	child = fork();
	if (!child) {
		ret = read(go[0], &c, 1);
		execve("/bin/true", args, NULL);
		_exit(ret);
	}
	asked.command = child;
	ck_assert_int_eq(event_scope_init(sys_linux(), &scope, &asked, &err), 0);
	ret = addresses_watch(a, &scope, &err);
	ck_assert_int_eq(write(go[1], &c, 1), 1);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	if (!ret) {	/* else it is for lack of privileges */
		addresses_read(a);
		m = mapping_of(child, "/true");
		ck_assert_ptr_nonnull(m);
		has(ASK(.pid = child, .address = m->start).file, "/true");
		is(ASK(.pid = child, .address = m->start, .comm = "true").doubt, NULL);
		ck_assert_ptr_nonnull(mapping_of(child, "[vdso]"));
		m = mapping_of(child, "/libc.so");
		if (m)	/* it is not a static program */
			has(ASK(.pid = child, .address = m->start).file, "/libc.so");
		ck_assert_uint_eq(addresses_lost(a), 0);
		ck_assert_int_ge(addresses_fd(a), 0);
	}
	event_scope_free(sys_linux(), &scope);
	error_clear(&err);
	close(go[0]);
	close(go[1]);
}
