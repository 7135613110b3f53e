// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bpf_throw, and the function that receives what was thrown.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

#define __exception_cb(name)	__attribute__((btf_decl_tag("exception_callback:" #name)))

extern void bpf_throw(__u64 cookie) __ksym;

static __noinline int deep(struct __sk_buff *skb)
{
	if (skb->len > 1000000)
		bpf_throw(7);
	return 0;
}

__noinline int caught(__u64 cookie)
{
	return cookie ? TC_ACT_SHOT : TC_ACT_OK;
}

SEC("tc")
__exception_cb(caught)
int thrower(struct __sk_buff *skb)
{
	return deep(skb);
}

SEC("tc")
int plain_thrower(struct __sk_buff *skb)
{
	if (!skb->len)
		bpf_throw(0);
	return TC_ACT_OK;
}

char LICENSE[] SEC("license") = "GPL";
