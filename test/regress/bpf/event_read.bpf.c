// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program of each type that reads a counter, by bpf_perf_event_read() and by _read_value(). */
#include "test/regress/bpf/helper_prog.h"

#ifndef EVENTS_FLAGS
#define EVENTS_FLAGS 0
#endif

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(map_flags, EVENTS_FLAGS);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

MAP(sockets, SOCKMAP, 1, __u32, __u64);

/* in[0]: flags and index. out[0] to out[2] by _read_value; out[4], out[5] with the wrong size. */
#define CARRIED(ctx, io) do { \
		(void)ctx; \
		io->ret[0] = bpf_perf_event_read(&events, io->in[0]); \
		io->ret[1] = bpf_perf_event_read_value(&events, io->in[0], (void *)io->out, 24); \
		io->out[4] = io->out[5] = ~0ULL; \
		io->ret[2] = bpf_perf_event_read_value(&events, io->in[0], (void *)&io->out[4], \
						       16); \
	} while (0)

#include "test/regress/bpf/carrier.h"
#include "test/regress/bpf/map.h"
