// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_perf_event_read() and bpf_perf_event_read_value(): their results and their errors. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "test/regress/common/lacks.h"
#include "test/regress/groups/rings/event_slot.h"
#include "loader/base/kernel/kernel_calls.h"

#define CURRENT_CPU UINT32_MAX	/* BPF_F_CURRENT_CPU */
#define PAGES 5

static const struct carrier *perf_event = &carriers[0];

/*
 * An event that has counted page faults of this thread, or, if the program runs in another's task,
 * of its CPU: it has counted at least PAGES, and is disabled afterwards.
 */
static int counted_event(struct regress *t, const struct carried *c)
{
	const bool elsewhere = c->carrier->by == BY_CGROUP || c->carrier->by == BY_NETNS;
	const int fd = slot_event(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
				  elsewhere ? -1 : 0, elsewhere ? c->here : -1, false);
	unsigned char *pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	regress_expect(t, pages != MAP_FAILED, "no pages: %s", strerror(errno));
	madvise(pages, PAGES * 4096, MADV_NOHUGEPAGE);
	for (unsigned int i = 0; i < PAGES; i++)
		*(volatile unsigned char *)(pages + i * 4096) = 1;
	regress_ok(t, sys_ioctl(t->sys, fd, PERF_EVENT_IOC_DISABLE, 0), NULL, "disable");
	munmap(pages, PAGES * 4096);
	return fd;
}

/* Both helpers fail with the same errno; @what distinguishes the keys of a test. */
static void refused(struct regress *t, struct carried *c, const char *what, uint64_t index,
		    const char *want)
{
	const struct regress_since rows[] = { { LINUX(0, 0), want } };
	char key[32];

	c->h.io.in[0] = index;
	carry_fire(t, c);
	snprintf(key, sizeof(key), "%sread", what);
	regress_answer(t, key, regress_errno(c->h.io.ret[0]), rows, 1);
	snprintf(key, sizeof(key), "%sread_value", what);
	regress_answer(t, key, regress_errno(c->h.io.ret[1]), rows, 1);
	regress_expect(t, !c->h.io.out[0] && !c->h.io.out[1] && !c->h.io.out[2],
		       "bpf_perf_event_read_value() has left something in its buffer");
}

/* Both helpers return exactly the values of read(2). */
static void is_read(struct regress *t, struct carried *c, uint64_t index, int fd)
{
	const struct slot_count want = slot_read(t, fd);
	const struct helper_io *io = &c->h.io;

	c->h.io.in[0] = index;
	carry_fire(t, c);
	regress_expect(t, (uint64_t)io->ret[0] == want.count,
		       "bpf_perf_event_read() has %lld (%s), read(2) %llu", (long long)io->ret[0],
		       regress_errno(io->ret[0]),
		       (unsigned long long)want.count);
	helper_returned(t, &c->h, 1, 0);
	regress_expect(t, io->out[0] == want.count && io->out[1] == want.enabled &&
			  io->out[2] == want.running,
		       "bpf_perf_event_read_value() has %llu, %llu, %llu; read(2) %llu, %llu, %llu",
		       (unsigned long long)io->out[0], (unsigned long long)io->out[1],
		       (unsigned long long)io->out[2], (unsigned long long)want.count,
		       (unsigned long long)want.enabled, (unsigned long long)want.running);
}

/* --- by programs of every type --- */

/*
 * Returns whether this kernel is too old to have the helpers for this program type; if it is,
 * checks that pload reports that reason.
 */
static bool has_none(struct regress *t, const struct carrier *by)
{
	struct regress_object o;
	struct error err = { 0 };
	char prog[32];

	if (by->always_reads || t->kernel >= LINUX(6, 16))
		return false;
	snprintf(prog, sizeof(prog), "by_%s", by->name);
	regress_expect(t, regress_try_load(t, &o, "event_read", prog, &err) < 0,
		       "a program is taken before Linux 6.16");
	if (strcmp(err.reason ? err.reason : "", "prog-load/no-helper"))
		lacks_ok(t, err.code, &err, prog);
	error_clear(&err);
	regress_unload(t, &o);
	return true;
}

