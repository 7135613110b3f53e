#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/tour/co_re.c computes each record as pload writes it into the instruction, for an object with a record of each kind.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
object=$tmp/fields.o
compile_or_end docs/tour/fields.bpf.c "$object"
skip_rest_if 'records' "$([ -r /sys/kernel/btf/vmlinux ] || echo 'this kernel has no /sys/kernel/btf/vmlinux')"
"${PROGS%/progs}/tour-co_re" "$object" >"$tmp/out" 2>"$tmp/err"
is 'it runs' $? 0
is 'a record of each kind but TYPE_MATCHES' "$(sed -n 's/.*: kind \([0-9]*\), .*/\1/p' "$tmp/out" | sort -nu | tr '\n' ' ')" '0 1 2 3 4 5 6 7 8 9 10 11 '
"$PLOAD" inspect --insns "$object" >"$tmp/insns"

# The value is the last word of the instruction.
while read -r _ _ number rest; do
	number=${number%:}
	wanted=${rest##*: }
	got=$(awk -v n="$number:" '$1 == n { print $NF; exit }' "$tmp/insns")
	case $got in poison#*) got=poison ;; *) got=$((got)) ;; esac
	is "instruction $number, ${rest%: *}" "$got" "$wanted"
done <"$tmp/out"

# The struct of the object has four members, at offsets that no kernel has: they were looked up by name.
has 'a field that no kernel since 5.14 has: asked for' "$tmp/out" 'kind 2, task_struct___old 0:0: '
is 'what is asked for and what is used agree' \
	"$(sed -n 's/.*kind [02], task_struct___old 0:0: //p' "$tmp/out" | sed 's/^[1-9][0-9]*$/there/;s/^0$/missing/;s/poison/missing/' | sort -u | wc -l | tr -d ' ')" 1
"${PROGS%/progs}/tour-co_re" "$tmp/none" >"$tmp/out" 2>"$tmp/err"
is 'a file that does not exist: status' $? 1
has 'a file that does not exist: message' "$tmp/err" 'No such file'
done_testing
