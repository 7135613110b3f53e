// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read section names, and print those that libbpf knows with program type and attach type. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <bpf/libbpf.h>

/* For each unknown name, libbpf prints its whole table. */
static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

int main(void)
{
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
	char name[256];

	libbpf_set_print(silent);
	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = '\0';
		if (!libbpf_prog_type_by_name(name, &type, &attach))
			printf("section %s %u/%u\n", name, type, attach);
	}
	return 0;
}
