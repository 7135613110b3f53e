// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the failing path from the verifier log, and trace a value back along it.
 *
 *	; __u64 *v = bpf_map_lookup_elem(&hits, &key); @ prog.bpf.c:17	since Linux 5.0, 6.9
 *	6: (85) call bpf_map_lookup_elem#1    ; R0_w=map_value_or_null(id=1,off=0,ks=4,vs=8)
 *	7: (bf) r6 = r0
 *	8: (15) if r6 == 0x0 goto pc+14
 *	from 8 to 23: R0=inv0 ...		the path of another branch
 *	23: (95) exit
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/diagnosis.h"

static int add_step(struct verifier_path *path, uint32_t insn, uint32_t at)
{
	struct verifier_step *steps = array_grow(path->steps, path->nr, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	path->steps = steps;
	steps[path->nr++] = (struct verifier_step){ insn, at };
	return 0;
}

/*
 * @counts: number of steps on the path for each instruction. A log may return to one that is not on
 * it.
 */
static void go_back(struct verifier_path *path, uint32_t *counts)
{
	counts[path->steps[--path->nr].insn]--;
}

/* Rewind the path to its last visit to @insn. */
static void return_to(struct verifier_path *path, uint32_t *counts, unsigned long insn,
		      const struct prog_code *code)
{
	if (insn < code->nr_insns && counts[insn])
		while (path->steps[path->nr - 1].insn != insn)
			go_back(path, counts);
}

/*
 * Return the instruction of "12: (85) call ...", or UINT32_MAX. sscanf(3) would scan the rest of
 * the log each time.
 */
static uint32_t insn_line(const char *line)
{
	char *end;
	unsigned long insn;

	if (!isdigit((unsigned char)*line))	/* strtoul() would skip all empty lines */
		return UINT32_MAX;
	insn = strtoul(line, &end, 10);
	if (strncmp(end, ": (", 3) != 0 ||
	    strspn(end + 3, "0123456789abcdef") != 2 || end[5] != ')')
		return UINT32_MAX;
	return insn < UINT32_MAX ? insn : UINT32_MAX;
}

int verifier_path_read(struct verifier_path *path, const char *log, const char *end,
		       const struct prog_code *code)
{
	uint32_t insn, *counts = calloc(code->nr_insns + UINT64_C(1), sizeof(*counts));
	int ret = counts ? 0 : -ENOMEM;

	*path = (struct verifier_path){ .log = log, .insns = code->insns };
	for (const char *line = log, *next; line < end && !ret; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		insn = insn_line(line);
		if (insn < code->nr_insns) {
			ret = add_step(path, insn, line - log);
			counts[insn] += !ret;
		} else if (!strncmp(line, "from ", strlen("from "))) {
			return_to(path, counts, strtoul(line + strlen("from "), NULL, 10), code);
		} else if (!strncmp(line, "Validating ", strlen("Validating "))) {
			while (path->nr)	/* a global function, by itself */
				go_back(path, counts);
		}
	}
	free(counts);
	if (ret)
		verifier_path_free(path);
	return ret;
}

void verifier_path_free(struct verifier_path *path)
{
	free(path->steps);
	memset(path, 0, sizeof(*path));
}

static const struct bpf_insn *insn_of(const struct verifier_path *path, uint32_t step)
{
	return &path->insns[path->steps[step].insn];
}

static bool is_jump_class(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP || BPF_CLASS(insn->code) == BPF_JMP32;
}

static bool is_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL);
}

/* Return true if @step calls one of the program's functions and the path continues there. */
static bool enters(const struct verifier_path *path, uint32_t step)
{
	const struct bpf_insn *insn = insn_of(path, step);

	return is_call(insn) && insn->src_reg == BPF_PSEUDO_CALL && step + 1 < path->nr &&
	       path->steps[step + 1].insn == path->steps[step].insn + 1 + (uint32_t)insn->imm;
}

