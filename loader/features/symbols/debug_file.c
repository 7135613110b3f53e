// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where the symbols of a stripped file are: distributions move them to files below /usr/lib/debug,
 * which have the same build id, or a name and a checksum that .gnu_debuglink says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "loader/features/symbols/symbols_internal.h"

#define DEBUG_DIR "/usr/lib/debug"

static bool same_build_id(const struct exec *a, const struct exec *b)
{
	const struct bytes x = exec_build_id(a), y = exec_build_id(b);

	return x.size && x.size == y.size && !memcmp(x.data, y.data, x.size);
}

/* Reads all of it: there is no other way, and no build id where this is asked. */
static bool has_crc(const struct symbol_file *file, uint32_t wanted)
{
	unsigned char buf[64 << 10];
	uint64_t at = 0;
	uint32_t crc = crc32(0, NULL, 0);
	ssize_t n;

	while ((n = sys_pread(file->sys, file->fd, buf, sizeof(buf), at)) > 0) {
		crc = crc32(crc, buf, n);
		at += n;
	}
	return !n && crc == wanted;
}

/* The file at @path if it belongs to @file. Without a build id in @file, by @crc. */
static struct symbol_file *try(const struct symbol_file *file, const char *path,
			       const uint32_t *crc)
{
	struct symbol_file *debug;

	if (symbol_file_open(file->sys, path, &debug, NULL))
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
	return try(file, path, NULL);
}

/* As gdb looks: beside the file, in .debug there, and below /usr/lib/debug. */
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
			debug = try(file, path, &crc);
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
