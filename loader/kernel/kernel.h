/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One function for each bpf(2) command that pload needs, with the older form an older kernel takes.
 */
#ifndef PLOAD_KERNEL_KERNEL_H
#define PLOAD_KERNEL_KERNEL_H

#include "loader/object/relocate.h"
#include "loader/sys/sys.h"

/*
 * --- map elements: bpf(2) BPF_MAP_*_ELEM; @key and @value have the map's sizes. Return 0 or -errno
 * ---
 */

int map_lookup(struct sys *sys, int fd, const void *key, void *value);
int map_update(struct sys *sys, int fd, const void *key, const void *value, uint64_t flags);

/* Into @err, which has been set, an update with BPF_ANY as it was made and answered with @code. */
int map_update_call(struct error *err, int fd, const void *key, const void *value, int code);


/* map_next_key() - @key NULL: the first one. -ENOENT after the last. */
int map_next_key(struct sys *sys, int fd, const void *key, void *next);

/*
 * map_lookup_batch() - up to *@count elements; @in: NULL to begin, else what the call before put
 * into @out (the larger of 4 bytes and key_size). *@count becomes how many there are. -ENOENT:
 * these were the last. -EINVAL and 524: the kernel or map type knows no batches. Linux 5.6.
 */
int map_lookup_batch(struct sys *sys, int fd, const void *in, void *out, void *keys, void *values,
		     uint32_t *count);

/*
 * map_update_batch() - put @count elements, keys and values each in a row. On failure some of them
 * may be there. -EINVAL and 524 as above.
 */
int map_update_batch(struct sys *sys, int fd, const void *keys, const void *values, uint32_t count);

/* --- an object in the kernel --- */

struct kernel_map {
	int fd;			/* owned */
	uint32_t key_size, value_size, max_entries, map_flags;	/* as created */
	char *pin_path;		/* owned; NULL: not pinned */
	bool reused;		/* it was pinned there before, by others */
	bool pin_is_ours;		/* by us, and removed with us unless kernel_keep_pins() says
				 * otherwise */
};

/* What a program is loaded for, where the kernel wants to know it by a BTF id. */
struct prog_target {
	uint32_t btf_id;	/* attach_btf_id; 0: nothing */
	int btf_fd;		/* borrowed; of the module's BTF that has it, or of the BPF
				 * program; 0: vmlinux */
	uint32_t attach_type;	/* expected_attach_type: of a struct's function the number of its
				 * member */
};

/*
 * What a program may be loaded without, where a kernel does not take it, and is the same program.
 */
enum kernel_without {
	WITHOUT_BTF = 1 << 0,	/* func_info and line_info: Linux 5.0 */
	WITHOUT_FRAGS = 1 << 1,	/* BPF_F_XDP_HAS_FRAGS: 5.18 */
	WITHOUT_ATTACH_TYPE = 1 << 2,	/* 4.17 */
	WITHOUT_NAME = 1 << 3,	/* 4.15 */
};

struct kernel_prog {
	int fd;			/* owned; -1 when not loaded */
	unsigned int without;	/* enum kernel_without */
	struct prog_target target;	/* to be set before kernel_load_prog() */
	uint64_t run_cnt;	/* filled by kernel_count_runs() */
	uint64_t run_time_ns;
	bool has_misses;	/* Linux 5.12; the next is 0 without it */
	uint64_t recursion_misses;	/* it was due while its CPU was in a program, and not run */
};

struct kernel_object {
	const struct bpf_object *object;	/* borrowed */
	int btf_fd;		/* owned; -1 without BTF */
	int untagged_btf_fd;	/* owned; the same with fewer global functions, for older
				 * kernels; -1: not needed */
	bool untagged_btf_tried;	/* it was tried, or there is nothing to it */
	struct kernel_map *maps;	/* owned; as many as the object has, in its order */
	struct kernel_prog *progs;	/* owned; likewise */
	int stats_fd;		/* owned; run statistics are on while it is open */
	const char *btf_refused;	/* why there is no BTF though the object has some; NULL
					 * otherwise. Static */
	bool btf_for_maps;	/* BTF is in a form that has no functions in it: programs go
				 * without */
	bool raised_memlock;	/* remembered: RLIMIT_MEMLOCK was raised for a kernel that
				 * charges it (before 5.11) */
};

/* What a STRUCT_OPS map is created with; loader/struct_ops finds it. */
struct ops_map {
	uint32_t value_type;	/* type id of the kernel's struct bpf_struct_ops_NAME; 0: make no
				 * such map */
	uint32_t value_size;
	int btf_fd;		/* as in prog_target */
};

struct map_options {
	unsigned int nr_possible_cpus;	/* for a PERF_EVENT_ARRAY that leaves max_entries 0 */
	const char *pin_dir;	/* where maps are pinned by name; NULL: /sys/fs/bpf */
	const struct ops_map *ops;	/* one for each map; NULL when none is STRUCT_OPS */
};

/*
 * kernel_load_maps() - BTF, then every map of @object; data maps filled, and frozen when read-only;
 * maps of maps with the inner maps they begin with. What is to be pinned is taken from its pin when
 * there is one like it, with what is in it. Fails with the kernel's errno, where "map 'x'", and the
 * cause decoded; EEXIST for a pin that is not like it. On failure call kernel_unload().
 */
int kernel_load_maps(struct sys *sys, const struct bpf_object *object, const struct map_options *o,
		     struct kernel_object *k, struct error *err);

/*
 * kernel_pin() - BPF_OBJ_PIN: let @fd, a map, program or link, be at @path in bpffs. 0 or -errno.
 */
