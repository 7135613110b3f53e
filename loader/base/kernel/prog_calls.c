// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Query programs and BTF loaded by any process, and test-run a program. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/kernel/kernel_calls.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"

int kernel_prog_info(struct sys *sys, int fd, struct bpf_prog_info *info)
{
	uint32_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return kernel_fd_info(sys, fd, info, &len);
}

/* More than any module or program needs; the kernel's own BTF is a few megabytes. */
#define BTF_SIZE_MAX (64u << 20)

int kernel_btf_bytes(struct sys *sys, int fd, uint32_t size, unsigned char **data,
		     struct error *err)
{
	struct bpf_btf_info info = { .btf_size = size };
	uint32_t len = sizeof(info);
	int ret;

	if (size > BTF_SIZE_MAX)
		return error_set(err, EFBIG, "has %" PRIu32 " bytes of types", size);
	*data = malloc(size ? size : 1);
	if (!*data)
		return error_set(err, ENOMEM, "no memory for %" PRIu32 " bytes", size);
	info.btf = attr_pointer(*data);
	ret = kernel_fd_info(sys, fd, &info, &len);
	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	return 0;
}

int kernel_test_run(struct sys *sys, const struct kernel_object *k, uint32_t prog,
		    const struct test_input *in, uint32_t *retval, struct error *err)
{
	const unsigned int size = in->ctx ? ATTR_SIZE(test.ctx_out) : ATTR_SIZE(test.duration);
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = k->progs[prog].fd;
	attr.test.data_in = attr_pointer(in->data);
	attr.test.data_size_in = in->size;
	attr.test.ctx_in = attr_pointer(in->ctx);
	attr.test.ctx_size_in = in->ctx_size;
	attr.test.repeat = in->repeat;
	ret = sys_bpf(sys, BPF_PROG_TEST_RUN, &attr, size);
	if (ret < 0) {
		error_set(err, -ret, "BPF_PROG_TEST_RUN: %s", error_strerror(-ret));
		error_reason(err, "output/test-run");
		error_where(err, "prog '%s'", k->object->progs[prog].name);
		sys_error_bpf(err, BPF_PROG_TEST_RUN, &attr, size, -ret);
		if (ret == -KERNEL_ENOTSUPP)
			error_hint(err, "the kernel reports that it cannot test-run this "
					"program type; it can for xdp, tc, raw_tp and syscall");
		else if (ret == -EINVAL && in->repeat > 1)
			error_hint(err,
				   "programs of this type may not be repeated: use --test-run=1");
		return ret;
	}
	*retval = attr.test.retval;
	return 0;
}
