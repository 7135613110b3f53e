// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Give an arena its address and its variables (Linux 6.9, kernel/bpf/arena.c). Mapping it
 * determines the address, which programs and processes share; variables are written through the
 * mapping.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/special_maps/special_maps.h"

/* Programs use the lower 32 bits of the addresses: arena_map_alloc(). */
#define ARENA_SIZE_MAX (1ull << 32)

static uint64_t arena_size(const struct kernel_map *as)
{
	return (uint64_t)as->max_entries * sysconf(_SC_PAGESIZE);
}

static int check(const struct object_map *map, const struct kernel_map *as, struct error *err)
{
	const unsigned long page = sysconf(_SC_PAGESIZE);

	if (arena_size(as) > ARENA_SIZE_MAX) {
		error_set(err, E2BIG,
			  "%u pages of %lu bytes are more than 4 GB", as->max_entries, page);
		return error_hint(err, "the max_entries of an arena counts pages: at most %llu",
				  ARENA_SIZE_MAX / page);
	}
	if (map->data_size > arena_size(as)) {
		error_set(err, E2BIG,
			  "its %u bytes of variables do not fit into its %u pages of %lu bytes",
			  map->data_size, as->max_entries, page);
		return error_hint(err, "raise its max_entries");
	}
	if (map->content && as->map_flags & BPF_F_SEGV_ON_FAULT) {
		error_set(err, EINVAL, "its variables cannot be written, because of "
				       "BPF_F_SEGV_ON_FAULT in its flags");
		return error_hint(err, "leave out the flag, or let a program initialize them");
	}
	return 0;
}

/* BPF_MAX_VAR_OFF in include/linux/bpf_verifier.h. */
#define OFFSET_MAX_OLD (1 << 29)

/*
 * Load a program that refers to byte OFFSET_MAX_OLD of the arena. Before Linux 7.0 the verifier
 * returns EINVAL for this and any larger offset (resolve_pseudo_ldimm64()); since then, ERANGE if
 * the arena is smaller (arena_map_direct_value_addr()).
 */
static bool takes_any_offset(struct sys *sys, int fd)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = fd },
		{ .imm = OFFSET_MAX_OLD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = attr_pointer(insns);
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = attr_pointer("GPL");
	ret = prog_load_syscall(sys, &attr);
	if (ret >= 0)
		sys_close(sys, ret);
	return ret != -EINVAL;
}

/*
 * Like libbpf 1.7, place variables at the end, so that a null pointer is never a pointer to a
 * variable, provided that the kernel accepts the offsets of the largest arenas; otherwise at the
 * start.
 */
static void place(struct sys *sys, const struct object_map *map, struct kernel_map *as)
{
	const uint64_t end = object_arena_end(map);

	as->data_at = map->data_section && end && takes_any_offset(sys, as->fd) ? end : 0;
}

/*
 * Pages are allocated when touched, and a failure then raises a signal. Allocated in advance, a
 * failure is an error.
 */
static int write_content(struct sys *sys, const struct object_map *map, void *arena,
			 uint64_t data_at, struct error *err)
{
	unsigned char *memory = (unsigned char *)arena + data_at;
	int ret = sys_madvise(sys, memory, map->data_size, MADV_POPULATE_WRITE);

	if (ret < 0)
		return error_set(err, -ret, "madvise for the %u bytes of its variables: %s",
				 map->data_size, error_strerror(-ret));
	memcpy(memory, map->content, map->data_size);
	return 0;
}

static int created(struct sys *sys, const struct object_map *map, struct kernel_map *as,
		   struct error *err)
{
	const int fixed = map->map_extra ? MAP_FIXED_NOREPLACE : 0;
	const size_t size = arena_size(as);
	int ret = 0;
	long at;

	if (map->map_extra && !map->content) {	/* it already has its address */
		place(sys, map, as);
		return 0;
	}
	at = sys_mmap_at(sys, (void *)(uintptr_t)map->map_extra, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | fixed, as->fd);
	if (sys_failed(at))
		return error_set(err, -at, "mmap of its %zu bytes at 0x%llx: %s", size,
				 (unsigned long long)map->map_extra, error_strerror(-at));
	place(sys, map, as);
	if (map->content)
		ret = write_content(sys, map, (void *)at, as->data_at, err);
	/* The map keeps its address and contents. */
	sys_munmap(sys, (void *)at, size);
	return ret;
}

static const struct special_map *of_arena(uint32_t type)
{
	static const struct special_map steps = {
		.check = check, .created = created, .taken = place,
	};

	return type == BPF_MAP_TYPE_ARENA ? &steps : NULL;
}

const struct kernel_feature kernel_arenas = { .special = of_arena };
