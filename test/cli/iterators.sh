#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Iterators with many elements: ^C and -d take effect between two reads, however fast their output is read.
. test/cli/lib.sh

skip_rest_if 'iterators' "$(kernel_refuses)"

# So many elements that no test reads all of them before it is interrupted.
lines=1000000
cat >"$tmp/x.c" <<END
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct seq_file;
struct bpf_iter_meta {
	struct seq_file *seq;
} __attribute__((preserve_access_index));
struct bpf_iter__bpf_map_elem {
	struct bpf_iter_meta *meta;
	void *key, *value;
} __attribute__((preserve_access_index));
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, $lines);
	__type(key, __u32);
	__type(value, __u32);
} elements SEC(".maps");
SEC("iter/bpf_map_elem")
int each(struct bpf_iter__bpf_map_elem *ctx)
{
	if (ctx->key)
		bpf_seq_write(ctx->meta->seq, "an element\n", 11);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/x.c" -o "$tmp/x.o" || not_ok 'compiles' "$CLANG failed"

refused 'an iterator over two processes' 1 '[scope/grammar]' --attach=link -p 1,2 "$tmp/x.o"
cat >"$tmp/task.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("iter/task") int each(void *ctx) { return 0; }
char LICENSE[] SEC("license") = "GPL";
END
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/task.c" -o "$tmp/task.o" || not_ok 'compiles' "$CLANG failed"
run --dry-run --attach=link -p 1 "$tmp/task.o"
is 'an iterator over one process' "$status" 0
refused 'an iterator over two tasks' 1 '[scope/grammar]' --dry-run --attach=link -p 1,2 "$tmp/task.o"
# begin FILE - run pload in the background, with its output in FILE.
begin() {
	"$PLOAD" --attach=link --rows=1 "$tmp/x.o" >"$1" 2>"$tmp/err" &
	pid=$!
}
# until TEST... - wait for it, five minutes at most.
until_true() {
	tries=0
	while ! "$@" 2>/dev/null && [ $tries -lt 3000 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	"$@" 2>/dev/null
}
gone() { ! kill -0 "$1"; }
# ended NAME - it ends soon, and says that there would have been more.
ended() {
	if until_true gone "$pid"; then ok "$1: ends"; else not_ok "$1: ends" 'it goes on'; kill -9 "$pid"; fi
	wait "$pid"
	status=$?
	has "$1: says that it was not all" "$tmp/err" "note: prog 'each': its iterator was not read to the end"
}

run --attach=link -d 0.01 --rows=1 "$tmp/x.o"
[ "$status" = 0 ] || skip_rest 'iterators' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
is '-d: not all' "$(($(grep -c '^an element$' "$tmp/out") < lines))" 1
has '-d: says so' "$tmp/err" "note: prog 'each': its iterator was not read to the end"

# A fast reader: a file takes all output at once.
begin "$tmp/all"
until_true test -s "$tmp/all"
kill -INT $pid
ended '^C, a fast reader'
is '^C, a fast reader: status' "$status" 0
is '^C, a fast reader: not all' "$(($(grep -c '^an element$' "$tmp/all") < lines))" 1
has '^C, a fast reader: the summary' "$tmp/all" "each on bpf_map_elem of map 'elements' (iter)"

# A slow reader takes one line and no more: the rest of the output is as much as fits into the pipe.
# slow_reader NAME CONDITION... - it is interrupted when that holds.
slow_reader() {
	name=$1
	shift
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	begin "$tmp/fifo"
	exec 3<"$tmp/fifo"
	read -r first <&3
	is "$name: what it has read" "$first" 'an element'
	until_true "$@"
	kill -INT $pid
	ended "$name"
	exec 3<&-
	case $status in
	0) ok "$name: its pipe took the rest" ;;
	*) has "$name: what it has lost" "$tmp/err" 'output is lost' ;;
	esac
}
blocked() { grep -q '^State:.S' "/proc/$pid/status"; }
slow_reader '^C, a slow reader' true
slow_reader '^C, a full pipe' blocked
done_testing
