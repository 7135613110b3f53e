// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write ELF files whose code runs and whose tables are hostile.
 *
 *	0         header, program headers
 *	TEXT_AT   the code of this program that can be copied
 *	          sections, one after the other
 *	          section headers
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

#define CODE __attribute__((noinline, noclone, used, section("hostile_code")))

#define NAME_MAX_READ 4095u	/* elf/elf_internal.h: ELF_NAME_MAX */

struct elf_section {
	Elf64_Shdr header;
};
struct elf_segment {
	Elf64_Phdr header;
};

/* None of these refers to anything outside, so a copy behaves the same. */

CODE void code_spin(void)
{
	for (;;)
		__asm__ volatile("");
}

CODE void code_turn(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

CODE void code_step(void *const *next)
{
	((void (*)(void *const *))next[0])(next + 1);
	__asm__ volatile("");
}

extern const char __start_hostile_code[], __stop_hostile_code[];

size_t code_size(void)
{
	return __stop_hostile_code - __start_hostile_code;
}

const void *code_start(void)
{
	return __start_hostile_code;
}

static uint64_t offset_of(void (*function)(void))
{
	return (uintptr_t)function - (uintptr_t)__start_hostile_code;
}

void *code_at(const void *base, void (*function)(void))
{
	return (char *)base + offset_of(function);
}

/* --- the file --- */

static void write_at(int fd, const void *data, size_t size, uint64_t at)
{
	for (ssize_t n; size; size -= n, at += n, data = (const char *)data + n) {
		n = pwrite(fd, data, size, at);
		if (n <= 0)
			cannot("pwrite");
	}
}

/* Return @old with room for @nr entries of @size bytes. */
static void *grown(void *old, size_t nr, size_t size)
{
	void *new = realloc(old, nr * size);

	if (!new)
		cannot("realloc");
	return new;
}

void elf_begin(struct elf_file *f, const char *path)
{
	*f = (struct elf_file){ .fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755) };
	if (f->fd < 0)
		cannot("open of a file to write");
	f->names_len = 1;
	f->sections = calloc(1, sizeof(*f->sections));
	f->nr_sections = 1;
	f->segments = grown(NULL, 1, sizeof(*f->segments));
	f->nr_segments = 1;
	f->segments[0].header = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = TEXT_AT, .p_vaddr = TEXT_AT,
		.p_filesz = code_size(), .p_memsz = code_size(), .p_align = 0x10000,
	};
	f->at = TEXT_AT;
	elf_section(f, ".text", SHT_PROGBITS, code_start(), code_size());
	f->sections[1].header.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	f->sections[1].header.sh_addr = TEXT_AT;
}

/* Without @data, the section is a hole in the file. */
uint32_t elf_section(struct elf_file *f, const char *name, uint32_t type, const void *data,
		     uint64_t size)
{
	f->sections = grown(f->sections, f->nr_sections + 1, sizeof(*f->sections));
	f->sections[f->nr_sections].header = (Elf64_Shdr){
		.sh_name = f->names_len, .sh_type = type, .sh_offset = f->at, .sh_size = size,
		.sh_addralign = 1,
	};
	strcpy(f->names + f->names_len, name);
	f->names_len += strlen(name) + 1;
	if (data)
		write_at(f->fd, data, size, f->at);
	f->at = (f->at + size + 15) & ~15ull;
	return f->nr_sections++;
}

void elf_link(struct elf_file *f, uint32_t section, uint32_t link, uint64_t entsize)
{
	f->sections[section].header.sh_link = link;
	f->sections[section].header.sh_entsize = entsize;
}

void elf_note_segments(struct elf_file *f, uint32_t nr, uint64_t offset, uint64_t size)
{
	f->segments = grown(f->segments, f->nr_segments + nr, sizeof(*f->segments));
	while (nr--)
		f->segments[f->nr_segments++].header = (Elf64_Phdr){
			.p_type = PT_NOTE, .p_offset = offset, .p_filesz = size, .p_align = 4,
		};
}

