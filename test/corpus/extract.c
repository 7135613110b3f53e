// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find BPF objects inside other files: whole ones, and those that a skeleton contains as data.
 * Write each into a directory, named by its file and offset, and print that name.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef EM_BPF
#define EM_BPF 247
#endif

struct view {
	const unsigned char *data;
	size_t size;
};

/* Read a number of @n bytes in the byte order of the object at @at. */
static uint64_t number(struct view v, size_t off, unsigned int n)
{
	bool big = v.data[EI_DATA] == ELFDATA2MSB;
	uint64_t value = 0;

	for (unsigned int i = 0; i < n; i++)
		value |= (uint64_t)v.data[off + i] << 8 * (big ? n - 1 - i : i);
	return value;
}

static bool fits(struct view v, uint64_t off, uint64_t len)
{
	return off <= v.size && len <= v.size - off;
}

/* Return true if @v starts with a relocatable BPF object, according to its ELF header. */
static bool is_object(struct view v)
{
	return v.size >= sizeof(Elf64_Ehdr) && !memcmp(v.data, ELFMAG, SELFMAG) &&
	       v.data[EI_CLASS] == ELFCLASS64 &&
	       (v.data[EI_DATA] == ELFDATA2LSB || v.data[EI_DATA] == ELFDATA2MSB) &&
	       number(v, offsetof(Elf64_Ehdr, e_machine), 2) == EM_BPF &&
	       number(v, offsetof(Elf64_Ehdr, e_type), 2) == ET_REL &&
	       number(v, offsetof(Elf64_Ehdr, e_shentsize), 2) == sizeof(Elf64_Shdr);
}

/* Return the length of the object at the start of @v, or 0 if it is truncated. */
static size_t object_size(struct view v)
{
	uint64_t table = number(v, offsetof(Elf64_Ehdr, e_shoff), 8);
	uint64_t nr = number(v, offsetof(Elf64_Ehdr, e_shnum), 2);
	uint64_t end = sizeof(Elf64_Ehdr);

	if (!fits(v, table, nr * sizeof(Elf64_Shdr)))
		return 0;
	if (end < table + nr * sizeof(Elf64_Shdr))
		end = table + nr * sizeof(Elf64_Shdr);
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t at = table + i * sizeof(Elf64_Shdr);
		uint64_t off = number(v, at + offsetof(Elf64_Shdr, sh_offset), 8);
		uint64_t len = number(v, at + offsetof(Elf64_Shdr, sh_size), 8);

		if (number(v, at + offsetof(Elf64_Shdr, sh_type), 4) == SHT_NOBITS)
			continue;
		if (!fits(v, off, len))
			return 0;
		if (end < off + len)
			end = off + len;
	}
	return end;
}

static int save(const char *dir, const char *name, size_t off, struct view object)
{
	char path[4096];
	int fd, ret = 0;

	if (off)
		snprintf(path, sizeof(path), "%s/%s@%zx.bpf.o", dir, name, off);
	else
		snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, object.data, object.size) != (ssize_t)object.size) {
		fprintf(stderr, "extract: %s: %s\n", path, strerror(errno));
		ret = -1;
	} else {
		printf("%s\n", path);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

static int scan(const char *dir, const char *name, struct view file)
{
	size_t at = 0;
	int ret = 0;

	while (file.size - at >= sizeof(Elf64_Ehdr)) {
		const unsigned char *found = memmem(file.data + at, file.size - at, ELFMAG, SELFMAG);
		struct view rest;
		size_t size;

		if (!found)
			break;
		at = found - file.data;
		rest = (struct view){ found, file.size - at };
		size = is_object(rest) ? object_size(rest) : 0;
		if (size)
			ret |= save(dir, name, at, (struct view){ found, size });
		at += size ? size : SELFMAG;
	}
	return ret;
}

/* The path of a file in its package as one word: "usr/sbin/x" becomes "usr_sbin_x". */
static int extract(const char *dir, const char *prefix, const char *path)
{
	int ret = -1, fd = open(path, O_RDONLY | O_CLOEXEC);
	char name[NAME_MAX];
	struct stat st;
	void *data;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "extract: %s: %s\n", path, strerror(errno));
		goto out;
	}
	ret = 0;
	if (!S_ISREG(st.st_mode) || !st.st_size)
		goto out;
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED) {
		ret = -1;
		goto out;
	}
	snprintf(name, sizeof(name), "%.60s%.*s", prefix, (int)sizeof(name) - 80, path);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '_';
	ret = scan(dir, name, (struct view){ data, st.st_size });
	munmap(data, st.st_size);
out:
	if (fd >= 0)
		close(fd);
	return ret;
}

int main(int argc, char **argv)
{
	char path[4096];
	int ret = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: extract DIR PREFIX <LIST-OF-FILES\n");
		return 2;
	}
	while (fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = '\0';
		ret |= extract(argv[1], argv[2], path);
	}
	return ret != 0;
}
