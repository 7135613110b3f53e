/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of the fake kernel. */
#ifndef PLOAD_TEST_FAULT_FAKE_KERNEL_PARTS_H
#define PLOAD_TEST_FAULT_FAKE_KERNEL_PARTS_H

#include <sys/epoll.h>
#include <unistd.h>

#include "loader/observe/simulated/simulated.h"
#include "test/fault/fake_kernel.h"

#define FAKE_PAGE ((unsigned int)sysconf(_SC_PAGESIZE))	/* calls also made by the code under test */
#define FAKE_POSSIBLE_CPUS 4
#define FAKE_ONLINE_CPUS 0x3	/* a bit for each, at first */
#define FAKE_ENOTSUPP 524
#define FAKE_MAX_FDS 256
#define FAKE_KPROBE_TYPE 8	/* as the built-in files number their PMUs */
#define FAKE_UPROBE_TYPE 9

struct fake_fd {
	enum sim_kind kind;		/* first */
	unsigned int made;		/* by this call */
	char path[256];			/* FILE, DIR; FS: its type */
	const struct fake_path *file;	/* FILE */
	size_t pos;			/* FILE, DIR; PIPE: which one; SOCKET: the next message */
	bool writes;			/* PIPE: the write end */
	struct fake_map *map;
	struct fake_prog *prog;		/* PROG */
	struct fake_link *link;		/* LINK */
	struct fake_event *event;	/* EVENT */
	uint64_t signals;		/* SOCKET: groups */
	pid_t pid;			/* PIDFD */
	uint32_t id;			/* BTF, LINES; SOCKET: 1 for uevents; PIPE: bytes read */
	int epoll_fd;			/* the set that contains it; 0: none */
	struct epoll_event epoll;	/* ... and how */
};

struct fake_btf {
	const char *name;		/* NULL: of a BPF object */
	const void *data;
	size_t size;
	uint32_t id;
	bool gone;
	void *loaded;			/* owned; @data of BPF_BTF_LOAD */
};

/* A message received by sockets of NETLINK_KOBJECT_UEVENT. */
struct fake_uevent {
	int code;	/* positive: an errno instead; negative: another process sent it */
	char text[128];
};

/* A line of kprobe_events (file 0) or uprobe_events (1). */
struct fake_line {
	unsigned int file, id, busy;	/* busy: how often removing it fails with EBUSY */
	bool gone;
	char name[128];			/* "GROUP/NAME" */
	char text[4096];
	char id_text[16];
	struct fake_path id_file;	/* events/GROUP/NAME/id */
};

struct fake_mapping {
	unsigned char *addr;
	size_t len;
	bool owned;			/* freed when it is unmapped */
	unsigned int made;
	struct fake_map *map;		/* whose ring it is, or ... */
	struct fake_event *event;
};

struct fake_kernel {
	struct sys sys;			/* first: struct sys is converted back to it */
	const struct fake_path *paths;
	struct sim_fds fds;		/* of struct fake_fd; owned */
	struct fake_mapping *mappings;
	unsigned int nr_mappings;
	struct fake_map **maps;		/* owned, as the following */
	unsigned int nr_maps;
	struct fake_prog **progs;
	unsigned int nr_progs;
	struct fake_event **events;
	unsigned int nr_events;
	struct fake_link **links;
	unsigned int nr_links;
	unsigned int linger;		/* how often a link without a holder is still found */
	struct fake_query *queries;
	unsigned int nr_queries;
	struct fake_line **lines;
	unsigned int nr_lines;
	unsigned int busy_lines;	/* the value of busy for new lines */
	int probe_code;			/* with which probes are refused; 0: they are not */
	bool takes_beginnings;		/* those at the start of a function are accepted anyway */
	struct fake_btf *btfs;		/* ascending by id */
	unsigned int nr_btfs;
	uint32_t btf_kinds;		/* known kinds; 0: BTF is not checked */
	bool btf_global_funcs;
	uint32_t last_id;
	struct fake_pin {
		char path[256];
		struct fake_map *map;	/* at most one of these three */
		struct fake_prog *prog;
		struct fake_link *link;
		bool directory;
		char *text;		/* owned; the target of a symbolic link */
	} *pins;			/* owned */
	unsigned int nr_pins;
	unsigned int races;		/* pins that somebody else creates first */

