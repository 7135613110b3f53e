/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A kernel in memory: the same on every machine, keeps a ledger, and fails calls on demand. */
#ifndef PLOAD_TEST_FAULT_FAKE_KERNEL_H
#define PLOAD_TEST_FAULT_FAKE_KERNEL_H

#include <stdbool.h>

#include "loader/core/sys/sys.h"

/*
 * Nothing in it is real. CPUs 0-1 are online, 0-3 possible; the PMUs software, tracepoint,
 * breakpoint, cpu_clock, task_clock, kprobe and uprobe exist; hardware events do not (ENOENT). Maps
 * store what is put into them, programs are kept for the test to look at, nothing ever runs.
 *
 * What the code under test must not do (close what is not open, unmap what is not mapped, wait for
 * ever with nothing to wake it) is a violation: counted, and told by fake_kernel_violations().
 */
struct fake_kernel;
struct fake_prog;
struct fake_event;

#define FAKE_SYMLINK (-1)	/* an error of fake_path */

/*
 * A file. Directories are there when a file lies below them. Those below a mount of fsmount() have
 * paths that begin with its type: "tracefs:/events/sched/sched_switch/id". @error: a positive errno
 * with which opening fails, or FAKE_SYMLINK: a symbolic link that says @data. A table ends with a
 * path NULL and goes before the files built in.
 */
struct fake_path {
	const char *path;
	const void *data;
	size_t size;	/* 0: @data is text */
	int error;
};

/* fake_kernel_new() - @paths is borrowed, and may be NULL. Aborts if out of memory. */
struct fake_kernel *fake_kernel_new(const struct fake_path *paths);
void fake_kernel_free(struct fake_kernel *k);
struct sys *fake_kernel_sys(struct fake_kernel *k);

/*
 * fake_object() - Return the bytes of progs/@name.bpf.c as built, from $PROGS or build/progs, for
 * use as the data of a path; free them. The test fails if the file is missing.
 */
void *fake_object(const char *name, size_t *size);

/* fake_kernel_set_paths() - Replace the files passed to fake_kernel_new(); also borrowed. */
void fake_kernel_set_paths(struct fake_kernel *k, const struct fake_path *paths);

/* --- set its behaviour --- */

/*
 * fake_kernel_fail_call() - Call @n from now (1: the next one) only fails with the positive errno
 * @code. As in Linux, close and munmap have their effect anyway. 0: none.
 */
void fake_kernel_fail_call(struct fake_kernel *k, unsigned int n, int code);

/* Features that an old kernel lacks. The errno is EINVAL unless stated. */
enum fake_age {
	FAKE_NO_BTF = 1 << 0,		/* BPF_BTF_LOAD */
	FAKE_NO_MAP_BTF = 1 << 1,	/* maps with type ids */
	FAKE_NO_MMAPABLE = 1 << 2,
	FAKE_NO_NAMES = 1 << 3,		/* names of maps and programs */
	FAKE_NO_PERF_LINK = 1 << 4,	/* BPF_LINK_CREATE with BPF_PERF_EVENT: before 5.15 */
	FAKE_NO_STATS = 1 << 5,		/* BPF_ENABLE_STATS: before 5.8 */
	FAKE_NO_BATCH = 1 << 6,
	FAKE_NO_FREEZE = 1 << 7,
	FAKE_MEMLOCK = 1 << 8,		/* EPERM until RLIMIT_MEMLOCK is raised: before 5.11 */
	FAKE_NO_MODULE_BTF = 1 << 9,	/* BTF without a name, E2BIG: before 5.11 */
	FAKE_NO_BPFFS = 1 << 10,	/* sys/fs/bpf is in sysfs: nothing is mounted there */
	FAKE_NO_LINK_ID = 1 << 11,	/* BPF_LINK_GET_NEXT_ID: before 5.8 */
	FAKE_NO_SOCKMAP_LINK = 1 << 12,	/* links to the sockets in a map: before 6.10 */
	FAKE_NO_MANY_LINK = 1 << 13,	/* links to many functions: before 5.18 */
	FAKE_NO_PROBE_PMU = 1 << 14,	/* the PMUs kprobe and uprobe, ENOENT: before 4.17 */
	FAKE_NO_PROBES = 1 << 15,	/* kprobe_events and uprobe_events as well */
	FAKE_NO_FRAGS = 1 << 16,	/* BPF_F_XDP_HAS_FRAGS: before 5.18 */
	FAKE_NO_PROG_BTF = 1 << 17,	/* programs with BTF, E2BIG: before 5.0 */
	FAKE_NO_ATTACH_TYPE = 1 << 18,	/* expected_attach_type, E2BIG: before 4.17 */
	FAKE_NO_PIDFD = 1 << 19,	/* pidfd_open, ENOSYS: before 5.3 */
	FAKE_NO_HOOK_LINK = 1 << 20,	/* BPF_LINK_CREATE for tracing programs: before 5.19 */
	FAKE_NO_TRAMPOLINE = 1 << 21,	/* BPF_RAW_TRACEPOINT_OPEN for tracing, 524: not on x86 */
	FAKE_NO_MISSES = 1 << 22,	/* recursion_misses in the info of programs: before 5.12 */
	FAKE_NO_BIND_MAP = 1 << 23,	/* BPF_PROG_BIND_MAP: before 5.10 */
	FAKE_NO_INSN_ARRAY = 1 << 24,	/* maps for jump tables: before 6.19 */
	FAKE_NO_BTF_LAYOUTS = 1 << 25,	/* BPF_BTF_LOAD with the longer header, E2BIG: before 7.1 */
	FAKE_NO_PATH_FD = 1 << 26,	/* BPF_F_UPROBE_MULTI_PATH_FD: before 7.2 */
	FAKE_SMALL_LOG = 1 << 28,	/* log_size of 16 MB and more: before 5.2 */
	FAKE_NO_OFFSETS = 1 << 29,	/* of 512 MB in an ldimm64: before 7.0; then ERANGE */
	FAKE_NO_NOP10 = 1 << 27,	/* fast uprobes use nops of five bytes, ENXIO: before 7.2 */
};
void fake_kernel_set_age(struct fake_kernel *k, unsigned int age);

