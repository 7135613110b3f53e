#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Probes of the kernel's functions from the command line, by each method. Where there are no kprobes, this runs in the guest of
# test/vm/elsewhere, whose shell is busybox.
# Lane: kernel
. test/cli/lib.sh

kprobe=$PROGS/kprobe.bpf.o
tracing=/sys/kernel/tracing
skip_rest_if 'kprobes' "$(kernel_refuses)"
# In pids of their own, by which the lines are named, and with a tracefs that only this test sees, where it is not mounted.
if [ -z "$OWN_PIDS" ] && unshare -m -p -f --mount-proc true 2>"$tmp/err"; then
	rm -rf "$tmp"
	OWN_PIDS=1 exec unshare -m -p -f --mount-proc sh test/cli/kprobes.sh
fi
[ -e $tracing/README ] || [ -z "$OWN_PIDS" ] || mount -t tracefs tracefs $tracing 2>"$tmp/err"

run --attach=ioctl -d 0 --prog=on_open "$kprobe"
if [ "$status" != 0 ] && grep -q '\[probe/no-kprobes\]' "$tmp/err"; then
	has 'no kprobes: what it was built without' "$tmp/err" 'CONFIG_KPROBE_EVENTS'
	skip_rest 'functions of the kernel' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
fi
pids=$(printf %x "$(stat -Lc %i /proc/self/ns/pid)")
none_left() { is "$1: no line is left" "$(grep ":pload/.*_${pids}_" $tracing/kprobe_events)" ''; }
runs() { sed -n 's/.*"run_cnt":\([0-9]*\).*/\1/p' "$tmp/out" | head -n 1; }
run --attach=ioctl --prog=on_open "$kprobe" -- cat $tracing/kprobe_events
is 'by ioctl: a line while it runs' "$(grep -c ":pload/.*_${pids}_" "$tmp/out")" 1
for method in ioctl pmu link; do
	for event in '' kprobe:vfs_open ksyscall:execve; do
		run --attach=$method --prog=on_open ${event:+-e $event} --format=json "$kprobe" -- sh -c true
		if grep -q 'link-unsupported' "$tmp/err"; then
			skip "${event:-its section} by $method" 'this kernel has no such links (Linux 5.15)'
			continue
		fi
		is "${event:-its section} by $method: status" "$status" 0
		is "${event:-its section} by $method: runs" "$([ "$(runs)" -gt 0 ] && echo yes)" yes
		none_left "${event:-its section} by $method"
	done
	# A link takes the probe of the PMU.
	[ $method != link ] || continue
	refused "a wrong function by $method" 1 '[probe/no-symbol]' --attach=$method -d 0 --prog=on_open \
		-e kprobe:vfs_raed "$kprobe"
	has "a wrong function by $method: what to do" "$tmp/err" 'hint: did you mean vfs_read'
	refused "a module that is not there by $method" 1 '[probe/no-' --attach=$method -d 0 --prog=on_open \
		-e kprobe:no_such_module:open "$kprobe"
	none_left "what is refused by $method"
done
done_testing
