/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A verifier log, for the listing of its program. */
#ifndef PLOAD_TOOLS_INSPECT_LOG_LOG_H
#define PLOAD_TOOLS_INSPECT_LOG_LOG_H

#include "loader/core/object/relocate.h"
#include "loader/tools/inspect/inspect_internal.h"

/* How many visits of an instruction are kept with their registers; the others are only counted. */
#define LOG_VISITS 5

/* BPF_COMPLEXITY_LIMIT_INSNS of include/linux/bpf.h: no program has more. */
#define LOG_INSNS 1000000

/* How many characters of registers to keep per byte of the log, and a minimum. */
#define LOG_STATE_PER_BYTE 16
#define LOG_STATE_LEAST (16u << 20)

struct log_insn {
	uint32_t visits;
	struct log_visit {
		uint32_t visit, line;	/* both counted from 1; the line in the log */
		char *state;	/* owned; registers and stack before the instruction */
	} shown[LOG_VISITS];	/* the first ones, and the last one */
	uint32_t nr_shown;
};

struct verifier_log {
	char *text;		/* owned */
	uint32_t nr_lines, nr_visits;
	struct log_seen {
		uint32_t visits;	/* before the verdict */
		bool known;
		uint8_t code;
	} *seen;		/* owned; by instruction, LOG_INSNS of them */
	uint32_t end;		/* after the last instruction in it */
	bool disagrees;		/* with itself, or it has more instructions than any program */
	uint64_t room;		/* how many characters of registers may still be kept */
	struct log_insn *insns;	/* owned; by instruction */
	uint32_t nr_insns;
	uint32_t last;		/* the last visited instruction; UINT32_MAX: none */
	bool accepted;		/* it ends without a verdict */
	char verdict[256];	/* "R6 invalid mem access 'map_value_or_null'" */
};

/**
 * log_open() - Read the file @path. Return: 0, or -errno of the file.
 * log_matches() - Return true if each instruction in the log is that of the program @code.
 * log_read() - Find the visits of each instruction of @code. Return: 0 or -ENOMEM.
 */
int log_open(struct verifier_log *log, struct inspect *in, const char *path, struct error *err);
bool log_matches(const struct verifier_log *log, const struct prog_code *code);
int log_read(struct verifier_log *log, const struct prog_code *code, struct error *err);
void log_free(struct verifier_log *log);

/* log_put() - Print the verdict, its diagnosis, and the branches that lead to it. */
int log_put(struct verifier_log *log, struct inspect *in, const struct prog_code *code,
	    struct error *err);

/* log_add_visits() - Add the visits of instruction @insn to its message. */
void log_add_visits(const struct verifier_log *log, uint32_t insn, struct json_object *msg);

#endif
