// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers that call a function of the program, know the kernel's variables, cgroups, storage. */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/groups/helpers/helper_run.h"

static void said(struct regress *t, const struct helper_run *h, unsigned int nr, uint64_t want)
{
	regress_expect(t, h->io.out[nr] == want, "value %u is %llu, not %llu", nr,
		       (unsigned long long)h->io.out[nr], (unsigned long long)want);
}

/* --- functions of the program --- */

static void loop(struct regress *t, struct helper_run *h)
{
	h->io.in[0] = 6;		/* the turn at which it ends */
	helper_fire(t, h);
	helper_returned(t, h, 0, 5);
	helper_returned(t, h, 1, 7);
	said(t, h, 0, 5 + 7);
	said(t, h, 1, 10 + 21);
	helper_returned(t, h, 3, -EINVAL);
}

/*
 * A loop that the verifier has put into the program itself (5.18, with a JIT) moves the error into
 * 32 bits: it is not negative.
 */
static void loop_too_long(struct regress *t, struct helper_run *h)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "-7" },
		{ LINUX(5, 18), "4294967289" },
	};
	char saw[32];

	helper_fire(t, h);
	snprintf(saw, sizeof(saw), "%lld", (long long)h->io.ret[2]);
	regress_answer(t, "", saw, rows, NR(rows));
}

static void for_each(struct regress *t, struct helper_run *h)
{
	for (uint32_t key = 0; key < 4; key++) {
		const uint64_t value = 10 + key;

		regress_ok(t, map_update(t->sys, regress_map(t, &h->o, "array"), &key, &value,
					 BPF_ANY), NULL, "an element");
	}
	h->io.in[0] = 99;
	helper_fire(t, h);
	helper_returned(t, h, 0, 4);
	said(t, h, 1, 10 + 11 + 12 + 13);
	helper_returned_int(t, h, 1, -EINVAL);
	h->io.in[0] = 2;		/* the element at which it ends */
	helper_fire(t, h);
	helper_returned(t, h, 0, 3);
	said(t, h, 1, 10 + 11 + 12);
}

/* Again while the areas of this process are locked: by the kernel, which looks for huge pages. */
static void fire_unlocked(struct regress *t, struct helper_run *h)
{
	unsigned int tries = 20;

	do
		helper_fire(t, h);
	while (h->io.ret[0] == -EBUSY && --tries && !usleep(10000));
}

static void vma(struct regress *t, struct helper_run *h)
{
	h->io.in[0] = (uintptr_t)h->pages + 4096;
	fire_unlocked(t, h);
	helper_returned(t, h, 0, 0);
	said(t, h, 0, 1);
	regress_expect(t, h->io.out[1] <= h->io.in[0] && h->io.in[0] < h->io.out[2],
		       "0x%llx is not between 0x%llx and 0x%llx", (unsigned long long)h->io.in[0],
		       (unsigned long long)h->io.out[1], (unsigned long long)h->io.out[2]);
	h->io.in[0] = 0;		/* the first page is nobody's */
	fire_unlocked(t, h);
	helper_returned(t, h, 0, -ENOENT);
	said(t, h, 0, 0);
	h->io.in[1] = 1;
	helper_fire(t, h);
	helper_returned(t, h, 0, -EINVAL);
}

/* --- variables of the kernel --- */

static void per_cpu(struct regress *t, struct helper_run *h)
{
	struct cpu_list online;
	struct error err = { 0 };

	regress_ok(t, cpu_list_read(t->sys, "online", &online, &err), &err, "CPUs");
	for (unsigned int i = 0; i < online.nr && i < 4; i++) {
		h->io.in[0] = online.cpus[i];
		helper_fire(t, h);
		said(t, h, 0, online.cpus[i]);
		said(t, h, 1, 1);
	}
	cpu_list_free(&online);
}

static void this_cpu(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	said(t, h, 0, h->io.out[1]);
}

/* --- storage of a task --- */

/*
 * Since Linux 6.19 its memory is from kmalloc_nolock(), which has none on a CPU that cannot
 * exchange 16 bytes at once.
 */
