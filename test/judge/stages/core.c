// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The stage about CO-RE: an offset that only the running kernel determines. */
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

/* The answers of the kernel to what the program asks. */
struct answers {
	int64_t offset, field_size, type_size, enumerator_value;	/* -1: not known */
};

static void answer_members(const struct btf *btf, const char *name, struct answers *answers)
{
	const struct btf_type_view task = btf_type(btf, btf_find(btf, BTF_KIND_STRUCT, "task_struct"));

	answers->type_size = task.size;
	for (uint32_t i = 0; i < task.vlen; i++) {
		const struct btf_member_view member = btf_member(btf, &task, i);

		if (!strcmp(member.name, name))
			answers->offset = member.bit_offset / 8;
		if (!strcmp(member.name, "comm"))
			answers->field_size = btf_size(btf, member.type);
	}
}

static void answer_enumerator(const struct btf *btf, struct answers *answers)
{
	const struct btf_type_view pid_type = btf_type(btf, btf_find(btf, BTF_KIND_ENUM, "pid_type"));

	for (uint32_t i = 0; i < pid_type.vlen; i++) {
		const struct btf_enumerator_view e = btf_enumerator(btf, &pid_type, i);

		if (!strcmp(e.name, "PIDTYPE_TGID"))
			answers->enumerator_value = e.value;
	}
}

/* @name is the member of struct task_struct whose offset the program asks for. */
static struct answers kernel_answers(const char *name)
{
	struct answers answers = { -1, -1, -1, -1 };
	size_t size;
	unsigned char *bytes = read_kernel_types(&size);
	struct btf btf;

	if (bytes && !btf_parse(&btf, (struct bytes){ bytes, size }, NULL)) {
		answer_members(&btf, name, &answers);
		answer_enumerator(&btf, &answers);
		btf_free(&btf);
	}
	free(bytes);
	return answers;
}

/* The second member of the object's own struct task_struct, which the program asks for. */
static const char *field_name(const struct run *run)
{
	const struct btf *btf = &run->object.btf;
	const struct btf_type_view task = btf_type(btf, btf_find(btf, BTF_KIND_STRUCT, "task_struct___ours"));

	return task.vlen > 1 ? btf_member(btf, &task, 1).name : "";
}

/* The variables of the program, in the order of the rows of kinds_answered(). */
static const char *const questions[] = {
	"found", "field_size", "field_exists", "no_field_exists", "type_size", "type_exists",
	"no_type_exists", "enumerator_value", "enumerator_exists", "no_enumerator_exists",
};

static bool until_found(struct run *run)
{
	uint64_t runs = 0;

	if (!variable_now(run, ".bss", "runs", &runs) || !runs)
		return false;
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		if (!variable_now(run, ".bss", questions[i], &run->found[i]))
			return false;
	return true;
}

static bool offset_found(struct run *run)
{
	const char *field = field_name(run);
	int64_t wanted;

	if (!check_loaded(run) || !check_ready(run))
		return false;
	wanted = kernel_answers(field).offset;
	if (wanted < 0)
		return wrong(run, "the judge cannot read /sys/kernel/btf/vmlinux: this kernel has no types");
	if (!run->enough)
		return wrong(run, "the program never ran, or its variables were not found");
	if (run->found[0] == (uint64_t)wanted)
		return true;
	return wrong(run, "the program takes %llu for the offset of task_struct.%s, and in this kernel it is "
		     "%lld%s", (unsigned long long)run->found[0], field, (long long)wanted,
		     run->found[0] == 4 ? ": 4 is the offset in the object's own struct, whose name without "
					  "___ours is that of the kernel's" : "");
}

static bool kinds_answered(struct run *run)
{
	const struct answers answers = kernel_answers(field_name(run));
	const struct { int64_t wanted; unsigned int kind; const char *question; } rows[] = {
		{ answers.offset, 0, "the byte offset of the field" },
		{ answers.field_size, 1, "the size of task_struct.comm" },
		{ 1, 2, "whether a field exists, which does" },
		{ 0, 2, "whether task_struct.no_such_field exists" },
		{ answers.type_size, 9, "the size of struct task_struct" },
		{ 1, 8, "whether struct task_struct exists" },
		{ 0, 8, "whether struct no_such_struct exists" },
		{ answers.enumerator_value, 11, "the value of PIDTYPE_TGID" },
		{ 1, 10, "whether PIDTYPE_TGID exists" },
		{ 0, 10, "whether enumerator PIDTYPE_NONE_SUCH exists in enum pid_type" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].wanted >= 0 && run->found[i] != (uint64_t)rows[i].wanted)
			return wrong(run, "kind %u asks %s: the program gets %lld, and in this kernel the answer is "
				     "%lld", rows[i].kind, rows[i].question, (long long)run->found[i],
				     (long long)rows[i].wanted);
	return true;
}

const struct stage stage_core = {
	.name = "core", .title = "CO-RE: a field of the kernel",
	.task = "Apply the relocations of .BTF.ext against the types of the running kernel, "
		"/sys/kernel/btf/vmlinux: the byte offset of a field (kind 0), its size (1) and existence (2), the "
		"existence (8) and size (9) of a type, the existence (10) and value (11) of an enumerator.",
	.object = "core.bpf.c", .features = "", .method = "ioctl", .attaches = true, .until = until_found,
	.checks = (const struct check[]){
		{ "core.offset", offset_found, "the program knows the kernel's offset", "book/co_re.md",
		  { "The header of .BTF.ext has a third table: core_relo_off and core_relo_len.",
		    "A record: insn_off (bytes), type_id, access_str_off, kind. \"0:1\" is member 1 of the type.",
		    "Find a struct of that name in the kernel's types, in it a member of that name, and write its "
		    "offset into imm of the instruction at insn_off." } },
		{ "core.kinds", kinds_answered, "and what else it asks", "book/co_re.md",
		  { "What does not exist is no error for the kinds 2, 8 and 10: the answer is 0.",
		    "The string of a type is \"0\", that of an enumerator its index in the object's enum.",
		    "___ and what follows it in a local name is no part of it: task_struct___ours is task_struct, "
		    "PIDTYPE_TGID___ours is PIDTYPE_TGID." } },
		{ 0 } },
	.beyond = "pload also knows the other kinds, bit fields, arrays, unions and modules: "
		  "loader/objects/co_re/.",
};
