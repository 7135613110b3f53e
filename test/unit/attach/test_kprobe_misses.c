// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The calls that kprobes have missed: which links are queried, and that the misses add up. */
#include <errno.h>
#include <string.h>

#include "loader/events/attach/events.h"
#include "test/unit/common/suite.h"

#define FD 10	/* of the first link */

/* The links, as the kernel describes them. */
static const struct {
	uint32_t type, event_type;
	uint64_t missed;
	bool is_kprobe;
	int code;	/* it is not described */
} links[] = {
	{ BPF_LINK_TYPE_PERF_EVENT, BPF_PERF_EVENT_KPROBE, 1, true, 0 },
	{ BPF_LINK_TYPE_PERF_EVENT, BPF_PERF_EVENT_KRETPROBE, 2, true, 0 },
	{ BPF_LINK_TYPE_KPROBE_MULTI, 0, 4, true, 0 },
	{ BPF_LINK_TYPE_PERF_EVENT, BPF_PERF_EVENT_UPROBE, 8, true, 0 },
	{ BPF_LINK_TYPE_PERF_EVENT, BPF_PERF_EVENT_KPROBE, 16, false, 0 },
	{ BPF_LINK_TYPE_TRACING, 0, 32, true, 0 },
	{ BPF_LINK_TYPE_PERF_EVENT, BPF_PERF_EVENT_KPROBE, 64, true, EINVAL },
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];
	struct bpf_link_info *info = (void *)(uintptr_t)attr->info.info;
	const unsigned int i = attr->info.bpf_fd - FD;

	(void)sys;
	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_int_eq(arg[0], BPF_OBJ_GET_INFO_BY_FD);
	ck_assert_uint_lt(i, NR(links));
	if (links[i].code)
		return -links[i].code;
	info->type = links[i].type;
	if (info->type == BPF_LINK_TYPE_KPROBE_MULTI) {
		info->kprobe_multi.missed = links[i].missed;
	} else {
		info->perf_event.type = links[i].event_type;
		info->perf_event.kprobe.missed = links[i].missed;
	}
	return 0;
}

static void note(void *arg, const char *text)
{
	snprintf(arg, 64, "%.63s", text);
}

/* The first attachments have links; the last one has none. */
static const struct {
	unsigned int nr;
	const char *note;
} rows[] = {
	{ 0, "" }, { 1, "1 call of functions" }, { 2, "3 calls of functions" },
	{ 3, "7 calls of functions" }, { NR(links), "7 calls of functions" },
};

TEST_ROWS(missed_calls, rows)
{
	struct attachment list[NR(links) + 1];
	char text[64] = "";
	struct sys sys = { .enter = enter };
	struct attach_set set = { .list = list, .nr = rows[_i].nr + 1,
				  .probes = { .note = note, .note_arg = text } };

	memset(list, 0, sizeof(list));
	for (unsigned int i = 0; i < set.nr; i++)
		list[i] = (struct attachment){ .link_fd = FD + i, .is_kprobe = i < NR(links) &&
					       links[i].is_kprobe };
	list[rows[_i].nr].link_fd = -1;
	list[rows[_i].nr].is_kprobe = true;
	attach_note_kprobe_misses(&sys, &set);
	ck_assert_msg(!strncmp(text, rows[_i].note, strlen(rows[_i].note)), "%s", text);
	ck_assert_int_eq(!text[0], !rows[_i].note[0]);
}
