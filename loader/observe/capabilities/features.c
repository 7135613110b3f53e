// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of features that loaders and programs ask for, and those of BTF and of bpf(2). */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/observe/capabilities/capabilities_internal.h"

/* --- files --- */

enum { FILE_VMLINUX_BTF, FILE_KPROBE_PMU, FILE_UPROBE_PMU };

static int try_file(struct sys *sys, const struct capability_feature *feature)
{
	static const char *const paths[] = {
		[FILE_VMLINUX_BTF] = "/sys/kernel/btf/vmlinux",
		[FILE_KPROBE_PMU] = "/sys/bus/event_source/devices/kprobe/type",
		[FILE_UPROBE_PMU] = "/sys/bus/event_source/devices/uprobe/type",
	};

	return feature_close_new(sys, sys_openat(sys, AT_FDCWD, paths[feature->arg],
						 O_RDONLY | O_CLOEXEC));
}

/* --- BTF --- */

static int try_btf(struct sys *sys, const struct capability_feature *feature)
{
	return feature_close_new(sys, small_btf_load_kind(sys, feature->arg));
}

/*
 * No CO-RE relocations, but the size of one is given. A kernel that does not know the member
 * refuses that it is not 0: bpf_check_uarg_tail_zero() in kernel/bpf/syscall.c.
 */
static int try_core(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };
	union bpf_attr attr;

	(void)feature;
	code_return(&code, 0);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	attr.core_relo_rec_size = sizeof(struct bpf_core_relo);
	return feature_close_new(sys,
				 sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(core_relo_rec_size)));
}

/* --- other commands of bpf(2) --- */

static int try_stats(struct sys *sys, const struct capability_feature *feature)
{
	union bpf_attr attr;

	(void)feature;
	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	return feature_close_new(sys,
				 sys_bpf(sys, BPF_ENABLE_STATS, &attr, ATTR_SIZE(enable_stats)));
}

/* There is no bpffs to create a token of: a kernel with the command returns EBADF. */
static int try_token(struct sys *sys, const struct capability_feature *feature)
{
	union bpf_attr attr;
	int ret;

	(void)feature;
	memset(&attr, 0, sizeof(attr));
	attr.token_create.bpffs_fd = -1;
	ret = sys_bpf(sys, BPF_TOKEN_CREATE, &attr, ATTR_SIZE(token_create));
	return ret == -EBADF ? 0 : feature_close_new(sys, ret);
}

/* --- the table --- */

#define MAP(name, since, fn) { "map type " #name, since, fn, BPF_MAP_TYPE_##name }

