// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choose the rings, counters and record types of an adopted session, and check for readers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/records/record_writer.h"
#include "loader/commands/pinned/adopt.h"
#include "loader/core/print/record.h"
#include "loader/sessions/parts/parts.h"

/* --- options and mark --- */

/* Return REST of "MAP:REST", or NULL for another map. @bare: text without ':' fits every map. */
static const char *rest_for(const char *text, size_t size, const char *map, bool bare)
{
	const char *colon = memchr(text, ':', size);
	const size_t len = colon ? (size_t)(colon - text) : 0;

	if (!colon)
		return bare ? text : NULL;
	return strlen(map) == len && !memcmp(map, text, len) ? colon + 1 : NULL;
}

/* Return the last text of @list that names @map. @used: one bit for each text that fits. */
static const char *from_options(const struct option_list *list, const char *map, bool bare,
				uint32_t *used)
{
	const char *found = NULL;

	for (unsigned int i = 0; i < list->nr; i++) {
		const char *rest = rest_for(list->text[i], strlen(list->text[i]), map, bare);

		if (!rest)
			continue;
		found = rest;
		*used |= 1u << i;
	}
	return found;
}

/* Copy REST of @option and @map from " --record=MAP:TYPE --counter=MAP:EVENT" in the mark. */
static const char *from_mark(const char *mark, const char *option, const char *map, char *out,
			     size_t size)
{
	const size_t len = strlen(option);
	const char *rest;

	for (const char *word = mark; *word; word += strcspn(word, " ")) {
		size_t n;

		word += strspn(word, " ");
		n = strcspn(word, " ");
		if (n <= len || memcmp(word, option, len))
			continue;
		rest = rest_for(word + len, n - len, map, false);
		if (!rest)
			continue;
		snprintf(out, size, "%.*s", (int)(word + n - rest), rest);
		return out;
	}
	return NULL;
}

/* The texts of --counter and --record that fit some map. */
struct used {
	uint32_t counters, records;
};

static int check_used(const struct option_list *list, uint32_t used, const char *option,
		      const char *hint, struct error *err)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		if (used & 1u << i)
			continue;
		error_set(err, EINVAL, "no map that is pinned there has that name and is for it");
		error_hint(err, "%s", hint);
		return error_where(err, "%s=%s", option, list->text[i]);
	}
	return 0;
}

/* --- rings --- */

static int record_format(struct adopt *a, const struct adopted_map *m, const char *type,
			 struct record_format *format, struct error *err)
{
	struct bpf_object of_progs = m->object;
	const struct map_usage usage = { 0 };
	const struct record_source source = { .obj = &of_progs, .usage = &usage,
					      .type_name = type };
	const struct adopted_btf *btf;
	char why_hex[256];
	int ret = adopt_btf(a, a->prog_btf, &btf, err);

	if (ret)
		return ret;
	/* The BTF of a ring does not describe its records; the BTF of the programs does. */
	of_progs.has_btf = btf->has;
	of_progs.btf = btf->btf;
	ret = record_format_init(format, &source, why_hex, sizeof(why_hex), err);
	format->btf = btf->has ? &btf->btf : NULL;
	if (!ret && !type)
		note(a->s.out,
		     "map '%s': its records are shown as hex: --record=%s:TYPE names their type",
		     m->map.name, m->map.name);
	return ret;
}

static int add_ring(struct adopt *a, const struct adopted_map *m, const struct cpu_list *online,
		    struct used *used, struct error *err)
{
	const char *type = from_options(&a->s.options->records, m->map.name, true, &used->records);
	struct ring_map to = { .name = m->map.name, .fd = m->in_kernel.fd };
	struct record_format format;
	char text[256];
	int ret;

	if (!type)
		type = from_mark(a->session.mark, "--record=", m->map.name, text, sizeof(text));
	ret = record_format(a, m, type, &format, err);
	if (ret)
		return ret;
	ret = writing_printer(&to.sink, a->s.out, &format, err);
	if (ret)
		return ret;
	if (m->map.type == BPF_MAP_TYPE_RINGBUF)
		return rings_add_ringbuf(a->s.rings, &to, m->map.max_entries,
					 m->in_kernel.map_flags, err);
	note(a->s.out,
	     "map '%s': its rings ended with the pload that had opened them; records from now on "
	     "go into new ones", m->map.name);
	return rings_add_perf(a->s.rings, &to, online, a->s.options->ring_pages, err);
}

