// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The machine: the conditions of "Needs:" lines, and the numbers of placeholders such as
 * {cpus} or {btf_id STRUCT task_struct}.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <zlib.h>

#include "loader/base/text/kallsyms.h"
#include "loader/core/sys/sys.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "test/judge/conformance/conformance.h"

/* Return the number of types with that kind ("STRUCT") and name, and the id of the first one. */
static unsigned int kernel_type(const char *kind, const char *name, uint32_t *id)
{
	struct kernel_types types;
	struct error error = { 0 };
	const struct btf *btf;
	unsigned int nr = 0;

	*id = 0;
	kernel_types_init(&types, sys_linux(), NULL);
	if (kernel_types_vmlinux(&types, &btf, &error) == 0)
		for (uint32_t i = 1; btf_has(btf, i); i++) {
			const struct btf_type_view type = btf_type(btf, i);

			if (!type.name || strcmp(type.name, name) ||
			    strcasecmp(btf_kind_name(type.kind), kind))
				continue;
			*id = *id ? *id : i;
			nr++;
		}
	error_clear(&error);
	kernel_types_free(&types);
	return nr;
}

static uint64_t kernel_symbol(const char *name)
{
	struct kernel_symbols symbols;
	struct kernel_symbol symbol = { 0 };
	struct error error = { 0 };

	kernel_symbols_init(&symbols, sys_linux());
	if (kernel_symbols_find(&symbols, name, &symbol, &error) != 1)
		symbol.address = 0;
	error_clear(&error);
	kernel_symbols_free(&symbols);
	return symbol.address;
}

/* Copy what follows the = in the line CONFIG_HZ=250, or "" if the kernel has no such line. */
static bool kernel_config(const char *name, char *value, size_t size)
{
	char path[256], line[1024];
	const size_t len = strlen(name);
	struct utsname uts;
	gzFile in = gzopen("/proc/config.gz", "rb");

	uname(&uts);
	snprintf(path, sizeof(path), "/boot/config-%s", uts.release);
	in = in ? in : gzopen(path, "rb");
	*value = 0;
	while (in && gzgets(in, line, sizeof(line)))
		if (!strncmp(line, name, len) && line[len] == '=')
			snprintf(value, size, "%.*s", (int)strcspn(line + len + 1, "\n"),
				 line + len + 1);
	if (in)
		gzclose(in);
	return in != NULL;
}

static bool is_little_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* --- needs --- */

static bool kernel_is_older(unsigned int major, unsigned int minor)
{
	unsigned int here_major = 0, here_minor = 0;
	struct utsname uts;

	uname(&uts);
	sscanf(uts.release, "%u.%u", &here_major, &here_minor);
	return here_major < major || (here_major == major && here_minor < minor);
}

/* "BTF STRUCT task_struct", "BTF STRUCT syscall_tp_t twice" */
static bool parse_type(const char *need, char kind[32], char name[128], bool *twice)
{
	char word[8] = "";

	*twice = sscanf(need, "BTF %31[A-Z0-9_] %127[A-Za-z0-9_.] %7s", kind, name, word) == 3 &&
		 !strcmp(word, "twice");
	return sscanf(need, "BTF %31[A-Z0-9_] %127[A-Za-z0-9_.]", kind, name) == 2 &&
	       (!*word || *twice);
}

/* Return 1 if the machine has it, 0 if not, -1 if there is no such condition. */
static int has_need(const char *need)
{
	char kind[32], name[128], value[256];
	unsigned int major, minor;
	uint32_t id;
	bool twice;

	if (sscanf(need, "Linux %u.%u", &major, &minor) == 2)
		return !kernel_is_older(major, minor);
	if (!strcmp(need, "little-endian") || !strcmp(need, "big-endian"))
		return (*need == 'l') == is_little_endian();
	if (!strcmp(need, "BTF of the kernel"))
		return access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	if (!strcmp(need, "config"))
		return kernel_config("", value, sizeof(value));
	if (sscanf(need, "config CONFIG_%127s", name) == 1)
		return kernel_config(need + strlen("config "), value, sizeof(value)) && *value;
	if (sscanf(need, "symbol %127s", name) == 1)
		return kernel_symbol(name) != 0;
	if (parse_type(need, kind, name, &twice))
		return kernel_type(kind, name, &id) > twice;
	return -1;
}

