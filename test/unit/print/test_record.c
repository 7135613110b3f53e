// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records: which type they are taken for, and which bytes are struct, payload and padding. */
#include <errno.h>

#include "test/unit/common/expect.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"
#include "loader/sessions/records/missing_struct.h"

/* An object with one map and one program, as far as record_format_init() looks. */
static struct object_of_test {
	struct types t;
	struct object_map map;
	struct object_prog prog;
	struct bpf_object obj;
} o;

static void object_begin(void)
{
	memset(&o, 0, sizeof(o));
	types_begin(&o.t);
	o.map.name = "events";
	o.prog.name = "prog";
}

static void object_end(void)
{
	types_end(&o.t);
}

TEST_FIXTURE(object_begin, object_end)

static void object_finish(void)
{
	types_finish(&o.t);
	o.obj = (struct bpf_object){
		.has_btf = true,
		.btf = o.t.btf,
		.maps = &o.map,
		.nr_maps = 1,
		.progs = &o.prog,
		.nr_progs = 1,
	};
}

/* A struct of @words u32, named or not. */
static uint32_t add_struct(const char *name, uint32_t words)
{
	uint32_t id = bb_struct(&o.t.b, BTF_KIND_STRUCT, name, 4 * words, false);
	char member[16];

	for (uint32_t i = 0; i < words; i++) {
		snprintf(member, sizeof(member), "m%u", i);
		bb_member(&o.t.b, member, o.t.u32, 32 * i, 0);
	}
	return id;
}

static int init_format(struct record_format *format, const struct map_usage *usage,
		       const char *type_name, char *note, size_t note_size, struct error *err)
{
	const struct record_source source = { .obj = &o.obj, .usage = usage,
					      .type_name = type_name };

	const int ret = record_format_init(format, &source, note, note_size, err);

	missing_struct_note(&o.obj, format, note, note_size);
	return ret;
}

static void expect_format(struct map_usage usage, const char *type_name, uint32_t type,
			  uint32_t size, const char *note)
{
	struct record_format format;
	struct error err = { 0 };
	char got[512] = "left over";
	int ret =
		init_format(&format, &usage, type_name, got, sizeof(got), &err);

	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	ck_assert_str_eq(format.map, "events");
	ck_assert_uint_eq(format.type, type);
	ck_assert_uint_eq(format.size, size);
	ck_assert_int_eq(format.payload, usage.payload && !usage.record_varies);
	if (note)
		ck_assert_msg(strstr(got, note), "'%s' lacks '%s'", got, note);
	else
		ck_assert_str_eq(got, "");
}

/* A struct that is local to a function is in no BTF, but the source lines have its name. */
static const struct {
	const char *lines[3];
	const char *note;
} locals[] = {
	{ { "\tstruct event e = {};", "\tstruct known *k;", "return 0;" },
	  ", nor struct event, which prog.bpf.c:7 uses. To add it, declare a global after its "
	  "definition: struct event *unused __attribute__((unused));" },
	{ { "x = 1;", "\tbpf_ringbuf_output(&rb, &e, sizeof(struct event), 0);", "struct event *p;" },
	  "struct event *unused __attribute__((unused));" },
	/* one of several is not guessed, nor is a word that only ends so */
	{ { "struct event e; struct other o;", "", "" }, "of that size (declare a global pointer" },
	{ { "construct event", "struct  {", "struct " }, "of that size (declare a global pointer" },
	{ { "struct known k;", "", "" }, "of that size (declare a global pointer" },
};

TEST_ROWS(a_struct_that_btf_lacks_is_named, locals)
{
	struct error err = { 0 };
	struct buffer ext;

	add_struct("known", 2);
	for (uint32_t i = 0; i < 3; i++)
		bb_line_info(&o.t.b, "perf_event", 8 * i, "/src/dir/prog.bpf.c",
			     locals[_i].lines[i], 7 + i, 2);
	object_finish();
	ext = bb_ext(&o.t.b);
	ck_assert_int_eq(btf_ext_parse(&o.obj.ext, (struct bytes){ ext.data, ext.size },
				       &o.obj.btf, &err), 0);
	expect_format((struct map_usage){ .record_size = 20 }, NULL, 0, 20, locals[_i].note);
	btf_ext_free(&o.obj.ext);
	buffer_free(&ext);
}

