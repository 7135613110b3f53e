// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The PMUs of this machine: read and list their directories under /sys/bus/event_source/devices. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/event/steps.h"

#define DEVICES "/sys/bus/event_source/devices"
#define PMU_PATH (sizeof(DEVICES) + 2 * EVENT_NAME_MAX + 16)

int pmu_read(struct sys *sys, const char *pmu, const char *file, char *text, size_t size)
{
	char path[PMU_PATH];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, file);
	return sys_read_text(sys, AT_FDCWD, path, text, size);
}

struct name_text {
	char text[384];
	size_t len;
};

static int append_name(void *arg, const char *name)
{
	struct name_text *names = arg;
	int n;

	n = snprintf(names->text + names->len, sizeof(names->text) - names->len, "%s%s",
		     names->len ? ", " : "", name);
	if ((size_t)n >= sizeof(names->text) - names->len) {
		names->text[names->len] = '\0';
		return 1;
	}
	names->len += n;
	return 0;
}

/* List as many names as fit; none if the directory cannot be read. */
static void list_names(struct sys *sys, const char *path, struct name_text *names)
{
	memset(names, 0, sizeof(*names));
	sys_each_entry(sys, AT_FDCWD, path, append_name, names);
}

int pmu_each_file(struct sys *sys, const char *pmu, const char *dir,
		  int (*call)(void *arg, const char *name), void *arg)
{
	char path[PMU_PATH];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, dir);
	return sys_each_entry(sys, AT_FDCWD, path, call, arg);
}

const char *pmu_names(struct sys *sys, const char *pmu, const char *dir, char *buf, size_t size)
{
	struct name_text names;
	char path[PMU_PATH];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, dir);
	list_names(sys, path, &names);
	snprintf(buf, size, "%s", names.text);
	return buf;
}

void pmu_hint(struct sys *sys, struct error *err)
{
	struct name_text names;

	if (!err)
		return;
	list_names(sys, DEVICES, &names);
	if (names.len)
		error_hint(err, "PMUs on this machine: %s", names.text);
	else
		error_hint(err, "no PMUs in " DEVICES ": is sysfs mounted at /sys?");
}

bool pmu_no_sysfs(struct sys *sys, struct error *err)
{
	if (!sys_lacks(sys, "/sys/bus"))
		return false;
	error_set(err, ENOENT, "sysfs is not mounted at /sys, so the PMUs are unknown");
	error_reason(err, "event/no-sysfs");
	error_hint(err, "mount -t sysfs sysfs /sys");
	return true;
}

int pmu_unreadable(struct sys *sys, const char *pmu, const char *file, int code,
		   struct error *err)
{
	if (code == E2BIG)
		error_set(err, code, DEVICES "/%s/%s is too long", pmu, file);
	else
		error_set(err, code, DEVICES "/%s/%s cannot be read: %s", pmu, file,
			  error_strerror(code));
	if (own_limit_failed(sys, code, "event/fd-limit", err))
		return -code;
	error_reason(err, "event/pmu-format");
	error_hint(err, "the file describes the PMU: is sysfs mounted at /sys?");
	return code == ENOENT ? -EIO : -code;	/* ENOENT: the PMU does not exist */
}

int pmu_type(struct sys *sys, const char *pmu, uint32_t *type, struct error *err)
{
	char text[32], path[PMU_PATH];
	uint64_t value;
	int ret;

	ret = pmu_read(sys, pmu, "type", text, sizeof(text));
	snprintf(path, sizeof(path), DEVICES "/%s", pmu);
	if (ret == -ENOENT && pmu_no_sysfs(sys, err))
		return -ENOENT;
	if (ret == -ENOENT && sys_lacks(sys, path)) {
		error_set(err, ENOENT, "no PMU '%s' on this machine", pmu);
		error_reason(err, "event/no-pmu");
		pmu_hint(sys, err);
		return -ENOENT;
	}
	if (ret < 0)
		return pmu_unreadable(sys, pmu, "type", -ret, err);
	if (number_parse(text, ret, &value) || value > UINT32_MAX) {
		error_set(err, EIO, DEVICES "/%s/type is '%s', not a 32-bit number", pmu, text);
		error_reason(err, "event/pmu-format");
		error_hint(err, "the kernel writes a number there: is sysfs mounted at /sys?");
		return -EIO;
	}
	*type = value;
	return 0;
}

