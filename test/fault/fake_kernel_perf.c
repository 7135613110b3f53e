// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's perf events, and what a test writes to their rings. */
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include <linux/sockios.h>
#include <sys/mman.h>

#include "test/fault/fake_kernel_parts.h"

/* cpu_clock and task_clock, as the built-in files number them. */
#define LAST_TYPE 7

static bool has_pmu(uint32_t type)
{
	return type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT ||
	       type == PERF_TYPE_BREAKPOINT || (type >= PERF_TYPE_MAX && type <= LAST_TYPE) ||
	       type == FAKE_KPROBE_TYPE || type == FAKE_UPROBE_TYPE;
}

static int check_open(struct fake_kernel *k, const struct perf_event_attr *attr,
		      const unsigned long arg[6])
{
	const int cpu = arg[2], ret = sim_check_event(&k->fds, arg);

	if (ret < 0)
		return ret;
	if (!(arg[4] & PERF_FLAG_FD_CLOEXEC))
		fake_violation(k, "call %u: event without PERF_FLAG_FD_CLOEXEC", k->nr_calls);
	if (!has_pmu(attr->type))
		return -ENOENT;
	if (k->probe_code && attr->type >= FAKE_KPROBE_TYPE &&
	    !(k->takes_beginnings && !attr->probe_offset) &&
	    !(attr->kprobe_func && !strcmp((const char *)attr->kprobe_func, "vfs_fsync")))
		return -k->probe_code;
	return cpu >= 0 && !fake_cpu_online(k, cpu) ? -ENODEV : 0;
}

static void keep_name(struct fake_event *event)
{
	const char *name = (const char *)event->attr.kprobe_func;

	if (event->attr.type >= FAKE_KPROBE_TYPE && name)
		snprintf(event->probed, sizeof(event->probed), "%s", name);
}

long fake_perf_event_open(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct perf_event_attr *given = (const struct perf_event_attr *)arg[0];
	const size_t size = given->size ? given->size : PERF_ATTR_SIZE_VER0;
	struct fake_event *event;
	struct fake_fd *fd, *leader;
	int nr, code;

	if (size > sizeof(*given))
		return -E2BIG;
	nr = check_open(k, given, arg);
	if (nr < 0)
		return nr;
	nr = fake_fd_new(k, SIM_EVENT, &fd);
	if (nr < 0)
		return nr;
	event = fake_grow(NULL, 0, sizeof(*event));
	memcpy(&event->attr, given, size);
	keep_name(event);
	event->pid = arg[1];
	event->cpu = arg[2];
	leader = (int)arg[3] == -1 ? NULL : sim_fd_as(&k->fds, arg[3], SIM_EVENT, &code);
	event->leader = leader ? leader->event : NULL;
	event->id = ++k->last_id;
	event->open = true;
	event->enabled = !given->disabled;
	k->events = fake_grow(k->events, k->nr_events, sizeof(*k->events));
	k->events[k->nr_events++] = event;
	fd->event = event;
	return nr;
}

/* An event takes one program, of a type that depends on the event. */
int fake_bind(struct fake_kernel *k, struct fake_event *event, struct fake_prog *prog,
	      uint64_t cookie)
{
	uint32_t type = BPF_PROG_TYPE_PERF_EVENT;

	if (fake_is_probe(k, &event->attr))
		type = BPF_PROG_TYPE_KPROBE;
	else if (event->attr.type == PERF_TYPE_TRACEPOINT)
		type = BPF_PROG_TYPE_TRACEPOINT;
	if (prog->attr.prog_type != type)
		return -EINVAL;
	if (event->prog)
		return -EEXIST;
	event->prog = prog;
	event->cookie = cookie;
	return 0;
}

/* There is only one network device. */
static long device_index(struct ifreq *ifr)
{
	if (strncmp(ifr->ifr_name, "lo", IFNAMSIZ))
		return -ENODEV;
	ifr->ifr_ifindex = 1;
	return 0;
}

