#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The texts that programs print, by bpf_printk() and by streams, appear in the session with the program's name, and only those
# of our programs.
. test/cli/lib.sh

skip_rest_if 'printk' "$(kernel_refuses)"
compile() { $CLANG -O2 -g -target bpf -I. -Iuapi -c "$tmp/$1.bpf.c" -o "$tmp/$1.o"; }

cat >"$tmp/prints.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
int runs;
static __attribute__((noinline)) int deep(int n) { bpf_printk("deep %d", n); return n; }
SEC("syscall") int shallow(void *ctx) { bpf_printk("run %d\tof %s", ++runs, "three"); return 0; }
SEC("syscall") int calls(void *ctx) { return deep(7); }
SEC("syscall") int ends_in_newline(void *ctx) { char text[] = "old\n"; bpf_trace_printk(text, sizeof(text)); return 0; }
SEC("raw_tp/sched_process_fork") int forks(void *ctx) { bpf_printk("fork"); return 0; }
SEC("perf_event") int faults(void *ctx) { bpf_printk("fault"); return 0; }
char LICENSE[] SEC("license") = "GPL";
END
compile prints

run --test-run=3 --format=json --prog=shallow --prog=calls --prog=ends_in_newline "$tmp/prints.o"
! grep -q 'cannot show bpf_printk() output' "$tmp/err" || skip_rest 'printk' "$(sed -n 's/.*cannot show bpf_printk() output: //p' "$tmp/err")"
is 'test runs: status' "$status" 0
is 'each line of a program' "$(value printk text prog=shallow | tr '\t\n' '> ')" 'run 1>of three run 2>of three run 3>of three '
is 'the function that prints is part of a program' "$(value printk text prog=calls | tr '\n' ' ')" 'deep 7 deep 7 deep 7 '
is 'a newline at the end is none of the text' "$(value printk text prog=ends_in_newline | sort | uniq -c | tr -s ' ')" ' 3 old'
is 'the process' "$(value printk comm | sort -u)" pload

run --test-run=1 --prog=shallow "$tmp/prints.o"
has 'text: the program and the line' "$tmp/out" "shallow: run 1	of three"

# Programs of tracepoints and of samples, while they run.
run --attach=link --prog=forks "$tmp/prints.o" -- sh -c '(:); exit'
has 'a program of a tracepoint' "$tmp/out" 'forks: fork'
run --format=json -e page-faults -c 10 --prog=faults "$tmp/prints.o" -- true
is 'a program of samples: each run has a line' "$(value printk text | grep -c '^fault$')" "$(value summary programs.0.run_cnt)"
is 'no line of its own is lost' "$(value summary losses | tr -d " ")" "[]"

# Two sessions at once: each has its own lines, though both hear those of the other.
"$PLOAD" --attach=link --format=json --prog=forks "$tmp/prints.o" -d 60 >"$tmp/other" 2>/dev/null </dev/null &
other=$!
until grep -q '"comm":"sh' "$tmp/other"; do (:); kill -0 $other || break; done
run --test-run=3 --format=json --prog=shallow "$tmp/prints.o"
is 'lines of another session are left out' "$(value printk prog | sort -u)" shallow
kill -INT $other
wait $other
has_not 'and ours are left out there' "$tmp/other" '"prog":"shallow"'

# Another process that reads trace_pipe gets every line, too.
for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
	if [ -r "$dir/instances" ] && mkdir "$dir/instances/pload-test-$$" 2>/dev/null; then
		instance=$dir/instances/pload-test-$$
		echo 1 >"$instance/events/bpf_trace/bpf_trace_printk/enable"
		run --test-run=3 --prog=shallow "$tmp/prints.o"
		is 'a trace buffer has the lines, too' "$(grep -c 'bpf_trace_printk: run [123]' "$instance/trace")" 3
		rmdir "$instance"
		break
	fi
done
[ -n "$instance" ] || skip 'a trace buffer has the lines, too' 'no instance of tracefs can be created'

# Streams, where the kernel has them; in 6.17 and 6.18 the function has one name, and then another.
stream=$(sed -n 's/.* T \(bpf_stream_vprintk[a-z_]*\)$/\1/p' /proc/kallsyms | head -n 1)
cat >"$tmp/streams.bpf.c" <<END
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
extern int ${stream:-bpf_stream_vprintk}(int id, const char *fmt, const void *args, __u32 size, void *aux) SEC(".ksyms");
SEC("syscall") int writes(void *ctx)
{
	static const char fmt[] = "line %d\n";
	__u64 number = 42;
	int ret = ${stream:-bpf_stream_vprintk}(BPF_STREAM_STDOUT, fmt, &number, sizeof(number), 0);

	${stream:-bpf_stream_vprintk}(BPF_STREAM_STDERR, fmt, &number, sizeof(number), 0);
	return ret;
}
char LICENSE[] SEC("license") = "GPL";
END
if [ -z "$stream" ]; then
	skip 'streams' 'this kernel has none'
else
	compile streams
	run --test-run=2 --format=json "$tmp/streams.o"
	if [ "$(value test-run retval)" != 0 ]; then
		skip 'streams' "bpf_stream_vprintk() returns $(value test-run retval) on this kernel"
	else
		is 'streams: both' "$(value stream stream | sort | tr '\n' ' ')" 'stderr stderr stdout stdout '
		is 'streams: the program' "$(value stream prog | sort -u)" writes
		is 'streams: the text' "$(value stream text | sort -u)" 'line 42'
	fi
fi
done_testing
