/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The judge: a run of a learner's loader, what was seen of it, and the checks that it passes. */
#ifndef PLOAD_TEST_JUDGE_JUDGE_H
#define PLOAD_TEST_JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "loader/core/object/object.h"

#define SENTENCE_SIZE 1024
#define HINTS 3

struct run;

/*
 * One thing that a loader does right or wrong. test() returns true, or describes the first mistake
 * by wrong().
 */
struct check {
	const char *id;		/* "references.map": stage and name */
	bool (*test)(struct run *run);
	const char *right;	/* the sentence when it is right */
	const char *page;	/* of the documentation, from docs/ on */
	const char *hints[HINTS];	/* of growing help */
};

struct stage {
	const char *name;
	const char *title;
	const char *task;	/* what the learner's program must do, in a few sentences */
	const char *object;	/* the template: a file of objects/ */
	const char *features;	/* macros that are defined for the template, separated by blanks */
	const char *method;	/* "ioctl", "pmu", "link" */
	unsigned int major, minor;	/* the first Linux that can do it; 0: all that the judge runs on */
	bool cookie, pin;	/* the program gets one */
	bool attaches;		/* it has to print "ready" */
	bool two_tables;	/* section names are in a separate string table */
	bool unsorted;		/* variables are not in the order of their offsets in the types */
	bool (*until)(struct run *run);	/* enough has happened, and its input may end; NULL: at once */
	const struct check *checks;	/* the last one has no id */
	const char *beyond;	/* pload's part that does more than the learner's */
};

extern const struct stage *const stages[];	/* the last one is NULL */

#define LIMIT_SECONDS 10

/* Exit statuses, beside 0. */
enum { NOT_RIGHT = 1, WRONG_USAGE = 2, CANNOT_JUDGE = 4 };

/* --- around the runs (folder.c); false with run->sentence set if something fails --- */

bool make_folder(struct run *run);
bool mount_folder(struct run *run);
void unmount_folder(const struct run *run);
/** enable_stats() - Ask for run counts, for as long as the judge runs. */
bool enable_stats(struct run *run);
/** block_signals() - keep() and watch() read the signals, so that the judge ends by itself. */
void block_signals(void);

/* --- the object that the loader gets (object.c) --- */

#define NAME_SIZE 32

/* The names and numbers that the object of this run has. */
struct choice {
	char program[NAME_SIZE], hash[NAME_SIZE], array[NAME_SIZE], spare[NAME_SIZE];
	const char *license;
	uint32_t hash_entries, array_entries, words;	/* words of 8 bytes in a value of hash */
	uint32_t data_first, data_second, bss_pad, step, limit, records;
	uint32_t keys, rows;	/* elements of hash in stage values; rows in a value of spare */
};

/**
 * object_build() - Choose names and numbers by @seed, compile the template, and read the object.
 * Return: false with run->sentence set if there is no clang, or it fails.
 */
bool object_build(struct run *run);
/* object_compile() - Compile the object of run->stage to @dir, where run->objects finds it. */
bool object_compile(struct run *run, const char *dir);

/* --- what was seen (watch.c, calls.c) --- */

struct seen_map {
	uint32_t id;
	union bpf_attr attr;	/* of BPF_MAP_CREATE */
	struct bpf_map_info info;	/* as created */
	uint32_t inner_id;	/* of the map that is the template of inner ones, or 0 */
	bool frozen;		/* at the time of "ready", or when the loader ended */
	unsigned char *value;	/* owned; of an array of one element before the program may have run; or NULL */
	int late_error;		/* errno of filling a map that was already frozen, or 0 */
	/* With run->snapshots: */
	bool held;		/* somebody has it open, or a program or a map refers to it */
	bool present;		/* it existed in the last snapshot, and was held */
	unsigned char *elements;	/* owned; keys and values, one after the other, before a program may have run */
	uint32_t nr_elements;
};

