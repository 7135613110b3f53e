#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Scopes: those that are refused with a reason, those that an event ignores with a note, and the scope of a command
# that pload starts.
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o
refused 'a cgroup that is not there' 1 'scope/no-cgroup' -d 0 -e cpu-clock -G /nosuch/cgroup "$object"
refused 'a directory that is no cgroup' 1 'scope/not-a-cgroup' -d 0 -e cpu-clock -G "$tmp" "$object"
refused 'a user that is not there' 1 'scope/no-user' -d 0 -e cpu-clock -u nosuchuser "$object"
refused 'a thread that is not there' 1 'scope/no-thread' -d 0 -e cpu-clock -t 2147483647 "$object"
refused 'a CPU that is not online' 1 'scope/offline-cpu' -d 0 -e cpu-clock -C 8191 "$object"
has 'a CPU that is not online: which are' "$tmp/err" "online are $(cat /sys/devices/system/cpu/online)"

# A note says that a tracing event ignores the scope, whatever this machine allows.
for scope in "-p $$" "-t $$" "-C 0" "-u $(id -u)"; do
	# shellcheck disable=SC2086
	run --dry-run -e sched:sched_switch $scope "$PROGS/event_output.bpf.o"
	has "a traced event and $scope: that it does not hold is said" "$tmp/err" "whatever ${scope%% *}"
done

skip_rest_if 'scopes' "$(kernel_refuses)"

# Each process makes page faults of its own: those of the child are there or not.
faults() { # ARG... - of a shell that starts another
	run -e page-faults,period=1 --format=json "$@" "$object" -- sh -c 'sh -c "exit 3"; exit 5'
}
faults
is 'a command: its status, and not that of its child' "$status" 5
all=$(value summary programs.0.run_cnt)
faults --no-inherit
is '--no-inherit: the same status' "$status" 5
own=$(value summary programs.0.run_cnt)
is 'what a command starts is counted' "$([ "$all" -gt $((own + 20)) ] && echo yes)" yes
is '--no-inherit: the command alone is counted' "$([ "$own" -gt 20 ] && echo yes)" yes

# The limit of open files is raised as far as possible, with a note.
sleep 600 &
pid=$!
(
	ulimit -Sn 12 && exec "$PLOAD" -d 0 -e cpu-clock -e page-faults -e task-clock -p $pid,$$ "$object"
) >"$tmp/out" 2>"$tmp/err"
status=$?
is 'few descriptors: status' "$status" 0
has 'few descriptors: the limit is raised, and by how much is said' "$tmp/err" '(RLIMIT_NOFILE) was raised from 12 to'

kill $pid
done_testing
