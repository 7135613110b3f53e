// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Structs of functions: their description in an object, the positions of their members in a kernel
 * whose struct differs, and the errors.
 */
#include <errno.h>
#include <string.h>

#include "loader/objects/struct_ops/struct_ops.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/* The object's types; the struct is "ops___mine". */
enum { L_INT = 1, L_CHAR, L_PROTO, L_FUNCTION, L_NAME, L_OPS };

/*
 *	struct ops___mine { a; b; int flags; char name[4]; } and what a test adds, 32 bytes
 *	.struct_ops	 0 first: .a = f, .b = g, .flags = 7, .name = "abc"
 *			32 second: .a = f
 */
static struct setup {
	struct elf_builder elf;
	struct btf_builder local, kernel, module;
	uint32_t ops, code, f, g, sub, event;	/* sections, symbols */
	const char *section;
	struct second {
		const char *name;
		uint32_t type, offset, size;
	} second;	/* the second variable */
	struct buffer file, raw[2];
	struct fake_path paths[2];
	struct fake_kernel *k;
	struct bpf_object obj;
	struct kernel_types types;
	struct struct_ops found;
	struct kernel_object loaded;
	bool wanted[8];
} s;
static struct error err;

static void build_object(const char *section)
{
	static const unsigned char data[64] = { [16] = 7, [20] = 'a', 'b', 'c' };

	s.section = section;
	s.code = eb_prog(&s.elf, "struct_ops");
	eb_exit(&s.elf, s.code);
	eb_exit(&s.elf, s.code);
	s.sub = eb_prog(&s.elf, ".text");
	eb_exit(&s.elf, s.sub);
	s.event = eb_prog(&s.elf, "perf_event");
	eb_exit(&s.elf, s.event);
	s.ops = eb_data(&s.elf, section, data, sizeof(data));
	eb_section(&s.elf, "license", SHT_PROGBITS, SHF_ALLOC, "GPL", 4);
	s.f = eb_symbol(&s.elf, "f", s.code, 0, 8, STB_GLOBAL, STT_FUNC);
	s.g = eb_symbol(&s.elf, "g", s.code, 8, 8, STB_GLOBAL, STT_FUNC);
	s.sub = eb_symbol(&s.elf, "sub", s.sub, 0, 8, STB_GLOBAL, STT_FUNC);
	s.event = eb_symbol(&s.elf, "event", s.event, 0, 8, STB_GLOBAL, STT_FUNC);
	eb_symbol(&s.elf, "first", s.ops, 0, 32, STB_GLOBAL, STT_OBJECT);
}

static void build_local(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "char", 1, 0);
	bb_proto(b, L_INT);
	bb_ref(b, BTF_KIND_PTR, "", L_PROTO);
	bb_array(b, L_CHAR, L_INT, 4);
	bb_struct(b, BTF_KIND_STRUCT, "ops___mine", 32, false);
	bb_member(b, "a", L_FUNCTION, 0, 0);
	bb_member(b, "b", L_FUNCTION, 64, 0);
	bb_member(b, "flags", L_INT, 128, 0);
	bb_member(b, "name", L_NAME, 160, 0);
}

/* The type of the kernel has the members flags, b, a, name, and a "data" after the common value. */
static void build_kernel(struct btf_builder *b, const char *name)
{
	uint32_t integer = bb_int(b, "int", 4, BTF_INT_SIGNED);
	uint32_t function = bb_ref(b, BTF_KIND_PTR, "", bb_proto(b, integer));
	uint32_t text = bb_array(b, bb_int(b, "char", 1, 0), integer, 4), ops;

	ops = bb_struct(b, BTF_KIND_STRUCT, name, 32, false);
	bb_member(b, "flags", integer, 0, 0);
	bb_member(b, "b", function, 64, 0);
	bb_member(b, "a", function, 128, 0);
	bb_member(b, "name", text, 192, 0);
	bb_struct(b, BTF_KIND_STRUCT, "bpf_struct_ops_ops", 96, false);
	bb_member(b, "common", integer, 0, 0);
	bb_member(b, "data", ops, 512, 0);
}

