#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The regression suite on kernels that are wrong quietly: a call succeeds and does something else. The tests about it fail, and where a
# fact fails that others rest on, they are skipped by its name.
# Lane: free
. "${0%/*}/lib.sh"

PLOAD=${PROGS%/progs}/attach-regress	# LeakSanitizer needs processes of its own
lie=$(dirname "$SELF")/test/cli/lie
"$lie" bpf skip true 2>"$tmp/err" || skip_rest 'wrong kernels' 'another tracer, or no x86-64'
skip_rest_if 'wrong kernels' "$(kernel_refuses)"

# failed - the ids of the tests that failed.
failed() { sed -n 's/^  not ok .*\[\([a-z_]*\.[0-9]*\)\].*/\1/p' "$tmp/out" | xargs; }

ENABLE=$((0x2400)) DISABLE=$((0x2401)) REFRESH=$((0x2402)) RESET=$((0x2403)) SET_OUTPUT=$((0x2405)) PAUSE=$((0x40042409))
SET_BPF=$((0x40042408)) PERIOD=$((0x40082404))
TASK_DISABLE=31 TASK_ENABLE=32
MAP_CREATE=0 PROG_LOAD=5 RAW_OPEN=17 TASK_FD_QUERY=20 TOKEN_CREATE=36 LINK_CREATE=28 LINK_UPDATE=29 LINK_DETACH=34 GET_INFO=15

