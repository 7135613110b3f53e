// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers that change maps, checked from user space. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "loader/core/read/ring.h"
#include "test/regress/groups/helpers/helper_run.h"

static void put(struct regress *t, int map_fd, uint32_t key, uint64_t value)
{
	regress_ok(t, map_update(t->sys, map_fd, &key, &value, BPF_ANY), NULL, "an element");
}

/* Returns the value; ~0 if there is none. */
static uint64_t look(struct regress *t, int map_fd, uint32_t key)
{
	uint64_t value;

	return map_lookup(t->sys, map_fd, &key, &value) ? ~0ULL : value;
}

static void said(struct regress *t, const struct helper_run *h, unsigned int nr, uint64_t want)
{
	regress_expect(t, h->io.out[nr] == want, "value %u is %llu, not %llu", nr,
		       (unsigned long long)h->io.out[nr], (unsigned long long)want);
}

static void lookup(struct regress *t, struct helper_run *h)
{
	int fd;

	fd = regress_map(t, &h->o, "hash");
	put(t, fd, 1, 41);
	helper_fire(t, h);
	said(t, h, 0, 41);
	said(t, h, 1, 1);
	regress_expect(t, look(t, fd, 1) == 42, "its increment is not in the map");
}

static void update(struct regress *t, struct helper_run *h)
{
	h->io.in[0] = 77;
	helper_fire(t, h);
	regress_expect(t, look(t, regress_map(t, &h->o, "hash"), 1) == 77, "it is not there");
	helper_returned_int(t, h, 0, 0);
	helper_returned_int(t, h, 1, -EEXIST);
	helper_returned_int(t, h, 2, -ENOENT);
	helper_returned_int(t, h, 3, -EINVAL);
}

static void delete(struct regress *t, struct helper_run *h)
{
	int fd;

	fd = regress_map(t, &h->o, "hash");
	put(t, fd, 1, 1);
	helper_fire(t, h);
	regress_expect(t, look(t, fd, 1) == ~0ULL, "it is still there");
	helper_returned_int(t, h, 0, 0);
	helper_returned_int(t, h, 1, -ENOENT);
}

/* In all 64 bits: map_delete_elem() of the kernel returns a long since then. */
static void negative(struct regress *t, struct helper_run *h)
{
	static const struct regress_since rows[] = {
#ifdef __x86_64__
		{ LINUX(0, 0), "4294967294" },
#else
		{ LINUX(0, 0), "4294967294|-2" },
#endif
		{ LINUX(6, 4), "-2" }, /* d7ba4cc900bf */
	};
	char saw[32];

	helper_fire(t, h);
	snprintf(saw, sizeof(saw), "%lld", (long long)h->io.ret[0]);
	regress_answer(t, "", saw, rows, NR(rows));
}

/* 11 and 12 into both the queue and the stack. */
static void push_two(struct regress *t, const struct helper_run *h)
{
	for (uint64_t i = 11; i < 13; i++) {
		regress_ok(t, map_update(t->sys, regress_map(t, &h->o, "queue"), NULL, &i, 0),
			   NULL, "push");
		regress_ok(t, map_update(t->sys, regress_map(t, &h->o, "stack"), NULL, &i, 0),
			   NULL, "push");
	}
}

static void push(struct regress *t, struct helper_run *h)
{
	uint64_t value = 0;

	helper_fire(t, h);
	helper_returned_int(t, h, 0, 0);
	helper_returned_int(t, h, 1, 0);
	helper_returned_int(t, h, 2, -E2BIG);
	/* BPF_EXIST on a full queue removes the oldest element. */
	helper_returned_int(t, h, 3, 0);
	regress_ok(t, map_lookup(t->sys, regress_map(t, &h->o, "queue"), NULL, &value), NULL,
		   "peek");
	regress_expect(t, value == 2, "the oldest is %llu now", (unsigned long long)value);
}

static void pop(struct regress *t, struct helper_run *h)
{
	push_two(t, h);
	helper_fire(t, h);
	said(t, h, 0, 11);
	said(t, h, 1, 12);
	said(t, h, 2, 12);
	helper_returned_int(t, h, 2, 0);
	helper_returned_int(t, h, 3, -ENOENT);
}

static void peek(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	helper_returned_int(t, h, 0, -ENOENT);
	push_two(t, h);
	helper_fire(t, h);
	said(t, h, 0, 11);
	said(t, h, 1, 12);
	said(t, h, 2, 11);
}

static void percpu(struct regress *t, struct helper_run *h)
{
	struct cpu_list possible;
	struct error err = { 0 };
	uint64_t *values;
	uint32_t key = 0;

	regress_ok(t, cpu_list_read(t->sys, "possible", &possible, &err), &err, "CPUs");
	values = calloc(possible.nr, sizeof(*values));
	for (unsigned int i = 0; i < possible.nr; i++)
		values[i] = 100 + i;
	regress_ok(t, map_update(t->sys, regress_map(t, &h->o, "percpu"), &key, values, BPF_ANY),
		   NULL, "its values");
	for (unsigned int i = 0; i < possible.nr && i < 4; i++) {
		h->io.in[0] = i;
		helper_fire(t, h);
		said(t, h, 0, 100 + i);
		said(t, h, 1, 1);
	}
	free(values);
	cpu_list_free(&possible);
}

