/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Walks over everything that a reader gave, by every accessor, to see that what the headers promise
 * holds: an index in range, a string that ends, an order. A promise broken ends the process.
 */
#ifndef PLOAD_TEST_FUZZ_WALK_H
#define PLOAD_TEST_FUZZ_WALK_H

#include "loader/objects/co_re/co_re.h"

/* promise() - End the process, naming @what and where, unless @holds. */
#define promise(holds) \
	((holds) ? (void)0 : promise_broken(#holds, __FILE__, __LINE__))

void promise_broken(const char *what, const char *file, int line) __attribute__((noreturn, cold));

/*
 * walk_error() - what every function of ours promises of @ret and @err: 0, or a negative errno
 * which
 * @err has as well, with words that can be printed, and a place (but for lack of memory). Clears
 * @err and gives whether it was 0.
 */
bool walk_error(int ret, struct error *err);

/*
 * walk_text() - of everything that is printed: UTF-8 that no terminal acts on, but for newlines and
 * tabs. Gives how often @element is in it.
 */
unsigned int walk_text(const char *text, size_t size, const char *element);

void walk_image(const struct elf_image *image);

/*
 * walk_btf() - of BTF from btf_parse(); walk_indexed() - of BTF from btf_open() or
 * btf_index(), by the room core.
 */
void walk_btf(const struct btf *btf);
void walk_indexed(const struct btf *btf);
void walk_ext(const struct btf *btf, const struct btf_ext *ext);

void walk_object(const struct bpf_object *obj);

/* walk_code() - of what relocate() made of a program of @obj with @map_fds. */
void walk_code(const struct bpf_object *obj, const int *map_fds, const struct prog_code *code);

/*
 * walk_uses() - link and scan each program (the first 16) with the hook of @core. @usage has room
 * for each map.
 */
void walk_uses(struct bpf_object *obj, struct co_re *core, struct map_usage *usage);

#endif
