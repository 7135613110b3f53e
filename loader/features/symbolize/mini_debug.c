// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decompress .gnu_debugdata: an ELF file in xz format, whose .symtab has the functions that .dynsym
 * lacks.
 */
#include <stdlib.h>

#include <lzma.h>

#include "elf/exec/exec.h"
#include "loader/features/symbolize/symbolize_internal.h"

/* The section of a browser takes 20 MB. The limits are for files that lie about their size. */
#define DECODER_MAX (64u << 20)
#define SIZE_MAX_BYTES (64u << 20)

/* Decompress into @out until the end; return LZMA_STREAM_END, or why not. */
static lzma_ret decompress(lzma_stream *xz, unsigned char **out, size_t *size)
{
	lzma_ret ret = LZMA_OK;

	while (ret == LZMA_OK && *size < SIZE_MAX_BYTES) {
		const size_t room = *size ? 2 * *size : 64 << 10;
		unsigned char *grown = realloc(*out, room);

		if (!grown)
			return LZMA_MEM_ERROR;
		*out = grown;
		xz->next_out = *out + *size;
		xz->avail_out = room - *size;
		do
			ret = lzma_code(xz, LZMA_FINISH);
		while (ret == LZMA_OK && xz->avail_out);
		*size = room - xz->avail_out;
	}
	return ret;
}

struct bytes mini_debug_read(const struct exec *x)
{
	const struct exec_section *s = exec_section(x, ".gnu_debugdata");
	lzma_stream xz = LZMA_STREAM_INIT;
	unsigned char *out = NULL;
	struct bytes bytes;
	size_t size = 0;
	lzma_ret ret;

	if (!s || exec_section_bytes(x, s, &bytes, NULL) || !bytes.size ||
	    lzma_stream_decoder(&xz, DECODER_MAX, 0) != LZMA_OK)
		return (struct bytes){ 0 };
	xz.next_in = bytes.data;
	xz.avail_in = bytes.size;
	ret = decompress(&xz, &out, &size);
	lzma_end(&xz);
	if (ret == LZMA_STREAM_END)
		return (struct bytes){ out, size };
	free(out);
	return (struct bytes){ 0 };
}
