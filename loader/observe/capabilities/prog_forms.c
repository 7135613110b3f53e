// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries which forms of program types load on this kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/observe/capabilities/capabilities_internal.h"

/*
 * The section name of each form and, if it needs one, a kernel function, tracepoint or struct to
 * load it for. These have been in the kernel for long; any other would do.
 */
static const struct row {
	const char *section, *target;
	uint8_t btf_kind;	/* 0: no target */
	const char *member;	/* the function of the struct that the program implements */
} rows[] = {
	{ "socket", NULL, 0, NULL },
	{ "kprobe", NULL, 0, NULL },
	{ "uprobe.s", NULL, 0, NULL },
	{ "kprobe.multi", NULL, 0, NULL },
	{ "uprobe.multi", NULL, 0, NULL },
	{ "tc", NULL, 0, NULL },
	{ "action", NULL, 0, NULL },
	{ "tracepoint", NULL, 0, NULL },
	{ "xdp", NULL, 0, NULL },
	{ "perf_event", NULL, 0, NULL },
	{ "cgroup_skb/ingress", NULL, 0, NULL },
	{ "cgroup/sock_create", NULL, 0, NULL },
	{ "lwt_in", NULL, 0, NULL },
	{ "lwt_out", NULL, 0, NULL },
	{ "lwt_xmit", NULL, 0, NULL },
	{ "sockops", NULL, 0, NULL },
	{ "sk_skb", NULL, 0, NULL },
	{ "cgroup/dev", NULL, 0, NULL },
	{ "sk_msg", NULL, 0, NULL },
	{ "raw_tp", NULL, 0, NULL },
	{ "raw_tp.w", NULL, 0, NULL },
	{ "cgroup/connect4", NULL, 0, NULL },
	{ "cgroup/bind4", NULL, 0, NULL },
	{ "cgroup/sendmsg4", NULL, 0, NULL },
	{ "lwt_seg6local", NULL, 0, NULL },
	{ "lirc_mode2", NULL, 0, NULL },
	{ "sk_reuseport", NULL, 0, NULL },
	{ "flow_dissector", NULL, 0, NULL },
	{ "cgroup/sysctl", NULL, 0, NULL },
	{ "cgroup/getsockopt", NULL, 0, NULL },
	{ "cgroup/setsockopt", NULL, 0, NULL },
	{ "tp_btf", "btf_trace_sched_switch", BTF_KIND_TYPEDEF, NULL },
	{ "iter", "bpf_iter_task", BTF_KIND_FUNC, NULL },
	{ "iter.s", "bpf_iter_task", BTF_KIND_FUNC, NULL },
	{ "fentry", "bpf_fentry_test1", BTF_KIND_FUNC, NULL },
	{ "fexit", "bpf_fentry_test1", BTF_KIND_FUNC, NULL },
	{ "fmod_ret", "bpf_modify_return_test", BTF_KIND_FUNC, NULL },
	{ "lsm", "bpf_lsm_file_open", BTF_KIND_FUNC, NULL },
	{ "lsm.s", "bpf_lsm_file_open", BTF_KIND_FUNC, NULL },
	{ "lsm_cgroup", "bpf_lsm_socket_bind", BTF_KIND_FUNC, NULL },
	{ "struct_ops", "tcp_congestion_ops", BTF_KIND_STRUCT, "ssthresh" },
	{ "sk_lookup", NULL, 0, NULL },
	{ "syscall", NULL, 0, NULL },
	{ "netfilter", NULL, 0, NULL },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

const char *capability_answer_name(enum capability_answer answer)
{
	static const char *const names[] = {
		[CAPABILITY_YES] = "yes", [CAPABILITY_NO] = "no",
		[CAPABILITY_SLEEPABLE] = "sleepable", [CAPABILITY_DENIED] = "denied",
		[CAPABILITY_UNKNOWN] = "unknown",
	};

	return names[answer];
}

const char *capability_type_not_tried(uint32_t prog_type)
{
	return prog_type == BPF_PROG_TYPE_EXT ?
		       "it replaces a function of another program and may call the helpers of "
		       "that program" :
		       NULL;
}

/* The index of a member, which is expected_attach_type of its program; -1 if there is none. */
static int find_member(const struct btf *btf, uint32_t id, const char *name)
{
	const struct btf_type_view type = btf_type(btf, id);

	for (uint32_t i = 0; i < type.vlen; i++)
		if (!strcmp(btf_member(btf, &type, i).name, name))
			return i;
	return -1;
}

/* Look up the targets of all forms in one pass over the BTF of the kernel. */
static int find_targets(struct kernel_types *types, struct capability_forms *forms,
			struct error *err)
{
	struct type_query queries[NR_ROWS] = { { 0 } };
	uint32_t of[NR_ROWS], nr = 0;
	int ret, member;

	for (uint32_t i = 0; i < NR_ROWS; i++) {
		if (!rows[i].btf_kind)
			continue;
		of[nr] = i;
		queries[nr++] = (struct type_query){
			.name = rows[i].target, .kinds = 1u << rows[i].btf_kind, .only = "vmlinux",
		};
	}
	ret = kernel_types_find(types, queries, nr, err);
	for (uint32_t i = 0; !ret && i < nr; i++) {
		struct capability_form *form = &forms->list[of[i]];

		form->btf_id = queries[i].id;
		if (!rows[of[i]].member || !form->btf_id)
			continue;
		member = find_member(kernel_types_btf(types, queries[i].module), form->btf_id,
				     rows[of[i]].member);
		form->attach_type = member;
		if (member < 0)
			form->btf_id = 0;
	}
	return ret;
}

static void try_form(struct sys *sys, struct capability_form *form, bool needs_target)
{
	struct code code = { 0 };
	int fd;

	if (needs_target && !form->btf_id) {
		form->answer = CAPABILITY_NO;
		form->code = ENOENT;
		snprintf(form->message, sizeof(form->message), "the kernel's BTF has no '%s'",
			 form->target);
		return;
	}
	code_return(&code, 0);
	fd = capability_verify(sys, form, &code, form->message);
	form->code = fd < 0 ? -fd : 0;
	form->answer = fd >= 0				 ? CAPABILITY_YES :
		       fd == -EPERM || fd == -EACCES ? CAPABILITY_DENIED :
						       CAPABILITY_NO;
	sys_close_fd(sys, &fd);
}

int capability_try_forms(struct sys *sys, struct kernel_types *types,
			 struct capability_forms *forms, struct error *err)
{
	struct error no_types = { 0 };

	*forms = (struct capability_forms){ .list = calloc(NR_ROWS, sizeof(*forms->list)) };
	if (!forms->list)
		return error_set(err, ENOMEM, "no memory for the program types");
	forms->nr = NR_ROWS;
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		const char *rest;
		struct capability_form *form = &forms->list[i];

		form->kind = prog_kind_find(rows[i].section, &rest);
		form->target = rows[i].target;
		form->attach_type = form->kind->attach_type;
	}
	/* Without BTF the forms that need a target report that. */
	find_targets(types, forms, &no_types);
	error_clear(&no_types);
	for (uint32_t i = 0; i < NR_ROWS; i++)
		try_form(sys, &forms->list[i], rows[i].btf_kind);
	return 0;
}

void capability_forms_free(struct capability_forms *forms)
{
	free(forms->list);
	*forms = (struct capability_forms){ 0 };
}
