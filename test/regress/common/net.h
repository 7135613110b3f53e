/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A network that only this test can see, with traffic in it. */
#ifndef PLOAD_REGRESS_NET_H
#define PLOAD_REGRESS_NET_H

#include "test/regress/harness/regress.h"

/*
 * net_make() - create a network namespace with its loopback device up; skips the test if that is
 * not possible.
 */
void net_make(struct regress *t);

/*
 * net_connect() - a TCP connection over it: both ends, owned. @congestion: the congestion control
 * of the first end; NULL: the default.
 */
void net_connect(struct regress *t, int sockets[2], const char *congestion);

#endif
