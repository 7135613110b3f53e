// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The smallest real loader: it loads an object of clang and runs its first program, in one file,
 * with raw system calls and nothing of pload. Every error ends it. Read it from the top, a stage
 * at a time; README.md shows how to compile and run the first N stages.
 *
 *	build/tour-loader build/progs/ip_count.bpf.o ioctl|pmu|link [COOKIE]
 *
 * It leaves out, and these files of pload have:
 *
 *	damaged and hostile objects, the other byte order	elf/image.c, elf/btf_check.c
 *	several programs, and other program types	loader/core/session/plan.c, loader/core/object/kind.c
 *	pinned maps, maps of maps, arenas, types of keys	loader/core/object/maps_btf.c
 *	one map for each CPU's event, and its ring	loader/core/kernel/map_types.c, loader/core/read/
 *	CO-RE: types of the running kernel		loader/objects/co_re/
 *	externs: functions and variables of the kernel	loader/objects/externs/
 *	line_info: the source in the verifier's log	loader/core/object/relocate.c
 *	what older kernels do not know			loader/core/kernel/load_prog.c, limits.c
 *	other events, CPUs and tasks			loader/core/event/, loader/core/attach/open_scope.c
 *	values by their types				loader/core/value/
 *	why a call was refused				loader/explain/event/, docs/reasons/
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>

#define FILE_SIZE_MAX (16 << 20)
#define ELEMENTS_SHOWN 8	/* of each map */

/* ---- Stage 1: sections ----
 *
 * An object is a header, a table of sections, and the bytes of the sections:
 *
 *	Elf64_Ehdr --e_shoff--> Elf64_Shdr[e_shnum] --sh_offset--> sh_size bytes
 *
 * A name is an offset in a section of strings. e_shstrndx is the section with names of sections.
 */
static unsigned char *file;	/* the bytes of the object, of which stage 4 corrects some */
static uint64_t file_size;
static const Elf64_Ehdr *header;
static const Elf64_Shdr *sections;

/* Return the address of @size bytes at @offset of the file. A file that is cut off ends here. */
static void *file_at(uint64_t offset, uint64_t size)
{
	if (offset > file_size || size > file_size - offset)
		errx(1, "offset %ju is outside of the file", (uintmax_t)offset);
	return file + offset;
}

static const char *section_name(uint32_t i)
{
	return file_at(sections[header->e_shstrndx].sh_offset + sections[i].sh_name, 1);
}

static void read_object(const char *path)
{
	FILE *stream = fopen(path, "r");

	if (!stream)
		err(1, "%s", path);
	file = calloc(1, FILE_SIZE_MAX + 1);	/* the last string ends at the end of the file */
	file_size = fread(file, 1, FILE_SIZE_MAX, stream);
	fclose(stream);
	header = file_at(0, sizeof(*header));
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_machine != EM_BPF)
		errx(1, "%s is no BPF object in this machine's byte order", path);
	sections = file_at(header->e_shoff, header->e_shnum * sizeof(*sections));
}

static void print_sections(void)
{
	for (uint32_t i = 1; i < header->e_shnum; i++)
		printf("section %u %s type=%u flags=0x%jx offset=%ju size=%ju\n", i,
		       section_name(i), sections[i].sh_type, (uintmax_t)sections[i].sh_flags,
		       (uintmax_t)sections[i].sh_offset, (uintmax_t)sections[i].sh_size);
}

/* ---- Stage 2: symbols ----
 *
 * A symbol names an offset (st_value) in a section (st_shndx). Functions, maps and variables have
 * symbols. To refer to something static, clang uses the symbol of its section instead.
 */
static const Elf64_Sym *symbols;
static uint32_t nr_symbols;
static uint64_t symbol_strings;

static void *section_data(uint32_t i)
{
	return file_at(sections[i].sh_offset, sections[i].sh_size);
}

/* Return the number of the section. */
static uint32_t find_section(const char *name)
{
	for (uint32_t i = 1; i < header->e_shnum; i++)
		if (!strcmp(section_name(i), name))
			return i;
	errx(1, "the object has no section '%s'", name);
}

