// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Answer requests. An opened file is remembered by its number until another file needs the slot.
 * After that it is opened again: every request says how.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/symbolize/symbolize_internal.h"

#define SLOTS 4096u
#define HELD_MAX 128u	/* files that are held open */
#define JIT_SLOTS 256u
#define JIT_AGAIN_NS 1000000000ull

struct slot {
	uint64_t file;		/* its number; 0: the slot is free */
	bool is_known;		/* dev and ino identify a file whose symbols have been read */
	uint64_t dev, ino;
	int fd;			/* owned; held; or -1 */
};

/* The perf map of a process, which grows. */
struct jit_slot {
	uint32_t process, pid, uid;
	uint64_t opened_ns;	/* when it was opened or last searched; 0: the slot is free */
	bool is_known;
	uint64_t dev, ino;
	const char *why;	/* why it is not read; NULL: it does not exist */
};

struct symbolizer {
	struct sys *sys;	/* borrowed */
	struct codes codes;
	struct slot slots[SLOTS];
	struct jit_slot jits[JIT_SLOTS];
	uint32_t nr_held;
	struct code_function function;	/* of the request at hand */
};

/* --- messages --- */

size_t symbol_request_size(const struct symbol_request *request)
{
	return offsetof(struct symbol_request, path) + strlen(request->path) + 1;
}

bool symbol_request_is_valid(struct symbol_request *request, size_t size)
{
	const size_t fixed = offsetof(struct symbol_request, path);

	return size > fixed && size <= sizeof(*request) && !request->path[size - fixed - 1] &&
	       request->nr_pids <= SYMBOL_PIDS_MAX;
}

size_t symbol_answer_size(const struct symbol_answer *answer)
{
	return offsetof(struct symbol_answer, text) + answer->doubt_len + answer->name_len;
}

bool symbol_answer_is_valid(const struct symbol_answer *answer, size_t size)
{
	return size >= offsetof(struct symbol_answer, text) &&
	       answer->doubt_len <= SYMBOL_DOUBT_MAX && answer->name_len <= SYMBOL_NAME_MAX &&
	       size == symbol_answer_size(answer);
}

__attribute__((format(printf, 2, 3)))
static void set_doubt(struct symbol_answer *answer, const char *fmt, ...)
{
	char text[SYMBOL_DOUBT_MAX];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	answer->doubt_len = len < (int)sizeof(text) ? len : (int)sizeof(text) - 1;
	memcpy(answer->text, text, answer->doubt_len);
}

/* --- files --- */

static void free_slot(struct symbolizer *z, struct slot *slot)
{
	z->nr_held -= slot->fd >= 0;
	sys_close_fd(z->sys, &slot->fd);
	*slot = (struct slot){ .fd = -1 };
}

static struct slot *slot_of(struct symbolizer *z, uint64_t file)
{
	struct slot *slot = &z->slots[file % SLOTS];

	if (slot->file != file) {
		free_slot(z, slot);
		slot->file = file;
	}
	return slot;
}

static void hold(struct symbolizer *z, const struct symbol_request *request)
{
	struct slot *slot = slot_of(z, request->file);

	if (slot->is_known || slot->fd >= 0 || z->nr_held >= HELD_MAX)
		return;
	slot->fd = open_mapped(z->sys, request);
	z->nr_held += slot->fd >= 0;
}

static const char *why_not_open(int code)
{
	switch (code) {
	case -ESTALE:
		return "has been replaced since";
	case -EINVAL:
	case -EISDIR:
		return "is not a regular file: it is not opened";
	default:
		return NULL;
	}
}

/* Open the file of @slot and read its symbols. */
static struct code *read_file(struct symbolizer *z, const struct symbol_request *request,
			      struct slot *slot, struct symbol_answer *answer)
{
	struct code *code;
	struct stat st;
	int fd = slot->fd;

	z->nr_held -= fd >= 0;
	slot->fd = -1;
	if (fd < 0)
		fd = open_mapped(z->sys, request);
	if (fd < 0) {
		const char *why = why_not_open(fd);

		if (why)
			set_doubt(answer, "%.400s %s", request->path, why);
		else
			set_doubt(answer, "%.400s cannot be read: %s", request->path,
				  error_strerror(-fd));
		return NULL;
	}
	slot->is_known = !sys_fstat(z->sys, fd, &st);
	slot->dev = st.st_dev;
	slot->ino = st.st_ino;
	code = code_open(&z->codes, request->path, fd);
	if (!code)
		set_doubt(answer, "%.400s cannot be read: %s", request->path,
			  error_strerror(ENOMEM));
	return code;
}

static bool is_that_build_id(const struct file_identity *id, struct bytes found)
{
	return !id->build_id_size || (found.size == id->build_id_size &&
				      !memcmp(found.data, id->build_id, found.size));
}

static struct code *code_of(struct symbolizer *z, const struct symbol_request *request,
			    struct symbol_answer *answer)
{
	struct slot *slot = slot_of(z, request->file);
	struct code *code = slot->is_known ? code_known(&z->codes, slot->dev, slot->ino) : NULL;

