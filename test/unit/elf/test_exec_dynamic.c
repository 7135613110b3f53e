// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Executables without sections, whose PT_DYNAMIC is damaged, and files that
 * cannot be read to the end.
 */
#include <errno.h>
#include <stdlib.h>

#include "test/unit/common/expect.h"
#include "test/unit/elf/exec_fixture.h"

#ifndef DT_DEBUG
#define DT_DEBUG 21
#endif

/* An entry of it gets the tag or the value, or the table at its address has @value at @at. */
static const struct dynamic {
	const char *name;
	bool old_hash;
	int64_t tag;
	enum { TAG, VALUE, TABLE } field;
	size_t at;
	uint64_t value;
	uint32_t nr;	/* of symbols */
	struct expect expect;
} dynamics[] = {
	{ "symbols", false, DT_SYMTAB, TAG, 0, DT_DEBUG, 0 },
	{ "symbols outside", false, DT_SYMTAB, VALUE, 0, 1, 0, { EBADMSG, "PT_DYNAMIC", "0x1 " } },
	{ "names", false, DT_STRTAB, TAG, 0, DT_DEBUG, 0 },
	{ "names outside", false, DT_STRTAB, VALUE, 0, 1, 0 },
	{ "size of names", false, DT_STRSZ, TAG, 0, DT_DEBUG, 0 },
	{ "no size of names", false, DT_STRSZ, VALUE, 0, 0, 0 },
	{ "hash", false, DT_GNU_HASH, TAG, 0, DT_DEBUG, 0 },
	{ "hash outside", false, DT_GNU_HASH, VALUE, 0, 1, 0 },
	{ "buckets outside", false, DT_GNU_HASH, TABLE, 0, 0x7fffffff, 0 },
	{ "an empty bucket", false, DT_GNU_HASH, TABLE, 24, 0, 1 },
	{ "another first symbol", false, DT_GNU_HASH, TABLE, 4, 0, 6 },
	{ "a chain outside", false, DT_GNU_HASH, TABLE, 24, 0x7fffffff, 0 },
	{ "old hash", true, DT_HASH, TAG, 0, DT_DEBUG, 0 },
	{ "old hash outside", true, DT_HASH, VALUE, 0, 1, 0 },
	{ "no symbols in the old hash", true, DT_HASH, TABLE, 4, 0, 0 },
	{ "versions", false, DT_VERSYM, TAG, 0, DT_DEBUG, 7 },
	{ "versions outside", false, DT_VERSYM, VALUE, 0, 1, 0, { EBADMSG, "PT_DYNAMIC", "0xe " } },
	{ "definitions", false, DT_VERDEF, TAG, 0, DT_DEBUG, 7 },
	{ "definitions outside", false, DT_VERDEF, VALUE, 0, 1, 0, { EBADMSG, "PT_DYNAMIC" } },
	{ "a definition outside", false, DT_VERDEF, TABLE, 16, 0xffffff, 0,
	  { EBADMSG, "PT_DYNAMIC" } },
};

/* The fourth program header is that of PT_DYNAMIC. */
static size_t dynamic_entry(int64_t tag)
{
	const size_t header = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Phdr);
	size_t at = buffer_peek(&f.file, header + 8, 8, false);

	while ((int64_t)buffer_peek(&f.file, at, 8, false) != tag)
		at += sizeof(Elf64_Dyn);
	return at;
}

TEST_ROWS(damaged_dynamic, dynamics)
{
	const struct dynamic *d = &dynamics[_i];
	size_t at;
	int ret;

	begin(&forms[d->old_hash ? 6 : 4]);
	some_symbols(&f.b);
	f.file = xb_finish(&f.b);
	at = dynamic_entry(d->tag);
	if (d->field == TABLE)
		buffer_poke(&f.file, buffer_peek(&f.file, at + 8, 8, false) - XB_DYN_ADDRESS +
			    XB_DYN_OFFSET + d->at, 4, d->value, false);
	else
		buffer_poke(&f.file, d->field == TAG ? at : at + 8, 8, d->value, false);
	ret = open_exec();
	if (d->expect.code) {
		expect_error(d->name, ret, &f.err, &d->expect);
	} else {
		ck_assert_msg(!ret, "%s: %s: %s", d->name, f.err.where, f.err.what);
		ck_assert_msg(f.x.dynsym.nr == d->nr, "%s: %u", d->name, f.x.dynsym.nr);
		ck_assert(d->tag != DT_STRSZ || !exec_needed(&f.x, 0));
	}
}

/* --- the source fails --- */

struct failing {
	struct bytes bytes;
	unsigned int left;	/* reads that succeed */
	bool failed;
};

static int fail_later(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct failing *s = arg;

	s->failed |= !s->left;
	if (!s->left)
		return error_set(err, EIO, "the disk is broken");
	s->left--;
	*out = bytes_slice(s->bytes, off, len);
	return 0;
}

/* Reads all of the file; returns the result. */
static int read_all(struct failing *failing, struct error *err)
{
	int ret;

	f.source = (struct source){ f.file.size, fail_later, failing };
	ret = exec_open(&f.x, &f.source, err);
	ret = ret ? ret : exec_read_symbols(&f.x, err);
	exec_close(&f.x);
	return ret;
}

/* Each read fails in turn. Without one of the first three, nothing of the file is of use. */
TEST_EACH(reads_fail, NR_FORMS)
{
	struct failing failing = { 0 };
	unsigned int reads = 0;
	int ret;

	begin(&forms[_i]);
	some_symbols(&f.b);
	f.file = xb_finish(&f.b);
	for (;; reads++) {
		failing = (struct failing){ buffer_bytes(&f.file), reads, false };
		ret = read_all(&failing, &f.err);
		if (!failing.failed)
			break;
		ck_assert_msg(ret == -EIO || (!ret && reads > 2), "read %u: %d", reads, ret);
		ck_assert_int_eq(f.err.code, ret);
		error_clear(&f.err);
		failing = (struct failing){ buffer_bytes(&f.file), reads, false };
		ck_assert_int_eq(read_all(&failing, NULL) < 0, ret < 0);
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_gt(reads, 5);
	buffer_free(&f.file);
}
