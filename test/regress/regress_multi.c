// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Programs on many functions and on maps of sockets, on the running kernel: each runs for what
 * happens there while its link is open, with the cookie it was given, and not after.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loader/cmd/session.h"
#include "loader/multi/multi.h"
#include "loader/symbols/symbols.h"
#include "loader/sys/denied.h"

#define COOKIE 5

/* Command-line notes are main.c's, which is not linked. */
void note(const char *fmt, ...);
void note(const char *fmt, ...)
{
	(void)fmt;
}

/* What the programs of functions in files are for. Not static: they are looked up by name. */
int pload_multi_one(int n);
int pload_multi_two(int n);

int __attribute__((noinline)) pload_multi_one(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int __attribute__((noinline)) pload_multi_two(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 2;
}

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

struct world {
	struct loading *l;
	struct symbols files;
	int trigger;		/* index of a program whose test calls the kernel's functions;
				 * -1: none */
	int sockets[2];		/* a TCP connection, or -1 */
};

static bool call_kernel(struct world *w)
{
	const struct test_input in = { 0 };
	uint32_t retval;

	return kernel_test_run(w->l->sys, &w->l->kernel, w->trigger, &in, &retval, NULL) == 0;
}

static bool call_user(struct world *w)
{
	(void)w;
	return pload_multi_two(pload_multi_one(1)) == 4;
}

static int map_fd(const struct loading *l, const char *name)
{
	uint32_t i = 0;

	while (strcmp(l->object.maps[i].name, name))
		i++;
	return l->kernel.maps[i].fd;
}

static bool take_out(struct world *w)
{
	const uint32_t key = 0;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map_fd(w->l, "sockets");
	attr.key = (uintptr_t)&key;
	return sys_bpf(w->l->sys, BPF_MAP_DELETE_ELEM, &attr, sizeof(attr)) == 0;
}

/*
 * A message there, and one back; each waited for. A socket has the programs that the map had when
 * it was put in.
 */
static bool talk(struct world *w)
{
	const uint32_t key = 0;
	const uint64_t fd = w->sockets[0];
	char byte = 'x';
	bool ok = map_update(w->l->sys, map_fd(w->l, "sockets"), &key, &fd, BPF_ANY) == 0;

	for (int i = 0; ok && i < 2; i++)
		ok = send(w->sockets[i], &byte, 1, 0) == 1 &&
		     recv(w->sockets[!i], &byte, 1, 0) == 1;
	return take_out(w) && ok;
}

static const struct row {
	const char *name, *prog;
	bool (*act)(struct world *w);
	uint64_t least;		/* runs for one act() */
	bool cookie;
	const char *with;	/* another program, attached before and after it */
} rows[] = {
	{ "kprobe.multi", "kernel_entry", call_kernel, 6, true, NULL },
	{ "kretprobe.multi", "kernel_return", call_kernel, 6, true, NULL },
	{ "kprobe.session", "kernel_both", call_kernel, 12, true, NULL },
	{ "fentry.multi", "trampoline_entry", call_kernel, 6, true, NULL },
	{ "fexit.multi", "trampoline_exit", call_kernel, 6, true, NULL },
	{ "fsession.multi", "trampoline_both", call_kernel, 12, true, NULL },
	{ "uprobe.multi", "user_entry", call_user, 2, true, NULL },
	{ "uretprobe.multi", "user_return", call_user, 2, true, NULL },
	{ "uprobe.session", "user_both", call_user, 4, true, NULL },
	{ "sk_msg", "message", talk, 1, false, NULL },
	{ "sk_skb/stream_parser", "parse", talk, 1, false, "judge" },
	{ "sk_skb/stream_verdict", "judge", talk, 1, false, "parse" },
};

/* --- a row --- */

struct counts {
	uint64_t entries, returns, cookies;
};

static struct counts read_counts(struct loading *l)
{
	struct counts counts = { 0 };
	const uint32_t key = 0;

	for (uint32_t i = 0; i < l->object.nr_maps; i++)
		if (!strcmp(l->object.maps[i].name, ".bss"))
			map_lookup(l->sys, l->kernel.maps[i].fd, &key, &counts);
	return counts;
}

static uint32_t find_prog(const struct loading *l, const char *name)
{
	uint32_t i = 0;

	while (strcmp(l->object.progs[i].name, name))
		i++;
	return i;
}

static void print_note(void *arg, const char *text)
{
	(void)arg;
	printf("# %s\n", text);
}

static int attach(struct world *w, const struct row *row, uint32_t prog, struct attach_set *set,
		  struct error *err)
{
	const struct prog_kind *kind = w->l->object.progs[prog].kind;
	const struct options o = { 0 };
	const struct plan_entry entry = {
		.prog = prog, .map = -1,
		.point = attach_point_find(kind->prog_type, kind->attach_type),
	};
	const struct multi m = {
		.sys = w->l->sys, .types = &w->l->types->running, .files = &w->files,
		.note = print_note,
	};
	struct point_request point = plan_point(&o, &w->l->object, &entry);
	struct multi_request many = plan_many(&o, &w->l->object, &entry);

	point.prog_fd = many.prog_fd = w->l->kernel.progs[prog].fd;
	if (entry.point->on != POINT_MANY) {
		point.map_fd = map_fd(w->l, "sockets");
		return attach_point_bind(w->l->sys, &point, set, err);
	}
	many.has_cookie = row->cookie;
	many.cookie = COOKIE;
	return multi_attach(&m, &many, set, err);
}

/* Attach, act, detach, act. Returns what is wrong, or NULL. */
static const char *run(struct world *w, const struct row *row, uint32_t prog, struct error *err)
{
	const struct counts before = read_counts(w->l);
	const uint64_t runs = w->l->kernel.progs[prog].run_cnt;
	struct attach_set set = { 0 };
	struct counts after;
	uint64_t count;

	if (attach(w, row, prog, &set, err) < 0) {
		attach_close(w->l->sys, &set);
		return "is not attached";
	}
	if (!row->act(w)) {
		attach_close(w->l->sys, &set);
		return "nothing happened while it was attached";
	}
	if (attach_close(w->l->sys, &set) < 0)
		return "is not detached";
	kernel_count_runs(w->l->sys, &w->l->kernel, err);
	after = read_counts(w->l);
	count = w->l->kernel.progs[prog].run_cnt;
	if (count - runs < row->least)
		return "did not run as often as it should have";
	if (row->cookie && (after.entries - before.entries) + (after.returns - before.returns) !=
				   count - runs)
		return "did not count what it ran for";
	if (row->cookie && after.cookies - before.cookies != (count - runs) * COOKIE)
		return "was not given its cookie each time";
	if (!row->act(w))
		return "nothing happened afterwards";
	kernel_count_runs(w->l->sys, &w->l->kernel, err);
	return w->l->kernel.progs[prog].run_cnt == count ? NULL : "runs although it is detached";
}

static int load(struct world *w, uint32_t prog, struct error *err)
{
	return w->l->kernel.progs[prog].fd < 0 ? loading_program(w->l, prog, err) : 0;
}

/* Before Linux 5.13 neither parser nor verdict does anything without the other. */
static const char *run_with(struct world *w, const struct row *row, uint32_t prog,
			    struct error *err)
{
	struct attach_set set = { 0 };
	const char *wrong = NULL;

	if (row->with && (load(w, find_prog(w->l, row->with), err) ||
			  attach(w, row, find_prog(w->l, row->with), &set, err) < 0))
		wrong = "what it goes with is not attached";
	if (!wrong)
		wrong = run(w, row, prog, err);
	attach_close(w->l->sys, &set);
	return wrong;
}

static bool is_lacking(const struct error *err)
{
	static const char *const reasons[] = { "attach/link-unsupported", "attach/no-capability",
					       "attach/unsupported", "multi/no-function",
					       "symbols/stripped" };

	for (size_t i = 0; err->reason && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(err->reason, reasons[i]))
			return true;
	return false;
}

/* Loading finds out what a kernel has; what its verifier dislikes of our programs is a failure. */
static bool is_too_old(const struct error *err)
{
	static const char *const reasons[] = { "prog-load/too-old", "prog-load/refused",
					       "prog-load/unknown-kind", "prog-load/no-helper",
					       "prog-load/no-jit", "prog-load/forbidden" };

	for (size_t i = 0; err->reason && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(err->reason, reasons[i]))
			return true;
	return is_lacking(err) || sys_is_denial(err->reason);
}

static int test_row(struct world *w, const struct row *row)
{
	const uint32_t prog = find_prog(w->l, row->prog);
	struct error err = { 0 };
	const char *wrong;
	int ret = 0;

	if (row->act == call_kernel && w->trigger < 0)
		return skip(row->name, "this kernel runs no fentry programs as a test");
	if (row->act == talk && w->sockets[0] < 0)
		return skip(row->name, "no TCP connection over the loopback device");
	if (load(w, prog, &err)) {
		ret = is_too_old(&err) ? skip(row->name, err.hint[0] ? err.hint : err.what) :
					 fail(row->name, err.reason ? err.reason : "", err.what);
		error_clear(&err);
		return ret;
	}
	wrong = run_with(w, row, prog, &err);
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

static void connect_sockets(int sockets[2])
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct timeval patience = { .tv_sec = 10 };
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(to);

	sockets[0] = sockets[1] = -1;
	if (server >= 0 && client >= 0 && !bind(server, (struct sockaddr *)&to, sizeof(to)) &&
	    !listen(server, 1) && !getsockname(server, (struct sockaddr *)&to, &len) &&
	    !connect(client, (struct sockaddr *)&to, sizeof(to)))
		sockets[1] = accept(server, NULL, NULL);
	if (server >= 0)
		close(server);
	if (sockets[1] < 0)
		return;
	sockets[0] = client;
	for (int i = 0; i < 2; i++)
		setsockopt(sockets[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

static int run_rows(struct loading *l)
{
	struct world w = { .l = l, .trigger = find_prog(l, "trigger") };
	struct error err = { 0 };
	int failed = 0;

	if (kernel_start_counting(l->sys, &l->kernel) < 0)
		return skip("many functions", "this kernel counts no runs, or not for us");
	symbols_init(&w.files, l->sys, NULL);
	if (loading_program(l, w.trigger, &err) || !call_kernel(&w))
		w.trigger = -1;
	error_clear(&err);
	connect_sockets(w.sockets);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		failed += test_row(&w, &rows[i]);
	symbols_free(&w.files);
	for (int i = 0; i < 2; i++)
		if (w.sockets[i] >= 0)
			close(w.sockets[i]);
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
	loading_types_init(&types, sys_linux(), &options);
	if (loading_begin(&l, sys_linux(), &options, &types, argv[1], &err) ||
	    loading_maps(&l, &err))
		failed = err.code == -EPERM || err.code == -EACCES ?
				 skip("many functions", err.what) :
				 fail(argv[1], "is not loaded", err.what);
	else
		failed = run_rows(&l);
	loading_end(&l);
	loading_types_free(&types);
	error_clear(&err);
	printf("1..%d\n", tests);
	return failed != 0;
}
