// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keep the refused calls, and find out which of them succeeded later in another way. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include <linux/bpf.h>

#include "loader/base/text/names.h"
#include "loader/observe/watch/facts.h"

/* "BPF_PROG_TYPE_KPROBE" becomes "kprobe". */
static const char *short_type(const char *name, size_t prefix, char to[48])
{
	snprintf(to, 48, "%s", name ? name + prefix : "of an unknown type");
	for (char *c = to; name && *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c;
	return to;
}

const char *fact_prog_type(uint32_t type, char to[48])
{
	return short_type(sys_prog_type_name(type), strlen("BPF_PROG_TYPE_"), to);
}

const char *fact_map_type(uint32_t type, char to[48])
{
	return short_type(sys_map_type_name(type), strlen("BPF_MAP_TYPE_"), to);
}

static void describe_bpf(struct fact_refusal *r, const struct copy *copy)
{
	const unsigned long cmd = copy->arg[0] & ~(unsigned long)BPF_COMMON_ATTRS;
	const union bpf_attr *attr = copy_attr(copy);
	const char *name = sys_cmd_name(cmd);
	char type[48], number[48];

	snprintf(number, sizeof(number), "bpf(2) command %lu", cmd);
	if (attr && cmd == BPF_PROG_LOAD) {
		r->type = attr->prog_type;
		r->sizes[0] = attr->insn_cnt;
		facts_name(r->name, attr->prog_name);
		snprintf(r->what, sizeof(r->what), "BPF_PROG_LOAD of program '%s' (%s, %u "
			 "instructions)", r->name,
			 fact_prog_type(attr->prog_type, type), attr->insn_cnt);
	} else if (attr && cmd == BPF_MAP_CREATE) {
		r->type = attr->map_type;
		r->sizes[0] = attr->key_size;
		r->sizes[1] = attr->value_size;
		facts_name(r->name, attr->map_name);
		snprintf(r->what, sizeof(r->what), "BPF_MAP_CREATE of map '%s' (%s, key %u, value "
			 "%u, %u entries)", r->name,
			 fact_map_type(attr->map_type, type), attr->key_size, attr->value_size,
			 attr->max_entries);
	} else if (attr && (cmd == BPF_OBJ_PIN || cmd == BPF_OBJ_GET)) {
		snprintf(r->what, sizeof(r->what), "%s of %.100s", name,
			 attr->pathname ? (const char *)(unsigned long)attr->pathname : "NULL");
	} else if (attr && cmd == BPF_LINK_CREATE) {
		snprintf(r->what, sizeof(r->what), "BPF_LINK_CREATE (%s)",
			 sys_attach_type_name(attr->link_create.attach_type) ?: "unknown type");
	} else {
		snprintf(r->what, sizeof(r->what), "%s", name ? name : number);
	}
	for (char *c = r->what; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
}

static void describe(struct fact_refusal *r, const struct copy *copy)
{
	const struct perf_event_attr *event = copy_event(copy);
	const char *type;

	switch (copy->nr) {
	case __NR_bpf:
		describe_bpf(r, copy);
		break;
	case __NR_perf_event_open:
		type = copy->unreadable ? NULL : sys_perf_type_name(event->type);
		snprintf(r->what, sizeof(r->what), "perf_event_open (%s)", copy->unreadable ?
			 "attributes that cannot be read" : type ? type : "a PMU's type");
		break;
	case __NR_ioctl:
		snprintf(r->what, sizeof(r->what), "%s", copy->arg[1] == PERF_EVENT_IOC_SET_BPF ?
			 "PERF_EVENT_IOC_SET_BPF" : "an ioctl of a perf event");
		break;
	default:
		snprintf(r->what, sizeof(r->what), "%s", copy->nr == __NR_mmap ? "mmap" :
							 "raising RLIMIT_MEMLOCK");
	}
}

/* Iterating over elements or object ids ends with a refusal. */
static bool is_an_end(const struct copy *copy, int code)
{
	return copy->nr == __NR_bpf && code == ENOENT && copy->arg[0] != BPF_PROG_LOAD &&
	       copy->arg[0] != BPF_OBJ_GET && copy->arg[0] != BPF_OBJ_PIN &&
	       copy->arg[0] != BPF_LINK_CREATE && copy->arg[0] != BPF_RAW_TRACEPOINT_OPEN;
}

/* The command of bpf(2), or the request of ioctl(2). */
static unsigned long cmd_of(const struct copy *copy)
{
	if (copy->nr == __NR_bpf)
		return copy->arg[0] & ~(unsigned long)BPF_COMMON_ATTRS;
	return copy->nr == __NR_ioctl ? copy->arg[1] : 0;
}

/*
 * Return true if the call only tests whether the command is permitted. After a refusal, pload
 * repeats a command without attributes: EFAULT means that it is permitted.
 */
static bool asks_why(const struct facts *facts, const struct fact_refusal *r,
		     const struct copy *copy)
{
	if (r->nr != __NR_bpf || copy->arg[1] || r->code != EFAULT)
		return false;
	for (unsigned int i = 0; i < facts->nr_refusals; i++)
		if (facts->refusals[i].nr == r->nr && facts->refusals[i].cmd == r->cmd &&
		    facts->refusals[i].pid == r->pid && facts->refusals[i].code != EFAULT)
			return true;
	return false;
}

struct fact_refusal *refusals_add(struct facts *facts, const struct held_fds *held, pid_t pid,
				  const struct copy *copy, int code)
{
	struct fact_refusal r = { .pid = pid, .nr = copy->nr, .code = code, .times = 1 }, *to;
	const union bpf_attr *attr = copy->nr == __NR_bpf ? copy_attr(copy) : NULL;

	if (is_an_end(copy, code))
		return NULL;
	r.cmd = cmd_of(copy);
	r.is_probe = facts_is_probe(copy, -code) || asks_why(facts, &r, copy);
	r.prog = attr && copy->arg[0] == BPF_LINK_CREATE ?
			 held_object(held, attr->link_create.prog_fd) : -1;
	describe(&r, copy);
	for (unsigned int i = 0; i < facts->nr_refusals; i++) {
		to = &facts->refusals[i];
		if (to->nr != r.nr || to->cmd != r.cmd || to->code != code || to->pid != pid ||
		    strcmp(to->what, r.what))
			continue;
		r = *to;
		r.times++;
		r.was_overcome = false;
		memmove(to, to + 1, (--facts->nr_refusals - i) * sizeof(*to));
		break;
	}
	to = ADD(facts, refusals);
	if (to)
		*to = r;
	return to;
}

/* Return true if the accepted call @now is the refused one minus its name or BTF. */
static bool repeats(const struct fact_refusal *r, const struct fact_refusal *now)
{
	if (r->nr != now->nr || r->cmd != now->cmd)
		return false;
	if (r->nr != __NR_bpf || (r->cmd != BPF_PROG_LOAD && r->cmd != BPF_MAP_CREATE))
		return r->nr == __NR_perf_event_open || !strcmp(r->what, now->what);
	return r->type == now->type && (!now->name[0] || !strcmp(r->name, now->name)) &&
	       (now->name[0] || !memcmp(r->sizes, now->sizes, sizeof(r->sizes)));
}

void refusals_overcome(struct facts *facts, pid_t pid, const struct copy *copy)
{
	const union bpf_attr *attr = copy->nr == __NR_bpf ? copy_attr(copy) : NULL;
	const bool binds = copy->nr == __NR_ioctl && copy->arg[1] == PERF_EVENT_IOC_SET_BPF;
	const bool without_btf = attr && copy->arg[0] == BPF_PROG_LOAD && !attr->prog_btf_fd;
	struct fact_refusal now = { .nr = copy->nr };

	if (!facts->nr_refusals)
		return;
	now.cmd = cmd_of(copy);
	describe(&now, copy);
	for (unsigned int i = 0; i < facts->nr_refusals; i++) {
		struct fact_refusal *r = &facts->refusals[i];

		if (r->pid != pid || r->was_overcome || r->is_probe)
			continue;
		if (binds && r->nr == __NR_bpf && r->cmd == BPF_LINK_CREATE) {
			r->was_overcome = true;
			r->instead = "PERF_EVENT_IOC_SET_BPF took its place: the attachment "
				     "cannot be pinned, has no cookie, and ends with its event";
		} else if (without_btf && r->nr == __NR_bpf && r->cmd == BPF_BTF_LOAD) {
			r->was_overcome = true;
			r->instead = "programs were loaded without BTF: nothing that needs types, "
				     "and no lines of the source";
		} else if (repeats(r, &now)) {
			r->was_overcome = true;
			if (r->nr == __NR_bpf)
				r->instead = "the call was repeated with less, and succeeded";
		}
	}
}
