// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Plan which program to attach to which link target, based on its type and the options. */
#include <errno.h>
#include <string.h>

#include "loader/objects/targets/targets.h"

/* Task iterators and links to functions in files are for one process or for all. */
static pid_t one_process(const struct options *o)
{
	const char *text = o->scope.processes;

	return text ? event_tasks_next(&text) : 0;
}

static int check_one_process(const struct options *o, const struct link_target *target,
			     struct error *err)
{
	if ((target->kind != TARGET_ITER && target->kind != TARGET_FUNCTIONS) ||
	    !o->scope.processes || !strchr(o->scope.processes, ','))
		return 0;
	error_set(err, EINVAL, "%s is for one process at a time, or for all", target->name);
	error_reason(err, "scope/grammar");
	error_where(err, "-p %s", o->scope.processes);
	return error_hint(err, "select one, or leave out -p");
}

struct target_request plan_link_target(const struct options *o, const struct bpf_object *obj,
				const struct plan_entry *entry)
{
	const struct object_prog *p = &obj->progs[entry->prog];

	return (struct target_request){
		.target = entry->target, .options = &o->target, .section_target = p->target,
		.map_fd = -1, .pid = one_process(o), .nr_functions = entry->nr_functions,
		.map = plan_map_name(o, obj, entry),
		.attach_type = p->kind->attach_type,
		.sleepable = p->kind->prog_flags & BPF_F_SLEEPABLE,
		.has_cookie = o->has_cookie, .cookie = o->cookie, .prog_fd = -1,
	};
}

static int check_many(const struct options *o, const struct bpf_object *obj,
		      const struct plan_entry *entry, struct error *err)
{
	const struct multi_request req = plan_multi(o, obj, entry);

	return multi_check(&req, err);
}

static int add_target(struct plan *plan, const struct options *o, const struct bpf_object *obj,
		      uint32_t prog, struct error *err)
{
	const struct prog_kind *kind = obj->progs[prog].kind;
	const struct link_target *target = link_target_find(kind->prog_type, kind->attach_type);
	struct target_request req;
	struct plan_entry *entry;
	int ret;

	if (!target || !o->method->is_link)
		return 0;
	entry = plan_add(plan, prog, err);
	if (!entry)
		return -ENOMEM;
	entry->target = target;
	req = plan_link_target(o, obj, entry);
	ret = check_one_process(o, target, err);
	if (!ret)
		ret = target->kind == TARGET_FUNCTIONS ? check_many(o, obj, entry, err) :
							 link_target_check(&req, err);
	if (!ret)
		ret = plan_map(o, obj, entry, err);
	return ret < 0 ? ret : 1;
}

/* Write the link target of an entry, "lo (xdp)". */
static void target_text(const struct options *o, const struct bpf_object *obj,
			const struct plan_entry *entry, char *text, size_t size)
{
	const struct target_request req = plan_link_target(o, obj, entry);

	link_target_text(&req, text, size);
}

/* Return true if the option for targets of @kind applies to @entry. */
static bool takes(const struct bpf_object *obj, const struct plan_entry *entry,
		  enum target_kind kind)
{
	const char *target = obj->progs[entry->prog].target;

	if (!entry->target)
		return false;
	if (kind == TARGET_CGROUP)
		return link_target_takes_cgroup(entry->target, target);
	if (kind == TARGET_MAP)
		return link_target_map_types(entry->target, target);
	return entry->target->kind == kind;
}

static int check_targets(const struct options *o, const struct bpf_object *obj,
			 const struct plan *plan, struct error *err)
{
	const struct {
		const char *option, *target;
		bool given;
		enum target_kind kind;
	} options[] = {
		{ "--dev", "a network device", o->target.device, TARGET_DEVICE },
		{ "--cgroup", "a cgroup", o->target.cgroup, TARGET_CGROUP },
		{ "--target-map", "a map, or iterates over one", o->target.map, TARGET_MAP },
		{ "--functions", "many functions", o->target.functions, TARGET_FUNCTIONS },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		uint32_t n = 0;

		while (n < plan->nr && !takes(obj, &plan->list[n], options[i].kind))
			n++;
		if (!options[i].given || n < plan->nr)
			continue;
		error_set(err, EINVAL, "no loaded program is attached to %s",
			  options[i].target);
		error_reason(err, "attach/prog-type");
		error_hint(err, "leave %s out", options[i].option);
		return error_where(err, "%s", options[i].option);
	}
	return 0;
}

const struct plan_feature plan_targets = {
	.add = add_target, .check = check_targets, .attach = session_attach_target,
	.text = target_text,
};