static void begin_in(const char *section)
{
	memset(&s, 0, sizeof(s));
	memset(s.wanted, true, sizeof(s.wanted));
	s.second = (struct second){ "second", L_OPS, 32, 32 };
	build_object(section);
	build_local(&s.local);
}

/* As clang writes it: the DATASEC has no size yet. */
static int finish(void)
{
	uint32_t first = bb_var(&s.local, "first", L_OPS, BTF_VAR_GLOBAL_ALLOCATED);
	uint32_t second = bb_var(&s.local, "second", s.second.type, BTF_VAR_GLOBAL_ALLOCATED);
	struct buffer raw;

	eb_symbol(&s.elf, s.second.name, s.ops, s.second.offset, s.second.size, STB_GLOBAL,
		  STT_OBJECT);
	bb_datasec(&s.local, s.section, 0);
	bb_datasec_var(&s.local, first, 0, 32);
	bb_datasec_var(&s.local, second, 0, s.second.size);
	raw = bb_btf(&s.local);
	eb_section(&s.elf, ".BTF", SHT_PROGBITS, 0, raw.data, raw.size);
	buffer_free(&raw);
	s.file = eb_finish(&s.elf);
	return bpf_object_parse(&s.obj, "ops.o", buffer_bytes(&s.file), &err);
}

static void add_usual(void)
{
	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.f, 0);
	eb_reloc(&s.elf, s.ops, 8, R_BPF_64_ABS64, s.g, 0);
	eb_reloc(&s.elf, s.ops, 32, R_BPF_64_ABS64, s.f, 0);
	eb_reloc(&s.elf, s.ops, 36, R_BPF_NONE, 0, 0);
}

/* The fake kernel has what s->kernel says, and s->module when there is something in it. */
static int find(void)
{
	if (!s.kernel.nr_types)
		build_kernel(&s.kernel, "ops");
	s.raw[0] = bb_btf(&s.kernel);
	s.paths[0] = (struct fake_path){
		"/sys/kernel/btf/vmlinux", s.raw[0].data, s.raw[0].size, 0
	};
	s.k = fake_kernel_new(s.paths);
	if (s.module.nr_types) {
		s.raw[1] = bb_btf(&s.module);
		fake_kernel_add_btf(s.k, "mod", s.raw[1].data, s.raw[1].size, false);
	}
	kernel_types_init(&s.types, fake_kernel_sys(s.k), NULL);
	struct_ops_init(&s.found, fake_kernel_sys(s.k), &s.types, &s.obj);
	return struct_ops_find(&s.found, s.wanted, &err);
}

static int load(void)
{
	struct sys *sys = fake_kernel_sys(s.k);
	int ret = kernel_load_maps(sys, &s.obj, &(struct map_options){ .ops = s.found.maps },
				   &s.loaded, &err);

	for (uint32_t i = 0; !ret && i < s.obj.nr_progs; i++) {
		struct prog_code code;

		if (s.obj.progs[i].kind->prog_type != BPF_PROG_TYPE_STRUCT_OPS)
			continue;
		ck_assert(!relocate(&s.obj, i, NULL, &code, &err));
		ret = struct_ops_target(&s.found, i, &s.loaded.progs[i].target, &err);
		if (!ret)
			ret = kernel_verify_prog(sys, &s.loaded, i, &code, &err);
		prog_code_free(&code);
	}
	return ret;
}

static void end(void)
{
	if (s.k)
		kernel_unload(fake_kernel_sys(s.k), &s.loaded);
	struct_ops_free(&s.found);
	kernel_types_free(&s.types);
	if (s.k) {
		ck_assert_int_eq(fake_kernel_leaks(s.k, stderr), 0);
		ck_assert_int_eq(fake_kernel_violations(s.k, stderr), 0);
		fake_kernel_free(s.k);
	}
	bpf_object_free(&s.obj);
	buffer_free(&s.file);
	buffer_free(&s.raw[0]);
	buffer_free(&s.raw[1]);
	bb_free(&s.local);
	bb_free(&s.kernel);
	bb_free(&s.module);
	error_clear(&err);
	memset(&s, 0, sizeof(s));
}

