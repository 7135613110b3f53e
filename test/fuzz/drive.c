// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The main() of a fuzz target in `make check`: the same fixed inputs in each run, without libFuzzer
 * and its measuring of coverage. `make fuzz` searches; this repeats, on the objects that the unit
 * tests are linked with.
 *
 *	TARGET RUNS MAX_LEN NAMES SEEDS		one test as TAP
 *	TARGET FILE				the input in FILE, once
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fuzz/target.h"

#define SEED		UINT64_C(0x706c6f6164)
#define SECONDS		60	/* for CHUNK inputs */
#define CHUNK		64
#define NR_WORDS	256

/* Some targets have no mutator of their own. */
#pragma weak LLVMFuzzerCustomMutator

struct pool {
	struct bytes *inputs;	/* owned, including the bytes of each */
	unsigned int nr;
};

/* The child keeps its current input here, and the parent prints it if the child dies. */
struct current {
	unsigned long nr_runs;
	size_t size;
	unsigned char data[];
};

static struct bytes words[NR_WORDS];	/* of names.dict */
static unsigned int nr_words;
static struct mutator bytewise = { SEED };

/* Short allocation stacks and a small quarantine, which would otherwise take most of the time. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "malloc_context_size=4:quarantine_size_mb=4:thread_local_quarantine_size_kb=64";
}

/* --- mutation of bytes, instead of libFuzzer's --- */

static size_t insert(unsigned char *data, size_t size, size_t max, const unsigned char *what,
		     size_t len)
{
	size_t at = mutate_below(&bytewise, size + 1);

	if (len > max - size)
		return size;
	memmove(data + at + len, data + at, size - at);
	memcpy(data + at, what, len);
	return size + len;
}

static size_t cut(unsigned char *data, size_t size)
{
	size_t at = mutate_below(&bytewise, size);
	size_t len = 1 + mutate_below(&bytewise, size - at < 16 ? size - at : 16);

	memmove(data + at, data + at + len, size - at - len);
	return size - len;
}

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max);

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max)
{
	unsigned char random = mutate_below(&bytewise, 256);
	struct bytes word = { &random, 1 };

	if (nr_words && mutate_below(&bytewise, 2))
		word = words[mutate_below(&bytewise, nr_words)];
	if (!size)
		return insert(data, size, max, word.data, word.size);
	switch (mutate_below(&bytewise, 4)) {
	case 0:
		data[mutate_below(&bytewise, size)] ^= 1 << mutate_below(&bytewise, 8);
		return size;
	case 1:
		data[mutate_below(&bytewise, size)] = random;
		return size;
	case 2:
		return cut(data, size);
	default:
		return insert(data, size, max, word.data, word.size);
	}
}

/* A line of a libFuzzer dictionary: "text with \x00 in it". */
static void read_word(char *line)
{
	char *end = strrchr(line, '"'), *out = line;
	unsigned int byte;

	if (line[0] != '"' || end == line || nr_words == NR_WORDS)
		return;
	for (char *in = line + 1; in < end; in++) {
		if (in[0] == '\\' && in[1] == 'x' && sscanf(in + 2, "%2x", &byte) == 1) {
			*out++ = byte;
			in += 3;
		} else {
			in += in[0] == '\\';
			*out++ = *in;
		}
	}
	words[nr_words++] = mutate_copy((struct bytes){ (void *)line, out - line }, out - line);
}

static void read_words(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		read_word(line);
	if (file)
		fclose(file);
}

