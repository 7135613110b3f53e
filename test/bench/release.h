/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Release thousands of programs without releasing too many at once. */
#ifndef PLOAD_BENCH_RELEASE_H
#define PLOAD_BENCH_RELEASE_H

/*
 * A kernel (6.18) can lock up when a thousand programs are let go at once on one CPU: each takes a
 * worker of system_wq that waits for pack_mutex (kernel/bpf/core.c), whose holder waits for a
 * worker to flush what was mapped. So each program is kept by a descriptor of our own when it is
 * loaded, and these are closed a few at a time once the loader has closed its own.
 *
 * release_prepare() - to be called first: this process stays on one CPU, where what is let go of
 * first is freed first.
 * release_keep() - @fd is what BPF_PROG_LOAD returned.
 * release_all() - close what was kept. Returns 0 once all works are under way and most are done, or
 * -1 when that takes more than a minute: nothing more must be loaded then.
 */
void release_prepare(void);
void release_keep(long fd);
int release_all(void);

#endif
