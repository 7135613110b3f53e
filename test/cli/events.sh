#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Events as -e takes them (docs/events.md): how each form is opened, texts that are no event, and PMUs with invalid files.
# Lane: free
. test/cli/lib.sh

counted=$PROGS/ip_count.bpf.o

# The rates of a section's events: those that are there, or for each of them that of the command line.
cat >"$tmp/two.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("perf_event/cpu-clock,period=70000,task-clock,period=80000,page-faults,freq=7") int each(void *ctx) { return 0; }
char LICENSE[] SEC("license") = "GPL";
END
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/two.bpf.c" -o "$tmp/two.o" || not_ok 'compiles' "$CLANG failed"
rates() { sed -n 's/^perf_event_open.*\(sample_period\|sample_freq\)=\([0-9]*\).*/\2/p' "$tmp/err" | tr '\n' ' '; }
run --dry-run -d 0 -C 0 "$tmp/two.o"
is 'rates of a section' "$(rates)" '70000 80000 7 '
run --dry-run -d 0 -C 0 -c 900 "$tmp/two.o"
is 'rates of a section: -c' "$(rates)" '900 900 900 '
run --dry-run -d 0 -C 0 -F 50 "$tmp/two.o"
is 'rates of a section: -F' "$(rates)" '50 50 50 '

# opens EVENT ATTR... - a dry run opens it with each of these in its attr. The last call counts: of a group a member.
opens() {
	event=$1
	shift
	run --dry-run -d 0 -C 0 -e "$event" "$counted"
	grep '^perf_event_open' "$tmp/err" | tail -n 1 >"$tmp/call"
	for attr; do
		grep -qF -- "$attr" "$tmp/call" || {
			not_ok "$event" "no '$attr' in $(cat "$tmp/call")"
			return
		}
	done
	is "$event" "$status" 0
}
# wrong EVENT CODE PLACE HINT - one error with that.
wrong() {
	refused "no event: $1" 1 "$3" --dry-run -e "$1" "$counted"
	if ! grep -qF "[$2]" "$tmp/err"; then
		not_ok "no event: $1: the code" "no [$2]"
	elif [ -n "$4" ] && ! grep -q "^hint: .*$4" "$tmp/err"; then
		not_ok "no event: $1: the hint" "no '$4' in it"
	fi
}

# --- a line for each form ---

opens cycles type=PERF_TYPE_HARDWARE config=PERF_COUNT_HW_CPU_CYCLES sample_freq=99 freq=1
opens cpu-cycles config=PERF_COUNT_HW_CPU_CYCLES
opens instructions:u config=PERF_COUNT_HW_INSTRUCTIONS exclude_kernel=1 exclude_hv=1
opens cpu-clock type=PERF_TYPE_SOFTWARE config=PERF_COUNT_SW_CPU_CLOCK
opens cs config=PERF_COUNT_SW_CONTEXT_SWITCHES sample_period=1
opens page-faults:k,period=7 config=PERF_COUNT_SW_PAGE_FAULTS sample_period=7 exclude_user=1
opens cpu-clock,freq=1000 sample_freq=1000 freq=1
for name in L1-dcache-load-misses l1d-read-miss L1-data-load-misses; do
	opens $name type=PERF_TYPE_HW_CACHE \
		'config=PERF_COUNT_HW_CACHE_L1D|PERF_COUNT_HW_CACHE_OP_READ<<8|PERF_COUNT_HW_CACHE_RESULT_MISS<<16'