struct seen_prog {
	uint32_t id;		/* 0: refused */
	int error;		/* errno, or 0 */
	union bpf_attr attr;
	uint32_t attr_size;
	struct bpf_insn *insns;	/* owned */
	uint32_t nr_insns;
	uint32_t *map_ids;	/* owned; by instruction, of the map that it refers to; 0: none */
	struct bpf_func_info *func_info;	/* owned, or NULL */
	uint32_t nr_func_info;
	struct bpf_line_info *line_info;	/* owned, or NULL */
	uint32_t nr_line_info;
	uint32_t btf_id;	/* 0: none */
	bool held, present;	/* as in struct seen_map */
	char license[64];
	char *log;		/* owned; of a program that was refused, or NULL */
	uint64_t runs;		/* until its input ended */
};

struct seen_event {
	uint32_t type_passed;	/* attr.type may be another one: that of the number in run->pmu */
	uint64_t id;		/* of the kernel; 0: refused */
	int error;
	struct perf_event_attr attr;
	int pid, cpu;
	bool cloexec;
	bool enabled;		/* from the beginning, or by an ioctl */
	bool held;		/* a process of the loader had it open when it was looked at */
};

struct seen_bind {
	bool by_link, pending;	/* pending: the call has not returned */
	int error;
	uint32_t prog_id;
	uint64_t event_id;
	uint32_t link_id;	/* 0: none */
	bool link_held;		/* the link existed when it was looked at */
	uint32_t attach_type, attr_size, flags;
	uint64_t cookie;
};

/* With run->snapshots. */
struct seen_btf {
	uint32_t id;
	struct bytes bytes;	/* owned */
};

struct seen_pin {
	char *path;		/* owned */
	uint32_t map_id, prog_id, link_id;	/* one of them is not 0 */
};

struct seen {
	struct seen_map *maps;	/* arrays, owned */
	uint32_t nr_maps;
	struct seen_prog *progs;
	uint32_t nr_progs;
	struct seen_event *events;
	uint32_t nr_events;
	struct seen_bind *binds;
	uint32_t nr_binds;
	struct seen_pin *pins;
	uint32_t nr_pins;
	struct seen_btf *btfs;
	uint32_t nr_btfs;
	uint32_t nr_snapshots;
	uint32_t nr_turns;	/* how often the judge has looked whether the program has run */
	char refused_pin[256];	/* the path of the last pin that failed, and its errno */
	int pin_error;
	uint32_t first_keys;	/* successful BPF_MAP_GET_NEXT_KEY without a key */
	uint32_t nr_calls;	/* system calls of bpf(2), perf events and ioctls of them */
	bool read_pmu;		/* software/type was opened */
	bool used_pmu;		/* an event was opened with its number */
	bool enables;		/* PERF_EVENT_IOC_ENABLE was called */
	int btf_error;		/* errno of the last BPF_BTF_LOAD, or 0; and the end of its log */
	char btf_reason[512];
	char last[SENTENCE_SIZE];	/* the last of those calls that failed, decoded; or "" */
	size_t kept;		/* bytes */
	char spied[256];	/* something that the judge does not accept, as a sentence */
};

/* A text that grows up to a limit. */
struct text {
	char *bytes;		/* owned, with a NUL */
	size_t len;
};

/* --- a run --- */

#define MEMORY_MAX (UINT64_C(2) << 30)	/* for all processes of a loader and its maps; and half of the machine's */
#define FILE_SIZE_MAX (256 << 20)
/** memory_limit() - Return how many bytes a loader may have. (confine.c) */
uint64_t memory_limit(void);

/* A call that the judge makes fail. */
struct failing {
	long nr;		/* of the system call */
	unsigned int arg;	/* the index of the argument to check; */
	uint32_t value;		/* the call fails if it has this value. 6: each call fails */
	int error;
	const char *name;	/* "BPF_MAP_CREATE" */
	const char *method;	/* by which the loader attaches then; NULL: that of the stage */
};

