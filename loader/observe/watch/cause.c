// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Why a call of another process was refused. While its task is stopped, a double of it is made: a
 * process with the same user, capabilities and limits, and with copies of the descriptors that the
 * call names. It repeats the call, and looks for the cause by the table `explanations`, as pload
 * does for its own calls:
 *
 *	the task, stopped		its double
 *	bpf(BPF_PROG_LOAD, ...) = -1	the same with a log; closed at once if it is accepted
 *	ioctl(event, SET_BPF, prog)	the same on an event of its own, opened with the same attr
 *
 * No descriptor, event or map of the task changes.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "loader/core/attach/steps.h"
#include "loader/core/event/steps.h"
#include "loader/core/kernel/feature.h"
#include "loader/core/kernel/steps.h"
#include "loader/core/sys/tables.h"
#include "loader/base/text/names.h"
#include "loader/explain/kernel/refused.h"
#include "loader/observe/watch/watch_internal.h"

#define FDS_MAX 256		/* descriptors named by a call */
#define LOG_SIZE ((16u << 20) - 1)
#define PATIENCE_MS 10000

/* 0xbad2310: bpf_core_poison_insn() in tools/lib/bpf/relo_core.c. */
#define LIBBPF_POISON "195896080"

struct answer {
	char cause[sizeof(((struct fact_refusal *)0)->cause)];
	char hint[sizeof(((struct fact_refusal *)0)->hint)];
	bool is_checked;
};

/* --- the double --- */

struct wanted {
	int fds[FDS_MAX];
	unsigned int nr;
	int most;
};

static void want(struct wanted *w, int fd)
{
	if (fd < 0 || w->nr == FDS_MAX)
		return;
	for (unsigned int i = 0; i < w->nr; i++)
		if (w->fds[i] == fd)
			return;
	w->fds[w->nr++] = fd;
	w->most = fd > w->most ? fd : w->most;
}

static void want_of_prog(struct wanted *w, const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)(unsigned long)attr->insns;

	if (attr->prog_btf_fd)
		want(w, attr->prog_btf_fd);
	if (attr->attach_prog_fd)
		want(w, attr->attach_prog_fd);
	for (uint32_t i = 0; insns && i < attr->insn_cnt; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    (insns[i].src_reg == BPF_PSEUDO_MAP_FD ||
		     insns[i].src_reg == BPF_PSEUDO_MAP_VALUE))
			want(w, insns[i].imm);
}

static void want_all(struct wanted *w, const struct copy *copy)
{
	const union bpf_attr *attr = copy->nr == __NR_bpf ? copy_attr(copy) : NULL;

	if (copy->nr == __NR_ioctl)
		want(w, copy->arg[2]);
	else if (copy->nr == __NR_perf_event_open)
		want(w, copy->arg[3]);
	if (copy->nr == __NR_perf_event_open && copy->arg[4] & PERF_FLAG_PID_CGROUP)
		want(w, copy->arg[1]);
	if (!attr)
		return;
	if (copy->arg[0] == BPF_PROG_LOAD) {
		want_of_prog(w, attr);
	} else if (copy->arg[0] == BPF_MAP_CREATE) {
		if (attr->inner_map_fd)
			want(w, attr->inner_map_fd);
		if (attr->btf_fd)
			want(w, attr->btf_fd);
	} else if (copy->arg[0] == BPF_LINK_CREATE) {
		want(w, attr->link_create.prog_fd);
	}
}

static bool same_namespace(pid_t pid, const char *name)
{
	char path[64];
	struct stat theirs, ours;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, name);
	if (stat(path, &theirs))
		return false;
	snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
	return !stat(path, &ours) && theirs.st_ino == ours.st_ino && theirs.st_dev == ours.st_dev;
}

/* Get the descriptors of the process under the same numbers, and close all others except *@keep. */
static bool take_fds(pid_t tgid, const struct wanted *w, int *keep)
{
	const int first = w->most + 1;
	const int answer = fcntl(*keep, F_DUPFD_CLOEXEC, first);
	const int old = syscall(__NR_pidfd_open, tgid, 0);
	const int pidfd = fcntl(old, F_DUPFD_CLOEXEC, first);
	bool has_all = true;

	*keep = answer;
	for (int fd = 0; fd < first; fd++)
		close(fd);
	for (unsigned int i = 0; i < w->nr; i++) {
		const int fd = syscall(__NR_pidfd_getfd, pidfd, w->fds[i], 0);

		has_all &= fd >= 0 || errno == EBADF;
		if (fd >= 0 && fd != w->fds[i]) {
			dup2(fd, w->fds[i]);
			close(fd);
		}
	}
	/* It may be in a user namespace, with all capabilities there but none here. */
	if (!same_namespace(tgid, "user"))
		has_all &= setns(pidfd, CLONE_NEWUSER) == 0;
	close(pidfd);
	return answer >= 0 && has_all;
}

