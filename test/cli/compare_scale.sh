#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload compare --scale: many attachments by each way. Calls, descriptors and waits are compared, times never.
. test/cli/lib.sh

refused 'a word that is no number' 2 "'x'" compare --scale=x
refused 'no attachments' 2 "'0'" compare --scale=0
refused 'one too many' 2 "'100001'" compare --scale=100001
refused 'numbers that are not ascending' 2 'ascending' compare --scale=1,10,10
refused 'too many numbers' 2 'at most 16' compare --scale=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
refused 'no CPUs' 2 "'cpus=0'" compare --scale=cpus=0
refused 'too many ticks' 2 "'hz=10001'" compare --scale=1,hz=10001
refused 'a kind that there is none of' 2 "'cpu-clock'" compare --scale -e uprobe -e cpu-clock
refused 'an object' 2 'without OBJ' compare --scale a.o
refused 'another part' 2 'without OBJ' compare --scale --only=cells
refused 'a table of what is no scale' 2 'csv' compare --format=csv -e cpu-clock

# Documents of other files: members that are missing or of another type are ignored.
for scale in '{}' '[]' '{"ways":[{}]}' '{"ways":[{"kind":"a","way":1,"cells":[{"number":2,"attach":{},"close":{"ns":-1}},7]}]}' \
	'{"ways":[{"kind":"\u001b[1m","way":"b","cells":[{"number":9,"attach":{"ns":1},"close":{"ns":18446744073709551615}}]}]}'; do
	printf '{"type":"compare","version":1,"events":[],"scale":%s}\n' "$scale" >"$tmp/other.json"
	for format in text csv html json; do
		run compare --from="$tmp/other.json" --format=$format
		is "another document as $format: $scale" "$status" 0
	done
done
has_not 'another document: no control characters' "$tmp/out" "$(printf '\033')"

# The verdict compares the largest number, by the models where it was not measured; and which tricks help.
# end NS RCU - the figures of one end.
end() { printf '{"ns":%s,"calls":1,"waits":{"rcu":%s,"tasks":0,"tasks_trace":0,"srcu":0,"text":null},"lines_left":0}' "$1" "$2"; }
# way KIND WAY NUMBER NS RCU MODEL - one with two numbers, of which the second was measured if it is no WORD.
way() {
	printf '{"kind":"%s","way":"%s","what":"functions","error":null,"cells":[{"number":10,"attach":%s,"close":%s,"exit":%s,"threads":%s},' \
		"$1" "$2" "$(end "$4" 1)" "$(end "$4" "$5")" "$(end $(($4 * 9 / 10)) "$5")" "$(end $(($4 / 2)) "$5")"
	printf '{"number":%s,"close":"time"}],"models":[{"of":"attach","fixed_ns":0,"each_ns":%s,"error_percent":0,"points":2},' "$3" "$4"
	printf '{"of":"close","fixed_ns":5,"each_ns":%s,"error_percent":0,"points":2,"waits":{"rcu":{"fixed_1000":500,"each_1000":%s}}}]}' \
		"$4" "$5"
}
# document WAY... - of these ways.
document() {
	printf '{"type":"compare","version":1,"kernel":{"release":"6.12"},"cpus":2,"privileged":true,"events":[],'
	printf '"scale":{"waits_by":"calls","predict":null,"ways":[%s' "$1"
	shift
	for one; do printf ',%s' "$one"; done
	printf ']}}\n'
}
document "$(way uprobe pmu+link 1000 90000000 6000)" "$(way uprobe multi 1000 1000 1)" >"$tmp/two.json"
run compare --from="$tmp/two.json"
tr -s ' \n' ' ' <"$tmp/out" >"$tmp/words"
has 'verdict: the cheapest way, and since when' "$tmp/words" 'for 1000 of uprobe take multi (since Linux 6.6): 1.00 ms to attach and 1.00 ms to close'
has 'verdict: the dearest, with the waits of its model' "$tmp/words" 'by pmu+link 90.0 s to attach and 90.0 s to close by its model'
has 'verdict: the trick that helps' "$tmp/words" 'closing from eight tasks helps at best (0.50 of the time)'
has 'verdict: the one that does not' "$tmp/words" 'leaving it to exit hardly matters at best (0.90 of the time)'
# A multi link of which two numbers are known has no model: then the largest number that each way has is compared.
sed 's/"models":\[{"of":"attach","fixed_ns":0,"each_ns":1000,[^]]*\]/"models":[]/' "$tmp/two.json" >"$tmp/ten.json"
run compare --from="$tmp/ten.json"
has 'verdict: of the largest number that all have' "$tmp/out" 'for 10 of uprobe take multi'
document "$(way uprobe pmu+link 1000 2000 6000)" "$(way uprobe multi 1000 1000 1)" >"$tmp/alike.json"
run compare --from="$tmp/alike.json"
has_not 'verdict: ways that take about as long are no choice' "$tmp/out" 'take multi'

