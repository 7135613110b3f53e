#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Broken programs as people write them, and the output of pload for each: test/diagnostics/NAME.bpf.c and NAME.out.
. test/cli/lib.sh

# A register's number and a condition are the compiler's choice, and a column differs between its versions. After the nearest name,
# each kernel has others.
stable() {
	sed -E 's/[Rr][0-9]+/R/g; s/^(test[^:]*:[0-9]+):[0-9]+:/\1:/; s/note: [^:]* is (true|false):/note: branch:/
		s/(did you mean [^,?]*).*/\1/'
}

# told - prints the lines of the last run's output that a compiler would print, and the remedy.
told() { grep -E '^test/diagnostics/|^  hint: ' "$tmp/out" | stable; }

reason=$(kernel_refuses)
for source in test/diagnostics/*.bpf.c; do
	name=${source##*/}
	name=${name%.bpf.c}
	if [ -n "$reason" ]; then
		skip "$name" "$reason"
		continue
	fi
	if ! ${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$source" -o "$tmp/$name.o" 2>"$tmp/err"; then
		not_ok "$name: is compiled" "see above"
		continue
	fi
	case $name in
	core_*)
		if [ ! -e /sys/kernel/btf/vmlinux ]; then
			skip "$name" 'there is no /sys/kernel/btf/vmlinux'
			continue
		fi
		;;
	esac
	run load "$tmp/$name.o"
	told >"$tmp/told"
	stable <"test/diagnostics/$name.out" >"$tmp/wanted"
	if cmp -s "$tmp/told" "$tmp/wanted"; then
		ok "$name: its error, path and remedy"
	else
		not_ok "$name: its error, path and remedy" "$(diff "$tmp/wanted" "$tmp/told")"
	fi
done
[ -z "$reason" ] || { done_testing; exit 0; }

# --- where it is printed ---

run -d 0 --attach=ioctl -e cpu-clock "$tmp/null_lookup.o"
is 'a session fails' "$status" 1
is 'a session begins with the line' "$(head -n 1 "$tmp/err")" \
	'test/diagnostics/null_lookup.bpf.c:20:5: error: R0 (a pointer to a value of map '\''hits'\'') may be NULL: *v += 1;'
has_not 'the call is left out' "$tmp/err" 'call: bpf('
has_not 'so is the log' "$tmp/err" 'processed'
run -v -d 0 --attach=ioctl -e cpu-clock "$tmp/null_lookup.o"
has '-v: the call' "$tmp/err" 'call: bpf(BPF_PROG_LOAD'
has '-v: the log' "$tmp/err" 'processed'
has '-v: the line' "$tmp/err" 'null_lookup.bpf.c:20:5: error: R0 (a pointer to a value of map'

run load --format=json "$tmp/null_on_one_path.o"
is 'JSON: status' "$status" 1
for field in '"problem":"R6 (a pointer to a value of map '\''hits'\'') may be NULL"' '"file":"test/diagnostics/null_on_one_path.bpf.c"' '"line":25' '"column":5' \
	'"source":"*v += 1;"' '"insn":20' '"reason":"prog-load/verifier"' \
	'"path":[{"note":"r6 == 0x0 is false","file":"test/diagnostics/null_on_one_path.bpf.c","line":19,"column":6,"source":"if (!v)",'; do
	has "JSON: ${field%%:*}" "$tmp/out" "$field"
done

run load "$tmp/null_lookup.o" "$tmp/null_reserve.o"
is 'several objects: one line for each' "$(grep -c '^' "$tmp/out")" 2
has 'several objects: the location' "$tmp/out" \
	"Permission denied: test/diagnostics/null_lookup.bpf.c:20:5: R0 (a pointer to a value of map 'hits') may be NULL: *v += 1; [prog-load/verifier]"

# Without debug information there are no lines: the instruction takes their place.
if ${CLANG:-clang} -O2 -target bpf -I. -Iuapi -c test/diagnostics/kernel_pointer.bpf.c -o "$tmp/plain.o" 2>"$tmp/err"; then
	run -d 0 --attach=ioctl -e cpu-clock "$tmp/plain.o"
	is 'without -g: the instruction' "$(head -n 1 "$tmp/err")" \
		'instruction 1: error: R0 is a number, not a pointer: (79) r1 = *(u64 *)(r0 +0)'
else
	not_ok 'without -g: is compiled' 'see above'
fi

done_testing
