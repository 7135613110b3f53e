/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A function for each bpf(2) command that pload uses. Older kernels get the form they know. See
 * include/uapi/linux/bpf.h and kernel/bpf/syscall.c.
 */
#ifndef PLOAD_CORE_KERNEL_KERNEL_H
#define PLOAD_CORE_KERNEL_KERNEL_H

#include "loader/core/object/relocate.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/sys.h"

/* --- map elements: BPF_MAP_*_ELEM. Return: 0 or -errno --- */

/*
 * map_lookup() - Copy the value of @key to @value. A per-CPU map has a value for each possible CPU,
 * online or not, and the kernel writes them all, each padded to a multiple of 8 bytes. map_update()
 * reads the same number.
 */
int map_lookup(struct sys *sys, int fd, const void *key, void *value);
int map_update(struct sys *sys, int fd, const void *key, const void *value, uint64_t flags);

/*
 * map_update_call() - Add to @err, which is set, the map_update() call with BPF_ANY that failed
 * with @code.
 */
int map_update_call(struct error *err, int fd, const void *key, const void *value, int code);

/*
 * map_next_key() - Return the key after @key, or the first one if @key is NULL; -ENOENT at the end.
 */
int map_next_key(struct sys *sys, int fd, const void *key, void *next);

/* --- an object in the kernel --- */

/* Attributes that the kernel may not know: a map is then created without them. */
enum map_without {
	MAP_WITHOUT_MMAPABLE = 1 << 0,	/* BPF_F_MMAPABLE, for data: Linux 5.5 */
	MAP_WITHOUT_FREEZE = 1 << 1,	/* BPF_MAP_FREEZE, for read-only data: 5.2 */
	MAP_WITHOUT_BTF = 1 << 2,	/* BTF types of key and value: 4.18 */
	MAP_WITHOUT_NAME = 1 << 3,	/* names: 4.15; with a dot: 5.3 */
};

struct kernel_map {
	int fd;			/* owned */
	uint32_t key_size, value_size, max_entries, map_flags;	/* as created */
	unsigned int without;	/* enum map_without */
	uint64_t data_at;	/* ARENA: offset of the object's variables */
	char *pin_path;		/* owned; NULL: not pinned */
	bool reused;		/* created and pinned by another session */
	bool pin_is_ours;	/* pinned by this session, which removes the pin unless
					 * kernel_keep_pins() is called */
};

/**
 * map_least() - Return the attributes of the smallest map of @type; fd is -1. (map_types.c)
 * map_needs_btf() - Return true if the key and value of maps of @type must have BTF types.
 */
struct kernel_map map_least(uint32_t type);
bool map_needs_btf(uint32_t type);

/* The attach target of a program whose BTF id the kernel must know at load time. */
struct prog_target {
	uint32_t btf_id;	/* attach_btf_id; 0: none */
	int btf_fd;		/* borrowed; the BTF of the module, or the BPF program, that has
				 * it; 0: vmlinux */
	uint32_t attach_type;	/* expected_attach_type; in a struct_ops: index of the member */
};

/* Attributes that can be omitted if the kernel does not know them; the program stays the same. */
enum kernel_without {
	WITHOUT_BTF = 1 << 0,	/* func_info and line_info: Linux 5.0 */
	WITHOUT_FRAGS = 1 << 1,	/* BPF_F_XDP_HAS_FRAGS: 5.18 */
	WITHOUT_ATTACH_TYPE = 1 << 2,	/* 4.17 */
	WITHOUT_NAME = 1 << 3,	/* 4.15 */
	WITHOUT_RODATA = 1 << 4,	/* binding read-only data to it; any kernel */
	WITHOUT_TAGS = 1 << 5,	/* argument tags of global functions: 6.8 */
	WITHOUT_RECORDS = 1 << 6,	/* func_info or line_info, which the object lacks for
					 * some of its functions */
};

struct kernel_prog {
	int fd;			/* owned; -1: not loaded */
	unsigned int without;	/* enum kernel_without */
	struct prog_target target;	/* set by the caller before kernel_verify_prog() */
	uint64_t run_cnt;	/* filled by kernel_count_runs() */
	uint64_t run_time_ns;
	bool has_misses;	/* the kernel has recursion_misses (Linux 5.12) */
	uint64_t recursion_misses;	/* runs that were skipped because the CPU was already
					 * running a program */
};

struct kernel_object {
	const struct bpf_object *object;	/* borrowed */
	int btf_fd;		/* owned; -1: no BTF */
	int untagged_btf_fd;	/* owned; BTF with fewer global functions, for older kernels; -1:
				 * not needed */
	bool untagged_btf_tried;	/* loading the BTF was attempted */
	struct kernel_map *maps;	/* owned; in object order */
	struct kernel_prog *progs;	/* owned; likewise */
	int stats_fd;		/* owned; run statistics are enabled while it is open */
	char *btf_refused;	/* owned; why the kernel refused the BTF, else NULL */
	bool btf_for_maps;	/* the BTF has no functions: programs are loaded without it */
	unsigned int btf_steps;	/* 1 << step for each btf_compat_next() step applied */
	bool binds_no_maps;	/* the kernel has no BPF_PROG_BIND_MAP (before 5.10) */
	uint32_t first_rodata;	/* maps before this one have no read-only data, as far as is
				 * known */
	bool raised_memlock;	/* RLIMIT_MEMLOCK was raised, for a kernel before 5.11 */
	struct fd_limit room;	/* RLIMIT_NOFILE, if it was raised */
};

