// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rings: filled as a kernel does, and as none should; waiting for them, and giving them back. */
#include <endian.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/read/all_rings.h"
#include "loader/base/calls/epoll.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

#define RING_SIZE 4096

/* --- a perf ring in memory --- */

struct perf_memory {
	struct perf_event_mmap_page *page;
	/* Each of just its size, so that the sanitizer sees a step too far. */
	unsigned char *data, *scratch;
	struct printed printed;
	struct record_printer printer;
	struct record_stream stream;
	struct perf_ring ring;
};

static void perf_begin(struct perf_memory *m, uint64_t start)
{
	memset(m, 0, sizeof(*m));
	m->page = calloc(1, sizeof(*m->page));
	m->data = calloc(1, RING_SIZE);
	m->scratch = malloc(PERF_RING_SCRATCH);
	m->page->data_head = m->page->data_tail = start;
	printed_begin(&m->printed, "json");
	m->printer = (struct record_printer){ .out = &m->printed.out, .format.map = "m" };
	m->stream.map = "m";
	m->stream.sink = (struct record_sink){ .record = record_print, .arg = &m->printer };
	m->ring = (struct perf_ring){
		.stream = &m->stream,
		.cpu = 1,
		.event_fd = -1,
		.page = m->page,
		.data = m->data,
		.size = RING_SIZE,
		.tail = start,
	};
}

static void perf_end(struct perf_memory *m)
{
	printed_end(&m->printed);
	free(m->scratch);
	free(m->data);
	free(m->page);
}

static void perf_put(struct perf_memory *m, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->data[m->page->data_head++ % RING_SIZE] = ((const unsigned char *)bytes)[i];
}

static void perf_header(struct perf_memory *m, uint32_t type, uint16_t size)
{
	perf_put(m, &(struct perf_event_header){ .type = type, .size = size }, 8);
}

/*
 * As the kernel writes them: the size in front of the bytes, both filled up to a multiple of eight.
 */
static void perf_sample(struct perf_memory *m, const void *bytes, uint32_t size)
{
	uint32_t raw = (size + 4 + 7) / 8 * 8 - 4;

	perf_header(m, PERF_RECORD_SAMPLE, 8 + 4 + raw);
	perf_put(m, &raw, 4);
	perf_put(m, bytes, size);
	perf_put(m, "\xee\xee\xee\xee\xee\xee\xee", raw - size);
}

static void perf_lost(struct perf_memory *m, uint64_t lost)
{
	perf_header(m, PERF_RECORD_LOST, 24);
	perf_put(m, &(uint64_t){ 99 }, 8);
	perf_put(m, &lost, 8);
}

TEST(perf_records_come_in_order)
{
	struct error err = { 0 };
	struct perf_memory m;

	perf_begin(&m, 0);
	m.printer.format.size = 5;
	perf_sample(&m, "\1\2\3\4\5", 5);
	perf_lost(&m, 7);
	perf_header(&m, PERF_RECORD_THROTTLE, 8);
	perf_header(&m, PERF_RECORD_LOST_SAMPLES, 16);
	perf_put(&m, &(uint64_t){ 3 }, 8);
	perf_sample(&m, "\6\7\x08\x09\x0a", 5);
	ck_assert_int_eq(perf_ring_read(&m.ring, m.scratch, &err), 2);
	ck_assert_str_eq(
		printed_text(&m.printed),
		"{\"type\":\"record\",\"map\":\"m\",\"cpu\":1,\"value\":\"0102030405\"}\n"
		"{\"type\":\"record\",\"map\":\"m\",\"cpu\":1,\"value\":\"060708090a\"}\n");
	ck_assert_uint_eq(m.stream.records, 2);
	ck_assert_uint_eq(m.ring.lost, 10);
	ck_assert_uint_eq(m.page->data_tail, m.page->data_head);	/* room for the kernel */
	ck_assert_int_eq(perf_ring_read(&m.ring, m.scratch, &err), 0);
	perf_end(&m);
}

/* Every place a record can wrap at, header to last byte; and positions wrap as well. */
TEST(perf_records_wrap)
{
	static const uint64_t bases[] = { 0, RING_SIZE, 0 - 2ULL * RING_SIZE,
					  0 - 1ULL * RING_SIZE };
	struct error err = { 0 };
	struct perf_memory m;

	for (size_t b = 0; b < 4; b++) {
		for (uint64_t off = RING_SIZE - 64; off <= RING_SIZE; off += 8) {
			perf_begin(&m, bases[b] + off);
			m.printer.format.size = 28;
			perf_sample(&m, "abcdefghijklmnopqrstuvwxyz01", 28);
			perf_sample(&m, "ABCDEFGHIJKLMNOPQRSTUVWXYZ23", 28);
			ck_assert_int_eq(perf_ring_read(&m.ring, m.scratch, &err), 2);
			ck_assert_ptr_nonnull(strstr(printed_text(&m.printed),
				"6162636465666768696a6b6c6d6e6f707172737475767778797a3031\"}"));
			ck_assert_ptr_nonnull(strstr(m.printed.text,
				"4142434445464748494a4b4c4d4e4f505152535455565758595a3233\"}"));
			perf_end(&m);
		}
	}
}

