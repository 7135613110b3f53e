#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Objects that lack something, or have it in an odd form, and load all the same.
# Lane: free
. test/cli/lib.sh

obj=$tmp/x.o
# compile C-TEXT [FLAG...] - an object of ours, for this test only.
compile() {
	printf '%s\n' "$1" >"$tmp/x.c"
	shift
	rm -f "$obj"
	${CLANG:-clang} -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -Iuapi -c "$tmp/x.c" -o "$obj" "$@" 2>"$tmp/err" ||
		not_ok 'compiles' "$CLANG failed"
}
# loads NAME TEXT - pload load says that of the object.
loads() {
	run load "$obj"
	is "$1" "$status $(sed "s|$obj|x.o|" "$tmp/out")" "0 ok      x.o: $2"
}
headers='#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>'
gpl='
char LICENSE[] SEC("license") = "GPL";'

skip_rest_if 'with the kernel' "$(kernel_refuses)"

compile "$headers"'
SEC("perf_event") int p(void *ctx) { return 0; }'
loads 'no license' '0 maps, 1 program'
run -d 0 -e cpu-clock "$obj"
is 'no license: runs' "$status" 0
has 'no license: says so' "$tmp/err" 'note: the object has no license'
compile "$headers"'
SEC("perf_event") int p(void *ctx) { bpf_printk("for GPL only"); return 0; }'
run load -v "$obj"
is 'no license, and a helper that wants one' "$status" 1
has 'no license, and a helper that wants one: the hint' "$tmp/out" 'its license is ""'
compile "$headers"'
char LICENSE[3] SEC("license") = "GPL";
SEC("perf_event") int p(void *ctx) { bpf_printk("for GPL only"); return 0; }'
loads 'a license that does not end' '1 map, 1 program'
compile "$headers$gpl"'
unsigned int _version[2] SEC("version") = { 0x60c02, 7 };
SEC("perf_event") int p(void *ctx) { return 0; }'
loads 'a version of eight bytes' '0 maps, 1 program'

compile "$headers"'
int hits;
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, int); __type(value, int); } m SEC(".maps");'
loads 'maps, and no program' '2 maps, 0 programs'
compile "$headers$gpl"'
SEC("xdp") int good(struct xdp_md *ctx) { return 2; }
SEC("nonsense") int other(void *ctx) { return 0; }'
run load "$obj"
is 'a section of no kind' "$status $(head -n 1 "$tmp/out" | cut -d: -f2-)" \
	"1  prog 'other': section 'nonsense' has an unknown kind [prog-load/kind]"
run load --skip-failing "$obj"
is 'a section of no kind: the others are loaded' "$status $(sed "1s|$obj|x.o|;q" "$tmp/out")" \
	'0 ok      x.o: 0 maps, 1 of 2 programs'
run load --prog=good "$obj"
is 'a section of no kind: nobody asks for it' "$status" 0
compile "$headers$gpl"'
enum declared;
struct { enum declared *e; int n; } with_declared = { .n = 2 };
SEC("xdp") int p(struct xdp_md *ctx) { return with_declared.n; }'
loads 'an enum that is only declared' '1 map, 1 program'
is '... its BTF is loaded' "$(cat "$tmp/err")" ''
# Forty structs, each in the next, and the outermost one first in BTF.
nested='struct s0 { int x; };' outer=0
while [ $outer -lt 40 ]; do
	nested="$nested struct s$((outer + 1)) { struct s$outer inner; };"
	outer=$((outer + 1))