#define FAKE_MISSES 7	/* for each program, whatever it does */

/*
 * fake_kernel_reject() - BPF_PROG_LOAD of the program named @name (NULL: any) fails with @code, and
 * with @log if there is a log buffer; like the verifier, with ENOSPC if that is too small. Both are
 * borrowed.
 */
void fake_kernel_reject(struct fake_kernel *k, const char *name, int code, const char *log);

/* fake_kernel_relent() - Reject only the next @n loads. */
void fake_kernel_relent(struct fake_kernel *k, unsigned int n);

/*
 * fake_kernel_spare() - Load the smallest program of @prog_type, which has two instructions,
 * anyway.
 */
void fake_kernel_spare(struct fake_kernel *k, uint32_t prog_type);

/*
 * fake_kernel_know_btf() - BPF_BTF_LOAD accepts only these kinds (bits 1 << BTF_KIND_*) with valid
 * C names, and non-static functions only with @global_funcs. Until this is called it accepts
 * anything. fake_kernel_loaded_btf() - Return the last accepted bytes; NULL: none.
 */
void fake_kernel_know_btf(struct fake_kernel *k, uint32_t kinds, bool global_funcs);
const void *fake_kernel_loaded_btf(const struct fake_kernel *k, size_t *size);

/*
 * fake_kernel_add_btf() - Add a BTF with an id: of the kernel or the module with that name, or if
 * NULL, of a BPF object. Both are borrowed. @gone: it disappears before anybody can open it.
 */
void fake_kernel_add_btf(struct fake_kernel *k, const char *name, const void *data, size_t size,
			 bool gone);

/*
 * fake_kernel_pin() - Somebody else has pinned a map at @path. fake_kernel_race_pins() - The next
 * @n pins come too late: somebody else creates the same pin first. fake_kernel_nr_pins() - Return
 * the number of pins, including directories.
 */
struct fake_map *fake_kernel_pin(struct fake_kernel *k, const char *path,
				 const union bpf_attr *attr);
void fake_kernel_race_pins(struct fake_kernel *k, unsigned int n);
unsigned int fake_kernel_nr_pins(const struct fake_kernel *k);

/*
 * fake_kernel_pin_link() - Somebody else has created a link of @prog and pinned it at @path, which
 * is in /sys/fs/bpf; missing directories are created. Like fake_kernel_pin() otherwise.
 */
struct fake_link *fake_kernel_pin_link(struct fake_kernel *k, const char *path,
				       struct fake_prog *prog, struct fake_event *event);

/* fake_kernel_linger() - Links disappear only after this many more iterations over their ids. */
void fake_kernel_linger(struct fake_kernel *k, unsigned int walks);

/*
 * fake_kernel_query() - Set what BPF_TASK_FD_QUERY returns for descriptor @fd of process @pid:
 * @code, a positive errno; or if 0, a program on the tracing event @name (borrowed) of enum
 * bpf_task_fd_type @type.
 */
