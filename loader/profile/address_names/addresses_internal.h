/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps from an address to a name:
 *
 *	kernel address	kernel_names.c				function of /proc/kallsyms
 *	user address	side_band.c, records.c, proc_maps.c	what each process maps
 *			processes.c, spaces.c, identify.c	file and offset in it
 *			mapped_files.c				function, by the reader of symbols
 *			user_names.c				or function of a JIT compiler
 *
 * profile/symbolize reads files in a separate process.
 */
#ifndef PLOAD_PROFILE_ADDRESS_NAMES_ADDRESSES_INTERNAL_H
#define PLOAD_PROFILE_ADDRESS_NAMES_ADDRESSES_INTERNAL_H

#include "elf/bytes.h"
#include "loader/profile/address_names/addresses.h"
#include "loader/profile/symbolize/wall.h"

/* --- strings.c: strings that are kept until there are too many --- */

/* A tree of strings, in the form of tsearch(3). Zeroed is empty. */
struct strings {
	void *root;	/* owned */
	uint64_t bytes;	/* that they take */
};

/*
 * strings_keep() - Return the unique copy of the first @len bytes of @text; NULL if out of memory.
 * strings_format() - The same of a formatted text, of at most 511 bytes.
 */
const char *strings_keep(struct strings *s, const char *text, size_t len);
const char *strings_format(struct strings *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void strings_free(struct strings *s);

/* --- kernel_names.c --- */

struct kernel_name {
	uint64_t address;
	uint32_t name, module;	/* offsets in the text; module 0: vmlinux */
};

/* The functions of the kernel, its modules and BPF programs, by address. All zero: not read yet. */
struct kernel_names {
	struct kernel_name *list;	/* owned */
	uint32_t nr;
	char *text;	/* owned; names, one after another */
	uint32_t size, room;
	uint32_t last_module;	/* offset of the most recently added name */
	bool is_read, is_sorted;
	bool has_kernel;	/* false after reading it: the kernel hides addresses */
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

/* --- mapped_files.c: files that processes have mapped --- */

/* A function of a file, and the range of file offsets that belong to it. */
struct known_function {
	uint64_t begin, end, start;
	uint64_t address;	/* add it to an offset to get the linked address */
	const char *name;	/* kept; NULL: no function */
};

struct mapped_file {
	struct file_identity id;
	char *path;		/* owned; as seen by its process; "[vdso]"; "" */
	uint64_t number;	/* for the reader of symbols */
	size_t path_len;
	struct mapped_file *next, **link;	/* of all files; and what refers to this one */
	uint32_t refs;		/* mappings that have it */
	uint32_t pid;		/* which mapped it last */
	uint32_t held_by;	/* the reader that was asked to keep it open; 0: none */
	bool is_given_up;	/* it took too long, and is not read again */
	unsigned int tried;	/* how often it could not be opened */
	uint32_t tried_pid;	/* for the last of them */
	uint64_t spent_ns;	/* that was waited for it */
	char *doubt;		/* owned; why it has no names; or NULL */
	/* Frames borrow these, until names are forgotten: */
	const char *shown_path;	/* kept; NULL: not yet */
	struct known_function *known;	/* owned; ascending */
	uint32_t nr_known;
};

struct process;
struct life;
struct mapping;

/*
 * mapped_file_get() - Return the file with this identity; NULL if out of memory. The caller gets a
 * reference, for mapped_file_put().
 * mapped_file_bytes() - Return its memory use; 0 for NULL.
 * mapped_file_same() - Return true unless they differ in something known about both, or one is
 * NULL.
 * mapped_file_hold() - Have it opened while the process that mapped it as @m exists: it may be
 * deleted before it is read, or may already be.
 */
struct mapped_file *mapped_file_get(struct addresses *a, const char *path, size_t len,
				    const struct file_identity *id);
void mapped_file_put(struct addresses *a, struct mapped_file *file);
uint64_t mapped_file_bytes(const struct mapped_file *file);
bool mapped_file_same(const struct mapped_file *a, const struct mapped_file *b);
void mapped_file_hold(struct addresses *a, struct mapped_file *file, struct process *p,
		      const struct mapping *m);

/* The process, program and mapping that an address is assumed to belong to. */
struct location {
	struct process *process;	/* NULL: not known */
	const struct life *life;	/* NULL: not known */
	const struct mapping *mapping;	/* NULL: none */
};

/*
 * mapped_file_path() - Return its path for a frame, kept.
 * mapped_file_name() - Fill symbol and offset of @frame for offset @at in the file of @l, which is
 *	a return address if @caller. Return false if that is not code in an ELF file.
 * mapped_file_jit() - Fill symbol and offset of @frame for an address by the perf map of the
 *	process. Return false if it has none there.
 */
const char *mapped_file_path(struct addresses *a, struct mapped_file *file);
bool mapped_file_name(struct addresses *a, const struct location *l, uint64_t at, bool caller,
		      struct frame *frame);
#define ASK_AGAIN_NS 1000000000ull	/* after which what may have changed is asked again */
bool mapped_file_jit(struct addresses *a, const struct location *l, uint64_t address, bool caller,
		     struct frame *frame);

/* mapped_files_forget_names() - Drop the function names, which are kept strings. */
void mapped_files_forget_names(struct addresses *a);
void mapped_files_free(struct addresses *a);

/* --- spaces.c: what was mapped where --- */

struct mapping {
	uint64_t start, end, offset;
	struct mapped_file *file;	/* owned, by a reference; NULL: unknown */
};

/* An owner of address spaces, and their total memory use. */
struct space_user {
	uint32_t uid, spaces;
	uint64_t bytes;
};

/* An address space. A child shares its parent's until one of them maps something. */
struct space {
	struct space_user *user;	/* owned, by a reference; charged for its memory */
	uint64_t bytes;			/* used by its mappings and their paths */
	unsigned int refs;
	uint32_t nr, nr_replaced;
	struct mapping *list;		/* owned; ascending, without overlaps */
	struct mapping *replaced;	/* owned; earlier mappings */
};

/* mapping_same() - Return true if an address refers to the same byte in both. */
bool mapping_same(const struct mapping *a, const struct mapping *b);

struct space *space_new(struct addresses *a, uint32_t uid);
struct space *space_share(struct space *space);
void space_release(struct addresses *a, struct space *space);

/*
 * space_map() - Add a mapping to *@space, which is replaced by a copy if it is shared. @m->file is
 * borrowed. Return false if it has too many, or there is no memory.
 */
bool space_map(struct addresses *a, struct space **space, const struct mapping *m);

/* The maximum number of mappings of a space, and of replaced mappings. */
#define SPACE_MAX 16384u
#define REPLACED_MAX 64u

/*
 * mapping_holds() - Return true if it contains @address.
 * space_find() - Return the current mapping that contains @address, or NULL.
 */
bool mapping_holds(const struct mapping *m, uint64_t address);
const struct mapping *space_find(const struct space *space, uint64_t address);

/* --- processes.c --- */

#define COMM_SIZE 16

/* The user and namespaces of a process, as first seen; 0 or UINT32_MAX: unknown. */
struct owner {
	uint32_t uid;		/* effective; UINT32_MAX: unknown */
	uint32_t inner_pid;	/* in the innermost PID namespace */
	uint64_t mount;		/* a hash of its mount namespace and root directory */
};

/* A program that a process has executed. */
struct life {
	char comm[COMM_SIZE];
	struct owner owner;
	struct space *space;	/* owned, by a reference */
};

struct process {
	uint32_t pid, parent;	/* parent 0: not known */
	struct process *next;	/* owned; in the same bucket */
	struct process *next_ended;	/* of the ended processes, the one that ended next */
	struct life *lives;	/* owned; the last one is current */
	uint32_t nr;
	bool has_ended, is_listed;	/* is_listed: it is in the list of ended processes */
	bool is_read;		/* /proc/PID/maps was read again, after an address was not found */
	bool waits;		/* reading it took too long */
	uint32_t nr_reads;	/* how often, since it last executed a program */
	bool is_forgotten;	/* some of its mappings were dropped for lack of room */
	bool jit_given_up;	/* its perf map took too long */
	uint64_t jit_spent_ns;	/* that was waited for it */
	uint64_t no_jit_until_ns;	/* it was searched, and does not exist */
};

/*
 * process_find() - Return the process, or NULL.
 * process_add() - Return it, added if necessary; NULL: no memory.
 * process_exec() - Record that it executes a program with this name.
 * process_fork() - Record that it is a new child of @parent.
 * process_end() - Record its end; its mappings are kept while there is room.
 * process_map() - Record that it maps @m, whose file is borrowed. Return false if it mapped too
 * much.
 */
struct process *process_find(const struct addresses *a, uint32_t pid);
struct process *process_add(struct addresses *a, uint32_t pid);
void process_exec(struct addresses *a, struct process *p, const char *comm);
void process_fork(struct addresses *a, struct process *parent, uint32_t pid);
void process_end(struct addresses *a, struct process *p);
bool process_map(struct addresses *a, struct process *p, const struct mapping *m);
void process_set_comm(struct addresses *a, struct process *p, const char *comm);
void processes_free(struct addresses *a);

/* identify.c: read @owner of a process as far as possible; the rest is unchanged. */
void process_identify(struct addresses *a, uint32_t pid, struct owner *owner);

/*
 * proc_maps.c: read the current mappings of the process; false: it does not exist, or belongs to
 * another user.
 */
bool process_read(struct addresses *a, uint32_t pid);
int processes_read_all(struct addresses *a);

/* --- side_band.c, records.c --- */

struct side_band;

int side_band_open(struct addresses *a, const struct event_scope *scope, struct error *err);
/* side_band_read_present() - Read the current mappings of the processes in @scope. */
int side_band_read_present(struct addresses *a, const struct event_scope *scope, struct error *err);
int side_band_fd(const struct side_band *band);
void side_band_read(struct addresses *a);
void side_band_close(struct addresses *a);

/*
 * record_apply() - Apply a record of a side-band event to the processes. Mappings made after the
 * session ended are in no sample.
 */
void record_apply(struct addresses *a, struct bytes record);

/* --- user_names.c --- */

void user_names_find(struct addresses *a, const struct frame_query *query, struct frame *frame);

/* addresses_read_scope() - Read the processes of a->unread, unless they have been. (addresses.c) */
void addresses_read_scope(struct addresses *a);

#define BUCKETS 4096

struct addresses {
	struct frame_namer namer;	/* first: the namer is converted back */
	struct sys *sys;		/* borrowed */
	struct strings strings;
	struct kernel_names kernel;
	struct wall *wall;		/* owned; to the reader of symbols */
	void *users;			/* owned; struct space_user as a tree, see tsearch(3) */
	void *files;			/* owned; those below as a tree, see tsearch(3) */
	struct mapped_file *all_files;	/* owned */
	uint32_t nr_files;
	uint32_t nr_held, held_by;	/* files that reader held_by keeps open */
	uint64_t file_bytes, last_number;	/* memory of all files; number of the last */
	uint64_t own_mount;		/* as in struct owner, of pload; 0: not read yet */
	struct symbol_request request;	/* of the question at hand */
	struct symbol_answer answer;
	struct process *processes[BUCKETS];
	uint32_t nr_processes;
	struct process *ended, **last_ended;
	uint64_t nr_mappings;
	uint64_t dropped;		/* mappings for which there was no room */
	bool everyone;			/* else records of unknown processes are ignored */
	const struct event_scope *unread;	/* borrowed; see addresses_of_scope(); or NULL */
	struct side_band *band;		/* owned, or NULL */
	uint64_t lost;			/* records that did not fit in the rings */
	uint64_t record_ns;		/* the time of the current record; 0: unknown */
	uint64_t watched_ns;		/* no sample is older */
	uint64_t ended_ns;		/* no sample is newer; 0: not yet */
	uint64_t read_ns;		/* when they were read */
	uint64_t changes;		/* of processes; older answers are not reused */
	bool answer_expires;		/* the current answer may change within a second */
	struct answer *answers;		/* owned, see addresses.c */
};

#endif
