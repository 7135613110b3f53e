/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's types: the BTF of vmlinux and of modules, opened when somebody first asks for it.
 * What objects are relocated against, and where the ids of functions and hooks come from.
 */
#ifndef PLOAD_FEATURES_KERNEL_TYPES_KERNEL_TYPES_H
#define PLOAD_FEATURES_KERNEL_TYPES_KERNEL_TYPES_H

#include "elf/btf.h"
#include "elf/error.h"
#include "loader/sys/sys.h"
#include "loader/features/kernel_types/type_names.h"
#include "loader/sys/more/kallsyms.h"

/* The BTF in one file. Indexed and not checked whole: see btf_index(). */
struct btf_file {
	struct btf btf;		/* owned, a view into data */
	unsigned char *data;	/* owned; of map_size bytes mapped, or malloc'ed */
	size_t map_size;	/* 0: malloc'ed */
};

/*
 * btf_file_open() - the BTF in @path: raw, or an ELF file with a section .BTF. NULL is the
 * running kernel's, mapped where the kernel can (6.16), else read. Fails with the errno of the
 * file, EBADMSG or ENOEXEC; on failure @file is empty. btf_file_open_visit(): the types are shown
 * to @visitor while they are indexed, see btf_index_visit().
 */
int btf_file_open(struct sys *sys, const char *path, struct btf_file *file, struct error *err);
int btf_file_open_visit(struct sys *sys, const char *path, const struct btf_visitor *visitor,
			struct btf_file *file, struct error *err);
void btf_file_close(struct sys *sys, struct btf_file *file);

/* A kernel module's own types, which go on where vmlinux ends. */
struct module_btf {
	char name[64];
	uint32_t id;		/* of its BTF in the kernel, never given twice */
	int fd;			/* owned; -1 until somebody needs it */
	struct btf btf;		/* owned, a view into data; its base is vmlinux */
	unsigned char *data;	/* owned */
};

/*
 * The types of one kernel, and the symbols of the running one. Zeroed is empty. Stays where it is
 * while modules are open.
 */
struct kernel_types {
	struct sys *sys;	/* borrowed, as path */
	const char *path;	/* NULL: the running kernel */
	bool is_open;
	struct btf_file vmlinux;
	struct module_btf **modules; /* owned; those looked at so far */
	uint32_t nr_modules;
	uint32_t last_id;	/* of the BTF looked at last; where that failed it is looked at
				 * again */
	bool no_more_modules;
	struct kernel_symbols symbols;	/* of the running kernel; read when somebody asks */
};

/* kernel_types_init() - the running kernel's (@path NULL) or those in a file. Opens nothing yet. */
void kernel_types_init(struct kernel_types *types, struct sys *sys, const char *path);
void kernel_types_free(struct kernel_types *types);

/*
 * kernel_types_open_id() - the types that have this id in the kernel, in place of vmlinux: those of
 * a BPF program (bpf_prog_info.btf_id). Fails with the kernel's errno, ENOMEM, or EBADMSG.
 */
int kernel_types_open_id(struct kernel_types *types, struct sys *sys, uint32_t id,
			 struct error *err);

/*
 * kernel_types_vmlinux() - the BTF of vmlinux, borrowed; opened by the first call. As
 * btf_file_open().
 */
int kernel_types_vmlinux(struct kernel_types *types, const struct btf **btf, struct error *err);

/*
 * kernel_types_visit() - type_names_visit() over vmlinux; where it is not open yet it is opened,
 * and indexed and walked in one. Fails as kernel_types_vmlinux(); else walk->result tells what was
 * found.
 */
int kernel_types_visit(struct kernel_types *types, struct type_visit *walk, struct error *err);

/*
 * kernel_types_module() - the BTF of module number @i, borrowed; opened when it is first asked for.
 * Returns 1, or 0 behind the last: at once without privilege, before Linux 5.11, and for types that
 * come from a file. A module that is unloaded meanwhile is left out. Fails with the kernel's errno,
 * ENOMEM, or EBADMSG and "types of module 'x'".
 */
int kernel_types_module(struct kernel_types *types, uint32_t i, const struct btf **btf,
			struct error *err);

/*
 * kernel_types_btf() - the BTF of a module that was looked at, or with -1 vmlinux's, which is open.
 */
const struct btf *kernel_types_btf(const struct kernel_types *types, int module);

/* kernel_types_name() - what that module is called, or "vmlinux". */
const char *kernel_types_name(const struct kernel_types *types, int module);

/*
 * kernel_types_module_fd() - a descriptor of that module's BTF, borrowed: for attach_btf_obj_fd,
 * fd_array, value_type_btf_obj_fd. Or -errno: the module has gone, or EMFILE.
 */
int kernel_types_module_fd(struct kernel_types *types, int module, struct error *err);

/* module_btfs_free() - part of kernel_types_free(). */
void module_btfs_free(struct kernel_types *types);

struct type_query {
	const char *name;	/* whole, borrowed: a flavour is part of it */
	uint32_t kinds;		/* a bit 1 << BTF_KIND_* for each kind that will do */
	uint32_t id;		/* the answer; 0: there is none */
	int module;		/* where it was found, for kernel_types_btf(): -1 is vmlinux */
	const char *only;	/* borrowed; the module it has to be in, or "vmlinux"; NULL:
				 * wherever it is */
};

/*
 * kernel_types_find() - answer all @queries in one walk, each with the first type of that name and
 * one of its kinds: of vmlinux, and only when something is not there, of modules. Returns 0 also
 * when some are nowhere. Fails as btf_file_open() and kernel_types_module(), or with ENOMEM.
 */
int kernel_types_find(struct kernel_types *types, struct type_query *queries, uint32_t nr,
		      struct error *err);

#endif
