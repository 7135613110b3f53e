// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages that load: a program that the kernel accepts, and one that it refuses. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "loader/base/text/names.h"
#include "test/judge/stages/stages.h"

/* Return true if the program has the address of a function, which needs func_info. */
static bool has_callback(const struct seen_prog *prog)
{
	for (uint32_t i = 0; i < prog->nr_insns; i++)
		if (prog->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    prog->insns[i].src_reg == BPF_PSEUDO_FUNC)
			return true;
	return false;
}

static bool load_attributes(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);

	if (!check_load_tried(run))
		return false;
	if (prog->attr.prog_type != BPF_PROG_TYPE_PERF_EVENT)
		return wrong(run, "prog_type is %s: the program is for a perf event, which runs "
			     "BPF_PROG_TYPE_PERF_EVENT (7) and no other",
			     sys_prog_type_name(prog->attr.prog_type) ?: "not known");
	if (strcmp(prog->license, run->choice.license))
		return wrong(run, "the license is '%s', and section 'license' of this object has '%s': attr has a "
			     "pointer to these bytes. Helpers for programs under the GPL are refused without "
			     "one", prog->license, run->choice.license);
	if (prog->attr.log_size && !prog->attr.log_buf)
		return wrong(run, "log_size is %u, and log_buf is 0", prog->attr.log_size);
	return true;
}

static bool functions_described(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);

	if (prog->id || !has_callback(prog))
		return true;
	if (!prog->attr.prog_btf_fd && run->seen.btf_error)
		return wrong(run, "BPF_BTF_LOAD failed with %s%s%s", sys_errno_name(run->seen.btf_error),
			     run->seen.btf_reason[0] ? ": " : " and no log", run->seen.btf_reason);
	if (!prog->attr.prog_btf_fd)
		return wrong(run, "the program passes the address of a function to bpf_loop(), so the kernel "
			     "wants its type: load .BTF by BPF_BTF_LOAD, and pass prog_btf_fd");
	if (prog->attr.func_info_cnt && prog->attr.func_info_rec_size < sizeof(struct bpf_func_info))
		return wrong(run, "func_info_rec_size is %u, and a record has 8 bytes: the offset and the type, "
			     "4 bytes each", prog->attr.func_info_rec_size);
	if (!prog->nr_func_info)
		return wrong(run, "the program passes the address of a function to bpf_loop(): pass func_info, "
			     "the type of each function of the program (check_ld_imm() of the verifier)");
	for (uint32_t i = 0; i < prog->nr_func_info; i++)
		if (prog->func_info[i].insn_off >= prog->nr_insns)
			return wrong(run, "insn_off of func_info[%u] is %u: it counts instructions of the "
				     "program, which has %u, and .BTF.ext counts bytes of the section", i,
				     prog->func_info[i].insn_off, prog->nr_insns);
	if (prog->func_info[0].insn_off)
		return wrong(run, "insn_off of func_info[0] is %u, and the first function begins at 0",
			     prog->func_info[0].insn_off);
	for (uint32_t i = 1; i < prog->nr_func_info; i++)
		if (prog->func_info[i].insn_off <= prog->func_info[i - 1].insn_off)
			return wrong(run, "insn_off of func_info[%u] is %u, and has to be greater than %u", i,
				     prog->func_info[i].insn_off, prog->func_info[i - 1].insn_off);
	return true;
}

/* The kernel takes letters, digits, '_' and '.', and a NUL: bpf_obj_name_cpy() of syscall.c. */
static const char *name_fault(const char *name, size_t size)
{
	const size_t len = strnlen(name, size);

	if (len == size)
		return "has no NUL in its 16 bytes";
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '.')
			return "has another character than letters, digits, '_' and '.'";
	return NULL;
}

/* Without a log: report which attribute the kernel refuses, as far as that is visible. */
static bool attribute_is_wrong(struct run *run, const struct seen_prog *prog)
{
	const union bpf_attr *a = &prog->attr;
	const char *error = sys_errno_name(prog->error) ?: "an error";
	const char *fault = name_fault(a->prog_name, sizeof(a->prog_name));

	if (!a->insn_cnt)
		return wrong(run, "BPF_PROG_LOAD failed with %s: insn_cnt is 0", error);
	if (prog->nr_insns < a->insn_cnt)
		return wrong(run, "BPF_PROG_LOAD failed with %s: insn_cnt is %u, and only %u instructions can be read "
			     "at insns", error, a->insn_cnt, prog->nr_insns);
	if (fault)
		return wrong(run, "BPF_PROG_LOAD failed with %s: prog_name %s", error, fault);
	if (!a->log_level && (a->log_size || a->log_buf))
		return wrong(run, "BPF_PROG_LOAD failed with %s: log_level is 0, and then log_size and log_buf have to "
			     "be 0, too", error);
	if (a->log_level && (!a->log_buf || a->log_size < 128))
		return wrong(run, "BPF_PROG_LOAD failed with %s: log_level is %u, log_size %u%s: pass a buffer of 64 kB",
			     error, a->log_level, a->log_size, a->log_buf ? "" : " and log_buf 0");
	if (a->func_info_cnt && a->func_info_rec_size < sizeof(struct bpf_func_info))
		return wrong(run, "BPF_PROG_LOAD failed with %s: func_info_rec_size is %u, not 8", error,
			     a->func_info_rec_size);
	if (prog->error == EBADF)
		return wrong(run, "BPF_PROG_LOAD failed with EBADF: prog_btf_fd is %u, which is no descriptor of what "
			     "BPF_BTF_LOAD returned", a->prog_btf_fd);
	if (a->prog_flags || a->expected_attach_type || a->prog_ifindex)
		return wrong(run, "BPF_PROG_LOAD failed with %s: prog_flags is 0x%x, prog_ifindex %u, "
			     "expected_attach_type %u; for this program they are 0", error, a->prog_flags,
			     a->prog_ifindex, a->expected_attach_type);
	return wrong(run, "BPF_PROG_LOAD failed with %s and no log: an attribute is wrong. All bytes of attr that you do "
		     "not use have to be 0; pass log_level 1, log_buf and log_size for more", error);
}

