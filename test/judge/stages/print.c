// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages that read the object and print it: sections, symbols, functions, maps. */
#include <stdio.h>
#include <string.h>

#include "test/judge/stages/stages.h"

/* A field of a line, and its expected number. */
struct field {
	const char *key;
	uint64_t number;
	const char *member;	/* where the number is */
};

/* Compare the fields of the line that begins with @start. The list ends with a key of NULL. */
static bool check_fields(struct run *run, const char *start, const struct field *fields)
{
	for (; fields->key; fields++) {
		const int64_t number = line_field(run, start, fields->key);

		if (number == -2)
			return wrong(run, "the line '%s' has no %s=NUMBER", start, fields->key);
		if ((uint64_t)number != fields->number)
			return wrong(run, "'%s' has %s=%lld, and it is %llu: that is %s", start,
				     fields->key, (long long)number,
				     (unsigned long long)fields->number, fields->member);
	}
	return true;
}

/* --- sections --- */

static bool each_section_listed(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[32];

	if (!line_next(run, "section", NULL))
		return wrong(run, "no line of your output begins with 'section': the first one "
			     "would be 'section 1 %s type=%u ...'", image->sections[1].name,
			     image->sections[1].type);
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		snprintf(start, sizeof(start), "section %u", i);
		if (!line_exists(run, start))
			return wrong(run, "section %u of %u has no line: e_shnum is %u, and entry 0 is "
				     "empty", i, image->nr_sections - 1, image->nr_sections);
	}
	return true;
}

static bool section_names(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[320], number[32];

	for (uint32_t i = 1; i < image->nr_sections; i++) {
		snprintf(start, sizeof(start), "section %u %s", i, image->sections[i].name);
		snprintf(number, sizeof(number), "section %u", i);
		if (!line_exists(run, start))
			return wrong(run, "section %u is called '%s': sh_name is an offset in the "
				     "section of strings whose number is e_shstrndx; this object has "
				     "several such sections%s", i, image->sections[i].name,
				     line_printed(run, number));
	}
	return true;
}

static bool section_fields(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[32];

	if (!lines_agree(run, "section", 2))
		return false;
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		const struct elf_section *s = &image->sections[i];

		snprintf(start, sizeof(start), "section %u", i);
		if (!check_fields(run, start, (const struct field[]){
				{ "type", s->type, "sh_type" }, { "flags", s->flags, "sh_flags" },
				{ "offset", s->offset, "sh_offset" }, { "size", s->size, "sh_size" },
				{ NULL, 0, NULL } }))
			return false;
	}
	return true;
}

#define SECTIONS_PAGE "book/sections.md"

const struct stage stage_sections = {
	.name = "sections", .title = "Read the sections",
	.task = "Read the header of the object and its table of sections. Print a line for each section, "
		"from number 1: section NR NAME type=T flags=F offset=O size=S",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl", .two_tables = true,
	.checks = (const struct check[]){
		{ "sections.count", each_section_listed, "each section has its line", SECTIONS_PAGE,
		  { "The header has the number of sections, and where their table begins.",
		    "e_shoff is the offset of the table, e_shnum the number of entries, e_shentsize the "
		    "size of one: 64 bytes.",
		    "for i in 1..e_shnum-1: the header of section i is at e_shoff + 64 * i" } },
		{ "sections.fields", section_fields, "they have their types, flags, offsets and sizes",
		  SECTIONS_PAGE,
		  { "Compare the line with `readelf -SW` of the object (--keep=DIR keeps it).",
		    "All fields of Elf64_Shdr from sh_flags to sh_size have 8 bytes.",
		    "Offsets: sh_type 4, sh_flags 8, sh_addr 16, sh_offset 24, sh_size 32." } },
		{ "sections.names", section_names, "and their names", SECTIONS_PAGE,
		  { "A name is not in the table: there is an offset.",
		    "sh_name is an offset in a section of strings. Which one that is is in the header.",
		    "The name begins at sh_offset of section e_shstrndx, plus sh_name; it ends at the "
		    "next byte that is 0. An object may have several string tables." } },
		{ 0 } },
	.beyond = "pload also reads the other byte order, more than 65,280 sections, and files that lie: "
		  "elf/sections.c.",
};

