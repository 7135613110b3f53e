#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The object language of docs/loading: each item once, as pload inspect, readelf and llvm-objdump read the object.
# Lane: free
. test/cli/lib.sh

judge=${PROGS%/progs}/judge object=$tmp/objects/elf.1.o
mkdir "$tmp/pages"

# assemble - the object language on standard input becomes $object.
assemble() {
	rm -f "$object"
	{
		printf '## elf.1: A page\n**MUST.** It has a statement.\n\nThe statement has an object.\n```object\n'
		cat
		printf '```\n```expect\nloaded\n```\n'
	} >"$tmp/pages/elf.md"
	last_run='judge --conformance --assemble'
	"$judge" --conformance --pages="$tmp/pages" --assemble="$tmp/objects" 2>"$tmp/err"
	status=$?
}

# shows NAME LINE... - standard input becomes an object, of which pload inspect prints these lines or parts of lines, without addresses
# and bytes.
shows() {
	name=$1 missing=''
	shift
	assemble
	[ $status = 0 ] || { not_ok "$name" 'it was not assembled'; return; }
	for part in --sections --symbols --relocs --bytes=.BTF --bytes=.BTF.ext; do
		"$PLOAD" inspect "$part" "$object" 2>&1
	done | sed -e 's/^[0-9a-f]\{8\} *\([0-9a-f][0-9a-f] \)* */ /' -e 's/^/ /' -e 's/  */ /g' | tr '\n' ' ' | tr -s ' ' >"$tmp/shown"
	for line; do
		grep -qF -- " $line" "$tmp/shown" || missing="$missing$line; "
	done
	is "$name" "$missing" ''
}

# --- sections and symbols ---

shows 'sections: the flags that a name stands for' '1 xdp PROGBITS AX 40 0 0 0 8 0' '2 .data.x PROGBITS WA' '3 .bss NOBITS WA 40 4' \
	'4 .rodata PROGBITS A' '5 .maps PROGBITS WA' '6 license PROGBITS WA 41 4' '7 version PROGBITS WA 50 4' <<'END'
section xdp
section .data.x
section .bss
zero 4
section .rodata align=1
u8 1
section .maps align=1
license GPL
version 5
shdr license sh_offset=0x41
END
shows 'sections: what differs' '1 a NOTE WAI 40 1 5 6 1 24' '2 a NOBITS' '3 b PROGBITS 48 1 0 0 1 0' <<'END'
section a type=7 flags=0x43 align=1 entsize=24 link=5 info=6
u8 1
section a nobits
section b flags=0 align=1
bytes ff
END
shows 'symbols: locals first, with sections' '1 a SECTION LOCAL a' '3 c FUNC LOCAL a 8 8' '4 e OBJECT LOCAL .data 4 4' \
	'5 s FILE LOCAL ABS 0 0' '6 b FUNC GLOBAL a 0 8' '7 f NOTYPE WEAK a 10 8' '8 d OBJECT GLOBAL .data 0 4' \
	'9 g NOTYPE WEAK UND 5 6' '10 h NOTYPE GLOBAL UND' '11 j OBJECT GLOBAL COM' <<'END'
section a
func b
exit
func c static
exit
func f weak notype
exit
section .data
var d
u32 1
var e static
u32 1
symbol s section=abs type=file bind=local
symbol g value=5 size=6 bind=weak
extern h
symbol j section=common type=object
no license
END
shows 'relocations, with names that come later' '.rela 0 a 0 R_BPF_64_64 x 4' '.rela 1 a 10 R_BPF_64_64 .data 0' '.rela 2 a 20 R_BPF_64_32 f' \
	'.rela 3 a 28 R_BPF_64_32 a 0' '.rela 4 a 8 R_BPF_64_ABS32 f' '.rela 5 a 38 R_BPF_64_NODYLD32 f' '.rel.data 0 .data 8 R_BPF_64_ABS64 f 30' \
	'.rel.data 1 .data 10 R_BPF_64_ABS32 x' <<'END'
section a
r1 = &x
r1 = &.data +4
call f
call a +1
reloc 3 f offset=8
func f
exit
insn 0xb7 0 0 0 1
reloc 4 f
section .data
u32 1
var x
u32 1
u64 &f
u32 &x
END
shows 'relocations with addends' '.relaa 0 a 0 R_BPF_64_64 .data 0 4' '.relaa 1 a 10 R_BPF_64_32 a 0 16' <<'END'
elf rela
section a
r1 = &.data +4
call a +1
section .data
END
printf 'section .data\nu8 1 -1\nu16 0x101\nalign 8\nstring "a\\x00\\x0a\\"b"\nbytes 0a ff\nzero 2\nu64 -1\nalign 2\n' | assemble
"$PLOAD" inspect --bytes=.data "$object" >"$tmp/out"
is 'contents' "$(sed -n 's/^[0-9a-f]\{8\}  \(\([0-9a-f][0-9a-f] \)*\).*/\1/p' "$tmp/out" | tr -d '\n')" \
	'01 ff 01 01 00 00 00 00 61 00 0a 22 62 00 0a ff 00 00 ff ff ff ff ff ff ff ff '

