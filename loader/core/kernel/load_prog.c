// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load linked programs, read their run counts, and test-run them. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/feature.h"
#include "loader/core/sys/refused.h"

/*
 * The size of the first log buffer, and the largest one that kernels before Linux 5.2 accept
 * (EINVAL if larger).
 */
#define LOG_SIZE_FIRST	(64u << 10)
#define LOG_SIZE_MAX	((16u << 20) - 1)

/* The verifier returns EAGAIN if a signal is pending: do_check() in kernel/bpf/verifier.c. */
#define LOAD_TRIES 5

int prog_load_syscall(struct sys *sys, union bpf_attr *attr)
{
	int ret = -EAGAIN;

	for (int i = 0; i < LOAD_TRIES && ret == -EAGAIN; i++)
		ret = sys_bpf(sys, BPF_PROG_LOAD, attr, ATTR_SIZE(core_relo_rec_size));
	return ret;
}

/*
 * Load again to get the verifier log. If the log does not fit, the call fails with ENOSPC, which
 * hides the real error: the caller keeps the first error, and the buffer grows until the log fits.
 * Return: the log, owned by the caller, or NULL if it contains only statistics.
 */
static char *refusal_log(struct sys *sys, union bpf_attr *attr, int *fd)
{
	unsigned int size = LOG_SIZE_FIRST;
	char *log = NULL;
	int ret;

	for (;;) {
		char *grown = realloc(log, size);

		if (!grown)
			break;
		log = grown;
		log[0] = log[size - 1] = '\0';
		attr->log_level = 1;
		attr->log_buf = attr_pointer(log);
		attr->log_size = size;
		sys_why(sys, "refused: load again for the verifier log");
		ret = prog_load_syscall(sys, attr);
		if (ret >= 0) {	/* this time it loaded: the cause of the first failure is gone */
			*fd = ret;
			free(log);
			return NULL;
		}
		if (ret != -ENOSPC || size == LOG_SIZE_MAX)
			break;
		size = size > LOG_SIZE_MAX / 4 ? LOG_SIZE_MAX : size * 4;
	}
	if (log && (!log[0] || !strncmp(log, "processed ", strlen("processed ")))) {
		free(log);
		return NULL;
	}
	return log;
}

static void fill_attr(const struct kernel_object *k, uint32_t prog, const struct prog_code *code,
		      union bpf_attr *attr)
{
	const struct object_prog *p = &k->object->progs[prog];
	const struct prog_target *target = &k->progs[prog].target;

	memset(attr, 0, sizeof(*attr));
	attr->prog_type = p->kind->prog_type;
	attr->expected_attach_type = p->kind->attach_type;
	attr->prog_flags = p->kind->prog_flags;
	if (target->btf_id) {
		attr->attach_btf_id = target->btf_id;
		attr->attach_btf_obj_fd = target->btf_fd;	/* in a union with attach_prog_fd */
		attr->expected_attach_type = target->attach_type;
	}
	attr->insns = attr_pointer(code->insns);
	attr->insn_cnt = code->nr_insns;
	attr->license = attr_pointer(k->object->license);
	attr->kern_version = k->object->version;
	kernel_name(attr->prog_name, p->name);
	if (code->nr_fds)
		attr->fd_array = attr_pointer(code->fd_array);
	if (!kernel_has_prog_btf(k))
		return;
	attr->prog_btf_fd = k->btf_fd;
	attr->func_info = attr_pointer(code->func_info);
	attr->func_info_cnt = code->nr_func_info;
	attr->func_info_rec_size = sizeof(*code->func_info);
	attr->line_info = attr_pointer(code->line_info);
	attr->line_info_cnt = code->nr_line_info;
	attr->line_info_rec_size = sizeof(*code->line_info);
	if (!code->nr_core_relos)
		return;
	attr->core_relos = attr_pointer(code->core_relos);
	attr->core_relo_cnt = code->nr_core_relos;
	attr->core_relo_rec_size = sizeof(*code->core_relos);
}

/* Return WITHOUT_RECORDS if a function lacks records: the kernel takes them for all or none. */
static unsigned int lacks_records(const struct kernel_object *k, const struct prog_code *code)
{
	const struct btf_ext *ext = &k->object->ext;

	return kernel_has_prog_btf(k) && ((ext->func_info.nr_secs && !code->nr_func_info) ||
					(ext->line_info.nr_secs && !code->nr_line_info)) ?
		       WITHOUT_RECORDS : 0;
}

