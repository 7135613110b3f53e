// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The stacks of rows, read from a map that is a fake: names, errors, doubts, order and number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/stacks/stacks.h"
#include "loader/core/value/value.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

enum { COUNTS, STACKS, FILES, NR_MAPS };
#define DEPTH 4

/*
 * Stack N of the map has the frames N, 2, 3; stack 1 has one frame, and stack 4 fills the map's
 * depth. No other id above 900000 exists.
 */
static long lookup(uint32_t id, unsigned char *value)
{
	const uint64_t frames[DEPTH] = { id, id == 1 ? 0 : 2, id == 1 ? 0 : 3, id == 4 };

	if (id >= 900000)
		return -ENOENT;
	memcpy(value, frames, sizeof(frames));
	return 0;
}

/* A stack by build ID: one frame with a build ID, one with an address. */
static long lookup_file(unsigned char *value)
{
	memset(value, 0, DEPTH * 32);
	value[0] = 1;
	memset(value + 4, 0xab, 20);
	value[24] = 0x40;
	value[32] = 2;
	value[56] = 0x50;
	return 0;
}

static unsigned int lookups;

static long fake_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const void *)arg[1];
	unsigned char *value = (void *)(uintptr_t)attr->value;
	uint32_t id;

	(void)sys, (void)nr;
	ck_assert_uint_eq(arg[0], BPF_MAP_LOOKUP_ELEM);
	memcpy(&id, (void *)(uintptr_t)attr->key, sizeof(id));
	lookups++;
	return attr->map_fd == FILES ? lookup_file(value) : lookup(id, value);
}

/* Names 2 "middle" and 3 "outer"; the rest has none. */
static void name(struct frame_namer *namer, const struct frame_query *q, struct frame *frame)
{
	static const char *const names[] = { [2] = "middle", [3] = "outer" };

	(void)namer;
	*frame = (struct frame){ .address = q->address, .file = "/bin/x" };
	if (q->address < 4)
		frame->symbol = names[q->address];
	if (q->kernel)
		frame->symbol = "in_kernel";
	frame->offset = 10 * q->pid + q->caller;
}

struct row_key {
	uint32_t tgid;
	char comm[4];
	int32_t kernel, user;
};

struct counted {
	char text[256];		/* of the last row: "sh;outer;middle;@9" */
	uint64_t rows, weight;
};

static int count(void *arg, const struct frame *frames, unsigned int nr, uint64_t weight,
		 struct error *err)
{
	struct counted *c = arg;
	size_t len = 0;

	(void)err;
	for (unsigned int i = 0; i < nr && len < sizeof(c->text) - 32; i++)
		len += frames[i].symbol ? sprintf(c->text + len, ";%.20s", frames[i].symbol) :
					  sprintf(c->text + len, ";@%d", (int)frames[i].address);
	c->rows++;
	c->weight += weight;
	return 0;
}

static struct fixture {
	struct sys sys;
	struct object_map maps[NR_MAPS];
	struct kernel_map kmaps[NR_MAPS];
	struct bpf_object obj;
	struct kernel_object k;
	struct stack_fields fields;
	struct frame_namer namer;
	struct stacks stacks;
	struct counted counted;
} f;

static void add(enum stack_field_role role, uint32_t offset, bool user, uint32_t stacks)
{
	const struct stack_field field = {
		.role = role, .offset = offset, .size = 4, .user = user, .stacks = stacks,
	};

	ck_assert_int_eq(stack_fields_add(&f.fields, &field, NULL), 0);
}

static void begin(uint32_t stacks)
{
	f = (struct fixture){ .sys.enter = fake_enter, .namer.name = name };
	for (uint32_t i = 0; i < NR_MAPS; i++) {
		f.maps[i].name = "map";
		f.kmaps[i] = (struct kernel_map){ .fd = i, .key_size = 4, .max_entries = 1000000,
						   .value_size = 8 * DEPTH };
	}
	f.kmaps[FILES].value_size = 32 * DEPTH;
	f.kmaps[FILES].map_flags = BPF_F_STACK_BUILD_ID;
	f.obj = (struct bpf_object){ .maps = f.maps, .nr_maps = NR_MAPS };
	f.k = (struct kernel_object){ .object = &f.obj, .maps = f.kmaps };
	add(STACK_FIELD_TGID, offsetof(struct row_key, tgid), false, 0);
	add(STACK_FIELD_COMM, offsetof(struct row_key, comm), false, 0);
	add(STACK_FIELD_ID, offsetof(struct row_key, kernel), false, stacks);
	add(STACK_FIELD_ID, offsetof(struct row_key, user), true, stacks);
	ck_assert_int_eq(stacks_init(&f.stacks, &f.sys, &f.k, &f.fields, &f.namer, NULL), 0);
	f.stacks.count = count;
	f.stacks.count_arg = &f.counted;
}

