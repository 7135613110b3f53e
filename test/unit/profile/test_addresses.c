// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of addresses: by the kernel's symbols, and by records of processes that come and go. */
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/common/addresses_fixture.h"
#include "test/unit/common/suite.h"

TEST_FIXTURE(namer_begin, namer_end)

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
		{ "/proc/kallsyms",
		  "0000000000000000 T _text\n0000000000000000 t do_work\n", 0, 0 },
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
	/* The parts of the replaced mapping that remain on both sides keep their file offsets. */
	f = ASK(.pid = 7, .address = BASE - 0x800);
	is(f.file, "/none/whole");
	ck_assert_uint_eq(f.offset, 0x800);
	has(f.doubt, "cannot be read");
	f = ASK(.pid = 7, .address = BASE + 0x2010);
	is(f.file, "/none/whole");
	ck_assert_uint_eq(f.offset, 0x3010);
	/* The same mapping again is not other code. */
	APPLY(mmap_record(7, BASE + 0x1000, 0x1000, 0x9000, "/none/new", NULL));
	ck_assert_uint_eq(process_find(a, 7)->lives[0].space->nr_replaced, 2);
}

/* It was replaced since, by another one. */
TEST(a_library_that_is_mapped_again)
{
	process_add(a, 7);
	COMM(7, "app", true);
	MAP(7, BASE, "/none/old");
	MAP(7, BASE, "/none/new");
	MAP(7, BASE, "/none/old");
	is(ASK(.pid = 7, .address = BASE).file, "/none/old");
	has(ASK(.pid = 7, .address = BASE).doubt, "other code");
}

/* The record of a mapping with the build ID that begins with @first. */
static struct buffer with_build_id(struct buffer b, unsigned char first)
{
	buffer_poke(&b, 4, 2, PERF_RECORD_MISC_MMAP_BUILD_ID, HOST_BIG_ENDIAN);
	memset(b.data + 40, 0, 24);
	b.data[40] = 20;
	b.data[44] = first;
	return b;
}

/* A path whose file is replaced is another file, as its build ID shows. */
TEST(a_library_that_is_upgraded)
{
	static const unsigned char ids[] = { 1, 1, 2 };

	add_process(7, "app");
	for (int i = 0; i < NR(ids); i++) {
		APPLY(with_build_id(mmap_record(7, BASE, 0x1000, 0, "/none/lib", NULL), ids[i]));
		ck_assert_msg((strstr(ASK(.pid = 7, .address = BASE).doubt, "other code") != NULL) ==
				      (ids[i] == 2), "%s", ASK(.pid = 7, .address = BASE).doubt);
		ck_assert_uint_eq(a->nr_files, ids[i]);
	}
}

static void map_at(uint64_t time, const char *path)
{
	struct buffer b = mmap_record(7, BASE, 0x1000, 0, path, NULL);

	apply_at(&b, time);
}

/* A sample can only be in a mapping that existed while samples were taken. */
TEST(libraries_at_one_address_by_time)
{
	process_add(a, 7);
	COMM(7, "app", true);
	a->watched_ns = 10;
	map_at(8, "/none/before");
	map_at(9, "/none/first");
	is(ASK(.pid = 7, .address = BASE).file, "/none/first");
	has(ASK(.pid = 7, .address = BASE).doubt, "cannot be read");
	map_at(10, "/none/second");
	is(ASK(.pid = 7, .address = BASE).file, "/none/second");
	has(ASK(.pid = 7, .address = BASE).doubt, "other code");
	a->ended_ns = 20;
	map_at(21, "/none/after");
	is(ASK(.pid = 7, .address = BASE).file, "/none/second");
	map_at(20, "/none/third");
	is(ASK(.pid = 7, .address = BASE).file, "/none/third");
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
	has(ASK(.address = 0x10).doubt, "no process seen so far");
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
	const uint32_t first = 4194304;	/* PID_MAX_LIMIT: the machine has no such process */
	struct frame f;

	process_add(a, 1);
	COMM(1, "init", true);
	MAP(1, BASE, "/none/init");
	for (uint32_t i = 0; i < 70000; i++) {
		FORK(first + i, 1);
		MAP(first + i, BASE, "/none/job");
		EXIT(first + i);
	}
	ck_assert_uint_le(a->nr_processes, 65536);
	ck_assert_uint_eq(a->dropped, 0);
	is(ASK(.pid = first + 69999, .address = BASE).file, "/none/job");
	is(ASK(.pid = 1, .address = BASE).file, "/none/init");
	f = ASK(.pid = first, .address = BASE);	/* those that ended first are forgotten */
	is(f.file, NULL);
	has(f.doubt, "is not known");
}

