// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests that leave something, each one kind of thing. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/self/self.h"
#include "loader/base/kernel/kernel_calls.h"

static int make_map(struct regress *t)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4,
				.max_entries = 1, .map_name = "left_map" };
	const int fd = sys_bpf(t->sys, BPF_MAP_CREATE, &attr, sizeof(attr));

	regress_denied(t, "a map", regress_errno(fd));
	return regress_ok(t, fd, NULL, "a map");
}

static void pin(struct regress *t, int fd, const char *path)
{
	const int ret = kernel_pin(t->sys, fd, path);

	if (ret < 0)
		regress_skip(t, "%s: %s", path, regress_errno(ret));
	sys_close(t->sys, fd);
}

static void leave_map(struct regress *t)
{
	pin(t, make_map(t), "/sys/fs/bpf/left_map");
}

static void leave_nothing(struct regress *t)
{
	sys_close(t->sys, make_map(t));
}

static void leave_link(struct regress *t)
{
	const struct event_scope_options asked = { 0 };
	struct firing_prog prog = { 0 };
	struct attach_set set = { 0 };
	struct event_scope scope = { 0 };
	struct event_spec spec = { 0 };
	struct attach_request req;
	struct error err = { 0 };

	regress_event(t, &spec, "page-faults,period=1");
	regress_ok(t, event_scope_init(t->sys, &scope, &asked, &err), &err, "scope");
	regress_ok(t, firing_prog_load(t->sys, &prog, event_prog_type(&spec), 1, &err), &err,
		   "program");
	req = (struct attach_request){ .method = attach_method_find("link", NULL), .spec = &spec,
				       .scope = &scope, .prog_fd = prog.prog_fd,
				       .prog_type = prog.prog_type };
	regress_ok(t, attach_prog(t->sys, &req, &set, &err), &err, "link");
	for (unsigned int i = 0; i < set.nr; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/sys/fs/bpf/left_link_%u", i);
		pin(t, sys_dup3(t->sys, set.list[i].link_fd, 200 + i, O_CLOEXEC), path);
	}
	attach_close(t->sys, &set);
	firing_prog_close(t->sys, &prog);
	event_scope_free(t->sys, &scope);
}

static void leave_directory(struct regress *t)
{
	if (mkdir("/sys/fs/bpf/left", 0700) || mkdir("/sys/fs/bpf/left/below", 0700))
		regress_skip(t, "no bpffs: %s", strerror(errno));
}

static void leave_descriptor(struct regress *t)
{
	regress_expect(t, open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0, "no /dev/null");
}

static void close_descriptor(struct regress *t)
{
	(void)t;
	close(STDIN_FILENO);
}

/* Which has a session of its own, and a parent that is no more. */
static void leave_process(struct regress *t)
{
	const pid_t pid = fork();

	regress_expect(t, pid >= 0, "no process");
	if (pid)
		return;
	setsid();
	if (!t->data)
		for (;;)
			pause();
	if (fork() == 0)
		usleep(100000);
	_exit(0);
}

static void leave_mount(struct regress *t)
{
	if (mount("none", "/tmp", "tmpfs", 0, NULL))
		regress_skip(t, "no mount: %s", strerror(errno));
}

static void leave_cgroup(struct regress *t)
{
	static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	char path[128];

	for (size_t i = 0; i < NR(places); i++) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", places[i]);
		if (access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), "%s/left-%d", places[i], getpid());
		if (!mkdir(path, 0755))
			return;
	}
	regress_skip(t, "cannot create a cgroup");
}

