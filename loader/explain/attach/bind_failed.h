/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refused to bind a program: a row of `explanations`. */
#ifndef PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H
#define PLOAD_EXPLAIN_ATTACH_BIND_FAILED_H

#include "loader/core/attach/steps.h"

/*
 * bind_failed() - Decode @code (positive) of @call. Return: -@code ("attach/...").
 * explain_bind() - FAILED_BIND.
 */
int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err);
void explain_bind(struct sys *sys, const void *failed, struct error *err);

#endif
