// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages that read what a program wrote: the elements of maps, variables, the records of a ring. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/judge/stages/stages.h"

/* --- values --- */

/* The program has run on each CPU, after which the maps do not change any more. */
static bool until_written(struct run *run)
{
	const int map = object_map_named(run, run->choice.array);
	const struct seen_map *seen = map < 0 ? NULL : seen_map_of(run, map);
	bool possible[1024], online[1024];
	const unsigned int nr = kernel_cpus("possible", possible);
	uint64_t *values = calloc(nr + 1, sizeof(*values));
	const int fd = seen ? kernel_map_fd(seen->id) : -1;
	const uint32_t key = 0;
	bool all;

	kernel_cpus("online", online);
	all = values && fd >= 0 && kernel_lookup(fd, &key, values);
	for (unsigned int cpu = 0; all && cpu < nr; cpu++)
		all = !online[cpu] || values[cpu];
	if (fd >= 0)
		close(fd);
	free(values);
	return all;
}

/* Return true if an element of hash with this key has a line, in either notation. */
static bool element_printed(const struct run *run, uint64_t key)
{
	char decimal[96], hex[96];

	snprintf(decimal, sizeof(decimal), "value %s %llu", run->choice.hash, (unsigned long long)key);
	snprintf(hex, sizeof(hex), "value %s 0x%llx", run->choice.hash, (unsigned long long)key);
	return line_exists(run, decimal) || line_exists(run, hex);
}

static bool elements_printed(struct run *run)
{
	const struct choice *c = &run->choice;
	uint32_t printed = 0, missing = 0;

	for (uint32_t i = c->keys; i--;) {
		if (element_printed(run, c->step + ((uint64_t)i << 40)))
			printed++;
		else
			missing = i;
	}
	if (printed == c->keys)
		return lines_agree(run, "value", 3);
	if (!line_exists(run, "value"))
		return wrong(run, "no line begins with 'value', and map '%s' has elements: if you print them, they "
			     "were lost in a buffer, which you have to flush before the end", c->hash);
	if (!printed)
		return wrong(run, "map '%s' has %u elements, and no line begins with 'value %s %u', which is one "
			     "of their keys", c->hash, c->keys, c->hash, c->step);
	return wrong(run, "map '%s' has %u elements, and you print %u: one more has key 0x%llx. "
		     "BPF_MAP_GET_NEXT_KEY returns the first key when it gets none, and else the one after the "
		     "key that it gets", c->hash, c->keys, printed,
		     (unsigned long long)(c->step + ((uint64_t)missing << 40)));
}

/* The value of hash is words of 8 bytes, the last of which is step. */
static bool whole_values(struct run *run)
{
	const struct choice *c = &run->choice;
	char start[64], wanted[300] = "";
	const char *line = NULL;

	for (uint32_t i = 0; i < c->words * 8; i++)
		sprintf(wanted + 2 * i, "%02x", i == c->words * 8 - 8 ? c->step & 0xff :
						i == c->words * 8 - 7 ? c->step >> 8 : 0);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	snprintf(wanted + 16 * (c->words - 1), 17, "%016x", c->step);
#endif
	snprintf(start, sizeof(start), "value %s", c->hash);
	while ((line = line_next(run, start, line))) {
		const char *end = line + strcspn(line, "\n");

		while (end > line && (end[-1] == ' ' || end[-1] == '\r'))
			end--;
		if ((size_t)(end - line) < strlen(wanted) ||
		    strncmp(end - strlen(wanted), wanted, strlen(wanted)))
			return wrong(run, "a value of '%s' has %u bytes: the line has to end with %s; it "
				     "is '%.*s'", c->hash, c->words * 8, wanted, (int)(end - line), line);
	}
	return true;
}

