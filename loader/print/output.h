/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The output of pload as text or JSON Lines: records, at the end maps, and a summary. */
#ifndef PLOAD_PRINT_OUTPUT_H
#define PLOAD_PRINT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <json-c/json_object.h>

#include "elf/btf.h"
#include "loader/event/event.h"
#include "loader/kernel/kernel.h"

/*
 * The version of the messages of a session. It is raised when a field or type is removed or gets
 * another meaning, not when one is added.
 */
#define OUTPUT_VERSION 1

/*
 * Every output is a message: one JSON object with a "type". The JSON format prints it on one line;
 * the text format has a renderer for each type. Both formats therefore have the same content.
 */
struct output {
	FILE *file;		/* borrowed */
	const struct output_format *format;
	unsigned int rows;	/* elements of a map printed as text; 0: all */
	int status;		/* exit status of pload if not 0; else 0 or 1 as run() returns */
	void (*note)(struct output *out, const char *text);	/* NULL: notes are dropped */
	struct stdout_watch *watch;	/* borrowed; polled while @file blocks, or NULL */
	const char *const *hists;	/* borrowed, like its texts: "MAP[:SCALE]" of --hist */
	unsigned int nr_hists;
	struct stacks *stacks;	/* borrowed; the stacks of rows and records, or NULL */
	bool only_stacks;	/* maps and records are not printed: their stacks are counted */
	bool version_due;	/* of a session: as JSON, a line with the version comes first */
	bool owns_stdout;	/* a program reads it: a command may not write there */
};

/**
 * note() - Pass one line to @out->note: something the user should know that is no error.
 * note_text() - The same as a callback; @out is the struct output.
 * note_stderr() - For @out->note: print "pload: note: TEXT" to standard error, after everything
 *	that was printed before. Control characters in @text are escaped.
 */