static void read_symbols(void)
{
	const uint32_t i = find_section(".symtab");

	symbols = section_data(i);
	nr_symbols = sections[i].sh_size / sizeof(*symbols);
	symbol_strings = sections[sections[i].sh_link].sh_offset;
}

static const char *symbol_name(const Elf64_Sym *symbol)
{
	if (ELF64_ST_TYPE(symbol->st_info) == STT_SECTION)
		return section_name(symbol->st_shndx);
	return file_at(symbol_strings + symbol->st_name, 1);
}

static void print_symbols(void)
{
	for (uint32_t i = 1; i < nr_symbols; i++)
		printf("symbol %u %s type=%u bind=%u section=%u value=%ju size=%ju\n", i,
		       symbol_name(&symbols[i]), ELF64_ST_TYPE(symbols[i].st_info),
		       ELF64_ST_BIND(symbols[i].st_info), symbols[i].st_shndx,
		       (uintmax_t)symbols[i].st_value, (uintmax_t)symbols[i].st_size);
}

/* ---- Stage 3: functions ----
 *
 * The kernel gets each program on its own. A program is a global function outside of .text; the name
 * of its section is its type. Programs call the other functions.
 */
struct func {
	const char *name;
	uint32_t section;
	uint32_t first, nr;	/* instructions of the section; each has 8 bytes */
	bool is_program;
	bool is_linked;		/* stage 7: it is part of the program, */
	uint32_t start;		/* from this instruction on */
};

static struct func *funcs;
static uint32_t nr_funcs;

static void read_funcs(void)
{
	funcs = calloc(nr_symbols, sizeof(*funcs));
	for (uint32_t i = 1; i < nr_symbols; i++) {
		const Elf64_Sym *s = &symbols[i];

		if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF)
			continue;
		funcs[nr_funcs++] = (struct func){
			.name = symbol_name(s), .section = s->st_shndx,
			.first = s->st_value / 8, .nr = s->st_size / 8,
			.is_program = ELF64_ST_BIND(s->st_info) == STB_GLOBAL &&
				      strcmp(section_name(s->st_shndx), ".text"),
		};
	}
}

static void print_funcs(void)
{
	for (uint32_t i = 0; i < nr_funcs; i++)
		printf("%s %s section=%s first=%u insns=%u\n",
		       funcs[i].is_program ? "program" : "function", funcs[i].name,
		       section_name(funcs[i].section), funcs[i].first, funcs[i].nr);
}

/* ---- Stage 4: types, and the maps that they declare ----
 *
 * .BTF is a header, the types and their names. Type N is the N-th record; type 0 is void. A map is
 * a variable of section .maps; its struct is never used as one: the numbers are lengths of arrays.
 *
 *	__uint(max_entries, 16384)	int (*max_entries)[16384];
 *	__type(key, void *)		typeof(void *) *key;
 *
 * The variables of .data, .rodata and .bss are one value of a map: an array with one element.
 */
struct map {
	const char *name;
	uint32_t section, offset;	/* of the variable; 0 for a map of variables */
	uint32_t type, key_size, value_size, max_entries, flags;
	uint32_t datasec;		/* the type of its variables; 0 if it was declared */
	int fd;
};

static unsigned char *btf;
static struct btf_type **types;
static struct map *maps;
static uint32_t nr_types, nr_maps;

static const char *btf_string(uint32_t offset)
{
	const struct btf_header *h = (void *)btf;

	return file_at(btf - file + h->hdr_len + h->str_off + offset, 1);
}

