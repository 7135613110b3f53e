// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Each allocation fails while an object is read and its programs are linked, and while an
 * executable is read: the error is that of memory, or the result is the same without it. The
 * objects are the arguments.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/exec/exec.h"
#include "loader/objects/co_re/co_re.h"
#include "loader/objects/analysis/stack_fields.h"
#include "test/fault/failing_malloc.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

#define STACKS_MAX 20000

static char **objects;
static uint64_t stacks[STACKS_MAX];

/* Results of the steps, in their order: they have to be the same each time. */
struct results {
	uint64_t hash;
	bool no_memory;
	bool untold;	/* without an error */
	struct error err;
};

/* Return true if the next step is to be done. */
static bool step(struct results *r, int ret)
{
	r->no_memory |= ret == -ENOMEM;
	r->untold |= ret != r->err.code || (ret == -ENOMEM && !strstr(r->err.what, "memory"));
	r->hash = r->hash * 31 + (uint64_t)-ret + 1;
	error_clear(&r->err);
	return !ret;
}

static void read_program(struct bpf_object *obj, uint32_t i, struct map_usage *usage,
			 struct failure_counts *counts, struct stack_fields *fields,
			 struct results *r)
{
	struct prog_code code = { 0 };

	if (!step(r, relocate(obj, i, NULL, &code, &r->err)))
		return;
	step(r, map_usage_scan(&code, usage, counts, obj->maps, &r->err));
	step(r, stack_fields_scan(obj, &code, fields, &r->err));
	prog_code_free(&code);
}

static void read_object(struct bytes file, struct results *r)
{
	static struct map_usage usage[256];
	struct failure_counts counts = { 0 };
	struct stack_fields fields = { 0 };
	struct bpf_object obj;
	struct co_re core;

	memset(usage, 0, sizeof(usage));
	if (!step(r, bpf_object_parse(&obj, "prog.o", file, &r->err)))
		return;
	co_re_init(&core, NULL, &obj, true);	/* the kernel relocates */
	step(r, stack_fields_by_tags(&obj, &fields, &r->err));
	for (uint32_t i = 0; i < obj.nr_progs && obj.nr_maps < 256 && !r->no_memory; i++)
		read_program(&obj, i, usage, &counts, &fields, r);
	r->hash = r->hash * 31 + fields.nr + 1000 * counts.nr;
	co_re_free(&core);
	stack_fields_free(&fields);
	free(counts.list);
	bpf_object_free(&obj);
}

static void read_exec(struct bytes file, struct results *r)
{
	struct source source = xb_source(&file);
	struct exec x;

	if (step(r, exec_open(&x, &source, &r->err))) {
		step(r, exec_read_symbols(&x, &r->err));
		r->hash = r->hash * 31 + x.symtab.nr + 1000 * x.dynsym.nr;
		exec_close(&x);
	}
}

static bool is_first(unsigned int n)
{
	for (unsigned int i = 0; i < n && i < STACKS_MAX; i++)
		if (stacks[i] == stacks[n])
			return false;
	return n < STACKS_MAX;
}

/* The first allocation of each call stack fails and no other. */
static void fail_each(const char *name, struct bytes file,
		      void (*read)(struct bytes file, struct results *r))
{
	struct results whole = { 0 }, r;
	unsigned int nr, failed = 0;

	read(file, &whole);	/* libc keeps some memory */
	whole = (struct results){ 0 };
	memory_watch(0, stacks, STACKS_MAX);
	read(file, &whole);
	nr = memory_watch_end();
	ck_assert_msg(!whole.no_memory && nr, "%s: %u allocations", name, nr);
	for (unsigned int n = 0; n < nr; n++) {
		if (!is_first(n))
			continue;
		r = (struct results){ 0 };
		memory_watch(n + 1, NULL, 0);
		read(file, &r);
		memory_watch_end();
		ck_assert_msg(!r.untold && (r.no_memory || r.hash == whole.hash),
			      "%s: allocation %u of %u", name, n + 1, nr);
		failed += r.no_memory;
	}
	ck_assert_msg(failed, "%s: no allocation was missed", name);
}

static struct buffer read_file(const char *path)
{
	struct buffer file = { 0 };
	char part[65536];
	FILE *f = fopen(path, "r");
	size_t n;

	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	while ((n = fread(part, 1, sizeof(part), f)))
		buffer_add(&file, part, n);
	fclose(f);
	return file;
}

START_TEST(objects_of_compilers)
{
	struct buffer file = read_file(objects[_i]);

	fail_each(objects[_i], buffer_bytes(&file), read_object);
	buffer_free(&file);
}
END_TEST

START_TEST(executables)
{
	struct exec_builder b = { 0 };
	struct buffer file;

	b.no_sections = _i;
	xb_version(&b, 1, "libsome.so.1");
	xb_version(&b, 2, "SOME_1");
	xb_function(&b, XB_SYMTAB, "one", XB_TEXT_ADDRESS);
	xb_function(&b, XB_DYNSYM, "two", XB_TEXT_ADDRESS);
	file = xb_finish(&b);
	fail_each("built", buffer_bytes(&file), read_exec);
	buffer_free(&file);
}
END_TEST

int main(int argc, char **argv)
{
	objects = argv + 1;
	suite_add_test(executables, 0, 2);
	suite_add_test(objects_of_compilers, 0, argc - 1);
	return suite_main(suite_registered());
}