static bool value_for_each_cpu(struct run *run)
{
	const struct choice *c = &run->choice;
	bool possible[1024], online[1024];
	const unsigned int nr = kernel_cpus("possible", possible);
	char start[64];
	const char *at;
	char *end;

	kernel_cpus("online", online);
	snprintf(start, sizeof(start), "value %s 0", c->array);
	at = line_next(run, start, NULL);
	if (!at)
		return wrong(run, "no line begins with 'value %s 0'", c->array);
	for (int word = 0; word < 3; word++)
		at += strcspn(at, " \n"), at += strspn(at, " ");
	for (unsigned int cpu = 0; cpu < nr; cpu++, at = end) {
		const uint64_t number = strtoull(at, &end, 0);
		const uint64_t wanted = online[cpu] ? c->step + 1000 * cpu : 0;

		if (end == at || memchr(at, '\n', end - at))
			return wrong(run, "'%s' is a per-CPU map: its line has %u values, and %u CPUs are "
				     "possible. The kernel writes one for each, also of CPUs that are "
				     "offline: a shorter buffer is overrun", c->array, cpu, nr);
		if (!number && wanted && !cpu)
			return wrong(run, "the value of '%s' for CPU 0 is %llu, and you print 0: read the maps "
				     "when your input has ended", c->array, (unsigned long long)wanted);
		if (number != wanted)
			return wrong(run, "the value of '%s' for CPU %u is %llu, not %llu: each takes its "
				     "size rounded up to a multiple of 8 bytes", c->array, cpu,
				     (unsigned long long)wanted, (unsigned long long)number);
	}
	return true;
}

static bool variable_printed(struct run *run, const char *name, uint64_t wanted)
{
	const char *line;
	char start[64];

	snprintf(start, sizeof(start), "variable %s %llu", name, (unsigned long long)wanted);
	if (line_exists(run, start))
		return true;
	snprintf(start, sizeof(start), "variable %s 0x%llx", name, (unsigned long long)wanted);
	if (line_exists(run, start))
		return true;
	snprintf(start, sizeof(start), "variable %s", name);
	line = line_next(run, start, NULL);
	if (!line)
		return wrong(run, "variable '%s' has no line", name);
	return wrong(run, "variable '%s' is %llu, and your line is '%.*s': its offset in the section is in the "
		     "DATASEC, plus the value of its symbol where .rel.BTF has one. What a program has "
		     "changed is in the map and not in the file", name, (unsigned long long)wanted,
		     (int)strcspn(line, "\r\n"), line);
}

static bool variables_printed(struct run *run)
{
	const struct choice *c = &run->choice;

	return variable_printed(run, "started", c->data_first) &&
	       variable_printed(run, "steps", c->data_second + c->step) &&
	       variable_printed(run, "more", c->data_first + c->step) &&
	       lines_agree(run, "variable", 2) && variable_printed(run, "runs", 1) && variable_printed(run, "sum", c->limit) &&
	       variable_printed(run, "limit", c->limit);
}

const struct stage stage_values = {
	.name = "values", .title = "Read the maps",
	.task = "After the end of standard input, print the elements of each map and the variables: "
		"value MAP KEY VALUE..., variable NAME VALUE.",
	.object = "base.bpf.c", .features = "CONSTANT PERCPU", .method = "ioctl", .attaches = true,
	.until = until_written,
	.checks = (const struct check[]){
		READY("values"),
		{ "values.elements", elements_printed, "each element has its line", "book/maps.md",
		  { "A hash is read key by key.",
		    "BPF_MAP_GET_NEXT_KEY (4): map_fd 0, key 8, next_key 16. Without a key it gives the first.",
		    "key = 0; while next_key(key) succeeds: key = next_key; lookup(key)" } },
		{ "values.whole", whole_values, "with all bytes of its value", "book/maps.md",
		  { "The value has value_size bytes.", "BPF_MAP_LOOKUP_ELEM (1): map_fd 0, key 8, value 16.",
		    "Print two digits for each byte, in the order of memory." } },
		{ "values.per_cpu", value_for_each_cpu, "per-CPU maps with a value for each CPU", "book/maps.md",
		  { "A lookup in a per-CPU map (types 5, 6, 10) writes all values.",
		    "Their number is that of /sys/devices/system/cpu/possible.",
		    "buffer = possible CPUs * (value_size rounded up to 8)" } },
		{ "values.variables", variables_printed, "and the variables", "book/data.md",
		  { "The variables of a section are in element 0 of its map.",
		    "The DATASEC of .BTF has for each variable type, offset and size.",
		    "value[offset : offset + size] is the variable." } },
		{ 0 } },
	.beyond = "pload also prints values by their types, as structs and enums: loader/core/value/.",
};

