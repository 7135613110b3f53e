#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload load: a line for each object, whatever becomes of the others.
. test/cli/lib.sh

JSON=${JSON:-build/tests/test/cli/json}
bad="$tmp/bad.o"
compile_or_end test/cli/load.bpf.c "$bad"
good="$PROGS/ip_count.bpf.o"

# Without a kernel.
run load --dry-run "$good" "$PROGS/xdp_output.bpf.o"
is 'dry run: status' "$status" 0
is 'dry run: a line for each' "$(cat "$tmp/out")" "ok      $good: 2 maps, 1 program
ok      $PROGS/xdp_output.bpf.o: 5 maps, 3 programs"
has 'dry run: says what it would do' "$tmp/err" 'bpf(BPF_PROG_LOAD'
run load --dry-run --prog=xdp_both "$PROGS/xdp_output.bpf.o"
is '--prog: one of three' "$(cat "$tmp/out")" "ok      $PROGS/xdp_output.bpf.o: 5 maps, 1 program"
run load --dry-run '--prog=xdp_*_only' "$PROGS/xdp_output.bpf.o"
is '--prog: a pattern' "$(cat "$tmp/out")" "ok      $PROGS/xdp_output.bpf.o: 5 maps, 2 programs"
run load --dry-run --prog=nix "$good"
is '--prog: none of that name' "$status $(head -n 1 "$tmp/out")" \
	"1 failed  $good: --prog=nix: the object has no such program [object/no-program]"
run load --dry-run --prog=ip_cuont "$good"
has '--prog: one that is nearly so named' "$tmp/out" 'hint: did you mean ip_count?'
run load --dry-run --map=hits.max_entires=5 "$good"
has '--map: a field that is nearly so named' "$tmp/out" 'hint: did you mean max_entries?'
run load --dry-run --map=hit.max_entries=5 "$good"
has '--map: a map that is nearly so named' "$tmp/out" "hits"
run load --dry-run --map=hits.colour=5 "$good"
has '--map: a field that is none' "$tmp/out" 'numa_node or pin'
run load --dry-run "$tmp/nix.o" /etc/passwd "$tmp" "$good"
is 'files that are no objects: status' "$status" 1
is 'files that are no objects: the others are loaded' "$(sed 's/:.*//' "$tmp/out")" "failed  $tmp/nix.o
failed  /etc/passwd
failed  $tmp
ok      $good"
has 'files that are no objects: what to do is told of' "$tmp/err" 'note: 3 of 4 failed: -v shows hints'
has_not 'many objects: a line each' "$tmp/out" 'hint: '
run load "$tmp/nix.o"
is 'a file that is no object: -v is not referred to, for there is no log' "$(grep note: "$tmp/err")" 'pload: note: 1 of 1 failed'
run load --dry-run -v "$tmp/nix.o" "$good"
has '-v: the hint' "$tmp/out" '  hint: pload needs the path'
run load --dry-run "$tmp/nix.o"
has 'one object: the hint' "$tmp/out" '  hint: pload needs the path'
run load --dry-run --format=json "$good" "$tmp/nix.o"
is 'JSON: status' "$status" 1
is 'JSON: ok' "$(head -n 1 "$tmp/out")" \
	"{\"type\":\"load\",\"object\":\"$good\",\"status\":\"ok\",\"maps\":2,\"programs\":1,\"loaded\":1}"
has 'JSON: failed' "$tmp/out" "{\"type\":\"load\",\"object\":\"$tmp/nix.o\",\"status\":\"failed\",\"maps\":0,\"programs\":0,\"loaded\":0,\"error\":\"No such file or directory\",\"reason\":\"object/no-file\",\"hint\":"
if [ -x "$JSON" ]; then
	is 'JSON: each line is one' "$("$JSON" load status <"$tmp/out" | tr '\n' ' ')" 'ok failed '
fi
# shellcheck disable=SC2046
{ "$PLOAD" load --dry-run $(yes "$good" | head -n 3000) 2>/dev/null; echo $? >"$tmp/status"; } | head -n 1 >"$tmp/out"
is 'a pipe that is closed ends it' "$(cat "$tmp/status")" 141