/* Return true if the instruction after @step is the next one in the code. */
static bool is_followed(const struct verifier_path *path, uint32_t step)
{
	const struct bpf_insn *insn = insn_of(path, step);
	const uint32_t size = insn->code == (BPF_LD | BPF_IMM | BPF_DW) ? 2 : 1;

	return (is_jump_class(insn) && !(is_call(insn) && insn->src_reg != BPF_PSEUDO_CALL)) ||
	       step + 1 >= path->nr || path->steps[step + 1].insn == path->steps[step].insn + size;
}

static bool is_argument(int reg)
{
	return reg >= BPF_REG_1 && reg <= BPF_REG_5;
}

/* The value being traced: a register, or 8 bytes of the stack if reg is -1. */
struct value {
	int reg, slot;
	int depth;		/* call depth of the function that has it, relative to the last
				 * step */
	unsigned int flags;	/* VERDICT_* */
};

static bool is_spill(const struct bpf_insn *insn, uint8_t class)
{
	return insn->code == (class | BPF_MEM | BPF_DW);
}

/* Handle a store that may write the slot. Return true if nothing older matters. */
static bool back_over_store(const struct bpf_insn *insn, struct value *v,
			    struct verifier_origin *o)
{
	if (insn->dst_reg != BPF_REG_10 || v->reg >= 0 || insn->off >= v->slot + 8 ||
	    insn->off + 8 <= v->slot)
		return false;
	if (insn->off != v->slot || !is_spill(insn, BPF_STX)) {
		if (insn->off == v->slot && is_spill(insn, BPF_ST))
			o->kind = ORIGIN_CONSTANT;
		return true;
	}
	v->reg = insn->src_reg;
	return false;
}

static bool back_over_load(const struct bpf_insn *insn, struct value *v, struct verifier_origin *o)
{
	if (insn->dst_reg != v->reg)
		return false;
	if (insn->src_reg == BPF_REG_10 && is_spill(insn, BPF_LDX)) {
		v->reg = -1;
		v->slot = insn->off;
		return false;
	}
	o->kind = ORIGIN_LOAD;
	return true;
}

static bool back_over_call(const struct value *v, struct verifier_origin *o)
{
	if (v->reg == BPF_REG_0)
		o->kind = ORIGIN_CALL;
	else if (is_argument(v->reg))
		o->kind = ORIGIN_CLOBBERED;
	else	/* a function may write to the stack, but not pointers */
		return v->reg < 0 && !(v->flags & VERDICT_NULL);
	return true;
}

/* Return true if the states printed after @line's instruction show a number in @reg. */
static bool is_number(const char *line, int reg)
{
	static const char *const forms[] = { "R%d=scalar", "R%d_w=scalar", "R%d=inv", "R%d_w=inv" };
	const char *end = line + strcspn(line, "\n");
	char text[32];

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const int n = snprintf(text, sizeof(text), forms[i], reg);

		if (memmem(line, end - line, text, n))
			return true;
	}
	return false;
}

static bool back_over_alu(const struct bpf_insn *insn, const char *line, struct value *v,
			  struct verifier_origin *o)
{
	if (insn->dst_reg != v->reg)
		return false;
	if (v->flags & VERDICT_EXACT &&
	    (BPF_CLASS(insn->code) == BPF_ALU || BPF_OP(insn->code) != BPF_MOV || insn->off))
		return true;
	if (insn->code == (BPF_ALU64 | BPF_ADD | BPF_X) && v->flags & VERDICT_OFFSET) {
		v->flags &= ~VERDICT_OFFSET;
		v->reg = insn->src_reg;
		return !is_number(line, insn->src_reg);
	}
	if (BPF_OP(insn->code) != BPF_MOV)
		return false;
	if (BPF_SRC(insn->code) == BPF_X) {
		v->reg = insn->src_reg;
		return false;
	}
	o->kind = ORIGIN_CONSTANT;
	return true;
}