void note(struct output *out, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
void note_text(void *out, const char *text);
void note_stderr(struct output *out, const char *text);

/*
 * error_note_print() - Print a note as compilers do, without a newline:
 *	"prog.bpf.c:10:5: KIND: R0 may be NULL: *v += 1;"
 * @kind: "error", "note", or NULL to leave it out
 */
void error_note_print(FILE *file, const char *kind, const struct error_note *note);

/* output_format_find() - Find "text" or "json". Return NULL and fill @err (EINVAL) if neither. */
const struct output_format *output_format_find(const char *name, struct error *err);

/* output_format_colored() - Return the format with colours: another one if @format is text. */
const struct output_format *output_format_colored(const struct output_format *format);

/**
 * output_message() - Print a message and release it.
 * @msg: owned by the callee; NULL is reported as ENOMEM, so that callers that build one need not
 *	check it.
 *
 * Return: 0, -EPIPE, or the -errno of the file ("print/failed").
 */
int output_message(struct output *out, struct json_object *msg, struct error *err);

/* output_write() - Write @text, whole messages of the format. Fails like output_message(). */
int output_write(struct output *out, const char *text, size_t size, struct error *err);

/* output_flush() - Write what is buffered, with SIGPIPE blocked. Fails like output_message(). */
int output_flush(struct output *out, struct error *err);

/* output_has_no_reader() - Return true if @err is the -EPIPE of output_message(). */
bool output_has_no_reader(const struct error *err);

/* --- records: implemented in ring/ --- */

/* The layout of the records of one map. */
struct record_format {
	const char *map;	/* name of the map */
	const struct btf *btf;	/* NULL: print hex */
	uint32_t type;		/* BTF type of the fixed part; 0: not known, print hex */
	uint32_t map_index;	/* of the map in the object */
	uint32_t size;		/* bytes of the fixed part; 0: not known, or payload only */
	bool flexible;		/* the type ends in an array of no elements: what follows it */
	bool payload;		/* packet bytes may follow the fixed part */
	bool one_ring;		/* of other CPUs than that of the ring, all records are lost */
};

/**
 * record_format_init() - Choose the BTF type of the records of a map.
 * @map: index into the maps of @obj.
 * @usage: how the loaded programs write to the map; gives the size of its records.
 * @type_name: type of --record, or NULL: the type that a ring declares for its values, else the
 *	only struct of the object's BTF that has the size of a record and is neither part of a map
 *	definition nor of a program context.
 * @note: if no struct, or more than one, has that size, the reason why records are printed in hex;
 *	else empty. The caller adds the name of the map.
 */
int record_format_init(struct record_format *format, const struct bpf_object *obj, uint32_t map,
		       const struct map_usage *usage, const char *type_name, char *note,
		       size_t note_size, struct error *err);

/* The consumers of all PERF_EVENT_ARRAY and RINGBUF maps of a session. */
struct rings;

struct rings *rings_new(struct sys *sys, struct output *out);

/*
 * rings_set_latency() - Read records @ms milliseconds after they were written, at the latest. A
 *	perf ring wakes its reader when a quarter of it is full, which may take any time.
 */
void rings_set_latency(struct rings *rings, unsigned int ms);
#define RINGS_LATENCY_MS 50	/* the default */

/**
 * rings_set_sort() - Print the records of perf rings that are added by time, not CPU by CPU. It
 *	takes up to twice the memory of the rings, and twice the latency.
 * rings_set_overwrite() - Let the newest records in the perf rings that are added replace the
 *	oldest. rings_drain() prints them, by time; rings_read() does not.
 */
void rings_set_sort(struct rings *rings);
void rings_set_overwrite(struct rings *rings);

/**
 * rings_add_perf() - Open a bpf-output event on each of @cpus, map its ring (@pages data pages, a
 *	power of two), and put the event into the PERF_EVENT_ARRAY @map_fd.
 * rings_add_ringbuf() - Map the ring of the RINGBUF map @map_fd; @size is its max_entries. With
 *	BPF_F_RB_OVERWRITE in @map_flags it is read from its oldest record left.
 * @format: copied.
 *
 * The error context is the CPU; the caller adds the map.
 */
int rings_add_perf(struct rings *rings, int map_fd, const int *cpus, unsigned int nr_cpus,
		   unsigned int pages, const struct record_format *format, struct error *err);
int rings_add_ringbuf(struct rings *rings, int map_fd, uint32_t size, uint32_t map_flags,
		      const struct record_format *format, struct error *err);

/**
 * rings_cpu_gone() - Mark the rings of @cpu, which is offline now, as dead.
 * rings_cpu_online() - Open a new ring for @cpu, which is online (again), in each PERF_EVENT_ARRAY.
 *	Records left in its dead ring are printed, and its lost records counted.
 *
 * Return: the number of rings, or -errno.
 */
unsigned int rings_cpu_gone(struct rings *rings, int cpu);
int rings_cpu_online(struct rings *rings, int cpu, struct error *err);

/* rings_set_fd_limit() - Allow RLIMIT_NOFILE to be raised for rings. @room is borrowed. */
struct fd_limit;
void rings_set_fd_limit(struct rings *rings, struct fd_limit *room);

/**
 * rings_begin_waiting() - Open the epoll set of all rings, also of those that are added later.
 * rings_fd() - Return it (borrowed): readable while a ring is ready; -1: there is none.
 * rings_due_ms() - Return in how many milliseconds the latency is over; -1: there is no ring.
 * rings_read() - Print the records of the rings that are ready, if any is (@ready), and those of
 *	all rings if the latency is over.
 *
 * Return: 0 or -errno; -EIO when a ring has invalid contents, which are skipped ("print/ring").
 */
int rings_begin_waiting(struct rings *rings, struct error *err);
int rings_fd(const struct rings *rings);
int rings_due_ms(const struct rings *rings);
int rings_read(struct rings *rings, bool ready, struct error *err);

/* rings_drain() - Print all records that are available now, without waiting. */
int rings_drain(struct rings *rings, struct error *err);

/* rings_count_lost() - Read from each event the records it has lost; call it once, at the end. */
int rings_count_lost(struct rings *rings, struct error *err);

/* The losses of one ring, and the memory that it takes. */
struct ring_total {
	const char *map;	/* borrowed from its format */
	int cpu;		/* -1: all CPUs share the ring buffer */
	bool knows_lost;	/* the kernel counts them in @lost; else only programs may know */
	uint64_t lost;		/* records */
	uint64_t overwritten;	/* bytes of records that were overwritten before they were read */
	uint64_t size;		/* bytes */
};

/* rings_total() - Fill @total of ring @i, counted from 0. Return false if there are no more. */
bool rings_total(const struct rings *rings, unsigned int i, struct ring_total *total);

/* rings_lost() - Return the number of records that the kernel has reported as dropped. */
uint64_t rings_lost(const struct rings *rings);
uint64_t rings_records(const struct rings *rings);
void rings_free(struct rings *rings);

/* --- losses: implemented in losses/ --- */

/* A sampling event that the kernel has stopped for taking too many samples, on one CPU. */
struct throttled {
	const char *event;	/* borrowed */
	int cpu;
	uint64_t begun, ended;	/* PERF_RECORD_THROTTLE, PERF_RECORD_UNTHROTTLE */
};

/* How often the sampling events of a program were to run it. */
struct due_samples {
	bool known;
	uint64_t at_least;	/* their counts, divided by their periods */
};

/* The sources of a session's ledger, once its programs are detached. All borrowed. */
struct losses {
	const struct rings *rings;
	const struct kernel_object *kernel;	/* NULL: adopted, its programs are not known */
	const struct failure_counts *failures;	/* how its programs count failed calls, or NULL */
	const struct stacks *stacks;	/* of its rows and records, or NULL */
	const struct throttled *throttled;
	unsigned int nr_throttled;
	const struct due_samples *due;	/* by program, or NULL */
	uint64_t printk_lost;	/* lines of bpf_printk() */
};

/**
 * output_losses() - Add to the summary @msg what was lost, and by whom it was counted:
 *
 *	"rings":[{"map":NAME,"cpu":N,"bytes":N},...]	cpu: perf rings only
 *	"lost":N	records; null: a ring buffer whose programs do not count what finds no room,
 *			or a perf ring that has overwritten some
 *	"losses":[{"what":WHAT,"map":NAME,"cpu":N,"counted_by":VARIABLE,"count":N},...]
 *
 * Return: true if anything was.
 */
bool output_losses(struct sys *sys, struct json_object *msg, const struct losses *from);

/**
 * output_lost_samples() - Return how many samples have no whole stack in the profile: a stack of
 * theirs is lost, there was no room for their row or record, or their program was not run.
 */
uint64_t output_lost_samples(struct sys *sys, const struct losses *from);

/* --- maps: implemented in map/ --- */

/**
 * output_maps() - Print a message for each element of each map that can be read:
 *
 *	{"type":"map","map":NAME,"key":...,"value":...}	a per-CPU value: [{"cpu":N,"value":...},...]
 *	{"type":"stack","map":NAME,"id":N,"ips":["0x...",...]}	by build id: {"build_id":,"offset":}
 *	{"type":"data","map":NAME,"value":{...}}	variables; read-only: nothing
 *	{"type":"map-skipped","map":NAME,"map_type":"queue","why":...}
 *
 * With @out->stacks, each element of a map whose key or value has stacks is printed with them,
 * after a message "stack-fields". The stack maps come last then, and those that rows refer to are
 * only counted: {"type":"stack-map","map":NAME,"elements":N,"in_no_row":N}.
 *
 * "map-skipped" reports a map that cannot be read, or not without changing it. Maps that hold only
 * descriptors, or records that were printed as they came, have no message. The text format prints a
 * headline before each map, sorts its elements (largest number first, else by key), and reports how
 * many it omits.
 * @possible: the possible CPUs; may be empty if the object has no per-CPU map.
 */
int output_maps(struct sys *sys, struct output *out, const struct kernel_object *k,
		const struct cpu_list *possible, struct error *err);

/**
 * output_check_hists() - Refuse a --hist that names no map of @obj, or no scale. "print/no-map".
 */
int output_check_hists(const struct output *out, const struct bpf_object *obj, struct error *err);

#endif
