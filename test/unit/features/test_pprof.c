// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The format of pprof, taken apart by a reader of its own: varints of any length, hostile names. */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "loader/features/profile/pictures_internal.h"
#include "test/unit/common/suite.h"

#define PROFILE_MAX (1 << 20)
#define STRINGS_MAX 1024

/* A part of the decompressed file that is read from its beginning. */
struct part {
	const unsigned char *at, *end;
};

/* The fields of message Profile of profile.proto. */
struct decoded {
	unsigned char bytes[PROFILE_MAX];
	size_t size;
	struct part strings[STRINGS_MAX], samples[STRINGS_MAX], functions[STRINGS_MAX],
		    locations[STRINGS_MAX], mappings[STRINGS_MAX];
	unsigned int nr_strings, nr_samples, nr_functions, nr_locations, nr_mappings;
	uint64_t comments[4];
	unsigned int nr_comments;
	uint64_t duration;
};

static void print(struct profile *p, const struct profile_about *about, struct decoded *d)
{
	struct error err = { 0 };
	z_stream gzip = { 0 };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	ck_assert_int_eq(profile_print(profile_format_find("pprof"), file, p, about, &err), 0);
	fclose(file);
	ck_assert_int_eq(inflateInit2(&gzip, 15 + 16), Z_OK);
	gzip.next_in = (unsigned char *)text;
	gzip.avail_in = size;
	gzip.next_out = d->bytes;
	gzip.avail_out = sizeof(d->bytes);
	ck_assert_int_eq(inflate(&gzip, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(gzip.avail_in, 0);
	d->size = gzip.total_out;
	inflateEnd(&gzip);
	free(text);
}

static uint64_t varint(struct part *p)
{
	uint64_t n = 0;
	unsigned int shift = 0;

	do {
		ck_assert(p->at < p->end && shift < 70);
		n |= (uint64_t)(*p->at & 0x7f) << shift;
		shift += 7;
	} while (*p->at++ & 0x80);
	return n;
}

/* Read a field. A number is in *@n, the bytes of a field of type 2 are *@bytes. */
static unsigned int field(struct part *p, uint64_t *n, struct part *bytes)
{
	const uint64_t key = varint(p);

	ck_assert_msg((key & 7) == 0 || (key & 7) == 2, "key %llu", (unsigned long long)key);
	*n = varint(p);
	*bytes = (struct part){ p->at, p->at };
	if (key & 7) {
		ck_assert_uint_le(*n, p->end - p->at);
		bytes->end += *n;
		p->at += *n;
	}
	return key >> 3;
}

static void decode(struct decoded *d)
{
	struct part whole = { d->bytes, d->bytes + d->size }, bytes;
	uint64_t n;

	while (whole.at < whole.end) {
		const unsigned int number = field(&whole, &n, &bytes);

		ck_assert(d->nr_strings < STRINGS_MAX && d->nr_samples < STRINGS_MAX);
		if (number == 2)
			d->samples[d->nr_samples++] = bytes;
		else if (number == 3)
			d->mappings[d->nr_mappings++] = bytes;
		else if (number == 13)
			d->comments[d->nr_comments++ % 4] = n;
		else if (number == 4)
			d->locations[d->nr_locations++] = bytes;
		else if (number == 5)
			d->functions[d->nr_functions++] = bytes;
		else if (number == 6)
			d->strings[d->nr_strings++] = bytes;
		else if (number == 10)
			d->duration = n;
	}
}

/* Return the number that is @wanted of the fields of @message; each message has it once. */
static uint64_t number_of(struct part message, unsigned int wanted)
{
	struct part bytes;
	unsigned int found = 0;
	uint64_t n, number = 0;

	while (message.at < message.end) {
		if (field(&message, &n, &bytes) != wanted)
			continue;
		number = n;
		found++;
	}
	ck_assert_uint_eq(found, 1);
	return number;
}

static bool is_string(const struct decoded *d, uint64_t number, const char *text)
{
	const struct part *s = &d->strings[number];

	ck_assert_uint_lt(number, d->nr_strings);
	return (size_t)(s->end - s->at) == strlen(text) && !memcmp(s->at, text, strlen(text));
}

/* Ask libc. */
static bool is_utf8(struct part text)
{
	char out[4 * 70000], *to = out, *from = (char *)text.at;
	size_t left = text.end - text.at, room = sizeof(out);
	iconv_t converter = iconv_open("UCS-4LE", "UTF-8");
	bool ok;

	ck_assert(converter != (iconv_t)-1);
	ok = iconv(converter, &from, &left, &to, &room) != (size_t)-1 && !left;
	iconv_close(converter);
	return ok;
}

static const struct profile_about about = { .title = "t", .unit = "samples",
					    .duration_ns = 1ull << 40, .period_ns = 1000000 };

static const struct {
	const char *name, *printed;
} names[] = {
	{ "main", "main" }, { "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
	{ "\xf0\x9f\x92\xa9", "\xf0\x9f\x92\xa9" },
	/* Bytes that are no UTF-8 are the characters of their numbers, as a reader of JSON has them. */
	{ "\xff", "\xc3\xbf" }, { "a\xe9z", "a\xc3\xa9z" }, { "cut\xc3", "cut\xc3\x83" },
	{ "\xed\xa0\xa1", "\xc3\xad\xc2\xa0\xc2\xa1" }, { "\xc0\xaf", "\xc3\x80\xc2\xaf" },
	/* pprof prints names to a terminal as they are. */
	{ "\x1b[2J\n", "\\u001b[2J\\u000a" }, { "\x9b" "31m", "\\u009b31m" },
	{ "\xc2\x9b", "\\u009b" }, { "\xe2\x80\xae", "\\u202e" },
	{ ";\"<,", ";\"<," },
};

TEST_ROWS(names_are_utf8, names)
{
	static struct decoded d;
	struct profile *p = profile_new();
	const struct frame frame = { .address = 1, .symbol = names[_i].name,
				     .file = names[_i].name, .build_id = names[_i].name };
	struct profile_about titled = about;

	d = (struct decoded){ 0 };
	titled.title = names[_i].name;
	ck_assert_int_eq(profile_add(p, &frame, 1, 1, NULL), 0);
	print(p, &titled, &d);
	decode(&d);
	for (unsigned int i = 0; i < d.nr_strings; i++)
		ck_assert_msg(is_utf8(d.strings[i]), "string %u of '%s'", i, names[_i].name);
	ck_assert_uint_eq(d.nr_functions, 1);
	ck_assert(is_string(&d, 5, names[_i].printed));
	ck_assert(is_string(&d, number_of(d.functions[0], 2), names[_i].printed));
	ck_assert(is_string(&d, number_of(d.mappings[0], 5), names[_i].printed));
	profile_free(p);
}

/* Lengths whose varints have one byte, two and three, on both sides of the border. */
static const size_t lengths[] = { 0, 1, 127, 128, 129, 255, 256, 16383, 16384, 65536 };

TEST_ROWS(strings_of_any_length, lengths)
{
	static struct decoded d;
	static char name[65537];
	struct profile *p = profile_new();
	const struct frame frame = { .address = 1, .symbol = "f", .file = name };

	d = (struct decoded){ 0 };
	memset(name, 'n', sizeof(name));
	name[lengths[_i]] = '\0';
	ck_assert_int_eq(profile_add(p, &frame, 1, 1, NULL), 0);
	print(p, &about, &d);
	decode(&d);
	ck_assert(is_string(&d, number_of(d.mappings[0], 5), name));
	ck_assert_uint_eq(d.duration, about.duration_ns);
	profile_free(p);
}

/* Three hundred functions, so that numbers of functions, locations and strings have two bytes. */
TEST(many_functions)
{
	static struct decoded d;
	struct profile *p = profile_new();
	struct frame frames[300];
	static char list[300][16];
	struct part path = { 0 }, bytes;
	uint64_t n;

	for (unsigned int i = 0; i < 300; i++) {
		snprintf(list[i], sizeof(list[i]), "f%u", i);
		frames[i] = (struct frame){ .address = 0x80 + i, .symbol = list[i] };
	}
	ck_assert_int_eq(profile_add(p, frames, 300, 300, NULL), 0);
	print(p, &about, &d);
	decode(&d);
	ck_assert_uint_eq(d.nr_functions, 300);
	ck_assert_uint_eq(d.nr_locations, 300);
	ck_assert_uint_eq(d.nr_samples, 1);
	for (unsigned int i = 0; i < 300; i++) {
		ck_assert_uint_eq(number_of(d.functions[i], 1), i + 1);
		ck_assert_uint_eq(number_of(d.locations[i], 1), i + 1);
		ck_assert_uint_eq(number_of(d.locations[i], 3), 0x80 + i);
		ck_assert(is_string(&d, number_of(d.functions[i], 2), list[i]));
	}
	ck_assert_uint_eq(field(&d.samples[0], &n, &path), 1);
	for (unsigned int i = 300; i; i--)	/* the innermost frame is the first */
		ck_assert_uint_eq(varint(&path), i);
	ck_assert_ptr_eq(path.at, path.end);
	ck_assert_uint_eq(field(&d.samples[0], &n, &bytes), 2);
	profile_free(p);
}

/* Values are int64: one that has no room stays at the largest. */
static const struct {
	uint64_t weight, period_ns, samples, ns;
} weights[] = {
	{ 1, 1, 1, 1 }, { 127, 1000000, 127, 127000000 }, { 128, 1000000, 128, 128000000 },
	{ 16384, 0, 16384, 0 }, { 1ull << 35, 3, 1ull << 35, 3ull << 35 },
	{ INT64_MAX, 1, INT64_MAX, INT64_MAX }, { INT64_MAX, 0, INT64_MAX, 0 },
	{ INT64_MAX / 1000 + 1, 1000, INT64_MAX / 1000 + 1, INT64_MAX },
	{ 1ull << 63, 2, INT64_MAX, INT64_MAX }, { UINT64_MAX, 1000, INT64_MAX, INT64_MAX },
};

TEST_ROWS(weights_of_any_size, weights)
{
	static struct decoded d;
	struct profile *p = profile_new();
	const struct frame frame = { .address = UINT64_MAX, .symbol = "f" };
	struct profile_about timed = about;
	struct part path, values;
	uint64_t n;

	d = (struct decoded){ 0 };
	timed.period_ns = weights[_i].period_ns;
	ck_assert_int_eq(profile_add(p, &frame, 1, weights[_i].weight, NULL), 0);
	print(p, &timed, &d);
	decode(&d);
	ck_assert_uint_eq(number_of(d.locations[0], 3), UINT64_MAX);
	ck_assert_uint_eq(field(&d.samples[0], &n, &path), 1);
	ck_assert_uint_eq(field(&d.samples[0], &n, &values), 2);
	ck_assert_uint_eq(varint(&values), weights[_i].samples);
	if (weights[_i].period_ns)
		ck_assert_uint_eq(varint(&values), weights[_i].ns);
	ck_assert_ptr_eq(values.at, values.end);
	profile_free(p);
}

static bool has_field(struct part message, unsigned int wanted)
{
	struct part bytes;
	uint64_t n;

	while (message.at < message.end)
		if (field(&message, &n, &bytes) == wanted)
			return true;
	return false;
}

/* Functions of one mapping share it; the same file at another address is another one. */
TEST(mappings_have_their_range)
{
	static struct decoded d;
	struct profile *p = profile_new();
	const struct frame_mapping low = { 0x1000, 0x3000, 0x200 }, high = { 0x7000, 0x9000, 0x200 };
	const struct frame frames[] = {
		{ .symbol = "sh", .is_command = true },
		{ .address = 0x7100, .symbol = "a", .file = "/x", .mapping = high },
		{ .address = 0x1100, .symbol = "b", .file = "/x", .mapping = low },
		{ .address = 0x7200, .symbol = "c", .file = "/x", .mapping = high },
		{ .address = 0x1200, .symbol = "d", .file = "/w", .mapping = low },
		{ .address = 0xf000, .symbol = "e", .file = "[kernel]" },
	};
	static const struct {
		const char *file;
		uint64_t start, limit, offset;
	} expected[] = {
		{ "/w", 0x1000, 0x3000, 0x200 }, { "/x", 0x1000, 0x3000, 0x200 },
		{ "/x", 0x7000, 0x9000, 0x200 }, { "[kernel]", 0, 0, 0 },
	};
	static const uint64_t mapping_of[] = { 0, 3, 2, 3, 1, 4 };

	d = (struct decoded){ 0 };
	ck_assert_int_eq(profile_add(p, frames, 6, 1, NULL), 0);
	print(p, &about, &d);
	decode(&d);
	ck_assert_uint_eq(d.nr_mappings, 4);
	for (unsigned int i = 0; i < 4; i++) {
		ck_assert_uint_eq(number_of(d.mappings[i], 1), i + 1);
		ck_assert_uint_eq(number_of(d.mappings[i], 2), expected[i].start);
		ck_assert_uint_eq(number_of(d.mappings[i], 3), expected[i].limit);
		ck_assert_uint_eq(number_of(d.mappings[i], 4), expected[i].offset);
		ck_assert(is_string(&d, number_of(d.mappings[i], 5), expected[i].file));
	}
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert(!has_field(d.functions[i], 4));	/* no source file is known */
		if (mapping_of[i])
			ck_assert_uint_eq(number_of(d.locations[i], 2), mapping_of[i]);
		else
			ck_assert(!has_field(d.locations[i], 2));
	}
	profile_free(p);
}

/* Return the number of the label @key of a sample, or UINT64_MAX; @of: 2 a string, 3 a number. */
static uint64_t label(const struct decoded *d, struct part sample, const char *key, unsigned int of)
{
	struct part bytes;
	uint64_t n;

	while (sample.at < sample.end)
		if (field(&sample, &n, &bytes) == 3 && is_string(d, number_of(bytes, 1), key))
			return number_of(bytes, of);
	return UINT64_MAX;
}

/* One stack of two processes is two samples. */
TEST(samples_have_their_process)
{
	static struct decoded d;
	struct profile *p = profile_new();
	struct frame frames[] = { { .symbol = "sh", .is_command = true },
				  { .address = 1, .symbol = "main" } };
	struct profile_about lossy = about;

	d = (struct decoded){ 0 };
	lossy.lost = 7;
	for (uint32_t pid = 7; pid < 9; pid++) {
		frames[0].pid = pid;
		for (int twice = 0; twice < 2; twice++)
			ck_assert_int_eq(profile_add(p, frames, 2, pid, NULL), 0);
	}
	frames[1].pid = 0;	/* neither process nor command are known */
	ck_assert_int_eq(profile_add(p, frames + 1, 1, 1, NULL), 0);
	print(p, &lossy, &d);
	decode(&d);
	ck_assert_uint_eq(d.nr_samples, 3);
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_uint_eq(label(&d, d.samples[i], "pid", 3), 7 + i);
		ck_assert(is_string(&d, label(&d, d.samples[i], "comm", 2), "sh"));
	}
	ck_assert(!has_field(d.samples[2], 3));
	ck_assert_uint_eq(d.nr_comments, 2);
	ck_assert(is_string(&d, d.comments[1], "7 samples lost"));
	profile_free(p);
}
