// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attach targets other than perf events: each program runs for what happens at its target while its
 * link is open, and not afterwards. Each test has its own network namespace and cgroup.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/attach/link_target.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/net.h"
#include "test/regress/common/own_dir.h"

#define DATAGRAMS 5

static const struct row {
	const char *name, *prog;
	bool in_cgroup;
	uint64_t least; /* runs for one act() */
	struct target_options where;
} rows[] = {
	{ "xdp", "xdp_pass", false, DATAGRAMS, { .device = "lo" } },
	{ "xdp, without the driver", "xdp_pass", false, DATAGRAMS,
	  { .device = "lo", .xdp_flags = 1 << 1 } },
	{ "tcx ingress", "tcx_ingress", false, DATAGRAMS, { .device = "lo" } },
	{ "tcx egress of SEC(\"tc/egress\")", "tcx_egress", false, DATAGRAMS, { .device = "lo" } },
	{ "tcx of SEC(\"tc\")", "tc_either", false, DATAGRAMS,
	  { .device = "lo", .direction = BPF_TCX_EGRESS, .has_direction = true } },
	{ "cgroup skb", "cgroup_skb", true, DATAGRAMS, { 0 } },
	{ "cgroup connect4", "cgroup_connect4", true, 1, { 0 } },
	{ "cgroup sock_create", "cgroup_sock", true, 1, { 0 } },
	{ "cgroup getsockopt", "cgroup_getsockopt", true, 1, { 0 } },
	{ "sk_lookup", "lookup", false, 1, { 0 } },
	{ "raw tracepoint", "raw_tp", false, DATAGRAMS, { 0 } },
	{ "tp_btf", "tp_btf", false, DATAGRAMS, { 0 } },
	{ "fentry", "fentry", false, 1, { 0 } },
};

/* --- actions --- */

static bool write_file(const char *where, const char *name, const char *text)
{
	char path[128];
	int fd;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", where, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, strlen(text)) > 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Send datagrams over lo, and wait for each: then it has passed every hook. */
static bool send_datagrams(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval patience = { .tv_sec = 10 };
	socklen_t len = sizeof(to);
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0), type;
	char byte = 0;

	if (in < 0 || out < 0 || bind(in, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(in, (struct sockaddr *)&to, &len) ||
	    setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    connect(out, (struct sockaddr *)&to, sizeof(to)))
		return false;
	len = sizeof(type);
	getsockopt(out, SOL_SOCKET, SO_TYPE, &type, &len);
	for (int i = 0; i < DATAGRAMS; i++)
		if (send(out, &byte, 1, 0) != 1 || recv(in, &byte, 1, 0) != 1)
			return false;
	return true;
}

/* In a process of its own, which is in @cgroup if that is not NULL. */
static bool act(const char *cgroup)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0)
		_exit((cgroup && !write_file(cgroup, "cgroup.procs", "0")) || !send_datagrams());
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* --- a row --- */

/* The object, the attach target and the attachment of one test. */
struct stage {
	struct regress_object object;
	struct own_dir cgroups;
	char cgroup[64];
	const char *inside;	/* the cgroup, if the target is one */
	struct target_options where;
	struct target_request req;
	struct attach_set set;
	uint32_t prog;
};

static uint64_t runs(struct regress *t, struct stage *s)
{
	struct error err = { 0 };

	regress_ok(t, kernel_count_runs(t->sys, &s->object.loading.kernel, &err), &err, "runs");
	return s->object.loading.kernel.progs[s->prog].run_cnt;
}

static void make_cgroup(struct regress *t, struct stage *s)
{
	own_dir_make(t, &s->cgroups, "cgroup2");
	snprintf(s->cgroup, sizeof(s->cgroup), "%s/pload-points-%d", s->cgroups.dir, getpid());
	if (mkdir(s->cgroup, 0755))
		regress_skip(t, "cannot create a cgroup here: %s", strerror(errno));
	s->inside = s->cgroup;
}

/* A process that was in it may still be exiting. */
static bool is_removed(void *arg)
{
	return !rmdir(arg) || errno != EBUSY;
}

static void begin(struct regress *t, struct stage *s, const struct row *row)
{
	struct loading *l = &s->object.loading;
	const struct object_prog *prog;
	struct error err = { 0 };

	*s = (struct stage){ .where = row->where };
	net_make(t);
	if (row->in_cgroup)
		make_cgroup(t, s);
	lacks_ok(t, regress_try_load(t, &s->object, "points", row->prog, &err), &err, "load");
	if (kernel_start_counting(t->sys, &l->kernel) < 0)
		regress_skip(t, "this kernel counts no runs, or not for us");
	while (strcmp(l->object.progs[s->prog].name, row->prog))
		s->prog++;
	prog = &l->object.progs[s->prog];
	s->where.cgroup = s->inside;
	s->req = (struct target_request){
		.options = &s->where,
		.prog_fd = regress_prog(t, &s->object, row->prog),
		.attach_type = prog->kind->attach_type,
		.section_target = prog->target,
		.target = link_target_find(prog->kind->prog_type, prog->kind->attach_type),
	};
}

static void end(struct regress *t, struct stage *s)
{
	regress_unload(t, &s->object);
	if (s->inside) {
		regress_expect(t, regress_until(is_removed, s->cgroup),
			       "the cgroup cannot be removed: %s", strerror(errno));
		own_dir_end(&s->cgroups);
	}
}

static void test(struct regress *t)
{
	const struct row *row = t->data;
	struct error err = { 0 };
	uint64_t during, after;
	struct stage s;

	begin(t, &s, row);
	lacks_ok(t, link_target_check(&s.req, &err), &err, "check");
	lacks_ok(t, link_target_bind(t->sys, &s.req, &s.set, &err), &err, "attach");
	regress_expect(t, act(s.inside), "no datagrams could be sent while it was attached");
	during = runs(t, &s);
	regress_expect(t, during >= row->least, "%" PRIu64 " runs of at least %" PRIu64, during,
		       row->least);
	attach_close(t->sys, &s.set);
	during = runs(t, &s);
	regress_expect(t, act(s.inside), "no datagrams could be sent afterwards");
	after = runs(t, &s);
	regress_expect(t, after == during, "%" PRIu64 " runs after its link was closed",
		       after - during);
	end(t, &s);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, test, &rows[i], "%s: runs while its link is open, and not after",
			    rows[i].name);
}

const struct regress_group regress_group_points = {
	"points", "attach points that are no perf events", NULL, fill, __FILE__
};
