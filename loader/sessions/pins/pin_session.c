// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --pin: pin the links, programs and maps of a session, so that it outlives pload. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/pins/pin_files.h"
#include "loader/core/session/part.h"
#include "loader/core/print/stop_signals.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/core/sys/read.h"

/* Maximum length of each part of a link's name; together they are shorter than NAME_MAX. */
#define PART_MAX 96

/* The options for pload pin adopt plus the object's path are shorter than PATH_MAX. */
#define OPTIONS_MAX 3072

void session_pins_remember(struct session_pins *pins, const char *option, const char *map,
			   const char *value)
{
	char *text;
	int n;

	if (!map[0] || !value[0] || strpbrk(map, " \t\n") || strpbrk(value, " \t\n"))
		return;
	n = asprintf(&text, "%s --%s=%s:%s", pins->text ? pins->text : "", option, map, value);
	if (n < 0)
		return;
	if (n < OPTIONS_MAX) {
		free(pins->text);
		pins->text = text;
	} else {
		free(text);
	}
}

static void end_pins(struct session *s)
{
	free(s->pins.dir);
	free(s->pins.text);
	s->pins = (struct session_pins){ 0 };
}

/* --- checks before anything is loaded --- */

static int find_any(void *name, const char *entry)
{
	snprintf(name, NAME_MAX + 1, "%s", entry);
	return 1;
}

static int check_empty(struct sys *sys, const char *dir, struct error *err)
{
	char name[NAME_MAX + 1];
	int ret = sys_each_entry(sys, AT_FDCWD, dir, find_any, name);

	if (ret == -ENOENT || !ret)
		return 0;
	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "pin/refused");
		if (ret == -ENOTDIR)
			error_hint(err, "--pin requires a directory in bpffs that is empty or "
					"does not exist");
	} else {
		ret = error_set(err, EEXIST, "it contains '%s', but must be empty", name);
		error_reason(err, "pin/exists");
		error_hint(err, "to continue a session pinned there, use pload pin adopt %.128s; "
				"to end it, pload pin remove %.128s",
			   dir, dir);
	}
	error_where(err, "--pin=%s", dir);
	return ret;
}

/* A struct in SEC(".struct_ops") has no link to pin; one in ".struct_ops.link" does. */
static int check_structs(const struct session *s, struct error *err)
{
	bool any = false;

	for (uint32_t i = 0; i < s->plan.nr; i++)
		any |= s->plan.list[i].target && s->plan.list[i].target->kind == TARGET_STRUCT_OPS;
	for (uint32_t i = 0; any && i < s->load.object.nr_maps; i++) {
		const struct object_map *map = &s->load.object.maps[i];

		if (map->kind != OBJECT_MAP_STRUCT_OPS || map->optional ||
		    map->map_flags & BPF_F_LINK)
			continue;
		error_set(err, EINVAL, "struct '%s' has no link that could be pinned",
			  map->name);
		error_reason(err, "pin/no-link");
		error_hint(err, "use SEC(\".struct_ops.link\") (Linux 6.4)");
		return error_where(err, "%s", s->load.object.name);
	}
	return 0;
}

/*
 * Check that there will be links, and that the directory is suitable and empty or does not exist.
 */
static int check_pins(struct session *s, struct error *err)
{
	size_t n = s->options->pin ? strlen(s->options->pin) : 0;
	int ret = s->options->pin ? check_structs(s, err) : 0;

	if (!s->options->pin)
		return 0;
	if (!ret && n >= PATH_MAX) {
		error_set(err, ENAMETOOLONG, "%s", error_strerror(ENAMETOOLONG));
		ret = error_reason(err, "pin/name");
		error_where(err, "--pin");
	}
	if (ret)
		return ret;
	while (n > 1 && s->options->pin[n - 1] == '/')
		n--;
	s->pins.dir = strndup(s->options->pin, n);
	if (!s->pins.dir)
		return error_set(err, ENOMEM, "no memory for the path of --pin");
	ret = pins_check(s->sys, s->pins.dir, err);
	return ret ? ret : check_empty(s->sys, s->pins.dir, err);
}

/* --- names --- */

