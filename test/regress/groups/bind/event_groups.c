// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Groups of events with programs: read in one call, in samples, as large as the kernel permits, and
 * refusals.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"

#define TIMES 10
#define MOST 4096
#define FEW 5
#define PATIENCE 180	/* seconds: closing each event may take a grace period */

/* Events of page faults of this thread; the first leads. */
struct events {
	struct regress *t;
	struct regress_object o;
	unsigned int nr;
	int fds[MOST];
	uint64_t values[3 + 2 * MOST];
};

static struct events *begin(struct regress *t)
{
	const struct context_io io = { .answer = 1, .low = (uintptr_t)known_store_at, .high = (uintptr_t)known_store_at + 1 };
	struct events *g = calloc(1, sizeof(*g));

	regress_expect(t, g, "no memory");
	known_ready();
	g->t = t;
	regress_load(t, &g->o, "context", "pe_see");
	io_put(t, &g->o, &io);
	return g;
}

static void end(struct events *g)
{
	while (g->nr)
		sys_close(g->t->sys, g->fds[--g->nr]);
	regress_unload(g->t, &g->o);
	free(g);
}

static struct perf_event_attr faults(void)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER5,
					 .config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1, .exclude_kernel = 1,
					 .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID };
}

/* Returns 0 or -errno. The leader is disabled, and its members count with it. */
static int add(struct events *g, struct perf_event_attr *attr, int leader)
{
	const int fd = sys_perf_event_open(g->t->sys, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		g->fds[g->nr++] = fd;
	return fd < 0 ? fd : 0;
}

static void add_all(struct events *g, unsigned int nr)
{
	struct perf_event_attr attr = faults();

	while (g->nr < nr) {
		attr.disabled = !g->nr;
		regress_ok(g->t, add(g, &attr, g->nr ? g->fds[0] : -1), NULL, "an event");
	}
}

static void bind(struct events *g, unsigned int i)
{
	regress_ok(g->t, sys_ioctl(g->t->sys, g->fds[i], PERF_EVENT_IOC_SET_BPF, regress_prog(g->t, &g->o, "pe_see")), NULL,
		   "PERF_EVENT_IOC_SET_BPF");
}

static void lead(struct events *g, unsigned long request)
{
	regress_ok(g->t, sys_ioctl(g->t->sys, g->fds[0], request, 0), NULL, "an ioctl of the leader");
}

/* u64 nr, { u64 value, id } [nr]: PERF_FORMAT_GROUP | PERF_FORMAT_ID. All count the same faults. */
static void expect_values(struct events *g, const uint64_t *values)
{
	regress_expect(g->t, values[0] == g->nr, "it has %" PRIu64 " values of %u events", values[0], g->nr);
	regress_expect(g->t, values[1] >= TIMES, "the leader has counted %" PRIu64 " for %d pages", values[1], TIMES);
	for (unsigned int i = 0; i < g->nr; i++) {
		uint64_t id = 0;

		regress_ok(g->t, sys_ioctl(g->t->sys, g->fds[i], PERF_EVENT_IOC_ID, attr_pointer(&id)), NULL,
			   "PERF_EVENT_IOC_ID");
		regress_expect(g->t, values[2 + 2 * i] == id, "value %u has id %" PRIu64 ", expected %" PRIu64, i,
			       values[2 + 2 * i], id);
		regress_expect(g->t, values[1 + 2 * i] == values[1], "event %u has counted %" PRIu64 ", the leader %" PRIu64,
			       i, values[1 + 2 * i], values[1]);
	}
}

static void touch_once(struct events *g)
{
	lead(g, PERF_EVENT_IOC_ENABLE);
	happen_touch(g->t, TIMES);
	lead(g, PERF_EVENT_IOC_DISABLE);
}

static ssize_t read_all(struct events *g, size_t size)
{
	return sys_read(g->t->sys, g->fds[0], g->values, size);
}

static size_t size_of(const struct events *g)
{
	return 8 + 16 * (size_t)g->nr;
}

/* The leader's and the last one's program. */
static void expect_runs(struct events *g)
{
	const uint64_t runs = io_get(g->t, &g->o).runs;

	regress_expect(g->t, runs >= 2 * TIMES && runs <= 2 * g->values[1] && runs % 2 == 0, "%" PRIu64 " runs of two "
		       "programs for %d pages", runs, TIMES);
}

static void read_at_once(struct regress *t)
{
	struct events *g = begin(t);

	add_all(g, FEW);
	bind(g, 0);
	bind(g, FEW - 1);
	touch_once(g);
	regress_expect(t, read_all(g, sizeof(g->values)) == (ssize_t)size_of(g), "read(2) does not return %zu",
		       size_of(g));
	expect_values(g, g->values);
	expect_runs(g);
	end(g);
}

static void no_room(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "ENOSPC" } };
	struct events *g = begin(t);

	add_all(g, FEW);
	touch_once(g);
	regress_answer(t, "", regress_errno(read_all(g, size_of(g) - 1)), rows, NR(rows));
	regress_expect(t, read_all(g, size_of(g)) == (ssize_t)size_of(g), "it cannot be read with room");
	expect_values(g, g->values);
	end(g);
}