TEST_FIXTURE(NULL, end)

TEST_EACH(variables_become_maps, 4)
{
	static const char *const sections[] = {
		".struct_ops", ".struct_ops.link", "?.struct_ops", "?.struct_ops.link"
	};
	const struct object_map *m;

	begin_in(sections[_i]);
	add_usual();
	ck_assert_msg(!finish(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(s.obj.nr_maps, 2);
	m = &s.obj.maps[0];
	ck_assert_str_eq(m->name, "first");
	ck_assert_uint_eq(m->type, BPF_MAP_TYPE_STRUCT_OPS);
	ck_assert_uint_eq(m->map_flags, _i % 2 ? BPF_F_LINK : 0);
	ck_assert(m->optional == (_i >= 2));
	ck_assert_uint_eq(m->struct_type, L_OPS);
	ck_assert_uint_eq(m->nr_slots, 2);
	ck_assert(m->slots[0].index == 0 && m->slots[1].index == 8);
	ck_assert_str_eq(s.obj.progs[m->slots[0].target].name, "f");
	ck_assert_str_eq(s.obj.progs[m->slots[1].target].name, "g");
	ck_assert_uint_eq(m->content[16], 7);
	ck_assert_uint_eq(s.obj.maps[1].offset, 32);
	ck_assert_uint_eq(s.obj.maps[1].nr_slots, 1);
	/* Kernels before 6.9 take no '?' in there. */
	ck_assert(!memmem(s.obj.btf_raw, s.obj.btf.raw.size, "?.struct_ops", 12));
	for (uint32_t i = 0; i < s.obj.nr_progs; i++)
		if (s.obj.progs[i].kind->prog_type == BPF_PROG_TYPE_STRUCT_OPS)
			ck_assert(s.obj.progs[i].optional == (_i >= 2));
}

static const struct {
	struct second second;
	struct expect expect;
} variables[] = {
	{ { "second", L_INT, 32, 32 }, { EBADMSG, NULL, "variable 'second' has type int, not a named struct" } },
	{ { "second", L_OPS, 48, 32 }, { EBADMSG, NULL, "at 0x30 are outside section" } },
	{ { "second", L_OPS, 32, 16 }, { EBADMSG, NULL, "is outside" } },
	{ { "second", L_OPS, 16, 32 }, { EBADMSG, NULL, "0 and 1 overlap" } },
};

TEST_ROWS(variables_are_refused, variables)
{
	begin_in(".struct_ops");
	s.second = variables[_i].second;
	add_usual();
	expect_error(variables[_i].expect.what, finish(), &err, &variables[_i].expect);
}

TEST(members_go_where_the_kernel_has_them)
{
	static const unsigned char zeroes[8];
	const union bpf_attr *attr;
	const unsigned char *value;
	struct fake_map *map;
	uint64_t fds[2];
	int link_fd = 0;

	begin_in(".struct_ops");
	add_usual();
	ck_assert(!finish());
	ck_assert_msg(!find(), "%s: %s", err.where, err.what);
	ck_assert_msg(!load(), "%s: %s", err.where, err.what);
	attr = &fake_kernel_map(s.k, "first")->attr;
	ck_assert_uint_eq(attr->value_size, 96);
	ck_assert_uint_eq(attr->btf_vmlinux_value_type_id, 7);
	ck_assert(attr->btf_fd && !attr->btf_value_type_id && !attr->map_flags);
	attr = &fake_kernel_prog(s.k, "f")->attr;
	ck_assert_uint_eq(attr->attach_btf_id, 6);
	ck_assert_uint_eq(attr->expected_attach_type, 2);	/* a is its third member */
	ck_assert_uint_eq(fake_kernel_prog(s.k, "g")->attr.expected_attach_type, 1);
	map = fake_kernel_map(s.k, "first");
	value = fake_map_value(map, &(uint32_t){ 0 });
	ck_assert(!value);	/* nothing is registered by loading */
	ck_assert_msg(!struct_ops_attach(&s.found, &s.loaded, 0, &link_fd, &err), "%s", err.what);
	ck_assert_int_eq(link_fd, -1);
	value = fake_map_value(map, &(uint32_t){ 0 });
	ck_assert_uint_eq(value[64], 7);
	memcpy(fds, value + 64 + 8, sizeof(fds));	/* b, a */
	for (uint32_t i = 0; i < 2; i++) {
		const struct object_slot *slot = &s.obj.maps[0].slots[i];

		ck_assert_uint_eq(fds[1 - i], s.loaded.progs[slot->target].fd);
	}
	ck_assert_str_eq((const char *)value + 64 + 24, "abc");
	ck_assert(!memcmp(value, zeroes, 8));
	ck_assert(!struct_ops_detach(fake_kernel_sys(s.k), &s.loaded, 0, &err));
}

TEST(a_struct_of_a_module)
{
	const union bpf_attr *attr;

	begin_in(".struct_ops");
	add_usual();
	ck_assert(!finish());
	bb_int(&s.kernel, "int", 4, BTF_INT_SIGNED);
	bb_split(&s.module, &s.kernel);
	build_kernel(&s.module, "ops");
	ck_assert_msg(!find(), "%s: %s", err.where, err.what);
	ck_assert_msg(!load(), "%s: %s", err.where, err.what);
	attr = &fake_kernel_map(s.k, "first")->attr;
	ck_assert_uint_eq(attr->btf_vmlinux_value_type_id, 8);
	ck_assert_uint_eq(attr->map_flags, BPF_F_VTYPE_BTF_OBJ_FD);
	ck_assert_int_eq(attr->value_type_btf_obj_fd, kernel_types_module_fd(&s.types, 0, &err));
	attr = &fake_kernel_prog(s.k, "f")->attr;
	ck_assert_int_eq(attr->attach_btf_obj_fd, kernel_types_module_fd(&s.types, 0, &err));
	ck_assert_uint_eq(attr->attach_btf_id, 7);
}

/* Optional structs are made for programs of theirs that are wanted, and looked for only then. */
TEST_EACH(optional_structs, 2)
{
	begin_in("?.struct_ops");
	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.f, 0);
	eb_reloc(&s.elf, s.ops, 40, R_BPF_64_ABS64, s.g, 0);
	ck_assert(!finish());
	for (uint32_t i = 0; i < s.obj.nr_progs; i++)
		s.wanted[i] = _i && !strcmp(s.obj.progs[i].name, "g");
	if (!_i)
		build_kernel(&s.kernel, "of_nobody");
	ck_assert_msg(!find(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(s.found.maps[0].value_type, 0);
	ck_assert(!s.found.maps[1].value_type == !_i);
	ck_assert(!kernel_load_maps(fake_kernel_sys(s.k), &s.obj,
				    &(struct map_options){ .ops = s.found.maps }, &s.loaded, &err));
	ck_assert_int_eq(s.loaded.maps[0].fd, -1);
	ck_assert((s.loaded.maps[1].fd >= 0) == (_i == 1));
}

/* --- structs that are refused --- */

static void to_subprogram(void) { eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.sub, 0); }
static void to_other_kind(void) { eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.event, 0); }

static void to_the_middle(void)
{
	uint32_t middle = eb_symbol(&s.elf, "middle", s.code, 4, 0, STB_GLOBAL, STT_NOTYPE);

	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, middle, 0);
}

