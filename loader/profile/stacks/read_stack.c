// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the frames of a stack, name them, and find out which are doubtful; read a single address. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/stacks/stacks_internal.h"
#include "loader/base/text/names.h"

/* The kernel space of 64-bit machines, except s390x, is the upper half of the addresses. */
#define UPPER_HALF (1ULL << 63)

/* struct bpf_stack_build_id (include/uapi/linux/bpf.h): 32 bytes, of which a status is the first */
#define BUILD_ID_FRAME	32

static int frames_room(struct stacks *s, size_t nr, struct error *err)
{
	struct frame *more;

	if (s->nr_frames + nr <= s->room)
		return 0;
	more = reallocarray(s->frames, 2 * (s->nr_frames + nr), sizeof(*more));
	if (!more)
		return error_set(err, ENOMEM, "no memory for a stack of %zu frames", nr);
	s->frames = more;
	s->room = 2 * (s->nr_frames + nr);
	return 0;
}

/*
 * Fill @frame from one entry. Return false at the end of the stack.
 *
 *	plain		0	u64 address; 0 ends the list
 *	by build id	0	s32 status: 0 ends the list, 1 has a build id, 2 has an address
 *			4	u8 build_id[20]
 *			24	u64 offset in the file, or the address
 */
static bool read_entry(struct bytes b, struct frame *frame)
{
	enum { EMPTY, VALID, IP } status;

	*frame = (struct frame){ .address = bytes_u64(b, b.size - 8, false) };
	if (b.size == 8)
		return frame->address;
	status = bytes_u32(b, 0, false);
	frame->by_build_id = status == VALID;
	memcpy(frame->build_id, b.data + 4, sizeof(frame->build_id));
	return status == VALID || status == IP;
}

static void name_frame(const struct stacks *s, const struct frame_query *q, struct frame *frame)
{
	*frame = (struct frame){ .address = q->address };
	if (s->namer)
		s->namer->name(s->namer, q, frame);
}

/* An address without a name is printed as a number; "[kernel]" is not a name. */
bool read_address(const struct stacks *s, const struct row_task *task, struct bytes part,
		  const struct stack_field *field, struct frame *frame)
{
	struct frame_query q = { .pid = task->pid, .comm = task->comm };

	if (!bytes_hold(part.size, field->offset, 8))
		return false;
	q.address = bytes_u64(part, field->offset, false);
	q.kernel = q.address & UPPER_HALF;
	if (!q.address)
		return false;
	name_frame(s, &q, frame);
	return frame->symbol || (frame->file && !q.kernel);
}

/* Functions where a task's stack starts: no frame is missing. */
static bool is_outermost(const char *symbol)
{
	static const char *const names[] = {
		"_start", "_dl_start_user", "start_thread", "clone", "clone3", "__clone",
		"__clone3", "__libc_start_call_main", "__libc_start_main", "rt_sigreturn",
		"__restore_rt",
	};

	for (size_t i = 0; symbol && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(symbol, names[i], strlen(names[i])))
			return true;
	return false;
}

/*
 * The kernel assumes that a register points to the caller's frame. Without frame pointers it holds
 * any number, which ends the stack or leads to addresses outside any file.
 */
static void doubt_stack(const struct stacks *s, struct row_stack *stack, size_t capacity)
{
	static const char no_pointer[] = "probably compiled without frame pointers";
	struct frame *frames = &s->frames[stack->first], *last = &frames[stack->nr - 1];

	if (last->doubt) {
		/* The namer knows why. */
	} else if (stack->nr == capacity) {
		snprintf(stack->doubt, sizeof(stack->doubt), "truncated at %zu frames", capacity);
		last->doubt = stack->doubt;
	} else if (stack->user && stack->nr <= 2 && !is_outermost(last->symbol)) {
		last->doubt = no_pointer;
	}
	for (size_t i = 1; s->namer && stack->user && i < stack->nr; i++)
		if (!frames[i].file && !frames[i].symbol && !frames[i].doubt &&
		    !frames[i].by_build_id)
			frames[i].doubt = no_pointer;
}

/* @size: bytes of an entry. */
static int add_frames(struct stacks *s, const struct row_task *task, struct row_stack *stack,
		      struct bytes b, size_t size, struct error *err)
{
	const bool known = stack->field->source == STACK_FIELD_BY_CODE;
	const size_t capacity = b.size / size;
	struct frame_query q = { .pid = task->pid, .comm = task->comm };
	struct frame frame;

