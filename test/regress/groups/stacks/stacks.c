// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bpf_get_stack(), bpf_get_task_stack(): which frames they return, how many, and what they refuse.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/sys/refused.h"
#include "test/regress/groups/stacks/stacks.h"

#define ALL (STACK_FRAMES * 8)

static void add_callchain(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
}

/* --- frames --- */

static void user_of_fault(struct regress *t)
{
	struct stacks_io io = { .flags = { BPF_F_USER_STACK }, .size = { ALL } };

	taking_of(t, "pe_stack", NULL, &io);
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] > 0, "it returned %lld", (long long)io.ret[0]);
	regress_expect(t, io.frame[0][0] == (uintptr_t)known_store_at,
		       "the first frame is %#llx, expected %p", (unsigned long long)io.frame[0][0],
		       (const void *)known_store_at);
	expect_path(t, io.frame[0], io.ret[0]);
}

/*
 * The frames are the sample's callchain, with its marker, if the kernel took that before the
 * program ran. Since 16817ad7e8b3 it does whenever the sample asks for it.
 */
static void user_of_callchain(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "the instruction" },
		{ LINUX(6, 1), "the instruction|PERF_CONTEXT_USER" },
		{ LINUX(6, 2), "PERF_CONTEXT_USER" },
	};
	struct stacks_io io = { .flags = { BPF_F_USER_STACK }, .size = { ALL } };

	taking_of(t, "pe_stack", add_callchain, &io);
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] > 0, "it returned %lld", (long long)io.ret[0]);
	regress_answer(t, "first frame",
		       io.frame[0][0] == (uintptr_t)known_store_at ? "the instruction" :
		       io.frame[0][0] == PERF_CONTEXT_USER ? "PERF_CONTEXT_USER" : "another",
		       rows, NR(rows));
	expect_path(t, io.frame[0], io.ret[0]);
}

/* The kernel stack at a fault in user space is empty, as the registers are those of user space. */
static void kernel_of_fault(struct regress *t)
{
	struct stacks_io io = { .size = { ALL } };

	taking_of(t, "pe_stack", NULL, &io);
	regress_saw(t, "", io.ret[0] > 0 ? "frames" : "%s", regress_errno(io.ret[0]));
	regress_expect(t, io.ret[0] <= 0, "it returned %lld: %#llx", (long long)io.ret[0],
		       (unsigned long long)io.frame[0][0]);
}

static void of_getppid(struct regress *t, const char *prog, uint64_t flags, struct stacks_io *io)
{
	struct context_io ours = { 0 };
	struct taking k;

	io_ours(t, &ours);
	*io = (struct stacks_io){ .flags = { flags }, .size = { ALL } };
	memcpy(io->comm, ours.comm, sizeof(io->comm));
	taking_load(t, &k, prog);
	taking_put(&k, io);
	happen_attach(t, &k.h, BY_IOCTL, t->data, &k.o, prog);
	known_outer(known_ask, NULL);
	taking_get(&k, io);
	taking_end(&k);
}

#define ASKS "syscalls:sys_enter_getppid"

static void user_of_tracepoint(struct regress *t)
{
	struct stacks_io io;

	of_getppid(t, "tp_stack", BPF_F_USER_STACK, &io);
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] > 0, "it returned %lld", (long long)io.ret[0]);
	expect_path(t, io.frame[0], io.ret[0]);
}

static void user_of_kprobe(struct regress *t)
{
	struct stacks_io io;

	of_getppid(t, "kp_stack", BPF_F_USER_STACK, &io);
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] > 0, "it returned %lld", (long long)io.ret[0]);
	expect_path(t, io.frame[0], io.ret[0]);
}

/* None of the frames is a function of this program. */
static void expect_kernel(struct regress *t, const struct stacks_io *io)
{
	const uint64_t here = (uintptr_t)known_outer, near = 1 << 24;

	regress_expect(t, io->ret[0] > 0, "it returned %lld", (long long)io->ret[0]);
	/* On s390x the kernel has an address space of its own, with any address in it. */
	for (int64_t i = 0; known_unwinds() && i < io->ret[0] / 8; i++)
		regress_expect(t, io->frame[0][i] && (io->frame[0][i] < here - near ||
						     io->frame[0][i] > here + near),
			       "frame %lld is %#llx, in this program", (long long)i,
			       (unsigned long long)io->frame[0][i]);
}

