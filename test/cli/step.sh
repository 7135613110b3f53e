#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload step: all steps through a pipe, holders, methods beside each other, JSON by its schema, the page, hostile names.
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o
dry="--dry-run -e cpu-clock"

run step $dry --attach=link "$object"
is 'text: status' "$status" 0
is 'text: nothing on standard error' "$(cat "$tmp/err")" ''
cp "$tmp/out" "$tmp/link"
has 'a stage' "$tmp/link" '=== attach: open events, bind programs, enable'
has 'an attribute' "$tmp/link" 'BPF_PROG_TYPE_PERF_EVENT'
has 'an instruction' "$tmp/link" 'call bpf_map_lookup_elem#1'
has 'the line of C' "$tmp/link" '; count = bpf_map_lookup_elem(&hits, &ip);'
has 'the source of the call' "$tmp/link" 'prog_load_syscall() in loader/core/kernel/load_prog.c:'
has 'the text of the source' "$tmp/link" 'sys_bpf(sys, BPF_PROG_LOAD'
has 'a program holds its map' "$tmp/link" '|- uses     -> map hits'
has 'a link holds its program' "$tmp/link" '|- runs     -> prog ip_count'
has 'a link holds its event' "$tmp/link" '|- event    -> event cpu-clock CPU 0'
has 'what ends' "$tmp/link" 'prog ip_count ends: nobody holds it any more'
has 'the end of the process' "$tmp/link" '=== exit: the process ends'
# A pipe has no width. The longest lines are calls and lines of the source.
is 'a pipe: a call is not cut' "$(grep -c '^bpf(BPF_PROG_LOAD, {.*, license="Dual BSD/GPL", .*}, [0-9]*) = [0-9]* <prog ip_count>$' "$tmp/link")" 1
has 'a pipe: a line of the source is not cut' "$tmp/link" "$(grep -m 1 'sys_bpf(sys, BPF_PROG_LOAD, ' loader/core/kernel/load_prog.c | tr -d '\t')"

run step $dry --attach=ioctl "$object"
sed -n '/PERF_EVENT_IOC_SET_BPF, /,/^$/p' "$tmp/out" >"$tmp/bound"
has 'by ioctl the event holds the program' "$tmp/bound" '|- runs     -> prog ip_count'
mkdir "$tmp/bpffs"
if unshare --mount sh -c 'mount -t bpf bpf "$1" && exec "$2" step --dry-run -e cpu-clock --attach=link "--pin=$1/x" "$3"' \
	sh "$tmp/bpffs" "$PLOAD" "$object" >"$tmp/out" 2>"$tmp/err"; then
	sed -n '/=== exit/,$p' "$tmp/out" >"$tmp/exit"
	has 'a pin holds its link after the end' "$tmp/exit" '|- pin      -> link ip_count'
	has 'and so the program' "$tmp/exit" '|- runs     -> prog ip_count'
else
	: >"$tmp/err"
	skip 'a pin holds its link after the end' 'no bpffs can be mounted here'
fi

# --- --methods: three columns, a line for each call ---

# row PATTERN - the rows that match, with one blank for several.
row() { grep -E -e "$1" "$tmp/table" | tr -s ' '; }

run step $dry --methods -C 0 -d 0 "$object"
is '--methods: status' "$status" 0
cp "$tmp/out" "$tmp/table"
is '--methods: a column for each method' "$(head -1 "$tmp/table" | tr -s ' ')" ' --attach=ioctl --attach=pmu --attach=link'
is '--methods: a stage' "$(row '^attach: ')" 'attach: open events, bind programs, enable'
is '--methods: a call that all make' "$(row '^ .*BPF_PROG_LOAD')" ' BPF_PROG_LOAD BPF_PROG_LOAD BPF_PROG_LOAD'
is '--methods: both ways to bind are one row' "$(row IOC_SET_BPF)" \
	'* PERF_EVENT_IOC_SET_BPF event, prog PERF_EVENT_IOC_SET_BPF event, prog BPF_LINK_CREATE prog, event, BPF_PERF_EVENT'