/* The attributes of a STRUCT_OPS map, set by objects/struct_ops. */
struct ops_map {
	uint32_t value_type;	/* type id of the kernel's struct bpf_struct_ops_NAME; 0: do not
				 * create the map */
	uint32_t value_size;
	int btf_fd;		/* see prog_target */
};

struct map_options {
	unsigned int nr_possible_cpus;	/* for a PERF_EVENT_ARRAY with max_entries 0 */
	const char *pin_dir;	/* directory of maps pinned by name; NULL: /sys/fs/bpf */
	const struct ops_map *ops;	/* borrowed; by map; NULL: no map is STRUCT_OPS */
};

/**
 * kernel_load_maps() - Load the BTF of @object and create its maps.
 *
 * Fills data maps, freezes read-only ones, and gives maps of maps their initial inner maps. If a
 * map is already pinned, opens the pinned map with its contents, provided that it matches the
 * declaration in @object. Return: 0, -EEXIST (the pinned map differs) or the kernel's errno,
 * explained, with the context "map 'x'". Call kernel_unload() in any case.
 */
int kernel_load_maps(struct sys *sys, const struct bpf_object *object, const struct map_options *o,
		     struct kernel_object *k, struct error *err);

/*
 * kernel_pin() - BPF_OBJ_PIN: pin @fd, a map, program or link, at @path in bpffs. Return: 0 or
 * -errno.
 */
int kernel_pin(struct sys *sys, int fd, const char *path);

/*
 * kernel_obj_get() - BPF_OBJ_GET: open the pin at @path. Return: descriptor, owned by the caller,
 * or -errno.
 */
int kernel_obj_get(struct sys *sys, const char *path);

/* Add to @err, which is set, the call of one of these two that failed with @code. */
int kernel_pin_call(struct error *err, int fd, const char *path, int code);
int kernel_obj_get_call(struct error *err, const char *path, int code);

/* kernel_keep_pins() - Keep the pins of this session. Called once nothing can fail any more. */
void kernel_keep_pins(struct kernel_object *k);

/*
 * kernel_fill_prog_arrays() - Put the initial programs into program arrays, after loading. The slot
 * of a program that was not loaded stays empty. The context is "map 'x': slot 2, 'prog'".
 */
int kernel_fill_prog_arrays(struct sys *sys, const struct kernel_object *k, struct error *err);

/*
 * kernel_map_fds() - Copy the map descriptors (borrowed) to @fds, which has nr_maps elements, and
 * the locations of arena variables to @object, which must be the loaded one. relocate() needs both.
 */
void kernel_map_fds(const struct kernel_object *k, struct bpf_object *object, int *fds);

/**
 * kernel_load_jump_tables() - Create the jump table maps of @code, which owns them.
 *
 * Call it before kernel_verify_prog(), and kernel_close_jump_tables() afterwards, even on failure:
 * the program holds its own references. Return: 0 or -errno, "map-create/...".
 */
int kernel_load_jump_tables(struct sys *sys, struct prog_code *code, struct error *err);
void kernel_close_jump_tables(struct sys *sys, struct prog_code *code);

/**
 * kernel_verify_prog() - BPF_PROG_LOAD: pass a linked program to the verifier.
 * @prog: index of the program; its target is set
 *
 * If the kernel refuses it, it is loaded again to get the verifier log (err->log). Return: 0, or
 * the errno of the first attempt, explained, with the context "prog 'x'".
 */
int kernel_verify_prog(struct sys *sys, struct kernel_object *k, uint32_t prog,
		     const struct prog_code *code, struct error *err);

/*
 * kernel_start_counting() - BPF_ENABLE_STATS (Linux 5.8): count program runs. Return: 0, or -errno,
 * in which case run_cnt stays 0.
 */
int kernel_start_counting(struct sys *sys, struct kernel_object *k);

/**
 * kernel_fd_info() - BPF_OBJ_GET_INFO_BY_FD: query a program, map, link or BTF.
 * @info: a struct bpf_*_info whose request fields are set
 * @len: its size; set to the number of bytes the kernel filled in
 *
 * Return: 0 or -errno.
 */
int kernel_fd_info(struct sys *sys, int fd, void *info, uint32_t *len);

/* kernel_count_runs() - Read the run count, run time and misses of each loaded program. */
int kernel_count_runs(struct sys *sys, struct kernel_object *k, struct error *err);

/* kernel_unload() - Close everything in reverse order. @k may be zeroed or partly filled. */
void kernel_unload(struct sys *sys, struct kernel_object *k);

#endif