/* Return the size of the record of type @t: some kinds have more, or something for each member. */
static uint32_t record_size(const struct btf_type *t)
{
	static const uint8_t more[128] = { [BTF_KIND_INT] = 4, [BTF_KIND_ARRAY] = 12,
					   [BTF_KIND_VAR] = 4, [BTF_KIND_DECL_TAG] = 4 };
	static const uint8_t each[128] = { [BTF_KIND_STRUCT] = 12, [BTF_KIND_UNION] = 12,
					   [BTF_KIND_ENUM] = 8, [BTF_KIND_FUNC_PROTO] = 8,
					   [BTF_KIND_DATASEC] = 12, [BTF_KIND_ENUM64] = 12 };
	const uint32_t kind = BTF_INFO_KIND(t->info);

	return sizeof(*t) + more[kind] + each[kind] * BTF_INFO_VLEN(t->info);
}

/* Return the symbol by which @offset of a section is relocated, or NULL. */
static const Elf64_Sym *relocated_by(uint32_t section, uint64_t offset)
{
	for (uint32_t i = 1; i < header->e_shnum; i++) {
		const Elf64_Rel *relocs;

		if (sections[i].sh_type != SHT_REL || sections[i].sh_info != section)
			continue;
		relocs = section_data(i);
		for (uint32_t r = 0; r < sections[i].sh_size / sizeof(*relocs); r++)
			if (relocs[r].r_offset == offset)
				return &symbols[ELF64_R_SYM(relocs[r].r_info)];
	}
	return NULL;
}

static int compare_offset(const void *a, const void *b)
{
	const struct btf_var_secinfo *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/*
 * A linker would set the size of each section of data, and the offsets of variables in it. The
 * kernel refuses a size of 0, and offsets that do not ascend: kernel/bpf/btf.c,
 * btf_datasec_check_meta().
 */
static void correct_datasec(struct btf_type *t)
{
	struct btf_var_secinfo *vars = (void *)(t + 1);

	t->size = sections[find_section(btf_string(t->name_off))].sh_size;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const uint64_t field = (unsigned char *)&vars[i].offset - btf;
		const Elf64_Sym *symbol = relocated_by(find_section(".BTF"), field);

		vars[i].offset += symbol ? symbol->st_value : 0;
	}
	qsort(vars, BTF_INFO_VLEN(t->info), sizeof(*vars), compare_offset);
}

static void read_btf(void)
{
	const struct btf_header *h = section_data(find_section(".BTF"));

	btf = (void *)h;
	types = calloc(h->type_len / sizeof(**types) + 1, sizeof(*types));
	for (uint32_t at = 0; at < h->type_len; at += record_size(types[nr_types])) {
		types[++nr_types] = (void *)(btf + h->hdr_len + h->type_off + at);
		if (BTF_INFO_KIND(types[nr_types]->info) == BTF_KIND_DATASEC)
			correct_datasec(types[nr_types]);
	}
}

/* Return the number of the type without typedefs and qualifiers. */
static uint32_t plain_type(uint32_t id)
{
	for (; id && id <= nr_types; id = types[id]->type) {
		const uint32_t kind = BTF_INFO_KIND(types[id]->info);

		if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_CONST &&
		    kind != BTF_KIND_VOLATILE && kind != BTF_KIND_TYPE_TAG)
			return id;
	}
	errx(1, "type %u has no size", id);
}

static uint32_t type_size(uint32_t id)
{
	const struct btf_type *t = types[plain_type(id)];
	const struct btf_array *array = (void *)(t + 1);

	if (BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY)
		return array->nelems * type_size(array->type);
	return BTF_INFO_KIND(t->info) == BTF_KIND_PTR ? sizeof(uint64_t) : t->size;
}

static void read_member(struct map *map, const struct btf_member *member)
{
	const char *name = btf_string(member->name_off);
	const uint32_t pointed = types[plain_type(member->type)]->type;
	const struct btf_array *array = (void *)(types[plain_type(pointed)] + 1);

	if (!strcmp(name, "key"))
		map->key_size = type_size(pointed);
	else if (!strcmp(name, "value"))
		map->value_size = type_size(pointed);
	else if (!strcmp(name, "key_size"))
		map->key_size = array->nelems;
	else if (!strcmp(name, "value_size"))
		map->value_size = array->nelems;
	else if (!strcmp(name, "type"))
		map->type = array->nelems;
	else if (!strcmp(name, "max_entries"))
		map->max_entries = array->nelems;
	else if (!strcmp(name, "map_flags"))
		map->flags = array->nelems;
	else
		errx(1, "map '%s' has '%s', which this loader does not know", map->name, name);
}

