/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A frame of a call stack, and the interface that names its address. */
#ifndef PLOAD_PROFILE_STACKS_FRAME_H
#define PLOAD_PROFILE_STACKS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The address of a frame with its known names:
 *
 *	function+0x1a (file)
 *
 * All pointers are borrowed from the namer and stay valid until it may drop them.
 */
struct frame {
	uint64_t address;
	const char *symbol;	/* demangled; NULL: no symbol table has the address */
	uint64_t offset;	/* from the start of @symbol; without one, in @file; else 0 */
	const char *file;	/* a path, "[kernel]", "[MODULE]", "[bpf]", "[vdso]", or NULL */
	bool by_build_id;	/* @address is an offset in the file with this build ID: no name */
	unsigned char build_id[20];
	const char *doubt;	/* why the frame cannot be trusted; NULL: it can */
};

/* An address in a call stack, and the address space it belongs to. */
struct frame_query {
	uint64_t address;
	bool kernel;		/* else of process @pid */
	bool caller;		/* a return address: the call is before it */
	uint32_t pid;		/* 0: unknown; then @comm or all sampled processes decide */
	const char *comm;	/* NULL: not known */
};

/* Gives addresses their names. Implemented in profile/address_names. */
struct frame_namer {
	void (*name)(struct frame_namer *namer, const struct frame_query *query,
		     struct frame *frame);
	/* Previously named frames are no longer used. */
	void (*forget)(struct frame_namer *namer);
};

#endif
