// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the CONFIG_* values that an object declares from the kernel's configuration.
 *
 *	CONFIG_HZ=250
 *	CONFIG_LOCALVERSION="-custom"
 *	# CONFIG_PREEMPT_RT is not set
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"

#define CONFIG_GZ	"/proc/config.gz"
#define RELEASE		"/proc/sys/kernel/osrelease"

static bool is_config(const char *name)
{
	return !strncmp(name, "CONFIG_", strlen("CONFIG_"));
}

#define FILE_WANTED \
	"--kconfig requires a kernel configuration, plain or gzip-compressed"

static bool asks_for_config(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (obj->externs[i].kind == OBJECT_EXTERN_KCONFIG &&
		    is_config(obj->externs[i].name))
			return true;
	return false;
}

/*
 * Open the --kconfig file, otherwise /proc/config.gz, which is certain to be the running kernel's,
 * otherwise the file that distributions install in /boot.
 */
static struct gzip_lines *open_config(struct externs *x, struct error *err)
{
	char release[65], path[80];
	struct gzip_lines *l;

	snprintf(x->config_file, sizeof(x->config_file), "%s", x->kconfig ? x->kconfig : CONFIG_GZ);
	l = gzip_lines_open(x->sys, x->kconfig ? x->kconfig : CONFIG_GZ, err);
	if (l || x->kconfig || err->code != -ENOENT)
		return l;
	if (sys_read_text(x->sys, AT_FDCWD, RELEASE, release, sizeof(release)) <= 0)
		return NULL;
	snprintf(path, sizeof(path), "/boot/config-%.64s", release);
	l = gzip_lines_open(x->sys, path, err);
	if (l)
		error_clear(err);
	if (l)
		snprintf(x->config_file, sizeof(x->config_file), "%s", path);
	else
		snprintf(x->config_file, sizeof(x->config_file), CONFIG_GZ " and %s", path);
	return l;
}

static int store_value(struct externs *x, uint32_t index, const char *text, uint32_t line,
		       unsigned char *content, struct error *err)
{
	const struct object_extern *e = &x->obj->externs[index];
	struct extern_value *v = &x->values[index];

	if (v->state != EXTERN_MISSING)
		return 0;
	v->state = EXTERN_FOUND;
	if (!kconfig_value_store(&x->obj->btf, e, text, content + e->offset, NULL))
		return 0;
	/* This is an error only if linked code reads the variable: kconfig_check(). */
	v->state = EXTERN_WRONG;
	v->line = line;
	v->text = strdup(text);
	return v->text ? 0 : error_set(err, ENOMEM, "no memory for a config value");
}

/* Return the name in "CONFIG_X=value" or "# CONFIG_X is not set"; NULL for other lines. */
static const char *name_in(const char *line, bool *unset)
{
	const char *name;

	*unset = !strncmp(line, "# CONFIG_", strlen("# CONFIG_"));
	name = *unset ? line + 2 : line;
	return is_config(name) && (*unset || name[strcspn(name, "= ")] == '=') ? name : NULL;
}

/* Return 1 if @line is of one of these two forms, else 0. */
static int take_line(struct externs *x, const struct extern_names *names, char *line, uint32_t nr,
		     unsigned char *content, struct error *err)
{
	bool unset;
	const char *name = name_in(line, &unset);
	size_t len = name ? strcspn(name, "= ") : 0;
	int64_t index;
	int ret;

	if (!name)
		return 0;
	index = extern_names_find(names, name, len);
	if (index < 0)
		return 1;
	if (unset) {
		if (!strcmp(name + len, " is not set") && !x->values[index].state)
			x->values[index].state = EXTERN_NOT_SET;
		return 1;
	}
	ret = store_value(x, index, name + len + 1, nr, content, err);
	return ret ? ret : 1;
}

static int no_config(struct error *err)
{
	return error_set(err, EBADMSG, "it has no line \"CONFIG_...=...\"");
}

static int take_lines(struct externs *x, struct gzip_lines *l, unsigned char *content,
		      struct error *err)
{
	struct extern_names names;
	bool any = false;
	char *line;
	int ret = extern_names_init(&names, x->obj, OBJECT_EXTERN_KCONFIG, err);

