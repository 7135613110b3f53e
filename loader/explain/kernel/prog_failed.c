// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Explain why BPF_PROG_LOAD failed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/base/calls/machine.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/feature.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"
#include "loader/explain/denied/privilege.h"
#include "loader/base/text/kallsyms.h"

/* bpf_prog_load() lets anybody load these if unprivileged_bpf_disabled is 0. */
static bool is_unprivileged(uint32_t prog_type)
{
	return prog_type == BPF_PROG_TYPE_SOCKET_FILTER || prog_type == BPF_PROG_TYPE_CGROUP_SKB;
}

static int explain_denied(struct sys *sys, const struct object_prog *p, int code, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_PROG_LOAD, .call = "BPF_PROG_LOAD",
		.caps = sys_prog_caps(p->kind->prog_type),
		.sysctl = is_unprivileged(p->kind->prog_type) ? "unprivileged_bpf_disabled" : NULL,
		.nr = __NR_bpf, .request = BPF_PROG_LOAD,
	};

	return sys_denied(sys, &asked, code, err);
}

int kernel_fds_failed(struct sys *sys, const char *call, const char *reason, int code,
		      struct error *err)
{
	error_set(err, code, "%s: %s", call, error_strerror(code));
	fd_limit_failed(sys, code, reason, 0, err);
	return -code;
}

/*
 * Load the smallest program of a type. If the type requires an attach target, that fails with
 * EINVAL. Return: 0 or -errno.
 */
static int load_smallest(struct sys *sys, uint32_t prog_type, uint32_t attach_type)
{
	const int ret = kernel_load_trial(sys, prog_type, attach_type, 0);

	if (ret < 0)
		return ret;
	sys_close(sys, ret);
	return 0;
}

/* "BPF_PROG_TYPE_TRACING attached as BPF_TRACE_FENTRY" */
static const char *kind_text(const struct prog_kind *kind, char *buf, size_t size)
{
	const char *attach = sys_attach_type_name(kind->attach_type);
	const bool named = kind->attach_type && attach;

	snprintf(buf, size, "%s%s%s", sys_prog_type_name(kind->prog_type),
		 named ? " attached as " : "", named ? attach : "");
	return buf;
}

static int explain_forbidden(struct sys *sys, const struct prog_kind *kind, struct error *err)
{
	char lockdown[64] = "", lsm[200] = "", text[128];

	sys_read_text(sys, AT_FDCWD, "/sys/kernel/security/lockdown", lockdown, sizeof(lockdown));
	sys_read_text(sys, AT_FDCWD, "/sys/kernel/security/lsm", lsm, sizeof(lsm));
	error_set(err, EPERM, "BPF_PROG_LOAD: %s: this machine refuses every program of type %s",
		  error_strerror(EPERM), kind_text(kind, text, sizeof(text)));
	error_reason(err, "prog-load/forbidden");
	if (lsm[0] || lockdown[0])
		return error_hint(err,
				  "this kernel or an LSM forbids them (LSMs: %s; lockdown: %s)",
				  lsm, lockdown);
	return error_hint(err, "this kernel or an LSM forbids them: "
			       "mount securityfs and read the files lsm and lockdown");
}

/*
 * First lines of the verifier log, before any instruction, and their meaning; if @since is set, on
 * kernels older than that.
 */
static const struct {
	const char *log, *reason, *hint;
	uint16_t since;
} words[] = {
	{ "is not modifiable", "prog-load/not-modifiable",
	  "fmod_ret works only for security_*() hooks and functions with error injection; use "
	  "fentry or fexit for others",
	  0 },
	{ "is not sleepable", "prog-load/not-sleepable",
	  "only functions that are called where sleeping is allowed support .s", 0 },
	{ "non-faultable tracepoint", "prog-load/not-sleepable",
	  "only system call tracepoints run sleepable programs", 0 },
	{ "can be sleepable", "prog-load/not-sleepable",
	  "this kernel has no sleepable programs of this kind: leave out the .s", 0 },
	{ "must provide btf_id", "prog-load/unknown-kind", NULL, 0 },
	{ "number of funcs in func_info", "prog-load/too-old",
	  "function addresses, for callbacks", LINUX(5, 13) },
};

