// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mutate objects: the contents of a section by its purpose, and the layout of the file. */
#include <linux/bpf.h>

#include "elf/image.h"
#include "test/fuzz/layout.h"
#include "test/fuzz/structured.h"

static void put(const struct elf_image *image, unsigned char *at, unsigned int width, uint64_t v)
{
	for (unsigned int i = 0; i < width; i++)
		at[image->big_endian ? width - 1 - i : i] = v >> (8 * i);
}

/* An instruction that readers look at, or one field of it. */
static void change_insn(struct mutator *m, const struct elf_image *image, unsigned char *data,
			size_t size)
{
	static const uint8_t codes[] = {
		BPF_LD | BPF_IMM | BPF_DW, BPF_JMP | BPF_CALL, BPF_JMP | BPF_EXIT,
		BPF_ALU64 | BPF_MOV | BPF_K, BPF_ALU64 | BPF_MOV | BPF_X, BPF_ALU64 | BPF_ADD |
		BPF_K,
		BPF_LDX | BPF_MEM | BPF_W, BPF_STX | BPF_MEM | BPF_DW, BPF_ST | BPF_MEM | BPF_B,
		BPF_JMP | BPF_JA, BPF_JMP32 | BPF_JA, BPF_STX | BPF_ATOMIC | BPF_DW, 0,
	};
	unsigned char *insn;

	if (size < 8)
		return;
	insn = data + mutate_below(m, size / 8) * 8;
	switch (mutate_below(m, 5)) {
	case 0:
		insn[0] = codes[mutate_below(m, sizeof(codes))];
		break;
	case 1:
		insn[1] = mutate_below(m, 2) ? mutate_below(m, 256) : mutate_below(m, 8) << 4;
		break;
	case 2:
		put(image, insn + 2, 2, pick_word(m, 0, size / 8));
		break;
	case 3:
		put(image, insn + 4, 4, mutate_below(m, 2) ? mutate_below(m, 256) :
							     mutate_below(m, 32) - UINT64_C(16));
		break;
	default:
		memmove(insn, data + mutate_below(m, size / 8) * 8, 8);
	}
}

static void change_symbol(struct mutator *m, const struct elf_image *image, unsigned char *data,
			  size_t size)
{
	uint32_t nr = size / sizeof(struct elf64_sym);
	unsigned char *sym = data + mutate_below(m, nr ? nr : 1) * sizeof(struct elf64_sym);

	if (!nr)
		return;
	switch (mutate_below(m, 6)) {
	case 0:
		put(image, sym + offsetof(struct elf64_sym, st_shndx), 2,
		    mutate_below(m, 8) ? mutate_below(m, image->nr_sections) :
					 SHN_LORESERVE + mutate_below(m, 256));
		break;
	case 1:
		put(image, sym + offsetof(struct elf64_sym, st_value), 8, pick_word(m, 0, 256));
		break;
	case 2:
		put(image, sym + offsetof(struct elf64_sym, st_size), 8, pick_word(m, 0, 256));
		break;
	case 3:
		sym[offsetof(struct elf64_sym, st_info)] =
			mutate_below(m, 4) << 4 | mutate_below(m, 6);
		break;
	case 4:
		sym[offsetof(struct elf64_sym, st_other)] = mutate_below(m, 5);
		break;
	default:
		put(image, sym, 4, mutate_below(m, 256));
	}
}

static void change_reloc(struct mutator *m, const struct elf_image *image, unsigned char *data,
			 size_t size, size_t each)
{
	static const uint32_t types[] = { R_BPF_64_64, R_BPF_64_32, R_BPF_64_ABS64, R_BPF_64_ABS32,
					  R_BPF_64_NODYLD32, R_BPF_NONE };
	unsigned char *rel;

	if (size < each)
		return;
	rel = data + mutate_below(m, size / each) * each;
	switch (mutate_below(m, 3)) {
	case 0:
		put(image, rel, 8, mutate_below(m, 2) ? 8 * mutate_below(m, 64) :
							mutate_below(m, 1024));
		break;
	case 1:
		put(image, rel + 8 + (image->big_endian ? 0 : 4), 4,
		    mutate_below(m, image->nr_symbols + 1));
		break;
	default:
		put(image, rel + 8 + (image->big_endian ? 4 : 0), 4,
		    types[mutate_below(m, sizeof(types) / sizeof(types[0]))]);
	}
}

/* A word of any other section: map definitions, data. */
static void change_word(struct mutator *m, const struct elf_image *image, unsigned char *data,
			size_t size)
{
	if (size >= 4)
		put(image, data + mutate_below(m, size / 4) * 4, 4, pick_word(m, 0, 64));
}

static size_t change_contents(struct mutator *m, const struct elf_image *image, uint32_t i,
			      unsigned char *data, size_t max)
{
	const struct elf_section *s = &image->sections[i];
	size_t size = s->data.size;

	if (!strcmp(s->name, ".BTF"))
		return mutate_btf(m, data, size, max);
	if (!strcmp(s->name, ".BTF.ext"))
		return mutate_ext(m, data, size, max);
	if (!mutate_below(m, 8))
		return mutate_bytes(m, data, size, max);
	if (s->type == SHT_SYMTAB)
		change_symbol(m, image, data, size);
	else if (elf_section_is_reloc(image, i))
		change_reloc(m, image, data, size, s->type == SHT_RELA ? 24 : 16);
	else if (s->flags & SHF_EXECINSTR)
		change_insn(m, image, data, size);
	else if (s->type == SHT_PROGBITS)
		change_word(m, image, data, size);
	else
		size = mutate_bytes(m, data, size, mutate_below(m, 4) ? size : max);
	return size;
}

static size_t mutate_section(struct mutator *m, const struct elf_image *image, unsigned char *data,
			     size_t size, size_t max)
{
	uint32_t i = 1 + mutate_below(m, image->nr_sections - 1);
	struct bytes old = image->sections[i].data, *contents;
	struct buffer changed = { 0 }, out;

	if (!old.size)
		return size;
	buffer_add(&changed, old.data, old.size);
	buffer_add(&changed, NULL, max);	/* room to grow; then the whole may be too long */
	changed.size = change_contents(m, image, i, changed.data, old.size + 64);
	contents = layout_contents(image);
	contents[i] = buffer_bytes(&changed);
	out = layout(image, contents);
	if (out.size <= max) {
		size = out.size;
		memcpy(data, out.data, size);
	}
	free(contents);
	buffer_free(&changed);
	buffer_free(&out);
	return size;
}

size_t mutate_elf(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	struct bytes copy = mutate_copy((struct bytes){ data, size }, size), mutant;
	struct elf_image image = { 0 };
	uint64_t way = mutate_below(m, 16);

	if (way == 0) {
		size = mutate_bytes(m, data, size, max);
	} else if (way < 13 && !elf_image_parse(&image, copy, NULL) && image.nr_sections > 1) {
		size = mutate_section(m, &image, data, size, max);
	} else if (size) {
		mutant = mutate(m, copy);
		memcpy(data, mutant.data, mutant.size);
		size = mutant.size;
		free((void *)mutant.data);
	} else {
		size = mutate_bytes(m, data, size, max);
	}
	elf_image_free(&image);
	free((void *)copy.data);
	return size;
}
