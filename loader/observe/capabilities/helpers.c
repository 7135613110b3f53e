// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Asks the verifier for each helper whether a form of a program type may call it. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/observe/capabilities/capabilities_internal.h"

/*
 * check_helper_call() in kernel/bpf/verifier.c looks up the helper before it checks the arguments.
 * A number that this kernel does not know is an "invalid func"; a helper that the program type does
 * not have is an "unknown func" up to Linux 6.12, and later "program of this type cannot use
 * helper". Any other refusal is about the arguments: the helper is available.
 */
static enum capability_answer answer_of(int code, const char *message)
{
	if (strstr(message, "unknown func") || strstr(message, "invalid func") ||
	    strstr(message, "cannot use helper"))
		return CAPABILITY_NO;
	/* check_get_func_ip(): the type has the helper, which is refused afterwards. */
	if (strstr(message, "not supported for program type"))
		return CAPABILITY_NO;
	/* "helper call might sleep in a non-sleepable prog"; later "sleepable helper ... in ..." */
	if (strstr(message, "might sleep") || strstr(message, "sleepable helper"))
		return CAPABILITY_SLEEPABLE;
	/* bpf_base_func_proto() has some helpers only for CAP_BPF and CAP_PERFMON. */
	if (code == EPERM)
		return CAPABILITY_DENIED;
	return message[0] ? CAPABILITY_YES : CAPABILITY_UNKNOWN;
}

/* --- helpers that depend on a map --- */

/* A special member of the map's value. */
enum holds { HOLDS_BYTES, HOLDS_LOCK, HOLDS_TIMER };

/*
 * Helpers with a map that not every program may use, even if it may call the helper: tracing
 * programs may not take locks, and sleepable programs may use only some map types.
 */
static const struct wanted {
	uint32_t func;
	uint32_t map_type;
	enum holds holds;
} wanted[] = {
	{ BPF_FUNC_spin_lock, BPF_MAP_TYPE_HASH, HOLDS_LOCK },
	{ BPF_FUNC_spin_unlock, BPF_MAP_TYPE_HASH, HOLDS_LOCK },
	{ BPF_FUNC_timer_init, BPF_MAP_TYPE_HASH, HOLDS_TIMER },
	{ BPF_FUNC_timer_set_callback, BPF_MAP_TYPE_HASH, HOLDS_TIMER },
	{ BPF_FUNC_timer_start, BPF_MAP_TYPE_HASH, HOLDS_TIMER },
	{ BPF_FUNC_timer_cancel, BPF_MAP_TYPE_HASH, HOLDS_TIMER },
	{ BPF_FUNC_perf_event_read, BPF_MAP_TYPE_PERF_EVENT_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_perf_event_read_value, BPF_MAP_TYPE_PERF_EVENT_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_perf_event_output, BPF_MAP_TYPE_PERF_EVENT_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_skb_output, BPF_MAP_TYPE_PERF_EVENT_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_xdp_output, BPF_MAP_TYPE_PERF_EVENT_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_tail_call, BPF_MAP_TYPE_PROG_ARRAY, HOLDS_BYTES },
	{ BPF_FUNC_current_task_under_cgroup, BPF_MAP_TYPE_CGROUP_ARRAY, HOLDS_BYTES },
};

static const struct wanted *find_wanted(uint32_t func)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i].func == func)
			return &wanted[i];
	return NULL;
}

/*
 * BTF for the value of a map: type 1 is an integer, 2 is struct bpf_spin_lock or bpf_timer, and 3
 * is the value with that as its only member. A member has three words: name, type, offset in bits.
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
		23, BTF_KIND_STRUCT << 24 | 1, LOCK_SIZE,	/* 3: value { bpf_spin_lock } */
		29, 2, 0,
	};
	const uint32_t timer_types[] = {
		1, BTF_KIND_INT << 24, 8, 64,			/* 1: u64 */
		5, BTF_KIND_STRUCT << 24 | 2, TIMER_SIZE,	/* 2: bpf_timer { u64, u64 } */
		15, 1, 0, 15, 1, 64,
		24, BTF_KIND_STRUCT << 24 | 1, TIMER_SIZE,	/* 3: value { bpf_timer } */
		30, 2, 0,
	};

	if (holds == HOLDS_LOCK)
		return small_btf_load(sys, lock_types, sizeof(lock_types), lock_names,
				      sizeof(lock_names));
	return small_btf_load(sys, timer_types, sizeof(timer_types), timer_names,
			      sizeof(timer_names));
}

static int create_map(struct sys *sys, const struct wanted *map)
{
	union bpf_attr attr;
	int btf_fd, fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = map->map_type;
	attr.max_entries = 1;
	attr.key_size = attr.value_size = 4;
	if (map->holds == HOLDS_BYTES)
		return sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(map_flags));
	btf_fd = load_btf(sys, map->holds);
	if (btf_fd < 0)
		return btf_fd;
	if (map->holds == HOLDS_TIMER) {
		attr.key_size = 8;	/* the size of type 1 */
		attr.value_size = 16;
	}
	attr.btf_fd = btf_fd;
	attr.btf_key_type_id = 1;
	attr.btf_value_type_id = 3;
	fd = sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(btf_value_type_id));
	sys_close(sys, btf_fd);
	return fd;
}

/* check_map_prog_compatibility() refuses the map as soon as a program refers to it. */
static enum capability_answer try_with_map(struct sys *sys, const struct capability_form *form,
					   const struct wanted *map, char *message)
{
	struct code code = { 0 };
	int map_fd = create_map(sys, map), fd;

	if (map_fd < 0) {
		snprintf(message, CAPABILITY_MESSAGE, "a map for it: %s", error_strerror(-map_fd));
		return CAPABILITY_UNKNOWN;
	}
	code_set64(&code, 1, BPF_PSEUDO_MAP_FD, (uint32_t)map_fd);
	code_return(&code, 0);
	fd = capability_verify(sys, form, &code, message);
	sys_close(sys, map_fd);
	if (fd < 0)
		return CAPABILITY_NO;
	sys_close(sys, fd);
	message[0] = '\0';
	return CAPABILITY_YES;
}

enum capability_answer capability_try_helper(struct sys *sys, const struct capability_form *form,
					     uint32_t func, char *message)
{
	char own[CAPABILITY_MESSAGE];
	struct code code = { 0 };
	const struct wanted *map = find_wanted(func);
	enum capability_answer answer;
	int fd;

	if (!message)
		message = own;
	code_call(&code, func);
	code_return(&code, 0);
	fd = capability_verify(sys, form, &code, message);
	if (fd >= 0) {
		sys_close(sys, fd);
		message[0] = '\0';
		return CAPABILITY_YES;
	}
	answer = answer_of(-fd, message);
	if (answer == CAPABILITY_YES)
		message[0] = '\0';
	if (answer == CAPABILITY_YES && map)
		answer = try_with_map(sys, form, map, message);
	return answer;
}
