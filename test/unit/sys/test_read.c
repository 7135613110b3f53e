// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines of files and entries of directories: long ones, in pieces, and damaged records. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "test/unit/common/suite.h"

#define FD 5
#define LINE_MAX_SIZE 8192

static struct kernel {
	struct sys sys;
	const char *data;
	size_t size, at, piece;	/* @piece: the most that a call returns; 0: all that there is room for */
	int fails;		/* the errno of openat; of the second read with @late */
	bool late;
	unsigned int calls, open;
} k;

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	size_t n = k.size - k.at;

	(void)sys;
	if (nr == __NR_openat) {
		ck_assert(arg[2] & O_CLOEXEC);
		if (k.fails && !k.late)
			return -k.fails;
		k.open++;
		return FD;
	}
	ck_assert_uint_eq(arg[0], FD);
	if (nr == __NR_close) {
		k.open--;
		return 0;
	}
	ck_assert(nr == __NR_read || nr == __NR_getdents64);
	ck_assert_uint_gt(arg[2], 0);
	if (++k.calls == 2 && k.late)
		return -k.fails;
	n = n < arg[2] ? n : arg[2];
	n = k.piece && k.piece < n ? k.piece : n;
	memcpy((void *)arg[1], k.data + k.at, n);
	k.at += n;
	return n;
}

static void begin(const char *data, size_t size, size_t piece)
{
	k = (struct kernel){ { .enter = enter }, data, size, 0, piece, 0, false, 0, 0 };
}

/* --- lines --- */

/* The first character and the length of each line that came. */
struct seen {
	char text[256];
	unsigned int nr, stop_at;	/* the line that ends it by 7; 0: none */
};

static int see(void *arg, char *line)
{
	struct seen *s = arg;
	const size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%.1s%zu ", line, strlen(line));
	return ++s->nr == s->stop_at ? 7 : 0;
}

static const struct {
	size_t a, b;		/* lengths of the lines of 'a' and 'b' */
	bool ends;		/* with a newline */
	const char *seen;
} lines[] = {
	{ 3, 2, true, "a3 b2 " },
	{ 3, 2, false, "a3 b2 " },
	{ 0, 2, true, "0 b2 " },
	{ 3, 0, true, "a3 0 " },
	{ 3, 0, false, "a3 " },
	{ LINE_MAX_SIZE - 1, 2, true, "a8191 b2 " },
	{ LINE_MAX_SIZE, 2, true, "a8192 b2 " },
	{ LINE_MAX_SIZE + 1, 2, true, "a8192 b2 " },
	{ 3 * LINE_MAX_SIZE + 5, 2, false, "a8192 b2 " },
	{ 5, 2 * LINE_MAX_SIZE, true, "a5 b8192 " },
	{ 5, 2 * LINE_MAX_SIZE, false, "a5 b8192 " },
	{ 5, LINE_MAX_SIZE, false, "a5 b8192 " },
};

TEST_EACH(each_line, 4 * NR(lines))
{
	static const size_t pieces[] = { 0, 1, 7, LINE_MAX_SIZE - 1 };
	const int row = _i / 4;
	const size_t size = lines[row].a + 1 + lines[row].b + lines[row].ends;
	struct seen s = { 0 };
	char *data = malloc(size + 1);

	memset(data, 'a', lines[row].a);
	memset(data + lines[row].a + 1, 'b', lines[row].b);
	data[lines[row].a] = data[size] = '\n';
	if (lines[row].ends)
		data[size - 1] = '\n';
	begin(data, size, pieces[_i % 4]);
	ck_assert_int_eq(sys_each_line_of(&k.sys, AT_FDCWD, "x", see, &s), 0);
	ck_assert_str_eq(s.text, lines[row].seen);
	ck_assert_uint_eq(k.open, 0);
	free(data);
}

TEST_EACH(a_line_may_be_the_last, 4)
{
	struct seen s = { .stop_at = 1 + _i };

	begin("a\nbb\nccc", 8, 0);
	ck_assert_int_eq(sys_each_line_of(&k.sys, AT_FDCWD, "x", see, &s), _i < 3 ? 7 : 0);
	ck_assert_uint_eq(s.nr, _i < 3 ? 1 + _i : 3);
	ck_assert_uint_eq(k.open, 0);
}

TEST_EACH(an_empty_file_has_no_line, 2)
{
	struct seen s = { 0 };

	begin("\n", _i, 0);
	ck_assert_int_eq(sys_each_line_of(&k.sys, AT_FDCWD, "x", see, &s), 0);
	ck_assert_uint_eq(s.nr, _i);
}

TEST_EACH(files_fail, 2)
{
	struct seen s = { 0 };

	begin("a\nbb\nccc\n", 9, 4);
	k.fails = EIO;
	k.late = _i;
	ck_assert_int_eq(sys_each_line_of(&k.sys, AT_FDCWD, "x", see, &s), -EIO);
	ck_assert_uint_eq(s.nr, _i);
	ck_assert_uint_eq(k.open, 0);
}

/* --- entries --- */

/* A record with @name, whose length is @len; 0: the right one. Return: its size. */
static size_t put_record(char *to, const char *name, uint16_t len)
{
	const uint16_t right = (19 + strlen(name) + 1 + 7) / 8 * 8;

	memset(to, 0, right);
	memcpy(to + 16, len ? &len : &right, 2);
	strcpy(to + 19, name);
	return right;
}

static int see_entry(void *arg, const char *name)
{
	struct seen *s = arg;

	strcat(s->text, name);
	strcat(s->text, " ");
	return ++s->nr == s->stop_at ? 7 : 0;
}

TEST_EACH(each_entry, 4)
{
	struct seen s = { .stop_at = _i };
	char data[256];
	size_t n = put_record(data, ".", 0);

	n += put_record(data + n, "one", 0);
	n += put_record(data + n, "..", 0);
	n += put_record(data + n, "an entry of 29 characters yes", 0);	/* no padding */
	begin(data, n, 0);
	ck_assert_int_eq(sys_each_entry(&k.sys, AT_FDCWD, "x", see_entry, &s), _i && _i < 3 ? 7 : 0);
	ck_assert_str_eq(s.text, _i == 1 ? "one " : "one an entry of 29 characters yes ");
	ck_assert_uint_eq(k.open, 0);
}

/* The second record is damaged: the first is reported. */
static const struct {
	uint16_t len;
	size_t cut;	/* bytes of it that are there; 0: all */
	bool unended;	/* its name fills it */
	int ret;
} records[] = {
	{ 0, 0, false, 0 },
	{ 19, 0, false, -EIO },		/* no room for a name */
	{ 22, 0, false, -EIO },		/* nor for the end of this one */
	{ 23, 23, false, 0 },		/* just enough, if it is the last */
	{ 25, 0, false, -EIO },		/* more than there is */
	{ 0, 18, false, -EIO },
	{ 0, 0, true, -EIO },
};

TEST_ROWS(damaged_records, records)
{
	struct seen s = { 0 };
	char data[256];
	size_t n = put_record(data, "one", 0), size = put_record(data + n, "two", records[_i].len);

	if (records[_i].unended)
		memset(data + n + 19, 'x', size - 19);
	begin(data, n + (records[_i].cut ? records[_i].cut : size), 0);
	ck_assert_int_eq(sys_each_entry(&k.sys, AT_FDCWD, "x", see_entry, &s), records[_i].ret);
	ck_assert_str_eq(s.text, records[_i].ret ? "one " : "one two ");
	ck_assert_uint_eq(k.open, 0);
}