const struct capability_feature capability_features[] = {
	{ "perf_event programs bound by a link", "5.15", feature_try_link, 0 },
	{ "cookies: bpf_get_attach_cookie()", "5.15", feature_try_helper,
	  BPF_FUNC_get_attach_cookie },
	{ "link info of perf events", "6.6", feature_try_link_info, 0 },
	{ "kprobe PMU", "4.17", try_file, FILE_KPROBE_PMU },
	{ "uprobe PMU", "4.17", try_file, FILE_UPROBE_PMU },
	{ "uprobe.multi", "6.6", feature_try_uprobe_multi, BPF_TRACE_UPROBE_MULTI },
	{ "uprobe.session", "6.13", feature_try_uprobe_multi, BPF_TRACE_UPROBE_SESSION },
	{ "perf_event_attr.sigtrap", "5.13", feature_try_sigtrap, 0 },
	{ "perf_event_attr.config3", "6.3", feature_try_attr_field,
	  offsetof(struct perf_event_attr, config3) },
	{ "perf_event_attr.config4", "6.19", feature_try_attr_field,
	  offsetof(struct perf_event_attr, config4) },
	{ "run statistics: BPF_ENABLE_STATS", "5.8", try_stats, 0 },
	{ "calls between functions", "4.16", feature_try_code, CODE_CALL },
	{ "32-bit jumps (-mcpu=v3)", "5.1", feature_try_code, CODE_JMP32 },
	{ "bounded loops", "5.3", feature_try_code, CODE_LOOP },
	{ "atomic exchange", "5.12", feature_try_code, CODE_XCHG },
	{ "signed loads (-mcpu=v4)", "6.6", feature_try_code, CODE_SIGNED_LOAD },
	{ "may_goto", "6.9", feature_try_code, CODE_MAY_GOTO },
	{ "load-acquire", "6.15", feature_try_code, CODE_LOAD_ACQUIRE },
	{ "global variables", "5.2", feature_try_global_data, 0 },
	{ "batches of map elements", "5.6", feature_try_batch, 0 },
	{ "maps that can be mapped: BPF_F_MMAPABLE", "5.5", feature_try_map_flags, BPF_F_MMAPABLE },
	{ "maps frozen for programs: BPF_F_RDONLY_PROG", "5.2", feature_try_map_flags,
	  BPF_F_RDONLY_PROG },
	MAP(HASH, "3.19", feature_try_map),
	MAP(ARRAY, "3.19", feature_try_map),
	MAP(PROG_ARRAY, "4.2", feature_try_map),
	MAP(PERF_EVENT_ARRAY, "4.3", feature_try_map),
	MAP(PERCPU_HASH, "4.6", feature_try_map),
	MAP(PERCPU_ARRAY, "4.6", feature_try_map),
	MAP(STACK_TRACE, "4.6", feature_try_map),
	MAP(CGROUP_ARRAY, "4.8", feature_try_map),
	MAP(LRU_HASH, "4.10", feature_try_map),
	MAP(LPM_TRIE, "4.11", feature_try_map),
	MAP(ARRAY_OF_MAPS, "4.12", feature_try_map_of_maps),
	MAP(HASH_OF_MAPS, "4.12", feature_try_map_of_maps),
	MAP(CGROUP_STORAGE, "4.19", feature_try_map),
	MAP(QUEUE, "4.20", feature_try_map),
	MAP(STACK, "4.20", feature_try_map),
	MAP(SK_STORAGE, "5.2", feature_try_map),
	MAP(RINGBUF, "5.8", feature_try_map),
	MAP(INODE_STORAGE, "5.10", feature_try_map),
	MAP(TASK_STORAGE, "5.11", feature_try_map),
	MAP(BLOOM_FILTER, "5.16", feature_try_map),
	MAP(USER_RINGBUF, "6.1", feature_try_map),
	MAP(CGRP_STORAGE, "6.2", feature_try_map),
	MAP(ARENA, "6.9", feature_try_map),
	MAP(INSN_ARRAY, "6.19", feature_try_map),
	MAP(RHASH, "7.2", feature_try_map),
	{ "the kernel's own BTF", "5.4", try_file, FILE_VMLINUX_BTF },
	{ "BTF", "4.18", try_btf, BTF_KIND_INT },
	{ "BTF of functions", "5.0", try_btf, BTF_KIND_FUNC },
	{ "BTF of variables", "5.2", try_btf, BTF_KIND_VAR },
	{ "BTF_KIND_FLOAT", "5.13", try_btf, BTF_KIND_FLOAT },
	{ "BTF_KIND_DECL_TAG", "5.16", try_btf, BTF_KIND_DECL_TAG },
	{ "BTF_KIND_TYPE_TAG", "5.17", try_btf, BTF_KIND_TYPE_TAG },
	{ "BTF_KIND_ENUM64", "6.0", try_btf, BTF_KIND_ENUM64 },
	{ "CO-RE by the kernel", "5.17", try_core, 0 },
	{ "BPF tokens", "6.9", try_token, 0 },
};

const unsigned int capability_nr_features =
	sizeof(capability_features) / sizeof(capability_features[0]);

enum capability_answer capability_try_feature(struct sys *sys,
					      const struct capability_feature *feature, int *code)
{
	const int ret = feature->try(sys, feature);

	*code = ret < 0 ? -ret : 0;
	switch (ret) {
	case -EPERM:
	case -EACCES:
		return CAPABILITY_DENIED;
	case -ENOMEM:	/* the machine is short of these, whatever its kernel can do */
	case -EMFILE:
	case -ENFILE:
	case -EAGAIN:
		return CAPABILITY_UNKNOWN;
	default:
		return ret < 0 ? CAPABILITY_NO : CAPABILITY_YES;
	}
}
