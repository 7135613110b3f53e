// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write each program that a loader passes to the kernel as an object file, which pload inspect and
 * pload load take. CO-RE relocations are resolved already; references to maps become relocations:
 *
 *	r1 = map[fd:5]			R_BPF_64_64 to a symbol of section "maps"
 *	r1 = map[fd:6] + 8		R_BPF_64_64 to section .bss, and 8 as the addend
 *	r2 = the function at 12		R_BPF_64_64 to the function
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/btf.h"
#include "elf/bytes.h"
#include "loader/core/object/feature.h"
#include "loader/base/text/names.h"
#include "loader/observe/object_file/object_file.h"
#include "loader/observe/watch/watch_internal.h"

#define MAPS_MAX 64	/* in a program: the kernel's limit */
#define FILES_MAX 1000
#define KEPT_MAX (256u << 20)	/* bytes */

/* The layout of struct bpf_map_def in a section "maps". */
struct map_def {
	uint32_t type, key_size, value_size, max_entries, map_flags;
};

struct kept_object {
	int object;		/* its index in the facts */
	struct map_def def;	/* a map */
	void *bytes;		/* owned: the BTF, or the initial value of a map with one element */
	uint32_t size;
};

static struct kept_object *find(const struct watch *w, int object)
{
	for (unsigned int i = 0; object >= 0 && i < w->nr_kept; i++)
		if (w->kept[i].object == object)
			return &w->kept[i];
	return NULL;
}

static void keep(struct watch *w, int object, const struct map_def *def, const void *bytes,
		 uint32_t size)
{
	struct kept_object *list;

	if (object < 0 || w->nr_kept == FACTS_MAX || size > KEPT_MAX - w->kept_size)
		return;
	list = array_grow(w->kept, w->nr_kept, sizeof(*list));
	if (!list)
		return;
	w->kept_size += size;
	w->kept = list;
	list += w->nr_kept++;
	*list = (struct kept_object){ .object = object, .size = size };
	if (def)
		list->def = *def;
	list->bytes = bytes ? malloc(size) : NULL;
	if (list->bytes)
		memcpy(list->bytes, bytes, size);
	else
		list->size = 0;
}

void watch_kept_free(struct watch *w)
{
	for (unsigned int i = 0; i < w->nr_kept; i++)
		free(w->kept[i].bytes);
	free(w->kept);
}

/* --- one program --- */

struct program {
	struct watch *w;
	const struct watched_process *p;
	const union bpf_attr *attr;
	struct object_file file;
	struct bpf_insn *insns;	/* owned: without descriptor numbers */
	struct btf btf;
	bool has_btf;
	char section[160];
	unsigned int code;	/* index of the section */
	struct {
		int fd;
		uint32_t symbol;
		bool is_data;
	} maps[MAPS_MAX];
	unsigned int nr_maps;
	uint32_t *funcs;	/* owned: symbols, one per record of func_info */
	Elf64_Rel *rels;	/* owned */
	uint32_t nr_rels;
	unsigned char *types, *ext;	/* owned: .BTF and .BTF.ext */
	struct map_def *defs;	/* owned */
};

static const struct bpf_func_info *func_info(const struct program *g, uint32_t i)
{
	return (const void *)(unsigned long)(g->attr->func_info +
					     (uint64_t)i * g->attr->func_info_rec_size);
}

static bool has_funcs(const struct program *g)
{
	return g->has_btf && g->attr->func_info &&
	       g->attr->func_info_rec_size >= sizeof(struct bpf_func_info);
}

/* Find a section name for the type: the first row that needs no flags. */
static void name_section(struct program *g)
{
	const uint32_t flags = g->attr->prog_flags & (BPF_F_SLEEPABLE | BPF_F_XDP_HAS_FRAGS);
	const struct prog_kind *found = NULL;

	for (int f = -1; !found && (f < 0 || features[f].name); f++) {
		const struct prog_kind *kind = f < 0 ? prog_kinds : features[f].object ?
					       features[f].object->kinds : NULL;

		for (; !found && kind && kind->prefix[0]; kind++)
			if (kind->prog_type == g->attr->prog_type && kind->prog_flags == flags &&
			    (!kind->attach_type ||
			     kind->attach_type == g->attr->expected_attach_type))
				found = kind;
	}
	snprintf(g->section, sizeof(g->section), "%s", found ? found->prefix : "socket");
}

