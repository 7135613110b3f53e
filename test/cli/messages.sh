#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/output.md: each message has a row there, and each field of a message stands in its row.
# Lane: free
. test/cli/lib.sh

# Rows: "| `type` | when | fields |". What is in backquotes in the third column are names.
grep -oE '^\| `[a-z-]+` \|' docs/output.md | tr -d '|` ' | grep -v '^type$' | sort >"$tmp/rows"
is 'docs: each message once' "$(uniq -d "$tmp/rows")" ''

# Types of messages in the source: what is given to message_new(), and the table of maps. Headlines of a text (-begin, -more) are
# no messages of their own.
find loader -name "*.c" -exec cat {} + | tr '\n\t' '  ' | grep -oE 'message_new\([^)]*\)' | grep -oE '"[a-z-]+"' >"$tmp/named"
grep -oE '"[a-z-]+", rows_print' loader/sessions/rows/print_maps.c | grep -oE '"[a-z-]+"' >>"$tmp/named"
tr -d '"' <"$tmp/named" | grep -vE '^(map|links|events|programs|counters)-(begin|more)$' | sort -u >"$tmp/types"
is 'there are messages' "$(($(wc -l <"$tmp/types") > 20))" 1
# A message with an ID is in the row of the one without; those of inspect are in its schema, with which test/cli/inspect.sh compares them.
grep -oE '"const": "inspect-[a-z-]+"' docs/inspect.schema.json | grep -oE 'inspect-[a-z-]+' >>"$tmp/rows"
sort -u -o "$tmp/rows" "$tmp/rows"
is 'docs: each message of the source has a row' \
	"$(comm -23 "$tmp/types" "$tmp/rows" | grep -vE '^(link|program)-details$' | tr '\n' ' ')" ''
is 'docs: each row is of a message in the source' \
	"$(comm -13 "$tmp/types" "$tmp/rows" | grep -vE '^(compare|profile|session)$' | tr '\n' ' ')" ''

# --- fields, of what can be had without privileges and of what this machine lets us have ---

: >"$tmp/fields"
# says ARG... - the fields of what it says go to the list, whether it succeeds or not.
says() {
	run "$@"
	"$JSON" fields <"$tmp/out" >>"$tmp/fields"
}
says explain --format=json
says explain --format=json perf-open/no-pmu
says list --format=json
says list --format=json '*'
says load --format=json --dry-run -v "$PROGS/ip_count.bpf.o"
says load --format=json -v --skip-failing "$PROGS/tc_output.bpf.o"
says load --format=json "$tmp/none.o"
says --format=json --dry-run -d 0 -e cpu-clock "$PROGS/profile.bpf.o"
says --format=json --dry-run --test-run "$PROGS/xdp_output.bpf.o"
says --format=json --dry-run -d 0 -e cycles,or=cpu-clock "$PROGS/ip_count.bpf.o"
says --format=json -d 0.1 -e cpu-clock "$PROGS/profile.bpf.o"
says --format=json -d 0.1 -e cpu-clock "$PROGS/ip_count.bpf.o"
says --format=json --test-run "$PROGS/xdp_output.bpf.o"
says --format=json -d 0.1 "$PROGS/event_output.bpf.o"
says stat --format=json -e context-switches -d 0.01
says show --format=json
says probe --format=json
says probe --format=json features
says probe --format=json types
says probe --format=json events cpu-clock
says probe --format=json helpers bpf_ktime_get_ns
# A link has fields of its type, of which the row names some.
sort -u "$tmp/fields" | grep -v -e ' type$' -e '^link ' >"$tmp/had"
is 'fields: of messages' "$(($(cut -d' ' -f1 "$tmp/had" | sort -u | wc -l) >= 7))" 1
: >"$tmp/lacking"
while read -r type field; do
	grep "^| \`$type\` |" docs/output.md | grep -qF -- "\`$field\`" || echo "$type.$field" >>"$tmp/lacking"
done <"$tmp/had"
is 'docs: each field is in the row of its message' "$(tr '\n' ' ' <"$tmp/lacking")" ''
done_testing