done
opens LLC-stores 'PERF_COUNT_HW_CACHE_LL|PERF_COUNT_HW_CACHE_OP_WRITE<<8|PERF_COUNT_HW_CACHE_RESULT_ACCESS'
opens iTLB-load-misses PERF_COUNT_HW_CACHE_ITLB RESULT_MISS
opens r1a8 type=PERF_TYPE_RAW config=0x1a8
opens 1:0 type=PERF_TYPE_SOFTWARE config=PERF_COUNT_SW_CPU_CLOCK
opens 4:0x1a8 type=PERF_TYPE_RAW config=0x1a8
opens mem:0x1000/4:rw type=PERF_TYPE_BREAKPOINT bp_type=HW_BREAKPOINT_RW bp_addr=0x1000 bp_len=4
opens mem:0x1000:x bp_type=HW_BREAKPOINT_X bp_addr=0x1000
opens cycles:ppp precise_ip=3
opens cycles:uDe pinned=1 exclusive=1 exclude_kernel=1
opens cycles:G exclude_host=1
opens cycles:H exclude_guest=1
opens cpu-clock:I exclude_idle=1
opens '{cpu-clock,page-faults}' config=PERF_COUNT_SW_PAGE_FAULTS ', -1, 0, '
opens '{cpu-clock,page-faults}:S,cs' config=PERF_COUNT_SW_CONTEXT_SWITCHES ', -1, 0, -1, '
opens cpu-clock,page-faults config=PERF_COUNT_SW_PAGE_FAULTS
opens no-such-event,or=cpu-clock config=PERF_COUNT_SW_CPU_CLOCK
has 'an alternative: which is taken' "$tmp/err" "no-such-event"
run --dry-run -d 0 -C 0 -e sched:sched_switch "$PROGS/event_output.bpf.o"
has 'a tracepoint' "$tmp/err" 'perf_event_open({type=PERF_TYPE_TRACEPOINT, '
run --dry-run -d 0 -e kprobe:vfs_read "$PROGS/kprobe.bpf.o"
if has_no_kprobe_events; then
	has 'a kprobe, and what is mounted has none' "$tmp/err" '[probe/no-kprobes]'
else
	has 'a kprobe, by tracefs' "$tmp/err" ' vfs_read+0x0\n"'
fi

# --- texts that are no event ---

wrong cpu-clok event/unknown "event 'cpu-clok'" 'cpu-clock'
wrong L1-dcache-load-mises event/unknown 'L1-dcache-load-mises' 'L1-dcache'
wrong cpu-clock:y event/grammar "event 'cpu-clock:y'" letters
wrong cpu-clock:pppp event/grammar 'cpu-clock:pppp' 'pp'
wrong cpu-clock,freq=x event/grammar 'freq=x' ''
wrong cpu-clock,speed=9 event/grammar 'speed=9' freq
wrong cpu-clock,freq=1,period=1 event/grammar 'cpu-clock' ''
wrong '{cpu-clock,cs' event/grammar "without its '}'" ''
wrong 'cpu-clock,' event/grammar "event ''" ''
wrong mem:here event/grammar 'mem:here' ''
wrong rxyz event/unknown 'rxyz' ''
wrong r1ffffffffffffffff event/grammar 'r1ffffffffffffffff' ''
wrong cpu-clock,or=sched:sched_switch event/alternative 'sched:sched_switch' type
wrong cpu-clock:D,cs:S event/grammar 'cs:S' ''
wrong dummy event/never-runs dummy ''

# --- PMUs of a sysfs that is ours: where a mount can be made that nobody else sees ---

fixture=$tmp/devices/fixture
mkdir -p "$fixture/format" "$fixture/events" "$tmp/devices/software" "$tmp/devices/broken/format"
echo 77 >"$fixture/type"
echo 1 >"$tmp/devices/software/type"
echo 'config:0-7' >"$fixture/format/event"
echo 'config:8-15,32-35' >"$fixture/format/umask"
echo 'config1:0-31' >"$fixture/format/far"
echo 'config9:0-3' >"$fixture/format/beyond"
echo 'config:7-0' >"$fixture/format/backwards"
echo 'no grammar at all' >"$fixture/format/prose"
echo 'event=0x3c,umask=0x01' >"$fixture/events/mine"
echo 'event=0x100' >"$fixture/events/wide"
echo 'event=' >"$fixture/events/nothing"
printf '\377\376\000\001' >"$fixture/events/bytes"
echo 'event=0x3c,' | head -c 9 >"$fixture/events/cut"
echo 'seventy-seven' >"$tmp/devices/broken/type"

