// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's gate: the log of calls, the ledger of descriptors and mappings, waiting. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include "loader/base/calls/processes.h"
#include "loader/base/text/names.h"
#include "loader/observe/trace/trace_call.h"
#include "test/fault/fake_kernel_parts.h"

#define PATIENCE 3	/* empty polls until SIGINT */

void *fake_grow(void *array, unsigned int nr, size_t size)
{
	char *grown = reallocarray(array, nr + 1, size);

	if (!grown)
		abort();
	memset(grown + nr * size, 0, size);
	return grown;
}

void *fake_alloc(size_t size)
{
	const size_t whole = (size / FAKE_PAGE + 1) * FAKE_PAGE;
	void *mem = aligned_alloc(FAKE_PAGE, whole);

	if (!mem)
		abort();
	return memset(mem, 0, whole);
}

int fake_fd_new(struct fake_kernel *k, enum sim_kind kind, struct fake_fd **fd)
{
	const int nr = sim_fd_new(&k->fds, kind, fd);

	if (nr >= 0)
		(*fd)->made = k->nr_calls;
	return nr;
}

void fake_violation(struct fake_kernel *k, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	k->violations = fake_grow(k->violations, k->nr_violations, sizeof(*k->violations));
	k->violations[k->nr_violations++] = text;
}

bool fake_too_old(const struct fake_kernel *k, unsigned int age)
{
	return k->age & age;
}

/* --- descriptors --- */

static long do_close(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);

	if (!fd) {
		fake_violation(k, "call %u: close(%d), which is not open", k->nr_calls,
			       (int)arg[0]);
		return -EBADF;
	}
	if (fd->kind == SIM_EVENT)
		fd->event->open = false;
	if (fd->kind == SIM_PIPE)
		fake_pipe_close(k, fd);
	if (fd->kind == SIM_SIGNAL)	/* released at the end of the process, and not reused */
		k->pending &= ~fd->signals;
	sim_fd_free(&k->fds, arg[0]);
	fake_links_released(k);
	return 0;
}

/* Stricter than Linux, which skips what is not open: here that is a mistake, as it is for close. */
static long do_close_range(struct fake_kernel *k, const unsigned long arg[6])
{
	for (unsigned long fd = arg[0]; fd <= arg[1]; fd++)
		do_close(k, (const unsigned long[6]){ fd });
	return 0;
}

static long read_signal(struct fake_kernel *k, const struct fake_fd *fd, void *buf, size_t size)
{
	struct signalfd_siginfo info = { 0 };
	const uint64_t ready = k->pending & fd->signals;

	if (size < sizeof(info))
		return -EINVAL;
	if (!ready)
		return -EAGAIN;
	info.ssi_signo = __builtin_ctzll(ready) + 1;
	info.ssi_code = info.ssi_signo == SIGINT && k->from_terminal ? SI_KERNEL : SI_USER;
	k->pending &= ~(1ull << (info.ssi_signo - 1));
	memcpy(buf, &info, sizeof(info));
	return sizeof(info);
}

static long do_read(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);
	void *buf = (void *)arg[1];

	if (!fd)
		return -EBADF;
	switch (fd->kind) {
	case SIM_FILE:
		return fake_read_file(fd, buf, arg[2]);
	case SIM_LINES:
		return fake_read_lines(k, fd, buf, arg[2]);
	case SIM_DIR:
		return -EISDIR;
	case SIM_EVENT:
		return fake_read_event(fd->event, buf, arg[2]);
	case SIM_SIGNAL:
		return read_signal(k, fd, buf, arg[2]);
	case SIM_PIPE:
		return fake_pipe_read(k, fd, buf, arg[2]);
	default:
		return -EINVAL;
	}
}

static long do_pread64(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);

	if (!fd)
		return -EBADF;
	if (fd->kind != SIM_FILE)
		return fd->kind == SIM_DIR ? -EISDIR : -ESPIPE;
	return fake_read_at(fd, (void *)arg[1], arg[2], arg[3]);
}

/* --- mappings --- */