# WHAT IS WRONG | CALL | ACTION | TESTS THAT ARE RUN | THOSE THAT FAIL. See lie.c; the flags of attr are at byte 40.
cat >"$tmp/table" <<END
ENABLE does nothing|ioctl:1=$ENABLE|skip|basics.*|basics.5
every second ENABLE does nothing|ioctl:1=$ENABLE,every=2|skip|basics.*|basics.6
DISABLE does nothing|ioctl:1=$DISABLE|skip|basics.*|basics.6
SET_BPF does nothing|ioctl:1=$SET_BPF|skip|basics.*|basics.1
a link has no cookie|bpf:0=$LINK_CREATE|in1@16/8=0|basics.*|basics.3
a cookie has 32 bits|bpf:0=$LINK_CREATE|in1@20/4=0|basics.*|basics.3
a period is doubled|perf_event_open|in0@16/8*2|basics.*|basics.7
a frequency is a period|perf_event_open|in0@40/8&0xfffffffffffffbff|basics.*|basics.7
disabled is ignored|perf_event_open|in0@40/8&0xfffffffffffffffe|basics.*|basics.6
a count of 0 is read|read|out1@0/8=0|basics.*|basics.5
a program has another type|bpf:0=$GET_INFO|info@0/4=1|basics.*|basics.8
a program or link has no id|bpf:0=$GET_INFO|info@4/4=0|basics.*|basics.8
RESET does nothing|ioctl:1=$RESET|skip|controls.1|controls.1
REFRESH does nothing|ioctl:1=$REFRESH|skip|event_rings.9|event_rings.9
PERIOD does nothing|ioctl:1=$PERIOD|skip|registers.16|registers.16
PAUSE_OUTPUT does nothing|ioctl:1=$PAUSE|skip|event_rings.4|event_rings.4
SET_OUTPUT does nothing|ioctl:1=$SET_OUTPUT|skip|event_rings.6|event_rings.6
exclude_user is ignored|perf_event_open|in0@40/8&0xffffffffffffffef|attrs.3|attrs.3
exclude_kernel is ignored|perf_event_open|in0@40/8&0xffffffffffffffdf|attrs.2|attrs.2
enable_on_exec is ignored|perf_event_open|in0@40/8&0xffffffffffffefff|attrs_begin.3|attrs_begin.3
an event has no group|perf_event_open|arg3=0xffffffffffffffff|attrs_begin.1|attrs_begin.1
inherit is ignored|perf_event_open|in0@40/8&0xfffffffffffffffd|facts.22|facts.22
inherit_thread is ignored|perf_event_open|in0@40/8&0xfffffff7ffffffff|controls.8|controls.8
remove_on_exec is ignored|perf_event_open|in0@40/8&0xffffffefffffffff|races.116|races.116
sigtrap is ignored|perf_event_open|in0@40/8&0xffffffdfffffffff|attrs.19|attrs.19
a watermark is ignored|perf_event_open|in0@40/8&0xffffffffffffbfff|records.14|records.14
every second event is enabled|perf_event_open,every=2|in0@40/8&0xfffffffffffffffe|basics.*|basics.6
the third event has another period|perf_event_open,every=3|in0@16/8*2|basics.*|basics.7
the third link has no cookie|bpf:0=$LINK_CREATE,every=3|in1@16/8=0|basics.*|basics.3
a program has run 0 times|bpf:0=$GET_INFO|info@200/8=0|controls.6|controls.6
a link has another program|bpf:0=$GET_INFO|info@8/4=0|basics.*|basics.8
a link has another cookie|bpf:0=$GET_INFO|info@40/8=0|visibility.3|visibility.3
an event has another program|bpf:0=$TASK_FD_QUERY|out1@24/4=0|queries.6|queries.6
LINK_UPDATE does nothing|bpf:0=$LINK_UPDATE|skip|lifetime.10|lifetime.10
LINK_DETACH does nothing|bpf:0=$LINK_DETACH|skip|lifetime.11|lifetime.11
a thread's events are not disabled|prctl:0=$TASK_DISABLE|skip|task_enabling.[1-4]|task_enabling.1 task_enabling.2 task_enabling.3 task_enabling.4
a thread's events are not enabled|prctl:0=$TASK_ENABLE|skip|task_enabling.[89]|task_enabling.8 task_enabling.9
_ENABLE disables|prctl:0=$TASK_ENABLE|arg0=$TASK_DISABLE|task_enabling.8|task_enabling.8
the CPU of a task's event is ignored|perf_event_open|arg2=0xffffffffffffffff|multiplexed.[12]|multiplexed.1 multiplexed.2
the running time stands|read|out1@16/8=0|multiplexed.[345]|multiplexed.3 multiplexed.4 multiplexed.5
a count is scaled|read|out1@0/8*2|multiplexed.5|multiplexed.5
a group is read without its last member|read|out1@0/8=4|event_groups.1|event_groups.1
sample_max_stack is ignored|perf_event_open|in0@108/2=0|event_groups.1[23]|event_groups.12 event_groups.13
PERF_SAMPLE_RAW is ignored|perf_event_open|in0@24/8&0xfffffffffffffbff|event_output.10[0-4]|event_output.100 event_output.101 event_output.102 event_output.103 event_output.104
write_backward is ignored|perf_event_open|in0@40/8&0xfffffffff7ffffff|event_output.10[34]|event_output.103
PERF_SAMPLE_BRANCH_STACK is ignored|perf_event_open|in0@24/8&0x7ff|branches.[1-4]|branches.1 branches.2 branches.3 branches.4
a type of branches is the usual one|perf_event_open|in0@72/8=9|branches.5|branches.5
an unknown type of branches is ignored|perf_event_open|in0@72/8&0x7fffffffffffffff|branches.5|branches.5
samples have the instruction, too|perf_event_open|in0@24/8=0x401|event_output.10[0-4]|event_output.100 event_output.101 event_output.102 event_output.103 event_output.104
each hash has 32 bytes|bpf:0=$MAP_CREATE|in1@88/4=32|signed.7|signed.7
a signature is ignored|bpf:0=$PROG_LOAD|in1@152/8=0|signed.[1-4]|signed.1 signed.2 signed.3 signed.4
a map is exclusive to nobody|bpf:0=$MAP_CREATE|in1@80/8=0|signed.8|signed.8
flags of perf_event_open(2) are ignored|perf_event_open|arg4=8|open_flags.[1-4]|open_flags.1 open_flags.2 open_flags.3 open_flags.4
sample_id_all is ignored|perf_event_open|in0@40/8&0xfffffffffffbffff|open_flags.[78]|open_flags.7
sample_stack_user is doubled|perf_event_open|in0@88/4*2|open_flags.9|open_flags.9
RAW_TRACEPOINT_OPEN does nothing|bpf:0=$RAW_OPEN|skip|commands.1|commands.1
BPF_F_REPLACE is ignored|bpf:0=$LINK_UPDATE|in1@8/4=0|commands.4|commands.4
flags of TOKEN_CREATE are ignored|bpf:0=$TOKEN_CREATE|in1@0/4=0|commands.5|commands.5
a cgroup is a process|perf_event_open|arg4=8|cgroup_events.*|cgroup_events.1 cgroup_events.2
PERF_SAMPLE_READ is ignored|perf_event_open|in0@24/8&0xffffffffffffffef|event_groups.3|event_groups.3
END
while IFS='|' read -r name call action which wanted; do
	run -t "$which"
	if [ "$status" != 0 ]; then
		skip "$name" "$which does not pass on this machine: status $status"
		continue
	fi
	last_run="$lie $call '$action' $PLOAD -t '$which'"
	"$lie" "$call" "$action" "$PLOAD" -t "$which" >"$tmp/out" 2>"$tmp/err" </dev/null
	is "$name: the tests that fail" "$(failed)" "$wanted"
done <"$tmp/table"
done_testing