bool check_loaded(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);
	char reason[256] = "";

	if (!prog)
		return load_attributes(run);
	if (prog->id && !prog->attr.prog_name[0])
		allowed(run, "the program has no name: the kernel wants none, tools show it");
	if (prog->id && !prog->attr.prog_btf_fd)
		allowed(run, "the program has no types: the kernel wants none here, tools show them");
	if (prog->id)
		return true;
	if (prog->error == ENOSPC && prog->attr.log_size)
		return wrong(run, "BPF_PROG_LOAD failed with ENOSPC: the log is longer than log_size, which is "
			     "%u, and the call fails then, also for a program that the verifier accepts: "
			     "pass 64 kB, or log_level 0", prog->attr.log_size);
	if (prog->log)
		last_reason(prog->log, reason, sizeof(reason));
	if (!reason[0])
		return attribute_is_wrong(run, prog);
	return wrong(run, "the verifier refuses the program: %s", reason);
}

#define LOADING_PAGE "book/loading.md"

const struct stage stage_load = {
	.name = "load", .title = "Load the program",
	.task = "Load the program so that the kernel accepts it: with its license, its BTF and func_info.",
	.object = "base.bpf.c", .features = "CALLS CALLBACK", .method = "ioctl", .unsorted = true,
	.major = 5, .minor = 17,
	.checks = (const struct check[]){
		{ "load.attributes", load_attributes, "BPF_PROG_LOAD got type and license", LOADING_PAGE,
		  { "`pload --trace OBJECT` shows the call as pload makes it.",
		    "The license is a pointer to the bytes of section 'license'.",
		    "Offsets in attr: prog_type 0, insn_cnt 4, insns 8, license 16." } },
		{ "load.func_info", functions_described, "callbacks have types", LOADING_PAGE,
		  { ".BTF.ext has for each section records of an offset in bytes and a type id.",
		    "Take the type of each linked function; insn_off is where it begins in the program, in "
		    "instructions, ascending.",
		    "BPF_BTF_LOAD (18): attr has btf 0, btf_log_buf 8, btf_size 16. A DATASEC needs its size "
		    "and the offsets of its variables. prog_btf_fd 72, func_info_rec_size 76, func_info 80, "
		    "func_info_cnt 88." } },
		{ "load.accepted", check_loaded, "the verifier accepts the program", LOADING_PAGE,
		  { "Read the log: pass log_level 1, log_buf and log_size.",
		    "The last lines of the log have the instruction and the reason.",
		    "`pload explain TEXT` knows many of the kernel's reasons." } },
		{ 0 } },
	.beyond = "pload also passes line_info, and finds what an older kernel does not know: "
		  "loader/core/kernel/load_prog.c.",
};

/* --- a program that is refused --- */

static bool was_refused(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);

	if (!prog)
		return load_attributes(run);
	if (prog->id)
		return wrong(run, "the kernel accepted a program that reads from an address which may be 0: "
			     "your loader has changed it");
	return true;
}

static bool ended_with_error(struct run *run)
{
	if (WIFSIGNALED(run->status))
		return wrong(run, "your program was ended by signal %d when BPF_PROG_LOAD failed",
			     WTERMSIG(run->status));
	return WEXITSTATUS(run->status) != 0 ||
	       wrong(run, "BPF_PROG_LOAD failed, and your program ended with status 0: whoever runs it "
		     "believes that the program is loaded");
}

static bool gave_the_reason(struct run *run)
{
	static const char reason[] = "invalid mem access 'map_value_or_null'";
	const struct seen_prog *prog = seen_load(run);
	const char *said = run->err.bytes ? run->err.bytes : "";

	if (strstr(said, reason))
		return true;
	if (!prog->attr.log_buf || !prog->attr.log_size)
		return wrong(run, "the call had no buffer for the log: pass log_level 1, log_buf and "
			     "log_size, or the reason is lost");
	if (!prog->attr.log_level)
		return wrong(run, "log_level is 0: the kernel writes no log then, and refuses a buffer");
	return wrong(run, "standard error does not have the verifier's reason, which is: R0 %s", reason);
}

const struct stage stage_log = {
	.name = "log", .title = "Say why a program is refused",
	.task = "The verifier refuses this program. Print its log on standard error, and end with a status "
		"that is not 0.",
	.object = "refused.bpf.c", .features = "", .method = "ioctl",
	.checks = (const struct check[]){
		{ "log.refused", was_refused, "the kernel refuses the program", LOADING_PAGE,
		  { "The object is as it should be, the program is not.",
		    "It reads from what bpf_map_lookup_elem() returned, which may be NULL.",
		    "Pass the instructions as they are, with the map's descriptor." } },
		{ "log.status", ended_with_error, "your program ends with an error", LOADING_PAGE,
		  { "Look at the result of each call.", "bpf(2) returns -1 when it fails, and sets errno.",
		    "if (fd < 0) { print the log; exit(1); }" } },
		{ "log.reason", gave_the_reason, "and prints the reason", LOADING_PAGE,
		  { "The kernel writes the log into your memory, also when the call fails.",
		    "log_level 1, log_buf the address of a buffer, log_size its size; 64 KiB are enough here.",
		    "The log ends with a NUL: print it to standard error when the call returns -1." } },
		{ 0 } },
	.beyond = "pload also finds the line of the source, the path to it and an explanation: "
		  "loader/explain/reasons/.",
};