static int add_map(struct adopt *a, const struct adopted_map *m, const struct cpu_list *online,
		   struct used *used, struct error *err)
{
	const char *counter = NULL;
	char text[1024];

	if (m->map.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		counter = from_options(&a->s.options->counters, m->map.name, false,
				       &used->counters);
		if (!counter)
			counter = from_mark(a->session.mark, "--counter=", m->map.name, text,
					    sizeof(text));
	}
	if (counter)
		return session_open_counters(&a->s, counter, &m->in_kernel, online, err);
	return add_ring(a, m, online, used, err);
}

/* --- other readers --- */

static bool is_ring(const struct adopted_map *m)
{
	return m->map.type == BPF_MAP_TYPE_RINGBUF ||
	       m->map.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

/*
 * A second reader would steal records from the first, and its events in a map would replace those
 * of the first. A process that may not inspect others continues without this check.
 */
static int look_for_holders(struct adopt *a, struct error *err)
{
	struct inventory others = { .sys = a->s.sys };
	int ret = inventory_read_holders(&others, err);

	for (uint32_t i = 0; !ret && i < a->nr_maps; i++) {
		for (uint32_t h = 0; !ret && h < others.nr_holders; h++) {
			const struct inventory_holder *who = &others.holders[h];

			if (!is_ring(&a->maps[i]) || who->kind != INVENTORY_MAP ||
			    who->id != a->maps[i].id)
				continue;
			error_set(err, EBUSY, "%s[%d] has it open, and it can have only one reader",
				  who->comm, who->pid);
			error_reason(err, "adopt/busy");
			error_hint(err, "end that process first: the links stay");
			ret = error_where(err, "map '%s'", a->maps[i].map.name);
		}
	}
	inventory_free(&others);
	return ret;
}

#define LOOKS 5
#define PAUSE_MS 40

/* Try again: a process that lists all maps, such as bpftool, has each open for a moment. */
static int check_free(struct adopt *a, struct error *err)
{
	int ret = look_for_holders(a, err);

	for (int i = 1; ret == -EBUSY && i < LOOKS; i++) {
		error_clear(err);
		sys_poll(a->s.sys, NULL, 0, PAUSE_MS);
		ret = look_for_holders(a, err);
	}
	return ret;
}

int adopt_listen(struct adopt *a, struct error *err)
{
	struct cpu_list online = { 0 };
	struct used used = { 0 };
	bool any = false;
	int ret = 0;

	a->s.rings = rings_new(a->s.sys);
	if (!a->s.rings)
		return error_set(err, ENOMEM, "no memory for rings");
	rings_set_fd_limit(a->s.rings, &a->s.attachments.room);
	a->s.counters.room = &a->s.attachments.room;
	for (uint32_t i = 0; i < a->nr_maps; i++)
		any |= is_ring(&a->maps[i]);
	if (any)
		ret = check_free(a, err);
	if (any && !ret)
		ret = cpu_list_read(a->s.sys, "online", &online, err);
	for (uint32_t i = 0; !ret && i < a->nr_maps; i++) {
		if (!is_ring(&a->maps[i]))
			continue;
		ret = add_map(a, &a->maps[i], &online, &used, err);
		if (ret)
			error_where(err, "map '%s'", a->maps[i].map.name);
	}
	cpu_list_free(&online);
	loading_note_fd_limit(a->s.out, &a->s.attachments.room);
	if (!ret)
		ret = check_used(&a->s.options->counters, used.counters, "--counter",
				 "--counter=MAP:EVENT names a map of perf events", err);
	if (!ret)
		ret = check_used(&a->s.options->records, used.records, "--record",
				 "--record=[MAP:]TYPE names a ring", err);
	return ret;
}
