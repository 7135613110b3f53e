// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs of every type that can run here, and the action that triggers each. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/common/lacks.h"
#include "test/regress/groups/helpers/carrier.h"
#include "loader/base/kernel/kernel_calls.h"

/*
 * The system call's function by its full name: searching the kernel's symbols for it is slow under
 * emulation.
 */
#if defined(__aarch64__)
#define GETPPID "__arm64_sys_getppid"
#elif defined(__s390x__)
#define GETPPID "__s390x_sys_getppid"
#else
#define GETPPID "__x64_sys_getppid"
#endif

static void ask_parent(void)
{
	getppid();
}

#define TESTED(name, packet, ctx, reads) { name, BY_TEST_RUN, NULL, NULL, NULL, packet, ctx, reads }
#define ACTED(name, by, act) { name, by, NULL, act, NULL, 0, 0, false }

/*
 * lwt_seg6local is missing: it requires a route of IPv6 segments, and BPF_PROG_TEST_RUN refuses it.
 */
const struct carrier carriers[] = {
	{ "perf_event", BY_FAULT, NULL, NULL, NULL, 0, 0, true },
	{ "tracepoint", BY_EVENT, ask_parent, NULL, "syscalls:sys_enter_getppid", 0, 0, true },
	{ "kprobe", BY_EVENT, ask_parent, NULL, "kprobe:" GETPPID, 0, 0, true },
	{ "uprobe", BY_EVENT, firing_function, NULL, "uprobe:" FIRING_PATH ":%u", 0, 0, true },
	TESTED("raw_tp", 0, 16, true),
	{ "raw_tp_w", BY_HOOK, NULL, act_test_run, NULL, 0, 0, true },
	{ "fentry", BY_FUNCTION, NULL, NULL, NULL, 0, 0, true },
	{ "lsm", BY_HOOK, NULL, act_device, NULL, 0, 0, true },
	TESTED("xdp", 64, 0, false),
	TESTED("tc", 64, 0, false),
	TESTED("action", 64, 0, false),
	TESTED("socket", 64, 0, false),
	TESTED("cgroup_skb", 64, 0, false),
	TESTED("lwt_in", 64, 0, false),
	TESTED("lwt_out", 64, 0, false),
	TESTED("lwt_xmit", 64, 0, false),
	ACTED("cgroup_sock", BY_CGROUP, act_socket),
	ACTED("cgroup_bind4", BY_CGROUP, act_bind),
	ACTED("cgroup_connect4", BY_CGROUP, act_connect),
	ACTED("cgroup_sendmsg4", BY_CGROUP, act_sendto),
	ACTED("cgroup_getsockopt", BY_CGROUP, act_getsockopt),
	ACTED("cgroup_setsockopt", BY_CGROUP, act_setsockopt),
	ACTED("cgroup_dev", BY_CGROUP, act_device),
	ACTED("cgroup_sysctl", BY_CGROUP, act_sysctl),
	ACTED("sockops", BY_CGROUP, act_tcp),
	ACTED("sk_lookup", BY_NETNS, act_tcp),
	ACTED("sk_msg", BY_SOCKETS, NULL),
	{ "sk_skb", BY_STREAM, NULL, NULL, NULL, 64, 0, false },
};

const unsigned int nr_carriers = NR(carriers);

/* Ethernet of type IPv4, and a header of that: some types look whether it is one. */
static const unsigned char packet[64] = {
	2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00,
	0x45, 0, 0, 50, 0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 2,
	0, 7, 0, 8, 0, 30, 0, 0, 'p', 'a', 'c', 'k', 'e', 't', 's', ' ',
	'h', 'a', 'v', 'e', ' ', 'b', 'y', 't', 'e', 's', ' ', 't', 'o', 'o',
};

const unsigned char *carry_packet(void)
{
	return packet;
}

/* On the first CPU that this process may use. */
static void settle(struct regress *t, struct carried *c)
{
	cpu_set_t all, one;

	c->here = c->there = -1;
	regress_expect(t, !sched_getaffinity(0, sizeof(all), &all), "which CPUs are ours: %s",
		       strerror(errno));
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &all))
			continue;
		if (c->here < 0)
			c->here = i;
		else if (c->there < 0)
			c->there = i;
	}
	CPU_ZERO(&one);
	CPU_SET(c->here, &one);
	regress_expect(t, !sched_setaffinity(0, sizeof(one), &one), "CPU %d is not ours", c->here);
}

