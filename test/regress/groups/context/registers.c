// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * struct bpf_perf_event_data, the context of a perf_event program: registers, period and address.
 */
#include <string.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"

/* How far a stack pointer may be from a variable of the function that called. */
#define NEAR 65536

#define STORES 20

static void without_addr(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_ADDR;
}

/*
 * Attaches the program to @text, opened as the loader does (and changed by @change), and counts
 * only what happens in @range.
 */
static void watch(struct regress *t, struct happen *h, struct regress_object *o,
		  struct known_range range, void (*change)(struct perf_event_attr *attr),
		  const char *text)
{
	const struct context_io io = { .low = range.low, .high = range.high, .answer = 1 };

	known_ready();
	regress_load(t, o, "context", "pe_see");
	io_put(t, o, &io);
	happen_open(t, h, BY_IOCTL, change, text);
	happen_bind(h, o, "pe_see", 0);
}

static void give_back(struct happen *h, struct regress_object *o)
{
	happen_close(h);
	regress_unload(h->t, o);
}

/* @frame is that of the test: a sanitizer may keep variables elsewhere. */
static void expect_near(struct regress *t, uint64_t sp, const void *frame)
{
	const uint64_t at = (uintptr_t)frame;

	regress_expect(t, sp <= at + NEAR && sp >= at - NEAR, "%#llx, and the frame is at %p",
		       (unsigned long long)sp, frame);
}

/* --- where it happened --- */

static struct context_io of_fault(struct regress *t, void (*change)(struct perf_event_attr *attr),
				  uint64_t *page_at)
{
	volatile uint64_t *page = happen_page(t);
	struct regress_object o;
	struct context_io io;
	struct happen h;

	watch(t, &h, &o, KNOWN_RANGE(store), change, "page-faults,period=1");
	known_store(page);
	io = io_get(t, &o);
	happen_ran(&h, &io, 1);
	*page_at = (uintptr_t)page;
	happen_page_free(page);
	give_back(&h, &o);
	return io;
}

static void fault_ip(struct regress *t)
{
	uint64_t page;
	const struct context_io io = of_fault(t, NULL, &page);

	regress_expect(t, io.ip == (uintptr_t)known_store_at, "%#llx, expected %p",
		       (unsigned long long)io.ip, (const void *)known_store_at);
}

static void fault_sp(struct regress *t)
{
	uint64_t page;
	const struct context_io io = of_fault(t, NULL, &page);

	expect_near(t, io.sp, __builtin_frame_address(0));
}

static void fault_addr(struct regress *t)
{
	const uint64_t mask = ~(uint64_t)(getpagesize() - 1);
	uint64_t page;
	const struct context_io io = of_fault(t, NULL, &page);

	regress_expect(t, (io.addr & mask) == page, "%#llx, expected %#llx",
		       (unsigned long long)io.addr, (unsigned long long)page);
}

/* Since Linux 6.2 the kernel fills in only the fields that the sample asks for. */
static void fault_addr_unasked(struct regress *t)
{
	const uint64_t mask = ~(uint64_t)(getpagesize() - 1);
	uint64_t page;
	const struct context_io io = of_fault(t, without_addr, &page);

	regress_saw(t, "", (io.addr & mask) == page ? "it is" : "it is not");
	regress_expect(t, t->kernel >= LINUX(6, 2) || (io.addr & mask) == page, "%#llx",
		       (unsigned long long)io.addr);
}

/*
 * ctx->addr is the address of the sample. For a sample without PERF_SAMPLE_ADDR, an event that has
 * an address passes it all the same, and one that has none passes whatever the memory held before,
 * which is 0 now and then.
 */
static void fault_addr_sampled(struct regress *t)
{
	const uint64_t mask = ~(uint64_t)(getpagesize() - 1);
	volatile uint64_t *page = happen_page(t);
	struct regress_object o;
	struct samples samples;
	unsigned int nr = 0;
	bool found = false;
	struct sample one;
	struct happen h;

	watch(t, &h, &o, KNOWN_RANGE(store), NULL, "page-faults,period=1");
	samples_map(&samples, &h, 1);
	known_store(page);
	for (; samples_next(&samples, &one); nr++)
		found |= (one.addr & mask) == (uintptr_t)page;
	samples_unmap(&samples);
	regress_expect(t, found, "%p in none of %u samples", (void *)page, nr);
	happen_page_free(page);
	give_back(&h, &o);
}

static struct context_io of_breakpoint(struct regress *t, uint64_t *watched)
{
	static volatile uint64_t at;
	struct regress_object o;
	struct context_io io;
	struct happen h;
	char text[64];

	snprintf(text, sizeof(text), "mem:%p/8:w", (void *)&at);
	watch(t, &h, &o, (struct known_range){ 0 }, NULL, text);
	for (int i = 0; i < STORES; i++)
		known_store(&at);
	io = io_get(t, &o);
	regress_expect(t, io.runs == STORES, "%llu runs in %d stores", (unsigned long long)io.runs,
		       STORES);
	*watched = (uintptr_t)&at;
	give_back(&h, &o);
	return io;
}

