// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find a library by name in /etc/ld.so.cache, the cache of glibc's dynamic linker; without a cache,
 * in the directories that every dynamic linker searches.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/exec/ld_cache.h"
#include "loader/base/calls/machine.h"
#include "loader/objects/symbols/symbols_internal.h"
#include "loader/core/sys/cpus.h"

#define CACHE "/etc/ld.so.cache"

/* Even with thousands of libraries, the cache is smaller than a megabyte. */
#define CACHE_MAX (64u << 20)

#if defined(__x86_64__)
#define OUR_MACHINE LD_CACHE_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE LD_CACHE_ARM64
#elif defined(__s390x__)
#define OUR_MACHINE LD_CACHE_S390X
#else
#define OUR_MACHINE 0xffff /* unknown: any */
#endif

/*
 * "c" and "libc" match "libc.so" and every "libc.so.N"; "libc.so" matches every version,
 * "libc.so.6" only itself.
 */
bool is_library(const char *base, const char *name)
{
	const char *so = strstr(name, ".so");
	size_t len = strlen(name);

	if (so && (!so[3] || so[3] == '.'))
		return !strncmp(base, name, len) && (!base[len] || (!so[3] && base[len] == '.'));
	if (strncmp(base, "lib", 3))
		return false;
	if (strncmp(base, name, len) || strncmp(base + len, ".so", 3)) {
		base += 3;
		if (strncmp(base, name, len) || strncmp(base + len, ".so", 3))
			return false;
	}
	return !base[len + 3] || base[len + 3] == '.';
}

/* The flags that levels x86-64-v2, -v3 and -v4 of the psABI require, as in /proc/cpuinfo. */
static const struct {
	const char *hwcaps, *flags;
} levels[] = {
	{ "x86-64-v2", "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3" },
	{ "x86-64-v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave" },
	{ "x86-64-v4", "avx512f avx512bw avx512cd avx512dq avx512vl" },
};

static bool has_flags(const char *have, const char *wanted)
{
	while (*wanted) {
		const size_t len = strcspn(wanted, " ");
		const char *at = have;

		while (at && (strncmp(at, wanted, len) || (at[len] && at[len] != ' '))) {
			at = strchr(at, ' ');
			at = at ? at + 1 : NULL;
		}
		if (!at)
			return false;
		wanted += len + (wanted[len] == ' ');
	}
	return true;
}

/* Return the level of the first processor, which all share. */
static unsigned int cpu_level(struct sys *sys)
{
	char text[CPU_FLAGS_SIZE];
	const char *flags = cpu_flags_read(sys, text);
	unsigned int level = 0;

	while (flags && level < 3 && has_flags(flags, levels[level].flags))
		level++;
	return level;
}

/* Return the dynamic linker's preference for a library at that level; -1: not used. */
static int preference(const struct ld_library *lib, unsigned int level)
{
	if (lib->old_hwcaps)
		return -1;
	if (!lib->hwcaps)
		return 0;
	for (unsigned int i = 0; i < level; i++)
		if (!strcmp(lib->hwcaps, levels[i].hwcaps))
			return i + 1;
	return -1;
}

struct selection {
	struct ld_library best;
	int preference;
	unsigned int others;	/* libraries for other processors */
};

static int several(const char *name, const struct ld_library *a, const struct ld_library *b,
		   struct error *err)
{
	error_set(err, ENOTUNIQ, "'%.80s' could be '%.80s' or '%.80s'", name, a->name, b->name);
	error_hint(err, "write the full name");
	return error_reason(err, "symbols/ambiguous");
}

/* "libz.so" exists for compilers and is the same file as "libz.so.1". */
static bool is_version_of(const char *name, const char *other)
{
	const size_t len = strlen(other);

	return !strncmp(name, other, len) && name[len] == '.';
}

static int choose(const struct ld_cache *cache, const char *name, unsigned int level,
		  uint32_t machine, struct selection *c, struct error *err)
{
	struct ld_library lib;

	*c = (struct selection){ .preference = -1 };
	for (uint32_t i = 0; i < cache->nr; i++) {
		int wanted;

		if (!ld_cache_library(cache, i, &lib) || !is_library(lib.name, name) ||
		    (machine != 0xffff && lib.machine != machine))
			continue;
		wanted = preference(&lib, level);
		if (c->preference >= 0 && strcmp(lib.name, c->best.name)) {
			if (is_version_of(c->best.name, lib.name))
				continue;
			if (!is_version_of(lib.name, c->best.name))
				return several(name, &c->best, &lib, err);
			c->preference = -1;
		}
		c->others += wanted < 0;
		if (wanted > c->preference) {
			c->best = lib;
			c->preference = wanted;
		}
	}
	return c->preference >= 0;
}

static int read_cache(struct sys *sys, const char *path, struct bytes *file, struct error *err)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), ret = fd;
	unsigned char *data = NULL;
	struct stat st;
	size_t done = 0;
	ssize_t n = 1;

	*file = (struct bytes){ 0 };
	if (fd < 0)
		return 0;
	ret = sys_fstat(sys, fd, &st);
	if (!ret && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= CACHE_MAX) {
		data = malloc(st.st_size);
		if (!data)
			ret = error_set(err, ENOMEM, "no memory for %s", path);
	}
	while (data && n > 0 && done < (size_t)st.st_size) {
		n = sys_read(sys, fd, data + done, st.st_size - done);
		done += n > 0 ? n : 0;
	}
	sys_close_fd(sys, &fd);
	*file = (struct bytes){ data, done };
	return ret == -ENOMEM ? ret : 0;
}

/* Search the directories if the cache does not have the library. */
static int in_directories(struct symbols *s, const char *root, const char *name,
			  char path[EVENT_PATH_MAX])
{
	static const char *const dirs[] = { "/lib64", "/usr/lib64", "/lib", "/usr/lib",
					    "/usr/local/lib" };
	char tried[EVENT_PATH_MAX];
	int fd;

	if (!strstr(name, ".so"))
		return 0;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, EVENT_PATH_MAX, "%s/%s", dirs[i], name);
		if (process_path(s->sys, root, path, tried))
			continue;
		fd = sys_openat(s->sys, AT_FDCWD, tried, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			continue;
		sys_close_fd(s->sys, &fd);
		return 1;
	}
	return 0;
}

int find_library(struct symbols *s, const char *root, const char *name, char path[EVENT_PATH_MAX],
		 bool *others, struct error *err)
{
	char file_path[EVENT_PATH_MAX];
	struct ld_cache cache;
	struct selection c = { 0 };
	struct bytes file;
	int ret = process_path(s->sys, root, CACHE, file_path);

	if (ret)
		return in_directories(s, root, name, path);
	ret = read_cache(s->sys, file_path, &file, err);
	if (!ret && file.size && !ld_cache_parse(&cache, file, NULL)) {
		const unsigned int level = cache.hwcaps.size ? cpu_level(s->sys) : 0;

		ret = choose(&cache, name, level, OUR_MACHINE, &c, err);
		if (!ret) /* it may exist only for i386 programs */
			ret = choose(&cache, name, level, LD_CACHE_I386, &c, err);
		if (ret > 0)
			snprintf(path, EVENT_PATH_MAX, "%s", c.best.path);
		*others = ret > 0 && c.others;
	}
	free((void *)file.data);
	return ret ? ret : in_directories(s, root, name, path);
}
