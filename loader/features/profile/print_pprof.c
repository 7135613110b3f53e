// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A profile in the format of pprof: the protocol buffer of profile.proto, compressed by gzip. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "loader/features/profile/pictures_internal.h"
#include "loader/value/value.h"

/*
 * A protocol buffer is a sequence of fields. Each begins with a varint, field number << 3 | type:
 *
 *	type 0	a varint: 7 bits a byte, the lowest first; bit 7: more follow
 *	type 2	a varint with the length, and so many bytes: a string, a message, packed varints
 *
 * The numbers of the fields are those of message Profile and the messages in it.
 */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
       PROFILE_FUNCTION, PROFILE_STRING, PROFILE_DURATION_NS = 10, PROFILE_PERIOD_TYPE,
       PROFILE_PERIOD, PROFILE_COMMENT };
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE,
       MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

/* The strings that every profile has, by their numbers. */
enum { STRING_EMPTY, STRING_SAMPLES, STRING_COUNT, STRING_CPU, STRING_NANOSECONDS, STRING_TITLE,
       STRING_PID, STRING_COMM, STRING_LOST, NR_STRINGS };

/* A message being built. */
struct message {
	unsigned char *bytes;	/* owned */
	size_t size, room;
	bool failed;
};

struct pprof {
	FILE *file;
	z_stream gzip;
	bool failed;
	struct message message, inner;
	uint32_t nr_strings;
	uint32_t *mappings;	/* owned; of each frame: the number of its mapping, or 0 */
	uint32_t *names;	/* owned; of each frame: the number of its string */
};

static void put_bytes(struct message *m, const void *bytes, size_t size)
{
	if (!size)	/* @bytes may be NULL */
		return;
	if (m->size + size > m->room) {
		const size_t room = 2 * (m->size + size);
		unsigned char *grown = realloc(m->bytes, room);

		m->failed |= !grown;
		if (!grown)
			return;
		m->bytes = grown;
		m->room = room;
	}
	memcpy(m->bytes + m->size, bytes, size);
	m->size += size;
}

static void put_varint(struct message *m, uint64_t n)
{
	unsigned char bytes[10];
	size_t size = 0;

	for (; n >= 0x80; n >>= 7)
		bytes[size++] = n | 0x80;
	bytes[size++] = n;
	put_bytes(m, bytes, size);
}

static void put_number(struct message *m, unsigned int field, uint64_t n)
{
	put_varint(m, field << 3);
	put_varint(m, n);
}

static void put_sized(struct message *m, unsigned int field, const void *bytes, size_t size)
{
	put_varint(m, field << 3 | 2);
	put_varint(m, size);
	put_bytes(m, bytes, size);
}

/* --- the compressed file --- */

static void compress_bytes(struct pprof *p, const void *bytes, size_t size, int flush)
{
	unsigned char out[16384];

	p->gzip.next_in = (void *)bytes;
	p->gzip.avail_in = size;
	do {
		p->gzip.next_out = out;
		p->gzip.avail_out = sizeof(out);
		deflate(&p->gzip, flush);
		fwrite(out, 1, sizeof(out) - p->gzip.avail_out, p->file);
	} while (!p->gzip.avail_out);
}

/* Write p->message as @field of the profile, and begin the next one. */
static void put_field(struct pprof *p, unsigned int field)
{
	struct message head = { 0 };

	put_varint(&head, field << 3 | 2);
	put_varint(&head, p->message.size);
	p->failed |= head.failed;
	if (!p->failed && !p->message.failed) {
		compress_bytes(p, head.bytes, head.size, Z_NO_FLUSH);
		compress_bytes(p, p->message.bytes, p->message.size, Z_NO_FLUSH);
	}
	free(head.bytes);
	p->message.size = 0;
}

/*
 * Add a string to the table; NULL is the empty one. Return its number.
 *
 * It has to be UTF-8, or no reader takes the profile. pprof prints names to a terminal as they are,
 * so that characters on which a terminal acts are escaped, as JSON has them.
 */
