// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records: the cost of draining a full ring and of printing records, and how many are read from a
 * flood. usage: rings rings.bpf.o SECONDS DIRECTORY
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "loader/sessions/records/record_writer.h"
#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/read/ring.h"
#include "loader/core/session/load.h"
#include "test/bench/figure.h"
#include "test/bench/rings.h"
#include "loader/base/kernel/kernel_calls.h"

/* The shortest round counts, because other work on the machine only makes rounds longer. */
#define TURNS 10
#define ROUNDS 200	/* in each turn */
#define SMALL (1 << 20)
#define LARGE (1 << 24)

static struct loading loading;
static double seconds;

#ifdef WITH_LIBBPF
static const struct ring_reader *const readers[] = { &reader_pload, &reader_libbpf };
#else
static const struct ring_reader *const readers[] = { &reader_pload };
#endif
#define NR_READERS (sizeof(readers) / sizeof(readers[0]))

static void fail(const char *what)
{
	fprintf(stderr, "rings: %s\n", what);
	exit(1);
}

static double clock_of(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static double now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

/* The CPU time of this thread, which other processes do not affect. */
static double spent(void)
{
	return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static uint32_t prog_of(const char *name)
{
	for (uint32_t i = 0; i < loading.object.nr_progs; i++)
		if (!strcmp(loading.object.progs[i].name, name))
			return i;
	fail(name);
	return 0;
}

static const struct kernel_map *map_of(const char *name)
{
	for (uint32_t i = 0; i < loading.object.nr_maps; i++)
		if (!strcmp(loading.object.maps[i].name, name))
			return &loading.kernel.maps[i];
	fail(name);
	return NULL;
}

/* Run a program that writes a record of @size bytes until a ring of 1 MB is full. */
static void fill(const char *prog, unsigned int size)
{
	static const unsigned char packet[64];
	const struct test_input in = { .data = packet, .size = sizeof(packet),
				       .repeat = SMALL / (size + 8) + 1 };
	struct error err = { 0 };
	uint32_t retval;

	if (kernel_test_run(sys_linux(), &loading.kernel, prog_of(prog), &in, &retval, &err))
		fail(err.what);
}

static const char *ring_kind(bool is_perf)
{
	return is_perf ? "perf ring" : "ring buffer";
}

static double least_of(double a, double b)
{
	return a < b ? a : b;
}

/* --- draining a full ring --- */

/* Open a ring, fill it, read all of it several times, and return the least time per record. */
static double drain_some(const struct ring_reader *reader, bool is_perf, unsigned int size)
{
	const struct kernel_map *map = map_of(is_perf ? "events" : "ring");
	void *ring = reader->open(map->fd, is_perf, 0, SMALL);
	double least = 1;
	char prog[32];

	if (!ring)
		fail("cannot open a ring");
	snprintf(prog, sizeof(prog), "%s_%u", is_perf ? "perf" : "ring", size);
	fill(prog, size);
	for (int i = 0; i < ROUNDS; i++) {
		double begin;
		uint64_t n;

		if (i)
			reader->rewind(ring);
		begin = now();
		n = reader->drain(ring);
		least = least_of(least, (now() - begin) / n);
	}
	reader->close(ring);
	return least;
}

/* The readers take turns, because the pages of a perf ring differ each time. */
static void drain_full(bool is_perf, unsigned int size)
{
	double least[NR_READERS];
	char name[64];

	for (int turn = 0; turn < TURNS; turn++)
		for (size_t i = 0; i < NR_READERS; i++) {
			const double s = drain_some(readers[i], is_perf, size);

			least[i] = turn ? least_of(least[i], s) : s;
		}
	snprintf(name, sizeof(name), "drain a %s, records of %u bytes", ring_kind(is_perf), size);
	for (size_t i = 0; i < NR_READERS; i++)
		figure("consumers", name, readers[i]->name, "ns", least[i] * 1e9);
}

static void drain_all(void)
{
	static const unsigned int sizes[] = { 8, 64, 512 };

	for (int is_perf = 0; is_perf < 2; is_perf++)
		for (size_t s = 0; s < 3; s++)
			drain_full(is_perf, sizes[s]);
}

/* --- printing --- */

static uint32_t record_type(void)
{
	return btf_find(&loading.object.btf, BTF_KIND_STRUCT, "bench_record");
}

static struct rings *open_rings(struct output *out, const char *map, bool is_perf, int cpu)
{
	const struct record_format format = {
		.map = map, .btf = &loading.object.btf, .type = record_type(), .size = 64,
	};
	struct rings *rings = rings_new(sys_linux());
	const struct kernel_map *m = map_of(map);
	struct ring_map to = { .name = map, .fd = m->fd };
	struct error err = { 0 };
	int ret = writing_printer(&to.sink, out, &format, &err);

	if (!ret && is_perf)
		ret = rings_add_perf(rings, &to, &(struct cpu_list){ &cpu, 1 },
				     LARGE / getpagesize(), &err);
	else if (!ret)
		ret = rings_add_ringbuf(rings, &to, m->max_entries, 0, &err);
	if (ret)
		fail(err.what);
	return rings;
}

/* The floor: write(2) the bytes that @from printed last, and nothing else. */
static double write_again(int from, int to, off_t begin, off_t end)
{
	char *bytes = malloc(end - begin);
	double time;

	if (!bytes || pread(from, bytes, end - begin, begin) != end - begin)
		fail("cannot read what was printed");
	time = spent();
	for (off_t i = 0; i < end - begin; i += 65536)
		if (write(to, bytes + i, least_of(end - begin - i, 65536)) < 0)
			fail("write");
	time = spent() - time;
	free(bytes);
	return time;
}

/* Print the records of a full ring, and return the time per record. */
static double print_full(struct rings *rings, struct output *out)
{
	const uint64_t before = rings_records(rings);
	struct error err = { 0 };
	double begin;

	fill("ring_records", 64);
	begin = spent();
	if (rings_drain(rings, &err) || output_flush(out, &err))
		fail(err.what);
	return (spent() - begin) / (rings_records(rings) - before);
}

static FILE *create(const char *dir, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w+");
	unlink(path);
	if (!file)
		fail(path);
	return file;
}

static void print_records(const char *name, const char *dir)
{
	struct error err = { 0 };
	struct output out = { .format = output_format_find(name, &err) };
	double printed = 1, written = 1;
	FILE *again = create(dir, "again");
	struct rings *rings;
	char row[64];

	out.file = create(dir, "records");
	rings = open_rings(&out, "ring", false, 0);
	for (int i = 0; i < 50; i++) {
		const off_t begin = ftello(out.file);
		const uint64_t before = rings_records(rings);
		double time;

		printed = least_of(printed, print_full(rings, &out));
		time = write_again(fileno(out.file), fileno(again), begin, ftello(out.file));
		written = least_of(written, time / (rings_records(rings) - before));
	}
	rings_free(rings);
	fclose(out.file);
	fclose(again);
	snprintf(row, sizeof(row), "records of 64 bytes to a file as %s", name);
	figure("consumers", row, "pload", "million/s", 1e-6 / printed);
	figure("consumers", row, "write(2)", "million/s", 1e-6 / written);
}

/* --- a flood --- */

static volatile bool stop;
static uint64_t calls;
static double call_time;	/* total CPU time, to which other processes do not contribute */

static void *call(void *unused)
{
	(void)unused;
	pin(1);
	while (!stop) {
		syscall(SYS_getppid);
		calls++;
	}
	call_time = spent();
	return NULL;
}

/* Attach @prog to sys_enter, and call getppid(2) on CPU 1 until wait() has run long enough. */
static void flood(const char *prog, void (*wait)(void *ring), void *ring)
{
	union bpf_attr attr = { 0 };
	pthread_t thread;
	double begin;
	int link;

	attr.raw_tracepoint.name = (uintptr_t)"sys_enter";
	attr.raw_tracepoint.prog_fd = loading.kernel.progs[prog_of(prog)].fd;
	link = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (link < 0)
		fail("cannot attach to sys_enter");
	stop = false;
	calls = 0;
	begin = now();
	pthread_create(&thread, NULL, call, NULL);
	while (now() - begin < seconds)
		wait(ring);
	stop = true;
	pthread_join(thread, NULL);
	wait(ring);
	close(link);
}

/* Each call writes a record; @n of them were read. */
static void report(const char *subject, bool is_perf, uint64_t n, uint64_t lost)
{
	char name[64];

	snprintf(name, sizeof(name), "flood of a %s", ring_kind(is_perf));
	figure("consumers", name, subject, "million/s", n / call_time / 1e6);
	snprintf(name, sizeof(name), "flood of a %s: lost", ring_kind(is_perf));
	figure("consumers", name, subject, "%", calls ? lost * 100.0 / calls : 0);
}

/* The program counts the records that the ring buffer refused, because the ring buffer does not. */
static uint64_t refused(void)
{
	static uint64_t before;
	uint64_t bss[1] = { 0 }, n;
	uint32_t key = 0;

	map_lookup(sys_linux(), map_of(".bss")->fd, &key, bss);
	n = bss[0] - before;
	before = bss[0];
	return n;
}

static void flood_reader(const struct ring_reader *reader, bool is_perf)
{
	const struct kernel_map *map = map_of(is_perf ? "events" : "large_ring");
	void *ring = reader->open(map->fd, is_perf, 1, LARGE);

	if (!ring)
		fail("cannot open a ring");
	flood(is_perf ? "flood_perf" : "flood_ring", reader->wait, ring);
	report(reader->name, is_perf, reader->records(ring),
	       is_perf ? reader->lost(ring) : refused());
	reader->close(ring);
}

struct printed_rings {
	struct rings *rings;
	struct output out;
};

static void wait_rings(void *printed)
{
	struct rings *rings = ((struct printed_rings *)printed)->rings;
	struct pollfd fd = { .events = POLLIN };
	struct error err = { 0 };

	if (rings_begin_waiting(rings, &err))
		fail(err.what);
	fd.fd = rings_fd(rings);
	if (rings_read(rings, sys_poll(sys_linux(), &fd, 1, rings_due_ms(rings)) > 0, &err) < 0 ||
	    output_flush(&((struct printed_rings *)printed)->out, &err) < 0)
		fail(err.what);
}

static void wait_50_ms(void *unused)
{
	(void)unused;
	usleep(50000);
}

/* The ceiling: nobody reads, and the newest records replace the oldest. */
static void flood_unread(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .sample_type = PERF_SAMPLE_RAW,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1, .write_backward = 1,
	};
	const int fd = sys_perf_event_open(sys_linux(), &attr, -1, 1, -1, PERF_FLAG_FD_CLOEXEC);
	const uint32_t cpu = 1;
	void *ring;

	if (fd < 0)
		fail("perf_event_open of a bpf-output event");
	ring = mmap(NULL, LARGE + getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED || map_update(sys_linux(), map_of("events")->fd, &cpu, &fd, BPF_ANY))
		fail("a ring that overwrites");
	flood("flood_perf", wait_50_ms, NULL);
	report("producer alone", true, calls, 0);
	munmap(ring, LARGE + getpagesize());
	close(fd);
}

static void flood_printed(bool is_perf)
{
	struct error err = { 0 };
	struct printed_rings printed = { .out = { .format = output_format_find("json", &err),
						  .file = fopen("/dev/null", "w") } };
	struct rings *rings = open_rings(&printed.out, is_perf ? "events" : "large_ring", is_perf,
					 1);

	printed.rings = rings;
	flood(is_perf ? "flood_perf" : "flood_ring", wait_rings, &printed);
	rings_drain(rings, &err);
	rings_count_lost(rings, &err);
	report("pload, as JSON", is_perf, rings_records(rings),
	       is_perf ? rings_lost(rings) : refused());
	rings_free(rings);
	fclose(printed.out.file);
}

int main(int argc, char **argv)
{
	const struct load_options o = { 0 };
	struct output out = { .file = stdout };
	struct loading_types types;
	struct error err = { 0 };
	int ret;

	if (argc != 4)
		fail("usage: rings rings.bpf.o SECONDS DIRECTORY");
	seconds = atof(argv[2]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	pin(0);
	loading_types_init(&types, sys_linux(), &o);
	ret = loading_begin(&loading, sys_linux(), &out, &o, &types, argv[1], &err);
	if (!ret)
		ret = loading_maps(&loading, &err);
	for (uint32_t i = 0; !ret && i < loading.object.nr_progs; i++)
		ret = load_program(&loading, i, &err);
	if (ret)
		fail(err.what);
	drain_all();
	print_records("json", argv[3]);
	print_records("text", argv[3]);
	for (int is_perf = 0; seconds && is_perf < 2; is_perf++) {
		for (size_t i = 0; i < NR_READERS; i++)
			flood_reader(readers[i], is_perf);
		if (is_perf)
			flood_unread();
		flood_printed(is_perf);
	}
	loading_end(&loading);
	loading_types_free(&types);
	return 0;
}