static struct map declared_map(uint32_t section, const struct btf_var_secinfo *info)
{
	const struct btf_type *var = types[info->type], *type = types[plain_type(var->type)];
	struct map map = { .name = btf_string(var->name_off), .section = section,
			   .offset = info->offset };

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++)
		read_member(&map, (const struct btf_member *)(type + 1) + i);
	return map;
}

static struct map data_map(uint32_t section, uint32_t datasec)
{
	const char *name = section_name(section);

	return (struct map){ .name = name, .section = section, .datasec = datasec,
			     .type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .max_entries = 1,
			     .value_size = types[datasec]->size,
			     .flags = strncmp(name, ".rodata", 7) ? 0 : BPF_F_RDONLY_PROG };
}

static void read_maps(void)
{
	maps = calloc(nr_symbols + header->e_shnum, sizeof(*maps));
	for (uint32_t id = 1; id <= nr_types; id++) {
		const struct btf_var_secinfo *vars = (void *)(types[id] + 1);
		const char *name = btf_string(types[id]->name_off);

		if (BTF_INFO_KIND(types[id]->info) != BTF_KIND_DATASEC)
			continue;
		if (!strcmp(name, ".maps"))
			for (uint32_t i = 0; i < BTF_INFO_VLEN(types[id]->info); i++)
				maps[nr_maps++] = declared_map(find_section(name), &vars[i]);
		if (!strncmp(name, ".data", 5) || !strncmp(name, ".rodata", 7) ||
		    !strncmp(name, ".bss", 4))
			maps[nr_maps++] = data_map(find_section(name), id);
	}
}

static void print_maps(void)
{
	for (uint32_t i = 0; i < nr_maps; i++)
		printf("map %s type=%u key=%u value=%u entries=%u flags=0x%x\n",
		       maps[i].name, maps[i].type, maps[i].key_size, maps[i].value_size,
		       maps[i].max_entries, maps[i].flags);
}

/* ---- Stage 5: the maps are created, and filled ----
 *
 * bpf(2) takes a command and a union of its arguments, in which all unused bytes are 0.
 */
static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static char log_text[1 << 20];	/* the kernel's explanation, where it gives one */

/* Return @ret, the result of @call; end the program if it failed. */
static int check(int ret, const char *call)
{
	if (ret < 0)
		err(1, "%s%s", log_text, call);
	return ret;
}

static void create_map(struct map *map)
{
	union bpf_attr attr = { .map_type = map->type, .key_size = map->key_size,
				.value_size = map->value_size, .max_entries = map->max_entries,
				.map_flags = map->flags };

	/* A name has at most 15 bytes and a NUL. */
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", map->name);
	map->fd = check(bpf(BPF_MAP_CREATE, &attr), "BPF_MAP_CREATE");
}

/*
 * Copy the variables into their map. .bss has no bytes in the file; a new map is 0. The verifier
 * takes .rodata for constants when neither programs nor, once it is frozen, processes can write it.
 */
static void fill_map(const struct map *map)
{
	const uint32_t key = 0;
	union bpf_attr update = { .map_fd = map->fd, .key = (uintptr_t)&key };
	union bpf_attr freeze = { .map_fd = map->fd };

	if (sections[map->section].sh_type != SHT_NOBITS) {
		update.value = (uintptr_t)section_data(map->section);
		check(bpf(BPF_MAP_UPDATE_ELEM, &update), "BPF_MAP_UPDATE_ELEM");
	}
	if (map->flags & BPF_F_RDONLY_PROG)
		check(bpf(BPF_MAP_FREEZE, &freeze), "BPF_MAP_FREEZE");
}