	struct fake_call *calls;
	unsigned int nr_calls;
	char **violations;
	unsigned int nr_violations;

	struct fake_many many;		/* owned; nr 0: there was none */
	struct {
		uint64_t at;
		const char *name;
		int code;
	} refused[32];
	unsigned int nr_refused;

	uint32_t cpus;			/* a bit per online CPU */
	char online_text[32];
	struct fake_path online_file;	/* has that text */
	struct fake_uevent *uevents;	/* owned */
	unsigned int nr_uevents;

	unsigned int age;
	unsigned int fail_at;		/* index of the call; 0: none, 1: the first of all */
	int fail_code;
	const char *reject_name, *reject_log;
	int reject_code;
	unsigned int rejects;	/* loads to come */
	uint32_t spares;		/* the smallest program of this type; 0: none */
	uint64_t memlock[2];
	uint64_t pending;		/* signals */
	bool from_terminal;		/* the SIGINT among them */
	struct fake_child child;
	unsigned int nr_pipes;
	const char *messages;		/* of each session; NULL: none */
	unsigned int nr_sessions;
	pid_t ended;			/* the process that ended last; 0: none */
	unsigned int empty_polls;
	void (*poll_hook)(struct fake_kernel *k, void *arg);
	void *poll_arg;
};

/*
 * fake_grow() - Return @array with room for one more element of @size, zeroed; aborts if out of
 * memory.
 */
void *fake_grow(void *array, unsigned int nr, size_t size);
void *fake_alloc(size_t size);	/* page-aligned, zeroed, never NULL */

/* fake_fd_new() - sim_fd_new(), and record the call in the ledger. */
int fake_fd_new(struct fake_kernel *k, enum sim_kind kind, struct fake_fd **fd);