void fake_kernel_query(struct fake_kernel *k, uint32_t pid, uint32_t fd, int code, uint32_t prog_id,
		       uint32_t type, const char *name);

/*
 * fake_kernel_add_line() - Somebody has written this line to kprobe_events or uprobe_events.
 * fake_kernel_nr_lines() - Return the number of lines. fake_kernel_line() - Return the n-th line or
 * NULL. fake_kernel_keep_busy() - Removing a line that is created later fails with EBUSY this many
 * times.
 */
void fake_kernel_add_line(struct fake_kernel *k, bool uprobe, const char *text);
unsigned int fake_kernel_nr_lines(const struct fake_kernel *k);
const char *fake_kernel_line(const struct fake_kernel *k, unsigned int n);
void fake_kernel_keep_busy(struct fake_kernel *k, unsigned int tries);

/*
 * fake_kernel_refuse_probes() - Refuse probes by tracefs and by PMU with the positive errno @code,
 * except vfs_fsync by PMU, which every kernel accepts.
 */
void fake_kernel_refuse_probes(struct fake_kernel *k, int code);

/* fake_kernel_refuse_offsets() - The same, but accept those at the start of a function. */
void fake_kernel_refuse_offsets(struct fake_kernel *k, int code);

/*
 * The arguments of a kprobe.multi, uprobe.multi or fentry.multi link. fake_kernel_many() returns
 * those of the most recent link, owned by the fake kernel.
 */
struct fake_many {
	uint32_t attach_type, nr, flags, pid;
	uint64_t *at;		/* addresses, offsets, or type ids; NULL: by name */
	char **names;
	uint64_t *cookies, *ref_ctr_offsets;	/* NULL: none */
	char *path;
};
const struct fake_many *fake_kernel_many(const struct fake_kernel *k);

/* fake_kernel_refuse() - Links to a function at @at, or with name @name, fail with @code. */
void fake_kernel_refuse(struct fake_kernel *k, uint64_t at, const char *name, int code);

/* fake_kernel_signal() - @signo is pending for every signalfd that includes it. */
void fake_kernel_signal(struct fake_kernel *k, int signo);

/* fake_kernel_key() - The same for ^C on a terminal, which the child gets, too. */
void fake_kernel_key(struct fake_kernel *k);

/* fake_kernel_end_process() - Its pidfd becomes readable, and can no longer be opened. */
void fake_kernel_end_process(struct fake_kernel *k, pid_t pid);

/* The child. The next one can be created only after waiting for it. */
struct fake_child {
	int exec_error;		/* positive errno: it cannot execute the command */
	int code, status;	/* how it ends: CLD_EXITED (or 0) or CLD_KILLED, as in siginfo_t */
	bool stays;		/* it does not exit by itself */
	bool deaf;		/* it ends by SIGKILL only */
	int signalled;		/* the last signal it was sent */
	enum {
		FAKE_CHILD_NONE, FAKE_CHILD_WAITS, FAKE_CHILD_RUNS, FAKE_CHILD_ENDED,
		FAKE_CHILD_REAPED,
	} state;
};

/*
 * fake_kernel_child() - Set what happens to the child. By default it runs until the next ppoll and
 * exits with 0.
 */
void fake_kernel_child(struct fake_kernel *k, const struct fake_child *child);

/*
 * fake_kernel_sessions() - Each child after the first is a session of pload compare --profile: it
 * writes an empty line and, when the first one has ended, @messages (borrowed).
 */
void fake_kernel_sessions(struct fake_kernel *k, const char *messages);

const struct fake_child *fake_kernel_the_child(const struct fake_kernel *k);

/*
 * fake_kernel_set_cpu() - @cpu goes offline or comes online: its events are dead from then on, and
 * uevent sockets receive a message. fake_kernel_uevent() - They receive @text; if @code is
 * positive, reading fails with that errno; if negative, another process sent it, not the kernel.
 */
void fake_kernel_set_cpu(struct fake_kernel *k, int cpu, bool online);
void fake_kernel_uevent(struct fake_kernel *k, const char *text, int code);

/*
 * fake_kernel_on_poll() - @hook runs at the start of each wait, to put something into a ring or
 * send a signal. The third wait in a row without a result sends SIGINT, like a user who has waited
 * long enough. Time plays no role.
 */
void fake_kernel_on_poll(struct fake_kernel *k, void (*hook)(struct fake_kernel *k, void *arg),
			 void *arg);

