// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open the program of --target-prog, by its id or pinned path, and its types. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/load_target/load_target_internal.h"
#include "loader/core/sys/number.h"

static int by_id(struct load_targets *t, uint32_t id, struct error *err)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	ret = sys_bpf(t->sys, BPF_PROG_GET_FD_BY_ID, &attr, ATTR_SIZE(prog_id));
	if (ret >= 0)
		return ret;
	error_set(err, -ret, "BPF_PROG_GET_FD_BY_ID: %s", error_strerror(-ret));
	if (ret == -ENOENT)
		error_hint(err, "no program has this id; pload show progs lists them");
	else if (ret == -EPERM)
		error_hint(err, "opening a program by id requires CAP_SYS_ADMIN; a pinned one can "
				"be opened by path");
	return ret;
}

static int by_path(struct load_targets *t, struct error *err)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = attr_pointer(t->prog);
	ret = sys_bpf(t->sys, BPF_OBJ_GET, &attr, ATTR_SIZE(file_flags));
	if (ret >= 0)
		return ret;
	error_set(err, -ret, "BPF_OBJ_GET: %s", error_strerror(-ret));
	error_hint(err, "--target-prog requires a program's id, or the path of its pin in bpffs");
	return ret;
}

/*
 * Return the id of the program's BTF. bpf_prog_info ends before btf_id for objects other than
 * programs, and before Linux 5.0.
 */
static int btf_id(struct load_targets *t, uint32_t *id, struct error *err)
{
	const uint32_t end = offsetof(struct bpf_prog_info, btf_id) + sizeof(uint32_t);
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);
	int ret = kernel_fd_info(t->sys, t->prog_fd, &info, &len);

	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	if (len < end) {
		error_set(err, EINVAL, "is not a BPF program");
		return error_hint(err, "maps and links can be pinned, too; pload show lists the "
				       "pins of programs");
	}
	if (!info.btf_id) {
		error_set(err, ENOENT, "the program has no BTF with the names of its functions");
		return error_hint(err, "compile it with -g, and load it with its BTF");
	}
	*id = info.btf_id;
	return 0;
}

int target_prog_open(struct load_targets *t, struct error *err)
{
	uint32_t id = 0;
	int ret = number_parse_id(t->prog, &id) ? by_path(t, err) : by_id(t, id, err);

	if (ret >= 0) {
		t->prog_fd = ret;
		ret = btf_id(t, &id, err);
	}
	if (!ret)
		ret = kernel_types_open_id(&t->prog_types, t->sys, id, err);
	if (!ret)
		return 0;
	sys_close_fd(t->sys, &t->prog_fd);
	error_reason(err, "prog-load/target-prog");
	return error_where(err, "--target-prog=%s", t->prog);
}
