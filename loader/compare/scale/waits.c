// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counts what processes wait for in the kernel, by samples of a tracepoint on each CPU:
 *
 *	ftrace:function		with the filter "ip == synchronize_rcu || ...": the sample has the
 *				address of the function that is called
 *	sched:sched_switch	with the filter "prev_state & 255": the task sleeps, and the
 *				innermost function of its call chain that the table has is what it
 *				sleeps in
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/base/text/kallsyms.h"
#include "loader/compare/scale/waits.h"
#include "loader/core/event/steps.h"
#include "loader/core/sys/cpus.h"

#define RING_PAGES 64	/* of data, for each CPU */
#define RANGES_MAX 48
#define RECORD_MAX 8192
#define FILTER_MAX 2048

const char *const wait_names[WAIT_NR_KINDS] = {
	"rcu", "tasks", "tasks_trace", "srcu", "text",
};

const char *const waits_by_names[] = { "calls", "sleeps" };

/*
 * A call that waits enters through a function with @called. The other functions are called by
 * those, and may be the only ones left in a call chain, because compilers turn a last call into a
 * jump.
 */
static const struct {
	const char *name;
	enum wait_kind kind;
	bool called;
} functions[] = {
	{ "synchronize_rcu", WAIT_RCU, true },
	{ "synchronize_rcu_normal", WAIT_RCU, false },
	{ "synchronize_rcu_expedited", WAIT_RCU, true },
	{ "rcu_barrier", WAIT_RCU, true },
	{ "synchronize_rcu_tasks", WAIT_TASKS, true },
	{ "synchronize_rcu_tasks_rude", WAIT_TASKS, true },
	{ "synchronize_rcu_tasks_trace", WAIT_TASKS_TRACE, true },
	{ "rcu_barrier_tasks_trace", WAIT_TASKS_TRACE, true },
	{ "synchronize_srcu", WAIT_SRCU, true },
	{ "synchronize_srcu_expedited", WAIT_SRCU, false },
	{ "__synchronize_srcu", WAIT_SRCU, false },
	/* Names on different architectures and releases: x86-64, arm64, s390x. */
	{ "text_poke_bp_batch", WAIT_TEXT, true },
	{ "smp_text_poke_batch_finish", WAIT_TEXT, true },
	{ "aarch64_insn_patch_text_nosync", WAIT_TEXT, true },
	{ "ftrace_modify_all_code", WAIT_TEXT, true },
	{ "s390_kernel_write", WAIT_TEXT, true },
};

#define NR_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* The code of a function, or of a part that the compiler split off: "NAME.part.0". */
struct range {
	uint64_t from, to;
	unsigned int function;
};

struct ring {
	int fd;			/* owned; -1: none */
	struct perf_event_mmap_page *page;	/* owned mapping; NULL: none */
	uint64_t tail;
};

struct waits {
	struct sys *sys;
	enum waits_by by;
	struct range ranges[RANGES_MAX];
	unsigned int nr_ranges;
	struct ring *rings;	/* owned; one for each CPU */
	unsigned int nr_rings;
	size_t page_size;
	unsigned char record[RECORD_MAX];
};

/* --- the functions --- */

static int find_function(const char *name)
{
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++) {
		const size_t len = strlen(functions[i].name);

		if (!strncmp(name, functions[i].name, len) && (!name[len] || name[len] == '.'))
			return i;
	}
	return -1;
}

/* A range ends where the next symbol begins. */
static int add_range(void *arg, const struct kernel_symbol *s)
{
	struct waits *w = arg;
	const int function = s->module[0] ? -1 : find_function(s->name);

	if (w->nr_ranges && !w->ranges[w->nr_ranges - 1].to &&
	    s->address > w->ranges[w->nr_ranges - 1].from)
		w->ranges[w->nr_ranges - 1].to = s->address;
	if (function >= 0 && kernel_symbol_is_code(s) && s->address && w->nr_ranges < RANGES_MAX)
		w->ranges[w->nr_ranges++] = (struct range){ s->address, 0, function };
	return s->module[0] != 0;	/* those in modules come last */
}

static int read_functions(struct waits *w, struct error *err)
{
	struct kernel_symbols symbols;
	int ret;

	kernel_symbols_init(&symbols, w->sys);
	ret = kernel_symbols_visit(&symbols, add_range, w, err);
	kernel_symbols_free(&symbols);
	if (ret < 0 || w->nr_ranges)
		return ret < 0 ? ret : 0;
	error_set(err, EACCES, "/proc/kallsyms hides the addresses of the functions that wait");
	return error_hint(err, "as root: sysctl kernel.kptr_restrict=1");
}

