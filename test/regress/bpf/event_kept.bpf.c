// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* event_read.bpf.c with a map that keeps its events until they are deleted from it. */
#include <linux/bpf.h>

#define EVENTS_FLAGS BPF_F_PRESERVE_ELEMS
#include "test/regress/bpf/event_read.bpf.c"
