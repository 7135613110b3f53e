#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload compare: the table of every way to attach, its causes where it lacks a privilege, and bad input.
. test/cli/lib.sh

run compare --help
is 'help' "$status" 0
has 'help: the parts' "$tmp/out" 'cells|lifetime'
refused 'two objects' 2 'one object' compare a.o b.o
refused 'no rounds' 2 '--rounds' compare --rounds=0
refused 'a part that there is none of' 2 "'nothing'" compare --only=cells,nothing
refused 'no such object' 1 "$tmp/none.o" compare "$tmp/none.o"
refused 'what is no object' 1 lib.sh compare test/cli/lib.sh
refused 'what is no event' 1 nonsense compare -e nonsense
refused 'a program that is not in the object' 1 '--prog=none' compare --prog=none "$PROGS/ip_count.bpf.o"

run compare --dry-run --only=cells -e cpu-clock
is 'dry run' "$status" 0
has 'dry run: the calls of each cell' "$tmp/err" 'BPF_LINK_CREATE'
is 'dry run: no table of what was not measured' "$(wc -c <"$tmp/out")" 0

# cells - a line for each cell in $tmp/out.
cells() { grep -o '"cell":"[a-z+]*","open":"[a-z]*","bind":"[a-z]*","outcome":"[a-z]*"' "$tmp/out"; }

# Without root the table has the cause of each refusal, and the cells that need no privilege are measured.
if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	cp "$PLOAD" "$tmp/pload"
	chmod 755 "$tmp" "$tmp/pload"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/pload" compare --format=json --only=cells \
		--rounds=3 -e cpu-clock:u -e sched:sched_switch >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	if grep -q '"outcome":"fires"' "$tmp/out"; then
		skip 'nobody' 'here everybody may attach'
	else
		is 'nobody: nothing could be attached' "$status" 1
		is 'nobody: each cell of both events is there' "$(cells | grep -c .)" 8
		is 'nobody: they are denied' "$(cells | grep -c '"outcome":"denied"')" 8
		has 'nobody: and told why' "$tmp/out" '"reason":"'
	fi
else
	skip 'nobody' 'setpriv cannot become nobody here'
fi

# The document of --against is read before anything is measured.
refused '--against: no such file' 1 "$tmp/none.json" compare --trace -e cpu-clock --against="$tmp/none.json"
has_not '--against: nothing was opened' "$tmp/err" 'perf_event_open('

skip_rest_if 'cells of the running kernel' "$(kernel_refuses)"

run compare --format=json --only=cells --rounds=3 -e context-switches -e page-faults
is 'cells: status' "$status" 0
is 'cells: one document' "$(wc -l <"$tmp/out")" 1
is 'cells: valid JSON' "$("${JSON:-build/tests/test/cli/json}" compare version <"$tmp/out")" 1
is 'cells: four for each event' "$(cells | grep -c .)" 8
is 'cells: by ioctl it fires' "$(cells | grep '"bind":"ioctl"' | grep -c '"outcome":"fires"')" 4
is 'cells: as often as asked for' "$(grep -o '"rounds":[0-9]*' "$tmp/out" | sort -u)" '"rounds":3'
if grep -q '"seen":"' "$tmp/out"; then
	is 'cells: nobody is given a cookie by ioctl' "$(grep -o '"given":null,"seen":"0x0"' "$tmp/out" | grep -c .)" 4
else
	skip 'cells: nobody is given a cookie by ioctl' 'programs read no cookies on this kernel'
fi
if cells | grep '"bind":"link"' | grep -q '"outcome":"fires"'; then
	is 'cells: by link each is' "$(grep -o '"given":"0x706c6f6164","seen":"0x706c6f6164"' "$tmp/out" | grep -c .)" 4
	run compare --format=json --only=cells --rounds=1 --cookie=0xabc -e page-faults
	has 'cells: the cookie that was asked for' "$tmp/out" '"given":"0xabc","seen":"0xabc"'
else
	skip 'cells: by link each is' 'no link fires here'
fi

run compare --format=json --only=cells --rounds=1 "$PROGS/ip_count.bpf.o" -e cpu-clock
is 'object: status' "$status" 0
has 'object: its name' "$tmp/out" "\"path\":\"$PROGS/ip_count.bpf.o\",\"program\":\"ip_count\""
has 'object: and of its event' "$tmp/out" '"type":"software","program":"ip_count"'
is 'each cell has a name for --attach=' \
	"$(for i in 0 1 2 3; do "$JSON" compare events.0.cells.$i.attach <"$tmp/out"; done | tr '\n' ' ')" 'ioctl link pmu pmu+link '