static void raise_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Add events until the kernel refuses one. Return: its answer, a negative errno. */
static int add_until_refused(struct regress *t, struct events *g)
{
	struct perf_event_attr attr = faults();
	int ret = 0;

	raise_limit();
	add_all(g, 1);
	while (!ret && g->nr < MOST)
		ret = add(g, &attr, g->fds[0]);
	if (ret == -EMFILE)
		regress_skip(t, "RLIMIT_NOFILE allows no more than %u events", g->nr);
	return ret;
}

/* perf_event_validate_size(): reading a group may return at most 16 KB. */
static void as_large_as_it_can_be(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "E2BIG" } };
	struct events *g = begin(t);
	const int ret = add_until_refused(t, g);

	regress_answer(t, "one more", regress_errno(ret), rows, NR(rows));
	regress_saw(t, "members", "%u", g->nr);
	regress_expect(t, size_of(g) <= 16384 + 16 && size_of(g) > 16384 - 256, "%u events are the most", g->nr);
	bind(g, 0);
	bind(g, g->nr - 1);
	touch_once(g);
	regress_expect(t, read_all(g, sizeof(g->values)) == (ssize_t)size_of(g), "%u events cannot be read", g->nr);
	expect_values(g, g->values);
	expect_runs(g);
	end(g);
}

/*
 * An event with another read_format is refused in a group that is too large for the others, which
 * 382c27f4ed28 also checks.
 */
static void siblings_count(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "0|E2BIG" }, { LINUX(6, 7), "E2BIG" } };
	struct perf_event_attr attr = faults();
	struct events *g = begin(t);

	add_until_refused(t, g);
	attr.read_format = 0;
	regress_answer(t, "", regress_errno(add(g, &attr, g->fds[0])), rows, NR(rows));
	end(g);
}

/* --- in samples --- */

static void read_in_samples(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID;
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
}

/* PERF_SAMPLE_READ: what read(2) would return at the time of the sample, after the other fields. */
static void in_samples(struct regress *t)
{
	const struct context_io *row = t->data;
	struct context_io io = *row;
	struct perf_event_attr attr = faults();
	struct events *g = begin(t);
	unsigned int nr = 0;
	struct sample one;
	struct samples s;
	struct happen h;

	io.low = (uintptr_t)known_store_at;
	io.high = io.low + 1;
	io_put(t, &g->o, &io);
	happen_open(t, &h, BY_IOCTL, read_in_samples, "page-faults:u,period=1");
	samples_map(&s, &h, 8);
	for (int i = 0; i < 2; i++)
		regress_ok(t, add(g, &attr, h.e.a.event_fd), NULL, "a member");
	happen_bind(&h, &g->o, "pe_see", 0);
	happen_touch(t, TIMES);
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	while (samples_next(&s, &one)) {
		const uint64_t *values = one.bytes + 1;	/* after pid and tid */

		if (one.type != PERF_RECORD_SAMPLE)
			continue;
		nr++;
		regress_expect(t, values[0] == 3, "a sample has %" PRIu64 " values of 3 events", values[0]);
		/* A member counts the same fault before or after its leader. */
		regress_expect(t, values[1] >= nr && values[3] + 1 >= values[1] && values[3] <= values[1] &&
			       values[5] == values[3], "sample %u counts %" PRIu64 ", %" PRIu64 " and %" PRIu64, nr,
			       values[1], values[3], values[5]);
	}
	io = io_get(t, &g->o);
	regress_expect(t, row->answer ? nr == io.runs && nr >= TIMES : !nr, "%u samples of %llu runs", nr,
		       (unsigned long long)io.runs);
	samples_unmap(&s);
	happen_close(&h);
	end(g);
}