# --- types ---

shows 'types: each kind' "type 1 INT 'i', 16 bytes" 'encoding, offset, bits 0x3010008' "type 2 PTR '', 12 bytes" 'size, or a type 0x1' \
	"type 3 ARRAY '', 24 bytes" 'nelems 0x7' "type 4 STRUCT 's', 36 bytes" 'info 0x84000002 STRUCT, vlen 2' 'offset 0x3000020' \
	"type 5 UNION 'u', 12 bytes" "type 6 ENUM 'e', 20 bytes" 'info 0x86000001 ENUM, vlen 1' 'val 0xfffffffd' "type 7 FWD 'f', 12 bytes" \
	'info 0x87000000 FWD, vlen 0' "type 8 TYPEDEF 't', 12 bytes" "type 9 VOLATILE ''" "type 10 CONST ''" "type 11 RESTRICT ''" \
	"type 12 FUNC_PROTO '', 28 bytes" "type 13 FUNC 'g', 12 bytes" 'info 0xc000002 FUNC, vlen 2' "type 14 VAR 'v', 16 bytes" \
	"type 15 DATASEC '.x', 24 bytes" 'size, or a type 0x55' 'offset 0x66' "type 16 FLOAT 'd', 12 bytes" \
	"type 17 DECL_TAG 'dt', 16 bytes" 'component_idx 0xffffffff' "type 18 TYPE_TAG 'tt', 12 bytes" "type 19 ENUM64 'l', 24 bytes" \
	'val_hi32 0x11223344' 'info 0x8200000a PTR, vlen 10' <<'END'
[1] INT 'i' size=4 bits_offset=1 nr_bits=8 encoding=3
[2] PTR '(anon)' type_id=1
[3] ARRAY '(anon)' type_id=1 index_type_id=1 nr_elems=7
[4] STRUCT 's' size=8 vlen=2
	'a' type_id=1 bits_offset=0
	'b' type_id=1 bits_offset=32 bitfield_size=3
[5] UNION 'u' size=8 vlen=0
[6] ENUM 'e' encoding=SIGNED size=4
	'A' val=-3
[7] FWD 'f' fwd_kind=union
[8] TYPEDEF 't' type_id=1
[9] VOLATILE '(anon)' type_id=1
[10] CONST '(anon)' type_id=1
[11] RESTRICT '(anon)' type_id=2
[12] FUNC_PROTO '(anon)' ret_type_id=1 vlen=2
	'a' type_id=1
	'(anon)' type_id=0
[13] FUNC 'g' type_id=12 linkage=extern
[14] VAR 'v' type_id=1, linkage=static
[15] DATASEC '.x' size=0x55 vlen=1
	type_id=14 offset=0x66 size=4 (VAR 'v')
[16] FLOAT 'd' size=8
[17] DECL_TAG 'dt' type_id=1 component_idx=-1
[18] TYPE_TAG 'tt' type_id=1
[19] ENUM64 'l' encoding=UNSIGNED size=8
	'A' val=0x1122334455667788ULL
[20] PTR 'p' type_id=1 kind_flag=1 vlen=10
END
shows 'types: with the sizes of kinds' 'hdr_len 0x20' '(newer fields)' "type 1 FLOAT 'd', 12 bytes" <<'END'
btf layouts
[1] FLOAT 'd' size=8
END
shows 'types: of any kind' 'type_len 0x14' 'info 0x99000003' <<'END'
[1] KIND 25 'x' size=4 vlen=3 kind_flag=1 words 1 2
END
shows 'maps, variables and functions in .BTF' "type 3 FUNC 'f', 12 bytes" 'info 0xc000001 FUNC, vlen 1' "type 4 FUNC 'g', 12 bytes" \
	"type 11 STRUCT '', 48 bytes" 'name_off 0xf type' "type 12 VAR 'm', 16 bytes" "type 14 VAR 'n', 16 bytes" "type 15 VAR 'v', 16 bytes" \
	"type 16 VAR 'w', 16 bytes" "type 17 VAR 'kc', 16 bytes" 'linkage 0x2' "type 18 FUNC 'kf', 12 bytes" 'info 0xc000002 FUNC, vlen 2' \
	"type 19 DATASEC '.maps', 36 bytes" "type 20 DATASEC '.data', 36 bytes" "type 21 DATASEC '.kconfig', 24 bytes" \
	"type 22 DATASEC '.ksyms', 24 bytes" 'type 0xf offset 0x8 size 0x4 type 0x10 offset 0x0 size 0x4' 'type 0x11 offset 0x0 size 0x4' \
	'.rel.BTF 0 .BTF 164 R_BPF_64_NODYLD32 m 0' '.rel.BTF 2 .BTF 188 R_BPF_64_NODYLD32 .data 0' '3 .BTF 194 R_BPF_64_NODYLD32 w' \
	'n OBJECT LOCAL .maps 18 8' 'kf NOTYPE WEAK UND 0 0' 'kc NOTYPE GLOBAL UND 0 0' <<'END'
