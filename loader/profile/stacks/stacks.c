// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The stacks of rows, both as a member of their message and as one stack to count. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/core/print/message.h"
#include "loader/profile/stacks/stacks_internal.h"
#include "loader/core/value/value.h"
#include "loader/base/text/names.h"

/* No program has more; additional ones are not shown in a row. */
#define ROW_STACKS_MAX 16

int stacks_init(struct stacks *s, struct sys *sys, const struct kernel_object *kernel,
		struct stack_fields *fields, struct frame_namer *namer, struct error *err)
{
	*s = (struct stacks){ .sys = sys, .kernel = kernel, .fields = fields, .namer = namer };
	s->of_map = calloc(kernel->object->nr_maps + 1, sizeof(*s->of_map));
	return s->of_map ? 0 : error_set(err, ENOMEM, "no memory for the stacks of %u maps",
					 kernel->object->nr_maps);
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->of_map && i < s->kernel->object->nr_maps; i++)
		free(s->of_map[i].ids);
	free(s->of_map);
	free(s->value);
	free(s->frames);
	*s = (struct stacks){ 0 };
}

bool stacks_has(const struct stacks *s, uint32_t map)
{
	for (uint32_t i = 0; s && i < s->fields->nr; i++)
		if (s->fields->list[i].map == map && stack_field_is_stack(&s->fields->list[i]))
			return true;
	return false;
}

static bool is_address(const struct stack_field *field, uint32_t map)
{
	return field->map == map && field->role == STACK_FIELD_ADDRESS;
}

bool stacks_has_addresses(const struct stacks *s, uint32_t map)
{
	for (uint32_t i = 0; s && i < s->fields->nr; i++)
		if (is_address(&s->fields->list[i], map))
			return true;
	return false;
}

uint64_t stacks_lost(const struct stacks *s, uint32_t map)
{
	return s->of_map[map].lost;
}

uint64_t stacks_incomplete(const struct stacks *s)
{
	return s->incomplete;
}

bool stacks_are_of_rows(const struct stacks *s, uint32_t map)
{
	return s && s->of_map[map].rows;
}

bool stacks_is_in_row(const struct stacks *s, uint32_t map, uint32_t id)
{
	const unsigned char *ids = s->of_map[map].ids;

	return ids && id < s->kernel->maps[map].max_entries && ids[id / 8] & 1u << id % 8;
}

/* --- which fields --- */

static const char *const sources[] = {
	[STACK_FIELD_BY_CODE] = "code", [STACK_FIELD_BY_TAG] = "tag",
	[STACK_FIELD_BY_NAME] = "name",
};

static const char *const roles[] = {
	[STACK_FIELD_ID] = "stack-id", [STACK_FIELD_FRAMES] = "stack", [STACK_FIELD_TGID] = "pid",
	[STACK_FIELD_COMM] = "comm", [STACK_FIELD_ADDRESS] = "address",
	[STACK_FIELD_MIXED] = "mixed",
};

static const char *const parts[] = {
	[STACK_FIELD_KEY] = "key", [STACK_FIELD_VALUE] = "value", [STACK_FIELD_RECORD] = "record",
};

int stacks_begin(struct stacks *s, uint32_t map, const uint32_t types[3], struct error *err)
{
	const struct bpf_object *obj = s->kernel->object;
	const struct btf *btf = obj->has_btf ? &obj->btf : NULL;
	int ret = 0;

	for (int part = STACK_FIELD_KEY; !ret && part <= STACK_FIELD_RECORD; part++)
		ret = stack_fields_by_names(btf, types[part], map, part, s->fields, err);
	for (uint32_t i = 0; i < s->fields->nr; i++) {
		struct stack_field *field = &s->fields->list[i];

		if (field->map == map)
			stack_field_name(btf, types[field->part], field->offset, field->name,
					 sizeof(field->name));
	}
	return ret;
}

static struct json_object *describe_field(const struct stacks *s, const struct stack_field *field)
{
	const struct bpf_object *obj = s->kernel->object;
	struct json_object *o = json_object_new_object();