/* x86 stops after the instruction, arm64 before it. */
static void breakpoint_ip(struct regress *t)
{
	uint64_t watched;
	const struct context_io io = of_breakpoint(t, &watched);
	const uint64_t store = (uintptr_t)known_store_at;

	regress_saw(t, "", io.ip == store ? "the instruction" : "the one behind it");
	regress_expect(t, io.ip >= store && io.ip < KNOWN_RANGE(store).high, "%#llx, expected %#llx",
		       (unsigned long long)io.ip, (unsigned long long)store);
}

static void breakpoint_addr(struct regress *t)
{
	uint64_t watched;
	const struct context_io io = of_breakpoint(t, &watched);

	regress_expect(t, io.addr == watched, "%#llx, expected %#llx", (unsigned long long)io.addr,
		       (unsigned long long)watched);
}

struct spinning {
	struct regress *t;
	struct regress_object *o;
	struct context_io io;
};

static bool spin_seen(void *arg)
{
	struct spinning *s = arg;

	known_spin(1000000);
	s->io = io_get(s->t, s->o);
	return s->io.runs > 0;
}

/* A clock that is seen in the function that spins. */
static struct context_io of_clock(struct regress *t, const char *text)
{
	struct regress_object o;
	struct spinning s = { .t = t, .o = &o };
	struct happen h;

	watch(t, &h, &o, KNOWN_RANGE(spin), NULL, text);
	regress_expect(t, regress_until(spin_seen, &s),
		       "no run in the function that spins, %llu elsewhere",
		       (unsigned long long)s.io.others);
	give_back(&h, &o);
	return s.io;
}

static void clock_ip(struct regress *t)
{
	const struct context_io io = of_clock(t, t->data);

	regress_expect(t, known_within(KNOWN_RANGE(spin), io.ip), "%#llx",
		       (unsigned long long)io.ip);
}

static void clock_sp(struct regress *t)
{
	const struct context_io io = of_clock(t, t->data);

	expect_near(t, io.sp, __builtin_frame_address(0));
}

static void clock_addr(struct regress *t)
{
	const struct context_io io = of_clock(t, t->data);

	regress_expect(t, io.addr == 0, "%#llx", (unsigned long long)io.addr);
}

/* --- sample_period --- */

static void expect_period(struct regress *t, const struct context_io *io, uint64_t period)
{
	regress_expect(t, io->runs > 0, "it has not run");
	regress_expect(t, io->period == period, "%llu, expected %llu",
		       (unsigned long long)io->period, (unsigned long long)period);
}

static void period_is_given(struct regress *t)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	watch(t, &h, &o, (struct known_range){ 0 }, NULL, "page-faults,period=3");
	happen_touch(t, 9);
	io = io_get(t, &o);
	expect_period(t, &io, 3);
	give_back(&h, &o);
}

static void period_is_changed(struct regress *t)
{
	uint64_t period = 5;
	struct regress_object o;
	struct context_io io;
	struct happen h;

	watch(t, &h, &o, (struct known_range){ 0 }, NULL, "page-faults,period=3");
	happen_touch(t, 9);
	io = io_get(t, &o);
	expect_period(t, &io, 3);
	happen_must(&h, PERF_EVENT_IOC_PERIOD, (uintptr_t)&period, "PERF_EVENT_IOC_PERIOD");
	happen_touch(t, 20);
	io = io_get(t, &o);
	expect_period(t, &io, 5);
	give_back(&h, &o);
}

static void period_of_frequency(struct regress *t)
{
	const struct context_io io = of_clock(t, "cpu-clock,freq=500");

	regress_expect(t, io.period > 0, "it is 0");
}

static void period_of_clock(struct regress *t)
{
	const struct context_io io = of_clock(t, "cpu-clock,period=1000000");

	regress_expect(t, io.period == 1000000, "%llu", (unsigned long long)io.period);
}

/* With PERF_SAMPLE_PERIOD each sample has its period, which is 1. */
static void add_period(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_PERIOD;
}

static void period_is_sampled(struct regress *t)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	watch(t, &h, &o, (struct known_range){ 0 }, add_period, "page-faults,period=1000000");
	happen_touch(t, 9);
	io = io_get(t, &o);
	regress_expect(t, io.runs >= 9, "%llu runs", (unsigned long long)io.runs);
	expect_period(t, &io, 1);
	give_back(&h, &o);
}

/* --- pieces of fields, of either byte order --- */

static void pieces_are_the_whole(struct regress *t)
{
	uint64_t page;
	const struct context_io io = of_fault(t, NULL, &page);

	regress_expect(t, io.addr && io.period, "addr %#llx, sample_period %llu",
		       (unsigned long long)io.addr, (unsigned long long)io.period);
	regress_expect(t, !memcmp(io.byte[0], &io.period, 8) && !memcmp(io.byte[1], &io.addr, 8),
		       "bytes");
	regress_expect(t, !memcmp(io.half[0], &io.period, 8) && !memcmp(io.half[1], &io.addr, 8),
		       "halfwords");
	regress_expect(t, !memcmp(io.quad[0], &io.period, 8) && !memcmp(io.quad[1], &io.addr, 8),
		       "words");
}

