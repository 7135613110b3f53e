// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of reasons for which a kernel has to refuse something: whole commands over the fake kernel,
 * one call of which fails. Each row has the code, the context, the call and the hint of the error.
 */
#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/attach.h"
#include "loader/core/cmd/command.h"
#include "loader/core/event/scope.h"
#include "loader/compare/measure/privilege/privilege.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/expect.h"

#define DIR "/sys/fs/bpf/x"

/* Before the fake kernel: every call of one kind is refused, and not one of them only. */
struct refuser {
	struct sys sys;	/* first: the seam hands it back */
	struct sys *kernel;
	long nr;	/* 0: none */
	/* The command of ioctl or bpf, or the flags of perf_event_open; 0: any. */
	unsigned long request;
	int code;	/* positive errno */
	bool takes_all;	/* the rest works, and the kernel hears nothing of it */
};

static long refuse(struct sys *sys, long nr, const unsigned long arg[6])
{
	const struct refuser *r = (const struct refuser *)sys;
	const unsigned long request = nr == __NR_bpf ? arg[0] :
				      nr == __NR_perf_event_open ? arg[4] & ~PERF_FLAG_FD_CLOEXEC :
								   arg[1];

	if (r->nr && nr == r->nr && (!r->request || request == r->request))
		return -r->code;
	if (r->takes_all)
		return 0;
	return r->kernel->enter(r->kernel, nr, arg);
}

static struct machine {
	struct fake_session s;
	struct refuser refuser;
} m;

static void begin(const char *object)
{
	fake_session_object(&m.s, object);
	m.s.paths[1] = (struct fake_path){ .path = "/proc/self/mounts",
					    .data = "bpf /sys/fs/bpf bpf rw 0 0\n" };
	m.s.paths[2] = (struct fake_path){ .path = "/proc/version", .data = "" };
	m.s.paths[3] = (struct fake_path){ .path = "/proc/net/dev", .data = "a\n    lo: 0 0\n" };
	fake_session_begin(&m.s);
	m.refuser = (struct refuser){ .sys.enter = refuse, .kernel = m.s.sys };
	m.s.sys = &m.refuser.sys;
}

static void end(void)
{
	fake_session_end(&m.s);
}

TEST_FIXTURE(NULL, end)

#define BY_LINK "--attach=link -e cpu-clock "

