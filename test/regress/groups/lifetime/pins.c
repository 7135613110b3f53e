// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pins in bpffs: the objects that they keep, their changes during a session, and names that are
 * refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/mount.h>

#include "loader/tools/inventory/inventory.h"
#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/core/kernel/kernel.h"
#include "test/regress/common/seam.h"
#include "test/regress/common/stress.h"
#include "loader/base/kernel/kernel_calls.h"

#define UNITS 20
#define ROUNDS 100

/* A link of this thread with its event, in a bpffs that is mounted nowhere. */
struct pinned {
	struct regress *t;
	struct ledger *ledger;
	struct seam seam;
	struct stress s;
	int dir_fd;		/* owned; the bpffs */
	uint32_t id;		/* of the first link */
};

static const char *path_of(const struct pinned *p, const char *name, char path[64])
{
	snprintf(path, 64, "/proc/self/fd/%d/%s", p->dir_fd, name);
	return path;
}

static void pinned_begin(struct regress *t, struct pinned *p, const struct stress_kind *kind,
			 bool everywhere)
{
	char self[16];
	const struct event_scope_options asked = { .threads = self, .no_inherit = true };
	enum inventory_kind is;

	*p = (struct pinned){ .t = t, .ledger = ledger_new(t) };
	p->dir_fd = sys_open_detached(t->sys, "bpf");
	if (p->dir_fd < 0)
		regress_skip(t, "cannot create a bpffs here: %s", regress_errno(p->dir_fd));
	seam_init(&p->seam, t->sys, p->ledger, 0, 0);
	snprintf(self, sizeof(self), "%d", gettid());
	stress_begin(t, &p->s, &p->seam.sys, kind, "link", everywhere ? NULL : &asked);
	stress_attach(&p->s);
	regress_ok(t, inventory_kind_of_fd(t->sys, p->s.set.list[0].link_fd, &is, &p->id), NULL,
		   "id");
}

/* Checks that the kernel has nothing of it any more. */
static void pinned_end(struct pinned *p)
{
	stress_end(&p->s);
	sys_close_fd(p->t->sys, &p->dir_fd);
	ledger_gone(p->t, p->ledger);
}

static int pin(struct pinned *p, const char *name)
{
	char path[64];

	return kernel_pin(p->t->sys, p->s.set.list[0].link_fd, path_of(p, name, path));
}

static int unpin(struct pinned *p, const char *name)
{
	char path[64];

	return sys_unlinkat(p->t->sys, path_of(p, name, path));
}

/* Checks that the pin @name is the first link. */
static void check_id(struct pinned *p, const char *name)
{
	char path[64];
	enum inventory_kind is;
	uint32_t id;
	int fd = regress_ok(p->t, kernel_obj_get(p->t->sys, path_of(p, name, path)), NULL, name);

	regress_ok(p->t, inventory_kind_of_fd(p->t->sys, fd, &is, &id), NULL, "id");
	regress_expect(p->t, is == INVENTORY_LINK && id == p->id, "it is another one");
	sys_close_fd(p->t->sys, &fd);
}

static uint64_t runs_now(struct pinned *p)
{
	const uint64_t before = stress_runs(&p->s);

	for (int i = 0; i < UNITS; i++)
		p->s.work->unit();
	return stress_runs(&p->s) - before;
}

static bool has_stopped(void *arg)
{
	return runs_now(arg) == 0;
}

static void goes_on(struct pinned *p, const char *when)
{
	const uint64_t runs = runs_now(p);

	regress_expect(p->t, p->s.kind->exact ? runs == UNITS : runs >= UNITS,
		       "%llu of %d runs %s", (unsigned long long)runs, UNITS, when);
}

/* The kernel releases an unpinned link some time later, in a worker. */
static void ends(struct pinned *p, const char *when)
{
	regress_expect(p->t, regress_until(has_stopped, p), "it goes on %s", when);
}

/* --- names --- */

static void keeps(struct regress *t)
{
	struct pinned p;

	pinned_begin(t, &p, t->data, false);
	regress_ok(t, pin(&p, "a"), NULL, "pin");
	stress_close(&p.s);
	goes_on(&p, "with its pin alone");
	check_id(&p, "a");
	regress_ok(t, unpin(&p, "a"), NULL, "unpin");
	ends(&p, "without its pin");
	pinned_end(&p);
}

