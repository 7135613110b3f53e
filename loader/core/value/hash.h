/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A hash of untrusted names: SipHash-1-3, by Aumasson and Bernstein. Without the key, nobody can
 * construct collisions.
 */
#ifndef PLOAD_CORE_VALUE_HASH_H
#define PLOAD_CORE_VALUE_HASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t rotate_left(uint64_t x, unsigned int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate_left(v[1], 13) ^ v[0];
	v[3] = rotate_left(v[3], 16) ^ v[2];
	v[0] = rotate_left(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate_left(v[1], 17) ^ v[2];
	v[3] = rotate_left(v[3], 21) ^ v[0];
	v[2] = rotate_left(v[2], 32);
}

/**
 * hash_name() - Return the hash of @len bytes.
 * @key: a number that an attacker does not know, such as the address of the table
 */
static inline uint64_t hash_name(uint64_t key, const char *name, size_t len)
{
	uint64_t v[4] = { key ^ 0x736f6d6570736575u, 0x646f72616e646f6du,
			  key ^ 0x6c7967656e657261u, 0x7465646279746573u };
	uint64_t word;

	for (size_t at = 0; at <= len; at += sizeof(word)) {
		unsigned char block[8] = { [7] = len };	/* number of bytes in the last word */

		memcpy(block, name + at, len - at < sizeof(block) ? len - at : sizeof(block));
		memcpy(&word, block, sizeof(word));
		word = le64toh(word);
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	for (unsigned int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
