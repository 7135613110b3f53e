// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records through both kinds of rings, as the loader reads them: each once, or counted. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/print/record.h"
#include "test/regress/harness/regress.h"
#include "loader/base/kernel/kernel_calls.h"

#define BATCH 10	/* records that fit in any ring */
#define BATCHES 150	/* so that a ring wraps several times */
#define FLOOD 2000	/* more records than fit in any ring */
#define LAST 56		/* where a record repeats its number */

/* The variables of rings.bpf.c. */
struct counts {
	uint64_t nr, refused, discarded;
};

struct scene {
	struct regress *t;
	struct regress_object o;
	uint32_t prog;
	struct output out;
	struct rings *rings;
	char *said;
	size_t size;
	int cpu;
};

/* Test runs and their ring are of one CPU. */
static void stay_here(struct regress *t, struct scene *sc)
{
	cpu_set_t set;

	sc->cpu = sched_getcpu();
	CPU_ZERO(&set);
	CPU_SET(sc->cpu, &set);
	regress_expect(t, sc->cpu >= 0 && !sched_setaffinity(0, sizeof(set), &set), "no CPU");
}

static const struct object_map *map_of(struct scene *sc, const char *name)
{
	const struct bpf_object *obj = &sc->o.loading.object;

	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!strcmp(obj->maps[i].name, name))
			return &obj->maps[i];
	regress_fail(sc->t, "there is no map '%s'", name);
}

static void begin_object(struct regress *t, struct scene *sc, const char *object, const char *prog)
{
	const bool perf = !strcmp(prog, "into_events");
	const struct record_format format = { .map = perf ? "events" : "ring" };
	struct ring_map map = { .name = format.map };
	struct error err = { 0 };
	int ret;

	*sc = (struct scene){ .t = t };
	stay_here(t, sc);
	ret = regress_try_load(t, &sc->o, object, NULL, &err);
	if (ret == -EINVAL && map_of(sc, "ring")->map_flags && t->kernel < LINUX(6, 19))
		regress_skip(t, "BPF_F_RB_OVERWRITE is of Linux 6.19");
	regress_ok(t, ret, &err, object);
	while (strcmp(sc->o.loading.object.progs[sc->prog].name, prog))
		sc->prog++;
	sc->out = (struct output){ .file = open_memstream(&sc->said, &sc->size),
				   .format = output_format_find("json", NULL) };
	sc->rings = rings_new(t->sys);
	regress_expect(t, sc->rings && sc->out.file, "no memory for rings");
	map.fd = regress_map(t, &sc->o, map.name);
	regress_ok(t, record_printer(&map.sink, &sc->out, &format, &err), &err, "a printer");
	if (perf)
		ret = rings_add_perf(sc->rings, &map, &(struct cpu_list){ &sc->cpu, 1 }, 1, &err);
	else
		ret = rings_add_ringbuf(sc->rings, &map, map_of(sc, "ring")->max_entries,
					map_of(sc, "ring")->map_flags, &err);
	regress_ok(t, ret, &err, "a ring");
}

static void begin(struct regress *t, struct scene *sc, const char *prog)
{
	begin_object(t, sc, "rings", prog);
}

static void end(struct scene *sc)
{
	rings_free(sc->rings);
	fclose(sc->out.file);
	free(sc->said);
	regress_unload(sc->t, &sc->o);
}

static void run(struct scene *sc, unsigned int times)
{
	static const unsigned char packet[64];
	const struct test_input in = { .data = packet, .size = sizeof(packet) };
	struct error err = { 0 };
	uint32_t retval;

	while (times--)
		regress_ok(sc->t, kernel_test_run(sc->t->sys, &sc->o.loading.kernel, sc->prog, &in,
						  &retval, &err), &err, "BPF_PROG_TEST_RUN");
}

static void drain(struct scene *sc)
{
	struct error err = { 0 };

	regress_ok(sc->t, rings_drain(sc->rings, &err), &err, "reading the ring");
	regress_ok(sc->t, output_flush(&sc->out, &err), &err, "printing");
}

static struct counts counts_of(struct scene *sc)
{
	struct counts counts = { 0 };
	const uint32_t key = 0;

	regress_expect(sc->t, map_of(sc, ".bss")->value_size == sizeof(counts),
		       "its variables are %u bytes", map_of(sc, ".bss")->value_size);
	regress_ok(sc->t, map_lookup(sc->t->sys, regress_map(sc->t, &sc->o, ".bss"), &key, &counts),
		   NULL, "variables");
	return counts;
}