TEST(a_perf_ring_can_be_full_to_the_last_byte)
{
	unsigned char bytes[RING_SIZE - 12];
	struct error err = { 0 };
	struct perf_memory m;

	memset(bytes, 0x5a, sizeof(bytes));
	perf_begin(&m, 8);
	m.printer.format.size = sizeof(bytes);
	perf_sample(&m, bytes, sizeof(bytes));
	ck_assert_uint_eq(m.page->data_head - m.page->data_tail, RING_SIZE);
	ck_assert_int_eq(perf_ring_read(&m.ring, m.scratch, &err), 1);
	perf_end(&m);
}

/*
 * A corrupt record is an error with its context. The ring is skipped up to its head, and records
 * that are written later are read.
 */
static void expect_corrupt(struct perf_memory *m, const char *what)
{
	struct error err = { 0 };

	m->page->data_head = (m->page->data_head + 7) & ~7ULL;
	expect_error(what, perf_ring_read(&m->ring, m->scratch, &err), &err,
		     &(struct expect){ EIO, "CPU 1", what, NULL });
	ck_assert_uint_eq(m->page->data_tail, m->page->data_head);
	perf_sample(m, "\1\2\3\4", 4);
	ck_assert_int_eq(perf_ring_read(&m->ring, m->scratch, &err), 1);
	perf_end(m);
}

TEST(corrupt_perf_rings_end)
{
	static const uint16_t sizes[] = { 0, 1, 4, 7, 9, 12, 28, 32, 4096, 65528, 65535 };
	struct perf_memory m;
	uint32_t raw;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		perf_begin(&m, RING_SIZE - 16);
		perf_header(&m, PERF_RECORD_SAMPLE, sizes[i]);
		perf_put(&m, "\4\0\0\0aaaabbbbbbbb", 16);
		expect_corrupt(&m, "record size");
	}
	for (raw = 5; raw; raw *= 5) {	/* until it has run over */
		perf_begin(&m, RING_SIZE - 16);
		perf_header(&m, PERF_RECORD_SAMPLE, 16);
		perf_put(&m, &raw, 4);
		perf_put(&m, "aaaa", 4);
		expect_corrupt(&m, "size of a sample");
		if (raw > UINT32_MAX / 5)
			break;
	}
	perf_begin(&m, 0);
	perf_header(&m, PERF_RECORD_SAMPLE, 8);
	expect_corrupt(&m, "size of a sample");
	perf_begin(&m, 0);
	perf_header(&m, PERF_RECORD_LOST, 16);
	perf_put(&m, "aaaabbbb", 8);
	expect_corrupt(&m, "size of a LOST record");
	perf_begin(&m, 0);
	perf_header(&m, PERF_RECORD_LOST_SAMPLES, 8);
	expect_corrupt(&m, "size of a LOST_SAMPLES record");
}

TEST(a_head_that_cannot_be_is_not_followed)
{
	static const uint64_t heads[] = { RING_SIZE + 8, 1ULL << 40, UINT64_MAX - 7, 4 };
	struct perf_memory m;

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct error err = { 0 };

		perf_begin(&m, 0);
		m.page->data_head = heads[i];
		expect_error("head", perf_ring_read(&m.ring, m.scratch, &err), &err,
			     &(struct expect){ EIO, "CPU 1", "head", NULL });
		perf_end(&m);
	}
}

/* --- a ring buffer in memory --- */

#define BUSY	(1U << 31)
#define DISCARD	(1U << 30)

struct ringbuf_memory {
	uint64_t consumer, producer[3];	/* producer's page: its position, pending, overwrite */
	unsigned char *data;	/* twice after each other, as the kernel maps it */
	struct printed printed;
	struct record_printer printer;
	struct record_stream stream;
	struct ringbuf ring;
};

static void ringbuf_begin(struct ringbuf_memory *m, uint64_t start)
{
	memset(m, 0, sizeof(*m));
	m->data = calloc(2, RING_SIZE);
	m->consumer = m->producer[0] = start;
	printed_begin(&m->printed, "json");
	m->printer = (struct record_printer){ .out = &m->printed.out, .format.map = "m" };
	m->stream.map = "m";
	m->stream.sink = (struct record_sink){ .record = record_print, .arg = &m->printer };
	m->ring = (struct ringbuf){
		.stream = &m->stream,
		.map_fd = -1,
		.consumer = &m->consumer,
		.producer = m->producer,
		.data = m->data,
		.size = RING_SIZE,
		.page_size = 4096,
	};
}