static const struct row {
	const char *reason, *object, *args;
	const char *name;	/* of the call that fails; NULL: none does */
	unsigned int nth;	/* from 1 on, of those with that name */
	int code;		/* positive errno */
	const char *where, *call, *hint;	/* parts of the error; NULL: it has no such part */
	const char *before;	/* another command, which works */
	unsigned int age;	/* of enum fake_age */
} rows[] = {
	/* Attaching. */
	{ "attach/forbidden", "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 1 prog.o",
	  "BPF_LINK_CREATE", 1, EPERM, "prog 'keep': /sys/fs/cgroup (sockops)",
	  "bpf(BPF_LINK_CREATE, {", "bpftool cgroup tree" },
	{ "attach/no-target", "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 1 prog.o",
	  "BPF_LINK_CREATE", 1, EBADF, "/sys/fs/cgroup (sockops)", "bpf(BPF_LINK_CREATE",
	  "cgroup2 /proc/mounts" },
	{ "attach/already-bound", "sock_bytes",
	  "--attach=link --cgroup=/sys/fs/cgroup -d 1 prog.o", "BPF_LINK_CREATE", 2, EBUSY,
	  "map 'sockets' (sk_msg)", "attach_type=BPF_SK_MSG_VERDICT", "one verdict" },
	{ "attach/failed", "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 1 prog.o",
	  "BPF_PROG_ATTACH", 1, EINVAL, "map 'sockets' (sk_msg)",
	  "bpf(BPF_PROG_ATTACH, {target_fd=", "dmesg", NULL, FAKE_NO_SOCKMAP_LINK },
	{ "attach/no-target", "tc_output", "--attach=link --dev=lo --direction=ingress prog.o",
	  "ioctl", 1, ENODEV, "--dev=lo", NULL, "did you mean lo? There are lo" },
	/* A command. */
	{ "command/no-child", "ip_count", "-e cpu-clock prog.o -- true", "clone", 1, EAGAIN,
	  "command 'true'", NULL, "ulimit" },
	{ "command/no-child", "ip_count", "-e cpu-clock prog.o -- true", "pipe2", 1, EMFILE,
	  "command 'true'", NULL, "ulimit" },
	/* Pins: creating, finding and removing them fails. */
	{ "pin/refused", "ip_count", BY_LINK "--pin=" DIR "/y -d 1 prog.o", "mkdirat", 1, EACCES,
	  "prog.o", NULL, "owner" },
	{ "pin/refused", "ip_count", BY_LINK "--pin=" DIR " -d 1 prog.o", "BPF_OBJ_PIN", 1, EPERM,
	  "map 'hits'", "bpf(BPF_OBJ_PIN, {pathname=\"" DIR, "owner" },
	{ "detach/refused", "ip_count", "pin remove " DIR, "unlinkat", 1, EPERM, "pin remove: " DIR,
	  NULL, "owner", BY_LINK "--pin=" DIR " -d 1 prog.o" },
	{ "detach/refused", "ip_count", "pin remove " DIR "/maps/hits", "unlinkat", 1, EPERM,
	  "pin remove: " DIR "/maps/hits", NULL, "owner",
	  BY_LINK "--pin=" DIR " -d 1 prog.o" },
	{ "detach/refused", "ip_count", "pin remove " DIR "/links/ip_count-cpu0", "unlinkat", 1, EROFS,
	  "links/ip_count-cpu0", NULL, "owner", BY_LINK "--pin=" DIR " -d 1 prog.o" },
	{ "pload/fd-limit", "ip_count", "pin remove " DIR, "unlinkat", 1, EMFILE, "pin remove: " DIR,
	  NULL, "file descriptor", BY_LINK "--pin=" DIR " -d 1 prog.o" },
	{ "kept/refused", "ip_count", "pin remove " DIR, "BPF_OBJ_GET", 1, EPERM, DIR ": progs/",
	  NULL, "owner", BY_LINK "--pin=" DIR " -d 1 prog.o" },
	/* Filling or freezing a map fails. */
	{ "map-create/content", "profile", "-e cpu-clock -d 1 prog.o", "BPF_MAP_UPDATE_ELEM", 1,
	  EPERM,
	  "map '.rodata", "bpf(BPF_MAP_UPDATE_ELEM", NULL },
	{ "map-create/content", "profile", "-e cpu-clock -d 1 prog.o", "BPF_MAP_FREEZE", 1, EBUSY,
	  "map '.rodata", "bpf(BPF_MAP_FREEZE", NULL },
	/* Reading counters, counts, maps and rings fails. */
	{ "output/counter", "counter_read_value", "-e cpu-clock --counter=task-clock -d 1 prog.o",
	  "BPF_MAP_UPDATE_ELEM", 1, EINVAL, "map '", "bpf(BPF_MAP_UPDATE_ELEM", "read itself" },
	{ "output/counts", "ip_count", "-e cpu-clock -d 1 prog.o", "BPF_OBJ_GET_INFO_BY_FD", 1,
	  EFAULT, "prog 'ip_count'", NULL, NULL },
	{ "output/map", "ip_count", "-e cpu-clock -d 1 prog.o", "BPF_MAP_LOOKUP_BATCH", 1, EPERM,
	  "map 'hits'", NULL, NULL },
	{ "output/ring", "event_output", "-d 1 prog.o", "mmap", 1, EPERM, "CPU 0",
	  NULL, "perf_event_mlock_kb" },
	{ "output/ring", "event_output", "-d 1 prog.o", "ppoll", 1, EINVAL,
	  "waiting for records", NULL, NULL },
	{ "pload/no-memory", "event_output", "-d 1 prog.o", "mmap", 1, ENOMEM, "CPU 0",
	  NULL, NULL },
	{ "output/no-map", "ip_count", "-e cpu-clock --record=x prog.o", NULL, 0, EINVAL,
	  "--record=x", NULL, "MAP:" },
	{ "output/no-map", "event_output", "--counter=nomap:cycles prog.o", NULL, 0,
	  EINVAL, "--counter=nomap:cycles", NULL, "MAP:" },
	{ "output/no-type", "event_output", "--record=nosuch prog.o", NULL, 0, ENOENT,
	  "map 'events'", NULL, "use a struct" },
	{ "output/test-run", "xdp_output", "--test-run=2 prog.o", "BPF_PROG_TEST_RUN", 1, EINVAL,
	  "prog '", "bpf(BPF_PROG_TEST_RUN", "--test-run=1" },
	{ "output/test-run", "xdp_output", "--test-run prog.o", "BPF_PROG_TEST_RUN", 1,
	  KERNEL_ENOTSUPP, "prog '", "bpf(BPF_PROG_TEST_RUN", "raw_tp and syscall" },
	{ "pload/signals", "ip_count", "-e cpu-clock -d 1 prog.o", "signalfd4", 1, EMFILE,
	  "waiting for signals", NULL, NULL },
	/* Whom it is for. */
	{ "scope/no-thread", "ip_count", "-e cpu-clock -t 77 prog.o", NULL, 0, ESRCH, "thread 77",
	  NULL, "ls /proc/PID/task" },
	{ "scope/no-user", "ip_count", "-e cpu-clock -u bob prog.o", NULL, 0, ENOENT, "user 'bob'",
	  NULL, "id -u" },
	{ "scope/no-cgroup", "ip_count", "-e cpu-clock -G none prog.o", NULL, 0, ENOENT,
	  "cgroup 'none'", NULL, "below /sys/fs/cgroup" },
	{ "scope/not-a-cgroup", "ip_count", "-e cpu-clock -G /proc/40 prog.o", NULL, 0, EINVAL,
	  "cgroup '/proc/40'", NULL, "cgroup2" },
	{ "scope/not-a-cgroup", "ip_count", "-e cpu-clock -G /etc/passwd prog.o", NULL, 0, ENOTDIR,
	  "cgroup '/etc/passwd'", NULL, "cgroup2" },
};

