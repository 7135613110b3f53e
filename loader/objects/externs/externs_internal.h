/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts that resolve each kind of extern, and their shared table of values. */
#ifndef PLOAD_OBJECTS_EXTERNS_EXTERNS_INTERNAL_H
#define PLOAD_OBJECTS_EXTERNS_EXTERNS_INTERNAL_H

#include "loader/objects/externs/externs.h"

enum extern_state {
	EXTERN_MISSING,
	EXTERN_FOUND,
	EXTERN_NOT_SET,		/* KCONFIG: "# CONFIG_X is not set" */
	EXTERN_WRONG,		/* KCONFIG: its text does not suit its type */
	EXTERN_UNKNOWN,		/* KCONFIG: its file could not be read */
	EXTERN_AMBIGUOUS,	/* KSYM: several symbols have this name */
};

/* The result for one extern. */
struct extern_value {
	enum extern_state state;
	char *text;		/* WRONG: the value as text; owned */
	uint32_t line;		/* WRONG: line in the config file; 0: not from a file */
	uint64_t address;	/* KSYM */
	bool is_global;		/* KSYM: ignore further symbols with this name */
	uint32_t id;		/* KVAR, KFUNC: its type */
	int module;		/* KVAR, KFUNC: module of that type; -1: vmlinux */
	bool checked;		/* KVAR, KFUNC: the type matches the declaration */
};

/* --- gzip_lines.c: the lines of a text file, plain or compressed by gzip --- */

struct gzip_lines;

/* gzip_lines_open() - NULL: @err has the errno of the file, EBADMSG or ENOMEM, without the path. */
struct gzip_lines *gzip_lines_open(struct sys *sys, const char *path, struct error *err);
void gzip_lines_close(struct gzip_lines *l);

/**
 * gzip_lines_next() - Read the next line.
 * @line: the line without its newline, borrowed until the next call
 *
 * Return: 1; 0 at the end; the errno of read(2); -EBADMSG (damaged, or not text); -EFBIG.
 */
int gzip_lines_next(struct gzip_lines *l, char **line, struct error *err);

/* gzip_lines_number() - Return the number of the line read last, from 1. */
uint32_t gzip_lines_number(const struct gzip_lines *l);

/* --- extern_names.c --- */

/* The externs of one kind, sorted by name. */
struct extern_names {
	struct extern_name {
		const char *name;
		uint32_t index;
	} *names;		/* owned */
	uint32_t nr;
};

int extern_names_init(struct extern_names *names, const struct bpf_object *obj,
		      enum object_extern_kind kind, struct error *err);

/* extern_names_find() - Return the index of the extern named by the @len bytes at @name, or -1. */
int64_t extern_names_find(const struct extern_names *names, const char *name, size_t len);
void extern_names_free(struct extern_names *names);

/* --- kconfig.c: CONFIG_*; kconfig_value.c; virtual_kconfig.c: LINUX_* --- */

/* kconfig_read() - Store the values of all CONFIG_* externs in @content, that of the map. */
int kconfig_read(struct externs *x, unsigned char *content, struct error *err);

/*
 * kconfig_check() - Return 0 if code may read extern @index; otherwise set @err to why it has no
 * value.
 */
int kconfig_check(const struct externs *x, uint32_t index, struct error *err);

/* kconfig_is_unknown() - Return true if the value of extern @index could not be read. */
bool kconfig_is_unknown(const struct externs *x, uint32_t index);

/**
 * kconfig_value_store() - Convert a config value to the type of its variable.
 * @text: y, n, m, "text", 42 or 0x2a
 * @out: e->size bytes, zeroed
 *
 * Return: 0; -EINVAL or -ERANGE when the value does not fit the type.
 */
int kconfig_value_store(const struct btf *btf, const struct object_extern *e, const char *text,
			unsigned char *out, struct error *err);

/* virtual_kconfig_read() - Store the values of LINUX_* externs in @content. */
int virtual_kconfig_read(struct externs *x, unsigned char *content, struct error *err);

/* --- ksyms.c: /proc/kallsyms --- */

/* ksyms_find() - Look up the addresses of all KSYM externs. */
int ksyms_find(struct externs *x, struct error *err);

/* ksym_missing() - Report why extern @index, which is needed, has no address. */
int ksym_missing(struct externs *x, uint32_t index, struct error *err);

/* --- typed_ksyms.c: variables and functions in the kernel's BTF --- */

/* typed_ksym_apply() - Patch the instruction at @site with its KVAR or KFUNC. */
int typed_ksym_apply(struct externs *x, const struct extern_site *site, struct prog_code *code,
		     struct error *err);

#endif