is '--methods: by pmu the type is read' "$(row software/type)" '* openat PMUS/software/type'
is '--methods: and it is 1' "$(row '^\* +read')" '* read type => "1\n"'
is '--methods: the legend' "$(tail -1 "$tmp/table")" '* The methods differ. PMUS/ is /sys/bus/event_source/devices/.'
is '--methods: only link closes a link' "$(row 'close link')" '* close link'
is '--methods: columns are straight' "$(awk '/IOC_ENABLE/ { n = split($0, part, "  PERF_"); second = index($0, "  PERF_") + 0; print n - 1 }' "$tmp/table")" 3
is '--methods: all of pmu is in its column' "$(awk 'NR == 1 { at = index($0, "--attach=pmu") } /PMUS\/software|read type|close type/ { bad += index($0, $2) != at } END { print bad + 0 }' "$tmp/table")" 0
is '--methods: all of link is in its column' "$(awk 'NR == 1 { at = index($0, "--attach=link") } /close link/ { bad += index($0, $2) != at } /BPF_LINK/ { bad += index($0, "BPF_LINK") != at } END { print bad + 0 }' "$tmp/table")" 0
is '--methods: no blank ends a line' "$(grep -c ' $' "$tmp/table")" 0

run step --methods -d 0 --prog=on_getenv "$PROGS/uprobe.bpf.o"
cp "$tmp/out" "$tmp/table"
if [ "$status" = 0 ]; then
	is '--methods: no argument is truncated' "$(row '^\* write uprobe_events, "p:pload/getenv_[^"]*:0x[0-9a-f]+\\n"$' | wc -l)" 1
	is '--methods: arguments that differ' "$(row 'perf_event_open' | grep -cE '^\* perf_event_open PERF_TYPE_TRACEPOINT, config=[0-9]+ perf_event_open type=[0-9]+, .* perf_event_open type=[0-9]+, ')" 1
	has_not '--methods: and no others' "$tmp/table" 'PERF_FLAG_FD_CLOEXEC'
else
	skip '--methods: a uprobe' 'it cannot be attached by each method here'
fi

run step $dry --format=json "$object"
cp "$tmp/out" "$tmp/json"
if command -v python3 >/dev/null; then
	is 'JSON keeps its schema' "$(python3 test/cli/schema.py docs/step.schema.json "$tmp/json" 2>&1)" 'ok'
else
	skip 'JSON keeps its schema' 'python3 is not installed'
fi

# The program counts addresses, whose names the session reads from hundreds of files.
run step -d 0.2 -e cpu-clock --format=json "$object"
cp "$tmp/out" "$tmp/real"
if [ "$status" = 0 ] && grep -q '"kallsyms\|/proc/kallsyms' "$tmp/real"; then
	is 'reads in a row: eight are steps' "$(sed -n 's/.*"stage":"report[^"]*","call":"\([a-z0-9]*\)".*/\1/p' "$tmp/real" | awk '
		/^(openat|read|pread64|readlinkat|fstat)$/ { if (++nr > most) most = nr; next }
		{ nr = 0 }
		END { print (most <= 8) }')" 1
	is 'reads in a row: the others are counted' "$(sed -n 's/.*"folded":\([0-9]*\).*/\1/p' "$tmp/real" | awk '{ nr += $1 } END { print (nr > 100) }')" 1
else
	skip 'reads in a row' 'no address was counted, or its name cannot be read'
fi

run step --dry-run --attach=link --dev=lo --prog=xdp_payload_only "$PROGS/xdp_output.bpf.o"
is 'a link to a device: status' "$status" 0
has 'a link to a device: the link holds its program' "$tmp/out" '|- runs     -> prog xdp_payload_onl'
# The session closes more than eight descriptors in a row.
is 'a link to a device: each close that ends something is a step' "$(grep -c 'more calls' "$tmp/out")" 0

run step --dry-run -e nosuchevent "$object"
is 'refused: status' "$status" 1
has 'refused: the page of its reason' "$tmp/out" 'remedy'

has_not 'refused by pload itself: no step is' "$tmp/out" 'refused, at step'
has 'refused: the end of the process' "$tmp/out" 'exit_group(1) = ?'
has 'what is closed has its name' "$tmp/link" 'close(3 <btf>) = 0'
# Without capabilities the kernel refuses a map or an event, and pload looks for the cause.
without="setpriv --bounding-set=-all --inh-caps=-all --reuid=65534 --regid=65534 --clear-groups"
cp "$PLOAD" "$object" "$tmp"
chmod -R a+rX "$tmp"
if $without "$tmp/pload" step -d 0 -e cpu-clock "$tmp/ip_count.bpf.o" >"$tmp/out" 2>"$tmp/err"; [ $? = 1 ] && grep -q EPERM "$tmp/out"; then
	number=$(sed -n 's/^refused, at step //p' "$tmp/out")
	is 'refused by the kernel: its step' "$(sed -n "/^=== step $number of/,/^why/p" "$tmp/out" | tr '\n' ' ' | grep -c ' EPERM (')" 1
	has 'refused by the kernel: the calls after it are trials' "$tmp/out" 'diagnosis: '
	is 'refused by the kernel: that step is none' "$(sed -n "/^=== step $number of/,/^made by/p" "$tmp/out" | grep -c 'diagnosis: ')" 0
	$without "$tmp/pload" step -d 0 -e cpu-clock --format=html "$tmp/ip_count.bpf.o" >"$tmp/refused.html" 2>"$tmp/err"
else
	skip 'refused by the kernel' 'root without capabilities is refused nothing here'
fi

# --- hostile names, and the page ---

esc=$(printf '\033')
cp "$object" "$tmp/<img src=x onerror=alert(1)>${esc}[2J.o"
run step $dry "$tmp/<img src=x onerror=alert(1)>${esc}[2J.o"
has_not 'no escape sequence reaches the terminal' "$tmp/out" "$esc"
run step $dry --methods --format=html -o "$tmp/page.html" "$tmp/<img src=x onerror=alert(1)>${esc}[2J.o"
is 'html: status' "$status" 0
has_not 'html: a name is no element' "$tmp/page.html" '<img'
has_not 'html: nothing is loaded from elsewhere' "$tmp/page.html" 'src="http'
chromium=$(browser)
if [ -z "$chromium" ]; then
	skip 'html: rendered' 'there is no chromium'
else
	for step in link-11 ioctl-3; do
		rendered "$chromium" "$tmp/page.html#$step" >"$tmp/dom"
		has "html: $step has its number" "$tmp/dom" "${step#*-} of "
		has "html: $step has a graph" "$tmp/dom" '<svg'
		has_not "html: $step has no element of the name" "$tmp/dom" '<img'
	done
	if [ -s "$tmp/refused.html" ]; then
		rendered "$chromium" "$tmp/refused.html" >"$tmp/dom"
		has 'html: it opens at the step that is refused' "$tmp/dom" ">$number of "
		has 'html: and shows the reason' "$tmp/dom" '<h2 class="bad">Refused: '
		has 'html: words of the reason are code' "$tmp/dom" '<code>'
		has_not 'html: backticks' "$(sed '/<script/,$d' "$tmp/dom" >"$tmp/body"; echo "$tmp/body")" '`'
		rendered "$chromium" "$tmp/refused.html#ioctl-1" >"$tmp/dom"
		has 'html: another step has a link to it' "$tmp/dom" "href=\"#ioctl-$number\">Step $number is refused"
	fi
	rendered "$chromium" "$tmp/page.html#link-11" >"$tmp/dom"
	has 'html: instructions' "$tmp/dom" 'call bpf_map_lookup_elem#1'
	has 'html: the source' "$tmp/dom" 'prog_load_syscall() in loader/core/kernel/load_prog.c'
fi
done_testing