/* The number of the call to be refused, had the command been run on a machine of its own. */
static unsigned int find_call(const struct row *row)
{
	unsigned int nth = 0, from, i;

	begin(row->object);
	fake_kernel_set_age(m.s.kernel, row->age);
	if (row->before)
		fake_session_run(&m.s, row->before);
	from = fake_kernel_nr_calls(m.s.kernel);
	fake_session_run(&m.s, row->args);
	for (i = from; i < fake_kernel_nr_calls(m.s.kernel); i++)
		if (!strcmp(fake_kernel_call(m.s.kernel, i)->name, row->name) && ++nth == row->nth)
			break;
	ck_assert_msg(i < fake_kernel_nr_calls(m.s.kernel), "%s: %s is called %u times (%s: %s)",
		      row->args, row->name, nth, m.s.err.where, m.s.err.what);
	fake_session_end(&m.s);
	return i - from + 1;
}

static void look(const struct row *row, const struct error *err)
{
	const struct {
		const char *part, *has, *wanted;
	} parts[] = {
		{ "place", err->where, row->where },
		{ "call", err->call, row->call },
		{ "hint", err->hint, row->hint },
	};

	ck_assert_msg(err->code == -row->code, "%s: %d: %s", row->args, err->code, err->what);
	ck_assert_msg(err->reason && !strcmp(err->reason, row->reason), "%s: %s, expected %s (%s)",
		      row->args, err->reason, row->reason, err->what);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		ck_assert_msg(parts[i].wanted ? strstr(parts[i].has, parts[i].wanted) != NULL :
						parts[i].has[0] == '\0',
			      "%s, %s: the %s is '%s', and not '%s' (%s)", row->args, row->name,
			      parts[i].part, parts[i].has, parts[i].wanted, err->what);
}

