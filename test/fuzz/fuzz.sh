#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs libFuzzer targets, two at a time, for SECONDS each, and prints a table of the results.
# usage: fuzz.sh SECONDS DIR TARGET...
set -u
[ $# -ge 3 ] || { echo "usage: $0 SECONDS DIR TARGET..." >&2; exit 2; }
seconds=$1 dir=$2
shift 2
here=$(dirname "$0")

LIMITS='-timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=512'
# Small stacks of allocations and a short quarantine: most of the time would go into them.
ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=4:thread_local_quarantine_size_kb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

# The seeds with which a target begins, and the maximum length of its inputs.
seeds() {
	case $1 in
	btf | btf_ext | config | core | events | exec | externs | report | set | struct_ops | types) echo "$dir/seeds/$1" ;;
	*) echo "$dir/seeds/elf" ;;
	esac
}
max_len() {
	case $1 in
	core | externs | report | struct_ops) echo 8192 ;;
	*) echo 4096 ;;
	esac
}

# Each target has a corpus that grows from run to run.
run() {
	corpus=$dir/corpus/$1
	set -- "$1" "-max_len=$(max_len "$1")" "-dict=$here/names.dict" "-artifact_prefix=$dir/found-$1-" "-max_total_time=$seconds"
	mkdir -p "$corpus"
	set -- "$@" "$corpus" "$(seeds "$1")"
	target=$1
	shift
	# shellcheck disable=SC2086 # the limits are several words
	"$dir/$target" $LIMITS -print_final_stats=1 "$@" >"$dir/log-$target" 2>&1 </dev/null
	echo $? >"$dir/status-$target"
}

# The reproducer of a finding, and how it is run again.
finding() {
	file=$(sed -n 's/.*Test unit written to //p' "$dir/log-$1" | tail -n 1)
	grep -E 'does not hold|runtime error|ERROR: |SUMMARY' "$dir/log-$1" | head -n 4
	echo "run it again: $dir/$1 ${file:-$dir/log-$1}"
}

row() {
	log=$dir/log-$1
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
	edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	found=0
	[ "$(cat "$dir/status-$1")" = 0 ] || found=1
	printf '%-10s %12s %9s %8s %9s\n' "$1" "${runs:-0}" "${rate:-0}" "${edges:-0}" $found
}

if [ ! -x "$dir/$1" ]; then
	echo "skipped: this clang has no libFuzzer (Debian: libclang-rt-NN-dev)"
	exit 0
fi
printf '%-10s %12s %9s %8s %9s\n' target executions exec/s edges findings
trap 'exit 130' INT TERM
all=$*
while [ $# -gt 0 ]; do
	first=$1 second=${2:-}
	run "$first" &
	[ -z "$second" ] || run "$second" &
	wait
	for target in $first $second; do
		row "$target"
		shift
	done
done
failed=0
for target in $all; do
	[ "$(cat "$dir/status-$target")" = 0 ] && continue
	failed=1
	echo
	echo "$target:"
	finding "$target"
done
exit $failed
