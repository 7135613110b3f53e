#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Mistakes of docs/reasons/writing.md, each made in docs/tour/loader.c: the kernel answers as the page of the mistake has it.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
object=$tmp/references.o
compile_or_end docs/tour/references.bpf.c "$object"
skip_rest_if 'mistakes of a loader' "$(kernel_refuses)"
# Errors as numbers, which every C library has in common. The event of one CPU, so that counts are exact.
sed -e '/const bool by_pmu/i\	if (cpu) return -1;' -e 's/err(1, "%s%s", log_text, call)/errx(1, "%s%s: errno %d", log_text, call, errno)/' -e 's/#include <err.h>/&\n#include <errno.h>/' \
	docs/tour/loader.c >"$tmp/loader.c"

# mistake CODE NAME SED OBJECT ARG... - a loader with this mistake; leaves $status, $tmp/out, $tmp/err and the page of CODE. Its
# program runs for $hold seconds.
hold=0
mistake() {
	code=$1 name=$2
	sed -E "$3" "$tmp/loader.c" >"$tmp/mistake.c"
	shift 3
	if cmp -s "$tmp/loader.c" "$tmp/mistake.c" || ! ${CC:-cc} -w -std=gnu11 -D_GNU_SOURCE -Iuapi -o "$tmp/mistake" "$tmp/mistake.c" 2>"$tmp/err"; then
		not_ok "$name: the mistake is made" 'it changes nothing, or does not compile'
	fi
	if [ $hold = 0 ]; then "$tmp/mistake" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; else held $hold "$tmp/mistake" "$@"; fi
	status=$?
	"$PLOAD" explain --format=json "$code" | sed 's/\\"/"/g' >"$tmp/page"
	echo "$code" >>"$tmp/codes"
}

# answers CALL ERRNO NUMBER [TEXT] - the call of the mistake was refused so, and the page has call, errno and text.
answers() {
	is "$name: status" "$status" 1
	has "$name: errno" "$tmp/err" "$1: errno $3"
	has "$name: the page has the errno" "$tmp/page" "$2"
	has "$name: the page has the call" "$tmp/page" "$1"
	if [ -n "${4:-}" ]; then
		has "$name: log" "$tmp/err" "$4"
		has "$name: the page has the text" "$tmp/page" "$4"
	else
		is "$name: no log" "$(wc -l <"$tmp/err" | tr -d ' ')" 1
	fi
}

# refused_as CODE NAME CALL ERRNO NUMBER TEXT SED OBJECT ARG...
refused_as() {
	call=$3 errno=$4 number=$5 text=$6 code=$1 name=$2
	shift 6
	mistake "$code" "$name" "$@"
	answers "$call" "$errno" "$number" "$text"
}

# shows NAME TEXT - nothing was refused, and the output has it. runs - how often the program ran.
shows() {
	is "$name: status" "$status" 0
	has "$name: $1" "$tmp/out" "$2"
}
runs() { sed -n 's/.*: the program ran \([0-9]*\) times$/\1/p' "$tmp/out"; }

# --- BPF_BTF_LOAD ---

datasec='^	const int fd = check\(bpf\(BPF_BTF_LOAD'
each='for (uint32_t id = 1; id <= nr_types; id++) if (BTF_INFO_KIND(types[id]->info) == BTF_KIND_DATASEC)'
refused_as writing/datasec-size 'a DATASEC of size 0' BPF_BTF_LOAD EINVAL 22 'size == 0' "/$datasec/i $each types[id]->size = 0;" "$object" link
refused_as writing/datasec-offset 'offsets that are not relocated' BPF_BTF_LOAD EINVAL 22 'Invalid offset' \
	'/vars\[i\].offset \+= /s/\+= .*/+= 0;/' "$object" link
refused_as writing/datasec-offset 'offsets that do not ascend' BPF_BTF_LOAD EINVAL 22 'Invalid offset' "/$datasec/i $each \\
	if (BTF_INFO_VLEN(types[id]->info) > 1) { struct btf_var_secinfo *v = (void *)(types[id] + 1), t = v[0]; v[0] = v[1]; v[1] = t; }" \
	"$object" link

# --- BPF_MAP_CREATE, and what is in a map ---

