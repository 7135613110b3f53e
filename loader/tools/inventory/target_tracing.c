// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe links to perf events, probes, tracepoints, kernel functions and iterators. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/events/catalog/catalog.h"
#include "loader/tools/inventory/inventory_internal.h"
#include "loader/core/event/event.h"
#include "loader/base/kernel/kernel_calls.h"

/* --- perf events --- */

static void describe_event(struct inventory_names *names, const struct inventory_link *link,
			   const char *word, struct inventory_target *t)
{
	const uint32_t type = link->info.perf_event.event.type;
	const uint64_t config = link->info.perf_event.event.config;

	(void)word;
	if (!names->has_event || names->event_type != type || names->event_config != config)
		event_name(names->sys, type, config, names->event, sizeof(names->event));
	names->has_event = true;
	names->event_type = type;
	names->event_config = config;
	t->cookie = link->info.perf_event.event.cookie;
	target_text(t, "%s", names->event);
	target_number(t, "perf_type", type);
	target_hex(t, "config", config);
	target_string(t, "event", t->text);
}

static void describe_tracepoint(struct inventory_names *names, const struct inventory_link *link,
				const char *word, struct inventory_target *t)
{
	(void)names;
	t->cookie = link->info.perf_event.tracepoint.cookie;
	target_text(t, "%s %s", word, link->name ? link->name : "?");
	target_string(t, "tracepoint", link->name ? link->name : "");
}

static void describe_kprobe(struct inventory_names *names, const struct inventory_link *link,
			    const char *word, struct inventory_target *t)
{
	const uint64_t addr = link->info.perf_event.kprobe.addr;
	const uint32_t offset = link->info.perf_event.kprobe.offset;

	(void)names;
	t->cookie = link->info.perf_event.kprobe.cookie;
	target_number(t, "missed", link->info.perf_event.kprobe.missed);
	if (addr)
		target_hex(t, "addr", addr);
	if (!link->name) {	/* the probe was created with an address */
		target_text(t, "%s 0x%" PRIx64, word, addr);
		return;
	}
	target_text(t, offset ? "%s %s+0x%x" : "%s %s", word, link->name, offset);
	target_hex(t, "offset", offset);
	target_string(t, "function", link->name);
}

static void describe_uprobe(struct inventory_names *names, const struct inventory_link *link,
			    const char *word, struct inventory_target *t)
{
	const uint32_t offset = link->info.perf_event.uprobe.offset;

	(void)names;
	t->cookie = link->info.perf_event.uprobe.cookie;
	target_text(t, "%s %s+0x%x", word, link->name ? link->name : "?", offset);
	target_hex(t, "offset", offset);
	if (link->info.perf_event.uprobe.ref_ctr_offset)
		target_hex(t, "ref_ctr_offset", link->info.perf_event.uprobe.ref_ctr_offset);
	target_string(t, "file", link->name ? link->name : "");
}

void target_perf_event(struct inventory_names *names, const struct inventory_link *link,
		       struct inventory_target *t)
{
	static const struct {
		const char *word;
		void (*describe)(struct inventory_names *names, const struct inventory_link *link,
				 const char *word, struct inventory_target *t);
	} kinds[] = {
		[BPF_PERF_EVENT_UPROBE] = { "uprobe", describe_uprobe },
		[BPF_PERF_EVENT_URETPROBE] = { "uretprobe", describe_uprobe },
		[BPF_PERF_EVENT_KPROBE] = { "kprobe", describe_kprobe },
		[BPF_PERF_EVENT_KRETPROBE] = { "kretprobe", describe_kprobe },
		[BPF_PERF_EVENT_TRACEPOINT] = { "tracepoint", describe_tracepoint },
		[BPF_PERF_EVENT_EVENT] = { "event", describe_event },
	};
	const uint32_t type = link->info.perf_event.type;

	t->unknown = type >= sizeof(kinds) / sizeof(kinds[0]) || !kinds[type].describe;
	if (!t->unknown)
		kinds[type].describe(names, link, kinds[type].word, t);
}

