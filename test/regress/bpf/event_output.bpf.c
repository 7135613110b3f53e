// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program of each type that writes a record: bpf_perf_event_output(). */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

MAP(sockets, SOCKMAP, 1, __u32, __u64);

#define BYTES 65536
#define OFFSETS 256

struct bytes {
	unsigned char bytes[BYTES + OFFSETS];
};

MAP(content, ARRAY, 1, __u32, struct bytes);

/* in[0]: flags and index; in[1]: how many bytes of the content; in[2]: from where. */
#define CARRIED(ctx, io) do { \
		__u32 zero = 0; \
		void *bytes = bpf_map_lookup_elem(&content, &zero); \
		__u64 from = io->in[2] & (OFFSETS - 1); \
		__u64 size = io->in[1] & (2 * BYTES - 1); \
		\
		if (bytes && size <= BYTES) \
			io->ret[0] = bpf_perf_event_output(ctx, &events, io->in[0], bytes + from, \
							    size); \
	} while (0)

#include "test/regress/bpf/carrier.h"
#include "test/regress/bpf/map.h"