is 'cells of cpu-clock make the same calls by type and by PMU' "$("$JSON" compare events.0.same_type <"$tmp/out")" 1
if ! grep -q '"by":"run_cnt"' "$tmp/out"; then
	skip 'object: its runs are counted by the kernel' 'this kernel has no run statistics'
else
	has_not 'object: it runs' "$tmp/out" '"outcome":"silent"'
	has 'object: in each cell' "$tmp/out" '"outcome":"fires"'
fi

run compare --format=json --only=cells --rounds=1 "$PROGS/ip_count.bpf.o" -e sched:sched_switch
is 'object that fits no event: status' "$status" 1
is 'object that fits no event: each cell says so' "$(cells | grep -c '"outcome":"[dar][a-z]*"')" 4
has 'object that fits no event: why' "$tmp/out" '"reason":"attach/'

run compare --format=json --only=cells --rounds=1 -e breakpoint -e hardware
is 'kinds: a breakpoint is written to and one is run into' "$(grep -o '"type":"breakpoint"' "$tmp/out" | grep -c .)" 2
has 'kinds: one that may not be here' "$tmp/out" '"type":"hardware"'

# Times depend on the load of the machine and differences must not: their number is the same while all CPUs are busy.
busy=''
for cpu in $(seq "$(nproc)"); do
	while :; do :; done &
	busy="$busy $!"
done
: >"$tmp/counts"
for round in 1 2 3; do
	run compare --rounds=12 --only=cells,lifetime,visibility -e cpu-clock
	sed -n 's/; [0-9]* timings* differs*$//; /cells fire; /p' "$tmp/out" >>"$tmp/counts"
done
# shellcheck disable=SC2086
kill $busy
is 'busy: as many differences each time' "$(sort -u "$tmp/counts" | wc -l)" 1
has 'busy: there are some' "$tmp/counts" ' differences, '

# The set of capabilities is sufficient, since a process that has just these takes all steps, and each of them is needed.
run compare --format=json --only=least --rounds=1 -e cpu-clock:u
is 'least: a row for each kind of privilege' "$("$JSON" compare events.0.sections.0.rows.1.id <"$tmp/out")" token
least=$("$JSON" compare events.0.sections.0.rows.0.cells.type+ioctl.answer <"$tmp/out")
detail=$("$JSON" compare events.0.sections.0.rows.0.cells.type+ioctl.detail <"$tmp/out")
if [ "$least" = none ]; then
	skip 'least: each is needed' 'here everybody may attach'
else
	for cap in $least; do
		case $detail in
		*"without $cap: "[a-z]*) ok "least: without $cap a step is refused" ;;
		*) not_ok "least: without $cap a step is refused" "the detail is '$detail'" ;;
		esac
	done
fi
with=$("$JSON" compare events.0.sections.0.rows.1.cells.type+ioctl.answer <"$tmp/out")
case $with in
'not tried') skip 'least: with a token' "$("$JSON" compare events.0.sections.0.rows.1.cells.type+ioctl.error.text <"$tmp/out")" ;;
'CAP_PERFMON CAP_BPF' | *' E'*) ok 'least: with a token' ;;
*) not_ok 'least: with a token' "the answer is '$with'" ;;
esac
run compare --only=least --rounds=1 -e cpu-clock
has 'least: it is in the text, although all cells agree' "$tmp/out" 'The least that works'

run compare --only=cells --rounds=1 -e dummy --trace
has 'trace: the calls as they are made' "$tmp/err" 'PERF_EVENT_IOC_ENABLE'

# A reader that closes the pipe ends pload by SIGPIPE.
{ "$PLOAD" compare --format=json --only=cells --rounds=1 -e dummy 2>/dev/null; echo $? >"$tmp/status"; } | :
is 'closed pipe' "$(cat "$tmp/status")" 141

# A signal, after which it would have gone on for some seconds.
"$PLOAD" compare --format=json --rounds=10000 --only=cells -e page-faults -e page-faults \
	-e page-faults -e page-faults -e page-faults -e page-faults -e page-faults >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
until ls -l "/proc/$pid/fd" 2>/dev/null | grep -q 'bpf-prog' || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
is 'signal: exit status' $? 143
has 'signal: it says so' "$tmp/out" '"interrupted":true'

done_testing