static void is_renamed(struct regress *t)
{
	char a[64], b[64];
	struct pinned p;

	pinned_begin(t, &p, t->data, false);
	regress_ok(t, pin(&p, "a"), NULL, "pin");
	stress_close(&p.s);
	regress_expect(t, !rename(path_of(&p, "a", a), path_of(&p, "b", b)), "rename: %s",
		       strerror(errno));
	goes_on(&p, "with another name");
	regress_expect(t, kernel_obj_get(t->sys, a) == -ENOENT, "it has its old name, too");
	check_id(&p, "b");
	regress_ok(t, unpin(&p, "b"), NULL, "unpin");
	ends(&p, "without its pin");
	pinned_end(&p);
}

static void has_two_names(struct regress *t)
{
	char a[64], b[64];
	struct pinned p;

	pinned_begin(t, &p, t->data, false);
	regress_ok(t, pin(&p, "a"), NULL, "pin");
	stress_close(&p.s);
	regress_expect(t, !link(path_of(&p, "a", a), path_of(&p, "b", b)), "link: %s",
		       strerror(errno));
	check_id(&p, "b");
	regress_ok(t, unpin(&p, "a"), NULL, "unpin");
	goes_on(&p, "with its second name");
	check_id(&p, "b");
	regress_ok(t, unpin(&p, "b"), NULL, "unpin");
	ends(&p, "without a name");
	pinned_end(&p);
}

/* The end of the file system releases all objects that only its pins kept. */
static void goes_with_bpffs(struct regress *t)
{
	struct pinned p;

	pinned_begin(t, &p, t->data, false);
	regress_ok(t, pin(&p, "a"), NULL, "pin");
	stress_close(&p.s);
	goes_on(&p, "with its pin alone");
	sys_close_fd(t->sys, &p.dir_fd);
	ends(&p, "without the file system of its pin");
	pinned_end(&p);
}

/* --- while the event happens --- */

struct ending {
	struct pinned *p;
	struct firing *f;
};

/* The CPUs stop one after the other. */
static bool have_stopped(void *arg)
{
	const struct ending *e = arg;
	const uint64_t before = stress_runs(&e->p->s);

	firing_settle(e->f, e->p->s.work->load ? 3 : UNITS);
	return stress_runs(&e->p->s) == before;
}

static void unpinned_while_firing(struct regress *t)
{
	struct firing f;
	struct pinned p;
	struct ending ending = { &p, &f };

	pinned_begin(t, &p, t->data, true);
	for (unsigned int i = 0; i < p.s.set.nr; i++) {
		char name[16], path[64];

		snprintf(name, sizeof(name), "cpu%u", i);
		regress_ok(t, kernel_pin(t->sys, p.s.set.list[i].link_fd, path_of(&p, name, path)),
			   NULL, "pin");
	}
	firing_begin(t, &f, p.s.work);
	firing_always(&f);
	for (unsigned int i = 0, nr = p.s.set.nr; i < nr; i++) {
		char name[16];

		if (i == 0)
			stress_close(&p.s);
		snprintf(name, sizeof(name), "cpu%u", i);
		regress_ok(t, unpin(&p, name), NULL, "unpin");
	}
	regress_expect(t, regress_until(have_stopped, &ending), "it goes on without its pins");
	stress_quiet(&p.s, &f);
	firing_end(&f);
	pinned_end(&p);
}

/* --- two threads with one name --- */

struct other {
	struct pinned *p;
	pthread_t id;
	int (*act)(struct pinned *p);
	int bad;		/* an answer that may not be */
	unsigned int done;
	atomic_bool stop;
};

static void *act_always(void *arg)
{
	struct other *o = arg;

	while (!o->stop && !o->bad) {
		const int ret = o->act(o->p);

		o->done += ret >= 0;
		if (ret < 0 && ret != -ENOENT && ret != -EEXIST)
			o->bad = ret;
	}
	return NULL;
}

static int unpin_it(struct pinned *p)
{
	return unpin(p, "a");
}

static int get_it(struct pinned *p)
{
	char path[64];
	enum inventory_kind is;
	uint32_t id;
	int fd = kernel_obj_get(p->t->sys, path_of(p, "a", path)), ret;

	if (fd < 0)
		return fd;
	ret = inventory_kind_of_fd(p->t->sys, fd, &is, &id);
	sys_close_fd(p->t->sys, &fd);
	return ret < 0 ? ret : is == INVENTORY_LINK && id == p->id ? 0 : -EBADMSG;
}

static int pin_it(struct pinned *p)
{
	return pin(p, "a");
}