static void create_maps(void)
{
	for (uint32_t i = 0; i < nr_maps; i++) {
		create_map(&maps[i]);
		if (maps[i].datasec)
			fill_map(&maps[i]);
		printf("created %s: descriptor %d\n", maps[i].name, maps[i].fd);
	}
}

/* ---- Stage 6: what instructions refer to ----
 *
 * A relocation gives the instruction at r_offset a symbol. The symbol's value S plus an addend A,
 * which is in the instruction's imm, is an offset in the symbol's section:
 *
 *	ldimm64, R_BPF_64_64	S + A			a map, a variable or a function
 *	call, R_BPF_64_32	S + (A + 1) * 8		a function: distances count instructions
 *							from the one after the call
 *
 * Between static functions of one section clang knows the distance, and writes no relocation.
 */
struct target {
	const struct map *map;
	uint32_t offset;	/* of a variable in its map */
	struct func *func;
};

static const struct bpf_insn *func_insns(const struct func *func)
{
	return file_at(sections[func->section].sh_offset + func->first * sizeof(struct bpf_insn),
		       func->nr * sizeof(struct bpf_insn));
}

static bool is_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL);
}

static struct target target_at(uint32_t section, uint64_t offset)
{
	for (struct map *m = maps; m < maps + nr_maps; m++)
		if (m->section == section && (m->datasec || m->offset == offset))
			return (struct target){ .map = m, .offset = offset - m->offset };
	for (uint32_t i = 0; i < nr_funcs; i++)
		if (funcs[i].section == section && funcs[i].first * 8ULL == offset)
			return (struct target){ .func = &funcs[i] };
	errx(1, "nothing begins at %ju of section '%s'", (uintmax_t)offset, section_name(section));
}

/* Return what instruction @i of @func refers to; most refer to nothing. */
static struct target find_target(const struct func *func, uint32_t i)
{
	const struct bpf_insn *insn = &func_insns(func)[i];
	const uint64_t offset = (func->first + i) * sizeof(*insn);
	const int64_t addend = is_call(insn) ? (insn->imm + 1LL) * 8 : insn->imm;
	const Elf64_Sym *symbol = relocated_by(func->section, offset);

	if (symbol && symbol->st_shndx == SHN_UNDEF)
		errx(1, "'%s' is an extern", symbol_name(symbol));
	if (symbol)
		return target_at(symbol->st_shndx, symbol->st_value + addend);
	if (is_call(insn) && insn->src_reg == BPF_PSEUDO_CALL)
		return target_at(func->section, offset + addend);
	return (struct target){ 0 };
}

static void print_insn(uint32_t i, const struct bpf_insn *insn, struct target target)
{
	printf("  %3u: ", i);
	for (size_t byte = 0; byte < sizeof(*insn); byte++)
		printf(" %02x", ((const unsigned char *)insn)[byte]);
	if (target.map && target.map->datasec)
		printf("  %s + %u", target.map->name, target.offset);
	else if (target.map)
		printf("  map '%s'", target.map->name);
	else if (target.func)
		printf("  function '%s'", target.func->name);
	printf("\n");
}

static void print_references(void)
{
	for (uint32_t f = 0; f < nr_funcs; f++) {
		printf("'%s' in the file:\n", funcs[f].name);
		for (uint32_t i = 0; i < funcs[f].nr; i++)
			print_insn(i, &func_insns(&funcs[f])[i], find_target(&funcs[f], i));
	}
}

/* ---- Stage 7: the program is linked ----
 *
 * The program is copied, and after it each function that it reaches, once. What the instructions
 * refer to is written into imm; src_reg is the meaning of imm:
 *
 *	ldimm64	1 BPF_PSEUDO_MAP_FD	imm: the descriptor
 *		2 BPF_PSEUDO_MAP_VALUE	imm: the descriptor; imm of the second half: the offset
 *		4 BPF_PSEUDO_FUNC	imm: the distance to the function
 *	call	1 BPF_PSEUDO_CALL	imm: the distance to the function
 */
static struct bpf_insn *insns;
static uint32_t nr_insns, nr_linked;
static struct func **linked;	/* in the order of their instructions */