	value_add(o, "field", value_string(VALUE_TEXT, field->name, strlen(field->name)));
	value_add_string(o, "part", parts[field->part]);
	value_add_string(o, "role", roles[field->role]);
	value_add_string(o, "known_by", sources[field->source]);
	if (field->role == STACK_FIELD_ID)
		value_add_string(o, "stacks", obj->maps[field->stacks].name);
	if (stack_field_is_stack(field) && field->source == STACK_FIELD_BY_CODE)
		value_add_string(o, "space", field->user ? "user" : "kernel");
	if (field->replaces)
		value_add_bool(o, "replaces", true);
	return o;
}

struct json_object *stacks_describe(const struct stacks *s, uint32_t map)
{
	struct json_object *msg = message_new("stack-fields"), *list = json_object_new_array();

	value_add_string(msg, "map", s->kernel->object->maps[map].name);
	for (uint32_t i = 0; i < s->fields->nr; i++)
		if (s->fields->list[i].map == map)
			value_append(list, describe_field(s, &s->fields->list[i]));
	value_add(msg, "fields", list);
	return msg;
}

/* --- messages --- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
	if (text)
		value_add(o, key, value_string(VALUE_TEXT, text, strlen(text)));
}

static void add_frame(struct json_object *o, const struct frame *f)
{
	value_add(o, f->by_build_id ? "file_offset" : "address", value_address(f->address));
	add_text(o, "symbol", f->symbol);
	if (f->symbol || f->file)
		value_add_uint(o, "offset", f->offset);
	add_text(o, "file", f->file);
	if (f->by_build_id)
		value_add(o, "build_id",
			  value_hex((struct bytes){ f->build_id, sizeof(f->build_id) }));
	add_text(o, "doubt", f->doubt);
}

static struct json_object *stack_message(const struct stacks *s, const struct row_stack *stack)
{
	const char *name = stack->field->name, *code = sys_errno_name(stack->code);
	struct json_object *o = json_object_new_object(), *frames = json_object_new_array();

	add_text(o, "field", name);
	if (stack->has_id)
		value_add_int(o, "id", stack->id);
	if (stack->code) {
		if (code)
			value_add_string(o, "error", code);
		else
			value_add_uint(o, "error", stack->code);
		add_text(o, "why", stack->why);
	}
	for (size_t i = 0; i < stack->nr; i++) {
		struct json_object *frame = json_object_new_object();

		add_frame(frame, &s->frames[stack->first + i]);
		value_append(frames, frame);
	}
	value_add(o, "frames", frames);
	return o;
}

static void add_member(const struct stacks *s, const struct row_stack *list, unsigned int nr,
		       struct json_object *msg)
{
	struct json_object *stacks = json_object_new_array();

	for (unsigned int i = 0; i < nr; i++)
		value_append(stacks, stack_message(s, &list[i]));
	value_add(msg, "stacks", stacks);
}

/* Add the named addresses of @row. */
static void add_addresses(const struct stacks *s, const struct stack_row *row,
			  const struct row_task *task, struct json_object *msg)
{
	struct json_object *list = NULL, *o;
	struct frame frame;

	for (uint32_t i = 0; i < s->fields->nr; i++) {
		const struct stack_field *field = &s->fields->list[i];

		if (!is_address(field, row->map) ||
		    !read_address(s, task, row->part[field->part], field, &frame))
			continue;
		o = json_object_new_object();
		add_text(o, "field", field->name);
		value_add_string(o, "part", parts[field->part]);
		add_frame(o, &frame);
		if (!list)
			list = json_object_new_array();
		value_append(list, o);
	}
	if (list)
		value_add(msg, "addresses", list);
}

void stacks_drop_buffers(const struct stacks *s, uint32_t map, struct json_object *record)
{
	for (uint32_t i = 0; i < s->fields->nr; i++)
		if (s->fields->list[i].map == map &&
		    s->fields->list[i].role == STACK_FIELD_FRAMES &&
		    json_object_is_type(record, json_type_object))
			json_object_object_del(record, s->fields->list[i].name);
}

/* --- rows --- */

