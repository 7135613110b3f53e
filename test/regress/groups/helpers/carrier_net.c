// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs on cgroups, network namespaces and sockets, and the action that triggers each once. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/attach/link_target.h"
#include "loader/core/kernel/kernel.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/net.h"
#include "test/regress/groups/helpers/carrier.h"

/* --- actions: most in a process of their own, whose end closes its descriptors --- */

/* Port 9 of the loopback address, where nobody listens. */
static struct sockaddr_in loopback(void)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(9),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int datagrams(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

bool act_socket(void)
{
	return datagrams() >= 0;
}

bool act_bind(void)
{
	struct sockaddr_in to = loopback();

	to.sin_port = 0;
	return !bind(datagrams(), (struct sockaddr *)&to, sizeof(to));
}

bool act_connect(void)
{
	const struct sockaddr_in to = loopback();

	return !connect(datagrams(), (const struct sockaddr *)&to, sizeof(to));
}

bool act_sendto(void)
{
	const struct sockaddr_in to = loopback();

	return sendto(datagrams(), "x", 1, 0, (const struct sockaddr *)&to, sizeof(to)) == 1;
}

bool act_getsockopt(void)
{
	int type;
	socklen_t len = sizeof(type);

	return !getsockopt(datagrams(), SOL_SOCKET, SO_TYPE, &type, &len);
}

bool act_setsockopt(void)
{
	const int one = 1;

	return !setsockopt(datagrams(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
}

bool act_device(void)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return fd >= 0 && !close(fd);
}

bool act_sysctl(void)
{
	const int fd = open("/proc/sys/kernel/ostype", O_RDONLY | O_CLOEXEC);
	char byte;

	return fd >= 0 && read(fd, &byte, 1) == 1;
}

bool act_tcp(void)
{
	const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = loopback();
	socklen_t len = sizeof(to);

	to.sin_port = 0;
	return !bind(server, (struct sockaddr *)&to, sizeof(to)) && !listen(server, 1) &&
	       !getsockname(server, (struct sockaddr *)&to, &len) &&
	       !connect(client, (struct sockaddr *)&to, sizeof(to));
}

/* A test run of some program ends in the tracepoint bpf_test_finish. */
bool act_test_run(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = NR(insns),
				.insns = (uintptr_t)insns, .license = (uintptr_t)"GPL" };
	union bpf_attr run = { .test = { .data_in = (uintptr_t)carry_packet(),
					 .data_size_in = 64 } };
	struct sys *sys = sys_linux();
	const int fd = sys_bpf(sys, BPF_PROG_LOAD, &load, sizeof(load));
	int ret;

	run.test.prog_fd = fd;
	ret = fd < 0 ? fd : sys_bpf(sys, BPF_PROG_TEST_RUN, &run, sizeof(run));
	return sys_close(sys, fd) == 0 && ret == 0;
}

/* --- where the program is --- */

static bool has_socket(const struct carried *c)
{
	return c->carrier->by == BY_SOCKETS || c->carrier->by == BY_STREAM;
}

static void make_cgroup(struct regress *t, struct carried *c)
{
	own_dir_make(t, &c->cgroups, "cgroup2");
	snprintf(c->cgroup, sizeof(c->cgroup), "%s/pload-helpers-%d", c->cgroups.dir, getpid());
	if (mkdir(c->cgroup, 0755))
		regress_skip(t, "cannot create a cgroup here: %s", strerror(errno));
}

static void put_socket(struct regress *t, struct carried *c)
{
	const uint64_t fd = c->sockets[0];
	const uint32_t key = 0;

	regress_ok(t, map_update(t->sys, regress_map(t, &c->h.o, "sockets"), &key, &fd, BPF_ANY),
		   NULL, "adding the socket to the map");
}

void carry_attach(struct regress *t, struct carried *c)
{
	const struct object_prog *prog = &c->h.o.loading.object.progs[c->prog];
	struct target_options where = { 0 };
	struct target_request req = {
		.target = link_target_find(prog->kind->prog_type, prog->kind->attach_type),
		.options = &where, .section_target = prog->target, .attach_type = prog->kind->attach_type,
		.prog_fd = c->h.o.loading.kernel.progs[c->prog].fd,
	};
	struct error err = { 0 };

	if (c->carrier->by == BY_CGROUP) {
		make_cgroup(t, c);
		where.cgroup = c->cgroup;
	}
	if (c->carrier->by != BY_FUNCTION && c->carrier->by != BY_HOOK)
		net_make(t);
	if (has_socket(c)) {
		net_connect(t, c->sockets, NULL);
		req.map_fd = regress_map(t, &c->h.o, "sockets");
		req.map = "sockets";
	}
	lacks_ok(t, link_target_bind(t->sys, &req, &c->set, &err), &err, "attach");
	/* A socket has the programs that the map had when it was put in. */
	if (has_socket(c))
		put_socket(t, c);
}

static bool enter(const char *cgroup)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write(fd, "0", 1) == 1 && !close(fd);
}

static bool pass_on(int from, int to, size_t size)
{
	unsigned char bytes[64];

	return send(from, carry_packet(), size, 0) == (ssize_t)size &&
	       recv(to, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

void carry_act(struct regress *t, struct carried *c)
{
	int status = 1;
	pid_t pid;

	if (has_socket(c)) {
		const bool comes_in = c->carrier->by == BY_STREAM;

		regress_expect(t, pass_on(c->sockets[comes_in], c->sockets[!comes_in],
					  comes_in ? c->carrier->packet : 1),
			       "nothing can be sent");
		return;
	}
	/* The program on a hook runs for an action of this process itself. */
	if (c->carrier->by == BY_HOOK) {
		regress_expect(t, c->carrier->act(), "what it is about cannot be done");
		return;
	}
	pid = fork();
	if (pid == 0)
		_exit((c->cgroup[0] && !enter(c->cgroup)) || !c->carrier->act());
	regress_expect(t, pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
		       "what it is about cannot be done");
}

/* A process that was in it may still be on its way out. */
static bool is_removed(void *arg)
{
	return !rmdir(arg) || errno != EBUSY;
}

void carry_detach(struct regress *t, struct carried *c)
{
	attach_close(t->sys, &c->set);
	for (int i = 0; i < 2; i++)
		sys_close_fd(t->sys, &c->sockets[i]);
	if (!c->cgroup[0])
		return;
	regress_expect(t, regress_until(is_removed, c->cgroup), "the cgroup cannot be removed");
	own_dir_end(&c->cgroups);
}