static void ringbuf_end(struct ringbuf_memory *m)
{
	printed_end(&m->printed);
	free(m->data);
}

static void ringbuf_put(struct ringbuf_memory *m, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++, m->producer[0]++)
		m->data[m->producer[0] % RING_SIZE] =
			m->data[m->producer[0] % RING_SIZE + RING_SIZE] =
				bytes ? ((const unsigned char *)bytes)[i] : 0xee;
}

/* Gives where its header is. */
static uint64_t ringbuf_record(struct ringbuf_memory *m, uint32_t flags, const void *bytes,
			       uint32_t size)
{
	uint64_t at = m->producer[0];

	ringbuf_put(m, &(uint32_t){ size | flags }, 4);
	ringbuf_put(m, &(uint32_t){ 0 }, 4);
	ringbuf_put(m, bytes, size);
	ringbuf_put(m, NULL, -m->producer[0] % 8);
	return at;
}

static void ringbuf_commit(struct ringbuf_memory *m, uint64_t at)
{
	const uint64_t high = at % RING_SIZE + (HOST_BIG_ENDIAN ? 0 : 3);

	m->data[high] &= ~(BUSY >> 24);
	m->data[high + RING_SIZE] &= ~(BUSY >> 24);
}

TEST(ringbuf_records_come_in_order)
{
	struct error err = { 0 };
	struct ringbuf_memory m;

	for (uint64_t start = RING_SIZE - 64; start <= RING_SIZE; start += 8) {
		ringbuf_begin(&m, start);
		ringbuf_record(&m, 0, "\1\2\3", 3);
		ringbuf_record(&m, DISCARD, "\4\5", 2);
		ringbuf_record(&m, 0, "", 0);
		ringbuf_record(&m, 0, "\6\7\x08\x09\x0a\x0b\x0c\x0d", 8);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), 3);
		ck_assert_str_eq(
			printed_text(&m.printed),
			"{\"type\":\"record\",\"map\":\"m\",\"value\":\"010203\"}\n"
			"{\"type\":\"record\",\"map\":\"m\",\"value\":\"\"}\n"
			"{\"type\":\"record\",\"map\":\"m\",\"value\":\"060708090a0b0c0d\"}\n");
		ck_assert_uint_eq(m.consumer, m.producer[0]);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), 0);
		ringbuf_end(&m);
	}
}

TEST(a_busy_record_holds_those_behind_it)
{
	struct error err = { 0 };
	struct ringbuf_memory m;
	uint64_t busy;

	ringbuf_begin(&m, 0);
	ringbuf_record(&m, 0, "\1", 1);
	busy = ringbuf_record(&m, BUSY, "\2", 1);
	ringbuf_record(&m, 0, "\3", 1);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), 1);
	ck_assert_uint_eq(m.consumer, busy);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), 0);
	ringbuf_commit(&m, busy);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), 2);
	ck_assert_uint_eq(m.consumer, m.producer[0]);
	ck_assert_ptr_nonnull(
		strstr(printed_text(&m.printed),
		       "\"02\"}\n{\"type\":\"record\",\"map\":\"m\",\"value\":\"03\""));
	ringbuf_end(&m);
}

/* The kernel has nearly all of the room before this record, be it passed on or discarded. */
static int expect_room(void *arg, const struct record *record, struct error *err)
{
	const struct ringbuf_memory *m = arg;
	const uint64_t at = record->bytes.data - 8 - m->data;

	(void)err;
	ck_assert_msg(at - m->consumer <= RING_SIZE / RING_RELEASES + 16,
		      "record at %llu: all from %llu on is not released", (unsigned long long)at,
		      (unsigned long long)m->consumer);
	return 0;
}

TEST(room_is_released_while_a_ringbuf_is_read)
{
	struct error err = { 0 };
	struct ringbuf_memory m;
	int nr = 0;

	ringbuf_begin(&m, 0);
	m.stream.sink = (struct record_sink){ .record = expect_room, .arg = &m };
	while (m.producer[0] < RING_SIZE - 24) {
		const bool discarded = m.producer[0] < RING_SIZE / 4;

		ringbuf_record(&m, discarded ? DISCARD : 0, "\1", 1);
		nr += !discarded;
	}
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), nr);
	ck_assert_uint_eq(m.consumer, m.producer[0]);
	ringbuf_end(&m);
}

/* Take one record, and then fail: whoever reads has to hear of it, and the others stay. */
static int fail_at_second(void *arg, const struct record *record, struct error *err)
{
	int *nr = arg;

	(void)record;
	return ++*nr == 2 ? error_set(err, EPIPE, "the reader is gone") : 0;
}