static void kernel_of_tracepoint(struct regress *t)
{
	/*
	 * The registers that tracepoints of system calls hand on were those of user space, where
	 * the kernel has no frames; it fetches its own now, which not all stable kernels do.
	 */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "empty|frames" }, { LINUX(6, 12), "frames" }
	};
	struct stacks_io io;

	of_getppid(t, "tp_stack", 0, &io);
	regress_answer(t, "", io.ret[0] ? "frames" : "empty", rows, NR(rows));
	if (io.ret[0])
		expect_kernel(t, &io);
}

static void kernel_of_kprobe(struct regress *t)
{
	struct stacks_io io;

	of_getppid(t, "kp_stack", 0, &io);
	expect_kernel(t, &io);
}

/* Linux 5.11 has bpf_get_current_task_btf() for programs of that type. */
static bool task_stack(struct regress *t, uint64_t flags, struct stacks_io *io)
{
	struct regress_object o;
	struct error err = { 0 };
	const int ret = regress_try_load(t, &o, "stacks", "tp_task_stack", &err);

	regress_unload(t, &o);
	if (ret && access("/sys/kernel/btf/vmlinux", F_OK))
		regress_skip(t, "this kernel has no BTF, by which a program knows what a task is");
	if (ret && t->kernel < LINUX(5, 11)) {
		regress_expect(t, ret == -EINVAL, "%s", regress_errno(ret));
		error_clear(&err);
		return false;
	}
	regress_ok(t, ret, &err, "load");
	of_getppid(t, "tp_task_stack", flags, io);
	return true;
}

static void kernel_of_task(struct regress *t)
{
	struct stacks_io io;

	if (task_stack(t, 0, &io))
		expect_kernel(t, &io);
}

static void user_of_task(struct regress *t)
{
	struct stacks_io io;

	if (!task_stack(t, BPF_F_USER_STACK, &io))
		return;
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] > 0, "it returned %lld", (long long)io.ret[0]);
	expect_path(t, io.frame[0], io.ret[0]);
}

/* --- how many --- */

/* Two calls of one run, the whole stack first. */
static void second(struct regress *t, uint64_t flags, uint64_t size, struct stacks_io *io)
{
	*io = (struct stacks_io){ .flags = { BPF_F_USER_STACK, flags }, .size = { ALL, size } };
	memset(io->frame[1], 0xee, sizeof(io->frame[1]));
	taking_of(t, "pe_stack", NULL, io);
	needs_frames(t, io->ret[0]);
	regress_expect(t, io->ret[0] > 0, "it returned %lld", (long long)io->ret[0]);
}

static void skips(struct regress *t)
{
	struct stacks_io io;

	second(t, BPF_F_USER_STACK | 1, ALL, &io);
	if (io.ret[0] == 8) {	/* one frame, and it is skipped */
		regress_saw(t, "", "%lld", (long long)io.ret[1]);
		regress_expect(t, io.ret[1] <= 0, "%lld", (long long)io.ret[1]);
		return;
	}
	regress_expect(t, io.ret[1] == io.ret[0] - 8, "%lld bytes of %lld", (long long)io.ret[1],
		       (long long)io.ret[0]);
	regress_expect(t, !memcmp(io.frame[1], io.frame[0] + 1, io.ret[1]), "other frames");
}

static void skips_all(struct regress *t)
{
	struct stacks_io io;

	second(t, BPF_F_USER_STACK | 255, ALL, &io);
	regress_expect(t, io.ret[1] == -EFAULT, "it returned %lld", (long long)io.ret[1]);
	for (int i = 0; i < STACK_FRAMES; i++)
		regress_expect(t, !io.frame[1][i], "frame %d is %#llx", i,
			       (unsigned long long)io.frame[1][i]);
}

static void too_small(struct regress *t)
{
	struct stacks_io io;

	second(t, BPF_F_USER_STACK, 8, &io);
	regress_expect(t, io.ret[1] == 8, "it returned %lld", (long long)io.ret[1]);
	regress_expect(t, io.frame[1][0] == io.frame[0][0], "another frame");
	regress_expect(t, io.frame[1][1] == UINT64_C(0xeeeeeeeeeeeeeeee),
		       "more than it had room for");
}

static void rest_is_cleared(struct regress *t)
{
	struct stacks_io io;

	second(t, BPF_F_USER_STACK, ALL, &io);
	for (int i = io.ret[1] / 8; i < STACK_FRAMES; i++)
		regress_expect(t, !io.frame[1][i], "frame %d is %#llx", i,
			       (unsigned long long)io.frame[1][i]);
}

