// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One program and a licence, which the build chooses; NO_LICENSE leaves the section out.
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
	last = bpf_ktime_get_ns();	/* for programs of a licence compatible with the GPL */
	return 0;
}

#ifndef NO_LICENSE
char _license[] SEC("license") = LICENSE_TEXT;
#endif
__u32 _version SEC("version") = KERNEL_VERSION(6, 1, 0);
