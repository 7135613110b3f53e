// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps at the end of a session: each element is printed once, as its type has it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/rows/results.h"
#include "test/regress/harness/regress.h"

#define FULL 8	/* max_entries of the hash */

/* The value of the map "hash" of maps.bpf.c. */
struct pair {
	uint32_t first;
	int32_t second;
};

struct scene {
	struct regress *t;
	struct regress_object o;
	struct output out;
	struct cpu_list possible;
	char *printed;
	size_t size;
};

static void begin(struct regress *t, struct scene *sc, const char *format)
{
	struct error err = { 0 };

	*sc = (struct scene){ .t = t };
	regress_load(t, &sc->o, "maps", NULL);
	sc->out = (struct output){ .file = open_memstream(&sc->printed, &sc->size),
				   .format = output_format_find(format, NULL) };
	regress_expect(t, sc->out.file, "no memory for output");
	regress_ok(t, cpu_list_read(t->sys, "possible", &sc->possible, &err), &err, "CPUs");
}

static void end(struct scene *sc)
{
	fclose(sc->out.file);
	free(sc->printed);
	cpu_list_free(&sc->possible);
	regress_unload(sc->t, &sc->o);
}

static void put(struct scene *sc, const char *map, uint32_t key, const void *value)
{
	regress_ok(sc->t, map_update(sc->t->sys, regress_map(sc->t, &sc->o, map), &key, value,
				     BPF_ANY), NULL, map);
}

static void print(struct scene *sc, struct sys *sys)
{
	struct error err = { 0 };

	regress_ok(sc->t, output_maps(sys, &sc->out, &sc->o.loading.kernel, &sc->possible, &err),
		   &err, "printing the maps");
	fflush(sc->out.file);
}

static unsigned int nr_of(const struct scene *sc, const char *text)
{
	unsigned int nr = 0;

	for (const char *at = sc->printed; (at = strstr(at, text)); at++)
		nr++;
	return nr;
}

/* The output has exactly one line that is @line. */
static void expect_line(const struct scene *sc, const char *line)
{
	char text[256];

	snprintf(text, sizeof(text), "%s\n", line);
	regress_expect(sc->t, nr_of(sc, text) == 1, "'%s' is printed %u times: %.500s", line,
		       nr_of(sc, text), sc->printed);
}

/* --- a kernel before Linux 5.6 --- */

struct without_batches {
	struct sys sys;
	struct sys *next;
	unsigned int refused;
};

static long refuse_batches(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct without_batches *w = (struct without_batches *)sys;

	if (nr != __NR_bpf || arg[0] != BPF_MAP_LOOKUP_BATCH)
		return w->next->enter(w->next, nr, arg);
	w->refused++;
	return -EINVAL;
}

/* In batches where the kernel has them, or with @t->data one by one. */
static void print_either_way(struct scene *sc)
{
	struct without_batches w = { .sys = { .enter = refuse_batches }, .next = sc->t->sys };

	if (!sc->t->data) {
		print(sc, sc->t->sys);
		return;
	}
	print(sc, &w.sys);
	regress_expect(sc->t, w.refused == 1, "%u batches are tried", w.refused);
}

/* --- printing --- */

/* A full map is printed with all its elements. */
static void full_hash(struct regress *t)
{
	char line[128];
	struct scene sc;

	begin(t, &sc, "json");
	for (int i = 0; i < FULL; i++)
		put(&sc, "hash", 100 + i, &(struct pair){ 10 * i, -i });
	print_either_way(&sc);
	for (int i = 0; i < FULL; i++) {
		snprintf(line, sizeof(line), "{\"type\":\"map\",\"map\":\"hash\",\"key\":%d,"
			 "\"value\":{\"first\":%d,\"second\":%d}}", 100 + i, 10 * i, -i);
		expect_line(&sc, line);
	}
	regress_expect(t, nr_of(&sc, "\"map\":\"hash\"") == FULL, "%u elements of %d",
		       nr_of(&sc, "\"map\":\"hash\""), FULL);
	end(&sc);
}

/* An array has all of its elements from the beginning. */
static void array(struct regress *t)
{
	struct scene sc;

	begin(t, &sc, "json");
	put(&sc, "array", 1, &(uint32_t){ 7 });
	put(&sc, "array", 2, &(uint32_t){ 8 });
	print_either_way(&sc);
	expect_line(&sc, "{\"type\":\"map\",\"map\":\"array\",\"key\":0,\"value\":\"IDLE\"}");
	expect_line(&sc, "{\"type\":\"map\",\"map\":\"array\",\"key\":1,\"value\":\"BUSY\"}");
	expect_line(&sc, "{\"type\":\"map\",\"map\":\"array\",\"key\":2,\"value\":8}");
	regress_expect(t, nr_of(&sc, "\"map\":\"array\"") == 3, "%u elements of 3",
		       nr_of(&sc, "\"map\":\"array\""));
	end(&sc);
}

