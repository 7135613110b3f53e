// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of addresses under test: records of the kernel by hand, and the answers. */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <check.h>

#include "test/unit/common/addresses_fixture.h"

struct addresses *a;
static struct fake_kernel *fake;

void namer_begin(void)
{
	fake = NULL;
	a = addresses_new(sys_linux());
}

void namer_end(void)
{
	addresses_free(a);
	if (fake)
		fake_kernel_free(fake);
}

void with_files(const struct fake_path *paths)
{
	addresses_free(a);
	fake = fake_kernel_new(paths);
	a = addresses_new(fake_kernel_sys(fake));
}

void add_process_of(uint32_t uid, uint32_t pid, const char *comm)
{
	struct process *p = process_add(a, pid);
	struct life *life;

	COMM(pid, comm, true);
	life = &p->lives[p->nr - 1];
	life->owner.mount = a->own_mount;
	life->owner.uid = uid;
	space_release(a, life->space);
	life->space = space_new(a, uid);
}

void add_process(uint32_t pid, const char *comm)
{
	add_process_of(geteuid(), pid, comm);
}

struct frame ask(struct frame_query q)
{
	struct frame_namer *namer = addresses_namer(a);
	struct frame frame;

	namer->name(namer, &q, &frame);
	ck_assert_uint_eq(frame.address, q.address);
	return frame;
}


void is(const char *found, const char *wanted)
{
	if (!wanted)
		ck_assert_msg(!found, "'%s' and not NULL", found);
	else
		ck_assert_msg(found && !strcmp(found, wanted), "'%s' and not '%s'", found, wanted);
}

void has(const char *found, const char *wanted)
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

void apply_at(struct buffer *b, uint64_t time)
{
	put(b, 8, time);
	buffer_poke(b, 6, 2, b->size, HOST_BIG_ENDIAN);
	record_apply(a, (struct bytes){ b->data, b->size });
	buffer_free(b);
}

struct buffer comm_record(uint32_t pid, uint32_t tid, const char *comm, bool exec)
{
	struct buffer b = { 0 };

	put_header(&b, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put(&b, 4, pid);
	put(&b, 4, tid);
	put_text(&b, comm);
	return b;
}

struct buffer task_record(uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid)
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

struct buffer mmap_record(uint32_t pid, uint64_t start, uint64_t size, uint64_t offset,
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

struct buffer ksymbol_record(uint64_t address, uint16_t type, uint16_t flags,
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