/* --- multi links --- */

void target_kprobe_multi(struct inventory_names *names, const struct inventory_link *link,
			 struct inventory_target *t)
{
	const uint32_t nr = link->info.kprobe_multi.count;
	const bool ret = link->info.kprobe_multi.flags & BPF_F_KPROBE_MULTI_RETURN;

	(void)names;
	t->unknown = !nr;
	if (!nr)
		return;
	target_text(t, "%s of %u function%s", ret ? "return" : "entry", nr, nr == 1 ? "" : "s");
	target_number(t, "functions", nr);
	target_number(t, "missed", link->info.kprobe_multi.missed);
	target_hex(t, "flags", link->info.kprobe_multi.flags);
}

void target_uprobe_multi(struct inventory_names *names, const struct inventory_link *link,
			 struct inventory_target *t)
{
	const uint32_t nr = link->info.uprobe_multi.count;

	(void)names;
	t->unknown = !nr;
	if (!nr)
		return;
	target_text(t, "%u location%s in %s", nr, nr == 1 ? "" : "s",
		    link->name ? link->name : "?");
	target_number(t, "places", nr);
	target_hex(t, "flags", link->info.uprobe_multi.flags);
	if (link->info.uprobe_multi.pid)
		target_number(t, "pid", link->info.uprobe_multi.pid);
	if (link->name)
		target_string(t, "file", link->name);
}

/* --- tracepoints and functions by BTF --- */

void target_raw_tracepoint(struct inventory_names *names, const struct inventory_link *link,
			   struct inventory_target *t)
{
	(void)names;
	target_text(t, "raw tracepoint %s", link->name ? link->name : "?");
	if (link->name)
		target_string(t, "tracepoint", link->name);
}

/* Copy the name of type @id of @btf to @buf, without @prefix; "" if there is no such type. */
static void type_name(const struct btf *btf, uint32_t id, const char *prefix, char *buf,
		      size_t size)
{
	const char *name = id && btf_has(btf, id) ? btf_type(btf, id).name : NULL;

	if (name && !strncmp(name, prefix, strlen(prefix)))
		name += strlen(prefix);
	snprintf(buf, size, "%s", name ? name : "");
}

/* The name of function @id of BPF program @prog. */
static void name_in_prog(struct inventory_names *names, uint32_t prog, uint32_t id, char *buf,
			 size_t size)
{
	int fd = kernel_fd_by_id(names->sys, BPF_PROG_GET_FD_BY_ID, prog);
	struct bpf_prog_info info = { 0 };
	struct kernel_types types;

	if (fd < 0)
		return;
	if (kernel_prog_info(names->sys, fd, &info) >= 0 && info.btf_id &&
	    !kernel_types_open_id(&types, names->sys, info.btf_id, NULL)) {
		type_name(&types.vmlinux.btf, id, "", buf, size);
		kernel_types_free(&types);
	}
	sys_close_fd(names->sys, &fd);
}

/*
 * Copy the name of BTF object @id: "vmlinux" or a module. 0, or -errno if it is not the kernel's.
 */
static int btf_name(struct sys *sys, uint32_t id, char *buf, size_t size)
{
	struct bpf_btf_info info = { .name = (uintptr_t)buf, .name_len = size };
	uint32_t len = sizeof(info);
	int fd = kernel_fd_by_id(sys, BPF_BTF_GET_FD_BY_ID, id), ret;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	ret = kernel_fd_info(sys, fd, &info, &len);
	buf[size - 1] = '\0';
	sys_close_fd(sys, &fd);
	return ret < 0 ? ret : info.kernel_btf ? 0 : -ENOENT;
}

/* The name of type @id of the BTF object @obj of the kernel or a module. */
static void name_in_kernel(struct inventory_names *names, uint32_t obj, uint32_t id,
			   const char *prefix, char *buf, size_t size)
{
	const struct btf *btf;
	char object[64];

	if (btf_name(names->sys, obj, object, sizeof(object)))
		return;
	if (!strcmp(object, "vmlinux")) {
		if (!kernel_types_vmlinux(&names->types, &btf, NULL))
			type_name(btf, id, prefix, buf, size);
		return;
	}
	for (uint32_t i = 0; kernel_types_module(&names->types, i, &btf, NULL) > 0; i++) {
		if (strcmp(kernel_types_name(&names->types, i), object))
			continue;
		type_name(btf, id, prefix, buf, size);
		return;
	}
}

