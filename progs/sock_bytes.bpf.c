// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count the bytes sent over each TCP connection, with two programs that share a map of sockets.
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/*
 * An sk_msg program is attached to a map of sockets and runs for each message that one of these
 * sockets sends. pload attaches it to the only map of sockets in the object. The sockops program
 * adds the sockets of a cgroup to that map:
 *
 *	pload --attach=link --cgroup=/sys/fs/cgroup sock_bytes.bpf.o
 */
struct connection {
	__u32 remote_ip4;	/* network byte order */
	__u16 remote_port, local_port;
};

struct {
	__uint(type, BPF_MAP_TYPE_SOCKHASH);
	__uint(max_entries, 4096);
	__type(key, struct connection);
	__type(value, __u64);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct connection);
	__type(value, __u64);
} sent SEC(".maps");

__u64 dropped;

/* Add each new IPv4 TCP connection of the cgroup, outgoing or incoming. */
SEC("sockops")
int keep(struct bpf_sock_ops *ctx)
{
	struct connection key = {
		.remote_ip4 = ctx->remote_ip4,
		.remote_port = bpf_ntohl(ctx->remote_port),
		.local_port = ctx->local_port,
	};

	if (ctx->family != 2 /* AF_INET */)
		return 1;
	if (ctx->op != BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB &&
	    ctx->op != BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB)
		return 1;
	if (bpf_sock_hash_update(ctx, &sockets, &key, BPF_ANY))
		__sync_fetch_and_add(&dropped, 1);
	return 1;
}

SEC("sk_msg")
int count(struct sk_msg_md *ctx)
{
	struct connection key = {
		.remote_ip4 = ctx->remote_ip4,
		.remote_port = bpf_ntohl(ctx->remote_port),
		.local_port = ctx->local_port,
	};
	__u64 size = ctx->size, *bytes = bpf_map_lookup_elem(&sent, &key);

	if (bytes)
		__sync_fetch_and_add(bytes, size);
	else if (bpf_map_update_elem(&sent, &key, &size, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
	return SK_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
