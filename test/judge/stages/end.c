// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages about exiting: nothing is left behind, whatever happens, except what is pinned. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/base/text/names.h"
#include "test/judge/stages/stages.h"

static bool nothing_left(struct run *run, const char *when)
{
	char what[128];

	if (run->seen.nr_pins)
		return wrong(run, "%s: '%s' is pinned, and nobody asked for it", when, run->seen.pins[0].path);
	if (!kernel_gone(run, what, sizeof(what)))
		return wrong(run, "%s: %s still exists, and neither a process of yours nor a pin holds it: the "
			     "program handed its descriptor to somebody", when, what);
	return true;
}

static bool ended_well(struct run *run)
{
	if (!check_loaded(run) || !check_ready(run))
		return false;
	if (WIFSIGNALED(run->status))
		return wrong(run, "your program was ended by signal %d after its input had ended",
			     WTERMSIG(run->status));
	if (WEXITSTATUS(run->status))
		return wrong(run, "your program ended with status %d, and nothing had failed",
			     WEXITSTATUS(run->status));
	return nothing_left(run, "after the end");
}

/* Run the loader again. */
static bool again(struct run *run, const struct failing *failing, bool interrupt)
{
	bool right;

	watch_forget(run);
	run->failing = failing;
	run->interrupt = interrupt;
	right = watch(run);
	run->failing = NULL;
	run->interrupt = false;
	if (right && run->timed_out)
		return wrong(run, "your program did not end");
	return right;
}

static bool interrupted(struct run *run)
{
	if (!again(run, NULL, true))
		return run->timed_out ? wrong(run, "your program did not end when it got SIGINT (Ctrl-C)") :
					false;
	return nothing_left(run, "after SIGINT (Ctrl-C)");
}

static const struct failing calls[] = {
	{ __NR_bpf, 0, BPF_MAP_CREATE, ENOMEM, "BPF_MAP_CREATE", NULL },
	{ __NR_bpf, 0, BPF_MAP_UPDATE_ELEM, ENOMEM, "BPF_MAP_UPDATE_ELEM", NULL },
	{ __NR_bpf, 0, BPF_MAP_FREEZE, EPERM, "BPF_MAP_FREEZE", NULL },
	{ __NR_bpf, 0, BPF_BTF_LOAD, EPERM, "BPF_BTF_LOAD", NULL },
	{ __NR_bpf, 0, BPF_PROG_LOAD, EPERM, "BPF_PROG_LOAD", NULL },
	{ __NR_perf_event_open, 6, 0, EMFILE, "perf_event_open", NULL },
	{ __NR_bpf, 0, BPF_LINK_CREATE, ENOSPC, "BPF_LINK_CREATE", NULL },
	{ __NR_ioctl, 1, PERF_EVENT_IOC_SET_BPF, EEXIST, "PERF_EVENT_IOC_SET_BPF", "ioctl" },
	{ __NR_ioctl, 1, PERF_EVENT_IOC_ENABLE, EBUSY, "PERF_EVENT_IOC_ENABLE", NULL },
	{ __NR_bpf, 0, BPF_MAP_LOOKUP_ELEM, ENOMEM, "BPF_MAP_LOOKUP_ELEM", NULL },
};

/* Return true if the loader does without the call: that it fails changes nothing. */
static bool does_without(const struct run *run, const struct failing *call, bool enables)
{
	if (call->nr == __NR_ioctl && call->value == PERF_EVENT_IOC_ENABLE)
		return !enables;	/* it opens events that are enabled */
	if (call->nr != __NR_bpf)
		return false;
	return (call->value == BPF_MAP_LOOKUP_ELEM && !run->looks_up) ||
	       (call->value == BPF_BTF_LOAD && !run->loads_btf);
}

/* Return true if the text names the error, or has two words at least. */
static bool is_message(const char *text, int error)
{
	const char *name = sys_errno_name(error);
	int words = 0;

	if (strcasestr(text, strerror(error)) || (name && strstr(text, name)))
		return true;
	while (*text) {
		size_t letters = 0;

		while (isalpha((unsigned char)text[letters]))
			letters++;
		words += letters >= 2;
		text += letters + !letters;
	}
	return words >= 2;
}

/* The kernel accepts a program without types, so this failure need not end a loader. */
static bool btf_failure_is_right(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);

	/* One that is shorter than the program probes the kernel. */
	if (!prog || (int)prog->attr.prog_btf_fd >= 0 ||
	    prog->nr_insns < run->object.funcs[run->object.progs[0].func].insn_cnt)
		return true;
	return wrong(run, "when BPF_BTF_LOAD fails (%s) your program passes its result, %d, to BPF_PROG_LOAD as "
		     "prog_btf_fd: the message is that of another call then", strerror(EPERM),
		     (int)prog->attr.prog_btf_fd);
}

static bool failure_is_right(struct run *run, const struct failing *call)
{
	char when[64];

	snprintf(when, sizeof(when), "when %s fails", call->name);
	if (!again(run, call, false))
		return run->timed_out ? wrong(run, "%s your program does not end", when) : false;
	if (WIFSIGNALED(run->status))
		return wrong(run, "%s your program is ended by signal %d", when, WTERMSIG(run->status));
	if (call->value == BPF_BTF_LOAD && call->nr == __NR_bpf) {
		if (!btf_failure_is_right(run))
			return false;
		if (run->ready && run->bound_when_ready)
			return nothing_left(run, when);
	}
	if (WEXITSTATUS(run->status) == 0)
		return wrong(run, "%s (%s) your program ends with status 0: whoever runs it believes "
			     "that all is well", when, strerror(call->error));
	if (!run->err.len)
		return wrong(run, "%s (%s) your program says nothing on standard error", when,
			     strerror(call->error));
	if (!is_message(run->err.bytes, call->error))
		return wrong(run, "%s (%s) your program says no more on standard error than '%.*s': name the "
			     "call, and the error", when, strerror(call->error),
			     (int)strcspn(run->err.bytes, "\n"), run->err.bytes);
	return nothing_left(run, when);
}