static void link_func(struct func *func);

static void patch_insn(const struct func *func, uint32_t i)
{
	const struct target target = find_target(func, i);
	struct bpf_insn *insn = &insns[func->start + i];

	if (target.map) {
		insn[0].src_reg = target.map->datasec ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
		insn[0].imm = target.map->fd;
		insn[1].imm = target.offset;
	} else if (target.func) {
		link_func(target.func);
		insn->src_reg = is_call(insn) ? BPF_PSEUDO_CALL : BPF_PSEUDO_FUNC;
		insn->imm = target.func->start - (func->start + i + 1);
	}
}

static void link_func(struct func *func)
{
	if (func->is_linked)
		return;
	func->is_linked = true;
	func->start = nr_insns;
	linked[nr_linked++] = func;
	memcpy(&insns[nr_insns], func_insns(func), func->nr * sizeof(*insns));
	nr_insns += func->nr;
	for (uint32_t i = 0; i < func->nr; i++)
		patch_insn(func, i);
}

static struct func *first_program(void)
{
	for (uint32_t i = 0; i < nr_funcs; i++)
		if (funcs[i].is_program)
			return &funcs[i];
	errx(1, "the object has no program");
}

static void link_program(struct func *program)
{
	insns = calloc(file_size / sizeof(*insns), sizeof(*insns));
	linked = calloc(nr_funcs, sizeof(*linked));
	link_func(program);
}

static void print_program(void)
{
	printf("the program, linked:\n");
	for (uint32_t i = 0; i < nr_insns; i++)
		print_insn(i, &insns[i], (struct target){ 0 });
}

/* ---- Stage 8: the program is loaded ----
 *
 * func_info has the type of each function of the program and where it begins, in instructions. The
 * kernel refuses a list that leaves one out, and a callback without a list: kernel/bpf/verifier.c,
 * check_btf_func() and check_ld_imm(). .BTF.ext has it for each section, with offsets in bytes:
 *
 *	header ... size of a record, then for each section: name, number of records, records
 */
struct btf_ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, func_info_off, func_info_len;
};

static uint32_t func_type(const struct func *func)
{
	const struct btf_ext_header *ext = section_data(find_section(".BTF.ext"));
	const uint32_t *at = (void *)((char *)ext + ext->hdr_len + ext->func_info_off);
	const uint32_t *end = at + ext->func_info_len / 4, words = *at++ / 4;

	while (at + 2 <= end) {
		const bool is_ours = !strcmp(btf_string(at[0]), section_name(func->section));
		const uint32_t nr = at[1];

		at += 2;
		for (uint32_t i = 0; i < nr && at + 2 <= end; i++, at += words)
			if (is_ours && at[0] == func->first * sizeof(struct bpf_insn))
				return at[1];
	}
	errx(1, "function '%s' has no func_info", func->name);
}

static struct bpf_func_info *func_info_of_program(void)
{
	struct bpf_func_info *info = calloc(nr_linked, sizeof(*info));

	for (uint32_t i = 0; i < nr_linked; i++)
		info[i] = (struct bpf_func_info){ .insn_off = linked[i]->start,
						  .type_id = func_type(linked[i]) };
	return info;
}

static int load_btf(void)
{
	union bpf_attr attr = { .btf = (uintptr_t)btf,
				.btf_size = sections[find_section(".BTF")].sh_size,
				.btf_log_buf = (uintptr_t)log_text,
				.btf_log_size = sizeof(log_text), .btf_log_level = 1 };
	const int fd = check(bpf(BPF_BTF_LOAD, &attr), "BPF_BTF_LOAD");

	log_text[0] = 0;
	return fd;
}

static int program_fd;

