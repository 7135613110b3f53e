// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * malloc(3) and its relatives for the whole process: libc and the code under test find these before
 * those of the sanitizer or libc, to which they forward.
 */
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/failing_malloc.h"

/* Defined by the sanitizer, in builds with one. */
__attribute__((weak)) void *__interceptor_malloc(size_t size);
__attribute__((weak)) void *__interceptor_calloc(size_t nr, size_t size);
__attribute__((weak)) void *__interceptor_realloc(void *old, size_t size);
__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t nr, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static __thread struct {
	bool on;
	unsigned int paused;	/* depth */
	unsigned int nr, fail;
	uint64_t *stacks;	/* borrowed */
	unsigned int max;
} watch;

/*
 * The first backtrace(3) loads a library. The sanitizer recognizes the dynamic loader by its
 * caller.
 */
__attribute__((constructor)) static void load_unwinder(void)
{
	void *frame;

	if (__lsan_disable)
		__lsan_disable();
	backtrace(&frame, 1);
	if (__lsan_enable)
		__lsan_enable();
}

static uint64_t stack_number(void)
{
	void *frames[32];
	const int nr = backtrace(frames, 32);
	uint64_t hash = 14695981039346656037ull;	/* FNV-1a */

	for (int i = 0; i < nr; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211ull;
	return hash;
}

static bool fails(void)
{
	if (!watch.on || watch.paused)
		return false;
	if (watch.nr < watch.max) {
		memory_pause();
		watch.stacks[watch.nr] = stack_number();
		memory_resume();
	}
	if (++watch.nr != watch.fail)
		return false;
	errno = ENOMEM;
	return true;
}

void memory_watch(unsigned int fail, uint64_t *stacks, unsigned int max)
{
	watch.nr = 0;
	watch.fail = fail;
	watch.stacks = stacks;
	watch.max = stacks ? max : 0;
	watch.on = true;
}

unsigned int memory_watch_end(void)
{
	watch.on = false;
	return watch.nr;
}

void memory_pause(void)
{
	watch.paused++;
}

void memory_resume(void)
{
	watch.paused--;
}

void *malloc(size_t size)
{
	if (fails())
		return NULL;
	return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	if (fails())
		return NULL;
	return __interceptor_calloc ? __interceptor_calloc(nr, size) : __libc_calloc(nr, size);
}

void *realloc(void *old, size_t size)
{
	if (fails())
		return NULL;
	return __interceptor_realloc ? __interceptor_realloc(old, size) :
				       __libc_realloc(old, size);
}

/* The sanitizer has its own versions of these, which do not call malloc(). */
void *reallocarray(void *old, size_t nr, size_t size)
{
	size_t whole;

	if (__builtin_mul_overflow(nr, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, whole);
}

char *strndup(const char *s, size_t size)
{
	const size_t len = strnlen(s, size);
	char *copy = malloc(len + 1);

	if (!copy)
		return NULL;
	copy[len] = '\0';
	return memcpy(copy, s, len);
}

char *strdup(const char *s)
{
	return strndup(s, strlen(s));
}
