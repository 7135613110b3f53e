// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Structs of functions: sockets can choose a congestion control written in BPF while it is
 * registered. It runs when a connection is made, and is gone afterwards.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loader/objects/struct_ops/struct_ops.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/net.h"

/* The object in the kernel, with its two structs by names of their own. */
struct ops {
	struct regress_object object;
	struct loading *l;			/* its */
	char plain[16], linked[16];
};

static uint32_t map_called(struct regress *t, const struct ops *o, const char *name)
{
	for (uint32_t i = 0; i < o->l->object.nr_maps; i++)
		if (!strcmp(o->l->object.maps[i].name, name))
			return i;
	regress_fail(t, "there is no map '%s'", name);
}

/* Congestion controls are the whole system's: another run of the suite may have its own. */
static void rename_struct(struct regress *t, struct ops *o, const char *map, char name[16])
{
	const struct object_map *m = &o->l->object.maps[map_called(t, o, map)];
	unsigned char *at = memmem(m->content, m->size, "pload_", strlen("pload_"));

	regress_expect(t, at && at + 16 <= m->content + m->size, "struct '%s' has no name", map);
	snprintf(name, 16, "pl_%.1s_%d", map, (int)getpid());
	memcpy(at, name, 16);
}

/*
 * Skips the test before Linux 5.13, which lacks the struct, and before 6.4, which lacks the link.
 */
static void load_ok(struct regress *t, int ret, const struct error *err)
{
	if (ret && (strstr(err->hint, "Linux 6.4") || strstr(err->what, "no struct")))
		regress_skip(t, "%s", err->what);
	lacks_ok(t, ret, err, "load");
}

static void begin(struct regress *t, struct ops *o)
{
	struct regress_object *obj = &o->object;
	struct error err = { 0 };

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		regress_skip(t, "there is no /sys/kernel/btf/vmlinux");
	*o = (struct ops){ .object.file_fd = regress_file(t, "struct_ops.bpf.o") };
	o->l = &obj->loading;
	snprintf(obj->path, sizeof(obj->path), "/proc/self/fd/%d", obj->file_fd);
	loading_types_init(&obj->types, t->sys, &obj->options);
	load_ok(t, loading_begin(o->l, t->sys, &obj->out, &obj->options, &obj->types, obj->path,
				 &err), &err);
	rename_struct(t, o, "plain", o->plain);
	rename_struct(t, o, "linked", o->linked);
	load_ok(t, loading_maps(o->l, &err), &err);
	for (uint32_t i = 0; i < o->l->object.nr_progs; i++)
		load_ok(t, load_program(o->l, i, &err), &err);
	if (kernel_start_counting(t->sys, &o->l->kernel) < 0)
		regress_skip(t, "this kernel counts no runs, or not for us");
}

static int attach(struct regress *t, struct ops *o, const char *map, int *link_fd,
		  struct error *err)
{
	return struct_ops_attach(&o->l->ops, &o->l->kernel, map_called(t, o, map), link_fd, err);
}

/* Returns whether a socket can choose that congestion control now. */
static bool is_there(struct regress *t, const char *name)
{
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int ret = setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name));

	regress_expect(t, fd >= 0 && (ret == 0 || errno == ENOENT), "TCP_CONGESTION '%s': %s", name,
		       strerror(errno));
	close(fd);
	return !ret;
}

/* One connection over the loopback, which calls init(). */
static void connect_with(struct regress *t, const char *name)
{
	char byte = 1;
	int ends[2];

	net_connect(t, ends, name);
	for (int i = 0; i < 10; i++)
		regress_expect(t, write(ends[0], &byte, 1) == 1 && read(ends[1], &byte, 1) == 1,
			       "no byte comes through: %s", strerror(errno));
	close(ends[0]);
	close(ends[1]);
}

static void expect_runs(struct regress *t, struct ops *o, const char *name)
{
	struct error err = { 0 };
	uint64_t sum = 0;

	regress_expect(t, is_there(t, name), "no socket can have it while it is registered");
	connect_with(t, name);
	regress_ok(t, kernel_count_runs(t->sys, &o->l->kernel, &err), &err, "runs");
	for (uint32_t i = 0; i < o->l->object.nr_progs; i++)
		sum += o->l->kernel.progs[i].run_cnt;
	regress_expect(t, sum > 0, "a connection ran none of its functions");
}

static void by_value(struct regress *t)
{
	struct error err = { 0 };
	struct ops o;
	int link_fd;

	begin(t, &o);
	net_make(t);
	regress_expect(t, !is_there(t, o.plain), "it is there before it is registered");
	load_ok(t, attach(t, &o, "plain", &link_fd, &err), &err);
	regress_expect(t, link_fd == -1, "it has a link");
	expect_runs(t, &o, o.plain);
	regress_expect(t, attach(t, &o, "plain", &link_fd, &err) < 0, "it is registered twice");
	error_clear(&err);
	regress_ok(t, struct_ops_detach(t->sys, &o.l->kernel, map_called(t, &o, "plain"), &err),
		   &err, "detach");
	regress_expect(t, !is_there(t, o.plain), "it is there when it has been taken away");
	regress_unload(t, &o.object);
}

static void by_link(struct regress *t)
{
	struct error err = { 0 };
	struct ops o;
	int link_fd;

	begin(t, &o);
	net_make(t);
	load_ok(t, attach(t, &o, "linked", &link_fd, &err), &err);
	regress_expect(t, link_fd >= 0, "it has no link");
	expect_runs(t, &o, o.linked);
	close(link_fd);
	regress_expect(t, !is_there(t, o.linked), "it is there when its link is closed");
	regress_unload(t, &o.object);
}

/* The name is in use: the kernel's refusal is reported as that, and nothing is left registered. */
static void taken(struct regress *t)
{
	struct error err = { 0 };
	struct ops o, again;
	int link_fd, second, ret;

	begin(t, &o);
	load_ok(t, attach(t, &o, "linked", &link_fd, &err), &err);
	begin(t, &again);
	ret = attach(t, &again, "linked", &second, &err);
	regress_expect(t, ret == -EEXIST && second == -1, "%s", regress_errno(ret));
	regress_expect(t, strstr(err.where, "map 'linked'") &&
		       strstr(err.hint, "with that name is registered"), "it says: %s: %s (%s)", err.where,
		       err.what, err.hint);
	error_clear(&err);
	regress_unload(t, &again.object);
	close(link_fd);
	regress_expect(t, !is_there(t, o.linked), "it is there when its link is closed");
	regress_unload(t, &o.object);
}

static const struct regress_test tests[] = {
	{ "registered by its value, until it is taken away", by_value, NULL, 0 },
	{ "registered while its link is open", by_link, NULL, 0 },
	{ "a name that is taken is EEXIST", taken, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_struct_ops = {
	"struct_ops", "structs of functions that the kernel registers and calls", tests, NULL,
	__FILE__
};
