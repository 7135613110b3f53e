// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load an object: from its path to maps and programs in the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/load.h"
#include "loader/core/session/plan.h"
#include "loader/core/sys/read.h"

/* Return the hooks of a feature; an empty set if it has none. */
static const struct load_feature *hooks_of(const struct feature *feature)
{
	static const struct load_feature none = { .check = NULL };

	return feature->load ? feature->load : &none;
}

static int visit_features(struct loading *l, enum loading_stage stage, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->at[stage])
			ret = hooks_of(f)->at[stage](l, err);
	return ret;
}

/* A limit that no real BPF object reaches. */
#define OBJECT_SIZE_MAX (256u << 20)

static int open_object(struct loading *l, struct error *err)
{
	const int ret = file_open(&l->file, l->sys, l->path, OBJECT_SIZE_MAX, err);
	const bool no_file = (ret == -EISDIR || ret == -EINVAL) && sys_is_no_file(l->sys, l->path);

	if (ret == -ENOENT)
		error_hint(err, "pload needs the path of a BPF object, such as ip_count.bpf.o");
	else if (no_file)
		error_hint(
			err, "pload reads objects only from regular files: copy it into one");
	else if (ret == -EACCES || ret == -EPERM)
		error_hint(err, "cannot open the file for reading");
	if (!ret)
		return 0;
	error_reason_default(err, no_file ? "object/not-a-file" :
				  ret == -EFBIG ? "object/too-large" : "object/no-file");
	return error_where(err, "%s", l->path);
}

static int hint_damaged(struct error *err)
{
	if ((err->code == -EBADMSG || err->code == -ENOEXEC) && !err->hint[0])
		error_hint(err, "the file is damaged, or its compiler or linker has a bug: "
				"rebuild it");
	return err->code;
}

/* Parse the object and apply the options that change it. Nothing is loaded into the kernel yet. */
static int parse_object(struct loading *l, struct error *err)
{
	int ret = bpf_object_read(&l->object, l->path, &l->file.source, err);

	file_done(&l->file);
	if (!ret)
		ret = bpf_object_check_native(&l->object, err);
	if (ret < 0)
		error_reason_default(err, "object/elf");
	if (ret < 0)
		return hint_damaged(err);
	return visit_features(l, LOADING_PARSED, err);
}

void loading_types_init(struct loading_types *types, struct sys *sys, const struct load_options *o)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->open_types)
			hooks_of(f)->open_types(types, sys, o);
}

int loading_check_files(struct loading_types *types, const struct load_options *o,
			struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->check)
			ret = hooks_of(f)->check(types, o, err);
	return ret;
}

void loading_types_free(struct loading_types *types)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->close_types)
			hooks_of(f)->close_types(types);
}

/* --prog accepts names and patterns: a function name never contains '*'. */
static bool is_wanted(const struct option_list *names, const struct object_prog *prog)
{
	for (unsigned int i = 0; i < names->nr; i++)
		if (!fnmatch(names->text[i], prog->name, 0))
			return true;
	return !names->nr && !prog->optional;
}

static int no_program(const struct loading *l, const char *name, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME];
	const struct bpf_object *obj = &l->object;
	struct nearest near;

	nearest_init(&near, name);
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		nearest_offer(&near, obj->progs[i].name);
	error_set(err, ENOENT, "the object has no such program");
	error_reason(err, "object/no-program");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else if (obj->nr_progs)
		error_hint(err, "its first program is '%s' in section \"%s\"", obj->progs[0].name,
			   obj->progs[0].section);
	error_where(err, "--prog=%s", name);
	return error_where(err, "%s", l->path);
}

