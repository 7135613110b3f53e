/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ABI of bpf(2) as of Linux 7.3: instructions, commands, attributes and object information. */
#ifndef __LINUX_BPF_H__
#define __LINUX_BPF_H__

#include <linux/types.h>
#include <linux/bpf_common.h>

/* Extended BPF adds 32-bit jumps, 64-bit arithmetic, atomics and calls to bpf_common.h. */
#define BPF_JMP32	0x06
#define BPF_ALU64	0x07

#define BPF_DW		0x18
#define BPF_MEMSX	0x80
#define BPF_ATOMIC	0xc0
#define BPF_XADD	0xc0

#define BPF_MOV		0xb0
#define BPF_ARSH	0xc0
#define BPF_END		0xd0
#define BPF_TO_LE	0x00
#define BPF_TO_BE	0x08
#define BPF_FROM_LE	BPF_TO_LE
#define BPF_FROM_BE	BPF_TO_BE

#define BPF_JNE		0x50
#define BPF_JSGT	0x60
#define BPF_JSGE	0x70
#define BPF_CALL	0x80
#define BPF_EXIT	0x90
#define BPF_JLT		0xa0
#define BPF_JLE		0xb0
#define BPF_JSLT	0xc0
#define BPF_JSLE	0xd0
#define BPF_JCOND	0xe0

/* The imm of a BPF_ATOMIC instruction selects the operation. */
#define BPF_FETCH	0x01
#define BPF_XCHG	(0xe0 | BPF_FETCH)
#define BPF_CMPXCHG	(0xf0 | BPF_FETCH)
#define BPF_LOAD_ACQ	0x100
#define BPF_STORE_REL	0x110

/* The off of BPF_ALU64 | BPF_MOV | BPF_X: a conversion between address spaces, which imm names. */
enum bpf_addr_space_cast {
	BPF_ADDR_SPACE_CAST = 1,
};

enum bpf_cond_pseudo_jmp {
	BPF_MAY_GOTO = 0,
};

enum {
	BPF_REG_0 = 0,
	BPF_REG_1,
	BPF_REG_2,
	BPF_REG_3,
	BPF_REG_4,
	BPF_REG_5,
	BPF_REG_6,
	BPF_REG_7,
	BPF_REG_8,
	BPF_REG_9,
	BPF_REG_10,
	__MAX_BPF_REG,
};
#define MAX_BPF_REG	__MAX_BPF_REG

struct bpf_insn {
	__u8 code;
	__u8 dst_reg:4;
	__u8 src_reg:4;
	__s16 off;
	__s32 imm;
};

/*
 * In BPF_LD | BPF_IMM | BPF_DW, src_reg selects the meaning of the two imm fields (0: a constant):
 *
 *	src_reg		imm of the first half		imm of the second half
 *	MAP_FD		map fd				0
 *	MAP_VALUE	map fd				offset in the map's value
 *	BTF_ID		BTF id of a kernel symbol	fd of the module's BTF, or 0
 *	FUNC		relative instruction offset	0
 *	MAP_IDX		index into fd_array		0
 *	MAP_IDX_VALUE	index into fd_array		offset in the map's value
 */
#define BPF_PSEUDO_MAP_FD		1
#define BPF_PSEUDO_MAP_VALUE		2
#define BPF_PSEUDO_BTF_ID		3
#define BPF_PSEUDO_FUNC			4
#define BPF_PSEUDO_MAP_IDX		5
#define BPF_PSEUDO_MAP_IDX_VALUE	6

/*
 * In BPF_JMP | BPF_CALL, src_reg selects the meaning of imm: 0 is the number of a helper, CALL a
 * relative instruction offset, KFUNC_CALL a BTF id.
 */
#define BPF_PSEUDO_CALL			1
#define BPF_PSEUDO_KFUNC_CALL		2