int kernel_pin(struct sys *sys, int fd, const char *path);

/* kernel_obj_get() - BPF_OBJ_GET: a descriptor of what is pinned at @path, owned; or -errno. */
int kernel_obj_get(struct sys *sys, const char *path);

/* Into @err, which has been set, those two calls as they were made and answered with @code. */
int kernel_pin_call(struct error *err, int fd, const char *path, int code);
int kernel_obj_get_call(struct error *err, const char *path, int code);

/*
 * kernel_keep_pins() - from here on what has been pinned stays, whatever happens: to be called when
 * nothing can be refused any more.
 */
void kernel_keep_pins(struct kernel_object *k);

/*
 * kernel_fill_prog_arrays() - put the programs that program arrays begin with into them, once the
 * programs are loaded. A slot whose program was not loaded stays empty. "map 'x': slot 2, 'prog'".
 */
int kernel_fill_prog_arrays(struct sys *sys, const struct kernel_object *k, struct error *err);

/* kernel_map_fds() - the fds in the object's order; @fds has nr_maps places. Borrowed fds. */
void kernel_map_fds(const struct kernel_object *k, int *fds);

/*
 * kernel_load_prog() - give linked code of program @prog to the verifier. Only when it refuses is
 * the load done again with a log, which ends up in err->log; the errno is that of the first
 * refusal. "prog 'x'".
 */
int kernel_load_prog(struct sys *sys, struct kernel_object *k, uint32_t prog,
		     const struct prog_code *code, struct error *err);

/*
 * kernel_start_counting() - BPF_ENABLE_STATS (Linux 5.8): -errno when the kernel does not do it;
 * then run_cnt stays 0.
 */
int kernel_start_counting(struct sys *sys, struct kernel_object *k);

/*
 * kernel_fd_info() - what the kernel says of the program, map, link or BTF @fd: into @info, whose
 * fields that are asked for are set, of *@len bytes; *@len becomes what this kernel has of them.
 * 0 or -errno.
 */
int kernel_fd_info(struct sys *sys, int fd, void *info, uint32_t *len);

/*
 * kernel_btf_bytes() - the first @size bytes of the BTF @fd, into *@data (malloc'ed, also on
 * failure). The kernel's errno, EFBIG or ENOMEM.
 */
int kernel_btf_bytes(struct sys *sys, int fd, uint32_t size, unsigned char **data,
		     struct error *err);

/* kernel_prog_info() - what the kernel says of program @fd. 0 or -errno. */
int kernel_prog_info(struct sys *sys, int fd, struct bpf_prog_info *info);

/* kernel_count_runs() - read what is counted of each loaded program: runs, time and misses. */
int kernel_count_runs(struct sys *sys, struct kernel_object *k, struct error *err);

/* --- what is in the kernel already, whoever has put it there --- */

/*
 * kernel_next_id() - by BPF_PROG_GET_NEXT_ID, BPF_LINK_GET_NEXT_ID ... (@cmd): the lowest id above
 * *@id, into it. 0 or -errno: -ENOENT behind the last; -EPERM without CAP_SYS_ADMIN; -EINVAL when
 * the kernel does not know @cmd (of links before Linux 5.8).
 * kernel_fd_by_id() - by BPF_PROG_GET_FD_BY_ID ...: a descriptor (owned) of what has @id, or
 * -errno; -ENOENT: it has gone, as it may at any time, or is only being made.
 */
int kernel_next_id(struct sys *sys, int cmd, uint32_t *id);
int kernel_fd_by_id(struct sys *sys, int cmd, uint32_t id);

/*
 * kernel_link_detach() - BPF_LINK_DETACH: the link @fd stays and binds nothing any more. 0 or
 * -errno: -EOPNOTSUPP for types of links that only end when nobody holds them.
 */
int kernel_link_detach(struct sys *sys, int fd);

/* What a descriptor of a process is, when it runs a program for a tracing event. */
struct task_fd_info {
	uint32_t prog_id;
	uint32_t fd_type;	/* BPF_FD_TYPE_* */
	char name[512];		/* tracepoint, function or file; cut when longer */
	uint64_t offset, addr;	/* of a probe */
};

/*
 * kernel_task_fd_query() - BPF_TASK_FD_QUERY about descriptor @fd of process @pid. 0; -ENOSPC:
 * likewise, and the name is cut; -ENOENT: it has no program, or it is gone; -EOPNOTSUPP: it has one
 * and is no tracing event; 524: it is neither event nor raw tracepoint; -EPERM without
 * CAP_SYS_ADMIN.
 */
int kernel_task_fd_query(struct sys *sys, pid_t pid, int fd, struct task_fd_info *info);

/* What a program is run over. */
struct test_input {
	const void *data;	/* a packet; NULL: the type takes none */
	uint32_t size;
	void *ctx;		/* the context of types that are given one, read and written; or
				 * NULL */
	uint32_t ctx_size;
	uint32_t repeat;	/* 0: once, which is all that types without a packet take */
};

/*
 * kernel_test_run() - BPF_PROG_TEST_RUN. Returns 0 with *@retval (what the program returned last)
 * or -errno.
 */
int kernel_test_run(struct sys *sys, const struct kernel_object *k, uint32_t prog,
		    const struct test_input *in, uint32_t *retval, struct error *err);

/* kernel_unload() - give everything back, last made first. Takes a zeroed or half-filled @k too. */
void kernel_unload(struct sys *sys, struct kernel_object *k);

#endif
