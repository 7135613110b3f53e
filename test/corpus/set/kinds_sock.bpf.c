// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs of sockets.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

#define PROGRAM(name, section, context, result) \
	SEC(section) \
	int name(context *ctx) \
	{ \
		(void)ctx; \
		calls++; \
		return result; \
	}

PROGRAM(filter, "socket", struct __sk_buff, 0)
PROGRAM(choose, "sk_reuseport", struct sk_reuseport_md, SK_PASS)
PROGRAM(migrate, "sk_reuseport/migrate", struct sk_reuseport_md, SK_PASS)
PROGRAM(parser, "sk_skb/stream_parser", struct __sk_buff, 0)
PROGRAM(verdict, "sk_skb/stream_verdict", struct __sk_buff, SK_PASS)
PROGRAM(any_verdict, "sk_skb/verdict", struct __sk_buff, SK_PASS)
PROGRAM(plain, "sk_skb", struct __sk_buff, SK_PASS)
PROGRAM(message, "sk_msg", struct sk_msg_md, SK_PASS)
PROGRAM(lookup, "sk_lookup", struct bpf_sk_lookup, SK_PASS)
PROGRAM(operations, "sockops", struct bpf_sock_ops, 1)
PROGRAM(dissect, "flow_dissector", struct __sk_buff, 0)

char LICENSE[] SEC("license") = "GPL";