static unsigned int left_out(const union bpf_attr *asked, const union bpf_attr *attr)
{
	return (asked->prog_btf_fd && !attr->prog_btf_fd ? WITHOUT_BTF : 0) |
	       (asked->prog_flags != attr->prog_flags ? WITHOUT_FRAGS : 0) |
	       (asked->expected_attach_type != attr->expected_attach_type ? WITHOUT_ATTACH_TYPE :
									    0) |
	       (asked->prog_name[0] && !attr->prog_name[0] ? WITHOUT_NAME : 0);
}

/* CO-RE records refer to the object's BTF; without it the kernel cannot apply them. */
static int check_core_relos(const struct kernel_object *k, const struct prog_code *code,
			    struct error *err)
{
	if (!code->nr_core_relos || kernel_has_prog_btf(k))
		return 0;
	error_set(err, EINVAL, "its CO-RE relocations were left to the kernel, which refused the "
			       "object's BTF%s%s", k->btf_refused ? ": " : "",
		  k->btf_refused ? k->btf_refused : "");
	error_reason(err, "core/kernel");
	return error_hint(err, "without --core=kernel, pload applies them itself");
}

/* @log: the verifier's; NULL: it did not run. @err takes ownership. */
static void prog_refused(const struct prog_load *load, const union bpf_attr *asked, int code,
			 char *log, struct error *err)
{
	const struct refused_prog refused = { load, asked, code, log };

	error_set(err, code, "BPF_PROG_LOAD: %s", error_strerror(code));
	error_reason(err, "prog-load/refused");
	explain_failure(load->sys, FAILED_PROG, &refused, err);
	error_log(err, log);
	sys_error_bpf(err, BPF_PROG_LOAD, asked, ATTR_SIZE(core_relo_rec_size), code);
	explain_failure(load->sys, FAILED_LOG, &refused, err);
}

/*
 * The kernel refused the program with @code: load it again for the log, then try the forms that
 * older kernels accept. Return: descriptor, or @code, explained.
 */
static int load_refused(struct prog_load *load, int code, struct error *err)
{
	const union bpf_attr asked = load->attr;
	int fd = -1;
	char *log = refusal_log(load->sys, &load->attr, &fd);

	if (fd < 0)
		fd = kernel_older_prog(load, log, code);
	if (fd < 0) {
		prog_refused(load, &asked, -code, log, err);
		error_where(err, "prog '%s'", load->k->object->progs[load->prog].name);
		return code;
	}
	free(log);
	load->without |= left_out(&asked, &load->attr);
	return fd;
}

int kernel_verify_prog(struct sys *sys, struct kernel_object *k, uint32_t prog,
		       const struct prog_code *code, struct error *err)
{
	struct prog_load load = { .sys = sys, .k = k, .prog = prog, .code = code,
				  .without = lacks_records(k, code) };
	int ret;

	if (check_core_relos(k, code, err))
		return error_where(err, "prog '%s'", k->object->progs[prog].name);
	fill_attr(k, prog, code, &load.attr);
	ret = prog_load_syscall(sys, &load.attr);
	while (ret < 0 && kernel_raise_limit(sys, k, ret))
		ret = prog_load_syscall(sys, &load.attr);
	if (ret < 0)
		ret = load_refused(&load, ret, err);
	if (ret < 0)
		return ret;
	k->progs[prog].fd = ret;
	k->progs[prog].without = load.without;
	kernel_loaded(sys, k, prog, code);
	return 0;
}

int kernel_start_counting(struct sys *sys, struct kernel_object *k)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	ret = sys_bpf(sys, BPF_ENABLE_STATS, &attr, ATTR_SIZE(enable_stats));
	if (ret < 0)
		return ret;
	k->stats_fd = ret;
	return 0;
}

int kernel_count_runs(struct sys *sys, struct kernel_object *k, struct error *err)
{
	for (uint32_t i = 0; i < k->object->nr_progs; i++) {
		struct kernel_prog *prog = &k->progs[i];
		struct bpf_prog_info info;
		uint32_t len = sizeof(info);
		int ret;

		if (prog->fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		ret = kernel_fd_info(sys, prog->fd, &info, &len);
		if (ret < 0) {
			error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
			error_reason(err, "output/counts");
			return error_where(err, "prog '%s'", k->object->progs[i].name);
		}
		prog->run_cnt = info.run_cnt;
		prog->run_time_ns = info.run_time_ns;
		prog->recursion_misses = info.recursion_misses;
		prog->has_misses = len >= offsetof(struct bpf_prog_info, recursion_misses) +
						    sizeof(info.recursion_misses);
	}
	return 0;
}
