// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Objects on kernels that are older than what is in them: BTF with kinds that a kernel does not
 * know, and loads with more arguments than it has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/core/attach/link_target.h"
#include "loader/objects/older_kernels/compat.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/suite.h"

enum { INT = 1, ENUM64, UNSIGNED, SIGNED, TYPE_TAG, PTR, FLOAT, ODD, PROTO, STATIC, GLOBAL, TAG,
       VAR,
       DATASEC, NR_IDS };

static struct fixture {
	struct fake_kernel *fake;
	struct sys *sys;
	struct btf_builder builder;
	struct buffer raw;
	struct object_prog prog;
	struct bpf_object object;
	struct kernel_object k;
	struct btf btf;		/* what the kernel took */
	struct error err;
} f;

static void build(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_enum(b, BTF_KIND_ENUM64, "big", 8, false);
	bb_enumerator(b, "BIG", 1ull << 40);
	bb_enumerator(b, "BIGGER", 1ull << 41);
	bb_enum(b, BTF_KIND_ENUM, "plain", 4, false);
	bb_enumerator(b, "ONE", 1);
	bb_enum(b, BTF_KIND_ENUM, "negative", 4, true);
	bb_enumerator(b, "MINUS", (uint64_t)-1);
	bb_ref(b, BTF_KIND_TYPE_TAG, "rcu", INT);
	bb_ref(b, BTF_KIND_PTR, "", TYPE_TAG);
	bb_float(b, "long double", 16);
	bb_struct(b, BTF_KIND_STRUCT, "Vec<u8, 3>", 8, false);
	bb_member(b, "0", INT, 0, 0);
	bb_member(b, "1", INT, 32, 0);
	bb_proto(b, INT);
	bb_param(b, "ctx", PTR);
	bb_func(b, "helper.llvm.7", PROTO, BTF_FUNC_STATIC);
	bb_func(b, "shared", PROTO, BTF_FUNC_GLOBAL);
	bb_decl_tag(b, "arg:ctx", GLOBAL, 0);
	bb_var(b, "hits", INT, BTF_VAR_GLOBAL_ALLOCATED);
	ck_assert_uint_eq(bb_datasec(b, ".bss", 8), DATASEC);
	bb_datasec_var(b, VAR, 4, 4);
}

static const struct prog_kind xdp = {
	.prefix = "xdp.frags", .prog_type = BPF_PROG_TYPE_XDP, .attach_type = BPF_XDP,
	.prog_flags = BPF_F_XDP_HAS_FRAGS,
};
static const struct prog_kind devmap = {
	.prefix = "xdp/devmap", .prog_type = BPF_PROG_TYPE_XDP, .attach_type = BPF_XDP_DEVMAP,
};

static const struct prog_kind fentry = {
	.prefix = "fentry", .prog_type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_TRACE_FENTRY,
};

static void begin_with(bool layouts)
{
	memset(&f, 0, sizeof(f));
	f.builder.layouts = layouts;
	f.fake = fake_kernel_new(NULL);
	f.sys = fake_kernel_sys(f.fake);
	build(&f.builder);
	f.raw = bb_btf(&f.builder);
	f.prog = (struct object_prog){ .name = "prog", .section = "xdp.frags", .kind = &xdp };
	f.object = (struct bpf_object){ .name = "prog.o", .license = "GPL", .progs = &f.prog,
					 .nr_progs = 1, .has_btf = true, .btf_raw = f.raw.data };
	ck_assert_int_eq(btf_parse(&f.object.btf, buffer_bytes(&f.raw), NULL), 0);
}

static void begin(void)
{
	begin_with(false);
}

static void load_maps(void)
{
	const struct map_options options = { 0 };
	struct bytes loaded;

	ck_assert_int_eq(kernel_load_maps(f.sys, &f.object, &options, &f.k, &f.err), 0);
	loaded.data = fake_kernel_loaded_btf(f.fake, &loaded.size);
	if (f.k.btf_fd >= 0)
		ck_assert_int_eq(btf_parse(&f.btf, loaded, NULL), 0);
}

static int load_prog(void)
{
	struct bpf_insn insns[] = { { .code = BPF_JMP | BPF_EXIT } };
	struct bpf_func_info func = { .type_id = GLOBAL };
	struct bpf_line_info line = { 0 };
	const struct prog_code code = { .insns = insns, .nr_insns = 1, .func_info = &func,
					.nr_func_info = 1, .line_info = &line, .nr_line_info = 1 };

	return kernel_verify_prog(f.sys, &f.k, 0, &code, &f.err);
}

