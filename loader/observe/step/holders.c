// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The graph of who holds what, derived from the calls: processes, pins, links, events, programs,
 * maps, BTF.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "elf/bytes.h"
#include "loader/observe/step/holders.h"
#include "loader/observe/step/record.h"
#include "loader/core/value/value.h"

const char *const holder_kind_names[] = {
	[HOLDER_PROCESS] = "process", [HOLDER_PIN] = "pin", [HOLDER_BTF] = "btf",
	[HOLDER_MAP] = "map", [HOLDER_PROG] = "prog", [HOLDER_EVENT] = "event",
	[HOLDER_LINK] = "link", [HOLDER_OTHER] = "object",
};

/* --- the graph --- */

static int add_node(struct holders *h, enum holder_kind kind, const char *name)
{
	struct holder_node *list = array_grow(h->nodes, h->nr_nodes, sizeof(*list));

	if (!list) {
		h->no_memory = true;
		return -1;
	}
	h->nodes = list;
	list[h->nr_nodes] = (struct holder_node){ .kind = kind, .is_live = true };
	snprintf(list[h->nr_nodes].name, sizeof(list->name), "%s", name);
	for (char *c = list[h->nr_nodes].name; *c; c++)
		*c = isprint((unsigned char)*c) ? *c : '?';
	return h->nr_nodes++;
}

/* Both may be -1, which means that one of them is unknown. */
static struct holder_edge *hold(struct holders *h, int from, int to, const char *how)
{
	struct holder_edge *list;

	if (from < 0 || to < 0)
		return NULL;
	list = array_grow(h->edges, h->nr_edges, sizeof(*list));
	if (!list) {
		h->no_memory = true;
		return NULL;
	}
	h->edges = list;
	list += h->nr_edges++;
	*list = (struct holder_edge){ .from = from, .to = to, .fd = -1, .is_new = true };
	snprintf(list->how, sizeof(list->how), "%s", how);
	return list;
}

static void hold_once(struct holders *h, int from, int to, const char *how)
{
	for (unsigned int i = 0; i < h->nr_edges; i++)
		if ((int)h->edges[i].from == from && (int)h->edges[i].to == to &&
		    !strcmp(h->edges[i].how, how))
			return;
	hold(h, from, to, how);
}

static void hold_by_fd(struct holders *h, int process, int to, int fd)
{
	char how[40];
	struct holder_edge *edge;

	snprintf(how, sizeof(how), "fd %d", fd);
	edge = hold(h, process, to, how);
	if (edge)
		edge->fd = fd;
}

static void drop(struct holders *h, unsigned int edge)
{
	memmove(&h->edges[edge], &h->edges[edge + 1],
		(--h->nr_edges - edge) * sizeof(*h->edges));
}

static int find_process(const struct holders *h, int pid)
{
	for (unsigned int i = 0; i < h->nr_nodes; i++)
		if (h->nodes[i].kind == HOLDER_PROCESS && h->nodes[i].pid == pid &&
		    h->nodes[i].is_live)
			return i;
	return -1;
}

static int process_of(struct holders *h, int pid)
{
	int node = find_process(h, pid);
	char name[32];

	if (node >= 0)
		return node;
	snprintf(name, sizeof(name), "process %d", pid);
	node = add_node(h, HOLDER_PROCESS, name);
	if (node >= 0)
		h->nodes[node].pid = pid;
	return node;
}

static int find_fd(const struct holders *h, int process, int fd)
{
	for (unsigned int i = 0; i < h->nr_edges; i++)
		if ((int)h->edges[i].from == process && h->edges[i].fd == fd && fd >= 0)
			return h->edges[i].to;
	return -1;
}

/* An event stored in a map leaves it when the descriptor through which it was stored is closed. */
static void drop_elements(struct holders *h, unsigned int map)
{
	for (unsigned int i = h->nr_edges; i-- > 0;)
		if (h->edges[i].from == map && h->nodes[map].kind == HOLDER_MAP &&
		    h->nodes[h->edges[i].to].kind == HOLDER_EVENT)
			drop(h, i);
}

static void close_fds(struct holders *h, int process, int first, int last)
{
	for (unsigned int i = h->nr_edges; i-- > 0;) {
		const struct holder_edge edge = h->edges[i];

		if ((int)edge.from != process || edge.fd < first || edge.fd > last)
			continue;
		drop(h, i);
		if (h->nodes[edge.to].kind == HOLDER_MAP)
			drop_elements(h, edge.to);
		i = i < h->nr_edges ? i : h->nr_edges;
	}
}