TEST(a_sink_that_fails_ends_the_read)
{
	struct error err = { 0 };
	struct ringbuf_memory m;
	uint64_t third;
	int nr = 0;

	ringbuf_begin(&m, 0);
	m.stream.sink = (struct record_sink){ .record = fail_at_second, .arg = &nr };
	ringbuf_record(&m, 0, "\1", 1);
	ringbuf_record(&m, 0, "\2\2", 2);
	third = ringbuf_record(&m, 0, "\3", 1);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), -EPIPE);
	ck_assert_int_eq(nr, 2);
	ck_assert_uint_eq(m.consumer, third);
	error_clear(&err);
	ringbuf_end(&m);
}

TEST(corrupt_ringbufs_end)
{
	static const uint32_t lengths[] = { 9, 16, RING_SIZE, 0x3fffffff, 0x3fffffff | DISCARD };
	static const uint64_t producers[] = { RING_SIZE + 8, UINT64_MAX, 1ULL << 63, 1, 7 };
	struct ringbuf_memory m;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct error err = { 0 };

		ringbuf_begin(&m, RING_SIZE - 8);
		ringbuf_put(&m, &lengths[i], 4);
		ringbuf_put(&m, "aaaabbbbbbbb", 12);
		expect_error("length", ringbuf_read(&m.ring, &err), &err,
			     &(struct expect){ EIO, NULL, "record size", NULL });
		ck_assert_uint_eq(m.consumer, m.producer[0]);
		ringbuf_record(&m, 0, "\1", 1);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), 1);
		ringbuf_end(&m);
	}
	for (size_t i = 0; i < sizeof(producers) / sizeof(producers[0]); i++) {
		struct error err = { 0 };

		ringbuf_begin(&m, 0);
		m.producer[0] = producers[i];
		expect_error("producer", ringbuf_read(&m.ring, &err), &err,
			     &(struct expect){ EIO, NULL, NULL, NULL });
		ringbuf_end(&m);
	}
}

/* Records of this size with their headers; the ring holds one byte less than it has. */
#define STEP 64
#define LEFT ((RING_SIZE - 1) / STEP)

/* As the kernel writes into a ring with BPF_F_RB_OVERWRITE. */
static void overwrite_with(struct ringbuf_memory *m, uint32_t first, uint32_t end)
{
	uint32_t record[(STEP - 8) / 4] = { 0 };

	for (; first < end; first++) {
		while (m->producer[0] + STEP - m->producer[2] > RING_SIZE - 1)
			m->producer[2] += STEP;
		record[0] = record[STEP / 4 - 3] = first;
		ringbuf_record(m, 0, record, sizeof(record));
	}
}

/* The records from @first on were printed; each begins and ends with its number. */
static void expect_records(struct ringbuf_memory *m, uint32_t first, uint32_t end)
{
	const char *at = printed_text(&m->printed);
	char wanted[64], last[16];

	for (; first < end; first++, at = strchr(at, '\n') + 1) {
		snprintf(last, sizeof(last), "%08x", htobe32(first));
		snprintf(wanted, sizeof(wanted), "\"value\":\"%s", last);
		ck_assert_msg(strstr(at, wanted) && strstr(at, wanted) < strchr(at, '\n'),
			      "no record %u: %.200s", first, at);
		ck_assert_msg(!memcmp(strchr(at, '\n') - 10, last, 8), "%.200s", at);
	}
	ck_assert_str_eq(at, "");
}

TEST(an_overwriting_ringbuf_is_read_from_the_oldest_record_left)
{
	static const uint64_t starts[] = { 0, RING_SIZE - STEP, 0 - 2 * STEP, 1ULL << 63 };
	struct error err = { 0 };
	struct ringbuf_memory m;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		ringbuf_begin(&m, starts[i]);
		m.producer[2] = starts[i];
		m.ring.copy = malloc(RING_SIZE);
		overwrite_with(&m, 0, 10);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), 10);
		expect_records(&m, 0, 10);
		printed_end(&m.printed);
		printed_begin(&m.printed, "json");
		overwrite_with(&m, 10, 100);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), LEFT);
		expect_records(&m, 100 - LEFT, 100);
		ck_assert_uint_eq(m.stream.overwritten, (90 - LEFT) * STEP);
		ck_assert_uint_eq(m.consumer, m.producer[0]);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), 0);
		overwrite_with(&m, 100, 300);
		ck_assert_int_eq(ringbuf_read(&m.ring, &err), LEFT);
		ck_assert_uint_eq(m.stream.overwritten, (90 - LEFT + 200 - LEFT) * STEP);
		ck_assert_str_eq(err.what, "");
		free(m.ring.copy);
		ringbuf_end(&m);
	}
}