TEST_ROWS(one_call_is_refused, rows)
{
	const struct row *row = &rows[_i];
	const unsigned int n = row->name ? find_call(row) : 0;

	begin(row->object);
	fake_kernel_set_age(m.s.kernel, row->age);
	if (row->before)
		fake_session_run(&m.s, row->before);
	ck_assert_int_eq(m.s.ret, 0);
	fake_kernel_fail_call(m.s.kernel, n, row->code);
	fake_session_run(&m.s, row->args);
	ck_assert_int_eq(m.s.ret, -row->code);
	look(row, &m.s.err);
}

/* All calls of a kind are refused, or a file is not there. */
static const struct {
	const char *reason, *object, *args;
	long nr;
	unsigned long request;
	int code;
	const char *absent;	/* a file */
	const char *where, *call, *hint;
	const char *text;	/* what the file has; NULL: it cannot be opened */
} lacks[] = {
	{ "scope/no-controller", "ip_count", "-e cpu-clock -G a prog.o", __NR_perf_event_open,
	  PERF_FLAG_PID_CGROUP, ENOENT, NULL, "event 'cpu-clock': CPU 0: cgroup 'a'", "perf_event_open(", "/proc/cgroups" },
	{ "probe/no-proc", "kprobe", "-e kprobe:vfs_read -d 1 prog.o", 0, 0, ENOENT,
	  "/proc/self/stat", "event 'kprobe:vfs_read'", NULL, "--attach=link" },
	{ "scope/no-user", "ip_count", "-e cpu-clock -u alice prog.o", 0, 0, EACCES,
	  "/etc/passwd", "user 'alice'", NULL, "id -u" },
	{ "scope/no-cgroup", "ip_count", "-e cpu-clock -G a prog.o", 0, 0, EACCES,
	  "/proc/self/mountinfo", "cgroup 'a': /proc/self/mountinfo", NULL, "an absolute path works" },
	/* lines that end early */
	{ "scope/no-cgroup", "ip_count", "-e cpu-clock -G a prog.o", 0, 0, ENOENT,
	  "/proc/self/mountinfo", "cgroup 'a'", NULL, "no cgroups are mounted",
	  "41 31 0:38 / /sys/fs/cgroup rw - cgroup2\n41 31 - cgroup2 cgroup2 rw\n" },
	/* only what follows a backslash is a byte in octal */
	{ "scope/no-cgroup", "ip_count", "-e cpu-clock -G a prog.o", 0, 0, ENOENT,
	  "/proc/self/mountinfo", "cgroup 'a'", NULL, "below /no1234 and",
	  "41 31 0:38 / /no1234 rw - cgroup x rw,perf_event\n"
	  "42 31 0:38 / /n\\1574 rw - cgroup2 cgroup2 rw\n" },
};

TEST_ROWS(something_is_lacking, lacks)
{
	const struct row row = {
		.reason = lacks[_i].reason, .args = lacks[_i].args, .code = lacks[_i].code,
		.where = lacks[_i].where, .call = lacks[_i].call, .hint = lacks[_i].hint,
	};

	begin(lacks[_i].object);
	m.refuser.nr = lacks[_i].nr;
	m.refuser.request = lacks[_i].request;
	m.refuser.code = lacks[_i].code;
	if (lacks[_i].absent)
		m.s.paths[4] = (struct fake_path){ .path = lacks[_i].absent,
						 .data = lacks[_i].text,
						 .error = lacks[_i].text ? 0 : lacks[_i].code };
	fake_session_run(&m.s, row.args);
	ck_assert_int_eq(m.s.ret, -row.code);
	look(&row, &m.s.err);
}

/*
 * Each call of a session fails for lack of descriptors or memory: no file system and no owner of a
 * file is blamed, unless by a later error that it leads to.
 */