[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[2] FUNC_PROTO '(anon)' ret_type_id=1
section a
func f proto=2
exit
func g static proto=2
exit
section .maps
map m type=hash key=1 max_entries=5
map n static member:a=1
section .data
u64 0
var v static type=1
u32 0
var w type=1
u32 0
extern kc section=.kconfig type=1
extern kf section=.ksyms proto=2 weak
END
shows 'maps of maps and of programs' '.rel.maps 0 .maps 20 R_BPF_64_ABS64 p 0' '.rel.maps 1 .maps 40 R_BPF_64_ABS64 in' \
	'.rel.maps 2 .maps 50 R_BPF_64_ABS64 in' 'jumps OBJECT GLOBAL .maps 0 28' 'outer OBJECT GLOBAL .maps 38 20' \
	'empty OBJECT GLOBAL .maps 58 8' <<'END'
section a
func p
exit
section .maps
map in template type=array
map t template type=array
map jumps type=prog_array key_size=4 max_entries=2 values=-,p
map in type=2 max_entries=1
map outer type=array_of_maps values=in,-,in
map empty type=hash_of_maps inner=t
END
run inspect "$object"
has 'maps of maps: the inner map' "$tmp/out" 'map outer: BPF_MAP_TYPE_ARRAY, 1 element'

# --- .BTF.ext ---

shows 'records' 'func_info_len 0x24' 'line_info_len 0x44' 'core_relo_len 0x5c' 'sec_name_off 0x3 a' 'sec_name_off 0x1f no' 'sec_name_off 0x2a b' 'num_info 0x2' \
	'insn_off 0x8' 'line, column 0x1c08' 'access_str_off 0xf 0:1' 'kind 0x7' 'kind 0xc' 'kind 0x63' 'insn_off 0x63' <<'END'
[1] FUNC_PROTO '(anon)' ret_type_id=0
section a
func f proto=1
line f.c "int x" 7 8
core target_type_id 1 "0:1"
exit
core type_matches 1 "0"
line f.c "int x" 8 9 offset=99
exit
section b
btf_ext section no
line f.c "" 1 2
func g proto=1
core 99 1 "0"
section b
core 98 1 "0"
END
shows 'records that are larger' 'rec_size 0xc' 'rec_size 0x14' 'rec_size 0x18' <<'END'
[1] FUNC_PROTO '(anon)' ret_type_id=0
btf_ext record func=12 line=20 core=24
section a
func f proto=1
line f.c "" 7 8
core byte_off 1 "0"
exit
END
shows 'headers of other sizes' "type 1 FUNC_PROTO '', 12 bytes" '.rel.BTF 0 .BTF 58' 'hdr_len 0x20' 'hdr_len 0x18' 'rec_size 0x99 func_info of a section, 8 bytes sec_name_off 0x3 a' <<'END'
btf header size=32
btf_ext header size=24
patch .BTF.ext 24 u8 0x99
[1] FUNC_PROTO '(anon)' ret_type_id=0
section a
func f proto=1
core byte_off 1 "0"
exit
section .data
var x type=1
END
shows 'a header of .BTF.ext that is longer' 'hdr_len 0x28' 'core_relo_len 0x1c' 'rec_size 0x8' 'rec_size 0x10' <<'END'
btf_ext header size=40
[1] FUNC_PROTO '(anon)' ret_type_id=0
section a
func f proto=1
core byte_off 1 "0"
exit
END

# --- headers ---

shows 'headers: fields of the file and of sections' '1 a PROGBITS AX 50 8 4 0' '0 NULL 0 7 0' <<'END'
section a
exit
section .data
shdr a sh_offset=0x50 sh_link=index:.shstrtab
shdr 0 sh_size=7
END
printf '%s\n' 'elf ei_osabi=3 e_flags=0x11223344 e_type=1' '[1] FLOAT d size=8' 'section a' 'func f' 'exit' 'line a b 1 1' \
	'section b' 'shdr b sh_offset=offset:a' 'sym f st_size=99 st_other=2' 'sym 1 st_value=5' 'btf header flags=0x77' \
	'btf_ext header version=0x88' | assemble
is 'headers: assembled' "$(cat "$tmp/err")" ''
field() { od -An -tu"$3" -j"$1" -N"$2" "$object" | tr -d ' '; }
is 'headers: ei_osabi, e_type, e_flags' "$(field 7 1 1) $(field 16 2 2) $(field 48 4 4)" '3 1 287454020'
run inspect --sections --symbols "$object"
if command -v readelf >/dev/null; then
	readelf -SsW "$object" >"$tmp/out" 2>/dev/null
	is 'headers: fields of symbols' "$(awk '/ f$/ || / a$/ { print $2, $3, $6 }' "$tmp/out" | tr '\n' ' ')" \
		'0000000000000005 0 DEFAULT 0000000000000000 99 HIDDEN '
fi
is 'headers: .BTF and .BTF.ext' "$(od -An -tx1 -v "$object" | tr -d '\n' | grep -oE '(9f eb|eb 9f) (01 77|88 00)' | cut -c 7- | tr '\n' ' ')" \
	'01 77 88 00 '
printf '%s\n' 'no license' 'no btf' '[1] FLOAT d size=8' 'section a' 'exit' 'line a b 1 1' | assemble
run inspect --sections "$object"
has_not 'no license' "$tmp/out" license
has_not 'no btf' "$tmp/out" .BTF
printf '%s\n' 'no btf_ext' '[1] FLOAT d size=8' 'section a' 'exit' 'line a b 1 1' | assemble
run inspect --sections "$object"
is 'no btf_ext' "$(grep -c .BTF "$tmp/out")" 1

# --- a whole object ---

assemble <<'END'
[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[2] PTR '(anon)' type_id=0
[3] FUNC_PROTO '(anon)' ret_type_id=1 vlen=1
	'ctx' type_id=2
[4] FUNC_PROTO '(anon)' ret_type_id=1 vlen=1
	'a' type_id=1
section .text
func twice static proto=4
  r0 = r1
  r0 += r1
  exit
section perf_event
func main proto=3
  line "main.c" "int main(void *ctx)" 3 5
  r1 = 0
  *(u32 *)(r10 -4) = r1
  r2 = r10
  r2 += -4
  r1 = &counts
  call 1
  if r0 == 0 goto +3
  r1 = &step
  r1 = *(u32 *)(r1 +0)
  lock *(u32 *)(r0 +0) += r1
  r1 = 21
  call .text -1
  exit
section .maps
map counts type=array key=1 value=1 max_entries=1
section .data
var unused static type=1
  u32 1
var step type=1
  u32 2
END
mv "$object" "$tmp/first.o"
"$judge" --conformance --pages="$tmp/pages" --assemble="$tmp/objects"
if cmp "$object" "$tmp/first.o"; then ok 'the same text, the same bytes'; else not_ok 'the same text, the same bytes' differ; fi
if command -v llvm-objdump >/dev/null; then
	last_run='llvm-objdump -dr'
	is 'instructions as llvm-objdump reads them' "$(llvm-objdump -dr --no-show-raw-insn "$object" | sed -n 's/^ *[0-9]*:[ 	]*//p;s/^.*R_BPF/R_BPF/p' |
		tail -n +4 | tr '\n' ';')" \
		'r1 = 0;*(u32 *)(r10 - 4) = r1;r2 = r10;r2 += -4;r1 = 0 ll;R_BPF_64_64	counts;call 1;if r0 == 0 goto +3 <main+0x58>;r1 = 0 ll;R_BPF_64_64	step;r1 = *(u32 *)(r1 + 0);lock *(u32 *)(r0 + 0) += r1;r1 = 21;call -1;R_BPF_64_32	.text;exit;'
fi
cause=$(kernel_refuses)
if [ -z "$cause" ]; then
	run load "$object"
	is 'the kernel takes it' "$status" 0
else
	skip 'the kernel takes it' "$cause"
fi
printf 'section a\nwrong\n' | assemble
has 'a mistake' "$tmp/err" 'begins at line 6: line 2: no item or instruction: wrong'
is 'a mistake: no object' "$(ls "$object" 2>/dev/null)" ''

done_testing