static void over_the_end(void) { eb_reloc(&s.elf, s.ops, 28, R_BPF_64_ABS64, s.f, 0); }

static void twice(void)
{
	add_usual();
	eb_reloc(&s.elf, s.ops, 4, R_BPF_64_ABS64, s.f, 0);
}

static void other_type(void) { eb_reloc(&s.elf, s.ops, 0, R_BPF_64_32, s.f, 0); }

static void undefined(void)
{
	uint32_t u = eb_symbol(&s.elf, "nowhere", SHN_UNDEF, 0, 0, STB_GLOBAL, STT_NOTYPE);

	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, u, 0);
}

static const struct {
	const char *name;
	void (*build)(void);
	struct expect expect;
} broken[] = {
	{ "a subprogram", to_subprogram, { EBADMSG, ".rel.struct_ops[0] at 0x0",
					   "'sub' is a subprogram", "SEC(\"struct_ops\")" } },
	{ "a program of another kind", to_other_kind,
	  { EBADMSG, NULL, "program 'event' is in section \"perf_event\"", "'first'" } },
	{ "no beginning", to_the_middle, { EBADMSG, NULL, "'middle' is not a program", NULL } },
	{ "over the end of a variable", over_the_end, { EBADMSG, NULL, "it is not inside a variable", NULL } },
	{ "twice", twice,
	  { EBADMSG, "'first'", "two relocations for byte 4", NULL, "object/struct-ops" } },
	{ "a relocation of instructions", other_type, { EBADMSG, NULL, "type 10", NULL } },
	{ "of nobody", undefined, { ENOTSUP, NULL, "'nowhere' is not defined in this object", NULL } },
};

