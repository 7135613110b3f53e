// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read section names, and print those in pload's table with program type and attach type. */
#include <stdio.h>
#include <string.h>

#include "loader/core/object/object.h"

int main(void)
{
	const struct prog_kind *kind;
	const char *target;
	char name[256];

	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = '\0';
		kind = prog_kind_find(name, &target);
		if (kind)
			printf("section %s %u/%u\n", name, kind->prog_type, kind->attach_type);
	}
	return 0;
}