/* --- what happened: calls, signals, the ledger --- */

struct fake_call {
	long nr;
	const char *name;	/* "openat", "BPF_MAP_CREATE", "PERF_EVENT_IOC_SET_BPF" */
	long ret;
};

/* Calls since the start; [0, fake_kernel_nr_calls()). */
unsigned int fake_kernel_nr_calls(const struct fake_kernel *k);
const struct fake_call *fake_kernel_call(const struct fake_kernel *k, unsigned int i);
unsigned int fake_kernel_count(const struct fake_kernel *k, const char *name);

/*
 * The number of open descriptors and mappings; the number of broken rules. Nonzero numbers are
 * printed to @out.
 */
int fake_kernel_leaks(const struct fake_kernel *k, FILE *out);
int fake_kernel_violations(const struct fake_kernel *k, FILE *out);

/* --- its objects; kept until fake_kernel_free(), even if closed --- */

struct fake_map {
	union bpf_attr attr;	/* as it was created */
	uint32_t id;
	uint32_t btf_id;	/* of attr.btf_fd */
	bool frozen;
	uint32_t stride;	/* bytes per value; for a per-CPU map, of all possible CPUs */
	uint32_t nr;		/* elements in it */
	uint32_t room;
	unsigned char *keys;	/* nr of attr.key_size; NULL for arrays */
	unsigned char *values;	/* nr of stride; page-aligned for arrays, since it may be mapped */
	unsigned char *consumer, *producer;	/* RINGBUF: the current mapping */
	struct fake_prog *sockets_prog;	/* SOCKMAP, SOCKHASH: attached without a link */
};

struct fake_prog {
	union bpf_attr attr;	/* its pointers are no longer valid */
	uint32_t id;
	uint32_t btf_id;	/* of attr.prog_btf_fd */
	struct bpf_insn *insns;	/* attr.insn_cnt of them */
	void *func_info, *line_info;
	char license[128];
	uint64_t run_cnt, run_time_ns;	/* 0; for the test to set */
	uint32_t retval;	/* for BPF_PROG_TEST_RUN; set by the test */
};

/* @event NULL: the target is not an event. Gone when the last descriptor and pin are gone. */
struct fake_link {
	uint32_t id;
	struct fake_prog *prog;
	struct fake_event *event;
	uint64_t cookie;
	bool gone;
	unsigned int lingers;	/* without a holder, it is still in this many iterations */
};

struct fake_event {
	struct perf_event_attr attr;
	char probed[256];	/* the string that kprobe_func or uprobe_path points to */
	int pid, cpu;
	uint64_t id;
	bool open, enabled;
	struct fake_event *leader;	/* the leader of its group; NULL: itself */
	bool dead;		/* its CPU has gone since */
	struct fake_prog *prog;	/* bound to it now */
	uint64_t cookie;	/* of the link */
	uint64_t value;		/* what read(2) returns; set by the test */
	bool ended;		/* read(2) returns 0: it is pinned, and has lost its counter */
	bool shared;		/* its times are the next two members, not @value */
	uint64_t enabled_ns, running_ns;
	struct perf_event_mmap_page *ring;	/* what is mapped now */
	size_t ring_size;	/* of the data */
};

/* The last one created with that name (truncated to 15 bytes, as in the kernel), or NULL. */
struct fake_map *fake_kernel_map(struct fake_kernel *k, const char *name);
struct fake_prog *fake_kernel_prog(struct fake_kernel *k, const char *name);

/* In the order in which they were created or opened; NULL after the last. */
struct fake_link *fake_kernel_link(struct fake_kernel *k, unsigned int i);
struct fake_event *fake_kernel_event(struct fake_kernel *k, unsigned int i);

/*
 * fake_map_put() - Do what a program would do. @value has stride bytes. -E2BIG if the map is full.
 * fake_map_value() - Return the value of @key, or NULL.
 */
int fake_map_put(struct fake_map *map, const void *key, const void *value);
unsigned char *fake_map_value(struct fake_map *map, const void *key);

/* Like bpf_ringbuf_output() and bpf_perf_event_output(). false: the ring is full or not mapped. */
bool fake_ringbuf_push(struct fake_map *map, const void *data, uint32_t size);
bool fake_perf_push(struct fake_event *event, const void *data, uint32_t size);

/* fake_perf_push_lost() - Write a PERF_RECORD_LOST for @lost records. */
bool fake_perf_push_lost(struct fake_event *event, uint64_t lost);

#endif
