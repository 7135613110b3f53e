// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which helpers a form of a program type may call: the verifier is asked for each. */
#include <errno.h>
#include <string.h>

#include "loader/kernel/attr.h"
#include "loader/probe/parts.h"

#define NAME(name, number) [number] = "bpf_" #name,
static const char *const names[] = { ___BPF_FUNC_MAPPER(NAME) };

const uint32_t probe_nr_helpers = sizeof(names) / sizeof(names[0]);

const char *probe_helper_name(uint32_t func)
{
	return func && func < probe_nr_helpers ? names[func] : NULL;
}

/*
 * check_helper_call() in kernel/bpf/verifier.c looks for the helper first, whatever its arguments:
 * "unknown func" until Linux 6.12, "program of this type cannot use helper" since; "invalid func"
 * is a number beyond those that this kernel knows.
 */
static enum probe_answer answer_of(int code, const char *said)
{
	if (strstr(said, "unknown func") || strstr(said, "invalid func") ||
	    strstr(said, "cannot use helper"))
		return PROBE_NO;
	/* may_sleep, and a program that may not */
	if (strstr(said, "might sleep"))
		return PROBE_SLEEPABLE;
	/* kernel/bpf/helpers.c has some for CAP_BPF and CAP_PERFMON only. */
	if (code == EPERM)
		return PROBE_DENIED;
	return said[0] ? PROBE_YES : PROBE_UNKNOWN;
}

/* --- helpers whose map decides --- */

/* A value that holds a struct bpf_spin_lock or bpf_timer, and nothing else. */
enum holds { HOLDS_LOCK, HOLDS_TIMER };

static bool needs_map(uint32_t func, enum holds *holds)
{
	switch (func) {
	case BPF_FUNC_spin_lock:
	case BPF_FUNC_spin_unlock:
		*holds = HOLDS_LOCK;
		return true;
	case BPF_FUNC_timer_init:
	case BPF_FUNC_timer_set_callback:
	case BPF_FUNC_timer_start:
	case BPF_FUNC_timer_cancel:
		*holds = HOLDS_TIMER;
		return true;
	default:
		return false;
	}
}

/*
 * Types for such a map, as Documentation/bpf/btf.rst has them: 1 an integer, 2 struct bpf_spin_lock
 * or bpf_timer, 3 the value that holds it.
 */
static int load_btf(struct sys *sys, enum holds holds)
{
	static const char lock_names[] = "\0int\0bpf_spin_lock\0val\0value\0lock";
	static const char timer_names[] = "\0u64\0bpf_timer\0__opaque\0value\0timer";
	enum { LOCK_SIZE = 4, TIMER_SIZE = 16 };
	const uint32_t lock_types[] = {
		1, BTF_KIND_INT << 24, 4, 32,			/* 1: int */
		5, BTF_KIND_STRUCT << 24 | 1, LOCK_SIZE,	/* 2: bpf_spin_lock { int val; } */
		19, 1, 0,
		23, BTF_KIND_STRUCT << 24 | 1, LOCK_SIZE,	/* 3: value { bpf_spin_lock lock;
								 * } */
		29, 2, 0,
	};
	const uint32_t timer_types[] = {
		1, BTF_KIND_INT << 24, 8, 64,			/* 1: u64 */
		5, BTF_KIND_STRUCT << 24 | 2, TIMER_SIZE,	/* 2: bpf_timer { u64, u64 } */
		15, 1, 0, 15, 1, 64,
		24, BTF_KIND_STRUCT << 24 | 1, TIMER_SIZE,	/* 3: value { bpf_timer timer; } */
		30, 2, 0,
	};

	if (holds == HOLDS_LOCK)
		return probe_btf_load(sys, lock_types, sizeof(lock_types), lock_names,
				      sizeof(lock_names));
	return probe_btf_load(sys, timer_types, sizeof(timer_types), timer_names,
			      sizeof(timer_names));
}

static int create_map(struct sys *sys, enum holds holds)
{
	union bpf_attr attr;
	int btf_fd = load_btf(sys, holds), fd;

	if (btf_fd < 0)
		return btf_fd;
	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_HASH;
	attr.key_size = holds == HOLDS_LOCK ? 4 : 8;	/* of type 1 */
	attr.value_size = holds == HOLDS_LOCK ? 4 : 16;
	attr.max_entries = 1;
	attr.btf_fd = btf_fd;
	attr.btf_key_type_id = 1;
	attr.btf_value_type_id = 3;
	fd = sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(btf_value_type_id));
	sys_close(sys, btf_fd);
	return fd;
}

/* check_map_prog_compatibility() in kernel/bpf/verifier.c: the map alone is refused. */
static enum probe_answer ask_with_map(struct sys *sys, const struct probe_form *form,
				      enum holds holds, char said[PROBE_SAID])
{
	struct code code = { 0 };
	int map_fd = create_map(sys, holds), fd;

	if (map_fd < 0) {
		snprintf(said, PROBE_SAID, "a map for it: %s", error_strerror(-map_fd));
		return PROBE_UNKNOWN;
	}
	code_set64(&code, 1, BPF_PSEUDO_MAP_FD, (uint32_t)map_fd);
	code_return(&code, 0);
	fd = probe_verify(sys, form, &code, said);
	sys_close(sys, map_fd);
	if (fd < 0)
		return PROBE_NO;
	sys_close(sys, fd);
	said[0] = '\0';
	return PROBE_YES;
}

enum probe_answer probe_helper(struct sys *sys, const struct probe_form *form, uint32_t func,
			       char *said)
{
	char own[PROBE_SAID];
	struct code code = { 0 };
	enum probe_answer answer;
	enum holds holds;
	int fd;

	if (!said)
		said = own;
	code_call(&code, func);
	code_return(&code, 0);
	fd = probe_verify(sys, form, &code, said);
	if (fd >= 0) {
		sys_close(sys, fd);
		said[0] = '\0';
		return PROBE_YES;
	}
	answer = answer_of(-fd, said);
	if (answer == PROBE_YES)
		said[0] = '\0';
	if (answer == PROBE_YES && needs_map(func, &holds))
		answer = ask_with_map(sys, form, holds, said);
	return answer;
}