TEST_ROWS(objects_refused, broken)
{
	begin_in(".struct_ops");
	broken[_i].build();
	expect_error(broken[_i].name, finish(), &err, &broken[_i].expect);
}

TEST(without_btf)
{
	begin_in(".struct_ops");
	s.file = eb_finish(&s.elf);
	expect_error("no BTF", bpf_object_parse(&s.obj, "ops.o", buffer_bytes(&s.file), &err), &err,
		     &(struct expect){ EBADMSG, "'.struct_ops'", "its variables have no BTF", "-g" });
}

/* A kernel whose struct has one member, that of a test. */
static void only(const char *name, uint32_t kind, uint32_t size, uint32_t at)
{
	struct btf_builder *b = &s.kernel;
	uint32_t integer = bb_int(b, "int", 4, BTF_INT_SIGNED), type = integer, ops;

	if (kind == BTF_KIND_PTR)
		type = bb_ref(b, BTF_KIND_PTR, "", size ? integer : bb_proto(b, integer));
	else if (kind == BTF_KIND_INT)
		type = bb_int(b, "of that size", size, 0);
	ops = bb_struct(b, BTF_KIND_STRUCT, "ops", 32, false);
	bb_member(b, name, type, at, 0);
	bb_struct(b, BTF_KIND_STRUCT, "bpf_struct_ops_ops", 96, false);
	bb_member(b, "data", ops, 512, 0);
}

static void flags_gone(void) { only("other", BTF_KIND_INT, 4, 0); }
static void flags_wider(void) { only("flags", BTF_KIND_INT, 8, 0); }
static void flags_pointer(void) { only("flags", BTF_KIND_PTR, 0, 0); }
static void flags_outside(void) { only("flags", BTF_KIND_INT, 4, 512); }
static void nobody(void) { bb_int(&s.kernel, "int", 4, 0); }
static void no_data(void) { build_kernel(&s.kernel, "something_else"); }

static void two_members(void)
{
	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.f, 0);
	eb_reloc(&s.elf, s.ops, 8, R_BPF_64_ABS64, s.f, 0);
}

static void no_member(void)
{
	memset(s.elf.sections[s.ops].data.data, 0, 32);
	eb_reloc(&s.elf, s.ops, 16, R_BPF_64_ABS64, s.f, 0);
}