run load --dry-run -v "$good"
has '-v: a kernel that counts no instructions' "$tmp/out" '  ip_count (perf_event): 0 bytes, 0 bytes of machine code'

# Descriptors that are closed are not taken for files of ours.
# closed NAME STATUS REDIRECTION - pload load of two objects, with descriptors closed.
closed() {
	(eval "exec $3"; timeout 300 "$PLOAD" load "$good" "$tmp/nix.o"); closed_status=$?
	is "$1" "$closed_status" "$2"
}
closed 'standard output is closed' 1 '</dev/null >&- 2>"$tmp/err"'
has 'standard output is closed: says so' "$tmp/err" 'pload: output: Bad file descriptor'
closed 'standard error is closed' 1 '</dev/null >"$tmp/out" 2>&-'
is 'standard error is closed: a line for each' "$(grep -c . "$tmp/out")" 2
closed 'all are closed' 1 '<&- >&- 2>&-'

# With one.
skip_rest_if 'with the kernel' "$(kernel_refuses)"
run load "$good" "$bad" "$PROGS/profile.bpf.o"
is 'one bad among good: status' "$status" 1
is 'one bad among good: a line for each' "$(cut -d: -f1 "$tmp/out")" "ok      $good
failed  $bad
ok      $PROGS/profile.bpf.o"
if grep -qE "$bad: prog 'refused': the verifier rejected the program: Permission denied: [^ ]*: R0 [^:]*may be NULL: .* \[prog-load/verifier\]$" \
		"$tmp/out"; then
	ok 'one bad among good: where, and why'
else
	not_ok 'one bad among good: where, and why' "$(cat "$tmp/out")"
fi
has_not 'one bad among good: no log' "$tmp/out" 'processed'
run load -v "$bad"
has '-v: the log' "$tmp/out" '    processed '
run load -v "$good"
if grep -q '^  ip_count (perf_event): [1-9][0-9]* instructions verified, [1-9][0-9]* bytes, [0-9]* bytes of machine code$' "$tmp/out"; then
	ok '-v: what the kernel made of a program'
else
	not_ok '-v: what the kernel made of a program' "$(cat "$tmp/out")"
fi
run load --skip-failing "$bad"
is '--skip-failing: status' "$status" 0
is '--skip-failing: what was loaded' "$(head -n 1 "$tmp/out")" "ok      $bad: 1 map, 2 of 3 programs"
has '--skip-failing: what was not' "$tmp/out" "  without prog 'refused': the verifier rejected the program"
run load --skip-failing --format=json "$bad"
has '--skip-failing: in JSON' "$tmp/out" '"programs":3,"loaded":2,"refused":[{"prog":"refused","section":"socket","error":"prog '"'refused'"': the verifier'
run load --skip-failing --prog=refused "$bad"
is '--skip-failing: nothing is left' "$status $(head -n 1 "$tmp/out")" \
	"1 failed  $bad: none of its 1 programs can be loaded [prog-load/none]"