static void end(void)
{
	stacks_free(&f.stacks);
	stack_fields_free(&f.fields);
}

TEST_FIXTURE(NULL, end)

/* The first of two fields with the process or its name that has it is taken. */
TEST(the_first_of_two_processes)
{
	const struct {
		struct row_key first;
		uint32_t tgid;
		char comm[4];
	} key = { { .tgid = 7, .comm = "sh", .kernel = -14, .user = 3 }, 8, "vi" };
	const struct stack_row r = { .part = { { (const void *)&key, sizeof(key) } }, .weight = 5 };
	struct json_object *msg = json_object_new_object();

	begin(STACKS);
	add(STACK_FIELD_TGID, sizeof(struct row_key), false, 0);
	add(STACK_FIELD_COMM, sizeof(struct row_key) + 4, false, 0);
	ck_assert_int_eq(stacks_add(&f.stacks, &r, msg, NULL), 0);
	/* The offset that name() gives has the process. */
	ck_assert_msg(strstr(json_object_to_json_string(msg), "\"offset\":7") &&
		      !strstr(json_object_to_json_string(msg), "\"offset\":8"), "%s",
		      json_object_to_json_string(msg));
	ck_assert_int_eq(strncmp(f.counted.text, ";sh;", 4), 0);
	json_object_put(msg);
	end();
}

/* Return the member "stacks" of a row with these ids as JSON; free() it. */
static char *row(int32_t kernel, int32_t user)
{
	const struct row_key key = { .tgid = 7, .comm = "sh", .kernel = kernel, .user = user };
	const struct stack_row r = { .part = { { (const void *)&key, sizeof(key) } }, .weight = 5 };
	struct json_object *msg = json_object_new_object(), *stacks = NULL;
	char *text;

	ck_assert_int_eq(stacks_add(&f.stacks, &r, msg, NULL), 0);
	ck_assert(json_object_object_get_ex(msg, "stacks", &stacks));
	text = strdup(value_json(stacks, NULL));
	json_object_put(msg);
	return text;
}

static void has_row(int32_t kernel, int32_t user, const char *json, const char *counted)
{
	char *text;

	begin(STACKS);
	text = row(kernel, user);
	ck_assert_str_eq(text, json);
	ck_assert_str_eq(f.counted.text, counted);
	ck_assert_uint_eq(f.counted.weight, 5);
	ck_assert(stacks_are_of_rows(&f.stacks, STACKS) && !stacks_are_of_rows(&f.stacks, FILES));
	free(text);
	end();
}

/* The kernel's frames are on top of the user's, and a return address is known to be one. */
TEST(names)
{
	has_row(9, 9,
		"[{\"field\":\"\",\"id\":9,\"frames\":["
		"{\"address\":\"0x9\",\"symbol\":\"in_kernel\",\"offset\":70,\"file\":\"/bin/x\"},"
		"{\"address\":\"0x2\",\"symbol\":\"in_kernel\",\"offset\":71,\"file\":\"/bin/x\"},"
		"{\"address\":\"0x3\",\"symbol\":\"in_kernel\",\"offset\":71,\"file\":\"/bin/x\"}]},"
		"{\"field\":\"\",\"id\":9,\"frames\":["
		"{\"address\":\"0x9\",\"offset\":70,\"file\":\"/bin/x\"},"
		"{\"address\":\"0x2\",\"symbol\":\"middle\",\"offset\":71,\"file\":\"/bin/x\"},"
		"{\"address\":\"0x3\",\"symbol\":\"outer\",\"offset\":71,\"file\":\"/bin/x\"}]}]",
		";sh;outer;middle;@9;in_kernel;in_kernel;in_kernel");
}

