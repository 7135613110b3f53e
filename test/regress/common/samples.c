// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the ring of an event: include/uapi/linux/perf_event.h, PERF_RECORD_SAMPLE. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/regress/common/samples.h"

static void map(struct samples *s, const struct happen *h, unsigned int pages, int prot)
{
	const size_t size = (size_t)(pages + 1) * getpagesize();
	const long at = sys_mmap(h->t->sys, size, prot, MAP_SHARED, h->e.a.event_fd, 0);

	regress_expect(h->t, !sys_failed(at), "mmap of a ring: %s", regress_errno(at));
	*s = (struct samples){ .h = h, .page = (void *)at, .map_size = size };
}

void samples_map(struct samples *s, const struct happen *h, unsigned int pages)
{
	map(s, h, pages, PROT_READ | PROT_WRITE);
}

void samples_map_backward(struct samples *s, const struct happen *h, unsigned int pages)
{
	map(s, h, pages, PROT_READ);
	s->backward = true;
	s->tail = UINT64_MAX;
}

void samples_unmap(struct samples *s)
{
	sys_munmap(s->h->t->sys, s->page, s->map_size);
	s->page = NULL;
}

static void copy(const struct samples *s, uint64_t from, void *to, size_t size)
{
	const unsigned char *data = (const unsigned char *)s->page + s->page->data_offset;

	for (size_t i = 0; i < size; i++)
		((unsigned char *)to)[i] = data[(from + i) & (s->page->data_size - 1)];
}

/* In the order in which the kernel writes them. */
static void take_apart(struct sample *one, uint64_t type)
{
	const uint64_t *at = one->bytes;

	one->identifier = type & PERF_SAMPLE_IDENTIFIER ? *at++ : 0;
	one->ip = type & PERF_SAMPLE_IP ? *at++ : 0;
	if (type & PERF_SAMPLE_TID) {
		memcpy(&one->pid, at, 4);
		memcpy(&one->tid, (const char *)at++ + 4, 4);
	}
	one->time = type & PERF_SAMPLE_TIME ? *at++ : 0;
	one->addr = type & PERF_SAMPLE_ADDR ? *at++ : 0;
	one->id = type & PERF_SAMPLE_ID ? *at++ : 0;
	one->stream_id = type & PERF_SAMPLE_STREAM_ID ? *at++ : 0;
	if (type & PERF_SAMPLE_CPU)
		memcpy(&one->cpu, at++, 4);
	one->period = type & PERF_SAMPLE_PERIOD ? *at++ : 0;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		one->nr_chain = *at++;
		one->chain = at;
		at += one->nr_chain;
	}
	if (type & PERF_SAMPLE_RAW) {
		memcpy(&one->raw_size, at, 4);
		one->raw = (const unsigned char *)at + 4;
	}
}

bool samples_next(struct samples *s, struct sample *one)
{
	const uint64_t head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;

	if (s->backward && s->tail == UINT64_MAX)
		s->tail = head;
	/* A ring that is written backward ends where nothing has been written yet. */
	if (s->backward ? s->tail - head >= s->page->data_size || !s->tail : s->tail == head)
		return false;
	copy(s, s->tail, &header, sizeof(header));
	if (s->backward && !header.size)
		return false;
	memset(one, 0, sizeof(*one));
	one->type = header.type;
	regress_expect(s->h->t, header.size >= sizeof(header) &&
		       header.size - sizeof(header) <= sizeof(one->bytes),
		       "a record of %u bytes", header.size);
	copy(s, s->tail + sizeof(header), one->bytes, header.size - sizeof(header));
	if (one->type == PERF_RECORD_SAMPLE)
		take_apart(one, s->h->e.attr.sample_type);
	s->tail += header.size;
	if (!s->backward)
		__atomic_store_n(&s->page->data_tail, s->tail, __ATOMIC_RELEASE);
	return true;
}

unsigned int samples_skip(struct samples *s)
{
	struct sample one;
	unsigned int nr = 0;

	while (samples_next(s, &one))
		nr += one.type == PERF_RECORD_SAMPLE;
	return nr;
}

short samples_poll(const struct happen *h, int ms)
{
	struct pollfd fd = { .fd = h->e.a.event_fd, .events = POLLIN };
	const int ret = sys_poll(h->t->sys, &fd, 1, ms);

	regress_expect(h->t, ret >= 0, "poll: %s", regress_errno(ret));
	return ret ? fd.revents : 0;
}