/* --- a ring --- */

/* Read the two positions of the ring, which begin its first two pages. */
static bool ring_positions(struct run *run, uint64_t *consumer, uint64_t *producer)
{
	const int map = object_map_named(run, run->choice.array);
	const struct seen_map *seen = map < 0 ? NULL : seen_map_of(run, map);
	const int fd = seen ? kernel_map_fd(seen->id) : -1;
	const long page = sysconf(_SC_PAGESIZE);
	uint64_t *pages = fd < 0 ? MAP_FAILED : mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (pages == MAP_FAILED)
		return false;
	*consumer = pages[0];
	*producer = pages[page / sizeof(*pages)];
	munmap(pages, 2 * page);
	return true;
}

static bool until_sent(struct run *run)
{
	uint64_t sent = 0;

	/* How far the loader came, if this ends by time: the ring is gone afterwards. */
	run->has_positions = ring_positions(run, &run->consumer, &run->producer);
	return variable_now(run, ".bss", "sent", &sent) && sent >= run->choice.records;
}

/* Read the words of a record printed as @hex. Return: their number. */
static uint32_t record_words(const char *hex, uint32_t *words, uint32_t max)
{
	uint32_t nr = 0;
	unsigned int byte;

	for (; nr < max && strspn(hex, "0123456789abcdefABCDEF") >= 8; nr++, hex += 8)
		for (int i = 0; i < 4; i++)
			((unsigned char *)&words[nr])[i] = sscanf(hex + 2 * i, "%2x", &byte) == 1 ? byte : 0;
	return nr;
}

/* Describe what is wrong with the record at @hex; return its number, or -1. */
static int64_t record_nr(struct run *run, const char *hex)
{
	const size_t bytes = strspn(hex, "0123456789abcdefABCDEF") / 2;
	const uint32_t sizes[] = { 12, 12 + 4 * run->choice.rows };
	uint32_t words[3] = { 0 };
	bool is_long;

	record_words(hex, words, 3);
	if (bytes == sizes[0] + 8 || bytes == sizes[1] + 8)
		return wrong(run, "a record has %u or %u bytes, and you print %zu: the 8 bytes of the header are "
			     "not part of it", sizes[0], sizes[1], bytes), -1;
	is_long = words[1] == run->choice.step + 1;
	if (words[2] != ~words[0] || (words[1] != run->choice.step && !is_long) ||
	    words[0] >= run->choice.records)
		return wrong(run, "'record ... %.*s' is none that the program wrote: a record begins after the 8 "
			     "bytes of its header, which follows the record before at a multiple of 8 bytes. Where "
			     "it crosses the end of the data it goes on in the second copy of them, which the "
			     "kernel maps behind the first", (int)(bytes < 12 ? 2 * bytes : 24), hex), -1;
	if (bytes != sizes[is_long])
		return wrong(run, "record %u has %u bytes, and you print %zu: its length is in the low 30 bits of "
			     "its header", words[0], sizes[is_long], bytes), -1;
	return words[0];
}

/* Mark the records that were printed. */
static bool records_of(struct run *run, bool *seen)
{
	const char *line = NULL;

	while ((line = line_next(run, "record", line))) {
		const char *hex = strstr(line, "record") + strlen("record ");
		int64_t nr;

		hex += strcspn(hex, " \n");
		hex += strspn(hex, " \t");
		nr = record_nr(run, hex);
		if (nr < 0)
			return false;
		if (nr % 3 == 2)
			return wrong(run, "record %lld was discarded by the program: skip it when bit 30 "
				     "(BPF_RINGBUF_DISCARD_BIT) of its header is set", (long long)nr);
		if (seen[nr])
			return wrong(run, "record %lld was printed twice: the consumer position has to follow "
				     "what was read", (long long)nr);
		seen[nr] = true;
	}
	return true;
}

static bool records_right(struct run *run)
{
	bool *seen = calloc(run->choice.records, sizeof(*seen));
	const bool right = seen && records_of(run, seen);

	free(seen);
	return right;
}

