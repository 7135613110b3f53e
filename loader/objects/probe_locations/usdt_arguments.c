// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps that tell USDT programs where each probe location's arguments are. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/core/session/plan.h"
#include "loader/objects/symbols/usdt_spec.h"

/* A process may map a library several times, for example to load plug-ins. */
#define ADDRESSES_MAX 16

static const struct object_map *find_map(const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!strcmp(obj->maps[i].name, name))
			return &obj->maps[i];
	return NULL;
}

bool usdt_is_used(const struct bpf_object *obj)
{
	return find_map(obj, USDT_SPECS_MAP);
}

static bool same_argument(const struct sdt_arg *a, const struct sdt_arg *b)
{
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed &&
	       a->value == b->value && a->base == b->base && a->has_index == b->has_index &&
	       a->index == b->index && a->shift == b->shift;
}

static bool same_arguments(const struct usdt_arguments *a, const struct symbol_location *b)
{
	uint32_t i = 0;

	while (a->nr == b->nr_args && i < a->nr && same_argument(&a->args[i], &b->args[i]))
		i++;
	return i == b->nr_args && i == a->nr;
}

int usdt_add(struct usdt *u, const struct symbol_location *place, struct error *err)
{
	struct usdt_arguments *grown, *a;

	for (uint32_t i = 0; i < u->nr; i++)
		if (same_arguments(&u->list[i], place))
			return i;
	grown = array_grow(u->list, u->nr, sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "no memory for arguments");
	u->list = grown;
	a = &grown[u->nr];
	*a = (struct usdt_arguments){
		.name = strdup(place->name),
		.args = malloc((place->nr_args + 1) * sizeof(*a->args)),
		.nr = place->nr_args,
	};
	if (!a->name || !a->args) {
		free(a->name);
		free(a->args);
		return error_set(err, ENOMEM, "no memory for arguments");
	}
	if (place->nr_args)
		memcpy(a->args, place->args, place->nr_args * sizeof(*a->args));
	return u->nr++;
}

static int append_address(struct usdt *u, uint64_t ip, uint32_t index, struct error *err)
{
	struct usdt_address *grown = array_grow(u->addresses, u->nr_addresses, sizeof(*grown));

	if (!grown)
		return error_set(err, ENOMEM, "no memory for addresses");
	u->addresses = grown;
	grown[u->nr_addresses++] = (struct usdt_address){ ip, index };
	return 0;
}

/* Two files may be mapped at the same address, each in its own process. */
static int add_address(struct usdt *u, uint64_t ip, uint32_t index, struct error *err)
{
	for (uint32_t i = 0; i < u->nr_addresses; i++) {
		if (u->addresses[i].ip != ip)
			continue;
		if (u->addresses[i].arguments == index)
			return 0;
		error_set(err, EINVAL,
			  "'%s' and '%s' are both at address 0x%" PRIx64 ": without a "
			  "cookie a program cannot distinguish them",
			  u->list[index].name, u->list[u->addresses[i].arguments].name, ip);
		error_reason(err, "usdt/no-address");
		return error_hint(err, "use --attach=link, which distinguishes them by cookie "
				       "(Linux 5.15)");
	}
	return append_address(u, ip, index, err);
}

static int no_address(const struct symbol_location *place, pid_t pid, struct error *err)
{
	if (pid)
		error_set(err, ENOENT, "process %d has not mapped the file of '%s'", pid,
			  place->name);
	else
		error_set(err, EINVAL,
			  "without a cookie, a program finds its arguments by address, but '%s' "
			  "has a different one in each process",
			  place->name);
	error_reason(err, "usdt/no-address");
	return error_hint(err, "use --attach=link, which passes a cookie instead (Linux 5.15)%s",
			  pid ? "" : "; or select the process with -p");
}

int usdt_add_addresses(struct usdt *u, struct symbols *s, const struct symbol_locations *places,
		       uint32_t i, uint32_t index, const char *pids, struct error *err)
{
	const struct symbol_location *place = &places->list[i];
	uint64_t at[ADDRESSES_MAX];
	pid_t pid;
	int ret = 0;

	if (places->fixed)
		return add_address(u, place->address, index, err);
	if (!pids || !*pids)
		return no_address(place, 0, err);
	while (!ret && *pids) {
		pid = event_tasks_next(&pids);
		ret = symbols_mapped(s, pid, places->path, place->file_offset, at, ADDRESSES_MAX,
				     err);
		if (ret < 0)
			return ret;
		if (!ret || ret > ADDRESSES_MAX)
			return no_address(place, pid, err);
		for (int n = ret, k = 0; k < n && ret >= 0; k++)
			ret = add_address(u, at[k], index, err);
	}
	return ret;
}

