// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Load a program on an older kernel, without attributes that it does not know. Attributes are left
 * out only if the program behaves the same without them.
 */
#include <errno.h>
#include <string.h>

#include "loader/objects/older_kernels/compat.h"

/* Linux 5.18. On older kernels packets have no fragments, so the flag makes no difference. */
static bool drop_frags(union bpf_attr *attr)
{
	const bool had = attr->prog_flags & BPF_F_XDP_HAS_FRAGS;

	attr->prog_flags &= ~BPF_F_XDP_HAS_FRAGS;
	return had;
}

/*
 * Return true if programs of the type are attached as @attach_type anyway on kernels that ignore it
 * at load time: they began to check it one program type at a time.
 */
static bool attach_type_is_hint(uint32_t prog_type, uint32_t attach_type)
{
	switch (prog_type) {
	case BPF_PROG_TYPE_XDP:
		return attach_type == BPF_XDP;
	case BPF_PROG_TYPE_SK_REUSEPORT:
		return attach_type == BPF_SK_REUSEPORT_SELECT;
	case BPF_PROG_TYPE_CGROUP_SOCK:
		return attach_type == BPF_CGROUP_INET_SOCK_CREATE;
	case BPF_PROG_TYPE_CGROUP_SKB:
	case BPF_PROG_TYPE_CGROUP_DEVICE:
	case BPF_PROG_TYPE_SOCK_OPS:
	case BPF_PROG_TYPE_SK_SKB:
	case BPF_PROG_TYPE_SK_MSG:
	case BPF_PROG_TYPE_LIRC_MODE2:
	case BPF_PROG_TYPE_FLOW_DISSECTOR:
		return true;
	default:
		return false;
	}
}

static bool drop_attach_type(union bpf_attr *attr)	/* Linux 4.17 */
{
	const bool had = attr->expected_attach_type &&
			 attach_type_is_hint(attr->prog_type, attr->expected_attach_type);

	if (had)
		attr->expected_attach_type = 0;
	return had;
}

bool kernel_drop_btf(union bpf_attr *attr)
{
	/* CO-RE relocations in the kernel need BTF. */
	const bool had = attr->prog_btf_fd && !attr->core_relo_cnt;

	if (!had)
		return false;
	attr->prog_btf_fd = 0;
	attr->func_info = attr->func_info_cnt = attr->func_info_rec_size = 0;
	attr->line_info = attr->line_info_cnt = attr->line_info_rec_size = 0;
	return true;
}

static bool drop_name(union bpf_attr *attr)	/* Linux 4.15 */
{
	const bool had = attr->prog_name[0];

	memset(attr->prog_name, 0, sizeof(attr->prog_name));
	return had;
}

/* Without a log, the kernel refused the arguments, some of which an older one may not know. */
static int drop_arguments(struct prog_load *load, int code)
{
	static const struct {
		bool (*drop)(union bpf_attr *attr);
		const char *name;
	} drops[] = {
		{ drop_frags, "BPF_F_XDP_HAS_FRAGS" },
		{ kernel_drop_btf, "func_info and line_info" },
		{ drop_attach_type, "expected_attach_type" },
		{ drop_name, "a name" },
	};
	int ret = code;

	for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
		if (ret != -EINVAL && ret != -E2BIG)
			break;
		if (!drops[i].drop(&load->attr))
			continue;
		sys_why(load->sys, "refused: again without %s", drops[i].name);
		ret = prog_load_syscall(load->sys, &load->attr);
	}
	return ret;
}

/* With a log, it may have refused the BTF. */
static int change_btf(struct prog_load *load, const char *log, int code)
{
	const uint32_t btf_fd = load->attr.prog_btf_fd;
	int ret = code;

	if (btf_fd && load->attr.func_info_cnt && kernel_load_untagged_btf(load->sys, load->k)) {
		load->attr.prog_btf_fd = load->k->untagged_btf_fd;
		sys_why(load->sys, "argument tags may be unknown: retry without");
		ret = prog_load_syscall(load->sys, &load->attr);
		load->attr.prog_btf_fd = btf_fd;
		load->without |= ret >= 0 ? WITHOUT_TAGS : 0;
	}
	/*
	 * The verifier refused it before the first instruction, perhaps because of func_info or
	 * line_info.
	 */
	if (ret < 0 && code == -EINVAL && !strstr(log, "0: (") && kernel_drop_btf(&load->attr)) {
		sys_why(load->sys, "refused before its first instruction: retry without func_info");
		ret = prog_load_syscall(load->sys, &load->attr);
	}
	return ret;
}

int kernel_load_compat(struct prog_load *load, const char *log, int code)
{
	int ret;

	load->attr.log_level = load->attr.log_size = load->attr.log_buf = 0;
	ret = log ? change_btf(load, log, code) : drop_arguments(load, code);
	return ret < 0 ? code : ret;
}