struct run {
	const struct stage *stage;
	uint64_t seed, random;
	char **command;
	int limit;		/* seconds */
	bool is_peer;		/* other loaders may be executed */
	const char *keep;	/* a directory for the object, or NULL */
	const char *objects;	/* a directory with an object for each stage, or NULL */
	int hints, nr;		/* hints after a mistake, the number of the stage */
	enum { FORMAT_TEXT, FORMAT_TAP, FORMAT_JSON } format;
	bool all, brief;	/* all stages are judged; a mistake was reported, and the next ones get a line */
	int first_test;		/* the number of tests before those of this stage */
	const char *unlimited;	/* a resource that the loader has without a limit, or NULL */
	char dir[256], path[320], pin[288];
	uint64_t cookie;
	uint32_t pmu;		/* the number that software/type has in this run, or 0: the kernel's own */
	struct choice choice;
	struct bpf_object object;
	unsigned char *file;	/* owned; the bytes of the object */
	size_t file_size;
	/* How the loader is run: */
	const struct failing *failing;	/* or NULL */
	bool interrupt;		/* it gets SIGINT instead of the end of its input */
	bool snapshots;		/* what exists is looked at after each call (snapshot.c) */
	/* Afterwards: */
	struct seen seen;
	struct text out, err;
	bool first_ended;	/* the first process has ended */
	bool bound_when_ready;	/* a program was bound when "ready" was printed */
	bool looked_ready;	/* the loader waited when the judge looked at what it holds */
	bool late_ready;	/* the line was printed only after the input had ended, too late */
	int signal;		/* by which the judge has to end, or 0 */
	bool ready, enough, timed_out, flooded;	/* enough: what the stage waits for */
	int status;		/* as waitpid() has it */
	uint64_t found[10];	/* stage core: what the program got from its relocations */
	uint64_t consumer, producer;	/* stage ring: the last positions that were read */
	bool has_positions;
	bool looks_up, loads_btf;	/* it has called BPF_MAP_LOOKUP_ELEM, BPF_BTF_LOAD in any run */
	char sentence[SENTENCE_SIZE];	/* the mistake */
	char failure[SENTENCE_SIZE + 64];	/* of last_failure() */
	char printed[256];	/* of line_printed() */
	char allowed[4][SENTENCE_SIZE];	/* what is done otherwise, which is allowed */
	uint32_t nr_allowed;
};