/* Each possible CPU has its own value, online or not. */
static void of_each_cpu(struct regress *t)
{
	uint64_t *values;
	char text[64];
	struct scene sc;

	begin(t, &sc, "json");
	values = calloc(sc.possible.nr, sizeof(*values));
	regress_expect(t, values, "no memory for %u CPUs", sc.possible.nr);
	for (unsigned int i = 0; i < sc.possible.nr; i++)
		memcpy(&values[i], &(uint32_t){ 1000 + i }, sizeof(uint32_t));
	put(&sc, "percpu", 1, values);
	free(values);
	print_either_way(&sc);
	for (unsigned int i = 0; i < sc.possible.nr; i++) {
		snprintf(text, sizeof(text), "{\"cpu\":%d,\"value\":%u}", sc.possible.cpus[i],
			 1000 + i);
		regress_expect(t, nr_of(&sc, text) == 1, "%s is printed %u times: %.500s", text,
			       nr_of(&sc, text), sc.printed);
	}
	regress_expect(t, nr_of(&sc, "\"map\":\"percpu\"") == 2, "%u elements of 2",
		       nr_of(&sc, "\"map\":\"percpu\""));
	end(&sc);
}

/* Variables are printed by section; constants are not printed. */
static void variables(struct regress *t)
{
	struct scene sc;

	begin(t, &sc, "json");
	print(&sc, t->sys);
	expect_line(&sc, "{\"type\":\"data\",\"map\":\".data\","
			 "\"value\":{\"negative\":-5,\"state\":\"BUSY\"}}");
	expect_line(&sc, "{\"type\":\"data\",\"map\":\".data.more\","
			 "\"value\":{\"more\":{\"first\":6,\"second\":-7}}}");
	expect_line(&sc, "{\"type\":\"data\",\"map\":\".bss\",\"value\":{\"zero\":[0,0]}}");
	regress_expect(t, !nr_of(&sc, "rodata"), "constants are printed: %.500s", sc.printed);
	end(&sc);
}

/* Reading a queue would remove its elements. */
static void queue_is_left_alone(struct regress *t)
{
	const uint64_t put_in = 77;
	uint64_t value = 0;
	struct scene sc;
	int fd;

	begin(t, &sc, "json");
	fd = regress_map(t, &sc.o, "queue");
	regress_ok(t, map_update(t->sys, fd, NULL, &put_in, BPF_ANY), NULL, "queue");
	print(&sc, t->sys);
	regress_expect(t, nr_of(&sc, "\"map\":\"queue\"") == 1 &&
		       nr_of(&sc, "{\"type\":\"map-skipped\",\"map\":\"queue\","
				  "\"map_type\":\"queue\",") == 1, "%.500s", sc.printed);
	regress_ok(t, map_lookup(t->sys, fd, NULL, &value), NULL, "looking at the queue");
	regress_expect(t, value == put_in, "its element is %" PRIu64, value);
	end(&sc);
}

/* As text the largest values are first, and the last line has the number of the others. */
static void largest_first(struct regress *t)
{
	const char *first, *second;
	struct scene sc;

	begin(t, &sc, "text");
	sc.out.rows = 2;
	for (uint32_t i = 0; i < 5; i++)
		put(&sc, "hash", i, &(struct pair){ 10 * (i + 1), 0 });
	print(&sc, t->sys);
	first = strstr(sc.printed, ".first = 50");
	second = strstr(sc.printed, ".first = 40");
	regress_expect(t, first && second && first < second, "%.500s", sc.printed);
	regress_expect(t, !nr_of(&sc, ".first = 30") && nr_of(&sc, "3 more"), "%.500s",
		       sc.printed);
	end(&sc);
}

static const struct regress_test tests[] = {
	{ "a full hash, in batches: each element once", full_hash, NULL, 0 },
	{ "a full hash, one by one: each element once", full_hash, "one by one", 0 },
	{ "an array, in batches: all of it, enumerators by name", array, NULL, 0 },
	{ "an array, one by one: all of it, enumerators by name", array, "one by one", 0 },
	{ "an array of each CPU: the value of each", of_each_cpu, NULL, 0 },
	{ "an array of each CPU, one by one: the value of each", of_each_cpu, "one by one", 0 },
	{ "variables: by section and name, and no constants", variables, NULL, 0 },
	{ "a queue: that it is not read, and it is not", queue_is_left_alone, NULL, 0 },
	{ "as text the largest are first, and the rest is counted", largest_first, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_maps = {
	"maps", "what is printed of maps at the end of a session", tests, NULL, __FILE__
};
