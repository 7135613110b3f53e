// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Name the events whose numbers the kernel assigns at boot: PMUs from sysfs, tracepoints from
 * tracefs.
 */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include "loader/base/text/names.h"
#include "loader/observe/watch/facts.h"

static bool has_number(const char *dir, const char *name, const char *file, uint64_t number)
{
	char path[600];
	uint64_t found = 0;
	FILE *in;
	bool same;

	snprintf(path, sizeof(path), "%s/%s/%s", dir, name, file);
	in = fopen(path, "re");
	same = in && fscanf(in, "%" SCNu64, &found) == 1 && found == number;
	if (in)
		fclose(in);
	return same;
}

/* Find the directory in @dir whose @file contains the number. */
static bool find_folder(const char *dir, const char *file, uint64_t number, char name[64])
{
	struct dirent *entry;
	bool found = false;
	DIR *list = opendir(dir);

	while (list && !found && (entry = readdir(list)))
		if (entry->d_name[0] != '.' && has_number(dir, entry->d_name, file, number)) {
			snprintf(name, 64, "%.63s", entry->d_name);
			found = true;
		}
	if (list)
		closedir(list);
	return found;
}

bool event_pmu(uint32_t type, char name[64])
{
	return find_folder("/sys/bus/event_source/devices", "type", type, name);
}

/* "sched:sched_switch", from the directory with that id. */
static void tracepoint_text(uint64_t id, char *to, size_t size)
{
	static const char events[] = "/sys/kernel/tracing/events";
	char dir[400], name[64];
	struct dirent *entry;
	DIR *list = opendir(events);

	snprintf(to, size, "tracepoint %" PRIu64, id);
	while (list && (entry = readdir(list))) {
		snprintf(dir, sizeof(dir), "%s/%s", events, entry->d_name);
		if (entry->d_name[0] == '.' || !find_folder(dir, "id", id, name))
			continue;
		snprintf(to, size, "%s %.40s:%.60s",
			 strstr(entry->d_name, "probes") ? "probe (made by tracefs)" : "tracepoint",
			 entry->d_name, name);
		break;
	}
	if (list)
		closedir(list);
}

void event_text(const struct fact_object *event, char *to, size_t size)
{
	const struct perf_event_attr *attr = &event->attr;
	const char *name = attr->type == PERF_TYPE_SOFTWARE ? sys_perf_sw_name(attr->config) :
			   attr->type == PERF_TYPE_HARDWARE ? sys_perf_hw_name(attr->config) :
							      sys_perf_type_name(attr->type);
	char pmu[64];

	if (attr->type == PERF_TYPE_TRACEPOINT)
		tracepoint_text(attr->config, to, size);
	else if (name)
		snprintf(to, size, "%s", name);
	else if (!event_pmu(attr->type, pmu))
		snprintf(to, size, "an event of PMU type %u", attr->type);
	else if (event->target[0])
		snprintf(to, size, "PMU %s, %s+0x%" PRIx64, pmu, event->target,
			 (uint64_t)attr->config2);
	else
		snprintf(to, size, "PMU %s, config 0x%" PRIx64, pmu, (uint64_t)attr->config);
}

void event_target(struct fact_object *event, pid_t pid)
{
	char pmu[64];

	if (event->attr.type <= PERF_TYPE_BREAKPOINT || !event->attr.config1 ||
	    !event_pmu(event->attr.type, pmu) ||
	    (strcmp(pmu, "kprobe") && strcmp(pmu, "uprobe")))
		return;
	/* The path or function name, truncated at the end of a page. */
	copy_memory(pid, event->attr.config1, event->target, sizeof(event->target) - 1);
	for (char *c = event->target; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
}
