// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files that take long to read because their tables are too large. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/hostile/hostile.h"

#define HOLE (200u << 20)
#define NAME_SIZE 100000000u	/* with the symbols just below 256 MB */
#define NR_SYMBOLS 7000000u

static void act_notes(struct stage *stage, const char *kind)
{
	char *path = path_of(stage, "x");
	struct elf_file f;
	uint64_t hole;

	elf_begin(&f, path);
	hole = f.at;
	elf_section(&f, ".hole", SHT_PROGBITS, NULL, HOLE);
	if (!strcmp(kind, "segments"))
		elf_note_segments(&f, 60000, hole, HOLE);
	else
		elf_note_sections(&f, 65000, hole, HOLE);
	elf_symbols(&f, "after_many_notes");
	elf_end(&f);
	elf_spin(path);
}

static void *names_file(struct stage *stage, const char *name)
{
	char *path = path_of(stage, name);
	struct elf_file f;

	elf_begin(&f, path);
	elf_many_symbols(&f, NR_SYMBOLS, NAME_SIZE);
	elf_end(&f);
	return elf_map(path);
}

static void act_names(struct stage *stage, const char *unused)
{
	void *code = names_file(stage, "x");

	(void)unused;
	if (!worker())
		((void (*)(void))code_at(code, code_spin))();
}

/* A stack whose frames are alternately in two files. */
static void act_two_names(struct stage *stage, const char *unused)
{
	const void *codes[] = { names_file(stage, "x"), names_file(stage, "y") };
	void *calls[32];
	const size_t nr = sizeof(calls) / sizeof(calls[0]);

	(void)unused;
	for (size_t i = 0; i < nr; i++)
		calls[i] = i < nr - 1 ? code_step_at(codes[i % 2]) : code_at(codes[1], code_spin);
	if (!worker())
		((void (*)(void *const *))calls[0])(calls + 1);
}

const struct attack file_attacks[] = {
	{ "note-segments", act_notes, .arg = "segments" },
	{ "note-sections", act_notes, .arg = "sections" },
	{ "long-names", act_names, .arg = NULL },
	{ "long-names-of-two", act_two_names, .arg = NULL },
	{ 0 },
};
