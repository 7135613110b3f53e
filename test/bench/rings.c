// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records: what it costs to drain a full ring, to print them, and how many are read of a flood.
 * usage: rings rings.bpf.o SECONDS DIRECTORY
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "loader/output/message.h"
#include "loader/session/load.h"
#include "test/bench/figure.h"
#include "test/bench/rings.h"

#define ROUNDS 100
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

/* Time of this thread on a CPU, which other processes do not make longer. */
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

/* Run a program that writes a record of @size bytes, so often that a ring of 1 MB is full. */
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

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static const char *ring_kind(bool is_perf)
{
	return is_perf ? "perf ring" : "ring buffer";
}

/* --- draining a full ring --- */

static void drain_full(const struct ring_reader *reader, bool is_perf, unsigned int size)
{
	const struct kernel_map *map = map_of(is_perf ? "events" : "ring");
	void *ring = reader->open(map->fd, is_perf, 0, SMALL);
	double ns[ROUNDS];
	char prog[32], name[64];
	uint64_t n = 0;

	if (!ring)
		fail("cannot open a ring");
	snprintf(prog, sizeof(prog), "%s_%u", is_perf ? "perf" : "ring", size);
	for (int i = 0; i < ROUNDS; i++) {
		double begin;

		fill(prog, size);
		begin = spent();
		n = reader->drain(ring);
		ns[i] = (spent() - begin) * 1e9 / (n ? n : 1);
	}
	reader->close(ring);
	qsort(ns, ROUNDS, sizeof(ns[0]), by_value);
	snprintf(name, sizeof(name), "drain a %s, records of %u bytes", ring_kind(is_perf), size);
	figure("consumers", name, reader->name, "ns", ns[ROUNDS / 2]);
}

static void drain_all(void)
{
	static const unsigned int sizes[] = { 8, 64, 512 };

	for (int is_perf = 0; is_perf < 2; is_perf++)
		for (size_t s = 0; s < 3; s++)
			for (size_t i = 0; i < NR_READERS; i++)
				drain_full(readers[i], is_perf, sizes[s]);
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
	struct rings *rings = rings_new(sys_linux(), out);
	const struct kernel_map *m = map_of(map);
	struct error err = { 0 };
	int ret;

	if (is_perf)
		ret = rings_add_perf(rings, m->fd, &cpu, 1, LARGE / getpagesize(), &format, &err);
	else
		ret = rings_add_ringbuf(rings, m->fd, m->max_entries, 0, &format, &err);
	if (ret)
		fail(err.what);
	return rings;
}

/* The floor: the same bytes, written by write(2) alone. */
static double write_again(const char *path, const char *again, long size)
{
	char *bytes = malloc(size);
	FILE *from = fopen(path, "r"), *to = fopen(again, "w");
	double begin, taken;

	if (!bytes || !from || !to || fread(bytes, 1, size, from) != (size_t)size)
		fail(path);
	begin = spent();
	for (long i = 0; i < size; i += 65536)
		if (write(fileno(to), bytes + i, size - i < 65536 ? size - i : 65536) < 0)
			fail(again);
	taken = spent() - begin;
	fclose(from);
	fclose(to);
	free(bytes);
	return taken;
}

static void print_records(const char *name, const char *dir)
{
	char path[4096], again[4096], row[64];
	struct error err = { 0 };
	struct output out = { .format = output_format_find(name, &err) };
	struct rings *rings;
	double time = 0, floor;
	uint64_t n;
	long size;

	snprintf(path, sizeof(path), "%s/records", dir);
	snprintf(again, sizeof(again), "%s/records.again", dir);
	out.file = fopen(path, "w");
	rings = open_rings(&out, "ring", false, 0);
	for (int i = 0; i < 50; i++) {
		double begin;

		fill("ring_records", 64);
		begin = spent();
		if (rings_drain(rings, &err))
			fail(err.what);
		time += spent() - begin;
	}
	n = rings_records(rings);
	rings_free(rings);
	size = ftell(out.file);
	fclose(out.file);
	floor = write_again(path, again, size);
	unlink(path);
	unlink(again);
	snprintf(row, sizeof(row), "records of 64 bytes to a file as %s", name);
	figure("consumers", row, "pload", "million/s", n / time / 1e6);
	figure("consumers", row, "write(2)", "million/s", n / floor / 1e6);
}

/* --- a flood --- */

static volatile bool stop;
static uint64_t calls;

static void *call(void *unused)
{
	(void)unused;
	pin(1);
	while (!stop) {
		syscall(SYS_getppid);
		calls++;
	}
	return NULL;
}

/* Attach @prog to sys_enter, and call getppid(2) on CPU 1 until wait() has run for some time. */
static double flood(const char *prog, void (*wait)(void *ring), void *ring)
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
	return now() - begin;
}

/* In a million a second: the calls, of which each writes a record, and the records read; and lost. */
static void report(const char *subject, bool is_perf, uint64_t n, double t, uint64_t lost)
{
	char name[64];

	snprintf(name, sizeof(name), "flood of a %s", ring_kind(is_perf));
	figure("consumers", name, subject, "million/s", n / t / 1e6);
	snprintf(name, sizeof(name), "flood of a %s: lost", ring_kind(is_perf));
	figure("consumers", name, subject, "%", calls ? lost * 100.0 / calls : 0);
}

/* A ring buffer has no count of what it refused; the program has. */
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
	double t;

	if (!ring)
		fail("cannot open a ring");
	t = flood(is_perf ? "flood_perf" : "flood_ring", reader->wait, ring);
	report(reader->name, is_perf, reader->records(ring), t,
	       is_perf ? reader->lost(ring) : refused());
	reader->close(ring);
}

static void wait_rings(void *rings)
{
	struct error err = { 0 };

	if (rings_wait(rings, 50, &err) < 0)
		fail(err.what);
}

static void flood_printed(bool is_perf)
{
	struct error err = { 0 };
	struct output out = { .format = output_format_find("json", &err),
			      .file = fopen("/dev/null", "w") };
	struct rings *rings = open_rings(&out, is_perf ? "events" : "large_ring", is_perf, 1);
	double t = flood(is_perf ? "flood_perf" : "flood_ring", wait_rings, rings);

	rings_drain(rings, &err);
	rings_count_lost(rings, &err);
	report("pload, as JSON", is_perf, rings_records(rings), t,
	       is_perf ? rings_lost(rings) : refused());
	rings_free(rings);
	fclose(out.file);
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
		ret = loading_program(&loading, i, &err);
	if (ret)
		fail(err.what);
	drain_all();
	print_records("json", argv[3]);
	print_records("text", argv[3]);
	for (int is_perf = 0; seconds && is_perf < 2; is_perf++) {
		for (size_t i = 0; i < NR_READERS; i++)
			flood_reader(readers[i], is_perf);
		flood_printed(is_perf);
	}
	loading_end(&loading);
	loading_types_free(&types);
	return 0;
}