static uint32_t put_string(struct pprof *p, const char *text)
{
	const size_t size = text ? strlen(text) : 0;
	const unsigned char *s = (const unsigned char *)text;
	unsigned char latin[2];	/* a character from U+0080 to U+00FF */
	char escaped[8];
	unsigned int n;
	uint32_t c = 0;

	for (size_t i = 0; i < size; i += n) {
		if (text_character(s + i, size - i, &n, &c)) {
			put_bytes(&p->message, s + i, n);
		} else if (text_is_control(c)) {
			put_bytes(&p->message, escaped, sprintf(escaped, "\\u%04x", c));
		} else {
			latin[0] = 0xc0 | c >> 6;
			latin[1] = 0x80 | (c & 0x3f);
			put_bytes(&p->message, latin, sizeof(latin));
		}
	}
	put_field(p, PROFILE_STRING);
	return p->nr_strings++;
}

/* --- the parts of a profile --- */

static void put_value_type(struct pprof *p, unsigned int field, uint32_t type, uint32_t unit)
{
	put_number(&p->message, VALUE_TYPE, type);
	put_number(&p->message, VALUE_UNIT, unit);
	put_field(p, field);
}

static void put_begin(struct pprof *p, const struct profile_about *about)
{
	char lost[64] = "";
	const char *strings[NR_STRINGS] = { "", "samples", "count", "cpu", "nanoseconds",
					    about->title, "pid", "comm", lost };

	if (about->lost)
		snprintf(lost, sizeof(lost), "%llu %s lost", (unsigned long long)about->lost,
			 about->unit);
	for (int i = 0; i < NR_STRINGS; i++)
		put_string(p, strings[i]);
	put_value_type(p, PROFILE_SAMPLE_TYPE, STRING_SAMPLES, STRING_COUNT);
	if (!about->period_ns)
		return;
	put_value_type(p, PROFILE_SAMPLE_TYPE, STRING_CPU, STRING_NANOSECONDS);
	put_value_type(p, PROFILE_PERIOD_TYPE, STRING_CPU, STRING_NANOSECONDS);
}

/* --- mappings: a file at an address, which the frames in it share --- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_mappings(const struct profile_frame *a, const struct profile_frame *b)
{
	int order = strcmp(a->file ?: "", b->file ?: "");

	order = order ?: strcmp(a->build_id ?: "", b->build_id ?: "");
	order = order ?: compare_numbers(a->mapping.start, b->mapping.start);
	order = order ?: compare_numbers(a->mapping.end, b->mapping.end);
	return order ?: compare_numbers(a->mapping.offset, b->mapping.offset);
}

static int compare_frames(const void *left, const void *right, void *frames)
{
	const struct profile_frame *list = frames;

	return compare_mappings(&list[*(const uint32_t *)left], &list[*(const uint32_t *)right]);
}

static void put_mapping(struct pprof *p, const struct profile_frame *frame, uint32_t id)
{
	const uint32_t file = put_string(p, frame->file), build_id = put_string(p, frame->build_id);

	put_number(&p->message, MAPPING_ID, id);
	put_number(&p->message, MAPPING_START, frame->mapping.start);
	put_number(&p->message, MAPPING_LIMIT, frame->mapping.end);
	put_number(&p->message, MAPPING_OFFSET, frame->mapping.offset);
	put_number(&p->message, MAPPING_FILE, file);
	put_number(&p->message, MAPPING_BUILD_ID, build_id);
	put_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
	put_field(p, PROFILE_MAPPING);
}

/* Number the mappings of all frames from 1 on, and print them. */
static int put_mappings(struct pprof *p, const struct profile *profile)
{
	uint32_t *list = calloc(profile->nr_frames, sizeof(*list)), id = 0;

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 1; i < profile->nr_frames; i++)
		list[i] = i;
	qsort_r(list + 1, profile->nr_frames - 1, sizeof(*list), compare_frames, profile->frames);
	for (uint32_t i = 1; i < profile->nr_frames; i++) {
		const struct profile_frame *frame = &profile->frames[list[i]];

		if (!frame->file)
			continue;
		if (!id || compare_mappings(frame, &profile->frames[list[i - 1]]))
			put_mapping(p, frame, ++id);
		p->mappings[list[i]] = id;
	}
	free(list);
	return 0;
}

