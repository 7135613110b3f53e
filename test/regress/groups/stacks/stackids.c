// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_get_stackid(): one id for one stack, and collisions of stacks in one bucket. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "test/regress/groups/stacks/stacks.h"

#define USER BPF_F_USER_STACK

/* Frames that a value of those maps has. */
#define DEPTH 64

static void lookup(struct taking *k, const char *map, int64_t id, __u64 frames[DEPTH])
{
	const uint32_t key = id;

	if (id < 0)	/* 0 is an id like any other */
		needs_frames(k->t, id);
	regress_expect(k->t, id >= 0, "it returned %lld", (long long)id);
	regress_ok(k->t, map_lookup(k->t->sys, regress_map(k->t, &k->o, map), &key, frames), NULL,
		   map);
}

static int64_t bytes_of(const __u64 frames[DEPTH])
{
	int64_t nr = 0;

	while (nr < DEPTH && frames[nr])
		nr++;
	return nr * 8;
}

static void has_path(struct regress *t)
{
	struct stacks_io io = { .flags = { USER } };
	__u64 frames[DEPTH];
	struct taking k;

	taking_begin(t, &k, "id_many", NULL);
	taking_put(&k, &io);
	touch(t);
	taking_get(&k, &io);
	lookup(&k, "many", io.ret[0], frames);
	regress_expect(t, frames[0] == (uintptr_t)known_store_at, "the first frame is %#llx",
		       (unsigned long long)frames[0]);
	expect_path(t, frames, bytes_of(frames));
	taking_end(&k);
}

/* In a program of another type, at getppid(). */
static void of_getppid(struct regress *t, const char *prog, const char *event)
{
	struct context_io ours = { 0 };
	struct stacks_io io = { .flags = { USER } };
	__u64 frames[DEPTH];
	struct taking k;

	io_ours(t, &ours);
	memcpy(io.comm, ours.comm, sizeof(io.comm));
	taking_load(t, &k, prog);
	taking_put(&k, &io);
	happen_attach(t, &k.h, BY_IOCTL, event, &k.o, prog);
	known_outer(known_ask, NULL);
	taking_get(&k, &io);
	if (io.ret[0] < 0) {
		taking_end(&k);	/* a line in tracefs would outlive the test */
		needs_frames(t, io.ret[0]);
		regress_fail(t, "it returned %lld", (long long)io.ret[0]);
	}
	lookup(&k, "many", io.ret[0], frames);
	expect_path(t, frames, bytes_of(frames));
	taking_end(&k);
}

static void of_tracepoint(struct regress *t)
{
	of_getppid(t, "tp_id", "syscalls:sys_enter_getppid");
}

static void of_kprobe(struct regress *t)
{
	of_getppid(t, "kp_id", "ksyscall:getppid");
}

static void same_again(struct regress *t)
{
	struct stacks_io io = { .flags = { USER, USER }, .size = { 0, 8 } };
	volatile uint64_t *page[2] = { happen_page(t), happen_page(t) };
	volatile unsigned int times = 2;
	struct taking k;
	int64_t first = -1;

	taking_begin(t, &k, "id_many", NULL);
	taking_put(&k, &io);
	/* These stacks are equal: a loop that is not unrolled calls from one address. */
	for (unsigned int i = 0; i < times; i++) {
		known_outer(known_touch, (void *)page[i]);
		taking_get(&k, &io);
		if (io.ret[0] < 0)
			needs_frames(t, io.ret[0]);
		regress_expect(t, io.ret[0] >= 0 && io.ret[0] == io.ret[1], "%lld and %lld",
			       (long long)io.ret[0], (long long)io.ret[1]);
		if (!i)
			first = io.ret[0];
	}
	regress_expect(t, io.ret[0] == first, "%lld, and %lld before", (long long)io.ret[0],
		       (long long)first);
	taking_end(&k);
	happen_page_free(page[0]);
	happen_page_free(page[1]);
}

/* The only bucket is in use when another stack comes. */
static void meets_other(struct regress *t)
{
	const uint64_t flags = (uintptr_t)t->data;
	struct stacks_io io = { .flags = { USER } };
	__u64 before[DEPTH], after[DEPTH];
	struct taking k;

	if (!known_unwinds())
		regress_skip(t, "user stacks of this machine are one frame: there is no other");
	taking_begin(t, &k, "id_one", NULL);
	taking_put(&k, &io);
	deep(t, 1);
	taking_get(&k, &io);
	lookup(&k, "one", io.ret[0], before);
	io.flags[0] = USER | flags;
	taking_put(&k, &io);
	touch(t);
	taking_get(&k, &io);
	/* The only bucket still has the first stack, so that the other one could not be stored. */
	regress_expect(t, io.ret[0] == (flags ? -ENOMEM : -EEXIST), "it returned %lld",
		       (long long)io.ret[0]);
	lookup(&k, "one", 0, after);
	regress_expect(t, !memcmp(before, after, sizeof(before)), "the first stack is gone");
	taking_end(&k);
}