static void by_its_count(struct regress *t)
{
	struct carried c;
	int fd;

	if (has_none(t, t->data))
		return;
	carry_begin(t, &c, "event_read", t->data);
	fd = counted_event(t, &c);
	regress_expect(t, slot_read(t, fd).count >= PAGES, "it has not counted");
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	is_read(t, &c, CURRENT_CPU, fd);
	is_read(t, &c, c.here, fd);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/* Each way to name an event that the helper cannot use. */
static void by_no_event(struct regress *t)
{
	struct carried c;
	int fd;

	if (has_none(t, t->data))
		return;
	carry_begin(t, &c, "event_read", t->data);
	refused(t, &c, "empty: ", CURRENT_CPU, "ENOENT");
	refused(t, &c, "beyond: ", 100000, "E2BIG");
	refused(t, &c, "flags: ", UINT64_C(1) << 32, "EINVAL");
	if (c.there >= 0) {
		fd = slot_event(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, c.there, false);
		regress_ok(t, slot_put(t, &c, c.there, fd), NULL,
			   "adding another CPU's event to the map");
		refused(t, &c, "other CPU: ", c.there, "EINVAL");
		sys_close(t->sys, fd);
	}
	carry_end(t, &c);
}

/* --- by a perf_event program --- */

static void any_slot(struct regress *t)
{
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	slot_skip_alone(t, &c);
	fd = counted_event(t, &c);
	regress_ok(t, slot_put(t, &c, c.there, fd), NULL, "adding the event to the map");
	is_read(t, &c, c.there, fd);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/*
 * The helper's value is between those of read(2) before and after. @cpu -1: an event of this
 * thread.
 */
static void goes_on(struct regress *t, uint32_t type, uint64_t config, bool of_cpu)
{
	struct slot_count before, after;
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	fd = slot_event(t, type, config, of_cpu ? -1 : 0, of_cpu ? c.here : -1, false);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	c.h.io.in[0] = CURRENT_CPU;
	before = slot_read(t, fd);
	carry_fire(t, &c);
	after = slot_read(t, fd);
	regress_expect(t, before.count <= (uint64_t)c.h.io.ret[0] &&
			  (uint64_t)c.h.io.ret[0] <= after.count,
		       "%lld is not between %llu and %llu", (long long)c.h.io.ret[0],
		       (unsigned long long)before.count, (unsigned long long)after.count);
	regress_expect(t, before.enabled <= c.h.io.out[1] && c.h.io.out[1] <= after.enabled,
		       "enabled for %llu, which is not between %llu and %llu",
		       (unsigned long long)c.h.io.out[1], (unsigned long long)before.enabled,
		       (unsigned long long)after.enabled);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

static void thread_goes_on(struct regress *t)
{
	goes_on(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false);
}

static void cpu_goes_on(struct regress *t)
{
	goes_on(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true);
}

static void cycles_go_on(struct regress *t)
{
	goes_on(t, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false);
}

static void other_task(struct regress *t)
{
	struct carried c;
	pid_t pid;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	fd = slot_event(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, pid, -1, false);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	refused(t, &c, "", CURRENT_CPU, "EINVAL");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

static void never_enabled(struct regress *t)
{
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	fd = slot_event(t, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, -1, true);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	is_read(t, &c, CURRENT_CPU, fd);
	regress_expect(t, !c.h.io.ret[0] && !c.h.io.out[0] && !c.h.io.out[1] && !c.h.io.out[2],
		       "a count or a time is not 0");
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

static void inherits(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EOPNOTSUPP" } };
	struct perf_event_attr attr;
	struct carried c;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER0;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.inherit = 1;
	carry_begin(t, &c, "event_read", perf_event);
	fd = slot_open(t, &attr, 0, -1);
	regress_answer(t, "", regress_errno(slot_put(t, &c, 0, fd)), rows, NR(rows));
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/* A pinned event that cannot be on the CPU does not count, and reading it fails. */
static void pinned(struct regress *t)
{
	struct perf_event_attr attr;
	struct carried c;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER0;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.pinned = 1;
	attr.disabled = 1;
	carry_begin(t, &c, "event_read", perf_event);
	fd = slot_open(t, &attr, 0, -1);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	refused(t, &c, "", CURRENT_CPU, "EBUSY");
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

static void closed(struct regress *t)
{
	struct carried c;
	uint64_t count;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	fd = counted_event(t, &c);
	count = slot_read(t, fd).count;
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	sys_close(t->sys, fd);
	c.h.io.in[0] = CURRENT_CPU;
	carry_fire(t, &c);
	regress_expect(t, (uint64_t)c.h.io.ret[0] == count, "its count is %lld, not %llu",
		       (long long)c.h.io.ret[0], (unsigned long long)count);
	carry_end(t, &c);
}

static void deleted(struct regress *t)
{
	union bpf_attr attr;
	struct carried c;
	uint32_t key;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	fd = counted_event(t, &c);
	key = c.here;
	regress_ok(t, slot_put(t, &c, key, fd), NULL, "adding the event to the map");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = regress_map(t, &c.h.o, "events");
	attr.key = attr_pointer(&key);
	regress_ok(t, sys_bpf(t->sys, BPF_MAP_DELETE_ELEM, &attr, ATTR_SIZE(flags)), NULL,
		   "delete");
	refused(t, &c, "", CURRENT_CPU, "ENOENT");
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/*
 * An element is removed when the open file of the map is closed through which it was added, unless
 * the map was created with BPF_F_PRESERVE_ELEMS.
 */
static void map_closed(struct regress *t)
{
	const char *object = t->data;
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info), key, value;
	struct carried c;
	int fd, map_fd;

	carry_begin(t, &c, object, perf_event);
	value = fd = counted_event(t, &c);
	key = c.here;
	regress_ok(t, kernel_fd_info(t->sys, regress_map(t, &c.h.o, "events"), &info, &len), NULL,
		   "map info");
	map_fd = regress_ok(t, kernel_fd_by_id(t->sys, BPF_MAP_GET_FD_BY_ID, info.id), NULL,
			    "the map again");
	regress_ok(t, map_update(t->sys, map_fd, &key, &value, BPF_ANY), NULL,
		   "adding the event to the map");
	is_read(t, &c, CURRENT_CPU, fd);
	sys_close(t->sys, map_fd);
	if (strcmp(object, "event_kept"))
		refused(t, &c, "", CURRENT_CPU, "ENOENT");
	else
		is_read(t, &c, CURRENT_CPU, fd);
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

static void kinds(struct regress *t)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} kinds[] = {
		{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
		{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
		{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	};
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	for (size_t i = 0; i < NR(kinds); i++) {
		fd = slot_event(t, kinds[i].type, kinds[i].config, 0, -1, true);
		regress_note(t, "%s", kinds[i].name);
		regress_ok(t, slot_put(t, &c, c.here, fd), NULL, kinds[i].name);
		is_read(t, &c, CURRENT_CPU, fd);
		sys_close(t->sys, fd);
	}
	carry_end(t, &c);
}

static void wrong_size(struct regress *t)
{
	struct carried c;
	int fd;

	carry_begin(t, &c, "event_read", perf_event);
	fd = counted_event(t, &c);
	regress_ok(t, slot_put(t, &c, c.here, fd), NULL, "adding the event to the map");
	c.h.io.in[0] = CURRENT_CPU;
	carry_fire(t, &c);
	helper_returned(t, &c.h, 2, -EINVAL);
	regress_expect(t, !c.h.io.out[4] && !c.h.io.out[5], "the 16 bytes are not 0");
	sys_close(t->sys, fd);
	carry_end(t, &c);
}

/*
 * bpf_perf_event_read() returns errors in the same 64 bits as counts: -EINVAL looks like
 * 18446744073709551594.
 */
static void error_is_a_count(struct regress *t)
{
	struct carried c;

	carry_begin(t, &c, "event_read", perf_event);
	c.h.io.in[0] = UINT64_C(1) << 32;
	carry_fire(t, &c);
	regress_expect(t, (uint64_t)c.h.io.ret[0] == UINT64_C(0xffffffffffffffea), "it is 0x%llx",
		       (unsigned long long)c.h.io.ret[0]);
	carry_end(t, &c);
}

/*
 * One event is read in four ways: by the two helpers that find it in a map, by the one that reads
 * the program's own event, and by read(2), for a run with no other fault in between.
 */
static void four_ways(struct regress *t)
{
	static const struct helper itself = { "perf_prog_read_value", "event_itself" };
	uint64_t before = 0, after = 0;
	const uint32_t slot = 0;
	struct helper_run h;
	int fd;

	helper_begin(t, &h, &itself);
	fd = h.set.list[0].event_fd;
	regress_ok(t, map_update(t->sys, regress_map(t, &h.o, "events"), &slot, &fd, BPF_ANY), NULL,
		   "adding the event to the map");
	for (unsigned int i = 0; i < 32 && (!i || after != before + 1); i++) {
		before = after;
		helper_fire(t, &h);
		regress_expect(t, sys_read(t->sys, fd, &after, sizeof(after)) == sizeof(after),
			       "the event cannot be read");
	}
	regress_expect(t, after == before + 1, "there were always other faults");
	helper_returned(t, &h, 0, after);
	helper_returned(t, &h, 1, 0);
	helper_returned(t, &h, 2, 0);
	regress_expect(t, h.io.out[0] == after && h.io.out[3] == after,
		       "read(2) has %llu, bpf_perf_event_read_value() %llu, "
		       "bpf_perf_prog_read_value() %llu", (unsigned long long)after,
		       (unsigned long long)h.io.out[0], (unsigned long long)h.io.out[3]);
	/* The second call is later, and a software event is never off the PMU. */
	regress_expect(t, h.io.out[1] <= h.io.out[4] && h.io.out[1] == h.io.out[2] &&
			  h.io.out[4] == h.io.out[5],
		       "enabled for %llu and %llu ns, running for %llu and %llu",
		       (unsigned long long)h.io.out[1], (unsigned long long)h.io.out[4],
		       (unsigned long long)h.io.out[2], (unsigned long long)h.io.out[5]);
	helper_end(t, &h);
}

static const struct regress_test tests[] = {
	{ "an event of this thread is read from any slot", any_slot, NULL, 0 },
	{ "an event of this thread that is counting is read as it goes on", thread_goes_on, NULL,
	  0 },
	{ "an event of this CPU that is counting is read as it goes on", cpu_goes_on, NULL, 0 },
	{ "cycles of this thread are read as they go on", cycles_go_on, NULL, 0 },
	{ "an event of another task is EINVAL", other_task, NULL, 0 },
	{ "an event that was never enabled is 0, with times of 0", never_enabled, NULL, 0 },
	{ "an event that is inherited does not go into the map: EOPNOTSUPP", inherits, NULL, 0 },
	{ "a pinned event that does not count is EBUSY", pinned, NULL, 0 },
	{ "an event whose descriptor is closed stays in the map", closed, NULL, 0 },
	{ "an event that is deleted from the map is ENOENT", deleted, NULL, 0 },
	{ "an event goes with the descriptor of the map by which it came", map_closed,
	  "event_read", 0 },
	{ "an event stays where the map has BPF_F_PRESERVE_ELEMS", map_closed, "event_kept", 0 },
	{ "any kind of event is read, also one that counts nothing", kinds, NULL, 0 },
	{ "bpf_perf_event_read_value into another size is EINVAL, and zeroed", wrong_size, NULL,
	  0 },
	{ "the program's own event has the same count by each helper and by read(2)", four_ways,
	  NULL, 0 },
	{ "bpf_perf_event_read returns an error as if it were a count", error_is_a_count, NULL, 0 },
	{ 0 }
};

static void fill(struct regress_list *list)
{
	for (unsigned int i = 0; i < nr_carriers; i++) {
		const struct carrier *by = &carriers[i];
		const char *since = by->always_reads ? "" : ", since Linux 6.16";

		regress_add(list, by_its_count, by, "%s%s: the count and the times of read(2)",
			    by->name, since);
		regress_add(list, by_no_event, by, "%s%s: ENOENT, E2BIG beyond the map, EINVAL for "
			    "flags and of another CPU", by->name, since);
	}
}

const struct regress_group regress_group_event_read = {
	"event_read", "what bpf_perf_event_read() and _read_value() answer", tests, fill, __FILE__
};
