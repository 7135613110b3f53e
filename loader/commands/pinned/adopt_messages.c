// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The messages "adopted" and "summary" of pload pin adopt. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/commands/pinned/adopt.h"
#include "loader/sessions/rows/results.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* --- links --- */

static struct json_object *link_message(const struct pinned_object *pin,
					const struct inventory_target *target)
{
	struct json_object *link = json_object_new_object();

	value_add_string(link, "name", pin->name);
	value_add_uint(link, "id", pin->id);
	value_add_uint(link, "prog_id", pin->prog_id);
	value_add_string(link, "where", target->unknown ? NULL : target->text);
	value_add_uint(link, "cookie", target->cookie);
	return link;
}

/* Reopen the link, because its information is not kept. Skip a link that has ended. */
static int add_link(struct adopt *a, struct inventory_names *names, const struct pinned_object *pin,
		    struct json_object *list, struct error *err)
{
	struct inventory_target target = { 0 };
	struct inventory_link link;
	int fd = kernel_obj_get(a->s.sys, pin->path), ret;

	if (fd < 0)
		return 0;
	ret = inventory_link_read(a->s.sys, fd, &link);
	if (ret == -ENOMEM) {
		error_set(err, ENOMEM, "no memory for a link");
	} else if (ret) {
		ret = 0;
	} else {
		ret = inventory_target_read(names, &link, &target, err);
		if (!ret)
			value_append(list, link_message(pin, &target));
		inventory_target_free(&target);
		inventory_link_free(&link);
	}
	sys_close_fd(a->s.sys, &fd);
	return ret;
}

static struct json_object *links(struct adopt *a, struct error *err)
{
	struct json_object *list = json_object_new_array();
	struct inventory_names names;
	int ret = 0;

	inventory_names_init(&names, a->s.sys);
	for (uint32_t i = 0; !ret && i < a->session.links.nr; i++)
		ret = add_link(a, &names, &a->session.links.list[i], list, err);
	inventory_names_free(&names);
	if (!ret)
		return list;
	json_object_put(list);
	return NULL;
}

void adopt_print_text(FILE *file, struct json_object *msg)
{
	struct json_object *links = message_get(msg, "links");
	const char *object = message_text(msg, "object");

	message_print_with(file, msg, "adopted ", "dir", "");
	if (object && object[0])
		message_print_with(file, msg, " (", "object", ")");
	fputs(": ", file);
	message_print_count(file, json_object_array_length(links), "link");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "programs"), "program");
	fputs(", ", file);
	message_print_count(file, message_number(msg, "maps"), "map");
	putc('\n', file);
	for (size_t i = 0; i < json_object_array_length(links); i++) {
		struct json_object *link = json_object_array_get_idx(links, i);

		message_print_with(file, link, "  ", "name", " on ");
		if (message_get(link, "where"))
			message_print_member(file, link, "where");
		else
			fputs("(this kernel does not report it)", file);
		if (message_number(link, "cookie"))
			fprintf(file, ", cookie 0x%" PRIx64, message_number(link, "cookie"));
		putc('\n', file);
	}
	if (message_number(msg, "others")) {
		fputs("  and ", file);
		message_print_count(file, message_number(msg, "others"), "pin");
		fputs(" that pload did not create\n", file);
	}
}

int adopt_print(struct adopt *a, struct error *err)
{
	struct json_object *msg = message_new("adopted");

	value_add_string(msg, "dir", a->session.dir);
	value_add_string(msg, "object", a->session.object);
	value_add(msg, "links", links(a, err));
	value_add_uint(msg, "programs", a->session.progs.nr);
	value_add_uint(msg, "maps", a->session.maps.nr);
	value_add_uint(msg, "others", a->session.nr_others);
	return output_message_as(a->s.out, msg, adopt_print_text, err);
}

/* --- summary --- */

static struct json_object *programs(const struct adopt *a)
{
	struct json_object *list = json_object_new_array(), *p;

	for (uint32_t i = 0; i < a->session.progs.nr; i++) {
		const struct kernel_prog *k = &a->in_kernel[i];

		p = json_object_new_object();
		value_add_string(p, "name", a->progs[i].name);
		value_add_count(p, "run_cnt", a->counts, k->run_cnt - a->before[i][0]);
		value_add_count(p, "run_time_ns", a->counts, k->run_time_ns - a->before[i][1]);
		value_add_count(p, "recursion_misses", k->has_misses,
				k->recursion_misses - a->before[i][2]);
		value_append(list, p);
	}
	return list;
}

static int summary(struct adopt *a, struct error *err)
{
	const struct losses losses = { .rings = a->s.rings };
	struct json_object *msg = message_new("summary");

	value_add_null(msg, "attach");
	value_add_string(msg, "adopted", a->session.dir);
	value_add_uint(msg, "duration_ns", a->s.duration_ns);
	value_add(msg, "programs", programs(a));
	value_add_uint(msg, "records", rings_records(a->s.rings));
	if (output_losses(a->s.sys, msg, &losses) && a->s.options->strict)
		a->s.out->status = EXIT_LOSS;
	return output_message_as(a->s.out, msg, session_print_summary, err);
}

int adopt_print_summary(struct adopt *a, struct error *err)
{
	int ret = session_waits(&a->s) ? kernel_count_runs(a->s.sys, &a->kernel, err) : 0;

	if (!ret)
		ret = rings_count_lost(a->s.rings, err);
	for (uint32_t i = 0; !ret && i < a->nr_maps; i++)
		ret = output_maps(a->s.sys, a->s.out, &a->maps[i].kernel, &a->possible, err);
	return ret ? ret : summary(a, err);
}
