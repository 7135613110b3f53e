// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A file system with one file, x, which stops to answer. The kernel writes to /dev/fuse, and reads
 * from it:
 *
 *	struct fuse_in_header	opcode, nodeid, unique; followed by the arguments
 *	struct fuse_out_header	error, unique; followed by the result
 *
 * A process that waits for an answer to a request that was read from there cannot be killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/fuse.h>

#include "test/hostile/hostile.h"

#define FILE_NODE 2
#define STUCK 6	/* processes that keep executing programs */
#define FOREVER (1u << 30)	/* how many seconds the kernel may cache names and attributes */

static void reply(int fuse, uint64_t unique, int error, const void *data, size_t size)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + size, .error = -error, .unique = unique,
	};
	struct iovec iov[] = { { &out, sizeof(out) }, { (void *)data, size } };

	/* Fails if the request was interrupted in the meantime. */
	if (writev(fuse, iov, 2) < 0 && errno != ENOENT)
		_exit(0);
}

static struct fuse_attr attr_of(uint64_t node, int backing)
{
	struct stat st;

	fstat(backing, &st);
	return (struct fuse_attr){
		.ino = node, .size = node == FILE_NODE ? st.st_size : 0, .nlink = 1,
		.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
		.uid = ATTACKER, .gid = ATTACKER, .blksize = 4096,
	};
}

static void reply_read(int fuse, const struct fuse_in_header *in, int backing)
{
	const struct fuse_read_in *arg = (const void *)(in + 1);
	static char data[1 << 20];
	const ssize_t n = pread(backing, data, arg->size < sizeof(data) ? arg->size : sizeof(data),
				arg->offset);

	reply(fuse, in->unique, n < 0 ? EIO : 0, data, n < 0 ? 0 : n);
}

static void reply_init(int fuse, const struct fuse_in_header *in)
{
	const struct fuse_init_in *arg = (const void *)(in + 1);
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = 0, .max_write = 4096, .flags = arg->flags & FUSE_NO_OPEN_SUPPORT,
	};

	reply(fuse, in->unique, 0, &out, sizeof(out));
}

static void answer(int fuse, const struct fuse_in_header *in, int backing)
{
	struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .entry_valid = FOREVER, .attr_valid = FOREVER,
		.attr = attr_of(FILE_NODE, backing),
	};
	struct fuse_attr_out attr = {
		.attr_valid = FOREVER, .attr = attr_of(in->nodeid, backing),
	};

	if (in->opcode == FUSE_INIT)
		reply_init(fuse, in);
	else if (in->opcode == FUSE_LOOKUP && !strcmp((const char *)(in + 1), "x"))
		reply(fuse, in->unique, 0, &entry, sizeof(entry));
	else if (in->opcode == FUSE_LOOKUP)
		reply(fuse, in->unique, ENOENT, NULL, 0);
	else if (in->opcode == FUSE_GETATTR)
		reply(fuse, in->unique, 0, &attr, sizeof(attr));
	else if (in->opcode == FUSE_READ)
		reply_read(fuse, in, backing);
	else if (in->opcode == FUSE_FLUSH)	/* or it is not asked again */
		reply(fuse, in->unique, 0, NULL, 0);
	else if (in->opcode != FUSE_FORGET && in->opcode != FUSE_INTERRUPT &&
		 in->opcode != FUSE_BATCH_FORGET)
		reply(fuse, in->unique, ENOSYS, NULL, 0);
}

/*
 * Without an answer to the first FUSE_OPEN, the kernel asks each time: @opens. Write to @flushed if
 * a flush is not answered.
 */
static void serve(struct stage *stage, int backing, bool opens, int flushed)
{
	static union {
		struct fuse_in_header header;
		char bytes[FUSE_MIN_READ_BUFFER + 8192];
	} in;
	const struct fuse_open_out open_out = { .open_flags = FOPEN_KEEP_CACHE };

	for (;;) {
		if (read(stage->fuse, &in, sizeof(in)) < 0) {
			if (errno == ENODEV)
				_exit(0);
			continue;
		}
		if (stage->shared->is_silent && in.header.opcode == FUSE_FLUSH) {
			if (write(flushed, "", 1) != 1)
				_exit(1);
		}
		if (stage->shared->is_silent &&
		    (in.header.opcode == FUSE_READ || in.header.opcode == FUSE_OPEN ||
		     in.header.opcode == FUSE_FLUSH))
			continue;
		if (in.header.opcode == FUSE_OPEN && opens)
			reply(stage->fuse, in.header.unique, 0, &open_out, sizeof(open_out));
		else
			answer(stage->fuse, &in.header, backing);
	}
}

/* Root mounts it like fusermount3, where only this program and its children see it. */
static void prepare_fuse(struct stage *stage)
{
	char options[128], *dir = path_of(stage, "fuse");

	stage->fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (stage->fuse < 0)
		cannot("open of /dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other",
		 stage->fuse, ATTACKER, ATTACKER);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mkdir(dir, 0755) ||
	    mount("hostile", dir, "fuse", MS_NOSUID | MS_NODEV, options))
		cannot("mount of a FUSE file system");
}

/*
 * Execute a program with a descriptor that execve(2) closes, of which the file system is notified.
 * Until it answers, the kernel holds exec_update_lock of the process: whoever reads its mappings,
 * opens an event for it or follows its links in /proc has to wait.
 */
static void execute_for_ever(struct stage *stage, const char *path, int flushed)
{
	char byte;

	if (open(path, O_RDONLY | O_CLOEXEC) < 0)
		cannot("open of a file of FUSE");
	stage->shared->is_silent = true;
	for (unsigned int i = 0; i < STUCK; i++) {
		const pid_t pid = worker();

		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		stage->shared->victim = pid;
		if (read(flushed, &byte, 1) != 1)
			cannot("read");
	}
}

static void act_fuse(struct stage *stage, const char *silent)
{
	char *path = path_of(stage, "backing");
	volatile const char *code;
	struct elf_file f;
	int backing, flushed[2];

	elf_begin(&f, path);
	elf_symbols(&f, "of_a_file_system");
	elf_end(&f);
	backing = open(path, O_RDONLY | O_CLOEXEC);
	if (pipe2(flushed, O_CLOEXEC))
		cannot("pipe");
	if (!worker())
		serve(stage, backing, !strcmp(silent, "open"), flushed[1]);
	close(flushed[1]);
	path = path_of(stage, "fuse/x");
	code = elf_map(path);
	for (size_t i = 0; i < code_size(); i++)
		(void)code[i];	/* it is in memory from now on */
	if (!strcmp(silent, "flush")) {
		execute_for_ever(stage, path, flushed[0]);
		return;
	}
	stage->shared->is_silent = true;
	if (!worker())
		((void (*)(void))code_at((const void *)code, code_spin))();
}

/* This aborts the connection: waiting processes get an error. */
static void after_fuse(struct stage *stage)
{
	umount2(path_of(stage, "fuse"), MNT_FORCE | MNT_DETACH);
	close(stage->fuse);
	stage->fuse = -1;
}

const struct attack fuse_attacks[] = {
	{ "fuse-read", act_fuse, .arg = "read", .prepare = prepare_fuse, .after = after_fuse },
	{ "fuse-open", act_fuse, .arg = "open", .prepare = prepare_fuse, .after = after_fuse },
	{ "fuse-flush", act_fuse, .arg = "flush", .prepare = prepare_fuse, .after = after_fuse },
	{ 0 },
};
