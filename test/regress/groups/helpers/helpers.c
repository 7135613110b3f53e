// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which helpers a perf_event program may call: each called with arguments that are right. */
#include <string.h>
#include <unistd.h>

#include "elf/insn/insn_text.h"
#include "loader/observe/capabilities/capabilities.h"
#include "test/regress/groups/helpers/helper_run.h"

/*
 * Reasons why a kernel refuses a documented helper. Before Linux 6.12 a helper that sleeps is
 * unknown to the type.
 */
#define SLEEPS	"might sleep|no such helper"
#define MAP	"not with its map"
/* CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE */
#ifdef __s390x__
#define PLAIN_READ "no such helper"
#else
#define PLAIN_READ NULL
#endif

/*
 * The helpers that the eBPF documentation lists for BPF_PROG_TYPE_PERF_EVENT, and the release that
 * introduced each. Each object has one such helper, so that the kernel can refuse it only for that
 * helper or its map.
 */
static const struct row {
	struct helper helper;
	unsigned int since;		/* 0: before 5.10, the oldest that is tried */
	const char *before;		/* the answer until then; NULL: "no such helper" */
	const char *refused;		/* the answer since then; NULL: "accepted" */
	unsigned int until;		/* accepted from here on after all; 0: not yet */
} rows[] = {
	/* of the event itself */
	{ { "perf_event_output", "helpers" }, 0, NULL, NULL, 0 },
	{ { "perf_event_read", "helpers" }, 0, NULL, NULL, 0 },
	{ { "perf_event_read_value", "helpers" }, 0, NULL, NULL, 0 },
	{ { "perf_prog_read_value", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_stackid", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_stack", "helpers" }, 0, NULL, NULL, 0 },
	{ { "read_branch_records", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_branch_snapshot", "helpers" }, LINUX(5, 16), NULL, NULL, 0 }, /* 856c02dbce4f */
	{ { "get_attach_cookie", "helpers" }, LINUX(5, 15), NULL, NULL, 0 }, /* 7adfc6c9b315 */
	/* 9ffd9f3ff719 */
	{ { "get_func_ip", "helpers" }, LINUX(5, 15), NULL, "not for this type", 0 },
	/* maps */
	{ { "map_lookup_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_update_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_delete_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_push_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_pop_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_peek_elem", "helpers" }, 0, NULL, NULL, 0 },
	{ { "map_lookup_percpu_elem", "helpers" }, LINUX(5, 19), NULL, NULL, 0 }, /* 07343110b293 */
	/* 69c087ba6225 */
	{ { "for_each_map_elem", "helpers_call" }, LINUX(5, 13), "too old", NULL, 0 },
	{ { "tail_call", "helpers" }, 0, NULL, NULL, 0 },
	{ { "ringbuf_output", "helpers_ring" }, 0, NULL, NULL, 0 },
	{ { "ringbuf_reserve", "helpers_ring" }, 0, NULL, NULL, 0 },
	{ { "ringbuf_submit", "helpers_ring" }, 0, NULL, NULL, 0 },
	{ { "ringbuf_discard", "helpers_ring" }, 0, NULL, NULL, 0 },
	{ { "ringbuf_query", "helpers_ring" }, 0, NULL, NULL, 0 },
	/* a10787e6d58c */
	{ { "task_storage_get", "helpers_storage" }, LINUX(5, 12), "no such map", NULL, 0 },
	/* a10787e6d58c */
	{ { "task_storage_delete", "helpers_storage" }, LINUX(5, 12), "no such map", NULL, 0 },
	/* times and numbers */
	{ { "ktime_get_ns", "helpers" }, 0, NULL, NULL, 0 },
	{ { "ktime_get_boot_ns", "helpers" }, 0, NULL, NULL, 0 },
	{ { "jiffies64", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_smp_processor_id", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_numa_node_id", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_prandom_u32", "helpers" }, 0, NULL, NULL, 0 },
	/* the task */
	{ { "get_current_pid_tgid", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_ns_current_pid_tgid", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_current_uid_gid", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_current_comm", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_current_task", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_current_task_btf", "helpers" }, LINUX(5, 11), NULL, NULL, 0 }, /* 3ca1032ab7ab */
	/* dd6e10fbd9fb */
	{ { "task_pt_regs", "helpers" }, LINUX(5, 15), "no such helper|no such argument", NULL, 0 },
	{ { "get_task_stack", "helpers" }, LINUX(5, 11), "no such argument", NULL, 0 },
	{ { "send_signal", "helpers" }, 0, NULL, NULL, 0 },
	{ { "send_signal_thread", "helpers" }, 0, NULL, NULL, 0 },
	{ { "current_task_under_cgroup", "helpers" }, 0, NULL, NULL, 0 },
	{ { "get_current_cgroup_id", "helpers" }, 0, NULL, NULL, 0 },
	/* 95b861a7935b */
	{ { "get_current_ancestor_cgroup_id", "helpers" }, LINUX(5, 15), NULL, NULL, 0 },
	/* memory */
	{ { "probe_read_user", "helpers_memory" }, 0, NULL, NULL, 0 },
	{ { "probe_read_kernel", "helpers_memory" }, 0, NULL, NULL, 0 },
	{ { "probe_read_user_str", "helpers_memory" }, 0, NULL, NULL, 0 },
	{ { "probe_read_kernel_str", "helpers_memory" }, 0, NULL, NULL, 0 },
	{ { "probe_write_user", "helpers_memory" }, 0, NULL, "accepted|no such helper", 0 },
	{ { "copy_from_user", "helpers_memory" }, 0, NULL, SLEEPS, 0 },
	{ { "copy_from_user_task", "helpers_memory" }, LINUX(5, 18), /* 376040e47334 */
	  "no such helper|no such argument", SLEEPS, 0 },
	/* text */
	{ { "trace_printk", "helpers_memory" }, 0, NULL, NULL, 0 },
	{ { "trace_vprintk", "helpers_memory" }, LINUX(5, 16), NULL, NULL, 0 }, /* 10aceb629e19 */
	{ { "snprintf", "helpers_memory" }, LINUX(5, 13), NULL, NULL, 0 }, /* 7b15523a989b */
	{ { "snprintf_btf", "helpers_btf" }, 0, NULL, NULL, 0 },
	{ { "strncmp", "helpers_memory" }, LINUX(5, 17), NULL, NULL, 0 }, /* c5fb19937455 */
	/* functions of the program, variables of the kernel */
	/* e6f2dd0f8067 */
	{ { "loop", "helpers_call" }, LINUX(5, 17), "too old|no such helper", NULL, 0 },
	/* 7c7e3d31e785 */
	{ { "find_vma", "helpers_call" }, LINUX(5, 17), "too old|no such helper", NULL, 0 },
	{ { "per_cpu_ptr", "helpers_btf" }, 0, NULL, NULL, 0 },
	{ { "this_cpu_ptr", "helpers_btf" }, 0, NULL, NULL, 0 },
	/* helpers that are refused because of the map */
	{ { "spin_lock", "helpers_lock" }, 0, NULL, MAP, 0 },
	{ { "spin_unlock", "helpers_lock" }, 0, NULL, MAP, 0 },
	/* b00628b1c7d5 */
	{ { "timer_init", "helpers_timer" }, LINUX(5, 15), NULL, MAP, LINUX(7, 0) },
	/* b00628b1c7d5 */
	{ { "timer_set_callback", "helpers_timer" }, LINUX(5, 15), "too old", MAP, LINUX(7, 0) },
	/* b00628b1c7d5 */
	{ { "timer_start", "helpers_timer" }, LINUX(5, 15), NULL, MAP, LINUX(7, 0) },
	/* b00628b1c7d5 */
	{ { "timer_cancel", "helpers_timer" }, LINUX(5, 15), NULL, MAP, LINUX(7, 0) },
	/* helpers for which the address alone has to tell user space from the kernel */
	{ { "probe_read", "helpers_memory" }, 0, NULL, PLAIN_READ, 0 },
	{ { "probe_read_str", "helpers_memory" }, 0, NULL, PLAIN_READ, 0 },
};

/* The answer for each row, once a test has loaded its program. Static texts. */
struct found {
	const char *answers[NR(rows)];
};

static const char *answer_of(struct regress *t, const struct row *row)
{
	const char **answer = &((struct found *)t->room)->answers[row - rows];
	struct regress_object o;

	if (!*answer) {
		*answer = helper_load(t, &o, &row->helper);
		regress_unload(t, &o);
	}
	return *answer;
}

static void loads(struct regress *t)
{
	const struct row *row = t->data;
	const char *now = row->refused ? row->refused : "accepted";
	struct regress_since since[3] = { { LINUX(0, 0), now } };
	unsigned int nr = 1;
	const char *saw = answer_of(t, row);

	if (!strcmp(saw, "no privilege"))
		regress_skip(t, "no privilege to load");
	if (!strcmp(saw, "no JIT"))
		regress_skip(t, "this kernel has no JIT, and a program no callbacks");
	/* A kernel without BTF has neither pointers to tasks nor storage for them. */
	if (helper_is_lacking(saw) && strcmp(saw, "no such helper") &&
	    access("/sys/kernel/btf/vmlinux", F_OK))
		regress_skip(t, "this kernel has no BTF of its own: %s", saw);
	/* A kernel that is configured without the arguments says nothing about the helper. */
	if (!strcmp(saw, "no such argument") && t->kernel >= row->since)
		regress_skip(t, "this kernel has nothing to call it with");
	if (row->since) {
		since[0].answer = row->before ? row->before : "no such helper";
		since[nr++] = (struct regress_since){ row->since, now };
	}
	if (row->until)
		since[nr++] = (struct regress_since){ row->until, "accepted" };
	regress_answer(t, "", saw, since, nr);
}

/* pload probe answers the same as the attempt to load that program. */
static void probe_agrees(struct regress *t)
{
	const struct row *row = t->data;
	const char *saw = answer_of(t, row), *rest, *probed;
	const struct capability_form form = { .kind = prog_kind_find("perf_event", &rest) };
	uint32_t func = 0;

	while (func < nr_helpers &&
	       (!helper_name(func) ||
		strcmp(helper_name(func) + strlen("bpf_"), row->helper.name)))
		func++;
	regress_expect(t, func < nr_helpers, "pload knows no bpf_%s()",
		       row->helper.name);
	if (!strcmp(saw, "too old") || (helper_is_lacking(saw) && strcmp(saw, "no such helper")))
		regress_skip(t, "no program can say it: %s", saw);
	probed = capability_answer_name(capability_try_helper(t->sys, &form, func, NULL));
	if (!strcmp(saw, "accepted"))
		regress_expect(t, !strcmp(probed, "yes"), "it is accepted, and '%s'", probed);
	else if (!strcmp(saw, "might sleep"))
		regress_expect(t, !strcmp(probed, "sleepable"), "it might sleep, and '%s'", probed);
	else
		regress_expect(t, !strcmp(probed, "no"), "'%s', and '%s'", saw, probed);
}

/* "since Linux 5.15" */
static const char *release(char *text, size_t size, const char *before, unsigned int since)
{
	snprintf(text, size, "%s Linux %u.%u", before, since >> 16, since >> 8 & 255);
	return since ? text : "";
}

static void fill(struct regress_list *list)
{
	regress_share(list, sizeof(struct found));
	for (size_t i = 0; i < NR(rows); i++) {
		const struct row *row = &rows[i];
		const char *name = row->helper.name;
		char text[32];

		if (row->until)
			regress_add(list, loads, row, "bpf_%s is documented, and refused%s", name,
				    release(text, sizeof(text), " before", row->until));
		else if (row->refused && strncmp(row->refused, "accepted", 8))
			regress_add(list, loads, row, "bpf_%s is documented, and refused: %.*s",
				    name, (int)strcspn(row->refused, "|"), row->refused);
		else
			regress_add(list, loads, row, "bpf_%s is taken%s", name,
				    release(text, sizeof(text), " since", row->since));
	}
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, probe_agrees, &rows[i], "pload probe agrees: bpf_%s",
			    rows[i].helper.name);
}

const struct regress_group regress_group_helpers = {
	"helpers", "which helpers a perf_event program may call", NULL, fill, __FILE__
};
