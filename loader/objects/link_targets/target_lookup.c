// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Look up link targets by name, and explain why the kernel refused to attach to one. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/sockios.h>

#include "elf/error.h"
#include "loader/base/calls/machine.h"
#include "loader/objects/link_targets/targets_internal.h"
#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/refused.h"
#include "loader/base/calls/sockets.h"
#include "loader/core/sys/refused.h"

/* --- network devices --- */

/*
 * /proc/net/dev lists the devices of this network namespace:
 *
 *	Inter-|   Receive                                                |  Transmit
 *	 face |bytes    packets errs drop fifo frame compressed multicast|bytes ...
 *	    lo: 5232        40    0    0    0     0          0         0     5232 ...
 */
static void hint_devices(struct sys *sys, const char *wanted, struct error *err)
{
	char text[8192], names[256] = "", best[IFNAMSIZ] = "";
	unsigned int least = 3;
	size_t used = 0, len = 0;
	int fd = sys_openat(sys, AT_FDCWD, "/proc/net/dev", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	while (used < sizeof(text) - 1 &&
	       (n = sys_read(sys, fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	text[used] = '\0';
	sys_close_fd(sys, &fd);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		char *colon = strchr(line, ':'), *name = line + strspn(line, " ");

		if (!colon || colon - name >= IFNAMSIZ)
			continue;
		*colon = '\0';
		if (len < sizeof(names))
			len += snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
					name);
		if (edit_distance(wanted, name) >= least)
			continue;
		least = edit_distance(wanted, name);
		snprintf(best, sizeof(best), "%s", name);
	}
	if (best[0])
		error_hint(err, "did you mean %s? There are %s", best, names);
	else if (len)
		error_hint(err, "there are %s", names);
}

int target_device(struct sys *sys, const char *name, struct error *err)
{
	struct ifreq ifr = { 0 };
	int fd, ret = -ENODEV;

	if (strlen(name) < sizeof(ifr.ifr_name)) {
		strcpy(ifr.ifr_name, name);
		/* SIOCGIFINDEX works on sockets of any family. */
		fd = ret = sys_socket(sys, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd >= 0)
			ret = sys_ioctl(sys, fd, SIOCGIFINDEX, (unsigned long)&ifr);
		sys_close_fd(sys, &fd);
	}
	if (ret >= 0)
		return ifr.ifr_ifindex;
	error_set(err, -ret, "%s",
		  ret == -ENODEV ? "no such network device" : error_strerror(-ret));
	error_reason(err, "attach/no-target");
	if (ret == -ENODEV)
		hint_devices(sys, name, err);
	return error_where(err, "--dev=%s", name);
}

/* --- why the kernel refused --- */

/*
 * Errors of link_create() and the functions it calls. Only the errno hints at these causes, so each
 * message says what may be wrong, or what the errno means.
 */
static const struct cause {
	enum target_kind kind;
	int code;
	const char *reason, *text, *hint;
} causes[] = {
	{ TARGET_DEVICE, EBUSY, "attach/already-bound",
	  "another program may be attached to the device",
	  "see which with bpftool net or ip link, and detach that one first" },
	{ TARGET_DEVICE, EEXIST, "attach/already-bound",
	  "another program may be attached to the device",
	  "see which with bpftool net or ip link, and detach that one first" },
	{ TARGET_DEVICE, EOPNOTSUPP, "attach/unsupported", "the device's driver may not do this",
	  "use --xdp-mode=generic, which works without the driver" },
	{ TARGET_DEVICE, ENODEV, "attach/no-target",
	  "the kernel reports that the device is gone", "see ip link" },
	{ TARGET_CGROUP, EBADF, "attach/no-target", "this may not be a cgroup v2 directory",
	  "see where it is mounted: grep cgroup2 /proc/mounts" },
	{ TARGET_CGROUP, EPERM, "attach/forbidden",
	  "a program attached above may forbid it, or this process lacks a capability",
	  "see bpftool cgroup tree; run as root" },
	{ TARGET_NETNS, EEXIST, "attach/already-bound", "the namespace may already have such a "
							"program",
	  "detach that one first: bpftool net" },
	{ TARGET_NETNS, E2BIG, "attach/too-many",
	  "the namespace may have the maximum number of programs",
	  "detach one of them first" },
	{ TARGET_TRACEPOINT, ENOENT, "attach/no-target",
	  "the kernel reports that it has no tracepoint with this name",
	  "see available_events in tracefs; use the name after the ':'" },
	{ TARGET_HOOK, EBUSY, "attach/too-many",
	  "the function may have the maximum number of programs, or be patched in another way",
	  "detach one of them first: bpftool link" },
	{ TARGET_HOOK, KERNEL_ENOTSUPP, "attach/unsupported",
	  "this kernel may be unable to patch functions for programs",
	  "this needs Linux 6.4 on arm64 and 6.3 on s390x; a kprobe works without it" },
	{ TARGET_HOOK, ENOENT, "attach/no-target",
	  "the kernel reports that the function does not exist",
	  "its module may have been unloaded" },
	{ TARGET_MAP, EBUSY, "attach/already-bound", "the map may already have a program of this "
						     "kind",
	  "a map can have one verdict and one parser: detach the other one, or use another map" },
	{ TARGET_MAP, EOPNOTSUPP, "attach/unsupported",
	  "this kernel may not support programs for sockets in maps",
	  "it needs CONFIG_BPF_STREAM_PARSER" },
	{ TARGET_ITER, EACCES, "attach/beyond-record",
	  "the program may read or write beyond the map's keys or values",
	  "compare their sizes with those in the program" },
	{ TARGET_ITER, E2BIG, "attach/link-unsupported",
	  "this kernel's iterators may only visit all processes",
	  "visiting a single one needs Linux 6.1: leave out -p" },
};

static int too_old(const struct target_request *req, const char *call, int code, struct error *err)
{
	const bool tc = req->target->prog_type == BPF_PROG_TYPE_SCHED_CLS;

	error_set(err, code, "%s: %s: this kernel %s %s", call, error_strerror(code),
		  req->target->kind == TARGET_MAP ? "cannot bind to maps programs of type" :
						    "has no links of",
		  req->target->name);
	error_reason(err, "attach/link-unsupported");
	return error_hint(err, "they need Linux %u.%u%s", req->target->major,
			  req->target->minor,
			  tc ? "; older: tc filter add dev ... bpf object-file" : "");
}

static int unknown(const char *call, int code, struct error *err, const char *ruled_out)
{
	return sys_error_unknown(err, call, code, "attach/failed", "%s", ruled_out);
}

static bool takes(struct sys *sys, const struct target_request *req, int prog_fd)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = attr_pointer(req->section_target);
	attr.raw_tracepoint.prog_fd = prog_fd;
	fd = sys_bpf(sys, BPF_RAW_TRACEPOINT_OPEN, &attr, ATTR_SIZE(raw_tracepoint.prog_fd));
	if (fd >= 0)
		sys_close(sys, fd);
	return fd >= 0;
}

/* Return true if the tracepoint accepts an empty program of the same type. */
static bool takes_empty(struct sys *sys, const struct target_request *req, uint32_t prog_flags)
{
	int fd = kernel_load_trial(sys, req->target->prog_type, 0, prog_flags);
	const bool taken = fd >= 0 && takes(sys, req, fd);

	sys_close_fd(sys, &fd);
	return taken;
}

/*
 * bpf_probe_register() in kernel/trace/bpf_trace.c returns EINVAL for accesses beyond the
 * arguments, and since Linux 7.2 for sleepable programs.
 */
static int explain_tracepoint(struct sys *sys, const struct target_request *req, const char *call,
			      struct error *err)
{
	bool sleeps;

	if (takes(sys, req, req->prog_fd))
		return unknown(call, EINVAL, err, "the same call now works: the cause is gone");
	if (!takes_empty(sys, req, 0))
		return unknown(call, EINVAL, err, "ruled out: the program (an empty one is "
						  "refused, too)");
	sleeps = req->sleepable && !takes_empty(sys, req, BPF_F_SLEEPABLE);
	error_set(err, EINVAL, "%s: %s: %s", call, error_strerror(EINVAL), sleeps ?
		  "this tracepoint cannot run a sleepable program" :
		  "the program reads or writes beyond the tracepoint's arguments");
	error_reason(err, sleeps ? "attach/not-sleepable" : "attach/beyond-record");
	return error_hint(err, sleeps ?
			       "only sys_enter and sys_exit can; for others, use "
			       "SEC(\"raw_tp/...\") without .s" : "see its prototype");
}

static int explain(struct sys *sys, const struct target_request *req, const char *call, int code,
		   struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_ATTACH, .call = call, .caps = sys_prog_caps(req->target->prog_type),
		.nr = __NR_bpf,
		.request = req->target->kind == TARGET_TRACEPOINT ? BPF_RAW_TRACEPOINT_OPEN :
								BPF_LINK_CREATE,
	};
	const bool is_hook = req->target->kind == TARGET_HOOK;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (causes[i].kind != req->target->kind || causes[i].code != code)
			continue;
		error_set(err, code, "%s: %s: %s", call, error_strerror(code), causes[i].text);
		error_reason(err, causes[i].reason);
		return error_hint(err, "%s", causes[i].hint);
	}
	if (code == EINVAL && sys_is_before(sys, req->target->major, req->target->minor))
		return too_old(req, call, code, err);
	if (code == EPERM)
		return sys_denied(sys, &asked, code, err);
	if (code == EINVAL && req->target->kind == TARGET_TRACEPOINT && !req->cookie)
		return explain_tracepoint(sys, req, call, err);
	if (code == EINVAL && req->cookie &&
	    sys_is_before(sys, is_hook ? 5 : 6, is_hook ? 19 : 10)) {
		error_set(err, code, "%s: %s: this kernel's links have no cookies", call,
			  error_strerror(code));
		error_reason(err, "attach/no-cookie");
		return error_hint(err, "cookies need Linux 5.19 for fentry and 6.10 for raw "
				       "tracepoints: leave out --cookie");
	}
	return unknown(call, code, err, "the kernel gave no other reason");
}

int link_target_failed(struct sys *sys, const struct target_request *req, const char *call,
		       int code, struct error *err)
{
	char text[256];

	explain(sys, req, call, code, err);
	link_target_text(req, text, sizeof(text));
	error_where(err, "%s", text);
	return -code;
}
