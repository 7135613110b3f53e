// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why a loader makes a call, if the caller gives no reason. */
#include <string.h>
#include <sys/mman.h>

#include <linux/sockios.h>

#include "loader/observe/trace/annotate/annotate.h"

static const char *const bpf_purposes[] = {
	[BPF_MAP_CREATE] = "a map that the object declares, or one for a section of variables",
	[BPF_MAP_LOOKUP_ELEM] = "read an element of the map",
	[BPF_MAP_UPDATE_ELEM] = "write an element of the map",
	[BPF_MAP_DELETE_ELEM] = "remove an element of the map",
	[BPF_MAP_GET_NEXT_KEY] = "find the next key of the map",
	[BPF_PROG_LOAD] = "the verifier checks the linked program, and the kernel compiles it",
	[BPF_OBJ_PIN] = "a name in bpffs that holds the object after this process has ended",
	[BPF_OBJ_GET] = "open the object that a pin holds",
	[BPF_PROG_ATTACH] = "attach the program to a target, without a link",
	[BPF_PROG_DETACH] = "detach the program from its target",
	[BPF_PROG_TEST_RUN] = "run the program once, with input of ours",
	[BPF_PROG_GET_NEXT_ID] = "list the programs of this system",
	[BPF_MAP_GET_NEXT_ID] = "list the maps of this system",
	[BPF_BTF_GET_NEXT_ID] = "list the BTFs of this system: modules have their own",
	[BPF_LINK_GET_NEXT_ID] = "list the links of this system",
	[BPF_PROG_GET_FD_BY_ID] = "open the program of that id",
	[BPF_MAP_GET_FD_BY_ID] = "open the map of that id",
	[BPF_BTF_GET_FD_BY_ID] = "open the BTF of that id",
	[BPF_LINK_GET_FD_BY_ID] = "open the link of that id",
	[BPF_OBJ_GET_INFO_BY_FD] = "ask the kernel what it knows about the object",
	[BPF_PROG_QUERY] = "which programs are attached there",
	[BPF_RAW_TRACEPOINT_OPEN] = "attach the program; the descriptor is a link",
	[BPF_BTF_LOAD] = "the object's types: of keys and values, functions and lines",
	[BPF_TASK_FD_QUERY] = "which program a perf event of another process has",
	[BPF_MAP_FREEZE] = "user space cannot write it any more: constants for the verifier",
	[BPF_MAP_LOOKUP_BATCH] = "read many elements at once",
	[BPF_MAP_UPDATE_BATCH] = "write many elements at once",
	[BPF_LINK_CREATE] = "bind the program to its target; the link holds both",
	[BPF_LINK_UPDATE] = "replace the program of the link",
	[BPF_LINK_DETACH] = "end the link, whoever holds it",
	[BPF_ENABLE_STATS] = "the kernel counts runs of programs while this is open",
	[BPF_ITER_CREATE] = "reading it runs the iterator program",
	[BPF_PROG_BIND_MAP] = "the program holds a map that its instructions do not name",
};

static const char *of_bpf(unsigned long cmd)
{
	cmd &= ~(unsigned long)BPF_COMMON_ATTRS;
	return cmd < sizeof(bpf_purposes) / sizeof(bpf_purposes[0]) ? bpf_purposes[cmd] : NULL;
}

static const char *of_ioctl(unsigned long request)
{
	switch (request) {
	case PERF_EVENT_IOC_SET_BPF:
		return "bind the program, which the event is to hold and run";
	case PERF_EVENT_IOC_ENABLE:
		return "let the event fire and run its program";
	case PERF_EVENT_IOC_DISABLE:
		return "the event does not fire any more";
	case PERF_EVENT_IOC_SET_OUTPUT:
		return "the event writes into the ring of another";
	case SIOCGIFINDEX:
		return "the number of the network device";
	default:
		return NULL;
	}
}