TEST(the_only_struct_of_that_size_is_it)
{
	uint32_t event, anonymous;

	add_struct("small", 2);
	event = add_struct("event", 5);
	anonymous = add_struct("", 7);
	add_struct("", 9);		/* nobody can name it */
	bb_ref(&o.t.b, BTF_KIND_TYPEDEF, "seven_t", anonymous);
	object_finish();
	expect_format((struct map_usage){ .record_size = 20 }, NULL, event, 20, NULL);
	expect_format((struct map_usage){ .record_size = 20, .payload = true }, NULL, event, 20,
		      NULL);
	expect_format((struct map_usage){ .record_size = 28 }, NULL, anonymous, 28, NULL);
	expect_format((struct map_usage){ .record_size = 36 }, NULL, 0, 36,
		      "no struct of that size");
	expect_format((struct map_usage){ .record_size = 24 }, NULL, 0, 24,
		      "no struct of that size");
	expect_format((struct map_usage){ 0 }, NULL, 0, 0, NULL);
	expect_format((struct map_usage){ .payload = true }, NULL, 0, 0, NULL);
	expect_format((struct map_usage){ .record_size = 20, .record_varies = true }, NULL, 0,
		      0, "their size varies");
}

TEST(several_of_that_size_are_named)
{
	add_struct("first", 5);
	add_struct("second", 5);
	object_finish();
	expect_format((struct map_usage){ .record_size = 20 }, NULL, 0, 20, "any of first, second");
}

TEST(the_outer_of_two_is_it)
{
	uint32_t inner, constant, outer;

	inner = add_struct("inner", 5);
	constant = bb_ref(&o.t.b, BTF_KIND_CONST, "", inner);
	outer = bb_struct(&o.t.b, BTF_KIND_STRUCT, "outer", 20, false);
	bb_member(&o.t.b, "in", constant, 0, 0);
	object_finish();
	expect_format((struct map_usage){ .record_size = 20 }, NULL, outer, 20, NULL);
}

/* Walking a wide struct again for each of its names would take minutes here. */
TEST(many_names_for_one_struct_cost_no_more)
{
	enum { MEMBERS = 60000, NAMES = 300000 };
	uint32_t id;

	id = bb_struct(&o.t.b, BTF_KIND_STRUCT, "", 4, false);
	for (int i = 0; i < MEMBERS; i++)
		bb_member(&o.t.b, "m", o.t.u32, 0, 0);
	for (int i = 0; i < NAMES; i++)
		bb_ref(&o.t.b, BTF_KIND_TYPEDEF, "a_t", id);
	object_finish();
	expect_format((struct map_usage){ .record_size = 4 }, NULL, 0, 4, "any of a_t, a_t");
}

TEST(contexts_and_map_definitions_are_not_records)
{
	uint32_t regs, array, ctx, ptr, proto, def, var, event;

	regs = add_struct("regs", 5);
	array = bb_array(&o.t.b, regs, o.t.u32, 1);
	ctx = bb_struct(&o.t.b, BTF_KIND_STRUCT, "ctx", 20, false);
	bb_member(&o.t.b, "regs", array, 0, 0);
	ptr = bb_ref(&o.t.b, BTF_KIND_PTR, "", ctx);
	proto = bb_proto(&o.t.b, o.t.s32);
	bb_param(&o.t.b, "ctx", ptr);
	bb_func(&o.t.b, "prog", proto, BTF_FUNC_GLOBAL);
	def = add_struct("def", 5);
	var = bb_var(&o.t.b, "events", def, BTF_VAR_GLOBAL_ALLOCATED);
	bb_datasec(&o.t.b, ".maps", 20);
	bb_datasec_var(&o.t.b, var, 0, 20);
	event = add_struct("event", 5);
	object_finish();
	expect_format((struct map_usage){ .record_size = 20 }, NULL, event, 20, NULL);
}

/* Records of a ring have the type that it declares for its values, whatever sizes are written. */
TEST(a_ring_declares_the_type_of_its_records)
{
	uint32_t first, alias;

	first = add_struct("first", 5);
	add_struct("second", 5);
	alias = bb_ref(&o.t.b, BTF_KIND_TYPEDEF, "alias_t", o.t.u64);
	object_finish();
	o.map.type = BPF_MAP_TYPE_RINGBUF;
	o.map.value_type = first;
	expect_format((struct map_usage){ .record_size = 20 }, NULL, first, 20, NULL);
	expect_format((struct map_usage){ .record_varies = true }, NULL, first, 20, NULL);
	expect_format((struct map_usage){ .record_size = 20 }, "alias_t", alias, 8, NULL);
	/* The values of an array of events are descriptors. */
	o.map.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	expect_format((struct map_usage){ .record_size = 20 }, NULL, 0, 20, "first, second");
	o.map.type = BPF_MAP_TYPE_RINGBUF;
	o.obj.has_btf = false;
	expect_format((struct map_usage){ .record_size = 20 }, NULL, 0, 20, NULL);
}

