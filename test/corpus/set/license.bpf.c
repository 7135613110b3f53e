// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program, and a license selected by the build; NO_LICENSE leaves the section out.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef LICENSE_TEXT
#define LICENSE_TEXT "GPL"
#endif

__u64 last;

SEC("perf_event")
int clock(void *ctx)
{
	(void)ctx;
	last = bpf_ktime_get_ns();	/* only for programs with a GPL-compatible license */
	return 0;
}

#ifndef NO_LICENSE
char _license[] SEC("license") = LICENSE_TEXT;
#endif
__u32 _version SEC("version") = KERNEL_VERSION(6, 1, 0);
