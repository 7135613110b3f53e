// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names the kernel takes, limits it asks for, and why it refused a map or a program. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/kernel/attr.h"
#include "loader/kernel/explain.h"
#include "loader/kernel/maps.h"
#include "loader/sys/denied.h"
#include "loader/sys/names.h"
#include "loader/sys/privilege.h"

static size_t append(char *out, size_t n, const char *text, size_t len)
{
	for (size_t i = 0; i < len && n < BPF_OBJ_NAME_LEN - 1; i++) {
		unsigned char c = text[i];

		out[n++] = isalnum(c) || c == '_' || c == '.' ? c : '_';
	}
	return n;
}

void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *name)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t room = BPF_OBJ_NAME_LEN - 1, len = strlen(name), prefix = strcspn(base, ".");

	memset(out, 0, BPF_OBJ_NAME_LEN);
	room = len < room ? room - len : 0;
	append(out, append(out, 0, base, prefix < room ? prefix : room), name, len);
}

bool kernel_raise_memlock(struct sys *sys, struct kernel_object *k)
{
	const uint64_t unlimited[2] = { RLIM_INFINITY, RLIM_INFINITY };

	if (k->raised_memlock)
		return false;
	k->raised_memlock = true;
	return sys_prlimit(sys, RLIMIT_MEMLOCK, unlimited, NULL) == 0;
}

/*
 * What loading a program of that type takes beside CAP_BPF (bpf_prog_load() in
 * kernel/bpf/syscall.c).
 */
static int second_capability(uint32_t prog_type)
{
	switch (prog_type) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_PERF_EVENT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_LSM:
	case BPF_PROG_TYPE_STRUCT_OPS:
	case BPF_PROG_TYPE_EXT:
		return CAP_PERFMON;
	case BPF_PROG_TYPE_SOCKET_FILTER:
	case BPF_PROG_TYPE_SYSCALL:
		return CAP_BPF;
	default:
		return CAP_NET_ADMIN;
	}
}

/* Those that bpf_prog_load() lets others load where unprivileged_bpf_disabled is 0. */
static bool is_for_anybody(uint32_t prog_type)
{
	return prog_type == BPF_PROG_TYPE_SOCKET_FILTER || prog_type == BPF_PROG_TYPE_CGROUP_SKB;
}

static int explain_denied(struct sys *sys, const struct object_prog *p, int code, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_PROG_LOAD, .call = "BPF_PROG_LOAD",
		.caps = SYS_CAP(CAP_BPF) | SYS_CAP(second_capability(p->kind->prog_type)),
		.sysctl = is_for_anybody(p->kind->prog_type) ? "unprivileged_bpf_disabled" : NULL,
		.nr = __NR_bpf, .request = BPF_PROG_LOAD,
	};

	return sys_denied(sys, &asked, code, err);
}

static int explain_fds(int code, const char *call, const char *reason, struct error *err)
{
	error_set(err, code, "%s: %s", call, error_strerror(code));
	error_reason(err, reason);
	return error_hint(err, "each map, program and event takes a descriptor: ulimit -n");
}

/* What of a map it may be that the kernel calls invalid. */
static int hint_map(const struct object_map *map, const struct kernel_map *as, struct error *err)
{
	const char *type = sys_map_type_name(map->type);
	const bool keyless = map_is_ring(map->type) || map->type == BPF_MAP_TYPE_ARENA;

	if (map->type == BPF_MAP_TYPE_STRUCT_OPS)
		return error_hint(err, map->map_flags & BPF_F_LINK ?
				  "section .struct_ops.link needs Linux 6.4; .struct_ops 5.6, "
				  "and BTF that the kernel takes" :
				  "section .struct_ops needs Linux 5.6, "
				  "and BTF that the kernel takes");
	if (map_needs_btf(map->type) && (!map->key_type || !map->value_type))
		return error_hint(err,
				  "this map type needs BTF: __type(key, int); __type(value, ...);");
	if (map_is_unbounded(map->type) && as->max_entries)
		return error_hint(err, "max_entries of this map type is 0: leave it out");
	if (!map_is_unbounded(map->type) && !as->max_entries)
		return error_hint(err, "max_entries is 0; most map types need at least one");
	if (keyless && (as->key_size || as->value_size))
		return error_hint(err, "this map type has neither key nor value: leave them out");
	if (!keyless && (!as->key_size || !as->value_size))
		return error_hint(err, "key or value has no size, which this map type may need");
	return error_hint(err, "this kernel may not know %s, or one of the map's flags",
			  type ? type : "this map type");
}

