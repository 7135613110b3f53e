#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload list: the events that it lists can be opened, and patterns select some of them.
# Lane: free
. test/cli/lib.sh

run list hw
is 'a group: status' "$status" 0
is 'a group: its events and no others' "$(grep -vc '\[hardware\]$' "$tmp/out")" 0
run list 'page-f*' cs
is 'patterns: names and other names' "$(awk '{ print $1 }' "$tmp/out" | tr '\n' ' ')" 'page-faults context-switches '
refused 'a pattern that nothing is like' 1 'nonsense' list nonsense
run list --format=json sw
is 'JSON: a message each' "$(grep -c '^{"type":"list-event","group":"software","event":"' "$tmp/out")" \
	"$(grep -c . "$tmp/out")"
if grep -q ' T vfs_read$' /proc/kallsyms 2>/dev/null; then
	run list 'kprobe:vfs_rea*' 'kretprobe:vfs_read'
	is 'functions of the kernel by a pattern' "$(awk '$1 ~ /:vfs_read$/ { print $1 }' "$tmp/out" | tr '\n' ' ')" \
		'kprobe:vfs_read kretprobe:vfs_read '
	is 'functions of the kernel by a pattern: no others' "$(grep -vc 'probe:vfs_rea' "$tmp/out")" 0
else
	skip 'functions of the kernel by a pattern' '/proc/kallsyms has no vfs_read'
fi
refused 'a function that is not there' 1 'kprobe:nonsense_of_ours' list kprobe:nonsense_of_ours
"$PLOAD" list '*' 2>/dev/null | head -n 1 >"$tmp/first"
is 'a pipe that is closed: the first line came' "$(grep -c . "$tmp/first")" 1

skip_rest_if 'what is listed can be opened' "$(kernel_refuses)"
# Each software event that can sample is one that a session takes by the name that is listed.
for event in $("$PLOAD" list sw | awk '{ print $1 }' | grep -v -e dummy -e bpf-output); do
	run -d 0 -e "$event" "$PROGS/ip_count.bpf.o"
	if [ "$event" = cgroup-switches ] && grep -q '\[perf-open/no-event\]' "$tmp/err"; then
		skip "what is listed can be opened: $event" 'this kernel does not count them (Linux 5.13)'
		continue
	fi
	is "what is listed can be opened: $event" "$status" 0
done
run list tracepoint
if [ "$status" = 0 ]; then
	has 'tracepoints are listed' "$tmp/out" 'sched:sched_switch'
	run list '*'
	has 'every event: tracepoints are listed as well' "$tmp/out" 'sched:sched_switch'
	# The summary counts what the list has, in the order that it has.
	run list --format=json '*'
	cp "$tmp/out" "$tmp/all"
	run list --format=json
	is 'the summary: status' "$status" 0
	for group in hardware software cache raw breakpoint probe pmu tracepoint; do
		is "the summary: events of group $group" \
			"$(sed -n "s/.*\"group\":\"$group\",\"events\":\([0-9]*\),.*/\1/p" "$tmp/out")" "$(grep -c "\"list-event\",\"group\":\"$group\"" "$tmp/all")"
	done
	# names GROUP - the names that the summary has for it, one on a line.
	names() { sed -n "s/.*\"group\":\"$1\".*\[\"\(.*\)\"\].*/\1/p" "$tmp/out" | sed 's/","/\n/g'; }
	is 'the summary: names of events' "$(names software)" "$(sed -n 's/.*"group":"software","event":"\([^"]*\)".*/\1/p' "$tmp/all" | head -n 20)"
	is 'the summary: PMUs' "$(names pmu)" "$(sed -n 's/.*"pmu":"\([^"]*\)".*/\1/p' "$tmp/all" | head -n 20)"
	is 'the summary: categories of tracepoints' "$(names tracepoint)" \
		"$(sed -n 's/.*"group":"tracepoint","event":"\([^:]*\):.*/\1/p' "$tmp/all" | uniq | head -n 20)"
	run list
	is 'the summary: fits on a screen' "$(awk 'length > 80' "$tmp/out")$(($(wc -l <"$tmp/out") < 24))" 1
	is 'the summary: names more than fit' "$(grep -c ', \.\.\.$' "$tmp/out" | awk '{ print ($1 > 3) }')" 1
	has 'the summary: how to see the rest' "$tmp/err" "pload list '*' prints every event"
	run -d 0 -e sched:sched_switch "$PROGS/event_output.bpf.o"
	is 'a tracepoint that is listed can be attached' "$status" 0
else
	skip 'tracepoints are listed' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
fi
done_testing
