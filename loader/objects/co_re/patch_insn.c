// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write the value of a relocation into its instruction, or poison it.
 *
 *	instruction		field		example
 *	BPF_ALU, BPF_ALU64	imm		r1 += 32
 *	BPF_LDX, _ST, _STX	off, and size	r1 = *(u64 *)(r2 + 32)
 *	ldimm64			imm of both	r1 = 32 ll
 *
 * The old value must match the local types: otherwise the record belongs to other code.
 */
#include <errno.h>
#include <inttypes.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/co_re/co_re_internal.h"

static void poison(struct bpf_insn *insn)
{
	*insn = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = CO_RE_POISON };
}

static int wrong_value(uint64_t has, uint64_t wanted, struct error *err)
{
	return error_set(err, EBADMSG,
			 "the instruction contains %" PRId64
			 ", but by the object's types it is %" PRId64,
			 (int64_t)has, (int64_t)wanted);
}

static int patch_imm(struct bpf_insn *insn, const struct co_re_result *res, struct error *err)
{
	if (BPF_SRC(insn->code) != BPF_K)
		return error_set(err, EBADMSG, "the instruction has no constant to relocate");
	if (res->certain && insn->imm != (int32_t)res->local)
		return wrong_value(insn->imm, res->local, err);
	insn->imm = res->target;
	return 0;
}

/*
 * Sign-extend the values of enums that are not marked as signed. The instruction @has the extended
 * value whether the object's enum is marked or not.
 */
static void extend_enumerator(struct co_re_result *res, uint64_t has)
{
	const int64_t extended = (int32_t)res->local;

	if (res->local_sign == CO_RE_ENUM_UNMARKED && extended < 0 && has == (uint64_t)extended) {
		res->local = extended;
		res->local_sign = CO_RE_ENUM_SIGNED;
	}
	if (res->local_sign == CO_RE_ENUM_SIGNED && res->target_sign == CO_RE_ENUM_UNMARKED)
		res->target = (int64_t)(int32_t)res->target;
}

static int patch_ldimm64(struct bpf_insn *insns, struct co_re_result res, struct error *err)
{
	uint64_t has = (uint32_t)insns[0].imm | (uint64_t)(uint32_t)insns[1].imm << 32;

	extend_enumerator(&res, has);
	if (res.certain && has != res.local)
		return wrong_value(has, res.local, err);
	insns[0].imm = res.target;
	insns[1].imm = res.target >> 32;
	return 0;
}

static const struct {
	uint8_t code, bytes;
} sizes[] = { { BPF_B, 1 }, { BPF_H, 2 }, { BPF_W, 4 }, { BPF_DW, 8 } };

static int resize(struct bpf_insn *insn, const struct co_re_result *res, struct error *err)
{
	unsigned int nr = sizeof(sizes) / sizeof(sizes[0]), from = 0, to = 0;

	if (res->local_size == res->target_size)
		return 0;
	while (sizes[from].code != BPF_SIZE(insn->code))
		from++;
	while (to < nr && sizes[to].bytes != res->target_size)
		to++;
	if (sizes[from].bytes != res->local_size || to == nr)
		return error_set(err, EBADMSG,
				 "the instruction accesses %u bytes of a field that has %" PRIu32
				 " bytes, and %" PRIu32 " in the kernel",
				 sizes[from].bytes, res->local_size, res->target_size);
	insn->code = BPF_CLASS(insn->code) | BPF_MODE(insn->code) | sizes[to].code;
	return 0;
}

static int patch_offset(struct bpf_insn *insn, const struct co_re_result *res, struct error *err)
{
	if (res->certain && insn->off != (int64_t)res->local)
		return wrong_value(insn->off, res->local, err);
	if (res->target > INT16_MAX) {
		error_set(err, ERANGE,
			  "offset %" PRIu64 " does not fit into the instruction's 16 bits",
			  res->target);
		return error_hint(err, "read the field with bpf_core_read()");
	}
	if (resize(insn, res, err) < 0)
		return -EBADMSG;
	insn->off = res->target;
	return 0;
}

/* The field of an instruction to relocate. */
enum form { FORM_NONE, FORM_IMM, FORM_OFFSET, FORM_LDIMM64 };

static enum form form_of(const struct bpf_insn *insns, uint32_t room)
{
	switch (BPF_CLASS(insns[0].code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return FORM_IMM;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		return FORM_OFFSET;
	case BPF_LD:
		/* With a src_reg it is the address of a map or function and has no value. */
		if (insns[0].code == (BPF_LD | BPF_IMM | BPF_DW) && room > 1 && !insns[0].src_reg &&
		    !insns[0].off && !insns[1].code && !insns[1].src_reg && !insns[1].dst_reg &&
		    !insns[1].off)
			return FORM_LDIMM64;
		return FORM_NONE;
	default:
		return FORM_NONE;
	}
}

int co_re_patch(struct bpf_insn *insns, uint32_t room, const struct co_re_result *res,
		enum co_re_outcome *outcome, struct error *err)
{
	enum form form = form_of(insns, room);

	*outcome = res->outcome;
	if (form == FORM_NONE)
		return error_set(err, EBADMSG,
				 "CO-RE cannot relocate an instruction with opcode 0x%02x",
				 insns[0].code);
	if (*outcome == CO_RE_BAD_SIZE && form != FORM_OFFSET)
		*outcome = CO_RE_MET;
	if (*outcome != CO_RE_MET) {
		poison(&insns[0]);
		if (form == FORM_LDIMM64)
			poison(&insns[1]);
		return 1;
	}
	if (form == FORM_IMM)
		return patch_imm(insns, res, err);
	if (form == FORM_OFFSET)
		return patch_offset(insns, res, err);
	return patch_ldimm64(insns, *res, err);
}
