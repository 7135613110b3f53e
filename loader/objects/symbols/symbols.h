/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Resolve names to locations: the file of "libc", and the file offset of a function or USDT probe
 * in it.
 */
#ifndef PLOAD_OBJECTS_SYMBOLS_SYMBOLS_H
#define PLOAD_OBJECTS_SYMBOLS_SYMBOLS_H

#include "elf/exec/usdt_notes.h"
#include "loader/core/event/event.h"

struct symbol_file;

/* The files opened so far, each parsed once. All zero means empty. */
struct symbols {
	struct sys *sys;	/* borrowed */
	const char *search;	/* borrowed; directories of programs, as in PATH */
	struct symbol_file **files;	/* owned */
	uint32_t nr_files;
};

/*
 * symbols_init() - Initialize @s, without opening anything yet. @search: $PATH; NULL: do not look
 * up programs by name.
 */
void symbols_init(struct symbols *s, struct sys *sys, const char *search);
void symbols_free(struct symbols *s);

/* A location for a uprobe. */
struct symbol_location {
	char *name;		/* owned; "name", "name@VERSION", USDT: "provider:name"; NULL: an
				 * offset was given */
	uint64_t file_offset;	/* for perf_event_attr.config2, or tracefs "PATH:OFFSET" */
	uint64_t ref_ctr_offset;	/* file offset of the USDT semaphore; 0: none */
	uint64_t address;	/* virtual address in the ELF file */
	struct sdt_arg *args;	/* owned; USDT: the arguments, with symbols resolved */
	uint32_t nr_args;
};

struct symbol_locations {
	char path[EVENT_PATH_MAX];	/* path that the kernel opens */
	struct symbol_location *list;	/* owned; ascending by file_offset, no duplicates */
	uint32_t nr;		/* at least 1 */
	uint64_t dev, ino;	/* the file's, as in struct stat */
	int fd;			/* borrowed from the struct symbols; the file that was read */
	bool fixed;		/* ET_EXEC: loaded at the addresses of the ELF file */
	char note[512];		/* note for the user; "": none */
};

/* The maximum locations of a pattern: MAX_UPROBE_MULTI_CNT in kernel/trace/bpf_trace.c. */
#define SYMBOL_LOCATIONS_MAX (1u << 20)

/**
 * symbols_resolve() - Find the locations of a UPROBE or USDT event.
 * @pid: the process whose mount namespace and mapped files to use; 0: pload's
 * @locations: one for a function; each match of a pattern ('*', '?', '['); each location of a USDT
 *	probe. Empty on failure.
 *
 * If the path of @spec contains no '/', it is the name of a program in PATH or of a library ("c",
 * "libc", "libc.so.6"). Its symbol is "name", "name@VERSION", or NULL with a file offset.
 *
 * Return: 0 or -errno, with a reason: "symbols/no-file", "symbols/no-process", "symbols/not-elf",
 * "symbols/machine", "symbols/damaged", "symbols/no-symbol" (with similar names),
 * "symbols/stripped", "symbols/ambiguous" (with each location), "symbols/no-version",
 * "symbols/imported", "symbols/not-code", "symbols/offset", "symbols/no-usdt".
 */
int symbols_resolve(struct symbols *s, const struct event_spec *spec, pid_t pid,
		    struct symbol_locations *locations, struct error *err);
void symbol_locations_free(struct symbol_locations *locations);

/* symbol_is_pattern() - Return true if the symbol of a UPROBE, which may be NULL, is a pattern. */
bool symbol_is_pattern(const char *symbol);

/**
 * symbols_mapped() - Find the addresses where a process has mapped a file offset as executable.
 * @max: capacity of @addresses
 *
 * Return: the number of addresses, which may exceed @max; -errno ("symbols/no-process").
 */
int symbols_mapped(struct symbols *s, pid_t pid, const char *path, uint64_t offset,
		   uint64_t *addresses, uint32_t max, struct error *err);

#endif