/* The program name, plus the event if the program has several. */
static void entry_name(const struct session *s, uint32_t i, char *out, size_t size)
{
	const struct plan_entry *entry = &s->plan.list[i];
	char prog[PART_MAX], event[PART_MAX];
	bool several = false;

	if (entry->target && entry->target->kind == TARGET_STRUCT_OPS) {
		snprintf(out, size, "struct_ops");
		return;
	}
	for (uint32_t k = 0; k < s->plan.nr; k++)
		several |= k != i && !s->plan.list[k].dropped &&
			   s->plan.list[k].prog == entry->prog;
	pins_name(prog, sizeof(prog), s->load.object.progs[entry->prog].name);
	pins_name(event, sizeof(event), entry->target ? "" : entry->spec.text);
	snprintf(out, size, several && event[0] ? "%s-%s" : "%s", prog, event);
}

/*
 * Name the link of @a after its program, event, task and CPU. pins_name() may give two events the
 * same name, so add a number to make it unique.
 */
static void link_name(const struct session *s, const struct attachment *a, char *out, size_t size)
{
	const struct plan_entry *entry = &s->plan.list[a->prog];
	char cgroup[PART_MAX];
	unsigned int same = 1;
	size_t n;

	entry_name(s, a->prog, out, size);
	for (uint32_t k = 0; k < a->prog; k++) {
		char other[NAME_MAX];

		entry_name(s, k, other, sizeof(other));
		same += !strcmp(out, other);
	}
	n = strlen(out);
	if (same > 1)
		n += snprintf(out + n, size - n, "-%u", same);
	if (entry->target || event_is_tracing(&entry->spec))
		return;	/* its program runs for every task on every CPU */
	if (a->target.tid >= 0)
		n += snprintf(out + n, size - n, "-tid%d", a->target.tid);
	if (a->target.cgroup) {
		pins_name(cgroup, sizeof(cgroup), a->target.cgroup->name);
		n += snprintf(out + n, size - n, "-cgroup-%s", cgroup);
	}
	if (a->target.cpu >= 0)
		snprintf(out + n, size - n, "-cpu%d", a->target.cpu);
}

/* --- the plan --- */

static int plan_maps(struct session *s, struct pins *pins, struct error *err)
{
	const struct loading *l = &s->load;
	char file[NAME_MAX];
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->object.nr_maps; i++) {
		if (l->kernel.maps[i].fd < 0 || !l->object.maps[i].section)
			continue;
		pins_name(file, sizeof(file), l->object.maps[i].name);
		ret = pins_add(pins, (struct pin){ .kind = "map", .name = l->object.maps[i].name,
						   .fd = l->kernel.maps[i].fd },
			       err, "%s/maps/%s", s->pins.dir, file);
		s->pins.nr_maps += !ret;
	}
	return ret;
}

static int plan_progs(struct session *s, struct pins *pins, struct error *err)
{
	const struct loading *l = &s->load;
	char file[NAME_MAX];
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->object.nr_progs; i++) {
		if (l->kernel.progs[i].fd < 0)
			continue;
		pins_name(file, sizeof(file), l->object.progs[i].name);
		ret = pins_add(pins, (struct pin){ .kind = "prog", .name = l->object.progs[i].name,
						   .fd = l->kernel.progs[i].fd },
			       err, "%s/progs/%s", s->pins.dir, file);
		s->pins.nr_progs += !ret;
	}
	return ret;
}

static int plan_link(struct session *s, const struct attachment *a, unsigned int *structs,
		     struct pins *pins, struct error *err)
{
	const struct plan_entry *entry = &s->plan.list[a->prog];
	const char *prog = s->load.object.progs[entry->prog].name;
	char file[NAME_MAX];
	size_t n;

	if (a->link_fd < 0) {
		error_set(err, ENOTSUP, "it is bound without a link and ends with pload");
		error_reason(err, "pin/no-link");
		error_hint(err, "leave out --pin, or exclude the program with --prog");
		return error_where(err, "prog '%s'", prog);
	}
	link_name(s, a, file, sizeof(file));
	n = strlen(file);
	if (entry->target && entry->target->kind == TARGET_STRUCT_OPS && (*structs)++)
		snprintf(file + n, sizeof(file) - n, "-%u", *structs);
	return pins_add(pins, (struct pin){ .kind = "link of prog", .name = prog,
					    .fd = a->link_fd },
			err, "%s/links/%s", s->pins.dir, file);
}

