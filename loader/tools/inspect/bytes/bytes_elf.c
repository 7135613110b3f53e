// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fields of an ELF file: headers, symbols, relocations, strings and instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elf/insn/insn_text.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/tools/inspect/bytes/bytes_internal.h"

#define MEAN(name) \
	static void name(const struct dump *d, uint64_t v, char *to, size_t size)
#define UNUSED(d) (void)(d)

MEAN(class_of)
{
	UNUSED(d);
	snprintf(to, size, "%s", v == ELFCLASS64 ? "ELFCLASS64" : "");
}

MEAN(byte_order)
{
	UNUSED(d);
	snprintf(to, size, "%s", v == ELFDATA2LSB ? "little-endian" : "big-endian");
}

MEAN(file_type)
{
	UNUSED(d);
	snprintf(to, size, "%s", v == ET_REL ? "ET_REL: relocatable" : "");
}

MEAN(machine)
{
	UNUSED(d);
	snprintf(to, size, "%s", v == EM_BPF ? "EM_BPF" : "");
}

MEAN(section_by_index)
{
	if (v && v < d->in->elf.nr_sections)
		snprintf(to, size, "%s", raw_section_name(&d->in->elf, v));
}

MEAN(section_type)
{
	char text[16];

	UNUSED(d);
	snprintf(to, size, "%s", inspect_section_type(v, text));
}

MEAN(section_flags)
{
	char text[16];

	UNUSED(d);
	snprintf(to, size, "%s", inspect_section_flags(v, text));
}

void dump_elf_header(struct dump *d)
{
	static const struct field fields[] = {
		{ "e_ident: magic", 4, NULL }, { "e_ident: class", 1, class_of },
		{ "e_ident: byte order", 1, byte_order }, { "e_ident: version", 1, NULL },
		{ "e_ident: ABI", 1, NULL }, { "e_ident: padding", 8, NULL },
		{ "e_type", 2, file_type }, { "e_machine", 2, machine }, { "e_version", 4, NULL },
		{ "e_entry", 8, NULL }, { "e_phoff", 8, NULL }, { "e_shoff", 8, NULL },
		{ "e_flags", 4, NULL }, { "e_ehsize", 2, NULL }, { "e_phentsize", 2, NULL },
		{ "e_phnum", 2, NULL }, { "e_shentsize", 2, NULL }, { "e_shnum", 2, NULL },
		{ "e_shstrndx", 2, section_by_index }, { 0 },
	};

	dump_record(d, sizeof(Elf64_Ehdr), "ELF header");
	dump_fields(d, fields);
}

void dump_section_headers(struct dump *d)
{
	static const struct field fields[] = {
		{ "sh_name", 4, NULL }, { "sh_type", 4, section_type },
		{ "sh_flags", 8, section_flags }, { "sh_addr", 8, NULL }, { "sh_offset", 8, NULL },
		{ "sh_size", 8, NULL }, { "sh_link", 4, section_by_index }, { "sh_info", 4, NULL },
		{ "sh_addralign", 8, NULL }, { "sh_entsize", 8, NULL }, { 0 },
	};

	for (uint32_t i = 0; dump_has(d, sizeof(Elf64_Shdr)); i++) {
		dump_record(d, sizeof(Elf64_Shdr), "section header [%" PRIu32 "] '%.200s'", i,
			    raw_section_name(&d->in->elf, i));
		dump_fields(d, fields);
	}
}

MEAN(symbol_info)
{
	UNUSED(d);
	snprintf(to, size, "%s %s", inspect_symbol_bind(v >> 4), inspect_symbol_type(v & 15));
}

MEAN(symbol_section)
{
	struct raw_symbol sym = { .section = v,
				  .is_reserved = v >= SHN_LORESERVE && v != SHN_XINDEX };

	inspect_shndx(&d->in->elf, &sym, to, size);
}

void dump_symbols(struct dump *d)
{
	static const struct field fields[] = {
		{ "st_name", 4, NULL }, { "st_info", 1, symbol_info }, { "st_other", 1, NULL },
		{ "st_shndx", 2, symbol_section }, { "st_value", 8, NULL }, { "st_size", 8, NULL },
		{ 0 },
	};

	for (uint32_t i = 0; dump_has(d, sizeof(Elf64_Sym)); i++) {
		dump_record(d, sizeof(Elf64_Sym), "symbol [%" PRIu32 "] '%.200s'", i,
			    raw_symbol(&d->in->elf, i).name);
		dump_fields(d, fields);
	}
}

MEAN(reloc_type)
{
	UNUSED(d);
	snprintf(to, size, "%s", elf_reloc_name(v) ? elf_reloc_name(v) : "unknown");
}

