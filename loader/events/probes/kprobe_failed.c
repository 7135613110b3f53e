// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find out why the kernel refused a kprobe, using its lists of symbols and of forbidden functions.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/events/probes/probes_internal.h"
#include "loader/objects/kernel_types/inline_sites.h"

/* --- the name --- */

/* The kernel's symbols with one name. */
struct found {
	unsigned int code, data;	/* number of functions, and of variables */
	unsigned int elsewhere;		/* functions in modules other than the requested one */
	char addresses[96];		/* addresses of the functions, if /proc/kallsyms shows
					 * them */
	char module[64];		/* module of the last one elsewhere; "": the kernel
					 * itself */
};

static void add_address(struct found *found, uint64_t address)
{
	const size_t len = strlen(found->addresses);

	if (address && len + 24 < sizeof(found->addresses))
		snprintf(found->addresses + len, sizeof(found->addresses) - len,
			 "%skprobe:0x%" PRIx64, len ? ", " : "", address);
}

static bool look_up(const struct probe_failure *f, struct kernel_symbols *k, struct found *found)
{
	const char *colon = strchr(f->function, ':'), *name = colon ? colon + 1 : f->function;
	struct kernel_symbol s;
	int ret = kernel_symbols_find(k, name, &s, NULL);

	memset(found, 0, sizeof(*found));
	for (bool more = ret > 0; more; more = kernel_symbols_same(k, &s)) {
		if (!kernel_symbol_is_code(&s)) {
			found->data++;
		} else if (colon && strcmp(s.module, f->spec->kprobe.module)) {
			found->elsewhere++;
			snprintf(found->module, sizeof(found->module), "%s", s.module);
		} else {
			found->code++;
			add_address(found, s.address);
		}
	}
	return ret >= 0;
}

/* A compiler may emit copies: NAME.isra.0, NAME.constprop.0, NAME.part.0, NAME.llvm.123. */
static bool is_copy(const char *symbol, const char *name)
{
	const size_t len = strlen(name);

	return !strncmp(symbol, name, len) && symbol[len] == '.';
}

static bool copy_of(struct kernel_symbols *k, const char *name, struct kernel_symbol *s)
{
	uint32_t at = 0;

	while (kernel_symbols_each(k, &at, s))
		if (kernel_symbol_is_code(s) && is_copy(s->name, name))
			return true;
	return false;
}

/* Hint at the function that was probably meant by @name, which does not exist. */
static void hint_function(const struct probe_failure *f, struct kernel_symbols *k,
			  const struct found *found, const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME], function[PROBE_FUNCTION_MAX];
	char sites[INLINE_SITES_TEXT];
	const char *ret = f->spec->ret ? "ret" : "", *call;
	struct kernel_symbol copy;
	struct nearest near;

	nearest_init(&near, name);
	kernel_symbols_nearest(k, &near, true, NULL);
	call = probe_syscall_meant(k, name, function);
	if (found->elsewhere)
		error_hint(err, "%s%s has one: kprobe:%s%s%s",
			   found->module[0] ? "module " : "the kernel", found->module,
			   found->module, found->module[0] ? ":" : "", name);
	else if (call)
		error_hint(err,
			   "on this machine, the function of this system call is %s; "
			   "SEC(\"k%ssyscall/%s\") and -e k%ssyscall:%s find it anywhere",
			   function, ret, call, ret, call);
	else if (inline_sites_text(f->sys, k, name, sites))
		error_hint(err, INLINE_SITES_HINT, sites);
	else if (copy_of(k, name, &copy))
		error_hint(err, "the compiler replaced it with '%s', and perhaps others",
			   copy.name);
	else if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err,
			   "a function that is inlined everywhere has no symbol: probe a caller");
}

static void no_symbol(const struct probe_failure *f, struct kernel_symbols *k,
		      const struct found *found, struct error *err)
{
	const char *colon = strchr(f->function, ':'), *name = colon ? colon + 1 : f->function;

	if (found->data) {
		probe_cause(f, err, "probe/no-symbol", "'%s' is data, not a function", name);
		error_hint(err, "probes work on functions; use mem:ADDRESS to watch data");
		return;
	}
	if (colon && !probe_has_module(f->sys, f->spec->kprobe.module)) {
		probe_cause(f, err, "probe/no-module", "module '%s' is not loaded",
			    f->spec->kprobe.module);
		error_hint(err, PROBE_NO_MODULE_HINT, f->spec->kprobe.module);
		return;
	}
	if (colon)
		probe_cause(f, err, "probe/no-symbol", "module '%s' has no function '%s'",
			    f->spec->kprobe.module, name);
	else
		probe_cause(f, err, "probe/no-symbol", "this kernel has no function '%s'", name);
	hint_function(f, k, found, name, err);
}

static bool failed_name(const struct probe_failure *f, struct kernel_symbols *k, struct error *err)
{
	struct found found;

	if (!f->function[0] || !look_up(f, k, &found))
		return false;
	if (!found.code) {
		no_symbol(f, k, &found, err);
		return true;
	}
	if (found.code == 1 || (f->code != EADDRNOTAVAIL && f->code != EINVAL))
		return false;
	probe_cause(f, err, "probe/ambiguous",
		    "the kernel has %u functions named '%s'", found.code,
		    f->function);
	if (found.addresses[0])
		error_hint(err,
			   "use the address, which changes with every boot: %s", found.addresses);
	else
		error_hint(err, "choose one by address (root finds it in /proc/kallsyms), or "
				"probe a caller");
	return true;
}

/* --- forbidden functions --- */