static void load_program(const struct func *program)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = (uintptr_t)insns, .insn_cnt = nr_insns,
		.license = (uintptr_t)section_data(find_section("license")),
		.prog_btf_fd = load_btf(),
		.func_info = (uintptr_t)func_info_of_program(),
		.func_info_cnt = nr_linked, .func_info_rec_size = sizeof(struct bpf_func_info),
		.log_level = 1, .log_buf = (uintptr_t)log_text, .log_size = sizeof(log_text),
	};

	if (strcmp(section_name(program->section), "perf_event"))
		errx(1, "section '%s' is for other events", section_name(program->section));
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", program->name);
	program_fd = check(bpf(BPF_PROG_LOAD, &attr), "BPF_PROG_LOAD");
	/* The log of a program that was accepted ends with the verifier's work. */
	printf("'%s' is loaded: %s", program->name, strstr(log_text, "processed "));
	log_text[0] = 0;
}

/* ---- Stage 9: an event runs the program ----
 *
 *		describe the event by		bind the program by
 *	ioctl	a fixed type			an ioctl of the event
 *	pmu	the type in sysfs		an ioctl of the event
 *	link	a fixed type			BPF_LINK_CREATE, which also passes a cookie
 */
static uint32_t pmu_type(void)
{
	FILE *stream = fopen("/sys/bus/event_source/devices/software/type", "r");
	uint32_t type;

	if (!stream || fscanf(stream, "%u", &type) != 1)
		err(1, "the type of PMU 'software'");
	fclose(stream);
	return type;
}

/* Return how many CPUs may ever be plugged in: the file has a list such as "0-3". */
static uint32_t possible_cpus(void)
{
	FILE *stream = fopen("/sys/devices/system/cpu/possible", "r");
	char list[256];
	uint32_t nr = 0;

	if (!stream || !fgets(list, sizeof(list), stream))
		err(1, "the list of possible CPUs");
	fclose(stream);
	for (char *at = list; *at; at += strspn(at, "-,\n"))
		nr = strtoul(at, &at, 10) + 1;
	return nr;
}

/*
 * The event is of all tasks (pid -1) on one CPU. For all tasks on all CPUs, each CPU needs a call
 * of its own. With pid 0 it would be of this task, which sleeps and gives no samples. Return -1 for
 * a CPU that is offline.
 */
static int open_event(const char *method, int cpu)
{
	const bool by_pmu = !strcmp(method, "pmu");
	struct perf_event_attr attr = { .type = by_pmu ? pmu_type() : PERF_TYPE_SOFTWARE,
					.size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK,
					.disabled = 1, .freq = 1, .sample_freq = 999 };
	const int fd = syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 && errno == ENODEV ? -1 : check(fd, "perf_event_open");
}

/* The program is attached while the descriptors are open, here until the process ends. */
static void bind_program(int event_fd, const char *method, uint64_t cookie)
{
	union bpf_attr attr = { .link_create = { .prog_fd = program_fd, .target_fd = event_fd,
						 .attach_type = BPF_PERF_EVENT,
						 .perf_event.bpf_cookie = cookie } };

	if (cookie && strcmp(method, "link"))
		errx(1, "only a link passes a cookie");
	if (!strcmp(method, "link"))
		check(bpf(BPF_LINK_CREATE, &attr), "BPF_LINK_CREATE");
	else
		check(ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, program_fd), "SET_BPF");
}

static void run_program(const char *method, uint64_t cookie)
{
	const int cpus = possible_cpus();
	int event_fds[cpus];
	struct bpf_prog_info info = { 0 };
	union bpf_attr stats = { .enable_stats.type = BPF_STATS_RUN_TIME };
	union bpf_attr get = { .info = { .bpf_fd = program_fd, .info_len = sizeof(info),
					 .info = (uintptr_t)&info } };

	/* The kernel counts runs only while somebody has asked for it. */
	check(bpf(BPF_ENABLE_STATS, &stats), "BPF_ENABLE_STATS");
	for (int cpu = 0; cpu < cpus; cpu++) {
		event_fds[cpu] = open_event(method, cpu);
		if (event_fds[cpu] < 0)
			continue;
		bind_program(event_fds[cpu], method, cookie);
		check(ioctl(event_fds[cpu], PERF_EVENT_IOC_ENABLE, 0), "PERF_EVENT_IOC_ENABLE");
	}
	printf("ready (until standard input ends: Ctrl-D)\n");
	fflush(stdout);
	while (getchar() != EOF)
		;
	for (int cpu = 0; cpu < cpus; cpu++)
		ioctl(event_fds[cpu], PERF_EVENT_IOC_DISABLE, 0);
	check(bpf(BPF_OBJ_GET_INFO_BY_FD, &get), "BPF_OBJ_GET_INFO_BY_FD");
	printf("%s: the program ran %ju times\n", method, (uintmax_t)info.run_cnt);
}

