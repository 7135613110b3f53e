// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of programs that the kernel does not load. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_prog_load[] = {
	{ "prog-load/verifier", "the verifier found something that the program must not do",
	  "bpf_check() in kernel/bpf/verifier.c walks every way through the program and knows "
	  "of each register what it may hold; the errno is EACCES or EINVAL, and the log says "
	  "why.",
	  "The last lines of the log: the instruction, its source line, the registers. -v has "
	  "all.",
	  "R0 !read_ok: return a value. map_value_or_null: look for NULL. invalid mem access "
	  "'scalar': bpf_probe_read_kernel(). unbounded: compare with a limit first. Docs: "
	  "Documentation/bpf/verifier.rst." },
	{ "prog-load/license", "a function is for programs with a GPL-compatible license only",
	  "check_helper_call() in kernel/bpf/verifier.c, with license_is_gpl_compatible() of "
	  "the license section.",
	  "readelf -p license prog.o",
	  "char LICENSE[] SEC(\"license\") = \"GPL\"; or --license=GPL, if it is." },
	{ "prog-load/no-helper", "this kernel has no such helper for programs of this type",
	  "check_helper_call() in kernel/bpf/verifier.c asks the type's get_func_proto(): "
	  "invalid func or unknown func.",
	  "pload probe lists the helpers of each type; man bpf-helpers.",
	  "A newer kernel, another helper, another type of program. Lockdown takes "
	  "bpf_probe_read_kernel() away, too." },
	{ "prog-load/too-complex", "the verifier gave up: too many ways through the program",
	  "do_check() in kernel/bpf/verifier.c counts to a million instructions that it has "
	  "walked (E2BIG), push_stack() to 8192 branches in a row.",
	  "The log's last line, processed N insns; -v shows where it goes round.",
	  "bpf_loop() or bpf_for() for loops, functions that are not static (verified once), "
	  "fewer unrolled loops." },
	{ "prog-load/too-large", "the program has more instructions than the kernel takes",
	  "bpf_prog_load() in kernel/bpf/syscall.c: E2BIG above a million with CAP_BPF "
	  "(BPF_COMPLEXITY_LIMIT_INSNS, Linux 5.2), above 4096 without and before.",
	  "llvm-objdump -d prog.o | wc -l",
	  "Tail calls, functions that are not inlined, loops that are not unrolled." },
	{ "prog-load/too-old", "the kernel is older than what the program is or uses",
	  "BPF_PROG_LOAD says EINVAL or E2BIG for types, attach types and flags that it does "
	  "not know. pload compares uname -r with the release that brought them.",
	  "uname -r; pload probe.", "A newer kernel, or --prog=NAME for the others." },
	{ "prog-load/not-modifiable", "fmod_ret is not for this function",
	  "check_attach_modify_return() in kernel/bpf/verifier.c: only security_*() hooks and "
	  "functions where errors may be injected.",
	  "cat /sys/kernel/debug/error_injection/list", "fentry or fexit watch any function." },
	{ "prog-load/not-sleepable", "this function or kind of program cannot sleep",
	  "bpf_check_attach_target() and can_be_sleepable() in kernel/bpf/verifier.c: the hook "
	  "has to be one that is called where sleeping is allowed.",
	  "Which of them may: BTF_SET sleepable_lsm_hooks in kernel/bpf/bpf_lsm.c; functions of "
	  "error_injection/list.", "Leave out the .s of the section." },
	{ "prog-load/unknown-kind",
	  "the kernel does not know what the program is to be attached to",
	  "check_attach_btf_id() in kernel/bpf/verifier.c: the type needs attach_btf_id, and "
	  "this kernel does not know the attach type that would say of what.",
	  "uname -r; pload probe.", "A newer kernel." },
	{ "prog-load/kind", "the section's name says no kind of program that pload knows",
	  "pload looks the name up as libbpf does: kprobe/, xdp, cgroup/connect4 ...",
	  "readelf -S prog.o",
	  "SEC() with a name of docs/programs.md; --prog=NAME leaves it out." },
	{ "prog-load/no-target", "what the program is loaded for is not in this kernel",
	  "pload looks for the function, tracepoint, hook or iterator in the BTF of the kernel "
	  "and of its modules.",
	  "bpftool btf dump file /sys/kernel/btf/vmlinux | grep \"'NAME'\"",
	  "The name as this kernel has it; modprobe the module; static functions may be inlined "
	  "or renamed (.isra.0)." },
	{ "prog-load/target-prog", "the program of --target-prog cannot be had",
	  "BPF_PROG_GET_FD_BY_ID or BPF_OBJ_GET, or its BTF, which freplace, fentry and fexit "
	  "of programs need.",
	  "bpftool prog show id N", "An id or pin of a program that has BTF." },
	{ "prog-load/forbidden",
	  "every program of this type is refused, even one that does nothing",
	  "pload loads the smallest program of that type, and gets EPERM, too: not this program "
	  "is meant. A security module or a patch of the distribution forbids the type.",
	  "cat /sys/kernel/security/lsm /sys/kernel/security/lockdown; dmesg.",
	  "Another type for the same: fexit, kprobe and raw_tp reach many of the same places." },
	{ "prog-load/no-jit", "the program takes machine code, and the kernel makes none",
	  "bpf_prog_select_runtime() in kernel/bpf/core.c: 524 (ENOTSUPP) where the interpreter "
	  "cannot run it: kernel functions, callbacks, private stacks, exceptions, arenas. "
	  "bpf_trampoline_get() in include/linux/bpf.h: ENOMEM for fentry, fexit, fmod_ret and "
	  "LSM programs without CONFIG_BPF_JIT.",
	  "sysctl net.core.bpf_jit_enable; grep -w arch_prepare_bpf_trampoline /proc/kallsyms",
	  "sysctl net.core.bpf_jit_enable=1; a kernel with CONFIG_BPF_JIT." },
	{ "prog-load/interrupted", "signals interrupted the verifier again and again",
	  "do_check() in kernel/bpf/verifier.c: EAGAIN when a signal is pending. pload tries "
	  "five times.",
	  "strace -f -e trace=none pload ... shows the signals.", "Load it without that timer." },
	{ "prog-load/no-memory", "the kernel has no memory for the program",
	  "bpf_prog_alloc() and the JIT's bpf_prog_pack_alloc() in kernel/bpf/core.c; it is "
	  "charged to the cgroup. ENOMEM also beyond net.core.bpf_jit_limit.",
	  "free; sysctl net.core.bpf_jit_limit; memory.events of the cgroup.",
	  "Free memory, raise memory.max or bpf_jit_limit." },
	{ "prog-load/fd-limit", "there are no more file descriptors",
	  "bpf_prog_new_fd() in kernel/bpf/syscall.c: EMFILE beyond RLIMIT_NOFILE, ENFILE "
	  "beyond fs.file-max.",
	  "ulimit -n; cat /proc/sys/fs/file-nr.", "ulimit -n with a larger number." },
	{ "prog-load/refused", "the program is refused before the verifier has looked at it",
	  "bpf_prog_load() in kernel/bpf/syscall.c: EINVAL for a type, attach type, flag or BTF "
	  "that does not go together, without a word.",
	  "The call below the error; bpftool feature probe.",
	  "The hint names what may be newer than the kernel." },
	{ "prog-load/none", "none of the object's programs can be loaded",
	  "pload load --skip-failing leaves out those that are refused, and these were all.",
	  "pload load -v --skip-failing says why of each.", "Look at the reason of each." },
	{ NULL, NULL, NULL, NULL, NULL },
};
