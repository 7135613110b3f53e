/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways to attach many times, the process that does so, and the results. */
#ifndef PLOAD_COMPARE_SCALE_SCALE_INTERNAL_H
#define PLOAD_COMPARE_SCALE_SCALE_INTERNAL_H

#include "loader/compare/document/document.h"
#include "loader/compare/scale/scale.h"
#include "loader/compare/scale/waits.h"
#include "loader/core/attach/attach.h"

/* --- ways: ways.c --- */

enum scale_kind {
	SCALE_SOFTWARE,		/* page faults of one task; each event samples all of them */
	SCALE_CPUS,		/* cpu-clock on each CPU */
	SCALE_TASKS,		/* page faults of one task each */
	SCALE_TRACEPOINT,	/* as many tracepoints, only one of which is hit */
	SCALE_KPROBE,		/* as many kernel functions, only one of which is hit */
	SCALE_UPROBE,		/* as many functions of one file, only one of which is hit */
	SCALE_USDT,		/* the same with semaphores */
	SCALE_NR_KINDS,
};

enum scale_bind {
	SCALE_IOCTL, SCALE_LINK,
	SCALE_MULTI,		/* one link for all locations */
	SCALE_RAW,		/* BPF_RAW_TRACEPOINT_OPEN */
};

struct scale_way {
	enum scale_kind kind;
	const char *name;	/* "pmu+link" */
	bool by_tracefs;	/* the probe is a line in tracefs */
	enum scale_bind bind;
};

#define SCALE_NR_WAYS 22
extern const struct scale_way scale_ways[SCALE_NR_WAYS];

/* scale_kind_what() - Return what is attached to, such as "functions of one file". */
const char *scale_kind_what(enum scale_kind kind);

/* The locations found on this machine, for the kinds that are measured. */
struct scale_locations {
	struct sys *sys;
	struct cpu_list cpus;		/* owned */
	struct event_list tracepoints;	/* owned; the first is task:task_rename */
	char **functions;		/* owned; in the kernel; the first is getppid()'s */
	unsigned int nr_functions;
};

/**
 * scale_locations_add() - Find those of @kind.
 *
 * Return: how many there are, SCALE_MOST if as many as are wanted can be created; or -errno.
 */
#define SCALE_MOST 100000
int scale_locations_add(struct scale_locations *l, enum scale_kind kind, struct error *err);
void scale_locations_free(struct scale_locations *l);

/* --- one process: worker.c, prepare_many.c, attach_many.c --- */

/* How the attachments end. */
enum scale_end {
	SCALE_CLOSE,		/* links, then events, in the order of attaching, then lines */
	SCALE_EXIT,		/* the process exits */
	SCALE_KILL,		/* SIGKILL */
	SCALE_EVENTS_FIRST,	/* tricks, each a variant of SCALE_CLOSE */
	SCALE_DISABLE,
	SCALE_THREADS,
	SCALE_NR_ENDS,
};

/* "close", "exit", "kill", "events_first", "disable", "threads" */
extern const char *const scale_end_names[SCALE_NR_ENDS];

#define SCALE_CLOSERS 8	/* tasks that close at the same time */

/* The attachments of one process, in which this struct lives. */
struct scale_many {
	struct sys sys;		/* first: counts the calls, and passes them on */
	struct sys *next;
	uint64_t calls;
	const struct scale_way *way;
	const struct scale_locations *locations;
	unsigned int number;
	int map_fd, prog_fds[2];	/* the second is for a second attachment at a location */
	int file_fd;		/* UPROBE, USDT: the file with the functions */
	void (*function)(void);	/* ... the first of them, mapped */
	char path[32];		/* ... "/proc/self/fd/7" */
	pid_t *tasks;		/* TASKS */
	int tasks_fd;		/* they exit when it is closed */
	struct perf_event_attr attr;
	char symbol[PROBE_FUNCTION_MAX];
	struct probes probes;
	struct attachment *list;	/* for a multi link only the first */
	unsigned int nr;
};

/**
 * scale_many_prepare() - Load the programs, create the functions or tasks.
 * scale_many_attach() - Attach @number times; what was attached when it fails stays so.
 * scale_many_attach_second() - Attach another program to the first location.
 * scale_many_detach_second() - Detach it.
 * scale_many_detach() - End by SCALE_CLOSE or a trick.
 * scale_many_hit_ns() - Return the time that one hit of the first location takes.
 * scale_many_runs() - Return how often the programs have run.
 *
 * Return: 0 or -errno.
 */
