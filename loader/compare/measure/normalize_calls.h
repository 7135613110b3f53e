/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes the texts of equivalent calls equal, so that the calls of several cells can be compared. */
#ifndef PLOAD_COMPARE_MEASURE_NORMALIZE_CALLS_H
#define PLOAD_COMPARE_MEASURE_NORMALIZE_CALLS_H

#include "loader/compare/measure/record_calls.h"

/**
 * normalize_args() - Normalize the arguments of a call.
 * normalize_result() - Normalize its result.
 * @text: as --trace prints it.
 *
 *	ioctl(7, PERF_EVENT_IOC_SET_BPF, 5)	-> event, PERF_EVENT_IOC_SET_BPF, program
 *	read(8, 0x7ffd41c0, 64)			-> id, buffer, 64
 *	write(9, "p:pload/p_77_1 ...", 30)	-> uprobe_events, "p:pload/NAME ...", 30
 *	..., config=1834, ...			-> ..., config=ID, ...
 *
 * Return: malloc'ed; NULL when there is no memory.
 */
char *normalize_args(struct recorder *r, long nr, const unsigned long arg[6], const char *text);
char *normalize_result(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		       const char *text);

#endif
