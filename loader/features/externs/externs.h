/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Externs: values of the kernel's configuration, addresses of its symbols, its variables and its
 * functions. A room beside the core: relocate() calls it through a hook, and an object without
 * externs never gets there.
 */
#ifndef PLOAD_FEATURES_EXTERNS_EXTERNS_H
#define PLOAD_FEATURES_EXTERNS_EXTERNS_H

#include "loader/object/relocate.h"
#include "loader/sys/sys.h"
#include "loader/features/kernel_types/kernel_types.h"

/*
 * A call of a weak kernel function that is not there: of a helper that no kernel has, so that the
 * verifier refuses it where it can be reached. The number of the extern is added. As libbpf has it.
 */
#define EXTERN_POISON 2002000000

struct extern_value;

/* The externs of one object. Zeroed is empty. */
struct externs {
	struct extern_hook hook;	/* what relocate() is given */
	struct sys *sys;		/* borrowed, as the next four */
	struct kernel_types *types;	/* of the running kernel */
	struct bpf_object *obj;
	const char *kconfig;		/* the file to take CONFIG_* from; NULL: the running
					 * kernel's */
	struct extern_value *values;	/* owned; by extern. NULL until one is asked for */
	struct error config_error;	/* what the config file was like, for whoever needs it */
	char config_file[128];		/* where the config was looked for, for messages */
	bool has_symbols, has_types;	/* these were looked up */
	bool no_addresses;		/* of functions: this kernel does not know them (before
					 * Linux 6.4) */
	uint32_t used;			/* by the program linked last: a bit for each kind of
					 * extern */
	bool no_cookies;		/* programs are attached in a way that gives them none */
	bool uses_module;		/* likewise: something out of a module */
	unsigned int guesses;		/* symbols that were missing and looked for among like
					 * ones */
};

/*
 * externs_init() - have @obj's externs found by relocate(). Looks nothing up yet; sets
 * obj->extern_hook; cannot fail.
 */
void externs_init(struct externs *x, struct sys *sys, struct kernel_types *types,
		  struct bpf_object *obj, const char *kconfig);
void externs_free(struct externs *x);

/*
 * externs_check_kconfig() - whether @path, of --kconfig, is the configuration of a kernel: for who
 * is not going to need it and should still be told. As externs_read_kconfig(), which reads it.
 */
int externs_check_kconfig(struct sys *sys, const char *path, struct error *err);

/*
 * externs_read_kconfig() - fill the content of the object's map of config values; before
 * kernel_load_maps(). An object without such externs has nothing looked up. What is missing or
 * wrong is an error only once relocate() links code that needs it, except for the file @kconfig
 * named, and ENOMEM.
 */
int externs_read_kconfig(struct externs *x, struct error *err);

/* externs_begin_prog() - another program is linked next. */
void externs_begin_prog(struct externs *x);

/*
 * externs_explain() - @err is the kernel's refusal of the program linked last. If it is for an
 * extern, the hint says which, and what was missing or which kernel knows such a thing.
 */
void externs_explain(const struct externs *x, struct error *err);

/*
 * externs_try_compat() - whether the program refused with @err may be taken in another form, once
 * it is linked again. Clears @err then.
 */
bool externs_try_compat(struct externs *x, struct error *err);

#endif
