/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From names to locations: which file "libc" is, and where in it a function or a USDT probe lies. A
 * room beside the core: cmd calls it between event_parse() and attaching.
 */
#ifndef PLOAD_FEATURES_SYMBOLS_SYMBOLS_H
#define PLOAD_FEATURES_SYMBOLS_SYMBOLS_H

#include "elf/exec/usdt_notes.h"
#include "loader/event/event.h"

struct symbol_file;

/* The files looked into so far, each opened and understood once. Zeroed is empty. */
struct symbols {
	struct sys *sys;	/* borrowed */
	const char *search;	/* borrowed; directories for programs, as PATH has them */
	struct symbol_file **files;	/* owned */
	uint32_t nr_files;
};

/*
 * symbols_init() - opens nothing yet. @search: what PATH says; NULL: no program is found by name.
 */
void symbols_init(struct symbols *s, struct sys *sys, const char *search);
void symbols_free(struct symbols *s);

/* One location for a uprobe. */
struct symbol_location {
	char *name; /* owned; the function, "name" or "name@VERSION"; USDT:
		     * "provider:name"; NULL: an offset was given */
	uint64_t file_offset;	/* for perf_event_attr.config2, or tracefs "PATH:OFFSET" */
	uint64_t ref_ctr_offset;	/* of the semaphore in the file; 0: it has none */
	uint64_t address;	/* as the file was linked */
	struct sdt_arg *args;	/* owned; USDT: where its arguments are, without symbols */
	uint32_t nr_args;
};

struct symbol_locations {
	char path[EVENT_PATH_MAX];	/* what the kernel is to open; for messages, too */
	struct symbol_location *list; /* owned; ascending by file_offset, each offset once */
	uint32_t nr;	/* at least 1 */
	uint64_t dev, ino;	/* of the file, as fstat(2) has them */
	bool fixed;	/* ET_EXEC: it runs at the addresses it was linked for */
	char note[512];	/* what the user would be surprised by; "" when there is nothing */
};

/*
 * No more locations are listed for one pattern: MAX_UPROBE_MULTI_CNT of kernel/trace/bpf_trace.c,
 * which is what one link takes.
 */
#define SYMBOL_LOCATIONS_MAX (1u << 20)

/*
 * symbols_resolve() - the locations that @spec, a UPROBE or a USDT, names: one for a function; for
 * a pattern ('*', '?', '[') each function that it matches; for a USDT each location of its notes.
 * @pid: the process whose files and libraries are meant; 0: those of pload itself.
 *
 * spec->path is a path when it has a '/', else the name of a program (PATH) or of a library ("c",
 * "libc", "libc.so.6"). spec->second is "name", "name@VERSION", or "" with the offset in the file.
 *
 * Fails with the cause, a hint and a reason: "symbols/no-file", "symbols/no-process",
 * "symbols/not-elf", "symbols/machine", "symbols/damaged", "symbols/no-symbol" (the nearest names),
 * "symbols/stripped", "symbols/ambiguous" (each location), "symbols/no-version",
 * "symbols/imported", "symbols/not-code", "symbols/offset", "symbols/no-usdt". On failure
 * @locations is empty.
 */
int symbols_resolve(struct symbols *s, const struct event_spec *spec, pid_t pid,
		    struct symbol_locations *locations, struct error *err);
void symbol_locations_free(struct symbol_locations *locations);

/* symbol_is_pattern() - whether a UPROBE's symbol stands for all that match it. */
bool symbol_is_pattern(const char *symbol);

/*
 * symbols_mapped() - at which addresses process @pid has the byte at @offset of file @path where it
 * can be run, into @addresses, of which there are @max. Returns how many there are, more than @max
 * too. Fails with "symbols/no-process".
 */
int symbols_mapped(struct symbols *s, pid_t pid, const char *path, uint64_t offset,
		   uint64_t *addresses, uint32_t max, struct error *err);

#endif