static int choose_programs(struct loading *l, struct error *err)
{
	const struct option_list *names = &l->options->progs;
	const struct bpf_object *obj = &l->object;

	l->wanted = calloc(obj->nr_progs + 1, sizeof(*l->wanted));
	if (!l->wanted)
		return error_set(err, ENOMEM, "no memory for %u programs", obj->nr_progs);
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		l->wanted[i] = is_wanted(names, &obj->progs[i]);
	for (unsigned int i = 0; i < names->nr; i++) {
		uint32_t p = 0;

		while (p < obj->nr_progs && fnmatch(names->text[i], obj->progs[p].name, 0))
			p++;
		if (p == obj->nr_progs)
			return no_program(l, names->text[i], err);
	}
	return 0;
}

int loading_check_target(struct loading *l, uint32_t prog, struct error *err)
{
	int ret = object_check_kind(&l->object.progs[prog], err);

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->check_target)
			ret = hooks_of(f)->check_target(l, prog, err);
	return ret;
}

int loading_begin(struct loading *l, struct sys *sys, struct output *out,
		  const struct load_options *o, struct loading_types *types, const char *path,
		  struct error *err)
{
	int ret;

	*l = (struct loading){
		.sys = sys, .out = out, .options = o, .types = types, .path = path,
	};
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->begin)
			hooks_of(f)->begin(l);
	ret = open_object(l, err);
	if (!ret)
		ret = parse_object(l, err);
	return ret ? ret : choose_programs(l, err);
}

static bool needs_possible_cpus(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		switch (obj->maps[i].type) {
		case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
			if (!obj->maps[i].max_entries)
				return true;
			break;
		case BPF_MAP_TYPE_PERCPU_HASH:
		case BPF_MAP_TYPE_PERCPU_ARRAY:
		case BPF_MAP_TYPE_LRU_PERCPU_HASH:
		case BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE:
			return true;
		}
	}
	return false;
}

/* Return the highest possible CPU number + 1; 0 if no map needs it. */
static unsigned int nr_cpus_of(const struct loading *l)
{
	return l->possible.nr ? l->possible.cpus[l->possible.nr - 1] + 1 : 0;
}

/* Print a note for each ring size that was rounded up. An already pinned map keeps its size. */
static void note_sizes(const struct loading *l)
{
	for (uint32_t i = 0; i < l->object.nr_maps; i++) {
		const struct object_map *map = &l->object.maps[i];
		const struct kernel_map *as = &l->kernel.maps[i];

		if (as->fd < 0 || as->reused || !map->max_entries ||
		    map->max_entries == as->max_entries)
			continue;
		note(l->out,
		     "map '%s': max_entries rounded to %u from %u: a power of two, in whole pages",
		     map->name, as->max_entries, map->max_entries);
	}
}

/*
 * The verifier rejects programs that use such a number, e.g. from a table of strings, as a pointer.
 */
static void note_addresses(const struct loading *l)
{
	for (uint32_t i = 0; i < l->object.nr_maps; i++) {
		const struct object_map *map = &l->object.maps[i];

		if (map->nr_addresses && l->kernel.maps[i].fd >= 0)
			note(l->out,
			     "section '%s': %u words should be addresses, which BPF data cannot "
			     "hold: programs see the number in the object file",
			     map->name, map->nr_addresses);
	}
}

int loading_maps(struct loading *l, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	int ret = 0;

	l->usage = calloc(obj->nr_maps + 1, sizeof(*l->usage));
	l->map_fds = calloc(obj->nr_maps + 1, sizeof(*l->map_fds));
	if (!l->usage || !l->map_fds)
		return error_set(err, ENOMEM, "no memory for %u maps", obj->nr_maps);
	if (needs_possible_cpus(obj))
		ret = cpu_list_read(l->sys, "possible", &l->possible, err);
	if (ret < 0)
		return ret;
	ret = visit_features(l, LOADING_MAPS, err);
	if (ret < 0)
		return error_where(err, "%s", obj->name);
	ret = kernel_load_maps(l->sys, obj,
			       &(struct map_options){ .nr_possible_cpus = nr_cpus_of(l),
						      .pin_dir = l->options->pin_path,
						      .ops = l->ops.maps },
			       &l->kernel, err);
	if (ret < 0)
		error_where(err, "%s", obj->name);
	else
		kernel_map_fds(&l->kernel, &l->object, l->map_fds);
	if (!ret) {
		note_sizes(l);
		note_addresses(l);
	}
	return ret;
}