/* The other thread repeats one action, while this one repeats two in turn. */
static void with_other(struct regress *t, int (*act)(struct pinned *p),
		       int (*mine)(struct pinned *p), int (*also)(struct pinned *p))
{
	struct pinned p;
	struct other o = { .p = &p, .act = act };

	pinned_begin(t, &p, t->data, false);
	regress_expect(t, !pthread_create(&o.id, NULL, act_always, &o), "no thread");
	for (int i = 0; i < ROUNDS; i++) {
		int ret = mine(&p);

		regress_expect(t, ret >= 0 || ret == -EEXIST || ret == -ENOENT, "the one said %s",
			       regress_errno(ret));
		ret = also ? also(&p) : 0;
		regress_expect(t, ret >= 0 || ret == -EEXIST || ret == -ENOENT, "then it said %s",
			       regress_errno(ret));
	}
	o.stop = true;
	pthread_join(o.id, NULL);
	regress_expect(t, !o.bad, "the other said %s", regress_errno(o.bad));
	goes_on(&p, "after all that");
	unpin(&p, "a");
	stress_close(&p.s);
	ends(&p, "without a name");
	pinned_end(&p);
}

static void pin_and_unpin(struct regress *t)
{
	with_other(t, unpin_it, pin_it, NULL);
}

static void pin_and_pin(struct regress *t)
{
	with_other(t, pin_it, pin_it, unpin_it);
}

static void get_and_unpin(struct regress *t)
{
	with_other(t, get_it, pin_it, unpin_it);
}

/* --- by its id --- */

struct by_id {
	struct sys *sys;
	atomic_uint id;		/* 0: none now */
	atomic_bool stop;
	atomic_uint looks;	/* look-ups that are over, with their link closed */
	int bad;
	unsigned int found;
};

static void *look_for(void *arg)
{
	struct by_id *b = arg;

	while (!b->stop) {
		const uint32_t id = b->id;
		int fd = id ? kernel_fd_by_id(b->sys, BPF_LINK_GET_FD_BY_ID, id) : -ENOENT;

		if (fd < 0 && fd != -ENOENT && fd != -EAGAIN)
			b->bad = fd;
		b->found += fd >= 0;
		sys_close_fd(b->sys, &fd);
		b->looks++;
	}
	return NULL;
}

struct look {
	const struct by_id *by;
	unsigned int nr;
};

static bool is_over(void *arg)
{
	const struct look *look = arg;

	return (int)(look->by->looks - look->nr) >= 0;
}

/*
 * Waits until the other thread holds no descriptor: the look-up under way is over, and so is one
 * more, which found nothing.
 */
static void let_go(struct regress *t, const struct by_id *b)
{
	struct look look = { b, b->looks + 2 };

	regress_expect(t, regress_until(is_over, &look), "it looks no more");
}

/*
 * Another thread that finds the link by its id holds it for a moment; after that the link is gone.
 */
static void get_by_id(struct regress *t)
{
	struct by_id b = { .sys = t->sys };
	enum inventory_kind is;
	struct pinned p;
	pthread_t id;

	pinned_begin(t, &p, t->data, false);
	stress_close(&p.s);
	regress_expect(t, !pthread_create(&id, NULL, look_for, &b), "no thread");
	/* Closing a tracing event takes grace periods, so that it gets fewer rounds. */
	for (int i = 0; i < (event_is_tracing(&p.s.spec) ? 4 : ROUNDS / 4); i++) {
		uint32_t link;

		stress_attach(&p.s);
		regress_ok(t, inventory_kind_of_fd(t->sys, p.s.set.list[0].link_fd, &is, &link),
			   NULL, "id");
		b.id = link;
		stress_close(&p.s);
		/*
		 * The program stays bound, and cannot be bound again, until the other thread has
		 * closed its descriptor.
		 */
		b.id = 0;
		let_go(t, &b);
	}
	b.stop = true;
	pthread_join(id, NULL);
	regress_expect(t, !b.bad, "looking for a link that goes: %s", regress_errno(b.bad));
	ends(&p, "though all is closed");
	pinned_end(&p);
}

/* --- other processes --- */

/*
 * The process takes the link over: it opens the pin and removes it, and so has the only descriptor.
 */
static void adopt(struct peer *self, void *path)
{
	struct peer_message word = { 0 };

	word.ret = kernel_obj_get(self->sys, path);
	if (word.ret >= 0)
		word.ret = sys_unlinkat(self->sys, path);
	if (word.ret < 0)
		error_set(&word.err, -word.ret, "BPF_OBJ_GET: %s", error_strerror(-word.ret));
	peer_report(self, &word);
	peer_wait(self);
}

static void is_adopted(struct regress *t)
{
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;
	struct pinned p;
	char path[64];

	pinned_begin(t, &p, t->data, false);
	regress_ok(t, pin(&p, "a"), NULL, "pin");
	stress_close(&p.s);
	path_of(&p, "a", path);
	regress_ok(t, peer_begin(&peer, t->sys, adopt, path, &err), &err, "another process");
	regress_ok(t, peer_receive(&peer, &word, &err), &err, "taking it over");
	regress_expect(t, kernel_obj_get(t->sys, path) == -ENOENT, "it has a name");
	goes_on(&p, "with who has taken it over");
	peer_end(&peer, true);
	ends(&p, "without who had taken it over");
	pinned_end(&p);
}

