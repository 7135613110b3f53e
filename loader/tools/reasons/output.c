// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what goes wrong after programs have been attached: rings, maps, standard output. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

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
	{ "output/no-map", "no program that is loaded has such a map",
	  "pload finds by the code of the programs which maps get records, and which are read "
	  "as counters.",
	  "pload load -v FILE; llvm-objdump -dr FILE.",
	  "--counter and --record with the name of such a map, or without a name." },
	{ "output/map-use", "programs write records to the map and read counters from it",
	  "An entry of a perf event array holds one event: a ring or a counter.",
	  "llvm-objdump -dr FILE shows who uses the map.", "A map for each." },
	{ "output/no-type", "the object's BTF does not describe the type of --record",
	  "pload looks for struct, union, enum or integer of that name.",
	  "bpftool btf dump file FILE",
	  "Compile with -g; a global pointer to the struct makes the compiler describe it." },
	{ "output/counter", "the map does not take the counter of a CPU",
	  "perf_event_fd_array_get_ptr() in kernel/bpf/arraymap.c: the event has to be on that "
	  "CPU and readable; one entry for each possible CPU.",
	  "cat /sys/devices/system/cpu/possible", "Leave max_entries of the map out." },
	{ "output/counts", "the kernel does not tell how often the program ran",
	  "BPF_OBJ_GET_INFO_BY_FD of bpf(2).",
	  "bpftool prog show", "Run statistics take Linux 5.8 and CAP_SYS_ADMIN." },
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
