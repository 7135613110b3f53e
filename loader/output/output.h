/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What pload says: records as they come, maps at the end, a summary; as text or as JSON Lines. */
#ifndef PLOAD_OUTPUT_OUTPUT_H
#define PLOAD_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <json-c/json_object.h>

#include "elf/btf.h"
#include "loader/event/event.h"
#include "loader/kernel/kernel.h"

/*
 * Everything said is a message: one JSON object with a "type". The JSON format prints it on a line
 * of its own; the text format has a renderer for each type. So both always say the same.
 */
struct output {
	FILE *file;		/* borrowed */
	const struct output_format *format;
	unsigned int rows;	/* of a map, in text; 0: all. What is left out is counted */
	int status;		/* what pload exits with when that is neither 0 nor 1 */
	/* NULL: nobody listens. note_stderr() prints @text as a line of standard error. */
	void (*note)(struct output *out, const char *text);
	struct stdout_watch *watch;	/* borrowed; what watches while @file blocks, or NULL */
};

/**
 * note() - Pass one line to @out->note: something the user should know that is no error.
 * note_text() - The same as a callback; @out is the struct output.
 * note_stderr() - For @out->note: print "pload: note: TEXT" to standard error, after everything
 *	that was printed before. Control characters in @text are escaped.
 */
void note(struct output *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void note_text(void *out, const char *text);
void note_stderr(struct output *out, const char *text);

/* output_format_find() - "text" or "json"; NULL with EINVAL. */
const struct output_format *output_format_find(const char *name, struct error *err);

/*
 * output_message() - print @msg and give it back (json_object_put). Fails with -EPIPE or what the
 * file fails with; NULL is ENOMEM, so that a message that could not be made needs no check of its
 * own.
 */
int output_message(struct output *out, struct json_object *msg, struct error *err);

/*
 * output_flush() - what was printed so far to where it goes. Fails as output_message(); with
 * SIGPIPE ignored or blocked.
 */
int output_flush(struct output *out, struct error *err);

/* --- values --- */

/*
 * value_decode() - @bytes as type @id of @btf: structs and unions by member, arrays (hex when of
 * more than 32 single bytes), enums by name, char arrays as strings (when they are text), bit
 * fields, pointers as "0x..." strings, 64-bit numbers exactly, floats. @btf NULL or id 0: one
 * string of hex digits. Bytes too short for the type: hex too. Never fails on content; NULL is
 * ENOMEM.
 */
struct json_object *value_decode(const struct btf *btf, uint32_t id, struct bytes bytes);

/* value_print() - the same as text, in the style of C: {.pid = 12, .comm = "bash"}. */
void value_print(FILE *file, struct json_object *value);

/* --- records --- */

/* What is known about the records of one map. */
struct record_format {
	const char *map;	/* its name */
	const struct btf *btf;	/* NULL: hex */
	uint32_t type;		/* of the fixed part, 0: unknown, hex */
	uint32_t size;		/* bytes of the fixed part; 0: unknown, or with payload none */
	bool payload;		/* packet bytes may follow the fixed part */
};

/*
 * record_format_init() - for map @map of @obj used as @usage says: the type the user named
 * (@type_name, may be NULL), else the only struct of the object's BTF (not a map's, not a
 * context's) whose size is the record's. None or several of that size: hex, and @note (else empty)
 * says why. The caller names the map, in the note and in an error.
 */
int record_format_init(struct record_format *format, const struct bpf_object *obj, uint32_t map,
		       const struct map_usage *usage, const char *type_name, char *note,
		       size_t note_size, struct error *err);

/* Consumers of PERF_EVENT_ARRAY and RINGBUF maps. Opaque. */
struct rings;

/* rings_new() - empty; NULL is ENOMEM. */
struct rings *rings_new(struct sys *sys, struct output *out);

/*
 * rings_add_perf() - open a bpf-output event on each of @cpus, map its ring (@pages data pages, a
 * power of two), put it into the map @map_fd.
 * rings_add_ringbuf() - map the ring of map @map_fd, @size its max_entries.
 * @format is copied. A failure's place is the CPU; the caller names the map.
 */
int rings_add_perf(struct rings *rings, int map_fd, const int *cpus, unsigned int nr_cpus,
		   unsigned int pages, const struct record_format *format, struct error *err);
int rings_add_ringbuf(struct rings *rings, int map_fd, uint32_t size,
		      const struct record_format *format, struct error *err);

/*
 * rings_cpu_gone() - the rings of @cpu get no more records, for it is offline. Returns how many.
 * rings_cpu_online() - give @cpu, which has come back or was not there before, a ring in each map
 * of perf rings; what its last ring holds is printed, and what that lost is counted. Returns how
 * many, or an error.
 */
unsigned int rings_cpu_gone(struct rings *rings, int cpu);
int rings_cpu_online(struct rings *rings, int cpu, struct error *err);

/*
 * rings_set_fd_limit() - let rings raise the limit of open files where it is in their way. @room is
 * borrowed.
 */
struct fd_limit;
void rings_set_fd_limit(struct rings *rings, struct fd_limit *room);

/*
 * rings_wait() - sleep until a record is there, one of the @nr (at most RINGS_EXTRA) descriptors of
 * @extra is ready, or @timeout_ms is over (-1: never); print what came. Returns 1 when one of
 * @extra is ready, which revents tells, 0 otherwise, or -errno. EINTR is not an error, and 0 may
 * come early: the caller looks at its clock. EIO: a ring does not hold what the kernel puts there;
 * what was in it is skipped.
 */
int rings_wait(struct rings *rings, struct pollfd *extra, unsigned int nr, int timeout_ms,
	       struct error *err);
#define RINGS_EXTRA 4

/* rings_drain() - print what is there now, without waiting. */
int rings_drain(struct rings *rings, struct error *err);

/*
 * rings_count_lost() - ask for what was dropped and is in no ring yet: once, when nothing runs any
 * more. Place "map 'x': CPU n".
 */
int rings_count_lost(struct rings *rings, struct error *err);

/* rings_lost() - records the kernel says it dropped, as far as it has said so. */
uint64_t rings_lost(const struct rings *rings);
uint64_t rings_records(const struct rings *rings);
void rings_free(struct rings *rings);

/* --- maps --- */

/*
 * output_maps() - a message for each element of each map that can be read:
 *
 *	{"type":"map","map":NAME,"key":...,"value":...}	a per-CPU value: [{"cpu":N,"value":...},...]
 *	{"type":"stack","map":NAME,"id":N,"ips":["0x...",...]}	by build id: {"build_id":,"offset":}
 *	{"type":"data","map":NAME,"value":{...}}	variables; read-only: nothing
 *	{"type":"map-skipped","map":NAME,"map_type":"queue","why":...}
 * The last is for maps that cannot be read, or not without changing them. Those that hold only
 * descriptors, or records that the rings have shown, are left out without a word. Text has a
 * headline before each map, its elements sorted (largest number first, else by key), and a line for
 * those left out. Read with batches where the kernel has them. @possible: the possible CPUs;
 * may be empty when the object has no per-CPU map.
 */
int output_maps(struct sys *sys, struct output *out, const struct kernel_object *k,
		const struct cpu_list *possible, struct error *err);

#endif
