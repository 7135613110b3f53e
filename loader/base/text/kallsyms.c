// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * /proc/kallsyms, whose hundred thousand lines take the kernel some 25 ms to print. Keep it in
 * memory, indexed by a hash table of names, or read it only as far as needed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/base/text/kallsyms.h"
#include "loader/core/sys/read.h"

/* Even with all symbols and hundreds of modules, it is smaller than 32 MB. */
#define TEXT_MAX (256u << 20)

/* read(2) on this file returns at most a page, so a larger buffer would not help. */
#define READ_SIZE (64u << 10)

static void forget(struct kernel_symbols *k)
{
	free(k->table);
	free(k->text);
	*k = (struct kernel_symbols){ .sys = k->sys };
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	forget(k);
}

static int read_text(struct kernel_symbols *k, int fd, struct error *err)
{
	uint32_t room = 0;

	for (;;) {
		char *grown;
		ssize_t n;

		if (room - k->size < READ_SIZE) {
			room = room ? 2 * room : 2 * READ_SIZE;
			if (room > TEXT_MAX)
				return error_set(err, EFBIG, "is larger than %u bytes", k->size);
			grown = realloc(k->text, room);
			if (!grown)
				return error_set(err, ENOMEM, "no memory for %u bytes", room);
			k->text = grown;
		}
		/* Leave one byte to terminate the last line. */
		n = sys_read(k->sys, fd, k->text + k->size, READ_SIZE - 1);
		if (n < 0)
			return error_set(err, -n, "read: %s", error_strerror(-n));
		if (!n)
			break;
		k->size += n;
	}
	/* Terminate the text, even if the last line has no newline. */
	k->text[k->size] = '\0';
	return 0;
}

/* Return the name in a line "ffffffff81000000 T _text"; NULL: malformed line. */
static char *name_in(char *line, const char *end)
{
	char *p = line;

	while (isxdigit((unsigned char)*p))
		p++;
	return p == line || end - p <= 3 || p[0] != ' ' || p[2] != ' ' ? NULL : p + 3;
}

static char *end_of_word(char *word)
{
	return word + strcspn(word, "\t \n");
}

/*
 * Rewrite a line in place, where it always fits; skip malformed lines:
 *
 *	ffffffff81000000 T _text\n		-> "ffffffff81000000 T _text" NUL
 *	ffffffffc0001000 t init\t[ext4]\n	-> "ffffffffc0001000 t init" NUL "[ext4" NUL
 *
 * Return: end of the rewritten line.
 */
static char *keep_line(char *line, const char *end, char *to)
{
	const char *name_end, *module, *module_end;
	char *name = name_in(line, end);

	if (!name)
		return to;
	name_end = end_of_word(name);
	module = name_end + strspn(name_end, "\t ");
	module_end = module + strcspn(module, "]\n");
	memmove(to, line, name_end - line);
	to += name_end - line;
	if (module < end && *module == '[') {
		const size_t len = module_end - module;

		*to++ = '\0';
		memmove(to, module, len);
		to += len;
	}
	*to++ = '\0';
	return to;
}

static void keep_lines(struct kernel_symbols *k)
{
	char *line = k->text, *const end = k->text + k->size, *to = k->text;

	k->nr = 0;
	while (line < end) {
		char *newline = memchr(line, '\n', end - line), *kept;

		if (!newline)
			newline = end;	/* read_text() left a spare byte */
		*newline = '\n';
		kept = keep_line(line, newline, to);
		k->nr += kept != to;
		to = kept;
		line = newline + 1;
	}
	k->size = to - k->text;
	k->text[k->size] = '\0';
}

