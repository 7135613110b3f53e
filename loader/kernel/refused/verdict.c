// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Explain the verdict of the verifier's log. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/bpf_helper_abi.h>

#include "loader/kernel/refused.h"

/*
 * Messages of kernel/bpf/verifier.c, of any release, and the remedy. The first row that matches
 * counts.
 */
static const struct verdict {
	const char *words, *hint;
} verdicts[] = {
	{ "map_value_or_null'",
	  "bpf_map_lookup_elem() may return NULL: check before using it" },
	{ "mem_or_null'", "the helper may return NULL: check before using it" },
	{ "ptr_or_null_", "this pointer may be NULL: check before following it" },
	{ "invalid access to packet", "compare with ctx->data_end before reading so far" },
	{ "invalid mem access 'scalar'",
	  "no pointer to the verifier: bpf_probe_read_kernel() and BPF_CORE_READ() follow any" },
	{ "invalid mem access 'inv'",
	  "no pointer to the verifier: bpf_probe_read_kernel() and BPF_CORE_READ() follow any" },
	{ "R0 !read_ok", "every way through the program has to return a value" },
	{ "unbounded memory access",
	  "limit its size: if (n > MAX) return 0, or n &= MAX - 1" },
	{ "unbounded min value",
	  "show that it is not negative: use an unsigned type, or if (n < 0) return 0" },
	{ "min value is negative",
	  "show that it is not negative: use an unsigned type, or if (n < 0) return 0" },
	{ "min value is outside of the allowed memory range",
	  "no index makes this offset smaller than the value's size: a larger value, or another "
	  "offset" },
	{ "invalid access to map value",
	  "limit the offset to the value: if (n >= SIZE) return 0" },
	{ "invalid indirect read from stack",
	  "fill all bytes of the variable first, padding too: = {}" },
	{ "invalid read from stack", "fill all bytes of the variable first, padding too: = {}" },
	{ "combined stack size",
	  "functions that call each other have 512 bytes of stack together: use a map" },
	{ "invalid write to stack",
	  "a program has 512 bytes of stack: put large variables into a map" },
	{ "Unreleased reference", "on some way through it what was acquired is not released" },
	{ "back-edge",
	  "loops are for Linux 5.3 and later: #pragma unroll, or a limit known to the compiler" },
	{ "infinite loop detected",
	  "the loop's counter has to move towards a limit in each round" },
	{ "invalid bpf_context access",
	  "programs of this type may not touch this field of their context" },
	{ "dereference of modified ctx ptr",
	  "fields of the context are read by themselves, not by way of a pointer into it" },
	{ "cannot use resizable hash maps",
	  "programs of this type take BPF_MAP_TYPE_HASH in place of BPF_MAP_TYPE_RHASH" },
	{ "must point to", "the helper takes another kind of pointer: see its description" },
	{ " expected=",
	  "the helper takes another kind of argument: R1 is the first; \"fp\" is the stack" },
};

/* The verifier gave up, which is no verdict about the program. */
static const struct verdict complex[] = {
	{ "BPF program is too large",
	  "a loop with too many rounds, or too many ways through it: bpf_loop(), bpf_for()" },
	{ "jumps is too complex",
	  "too many branches: a function that is not static, or bpf_loop()" },
};

#define NAME(name, number) [number] = #name,
static const char *const helpers[] = { ___BPF_FUNC_MAPPER(NAME) };

/*
 * Return the helper of "invalid func unknown#195", which programs of this type cannot call, or
 * NULL.
 */
static const char *helper_unknown(const char *log)
{
	const char *at = strstr(log, "invalid func unknown#");
	unsigned long n = at ? strtoul(strchr(at, '#') + 1, NULL, 10) : 0;

	return n && n < sizeof(helpers) / sizeof(helpers[0]) ? helpers[n] : NULL;
}

static bool hint_words(const struct verdict *rows, size_t nr, const char *verdict,
		       struct error *err)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strstr(verdict, rows[i].words))
			continue;
		error_hint(err, "%s", rows[i].hint);
		return true;
	}
	return false;
}

/* Since Linux 7.3 the verifier knows a remedy itself, which names what it found. */
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
	const char *helper = helper_unknown(verdict);

	if (strstr(verdict, "GPL")) {
		error_reason(err, "prog-load/license");
		error_hint(err, "its license is \"%s\"; add: char LICENSE[] SEC(\"license\") = "
				"\"GPL\"; or --license=GPL", license);
		return true;
	}
	if (helper) {
		error_reason(err, "prog-load/no-helper");
		error_hint(err, "this kernel is older than the helper bpf_%s()", helper);
		return true;
	}
	if (strstr(verdict, "unknown func bpf_") || strstr(verdict, "cannot use helper bpf_")) {
		error_reason(err, "prog-load/no-helper");
		error_hint(err, "the helper is not for programs of this type, or wants another "
				"configuration of the kernel");
		return true;
	}
	if (hint_words(complex, sizeof(complex) / sizeof(complex[0]), verdict, err)) {
		error_reason(err, "prog-load/too-complex");
		return true;
	}
	return hint_suggestion(log, err) ||
	       hint_words(verdicts, sizeof(verdicts) / sizeof(verdicts[0]), verdict, err);
}

bool kernel_hint_verdict(const char *log, const char *license, struct error *err)
{
	const char *end = verifier_log_end(log);
	const char *begin = verifier_log_last_lines(log, end, 3);
	char *verdict = strndup(begin, end - begin);
	bool found = verdict && hint_verdict(log, verdict, license, err);

	free(verdict);
	return found;
}