	while (!ret && (ret = gzip_lines_next(l, &line, err)) > 0) {
		ret = take_line(x, &names, line, gzip_lines_number(l), content, err);
		any |= ret > 0;
		ret = ret < 0 ? ret : 0;
	}
	if (!ret && !any)
		ret = no_config(err);
	extern_names_free(&names);
	return ret;
}

int externs_check_kconfig(struct sys *sys, const char *path, struct error *err)
{
	struct gzip_lines *l = gzip_lines_open(sys, path, err);
	bool any = false, unset;
	int ret = l ? 0 : err->code;
	char *line;

	while (!ret && !any && (ret = gzip_lines_next(l, &line, err)) > 0) {
		any = name_in(line, &unset);
		ret = 0;
	}
	if (!ret && !any)
		ret = no_config(err);
	gzip_lines_close(l);
	if (!ret)
		return 0;
	error_reason_default(err, "externs/config");
	error_hint(err, FILE_WANTED);
	return error_where(err, "--kconfig=%s", path);
}

int kconfig_read(struct externs *x, unsigned char *content, struct error *err)
{
	struct error *e = err;
	struct gzip_lines *l;
	int ret;

	if (!asks_for_config(x->obj))
		return 0;
	if (!x->kconfig)
		e = x->config_error = calloc(1, sizeof(*e));
	if (!x->kconfig && !e)
		return error_set(err, ENOMEM, "no memory for an error");
	l = open_config(x, e);
	ret = l ? take_lines(x, l, content, e) : e->code;
	gzip_lines_close(l);
	if (!ret)
		return 0;
	error_hint(e, "%s", x->kconfig ? FILE_WANTED :
					 "--kconfig=FILE selects another file, plain or "
					 "gzip-compressed");
	error_where(e, "%s", x->config_file);
	return x->kconfig ? ret : 0;
}

/* Store the value again, for the error. */
static int report_wrong(const struct externs *x, uint32_t index, struct error *err)
{
	const struct extern_value *v = &x->values[index];
	unsigned char *scratch = calloc(1, x->obj->externs[index].size);
	int ret;

	if (!scratch)
		return error_set(err, ENOMEM, "no memory for a config value");
	ret = kconfig_value_store(&x->obj->btf, &x->obj->externs[index], v->text, scratch, err);
	free(scratch);
	if (v->line)
		error_where(err, "%s, line %u", x->config_file, v->line);
	return ret;
}

bool kconfig_is_unknown(const struct externs *x, uint32_t index)
{
	const enum extern_state state = x->values[index].state;

	return state == EXTERN_UNKNOWN ||
	       (x->config_error && x->config_error->code && state == EXTERN_MISSING &&
		is_config(x->obj->externs[index].name));
}

int kconfig_check(const struct externs *x, uint32_t index, struct error *err)
{
	const struct object_extern *e = &x->obj->externs[index];
	const struct extern_value *v = &x->values[index];
	const int file = is_config(e->name) && x->config_error ? x->config_error->code : 0;

	/*
	 * Without a file, weak values are not set; with an unreadable file, they are unknown.
	 */
	if (file && (file != -ENOENT || !e->weak)) {
		if (err)
			*err = *x->config_error;
		return err ? error_where(err, "config value '%s'", e->name) : file;
	}
	if (v->state == EXTERN_FOUND || (v->state != EXTERN_WRONG && e->weak))
		return 0;
	if (v->state == EXTERN_WRONG)
		return report_wrong(x, index, err);
	if (v->state == EXTERN_UNKNOWN) {
		error_set(err, ENOENT, "config value '%s' is not available", e->name);
		return error_hint(err, "it comes from /proc/sys/kernel/osrelease or "
				       "/proc/kallsyms: mount /proc, or declare it __weak");
	}
	if (!is_config(e->name)) {
		error_set(err, ENOENT, "config value '%s' is not supported", e->name);
		return error_hint(err, "supported are CONFIG_*, LINUX_KERNEL_VERSION, "
				       "LINUX_HAS_BPF_COOKIE and LINUX_HAS_SYSCALL_WRAPPER; "
				       "declare it __weak to get 0");
	}
	error_set(err, ENOENT, "config value '%s' is not %s %s", e->name,
		  v->state == EXTERN_NOT_SET ? "set in" : "in", x->config_file);
	return error_hint(err, "declare it __weak to get 0 if it is not set");
}
