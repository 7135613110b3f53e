/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of addresses under test: one namer for each test, records by hand, and the answers. */
#ifndef PLOAD_TEST_UNIT_ADDRESSES_FIXTURE_H
#define PLOAD_TEST_UNIT_ADDRESSES_FIXTURE_H

#include "loader/profile/address_names/addresses_internal.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/buffer.h"

/* The address at which process 7 of the tests maps its files. */
#define BASE 0x7f0000000000ull

extern struct addresses *a;	/* of the test that runs */

void namer_begin(void);
void namer_end(void);

/* Use files that a fake kernel has. */
void with_files(const struct fake_path *paths);

/* Add a process of this user and with its files, which executes a program. */
void add_process_of(uint32_t uid, uint32_t pid, const char *comm);
void add_process(uint32_t pid, const char *comm);

struct frame ask(struct frame_query q);
#define ASK(...) ask((struct frame_query){ __VA_ARGS__ })

/* Compare a text of an answer, NULL for none; or look for a part of it. */
void is(const char *found, const char *wanted);
void has(const char *found, const char *wanted);

/* Records as the kernel writes them; the caller applies or frees each. */
struct buffer comm_record(uint32_t pid, uint32_t tid, const char *comm, bool exec);
struct buffer task_record(uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid);
struct buffer mmap_record(uint32_t pid, uint64_t start, uint64_t size, uint64_t offset,
			  const char *path, const struct stat *st);
struct buffer ksymbol_record(uint64_t address, uint16_t type, uint16_t flags, const char *name);

/* Apply a record of that time, and free it. */
void apply_at(struct buffer *b, uint64_t time);

#define APPLY(record) \
	do { \
		struct buffer b_ = record; \
		apply_at(&b_, 1); \
	} while (0)
#define COMM(pid, comm, exec) APPLY(comm_record(pid, pid, comm, exec))
#define FORK(pid, parent) APPLY(task_record(PERF_RECORD_FORK, pid, parent, pid))
#define EXIT(pid) APPLY(task_record(PERF_RECORD_EXIT, pid, 1, pid))
#define MAP(pid, start, path) APPLY(mmap_record(pid, start, 0x1000, 0, path, NULL))

#endif