/* While the first record is printed, a busy program overwrites all the others. */
static int print_and_overwrite(void *memory, const struct record *record, struct error *err)
{
	struct ringbuf_memory *m = memory;

	m->stream.sink = (struct record_sink){ .record = record_print, .arg = &m->printer };
	overwrite_with(m, 20, 20 + 2 * LEFT);
	return record_print(&m->printer, record, err);
}

TEST(what_is_overwritten_while_a_ringbuf_is_read_is_skipped)
{
	struct error err = { 0 };
	struct ringbuf_memory m;

	ringbuf_begin(&m, 0);
	m.ring.copy = malloc(RING_SIZE);
	m.stream.sink = (struct record_sink){ .record = print_and_overwrite, .arg = &m };
	overwrite_with(&m, 0, 20);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), 1);
	expect_records(&m, 0, 1);
	ck_assert_int_eq(ringbuf_read(&m.ring, &err), LEFT);
	ck_assert_uint_eq(m.stream.overwritten, (19 + LEFT) * STEP);
	ck_assert_uint_eq(m.consumer, m.producer[0]);
	free(m.ring.copy);
	ringbuf_end(&m);
}

/* --- all of them, over a kernel that keeps books --- */

#define EVENT_FD	100	/* and the CPU */
#define MAP_FD		50
#define EPOLL_FD	60

struct books {
	struct sys sys;
	int calls, fail_call;	/* fail_call: that call fails with EMFILE; 0: none */
	int open_fds, mappings;
	struct perf_event_attr attr;
	uint32_t keys[8], values[8];
	int nr_updates, mapped_before_update;
	void *pages[8];
	bool old;		/* before 6.0: no PERF_FORMAT_LOST */
	uint64_t lost;		/* by each event, as it says when it is read */
	struct {
		int fd;
		struct epoll_event event;
	} watched[8];		/* the epoll set */
	int nr_watched;
	int waits, wait_ret;
	int ready_fd;		/* is readable */
};

static long books_mmap(struct books *b, const unsigned long arg[6])
{
	void *p = aligned_alloc(4096, arg[1]);

	memset(p, 0, arg[1]);
	if (arg[5])	/* the producer's pages of a ring buffer begin with its position */
		b->pages[7] = p;
	else
		b->pages[arg[4] >= EVENT_FD ? arg[4] - EVENT_FD : 6] = p;
	b->mappings++;
	return (long)p;
}

static long books_watch(struct books *b, const unsigned long arg[6])
{
	ck_assert_int_eq(arg[0], EPOLL_FD);
	ck_assert_int_eq(arg[1], EPOLL_CTL_ADD);
	b->watched[b->nr_watched].fd = arg[2];
	b->watched[b->nr_watched++].event = *(const struct epoll_event *)arg[3];
	return 0;
}

static long books_wait(struct books *b, const unsigned long arg[6])
{
	struct epoll_event *ready = (struct epoll_event *)arg[1];
	int n = 0;

	ck_assert_int_eq(arg[0], EPOLL_FD);
	ck_assert_int_eq(arg[3], 0);	/* it looks, and does not wait */
	b->waits++;
	for (int i = 0; i < b->nr_watched; i++)
		if (b->watched[i].fd == b->ready_fd)
			ready[n++] = b->watched[i].event;
	return b->wait_ret ? b->wait_ret : n;
}

static long books_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct books *b = (struct books *)sys;
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	if (nr == __NR_munmap) {
		b->mappings--;
		free((void *)arg[0]);
		return 0;
	}
	if (nr == __NR_close) {
		b->open_fds--;
		return 0;
	}
	if (++b->calls == b->fail_call)
		return -EMFILE;
	switch (nr) {
	case __NR_perf_event_open:
		b->attr = *(struct perf_event_attr *)arg[0];
		ck_assert_int_eq((int)arg[1], -1);
		ck_assert_uint_eq(arg[4], PERF_FLAG_FD_CLOEXEC);
		if (b->old && b->attr.read_format & PERF_FORMAT_LOST)
			return -EINVAL;
		b->open_fds++;
		return EVENT_FD + arg[2];
	case __NR_mmap:
		return books_mmap(b, arg);
	case __NR_bpf:
		ck_assert_int_eq(arg[0], BPF_MAP_UPDATE_ELEM);
		ck_assert_uint_eq(attr->map_fd, MAP_FD);
		b->keys[b->nr_updates] = *(uint32_t *)(uintptr_t)attr->key;
		b->values[b->nr_updates++] = *(uint32_t *)(uintptr_t)attr->value;
		b->mapped_before_update += b->mappings == b->nr_updates;
		return 0;
	case __NR_read:
		ck_assert_int_eq(b->attr.read_format, PERF_FORMAT_LOST);
		ck_assert_uint_ge(arg[2], 16);
		memcpy((void *)arg[1], ((uint64_t[]){ 12345, b->lost }), 16);
		return 16;
	case __NR_prlimit64:	/* the hint of EMFILE reads the limit */
		return -EPERM;
	case __NR_epoll_create1:
		b->open_fds++;
		return EPOLL_FD;
	case __NR_epoll_ctl:
		return books_watch(b, arg);
	case __NR_epoll_pwait:
		return books_wait(b, arg);
	}
	ck_abort_msg("system call %ld", nr);
	return -ENOSYS;
}

