// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Random lives with a model, or a kernel, that is wrong: prove/run builds it, and expects that a difference is found. */
#include <stdio.h>
#include <stdlib.h>

#include "test/regress/harness/parts.h"
#include "test/regress/random/actors.h"
#include "test/regress/random/random.h"

/* It carries no files. */
const struct regress_embedded *embedded_find(const char *name)
{
	static const struct regress_embedded none;

	(void)name;
	return &none;
}

/* prove SEED STEPS */
int main(int argc, char **argv)
{
	const struct random_options o = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
					  .steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000, .brief = true };

	actors_main(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	return random_run(&o);
}
