// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CO-RE held against the kernel's own relocator: each program of the objects given is loaded with
 * relocations done here and with them left to BPF_PROG_LOAD, and the kernel shows the same
 * instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/core.h"
#include "loader/kernel/attr.h"
#include "loader/kernel/kernel.h"
#include "test/unit/buffer.h"

#define INSNS_MAX 65536

static struct buffer read_file(struct sys *sys, const char *path)
{
	struct buffer b = { 0 };
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	char part[4096];
	ssize_t n;

	while (fd >= 0 && (n = sys_read(sys, fd, part, sizeof(part))) > 0)
		buffer_add(&b, part, n);
	sys_close_fd(sys, &fd);
	return b;
}

/* The instructions of a loaded program, as the verifier has left them. Returns bytes, or -errno. */
static int translated(struct sys *sys, int fd, struct bpf_insn *insns)
{
	struct bpf_prog_info info = { .xlated_prog_insns = attr_pointer(insns),
				      .xlated_prog_len = INSNS_MAX * sizeof(*insns) };
	uint32_t len = sizeof(info);
	int ret = kernel_fd_info(sys, fd, &info, &len);

	if (ret < 0)
		return ret;
	return info.xlated_prog_insns ? (int)info.xlated_prog_len : -EPERM;
}

static int load(struct sys *sys, struct bpf_object *obj, struct kernel_object *k, uint32_t prog,
		bool by_kernel, struct bpf_insn *insns, struct error *err)
{
	int *fds = calloc(obj->nr_maps + 1, sizeof(*fds));
	struct prog_code code;
	struct kernel_types types;
	struct core core;
	int ret;

	kernel_map_fds(k, fds);
	kernel_types_init(&types, sys, NULL);
	core_init(&core, &types, obj, by_kernel);
	ret = relocate(obj, prog, fds, &code, err);
	if (!ret) {
		ret = kernel_load_prog(sys, k, prog, &code, err);
		prog_code_free(&code);
	}
	if (!ret) {
		ret = translated(sys, k->progs[prog].fd, insns);
		if (ret < 0)
			error_set(err, -ret, "no translated instructions: %s",
				  error_strerror(-ret));
	} else {
		core_explain(&core, err);
	}
	sys_close_fd(sys, &k->progs[prog].fd);
	core_free(&core);
	kernel_types_free(&types);
	free(fds);
	return ret;
}

static int failed(int nr, const char *name, const char *prog, const char *how, struct error *err)
{
	printf("not ok %d - %s: %s\n# %s: %s: %s\n# %s\n%s", nr, name, prog, how, err->where,
	       err->what, err->hint, err->log && strlen(err->log) < 3000 ? err->log : "");
	error_clear(err);
	return 1;
}

/* Whether this kernel knows an instruction of -mcpu=v4 (Linux 6.6), a load with its sign. */
static bool knows_v4(struct sys *sys)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_LDX | 0x80 | BPF_B, .src_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 3 };
	int fd;

	attr.insns = attr_pointer(insns);
	attr.license = attr_pointer("GPL");
	fd = sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(license));
	sys_close_fd(sys, &fd);
	return fd >= 0;
}

/* What the kernel that runs is too old for, or NULL. */
static const char *too_old(struct sys *sys, const char *name, const struct error *err)
{
	if (err->reason && !strcmp(err->reason, "prog-load/too-old"))
		return err->hint;
	if (strstr(name, "-v4") && err->code < 0 && !knows_v4(sys))
		return "this kernel does not know the instructions of -mcpu=v4 (Linux 6.6)";
	return NULL;
}

/* The program was refused @how: 1, unless the kernel is too old for it. */
static int refused(struct sys *sys, int nr, const char *name, const char *prog, const char *how,
		   struct error *err)
{
	const char *cause = too_old(sys, name, err);

	if (!cause)
		return failed(nr, name, prog, how, err);
	printf("ok %d - %s: %s # SKIP %s: %s\n", nr, name, prog, how, cause);
	error_clear(err);
	return 0;
}

/* Returns 1 when the test failed. */
static int compare(struct sys *sys, struct bpf_object *obj, struct kernel_object *k, uint32_t prog,
		   int nr, const char *name)
{
	struct bpf_insn *ours = calloc(INSNS_MAX, sizeof(*ours));
	struct bpf_insn *theirs = calloc(INSNS_MAX, sizeof(*theirs));
	const char *what = obj->progs[prog].name;
	struct error err = { 0 };
	int size = load(sys, obj, k, prog, false, ours, &err), size2 = 0, bad = 0;

	if (size < 0)
		bad = refused(sys, nr, name, what, "relocated here", &err);
	else if ((size2 = load(sys, obj, k, prog, true, theirs, &err)) < 0)
		bad = refused(sys, nr, name, what, "relocated by the kernel", &err);
	else if (size != size2 || memcmp(ours, theirs, size)) {
		printf("not ok %d - %s: %s\n# %d bytes of instructions and %d\n", nr, name, what,
		       size, size2);
		for (int i = 0; i < size / 8 && i < size2 / 8; i++)
			if (memcmp(&ours[i], &theirs[i], 8))
				printf("# %d: %02x off %d imm %d; kernel: %02x off %d imm %d\n", i,
				       ours[i].code, ours[i].off, ours[i].imm, theirs[i].code,
				       theirs[i].off, theirs[i].imm);
		bad = 1;
	} else {
		printf("ok %d - %s: %s: %d instructions are those of the kernel's relocator\n", nr,
		       name, what, size / 8);
	}
	free(ours);
	free(theirs);
	return bad;
}

/* Why there is nothing to compare with on this machine, or NULL. */
static const char *lacking(struct sys *sys, const struct kernel_object *k, int ret)
{
	int fd = sys_openat(sys, AT_FDCWD, "/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	bool types = fd >= 0;

	sys_close_fd(sys, &fd);
	if (!types)
		return "there is no /sys/kernel/btf/vmlinux";
	if (ret == -EPERM)
		return "no privilege to load";
	return k->btf_fd < 0 ? "the kernel takes no BTF" : NULL;
}

static int run_object(struct sys *sys, const char *path, int *nr)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *cause;
	struct buffer file = read_file(sys, path);
	struct bytes bytes = { file.data, file.size };
	struct kernel_object k = { 0 };
	struct bpf_object obj;
	struct error err = { 0 };
	int ret = bpf_object_parse(&obj, path, bytes, &err), bad = 0;

	if (ret) {
		bad = failed(++*nr, name, "", "parsed", &err);
		goto out;
	}
	ret = kernel_load_maps(sys, &obj, &(struct map_options){ .nr_possible_cpus = 1 }, &k, &err);
	cause = lacking(sys, &k, ret);
	if (cause)
		printf("ok %d - %s # SKIP %s\n", ++*nr, name, cause);
	else if (ret)
		bad = failed(++*nr, name, "", "maps", &err);
	for (uint32_t i = 0; !cause && !ret && i < obj.nr_progs; i++)
		bad += compare(sys, &obj, &k, i, ++*nr, name);
	kernel_unload(sys, &k);
	bpf_object_free(&obj);
out:
	error_clear(&err);
	buffer_free(&file);
	return bad;
}

int main(int argc, char **argv)
{
	int nr = 0, bad = 0;

	for (int i = 1; i < argc; i++)
		bad += run_object(sys_linux(), argv[i], &nr);
	printf("1..%d\n", nr);
	return bad != 0;
}