enum bpf_cmd {
	BPF_MAP_CREATE = 0,
	BPF_MAP_LOOKUP_ELEM = 1,
	BPF_MAP_UPDATE_ELEM = 2,
	BPF_MAP_DELETE_ELEM = 3,
	BPF_MAP_GET_NEXT_KEY = 4,
	BPF_PROG_LOAD = 5,
	BPF_OBJ_PIN = 6,
	BPF_OBJ_GET = 7,
	BPF_PROG_ATTACH = 8,
	BPF_PROG_DETACH = 9,
	BPF_PROG_TEST_RUN = 10,
	BPF_PROG_RUN = 10,
	BPF_PROG_GET_NEXT_ID = 11,
	BPF_MAP_GET_NEXT_ID = 12,
	BPF_PROG_GET_FD_BY_ID = 13,
	BPF_MAP_GET_FD_BY_ID = 14,
	BPF_OBJ_GET_INFO_BY_FD = 15,
	BPF_PROG_QUERY = 16,
	BPF_RAW_TRACEPOINT_OPEN = 17,
	BPF_BTF_LOAD = 18,
	BPF_BTF_GET_FD_BY_ID = 19,
	BPF_TASK_FD_QUERY = 20,
	BPF_MAP_LOOKUP_AND_DELETE_ELEM = 21,
	BPF_MAP_FREEZE = 22,
	BPF_BTF_GET_NEXT_ID = 23,
	BPF_MAP_LOOKUP_BATCH = 24,
	BPF_MAP_LOOKUP_AND_DELETE_BATCH = 25,
	BPF_MAP_UPDATE_BATCH = 26,
	BPF_MAP_DELETE_BATCH = 27,
	BPF_LINK_CREATE = 28,
	BPF_LINK_UPDATE = 29,
	BPF_LINK_GET_FD_BY_ID = 30,
	BPF_LINK_GET_NEXT_ID = 31,
	BPF_ENABLE_STATS = 32,
	BPF_ITER_CREATE = 33,
	BPF_LINK_DETACH = 34,
	BPF_PROG_BIND_MAP = 35,
	BPF_TOKEN_CREATE = 36,
	BPF_PROG_STREAM_READ_BY_FD = 37,
	BPF_PROG_ASSOC_STRUCT_OPS = 38,	/* Linux 7.0 */
	__MAX_BPF_CMD = 39,
	BPF_COMMON_ATTRS = 1 << 16,	/* Linux 7.2: the call has a struct bpf_common_attr */
};

enum bpf_map_type {
	BPF_MAP_TYPE_UNSPEC = 0,
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_STACK_TRACE = 7,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_LRU_PERCPU_HASH = 10,
	BPF_MAP_TYPE_LPM_TRIE = 11,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_HASH_OF_MAPS = 13,
	BPF_MAP_TYPE_DEVMAP = 14,
	BPF_MAP_TYPE_SOCKMAP = 15,
	BPF_MAP_TYPE_CPUMAP = 16,
	BPF_MAP_TYPE_XSKMAP = 17,
	BPF_MAP_TYPE_SOCKHASH = 18,
	BPF_MAP_TYPE_CGROUP_STORAGE_DEPRECATED = 19,
	BPF_MAP_TYPE_CGROUP_STORAGE = 19,
	BPF_MAP_TYPE_REUSEPORT_SOCKARRAY = 20,
	BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE_DEPRECATED = 21,
	BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE = 21,
	BPF_MAP_TYPE_QUEUE = 22,
	BPF_MAP_TYPE_STACK = 23,
	BPF_MAP_TYPE_SK_STORAGE = 24,
	BPF_MAP_TYPE_DEVMAP_HASH = 25,
	BPF_MAP_TYPE_STRUCT_OPS = 26,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_INODE_STORAGE = 28,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
	BPF_MAP_TYPE_BLOOM_FILTER = 30,
	BPF_MAP_TYPE_USER_RINGBUF = 31,
	BPF_MAP_TYPE_CGRP_STORAGE = 32,
	BPF_MAP_TYPE_ARENA = 33,
	BPF_MAP_TYPE_INSN_ARRAY = 34,	/* Linux 6.19 */
	BPF_MAP_TYPE_RHASH = 35,	/* Linux 7.2 */
	__MAX_BPF_MAP_TYPE = 36,
};

enum bpf_prog_type {
	BPF_PROG_TYPE_UNSPEC = 0,
	BPF_PROG_TYPE_SOCKET_FILTER = 1,
	BPF_PROG_TYPE_KPROBE = 2,
	BPF_PROG_TYPE_SCHED_CLS = 3,
	BPF_PROG_TYPE_SCHED_ACT = 4,
	BPF_PROG_TYPE_TRACEPOINT = 5,
	BPF_PROG_TYPE_XDP = 6,
	BPF_PROG_TYPE_PERF_EVENT = 7,
	BPF_PROG_TYPE_CGROUP_SKB = 8,
	BPF_PROG_TYPE_CGROUP_SOCK = 9,
	BPF_PROG_TYPE_LWT_IN = 10,
	BPF_PROG_TYPE_LWT_OUT = 11,
	BPF_PROG_TYPE_LWT_XMIT = 12,
	BPF_PROG_TYPE_SOCK_OPS = 13,
	BPF_PROG_TYPE_SK_SKB = 14,
	BPF_PROG_TYPE_CGROUP_DEVICE = 15,
	BPF_PROG_TYPE_SK_MSG = 16,
	BPF_PROG_TYPE_RAW_TRACEPOINT = 17,
	BPF_PROG_TYPE_CGROUP_SOCK_ADDR = 18,
	BPF_PROG_TYPE_LWT_SEG6LOCAL = 19,
	BPF_PROG_TYPE_LIRC_MODE2 = 20,
	BPF_PROG_TYPE_SK_REUSEPORT = 21,
	BPF_PROG_TYPE_FLOW_DISSECTOR = 22,
	BPF_PROG_TYPE_CGROUP_SYSCTL = 23,
	BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE = 24,
	BPF_PROG_TYPE_CGROUP_SOCKOPT = 25,
	BPF_PROG_TYPE_TRACING = 26,
	BPF_PROG_TYPE_STRUCT_OPS = 27,
	BPF_PROG_TYPE_EXT = 28,
	BPF_PROG_TYPE_LSM = 29,
	BPF_PROG_TYPE_SK_LOOKUP = 30,
	BPF_PROG_TYPE_SYSCALL = 31,
	BPF_PROG_TYPE_NETFILTER = 32,
	__MAX_BPF_PROG_TYPE = 33,
};