/*
 * target_obj_id is a program id if the link is to a function of a program, otherwise the id of a
 * BTF object (bpf_trampoline_unpack_key() in include/linux/bpf_verifier.h). Only the attached
 * program shows which.
 */
static bool is_to_prog(struct inventory_names *names, const struct inventory_link *link)
{
	int fd = kernel_fd_by_id(names->sys, BPF_PROG_GET_FD_BY_ID, link->info.prog_id);
	struct bpf_prog_info info = { 0 };
	bool to_prog = false;

	if (fd < 0)
		return false;
	if (kernel_prog_info(names->sys, fd, &info) >= 0)
		to_prog = info.type == BPF_PROG_TYPE_EXT ||
			  (info.attach_btf_obj_id &&
			   info.attach_btf_obj_id != link->info.tracing.target_obj_id);
	sys_close_fd(names->sys, &fd);
	return to_prog;
}

static const struct {
	uint32_t attach_type;
	const char *word, *prefix;	/* as in SEC(), and the prefix of the names in BTF */
} hooks[] = {
	{ BPF_TRACE_FENTRY, "fentry", "" },
	{ BPF_TRACE_FEXIT, "fexit", "" },
	{ BPF_TRACE_FSESSION, "fsession", "" },
	{ BPF_MODIFY_RETURN, "fmod_ret", "" },
	{ BPF_LSM_MAC, "lsm", "bpf_lsm_" },
	{ BPF_TRACE_RAW_TP, "tp_btf", "btf_trace_" },
};

void target_tracing(struct inventory_names *names, const struct inventory_link *link,
		    struct inventory_target *t)
{
	const uint32_t obj = link->info.tracing.target_obj_id,
		       id = link->info.tracing.target_btf_id;
	const char *word = "freplace", *prefix = "";
	char name[256] = "";

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		if (hooks[i].attach_type != link->info.tracing.attach_type)
			continue;
		word = hooks[i].word;
		prefix = hooks[i].prefix;
	}
	t->unknown = !obj;
	if (!obj)
		return;
	if (is_to_prog(names, link)) {
		name_in_prog(names, obj, id, name, sizeof(name));
		target_text(t, "%s %s of prog %u", word, name[0] ? name : "a function", obj);
		target_number(t, "target_prog_id", obj);
	} else {
		name_in_kernel(names, obj, id, prefix, name, sizeof(name));
		target_text(t, "%s %s", word, name[0] ? name : "a function");
		target_number(t, "target_btf_obj_id", obj);
	}
	target_number(t, "target_btf_id", id);
	if (name[0])
		target_string(t, "function", name);
}

/* --- iterators --- */

void target_iter(struct inventory_names *names, const struct inventory_link *link,
		 struct inventory_target *t)
{
	const char *name = link->name ? link->name : "";

	(void)names;
	t->unknown = !name[0];
	if (!name[0])
		return;
	target_text(t, "iterator over %s", name);
	if (!strcmp(name, "bpf_map_elem") || !strcmp(name, "sockmap") ||
	    !strcmp(name, "bpf_sk_storage_map")) {
		target_number(t, "map_id", link->info.iter.map.map_id);
	} else if (!strcmp(name, "cgroup")) {
		target_number(t, "cgroup_id", link->info.iter.cgroup.cgroup_id);
		target_number(t, "order", link->info.iter.cgroup.order);
	} else if (!strncmp(name, "task", 4)) {
		if (link->info.iter.task.tid)
			target_number(t, "tid", link->info.iter.task.tid);
		if (link->info.iter.task.pid)
			target_number(t, "pid", link->info.iter.task.pid);
	}
	target_string(t, "target", name);
}
