// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what goes wrong after programs have been attached: rings, maps, standard output. */
#include <stddef.h>

#include "loader/explain/explain.h"

const struct reason reasons_output[] = {
	{ "output/failed", "standard output cannot be written to",
	  "write(2): a disk that is full (ENOSPC), a pipe whose reader went away (exit status "
	  "141).",
	  "df .", "Another place for the output." },
	{ "output/ring", "a ring of records cannot be mapped or waited for",
	  "perf_mmap() in kernel/events/core.c and ringbuf_map_mmap_kern() in "
	  "kernel/bpf/ringbuf.c: EPERM beyond kernel.perf_event_mlock_kb without CAP_IPC_LOCK, "
	  "ENOMEM, EINVAL.",
	  "sysctl kernel.perf_event_mlock_kb; ulimit -l.", "Fewer --pages, or run as root." },
	{ "output/map", "a map cannot be read",
	  "map_lookup_elem() in kernel/bpf/syscall.c: EPERM for BPF_F_WRONLY, ENOMEM, EFAULT.",
	  "bpftool map dump id N", "Let the program's map be readable." },
	{ "output/test-run", "the kernel cannot run a program of this type by itself",
	  "bpf_prog_test_run() in kernel/bpf/syscall.c: 524 (ENOTSUPP) for types without "
	  "test_run().",
	  "pload probe", "xdp, tc, raw_tp and syscall have a test run." },
	{ "output/iterator", "an iterator cannot be read",
	  "bpf_iter_create() and bpf_seq_read() in kernel/bpf/bpf_iter.c.",
	  "dmesg", "Look at what the program returns: 1 asks for the same once more." },
	{ NULL, NULL, NULL, NULL, NULL },
};
