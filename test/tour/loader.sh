#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The smallest loader: each of its stages is a program, and the whole runs programs of clang by each method.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
loader=${PROGS%/progs}/tour-loader source=docs/tour/loader.c object=$tmp/references.o

# --- the text: short, alone, and its list names files that exist ---

code=$(sed -e 's|/\*.*\*/||' -e '\|/\*|,\|\*/|d' -e 's|//.*||' $source | grep -c '[^[:space:]]')
if [ "$code" -le 600 ]; then ok 'loader.c is short'; else not_ok 'loader.c is short' "$code lines of code"; fi
is 'loader.c includes no header of ours' "$(grep -c '^#include "' $source)" 0
awk '/^ \* It leaves out/ { on = 1 } /^ \*\// { exit } on' $source | grep -oE '(elf|loader|docs)/[a-z_./]+|, [a-z_]+\.c' >"$tmp/left_out"
for file in $(sed -n '/^[^,]/p' "$tmp/left_out"); do
	[ -e "$file" ]
	is "what it leaves out is in $file" $? 0
done
[ "$(grep -c . "$tmp/left_out")" -ge 12 ]
is 'the list of what it leaves out is found' $? 0

# --- the stages: each compiles, shows something, and what it shows is where the next one begins ---

compile_or_end docs/tour/references.bpf.c "$object"
refused=$(kernel_refuses)
: >"$tmp/shown"
for stage in 1 2 3 4 5 6 7 8 9 10; do
	awk -v stage=$stage -f test/tour/stage.awk $source >"$tmp/stage.c"
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -Wshadow -D_GNU_SOURCE -Iuapi -o "$tmp/stage$stage" "$tmp/stage.c" 2>"$tmp/err"
	is "stage $stage compiles without a warning" $? 0
	if [ $stage -ge 5 ] && [ -n "$refused" ]; then
		skip "stage $stage runs" "$refused"
		continue
	fi
	"$tmp/stage$stage" "$object" link 7 >"$tmp/out" 2>"$tmp/err" </dev/null
	is "stage $stage runs" $? 0
	head -c "$(wc -c <"$tmp/shown")" "$tmp/out" | cmp -s - "$tmp/shown"
	is "stage $stage shows what the stages before it show" $? 0
	[ "$(wc -l <"$tmp/out")" -gt "$(wc -l <"$tmp/shown")" ]
	is "stage $stage shows something" $? 0
	# How often the program ran differs from one time to the next.
	sed '/^link: the program ran /,$d' "$tmp/out" >"$tmp/shown"
done
cmp -s "$tmp/stage.c" $source
is 'the last stage is the whole file' $? 0

# --- what the stages show is what the object has ---

"$tmp/stage4" "$object" link >"$tmp/out"
has 'a program is not the whole section, nor all functions' "$tmp/out" "program top section=perf_event first=0 insns="
has 'a static function' "$tmp/out" "function mid section="
has 'a map of two variables' "$tmp/out" "map .bss type=2 key=4 value=16 entries=1 flags=0x0"
has 'a map of constants' "$tmp/out" "map .rodata type=2 key=4 value=8 entries=1 flags=0x80"
has 'a map that is declared' "$tmp/out" "map samples type=2 key=4 value=8 entries=1 flags=0x0"
for arch in arm64 riscv; do
	for name in ip_count cookie ringbuf profile; do
		$CLANG -O2 -g -target bpf -D__TARGET_ARCH_$arch -I. -Iuapi -c progs/$name.bpf.c -o "$tmp/other.o" 2>"$tmp/err" &&
			"$tmp/stage4" "$tmp/other.o" link >"$tmp/out" 2>"$tmp/err"
		is "$name for $arch: it is read" $? 0
		has "$name for $arch: its program" "$tmp/out" "program $name section="
	done
done

# --- what it refuses ---

# runs OBJECT METHOD [COOKIE]: its runs are counted, so that it has the event of one CPU: on two at a time programs lose a count, or find that the other has just inserted the element.
sed '/const bool by_pmu/i\	if (cpu) return -1;' $source >"$tmp/one.c"
${CC:-cc} -std=gnu11 -w -D_GNU_SOURCE -Iuapi -o "$tmp/one" "$tmp/one.c" 2>"$tmp/err"
is 'a loader for one CPU compiles' $? 0
runs() {
	held 0.3 "$tmp/one" "$@"
}
# refuses NAME STATUS TEXT ARG...
refuses() {
	name=$1 wanted=$2 text=$3
	shift 3
	"$loader" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$name: status" $? "$wanted"
	has "$name: message" "$tmp/err" "$text"
}
refuses 'no method' 2 'usage: ' "$object"
refuses 'no file' 1 'No such file or directory' "$tmp/none" link
refuses 'no object' 1 'is no BPF object' "$PLOAD" link
head -c 3000 "$object" >"$tmp/cut.o"
refuses 'a file that was cut off' 1 'is outside of the file' "$tmp/cut.o" link
[ -z "$refused" ] || skip_rest 'it runs programs' "$refused"
refuses 'a program for other events' 1 "section 'kprobe/do_filp_open,or=kprobe:do_file_open' is for other events" "$PROGS/kprobe.bpf.o" link
refuses 'a cookie, and no link' 1 'only a link passes a cookie' "$PROGS/cookie.bpf.o" ioctl 7

# --- it runs programs by each method ---

held 0.3 "$loader" "$PROGS/ip_count.bpf.o" link
is 'on all CPUs: status' $? 0
has 'on all CPUs: it runs' "$tmp/out" 'value hits '

for method in ioctl pmu link; do
	cookie=
	[ $method != link ] || cookie=7
	for name in ip_count cookie ringbuf profile; do
		# shellcheck disable=SC2086 # a cookie is none or one
		runs "$PROGS/$name.bpf.o" $method $cookie
		is "$name by $method: status" $? 0
		mv "$tmp/out" "$tmp/out.$name"
		runs=$(sed -n "s/^$method: the program ran \([0-9]*\) times\$/\1/p" "$tmp/out.$name")
		[ "${runs:-0}" -gt 0 ]
		is "$name by $method: it runs" $? 0
		has "$name by $method: its variable is read" "$tmp/out.$name" 'variable dropped 0'
	done
	runs=$(sed -n "s/^$method: the program ran \([0-9]*\) times\$/\1/p" "$tmp/out.cookie")
	has "cookie by $method: its cookie" "$tmp/out.cookie" "value runs ${cookie:-0} $runs"
	has "profile by $method: a constant" "$tmp/out.profile" 'variable ramp_up_period 1000'
	values=$(sed -n 's/^value event 0 //p' "$tmp/out.profile" | wc -w)
	is "profile by $method: a value for each CPU" "$values" "$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible | awk '{ print $1 + 1 }')"
	runs "$object" $method
	runs=$(sed -n "s/^$method: the program ran \([0-9]*\) times\$/\1/p" "$tmp/out")
	[ "${runs:-0}" -gt 0 ]
	is "references by $method: it runs" $? 0
	has "references by $method: the map" "$tmp/out" "value samples 0 $runs"
	has "references by $method: a variable of .bss" "$tmp/out" "variable leaves $runs"
	has "references by $method: the variable after it, and the functions" "$tmp/out" "variable sum $((3 * runs))"
	has "references by $method: a variable of .data, and the callback" "$tmp/out" "variable steps $((100 + 2 * runs))"
	has "references by $method: a constant" "$tmp/out" 'variable limit 1000000'
done
done_testing