static void add_functions(struct program *g)
{
	const uint32_t nr = has_funcs(g) ? g->attr->func_info_cnt : 0;
	char name[BPF_OBJ_NAME_LEN + 1];
	uint32_t main_func = 0;

	g->funcs = calloc(nr + 1, sizeof(*g->funcs));
	/* Local symbols first: all functions but the first one are local. */
	for (uint32_t pass = 0; g->funcs && pass < 2; pass++)
		for (uint32_t i = 0; i < nr; i++) {
			const struct bpf_func_info *info = func_info(g, i);
			const uint32_t next = i + 1 < nr ? func_info(g, i + 1)->insn_off :
							   g->attr->insn_cnt;
			const char *text = btf_has(&g->btf, info->type_id) ?
						   btf_type(&g->btf, info->type_id).name : "";

			if ((i == main_func) != pass || info->insn_off >= next)
				continue;
			g->funcs[i] = object_file_symbol(
				&g->file, text,
				ELF64_ST_INFO(pass ? STB_GLOBAL : STB_LOCAL, STT_FUNC), g->code,
				8ull * info->insn_off, 8ull * (next - info->insn_off));
		}
	snprintf(name, sizeof(name), "%s", g->attr->prog_name[0] ? g->attr->prog_name : "prog");
	if (!nr)
		object_file_symbol(&g->file, name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), g->code, 0,
				   8ull * g->attr->insn_cnt);
}

/* "ip_count.bss" becomes section .bss. A map with another name goes into section "maps". */
static bool is_variables(const char *name, const char **section)
{
	static const char *const sections[] = { ".rodata", ".data", ".bss" };
	const char *dot = strchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(sections) / sizeof(sections[0]); i++) {
		*section = sections[i];
		if (!strncmp(dot, sections[i], strlen(sections[i])))
			return true;
	}
	return false;
}

static void add_map(struct program *g, int fd)
{
	const int object = held_object(&g->p->held, fd);
	const struct kept_object *kept = find(g->w, object);
	const char *name, *section;

	for (unsigned int i = 0; i < g->nr_maps; i++)
		if (g->maps[i].fd == fd)
			return;
	if (!kept || g->nr_maps == MAPS_MAX)
		return;
	name = g->w->facts.objects[object].name;
	g->maps[g->nr_maps].fd = fd;
	g->maps[g->nr_maps].is_data = is_variables(name, &section);
	if (g->maps[g->nr_maps].is_data) {
		const unsigned int index = object_file_section(
			&g->file, section, kept->bytes ? SHT_PROGBITS : SHT_NOBITS,
			SHF_ALLOC | (strcmp(section, ".rodata") ? SHF_WRITE : 0), kept->bytes,
			kept->def.value_size);

		/* It is local, so it precedes the functions. */
		g->maps[g->nr_maps].symbol = object_file_symbol(
			&g->file, "", ELF64_ST_INFO(STB_LOCAL, STT_SECTION), index, 0, 0);
	}
	g->nr_maps++;
}

static void add_maps(struct program *g)
{
	struct map_def *defs = calloc(MAPS_MAX, sizeof(*defs));
	const unsigned int index = object_file_section(&g->file, "maps", SHT_PROGBITS,
						       SHF_ALLOC | SHF_WRITE, defs, 0);
	Elf64_Xword *size = &g->file.headers[index].sh_size;

	for (unsigned int i = 0; defs && i < g->nr_maps; i++) {
		const int object = held_object(&g->p->held, g->maps[i].fd);
		char name[24];

		if (g->maps[i].is_data)
			continue;
		defs[*size / sizeof(*defs)] = find(g->w, object)->def;
		snprintf(name, sizeof(name), "%s", g->w->facts.objects[object].name);
		if (!name[0])
			snprintf(name, sizeof(name), "map_%u", i);
		g->maps[i].symbol = object_file_symbol(
			&g->file, name, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), index, *size,
			sizeof(*defs));
		*size += sizeof(*defs);
	}
	g->defs = defs;
}

