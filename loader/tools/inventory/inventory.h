/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is attached on this system, whoever has done it: what can be seen of it, and what cannot. */
#ifndef PLOAD_TOOLS_INVENTORY_INVENTORY_H
#define PLOAD_TOOLS_INVENTORY_INVENTORY_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/kernel/kernel.h"
#include "loader/features/kernel_types/kernel_types.h"

/* --- one link --- */

struct attached_link {
	struct bpf_link_info info;	/* pointers in it lead nowhere any more */
	char *name;		/* owned; function, file or tracepoint, or what is iterated over; NULL:
				 * it has none, or this kernel does not tell */
	uint64_t *places;	/* owned; of the multi kinds: addresses, or offsets in the file */
	uint64_t *cookies;	/* owned; of each place */
	uint32_t nr_places;
	bool has_event;		/* one of struct attached's events is its */
};

/*
 * attached_link_read() - what the kernel says of the link @fd. 0 or -errno; on failure @link is
 * empty, otherwise attached_link_free() it. Linux 5.8; more of each type with later ones.
 */
int attached_link_read(struct sys *sys, int fd, struct attached_link *link);
void attached_link_free(struct attached_link *link);

/* --- where a link is attached, in words --- */

/* Where names of ids are looked up. */
struct attached_names {
	struct sys *sys;		/* borrowed */
	struct kernel_types types;	/* opened by the first link that needs it */
	bool has_event;			/* the last event looked up: links to one follow each
					 * other */
	uint32_t event_type;
	uint64_t event_config;
	char event[128];
	uint64_t cgroup_id;		/* likewise */
	char cgroup[4096];
};

void attached_names_init(struct attached_names *names, struct sys *sys);
void attached_names_free(struct attached_names *names);

enum attached_value { ATTACHED_NUMBER, ATTACHED_SIGNED, ATTACHED_HEX, ATTACHED_TEXT };

/* One thing that is known about where a link is attached. */
struct attached_field {
	const char *key;		/* static */
	enum attached_value kind;
	uint64_t number;
	char *text;			/* owned; TEXT */
};

#define ATTACHED_FIELDS 12		/* more than any row of the table of types fills in */

struct attached_place {
	char where[512];		/* all of it in a few words: "cpu-clock", "kprobe
					 * do_exit" */
	struct attached_field fields[ATTACHED_FIELDS];
	unsigned int nr;
	uint64_t cookie;		/* 0: none, or this kernel does not tell */
	bool untold;			/* this kernel does not tell where; or not in words known
					 * here */
};

/*
 * attached_place_of() - fails with ENOMEM only: what has no name here is a number.
 * attached_place_free() it also then.
 */
int attached_place_of(struct attached_names *names, const struct attached_link *link,
		      struct attached_place *place, struct error *err);
void attached_place_free(struct attached_place *place);

/*
 * attached_word() - a name of the ABI as a word: "BPF_LINK_TYPE_XDP" without @prefix is "xdp". NULL
 * is
 * @number, in digits. Returns @buf.
 */
const char *attached_word(const char *name, const char *prefix, uint32_t number, char *buf,
			  size_t size);

/* --- who holds it --- */

enum attached_kind { ATTACHED_MAP, ATTACHED_PROG, ATTACHED_LINK };

#define TASK_COMM 64	/* 16 for processes; the kernel's threads have longer names */

/* A descriptor of a process. */
struct attached_holder {
	enum attached_kind kind;
	uint32_t id;
	pid_t pid;
	int fd;
	char comm[TASK_COMM];
};

/* A name in bpffs. */
struct attached_pin {
	enum attached_kind kind;
	uint32_t id;
	char *path;			/* owned */
};

/* A descriptor of a perf event that runs a program for a tracing event. */
struct attached_event {
	pid_t pid;
	int fd;
	char comm[TASK_COMM];
	struct task_fd_info info;
	uint32_t link_id;		/* of the link that has bound it; 0: an ioctl, as far as
					 * is seen */
};

/* Something that was not seen, and why. */
struct attached_unseen {
	const char *what;		/* static */
	uint32_t count;			/* 0: nobody knows how many */
	pid_t pid;			/* whose; 0: of nobody or many */
	char comm[TASK_COMM];
	char why[256];
};

struct attached_prog {
	struct bpf_prog_info info;
};

/* Ascending by id where there are ids. All owned. */
struct attached {
	struct sys *sys;		/* borrowed */
	struct attached_link *links;
	struct attached_prog *progs;
	struct attached_holder *holders;
	struct attached_pin *pins;
	struct attached_event *events;
	struct attached_unseen *unseen;
	uint32_t nr_links, nr_progs, nr_holders, nr_pins, nr_events, nr_unseen;
};

/*
 * attached_read() - all that can be seen now; what changes meanwhile is seen or not. Fails with
 * ENOMEM only: what is refused is in @a->unseen. attached_free() it also then.
 * attached_holders() - only who holds what (holders, events); attached_pins() - only the pins.
 */
int attached_read(struct sys *sys, struct attached *a, struct error *err);
int attached_holders(struct attached *a, struct error *err);
int attached_pins(struct attached *a, struct error *err);
void attached_free(struct attached *a);

/* attached_find_prog(), attached_find_link() - that of @id, or NULL. */
const struct attached_prog *attached_find_prog(const struct attached *a, uint32_t id);
const struct attached_link *attached_find_link(const struct attached *a, uint32_t id);

/*
 * attached_kind_of() - what the descriptor @fd of this process is of, and its id. 0 or -errno:
 * -ENODATA when it is something else.
 */
int attached_kind_of(struct sys *sys, int fd, enum attached_kind *kind, uint32_t *id);

#endif