/* Returns a number from its eight bytes in hexadecimal, which are in the machine's byte order. */
static uint64_t number_at(const char *hex)
{
	unsigned char bytes[8];
	uint64_t nr;

	for (int i = 0; i < 8; i++) {
		const char digits[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

		bytes[i] = strtoul(digits, NULL, 16);
	}
	memcpy(&nr, bytes, sizeof(nr));
	return nr;
}

/* Ascending, without duplicates, and complete without @discards: a ring buffer has two of three. */
static void check_numbers(struct scene *sc, uint64_t wanted, bool all, bool discards)
{
	static const char key[] = "\"value\":\"";
	uint64_t last = 0, seen = 0, nr;

	fflush(sc->out.file);
	for (const char *at = sc->said; (at = strstr(at, key)); seen++, last = nr) {
		at += strlen(key);
		nr = number_at(at);
		regress_expect(sc->t, number_at(at + 2 * LAST) == nr, "record %" PRIu64 " ends with "
			       "%" PRIu64, nr, number_at(at + 2 * LAST));
		regress_expect(sc->t, nr > last, "record %" PRIu64 " after %" PRIu64, nr, last);
		regress_expect(sc->t, !discards || nr % 3, "record %" PRIu64 " was taken back", nr);
		regress_expect(sc->t, !all || nr == last + 1 || (discards && nr == last + 2),
			       "record %" PRIu64 " follows %" PRIu64, nr, last);
	}
	regress_expect(sc->t, seen == wanted, "%" PRIu64 " records of %" PRIu64 ": %.200s", seen,
		       wanted, sc->said);
	regress_expect(sc->t, rings_records(sc->rings) == wanted, "%" PRIu64 " are counted",
		       rings_records(sc->rings));
}

/* A reader that keeps up loses nothing, however often the ring wraps around. */
static void each_once(struct regress *t)
{
	struct counts counts;
	struct scene sc;

	begin(t, &sc, t->data);
	for (int i = 0; i < BATCHES; i++) {
		run(&sc, BATCH);
		drain(&sc);
	}
	counts = counts_of(&sc);
	regress_expect(t, counts.nr == BATCHES * BATCH && !counts.refused,
		       "%" PRIu64 " runs, %" PRIu64 " refused", counts.nr, counts.refused);
	check_numbers(&sc, counts.nr - counts.discarded, true, counts.discarded);
	regress_expect(t, !rings_lost(sc.rings), "%" PRIu64 " are lost", rings_lost(sc.rings));
	end(&sc);
}

/*
 * Records that do not fit are not printed, but all are counted: a LOST record comes before the
 * next record.
 */
static void full_is_counted(struct regress *t)
{
	struct counts counts;
	struct scene sc;
	uint64_t lost;

	begin(t, &sc, t->data);
	run(&sc, FLOOD);
	drain(&sc);
	run(&sc, 1);
	drain(&sc);
	counts = counts_of(&sc);
	lost = rings_lost(sc.rings);
	regress_expect(t, counts.refused, "all %d records fit; some should have been refused", FLOOD);
	check_numbers(&sc, counts.nr - counts.discarded - counts.refused, false, counts.discarded);
	if (!strcmp(t->data, "into_events"))
		regress_expect(t, lost == counts.refused, "%" PRIu64 " lost of %" PRIu64, lost,
			       counts.refused);
	end(&sc);
}

/* Each LOST record counts the records that were dropped since the one before it: they add up. */
static void second_flood_is_counted(struct regress *t)
{
	struct counts counts;
	struct scene sc;
	uint64_t lost;

	begin(t, &sc, "into_events");
	for (int i = 0; i < 2; i++) {
		run(&sc, FLOOD);
		drain(&sc);
		run(&sc, 1);
		drain(&sc);
	}
	counts = counts_of(&sc);
	lost = rings_lost(sc.rings);
	regress_expect(t, lost == counts.refused, "%" PRIu64 " lost of %" PRIu64, lost,
		       counts.refused);
	end(&sc);
}

/* If no record follows there is no LOST record either: rings_count_lost() asks the event. */
static void lost_is_told(struct regress *t)
{
	/* PERF_FORMAT_LOST: 119a784c8127; distributions have backported it. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "none|all" }, { LINUX(6, 0), "all" }
	};
	struct error err = { 0 };
	struct counts counts;
	struct scene sc;
	uint64_t lost;

	begin(t, &sc, "into_events");
	run(&sc, FLOOD);
	drain(&sc);
	regress_ok(t, rings_count_lost(sc.rings, &err), &err, "what is lost");
	counts = counts_of(&sc);
	lost = rings_lost(sc.rings);
	regress_answer(t, "", lost == counts.refused ? "all" : lost ? "some" : "none", rows,
		       NR(rows));
	end(&sc);
}

/* Records that were read make space in the ring for new ones. */
static void room_comes_back(struct regress *t)
{
	struct counts before, after;
	struct scene sc;

	begin(t, &sc, t->data);
	run(&sc, FLOOD);
	before = counts_of(&sc);
	drain(&sc);
	run(&sc, FLOOD);
	after = counts_of(&sc);
	drain(&sc);
	/* A LOST record takes space, too. */
	regress_expect(t, after.refused - before.refused <= before.refused + 2,
		       "%" PRIu64 " did not fit, and %" PRIu64 " the second time", before.refused,
		       after.refused - before.refused);
	end(&sc);
}

/* Return whether @hex is exactly @size bytes of that value. */
static bool is_filled(const char *hex, unsigned int byte, unsigned int size)
{
	char wanted[3];

	snprintf(wanted, sizeof(wanted), "%02x", byte);
	for (unsigned int i = 0; i < size; i++, hex += 2)
		if (memcmp(hex, wanted, 2))
			return false;
	return *hex == '"';
}

/* Each record is as large as it was written, and the next one is found after its padding. */
static void sizes_are_kept(struct regress *t)
{
	static const char key[] = "\"value\":\"";
	struct counts counts;
	struct scene sc;
	unsigned int nr = 0;

	begin(t, &sc, "sizes_into_ring");
	for (int i = 0; i < BATCHES; i++) {
		run(&sc, BATCH);
		drain(&sc);
	}
	counts = counts_of(&sc);
	fflush(sc.out.file);
	for (const char *at = sc.said; (at = strstr(at, key)); nr++) {
		at += strlen(key);
		regress_expect(t, is_filled(at, 0xa0 + nr % 16, nr % 16 + 1),
			       "record %u, of %u bytes, is %.40s", nr, nr % 16 + 1, at);
	}
	regress_expect(t, nr == counts.nr && !counts.refused, "%u records of %" PRIu64, nr,
		       counts.nr);
	end(&sc);
}

/* An overwriting ring is never full: after a flood the last records are read. */
static void last_are_read(struct regress *t)
{
	const uint64_t kept = (4096 * 16 - 1) / (8 + LAST + 8);
	struct counts counts;
	struct scene sc;
	uint64_t wanted = 0;

	begin_object(t, &sc, "rings_overwrite", "into_ring");
	for (int round = 1; round <= 2; round++) {
		run(&sc, FLOOD);
		drain(&sc);
		for (uint64_t nr = round * FLOOD - kept + 1; nr <= (uint64_t)round * FLOOD; nr++)
			wanted += nr % 3 != 0;
		check_numbers(&sc, wanted, false, true);
	}
	counts = counts_of(&sc);
	regress_expect(t, !counts.refused, "%" PRIu64 " did not fit", counts.refused);
	regress_expect(t, number_at(strstr(sc.said, "\"value\":\"") + 9) > FLOOD - kept,
		       "the first record read is not one of the last: %.60s", sc.said);
	end(&sc);
}

static void fill(struct regress_list *list)
{
	static const struct {
		regress_run *run;
		const char *what;
	} runs[] = {
		{ each_once, "each record is read once, and in order" },
		{ full_is_counted, "what finds no room is counted" },
		{ room_comes_back, "what is read makes room" },
	};

	regress_add(list, lost_is_told, NULL, "perf ring: its event tells what was lost");
	regress_add(list, second_flood_is_counted, NULL,
		    "perf ring: what finds no room the second time is counted, too");
	regress_add(list, sizes_are_kept, NULL,
		    "ring buffer: records of any size are read as they were written");
	regress_add(list, last_are_read, NULL,
		    "ring buffer that overwrites: the last records are read");
	for (size_t i = 0; i < NR(runs); i++) {
		regress_add(list, runs[i].run, "into_events", "perf ring: %s", runs[i].what);
		regress_add(list, runs[i].run, "into_ring", "ring buffer: %s", runs[i].what);
	}
}

const struct regress_group regress_group_rings = {
	"rings", "records through rings, as the loader reads them", NULL, fill, __FILE__
};