void elf_note_sections(struct elf_file *f, uint32_t nr, uint64_t offset, uint64_t size)
{
	f->sections = grown(f->sections, f->nr_sections + nr, sizeof(*f->sections));
	while (nr--)
		f->sections[f->nr_sections++].header = (Elf64_Shdr){
			.sh_name = 1 + nr % 4, .sh_type = SHT_NOTE, .sh_offset = offset,
			.sh_size = size, .sh_addralign = 4,
		};
}

static Elf64_Sym symbol_of(uint64_t offset, uint64_t size, uint32_t name)
{
	return (Elf64_Sym){
		.st_name = name, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,
		.st_value = TEXT_AT + offset, .st_size = size,
	};
}

void elf_symbols(struct elf_file *f, const char *name)
{
	Elf64_Sym symbols[2] = { { 0 }, symbol_of(0, code_size(), 1) };
	const size_t size = strlen(name) + 2;
	char *strings = grown(NULL, 1, size);
	uint32_t symtab = elf_section(f, ".symtab", SHT_SYMTAB, symbols, sizeof(symbols));

	strings[0] = '\0';
	strcpy(strings + 1, name);
	elf_link(f, symtab, elf_section(f, ".strtab", SHT_STRTAB, strings, size),
		 sizeof(Elf64_Sym));
	free(strings);
}

/* Half of the names are as long as a reader accepts, the others @name_size / 2. */
void elf_many_symbols(struct elf_file *f, uint32_t nr, uint32_t name_size)
{
	const uint32_t half = name_size / 2;
	Elf64_Sym *symbols = grown(NULL, nr, sizeof(*symbols));
	char *strings = grown(NULL, 1, name_size);
	uint32_t symtab;

	symbols[0] = (Elf64_Sym){ 0 };
	for (uint32_t i = 1; i < nr; i++)
		symbols[i] = symbol_of(i % code_size(), 1 + i % 4096,
				       i % 2 ? 1 + i % (half / NAME_MAX_READ) * NAME_MAX_READ
					     : half + i % half);
	memset(strings, 'A', name_size);
	for (uint32_t i = 0; i < half; i += NAME_MAX_READ)
		strings[i] = '\0';
	strings[name_size - 1] = '\0';
	symtab = elf_section(f, ".symtab", SHT_SYMTAB, symbols, (uint64_t)nr * sizeof(*symbols));
	elf_link(f, symtab, elf_section(f, ".strtab", SHT_STRTAB, strings, name_size),
		 sizeof(*symbols));
	free(symbols);
	free(strings);
}

void elf_end(struct elf_file *f)
{
	const uint32_t names = elf_section(f, ".shstrtab", SHT_STRTAB, NULL, sizeof(f->names));
	Elf64_Ehdr header;
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	/* The machine and byte order of this program. */
	if (self < 0 || read(self, &header, sizeof(header)) != sizeof(header))
		cannot("read of /proc/self/exe");
	close(self);
	write_at(f->fd, f->names, sizeof(f->names), f->sections[names].header.sh_offset);
	header.e_type = ET_DYN;
	header.e_phoff = sizeof(header);
	header.e_phnum = f->nr_segments;
	header.e_shoff = f->at;
	header.e_shnum = f->nr_sections;
	header.e_shstrndx = names;
	write_at(f->fd, f->segments, f->nr_segments * sizeof(*f->segments), sizeof(header));
	write_at(f->fd, f->sections, f->nr_sections * sizeof(*f->sections), f->at);
	write_at(f->fd, &header, sizeof(header), 0);
	free(f->segments);
	free(f->sections);
	close(f->fd);
}

void *elf_map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *base = mmap(NULL, code_size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, TEXT_AT);

	if (fd < 0 || base == MAP_FAILED)
		cannot("mmap of a hostile file");
	close(fd);
	return base;
}

void elf_spin(const char *path)
{
	void (*spin)(void) = (void (*)(void))code_at(elf_map(path), code_spin);

	if (!worker())
		spin();
}