static const struct record_format format = { .map = "events", .size = 4 };
static int cpu_numbers[] = { 0, 2 };
static const struct cpu_list cpus = { .cpus = cpu_numbers, .nr = 2 };

/* They belong to the test that runs. */
static struct books b;
static struct printed p;
static struct rings *rings;
static struct error err;

static void begin(void)
{
	b = (struct books){ .sys.enter = books_enter, .ready_fd = -2 };
	printed_begin(&p, "json");
	rings = rings_new(&b.sys);
	memset(&err, 0, sizeof(err));
}

static void end(void)
{
	rings_free(rings);
	ck_assert_int_eq(b.open_fds, 0);
	ck_assert_int_eq(b.mappings, 0);
	printed_end(&p);
	error_clear(&err);
}

TEST_FIXTURE(begin, end)

static int add_perf(unsigned int pages)
{
	const struct ring_map map = printed_map(&p.out, MAP_FD, &format);

	return rings_add_perf(rings, &map, &cpus, pages, &err);
}

static int add_ringbuf(uint32_t size, uint32_t map_flags)
{
	const struct ring_map map = printed_map(&p.out, MAP_FD, &format);

	return rings_add_ringbuf(rings, &map, size, map_flags, &err);
}

/* As the loop of a session does when poll(2) has returned: @ready if the epoll set is readable. */
static int read_rings(bool ready)
{
	const int ret = rings_begin_waiting(rings, &err);

	return ret ? ret : rings_read(rings, ready, &err);
}

TEST(perf_rings_are_opened_then_mapped_then_published)
{
	ck_assert_int_eq(add_perf(8), 0);
	ck_assert_int_eq(b.attr.type, PERF_TYPE_SOFTWARE);
	ck_assert_int_eq(b.attr.config, PERF_COUNT_SW_BPF_OUTPUT);
	ck_assert_int_eq(b.attr.sample_type, PERF_SAMPLE_RAW);
	ck_assert_int_eq(b.attr.watermark, 1);
	ck_assert_int_eq(b.attr.wakeup_watermark, 8 * sysconf(_SC_PAGESIZE) / 4);
	ck_assert(!b.attr.disabled);
	ck_assert_int_eq(b.nr_updates, 2);
	ck_assert_int_eq(b.keys[0], 0);
	ck_assert_int_eq(b.values[0], EVENT_FD);
	ck_assert_int_eq(b.keys[1], 2);
	ck_assert_int_eq(b.values[1], EVENT_FD + 2);
	ck_assert_int_eq(b.mapped_before_update, 2);
}

TEST(every_failure_gives_everything_back)
{
	int call, ret = -1;

	for (call = 1; ret; call++) {
		b = (struct books){ .sys.enter = books_enter, .fail_call = call, .ready_fd = -2 };
		ret = add_perf(8);
		if (!ret)
			ret = add_ringbuf(4096, 0);
		if (!ret)
			ret = read_rings(true);
		if (!ret)
			ret = rings_count_lost(rings, &err);
		if (ret) {
			ck_assert_int_eq(ret, -EMFILE);
			ck_assert_int_eq(err.code, -EMFILE);
			ck_assert(err.what[0]);
			if (call <= 6)
				ck_assert_str_eq(err.where, call <= 3 ? "CPU 0" : "CPU 2");
		}
		error_clear(&err);
		rings_free(rings);
		ck_assert_msg(!b.open_fds && !b.mappings, "call %d: %d fds, %d mappings", call,
			      b.open_fds, b.mappings);
		rings = rings_new(&b.sys);
	}
	/* 2 * (open, mmap, update), 2 mmap, 5 of epoll, 2 reads, and none fails */
	ck_assert_int_eq(call - 1, 16);
}

TEST(sizes_that_cannot_be_are_refused)
{
	static const unsigned int pages[] = { 0, 3, 1U << 31 }, sizes[] = { 0, 1, 4097, 12288 };

	for (size_t i = 0; i < 3; i++)
		expect_error("pages", add_perf(pages[i]), &err,
			     &(struct expect){ EINVAL, "CPU 0", "power of two", NULL });
	for (size_t i = 0; i < 4; i++)
		expect_error("size", add_ringbuf(sizes[i], 0), &err,
			     &(struct expect){ EINVAL, NULL, "power of two", NULL });
	ck_assert_int_eq(b.calls, 0);
}