static bool hint_age(struct sys *sys, const struct object_prog *p, struct error *err)
{
	char text[160];

	snprintf(text, sizeof(text), "section \"%s\"", p->kind->prefix);
	return kernel_hint_release(sys, text, kernel_since(p->kind), err);
}

static void hint_kind(struct sys *sys, const struct object_prog *p, struct error *err)
{
	char text[160];

	if (hint_age(sys, p, err))
		return;
	error_hint(err, "this kernel may not know %s (section \"%s\")",
		   kind_text(p->kind, text, sizeof(text)), p->section);
}

static bool hint_first_words(struct sys *sys, const struct object_prog *p, const char *log,
			     struct error *err)
{
	const size_t line = strcspn(log, "\n");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!memmem(log, line, words[i].log, strlen(words[i].log)))
			continue;
		if (words[i].since)
			return kernel_hint_release(sys, words[i].hint, words[i].since, err);
		error_reason(err, words[i].reason);
		/* The kernel may be older than the kind. */
		if (!words[i].hint)
			hint_kind(sys, p, err);
		else if (!hint_age(sys, p, err))
			error_hint(err, "%s", words[i].hint);
		return true;
	}
	return false;
}

/* The kernel returns E2BIG for a nonzero attribute that it does not know. */
static bool hint_core(struct sys *sys, const union bpf_attr *attr, int code, struct error *err)
{
	return code == E2BIG && attr->core_relo_cnt &&
	       kernel_hint_release(sys,
			       "CO-RE relocations left to the kernel (without --core=kernel, "
			       "pload applies them itself)",
			       LINUX(5, 17), err);
}

/*
 * Return true if the last lines of the log mention BTF in upper or lower case, as the verifier
 * does.
 */
static bool names_btf(const char *log)
{
	char *verdict = verifier_log_verdict(log);
	const bool names = verdict && (strstr(verdict, "BTF") || strstr(verdict, "btf"));

	free(verdict);
	return names;
}

static void hint_log(struct sys *sys, const struct kernel_object *k, const struct object_prog *p,
		    const char *log, struct error *err)
{
	if (hint_first_words(sys, p, log, err) ||
	    kernel_hint_verdict(log, k->object->license, err))
		return;
	if (k->btf_refused && names_btf(log))
		error_hint(err, "the kernel refused the object's BTF (%s), and the end of the "
				"verifier log mentions BTF", k->btf_refused);
	else
		error_hint(err, "the end of the verifier log gives the reason, after the "
				"instruction; -v prints the whole log");
}

/* Failures without a log: before the verifier starts, or after it has finished. */
static const struct cause {
	int code;
	const char *reason, *what, *hint;
} silent[] = {
	{ ENOMEM, "prog-load/no-memory", "the kernel reports that it is out of memory",
	  "the machine or its cgroup is out of memory: see memory.max" },
	{ EAGAIN, "prog-load/interrupted", "the kernel reports that signals interrupt the verifier",
	  "try again, without a timer that sends signals" },
	{ EINTR, "prog-load/interrupted", "the kernel reports that signals interrupt the verifier",
	  "try again, without a timer that sends signals" },
};

/* BPF_MAXINSNS in the uapi, and BPF_COMPLEXITY_LIMIT_INSNS in include/linux/bpf.h. */
#define INSNS_MAX 4096
#define INSNS_MAX_CAPABLE 1000000

static bool is_too_large(struct sys *sys, const union bpf_attr *attr)
{
	return attr->insn_cnt > INSNS_MAX_CAPABLE ||
	       (attr->insn_cnt > INSNS_MAX && (sys_is_before(sys, 5, 2) ||
					       !(sys_capable(sys, CAP_BPF) ||
						 sys_capable(sys, CAP_SYS_ADMIN))));
}

