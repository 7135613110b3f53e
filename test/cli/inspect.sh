#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload inspect: the parts of an object, its instructions beside llvm-objdump's, and damaged and hostile files.
# Lane: free
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o

# --- the overview ---

run inspect "$object"
is 'the overview: status' "$status" 0
has 'the overview: the license' "$tmp/out" 'license "Dual BSD/GPL"'
insns=$("$PLOAD" inspect --sections --format=json "$object" | sed -n 's/.*"name":"perf_event".*"size":\([0-9]*\).*/\1/p')
has 'the overview: a program' "$tmp/out" "program ip_count, section \"perf_event\", $((insns / 8)) instructions"
has 'the overview: its type, and what decided it' "$tmp/out" \
	'BPF_PROG_TYPE_PERF_EVENT (the section name begins with "perf_event")'
has 'the overview: the helpers that it calls' "$tmp/out" 'bpf_map_lookup_elem, bpf_map_update_elem'
has 'the overview: the maps that it uses' "$tmp/out" 'hits, .bss'
has 'the overview: a map' "$tmp/out" 'map hits: BPF_MAP_TYPE_HASH, 16384 elements, key 8 bytes'
has 'the overview: a variable' "$tmp/out" 'variable __u64 dropped, in .bss at 0, 8 bytes'
is 'the overview: one screen' "$(awk 'END { print NR < 25 }' "$tmp/out")" 1
run inspect --format=json "$object" "$PROGS/kprobe.bpf.o"
is 'several objects: a message for each' "$(grep -c '"type":"inspect-file"' "$tmp/out")" 2
refused 'no file' 2 'no object file given' inspect
refused 'a file that does not exist' 1 'No such file' inspect "$tmp/none.o"

cat >"$tmp/kfunc.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
extern void bpf_rcu_read_lock(int) __attribute__((section(".ksyms")));
__u64 four[4][3];
SEC("syscall") int wrong(void *ctx)
{
	bpf_rcu_read_lock(1);
	return four[0][1];
}
char LICENSE[] SEC("license") = "GPL";
END
$CLANG -O2 -g -target bpf -I. -Iuapi -c "$tmp/kfunc.bpf.c" -o "$tmp/kfunc.o" 2>"$tmp/err"
run load "$tmp/kfunc.o"
words=$(sed -n 's/^[^ ]*kfunc.bpf.c:[0-9:]* error: \(.*\): .*;$/\1/p' "$tmp/out" "$tmp/err" | head -n 1)
run inspect "$tmp/kfunc.o"
if [ -n "$words" ]; then
	has 'the overview: a refusal has the words of loading' "$tmp/out" "program wrong: extern 'bpf_rcu_read_lock': $words [externs/"
else
	skip 'the overview: a refusal has the words of loading' 'this kernel takes the function, or has no types'
fi
has 'the overview: an array has its size' "$tmp/out" 'variable __u64 four[4][3], in .bss'

# --- tables and bytes ---

run inspect --sections --symbols --relocs --format=json "$object"
if command -v readelf >/dev/null; then
	is 'sections: as many as readelf has' "$(grep -c '"type":"inspect-section"' "$tmp/out")" \
		"$(readelf -hW "$object" | sed -n 's/.*Number of section headers: *//p')"
	is 'symbols: as many as readelf has' "$(grep -c '"type":"inspect-symbol"' "$tmp/out")" \
		"$(readelf -sW "$object" | grep -c '^ *[0-9][0-9]*:')"
	is 'relocations: as many as readelf has' "$(grep -c '"type":"inspect-relocation"' "$tmp/out")" \
		"$(readelf -rW "$object" | grep -c '^0')"
else
	skip 'tables: as readelf has them' 'no readelf here'
fi
run inspect --bytes "$object"
has 'bytes: a field of the header' "$tmp/out" 'e_machine         0xf7  EM_BPF'
has 'bytes: a field of a relocation' "$tmp/out" 'r_info: type      0x1  R_BPF_64_64'
run inspect --bytes --format=json "$object"
is 'bytes: each byte of the file is in one field, in their order' \
	"$(sed -n 's/.*"inspect-field".*"bytes":"\([0-9a-f]*\)".*/\1/p' "$tmp/out" | tr -d '\n')" \
	"$(od -An -v -tx1 "$object" | tr -d ' \n')"