	if (frames_room(s, capacity, err))
		return -ENOMEM;
	stack->first = s->nr_frames;
	while (stack->nr < capacity && read_entry(bytes_slice(b, stack->nr * size, size), &frame)) {
		q.address = frame.address;
		q.kernel = known ? !stack->field->user :
				   q.address & UPPER_HALF && !frame.by_build_id;
		q.caller = stack->nr++;
		stack->user = !q.kernel;
		if (!frame.by_build_id)
			name_frame(s, &q, &frame);
		s->frames[s->nr_frames++] = frame;
	}
	if (stack->nr)
		doubt_stack(s, stack, capacity);
	return 0;
}

/* --- what a negative id means --- */

static const char *why_none(const struct row_stack *stack)
{
	const bool known = stack->field->source == STACK_FIELD_BY_CODE;

	switch (stack->code) {
	case EFAULT:
		if (!known)
			return "the task was not in that space";
		return stack->field->user ? "none in user space, as in a kernel thread" :
					    "the sample was taken in user space";
	case EEXIST:
		return "another stack took its slot in the map: "
		       "--map=STACKMAP.max_entries=N makes it larger";
	case ENOMEM:
		return "the map had no memory for it";
	case ENOENT:
		return "the map no longer has a stack with this id";
	}
	return sys_errno_name(stack->code) ? error_strerror((int)stack->code) : NULL;
}

static uint64_t read_number(struct bytes b, uint32_t size)
{
	return size == 8 ? bytes_u64(b, 0, false) :
	       size == 4 ? bytes_u32(b, 0, false) : 0;
}

/* Return false if out of memory, because it would be unknown which stacks are in no row. */
static bool note_id(struct stacks *s, uint32_t map, int32_t id)
{
	const uint32_t max = s->kernel->maps[map].max_entries;

	s->of_map[map].rows++;
	if (id < 0 || (uint32_t)id >= max)
		return true;
	if (!s->of_map[map].ids)
		s->of_map[map].ids = calloc(max / 8 + 1, 1);
	if (s->of_map[map].ids)
		s->of_map[map].ids[id / 8] |= 1u << id % 8;
	return s->of_map[map].ids;
}

static int read_by_id(struct stacks *s, const struct row_task *task, struct row_stack *stack,
		      int32_t id, struct error *err)
{
	const struct kernel_map *km = &s->kernel->maps[stack->field->stacks];
	const size_t entry = km->map_flags & BPF_F_STACK_BUILD_ID ? BUILD_ID_FRAME : 8;
	unsigned char *room;
	int ret;

	if (km->value_size > s->value_room) {
		room = realloc(s->value, km->value_size);
		if (!room)
			return error_set(err, ENOMEM, "no memory for a stack");
		s->value = room;
		s->value_room = km->value_size;
	}
	ret = map_lookup(s->sys, km->fd, &id, s->value);
	if (ret == -ENOENT || ret == -EINVAL) {
		stack->code = ENOENT;
		return 0;
	}
	if (ret) {
		error_set(err, -ret, "BPF_MAP_LOOKUP_ELEM: %s", error_strerror(-ret));
		return error_where(err, "map '%s'",
				   s->kernel->object->maps[stack->field->stacks].name);
	}
	return add_frames(s, task, stack, (struct bytes){ s->value, km->value_size }, entry, err);
}

int read_stack(struct stacks *s, const struct row_task *task, struct bytes part,
	       struct row_stack *stack, struct error *err)
{
	const struct stack_field *field = stack->field;
	uint32_t size = field->size;
	int ret = 0;

	stack->user = field->user;
	if (field->offset >= part.size)
		return 0;
	if (field->role == STACK_FIELD_FRAMES) {
		if (size > part.size - field->offset)
			size = part.size - field->offset;
		ret = add_frames(s, task, stack, bytes_slice(part, field->offset, size),
				 field->build_id ? BUILD_ID_FRAME : 8, err);
		stack->code = stack->nr || ret ? 0 : EFAULT;
	} else if (bytes_hold(part.size, field->offset, size)) {
		stack->has_id = true;
		stack->id = (int32_t)read_number(bytes_slice(part, field->offset, size), size);
		if (!note_id(s, field->stacks, stack->id))
			return error_set(err, ENOMEM, "no memory for a stack");
		stack->code = stack->id < 0 ? 0 - (uint32_t)stack->id : 0;
		if (stack->id >= 0)
			ret = read_by_id(s, task, stack, stack->id, err);
	}
	stack->why = stack->code ? why_none(stack) : NULL;
	return ret;
}
