// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The graph of holders that pload step computes from calls is that of the kernel, after each call:
 * by /proc/PID/fd, BPF_OBJ_GET_INFO_BY_FD, and the ids that still exist.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/looking.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/base/calls/processes.h"
#include "loader/base/text/text_stream.h"
#include "loader/observe/step/holders.h"
#include "loader/base/json/parse_json.h"
#include "test/regress/common/own_dir.h"
#include "test/regress/common/stress.h"

#define NODES_MAX 512
#define WAIT_NS 5000000000ull	/* a pin's inode goes after a grace period */

/* Passes calls to a trace, and compares the graph with the kernel after each. */
struct checking {
	struct sys sys;
	struct regress *t;
	struct sys *kernel, *trace;
	struct text_stream calls;
	size_t seen;
	struct holders graph;
	uint32_t ids[NODES_MAX];	/* by node; 0: not known */
	unsigned int nr_checks;
};

/* --- one descriptor --- */

static const char *const links[] = {
	[HOLDER_BTF] = "anon_inode:btf", [HOLDER_MAP] = "anon_inode:bpf-map",
	[HOLDER_PROG] = "anon_inode:bpf-prog", [HOLDER_EVENT] = "anon_inode:[perf_event]",
	[HOLDER_LINK] = "anon_inode:bpf_link", [HOLDER_OTHER] = NULL,
};

static void check_fd(struct checking *c, const struct holder_edge *edge)
{
	const struct holder_node *process = &c->graph.nodes[edge->from];
	const struct holder_node *object = &c->graph.nodes[edge->to];
	char path[64], target[64] = "";
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", process->pid, edge->fd);
	len = readlink(path, target, sizeof(target) - 1);
	/* "anon_inode:bpf_link" is "bpf-link" before Linux 6.8 */
	regress_expect(c->t, len > 0 && links[object->kind] &&
		       (!strcmp(target, links[object->kind]) ||
			(object->kind == HOLDER_LINK && strstr(target, "link"))),
		       "%s: '%s', and it should be %s", path, target, object->name);
}

/* The id is the second field of each struct bpf_*_info, but for BTF. */
static uint32_t id_of(struct checking *c, const struct holder_edge *edge)
{
	union {
		struct bpf_prog_info prog;
		struct bpf_map_info map;
		struct bpf_link_info link;
		struct bpf_btf_info btf;
	} info;
	uint32_t len = sizeof(info);

	memset(&info, 0, sizeof(info));
	switch (c->graph.nodes[edge->to].kind) {
	case HOLDER_PROG:
		len = sizeof(info.prog);
		break;
	case HOLDER_MAP:
		len = sizeof(info.map);
		break;
	case HOLDER_LINK:
		len = sizeof(info.link);
		break;
	case HOLDER_BTF:
		len = sizeof(info.btf);
		break;
	default:
		return 0;
	}
	if (kernel_fd_info(c->kernel, edge->fd, &info, &len) < 0)
		return 0;
	return c->graph.nodes[edge->to].kind == HOLDER_BTF ? info.btf.id : info.prog.id;
}

/* --- one program or link: what it holds, by the kernel --- */

static bool graph_holds(const struct checking *c, unsigned int from, enum holder_kind kind,
			uint32_t id)
{
	for (unsigned int i = 0; i < c->graph.nr_edges; i++) {
		const struct holder_edge *edge = &c->graph.edges[i];

		if (edge->from == from && c->graph.nodes[edge->to].kind == kind &&
		    c->ids[edge->to] == id)
			return true;
	}
	return false;
}

static unsigned int nr_held(const struct checking *c, unsigned int from, enum holder_kind kind)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < c->graph.nr_edges; i++)
		nr += c->graph.edges[i].from == from &&
		      c->graph.nodes[c->graph.edges[i].to].kind == kind;
	return nr;
}