/* Add two perf rings and a ring buffer. */
static void full_rings(void)
{
	ck_assert_int_eq(add_perf(1), 0);
	ck_assert_int_eq(add_ringbuf(4096, 0), 0);
}

/*
 * A sample of four bytes, and one lost, on CPU @cpu; one record in the ring buffer. Both values are
 * the same in either byte order.
 */
static void fill(int cpu)
{
	struct perf_event_mmap_page *page = b.pages[cpu];
	unsigned char *data = b.pages[cpu];
	const struct {
		struct perf_event_header sample;
		uint32_t size, value;
		struct perf_event_header loss;
		uint64_t id, lost;
	} records = {
		{ .type = PERF_RECORD_SAMPLE, .size = 16 }, 4, 0x07000007,
		{ .type = PERF_RECORD_LOST, .size = 24 }, 0, 1,
	};
	const uint32_t record[] = { 4, 0, 0x09000009, 0 };

	memcpy(data + sysconf(_SC_PAGESIZE), &records, sizeof(records));
	page->data_head = sizeof(records);
	memcpy((unsigned char *)b.pages[7] + sysconf(_SC_PAGESIZE), record, sizeof(record));
	*(uint64_t *)b.pages[7] = sizeof(record);
}

TEST(the_first_reading_is_of_all_rings)
{
	full_rings();
	fill(2);
	ck_assert_int_eq(read_rings(false), 0);
	ck_assert_int_eq(b.waits, 0);
	ck_assert_str_eq(
		printed_text(&p),
		"{\"type\":\"record\",\"map\":\"events\",\"cpu\":2,\"value\":\"07000007\"}\n"
		"{\"type\":\"record\",\"map\":\"events\",\"value\":\"09000009\"}\n");
	ck_assert_uint_eq(rings_records(rings), 2);
	ck_assert_uint_eq(rings_lost(rings), 1);
}

/* The summary has each ring, and each loss has the CPU of its ring. */
static void expect_losses(void)
{
	static const char *const parts[] = {
		"\"rings\":[{\"map\":\"events\",\"cpu\":0,\"bytes\":",
		",{\"map\":\"events\",\"cpu\":2,\"bytes\":",
		",{\"map\":\"events\",\"bytes\":",
		"}],\"lost\":80,\"losses\":["
		"{\"what\":\"records\",\"map\":\"events\",\"cpu\":0,\"count\":40},"
		"{\"what\":\"records\",\"map\":\"events\",\"cpu\":2,\"count\":40},"
		"{\"what\":\"records\",\"map\":\"events\",\"count\":null}]}",
	};
	const struct losses from = { .rings = rings };
	struct json_object *msg = json_object_new_object();
	const char *json;

	ck_assert(output_losses(&b.sys, msg, &from));
	json = value_json(msg, NULL);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		ck_assert_msg(strstr(json, parts[i]), "no %s in %s", parts[i], json);
	json_object_put(msg);
}

/* A perf ring reports a loss with its next record only, so the last losses are read separately. */
TEST(the_last_losses_are_counted)
{
	full_rings();
	fill(0);
	ck_assert_int_eq(rings_drain(rings, &err), 0);
	ck_assert_uint_eq(rings_lost(rings), 1);
	ck_assert_int_eq(rings_count_lost(rings, &err), 0);
	ck_assert_uint_eq(rings_lost(rings), 1);	/* it is not less than what the ring said */
	b.lost = 40;
	ck_assert_int_eq(rings_count_lost(rings, &err), 0);
	ck_assert_uint_eq(rings_lost(rings), 80);
	ck_assert_int_eq(rings_count_lost(rings, &err), 0);
	ck_assert_uint_eq(rings_lost(rings), 80);
	expect_losses();
}

TEST(what_was_overwritten_is_known)
{
	struct ring_total total;
	uint64_t *page;

	ck_assert_int_eq(add_ringbuf(4096, BPF_F_RB_OVERWRITE), 0);
	page = b.pages[7];
	page[0] = page[2] = 640;
	ck_assert_int_eq(rings_drain(rings, &err), 0);
	ck_assert(rings_total(rings, 0, &total));
	ck_assert_str_eq(total.map, "events");
	ck_assert_uint_eq(total.overwritten, 640);
	ck_assert_uint_eq(total.size, 3 * 4096);
	ck_assert_int_eq(total.cpu, -1);
	ck_assert(!total.knows_lost);	/* the kernel does not count failed reservations */
	ck_assert(!rings_total(rings, 1, &total));
}