# LOC_PARAM, LOC_PROTO and LOCSEC of bpf-next: no compiler here writes them.
cat >"$tmp/locations.s" <<'END'
	.section .BTF,"",@progbits
	.short 0xeb9f
	.byte 1, 0
	.long 24, 0, 80, 80, 3
	.long 0, 20 << 24 | 2, 8, 0x28, 7, 16
	.long 0, 21 << 24 | 2, 0, 1, 0
	.long 1, 22 << 24 | 2, 0, 5, 2, 0x40, 5, 2, 0x80
	.byte 0
	.asciz "x"
END
$CLANG -target bpf -c "$tmp/locations.s" -o "$tmp/locations.o" 2>"$tmp/err"
"$PLOAD" inspect --bytes=.BTF "$tmp/locations.o" | sed 's/^[0-9a-f]* *//' >"$tmp/locations"
for line in "type 1 LOC_PARAM '', 24 bytes" "type 2 LOC_PROTO '', 20 bytes" "type 3 LOCSEC 'x', 36 bytes" \
	'28 00 00 00              flags             0x28' '80 00 00 00              offset            0x80'; do
	has "bytes: $line" "$tmp/locations" "$line"
done
refused 'bytes: of no such section' 1 'no section with that name' inspect --bytes=.symtb "$object"
has 'bytes: of no such section: its reason' "$tmp/err" '[inspect/no-section]'
has 'bytes: of no such section: the nearest' "$tmp/err" 'did you mean .symtab'

# --- instructions ---

run inspect --insns=ip_count "$object"
has 'instructions: the line of C' "$tmp/out" '; count = bpf_map_lookup_elem(&hits, &ip); @ '
has 'instructions: the map of a load' "$tmp/out" '(18) r1 = map[hits]'
has 'instructions: bytes in the file' "$tmp/out" '18 01 00 00 00 00 00 00'
has 'instructions: bytes after linking' "$tmp/out" '18 11 00 00 00 00 00 00 linked: BPF_PSEUDO_MAP_FD, was r1 = 0x0'
has 'instructions: the relocation' "$tmp/out" '.relperf_event[0] R_BPF_64_64 hits: S 0x0, A 0'
has 'instructions: the name of a helper' "$tmp/out" 'call bpf_map_update_elem#2'
refused 'instructions: of no such program' 1 'no program of that name' inspect --insns=ip_cont "$object"
run inspect --insns "$PROGS/task_tree.bpf.o"
has 'CO-RE: the access and the value in the file' "$tmp/out" "CO-RE field_byte_offset of struct 'task_struct."

