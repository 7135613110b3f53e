#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload stat: arguments that are refused, and counts of commands, tasks and CPUs beside a number of events that is known.
. test/cli/lib.sh

refused 'stat: an object' 2 'loads no object' stat "$PROGS/ip_count.bpf.o"
refused 'stat: an interval of 0' 2 '-I' stat -I 0
refused 'stat: no command after --' 2 'no command' stat --
refused 'stat: two scopes' 2 'cannot be combined' stat -a -p $$
refused 'stat: an event with a period' 1 'event/grammar' stat -e cs,period=7 -d 0
refused 'stat: no event of that name' 1 'event/unknown' stat -e nosuch -d 0
run stat --dry-run -e cs,task-clock -C 0 -d 1
is 'stat: a dry run' "$status" 0
has 'stat: a dry run shows what is opened' "$tmp/err" 'read_format=PERF_FORMAT_TOTAL_TIME_ENABLED|PERF_FORMAT_TOTAL_TIME_RUNNING, disabled=1'

run stat -e page-faults -d 0
[ "$status" = 0 ] || skip_rest 'stat: counts' "$(sed -n 's/^pload: //p' "$tmp/err")"

# The faults of processes that the command starts are counted, unless they are excluded; its status is that of pload.
faults() { # ARG...
	run stat -e page-faults:u --format=json "$@" -- sh -c 'sh -c "exit 3"; exit 5'
}
faults
is 'stat: the status of the command' "$status" 5
all=$(value counter value)
is 'stat: the state of a software event' "$(value counter state)" counted
is 'stat: it was counted all the time' "$(value counter enabled_ns)" "$(value counter running_ns)"
is 'stat: scaled is the value' "$(value counter scaled)" "$all"
faults --no-inherit
own=$(value counter value)
is 'stat: children are counted' "$([ "$all" -gt "$own" ] && echo yes)" yes
is 'stat: the command alone is counted' "$([ "$own" -gt 20 ] && echo yes)" yes

# A process that sleeps all the time was never enabled, which is not 0.
sleep 600 &
pid=$!
until grep -qs '(sleep) S' /proc/$pid/stat; do :; done
run stat -e page-faults -p $pid -d 20ms
has 'stat: a task that never ran' "$tmp/out" '  never enabled                  -       -        0.00        0.00  page-faults'
kill $pid

# Each online CPU is there, and they add up.
run stat -e context-switches -d 50ms --format=json
cpus=$(getconf _NPROCESSORS_ONLN)
sum=0
for i in $(seq 0 $((cpus - 1))); do sum=$((sum + $(value counter "cpus.$i.value"))); done
is 'stat: the CPUs add up' "$sum" "$(value counter value)"
run stat -e page-faults -d 50ms -A
is 'stat -A: a line for each CPU' "$(grep -c '    cpu [0-9]*$' "$tmp/out")" "$cpus"
# The command ends once three intervals are printed, however late they are.
run stat -e cpu-clock -I 10 --format=json -- sh -c 'until [ "$(grep -c "\"type\":\"counter\"" "$1")" -gt 2 ]; do :; done' sh "$tmp/out"
is 'stat -I: more than one interval' "$([ "$(grep -c '"type":"counter"' "$tmp/out")" -gt 2 ] && echo yes)" yes
is 'stat -I: one follows the other' "$(value counter end_ns | sed -n 1p)" "$(value counter begin_ns | sed -n 2p)"
is 'JSON: the version comes first, and once' "$(head -n 1 "$tmp/out") $(grep -c '"version"' "$tmp/out")" '{"type":"session","version":1} 1'

# Without -e the events that exist here are counted, and the others have a reason.
run stat --format=json -- true
is 'stat: eight events by default' "$(grep -c '"type":"counter"' "$tmp/out")" 8
is 'stat: each is counted or has a reason' \
	"$(grep '"type":"counter"' "$tmp/out" | grep -vc '"state":"\(counted\|shared\|never-[a-z]*\)"\|"reason":"')" 0
run stat -e '{page-faults,task-clock}' -- true
is 'stat: a group' "$(grep -c ' 100.0% ' "$tmp/out")" 2

# Thousands have separators in text alone, and in no other locale's way.
(LC_ALL=de_DE.UTF-8 && export LC_ALL && run stat -e task-clock -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	grep -cE '^ *([0-9]{1,3}(,[0-9]{3})+ +){2}100.0% .* task-clock in ns$' "$tmp/out" >"$tmp/number")
is 'stat: thousands' "$(cat "$tmp/number")" 1
# A tracepoint is counted for the task alone, although a program on it would run for every task.
run stat -e syscalls:sys_enter_exit_group --format=json -- sh -c 'sh -c :; sh -c :; exit 0'
if [ "$status" = 0 ]; then
	is 'stat: a tracepoint counts its own tasks' "$(value counter value)" 3
else
	skip 'stat: a tracepoint counts its own tasks' "$(sed -n 's/^pload: //p' "$tmp/err")"
fi
done_testing
