// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tasks, users and cgroups of a scope, and the owners of lines, in a procfs of our own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/magic.h>

#include "loader/events/scope/refresh.h"
#include "loader/core/event/steps.h"
#include "loader/events/probes/probes_internal.h"
#include "loader/events/scope/scope_internal.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

/* --- tasks --- */

static const struct fake_file proc[] = {
	{ "/etc/passwd", "mean:x:100\nme:x:100:1::/:\nroot:x:0:0::/:\nodd:x:\nbad:x:1x:\n", 0 },
	{ "/proc/0/status", "Uid:\t100\t100\t100\t100\n", 0 },
	{ "/proc/5/status", "Name:\tx\nUid:\t7\t100\t8\t9\nGid:\t1\n", 0 },
	{ "/proc/5/task/5/x", "", 0 },
	{ "/proc/5/task/7/x", "", 0 },
	{ "/proc/6/status", "Uid:\t100\t7\t7\t7\n", 0 },
	{ "/proc/7/status", "", ESRCH },
	{ "/proc/7/task/7/x", "", 0 },
	{ "/proc/8/task/0/x", "", 0 },
	{ "/proc/9/task/x", "", 0 },
	{ "/proc/10/task/2147483648", "", 0 },
	{ "/proc/11/task", "", EACCES },
	{ "/proc/20/status", "Uid:\t0\t300\t0\t0\n", 0 },
	{ "/proc/21/status", "Uid:\t0\t300\t0\t0\n", 0 },
	{ "/proc/21/task/21/x", "", 0 },
	{ "/proc/22/status", "Uid:\t0\t300\t0\t0\n", 0 },
	{ "/proc/30/status", "Uid:\t0\t400\t0\t0\n", 0 },
	{ "/proc/2147483648/status", "Uid:\t0\t100\t0\t0\n", 0 },
	{ "/proc/self/status", "Uid:\t0\t100\t0\t0\n", 0 },
	{ 0 }
}, odd_status[] = {
	{ "/proc/5/status", "Uid:\t0\tx\n", 0 },
	{ 0 }
}, hidden_status[] = {
	{ "/proc/5/status", "", EACCES },
	{ 0 }
}, hidden_users[] = {
	{ "/etc/passwd", "", EACCES },
	{ 0 }
};

