/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The helpers of Linux 7.3. A call through a constant pointer of value n compiles to "call n". */
#ifndef __BPF_HELPER_DEFS__
#define __BPF_HELPER_DEFS__

/* bpf-helpers(7) describes the helpers. Their types are in vmlinux.h and linux/bpf.h. */
#define __bpf_helper(nr, ret, name, args...) static ret (*const name)(args) = (void *)nr

struct __sk_buff;
struct bpf_dynptr;
struct bpf_fib_lookup;
struct bpf_perf_event_data;
struct bpf_perf_event_value;
struct bpf_pidns_info;
struct bpf_redir_neigh;
struct bpf_sk_lookup;
struct bpf_sock;
struct bpf_sock_addr;
struct bpf_sock_ops;
struct bpf_sock_tuple;
struct bpf_spin_lock;
struct bpf_sysctl;
struct bpf_tcp_sock;
struct bpf_timer;
struct bpf_tunnel_key;
struct bpf_xfrm_state;
struct btf_ptr;
struct cgroup;
struct file;
struct inode;
struct iphdr;
struct ipv6hdr;
struct linux_binprm;
struct mptcp_sock;
struct path;
struct pt_regs;
struct seq_file;
struct sk_msg_md;
struct sk_reuseport_md;
struct sockaddr;
struct socket;
struct task_struct;
struct tcp6_sock;
struct tcp_request_sock;
struct tcp_sock;
struct tcp_timewait_sock;
struct tcphdr;
struct udp6_sock;
struct unix_sock;
struct xdp_md;

__bpf_helper(1, void *, bpf_map_lookup_elem, void *map, const void *key);
__bpf_helper(2, long, bpf_map_update_elem, void *map, const void *key, const void *value,
	     __u64 flags);
