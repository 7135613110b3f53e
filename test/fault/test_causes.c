// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A cause is printed only if it was checked: each call of each session fails with each errno,
 * although the fake kernel has no reason for it, so that the condition of nearly each cause is
 * false. If a message differs from the one for an unknown errno, it names a cause: this must be a
 * denial, a possibility, or in a table below.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/names.h"
#include "loader/core/sys/refused.h"
#include "loader/observe/trace/trace_call.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/suite.h"

#define DIR "/sys/fs/bpf/x"
#define PINNED "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o"

#define UNKNOWN_ERRNO ENOTUNIQ /* nothing in loader/ knows it */
#define REFUSED_MAX 64 /* EINTR and EAGAIN are retried */
#define CALL_NAME 96
#define CALLS_MAX 128
#define FDS_MAX 1024
#define TEXT_MAX 10240
#define MADE_MAX 512
#define NR_CALLS 1024 /* of Linux: fewer on each architecture */

/* The last errno of include/uapi/asm-generic/errno.h, and ENOTSUPP as the first. */
#define NR_ERRNOS (EHWPOISON + 1)

/* The errnos that loader/ tests for. */
static const int known[] = {
	E2BIG,	 EACCES, EADDRNOTAVAIL, EAGAIN, EBADF,	 EBADMSG, EBUSY,      EDEADLK,
	EEXIST,	 EFAULT, EFBIG,		EILSEQ, EINTR,	 EINVAL,  EIO,	      EISDIR,
	ELOOP,	 EMFILE, ENAMETOOLONG,	ENFILE, ENOBUFS, ENODATA, ENODEV,     ENOENT,
	ENOEXEC, ENOMEM, ENOSPC,	ENOSYS, ENOTDIR, ENXIO,	  EOPNOTSUPP, EPERM,
	EPIPE,	 EPROTO, ERANGE,	EROFS,	ESRCH,	 ETXTBSY, EXDEV,      KERNEL_ENOTSUPP,
};

/* --- the calls of a session, and one of them refused --- */

/* It precedes the fake kernel. A call is named by its path, or by the path of its descriptor. */
struct refuser {
	struct sys sys; /* first: struct sys is converted back to it */
	struct sys *kernel;
	const char *call; /* NULL: none is refused */
	int code; /* positive errno */
	unsigned int most, refused;
	char paths[FDS_MAX][CALL_NAME]; /* of open files */
	char calls[CALLS_MAX][CALL_NAME]; /* that the session made */
	unsigned int nr;
};

/* Processes, descriptors and probes are numbered. */
static void hide_digits(char *name)
{
	for (; *name; name++)
		if (*name >= '0' && *name <= '9')
			*name = '#';
}

static void name_call(struct refuser *r, char *name, long nr, const unsigned long arg[6])
{
	const char *cmd = nr == __NR_bpf ? sys_cmd_name(arg[0]) : NULL;
	const char *path = "";

	switch (nr) {
	case __NR_openat:
	case __NR_mkdirat:
	case __NR_unlinkat:
	case __NR_readlinkat:
		path = (const char *)arg[1];
		break;
	case __NR_read:
	case __NR_pread64:
	case __NR_fstat:
	case __NR_getdents64:
	case __NR_write:
		path = r->paths[arg[0] % FDS_MAX];
		break;
	case __NR_ioctl:
		path = arg[1] == PERF_EVENT_IOC_SET_BPF	 ? "SET_BPF"
		       : arg[1] == PERF_EVENT_IOC_ENABLE ? "ENABLE"
							 : "";
		break;
	}
	snprintf(name, CALL_NAME, "%s%s%s", cmd ? cmd : trace_call_find(nr)->name,
		 path[0] ? " " : "", path);
	hide_digits(name);
}

static void record_call(struct refuser *r, const char *name)
{
	for (unsigned int i = 0; i < r->nr; i++)
		if (!strcmp(r->calls[i], name))
			return;
	ck_assert_uint_lt(r->nr, CALLS_MAX);
	strcpy(r->calls[r->nr++], name);
}