static bool call_fails(struct run *run)
{
	const bool enables = run->seen.enables;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!does_without(run, &calls[i], enables) && !failure_is_right(run, &calls[i]))
			return false;
	return true;
}

const struct stage stage_end = {
	.name = "end", .title = "Leave nothing behind",
	.task = "End with status 0 when all went well, on Ctrl-C at once, and with an error and a message when "
		"a call fails. Nothing stays in the kernel.",
	.object = "base.bpf.c", .features = "CALLS", .method = "link",
	.major = 5, .minor = 15, .attaches = true, .until = until_runs,
	.checks = (const struct check[]){
		{ "end.well", ended_well, "nothing is left after the end", "book/methods.md",
		  { "The kernel frees what nobody holds.", "A descriptor that a child has inherited is held.",
		    "Open with CLOEXEC; pin nothing." } },
		{ "end.interrupted", interrupted, "nothing is left after Ctrl-C", "book/methods.md",
		  { "Without a handler, SIGINT ends a process.", "If you have a handler, it has to end the wait.",
		    "A read(2) that a signal interrupts returns EINTR." } },
		{ "end.failed", call_fails, "a call that fails ends it with a message", "book/errno.md",
		  { "Each system call may fail: the judge makes ten fail, in turn.",
		    "Look at the result of each: -1, and errno.",
		    "Print the call and strerror(errno) on standard error, and end with status 1." } },
		{ 0 } },
	.beyond = "pload also removes probes and pins that a killed session left: loader/core/session/.",
};

/* --- a pinned link --- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool link_pinned(struct run *run)
{
	if (!check_loaded(run))
		return false;
	if (!run->seen.nr_pins && run->seen.pin_error == EPERM && strchr(last_part(run->seen.refused_pin), '.'))
		return wrong(run, "BPF_OBJ_PIN at '%s' failed with EPERM: a name in a bpffs has no dot "
			     "(bpf_lookup() of kernel/bpf/inode.c)", run->seen.refused_pin);
	if (!run->seen.nr_pins && run->seen.pin_error)
		return wrong(run, "BPF_OBJ_PIN at '%s' failed with %s", run->seen.refused_pin,
			     sys_errno_name(run->seen.pin_error));
	if (!check_ready(run))
		return false;
	for (uint32_t i = 0; i < run->seen.nr_pins; i++)
		if (!strncmp(run->seen.pins[i].path, run->pin, strlen(run->pin)))
			return true;
	if (run->seen.nr_pins)
		return wrong(run, "'%s' was pinned, and not '%s'", run->seen.pins[0].path, run->pin);
	return wrong(run, "nothing was pinned at '%s' (BPF_OBJ_PIN, the link's descriptor)%s", run->pin,
		     last_failure(run));
}

/* Return true if the object at the path is a link of the run. */
static bool pin_is_link(struct run *run)
{
	union bpf_attr attr;
	struct bpf_link_info info;
	bool found = false;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)run->pin;
	fd = syscall(__NR_bpf, BPF_OBJ_GET, &attr, sizeof(attr));
	if (fd < 0)
		return wrong(run, "'%s' cannot be opened: %s", run->pin, strerror(errno));
	kernel_info(fd, &info, sizeof(info));
	for (uint32_t i = 0; i < run->seen.nr_binds; i++)
		found |= run->seen.binds[i].link_id == info.id;
	close(fd);
	return found || wrong(run, "what is pinned at '%s' is not the link: a program that is pinned stays "
			      "loaded, and nothing runs it", run->pin);
}

static bool survives(struct run *run)
{
	const uint32_t id = seen_load(run)->id;
	const uint64_t before = kernel_runs(id);

	if (!pin_is_link(run))
		return false;
	for (int i = 0; i < 50 * run->limit; i++) {
		if (kernel_runs(id) > before)
			return true;
		usleep(20000);
	}
	return wrong(run, "your program has ended, and the program runs no more: the link is pinned and holds "
		     "the event, which takes no samples. It was disabled (PERF_EVENT_IOC_DISABLE), or follows "
		     "a task that has ended");
}

const struct stage stage_pin = {
	.name = "pin", .title = "A link that survives",
	.task = "Pin the link at PIN: it goes on when your program has ended. Those of other CPUs at PIN_1 "
		"and so on, or not at all; a name in a bpffs has no dot.",
	.object = "base.bpf.c", .features = "CALLS", .method = "link",
	.major = 5, .minor = 15, .pin = true, .attaches = true, .until = until_runs,
	.checks = (const struct check[]){
		{ "pin.pinned", link_pinned, "something is pinned", "book/methods.md",
		  { "BPF_OBJ_PIN (6) gives an object a name in a bpffs.",
		    "attr: pathname 0, bpf_fd 8, file_flags 12.", "pathname is a pointer to a string with a NUL." } },
		{ "pin.survives", survives, "and the program runs when your program has ended", "book/methods.md",
		  { "The link holds the program and the event.", "Pin the link, not the program.",
		    "bpf_fd is what BPF_LINK_CREATE returned." } },
		{ 0 } },
	.beyond = "pload also pins maps and reuses them, and lists what is pinned: loader/objects/special_maps/.",
};
