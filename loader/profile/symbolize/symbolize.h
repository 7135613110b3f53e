/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Name addresses using files written or chosen by other users' processes: executables, libraries,
 * and maps from JIT compilers. The sampled processes decide what is in them, so a separate process,
 * the reader, opens, parses and demangles them:
 *
 *	session (address_names)		reader (this folder)
 *	wall.c	    -- struct symbol_request -->	reader.c, confine.c
 *		    <-- struct symbol_answer ---	symbolizer.c
 *
 * The session limits how long it waits, and kills a reader that takes longer (wall.h). An answer is
 * never trusted to be more than text for an address.
 */
#ifndef PLOAD_PROFILE_SYMBOLIZE_SYMBOLIZE_H
#define PLOAD_PROFILE_SYMBOLIZE_SYMBOLIZE_H

#include "loader/core/event/event.h"
#include "loader/core/sys/sys.h"

#define SYMBOL_NAME_MAX 4096
#define SYMBOL_DOUBT_MAX 512
#define SYMBOL_PIDS_MAX 16

/* The identity of a file as reported by the kernel: its inode or its build ID. */
struct file_identity {
	uint32_t major, minor;
	uint64_t inode;		/* 0: not known */
	unsigned char build_id[20];
	uint32_t build_id_size;	/* 0: not known */
};

enum symbol_request_kind {
	SYMBOL_HOLD,		/* open the file, and keep it open: it may be deleted soon */
	SYMBOL_FUNCTION,	/* look up the function at an offset in the file */
	SYMBOL_JIT,		/* look up the function at an address in the process's perf map */
};

/* Sent up to the end of its path. Numbers that are 0 are unknown. */
struct symbol_request {
	uint32_t kind;
	uint32_t host;		/* 1: the process shares the mount namespace of pload */
	uint64_t file;		/* a number for the file, the same in every request */
	struct file_identity id;
	uint64_t start, end;	/* where process pids[0] maps it; 0: it no longer does */
	uint64_t at;		/* the offset in the file, or the address */
	uint32_t pid;		/* SYMBOL_JIT: in the PID namespace of the process ... */
	uint32_t uid;		/* ... and its effective user */
	uint32_t nr_pids;
	uint32_t pids[SYMBOL_PIDS_MAX];	/* processes with the same files; the first one mapped it */
	char path[EVENT_PATH_MAX];	/* as seen by its process; "[vdso]" */
};

/*
 * Sent up to the end of its texts. Every address from @begin up to @end has the same name; for
 * SYMBOL_FUNCTION they are file offsets.
 */
struct symbol_answer {
	uint64_t file;		/* of the request */
	uint8_t is_file;	/* it was opened, and is the file that was mapped */
	uint8_t has_address;	/* it is loaded from there */
	uint8_t has_name;
	uint64_t address;	/* as linked */
	uint64_t start;		/* of the function, in the same unit as begin and end */
	uint64_t begin, end;
	uint16_t doubt_len, name_len;
	char text[SYMBOL_DOUBT_MAX + SYMBOL_NAME_MAX];	/* the doubt, then the name */
};

struct symbolizer;

/**
 * symbolizer_new() - Return a symbolizer that has not opened anything; NULL if out of memory.
 * @sys: borrowed
 *
 * symbolizer_answer() - Fill in @answer. Never fails: the doubt says what is unknown.
 * symbolizer_free() - Close all files. @z may be NULL.
 */
struct symbolizer *symbolizer_new(struct sys *sys);
void symbolizer_answer(struct symbolizer *z, const struct symbol_request *request,
		       struct symbol_answer *answer);
void symbolizer_free(struct symbolizer *z);

/* symbol_request_size(), symbol_answer_size() - Return how many of its bytes are sent. */
size_t symbol_request_size(const struct symbol_request *request);
size_t symbol_answer_size(const struct symbol_answer *answer);

/*
 * symbol_request_is_valid(), symbol_answer_is_valid() - Establish that the @size received bytes are
 * consistent with their length fields and that the path is terminated.
 */
bool symbol_request_is_valid(struct symbol_request *request, size_t size);
bool symbol_answer_is_valid(const struct symbol_answer *answer, size_t size);

#endif
