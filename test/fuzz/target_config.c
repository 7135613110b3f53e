// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes the reading of the kernel's configuration and of its symbols. The input: a byte of flags,
 * and the text of both.
 */
#include <zlib.h>

#include "loader/objects/externs/externs.h"
#include "test/fuzz/kernel.h"
#include "test/fuzz/seeds.h"
#include "test/fuzz/target.h"

enum {
	COMPRESS = 1,	/* compress the text with gzip first */
	NAMED = 2,	/* it is the file named by the user */
};

/* Parsed once and never freed: each input is read for the same object. */
static struct bpf_object *object(void)
{
	static struct bpf_object obj;
	static struct buffer file;
	struct error err = { 0 };

	if (!file.data) {
		file = seed_extern_object();
		promise(walk_error(bpf_object_parse(&obj, "fuzz.o", buffer_bytes(&file), &err),
				   &err));
	}
	return &obj;
}

static struct bytes gzip(struct bytes text)
{
	z_stream stream = { 0 };
	unsigned char *data;
	size_t room;

	promise(deflateInit2(&stream, 1, Z_DEFLATED, 16 + 9, 1, Z_DEFAULT_STRATEGY) == Z_OK);
	room = deflateBound(&stream, text.size);
	data = malloc(room);
	if (!data)
		abort();
	stream.next_in = (unsigned char *)text.data;
	stream.avail_in = text.size;
	stream.next_out = data;
	stream.avail_out = room;
	promise(deflate(&stream, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&stream);
	return (struct bytes){ data, room - stream.avail_out };
}

static void use(struct bpf_object *obj, struct fuzz_kernel *k, bool named)
{
	struct kernel_types types;
	struct error err = { 0 };
	struct prog_code code;
	struct externs externs;

	kernel_types_init(&types, &k->sys, NULL);
	externs_init(&externs, &k->sys, &types, obj, named ? FUZZ_CONFIG : NULL);
	if (walk_error(externs_read_kconfig(&externs, &err), &err) &&
	    walk_error(relocate(obj, 0, NULL, &code, &err), &err))
		prog_code_free(&code);
	externs_free(&externs);
	kernel_types_free(&types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bpf_object *obj = object();
	struct fuzz_kernel k;
	struct bytes text;

	if (!size)
		return -1;
	fuzz_kernel_init(&k);
	text = (struct bytes){ data + 1, size - 1 };
	k.symbols = text;
	k.config = data[0] & COMPRESS ? gzip(text) : text;
	use(obj, &k, data[0] & NAMED);
	promise(!k.nr_open);
	if (data[0] & COMPRESS)
		free((void *)k.config.data);
	return 0;
}
