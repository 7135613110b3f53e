// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CO-RE compared with the kernel's own relocator: each program is loaded once with relocations that
 * pload has applied and once with those left to BPF_PROG_LOAD, and the kernel shows the same
 * instructions. Several compilers built the programs from one source.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "test/regress/harness/regress.h"

#define INSNS_MAX 65536

static const char *const progs[] = {
	"fields", "info", "chosen", "direct", "stores", "in_module",
};

/* The programs that both relocators must refuse. */
static const char *const refused_progs[] = { "signed_there", "signed_here" };

/* The objects of test/regress/regress.mk, whether or not this build had their compiler. */
static const struct build {
	const char *name, *file;
} builds[] = {
	{ "the clang of the build", "core-build.bpf.o" },
	{ "clang-14", "core-clang-14.bpf.o" },
	{ "clang-19", "core-clang-19.bpf.o" },
	{ "clang-19 -mcpu=v4", "core-v4.bpf.o" },
};

struct row {
	const struct build *build;
	const char *prog;
};

/* The object with its maps, but without its programs. */
static void begin(struct regress *t, struct regress_object *o, const struct build *build)
{
	struct error err = { 0 };

	if (!regress_has_file(build->file))
		regress_skip(t, "the machine that built this suite had no such compiler");
	*o = (struct regress_object){ .file_fd = regress_file(t, build->file) };
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		regress_skip(t, "there is no /sys/kernel/btf/vmlinux");
	snprintf(o->path, sizeof(o->path), "/proc/self/fd/%d", o->file_fd);
	loading_types_init(&o->types, t->sys, &o->options);
	regress_ok(t, loading_begin(&o->loading, t->sys, &o->out, &o->options, &o->types, o->path,
				    &err), &err, "object");
	regress_ok(t, loading_maps(&o->loading, &err), &err, "maps");
	if (o->loading.kernel.btf_fd < 0)
		regress_skip(t, "the kernel takes no BTF of programs");
}

static uint32_t find_prog(struct regress *t, const struct bpf_object *obj, const char *name)
{
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		if (!strcmp(obj->progs[i].name, name))
			return i;
	regress_fail(t, "there is no program '%s'", name);
}

/* The instructions of a loaded program, as the verifier has left them. Returns bytes. */
static int translated(struct regress *t, int fd, struct bpf_insn *insns)
{
	struct bpf_prog_info info = { .xlated_prog_insns = attr_pointer(insns),
				      .xlated_prog_len = INSNS_MAX * sizeof(*insns) };
	uint32_t len = sizeof(info);

	regress_ok(t, kernel_fd_info(t->sys, fd, &info, &len), NULL, "translated instructions");
	if (!info.xlated_prog_insns)
		regress_skip(t, "the kernel shows no instructions to this process");
	return info.xlated_prog_len;
}

/*
 * Returns whether this kernel knows a sign-extending load, an instruction of -mcpu=v4 (Linux 6.6).
 */
static bool knows_v4(struct sys *sys)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_LDX | 0x80 | BPF_B, .src_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = NR(insns) };
	int fd;

	attr.insns = attr_pointer(insns);
	attr.license = attr_pointer("GPL");
	fd = sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(license));
	sys_close_fd(sys, &fd);
	return fd >= 0;
}

/* Skips the test if the running kernel is too old for the program, and fails it otherwise. */
static _Noreturn void refused(struct regress *t, const char *how, const struct error *err)
{
	const struct row *row = t->data;

	if (err->reason && !strcmp(err->reason, "prog-load/too-old"))
		regress_skip(t, "%s: %s", how, err->hint);
	if (strstr(row->build->file, "-v4") && !knows_v4(t->sys))
		regress_skip(t, "this kernel does not know the instructions of -mcpu=v4 "
				"(Linux 6.6)");
	regress_ok(t, err->code, err, how);
	abort();
}

/* Relocate and load program @prog. Returns 0 or -errno, with CO-RE's explanation in @err. */
static int try_load(struct regress *t, struct loading *l, uint32_t prog, bool by_kernel,
		    struct error *err)
{
	struct kernel_types types;
	struct prog_code code;
	struct co_re core;
	int ret;

	kernel_types_init(&types, t->sys, NULL);
	co_re_init(&core, &types, &l->object, by_kernel);
	ret = relocate(&l->object, prog, l->map_fds, &code, err);
	if (!ret)
		ret = kernel_verify_prog(t->sys, &l->kernel, prog, &code, err);
	if (ret)
		co_re_explain(&core, &code, err);
	prog_code_free(&code);
	co_re_free(&core);
	kernel_types_free(&types);
	return ret;
}