MEAN(symbol_by_index)
{
	snprintf(to, size, "%.200s", raw_symbol(&d->in->elf, v).name);
}

/* r_info is a single number, so the order of its halves depends on the byte order. */
void dump_relocs(struct dump *d, const struct raw_section *sec)
{
	static const struct field little[] = {
		{ "r_offset", 8, NULL }, { "r_info: type", 4, reloc_type },
		{ "r_info: symbol", 4, symbol_by_index }, { "r_addend", 8, NULL }, { 0 },
	}, little_rel[] = {
		{ "r_offset", 8, NULL }, { "r_info: type", 4, reloc_type },
		{ "r_info: symbol", 4, symbol_by_index }, { 0 },
	}, big[] = {
		{ "r_offset", 8, NULL }, { "r_info: symbol", 4, symbol_by_index },
		{ "r_info: type", 4, reloc_type }, { "r_addend", 8, NULL }, { 0 },
	}, big_rel[] = {
		{ "r_offset", 8, NULL }, { "r_info: symbol", 4, symbol_by_index },
		{ "r_info: type", 4, reloc_type }, { 0 },
	};
	const bool rela = sec->type == SHT_RELA;
	const uint64_t size = rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);

	for (uint32_t i = 0; dump_has(d, size); i++) {
		dump_record(d, size, "%.200s[%" PRIu32 "]", sec->name, i);
		dump_fields(d, d->in->elf.big_endian ? (rela ? big : big_rel)
						     : (rela ? little : little_rel));
	}
}

MEAN(registers_little)
{
	UNUSED(d);
	snprintf(to, size, "dst r%u, src r%u", (unsigned int)v & 15, (unsigned int)v >> 4);
}

MEAN(registers_big)
{
	UNUSED(d);
	snprintf(to, size, "dst r%u, src r%u", (unsigned int)v >> 4, (unsigned int)v & 15);
}

MEAN(class_of_code)
{
	static const char *const names[] = { "LD", "LDX", "ST", "STX", "ALU", "JMP", "JMP32",
					     "ALU64" };

	UNUSED(d);
	snprintf(to, size, "class %s", names[v & 7]);
}

MEAN(signed_16)
{
	UNUSED(d);
	if (v)
		snprintf(to, size, "%+d", (int16_t)v);
}

MEAN(signed_32)
{
	UNUSED(d);
	if (v)
		snprintf(to, size, "%d", (int32_t)v);
}

struct bpf_insn inspect_insn(struct bytes b, uint64_t at, const struct raw_elf *elf)
{
	const uint8_t regs = bytes_u8(b, at + 1);

	return (struct bpf_insn){
		.code = bytes_u8(b, at),
		.dst_reg = elf->big_endian ? regs >> 4 : regs & 15,
		.src_reg = elf->big_endian ? regs & 15 : regs >> 4,
		.off = (int16_t)bytes_u16(b, at + 2, elf->swap),
		.imm = (int32_t)bytes_u32(b, at + 4, elf->swap),
	};
}

void dump_code(struct dump *d, const struct raw_section *sec)
{
	static const struct field little[] = {
		{ "code", 1, class_of_code }, { "registers", 1, registers_little },
		{ "off", 2, signed_16 }, { "imm", 4, signed_32 }, { 0 },
	}, big[] = {
		{ "code", 1, class_of_code }, { "registers", 1, registers_big },
		{ "off", 2, signed_16 }, { "imm", 4, signed_32 }, { 0 },
	};
	bool second = false;

	(void)sec;
	for (uint32_t i = 0; dump_has(d, sizeof(struct bpf_insn)); i++) {
		struct bpf_insn insn[2] = { inspect_insn(d->data, d->done, &d->in->elf) };
		const bool more = dump_has(d, sizeof(insn));
		char text[INSN_TEXT_MAX];

		if (more)
			insn[1] = inspect_insn(d->data, d->done + sizeof(*insn), &d->in->elf);
		insn_text(text, insn, more + 1);
		dump_record(d, sizeof(*insn), "instruction %" PRIu32 ": %s", i,
			    second ? "the upper half of the number" : text);
		second = !second && insn->code == (BPF_LD | BPF_IMM | BPF_DW);
		dump_fields(d, d->in->elf.big_endian ? big : little);
	}
}

void dump_strings(struct dump *d)
{
	while (dump_has(d, 1)) {
		const unsigned char *at = d->data.data + d->done;
		const uint64_t left = d->data.size - d->done;
		const unsigned char *end = memchr(at, '\0', left);
		char name[32];

		snprintf(name, sizeof(name), "string at %" PRIu64, d->done);
		dump_bytes(d, end ? (uint64_t)(end - at) + 1 : left, name);
	}
}