void fake_violation(struct fake_kernel *k, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* fake_map_memory() - Enter @addr into the ledger of mappings. Return the address, like mmap. */
long fake_map_memory(struct fake_kernel *k, const struct fake_mapping *mapping);

int fake_bind(struct fake_kernel *k, struct fake_event *event, struct fake_prog *prog,
	      uint64_t cookie);

/* fake_open_lines() - Open a file about probes in tracefs; 0: @path is not one. */
long fake_open_lines(struct fake_kernel *k, const char *path, int flags);
long fake_read_lines(struct fake_kernel *k, struct fake_fd *fd, char *buf, size_t size);
long fake_write(struct fake_kernel *k, const unsigned long arg[6]);
bool fake_is_probe(const struct fake_kernel *k, const struct perf_event_attr *attr);
bool fake_too_old(const struct fake_kernel *k, unsigned int age);

/* The answer that the test has set for BPF_TASK_FD_QUERY of another process's descriptor. */
struct fake_query {
	uint32_t pid, fd;
	int code;			/* positive errno, or ... */
	uint32_t prog_id, type;
	const char *name;
	uint64_t offset, addr;
};

/* fake_link_new() - Return a link without a descriptor; @event may be NULL. */
struct fake_link *fake_link_new(struct fake_kernel *k, struct fake_prog *prog,
				struct fake_event *event);

/*
 * fake_links_released() - A descriptor or pin is gone: release the links of which it was the last
 * holder.
 */
void fake_links_released(struct fake_kernel *k);

long fake_link_next_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_link_by_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_link_detach(struct fake_kernel *k, union bpf_attr *attr);
int fake_link_info(const struct fake_link *link, struct bpf_link_info *info);
long fake_prog_next_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_prog_by_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_next_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_by_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_task_fd_query(struct fake_kernel *k, union bpf_attr *attr);

long fake_btf_load(struct fake_kernel *k, union bpf_attr *attr);
long fake_btf_next_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_btf_by_id(struct fake_kernel *k, union bpf_attr *attr);
long fake_btf_info(struct fake_kernel *k, const struct fake_fd *fd, union bpf_attr *attr);
long fake_openat(struct fake_kernel *k, const unsigned long arg[6]);
long fake_read_file(struct fake_fd *fd, void *buf, size_t size);
long fake_read_at(const struct fake_fd *fd, void *buf, size_t size, size_t off);
long fake_getdents64(struct fake_kernel *k, const unsigned long arg[6]);
long fake_fstat(struct fake_kernel *k, const unsigned long arg[6]);
long fake_bpf(struct fake_kernel *k, const unsigned long arg[6]);
long fake_perf_event_open(struct fake_kernel *k, const unsigned long arg[6]);
long fake_ioctl(struct fake_kernel *k, const unsigned long arg[6]);
long fake_perf_mmap(struct fake_kernel *k, struct fake_event *event, const unsigned long arg[6]);
/* The child and its pipes. */
long fake_clone(struct fake_kernel *k, const unsigned long arg[6]);
long fake_pipe2(struct fake_kernel *k, const unsigned long arg[6]);
long fake_waitid(struct fake_kernel *k, const unsigned long arg[6]);
long fake_kill(struct fake_kernel *k, const unsigned long arg[6]);
void fake_pipe_close(struct fake_kernel *k, const struct fake_fd *fd);
long fake_pipe_write(struct fake_kernel *k, const struct fake_fd *fd, size_t size);
long fake_pipe_read(struct fake_kernel *k, struct fake_fd *fd, void *buf, size_t size);
bool fake_pipe_ready(const struct fake_kernel *k, const struct fake_fd *fd);
void fake_child_runs(struct fake_kernel *k);
bool fake_child_ready(const struct fake_kernel *k, pid_t pid);

/*
 * CPUs, and the sockets that are notified of changes. fake_cpu_file() - Return the list if @path is
 * its file, or NULL.
 */
bool fake_cpu_online(const struct fake_kernel *k, int cpu);
const struct fake_path *fake_cpu_file(struct fake_kernel *k, const char *path);
bool fake_uevent_ready(const struct fake_kernel *k, const struct fake_fd *fd);
long fake_socket(struct fake_kernel *k, const unsigned long arg[6]);
long fake_bind_socket(struct fake_kernel *k, const unsigned long arg[6]);
long fake_recvfrom(struct fake_kernel *k, const unsigned long arg[6]);

long fake_read_event(const struct fake_event *event, void *buf, size_t size);
bool fake_event_ready(const struct fake_event *event);

/* fake_map_new() - Return a map as described by @attr, without a descriptor. */
struct fake_map *fake_map_new(struct fake_kernel *k, const union bpf_attr *attr);
long fake_obj_pin(struct fake_kernel *k, union bpf_attr *attr);
long fake_obj_get(struct fake_kernel *k, union bpf_attr *attr);
long fake_mkdirat(struct fake_kernel *k, const unsigned long arg[6]);
long fake_unlinkat(struct fake_kernel *k, const unsigned long arg[6]);
long fake_symlinkat(struct fake_kernel *k, const unsigned long arg[6]);
long fake_readlinkat(struct fake_kernel *k, const unsigned long arg[6]);

/* fake_pins_has() - Return true if anything is pinned at @path. */
bool fake_pins_has(struct fake_kernel *k, const char *path);

/*
 * fake_pins_dir() - Return true if @path is a directory in bpffs.
 * fake_pins_entry() - Return the name of its entry @i, or NULL.
 */
bool fake_pins_dir(struct fake_kernel *k, const char *path);
const char *fake_pins_entry(const struct fake_kernel *k, const char *dir, unsigned int i);

/* fake_path_link() - Return the target of the test's symbolic link @path; NULL: there is none. */
const char *fake_path_link(const struct fake_kernel *k, const char *path);
long fake_statfs(struct fake_kernel *k, const unsigned long arg[6]);

/*
 * Programs for the sockets in a map. fake_link_sockets() only reports whether a link may be
 * created.
 */
int fake_link_sockets(struct fake_kernel *k, const union bpf_attr *attr);

/*
 * fake_link_many() - 1: it is a link to many functions, and is kept; 0: it is another link; or
 * -errno.
 */
int fake_link_many(struct fake_kernel *k, const union bpf_attr *attr);
void fake_many_free(struct fake_many *many);
long fake_prog_attach(struct fake_kernel *k, union bpf_attr *attr);
long fake_prog_detach(struct fake_kernel *k, union bpf_attr *attr);
long fake_prog_query(struct fake_kernel *k, union bpf_attr *attr);

/* The map commands; the attr is the whole union. */
long fake_map_create(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_lookup(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_update(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_delete(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_next_key(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_batch(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_update_batch(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_freeze(struct fake_kernel *k, union bpf_attr *attr);
long fake_map_mmap(struct fake_kernel *k, struct fake_map *map, const unsigned long arg[6]);
bool fake_ringbuf_ready(const struct fake_map *map);

#endif
