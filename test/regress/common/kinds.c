// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prepare kinds of events for attaching, and the system settings that they need. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loader/tools/inventory/mounts.h"
#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/assemble.h"
#include "test/regress/common/probed.h"
#include "test/regress/common/kinds.h"

/* Fill in the event's text, replacing %w, %f, %u or %g, of which there is at most one. */
static void fill_in(const struct kind *kind, char *text, size_t size)
{
	const char *at = strchr(kind->event, '%');
	uint64_t value = 0;

	if (!at) {
		snprintf(text, size, "%s", kind->event);
		return;
	}
	if (at[1] == 'g') {
		snprintf(text, size, "%.*s" PROBED_GETPPID, (int)(at - kind->event), kind->event);
		return;
	}
	if (at[1] == 'w')
		value = (uintptr_t)&firing_watched;
	else if (at[1] == 'f')
		value = (uintptr_t)firing_function;
	else if (at[1] == 'u')
		value = firing_function_offset();
	snprintf(text, size, "%.*s0x%" PRIx64 "%s", (int)(at - kind->event), kind->event, value,
		 at + 2);
}

/*
 * Return the work for a USDT probe in firing_function(), which is the same as for a uprobe there.
 */
static const struct firing_work *function_work(const struct event_spec *spec)
{
	struct event_spec uprobe = *spec;

	uprobe.kind = EVENT_UPROBE;
	return firing_work_find(&uprobe);
}

void kind_begin(struct regress *t, const struct kind *kind, struct event_spec *spec,
		struct compare_subject *s)
{
	char text[256];

	fill_in(kind, text, sizeof(text));
	regress_event(t, spec, text);
	if (spec->kind == EVENT_UPROBE || spec->kind == EVENT_USDT) {
		/* The kernel accepts the path as it is, without searching for it. */
		spec->resolved = true;
		spec->uprobe.file_offset = firing_function_offset();
	}
	*s = (struct compare_subject){ .sys = t->sys, .spec = spec, .cookie = KIND_COOKIE };
	compare_begin(s);
	if (spec->kind == EVENT_USDT)
		s->work = function_work(spec);
}

void kind_end(struct compare_subject *s)
{
	compare_end(s);
}

const char *kind_cell_name(const struct kind *kind, unsigned int cell)
{
	static const char *const names[2][COMPARE_NR_CELLS] = {
		{ "type+ioctl", "type+link", "pmu+ioctl", "pmu+link" },
		{ "tracefs+ioctl", "tracefs+link", "pmu+ioctl", "pmu+link" },
	};

	return names[kind->is != KIND_COUNTED][cell];
}

int kind_program(struct regress *t, uint32_t type, int32_t retval)
{
	const uint64_t unlimited[2] = { RLIM_INFINITY, RLIM_INFINITY };
	struct code code = { 0 };
	union bpf_attr attr;
	int ret;

	code_return(&code, retval);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	ret = sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
	/* Before Linux 5.11, the memory counts towards RLIMIT_MEMLOCK. */
	if (ret == -EPERM && !sys_prlimit(t->sys, RLIMIT_MEMLOCK, unlimited, NULL))
		ret = sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
	return ret;
}

void kind_two_cpus(struct regress *t, int cpus[2])
{
	cpu_set_t allowed;
	int nr = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	for (int cpu = 0; nr < 2 && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			cpus[nr++] = cpu;
	if (nr < 2)
		regress_skip(t, "this process may run on one CPU only");
}

void kind_move_to(struct regress *t, int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	regress_expect(t, !sched_setaffinity(0, sizeof(one), &one), "CPU %d: sched_setaffinity: %m",
		       cpu);
}

/* --- numbers in /proc/sys --- */

static bool write_text(const char *path, const char *text)
{
	const ssize_t size = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, size) == size;

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return n >= 0;
}

bool kind_sysctl_begin(struct kind_sysctl *set, const char *path, const char *wanted)
{
	*set = (struct kind_sysctl){ .path = path };
	if (!read_text(path, set->was, sizeof(set->was)))
		return false;
	if (!strcmp(set->was, wanted)) {
		set->was[0] = '\0';
		return true;
	}
	if (write_text(path, wanted))
		return true;
	set->was[0] = '\0';
	return false;
}

void kind_sysctl_end(struct kind_sysctl *set)
{
	if (set->was[0])
		write_text(set->path, set->was);
	set->was[0] = '\0';
}

/* --- cgroups --- */

static int keep_mount(void *arg, const char *path)
{
	struct kind_controller *c = arg;
	int n = snprintf(c->path, sizeof(c->path), "%s/cgroup.subtree_control", path);

	return n > 0 && (size_t)n < sizeof(c->path);
}

void kind_controller_begin(struct regress *t, struct kind_controller *c)
{
	static const char *const names[] = { "pids", "memory", "cpu", "io", "cpuset" };
	char given[256], text[40];

	*c = (struct kind_controller){ 0 };
	if (mounts_visit(t->sys, "cgroup2", keep_mount, c) <= 0 ||
	    !read_text(c->path, given, sizeof(given)) || given[0]) {
		c->path[0] = '\0';
		return;
	}
	for (size_t i = 0; i < NR(names); i++) {
		snprintf(text, sizeof(text), "+%s", names[i]);
		if (!write_text(c->path, text))
			continue;
		snprintf(c->name, sizeof(c->name), "%s", names[i]);
		return;
	}
	c->path[0] = '\0';
}

void kind_controller_end(struct kind_controller *c)
{
	char text[40];

	snprintf(text, sizeof(text), "-%s", c->name);
	if (c->path[0])
		write_text(c->path, text);
	c->path[0] = '\0';
}
