// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keep track of what calls created and attached, and of what was refused. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <linux/btf.h>

#include "elf/bytes.h"
#include "loader/base/text/names.h"
#include "loader/observe/watch/facts.h"

/* --- descriptors --- */

int held_object(const struct held_fds *held, int fd)
{
	for (unsigned int i = 0; i < held->nr; i++)
		if (held->list[i].fd == fd)
			return held->list[i].object;
	return -1;
}

bool held_add(struct facts *facts, struct held_fds *held, int fd, int object)
{
	struct held_fd *list;

	held_remove(facts, held, fd);
	if (object < 0)
		return false;
	list = array_grow(held->list, held->nr, sizeof(*list));
	if (!list)
		return false;
	held->list = list;
	list[held->nr++] = (struct held_fd){ fd, object };
	facts->objects[object].holders++;
	return true;
}

void held_remove(struct facts *facts, struct held_fds *held, int fd)
{
	for (unsigned int i = 0; i < held->nr; i++) {
		if (held->list[i].fd != fd)
			continue;
		facts->objects[held->list[i].object].holders--;
		held->list[i] = held->list[--held->nr];
		return;
	}
}

uint32_t facts_fd_id(pid_t pid, int fd)
{
	static const char *const keys[] = { "prog_id:", "map_id:", "link_id:", "btf_id:" };
	char path[64], line[128];
	uint32_t id = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strncmp(line, keys[i], strlen(keys[i])) && (!id || i == 2))
				id = strtoul(line + strlen(keys[i]), NULL, 10);
	if (file)
		fclose(file);
	return id;
}

/* --- tables --- */

void *facts_room(struct facts *facts, void **list, unsigned int *nr, size_t size)
{
	void *grown = *nr < FACTS_MAX ? array_grow(*list, *nr, size) : NULL;

	if (!grown) {
		facts->left_out++;
		return NULL;
	}
	*list = grown;
	return memset((char *)grown + size * (*nr)++, 0, size);
}

void facts_name(char name[20], const char *from)
{
	snprintf(name, 20, "%.*s", BPF_OBJ_NAME_LEN, from);
	for (; *name; name++)
		if (*name < ' ' || *name > '~' || *name == '\'')
			*name = '?';
}

static struct fact_object *add_object(struct facts *facts, struct held_fds *held, pid_t pid,
				      int fd, enum fd_kind kind)
{
	struct fact_object *object = ADD(facts, objects);

	if (!object)
		return NULL;
	object->kind = kind;
	object->pid = pid;
	object->id = kind == FD_EVENT ? 0 : facts_fd_id(pid, fd);
	held_add(facts, held, fd, object - facts->objects);
	return object;
}

static struct fact_object *object_of(struct facts *facts, const struct held_fds *held, int fd)
{
	const int index = held_object(held, fd);

	return index < 0 ? NULL : &facts->objects[index];
}

/* --- probing --- */

#define PROBE_INSNS 20
#define PROBE_BTF 512

void facts_close(struct facts *facts, struct held_fds *held, int fd)
{
	const int index = held_object(held, fd);
	struct fact_object *o = index < 0 ? NULL : &facts->objects[index];

	held_remove(facts, held, fd);
	if (!o || o->holders || o->is_probe || o->pinned)
		return;
	if ((o->kind == FD_PROG && !o->attached && !o->tested && o->nr <= PROBE_INSNS) ||
	    (o->kind == FD_MAP && !o->filled && !o->read && !o->inner && !o->frozen_empty))
		o->is_probe = true;
}

bool fact_is_probe(const struct fact_object *o)
{
	return o->is_probe || (o->kind == FD_PROG && !o->name[0] && o->nr <= PROBE_INSNS &&
			       !o->attached && !o->tested && !o->pinned);
}

bool facts_is_probe(const struct copy *copy, long ret)
{
	const union bpf_attr *attr = copy_attr(copy);

	if (copy->nr != __NR_bpf || !attr)
		return false;
	switch (copy->arg[0]) {
	case BPF_PROG_LOAD:
		return !strncmp(attr->prog_name, "libbpf_", 7) ||
		       (attr->insn_cnt <= PROBE_INSNS && !attr->func_info_cnt &&
			!attr->prog_name[0]);
	case BPF_BTF_LOAD:
		return attr->btf_size <= PROBE_BTF;
	case BPF_MAP_CREATE:
		return !strncmp(attr->map_name, "libbpf_", 7);
	case BPF_LINK_CREATE:
		return (int)attr->link_create.target_fd < 0 && ret == -EBADF;
	default:
		return false;
	}
}