run load --prog=optional --prog=first "$bad"
is '--prog: also an optional one' "$status $(cat "$tmp/out")" "0 ok      $bad: 1 map, 2 programs"
run load --trace "$good"
has '--trace: closes what it opened' "$tmp/err" 'close('
# shellcheck disable=SC2046
(ulimit -n 40 && "$PLOAD" load $(yes "$good" | head -n 60) >"$tmp/out" 2>"$tmp/err")
is 'many objects: status' $? 0
is 'many objects: nothing stays open' "$(grep -c '^ok ' "$tmp/out")" 60
cat >"$tmp/two.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
const char bpf_metadata_author[] SEC(".rodata") = "somebody";
struct { __uint(type, BPF_MAP_TYPE_PROG_ARRAY); __uint(max_entries, 1); __type(key, int); __type(value, int); } calls SEC(".maps");
SEC("socket") int first(void *ctx) { bpf_tail_call(ctx, &calls, 0); return 0; }
SEC("xdp") int second(void *ctx) { bpf_tail_call(ctx, &calls, 0); return 0; }
char LICENSE[] SEC("license") = "GPL";
X
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/two.c" -o "$tmp/two.o"
run load "$tmp/two.o"
has 'a program array of two types: whose it is' "$tmp/out" "prog 'second': BPF_PROG_LOAD: Invalid argument: map 'calls' belongs to programs of type \
BPF_PROG_TYPE_SOCKET_FILTER, but this one has type BPF_PROG_TYPE_XDP [prog-load/prog-array]"
has 'a program array of two types: what to do' "$tmp/out" 'hint: the first program that refers to a program array determines the type for all'
run load --prog=first --trace "$tmp/two.o"
is 'metadata that no code reads is bound to the program' "$(grep -c 'bpf(BPF_PROG_BIND_MAP.*) = 0$' "$tmp/err")" 1
run load --trace "$PROGS/profile.bpf.o"
has_not 'data that the code reads is not' "$tmp/err" BPF_PROG_BIND_MAP
# shellcheck disable=SC2016 # The inner shell expands it. Redirections of a shell need more descriptors.
sh -c 'ulimit -Sn 6 && exec "$@"' sh "$PLOAD" load "$good" >"$tmp/out" 2>"$tmp/err" </dev/null
is 'the limit of descriptors is raised: status' $? 0
has 'the limit of descriptors is raised: and it is reported' "$tmp/err" 'the limit on open files (RLIMIT_NOFILE) was raised from 6 to'
# Pins, in a bpffs that nobody else sees.
mkdir "$tmp/bpf"
unshare -m sh -c "mount -t bpf bpf '$tmp/bpf'" 2>/dev/null || skip_rest '--pin' 'no bpffs can be mounted here'
# in_bpffs ARG... - as run, with a bpffs of its own at $tmp/bpf; $tmp/files: what is there afterwards.
in_bpffs() {
	unshare -m sh -c 'tmp=$1 pload=$2; shift 2; mount -t bpf bpf "$tmp/bpf" || exit
		mkdir "$tmp/bpf/there"
		"$pload" "$@" >"$tmp/out" 2>"$tmp/err"; status=$?
		cd "$tmp/bpf" && find . -mindepth 1 ! -name "*.debug" | sort >"$tmp/files"; exit $status' \
		sh "$tmp" "$PLOAD" "$@"
	status=$?
}
if [ -c /dev/full ]; then
	cp "$good" "$tmp/full.bpf.o"
	unshare -m sh -c 'mount -t bpf bpf "$1/bpf" || exit; "$2" load --pin="$1/bpf/x" "$1/full.bpf.o" >/dev/full 2>"$1/err"; status=$?
		ls "$1/bpf/x" >"$1/files"; exit $status' sh "$tmp" "$PLOAD"
	is '--pin: the line is not printed: status' $? 1
	has '--pin: ... it is a failure of the output' "$tmp/err" '[output/failed]'
	has '--pin: ... and what stays is named' "$tmp/err" "stays pinned in '$tmp/bpf/x'"
	has '--pin: ... and is there' "$tmp/files" ip_count
else
	skip '--pin: the line is not printed' 'there is no /dev/full'
fi
in_bpffs load --pin="$tmp/bpf/a/b/" "$bad" --skip-failing
is '--pin: status' "$status" 0
has '--pin: says where' "$tmp/out" ", pinned in $tmp/bpf/a/b"
is '--pin: programs and maps that are loaded' "$(tr '\n' ' ' <"$tmp/files")" './a ./a/b ./a/b/first ./a/b/maps ./a/b/maps/runs ./a/b/second ./there '
in_bpffs load --pin="$tmp/bpf" "$good" "$PROGS/profile.bpf.o" "$bad"
is '--pin of several: status' "$status" 1
is '--pin of several: those that are loaded, in a directory each' "$(grep -c . "$tmp/files") $(grep -c bad "$tmp/files")" '14 0'
has '--pin of several: a data section' "$tmp/files" './ip_count/maps/bss'
in_bpffs load --pin="$tmp/bpf/there" "$good" "$good"
is '--pin: twice the same name: status' "$status" 1
has '--pin: twice the same name: which' "$tmp/err" "two objects would be pinned in '$tmp/bpf/there/ip_count'"
in_bpffs load --pin="$tmp/bpf/there/maps" "$good" --map hits.pin="$tmp/bpf/kept"
is '--pin: also by name' "$(tr '\n' ' ' <"$tmp/files")" './kept ./there ./there/maps ./there/maps/ip_count ./there/maps/maps ./there/maps/maps/bss ./there/maps/maps/hits '
in_bpffs load "$good" --map hits.pin="$tmp/bpf/kept"
is 'without --pin nothing stays' "$status $(tr '\n' ' ' <"$tmp/files")" '0 ./there '
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c test/cli/maps.bpf.c -o "$tmp/nested.o"
in_bpffs load --pin="$tmp/bpf/x" --map runs.pin=none "$tmp/nested.o"
is '--pin: a map of maps, without the template of its inner maps' "$status $(grep -c . "$tmp/files") $(grep maps/ "$tmp/files" | tr '\n' ' ')" \
	'0 14 ./x/maps/bss ./x/maps/by_key ./x/maps/calls ./x/maps/data ./x/maps/first ./x/maps/outer ./x/maps/rodata ./x/maps/runs ./x/maps/second '
