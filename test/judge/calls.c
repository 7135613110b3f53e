// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The system calls of a loader, as they are entered and as they return. A descriptor is no name: it
 * is duplicated at once, and the kernel is asked which map, program or event it is. So neither
 * threads nor fork(2) nor dup(2) matter.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/pidfd.h>

#include "loader/base/text/names.h"
#include "loader/observe/trace/trace_call.h"
#include "test/judge/watch.h"

#define INSNS_MAX 65536
#define LOG_MAX 65536
#define SNAPSHOTS_MAX 500	/* a loader with more calls fills large maps, of which the last state counts */

int task_fd(const struct task *task, int fd)
{
	const int pidfd = syscall(__NR_pidfd_open, task->tgid, 0);
	const int got = pidfd < 0 ? -1 : syscall(__NR_pidfd_getfd, pidfd, fd, 0);

	if (pidfd >= 0)
		close(pidfd);
	return got;
}

static uint32_t map_id(const struct task *task, int fd)
{
	const int own = task_fd(task, fd);
	struct bpf_map_info info;
	const bool is_map = own >= 0 && kernel_info(own, &info, sizeof(info));

	if (own >= 0)
		close(own);
	return is_map ? info.id : 0;
}

static uint32_t prog_id(const struct task *task, int fd)
{
	const int own = task_fd(task, fd);
	struct bpf_prog_info info;
	const bool is_prog = own >= 0 && kernel_info(own, &info, sizeof(info));

	if (own >= 0)
		close(own);
	return is_prog ? info.id : 0;
}

static uint32_t link_id(const struct task *task, int fd)
{
	const int own = task_fd(task, fd);
	struct bpf_link_info info;
	const bool is_link = own >= 0 && kernel_info(own, &info, sizeof(info));

	if (own >= 0)
		close(own);
	return is_link ? info.id : 0;
}

static uint32_t btf_id(const struct task *task, int fd)
{
	const int own = task_fd(task, fd);
	struct bpf_btf_info info;
	const bool is_btf = own >= 0 && kernel_info(own, &info, sizeof(info));

	if (own >= 0)
		close(own);
	return is_btf ? info.id : 0;
}

static uint64_t event_id(const struct task *task, int fd)
{
	const int own = task_fd(task, fd);
	uint64_t id = 0;

	if (own < 0 || ioctl(own, PERF_EVENT_IOC_ID, &id) < 0)
		id = 0;
	if (own >= 0)
		close(own);
	return id;
}

/* Append a zeroed element to an array in run->seen. */
#define ADD(run, array, nr) \
	({ \
		(run)->seen.kept += sizeof(*(array)); \
		void *grown = array_grow(array, nr, sizeof(*(array))); \
		if (!grown) \
			abort(); \
		array = grown; \
		memset(&(array)[nr], 0, sizeof(*(array))); \
		&(array)[(nr)++]; \
	})

/*
 * Keep the values that the loader has written to arrays of one element, which hold variables,
 * because a running program may change them.
 */
static void keep_values(struct run *run)
{
	const uint32_t key = 0;

	for (uint32_t i = 0; i < run->seen.nr_maps; i++) {
		struct seen_map *map = &run->seen.maps[i];
		const int fd = kernel_map_fd(map->id);

		if (fd >= 0 && map->info.type == BPF_MAP_TYPE_ARRAY && map->info.max_entries == 1) {
			if (!map->value)
				map->value = calloc(1, map->info.value_size);
			if (map->value)
				kernel_lookup(fd, &key, map->value);
		}
		if (fd >= 0)
			close(fd);
	}
}

/* Return true if a program is bound to an enabled event, and may therefore have run. */
static bool may_have_run(const struct run *run)
{
	for (uint32_t i = 0; i < run->seen.nr_binds; i++) {
		const struct seen_bind *bind = &run->seen.binds[i];
		const struct seen_event *event = seen_event_id(run, bind->event_id);

		if (!bind->error && !bind->pending && (!event || event->enabled))
			return true;
	}
	return false;
}

/* --- bpf(2) --- */

/* Return element @i of the array of descriptors that the program has, or -1. */
static int fd_of_array(const struct task *task, int i)
{
	const uint64_t address = task->attr.fd_array + 4LL * i;
	int fd;

	if (!task->attr.fd_array || task_read(task->pid, address, &fd, sizeof(fd)) != sizeof(fd))
		return -1;
	return fd;
}