/* One stack in two fields is counted once. */
TEST(twice)
{
	begin(STACKS);
	f.fields.list[2].user = true;
	free(row(9, 9));
	ck_assert_str_eq(f.counted.text, ";sh;outer;middle;@9");
}

TEST(errors)
{
	has_row(-EFAULT, -EFAULT,
		"[{\"field\":\"\",\"id\":-14,\"error\":\"EFAULT\",\"why\":\"the sample was taken "
		"in user space\",\"frames\":[]},"
		"{\"field\":\"\",\"id\":-14,\"error\":\"EFAULT\",\"why\":\"none in user space, as "
		"in a kernel thread\",\"frames\":[]}]", ";sh");
	has_row(-EEXIST, 999999,
		"[{\"field\":\"\",\"id\":-17,\"error\":\"EEXIST\",\"why\":\"another stack took its slot "
		"in the map: --map=STACKMAP.max_entries=N makes it larger\",\"frames\":[]},"
		"{\"field\":\"\",\"id\":999999,\"error\":\"ENOENT\",\"why\":\"the map no longer "
		"has a stack with this id\",\"frames\":[]}]", ";sh;[kernel stack lost]");
	has_row(INT32_MIN, -EINVAL,
		"[{\"field\":\"\",\"id\":-2147483648,\"error\":2147483648,\"frames\":[]},"
		"{\"field\":\"\",\"id\":-22,\"error\":\"EINVAL\",\"why\":\"Invalid argument\","
		"\"frames\":[]}]", ";sh");
}

/*
 * A stack that did not fit into the map is counted as lost; a stack that the task does not have is
 * not.
 */
TEST(losses)
{
	begin(STACKS);
	free(row(-EFAULT, -EINVAL));
	free(row(9, 999999));
	ck_assert_uint_eq(stacks_lost(&f.stacks, STACKS), 0);
	free(row(-EEXIST, 9));
	ck_assert_uint_eq(stacks_lost(&f.stacks, STACKS), 5);
	free(row(9, -ENOMEM));
	ck_assert_uint_eq(stacks_lost(&f.stacks, STACKS), 10);
	f.fields.list[2].passed_on = true;	/* the row that it is passed to counts it */
	free(row(-ENOMEM, 9));
	ck_assert_uint_eq(stacks_lost(&f.stacks, STACKS), 10);
	ck_assert_uint_eq(stacks_lost(&f.stacks, FILES), 0);
}

/* A frame in place of a lost stack keeps its time apart from the time of its caller. */
TEST(lost_stacks_have_a_frame)
{
	begin(STACKS);
	free(row(-EFAULT, -EEXIST));
	ck_assert_str_eq(f.counted.text, ";sh;[user stack lost]");
	free(row(-ENOMEM, 9));
	ck_assert_str_eq(f.counted.text, ";sh;outer;middle;@9;[kernel stack lost]");
	ck_assert_uint_eq(stacks_incomplete(&f.stacks), 10);
	free(row(-EEXIST, -EEXIST));
	ck_assert_str_eq(f.counted.text, ";sh;[user stack lost];[kernel stack lost]");
	ck_assert_uint_eq(stacks_incomplete(&f.stacks), 15);	/* each row once */
	free(row(9, -EFAULT));
	ck_assert_str_eq(f.counted.text, ";sh;in_kernel;in_kernel;in_kernel");
	ck_assert_uint_eq(stacks_incomplete(&f.stacks), 15);
	f.fields.list[2].user = true;	/* a second field of one space has the stack */
	free(row(-EEXIST, 9));
	ck_assert_str_eq(f.counted.text, ";sh;outer;middle;@9");
	ck_assert_uint_eq(stacks_incomplete(&f.stacks), 15);
	f.fields.list[2].passed_on = true;	/* the row that it is passed to counts it */
	free(row(-EEXIST, -EEXIST));
	ck_assert_uint_eq(stacks_incomplete(&f.stacks), 15);
}

TEST(doubts)
{
	char *text;

	begin(STACKS);
	text = row(4, 1);
	ck_assert_ptr_nonnull(strstr(text, "\"address\":\"0x1\",\"symbol\":\"in_kernel\",\"offset\":71,"
					   "\"file\":\"/bin/x\",\"doubt\":\"truncated at 4 frames\"}]"));
	ck_assert_ptr_nonnull(strstr(text, "\"address\":\"0x1\",\"offset\":70,\"file\":\"/bin/x\","
					   "\"doubt\":\"probably compiled without frame "
					   "pointers\"}]"));
	free(text);
}

