/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps from an address to a name:
 *
 *	kernel address	kernel_names.c				function of /proc/kallsyms
 *	user address	side_band.c, records.c, proc_maps.c	what each process maps
 *			processes.c, spaces.c			file and offset in it
 *			mapped_files.c, code.c, mini_debug.c	function of its symbol tables
 *			perf_map.c				function of a JIT compiler
 *	mangled name	demangle.c				name as in the source
 */
#ifndef PLOAD_FEATURES_ADDRESSES_INTERNAL_H
#define PLOAD_FEATURES_ADDRESSES_INTERNAL_H

#include "elf/bytes.h"
#include "loader/features/addresses/addresses.h"

/* --- strings.c: strings that live as long as the namer --- */

/* A tree of strings, in the form of tsearch(3). Zeroed is empty. */
struct strings {
	void *root;	/* owned */
};

/*
 * strings_keep() - Return a copy of the first @len bytes of @text, the same for the same
 * text; NULL: no memory.
 * strings_format() - The same of a formatted text, of at most 511 bytes.
 */
const char *strings_keep(struct strings *s, const char *text, size_t len);
const char *strings_format(struct strings *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void strings_free(struct strings *s);

/* --- demangle.c --- */

/* symbol_shown() - Return a name of @len bytes as in the source of a C++ or Rust program, kept. */
const char *symbol_shown(struct strings *s, const char *name, size_t len);

/* --- kernel_names.c --- */

struct kernel_name {
	uint64_t address;
	uint32_t name, module;	/* offsets in the text; module 0: of the kernel itself */
};

/* The functions of the kernel, its modules and BPF programs, by address. Zeroed: not read. */
struct kernel_names {
	struct kernel_name *list;	/* owned */
	uint32_t nr;
	char *text;	/* owned; names, one after the other */
	uint32_t size, room;
	uint32_t last_module;	/* offset of the name that was added last */
	bool is_read, is_sorted;
	bool has_kernel;	/* false after it is read: addresses are hidden */
};

/*
 * kernel_names_find() - Fill symbol, offset, file and doubt of @frame.
 * kernel_names_add() - Add a function that was loaded while the session runs; @module "": of the
 *	kernel itself. Return 0 or -ENOMEM.
 */
void kernel_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame);
int kernel_names_add(struct kernel_names *k, uint64_t address, const char *name,
		     const char *module);
void kernel_names_free(struct kernel_names *k);

/* --- code.c, mini_debug.c, perf_map.c: the functions of a file by address --- */

struct code;

/*
 * code_open() - Read the symbols of an ELF file.
 * @fd: owned by the callee
 * code_open_vdso() - Read those of the vDSO of this process, which others have, too.
 * code_open_perf_map() - Read what a JIT compiler wrote.
 *
 * The same file is read once. Return: borrowed from @a, never NULL but for lack of memory; if it
 * has no symbols, code_doubt() returns the reason.
 */
struct code *code_open(struct addresses *a, const char *path, int fd);
struct code *code_open_vdso(struct addresses *a);
struct code *code_open_perf_map(struct addresses *a, const char *path, int fd);
const char *code_doubt(const struct code *code);
struct bytes code_build_id(const struct code *code);
void codes_free(struct addresses *a);

/* code_is_loaded() - Return false if its tables have been released to save memory. */
bool code_is_loaded(const struct code *code);

/* code_address() - Convert an offset in the file to an address as linked; false: not code. */
bool code_address(const struct code *code, uint64_t offset, uint64_t *address);

/* code_find() - Find the function at @address, as linked. Return its name, kept, or NULL. */
const char *code_find(struct addresses *a, struct code *code, uint64_t address, uint64_t *start);

/* A function: 16 bytes, as there may be millions. */
struct code_symbol {
	uint64_t start;
	uint32_t size : 28, rank : 4;	/* the highest rank of those at one address is shown */
	uint32_t name;			/* offset of its name */
};
#define CODE_SYMBOL_SIZE_MAX ((1u << 28) - 1)

struct code_table {
	struct code_symbol *list;	/* owned; ascending */
	uint32_t nr;
	struct bytes names;	/* borrowed; empty: they are read from the file when needed */
};

/* code_table_sort() - Sort by address, rank, and offset of the name. */
void code_table_sort(struct code_table *table);

/* mini_debug_read() - Decompress section .gnu_debugdata. Return: owned bytes; empty: none. */
struct exec;
struct bytes mini_debug_read(const struct exec *x);

struct perf_map {
	uint64_t begin, size;	/* what was read of the file, in bytes */
	const char *doubt;	/* static; why it is incomplete, or NULL */
};

/* perf_map_read() - Read the lines of the map of which @fd is open. Return 0 or -errno. */
int perf_map_read(struct sys *sys, int fd, struct code_table *table, struct perf_map *map);

/* --- mapped_files.c: files that processes have mapped --- */

#define BUILD_ID_MAX 20

/* Which file it is, as the kernel reports it: by its inode or by its build ID. */
struct file_identity {
	const char *path;	/* kept; as its process sees it; "[vdso]"; "" */
	uint32_t major, minor;
	uint64_t inode;		/* 0: not known */
	unsigned char build_id[BUILD_ID_MAX];
	unsigned int build_id_size;	/* 0: not known */
};

struct mapped_file {
	struct file_identity id;
	struct mapped_file *next;	/* owned; of the same bucket */
	int fd;			/* owned; opened when it was mapped; or -1 */
	struct code *code;	/* borrowed; NULL: not opened */
	unsigned int tried;	/* times that it could not be opened */
	uint32_t tried_pid;	/* for the last of them */
	const char *doubt;	/* why not, kept */
	const char *build_id;	/* in hex, kept; NULL: not known */
};