/*
 * Each program is linked with every function it calls, so a small object can require thousands of
 * times its own code. The largest real objects have a few hundred thousand instructions.
 */
#define LINKED_INSNS_MAX (64u << 20)

static int check_linked_size(struct loading *l, const struct prog_code *code, struct error *err)
{
	l->linked_insns += code->nr_insns;
	if (l->linked_insns <= LINKED_INSNS_MAX)
		return 0;
	error_set(err, E2BIG, "its programs have more than %u instructions in total",
		  LINKED_INSNS_MAX);
	error_reason(err, "object/too-large");
	return error_hint(err, "use --prog=NAME to load only some programs");
}

/* Let each feature look at the program, and pass it to the kernel. */
static int load_linked(struct loading *l, uint32_t prog, struct prog_code *code, struct error *err)
{
	int ret = check_linked_size(l, code, err);

	l->calls_printk |= code->helpers & HELPER_PRINTS;
	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->linked)
			ret = hooks_of(f)->linked(l, prog, code, err);
	if (!ret)
		ret = kernel_verify_prog(l->sys, &l->kernel, prog, code, err);
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->end_prog)
			hooks_of(f)->end_prog(l, code);
	for (const struct feature *f = features; ret < 0 && f->name; f++)
		if (hooks_of(f)->explain)
			hooks_of(f)->explain(l, code, err);
	if (ret < 0)
		error_where(err, "%s", l->object.name);
	return ret;
}

static int try_program(struct loading *l, uint32_t prog, struct error *err)
{
	struct prog_code code;
	int ret;

	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->begin_prog)
			hooks_of(f)->begin_prog(l);
	ret = relocate(&l->object, prog, l->map_fds, &code, err);
	if (ret < 0)
		return hint_damaged(err);
	ret = load_linked(l, prog, &code, err);
	prog_code_free(&code);
	return ret;
}

static int find_target(struct loading *l, uint32_t prog, struct error *err)
{
	int ret = object_check_kind(&l->object.progs[prog], err);

	for (const struct feature *f = features; !ret && f->name; f++)
		if (hooks_of(f)->target)
			ret = hooks_of(f)->target(l, prog, err);
	return ret;
}

/* Return true if a feature can try another form of the program, which is then linked again. */
static bool has_other_form(struct loading *l, struct error *err)
{
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->again && hooks_of(f)->again(l, err))
			return true;
	return false;
}

int load_program(struct loading *l, uint32_t prog, struct error *err)
{
	int ret = find_target(l, prog, err);

	if (ret < 0)
		return error_where(err, "%s", l->object.name);
	ret = try_program(l, prog, err);
	if (ret < 0 && has_other_form(l, err))
		ret = try_program(l, prog, err);
	return ret;
}

void loading_note_fd_limit(struct output *out, const struct fd_limit *room)
{
	if (room->nr_raised)
		note(out, "the limit on open files (RLIMIT_NOFILE) was raised from %llu to %llu",
		     (unsigned long long)room->from, (unsigned long long)room->to);
}

int loading_finish(struct loading *l, struct error *err)
{
	const int ret = visit_features(l, LOADING_LOADED, err);

	if (ret < 0)
		error_where(err, "%s", l->object.name);
	loading_note_fd_limit(l->out, &l->kernel.room);
	return ret;
}

void loading_end(struct loading *l)
{
	free(l->map_fds);
	free(l->usage);
	free(l->failures.list);
	kernel_unload(l->sys, &l->kernel);
	cpu_list_free(&l->possible);
	for (const struct feature *f = features; f->name; f++)
		if (hooks_of(f)->end)
			hooks_of(f)->end(l);
	free(l->wanted);
	bpf_object_free(&l->object);
	file_close(&l->file);
	memset(l, 0, sizeof(*l));
}
