/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The facts behind the findings: objects, how programs were attached, refused calls. */
#ifndef PLOAD_OBSERVE_WATCH_FACTS_H
#define PLOAD_OBSERVE_WATCH_FACTS_H

#include <linux/perf_event.h>

#include "loader/observe/watch/copy.h"

#define FACTS_MAX 65536		/* at most this many objects, attachments and refusals are kept */

/* A map, program, BTF, link or event that was created. */
struct fact_object {
	enum fd_kind kind;
	pid_t pid;		/* the process that created it */
	uint32_t id;		/* the kernel's; 0: none, or unknown */
	char name[20];
	uint32_t type;		/* of a map or program */
	uint32_t nr;		/* entries of a map, instructions of a program, bytes of a BTF */
	bool filled, read, frozen_empty, mapped;	/* a map */
	bool inner;		/* a map to which an instruction or an element may refer */
	bool attached, tested;	/* a program */
	bool is_probe;		/* it was closed unused: fact_is_probe() */
	unsigned int holders;	/* how many known descriptors it has */
	bool pinned, inherited;	/* by a program that was executed */
	struct perf_event_attr attr;	/* an event: the CPU and task it counts */
	int cpu, tid;
	char target[80];	/* a probe opened by its PMU: the file or function; or "" */
	bool enabled, has_output, bound;
};

enum fact_how { BY_IOCTL, BY_LINK, BY_RAW_TRACEPOINT, BY_PROG_ATTACH };

struct fact_attachment {
	enum fact_how how;
	int prog, event;	/* indices of objects; -1: unknown, or not an event */
	int link;
	uint32_t attach_type;
	uint64_t cookie;
};

/* A refused call. Calls with the same visible details count as one refusal. */
struct fact_refusal {
	pid_t pid;
	long nr;
	unsigned long cmd;	/* of bpf(2), or the request of ioctl(2) */
	int code;		/* positive errno */
	unsigned int times;
	char what[160];		/* "BPF_PROG_LOAD of program 'x' (kprobe, 12 instructions)" */
	char name[20];		/* of the object, or "" */
	uint32_t type, sizes[2];	/* of the map or program: a repeated call has the same */
	char cause[512];	/* "" if it is not known */
	char hint[512];
	bool is_checked;	/* the cause was verified, not guessed */
	bool is_probe;
	int prog;		/* the program to be bound, or -1 */
	bool was_overcome;	/* later, a call succeeded that does the same, in whatever way */
	const char *instead;	/* how, or NULL */
};

struct facts {
	struct fact_object *objects;	/* owned */
	unsigned int nr_objects;
	struct fact_attachment *attachments;	/* owned */
	unsigned int nr_attachments;
	struct fact_refusal *refusals;	/* owned; in the order of their last occurrence */
	unsigned int nr_refusals;
	char (*pins)[256];		/* owned: paths */
	unsigned int nr_pins;
	uint64_t nr_calls;
	uint64_t left_out;	/* the number of these that did not fit */
	unsigned int nr_foreign;	/* processes that made calls through another ABI */
	bool raised_memlock, ran_syscall_prog, has_filter;
};

/* The descriptors of a process that refer to objects. */
struct held_fd {
	int fd, object;
};

struct held_fds {
	struct held_fd *list;	/* owned */
	unsigned int nr;
};

/** held_object() - Return the index of the object that @fd refers to, or -1. */
int held_object(const struct held_fds *held, int fd);
bool held_add(struct facts *facts, struct held_fds *held, int fd, int object);
void held_remove(struct facts *facts, struct held_fds *held, int fd);

/*
 * facts_close() - The same for a descriptor that a process has closed, and goes on: a small program
 * or a map that nothing used was a probe, whatever its name.
 */
void facts_close(struct facts *facts, struct held_fds *held, int fd);

/**
 * facts_call() - Take account of a call that has returned @ret.
 * @held: the descriptors of the process, to which a new one is added
 *
 * Return: the refusal if it was refused, for its cause; NULL otherwise.
 */
struct fact_refusal *facts_call(struct facts *facts, struct held_fds *held, pid_t pid,
				const struct copy *copy, long ret);

/* facts_room() - Return room for one more row of a table, zeroed; NULL: it is full. */
void *facts_room(struct facts *facts, void **list, unsigned int *nr, size_t size);
#define ADD(facts, table) \
	facts_room(facts, (void **)&(facts)->table, &(facts)->nr_##table, \
		   sizeof(*(facts)->table))

/*
 * facts_name() - Copy the name of a map or program, which may contain any byte, as printable text.
 */
void facts_name(char name[20], const char *from);

/** facts_fd_id() - Return the id in /proc/@pid/fdinfo/@fd, or 0. */
uint32_t facts_fd_id(pid_t pid, int fd);
void facts_free(struct facts *facts);

/** fact_is_probe() - Return true if it was created to find out what the kernel supports. */
bool fact_is_probe(const struct fact_object *o);

/** facts_is_probe() - Return true if the call seems to test what the kernel supports. */
bool facts_is_probe(const struct copy *copy, long ret);

/* --- refusals.c --- */

/* refusals_add() - Add a call that was refused with @code (positive), or count it again. */
struct fact_refusal *refusals_add(struct facts *facts, const struct held_fds *held, pid_t pid,
				  const struct copy *copy, int code);
/* refusals_overcome() - Mark the refusals that this accepted call makes up for. */
void refusals_overcome(struct facts *facts, pid_t pid, const struct copy *copy);

/*
 * fact_prog_type(), fact_map_type() - Write a type without its prefix, "perf_event".
 * Return: @to.
 */
const char *fact_prog_type(uint32_t type, char to[48]);
const char *fact_map_type(uint32_t type, char to[48]);

/* --- event_name.c --- */

/* event_target() - Read the target of a PMU's probe from the memory of its stopped task. */
void event_target(struct fact_object *event, pid_t pid);

/* event_text() - Name the event: "PERF_COUNT_SW_CPU_CLOCK", "PMU uprobe, /bin/sh+0x1234". */
void event_text(const struct fact_object *event, char *to, size_t size);
bool event_pmu(uint32_t type, char name[64]);

/* --- findings.c --- */

/**
 * findings_each() - Make the findings, a sentence each.
 * @each: is called with each sentence
 * @status: of the command, as waitpid(2) has it, or -1
 */
void findings_each(const struct facts *facts, int status,
		   void (*each)(void *arg, const char *kind, const char *sentence), void *arg);

#endif