static void check_prog(struct checking *c, const struct holder_edge *edge)
{
	uint32_t maps[16] = { 0 }, len = sizeof(struct bpf_prog_info);
	struct bpf_prog_info info = { .map_ids = attr_pointer(maps), .nr_map_ids = 16 };

	if (kernel_fd_info(c->kernel, edge->fd, &info, &len) < 0)
		return;
	regress_expect(c->t, nr_held(c, edge->to, HOLDER_MAP) == info.nr_map_ids,
		       "%s holds %u maps, and the graph has %u", c->graph.nodes[edge->to].name,
		       info.nr_map_ids, nr_held(c, edge->to, HOLDER_MAP));
	for (uint32_t i = 0; i < info.nr_map_ids && i < 16; i++)
		regress_expect(c->t, graph_holds(c, edge->to, HOLDER_MAP, maps[i]),
			       "%s holds map %u, and not by the graph",
			       c->graph.nodes[edge->to].name, maps[i]);
	regress_expect(c->t, nr_held(c, edge->to, HOLDER_BTF) == (info.btf_id != 0),
		       "%s has BTF %u, and the graph %u", c->graph.nodes[edge->to].name,
		       info.btf_id, nr_held(c, edge->to, HOLDER_BTF));
}

static void check_link(struct checking *c, const struct holder_edge *edge)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);

	if (!kernel_fd_info(c->kernel, edge->fd, &info, &len))
		regress_expect(c->t, graph_holds(c, edge->to, HOLDER_PROG, info.prog_id),
			       "the link runs program %u, and not by the graph", info.prog_id);
}

/* --- ids: a node lives in the graph as long as its id exists --- */

static bool exists(struct checking *c, enum holder_kind kind, uint32_t id)
{
	static const int commands[] = {
		[HOLDER_BTF] = BPF_BTF_GET_FD_BY_ID, [HOLDER_MAP] = BPF_MAP_GET_FD_BY_ID,
		[HOLDER_PROG] = BPF_PROG_GET_FD_BY_ID, [HOLDER_LINK] = BPF_LINK_GET_FD_BY_ID,
	};
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;	/* a union of all ids */
	fd = sys_bpf(c->kernel, commands[kind], &attr, ATTR_SIZE(open_flags));
	if (fd == -EPERM)
		regress_skip(c->t, "only CAP_SYS_ADMIN can find out whether an id exists");
	if (fd >= 0)
		sys_close(c->kernel, fd);
	return fd >= 0;
}

static void check_ids(struct checking *c)
{
	for (unsigned int i = 0; i < c->graph.nr_nodes; i++) {
		const struct holder_node *node = &c->graph.nodes[i];
		struct sys_looking looking = sys_looking(WAIT_NS);

		if (!c->ids[i])
			continue;
		while (!node->is_live && exists(c, node->kind, c->ids[i]))
			if (!sys_look_again(&looking))
				break;
		regress_expect(c->t, exists(c, node->kind, c->ids[i]) == node->is_live,
			       "%s (id %u) %s, and by the graph it %s", node->name, c->ids[i],
			       node->is_live ? "has ended" : "exists",
			       node->is_live ? "lives" : "has ended");
		if (!node->is_live)
			c->ids[i] = 0;	/* the kernel uses it again */
	}
}

static void compare(struct checking *c)
{
	for (unsigned int i = 0; i < c->graph.nr_edges; i++) {
		const struct holder_edge *edge = &c->graph.edges[i];
		uint32_t id;

		if (edge->fd < 0)
			continue;
		check_fd(c, edge);
		if (c->graph.nodes[edge->from].pid != getpid())
			continue;
		id = id_of(c, edge);
		regress_expect(c->t, !c->ids[edge->to] || c->ids[edge->to] == id,
			       "fd %d is object %u, and by the graph %u", edge->fd, id,
			       c->ids[edge->to]);
		c->ids[edge->to] = id;
	}
	for (unsigned int i = 0; i < c->graph.nr_edges; i++) {
		const struct holder_edge *edge = &c->graph.edges[i];

		if (edge->fd < 0 || c->graph.nodes[edge->from].pid != getpid())
			continue;
		if (c->graph.nodes[edge->to].kind == HOLDER_PROG)
			check_prog(c, edge);
		else if (c->graph.nodes[edge->to].kind == HOLDER_LINK)
			check_link(c, edge);
	}
	check_ids(c);
	c->nr_checks++;
}

/* --- the seam --- */

static long check_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct checking *c = (struct checking *)sys;
	const long ret = c->trace->enter(c->trace, nr, arg);
	struct json_object *call = NULL;
	struct error err = { 0 };

	if (nr == __NR_clone && ret == 0)
		return ret;
	fflush(c->calls.file);
	regress_ok(c->t, json_parse(c->calls.text + c->seen, c->calls.len - c->seen, &call, &err),
		   &err, "the call as JSON");
	c->seen = c->calls.len;
	holders_apply(&c->graph, call, false);
	json_object_put(call);
	regress_expect(c->t, c->graph.nr_nodes < NODES_MAX && !c->graph.no_memory, "%u nodes",
		       c->graph.nr_nodes);
	compare(c);
	return ret;
}

