// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attach points that are no perf events, on the running kernel: each program runs for what happens
 * there while its link is open, and not after. In a network namespace and a cgroup of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/cmd/loading.h"
#include "loader/sys/denied.h"

#define DATAGRAMS 5

/* Command-line notes are main.c's, which is not linked. */
void note(const char *fmt, ...);
void note(const char *fmt, ...)
{
	(void)fmt;
}

static const struct row {
	const char *name, *prog;
	bool in_cgroup;
	uint64_t least; /* runs for one act() */
	struct point_where where;
} rows[] = {
	{ "xdp", "xdp_pass", false, DATAGRAMS, { .device = "lo" } },
	{ "xdp, without the driver",
	  "xdp_pass",
	  false,
	  DATAGRAMS,
	  { .device = "lo", .xdp_flags = 1 << 1 } },
	{ "tcx ingress", "tcx_ingress", false, DATAGRAMS, { .device = "lo" } },
	{ "tcx egress of SEC(\"tc/egress\")", "tcx_egress", false, DATAGRAMS, { .device = "lo" } },
	{ "tcx of SEC(\"tc\")",
	  "tc_either",
	  false,
	  DATAGRAMS,
	  { .device = "lo", .direction = BPF_TCX_EGRESS, .has_direction = true } },
	{ "cgroup skb", "cgroup_skb", true, DATAGRAMS, { 0 } },
	{ "cgroup connect4", "cgroup_connect4", true, 1, { 0 } },
	{ "cgroup sock_create", "cgroup_sock", true, 1, { 0 } },
	{ "cgroup getsockopt", "cgroup_getsockopt", true, 1, { 0 } },
	{ "sk_lookup", "lookup", false, 1, { 0 } },
	{ "netfilter",
	  "accept",
	  false,
	  DATAGRAMS,
	  { .netfilter = { .family = 2, .hook = 1, .priority = 7, .text = "ipv4:input:7" } } },
	{ "raw tracepoint", "raw_tp", false, DATAGRAMS, { 0 } },
	{ "tp_btf", "tp_btf", false, DATAGRAMS, { 0 } },
	{ "fentry", "fentry", false, 1, { 0 } },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static char dir[] = "/tmp/pload-points-XXXXXX", cgroup[64];
static int tests;

static int fail(const char *name, const char *what, const char *more)
{
	printf("not ok %d - %s\n# %s: %s\n", ++tests, name, what, more);
	return 1;
}

static int skip(const char *name, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++tests, name, why);
	return 0;
}

/* --- what happens --- */

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

/* Datagrams over lo, each waited for: then it has passed every hook. */
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

/* In a process of its own, which is in the cgroup if @inside. */
static bool act(bool inside)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0)
		_exit((inside && !write_file(cgroup, "cgroup.procs", "0")) || !send_datagrams());
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* --- a row --- */

/* Attach, act, detach, act. Returns what is wrong, or NULL. */
static const char *run(struct loading *l, uint32_t prog, const struct row *row,
		       const struct point_request *req, struct error *err)
{
	struct kernel_prog *k = &l->kernel.progs[prog];
	struct attach_set set = { 0 };
	const char *wrong = NULL;
	uint64_t before;

	if (attach_point_check(req, err) || attach_point_bind(l->sys, req, &set, err) < 0) {
		attach_close(l->sys, &set);
		return "is not attached";
	}
	if (!act(row->in_cgroup))
		wrong = "no datagrams could be sent while it was attached";
	kernel_count_runs(l->sys, &l->kernel, err);
	if (!wrong && k->run_cnt < row->least)
		wrong = "did not run as often as it should have";
	attach_close(l->sys, &set);
	kernel_count_runs(l->sys, &l->kernel, err);
	before = k->run_cnt;
	if (!wrong && !act(row->in_cgroup))
		wrong = "no datagrams could be sent afterwards";
	kernel_count_runs(l->sys, &l->kernel, err);
	if (!wrong && k->run_cnt != before)
		wrong = "runs although its link is closed";
	return wrong;
}