/* Replace the reference in an instruction with a relocation. */
static void relocate_insn(struct program *g, uint32_t i)
{
	struct bpf_insn *insn = &g->insns[i];
	uint32_t symbol = 0;

	if (insn->src_reg == BPF_PSEUDO_MAP_FD || insn->src_reg == BPF_PSEUDO_MAP_VALUE)
		for (unsigned int k = 0; k < g->nr_maps; k++)
			if (g->maps[k].fd == insn->imm) {
				symbol = g->maps[k].symbol;
				insn[0].imm = g->maps[k].is_data ? insn[1].imm : 0;
				insn[1].imm = 0;
				break;
			}
	if (insn->src_reg == BPF_PSEUDO_FUNC && has_funcs(g))
		for (uint32_t k = 0; k < g->attr->func_info_cnt; k++)
			if (func_info(g, k)->insn_off == i + 1 + insn->imm) {
				symbol = g->funcs[k];
				insn->imm = 0;
				break;
			}
	if (!symbol)
		return;
	insn->src_reg = 0;
	g->rels[g->nr_rels++] = (Elf64_Rel){ .r_offset = 8ull * i,
					     .r_info = ELF64_R_INFO(symbol, R_BPF_64_64) };
}

/* --- BTF --- */

/* Copy the BTF and append @name to its strings. Return the offset of the string. */
static uint32_t add_string(struct program *g, const struct kept_object *btf, const char *name,
			   uint32_t *size)
{
	struct btf_header header;
	const uint32_t len = strlen(name) + 1;
	uint32_t end;

	memcpy(&header, btf->bytes, sizeof(header));
	end = header.hdr_len + header.str_off + header.str_len;
	g->types = end == btf->size ? malloc(btf->size + len) : NULL;
	if (!g->types)
		return 0;
	memcpy(g->types, btf->bytes, btf->size);
	memcpy(g->types + end, name, len);
	header.str_len += len;
	memcpy(g->types, &header, sizeof(header));
	*size = btf->size + len;
	return header.str_len - len;
}

/* The records of one kind: | rec_size | section, number | records, with offsets in bytes |. */
static uint32_t put_records(unsigned char *to, uint64_t from, uint32_t rec_size, uint32_t nr,
			    uint32_t section)
{
	const uint32_t head[] = { rec_size, section, nr };

	memcpy(to, head, sizeof(head));
	to += sizeof(head);
	memcpy(to, (const void *)(unsigned long)from, (size_t)rec_size * nr);
	for (uint32_t i = 0; i < nr; i++, to += rec_size) {
		uint32_t off;

		memcpy(&off, to, sizeof(off));
		off *= 8;
		memcpy(to, &off, sizeof(off));
	}
	return sizeof(head) + rec_size * nr;
}

static void add_btf(struct program *g, const struct kept_object *btf)
{
	const union bpf_attr *attr = g->attr;
	const bool lines = attr->line_info && attr->line_info_rec_size >= 16;
	struct btf_ext_head {
		uint16_t magic;
		uint8_t version, flags;
		uint32_t hdr_len, func_off, func_len, line_off, line_len;
	} head = { BTF_MAGIC, 1, 0, sizeof(head), 0, 0, 0, 0 };
	uint32_t size = 0, string = add_string(g, btf, g->section, &size);
	uint64_t room = sizeof(head) + 24;

	if (!g->types)
		return;
	object_file_section(&g->file, ".BTF", SHT_PROGBITS, 0, g->types, size);
	if (!has_funcs(g))
		return;
	room += (uint64_t)attr->func_info_cnt * attr->func_info_rec_size;
	room += lines ? (uint64_t)attr->line_info_cnt * attr->line_info_rec_size : 0;
	g->ext = malloc(room);
	if (!g->ext)
		return;
	head.func_len = put_records(g->ext + sizeof(head), attr->func_info,
				    attr->func_info_rec_size, attr->func_info_cnt, string);
	head.line_off = head.func_len;
	if (lines)
		head.line_len = put_records(g->ext + sizeof(head) + head.line_off, attr->line_info,
					    attr->line_info_rec_size, attr->line_info_cnt, string);
	memcpy(g->ext, &head, sizeof(head));
	object_file_section(&g->file, ".BTF.ext", SHT_PROGBITS, 0, g->ext,
			    sizeof(head) + head.func_len + head.line_len);
}

/* --- the file --- */

static bool open_btf(struct program *g, const struct kept_object *btf)
{
	const struct bytes raw = { btf ? btf->bytes : NULL, btf ? btf->size : 0 };

	return btf && btf->bytes && btf->size >= sizeof(struct btf_header) &&
	       btf_parse(&g->btf, raw, NULL) >= 0;
}