/* Each function is one location. Its source file is not known: the mapping has the binary. */
static void put_function(struct pprof *p, const struct profile_frame *frame, uint32_t id)
{
	char buf[PROFILE_NAME];
	const uint32_t name = put_string(p, profile_frame_name(frame, buf));

	p->names[id] = name;
	put_number(&p->message, FUNCTION_ID, id);
	put_number(&p->message, FUNCTION_NAME, name);
	put_number(&p->message, FUNCTION_SYSTEM_NAME, name);
	put_field(p, PROFILE_FUNCTION);

	p->inner.size = 0;
	put_number(&p->inner, LINE_FUNCTION, id);
	put_number(&p->message, LOCATION_ID, id);
	if (p->mappings[id])
		put_number(&p->message, LOCATION_MAPPING, p->mappings[id]);
	put_number(&p->message, LOCATION_ADDRESS, frame->address);
	put_sized(&p->message, LOCATION_LINE, p->inner.bytes, p->inner.size);
	put_field(p, PROFILE_LOCATION);
}

/* Values are int64. */
static uint64_t value(uint64_t weight, uint64_t unit)
{
	uint64_t product;

	return __builtin_mul_overflow(weight, unit, &product) || product > INT64_MAX ? INT64_MAX :
										       product;
}

static void put_label(struct pprof *p, uint32_t key, unsigned int field, uint64_t value)
{
	p->inner.size = 0;
	put_number(&p->inner, LABEL_KEY, key);
	put_number(&p->inner, field, value);
	put_sized(&p->message, SAMPLE_LABEL, p->inner.bytes, p->inner.size);
}

/* The innermost frame is the first. */
static void put_sample(struct pprof *p, const struct profile *profile,
		       const struct profile_part *part, uint64_t period_ns)
{
	uint32_t outermost = 0;

	p->inner.size = 0;
	for (uint32_t n = part->node; n; n = profile->nodes[n].parent) {
		outermost = profile->nodes[n].frame;
		put_varint(&p->inner, outermost);
	}
	put_sized(&p->message, SAMPLE_LOCATION, p->inner.bytes, p->inner.size);
	p->inner.size = 0;
	put_varint(&p->inner, value(part->weight, 1));
	if (period_ns)
		put_varint(&p->inner, value(part->weight, period_ns));
	put_sized(&p->message, SAMPLE_VALUE, p->inner.bytes, p->inner.size);
	if (part->pid)
		put_label(p, STRING_PID, LABEL_NUMBER, part->pid);
	if (profile->frames[outermost].is_command)
		put_label(p, STRING_COMM, LABEL_STRING, p->names[outermost]);
	put_field(p, PROFILE_SAMPLE);
}

static void put_end(struct pprof *p, const struct profile_about *about)
{
	put_number(&p->message, PROFILE_DURATION_NS, about->duration_ns);
	put_number(&p->message, PROFILE_PERIOD, about->period_ns);
	put_number(&p->message, PROFILE_COMMENT, STRING_TITLE);
	if (about->lost)
		put_number(&p->message, PROFILE_COMMENT, STRING_LOST);
	if (!p->message.failed)
		compress_bytes(p, p->message.bytes, p->message.size, Z_FINISH);
}

static int put_profile(struct pprof *p, const struct profile *profile,
		       const struct profile_about *about)
{
	p->mappings = calloc(profile->nr_frames, sizeof(*p->mappings));
	p->names = calloc(profile->nr_frames, sizeof(*p->names));
	if (!p->mappings || !p->names)
		return -ENOMEM;
	put_begin(p, about);
	if (put_mappings(p, profile))
		return -ENOMEM;
	for (uint32_t i = 1; i < profile->nr_frames; i++)
		put_function(p, &profile->frames[i], i);
	for (uint32_t i = 1; i < profile->nr_parts; i++)
		put_sample(p, profile, &profile->parts[i], about->period_ns);
	put_end(p, about);
	return p->failed || p->message.failed || p->inner.failed ? -ENOMEM : 0;
}

int print_pprof(FILE *file, const struct profile *profile, const struct profile_about *about,
		struct error *err)
{
	struct pprof p = { .file = file };
	int ret;

	(void)err;
	/* 16 more than the 15 bits of the window: a gzip header instead of that of zlib. */
	if (deflateInit2(&p.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	ret = put_profile(&p, profile, about);
	deflateEnd(&p.gzip);
	free(p.mappings);
	free(p.names);
	free(p.message.bytes);
	free(p.inner.bytes);
	return ret;
}
