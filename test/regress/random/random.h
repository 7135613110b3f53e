/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* attach-regress --random: lives of attachments from a seed, compared with the model. */
#ifndef PLOAD_RANDOM_RANDOM_H
#define PLOAD_RANDOM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random_options {
	uint64_t seed;
	uint64_t steps;		/* 0: as many as there is time for */
	unsigned int seconds;	/* 0: as long as the steps take */
	bool verbose;		/* print each step before it is made */
	bool brief;		/* do not shorten what differs */
	const char *program;	/* the file for a C program; or NULL */
};

/* random_run() - print what comes of it as KTAP. Returns the exit status of the suite. */
int random_run(const struct random_options *o);

#endif
