/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the steps of finding externs share with each other, and with nobody else. */
#ifndef PLOAD_FEATURES_EXTERNS_EXTERNS_INTERNAL_H
#define PLOAD_FEATURES_EXTERNS_EXTERNS_INTERNAL_H

#include "loader/features/externs/externs.h"

enum extern_state {
	EXTERN_MISSING,
	EXTERN_FOUND,
	EXTERN_NOT_SET,		/* KCONFIG: "# CONFIG_X is not set" */
	EXTERN_WRONG,		/* KCONFIG: its text does not fit its type */
	EXTERN_UNMEASURED,	/* KCONFIG: what says it could not be read */
	EXTERN_AMBIGUOUS,	/* KSYM: several symbols of that name */
};

/* What was found for one extern. */
struct extern_value {
	enum extern_state state;
	char *text;		/* WRONG: the value; owned */
	uint32_t line;		/* WRONG: of the config file */
	uint64_t address;	/* KSYM */
	uint32_t id;		/* KVAR, KFUNC: its type */
	int module;		/* of whose types; -1: vmlinux */
	bool checked;		/* it is as declared */
};

/* --- lines.c: text of any length, plain or compressed by gzip, line by line --- */

struct gzip_lines;

/* gzip_lines_open() - NULL: @err says why (the errno of the file, EBADMSG, ENOMEM), without its
 * name. */
struct gzip_lines *gzip_lines_open(struct sys *sys, const char *path, struct error *err);
void gzip_lines_close(struct gzip_lines *l);

/*
 * gzip_lines_next() - 1: *@line is the next one, without its newline, ours until the next call. 0:
 * there is none. Fails with the errno of read(2), EBADMSG (damaged, or no text), EFBIG.
 */
int gzip_lines_next(struct gzip_lines *l, char **line, struct error *err);

/* gzip_lines_number() - of the line given last, counted from 1. */
uint32_t gzip_lines_number(const struct gzip_lines *l);

/* --- names.c: externs by name --- */

struct extern_names {
	struct extern_name {
		const char *name;
		uint32_t index;
	} *names;		/* owned; sorted */
	uint32_t nr;
};

/* extern_names_init() - the externs of @kind. Returns 0 or -ENOMEM. */
int extern_names_init(struct extern_names *names, const struct bpf_object *obj,
		      enum object_extern_kind kind, struct error *err);

/* extern_names_find() - index of the extern whose name is the @len characters at @name, or -1. */
int64_t extern_names_find(const struct extern_names *names, const char *name, size_t len);
void extern_names_free(struct extern_names *names);

/* --- config.c: CONFIG_* --- */

/* kconfig_read() - the values of all CONFIG_* externs into @content, the map's. */
int kconfig_read(struct externs *x, unsigned char *content, struct error *err);

/* kconfig_check() - whether code may read the extern @index. Fails with why it has no value. */
int kconfig_check(const struct externs *x, uint32_t index, struct error *err);

/* --- value.c: from the text of a config value to the bytes of a variable --- */

/*
 * kconfig_value_store() - write config value @text (y, n, m, "text", 42) as one of @e's type to
 * @out, which has e->size zero bytes. Fails with EINVAL where it does not fit the type.
 */
int kconfig_value_store(const struct btf *btf, const struct object_extern *e, const char *text,
			unsigned char *out, struct error *err);

/* --- virtual.c: LINUX_* --- */

/* virtual_kconfig_read() - the values of LINUX_* externs into @content. */
int virtual_kconfig_read(struct externs *x, unsigned char *content, struct error *err);

/* --- symbols.c: /proc/kallsyms --- */

/* ksyms_find() - the addresses of all KSYM externs. */
int ksyms_find(struct externs *x, struct error *err);

/* ksym_missing() - why the extern @index, which is needed, has no address. */
int ksym_missing(struct externs *x, uint32_t index, struct error *err);

/* --- typed.c: variables and functions, by the kernel's types --- */

/* typed_ksym_apply() - write the KVAR or KFUNC of @site into its instruction. */
int typed_ksym_apply(struct externs *x, const struct extern_site *site, struct prog_code *code,
		     struct error *err);

#endif