#define ALL_MAPPINGS (1u << 20)	/* that are kept of all processes */
#define OF_A_PROCESS 16384u	/* ... and of one */

/* Let it seem that others have mapped @nr files, until after @statement. */
#define WITH_OTHERS(nr, statement) \
	do { \
		a->nr_mappings += nr; \
		statement; \
		a->nr_mappings -= nr; \
	} while (0)

/* Processes that have ended are forgotten first, then the one that has mapped the most. */
TEST(memory_for_mappings_is_bounded)
{
	add_process(1, "init");
	FORK(8, 1);
	MAP(8, BASE, "/none/job");
	EXIT(8);
	add_process(9, "large");
	MAP(9, BASE, "/none/large");
	MAP(9, BASE + 0x1000, "/none/large");
	WITH_OTHERS(ALL_MAPPINGS - 6, MAP(1, BASE, "/none/init"));
	is(ASK(.pid = 1, .address = BASE).file, "/none/init");
	ck_assert_ptr_null(process_find(a, 8));
	is(ASK(.pid = 9, .address = BASE).file, "/none/large");
	WITH_OTHERS(ALL_MAPPINGS - 6, MAP(1, BASE + 0x1000, "/none/more"));
	is(ASK(.pid = 1, .address = BASE).file, "/none/init");
	is(ASK(.pid = 1, .address = BASE + 0x1000).file, "/none/more");
	is(ASK(.pid = 9, .address = BASE).file, NULL);
	has(ASK(.pid = 9, .address = BASE).doubt, "1048576 with 64 MB in total");
	ck_assert_uint_eq(a->lost + a->dropped, 0);
	WITH_OTHERS(ALL_MAPPINGS, MAP(1, BASE + 0x2000, "/none/last"));
	ck_assert_uint_eq(a->dropped, 1);
}

/* A process whose mappings were dropped is read again when one of its addresses is looked up. */
TEST(a_process_that_was_forgotten_is_read_again)
{
	static const struct fake_path proc[] = {
		{ "/proc/9/comm", "large\n", 0, 0 },
		{ "/proc/9/maps", "7f0000000000-7f0000001000 r-xp 00000000 08:01 5 /none/large\n"
				  "7f0000002000-7f0000003000 r-xp 00002000 08:01 5 /none/large\n", 0, 0 },
		{ 0 }
	};

	with_files(proc);
	add_process(1, "init");
	for (int round = 0; round < 3; round++) {
		is(ASK(.pid = 9, .address = BASE).file, "/none/large");
		WITH_OTHERS(ALL_MAPPINGS - 5 - round, MAP(1, BASE + 0x1000 * round, "/none/init"));
		ck_assert_uint_eq(process_find(a, 9)->nr, 0);
	}
}

/*
 * Nothing remains of a process that is forgotten, neither its mappings nor the ones they replaced.
 */