static void checking_begin(struct regress *t, struct checking *c)
{
	*c = (struct checking){ .sys.enter = check_enter, .t = t, .kernel = t->sys };
	regress_expect(t, text_stream_open(&c->calls), "no memory");
	c->trace = sys_trace(t->sys, c->calls.file, TRACE_JSON);
	regress_expect(t, c->trace, "no memory");
	t->sys = &c->sys;
}

static void checking_end(struct regress *t, struct checking *c)
{
	unsigned int live = 0;

	t->sys = c->kernel;
	for (unsigned int i = 0; i < c->graph.nr_nodes; i++)
		live += c->graph.nodes[i].is_live && c->graph.nodes[i].kind != HOLDER_PROCESS;
	regress_expect(t, !live, "%u objects are left in the graph", live);
	regress_expect(t, c->nr_checks > 10, "only %u calls", c->nr_checks);
	sys_trace_free(c->trace);
	free(text_stream_close(&c->calls));
	holders_free(&c->graph);
}

/* --- the tests --- */

static bool lives(const struct checking *c, const char *name)
{
	for (unsigned int i = 0; i < c->graph.nr_nodes; i++)
		if (c->graph.nodes[i].is_live && !strcmp(c->graph.nodes[i].name, name))
			return true;
	return false;
}

/* A child that holds what this process has open, until it is killed. */
static pid_t fork_idle(struct checking *c)
{
	const pid_t pid = sys_fork(&c->sys, SIGCHLD);

	while (pid == 0)
		pause();
	regress_expect(c->t, pid > 0, "clone: %s", regress_errno(pid));
	return pid;
}

static void end_child(struct checking *c, pid_t pid)
{
	siginfo_t info = { 0 };

	kill(pid, SIGKILL);
	regress_expect(c->t, !sys_waitid(&c->sys, pid, &info, WEXITED), "waitid");
}

static void close_and_fork(struct regress *t)
{
	static struct checking c;
	struct regress_object o;
	struct stress s;
	pid_t pid;

	checking_begin(t, &c);
	regress_load(t, &o, "scope", "counted");
	stress_begin(t, &s, &c.sys, &stress_kinds[STRESS_FAULTS], t->data, NULL);
	stress_attach(&s);
	sys_close_fd(&c.sys, &s.prog.prog_fd);	/* the event or the link holds it */
	pid = fork_idle(&c);
	stress_end(&s);
	regress_expect(t, lives(&c, "prog pload_firing") || c.graph.nr_edges > 2,
		       "the child holds nothing");
	end_child(&c, pid);
	regress_unload(t, &o);
	checking_end(t, &c);
}

static void pin_and_unpin(struct regress *t)
{
	static struct checking c;
	struct own_dir bpffs;
	struct stress s;
	char path[64];

	own_dir_make(t, &bpffs, "bpf");
	snprintf(path, sizeof(path), "%s/link", bpffs.dir);
	checking_begin(t, &c);
	stress_begin(t, &s, &c.sys, &stress_kinds[STRESS_FAULTS], "link", NULL);
	stress_attach(&s);
	regress_expect(t, !kernel_pin(&c.sys, s.set.list[0].link_fd, path), "pin");
	stress_end(&s);
	regress_expect(t, c.graph.nr_edges >= 4, "the pin holds %u", c.graph.nr_edges);
	regress_expect(t, !sys_unlinkat(&c.sys, path), "unlink");
	checking_end(t, &c);
	own_dir_end(&bpffs);
}

static const struct regress_test tests[] = {
	{ "by ioctl, with close, exit and fork: the graph of holders is the kernel's",
	  close_and_fork, "ioctl", 0 },
	{ "by pmu, with close, exit and fork: the graph of holders is the kernel's",
	  close_and_fork, "pmu", 0 },
	{ "by link, with close, exit and fork: the graph of holders is the kernel's",
	  close_and_fork, "link", 0 },
	{ "by link, pinned and unpinned: the graph of holders is the kernel's", pin_and_unpin,
	  NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_holders = {
	"holders", "who holds whom, computed from calls", tests, NULL, __FILE__
};