static void end(void)
{
	if (!f.fake)
		return;
	kernel_unload(f.sys, &f.k);
	ck_assert_int_eq(fake_kernel_leaks(f.fake, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(f.fake, stderr), 0);
	fake_kernel_free(f.fake);
	btf_free(&f.btf);
	btf_free(&f.object.btf);
	buffer_free(&f.raw);
	bb_free(&f.builder);
	error_clear(&f.err);
	memset(&f, 0, sizeof(f));
}

TEST_FIXTURE(NULL, end)

/* All kinds up to @last, which are in the order of the kernels that brought them. */
#define KINDS(last) ((2u << (last)) - 1)

/* The kind that each type is replaced by for a kernel; 0: it keeps its kind. */
static const struct {
	const char *kernel;
	uint32_t kinds;
	bool global_funcs;
	uint8_t becomes[NR_IDS];
} kernels[] = {
	{ "6.0", KINDS(BTF_KIND_ENUM64), true, { 0 } },
	{ "5.17", KINDS(BTF_KIND_TYPE_TAG), true, { [ENUM64] = BTF_KIND_UNION } },
	{ "5.16", KINDS(BTF_KIND_DECL_TAG), true,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST } },
	{ "5.13", KINDS(BTF_KIND_FLOAT), true,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST, [TAG] = BTF_KIND_INT } },
	{ "5.6", KINDS(BTF_KIND_DATASEC), true,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST, [TAG] = BTF_KIND_INT,
	    [FLOAT] = BTF_KIND_STRUCT } },
	{ "5.2", KINDS(BTF_KIND_DATASEC), false,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST, [TAG] = BTF_KIND_INT,
	    [FLOAT] = BTF_KIND_STRUCT } },
	{ "5.0", KINDS(BTF_KIND_FUNC_PROTO), false,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST, [TAG] = BTF_KIND_INT,
	    [FLOAT] = BTF_KIND_STRUCT, [VAR] = BTF_KIND_INT, [DATASEC] = BTF_KIND_STRUCT } },
	{ "4.18", KINDS(BTF_KIND_RESTRICT), false,
	  { [ENUM64] = BTF_KIND_UNION, [TYPE_TAG] = BTF_KIND_CONST, [TAG] = BTF_KIND_INT,
	    [FLOAT] = BTF_KIND_STRUCT, [VAR] = BTF_KIND_INT, [DATASEC] = BTF_KIND_STRUCT,
	    [PROTO] = BTF_KIND_ENUM, [STATIC] = BTF_KIND_TYPEDEF, [GLOBAL] = BTF_KIND_TYPEDEF } },
};

/* Ids and sizes are unchanged, and so are the types that keep their kind. */
TEST_ROWS(kinds, kernels)
{
	struct btf_type_view odd;
	begin();
	fake_kernel_know_btf(f.fake, kernels[_i].kinds, kernels[_i].global_funcs);
	load_maps();
	ck_assert_msg(f.k.btf_fd >= 0, "%s takes no BTF", kernels[_i].kernel);
	for (uint32_t id = 1; id < NR_IDS; id++) {
		struct btf_type_view was = btf_type(&f.object.btf, id), is = btf_type(&f.btf, id);
		uint8_t kind = kernels[_i].becomes[id] ? kernels[_i].becomes[id] : was.kind;

		ck_assert_msg(is.kind == kind, "%s: type %u is a %s", kernels[_i].kernel, id,
			      btf_kind_name(is.kind));
		if (was.size && is.size)
			ck_assert_uint_eq(is.size, was.size);
		if (was.type && is.type)
			ck_assert_uint_eq(is.type, was.type);
		if (was.kind == is.kind)
			ck_assert_uint_eq(is.vlen, was.vlen);
	}
	odd = btf_type(&f.btf, ODD);
	ck_assert_str_eq(odd.name, "Vec_u8__3_");
	ck_assert_str_eq(btf_member(&f.btf, &odd, 1).name, "_");
	ck_assert_str_eq(btf_type(&f.btf, STATIC).name, "helper_llvm_7");
	ck_assert_int_eq(load_prog(), 0);
	/* Without its tag a global function would be verified for less than it asks for. */
	if (kernels[_i].becomes[TAG] && !kernels[_i].becomes[GLOBAL])
		ck_assert_uint_eq(btf_type(&f.btf, GLOBAL).extra, BTF_FUNC_STATIC);
	/* A FUNC that became another kind describes no function, so func_info is left out. */
	ck_assert_uint_eq(fake_kernel_prog(f.fake, "prog")->attr.func_info_cnt,
			  kernels[_i].becomes[STATIC] ? 0 : 1);
}

