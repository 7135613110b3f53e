// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write an initramfs to standard output: a cpio archive in the "newc" format of the kernel's
 * buffer-format.rst.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Headers, and what follows them, are padded to a multiple of this. */
#define ALIGN 4

static unsigned long written;
static unsigned int entries;

static void put(const void *data, size_t len)
{
	if (len && fwrite(data, 1, len, stdout) != len)
		err(1, "standard output");
	written += len;
}

static void pad(void)
{
	put("\0\0\0", -written % ALIGN);
}

/* All but its content. */
static void header(const char *name, mode_t mode, size_t size, unsigned int major,
		   unsigned int minor)
{
	char text[128];

	/* magic ino mode uid gid nlink mtime filesize major minor rmajor rminor namesize check */
	snprintf(text, sizeof(text), "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		 ++entries, mode, 0, 0, 1, 0, (unsigned int)size, 0, 0, major, minor,
		 (unsigned int)strlen(name) + 1, 0);
	put(text, strlen(text));
	put(name, strlen(name) + 1);
	pad();
}

static void file(const char *name, const char *path)
{
	FILE *from = fopen(path, "r");
	unsigned char part[65536];
	struct stat st;
	size_t len, left;

	if (!from || fstat(fileno(from), &st))
		err(1, "%s", path);
	header(name, S_IFREG | 0755, st.st_size, 0, 0);
	for (left = st.st_size; left; left -= len) {
		len = fread(part, 1, left < sizeof(part) ? left : sizeof(part), from);
		if (!len)
			errx(1, "%s: shorter than it was", path);
		put(part, len);
	}
	pad();
	fclose(from);
}

int main(int argc, char **argv)
{
	/*
	 * The directories on which the first process mounts file systems, and the console, which
	 * the kernel opens for it.
	 */
	static const char *const dirs[] = { "dev", "proc", "sys", "tmp", "run", "root", NULL };

	if (argc < 2)
		errx(2, "usage: initrd NAME=FILE | NAME@TARGET | NAME/ ... >INITRAMFS");
	for (const char *const *dir = dirs; *dir; dir++)
		header(*dir, S_IFDIR | 0755, 0, 0, 0);
	header("dev/console", S_IFCHR | 0600, 0, 5, 1);
	header("dev/null", S_IFCHR | 0666, 0, 1, 3);
	for (int i = 1; i < argc; i++) {
		char *at = argv[i] + strcspn(argv[i], "=@");
		const char what = *at;

		if (what)
			*at++ = '\0';
		if (what == '=') {
			file(argv[i], at);
		} else if (what == '@') {
			header(argv[i], S_IFLNK | 0777, strlen(at), 0, 0);
			put(at, strlen(at));
			pad();
		} else {
			argv[i][strlen(argv[i]) - 1] = '\0';
			header(argv[i], S_IFDIR | 0755, 0, 0, 0);
		}
	}
	header("TRAILER!!!", 0, 0, 0, 0);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