int scale_many_prepare(struct scale_many *m, struct error *err);
int scale_many_attach(struct scale_many *m, struct error *err);
int scale_many_attach_second(struct scale_many *m, struct error *err);
void scale_many_detach_second(struct scale_many *m);
int scale_many_detach(struct scale_many *m, enum scale_end end, struct error *err);
uint64_t scale_many_hit_ns(const struct scale_many *m);
uint64_t scale_many_runs(const struct scale_many *m);

/* The distance between two functions of the file, in bytes; they are shorter. */
#define SCALE_STRIDE 32

/*
 * scale_many_is_user() - Return true for UPROBE and USDT.
 * scale_many_semaphores_at() - Return the offset of their semaphores in the file.
 * scale_many_attach_type() - Return the attach type that the programs are loaded for.
 */
bool scale_many_is_user(const struct scale_many *m);
size_t scale_many_semaphores_at(const struct scale_many *m);
uint32_t scale_many_attach_type(const struct scale_many *m);

/* A number that may not be known. */
#define SCALE_UNKNOWN UINT64_MAX

/* The results of one process. */
struct scale_figures {
	uint64_t attach_ns, attach_calls;
	uint64_t detach_ns, detach_calls;	/* 0 for a process that exits */
	uint64_t gone_ns;	/* until its program was released; SCALE_UNKNOWN: not within 10 s */
	uint64_t nothing_ns, hit_ns, second_ns;	/* of a hit: of none attached, all, a second one */
	uint64_t second_wall_ns;	/* the time to measure the second one */
	uint64_t fds, lines;	/* descriptors and lines in tracefs used by attaching */
	uint64_t left_lines;	/* left after the process has exited */
	uint64_t memory;	/* bytes of kernel memory used by all */
	struct wait_counts attach_waits, detach_waits;
};

struct scale_request {
	struct sys *sys;
	const struct scale_way *way;
	const struct scale_locations *locations;
	struct waits *waits;
	unsigned int number;
	enum scale_end end;
	bool hits;		/* measure hits */
	bool (*stop)(void *arg);	/* called every 50 ms; true ends the process */
	void *arg;
};

/**
 * scale_run() - Attach in a process of its own, and detach.
 *
 * Lines of tracefs that the process leaves are counted and removed.
 * Return: 0; -EINTR: stopped; or -errno of what was refused.
 */
int scale_run(const struct scale_request *req, struct scale_figures *f, struct error *err);

/* --- all that is measured: measure_ways.c --- */

#define SCALE_FULL_ENDS 3	/* SCALE_CLOSE, SCALE_EXIT and SCALE_KILL; the others are tricks */

/* One way, number and end. */
struct scale_cell {
	bool measured;
	const char *skipped;	/* "time", "too few", "refused", "stopped"; or NULL */
	uint64_t wall_ns;	/* that measuring it took */
	struct scale_figures f;
};

struct scale_measured {
	const struct scale_way *way;
	struct error refused;	/* owned; why it cannot attach ... */
	unsigned int refused_at;	/* ... this many times; 0: it was not refused */
	struct scale_cell cells[SCALE_NUMBERS_MAX][SCALE_NR_ENDS];
};

struct scale_all {
	struct sys *sys;
	struct scale_words words;	/* with numbers */
	uint64_t budget_ns;	/* 0: none */
	struct scale_locations locations;
	struct waits *waits;
	struct error no_waits;	/* owned; why waits are not counted */
	struct scale_measured ways[SCALE_NR_WAYS];
	unsigned int nr;
	bool (*stop)(void *arg);
	void *arg;
	bool on_terminal;
};

/** scale_measure_ways() - Measure as much as time permits. */
void scale_measure_ways(struct scale_all *all);

/* --- model.c --- */

/* The cost of n attachments: fixed + n * each. */
struct scale_fit {
	unsigned int points;	/* how many numbers were measured; 0: no fit */
	double fixed, each;
	double error;		/* the largest relative deviation of a point; 0 for two points */
};

/**
 * scale_fit_of() - Fit the costs of one way.
 * @end: of this end; SCALE_NR_ENDS: of attaching.
 * @of_what: a wait_kind: the number of these waits; or one of the following.
 */
struct scale_fit scale_fit_of(const struct scale_all *all, const struct scale_measured *of,
			      unsigned int end, unsigned int of_what);
#define SCALE_FIT_NS WAIT_NR_KINDS		/* the time */
#define SCALE_FIT_WALL (WAIT_NR_KINDS + 1)	/* the duration of the whole measurement */

/** scale_fit() - Fit @y against @x, each point weighted by its relative error. */
struct scale_fit scale_fit(const double *x, const double *y, unsigned int nr);

/* --- scale_json.c --- */

/** scale_json() - Return the member "scale" of the document, new; NULL: no memory. */
struct json_object *scale_json(const struct scale_all *all);

#endif
