#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The losses of a session: each is counted once, twice when it happens twice, and is not called 0 if nobody counts it.
. test/cli/lib.sh

skip_rest_if 'losses' "$(kernel_refuses)"
compile() { $CLANG -O2 -g -target bpf -I. -Iuapi -c "$tmp/$1.bpf.c" -o "$tmp/$1.o"; }

# Each page fault is a record. pload is stopped meanwhile, so that its rings are full whatever their readers could do. Before the second
# flood it has printed records of the first: the size of its output is waited for.
cat >"$tmp/flood" <<'END'
flood() {
	kill -STOP "$PPID"
	i=0
	while [ $i -lt 40 ]; do (:); i=$((i + 1)); done
	kill -CONT "$PPID"
}
flood
[ "$1" = once ] && exit "${3:-0}"
size=$(wc -c <"$2")
while [ "$(wc -c <"$2")" -le "$((size + 4096))" ]; do (:); done
flood
END

cat >"$tmp/ring.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } ring SEC(".maps");
struct record { __u64 a, b, c, d, e; } *unused;
#ifdef COUNTS
__u32 before, full;
#endif
SEC("perf_event") int each(void *ctx)
{
	struct record *r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
#ifdef COUNTS
		full++;
#endif
		return 0;
	}
	r->a = 1;
	bpf_ringbuf_submit(r, 0);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
compile ring
{ echo '#define COUNTS'; cat "$tmp/ring.bpf.c"; } >"$tmp/counts.bpf.c"
compile counts

