// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load an object: from its path to maps and programs in the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "loader/session/load.h"
#include "loader/session/plan.h"
#include "loader/sys/read.h"

/* A limit that no real BPF object reaches. */
#define OBJECT_SIZE_MAX (256u << 20)

static int open_object(struct loading *l, struct error *err)
{
	const int ret = file_open(&l->file, l->sys, l->path, OBJECT_SIZE_MAX, err);
	const bool no_file = (ret == -EISDIR || ret == -EINVAL) && sys_is_no_file(l->sys, l->path);

	if (ret == -ENOENT)
		error_hint(err, "pload takes the path of a BPF object, such as ip_count.bpf.o");
	else if (no_file)
		error_hint(
			err, "pload takes a BPF object, from a regular file: copy it into one");
	else if (ret == -EACCES || ret == -EPERM)
		error_hint(err, "the file cannot be opened for reading");
	if (!ret)
		return 0;
	error_reason_default(err, no_file ? "object/not-a-file" :
				  ret == -EFBIG ? "object/too-large" : "object/no-file");
	return error_where(err, "%s", l->path);
}

static int hint_damaged(struct error *err)
{
	if ((err->code == -EBADMSG || err->code == -ENOEXEC) && !err->hint[0])
		error_hint(err, "the file is damaged, or its compiler or linker has a bug: build "
				"it again");
	return err->code;
}

/* Parse the object, and apply the options that change it. No system call loads anything yet. */
static int parse_object(struct loading *l, struct error *err)
{
	const struct load_options *o = l->options;
	int ret;

	ret = bpf_object_read(&l->object, l->path, &l->file.source, err);
	file_done(&l->file);
	if (!ret)
		ret = bpf_object_check_native(&l->object, err);
	if (ret < 0)
		error_reason_default(err, "object/elf");
	if (ret < 0)
		return hint_damaged(err);
	ret = tuning_apply(&l->object, o, err);
	if (ret < 0)
		return ret;
	co_re_init(&l->core, o->btf ? &l->types->other : &l->types->running, &l->object,
		   o->core_by_kernel);
	externs_init(&l->externs, l->sys, &l->types->running, &l->object, o->kconfig);
	struct_ops_init(&l->ops, l->sys, &l->types->running, &l->object);
	if (o->license)
		l->object.license = o->license;
	return 0;
}

void loading_types_init(struct loading_types *types, struct sys *sys, const struct load_options *o)
{
	kernel_types_init(&types->running, sys, NULL);
	kernel_types_init(&types->other, sys, o->btf);
}

int loading_check_files(struct loading_types *types, const struct load_options *o,
			struct error *err)
{
	const struct btf *btf;

	if (o->btf && kernel_types_vmlinux(&types->other, &btf, err))
		return error_where(err, "--btf");
	return o->kconfig ? externs_check_kconfig(types->other.sys, o->kconfig, err) : 0;
}

void loading_types_free(struct loading_types *types)
{
	kernel_types_free(&types->other);
	kernel_types_free(&types->running);
}

/* --prog takes names and patterns: a function name contains no '*'. */
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
	error_set(err, ENOENT, "the object has no program of that name");
	error_reason(err, "object/no-program");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else if (obj->nr_progs)
		error_hint(err, "its first one is '%s' in section \"%s\"", obj->progs[0].name,
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
	struct prog_target target;
	int ret = object_check_kind(&l->object.progs[prog], err);

	return ret ? ret : load_targets_get(&l->targets, prog, &target, err);
}

int loading_begin(struct loading *l, struct sys *sys, struct output *out,
		  const struct load_options *o, struct loading_types *types, const char *path,
		  struct error *err)
{
	int ret;

