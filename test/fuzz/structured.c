// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions shared by the mutators of all formats: interesting numbers, and inputs of two parts. */
#include "test/fuzz/structured.h"
#include "test/unit/common/buffer.h"

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max);

struct mutator fuzz_seed(unsigned int seed)
{
	return (struct mutator){ .state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1 };
}

uint32_t pick_word(struct mutator *m, uint32_t old, uint32_t nr)
{
	switch (mutate_below(m, 8)) {
	case 0:
		return old + mutate_below(m, 17) - 8;
	case 1:
		return old ^ UINT32_C(1) << mutate_below(m, 32);
	case 2:
		return UINT32_C(1) << mutate_below(m, 32);
	case 3:
		return 8 * mutate_below(m, 64);
	case 4:
		return UINT32_MAX - mutate_below(m, 16);
	case 5:
		return mutate_below(m, 16);
	default:
		return mutate_below(m, nr ? nr : 1);
	}
}

size_t mutate_bytes(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	(void)m;
	/* libFuzzer's mutator needs some room. */
	return max ? LLVMFuzzerMutate(data, size, max) : size;
}

bool pair_split(struct bytes input, struct bytes *first, struct bytes *second)
{
	size_t len;

	if (input.size < 4)
		return false;
	len = bytes_u32(input, 0, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (len > input.size - 4)
		len = input.size - 4;
	*first = bytes_slice(input, 4, len);
	*second = bytes_slice(input, 4 + len, input.size - 4 - len);
	return true;
}

size_t pair_mutate(struct mutator *m, unsigned char *data, size_t size, size_t max,
		   mutation *first, mutation *second)
{
	struct bytes a = { 0 }, b = { 0 };
	struct buffer out = { 0 };
	size_t at, room;

	if (max < 64 || !pair_split((struct bytes){ data, size }, &a, &b))
		return mutate_bytes(m, data, size, max);
	room = max - 4;
	buffer_put(&out, 4, a.size, false);
	buffer_add(&out, a.data, a.size);
	at = buffer_add(&out, b.data, b.size);
	if (mutate_below(m, 2)) {
		buffer_add(&out, NULL, max - out.size);
		out.size = at + second(m, out.data + at, b.size, room - a.size);
	} else {
		buffer_add(&out, NULL, max);
		room = first(m, out.data + 4, a.size, room - b.size);
		out.size = 4 + room;
		buffer_add(&out, b.data, b.size);
		buffer_poke(&out, 0, 4, room, false);
	}
	size = out.size;
	memcpy(data, out.data, size);
	buffer_free(&out);
	return size;
}
