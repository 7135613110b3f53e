// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The calls of pload compare: kept as they pass, made alike between cells, cut where one is refused. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "loader/compare/measure/record_calls.h"
#include "loader/core/kernel/attr.h"
#include "test/unit/common/suite.h"

/* A kernel that returns the numbers of the test. */
struct stub {
	struct sys sys;		/* first */
	long next;		/* what the next call returns */
	const char *bytes;	/* what it reads */
};

static long stub_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct stub *stub = (struct stub *)sys;

	if (nr == __NR_read && stub->next > 0)
		memcpy((void *)arg[1], stub->bytes, stub->next);
	return stub->next;
}

static struct stub stub;
static struct recorder r;

static void begin(void)
{
	stub = (struct stub){ .sys.enter = stub_enter };
	recorder_begin(&r, &stub.sys, true);
}

static void end(void)
{
	recorder_end(&r);
}

/* Member @key of the call that was made last. */
static const char *last(const char *key)
{
	const size_t nr = json_object_array_length(r.calls);
	struct json_object *member;

	ck_assert_uint_gt(nr, 0);
	ck_assert(json_object_object_get_ex(json_object_array_get_idx(r.calls, nr - 1), key,
					    &member));
	return member ? json_object_get_string(member) : NULL;
}

static void open_file(const char *path, int fd)
{
	stub.next = fd;
	sys_openat(&r.sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

static void read_file(int fd, const char *bytes)
{
	static char buffer[32];

	stub.bytes = bytes;
	stub.next = strlen(bytes);
	sys_read(&r.sys, fd, buffer, sizeof(buffer));
}

static void open_event(const struct perf_event_attr *attr, long ret)
{
	struct perf_event_attr copy = *attr;

	stub.next = ret;
	sys_perf_event_open(&r.sys, &copy, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

TEST_FIXTURE(begin, end)

TEST(test_files_have_the_names_of_their_paths)
{
	open_file("/sys/bus/event_source/devices/software/type", 17);
	ck_assert_str_eq(last("call"), "openat");
	ck_assert_str_eq(last("result"), "= type");
	ck_assert_str_eq(last("step"), "open");
	read_file(17, "1\n");
	ck_assert_str_eq(last("args"), "type, buffer, 32");
	ck_assert_str_eq(last("result"), "= 2 => \"1\\n\"");
	ck_assert_ptr_nonnull(strstr(last("text"), "read(17, 0x"));
	stub.next = 0;
	sys_close(&r.sys, 17);
	ck_assert_str_eq(last("args"), "type");
	ck_assert_str_eq(last("text"), "close(17) = 0");
}

TEST(test_event_program_and_link_have_names)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	union bpf_attr link;

	recorder_name(&r, 4, "program");
	open_event(&attr, 5);
	ck_assert_str_eq(last("result"), "= event");
	ck_assert_str_eq(last("text") + strlen(last("text")) - 3, "= 5");
	r.step = COMPARE_BIND;
	stub.next = 0;
	sys_ioctl(&r.sys, 5, PERF_EVENT_IOC_SET_BPF, 4);
	ck_assert_str_eq(last("args"), "event, PERF_EVENT_IOC_SET_BPF, program");
	ck_assert_str_eq(last("step"), "bind");
	memset(&link, 0, sizeof(link));
	link.link_create.prog_fd = 4;
	link.link_create.target_fd = 5;
	link.link_create.attach_type = BPF_PERF_EVENT;
	stub.next = 6;
	sys_bpf(&r.sys, BPF_LINK_CREATE, &link, ATTR_SIZE(link_create.perf_event.bpf_cookie));
	ck_assert_ptr_nonnull(strstr(last("args"), "prog_fd=program, target_fd=event"));
	ck_assert_str_eq(last("result"), "= link");
	/* the number now belongs to another event */
	open_event(&attr, 6);
	stub.next = 0;
	sys_ioctl(&r.sys, 6, PERF_EVENT_IOC_ENABLE, 0);
	ck_assert_str_eq(last("args"), "event, PERF_EVENT_IOC_ENABLE, 0");
}

/* A descriptor number that was closed and opened again is another file. */
TEST(test_what_is_asked_of_this_process_is_left_out)
{
	open_file("/proc/self/stat", 7);
	read_file(7, "1234 (pload) R");
	stub.next = 0;
	sys_close(&r.sys, 7);
	ck_assert_uint_eq(json_object_array_length(r.calls), 0);
	open_file("/none", -ENOENT);
	ck_assert_str_eq(last("result"), "= -1 ENOENT (No such file or directory)");
	open_file("/proc/sys/kernel/osrelease", 7);
	read_file(7, "6.18\n");
	ck_assert_uint_eq(json_object_array_length(r.calls), 3);
	ck_assert_str_eq(last("args"), "osrelease, buffer, 32");
	open_file("/sys/kernel/tracing/events", -ENOENT);	/* a failure has no name */
	ck_assert_str_eq(last("result"), "= -1 ENOENT (No such file or directory)");
}

/*
 * The address of a breakpoint event is recorded as a number; the one of a probe points to a name,
 * which is recorded in place of it.
 */
/* The kernel writes to another address in each cell. */
TEST(test_buffers)
{
	static const long calls[] = { __NR_read, __NR_pread64, __NR_getdents64, __NR_fstat };
	static char buffer[sizeof(struct stat)];

	open_file("/dev/type", 17);
	stub.next = 0;
	for (int i = 0; i < NR(calls); i++) {
		const unsigned long args[6] = { 17, (uintptr_t)buffer, 8, 4 };

		r.sys.enter(&r.sys, calls[i], args);
		ck_assert_msg(!strncmp(last("args"), "type, buffer", strlen("type, buffer")), "%s",
			      last("args"));
	}
}

static const struct {
	unsigned int nr, percent, rank;
} percentiles[] = {
	{ 1, 25, 1 }, { 1, 99, 1 }, { 4, 25, 1 }, { 5, 25, 2 }, { 4, 50, 2 }, { 5, 50, 3 },
	{ 40, 99, 40 }, { 99, 99, 99 }, { 100, 99, 99 }, { 101, 99, 100 }, { 200, 99, 198 },
};

TEST_ROWS(percentile, percentiles)
{
	uint64_t sorted[200];

	for (unsigned int i = 0; i < 200; i++)
		sorted[i] = i + 1;
	ck_assert_uint_eq(compare_percentile(sorted, percentiles[_i].nr, percentiles[_i].percent),
			  percentiles[_i].rank);
}

TEST(test_addresses)
{
	static const char function[] = "do_exit";
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr),
					.bp_addr = 0x7f0012345678, .bp_len = 8 };

	open_event(&attr, 5);
	ck_assert_ptr_nonnull(strstr(last("args"), "bp_addr=0x7f0012345678"));
	attr = (struct perf_event_attr){ .type = 11, .size = sizeof(attr),
					 .config1 = (uintptr_t)function };
	r.probe = true;
	open_event(&attr, 5);
	ck_assert_ptr_nonnull(strstr(last("args"), "config1=\"do_exit\""));
	ck_assert_ptr_nonnull(strstr(last("text"), "config1=0x"));
	/* A hardware PMU may have any number there, which is not a pointer. */
	r.probe = false;
	attr.config1 = 0xdead00000000;
	open_event(&attr, 5);
	ck_assert_ptr_nonnull(strstr(last("args"), "config1=0xdead00000000"));
}

TEST(test_lines_of_tracefs)
{
	static const char line[] = "p:pload/x_77_1 do_exit+0x0\n";
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
					.config = 1234 };

	open_file("/sys/kernel/tracing/kprobe_events", 7);
	stub.next = sizeof(line) - 1;
	sys_write(&r.sys, 7, line, sizeof(line) - 1);
	ck_assert_str_eq(last("args"), "kprobe_events, \"p:pload/NAME do_exit+0x0\\n\", 27");
	open_file("/sys/kernel/tracing/events/pload/x_77_1/id", 8);
	ck_assert_ptr_nonnull(strstr(last("args"), "events/pload/NAME/id"));
	read_file(8, "1234\n");
	ck_assert_str_eq(last("result"), "= 5 => \"ID\\n\"");
	open_event(&attr, 9);
	ck_assert_ptr_nonnull(strstr(last("args"), "config=ID}"));
	/* Another number stays what it is. */
	attr.config = 12345;
	open_event(&attr, 9);
	ck_assert_ptr_nonnull(strstr(last("args"), "config=12345"));
}