TEST(a_named_type_wins)
{
	struct record_format format;
	struct map_usage usage = { .record_size = 20, .record_varies = true };
	struct error err = { 0 };
	uint32_t first, alias, en, un;
	char note[8];

	first = add_struct("first", 5);
	add_struct("second", 5);
	alias = bb_ref(&o.t.b, BTF_KIND_TYPEDEF, "alias_t", o.t.u64);
	bb_fwd(&o.t.b, "hidden", false);
	bb_ref(&o.t.b, BTF_KIND_TYPEDEF, "hidden_t", 0);
	en = bb_enum(&o.t.b, BTF_KIND_ENUM, "reason", 4, false);
	un = bb_struct(&o.t.b, BTF_KIND_UNION, "both", 4, false);
	object_finish();
	expect_format(usage, "first", first, 20, NULL);
	expect_format(usage, "struct first", first, 20, NULL);
	expect_format(usage, "alias_t", alias, 8, NULL);
	expect_format(usage, "enum reason", en, 4, NULL);
	expect_format(usage, "union both", un, 4, NULL);
	expect_format(usage, "unsigned int", o.t.u32, 4, NULL);
	expect_error(
		"no such",
		init_format(&format, &usage, "third", note, sizeof(note), &err),
		&err, &(struct expect){ ENOENT, NULL, "'third'", "pointer" });
	expect_error("void",
		     init_format(&format, &usage, "hidden_t", note, sizeof(note), &err),
		     &err, &(struct expect){ ENOENT, NULL, "with a size", NULL, "output/no-type" });
	o.obj.has_btf = false;
	expect_error(
		"no BTF",
		init_format(&format, &usage, "first", note, sizeof(note), &err),
		&err, &(struct expect){ EINVAL, NULL, "has no BTF", NULL });
	expect_format((struct map_usage){ .record_size = 20 }, NULL, 0, 20, NULL);
}

/* A long list must not run over the note. */
TEST(a_note_is_cut)
{
	struct map_usage usage = { .record_size = 20 };
	struct record_format format;
	char name[64], note[100];

	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "a_struct_with_quite_a_long_name_%d", i);
		add_struct(name, 5);
	}
	object_finish();
	for (size_t size = 0; size <= sizeof(note); size++) {
		char *exact = malloc(size ? size : 1);

		ck_assert_int_eq(
			init_format(&format, &usage, NULL, exact, size, NULL), 0);
		ck_assert(!size || strlen(exact) < size);
		free(exact);
	}
}

/* --- bytes --- */

static void expect_record(uint32_t type_size, bool payload, size_t size, bool padded,
			  const char *json)
{
	struct error err = { 0 };
	unsigned char bytes[64];
	struct printed p;
	struct record_printer printer = {
		.format = { .map = "m", .size = type_size, .payload = payload },
	};
	char expected[256];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	printed_begin(&p, "json");
	printer.out = &p.out;
	ck_assert_int_eq(record_print(&printer,
				      &(struct record){ .bytes = { bytes, size }, .cpu = -1,
							.padded = padded }, &err), 0);
	snprintf(expected, sizeof(expected), "{\"type\":\"record\",\"map\":\"m\",%s}\n", json);
	ck_assert_str_eq(printed_text(&p), expected);
	printed_end(&p);
}

TEST(padding_is_cut_and_payload_is_shown)
{
	/*
	 * from a perf ring the size that comes is that of the record and four, up to a multiple of
	 * eight, less four
	 */
	expect_record(4, false, 4, true, "\"value\":\"00010203\"");
	expect_record(5, false, 12, true, "\"value\":\"0001020304\"");
	expect_record(8, false, 12, true, "\"value\":\"0001020304050607\"");
	expect_record(12, false, 12, true, "\"value\":\"000102030405060708090a0b\"");
	expect_record(4, true, 12, true, "\"value\":\"00010203\",\"payload\":\"0405060708090a0b\"");
	expect_record(8, true, 20, true,
		      "\"value\":\"0001020304050607\",\"payload\":\"08090a0b0c0d0e0f10111213\"");
	expect_record(0, true, 12, true, "\"payload\":\"000102030405060708090a0b\"");
	expect_record(0, true, 4, true, "\"value\":\"\"");	/* all padding: nothing was given */
	expect_record(0, false, 4, true, "\"value\":\"00010203\"");
	expect_record(8, false, 4, true, "\"value\":\"00010203\"");
	/* a ring buffer says how long each record is */
	expect_record(5, false, 5, false, "\"value\":\"0001020304\"");
	expect_record(5, false, 12, false,
		      "\"value\":\"0001020304\",\"payload\":\"05060708090a0b\"");
	expect_record(0, false, 0, false, "\"value\":\"\"");
	expect_record(UINT32_MAX, false, 4, true, "\"value\":\"00010203\"");
}