/* ---- Stage 10: the maps are read ----
 *
 * A per-CPU map has a value for each CPU that may ever be plugged in. A lookup writes all of them,
 * each rounded up to a multiple of 8 bytes.
 */
static bool is_per_cpu(const struct map *map)
{
	return map->type == BPF_MAP_TYPE_PERCPU_ARRAY || map->type == BPF_MAP_TYPE_PERCPU_HASH ||
	       map->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static void print_bytes(const unsigned char *bytes, uint32_t size)
{
	uint64_t number = 0;

	memcpy(&number, bytes, size < sizeof(number) ? size : sizeof(number));
	if (size <= sizeof(number))
		printf(number >> 32 ? " 0x%jx" : " %ju", (uintmax_t)number);
	for (uint32_t i = 0; size > sizeof(number) && i < size; i++)
		printf("%s%02x", i ? "" : " ", bytes[i]);
}

static void print_variables(const struct map *map, const unsigned char *value)
{
	const struct btf_var_secinfo *vars = (void *)(types[map->datasec] + 1);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(types[map->datasec]->info); i++) {
		printf("variable %s", btf_string(types[vars[i].type]->name_off));
		print_bytes(value + vars[i].offset, vars[i].size);
		printf("\n");
	}
}

static void print_map(const struct map *map)
{
	const uint32_t cpus = possible_cpus(), step = (map->value_size + 7) / 8 * 8;
	unsigned char *key = calloc(1, map->key_size + 1), *value = calloc(cpus, step + 1);
	union bpf_attr next = { .map_fd = map->fd, .next_key = (uintptr_t)key };
	union bpf_attr lookup = { .map_fd = map->fd, .key = (uintptr_t)key,
				  .value = (uintptr_t)value };

	/* Without a key, the kernel returns the first one; then the one that follows the key. */
	for (int i = 0; i < ELEMENTS_SHOWN && !bpf(BPF_MAP_GET_NEXT_KEY, &next); i++) {
		next.key = (uintptr_t)key;
		check(bpf(BPF_MAP_LOOKUP_ELEM, &lookup), "BPF_MAP_LOOKUP_ELEM");
		if (map->datasec)
			return print_variables(map, value);
		printf("value %s", map->name);
		print_bytes(key, map->key_size);
		for (uint32_t cpu = 0; cpu < (is_per_cpu(map) ? cpus : 1); cpu++)
			print_bytes(value + cpu * step, map->value_size);
		printf("\n");
	}
}

/* ---- All stages ---- */
int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: tour-loader OBJECT ioctl|pmu|link [COOKIE]");
	read_object(argv[1]);
	print_sections();
	read_symbols();								/* stage 2 */
	print_symbols();							/* stage 2 */
	read_funcs();								/* stage 3 */
	print_funcs();								/* stage 3 */
	read_btf();								/* stage 4 */
	read_maps();								/* stage 4 */
	print_maps();								/* stage 4 */
	create_maps();								/* stage 5 */
	print_references();							/* stage 6 */
	link_program(first_program());						/* stage 7 */
	print_program();							/* stage 7 */
	load_program(first_program());						/* stage 8 */
	run_program(argv[2], argc > 3 ? strtoull(argv[3], NULL, 0) : 0);	/* stage 9 */
	for (uint32_t i = 0; i < nr_maps; i++)					/* stage 10 */
		print_map(&maps[i]);						/* stage 10 */
	return 0;
}