/* A section as a struct: variables where they are. */
TEST(variables)
{
	struct btf_type_view t;
	struct btf_member_view m;

	begin();
	fake_kernel_know_btf(f.fake, KINDS(BTF_KIND_FUNC_PROTO), false);
	load_maps();
	t = btf_type(&f.btf, DATASEC);
	ck_assert_uint_eq(t.vlen, 1);
	ck_assert_uint_eq(t.size, 8);
	m = btf_member(&f.btf, &t, 0);
	ck_assert_uint_eq(m.type, VAR);
	ck_assert_uint_eq(m.bit_offset, 32);
	t = btf_type(&f.btf, ENUM64);
	ck_assert_uint_eq(t.vlen, 2);
	m = btf_member(&f.btf, &t, 1);
	ck_assert_str_eq(m.name, "BIGGER");
	ck_assert_uint_eq(m.bit_offset, 0);
	ck_assert_int_le(btf_size(&f.btf, m.type), 8);
}

/* Nothing is rewritten that need not be, and the object's own BTF stays as it is. */
TEST(not_before_it_is_refused)
{
	unsigned char *was;
	size_t size;

	begin();
	was = malloc(f.raw.size);
	memcpy(was, f.raw.data, f.raw.size);
	load_maps();
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_BTF_LOAD"), 1);
	ck_assert_mem_eq(fake_kernel_loaded_btf(f.fake, &size), was, f.raw.size);
	kernel_unload(f.sys, &f.k);
	btf_free(&f.btf);
	fake_kernel_know_btf(f.fake, KINDS(BTF_KIND_RESTRICT), false);
	load_maps();
	ck_assert_mem_eq(f.raw.data, was, f.raw.size);
	free(was);
}

/* Linux 7.1 takes BTF with layouts, and others with the same types without them. */
TEST_EACH(layouts, 2)
{
	begin_with(true);
	ck_assert_uint_ne(f.object.btf.layouts.size, 0);
	fake_kernel_set_age(f.fake, _i ? FAKE_NO_BTF_LAYOUTS : 0);
	load_maps();
	ck_assert_int_ge(f.k.btf_fd, 0);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_BTF_LOAD"), 1 + _i);
	ck_assert_uint_eq(f.btf.layouts.size, _i ? 0 : f.object.btf.layouts.size);
	for (uint32_t id = 1; id < NR_IDS; id++) {
		struct btf_type_view was = btf_type(&f.object.btf, id), is = btf_type(&f.btf, id);

		ck_assert_str_eq(is.name, was.name);
		ck_assert_uint_eq(is.kind, was.kind);
		ck_assert_uint_eq(is.vlen, was.vlen);
	}
	ck_assert_int_eq(load_prog(), 0);
	ck_assert_uint_eq(fake_kernel_prog(f.fake, "prog")->attr.func_info_cnt, 1);
}

TEST(none_at_all)
{
	begin();
	fake_kernel_set_age(f.fake, FAKE_NO_BTF);
	load_maps();
	ck_assert_int_lt(f.k.btf_fd, 0);
	ck_assert_str_eq(f.k.btf_refused,
			 "Invalid argument: \"[2] ARRAY ?m overflows U32_MAX\"");
	ck_assert_int_eq(load_prog(), 0);
	ck_assert_uint_eq(fake_kernel_prog(f.fake, "prog")->attr.func_info_cnt, 0);
}

/* The error of a map that needs no BTF does not blame the lack of BTF. */
TEST(a_map_that_needs_no_btf)
{
	struct object_map map = { .name = "m", .section = 1, .type = BPF_MAP_TYPE_ARRAY,
				  .key_size = 4, .max_entries = 1, .inner = -1 };
	const struct map_options options = { 0 };

	begin();
	f.object.maps = &map;
	f.object.nr_maps = 1;
	fake_kernel_set_age(f.fake, FAKE_NO_BTF);
	ck_assert_int_eq(kernel_load_maps(f.sys, &f.object, &options, &f.k, &f.err), -EINVAL);
	ck_assert_ptr_nonnull(f.k.btf_refused);
	ck_assert_msg(!strstr(f.err.hint, "BTF"), "%s", f.err.hint);
}

