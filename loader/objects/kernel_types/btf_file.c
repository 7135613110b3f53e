// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open the BTF of the running kernel or in a file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <linux/elf.h>

#include "loader/objects/kernel_types/kernel_types.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"

/* Kernel images with full debug information are smaller. */
#define FILE_SIZE_MAX (1u << 30)

static int read_whole(struct sys *sys, int fd, size_t size, struct btf_file *file,
		      struct error *err)
{
	size_t done = 0;

	file->data = malloc(size);
	if (!file->data)
		return error_set(err, ENOMEM, "no memory for %zu bytes", size);
	while (done < size) {
		ssize_t n = sys_read(sys, fd, file->data + done, size - done);

		if (n < 0)
			return error_set(err, -n, "read: %s", error_strerror(-n));
		if (n == 0)
			return error_set(err, EBADMSG, "ends after %zu of %zu bytes", done, size);
		done += n;
	}
	return 0;
}

/*
 * Map only the running kernel's BTF (Linux 6.16): accessing a regular file that was truncated
 * raises SIGBUS.
 */
static int get_bytes(struct sys *sys, int fd, bool map, struct btf_file *file, struct bytes *raw,
		     struct error *err)
{
	struct stat st;
	long addr;
	int ret = sys_fstat(sys, fd, &st);

	if (ret < 0)
		return error_set(err, -ret, "fstat: %s", error_strerror(-ret));
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > FILE_SIZE_MAX)
		return error_set(err, EINVAL, "is not a BTF file (%lld bytes)",
				 (long long)st.st_size);
	raw->size = st.st_size;
	addr = map ? sys_mmap(sys, raw->size, PROT_READ, MAP_PRIVATE, fd, 0) : -ENODEV;
	if (!sys_failed(addr)) {
		file->data = (unsigned char *)addr;
		file->map_size = raw->size;
	} else {
		ret = read_whole(sys, fd, raw->size, file, err);
	}
	raw->data = file->data;
	return ret;
}

/*
 * Read section header @i, Elf64_Shdr. Return false if it or its section is not in the file.
 *
 *	0          4          8          16         24         32         40       64
 *	+----------+----------+----------+----------+----------+----------+--------+
 *	| sh_name  | sh_type  | sh_flags | sh_addr  | sh_offset| sh_size  | ...    |
 *	+----------+----------+----------+----------+----------+----------+--------+
 */
static bool section(struct bytes file, uint64_t table, uint32_t i, bool swap, struct bytes *out)
{
	uint64_t at = table + i * sizeof(Elf64_Shdr), off, size;

	if (table > file.size || !bytes_hold(file.size, at, sizeof(Elf64_Shdr)))
		return false;
	off = bytes_u64(file, at + offsetof(Elf64_Shdr, sh_offset), swap);
	size = bytes_u64(file, at + offsetof(Elf64_Shdr, sh_size), swap);
	if (bytes_u32(file, at + offsetof(Elf64_Shdr, sh_type), swap) == SHT_NOBITS ||
	    !bytes_hold(file.size, off, size))
		return false;
	*out = bytes_slice(file, off, size);
	return true;
}

/*
 * Replace *@raw, an ELF file for any machine and of any type, with its section .BTF.
 * elf_image_parse() is for BPF objects and too strict for kernel images.
 */
static int find_section(struct bytes *raw, struct error *err)
{
	static const char wanted[] = ".BTF";
	const struct bytes file = *raw;
	const unsigned char native =
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	struct bytes names;
	uint64_t table;
	uint32_t nr;
	bool swap;

	if (file.size < sizeof(Elf64_Ehdr) || file.data[EI_CLASS] != ELFCLASS64)
		return error_set(err, ENOEXEC, "is not a 64-bit ELF file");
	swap = file.data[EI_DATA] != native;
	table = bytes_u64(file, offsetof(Elf64_Ehdr, e_shoff), swap);
	nr = bytes_u16(file, offsetof(Elf64_Ehdr, e_shnum), swap);
	if (section(file, table, bytes_u16(file, offsetof(Elf64_Ehdr, e_shstrndx), swap), swap,
		    &names)) {
		for (uint32_t i = 1; i < nr; i++) {
			uint32_t name;

			if (!section(file, table, i, swap, raw))
				continue;
			name = bytes_u32(file, table + i * sizeof(Elf64_Shdr), swap);
			if (bytes_hold(names.size, name, sizeof(wanted)) &&
			    !memcmp(names.data + name, wanted, sizeof(wanted)))
				return 0;
		}
	}
	return error_set(err, ENOEXEC, "is an ELF file without a section .BTF");
}

static int read_types(struct sys *sys, int fd, bool running, const struct btf *base,
		      struct btf_file *file, struct error *err)
{
	struct bytes raw = { 0 };
	int ret = get_bytes(sys, fd, running, file, &raw, err);

	if (!ret && raw.size >= SELFMAG && !memcmp(raw.data, ELFMAG, SELFMAG))
		ret = find_section(&raw, err);
	if (!ret)
		ret = base ? btf_index_split(&file->btf, raw, base, err) :
		      running ? btf_open(&file->btf, raw, err) : btf_index(&file->btf, raw, err);
	if (!ret && file->btf.swap)
		ret = error_set(err, EBADMSG, "its types are not in native byte order");
	if (!ret)
		btf_learn_pointers(&file->btf);
	return ret;
}

int btf_file_open(struct sys *sys, const char *path, struct btf_file *file, struct error *err)
{
	const char *name = path ? path : VMLINUX;
	int fd = sys_openat(sys, AT_FDCWD, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = fd;

	*file = (struct btf_file){ 0 };
	if (fd < 0)
		error_set(err, -fd, "%s", error_strerror(-fd));
	else
		ret = read_types(sys, fd, !path, NULL, file, err);
	sys_close_fd(sys, &fd);
	if (!ret)
		return 0;
	btf_file_close(sys, file);
	error_hint(err,
		   path ? "--btf requires the BTF of a kernel, raw or in an ELF file"
			: "the object needs the kernel's types, which require "
			  "CONFIG_DEBUG_INFO_BTF; if only for CO-RE, use --btf FILE instead");
	return error_where(err, "%s", name);
}

int btf_file_read_split(struct sys *sys, int fd, const struct btf *base, struct btf_file *file)
{
	int ret;

	*file = (struct btf_file){ 0 };
	ret = read_types(sys, fd, false, base, file, NULL);
	if (ret)
		btf_file_close(sys, file);
	return ret;
}

void btf_file_close(struct sys *sys, struct btf_file *file)
{
	btf_free(&file->btf);
	if (file->map_size)
		sys_munmap(sys, file->data, file->map_size);
	else
		free(file->data);
	memset(file, 0, sizeof(*file));
}