static int load(struct regress *t, struct loading *l, bool by_kernel, struct bpf_insn *insns)
{
	const uint32_t prog = find_prog(t, &l->object, ((const struct row *)t->data)->prog);
	struct error err = { 0 };
	int ret;

	if (try_load(t, l, prog, by_kernel, &err))
		refused(t, by_kernel ? "relocated by the kernel" : "relocated here", &err);
	ret = translated(t, l->kernel.progs[prog].fd, insns);
	sys_close_fd(t->sys, &l->kernel.progs[prog].fd);
	return ret;
}

static void note_differences(struct regress *t, const struct bpf_insn *ours,
			     const struct bpf_insn *theirs, int nr)
{
	for (int i = 0; i < nr; i++)
		if (memcmp(&ours[i], &theirs[i], sizeof(*ours)))
			regress_note(t, "%d: %02x off %d imm %d; kernel: %02x off %d imm %d", i,
				     ours[i].code, ours[i].off, ours[i].imm, theirs[i].code,
				     theirs[i].off, theirs[i].imm);
}

static void compare(struct regress *t)
{
	const struct row *row = t->data;
	struct bpf_insn *ours = calloc(INSNS_MAX, sizeof(*ours));
	struct bpf_insn *theirs = calloc(INSNS_MAX, sizeof(*theirs));
	struct regress_object o;
	int size, size2;

	regress_expect(t, ours && theirs, "no memory for instructions");
	begin(t, &o, row->build);
	size = load(t, &o.loading, false, ours);
	size2 = load(t, &o.loading, true, theirs);
	note_differences(t, ours, theirs, (size < size2 ? size : size2) / (int)sizeof(*ours));
	regress_expect(t, size == size2 && !memcmp(ours, theirs, size),
		       "%d bytes of instructions are not the %d of the kernel's", size, size2);
	regress_unload(t, &o);
	free(ours);
	free(theirs);
}

/* Loaded with another size, the program would read another value. */
static void refused_by_both(struct regress *t)
{
	const struct row *row = t->data;
	struct error err = { 0 };
	struct regress_object o;
	uint32_t prog;
	int ret;

	begin(t, &o, row->build);
	prog = find_prog(t, &o.loading.object, row->prog);
	ret = try_load(t, &o.loading, prog, false, &err);
	if (ret && (!err.reason || strcmp(err.reason, "core/not-met")))
		refused(t, "relocated here", &err);
	regress_expect(t, ret, "relocated here it is loaded");
	regress_expect(t, strstr(err.hint, "read it with bpf_core_read()"), "the hint is '%s'", err.hint);
	error_clear(&err);
	ret = try_load(t, &o.loading, prog, true, &err);
	regress_expect(t, ret, "relocated by the kernel it is loaded");
	error_clear(&err);
	regress_unload(t, &o);
}

/* PERF_CONTEXT_USER: half of the value would be a number, too, and another one. */
static void wide_enum(struct regress *t)
{
	const struct row *row = t->data;
	struct bpf_insn *insns = calloc(INSNS_MAX, sizeof(*insns));
	const struct btf *btf;
	struct regress_object o;
	struct error err = { 0 };
	bool found = false;
	int nr;

	regress_expect(t, insns, "no memory for instructions");
	begin(t, &o, row->build);
	regress_ok(t, kernel_types_vmlinux(&o.types.running, &btf, &err), &err, "kernel's BTF");
	if (!btf_find(btf, BTF_KIND_ENUM64, "perf_callchain_context"))
		regress_skip(t, "this kernel's BTF has no 64-bit enumerators");
	nr = load(t, &o.loading, false, insns) / (int)sizeof(*insns);
	for (int i = 0; i + 1 < nr; i++)
		found |= insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) && !insns[i].src_reg &&
			 insns[i].imm == -512 && insns[i + 1].imm == -1;
	regress_expect(t, found, "no instruction of %d has the value", nr);
	regress_unload(t, &o);
	free(insns);
}

static void fill(struct regress_list *list)
{
	static struct row rows[NR(builds)][NR(progs)], refused_rows[NR(builds)][NR(refused_progs)],
			  wide[NR(builds)];

	for (size_t b = 0; b < NR(builds); b++) {
		for (size_t i = 0; i < NR(progs); i++) {
			rows[b][i] = (struct row){ &builds[b], progs[i] };
			regress_add(list, compare, &rows[b][i], "%s: %s", builds[b].name, progs[i]);
		}
		for (size_t i = 0; i < NR(refused_progs); i++) {
			refused_rows[b][i] = (struct row){ &builds[b], refused_progs[i] };
			regress_add(list, refused_by_both, &refused_rows[b][i],
				    "%s: %s, which both refuse", builds[b].name, refused_progs[i]);
		}
		wide[b] = (struct row){ &builds[b], "wide_enum" };
		regress_add(list, wide_enum, &wide[b], "%s: all 64 bits of an enumerator",
			    builds[b].name);
	}
}

const struct regress_group regress_group_core = {
	"core", "CO-RE relocations are those that the kernel makes", NULL, fill, __FILE__
};
