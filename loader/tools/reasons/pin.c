// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what is to outlive pload, and of looking at it and ending it. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_pin[] = {
	{ "pin/no-bpffs", "the directory is in no BPF file system",
	  "bpf_obj_do_pin() in kernel/bpf/inode.c: EPERM elsewhere. pload asks statfs(2) before "
	  "it loads anything.",
	  "stat -f -c %T DIR", "mount -t bpf bpf /sys/fs/bpf, and a directory in there." },
	{ "pin/exists", "something is pinned there already, or the directory is not empty",
	  "bpf_obj_do_pin() in kernel/bpf/inode.c: EEXIST.",
	  "ls DIR; pload show.", "Another directory, or remove what is in it." },
	{ "pin/name", "two things would have the same pin",
	  "pload makes names of programs, maps and files; two of them come to the same.",
	  "pload load -v FILE", "Load them one by one, or name them apart." },
	{ "pin/no-link", "what is bound without a link cannot be pinned",
	  "An ioctl binds a program until the event is closed: there is no object to pin.",
	  "pload --help, at --attach.", "--attach=link" },
	{ "pin/refused", "the kernel does not pin it there",
	  "bpf_obj_pin_user() in kernel/bpf/inode.c: rights of the directory, security modules, "
	  "ENOSPC of the mount.",
	  "ls -ld DIR; id.", "Run as the directory's owner, or take another." },
	{ "kept/none", "pload has pinned no session there",
	  "pload looks for the mark of --pin.",
	  "pload show; ls DIR.", "The directory that was given to --pin." },
	{ "kept/version", "the session there was pinned by another version of pload",
	  "The mark in its directory says which.",
	  "ls -l DIR", "That version; or rm -r DIR, which ends it." },
	{ "kept/refused", "the session's directory cannot be read",
	  "Rights of the pins; /proc has to be mounted.",
	  "ls -lR DIR; id.", "Run as their owner." },
	{ "adopt/busy", "another process reads the session's rings",
	  "A ring has one reader: two would take records from each other. Looked for in "
	  "/proc/PID/fd before anything is opened.",
	  "pload show; ls -l /proc/PID/fd.", "End that process; the links stay." },
	{ "detach/no-pin", "there is no pin of that path",
	  "BPF_OBJ_GET of bpf(2): ENOENT, EACCES, or what is there is no pin.",
	  "ls -l PATH", "A pin, a directory of --pin, or the id of a link." },
	{ "detach/no-link", "there is no link of that id",
	  "BPF_LINK_GET_FD_BY_ID of bpf(2): ENOENT.",
	  "bpftool link; pload show.", "An id of these; it may have ended." },
	{ "detach/no-capability", "it takes CAP_SYS_ADMIN to open things by their ids",
	  "bpf_link_get_fd_by_id() in kernel/bpf/syscall.c.",
	  "grep CapEff /proc/self/status",
	  "Run as root; a pin needs the rights of its path alone." },
	{ "detach/unsupported", "a link of this type ends when nobody holds it",
	  "BPF_LINK_DETACH in kernel/bpf/syscall.c: EOPNOTSUPP without a detach() of the type "
	  "(perf events, tracing).",
	  "bpftool link show id N",
	  "Remove its pin, or end the process that holds it; the error names them." },
	{ "detach/refused", "the pin or link is not ended",
	  "unlinkat(2) or BPF_LINK_DETACH of bpf(2).",
	  "ls -ld DIR; id.", "Run as the owner." },
	{ "show/no-such-id", "there is no program or link of that id",
	  "BPF_PROG_GET_FD_BY_ID and BPF_LINK_GET_FD_BY_ID of bpf(2): ENOENT.",
	  "bpftool prog; bpftool link.", "An id of these." },
	{ NULL, NULL, NULL, NULL, NULL },
};
