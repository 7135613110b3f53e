// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Open executables and libraries, and read only what is needed: headers and symbol tables are a
 * small part. Do not map the file, because accessing it after truncation raises SIGBUS.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/calls/regular_file.h"
#include "loader/objects/symbols/symbols_internal.h"
#include "loader/core/sys/read.h"

/* More than the headers and symbols of the largest browsers with all debug information. */
#define READ_MAX (1ull << 30)

static int read_piece(struct symbol_file *file, uint64_t off, struct bytes piece, struct error *err)
{
	uint64_t done = 0;

	while (done < piece.size) {
		ssize_t n = sys_pread(file->sys, file->fd, (unsigned char *)piece.data + done,
				      piece.size - done, off + done);

		if (n < 0)
			return error_set(err, -n, "pread: %s", error_strerror(-n));
		if (!n)
			return error_set(err, EBADMSG, "was truncated while being read");
		done += n;
	}
	return 0;
}

static int add_piece(struct symbol_file *file, uint64_t off, uint64_t len, struct error *err)
{
	struct symbol_piece *grown;
	unsigned char *data;
	int ret;

	if (len > file->total_max - file->total)
		return error_set(err, EFBIG,
				 "has more than %" PRIu64 " bytes of headers and symbols",
				 file->total_max);
	grown = array_grow(file->pieces, file->nr_pieces, sizeof(*grown));
	if (grown)
		file->pieces = grown;
	data = grown ? malloc(len) : NULL;
	if (!data)
		return error_set(err, ENOMEM, "no memory for %" PRIu64 " bytes", len);
	ret = read_piece(file, off, (struct bytes){ data, len }, err);
	if (ret) {
		free(data);
		return ret;
	}
	file->pieces[file->nr_pieces++] = (struct symbol_piece){ off, { data, len } };
	file->total += len;
	return 0;
}

static int get_piece(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct symbol_file *file = arg;
	const struct symbol_piece *p;
	int ret;

	for (uint32_t i = 0; i < file->nr_pieces; i++) {
		p = &file->pieces[i];
		if (off < p->off || !bytes_hold(p->bytes.size, off - p->off, len))
			continue;
		*out = bytes_slice(p->bytes, off - p->off, len);
		return 0;
	}
	ret = add_piece(file, off, len, err);
	if (!ret)
		*out = file->pieces[file->nr_pieces - 1].bytes;
	return ret;
}

static int parse(struct symbol_file *file, struct error *err)
{
	struct source source = { .get = get_piece, .arg = file };
	struct stat st;
	int ret = sys_fstat(file->sys, file->fd, &st);

	if (ret < 0)
		return error_set(err, -ret, "fstat: %s", error_strerror(-ret));
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	source.size = st.st_size;
	ret = exec_open(&file->exec, &source, err);
	if (!ret)
		ret = exec_read_symbols(&file->exec, err);
	if (ret && ret != -ENOMEM)
		error_reason(err, ret == -ENOEXEC ? "symbols/not-elf" : "symbols/damaged");
	return ret;
}

int symbol_file_of(struct sys *sys, const char *path, int fd, uint64_t total_max,
		   struct symbol_file **file, struct error *err)
{
	struct symbol_file *f = calloc(1, sizeof(*f));
	int ret;

	if (f)
		*f = (struct symbol_file){
			.path = strdup(path), .sys = sys, .fd = fd, .total_max = total_max,
		};
	ret = f && f->path ? parse(f, err) : error_set(err, ENOMEM, "no memory for it");
	if (!ret) {
		*file = f;
		return 0;
	}
	if (f)
		symbol_file_close(f);
	else
		sys_close_fd(sys, &fd);
	return error_where(err, "%s", path);
}

static int no_file(const char *path, int code, struct error *err)
{
	error_set(err, -code, "is %s, not a file",
		  code == -EISDIR ? "a directory" : "a device, FIFO or socket");
	error_hint(err, "probes can only be set in executables and shared libraries");
	error_reason(err, "symbols/no-file");
	return error_where(err, "%s", path);
}

static int open_at(struct sys *sys, const char *path, struct symbol_file **file, struct error *err)
{
	const int fd = sys_open_regular(sys, AT_FDCWD, path, 0);

	if (fd >= 0)
		return symbol_file_of(sys, path, fd, READ_MAX, file, err);
	if ((fd == -EINVAL || fd == -EISDIR) && sys_is_no_file(sys, path))
		return no_file(path, fd, err);
	error_set(err, -fd, "%s", error_strerror(-fd));
	error_reason(err, "symbols/no-file");
	if (fd == -EACCES || fd == -EPERM)
		error_hint(err, "pload must be able to read the file");
	else if (fd == -ENOENT)
		error_hint(err, "a name without '/' is looked up in PATH and among libraries");
	return error_where(err, "%s", path);
}

void symbol_file_close(struct symbol_file *file)
{
	if (!file)
		return;
	exec_close(&file->exec);
	for (uint32_t i = 0; i < file->nr_pieces; i++)
		free((void *)file->pieces[i].bytes.data);
	free(file->pieces);
	sys_close_fd(file->sys, &file->fd);
	free(file->path);
	free(file);
}

/* Return true if this kernel can run programs for the machine of @x. */
static bool runs_here(const struct exec *x)
{
	static const uint16_t machines[] = {
#if defined(__x86_64__)
		EM_X86_64,
		EM_386,
#elif defined(__aarch64__)
		EM_AARCH64,
		EM_ARM,
#elif defined(__s390x__)
		EM_S390,
#elif defined(__riscv)
		EM_RISCV,
#elif defined(__loongarch__)
		EM_LOONGARCH,
#elif defined(__powerpc__)
		EM_PPC64,
		EM_PPC,
#elif defined(__mips__)
		EM_MIPS,
#elif defined(__arm__)
		EM_ARM,
#endif
		0,
	};

	for (size_t i = 0; machines[i]; i++)
		if (machines[i] == x->machine && !x->swap)
			return true;
	return !machines[0];
}

static int check_machine(const struct symbol_file *file, struct error *err)
{
	const char *name = exec_machine_name(file->exec.machine);

	if (runs_here(&file->exec))
		return 0;
	error_set(err, ENOEXEC,
		  "is for %s, which this machine cannot run: a probe would never fire",
		  file->exec.swap ? "the other byte order"
		  : name	  ? name
				  : "another machine");
	error_reason(err, "symbols/machine");
	return error_where(err, "%s", file->path);
}

int symbol_file_get(struct symbols *s, const char *path, struct symbol_file **file,
		    struct error *err)
{
	struct symbol_file **grown;
	int ret;

	for (uint32_t i = 0; i < s->nr_files; i++) {
		*file = s->files[i];
		if (!strcmp((*file)->path, path))
			return 0;
	}
	grown = array_grow(s->files, s->nr_files, sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "no memory for '%.128s'", path);
	s->files = grown;
	ret = open_at(s->sys, path, file, err);
	if (ret)
		return ret;
	ret = check_machine(*file, err);
	if (ret)
		symbol_file_close(*file);
	else
		s->files[s->nr_files++] = *file;
	return ret;
}
