// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Load objects with pload, with a clock in struct sys. With "dry", the kernel is simulated, which
 * takes more maps and programs than a real one should be given. usage: split_pload [dry] ROUNDS
 * OBJECT...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/load.h"
#include "test/bench/release.h"
#include "test/bench/split.h"

struct clock {
	struct sys sys, *kernel;
	struct split split;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct clock *c = (struct clock *)sys;	/* its first member */
	long ret;

	if (nr == __NR_bpf)
		split_enter(&c->split);
	ret = c->kernel->enter(c->kernel, nr, arg);
	if (c->kernel == sys_linux() && nr == __NR_bpf && arg[0] == BPF_PROG_LOAD)
		release_keep(ret);
	if (nr == __NR_bpf)
		split_leave(&c->split);
	return ret;
}

/* Only the time to load an object; unloading is not included. */
static int load(struct clock *c, const char *object, struct error *err)
{
	const struct load_options o = { 0 };
	struct output out = { .file = stderr };
	struct loading_types types;
	struct loading l;
	int ret;

	loading_types_init(&types, &c->sys, &o);
	split_begin(&c->split);
	ret = loading_begin(&l, &c->sys, &out, &o, &types, object, err);
	if (!ret)
		ret = loading_maps(&l, err);
	for (uint32_t i = 0; !ret && i < l.object.nr_progs; i++)
		ret = load_program(&l, i, err);
	if (!ret)
		split_end(&c->split, object);
	loading_end(&l);
	loading_types_free(&types);
	return ret;
}

/* One round with a kernel; a simulated one lasts no longer than that. */
static int load_all(struct clock *c, bool dry, int nr, char **objects, struct error *err)
{
	int ret = 0;

	for (int i = 0; !ret && i < nr; i++) {
		c->kernel = dry ? sys_dry() : sys_linux();
		ret = c->kernel ? load(c, objects[i], err) : -ENOMEM;
		if (dry)
			sys_dry_free(c->kernel);
		else if (release_all() && !ret)
			ret = -EBUSY;
	}
	return ret;
}

int main(int argc, char **argv)
{
	struct clock c = { .sys = { .enter = enter } };
	const bool dry = argc > 1 && !strcmp(argv[1], "dry");
	struct error err = { 0 };

	argv += dry;
	argc -= dry;
	release_prepare();
	split_prepare();
	for (int round = argc > 2 ? atoi(argv[1]) : 0; round > 0; round--) {
		if (load_all(&c, dry, argc - 2, argv + 2, &err)) {
			fprintf(stderr, "%s: %s\n", err.where, err.what);
			return 1;
		}
	}
	split_report(dry ? "pload, dry" : "pload");
	return 0;
}