/* Whatever call fails on the way, nothing is lost. */
TEST(every_call_fails)
{
	unsigned int n = 1, calls = 1;

	for (; n <= calls; n++) {
		const struct map_options options = { 0 };

		begin();
		fake_kernel_know_btf(f.fake, KINDS(BTF_KIND_RESTRICT), false);
		fake_kernel_fail_call(f.fake, n, ENOMEM);
		ck_assert_int_eq(kernel_load_maps(f.sys, &f.object, &options, &f.k, &f.err), 0);
		load_prog();
		if (n == 1)
			calls = 16;
		end();
	}
}

static const struct {
	const char *kernel;
	unsigned int age;
	uint32_t flags, attach_type, funcs;
} loads[] = {
	{ "5.18", 0, BPF_F_XDP_HAS_FRAGS, BPF_XDP, 1 },
	{ "5.17", FAKE_NO_FRAGS, 0, BPF_XDP, 1 },
	{ "4.20", FAKE_NO_FRAGS | FAKE_NO_PROG_BTF, 0, BPF_XDP, 0 },
	{ "4.16", FAKE_NO_FRAGS | FAKE_NO_PROG_BTF | FAKE_NO_ATTACH_TYPE, 0, 0, 0 },
	{ "4.14", FAKE_NO_FRAGS | FAKE_NO_PROG_BTF | FAKE_NO_ATTACH_TYPE | FAKE_NO_NAMES, 0, 0, 0 },
};

TEST_ROWS(arguments, loads)
{
	const struct fake_prog *prog;

	begin();
	fake_kernel_set_age(f.fake, loads[_i].age);
	load_maps();
	ck_assert_msg(!load_prog(), "%s: %s", loads[_i].kernel, f.err.what);
	prog = fake_kernel_prog(f.fake, loads[_i].age & FAKE_NO_NAMES ? "" : "prog");
	ck_assert_uint_eq(prog->attr.prog_flags, loads[_i].flags);
	ck_assert_uint_eq(prog->attr.expected_attach_type, loads[_i].attach_type);
	ck_assert_uint_eq(prog->attr.func_info_cnt, loads[_i].funcs);
}

/* A program for a device map is no other XDP program: it is not loaded as one. */
TEST(another_program_is_not_loaded)
{
	begin();
	f.prog.kind = &devmap;
	fake_kernel_set_age(f.fake, FAKE_NO_ATTACH_TYPE);
	load_maps();
	ck_assert_int_eq(load_prog(), -E2BIG);
}

/* Without BTF a kernel cannot do the relocations that are left to it. */
TEST(relocations_keep_the_btf)
{
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_XDP };

	attr.prog_btf_fd = 3;
	attr.core_relo_cnt = 1;
	ck_assert(!kernel_drop_btf(&attr));
	ck_assert_uint_eq(attr.prog_btf_fd, 3);
	attr.core_relo_cnt = 0;
	ck_assert(kernel_drop_btf(&attr));
	ck_assert_uint_eq(attr.prog_btf_fd, 0);
}

/* Before 6.8 the verifier does not understand tags on arguments of global functions. */
TEST(tags_on_arguments)
{
	struct bytes loaded;

	begin();
	fake_kernel_reject(f.fake, "prog", EINVAL, "0: (95) exit\nR1 type=ctx expected=fp\n");
	load_maps();
	ck_assert_int_eq(load_prog(), -EINVAL);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_BTF_LOAD"), 2);
	loaded.data = fake_kernel_loaded_btf(f.fake, &loaded.size);
	btf_free(&f.btf);
	ck_assert_int_eq(btf_parse(&f.btf, loaded, NULL), 0);
	ck_assert_uint_eq(btf_type(&f.btf, GLOBAL).extra, BTF_FUNC_STATIC);
	ck_assert_uint_eq(btf_type(&f.btf, TAG).kind, BTF_KIND_DECL_TAG);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_PROG_LOAD"), 3);
	/* It has been tried once and for all. */
	load_prog();
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_BTF_LOAD"), 2);
}