static long refuse(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct refuser *r = (struct refuser *)sys;
	char name[CALL_NAME];
	long ret;

	if (nr == __NR_close || nr == __NR_close_range || nr == __NR_munmap || nr == __NR_waitid)
		return r->kernel->enter(r->kernel, nr, arg);
	name_call(r, name, nr, arg);
	if (!r->call) {
		record_call(r, name);
	} else if (!strcmp(r->call, name) && r->refused < r->most) {
		r->refused++;
		return -r->code;
	}
	ret = r->kernel->enter(r->kernel, nr, arg);
	if (ret >= 0 && ret < FDS_MAX && nr != __NR_read)
		snprintf(r->paths[ret], CALL_NAME, "%s",
			 nr == __NR_openat ? (const char *)arg[1] : "");
	return ret;
}

/* --- sessions --- */

/* @explained: calls that are refused with every errno there is, in addition to those met first. */
static const struct {
	const char *object, *args, *before, *explained;
} sessions[] = {
	{ "ip_count", "--attach=ioctl -e cpu-clock -d 1 prog.o", NULL,
	  "perf_event_open ioctl SET_BPF BPF_MAP_CREATE BPF_PROG_LOAD" },
	{ "ip_count", "-e cpu-clock:u -F 99 -p 40 -d 0 prog.o", NULL, "perf_event_open" },
	{ "ip_count", "-e cpu-clock -p 40,50 -d 1 prog.o", NULL, "" },
	{ "ip_count", "-e cpu-clock -u alice -d 1 prog.o", NULL, "" },
	{ "ip_count", "-e cpu-clock -G a,/sys/fs/cgroup/b -d 0 prog.o", NULL, "perf_event_open" },
	{ "ip_count", "-e cycles -d 0 prog.o", NULL, "perf_event_open" },
	{ "ip_count", "-e mem:0x1000/4:w -d 0 prog.o", NULL, "perf_event_open" },
	{ "ip_count", "--attach=link -e cpu-clock --cookie=7 --pin=" DIR " -d 0 prog.o", NULL,
	  "BPF_LINK_CREATE" },
	{ "counter_read_value", "--attach=link -e cpu-clock --counter=cs -d 1 prog.o", NULL, "" },
	{ "event_output", "--attach=link -e sched:sched_switch --format=json -d 1 prog.o", NULL,
	  "BPF_MAP_CREATE BPF_LINK_CREATE" },
	{ "event_output", "-a -d 1 prog.o -- ls -l", NULL, "" },
	{ "ringbuf", "--attach=pmu -e {cycles,or=cpu-clock,cs} -d 1 prog.o", NULL, "" },
	{ "profile", "--attach=ioctl -e cpu-clock -C 1 -d 1 prog.o", NULL, "" },
	{ "kprobe", "--attach=ioctl -e kprobe:vfs_read -d 1 prog.o", NULL, "write kprobe_events" },
	{ "kprobe", "--attach=pmu -e kprobe:vfs_read+4 -d 1 prog.o", NULL, "perf_event_open" },
	{ "kprobe", "--attach=link -e kprobe:vfs_read -d 1 prog.o", NULL, "BPF_LINK_CREATE" },
	{ "kprobe", "--attach=ioctl -e kprobe:0xffffffff81000010 -d 1 prog.o", NULL,
	  "write kprobe_events" },
	{ "kprobe", "--attach=pmu -e kprobe:0xffffffff81000010 -d 1 prog.o", NULL,
	  "perf_event_open" },
	{ "kprobe", "--attach=ioctl -e uprobe:/bin/x:one -d 1 prog.o", NULL,
	  "write uprobe_events" },
	{ "kprobe", "--attach=link -e uprobe:/bin/x:one -d 1 prog.o", NULL, "perf_event_open" },
	{ "cookie", "--attach=link -d 1 prog.o", NULL, "" },
	{ "task_tree", "--attach=link -d 1 prog.o", NULL, "" },
	{ "tc_output", "--attach=link --dev=lo --direction=egress -d 1 prog.o", NULL, "" },
	{ "xdp_output", "--attach=link --dev=lo -d 0 prog.o", NULL, "BPF_LINK_CREATE" },
	{ "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 0 prog.o", NULL,
	  "BPF_LINK_CREATE" },
	{ "functions", "--attach=link --functions=vfs_* --cookie=3 -d 1 prog.o", NULL,
	  "BPF_LINK_CREATE" },
	{ "xdp_output", "--test-run=2 prog.o", NULL, "" },
	{ "tc_output", "load --pin=" DIR " --skip-failing prog.o", NULL, "" },
	{ "ip_count", "show --format=json", PINNED, "" },
	{ "ip_count", "pin adopt -d 1 " DIR, PINNED, "openat /sys/fs/bpf/x" },
	{ "ip_count", "pin remove " DIR, PINNED, "" },
	{ "ip_count", "stat -e cpu-clock,cs -A -d 1", NULL, "" },
	{ "ip_count", "stat -e cs -- ls", NULL, "" },
	{ "ip_count", "list", NULL, "" },
	{ "ip_count", "list sched:*", NULL, "" },
};