# In a namespace of mounts that is its own, and goes with the process.
cat >"$tmp/within" <<'END'
mount --bind "$1" /sys/bus/event_source/devices || exit 99
shift
exec "$@"
END
unshare -m --propagation private sh "$tmp/within" "$tmp/devices" true 2>/dev/null ||
	skip_rest 'PMUs that say nonsense' 'no mounts can be made in a namespace here'
cat >"$tmp/pload" <<END
exec unshare -m --propagation private sh "$tmp/within" "$tmp/devices" "$(command -v "$PLOAD")" "\$@"
END
chmod +x "$tmp/pload"
real=$PLOAD
PLOAD=$tmp/pload

opens fixture/event=0x12/ type=77 config=0x12
opens fixture/event=0x12,umask=0xabc/ config=0xa0000bc12
opens fixture/mine/ type=77 config=0x13c
opens fixture/mine,umask=2/u config=0x23c exclude_kernel=1
opens fixture/far=7/ config1=0x7
opens fixture/config=0x99,config1=5/ config=0x99 config1=0x5
opens fixture/r1f/ config=0x1f
opens fixture/cut/ type=77 config=0x3
opens mine type=77 config=0x13c
wrong fixture/event=0x100/ event/pmu-term 'event' '0xff'
wrong fixture/umask=0x1000/ event/pmu-term 'umask' '0xfff'
wrong fixture/evnt=1/ event/pmu-term "evnt" 'event'
wrong fixture/min/ event/pmu-term "min" 'mine'
wrong fixtre/mine/ event/no-pmu "no PMU 'fixtre'" 'fixture'
wrong fixture/beyond=1/ event/pmu-format 'beyond' ''
wrong fixture/backwards=1/ event/pmu-format 'backwards' ''
wrong fixture/prose=1/ event/pmu-format 'prose' ''
wrong fixture/wide/ event/pmu-term 'event' ''
wrong fixture/nothing/ event/pmu-term 'events/nothing of the PMU' ''
wrong fixture/bytes/ event/pmu-term 'events/bytes of the PMU' 'name=value'
wrong broken/event=1/ event/pmu-format "broken" ''
wrong 'fixture/event=1' event/grammar 'fixture/event=1' ''
if unshare -m sh -c 'umount -l /sys && [ ! -e /sys/bus ]' 2>/dev/null; then
	unshare -m sh -c 'umount -l /sys; exec "$@" 2>"$0"' "$tmp/err" "$real" -d 0 --attach=pmu -e nopmu/x/ "$PROGS/ip_count.bpf.o"
	has 'without sysfs: a PMU' "$tmp/err" 'sysfs is not mounted at /sys, so the PMUs are unknown [event/no-sysfs]'
	unshare -m sh -c 'umount -l /sys; exec "$@" 2>"$0"' "$tmp/err" "$real" -d 0 --attach=link -t 1 -e kprobe:vfs_read "$PROGS/kprobe.bpf.o"
	has 'without sysfs: a probe' "$tmp/err" '[event/no-sysfs]'
	has 'without sysfs: what to do' "$tmp/err" 'hint: mount -t sysfs sysfs /sys'
else
	skip 'without sysfs' 'unshare -m, or umount of /sys: not permitted'
fi
run list --format=json '*'
is 'pload list: status' "$status" 0
has 'pload list: the PMU whose files are sound' "$tmp/out" '"pmu":"fixture"'
"$JSON" fields <"$tmp/out" >/dev/null
is 'pload list: is JSON, whatever bytes a file has' "$(grep -c '[^ -~]' "$tmp/out")" 0
done_testing