static bool ring_has_room(struct run *run)
{
	const uint32_t size = sysconf(_SC_PAGESIZE);

	if (run->enough || !run->has_positions)
		return check_runs(run);
	if (WIFEXITED(run->status) && WEXITSTATUS(run->status) && !run->looked_ready && !run->consumer)
		return wrong(run, "your program ended with status %d and has read nothing. mmap(2) of the ring takes one "
			     "page at offset 0 (PROT_READ | PROT_WRITE), and from offset %u on, PROT_READ alone, one "
			     "page and twice max_entries; both MAP_SHARED", WEXITSTATUS(run->status), size);
	if (WIFEXITED(run->status) && WEXITSTATUS(run->status) && !run->looked_ready)
		return wrong(run, "your program ended with status %d when it had read up to position %llu. The ring has "
			     "%u bytes, and positions grow on: a record is at position %% size",
			     WEXITSTATUS(run->status), (unsigned long long)run->consumer, size);
	if (!run->consumer)
		return wrong(run, "the ring has %u bytes and is full, and the consumer's position in it is still 0: "
			     "read the ring while your program waits, and write how far you have read into the "
			     "first 8 bytes of its first page, which you map MAP_SHARED. The producer's position "
			     "begins the second page", size);
	return check_runs(run) &&
	       wrong(run, "the program could not write its %u records, because the ring of %u bytes was full: the "
		     "consumer's position is %llu, the producer's %llu. Read on, as long as they differ, until "
		     "standard input ends", run->choice.records, size, (unsigned long long)run->consumer,
		     (unsigned long long)run->producer);
}

static bool all_records(struct run *run)
{
	const uint32_t nr_records = run->choice.records;
	bool *seen = calloc(nr_records, sizeof(*seen)), right = seen && records_of(run, seen);

	if (right && !line_exists(run, "record"))
		right = wrong(run, "no line begins with 'record', and you have read %u records: if you print them, "
			      "they were lost in a buffer, which you have to flush before the end", nr_records);
	for (uint32_t nr = 0; right && nr < nr_records; nr++)
		if (nr % 3 != 2 && !seen[nr])
			right = wrong(run, "record %u of %u was not printed: read up to the producer's position "
				      "once more after your input has ended", nr, nr_records);
	free(seen);
	return right;
}

const struct stage stage_ring = {
	.name = "ring", .title = "Read a ring",
	.task = "Map the ring buffer into memory, and print each record: record MAP BYTES. The program writes "
		"more than the ring holds: read it while you wait for the end of standard input, and once more "
		"afterwards.",
	.object = "ring.bpf.c", .features = "", .method = "ioctl", .attaches = true, .until = until_sent,
	.checks = (const struct check[]){
		READY("ring"),
		{ "ring.records", records_right, "what it prints are the records", "book/rings.md",
		  { "mmap(2) of the map: a page that you write (the consumer's position), then a page with the "
		    "producer's position and the data, twice.",
		    "First page: offset 0, writable. The others: offset one page, read-only, one page plus two "
		    "times max_entries.",
		    "while consumer < producer: header = u32 at data[consumer % size]; bit 31: busy, wait; bit 30: "
		    "discarded; then consumer += 8 + length, rounded up to 8" } },
		{ "ring.room", ring_has_room, "the ring is read while the program runs", "book/rings.md",
		  { "A full ring takes no records: the kernel needs to know what you have read.",
		    "poll(2) waits for standard input and for the descriptor of the ring's map at once: the latter is "
		    "readable (POLLIN) when there are records.",
		    "After each record, write its end into the first 8 bytes of the first page, which is mapped "
		    "PROT_READ | PROT_WRITE, MAP_SHARED." } },
		{ "ring.all", all_records, "each record is printed once", "book/rings.md",
		  { "When standard input ends, there may be records that you have not read.",
		    "The last record ends at the producer's position.",
		    "on the end of input: read until consumer == producer, then end" } },
		{ 0 } },
	.beyond = "pload also reads the perf rings of each CPU, and counts what was lost: loader/core/read/.",
};