TEST(what_is_forgotten_takes_no_memory)
{
	add_process(7, "app");
	MAP(7, BASE, "/none/old");
	MAP(7, BASE, "/none/new");
	FORK(8, 7);
	MAP(8, BASE + 0x1000, "/none/of-child");
	COMM(8, "job", true);
	MAP(8, BASE, "/none/job");
	ck_assert_uint_eq(a->nr_files, 4);
	ck_assert_uint_eq(a->nr_mappings, 2 + 3 + 1);
	EXIT(7);
	EXIT(8);
	add_process(1, "init");
	WITH_OTHERS(ALL_MAPPINGS - 4, MAP(1, BASE, "/none/init"));
	ck_assert_ptr_null(process_find(a, 7));
	ck_assert_ptr_null(process_find(a, 8));
	ck_assert_uint_eq(a->nr_files, 1);
	ck_assert_uint_eq(a->nr_mappings, 1);
	ck_assert_uint_eq(a->nr_processes, 1);
}

/* The first thread of a process may end before others, which still fork. */
TEST(a_process_that_is_needed_is_not_forgotten)
{
	add_process(7, "threads");
	MAP(7, BASE, "/none/threads");
	EXIT(7);
	WITH_OTHERS(ALL_MAPPINGS - 3, FORK(8, 7));
	is(ASK(.pid = 7, .address = BASE).file, "/none/threads");
}

TEST(a_process_that_maps_ten_thousand_files)
{
	char path[32];

	add_process(7, "app");
	for (unsigned int i = 20000; i--;) {	/* downwards, as the kernel does */
		snprintf(path, sizeof(path), "/none/%u", i);
		MAP(7, BASE + 0x1000ull * i, path);
	}
	is(ASK(.pid = 7, .address = BASE + 0x1000ull * 19999).file, "/none/19999");
	is(ASK(.pid = 7, .address = BASE + 0x1000ull * 10000).file, "/none/10000");
	ck_assert_uint_eq(a->dropped, 20000 - OF_A_PROCESS);
	has(ASK(.pid = 7, .address = BASE).doubt, "16384 mappings per process");
	/* The second program of the process has as much room, and then there is none for the first. */
	for (unsigned int life = 0; life < 3; life++) {
		COMM(7, "again", true);
		for (unsigned int i = 0; i < OF_A_PROCESS; i++) {
			snprintf(path, sizeof(path), "/none/%u-%u", life, i);
			MAP(7, BASE + 0x1000ull * i, path);
		}
		ck_assert_uint_le(a->nr_mappings, 2 * OF_A_PROCESS);
	}
	ck_assert_uint_le(a->nr_files, 2 * OF_A_PROCESS);
}

/* Map a file whose path has 4,000 bytes, at BASE + 0x1000 * @n. */
static void map_long(uint32_t pid, unsigned int n)
{
	char path[4096];

	snprintf(path, sizeof(path), "/none/%u-%u/%03900u", pid, n, 0);
	APPLY(mmap_record(pid, BASE + 0x1000ull * n, 0x1000, 0, path, NULL));
}

static bool is_mapped(uint32_t pid, unsigned int n)
{
	const char *file = ASK(.pid = pid, .address = BASE + 0x1000ull * n).file;
	char path[64];
	const int len = snprintf(path, sizeof(path), "/none/%u-%u/0", pid, n);

	return file && !strncmp(file, path, len);
}

/* The processes have 80 MB of paths: memory for paths has a limit, and the last path is known. */
TEST(memory_for_paths_is_bounded)
{
	for (uint32_t pid = 100; pid < 120; pid++) {
		add_process(pid, "app");
		for (unsigned int i = 0; i < 1000; i++)
			map_long(pid, i);
		ck_assert(is_mapped(pid, 999));
	}
	ck_assert_uint_le(a->file_bytes, 65u << 20);
	ck_assert_uint_eq(a->lost + a->dropped, 0);
	has(ASK(.pid = 100, .address = BASE).doubt, "1048576 with 64 MB in total");
	for (uint32_t pid = 100; pid < 120; pid++)
		EXIT(pid);
	FORK(1, 119);
	COMM(1, "new", true);
	MAP(1, BASE, "/none/new");
	has(ASK(.pid = 1, .address = BASE).file, "/none/new");
}

