// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Links to where code runs: perf events, probes, tracepoints, functions, iterators. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/event/event.h"
#include "loader/sys/names.h"

/* --- perf events --- */

static int describe_event(struct inventory_names *names, const struct inventory_link *link,
			  struct inventory_target *p)
{
	const uint32_t type = link->info.perf_event.event.type;
	const uint64_t config = link->info.perf_event.event.config;

	if (!names->has_event || names->event_type != type || names->event_config != config)
		event_recall(names->sys, type, config, names->event, sizeof(names->event));
	names->has_event = true;
	names->event_type = type;
	names->event_config = config;
	target_text(p, "%s", names->event);
	target_number(p, "perf_type", type);
	target_hex(p, "config", config);
	p->cookie = link->info.perf_event.event.cookie;
	return target_string(p, "event", p->text);
}

static int describe_tracepoint(const struct inventory_link *link, struct inventory_target *p)
{
	target_text(p, "tracepoint %s", link->name ? link->name : "?");
	p->cookie = link->info.perf_event.tracepoint.cookie;
	return target_string(p, "tracepoint", link->name ? link->name : "");
}

static int describe_kprobe(const struct inventory_link *link, const char *word,
			   struct inventory_target *p)
{
	const uint64_t addr = link->info.perf_event.kprobe.addr;
	const uint32_t offset = link->info.perf_event.kprobe.offset;

	p->cookie = link->info.perf_event.kprobe.cookie;
	target_number(p, "missed", link->info.perf_event.kprobe.missed);
	if (addr)
		target_hex(p, "addr", addr);
	if (!link->name) {	/* it was made for an address */
		target_text(p, "%s 0x%" PRIx64, word, addr);
		return 0;
	}
	target_text(p, offset ? "%s %s+0x%x" : "%s %s", word, link->name, offset);
	target_hex(p, "offset", offset);
	return target_string(p, "function", link->name);
}

static int describe_uprobe(const struct inventory_link *link, const char *word,
			   struct inventory_target *p)
{
	const uint32_t offset = link->info.perf_event.uprobe.offset;

	p->cookie = link->info.perf_event.uprobe.cookie;
	target_text(p, "%s %s+0x%x", word, link->name ? link->name : "?", offset);
	target_hex(p, "offset", offset);
	if (link->info.perf_event.uprobe.ref_ctr_offset)
		target_hex(p, "ref_ctr_offset", link->info.perf_event.uprobe.ref_ctr_offset);
	return target_string(p, "file", link->name ? link->name : "");
}

int target_perf_event(struct inventory_names *names, const struct inventory_link *link,
		      struct inventory_target *p)
{
	switch (link->info.perf_event.type) {
	case BPF_PERF_EVENT_EVENT:
		return describe_event(names, link, p);
	case BPF_PERF_EVENT_TRACEPOINT:
		return describe_tracepoint(link, p);
	case BPF_PERF_EVENT_KPROBE:
		return describe_kprobe(link, "kprobe", p);
	case BPF_PERF_EVENT_KRETPROBE:
		return describe_kprobe(link, "kretprobe", p);
	case BPF_PERF_EVENT_UPROBE:
		return describe_uprobe(link, "uprobe", p);
	case BPF_PERF_EVENT_URETPROBE:
		return describe_uprobe(link, "uretprobe", p);
	default:
		p->unknown = true;
		return 0;
	}
}

int target_kprobe_multi(struct inventory_names *names, const struct inventory_link *link,
			struct inventory_target *p)
{
	const uint32_t nr = link->info.kprobe_multi.count;
	const bool ret = link->info.kprobe_multi.flags & BPF_F_KPROBE_MULTI_RETURN;

	(void)names;
	p->unknown = !nr;
	if (!nr)
		return 0;
	target_text(p, "%s of %u function%s", ret ? "return" : "entry", nr, nr == 1 ? "" : "s");
	target_number(p, "functions", nr);
	target_number(p, "missed", link->info.kprobe_multi.missed);
	target_hex(p, "flags", link->info.kprobe_multi.flags);
	return 0;
}

int target_uprobe_multi(struct inventory_names *names, const struct inventory_link *link,
			struct inventory_target *p)
{
	const uint32_t nr = link->info.uprobe_multi.count;

	(void)names;
	p->unknown = !nr;
	if (!nr)
		return 0;
	target_text(p, "%u place%s in %s", nr, nr == 1 ? "" : "s", link->name ? link->name : "?");
	target_number(p, "places", nr);
	target_hex(p, "flags", link->info.uprobe_multi.flags);
	if (link->info.uprobe_multi.pid)
		target_number(p, "pid", link->info.uprobe_multi.pid);
	return link->name ? target_string(p, "file", link->name) : 0;
}

/* --- tracepoints and functions by BTF --- */