static bool status_line(pid_t pid, const char *key, char value[256])
{
	char path[64], line[256];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		found = !strncmp(line, key, strlen(key));
		strcpy(value, line + (found ? strlen(key) : 0));
	}
	if (file)
		fclose(file);
	return found;
}

/* Become the same user with the same capabilities. */
static bool take_credentials(pid_t pid)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	char uid[256], gid[256], cap[256];
	unsigned int u[3], g[3];
	uint64_t caps;

	if (!status_line(pid, "Uid:", uid) ||
	    !status_line(pid, "Gid:", gid) ||
	    !status_line(pid, "CapEff:", cap) ||
	    sscanf(uid, "%u %u %u", &u[0], &u[1], &u[2]) != 3 ||
	    sscanf(gid, "%u %u %u", &g[0], &g[1], &g[2]) != 3)
		return false;
	caps = strtoull(cap, NULL, 16);
	prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	if (setresgid(g[0], g[1], g[2]) || setresuid(u[0], u[1], u[2]))
		return false;
	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = caps >> 32 * i;
	return syscall(__NR_capset, &header, data) == 0;
}

static void take_limits(pid_t pid)
{
	static const int limits[] = { RLIMIT_MEMLOCK, RLIMIT_NOFILE };

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct rlimit limit;

		if (!prlimit(pid, limits[i], NULL, &limit))
			setrlimit(limits[i], &limit);
	}
}

/* --- causes by the tables --- */

/* Hints are written for pload: drop its options, and name the loader instead of pload. */
static void take_hint(struct answer *a, const char *hint)
{
	char *to = a->hint;
	static const char *const options[] = { "--dry-run", "--map=", "--attach=", "--core=",
					       "-v prints", "-e cpu-clock" };
	const char *end = hint + strlen(hint), *option = NULL;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && !option; i++)
		option = strstr(hint, options[i]);
	if (option) {
		end = option;
		while (end > hint && !strchr(";:,", end[-1]))
			end--;
		end -= end > hint;
	}
	while (hint < end && to < a->hint + sizeof(a->hint) - 12) {
		if (!strncmp(hint, "pload", 5) && hint[5] != ' ') {
			to = stpcpy(to, "LOADER");
			hint += 5;
		} else if (!strncmp(hint, "pload ", 6)) {
			to = stpcpy(to, "the loader ");
			hint += 6;
		} else {
			*to++ = *hint++;
		}
	}
	*to = '\0';
}

/* The table repeats the call in the text: "perf_event_open: Permission denied: CAUSE". */
static void take_error(struct answer *a, const struct error *err, int code)
{
	static const char *const unknown[] = { "perf-open/failed", "map-create/failed",
					       "prog-load/refused", "attach/failed" };
	const char *text = strstr(err->what, error_strerror(code));

	text = text ? text + strlen(error_strerror(code)) : err->what;
	text += strspn(text, ": ");
	a->is_checked = *text != '\0';
	for (size_t i = 0; err->reason && i < sizeof(unknown) / sizeof(unknown[0]); i++)
		a->is_checked &= strcmp(err->reason, unknown[i]) != 0;
	if (a->is_checked)
		snprintf(a->cause, sizeof(a->cause), "%s", text);
	take_hint(a, err->hint);
	/* There is nothing else to report about the limit of descriptors. */
	if (!a->cause[0] && err->reason && strstr(err->reason, "/fd-limit")) {
		memcpy(a->cause, a->hint, sizeof(a->cause));
		a->hint[0] = '\0';
		a->is_checked = true;
	}
}