TEST(by_build_id)
{
	char *text;

	begin(FILES);
	text = row(-EFAULT, 3);
	ck_assert_ptr_nonnull(strstr(text, "\"frames\":[{\"file_offset\":\"0x40\",\"build_id\":"
					   "\"abababababababababababababababababababab\"},"
					   "{\"address\":\"0x50\",\"offset\":71,"));
	free(text);
}

/* --- addresses --- */

/* Map FILES has an address in its key, with a process, and one in its value. */
struct address_key {
	uint32_t tgid;
	char comm[4];
	uint64_t ip;
};

static void add_address(enum stack_field_part part, uint32_t offset)
{
	const struct stack_field field = { .map = FILES, .part = part, .offset = offset, .size = 8,
					   .role = STACK_FIELD_ADDRESS };

	ck_assert_int_eq(stack_fields_add(&f.fields, &field, NULL), 0);
}

static void addresses_are(uint64_t ip, uint64_t to, const char *json)
{
	const struct address_key key = { .tgid = 2, .comm = "sh", .ip = ip };
	const struct stack_row r = {
		.map = FILES, .weight = 5,
		.part = { { (const void *)&key, sizeof(key) }, { (const void *)&to, 8 } },
	};
	struct json_object *msg = json_object_new_object();

	ck_assert_int_eq(stacks_add(&f.stacks, &r, NULL, NULL), 0);
	ck_assert_int_eq(stacks_add(&f.stacks, &r, msg, NULL), 0);
	ck_assert_str_eq(value_json(msg, NULL), json);
	json_object_put(msg);
}

/* The upper half of the addresses is the kernel's. They are no stacks, and nothing is counted. */
TEST(addresses_have_names)
{
	const struct stack_field tgid = { .map = FILES, .role = STACK_FIELD_TGID, .size = 4 };
	const struct stack_field comm = { .map = FILES, .role = STACK_FIELD_COMM, .size = 4,
					  .offset = offsetof(struct address_key, comm) };

	begin(STACKS);
	ck_assert(!stacks_has_addresses(&f.stacks, FILES));
	ck_assert_int_eq(stack_fields_add(&f.fields, &tgid, NULL), 0);
	ck_assert_int_eq(stack_fields_add(&f.fields, &comm, NULL), 0);
	add_address(STACK_FIELD_KEY, offsetof(struct address_key, ip));
	add_address(STACK_FIELD_VALUE, 0);
	add_address(STACK_FIELD_VALUE, 4);	/* which ends after the value */
	ck_assert(stacks_has_addresses(&f.stacks, FILES) && !stacks_has(&f.stacks, FILES));
	ck_assert(!stacks_has_addresses(&f.stacks, COUNTS));
	addresses_are(3, 0x8000000000000000,
		"{\"addresses\":[{\"field\":\"\",\"part\":\"key\",\"address\":\"0x3\","
		"\"symbol\":\"outer\",\"offset\":20,\"file\":\"/bin/x\"},"
		"{\"field\":\"\",\"part\":\"value\",\"address\":\"0x8000000000000000\","
		"\"symbol\":\"in_kernel\",\"offset\":20,\"file\":\"/bin/x\"}]}");
	addresses_are(0x7fffffffffffffff, 0,
		"{\"addresses\":[{\"field\":\"\",\"part\":\"key\","
		"\"address\":\"0x7fffffffffffffff\",\"offset\":20,\"file\":\"/bin/x\"}]}");
	addresses_are(0, 0, "{}");
	f.stacks.namer = NULL;
	addresses_are(3, 0x8000000000000000, "{}");
	ck_assert_uint_eq(f.counted.rows, 0);
}

static void hidden(struct frame_namer *namer, const struct frame_query *q, struct frame *frame)
{
	(void)namer;
	*frame = (struct frame){ .address = q->address, .doubt = "hidden",
				 .file = q->kernel ? "[kernel]" : NULL };
}

TEST(addresses_that_are_hidden)
{
	begin(STACKS);
	f.namer.name = hidden;
	add_address(STACK_FIELD_KEY, offsetof(struct address_key, ip));
	add_address(STACK_FIELD_VALUE, 0);
	addresses_are(3, 0x8000000000000000, "{}");
}