long fake_map_memory(struct fake_kernel *k, const struct fake_mapping *mapping)
{
	struct fake_mapping *m;

	k->mappings = fake_grow(k->mappings, k->nr_mappings, sizeof(*k->mappings));
	m = &k->mappings[k->nr_mappings++];
	*m = *mapping;
	m->made = k->nr_calls;
	return (long)m->addr;
}

static long map_file(struct fake_kernel *k, const struct fake_fd *fd, const unsigned long arg[6])
{
	const size_t size = fd->file->size ? fd->file->size : strlen(fd->file->data), off = arg[5];
	struct fake_mapping m = { .addr = fake_alloc(arg[1]), .len = arg[1], .owned = true };

	if (off < size)
		memcpy(m.addr, (const char *)fd->file->data + off,
		       size - off < arg[1] ? size - off : arg[1]);
	return fake_map_memory(k, &m);
}

static long do_mmap(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[4]);

	if (arg[1] == 0 || arg[5] % FAKE_PAGE)
		return -EINVAL;
	if (arg[3] & MAP_ANONYMOUS)
		return fake_map_memory(k, &(struct fake_mapping){ .addr = fake_alloc(arg[1]),
								  .len = arg[1], .owned = true });
	if (!fd)
		return -EBADF;
	switch (fd->kind) {
	case SIM_FILE:
		return map_file(k, fd, arg);
	case SIM_MAP:
		return fake_map_mmap(k, fd->map, arg);
	case SIM_EVENT:
		return fake_perf_mmap(k, fd->event, arg);
	default:
		return -ENODEV;
	}
}

/* A ring that is no longer mapped receives no more records. */
static void forget_mapping(struct fake_mapping *m)
{
	if (m->event)
		m->event->ring = NULL;
	if (m->map && m->map->consumer == m->addr)
		m->map->consumer = NULL;
	if (m->map && m->map->producer == m->addr)
		m->map->producer = NULL;
	if (m->owned)
		free(m->addr);
}

static long do_munmap(struct fake_kernel *k, const unsigned long arg[6])
{
	unsigned int i;

	for (i = 0; i < k->nr_mappings; i++) {
		if (k->mappings[i].addr != (void *)arg[0] || k->mappings[i].len != arg[1])
			continue;
		forget_mapping(&k->mappings[i]);
		k->mappings[i] = k->mappings[--k->nr_mappings];
		return 0;
	}
	fake_violation(k, "call %u: munmap(%#lx, %lu), which is not mapped so", k->nr_calls,
		       arg[0], arg[1]);
	return -EINVAL;
}

static long do_madvise(struct fake_kernel *k, const unsigned long arg[6])
{
	for (unsigned int i = 0; i < k->nr_mappings; i++) {
		const size_t at = arg[0] - (unsigned long)k->mappings[i].addr;

		if (at <= k->mappings[i].len && arg[1] <= k->mappings[i].len - at)
			return arg[0] % FAKE_PAGE ? -EINVAL : 0;
	}
	return -ENOMEM;
}

/* --- waiting --- */

static bool is_ready(void *kernel, int nr, const void *of)
{
	struct fake_kernel *k = kernel;
	const struct fake_fd *fd = of, *in;

	switch (fd->kind) {
	case SIM_EVENT:
		return fake_event_ready(fd->event);
	case SIM_MAP:
		return fake_ringbuf_ready(fd->map);
	case SIM_PIDFD:
		return fd->pid == k->ended || fake_child_ready(k, fd->pid);
	case SIM_PIPE:
		return fake_pipe_ready(k, fd);
	case SIM_SOCKET:
		return fake_uevent_ready(k, fd);
	case SIM_SIGNAL:
		return k->pending & fd->signals;
	case SIM_EPOLL:
		for (unsigned int i = SIM_FIRST_FD; i < k->fds.nr; i++) {
			in = sim_fd_get(&k->fds, i);
			if (in && in->epoll_fd == nr && is_ready(k, i, in))
				return true;
		}
		return false;
	default:
		return false;
	}
}