enum bpf_attach_type {
	BPF_CGROUP_INET_INGRESS = 0,
	BPF_CGROUP_INET_EGRESS = 1,
	BPF_CGROUP_INET_SOCK_CREATE = 2,
	BPF_CGROUP_SOCK_OPS = 3,
	BPF_SK_SKB_STREAM_PARSER = 4,
	BPF_SK_SKB_STREAM_VERDICT = 5,
	BPF_CGROUP_DEVICE = 6,
	BPF_SK_MSG_VERDICT = 7,
	BPF_CGROUP_INET4_BIND = 8,
	BPF_CGROUP_INET6_BIND = 9,
	BPF_CGROUP_INET4_CONNECT = 10,
	BPF_CGROUP_INET6_CONNECT = 11,
	BPF_CGROUP_INET4_POST_BIND = 12,
	BPF_CGROUP_INET6_POST_BIND = 13,
	BPF_CGROUP_UDP4_SENDMSG = 14,
	BPF_CGROUP_UDP6_SENDMSG = 15,
	BPF_LIRC_MODE2 = 16,
	BPF_FLOW_DISSECTOR = 17,
	BPF_CGROUP_SYSCTL = 18,
	BPF_CGROUP_UDP4_RECVMSG = 19,
	BPF_CGROUP_UDP6_RECVMSG = 20,
	BPF_CGROUP_GETSOCKOPT = 21,
	BPF_CGROUP_SETSOCKOPT = 22,
	BPF_TRACE_RAW_TP = 23,
	BPF_TRACE_FENTRY = 24,
	BPF_TRACE_FEXIT = 25,
	BPF_MODIFY_RETURN = 26,
	BPF_LSM_MAC = 27,
	BPF_TRACE_ITER = 28,
	BPF_CGROUP_INET4_GETPEERNAME = 29,
	BPF_CGROUP_INET6_GETPEERNAME = 30,
	BPF_CGROUP_INET4_GETSOCKNAME = 31,
	BPF_CGROUP_INET6_GETSOCKNAME = 32,
	BPF_XDP_DEVMAP = 33,
	BPF_CGROUP_INET_SOCK_RELEASE = 34,
	BPF_XDP_CPUMAP = 35,
	BPF_SK_LOOKUP = 36,
	BPF_XDP = 37,
	BPF_SK_SKB_VERDICT = 38,
	BPF_SK_REUSEPORT_SELECT = 39,
	BPF_SK_REUSEPORT_SELECT_OR_MIGRATE = 40,
	BPF_PERF_EVENT = 41,
	BPF_TRACE_KPROBE_MULTI = 42,
	BPF_LSM_CGROUP = 43,
	BPF_STRUCT_OPS = 44,
	BPF_NETFILTER = 45,
	BPF_TCX_INGRESS = 46,
	BPF_TCX_EGRESS = 47,
	BPF_TRACE_UPROBE_MULTI = 48,
	BPF_CGROUP_UNIX_CONNECT = 49,
	BPF_CGROUP_UNIX_SENDMSG = 50,
	BPF_CGROUP_UNIX_RECVMSG = 51,
	BPF_CGROUP_UNIX_GETPEERNAME = 52,
	BPF_CGROUP_UNIX_GETSOCKNAME = 53,
	BPF_NETKIT_PRIMARY = 54,
	BPF_NETKIT_PEER = 55,
	BPF_TRACE_KPROBE_SESSION = 56,
	BPF_TRACE_UPROBE_SESSION = 57,
	BPF_TRACE_FSESSION = 58,	/* Linux 7.0 */
	BPF_TRACE_FENTRY_MULTI = 59,	/* Linux 7.2 */
	BPF_TRACE_FEXIT_MULTI = 60,
	BPF_TRACE_FSESSION_MULTI = 61,
	__MAX_BPF_ATTACH_TYPE = 62,
};

#define MAX_BPF_ATTACH_TYPE	__MAX_BPF_ATTACH_TYPE

