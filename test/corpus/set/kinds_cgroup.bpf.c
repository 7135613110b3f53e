// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs of a cgroup.
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

PROGRAM(packets_in, "cgroup_skb/ingress", struct __sk_buff, 1)
PROGRAM(packets_out, "cgroup_skb/egress", struct __sk_buff, 1)
PROGRAM(packets, "cgroup/skb", struct __sk_buff, 1)
PROGRAM(created, "cgroup/sock_create", struct bpf_sock, 1)
PROGRAM(released, "cgroup/sock_release", struct bpf_sock, 1)
PROGRAM(sock, "cgroup/sock", struct bpf_sock, 1)
PROGRAM(bound4, "cgroup/post_bind4", struct bpf_sock, 1)
PROGRAM(bound6, "cgroup/post_bind6", struct bpf_sock, 1)
PROGRAM(bind4, "cgroup/bind4", struct bpf_sock_addr, 1)
PROGRAM(bind6, "cgroup/bind6", struct bpf_sock_addr, 1)
PROGRAM(connect4, "cgroup/connect4", struct bpf_sock_addr, 1)
PROGRAM(connect6, "cgroup/connect6", struct bpf_sock_addr, 1)
PROGRAM(connect_unix, "cgroup/connect_unix", struct bpf_sock_addr, 1)
PROGRAM(sendmsg4, "cgroup/sendmsg4", struct bpf_sock_addr, 1)
PROGRAM(sendmsg6, "cgroup/sendmsg6", struct bpf_sock_addr, 1)
PROGRAM(sendmsg_unix, "cgroup/sendmsg_unix", struct bpf_sock_addr, 1)
PROGRAM(recvmsg4, "cgroup/recvmsg4", struct bpf_sock_addr, 1)
PROGRAM(recvmsg6, "cgroup/recvmsg6", struct bpf_sock_addr, 1)
PROGRAM(recvmsg_unix, "cgroup/recvmsg_unix", struct bpf_sock_addr, 1)
PROGRAM(peer4, "cgroup/getpeername4", struct bpf_sock_addr, 1)
PROGRAM(peer6, "cgroup/getpeername6", struct bpf_sock_addr, 1)
PROGRAM(peer_unix, "cgroup/getpeername_unix", struct bpf_sock_addr, 1)
PROGRAM(name4, "cgroup/getsockname4", struct bpf_sock_addr, 1)
PROGRAM(name6, "cgroup/getsockname6", struct bpf_sock_addr, 1)
PROGRAM(name_unix, "cgroup/getsockname_unix", struct bpf_sock_addr, 1)
PROGRAM(control, "cgroup/sysctl", struct bpf_sysctl, 1)
PROGRAM(getsockopt, "cgroup/getsockopt", struct bpf_sockopt, 1)
PROGRAM(setsockopt, "cgroup/setsockopt", struct bpf_sockopt, 1)
PROGRAM(device, "cgroup/dev", struct bpf_cgroup_dev_ctx, 1)

char LICENSE[] SEC("license") = "GPL";
