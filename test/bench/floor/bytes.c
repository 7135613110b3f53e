// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write what pload passes to the kernel for an object as C arrays, for test/bench/floor/floor.c.
 * usage: floor_bytes OBJECT
 */
#include <stdio.h>
#include <string.h>

#include "loader/core/session/load.h"

#define MAX_MAPS 16

/* A simulated kernel, and the maps created on it. */
struct recorder {
	struct sys sys;
	struct sys *dry;
	struct {
		int fd;
		uint32_t value_size;
		bool filled, frozen;
	} maps[MAX_MAPS];
	unsigned int nr_maps;
};

static void print_bytes(const char *name, unsigned int i, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	printf("static const unsigned char %s_%u[] __attribute__((aligned(8))) = {", name, i);
	for (size_t k = 0; k < size; k++)
		printf("%s%u,", k % 16 ? " " : "\n\t", p[k]);
	printf("\n};\n");
}

static void print_pointed(const char *name, uint64_t pointer, size_t size)
{
	print_bytes(name, 0, (const void *)(uintptr_t)pointer, size);
}

static unsigned int map_index(const struct recorder *r, int fd)
{
	unsigned int i = 0;

	while (i < r->nr_maps && r->maps[i].fd != fd)
		i++;
	return i;
}

/* Print the instructions, with map descriptors replaced by map indices. */
static void print_insns(const struct recorder *r, const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const void *)(uintptr_t)attr->insns;

	printf("static struct bpf_insn raw_insns[] = {\n");
	for (uint32_t i = 0; i < attr->insn_cnt; i++) {
		const bool of_map = insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) &&
				    (insns[i].src_reg == BPF_PSEUDO_MAP_FD ||
				     insns[i].src_reg == BPF_PSEUDO_MAP_VALUE);

		printf("\t{ 0x%x, %u, %u, %d, %d },\n", insns[i].code, insns[i].dst_reg,
		       insns[i].src_reg, insns[i].off,
		       of_map ? (int)map_index(r, insns[i].imm) : insns[i].imm);
	}
	printf("};\n");
}

static void print_prog(const struct recorder *r, const union bpf_attr *attr)
{
	print_insns(r, attr);
	print_pointed("raw_func_info", attr->func_info,
		      (size_t)attr->func_info_cnt * attr->func_info_rec_size);
	print_pointed("raw_line_info", attr->line_info,
		      (size_t)attr->line_info_cnt * attr->line_info_rec_size);
	printf("#define RAW_PROG_NAME \"%s\"\n", attr->prog_name);
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct recorder *r = (struct recorder *)sys;	/* its first member */
	const union bpf_attr *attr = (const void *)arg[1];
	const long ret = r->dry->enter(r->dry, nr, arg);
	unsigned int i;

	if (nr != __NR_bpf || ret < 0)
		return ret;
	switch (arg[0]) {
	case BPF_BTF_LOAD:
		print_pointed("raw_btf", attr->btf, attr->btf_size);
		break;
	case BPF_MAP_CREATE:
		if (r->nr_maps == MAX_MAPS)
			return -E2BIG;
		print_bytes("raw_attr", r->nr_maps, attr, arg[2]);
		r->maps[r->nr_maps].fd = ret;
		r->maps[r->nr_maps++].value_size = attr->value_size;
		break;
	case BPF_MAP_UPDATE_ELEM:
		i = map_index(r, attr->map_fd);
		print_bytes("raw_content", i, (const void *)(uintptr_t)attr->value,
			    r->maps[i].value_size);
		r->maps[i].filled = true;
		break;
	case BPF_MAP_FREEZE:
		r->maps[map_index(r, attr->map_fd)].frozen = true;
		break;
	case BPF_PROG_LOAD:
		print_prog(r, attr);
		break;
	}
	return ret;
}

static void print_maps(const struct recorder *r)
{
	printf("static const struct raw_map raw_maps[] = {\n");
	for (unsigned int i = 0; i < r->nr_maps; i++) {
		printf("\t{ raw_attr_%u, sizeof(raw_attr_%u), ", i, i);
		if (r->maps[i].filled)
			printf("raw_content_%u, ", i);
		else
			printf("NULL, ");
		printf("%d },\n", r->maps[i].frozen);
	}
	printf("};\n");
}

int main(int argc, char **argv)
{
	struct recorder r = { .sys = { .enter = enter }, .dry = sys_dry() };
	const struct load_options o = { 0 };
	struct output out = { 0 };
	struct error err = { 0 };
	struct loading_types types;
	struct loading l;
	int ret;

	if (argc != 2 || !r.dry)
		return 2;
	loading_types_init(&types, &r.sys, &o);
	ret = loading_begin(&l, &r.sys, &out, &o, &types, argv[1], &err);
	if (!ret)
		ret = loading_maps(&l, &err);
	if (!ret)
		ret = load_program(&l, 0, &err);
	if (ret)
		fprintf(stderr, "floor_bytes: %s: %s\n", err.where, err.what);
	print_maps(&r);
	loading_end(&l);
	loading_types_free(&types);
	sys_dry_free(r.dry);
	error_clear(&err);
	return ret ? 1 : 0;
}