struct refusal {
	uint64_t flags, size;
	int64_t ret;
};

static void refused(struct regress *t)
{
	const struct refusal *r = t->data;
	struct stacks_io io;

	second(t, r->flags, r->size, &io);
	regress_expect(t, io.ret[1] == r->ret, "it returned %lld", (long long)io.ret[1]);
	regress_expect(t, !memcmp(io.frame[1], (char[8]){ 0 }, r->size < 8 ? r->size : 8),
		       "it is not cleared: %#llx", (unsigned long long)io.frame[1][0]);
}

static int64_t max_stack(struct regress *t)
{
	int64_t max;

	if (!sys_sysctl(t->sys, "perf_event_max_stack", &max))
		regress_skip(t, "there is no /proc/sys/kernel/perf_event_max_stack");
	return max;
}

static void deepest(struct regress *t)
{
	const int64_t max = max_stack(t);
	struct stacks_io io = { .flags = { BPF_F_USER_STACK }, .size = { ALL } };
	struct taking k;

	if (max >= STACK_FRAMES)
		regress_skip(t, "perf_event_max_stack is %lld", (long long)max);
	taking_begin(t, &k, "pe_stack", NULL);
	taking_put(&k, &io);
	deep(t, 2 * STACK_FRAMES);
	taking_get(&k, &io);
	taking_end(&k);
	regress_saw(t, "", "%lld", (long long)io.ret[0] / 8);
	if (!known_unwinds())
		return;
	regress_expect(t, io.ret[0] == max * 8, "%lld frames, expected %lld",
		       (long long)io.ret[0] / 8, (long long)max);
	for (int64_t i = 1; i < max; i++)
		regress_expect(t, known_within(KNOWN_RANGE(deep), io.frame[0][i]),
			       "frame %lld is %#llx", (long long)i,
			       (unsigned long long)io.frame[0][i]);
}

/* --- build ids --- */

static void build_id(struct regress *t)
{
	struct stacks_io io = { .flags = { BPF_F_USER_STACK | BPF_F_USER_BUILD_ID },
				.size = { 32 * 4 } };
	struct bpf_stack_build_id first;
	uint8_t ours[KNOWN_BUILD_ID];

	if (!known_build_id(ours))
		regress_skip(t, "this program was linked without a build id of 20 bytes");
	taking_of(t, "pe_stack", NULL, &io);
	needs_frames(t, io.ret[0]);
	regress_expect(t, io.ret[0] >= 32 && io.ret[0] % 32 == 0, "it returned %lld",
		       (long long)io.ret[0]);
	memcpy(&first, io.frame[0], sizeof(first));
	regress_expect(t, first.status == BPF_STACK_BUILD_ID_VALID, "status %d", first.status);
	regress_expect(t, !memcmp(first.build_id, ours, sizeof(ours)), "another id");
	regress_expect(t, first.offset == known_offset(known_store_at),
		       "offset %#llx, expected %#llx",
		       (unsigned long long)first.offset,
		       (unsigned long long)known_offset(known_store_at));
}

/* --- precise_ip --- */

static void precise(struct perf_event_attr *attr)
{
	attr->precise_ip = 1;
}

static void precise_callchain(struct perf_event_attr *attr)
{
	attr->precise_ip = 1;
	add_callchain(attr);
}

static void precise_user_callchain(struct perf_event_attr *attr)
{
	precise_callchain(attr);
	attr->exclude_callchain_kernel = 1;
}

static void precise_kernel_callchain(struct perf_event_attr *attr)
{
	precise_callchain(attr);
	attr->exclude_callchain_user = 1;
}

struct binding {
	void (*change)(struct perf_event_attr *attr);
	enum happen_how how;
	const char *prog, *object;
	struct regress_since rows[3];
	unsigned int nr;
};

static void bind_precise(struct regress *t)
{
	const struct binding *b = t->data;
	struct regress_object o;
	struct error err = { 0 };
	struct happen h;
	int ret;

	regress_load(t, &o, b->object, b->prog);
	happen_open(t, &h, b->how, b->change, "page-faults,period=1");
	ret = compare_bind(&h.s, h.cell, &h.e, regress_prog(t, &o, b->prog), &err);
	if (ret && ret != -EPROTO)
		regress_ok(t, ret, &err, "binding");
	error_clear(&err);
	regress_answer(t, "", regress_errno(ret), b->rows, b->nr);
	happen_close(&h);
	regress_unload(t, &o);
}

