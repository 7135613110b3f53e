/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explain why the kernel refused a map, a program or BTF. */
#ifndef PLOAD_KERNEL_REFUSED_H
#define PLOAD_KERNEL_REFUSED_H

#include "loader/core/kernel/kernel.h"

/* A release of Linux, as a number that can be compared. */
#define LINUX(major, minor) ((uint16_t)((major) << 8 | (minor)))

/* kernel_since() - Return the first release that loads programs of @kind (since.c). */
uint16_t kernel_since(const struct prog_kind *kind);

/*
 * kernel_hint_release() - If the running kernel is older than @wanted, set the reason and a hint
 * that @what needs a newer one, and return true.
 * kernel_hint_verdict() - Derive the hint from the end of the verifier log (verdict.c). Return true
 * if it did.
 */
bool kernel_hint_release(struct sys *sys, const char *what, uint16_t wanted, struct error *err);
bool kernel_hint_verdict(const char *log, const char *license, struct error *err);

/**
 * verifier_log_end() - Return the end of the verdict, the last line about instructions. A diagnosis
 * (since Linux 7.3) and statistics follow it.
 * verifier_log_last_lines() - Return the start of the last @lines lines before @end.
 * verifier_log_verdict() - Return a copy of the last three lines, without lines of program source
 * ("; return x; @ prog.c:3"), whose words are not the kernel's. Owned by the caller.
 * verifier_log_extract() - Return the part that explains the failure, of @len bytes: the verdict
 * and the diagnosis without its causal path, or the last lines.
 * verifier_log_section() - Copy the first lines of a section of the diagnosis to @text as one line.
 * @title: "Reason", "At", "Causal path" or "Suggestion"
 *
 * Return: false if the log has no such section, or its first line does not fit into @text.
 */
const char *verifier_log_end(const char *log);
const char *verifier_log_last_lines(const char *log, const char *end, unsigned int lines);
char *verifier_log_verdict(const char *log);
const char *verifier_log_extract(const char *log, size_t *len);
bool verifier_log_section(const char *log, const char *title, unsigned int lines, char *text,
			  size_t size);

/*
 * kernel_diagnose() - Read err->log and attach notes: the source line that the verifier rejects,
 * what is wrong there, and the path that leads to it (diagnose.c). Replaces the hint if the path
 * offers a better one. Does nothing if the log is not about instructions of @code.
 */
void kernel_diagnose(const struct kernel_object *k, const struct prog_code *code,
		     struct error *err);

/*
 * kernel_map_failed() - Find out why @attr was refused with the positive @code, and fill in @err.
 * @obj may be NULL. Return: -@code.
 *
 * explain_btf(), explain_map(), explain_prog(), explain_log() - FAILED_BTF, FAILED_MAP,
 * FAILED_PROG, FAILED_LOG.
 */
int kernel_map_failed(struct sys *sys, const struct bpf_object *obj, const struct object_map *map,
		      const union bpf_attr *attr, int code, struct error *err);
void explain_btf(struct sys *sys, const void *call, struct error *err);
void explain_map(struct sys *sys, const void *call, struct error *err);
void explain_prog(struct sys *sys, const void *call, struct error *err);
void explain_log(struct sys *sys, const void *call, struct error *err);

/*
 * kernel_explain_prog_array() - If the program in @attr refers to a program array that belongs to
 * another program type, fill in @err and return true (prog_array.c).
 */
bool kernel_explain_prog_array(struct sys *sys, const struct kernel_object *k,
			       const union bpf_attr *attr, int code, struct error *err);

/**
 * kernel_load_trial() - Load an empty program that returns 1 (trial_prog.c).
 * @attach_type: 0 if the type has none
 *
 * A trial program may be bound to an event that others share, so it must not affect anybody: - A
 * program returns 1. All perf events of a tracepoint or probe share its programs, and returning 0
 * hides the occurrence from all of them (perf_trace_run_bpf_submit(), kprobe_perf_func()). - Events
 * are opened disabled, and for the calling task if possible. - Everything opened is closed before
 * the diagnosis ends.
 *
 * Return: a file descriptor or -errno; -EINVAL if the type needs an attach target.
 */
int kernel_load_trial(struct sys *sys, uint32_t prog_type, uint32_t attach_type,
		      uint32_t prog_flags);

/* kernel_fds_failed() - Explain EMFILE and ENFILE. */
int kernel_fds_failed(struct sys *sys, const char *call, const char *reason, int code,
		      struct error *err);

#endif
