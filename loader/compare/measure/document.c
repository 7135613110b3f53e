// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create the document and its events: the kernel, the privileges and the program. */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "loader/compare/measure/compare_internal.h"
#include "loader/base/text/names.h"
#include "loader/events/attach/cells.h"
#include "loader/explain/denied/privilege.h"

static struct json_object *kernel_of(struct sys *sys)
{
	struct json_object *kernel = json_object_new_object();
	char release[128] = "", version[256] = "";
	struct utsname name = { 0 };

	uname(&name);
	sys_read_text(sys, AT_FDCWD, "/proc/sys/kernel/osrelease", release, sizeof(release));
	sys_read_text(sys, AT_FDCWD, "/proc/sys/kernel/version", version, sizeof(version));
	doc_add_text(kernel, "release", release);
	doc_add_text(kernel, "machine", name.machine);
	doc_add_text(kernel, "version", version);
	return kernel;
}

static uint64_t nr_cpus(struct sys *sys)
{
	struct cpu_list cpus = { 0 };
	uint64_t nr = cpu_list_read(sys, "online", &cpus, NULL) < 0 ? 0 : cpus.nr;

	cpu_list_free(&cpus);
	return nr;
}

/* Attaching requires CAP_SYS_ADMIN or, since Linux 5.8, both CAP_BPF and CAP_PERFMON. */
static bool is_privileged(struct sys *sys)
{
	return sys_capable(sys, CAP_SYS_ADMIN) ||
	       (sys_capable(sys, CAP_BPF) && sys_capable(sys, CAP_PERFMON));
}

static struct json_object *program_of(const struct compare_object *object)
{
	struct json_object *o = json_object_new_object();

	doc_add_text(o, "path", object->path);
	doc_add_text(o, "program", object->program);
	doc_add_text(o, "section", object->section);
	doc_add_text(o, "type", sys_prog_type_name(object->prog_type));
	return o;
}

struct json_object *compare_document(struct sys *sys, const struct compare_object *object)
{
	struct json_object *doc = json_object_new_object();

	value_add_string(doc, "type", "compare");
	value_add_uint(doc, "version", 1);
	value_add(doc, "kernel", kernel_of(sys));
	value_add_uint(doc, "cpus", nr_cpus(sys));
	value_add_bool(doc, "privileged", is_privileged(sys));
	if (object)
		value_add(doc, "object", program_of(object));
	else
		value_add_null(doc, "object");
	value_add(doc, "events", json_object_new_array());
	return doc;
}

const char *compare_type_name(const struct event_spec *spec)
{
	switch (spec->kind) {
	case EVENT_HARDWARE:
		return "hardware";
	case EVENT_SOFTWARE:
		return "software";
	case EVENT_CACHE:
		return "cache";
	case EVENT_RAW:
		return "raw";
	case EVENT_TRACEPOINT:
		return "tracepoint";
	case EVENT_BREAKPOINT:
		return "breakpoint";
	case EVENT_PMU:
		return "pmu";
	case EVENT_ALIAS:
		return "alias";
	case EVENT_KPROBE:
		return spec->ret ? "kretprobe" : "kprobe";
	case EVENT_UPROBE:
		return spec->ret ? "uretprobe" : "uprobe";
	case EVENT_USDT:
		break;
	}
	return "usdt";
}

struct json_object *compare_event_new(struct json_object *doc, const struct compare_subject *s)
{
	struct json_object *event = json_object_new_object(),
			   *events = doc_list(doc, "events");
	const bool traced = event_is_tracing(s->spec);
	uint32_t type;

	if (!events || !value_append(events, event))
		return NULL;
	if (doc_add_text(event, "event", s->spec->text) &&
	    doc_add_text(event, "kind", traced ? "traced" : "counted") &&
	    doc_add_text(event, "type", compare_type_name(s->spec)) &&
	    doc_add_text(event, "program", s->object ? s->object->program : "built-in") &&
	    (attach_opens_alike(s->sys, s->spec, &type) ?
		     value_add_uint(event, "same_type", type) : value_add_null(event, "same_type")))
		return event;
	return NULL;
}
