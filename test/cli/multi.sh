#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs for maps, iterators over a part of something, and programs on many functions.
. test/cli/lib.sh

object="$tmp/multi.o"
compile_or_end test/regress/bpf/multi.bpf.c "$object"
hint() { has "$1" "$tmp/err" "hint: $2"; }

# --- maps ---
refused '--target-map by ioctl' 2 'attaches to events only' --target-map=sockets a.o
refused 'no such map' 1 "--target-map: the object has no map 'elments'" --attach=link --target-map=elments \
	--prog=each_element "$object"
hint 'no such map: which may be meant' 'did you mean elements?'
refused 'a map of another type' 1 "map 'sockets' is a SOCKMAP, but iter/bpf_map_elem needs HASH, ARRAY" \
	--attach=link --target-map=sockets --prog=each_element "$object"
hint 'a map of another type: those that fit' 'use --target-map=NAME: suitable maps are elements'
refused '--target-map, and nothing is about one' 1 'no loaded program is attached to a map' \
	--attach=link --target-map=sockets --prog=each_task "$object"
refused 'neither parser nor verdict' 1 "does not say what it does with the sockets in a map" --attach=link \
	--prog=neither "$object"
hint 'neither parser nor verdict: what to write' 'use SEC("sk_skb/stream_verdict")'
refused 'a cookie where there is none' 1 'sk_msg links have no cookie' --attach=link --cookie=1 \
	--prog=message "$object"
cat >"$tmp/x.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#ifdef TWO
#define MAP(name) struct { __uint(type, BPF_MAP_TYPE_SOCKMAP); __uint(max_entries, 1); \
	__type(key, __u32); __type(value, __u32); } name SEC(".maps")
MAP(first);
MAP(second);
#endif
#ifdef INNER
struct inner {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps");
#endif
SEC("sk_msg") int message(struct sk_msg_md *ctx) { return SK_PASS; }
char LICENSE[] SEC("license") = "GPL";
X
compile() { ${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi "$@" -c "$tmp/x.c" -o "$tmp/x.o"; }
compile
refused 'no map of sockets' 1 'sk_msg needs one map, but the object has none of its types (SOCKMAP, SOCKHASH)' \
	--attach=link "$tmp/x.o"
compile -DINNER
refused 'the description of inner maps is no map' 1 'the object has none of its types' --attach=link -d 0 "$tmp/x.o"
compile -DTWO
refused 'two maps of sockets' 1 'the object has several of its types' --attach=link "$tmp/x.o"
hint 'two maps of sockets: which' 'use --target-map=NAME: suitable maps are first, second'
run --attach=link --dry-run -d 1 --target-map=second "$tmp/x.o"
is 'sk_msg, dry run: status' "$status" 0
has 'sk_msg, dry run: the link' "$tmp/err" 'attach_type=BPF_SK_MSG_VERDICT}}, 16)'
has 'sk_msg, dry run: the summary' "$tmp/out" "message on map 'second' (sk_msg): "
run --attach=link --dry-run -d 1 --prog=each_element "$object"
has 'iter/bpf_map_elem, dry run: the link' "$tmp/err" 'attach_type=BPF_TRACE_ITER, iter_info=0x'
has 'iter/bpf_map_elem, dry run: the summary' "$tmp/out" "each_element on bpf_map_elem of map 'elements' (iter): "
run --attach=link --dry-run -d 1 --prog=each_task "$object"
has_not 'iter/task over all: nothing to say' "$tmp/err" 'iter_info'

# --- many functions ---
refused '--functions by ioctl' 2 'attaches to events only' --functions=vfs_* a.o
refused 'kprobe.multi by ioctl' 1 'is for many functions, which need a link' --prog=kernel_entry "$object"
hint 'kprobe.multi by ioctl: what would work' 'use --attach=link'
refused 'kprobe.multi on -e' 1 'no program in the object can run on it' --attach=link -e kprobe:vfs_read \
	--prog=kernel_entry "$object"
refused 'uprobe.multi without a file' 1 'is attached to functions in a file, but none are given' --attach=link \
	--functions='mem*' --prog=user_entry "$object"
refused 'patterns that take out only' 1 'all patterns exclude functions' --attach=link --functions='!vfs_*' \
	--prog=kernel_entry "$object"
refused '--functions, and nothing wants any' 1 'no loaded program is attached to many functions' \
	--attach=link --functions='vfs_*' --prog=message "$object"
refused 'no such function' 1 "no kernel function matches 'no_such_function_at_all'" --attach=link --dry-run \
	--functions=no_such_function_at_all --prog=kernel_entry "$object"
run --attach=link --dry-run -d 1 --cookie=7 --functions=schedule --prog=kernel_return "$object"
is 'kretprobe.multi, dry run: status' "$status" 0
has 'kretprobe.multi, dry run: the link' "$tmp/err" 'attach_type=BPF_TRACE_KPROBE_MULTI, kprobe_multi.flags=BPF_F_KPROBE_MULTI_RETURN, kprobe_multi.cnt=1, kprobe_multi.'
has 'kretprobe.multi, dry run: its cookies' "$tmp/err" 'kprobe_multi.cookies=0x'
has 'kretprobe.multi, dry run: the summary' "$tmp/out" 'kernel_return on schedule (kprobe.multi, 1 function): '
run --attach=link --dry-run -d 1 --format=json --prog=kernel_both "$object"
has 'kprobe.session, dry run: JSON' "$tmp/out" '"points":["bpf_fentry_test* (kprobe.session, '

skip_rest_if 'with the kernel' "$(kernel_refuses)"
# NAME ARG... - skips where this kernel has none of that kind, and otherwise leaves what was said.
tried() {
	name=$1
	shift
	run "$@"
	[ "$status" = 0 ] && return 0
	if grep -Eq 'link-unsupported|no-target|prog-load/|attach/unsupported' "$tmp/err"; then
		skip "$name" "$(sed -n 's/^pload: //p' "$tmp/err" | grep -v '^note' | head -n 1)"
	else
		not_ok "$name" "exit status $status"
	fi
	return 1
}
refused 'no such pin' 1 '--target-map=/sys/fs/bpf/no-such: BPF_OBJ_GET: ' --attach=link \
	--target-map=/sys/fs/bpf/no-such --prog=message "$object"
refused 'no such id' 1 '--target-map=4294967295: BPF_MAP_GET_FD_BY_ID: ' --attach=link --target-map=4294967295 \
	--prog=message "$object"
for prog in message parse judge; do
	tried "sockets: $prog" --attach=link -d 0 --prog=$prog "$object" &&
		has "sockets: $prog" "$tmp/out" "$prog on map 'sockets' ("
done
if tried 'a process alone' --attach=link --prog=each_task -p $$ "$object"; then
	has 'a process alone' "$tmp/out" "$(printf '%d\t%d' $$ $$)"
	lines=$(grep -cE "^[0-9]+$(printf '\t')[0-9]+\$" "$tmp/out")
	if [ "$lines" = 1 ]; then
		ok 'a process alone: no other'
	else
		not_ok 'a process alone: no other' "$lines lines"
	fi
fi
done_testing