enum bpf_link_type {
	BPF_LINK_TYPE_UNSPEC = 0,
	BPF_LINK_TYPE_RAW_TRACEPOINT = 1,
	BPF_LINK_TYPE_TRACING = 2,
	BPF_LINK_TYPE_CGROUP = 3,
	BPF_LINK_TYPE_ITER = 4,
	BPF_LINK_TYPE_NETNS = 5,
	BPF_LINK_TYPE_XDP = 6,
	BPF_LINK_TYPE_PERF_EVENT = 7,
	BPF_LINK_TYPE_KPROBE_MULTI = 8,
	BPF_LINK_TYPE_STRUCT_OPS = 9,
	BPF_LINK_TYPE_NETFILTER = 10,
	BPF_LINK_TYPE_TCX = 11,
	BPF_LINK_TYPE_UPROBE_MULTI = 12,
	BPF_LINK_TYPE_NETKIT = 13,
	BPF_LINK_TYPE_SOCKMAP = 14,
	BPF_LINK_TYPE_TRACING_MULTI = 15,
	__MAX_BPF_LINK_TYPE = 16,
};

#define MAX_BPF_LINK_TYPE	__MAX_BPF_LINK_TYPE

enum bpf_perf_event_type {
	BPF_PERF_EVENT_UNSPEC = 0,
	BPF_PERF_EVENT_UPROBE = 1,
	BPF_PERF_EVENT_URETPROBE = 2,
	BPF_PERF_EVENT_KPROBE = 3,
	BPF_PERF_EVENT_KRETPROBE = 4,
	BPF_PERF_EVENT_TRACEPOINT = 5,
	BPF_PERF_EVENT_EVENT = 6,
};

enum bpf_task_fd_type {
	BPF_FD_TYPE_RAW_TRACEPOINT = 0,
	BPF_FD_TYPE_TRACEPOINT = 1,
	BPF_FD_TYPE_KPROBE = 2,
	BPF_FD_TYPE_KRETPROBE = 3,
	BPF_FD_TYPE_UPROBE = 4,
	BPF_FD_TYPE_URETPROBE = 5,
};

enum bpf_stats_type {
	BPF_STATS_RUN_TIME = 0,
};

enum bpf_core_relo_kind {
	BPF_CORE_FIELD_BYTE_OFFSET = 0,
	BPF_CORE_FIELD_BYTE_SIZE = 1,
	BPF_CORE_FIELD_EXISTS = 2,
	BPF_CORE_FIELD_SIGNED = 3,
	BPF_CORE_FIELD_LSHIFT_U64 = 4,
	BPF_CORE_FIELD_RSHIFT_U64 = 5,
	BPF_CORE_TYPE_ID_LOCAL = 6,
	BPF_CORE_TYPE_ID_TARGET = 7,
	BPF_CORE_TYPE_EXISTS = 8,
	BPF_CORE_TYPE_SIZE = 9,
	BPF_CORE_ENUMVAL_EXISTS = 10,
	BPF_CORE_ENUMVAL_VALUE = 11,
	BPF_CORE_TYPE_MATCHES = 12,
};

enum bpf_cgroup_iter_order {
	BPF_CGROUP_ITER_ORDER_UNSPEC = 0,
	BPF_CGROUP_ITER_SELF_ONLY = 1,
	BPF_CGROUP_ITER_DESCENDANTS_PRE = 2,
	BPF_CGROUP_ITER_DESCENDANTS_POST = 3,
	BPF_CGROUP_ITER_ANCESTORS_UP = 4,
	BPF_CGROUP_ITER_CHILDREN = 5,	/* Linux 7.2 */
};

/* The flags of BPF_MAP_UPDATE_ELEM. */
enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_EXIST = 2,
	BPF_F_LOCK = 4,
	BPF_F_CPU = 8,		/* Linux 7.0: the value of the CPU in the upper half */
	BPF_F_ALL_CPUS = 16,	/* Linux 7.0: the same value for all CPUs */
};

/* The map_flags of BPF_MAP_CREATE. */
enum {
	BPF_F_NO_PREALLOC = 1U << 0,
	BPF_F_NO_COMMON_LRU = 1U << 1,
	BPF_F_NUMA_NODE = 1U << 2,
	BPF_F_RDONLY = 1U << 3,
	BPF_F_WRONLY = 1U << 4,
	BPF_F_STACK_BUILD_ID = 1U << 5,
	BPF_F_ZERO_SEED = 1U << 6,
	BPF_F_RDONLY_PROG = 1U << 7,
	BPF_F_WRONLY_PROG = 1U << 8,
	BPF_F_CLONE = 1U << 9,
	BPF_F_MMAPABLE = 1U << 10,
	BPF_F_PRESERVE_ELEMS = 1U << 11,
	BPF_F_INNER_MAP = 1U << 12,
	BPF_F_LINK = 1U << 13,
	BPF_F_PATH_FD = 1U << 14,
	BPF_F_VTYPE_BTF_OBJ_FD = 1U << 15,
	BPF_F_TOKEN_FD = 1U << 16,
	BPF_F_SEGV_ON_FAULT = 1U << 17,
	BPF_F_NO_USER_CONV = 1U << 18,
	BPF_F_RB_OVERWRITE = 1U << 19,	/* Linux 6.19 */
};