/* --- symbols --- */

static bool each_symbol_listed(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[32];

	for (uint32_t i = 1; i < image->nr_symbols; i++) {
		snprintf(start, sizeof(start), "symbol %u", i);
		if (!line_exists(run, start))
			return wrong(run, "symbol %u of %u has no line: .symtab has %u entries of 24 "
				     "bytes, the first of which is empty", i, image->nr_symbols - 1,
				     image->nr_symbols);
	}
	return true;
}

static bool symbol_names(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[320], number[32];

	for (uint32_t i = 1; i < image->nr_symbols; i++) {
		const struct elf_symbol *s = &image->symbols[i];

		snprintf(start, sizeof(start), "symbol %u %s", i, s->name);
		snprintf(number, sizeof(number), "symbol %u", i);
		if (!line_exists(run, start) && s->type == STT_SECTION)
			return wrong(run, "symbol %u is that of section %u (type 3) and has no name of "
				     "its own: it is called like the section, '%s'%s", i, s->section,
				     s->name, line_printed(run, number));
		if (!line_exists(run, start))
			return wrong(run, "symbol %u is called '%s': st_name is an offset in the section "
				     "that sh_link of .symtab names%s", i, s->name,
				     line_printed(run, number));
	}
	return true;
}

static bool symbol_fields(struct run *run)
{
	const struct elf_image *image = &run->object.image;
	char start[32];

	if (!lines_agree(run, "symbol", 2))
		return false;
	for (uint32_t i = 1; i < image->nr_symbols; i++) {
		const struct elf_symbol *s = &image->symbols[i];
		const uint32_t section = s->section & 0xffff;

		snprintf(start, sizeof(start), "symbol %u", i);
		if (!check_fields(run, start, (const struct field[]){
				{ "type", s->type, "the low 4 bits of st_info" },
				{ "bind", s->bind, "the high 4 bits of st_info" },
				{ "section", section, "st_shndx" }, { "value", s->value, "st_value" },
				{ "size", s->size, "st_size" }, { NULL, 0, NULL } }))
			return false;
	}
	return true;
}

#define SYMBOLS_PAGE "book/symbols.md"

const struct stage stage_symbols = {
	.name = "symbols", .title = "Read the symbols",
	.task = "Print a line for each symbol of .symtab, from number 1: symbol NR NAME type=T bind=B "
		"section=N value=V size=S. A symbol of type 3 has the name of its section.",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl", .two_tables = true,
	.checks = (const struct check[]){
		{ "symbols.count", each_symbol_listed, "each symbol has its line", SYMBOLS_PAGE,
		  { "The section of type 2 (SHT_SYMTAB) is the table.",
		    "An entry has 24 bytes: sh_size / 24 is their number.",
		    "Print from number 1: entry 0 is empty, and stands for no symbol." } },
		{ "symbols.fields", symbol_fields, "they have their fields", SYMBOLS_PAGE,
		  { "Compare the line with `readelf -sW` of the object.",
		    "st_info has two numbers: the binding above, the type below.",
		    "Offsets: st_name 0, st_info 4, st_other 5, st_shndx 6, st_value 8, st_size 16." } },
		{ "symbols.names", symbol_names, "and their names", SYMBOLS_PAGE,
		  { "Names of symbols are not in the table of the names of sections.",
		    "sh_link of .symtab is the number of its section of strings.",
		    "If the low 4 bits of st_info are 3, print the name of section st_shndx." } },
		{ 0 } },
	.beyond = "pload also reads SHN_XINDEX, and refuses symbols that lie outside of their section: "
		  "elf/symbols.c.",
};