static const struct context_io kept = { .answer = 1 }, dropped = { .answer = 0 };

/* --- events that are not members --- */

struct refusal {
	const char *what;
	void (*change)(struct perf_event_attr *attr);
	bool of_member;		/* the leader already has a leader */
	bool other_cpu;
};

static void be_pinned(struct perf_event_attr *attr) { attr->pinned = 1; }
static void be_exclusive(struct perf_event_attr *attr) { attr->exclusive = 1; }
static void be_of_clock(struct perf_event_attr *attr) { attr->use_clockid = 1; attr->clockid = 1; }

static const struct refusal
	pinned = { "pinned", be_pinned }, exclusive = { "exclusive", be_exclusive }, clock_of = { "clock", be_of_clock },
	of_member = { "of a member", NULL, .of_member = true }, other_cpu = { "on one CPU", NULL, .other_cpu = true };

static void refused(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	const struct refusal *row = t->data;
	struct perf_event_attr attr = faults();
	struct events *g = begin(t);
	int fd;

	add_all(g, 2);
	if (row->change)
		row->change(&attr);
	fd = sys_perf_event_open(t->sys, &attr, 0, row->other_cpu ? 0 : -1, g->fds[row->of_member], PERF_FLAG_FD_CLOEXEC);
	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), rows, NR(rows));
	bind(g, 0);
	bind(g, 1);
	touch_once(g);
	regress_expect(t, read_all(g, size_of(g)) == (ssize_t)size_of(g), "the group cannot be read any more");
	expect_values(g, g->values);
	expect_runs(g);
	end(g);
}

/* --- limits --- */

static void no_descriptor(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EMFILE" } };
	struct perf_event_attr attr = faults();
	struct events *g = begin(t);
	struct rlimit limit;
	int ret = 0;

	add_all(g, 1);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = g->fds[0] + 20;
	regress_expect(t, !setrlimit(RLIMIT_NOFILE, &limit), "setrlimit: %m");
	while (!ret && g->nr < MOST)
		ret = add(g, &attr, g->fds[0]);
	regress_answer(t, "", regress_errno(ret), rows, NR(rows));
	bind(g, 0);
	bind(g, g->nr - 1);
	touch_once(g);
	read_all(g, sizeof(g->values));
	expect_values(g, g->values);
	expect_runs(g);
	sys_close(t->sys, g->fds[--g->nr]);
	regress_ok(t, add(g, &attr, g->fds[0]), NULL, "an event when another is closed");
	end(g);
}

/* bpf_link_prime() takes a descriptor before the program is bound. */
static void no_descriptor_for_link(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EMFILE" } };
	struct events *g = begin(t);
	struct rlimit limit;
	union bpf_attr link;
	int fd;

	memset(&link, 0, sizeof(link));
	add_all(g, 1);
	link.link_create.prog_fd = regress_prog(t, &g->o, "pe_see");
	link.link_create.target_fd = g->fds[0];
	link.link_create.attach_type = BPF_PERF_EVENT;
	fd = sys_bpf(t->sys, BPF_LINK_CREATE, &link, ATTR_SIZE(link_create.flags));
	if (fd == -EINVAL && t->kernel < LINUX(5, 15))
		regress_skip(t, "links of events came with Linux 5.15");
	regress_ok(t, fd, NULL, "a link");
	sys_close(t->sys, fd);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = fd;
	regress_expect(t, !setrlimit(RLIMIT_NOFILE, &limit), "setrlimit: %m");
	fd = sys_bpf(t->sys, BPF_LINK_CREATE, &link, ATTR_SIZE(link_create.flags));
	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), rows, NR(rows));
	touch_once(g);
	regress_expect(t, !io_get(t, &g->o).runs, "the program runs without its link");
	bind(g, 0);
	touch_once(g);
	regress_expect(t, io_get(t, &g->o).runs >= TIMES, "it cannot be bound any more");
	end(g);
}

