// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the current mappings of a process from /proc/PID/maps, and its name from /proc/PID/comm. */
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"
#include "loader/objects/symbols/process_files.h"
#include "loader/core/sys/number.h"
#include "loader/core/sys/read.h"

/* A process whose mappings were dropped is read again, but only a limited number of times. */
#define READS_MAX 4u

struct reader {
	struct addresses *a;
	struct process *p;
};

/* Return 1 when the limit for one process is reached. */
static int add_mapping(void *arg, const struct process_mapping *m)
{
	struct reader *r = arg;
	struct file_identity id = { .major = m->major, .minor = m->minor, .inode = m->inode };
	struct mapping mapping = { .start = m->start, .end = m->end, .offset = m->offset };
	bool fits;

	mapping.file = mapped_file_get(r->a, m->path, strlen(m->path), &id);
	fits = process_map(r->a, r->p, &mapping);
	mapped_file_put(r->a, mapping.file);
	return !fits;
}

bool process_read(struct addresses *a, uint32_t pid)
{
	struct reader r = { .a = a, .p = process_find(a, pid) };
	char path[32], comm[64];
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	if (sys_read_text(a->sys, AT_FDCWD, path, comm, sizeof(comm)) < 0)
		return false;
	if (!r.p)
		r.p = process_add(a, pid);
	if (!r.p || r.p->nr_reads == READS_MAX)
		return false;
	r.p->nr_reads++;
	ret = process_each_mapping(a->sys, pid, add_mapping, &r, NULL);
	r.p->waits = ret == -ETIME;
	if (ret < 0)
		return false;
	process_set_comm(a, r.p, comm);
	r.p->is_read = true;
	return true;
}

static int read_one(void *arg, const char *name)
{
	uint64_t pid;

	if (!number_parse(name, strlen(name), &pid) && pid && pid <= INT32_MAX)
		process_read(arg, pid);
	return 0;
}

int processes_read_all(struct addresses *a)
{
	return sys_each_entry(a->sys, AT_FDCWD, "/proc", read_one, a);
}
