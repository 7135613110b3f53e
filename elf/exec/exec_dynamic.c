// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the symbols as the dynamic linker does: PT_DYNAMIC has the addresses of symbols, names and
 * versions. It is all that a file without section headers has.
 *
 *	PT_DYNAMIC      pairs of words (d_tag, d_val), ended by DT_NULL
 *	DT_SYMTAB       address of the symbols; only a hash table tells how many
 *	DT_STRTAB       address of their names; DT_STRSZ: bytes
 *	DT_GNU_HASH     nr_buckets, first symbol, nr_bloom, shift; bloom words; buckets; chains
 *	DT_HASH         nr_buckets, nr_chains (= symbols); buckets; chains
 *	DT_VERSYM       a 16-bit version index per symbol
 *	DT_VERDEF       chain of Elf64_Verdef: number, name
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/exec/exec_internal.h"

static int read_entries(const struct exec *x, struct bytes *entries, struct error *err)
{
	int ret = 0;

	*entries = (struct bytes){ 0 };
	for (uint32_t i = 0; !ret && i < x->nr_segments; i++)
		if (x->segments[i].type == PT_DYNAMIC)
			ret = exec_bytes(x, x->segments[i].offset, x->segments[i].file_size,
					 entries, err);
	return ret;
}

/* Get the value of the @nth PT_DYNAMIC entry tagged @tag; return false if there is none. */
static bool dynamic_value(const struct exec *x, int64_t tag, uint32_t nth, uint64_t *value)
{
	const uint64_t size = EXEC_SIZE(x, Dyn);
	struct bytes entries;

	if (read_entries(x, &entries, NULL))
		return false;
	for (uint64_t at = 0; bytes_hold(entries.size, at, size); at += size) {
		uint64_t there = exec_get(x, entries, at, EXEC_FIELD(Dyn, d_tag));

		if (!x->is_64)
			there = (int32_t)there;
		if (there == DT_NULL)
			break;
		if ((int64_t)there != tag || nth--)
			continue;
		*value = exec_get(x, entries, at, EXEC_FIELD(Dyn, d_un));
		return true;
	}
	return false;
}

/* There are as many chains as symbols. */
static bool count_by_hash(const struct exec *x, uint64_t address, uint64_t *nr)
{
	/* s390x and Alpha use 64-bit words here. */
	const bool wide = x->is_64 && x->machine == EM_S390;
	const unsigned int word = wide ? 8 : 4;
	struct bytes head;

	if (exec_loaded_bytes(x, address, 2 * word, &head, NULL))
		return false;
	*nr = wide ? bytes_u64(head, word, x->swap) : bytes_u32(head, word, x->swap);
	return true;
}

/*
 * A bucket holds the first symbol of its chain. The last symbol of a chain has the lowest bit of
 * its hash set. The last symbol overall ends the chain that starts last.
 */
static bool count_by_gnu_hash(const struct exec *x, uint64_t address, uint64_t *nr)
{
	uint64_t buckets, nr_buckets, first, at, last = 0;
	struct bytes table;

	if (exec_loaded_bytes(x, address, 0, &table, NULL) || table.size < 16)
		return false;
	nr_buckets = bytes_u32(table, 0, x->swap);
	first = bytes_u32(table, 4, x->swap);
	buckets = 16 + (uint64_t)bytes_u32(table, 8, x->swap) * (x->is_64 ? 8 : 4);
	if (!bytes_hold(table.size, buckets, nr_buckets * 4))
		return false;
	for (uint64_t i = 0; i < nr_buckets; i++) {
		const uint32_t begin = bytes_u32(table, buckets + 4 * i, x->swap);

		last = begin > last ? begin : last;
	}
	*nr = first;
	if (last < first)
		return true;
	for (at = buckets + 4 * nr_buckets + 4 * (last - first); bytes_hold(table.size, at, 4);
	     at += 4) {
		*nr = ++last;
		if (bytes_u32(table, at, x->swap) & 1)
			return true;
	}
	return false;
}

static bool read_names(const struct exec *x, struct bytes *names)
{
	uint64_t address, size;

	return dynamic_value(x, DT_STRTAB, 0, &address) &&
	       dynamic_value(x, DT_STRSZ, 0, &size) && size &&
	       !exec_loaded_bytes(x, address, size, names, NULL);
}

static int read_dynamic_versions(struct exec *x, struct error *err)
{
	uint64_t address;
	struct bytes defs;
	int ret;

	if (!dynamic_value(x, DT_VERSYM, 0, &address))
		return 0;
	ret = exec_loaded_bytes(x, address, 2ull * x->dynsym.nr, &x->dynsym.versions, err);
	if (ret || !dynamic_value(x, DT_VERDEF, 0, &address))
		return ret;
	ret = exec_loaded_bytes(x, address, 0, &defs, err);
	return ret ? ret : exec_read_versions(x, defs, x->dynsym.names, err);
}

int exec_dynamic(struct exec *x, struct error *err)
{
	uint64_t symbols, hash, nr = 0;
	struct bytes entries;
	int ret = read_entries(x, &entries, err);

	if (ret)
		return error_where(err, "PT_DYNAMIC");
	if (!dynamic_value(x, DT_SYMTAB, 0, &symbols) || !read_names(x, &x->dynsym.names))
		return 0;
	if (!(dynamic_value(x, DT_GNU_HASH, 0, &hash) && count_by_gnu_hash(x, hash, &nr)) &&
	    !(dynamic_value(x, DT_HASH, 0, &hash) && count_by_hash(x, hash, &nr)))
		return 0;
	if (!nr || nr > UINT32_MAX)
		return 0;
	ret = exec_loaded_bytes(x, symbols, nr * EXEC_SIZE(x, Sym), &x->dynsym.entries, err);
	if (!ret) {
		x->dynsym.nr = nr;
		ret = read_dynamic_versions(x, err);
	}
	return ret ? error_where(err, "PT_DYNAMIC") : 0;
}

const char *exec_needed(const struct exec *x, uint32_t i)
{
	struct bytes names;
	uint64_t at;

	if (!dynamic_value(x, DT_NEEDED, i, &at) || !read_names(x, &names))
		return NULL;
	return elf_string(names, at);
}