run compare --from="$tmp/two.json" --format=html
cp "$tmp/out" "$tmp/page.html"
browser=$(browser)
if [ -n "$browser" ]; then
	rendered "$browser" "$tmp/page.html" >"$tmp/dom"
	is 'page: a picture of attaching and one of closing' "$(grep -o '<figcaption>Time to [a-z]*' "$tmp/dom" | tr '\n' ' ')" \
		'<figcaption>Time to attach <figcaption>Time to close '
	is 'page: points of the ways, and of their models' \
		"$(grep -o 'class="point w1"' "$tmp/dom" | wc -l) $(grep -o 'class="point w1 model"' "$tmp/dom" | wc -l)" '3 2'
	has 'page: the table' "$tmp/dom" '<td>90 ms</td>'
else
	skip 'page: a picture of attaching and one of closing' 'there is no browser'
fi

# Without privileges each way is refused, with the cause.
if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>"$tmp/null"; then
	cp "$PLOAD" "$tmp/pload"
	chmod 755 "$tmp" "$tmp/pload"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/pload" compare --scale=1,2 -e uprobe >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	if grep -q 'multi  *1  ' "$tmp/out"; then
		skip 'nobody: status' 'here everybody may attach'
	else
		is 'nobody: status' "$status" 1
		is 'nobody: the cause of each way' "$(grep -cE '^  [a-z]+(\+[a-z]+)*, 1: ' "$tmp/out")" 5
		has 'nobody: its code' "$tmp/out" 'no-capability]'
	fi
else
	skip 'nobody: status' 'setpriv cannot become nobody here'
fi

skip_rest_if 'many attachments on the running kernel' "$(kernel_refuses)"

# cell WAY NUMBER PATH - a value of the $WAY-th way and $NUMBER-th number in the last document; nothing for null.
cell() { "$JSON" compare "scale.ways.$1.cells.$2.$3" <"$tmp/scale.json" | sed 's/^null$//'; }
# waits WAY NUMBER STEP - the sum of the grace periods.
waits() {
	sum=0
	for kind in rcu tasks tasks_trace srcu; do
		nr=$(cell "$1" "$2" "$3.waits.$kind")
		case $nr in '' | null | *[!0-9]*) ;; *) sum=$((sum + nr)) ;; esac
	done
	echo "$sum"
}

# once_more WAY STEP - the grace periods of seven tracepoints, measured again.
once_more() {
	"$PLOAD" compare --scale=7 -e tracepoint --format=json >"$tmp/again.json" 2>"$tmp/err"
	"$JSON" compare "scale.ways.$1.cells.0.$2.waits" <"$tmp/again.json" | grep -o '[0-9][0-9]*' | awk '{ s += $1 } END { print s + 0 }'
}

run compare --scale=1,7 -e software -e tracepoint --format=json
is 'tracepoints: status' "$status" 0
cp "$tmp/out" "$tmp/scale.json"
is 'tracepoints: one document' "$(wc -l <"$tmp/scale.json")" 1
is 'a way for each combination' "$(grep -o '"way":"[a-z+]*"' "$tmp/scale.json" | tr '\n' ' ')" \
	'"way":"type+ioctl" "way":"type+link" "way":"tracefs+ioctl" "way":"tracefs+link" "way":"raw" '
is 'software: three calls for each event' "$(cell 0 0 attach.calls) $(cell 0 1 attach.calls)" '3 21'
is 'software: one call to close each' "$(cell 0 0 close.calls) $(cell 0 1 close.calls)" '1 7'
is 'software: one descriptor each' "$(cell 0 0 attach.descriptors) $(cell 0 1 attach.descriptors)" '1 7'
is 'raw tracepoints: one call each' "$(cell 4 0 attach.calls) $(cell 4 1 attach.calls)" '1 7'
is 'raw tracepoints: one descriptor each' "$(cell 4 1 attach.descriptors)" 7
if [ "$(cell 1 0 close.ns)" ]; then
	is 'links: two descriptors each' "$(cell 1 1 attach.descriptors)" 14
	is 'links: two calls to close each' "$(cell 1 1 close.calls)" 14
else
	skip 'links: two descriptors each' 'this kernel has no links of events'
fi
for end in close exit kill; do
	is "$end: the program is released" "$(cell 2 1 $end.released_ns | grep -c '[0-9]')" 1
done
is 'one attachment: with another one at its location' "$(cell 2 0 second_ns | grep -c '[0-9]') $(cell 2 1 second_ns)" '1 '
is 'models: of attaching and of each end' "$(grep -o '"of":"[a-z]*"' "$tmp/scale.json" | head -n 4 | tr '\n' ' ')" \
	'"of":"attach" "of":"close" "of":"exit" "of":"kill" '

# Waits depend on the kernel, and on whether another process waits for the same; not on the load of the machine.
by=$("$JSON" compare scale.waits_by <"$tmp/scale.json")
if [ "$by" = null ] || [ -z "$by" ]; then
	skip 'waits' "they are not counted here: $("$JSON" compare scale.no_waits.text <"$tmp/scale.json")"
