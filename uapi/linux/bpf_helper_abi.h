/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ABI of Linux 7.3 for BPF programs: helpers, their flags and structures, and contexts. */
#ifndef __LINUX_BPF_HELPER_ABI_H__
#define __LINUX_BPF_HELPER_ABI_H__

#include <linux/types.h>

/* Expand FN(name, number, ctx...) for every helper. The number is the imm of the call. */
#define ___BPF_FUNC_MAPPER(FN, ctx...) \
	FN(unspec, 0, ##ctx) \
	FN(map_lookup_elem, 1, ##ctx) \
	FN(map_update_elem, 2, ##ctx) \
	FN(map_delete_elem, 3, ##ctx) \
	FN(probe_read, 4, ##ctx) \
	FN(ktime_get_ns, 5, ##ctx) \
	FN(trace_printk, 6, ##ctx) \
	FN(get_prandom_u32, 7, ##ctx) \
	FN(get_smp_processor_id, 8, ##ctx) \
	FN(skb_store_bytes, 9, ##ctx) \
	FN(l3_csum_replace, 10, ##ctx) \
	FN(l4_csum_replace, 11, ##ctx) \
	FN(tail_call, 12, ##ctx) \
	FN(clone_redirect, 13, ##ctx) \
	FN(get_current_pid_tgid, 14, ##ctx) \
	FN(get_current_uid_gid, 15, ##ctx) \
	FN(get_current_comm, 16, ##ctx) \
	FN(get_cgroup_classid, 17, ##ctx) \
	FN(skb_vlan_push, 18, ##ctx) \
	FN(skb_vlan_pop, 19, ##ctx) \
	FN(skb_get_tunnel_key, 20, ##ctx) \
	FN(skb_set_tunnel_key, 21, ##ctx) \
	FN(perf_event_read, 22, ##ctx) \
	FN(redirect, 23, ##ctx) \
	FN(get_route_realm, 24, ##ctx) \
	FN(perf_event_output, 25, ##ctx) \
	FN(skb_load_bytes, 26, ##ctx) \
	FN(get_stackid, 27, ##ctx) \
	FN(csum_diff, 28, ##ctx) \
	FN(skb_get_tunnel_opt, 29, ##ctx) \
	FN(skb_set_tunnel_opt, 30, ##ctx) \
	FN(skb_change_proto, 31, ##ctx) \
	FN(skb_change_type, 32, ##ctx) \
	FN(skb_under_cgroup, 33, ##ctx) \
	FN(get_hash_recalc, 34, ##ctx) \
	FN(get_current_task, 35, ##ctx) \
	FN(probe_write_user, 36, ##ctx) \
	FN(current_task_under_cgroup, 37, ##ctx) \
	FN(skb_change_tail, 38, ##ctx) \
	FN(skb_pull_data, 39, ##ctx) \
	FN(csum_update, 40, ##ctx) \
	FN(set_hash_invalid, 41, ##ctx) \
	FN(get_numa_node_id, 42, ##ctx) \
	FN(skb_change_head, 43, ##ctx) \
	FN(xdp_adjust_head, 44, ##ctx) \
	FN(probe_read_str, 45, ##ctx) \
	FN(get_socket_cookie, 46, ##ctx) \
	FN(get_socket_uid, 47, ##ctx) \
	FN(set_hash, 48, ##ctx) \
	FN(setsockopt, 49, ##ctx) \
	FN(skb_adjust_room, 50, ##ctx) \
	FN(redirect_map, 51, ##ctx) \
	FN(sk_redirect_map, 52, ##ctx) \
	FN(sock_map_update, 53, ##ctx) \
	FN(xdp_adjust_meta, 54, ##ctx) \
	FN(perf_event_read_value, 55, ##ctx) \
	FN(perf_prog_read_value, 56, ##ctx) \
	FN(getsockopt, 57, ##ctx) \
	FN(override_return, 58, ##ctx) \
	FN(sock_ops_cb_flags_set, 59, ##ctx) \
	FN(msg_redirect_map, 60, ##ctx) \
	FN(msg_apply_bytes, 61, ##ctx) \
	FN(msg_cork_bytes, 62, ##ctx) \
	FN(msg_pull_data, 63, ##ctx) \
	FN(bind, 64, ##ctx) \
	FN(xdp_adjust_tail, 65, ##ctx) \
	FN(skb_get_xfrm_state, 66, ##ctx) \
	FN(get_stack, 67, ##ctx) \
	FN(skb_load_bytes_relative, 68, ##ctx) \
	FN(fib_lookup, 69, ##ctx) \
	FN(sock_hash_update, 70, ##ctx) \
	FN(msg_redirect_hash, 71, ##ctx) \
	FN(sk_redirect_hash, 72, ##ctx) \
	FN(lwt_push_encap, 73, ##ctx) \
	FN(lwt_seg6_store_bytes, 74, ##ctx) \
	FN(lwt_seg6_adjust_srh, 75, ##ctx) \
	FN(lwt_seg6_action, 76, ##ctx) \
	FN(rc_repeat, 77, ##ctx) \
	FN(rc_keydown, 78, ##ctx) \
	FN(skb_cgroup_id, 79, ##ctx) \
	FN(get_current_cgroup_id, 80, ##ctx) \
	FN(get_local_storage, 81, ##ctx) \
	FN(sk_select_reuseport, 82, ##ctx) \
	FN(skb_ancestor_cgroup_id, 83, ##ctx) \
	FN(sk_lookup_tcp, 84, ##ctx) \
	FN(sk_lookup_udp, 85, ##ctx) \
	FN(sk_release, 86, ##ctx) \
	FN(map_push_elem, 87, ##ctx) \
	FN(map_pop_elem, 88, ##ctx) \
	FN(map_peek_elem, 89, ##ctx) \
	FN(msg_push_data, 90, ##ctx) \
	FN(msg_pop_data, 91, ##ctx) \
	FN(rc_pointer_rel, 92, ##ctx) \
	FN(spin_lock, 93, ##ctx) \
	FN(spin_unlock, 94, ##ctx) \
	FN(sk_fullsock, 95, ##ctx) \
	FN(tcp_sock, 96, ##ctx) \
	FN(skb_ecn_set_ce, 97, ##ctx) \
	FN(get_listener_sock, 98, ##ctx) \
	FN(skc_lookup_tcp, 99, ##ctx) \
	FN(tcp_check_syncookie, 100, ##ctx) \
	FN(sysctl_get_name, 101, ##ctx) \
	FN(sysctl_get_current_value, 102, ##ctx) \
	FN(sysctl_get_new_value, 103, ##ctx) \
	FN(sysctl_set_new_value, 104, ##ctx) \
	FN(strtol, 105, ##ctx) \
	FN(strtoul, 106, ##ctx) \
	FN(sk_storage_get, 107, ##ctx) \
	FN(sk_storage_delete, 108, ##ctx) \
	FN(send_signal, 109, ##ctx) \
	FN(tcp_gen_syncookie, 110, ##ctx) \
	FN(skb_output, 111, ##ctx) \
	FN(probe_read_user, 112, ##ctx) \
	FN(probe_read_kernel, 113, ##ctx) \
	FN(probe_read_user_str, 114, ##ctx) \
	FN(probe_read_kernel_str, 115, ##ctx) \
	FN(tcp_send_ack, 116, ##ctx) \
	FN(send_signal_thread, 117, ##ctx) \
	FN(jiffies64, 118, ##ctx) \
	FN(read_branch_records, 119, ##ctx) \
	FN(get_ns_current_pid_tgid, 120, ##ctx) \
	FN(xdp_output, 121, ##ctx) \
	FN(get_netns_cookie, 122, ##ctx) \
	FN(get_current_ancestor_cgroup_id, 123, ##ctx) \
	FN(sk_assign, 124, ##ctx) \
	FN(ktime_get_boot_ns, 125, ##ctx) \
	FN(seq_printf, 126, ##ctx) \
	FN(seq_write, 127, ##ctx) \
	FN(sk_cgroup_id, 128, ##ctx) \
	FN(sk_ancestor_cgroup_id, 129, ##ctx) \
	FN(ringbuf_output, 130, ##ctx) \
	FN(ringbuf_reserve, 131, ##ctx) \
	FN(ringbuf_submit, 132, ##ctx) \
	FN(ringbuf_discard, 133, ##ctx) \
	FN(ringbuf_query, 134, ##ctx) \
	FN(csum_level, 135, ##ctx) \
	FN(skc_to_tcp6_sock, 136, ##ctx) \
	FN(skc_to_tcp_sock, 137, ##ctx) \
	FN(skc_to_tcp_timewait_sock, 138, ##ctx) \
	FN(skc_to_tcp_request_sock, 139, ##ctx) \
	FN(skc_to_udp6_sock, 140, ##ctx) \
	FN(get_task_stack, 141, ##ctx) \
	FN(load_hdr_opt, 142, ##ctx) \
	FN(store_hdr_opt, 143, ##ctx) \
	FN(reserve_hdr_opt, 144, ##ctx) \
	FN(inode_storage_get, 145, ##ctx) \
	FN(inode_storage_delete, 146, ##ctx) \
	FN(d_path, 147, ##ctx) \
	FN(copy_from_user, 148, ##ctx) \
	FN(snprintf_btf, 149, ##ctx) \
	FN(seq_printf_btf, 150, ##ctx) \
	FN(skb_cgroup_classid, 151, ##ctx) \
	FN(redirect_neigh, 152, ##ctx) \
	FN(per_cpu_ptr, 153, ##ctx) \
	FN(this_cpu_ptr, 154, ##ctx) \
	FN(redirect_peer, 155, ##ctx) \
	FN(task_storage_get, 156, ##ctx) \
	FN(task_storage_delete, 157, ##ctx) \
	FN(get_current_task_btf, 158, ##ctx) \
	FN(bprm_opts_set, 159, ##ctx) \
	FN(ktime_get_coarse_ns, 160, ##ctx) \
	FN(ima_inode_hash, 161, ##ctx) \
	FN(sock_from_file, 162, ##ctx) \
	FN(check_mtu, 163, ##ctx) \
	FN(for_each_map_elem, 164, ##ctx) \
	FN(snprintf, 165, ##ctx) \
	FN(sys_bpf, 166, ##ctx) \
	FN(btf_find_by_name_kind, 167, ##ctx) \
	FN(sys_close, 168, ##ctx) \
	FN(timer_init, 169, ##ctx) \
	FN(timer_set_callback, 170, ##ctx) \
	FN(timer_start, 171, ##ctx) \
	FN(timer_cancel, 172, ##ctx) \
	FN(get_func_ip, 173, ##ctx) \
	FN(get_attach_cookie, 174, ##ctx) \
	FN(task_pt_regs, 175, ##ctx) \
	FN(get_branch_snapshot, 176, ##ctx) \
	FN(trace_vprintk, 177, ##ctx) \
	FN(skc_to_unix_sock, 178, ##ctx) \
	FN(kallsyms_lookup_name, 179, ##ctx) \
	FN(find_vma, 180, ##ctx) \
	FN(loop, 181, ##ctx) \
	FN(strncmp, 182, ##ctx) \
	FN(get_func_arg, 183, ##ctx) \
	FN(get_func_ret, 184, ##ctx) \
	FN(get_func_arg_cnt, 185, ##ctx) \
	FN(get_retval, 186, ##ctx) \
	FN(set_retval, 187, ##ctx) \
	FN(xdp_get_buff_len, 188, ##ctx) \
	FN(xdp_load_bytes, 189, ##ctx) \
	FN(xdp_store_bytes, 190, ##ctx) \
	FN(copy_from_user_task, 191, ##ctx) \
	FN(skb_set_tstamp, 192, ##ctx) \
	FN(ima_file_hash, 193, ##ctx) \
	FN(kptr_xchg, 194, ##ctx) \
	FN(map_lookup_percpu_elem, 195, ##ctx) \
	FN(skc_to_mptcp_sock, 196, ##ctx) \
	FN(dynptr_from_mem, 197, ##ctx) \
	FN(ringbuf_reserve_dynptr, 198, ##ctx) \
	FN(ringbuf_submit_dynptr, 199, ##ctx) \
	FN(ringbuf_discard_dynptr, 200, ##ctx) \
	FN(dynptr_read, 201, ##ctx) \
	FN(dynptr_write, 202, ##ctx) \
	FN(dynptr_data, 203, ##ctx) \
	FN(tcp_raw_gen_syncookie_ipv4, 204, ##ctx) \
	FN(tcp_raw_gen_syncookie_ipv6, 205, ##ctx) \
	FN(tcp_raw_check_syncookie_ipv4, 206, ##ctx) \
	FN(tcp_raw_check_syncookie_ipv6, 207, ##ctx) \
	FN(ktime_get_tai_ns, 208, ##ctx) \
	FN(user_ringbuf_drain, 209, ##ctx) \
	FN(cgrp_storage_get, 210, ##ctx) \
	FN(cgrp_storage_delete, 211, ##ctx)

/* Expand FN(name) followed by a comma for every helper. */
#define __BPF_FUNC_MAPPER_APPLY(name, value, FN) FN(name),
#define __BPF_FUNC_MAPPER(FN) ___BPF_FUNC_MAPPER(__BPF_FUNC_MAPPER_APPLY, FN)

#define __BPF_ENUM_FN(x, y) BPF_FUNC_ ## x = y,
enum bpf_func_id {
	___BPF_FUNC_MAPPER(__BPF_ENUM_FN)
	__BPF_FUNC_MAX_ID,
};
#undef __BPF_ENUM_FN

/* Flags of bpf_perf_event_output(), bpf_perf_event_read() and bpf_perf_event_read_value(). */
enum {
	BPF_F_INDEX_MASK = 0xffffffffULL,
	BPF_F_CURRENT_CPU = BPF_F_INDEX_MASK,
	BPF_F_CTXLEN_MASK = 0xfffffULL << 32,
};

/* Flags of bpf_get_stackid() and bpf_get_stack(). The low byte is the number of frames to skip. */
enum {
	BPF_F_SKIP_FIELD_MASK = 0xffULL,
	BPF_F_USER_STACK = 1ULL << 8,
	BPF_F_FAST_STACK_CMP = 1ULL << 9,
	BPF_F_REUSE_STACKID = 1ULL << 10,
	BPF_F_USER_BUILD_ID = 1ULL << 11,
};

/* Flags of bpf_ringbuf_submit(), bpf_ringbuf_discard() and bpf_ringbuf_output(). */
enum {
	BPF_RB_NO_WAKEUP = 1ULL << 0,
	BPF_RB_FORCE_WAKEUP = 1ULL << 1,
};

/* The quantities that bpf_ringbuf_query() can return. */
enum {
	BPF_RB_AVAIL_DATA = 0,
	BPF_RB_RING_SIZE = 1,
	BPF_RB_CONS_POS = 2,
	BPF_RB_PROD_POS = 3,
	BPF_RB_OVERWRITE_POS = 4,
};

/* The header of a ring buffer record: __u32 length with these two flags, then __u32 page offset. */
enum {
	BPF_RINGBUF_BUSY_BIT = 1U << 31,
	BPF_RINGBUF_DISCARD_BIT = 1U << 30,
	BPF_RINGBUF_HDR_SZ = 8,
};

/* Flags of bpf_read_branch_records(). */
enum {
	BPF_F_GET_BRANCH_RECORDS_SIZE = 1ULL << 0,
};

/* Flags of bpf_copy_from_user_str() and similar kfuncs. */
enum {
	BPF_F_PAD_ZEROS = 1ULL << 0,
};

/* Flags of bpf_timer_start(). */
enum {
	BPF_F_TIMER_ABS = 1ULL << 0,
	BPF_F_TIMER_CPU_PIN = 1ULL << 1,
};

/* Flags of bpf_*_storage_get(). */
enum {
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1ULL << 0,
	BPF_SK_STORAGE_GET_F_CREATE = BPF_LOCAL_STORAGE_GET_F_CREATE,
};

/* Flags of bpf_snprintf_btf() and bpf_seq_printf_btf(). */
enum {
	BTF_F_COMPACT = 1ULL << 0,
	BTF_F_NONAME = 1ULL << 1,
	BTF_F_PTR_RAW = 1ULL << 2,
	BTF_F_ZERO = 1ULL << 3,
};

/* Flags of bpf_skb_store_bytes(). */
enum {
	BPF_F_RECOMPUTE_CSUM = 1ULL << 0,
	BPF_F_INVALIDATE_HASH = 1ULL << 1,
};

/* Flags of bpf_l3_csum_replace() and bpf_l4_csum_replace(). */
enum {
	BPF_F_HDR_FIELD_MASK = 0xfULL,
	BPF_F_PSEUDO_HDR = 1ULL << 4,
	BPF_F_MARK_MANGLED_0 = 1ULL << 5,
	BPF_F_MARK_ENFORCE = 1ULL << 6,
	BPF_F_IPV6 = 1ULL << 7,
};

/* Flags of bpf_skb_set_tunnel_key() and bpf_skb_get_tunnel_key(). */
enum {
	BPF_F_TUNINFO_IPV6 = 1ULL << 0,
	BPF_F_ZERO_CSUM_TX = 1ULL << 1,
	BPF_F_DONT_FRAGMENT = 1ULL << 2,
	BPF_F_SEQ_NUMBER = 1ULL << 3,
	BPF_F_NO_TUNNEL_KEY = 1ULL << 4,
	BPF_F_TUNINFO_FLAGS = 1ULL << 4,
};

/* Flags of bpf_redirect() and bpf_redirect_map(). */
enum {
	BPF_F_INGRESS = 1ULL << 0,
	BPF_F_EGRESS = 1ULL << 1,
	BPF_F_BROADCAST = 1ULL << 3,
	BPF_F_EXCLUDE_INGRESS = 1ULL << 4,
};

#define BPF_F_REDIRECT_FLAGS \
	(BPF_F_INGRESS | BPF_F_EGRESS | BPF_F_BROADCAST | BPF_F_EXCLUDE_INGRESS)

/* Flags of bpf_skb_adjust_room(). */
enum {
	BPF_F_ADJ_ROOM_FIXED_GSO = 1ULL << 0,
	BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 = 1ULL << 1,
	BPF_F_ADJ_ROOM_ENCAP_L3_IPV6 = 1ULL << 2,
	BPF_F_ADJ_ROOM_ENCAP_L4_GRE = 1ULL << 3,
	BPF_F_ADJ_ROOM_ENCAP_L4_UDP = 1ULL << 4,
	BPF_F_ADJ_ROOM_NO_CSUM_RESET = 1ULL << 5,
	BPF_F_ADJ_ROOM_ENCAP_L2_ETH = 1ULL << 6,
	BPF_F_ADJ_ROOM_DECAP_L3_IPV4 = 1ULL << 7,
	BPF_F_ADJ_ROOM_DECAP_L3_IPV6 = 1ULL << 8,
	BPF_F_ADJ_ROOM_DECAP_L4_GRE = 1ULL << 9,
	BPF_F_ADJ_ROOM_DECAP_L4_UDP = 1ULL << 10,
	BPF_F_ADJ_ROOM_DECAP_IPXIP4 = 1ULL << 11,
	BPF_F_ADJ_ROOM_DECAP_IPXIP6 = 1ULL << 12,
};

enum {
	BPF_ADJ_ROOM_ENCAP_L2_MASK = 0xff,
	BPF_ADJ_ROOM_ENCAP_L2_SHIFT = 56,
};

#define BPF_F_ADJ_ROOM_ENCAP_L2(len) \
	(((__u64)(len) & BPF_ADJ_ROOM_ENCAP_L2_MASK) << BPF_ADJ_ROOM_ENCAP_L2_SHIFT)

/* Flags of bpf_sk_assign() in an sk_lookup program. */
enum {
	BPF_SK_LOOKUP_F_REPLACE = 1ULL << 0,
	BPF_SK_LOOKUP_F_NO_REUSEPORT = 1ULL << 1,
};

/* Flags of bpf_sysctl_get_name(). */
enum {
	BPF_F_SYSCTL_BASE_NAME = 1ULL << 0,
};

/* Flags of bpf_bprm_opts_set(). */
enum {
	BPF_F_BPRM_SECUREEXEC = 1ULL << 0,
};

/* Values of the netns argument of bpf_sk_lookup_*(). */
enum {
	BPF_F_CURRENT_NETNS = -1L,
};

/* Flags of bpf_load_hdr_opt(). */
enum {
	BPF_LOAD_HDR_OPT_TCP_SYN = 1ULL << 0,
};

enum {
	BPF_CSUM_LEVEL_QUERY = 0,
	BPF_CSUM_LEVEL_INC = 1,
	BPF_CSUM_LEVEL_DEC = 2,
	BPF_CSUM_LEVEL_RESET = 3,
};

enum {
	BPF_SKB_TSTAMP_UNSPEC = 0,
	BPF_SKB_TSTAMP_DELIVERY_MONO = 1,
	BPF_SKB_CLOCK_REALTIME = 0,
	BPF_SKB_CLOCK_MONOTONIC = 1,
	BPF_SKB_CLOCK_TAI = 2,
};

enum {
	BPF_FIB_LOOKUP_DIRECT = 1,
	BPF_FIB_LOOKUP_OUTPUT = 2,
	BPF_FIB_LOOKUP_SKIP_NEIGH = 4,
	BPF_FIB_LOOKUP_TBID = 8,
	BPF_FIB_LOOKUP_SRC = 16,
	BPF_FIB_LOOKUP_MARK = 32,
	BPF_FIB_LOOKUP_VLAN = 64,
	BPF_FIB_LOOKUP_VLAN_INPUT = 128,
};

enum {
	BPF_FIB_LKUP_RET_SUCCESS = 0,
	BPF_FIB_LKUP_RET_BLACKHOLE = 1,
	BPF_FIB_LKUP_RET_UNREACHABLE = 2,
	BPF_FIB_LKUP_RET_PROHIBIT = 3,
	BPF_FIB_LKUP_RET_NOT_FWDED = 4,
	BPF_FIB_LKUP_RET_FWD_DISABLED = 5,
	BPF_FIB_LKUP_RET_UNSUPP_LWT = 6,
	BPF_FIB_LKUP_RET_NO_NEIGH = 7,
	BPF_FIB_LKUP_RET_FRAG_NEEDED = 8,
	BPF_FIB_LKUP_RET_NO_SRC_ADDR = 9,
	BPF_FIB_LKUP_RET_VLAN_FAILURE = 10,
};

enum {
	BPF_SOCK_OPS_VOID = 0,
	BPF_SOCK_OPS_TIMEOUT_INIT = 1,
	BPF_SOCK_OPS_RWND_INIT = 2,
	BPF_SOCK_OPS_TCP_CONNECT_CB = 3,
	BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB = 4,
	BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB = 5,
	BPF_SOCK_OPS_NEEDS_ECN = 6,
	BPF_SOCK_OPS_BASE_RTT = 7,
	BPF_SOCK_OPS_RTO_CB = 8,
	BPF_SOCK_OPS_RETRANS_CB = 9,
	BPF_SOCK_OPS_STATE_CB = 10,
	BPF_SOCK_OPS_TCP_LISTEN_CB = 11,
	BPF_SOCK_OPS_RTT_CB = 12,
	BPF_SOCK_OPS_PARSE_HDR_OPT_CB = 13,
	BPF_SOCK_OPS_HDR_OPT_LEN_CB = 14,
	BPF_SOCK_OPS_WRITE_HDR_OPT_CB = 15,
	BPF_SOCK_OPS_TSTAMP_SCHED_CB = 16,
	BPF_SOCK_OPS_TSTAMP_SND_SW_CB = 17,
	BPF_SOCK_OPS_TSTAMP_SND_HW_CB = 18,
	BPF_SOCK_OPS_TSTAMP_ACK_CB = 19,
	BPF_SOCK_OPS_TSTAMP_SENDMSG_CB = 20,
};

enum {
	BPF_SOCK_OPS_RTO_CB_FLAG = 1,
	BPF_SOCK_OPS_RETRANS_CB_FLAG = 2,
	BPF_SOCK_OPS_STATE_CB_FLAG = 4,
	BPF_SOCK_OPS_RTT_CB_FLAG = 8,
	BPF_SOCK_OPS_PARSE_ALL_HDR_OPT_CB_FLAG = 16,
	BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG = 32,
	BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG = 64,
	BPF_SOCK_OPS_ALL_CB_FLAGS = 127,
};

/* The values of args[0] of BPF_SOCK_OPS_HDR_OPT_LEN_CB. */
enum {
	BPF_WRITE_HDR_TCP_CURRENT_MSS = 1,
	BPF_WRITE_HDR_TCP_SYNACK_COOKIE = 2,
};

/* Options of bpf_setsockopt() and bpf_getsockopt() that setsockopt(2) does not have. */
enum {
	TCP_BPF_IW = 1001,
	TCP_BPF_SNDCWND_CLAMP = 1002,
	TCP_BPF_DELACK_MAX = 1003,
	TCP_BPF_RTO_MIN = 1004,
	TCP_BPF_SYN = 1005,
	TCP_BPF_SYN_IP = 1006,
	TCP_BPF_SYN_MAC = 1007,
	TCP_BPF_SOCK_OPS_CB_FLAGS = 1008,
	SK_BPF_CB_FLAGS = 1009,
	SK_BPF_BYPASS_PROT_MEM = 1010,
};

/* The values of SK_BPF_CB_FLAGS. */
enum {
	SK_BPF_CB_TX_TIMESTAMPING = 1,
	SK_BPF_CB_MASK = 1,
};

enum {
	BPF_TCP_ESTABLISHED = 1,
	BPF_TCP_SYN_SENT = 2,
	BPF_TCP_SYN_RECV = 3,
	BPF_TCP_FIN_WAIT1 = 4,
	BPF_TCP_FIN_WAIT2 = 5,
	BPF_TCP_TIME_WAIT = 6,
	BPF_TCP_CLOSE = 7,
	BPF_TCP_CLOSE_WAIT = 8,
	BPF_TCP_LAST_ACK = 9,
	BPF_TCP_LISTEN = 10,
	BPF_TCP_CLOSING = 11,
	BPF_TCP_NEW_SYN_RECV = 12,
	BPF_TCP_BOUND_INACTIVE = 13,
	BPF_TCP_MAX_STATES = 14,
};

enum {
	BPF_FLOW_DISSECTOR_F_PARSE_1ST_FRAG = 1,
	BPF_FLOW_DISSECTOR_F_STOP_AT_FLOW_LABEL = 2,
	BPF_FLOW_DISSECTOR_F_STOP_AT_ENCAP = 4,
};

enum bpf_adj_room_mode {
	BPF_ADJ_ROOM_NET = 0,
	BPF_ADJ_ROOM_MAC = 1,
};

enum bpf_hdr_start_off {
	BPF_HDR_START_MAC = 0,
	BPF_HDR_START_NET = 1,
};

enum bpf_lwt_encap_mode {
	BPF_LWT_ENCAP_SEG6 = 0,
	BPF_LWT_ENCAP_SEG6_INLINE = 1,
	BPF_LWT_ENCAP_IP = 2,
};

enum bpf_check_mtu_flags {
	BPF_MTU_CHK_SEGS = 1,
};

enum bpf_check_mtu_ret {
	BPF_MTU_CHK_RET_SUCCESS = 0,
	BPF_MTU_CHK_RET_FRAG_NEEDED = 1,
	BPF_MTU_CHK_RET_SEGS_TOOBIG = 2,
};

enum bpf_stack_build_id_status {
	BPF_STACK_BUILD_ID_EMPTY = 0,
	BPF_STACK_BUILD_ID_VALID = 1,
	BPF_STACK_BUILD_ID_IP = 2,
};

/* Return values of programs, by program type. */
enum bpf_ret_code {
	BPF_OK = 0,
	BPF_DROP = 2,
	BPF_REDIRECT = 7,
	BPF_LWT_REROUTE = 128,
	BPF_FLOW_DISSECTOR_CONTINUE = 129,
};

enum xdp_action {
	XDP_ABORTED = 0,
	XDP_DROP = 1,
	XDP_PASS = 2,
	XDP_TX = 3,
	XDP_REDIRECT = 4,
};

enum tcx_action_base {
	TCX_NEXT = -1,
	TCX_PASS = 0,
	TCX_DROP = 2,
	TCX_REDIRECT = 7,
};

enum sk_action {
	SK_DROP = 0,
	SK_PASS = 1,
};

#define XDP_PACKET_HEADROOM	256

/* A pointer in a context occupies eight bytes on every machine. */
#define __bpf_md_ptr(type, name) \
	union { \
		type name; \
		__u64 :64; \
	} __attribute__((aligned(8)))

struct bpf_flow_keys;
struct bpf_sock;

/* Contexts: the kernel passes a pointer to one of these as the program's only argument. */
struct __sk_buff {
	__u32 len;
	__u32 pkt_type;
	__u32 mark;
	__u32 queue_mapping;
	__u32 protocol;
	__u32 vlan_present;
	__u32 vlan_tci;
	__u32 vlan_proto;
	__u32 priority;
	__u32 ingress_ifindex;
	__u32 ifindex;
	__u32 tc_index;
	__u32 cb[5];
	__u32 hash;
	__u32 tc_classid;
	__u32 data;
	__u32 data_end;
	__u32 napi_id;
	__u32 family;
	__u32 remote_ip4;
	__u32 local_ip4;
	__u32 remote_ip6[4];
	__u32 local_ip6[4];
	__u32 remote_port;
	__u32 local_port;
	__u32 data_meta;
	__bpf_md_ptr(struct bpf_flow_keys *, flow_keys);
	__u64 tstamp;
	__u32 wire_len;
	__u32 gso_segs;
	__bpf_md_ptr(struct bpf_sock *, sk);
	__u32 gso_size;
	__u8 tstamp_type;
	__u32 :24;
	__u64 hwtstamp;
};

struct xdp_md {
	__u32 data;
	__u32 data_end;
	__u32 data_meta;
	__u32 ingress_ifindex;
	__u32 rx_queue_index;
	__u32 egress_ifindex;
};

struct sk_msg_md {
	__bpf_md_ptr(void *, data);
	__bpf_md_ptr(void *, data_end);
	__u32 family;
	__u32 remote_ip4;
	__u32 local_ip4;
	__u32 remote_ip6[4];
	__u32 local_ip6[4];
	__u32 remote_port;
	__u32 local_port;
	__u32 size;
	__bpf_md_ptr(struct bpf_sock *, sk);
};

struct sk_reuseport_md {
	__bpf_md_ptr(void *, data);
	__bpf_md_ptr(void *, data_end);
	__u32 len;
	__u32 eth_protocol;
	__u32 ip_protocol;
	__u32 bind_inany;
	__u32 hash;
	__bpf_md_ptr(struct bpf_sock *, sk);
	__bpf_md_ptr(struct bpf_sock *, migrating_sk);
};

struct bpf_sock_addr {
	__u32 user_family;
	__u32 user_ip4;
	__u32 user_ip6[4];
	__u32 user_port;
	__u32 family;
	__u32 type;
	__u32 protocol;
	__u32 msg_src_ip4;
	__u32 msg_src_ip6[4];
	__bpf_md_ptr(struct bpf_sock *, sk);
};

struct bpf_sock_ops {
	__u32 op;
	union {
		__u32 args[4];
		__u32 reply;
		__u32 replylong[4];
	};
	__u32 family;
	__u32 remote_ip4;
	__u32 local_ip4;
	__u32 remote_ip6[4];
	__u32 local_ip6[4];
	__u32 remote_port;
	__u32 local_port;
	__u32 is_fullsock;
	__u32 snd_cwnd;
	__u32 srtt_us;
	__u32 bpf_sock_ops_cb_flags;
	__u32 state;
	__u32 rtt_min;
	__u32 snd_ssthresh;
	__u32 rcv_nxt;
	__u32 snd_nxt;
	__u32 snd_una;
	__u32 mss_cache;
	__u32 ecn_flags;
	__u32 rate_delivered;
	__u32 rate_interval_us;
	__u32 packets_out;
	__u32 retrans_out;
	__u32 total_retrans;
	__u32 segs_in;
	__u32 data_segs_in;
	__u32 segs_out;
	__u32 data_segs_out;
	__u32 lost_out;
	__u32 sacked_out;
	__u32 sk_txhash;
	__u64 bytes_received;
	__u64 bytes_acked;
	__bpf_md_ptr(struct bpf_sock *, sk);
	__bpf_md_ptr(void *, skb_data);
	__bpf_md_ptr(void *, skb_data_end);
	__u32 skb_len;
	__u32 skb_tcp_flags;
	__u64 skb_hwtstamp;
};

struct bpf_sk_lookup {
	union {
		__bpf_md_ptr(struct bpf_sock *, sk);
		__u64 cookie;
	};
	__u32 family;
	__u32 protocol;
	__u32 remote_ip4;
	__u32 remote_ip6[4];
	__be16 remote_port;
	__u16 :16;
	__u32 local_ip4;
	__u32 local_ip6[4];
	__u32 local_port;
	__u32 ingress_ifindex;
};

struct bpf_sockopt {
	__bpf_md_ptr(struct bpf_sock *, sk);
	__bpf_md_ptr(void *, optval);
	__bpf_md_ptr(void *, optval_end);
	__s32 level;
	__s32 optname;
	__s32 optlen;
	__s32 retval;
};

struct bpf_sysctl {
	__u32 write;
	__u32 file_pos;
};

/* access_type is one or more accesses << 16 and a device. */
enum {
	BPF_DEVCG_ACC_MKNOD = 1ULL << 0,
	BPF_DEVCG_ACC_READ = 1ULL << 1,
	BPF_DEVCG_ACC_WRITE = 1ULL << 2,
};

enum {
	BPF_DEVCG_DEV_BLOCK = 1ULL << 0,
	BPF_DEVCG_DEV_CHAR = 1ULL << 1,
};

struct bpf_cgroup_dev_ctx {
	__u32 access_type;
	__u32 major;
	__u32 minor;
};

struct bpf_raw_tracepoint_args {
	__u64 args[0];
};

/* Structures that helpers read or write. */
struct bpf_perf_event_value {
	__u64 counter;
	__u64 enabled;
	__u64 running;
};

struct bpf_stack_build_id {
	__s32 status;
	unsigned char build_id[BPF_BUILD_ID_SIZE];
	union {
		__u64 offset;
		__u64 ip;
	};
};

struct bpf_pidns_info {
	__u32 pid;
	__u32 tgid;
};

struct btf_ptr {
	void *ptr;
	__u32 type_id;
	__u32 flags;
};

struct bpf_sock {
	__u32 bound_dev_if;
	__u32 family;
	__u32 type;
	__u32 protocol;
	__u32 mark;
	__u32 priority;
	__u32 src_ip4;
	__u32 src_ip6[4];
	__u32 src_port;
	__be16 dst_port;
	__u16 :16;
	__u32 dst_ip4;
	__u32 dst_ip6[4];
	__u32 state;
	__s32 rx_queue_mapping;
};

struct bpf_tcp_sock {
	__u32 snd_cwnd;
	__u32 srtt_us;
	__u32 rtt_min;
	__u32 snd_ssthresh;
	__u32 rcv_nxt;
	__u32 snd_nxt;
	__u32 snd_una;
	__u32 mss_cache;
	__u32 ecn_flags;
	__u32 rate_delivered;
	__u32 rate_interval_us;
	__u32 packets_out;
	__u32 retrans_out;
	__u32 total_retrans;
	__u32 segs_in;
	__u32 data_segs_in;
	__u32 segs_out;
	__u32 data_segs_out;
	__u32 lost_out;
	__u32 sacked_out;
	__u64 bytes_received;
	__u64 bytes_acked;
	__u32 dsack_dups;
	__u32 delivered;
	__u32 delivered_ce;
	__u32 icsk_retransmits;
};

struct bpf_sock_tuple {
	union {
		struct {
			__be32 saddr;
			__be32 daddr;
			__be16 sport;
			__be16 dport;
		} ipv4;
		struct {
			__be32 saddr[4];
			__be32 daddr[4];
			__be16 sport;
			__be16 dport;
		} ipv6;
	};
};

struct bpf_xdp_sock {
	__u32 queue_id;
};

struct bpf_tunnel_key {
	__u32 tunnel_id;
	union {
		__u32 remote_ipv4;
		__u32 remote_ipv6[4];
	};
	__u8 tunnel_tos;
	__u8 tunnel_ttl;
	union {
		__u16 tunnel_ext;
		__be16 tunnel_flags;
	};
	__u32 tunnel_label;
	union {
		__u32 local_ipv4;
		__u32 local_ipv6[4];
	};
};

struct bpf_xfrm_state {
	__u32 reqid;
	__u32 spi;
	__u16 family;
	__u16 ext;
	union {
		__u32 remote_ipv4;
		__u32 remote_ipv6[4];
	};
};

struct bpf_fib_lookup {
	__u8 family;
	__u8 l4_protocol;
	__be16 sport;
	__be16 dport;
	union {
		__u16 tot_len;
		__u16 mtu_result;
	};
	__u32 ifindex;
	union {
		__u8 tos;
		__be32 flowinfo;
		__u32 rt_metric;
	};
	union {
		__be32 ipv4_src;
		__u32 ipv6_src[4];
	};
	union {
		__be32 ipv4_dst;
		__u32 ipv6_dst[4];
	};
	union {
		struct {
			__be16 h_vlan_proto;
			__be16 h_vlan_TCI;
		};
		__u32 tbid;
	};
	union {
		struct {
			__u32 mark;
		};
		struct {
			__u8 smac[6];
			__u8 dmac[6];
		};
	};
};

struct bpf_redir_neigh {
	__u32 nh_family;
	union {
		__be32 ipv4_nh;
		__u32 ipv6_nh[4];
	};
};

struct bpf_flow_keys {
	__u16 nhoff;
	__u16 thoff;
	__u16 addr_proto;
	__u8 is_frag;
	__u8 is_first_frag;
	__u8 is_encap;
	__u8 ip_proto;
	__be16 n_proto;
	__be16 sport;
	__be16 dport;
	union {
		struct {
			__be32 ipv4_src;
			__be32 ipv4_dst;
		};
		struct {
			__u32 ipv6_src[4];
			__u32 ipv6_dst[4];
		};
	};
	__u32 flags;
	__be32 flow_label;
};

/* Map keys and values with a layout that the kernel defines. */
struct bpf_devmap_val {
	__u32 ifindex;
	union {
		int fd;
		__u32 id;
	} bpf_prog;
};

struct bpf_cpumap_val {
	__u32 qsize;
	union {
		int fd;
		__u32 id;
	} bpf_prog;
};

struct bpf_lpm_trie_key_hdr {
	__u32 prefixlen;
};

struct bpf_lpm_trie_key_u8 {
	union {
		struct bpf_lpm_trie_key_hdr hdr;
		__u32 prefixlen;
	};
	__u8 data[0];
};

struct bpf_cgroup_storage_key {
	__u64 cgroup_inode_id;
	__u32 attach_type;
};

struct bpf_lpm_trie_key {
	__u32 prefixlen;
	__u8 data[0];
};

/* Opaque objects in map values, which only helpers and kfuncs may access. */
struct bpf_spin_lock {
	__u32 val;
};

struct bpf_timer {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_task_work {
	__u64 __opaque;
} __attribute__((aligned(8)));

struct bpf_wq {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_dynptr {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_list_head {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_list_node {
	__u64 __opaque[3];
} __attribute__((aligned(8)));

struct bpf_rb_root {
	__u64 __opaque[2];
} __attribute__((aligned(8)));

struct bpf_rb_node {
	__u64 __opaque[4];
} __attribute__((aligned(8)));

struct bpf_refcount {
	__u32 __opaque[1];
} __attribute__((aligned(4)));

struct bpf_iter_num {
	__u64 __opaque[1];
} __attribute__((aligned(8)));

#endif
