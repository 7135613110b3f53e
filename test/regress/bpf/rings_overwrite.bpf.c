// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The programs of rings.bpf.c, whose ring buffer overwrites its oldest records (Linux 6.19). */
#define RING_FLAGS BPF_F_RB_OVERWRITE
#include "rings.bpf.c"
