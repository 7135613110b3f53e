/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ELF format: the part of the gABI that BPF objects, executables and libraries use, the GNU
 * extensions for symbol versions, and the relocations of LLVM's BPF target.
 */
#ifndef _LINUX_ELF_H
#define _LINUX_ELF_H

#include <linux/types.h>

typedef __u32 Elf32_Addr;
typedef __u16 Elf32_Half;
typedef __u32 Elf32_Off;
typedef __s32 Elf32_Sword;
typedef __u32 Elf32_Word;

typedef __u64 Elf64_Addr;
typedef __u16 Elf64_Half;
typedef __u64 Elf64_Off;
typedef __s32 Elf64_Sword;
typedef __u32 Elf64_Word;
typedef __u64 Elf64_Xword;
typedef __s64 Elf64_Sxword;

#define EI_NIDENT	16

typedef struct elf32_hdr {
	unsigned char e_ident[EI_NIDENT];
	Elf32_Half e_type;
	Elf32_Half e_machine;
	Elf32_Word e_version;
	Elf32_Addr e_entry;
	Elf32_Off e_phoff;
	Elf32_Off e_shoff;
	Elf32_Word e_flags;
	Elf32_Half e_ehsize;
	Elf32_Half e_phentsize;
	Elf32_Half e_phnum;
	Elf32_Half e_shentsize;
	Elf32_Half e_shnum;
	Elf32_Half e_shstrndx;
} Elf32_Ehdr;

typedef struct elf64_hdr {
	unsigned char e_ident[EI_NIDENT];
	Elf64_Half e_type;
	Elf64_Half e_machine;
	Elf64_Word e_version;
	Elf64_Addr e_entry;
	Elf64_Off e_phoff;
	Elf64_Off e_shoff;
	Elf64_Word e_flags;
	Elf64_Half e_ehsize;
	Elf64_Half e_phentsize;
	Elf64_Half e_phnum;
	Elf64_Half e_shentsize;
	Elf64_Half e_shnum;
	Elf64_Half e_shstrndx;
} Elf64_Ehdr;

#define EI_MAG0		0
#define EI_MAG1		1
#define EI_MAG2		2
#define EI_MAG3		3
#define EI_CLASS	4
#define EI_DATA		5
#define EI_VERSION	6
#define EI_OSABI	7

#define ELFMAG		"\177ELF"
#define SELFMAG		4

#define ELFCLASSNONE	0
#define ELFCLASS32	1
#define ELFCLASS64	2

#define ELFDATANONE	0
#define ELFDATA2LSB	1
#define ELFDATA2MSB	2

#define EV_NONE		0
#define EV_CURRENT	1

#define ELFOSABI_NONE	0

#define ET_NONE		0
#define ET_REL		1
#define ET_EXEC		2
#define ET_DYN		3
#define ET_CORE		4

#define EM_386		3
#define EM_MIPS		8
#define EM_PPC		20
#define EM_PPC64	21
#define EM_S390		22
#define EM_ARM		40
#define EM_X86_64	62
#define EM_AARCH64	183
#define EM_RISCV	243
#define EM_BPF		247
#define EM_LOONGARCH	258

typedef struct elf32_phdr {
	Elf32_Word p_type;
	Elf32_Off p_offset;
	Elf32_Addr p_vaddr;
	Elf32_Addr p_paddr;
	Elf32_Word p_filesz;
	Elf32_Word p_memsz;
	Elf32_Word p_flags;
	Elf32_Word p_align;
} Elf32_Phdr;

typedef struct elf64_phdr {
	Elf64_Word p_type;
	Elf64_Word p_flags;
	Elf64_Off p_offset;
	Elf64_Addr p_vaddr;
	Elf64_Addr p_paddr;
	Elf64_Xword p_filesz;
	Elf64_Xword p_memsz;
	Elf64_Xword p_align;
} Elf64_Phdr;

#define PT_NULL		0
#define PT_LOAD		1
#define PT_DYNAMIC	2
#define PT_NOTE		4

#define PF_X		0x1
#define PF_W		0x2
#define PF_R		0x4

#define PN_XNUM		0xffff	/* sh_info of section 0 has the number of program headers */

typedef struct elf32_shdr {
	Elf32_Word sh_name;
	Elf32_Word sh_type;
	Elf32_Word sh_flags;
	Elf32_Addr sh_addr;
	Elf32_Off sh_offset;
	Elf32_Word sh_size;
	Elf32_Word sh_link;
	Elf32_Word sh_info;
	Elf32_Word sh_addralign;
	Elf32_Word sh_entsize;
} Elf32_Shdr;

typedef struct elf64_shdr {
	Elf64_Word sh_name;
	Elf64_Word sh_type;
	Elf64_Xword sh_flags;
	Elf64_Addr sh_addr;
	Elf64_Off sh_offset;
	Elf64_Xword sh_size;
	Elf64_Word sh_link;
	Elf64_Word sh_info;
	Elf64_Xword sh_addralign;
	Elf64_Xword sh_entsize;
} Elf64_Shdr;

#define SHT_NULL		0
#define SHT_PROGBITS		1
#define SHT_SYMTAB		2
#define SHT_STRTAB		3
#define SHT_RELA		4
#define SHT_HASH		5
#define SHT_DYNAMIC		6
#define SHT_NOTE		7
#define SHT_NOBITS		8
#define SHT_REL			9
#define SHT_SHLIB		10
#define SHT_DYNSYM		11
#define SHT_INIT_ARRAY		14
#define SHT_FINI_ARRAY		15
#define SHT_PREINIT_ARRAY	16
#define SHT_GROUP		17
#define SHT_SYMTAB_SHNDX	18
#define SHT_LOOS		0x60000000
#define SHT_LLVM_ADDRSIG	0x6fff4c03
#define SHT_GNU_verdef		0x6ffffffd
#define SHT_GNU_versym		0x6fffffff
#define SHT_HIOS		0x6fffffff

