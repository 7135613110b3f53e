/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The stages, each in the file that has its checks, and the checks that several of them share. */
#ifndef PLOAD_TEST_JUDGE_STAGES_H
#define PLOAD_TEST_JUDGE_STAGES_H

#include "test/judge/judge.h"

extern const struct stage stage_sections, stage_symbols, stage_functions, stage_maps;	/* print.c */
extern const struct stage stage_create, stage_data;					/* create.c */
extern const struct stage stage_references, stage_calls;				/* code.c */
extern const struct stage stage_load, stage_log;					/* load.c */
extern const struct stage stage_event, stage_pmu, stage_link, stage_cpus;		/* attach.c */
extern const struct stage stage_values, stage_ring;					/* read.c */
extern const struct stage stage_end, stage_pin;						/* end.c */
extern const struct stage stage_core;							/* core.c */

#define METHODS_PAGE "book/methods.md"

/* The row of a check that each stage has whose program attaches. */
#define READY(stage) \
	{ stage ".ready", check_ready, "your program is ready, and waits", METHODS_PAGE, \
	  { "See point 3 of the contract.", "Read standard input until it ends.", \
	    "print(\"ready\", flush=True); sys.stdin.read()" } }

/* code.c: BPF_PROG_LOAD was called with as many instructions as the program has, or more. */
bool check_load_tried(struct run *run);
/* load.c: the program was accepted. */
bool check_loaded(struct run *run);
/* attach.c: "ready" was printed, and the program has run. */
bool check_ready(struct run *run);
bool check_runs(struct run *run);

#endif