TEST(a_record_is_decoded)
{
	const uint32_t words[] = { 7, 8, HOST_BIG_ENDIAN ? 0xaabbccdd : 0xddccbbaa };
	struct record_printer printer = { .format = { .map = "events" } };
	struct error err = { 0 };
	struct printed p;
	struct record record;

	printer.format.type = add_struct("event", 2);
	object_finish();
	printer.format.size = 8;
	printer.format.btf = &o.obj.btf;
	printed_begin(&p, "text");
	printer.out = &p.out;
	record = (struct record){ .bytes = { (const unsigned char *)words, 12 }, .cpu = 2 };
	ck_assert_int_eq(record_print(&printer, &record, &err), 0);
	ck_assert_str_eq(printed_text(&p), "events cpu 2: {.m0 = 7, .m1 = 8} payload aabbccdd\n");
	printed_end(&p);
}

/* --- types that are compiled --- */

/* Return a struct with a member of each kind, and unnamed, nested and repeated ones. */
static uint32_t add_struct_of_all(struct types *t)
{
	struct btf_builder *b = &t->b;
	const uint32_t boolean = bb_int(b, "_Bool", 1, BTF_INT_BOOL);
	const uint32_t wide = bb_int(b, "__int128", 16, BTF_INT_SIGNED);
	const uint32_t s16 = bb_int(b, "short", 2, BTF_INT_SIGNED);
	const uint32_t f64 = bb_float(b, "double", 8);
	const uint32_t ptr = bb_ref(b, BTF_KIND_PTR, "", 0);
	const uint32_t state = bb_enum(b, BTF_KIND_ENUM, "state", 4, true);
	uint32_t comm, raw, many, inner, pair, id;

	bb_enumerator(b, "BUSY", -1);
	bb_enumerator(b, "IDLE", 0);
	bb_enumerator(b, "RESTING", 0);
	comm = bb_array(b, t->chr, t->u32, 16);
	raw = bb_array(b, t->u8, t->u32, 40);
	many = bb_array(b, t->u32, t->u32, 12);
	inner = bb_struct(b, BTF_KIND_UNION, "", 4, true);
	bb_member(b, "low", t->u32, 0, 3);
	bb_member(b, "high", t->s32, 3, 29);
	pair = bb_struct(b, BTF_KIND_STRUCT, "pair", 8, false);
	bb_member(b, "first", t->s32, 0, 0);
	bb_member(b, "second", t->u32, 32, 0);
	pair = bb_array(b, pair, t->u32, 9);
	id = bb_struct(b, BTF_KIND_STRUCT, "all", 256, false);
	bb_member(b, "wide", wide, 0, 0);
	bb_member(b, "time", t->u64, 128, 0);
	bb_member(b, "address", ptr, 192, 0);
	bb_member(b, "ratio", f64, 256, 0);
	bb_member(b, "comm", comm, 320, 0);
	bb_member(b, "state", state, 448, 0);
	bb_member(b, "", inner, 480, 0);
	bb_member(b, "many", many, 512, 0);
	bb_member(b, "low", t->u32, 896, 0);
	bb_member(b, "small", s16, 928, 0);
	bb_member(b, "is_last", boolean, 944, 0);
	bb_member(b, "pairs", pair, 960, 0);
	bb_member(b, "raw", raw, 1536, 0);
	return id;
}