in_bpffs load --pin="$tmp/bpf/a.b" "$good"
has '--pin: a name with a dot' "$tmp/err" "contain '.'"
cat >"$tmp/x.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, int); __type(value, int); } m SEC(".maps");
SEC("socket") int maps(void *ctx) { int k = 0; return !bpf_map_lookup_elem(&m, &k); }
char LICENSE[] SEC("license") = "GPL";
X
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/x.c" -o "$tmp/x.o"
in_bpffs load --pin="$tmp/bpf/x" "$tmp/x.o"
has '--pin: a program called as the directory of maps' "$tmp/out" "prog 'maps': '$tmp/bpf/x/maps' is the directory of the maps [pin/name]"
is '--pin: a clash is found before anything is made' "$(cat "$tmp/files")" ./there
chmod 755 "$tmp"
if [ "$(id -u)" = 0 ] && mkdir -m 700 "$tmp/mine" && cp "$PLOAD" "$good" "$tmp"; then
	su -s /bin/sh nobody -c "cd '$tmp' && ./${PLOAD##*/} load --pin=mine/x ${good##*/}" >"$tmp/out" 2>"$tmp/err"
	has '--pin: a directory of somebody else' "$tmp/err" 'hint: check the owner'
fi
run load --pin="$tmp/x/y" "$good"
has '--pin: no bpffs' "$tmp/err" '[pin/no-bpffs]'
is '--pin: no bpffs: status' "$status" 1

# clang moves the table to .rodata.cst16 and lists it in .rodata, where knob is: the types are right all the same.
cat >"$tmp/table.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
const volatile int knob = 3;
SEC("socket") int table_user(void *ctx)
{
	static const int table[4] = { 5, 7, 11, 13 };
	return table[bpf_get_prandom_u32() & 3] + knob;
}
char LICENSE[] SEC("license") = "GPL";
X
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/table.c" -o "$tmp/table.o"
run load --trace "$tmp/table.o"
is 'a table that the compiler has moved: the types are taken as they are' "$status $(grep -c 'BPF_BTF_LOAD.* = [0-9]' "$tmp/err") $(
	grep -c 'BPF_BTF_LOAD' "$tmp/err")" '0 1 1'

# Two exception callbacks are those of an optional program.
cat >"$tmp/two.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
int first(__u64 cookie) { return 1; }
int second(__u64 cookie) { return 2; }
__attribute__((btf_decl_tag("exception_callback:first"))) __attribute__((btf_decl_tag("exception_callback:second")))
SEC("?tc") int wrong(struct __sk_buff *skb) { return 0; }
SEC("tc") int right(struct __sk_buff *skb) { return 0; }
char LICENSE[] SEC("license") = "GPL";
X
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/two.c" -o "$tmp/two.o"
run load "$tmp/two.o"
is 'a wrong optional program is left out' "$status $(cat "$tmp/out")" "0 ok      $tmp/two.o: 0 maps, 1 program"
run load --prog=wrong "$tmp/two.o"
has '... and refused when it is named' "$tmp/out" "'wrong': two exception callbacks, 'first' and 'second' [object/program]"
done_testing