static const struct fake_path files[] = {
	{ "/proc/self/mounts", "bpf /sys/fs/bpf bpf rw 0 0\n", 0, 0 },
	{ "/proc/net/dev", "a\n    lo: 0 0\n", 0, 0 },
	{ "/proc/sys/kernel/osrelease", "6.18.0\n", 0, 0 },
	{ "/proc/self/status", "CapEff:\tffffffffffffffff\nSeccomp:\t0\n", 0, 0 },
	{ "/proc/self/uid_map", "0 0 4294967295\n", 0, 0 },
	{ "/proc/40/stat", "40 (x) S 1 40 40 0 -1 4194304 0\n", 0, 0 },
	{ "/proc/41/stat", "40 (x) S 1 40 40 0 -1 4194304 0\n", 0, 0 },
	{ "/proc/42/stat", "40 (x) S 1 40 40 0 -1 4194304 0\n", 0, 0 },
	{ "/proc/50/stat", "50 (x) S 1 50 50 0 -1 4194304 0\n", 0, 0 },
};

/* A file for uprobes, with a function "one". */
static struct fake_path executable(void)
{
	static struct buffer file;
	struct exec_builder b = { 0 };

	if (!file.size) {
		xb_function(&b, XB_SYMTAB, "one", XB_TEXT_ADDRESS);
		file = xb_finish(&b);
	}
	return (struct fake_path){ .path = "/bin/x", .data = file.data, .size = file.size };
}

static struct fake_session s;
static struct refuser refuser;

static void run(int i, const char *call, int code, bool once)
{
	fake_session_object(&s, sessions[i].object);
	memcpy(s.paths + 1, files, sizeof(files));
	s.paths[1 + NR(files)] = executable();
	fake_session_begin(&s);
	if (sessions[i].before)
		fake_session_succeeds(&s, sessions[i].before);
	refuser = (struct refuser){ .sys.enter = refuse,
				    .kernel = s.sys,
				    .call = call,
				    .code = code,
				    .most = once ? 1 : REFUSED_MAX };
	s.sys = &refuser.sys;
	fake_session_run(&s, sessions[i].args);
}

/* --- what is reported --- */

static void replace_all(char *text, const char *word)
{
	const size_t len = word ? strlen(word) : 0;

	for (char *p = text; len && (p = strstr(p, word)); *p++ = '*')
		memmove(p + 1, p + len, strlen(p + len) + 1);
}

static void mask(char *text, int code)
{
	char number[24];

	snprintf(number, sizeof(number), "errno %d", code);
	replace_all(text, error_strerror(code));
	replace_all(text, sys_errno_name(code));
	replace_all(text, number);
}

/* The error and the notes, with "*" in place of the errno. */
static void report(char *text, int code)
{
	const char *reason = s.err.reason ? s.err.reason : "";

	text[0] = '\0';
	if (s.ret < 0)
		snprintf(text, TEXT_MAX, "%s: %s [%s] (%s) ", s.err.where, s.err.what, reason,
			 s.err.hint);
	snprintf(text + strlen(text), TEXT_MAX - strlen(text), "%.8191s", s.notes);
	mask(text, code);
}