else
	is 'software events wait for no grace period' "$(waits 0 1 attach) $(waits 0 1 close)" '0 0'
	# It does wait if the tracepoint lost its last program within this grace period: then once more.
	nr=$(waits 4 1 attach)
	for try in 1 2 3 4; do
		[ "$nr" != 0 ] || break
		nr=$(once_more 2 attach)
	done
	is 'raw tracepoints: attaching waits for no grace period' "$nr" 0
	# A program of another user on sched:sched_switch that returns 0 takes samples away: then once more.
	nr=$(waits 2 1 close)
	for try in 1 2 3 4; do
		[ "$nr" -lt 7 ] || break
		nr=$(once_more 0 close)
	done
	is 'tracepoints by perf event: each close waits' "$((nr >= 7))" 1
fi

# A page, a text and a table are made of the document.
run compare --from="$tmp/scale.json" -v
has 'text: the kinds' "$tmp/out" 'tracepoint: as many tracepoints'
has 'text: the calls' "$tmp/out" '21 calls to attach, 7 to close, 7 descriptors'
is 'text: fits 100 columns' "$(awk 'length > 100' "$tmp/out")" ''
run compare --from="$tmp/scale.json" --format=csv
is 'csv: a line for each end, as wide as the first' "$(awk -F, '{ print NF }' "$tmp/out" | sort -u | wc -l)" 1
is 'csv: calls to attach' "$(awk -F, '$1 == "\"software\"" && $2 == "\"type+ioctl\"" && $3 == 7 && $4 == "exit" { print $6 }' "$tmp/out")" 21

# Uprobes wait for each event, a multi link once.
run compare --scale=1,5,hz=100 -e uprobe --format=json
is 'uprobes: status' "$status" 0
cp "$tmp/out" "$tmp/scale.json"
is 'uprobes: what each way attaches to' "$(grep -o '"kind":"[a-z]*"' "$tmp/scale.json" | sort | uniq -c | tr -s ' ')" ' 5 "kind":"uprobe"'
if [ "$(cell 0 0 close.ns)" ]; then
	is 'tracefs: a line each' "$(cell 0 1 attach.lines)" 5
	is 'tracefs: closing removes them' "$(cell 0 1 close.lines_left)" 0
	# Another pload may have removed them first, of one or the other.
	left="$(cell 0 0 exit.lines_left) $(cell 0 0 kill.lines_left) $(cell 0 1 exit.lines_left) $(cell 0 1 kill.lines_left)"
	case " $left " in
	' 0 0 0 0 ') not_ok 'tracefs: a process that exits or is killed leaves them' "none is left: $left" ;;
	*' 5 '* | ' 1 '*) ok 'tracefs: a process that exits or is killed leaves them' ;;
	*) not_ok 'tracefs: a process that exits or is killed leaves them' "$left" ;;
	esac
	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ ! -r $dir/uprobe_events ] || is "tracefs: the lines of ended processes were removed ($dir)" \
			"$(grep -c ':pload/functions_' $dir/uprobe_events)" 0
	done
else
	skip 'tracefs: a line each' "$("$JSON" compare scale.ways.0.error.text <"$tmp/scale.json")"
fi
if [ "$(cell 4 1 close.ns)" ]; then
	is 'multi: one call and one descriptor' "$(cell 4 1 attach.calls) $(cell 4 1 close.calls) $(cell 4 1 attach.descriptors)" '1 1 1'
	[ "$by" = null ] || is 'multi: five are closed with fewer waits than there would be for each' \
		"$(($(waits 4 1 close) < 10))" 1
else
	skip 'multi: one call and one descriptor' "$("$JSON" compare scale.ways.4.error.text <"$tmp/scale.json")"
fi
# A trick is tried where closing takes long.
if [ "$(cell 3 1 close.ns)" ] && [ "$(cell 3 1 close.ns)" -ge 100000000 ]; then
	is 'tricks: each of five links was tried' "$(for trick in events_first disable threads; do cell 3 1 $trick.ns; done | grep -c '[0-9]')" 3
	is 'tricks: none of one link' "$(cell 3 0 threads.ns)" ''
	is 'tricks: disabling is one more call for each' "$(cell 3 1 disable.calls)" 15
else
	skip 'tricks: each of five links was tried' 'closing takes no time here'
fi
is 'prediction: its assumption' "$(grep -c '"assumes":"a way that waits' "$tmp/scale.json")" 1

# A signal ends it with what was measured. Twenty thousand attachments take longer than anybody waits.
"$PLOAD" compare --scale=1,20000 -e software >"$tmp/out" 2>"$tmp/err" &
pid=$!
tries=0
until [ "$(cat "/proc/$pid/task/$pid/children" 2>"$tmp/null" | wc -w)" -gt 0 ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
sleep 1
kill -INT $pid
wait $pid
is 'a signal: status' "$?" 130
has 'a signal: it is said' "$tmp/out" 'interrupted'

done_testing