/* Values of 0, -1, text, and at random. */
TEST(the_fields_of_a_type_print_what_its_message_prints)
{
	static const char *const formats[] = { "json", "text" }, some[] = " a\"\\/\n\xc3\xa9\x9b";
	unsigned char bytes[256];
	struct types t;
	uint32_t id;

	types_begin(&t);
	id = add_struct_of_all(&t);
	types_finish(&t);
	srand(1);
	for (int round = 0; round < 500; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = round == 0 ? 0 : round == 1 ? 0xff :
				   round % 3 ? rand() : rand() % 2 ? 0 : some[rand() % 9];
		for (int f = 0; f < 2; f++)
			ck_assert_msg(expect_same_record(&t.btf, id, bytes, sizeof(bytes),
							 formats[f]),
				      "%s: not compiled", formats[f]);
	}
	/* The type is compiled for as many bytes as there are. */
	ck_assert(expect_same_record(&t.btf, id, bytes, sizeof(bytes) - 1, "text"));
	ck_assert(expect_same_record(NULL, 0, bytes, sizeof(bytes), "json"));
	ck_assert(expect_same_record(NULL, 0, bytes, 32, "text"));
	ck_assert(!expect_same_record(NULL, 0, bytes, 33, "text"));	/* a dump */
	types_end(&t);
}

TEST(numbers_of_each_length_are_printed)
{
	struct types t;
	uint64_t power = 1;

	types_begin(&t);
	types_finish(&t);
	for (int digits = 1; digits <= 20; digits++, power *= 10)
		for (int less = 0; less < 2; less++)
			ck_assert(expect_same_record(&t.btf, t.u64, &(uint64_t){ power - less }, 8,
						     "json"));
	types_end(&t);
}

/* --- records that are shorter or longer than their type --- */

static void expect_printed(const struct record_format *format, const void *bytes, size_t size,
			   const char *style, const char *text)
{
	struct record_printer printer = { .format = *format };
	struct error err = { 0 };
	struct printed p;

	printed_begin(&p, style);
	printer.out = &p.out;
	ck_assert_int_eq(record_print(&printer,
				      &(struct record){ .bytes = { bytes, size }, .cpu = -1 },
				      &err), 0);
	ck_assert_str_eq(printed_text(&p), text);
	printed_end(&p);
}

TEST(the_members_that_a_short_record_has_are_decoded)
{
	const uint32_t words[] = { 7, 8, 9 };
	struct record_format format = { .map = "m", .size = 16 };

	format.type = add_struct("event", 4);
	object_finish();
	format.btf = &o.obj.btf;
	expect_printed(&format, words, 12, "json",
		       "{\"type\":\"record\",\"map\":\"m\","
		       "\"value\":{\"m0\":7,\"m1\":8,\"m2\":9},\"missing\":4}\n");
	expect_printed(&format, words, 11, "text",
		       "m: {.m0 = 7, .m1 = 8} (5 bytes shorter than its type)\n");
	expect_printed(&format, words, 3, "text", "m: {} (13 bytes shorter than its type)\n");
}

TEST(a_flexible_array_has_the_rest_of_the_record)
{
	const struct map_usage usage = { .record_varies = true };
	unsigned char bytes[12] = { 0 };
	struct record_format format;
	struct error err = { 0 };
	uint32_t chars, words, id;
	char note[8];

	chars = bb_array(&o.t.b, o.t.chr, o.t.u32, 0);
	bb_struct(&o.t.b, BTF_KIND_STRUCT, "event", 4, false);
	bb_member(&o.t.b, "size", o.t.u32, 0, 0);
	bb_member(&o.t.b, "path", chars, 32, 0);
	words = bb_array(&o.t.b, o.t.u32, o.t.u32, 0);
	id = bb_struct(&o.t.b, BTF_KIND_STRUCT, "list", 4, false);
	bb_member(&o.t.b, "size", o.t.u32, 0, 0);
	bb_member(&o.t.b, "words", words, 32, 0);
	object_finish();
	memcpy(bytes, &(uint32_t){ 3 }, 4);
	memcpy(bytes + 4, "/etc", 5);
	ck_assert_int_eq(init_format(&format, &usage, "event", note, sizeof(note), &err), 0);
	ck_assert(format.flexible);
	expect_printed(&format, bytes, 12, "text", "events: {.size = 3, .path = \"/etc\"}\n");
	expect_printed(&format, bytes, 4, "text", "events: {.size = 3, .path = \"\"}\n");
	memcpy(bytes + 4, (uint32_t[]){ 5, 6 }, 8);
	format.type = id;
	expect_printed(&format, bytes, 12, "json", "{\"type\":\"record\",\"map\":\"events\","
		       "\"value\":{\"size\":3,\"words\":[5,6]}}\n");
	expect_printed(&format, bytes, 11, "text", "events: {.size = 3, .words = {5}}\n");
	ck_assert(expect_same_record(&o.obj.btf, id, bytes, 12, "text"));
	ck_assert(expect_same_record(&o.obj.btf, id, bytes, 4, "text"));
}
