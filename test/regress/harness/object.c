// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Embedded files, objects loaded from them, and parsed events. */
/* A failure is reported with the line of the test. */
#define REGRESS_KEEPS_LINE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/regress/harness/parts.h"

const struct regress_embedded *embedded_find(const char *name)
{
	const struct regress_embedded *file = regress_embedded;

	while (file->name && strcmp(file->name, name))
		file++;
	return file;
}

bool embedded_is_source(const struct regress_embedded *file)
{
	const char *end = strrchr(file->name, '.');

	return end && !strcmp(end, ".c");
}

bool regress_has_file(const char *name)
{
	return embedded_find(name)->name;
}

int regress_file(struct regress *t, const char *name)
{
	const struct regress_embedded *file = embedded_find(name);
	int fd;

	if (!file->name)
		regress_fail(t, "there is no file '%s' in this program", name);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0 || write(fd, file->data, file->end - file->data) != file->end - file->data)
		regress_fail(t, "%s: not enough memory: %s", name, strerror(errno));
	return fd;
}

static int load_progs(struct regress_object *o, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < o->loading.object.nr_progs; i++)
		if (o->loading.wanted[i])
			ret = load_program(&o->loading, i, err);
	return ret ? ret : loading_finish(&o->loading, err);
}

int regress_try_load(struct regress *t, struct regress_object *o, const char *name,
		     const char *prog, struct error *err)
{
	char file[64];
	int ret;

	*o = (struct regress_object){ 0 };
	snprintf(file, sizeof(file), "%s.bpf.o", name);
	o->file_fd = regress_file(t, file);
	snprintf(o->path, sizeof(o->path), "/proc/self/fd/%d", o->file_fd);
	if (prog)
		o->options.progs = (struct option_list){ .text = { prog }, .nr = 1 };
	loading_types_init(&o->types, t->sys, &o->options);
	ret = loading_begin(&o->loading, t->sys, &o->out, &o->options, &o->types, o->path, err);
	if (!ret)
		ret = loading_maps(&o->loading, err);
	if (!ret)
		ret = load_progs(o, err);
	return ret;
}

void regress_load(struct regress *t, struct regress_object *o, const char *name, const char *prog)
{
	struct error err = { 0 };

	regress_ok(t, regress_try_load(t, o, name, prog, &err), &err, "load");
}

void regress_unload(struct regress *t, struct regress_object *o)
{
	(void)t;
	loading_end(&o->loading);
	loading_types_free(&o->types);
	close(o->file_fd);
}

int regress_prog(struct regress *t, const struct regress_object *o, const char *name)
{
	const struct bpf_object *obj = &o->loading.object;

	for (uint32_t i = 0; i < obj->nr_progs; i++)
		if (!strcmp(obj->progs[i].name, name) && o->loading.kernel.progs[i].fd >= 0)
			return o->loading.kernel.progs[i].fd;
	regress_fail(t, "no program '%s' is loaded", name);
}

int regress_map(struct regress *t, const struct regress_object *o, const char *name)
{
	const struct bpf_object *obj = &o->loading.object;

	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!strcmp(obj->maps[i].name, name))
			return o->loading.kernel.maps[i].fd;
	regress_fail(t, "no map '%s' is there", name);
}

/* --- events --- */

void regress_keep_event(const struct event_spec *spec)
{
	static struct event_spec *kept;
	static size_t nr;
	struct event_spec *grown = array_grow(kept, nr, sizeof(*kept));

	if (!grown)
		abort();
	kept = grown;
	kept[nr++] = *spec;
}

void regress_event(struct regress *t, struct event_spec *spec, const char *text)
{
	struct error err = { 0 };

	regress_ok(t, event_parse(spec, text, &err), &err, text);
	regress_keep_event(spec);
}
