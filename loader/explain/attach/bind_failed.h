/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refused to bind a program: a row of `explanations`, and the trials behind it. */
#ifndef PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H
#define PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H

#include "loader/core/attach/steps.h"

/*
 * bind_failed() - Explain why @call failed with the positive @code. Return: -@code ("attach/...").
 * explain_bind() - FAILED_BIND.
 */
int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err);
void explain_bind(struct sys *sys, const void *failed, struct error *err);

/* --- bind_trial.c --- */

/**
 * bind_again() - Repeat the refused call. Return: 0 or -errno.
 * bind_trial() - Repeat it with an empty program of @type. If ioctl(2) binds it, the event keeps
 * the program until closed; the caller closes the event after a failed bind anyway.
 * @prog_flags: BPF_F_SLEEPABLE, or 0.
 * @ret: set to 0 or -errno of the call.
 *
 * Return: false if that program cannot be loaded, which leaves @ret unchanged.
 */
int bind_again(struct sys *sys, const struct bind_call *call);
bool bind_trial(struct sys *sys, const struct bind_call *call, uint32_t type, uint32_t prog_flags,
		int *ret);

#endif