/* The prog_flags of BPF_PROG_LOAD. */
#define BPF_F_STRICT_ALIGNMENT		(1U << 0)
#define BPF_F_ANY_ALIGNMENT		(1U << 1)
#define BPF_F_TEST_RND_HI32		(1U << 2)
#define BPF_F_TEST_STATE_FREQ		(1U << 3)
#define BPF_F_SLEEPABLE			(1U << 4)
#define BPF_F_XDP_HAS_FRAGS		(1U << 5)
#define BPF_F_XDP_DEV_BOUND_ONLY	(1U << 6)
#define BPF_F_TEST_REG_INVARIANTS	(1U << 7)

/* The attach_flags of BPF_PROG_ATTACH and link_create.flags. */
#define BPF_F_ALLOW_OVERRIDE		(1U << 0)
#define BPF_F_ALLOW_MULTI		(1U << 1)
#define BPF_F_REPLACE			(1U << 2)
#define BPF_F_BEFORE			(1U << 3)
#define BPF_F_AFTER			(1U << 4)
#define BPF_F_ID			(1U << 5)
#define BPF_F_PREORDER			(1U << 6)

/* The flags in link_create.kprobe_multi and link_create.uprobe_multi. */
enum {
	BPF_F_KPROBE_MULTI_RETURN = 1U << 0,
};

enum {
	BPF_F_UPROBE_MULTI_RETURN = 1U << 0,
	BPF_F_UPROBE_MULTI_PATH_FD = 1U << 1,	/* Linux 7.2 */
};

/* link_create.netfilter.flags */
#define BPF_F_NETFILTER_IP_DEFRAG	(1U << 0)

/* The stream_id of BPF_PROG_STREAM_READ_BY_FD and bpf_stream_printk(). */
enum {
	BPF_STREAM_STDOUT = 1,
	BPF_STREAM_STDERR = 2,
};

/* The test.flags of BPF_PROG_TEST_RUN. */
#define BPF_F_TEST_RUN_ON_CPU			(1U << 0)
#define BPF_F_TEST_XDP_LIVE_FRAMES		(1U << 1)
#define BPF_F_TEST_SKB_CHECKSUM_COMPLETE	(1U << 2)

/* The query_flags of BPF_PROG_QUERY. */
#define BPF_F_QUERY_EFFECTIVE		(1U << 0)

#define BPF_BUILD_ID_SIZE	20

/* The fourth argument of bpf(2); its size is the fifth. */
struct bpf_common_attr {
	__aligned_u64 log_buf;
	__u32 log_size;
	__u32 log_level;
	__u32 log_true_size;
};

#define BPF_OBJ_NAME_LEN	16U
#define BPF_TAG_SIZE		8

union bpf_iter_link_info {
	struct {
		__u32 map_fd;
	} map;
	struct {
		enum bpf_cgroup_iter_order order;
		__u32 cgroup_fd;
		__u64 cgroup_id;
	} cgroup;
	struct {
		__u32 tid;
		__u32 pid;
		__u32 pid_fd;
	} task;
};