/* --- correctly named causes --- */

/* Calls that have an explainer: if no cause applies, it reports that, with this reason. */
static const struct {
	const char *call, *reason;
} explained[] = {
	{ "perf_event_open", "[perf-open/failed]" },  { "ioctl SET_BPF", "[attach/failed]" },
	{ "BPF_LINK_CREATE", "[attach/failed]" },     { "BPF_MAP_CREATE", "[map-create/failed]" },
	{ "BPF_PROG_LOAD", "[prog-load/refused]" },   { "write kprobe_events", "[probe/refused]" },
	{ "write uprobe_events", "[probe/refused]" },
};

static const char *find_explained(const char *call)
{
	for (int i = 0; i < NR(explained); i++)
		if (!strcmp(explained[i].call, call))
			return explained[i].reason;
	return NULL;
}

/*
 * An errno that has one meaning for a call, so that the kernel's statement is all there is, or that
 * has a cause whose condition is true if this call is always refused with it.
 */
static const struct {
	const char *call; /* its beginning */
	int codes[4];
	const char *part; /* of the message */
} means[] = {
	{ "", { EMFILE, ENFILE }, "descriptor" },
	{ "", { EMFILE }, "RLIMIT_NOFILE" },
	{ "", { ENOMEM }, "no memory" },
	{ "", { ENOMEM }, "[pload/no-memory]" },
	{ "", { EACCES, EPERM }, "cannot open the file for reading" },
	{ "", { EACCES, EPERM }, "pload must be able to read the file" },
	{ "", { EACCES, EPERM }, "check the owner and the mode of the directory" },
	{ "", { EACCES, EPERM }, "(root has it)" },
	{ "", { ENOENT }, "pload needs the path of a BPF object" },
	{ "", { ENOENT }, "a name without '/' is looked up in PATH" },
	{ "", { ENOENT }, "no such cgroup" },
	{ "", { ENOENT, ESRCH }, "[scope/no-process]" },
	{ "", { ENOTDIR }, "is a file, not a cgroup" },
	{ "", { EFBIG }, "[object/too-large]" },
	{ "openat /sys/fs/bpf/x", { ENOTDIR }, "that is empty or does not exist" },
	{ "openat kprobe_events", { ENOENT }, "[probe/no-kprobes]" },
	{ "pread## ", { ENOEXEC }, "[symbols/not-elf]" },
	{ "pread## ", { ENOMEM }, "[] ()" },
	{ "mkdirat ", { ENOENT, EEXIST }, "[pin/refused] ()" },
	{ "fs", { EACCES, EPERM }, "it is not mounted, and mounting it requires CAP_SYS_ADMIN" },
	{ "ioctl", { ENODEV }, "no such network device" },
	{ "recvfrom", { ENOBUFS }, "is online: " },
	{ "clone", { EAGAIN, ENOMEM }, "ulimit -n and -u" },
	{ "pipe#", { EAGAIN, ENOMEM }, "ulimit -n and -u" },
	{ "write", { EAGAIN, ENOMEM }, "ulimit -n and -u" },
	{ "perf_event_open", { ETIME }, "[perf-open/waits]" }, /* of the proxy alone */
	{ "BPF_MAP_CREATE", { ENOMEM }, "[map-create/too-large]" },
	{ "BPF_MAP_UPDATE_ELEM", { EINVAL, EOPNOTSUPP }, "it accepts events that a CPU can read" },
	{ "BPF_BTF_GET_FD_BY_ID", { EAGAIN, EPERM }, "values are shown in hex" },
	{ "BPF_PROG_LOAD", { EAGAIN, EINTR }, "[prog-load/interrupted]" },
	{ "BPF_LINK_CREATE", { EOPNOTSUPP, KERNEL_ENOTSUPP }, "[attach/unsupported]" },
	{ "ioctl SET_BPF", { EOPNOTSUPP, KERNEL_ENOTSUPP }, "[attach/unsupported]" },
};