/* --- bpf_perf_prog_read_value() --- */

static struct context_io read_value(struct regress *t, uint64_t size, unsigned int pages,
				    uint64_t *count)
{
	const struct context_io begin = { .size = size, .low = KNOWN_RANGE(store).low,
					  .high = KNOWN_RANGE(store).high };
	struct regress_object o;
	struct context_io io;
	struct happen h;

	known_ready();
	regress_load(t, &o, "context", "pe_value");
	io_put(t, &o, &begin);
	happen_attach(t, &h, BY_IOCTL, "page-faults,period=1", &o, "pe_value");
	happen_touch(t, pages);
	*count = happen_count(&h);
	io = io_get(t, &o);
	happen_ran(&h, &io, pages);
	give_back(&h, &o);
	return io;
}

static void value_is_the_count(struct regress *t)
{
	uint64_t count;
	const struct context_io io = read_value(t, sizeof(struct bpf_perf_event_value), 10, &count);

	regress_expect(t, io.ret == 0, "it returned %lld", (long long)io.ret);
	regress_expect(t, io.word[0] >= 10 && io.word[0] <= count, "%llu where the event has %llu",
		       (unsigned long long)io.word[0], (unsigned long long)count);
}

/*
 * If the kernel does not trust a processor's clock, time does not advance until the next tick,
 * which may be late.
 */
static bool has_times(void *arg)
{
	struct regress *t = arg;
	uint64_t count;
	const struct context_io io = read_value(t, sizeof(struct bpf_perf_event_value), 1, &count);

	regress_expect(t, io.ret == 0 && io.word[1] == io.word[2],
		       "it returned %lld: enabled %llu, running %llu", (long long)io.ret,
		       (unsigned long long)io.word[1], (unsigned long long)io.word[2]);
	return io.word[1];
}

static void value_has_times(struct regress *t)
{
	regress_expect(t, regress_until(has_times, t), "it was enabled for no time at all");
}

static void value_size(struct regress *t)
{
	const uint64_t size = (uintptr_t)t->data;
	uint64_t count;
	const struct context_io io = read_value(t, size, 1, &count);

	regress_expect(t, io.ret == -22, "it returned %lld", (long long)io.ret);
	regress_expect(t, !io.word[0] && !io.word[1], "it left %#llx %#llx",
		       (unsigned long long)io.word[0], (unsigned long long)io.word[1]);
	regress_expect(t, size < 32 ? io.word[2] == UINT64_MAX : !io.word[3],
		       "it has cleared as much as it was told to");
}

static const struct regress_test tests[] = {
	{ "regs: the instruction that touches a page", fault_ip, NULL, 0 },
	{ "regs: the stack of who touches a page", fault_sp, NULL, 0 },
	{ "regs: the store to a watched variable", breakpoint_ip, NULL, 0 },
	{ "regs: cpu-clock by period, the function that spins", clock_ip,
	  "cpu-clock,period=500000", 0 },
	{ "regs: cpu-clock by frequency, the function that spins", clock_ip,
	  "cpu-clock,freq=1000", 0 },
	{ "regs: cpu-clock of user space, the function that spins", clock_ip,
	  "cpu-clock:u,period=500000", 0 },
	{ "regs: task-clock, the function that spins", clock_ip, "task-clock,period=500000", 0 },
	{ "regs: cycles, the function that spins", clock_ip, "cycles,period=1000000", 0 },
	{ "regs: cpu-clock, the stack of who spins", clock_sp, "cpu-clock,period=500000", 0 },
	{ "addr: the page that was touched", fault_addr, NULL, 0 },
	{ "addr: the page that was touched, where no sample asks for it", fault_addr_unasked, NULL,
	  0 },
	{ "addr: in each sample, as the loader opens the event", fault_addr_sampled, NULL, 0 },
	{ "addr: the variable that is watched", breakpoint_addr, NULL, 0 },
	{ "addr: 0 of a clock", clock_addr, "cpu-clock,period=500000", 0 },
	{ "sample_period: the one that was given", period_is_given, NULL, 0 },
	{ "sample_period: what PERF_EVENT_IOC_PERIOD made of it", period_is_changed, NULL, 0 },
	{ "sample_period: the one of a clock", period_of_clock, NULL, 0 },
	{ "sample_period: not 0 with a frequency", period_of_frequency, NULL, 0 },
	{ "sample_period: 1 and each fault, where samples have their period", period_is_sampled,
	  NULL, 0 },
	{ "a field read piece by piece is the field", pieces_are_the_whole, NULL, 0 },
	{ "bpf_perf_prog_read_value() has the count", value_is_the_count, NULL, 0 },
	{ "bpf_perf_prog_read_value() has the times", value_has_times, NULL, 0 },
	{ "bpf_perf_prog_read_value() of 16 bytes is EINVAL, and clears them", value_size,
	  (void *)16, 0 },
	{ "bpf_perf_prog_read_value() of 32 bytes is EINVAL, and clears them", value_size,
	  (void *)32, 0 },
	{ 0 }
};

const struct regress_group regress_group_registers = {
	"registers", "what a perf_event program is told of what has happened", tests, NULL, __FILE__
};