/* --- accepted calls --- */

/* The program refers to maps: even if no call reads such a map, the program may use it. */
static void use_maps(struct facts *facts, const struct held_fds *held, const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)(unsigned long)attr->insns;

	for (uint32_t i = 0; insns && i < attr->insn_cnt; i++) {
		struct fact_object *map;

		if (insns[i].code != (BPF_LD | BPF_IMM | BPF_DW) ||
		    (insns[i].src_reg != BPF_PSEUDO_MAP_FD &&
		     insns[i].src_reg != BPF_PSEUDO_MAP_VALUE))
			continue;
		map = object_of(facts, held, insns[i].imm);
		if (map)
			map->inner = true;
	}
}

static void attach(struct facts *facts, const struct held_fds *held, enum fact_how how, int prog_fd,
		   int event_fd, int link_fd, uint32_t attach_type, uint64_t cookie)
{
	struct fact_attachment *a = ADD(facts, attachments);
	struct fact_object *prog = object_of(facts, held, prog_fd);
	struct fact_object *event = object_of(facts, held, event_fd);

	if (prog)
		prog->attached = true;
	if (event && event->kind == FD_EVENT)
		event->bound = true;
	if (a)
		*a = (struct fact_attachment){ how, held_object(held, prog_fd),
					       event && event->kind == FD_EVENT ?
						       held_object(held, event_fd) : -1,
					       held_object(held, link_fd), attach_type, cookie };
}

static void accepted_element(struct fact_object *map, unsigned long cmd)
{
	if (!map)
		return;
	if (cmd == BPF_MAP_UPDATE_ELEM || cmd == BPF_MAP_UPDATE_BATCH)
		map->filled = true;
	else if (cmd == BPF_MAP_FREEZE)
		map->frozen_empty = !map->filled && !map->mapped;
	else
		map->read = true;
}

static void pinned(struct facts *facts, const struct held_fds *held, const union bpf_attr *attr)
{
	char (*path)[256] = ADD(facts, pins);
	struct fact_object *object = object_of(facts, held, attr->bpf_fd);

	if (path)
		snprintf(*path, sizeof(*path), "%s",
			 attr->pathname ? (const char *)(unsigned long)attr->pathname : "?");
	if (object)
		object->pinned = true;
}

static void created(struct facts *facts, struct held_fds *held, pid_t pid,
		    const union bpf_attr *attr, const struct copy *copy, int fd)
{
	struct fact_object *o;

	switch (copy->arg[0]) {
	case BPF_MAP_CREATE:
		o = add_object(facts, held, pid, fd, FD_MAP);
		if (!o)
			break;
		facts_name(o->name, attr->map_name);
		o->type = attr->map_type;
		o->nr = attr->max_entries;
		break;
	case BPF_PROG_LOAD:
		o = add_object(facts, held, pid, fd, FD_PROG);
		if (!o)
			break;
		facts_name(o->name, attr->prog_name);
		o->type = attr->prog_type;
		o->nr = attr->insn_cnt;
		use_maps(facts, held, attr);
		break;
	case BPF_BTF_LOAD:
		o = add_object(facts, held, pid, fd, FD_BTF);
		if (!o)
			break;
		o->nr = attr->btf_size;
		o->is_probe = facts_is_probe(copy, fd);
		break;
	}
}

static uint64_t cookie_of(const union bpf_attr *attr)
{
	switch (attr->link_create.attach_type) {
	case BPF_PERF_EVENT:
		return attr->link_create.perf_event.bpf_cookie;
	case BPF_TRACE_FENTRY:
	case BPF_TRACE_FEXIT:
	case BPF_MODIFY_RETURN:
	case BPF_TRACE_RAW_TP:
	case BPF_LSM_MAC:
		return attr->link_create.tracing.cookie;
	default:
		return 0;
	}
}