static void bind_event(struct regress *t, struct carried *c)
{
	char text[128], self[16];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };
	const char *offset = strstr(c->carrier->event, "%u");
	struct helper_run *h = &c->h;
	struct attach_request req;
	struct error err = { 0 };

	if (offset)
		snprintf(text, sizeof(text), "%.*s0x%llx", (int)(offset - c->carrier->event),
			 c->carrier->event, (unsigned long long)firing_function_offset());
	else
		snprintf(text, sizeof(text), "%s", c->carrier->event);
	snprintf(self, sizeof(self), "%d", gettid());
	regress_event(t, &h->spec, text);
	if (h->spec.kind == EVENT_UPROBE) {
		/* The kernel accepts the path without a search for it. */
		h->spec.resolved = true;
		h->spec.uprobe.file_offset = h->spec.uprobe.offset;
	}
	regress_ok(t, event_scope_init(t->sys, &h->scope, &asked, &err), &err, "scope");
	req = (struct attach_request){
		.method = attach_method_find("ioctl", NULL), .spec = &h->spec,
		.scope = &h->scope, .prog_fd = h->o.loading.kernel.progs[c->prog].fd,
		.prog_type = event_prog_type(&h->spec),
	};
	regress_ok(t, attach_prog(t->sys, &req, &h->set, &err), &err, text);
	regress_ok(t, attach_enable(t->sys, &h->set, &err), &err, text);
}

/* Without bpf among the LSMs a program loads and attaches, but never runs. */
static void need_bpf_lsm(struct regress *t)
{
	int fd = sys_open_detached(t->sys, "securityfs");
	char list[256];

	if (sys_read_text(t->sys, fd, "lsm", list, sizeof(list)) > 0 && !strstr(list, "bpf"))
		regress_skip(t, "bpf is not among this kernel's LSMs: %s", list);
	sys_close_fd(t->sys, &fd);
}

void carry_begin(struct regress *t, struct carried *c, const char *object,
		 const struct carrier *carrier)
{
	struct error err = { 0 };
	char name[16] = "", prog[32];
	int ret;

	if (!strcmp(carrier->name, "lsm"))
		need_bpf_lsm(t);
	*c = (struct carried){ .sys = t->sys, .carrier = carrier, .sockets = { -1, -1 } };
	settle(t, c);
	snprintf(name, sizeof(name), "pload%d", getpid());
	prctl(PR_SET_NAME, name);
	memcpy(c->h.io.text, name, 16);
	snprintf(prog, sizeof(prog), "by_%s", carrier->name);
	ret = regress_try_load(t, &c->h.o, object, prog, &err);
	if (ret == -ENOMEM && carrier->by == BY_FUNCTION)
		regress_skip(t, "this kernel has no trampolines for functions");
	lacks_ok(t, ret, &err, prog);
	c->h.io_fd = regress_map(t, &c->h.o, "io");
	while (strcmp(c->h.o.loading.object.progs[c->prog].name, prog))
		c->prog++;
	if (carrier->by == BY_FAULT)
		helper_bind(t, &c->h, regress_prog(t, &c->h.o, prog), "ioctl", 0);
	else if (carrier->by == BY_EVENT)
		bind_event(t, c);
	else if (carrier->by != BY_TEST_RUN)
		carry_attach(t, c);
}

static void test_run(struct regress *t, struct carried *c)
{
	unsigned char data[sizeof(packet)];
	uint64_t ctx[8] = { 0 };
	const struct test_input in = {
		.data = c->carrier->packet ? data : NULL, .size = c->carrier->packet,
		.ctx = c->carrier->ctx ? ctx : NULL, .ctx_size = c->carrier->ctx,
	};
	struct error err = { 0 };
	uint32_t retval;
	int ret;

	memcpy(data, packet, sizeof(data));
	ret = kernel_test_run(t->sys, &c->h.o.loading.kernel, c->prog, &in, &retval, &err);
	if (ret == -KERNEL_ENOTSUPP)
		regress_skip(t, "programs of this type cannot be run for a test here");
	regress_ok(t, ret, &err, "BPF_PROG_TEST_RUN");
}

/* A packet from a network device may be processed by a thread, later. */
static bool has_run(void *arg)
{
	struct carried *c = arg;
	const uint32_t key = 0;

	return map_lookup(c->sys, c->h.io_fd, &key, &c->h.io) < 0 || c->h.io.runs;
}

void carry_fire(struct regress *t, struct carried *c)
{
	struct helper_run *h = &c->h;
	const uint32_t key = 0;

	if (c->carrier->by == BY_FAULT) {
		helper_fire(t, h);
		return;
	}
	h->io.runs = 0;
	memset(h->io.ret, 0, sizeof(h->io.ret));
	memset(h->io.out, 0, sizeof(h->io.out));
	regress_ok(t, map_update(t->sys, h->io_fd, &key, &h->io, BPF_ANY), NULL, "telling it");
	if (c->carrier->work)
		c->carrier->work();
	else if (c->carrier->by == BY_TEST_RUN || c->carrier->by == BY_FUNCTION)
		test_run(t, c);
	else
		carry_act(t, c);
	regress_until(has_run, c);
	regress_ok(t, map_lookup(t->sys, h->io_fd, &key, &h->io), NULL, "asking it");
	regress_expect(t, h->io.runs == 1, "it ran %llu times, not once",
		       (unsigned long long)h->io.runs);
}

void carry_end(struct regress *t, struct carried *c)
{
	if (c->carrier->by == BY_FAULT) {
		helper_end(t, &c->h);
		return;
	}
	attach_close(t->sys, &c->h.set);
	event_scope_free(t->sys, &c->h.scope);
	carry_detach(t, c);
	regress_unload(t, &c->h.o);
}
