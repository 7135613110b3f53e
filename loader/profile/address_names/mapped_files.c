// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The files that processes have mapped, and their known functions. The files are untrusted; the
 * symbol reader reads them.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/profile/address_names/addresses_internal.h"

#define HELD_MAX 128u	/* files that the reader keeps open */
#define TRIES_MAX 8u

/* The order of the tree, chosen so that no paths and inodes can make it degenerate. */
static int compare(const void *a, const void *b)
{
	const struct mapped_file *x = a, *y = b;

	if (x->id.inode != y->id.inode)
		return x->id.inode < y->id.inode ? -1 : 1;
	if (x->path_len != y->path_len)
		return x->path_len < y->path_len ? -1 : 1;
	if (memcmp(x->path, y->path, x->path_len))
		return memcmp(x->path, y->path, x->path_len);
	return memcmp(&x->id, &y->id, sizeof(x->id));
}

static bool same(const struct file_identity *a, const struct file_identity *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

bool mapped_file_same(const struct mapped_file *a, const struct mapped_file *b)
{
	const struct file_identity *x, *y;

	if (a == b || !a || !b)
		return a == b;
	x = &a->id;
	y = &b->id;
	if (strcmp(a->path, b->path) || (x->inode && y->inode && x->inode != y->inode))
		return false;
	return !x->build_id_size || !y->build_id_size || same(x, y);
}

uint64_t mapped_file_bytes(const struct mapped_file *file)
{
	return file ? sizeof(*file) + file->path_len + 1 : 0;
}

struct mapped_file *mapped_file_get(struct addresses *a, const char *path, size_t len,
				    const struct file_identity *id)
{
	const struct mapped_file wanted = { .id = *id, .path = (char *)path, .path_len = len };
	struct mapped_file **at = tfind(&wanted, &a->files, compare), *file;

	if (at) {
		(*at)->refs++;
		return *at;
	}
	file = calloc(1, mapped_file_bytes(&wanted));
	if (!file)
		return NULL;
	*file = (struct mapped_file){ .id = *id, .path = (char *)(file + 1), .path_len = len,
				      .refs = 1, .number = ++a->last_number };
	memcpy(file->path, path, len);
	if (!tsearch(file, &a->files, compare)) {
		free(file);
		return NULL;
	}
	file->next = a->all_files;
	file->link = &a->all_files;
	if (file->next)
		file->next->link = &file->next;
	a->all_files = file;
	a->nr_files++;
	a->file_bytes += mapped_file_bytes(file);
	return file;
}

static void forget_names(struct mapped_file *file)
{
	free(file->known);
	file->known = NULL;
	file->nr_known = 0;
	file->shown_path = NULL;
}

/* The files that a reader held are lost when it ends. */
static bool is_held(struct addresses *a, const struct mapped_file *file)
{
	if (a->held_by != wall_generation(a->wall)) {
		a->held_by = wall_generation(a->wall);
		a->nr_held = 0;
	}
	return file->held_by == a->held_by;
}

static void let_go(struct addresses *a, struct mapped_file *file)
{
	a->nr_held -= is_held(a, file);
	file->held_by = 0;
}

static void free_file(struct addresses *a, struct mapped_file *file)
{
	let_go(a, file);
	*file->link = file->next;
	if (file->next)
		file->next->link = file->link;
	a->nr_files--;
	a->file_bytes -= mapped_file_bytes(file);
	forget_names(file);
	free(file->doubt);
	free(file);
}

void mapped_file_put(struct addresses *a, struct mapped_file *file)
{
	if (!file || --file->refs)
		return;
	tdelete(file, &a->files, compare);
	free_file(a, file);
}

void mapped_files_forget_names(struct addresses *a)
{
	for (struct mapped_file *file = a->all_files; file; file = file->next)
		forget_names(file);
}

static void keep(void *file)
{
	(void)file;
}

void mapped_files_free(struct addresses *a)
{
	struct mapped_file *file;

	tdestroy(a->files, keep);
	a->files = NULL;
	while ((file = a->all_files))
		free_file(a, file);
}

const char *mapped_file_path(struct addresses *a, struct mapped_file *file)
{
	if (!file->path[0])
		return "[anon]";
	if (!file->shown_path)
		file->shown_path = strings_keep(&a->strings, file->path, strlen(file->path));
	return file->shown_path;
}

static bool is_file(const struct mapped_file *file)
{
	return (file->path[0] == '/' && strncmp(file->path, "//", 2) != 0) ||
	       !strcmp(file->path, "[vdso]");
}

/* --- requests --- */

/* The existing processes that see the same files as @l: itself, its parent, and so on. */
static void add_pids(struct addresses *a, const struct location *l, struct symbol_request *r)
{
	const uint64_t mount = l->life ? l->life->owner.mount : 0;
	const struct process *p = l->process;

	for (unsigned int i = 0; p && i < SYMBOL_PIDS_MAX; i++) {
		const struct life *life = p->nr ? &p->lives[p->nr - 1] : NULL;

		if (!p->has_ended && life && (p == l->process || life->owner.mount == mount))
			r->pids[r->nr_pids++] = p->pid;
		p = p->parent ? process_find(a, p->parent) : NULL;
	}
	r->host = mount && mount == a->own_mount;
}

static void fill_request(struct addresses *a, const struct location *l, struct symbol_request *r,
			 enum symbol_request_kind kind, uint64_t at)
{
	const struct mapped_file *file = l->mapping->file;

	memset(r, 0, offsetof(struct symbol_request, path));
	r->kind = kind;
	r->file = file->number;
	r->id = file->id;
	r->at = at;
	if (l->process && !l->process->has_ended) {
		r->start = l->mapping->start;
		r->end = l->mapping->end;
	}
	add_pids(a, l, r);
	snprintf(r->path, sizeof(r->path), "%s", file->path);
}

static void give_up(struct mapped_file *file, const char *doubt)
{
	char text[256];

	snprintf(text, sizeof(text), "%.100s: %s", file->path, doubt);
	free(file->doubt);
	file->doubt = strdup(text);
	file->is_given_up = true;
	forget_names(file);
}

static struct mapped_file *find_number(const struct addresses *a, uint64_t number)
{
	for (struct mapped_file *file = a->all_files; file; file = file->next)
		if (file->number == number)
			return file;
	return NULL;
}

/*
 * Ask again, unless the file itself is the reason why there is no answer. Files that the reader
 * should keep open but that took too long are not read again.
 */
static int ask(struct addresses *a, const struct location *l, uint64_t *spent_ns)
{
	const uint32_t user = l->life ? l->life->owner.uid : UINT32_MAX;
	struct mapped_file *blamed;
	int ret;

	while ((ret = wall_ask(a->wall, user, &a->request, &a->answer, spent_ns)) == -EAGAIN) {
		blamed = find_number(a, wall_blamed(a->wall));
		if (blamed)
			give_up(blamed, wall_doubt(a->wall));
	}
	return ret;
}

void mapped_file_hold(struct addresses *a, struct mapped_file *file, struct process *p,
		      const struct mapping *m)
{
	struct symbol_request *r = &a->request;
	const struct location l = {
		.process = p, .life = p->nr ? &p->lives[p->nr - 1] : NULL, .mapping = m,
	};

	file->pid = p->pid;
	if (is_held(a, file) || file->is_given_up || file->nr_known || a->nr_held >= HELD_MAX ||
	    file->path[0] != '/' || !is_file(file))
		return;
	fill_request(a, &l, r, SYMBOL_HOLD, 0);
	if (!wall_hold(a->wall, r) || is_held(a, file))
		return;
	file->held_by = a->held_by;
	a->nr_held++;
}

static void take_doubt(struct mapped_file *file, const struct symbol_answer *answer)
{
	free(file->doubt);
	file->doubt = answer->doubt_len ? strndup(answer->text, answer->doubt_len) : NULL;
}

/* Put an answer about the file of @l into a->answer; false: file->doubt has the reason. */
static bool answered(struct addresses *a, const struct location *l, uint64_t at)
{
	struct mapped_file *file = l->mapping->file;
	const uint32_t pid = l->process ? l->process->pid : 0;
	int ret;

	/* Another process may still have it. */
	if (file->is_given_up || !is_file(file) || file->tried == TRIES_MAX ||
	    (file->tried && file->tried_pid == pid))
		return false;
	fill_request(a, l, &a->request, SYMBOL_FUNCTION, at);
	ret = ask(a, l, &file->spent_ns);
	if (ret == -ETIME || ret == -EPIPE) {
		give_up(file, wall_doubt(a->wall));
	} else if (ret) {
		a->answer_expires = true;
		free(file->doubt);
		file->doubt = strdup(wall_doubt(a->wall));
	}
	if (ret)
		return false;
	let_go(a, file);	/* it was read, or cannot be opened */
	take_doubt(file, &a->answer);
	if (!a->answer.is_file) {
		file->tried++;
		file->tried_pid = pid;
	}
	return a->answer.is_file;
}

/* --- functions --- */

/* Return the index of the first known function that ends after offset @at. */
static uint32_t lower_bound(const struct mapped_file *file, uint64_t at)
{
	uint32_t low = 0, high = file->nr_known;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (file->known[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct known_function *find_known(const struct mapped_file *file, uint64_t at)
{
	const uint32_t i = lower_bound(file, at);

	return i < file->nr_known && file->known[i].begin <= at ? &file->known[i] : NULL;
}

/* Store the name, or the fact that there is none. Return it; NULL if out of memory. */
static const struct known_function *keep_known(struct addresses *a, struct mapped_file *file,
					       uint64_t at, const struct symbol_answer *answer)
{
	struct known_function known = {
		.begin = answer->begin <= at ? answer->begin : at,
		.end = answer->end > at ? answer->end : at + 1, .start = answer->start,
		.address = answer->address - at,
	};
	const uint32_t i = lower_bound(file, at);
	struct known_function *grown = array_grow(file->known, file->nr_known, sizeof(*grown));
	const char *name = answer->text + answer->doubt_len;

	if (grown)
		file->known = grown;
	if (answer->has_name)
		known.name = strings_keep(&a->strings, name, strnlen(name, answer->name_len));
	if (!grown || (answer->has_name && !known.name))
		return NULL;
	if (i && file->known[i - 1].end > known.begin)
		known.begin = file->known[i - 1].end;
	if (i < file->nr_known && file->known[i].begin < known.end)
		known.end = file->known[i].begin;
	memmove(grown + i + 1, grown + i, (file->nr_known - i) * sizeof(*grown));
	grown[i] = known;
	file->nr_known++;
	return &grown[i];
}

bool mapped_file_name(struct addresses *a, const struct location *l, uint64_t at, bool caller,
		      struct frame *frame)
{
	struct mapped_file *file = l->mapping->file;
	const struct known_function *known = find_known(file, at - caller);

	if (!known && answered(a, l, at - caller) && a->answer.has_address)
		known = keep_known(a, file, at - caller, &a->answer);
	frame->offset = at;
	if (!known)
		return false;
	frame->symbol = known->name;
	frame->offset = known->name ? at - known->start : at + known->address;
	return true;
}

bool mapped_file_jit(struct addresses *a, const struct location *l, uint64_t address, bool caller,
		     struct frame *frame)
{
	const struct symbol_answer *answer = &a->answer;
	struct symbol_request *r = &a->request;
	struct process *p = l->process;
	int ret;

	if (!p || !l->life)
		return false;
	a->answer_expires = true;	/* a perf map grows */
	if (p->jit_given_up || sys_monotonic_ns() < p->no_jit_until_ns)
		return false;
	fill_request(a, l, r, SYMBOL_JIT, address - caller);
	r->file = p->pid;
	r->pid = l->life->owner.inner_pid;
	r->uid = l->life->owner.uid;
	r->path[0] = '\0';
	ret = ask(a, l, &p->jit_spent_ns);
	p->jit_given_up = ret == -ETIME || ret == -EPIPE;
	if (ret) {
		frame->doubt = strings_format(&a->strings, "%s", wall_doubt(a->wall));
		return false;
	}
	if (!answer->is_file)
		p->no_jit_until_ns = sys_monotonic_ns() + ASK_AGAIN_NS;
	if (answer->doubt_len)
		frame->doubt = strings_keep(&a->strings, answer->text,
					    strnlen(answer->text, answer->doubt_len));
	if (!answer->has_name)
		return false;
	frame->symbol = strings_keep(&a->strings, answer->text + answer->doubt_len,
				     strnlen(answer->text + answer->doubt_len, answer->name_len));
	frame->offset = address - answer->start;
	frame->file = strings_format(&a->strings, "/tmp/perf-%u.map", p->pid);
	frame->doubt = NULL;
	return frame->symbol;
}