/* In an object with an arena, only the global functions that take a pointer become static. */
TEST_EACH(pointers_into_an_arena, 2)
{
	struct object_map map = { .type = _i ? BPF_MAP_TYPE_ARENA : BPF_MAP_TYPE_HASH };
	struct btf_compat plain = { 0 };
	uint32_t func[3], types[3] = { PTR, INT, 0 };
	struct btf btf;

	begin();
	btf_free(&f.object.btf);
	buffer_free(&f.raw);
	types[0] = bb_ref(&f.builder, BTF_KIND_TYPEDEF, "list_t", PTR);
	for (int i = 0; i < 3; i++) {
		const uint32_t proto = bb_proto(&f.builder, INT);

		bb_param(&f.builder, "n", INT);
		bb_param(&f.builder, types[i] ? "p" : "", types[i]);
		func[i] = bb_func(&f.builder, "takes", proto, BTF_FUNC_GLOBAL);
	}
	f.raw = bb_btf(&f.builder);
	f.object.btf_raw = f.raw.data;
	f.object.maps = &map;
	f.object.nr_maps = 1;
	ck_assert_int_eq(btf_parse(&f.object.btf, buffer_bytes(&f.raw), NULL), 0);
	ck_assert_int_eq(btf_compat_untag(&f.object, &plain), 1);
	ck_assert_int_eq(btf_parse(&btf, (struct bytes){ plain.raw, plain.size }, NULL), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(btf_type(&btf, func[i]).extra,
				  i || !_i ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC);
	ck_assert_uint_eq(btf_type(&btf, GLOBAL).extra, BTF_FUNC_STATIC);	/* its tag */
	btf_free(&btf);
	btf_compat_free(&plain);
}

/* With static functions in the place of those with tags it is loaded, and that is remembered. */
TEST_EACH(tags_are_left_out, 2)
{
	begin();
	fake_kernel_reject(f.fake, "prog", EINVAL, "0: (95) exit\nR1 type=ctx expected=fp\n");
	fake_kernel_relent(f.fake, _i ? 2 : 1);	/* without a log, the first error has gone */
	load_maps();
	ck_assert_int_eq(load_prog(), 0);
	ck_assert_uint_eq(f.k.progs[0].without, _i ? WITHOUT_TAGS : 0);
}

/*
 * The kernel takes records for each function or none. A note is printed only for records that
 * exist.
 */
TEST_EACH(records_of_some_functions, 4)
{
	const struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	struct bpf_func_info func = { .type_id = GLOBAL };
	const struct prog_code code = { .insns = (struct bpf_insn *)&insn, .nr_insns = 1,
					.func_info = &func, .nr_func_info = _i != 1 };

	begin();
	f.object.ext.func_info.nr_secs = _i > 0;
	f.object.ext.line_info.nr_secs = _i == 3;
	load_maps();
	ck_assert_int_eq(kernel_verify_prog(f.sys, &f.k, 0, &code, &f.err), 0);
	ck_assert_uint_eq(f.k.progs[0].without, _i == 1 || _i == 3 ? WITHOUT_RECORDS : 0);
}

/* Sections of data. The code refers to the second one. */
static struct object_map sections[] = {
	{ .name = ".rodata", .section = 1, .read_only = true },
	{ .name = ".rodata.x", .section = 2, .read_only = true },
	{ .name = ".rodata.y", .section = 3, .read_only = true },
	{ .name = ".bss", .section = 4 },
	{ .name = ".kconfig", .read_only = true },
};

#define NR_SECTIONS (sizeof(sections) / sizeof(sections[0]))

static const struct {
	unsigned int age, fails;	/* the call after BPF_PROG_LOAD */
	unsigned int binds, without;
} bound[] = {
	{ 0, 0, 2, 0 },
	{ FAKE_NO_BIND_MAP, 0, 1, 0 },
	{ 0, ENOMEM, 2, WITHOUT_RODATA },
};

/* The kernel itself binds the maps that the code refers to, and BPF_PROG_BIND_MAP the others. */
TEST_ROWS(read_only_data_is_bound, bound)
{
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	struct prog_map_ref ref = { .map = 1 };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1, .map_refs = &ref,
					.nr_map_refs = 1 };

	begin();
	for (size_t i = 0; i < NR_SECTIONS; i++) {
		sections[i].kind = OBJECT_MAP_DATA;
		sections[i].type = BPF_MAP_TYPE_ARRAY;
		sections[i].key_size = sections[i].value_size = 4;
		sections[i].max_entries = 1;
		sections[i].inner = -1;
	}
	f.object.maps = sections;
	f.object.nr_maps = NR_SECTIONS;
	fake_kernel_set_age(f.fake, bound[_i].age);
	load_maps();
	if (bound[_i].fails)
		fake_kernel_fail_call(f.fake, 2, bound[_i].fails);
	ck_assert_int_eq(kernel_verify_prog(f.sys, &f.k, 0, &code, &f.err), 0);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_PROG_BIND_MAP"), bound[_i].binds);
	ck_assert_uint_eq(f.k.progs[0].without, bound[_i].without);
}