# objdump OBJECT SECTION - the instructions that llvm-objdump prints, a line each, in the syntax of the verifier. docs/inspect.md has
# the table of these differences.
objdump() {
	llvm-objdump -d --no-show-raw-insn --section="$2" "$1" 2>/dev/null | sed -n 's/^ *[0-9][0-9]*:[[:space:]]*//p' | sed \
		-e 's/ *<[^>]*>$//' \
		-e 's/(\(r[0-9]*\) \([+-]\) \([0-9]*\))/(\1 \2\3)/' \
		-e 's/goto \([+-][0-9]\)/goto pc\1/' \
		-e 's/^gotol \([+-][0-9]\)/gotol pc\1/' \
		-e 's/^call \(-\{0,1\}[0-9]*\)$/call \1/' \
		-e 's/atomic_fetch_\(.*\)((u64/atomic64_fetch_\1((u64/' \
		-e 's/= xchg_64(\(r[0-9]*\) \([+-]\) \([0-9]*\), /= atomic64_xchg((u64 *)(\1 \2\3), /' \
		-e 's/= xchg32_32(\(r[0-9]*\) \([+-]\) \([0-9]*\), w/= atomic_xchg((u32 *)(\1 \2\3), r/' \
		-e 's/= cmpxchg_64(\(r[0-9]*\) \([+-]\) \([0-9]*\), /= atomic64_cmpxchg((u64 *)(\1 \2\3), /'
}
# ours OBJECT SECTION - the same of pload inspect, with numbers as llvm-objdump has them.
ours() {
	"$PLOAD" inspect --bytes="$2" "$1" | sed -n 's/^[0-9a-f]* instruction [0-9]*: \(.*\), 8 bytes$/\1/p' |
		sed -e '/^the upper half of the number$/d' -e 's/^call [a-z_0-9]*#/call /' -e 's/^call pc+*/call /' | awk '
		function number(hex, bits,   i, n) {
			for (i = 3; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n >= 2 ^ (bits - 1) ? n - 2 ^ bits : n
		}
		# 64 bits in three limbs of seven digits, since the numbers of awk have 53 bits.
		function decimal(hex,   i, digit, minus, high, mid, low) {
			minus = length(hex) == 18 && substr(hex, 3, 1) ~ /[89a-f]/
			for (i = 3; i <= length(hex); i++) {
				digit = index("0123456789abcdef", substr(hex, i, 1)) - 1
				low = low * 16 + (minus ? 15 - digit : digit) + (minus && i == length(hex))
				mid = mid * 16 + int(low / 10000000)
				low %= 10000000
				high = high * 16 + int(mid / 10000000)
				mid %= 10000000
			}
			digit = sprintf("%d%07d%07d", high, mid, low)
			sub(/^0+/, "", digit)
			return (minus ? "-" : "") (digit == "" ? 0 : digit)
		}
		match($0, / 0x[0-9a-f]+ goto/) {
			hex = substr($0, RSTART + 1, RLENGTH - 6)
			$0 = substr($0, 1, RSTART) number(hex, 32) substr($0, RSTART + RLENGTH - 5)
		}
		/^r[0-9]* = 0x/ { $0 = $1 " = " decimal($3) " ll" }
		{ print }'
}
if command -v llvm-objdump >/dev/null; then
	total=0 differ=''
	for o in "$PROGS"/*.o build/tests/test/compat/*.o; do
		[ -e "$o" ] || continue
		"$PLOAD" inspect --sections --format=json "$o" | sed -n 's/.*"name":"\([^"]*\)".*"flags":"AX".*/\1/p' >"$tmp/names"
		while read -r name; do
			objdump "$o" "$name" >"$tmp/theirs"
			ours "$o" "$name" >"$tmp/ours"
			total=$((total + $(wc -l <"$tmp/theirs")))
			cmp -s "$tmp/theirs" "$tmp/ours" || differ="$differ $o:$name:$(diff "$tmp/theirs" "$tmp/ours" | sed -n 2,6p | tr '\n' ';')"
		done <"$tmp/names"
	done
	is 'instructions: equal to those of llvm-objdump -d' "$differ" ''
	is 'instructions: there are some' "$([ "$total" -gt 1000 ] && echo yes)" yes
else
	skip 'instructions: equal to those of llvm-objdump -d' 'no llvm-objdump here'
fi

# --- types ---

# used HEADER - a variable of each type that the header has, so that a compiler keeps it.
used() {
	awk '
		/^(struct|union|enum) [A-Za-z0-9_]+ \{/ { print $1, $2, "use" ++n ";" }
		/^typedef / || /^} [A-Za-z_]/ {
			line = $0
			sub(/ *__attribute__.*/, ";", line)
			if (line ~ /^typedef (struct|union|enum) \{/)
				next
			if (match(line, /\(\*+ ?(const )?[A-Za-z0-9_]+[)[]/)) {
				name = substr(line, RSTART, RLENGTH)
				sub(/const /, "", name)
				gsub(/[^A-Za-z0-9_]/, "", name)
			} else {
				sub(/(\[[0-9]*\])+;$/, ";", line)
				sub(/\(.*\);$/, ";", line)
				sub(/;$/, "", line)
				name = line
				sub(/.*[ *]/, "", name)
			}
			if (name != "" && name != "}")
				print name, "*use" ++n ";"
		}' "$1"
}
# same NAME FILE - clang compiles the types of the file, and the result has the same types.
same() {
	run inspect --types "$2"
	cp "$tmp/out" "$tmp/types.h"
	used "$tmp/types.h" >"$tmp/used"
	# The time of clang grows with the square of the number of variables: those of a kernel are compiled in parts.
	parts=$(($(wc -l <"$tmp/used") / 2000 + 1)) part=0
	rm -f "$tmp"/part*.o
	while [ $part -lt $parts ]; do
		{ echo '#include "types.h"'; awk -v parts=$parts -v part=$part 'NR % parts == part' "$tmp/used"; } >"$tmp/types.c"
		if ! $CLANG -g -O1 -target bpf -DBPF_NO_PRESERVE_ACCESS_INDEX -Wno-visibility -I"$tmp" -c "$tmp/types.c" -o "$tmp/part$part.o" \
			2>"$tmp/err"; then
			not_ok "$1: clang compiles them" "$(grep -m 3 error "$tmp/err")"
			return
		fi
		part=$((part + 1))
	done
	# A va_list is a type of the compiler, and clang before 15 has no BTF for enumerators of 64 bits.
	"$SAME" "$2" "$tmp"/part*.o 2>"$tmp/err" | grep -v -e "'warn_args'" -e 'enum64' >"$tmp/same"
	is "$1: the same ones are in what it compiles" "$(grep -v ' compared$' "$tmp/same")" ''
}
if ! command -v "$CLANG" >/dev/null || [ ! -x "$SAME" ]; then
	skip 'types: as C' "no $CLANG or no $SAME here"
else
	for o in "$PROGS"/*.o; do
		same "types of ${o##*/}" "$o"
	done
	if [ -r /sys/kernel/btf/vmlinux ]; then
		same 'types of this kernel' /sys/kernel/btf/vmlinux
	else
		skip 'types of this kernel' 'it has no /sys/kernel/btf/vmlinux'
	fi
	for module in /sys/kernel/btf/*; do
		case $module in */vmlinux | '/sys/kernel/btf/*') continue ;; esac
		run inspect --types "$module"
		is "types of module ${module##*/}: status" "$status" 0
		break
	done
fi

# A base with the type "int", and split BTF with a typedef whose name is after the strings of the base, and whose type is its type 1.
printf '\237\353\1\0\30\0\0\0\0\0\0\0\20\0\0\0\20\0\0\0\5\0\0\0''\1\0\0\0\0\0\0\1\4\0\0\0\40\0\0\1''\0int\0' >"$tmp/base.btf"
printf '\237\353\1\0\30\0\0\0\0\0\0\0\14\0\0\0\14\0\0\0\5\0\0\0''\5\0\0\0\0\0\0\10\1\0\0\0''made\0' >"$tmp/split.btf"
run inspect --types --btf="$tmp/base.btf" "$tmp/split.btf"
has 'types that continue those of --btf' "$tmp/out" 'typedef int made;'
refused 'a base that does not exist' 1 '--btf: ' inspect --types --btf="$tmp/none" "$tmp/split.btf"

# --- the verifier's log ---

cat >"$tmp/prog.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 1); __type(key, __u32); __type(value, __u64); } hits SEC(".maps");
static __attribute__((noinline)) int add(__u64 *v)
{
	return *v + 1;
}
SEC("perf_event")
int bad(void *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&hits, &key);

	if (bpf_get_prandom_u32() > 5)
		return 0;
	return add(v);
}
char LICENSE[] SEC("license") = "GPL";
END
if $CLANG -O2 -g -target bpf -I. -Iuapi -c "$tmp/prog.bpf.c" -o "$tmp/prog.o" 2>"$tmp/err"; then
	# As Linux 6.12 prints it for what clang makes of this, whatever the numbers of the instructions are.
	run inspect --insns --format=json "$tmp/prog.o"
	nr() { sed -n "s/.*\"inspect-insn\",\"index\":\([0-9]*\),.*\"text\":\"$1.*/\1/p" "$tmp/out" | head -n 1; }
	lookup=$(nr 'call bpf_map_lookup') jump=$(nr 'if r0 >') load=$(nr 'r0 = \*(u64 \*)(r1 +0)') call=$(nr 'call pc')
	{
		echo '0: R1=ctx() R10=fp0'
		echo "$lookup: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=hits,ks=4,vs=8)"
		echo "$((lookup + 1)): (bf) r6 = r0      ; R6=map_value_or_null(id=1,map=hits,ks=4,vs=8)"
		[ -z "$jump" ] || echo "$jump: (25) if r0 > 0x5 goto pc+1 ; R0=scalar(smin=0, umax=5)"
		echo "$call: (85) call pc+1"
		echo 'caller:'
		echo ' R6=map_value_or_null(id=1,map=hits,ks=4,vs=8) R10=fp0'
		echo 'callee:'
		echo ' frame1: R1=map_value_or_null(id=1,map=hits,ks=4,vs=8) R10=fp0'
		echo "$load: (79) r0 = *(u64 *)(r1 +0)"
		echo "R1 invalid mem access 'map_value_or_null'"
		echo 'processed 9 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0'
	} >"$tmp/log"
	sed 's/^/    /' "$tmp/log" >"$tmp/indented"
	for log in log indented; do
		run inspect --log="$tmp/$log" "$tmp/prog.o"
		is "the $log: status" "$status" 0
		has "the $log: the verdict comes first" "$tmp/out" "fails at $load: R1 invalid mem access 'map_value_or_null'"
		has "the $log: a function is entered" "$tmp/out" "path: $call: enters the function at $load"
		has "the $log: registers before an instruction" "$tmp/out" \
			"FAILS visit 1 of 1, line 10: R1=map_value_or_null(id=1,map=hits,ks=4,vs=8) R10=fp0"
		has "the $log: what was not visited" "$tmp/out" 'never visited'
	done
	{
		sed '/^processed/d' "$tmp/log"
		printf '\nVerification failed: Register Type Safety\n\nReason:\n  R1 may be NULL.\n\nSuggestion:\n  Compare it.\n\n'
		sed -n '/^processed/p' "$tmp/log"
	} >"$tmp/log7"
	run inspect --log="$tmp/log7" "$tmp/prog.o"
	has 'the log of 7.3: the reason' "$tmp/out" 'reason: R1 may be NULL.'
	has 'the log of 7.3: the suggestion' "$tmp/out" 'suggestion: Compare it.'
	awk -v load="$load" 'BEGIN { for (i = 0; i < 100000; i++) print load ": (79) r0 = *(u64 *)(r1 +0) ; R0=scalar(umax=" i ")" }' >"$tmp/long"
	run inspect --log="$tmp/long" "$tmp/prog.o"
	has 'a log of 100,000 lines: the visits are counted' "$tmp/out" 'visit 100000 of 100000, line 100000: R0=scalar(umax=99998)'
	refused "another program's log" 1 'no program of this object matches the instructions' inspect --log="$tmp/log" "$object"
	has "another program's log: its reason" "$tmp/err" '[inspect/log]'