/* Hints for an unknown errno: they are useful with any errno, or were verified. */
static const char *const advice[] = {
	"] ()",
	"check dmesg, and whether the CPU is online",
	"-u also accepts a user id",
	"an absolute path works without the list of mounts",
	"is sysfs mounted at /sys?",
	"is /proc mounted?",
	"mount -t tracefs tracefs /sys/kernel/tracing",
	"the probe was created and is removed again",
	"the object needs the kernel's types",
	"cgroups are directories below a ",
	"check the owner and the mode of the ",
};

static bool is_meaning(const char *call, int code, const char *text)
{
	for (int i = 0; i < NR(means); i++)
		for (int k = 0; k < NR(means[i].codes); k++)
			if (means[i].codes[k] == code && strstr(text, means[i].part) &&
			    !strncmp(call, means[i].call, strlen(means[i].call)))
				return true;
	return false;
}

/*
 * If nothing but the errno points to a cause, the text calls it possible, or reported by the
 * kernel. A note about a map that the kernel accepted without something names no cause.
 */
static bool is_stated_as_such(const char *text)
{
	return strstr(text, " may ") || strstr(text, "the kernel reports") ||
	       strstr(text, "' is created without ");
}

static bool is_unknown(const char *call, const char *text)
{
	const char *reason = find_explained(call);

	return reason && strstr(text, "unknown: *, no known cause applies") &&
	       strstr(text, reason);
}

static bool gives_advice(const char *text)
{
	for (int i = 0; i < NR(advice); i++)
		if (strstr(text, advice[i]))
			return true;
	return false;
}

/* --- each call, each errno --- */

struct subject {
	int session;
	const char *call;
	bool once;
	char base[TEXT_MAX]; /* reported if no call is refused */
	char unknown[TEXT_MAX]; /* with an unknown errno */
	char text[TEXT_MAX];
};

/* Establishes that the report is the same as for any other errno, or names the right cause. */
static void check_cause(struct subject *t, int code)
{
	char text[TEXT_MAX], *const same[] = { t->base, t->unknown };

	ck_assert_msg(s.ret >= 0 || s.err.what[0], "%s: %s, %s: an error without a text",
		      sessions[t->session].args, t->call, error_strerror(code));
	report(t->text, code);
	if (!t->text[0] || (s.ret < 0 && sys_is_denial(s.err.reason)) ||
	    is_meaning(t->call, code, t->text) || is_stated_as_such(t->text) ||
	    is_unknown(t->call, t->text))
		return;
	for (int i = 0; i < NR(same); i++) {
		strcpy(text, same[i]);
		mask(text, code);
		if (!strcmp(text, t->text) && (i == 0 || !find_explained(t->call)))
			return;
	}
	ck_abort_msg("%s: %s, %s: the cause was not checked: %s", sessions[t->session].args,
		     t->call, error_strerror(code), t->text);
}

static void refuse_each(struct subject *t, bool all)
{
	run(t->session, t->call, UNKNOWN_ERRNO, t->once);
	report(t->unknown, UNKNOWN_ERRNO);
	ck_assert_msg(s.ret >= 0 || !strcmp(t->unknown, t->base) || gives_advice(t->unknown) ||
			      is_unknown(t->call, t->unknown),
		      "%s: %s: the hint assumes a cause: %s", sessions[t->session].args, t->call,
		      t->unknown);
	fake_session_end(&s);
	for (int i = 0; i < (all ? NR_ERRNOS : NR(known)); i++) {
		const int code = all ? i ? i : KERNEL_ENOTSUPP : known[i];

		run(t->session, t->call, code, t->once);
		check_cause(t, code);
		fake_session_end(&s);
	}
}

static char made[MADE_MAX][CALL_NAME];
static unsigned int nr_made;
static int nr_collected; /* sessions */

static bool is_made(const char *call)
{
	for (unsigned int i = 0; i < nr_made; i++)
		if (!strcmp(made[i], call))
			return true;
	return false;
}

