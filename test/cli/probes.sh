#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Probes of programs from the command line, on the real kernel: each hit is counted, each refusal is an error with
# its reason, and nothing is left in kprobe_events and uprobe_events.
# Lane: kernel
. test/cli/lib.sh

uprobe=$PROGS/uprobe.bpf.o usdt=$PROGS/usdt.bpf.o
built=${PROBED:-$(dirname "$PROGS")/regress}
prog=$built/probed-pie fixed=$built/probed-fixed stripped=$built/probed-stripped
cause=$(kernel_refuses)
[ -n "$cause" ] || [ -x "$prog" ] || cause="$prog has not been built: make check"
skip_rest_if 'probes' "$cause"

# In pids of their own, where others leave our lines alone and we theirs, and with a tracefs that only
# this test sees, where it is not mounted.
tracing=/sys/kernel/tracing
if [ -z "$OWN_PIDS" ] && unshare -m -p -f --mount-proc true 2>"$tmp/err"; then
	rm -rf "$tmp"
	OWN_PIDS=1 exec unshare -m -p -f --mount-proc sh test/cli/probes.sh
fi
[ -e $tracing/uprobe_events ] || [ -z "$OWN_PIDS" ] || mount -t tracefs tracefs $tracing 2>"$tmp/err"
[ -r $tracing/uprobe_events ] || skip_rest 'probes' 'the lines of tracefs cannot be looked at here'
# The command of "--" prints there, too.
value() { grep -a '^{' "$tmp/out" | "$JSON" "$@"; }
# lines - those of our ploads in either file. A file that this kernel does not have has none.
pids=$(printf %x "$(stat -Lc %i /proc/self/ns/pid)")
lines() { cat $tracing/kprobe_events $tracing/uprobe_events 2>"$tmp/null" | grep ":pload/.*_${pids}_"; }
none_left() { is "$1: no line is left" "$(lines)" ''; }
hint() { has "$1: what to do" "$tmp/err" "hint: $2"; }
run --attach=link -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
has_links=$status
none_left 'at the beginning'

# --- hits are counted ---

# counts NAME N OBJECT PROGRAM EVENT -- COMMAND - by each method.
counts() {
	name=$1 wanted=$2 object=$3 program=$4 event=$5
	shift 6
	for method in ioctl pmu link; do
		if [ $method = link ] && [ "$has_links" != 0 ]; then
			skip "$name by link" 'this kernel has no such links (Linux 5.15)'
			continue
		fi
		run --attach=$method --prog="$program" -e "$event" --format=json "$object" -- "$@"
		is "$name by $method: status" "$status" 0
		is "$name by $method: runs" "$(value summary programs.0.run_cnt)" "$wanted"
		none_left "$name by $method"
	done
}

counts 'a function' 7 "$uprobe" on_getenv "uprobe:$prog:work" -- "$prog" 7
counts 'its return' 7 "$uprobe" on_getenv "uretprobe:$prog:work" -- "$prog" 7
counts 'a function by a pattern' 7 "$uprobe" on_getenv "uprobe:$prog:w?rk" -- "$prog" 7
counts 'a function that does not move' 7 "$uprobe" on_getenv "uprobe:$fixed:work" -- "$fixed" 7
counts 'a USDT probe' 7 "$usdt" on_usdt "usdt:$fixed:probed:end" -- "$fixed" 7
counts 'a USDT probe at two places' 8 "$usdt" on_usdt "usdt:$fixed:probed:begin" -- "$fixed" 7
has 'a USDT probe: somebody listens, at each place' "$tmp/err" 'listened 2'
counts 'a USDT probe of a stripped file' 7 "$uprobe" on_getenv "usdt:$stripped:probed:end" -- "$stripped" 7

# --- probes that are refused leave nothing ---

# missing NAME REASON HINT EVENT... - the last EVENT is refused by tracefs with this reason and hint.
missing() {
	name=$1 reason=$2 what=$3
	shift 3
	refused "$name" 1 "$reason" --attach=ioctl -d 0 --prog=on_getenv "$@" "$uprobe"
	[ -z "$what" ] || hint "$name" "$what"
	none_left "$name"
}
missing 'a wrong symbol' '[symbols/no-symbol]' 'did you mean work?' -e "uprobe:$prog:worrk"
missing 'a stripped file' '[symbols/stripped]' 'the file is stripped' -e "uprobe:$stripped:work"
missing 'a path that is not there' '[symbols/no-file]' '' -e uprobe:/no/such/program:main
missing 'an offset in no code' '[symbols/not-code]' 'offsets are relative' -e "uprobe:$prog:0x1"
missing 'behind the function' '[symbols/offset]' 'to use a file offset' -e "uprobe:$prog:work+0x100000"
missing 'a wrong USDT probe' '[symbols/no-usdt]' 'did you mean probed:begin' -e "usdt:$prog:probed:begni"
missing 'one of two' '[symbols/no-symbol]' 'did you mean work?' -e "uprobe:$prog:work" -e "uprobe:$prog:worrk"

mkdir "$tmp/a b"
cp "$prog" "$tmp/a b/probed"
missing 'a name with a space' '[probe/tracefs-name]' 'use --attach=link or --attach=pmu, which accept any name' \
	-e "uprobe:$tmp/a b/probed:work"
run --attach=pmu --prog=on_getenv -e "uprobe:$tmp/a b/probed:work" --format=json "$uprobe" -- "$tmp/a b/probed" 7
is 'a name with a space by pmu: runs' "$(value summary programs.0.run_cnt)" 7
# "-e a,or=b": the alternative is probed, and the event that was tried first leaves nothing.
run --attach=ioctl --prog=on_getenv -e "uprobe:$prog:worrk,or=uprobe:$prog:work" --format=json "$uprobe" -- "$prog" 7
is 'an alternative: runs' "$(value summary programs.0.run_cnt)" 7
is 'an alternative: why' "$(value instead reason)" symbols/no-symbol
none_left 'an alternative'

# --- ways out ---

# started FILE - waits until a pload that writes its trace there has everything in place.
started() {
	while ! grep -q PERF_EVENT_IOC_ENABLE "$1"; do
		kill -0 $pload 2>"$tmp/null" || break
	done
}
for signal in INT TERM HUP; do
	: >"$tmp/err"
	"$PLOAD" --attach=ioctl --prog=on_getenv -e "uprobe:$prog:work" --trace "$uprobe" >"$tmp/out" 2>"$tmp/err" &
	pload=$!
	started "$tmp/err"
	is "SIG$signal: a line while it runs" "$(lines | grep -c ":pload/work_${pload}_")" 1
	kill -$signal $pload
	wait $pload
	is "SIG$signal: status" $? 0
	none_left "SIG$signal"
done
: >"$tmp/err"
"$PLOAD" --attach=ioctl --prog=on_getenv -e "uprobe:$prog:work" --trace "$uprobe" >"$tmp/out" 2>"$tmp/err" &
pload=$!
started "$tmp/err"
kill -KILL $pload
wait $pload 2>"$tmp/null"
is 'SIGKILL: the line stays' "$(lines | grep -c ":pload/work_${pload}_")" 1
run --attach=ioctl -d 0 --prog=on_getenv -e "uprobe:$prog:part" "$uprobe"
is 'the next one: status' "$status" 0
has 'the next one says so' "$tmp/err" "removed 1 line from uprobe_events that pload $pload left behind"
none_left 'the next one'
done_testing
