// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compare CO-RE with the kernel's own relocator, for one object of the corpus: load each program
 * with relocations done here and with relocations done by BPF_PROG_LOAD. Prints a line of JSON, for
 * `each`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/load.h"
#include "loader/core/kernel/attr.h"

#define INSNS_MAX (1u << 20)

struct tally {
	unsigned int same, refused, different;
	char first[1024];	/* the first difference */
};

/*
 * Get the instructions of a loaded program, as modified by the verifier. Return their size in
 * bytes, or -errno.
 */
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

/*
 * Load and unload a program, with the object's maps as they are. Return its size in bytes, or
 * -errno.
 */
static int load(struct loading *l, uint32_t prog, bool by_kernel, struct bpf_insn *insns,
		struct error *err)
{
	int ret;

	co_re_free(&l->core);
	co_re_init(&l->core, &l->types->running, &l->object, by_kernel);
	ret = load_program(l, prog, err);
	if (!ret)
		ret = translated(l->sys, l->kernel.progs[prog].fd, insns);
	sys_close_fd(l->sys, &l->kernel.progs[prog].fd);
	return ret;
}

static void compare(struct loading *l, uint32_t prog, struct bpf_insn *ours, struct bpf_insn *theirs,
		    struct tally *t)
{
	struct error err = { 0 }, err2 = { 0 };
	int size = load(l, prog, false, ours, &err), size2 = load(l, prog, true, theirs, &err2);
	char what[900] = "";

	/* If the kernel refuses the object's BTF, it relocates nothing. */
	const bool no_types = size2 < 0 && err2.reason && !strcmp(err2.reason, "core/kernel");

	if (no_types || (size < 0 && size2 < 0)) {
		t->refused++;
	} else if (size < 0 || size2 < 0) {
		snprintf(what, sizeof(what), "only %s: %.300s: %.500s",
			 size < 0 ? "by the kernel" : "here", size < 0 ? err.where : err2.where,
			 size < 0 ? err.what : err2.what);
	} else if (size != size2) {
		snprintf(what, sizeof(what), "%d bytes of instructions, the kernel's %d", size,
			 size2);
	} else if (memcmp(ours, theirs, size)) {
		int i = 0;

		while (!memcmp(&ours[i], &theirs[i], sizeof(*ours)))
			i++;
		snprintf(what, sizeof(what),
			 "instruction %d: %02x off %d imm %d, the kernel's %02x off %d imm %d", i,
			 ours[i].code, ours[i].off, ours[i].imm, theirs[i].code, theirs[i].off,
			 theirs[i].imm);
	} else {
		t->same++;
	}
	if (what[0] && !t->different++)
		snprintf(t->first, sizeof(t->first), "%.100s: %s", l->object.progs[prog].name, what);
	error_clear(&err);
	error_clear(&err2);
}

static int compare_all(struct loading *l, struct tally *t, struct error *err)
{
	struct bpf_insn *ours, *theirs;
	int ret = 0;

	if (!l->object.has_btf || !l->object.ext.core_relo.nr_secs)
		return 0;
	ret = loading_maps(l, err);
	if (ret < 0)
		return ret;
	ours = calloc(INSNS_MAX, sizeof(*ours));
	theirs = calloc(INSNS_MAX, sizeof(*theirs));
	if (!ours || !theirs)
		abort();
	for (uint32_t i = 0; i < l->object.nr_progs; i++)
		compare(l, i, ours, theirs, t);
	free(ours);
	free(theirs);
	return 0;
}

static void put_text(const char *s)
{
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s >= ' ')
			putchar(*s);
}

int main(int argc, char **argv)
{
	const struct load_options options = { 0 };
	struct loading_types types;
	struct error err = { 0 };
	struct loading l = { 0 };
	struct tally t = { 0 };
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: core_compare OBJECT\n");
		return 2;
	}
	loading_types_init(&types, sys_linux(), &options);
	ret = loading_begin(&l, sys_linux(), NULL, &options, &types, argv[1], &err);
	if (!ret)
		ret = compare_all(&l, &t, &err);
	printf("{\"status\":\"%s\",\"same\":%u,\"refused\":%u,\"different\":%u,\"error\":\"",
	       ret < 0 ? "not loaded" : t.different ? "failed" : "ok", t.same, t.refused,
	       t.different);
	put_text(ret < 0 ? err.what : t.first);
	printf("\"}\n");
	error_clear(&err);
	loading_end(&l);
	loading_types_free(&types);
	return t.different != 0;
}
