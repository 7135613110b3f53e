// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of maps that the kernel does not create, fill or pin. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

/* What each map type asks for stands in the alloc_check() of its file. */
#define ALLOC_CHECK \
	"map_create() in kernel/bpf/syscall.c calls the type's map_alloc_check(): arraymap.c, " \
	"hashtab.c, ringbuf.c ... of kernel/bpf."

const struct reason reasons_map[] = {
	{ "map-create/flags", "the map is created without its flags",
	  ALLOC_CHECK " EINVAL for bits that it does not know. pload creates it without, and it "
	  "works.",
	  "--map=NAME.map_flags=0 tries it.",
	  "Leave the flag out, or take the kernel that brought it: BPF_F_MMAPABLE 5.5, "
	  "BPF_F_INNER_MAP 5.10, BPF_F_LINK 6.4." },
	{ "map-create/extra", "the map is created with map_extra 0",
	  ALLOC_CHECK " map_extra came with Linux 5.16; bloom filters take 0 to 15 hashes, "
	  "arenas an address that is a multiple of a page.",
	  "--map=NAME.map_extra=0 tries it.", "Leave map_extra out of the definition." },
	{ "map-create/entries", "the map is created with another max_entries",
	  ALLOC_CHECK " Most types want one entry and more; storage of tasks, sockets, inodes "
	  "and cgroups 0; rings a power of two of whole pages.",
	  "--map=NAME.max_entries=N tries another.",
	  "Say __uint(max_entries, N) as the type wants it." },
	{ "map-create/size", "the map is created with another size of key or value",
	  ALLOC_CHECK " Arrays have keys of 4 bytes, rings, queues and arenas none; the key of "
	  "a trie is a u32 and what it matches; values of perf event arrays have 4 bytes; no "
	  "element is larger than KMALLOC_MAX_SIZE or so.",
	  "--map=NAME.key_size=N and .value_size=N try others.",
	  "__type(key, ...) and __type(value, ...) as the type wants them." },
	{ "map-create/combination", "the smallest map of this type is created",
	  ALLOC_CHECK " No single one of flags, map_extra, entries and sizes was enough; "
	  "without all of them it works.",
	  "--map=NAME.FIELD=N, one field after the other.",
	  "Compare the definition with one of progs/ or test/cli/map_types.bpf.c of that type." },
	{ "map-create/type", "the smallest map of this type is refused as well",
	  "find_and_alloc_map() in kernel/bpf/syscall.c: EINVAL for a type that is not in "
	  "include/linux/bpf_types.h of this kernel, or not in its configuration.",
	  "pload probe lists the types that are created here; bpftool feature probe.",
	  "A newer kernel, or its CONFIG_: BPF_STREAM_PARSER for sockmaps, XDP_SOCKETS for XSK, "
	  "CGROUP_BPF for storage of cgroups." },
	{ "map-create/needs-btf", "maps of this type need BTF types of key and value",
	  "bpf_local_storage_map_alloc_check() in kernel/bpf/bpf_local_storage.c: EINVAL "
	  "without btf_key_type_id and btf_value_type_id.",
	  "bpftool btf dump file prog.o shows whether there is BTF.",
	  "Compile with -g, and define it with __type(key, int); __type(value, struct x);." },
	{ "map-create/struct-ops", "the kernel does not take this struct of functions",
	  "bpf_struct_ops_map_alloc() in kernel/bpf/bpf_struct_ops.c: the value type must be a "
	  "struct that the kernel registered, BPF_F_LINK came with 6.4, structs of modules with "
	  "6.9.",
	  "grep bpf_struct_ops_ in bpftool btf dump file /sys/kernel/btf/vmlinux.",
	  "A kernel with that struct; CONFIG_BPF_JIT and CONFIG_DEBUG_INFO_BTF." },
	{ "map-create/field", "the type takes no value with a lock, timer or pointer of the kernel",
	  "map_check_btf() in kernel/bpf/syscall.c: EOPNOTSUPP or 524 (ENOTSUPP) for "
	  "bpf_spin_lock, bpf_timer, kptrs, lists and trees in maps that do not keep them.",
	  "The value's struct in the object: bpftool btf dump file prog.o.",
	  "A hash or array map, or storage of tasks." },
	{ "map-create/too-large", "a smaller map is created",
	  "map_create() in kernel/bpf/syscall.c: E2BIG for a size that overflows or is beyond "
	  "what the type has at most, ENOMEM when so much is not to be had in one go.",
	  "free; cat /sys/fs/cgroup/memory.max of the cgroup; --map=NAME.max_entries=1000.",
	  "Fewer entries or smaller values; BPF_F_NO_PREALLOC for a hash." },
	{ "map-create/no-memory", "the kernel has no memory for the smallest map either",
	  "bpf_map_area_alloc() in kernel/bpf/syscall.c; it is charged to the cgroup since 5.11.",
	  "free; cat /sys/fs/cgroup/memory.events of the cgroup.",
	  "Free memory, or raise memory.max." },
	{ "map-create/fd-limit", "there are no more file descriptors",
	  "bpf_map_new_fd() in kernel/bpf/syscall.c: EMFILE beyond RLIMIT_NOFILE, ENFILE beyond "
	  "fs.file-max.",
	  "ulimit -n; cat /proc/sys/fs/file-nr.", "ulimit -n with a larger number." },
	{ "map-create/arena", "the arena's memory cannot be had or filled",
	  "arena_map_mmap() in kernel/bpf/arena.c: EBUSY where its address is taken, EINVAL for "
	  "one that does not fit; pload checks that the variables fit its pages, which are 4 GB "
	  "at most.",
	  "cat /proc/PID/maps; --map=NAME.map_extra=0 lets the kernel choose.",
	  "More pages (max_entries), another address, no BPF_F_SEGV_ON_FAULT." },
	{ "map-create/content", "the map is there, and does not take what it begins with",
	  "map_update_elem() and map_freeze() in kernel/bpf/syscall.c; bpf_map_meta_equal() for "
	  "inner maps.",
	  "bpftool btf dump file FILE, at DATASEC.",
	  "Inner maps like their description; programs of one type in a program array." },
	{ "map-create/failed", "the map is refused with an errno that says nothing else",
	  "pload knows no cause for this errno of BPF_MAP_CREATE.",
	  "dmesg; the call is below the error.", "map_alloc() of the type, in kernel/bpf." },
	{ "map-pin/incompatible", "another kind of map is pinned there",
	  "pload compares type, sizes, entries and flags of the pinned map with the object's.",
	  "bpftool map show pinned PATH",
	  "Remove the pin, or --map=NAME.pin=none, or another --pin-path." },
	{ "map-pin/no-bpffs", "the directory of the pin is in no BPF file system",
	  "bpf_obj_do_pin() in kernel/bpf/inode.c: EPERM where the directory is of another file "
	  "system.",
	  "stat -f -c %T DIR says bpf_fs where it is one.",
	  "mount -t bpf bpf /sys/fs/bpf, or --pin-path=DIR." },
	{ "map-pin/no-directory", "the directory of the pin is not there",
	  "bpf_obj_do_pin() in kernel/bpf/inode.c: ENOENT.",
	  "ls -ld DIR", "mkdir it, or --pin-path=DIR." },
	{ "map-pin/name", "the map's name or path is none for a pin",
	  "bpf_lookup() in kernel/bpf/inode.c takes no name with a '.'; two maps cannot have "
	  "one path.",
	  "ls DIR", "--map=NAME.pin=PATH, or --map=NAME.pin=none." },
	{ "map-pin/refused", "the map cannot be pinned or opened there",
	  "bpf_obj_pin_user() and bpf_obj_get_user() in kernel/bpf/inode.c: rights of the "
	  "directory and the pin, and security modules.",
	  "ls -l PATH; id.", "Run as the pin's owner, or take another --pin-path." },
	{ NULL, NULL, NULL, NULL, NULL },
};