static void tail_call(struct regress *t)
{
	static const struct helper helper = { "tail_call", "helpers" };
	struct helper_run h = { 0 };
	struct regress_object with = { 0 };
	uint32_t key = 1, prog;

	helper_begin(t, &h, &helper);
	regress_load(t, &with, "helpers", "tail_called");
	prog = regress_prog(t, &with, "tail_called");
	regress_ok(t, map_update(t->sys, regress_map(t, &h.o, "calls"), &key, &prog, BPF_ANY),
		   NULL, "its slot");
	h.io.in[0] = *(const uint32_t *)t->data;
	helper_fire(t, &h);
	said(t, &h, 0, 1);
	/* A tail call does not return, and the program that is called has a map "io" of its own. */
	said(t, &h, 1, h.io.in[0] != 1);
	regress_unload(t, &with);
	helper_end(t, &h);
}

static const uint32_t slots[] = { 1, 0, 2 };

/* --- ring buffer: bpf/ringbuf.rst --- */

/* Reads the lengths of all records in the ring, 0 for one that was discarded. */
static unsigned int records(struct regress *t, const struct helper_run *h, uint32_t len[4],
			    uint64_t *first)
{
	struct record_stream none = { 0 };
	struct error err = { 0 };
	struct ringbuf ring;
	unsigned int nr = 0;
	uint64_t end;

	regress_ok(t, ringbuf_open(t->sys, &ring, &none, regress_map(t, &h->o, "ring"), 65536, 0,
				   &err), &err, "the ring");
	end = __atomic_load_n(ring.producer, __ATOMIC_ACQUIRE);
	for (uint64_t at = 0; at < end && nr < 4;) {
		const uint32_t *header = (const uint32_t *)(ring.data + at);
		const uint32_t size = header[0] & ~(3u << 30);

		regress_expect(t, !(header[0] & 1u << 31), "a record is still being written");
		if (!nr)
			memcpy(first, header + 2, 8);
		len[nr++] = header[0] & 1u << 30 ? 0 : size;
		at += (8 + size + 7) / 8 * 8;
	}
	ringbuf_close(t->sys, &ring);
	return nr;
}

static void in_ring(struct regress *t)
{
	const struct helper *helper = t->data;
	const bool output = !strcmp(helper->name, "ringbuf_output");
	const bool submit = !strcmp(helper->name, "ringbuf_submit");
	uint32_t len[4];
	uint64_t first = 0;
	struct helper_run h;
	unsigned int nr;

	helper_begin(t, &h, helper);
	h.io.in[0] = 0x1122334455667788;
	helper_fire(t, &h);
	nr = records(t, &h, len, &first);
	regress_expect(t, nr == 1, "there are %u records", nr);
	regress_expect(t, len[0] == (output ? 8 : submit ? 16 : 0), "its length is %u", len[0]);
	if (output || submit)
		regress_expect(t, first == h.io.in[0], "it holds 0x%llx",
			       (unsigned long long)first);
	if (output)
		helper_returned_int(t, &h, 1, -EINVAL);
	helper_end(t, &h);
}

static void reserve(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	said(t, h, 0, 1);
	said(t, h, 1, 0);
}

static void query(struct regress *t, struct helper_run *h)
{
	for (uint64_t i = 1; i < 3; i++) {
		helper_fire(t, h);
		said(t, h, 0, 16 * i);
		said(t, h, 1, 65536);
		said(t, h, 2, 0);
		said(t, h, 3, 16 * i);
		said(t, h, 4, 0);
	}
}

/* --- user ring buffer: the process writes, the program reads --- */

#define USER_RING 65536
#define DISCARDED (1u << 30)
#define BUSY (1u << 31)

/* Its positions: only the kernel writes that of the consumer. */
struct user_ring {
	uint64_t *consumer, *producer;
	unsigned char *data;
	size_t page;
};

