/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload commands on the fake kernel: the object, the command line, the output and the notes. */
#ifndef PLOAD_TEST_FAULT_FAKE_SESSION_H
#define PLOAD_TEST_FAULT_FAKE_SESSION_H

#include "loader/core/print/output.h"
#include "test/fault/fake_kernel.h"

struct fake_session {
	struct fake_kernel *kernel;	/* owned */
	struct sys *sys;		/* the kernel's; a test may replace it by one that forwards */
	struct fake_path paths[12];	/* the first is prog.o, the others belong to the test */
	void *object;			/* owned */
	struct output output;
	struct error err;		/* of the last command, like everything below */
	int ret;
	char *out;			/* owned */
	size_t out_size;
	char notes[8192];		/* a line each */
};

/*
 * fake_session_object() - Read the object build/progs/@name.bpf.o as "prog.o". The test then adds
 * paths, and calls fake_session_begin(), which creates the kernel.
 */
void fake_session_object(struct fake_session *s, const char *name);
void fake_session_begin(struct fake_session *s);

/*
 * fake_session_run() - Run one command. Spaces separate the arguments in @args. The test fails if
 * the command leaves a descriptor open or breaks a rule of the kernel.
 */
void fake_session_run(struct fake_session *s, const char *args);

/* fake_session_succeeds() - Run one command, and fail the test if the command fails. */
void fake_session_succeeds(struct fake_session *s, const char *args);

void fake_session_end(struct fake_session *s);

#endif
