// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* assemble-object FILE OBJECT: assemble a text in the object language, to try it. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/judge/conformance/assemble.h"

int main(int argc, char **argv)
{
	static char text[1 << 20];
	char error[256];
	size_t len, size;
	unsigned char *object;
	FILE *f;

	if (argc != 3)
		errx(2, "usage: assemble-object FILE OBJECT");
	f = fopen(argv[1], "re");
	if (!f)
		err(1, "%s", argv[1]);
	len = fread(text, 1, sizeof(text), f);
	fclose(f);
	object = assemble(text, len, &size, error, sizeof(error));
	if (!object)
		errx(1, "%s: %s", argv[1], error);
	f = fopen(argv[2], "we");
	if (!f || fwrite(object, 1, size, f) != size || fclose(f))
		err(1, "%s", argv[2]);
	free(object);
	return 0;
}
