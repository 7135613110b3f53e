// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Arenas: a program finds the variables where the loader has put them, in small arenas and in the
 * largest. The program is written here, because not each compiler has address spaces for BPF.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/harness/regress.h"
#include "loader/base/kernel/kernel_calls.h"

#define CAST_TO_KERNEL 1	/* of BPF_MOV: off 1, imm 0 << 16 | 1 (Linux 6.9) */
#define FOUND 0x1234

struct row {
	uint64_t size;		/* bytes */
	uint64_t map_extra;	/* the address; 0: the kernel chooses it */
};

static const struct prog_kind xdp = { .prefix = "xdp", .prog_type = BPF_PROG_TYPE_XDP };

/* Loading the smallest arena finds out what this kernel and CPU lack. */
static void load_maps(struct regress *t, const struct bpf_object *obj, struct kernel_object *k)
{
	const struct map_options options = { 0 };
	struct error err = { 0 };
	const int ret = kernel_load_maps(t->sys, obj, &options, k, &err);

	if (ret && (!strcmp(err.reason, "map-create/type") || !strcmp(err.reason, "map-create/cpu") ||
		    strstr(err.what, "Operation not supported")))
		regress_skip(t, "no arenas: %s", err.what);
	regress_ok(t, ret, &err, "the arena");
}

/* Return the instructions: return *(u64 *)variable */
static uint32_t load_variable(struct kernel_object *k, struct bpf_object *obj,
			      struct bpf_insn insns[5])
{
	int fd;

	kernel_map_fds(k, obj, &fd);
	insns[0] = (struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1,
				      .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = fd };
	insns[1] = (struct bpf_insn){ .imm = (int32_t)obj->maps[0].data_at };
	insns[2] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1,
				      .src_reg = BPF_REG_1, .off = CAST_TO_KERNEL, .imm = 1 };
	insns[3] = (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_DW, .src_reg = BPF_REG_1 };
	insns[4] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	return 5;
}

/* check_map_prog_compatibility() in kernel/bpf/verifier.c */
static void verify(struct regress *t, struct kernel_object *k, const struct prog_code *code)
{
	static const char *const causes[] = { "JIT is required to use arena",
					      "JIT doesn't support arena" };
	struct error err = { 0 };
	const int ret = kernel_verify_prog(t->sys, k, 0, code, &err);

	for (size_t i = 0; i < NR(causes); i++)
		if (ret == -EOPNOTSUPP && err.log && strstr(err.log, causes[i]))
			regress_skip(t, "no arenas: %s", causes[i]);
	regress_ok(t, ret, &err, "the program");
}

static void variable_is_found(struct regress *t)
{
	static const unsigned char packet[64];
	const struct test_input in = { .data = packet, .size = sizeof(packet) };
	const struct row *row = t->data;
	uint64_t variable = FOUND;
	struct object_map map = {
		.name = "arena", .kind = OBJECT_MAP_BTF, .section = 1, .type = BPF_MAP_TYPE_ARENA,
		.max_entries = row->size / sysconf(_SC_PAGESIZE), .map_extra = row->map_extra,
		.inner = -1, .content = (unsigned char *)&variable, .data_size = sizeof(variable),
		.data_section = 2,
	};
	struct object_prog prog = { .name = "prog", .section = "xdp", .kind = &xdp };
	struct bpf_object obj = { .name = "arena.o", .license = "GPL", .maps = &map, .nr_maps = 1,
				  .progs = &prog, .nr_progs = 1 };
	struct kernel_object k = { 0 };
	struct bpf_insn insns[5];
	struct prog_code code = { .insns = insns };
	struct error err = { 0 };
	uint32_t retval = 0;

	load_maps(t, &obj, &k);
	code.nr_insns = load_variable(&k, &obj, insns);
	verify(t, &k, &code);
	regress_ok(t, kernel_test_run(t->sys, &k, 0, &in, &retval, &err), &err, "BPF_PROG_TEST_RUN");
	regress_expect(t, retval == FOUND, "at 0x%llx the program reads 0x%x",
		       (unsigned long long)map.data_at, retval);
	regress_note(t, "the variable is at 0x%llx of 0x%llx", (unsigned long long)map.data_at,
		     (unsigned long long)row->size);
	kernel_unload(t->sys, &k);
}

static const struct row small = { 1 << 18, 0 }, largest = { UINT64_C(1) << 32, 0 },
			placed = { 1 << 18, UINT64_C(1) << 45 };	/* above the shadow of ASan */

static const struct regress_test tests[] = {
	{ "a variable is where the program reads it", variable_is_found, &small, 0 },
	{ "a variable of the largest arena is where the program reads it", variable_is_found,
	  &largest, 0 },
	{ "a variable of an arena at an address is where the program reads it", variable_is_found,
	  &placed, 0 },
	{ 0 }
};

const struct regress_group regress_group_arena = {
	"arena", "variables in an arena", tests, NULL, __FILE__
};