create() { refused_as writing/map-attributes "$1" BPF_MAP_CREATE EINVAL 22 '' "$2" "$3" link; }
create 'a name of 16 bytes' '/snprintf\(attr.map_name/s/.*/memcpy(attr.map_name, "name_of_16_bytes", 16);/' "$object"
create 'a ring buffer with keys' '/\{ .map_type/s/\.key_size = map->key_size/.key_size = 4/' "$PROGS/ringbuf.bpf.o"
create 'a typedef that is not followed' '/^static uint32_t type_size/,/^}/s/types\[plain_type\(id\)\]/types[id]/' "$object"
create 'an array of perf events without entries' 's/^#include <elf.h>/&\n/' "$PROGS/event_output.bpf.o"
refused_as writing/map-types 'a map of stacks with types' BPF_MAP_CREATE 524 524 '' '/^static void read_member/i static uint32_t ids[2];
	/map->key_size = type_size/s/.*/{ map->key_size = type_size(pointed); ids[0] = pointed; }/
	/map->value_size = type_size/s/.*/{ map->value_size = type_size(pointed); ids[1] = pointed; }/
	/snprintf\(attr.map_name/s/$/ if (!map->datasec) { attr.map_type = BPF_MAP_TYPE_STACK_TRACE; attr.btf_key_type_id = ids[0];\
		attr.btf_fd = bpf(BPF_BTF_LOAD, \&(union bpf_attr){ .btf = (uintptr_t)btf,\
		.btf_size = sections[find_section(".BTF")].sh_size }); attr.btf_value_type_id = ids[1]; }/' "$object" link
refused_as writing/frozen 'frozen before it was filled' BPF_MAP_UPDATE_ELEM EPERM 1 '' '/^	if \(sections\[map->section\].sh_type/i \
	if (map->flags & BPF_F_RDONLY_PROG) check(bpf(BPF_MAP_FREEZE, \&freeze), "");' "$object" link
mistake writing/values 'bytes of .bss' '/sh_type != SHT_NOBITS/s/if \(.*\) \{/{/' "$PROGS/ip_count.bpf.o" link
shows 'the variable is a part of the license' 'variable dropped 0x445342206c617544'
mistake writing/values 'a map that is not filled' 's/^	if \(sections\[map->section\].*/	if (0) {/' "$object" link
shows 'a variable of .data is 0' 'variable steps 0'
hold=0.3
mistake writing/values 'no offset in the second half' 's/insn\[1\].imm = target.offset/insn[1].imm = 0/' "$object" link
shows 'the variable at 8 is not counted' 'variable sum 0'
shows 'the one at 0 is, in its place' "variable leaves $((4 * $(runs)))"
hold=0
mistake writing/rodata 'constants that are not frozen' '/if \(map->flags & BPF_F_RDONLY_PROG\)/,+1d' "$object" link
shows 'it loads' 'variable limit 1000000'

# --- references ---

src='/insn\[0\].src_reg = target.map/s/= .*/=' load=BPF_PROG_LOAD
refused_as writing/map-reference 'src_reg is 0' $load EACCES 13 'R1 type=scalar expected=map_ptr' \
	"$src target.map->datasec ? BPF_PSEUDO_MAP_VALUE : 0;/" "$object" link
refused_as writing/data-reference 'src_reg of a variable is 1' $load EINVAL 22 'unrecognized bpf_ld_imm64 insn' "$src BPF_PSEUDO_MAP_FD;/" "$object" link
refused_as writing/data-reference 'src_reg of the first variable is 1' $load EACCES 13 'only read from bpf_array is supported' \
	"$src BPF_PSEUDO_MAP_FD;/" "$PROGS/ip_count.bpf.o" link
refused_as writing/value-reference 'src_reg of a map is 2' $load EACCES 13 'R1 type=map_value expected=map_ptr' "$src BPF_PSEUDO_MAP_VALUE;/" "$object" link
refused_as writing/map-descriptor 'no descriptor' $load EINVAL 22 'is not pointing to valid bpf_map' '/insn\[0\].imm = target.map->fd/d' "$object" link

# --- calls ---

imm='/^		insn->imm = target.func->start/' range='jump out of range'
refused_as writing/call-distance 'no new distance where there is no relocation' $load EINVAL 22 "$range" \
	's/^	if \(is_call\(insn\) && insn->src_reg == BPF_PSEUDO_CALL\)/	if (0)/' "$object" link
refused_as writing/call-distance 'imm is still -1' $load EINVAL 22 "$range" 's/^	\} else if \(target.func\) \{/} else if (0) {/' "$PROGS/ringbuf.bpf.o" link
refused_as writing/call-distance 'a distance in bytes' $load EINVAL 22 'call to invalid destination' "${imm}s/= (.*);/= (\\1) * 8;/" "$object" link
refused_as writing/last-instruction 'a distance from the call itself' $load EINVAL 22 'last insn is not an exit or jmp' "${imm}s/ \\+ 1\\);/);/" "$object" link
refused_as writing/last-instruction 'insn_cnt in bytes' $load EINVAL 22 'last insn is not an exit or jmp' \
	's/\.insn_cnt = nr_insns/.insn_cnt = nr_insns * 8/' "$object" link
refused_as writing/unreachable 'src_reg of a call is 0' $load EINVAL 22 'unreachable insn' \
	's/^		insn->src_reg = is_call\(insn\) .*/		insn->src_reg = 0;/
	/\.func_info/d' "$PROGS/ringbuf.bpf.o" link

# --- func_info and the other arguments of BPF_PROG_LOAD ---

refused_as writing/no-func-info 'a callback without func_info' $load EINVAL 22 'missing btf func_info' '/\.func_info/d' "$object" link
mistake writing/no-func-info 'calls without func_info' '/\.func_info/d' "$PROGS/ringbuf.bpf.o" link
shows 'it loads' 'the program ran '
func_info() { refused_as writing/func-info "$1" $load EINVAL 22 "$2" "$3" "$object" link; }
func_info 'a function is left out' "number of funcs in func_info doesn't match number of subprogs" 's/\.func_info_cnt = nr_linked/.func_info_cnt = 1/'
func_info 'offsets in bytes' "func_info BTF section doesn't match subprog layout in BPF program" \
	's/\.insn_off = linked\[i\]->start/.insn_off = linked[i]->start * 8/'
func_info 'offsets of the section' 'same or smaller insn offset' 's/\.insn_off = linked\[i\]->start/.insn_off = linked[i]->first/'
func_info 'a type that is no function' 'invalid type id 1 in func info' 's/\.type_id = func_type\(linked\[i\]\)/.type_id = 1/'
empty() { refused_as writing/empty-log "$1" $load EINVAL 22 '' "$2" "$object" link; }
empty 'log_level 0' 's/\.log_level = 1, //'
empty 'a level without a log' 's/\.log_size = sizeof\(log_text\),//'
empty 'a name of 16 bytes for a program' '/snprintf\(attr.prog_name/s/.*/memcpy(attr.prog_name, "name_of_16_bytes", 16);/'
mistake writing/empty-log 'func_info without BTF' '/\.prog_btf_fd/d' "$object" link
is 'func_info without BTF: status' "$status" 1
has 'func_info without BTF: errno' "$tmp/err" 'BPF_PROG_LOAD: errno 22'
mistake writing/small-log 'a log of 128 bytes' 's/\.log_size = sizeof\(log_text\),/.log_size = 128,/' "$object" link
is 'a log of 128 bytes: status' "$status" 1
has 'a log of 128 bytes: errno' "$tmp/err" 'BPF_PROG_LOAD: errno 28'
license='s/\.license = .*/.license = (uintptr_t)'
refused_as writing/no-license 'an empty license' $load EINVAL 22 'cannot call GPL-restricted function from non-GPL compatible program' \
	"$license\"\",/" "$PROGS/profile.bpf.o" link
mistake writing/no-license 'an empty license, and no such helper' "$license\"\",/" "$PROGS/ip_count.bpf.o" link
shows 'it loads' 'the program ran '
refused_as writing/no-license 'no license' $load EFAULT 14 '' "${license}0,/" "$PROGS/ip_count.bpf.o" link
mistake writing/attribute-bytes 'bytes that the kernel does not know' '/return syscall\(__NR_bpf/i static char big[1024]; memcpy(big, attr, sizeof(*attr));\
	big[1000] = 1; return syscall(__NR_bpf, cmd, big, sizeof(big));' "$object" link
has 'bytes that the kernel does not know: errno' "$tmp/err" 'BPF_MAP_CREATE: errno 7'
has 'bytes that the kernel does not know: the page' "$tmp/page" E2BIG
mistake writing/attribute-bytes 'bytes that the command does not use' '/union bpf_attr freeze = /s/map->fd \}/map->fd, .map_flags = 1 }/' "$object" link
has 'bytes that the command does not use: errno' "$tmp/err" 'BPF_MAP_FREEZE: errno 22'

# --- the event ---

refused_as writing/event-scope 'pid -1 with cpu -1' perf_event_open EINVAL 22 '' 's/__NR_perf_event_open, &attr, -1, cpu/__NR_perf_event_open, \&attr, -1, -1/' "$object" link
sed -i 's/"SET_BPF"/"PERF_EVENT_IOC_SET_BPF"/' "$tmp/loader.c"
refused_as writing/event-descriptor 'the address of the descriptor' PERF_EVENT_IOC_SET_BPF EBADF 9 '' \
	's/PERF_EVENT_IOC_SET_BPF, program_fd/PERF_EVENT_IOC_SET_BPF, \&program_fd/' "$object" ioctl
refused_as writing/event-descriptor 'the program as target' BPF_LINK_CREATE EBADF 9 '' '/target_fd = event_fd/s/event_fd/program_fd/' "$object" link
kprobe='s/\.prog_type = BPF_PROG_TYPE_PERF_EVENT/.prog_type = BPF_PROG_TYPE_KPROBE/;s/^	program_fd = check.*/&\n	log_text[0] = 0; return;/'
refused_as writing/event-type 'a program for kprobes' PERF_EVENT_IOC_SET_BPF EINVAL 22 '' "$kprobe" "$object" ioctl
refused_as writing/event-type 'a program for kprobes, by a link' BPF_LINK_CREATE EINVAL 22 '' "$kprobe" "$object" link
refused_as writing/event-type 'attach_type 0' BPF_LINK_CREATE EINVAL 22 '' 's/\.attach_type = BPF_PERF_EVENT,//' "$object" link
refused_as writing/bound-twice 'the same event twice' PERF_EVENT_IOC_SET_BPF EEXIST 17 '' '/^		bind_program\(event_fds\[cpu\], method, cookie\);/p' "$object" ioctl
refused_as writing/bound-twice 'two links' BPF_LINK_CREATE EEXIST 17 '' '/^		bind_program\(event_fds\[cpu\], method, cookie\);/p' "$object" link
never() {
	mistake writing/never-runs "$1" "$2" "$object" ioctl
	shows 'it runs 0 times' 'the program ran 0 times'
}
never 'never enabled' '/PERF_EVENT_IOC_ENABLE/d'
never 'no period' 's/\.freq = 1,//;s/\.sample_freq = 999//'
hold=0.3
mistake writing/never-runs 'a task that sleeps' 's/&attr, -1, cpu/\&attr, 0, cpu/' "$object" ioctl
[ "$(runs)" -lt 10 ]
is 'a task that sleeps: no samples but of its last instructions' $? 0
mistake writing/frequency 'a frequency that is a period' 's/\.freq = 1,//' "$object" link
[ "$(runs)" -gt 500 ]
is 'a frequency that is a period: more than 500 samples in 0.3 s' $? 0
mistake writing/no-cookie 'an attribute that is too short' '/return syscall\(__NR_bpf/s/sizeof\(\*attr\)/cmd == BPF_LINK_CREATE ? 16 : &/' "$PROGS/cookie.bpf.o" link 7
shows 'the cookie is 0' "value runs 0 $(runs)"

# --- reading ---

# The last byte that is written is the highest of a counter, and never 0xaa; one before it may be.
mistake writing/per-cpu 'what a lookup writes' '/^		check\(bpf\(BPF_MAP_LOOKUP_ELEM/{i \
	memset(value, 0xaa, cpus * (step + 1));
	a { size_t n = cpus * (step + 1); while (n && ((unsigned char *)value)[n - 1] == 0xaa) n--; printf("written %zu of %u\\n", n, map->value_size); }
}' "$PROGS/profile.bpf.o" link
cpus=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible | awk '{ print $1 + 1 }')
shows 'a value for each CPU' "written $((24 * cpus)) of 24"
mistake writing/next-key 'the key is never passed' '/^		next.key = /d' "$PROGS/ip_count.bpf.o" link
is 'the key is never passed: the same element again' "$(awk '/^value hits / { print $3 }' "$tmp/out" | sort | uniq -c | awk '{ print $1 }')" 8

is 'each page of writing/ has a mistake' "$("$PLOAD" explain --format=json 'writing/*' | sed 's/.*"code":"\([^"]*\)".*/\1/' | sort)" "$(sort -u "$tmp/codes")"
done_testing
