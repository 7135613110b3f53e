#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The regression suite beside others who use BPF on the same kernel: none of its tests fails, and a test that needs something
# which others have taken is skipped.
. "${0%/*}/lib.sh"

suite=$(dirname "$SELF")/attach-regress
why=$(kernel_refuses)
[ -n "$why" ] || unshare -m true 2>/dev/null || why='this process may not create a mount namespace'
skip_rest_if 'the suite beside others' "$why"

# crowd NR - an object with so many programs for a tracepoint, as copies of a tracer would have; they
# return 0, as most tracers do.
crowd() {
	{
		printf '#include <linux/bpf.h>\n#include <bpf/bpf_helpers.h>\nchar LICENSE[] SEC("license") = "GPL";\n'
		n=0
		while [ $((n += 1)) -le "$1" ]; do
			echo "SEC(\"?tracepoint\") int trace_$n(void *ctx) { return 0; }"
		done
	} >"$tmp/crowd.bpf.c"
	"$CLANG" -O2 -g -target bpf -Iuapi -I. -c "$tmp/crowd.bpf.c" -o "$tmp/crowd.bpf.o" || exit 1
}

# attached OPTION... - run the tests that are listed in the file $tmp/tests while a pload with these options has its programs
# attached.
attached() {
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec "$@"' sh \
		"$PLOAD" -a "$@" -- "$suite" -a "$tmp/tests" >"$tmp/out" 2>"$tmp/err" </dev/null
}

# is_refused - pload was refused what others have, such as the suite that runs beside this test:
# debug registers, or places on a tracepoint, which takes 64 programs. The crowd then becomes one
# that leaves five of these places free: it has so many as pload had attached by then, less five.
is_refused() {
	grep -q 'perf-open/no-breakpoint-slot' "$tmp/err" && refused_why='others hold debug registers of this machine' && return
	grep -q 'attach/too-many' "$tmp/err" || return
	refused_why='others have programs on the tracepoint'
	left=$(($(sed -n "s/.*prog 'trace_\([0-9]*\)'.*too-many.*/\1/p" "$tmp/err") - 6))
	crowd $((left > 1 ? left : 1))
}

# beside NAME TESTS OPTION... - there are as many tests as TESTS, and none fails.
beside() {
	beside_name=$1 beside_nr=$2 beside_tries=60
	shift 2
	attached "$@"
	while is_refused; do
		if [ $((beside_tries -= 1)) = 0 ]; then
			skip "$beside_name" "$refused_why"
			return
		fi
		sleep 1
		attached "$@"
	done
	is "$beside_name: no test fails" "$(grep '^ *not ok' "$tmp/out")" ''
	is "$beside_name: all of them ran" "$(awk -F '[: ]' '/^# Totals: / { print $5 + $13 }' "$tmp/out")" "$beside_nr"
}

# --- programs on the tracepoints that tests use ---

cat >"$tmp/tests" <<'END'
slots/tracepoint*
queries
overflow/a tracepoint*
limits/*60 programs*
pmus/a tracepoint*
lifetime/tracepoint: *program on another such event
lifetime/tracepoint: the event, when its link is closed
compare/tracepoint, tracefs+*: 0 drops records*
END
events=''
for event in getppid getpgid sync acct; do
	events="$events -e syscalls:sys_enter_$event -e syscalls:sys_exit_$event"
done
crowd 1
# shellcheck disable=SC2086 # words
beside 'one program on each' 20 $events "--prog=trace_*" "$tmp/crowd.bpf.o"
for event in getppid sync; do
	crowd 59
	beside "59 programs on $event" 20 -e "syscalls:sys_enter_$event" --prog='trace_*' "$tmp/crowd.bpf.o"
done

# --- debug registers ---

printf 'slots/breakpoints*\nbinding/breakpoint*\n' >"$tmp/tests"
beside 'all debug registers are held' 6 -e mem:0x1000:w,mem:0x2000:w,mem:0x3000:w,mem:0x4000:w "$PROGS/ip_count.bpf.o"
if grep -q KTAP "$tmp/out" && ! grep -q 'SKIP .*breakpoints' "$tmp/out"; then
	is '... and that is the cause of each skip' "$(grep -c '# SKIP others hold debug registers of this machine' "$tmp/out")" 8
else
	skip '... and that is the cause of each skip' 'this machine has no four breakpoints to hold'
fi
done_testing
