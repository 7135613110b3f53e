#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload inspect: the parts of an object, its instructions beside llvm-objdump's, and damaged and hostile files.
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o

# --- the overview ---

run inspect "$object"
is 'the overview: status' "$status" 0
has 'the overview: the license' "$tmp/out" 'license "Dual BSD/GPL"'
has 'the overview: a program' "$tmp/out" 'program ip_count, section "perf_event", 27 instructions'
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
refused 'bytes: of no such section' 1 'no section of that name' inspect --bytes=.symtb "$object"
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
		match($0, / 0x[0-9a-f]+ goto/) {
			hex = substr($0, RSTART + 1, RLENGTH - 6)
			$0 = substr($0, 1, RSTART) number(hex, 32) substr($0, RSTART + RLENGTH - 5)
		}
		/^r[0-9]* = 0x/ { $0 = $1 " = " sprintf("%.0f", number($3, 64)) " ll" }
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