/* --- the inputs --- */

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Leave out seeds longer than @max, which libFuzzer would truncate. */
static void read_seeds(struct pool *pool, const char *dir, size_t max)
{
	struct dirent **entries;
	int nr = scandir(dir, &entries, is_file, alphasort);
	char path[PATH_MAX];

	pool->inputs = calloc(nr > 0 ? nr + 1 : 1, sizeof(*pool->inputs));
	for (int i = 0; i < nr; i++) {
		struct bytes input;

		snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
		input = mutate_file(path);
		if (input.size && input.size <= max)
			pool->inputs[pool->nr++] = input;
		else
			free((void *)input.data);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	if (!pool->nr)
		pool->inputs[pool->nr++] = mutate_copy((struct bytes){ (void *)"0", 1 }, 1);
}

static void free_inputs(struct bytes *inputs, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		free((void *)inputs[i].data);
}

/*
 * Copy the input to an allocation of exactly its size, so that the sanitizer detects a read past
 * its end.
 */
static void run_once(struct current *now, struct bytes input)
{
	struct bytes copy = mutate_copy(input, input.size);

	now->size = input.size;
	memcpy(now->data, input.data, input.size);
	LLVMFuzzerTestOneInput(copy.data, copy.size);
	now->nr_runs++;
	free((void *)copy.data);
}

/*
 * Mutate an input one to four times. One result in eight replaces the input, so that mutations
 * accumulate.
 */
static void run_mutated(struct current *now, struct pool *pool, struct mutator *m, size_t max)
{
	struct bytes *from = &pool->inputs[mutate_below(m, pool->nr)];
	unsigned int times = 1 + mutate_below(m, 4);
	unsigned char data[max];
	size_t size = from->size;

	memcpy(data, from->data, size);
	while (times--) {
		unsigned int seed = mutate_below(m, UINT32_MAX);

		size = LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(data, size, max, seed) :
						 LLVMFuzzerMutate(data, size, max);
	}
	run_once(now, (struct bytes){ data, size });
	if (!mutate_below(m, 8)) {
		free((void *)from->data);
		*from = mutate_copy((struct bytes){ data, size }, size);
	}
}

static void run_all(struct current *now, unsigned long runs, size_t max, const char *seeds)
{
	struct mutator m = { SEED };
	struct pool pool = { 0 };

	read_seeds(&pool, seeds, max);
	for (unsigned int i = 0; i < pool.nr; i++)
		run_once(now, pool.inputs[i]);
	for (unsigned long i = 0; i < runs; i++) {
		if (i % CHUNK == 0)
			alarm(SECONDS);
		run_mutated(now, &pool, &m, max);
	}
	free_inputs(pool.inputs, pool.nr);
	free(pool.inputs);
	free_inputs(words, nr_words);
}

/* --- one test --- */

static int report(const char *program, const struct current *now, int status)
{
	const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
	char path[PATH_MAX];
	FILE *file;

	if (status == 0) {
		printf("ok 1 - %s: %lu inputs\n1..1\n", name, now->nr_runs);
		return 0;
	}
	snprintf(path, sizeof(path), "%s.found", program);
	file = fopen(path, "w");
	if (file) {
		fwrite(now->data, 1, now->size, file);
		fclose(file);
	}
	printf("not ok 1 - %s: input %lu\n# run it again: %s %s\n1..1\n", name,
	       now->nr_runs + 1, program, path);
	return 1;
}

int main(int argc, char **argv)
{
	size_t max = argc == 5 ? strtoul(argv[2], NULL, 0) : INT_MAX;
	struct current *now;
	struct bytes input;
	int status = 1;
	pid_t pid;

	if (argc == 2) {
		input = mutate_file(argv[1]);
		LLVMFuzzerTestOneInput(input.data, input.size);
		free((void *)input.data);
		return 0;
	}
	if (argc != 5) {
		fprintf(stderr, "usage: %s RUNS MAX_LEN NAMES SEEDS | %s FILE\n", argv[0], argv[0]);
		return 2;
	}
	now = mmap(NULL, sizeof(*now) + max, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		   -1, 0);
	if (now == MAP_FAILED || (pid = fork()) < 0)
		return 2;
	if (pid == 0) {
		read_words(argv[3]);
		run_all(now, strtoul(argv[1], NULL, 0), max, argv[4]);
		exit(0);
	}
	waitpid(pid, &status, 0);
	return report(argv[0], now, status);
}
