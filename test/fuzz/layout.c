// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lay out an object again, with other contents in its sections. */
#include "test/fuzz/layout.h"

struct bytes *layout_contents(const struct elf_image *image)
{
	struct bytes *contents = calloc(image->nr_sections, sizeof(*contents));

	if (!contents)
		abort();
	for (uint32_t i = 0; i < image->nr_sections; i++)
		contents[i] = image->sections[i].data;
	return contents;
}

struct buffer layout(const struct elf_image *image, const struct bytes *contents)
{
	struct buffer out = { 0 };
	size_t table;

	buffer_add(&out, image->header.data, image->header.size);
	table = buffer_add(&out, image->table.data, image->table.size);
	buffer_poke(&out, offsetof(struct elf64_hdr, e_shoff), 8, table, image->big_endian);
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		size_t shdr = table + i * sizeof(struct elf64_shdr), at;

		if (image->sections[i].type == SHT_NOBITS && !contents[i].size)
			continue;
		buffer_align(&out, 8);
		at = buffer_add(&out, contents[i].data, contents[i].size);
		buffer_poke(&out, shdr + offsetof(struct elf64_shdr, sh_offset), 8, at,
			    image->big_endian);
		buffer_poke(&out, shdr + offsetof(struct elf64_shdr, sh_size), 8, contents[i].size,
			    image->big_endian);
	}
	return out;
}
