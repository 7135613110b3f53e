// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Explain the verdict in the verifier log. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "elf/insn/insn_text.h"
#include "loader/explain/kernel/diagnosis.h"

/*
 * Messages from kernel/bpf/verifier.c (any release), their meaning and the remedy. The first
 * matching row counts.
 */
static const struct verdict verdicts[] = {
	{ "map_value_or_null'", "%R may be NULL",
	  "a lookup in a map may return NULL: check before using it", VERDICT_NULL },
	{ "mem_or_null'", "%R may be NULL", "this memory may be NULL: check before using it",
	  VERDICT_NULL },
	{ "ptr_or_null_", "%R may be NULL", "this pointer may be NULL: check it before "
					    "dereferencing it",
	  VERDICT_NULL },
	{ "prohibited, null-check it first", "%R may be NULL",
	  "this pointer may be NULL: check it before adding to it", VERDICT_NULL },
	{ "invalid access to packet", NULL, "compare with ctx->data_end before this access", 0 },
	{ "invalid mem access 'scalar'", "%R is a number, not a pointer",
	  "the verifier does not treat it as a pointer: use BPF_CORE_READ() or "
	  "bpf_probe_read_kernel() to read from it",
	  VERDICT_NUMBER },
	{ "invalid mem access 'inv'", "%R is a number, not a pointer",
	  "the verifier does not treat it as a pointer: use BPF_CORE_READ() or "
	  "bpf_probe_read_kernel() to read from it",
	  VERDICT_NUMBER },
	{ "R0 !read_ok", "%R has no value",
	  "set it on every path to this line; every path through the program must return a value",
	  0 },
	{ "!read_ok", "%R has no value",
	  "set it on every path to this line; calls clobber R1 to R5", 0 },
	{ "make sure to bounds check any such access", "the offset of %R has no upper limit",
	  "limit the index: if (n >= SIZE) return 0, or n &= SIZE - 1", VERDICT_OFFSET },
	{ "unbounded memory access", "%R has no upper limit",
	  "limit its size: if (n > MAX) return 0, or n &= MAX - 1", 0 },
	{ "unbounded min value", NULL,
	  "show that it is not negative: use an unsigned type, or if (n < 0) return 0", 0 },
	{ "min value is negative", "%R may be negative",
	  "show that it is not negative: use an unsigned type, or if (n < 0) return 0", 0 },
	{ "min value is outside of the allowed memory range", NULL,
	  "even the smallest possible offset is out of bounds", 0 },
	{ "invalid access to map value", NULL,
	  "limit the offset to the size of the value: if (n >= SIZE) return 0", VERDICT_OFFSET },
	{ "write into map forbidden", "the program may not write to this map",
	  "const variables are read-only, and so are maps with BPF_F_RDONLY_PROG", 0 },
	{ " stack R* off=", NULL,
	  "the access is outside the function's stack, at most 512 bytes: limit the index, or "
	  "move large variables into a map", VERDICT_LOCATION },
	{ "invalid indirect read from stack", NULL,
	  "initialize all bytes of the variable first, including padding: = {}", 0 },
	{ "invalid read from stack", NULL,
	  "initialize all bytes of the variable first, including padding: = {}", 0 },
	{ "combined stack size", NULL,
	  "functions that call each other share 512 bytes of stack: use a map",
	  VERDICT_PROGRAM },
	{ "Unreleased reference", "the program exits without releasing a reference",
	  "some path does not release a reference: release it before each return", 0 },
	{ "BPF_EXIT instruction in main prog cannot be used inside bpf_spin_lock",
	  "the program exits while holding a lock", "call bpf_spin_unlock() before each return",
	  VERDICT_LOCK },
	{ "inside bpf_spin_lock-ed region", "not permitted while holding a lock",
	  "call bpf_spin_unlock() first", VERDICT_LOCK },
	{ "bpf_spin_unlock is missing", "the program exits while holding a lock",
	  "call bpf_spin_unlock() before each return", VERDICT_LOCK },
	{ "back-edge", NULL,
	  "loops need Linux 5.3 and CAP_BPF: avoid them with #pragma unroll",
	  VERDICT_PROGRAM },
	{ "infinite loop detected", "the verifier cannot prove that this loop ends",
	  "the loop counter must move towards a limit in every iteration", VERDICT_LOCATION },
	{ "invalid bpf_context access", NULL,
	  "programs of this type have no such field, or may not access it with this size, or may "
	  "not write to it", VERDICT_LOCATION },
	{ "dereference of modified ctx ptr", NULL,
	  "read each field as ctx->FIELD: the verifier does not accept modified pointers to the "
	  "context",
	  0 },
	{ "cannot use resizable hash maps", NULL,
	  "for programs of this type, use BPF_MAP_TYPE_HASH instead of BPF_MAP_TYPE_RHASH",
	  VERDICT_PROGRAM },
	{ "must point to", NULL, "the called function expects another kind of pointer", 0 },
	{ "_or_null* expected=", "%R may be NULL",
	  "this pointer may be NULL: check before passing it", VERDICT_NULL },
	{ " expected=", NULL,
	  "pass what the function expects: R1 is the first argument, and \"fp\" is stack memory",
	  0 },
};

