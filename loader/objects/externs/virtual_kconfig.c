// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compute LINUX_*: .kconfig values that are not in any file but are properties of the running
 * kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"
#include "loader/core/kernel/attr.h"

#define KERNEL(major, minor) ((major) << 16 | (minor) << 8)

/*
 * Wrappers: system call functions that take their arguments in a struct pt_regs. Some architectures
 * have had them since a certain release (they select ARCH_HAS_SYSCALL_WRAPPER); others have them if
 * a function with this name exists.
 */
#if defined(__x86_64__)
#define WRAPPED_SINCE KERNEL(4, 17)
#elif defined(__aarch64__)
#define WRAPPED_SINCE KERNEL(4, 19)
#elif defined(__s390x__)
#define WRAPPED "__s390x_sys_bpf"
#elif defined(__riscv)
#define WRAPPED "__riscv_sys_bpf"
#endif

static int64_t version_code(const char *text)
{
	unsigned int major, minor, patch;

	if (sscanf(text, "%u.%u.%u", &major, &minor, &patch) != 3)
		return -ENOENT;
	return (major & 0xffff) << 16 | (minor & 0xff) << 8 | (patch > 255 ? 255 : patch);
}

static int64_t osrelease(struct sys *sys)
{
	char text[256];

	if (sys_read_text(sys, AT_FDCWD, "/proc/sys/kernel/osrelease", text, sizeof(text)) > 0)
		return version_code(text);
	return -ENOENT;
}

/*
 * Return the kernel's LINUX_VERSION_CODE. It is in uname's release, except that distributions keep
 * an older patch level there: Ubuntu and Debian store the real one elsewhere.
 *
 *	/proc/version_signature		Ubuntu 5.15.0-91.101-generic 5.15.131
 *	/proc/sys/kernel/version	#1 SMP Debian 6.1.76-1 (2024-02-01)
 *	/proc/sys/kernel/osrelease	6.1.0-18-amd64
 */
static int64_t kernel_version(struct externs *x, struct error *err)
{
	char text[256];
	const char *at;

	(void)err;
	if (sys_read_text(x->sys, AT_FDCWD, "/proc/version_signature", text, sizeof(text)) > 0) {
		at = strrchr(text, ' ');
		if (at && version_code(at + 1) >= 0)
			return version_code(at + 1);
	}
	if (sys_read_text(x->sys, AT_FDCWD, "/proc/sys/kernel/version", text, sizeof(text)) > 0) {
		at = strstr(text, "Debian ");
		if (at && version_code(at + strlen("Debian ")) >= 0)
			return version_code(at + strlen("Debian "));
	}
	return osrelease(x->sys);
}

/* Return 1 if the kernel has bpf_get_attach_cookie() (Linux 5.15): load a program that calls it. */
static int64_t has_cookie(struct externs *x, struct error *err)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_attach_cookie },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	int fd;

	(void)err;
	if (x->no_cookies)
		return 0;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACEPOINT;
	attr.insns = attr_pointer(insns);
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = attr_pointer("GPL");
	fd = sys_bpf(x->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
	if (fd < 0)
		return 0;
	sys_close(x->sys, fd);
	return 1;
}

#if !defined(WRAPPED_SINCE) && defined(WRAPPED)
static int is_wrapper(void *arg, const struct kernel_symbol *s)
{
	return !strcmp(s->name, arg);
}
#endif

static int64_t has_wrapper(struct externs *x, struct error *err)
{
#if defined(WRAPPED_SINCE)
	const int64_t is = osrelease(x->sys);

	(void)err;
	return is < 0 ? is : is >= WRAPPED_SINCE;
#elif defined(WRAPPED)
	static char name[] = WRAPPED;

	/* The rest of kallsyms need not be read. */
	return kernel_symbols_visit(&x->types->symbols, is_wrapper, name, err);
#else
	(void)x;
	(void)err;
	return 0;
#endif
}

static const struct {
	const char *name;
	int64_t (*compute)(struct externs *x, struct error *err);	/* negative: unknown */
} known[] = {
	{ "LINUX_KERNEL_VERSION", kernel_version },
	{ "LINUX_HAS_BPF_COOKIE", has_cookie },
	{ "LINUX_HAS_SYSCALL_WRAPPER", has_wrapper },
};

static int store_computed(struct externs *x, uint32_t index, size_t row, unsigned char *content,
			  struct error *err)
{
	const struct object_extern *e = &x->obj->externs[index];
	struct extern_value *v = &x->values[index];
	int64_t value = known[row].compute(x, err);
	char text[32];

	if (value == -ENOMEM)
		return -ENOMEM;
	if (value < 0) {	/* only an error if code reads it: kconfig_check() */
		error_clear(err);
		v->state = EXTERN_UNKNOWN;
		return 0;
	}
	snprintf(text, sizeof(text), "%" PRId64, value);
	v->state = EXTERN_FOUND;
	if (!kconfig_value_store(&x->obj->btf, e, text, content + e->offset, NULL))
		return 0;
	v->state = EXTERN_WRONG;
	v->text = strdup(text);
	return v->text ? 0 : error_set(err, ENOMEM, "no memory for a config value");
}

int virtual_kconfig_read(struct externs *x, unsigned char *content, struct error *err)
{
	const struct bpf_object *obj = x->obj;
	int ret = 0;

	for (uint32_t i = 0; i < obj->nr_externs && !ret; i++)
		for (size_t row = 0; row < sizeof(known) / sizeof(known[0]) && !ret; row++)
			if (obj->externs[i].kind == OBJECT_EXTERN_KCONFIG &&
			    !strcmp(obj->externs[i].name, known[row].name))
				ret = store_computed(x, i, row, content, err);
	return ret;
}