TEST(test_what_looked_for_the_cause_is_cut)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr) };

	open_file("/sys/none", -ENOENT);	/* not why it failed */
	open_event(&attr, -ENOENT);
	open_file("/proc/sys/kernel/perf_event_paranoid", 5);
	open_event(&attr, -ENOENT);
	recorder_refused(&r, -ENOENT);
	ck_assert_uint_eq(json_object_array_length(r.calls), 2);
	ck_assert_str_eq(last("call"), "perf_event_open");
	ck_assert_str_eq(last("errno"), "ENOENT");
	ck_assert_str_eq(last("result"), "= -1 ENOENT (No such file or directory)");
}

/* If the step opened nothing but files, the record ends with the last one that does not exist. */
TEST(test_the_last_file_that_is_missing)
{
	open_file("/a", -ENOENT);
	open_file("/b", -ENOENT);
	open_file("/c", 5);
	recorder_refused(&r, -ENOENT);
	ck_assert_uint_eq(json_object_array_length(r.calls), 2);
	ck_assert_ptr_nonnull(strstr(last("args"), "\"/b\""));
}

TEST(test_times_are_kept_by_step)
{
	recorder_end(&r);
	recorder_begin(&r, &stub.sys, false);
	r.step = COMPARE_ENABLE;
	for (int i = 0; i < 1000; i++)
		sys_close(&r.sys, 3);
	ck_assert_uint_gt(r.ns[COMPARE_ENABLE], 0);
	ck_assert_uint_eq(r.ns[COMPARE_OPEN] + r.ns[COMPARE_BIND] + r.ns[COMPARE_DETACH], 0);
	ck_assert_ptr_null(r.calls);
}