static void user_ring_map(struct regress *t, struct user_ring *ring, int fd)
{
	void *consumer, *rest;

	ring->page = sysconf(_SC_PAGESIZE);
	rest = mmap(NULL, ring->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	regress_expect(t, rest == MAP_FAILED && errno == EPERM, "the consumer's page is writable");
	consumer = mmap(NULL, ring->page, PROT_READ, MAP_SHARED, fd, 0);
	rest = mmap(NULL, ring->page + USER_RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    ring->page);
	if (consumer == MAP_FAILED || rest == MAP_FAILED)
		regress_fail(t, "no memory of the ring: %s", strerror(errno));
	ring->consumer = consumer;
	ring->producer = rest;
	ring->data = (unsigned char *)rest + ring->page;
}

static void user_ring_unmap(struct user_ring *ring)
{
	munmap(ring->consumer, ring->page);
	munmap(ring->producer, ring->page + USER_RING);
}

/* Write a record of 8 bytes, with these bits in its header. */
static void user_ring_put(struct user_ring *ring, uint64_t value, uint32_t bits)
{
	const uint64_t at = *ring->producer;
	const uint32_t header[2] = { 8 | bits, 0 };

	memcpy(ring->data + at, header, sizeof(header));
	memcpy(ring->data + at + 8, &value, sizeof(value));
	__atomic_store_n(ring->producer, at + 16, __ATOMIC_RELEASE);
}

/* The program calls its function for @calls records, whose sum is @sum. */
static void drains(struct regress *t, struct helper_run *h, int64_t calls, uint64_t sum)
{
	helper_fire(t, h);
	helper_returned(t, h, 0, calls);
	said(t, h, 0, calls);
	said(t, h, 1, sum);
}

static void drain(struct regress *t, struct helper_run *h)
{
	struct user_ring ring;

	user_ring_map(t, &ring, regress_map(t, &h->o, "ring"));
	drains(t, h, 0, 0);
	helper_returned(t, h, 1, -EINVAL);
	user_ring_put(&ring, 1, 0);
	user_ring_put(&ring, 2, DISCARDED);
	user_ring_put(&ring, 4, 0);
	drains(t, h, 2, 5);
	helper_returned(t, h, 2, 0);
	regress_expect(t, *ring.consumer == 48, "%llu bytes are consumed",
		       (unsigned long long)*ring.consumer);
	user_ring_put(&ring, 8, 0);
	user_ring_put(&ring, 16, 0);
	h->io.in[0] = 8;		/* the value at which the function ends it */
	drains(t, h, 1, 8);
	h->io.in[0] = 0;
	user_ring_put(&ring, 32, BUSY);
	drains(t, h, 1, 16);
	drains(t, h, 0, 0);
	regress_expect(t, *ring.consumer == 80, "a record that is being written is consumed");
	user_ring_unmap(&ring);
}

static const struct helper ring_output = { "ringbuf_output", "helpers_ring" };
static const struct helper ring_submit = { "ringbuf_submit", "helpers_ring" };
static const struct helper ring_discard = { "ringbuf_discard", "helpers_ring" };

static const struct regress_test tests[] = {
	{ "bpf_map_lookup_elem points into the map",
	  HELPER_TEST("map_lookup_elem", "helpers", lookup) },
	{ "bpf_map_update_elem puts it there; EEXIST, ENOENT, EINVAL by its flags",
	  HELPER_TEST("map_update_elem", "helpers", update) },
	{ "bpf_map_delete_elem takes it away, and the second time is ENOENT",
	  HELPER_TEST("map_delete_elem", "helpers", delete) },
	{ "bpf_map_delete_elem: its error is negative since Linux 6.4",
	  HELPER_TEST("map_delete_elem", "helpers", negative) },
	{ "bpf_map_push_elem fills a queue; the next is E2BIG, or with BPF_EXIST drops the oldest",
	  HELPER_TEST("map_push_elem", "helpers", push) },
	{ "bpf_map_pop_elem takes the first of a queue, the last of a stack",
	  HELPER_TEST("map_pop_elem", "helpers", pop) },
	{ "bpf_map_peek_elem takes nothing away", HELPER_TEST("map_peek_elem", "helpers", peek) },
	{ "bpf_map_lookup_percpu_elem has the value of any CPU, and NULL beyond them",
	  HELPER_TEST("map_lookup_percpu_elem", "helpers", percpu) },
	{ "bpf_tail_call does not come back", tail_call, &slots[0] },
	{ "bpf_tail_call of an empty slot goes on", tail_call, &slots[1] },
	{ "bpf_tail_call beyond the map goes on", tail_call, &slots[2] },
	{ "bpf_ringbuf_output: one record with the bytes; unknown flags are EINVAL", in_ring,
	  &ring_output },
	{ "bpf_ringbuf_submit: one record with what was written", in_ring, &ring_submit },
	{ "bpf_ringbuf_discard: a record that says it is none", in_ring, &ring_discard },
	{ "bpf_ringbuf_reserve of more than there is room for is NULL",
	  HELPER_TEST("ringbuf_reserve", "helpers_ring", reserve) },
	{ "bpf_ringbuf_query: what is there, its size and its two positions",
	  HELPER_TEST("ringbuf_query", "helpers_ring", query) },
	{ "bpf_user_ringbuf_drain: each record once, until the function ends it or one is being "
	  "written", HELPER_TEST("user_ringbuf_drain", "helpers_drain", drain) },
	{ 0 }
};

const struct regress_group regress_group_helpers_maps = {
	"helpers_maps", "what helpers do to maps", tests, NULL, __FILE__
};
