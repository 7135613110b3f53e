/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refused to bind a program, a row of `explanations`, and the trials to find out. */
#ifndef PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H
#define PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H

#include "loader/core/attach/steps.h"

/*
 * bind_failed() - Decode @code (positive) of @call. Return: -@code ("attach/...").
 * explain_bind() - FAILED_BIND.
 */
int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err);
void explain_bind(struct sys *sys, const void *failed, struct error *err);

/* --- bind_trial.c --- */

/**
 * bind_again() - Repeat the refused call. Return: 0 or -errno.
 * bind_trial() - Repeat it with a program of @type that only returns 0. The event keeps the program
 * if it is bound by ioctl(2), until it is closed, which the caller of a failed bind does.
 * @prog_flags: BPF_F_SLEEPABLE, or 0.
 * @ret: 0 or -errno of the call.
 *
 * Return: false if that program cannot be loaded: @ret is unchanged then.
 */
int bind_again(struct sys *sys, const struct bind_call *call);
bool bind_trial(struct sys *sys, const struct bind_call *call, uint32_t type, uint32_t prog_flags,
		int *ret);

#endif
