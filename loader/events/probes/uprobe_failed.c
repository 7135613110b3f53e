// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find out why the kernel refused a uprobe: check its file and its location there. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/probes/probes_internal.h"

static bool no_file(const struct probe_failure *f, int code, struct error *err)
{
	probe_cause(f, err, "probe/no-file", "'%s' cannot be opened: %s", f->spec->uprobe.path,
		    error_strerror(code));
	error_hint(err, "find files of other mount namespaces below /proc/PID/root");
	return true;
}

static bool failed_location(const struct probe_failure *f, uint64_t size, struct error *err)
{
	if (f->code != EINVAL)
		return false;
	if (f->spec->uprobe.file_offset >= size) {
		probe_cause(f, err, "probe/beyond-end",
			    "offset 0x%" PRIx64
			    " is past the end of the file of 0x%" PRIx64 " bytes",
			    f->spec->uprobe.file_offset, size);
		error_hint(err, "an address is not a file offset: readelf -l shows its segment");
		return true;
	}
	/*
	 * kernel/events/uprobes.c: a reference counter is a short, and all uprobes at a location
	 * share it.
	 */
	if (f->spec->uprobe.ref_ctr_offset % 2) {
		probe_cause(f, err, "probe/ref-ctr",
			    "the reference counter at 0x%" PRIx64 " is not aligned to 2 bytes",
			    f->spec->uprobe.ref_ctr_offset);
		return true;
	}
	/* The kernel may instead have refused the sampling frequency. */
	if (f->attr && f->attr->freq)
		return false;
	probe_cause(f, err, "probe/ref-ctr",
		    "another probe at this offset may have a different reference counter, or none");
	error_hint(err, "all probes at an offset must have the same one: stop other tracers");
	return true;
}

static bool failed_file(const struct probe_failure *f, struct error *err)
{
	int fd = sys_openat(f->sys, AT_FDCWD, f->spec->uprobe.path, O_PATH | O_CLOEXEC), ret;
	struct stat st;

	if (fd < 0)
		return no_file(f, -fd, err);
	ret = sys_fstat(f->sys, fd, &st);
	sys_close(f->sys, fd);
	if (ret < 0)
		return false;
	if (!S_ISREG(st.st_mode)) {
		probe_cause(f, err, "probe/not-regular", "'%s' is not a regular file",
			    f->spec->uprobe.path);
		error_hint(err, "a uprobe must be in the code of a program or library");
		return true;
	}
	return failed_location(f, st.st_size, err);
}

/*
 * Errors of kernel/events/uprobes.c once the file is found. Only the errno hints at the cause, so
 * each message says what it may be.
 */
static const struct {
	int code;
	const char *reason, *what, *hint;
} causes[] = {
	{ EIO, "probe/filesystem",
	  "its file system may be unable to read single pages of code, as uprobes require",
	  "copy the program to another file system" },
	{ ENOEXEC, "probe/instruction",
	  "the offset may be in the middle of an instruction, or in data",
	  "objdump -d shows where instructions start" },
	{ KERNEL_ENOTSUPP, "probe/instruction",
	  "uprobes may be unable to replace the instruction there",
	  "probe the next instruction, or a caller of the function" },
};

bool probe_failed_file(const struct probe_failure *f, struct error *err)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (causes[i].code != f->code)
			continue;
		probe_cause(f, err, causes[i].reason, "%s", causes[i].what);
		error_hint(err, "%s", causes[i].hint);
		return true;
	}
	if (f->code != EINVAL && f->code != ENOENT && f->code != ENOTDIR && f->code != ELOOP &&
	    f->code != ENAMETOOLONG)
		return false;
	return failed_file(f, err);
}
