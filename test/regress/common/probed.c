// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of the suite that tests probe, and the lines in tracefs for such probes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/events/probes/probes_internal.h"
#include "loader/objects/symbols/symbols.h"
#include "loader/core/sys/refused.h"
#include "test/cli/probed.h"
#include "test/regress/common/probed.h"
#include "test/regress/harness/regress.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The function must be neither inlined nor cloned, so that the label in it exists only once. */
__attribute__((noinline, noclone, used)) void probed_function(void)
{
	__asm__ volatile("nop\n"
			 "\t.globl probed_second\n"
			 "probed_second:\n"
			 "\tnop\n\tnop\n\tnop" ::
				 : "memory");
}

volatile unsigned short probed_semaphore __attribute__((section(".probes"), used));

__attribute__((noinline, noclone, used)) void probed_usdt(void)
{
	PROBE("pload_test", "here", "probed_semaphore", "4@%0", "r"(7));
}

void probed_getppid(void)
{
	syscall(SYS_getppid);
}

static int find_place(struct sys *sys, struct event_spec *spec, pid_t pid, struct error *err)
{
	struct symbol_locations places;
	struct symbols symbols;
	int ret;

	symbols_init(&symbols, sys, NULL);
	ret = symbols_resolve(&symbols, spec, pid, &places, err);
	if (ret == 0) {
		ret = event_spec_resolve(spec, places.path, places.list[0].file_offset,
					 places.list[0].ref_ctr_offset, err);
		symbol_locations_free(&places);
	}
	symbols_free(&symbols);
	regress_keep_event(spec);
	return ret;
}

int probed_resolve(struct sys *sys, struct event_spec *spec, const char *text, pid_t pid,
		   struct error *err)
{
	int ret = event_parse(spec, text, err);

	if (ret < 0)
		return ret;
	regress_keep_event(spec);
	if (!event_is_probe(spec) || spec->kind == EVENT_KPROBE)
		return 0;
	return find_place(sys, spec, pid, err);
}

bool probed_lacking(const struct error *err)
{
	static const char *const reasons[] = {
		"probe/no-kprobes", "probe/no-uprobes", "probe/no-pmu", "probe/no-ref-ctr",
		"event/no-tracefs", "event/no-sysfs", "attach/link-unsupported",
		"attach/unsupported", "attach/no-capability",
	};

	for (size_t i = 0; err->reason && i < NR(reasons); i++)
		if (!strcmp(err->reason, reasons[i]))
			return true;
	return sys_is_denial(err->reason);
}

struct reading {
	FILE *out;
	const char *part;
	unsigned int nr;
};

static int read_line(void *arg, char *line)
{
	struct reading *r = arg;

	fprintf(r->out, "%s\n", line);
	r->nr += strstr(line, r->part) != NULL;
	return 0;
}

struct probed_lines probed_lines(struct sys *sys, const char *part)
{
	static const char *const files[] = { "kprobe_events", "uprobe_events" };
	struct probed_lines lines = { 0 };
	struct reading r = { .part = part };
	struct tracefs t;
	size_t size;

	r.out = open_memstream(&lines.text, &size);
	for (size_t i = 0; i < NR(files) && tracefs_find(sys, &t, NULL) == 0; i++) {
		int fd = tracefs_openat(sys, &t, files[i], O_RDONLY | O_CLOEXEC);

		if (fd >= 0)
			sys_each_line(sys, fd, read_line, &r);
		sys_close_fd(sys, &fd);
		tracefs_close(sys, &t);
	}
	fclose(r.out);
	lines.nr = r.nr;
	return lines;
}

void probed_forget(struct probed_lines *lines)
{
	free(lines->text);
	*lines = (struct probed_lines){ 0 };
}

unsigned int probed_nr_lines(struct sys *sys, const char *part)
{
	struct probed_lines lines = probed_lines(sys, part);
	const unsigned int nr = lines.nr;

	probed_forget(&lines);
	return nr;
}

/* "p:pload/NAME PATH:OFFSET" */
static bool owner_of(const char *line, struct probe_owner *owner)
{
	const char *at = strstr(line, ":pload/");
	char name[PROBE_NAME_MAX] = "";

	return at && sscanf(at, ":pload/%63s", name) == 1 && probe_owner_of(name, owner);
}

unsigned int probed_nr_lines_of(struct sys *sys, const pid_t *pids, unsigned int nr)
{
	struct probed_lines lines = probed_lines(sys, ":pload/");
	struct probe_owner owner;
	unsigned int found = 0;
	char *line, *at;

	for (at = lines.text; (line = strsep(&at, "\n"));)
		if (owner_of(line, &owner))
			for (unsigned int i = 0; i < nr; i++)
				found += owner.pid == (uint32_t)pids[i];
	probed_forget(&lines);
	return found;
}

int probed_write(struct sys *sys, const char *line)
{
	struct tracefs t;
	int ret = tracefs_find(sys, &t, NULL), fd;

	if (ret < 0)
		return ret;
	ret = fd = tracefs_openat(sys, &t, "uprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd >= 0)
		ret = sys_write(sys, fd, line, strlen(line));
	sys_close_fd(sys, &fd);
	tracefs_close(sys, &t);
	return ret < 0 ? ret : 0;
}