int kernel_explain_map(struct sys *sys, const struct object_map *map, const struct kernel_map *as,
		       int code, struct error *err)
{
	const char *name = sys_map_type_name(map->type);

	const struct sys_asked asked = {
		.room = SYS_MAP_CREATE, .call = "BPF_MAP_CREATE", .caps = SYS_CAP(CAP_BPF),
		.sysctl = "unprivileged_bpf_disabled", .nr = __NR_bpf, .request = BPF_MAP_CREATE,
	};

	if (code == EPERM || code == ENOSYS)
		return sys_denied(sys, &asked, code, err);
	if (code == EMFILE || code == ENFILE)
		return explain_fds(code, "BPF_MAP_CREATE", "map-create/fd-limit", err);
	error_set(err, code,
		  "BPF_MAP_CREATE of %s, key %u bytes, value %u bytes, %u entries, flags 0x%x: %s",
		  name ? name : "a type unknown here", as->key_size, as->value_size,
		  as->max_entries, as->map_flags, error_strerror(code));
	error_reason(err, "map-create/refused");
	if (code == EINVAL)
		return hint_map(map, as, err);
	if (code == E2BIG || code == ENOMEM)
		return error_hint(err, "make max_entries or the value smaller");
	return -code;
}

/*
 * Whether the smallest program of that kind is not permitted either, although it is for nothing,
 * which otherwise is EINVAL: what forbids looks at the kind and not at the program.
 */
static bool is_forbidden(struct sys *sys, const struct prog_kind *kind)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = kind->prog_type;
	attr.expected_attach_type = kind->attach_type;
	attr.insns = attr_pointer(insns);
	attr.insn_cnt = 2;
	attr.license = attr_pointer("GPL");
	ret = sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(expected_attach_type));
	if (ret >= 0)
		sys_close(sys, ret);
	return ret == -EPERM;
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
	error_set(err, EPERM, "BPF_PROG_LOAD: %s: here every program of %s is refused",
		  error_strerror(EPERM), kind_text(kind, text, sizeof(text)));
	error_reason(err, "prog-load/forbidden");
	if (lsm[0] || lockdown[0])
		return error_hint(err,
				  "this kernel or an LSM forbids them (LSMs: %s; lockdown: %s)",
				  lsm, lockdown);
	return error_hint(err, "this kernel or an LSM forbids them: "
			       "mount securityfs and look at lsm and lockdown in there");
}

/*
 * What the verifier says first, before it looks at an instruction, and what that means; with
 * @since, on kernels that are older.
 */
static const struct {
	const char *log, *reason, *hint;
	uint16_t since;
} words[] = {
	{ "is not modifiable", "prog-load/not-modifiable",
	  "fmod_ret takes security_*() hooks and functions where errors may be injected; "
	  "fentry and fexit take others, too",
	  0 },
	{ "is not sleepable", "prog-load/not-sleepable",
	  "only functions that are called where they may sleep take the form with .s", 0 },
	{ "can be sleepable", "prog-load/not-sleepable",
	  "this kernel has no sleepable form of this kind: leave out the .s", 0 },
	{ "must provide btf_id", "prog-load/unknown-kind", NULL, 0 },
	{ "number of funcs in func_info", "prog-load/too-old",
	  "addresses of functions, for callbacks", LINUX(5, 13) },
};

static void hint_kind(struct sys *sys, const struct object_prog *p, struct error *err)
{
	char text[160];

	snprintf(text, sizeof(text), "section \"%s\"", p->kind->prefix);
	if (kernel_hint_age(sys, text, kernel_since(p->kind), err))
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
			return kernel_hint_age(sys, words[i].hint, words[i].since, err);
		error_reason(err, words[i].reason);
		/* Whatever it says of a kind that it does not have yet. */
		hint_kind(sys, p, err);
		if (words[i].hint && strcmp(err->reason, "prog-load/too-old"))
			error_hint(err, "%s", words[i].hint);
		return true;
	}
	return false;
}

static void hint_log(struct sys *sys, const struct kernel_object *k, const struct object_prog *p,
		    const char *log, struct error *err)
{
	if (hint_first_words(sys, p, log, err) ||
	    kernel_hint_verdict(log, k->object->license, err))
		return;
	if (k->btf_refused)
		error_hint(err,
			   "the kernel refused the object's BTF (%s), which this program may need",
			   k->btf_refused);
	else
		error_hint(err, "the verifier's last lines say why, below the instruction; "
				"-v shows all it said");
}

int kernel_explain_prog(struct sys *sys, const struct kernel_object *k, uint32_t prog, int code,
			char *log, struct error *err)
{
	const struct object_prog *p = &k->object->progs[prog];

	if (code == EPERM && !log && p->kind->follows >= FOLLOWS_BTF_FUNC &&
	    sys_capable(sys, CAP_SYS_ADMIN) && is_forbidden(sys, p->kind))
		return explain_forbidden(sys, p->kind, err);
	if ((code == EPERM && !log) || code == ENOSYS)
		return explain_denied(sys, p, code, err);
	if (code == EMFILE || code == ENFILE)
		return explain_fds(code, "BPF_PROG_LOAD", "prog-load/fd-limit", err);
	error_set(err, code, "%s the program: %s",
		  log ? "the verifier refuses" : "BPF_PROG_LOAD refuses", error_strerror(code));
	error_reason(err, log ? "prog-load/verifier" : "prog-load/refused");
	if (log)
		hint_log(sys, k, p, log, err);
	else if (code == EINVAL || code == E2BIG)
		hint_kind(sys, p, err);
	error_log(err, log);
	return -code;
}