	*l = (struct loading){
		.sys = sys, .out = out, .options = o, .types = types, .path = path,
	};
	ret = open_object(l, err);
	if (!ret)
		ret = parse_object(l, err);
	if (!ret)
		ret = choose_programs(l, err);
	load_targets_init(&l->targets, sys, &l->object, l->wanted, &types->running, o->target_prog);
	return ret;
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

unsigned int loading_nr_cpus(const struct loading *l)
{
	return l->possible.nr ? l->possible.cpus[l->possible.nr - 1] + 1 : 0;
}

/* Note each size that was rounded up, for a ring. A map that was pinned already keeps its own. */
static void note_sizes(const struct loading *l)
{
	for (uint32_t i = 0; i < l->object.nr_maps; i++) {
		const struct object_map *map = &l->object.maps[i];
		const struct kernel_map *as = &l->kernel.maps[i];

		if (as->fd < 0 || as->reused || !map->max_entries ||
		    map->max_entries == as->max_entries)
			continue;
		note(l->out,
		     "map '%s': max_entries is %u and not %u: a power of two, in whole pages",
		     map->name, as->max_entries, map->max_entries);
	}
}

/* The verifier rejects programs that use such a number, from a table of strings, as a pointer. */
static void note_addresses(const struct loading *l)
{
	for (uint32_t i = 0; i < l->object.nr_maps; i++) {
		const struct object_map *map = &l->object.maps[i];

		if (map->nr_addresses && l->kernel.maps[i].fd >= 0)
			note(l->out,
			     "section '%s': %u of its words should be addresses, which BPF data "
			     "cannot hold: programs read the number in the object",
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
	ret = externs_read_kconfig(&l->externs, err);
	if (!ret)
		ret = struct_ops_find(&l->ops, l->wanted, err);
	if (ret < 0)
		return error_where(err, "%s", obj->name);
	ret = kernel_load_maps(l->sys, obj,
			       &(struct map_options){ .nr_possible_cpus = loading_nr_cpus(l),
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
 * Each program is linked with every function it calls, so a small object can demand thousands of
 * times its own code. The largest objects in use have some hundred thousand instructions.
 */
#define LINKED_INSNS_MAX (64u << 20)

static int load_linked(struct loading *l, uint32_t prog, struct prog_code *code, struct error *err)
{
	int ret = kernel_load_jump_tables(l->sys, code, err);

	if (ret < 0)
		error_where(err, "prog '%s'", l->object.progs[prog].name);
	else
		ret = kernel_load_prog(l->sys, &l->kernel, prog, code, err);
	kernel_close_jump_tables(l->sys, code);
	return ret;
}

static int link_and_load(struct loading *l, uint32_t prog, struct error *err)
{
	struct prog_code code;
	int ret;

	co_re_begin_prog(&l->core);
	externs_begin_prog(&l->externs);
	ret = relocate(&l->object, prog, l->map_fds, &code, err);
	if (ret < 0)
		return hint_damaged(err);
	if (l->sys->remark)
		loading_note_links(l, &code);
	l->linked_insns += code.nr_insns;
	if (l->linked_insns > LINKED_INSNS_MAX) {
		error_set(err, E2BIG, "its programs have more than %u instructions in all",
			  LINKED_INSNS_MAX);
		error_reason(err, "object/too-large");
		ret = error_hint(err, "--prog=NAME loads only the programs named");
	}
	l->prints |= code.helpers & HELPER_PRINTS;
	if (!ret && code.helpers & HELPER_MAPS)
		ret = map_usage_scan(&code, l->usage, &l->failures, l->object.maps, err);
	if (!ret && l->stack_fields)
		ret = stack_fields_scan(&l->object, &code, l->stack_fields, err);
	if (!ret)
		ret = load_linked(l, prog, &code, err);
	if (ret < 0) {
		co_re_explain(&l->core, &code, err);
		externs_explain(&l->externs, err);
		error_where(err, "%s", l->object.name);
	}
	prog_code_free(&code);
	return ret;
}

static int find_target(struct loading *l, uint32_t prog, struct error *err)
{
	struct prog_target *target = &l->kernel.progs[prog].target;

	int ret = object_check_kind(&l->object.progs[prog], err);

	if (ret)
		return ret;
	if (l->object.progs[prog].kind->follows == FOLLOWS_STRUCT)
		return struct_ops_target(&l->ops, prog, target, err);
	return load_targets_get(&l->targets, prog, target, err);
}

int loading_program(struct loading *l, uint32_t prog, struct error *err)
{
	int ret = find_target(l, prog, err);

	if (ret < 0)
		return error_where(err, "%s", l->object.name);
	ret = link_and_load(l, prog, err);
	if (ret < 0 && externs_try_compat(&l->externs, err))
		ret = link_and_load(l, prog, err);
	return ret;
}

static void note_empty_slots(const struct loading *l, const struct object_map *map)
{
	const struct object_slot *first = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < map->nr_slots; i++) {
		if (l->kernel.progs[map->slots[i].target].fd >= 0)
			continue;
		first = first ? first : &map->slots[i];
		nr++;
	}
	if (nr == 1)
		note(l->out, "map '%s': slot %u stays empty: program '%s' is not loaded", map->name,
		     first->index, l->object.progs[first->target].name);
	else if (nr)
		note(l->out, "map '%s': slot %u and %u more stay empty: "
		     "program '%s' and others are not loaded",
		     map->name, first->index, nr - 1, l->object.progs[first->target].name);
}

void loading_note_fd_limit(struct output *out, const struct fd_limit *room)
{
	if (room->nr_raised)
		note(out, "the limit of open files (RLIMIT_NOFILE) was raised from %llu to %llu",
		     (unsigned long long)room->from, (unsigned long long)room->to);
}

int loading_finish(struct loading *l, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	int ret = kernel_fill_prog_arrays(l->sys, &l->kernel, err);

	if (ret < 0)
		error_where(err, "%s", obj->name);
	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		if (obj->maps[i].type == BPF_MAP_TYPE_PROG_ARRAY)
			note_empty_slots(l, &obj->maps[i]);
	if (!ret)
		loading_note_compat(l);
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
	load_targets_free(&l->targets);
	struct_ops_free(&l->ops);
	externs_free(&l->externs);
	co_re_free(&l->core);
	free(l->wanted);
	bpf_object_free(&l->object);
	file_close(&l->file);
	memset(l, 0, sizeof(*l));
}
