/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A recorded call in a few words: its kind, and the arguments that identify it. */
#ifndef PLOAD_OBSERVE_STEP_CALL_TEXT_H
#define PLOAD_OBSERVE_STEP_CALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "loader/core/value/json_object.h"

#define CALL_KIND 96

/* One call. Printable ASCII only: other bytes are replaced by '?'. */
struct call_text {
	char name[64];		/* "openat", "BPF_MAP_CREATE", "PERF_EVENT_IOC_ENABLE" */
	char kind[CALL_KIND];	/* the same for calls of the same purpose: "bind", "close link" */
	char **args;		/* owned: "event", "PERF_TYPE_SOFTWARE", "config=0x3c" */
	unsigned int nr;
	char *returned;		/* owned: what read(2) returned; NULL: nothing */
	bool failed;		/* memory has run out */
};

/* In the path of a PMU in sysfs, CALL_PMUS stands for CALL_PMUS_PATH. */
#define CALL_PMUS "PMUS/"
#define CALL_PMUS_PATH "/sys/bus/event_source/devices/"

/**
 * call_text_init() - Fill @c from @step, an object of --trace=json.
 *
 * Omits addresses, sizes, flags of openat(2) and numbers of descriptors, whose names are shown
 * instead. Symbols stand alone, numbers and strings with the name of their member.
 * Return: false for ENOMEM; free @c even then.
 */
bool call_text_init(struct call_text *c, struct json_object *step);
void call_text_free(struct call_text *c);

#endif