static void build(struct program *g)
{
	const struct kept_object *btf = find(g->w, held_object(&g->p->held,
							       g->attr->prog_btf_fd));
	const char *license = (const char *)(unsigned long)g->attr->license;
	const uint32_t nr = g->attr->insn_cnt;
	unsigned int rel;

	g->has_btf = open_btf(g, btf);
	name_section(g);
	object_file_init(&g->file);
	g->code = object_file_section(&g->file, g->section, SHT_PROGBITS,
				      SHF_ALLOC | SHF_EXECINSTR, g->insns, 8ull * nr);
	for (uint32_t i = 0; i + 1 < nr; i++)
		if (g->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    (g->insns[i].src_reg == BPF_PSEUDO_MAP_FD ||
		     g->insns[i].src_reg == BPF_PSEUDO_MAP_VALUE))
			add_map(g, g->insns[i].imm);
	add_functions(g);
	add_maps(g);
	for (uint32_t i = 0; i + 1 < nr; i++)
		if (g->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW))
			relocate_insn(g, i++);
	rel = object_file_section(&g->file, ".rel", SHT_REL, 0, g->rels,
				  g->nr_rels * sizeof(*g->rels));
	g->file.headers[rel].sh_info = g->code;
	g->file.headers[rel].sh_entsize = sizeof(*g->rels);
	if (license)
		object_file_section(&g->file, "license", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
				    license, strlen(license) + 1);
	if (g->has_btf)
		add_btf(g, btf);
}

static void write_program(struct watch *w, const struct watched_process *p,
			  const union bpf_attr *attr)
{
	struct program g = { .w = w, .p = p, .attr = attr };
	char path[PATH_MAX], name[20];
	FILE *file;

	if (!attr->insns || ++w->nr_objects > FILES_MAX)
		return;
	facts_name(name, attr->prog_name[0] ? attr->prog_name : "prog");
	for (char *c = name; *c; c++)
		*c = *c == '/' ? '?' : *c;
	snprintf(path, sizeof(path), "%s/%03u-%s.bpf.o", w->o->replay, w->nr_objects, name);
	g.insns = malloc(8ull * attr->insn_cnt);
	g.rels = calloc(attr->insn_cnt, sizeof(*g.rels));
	file = g.insns && g.rels ? fopen(path, "wxe") : NULL;
	if (file) {
		memcpy(g.insns, (const void *)(unsigned long)attr->insns, 8ull * attr->insn_cnt);
		build(&g);
		w->replay_failed |= !object_file_write(&g.file, file);
		w->replay_failed |= fclose(file) != 0;
		object_file_free(&g.file);
	} else {
		w->replay_failed = true;
	}
	if (g.has_btf)
		btf_free(&g.btf);
	free(g.insns);
	free(g.rels);
	free(g.funcs);
	free(g.defs);
	free(g.types);
	free(g.ext);
}

void watch_keep(struct watch *w, const struct watched_process *p, const struct copy *copy)
{
	const union bpf_attr *attr = copy_attr(copy);
	const struct map_def def = attr ? (struct map_def){ attr->map_type, attr->key_size,
		attr->value_size, attr->max_entries, attr->map_flags } : (struct map_def){ 0 };
	struct kept_object *kept;

	if (!attr)
		return;
	switch (copy->arg[0]) {
	case BPF_BTF_LOAD:
		if (w->ret >= 0 && attr->btf)
			keep(w, held_object(&p->held, w->ret), NULL,
			     (const void *)(unsigned long)attr->btf, attr->btf_size);
		break;
	case BPF_MAP_CREATE:
		if (w->ret >= 0)
			keep(w, held_object(&p->held, w->ret), &def, NULL, 0);
		break;
	case BPF_MAP_UPDATE_ELEM:
		kept = find(w, held_object(&p->held, attr->map_fd));
		if (!kept || kept->bytes || kept->def.max_entries != 1 || !attr->value)
			break;
		if (kept->def.value_size > KEPT_MAX - w->kept_size)
			break;
		kept->size = kept->def.value_size;
		w->kept_size += kept->size;
		kept->bytes = malloc(kept->size);
		if (kept->bytes)
			memcpy(kept->bytes, (const void *)(unsigned long)attr->value, kept->size);
		break;
	case BPF_PROG_LOAD:
		if (!facts_is_probe(copy, w->ret))
			write_program(w, p, attr);
		break;
	}
}
