// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A million samples from a hundred processes, named and folded: as the rows in which a program
 * counts them, and one by one, as perf reads them from its file.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/profile/address_names/addresses.h"
#include "loader/profile/stacks/profile.h"
#include "loader/core/sys/sys.h"
#include "test/bench/figure.h"

#define PROCESSES 100
#define SAMPLES 1000000
#define DEPTH 30

extern const char __executable_start[], etext[];

/* SplitMix64, so that each run has the same stacks. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Add stack number @stack of process @pid. The outer halves of most stacks are the same. */
static int add(struct profile *profile, struct frame_namer *namer, uint32_t pid, uint64_t stack,
	       uint64_t weight)
{
	const uint64_t size = etext - __executable_start;
	struct frame frames[DEPTH];

	for (unsigned int i = 0; i < DEPTH; i++) {
		uint64_t seed = i < DEPTH / 2 ? i : i < DEPTH - 2 ? stack % 50 * DEPTH + i :
								    stack * DEPTH + i;
		struct frame_query query = {
			.address = (uintptr_t)__executable_start + next_random(&seed) % size,
			.caller = i < DEPTH - 1, .pid = pid,
		};

		namer->name(namer, &query, &frames[i]);
	}
	return profile_add(profile, frames, DEPTH, weight, NULL);
}

static int measure(const char *what, const pid_t *pids, unsigned int stacks, unsigned int times)
{
	const double begin = cpu_seconds();
	struct addresses *addresses = addresses_new(sys_linux());
	struct profile *profile = profile_new();
	const uint64_t weight = SAMPLES / (PROCESSES * stacks * times);
	FILE *null = fopen("/dev/null", "w");
	struct profile_about about = { .title = "bench", .unit = "samples" };
	struct rusage usage;
	char name[128];
	int ret = addresses && profile && null ? 0 : -1;

	for (unsigned int t = 0; !ret && t < times; t++)
		for (unsigned int i = 0; !ret && i < PROCESSES * stacks; i++)
			ret = add(profile, addresses_namer(addresses), pids[i % PROCESSES],
				  i / PROCESSES, weight);
	if (!ret)
		ret = profile_print(profile_format_find("folded"), null, profile, &about, NULL);
	getrusage(RUSAGE_SELF, &usage);
	figure("symbols", what, "pload", "s", cpu_seconds() - begin);
	snprintf(name, sizeof(name), "%s: memory", what);
	figure("symbols", name, "pload", "MB", usage.ru_maxrss / 1024);
	if (null)
		fclose(null);
	profile_free(profile);
	addresses_free(addresses);
	return ret;
}

int main(void)
{
	pid_t pids[PROCESSES];
	int ret;

	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			pause();
			_exit(0);
		}
	}
	ret = measure("1,000,000 samples, counted in 100,000 rows", pids, 1000, 1);
	if (!ret)
		ret = measure("1,000,000 samples, one by one", pids, 1000, 10);
	for (int i = 0; i < PROCESSES; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	if (ret)
		fprintf(stderr, "bench: it failed\n");
	return !!ret;
}