/* Without PERF_FORMAT_LOST nothing hides a LOST record that replaces the count of the one before. */
TEST(lost_records_add_up_in_each_reading_and_after_it)
{
	struct perf_memory m;

	perf_begin(&m, 0);
	m.stream.cannot_count_lost = true;
	m.printer.format.size = 5;
	for (unsigned int reading = 1; reading <= 2; reading++) {
		perf_lost(&m, 7);
		perf_sample(&m, "\1\2\3\4\5", 5);
		perf_lost(&m, 5);
		ck_assert_int_eq(perf_ring_read(&m.ring, m.scratch, &err), 1);
		ck_assert_uint_eq(m.ring.lost, 12 * reading);
	}
	perf_end(&m);
}

TEST(older_kernels_are_not_asked_what_was_lost)
{
	b.old = true;
	ck_assert_int_eq(add_perf(1), 0);
	/* the first is opened again, in the older form; the second in that form at once */
	ck_assert_int_eq(b.calls, 7);
	ck_assert_int_eq(rings_count_lost(rings, &err), 0);
	ck_assert_int_eq(b.calls, 7);
	ck_assert_int_eq(add_ringbuf(4096, 0), 0);
	fill(0);
	ck_assert_int_eq(rings_drain(rings, &err), 0);
	ck_assert_uint_eq(rings_lost(rings), 1);
}

/* The first reading is of all rings, and the next one of all is due in an hour. */
static void begin_hour(void)
{
	full_rings();
	rings->latency_ms = 3600000;
	ck_assert_int_eq(read_rings(false), 0);
}

TEST(a_reading_is_due_after_the_latency)
{
	ck_assert_int_eq(rings_due_ms(rings), -1);
	full_rings();
	ck_assert_int_eq(rings_due_ms(rings), 0);
	rings->latency_ms = 3600000;
	ck_assert_int_eq(read_rings(false), 0);
	/* not never: a perf ring wakes its reader only when a quarter is full */
	ck_assert_int_gt(rings_due_ms(rings), 0);
	ck_assert_int_le(rings_due_ms(rings), 3600000);
}

TEST(only_rings_that_are_ready_are_read)
{
	begin_hour();
	fill(0);
	b.ready_fd = EVENT_FD + 2;
	ck_assert_int_eq(read_rings(true), 0);
	ck_assert_uint_eq(rings_records(rings), 0);
	b.ready_fd = EVENT_FD;
	ck_assert_int_eq(read_rings(true), 0);
	ck_assert_str_eq(printed_text(&p), "{\"type\":\"record\",\"map\":\"events\",\"cpu\":0,"
					   "\"value\":\"07000007\"}\n");
	b.ready_fd = MAP_FD;
	ck_assert_int_eq(read_rings(true), 0);
	ck_assert_uint_eq(rings_records(rings), 2);
}

/* Those that are not ready, because they have fewer records than wake a reader. */
TEST(after_the_latency_all_rings_are_read)
{
	rings->latency_ms = 0;
	full_rings();
	ck_assert_int_eq(read_rings(false), 0);
	fill(0);
	ck_assert_int_eq(read_rings(false), 0);
	ck_assert_uint_eq(rings_records(rings), 2);
}

TEST(without_rings_there_is_nothing_to_wait_for)
{
	ck_assert_int_eq(read_rings(false), 0);
	ck_assert_int_eq(rings_fd(rings), -1);
	ck_assert_int_eq(b.calls, 0);
	full_rings();
	ck_assert_int_eq(rings_fd(rings), -1);
	ck_assert_int_eq(read_rings(false), 0);
	ck_assert_int_eq(rings_fd(rings), EPOLL_FD);
}

TEST(an_interrupted_wait_is_no_error)
{
	full_rings();
	b.wait_ret = -EINTR;
	ck_assert_int_eq(read_rings(true), 0);
	b.wait_ret = -ENOMEM;
	ck_assert_int_eq(read_rings(true), -ENOMEM);
	ck_assert_str_eq(err.where, "waiting for records");
	error_clear(&err);
}

/*
 * The event of a CPU that is offline is in error from then on. Its ring is read once more, but not
 * each time: it is reported by its edge. A ring buffer is reported as long as it has a record.
 */
TEST(only_perf_rings_are_reported_by_their_edge)
{
	begin_hour();
	ck_assert_int_eq(b.nr_watched, 3);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(b.watched[i].fd, EVENT_FD + cpu_numbers[i]);
		ck_assert_uint_eq(b.watched[i].event.events, EPOLLIN | EPOLLET);
	}
	ck_assert_int_eq(b.watched[2].fd, MAP_FD);
	ck_assert_uint_eq(b.watched[2].event.events, EPOLLIN);
	b.watched[1].event.events = EPOLLHUP;
	b.ready_fd = EVENT_FD + 2;
	fill(2);
	ck_assert_int_eq(read_rings(true), 0);
	ck_assert_uint_eq(rings_records(rings), 1);
}
