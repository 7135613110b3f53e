// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzz the reader of ELF, which gets a separate allocation for each part it requests. */
#include <errno.h>

#include "test/fuzz/target.h"

struct piece {
	struct piece *next;
	unsigned char bytes[];
};

struct pieces {
	struct bytes file;
	struct piece *list;	/* owned */
	uint64_t left;		/* sections may all have the same bytes: the maximum in total */
};

static int get(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct pieces *p = arg;
	struct piece *piece;

	promise(bytes_hold(p->file.size, off, len));
	if (len > p->left)
		return error_set(err, EFBIG, "too much");
	p->left -= len;
	piece = malloc(sizeof(*piece) + len);
	if (!piece)
		abort();
	piece->next = p->list;
	p->list = piece;
	if (len)
		memcpy(piece->bytes, p->file.data + off, len);
	*out = (struct bytes){ piece->bytes, len };
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pieces pieces = { .file = { data, size }, .left = 64u << 20 };
	const struct source source = { .size = size, .get = get, .arg = &pieces };
	struct error err = { 0 };
	struct elf_image image;

	if (walk_error(elf_image_read(&image, &source, &err), &err)) {
		walk_image(&image);
		elf_image_free(&image);
	}
	promise(!image.sections && !image.symbols && !image.nr_sections);
	while (pieces.list) {
		struct piece *next = pieces.list->next;

		free(pieces.list);
		pieces.list = next;
	}
	return 0;
}

FUZZ_MUTATES(mutate_elf)
