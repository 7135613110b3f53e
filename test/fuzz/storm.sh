#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A session with sanitizers samples all processes for SECONDS, while a user's processes execute, end, rename, map and damage files
# as fast as they can. Prints each finding; the status is 1 if there is one.
# usage: storm.sh SECONDS HOSTILE PLOAD PROGS
set -u
[ $# = 4 ] || { echo "usage: $0 SECONDS HOSTILE PLOAD PROGS" >&2; exit 2; }
seconds=$1 hostile=$2 pload=$3 progs=$4
[ "$(id -u)" = 0 ] || { echo 'skipped storm: it takes root'; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$dir"

# Freed memory is kept for a while to find accesses to it: without that, all of it is counted.
ASAN_OPTIONS=quarantine_size_mb=16:thread_local_quarantine_size_kb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS
SECONDS_TO_END=60 MEMORY_MB=1024

"$hostile" run storm "$dir" $((seconds + SECONDS_TO_END)) '' "$pload" --attach=ioctl -d "$seconds" -e cpu-clock -F 999 --format=json \
	"$progs/profile.bpf.o" >"$dir/said"
said() { sed -n "s/^$1=//p" "$dir/said"; }
findings=0
finding() { findings=$((findings + 1)); echo "storm: $1"; }

[ -z "$(said skip)" ] || { echo "skipped storm: $(said skip)"; exit 0; }
[ "$(said status)" = 0 ] || finding "status: $(said status)"
[ "$(said ms)" -ge $((seconds * 1000)) ] || finding "it ended after $(said ms) ms"
[ "$(said peak_mb)" -lt $MEMORY_MB ] || finding "$(said peak_mb) MB of memory"
[ -z "$(said left)" ] || finding "left: $(said left | tr '\n' ' ')"
! grep -aE 'ERROR: |runtime error|SUMMARY' "$dir/err" || finding 'a sanitizer has reported'
grep -q '"type":"summary"' "$dir/out" || finding 'no summary was printed'
grep -q well_behaved "$dir/out" || finding 'well_behaved is not named'
iconv -f UTF-8 -t UTF-8 "$dir/out" >/dev/null 2>&1 || finding 'its output is no UTF-8'
[ "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$dir/out" | wc -c)" = 0 ] || finding 'its output has control bytes'
printf '%-10s %9s ms %6s MB %8s findings\n' storm "$(said ms)" "$(said peak_mb)" $findings
[ $findings = 0 ] || sed 's/^/    /' "$dir/err" | head -n 60
[ $findings = 0 ]