static void accepted_bpf(struct facts *facts, struct held_fds *held, pid_t pid,
			 const struct copy *copy, long ret)
{
	const union bpf_attr *attr = copy_attr(copy);
	struct fact_object *o;

	created(facts, held, pid, attr, copy, ret);
	switch (copy->arg[0]) {
	case BPF_LINK_CREATE:
		add_object(facts, held, pid, ret, FD_LINK);
		attach(facts, held, BY_LINK, attr->link_create.prog_fd, attr->link_create.target_fd,
		       ret, attr->link_create.attach_type, cookie_of(attr));
		break;
	case BPF_RAW_TRACEPOINT_OPEN:
		add_object(facts, held, pid, ret, FD_LINK);
		attach(facts, held, BY_RAW_TRACEPOINT, attr->raw_tracepoint.prog_fd, -1, ret, 0,
		       attr->raw_tracepoint.cookie);
		break;
	case BPF_PROG_ATTACH:
		attach(facts, held, BY_PROG_ATTACH, attr->attach_bpf_fd, -1, -1, attr->attach_type,
		       0);
		break;
	case BPF_PROG_TEST_RUN:
		o = object_of(facts, held, attr->test.prog_fd);
		if (o) {
			o->tested = true;
			facts->ran_syscall_prog |= o->type == BPF_PROG_TYPE_SYSCALL;
		}
		break;
	case BPF_OBJ_PIN:
		pinned(facts, held, attr);
		break;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_MAP_UPDATE_ELEM:
	case BPF_MAP_GET_NEXT_KEY:
	case BPF_MAP_LOOKUP_AND_DELETE_ELEM:
	case BPF_MAP_FREEZE:
		accepted_element(object_of(facts, held, attr->map_fd), copy->arg[0]);
		break;
	case BPF_MAP_LOOKUP_BATCH:
	case BPF_MAP_LOOKUP_AND_DELETE_BATCH:
	case BPF_MAP_UPDATE_BATCH:
		accepted_element(object_of(facts, held, attr->batch.map_fd), copy->arg[0]);
		break;
	}
}

static void accepted_ioctl(struct facts *facts, struct held_fds *held, const struct copy *copy)
{
	struct fact_object *event = object_of(facts, held, copy->arg[0]);

	if (!event)
		return;
	switch (copy->arg[1]) {
	case PERF_EVENT_IOC_ENABLE:
		event->enabled = true;
		break;
	case PERF_EVENT_IOC_SET_OUTPUT:
		event->has_output = true;
		break;
	case PERF_EVENT_IOC_SET_BPF:
		attach(facts, held, BY_IOCTL, copy->arg[2], copy->arg[0], -1, 0, 0);
		break;
	}
}

static void accepted(struct facts *facts, struct held_fds *held, pid_t pid, const struct copy *copy,
		     long ret)
{
	struct fact_object *o;

	switch (copy->nr) {
	case __NR_bpf:
		if (copy_attr(copy))
			accepted_bpf(facts, held, pid, copy, ret);
		break;
	case __NR_perf_event_open:
		o = add_object(facts, held, pid, ret, FD_EVENT);
		if (!o || copy->unreadable)
			break;
		o->attr = *copy_event(copy);
		event_target(o, copy->pid);
		o->tid = copy->arg[1];
		o->cpu = copy->arg[2];
		o->enabled = !o->attr.disabled || o->attr.enable_on_exec;
		break;
	case __NR_ioctl:
		accepted_ioctl(facts, held, copy);
		break;
	case __NR_mmap:
		o = object_of(facts, held, copy->arg[4]);
		if (o)
			o->mapped = o->read = true;
		break;
	case __NR_prlimit64:
		facts->raised_memlock |= copy->arg[2] != 0;
		break;
	}
}

struct fact_refusal *facts_call(struct facts *facts, struct held_fds *held, pid_t pid,
				const struct copy *copy, long ret)
{
	facts->nr_calls++;
	if (ret < 0)
		return refusals_add(facts, held, pid, copy, -ret);
	accepted(facts, held, pid, copy, ret);
	if (!facts_is_probe(copy, ret))
		refusals_overcome(facts, pid, copy);
	return NULL;
}

void facts_free(struct facts *facts)
{
	free(facts->objects);
	free(facts->attachments);
	free(facts->refusals);
	free(facts->pins);
	*facts = (struct facts){ 0 };
}