/* Before 16817ad7e8b3 the answer depended on whether the PMU takes callchains early. */
static const struct binding
	without = { precise, BY_IOCTL, "pe_stack", "stacks", { { 0, "EPROTO" } }, 1 },
	without_by_link = { precise, BY_LINK, "pe_stack", "stacks", { { 0, "EPROTO" } }, 1 },
	without_id = { precise, BY_IOCTL, "id_many", "stacks", { { 0, "EPROTO" } }, 1 },
	with = { precise_callchain, BY_IOCTL, "pe_stack", "stacks",
		 { { 0, "EPROTO" }, { LINUX(6, 1), "EPROTO|0" }, { LINUX(6, 2), "0" } }, 3 },
	user_only = { precise_user_callchain, BY_IOCTL, "pe_stack", "stacks", { { 0, "EPROTO" } },
		      1 },
	kernel_only = { precise_kernel_callchain, BY_IOCTL, "pe_stack", "stacks",
			{ { 0, "EPROTO" } }, 1 },
	no_stack = { precise, BY_IOCTL, "pe_see", "context", { { 0, "0" } }, 1 };

static const struct refusal
	odd = { BPF_F_USER_STACK, 12, -EINVAL },
	kernel_build_id = { BPF_F_USER_BUILD_ID, 64, -EINVAL },
	odd_build_id = { BPF_F_USER_STACK | BPF_F_USER_BUILD_ID, 24, -EINVAL },
	unknown_flag = { BPF_F_USER_STACK | 1 << 12, 64, -EINVAL },
	flag_of_id = { BPF_F_USER_STACK | BPF_F_REUSE_STACKID, 64, -EINVAL };

static const struct regress_test tests[] = {
	{ "user stack of a page fault has the path of calls", user_of_fault, NULL, 0 },
	{ "user stack of an event with a callchain has it", user_of_callchain, NULL, 0 },
	{ "user stack of a tracepoint has it", user_of_tracepoint, ASKS, 0 },
	{ "user stack of a kprobe has it", user_of_kprobe, "ksyscall:getppid", 0 },
	{ "kernel stack of a page fault in user space: no frames", kernel_of_fault, NULL, 0 },
	{ "kernel stack of a tracepoint: frames of the kernel", kernel_of_tracepoint, ASKS, 0 },
	{ "kernel stack of a kprobe: frames of the kernel", kernel_of_kprobe, "ksyscall:getppid",
	  0 },
	{ "bpf_get_task_stack(): kernel stack of this task", kernel_of_task, ASKS, 0 },
	{ "bpf_get_task_stack(): user stack of this task", user_of_task, ASKS, 0 },
	{ "a count of frames to skip", skips, NULL, 0 },
	{ "more frames to skip than there are is EFAULT, and clears", skips_all, NULL, 0 },
	{ "what has no room is left out, from the end", too_small, NULL, 0 },
	{ "what room is left is cleared", rest_is_cleared, NULL, 0 },
	{ "no more frames than perf_event_max_stack", deepest, NULL, 0 },
	{ "a size that is no multiple of a frame is EINVAL, and clears", refused, &odd, 0 },
	{ "build ids of the kernel's stack are EINVAL", refused, &kernel_build_id, 0 },
	{ "a size that is no multiple of a build id is EINVAL", refused, &odd_build_id, 0 },
	{ "an unknown flag is EINVAL", refused, &unknown_flag, 0 },
	{ "a flag of bpf_get_stackid() is EINVAL", refused, &flag_of_id, 0 },
	{ "the build id is that of this program, with the place in its file", build_id, NULL, 0 },
	{ "bound to a precise event without callchain: EPROTO", bind_precise, &without, 0 },
	{ "by link, bound to a precise event without callchain: EPROTO", bind_precise,
	  &without_by_link, 0 },
	{ "bpf_get_stackid(), bound to a precise event without callchain: EPROTO", bind_precise,
	  &without_id, 0 },
	{ "bound to a precise event with callchain", bind_precise, &with, 0 },
	{ "bound to a precise event with a callchain of user space only: EPROTO", bind_precise,
	  &user_only, 0 },
	{ "bound to a precise event with a callchain of the kernel only: EPROTO", bind_precise,
	  &kernel_only, 0 },
	{ "a program that takes no stack is bound to a precise event", bind_precise, &no_stack,
	  0 },
	{ 0 }
};

const struct regress_group regress_group_stacks = {
	"stacks", "frames of bpf_get_stack() and bpf_get_task_stack(), and what is refused", tests,
	NULL, __FILE__
};