static const struct {
	const char *object, *args, *before;
} sessions[] = {
	{ "ip_count", BY_LINK "-d 1 prog.o", NULL },
	{ "ip_count", "-e cpu-clock -u alice prog.o", NULL },
	{ "ip_count", "-e cpu-clock -G a prog.o", NULL },
	{ "ip_count", "--attach=pmu -e cpu-clock -p 40 prog.o", NULL },
	{ "ip_count", BY_LINK "--pin=" DIR "/y -d 0 prog.o", NULL },
	{ "ip_count", "load --pin=" DIR "/y prog.o", NULL },
	{ "ip_count", "pin remove " DIR, BY_LINK "--pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "pin adopt -d 0 " DIR, BY_LINK "--pin=" DIR " -d 0 prog.o" },
	{ "kprobe", "-e kprobe:vfs_read -d 1 prog.o", NULL },
	{ "kprobe", "--attach=pmu -e kprobe:vfs_read -d 1 prog.o", NULL },
	{ "event_output", "--attach=link -d 1 prog.o", NULL },
};

TEST_EACH(own_limits_are_blamed_on_nobody, 2 * NR(sessions))
{
	static const char *const blamed[] = { "sysfs", "/proc", "mount", "owner", "run as root" };
	const int code = _i % 2 ? ENOMEM : EMFILE;
	unsigned int failed = 0, calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		begin(sessions[_i / 2].object);
		if (sessions[_i / 2].before)
			fake_session_succeeds(&m.s, sessions[_i / 2].before);
		calls = n ? calls : fake_kernel_nr_calls(m.s.kernel);
		fake_kernel_fail_call(m.s.kernel, n, code);
		fake_session_run(&m.s, sessions[_i / 2].args);
		calls = n ? calls : fake_kernel_nr_calls(m.s.kernel) - calls + 1;
		failed += m.s.ret == -code;
		for (size_t i = 0; m.s.ret == -code && i < NR(blamed); i++)
			ck_assert_msg(!strstr(m.s.err.hint, blamed[i]), "call %u: %s: %s [%s]: %s",
				      n, m.s.err.where, m.s.err.what, m.s.err.reason,
				      m.s.err.hint);
		fake_session_end(&m.s);
	}
	ck_assert_uint_gt(failed, 3);
}

/* A uprobe whose symbol was not resolved is refused: the caller has forgotten that step. */
TEST(uprobe_is_not_looked_up)
{
	struct event_scope scope = { 0 };
	struct attach_set set = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	begin("uprobe");
	ck_assert_int_eq(event_parse(&spec, "uprobe:/bin/x:main", &m.s.err), 0);
	ck_assert_int_eq(event_scope_init(&m.refuser.sys, &scope,
					  &(struct event_scope_options){ 0 }, &m.s.err), 0);
	for (unsigned int i = 0; i < attach_nr_methods; i++) {
		const struct attach_request req = {
			.method = &attach_methods[i], .spec = &spec, .scope = &scope,
			.prog_type = BPF_PROG_TYPE_KPROBE,
		};

		ck_assert_int_eq(attach_prog(&m.refuser.sys, &req, &set, &m.s.err), -EINVAL);
		ck_assert_str_eq(m.s.err.reason, "probe/unresolved");
		ck_assert_str_eq(m.s.err.where, "event 'uprobe:/bin/x:main'");
	}
	attach_close(&m.refuser.sys, &set);
	event_scope_free(&m.refuser.sys, &scope);
}

/* Each call by which pload compare drops its privileges fails. */
TEST_EACH(nobody_can_be_become, 5)
{
	static const long calls[] = {
		__NR_prctl, __NR_setgroups, __NR_setresgid, __NR_setresuid, __NR_capset,
	};
	const struct identity subject = { 0 };

	begin("ip_count");
	m.refuser.nr = calls[_i];
	m.refuser.code = EPERM;
	m.refuser.takes_all = true;
	ck_assert_int_eq(identity_become(&m.refuser.sys, &subject, &m.s.err), -EPERM);
	ck_assert_str_eq(m.s.err.reason, "compare/cannot-become");
	ck_assert_ptr_nonnull(strstr(m.s.err.hint, "CAP_SETUID"));
}