/* A process that maps too many paths loses its own, and leaves those of others alone. */
TEST(paths_of_a_process_are_bounded)
{
	add_process(8, "other");
	MAP(8, BASE, "/none/other");
	add_process(7, "app");
	for (unsigned int i = 0; i < 3000; i++)
		map_long(7, i);
	ck_assert_uint_le(a->file_bytes, 5u << 20);
	ck_assert_uint_gt(a->dropped, 1500);
	ck_assert(is_mapped(7, 0));
	has(ASK(.pid = 7, .address = BASE + 0x1000ull * 2999).doubt, "4 MB of paths");
	is(ASK(.pid = 8, .address = BASE).file, "/none/other");
}

#define OF_A_USER (12u << 20)	/* bytes of all processes of a user */

static const struct {
	uint32_t uid;
	bool bounded;
} users[] = { { 1000, true }, { 65534, true }, { UINT32_MAX, true }, { 0, false } };

/*
 * Four processes of a user have 16 MB, each less than it may. The last ones lose their names, and
 * nobody else does, not even a process that has ended before.
 */
TEST_EACH(paths_of_a_user_are_bounded, NR(users))
{
	const uint32_t uid = users[_i].uid;

	add_process_of(1001, 8, "other");
	MAP(8, BASE, "/none/other");
	EXIT(8);
	for (uint32_t pid = 100; pid < 104; pid++) {
		add_process_of(uid, pid, "app");
		for (unsigned int i = 0; i < 950; i++)
			map_long(pid, i);
		ck_assert_int_eq(is_mapped(pid, 949), pid < 103 || !users[_i].bounded);
	}
	ck_assert_int_eq(process_find(a, 100)->lives[0].space->user->bytes <= OF_A_USER + 5000,
			 users[_i].bounded);
	ck_assert_int_eq(a->dropped != 0, users[_i].bounded);
	if (users[_i].bounded)
		has(ASK(.pid = 103, .address = BASE + 949 * 0x1000).doubt, "12 MB per user");
	is(ASK(.pid = 8, .address = BASE).file, "/none/other");
	add_process_of(1001, 9, "new");
	MAP(9, BASE, "/none/new");
	is(ASK(.pid = 9, .address = BASE).file, "/none/new");
}

/* A user's own processes that have ended make room, those first that ended first. */
TEST(a_user_has_room_when_his_processes_end)
{
	add_process_of(1001, 8, "other");
	MAP(8, BASE, "/none/other");
	EXIT(8);
	for (uint32_t pid = 100; pid < 130; pid++) {
		add_process_of(1000, pid, "app");
		for (unsigned int i = 0; i < 950; i++)
			map_long(pid, i);
		ck_assert(is_mapped(pid, 949));
		EXIT(pid);
	}
	ck_assert_uint_eq(a->dropped, 0);
	ck_assert(is_mapped(129, 0));
	ck_assert(!is_mapped(100, 0));
	is(ASK(.pid = 8, .address = BASE).file, "/none/other");
}

/* A file counts as often as it is mapped, and no more when the last process that mapped it goes. */
TEST(users_are_known_when_programs_are_executed)
{
	static const struct fake_path proc[] = {
		{ "/proc/7/status", "Uid:\t0\t5\t0\t0\nNSpid:\t7\n", 0, 0 }, { 0 }
	};
	const struct process *p;
	uint64_t one;

	with_files(proc);
	p = process_add(a, 7);
	MAP(7, BASE, "/none/x");
	ck_assert_uint_eq(p->lives[0].space->user->uid, 5);
	COMM(7, "again", true);
	ck_assert_uint_eq(p->lives[1].space->user->uid, 5);
	one = p->lives[1].space->user->bytes;
	FORK(8, 7);
	ck_assert_uint_eq(p->lives[1].space->user->bytes, one);
	MAP(8, BASE, "/none/x");
	ck_assert_uint_eq(p->lives[1].space->user->bytes, 2 * one);
	MAP(8, BASE, "/none/x");
	ck_assert_uint_eq(p->lives[1].space->user->bytes, 2 * one);
	ck_assert_uint_eq(p->lives[1].space->user->spaces, 3);
	COMM(8, "new", true);
	COMM(8, "newer", true);
	ck_assert_uint_eq(p->lives[1].space->user->spaces, 5);
}