/* The verifier gave up, which is not a verdict about the program. */
static const struct verdict complex[] = {
	{ "BPF program is too large", NULL,
	  "a loop with too many iterations or too many paths: use bpf_loop() or bpf_for()",
	  VERDICT_LOCATION },
	{ "jumps is too complex", NULL,
	  "too many branches: move some to a non-static function, which is verified only once, or "
	  "use bpf_loop()", VERDICT_LOCATION },
};

/* Rows without a hint, because the hint depends on more than the line. */
static const struct verdict calls[] = {
	{ "GPL", "%F() requires a GPL-compatible license", NULL, VERDICT_LOCATION },
	{ "invalid func unknown#", NULL, NULL, VERDICT_LOCATION },
	{ "unknown func bpf_", "programs of this type cannot call %F()", NULL, VERDICT_LOCATION },
	{ "cannot use helper bpf_", "programs of this type cannot call %F()", NULL,
	  VERDICT_LOCATION },
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* Return true if a line of @text contains the parts of @words separated by '*', in order. */
static bool has_words(const char *text, const char *words)
{
	const char *end = text + strlen(text);

	for (;;) {
		const size_t n = strcspn(words, "*");

		text = memmem(text, end - text, words, n);
		if (!text || !words[n])
			return text;
		text += n;
		words += n + 1;
		end = text + strcspn(text, "\n");
	}
}

static const struct verdict *find(const struct verdict *rows, size_t nr, const char *text)
{
	for (size_t i = 0; i < nr; i++)
		if (has_words(text, rows[i].words))
			return &rows[i];
	return NULL;
}

const struct verdict *verdict_find(const char *line)
{
	const struct verdict *v = find(verdicts, ROWS(verdicts), line);

	if (!v)
		v = find(complex, ROWS(complex), line);
	return v ? v : find(calls, ROWS(calls), line);
}

const char *verdict_helper(const char *log)
{
	const char *at = strstr(log, "invalid func unknown#");
	const char *name = at ? helper_name(strtoul(strchr(at, '#') + 1, NULL, 10)) : NULL;

	return name ? name + strlen("bpf_") : NULL;
}

static bool hint_words(const struct verdict *rows, size_t nr, const char *verdict,
		       struct error *err)
{
	const struct verdict *v = find(rows, nr, verdict);

	if (v)
		error_hint(err, "%s", v->hint);
	return v;
}

/* Since Linux 7.3, the verifier itself suggests a remedy, which is more specific. */
static bool hint_suggestion(const char *log, struct error *err)
{
	char text[sizeof(err->hint)];

	if (!verifier_log_section(log, "Suggestion", UINT_MAX, text, sizeof(text)))
		return false;
	error_hint(err, "%s", text);
	return true;
}

static bool hint_verdict(const char *log, const char *verdict, const char *license,
			 struct error *err)
{
	const char *helper = verdict_helper(verdict);

	if (strstr(verdict, "GPL")) {
		error_reason(err, "prog-load/license");
		error_hint(err, "its license is \"%s\"; add: char LICENSE[] SEC(\"license\") = "
				"\"GPL\";", license);
		return true;
	}
	if (helper) {
		error_reason(err, "prog-load/no-helper");
		error_hint(err, "this kernel does not have the helper bpf_%s() yet", helper);
		return true;
	}
	if (strstr(verdict, "unknown func bpf_") || strstr(verdict, "cannot use helper bpf_")) {
		error_reason(err, "prog-load/no-helper");
		error_hint(err, "the helper is not available to this program type, or not in this "
				"kernel configuration");
		return true;
	}
	if (hint_words(complex, ROWS(complex), verdict, err)) {
		error_reason(err, "prog-load/too-complex");
		return true;
	}
	return hint_suggestion(log, err) ||
	       hint_words(verdicts, ROWS(verdicts), verdict, err);
}

bool kernel_hint_verdict(const char *log, const char *license, struct error *err)
{
	char *verdict = verifier_log_verdict(log);
	bool found = verdict && hint_verdict(log, verdict, license, err);

	free(verdict);
	return found;
}
