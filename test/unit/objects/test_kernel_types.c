// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The kernel's types by their names: in a file here, and in the running kernel where it shows them.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "loader/objects/kernel_types/kernel_types.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

#define KIND(kind) (UINT32_C(1) << BTF_KIND_##kind)

enum { T_INT = 1, T_TASK, T_TASK_FLAVOUR, T_TASK_TYPEDEF, T_TASK_AGAIN, T_OTHER, T_PROTO,
       T_FUNC };

static void build(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_struct(b, BTF_KIND_STRUCT, "task", 4, false);
	bb_struct(b, BTF_KIND_STRUCT, "task___old", 4, false);
	bb_ref(b, BTF_KIND_TYPEDEF, "task", T_INT);
	bb_struct(b, BTF_KIND_STRUCT, "task", 8, false);
	if (b->layouts)
		bb_newer(b, "task", 2);
	else
		bb_ref(b, BTF_KIND_TYPEDEF, "other", T_INT);
	bb_proto(b, T_INT);
	bb_func(b, "f", T_PROTO, BTF_FUNC_STATIC);
}

static void write_types(char path[], bool layouts)
{
	struct btf_builder b = { .layouts = layouts };
	struct buffer raw;
	int fd = mkstemp(path);

	build(&b);
	raw = bb_btf(&b);
	ck_assert_int_eq(write(fd, raw.data, raw.size), raw.size);
	close(fd);
	buffer_free(&raw);
	bb_free(&b);
}

TEST_EACH(by_name_and_kind, 2)
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

	write_types(path, _i);
	kernel_types_init(&types, sys_linux(), path);
	for (size_t i = 0; i < NR(rows); i++)
		queries[i] = (struct type_query){ rows[i].name, rows[i].kinds, 77, 77, NULL };
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

struct seen {
	uint32_t ids[8];
	unsigned int nr, stop_at;	/* this one, counted from 1, ends the walk */
};

static int see(void *arg, struct type_name *name, uint32_t kind, uint32_t id)
{
	struct seen *seen = arg;

	ck_assert_str_eq(name->name, "task");
	ck_assert_uint_eq(kind, id == T_TASK_TYPEDEF ? BTF_KIND_TYPEDEF : BTF_KIND_STRUCT);
	ck_assert_uint_lt(seen->nr, 8);
	seen->ids[seen->nr++] = id;
	return seen->nr == seen->stop_at ? -7 : 0;
}

/* All types of a name and the wanted kinds are found in order, until the callback ends it. */
TEST_EACH(visit_by_name, 4)
{
	static const uint32_t ids[] = { T_TASK, T_TASK_TYPEDEF, T_TASK_AGAIN };
	char path[] = "/tmp/test_types.XXXXXX";
	struct kernel_types types;
	struct type_names names;
	struct error err = { 0 };
	const unsigned int stop_at = _i, nr = stop_at ? stop_at : NR(ids);
	struct seen seen = { .stop_at = stop_at };
	const struct btf *btf;

	write_types(path, true);
	ck_assert(!type_names_init(&names, 1, false));
	type_names_add(&names, "task", KIND(STRUCT) | KIND(TYPEDEF));
	kernel_types_init(&types, sys_linux(), path);
	ck_assert(!kernel_types_vmlinux(&types, &btf, &err));
	ck_assert_int_eq(type_names_visit(&names, btf, see, &seen), stop_at ? -7 : 0);
	ck_assert_uint_eq(seen.nr, nr);
	for (unsigned int i = 0; i < nr; i++)
		ck_assert_uint_eq(seen.ids[i], ids[i]);
	ck_assert_uint_eq(btf_nr_types(btf), T_FUNC + 1);
	kernel_types_free(&types);

	unlink(path);
	kernel_types_init(&types, sys_linux(), path);
	expect_error("no file", kernel_types_vmlinux(&types, &btf, &err), &err,
		     &(struct expect){ ENOENT, path, NULL, NULL });
	ck_assert(!types.is_open);
	kernel_types_free(&types);
	type_names_free(&names);
}