static void note_unreadable(const struct loading *l, const struct usdt_layout *layout,
		       const struct usdt_arguments *a)
{
	for (uint32_t i = 0; i < a->nr; i++) {
		const char *why = usdt_arg_unreadable(layout, &a->args[i]);

		if (why)
			note(l->out,
			     "USDT '%s': programs cannot read argument %u: %s", a->name, i, why);
	}
	if (a->nr > layout->nr_args)
		note(l->out,
		     "USDT '%s': programs can read %u of its %u arguments", a->name,
		     layout->nr_args, a->nr);
}

/* Update an element of the object's map. */
static int put(struct sys *sys, const struct kernel_map *km, const char *map, const void *key,
	       const void *value, struct error *err)
{
	int ret = map_update(sys, km->fd, key, value, BPF_ANY);

	if (ret >= 0)
		return 0;
	error_set(err, -ret, "BPF_MAP_UPDATE_ELEM: %s", error_strerror(-ret));
	error_reason(err, "usdt/map");
	map_update_call(err, km->fd, key, value, -ret);
	if (ret == -E2BIG)
		error_hint(err, "it may be too small: --map=%s.max_entries=N", map);
	return error_where(err, "map '%s'", map);
}

static int too_many(const char *map, uint32_t nr, uint32_t max, struct error *err)
{
	error_set(err, E2BIG, "%" PRIu32 " are needed, and it has %" PRIu32 " entries", nr, max);
	error_reason(err, "usdt/map");
	error_hint(err, "--map=%s.max_entries=%" PRIu32, map, nr);
	return error_where(err, "map '%s'", map);
}

static int fill_arguments(struct loading *l, const struct object_map *map, const struct usdt *u,
			  uint64_t cookie, struct error *err)
{
	const struct kernel_map *km = &l->kernel.maps[map - l->object.maps];
	struct usdt_layout layout;
	unsigned char *value;
	int ret;

	ret = usdt_layout(&layout, l->object.has_btf ? &l->object.btf : NULL, map->value_type,
			  km->value_size, err);
	if (ret)
		return error_where(err, "map '%s'", map->name);
	if (u->nr > km->max_entries)
		return too_many(map->name, u->nr, km->max_entries, err);
	value = malloc(layout.size);
	if (!value)
		return error_set(err, ENOMEM, "no memory for arguments");
	for (uint32_t i = 0; !ret && i < u->nr; i++) {
		note_unreadable(l, &layout, &u->list[i]);
		usdt_spec(&layout, u->list[i].args, u->list[i].nr, cookie, value);
		ret = put(l->sys, km, map->name, &i, value, err);
	}
	free(value);
	return ret;
}

/* Versions of usdt.bpf.h before LINUX_HAS_BPF_COOKIE always use the cookie. */
static bool requires_cookie(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (!strcmp(obj->externs[i].name, "LINUX_HAS_BPF_COOKIE"))
			return false;
	return true;
}

static int fill_addresses(struct loading *l, const struct usdt *u, struct error *err)
{
	const struct object_map *map = find_map(&l->object, USDT_ADDRESSES_MAP);
	const struct kernel_map *km = map ? &l->kernel.maps[map - l->object.maps] : NULL;
	int ret = 0;

	if (!km || km->key_size != sizeof(uint64_t) || km->value_size != sizeof(uint32_t)) {
		error_set(err, EINVAL,
			  "the object has no map " USDT_ADDRESSES_MAP " from addresses to numbers");
		error_reason(err, "usdt/layout");
		return error_hint(err, "include bpf/usdt.bpf.h, ours or libbpf's");
	}
	if (requires_cookie(&l->object)) {
		error_set(err, EINVAL, "its programs find their arguments only by cookie, which "
				       "this attach method cannot pass");
		error_reason(err, "usdt/layout");
		return error_hint(err, "use --attach=link");
	}
	if (u->nr_addresses > km->max_entries)
		return too_many(map->name, u->nr_addresses, km->max_entries, err);
	for (uint32_t i = 0; !ret && i < u->nr_addresses; i++)
		ret = put(l->sys, km, map->name, &u->addresses[i].ip, &u->addresses[i].arguments,
			  err);
	return ret;
}

int usdt_fill(struct loading *l, const struct usdt *u, uint64_t cookie, struct error *err)
{
	const struct object_map *map = u->nr ? find_map(&l->object, USDT_SPECS_MAP) : NULL;
	int ret = map ? fill_arguments(l, map, u, cookie, err) : 0;

	if (!ret && u->nr_addresses)
		ret = fill_addresses(l, u, err);
	return ret ? error_where(err, "%s", l->object.name) : 0;
}

void usdt_free(struct usdt *u)
{
	for (uint32_t i = 0; i < u->nr; i++) {
		free(u->list[i].name);
		free(u->list[i].args);
	}
	free(u->list);
	free(u->addresses);
	memset(u, 0, sizeof(*u));
}