else
	not_ok 'the log: its program compiles' "$(head -n 3 "$tmp/err")"
fi

# --- the page ---

run inspect --format=html -o "$tmp/page.html" "$object"
is 'the page: status' "$status" 0
is 'the page: loads nothing' "$(grep -cE '(src|href)="?https?:|url\(|import |fetch\(' "$tmp/page.html")" 0
refused 'the page: of two objects' 2 'a page shows one object' inspect --format=html "$object" "$object"
sed "s/dropped/<b>\xe2\x80\xaex/g" "$object" >"$tmp/html.o"
run inspect --format=html -o "$tmp/hostile.html" "$tmp/html.o"
has_not 'the page: a name is no HTML' "$tmp/hostile.html" '<b>'
chromium=$(browser)
if [ -n "$chromium" ]; then
	rendered "$chromium" "$tmp/page.html" >"$tmp/dom"
	has 'the page: an instruction' "$tmp/dom" '(18) r1 = map[hits]'
	has 'the page: a map' "$tmp/dom" 'map hits'
	rendered "$chromium" "$tmp/hostile.html" >"$tmp/dom"
	has 'the page: a hostile name is shown as it is' "$tmp/dom" '&lt;b&gt;\u202ex'
else
	skip 'the page: in a browser' 'there is none here'
fi

# --- the schema ---

# The keywords that docs/inspect.schema.json uses, for jq: it prints each message that breaks them.
cat >"$tmp/schema.jq" <<'END'
def is_type($t): if ($t | type) == "array" then . as $v | any($t[]; . as $one | $v | is_type($one))
	elif $t == "integer" then type == "number" and floor == . else type == $t end;
def valid($s): . as $v
	| (if $s.const then $v == $s.const else true end)
	and (if $s.enum then any($s.enum[]; . == $v) else true end)
	and (if $s.type then is_type($s.type) else true end)
	and (if $s.items then all($v[]; valid($s.items)) else true end)
	and (if $s.required then all($s.required[]; . as $k | $v | has($k)) else true end)
	and (if $s.properties then all($v | to_entries[]; . as $e
		| if $s.properties[$e.key] then $e.value | valid($s.properties[$e.key]) else false end) else true end);
($schema[0]["$defs"]) as $defs | . as $m | select($defs[.type] == null or ($m | valid($defs[$m.type]) | not))
END
all='--sections --symbols --relocs --bytes --insns --types'
for o in "$object" "$PROGS/task_tree.bpf.o" "$PROGS/functions.bpf.o" "$PROGS/usdt.bpf.o"; do
	# shellcheck disable=SC2086
	{
		"$PLOAD" inspect --format=json "$o"
		"$PLOAD" inspect --format=json $all "$o"
		head -c 3000 "$o" >"$tmp/cut.o"
		"$PLOAD" inspect --format=json $all "$tmp/cut.o"
		[ ! -e "$tmp/log7" ] || "$PLOAD" inspect --format=json --log="$tmp/log7" "$tmp/prog.o"
	} 2>/dev/null
done >"$tmp/messages"
if command -v jq >/dev/null; then
	is 'the schema: every message has a form in it' \
		"$(jq -c --slurpfile schema docs/inspect.schema.json -f "$tmp/schema.jq" "$tmp/messages" 2>&1 | head -n 3)" ''
	is 'the schema: another form is found' "$(echo '{"type":"inspect-type","id":"x","c":""}' |
		jq -c --slurpfile schema docs/inspect.schema.json -f "$tmp/schema.jq" | wc -l)" 1
else
	skip 'the schema: every message has a form in it' 'no jq here'
fi

# --- damaged files ---

size=$(wc -c <"$object")
head -c $((size / 2)) "$object" >"$tmp/cut.o"
run inspect --sections "$tmp/cut.o"
is 'a file cut short: status' "$status" 1
has 'a file cut short: the one error' "$tmp/err" '[object/elf]'
run inspect "$tmp/cut.o"
has 'a file cut short: its header is shown' "$tmp/out" 'little-endian'
# The 16 bits at 54 of symbol 3 are its section.
cp "$object" "$tmp/bad.o"
run inspect --symbols --format=json "$object"
at=$(sed -n 's/.*"inspect-symbol","index":3,.*"offset":\([0-9]*\)}.*/\1/p' "$tmp/out")
printf '\177\177' | dd of="$tmp/bad.o" bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
nr=$(grep -c '"type":"inspect-symbol"' "$tmp/out")
run inspect --symbols "$tmp/bad.o"
is 'a damaged symbol: status' "$status" 1
has 'a damaged symbol: all are shown' "$tmp/out" "$nr symbols"
has 'a damaged symbol: it is one of them' "$tmp/out" '32639 of '
has 'a damaged symbol: the offset in the file' "$tmp/out" "damaged at 0x$(printf %x "$at")"
# The first four bytes of .BTF are its magic and its version.
run inspect --sections --format=json "$object"
at=$(sed -n 's/.*"inspect-section",.*"name":"\.BTF",.*"offset":\([0-9]*\),.*/\1/p' "$tmp/out")
printf '\1\2\3\4' | dd of="$tmp/bad.o" bs=1 seek="${at:-0}" conv=notrunc 2>/dev/null
run inspect --format=html "$tmp/bad.o"
is 'damaged symbols and types: there is a page' "$(grep -c '</script' "$tmp/out")" 2
is 'damaged symbols and types: one error' "$(grep -c '^pload: ' "$tmp/err")" 1
cp "$object" "$tmp/types.o"
printf '\1\2\3\4' | dd of="$tmp/types.o" bs=1 seek="${at:-0}" conv=notrunc 2>/dev/null
run inspect --types --sections "$tmp/types.o"
has 'damaged types: the other parts' "$tmp/out" '.strtab'
has 'a damaged header of BTF: its offset in the file' "$tmp/out" "damaged at 0x$(printf %x "${at:-0}")"
cp "$object" "$tmp/types.o"
# The first type begins after the header of 24 bytes, with its name: no string is there.
printf '\377\377\377' | dd of="$tmp/types.o" bs=1 seek=$((${at:-0} + 24)) conv=notrunc 2>/dev/null
run inspect --types "$tmp/types.o"
has 'a damaged type: its offset in the file' "$tmp/out" "damaged at 0x$(printf %x $((${at:-0} + 24)))"
echo 'int main;' >"$tmp/text"
run inspect "$tmp/text"
is 'text: status' "$status" 1
has 'text: the one error' "$tmp/err" 'this is text, not an ELF object'

# --- hostile names ---

esc=$(printf '\033')
sed "s/ip_count/ip_${esc}[2Jt/g" "$object" >"$tmp/hostile.o"
for option in --symbols --sections --insns --bytes --relocs ''; do
	# shellcheck disable=SC2086
	run inspect $option "$tmp/hostile.o"
	is "a name with ESC: escaped by inspect $option" "$(grep -c "$esc" "$tmp/out" "$tmp/err" | cut -d: -f2 | tr '\n' ' ')" '0 0 '
done
done_testing
