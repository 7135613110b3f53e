#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Times `perf script` over samples with call stacks, for the row beside pload's.
# usage: perf_script.sh PERF DIR
set -eu
perf=$1 data=$2/profile.data
trap 'rm -f "$data" "$data.times" "$data.text"' EXIT
"$perf" record -q -a -g -e cpu-clock -F 4000 -o "$data" -- \
	sh -c 'i=0; while [ $i -lt 100 ]; do ls -R /etc >/dev/null; i=$((i + 1)); done' 2>/dev/null
times >"$data.times"
"$perf" script -i "$data" >"$data.text" 2>/dev/null
times >>"$data.times"
# Lines 2 and 4 have the user and system time of the children until then: 0m1.25s 0m0.50s
awk -v samples="$(grep -c '^[^[:space:]]' "$data.text")" '
	function seconds(text,  part) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
	NR == 2 { begin = seconds($1) + seconds($2) }
	NR == 4 { used = seconds($1) + seconds($2) - begin }
	END {
		printf "figure\tsymbols\t1,000,000 samples, one by one\tperf script\ts\t%.2f\n", used * 1e6 / samples
	}' "$data.times"