/* A program that needs the JIT is refused if the kernel interprets programs. */
static bool is_interpreted(struct sys *sys)
{
	char text[16];

	return sys_read_text(sys, AT_FDCWD, "/proc/sys/net/core/bpf_jit_enable", text,
			     sizeof(text)) == 1 && text[0] == '0';
}

static int unknown(const char *ruled_out, int code, struct error *err)
{
	return sys_error_unknown(err, "BPF_PROG_LOAD", code, "prog-load/refused", "%s", ruled_out);
}

/*
 * Return true if the program has something no interpreter supports: kernel function calls,
 * callbacks, moves between address spaces.
 */
static bool needs_jit(const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)(uintptr_t)attr->insns;

	for (uint32_t i = 0; i < attr->insn_cnt; i++) {
		const uint8_t code = insns[i].code, src = insns[i].src_reg;

		if ((code == (BPF_JMP | BPF_CALL) && src == BPF_PSEUDO_KFUNC_CALL) ||
		    (code == (BPF_LD | BPF_IMM | BPF_DW) && src == BPF_PSEUDO_FUNC) ||
		    (code == (BPF_ALU64 | BPF_MOV | BPF_X) && insns[i].off == BPF_ADDR_SPACE_CAST))
			return true;
	}
	return false;
}

/*
 * bpf_prog_select_runtime() in kernel/bpf/core.c: the JIT did not translate the program, and it
 * cannot be interpreted or the kernel has no interpreter. The JIT gives up on unknown instructions,
 * and when bpf_jit_limit is used up.
 */
static int explain_jit(struct sys *sys, const union bpf_attr *attr, int code, struct error *err)
{
	const bool off = is_interpreted(sys);

	if (off && !needs_jit(attr))
		return unknown("ruled out: net.core.bpf_jit_enable=0 (the program has no kernel "
			       "function calls, callbacks or arena)", code, err);
	if (!off && load_smallest(sys, BPF_PROG_TYPE_SOCKET_FILTER, 0) < 0)
		return unknown("ruled out: the program (the smallest one is refused, too) and "
			       "net.core.bpf_jit_enable (it is not 0)", code, err);
	error_set(err, code, "BPF_PROG_LOAD: %s: %s", error_strerror(code),
		  off ? "it needs the JIT, but net.core.bpf_jit_enable is 0" :
			"the kernel's JIT may be unable to translate it");
	error_reason(err, "prog-load/no-jit");
	return error_hint(err, off ? "sysctl net.core.bpf_jit_enable=1" :
				     "the JIT for this processor may lack an instruction, "
				     "net.core.bpf_jit_limit may be used up, or the kernel may "
				     "lack CONFIG_BPF_JIT");
}

/*
 * Without CONFIG_BPF_JIT there are no trampolines: bpf_trampoline_get() returns NULL, which becomes
 * ENOMEM. Only the initial network namespace has the file in net.core, so look for the function.
 */
static bool lacks_trampolines(struct sys *sys, const struct object_prog *p)
{
	struct kernel_symbols symbols;
	struct kernel_symbol s;
	bool lacks;

	if (p->kind->names != NAMES_BTF_FUNC && p->kind->prog_type != BPF_PROG_TYPE_LSM)
		return false;
	kernel_symbols_init(&symbols, sys);
	lacks = kernel_symbols_find(&symbols, "arch_prepare_bpf_trampoline", &s, NULL) == 0;
	kernel_symbols_free(&symbols);
	return lacks;
}