/* With two buckets, sooner or later a stack collides with the first one. */
static void replaces(struct regress *t)
{
	const uint32_t *key;
	struct stacks_io io = { .flags = { USER } };
	__u64 before[DEPTH], after[DEPTH];
	struct taking k;
	uint32_t first, other;
	int64_t id = -1;

	taking_begin(t, &k, "id_two", NULL);
	taking_put(&k, &io);
	deep(t, 1);
	taking_get(&k, &io);
	lookup(&k, "two", io.ret[0], before);
	first = io.ret[0];
	io.flags[0] = USER | BPF_F_REUSE_STACKID;
	taking_put(&k, &io);
	for (unsigned int depth = 2; depth < 60 && id != first; depth++) {
		union bpf_attr attr;

		deep(t, depth);
		taking_get(&k, &io);
		id = io.ret[0];
		regress_expect(t, id >= 0, "it returned %lld", (long long)id);
		if (id == first)
			break;
		other = id;
		key = &other;
		memset(&attr, 0, sizeof(attr));
		attr.map_fd = regress_map(t, &k.o, "two");
		attr.key = attr_pointer(key);
		regress_ok(t, sys_bpf(t->sys, BPF_MAP_DELETE_ELEM, &attr, ATTR_SIZE(flags)), NULL,
			   "BPF_MAP_DELETE_ELEM");
	}
	if (id != first && !known_unwinds())
		regress_skip(t, "user stacks of this machine are one frame: there is no other");
	regress_expect(t, id == first, "no stack came to the place of the first");
	lookup(&k, "two", first, after);
	regress_expect(t, memcmp(before, after, sizeof(before)), "it is the first stack still");
	taking_end(&k);
}

static void cut(struct regress *t)
{
	struct stacks_io io = { .flags = { USER } };
	__u64 frames[DEPTH];
	struct taking k;

	taking_begin(t, &k, "id_many", NULL);
	taking_put(&k, &io);
	deep(t, 2 * DEPTH);
	taking_get(&k, &io);
	lookup(&k, "many", io.ret[0], frames);
	regress_saw(t, "", "%lld", (long long)bytes_of(frames) / 8);
	regress_expect(t, !known_unwinds() || bytes_of(frames) == sizeof(frames), "%lld bytes",
		       (long long)bytes_of(frames));
	regress_expect(t, frames[0] == (uintptr_t)known_store_at, "the first frame is %#llx",
		       (unsigned long long)frames[0]);
	taking_end(&k);
}

struct refusal {
	uint64_t flags;
	int64_t ret;
};

static void refused(struct regress *t)
{
	const struct refusal *r = t->data;
	struct stacks_io io = { .flags = { r->flags } };

	taking_of(t, "id_many", NULL, &io);
	regress_expect(t, io.ret[0] == r->ret, "it returned %lld", (long long)io.ret[0]);
}

static void values_too_deep(struct regress *t)
{
	struct regress_object o;
	union bpf_attr attr;
	int64_t max;
	int fd;

	if (!sys_sysctl(t->sys, "perf_event_max_stack", &max))
		regress_skip(t, "there is no /proc/sys/kernel/perf_event_max_stack");
	/* The loader raises RLIMIT_MEMLOCK where maps are charged to it. */
	regress_load(t, &o, "stacks", "id_many");
	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_STACK_TRACE;
	attr.key_size = 4;
	attr.value_size = (max + 1) * 8;
	attr.max_entries = 1;
	fd = sys_bpf(t->sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
	regress_expect(t, fd == -EINVAL, "%s", regress_errno(fd));
	attr.value_size = max * 8;
	fd = sys_bpf(t->sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
	regress_ok(t, fd, NULL, "as many as there may be");
	sys_close(t->sys, fd);
	regress_unload(t, &o);
}

static const struct refusal
	unknown_flag = { USER | 1 << 12, -EINVAL },
	build_ids = { USER | BPF_F_USER_BUILD_ID, -EINVAL },
	all_skipped = { USER | 255, -EFAULT };

static const struct regress_test tests[] = {
	{ "the stack of its id has the path of calls", has_path, NULL, 0 },
	{ "in a tracepoint's program, too", of_tracepoint, NULL, 0 },
	{ "in a kprobe's program, too", of_kprobe, NULL, 0 },
	{ "the same stack has the same id", same_again, NULL, 0 },
	{ "another stack in its place is EEXIST", meets_other, NULL, 0 },
	{ "BPF_F_REUSE_STACKID: ENOMEM where no stack is free to be written", meets_other,
	  (void *)BPF_F_REUSE_STACKID, 0 },
	{ "BPF_F_REUSE_STACKID: it takes the other's place", replaces, NULL, 0 },
	{ "a stack is cut to what a value has room for", cut, NULL, 0 },
	{ "an unknown flag is EINVAL", refused, &unknown_flag, 0 },
	{ "BPF_F_USER_BUILD_ID is EINVAL", refused, &build_ids, 0 },
	{ "more frames to skip than there are is EFAULT", refused, &all_skipped, 0 },
	{ "a map of deeper stacks than perf_event_max_stack is EINVAL", values_too_deep, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_stackids = {
	"stackids", "bpf_get_stackid() and its map", tests, NULL, __FILE__
};