static const struct task_row {
	struct event_scope_options asked;
	const char *ids;	/* NULL: it fails */
	int ret;
	const char *reason, *what, *where;
	const struct fake_file *files;
	bool again;
} tasks[] = {
	{ { .processes = "5" }, .ids = "5 7 " },
	{ { .processes = "7,5,7" }, .ids = "5 7 " },
	{ { .processes = "5,6" }, "5 7 ", .again = true },
	{ { .processes = "5,6" }, NULL, -ESRCH, "scope/no-process", "does not exist or has", .where = "process 6" },
	{ { .processes = "8" }, NULL, -ESRCH, "scope/no-process", "does not exist or has", .where = "process 8" },
	{ { .processes = "9" }, NULL, -EIO, "scope/no-process", "cannot list the threads",
	  .where = "/proc/9/task" },
	{ { .processes = "10" }, NULL, -EIO, "scope/no-process", "cannot list the threads", .where = "/proc/10/task" },
	{ { .processes = "11" }, NULL, -EACCES, "scope/no-process", "cannot list the threads", .where = "/proc/11/task" },
	{ { .processes = "11" }, NULL, -EACCES, "scope/no-process", "cannot list the threads", "/proc/11/task",
	  .again = true },
	{ { .processes = "" }, NULL, -EINVAL, "scope/grammar",
	  .what = "'' is not a process id" },
	{ { .processes = "5," }, NULL, -EINVAL, "scope/grammar", .what = "''" },
	{ { .processes = "0" }, NULL, -EINVAL, "scope/grammar", .what = "'0'" },
	{ { .processes = "2147483648" }, NULL, -EINVAL, "scope/grammar", .what = "'2147483648'" },
	{ { .threads = "12345678901234567890123456789012X" }, NULL, -EINVAL, "scope/grammar",
	  .what = "'12345678901234567890123456789012' is not a thread id" },
	{ { .threads = "7,5" }, .ids = "5 7 " },
	{ { .threads = "7,6" }, NULL, -ESRCH, "scope/no-thread", "thread 6 does not exist", .where = "thread 6" },
	{ { .user = "100" }, .ids = "5 7 " },
	{ { .user = "me" }, .ids = "5 7 " },
	{ { .user = "300" }, .ids = "21 " },
	{ { .user = "400" }, NULL, -ESRCH, "scope/no-process", "does not exist or has", .where = "process 30" },
	{ { .user = "root" }, NULL, -ESRCH, "scope/no-process", "user 0 has no process",
	  .where = "user 'root'" },
	{ { .user = "roo" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user 'roo'" },
	{ { .user = "odd" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user 'odd'" },
	{ { .user = "bad" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user 'bad'" },
	{ { .user = "me:x" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user 'me:x'" },
	{ { .user = "me\n" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user 'me" },
	{ { .user = "" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "user ''" },
	{ { .user = "4294967295" }, NULL, -ENOENT, "scope/no-user", "no such user", .where = "4294967295" },
	{ { .user = "me" }, NULL, -EACCES, "scope/no-user", "/etc/passwd cannot be read",
	  "user 'me'", .files = hidden_users },
	{ { .user = "0" }, NULL, -EIO, NULL, "cannot list the processes", "user '0'", .files = odd_status },
	{ { .user = "0" }, NULL, -EACCES, NULL, "cannot list the processes", "/proc", .files = hidden_status },
	{ { .command = 42 }, .ids = "42 " },
};

static void expect_failure(const struct error *err, const char *reason, const char *what,
			   const char *where)
{
	ck_assert_pstr_eq(err->reason, reason);
	ck_assert_msg(strstr(err->what, what), "'%s' has no '%s'", err->what, what);
	if (where)
		ck_assert_msg(strstr(err->where, where), "'%s' has no '%s'", err->where, where);
}

TEST_ROWS(tasks_are_listed, tasks)
{
	const struct task_row *row = &tasks[_i];
	struct event_scope scope = { .asked = row->asked };
	struct id_list list = { 0 };
	struct error err = { 0 };
	char text[64] = "";
	struct files files;
	int ret;

	files_init(&files, row->files ? row->files : proc);
	ret = scope_list_tasks(&files.sys, &scope, row->again, &list, &err);
	ck_assert_msg(ret == row->ret, "%d: %s", ret, err.what);
	ck_assert_uint_eq(files.open, 0);
	if (row->ids) {
		for (unsigned int i = 0; i < list.nr; i++)
			sprintf(text + strlen(text), "%d ", list.ids[i]);
		ck_assert_str_eq(text, row->ids);
		ck_assert_str_eq(err.what, "");
	} else {
		expect_failure(&err, row->reason, row->what, row->where);
	}
	error_clear(&err);
	free(list.ids);
	list = (struct id_list){ 0 };	/* and without an error to fill */
	ck_assert_int_eq(scope_list_tasks(&files.sys, &scope, row->again, &list, NULL) < 0,
			 ret < 0);
	free(list.ids);
}

TEST(a_list_has_all_of_another)
{
	static pid_t ids[] = { 2, 4, 6, 4, 7 };
	static const struct {
		unsigned int from, nr;
		bool has;
	} rows[] = { { 0, 0, true }, { 0, 3, true }, { 1, 1, true }, { 2, 1, true },
		     { 3, 2, false }, { 4, 1, false } };
	const struct id_list list = { .ids = ids, .nr = 3 };

	for (int i = 0; i < NR(rows); i++) {
		const struct id_list other = { .ids = ids + rows[i].from, .nr = rows[i].nr };

		ck_assert_int_eq(id_list_has_all(&list, &other), rows[i].has);
	}
}

/* --- processes of tasks --- */

static const struct fake_file threads[] = {
	{ "/proc/3/status", "Name:\tx\nTgid:\t9\n", 0 },
	{ "/proc/4/status", "Tgid:\t4\n", 0 },
	{ "/proc/6/status", "Tgid:\t9\n", 0 },
	{ "/proc/7/status", "", ESRCH },
	{ "/proc/9/status", "Tgid:\t9\n", 0 },
	{ "/proc/10/status", "Tgid:\t0\n", 0 },
	{ "/proc/11/status", "Tgid:\tx\n", 0 },
	{ "/proc/12/status", "Tgid:\t2147483648\n", 0 },
	{ "/proc/13/status", "", EACCES },
	{ "/proc/14/status", "Name:\tx\n", 0 },
	{ 0 }
};

TEST(processes_begin_with_their_main_thread)
{
	static const struct {
		pid_t tids[6];
		const char *text;
		int ret;
	} rows[] = {
		{ { 3, 4, 6, 7, 9 }, "4: 4; 9: 9 3 6; ", 0 }, { { 6, 3 }, "9: 3 6; ", 0 },
		{ { 7, 8, 14 }, "", -ESRCH }, { { 10 }, "", -EIO }, { { 11 }, "", -EIO },
		{ { 12 }, "", -EIO }, { { 4, 13 }, "", -EACCES },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct event_scope scope = { .tids = (pid_t *)rows[i].tids };
		struct event_processes p;
		struct error err = { 0 };
		char text[64] = "";
		struct files files;

		while (scope.tids[scope.nr_tids])
			scope.nr_tids++;
		files_init(&files, threads);
		ck_assert_int_eq(event_processes_list(&files.sys, &scope, &p, &err), rows[i].ret);
		ck_assert_int_eq(err.code, rows[i].ret);
		for (unsigned int k = 0; k < p.nr; k++) {
			sprintf(text + strlen(text), "%d:", p.list[k].pid);
			for (unsigned int n = 0; n < p.list[k].nr_tids; n++)
				sprintf(text + strlen(text), " %d", p.list[k].tids[n]);
			strcat(text, "; ");
		}
		ck_assert_str_eq(text, rows[i].text);
		event_processes_free(&p);
		error_clear(&err);
	}
}

/* --- cgroups --- */

#define V1 "36 35 0:29 / /v1 rw x - cgroup cgroup rw,net_cls,perf_event,cpu\n"
#define V2 "37 35 0:30 / /v2 rw - cgroup2 none rw\n"

static long statfs_by_path(struct files *files, long nr, const unsigned long arg[6])
{
	const char *path = (const char *)arg[0];
	struct statfs *fs = (void *)arg[1];

	(void)files;
	if (nr != __NR_statfs)
		return -ENOSYS;
	if (strstr(path, "broken"))
		return -EIO;
	memset(fs, 0, sizeof(*fs));
	fs->f_type = strstr(path, "v1") ? CGROUP_SUPER_MAGIC :
		     strstr(path, "v2") ? CGROUP2_SUPER_MAGIC : PROC_SUPER_MAGIC;
	return 0;
}

TEST(cgroups_are_found_below_their_mounts)
{
	static const struct {
		const char *mounts, *names;
		int ret;
		const char *reason, *what, *hint;	/* without @ret: the directory */
	} rows[] = {
		{ V1 V2, "a", .ret = 0 }, { V2 V1, "a,/v2/b", .ret = 0 }, { V2, "b", .ret = 0 },
		{ V1 V2, "both", .hint = "/v1/both" }, { V2 V1, "both", .hint = "/v1/both" },
		{ V1 V2, "b", .hint = "/v2/b" }, { V2, "both", .hint = "/v2/both" },
		{ V2, "/b", .ret = 0 }, { V1 V2, "/v2/both", .hint = "/v2/both" },
		{ "", "/v1/a", .ret = 0 }, { "no line of mounts\n - x\n" V1, "a", .ret = 0 },
		{ "36 35 0:29 / /v1 rw - cgroup cgroup perf_event\n", "a", .ret = 0 },
		{ "36 35 0:29 / /\\1661 rw - cgroup cgroup perf_event\n", "a", .ret = 0 },
		{ "36 35 0:29 / /\\9661 rw - cgroup cgroup perf_event\n", "a", -ENOENT,
		  "scope/no-cgroup", "no such cgroup", "directories below /\\9661" },
		{ "36 35 0:29 / /v1 rw - cgroup cgroup rw,perf_events,xperf_event\n", "a", -ENOENT,
		  "scope/no-cgroup", "no such cgroup", "no cgroups are mounted" },
		{ "36 35 0:29 / /v1 rw - cgroup cgroup\n", "a", -ENOENT, "scope/no-cgroup",
		  "no such cgroup", "no cgroups are mounted" },
		{ "36 35 0:29 / /v1 rw - ext4 x perf_event\n", "a", -ENOENT, "scope/no-cgroup",
		  "no such cgroup", "no cgroups are mounted" },
		{ V1 "38 35 0:31 / /other rw - cgroup x perf_event\n" V2, "c", -ENOENT,
		  "scope/no-cgroup", "no such cgroup", "below /v1 and /v2" },
		{ V2, "c,b", -ENOENT, "scope/no-cgroup", "no such cgroup", "below /v2" },
		{ V2, "b,,b", -EINVAL, "scope/grammar", "a name is empty", "-G a,b" },
		{ V2, "b,", -EINVAL, "scope/grammar", "a name is empty", "-G a,b" },
		{ V2, "/dir", -EINVAL, "scope/not-a-cgroup", "/dir is a directory in another", "" },
		{ V2, "/v2/file", -ENOTDIR, "scope/not-a-cgroup", "/v2/file is a file", "" },
		{ V2, "/v2/broken", -EIO, "scope/no-cgroup", "/v2/broken cannot be opened", "" },
		{ V2, "closed", -EACCES, "scope/no-cgroup", "/v2/closed cannot be opened", "" },
		{ NULL, "b", -EACCES, "scope/no-cgroup", "cannot be read", "an absolute path" },
	};

	for (int i = 0; i < NR(rows); i++) {
		const struct fake_file table[] = {
			{ "/proc/self/mountinfo", rows[i].mounts, rows[i].mounts ? 0 : EACCES },
			{ "/v1/a/x", "", 0 }, { "/v1/both/x", "", 0 }, { "/v2/both/x", "", 0 },
			{ "/v2/b/x", "", 0 }, { "/v2//b/x", "", 0 },
			{ "/v2/broken/x", "", 0 },
			{ "/v2/closed", "", EACCES }, { "/v2/file", "", ENOTDIR },
			{ "/dir/x", "", 0 }, { 0 }
		};
		struct event_scope scope = { 0 };
		struct error err = { 0 };
		struct files files;
		int ret;

		files_init(&files, table);
		files.other = statfs_by_path;
		ret = scope_open_cgroups(&files.sys, &scope, rows[i].names, &err);
		ck_assert_msg(ret == rows[i].ret, "%d: %d: %s", i, ret, err.what);
		if (ret) {
			expect_failure(&err, rows[i].reason, rows[i].what, "cgroup '");
			ck_assert_msg(strstr(err.hint, rows[i].hint), "%s", err.hint);
		}
		ck_assert_uint_eq(files.open, scope.nr_cgroups);
		if (!ret && rows[i].hint)
			ck_assert_str_eq(files.fd[scope.cgroups[0].fd - FILES_FD_BASE].path,
					 rows[i].hint);
		ck_assert(ret || scope.nr_cgroups == 1U + !!strchr(rows[i].names, ','));
		event_scope_free(&files.sys, &scope);
		ck_assert_uint_eq(files.open, 0);
		error_clear(&err);
	}
}

/* --- owners of lines in tracefs --- */

#define AFTER_STATE " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 "	/* fields 4 to 21 */

static const struct fake_file owners[] = {
	{ "/proc/10/stat", "10 (a) b) S" AFTER_STATE "26 0\n", 0 },
	{ "/proc/11/stat", "11 (x) Z" AFTER_STATE "26 0\n", 0 },
	{ "/proc/12/stat", "12 (x) X" AFTER_STATE "26 0\n", 0 },
	{ "/proc/13/stat", "", ESRCH },
	{ "/proc/14/stat", "", EACCES },
	{ "/proc/15/stat", "15 (x Z" AFTER_STATE "27 0\n", 0 },
	{ "/proc/16/stat", "x (x) Z" AFTER_STATE "27 0\n", 0 },
	{ "/proc/17/stat", "2147483648 (x) Z" AFTER_STATE "27 0\n", 0 },
	{ "/proc/18/stat", "18 (x) Z 1 2 3 27\n", 0 },
	{ "/proc/19/stat", "19 (x) Z" AFTER_STATE "x 0\n", 0 },
	{ 0 }
};

TEST(a_line_outlives_its_process)
{
	static const struct {
		const char *name;
		uint32_t pid;	/* 0: pload gives no such name */
		bool gone;
	} rows[] = {
		{ "x_10_1a_2_5_0", 10, false }, { "x_10_1b_2_5_0", 10, true },
		{ "x_10_1a_3_5_0", 0, false }, { "x_11_1a_2_5_0", 11, true },
		{ "x_12_1a_2_5_0", 12, true }, { "x_13_1a_2_5_0", 13, true },
		{ "a_b_9_1a_2_5_0", 9, true }, { "x_14_1b_2_5_0", 14, false },
		{ "x_15_1a_2_5_0", 15, false }, { "x_16_1a_2_5_0", 16, false },
		{ "x_17_1a_2_5_0", 17, false }, { "x_18_1a_2_5_0", 18, false },
		{ "x_19_1a_2_5_0", 19, false }, { "x_13_1a_2_5", 0, false },
		{ "x_13_1a_2_5_z", 0, false }, { "x_13_1a_2_z_0", 0, false },
		{ "x_13_1a_z_5_0", 0, false }, { "x_13_z_2_5_0", 0, false },
		{ "x_z_1a_2_5_0", 0, false }, { "x_c_1a_2_5_0", 0, false },
		{ "_13_1a_2_5_0", 0, false }, { "x_2147483648_1a_2_5_0", 0, false },
		{ "x_13_1a_100000002_5_0", 0, false }, { "x_13_1a_2_5_0g", 0, false },
		{ "x_13_1a_2_5_10000000000000000", 0, false }, { "", 0, false },
		{ "a_name_of_more_than_the_63_characters_that_it_may__13_1a_2_5_000", 0, false },
	};
	const struct probe_owner self = { .ns = 2 };
	struct files files;

	files_init(&files, owners);
	for (int i = 0; i < NR(rows); i++) {
		uint32_t pid = 0;

		ck_assert_msg(probe_owner_gone(&files.sys, &self, rows[i].name, &pid) ==
				      rows[i].gone && pid == rows[i].pid, "%s: %u", rows[i].name,
			      pid);
	}
	ck_assert_uint_eq(files.open, 0);
}

TEST(a_name_has_its_owner)
{
	static const struct {
		const char *what, *name;
	} rows[] = {
		{ "vfs_read", "vfs_read_10_1a2b3c4d5e_effffffc_5_1f" },
		{ "a.b-c", "a_b_c_10_1a2b3c4d5e_effffffc_5_1f" },
		{ "9a", "_a_10_1a2b3c4d5e_effffffc_5_1f" },
		{ "", "__10_1a2b3c4d5e_effffffc_5_1f" },
		{ "a_name_of_more_than_35_characters_is_cut",
		  "a_name_of_more_than_35_characters_i_10_1a2b3c4d5e_effffffc_5_1f" },
	};
	const struct probe_owner owner = { 10, 0x1a2b3c4d5e, 0xeffffffc };

	for (int i = 0; i < NR(rows); i++) {
		struct probe_owner found;
		char name[PROBE_NAME_MAX];

		probe_owner_name(&owner, rows[i].what, 5, 0x1f, name);
		ck_assert_str_eq(name, rows[i].name);
		ck_assert(probe_owner_of(name, &found));
		ck_assert(found.pid == owner.pid && found.start == owner.start &&
			  found.ns == owner.ns);
	}
}