/* Step @v back over @step. Return true at its origin, or where it is lost. */
static bool back_over(const struct verifier_path *path, uint32_t step, struct value *v,
		      struct verifier_origin *o)
{
	const struct bpf_insn *insn = insn_of(path, step);

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return back_over_alu(insn, path->log + path->steps[step].at, v, o);
	case BPF_LD:
		if (v->reg != (BPF_MODE(insn->code) == BPF_IMM ? insn->dst_reg : BPF_REG_0))
			return false;
		o->kind = BPF_MODE(insn->code) == BPF_IMM ? ORIGIN_CONSTANT : ORIGIN_LOAD;
		return true;
	case BPF_LDX:
		return back_over_load(insn, v, o);
	case BPF_ST:
	case BPF_STX:
		if (BPF_MODE(insn->code) != BPF_MEM)	/* atomic: may fetch into a register */
			return v->reg == insn->src_reg || v->reg == BPF_REG_0;
		return back_over_store(insn, v, o);
	default:
		return is_call(insn) && back_over_call(v, o);
	}
}

/* Go from a function back to its caller, at @depth. Return true like back_over(). */
static bool back_to_caller(struct value *v, int depth, struct verifier_origin *o)
{
	if (v->depth == depth) {
		o->kind = is_argument(v->reg) ? ORIGIN_CLOBBERED : o->kind;
		return o->kind;
	}
	if (v->depth != depth + 1)
		return false;
	v->depth--;
	return !is_argument(v->reg);
}

struct verifier_origin verifier_path_origin(const struct verifier_path *path, uint32_t step,
					    int reg, unsigned int flags)
{
	struct value v = { .reg = reg, .flags = flags };
	struct verifier_origin o = { .kind = ORIGIN_UNKNOWN };
	int depth = 0;

	while (step-- > 0) {
		const struct bpf_insn *insn = insn_of(path, step);

		o.step = step;
		if (!is_followed(path, step))
			return o;	/* a callback started here */
		if (insn->code == (BPF_JMP | BPF_EXIT)) {
			if (v.depth == depth++ && v.reg == BPF_REG_0)
				v.depth++;
		} else if (enters(path, step)) {
			if (back_to_caller(&v, --depth, &o))
				return o;
		} else if (v.depth == depth && back_over(path, step, &v, &o)) {
			return o;
		}
	}
	if (is_argument(v.reg) && v.depth == depth)
		o = (struct verifier_origin){ .kind = ORIGIN_ARGUMENT, .reg = v.reg };
	return o;
}

/* Copy the line of @step. */
static const char *line_of(const struct verifier_path *path, uint32_t step, char *line, size_t size)
{
	const char *at = path->log + path->steps[step].at;

	snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

void verifier_path_call(const struct verifier_path *path, uint32_t step, char *name, size_t size)
{
	char line[128], text[64] = "";
	int n = 0;

	name[0] = '\0';
	line_of(path, step, line, sizeof(line));
	if (is_call(insn_of(path, step)) &&
	    sscanf(line, "%*u: (85) call %63[A-Za-z0-9_]%n", text, &n) == 1 && line[n] == '#' &&
	    strcmp(text, "unknown") != 0)
		snprintf(name, size, "%s", text);
}

bool verifier_path_branch(const struct verifier_path *path, uint32_t step, char *text, size_t size)
{
	const struct bpf_insn *insn = insn_of(path, step);
	const uint8_t op = BPF_OP(insn->code);
	char line[128], *begin, *end;
	uint32_t next;

	if (!is_jump_class(insn) || op == BPF_CALL || op == BPF_EXIT || op == BPF_JA ||
	    !insn->off || step + 1 >= path->nr)
		return false;
	next = path->steps[step + 1].insn - path->steps[step].insn - 1;
	line_of(path, step, line, sizeof(line));
	begin = strstr(line, " if ");
	end = begin ? strstr(begin, " goto ") : NULL;
	if (!end || (next && next != (uint32_t)insn->off))
		return false;
	begin += strlen(" if ");
	snprintf(text, size, "%.*s is %s", (int)(end - begin), begin, next ? "true" : "false");
	return true;
}