static bool is_known(const struct waits *w, unsigned int function)
{
	for (unsigned int i = 0; i < w->nr_ranges; i++)
		if (w->ranges[i].function == function)
			return true;
	return false;
}

/* Return WAIT_NR_KINDS if the task sleeps for another reason. */
static enum wait_kind kind_of(const struct waits *w, const uint64_t *chain, uint64_t nr)
{
	for (uint64_t i = 0; i < nr; i++)
		for (unsigned int j = 0; j < w->nr_ranges; j++)
			if (chain[i] >= w->ranges[j].from && chain[i] < w->ranges[j].to)
				return functions[w->ranges[j].function].kind;
	return WAIT_NR_KINDS;
}

/* --- the events --- */

/* The kernel rejects a filter that names a function it cannot trace, so try each one alone. */
static void filter_calls(const struct waits *w, int fd, char filter[FILTER_MAX])
{
	size_t len = 0;

	filter[0] = '\0';
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++) {
		char one[128];

		snprintf(one, sizeof(one), "ip == %s", functions[i].name);
		if (functions[i].called && is_known(w, i) &&
		    sys_ioctl(w->sys, fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)one) >= 0)
			len += snprintf(filter + len, FILTER_MAX - len, "%s%s", len ? " || " : "",
					one);
	}
}

static int open_event(const struct waits *w, enum waits_by by, int cpu, struct error *err)
{
	const bool calls = by == WAITS_BY_CALLS;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | (calls ? PERF_SAMPLE_RAW : PERF_SAMPLE_CALLCHAIN),
		.disabled = 1,
		.exclude_callchain_user = 1,
	};
	const struct event_target target = { .tid = -1, .cpu = cpu };
	char text[] = "sched:sched_switch";
	const struct event_spec spec = { .kind = EVENT_TRACEPOINT, .text = text };
	uint64_t id = 0;
	int ret = tracepoint_id(w->sys, calls ? "ftrace" : "sched",
				calls ? "function" : "sched_switch", &id, err);

	attr.config = id;
	return ret < 0 ? ret : event_open(w->sys, &spec, &attr, &target, -1, err);
}

static int open_ring(struct waits *w, struct ring *ring, enum waits_by by, int cpu,
		     const char *filter, struct error *err)
{
	long ret;

	ring->fd = open_event(w, by, cpu, err);
	if (ring->fd < 0)
		return ring->fd;
	ret = sys_mmap(w->sys, (RING_PAGES + 1) * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       ring->fd, 0);
	if (sys_failed(ret))
		return error_set(err, -ret, "mmap: %s", error_strerror(-ret));
	ring->page = (struct perf_event_mmap_page *)ret;
	ret = sys_ioctl(w->sys, ring->fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);
	if (ret >= 0)
		ret = sys_ioctl(w->sys, ring->fd, PERF_EVENT_IOC_ENABLE, 0);
	return ret < 0 ? error_set(err, -ret, "the filter '%.64s': %s", filter,
				   error_strerror(-ret)) : 0;
}

static void close_rings(struct waits *w)
{
	for (unsigned int i = 0; i < w->nr_rings; i++) {
		if (w->rings[i].page)
			sys_munmap(w->sys, w->rings[i].page, (RING_PAGES + 1) * w->page_size);
		sys_close_fd(w->sys, &w->rings[i].fd);
	}
	free(w->rings);
	w->rings = NULL;
	w->nr_rings = 0;
	w->by = WAITS_NOT;
}

static int open_rings(struct waits *w, enum waits_by by, const struct cpu_list *cpus,
		      struct error *err)
{
	char filter[FILTER_MAX] = "prev_comm == \"" WAITS_COMM "\" && prev_state & 255";
	int fd, ret = 0;

	if (by == WAITS_BY_CALLS) {
		fd = open_event(w, by, cpus->cpus[0], err);
		if (fd < 0)
			return fd;
		filter_calls(w, fd, filter);
		sys_close(w->sys, fd);
		if (!filter[0])
			return error_set(err, ENOENT, "ftrace can trace none of these functions");
	}
	w->rings = calloc(cpus->nr, sizeof(*w->rings));
	if (!w->rings)
		return error_set(err, ENOMEM, "no memory for rings");
	for (; !ret && w->nr_rings < cpus->nr; w->nr_rings++) {
		w->rings[w->nr_rings].fd = -1;
		ret = open_ring(w, &w->rings[w->nr_rings], by, cpus->cpus[w->nr_rings], filter,
				err);
	}
	if (ret < 0)
		close_rings(w);
	else
		w->by = by;
	return ret;
}

