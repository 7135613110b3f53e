// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events as elements of a PERF_EVENT_ARRAY. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/rings/event_slot.h"

int slot_open(struct regress *t, struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const int fd = sys_perf_event_open(t->sys, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd == -ENOENT || fd == -EOPNOTSUPP)
		regress_skip(t, "this machine has no event %u:%llu", attr->type,
			     (unsigned long long)attr->config);
	if (fd == -EPERM || fd == -EACCES)
		regress_skip(t, "no privilege to open events");
	return regress_ok(t, fd, NULL, "perf_event_open");
}

int slot_event(struct regress *t, uint32_t type, uint64_t config, pid_t pid, int cpu, bool disabled)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER0;
	attr.type = type;
	attr.config = config;
	attr.disabled = disabled;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return slot_open(t, &attr, pid, cpu);
}

int slot_put(struct regress *t, const struct carried *c, uint32_t index, int event_fd)
{
	const uint32_t value = event_fd;

	return map_update(t->sys, regress_map(t, &c->h.o, "events"), &index, &value, BPF_ANY);
}

struct slot_count slot_read(struct regress *t, int event_fd)
{
	struct slot_count count = { 0 };

	regress_expect(t, sys_read(t->sys, event_fd, &count, sizeof(count)) == sizeof(count),
		       "the event cannot be read");
	return count;
}

void slot_skip_alone(struct regress *t, const struct carried *c)
{
	if (c->there < 0)
		regress_skip(t, "there is one CPU");
}