static void is_made(struct regress *t, bool made)
{
#ifdef __x86_64__
	unsigned int a, b, c = 0, d;

	__get_cpuid(1, &a, &b, &c, &d);
	if (!made && t->kernel >= LINUX(6, 19) && !(c & bit_CMPXCHG16B))
		regress_skip(t, "this CPU has no cmpxchg16b, and the kernel no memory for it");
#endif
	regress_expect(t, made, "it cannot be created");
}

static void storage(struct regress *t, struct helper_run *h)
{
	for (unsigned int i = 0; i < 3; i++) {
		helper_fire(t, h);
		is_made(t, h->io.out[1]);
		said(t, h, 0, i > 0);
		said(t, h, 1, 41 + i);
		said(t, h, 2, 41 + i);
	}
}

static void storage_gone(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	is_made(t, h->io.out[0]);
	helper_returned(t, h, 0, 0);
	helper_returned(t, h, 1, -ENOENT);
}

/* --- timers, where a perf_event program may have them: Linux 7.0 --- */

static void begin_timer(struct regress *t, struct helper_run *h)
{
	static const struct helper helper = { "timer_all", "helpers_timer" };
	const char *answer;

	*h = (struct helper_run){ 0 };
	answer = helper_load(t, &h->o, &helper);
	if (strcmp(answer, "accepted"))
		regress_skip(t, "perf_event programs have no timers here: %s", answer);
	helper_bind(t, h, regress_prog(t, &h->o, "do_timer_all"), "ioctl", 0);
}

static bool has_rung(void *arg)
{
	struct helper_run *h = arg;
	const uint32_t key = 0;

	return !map_lookup(sys_linux(), h->io_fd, &key, &h->io) && h->io.out[0];
}

static void timer_rings(struct regress *t)
{
	struct helper_run h;

	begin_timer(t, &h);
	h.io.in[0] = 1000000;
	helper_fire(t, &h);
	is_made(t, h.io.ret[0] != -ENOMEM);
	helper_returned(t, &h, 0, 0);
	helper_returned(t, &h, 1, 0);
	helper_returned(t, &h, 2, 0);
	regress_expect(t, regress_until(has_rung, &h), "its function is not called");
	said(t, &h, 0, 1);
	helper_fire(t, &h);
	helper_returned(t, &h, 0, -EBUSY);
	regress_expect(t, regress_until(has_rung, &h), "its function is not called again");
	helper_end(t, &h);
}

/* The timer would expire an hour later; the return value 1 means that it had been started. */
static void timer_cancelled(struct regress *t)
{
	struct helper_run h;

	begin_timer(t, &h);
	h.io.in[0] = 3600 * UINT64_C(1000000000);
	h.io.in[1] = 1;
	helper_fire(t, &h);
	is_made(t, h.io.ret[0] != -ENOMEM);
	helper_returned(t, &h, 2, 0);
	regress_saw(t, "", "%lld", (long long)h.io.ret[3]);
	/* With interrupts off it may not wait for the function, and cancels nothing. */
	regress_expect(t, h.io.ret[3] == -EOPNOTSUPP || h.io.ret[3] == 0 || h.io.ret[3] == 1,
		       "bpf_timer_cancel() returned %lld",
		       (long long)h.io.ret[3]);
	said(t, &h, 0, 0);
	helper_end(t, &h);
}

/* --- cgroups --- */

/*
 * Returns this process's directory in cgroup v2; owned. NULL: there is no such mount, or no access.
 */
static char *own_cgroup(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[4096], *path = NULL;
	struct mntent *mnt = NULL;

	while (mounts && (mnt = getmntent(mounts)))
		if (!strcmp(mnt->mnt_type, "cgroup2"))
			break;
	while (file && mnt && !path && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::", 3) &&
		    asprintf(&path, "%s%s", mnt->mnt_dir, line + 3) < 0)
			path = NULL;
	}
	if (file)
		fclose(file);
	if (mounts)
		endmntent(mounts);
	return path;
}

/* The number of a cgroup is that of its directory. */
static uint64_t number(struct regress *t, const char *path)
{
	struct stat st;

	regress_expect(t, !stat(path, &st), "%s: %s", path, strerror(errno));
	return st.st_ino;
}