const char *needs_lacking(const char *needs, char *buf, size_t size)
{
	while (*needs) {
		const size_t len = strcspn(needs, ",");

		snprintf(buf, size, "%.*s", (int)len, needs);
		if (has_need(buf) != 1)
			return buf;
		needs += len;
		needs += strspn(needs, ", ");
	}
	return NULL;
}

bool need_is_known(const char *need)
{
	static const char *const starts[] = { "symbol ", "config CONFIG_" };
	char kind[32], name[128];
	bool twice;

	for (size_t i = 0; i < 2; i++)
		if (!strncmp(need, starts[i], strlen(starts[i])))
			return true;
	return parse_type(need, kind, name, &twice) || has_need(need) >= 0;
}

/* --- placeholders --- */

static unsigned int last_cpu(const char *which)
{
	bool cpus[1024];
	unsigned int last = 0;

	kernel_cpus(which, cpus);
	for (unsigned int i = 0; i < 1024; i++)
		if (cpus[i])
			last = i;
	return last;
}

/* Debian and Ubuntu keep an older patch level in the release, and the real version elsewhere. */
static uint64_t kernel_version(void)
{
	unsigned int a = 0, b = 0, c = 0;
	FILE *ubuntu = fopen("/proc/version_signature", "re");
	const char *debian;
	struct utsname uts;

	uname(&uts);
	debian = strstr(uts.version, "Debian ");
	if (!(ubuntu && fscanf(ubuntu, "%*s %*s %u.%u.%u", &a, &b, &c) == 3) &&
	    !(debian && sscanf(debian, "Debian %u.%u.%u", &a, &b, &c) == 3))
		sscanf(uts.release, "%u.%u.%u", &a, &b, &c);
	if (ubuntu)
		fclose(ubuntu);
	return a << 16 | b << 8 | (c > 255 ? 255 : c);
}

/* Find the value of a placeholder, given without braces. Return: false if it is unknown. */
static bool placeholder(const char *text, bool real, char *value, size_t size)
{
	char kind[32], name[128], half[8] = "";
	bool cpus[1024];
	uint64_t number = 1;
	uint32_t id = 1;

	if (!strcmp(text, "cpus")) {
		number = last_cpu("possible") + 1;
	} else if (!strcmp(text, "online")) {
		number = kernel_cpus("online", cpus);
	} else if (!strcmp(text, "page")) {
		number = sysconf(_SC_PAGESIZE);
	} else if (!strcmp(text, "kernel_version")) {
		number = kernel_version();
	} else if (sscanf(text, "ksym %127s %7s", name, half) >= 1) {
		number = real ? kernel_symbol(name) : 1;
		if (!strcmp(half, "low"))
			number = (uint32_t)number;
		else if (!strcmp(half, "high"))
			number >>= 32;
		else if (*half)
			return false;
	} else if (sscanf(text, "btf_id %31s %127s", kind, name) == 2) {
		if (real)
			kernel_type(kind, name, &id);
		number = id;
	} else if (!strncmp(text, "config CONFIG_", strlen("config CONFIG_"))) {
		if (!real || !kernel_config(text + strlen("config "), value, size))
			snprintf(value, size, "0");
		return true;
	} else {
		return false;
	}
	snprintf(value, size, "%llu", (unsigned long long)number);
	return true;
}

const char *placeholders_expand(const char *text, bool real, char *to, size_t size)
{
	size_t used = 0;

	while (*text && used + 1 < size) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		char name[256], value[256];

		if (!end) {
			to[used++] = *text++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(end - text - 1), text + 1);
		if (!placeholder(name, real, value, sizeof(value)))
			return "there is no such placeholder";
		used += snprintf(to + used, size - used, "%s", value);
		used = used < size ? used : size - 1;
		text = end + 1;
	}
	to[used] = 0;
	return *text ? "the line is too long" : NULL;
}
