// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program whose exception callback does not exist: it must be refused by name.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern void bpf_throw(__u64 cookie) __ksym;

SEC("tc")
__attribute__((btf_decl_tag("exception_callback:pload_no_such_catcher")))
int thrower(struct __sk_buff *skb)
{
	if (!skb->len)
		bpf_throw(1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