cat >"$tmp/perf.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); __uint(key_size, 4); __uint(value_size, 4); } ring SEC(".maps");
struct record { __u64 a, b, c, d, e; } *unused;
SEC("perf_event") int each(void *ctx)
{
	struct record r = { 1 };
	bpf_perf_event_output(ctx, &ring, BPF_F_CURRENT_CPU, &r, sizeof(r));
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
compile perf

for times in once twice; do
	for object in counts perf; do
		run --format=json --pages=1 -e page-faults -c 1 "$tmp/$object.o" -- sh "$tmp/flood" $times "$tmp/out"
		name="$object, $times"
		is "$name: status" "$status" 0
		lost=$(value summary lost) records=$(value summary records)
		if [ "${lost:-0}" -gt 0 ]; then ok "$name: some are lost"; else not_ok "$name: some are lost" "lost: $lost"; fi
		is "$name: each run of the program is a record or lost" "$((lost + records))" \
		   "$(value summary programs.0.run_cnt)"
	done
done

run --strict --pages=1 -e page-faults -c 1 "$tmp/perf.o" -- sh "$tmp/flood" once "$tmp/out"
is '--strict: a loss is status 3' "$status" 3
has '--strict: the text has the map' "$tmp/out" " records of map 'ring' on CPU "
run --strict --pages=1024 -e page-faults -c 1 "$tmp/perf.o" -- true
is '--strict: nothing lost is status 0' "$status" 0
run --strict --pages=1 -e page-faults -c 1 "$tmp/perf.o" -- sh "$tmp/flood" once "$tmp/out" 7
is '--strict: a loss counts more than the status of the command' "$status" 3

# Flags of 0 are the ring of CPU 0: the helper fails on each other one.
sed 's/BPF_F_CURRENT_CPU/0/' "$tmp/perf.bpf.c" >"$tmp/zero.bpf.c"
compile zero
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
	run --strict --format=json -e page-faults -c 1 -C 1 "$tmp/zero.o" -- true
	is 'the ring of one CPU: its losses are not known' "$status $(value summary lost) $(value summary losses.0.map) $(value summary losses.1)" '3 null ring null'
	has 'the ring of one CPU: a note' "$tmp/err" "note: map 'ring': a program writes records to a fixed CPU's ring"
else
	skip 'the ring of one CPU' 'there is one CPU'
fi
run -e page-faults -c 1 "$tmp/perf.o" -- true
has_not 'the ring of each CPU: no note' "$tmp/err" "a fixed CPU's ring"

# A number that nobody counts is not known, rather than 0.
run --format=json -e page-faults -c 1 "$tmp/ring.o" -- sh "$tmp/flood" once "$tmp/out"
is 'a ring buffer without a count: lost is not known' "$(value summary lost)" null
run -e page-faults -c 1 "$tmp/ring.o" -- sh "$tmp/flood" once "$tmp/out"
has 'a ring buffer without a count: the text says so' "$tmp/out" 'lost: unknown'
has 'memory of the rings' "$tmp/out" '; 1 ring of 12 kB'
run --format=json -e page-faults -c 1 "$tmp/counts.o" -- sh "$tmp/flood" once "$tmp/out"
is 'the variable is named' "$(value summary losses.0.counted_by)" full
is 'it has the number' "$(value summary losses.0.count)" "$(value data value.full)"

run --strict -e page-faults -c 1 "$tmp/ring.o" -- sh "$tmp/flood" once "$tmp/out"
is '--strict: what nobody counts is not 0' "$status" 3
has '--strict: the map that nobody counts for' "$tmp/out" "  lost: unknown for map 'ring': "
run --strict -e page-faults -c 1 "$tmp/counts.o" -- true
is '--strict: a count of 0 is status 0' "$status" 0

# Two ring buffers of which the first is always full; the counter is in a register across the call.
cat >"$tmp/two.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } one SEC(".maps"), two SEC(".maps");
__u64 calls, lost, lost_two;
SEC("raw_tp") int each(void *ctx)
{
	__u64 *r;

	__sync_fetch_and_add(&calls, 1);
	r = bpf_ringbuf_reserve(&one, 8192, 0);
	if (r)
		bpf_ringbuf_submit(r, 0);
	else
		__sync_fetch_and_add(&lost, 1);
	r = bpf_ringbuf_reserve(&two, SIZE_OF_TWO, 0);
	if (r)
		bpf_ringbuf_submit(r, 0);
	else
		COUNT_TWO;
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
two() { $CLANG -O2 -g -target bpf -I. -Iuapi -DSIZE_OF_TWO="$1" -DCOUNT_TWO="$2" -c "$tmp/two.bpf.c" -o "$tmp/two.o"; }
two 8192 '__sync_fetch_and_add(&lost_two, 1)'
run --strict --format=json --test-run=5 "$tmp/two.o"
is 'two rings: --strict' "$status" 3
is 'two rings: the losses of both' "$(value summary lost)" 10
is 'two rings: the first counter' "$(value summary losses.0.counted_by)" lost
is 'two rings: the second counter' "$(value summary losses.1.counted_by)" lost_two
two 8192 '__sync_fetch_and_add(&lost, 1)'
run --format=json --test-run=5 "$tmp/two.o"
is 'two rings, one counter: it is added once' "$(value summary lost)" 10
is 'two rings, one counter: it has no single map' "$(value summary losses.0.map)" null
is 'two rings, one counter: one entry' "$(value summary losses.1)" null
two 64 '(void)0'
run --strict --format=json --test-run=5 "$tmp/two.o"
is 'two rings, one without a counter: --strict' "$status" 3
is 'two rings, one without a counter: the sum of the others' "$(value summary lost)" 5
is 'two rings, one without a counter: it is listed' "$(value summary losses.0.map) $(value summary losses.0.count)" 'two null'
run --test-run=5 "$tmp/two.o"
has 'two rings, one without a counter: text' "$tmp/out" ' at least 5 lost'

# The kernel drops the sample that finds a program running on its CPU, and counts that nowhere. A program is busy in each of a thousand
# system calls, which have nearly all of the time of the command.
cat >"$tmp/busy.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
static long add(__u32 i, void *sum) { *(volatile __u64 *)sum += i; return 0; }
SEC("tracepoint/syscalls/sys_enter_getppid") int busy(void *ctx)
{
	__u64 sum = 0;

	bpf_loop(20000, add, &sum, 0);
	return 0;
}
SEC("perf_event") int sample(void *ctx) { return 0; }
char LICENSE[] SEC("license") = "GPL";
END
cat >"$tmp/calls.c" <<'END'
#include <sys/syscall.h>
#include <unistd.h>
int main(int n, char **list)
{
	for (int i = 0; i < 1000; i++)
		syscall(n > 1 ? SYS_getppid : SYS_getpid);
	return 0;
}
END
if [ ! -e /sys/kernel/tracing/events/syscalls/sys_enter_getppid ]; then
	skip 'samples that find a program running' 'no tracefs, or no tracepoints of system calls in it'
elif compile busy && ${CC:-cc} -O1 "$tmp/calls.c" -o "$tmp/calls"; then
	run --strict --format=json -e task-clock -c 100000 "$tmp/busy.o" -- "$tmp/calls" busy
	is 'samples that find a program running: status' "$status" 3
	dropped=$(value summary losses.0.at_most) of=$(value summary losses.0.of) runs=$(value summary programs.1.run_cnt)
	is 'samples that find a program running: what' "$(value summary losses.0.what) $(value summary losses.0.prog)" 'samples sample'
	is 'samples that find a program running: with the runs it is all of them' "$((dropped + runs))" "$of"
	is 'samples that find a program running: most are dropped' "$((dropped > of / 2 && of > 50))" 1
	run -e task-clock -c 100000 "$tmp/busy.o" -- "$tmp/calls" busy
	is 'samples that find a program running: text' \
		"$(grep -c "  lost: at most [0-9]* of [0-9]* samples ([0-9]* %) of prog 'sample' (a BPF program may have run" "$tmp/out")" 1
	run --strict --format=json -e page-faults -c 1 --prog=sample "$tmp/busy.o" -- "$tmp/calls"
	is 'no program runs: nothing is dropped' "$status $(value summary losses.0)" '0 null'
fi

# Kernels that do nothing when a program is bound, or an event enabled.
refuse=$(dirname "$SELF")/test/cli/refuse
if "$refuse" bpf:38 true 2>"$tmp/err"; then
	on() { "$refuse" "ioctl:1=$(($1)):0" "$PLOAD" --attach=ioctl -e cpu-clock -F 99 -C 0 -d 0.2 "$PROGS/ip_count.bpf.o" >"$tmp/out" 2>"$tmp/err"; }
	on 0x40042408
	has 'a kernel that binds nothing: the program never ran' "$tmp/out" "samples (100 %) of prog 'ip_count' (it never ran: the kernel may"
	on 0x2400
	has 'a kernel that enables nothing: a note' "$tmp/err" "note: event 'cpu-clock' counted nothing on CPU 0, as if"
else
	skip 'a kernel that binds nothing' 'seccomp(2) takes no filter here'
fi

# A hash of three elements, and six keys.
cat >"$tmp/full.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 3); __type(key, __u32); __type(value, __u32); } small SEC(".maps");
__u64 calls, refused;
SEC("raw_tp") int each(void *ctx)
{
	__u32 key = calls++;

	if (bpf_map_update_elem(&small, &key, &key, BPF_ANY))
		__sync_fetch_and_add(&refused, 1);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
compile full
run --format=json --test-run=6 "$tmp/full.o"
is 'a full hash: what' "$(value summary losses.0.what)" updates
is 'a full hash: count' "$(value summary losses.0.count)" 3
is 'a full hash: map' "$(value summary losses.0.map)" small
run --test-run=6 "$tmp/full.o"
has 'a full hash: text' "$tmp/out" "  lost: 3 updates of map 'small' (the map may have been full; counted by the program in 'refused')"

# Rows that have an errno in place of the id of a stack. -EFAULT is no loss: there was no stack.
cat >"$tmp/rows.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct key { __u32 n; int id; };
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 8); __type(key, struct key); __type(value, __u64); } rows SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_STACK_TRACE); __uint(max_entries, 8); __uint(key_size, 4); __uint(value_size, 80); } stacks SEC(".maps");
SEC("raw_tp") int each(void *ctx)
{
	struct key keys[] = { { 1, -17 }, { 2, -17 }, { 3, -14 }, { 4, -12 } };
	__u64 counts[] = { 5, 7, 100, 1 };

	struct key real = { 0, bpf_get_stackid(ctx, &stacks, 0) };

	for (int i = 0; i < 4; i++)
		bpf_map_update_elem(&rows, &keys[i], &counts[i], BPF_ANY);
	if (bpf_get_smp_processor_id() > 9999)	/* never: the code shows that this field is an id */
		bpf_map_update_elem(&rows, &real, &counts[0], BPF_ANY);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
compile rows
run --strict --format=json --test-run=1 "$tmp/rows.o"
is 'stacks that rows miss: status' "$status" 3
is 'stacks that rows miss: what' "$(value summary losses.0.what)" stacks
is 'stacks that rows miss: map' "$(value summary losses.0.map)" stacks
is 'stacks that rows miss: each as often as its row has it' "$(value summary losses.0.count)" 13
is 'stacks that rows miss: the profile has lost them, too' "$(value profile lost)" 13
is 'stacks that rows miss: the profile has them all' "$(value profile total)" 13
is 'stacks that rows miss: their frame' "$(value profile functions.0.symbol)" '[kernel stack lost]'
run --format=folded --test-run=1 -o "$tmp/folded" "$tmp/rows.o"
is 'stacks that rows miss: folded' "$(cat "$tmp/folded")" '[kernel stack lost] 13'
has_not 'stacks that rows miss: that profile is not empty' "$tmp/err" 'the profile is empty'
sed 's/bpf_map_update_elem(&rows, &keys.*/(void)\&rows;/' "$tmp/rows.bpf.c" >"$tmp/empty.bpf.c"
compile empty
run --format=folded --test-run=3 -o "$tmp/folded" "$tmp/empty.o"
is 'an empty profile: status' "$status" 0
has 'an empty profile: a note' "$tmp/err" 'note: the profile is empty: programs ran 3 times, but no row or record has a stack'
run --test-run=1 "$tmp/rows.o"
has 'stacks that rows miss: text' "$tmp/out" "  lost: 13 stacks of map 'stacks' (another stack has the same hash"
done_testing
