// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the debug file of a stripped file, by build id or .gnu_debuglink.
 *
 * The linker stores a hash of the file, its build id, in a note of section .note.gnu.build-id:
 *
 *	0         4         8           12       16
 *	+---------+---------+-----------+--------+--------------------------+
 *	| namesz 4| descsz  | type 3    | "GNU\0"| build id, descsz bytes   |
 *	+---------+---------+-----------+--------+--------------------------+
 *
 * Distributions strip the symbols into /usr/lib/debug/.build-id/ab/cdef....debug, where abcdef...
 * is the build id in hex. Files without one have .gnu_debuglink: a file name, padded to 4 bytes,
 * and the CRC-32 of that file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "loader/features/symbols/symbols_internal.h"

#define DEBUG_DIR "/usr/lib/debug"

/* The largest browsers have less. A sparse file may have any size. */
#define CRC_MAX (4ll << 30)

static bool same_build_id(const struct exec *a, const struct exec *b)
{
	const struct bytes x = exec_build_id(a), y = exec_build_id(b);

	return x.size && x.size == y.size && !memcmp(x.data, y.data, x.size);
}

/* Return true if the file has this CRC-32. This reads all of it, if it is not larger than 4 GB. */
static bool has_crc(const struct symbol_file *file, uint32_t wanted)
{
	unsigned char buf[64 << 10];
	uint64_t at = 0;
	uint32_t crc = crc32(0, NULL, 0);
	struct stat st;
	ssize_t n;

	if (sys_fstat(file->sys, file->fd, &st) < 0 || st.st_size > CRC_MAX)
		return false;
	while ((n = sys_pread(file->sys, file->fd, buf, sizeof(buf), at)) > 0) {
		crc = crc32(crc, buf, n);
		at += n;
	}
	return !n && crc == wanted;
}

/* Open @fd, which is owned, if it is the debug file of @file: by build id, or else by @crc. */
static struct symbol_file *open_matching(const struct symbol_file *file, const char *path, int fd,
					 const uint32_t *crc)
{
	struct symbol_file *debug;

	if (fd < 0 || symbol_file_of(file->sys, path, fd, file->total_max, &debug, NULL))
		return NULL;
	if (debug->exec.symtab.nr && debug->exec.machine == file->exec.machine &&
	    debug->exec.is_64 == file->exec.is_64 && debug->exec.swap == file->exec.swap &&
	    (exec_build_id(&file->exec).size ? same_build_id(&file->exec, &debug->exec)
					     : crc && has_crc(debug, *crc)))
		return debug;
	symbol_file_close(debug);
	return NULL;
}

static struct symbol_file *by_build_id(const struct symbol_file *file)
{
	const struct bytes id = exec_build_id(&file->exec);
	char path[sizeof(DEBUG_DIR) + 160];
	size_t len;

	if (id.size < 2)
		return NULL;
	len = snprintf(path, sizeof(path), DEBUG_DIR "/.build-id/%02x/", id.data[0]);
	for (size_t i = 1; i < id.size; i++)
		len += snprintf(path + len, sizeof(path) - len, "%02x", id.data[i]);
	snprintf(path + len, sizeof(path) - len, ".debug");
	return open_matching(file, path, sys_open_regular(file->sys, AT_FDCWD, path, 0), NULL);
}

/* Open the file that .gnu_debuglink names, as the process with the root of @file would. */
static int open_linked(const struct symbol_file *file, const char *path)
{
	return file->root[0] ? process_open(file->sys, file->root, path, 0) :
			       sys_open_regular(file->sys, AT_FDCWD, path, 0);
}

/* Search where gdb does: the directory of the file, its .debug, and below /usr/lib/debug. */
static struct symbol_file *by_link(const struct symbol_file *file)
{
	static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_DIR "%.*s/%s" };
	const char *slash = strrchr(file->path, '/'), *name;
	const int dir = slash ? slash - file->path : 0;
	struct symbol_file *debug = NULL;
	char path[2 * EVENT_PATH_MAX];
	uint32_t crc;

	name = exec_debug_link(&file->exec, &crc);
	if (!name || !slash || strchr(name, '/'))
		return NULL;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !debug; i++)
		if ((size_t)snprintf(path, sizeof(path), forms[i], dir, file->path, name) <
			    sizeof(path) &&
		    strcmp(path, file->path))
			debug = open_matching(file, path, open_linked(file, path), &crc);
	return debug;
}

struct symbol_file *symbol_file_debug(struct symbol_file *file)
{
	if (!file->looked_for_debug && !file->exec.symtab.nr) {
		file->debug = by_build_id(file);
		if (!file->debug)
			file->debug = by_link(file);
	}
	file->looked_for_debug = true;
	return file->debug;
}
