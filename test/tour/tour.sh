#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tour runs its program by each method, is short, and uses the core alone; the one without the loader has the same effect.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
build=${PROGS%/progs}

# ran NAME - $tmp/out says of each method that the program ran.
ran() {
	for method in ioctl pmu link; do
		runs=$(sed -n "s/^$method: the program ran \([0-9]*\) times\$/\1/p" "$tmp/out")
		if [ "${runs:-0}" -gt 0 ]; then ok "$1: by $method it runs"; else not_ok "$1: by $method it runs" "'$runs' times"; fi
	done
}

refused=$(kernel_refuses)
for name in tour raw; do
	if [ -n "$refused" ]; then
		skip "$name" "$refused"
		continue
	fi
	if [ $name = tour ]; then set -- "$PROGS/ip_count.bpf.o"; else set --; fi
	"$build/$name" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$name: status" $? 0
	ran "$name"
done
"$build/tour" "$0" >"$tmp/out" 2>"$tmp/err"
is 'tour: a file that is no object: status' $? 1
has 'tour: a file that is no object: it is named' "$tmp/err" "$0"

for pair in tour:200 raw:150; do
	lines=$(wc -l <"docs/tour/${pair%:*}.c")
	if [ "$lines" -le "${pair#*:}" ]; then ok "${pair%:*}.c is short"; else not_ok "${pair%:*}.c is short" "$lines lines"; fi
done
is 'tour.c includes headers of core rooms alone' \
	"$(sed -n 's/^#include "\(.*\)"/\1/p' docs/tour/tour.c | grep -vE '^(elf|loader/core/(sys|object|kernel|event|attach))/[a-z_]+\.h$')" ''
is 'raw.c includes no header of ours' "$(grep -c '^#include "' docs/tour/raw.c)" 0
done_testing