union bpf_attr {
	struct { /* BPF_MAP_CREATE */
		__u32 map_type;
		__u32 key_size;
		__u32 value_size;
		__u32 max_entries;
		__u32 map_flags;
		__u32 inner_map_fd;
		__u32 numa_node;
		char map_name[BPF_OBJ_NAME_LEN];
		__u32 map_ifindex;
		__u32 btf_fd;
		__u32 btf_key_type_id;
		__u32 btf_value_type_id;
		__u32 btf_vmlinux_value_type_id;
		__aligned_u64 map_extra;
		__s32 value_type_btf_obj_fd;
		__s32 map_token_fd;
		__aligned_u64 excl_prog_hash;
		__u32 excl_prog_hash_size;
	};
	struct { /* BPF_MAP_*_ELEM, BPF_MAP_GET_NEXT_KEY, BPF_MAP_FREEZE */
		__u32 map_fd;
		__aligned_u64 key;
		union {
			__aligned_u64 value;
			__aligned_u64 next_key;
		};
		__aligned_u64 flags;
	};
	struct { /* BPF_MAP_*_BATCH */
		__aligned_u64 in_batch;
		__aligned_u64 out_batch;
		__aligned_u64 keys;
		__aligned_u64 values;
		__u32 count;
		__u32 map_fd;
		__aligned_u64 elem_flags;
		__aligned_u64 flags;
	} batch;
	struct { /* BPF_PROG_LOAD */
		__u32 prog_type;
		__u32 insn_cnt;
		__aligned_u64 insns;
		__aligned_u64 license;
		__u32 log_level;
		__u32 log_size;
		__aligned_u64 log_buf;
		__u32 kern_version;
		__u32 prog_flags;
		char prog_name[BPF_OBJ_NAME_LEN];
		__u32 prog_ifindex;
		__u32 expected_attach_type;
		__u32 prog_btf_fd;
		__u32 func_info_rec_size;
		__aligned_u64 func_info;
		__u32 func_info_cnt;
		__u32 line_info_rec_size;
		__aligned_u64 line_info;
		__u32 line_info_cnt;
		__u32 attach_btf_id;
		union {
			__u32 attach_prog_fd;
			__u32 attach_btf_obj_fd;
		};
		__u32 core_relo_cnt;
		__aligned_u64 fd_array;
		__aligned_u64 core_relos;
		__u32 core_relo_rec_size;
		__u32 log_true_size;
		__s32 prog_token_fd;
		__u32 fd_array_cnt;
		__aligned_u64 signature;
		__u32 signature_size;
		__s32 keyring_id;
	};
	struct { /* BPF_OBJ_PIN, BPF_OBJ_GET */
		__aligned_u64 pathname;
		__u32 bpf_fd;
		__u32 file_flags;
		__s32 path_fd;
	};
	struct { /* BPF_PROG_ATTACH, BPF_PROG_DETACH */
		union {
			__u32 target_fd;
			__u32 target_ifindex;
		};
		__u32 attach_bpf_fd;
		__u32 attach_type;
		__u32 attach_flags;
		__u32 replace_bpf_fd;
		union {
			__u32 relative_fd;
			__u32 relative_id;
		};
		__aligned_u64 expected_revision;
	};
	struct { /* BPF_PROG_TEST_RUN */
		__u32 prog_fd;
		__u32 retval;
		__u32 data_size_in;
		__u32 data_size_out;
		__aligned_u64 data_in;
		__aligned_u64 data_out;
		__u32 repeat;
		__u32 duration;
		__u32 ctx_size_in;
		__u32 ctx_size_out;
		__aligned_u64 ctx_in;
		__aligned_u64 ctx_out;
		__u32 flags;
		__u32 cpu;
		__u32 batch_size;
	} test;
	struct { /* BPF_*_GET_NEXT_ID, BPF_*_GET_FD_BY_ID */
		union {
			__u32 start_id;
			__u32 prog_id;
			__u32 map_id;
			__u32 btf_id;
			__u32 link_id;
		};
		__u32 next_id;
		__u32 open_flags;
		__s32 fd_by_id_token_fd;
	};
	struct { /* BPF_OBJ_GET_INFO_BY_FD */
		__u32 bpf_fd;
		__u32 info_len;
		__aligned_u64 info;
	} info;
	struct { /* BPF_PROG_QUERY */
		union {
			__u32 target_fd;
			__u32 target_ifindex;
		};
		__u32 attach_type;
		__u32 query_flags;
		__u32 attach_flags;
		__aligned_u64 prog_ids;
		union {
			__u32 prog_cnt;
			__u32 count;
		};
		__aligned_u64 prog_attach_flags;
		__aligned_u64 link_ids;
		__aligned_u64 link_attach_flags;
		__aligned_u64 revision;
	} query;
	struct { /* BPF_RAW_TRACEPOINT_OPEN */
		__aligned_u64 name;
		__u32 prog_fd;
		__aligned_u64 cookie;
	} raw_tracepoint;
	struct { /* BPF_BTF_LOAD */
		__aligned_u64 btf;
		__aligned_u64 btf_log_buf;
		__u32 btf_size;
		__u32 btf_log_size;
		__u32 btf_log_level;
		__u32 btf_log_true_size;
		__u32 btf_flags;
		__s32 btf_token_fd;
	};
	struct { /* BPF_TASK_FD_QUERY */
		__u32 pid;
		__u32 fd;
		__u32 flags;
		__u32 buf_len;
		__aligned_u64 buf;
		__u32 prog_id;
		__u32 fd_type;
		__aligned_u64 probe_offset;
		__aligned_u64 probe_addr;
	} task_fd_query;
	struct { /* BPF_LINK_CREATE */
		union {
			__u32 prog_fd;
			__u32 map_fd;
		};
		union {
			__u32 target_fd;
			__u32 target_ifindex;
		};
		__u32 attach_type;
		__u32 flags;
		union {
			__u32 target_btf_id;
			struct {
				__aligned_u64 iter_info;
				__u32 iter_info_len;
			};
			struct {
				__aligned_u64 bpf_cookie;
			} perf_event;
			struct {
				__u32 flags;
				__u32 cnt;
				__aligned_u64 syms;
				__aligned_u64 addrs;
				__aligned_u64 cookies;
			} kprobe_multi;
			struct {
				__u32 target_btf_id;
				__aligned_u64 cookie;
			} tracing;
			struct {
				__u32 pf;
				__u32 hooknum;
				__s32 priority;
				__u32 flags;
			} netfilter;
			struct {
				union {
					__u32 relative_fd;
					__u32 relative_id;
				};
				__aligned_u64 expected_revision;
			} tcx;
			struct {
				__aligned_u64 path;
				__aligned_u64 offsets;
				__aligned_u64 ref_ctr_offsets;
				__aligned_u64 cookies;
				__u32 cnt;
				__u32 flags;
				__u32 pid;
				__u32 path_fd;
			} uprobe_multi;
			struct {
				__aligned_u64 ids;
				__aligned_u64 cookies;
				__u32 cnt;
			} tracing_multi;
			struct {
				union {
					__u32 relative_fd;
					__u32 relative_id;
				};
				__aligned_u64 expected_revision;
			} netkit;
			struct {
				union {
					__u32 relative_fd;
					__u32 relative_id;
				};
				__aligned_u64 expected_revision;
			} cgroup;
		};
	} link_create;
	struct { /* BPF_LINK_UPDATE */
		__u32 link_fd;
		union {
			__u32 new_prog_fd;
			__u32 new_map_fd;
		};
		__u32 flags;
		union {
			__u32 old_prog_fd;
			__u32 old_map_fd;
		};
	} link_update;
	struct { /* BPF_LINK_DETACH */
		__u32 link_fd;
	} link_detach;
	struct { /* BPF_ENABLE_STATS */
		__u32 type;
	} enable_stats;
	struct { /* BPF_ITER_CREATE */
		__u32 link_fd;
		__u32 flags;
	} iter_create;
	struct { /* BPF_PROG_BIND_MAP */
		__u32 prog_fd;
		__u32 map_fd;
		__u32 flags;
	} prog_bind_map;
	struct { /* BPF_TOKEN_CREATE */
		__u32 flags;
		__u32 bpffs_fd;
	} token_create;
	struct { /* BPF_PROG_STREAM_READ_BY_FD */
		__aligned_u64 stream_buf;
		__u32 stream_buf_len;
		__u32 stream_id;
		__u32 prog_fd;
	} prog_stream_read;
	struct { /* BPF_PROG_ASSOC_STRUCT_OPS */
		__u32 map_fd;
		__u32 prog_fd;
		__u32 flags;
	} prog_assoc_struct_ops;
} __attribute__((aligned(8)));