static void cgroup_id(struct regress *t, struct helper_run *h)
{
	char *path = own_cgroup();

	if (!path)
		regress_skip(t, "cgroup2 is not mounted");
	helper_fire(t, h);
	said(t, h, 0, number(t, path));
	free(path);
}

/*
 * The first ancestor is the root, whose id is 1: kernfs numbers directories upwards as they are
 * created.
 */
static void ancestor_id(struct regress *t, struct helper_run *h)
{
	helper_fire(t, h);
	said(t, h, 0, 1);
	said(t, h, 1, 0);
}

static void under_cgroup(struct regress *t, struct helper_run *h)
{
	char *path = own_cgroup(), *below = NULL;
	const uint32_t ours = 0, other = 1;
	uint32_t fd;
	int ret;

	if (!path || asprintf(&below, "%s/pload-helpers-%d", path, getpid()) < 0)
		regress_skip(t, "cgroup2 is not mounted");
	helper_fire(t, h);
	helper_returned(t, h, 0, -EAGAIN);
	helper_returned(t, h, 2, -E2BIG);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	regress_ok(t, map_update(t->sys, regress_map(t, &h->o, "cgroups"), &ours, &fd, BPF_ANY),
		   NULL, "adding our own cgroup to the map");
	close(fd);
	if (mkdir(below, 0700))
		regress_skip(t, "cannot create a cgroup: %s", strerror(errno));
	fd = open(below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = map_update(t->sys, regress_map(t, &h->o, "cgroups"), &other, &fd, BPF_ANY);
	close(fd);
	rmdir(below);
	regress_ok(t, ret, NULL, "adding another cgroup to the map");
	helper_fire(t, h);
	helper_returned(t, h, 0, 1);
	helper_returned(t, h, 1, 0);
	free(path);
	free(below);
}

static const struct regress_test tests[] = {
	{ "bpf_loop: as many turns as it says, until the function ends it; EINVAL for flags",
	  HELPER_TEST("loop", "helpers_call", loop) },
	{ "bpf_loop of too many turns is E2BIG, in 32 bits where it is no call",
	  HELPER_TEST("loop", "helpers_call", loop_too_long) },
	{ "bpf_for_each_map_elem: each once, until the function ends it",
	  HELPER_TEST("for_each_map_elem", "helpers_call", for_each) },
	{ "bpf_find_vma: the mapping around the address, ENOENT, EINVAL for flags",
	  HELPER_TEST("find_vma", "helpers_call", vma) },
	{ "bpf_per_cpu_ptr is each CPU's own, and NULL beyond them",
	  HELPER_TEST("per_cpu_ptr", "helpers_btf", per_cpu) },
	{ "bpf_this_cpu_ptr is that of the CPU it runs on",
	  HELPER_TEST("this_cpu_ptr", "helpers_btf", this_cpu) },
	{ "bpf_task_storage_get keeps its value from run to run",
	  HELPER_TEST("task_storage_get", "helpers_storage", storage) },
	{ "bpf_task_storage_delete: 0, and then ENOENT",
	  HELPER_TEST("task_storage_delete", "helpers_storage", storage_gone) },
	{ "bpf_timer_start: its function is called, each time it is started", timer_rings },
	{ "bpf_timer_cancel: its function is not called, or EOPNOTSUPP with interrupts off",
	  timer_cancelled },
	{ "bpf_get_current_cgroup_id is the number of the cgroup's directory",
	  HELPER_TEST("get_current_cgroup_id", "helpers", cgroup_id) },
	{ "bpf_get_current_ancestor_cgroup_id: 1 of the first, 0 where there is none",
	  HELPER_TEST("get_current_ancestor_cgroup_id", "helpers", ancestor_id) },
	{ "bpf_current_task_under_cgroup: 1, 0, EAGAIN for an empty slot, E2BIG beyond the map",
	  HELPER_TEST("current_task_under_cgroup", "helpers", under_cgroup) },
	{ 0 }
};

const struct regress_group regress_group_helpers_calls = {
	"helpers_calls", "helpers that call functions, know variables, cgroups and storage", tests,
	NULL, __FILE__
};
