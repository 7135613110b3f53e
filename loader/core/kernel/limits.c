// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Kernel limits that apply to every object: name length and locked memory. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/steps.h"

static size_t append(char *out, size_t n, const char *text, size_t len)
{
	for (size_t i = 0; i < len && n < BPF_OBJ_NAME_LEN - 1; i++) {
		unsigned char c = text[i];

		out[n++] = isalnum(c) || c == '_' || c == '.' ? c : '_';
	}
	return n;
}

void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *name)
{
	memset(out, 0, BPF_OBJ_NAME_LEN);
	append(out, 0, name, strlen(name));
}

/* The length of ".rodata", for which libbpf always leaves room after the file's name. */
#define SECTION_ROOM 7

void kernel_data_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *section)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const size_t len = strlen(section), file = strcspn(base, ".");
	size_t room = BPF_OBJ_NAME_LEN - 1;

	memset(out, 0, BPF_OBJ_NAME_LEN);
	room -= len < SECTION_ROOM ? SECTION_ROOM : len < room ? len : room;
	if (strchr(section, '.') != strrchr(section, '.'))
		room = 0;
	append(out, append(out, 0, base, file < room ? file : room), section, len);
}

bool kernel_raise_limit(struct sys *sys, struct kernel_object *k, int ret)
{
	if (ret == -EMFILE)
		return fd_limit_raise(sys, &k->room,
				      (uint64_t)k->object->nr_maps + k->object->nr_progs + 64);
	if (ret != -EPERM || k->raised_memlock)
		return false;
	k->raised_memlock = true;
	return sys_raise_memlock(sys);
}
