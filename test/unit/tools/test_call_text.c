// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A recorded call in few words: its name, its kind, and the arguments that are shown. */
#include <stdio.h>
#include <string.h>

#include "loader/observe/step/call_text.h"
#include "loader/base/json/parse_json.h"
#include "test/unit/common/suite.h"

#define STEP(call, text, args) "{\"call\":\"" call "\",\"text\":\"" text "\",\"args\":" args "}"

static const struct {
	const char *step, *name, *kind, *args, *returned;
} rows[] = {
	{ STEP("openat", "openat(AT_FDCWD, ...) = 3 <type>",
	       "[\"AT_FDCWD\",\"/sys/bus/event_source/devices/software/type\",\"O_RDONLY\"]"),
	  "openat", "openat type", "PMUS/software/type;", NULL },
	{ STEP("openat", "openat(11 <file system>, ...) = 3 <a>", "[11,\"a\\u001b[2J\\n\",\"O_RDONLY\"]"),
	  "openat", "openat a?[2J?", "a?[2J?;", NULL },
	{ "{\"call\":\"read\",\"text\":\"read(13 <x>, 0x7f, 3) = 2\",\"args\":[13,\"0x7f\",3],"
	  "\"returned\":[\"1\\n\"]}", "read", "read x", "x;", "=> \"1\\n\"" },
	/* 3 is no part of 13. */
	{ STEP("close", "close(13 <link ip_count>) = 0", "[3]"), "close", "close 3", "3;", NULL },
	{ STEP("close", "close(13 <link ip_count>) = 0", "[13]"), "close", "close link", "link;", NULL },
	{ STEP("close", "close(3 <prog", "[3]"), "close", "close prog", "prog;", NULL },
	{ STEP("ioctl", "ioctl(8 <event cpu-clock CPU 0>, PERF_EVENT_IOC_SET_BPF, 6 <prog ip_count>) = 0",
	       "[8,\"PERF_EVENT_IOC_SET_BPF\",6]"),
	  "PERF_EVENT_IOC_SET_BPF", "bind", "event;prog;", NULL },
	{ STEP("bpf", "bpf(BPF_LINK_CREATE, {link_create={prog_fd=6 <prog ip_count>, target_fd=8 <event cpu-clock "
		      "CPU 0>, attach_type=BPF_PERF_EVENT}}, 24) = 9 <link ip_count>",
	       "[\"BPF_LINK_CREATE\",{\"link_create\":{\"prog_fd\":6,\"target_fd\":8,"
	       "\"attach_type\":\"BPF_PERF_EVENT\",\"perf_event\":{\"bpf_cookie\":\"0x7\"}}},24]"),
	  "BPF_LINK_CREATE", "bind", "prog;event;BPF_PERF_EVENT;bpf_cookie=0x7;", NULL },
	/* Addresses of pload differ by chance. Config has digits of the same kind. */
	{ STEP("bpf", "bpf(BPF_PROG_LOAD, ...)",
	       "[\"BPF_PROG_LOAD\",{\"insn_cnt\":2,\"insns\":\"0x55550000\",\"prog_name\":\"a\\\"b\"},140]"),
	  "BPF_PROG_LOAD", "BPF_PROG_LOAD ", "insn_cnt=2;prog_name=\"a\\\"b\";", NULL },
	{ STEP("perf_event_open", "perf_event_open(...)",
	       "[{\"type\":\"PERF_TYPE_HW_CACHE\",\"config\":\"0x400000000\"},-1,0,-1,\"PERF_FLAG_FD_CLOEXEC\"]"),
	  "perf_event_open", "perf_event_open ",
	  "PERF_TYPE_HW_CACHE;config=0x400000000;pid=-1;cpu=0;group=-1;PERF_FLAG_FD_CLOEXEC;", NULL },
	{ STEP("write", "write(9 <uprobe_events>, ...)", "[9,\"-:pload/a\\n\",40]"),
	  "write", "write uprobe_events", "uprobe_events;\"-:pload/a\\n\";", NULL },
	{ STEP("exit_group", "exit_group(0) = ?", "[0]"), "exit_group", "exit_group ", "0;", NULL },
	/* Members that are missing or of another type are as good as empty. */
	{ "{}", "", " ", "", NULL },
	{ "{\"call\":\"bpf\",\"args\":7}", "bpf", "bpf ", "", NULL },
	{ STEP("bpf", "", "[{\"a\":null}]"), "bpf", "bpf ", "", NULL },
	{ STEP("bpf", "", "[\"X\",{\"a\":null,\"\":1}]"), "X", "X ", "a=null;1;", NULL },
};

TEST_ROWS(says_what_a_call_is, rows)
{
	struct json_object *step = NULL;
	char args[512] = "";
	struct call_text c;

	ck_assert_int_eq(json_parse(rows[_i].step, strlen(rows[_i].step), &step, NULL), 0);
	ck_assert(call_text_init(&c, step));
	for (unsigned int i = 0; i < c.nr; i++)
		snprintf(args + strlen(args), sizeof(args) - strlen(args), "%s;", c.args[i]);
	ck_assert_str_eq(c.name, rows[_i].name);
	ck_assert_str_eq(c.kind, rows[_i].kind);
	ck_assert_str_eq(args, rows[_i].args);
	ck_assert_pstr_eq(c.returned, rows[_i].returned);
	call_text_free(&c);
	json_object_put(step);
}