static int poll_once(struct fake_kernel *k, struct pollfd *fds, unsigned long nfds)
{
	return sim_poll(&k->fds, fds, nfds, is_ready, k);
}

/* @looks: it does not wait. @for_ever: it waits without a limit. */
static long wait_for(struct fake_kernel *k, struct pollfd *fds, unsigned long nfds, bool looks,
		     bool for_ever)
{
	int ready;

	fake_child_runs(k);
	if (k->poll_hook)
		k->poll_hook(k, k->poll_arg);
	ready = poll_once(k, fds, nfds);
	if (looks)
		return ready;
	k->empty_polls = ready ? 0 : k->empty_polls + 1;
	if (!ready && (for_ever || k->empty_polls >= PATIENCE)) {
		fake_kernel_signal(k, SIGINT);
		ready = poll_once(k, fds, nfds);
	}
	if (!ready && for_ever) {
		fake_violation(k, "call %u: waits for ever", k->nr_calls);
		return -EINTR;
	}
	return ready;
}

static long do_ppoll(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct timespec *ts = (const struct timespec *)arg[2];

	/* Pausing or polling is not waiting. */
	return wait_for(k, (struct pollfd *)arg[0], arg[1],
			ts && (!arg[1] || (!ts->tv_sec && !ts->tv_nsec)), !ts);
}

static long do_signalfd4(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd;
	int nr;

	if ((int)arg[0] != -1 || arg[2] != sizeof(uint64_t))
		return -EINVAL;
	nr = fake_fd_new(k, SIM_SIGNAL, &fd);
	if (nr >= 0)
		fd->signals = *(const uint64_t *)arg[1];
	return nr;
}

static long do_epoll_create1(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd;

	return arg[0] == EPOLL_CLOEXEC ? fake_fd_new(k, SIM_EPOLL, &fd) : -EINVAL;
}

static long do_epoll_ctl(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd = sim_fd_get(&k->fds, arg[2]);

	if (arg[1] != EPOLL_CTL_ADD || !fd || !arg[3])
		return -EINVAL;
	if (fd->epoll_fd)
		return -EEXIST;
	fd->epoll_fd = arg[0];
	fd->epoll = *(const struct epoll_event *)arg[3];
	return 0;
}

static long do_epoll_pwait(struct fake_kernel *k, const unsigned long arg[6])
{
	struct epoll_event *ready = (struct epoll_event *)arg[1];
	struct pollfd fds[FAKE_MAX_FDS];
	const struct fake_fd *fd;
	unsigned int nfds = 0, nr = 0;
	long ret;

	for (unsigned int i = SIM_FIRST_FD; i < k->fds.nr; i++) {
		fd = sim_fd_get(&k->fds, i);
		if (fd && fd->epoll_fd == (int)arg[0])
			fds[nfds++] = (struct pollfd){ .fd = i, .events = POLLIN };
	}
	if (arg[3])
		fake_violation(k, "call %u: waits in epoll_pwait, not in ppoll", k->nr_calls);
	ret = poll_once(k, fds, nfds);
	for (unsigned int i = 0; ret > 0 && i < nfds && nr < arg[2]; i++) {
		if (!fds[i].revents)
			continue;
		fd = sim_fd_get(&k->fds, fds[i].fd);
		ready[nr] = fd->epoll;
		ready[nr++].events = fds[i].revents;
	}
	return ret < 0 ? ret : nr;
}

static long do_rt_sigprocmask(struct fake_kernel *k, const unsigned long arg[6])
{
	(void)k;
	return arg[3] == sizeof(uint64_t) ? 0 : -EINVAL;
}

static long do_setpriority(struct fake_kernel *k, const unsigned long arg[6])
{
	(void)k;
	(void)arg;
	return 0;
}

static long do_prlimit64(struct fake_kernel *k, const unsigned long arg[6])
{
	uint64_t *old = (uint64_t *)arg[3];

	if (old)
		memcpy(old, k->memlock, sizeof(k->memlock));
	if (arg[2] && arg[1] == RLIMIT_MEMLOCK)
		memcpy(k->memlock, (const void *)arg[2], sizeof(k->memlock));
	return 0;
}