static void call_chains(struct perf_event_attr *attr, unsigned int most)
{
	attr->size = PERF_ATTR_SIZE_VER5;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = most;
}

static unsigned int max_stack(struct regress *t)
{
	char text[16] = "";

	if (sys_read_text(t->sys, AT_FDCWD, "/proc/sys/kernel/perf_event_max_stack", text, sizeof(text)) < 0)
		regress_skip(t, "no kernel.perf_event_max_stack");
	return strtoul(text, NULL, 10);
}

/* get_callchain_buffers(): a different error for a limit that the administrator has set. */
static void too_deep(struct regress *t)
{
	static const struct regress_since over[] = { { LINUX(0, 0), "EOVERFLOW" } };
	static const struct regress_since fits[] = { { LINUX(0, 0), "0" } };
	const unsigned int most = max_stack(t);
	struct perf_event_attr attr = faults();
	struct events *g = begin(t);

	call_chains(&attr, most + 1);
	regress_answer(t, "one more", regress_errno(add(g, &attr, -1)), over, NR(over));
	attr.sample_max_stack = most;
	regress_answer(t, "as many", regress_errno(add(g, &attr, -1)), fits, NR(fits));
	end(g);
}

static void three_deep(struct perf_event_attr *attr)
{
	call_chains(attr, 3);
}

static void is_limited(struct regress *t)
{
	struct events *g = begin(t);
	struct sample one;
	struct samples s;
	struct happen h;

	happen_open(t, &h, BY_IOCTL, three_deep, "page-faults:u,period=1");
	samples_map(&s, &h, 8);
	happen_bind(&h, &g->o, "pe_see", 0);
	known_deep(10, happen_page(t));
	regress_expect(t, samples_next(&s, &one) && one.type == PERF_RECORD_SAMPLE, "there is no sample");
	/* PERF_CONTEXT_USER is not a frame, and does not count as one. */
	regress_expect(t, one.nr_chain >= 2 && one.nr_chain <= 4, "its call chain has %" PRIu64 " entries", one.nr_chain);
	samples_unmap(&s);
	happen_close(&h);
	end(g);
}

static void fill(struct regress_list *list)
{
	static const struct regress_test tests[] = {
		{ "PERF_FORMAT_GROUP: one read(2) has the counts and ids of all", read_at_once },
		{ "PERF_FORMAT_GROUP: read(2) without room for all is ENOSPC", no_room },
		{ "PERF_SAMPLE_READ: each sample has the counts of the group", in_samples, &kept },
		{ "PERF_SAMPLE_READ: what the program drops is no sample", in_samples, &dropped },
		{ "a pinned event is no member: EINVAL", refused, &pinned },
		{ "an exclusive event is no member: EINVAL", refused, &exclusive },
		{ "an event of another clock is no member: EINVAL", refused, &clock_of },
		{ "a member leads no group: EINVAL", refused, &of_member },
		{ "an event of this thread on one CPU is no member where the leader is on all: EINVAL", refused, &other_cpu },
		{ "no descriptor is left for an event: EMFILE, and the group goes on", no_descriptor },
		{ "no descriptor is left for a link: EMFILE, and nothing is bound", no_descriptor_for_link },
		{ "sample_max_stack above kernel.perf_event_max_stack: EOVERFLOW", too_deep },
		{ "sample_max_stack limits the call chain of a sample", is_limited },
	};

	for (size_t i = 0; i < NR(tests); i++)
		regress_add(list, tests[i].run, tests[i].data, "%s", tests[i].name);
	regress_patience(list, PATIENCE);
	regress_add(list, as_large_as_it_can_be, NULL, "a group has members until it is 16 KB to be read: E2BIG");
	regress_add(list, siblings_count, NULL, "a full group takes no member of any read_format");
}

const struct regress_group regress_group_event_groups = {
	"event_groups", "groups of events: read in one call and in samples, their limits, and who is refused", NULL, fill,
	__FILE__
};
