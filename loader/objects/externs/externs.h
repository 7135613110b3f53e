/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Externs of an object, resolved for the running kernel: configuration values (.kconfig), and the
 * addresses of kernel symbols, variables and functions (.ksyms). relocate() calls this through a
 * hook in struct bpf_object.
 *
 *	declaration in C					section	 found in
 *	extern int CONFIG_HZ __kconfig				.kconfig /proc/config.gz, /boot
 *	extern int LINUX_KERNEL_VERSION __kconfig		.kconfig computed by the loader
 *	extern const void init_task __ksym			.ksyms	 /proc/kallsyms
 *	extern struct rq runqueues __ksym	(typed)		.ksyms	 VAR in the kernel's BTF
 *	extern void bpf_rcu_read_lock(void) __ksym (kfunc)	.ksyms	 FUNC in the kernel's BTF
 */
#ifndef PLOAD_OBJECTS_EXTERNS_EXTERNS_H
#define PLOAD_OBJECTS_EXTERNS_EXTERNS_H

#include "loader/core/object/relocate.h"
#include "loader/core/sys/sys.h"
#include "loader/objects/kernel_types/kernel_types.h"

/*
 * The first of a range of helper numbers that no kernel has. A call to a missing weak kernel
 * function becomes a call to helper EXTERN_POISON + index of the extern, which the verifier rejects
 * only if it is reachable. libbpf uses the same number.
 */
#define EXTERN_POISON 2002000000

struct extern_value;

/* The externs of one object. All zero means empty. */
struct externs {
	struct extern_hook hook;	/* passed to relocate() */
	struct sys *sys;		/* borrowed, like the next four */
	struct kernel_types *types;	/* the running kernel's */
	struct bpf_object *obj;
	const char *kconfig;		/* the --kconfig file; NULL: the running kernel's */
	struct extern_value *values;	/* owned; by extern; NULL until needed */
	struct error *config_error;	/* owned; why the config file was not read; or NULL */
	char config_file[128];		/* its path, for messages */
	bool has_symbols, has_types;	/* kinds already looked up */
	bool has_no_addresses;		/* all symbols have address 0: this process may not see
					 * them */
	bool no_addresses;		/* the kernel cannot load function addresses (before 6.4) */
	uint32_t used;			/* 1 << kind for each kind of extern in the last program */
	bool no_cookies;		/* the attach method cannot pass cookies */
	bool uses_module;		/* the program linked last uses something in a module */
	const char *unknown;		/* a weak config value that is 0 because it could not be
					 * read; or NULL */
	unsigned int guesses;		/* number of missing symbols for which similar ones were
					 * searched */
};

/* externs_init() - Set obj->extern_hook, without looking anything up yet. @kconfig is borrowed. */
void externs_init(struct externs *x, struct sys *sys, struct kernel_types *types,
		  struct bpf_object *obj, const char *kconfig);
void externs_free(struct externs *x);

/*
 * externs_check_kconfig() - Check that the --kconfig file is a kernel configuration, even if no
 * program needs it. Fails like externs_read_kconfig().
 */
int externs_check_kconfig(struct sys *sys, const char *path, struct error *err);

/**
 * externs_read_kconfig() - Fill in the contents of the object's .kconfig map.
 *
 * Call it before kernel_load_maps(). A missing or unsuitable value is reported only when relocate()
 * links code that reads it.
 *
 * Return: 0; an error of the --kconfig file; -ENOMEM.
 */
int externs_read_kconfig(struct externs *x, struct error *err);

/* externs_begin_prog() - Forget the externs used by the previous program. */
void externs_begin_prog(struct externs *x);

/*
 * externs_explain() - Add a hint to @err, the kernel's refusal of the program linked last: which
 * extern is missing, or which kernel supports that kind of extern.
 */
void externs_explain(const struct externs *x, struct error *err);

/*
 * externs_try_compat() - Return true, and clear @err, if the refused program may load in a form for
 * older kernels after linking it again.
 */
bool externs_try_compat(struct externs *x, struct error *err);

#endif