__bpf_helper(3, long, bpf_map_delete_elem, void *map, const void *key);
__bpf_helper(4, long, bpf_probe_read, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(5, __u64, bpf_ktime_get_ns, void);
__bpf_helper(6, long, bpf_trace_printk, const char *fmt, __u32 fmt_size, ...);
__bpf_helper(7, __u32, bpf_get_prandom_u32, void);
__bpf_helper(8, __u32, bpf_get_smp_processor_id, void);
__bpf_helper(9, long, bpf_skb_store_bytes, struct __sk_buff *skb, __u32 offset, const void *from,
	     __u32 len, __u64 flags);
__bpf_helper(10, long, bpf_l3_csum_replace, struct __sk_buff *skb, __u32 offset, __u64 from,
	     __u64 to, __u64 size);
__bpf_helper(11, long, bpf_l4_csum_replace, struct __sk_buff *skb, __u32 offset, __u64 from,
	     __u64 to, __u64 flags);
__bpf_helper(12, long, bpf_tail_call, void *ctx, void *prog_array_map, __u32 index);
__bpf_helper(13, long, bpf_clone_redirect, struct __sk_buff *skb, __u32 ifindex, __u64 flags);
__bpf_helper(14, __u64, bpf_get_current_pid_tgid, void);
__bpf_helper(15, __u64, bpf_get_current_uid_gid, void);
__bpf_helper(16, long, bpf_get_current_comm, void *buf, __u32 size_of_buf);
__bpf_helper(17, __u32, bpf_get_cgroup_classid, struct __sk_buff *skb);
__bpf_helper(18, long, bpf_skb_vlan_push, struct __sk_buff *skb, __be16 vlan_proto, __u16 vlan_tci);
__bpf_helper(19, long, bpf_skb_vlan_pop, struct __sk_buff *skb);
__bpf_helper(20, long, bpf_skb_get_tunnel_key, struct __sk_buff *skb, struct bpf_tunnel_key *key,
	     __u32 size, __u64 flags);
__bpf_helper(21, long, bpf_skb_set_tunnel_key, struct __sk_buff *skb, struct bpf_tunnel_key *key,
	     __u32 size, __u64 flags);
__bpf_helper(22, __u64, bpf_perf_event_read, void *map, __u64 flags);
__bpf_helper(23, long, bpf_redirect, __u32 ifindex, __u64 flags);
__bpf_helper(24, __u32, bpf_get_route_realm, struct __sk_buff *skb);
__bpf_helper(25, long, bpf_perf_event_output, void *ctx, void *map, __u64 flags, void *data,
	     __u64 size);
__bpf_helper(26, long, bpf_skb_load_bytes, const void *skb, __u32 offset, void *to, __u32 len);
__bpf_helper(27, long, bpf_get_stackid, void *ctx, void *map, __u64 flags);
__bpf_helper(28, __s64, bpf_csum_diff, __be32 *from, __u32 from_size, __be32 *to, __u32 to_size,
	     __wsum seed);
__bpf_helper(29, long, bpf_skb_get_tunnel_opt, struct __sk_buff *skb, void *opt, __u32 size);
__bpf_helper(30, long, bpf_skb_set_tunnel_opt, struct __sk_buff *skb, void *opt, __u32 size);
__bpf_helper(31, long, bpf_skb_change_proto, struct __sk_buff *skb, __be16 proto, __u64 flags);
__bpf_helper(32, long, bpf_skb_change_type, struct __sk_buff *skb, __u32 type);
__bpf_helper(33, long, bpf_skb_under_cgroup, struct __sk_buff *skb, void *map, __u32 index);
__bpf_helper(34, __u32, bpf_get_hash_recalc, struct __sk_buff *skb);
__bpf_helper(35, __u64, bpf_get_current_task, void);
__bpf_helper(36, long, bpf_probe_write_user, void *dst, const void *src, __u32 len);
__bpf_helper(37, long, bpf_current_task_under_cgroup, void *map, __u32 index);
__bpf_helper(38, long, bpf_skb_change_tail, struct __sk_buff *skb, __u32 len, __u64 flags);
__bpf_helper(39, long, bpf_skb_pull_data, struct __sk_buff *skb, __u32 len);
__bpf_helper(40, __s64, bpf_csum_update, struct __sk_buff *skb, __wsum csum);
__bpf_helper(41, void, bpf_set_hash_invalid, struct __sk_buff *skb);
__bpf_helper(42, long, bpf_get_numa_node_id, void);
__bpf_helper(43, long, bpf_skb_change_head, struct __sk_buff *skb, __u32 len, __u64 flags);
__bpf_helper(44, long, bpf_xdp_adjust_head, struct xdp_md *xdp_md, int delta);
__bpf_helper(45, long, bpf_probe_read_str, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(46, __u64, bpf_get_socket_cookie, void *ctx);
__bpf_helper(47, __u32, bpf_get_socket_uid, struct __sk_buff *skb);
__bpf_helper(48, long, bpf_set_hash, struct __sk_buff *skb, __u32 hash);
__bpf_helper(49, long, bpf_setsockopt, void *bpf_socket, int level, int optname, void *optval,
	     int optlen);
__bpf_helper(50, long, bpf_skb_adjust_room, struct __sk_buff *skb, __s32 len_diff, __u32 mode,
	     __u64 flags);
__bpf_helper(51, long, bpf_redirect_map, void *map, __u64 key, __u64 flags);
__bpf_helper(52, long, bpf_sk_redirect_map, struct __sk_buff *skb, void *map, __u32 key,
	     __u64 flags);
__bpf_helper(53, long, bpf_sock_map_update, struct bpf_sock_ops *skops, void *map, void *key,
	     __u64 flags);
__bpf_helper(54, long, bpf_xdp_adjust_meta, struct xdp_md *xdp_md, int delta);
__bpf_helper(55, long, bpf_perf_event_read_value, void *map, __u64 flags,
	     struct bpf_perf_event_value *buf, __u32 buf_size);
__bpf_helper(56, long, bpf_perf_prog_read_value, struct bpf_perf_event_data *ctx,
	     struct bpf_perf_event_value *buf, __u32 buf_size);
__bpf_helper(57, long, bpf_getsockopt, void *bpf_socket, int level, int optname, void *optval,
	     int optlen);
__bpf_helper(58, long, bpf_override_return, struct pt_regs *regs, __u64 rc);
__bpf_helper(59, long, bpf_sock_ops_cb_flags_set, struct bpf_sock_ops *bpf_sock, int argval);
__bpf_helper(60, long, bpf_msg_redirect_map, struct sk_msg_md *msg, void *map, __u32 key,
	     __u64 flags);
__bpf_helper(61, long, bpf_msg_apply_bytes, struct sk_msg_md *msg, __u32 bytes);
__bpf_helper(62, long, bpf_msg_cork_bytes, struct sk_msg_md *msg, __u32 bytes);
__bpf_helper(63, long, bpf_msg_pull_data, struct sk_msg_md *msg, __u32 start, __u32 end,
	     __u64 flags);
__bpf_helper(64, long, bpf_bind, struct bpf_sock_addr *ctx, struct sockaddr *addr, int addr_len);
__bpf_helper(65, long, bpf_xdp_adjust_tail, struct xdp_md *xdp_md, int delta);
__bpf_helper(66, long, bpf_skb_get_xfrm_state, struct __sk_buff *skb, __u32 index,
	     struct bpf_xfrm_state *xfrm_state, __u32 size, __u64 flags);
__bpf_helper(67, long, bpf_get_stack, void *ctx, void *buf, __u32 size, __u64 flags);
__bpf_helper(68, long, bpf_skb_load_bytes_relative, const void *skb, __u32 offset, void *to,
	     __u32 len, __u32 start_header);
__bpf_helper(69, long, bpf_fib_lookup, void *ctx, struct bpf_fib_lookup *params, int plen,
	     __u32 flags);
__bpf_helper(70, long, bpf_sock_hash_update, struct bpf_sock_ops *skops, void *map, void *key,
	     __u64 flags);
__bpf_helper(71, long, bpf_msg_redirect_hash, struct sk_msg_md *msg, void *map, void *key,
	     __u64 flags);
__bpf_helper(72, long, bpf_sk_redirect_hash, struct __sk_buff *skb, void *map, void *key,
	     __u64 flags);
__bpf_helper(73, long, bpf_lwt_push_encap, struct __sk_buff *skb, __u32 type, void *hdr, __u32 len);
__bpf_helper(74, long, bpf_lwt_seg6_store_bytes, struct __sk_buff *skb, __u32 offset,
	     const void *from, __u32 len);
__bpf_helper(75, long, bpf_lwt_seg6_adjust_srh, struct __sk_buff *skb, __u32 offset, __s32 delta);
__bpf_helper(76, long, bpf_lwt_seg6_action, struct __sk_buff *skb, __u32 action, void *param,
	     __u32 param_len);
__bpf_helper(77, long, bpf_rc_repeat, void *ctx);
__bpf_helper(78, long, bpf_rc_keydown, void *ctx, __u32 protocol, __u64 scancode, __u32 toggle);
__bpf_helper(79, __u64, bpf_skb_cgroup_id, struct __sk_buff *skb);
__bpf_helper(80, __u64, bpf_get_current_cgroup_id, void);
__bpf_helper(81, void *, bpf_get_local_storage, void *map, __u64 flags);
__bpf_helper(82, long, bpf_sk_select_reuseport, struct sk_reuseport_md *reuse, void *map, void *key,
	     __u64 flags);
__bpf_helper(83, __u64, bpf_skb_ancestor_cgroup_id, struct __sk_buff *skb, int ancestor_level);
__bpf_helper(84, struct bpf_sock *, bpf_sk_lookup_tcp, void *ctx, struct bpf_sock_tuple *tuple,
	     __u32 tuple_size, __u64 netns, __u64 flags);
__bpf_helper(85, struct bpf_sock *, bpf_sk_lookup_udp, void *ctx, struct bpf_sock_tuple *tuple,
	     __u32 tuple_size, __u64 netns, __u64 flags);
__bpf_helper(86, long, bpf_sk_release, void *sock);
__bpf_helper(87, long, bpf_map_push_elem, void *map, const void *value, __u64 flags);
__bpf_helper(88, long, bpf_map_pop_elem, void *map, void *value);
__bpf_helper(89, long, bpf_map_peek_elem, void *map, void *value);
__bpf_helper(90, long, bpf_msg_push_data, struct sk_msg_md *msg, __u32 start, __u32 len,
	     __u64 flags);
__bpf_helper(91, long, bpf_msg_pop_data, struct sk_msg_md *msg, __u32 start, __u32 len,
	     __u64 flags);
__bpf_helper(92, long, bpf_rc_pointer_rel, void *ctx, __s32 rel_x, __s32 rel_y);
__bpf_helper(93, long, bpf_spin_lock, struct bpf_spin_lock *lock);
__bpf_helper(94, long, bpf_spin_unlock, struct bpf_spin_lock *lock);
__bpf_helper(95, struct bpf_sock *, bpf_sk_fullsock, struct bpf_sock *sk);
__bpf_helper(96, struct bpf_tcp_sock *, bpf_tcp_sock, struct bpf_sock *sk);
__bpf_helper(97, long, bpf_skb_ecn_set_ce, struct __sk_buff *skb);
__bpf_helper(98, struct bpf_sock *, bpf_get_listener_sock, struct bpf_sock *sk);
__bpf_helper(99, struct bpf_sock *, bpf_skc_lookup_tcp, void *ctx, struct bpf_sock_tuple *tuple,
	     __u32 tuple_size, __u64 netns, __u64 flags);
__bpf_helper(100, long, bpf_tcp_check_syncookie, void *sk, void *iph, __u32 iph_len,
	     struct tcphdr *th, __u32 th_len);
__bpf_helper(101, long, bpf_sysctl_get_name, struct bpf_sysctl *ctx, char *buf,
	     unsigned long buf_len, __u64 flags);
__bpf_helper(102, long, bpf_sysctl_get_current_value, struct bpf_sysctl *ctx, char *buf,
	     unsigned long buf_len);
__bpf_helper(103, long, bpf_sysctl_get_new_value, struct bpf_sysctl *ctx, char *buf,
	     unsigned long buf_len);
__bpf_helper(104, long, bpf_sysctl_set_new_value, struct bpf_sysctl *ctx, const char *buf,
	     unsigned long buf_len);
__bpf_helper(105, long, bpf_strtol, const char *buf, unsigned long buf_len, __u64 flags, long *res);
__bpf_helper(106, long, bpf_strtoul, const char *buf, unsigned long buf_len, __u64 flags,
	     unsigned long *res);
__bpf_helper(107, void *, bpf_sk_storage_get, void *map, void *sk, void *value, __u64 flags);
__bpf_helper(108, long, bpf_sk_storage_delete, void *map, void *sk);
__bpf_helper(109, long, bpf_send_signal, __u32 sig);
__bpf_helper(110, __s64, bpf_tcp_gen_syncookie, void *sk, void *iph, __u32 iph_len,
	     struct tcphdr *th, __u32 th_len);
__bpf_helper(111, long, bpf_skb_output, void *ctx, void *map, __u64 flags, void *data, __u64 size);
__bpf_helper(112, long, bpf_probe_read_user, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(113, long, bpf_probe_read_kernel, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(114, long, bpf_probe_read_user_str, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(115, long, bpf_probe_read_kernel_str, void *dst, __u32 size, const void *unsafe_ptr);
__bpf_helper(116, long, bpf_tcp_send_ack, void *tp, __u32 rcv_nxt);
__bpf_helper(117, long, bpf_send_signal_thread, __u32 sig);
__bpf_helper(118, __u64, bpf_jiffies64, void);
__bpf_helper(119, long, bpf_read_branch_records, struct bpf_perf_event_data *ctx, void *buf,
	     __u32 size, __u64 flags);
__bpf_helper(120, long, bpf_get_ns_current_pid_tgid, __u64 dev, __u64 ino,
	     struct bpf_pidns_info *nsdata, __u32 size);
__bpf_helper(121, long, bpf_xdp_output, void *ctx, void *map, __u64 flags, void *data, __u64 size);
__bpf_helper(122, __u64, bpf_get_netns_cookie, void *ctx);
__bpf_helper(123, __u64, bpf_get_current_ancestor_cgroup_id, int ancestor_level);
__bpf_helper(124, long, bpf_sk_assign, void *ctx, void *sk, __u64 flags);
__bpf_helper(125, __u64, bpf_ktime_get_boot_ns, void);
__bpf_helper(126, long, bpf_seq_printf, struct seq_file *m, const char *fmt, __u32 fmt_size,
	     const void *data, __u32 data_len);
__bpf_helper(127, long, bpf_seq_write, struct seq_file *m, const void *data, __u32 len);
__bpf_helper(128, __u64, bpf_sk_cgroup_id, void *sk);
__bpf_helper(129, __u64, bpf_sk_ancestor_cgroup_id, void *sk, int ancestor_level);
__bpf_helper(130, long, bpf_ringbuf_output, void *ringbuf, void *data, __u64 size, __u64 flags);
__bpf_helper(131, void *, bpf_ringbuf_reserve, void *ringbuf, __u64 size, __u64 flags);
__bpf_helper(132, void, bpf_ringbuf_submit, void *data, __u64 flags);
__bpf_helper(133, void, bpf_ringbuf_discard, void *data, __u64 flags);
__bpf_helper(134, __u64, bpf_ringbuf_query, void *ringbuf, __u64 flags);
__bpf_helper(135, long, bpf_csum_level, struct __sk_buff *skb, __u64 level);
__bpf_helper(136, struct tcp6_sock *, bpf_skc_to_tcp6_sock, void *sk);
__bpf_helper(137, struct tcp_sock *, bpf_skc_to_tcp_sock, void *sk);
__bpf_helper(138, struct tcp_timewait_sock *, bpf_skc_to_tcp_timewait_sock, void *sk);
__bpf_helper(139, struct tcp_request_sock *, bpf_skc_to_tcp_request_sock, void *sk);
__bpf_helper(140, struct udp6_sock *, bpf_skc_to_udp6_sock, void *sk);
__bpf_helper(141, long, bpf_get_task_stack, struct task_struct *task, void *buf, __u32 size,
	     __u64 flags);
__bpf_helper(142, long, bpf_load_hdr_opt, struct bpf_sock_ops *skops, void *searchby_res, __u32 len,
	     __u64 flags);
__bpf_helper(143, long, bpf_store_hdr_opt, struct bpf_sock_ops *skops, const void *from, __u32 len,
	     __u64 flags);
__bpf_helper(144, long, bpf_reserve_hdr_opt, struct bpf_sock_ops *skops, __u32 len, __u64 flags);
__bpf_helper(145, void *, bpf_inode_storage_get, void *map, void *inode, void *value, __u64 flags);
__bpf_helper(146, int, bpf_inode_storage_delete, void *map, void *inode);
__bpf_helper(147, long, bpf_d_path, struct path *path, char *buf, __u32 sz);
__bpf_helper(148, long, bpf_copy_from_user, void *dst, __u32 size, const void *user_ptr);
__bpf_helper(149, long, bpf_snprintf_btf, char *str, __u32 str_size, struct btf_ptr *ptr,
	     __u32 btf_ptr_size, __u64 flags);
__bpf_helper(150, long, bpf_seq_printf_btf, struct seq_file *m, struct btf_ptr *ptr, __u32 ptr_size,
	     __u64 flags);
__bpf_helper(151, __u64, bpf_skb_cgroup_classid, struct __sk_buff *skb);
__bpf_helper(152, long, bpf_redirect_neigh, __u32 ifindex, struct bpf_redir_neigh *params, int plen,
	     __u64 flags);
__bpf_helper(153, void *, bpf_per_cpu_ptr, const void *percpu_ptr, __u32 cpu);
__bpf_helper(154, void *, bpf_this_cpu_ptr, const void *percpu_ptr);
__bpf_helper(155, long, bpf_redirect_peer, __u32 ifindex, __u64 flags);
__bpf_helper(156, void *, bpf_task_storage_get, void *map, struct task_struct *task, void *value,
	     __u64 flags);
__bpf_helper(157, long, bpf_task_storage_delete, void *map, struct task_struct *task);
__bpf_helper(158, struct task_struct *, bpf_get_current_task_btf, void);
__bpf_helper(159, long, bpf_bprm_opts_set, struct linux_binprm *bprm, __u64 flags);
__bpf_helper(160, __u64, bpf_ktime_get_coarse_ns, void);
__bpf_helper(161, long, bpf_ima_inode_hash, struct inode *inode, void *dst, __u32 size);
__bpf_helper(162, struct socket *, bpf_sock_from_file, struct file *file);
__bpf_helper(163, long, bpf_check_mtu, void *ctx, __u32 ifindex, __u32 *mtu_len, __s32 len_diff,
	     __u64 flags);
__bpf_helper(164, long, bpf_for_each_map_elem, void *map, void *callback_fn, void *callback_ctx,
	     __u64 flags);
__bpf_helper(165, long, bpf_snprintf, char *str, __u32 str_size, const char *fmt, __u64 *data,
	     __u32 data_len);
__bpf_helper(166, long, bpf_sys_bpf, __u32 cmd, void *attr, __u32 attr_size);
__bpf_helper(167, long, bpf_btf_find_by_name_kind, char *name, int name_sz, __u32 kind, int flags);
__bpf_helper(168, long, bpf_sys_close, __u32 fd);
__bpf_helper(169, long, bpf_timer_init, struct bpf_timer *timer, void *map, __u64 flags);
__bpf_helper(170, long, bpf_timer_set_callback, struct bpf_timer *timer, void *callback_fn);
__bpf_helper(171, long, bpf_timer_start, struct bpf_timer *timer, __u64 nsecs, __u64 flags);
__bpf_helper(172, long, bpf_timer_cancel, struct bpf_timer *timer);
__bpf_helper(173, __u64, bpf_get_func_ip, void *ctx);
__bpf_helper(174, __u64, bpf_get_attach_cookie, void *ctx);
__bpf_helper(175, long, bpf_task_pt_regs, struct task_struct *task);
__bpf_helper(176, long, bpf_get_branch_snapshot, void *entries, __u32 size, __u64 flags);
__bpf_helper(177, long, bpf_trace_vprintk, const char *fmt, __u32 fmt_size, const void *data,
	     __u32 data_len);
__bpf_helper(178, struct unix_sock *, bpf_skc_to_unix_sock, void *sk);
__bpf_helper(179, long, bpf_kallsyms_lookup_name, const char *name, int name_sz, int flags,
	     __u64 *res);
__bpf_helper(180, long, bpf_find_vma, struct task_struct *task, __u64 addr, void *callback_fn,
	     void *callback_ctx, __u64 flags);
__bpf_helper(181, long, bpf_loop, __u32 nr_loops, void *callback_fn, void *callback_ctx,
	     __u64 flags);
__bpf_helper(182, long, bpf_strncmp, const char *s1, __u32 s1_sz, const char *s2);
__bpf_helper(183, long, bpf_get_func_arg, void *ctx, __u32 n, __u64 *value);
__bpf_helper(184, long, bpf_get_func_ret, void *ctx, __u64 *value);
__bpf_helper(185, long, bpf_get_func_arg_cnt, void *ctx);
__bpf_helper(186, int, bpf_get_retval, void);
__bpf_helper(187, int, bpf_set_retval, int retval);
__bpf_helper(188, __u64, bpf_xdp_get_buff_len, struct xdp_md *xdp_md);
__bpf_helper(189, long, bpf_xdp_load_bytes, struct xdp_md *xdp_md, __u32 offset, void *buf,
	     __u32 len);
__bpf_helper(190, long, bpf_xdp_store_bytes, struct xdp_md *xdp_md, __u32 offset, void *buf,
	     __u32 len);
__bpf_helper(191, long, bpf_copy_from_user_task, void *dst, __u32 size, const void *user_ptr,
	     struct task_struct *tsk, __u64 flags);
__bpf_helper(192, long, bpf_skb_set_tstamp, struct __sk_buff *skb, __u64 tstamp, __u32 tstamp_type);
__bpf_helper(193, long, bpf_ima_file_hash, struct file *file, void *dst, __u32 size);
__bpf_helper(194, void *, bpf_kptr_xchg, void *map_value, void *ptr);
__bpf_helper(195, void *, bpf_map_lookup_percpu_elem, void *map, const void *key, __u32 cpu);
__bpf_helper(196, struct mptcp_sock *, bpf_skc_to_mptcp_sock, void *sk);
__bpf_helper(197, long, bpf_dynptr_from_mem, void *data, __u32 size, __u64 flags,
	     struct bpf_dynptr *ptr);
__bpf_helper(198, long, bpf_ringbuf_reserve_dynptr, void *ringbuf, __u32 size, __u64 flags,
	     struct bpf_dynptr *ptr);
__bpf_helper(199, void, bpf_ringbuf_submit_dynptr, struct bpf_dynptr *ptr, __u64 flags);
__bpf_helper(200, void, bpf_ringbuf_discard_dynptr, struct bpf_dynptr *ptr, __u64 flags);
__bpf_helper(201, long, bpf_dynptr_read, void *dst, __u32 len, const struct bpf_dynptr *src,
	     __u32 offset, __u64 flags);
__bpf_helper(202, long, bpf_dynptr_write, const struct bpf_dynptr *dst, __u32 offset, void *src,
	     __u32 len, __u64 flags);
__bpf_helper(203, void *, bpf_dynptr_data, const struct bpf_dynptr *ptr, __u32 offset, __u32 len);
__bpf_helper(204, __s64, bpf_tcp_raw_gen_syncookie_ipv4, struct iphdr *iph, struct tcphdr *th,
	     __u32 th_len);
__bpf_helper(205, __s64, bpf_tcp_raw_gen_syncookie_ipv6, struct ipv6hdr *iph, struct tcphdr *th,
	     __u32 th_len);
__bpf_helper(206, long, bpf_tcp_raw_check_syncookie_ipv4, struct iphdr *iph, struct tcphdr *th);
__bpf_helper(207, long, bpf_tcp_raw_check_syncookie_ipv6, struct ipv6hdr *iph, struct tcphdr *th);
__bpf_helper(208, __u64, bpf_ktime_get_tai_ns, void);
__bpf_helper(209, long, bpf_user_ringbuf_drain, void *map, void *callback_fn, void *ctx,
	     __u64 flags);
__bpf_helper(210, void *, bpf_cgrp_storage_get, void *map, struct cgroup *cgroup, void *value,
	     __u64 flags);
__bpf_helper(211, long, bpf_cgrp_storage_delete, void *map, struct cgroup *cgroup);

#undef __bpf_helper

#endif
