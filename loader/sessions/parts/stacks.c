// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the rows and records with call stacks or addresses, and resolve names while the session
 * runs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses.h"
#include "loader/core/print/message.h"
#include "loader/profile/stacks/profile.h"
#include "loader/profile/stacks/stacks.h"
#include "loader/sessions/parts/parts.h"

static int find_fields(struct session *s, struct error *err)
{
	if (stack_fields_by_tags(&s->load.object, &s->stack_fields, err))
		return error_where(err, "%s", s->load.object.name);
	if (s->stack_fields.gave_up)
		note(s->out, "a program is too large to find all stack fields in its code; "
			     "declare them with the tag stack_id:STACKMAP");
	return 0;
}

/* Rows with only an address are not worth events on every CPU. */
static void watch(struct session *s, bool stacks)
{
	struct error why = { 0 };

	if (!stacks)
		addresses_of_scope(s->addresses, &s->scope);
	else if (!s->options->dry_run && addresses_watch(s->addresses, &s->scope, &why) < 0)
		note(s->out, "addresses of processes that end before the session get no names: %s",
		     why.what);
	error_clear(&why);
}

static int count(void *profile, const struct frame *frames, unsigned int nr, uint64_t weight,
		 struct error *err)
{
	return profile_add(profile, frames, nr, weight, err);
}

static int no_stacks(struct session *s, struct error *err)
{
	error_set(err, EINVAL, "--format=%s draws call stacks, but no row or record has one",
		  s->options->format->name);
	error_reason(err, "output/no-stacks");
	error_hint(err, "pload profile counts call stacks; declare the field with the stack id "
			"with the tag stack_id:STACKMAP");
	return error_where(err, "%s", s->load.object.name);
}

static int begin_stacks(struct session *s, struct error *err)
{
	const bool picture = s->options->format->picture;
	int ret = s->load.stack_fields ? find_fields(s, err) : 0;
	const bool stacks = stack_fields_have_stacks(&s->stack_fields);

	if (!ret && !stacks && picture)
		return no_stacks(s, err);
	if (ret || (!stacks && !stack_fields_have(&s->stack_fields, STACK_FIELD_ADDRESS)))
		return ret;
	s->addresses = addresses_new(s->sys);
	s->stacks = calloc(1, sizeof(*s->stacks));
	s->profile = stacks ? profile_new() : NULL;
	if (!s->addresses || !s->stacks || (stacks && !s->profile))
		return error_set(err, ENOMEM, "no memory for address names");
	watch(s, stacks);
	ret = stacks_init(s->stacks, s->sys, &s->load.kernel, &s->stack_fields,
			  addresses_namer(s->addresses), err);
	if (ret)
		return ret;
	s->stacks->count = stacks ? count : NULL;
	s->stacks->count_arg = s->profile;
	s->out->stacks = s->stacks;
	s->out->of_records = &stacks_of_records;
	s->out->only_stacks = picture || (stacks && s->options->only_profile);
	return 0;
}

static int begin_names(struct session *s, struct error *err)
{
	(void)err;
	if (s->addresses)
		addresses_end_at(s->addresses, session_end_ns(s), s->signal_fd);
	return 0;
}

/* From here on, look up names for a second at most. */
static void names_detached(struct session *s)
{
	if (s->addresses)
		addresses_end(s->addresses);
}

/* An empty picture is valid, and looks as if nothing were wrong. */
static void note_empty(struct session *s)
{
	const struct kernel_object *k = &s->load.kernel;
	uint64_t runs = 0;

	for (uint32_t i = 0; i < k->object->nr_progs; i++)
		runs += k->progs[i].run_cnt;
	if (k->stats_fd >= 0 && !runs)
		note(s->out, "the profile is empty: no program ran");
	else if (k->stats_fd >= 0)
		note(s->out, "the profile is empty: programs ran %llu times, but no row or record "
			     "has a stack", (unsigned long long)runs);
	else
		note(s->out, "the profile is empty: no row or record has a stack");
}

/*
 * "ls -l (profile.bpf.o: cpu-clock, attached by ioctl)": the command, if there is one, is
 * truncated.
 */
static void title_text(const struct session *s, char *buf, size_t size)
{
	const struct plan_entry *entry = s->plan.nr ? &s->plan.list[0] : NULL;
	const bool has_event = entry && !entry->target, has_command = s->child.started;
	const char *object = s->load.object.name, *slash = strrchr(object, '/');
	size_t len = 0;

	for (char *const *arg = s->child.argv; has_command && *arg && len < 200; arg++)
		len += snprintf(buf + len, 200, arg == s->child.argv ? "%.100s" : " %.100s", *arg);
	snprintf(buf + len, size - len, "%s%.200s%s%.200s, attached by %s%s",
		 has_command ? " (" : "", slash ? slash + 1 : object, has_event ? ": " : "",
		 has_event ? entry->spec.text : "", s->options->method->name,
		 has_command ? ")" : "");
}

static int report_stacks(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	const struct losses losses = session_losses(s);
	char title[1024];
	struct profile_about about = {
		.title = title, .unit = "samples", .duration_ns = s->duration_ns,
		.period_ns = o->freq ? 1000000000 / o->freq : 0,
	};
	int ret;

	if (!s->profile)
		return 0;
	about.lost = output_lost_samples(s->sys, &losses);
	if (s->out->only_stacks && !profile_weight(s->profile))
		note_empty(s);
	title_text(s, title, sizeof(title));
	ret = output_write(s->out, "", 0, err);	/* includes the version, if this is the first
						 * message */
	if (!ret)
		ret = profile_print(profile_format_find(o->format->name), s->out->file, s->profile,
				    &about, err);
	return ret ? ret : output_flush(s->out, err);
}

int session_stacks_of_records(struct session *s, uint32_t map, uint32_t type, struct error *err)
{
	const uint32_t types[3] = { [STACK_FIELD_RECORD] = type };
	int ret;

	if (!stacks_has(s->stacks, map))
		return 0;
	ret = stacks_begin(s->stacks, map, types, err);
	return ret || s->out->only_stacks ?
		       ret : output_message_as(s->out, stacks_describe(s->stacks, map),
					 stacks_print_fields, err);
}

static int names_fd(const struct session *s)
{
	return s->addresses ? addresses_fd(s->addresses) : -1;
}

/* Track processes that map files or end. */
static int read_names(struct session *s, bool ready, struct error *err)
{
	(void)err;
	if (ready)
		addresses_read(s->addresses);
	return 0;
}

static void losses_of_stacks(const struct session *s, struct losses *losses)
{
	losses->stacks = s->stacks;
}

static void end_stacks(struct session *s)
{
	s->out->stacks = NULL;
	stacks_free(s->stacks);
	free(s->stacks);
	profile_free(s->profile);
	stack_fields_free(&s->stack_fields);
	if (s->addresses)
		addresses_free(s->addresses);
}

const struct session_part part_stacks = {
	.at = { [STAGE_LOADED] = begin_stacks, [STAGE_REPORT] = report_stacks },
	.lost = losses_of_stacks, .end = end_stacks,
};

const struct session_part part_names = {
	.at = { [STAGE_BEGUN] = begin_names },
	.fd = names_fd, .read = read_names, .detached = names_detached,
};