/* --- functions --- */

/* Programs are global functions of a section that is not .text. */
static bool is_program(const struct bpf_object *obj, uint32_t func)
{
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		if (obj->progs[i].func == func)
			return true;
	return false;
}

static bool programs_listed(struct run *run)
{
	const struct bpf_object *obj = &run->object;
	char start[128];

	for (uint32_t i = 0; i < obj->nr_funcs; i++) {
		const struct object_func *f = &obj->funcs[i];
		const bool program = is_program(obj, i);

		snprintf(start, sizeof(start), "program %s", f->name);
		if (program && !line_exists(run, start))
			return wrong(run, "'%s' is a program and has no line: it is a global function in "
				     "section '%s'", f->name, obj->image.sections[f->section].name);
		if (!program && line_exists(run, start) && f->global)
			return wrong(run, "'%s' is no program: it is in .text, where programs find the "
				     "functions that they share", f->name);
		if (!program && line_exists(run, start))
			return wrong(run, "'%s' is no program: it is static, and other functions call "
				     "it", f->name);
		snprintf(start, sizeof(start), "function %s", f->name);
		if (!program && !line_exists(run, start))
			return wrong(run, "'%s' is a function that is no program, and has no line "
				     "'function %s ...'", f->name, f->name);
	}
	return true;
}

static bool function_extents(struct run *run)
{
	const struct bpf_object *obj = &run->object;
	char start[128], section[128];

	if (!lines_agree(run, "program", 2) || !lines_agree(run, "function", 2))
		return false;
	for (uint32_t i = 0; i < obj->nr_funcs; i++) {
		const struct object_func *f = &obj->funcs[i];
		const char *wanted = obj->image.sections[f->section].name;

		snprintf(start, sizeof(start), "%s %s", is_program(obj, i) ? "program" : "function",
			 f->name);
		if (!line_word(run, start, "section", section, sizeof(section)) ||
		    strcmp(section, wanted))
			return wrong(run, "'%s' has to have section=%s, which st_shndx names%s", start,
				     wanted, line_printed(run, start));
		if (line_field(run, start, "insns") == 8 * (int64_t)f->insn_cnt)
			return wrong(run, "'%s' has %u instructions, not %u: st_size is in bytes, and an "
				     "instruction has 8", f->name, f->insn_cnt, 8 * f->insn_cnt);
		if (f->first_insn && line_field(run, start, "first") == 0)
			return wrong(run, "'%s' begins at instruction %u of its section, not at 0: "
				     "st_value says so. A section may have several functions", f->name,
				     f->first_insn);
		if (!check_fields(run, start, (const struct field[]){
				{ "first", f->first_insn, "st_value / 8" },
				{ "insns", f->insn_cnt, "st_size / 8" }, { NULL, 0, NULL } }))
			return false;
	}
	return true;
}

const struct stage stage_functions = {
	.name = "functions", .title = "Find the programs",
	.task = "A program is a global function in a section that is not .text. Print a line for each, "
		"program NAME section=S first=I insns=N, and the same with the word function for each "
		"other function.",
	.object = "base.bpf.c", .features = "CALLS SEVERAL", .method = "ioctl",
	.checks = (const struct check[]){
		{ "functions.programs", programs_listed, "programs are told from other functions",
		  SYMBOLS_PAGE,
		  { "Functions are the symbols of type 2 (STT_FUNC).",
		    "A static function has binding 0 (STB_LOCAL), a global one 1.",
		    "program: type is 2, bind is 1, and the section's name is not .text" } },
		{ "functions.extents", function_extents, "each has its instructions", SYMBOLS_PAGE,
		  { "The symbol says where a function begins and how long it is.",
		    "st_value and st_size are in bytes from the start of section st_shndx.",
		    "first = st_value / 8, insns = st_size / 8" } },
		{ 0 } },
	.beyond = "pload also knows some 90 names of sections with their program types: "
		  "loader/core/object/kind.c.",
};