/* Names of more than 64 MB are forgotten between two stacks, and found again. */
TEST(memory_for_names_is_bounded)
{
	struct frame_namer *namer = addresses_namer(a);

	for (unsigned int i = 0; i < 20000; i++) {
		if (i % 1000 == 0)
			add_process(7, "app");
		map_long(7, i);
		namer->forget(namer);
		ck_assert(is_mapped(7, i));
	}
	ck_assert_uint_le(a->strings.bytes, 65u << 20);
	ck_assert(is_mapped(7, 19500));
}

/*
 * The costs of an earlier program, or of another process with the same pid, do not count for a
 * program.
 */
TEST(what_a_program_has_cost_ends_with_it)
{
	struct process *p;

	add_process(7, "app");
	add_process(8, "parent");
	p = process_find(a, 7);
	for (int i = 0; i < 2; i++) {
		p->jit_given_up = true;
		p->jit_spent_ns = p->no_jit_until_ns = UINT64_MAX;
		if (i)
			FORK(7, 8);
		else
			COMM(7, "other", true);
		ck_assert(!p->jit_given_up);
		ck_assert_uint_eq(p->jit_spent_ns, 0);
		ck_assert_uint_eq(p->no_jit_until_ns, 0);
	}
}

/* --- the running kernel --- */

static const struct mapping *mapping_of(uint32_t pid, const char *name)
{
	const struct process *p = process_find(a, pid);

	for (uint32_t i = 0; p && i < p->nr; i++)
		for (uint32_t j = 0; j < p->lives[i].space->nr; j++) {
			const struct mapping *m = &p->lives[i].space->list[j];

			if (m->file && strstr(m->file->path, name))
				return m;
		}
	return NULL;
}

/* Without events: when the first address is looked up, or when the programs are detached. */
TEST_EACH(processes_that_are_not_watched, 2)
{
	const uint64_t here = (uintptr_t)mapping_of;
	struct event_scope_options asked = { 0 };
	struct event_scope scope = { 0 };
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	asked.processes = pid;
	ck_assert_int_eq(event_scope_init(sys_linux(), &scope, &asked, NULL), 0);
	has(ASK(.address = here + 1).doubt, "no process seen so far");
	addresses_of_scope(a, &scope);
	if (_i)
		addresses_end(a);
	ck_assert_int_eq(!a->nr_processes, !_i);
	has(ASK(.address = here).file, "test_addresses");
	ck_assert_uint_eq(a->nr_processes, 1);
	ck_assert_int_eq(addresses_fd(a), -1);
	event_scope_free(sys_linux(), &scope);
	has(ASK(.address = 0x10).doubt, "no process seen so far");
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
		if (a->lost + a->dropped)	/* the rings have those of other processes, too */
			suite_skip("a ring was full: others map files faster than it is read");
		m = mapping_of(child, "/true");
		ck_assert_ptr_nonnull(m);
		has(ASK(.pid = child, .address = m->start).file, "/true");
		is(ASK(.pid = child, .address = m->start, .comm = "true").doubt, NULL);
		ck_assert_ptr_nonnull(mapping_of(child, "[vdso]"));
		m = mapping_of(child, "/libc.so");
		if (m)	/* it is not a static program */
			has(ASK(.pid = child, .address = m->start).file, "/libc.so");
		ck_assert_int_ge(addresses_fd(a), 0);
	}
	event_scope_free(sys_linux(), &scope);
	error_clear(&err);
	close(go[0]);
	close(go[1]);
}