int target_raw_tracepoint(struct inventory_names *names, const struct inventory_link *link,
			  struct inventory_target *p)
{
	(void)names;
	p->cookie = link->info.raw_tracepoint.cookie;
	target_text(p, "raw tracepoint %s", link->name ? link->name : "?");
	return link->name ? target_string(p, "tracepoint", link->name) : 0;
}

/* The name of type @id of @btf, without @prefix. */
static void type_name(const struct btf *btf, uint32_t id, const char *prefix, char *buf,
		      size_t size)
{
	const char *name = id && id < btf->nr_types ? btf_type(btf, id).name : NULL;

	if (name && !strncmp(name, prefix, strlen(prefix)))
		name += strlen(prefix);
	snprintf(buf, size, "%s", name ? name : "");
}

/* Function @id of BPF program @prog. */
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

/* What the BTF with @id is called: "vmlinux", a module's name. Returns 0 when it is a kernel's. */
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

/* Type @id of the BTF with id @obj, which is the kernel's or a module's. */
static void name_in_kernel(struct inventory_names *names, uint32_t obj, uint32_t id,
			   const char *prefix, char *buf, size_t size)
{
	const struct btf *btf;
	char of[64];

	if (btf_name(names->sys, obj, of, sizeof(of)))
		return;
	if (!strcmp(of, "vmlinux")) {
		if (!kernel_types_vmlinux(&names->types, &btf, NULL))
			type_name(btf, id, prefix, buf, size);
		return;
	}
	for (uint32_t i = 0; kernel_types_module(&names->types, i, &btf, NULL) > 0; i++) {
		if (strcmp(kernel_types_name(&names->types, i), of))
			continue;
		type_name(btf, id, prefix, buf, size);
		return;
	}
}

/*
 * target_obj_id is a program's id when the link is to a function of a program, and else that of BTF
 * (bpf_trampoline_unpack_key() in include/linux/bpf_verifier.h): which of both, the program tells
 * that is attached.
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
	const char *word, *prefix;	/* as in SEC(), and what its names in BTF begin with */
} hooks[] = {
	{ BPF_TRACE_FENTRY, "fentry", "" },
	{ BPF_TRACE_FEXIT, "fexit", "" },
	{ BPF_TRACE_FSESSION, "fsession", "" },
	{ BPF_MODIFY_RETURN, "fmod_ret", "" },
	{ BPF_LSM_MAC, "lsm", "bpf_lsm_" },
	{ BPF_TRACE_RAW_TP, "tp_btf", "btf_trace_" },
};

int target_tracing(struct inventory_names *names, const struct inventory_link *link,
		   struct inventory_target *p)
{
	const uint32_t obj = link->info.tracing.target_obj_id,
		id = link->info.tracing.target_btf_id;
	const char *word = "freplace", *prefix = "";
	char name[256] = "";
	int ret = 0;

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		if (hooks[i].attach_type != link->info.tracing.attach_type)
			continue;
		word = hooks[i].word;
		prefix = hooks[i].prefix;
	}
	p->cookie = link->info.tracing.cookie;
	p->unknown = !obj;
	if (!obj)
		return 0;
	if (is_to_prog(names, link)) {
		name_in_prog(names, obj, id, name, sizeof(name));
		target_text(p, "%s %s of prog %u", word, name[0] ? name : "a function", obj);
		target_number(p, "target_prog_id", obj);
	} else {
		name_in_kernel(names, obj, id, prefix, name, sizeof(name));
		target_text(p, "%s %s", word, name[0] ? name : "a function");
		target_number(p, "target_btf_obj_id", obj);
	}
	target_number(p, "target_btf_id", id);
	if (name[0])
		ret = target_string(p, "function", name);
	if (!ret)
		ret = target_attach_type(p, link->info.tracing.attach_type);
	return ret;
}

/* --- iterators --- */

int target_iter(struct inventory_names *names, const struct inventory_link *link,
		struct inventory_target *p)
{
	const char *name = link->name ? link->name : "";

	(void)names;
	p->unknown = !name[0];
	if (!name[0])
		return 0;
	target_text(p, "iterator over %s", name);
	if (!strcmp(name, "bpf_map_elem") || !strcmp(name, "sockmap") ||
	    !strcmp(name, "bpf_sk_storage_map")) {
		target_number(p, "map_id", link->info.iter.map.map_id);
	} else if (!strcmp(name, "cgroup")) {
		target_number(p, "cgroup_id", link->info.iter.cgroup.cgroup_id);
		target_number(p, "order", link->info.iter.cgroup.order);
	} else if (!strncmp(name, "task", 4)) {
		if (link->info.iter.task.tid)
			target_number(p, "tid", link->info.iter.task.tid);
		if (link->info.iter.task.pid)
			target_number(p, "pid", link->info.iter.task.pid);
	}
	return target_string(p, "target", name);
}