static int plan_links(struct session *s, struct pins *pins, struct error *err)
{
	unsigned int structs = 0;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < s->attachments.nr; i++) {
		ret = plan_link(s, &s->attachments.list[i], &structs, pins, err);
		s->pins.nr_links += !ret;
	}
	return ret;
}

/* Pin links, programs and maps, all or none. */
static int create_pins(struct session *s, struct error *err)
{
	const char *dir = s->pins.dir;
	struct pins pins = { .sys = s->sys };
	char mark[PATH_MAX];
	int ret;

	if (!dir)
		return 0;
	if (stop_signal_came(s->sys, s->signal_fd)) {
		error_set(err, ECANCELED, "interrupted: nothing is pinned");
		error_reason(err, "pload/interrupted");
		error_hint(err, "run it again");
		return error_where(err, "--pin=%s", dir);
	}
	snprintf(mark, sizeof(mark), SESSION_PINS_VERSION "%s" SESSION_PINS_OBJECT "%.900s",
		 s->pins.text ? s->pins.text : "", s->load.object.name);
	ret = pins_add(&pins, (struct pin){ .kind = "mark", .name = "pload", .fd = -1,
					    .text = mark },
		       err, "%s/" SESSION_PINS_MARK, dir);
	if (!ret)
		ret = plan_maps(s, &pins, err);
	if (!ret)
		ret = plan_progs(s, &pins, err);
	if (!ret)
		ret = plan_links(s, &pins, err);
	if (!ret)
		ret = pins_make(&pins, err);
	s->pins.is_made = !ret;
	if (ret) {
		error_where(err, "--pin=%s", dir);
		error_where(err, "%s", s->load.object.name);
	}
	pins_free(&pins);
	return ret;
}

int session_pins_replace(struct session *s, unsigned int from, struct error *err)
{
	struct pins pins = { .sys = s->sys };
	int ret = 0;

	for (unsigned int i = from; !ret && s->pins.is_made && i < s->attachments.nr; i++)
		ret = plan_link(s, &s->attachments.list[i], &(unsigned int){ 0 }, &pins, err);
	for (uint32_t i = 0; !ret && i < pins.nr; i++)	/* the link of the closed event */
		sys_unlinkat(s->sys, pins.list[i].path);
	if (!ret)
		ret = pins_make(&pins, err);
	pins_free(&pins);
	return ret;
}

/* Events in maps still end with pload. */
static int note_events(struct session *s, struct error *err)
{
	const struct loading *l = &s->load;

	(void)err;
	for (uint32_t i = 0; s->pins.is_made && i < l->object.nr_maps; i++) {
		if (l->kernel.maps[i].fd < 0 ||
		    l->object.maps[i].type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		note(s->out,
		     "map '%s': its %s end with pload; programs have none until pload pin adopt %s",
		     l->object.maps[i].name, l->usage[i].read ? "counters" : "rings", s->pins.dir);
	}
	return 0;
}

void session_print_pinned(FILE *file, struct json_object *msg)
{
	message_print_with(file, msg, "pinned in ", "dir", ": ");
	message_print_count(file, message_number(msg, "links"), "link");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "programs"), "program");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "maps"), "map");
	putc('\n', file);
}

/* From here on, maps that the object pins by name stay. Print the "pinned" message of --pin. */
static int report_pins(struct session *s, struct error *err)
{
	struct json_object *msg;

	if (s->load.kernel.object)
		kernel_keep_pins(&s->load.kernel);
	if (!s->pins.dir)
		return 0;
	msg = message_new("pinned");
	value_add_string(msg, "dir", s->pins.dir);
	value_add_uint(msg, "links", s->pins.nr_links);
	value_add_uint(msg, "programs", s->pins.nr_progs);
	value_add_uint(msg, "maps", s->pins.nr_maps);
	return output_message_as(s->out, msg, session_print_pinned, err);
}

const struct session_part part_pins = {
	.at = { [STAGE_PLANNED] = check_pins, [STAGE_ENABLED] = create_pins,
		[STAGE_READY] = report_pins, [STAGE_PRINTED] = note_events },
	.end = end_pins,
};