/* Find the nodes reachable from processes and pins. The others end, and release what they hold. */
static void sweep(struct holders *h)
{
	bool again = true;

	for (unsigned int i = 0; i < h->nr_nodes; i++)
		h->nodes[i].reached = h->nodes[i].is_live && (h->nodes[i].kind == HOLDER_PROCESS ||
							      h->nodes[i].kind == HOLDER_PIN);
	while (again) {
		again = false;
		for (unsigned int i = 0; i < h->nr_edges; i++) {
			struct holder_node *to = &h->nodes[h->edges[i].to];

			if (!h->nodes[h->edges[i].from].reached || to->reached)
				continue;
			to->reached = again = true;
		}
	}
	for (unsigned int i = 0; i < h->nr_nodes; i++)
		h->nodes[i].is_live = h->nodes[i].reached;
	for (unsigned int i = h->nr_edges; i-- > 0;)
		if (!h->nodes[h->edges[i].from].is_live || !h->nodes[h->edges[i].to].is_live)
			drop(h, i);
}

/* --- bpf(2) --- */

static int fd_member(const struct holders *h, int process, struct json_object *attr,
		     const char *name)
{
	return find_fd(h, process, member_int(attr, name, -1));
}

/* An instruction refers to a map by its descriptor. From now on, the program holds the map. */
static void hold_maps(struct holders *h, int process, int prog, struct json_object *insns)
{
	const size_t nr = insns ? json_object_array_length(insns) : 0;

	for (size_t i = 0; i < nr; i++) {
		struct json_object *insn = json_object_array_get_idx(insns, i);
		struct bpf_insn code;

		if (!hex_read(json_object_get_string(json_object_array_get_idx(insn, 0)), &code,
			      sizeof(code)) || code.code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (code.src_reg == BPF_PSEUDO_MAP_FD || code.src_reg == BPF_PSEUDO_MAP_VALUE)
			hold_once(h, prog, find_fd(h, process, code.imm), "uses");
	}
}

static int load_prog(struct holders *h, int process, struct json_object *call,
		     struct json_object *attr)
{
	const int prog = add_node(h, HOLDER_PROG, member_text(call, "name", "prog"));
	struct json_object *insns = NULL;

	hold(h, prog, fd_member(h, process, attr, "prog_btf_fd"), "types");
	hold(h, prog, fd_member(h, process, attr, "attach_prog_fd"), "target");
	json_object_object_get_ex(call, "insns", &insns);
	hold_maps(h, process, prog, insns);
	return prog;
}

static int create_map(struct holders *h, int process, struct json_object *call,
		      struct json_object *attr)
{
	static const char *const of_fds[] = {
		"BPF_MAP_TYPE_PROG_ARRAY", "BPF_MAP_TYPE_PERF_EVENT_ARRAY",
		"BPF_MAP_TYPE_ARRAY_OF_MAPS", "BPF_MAP_TYPE_HASH_OF_MAPS",
	};
	const int map = add_node(h, HOLDER_MAP, member_text(call, "name", "map"));
	const char *type = member_text(attr, "map_type", "");

	hold(h, map, fd_member(h, process, attr, "btf_fd"), "types");
	for (size_t i = 0; map >= 0 && i < sizeof(of_fds) / sizeof(of_fds[0]); i++)
		h->nodes[map].holds_fds |= !strcmp(type, of_fds[i]);
	return map;
}

static int create_link(struct holders *h, int process, struct json_object *call,
		       struct json_object *attr)
{
	const int link = add_node(h, HOLDER_LINK, member_text(call, "name", "link"));
	const int target = fd_member(h, process, attr, "target_fd");

	hold(h, link, fd_member(h, process, attr, "prog_fd"), "runs");
	if (target >= 0)
		hold(h, link, target, h->nodes[target].kind == HOLDER_EVENT ? "event" : "target");
	return link;
}

static int find_pin(const struct holders *h, const char *path)
{
	for (unsigned int i = 0; i < h->nr_nodes; i++)
		if (h->nodes[i].kind == HOLDER_PIN && h->nodes[i].is_live &&
		    !strcmp(h->nodes[i].name + strlen("pin "), path))
			return i;
	return -1;
}

static void pin(struct holders *h, const char *path, int object)
{
	char name[96];

	if (object < 0)
		return;
	snprintf(name, sizeof(name), "pin %s", path);
	hold(h, add_node(h, HOLDER_PIN, name), object, "pin");
}

/* A pin created by others becomes known when it is opened. */
static int open_pin(struct holders *h, struct json_object *call, const char *path)
{
	const int known = find_pin(h, path);
	int object;

	for (unsigned int i = 0; known >= 0 && i < h->nr_edges; i++)
		if ((int)h->edges[i].from == known)
			return h->edges[i].to;
	object = add_node(h, HOLDER_OTHER, member_text(call, "name", "object"));
	pin(h, path, object);
	return object;
}

static void update_element(struct holders *h, int process, struct json_object *call,
			   struct json_object *attr)
{
	const int map = fd_member(h, process, attr, "map_fd");
	const char *key = member_text(call, "key", "");
	char how[40];
	int32_t fd;

	if (map < 0 || !h->nodes[map].holds_fds ||
	    !hex_read(member_text(call, "value", ""), &fd, sizeof(fd)))
		return;
	snprintf(how, sizeof(how), "element %.16s", key);
	for (unsigned int i = h->nr_edges; i-- > 0;)
		if ((int)h->edges[i].from == map && !strcmp(h->edges[i].how, how))
			drop(h, i);
	hold(h, map, find_fd(h, process, fd), how);
}

/* The members of "{link_create={...}}" are those of the inner struct. */
static struct json_object *inner(struct json_object *attr)
{
	struct json_object *member;
	const char *name;

	if (json_object_object_length(attr) != 1)
		return attr;
	json_object_object_at(attr, 0, &name, &member);
	return json_object_is_type(member, json_type_object) ? member : attr;
}

static int bpf_call(struct holders *h, int process, struct json_object *call,
		    struct json_object *args)
{
	const char *cmd = json_object_get_string(json_object_array_get_idx(args, 0));
	struct json_object *attr = inner(json_object_array_get_idx(args, 1));

	if (!strncmp(cmd, "BPF_BTF_LOAD", strlen("BPF_BTF_LOAD")))
		return add_node(h, HOLDER_BTF, "btf");
	if (!strncmp(cmd, "BPF_MAP_CREATE", strlen("BPF_MAP_CREATE")))
		return create_map(h, process, call, attr);
	if (!strncmp(cmd, "BPF_PROG_LOAD", strlen("BPF_PROG_LOAD")))
		return load_prog(h, process, call, attr);
	if (!strncmp(cmd, "BPF_LINK_CREATE", strlen("BPF_LINK_CREATE")) ||
	    !strcmp(cmd, "BPF_RAW_TRACEPOINT_OPEN"))
		return create_link(h, process, call, attr);
	if (!strcmp(cmd, "BPF_OBJ_GET"))
		return open_pin(h, call, member_text(attr, "pathname", ""));
	if (!strcmp(cmd, "BPF_OBJ_PIN"))
		pin(h, member_text(attr, "pathname", ""), fd_member(h, process, attr, "bpf_fd"));
	else if (!strcmp(cmd, "BPF_MAP_UPDATE_ELEM"))
		update_element(h, process, call, attr);
	else if (!strcmp(cmd, "BPF_PROG_BIND_MAP"))
		hold_once(h, fd_member(h, process, attr, "prog_fd"),
			  fd_member(h, process, attr, "map_fd"), "uses");
	else if (strstr(cmd, "_GET_FD_BY_ID"))
		return add_node(h, !strncmp(cmd, "BPF_PROG", 8) ? HOLDER_PROG :
				   !strncmp(cmd, "BPF_MAP", 7)	? HOLDER_MAP :
				   !strncmp(cmd, "BPF_LINK", 8) ? HOLDER_LINK : HOLDER_BTF,
				member_text(call, "name", "object"));
	return -1;
}

/* --- other calls --- */

static void map_memory(struct holders *h, int process, struct json_object *call, int object)
{
	const uint64_t address = strtoull(member_text(call, "address", "0"), NULL, 16);
	struct holder_edge *edge = object >= 0 ? hold(h, process, object, "mapped") : NULL;

	if (edge)
		edge->address = address;
}

static void unmap_memory(struct holders *h, int process, const char *text)
{
	const uint64_t address = text ? strtoull(text, NULL, 16) : 0;

	for (unsigned int i = h->nr_edges; address && i-- > 0;)
		if ((int)h->edges[i].from == process && h->edges[i].address == address)
			drop(h, i);
}

/* A child inherits its parent's descriptors and mappings of maps, but not those of rings. */
static void fork_process(struct holders *h, int parent, int pid)
{
	const unsigned int nr = h->nr_edges;
	const int child = process_of(h, pid);

	for (unsigned int i = 0; i < nr; i++) {
		struct holder_edge copy = h->edges[i], *edge;

		if ((int)copy.from != parent ||
		    (copy.address && h->nodes[copy.to].kind == HOLDER_EVENT))
			continue;
		edge = hold(h, child, copy.to, copy.how);
		if (edge) {
			edge->fd = copy.fd;
			edge->address = copy.address;
		}
	}
}

/*
 * execve(2) keeps neither, because pload opens everything with O_CLOEXEC. Nor does the end of a
 * process.
 */
static void let_go(struct holders *h, int process)
{
	for (unsigned int i = h->nr_edges; i-- > 0;)
		if ((int)h->edges[i].from == process)
			drop(h, i);
}

static void end_process(struct holders *h, int pid)
{
	const int process = find_process(h, pid);

	if (process < 0)
		return;
	let_go(h, process);
	h->nodes[process].is_live = false;
}

static void duplicate(struct holders *h, int process, int from, int to)
{
	close_fds(h, process, to, to);
	hold_by_fd(h, process, find_fd(h, process, from), to);
}

static void remove_pin(struct holders *h, const char *path)
{
	const int node = path ? find_pin(h, path) : -1;

	if (node >= 0)
		h->nodes[node].is_live = false;
}

static void other_call(struct holders *h, int process, const char *name, struct json_object *call)
{
	struct json_object *args = NULL, *returned = NULL;

	json_object_object_get_ex(call, "args", &args);
	if (!strcmp(name, "close")) {
		close_fds(h, process, array_int(args, 0), array_int(args, 0));
	} else if (!strcmp(name, "close_range")) {
		close_fds(h, process, array_int(args, 0), array_int(args, 1));
	} else if (!strcmp(name, "dup3")) {
		duplicate(h, process, array_int(args, 0), array_int(args, 1));
	} else if (!strcmp(name, "mmap")) {
		map_memory(h, process, call, find_fd(h, process, array_int(args, 4)));
	} else if (!strcmp(name, "munmap")) {
		unmap_memory(h, process, array_text(args, 0));
	} else if (!strcmp(name, "unlinkat")) {
		remove_pin(h, array_text(args, 1));
	} else if (!strcmp(name, "clone")) {
		fork_process(h, process, member_int(call, "result", 0));
	} else if (!strcmp(name, "execve")) {
		let_go(h, process);
	} else if (!strcmp(name, "exit_group")) {
		end_process(h, member_int(call, "pid", 0));
	} else if (!strcmp(name, "ioctl") &&
		   !strcmp(array_text(args, 1), "PERF_EVENT_IOC_SET_BPF")) {
		hold(h, find_fd(h, process, array_int(args, 0)),
		     find_fd(h, process, array_int(args, 2)), "runs");
	} else if (!strcmp(name, "waitid") &&
		   json_object_object_get_ex(call, "returned", &returned)) {
		end_process(h, member_int(json_object_array_get_idx(returned, 0), "si_pid", 0));
	}
}

void holders_apply(struct holders *h, struct json_object *call, bool failed_later)
{
	const char *name = member_text(call, "call", "");
	const int process = process_of(h, member_int(call, "pid", 0));
	struct json_object *args = NULL;
	int made = -1;

	for (unsigned int i = 0; i < h->nr_edges; i++)
		h->edges[i].is_new = false;
	if (failed_later || process < 0 || json_object_object_get_ex(call, "errno", &args))
		return;
	if (!json_object_object_get_ex(call, "args", &args))
		return;
	if (!strcmp(name, "bpf"))
		made = bpf_call(h, process, call, args);
	else if (!strcmp(name, "perf_event_open"))
		made = add_node(h, HOLDER_EVENT, member_text(call, "name", "event"));
	else
		other_call(h, process, name, call);
	if (made >= 0)
		hold_by_fd(h, process, made, member_int(call, "result", -1));
	sweep(h);
}

void holders_free(struct holders *h)
{
	free(h->nodes);
	free(h->edges);
	*h = (struct holders){ 0 };
}
