// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the notes of USDT probes, section .note.stapsdt:
 *
 *	n_namesz 8, n_descsz, n_type 3, "stapsdt\0"
 *	address of the probe            8 bytes each, or 4 in ELF32
 *	address of .stapsdt.base        when the file was linked
 *	address of the semaphore        0: none
 *	"provider\0" "name\0" "-4@%eax 8@-8(%rbp)\0"
 */
#include <errno.h>
#include <inttypes.h>

#include "elf/exec/exec_internal.h"

#define NOTE_NAME "stapsdt"
#define NOTE_TYPE 3 /* version of the format; the only one in ten years */

void sdt_begin(struct sdt_reader *r, const struct exec *x)
{
	const struct exec_section *base = exec_section(x, ".stapsdt.base");

	*r = (struct sdt_reader){ .x = x, .has_base = base, .base = base ? base->address : 0 };
}

/* Go to the next section of this name: a linker script may keep several. */
static int next_section(struct sdt_reader *r, struct error *err)
{
	const struct exec *x = r->x;

	while (++r->section < x->nr_sections) {
		const struct exec_section *s = &x->sections[r->section];

		if (s->type != SHT_NOTE || strcmp(s->name, ".note.stapsdt"))
			continue;
		r->at = 0;
		return exec_section_bytes(x, s, &r->notes, err) ? err ? err->code : -EBADMSG : 1;
	}
	return 0;
}

static int damaged(const struct sdt_reader *r, uint64_t at, const char *what, struct error *err)
{
	error_set(err, EBADMSG, "%s", what);
	error_where(err, "section '%.80s' at 0x%" PRIx64, r->x->sections[r->section].name, at);
	return -EBADMSG;
}

/* Establishes that the descriptor consists of three addresses and three strings. */
static bool read_note(const struct sdt_reader *r, struct bytes desc, struct sdt_note *note)
{
	const bool is_64 = r->x->is_64, swap = r->x->swap;
	const size_t word = is_64 ? 8 : 4;
	uint64_t address[3], at = 3 * word;
	const char *text[3];

	if (desc.size < at)
		return false;
	for (size_t i = 0; i < 3; i++)
		address[i] =
			is_64 ? bytes_u64(desc, i * word, swap) : bytes_u32(desc, i * word, swap);
	for (size_t i = 0; i < 3; i++) {
		text[i] = elf_string(desc, at);
		if (!text[i])
			return false;
		at += strlen(text[i]) + 1;
	}
	*note = (struct sdt_note){ text[0], text[1], text[2], address[0], address[2] };
	if (r->has_base && address[1]) {
		note->address += r->base - address[1];
		note->semaphore += note->semaphore ? r->base - address[1] : 0;
	}
	if (!is_64) {
		note->address = (uint32_t)note->address;
		note->semaphore = (uint32_t)note->semaphore;
	}
	return true;
}

/*
 * Get the descriptor of the note at r->at and advance; set whether its name and type match. Return:
 * 1, 0 at the end, or -EBADMSG.
 */
static int step(struct sdt_reader *r, struct bytes *desc, bool *is_ours, struct error *err)
{
	const bool swap = r->x->swap;
	const uint64_t at = r->at, name_at = at + sizeof(Elf64_Nhdr);
	uint32_t name_size, size;
	uint64_t desc_at;

	if (at >= r->notes.size)
		return 0;
	if (!bytes_hold(r->notes.size, at, sizeof(Elf64_Nhdr)))
		return damaged(r, at, "it ends inside a note header", err);
	name_size = bytes_u32(r->notes, at, swap);
	size = bytes_u32(r->notes, at + offsetof(Elf64_Nhdr, n_descsz), swap);
	desc_at = name_at + (((uint64_t)name_size + 3) & ~3ull);
	if (!bytes_hold(r->notes.size, desc_at, size))
		return damaged(r, at, "a note extends past the section", err);
	*desc = bytes_slice(r->notes, desc_at, size);
	*is_ours = bytes_u32(r->notes, at + offsetof(Elf64_Nhdr, n_type), swap) == NOTE_TYPE &&
		   name_size == sizeof(NOTE_NAME) &&
		   !memcmp(r->notes.data + name_at, NOTE_NAME, sizeof(NOTE_NAME));
	r->at = desc_at + (((uint64_t)size + 3) & ~3ull);
	return 1;
}

int sdt_next(struct sdt_reader *r, struct sdt_note *note, struct error *err)
{
	struct bytes desc;
	uint64_t at;
	bool is_ours;
	int ret;

	for (;;) {
		at = r->at;
		ret = step(r, &desc, &is_ours, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			ret = next_section(r, err);
			if (ret <= 0)
				return ret;
			continue;
		}
		if (!is_ours)
			continue;
		if (!read_note(r, desc, note))
			return damaged(r, at,
				       "a note does not consist of three addresses and three "
				       "strings", err);
		return 1;
	}
}