	if (!strcmp(request->path, "[vdso]"))
		code = code_open_vdso(&z->codes);
	else if (!code)
		code = read_file(z, request, slot, answer);
	if (!code)
		return NULL;
	if (!is_that_build_id(&request->id, code_build_id(code))) {
		set_doubt(answer, "%.400s has been replaced since: its build ID differs",
			  request->path);
		return NULL;
	}
	if (code_doubt(code))
		set_doubt(answer, "%s", code_doubt(code));
	answer->is_file = true;
	return code;
}

/* --- functions --- */

static void find(struct symbolizer *z, struct code *code, uint64_t address,
		 struct symbol_answer *answer)
{
	struct code_function *f = &z->function;

	answer->has_name = code_find(&z->codes, code, address, f);
	answer->begin = f->begin;
	answer->end = f->end;
	answer->start = answer->has_name ? f->start : address;
	answer->name_len = f->len;
	memcpy(answer->text + answer->doubt_len, f->name, f->len);
}

/* Convert an address in segment @s, or its nearest one, to an offset in the file. */
static uint64_t to_offset(const struct exec_segment *s, uint64_t address)
{
	if (address < s->address)
		return s->offset;
	return s->offset + (address - s->address < s->file_size ? address - s->address :
								  s->file_size);
}

static void find_function(struct symbolizer *z, const struct symbol_request *request,
			  struct symbol_answer *answer)
{
	struct code *code = code_of(z, request, answer);
	const struct exec_segment *s = code ? code_segment(code, request->at) : NULL;

	if (!s)
		return;
	answer->has_address = true;
	answer->address = s->address + (request->at - s->offset);
	find(z, code, answer->address, answer);
	answer->start = request->at - (answer->address - answer->start);
	answer->begin = to_offset(s, answer->begin);
	answer->end = to_offset(s, answer->end);
}

static const char *why_not_read(int code)
{
	switch (code) {
	case -EPERM:
		return "belongs to another user";
	case -EINVAL:
	case -EISDIR:
	case -ELOOP:
		return "is not a regular file";
	default:
		return NULL;
	}
}

/* Open the perf map of a process, at most once a second. */
static struct code *jit_of(struct symbolizer *z, const struct symbol_request *request,
			   struct jit_slot *jit)
{
	const uint64_t now = sys_monotonic_ns();
	struct code *code = jit->is_known ? code_known(&z->codes, jit->dev, jit->ino) : NULL;
	char path[64];
	struct stat st;
	int fd;

	if (jit->opened_ns && now - jit->opened_ns < JIT_AGAIN_NS && (code || !jit->is_known))
		return code;
	jit->opened_ns = now;
	fd = open_perf_map(z->sys, request);
	jit->why = why_not_read(fd);
	jit->is_known = fd >= 0 && !sys_fstat(z->sys, fd, &st);
	if (fd < 0)
		return NULL;
	jit->dev = st.st_dev;
	jit->ino = st.st_ino;
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", request->pid);
	return code_open_perf_map(&z->codes, path, fd);
}

static void find_jit(struct symbolizer *z, const struct symbol_request *request,
		     struct symbol_answer *answer)
{
	const uint32_t process = request->file;
	struct jit_slot *jit = &z->jits[process % JIT_SLOTS];
	struct code *code;

	if (jit->process != process || jit->pid != request->pid || jit->uid != request->uid)
		*jit = (struct jit_slot){
			.process = process, .pid = request->pid, .uid = request->uid,
		};
	code = jit_of(z, request, jit);
	answer->is_file = code != NULL;
	if (code)
		find(z, code, request->at, answer);
	if (!answer->has_name && code && code_doubt(code))
		set_doubt(answer, "%s", code_doubt(code));
	if (!code && jit->why)
		set_doubt(answer, "/tmp/perf-%u.map %s: it is not read", request->pid, jit->why);
}

void symbolizer_answer(struct symbolizer *z, const struct symbol_request *request,
		       struct symbol_answer *answer)
{
	memset(answer, 0, offsetof(struct symbol_answer, text));
	answer->file = request->file;
	switch (request->kind) {
	case SYMBOL_HOLD:
		hold(z, request);
		break;
	case SYMBOL_FUNCTION:
		find_function(z, request, answer);
		break;
	case SYMBOL_JIT:
		find_jit(z, request, answer);
		break;
	}
}

struct symbolizer *symbolizer_new(struct sys *sys)
{
	struct symbolizer *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->sys = z->codes.sys = sys;
	for (uint32_t i = 0; i < SLOTS; i++)
		z->slots[i].fd = -1;
	return z;
}

void symbolizer_free(struct symbolizer *z)
{
	if (!z)
		return;
	for (uint32_t i = 0; i < SLOTS; i++)
		free_slot(z, &z->slots[i]);
	codes_free(&z->codes);
	free(z);
}