long fake_ioctl(struct fake_kernel *k, const unsigned long arg[6])
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, arg[0], SIM_EVENT, &code), *prog;

	if (arg[1] == SIOCGIFINDEX && sim_fd_as(&k->fds, arg[0], SIM_SOCKET, &code))
		return device_index((struct ifreq *)arg[2]);

	if (!fd)
		return code == -EBADF ? -EBADF : -ENOTTY;
	switch (arg[1]) {
	case PERF_EVENT_IOC_ENABLE:
		fd->event->enabled = !fd->event->dead;
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		fd->event->enabled = false;
		return 0;
	case PERF_EVENT_IOC_ID:
		memcpy((void *)arg[2], &fd->event->id, sizeof(fd->event->id));
		return 0;
	case PERF_EVENT_IOC_SET_BPF:
		prog = sim_fd_as(&k->fds, arg[2], SIM_PROG, &code);
		return prog ? fake_bind(k, fd->event, prog->prog, 0) : code;
	default:
		return -ENOTTY;
	}
}

long fake_perf_mmap(struct fake_kernel *k, struct fake_event *event, const unsigned long arg[6])
{
	struct fake_mapping m = { .len = arg[1], .owned = true, .event = event };

	if (!sim_is_ring(arg))
		return -EINVAL;
	m.addr = fake_alloc(arg[1]);
	event->ring = (struct perf_event_mmap_page *)m.addr;
	event->ring_size = arg[1] - FAKE_PAGE;
	event->ring->data_offset = FAKE_PAGE;
	event->ring->data_size = event->ring_size;
	return fake_map_memory(k, &m);
}

long fake_read_event(const struct fake_event *event, void *buf, size_t size)
{
	uint64_t out[4] = { event->value };
	unsigned int n = 1;

	if (event->ended)
		return 0;
	if (event->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out[n++] = event->shared ? event->enabled_ns : event->value;
	if (event->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out[n++] = event->shared ? event->running_ns : event->value;
	if (event->attr.read_format & PERF_FORMAT_ID)
		out[n++] = event->id;
	if (size < n * sizeof(out[0]))
		return -ENOSPC;
	memcpy(buf, out, n * sizeof(out[0]));
	return n * sizeof(out[0]);
}

bool fake_event_ready(const struct fake_event *event)
{
	return event->ring && event->ring->data_head != event->ring->data_tail;
}

/* Byte by byte, so that a record may wrap. */
static bool push(struct fake_event *event, const unsigned char *record, size_t size)
{
	unsigned char *data = (unsigned char *)event->ring + FAKE_PAGE;
	uint64_t head;
	size_t i;

	if (!event->ring || event->dead)
		return false;
	head = event->ring->data_head;
	if (head + size - event->ring->data_tail > event->ring_size)
		return false;
	for (i = 0; i < size; i++)
		data[(head + i) & (event->ring_size - 1)] = record[i];
	__atomic_store_n(&event->ring->data_head, head + size, __ATOMIC_RELEASE);
	return true;
}

/* PERF_SAMPLE_RAW: header, u32 size, bytes; the size makes the total a multiple of 8. */
bool fake_perf_push(struct fake_event *event, const void *data, uint32_t size)
{
	const uint32_t raw = ((size + 4 + 7) & ~7u) - 4;
	const size_t whole = sizeof(struct perf_event_header) + 4 + raw;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = whole };
	unsigned char *record;
	bool done;

	if (whole > UINT16_MAX)
		return false;
	record = calloc(1, whole);
	if (!record)
		abort();
	memcpy(record, &header, sizeof(header));
	memcpy(record + sizeof(header), &raw, sizeof(raw));
	memcpy(record + sizeof(header) + sizeof(raw), data, size);
	done = push(event, record, whole);
	free(record);
	return done;
}

bool fake_perf_push_lost(struct fake_event *event, uint64_t lost)
{
	struct {
		struct perf_event_header header;
		uint64_t id, lost;
	} record = { { .type = PERF_RECORD_LOST, .size = sizeof(record) }, event->id, lost };

	return push(event, (const unsigned char *)&record, sizeof(record));
}