/* --- maps --- */

static bool maps_listed(struct run *run)
{
	const struct bpf_object *obj = &run->object;
	char start[128];

	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];

		snprintf(start, sizeof(start), "map %s", map->name);
		if (line_exists(run, start))
			continue;
		if (map->kind == OBJECT_MAP_DATA)
			return wrong(run, "'%s' is a map, too: programs reach variables in an array of "
				     "one element, which is the whole section", map->name);
		return wrong(run, "map '%s' has no line: it is a variable of DATASEC .maps", map->name);
	}
	return true;
}

static bool map_fields(struct run *run)
{
	const struct bpf_object *obj = &run->object;
	char start[128];

	if (!lines_agree(run, "map", 2))
		return false;
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];

		snprintf(start, sizeof(start), "map %s", map->name);
		if (map->kind != OBJECT_MAP_DATA && map->map_flags &&
		    line_field(run, start, "flags") == 0)
			return wrong(run, "'%s' is declared with __uint(map_flags, %u), and you print flags=0",
				     map->name, map->map_flags);
		if (map->value_size > 8 && line_field(run, start, "value") == 8 &&
		    map->kind != OBJECT_MAP_DATA)
			return wrong(run, "the value of '%s' has %u bytes, not 8: its type is a typedef, "
				     "which has no size; follow it to the array", map->name,
				     map->value_size);
		if (map->kind == OBJECT_MAP_DATA && map->read_only &&
		    line_field(run, start, "flags") == 0)
			return wrong(run, "'%s' holds constants: its flags are 0x80 (BPF_F_RDONLY_PROG), "
				     "so that programs cannot write it", map->name);
		if (!check_fields(run, start, (const struct field[]){
				{ "type", map->type, "the number of elements of the array that member "
						     "'type' points to" },
				{ "key", map->key_size, "the size of the type that member 'key' points to, or "
				  "the number of elements of the array that member 'key_size' points to" },
				{ "value", map->value_size,
				  map->kind == OBJECT_MAP_DATA ? "sh_size of the section" :
				  "the size of the type that member 'value' points to" },
				{ "entries", map->max_entries,
				  map->kind == OBJECT_MAP_DATA ? "one element, the whole section" :
				  "the number of elements of the array that member 'max_entries' points to" },
				{ map->kind == OBJECT_MAP_DATA ? NULL : "flags", map->map_flags,
				  "the number of elements of the array that member 'map_flags' points to, and 0 "
				  "without such a member" }, { NULL, 0, NULL } }))
			return false;
	}
	return true;
}

#define MAPS_PAGE "book/maps.md"

const struct stage stage_maps = {
	.name = "maps", .title = "Read the types, and find the maps",
	.task = "Read .BTF. Print a line for each variable of .maps and for each of .data, .bss and "
		".rodata: map NAME type=T key=K value=V entries=E flags=F",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl",
	.checks = (const struct check[]){
		{ "maps.listed", maps_listed, "each map has its line", "book/btf.md",
		  { "Types of kind 15 (DATASEC) have the name of a section and its variables.",
		    "The records of .BTF have different lengths by kind: one wrong length, and all that "
		    "follow are garbage.",
		    "An array of one element stands for .data, .bss and .rodata: key 4, value sh_size, "
		    "entries 1, type 2." } },
		{ "maps.fields", map_fields, "with its type, sizes and entries", MAPS_PAGE,
		  { "__uint(max_entries, 7) declares a pointer to an array of 7 elements; __type a pointer "
		    "to the type.",
		    "Go over typedefs and const (kinds 8 to 11) to the type that has a size.",
		    "The size of an array is nelems times the size of its type; a pointer has 8 bytes." } },
		{ 0 } },
	.beyond = "pload also checks every record, pins maps, and reads maps in maps: elf/btf_check.c, "
		  "loader/core/object/maps_btf.c.",
};
