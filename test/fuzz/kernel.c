// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The system calls that readers make, answered from the input. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/kernel.h"
#include "test/fuzz/seeds.h"

#define FILE_FD 3
#define MODULE_FD 100
#define PROG_FD 101
#define LINK_FD 102

static const struct {
	const char *path;
	size_t bytes;	/* in struct fuzz_kernel */
} files[] = {
	{ "/sys/kernel/btf/vmlinux", offsetof(struct fuzz_kernel, vmlinux) },
	{ FUZZ_TYPES, offsetof(struct fuzz_kernel, vmlinux) },
	{ "/proc/config.gz", offsetof(struct fuzz_kernel, config) },
	{ FUZZ_CONFIG, offsetof(struct fuzz_kernel, config) },
	{ "/proc/kallsyms", offsetof(struct fuzz_kernel, symbols) },
};

#define NR_FILES (int)(sizeof(files) / sizeof(files[0]))

static struct bytes contents(const struct fuzz_kernel *k, int fd)
{
	promise(fd == FILE_FD + k->last && k->last < NR_FILES);
	return *(const struct bytes *)((const char *)k + files[k->last].bytes);
}

static int get_info(const struct fuzz_kernel *k, const union bpf_attr *attr)
{
	struct bpf_btf_info *info = (void *)(uintptr_t)attr->info.info;

	promise(attr->info.bpf_fd == MODULE_FD);
	if (info->btf && info->btf_size >= k->module.size && k->module.size)
		memcpy((void *)(uintptr_t)info->btf, k->module.data, k->module.size);
	if (info->name && info->name_len >= 2)
		memcpy((void *)(uintptr_t)info->name, "m", 2);
	info->btf_size = k->module.size;
	info->kernel_btf = 1;
	return 0;
}

static long on_bpf(struct fuzz_kernel *k, unsigned long cmd, union bpf_attr *attr)
{
	switch (cmd) {
	case BPF_BTF_GET_NEXT_ID:
		attr->next_id = attr->start_id + 1;
		return attr->start_id < 2 ? 0 : -ENOENT;
	case BPF_BTF_GET_FD_BY_ID:
		if (attr->btf_id == 1)	/* it has gone */
			return -ENOENT;
		k->nr_open++;
		return MODULE_FD;
	case BPF_PROG_LOAD:
		k->nr_open++;
		return PROG_FD;
	case BPF_LINK_CREATE:
		k->nr_open++;
		return LINK_FD;
	case BPF_MAP_UPDATE_ELEM:
	case BPF_MAP_DELETE_ELEM:
		return 0;
	default:
		promise(cmd == BPF_OBJ_GET_INFO_BY_FD);
		return get_info(k, attr);
	}
}

static long on_open(struct fuzz_kernel *k, const char *path)
{
	for (int i = 0; i < NR_FILES; i++) {
		if (strcmp(path, files[i].path))
			continue;
		k->at = 0;
		k->last = i;
		k->nr_open++;
		return FILE_FD + i;
	}
	return -ENOENT;
}

static long on_read(struct fuzz_kernel *k, int fd, unsigned char *to, size_t size)
{
	struct bytes b = contents(k, fd);

	if (size > b.size - k->at)
		size = b.size - k->at;
	if (size)
		memcpy(to, b.data + k->at, size);
	k->at += size;
	return size;
}

static long on_pread(struct fuzz_kernel *k, int fd, unsigned char *to, size_t size, size_t off)
{
	struct bytes b = contents(k, fd);

	if (off >= b.size)
		return 0;
	if (size > b.size - off)
		size = b.size - off;
	memcpy(to, b.data + off, size);
	return size;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct fuzz_kernel *k = (struct fuzz_kernel *)sys;

	switch (nr) {
	case __NR_bpf:
		return on_bpf(k, arg[0], (union bpf_attr *)arg[1]);
	case __NR_openat:
		return on_open(k, (const char *)arg[1]);
	case __NR_fstat:
		*(struct stat *)arg[1] = (struct stat){ .st_mode = S_IFREG,
							.st_size = contents(k, arg[0]).size };
		return 0;
	case __NR_read:
		return on_read(k, arg[0], (unsigned char *)arg[1], arg[2]);
	case __NR_pread64:
		return on_pread(k, arg[0], (unsigned char *)arg[1], arg[2], arg[3]);
	case __NR_close:
		k->nr_open--;
		return 0;
	default:
		promise(nr == __NR_mmap);
		return -ENODEV;
	}
}

void fuzz_kernel_init(struct fuzz_kernel *k)
{
	memset(k, 0, sizeof(*k));
	k->sys.enter = enter;
}

int fuzz_with_kernel(struct bytes input, void (*use)(struct bpf_object *obj, struct fuzz_kernel *k))
{
	struct bytes first, second, file, vmlinux, module;
	struct error err = { 0 };
	struct bpf_object obj;
	struct fuzz_kernel k;

	if (!pair_split(input, &first, &second) || !pair_split(second, &vmlinux, &module))
		return -1;
	fuzz_kernel_init(&k);
	file = mutate_copy(first, first.size);
	if (walk_error(bpf_object_parse(&obj, "fuzz.o", file, &err), &err)) {
		k.vmlinux = mutate_copy(vmlinux, vmlinux.size);
		k.module = mutate_copy(module, module.size);
		k.config = (struct bytes){ (const void *)SEED_CONFIG, strlen(SEED_CONFIG) };
		k.symbols = (struct bytes){ (const void *)SEED_SYMBOLS, strlen(SEED_SYMBOLS) };
		use(&obj, &k);
		bpf_object_free(&obj);
		free((void *)k.vmlinux.data);
		free((void *)k.module.data);
	}
	promise(!k.nr_open);
	free((void *)file.data);
	return 0;
}

size_t mutate_kernel(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	return pair_mutate(m, data, size, max, mutate_btf, mutate_btf);
}