static uint64_t parse_address(const char **text)
{
	uint64_t address = 0;
	const char *p = *text;

	for (; *p != ' '; p++)
		address = address << 4 | (*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	*text = p;
	return address;
}

bool kernel_symbols_each(const struct kernel_symbols *k, uint32_t *at, struct kernel_symbol *s)
{
	const char *p = k->text + *at;

	if (*at >= k->size)
		return false;
	s->address = parse_address(&p);
	s->type = p[1];
	s->name = p + 3;
	p = s->name + strlen(s->name);
	s->module = p[1] == '[' ? p + 2 : p;
	s->slot = 0;
	if (p[1] == '[')
		p = s->module + strlen(s->module);
	*at = p + 1 - k->text;
	if (s->address - k->data < k->data_size && kernel_symbol_is_code(s))
		s->type = 'D';
	return true;
}

/* --- visit lines without keeping them --- */

struct visit {
	int (*visit)(void *arg, const struct kernel_symbol *s);
	void *arg;
};

static int visit_line(void *arg, char *line)
{
	const struct visit *v = arg;
	const char *p = line;
	char *name = name_in(line, line + strlen(line)), *module;
	struct kernel_symbol s = { .name = name, .module = "" };

	if (!name)
		return 0;
	s.address = parse_address(&p);
	s.type = p[1];
	module = end_of_word(name);
	if (*module)
		*module++ = '\0';
	module += strspn(module, "\t ");
	if (*module == '[') {
		module[strcspn(module, "]")] = '\0';
		s.module = module + 1;
	}
	return v->visit(v->arg, &s);
}

static int visit_kept(const struct kernel_symbols *k, const struct visit *v)
{
	struct kernel_symbol s;
	uint32_t at = 0;
	int ret = 0;

	while (!ret && kernel_symbols_each(k, &at, &s))
		ret = v->visit(v->arg, &s);
	return ret;
}

int kernel_symbols_visit(const struct kernel_symbols *k,
			 int (*visit)(void *arg, const struct kernel_symbol *s), void *arg,
			 struct error *err)
{
	struct visit v = { visit, arg };
	int ret;

	if (k->is_read)
		return visit_kept(k, &v);
	ret = sys_each_line_of(k->sys, AT_FDCWD, KALLSYMS, visit_line, &v);
	if (ret >= 0)
		return ret;
	error_set(err, -ret, "%s", error_strerror(-ret));
	error_reason(err, "types/kallsyms");
	return error_where(err, KALLSYMS);
}

/* --- find names through a hash table --- */

static uint32_t hash(const char *name)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h ^ h >> 15;
}

/* Symbols with the same name stay in file order. */
static int make_table(struct kernel_symbols *k, struct error *err)
{
	struct kernel_symbol s;
	uint32_t at = 0, line = 0, slot;
	bool any_address = false;

	k->mask = 1;
	while (k->mask < 2 * k->nr)
		k->mask = k->mask << 1 | 1;
	k->table = calloc((size_t)k->mask + 1, sizeof(*k->table));
	if (!k->table)
		return error_set(err, ENOMEM, "no memory for %u symbols", k->nr);
	for (; kernel_symbols_each(k, &at, &s); line = at) {
		any_address |= s.address != 0;
		slot = hash(s.name) & k->mask;
		while (k->table[slot])
			slot = (slot + 1) & k->mask;
		k->table[slot] = line + 1;
	}
	k->hidden = !any_address;
	return 0;
}

/* Find the next symbol named @name from slot @slot on. */
static bool find_from(const struct kernel_symbols *k, const char *name, uint32_t slot,
		      struct kernel_symbol *s)
{
	for (; k->table[slot & k->mask]; slot++) {
		uint32_t at = k->table[slot & k->mask] - 1;

		kernel_symbols_each(k, &at, s);
		s->slot = slot & k->mask;
		if (!strcmp(s->name, name))
			return true;
	}
	return false;
}

/* On Linux 7.2, data such as jiffies and init_task has type 'T': find its address range. */
static void find_data(struct kernel_symbols *k)
{
	struct kernel_symbol begin, end;

	if (!find_from(k, "_sdata", hash("_sdata"), &begin) ||
	    !find_from(k, "_edata", hash("_edata"), &end) || begin.address >= end.address)
		return;
	k->data = begin.address;
	k->data_size = end.address - begin.address;
}

int kernel_symbols_read(struct kernel_symbols *k, struct error *err)
{
	int fd, ret;

	if (k->is_read)
		return 0;
	fd = sys_openat(k->sys, AT_FDCWD, KALLSYMS, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		ret = error_set(err, -fd, "%s", error_strerror(-fd));
	else
		ret = read_text(k, fd, err);
	sys_close_fd(k->sys, &fd);
	if (!ret)
		keep_lines(k);
	if (!ret)
		ret = make_table(k, err);
	k->is_read = !ret;
	if (!ret) {
		find_data(k);
		return 0;
	}
	forget(k);
	error_reason_default(err, "types/kallsyms");
	return error_where(err, KALLSYMS);
}

int kernel_symbols_find(struct kernel_symbols *k, const char *name, struct kernel_symbol *s,
			struct error *err)
{
	int ret = kernel_symbols_read(k, err);

	return ret ? ret : find_from(k, name, hash(name), s);
}

bool kernel_symbols_same(const struct kernel_symbols *k, struct kernel_symbol *s)
{
	return find_from(k, s->name, s->slot + 1, s);
}

int kernel_symbols_nearest(struct kernel_symbols *k, struct nearest *near, bool code,
			   struct error *err)
{
	struct kernel_symbol s;
	uint32_t at = 0;
	int ret = kernel_symbols_read(k, err);

	while (!ret && kernel_symbols_each(k, &at, &s))
		if (!code || kernel_symbol_is_code(&s))
			nearest_offer(near, s.name);
	return ret;
}