/* Return the last line of the verifier's log that is about the program. */
static void take_verdict(struct answer *a, const char *log, const char *license)
{
	const char *end = verifier_log_end(log);
	const char *line = verifier_log_last_lines(log, end, 1);
	struct error err = { 0 };

	snprintf(a->cause, sizeof(a->cause), "the verifier: %.*s", (int)strcspn(line, "\n"), line);
	for (char *c = a->cause; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
	a->is_checked = true;
	if (strstr(a->cause, "unknown#" LIBBPF_POISON)) {
		snprintf(a->cause, sizeof(a->cause), "a CO-RE relocation finds nothing on this "
			 "kernel: a type, field or enumerator is missing, and libbpf has put a "
			 "call of function " LIBBPF_POISON " in its place");
		snprintf(a->hint, sizeof(a->hint), "libbpf's debug output names it; ask by "
			 "bpf_core_field_exists() before using it");
	} else if (kernel_hint_verdict(log, license, &err))
		take_hint(a, err.hint);
	error_clear(&err);
}

static void prog_without_log(struct answer *a, union bpf_attr *attr, const char *log, int code)
{
	static const struct object_prog unknown_prog = { .name = "" };
	char prefix[48];
	const struct prog_kind kind = {
		.prefix = prefix, .prog_type = attr->prog_type,
		.attach_type = attr->expected_attach_type, .prog_flags = attr->prog_flags,
	};
	struct object_prog prog = unknown_prog;
	struct bpf_object object = { .progs = &prog, .nr_progs = 1, .license = "" };
	struct kernel_object k = { .object = &object, .btf_fd = -1, .stats_fd = -1 };
	struct prog_load load = { .sys = sys_linux(), .k = &k };
	const struct refused_prog refused = { &load, attr, code, log };
	struct error err = { 0 };

	if (!sys_prog_type_name(attr->prog_type) ||
	    (attr->expected_attach_type && !sys_attach_type_name(attr->expected_attach_type)))
		return;
	snprintf(prefix, sizeof(prefix), "%s", sys_prog_type_name(attr->prog_type));
	prog.kind = &kind;
	prog.section = prefix;
	explain_failure(sys_linux(), FAILED_PROG, &refused, &err);
	take_error(a, &err, code);
	error_clear(&err);
}

static void explain_load(struct answer *a, const struct copy *copy, int code)
{
	union bpf_attr attr = *copy_attr(copy);
	const uint32_t size = copy->arg[2] < sizeof(attr) ? copy->arg[2] : sizeof(attr);
	const char *license = attr.license ? (const char *)(unsigned long)attr.license : "";
	const uint32_t room = attr.log_size;
	char *log = calloc(1, LOG_SIZE);
	int fd;

	if (!log || !attr.insns || attr.fd_array || attr.core_relos)
		return;
	attr.log_buf = (unsigned long)log;
	attr.log_size = LOG_SIZE;
	attr.log_level = 1;
	fd = sys_bpf(sys_linux(), BPF_PROG_LOAD, &attr, size);
	if (fd >= 0 && code == ENOSPC) {
		snprintf(a->cause, sizeof(a->cause), "the program is accepted, but its log of the "
			 "verifier does not fit into the %u bytes given", room);
		snprintf(a->hint, sizeof(a->hint), "ask for a log only after a load was refused, "
			 "and give it megabytes; since Linux 6.4 the kernel keeps its end");
		a->is_checked = true;
	} else if (fd == -code && *log) {
		take_verdict(a, log, license);
	} else if (fd == -code) {
		prog_without_log(a, &attr, NULL, code);
	}
}

static void explain_create(struct answer *a, const struct copy *copy, int code)
{
	union bpf_attr attr = *copy_attr(copy);
	const struct object_map map = {
		.name = "the map", .type = attr.map_type, .key_size = attr.key_size,
		.value_size = attr.value_size, .max_entries = attr.max_entries,
		.map_flags = attr.map_flags,
	};
	const struct refused_map refused = { NULL, &map, &attr, code };
	struct error err = { 0 };

	explain_failure(sys_linux(), FAILED_MAP, &refused, &err);
	take_error(a, &err, code);
	error_clear(&err);
}

static void explain_types(struct answer *a, const struct copy *copy, int code)
{
	const union bpf_attr *attr = copy_attr(copy);
	const struct refused_btf refused = { (const unsigned char *)(unsigned long)attr->btf,
					     attr->btf_size, code };
	struct error err = { 0 };

	if (!attr->btf)
		return;
	explain_failure(sys_linux(), FAILED_BTF, &refused, &err);
	if (err.code)
		take_error(a, &err, code);
	error_clear(&err);
}

static void explain_open(struct answer *a, const struct copy *copy, int code)
{
	const struct perf_event_attr *attr = copy_event(copy);
	const struct event_spec spec = {
		.kind = attr->type == PERF_TYPE_BREAKPOINT ? EVENT_BREAKPOINT : EVENT_RAW,
		.text = (char *)"the event",
	};
	const struct event_call call = { .spec = &spec, .attr = attr, .tid = copy->arg[1],
					 .cpu = copy->arg[2], .group_fd = copy->arg[3],
					 .flags = copy->arg[4] };
	const struct refused_event refused = { &call, code };
	struct error err = { 0 };

	explain_failure(sys_linux(), FAILED_EVENT, &refused, &err);
	take_error(a, &err, code);
	error_clear(&err);
}

/* Bind the program to our own event, opened with the same attr. */
static void explain_binding(struct answer *a, const struct copy *copy,
			    const struct fact_object *event, int code)
{
	const bool is_link = copy->nr == __NR_bpf;
	struct perf_event_attr attr = event->attr;
	struct bind_call call = {
		.name = is_link ? "BPF_LINK_CREATE" : "PERF_EVENT_IOC_SET_BPF",
		.prog_fd = is_link ? copy_attr(copy)->link_create.prog_fd : copy->arg[2],
		.nr = copy->nr, .request = copy->arg[!is_link],
		.precise = attr.precise_ip && !(attr.sample_type & PERF_SAMPLE_CALLCHAIN),
	};
	const struct refused_bind refused = { &call, code };
	struct error err = { 0 };

	if (is_link && copy_attr(copy)->link_create.attach_type != BPF_PERF_EVENT) {
		snprintf(a->cause, sizeof(a->cause), "the target is a perf event, and attach_type "
			 "is not BPF_PERF_EVENT%s", copy_attr(copy)->link_create.attach_type ? "" :
			 ", but 0, as if it was not set");
		a->is_checked = true;
		return;
	}
	attr.disabled = 1;
	attr.inherit = 0;
	call.event_fd = sys_perf_event_open(sys_linux(), &attr, event->tid > 0 ? 0 : event->tid,
					    event->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (call.event_fd < 0)
		return;
	explain_failure(sys_linux(), FAILED_BIND, &refused, &err);
	take_error(a, &err, code);
	error_clear(&err);
}

static void explain(struct answer *a, const struct copy *copy, const struct fact_object *event,
		    int code)
{
	if (copy->nr == __NR_perf_event_open && !copy->unreadable) {
		explain_open(a, copy, code);
	} else if (copy->nr == __NR_ioctl && event && copy->arg[1] == PERF_EVENT_IOC_SET_BPF) {
		explain_binding(a, copy, event, code);
	} else if (copy->nr == __NR_bpf && !copy->unreadable) {
		switch (copy->arg[0]) {
		case BPF_PROG_LOAD:
			explain_load(a, copy, code);
			break;
		case BPF_MAP_CREATE:
			explain_create(a, copy, code);
			break;
		case BPF_BTF_LOAD:
			explain_types(a, copy, code);
			break;
		case BPF_LINK_CREATE:
			if (event)
				explain_binding(a, copy, event, code);
			break;
		}
	}
}

static void be_double(pid_t pid, const struct copy *copy, const struct fact_object *event, int code,
		      int to)
{
	struct answer a = { .is_checked = false };
	struct wanted w = { .most = 2 };
	const long tgid = proc_number(pid, "Tgid:");

	want_all(&w, copy);
	if (tgid > 0 && take_fds(tgid, &w, &to) && take_credentials(pid)) {
		take_limits(pid);
		explain(&a, copy, event, code);
	}
	if (write(to, &a, sizeof(a)) < 0)
		_exit(1);
	_exit(0);
}

/* --- asking it --- */

static void ask_double(pid_t pid, const struct copy *copy, const struct fact_object *event,
		       struct fact_refusal *r)
{
	struct answer a = { .is_checked = false };
	int fds[2];
	pid_t twin;

	if (pipe2(fds, O_CLOEXEC))
		return;
	twin = fork();
	if (twin == 0)
		be_double(pid, copy, event, r->code, fds[1]);
	close(fds[1]);
	/* A write(2) of less than PIPE_BUF bytes is atomic. */
	if (twin > 0 && poll(&(struct pollfd){ fds[0], POLLIN, 0 }, 1, PATIENCE_MS) == 1 &&
	    read(fds[0], &a, sizeof(a)) == sizeof(a)) {
		snprintf(r->cause, sizeof(r->cause), "%s", a.cause);
		snprintf(r->hint, sizeof(r->hint), "%s", a.hint);
		r->is_checked = a.is_checked;
	}
	close(fds[0]);
	if (twin > 0) {
		kill(twin, SIGKILL);
		waitpid(twin, NULL, 0);
	}
}

void watch_cause(pid_t pid, const struct copy *copy, const struct fact_object *object,
		 struct fact_refusal *r)
{
	if (!cause_in_sight(pid, copy, object, r))
		ask_double(pid, copy, object && object->kind == FD_EVENT ? object : NULL, r);
}