/* --- a file system that is not mounted anywhere --- */

static long do_fsopen(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd;
	int nr = fake_fd_new(k, SIM_FS, &fd);

	if (nr >= 0)
		snprintf(fd->path, sizeof(fd->path), "%s", (const char *)arg[0]);
	return nr;
}

static long do_fsconfig(struct fake_kernel *k, const unsigned long arg[6])
{
	int code;

	sim_fd_as(&k->fds, arg[0], SIM_FS, &code);
	return code;
}

static long do_fsmount(struct fake_kernel *k, const unsigned long arg[6])
{
	int code, nr;
	const struct fake_fd *fs = sim_fd_as(&k->fds, arg[0], SIM_FS, &code);
	struct fake_fd *fd;
	char type[64];

	if (!fs)
		return code;
	snprintf(type, sizeof(type), "%.62s:", fs->path);
	nr = fake_fd_new(k, SIM_DIR, &fd);
	if (nr >= 0)
		memcpy(fd->path, type, sizeof(type));
	return nr;
}

#if defined(__NR_uprobe)
static long do_uprobe(struct fake_kernel *k, const unsigned long arg[6])
{
	(void)arg;
	return fake_too_old(k, FAKE_NO_NOP10) ? -ENXIO : -EPROTO;
}
#endif

static long do_pidfd_open(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd;
	int nr;

	if (fake_too_old(k, FAKE_NO_PIDFD))
		return -ENOSYS;
	if ((pid_t)arg[0] == k->ended)
		return -ESRCH;
	nr = fake_fd_new(k, SIM_PIDFD, &fd);
	if (nr >= 0)
		fd->pid = arg[0];
	return nr;
}

void fake_kernel_end_process(struct fake_kernel *k, pid_t pid)
{
	k->ended = pid;
}

/* --- the gate --- */

static const struct {
	long nr;
	long (*call)(struct fake_kernel *k, const unsigned long arg[6]);
	bool releases;	/* has its effect even if it fails */
} doers[] = {
	{ __NR_bpf, fake_bpf, false },
	{ __NR_perf_event_open, fake_perf_event_open, false },
	{ __NR_ioctl, fake_ioctl, false },
	{ __NR_openat, fake_openat, false },
	{ __NR_read, do_read, false },
	{ __NR_pread64, do_pread64, false },
	{ __NR_write, fake_write, false },
	{ __NR_getdents64, fake_getdents64, false },
	{ __NR_fstat, fake_fstat, false },
	{ __NR_statfs, fake_statfs, false },
	{ __NR_mkdirat, fake_mkdirat, false },
	{ __NR_unlinkat, fake_unlinkat, true },
	{ __NR_symlinkat, fake_symlinkat, false },
	{ __NR_readlinkat, fake_readlinkat, false },
	{ __NR_socket, fake_socket, false },
	{ __NR_bind, fake_bind_socket, false },
	{ __NR_recvfrom, fake_recvfrom, false },
	{ __NR_pidfd_open, do_pidfd_open, false },
#if defined(__NR_uprobe)
	{ __NR_uprobe, do_uprobe, false },
#endif
	{ __NR_clone, fake_clone, false },
	{ __NR_waitid, fake_waitid, true },
	{ __NR_kill, fake_kill, false },
	{ __NR_pipe2, fake_pipe2, false },
	{ __NR_close, do_close, true },
	{ __NR_close_range, do_close_range, false },
	{ __NR_mmap, do_mmap, false },
	{ __NR_munmap, do_munmap, true },
	{ __NR_madvise, do_madvise, false },
	{ __NR_ppoll, do_ppoll, false },
	{ __NR_epoll_create1, do_epoll_create1, false },
	{ __NR_epoll_ctl, do_epoll_ctl, false },
	{ __NR_epoll_pwait, do_epoll_pwait, false },
	{ __NR_rt_sigprocmask, do_rt_sigprocmask, false },
	{ __NR_signalfd4, do_signalfd4, false },
	{ __NR_prlimit64, do_prlimit64, false },
	{ __NR_setpriority, do_setpriority, false },
	{ __NR_fsopen, do_fsopen, false },
	{ __NR_fsconfig, do_fsconfig, false },
	{ __NR_fsmount, do_fsmount, false },
};