/* A buffer ends at its first zero, and at the end of a record that is shorter than its type. */
TEST_EACH(buffers, 3)
{
	static const size_t sizes[] = { 4, 20, 36 };
	static const unsigned int frames[] = { 0, 2, 3 };
	struct __attribute__((packed)) { uint32_t n; uint64_t ips[4]; } record = { 0, { 7, 2, 3 } };
	const struct stack_field field = {
		.role = STACK_FIELD_FRAMES, .part = STACK_FIELD_RECORD, .offset = 4, .size = 32,
		.user = true,
	};
	const struct stack_row r = {
		.part[STACK_FIELD_RECORD] = { (const void *)&record, sizes[_i] }, .weight = 1,
	};
	struct json_object *msg = json_object_new_object();
	const char *text;
	unsigned int nr = 0;

	begin(STACKS);
	ck_assert_int_eq(stack_fields_add(&f.fields, &field, NULL), 0);
	ck_assert_int_eq(stacks_add(&f.stacks, &r, msg, NULL), 0);
	text = value_json(msg, NULL);
	for (const char *at = text; (at = strstr(at, "\"address\"")); at++)
		nr++;
	ck_assert_uint_eq(nr, frames[_i]);
	ck_assert_ptr_null(strstr(text, "\"error\""));
	json_object_put(msg);
}

/* Each row has stacks of its own; which ids are in rows is a bit each. */
TEST(hundred_thousand_stacks)
{
	begin(STACKS);
	lookups = 0;
	for (int32_t i = 0; i < 100000; i++) {
		const struct row_key key = { .tgid = 7, .kernel = 2 * i + 5, .user = 2 * i + 6 };
		const struct stack_row r = { .part = { { (const void *)&key, sizeof(key) } },
					     .weight = 2 };

		ck_assert_int_eq(stacks_add(&f.stacks, &r, NULL, NULL), 0);
	}
	ck_assert_uint_eq(lookups, 200000);
	ck_assert_uint_eq(f.counted.rows, 100000);
	ck_assert_uint_eq(f.counted.weight, 200000);
	ck_assert(stacks_are_of_rows(&f.stacks, STACKS));
	ck_assert(!stacks_are_of_rows(&f.stacks, FILES));
	ck_assert(stacks_is_in_row(&f.stacks, STACKS, 5));
	ck_assert(stacks_is_in_row(&f.stacks, STACKS, 200004));
	ck_assert(!stacks_is_in_row(&f.stacks, STACKS, 200005));
	ck_assert(!stacks_is_in_row(&f.stacks, STACKS, UINT32_MAX));
	ck_assert_uint_le(f.stacks.room, 64);	/* the frames of one row */
}

/* The members of a record have their names, and one of them is the process. */
TEST(records_are_named)
{
	const struct stack_field id = { .part = STACK_FIELD_RECORD, .role = STACK_FIELD_ID,
					.offset = 4, .size = 4, .stacks = STACKS };
	struct json_object *msg;
	struct types t;
	uint32_t record;

	types_begin(&t);
	record = bb_struct(&t.b, BTF_KIND_STRUCT, "record", 8, false);
	bb_member(&t.b, "pid", t.u32, 0, 0);
	bb_member(&t.b, "stack", t.s32, 32, 0);
	types_finish(&t);
	begin(STACKS);
	f.fields.nr = 0;
	ck_assert_int_eq(stack_fields_add(&f.fields, &id, NULL), 0);
	f.obj.has_btf = true;
	f.obj.btf = t.btf;
	ck_assert_int_eq(stacks_begin(&f.stacks, 0, (uint32_t[3]){ 0, 0, record }, NULL), 0);
	msg = stacks_describe(&f.stacks, 0);
	ck_assert_str_eq(value_json(msg, NULL), "{\"type\":\"stack-fields\",\"map\":\"map\",\"fields\":["
		"{\"field\":\"stack\",\"part\":\"record\",\"role\":\"stack-id\",\"known_by\":\"code\","
		"\"stacks\":\"map\",\"space\":\"kernel\"},"
		"{\"field\":\"pid\",\"part\":\"record\",\"role\":\"pid\",\"known_by\":\"name\"}]}");
	json_object_put(msg);
	types_end(&t);
}