static bool is_lacking(const struct error *err)
{
	return sys_is_denial(err->reason) ||
	       (err->reason && (!strcmp(err->reason, "attach/link-unsupported") ||
				!strcmp(err->reason, "attach/unsupported")));
}

/* Loading finds out what a kernel has; what its verifier dislikes of our programs is a failure. */
static bool is_too_old(const struct error *err)
{
	static const char *const reasons[] = { "prog-load/too-old", "prog-load/refused",
					       "prog-load/unknown-kind", "prog-load/no-helper",
					       "prog-load/forbidden" };

	for (size_t i = 0; err->reason && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(err->reason, reasons[i]))
			return true;
	return sys_is_denial(err->reason);
}

static int test_row(struct loading *l, const struct row *row)
{
	struct point_where where = row->where;
	struct error err = { 0 };
	struct point_request req;
	const char *wrong;
	uint32_t prog = 0;
	int ret = 0;

	while (strcmp(l->object.progs[prog].name, row->prog))
		prog++;
	if (row->in_cgroup && !cgroup[0])
		return skip(row->name, "no cgroup2 can be mounted here");
	if (l->kernel.progs[prog].fd < 0 && loading_program(l, prog, &err)) {
		ret = is_too_old(&err) ? skip(row->name, err.hint[0] ? err.hint : err.what) :
					 fail(row->name, err.reason ? err.reason : "", err.what);
		error_clear(&err);
		return ret;
	}
	where.cgroup = row->in_cgroup ? cgroup : NULL;
	req = (struct point_request){
		.where = &where,
		.prog_fd = l->kernel.progs[prog].fd,
		.attach_type = l->object.progs[prog].kind->attach_type,
		.target = l->object.progs[prog].target,
		.point = attach_point_find(l->object.progs[prog].kind->prog_type,
					   l->object.progs[prog].kind->attach_type),
	};
	wrong = run(l, prog, row, &req, &err);
	if (wrong && is_lacking(&err))
		ret = skip(row->name, err.what);
	else if (wrong)
		ret = fail(row->name, wrong, err.what);
	else
		printf("ok %d - %s\n", ++tests, row->name);
	error_clear(&err);
	return ret;
}

/* --- the surroundings --- */

static bool raise_lo(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	bool ok = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &ifr) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* A directory that is in no other cgroup's way; without one those rows are skipped. */
static void make_cgroup(void)
{
	if (!mkdtemp(dir) || mount("none", dir, "cgroup2", 0, NULL))
		return;
	snprintf(cgroup, sizeof(cgroup), "%s/pload-points-%d", dir, getpid());
	if (mkdir(cgroup, 0755))
		cgroup[0] = '\0';
}

static void remove_cgroup(void)
{
	if (cgroup[0])
		rmdir(cgroup);
	umount(dir);
	rmdir(dir);
}

static int run_rows(struct loading *l)
{
	int failed = 0;

	if (kernel_start_counting(l->sys, &l->kernel) < 0)
		return skip("attach points", "this kernel counts no runs, or not for us");
	for (size_t i = 0; i < NR_ROWS; i++)
		failed += test_row(l, &rows[i]);
	return failed;
}

int main(int argc, char **argv)
{
	const struct load_options options = { 0 };
	struct loading_types types;
	struct error err = { 0 };
	struct loading l;
	int failed;

	if (argc != 2)
		return 2;
	/* Private: what is mounted here is seen by nobody else, and gone at the end. */
	if (unshare(CLONE_NEWNET | CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || !raise_lo()) {
		skip("attach points", "no network namespace can be made here");
		printf("1..%d\n", tests);
		return 0;
	}
	make_cgroup();
	loading_types_init(&types, sys_linux(), &options);
	if (loading_begin(&l, sys_linux(), &options, &types, argv[1], &err) ||
	    loading_maps(&l, &err))
		failed = fail(argv[1], "is not loaded", err.what);
	else
		failed = run_rows(&l);
	loading_end(&l);
	loading_types_free(&types);
	remove_cgroup();
	error_clear(&err);
	printf("1..%d\n", tests);
	return failed != 0;
}
