#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The targets that programs are loaded for, by name: names that are wrong, and those that the running kernel has. A kernel without
# trampolines refuses some: they run in the guest of test/vm/elsewhere, whose shell is busybox.
. test/cli/lib.sh

compile_or_end test/cli/targets.bpf.c "$tmp/x.o"
compile_or_end test/cli/replacement.bpf.c "$tmp/y.o"
object=$tmp/x.o

# answer NAME PROG TEXT HINT - `pload load` of this program fails with TEXT and HINT.
answer() {
	run load -v --prog="$2" "$object"
	has "$1" "$tmp/out" "$3"
	has "$1: what to do" "$tmp/out" "hint: $4"
}

answer 'fentry without a function' no_name 'section "?fentry": the section name contains no function [prog-load/no-target]' 'SEC("fentry/NAME")'
answer 'freplace without a program' replacement 'none is given' 'use --target-prog=ID'
if [ ! -r /sys/kernel/btf/vmlinux ]; then
	answer 'a kernel without types' entry '/sys/kernel/btf/vmlinux: ' 'the object needs the kernel'
	done_testing
	exit 0
fi
answer 'a function that is not there' misspelt "this kernel's types have no function 'vfs_raed'" 'did you mean vfs_read'
answer 'a tracepoint with its category' category "no tracepoint 'sched/sched_switch'" 'did you mean sched_switch'
answer 'an iterator that is not there' iterator "no iterator 'tsak'" 'did you mean task?'
answer 'a module that is not loaded' no_module "module 'pload_no_such_module' is not loaded" 'load it with modprobe'
run load -v --prog=hook "$object"
has 'a hook that is not there' "$tmp/out" "no security hook 'file_opne'"
run load --dry-run --prog=entry "$object"
is 'dry run: status' "$status" 0
has 'dry run: the id' "$tmp/err" 'attach_btf_id='
run load --dry-run -v --prog=replacement --target-prog=7 "$object"
has 'dry run: there are no programs' "$tmp/out" '--target-prog=7: BPF_PROG_GET_FD_BY_ID'

skip_rest_if 'with the kernel' "$(kernel_refuses)"

# loads NAME PROG - it loads; or the kernel has no such thing at all, which is skipped by its cause.
loads() {
	run load -v --prog="$2" "$object"
	cause=$(sed -n 's/.*\(this machine refuses every program .*\) \[.*/\1/p; s/.*\(CONFIG_BPF_LSM\).*/no \1/p' "$tmp/out" | head -n 1)
	if [ "$status" = 0 ]; then ok "$1"; elif [ -n "$cause" ]; then skip "$1" "$cause"; else not_ok "$1" "$(cat "$tmp/out")"; fi
}
loads 'tp_btf' switched
loads 'iter' tasks
loads 'fentry' entry
loads 'fentry in vmlinux by name' entry_vmlinux
loads 'lsm' opened
loads 'xdp1' numbered
run load -v --prog=instead "$object"
if grep -q 'prog-load/forbidden' "$tmp/out"; then
	skip 'fmod_ret of any function' 'the kernel refuses trampolines'
else
	has 'fmod_ret of any function' "$tmp/out" '[prog-load/not-modifiable]'
fi
run --attach=link -d 0.1 --prog=switched "$object"
is 'tp_btf: attached' "$status" 0
has 'tp_btf: where' "$tmp/out" 'switched on sched_switch (tp_btf): '

pins=$tmp/bpffs
mkdir "$pins"
mount -t bpf bpf "$pins" 2>"$tmp/err" || skip_rest 'freplace' "mount -t bpf: $(head -n 1 "$tmp/err")"
trap 'umount "$pins"; rm -rf "$tmp"' EXIT
run load --pin="$pins" --prog=base "$object"
is 'freplace: what is replaced' "$status" 0
object=$tmp/y.o
run load -v --prog=replacement --target-prog="$pins/base" "$object"
if grep -q 'prog-load/forbidden' "$tmp/out"; then
	skip 'freplace' 'the kernel refuses trampolines'
else
	is 'freplace' "$status" 0
	run --attach=link -d 0 --prog=replacement --target-prog="$pins/base" "$object"
	is 'freplace: attached' "$status" 0
	has 'freplace: where' "$tmp/out" 'replacement on scaled (freplace): '
fi
run load -v --prog=misspelt --target-prog="$pins/base" "$object"
has 'freplace: a function that is not there' "$tmp/out" "program $pins/base has no function 'scalde'"
has 'freplace: what was meant' "$tmp/out" 'hint: did you mean scaled?'
run load -v --prog=misspelt --target-prog=4294967295 "$object"
has 'freplace: no such id' "$tmp/out" '--target-prog=4294967295: BPF_PROG_GET_FD_BY_ID: No such file'
run load -v --prog=misspelt --target-prog="$pins/nothing" "$object"
has 'freplace: no such pin' "$tmp/out" "--target-prog=$pins/nothing: BPF_OBJ_GET: No such file"
done_testing
