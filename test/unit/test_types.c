// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's types by their names: in a file here, and in the running kernel where it shows them. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "loader/types/types.h"
#include "test/unit/btf_builder.h"
#include "test/unit/expect.h"
#include "test/unit/suite.h"

#define KIND(kind) (UINT32_C(1) << BTF_KIND_##kind)
#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

enum { T_INT = 1, T_TASK, T_TASK_FLAVOUR, T_TASK_TYPEDEF, T_TASK_AGAIN, T_PROTO, T_FUNC };

static void build(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_struct(b, BTF_KIND_STRUCT, "task", 4, false);
	bb_struct(b, BTF_KIND_STRUCT, "task___old", 4, false);
	bb_ref(b, BTF_KIND_TYPEDEF, "task", T_INT);
	bb_struct(b, BTF_KIND_STRUCT, "task", 8, false);
	bb_proto(b, T_INT);
	bb_func(b, "f", T_PROTO, BTF_FUNC_STATIC);
}

static void write_types(char path[])
{
	struct btf_builder b = { 0 };
	struct buffer raw;
	int fd = mkstemp(path);

	build(&b);
	raw = bb_btf(&b);
	ck_assert_int_eq(write(fd, raw.data, raw.size), raw.size);
	close(fd);
	buffer_free(&raw);
	bb_free(&b);
}

START_TEST(by_name_and_kind)
{
	static const struct {
		const char *name;
		uint32_t kinds, id;
	} rows[] = {
		{ "task", KIND(STRUCT), T_TASK },
		{ "task", KIND(TYPEDEF), T_TASK_TYPEDEF },
		{ "task", KIND(TYPEDEF) | KIND(STRUCT), T_TASK },
		{ "task___old", KIND(STRUCT), T_TASK_FLAVOUR },
		{ "task___new", KIND(STRUCT), 0 },
		{ "task", KIND(UNION), 0 },
		{ "tas", KIND(STRUCT), 0 },
		{ "task_", KIND(STRUCT), 0 },
		{ "f", KIND(FUNC), T_FUNC },
		{ "f", KIND(FUNC), T_FUNC },
		{ "int", KIND(INT), T_INT },
		{ "", KIND(FUNC_PROTO), 0 },
		{ "int", 0, 0 },
	};
	char path[] = "/tmp/test_types.XXXXXX";
	struct type_query queries[NR(rows)];
	struct kernel_types types;
	struct error err = { 0 };

	write_types(path);
	kernel_types_init(&types, sys_linux(), path);
	for (size_t i = 0; i < NR(rows); i++)
		queries[i] = (struct type_query){ rows[i].name, rows[i].kinds, 77, 77 };
	ck_assert(!kernel_types_find(&types, queries, NR(rows), &err));
	for (size_t i = 0; i < NR(rows); i++) {
		ck_assert_msg(queries[i].id == rows[i].id, "row %zu '%s': %u", i, rows[i].name,
			      queries[i].id);
		ck_assert_int_eq(queries[i].module, -1);
	}
	ck_assert(!kernel_types_find(&types, NULL, 0, &err));
	kernel_types_free(&types);
	unlink(path);
}
END_TEST

/* Thousands of names at once; each is found where it is. */
START_TEST(many_names)
{
	enum { MANY = 5000 };
	static struct type_query queries[MANY];
	static char names[MANY][16];
	char path[] = "/tmp/test_types.XXXXXX";
	struct btf_builder b = { 0 };
	struct kernel_types types;
	struct error err = { 0 };
	struct buffer raw;
	int fd = mkstemp(path);

	for (unsigned int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "type_%u", i);
		bb_struct(&b, BTF_KIND_STRUCT, names[i], 4, false);
		queries[MANY - 1 - i] = (struct type_query){ names[i], KIND(STRUCT), 0, 0 };
	}
	raw = bb_btf(&b);
	ck_assert_int_eq(write(fd, raw.data, raw.size), raw.size);
	close(fd);
	kernel_types_init(&types, sys_linux(), path);
	ck_assert(!kernel_types_find(&types, queries, MANY, &err));
	for (unsigned int i = 0; i < MANY; i++)
		ck_assert_uint_eq(queries[MANY - 1 - i].id, i + 1);
	kernel_types_free(&types);
	unlink(path);
	buffer_free(&raw);
	bb_free(&b);
}
END_TEST

START_TEST(no_file)
{
	struct type_query query = { "task", KIND(STRUCT), 0, 0 };
	struct kernel_types types;
	struct error err = { 0 };

	kernel_types_init(&types, sys_linux(), "/nowhere");
	expect_error("no file", kernel_types_find(&types, &query, 1, &err), &err,
		     &(struct expect){ ENOENT, "/nowhere", NULL, "--btf" });
	kernel_types_free(&types);
}
END_TEST

/* What every kernel has: a struct, a function and a tracepoint's typedef, in one walk. */
START_TEST(running_kernel)
{
	struct type_query queries[] = {
		{ "task_struct", KIND(STRUCT), 0, 0 },
		{ "bpf_prog_load", KIND(FUNC), 0, 0 },
		{ "btf_trace_sched_switch", KIND(TYPEDEF), 0, 0 },
		{ "no_kernel_has_this", KIND(FUNC), 0, 0 },
	};
	struct kernel_types types;
	struct error err = { 0 };
	const struct btf *btf;

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		suite_skip("there is no /sys/kernel/btf/vmlinux");
	kernel_types_init(&types, sys_linux(), NULL);
	ck_assert(!kernel_types_find(&types, queries, NR(queries), &err));
	ck_assert(!kernel_types_vmlinux(&types, &btf, &err));
	ck_assert_uint_eq(queries[3].id, 0);
	for (size_t i = 0; i + 1 < NR(queries); i++) {
		ck_assert(queries[i].id);
		ck_assert_str_eq(btf_type(btf, queries[i].id).name, queries[i].name);
	}
	kernel_types_free(&types);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("types");
	TCase *tc = tcase_create("types");

	tcase_add_test(tc, by_name_and_kind);
	tcase_add_test(tc, many_names);
	tcase_add_test(tc, no_file);
	tcase_add_test(tc, running_kernel);
	suite_add_tcase(s, tc);
	return suite_main(s);
}