static const char *name_of(long nr, const unsigned long arg[6])
{
	const struct trace_call *call = trace_call_find(nr);

	if (nr == __NR_bpf && sys_cmd_name(arg[0]))
		return sys_cmd_name(arg[0]);
	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_ENABLE)
		return "PERF_EVENT_IOC_ENABLE";
	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF)
		return "PERF_EVENT_IOC_SET_BPF";
	return call ? call->name : "?";
}

static long do_call(struct fake_kernel *k, long nr, const unsigned long arg[6], bool fails)
{
	size_t i;
	long ret;

	for (i = 0; i < sizeof(doers) / sizeof(doers[0]); i++) {
		if (doers[i].nr != nr)
			continue;
		if (fails && !doers[i].releases)
			return -k->fail_code;
		ret = doers[i].call(k, arg);
		return fails ? -k->fail_code : ret;
	}
	fake_violation(k, "call %u: number %ld is none that the seam has", k->nr_calls, nr);
	return -ENOSYS;
}

static long fake_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct fake_kernel *k = (struct fake_kernel *)sys;
	struct fake_call *call;
	long ret;

	k->calls = fake_grow(k->calls, k->nr_calls, sizeof(*k->calls));
	call = &k->calls[k->nr_calls++];
	call->nr = nr;
	call->name = name_of(nr, arg);
	ret = do_call(k, nr, arg, k->fail_at == k->nr_calls);
	k->calls[k->nr_calls - 1].ret = ret;
	return ret;
}

struct fake_kernel *fake_kernel_new(const struct fake_path *paths)
{
	struct fake_kernel *k = fake_grow(NULL, 0, sizeof(*k));

	k->sys.enter = fake_enter;
	k->paths = paths;
	k->fds = sim_fds(sizeof(struct fake_fd), FAKE_MAX_FDS);
	k->memlock[0] = k->memlock[1] = 64 << 10;
	k->cpus = FAKE_ONLINE_CPUS;
	return k;
}

void fake_kernel_set_paths(struct fake_kernel *k, const struct fake_path *paths)
{
	k->paths = paths;
}

struct sys *fake_kernel_sys(struct fake_kernel *k)
{
	return &k->sys;
}

void fake_kernel_free(struct fake_kernel *k)
{
	unsigned int i;

	for (i = 0; i < k->nr_mappings; i++)
		forget_mapping(&k->mappings[i]);
	for (i = 0; i < k->nr_maps; i++) {
		free(k->maps[i]->keys);
		free(k->maps[i]->values);
		free(k->maps[i]);
	}
	for (i = 0; i < k->nr_progs; i++) {
		free(k->progs[i]->insns);
		free(k->progs[i]->func_info);
		free(k->progs[i]->line_info);
		free(k->progs[i]);
	}
	for (i = 0; i < k->nr_events; i++)
		free(k->events[i]);
	for (i = 0; i < k->nr_links; i++)
		free(k->links[i]);
	for (i = 0; i < k->nr_btfs; i++)
		free(k->btfs[i].loaded);
	for (i = 0; i < k->nr_pins; i++)
		free(k->pins[i].text);
	for (i = 0; i < k->nr_violations; i++)
		free(k->violations[i]);
	for (i = 0; i < k->nr_lines; i++)
		free(k->lines[i]);
	free(k->fds.list);
	free(k->lines);
	fake_many_free(&k->many);
	free(k->pins);
	free(k->links);
	free(k->uevents);
	free(k->queries);
	free(k->maps);
	free(k->progs);
	free(k->events);
	free(k->btfs);
	free(k->violations);
	free(k->mappings);
	free(k->calls);
	free(k);
}