struct search {
	const char *name;
	struct kernel_symbols *symbols;	/* used to find other names of the function; or NULL */
	uint64_t address;		/* address of the function; 0: unknown */
	bool found;
};

static bool is_same_function(const struct search *search, const char *name)
{
	struct kernel_symbol s;

	if (!strcmp(name, search->name))
		return true;
	if (!search->address)
		return false;
	for (bool more = kernel_symbols_find(search->symbols, name, &s, NULL) > 0; more;
	     more = kernel_symbols_same(search->symbols, &s))
		if (s.address == search->address)
			return true;
	return false;
}

/* Check a line of "0xffffffff81000000-0xffffffff81000010\tNAME" or "NAME [MODULE]". */
static int look_for_name(void *arg, char *line)
{
	struct search *search = arg;
	char *name = strchr(line, '\t');

	name = name ? name + 1 : line;
	name[strcspn(name, " \t+")] = '\0';
	search->found = is_same_function(search, name);
	return search->found;
}

/*
 * Search kprobes/blacklist in debugfs, using a detached mount if necessary. Return: 1 if it lists
 * @name, 0 if not, or -1 if it cannot be read.
 */
static int is_blacklisted(struct sys *sys, const char *name)
{
	struct search search = { .name = name };
	int ret, fd;

	ret = sys_each_line_of(sys, AT_FDCWD, "/sys/kernel/debug/kprobes/blacklist",
				 look_for_name, &search);
	if (ret == -ENOENT) {
		fd = sys_open_detached(sys, "debugfs");
		if (fd < 0)
			return -1;
		ret = sys_each_line_of(sys, fd, "kprobes/blacklist", look_for_name, &search);
		sys_close(sys, fd);
	}
	return ret < 0 ? -1 : search.found;
}

/*
 * Search available_filter_functions: a function that ftrace cannot trace cannot have kprobe events,
 * either. The list has one name per function, so compare addresses. Return: 1 if the function is
 * listed, 0 if not, or -1 if the list cannot be read.
 */
static int is_traceable(struct sys *sys, struct kernel_symbols *k, const char *name)
{
	struct search search = { .name = name, .symbols = k };
	struct kernel_symbol s;
	struct tracefs t;
	int fd, ret = -1;

	if (tracefs_find(sys, &t, NULL) < 0)
		return -1;
	if (kernel_symbols_find(k, name, &s, NULL) > 0)
		search.address = s.address;
	fd = tracefs_openat(sys, &t, "available_filter_functions", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ret = sys_each_line(sys, fd, look_for_name, &search);
		sys_close(sys, fd);
	}
	tracefs_close(sys, &t);
	return ret < 0 ? -1 : search.found;
}

int probe_try(struct sys *sys, const char *function, uint64_t offset)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1,
					.probe_offset = offset };
	int fd, ret = pmu_type(sys, "kprobe", &attr.type, NULL);

	if (ret < 0)
		return ret;
	attr.kprobe_func = function[0] ? (uintptr_t)function : 0;
	fd = sys_perf_event_open(sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return fd;
	sys_close(sys, fd);
	return 0;
}

static bool failed_forbidden(const struct probe_failure *f, struct kernel_symbols *k,
			     struct error *err)
{
	const char *colon = strchr(f->function, ':'), *name = colon ? colon + 1 : f->function;

	/* Trying it is cheaper than reading the lists. */
	if (f->code != EINVAL || !name[0] ||
	    (f->spec->kprobe.offset && !probe_try(f->sys, f->function, 0)))
		return false;
	if (is_blacklisted(f->sys, name) > 0) {
		probe_cause(f, err, "probe/blacklisted",
			    "'%s' is on the kernel's blacklist: the probe would trigger itself",
			    name);
		error_hint(err, "see kprobes/blacklist in debugfs; probe a caller");
		return true;
	}
	if (is_traceable(f->sys, k, name) == 0) {
		probe_cause(f, err, "probe/notrace",
			    "'%s' is notrace: probes may depend on it", name);
		error_hint(err, "see available_filter_functions in tracefs for traceable "
				"functions; probe a caller");
		return true;
	}
	return false;
}

/*
 * The location is at fault if the kernel accepts a probe at the start of the function, or in
 * another function, but not here.
 */
static bool failed_location(const struct probe_failure *f, struct error *err)
{
	const bool by_address = !f->function[0];

	if ((f->code != EILSEQ && f->code != EINVAL && (f->code != ENOENT || !by_address)) ||
	    (!by_address && !f->spec->kprobe.offset) ||
	    (!f->spec->ret && !probe_try(f->sys, f->function, f->spec->kprobe.offset)) ||
	    probe_try(f->sys, by_address ? PROBE_TRIAL : f->function, 0))
		return false;
	if (by_address) {
		probe_cause(f, err, "probe/no-address",
			    "there is no kernel instruction that can be probed");
		error_hint(err, PROBE_NO_ADDRESS_HINT);
	} else if (f->code == EILSEQ) {
		probe_cause(f, err, "probe/offset", "no instruction starts there");
		error_hint(err, "objdump -d vmlinux shows where instructions start");
	} else {
		probe_cause(f, err, "probe/offset",
			    f->spec->ret ? "a kretprobe must be at the start of a function"
					 : "the kernel cannot place a probe at this offset");
		error_hint(err, "leave out the offset");
	}
	return true;
}

bool probe_failed_kernel(const struct probe_failure *f, struct error *err)
{
	struct kernel_symbols own, *k = f->symbols ? f->symbols : &own;
	bool known;

	kernel_symbols_init(&own, f->sys);
	known = failed_name(f, k, err) || failed_forbidden(f, k, err) || failed_location(f, err);
	kernel_symbols_free(&own);
	return known;
}