/* The kind of program is at fault if the smallest one is refused but other kinds load. */
static int explain_kind(struct sys *sys, const struct object_prog *p, const union bpf_attr *attr,
			int code, struct error *err)
{
	error_set(err, code, "BPF_PROG_LOAD refused the program: %s", error_strerror(code));
	error_reason(err, "prog-load/refused");
	if (hint_core(sys, attr, code, err) ||
	    ((code == EINVAL || code == E2BIG) && hint_age(sys, p, err)))
		return -code;
	if (code != EINVAL && code != E2BIG)
		return unknown("the kernel gave no other reason", code, err);
	if (load_smallest(sys, p->kind->prog_type, p->kind->attach_type) == 0)
		return unknown("ruled out: the kind of program (the smallest one loads)",
			       code, err);
	if (load_smallest(sys, BPF_PROG_TYPE_SOCKET_FILTER, 0) < 0)
		return unknown("ruled out: the program and its kind (the smallest program of "
			       "another kind is refused, too)", code, err);
	hint_kind(sys, p, err);
	return -code;
}

static int explain_silent(struct sys *sys, const struct kernel_object *k,
			  const struct object_prog *p, const union bpf_attr *attr, int code,
			  struct error *err)
{
	if (code == EINVAL && kernel_explain_prog_array(sys, k, attr, code, err))
		return -code;
	if (code == ENOMEM && lacks_trampolines(sys, p)) {
		error_set(err, code, "BPF_PROG_LOAD: %s: this kernel has no JIT, so it cannot "
				     "patch functions for programs",
			  error_strerror(code));
		error_reason(err, "prog-load/no-jit");
		return error_hint(err, "this needs CONFIG_BPF_JIT; a kprobe works without it");
	}
	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		if (silent[i].code != code)
			continue;
		error_set(err, code, "BPF_PROG_LOAD: %s: %s", error_strerror(code),
			  silent[i].what);
		error_reason(err, silent[i].reason);
		return error_hint(err, "%s", silent[i].hint);
	}
	if (code == KERNEL_ENOTSUPP)
		return explain_jit(sys, attr, code, err);
	if (code == E2BIG && is_too_large(sys, attr)) {
		error_set(err, code, "BPF_PROG_LOAD: %s: it has %u instructions",
			  error_strerror(code), attr->insn_cnt);
		error_reason(err, "prog-load/too-large");
		return error_hint(err, "the limit is a million with CAP_BPF (since Linux 5.2), "
				       "otherwise 4096: use bpf_tail_call(), or do not unroll "
				       "loops");
	}
	return explain_kind(sys, p, attr, code, err);
}

static int explain(struct sys *sys, const struct kernel_object *k, const struct object_prog *p,
		   const union bpf_attr *attr, int code, const char *log, struct error *err)
{
	if (code == EPERM && !log && p->kind->names >= NAMES_BTF_FUNC &&
	    sys_capable(sys, CAP_SYS_ADMIN) &&
	    load_smallest(sys, p->kind->prog_type, p->kind->attach_type) == -EPERM)
		return explain_forbidden(sys, p->kind, err);
	if ((code == EPERM && !log) || code == ENOSYS)
		return explain_denied(sys, p, code, err);
	if (code == EMFILE || code == ENFILE)
		return kernel_fds_failed(sys, "BPF_PROG_LOAD", "prog-load/fd-limit", code, err);
	if (!log)
		return explain_silent(sys, k, p, attr, code, err);
	error_set(err, code, "the verifier rejected the program: %s", error_strerror(code));
	error_reason(err, "prog-load/verifier");
	hint_log(sys, k, p, log, err);
	return -code;
}

void explain_prog(struct sys *sys, const void *call, struct error *err)
{
	const struct refused_prog *r = call;
	const struct prog_load *load = r->load;

	explain(sys, load->k, &load->k->object->progs[load->prog], r->asked, r->code, r->log, err);
}

void explain_log(struct sys *sys, const void *call, struct error *err)
{
	const struct prog_load *load = ((const struct refused_prog *)call)->load;

	(void)sys;
	kernel_diagnose(load->k, load->code, err);
}
