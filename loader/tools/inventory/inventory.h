/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An inventory of the BPF programs and links on this system: what they are attached to, who holds
 * them, and what could not be seen.
 */
#ifndef PLOAD_TOOLS_INVENTORY_INVENTORY_H
#define PLOAD_TOOLS_INVENTORY_INVENTORY_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/kernel/kernel.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "loader/base/kernel/kernel_calls.h"

/* --- one link --- */

struct inventory_link {
	struct bpf_link_info info;	/* its pointers are stale */
	char *name;		/* owned; the function, file, tracepoint or iterator; NULL: none */
	uint64_t *locations;	/* owned; of multi links: addresses, or offsets in the file */
	uint64_t *cookies;	/* owned; one for each location */
	uint32_t nr_locations;
	bool has_event;		/* an entry of inventory.events belongs to it */
};

/**
 * inventory_link_read() - Read struct bpf_link_info of the link @fd with its names and lists.
 *
 * Needs Linux 5.8; later kernels report more for each type. Call inventory_link_free() only after
 * success.
 * Return: 0 or -errno.
 */
int inventory_link_read(struct sys *sys, int fd, struct inventory_link *link);
void inventory_link_free(struct inventory_link *link);

/* --- the target of a link --- */

/* Cached name lookups. Links to the same event or cgroup are adjacent. */
struct inventory_names {
	struct sys *sys;		/* borrowed */
	struct kernel_types types;	/* opened for the first link that needs them */
	bool has_event;			/* the following three members are set */
	uint32_t event_type;
	uint64_t event_config;
	char event[128];
	uint64_t cgroup_id;		/* 0: none yet */
	char cgroup[4096];
};

void inventory_names_init(struct inventory_names *names, struct sys *sys);
void inventory_names_free(struct inventory_names *names);

enum inventory_value { INVENTORY_NUMBER, INVENTORY_SIGNED, INVENTORY_HEX, INVENTORY_TEXT };

struct inventory_field {
	const char *key;		/* static */
	enum inventory_value kind;
	uint64_t number;
	char *text;			/* owned; for INVENTORY_TEXT */
};

#define INVENTORY_FIELDS 12		/* more than any link type has */

struct inventory_target {
	char text[512];			/* in a few words: "cpu-clock", "kprobe do_exit" */
	struct inventory_field fields[INVENTORY_FIELDS];
	unsigned int nr;
	uint64_t cookie;		/* 0: none, or not reported by this kernel */
	bool unknown;			/* not reported by this kernel, or an unknown link type */
	bool no_memory;			/* some fields are missing */
};

/**
 * inventory_target_read() - Describe what @link is attached to, in words and fields.
 *
 * An id without a name is printed as a number. Call inventory_target_free() in any case.
 * Return: 0 or -ENOMEM.
 */
int inventory_target_read(struct inventory_names *names, const struct inventory_link *link,
			  struct inventory_target *target, struct error *err);
void inventory_target_free(struct inventory_target *target);

/**
 * inventory_word() - Convert an ABI constant to a word: "BPF_LINK_TYPE_XDP" with the prefix
 *	"BPF_LINK_TYPE_" is "xdp".
 * @name: NULL for a constant without a name, whose word is @number in digits.
 *
 * Return: @buf.
 */
const char *inventory_word(const char *name, const char *prefix, uint32_t number, char *buf,
			   size_t size);

/* --- everything on this system --- */

enum inventory_kind { INVENTORY_MAP, INVENTORY_PROG, INVENTORY_LINK };

#define TASK_COMM 64	/* user processes have 16 bytes, kernel threads longer names */

/* A descriptor of a process. */
struct inventory_holder {
	enum inventory_kind kind;
	uint32_t id;
	pid_t pid;
	int fd;
	char comm[TASK_COMM];
};

/* A file in a bpffs. */
struct inventory_pin {
	enum inventory_kind kind;
	uint32_t id;
	char *path;			/* owned */
};

/* A descriptor of a tracing event that has a program. */
struct inventory_event {
	pid_t pid;
	int fd;
	char comm[TASK_COMM];
	struct task_fd_info info;
	uint32_t link_id;		/* 0: bound by ioctl, or by a link that was not seen */
};

/* Objects that could not be seen, and why. */
struct inventory_unseen {
	const char *what;		/* static */
	uint32_t count;			/* 0: unknown */
	pid_t pid;			/* 0: not of one process */
	char comm[TASK_COMM];
	char why[256];
};

struct inventory_prog {
	struct bpf_prog_info info;
};

/* Lists that the kernel may refuse completely. */
enum { INVENTORY_LINKS = 1, INVENTORY_EVENTS = 2, INVENTORY_PROGS = 4 };

/* Links and programs are in ascending order of id. All arrays are owned. */
struct inventory {
	struct sys *sys;		/* borrowed */
	struct inventory_link *links;
	struct inventory_prog *progs;
	struct inventory_holder *holders;
	struct inventory_pin *pins;
	struct inventory_event *events;
	struct inventory_unseen *unseen;
	uint32_t nr_links, nr_progs, nr_holders, nr_pins, nr_events, nr_unseen;
	unsigned int refused;		/* INVENTORY_* that may not be listed, */
	struct error why;		/* and why the first one may not */
};

/**
 * inventory_read() - Read everything that is currently visible.
 * inventory_read_holders() - Read only holders and events.
 * inventory_read_pins() - Read only pins.
 *
 * inventory.unseen records everything that the kernel refuses to show. Call inventory_free() in any
 * case.
 * Return: 0 or -ENOMEM.
 */
int inventory_read(struct sys *sys, struct inventory *a, struct error *err);
int inventory_read_holders(struct inventory *a, struct error *err);
int inventory_read_pins(struct inventory *a, struct error *err);
void inventory_free(struct inventory *a);

/** inventory_find_prog(), inventory_find_link() - Return the object with @id, or NULL. */
const struct inventory_prog *inventory_find_prog(const struct inventory *a, uint32_t id);
const struct inventory_link *inventory_find_link(const struct inventory *a, uint32_t id);

/**
 * inventory_kind_of_fd() - Find the kind and id of the BPF object behind @fd of this process.
 *
 * Return: 0 or -errno; -ENODATA if it is not one.
 */
int inventory_kind_of_fd(struct sys *sys, int fd, enum inventory_kind *kind, uint32_t *id);

#endif