/* The calls of the sessions before @end, each once. Tests may run in separate processes. */
static void collect_calls(int end)
{
	for (; nr_collected < end; nr_collected++) {
		run(nr_collected, NULL, 0, false);
		for (unsigned int i = 0; i < refuser.nr; i++)
			if (!is_made(refuser.calls[i]))
				strcpy(made[nr_made++], refuser.calls[i]);
		ck_assert_uint_lt(nr_made, MADE_MAX);
		fake_session_end(&s);
	}
}

/* Establishes that the session makes the calls whose explainers it is meant to reach. */
static void check_visits(int session, const struct refuser *whole)
{
	for (int i = 0; i < NR(explained); i++) {
		bool visited = !strstr(sessions[session].explained, explained[i].call);

		for (unsigned int n = 0; n < whole->nr; n++)
			visited |= !strcmp(whole->calls[n], explained[i].call);
		ck_assert_msg(visited, "%s: no %s (%s)", sessions[session].args, explained[i].call,
			      s.err.what);
	}
}

/* A call of several sessions is refused in the first one, unless its explainer is visited here. */
TEST_ROWS(each_call_is_refused, sessions)
{
	static struct subject t;
	static struct refuser whole;

	collect_calls(_i);
	run(_i, NULL, 0, false);
	report(t.base, 0);
	whole = refuser;
	check_visits(_i, &whole);
	fake_session_end(&s);
	t.session = _i;
	for (unsigned int n = 0; n < whole.nr; n++) {
		const bool all = strstr(sessions[_i].explained, whole.calls[n]);

		t.call = whole.calls[n];
		t.once = false;
		if (all || !is_made(t.call))
			refuse_each(&t, all);
		t.once = true;
		if (all)
			refuse_each(&t, all);
	}
}

/*
 * Calls that no session of this file makes. The first line always succeeds or is the work of a
 * child; the others belong to features that the objects here do not have: their tests refuse them.
 */
static const char elsewhere[] =
	" close epoll_pwait close_range munmap madvise kill waitid exit_group prctl dup# execve"
	" unshare setns setgroups setresuid setresgid capset sendto socketpair pidfd_getfd uprobe bpf"
	" prlimit## BPF_MAP_DELETE_ELEM BPF_MAP_LOOKUP_AND_DELETE_ELEM BPF_MAP_LOOKUP_AND_DELETE_BATCH"
	" BPF_MAP_UPDATE_BATCH BPF_MAP_DELETE_BATCH BPF_MAP_GET_NEXT_ID BPF_MAP_GET_FD_BY_ID"
	" BPF_BTF_GET_NEXT_ID BPF_PROG_ATTACH BPF_PROG_DETACH BPF_PROG_QUERY BPF_RAW_TRACEPOINT_OPEN"
	" BPF_TASK_FD_QUERY BPF_LINK_UPDATE BPF_LINK_DETACH BPF_ITER_CREATE BPF_PROG_BIND_MAP"
	" BPF_TOKEN_CREATE BPF_PROG_STREAM_READ_BY_FD BPF_PROG_ASSOC_STRUCT_OPS ";

static bool is_made_by_any(const char *name)
{
	for (unsigned int i = 0; i < nr_made; i++)
		if (!strncmp(made[i], name, strcspn(made[i], " ")) && !name[strcspn(made[i], " ")])
			return true;
	return false;
}

static void check_made(const char *call)
{
	char name[CALL_NAME], word[CALL_NAME + 2];

	snprintf(name, sizeof(name), "%s", call);
	hide_digits(name);
	snprintf(word, sizeof(word), " %s ", name);
	ck_assert_msg(is_made_by_any(name) != !!strstr(elsewhere, word),
		      "%s: a session makes it or it is elsewhere, one of the two", name);
}

/* A new call in struct sys needs a session, so that its causes are tested. */
TEST(each_call_is_in_a_session)
{
	collect_calls(NR(sessions));
	for (long nr = 0; nr < NR_CALLS; nr++)
		if (trace_call_find(nr))
			check_made(trace_call_find(nr)->name);
	for (uint32_t cmd = 0; sys_cmd_name(cmd); cmd++)
		check_made(sys_cmd_name(cmd));
}
