// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Create probes through the "kprobe" or "uprobe" PMU: perf_event_attr has the location, and the
 * probe exists while the event is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "loader/base/calls/tracefs.h"
#include "loader/events/probes/probes_internal.h"

/* The PMU does not exist. If tracefs has @file, the kernel is older than 4.17. */
static int no_pmu(struct sys *sys, enum probe_file file, struct error *err)
{
	const bool kernel = file == PROBE_KPROBES;
	struct tracefs t;
	int fd = -1;

	if (pmu_no_sysfs(sys, err))
		return -ENOENT;
	if (tracefs_find(sys, &t, NULL) == 0)
		fd = tracefs_openat(sys, &t, probe_files[file], O_RDONLY | O_CLOEXEC);
	tracefs_close(sys, &t);
	if (fd >= 0) {
		sys_close(sys, fd);
		error_set(err, ENOENT, "this kernel has no PMU for %s",
			  kernel ? "kprobes" : "uprobes");
		error_reason(err, "probe/no-pmu");
		error_hint(err, "it needs Linux 4.17: use --attach=ioctl, which creates probes "
				"through tracefs");
		return -ENOENT;
	}
	error_set(err, ENOENT, "this kernel has no %s: neither a PMU nor %s in tracefs",
		  kernel ? "kprobes" : "uprobes", probe_files[file]);
	error_reason(err, kernel ? "probe/no-kprobes" : "probe/no-uprobes");
	error_hint(err, "it was built without CONFIG_%s_EVENTS", kernel ? "KPROBE" : "UPROBE");
	return -ENOENT;
}

/* create_local_trace_kprobe() of kernel/trace/trace_kprobe.c */
static int describe_kprobe(const struct event_spec *spec, const char *function,
			   struct perf_event_attr *attr, struct error *err)
{
	if (!function[0]) {
		attr->kprobe_addr = spec->kprobe.offset;
		return 0;
	}
	attr->kprobe_func = (uintptr_t)function;
	attr->probe_offset = spec->kprobe.offset;
	/* struct kprobe stores an unsigned int: the kernel would truncate larger offsets. */
	if (spec->kprobe.offset <= UINT32_MAX)
		return 0;
	error_set(err, EINVAL,
		  "offset 0x%" PRIx64 " does not fit into 32 bits, the size of the kernel's field",
		  spec->kprobe.offset);
	error_reason(err, "probe/offset");
	error_hint(err, "functions are smaller than that");
	return -EINVAL;
}

/* create_local_trace_uprobe() of kernel/trace/trace_uprobe.c */
static int describe_uprobe(struct sys *sys, const struct event_spec *spec,
			   struct perf_event_attr *attr, struct error *err)
{
	char term[48], format[64];
	int ret;

	attr->uprobe_path = (uintptr_t)spec->uprobe.path;
	attr->probe_offset = spec->uprobe.file_offset;
	if (!spec->uprobe.ref_ctr_offset)
		return 0;
	ret = pmu_read(sys, "uprobe", "format/ref_ctr_offset", format, sizeof(format));
	if (ret == -ENOENT) {
		error_set(err, ENOENT,
			  "this kernel's uprobes have no semaphores: no ref_ctr_offset in format/");
		error_reason(err, "probe/no-ref-ctr");
		error_hint(err, "semaphores need Linux 4.20; without one the program may never "
				"reach the probe");
		return -ENOENT;
	}
	if (ret < 0) {
		error_set(err, -ret, "format/ref_ctr_offset: %s", error_strerror(-ret));
		return error_where(err, "PMU 'uprobe'");
	}
	snprintf(term, sizeof(term), "ref_ctr_offset=0x%" PRIx64, spec->uprobe.ref_ctr_offset);
	return pmu_terms(sys, "uprobe", term, attr, err);
}

static int describe(struct sys *sys, const struct event_spec *spec, const char *function,
		    struct perf_event_attr *attr, struct error *err)
{
	const enum probe_file file = spec->kind == EVENT_KPROBE ? PROBE_KPROBES : PROBE_UPROBES;
	const char *pmu = file == PROBE_KPROBES ? "kprobe" : "uprobe";
	int ret = pmu_type(sys, pmu, &attr->type, err);

	if (ret == -ENOENT)
		ret = no_pmu(sys, file, err);
	if (ret == 0 && spec->ret)
		ret = pmu_terms(sys, pmu, "retprobe=1", attr, err);
	if (ret < 0)
		return ret;
	return file == PROBE_KPROBES ? describe_kprobe(spec, function, attr, err)
				     : describe_uprobe(sys, spec, attr, err);
}

int probe_by_pmu(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		 char function[PROBE_FUNCTION_MAX], struct perf_event_attr *attr, struct error *err)
{
	int ret = probe_target(sys, spec, probes, function, err);

	if (ret == 0)
		ret = describe(sys, spec, function, attr, err);
	if (ret < 0)
		error_where(err, "event '%s'", spec->text);
	return ret;
}