static void leave_line(struct regress *t)
{
	const int fd = open("/sys/kernel/tracing/uprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0 || dprintf(fd, "p:pload/left_%d_0 /proc/self/exe:0x40", getpid()) < 0)
		regress_skip(t, "no line: %s", strerror(errno));
	close(fd);
}

/*
 * The test fails before it has removed its pin, and is reported as failed rather than for a leak.
 */
static void leave_and_fail(struct regress *t)
{
	kernel_pin(t->sys, make_map(t), "/sys/fs/bpf/left_by_failed");
	regress_fail(t, "in the midst of it");
}

static void leave_and_skip(struct regress *t)
{
	pin(t, make_map(t), "/sys/fs/bpf/left_by_skipped");
	regress_skip(t, "it has found out later");
}

/* Programs on a cgroup that another process has created stay when the test ends. */
static void attach_and_skip(struct regress *t)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_CGROUP_SKB, .insn_cnt = 2,
				.insns = (uintptr_t)insns, .license = (uintptr_t)"GPL" };
	const char *path = getenv("SELF_CGROUP");
	union bpf_attr attach = { .attach_type = BPF_CGROUP_INET_EGRESS };
	int ret;

	if (!path || !path[0])
		regress_skip(t, "no cgroup was created for it");
	attach.attach_bpf_fd = regress_ok(t, sys_bpf(t->sys, BPF_PROG_LOAD, &load, sizeof(load)),
					  NULL, "a program");
	attach.target_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = sys_bpf(t->sys, BPF_PROG_ATTACH, &attach, sizeof(attach));
	regress_skip(t, ret < 0 ? "it cannot be attached" : "it has found out later");
}

/* --- the process "holds" keeps things for a while, as a grace period would --- */

static bool is_there(void *path)
{
	return !access(path, F_OK);
}

static void wait_for(struct regress *t, const char *name)
{
	regress_expect(t, regress_until(is_there, (void *)self_file(name)), "no file %s", name);
}

static void release_late(struct regress *t)
{
	const int fd = make_map(t);
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);
	char new[4096];
	FILE *file;

	regress_ok(t, kernel_fd_info(t->sys, fd, &info, &len), NULL, "the map");
	snprintf(new, sizeof(new), "%s", self_file("late.new"));
	file = fopen(new, "we");
	regress_expect(t, file, "no file");
	fprintf(file, "%u\n", info.id);
	fclose(file);
	regress_expect(t, !rename(new, self_file("late")), "no file");
	wait_for(t, "held");
	file = t->data ? fopen(self_file("kmsg"), "ae") : NULL;
	if (file) {
		fprintf(file, "%s\n", (const char *)t->data);
		fclose(file);
	}
	sys_close(t->sys, fd);
}

static void hold(struct regress *t)
{
	unsigned int id = 0;
	FILE *file;
	int fd;

	wait_for(t, "late");
	file = fopen(self_file("late"), "re");
	regress_expect(t, file && fscanf(file, "%u", &id) == 1, "no id");
	fclose(file);
	fd = regress_ok(t, kernel_fd_by_id(t->sys, BPF_MAP_GET_FD_BY_ID, id), NULL, "the map");
	fclose(fopen(self_file("held"), "we"));
	sleep(4);
	sys_close(t->sys, fd);
}

#define RCU_SAYS \
	"6,8,80,-;rcu_tasks_wait_gp: rcu_tasks_trace grace period number 5 (since boot) is 2503 " \
	"jiffies old."

static const struct regress_test lates[] = {
	{ "holds", hold, NULL, 0 },
	{ "released late", release_late, NULL, 0 },
	{ "released late, and the kernel says so", release_late, RCU_SAYS, 0 },
	{ 0 }
};

const struct regress_group self_late = {
	"late", "what is not released at once", lates, NULL, __FILE__
};

static const struct regress_test leaves[] = {
	{ "nothing", leave_nothing, NULL, 0 },
	{ "a map", leave_map, NULL, 0 },
	{ "a link", leave_link, NULL, 0 },
	{ "a directory", leave_directory, NULL, 0 },
	{ "a descriptor", leave_descriptor, NULL, 0 },
	{ "one descriptor less", close_descriptor, NULL, 0 },
	{ "a process", leave_process, NULL, 0 },
	{ "processes that end", leave_process, "", 0 },
	{ "a mount", leave_mount, NULL, 0 },
	{ "a cgroup", leave_cgroup, NULL, 0 },
	{ "a line of a probe", leave_line, NULL, 0 },
	{ "a map, and has failed", leave_and_fail, NULL, 0 },
	{ "a map, and is skipped", leave_and_skip, NULL, 0 },
	{ "a program of a cgroup, and is skipped", attach_and_skip, NULL, 0 },
	{ "again nothing", leave_nothing, NULL, 0 },
	{ 0 }
};

const struct regress_group self_leaves = {
	"leaves", "what is left behind", leaves, NULL, __FILE__
};
