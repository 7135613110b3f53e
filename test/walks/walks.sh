#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The walks in docs/architecture.md are true: a recording pload is compared with its lists.
#
# A list is a block "```walk NAME ... ```" with a function and its file in each line. The list of a system call is the
# whole call stack at that call; the lists "relocation", "record" and "errno" are functions that are entered in that order.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
doc=docs/architecture.md
recorder=${WALKS:-build/walks/pload}

nm "$recorder" | awk '$2 ~ /^[tTwW]$/ { sub(/^0+/, "", $1); print $1, $3 }' >"$tmp/names"

# list NAME - the functions of a list of the document; files NAME - "function file" for each that has one.
block() { awk -v name="$1" '$0 == "```walk " name { inside = 1; next } /^```/ { inside = 0 } inside' "$doc"; }
list() { block "$1" | awk '{ print $1 }'; }

# record ARG... - run the recording pload; leaves $status, $tmp/err, $tmp/entered and $tmp/stacks with names for addresses.
record() {
	WALK=$tmp/walk "$recorder" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	awk 'NR == FNR { name[$1] = $2; next } $1 == ">" { print name[$2] }' "$tmp/names" "$tmp/walk" >"$tmp/entered"
	awk 'NR == FNR { name[$1] = $2; next }
	     $1 == "!" { printf "%s", $2; for (i = 3; i <= NF; i++) printf " %s", name[$i]; print " syscall" }' \
		"$tmp/names" "$tmp/walk" >"$tmp/stacks"
}

# stack CALL MOST - the document has the stack of the first such call, and it has at most so many frames.
stack() {
	awk -v call="$1" '$1 == call { for (i = 2; i <= NF; i++) print $i; exit }' "$tmp/stacks" >"$tmp/stack"
	is "$1: what runs is the list of the document" "$(tr '\n' ' ' <"$tmp/stack")" "$(list "$1" | tr '\n' ' ')"
	frames=$(wc -l <"$tmp/stack")
	if [ "$frames" -gt 0 ] && [ "$frames" -le "$2" ]; then
		ok "$1: at most $2 frames"
	else
		not_ok "$1: at most $2 frames" "$frames"
	fi
}

# order NAME - the functions of the list are entered in its order.
order() {
	list "$1" >"$tmp/list"
	missing=$(awk 'NR == FNR { want[++n] = $1; next } n && $1 == want[at + 1] { at++ }
		       END { print n == 0 ? "the document has no such list" : at < n ? want[at + 1] : "" }' \
		"$tmp/list" "$tmp/entered")
	is "$1: the functions of the document's list run in its order" "$missing" ''
}

for name in perf_event_open PERF_EVENT_IOC_SET_BPF BPF_LINK_CREATE BPF_PROG_LOAD relocation record errno; do
	block "$name" | awk 'NF > 1 { print $1, $2 }' >"$tmp/files"
	wrong=$(while read -r function file; do
		grep -qE "^[a-z].*[ *]$function\(" "$file" 2>/dev/null || echo "$function is not in $file"
	done <"$tmp/files")
	is "$name: each function is in the file that the document names" "$wrong" ''
done

refused=$(kernel_refuses)
if [ -n "$refused" ]; then
	skip 'the walks that the document lists' "$refused"
else
	record --attach=ioctl -e cpu-clock -d 0 "$PROGS/ip_count.bpf.o"
	is 'by ioctl' $status 0
	stack perf_event_open 13
	stack PERF_EVENT_IOC_SET_BPF 11
	stack BPF_PROG_LOAD 12
	order relocation
	record --attach=link -e cpu-clock -d 0 "$PROGS/ip_count.bpf.o"
	is 'by link' $status 0
	stack BPF_LINK_CREATE 11
	record --attach=ioctl --format=json -d 0.5 "$PROGS/event_output.bpf.o"
	is 'records' $status 0
	order record
	# No kernel has a PMU of this number.
	record --attach=ioctl -e 2147483647:0 -d 0 "$PROGS/ip_count.bpf.o"
	is 'a PMU that does not exist' $status 1
	order errno
fi
done_testing