static const struct {
	const char *name;
	void (*build)(void);
	struct expect expect;
} misfits[] = {
	{ "a member that is set and gone", flags_gone,
	  { ENOTSUP, "map 'first': member 'flags'", "no such member",
	    "leave it 0", "struct-ops/layout" } },
	{ "another size", flags_wider,
	  { ENOTSUP, "member 'flags'", "4 bytes, and 8 in the kernel", NULL } },
	{ "another kind", flags_pointer,
	  { ENOTSUP, "member 'flags'", "its kind is int, but ptr in the kernel", NULL } },
	{ "outside of the value", flags_outside, { EBADMSG, "member 'flags'", "outside", NULL } },
	{ "a kernel without it", nobody, { ENOENT, "map 'first'", "the kernel has no struct_ops 'ops'", "module",
	    "struct-ops/no-type" } },
	{ "a value without it", no_data,
	  { EBADMSG, "map 'first'", "the kernel's struct 'bpf_struct_ops_ops' does not contain a", NULL } },
	{ "a program in two members", two_members,
	  { EINVAL, "member 'b'", "'f' is already used for another member", "second" } },
	{ "a program in a number", no_member,
	  { ENOTSUP, "map 'first': member 'flags'", "byte 16", NULL } },
};

TEST_ROWS(kernels_refused, misfits)
{
	begin_in(".struct_ops");
	misfits[_i].build();
	ck_assert_msg(!finish(), "%s: %s", err.where, err.what);
	expect_error(misfits[_i].name, find(), &err, &misfits[_i].expect);
}

/* The second struct alone, whose number is 0: functions are what may be wrong. */
static const struct {
	const char *name;
	uint32_t kind, size;
	const char *member;
	struct expect expect;
} functions[] = {
	{ "there", BTF_KIND_PTR, 0, "a", { 0, NULL, NULL, NULL } },
	{ "no function", BTF_KIND_PTR, 4, "a",
	  { ENOTSUP, "map 'second': member 'a'", "not a function in the kernel", NULL } },
	{ "a number", BTF_KIND_INT, 8, "a",
	  { ENOTSUP, "member 'a'", "its kind is ptr, but int in the kernel", NULL } },
	{ "gone", BTF_KIND_PTR, 0, "z", { ENOTSUP, "member 'a'", "no such member", NULL } },
};

TEST_ROWS(functions_of_the_kernel, functions)
{
	int ret;

	begin_in(".struct_ops");
	memset(s.elf.sections[s.ops].data.data, 0, 32);	/* the first sets nothing */
	eb_reloc(&s.elf, s.ops, 32, R_BPF_64_ABS64, s.f, 0);
	only(functions[_i].member, functions[_i].kind, functions[_i].size, 0);
	ck_assert_msg(!finish(), "%s: %s", err.where, err.what);
	ret = find();
	if (functions[_i].expect.code)
		expect_error(functions[_i].name, ret, &err, &functions[_i].expect);
	else
		ck_assert_msg(!ret, "%s: %s", err.where, err.what);
}

TEST(a_program_that_nobody_points_to)
{
	begin_in(".struct_ops");
	eb_reloc(&s.elf, s.ops, 0, R_BPF_64_ABS64, s.f, 0);
	ck_assert(!finish());
	ck_assert(!find());
	expect_error("g", load(), &err,
		     &(struct expect){ EINVAL, "prog 'g'", "no struct", ".MEMBER = (void *)g",
				       "struct-ops/no-member" });
}

/* Each call fails in turn, and nothing is left behind. */
TEST(calls_that_fail)
{
	unsigned int before, calls = 0;

	for (unsigned int n = 0; n <= calls; n++) {
		int link_fd, ret;

		begin_in(".struct_ops.link");
		add_usual();
		ck_assert(!finish());
		ck_assert(!find());
		before = fake_kernel_nr_calls(s.k);
		fake_kernel_fail_call(s.k, n, EMFILE);
		ret = load();
		if (!ret)
			ret = struct_ops_attach(&s.found, &s.loaded, 0, &link_fd, &err);
		ck_assert(ret < 0 && err.what[0]);	/* the fake kernel makes no such link */
		if (!n) {
			ck_assert_str_eq(err.reason, "struct-ops/refused");
			ck_assert_msg(strstr(err.call, "BPF_STRUCT_OPS"), "%s", err.call);
		}
		if (!n)
			calls = fake_kernel_nr_calls(s.k) - before;
		error_clear(&err);
		end();
	}
	ck_assert_uint_ge(calls, 6);
}