static void find_task(const struct stacks *s, const struct stack_row *row, struct row_task *task)
{
	for (uint32_t i = 0; i < s->fields->nr; i++) {
		const struct stack_field *f = &s->fields->list[i];
		const struct bytes part = row->part[f->part];

		if (f->map != row->map || !bytes_hold(part.size, f->offset, f->size) || !f->size)
			continue;
		if (f->role == STACK_FIELD_TGID && !task->pid && f->size >= 4)
			task->pid = f->size == 8 ? (uint32_t)bytes_u64(part, f->offset, false) :
						   bytes_u32(part, f->offset, false);
		if (f->role == STACK_FIELD_COMM && !task->comm && part.data[f->offset]) {
			snprintf(task->comm_text, sizeof(task->comm_text), "%.*s", (int)f->size,
				 (const char *)part.data + f->offset);
			task->comm = task->comm_text;
		}
	}
}

static unsigned int reversed(const struct stacks *s, const struct row_stack *stack,
			     struct frame *to)
{
	for (size_t i = 0; i < stack->nr; i++)
		to[i] = s->frames[stack->first + stack->nr - 1 - i];
	return stack->nr;
}

/* EFAULT is not a loss: the task had no stack in that space. */
static bool is_lost(const struct row_stack *stack)
{
	return stack->has_id && (stack->code == EEXIST || stack->code == ENOMEM);
}

/*
 * Append the frames of the first stack of the space, or a placeholder for a lost one. A row may
 * have the same stack in two fields, as an id and as a buffer.
 */
static unsigned int space_frames(struct stacks *s, const struct row_stack *list,
				 unsigned int nr_stacks, bool user, struct frame *to, bool *lost)
{
	bool missing = false;

	for (unsigned int i = 0; i < nr_stacks; i++) {
		if (list[i].user == user && list[i].nr)
			return reversed(s, &list[i], to);
		missing |= list[i].user == user && is_lost(&list[i]);
	}
	if (missing)
		to->symbol = user ? "[user stack lost]" : "[kernel stack lost]";
	*lost |= missing;
	return missing;
}

/* The kernel works on behalf of the innermost function of the program. */
static int count_row(struct stacks *s, const struct row_task *task, const struct row_stack *list,
		     unsigned int nr_stacks, uint64_t weight, struct error *err)
{
	/* Room for the command and for two placeholder frames. */
	struct frame *frames = calloc(s->nr_frames + 3, sizeof(*frames));
	unsigned int nr = 0;
	bool lost = false;
	int ret;

	if (!frames)
		return error_set(err, ENOMEM, "no memory for a stack");
	if (task->comm)
		frames[nr++] = (struct frame){ .symbol = task->comm };
	nr += space_frames(s, list, nr_stacks, true, frames + nr, &lost);
	nr += space_frames(s, list, nr_stacks, false, frames + nr, &lost);
	s->incomplete += lost ? weight : 0;
	ret = nr ? s->count(s->count_arg, frames, nr, weight, err) : 0;
	free(frames);
	return ret;
}

static void count_lost(struct stacks *s, const struct row_stack *stack, uint64_t weight)
{
	if (is_lost(stack) && !stack->field->passed_on)
		s->of_map[stack->field->stacks].lost += weight;
}

int stacks_add(struct stacks *s, const struct stack_row *row, struct json_object *msg,
	       struct error *err)
{
	struct row_stack list[ROW_STACKS_MAX];
	struct row_task task = { 0 };
	unsigned int nr = 0;
	bool counts = stacks_has(s, row->map);
	int ret = 0;

	s->nr_frames = 0;
	if (s->namer && s->namer->forget)
		s->namer->forget(s->namer);
	find_task(s, row, &task);
	for (uint32_t i = 0; !ret && i < s->fields->nr && nr < ROW_STACKS_MAX; i++) {
		const struct stack_field *field = &s->fields->list[i];

		if (field->map != row->map || !stack_field_is_stack(field) ||
		    !row->part[field->part].size)
			continue;
		list[nr] = (struct row_stack){ .field = field };
		counts &= !field->passed_on;	/* counted by the function to which it is passed */
		ret = read_stack(s, &task, row->part[field->part], &list[nr], err);
		if (s->count)
			count_lost(s, &list[nr], row->weight);
		nr++;
	}
	if (!ret && msg && stacks_has(s, row->map))
		add_member(s, list, nr, msg);
	if (!ret && msg)
		add_addresses(s, row, &task, msg);
	if (!ret && s->count && row->weight && counts)
		ret = count_row(s, &task, list, nr, row->weight, err);
	return ret;
}
