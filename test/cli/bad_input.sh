#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Files, objects and names that are wrong: one error with place and hint, status 1, nothing done. No privilege is needed.
# Lane: free
. test/cli/lib.sh

good=$PROGS/ip_count.bpf.o
obj=$tmp/x.o

# compile C-TEXT [FLAG...] - an object of ours, for this test only.
compile() {
	printf '%s\n' "$1" >"$tmp/x.c"
	shift
	${CLANG:-clang} -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -Iuapi -c "$tmp/x.c" -o "$obj" "$@" 2>"$tmp/cc" || {
		echo "# the compiler says:"
		sed 's/^/# /' "$tmp/cc"
	}
}
# patch OFFSET OCTAL - one byte of a copy of the good object.
patch() {
	cp "$good" "$obj"
	printf "\\$2" | dd of="$obj" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
prelude='#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
char LICENSE[] SEC("license") = "GPL";'

refused 'a missing file' 1 "$tmp/none.o" "$tmp/none.o"
refused 'a directory' 1 'directory' "$tmp"
mkfifo "$tmp/fifo"
refused 'a FIFO that nobody writes to' 1 'FIFO' "$tmp/fifo"
refused 'a device' 1 'device' /dev/null
: >"$tmp/empty.o"
refused 'an empty file' 1 "$tmp/empty.o" "$tmp/empty.o"
echo 'this is a text and no object, whatever its name says; long enough for a header' >"$tmp/text.o"
refused 'a text' 1 'text.o' "$tmp/text.o"
refused 'an object for this machine' 1 'not for BPF' "$PLOAD"
patch 4 1;  refused 'ELF32' 1 'ELF32' "$obj"
patch 16 2; refused 'an executable' 1 'type' "$obj"
patch 18 76; refused 'another machine' 1 'not for BPF' "$obj"
for n in 1 40 63 64 200 1000; do
	head -c $n "$good" >"$obj"
	refused "cut off after $n bytes" 1 "$obj" "$obj"
done
compile "$prelude"'SEC("perf_event") int p(void *ctx) { return 0; }' -target bpfeb
[ "$(od -An -tx1 -j5 -N1 "$obj" | tr -d ' ')" = 02 ] && refused 'the other byte order' 1 'endian' "$obj"

compile "$prelude"'extern int hits; SEC("perf_event") int p(void *ctx) { return hits; }'
refused 'an undefined symbol' 1 "'hits'" "$obj"
compile "$prelude"'int bpf_kfunc_of_somebody(void) __ksym; SEC("perf_event") int p(void *ctx) { return bpf_kfunc_of_somebody(); }'
refused 'a kfunc' 1 "'bpf_kfunc_of_somebody'" "$obj"
compile "$prelude"'int helper(int x) { return x; }'
refused 'no program' 1 'no program' "$obj"
compile "$prelude"'int x = 1;'
refused 'no code at all' 1 'no program' "$obj"
compile "$prelude"'SEC("perfevent") int p(void *ctx) { return 0; }'
refused 'an unknown section' 1 "'perfevent'" "$obj"
compile "$prelude"'
#include <bpf/bpf_core_read.h>
struct task_struct { int pid; } __attribute__((preserve_access_index));
SEC("perf_event") int p(void *ctx) { struct task_struct *t = (void *)bpf_get_current_task(); return BPF_CORE_READ(t, pid); }'
refused 'CO-RE against a file that is not there' 1 "$tmp/none.btf" --dry-run --btf="$tmp/none.btf" -e cpu-clock "$obj"
refused 'CO-RE against a text' 1 "$tmp/text.o" --dry-run --btf="$tmp/text.o" -e cpu-clock "$obj"
refused 'CO-RE against an ELF file without types' 1 'without a section .BTF' --dry-run --btf="$PLOAD" -e cpu-clock "$obj"
refused 'CO-RE by nobody' 2 "'nobody'" --core=nobody "$obj"
refused 'a file of types for the kernel, which has its own' 2 '--btf' --core=kernel --btf="$good" "$obj"
compile "$prelude"'SEC("perf_event/no-such-event") int p(void *ctx) { return 0; }'
refused 'an unknown event in the section' 1 'no-such-event' "$obj"
compile "$prelude"'SEC("tracepoint") int p(void *ctx) { return 0; }'
refused 'a tracepoint without a name' 1 "prog 'p'" "$obj"
for section in kprobe:do_exit uprobe.s:/bin/bash:readline usdt:/usr/bin/python3:python:gc__start \
	kretsyscall:openat; do
	prefix=${section%%:*} target=${section#*:}
	compile "$prelude"'SEC("'"$prefix"'") int p(void *ctx) { return 0; }'
	refused "$prefix without a target" 1 'does not name anything to probe' --dry-run "$obj"
	has '... the hint' "$tmp/err" "hint: SEC(\"$prefix/$target\"), or -e ${prefix%.s}:$target"
done
compile "$prelude"'SEC("kprobe/do_nanosleep") int p(void *ctx) { return 0; }'
refused 'a kprobe' 1 "prog 'p'" "$obj"
compile "$prelude"'SEC("fentry/do_nanosleep") int p(void *ctx) { return 0; }'
refused 'a kind that needs the BTF id of a function' 1 'fentry/do_nanosleep' "$obj"
compile "$prelude"'SEC("xdp") int p(void *ctx) { return 2; }'
refused 'xdp without --test-run' 1 "prog 'p'" "$obj"

refused 'an unknown event' 1 'no-such-event' -e no-such-event "$good"
refused 'an unknown term' 1 'speed' -e cpu-clock,speed=9 "$good"
refused 'a frequency of 0 in the event' 1 'cpu-clock' --dry-run -e cpu-clock,freq=0 "$good"
refused 'a breakpoint that is no address' 1 'mem:here' -e mem:here "$good"
refused 'a tracepoint for a perf_event program' 1 'sched:sched_switch' -e sched:sched_switch "$good"
refused 'an event that never runs a program' 1 'dummy' --dry-run -e dummy "$good"
refused 'no program of that name' 1 'nobody' --prog=nobody "$good"
refused 'a CPU list that is none' 1 '0-' -C 0- -e cpu-clock "$good"
refused 'a CPU that is not there' 1 '65535' -C 65535 -e cpu-clock "$good"
refused 'a pid that is not alive' 1 '2147483647' -p 2147483647 -e cpu-clock "$good"

if [ -d /sys/bus/event_source/devices ]; then
	refused 'an unknown PMU' 1 'nopmu' --attach=pmu -d 0 -e nopmu/x/ --dry-run "$good"
else
	skip 'an unknown PMU' 'this machine has no /sys/bus/event_source'
fi
done_testing