/* --- refused pins --- */

enum pin_case { OVER_ANOTHER, AN_EVENT, ELSEWHERE, WITH_A_DOT, NO_DIRECTORY, READ_ONLY, GET_OTHER };

static int read_only_bpffs(struct sys *sys)
{
	int fs_fd = sys_fsopen(sys, "bpf", FSOPEN_CLOEXEC), ret = fs_fd;

	if (ret >= 0)
		ret = sys_fsconfig(sys, fs_fd, FSCONFIG_CMD_CREATE);
	if (ret >= 0)
		ret = sys_fsmount(sys, fs_fd, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
	sys_close_fd(sys, &fs_fd);
	return ret;
}

static int try_case(struct pinned *p, enum pin_case what)
{
	const struct attachment *a = &p->s.set.list[0];
	struct sys *sys = p->t->sys;
	char path[64];
	int fd, ret;

	switch (what) {
	case OVER_ANOTHER:
		regress_ok(p->t, pin(p, "a"), NULL, "pin");
		return pin(p, "a");
	case AN_EVENT:
		return kernel_pin(sys, a->event_fd, path_of(p, "e", path));
	case ELSEWHERE:
		return kernel_pin(sys, a->link_fd, "/proc/self/pload");
	case WITH_A_DOT:
		return pin(p, "a.b");
	case NO_DIRECTORY:
		return pin(p, "none/a");
	case READ_ONLY:
		fd = regress_ok(p->t, read_only_bpffs(sys), NULL, "a bpffs to be read");
		snprintf(path, sizeof(path), "/proc/self/fd/%d/a", fd);
		ret = kernel_pin(sys, a->link_fd, path);
		sys_close_fd(sys, &fd);
		return ret;
	default:
		return kernel_obj_get(sys, "/proc/self/status");
	}
}

struct refused {
	const char *what, *answer;
	enum pin_case is;
};

static void is_refused(struct regress *t)
{
	const struct refused *r = t->data;
	const struct regress_since rows[] = { { LINUX(0, 0), r->answer } };
	struct pinned p;

	pinned_begin(t, &p, &stress_kinds[STRESS_FAULTS], false);
	regress_answer(t, "", regress_errno(try_case(&p, r->is)), rows, NR(rows));
	goes_on(&p, "after the refusal");
	unpin(&p, "a");
	pinned_end(&p);
}

static void fill(struct regress_list *list)
{
	static const struct {
		regress_run *run;
		const char *what;
	} runs[] = {
		{ keeps, "its name keeps it, and nothing does without" },
		{ is_renamed, "renamed, it goes on" },
		{ has_two_names, "with two names, the last one ends it" },
		{ goes_with_bpffs, "it ends with the file system of its name" },
		{ unpinned_while_firing, "unpinned while it happens on each CPU" },
		{ pin_and_unpin, "pinned and unpinned by two threads" },
		{ pin_and_pin, "pinned by two threads at once" },
		{ get_and_unpin, "taken by its name while that goes" },
		{ get_by_id, "taken by its number while it goes" },
		{ is_adopted, "another process takes it over" },
	};
	static const int kinds[] = { STRESS_FAULTS, STRESS_BREAKPOINT, STRESS_TRACEPOINT };
	static const struct refused refused[] = {
		{ "a pin over another one", "EEXIST", OVER_ANOTHER },
		{ "a pin of an event", "EINVAL", AN_EVENT },
		{ "a pin outside of a bpffs", "EPERM|ENOENT", ELSEWHERE },
		{ "a pin with a dot in its name", "EPERM", WITH_A_DOT },
		{ "a pin in a directory that is not there", "ENOENT", NO_DIRECTORY },
		{ "a pin in a bpffs mounted to be read", "EROFS", READ_ONLY },
		{ "BPF_OBJ_GET of another file", "EACCES", GET_OTHER },
	};

	for (size_t k = 0; k < NR(kinds); k++)
		for (size_t i = 0; i < NR(runs); i++)
			regress_add(list, runs[i].run, &stress_kinds[kinds[k]], "a link to %s, %s",
				    stress_kinds[kinds[k]].name, runs[i].what);
	for (size_t i = 0; i < NR(refused); i++)
		regress_add(list, is_refused, &refused[i], "%s is %s", refused[i].what,
			    refused[i].answer);
}

const struct regress_group regress_group_pins = {
	"pins", "links with names in bpffs, and who takes them", NULL, fill, __FILE__
};
