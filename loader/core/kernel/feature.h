/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A feature's hooks for creating maps and loading programs, and the failures that occur there. */
#ifndef PLOAD_CORE_KERNEL_FEATURE_H
#define PLOAD_CORE_KERNEL_FEATURE_H

#include "loader/core/kernel/steps.h"
#include "loader/core/sys/tables.h"

/*
 * NULL: no hook. The older_*() hooks get the error @code of a refused call and try another form of
 * the call. They return a descriptor, or @code if they have no other form.
 */
struct kernel_feature {
	/* Repeat BPF_BTF_LOAD with only the kinds of types that older kernels know. */
	int (*older_btf)(struct sys *sys, struct kernel_object *k, int code);
	/* Repeat BPF_MAP_CREATE with fewer attributes; set MAP_WITHOUT_* in @without. */
	int (*older_map)(struct sys *sys, const struct object_map *map, union bpf_attr *attr,
			 unsigned int *without, int code);
	/* Repeat BPF_PROG_LOAD. @log: the verifier's; NULL: the verifier did not run. */
	int (*older_prog)(struct prog_load *load, const char *log, int code);
	/* Called after the program was loaded. */
	void (*loaded)(struct sys *sys, struct kernel_object *k, uint32_t prog,
		       const struct prog_code *code);
	/* Return how maps of @type are created; NULL: like most maps. */
	const struct special_map *(*special)(uint32_t type);
	/* Called before the first map is created. Return: 0 or -errno. */
	int (*plan_maps)(struct kernel_object *k, const struct map_options *o, struct error *err);
	/* Create a map. Return: 1 if done, 0 if map_create() has to do it, or -errno. */
	int (*create_map)(struct sys *sys, struct kernel_object *k, uint32_t i,
			  const struct map_options *o, struct error *err);
	/* Called before the map descriptors are closed. */
	void (*unload)(struct sys *sys, struct kernel_object *k);
};

/* All features' hooks, in table order. */
int kernel_older_btf(struct sys *sys, struct kernel_object *k, int code);
int kernel_older_map(struct sys *sys, const struct object_map *map, union bpf_attr *attr,
		     unsigned int *without, int code);
int kernel_older_prog(struct prog_load *load, const char *log, int code);
void kernel_loaded(struct sys *sys, struct kernel_object *k, uint32_t prog,
		   const struct prog_code *code);
int kernel_plan_maps(struct kernel_object *k, const struct map_options *o, struct error *err);
int kernel_create_map(struct sys *sys, struct kernel_object *k, uint32_t i,
		      const struct map_options *o, struct error *err);
void kernel_unload_features(struct sys *sys, struct kernel_object *k);

/* FAILED_BTF; @code is positive. */
struct refused_btf {
	const unsigned char *raw;
	uint32_t size;
	int code;
};

/* FAILED_MAP; @code is positive, and @obj may be NULL. */
struct refused_map {
	const struct bpf_object *obj;
	const struct object_map *map;
	const union bpf_attr *attr;
	int code;
};

/* FAILED_PROG; @log is the verifier's, or NULL. FAILED_LOG: the same, after err->log is set. */
struct refused_prog {
	const struct prog_load *load;
	const union bpf_attr *asked;
	int code;
	const char *log;
};

#endif
