#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload probe: a capability that it reports can be used, and one that it reports as absent is refused.
. test/cli/lib.sh

refused 'a part that there is none of' 2 'nonsense' probe nonsense
run probe --help
is 'help' "$status" 0
has 'help: the parts' "$tmp/out" 'all|events|features|types|helpers'

skip_rest_if 'what this kernel can do' "$(kernel_refuses)"

# answer KEY NAME VALUE - the VALUE of the message whose KEY is NAME, in $tmp/out.
answer() { sed -n "s/.*\"$1\":\"$2\".*\"$3\":\"\([^\"]*\)\".*/\1/p" "$tmp/out" | head -n 1; }

run probe --format=json events
is 'events: status' "$status" 0
cp "$tmp/out" "$tmp/events"
# Software events cannot be attached by link before Linux 5.15, which a session finds, too.
run --attach=link -e cpu-clock -d 0 "$PROGS/ip_count.bpf.o"
methods=3
[ "$status" = 0 ] || methods=2
is "events: the clock fires by $methods methods" \
	"$(grep '"event":"cpu-clock"' "$tmp/events" | grep -o '"outcome":"fires"' | grep -c .)" $methods
is 'events: and is absent by the others' \
	"$(grep '"event":"cpu-clock"' "$tmp/events" | grep -o '"outcome":"absent"' | grep -c .)" $((3 - methods))
# An event that fires for pload probe fires in a session, and one that is absent is refused there.
firing=$(sed -n 's/.*"group":"software","event":"\([a-z-]*\)".*"attach":"ioctl","outcome":"fires".*/\1/p' "$tmp/events" | head -n 1)
run --attach=ioctl -e "$firing" -d 0 "$PROGS/ip_count.bpf.o"
is "events: what fires can be attached ($firing)" "$status" 0
for event in $(sed -n 's/.*"event":"\([a-zA-Z0-9-]*\)".*"attach":"ioctl","outcome":"absent".*/\1/p' "$tmp/events" | head -n 2); do
	run --attach=ioctl -e "$event" -d 0 "$PROGS/ip_count.bpf.o"
	is "events: what is absent is refused ($event)" "$status" 1
done
for event in dummy bpf-output; do
	is "events: $event is taken, and never runs" \
		"$(grep "\"event\":\"$event\"" "$tmp/events" | grep -o '"outcome":"silent"' | grep -c .)" $methods
done
if grep -q '"attach":"link","outcome":"fires"' "$tmp/events"; then
	is 'events: a link hands the cookie over' \
		"$(grep '"event":"page-faults"' "$tmp/events" | grep -c '"cookie":482855575908')" 1
else
	skip 'events: a link hands the cookie over' 'this kernel has no links for perf events'
fi
run probe events cpu-clock page-faults
is 'events: patterns pick' "$(awk 'NR > 1 { print $1 }' "$tmp/out" | tr '\n' ' ')" 'cpu-clock page-faults '

run probe --format=json features
is 'features: status' "$status" 0
links=$(answer feature 'perf_event programs bound by a link' answer)
run --attach=link -e cpu-clock -d 0 "$PROGS/ip_count.bpf.o"
is 'features: links are there, as a session finds' "$links" "$([ "$status" = 0 ] && echo yes || echo no)"

run probe --format=json helpers BPF_PROG_TYPE_PERF_EVENT
is 'helpers: status' "$status" 0
is 'helpers: perf_event programs look into maps' "$(answer helper bpf_map_lookup_elem answer)" yes
is 'helpers: and send no packets' "$(answer helper bpf_skb_store_bytes answer)" no
is 'helpers: locks are refused with their map' "$(answer helper bpf_spin_lock answer)" no
is 'helpers: and bpf_get_func_ip by name' "$(answer helper bpf_get_func_ip answer)" no
run probe --format=json helpers bpf_perf_event_read
is 'helpers: a program that may sleep has no map for it' \
	"$(answer prog_type BPF_PROG_TYPE_SYSCALL answer)" no
run probe helpers BPF_PROG_TYPE_PERF_EVENT
has 'helpers: where the documentation is wrong it is said' "$tmp/out" 'documented as yes'
run probe --format=json types
is 'types: perf_event programs load' "$(answer prog_type BPF_PROG_TYPE_PERF_EVENT answer)" yes

# The summary counts what each part prints. What fires depends on the moment: only the number of events is compared.
run probe --format=json all
is 'all: status' "$status" 0
cp "$tmp/out" "$tmp/all"
run probe --format=json
is 'the summary: status' "$status" 0
# sum OF [ANSWER] - how many tests of this part the summary has in its first row, or of those that have ANSWER.
sum() {
	grep -m 1 "\"of\":\"$1\"" "$tmp/out" | sed 's/.*"answers":{\([^}]*\)}.*/\1/' | tr ',' '\n' | tr -d '"' |
		awk -F: -v answer="$2" 'answer == "" || $1 == answer { n += $2 } END { print n + 0 }'
}
is 'the summary: events' "$(sum events)" "$(grep -c '"probe-event"' "$tmp/all")"
is 'the summary: a row for each method, after that of all' "$(sed -n 's/.*"of":"events"\(,"attach":"\([a-z]*\)"\)\{0,1\}.*/\2./p' "$tmp/out" | tr -d '\n')" .ioctl.pmu.link.
# An event that is absent by each method is missing.
is 'the summary: events that are missing' "$(grep -m 1 '"of":"events"' "$tmp/out" | sed -n 's/.*"missing":\[\([^]]*\)\].*/\1/p' | tr -d '"' | tr ',' '\n' | grep -v : | tr '\n' ' ')" \
	"$(sed -n 's/.*"event":"\([^":]*\)".*"absent".*"absent".*"absent".*/\1/p' "$tmp/all" | tr '\n' ' ')"
for part in features:probe-feature types:probe-prog-type helpers:probe-helper; do
	for answer in yes no sleepable; do
		is "the summary: ${part%:*}, $answer" "$(sum "${part%:*}" $answer)" "$(grep "\"${part#*:}\"" "$tmp/all" | grep -c "\"answer\":\"$answer\"")"
	done
done
is 'the summary: features that are missing' "$(grep '"of":"features"' "$tmp/out" | sed -n 's/.*"missing":\["\(.*\)"\].*/\1/p' | sed 's/","/\n/g')" \
	"$(sed -n 's/.*"feature":"\([^"]*\)".*"answer":"no".*/\1/p' "$tmp/all")"
is 'the summary: helpers that differ from the documentation' "$(sed -n 's/.*"not_documented":\([0-9]*\).*/\1/p' "$tmp/out")" \
	"$(grep '"probe-helper"' "$tmp/all" | grep -cE '"answer":"yes","documented":false|"answer":"no","documented":true')"
run probe
is 'the summary: fits on a screen' "$(awk 'length > 80' "$tmp/out")$(($(wc -l <"$tmp/out") < 24))" 1
has 'the summary: how to see the rest' "$tmp/err" 'pload probe all prints every test'
run probe all cpu-clock
is 'all: with a pattern' "$(awk '/^ / { print $1 }' "$tmp/out")" cpu-clock

# Without privilege each answer is that.
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PLOAD" probe features >"$tmp/out" 2>"$tmp/err" </dev/null
	is 'nobody: status' "$?" 0
	has 'nobody: is denied, and told so' "$tmp/out" 'denied'
else
	skip 'nobody: is denied, and told so' 'setpriv cannot become nobody here'
fi
done_testing