int waits_begin(struct sys *sys, struct waits **waits, struct error *err)
{
	struct waits *w = calloc(1, sizeof(*w));
	struct cpu_list cpus = { 0 };
	int ret;

	*waits = w;
	if (!w)
		return error_set(err, ENOMEM, "no memory for counters of waits");
	w->sys = sys;
	w->by = WAITS_NOT;
	w->page_size = getpagesize();
	ret = read_functions(w, err);
	if (!ret)
		ret = cpu_list_read(sys, "online", &cpus, err);
	if (ret >= 0)
		ret = open_rings(w, WAITS_BY_CALLS, &cpus, NULL);
	if (ret < 0 && cpus.nr)
		ret = open_rings(w, WAITS_BY_SLEEPS, &cpus, err);
	cpu_list_free(&cpus);
	return ret < 0 ? ret : 0;
}

void waits_end(struct waits *w)
{
	if (w)
		close_rings(w);
	free(w);
}

enum waits_by waits_by(const struct waits *w)
{
	return w ? w->by : WAITS_NOT;
}

bool waits_counts(const struct waits *w, enum wait_kind kind)
{
	const enum waits_by by = waits_by(w);

	return by == WAITS_BY_CALLS || (by == WAITS_BY_SLEEPS && kind != WAIT_TEXT);
}

/* --- the samples --- */

/*
 *	struct perf_event_header; u32 pid, tid; u64 nr; u64 ips[nr];	sample of a sleep
 *	struct perf_event_header; u32 pid, tid; u32 size; char raw[];	sample of a call
 *	struct perf_event_header; u64 id, lost;				PERF_RECORD_LOST
 *
 * The raw data of ftrace:function begin with 8 bytes that all tracepoints have, then the address.
 */
struct sample {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t nr, ips[];
};

#define RAW_IP (sizeof(struct perf_event_header) + 3 * sizeof(uint32_t) + 8)

static enum wait_kind kind_of_sample(const struct waits *w)
{
	const struct sample *s = (const struct sample *)w->record;
	const uint64_t room = (s->header.size - sizeof(*s)) / sizeof(s->ips[0]);
	uint64_t ip;

	if (w->by == WAITS_BY_SLEEPS)
		return kind_of(w, s->ips, s->nr < room ? s->nr : room);
	memcpy(&ip, w->record + RAW_IP, sizeof(ip));
	return kind_of(w, &ip, 1);
}

static void add_record(const struct waits *w, pid_t pid, struct wait_counts *counts)
{
	const struct sample *s = (const struct sample *)w->record;
	enum wait_kind kind;

	if (s->header.type == PERF_RECORD_LOST)
		counts->lost += ((const uint64_t *)w->record)[2];
	else if (s->header.type == PERF_RECORD_THROTTLE)
		counts->lost++;	/* until the next tick the number is unknown */
	if (s->header.type != PERF_RECORD_SAMPLE || s->header.size < RAW_IP + 8 ||
	    s->pid != (uint32_t)pid)
		return;
	kind = kind_of_sample(w);
	if (kind < WAIT_NR_KINDS)
		counts->nr[kind]++;
}

/* Copy @size bytes at @at of the ring. The record may wrap around. */
static void copy(const struct waits *w, const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const uint64_t all = RING_PAGES * w->page_size;
	const unsigned char *data = (const unsigned char *)ring->page + w->page_size;
	const uint64_t off = at % all, first = size < all - off ? size : all - off;

	memcpy(to, data + off, first);
	memcpy((unsigned char *)to + first, data, size - first);
}

static void read_ring(struct waits *w, struct ring *ring, pid_t pid, struct wait_counts *counts)
{
	const uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header header;

	while (ring->tail + sizeof(header) <= head) {
		copy(w, ring, ring->tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > RECORD_MAX) {
			counts->lost++;
			break;
		}
		copy(w, ring, ring->tail, w->record, header.size);
		add_record(w, pid, counts);
		ring->tail += header.size;
	}
	ring->tail = head;
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void waits_add(struct waits *w, pid_t pid, struct wait_counts *counts)
{
	for (unsigned int i = 0; w && i < w->nr_rings; i++)
		read_ring(w, &w->rings[i], pid, counts);
}
