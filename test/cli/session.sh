#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whole sessions on the real kernel: every program of progs/ by every method, and the ways a session ends.
# Lane: kernel
. test/cli/lib.sh

skip_rest_if 'sessions' "$(kernel_refuses)"

for method in ioctl pmu link; do
	for file in "$PROGS"/*.bpf.o; do
		name=$(basename "$file" .bpf.o)
		case $name in
		functions | kprobe | uprobe | usdt) continue ;;	# multi.sh, probes.sh, symbols.sh
		xdp_* | tc_*)
			why='does not run on perf events'
			[ $method != link ] || why='attached to a network device, but none is given'
			refused "$method $name" 1 "$why" --attach=$method -d 1 --format=json "$file"
			continue
			;;
		sock_*)
			why='does not run on perf events'
			[ $method != link ] || why='attached to a cgroup, but none is given'
			refused "$method $name" 1 "$why" --attach=$method -d 1 --format=json "$file"
			continue
			;;
		esac
		run --attach=$method -d 1 --format=json "$file"
		is "$method $name: status" "$status" 0
		is "$method $name: says by which method" "$(value summary attach)" "$method"
		is "$method $name: ran" "$([ "$(value summary programs.0.run_cnt)" -gt 0 ] && echo yes)" yes
	done
done

for method in ioctl pmu link; do
	run --attach=$method -d 1 --format=json "$PROGS/ip_count.bpf.o"
	is "$method: nothing lost" "$(value summary lost)" 0
	is "$method: the map has addresses" "$(value map key | grep -c '^0x')" "$(value map key | grep -cv '^{')"
done

run --attach=link --cookie=18446744073709551615 -d 1 -e cpu-clock --format=json "$PROGS/cookie.bpf.o"
is 'the cookie of a link, all 64 bits' "$(value map key map=runs)" 18446744073709551615
is 'the cookie in the summary' "$(value summary programs.0.cookie)" 18446744073709551615
run --attach=ioctl -d 1 -e cpu-clock --format=json "$PROGS/cookie.bpf.o"
is 'no cookie by ioctl' "$(value map key map=runs)" 0

run --attach=ioctl -d 0 --format=json "$PROGS/ip_count.bpf.o"
is '-d 0: status' "$status" 0
is '-d 0: the last line is the summary' "$(value summary attach)" ioctl

run -d 0.2 -e cpu-clock "$PROGS/ip_count.bpf.o"
is 'text: status' "$status" 0
has 'text: the map by name' "$tmp/out" 'hits (hash'

run -d 0.2 -e cpu-clock -C 0 --trace "$PROGS/ip_count.bpf.o"
is '-C 0: one event' "$(grep -c '^perf_event_open' "$tmp/err")" 1
run -d 0.5 -p $$ -e cpu-clock --format=json "$PROGS/ip_count.bpf.o"
is '-p: a shell that waits uses no CPU time' "$(value summary programs.0.run_cnt)" 0
run -d 0.2 -C 0 --format=json "$PROGS/event_output.bpf.o"
has 'a tracepoint ignores -C, and this is said' "$tmp/err" 'pload: note:'

# Errors that only the kernel can find.
bad() { # NAME PLACE C-TEXT
	printf '#include <linux/bpf.h>\n#include <bpf/bpf_helpers.h>\n%s\nchar LICENSE[] SEC("license") = "GPL";\n' "$3" >"$tmp/x.c"
	${CLANG:-clang} -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -Iuapi -Wno-everything -c "$tmp/x.c" -o "$tmp/x.o"
	refused "$1" 1 "$2" -d 0 -e cpu-clock "$tmp/x.o"
}
bad 'a map of size 0' "map 'empty'" '
struct { __uint(type, BPF_MAP_TYPE_HASH); __type(key, int); __type(value, int); } empty SEC(".maps");
SEC("perf_event") int p(void *ctx) { int k = 0; return !bpf_map_lookup_elem(&empty, &k); }'
bad 'a ring buffer with a key' "map 'ring'" '
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 5000); __uint(key_size, 4); } ring SEC(".maps");
SEC("perf_event") int p(void *ctx) { return !bpf_ringbuf_query(&ring, 0); }'
bad 'a program that the verifier refuses' "prog 'p'" '
SEC("perf_event") int p(int *ctx) { return ctx[100000]; }'
has 'the verifier in its own words' "$tmp/err" 'dereference of modified ctx ptr'

# A ring declares the type of its records, which two structs of that size do not tell.
echo '#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct event { int seven; };
struct other { int unused; } *other;
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); __type(key, int); __type(value, struct event); } ring SEC(".maps");
SEC("perf_event") int p(void *ctx) { struct event e = { 7 }; bpf_ringbuf_output(&ring, &e, sizeof(e), 0); return 0; }
char LICENSE[] SEC("license") = "GPL";' >"$tmp/x.c"
${CLANG:-clang} -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -Iuapi -Wno-everything -c "$tmp/x.c" -o "$tmp/x.o"
run -d 0.2 -F 100 -e cpu-clock "$tmp/x.o"
is 'a ring with a type of its records is created' "$status" 0
has 'and they are printed by it' "$tmp/out" 'ring: {.seven = 7}'
has_not 'without a note' "$tmp/err" 'could be any'

# A program that is due while its CPU is in another one: the helper is a tracepoint itself. Programs of others on this machine call that helper,
# too, and run the second one rightly: so it counts its runs on a CPU that is inside the first.
echo '#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
char inside[4096];
int nested;
SEC("perf_event/cpu-clock") int prints(void *ctx) {
	static const char text[] = "missed";
	__u32 cpu = bpf_get_smp_processor_id() & 4095;
	inside[cpu] = 1;
	bpf_trace_printk(text, sizeof(text));
	inside[cpu] = 0;
	return 1;
}
SEC("tracepoint/bpf_trace/bpf_trace_printk") int counts(void *ctx) { nested += inside[bpf_get_smp_processor_id() & 4095]; return 1; }
char LICENSE[] SEC("license") = "GPL";' >"$tmp/x.c"
${CLANG:-clang} -O2 -g -target bpf -D__TARGET_ARCH_x86 -I. -Iuapi -Wno-everything -c "$tmp/x.c" -o "$tmp/x.o"
case $(uname -r) in
[0-5].* | 6.[0-6].* | 6.[0-6]-*) skip 'what is missed' 'it is counted since Linux 6.7' ;;
*)
	run -d 0.5 -F 100 --format=json "$tmp/x.o"
	is 'the one within another does not run' "$(value summary programs.0.name):$(value summary programs.1.name):$(grep -o '"nested":[0-9]*' "$tmp/out" | sort -u)" \
		'prints:counts:"nested":0'
	is 'what it has missed is in the summary' "$([ "$(value summary programs.1.recursion_misses)" -gt 0 ] && echo yes)" yes
	run -d 0.5 -F 100 "$tmp/x.o"
	has 'what it has missed, as text' "$tmp/out" 'missed while a program was running on that CPU'
	TERM=xterm script -qfec "stty cols 80; $PLOAD -d 2 -F 100 $tmp/x.o" /dev/null >"$tmp/out" 2>"$tmp/err" </dev/null
	is 'what it has missed is lost in the line of progress' "$(grep -qE 's left, [0-9]+ samples/s, [1-9][0-9]* lost' "$tmp/out" && echo yes)" yes
	;;
esac

# CO-RE: the kernel's relocation and ours have the same result, and types that the kernel lacks are named.
if [ -r /sys/kernel/btf/vmlinux ]; then
	while :; do :; done &
	busy=$!
	for core in user kernel; do
		# On a machine that has much to do it may not be seen at once.
		tries=0
		until run -d 0.3 -F 1000 -e cpu-clock --core=$core --format=json "$PROGS/task_tree.bpf.o"
			[ "$status" != 0 ] || grep -qF '{"pid":'$busy',' "$tmp/out" || [ $((tries += 1)) -ge 100 ]; do :; done
		is "--core=$core: status" "$status" 0
		has "--core=$core: who was started by this shell" "$tmp/out" '{"pid":'$busy',"ppid":'$$'}'
	done
	kill $busy
	wait $busy 2>/dev/null
	run -d 0.2 -e cpu-clock --btf=/sys/kernel/btf/vmlinux --trace "$PROGS/task_tree.bpf.o"
	is '--btf: the types of a file' "$status" 0
	has '--btf: is read' "$tmp/err" 'openat(AT_FDCWD, "/sys/kernel/btf/vmlinux"'
	bad 'a field that no kernel has' "prog 'p'" '
#include <bpf/bpf_core_read.h>
struct task_struct { int no_kernel_has_this; } __attribute__((preserve_access_index));
SEC("perf_event") int p(void *ctx) { struct task_struct *t = (void *)bpf_get_current_task(); return BPF_CORE_READ(t, no_kernel_has_this); }'
	has 'a field that no kernel has: named' "$tmp/err" "struct 'task_struct.no_kernel_has_this'"
	has 'a field that no kernel has: reason' "$tmp/err" '[core/not-met]'
else
	skip 'CO-RE' 'there is no /sys/kernel/btf/vmlinux'
fi

# A session without an end, ended by each signal once its first record shows that it runs.
for signal in INT TERM HUP; do
	mkfifo "$tmp/pipe.$signal"
	"$PLOAD" --format=json "$PROGS/event_output.bpf.o" >"$tmp/pipe.$signal" 2>"$tmp/err" &
	pid=$!
	exec 3<"$tmp/pipe.$signal"
	read -r first <&3
	kill -$signal $pid
	cat <&3 >"$tmp/out"
	exec 3<&-
	wait $pid
	is "SIG$signal: status" $? 0
	is "SIG$signal: ends with the summary" "$(value summary attach)" ioctl
done

# A reader that opens the pipe, reads one line and then no more: a signal ends the session all the same.
mkfifo "$tmp/full"
"$PLOAD" -e raw_syscalls:sys_enter --format=json "$PROGS/event_output.bpf.o" >"$tmp/full" 2>"$tmp/err" &
pid=$!
exec 3<"$tmp/full"
read -r first <&3
(i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); : </dev/null; done)
kill -TERM $pid
(sleep 60; kill -9 $pid) 2>/dev/null &
watchdog=$!
wait $pid
status=$?
kill $watchdog 2>/dev/null
exec 3<&-
is 'a signal is heard while the output is blocked' "$([ $status -lt 128 ] && echo ended)" ended

sleep 600 &
victim=$!
: >"$tmp/err"
timeout 300 "$PLOAD" -p $victim -e cpu-clock --format=json --trace "$PROGS/ip_count.bpf.o" >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
until grep -q PERF_EVENT_IOC_ENABLE "$tmp/err" || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
kill $victim
wait $pid
is 'the end of the process of -p ends the session' "$?" 0
is 'the end of the process of -p: with the summary' "$(value summary attach)" ioctl

# In a subshell with a pipe whose reader goes away.
("$PLOAD" --format=json "$PROGS/event_output.bpf.o" 2>"$tmp/err"; echo $? >"$tmp/status") | head -n 1 >"$tmp/out"
is 'a closed pipe ends the session' "$(cat "$tmp/status")" 141
has_not 'a closed pipe: no complaint' "$tmp/err" 'pload: '
done_testing