/* Words that look like the name and the info of a type are none inside of another type. */
TEST(what_looks_like_a_type)
{
	struct btf_builder b = { 0 };
	struct type_names names;
	struct seen seen = { 0 };
	struct buffer raw;
	struct btf btf;

	for (int i = 0; i < T_TASK; i++)
		bb_enum(&b, BTF_KIND_ENUM, "e", 4, false);
	for (int i = 0; i < 100; i++)
		bb_enumerator(&b, "task", BTF_KIND_STRUCT << 24);
	bb_struct(&b, BTF_KIND_STRUCT, "task", 4, false);
	raw = bb_btf(&b);
	ck_assert(!btf_open(&btf, buffer_bytes(&raw), NULL));
	ck_assert(!type_names_init(&names, 1, false));
	type_names_add(&names, "task", KIND(STRUCT));
	ck_assert(!type_names_visit(&names, &btf, see, &seen));
	ck_assert_uint_eq(seen.nr, 1);
	ck_assert_uint_eq(seen.ids[0], T_TASK + 1);
	type_names_free(&names);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

/* Thousands of names at once; each is found where it is. */
TEST(many_names)
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
		queries[MANY - 1 - i] = (struct type_query){ names[i], KIND(STRUCT), 0, 0, NULL };
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

TEST(no_file)
{
	struct type_query query = { "task", KIND(STRUCT), 0, 0, NULL };
	struct kernel_types types;
	struct error err = { 0 };

	kernel_types_init(&types, sys_linux(), "/nowhere");
	expect_error("no file", kernel_types_find(&types, &query, 1, &err), &err,
		     &(struct expect){ ENOENT, "/nowhere", NULL, "--btf", "types/no-btf" });
	kernel_types_free(&types);
}

/* --- modules, in a kernel that is not real --- */

static struct modules {
	struct btf_builder vmlinux, a, b;
	struct buffer raw[3];
	struct fake_path paths[2];
	struct fake_kernel *k;
	struct kernel_types types;
} m;

/* Both have a struct "own", and functions whose prototype is of vmlinux. */
static void modules_begin(void)
{
	memset(&m, 0, sizeof(m));
	build(&m.vmlinux);
	bb_split(&m.a, &m.vmlinux);
	ck_assert_uint_eq(bb_struct(&m.a, BTF_KIND_STRUCT, "own", 4, false), T_FUNC + 1);
	bb_member(&m.a, "x", T_INT, 0, 0);
	bb_func(&m.a, "f_a", T_PROTO, BTF_FUNC_STATIC);
	bb_split(&m.b, &m.vmlinux);
	bb_func(&m.b, "f_b", T_PROTO, BTF_FUNC_STATIC);
	bb_struct(&m.b, BTF_KIND_STRUCT, "own", 8, false);
	bb_func(&m.b, "f", T_PROTO, BTF_FUNC_STATIC);
	m.raw[0] = bb_btf(&m.vmlinux);
	m.raw[1] = bb_btf(&m.a);
	m.raw[2] = bb_btf(&m.b);
	m.paths[0] = (struct fake_path){
		"/sys/kernel/btf/vmlinux", m.raw[0].data, m.raw[0].size, 0
	};
	m.k = fake_kernel_new(m.paths);
	fake_kernel_add_btf(m.k, "vmlinux", m.raw[0].data, m.raw[0].size, false);
	fake_kernel_add_btf(m.k, NULL, m.raw[0].data, m.raw[0].size, false);
	fake_kernel_add_btf(m.k, "mod_gone", m.raw[1].data, m.raw[1].size, true);
	fake_kernel_add_btf(m.k, "mod_a", m.raw[1].data, m.raw[1].size, false);
	fake_kernel_add_btf(m.k, "mod_b", m.raw[2].data, m.raw[2].size, false);
	kernel_types_init(&m.types, fake_kernel_sys(m.k), NULL);
}

static void modules_end(void)
{
	if (!m.k)
		return;
	kernel_types_free(&m.types);
	ck_assert_int_eq(fake_kernel_leaks(m.k, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(m.k, stderr), 0);
	fake_kernel_free(m.k);
	for (int i = 0; i < 3; i++)
		buffer_free(&m.raw[i]);
	bb_free(&m.vmlinux);
	bb_free(&m.a);
	bb_free(&m.b);
	memset(&m, 0, sizeof(m));
}

TEST_FIXTURE(NULL, modules_end)

TEST(modules_are_searched_last)
{
	struct type_query queries[] = {
		{ "f", KIND(FUNC), 0, 7, NULL }, { "f_b", KIND(FUNC), 0, 7, NULL },
		{ "own", KIND(STRUCT), 0, 7, NULL }, { "f_a", KIND(FUNC), 0, 7, NULL },
		{ "nowhere", KIND(FUNC), 7, 7, NULL },
	};
	struct error err = { 0 };
	struct btf_type_view t;
	int fd;

	modules_begin();
	ck_assert(!kernel_types_find(&m.types, queries, 1, &err));
	ck_assert_uint_eq(fake_kernel_count(m.k, "BPF_BTF_GET_NEXT_ID"), 0);
	ck_assert_msg(!kernel_types_find(&m.types, queries, NR(queries), &err), "%s", err.what);
	ck_assert_uint_eq(queries[0].id, T_FUNC);
	ck_assert_int_eq(queries[0].module, -1);
	ck_assert_uint_eq(queries[1].id, T_FUNC + 1);
	ck_assert_int_eq(queries[1].module, 1);
	ck_assert_uint_eq(queries[2].id, T_FUNC + 1);
	ck_assert_int_eq(queries[2].module, 0);
	ck_assert_uint_eq(queries[3].id, T_FUNC + 2);
	ck_assert_uint_eq(queries[4].id, 0);
	ck_assert_int_eq(queries[4].module, -1);
	t = btf_type(kernel_types_btf(&m.types, 1), queries[1].id);
	ck_assert_str_eq(t.name, "f_b");
	t = btf_type(kernel_types_btf(&m.types, 1), t.type);
	ck_assert_uint_eq(t.kind, BTF_KIND_FUNC_PROTO);	/* of vmlinux */
	ck_assert_str_eq(btf_type(kernel_types_btf(&m.types, -1), T_TASK).name, "task");
	fd = kernel_types_module_fd(&m.types, 1, &err);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(kernel_types_module_fd(&m.types, 1, &err), fd);
	ck_assert_uint_eq(fake_kernel_count(m.k, "BPF_BTF_GET_NEXT_ID"), 6);	/* once for all */
}

/* "f" is of vmlinux and of the second module, "own" of both modules. */
TEST(of_one_module_only)
{
	struct type_query queries[] = {
		{ "f", KIND(FUNC), 0, 7, "mod_b" }, { "f", KIND(FUNC), 0, 7, "vmlinux" },
		{ "f", KIND(FUNC), 0, 7, "mod_a" }, { "own", KIND(STRUCT), 0, 7, "mod_b" },
		{ "f", KIND(FUNC), 0, 7, "mod_" }, { "f_b", KIND(FUNC), 0, 7, "vmlinux" },
	};
	static const struct {
		uint32_t id;
		int module;
	} answers[] = { { T_FUNC + 3, 1 }, { T_FUNC, -1 }, { 0, -1 }, { T_FUNC + 2, 1 }, { 0, -1 },
			{ 0, -1 } };
	struct error err = { 0 };

	modules_begin();
	ck_assert(!kernel_types_find(&m.types, queries, NR(queries), &err));
	for (unsigned int i = 0; i < NR(queries); i++) {
		ck_assert_uint_eq(queries[i].id, answers[i].id);
		ck_assert_int_eq(queries[i].module, answers[i].module);
	}
}

/* Ids in the fake kernel count from 1: the second is that of an object. */
TEST(by_id)
{
	struct type_query query = { "f", KIND(FUNC), 0, 0, NULL };
	struct kernel_types types;
	struct error err = { 0 };

	modules_begin();
	ck_assert(!kernel_types_open_id(&types, fake_kernel_sys(m.k), 2, &err));
	ck_assert(!kernel_types_find(&types, &query, 1, &err));
	ck_assert_uint_eq(query.id, T_FUNC);
	query.name = "f_a";
	ck_assert(!kernel_types_find(&types, &query, 1, &err));
	ck_assert_uint_eq(query.id, 0);
	ck_assert_uint_eq(fake_kernel_count(m.k, "BPF_BTF_GET_NEXT_ID"), 0);
	kernel_types_free(&types);
	expect_error("gone", kernel_types_open_id(&types, fake_kernel_sys(m.k), 3, &err), &err,
		     &(struct expect){ ENOENT, NULL, "BPF_BTF_GET_FD_BY_ID", NULL });
}

/* The second module is not opened when the first has all. */
TEST(modules_as_far_as_needed)
{
	struct type_query query = { "f_a", KIND(FUNC), 0, 0, NULL };
	struct error err = { 0 };

	modules_begin();
	ck_assert(!kernel_types_find(&m.types, &query, 1, &err));
	ck_assert_uint_eq(query.id, T_FUNC + 2);
	ck_assert_uint_eq(m.types.nr_modules, 1);
}

/* Without privilege, and on old kernels, there are none, which is not a failure. */
TEST_EACH(no_modules, 3)
{
	static const struct {
		unsigned int age;
		int code;
	} rows[] = { { 0, EPERM }, { 0, EINVAL }, { FAKE_NO_MODULE_BTF, 0 } };
	struct type_query query = { "f_a", KIND(FUNC), 7, 7, NULL };
	struct error err = { 0 };
	const struct btf *btf;

	modules_begin();
	ck_assert(!kernel_types_vmlinux(&m.types, &btf, &err));
	fake_kernel_set_age(m.k, rows[_i].age);
	if (rows[_i].code)
		fake_kernel_fail_call(m.k, 1, rows[_i].code);
	ck_assert_msg(!kernel_types_find(&m.types, &query, 1, &err), "%s", err.what);
	ck_assert_uint_eq(query.id, 0);
	ck_assert_uint_eq(m.types.nr_modules, 0);
	ck_assert(m.types.modules_denied == (rows[_i].code == EPERM));
}

/*
 * Each call of the walk fails in turn: an error with its place, and no module less the next time.
 */
TEST(modules_when_calls_fail)
{
	struct type_query query = { "nowhere", KIND(FUNC), 0, 0, NULL };
	struct error err = { 0 };
	unsigned int calls = 0, failures = 0;

	for (unsigned int n = 1; !calls || n <= calls; n++) {
		int ret;

		modules_begin();
		if (calls)
			fake_kernel_fail_call(m.k, n, EMFILE);
		ret = kernel_types_find(&m.types, &query, 1, &err);
		ck_assert(ret == 0 || (ret == err.code && err.what[0]));
		failures += ret != 0;
		if (!calls) {
			calls = fake_kernel_nr_calls(m.k);
			n = 0;
		}
		error_clear(&err);
		fake_kernel_fail_call(m.k, 0, 0);
		ck_assert(!kernel_types_find(&m.types, &query, 1, &err));
		ck_assert_uint_eq(m.types.nr_modules, 2);
		modules_end();
	}
	ck_assert_uint_ge(failures, 10);
}

TEST(broken_module)
{
	struct type_query query = { "nowhere", KIND(FUNC), 0, 0, NULL };
	struct error err = { 0 };

	modules_begin();
	buffer_poke(&m.raw[2], 0, 2, 0x1234, false);
	expect_error("magic", kernel_types_find(&m.types, &query, 1, &err), &err,
		     &(struct expect){ EBADMSG, "types of module 'mod_b': BTF header", "magic",
				       NULL,
				       "types/modules" });
}

TEST(module_gone_before_its_fd)
{
	struct type_query query = { "f_a", KIND(FUNC), 0, 0, NULL };
	struct error err = { 0 };

	modules_begin();
	ck_assert(!kernel_types_find(&m.types, &query, 1, &err));
	fake_kernel_fail_call(m.k, 1, ENOENT);
	expect_error("gone", kernel_types_module_fd(&m.types, query.module, &err), &err,
		     &(struct expect){ ENOENT, "'mod_a'", "BPF_BTF_GET_FD_BY_ID",
				       "load it again" });
	fake_kernel_fail_call(m.k, 1, EMFILE);
	ck_assert_int_eq(kernel_types_module_fd(&m.types, query.module, &err), -EMFILE);
	ck_assert_str_eq(err.hint, "");
	error_clear(&err);
	ck_assert_int_ge(kernel_types_module_fd(&m.types, query.module, &err), 0);
}

/* A kernel has those of its own machine; programs of another one are run on it by an emulator. */
static void need_types_of_this_machine(void)
{
	FILE *f = fopen("/sys/kernel/btf/vmlinux", "r");
	uint16_t magic = 0;

	if (!f)
		suite_skip("there is no /sys/kernel/btf/vmlinux");
	ck_assert_uint_eq(fread(&magic, sizeof(magic), 1, f), 1);
	fclose(f);
	if (magic != BTF_MAGIC)
		suite_skip("/sys/kernel/btf/vmlinux is of another machine");
}

/*
 * The real walk; without modules it ends all the same. Test data comes with every distribution's
 * kernel.
 */
TEST(running_modules)
{
	struct kernel_types types;
	struct error err = { 0 };
	const struct btf *btf;
	uint32_t i = 0;
	int ret;

	need_types_of_this_machine();
	kernel_types_init(&types, sys_linux(), NULL);
	while ((ret = kernel_types_module(&types, i, &btf, &err)) > 0) {
		ck_assert_msg(btf->nr_types > btf->first_id, "module '%s'", types.modules[i]->name);
		for (uint32_t id = btf->first_id; id < btf->nr_types; id++)
			ck_assert(btf_type(btf, id).name);
		ck_assert_int_ge(kernel_types_module_fd(&types, i, &err), 0);
		i++;
	}
	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	kernel_types_free(&types);
	if (!i)
		suite_skip("no module has types, or there is no privilege to see them");
}

/*
 * Every kernel has a task_struct, bpf_prog_load() and the typedef of a tracepoint; one search finds
 * all three.
 */
TEST(running_kernel)
{
	struct type_query queries[] = {
		{ "task_struct", KIND(STRUCT), 0, 0, NULL },
		{ "bpf_prog_load", KIND(FUNC), 0, 0, NULL },
		{ "btf_trace_sched_switch", KIND(TYPEDEF), 0, 0, NULL },
		{ "no_kernel_has_this", KIND(FUNC), 0, 0, NULL },
	};
	struct kernel_types types;
	struct error err = { 0 };
	const struct btf *btf;

	need_types_of_this_machine();
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
