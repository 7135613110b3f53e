#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The cells of the table "open x bind": each makes the calls that its name says, and what cannot be is refused.
# Lane: kernel
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o
one='-C 0 -d 0 --trace=calls'

# opened - what perf_event_open(2) got: its type and config, without what every event has.
opened() { sed -n 's/^perf_event_open({type=\([^,]*\), size=[0-9]*, config=\([^,}]*\).*/\1 \2/p' "$tmp/err" | sort -u; }
# bound - the calls that bound programs.
bound() { grep -oE 'PERF_EVENT_IOC_SET_BPF|BPF_LINK_CREATE' "$tmp/err" | sort -u; }
# read_of DIR - the files below it that were opened, "none" without any.
read_of() { grep -q "^openat([^\"]*\"$1" "$tmp/err" && echo read || echo none; }

skip_rest_if 'cells' "$(kernel_refuses)"

for bind in ioctl link; do
	call=PERF_EVENT_IOC_SET_BPF
	[ $bind = ioctl ] || call=BPF_LINK_CREATE
	for open in type pmu; do
		# shellcheck disable=SC2086
		run --attach=$open+$bind -e cpu-clock $one "$object"
		is "cpu-clock by $open+$bind: status" "$status" 0
		is "cpu-clock by $open+$bind: what is opened" "$(opened)" 'PERF_TYPE_SOFTWARE PERF_COUNT_SW_CPU_CLOCK'
		is "cpu-clock by $open+$bind: sysfs" "$(read_of /sys/bus/event_source/devices/software/type)" "$([ $open = type ] && echo none || echo read)"
		is "cpu-clock by $open+$bind: it is bound" "$(bound)" $call
		has "cpu-clock by $open+$bind: the summary names the cell" "$tmp/out" "attached by $open+$bind for"
	done
	# shellcheck disable=SC2086
	run --attach=tracefs+$bind -e cpu-clock $one "$object"
	is "cpu-clock by tracefs+$bind: status" "$status" 1
	has "cpu-clock by tracefs+$bind: the cause" "$tmp/err" 'tracefs has only tracepoints and probes [attach/no-cell]'
	has "cpu-clock by tracefs+$bind: the hint" "$tmp/err" "hint: --attach=type+$bind"
	is "cpu-clock by tracefs+$bind: nothing is opened" "$(opened)" ''
done

# A uprobe: a line of tracefs, or a PMU. The kernel numbers that PMU, so there is no fixed type.
probe=$PROGS/uprobe.bpf.o
for bind in ioctl link; do
	run --attach=type+$bind -d 0 "$probe"
	is "a uprobe by type+$bind: status" "$status" 1
	has "a uprobe by type+$bind: the cause" "$tmp/err" 'it has no fixed type: the kernel numbers its PMU [attach/no-cell]'
	has "a uprobe by type+$bind: the hint" "$tmp/err" "hint: --attach=pmu+$bind"
done
run --attach=pmu+link -d 0 --trace=calls "$probe"
if [ "$status" = 0 ]; then
	number=$(cat /sys/bus/event_source/devices/uprobe/type)
	is 'a uprobe by pmu+link: the type is that of its PMU' "$(opened | sed 's/ .*//' | sort -u)" "$number"
	is 'a uprobe by pmu+link: no line of tracefs' "$(grep -c uprobe_events "$tmp/err")" 0
	is 'a uprobe by pmu+link: it is bound' "$(bound)" BPF_LINK_CREATE
else
	skip 'a uprobe by pmu+link' "$(sed -n 's/^pload: //p' "$tmp/err" | tail -1)"
fi
for bind in ioctl link; do
	run --attach=tracefs+$bind -d 0 --trace=calls "$probe"
	if [ "$status" = 0 ]; then
		is "a uprobe by tracefs+$bind: it is a tracepoint" "$(opened | sed 's/ .*//' | sort -u)" PERF_TYPE_TRACEPOINT
		has "a uprobe by tracefs+$bind: a line" "$tmp/err" 'uprobe_events'
		is "a uprobe by tracefs+$bind: no PMU is read" "$(read_of /sys/bus/event_source/devices/uprobe)" none
		is "a uprobe by tracefs+$bind: it is bound" "$(bound | wc -l)" 1
	else
		skip "a uprobe by tracefs+$bind" "$(sed -n 's/^pload: //p' "$tmp/err" | tail -1)"
	fi
done

# With -v a session names the cell of each kind of event, and the one that makes the same calls.
run -v --attach=pmu -C 0 -d 0 -e cpu-clock,page-faults "$object"
has '-v: the cell' "$tmp/err" "note: event 'cpu-clock' and 1 more of its kind: attached by pmu+ioctl; type+ioctl makes the same system calls, because its PMU is type 1"
is '-v: one line for a kind of event' "$(grep -c 'attached by' "$tmp/err")" 1
run -v -C 0 -d 0 -e cpu-clock "$object"
has '-v: by ioctl' "$tmp/err" "note: event 'cpu-clock': attached by type+ioctl; pmu+ioctl makes the same"
run -v --attach=link -d 0 "$probe"
[ "$status" = 0 ] && has '-v: a uprobe by link' "$tmp/err" 'and 1 more of its kind: attached by pmu+link' || skip '-v: a uprobe by link' 'uprobes cannot be attached here'
has_not '-v: no other cell makes the calls of a uprobe' "$tmp/err" 'the same system calls'
run --attach=pmu -C 0 -d 0 -e cpu-clock "$object"
has_not 'without -v: no note' "$tmp/err" 'attached by'

# The name of a cell is not put together from any words.
for name in type tracefs type+ +link ioctl+link pmu+pmu link+type type+ioctl+link TYPE+ioctl; do
	run "--attach=$name" -d 0 "$object"
	is "--attach=$name: status" "$status" 2
	has "--attach=$name: the cause" "$tmp/err" "unknown attach method '$name'"
done

PLOAD=${CORE:-build/pload-core}
run --attach=pmu+link --cookie=7 -e cpu-clock -d 0 "$object"
is 'pload-core takes a cell: status' "$status" 0
has 'pload-core takes a cell: the summary' "$tmp/out" 'attached by pmu+link for'
run --attach=tracefs+link -e cpu-clock -d 0 "$object"
is 'pload-core refuses a cell: status' "$status" 1
has 'pload-core refuses a cell: the cause' "$tmp/err" 'tracefs has only tracepoints and probes [attach/no-cell]'
done_testing