/*
 * Each call by which pload compare gets a token fails. Without CAP_BPF there is no token, and no
 * error.
 */
TEST_EACH(a_token_may_not_be_had, 3)
{
	static const struct {
		long nr;
		int code, ret;
	} calls[] = { { __NR_setns, EINVAL, -EINVAL },
		     { __NR_bpf, ENOENT, -ENOENT },
		     { __NR_bpf, EPERM, 0 } };
	const struct delegation d = { 100, 101 };
	struct token_sys token;

	begin("ip_count");
	m.refuser.nr = calls[_i].nr;
	m.refuser.code = calls[_i].code;
	m.refuser.takes_all = true;
	ck_assert_int_eq(token_enter(&token, &m.refuser.sys, &d, 0, &m.s.err), calls[_i].ret);
	ck_assert_int_eq(token.token_fd, -1);
	if (calls[_i].ret)
		ck_assert_str_eq(m.s.err.reason, "compare/no-token");
}

/* A note names what pload leaves out for an older kernel; a kernel that takes all gets no note. */
static const struct {
	const char *object, *args;
	unsigned int age;
	const char *note;
} older[] = {
	{ "ip_count", "-e cpu-clock -d 0 prog.o", FAKE_NO_BTF,
	  "BPF_BTF_LOAD: Invalid argument: \"[2] ARRAY ?m overflows U32_MAX\": programs are loaded without func_info and line_info, "
	  "maps without their types" },
	{ "ip_count", "-e cpu-clock -d 0 prog.o", FAKE_NO_PROG_BTF,
	  "program 'ip_count' is loaded without func_info and line_info" },
	{ "tc_output", "load prog.o", FAKE_NO_PROG_BTF,
	  "more are loaded without func_info and line_info" },
	{ "sock_bytes", "load prog.o", FAKE_NO_ATTACH_TYPE | FAKE_NO_PROG_BTF,
	  "are loaded without expected_attach_type" },
	{ "ip_count", "load prog.o", FAKE_NO_NAMES, "without their names" },
	{ "ip_count", "load prog.o", FAKE_NO_NAMES, "created without a name" },
	{ "profile", "load prog.o", FAKE_NO_MAP_BTF, "created without types for key and value" },
	{ "profile", "load prog.o", FAKE_NO_MMAPABLE, "created without BPF_F_MMAPABLE" },
	{ "profile", "load prog.o", FAKE_NO_FREEZE, "created without BPF_MAP_FREEZE" },
};

TEST_ROWS(what_is_left_out_is_said, older)
{
	begin(older[_i].object);
	fake_session_run(&m.s, older[_i].args);
	ck_assert_msg(m.s.ret == 0, "%s: %s", m.s.err.where, m.s.err.what);
	ck_assert_msg(!strstr(m.s.notes, "without"), "%s", m.s.notes);
	fake_session_end(&m.s);
	begin(older[_i].object);
	fake_kernel_set_age(m.s.kernel, older[_i].age);
	fake_session_run(&m.s, older[_i].args);
	ck_assert_msg(m.s.ret == 0, "%s: %s", m.s.err.where, m.s.err.what);
	ck_assert_msg(strstr(m.s.notes, older[_i].note) != NULL, "%s", m.s.notes);
}

/* BTF is replaced step by step; each step is noted, and nothing else. */
TEST(what_is_left_out_of_btf_is_said)
{
	const uint32_t kinds = (2u << BTF_KIND_FUNC_PROTO) - 1;

	begin("profile");
	fake_kernel_know_btf(m.s.kernel, kinds, false);
	fake_session_run(&m.s, "load prog.o");
	ck_assert_msg(m.s.ret == 0, "%s: %s", m.s.err.where, m.s.err.what);
	ck_assert_ptr_nonnull(strstr(m.s.notes, "accepted them without global functions (5.6), variables (5.2)"));
	ck_assert_ptr_null(strstr(strstr(m.s.notes, "(5.2)"), "without"));
}