/* Find the map to which each instruction refers, by a descriptor or by an index into fd_array. */
static void find_maps(const struct task *task, struct seen_prog *prog)
{
	for (uint32_t i = 0; i < prog->nr_insns; i++) {
		const struct bpf_insn *insn = &prog->insns[i];
		int fd = insn->imm;

		if (insn->code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (insn->src_reg == BPF_PSEUDO_MAP_IDX || insn->src_reg == BPF_PSEUDO_MAP_IDX_VALUE)
			fd = fd_of_array(task, insn->imm);
		else if (insn->src_reg != BPF_PSEUDO_MAP_FD && insn->src_reg != BPF_PSEUDO_MAP_VALUE)
			continue;
		prog->map_ids[i] = map_id(task, fd);
	}
}

/* Read records one at a time: they may be longer than the known ones. */
static void read_line_info(struct run *run, const struct task *task, struct seen_prog *prog)
{
	const union bpf_attr *attr = &task->attr;

	if (!run->snapshots || attr->line_info_rec_size < sizeof(*prog->line_info) ||
	    attr->line_info_cnt > INSNS_MAX || !attr->line_info)
		return;
	prog->line_info = calloc(attr->line_info_cnt + 1, sizeof(*prog->line_info));
	if (!prog->line_info)
		abort();
	run->seen.kept += attr->line_info_cnt * sizeof(*prog->line_info);
	for (; prog->nr_line_info < attr->line_info_cnt; prog->nr_line_info++)
		task_read(task->pid, attr->line_info + (uint64_t)attr->line_info_rec_size * prog->nr_line_info,
			  &prog->line_info[prog->nr_line_info], sizeof(*prog->line_info));
}

static void enter_load(struct run *run, struct task *task)
{
	struct seen_prog *prog = ADD(run, run->seen.progs, run->seen.nr_progs);
	const uint32_t nr = task->attr.insn_cnt < INSNS_MAX ? task->attr.insn_cnt : INSNS_MAX;

	task->made = run->seen.nr_progs - 1;
	prog->attr = task->attr;
	prog->attr_size = task->attr_size;
	prog->insns = calloc(nr + 1, sizeof(*prog->insns));
	prog->map_ids = calloc(nr + 1, sizeof(*prog->map_ids));
	if (!prog->insns || !prog->map_ids)
		abort();
	prog->nr_insns = task_read(task->pid, task->attr.insns, prog->insns,
				   nr * sizeof(*prog->insns)) / sizeof(*prog->insns);
	task_string(task->pid, task->attr.license, prog->license, sizeof(prog->license));
	find_maps(task, prog);
	run->seen.kept += nr * (sizeof(*prog->insns) + sizeof(*prog->map_ids));
	read_line_info(run, task, prog);
	if (run->snapshots && task->attr.prog_btf_fd)
		prog->btf_id = btf_id(task, task->attr.prog_btf_fd);
	if (task->attr.func_info_rec_size < sizeof(*prog->func_info) ||
	    task->attr.func_info_cnt > INSNS_MAX || !task->attr.func_info)
		return;
	run->seen.kept += task->attr.func_info_cnt * sizeof(*prog->func_info);
	prog->func_info = calloc(task->attr.func_info_cnt + 1, sizeof(*prog->func_info));
	if (!prog->func_info)
		abort();
	for (; prog->nr_func_info < task->attr.func_info_cnt; prog->nr_func_info++)
		task_read(task->pid, task->attr.func_info +
				     (uint64_t)task->attr.func_info_rec_size * prog->nr_func_info,
			  &prog->func_info[prog->nr_func_info], sizeof(*prog->func_info));
}

static void leave_load(struct run *run, struct task *task, long ret)
{
	struct seen_prog *prog = &run->seen.progs[task->made];
	const uint32_t size = task->attr.log_size < LOG_MAX ? task->attr.log_size : LOG_MAX;

	if (ret >= 0) {
		prog->id = prog_id(task, ret);
		return;
	}
	prog->error = -ret;
	run->seen.kept += size;
	prog->log = calloc(1, size + 1);
	if (prog->log && task->attr.log_buf)
		task_read(task->pid, task->attr.log_buf, prog->log, size);
}

static void leave_create(struct run *run, const struct task *task, long ret)
{
	struct seen_map *map;
	int fd;

	if (ret < 0)
		return;
	map = ADD(run, run->seen.maps, run->seen.nr_maps);
	map->attr = task->attr;
	if (run->snapshots && task->attr.inner_map_fd)
		map->inner_id = map_id(task, task->attr.inner_map_fd);
	fd = task_fd(task, ret);
	if (fd >= 0) {
		kernel_info(fd, &map->info, sizeof(map->info));
		map->id = map->info.id;
		close(fd);
	}
}

/* A map that was frozen too early refuses its contents. */
static void leave_update(struct run *run, const struct task *task, long ret)
{
	const uint32_t id = ret == -EPERM ? map_id(task, task->attr.map_fd) : 0;

	for (uint32_t i = 0; id && i < run->seen.nr_maps; i++)
		if (run->seen.maps[i].id == id)
			run->seen.maps[i].late_error = -ret;
}

static void enter_link(struct run *run, struct task *task)
{
	struct seen_bind *bind;

	if (!may_have_run(run))
		keep_values(run);
	bind = ADD(run, run->seen.binds, run->seen.nr_binds);
	task->made = run->seen.nr_binds - 1;
	*bind = (struct seen_bind){
		.by_link = true, .pending = true,
		.prog_id = prog_id(task, task->attr.link_create.prog_fd),
		.event_id = event_id(task, task->attr.link_create.target_fd),
		.attach_type = task->attr.link_create.attach_type,
		.attr_size = task->attr_size,
		.flags = task->attr.link_create.flags,
		.cookie = task->attr.link_create.perf_event.bpf_cookie,
	};
}

static void leave_link(struct run *run, struct task *task, long ret)
{
	struct seen_bind *bind = &run->seen.binds[task->made];
	struct bpf_link_info info;
	const int fd = ret < 0 ? -1 : task_fd(task, ret);

	bind->error = ret < 0 ? -ret : 0;
	bind->pending = false;
	if (fd >= 0 && kernel_info(fd, &info, sizeof(info)))
		bind->link_id = info.id;
	if (fd >= 0)
		close(fd);
}

/*
 * The type that the log complains about, and its last line, which may be that of a member:
 *
 *	[12] DATASEC .maps size=64 vlen=2
 *		 type_id=5 offset=0 size=32 Invalid offset
 */
static void last_btf_reason(const char *log, char *buf, size_t size)
{
	const char *type = "";
	char reason[256];

	for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (*line == '[')
			type = line;
	last_reason(log, reason, sizeof(reason));
	if (*reason == '[' || !*type)
		snprintf(buf, size, "%s", reason);
	else
		snprintf(buf, size, "%.*s: %s", (int)strcspn(type, "\n"), type,
			 reason + strspn(reason, "\t "));
}

static void keep_btf(struct run *run, const struct task *task, int fd)
{
	const size_t size = task->attr.btf_size;
	struct seen_btf *btf;
	void *data;

	if (size > KEPT_MAX)
		return;
	data = calloc(1, size + 1);
	if (!data)
		abort();
	run->seen.kept += size;
	btf = ADD(run, run->seen.btfs, run->seen.nr_btfs);
	*btf = (struct seen_btf){ btf_id(task, fd), { data, task_read(task->pid, task->attr.btf, data, size) } };
}

static void leave_btf(struct run *run, const struct task *task, long ret)
{
	const uint32_t size = task->attr.btf_log_size < LOG_MAX ? task->attr.btf_log_size : LOG_MAX;
	char *log = calloc(1, size + 1);

	if (run->snapshots && ret >= 0)
		keep_btf(run, task, ret);
	run->seen.btf_error = ret < 0 ? -ret : 0;
	if (log && task->attr.btf_log_buf)
		task_read(task->pid, task->attr.btf_log_buf, log, size);
	if (log)
		last_btf_reason(log, run->seen.btf_reason, sizeof(run->seen.btf_reason));
	free(log);
}

static void leave_pin(struct run *run, const struct task *task, long ret)
{
	char path[4096], whole[4200];

	task_string(task->pid, task->attr.pathname, path, sizeof(path));
	if (ret < 0) {
		snprintf(run->seen.refused_pin, sizeof(run->seen.refused_pin), "%.255s", path);
		run->seen.pin_error = -ret;
		return;
	}
	if (path[0] == '/')
		snprintf(whole, sizeof(whole), "%s", path);
	else
		snprintf(whole, sizeof(whole), "/proc/%d/cwd/%s", task->tgid, path);
	run->seen.kept += sizeof(path);
	*ADD(run, run->seen.pins, run->seen.nr_pins) = (struct seen_pin){
		realpath(whole, NULL) ?: strdup(whole), map_id(task, task->attr.bpf_fd),
		prog_id(task, task->attr.bpf_fd), link_id(task, task->attr.bpf_fd) };
}

/* A wrong max_entries may use up all memory: without control groups, the kernel would accept it. */
static void look_at_size(struct run *run, const union bpf_attr *attr)
{
	const bool per_cpu = attr->map_type == BPF_MAP_TYPE_PERCPU_ARRAY ||
			     attr->map_type == BPF_MAP_TYPE_PERCPU_HASH ||
			     attr->map_type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
	const uint64_t each = (uint64_t)attr->key_size + attr->value_size;
	const bool is_ring = attr->map_type == BPF_MAP_TYPE_RINGBUF;
	const double bytes = (double)attr->max_entries * (is_ring ? 1 : each) *
			     (per_cpu ? sysconf(_SC_NPROCESSORS_CONF) : 1);

	if (attr->map_flags & BPF_F_NO_PREALLOC || bytes <= memory_limit())
		return;
	snprintf(run->seen.spied, sizeof(run->seen.spied), "your program asks for a map of %.1f GB (key_size %u, "
		 "value_size %u, max_entries %u), more than the judge allows: are all bytes of attr that you do "
		 "not use 0?", bytes / (1 << 30), attr->key_size, attr->value_size, attr->max_entries);
}

static bool enter_bpf(struct run *run, struct task *task)
{
	memset(&task->attr, 0, sizeof(task->attr));
	task->attr_size = task->args[2] < sizeof(task->attr) ? task->args[2] : sizeof(task->attr);
	task_read(task->pid, task->args[1], &task->attr, task->attr_size);
	if (task->args[0] == BPF_MAP_CREATE)
		look_at_size(run, &task->attr);
	run->looks_up |= task->args[0] == BPF_MAP_LOOKUP_ELEM;
	run->loads_btf |= task->args[0] == BPF_BTF_LOAD;
	if (task->args[0] == BPF_PROG_LOAD)
		enter_load(run, task);
	else if (task->args[0] == BPF_LINK_CREATE)
		enter_link(run, task);
	return true;
}

static void leave_command(struct run *run, struct task *task, long ret)
{
	switch (task->args[0]) {
	case BPF_MAP_CREATE:
		return leave_create(run, task, ret);
	case BPF_PROG_LOAD:
		return leave_load(run, task, ret);
	case BPF_MAP_UPDATE_ELEM:
		return leave_update(run, task, ret);
	case BPF_LINK_CREATE:
		return leave_link(run, task, ret);
	case BPF_BTF_LOAD:
		return leave_btf(run, task, ret);
	case BPF_OBJ_PIN:
		return leave_pin(run, task, ret);
	case BPF_MAP_GET_NEXT_KEY:
		run->seen.first_keys += ret == 0 && !task->attr.key;
		return;
	}
}

/* Return true if the command may have created, filled or frozen something. */
static bool changes_objects(unsigned long cmd)
{
	return cmd == BPF_MAP_CREATE || cmd == BPF_MAP_UPDATE_ELEM || cmd == BPF_MAP_UPDATE_BATCH ||
	       cmd == BPF_MAP_FREEZE || cmd == BPF_PROG_LOAD || cmd == BPF_OBJ_PIN;
}

static void leave_bpf(struct run *run, struct task *task, long ret)
{
	leave_command(run, task, ret);
	if (run->snapshots && changes_objects(task->args[0]) && run->seen.nr_snapshots++ < SNAPSHOTS_MAX)
		snapshot_take(run, task, 1, may_have_run(run));
}

/* --- perf events --- */

/* Write a word of 8 bytes of the attr that the task passes. */
static void write_attr(const struct task *task, size_t offset, uint64_t word)
{
	ptrace(PTRACE_POKEDATA, task->pid, task->args[0] + offset, word);
}

/* Give the event another type. The word also contains attr.size. */
static void write_type(const struct task *task, uint32_t type)
{
	const uint32_t words[] = { type, task->attr_passed.size };
	uint64_t word;

	memcpy(&word, words, sizeof(word));
	write_attr(task, offsetof(struct perf_event_attr, type), word);
}

/*
 * Sampling every 99 ns on all CPUs would leave no time for anything else, so give the event a
 * longer period or a lower frequency. In stage pmu the number of the PMU is not the kernel's:
 * replace it.
 */
static void enter_open(struct run *run, struct task *task)
{
	struct perf_event_attr attr = { 0 };

	task_read(task->pid, task->args[0], &attr, PERF_ATTR_SIZE_VER0);
	memcpy(&task->attr_passed, &attr, sizeof(task->attr_passed));
	task->type_replaced = run->pmu && attr.type == run->pmu;
	if (task->type_replaced)
		attr.type = PERF_TYPE_SOFTWARE;
	task->period_replaced = rate_is_too_high(&attr);
	run->seen.used_pmu |= task->type_replaced;
	if (task->period_replaced)
		write_attr(task, offsetof(struct perf_event_attr, sample_period),
			   attr.freq ? FREQUENCY_GIVEN : PERIOD_GIVEN);
	if (task->type_replaced)
		write_type(task, PERF_TYPE_SOFTWARE);
}

static void leave_open(struct run *run, const struct task *task, long ret)
{
	struct seen_event *event = ADD(run, run->seen.events, run->seen.nr_events);

	if (task->period_replaced)
		write_attr(task, offsetof(struct perf_event_attr, sample_period), task->attr_passed.period);
	task_read(task->pid, task->args[0], &event->attr, sizeof(event->attr));
	if (task->type_replaced)
		write_type(task, task->attr_passed.type);
	event->type_passed = task->attr_passed.type;
	event->pid = task->args[1];
	event->cpu = task->args[2];
	event->cloexec = task->args[4] & PERF_FLAG_FD_CLOEXEC;
	event->enabled = !event->attr.disabled;
	event->error = ret < 0 ? -ret : 0;
	event->id = ret < 0 ? 0 : event_id(task, ret);
}

static void leave_ioctl(struct run *run, const struct task *task, long ret)
{
	const uint64_t id = event_id(task, task->args[0]);

	if (task->args[1] == PERF_EVENT_IOC_SET_BPF)
		*ADD(run, run->seen.binds, run->seen.nr_binds) = (struct seen_bind){
			.event_id = id, .prog_id = prog_id(task, task->args[2]),
			.error = ret < 0 ? -ret : 0,
		};
	run->seen.enables |= task->args[1] == PERF_EVENT_IOC_ENABLE;
	for (uint32_t i = 0; task->args[1] == PERF_EVENT_IOC_ENABLE && i < run->seen.nr_events; i++)
		if (run->seen.events[i].id == id)
			run->seen.events[i].enabled |= ret == 0;
}

/* --- messages --- */

void last_reason(const char *log, char *buf, size_t size)
{
	const char *best = "";

	for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (*line != '\n' && strncmp(line, "processed ", 10))
			best = line;
	snprintf(buf, size, "%.*s", (int)strcspn(best, "\n"), best);
}

/*
 * Keep the call as text, without pointers, which are those of another process: a link to user
 * functions has one, of their file.
 */
static void keep_failed(struct run *run, const struct task *task, long ret)
{
	FILE *out = fmemopen(run->seen.last, sizeof(run->seen.last), "w");
	unsigned long args[6];
	union bpf_attr attr;

	if (!out)
		return;
	memcpy(args, task->args, sizeof(args));
	memset(&attr, 0, sizeof(attr));
	fprintf(out, "%s(", sys_call_name(task->nr) ?: "?");
	if (task->nr != __NR_bpf) {
		struct perf_event_attr copy;

		if (task->nr == __NR_perf_event_open) {
			copy = run->seen.events[run->seen.nr_events - 1].attr;
			copy.config1 = copy.config2 = 0;
			args[0] = (unsigned long)&copy;
		}
		sys_call_args(out, task->nr, args);
	} else if (task->args[0] == BPF_MAP_CREATE ||
		   (task->args[0] == BPF_LINK_CREATE &&
		    task->attr.link_create.attach_type == BPF_PERF_EVENT)) {
		memcpy(&attr, &task->attr, task->attr_size < 64 ? task->attr_size : 64);
		args[1] = (unsigned long)&attr;
		sys_call_args(out, task->nr, args);
	} else {
		fprintf(out, "%s, ...", sys_cmd_name(task->args[0] & ~(unsigned long)BPF_COMMON_ATTRS) ?: "?");
	}
	fprintf(out, ") = -1 %s", sys_errno_name(-ret) ?: "?");
	if (task->nr == __NR_bpf && task->args[0] == BPF_MAP_CREATE &&
	    !memchr(attr.map_name, 0, sizeof(attr.map_name)))
		fprintf(out, " (the name has no NUL in its 16 bytes)");
	fclose(out);
}

/* --- calls --- */

static void look_at_path(struct run *run, const struct task *task)
{
	char path[256];

	task_string(task->pid, task->args[task->nr == __NR_openat], path, sizeof(path));
	/* It may be relative to an open directory. */
	if (strstr(path, "software/type"))
		run->seen.read_pmu = true;
}

bool call_enter(struct run *run, struct task *task)
{

	if (run->seen.kept > KEPT_MAX)
		snprintf(run->seen.spied, sizeof(run->seen.spied), "your program has made so many calls that the "
			 "judge would need more than %d MB to remember them", KEPT_MAX >> 20);
	task->made = -1;
	switch (task->nr) {
	case __NR_bpf:
		run->seen.nr_calls++;
		return enter_bpf(run, task);
	case __NR_perf_event_open:
		enter_open(run, task);
		/* fallthrough */
	case __NR_ioctl:
		/* filter.c stops a task only at the ioctls that bind and enable. */
		if (task->nr == __NR_ioctl && !may_have_run(run))
			keep_values(run);
		run->seen.nr_calls++;
		return true;
	case __NR_openat:
#ifdef __NR_open
	case __NR_open:
#endif
		look_at_path(run, task);
		return false;
	case __NR_ptrace:
		snprintf(run->seen.spied, sizeof(run->seen.spied), "your program calls ptrace(2), which "
			 "controls other processes: a loader has no use for it");
		return false;
	}
	return false;
}

void call_leave(struct run *run, struct task *task, long ret)
{
	if (task->nr == __NR_bpf)
		leave_bpf(run, task, ret);
	else if (task->nr == __NR_perf_event_open)
		leave_open(run, task, ret);
	else
		leave_ioctl(run, task, ret);
	/* Reaching the end of a map is not a failure. */
	if (ret < 0 && !(task->nr == __NR_bpf && task->args[0] == BPF_MAP_GET_NEXT_KEY))
		keep_failed(run, task, ret);
}

/* Mark the events that the process has open, because the kernel has no list of them. */
static void find_held_events(struct run *run, const struct task *task)
{
	char path[64], target[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", task->tgid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		const ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
		uint64_t id;

		target[len < 0 ? 0 : len] = 0;
		if (strcmp(target, "anon_inode:[perf_event]"))
			continue;
		id = event_id(task, atoi(entry->d_name));
		for (uint32_t i = 0; i < run->seen.nr_events; i++)
			run->seen.events[i].held |= id && run->seen.events[i].id == id;
	}
	if (dir)
		closedir(dir);
}

/* Mark the events and links that exist: a program only runs as long as its event or link exists. */
static void find_held(struct run *run, const struct task *tasks, uint32_t nr_tasks)
{
	for (uint32_t i = 0; i < nr_tasks; i++)
		if (tasks[i].pid == tasks[i].tgid)
			find_held_events(run, &tasks[i]);
	for (uint32_t i = 0; i < run->seen.nr_binds; i++) {
		const int fd = run->seen.binds[i].link_id ?
			       kernel_link_fd(run->seen.binds[i].link_id) : -1;

		run->seen.binds[i].link_held = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
}

void call_look(struct run *run, const struct task *tasks, uint32_t nr_tasks)
{
	find_held(run, tasks, nr_tasks);
	if (!may_have_run(run))
		keep_values(run);
	if (run->snapshots)
		snapshot_take(run, tasks, nr_tasks, may_have_run(run));
	for (uint32_t i = 0; i < run->seen.nr_maps && !run->snapshots; i++) {
		const int fd = kernel_map_fd(run->seen.maps[i].id);

		if (fd < 0)
			continue;
		run->seen.maps[i].frozen = kernel_is_frozen(fd);
		close(fd);
	}
	for (uint32_t i = 0; i < run->seen.nr_progs; i++)
		if (run->seen.progs[i].id)
			run->seen.progs[i].runs = kernel_runs(run->seen.progs[i].id);
}