done
compile "$headers$gpl$nested"'
struct s40 deep;
SEC("xdp") int p(struct xdp_md *ctx) { return *(volatile int *)&deep + 2; }'
loads 'structs nested too deep for the kernel' '1 map, 1 program'
has '... a note says what is left out' "$tmp/err" 'Exceeded max resolving depth:32": programs are loaded without'
compile "$headers$gpl$nested"'
struct s40 deep;
struct { __uint(type, BPF_MAP_TYPE_TASK_STORAGE); __uint(map_flags, BPF_F_NO_PREALLOC); __type(key, int); __type(value, long); } m SEC(".maps");
SEC("raw_tp/sys_enter") int p(void *ctx) { return *(volatile int *)&deep + !bpf_task_storage_get(&m, (void *)bpf_get_current_task_btf(), 0, 0); }'
run load "$obj"
has '... a map that needs them' "$tmp/out" '[map-create/needs-btf]'
has '... and the hint' "$tmp/out" "hint: the kernel refused the object's BTF"
compile "$headers$gpl"'
int answer = 2;
SEC("xdp") int p(struct xdp_md *ctx) { return answer; }'
# Its first two bytes, which are those of .BTF.ext as well, but not the length of its header.
at=$(LC_ALL=C grep -obUaP '\x9f\xeb\x01\x00\x18' "$obj" | head -n 1 | cut -d: -f1)
printf 'BT' | dd of="$obj" bs=1 seek="$at" conv=notrunc 2>/dev/null
loads 'BTF that is none' '1 map, 1 program'
has '... a note says so' "$tmp/err" "note: cannot read the object's BTF (BTF header: magic"
compile "$headers$gpl"'
SEC("filter") int first(struct __sk_buff *skb) { return skb->len; }
SEC("loadbalancer") int second(struct __sk_buff *skb) { return skb->len; }
SEC("xdp") int third(struct xdp_md *ctx) { return 2; }'
run load "$obj"
has 'sections that name no type' "$tmp/out" '[prog-load/kind]'
compile "$headers$gpl"'
SEC("perf_event/type=1,config=0,frequency=50") int p(void *ctx) { return 0; }'
run -d 0 --trace "$obj"
is 'the keys of ebpf_exporter' "$status" 0
has '... are those of the event' "$tmp/err" 'config=PERF_COUNT_SW_CPU_CLOCK, sample_freq=50'
compile "$headers$gpl"'
SEC("perf_event/type=1,config=0,sample_period=50") int p(void *ctx) { return 0; }'
refused '... no others' 1 "'sample_period' is not a known key" -d 0 "$obj"
compile "$headers$gpl"'
int many[4];
SEC("xdp") int good(struct xdp_md *ctx) { return 2; }
SEC("xdp") int bad(struct xdp_md *ctx) { long end; asm volatile("%0 = many + 16 ll" : "=r"(end)); return !end + many[0]; }'
refused 'an address that BPF does not have' 1 'offset 16 is outside' --test-run=1 "$obj"
run load --skip-failing "$obj"
is '... the other program is loaded' "$status $(sed "1s|$obj|x.o|;q" "$tmp/out")" '0 ok      x.o: 1 map, 1 of 2 programs'
has '... and the reason is printed' "$tmp/out" '[object/relocation]'
run load --prog=good "$obj"
is '... and nobody asks for it' "$status" 0
compile "$headers$gpl"'
static __attribute__((used)) SEC("perf_event") int p(void *ctx) { return 0; }
static __attribute__((used)) SEC("perf_event") int q(void *ctx) { return 1; }'
loads 'static programs' '0 maps, 2 programs'
compile "$headers$gpl"'
static __noinline int same(int x) { return x * 3 + (int)bpf_ktime_get_ns(); }
SEC("perf_event") int p(void *ctx) { return same(1); }
SEC("xdp") int q(void *ctx) { return same(2); }
SEC("tc") int r(struct __sk_buff *skb) { return same(skb->len); }'
loads 'a subprogram of programs in three sections' '0 maps, 3 programs'
compile "$headers$gpl"'
__attribute__((weak, noinline)) int nobody(int x) { return x + 1; }
__attribute__((weak)) int weak_data;
__hidden __noinline int hidden(int *x) { return *x + weak_data; }
SEC("perf_event") int p(void *ctx) { int x = nobody(1); return hidden(&x); }'
loads 'weak and hidden' '1 map, 1 program'
for cpu in v1 v2 v3; do
	compile "$headers$gpl"'
SEC("xdp") int p(struct xdp_md *ctx) { unsigned int n = ctx->ingress_ifindex; return n > 7 ? n >> 3 : n * 5; }' -mcpu=$cpu
	loads "instruction set $cpu" '0 maps, 1 program'
	compile "$headers$gpl"'
int hits;
static __noinline int add(int n) { return hits += n; }
SEC("xdp") int p(struct xdp_md *ctx) { return add(ctx->ingress_ifindex); }' -mcpu=$cpu -g0
	loads "instruction set $cpu, without BTF" '1 map, 1 program'
done
compile "$headers"'
static const char a[] = "aaa", b[] = "bbb";
static const char *const volatile names[] = { a, b };
volatile unsigned int which;
SEC("perf_event") int p(void *ctx) { return names[which & 1] != 0; }'"$gpl"
loads 'a table of addresses' '2 maps, 1 program'
has 'a table of addresses: says so' "$tmp/err" "note: section '.rodata': 2 words should be addresses"

done_testing
