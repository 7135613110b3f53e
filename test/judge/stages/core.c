// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The stage about CO-RE: an offset that only the running kernel knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/judge/stages/stages.h"

/* Read the types of the kernel. Return: malloc'ed, or NULL. */
static unsigned char *read_kernel_types(size_t *size)
{
	FILE *in = fopen("/sys/kernel/btf/vmlinux", "re");
	unsigned char *bytes = NULL;
	size_t room = 0, got = 1;

	for (*size = 0; in && got; *size += got) {
		if (*size == room) {
			unsigned char *larger = realloc(bytes, room += 1 << 20);

			if (!larger)
				break;
			bytes = larger;
		}
		got = fread(bytes + *size, 1, room - *size, in);
	}
	if (in)
		fclose(in);
	return bytes;
}

/* Return the offset in bytes of member @name of struct task_struct in the kernel, or -1. */
static int64_t kernel_offset(const char *name)
{
	size_t size;
	unsigned char *bytes = read_kernel_types(&size);
	struct btf btf;
	int64_t offset = -1;
	struct btf_type_view task;

	if (!bytes || btf_parse(&btf, (struct bytes){ bytes, size }, NULL)) {
		free(bytes);
		return -1;
	}
	task = btf_type(&btf, btf_find(&btf, BTF_KIND_STRUCT, "task_struct"));
	for (uint32_t i = 0; i < task.vlen; i++) {
		const struct btf_member_view member = btf_member(&btf, &task, i);

		if (!strcmp(member.name, name))
			offset = member.bit_offset / 8;
	}
	btf_free(&btf);
	free(bytes);
	return offset;
}

/* The second member of the object's own struct task_struct, which the program asks for. */
static const char *field_name(const struct run *run)
{
	const struct btf *btf = &run->object.btf;
	const struct btf_type_view task = btf_type(btf, btf_find(btf, BTF_KIND_STRUCT, "task_struct"));

	return task.vlen > 1 ? btf_member(btf, &task, 1).name : "";
}

static bool until_found(struct run *run)
{
	uint64_t runs = 0;

	if (!variable_now(run, ".bss", "runs", &runs) || !runs)
		return false;
	return variable_now(run, ".bss", "found", &run->found);
}

static bool offset_found(struct run *run)
{
	const char *field = field_name(run);
	const int64_t wanted = kernel_offset(field);

	if (!check_loaded(run) || !check_ready(run))
		return false;
	if (wanted < 0)
		return wrong(run, "the judge cannot read /sys/kernel/btf/vmlinux: this kernel has no types");
	if (!run->enough)
		return wrong(run, "the program never ran, or its variables were not found");
	if (run->found == (uint64_t)wanted)
		return true;
	return wrong(run, "the program takes %llu for the offset of task_struct.%s, and in this kernel it is "
		     "%lld%s", (unsigned long long)run->found, field, (long long)wanted,
		     run->found == 4 ? ": 4 is the offset in the object's own struct, which has two members" : "");
}

const struct stage stage_core = {
	.name = "core", .title = "CO-RE: a field of the kernel",
	.task = "Apply the relocations of .BTF.ext against the types of the running kernel, "
		"/sys/kernel/btf/vmlinux, at least those of kind 0, the byte offset of a field.",
	.object = "core.bpf.c", .features = "", .method = "ioctl", .attaches = true, .until = until_found,
	.checks = (const struct check[]){
		{ "core.offset", offset_found, "the program knows the kernel's offset", "book/co_re.md",
		  { "The header of .BTF.ext has a third table: core_relo_off and core_relo_len.",
		    "A record: insn_off (bytes), type_id, access_str_off, kind. \"0:1\" is member 1 of the type.",
		    "Find a struct of that name in the kernel's types, in it a member of that name, and write its "
		    "offset into imm of the instruction at insn_off." } },
		{ 0 } },
	.beyond = "pload also knows the other twelve kinds, arrays, bit fields, enums and modules: "
		  "loader/objects/co_re/.",
};