/** wrong() - Describe a mistake. Return: false. */
bool wrong(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** allowed() - Note once something that is done differently from pload, but is allowed. */
void allowed(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** last_failure() - Return "; the last call that failed is ..." for the end of a sentence, or "". */
const char *last_failure(struct run *run);

/** watch() - Run the command on the object until it ends or has to; fill run->seen and the rest. */
bool watch(struct run *run);
void watch_forget(struct run *run);

/* random_below() - Return a number from 0 to @n - 1 that depends on the seed. */
uint32_t random_below(struct run *run, uint32_t n);

/* --- printed lines (lines.c) --- */

/*
 * line_field() - Return the number of field @key ("type") of the line that begins with @start
 *	("map hits"); -1: there is no such line, -2: it has no such field or it is no number.
 * line_word() - Copy field @key of that line. Return: true if it was found.
 * line_exists() - Return true if a line begins with @start.
 */
int64_t line_field(const struct run *run, const char *start, const char *key);
bool line_word(const struct run *run, const char *start, const char *key, char *buf, size_t size);
bool line_exists(const struct run *run, const char *start);
/* lines_agree() - Check that lines with the same first @words words, of which the first is @word, are equal. */
bool lines_agree(struct run *run, const char *word, int words);
/* line_printed() - Return "; your line is ..." for the end of a sentence, or "". */
const char *line_printed(struct run *run, const char *start);
/* line_next() - Return the next line that begins with word @word after @at, or NULL. */
const char *line_next(const struct run *run, const char *word, const char *at);

/*
 * rate_is_too_high() - Return true if sampling at this rate would take all the time; the judge
 * opens such events with these instead.
 */
#define PERIOD_GIVEN 1000000
#define FREQUENCY_GIVEN 999
bool rate_is_too_high(const struct perf_event_attr *attr);

/* --- the kernel (kernel.c) --- */

int kernel_map_fd(uint32_t id);
int kernel_prog_fd(uint32_t id);
int kernel_link_fd(uint32_t id);
uint64_t kernel_runs(uint32_t prog_id);
/* last_reason() - Copy the last line of a log that is not the verifier's statistics. */
void last_reason(const char *log, char *buf, size_t size);
bool kernel_info(int fd, void *info, uint32_t size);
bool kernel_is_frozen(int fd);
/* kernel_pin_map() - Create a map of this type and size, and pin it; false with errno set. */
bool kernel_pin_map(const struct bpf_map_info *map, const char *path);
bool kernel_lookup(int map_fd, const void *key, void *value);
/* kernel_gone() - Return true when no map, program or link of the run exists; waits 15 s. */
bool kernel_gone(const struct run *run, char *what, size_t size);
unsigned int kernel_cpus(const char *which, bool cpus[1024]);

/* --- what belongs together (seen.c) --- */

/* name_agrees() - Return true if the kernel has @seen for @name of an object. */
bool name_agrees(const char *name, const char *seen);
/* seen_map_of() - Return the map that the loader created for map @i of the object, or NULL. */
const struct seen_map *seen_map_of(const struct run *run, uint32_t i);
const struct seen_map *seen_map_id(const struct run *run, uint32_t id);
/* seen_load() - Return the load of the program that counts: the last one, accepted if any was. */
struct seen_prog *seen_load(struct run *run);
const struct seen_event *seen_event_id(const struct run *run, uint64_t id);
/* object_map_named() - Return the index of map @name, or -1. */
int object_map_named(const struct run *run, const char *name);
/* variable_now() - Read variable @name of the loader's map of @section as long as it has one. */
bool variable_now(struct run *run, const char *section, const char *name, uint64_t *value);
bool until_runs(struct run *run);

/* --- the report (report.c) --- */

/** report_format() - Take the format of that name. Return: false if there is none. */
bool report_format(struct run *run, const char *name);
/** report_nr_tests() - Return the number of TAP's tests of a stage: the checks and itself. */
int report_nr_tests(const struct stage *stage);
void report_stage(const struct run *run);
void report_right(const struct run *run, const struct check *check);
/**
 * report_mistake() - Report run->sentence.
 * @at: the first check that was not passed.
 * @check: that check, or NULL if all were.
 * @named: the check is to blame; a loader that crashed did not fail there.
 */
void report_mistake(const struct run *run, const struct check *at, const struct check *check, bool named);
void report_passed(const struct run *run);
/** report_errors() - Print what the loader said on standard error, shortened. */
void report_errors(const struct run *run);
/** report_bail_out() - The judge could not judge. */
void report_bail_out(const struct run *run);
void report_all(const struct run *run, int passed);
/** report_end() - After stage @nr, or after all stages, for which it is 0. */
void report_end(const struct run *run, int nr, bool passed);

/* --- progress (progress.c), and changes of files (changes.c) --- */

/** progress_keep() - Remember whether the stage is passed. */
void progress_keep(const struct run *run, bool is_passed);
/** progress_has() - Return true if the stage was passed before. */
bool progress_has(const struct run *run);
/** progress_next() - Return the number of the first stage that is not passed, or of the last. */
int progress_next(void);
void progress_print_next(const struct run *run);
void show_stages(void);
void show_stage(const struct stage *stage, int nr);

/** wait_for_change() - Wait for a change of a file of the command. Return: false after a signal. */
bool wait_for_change(struct run *run);

#endif