struct bpf_prog_info {
	__u32 type;
	__u32 id;
	__u8 tag[BPF_TAG_SIZE];
	__u32 jited_prog_len;
	__u32 xlated_prog_len;
	__aligned_u64 jited_prog_insns;
	__aligned_u64 xlated_prog_insns;
	__aligned_u64 load_time;
	__u32 created_by_uid;
	__u32 nr_map_ids;
	__aligned_u64 map_ids;
	char name[BPF_OBJ_NAME_LEN];
	__u32 ifindex;
	__u32 gpl_compatible:1;
	__u32 :31;
	__aligned_u64 netns_dev;
	__aligned_u64 netns_ino;
	__u32 nr_jited_ksyms;
	__u32 nr_jited_func_lens;
	__aligned_u64 jited_ksyms;
	__aligned_u64 jited_func_lens;
	__u32 btf_id;
	__u32 func_info_rec_size;
	__aligned_u64 func_info;
	__u32 nr_func_info;
	__u32 nr_line_info;
	__aligned_u64 line_info;
	__aligned_u64 jited_line_info;
	__u32 nr_jited_line_info;
	__u32 line_info_rec_size;
	__u32 jited_line_info_rec_size;
	__u32 nr_prog_tags;
	__aligned_u64 prog_tags;
	__aligned_u64 run_time_ns;
	__aligned_u64 run_cnt;
	__aligned_u64 recursion_misses;
	__u32 verified_insns;
	__u32 attach_btf_obj_id;
	__u32 attach_btf_id;
} __attribute__((aligned(8)));

struct bpf_map_info {
	__u32 type;
	__u32 id;
	__u32 key_size;
	__u32 value_size;
	__u32 max_entries;
	__u32 map_flags;
	char name[BPF_OBJ_NAME_LEN];
	__u32 ifindex;
	__u32 btf_vmlinux_value_type_id;
	__aligned_u64 netns_dev;
	__aligned_u64 netns_ino;
	__u32 btf_id;
	__u32 btf_key_type_id;
	__u32 btf_value_type_id;
	__u32 btf_vmlinux_id;
	__aligned_u64 map_extra;
	__aligned_u64 hash;
	__u32 hash_size;
} __attribute__((aligned(8)));