#define SHF_WRITE		0x1
#define SHF_ALLOC		0x2
#define SHF_EXECINSTR		0x4
#define SHF_MERGE		0x10
#define SHF_STRINGS		0x20
#define SHF_INFO_LINK		0x40
#define SHF_LINK_ORDER		0x80
#define SHF_GROUP		0x200
#define SHF_TLS			0x400
#define SHF_COMPRESSED		0x800

#define SHN_UNDEF		0
#define SHN_LORESERVE		0xff00
#define SHN_ABS			0xfff1
#define SHN_COMMON		0xfff2
#define SHN_XINDEX		0xffff
#define SHN_HIRESERVE		0xffff

typedef struct elf32_sym {
	Elf32_Word st_name;
	Elf32_Addr st_value;
	Elf32_Word st_size;
	unsigned char st_info;
	unsigned char st_other;
	Elf32_Half st_shndx;
} Elf32_Sym;

typedef struct elf64_sym {
	Elf64_Word st_name;
	unsigned char st_info;
	unsigned char st_other;
	Elf64_Half st_shndx;
	Elf64_Addr st_value;
	Elf64_Xword st_size;
} Elf64_Sym;

#define ELF64_ST_BIND(x)	((x) >> 4)
#define ELF64_ST_TYPE(x)	((x) & 0xf)
#define ELF64_ST_INFO(b, t)	(((b) << 4) + ((t) & 0xf))
#define ELF64_ST_VISIBILITY(o)	((o) & 0x3)

#define STB_LOCAL		0
#define STB_GLOBAL		1
#define STB_WEAK		2

#define STT_NOTYPE		0
#define STT_OBJECT		1
#define STT_FUNC		2
#define STT_SECTION		3
#define STT_FILE		4
#define STT_COMMON		5
#define STT_TLS			6
#define STT_GNU_IFUNC		10	/* function that returns the address to use */

#define STV_DEFAULT		0
#define STV_INTERNAL		1
#define STV_HIDDEN		2
#define STV_PROTECTED		3

/* An entry of PT_DYNAMIC. d_tag determines whether d_un is a number or an address. */
typedef struct {
	Elf32_Sword d_tag;
	union {
		Elf32_Word d_val;
		Elf32_Addr d_ptr;
	} d_un;
} Elf32_Dyn;

typedef struct {
	Elf64_Sxword d_tag;
	union {
		Elf64_Xword d_val;
		Elf64_Addr d_ptr;
	} d_un;
} Elf64_Dyn;

#define DT_NULL		0
#define DT_NEEDED	1
#define DT_HASH		4
#define DT_STRTAB	5
#define DT_SYMTAB	6
#define DT_STRSZ	10
#define DT_SYMENT	11
#define DT_GNU_HASH	0x6ffffef5
#define DT_VERSYM	0x6ffffff0
#define DT_VERDEF	0x6ffffffc
#define DT_VERDEFNUM	0x6ffffffd

/* A note is this header, the name and the descriptor, each padded to 4 bytes, also in ELF32. */
typedef struct elf64_note {
	Elf64_Word n_namesz;
	Elf64_Word n_descsz;
	Elf64_Word n_type;
} Elf64_Nhdr;

#define NT_GNU_BUILD_ID	3

/*
 * Versions of dynamic symbols (Linux Standard Base, "Symbol Versioning"). DT_VERSYM is an array
 * with a 16-bit version number for each symbol. DT_VERDEF is a list with an Elf64_Verdef for each
 * version number that the file defines; its Elf64_Verdaux has the name. ELF32 is the same.
 */
typedef struct {
	Elf64_Half vd_version;
	Elf64_Half vd_flags;
	Elf64_Half vd_ndx;
	Elf64_Half vd_cnt;
	Elf64_Word vd_hash;
	Elf64_Word vd_aux;
	Elf64_Word vd_next;
} Elf64_Verdef;

typedef struct {
	Elf64_Word vda_name;
	Elf64_Word vda_next;
} Elf64_Verdaux;

#define VER_DEF_CURRENT	1
#define VER_FLG_BASE	0x1	/* names the file itself, not a version */
#define VER_NDX_LOCAL	0
#define VER_NDX_GLOBAL	1

typedef struct elf64_rel {
	Elf64_Addr r_offset;
	Elf64_Xword r_info;
} Elf64_Rel;

typedef struct elf64_rela {
	Elf64_Addr r_offset;
	Elf64_Xword r_info;
	Elf64_Sxword r_addend;
} Elf64_Rela;

#define ELF64_R_SYM(i)		((i) >> 32)
#define ELF64_R_TYPE(i)		((i) & 0xffffffff)
#define ELF64_R_INFO(s, t)	((((Elf64_Xword)(s)) << 32) + (t))

/* https://docs.kernel.org/bpf/llvm_reloc.html describes these relocations. */
#define R_BPF_NONE		0
#define R_BPF_64_64		1	/* ldimm64: both imm fields */
#define R_BPF_64_ABS64		2	/* 8 bytes of data */
#define R_BPF_64_ABS32		3	/* 4 bytes of data */
#define R_BPF_64_NODYLD32	4	/* 4 bytes of .BTF or .BTF.ext */
#define R_BPF_64_32		10	/* call: imm = (S + A) / 8 - 1 */
/* Older binutils, as 2.40 of Debian 12, has numbers of its own for data. */
#define R_BPF_DATA_32		11	/* R_BPF_64_ABS32 */
#define R_BPF_DATA_64		12	/* R_BPF_64_ABS64 */

#endif
