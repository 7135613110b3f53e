#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reasons that files and options alone give: the code, the place and the hint of each. No privilege is needed.
# Lane: free
. test/cli/lib.sh

good=$PROGS/ip_count.bpf.o
obj=$tmp/x.o

# compile C-TEXT - an object of ours, for this test only.
compile() {
	printf '%s\n' '#include <linux/bpf.h>' '#include <bpf/bpf_helpers.h>' \
		'char LICENSE[] SEC("license") = "GPL";' "$1" >"$tmp/x.c"
	${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/x.c" -o "$obj" 2>"$tmp/cc" || sed 's/^/# /' "$tmp/cc"
}
# reason CODE PLACE HINT ARG... - these arguments are refused with this reason, in a dry run.
reason() {
	code=$1 hint=$3
	place=$2
	shift 3
	refused "$code: ${*##*/}" 1 "$place" --dry-run "$@"
	has "$code: the code" "$tmp/err" "[$code]"
	has "$code: the hint" "$tmp/err" "$hint"
	run explain "$code"
	is "$code: its page" "$status" 0
}

# --- files ---

reason object/no-file "$tmp/none.o" 'path of a BPF object' "$tmp/none.o"
reason object/not-a-file "$tmp: " 'regular file' "$tmp"
reason object/not-a-file '/dev/null: ' 'regular file' /dev/null
truncate -s 257M "$tmp/large.o"
reason object/too-large "$tmp/large.o" 'the limit is 268435456' "$tmp/large.o"
rm "$tmp/large.o"
echo 'no object, and long enough to have the header of one, had it been written as one' >"$tmp/text.o"
reason object/elf "$tmp/text.o" 'clang -target bpf' "$tmp/text.o"

# --- objects with invalid contents ---

compile 'SEC("socket") int p(void *ctx) { return 0; }'
reason attach/no-link "prog 'p'" 'SO_ATTACH_BPF' --attach=link "$obj"
compile 'struct { __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); } m SEC(".maps");
SEC("perf_event") int p(void *ctx)
{
	__u64 x = bpf_perf_event_read(&m, BPF_F_CURRENT_CPU);

	return bpf_perf_event_output(ctx, &m, BPF_F_CURRENT_CPU, &x, sizeof(x));
}'
reason output/map-use "map 'm'" 'use separate maps' -e cpu-clock "$obj"
compile 'SEC("xdp") int p(void *ctx) { return 2; }'
reason attach/no-target "prog 'p'" '--dev=lo' --attach=link "$obj"
compile 'SEC("cgroup/dev") int p(void *ctx) { return 1; }'
reason attach/no-target "prog 'p'" '--cgroup=' --attach=link "$obj"
compile 'SEC("tracepoint") int p(void *ctx) { return 0; }'
reason attach/no-target 'section "tracepoint" does not name a tracepoint' 'sched_switch' "$obj"

# --- options ---

reason object/map-option '--map hits.type=1' 'max_entries' --map hits.type=1 "$good"
reason object/map-option '--map hist.max_entries=1' "'hits'" --map hist.max_entries=1 "$good"
reason object/set '--set droppd=1' "'dropped'" --set droppd=1 "$good"
reason object/no-program '--prog=nobody' "'ip_count'" --prog=nobody "$good"

# --- files that are no object ---

report() {
	refused "$1: ${*##*/}" 1 "$2" compare --from="$3"
	has "$1: the code" "$tmp/err" "[$1]"
}
report report/file "$tmp/none.json" "$tmp/none.json"
report report/not-json "$tmp/text.o" "$tmp/text.o"
refused 'usage/code' 1 "no reason 'no/such'" explain no/such
has 'usage/code: the code' "$tmp/err" '[usage/code]'
refused 'usage/attr' 1 "--attr does not know 'BPF_PROG_LOUD'" explain --attr BPF_PROG_LOUD
has 'usage/attr: the code' "$tmp/err" '[usage/attr]'

# --- the output ---

if [ -c /dev/full ]; then
	"$PLOAD" explain >/dev/full 2>"$tmp/err"
	is 'output/failed: status' $? 1
	has 'output/failed: what and the code' "$tmp/err" 'No space left on device [output/failed]'
else
	skip 'output/failed' 'there is no /dev/full'
fi
done_testing
