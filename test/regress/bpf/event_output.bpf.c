// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program of each type that writes a record: bpf_perf_event_output(). */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} sockets SEC(".maps");

#define BYTES 65536

struct bytes {
	unsigned char bytes[BYTES];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bytes);
} content SEC(".maps");

/* in[0]: flags and index; in[1]: how many bytes of the content. */
#define CARRIED(ctx, io) do { \
		__u32 zero = 0; \
		void *bytes = bpf_map_lookup_elem(&content, &zero); \
		__u64 size = io->in[1] & (2 * BYTES - 1); \
		\
		if (bytes && size <= BYTES) \
			io->ret[0] = bpf_perf_event_output(ctx, &events, io->in[0], bytes, size); \
	} while (0)

#include "test/regress/bpf/carrier.h"
