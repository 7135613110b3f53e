/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Attacks by an unprivileged user on a session of root that names the addresses of all processes.
 * main.c runs one of them, and watch.c the session.
 */
#ifndef PLOAD_TEST_HOSTILE_H
#define PLOAD_TEST_HOSTILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Users that do not exist on any system. The attacker owns stage->dir; the others only run. */
#define ATTACKER 65533
#define BYSTANDER 65532

#define PIDS_MAX 4096

/* Memory shared by all processes of a stage. */
struct shared {
	volatile bool is_silent;	/* the file system no longer answers */
	pid_t victim;			/* the process whose pid replaces "@" in the command */
	uint32_t nr_pids;
	pid_t pids[PIDS_MAX];		/* those with a /tmp/perf-PID.map, which is removed */
};

struct stage {
	char dir[PATH_MAX / 2];		/* the attacker's directory */
	struct shared *shared;
	int go[2];			/* a pipe that is closed when the session samples */
	int fuse;			/* /dev/fuse of the file system at DIR/fuse; -1: none */
	const struct attack *attack;
	pid_t attackers;		/* their process group */
};

struct attack {
	const char *name;
	void (*act)(struct stage *stage, const char *arg);	/* as the attacker */
	const char *arg;
	void (*prepare)(struct stage *stage);	/* as root, before; or NULL */
	void (*after)(struct stage *stage);	/* called as root after pload has exited; or NULL */
};

extern const struct attack name_attacks[], file_attacks[], map_attacks[], space_attacks[],
	fuse_attacks[], storms[];

/* --- main.c --- */

/* stage_end() - End the attack, and remove its files and processes from the system. */
void stage_end(struct stage *stage);
/* stage_add_map() - Process @pid has, or will have, a perf map: remove it at the end. */
void stage_add_map(struct stage *stage, pid_t pid);

/* cannot() - Exit, and skip the attack, because @call failed. */
void cannot(const char *call) __attribute__((noreturn));
/* worker() - Return 0 in a new process that is killed with its parent; its pid in the parent. */
pid_t worker(void);
void become(uid_t uid);
/*
 * wait_for_session() - Return when pload has counted a sample: it has attached and enabled its
 * events.
 */
void wait_for_session(const struct stage *stage);
/* path_of() - Return DIR/NAME, allocated. */
char *path_of(const struct stage *stage, const char *name);
/* cpu_ms() - Return the CPU time of this process. */
unsigned int cpu_ms(void);

/* --- watch.c --- */

struct watched {
	const char *signals;	/* "INT:1000,TERM:1200": signal and milliseconds; "" */
	unsigned int seconds;	/* after which the command is killed */
	int out, err;		/* of the command */
};

/* watch() - Run the command in a session of its own, and print how it ended. */
void watch(struct stage *stage, const struct watched *how, char **argv);
/*
 * watch_left() - Print which of its child processes and programs are left, and kill the processes.
 */
void watch_left(void);

/* --- elf_file.c: working code, in a file with arbitrary symbols and sections --- */

/* Code that can be copied. The attacks execute copies of it in their own files. */
void code_spin(void);			/* it never returns */
void code_turn(void);			/* it returns after a while */
void code_step(void *const *next);	/* call the first of a list, and pass on the rest */
size_t code_size(void);
const void *code_start(void);
/* code_at() - Return where @function is in a copy of the code at @base. */
void *code_at(const void *base, void (*function)(void));
#define code_step_at(base) code_at(base, (void (*)(void))code_step)

#define TEXT_AT (4u << 20)	/* offset and address of the code in each file */

struct elf_file {
	int fd;
	uint64_t at;		/* where the next section goes */
	uint32_t nr_sections, nr_segments, names_len;
	struct elf_section *sections;
	struct elf_segment *segments;
	char names[256];
};

/*
 * elf_begin() - Begin a file with the code and nothing else.
 * elf_symbols() - Add .symtab, in which @name has all of the code.
 * elf_end() - Write the headers, and close it.
 */
void elf_begin(struct elf_file *f, const char *path);
uint32_t elf_section(struct elf_file *f, const char *name, uint32_t type, const void *data,
		     uint64_t size);
void elf_link(struct elf_file *f, uint32_t section, uint32_t link, uint64_t entsize);
void elf_note_segments(struct elf_file *f, uint32_t nr, uint64_t offset, uint64_t size);
void elf_note_sections(struct elf_file *f, uint32_t nr, uint64_t offset, uint64_t size);
void elf_symbols(struct elf_file *f, const char *name);
void elf_many_symbols(struct elf_file *f, uint32_t nr, uint32_t name_size);
void elf_end(struct elf_file *f);
/* elf_map() - Map the code of the file as executable. Return its address. */
void *elf_map(const char *path);
/* elf_spin() - Execute code_spin() of the file in a new process. */
void elf_spin(const char *path);

#endif