/*
 * If BPF_LINK_CREATE does not support tracing programs, pload uses BPF_RAW_TRACEPOINT_OPEN, which
 * takes no cookie, and whose error shows what the kernel lacks.
 */
static const struct {
	unsigned int age;
	uint64_t cookie;
	int ret;
	const char *reason, *call;
	unsigned int older_calls;
} hooks[] = {
	{ 0, 0, 0, NULL, NULL, 0 },
	{ FAKE_NO_HOOK_LINK, 0, 0, NULL, NULL, 1 },
	{ FAKE_NO_HOOK_LINK | FAKE_NO_TRAMPOLINE, 0, -KERNEL_ENOTSUPP, "attach/unsupported",
	  "BPF_RAW_TRACEPOINT_OPEN", 1 },
	{ FAKE_NO_HOOK_LINK, 7, -EINVAL, "attach/failed", "BPF_LINK_CREATE", 0 },
};

TEST_ROWS(hook, hooks)
{
	const struct target_options where = { 0 };
	struct attach_set set = { 0 };
	struct target_request req = {
		.target = link_target_find(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY),
		.options = &where, .section_target = "vfs_read", .attach_type = BPF_TRACE_FENTRY,
		.cookie = hooks[_i].cookie, .has_cookie = hooks[_i].cookie,
	};

	begin();
	f.prog.kind = &fentry;
	fake_kernel_set_age(f.fake, hooks[_i].age);
	load_maps();
	ck_assert_msg(!load_prog(), "%s", f.err.what);
	req.prog_fd = f.k.progs[0].fd;
	ck_assert_int_eq(link_target_bind(f.sys, &req, &set, &f.err), hooks[_i].ret);
	ck_assert_pstr_eq(f.err.reason, hooks[_i].reason);
	if (hooks[_i].call)
		ck_assert_ptr_nonnull(strstr(f.err.what, hooks[_i].call));
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_RAW_TRACEPOINT_OPEN"), hooks[_i].older_calls);
	attach_close(f.sys, &set);
}

/* A raw tracepoint refuses a program once: it is not the program. */
static const struct {
	bool sleepable;
	uint64_t cookie;
} raw_tracepoints[] = { { true, 0 }, { false, 0 }, { false, 1 } };

TEST_ROWS(raw_tracepoint, raw_tracepoints)
{
	const bool sleepable = raw_tracepoints[_i].sleepable;
	const struct prog_kind raw_tp = {
		.prefix = "raw_tp.s", .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.prog_flags = sleepable ? BPF_F_SLEEPABLE : 0,
	};
	const struct target_options where = { 0 };
	struct attach_set set = { 0 };
	struct target_request req = {
		.target = link_target_find(BPF_PROG_TYPE_RAW_TRACEPOINT, 0), .options = &where,
		.section_target = "sched_switch", .sleepable = sleepable,
		.cookie = raw_tracepoints[_i].cookie, .has_cookie = raw_tracepoints[_i].cookie,
	};

	begin();
	f.prog.kind = &raw_tp;
	load_maps();
	ck_assert_msg(!load_prog(), "%s", f.err.what);
	ck_assert_uint_eq(fake_kernel_prog(f.fake, "prog")->attr.prog_flags, raw_tp.prog_flags);
	req.prog_fd = f.k.progs[0].fd;
	fake_kernel_fail_call(f.fake, 1, EINVAL);
	ck_assert_int_eq(link_target_bind(f.sys, &req, &set, &f.err), -EINVAL);
	ck_assert_pstr_eq(f.err.reason, "attach/failed");
	attach_close(f.sys, &set);
}
