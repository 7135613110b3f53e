// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads objects as pload does, with a clock at the seam. usage: split_pload ROUNDS OBJECT... */
#include <stdio.h>
#include <stdlib.h>

#include "loader/session/load.h"
#include "test/bench/release.h"
#include "test/bench/split.h"

struct clock {
	struct sys sys;
	struct split split;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct clock *c = (struct clock *)sys;	/* its first member */
	long ret;

	if (nr == __NR_bpf)
		split_enter(&c->split);
	ret = sys_linux()->enter(sys_linux(), nr, arg);
	if (nr == __NR_bpf && arg[0] == BPF_PROG_LOAD)
		release_keep(ret);
	if (nr == __NR_bpf)
		split_leave(&c->split);
	return ret;
}

/* As long as an object needs to be loaded; giving it back is no part of it. */
static int load(struct clock *c, const char *object, struct error *err)
{
	const struct load_options o = { 0 };
	struct loading_types types;
	struct loading l;
	int ret;

	loading_types_init(&types, &c->sys, &o);
	split_begin(&c->split);
	ret = loading_begin(&l, &c->sys, &o, &types, object, err);
	if (!ret)
		ret = loading_maps(&l, err);
	for (uint32_t i = 0; !ret && i < l.object.nr_progs; i++)
		ret = loading_program(&l, i, err);
	if (!ret)
		split_end(&c->split, object);
	loading_end(&l);
	loading_types_free(&types);
	return ret;
}

int main(int argc, char **argv)
{
	struct clock c = { .sys = { .enter = enter } };
	struct error err = { 0 };

	release_prepare();
	split_prepare();
	for (int round = argc > 2 ? atoi(argv[1]) : 0; round > 0; round--) {
		for (int i = 2; i < argc; i++) {
			const int ret = load(&c, argv[i], &err);

			if (ret)
				fprintf(stderr, "%s: %s\n", err.where, err.what);
			if (release_all() || ret)
				return 1;
		}
	}
	split_report("pload");
	return 0;
}
