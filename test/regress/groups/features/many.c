// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Programs on many functions and on maps of sockets: each runs, with its cookie, for what happens
 * there while its link is open, and not afterwards.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "loader/base/calls/machine.h"
#include "loader/core/session/session.h"
#include "loader/objects/multi/multi.h"
#include "loader/objects/symbols/symbols.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/net.h"
#include "loader/base/kernel/kernel_calls.h"

#define COOKIE 5

/*
 * The functions in this file that programs are attached to. They are not static, as they are found
 * by name.
 */
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

/* --- actions --- */

/* The object and the sockets of one test. */
struct world {
	struct regress_object object;
	struct loading *l;	/* its */
	struct symbols files;
	uint32_t trigger;	/* of the program whose test calls the kernel's functions */
	int sockets[2];		/* a TCP connection, for those that are about one */
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
 * Sends a message in each direction, and waits for it. A socket has the programs that the map had
 * when the socket was added.
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

/* Loads and attaches; skips the test if the kernel lacks something. */
static void attach(struct regress *t, struct world *w, const struct row *row, const char *name,
		   struct attach_set *set)
{
	const uint32_t prog = find_prog(w->l, name);
	const struct prog_kind *kind = w->l->object.progs[prog].kind;
	const struct options o = { 0 };
	const struct plan_entry entry = {
		.prog = prog, .map = -1,
		.target = link_target_find(kind->prog_type, kind->attach_type),
	};
	const struct multi m = {
		.sys = t->sys, .types = &w->l->types->running, .files = &w->files,
	};
	struct target_request point = plan_link_target(&o, &w->l->object, &entry);
	struct multi_request many = plan_multi(&o, &w->l->object, &entry);
	struct error err = { 0 };

	if (w->l->kernel.progs[prog].fd < 0)
		lacks_ok(t, load_program(w->l, prog, &err), &err, "load");
	point.prog_fd = many.prog_fd = w->l->kernel.progs[prog].fd;
	if (entry.target->kind != TARGET_FUNCTIONS) {
		point.map_fd = map_fd(w->l, "sockets");
		lacks_ok(t, link_target_bind(t->sys, &point, set, &err), &err, "attach");
		return;
	}
	many.has_cookie = row->cookie;
	many.cookie = COOKIE;
	lacks_ok(t, multi_attach(&m, &many, set, &err), &err, "attach");
}

static void begin(struct regress *t, struct world *w, const struct row *row)
{
	const char *first = row->act == call_kernel ? "trigger" : row->prog;
	struct error err = { 0 };

	*w = (struct world){ .sockets = { -1, -1 } };
	w->l = &w->object.loading;
	if (row->act == talk) {
		net_make(t);
		net_connect(t, w->sockets, NULL);
	}
	lacks_ok(t, regress_try_load(t, &w->object, "multi", first, &err), &err, "load");
	if (kernel_start_counting(t->sys, &w->l->kernel) < 0)
		regress_skip(t, "this kernel counts no runs, or not for us");
	symbols_init(&w->files, t->sys, NULL);
	w->trigger = find_prog(w->l, "trigger");
	if (row->act == call_kernel && !call_kernel(w))
		regress_skip(t, "this kernel runs no fentry programs as a test");
}

static void end(struct regress *t, struct world *w)
{
	symbols_free(&w->files);
	for (int i = 0; i < 2; i++)
		sys_close_fd(t->sys, &w->sockets[i]);
	regress_unload(t, &w->object);
}

static uint64_t runs(struct regress *t, struct world *w, uint32_t prog)
{
	struct error err = { 0 };

	regress_ok(t, kernel_count_runs(t->sys, &w->l->kernel, &err), &err, "runs");
	return w->l->kernel.progs[prog].run_cnt;
}

/* Checks the counters of the program itself: its runs, and the sum of its cookies. */
static void check_counts(struct regress *t, struct world *w, uint64_t nr)
{
	const struct counts c = read_counts(w->l);

	regress_expect(t, c.entries + c.returns == nr,
		       "it ran %" PRIu64 " times, and counted %" PRIu64 " entries and %" PRIu64
		       " returns", nr, c.entries, c.returns);
	regress_expect(t, c.cookies == nr * COOKIE,
		       "the cookies of %" PRIu64 " runs are %" PRIu64 " in all", nr, c.cookies);
}

/* Before Linux 5.13 neither parser nor verdict does anything without the other. */
/*
 * In some releases of 5.10, sk_psock_skb_ingress_enqueue() takes a lock of the socket twice when a
 * verdict lets a message pass, and the CPU hangs: 5.10.223 does, 5.10.262 does not. 6648e613226e
 * introduced that in 5.10.215. Debian's release string has such a version only after "#1 SMP".
 */
static bool verdict_hangs(void)
{
	struct utsname is;
	unsigned int release;
	const char *at;

	uname(&is);
	at = strstr(is.version, "5.10.");
	if (!at)
		at = strstr(is.release, "5.10.");
	return at && sscanf(at, "5.10.%u", &release) == 1 && release >= 215 && release < 262;
}

static void test(struct regress *t)
{
	const struct row *row = t->data;
	struct attach_set with = { 0 }, set = { 0 };
	uint64_t nr, after;
	struct world w;
	uint32_t prog;

	if (row->with && verdict_hangs())
		regress_skip(t, "a verdict on a message hangs the CPU in 5.10.215 and after");
	begin(t, &w, row);
	if (row->with)
		attach(t, &w, row, row->with, &with);
	attach(t, &w, row, row->prog, &set);
	prog = find_prog(w.l, row->prog);
	regress_expect(t, row->act(&w), "nothing happened while it was attached");
	regress_ok(t, attach_close(t->sys, &set), NULL, "detach");
	nr = runs(t, &w, prog);
	regress_expect(t, nr >= row->least, "%" PRIu64 " runs of at least %" PRIu64, nr,
		       row->least);
	if (row->cookie)
		check_counts(t, &w, nr);
	/*
	 * Before Linux 5.13 a socket that is added to a map with a parser alone keeps the parser
	 * for ever.
	 */
	if (sys_is_before(t->sys, 5, 13))
		attach_close(t->sys, &with);
	regress_expect(t, row->act(&w), "nothing happened afterwards");
	after = runs(t, &w, prog);
	regress_expect(t, after == nr, "%" PRIu64 " runs after it was detached", after - nr);
	attach_close(t->sys, &with);
	end(t, &w);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, test, &rows[i], "%s: runs %swhile it is attached, and not after",
			    rows[i].name, rows[i].cookie ? "with its cookie " : "");
}

const struct regress_group regress_group_many = {
	"many", "programs on many functions, and on maps of sockets", NULL, fill, __FILE__
};
