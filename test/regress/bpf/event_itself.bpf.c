// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that reads the event it runs on by each helper that can. */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

/* ret[0] is the count, or an error; out[0] to out[2] by _read_value, out[3] to out[5] without it. */
HELPER(perf_prog_read_value)
{
	io->ret[0] = bpf_perf_event_read(&events, 0);
	io->ret[1] = bpf_perf_event_read_value(&events, 0, (void *)io->out, 24);
	io->ret[2] = bpf_perf_prog_read_value(ctx, (void *)&io->out[3], 24);
}