struct process;
struct mapping;

/*
 * mapped_file() - Return the file of that identity, borrowed from @a; NULL: too many, or no memory.
 * mapped_file_open() - Open it while its process lives, which has mapped it as @mapping: it may be
 *	deleted before it is read, or be deleted already.
 * mapped_file_code() - Return its code, or NULL with the reason in file->doubt.
 */
struct mapped_file *mapped_file(struct addresses *a, const struct file_identity *id);
/* mapped_file_same() - Return true unless they differ in what is known of both, or one is NULL. */
bool mapped_file_same(const struct mapped_file *a, const struct mapped_file *b);
const char *build_id_text(struct addresses *a, const unsigned char *id, size_t size);
void mapped_file_open(struct addresses *a, struct mapped_file *file, uint32_t pid,
		      const struct mapping *mapping);
struct code *mapped_file_code(struct addresses *a, const struct process *process,
			      const struct mapping *mapping);
void mapped_files_free(struct addresses *a);

/* --- spaces.c: what was mapped where --- */

struct mapping {
	uint64_t start, end, offset;
	struct mapped_file *file;	/* borrowed; NULL: not known */
};

/* An address space. A child shares that of its parent until one of them maps something. */
struct space {
	unsigned int refs;
	uint32_t nr, nr_replaced;
	struct mapping *list;		/* owned; ascending, and none overlaps another */
	struct mapping *replaced;	/* owned; what was there before */
};

/* mapping_same() - Return true if an address means the same byte in both. */
bool mapping_same(const struct mapping *a, const struct mapping *b);

struct space *space_new(void);
struct space *space_share(struct space *space);
void space_release(struct addresses *a, struct space *space);

/* space_map() - Add a mapping to *@space, which is replaced by a copy if it is shared. */
void space_map(struct addresses *a, struct space **space, const struct mapping *m);

/* space_find() - Return the mapping that has @address, or NULL; of @replaced: the last of them. */
const struct mapping *space_find(const struct space *space, uint64_t address);
const struct mapping *space_find_replaced(const struct space *space, uint64_t address);

/* --- processes.c --- */

#define COMM_SIZE 16

/* A program that a process has executed. */
struct life {
	char comm[COMM_SIZE];
	struct space *space;	/* owned, by a reference */
};

struct process {
	uint32_t pid, parent;	/* parent 0: not known */
	struct process *next;	/* owned; of the same bucket */
	struct process *next_ended;	/* of those that have ended, the one that ended next */
	struct life *lives;	/* owned; the last is the present one */
	uint32_t nr;
	bool has_ended, is_listed;	/* is_listed: it is in the list of those that have ended */
	bool is_read;		/* /proc/PID/maps was read again, after an address was not found */
	struct code *jit;	/* borrowed; its perf-PID.map */
	uint64_t jit_ns;	/* when that was opened or searched; 0: not yet */
};

/*
 * process_find() - Return the process, or NULL.
 * process_add() - Return it, added if necessary; NULL: no memory.
 * process_exec() - It executes a program of this name.
 * process_fork() - It is a new child of @parent.
 * process_end() - It has ended; what it mapped is kept, as long as there is room.
 * process_space() - Return where its present space is, or NULL: no memory.
 */
struct process *process_find(const struct addresses *a, uint32_t pid);
struct process *process_add(struct addresses *a, uint32_t pid);
void process_exec(struct addresses *a, struct process *p, const char *comm);
void process_fork(struct addresses *a, struct process *parent, uint32_t pid);
void process_end(struct addresses *a, struct process *p);
struct space **process_space(struct addresses *a, struct process *p);
void process_set_comm(struct addresses *a, struct process *p, const char *comm);
void processes_free(struct addresses *a);

/* processes_make_room() - Forget what ended first, until another mapping fits, or return false. */
bool processes_make_room(struct addresses *a);

/* proc_maps.c: read what the process maps now; false: it does not exist, or is another user's. */
bool process_read(struct addresses *a, uint32_t pid);
int processes_read_all(struct addresses *a);

/* --- side_band.c, records.c --- */

struct side_band;

int side_band_open(struct addresses *a, const struct event_scope *scope, struct error *err);
int side_band_fd(const struct side_band *band);
void side_band_read(struct addresses *a);
void side_band_close(struct addresses *a);

/* record_apply() - Apply a record of a side-band event to the processes. */
void record_apply(struct addresses *a, struct bytes record);

/* --- user_names.c --- */

void user_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame);

#define BUCKETS 4096

struct addresses {
	struct frame_namer namer;	/* first: the namer is converted back */
	struct sys *sys;		/* borrowed */
	struct strings strings;
	struct kernel_names kernel;
	struct mapped_file *files[BUCKETS];
	uint32_t nr_files, nr_open;	/* nr_open: those whose fd is open */
	struct code **codes;		/* owned, as its elements */
	uint32_t nr_codes;
	uint64_t use, code_bytes;	/* a clock of uses; memory of all codes */
	struct process *processes[BUCKETS];
	uint32_t nr_processes;
	struct process *ended, **last_ended;
	uint64_t nr_mappings;
	uint64_t dropped;		/* mappings that there was no room for */
	bool everyone;			/* else records of unknown processes are ignored */
	struct side_band *band;		/* owned, or NULL */
	uint64_t lost;			/* records that did not fit in the rings */
	uint64_t read_ns;		/* when they were read */
	uint64_t changes;		/* of processes; answers of before are not used again */
	struct answer *answers;		/* owned, see addresses.c */
};

#endif