int pmu_cpus(struct sys *sys, const char *pmu, struct cpu_list *cpus, struct error *err)
{
	/* Uncore PMUs have a file cpumask; PMUs of one kind of cores have a file cpus. */
	static const char *const files[] = { "cpumask", "cpus" };
	char text[4096];
	int ret;

	memset(cpus, 0, sizeof(*cpus));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ret = pmu_read(sys, pmu, files[i], text, sizeof(text));
		if (ret == -ENOENT || ret == 0)
			continue;
		if (ret > 0)
			ret = cpu_list_parse(cpus, text, err);
		else
			return pmu_unreadable(sys, pmu, files[i], -ret, err);
		if (ret)
			error_where(err, DEVICES "/%s/%s", pmu, files[i]);
		return ret;
	}
	return 0;
}

int pmu_has_event(struct sys *sys, const char *pmu, const char *name)
{
	char path[PMU_PATH];
	int fd;

	snprintf(path, sizeof(path), DEVICES "/%s/events/%s", pmu, name);
	fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	sys_close(sys, fd);
	return 1;
}

int pmu_is_core(struct sys *sys, const char *pmu)
{
	const bool by_name = !strcmp(pmu, "cpu") || !strcmp(pmu, "cpum_cf");
	char text[16];

	/* A line that does not fit (-E2BIG) means that the file exists. */
	return pmu_read(sys, pmu, by_name ? "type" : "cpus", text, sizeof(text)) != -ENOENT;
}

struct pmu_visit {
	int (*call)(void *arg, const char *pmu);
	void *arg;
};

/* Skip names that -e cannot express or that are too long. */
static int visit_pmu(void *arg, const char *name)
{
	const struct pmu_visit *visit = arg;
	const size_t len = strlen(name);

	if (!event_is_word(name, len) || len >= EVENT_NAME_MAX)
		return 0;
	return visit->call(visit->arg, name);
}

int pmu_each(struct sys *sys, int (*call)(void *arg, const char *pmu), void *arg,
	     struct error *err)
{
	struct pmu_visit visit = { call, arg };
	int ret = sys_each_entry(sys, AT_FDCWD, DEVICES, visit_pmu, &visit);

	if (ret >= 0 || (ret == -ENOENT && pmu_no_sysfs(sys, err)))
		return ret;
	error_set(err, -ret, "cannot list the PMUs: %s", error_strerror(-ret));
	if (own_limit_failed(sys, -ret, "event/fd-limit", err))
		return ret;
	error_reason(err, "event/no-pmu");
	error_hint(err, "they are in " DEVICES ": is sysfs mounted at /sys?");
	return ret;
}

struct finder {
	struct sys *sys;
	int (*match)(struct sys *sys, void *arg, const char *pmu);
	void *arg;
	char *pmu;
};

static int try_pmu(void *arg, const char *name)
{
	struct finder *finder = arg;
	int ret = finder->match(finder->sys, finder->arg, name);

	if (ret > 0)
		memcpy(finder->pmu, name, strlen(name) + 1);
	return ret;
}

int pmu_find(struct sys *sys, int (*match)(struct sys *sys, void *arg, const char *pmu), void *arg,
	     char pmu[EVENT_NAME_MAX], struct error *err)
{
	struct finder finder = { sys, match, arg, pmu };
	int ret = try_pmu(&finder, "cpu");

	return ret ? ret : pmu_each(sys, try_pmu, &finder, err);
}
