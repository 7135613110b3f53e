// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The function of a kprobe: resolve system call names and check the offset. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/probes/probes_internal.h"

/*
 * Prefixes of system call functions. A kernel with wrappers (Linux 4.17 on x86) uses the first one:
 * include/linux/syscalls.h, arch/.../include/asm/syscall_wrapper.h
 */
static const char *const prefixes[] = {
#if defined(__x86_64__)
	"__x64_sys_",
#elif defined(__aarch64__)
	"__arm64_sys_",
#elif defined(__s390x__)
	"__s390x_sys_",
#elif defined(__riscv)
	"__riscv_sys_",
#elif defined(__i386__)
	"__ia32_sys_",
#endif
	"sys_",
};

#define NR_PREFIXES (sizeof(prefixes) / sizeof(prefixes[0]))

static int no_syscall(struct kernel_symbols *k, const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME];
	struct kernel_symbol s;
	struct nearest near;
	uint32_t at = 0;

	nearest_init(&near, name);
	kernel_symbols_read(k, NULL);
	while (kernel_symbols_each(k, &at, &s))
		for (size_t i = 0; i < NR_PREFIXES; i++)
			if (kernel_symbol_is_code(&s) &&
			    !strncmp(s.name, prefixes[i], strlen(prefixes[i])))
				nearest_offer(&near, s.name + strlen(prefixes[i]));
	error_set(err, ENOENT, "this kernel has no system call '%s': there is no function %s%s",
		  name, prefixes[0], name);
	error_reason(err, "probe/no-syscall");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err,
			   "use the names from section 2 of the manual: openat, execve ...");
	return -ENOENT;
}

/* The best prefix with which a system call's function was found; NR_PREFIXES: none. */
struct syscall_search {
	const char *name;
	size_t best;
};

/* Remember the best match. Return 1 if no better one is possible. */
static int match_syscall(void *arg, const struct kernel_symbol *s)
{
	struct syscall_search *search = arg;

	for (size_t i = 0; i < search->best; i++) {
		const size_t len = strlen(prefixes[i]);

		if (!strncmp(s->name, prefixes[i], len) && !strcmp(s->name + len, search->name) &&
		    kernel_symbol_is_code(s))
			search->best = i;
	}
	return !search->best;
}

static int syscall_function(struct kernel_symbols *k, const char *name,
			    char function[PROBE_FUNCTION_MAX], struct error *err)
{
	struct syscall_search search = { name, NR_PREFIXES };
	const int ret = kernel_symbols_visit(k, match_syscall, &search, NULL);

	if (ret >= 0 && search.best == NR_PREFIXES)
		return no_syscall(k, name, err);
	/* If the symbols cannot be read, leave it to the kernel to check the name. */
	snprintf(function, PROBE_FUNCTION_MAX, "%s%s", prefixes[ret < 0 ? 0 : search.best], name);
	return 0;
}

const char *probe_syscall_meant(struct kernel_symbols *k, const char *name,
				char function[PROBE_FUNCTION_MAX])
{
	const char *prefix = strstr(name, "sys_"), *call = prefix ? prefix + strlen("sys_") : name;
	struct kernel_symbol s;

	for (size_t i = 0; i < NR_PREFIXES; i++) {
		snprintf(function, PROBE_FUNCTION_MAX, "%s%s", prefixes[i], call);
		for (bool more = kernel_symbols_find(k, function, &s, NULL) > 0; more;
		     more = kernel_symbols_same(k, &s))
			if (kernel_symbol_is_code(&s))
				return call;
	}
	return NULL;
}

static bool is_meant(const struct event_spec *spec, const struct kernel_symbol *s)
{
	return kernel_symbol_is_code(s) && 
	       (!spec->kprobe.module || !strcmp(spec->kprobe.module, s->module));
}

/* Return the size from @start to the next symbol: the function and any padding after it. */
static uint64_t size_at(struct kernel_symbols *k, uint64_t start)
{
	uint64_t next = UINT64_MAX;
	struct kernel_symbol s;
	uint32_t at = 0;

	while (kernel_symbols_each(k, &at, &s))
		if (s.address > start && s.address < next)
			next = s.address;
	return next - start;
}

/*
 * The kernel adds the offset to the symbol's address without checking the function's size: an
 * offset past its end would probe another function.
 */
static int check_offset(struct kernel_symbols *k, const struct event_spec *spec, struct error *err)
{
	struct kernel_symbol s;
	uint64_t size;
	int ret = kernel_symbols_find(k, spec->kprobe.symbol, &s, NULL);

	while (ret > 0 && !is_meant(spec, &s))
		ret = kernel_symbols_same(k, &s);
	if (ret <= 0 || !s.address)
		return 0;	/* unknown or without an address: leave it to the kernel */
	size = size_at(k, s.address);
	if (spec->kprobe.offset < size)
		return 0;
	error_set(err, EINVAL, "offset 0x%" PRIx64 " is beyond '%s', which has 0x%" PRIx64 " bytes",
		  spec->kprobe.offset, spec->kprobe.symbol, size);
	error_reason(err, "probe/offset");
	error_hint(err, "it would be in another function: use that one");
	return -EINVAL;
}

static int function_of(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		       char function[PROBE_FUNCTION_MAX], struct error *err)
{
	struct kernel_symbols own;
	struct kernel_symbols *k = probes->symbols ? probes->symbols : &own;
	const char *module = spec->kprobe.module;
	int ret = 0;

	kernel_symbols_init(&own, sys);
	if (spec->syscall)
		ret = syscall_function(k, spec->kprobe.symbol, function, err);
	else
		snprintf(function, PROBE_FUNCTION_MAX, "%s%s%s", module ? module : "",
			 module ? ":" : "", spec->kprobe.symbol);
	if (ret == 0 && spec->kprobe.offset)
		ret = check_offset(k, spec, err);
	kernel_symbols_free(&own);
	return ret;
}

bool probe_has_module(struct sys *sys, const char *name)
{
	char path[EVENT_NAME_MAX + 16];
	int fd;

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		sys_close(sys, fd);
	return fd != -ENOENT;
}

int probe_target(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		 char function[PROBE_FUNCTION_MAX], struct error *err)
{
	function[0] = '\0';
	if (spec->kind == EVENT_KPROBE)
		return spec->kprobe.symbol ? function_of(sys, spec, probes, function, err) : 0;
	if (spec->resolved)
		return 0;
	error_set(err, EINVAL, "its file offset was not looked up");
	error_reason(err, "probe/unresolved");
	return -EINVAL;
}