struct bpf_btf_info {
	__aligned_u64 btf;
	__u32 btf_size;
	__u32 id;
	__aligned_u64 name;
	__u32 name_len;
	__u32 kernel_btf;
} __attribute__((aligned(8)));

struct bpf_link_info {
	__u32 type;
	__u32 id;
	__u32 prog_id;
	union {
		struct {
			__aligned_u64 tp_name;
			__u32 tp_name_len;
			__aligned_u64 cookie;
		} raw_tracepoint;
		struct {
			__u32 attach_type;
			__u32 target_obj_id;
			__u32 target_btf_id;
			__aligned_u64 cookie;
		} tracing;
		struct {
			__aligned_u64 cgroup_id;
			__u32 attach_type;
		} cgroup;
		struct {
			__aligned_u64 target_name;
			__u32 target_name_len;
			union {
				struct {
					__u32 map_id;
				} map;
			};
			union {
				struct {
					__aligned_u64 cgroup_id;
					__u32 order;
				} cgroup;
				struct {
					__u32 tid;
					__u32 pid;
				} task;
			};
		} iter;
		struct {
			__u32 netns_ino;
			__u32 attach_type;
		} netns;
		struct {
			__u32 ifindex;
		} xdp;
		struct {
			__u32 map_id;
		} struct_ops;
		struct {
			__u32 pf;
			__u32 hooknum;
			__s32 priority;
			__u32 flags;
		} netfilter;
		struct {
			__aligned_u64 addrs;
			__u32 count;
			__u32 flags;
			__aligned_u64 missed;
			__aligned_u64 cookies;
		} kprobe_multi;
		struct {
			__aligned_u64 path;
			__aligned_u64 offsets;
			__aligned_u64 ref_ctr_offsets;
			__aligned_u64 cookies;
			__u32 path_size;
			__u32 count;
			__u32 flags;
			__u32 pid;
		} uprobe_multi;
		struct {
			__u32 attach_type;
			__u32 count;
			__u32 btf_obj_id;
			__u32 :32;
			__aligned_u64 ids;
			__aligned_u64 addrs;
			__aligned_u64 cookies;
		} tracing_multi;
		struct {
			__u32 type;
			union {
				struct {
					__aligned_u64 file_name;
					__u32 name_len;
					__u32 offset;
					__aligned_u64 cookie;
					__aligned_u64 ref_ctr_offset;
				} uprobe;
				struct {
					__aligned_u64 func_name;
					__u32 name_len;
					__u32 offset;
					__aligned_u64 addr;
					__aligned_u64 missed;
					__aligned_u64 cookie;
				} kprobe;
				struct {
					__aligned_u64 tp_name;
					__u32 name_len;
					__aligned_u64 cookie;
				} tracepoint;
				struct {
					__aligned_u64 config;
					__u32 type;
					__aligned_u64 cookie;
				} event;
			};
		} perf_event;
		struct {
			__u32 ifindex;
			__u32 attach_type;
		} tcx;
		struct {
			__u32 ifindex;
			__u32 attach_type;
		} netkit;
		struct {
			__u32 map_id;
			__u32 attach_type;
		} sockmap;
	};
} __attribute__((aligned(8)));

struct bpf_token_info {
	__u64 allowed_cmds;
	__u64 allowed_maps;
	__u64 allowed_progs;
	__u64 allowed_attachs;
} __attribute__((aligned(8)));

/* Records of .BTF.ext in the form that BPF_PROG_LOAD expects: insn_off is an instruction index. */
struct bpf_func_info {
	__u32 insn_off;
	__u32 type_id;
};

struct bpf_line_info {
	__u32 insn_off;
	__u32 file_name_off;
	__u32 line_off;
	__u32 line_col;
};

#define BPF_LINE_INFO_LINE_NUM(line_col)	((line_col) >> 10)
#define BPF_LINE_INFO_LINE_COL(line_col)	((line_col) & 0x3ff)

struct bpf_core_relo {
	__u32 insn_off;
	__u32 type_id;
	__u32 access_str_off;
	enum bpf_core_relo_kind kind;
};

/*
 * An element of an INSN_ARRAY. It is written with the first field only, an instruction of the
 * program as it is loaded; the kernel fills in the instruction that becomes of it, or -1, and its
 * offset in the machine code.
 */
struct bpf_insn_array_value {
	__u32 orig_off;
	__u32 xlated_off;
	__u32 jitted_off;
	__u32 :32;
};

#include <linux/bpf_helper_abi.h>

#endif
