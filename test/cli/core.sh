#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The core alone: what it is linked with, how much code it has, and that its sessions end as those of pload.
# Lane: kernel
. test/cli/lib.sh

core=${CORE:-build/pload-core} pload=$PLOAD

lines=$(sh test/house/code)
is 'the core has at most 15,950 lines of code' "$([ "$lines" -le 15950 ] && echo yes || echo "$lines")" yes

is 'it needs neither json-c, lzma nor libiberty' \
	"$(strings -a "$core" | grep -cE '^(json_c_version|lzma_code|cplus_demangle)')" 0
is 'it is smaller than pload by half' "$([ $(($(stat -c %s "$core") * 2)) -lt "$(stat -c %s "$pload")" ] && echo yes)" yes

skip_rest_if 'sessions' "$(kernel_refuses)"

# shape - maps and records as they were printed, but for what differs from one session to the next; the core adds up no CPUs
shape() { sed -E -e 's/0x[0-9a-f]+/N/g' -e 's/[0-9]+/N/g' -e 's/"sum":[^,]*,//' "$tmp/out" | grep -E '^{"type":"(record|map|data)"' | sort -u | cut -c 1-33 | sort -u; }

for method in ioctl pmu link; do
	for name in cookie ip_count profile ringbuf event_output; do
		events='-e cpu-clock'
		[ $name != event_output ] || events=
		PLOAD=$core
		# shellcheck disable=SC2086 # no event is no word
		run --attach=$method $events -d 0.5 --format=json "$PROGS/$name.bpf.o"
		is "$method $name: status" "$status" 0
		is "$method $name: by which method" "$(value summary attach)" "$method"
		is "$method $name: it ran" "$([ "$(value summary programs.0.run_cnt)" -gt 0 ] && echo yes)" yes
		shape >"$tmp/core"
		PLOAD=$pload
		# shellcheck disable=SC2086
		run --attach=$method $events -d 0.5 --format=json "$PROGS/$name.bpf.o"
		is "$method $name: rows and records look like those of pload" "$(cat "$tmp/core")" "$(shape)"
	done
done

# core_refused NAME WHAT ARGUMENT... - pload-core ends with one error that says WHAT.
core_refused() {
	test=$1 what=$2
	shift 2
	run "$@"
	is "$test: status" "$status" 1
	is "$test: one error" "$(grep '^pload-core: ' "$tmp/err" | grep -vc '^pload-core: note: ')" 1
	has "$test: what" "$tmp/err" "$what"
}

PLOAD=$core
run --attach=link --cookie=7 -e cpu-clock -d 0.5 --format=json "$PROGS/cookie.bpf.o"
is 'a cookie reaches the program' "$(value summary programs.0.cookie)" 7
core_refused 'a cookie without a link' 'cannot pass a cookie' --attach=ioctl --cookie=7 "$PROGS/cookie.bpf.o"
run -e cpu-clock -C 0 -p $$ -d 0.1 --trace "$PROGS/ip_count.bpf.o"
has '--trace: a call' "$tmp/err" 'perf_event_open(0x'
run -d 0 "$PROGS/ip_count.bpf.o"
has 'a note begins with its name' "$tmp/err" "pload-core: note: program 'ip_count' runs on the default event"
run --help
is '--help has its name, and no list of commands' "$(sed -n 1p "$tmp/out"; grep -c 'Other commands' "$tmp/out")" 'usage: pload-core [options] prog.o
0'

# The error has the name of the feature that is not linked.
while read -r name what; do
	core_refused "$name: it is named" "this object has $what" -d 0.1 "$PROGS/$name.bpf.o"
	has "$name: its reason" "$tmp/err" '[object/feature]'
done <<'EOF'
task_tree CO-RE relocations
counter_read a map that programs read counters from
EOF
core_refused 'kprobe: the section is named' "this object has programs in section 'kprobe/" -d 0.1 "$PROGS/kprobe.bpf.o"
core_refused 'the grammar of perf is another feature' 'is no event' -e '{cycles,cs}' "$PROGS/ip_count.bpf.o"
done_testing
