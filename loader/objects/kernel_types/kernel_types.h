/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The types of a kernel: the BTF of vmlinux and of its modules, opened on first use. Objects are
 * relocated against them, and the BTF ids of functions, hooks and structs come from them.
 */
#ifndef PLOAD_OBJECTS_KERNEL_TYPES_KERNEL_TYPES_H
#define PLOAD_OBJECTS_KERNEL_TYPES_KERNEL_TYPES_H

#include "elf/btf.h"
#include "elf/error.h"
#include "loader/core/sys/sys.h"
#include "loader/objects/kernel_types/type_names.h"
#include "loader/base/text/kallsyms.h"

/* The BTF of one file, opened or indexed but not validated: see btf_open(). */
struct btf_file {
	struct btf btf;		/* owned, a view into data */
	unsigned char *data;	/* owned; mapped, or malloc'ed if map_size is 0 */
	size_t map_size;	/* bytes */
};

/**
 * btf_file_open() - Open the BTF in a file: raw, or section .BTF of an ELF file.
 * @path: NULL for the running kernel's, of which only the header is checked: see btf_open()
 *
 * Return: 0; the errno of the file, -EBADMSG or -ENOEXEC, with @file empty.
 */
int btf_file_open(struct sys *sys, const char *path, struct btf_file *file, struct error *err);

/* btf_file_read_split() - Likewise, from a descriptor, for BTF that continues @base (borrowed). */
int btf_file_read_split(struct sys *sys, int fd, const struct btf *base, struct btf_file *file);
void btf_file_close(struct sys *sys, struct btf_file *file);

/*
 * The BTF of a kernel module. It is split BTF: ids below btf.first_id are those of vmlinux.
 *
 *	id 1 ... 139999      types of vmlinux (the base)
 *	id 140000 ...        types of module A, and in its own BTF those of module B
 */
struct module_btf {
	char name[64];
	uint32_t id;		/* the kernel's id of the BTF; never reused */
	int fd;			/* owned; -1 until it is needed */
	struct btf btf;		/* owned, a view into data; its base is vmlinux */
	unsigned char *data;	/* owned */
};

/*
 * The types of one kernel, and the symbols of the running one. All zero means empty. Must not move
 * while a module's BTF is open.
 */
struct kernel_types {
	struct sys *sys;	/* borrowed, like path */
	const char *path;	/* NULL: the running kernel */
	bool is_open;
	struct btf_file vmlinux;
	struct module_btf **modules;	/* owned; those opened so far */
	uint32_t nr_modules;
	uint32_t last_id;	/* the last BTF examined; examined again after an error */
	bool no_more_modules;
	bool modules_denied;	/* EPERM: module types were needed but are unknown */
	struct kernel_symbols symbols;	/* the running kernel's; read on first use */
};

/* kernel_types_init() - Use the running kernel (@path NULL) or a file. Opens nothing yet. */
static inline void kernel_types_init(struct kernel_types *types, struct sys *sys, const char *path)
{
	*types = (struct kernel_types){ .sys = sys, .path = path };
	kernel_symbols_init(&types->symbols, sys);
}

void kernel_types_free(struct kernel_types *types);

/**
 * kernel_types_open_id() - Open the BTF with this id in the kernel instead of vmlinux's.
 * @id: the BTF of a program, bpf_prog_info.btf_id
 *
 * Return: 0, the errno of bpf(2), -ENOMEM or -EBADMSG.
 */
int kernel_types_open_id(struct kernel_types *types, struct sys *sys, uint32_t id,
			 struct error *err);

/*
 * kernel_types_vmlinux() - Return the BTF of vmlinux (borrowed), opening it if necessary. Fails
 * like btf_file_open().
 */
int kernel_types_vmlinux(struct kernel_types *types, const struct btf **btf, struct error *err);

/**
 * kernel_types_module() - Get the BTF of module @i (borrowed), opening it on first use.
 *
 * There are no modules without privileges, before Linux 5.11, or for types from a file. Skips a
 * module that is unloaded in the meantime.
 *
 * Return: 1; 0 after the last one; the errno of bpf(2), -ENOMEM or -EBADMSG.
 */
int kernel_types_module(struct kernel_types *types, uint32_t i, const struct btf **btf,
			struct error *err);

/* The BTF and the name of an opened module; -1: vmlinux, which is open. */
const struct btf *kernel_types_btf(const struct kernel_types *types, int module);
const char *kernel_types_name(const struct kernel_types *types, int module);

/*
 * kernel_types_module_fd() - Return a descriptor (borrowed) of the module's BTF, for
 * attach_btf_obj_fd, fd_array and value_type_btf_obj_fd; or -errno: the module was unloaded, or
 * EMFILE.
 */
int kernel_types_module_fd(struct kernel_types *types, int module, struct error *err);

/* module_btfs_free() - Part of kernel_types_free(). */
void module_btfs_free(struct kernel_types *types);

/* A type to look up, and the result. */
struct type_query {
	const char *name;	/* borrowed; including any flavour */
	uint32_t kinds;		/* a bit 1 << BTF_KIND_* for each acceptable kind */
	uint32_t id;		/* the result; 0: not found */
	int module;		/* for kernel_types_btf(); -1: vmlinux */
	const char *only;	/* borrowed; the only module to search, or "vmlinux"; NULL: all */
};

/**
 * kernel_types_find() - Answer all @queries in one pass over the types.
 *
 * Each result is the first type with that name and kind, in vmlinux or, if there are unanswered
 * queries, in the modules.
 *
 * Return: 0, even if some are not found; errors of btf_file_open() and kernel_types_module().
 */
int kernel_types_find(struct kernel_types *types, struct type_query *queries, uint32_t nr,
		      struct error *err);

#endif