/* Files, by a part of their path. */
static const struct {
	const char *part, *purpose;
} files[] = {
	{ "/sys/devices/system/cpu/online", "the CPUs on which an event can be opened" },
	{ "/sys/devices/system/cpu/possible", "for how many CPUs a map has values" },
	{ "/sys/bus/event_source/devices", "the number of a PMU, and the format of its events" },
	{ "/sys/kernel/btf", "the kernel's types: CO-RE, attach targets, kernel functions" },
	{ "/kallsyms", "addresses of the kernel's symbols" },
	{ "/events/", "the tracepoint's number and format" },
	{ "/kprobe_events", "tracefs: probes are created by writing a line" },
	{ "/uprobe_events", "tracefs: probes are created by writing a line" },
	{ "/proc/self/mounts", "where file systems are mounted" },
	{ "/proc/config.gz", "the configuration of the kernel" },
	{ "/boot/config-", "the configuration of the kernel" },
};

static const char *of_file(const char *path)
{
	const size_t len = path ? strlen(path) : 0;

	for (size_t i = 0; path && i < sizeof(files) / sizeof(files[0]); i++)
		if (strstr(path, files[i].part))
			return files[i].purpose;
	return len > 2 && !strcmp(path + len - 2, ".o") ?
		       "the object: ELF, with code, data, BTF and relocations" : NULL;
}

/* A file is read for the purpose for which it was opened. */
static const char *of_reading(const struct fd_names *names, int fd)
{
	const struct fd_entry *entry = fd_names_find(names, fd);

	return entry && entry->purpose[0] ? entry->purpose : NULL;
}

static const char *of_close(const struct fd_names *names, int fd)
{
	static const char *const purposes[] = {
		[FD_FILE] = "all that is needed of it has been read",
		[FD_MAP] = "let go of the map: it ends with its last holder",
		[FD_PROG] = "let go of the program: it ends with its last holder",
		[FD_BTF] = "let go of the types: they end with their last holder",
		[FD_LINK] = "let go of the link: with its last holder the program is detached",
		[FD_EVENT] = "let go of the event: with its last holder it ends, and a program "
			     "that an ioctl has bound is released",
		[FD_OTHER] = NULL,
	};
	const struct fd_entry *entry = fd_names_find(names, fd);

	return entry ? purposes[entry->kind] : NULL;
}

static const char *of_mmap(const struct fd_names *names, const unsigned long arg[6])
{
	const struct fd_entry *entry = fd_names_find(names, (int)arg[4]);

	if (!entry || arg[3] & MAP_ANONYMOUS)
		return NULL;
	return entry->kind == FD_EVENT ? "the ring into which the event writes records" :
	       entry->kind == FD_MAP   ? "read and write the map without a call" : NULL;
}

const char *purpose_of_call(const struct fd_names *names, long nr, const unsigned long arg[6])
{
	switch (nr) {
	case __NR_bpf:
		return of_bpf(arg[0]);
	case __NR_ioctl:
		return of_ioctl(arg[1]);
	case __NR_perf_event_open:
		return "the event that will run the program, on one CPU or for one task";
	case __NR_openat:
		return of_file((const char *)arg[1]);
	case __NR_read:
	case __NR_pread64:
	case __NR_fstat:
		return of_reading(names, (int)arg[0]);
	case __NR_close:
	case __NR_close_range:
		return of_close(names, (int)arg[0]);
	case __NR_mmap:
		return of_mmap(names, arg);
	case __NR_rt_sigprocmask:
		return "signals are read from a descriptor, so that none interrupts a call";
	case __NR_signalfd4:
		return "^C and other signals become readable here";
	case __NR_ppoll:
	case __NR_epoll_pwait:
		return "wait for records, signals and the end of the session";
	case __NR_clone:
		return "the process of the command: it waits until all is attached";
	case __NR_execve:
		return "the command begins";
	case __NR_waitid:
		return "has the command ended";
	case __NR_prlimit64:
		return "raise a limit that the session needs";
	default:
		return NULL;
	}
}
