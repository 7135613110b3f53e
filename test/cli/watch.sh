#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload watch: the command behaves as without it, the calls are those of --trace, the findings, and processes that fight back.
. test/cli/lib.sh

# LeakSanitizer traces its process, which has a tracer already.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
object=$PROGS/ip_count.bpf.o
watched=${JSON%json}watched

# --- the command line ---

refused 'nothing to watch' 2 'no command given' watch
refused 'a process and a command' 2 'cannot be combined' watch -p 1 true
refused 'no process of this number' 1 '[watch/no-process]' watch -p 2147483647
refused 'a number that is none' 2 '-p' watch -p self
refused "pload's own calls" 2 "--trace is for pload's own calls" watch --trace true
refused 'a format that there is not' 2 "'xml'" watch --format=xml true
has 'a format that there is not: the formats' "$tmp/err" 'the formats are text, json, summary, html, objects'

run watch -o "$tmp/calls" true
if grep -q 'watch/denied' "$tmp/err"; then
	skip_rest 'watching' "$(sed -n 's/^pload: //p' "$tmp/err")"
fi

refused 'a command that does not exist' 127 '[command/not-found]' watch "$tmp/none"
: >"$tmp/plain"
refused 'a command that cannot be executed' 126 '[command/cannot-run]' watch -- "$tmp/plain"
run watch "$PLOAD" watch true
has 'a task has one tracer' "$tmp/err" '[watch/traced]'
as_nobody=''
[ "$(id -u)" != 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
cp "$PLOAD" "$tmp/pload"
chmod 755 "$tmp" "$tmp/pload"
if $as_nobody true 2>/dev/null; then
	$as_nobody "$tmp/pload" watch -p 1 >"$tmp/out" 2>"$tmp/err"
	has 'a process of another user' "$tmp/err" '[watch/denied]'
else
	skip 'a process of another user' 'setpriv cannot become nobody here'
fi

# --- the command does not see it ---

if $as_nobody true 2>/dev/null; then
	$as_nobody "$tmp/pload" watch true >"$tmp/out" 2>"$tmp/err"
	is 'without privileges: status' "$?" 0
	has 'without privileges: what that means for sudo' "$tmp/err" 'no_new_privs'
else
	skip 'without privileges' 'setpriv cannot become nobody here'
fi

# pload asks without attributes why a map was refused, which is not what ended it.
cp "$PROGS/ip_count.bpf.o" "$tmp/object.o" && chmod 644 "$tmp/object.o"
if ! $as_nobody true 2>/dev/null; then
	skip 'a call that asks why' 'setpriv cannot become nobody here'
elif [ "$(cat /proc/sys/kernel/unprivileged_bpf_disabled 2>/dev/null)" = 0 ]; then
	skip 'a call that asks why' 'everybody may create maps here'
else
	$as_nobody "$tmp/pload" watch --format=summary -- "$tmp/pload" -d 0 "$tmp/object.o" >"$tmp/out" 2>"$tmp/err"
	is 'a call that asks why: what ended it' "$(grep -h '^ended by' "$tmp/out" "$tmp/err" | sed 's/, [0-9]* times//;s/;.*//')" \
		"ended by  BPF_MAP_CREATE of map 'hits' (hash, key 8, value 8, 16384 entries): EPERM"
fi

for status_wanted in 0 1 7 255; do
	run watch -o "$tmp/calls" -- sh -c "exit $status_wanted"
	is "exit status $status_wanted" "$status" "$status_wanted"
done
run watch -o "$tmp/calls" "$watched" signalled
is 'the end by a signal' "$status" 143
is 'it is by that signal, not by a number' "$(sh -c '"$1" watch -o "$2" "$3" signalled; :' sh "$PLOAD" "$tmp/calls" "$watched" 2>&1)" 'Terminated'
is 'standard input is that of the command' "$(echo typed | "$PLOAD" watch -o "$tmp/calls" cat)" typed
run watch --format=summary -- echo printed
is 'standard output has what the command prints' "$(cat "$tmp/out")" printed
has 'standard error has the findings' "$tmp/err" 'loaded    nothing: '
is 'options after the command are those of the command' "$("$PLOAD" watch -o "$tmp/calls" echo -v --help)" '-v --help'
is 'no descriptor is left open for the command' "$("$PLOAD" watch -o "$tmp/calls" ls /proc/self/fd)" "$(ls /proc/self/fd)"
mkfifo "$tmp/fifo"
"$PLOAD" watch -o "$tmp/calls" -- "$watched" count-signals >"$tmp/fifo" &
pid=$!
exec 7<"$tmp/fifo"
read -r line <&7
is 'the command is ready' "$line" ready
kill -USR1 $pid
read -r line <&7
is 'a signal reaches the command' "$line" SIGUSR1
kill -TERM $pid
read -r line <&7
is 'another, too' "$line" SIGTERM
exec 7<&-
wait $pid
is 'which ends as it likes' "$?" 9

# --- failures, which need no privilege ---

run watch "$watched" escapes
has_not 'no escape sequence reaches the terminal' "$tmp/err" "$(printf '\033')"
run watch --format=summary -- "$watched" kill-tracer
is 'a command that kills its tracer goes on' "$status" 42
has 'that is reported' "$tmp/err" 'the tracer was killed by signal 9'
run watch -o "$tmp/calls" -- "$watched" garbage
is 'garbage: status' "$status" 0
has 'garbage: an address that cannot be read' "$tmp/calls" 'bpf(BPF_MAP_CREATE, 0x1, '
run watch -o "$tmp/calls" -- "$watched" changing
is 'attributes that change: status' "$status" 0

skip_rest_if 'loaders' "$(kernel_refuses)"

# --- the calls are those of --trace ---

# shape FILE - the calls of pload, and not of its children, that both see, without remarks and addresses. They are sorted: of what
# was closed between two calls the order is not known. Events and links are closed by close_range(2), of which watch sees the effect.
shape() {
	awk '/^# process / { first = first ? first : $3; other = $3 != first } !other' "$1" |
		grep -E '^(bpf|perf_event_open)\(|^ioctl\(.*PERF|^close\(.*<(map|prog|btf) ' | sed -E -e 's/0x[0-9a-f]+/PTR/g' | sort -u
}
for method in ioctl link; do
	"$PLOAD" watch -o "$tmp/calls" -- "$PLOAD" -d 0 -e cpu-clock --attach=$method "$object" >"$tmp/out" 2>"$tmp/err"
	is "$method: status" "$?" 0
	"$PLOAD" --trace -d 0 -e cpu-clock --attach=$method "$object" >"$tmp/out" 2>"$tmp/err"
	shape "$tmp/calls" >"$tmp/watched"
	shape "$tmp/err" >"$tmp/traced"
	is "$method: the calls are those of --trace" "$(diff "$tmp/watched" "$tmp/traced" | head -n 5)" ''
	is "$method: there are some" "$([ "$(wc -l <"$tmp/watched")" -gt 8 ] && echo yes)" yes
done
has 'a link: how it is attached' "$tmp/calls" 'attached  program ip_count by type+link to PERF_COUNT_SW_CPU_CLOCK'
"$PLOAD" watch --insns -o "$tmp/calls" -- "$PLOAD" -d 0 -e cpu-clock "$object" >"$tmp/out" 2>"$tmp/err"
has '--insns: an instruction' "$tmp/calls" '(95) exit'
has '--insns: the line of its source' "$tmp/calls" '; count = bpf_map_lookup_elem(&hits, &ip);'
"$PLOAD" watch --format=json -o "$tmp/json" -- "$PLOAD" -d 0 -e cpu-clock "$object" >"$tmp/out" 2>"$tmp/err"
if command -v python3 >/dev/null; then
	is 'JSON keeps its schema' "$(python3 test/cli/schema.py docs/watch.schema.json "$tmp/json" 2>&1)" 'ok'
else
	skip 'JSON keeps its schema' 'python3 is not installed'
fi
has 'JSON: a call' "$tmp/json" '"call":"bpf"'
has 'JSON: a finding' "$tmp/json" '"finding":"loaded"'
"$PLOAD" watch --format=html -o "$tmp/page.html" -- "$PLOAD" -d 0 -e cpu-clock "$object" >"$tmp/out" 2>"$tmp/err"
has 'a page: who holds whom' "$tmp/page.html" '"how":"uses"'
has 'a page: the findings' "$tmp/page.html" 'program ip_count by type+ioctl'

# --- objects ---

# linked OBJECT PROG - the instructions that loading it passes, with the lines of the source. Of a constant of 64 bits only the upper
# half is left, the offset of a variable: the lower one is mostly a descriptor.
linked() {
	"$PLOAD" load --dry-run --trace=insns --prog="$2" "$1" 2>&1 >"$tmp/out" |
		sed -nE -e 's/(\(18\) r[0-9]+ = 0x)([0-9a-f]{0,8}|([0-9a-f]*)[0-9a-f]{8})$/\1\3/' -e 's/^# ( *[0-9]+: .*)/\1/p' -e 's/^# *; /; /p'
}
cp "$PROGS"/*.bpf.o "$tmp"
$CLANG -O2 -g -target bpf -I. -Iuapi -c docs/tour/references.bpf.c -o "$tmp/references.bpf.o" 2>"$tmp/cc" || sed 's/^/# /' "$tmp/cc"
for pair in ip_count:ip_count task_tree:task_tree functions:functions profile:profile references:top; do
	name=${pair%:*} prog=${pair#*:}
	rm -rf "$tmp/objects"
	"$PLOAD" watch --format=objects -o "$tmp/objects" -- "$PLOAD" load "$tmp/$name.bpf.o" >"$tmp/out" 2>"$tmp/err"
	is "objects: $name: status" "$?" 0
	has "objects: $name: how many" "$tmp/err" "objects written to $tmp/objects: "
	run load "$tmp/objects/001-$prog.bpf.o"
	is "objects: $name: it loads" "$status" 0
	linked "$tmp/$name.bpf.o" "$prog" >"$tmp/original"
	linked "$tmp/objects/001-$prog.bpf.o" "$prog" >"$tmp/replayed"
	is "objects: $name: the instructions are the same" "$(diff "$tmp/original" "$tmp/replayed" | head -n 4)" ''
	is "objects: $name: there are some" "$([ "$(grep -c : "$tmp/replayed")" -gt 4 ] && echo yes)" yes
done
run inspect "$tmp/objects/001-$prog.bpf.o"
is 'objects: inspect takes them' "$status" 0
run inspect --bytes=.rodata "$tmp/objects/001-top.bpf.o"
has 'objects: a constant has its value' "$tmp/out" '40 42 0f 00 00 00 00 00'
refused 'objects: where to?' 2 '--format=objects requires -o DIR' watch --format=objects true

# --- findings ---

# finds LOADER TEXT... - the findings of this loader have these texts, and its status is that without pload.
finds() {
	loader=$1
	shift
	"$watched" "$loader" >"$tmp/out" 2>&1
	wanted=$?
	run watch --format=summary -- "$watched" "$loader"
	is "$loader: status" "$status" $wanted
	for text; do
		has "$loader: $text" "$tmp/err" "$text"
	done
}
cpus=$(getconf _NPROCESSORS_ONLN)
finds good 'loaded    1 program (tick: perf_event, 2 instructions)' 'attached  program tick by type+ioctl to PERF_COUNT_SW_CPU_CLOCK at 99 Hz on '
has_not 'good: no mistake' "$tmp/err" 'mistake'
has_not 'good: nothing refused' "$tmp/err" 'refused'
finds no-freq 'mistake   sample_freq without the bit freq' 'each 9.9e-05 ms'
if [ "$cpus" -gt 1 ]; then
	finds one-cpu "mistake   the event is open on CPU 0 alone, of $cpus"
	finds good "on $cpus CPUs or tasks"
else
	skip 'one-cpu: mistake' 'this machine has one CPU'
fi
finds timer 'each 300 ms on one CPU'
has_not 'timer: one CPU is no mistake' "$tmp/err" 'mistake'
finds never-enabled 'of the events that have a program were never enabled'
finds inherits 'mistake   descriptors of 1 objects were inherited by a program that was executed'
finds never-attached 'mistake   program other was loaded, and never attached'
has_not 'never-attached: only one' "$tmp/err" 'program tick was loaded, and'
finds never-read 'mistake   ring lost was never read'
finds freeze-empty 'mistake   map constants was frozen before anything was written to it'
finds fall-back 'given up  BPF_LINK_CREATE (BPF_CGROUP_INET_INGRESS): EINVAL; PERF_EVENT_IOC_SET_BPF took its place' \
	'attach_type is not BPF_PERF_EVENT, but 0, as if it was not set'
finds verifier "ended by  BPF_PROG_LOAD of program 'reads_seven' (perf_event, 3 instructions): EACCES; the verifier: R1 invalid mem access"
finds no-field "a CO-RE relocation finds nothing on this kernel"
finds map-too-large "ended by  BPF_MAP_CREATE of map 'huge'" 'the kernel accepts a smaller one'
finds ring-odd "ended by  BPF_MAP_CREATE of map 'small' (ringbuf, " 'EINVAL; the kernel accepts it with another max_entries' \
	'hint      max_entries of a ring is its size in bytes: a power of two'
finds no-map-type 'EINVAL; even the smallest map of this type is refused' 'hint      this kernel may not know this map type'
finds no-event 'ENOENT; no PMU on this machine accepts this event'
finds wrong-type 'EINVAL; the event runs programs of type BPF_PROG_TYPE_PERF_EVENT, not BPF_PROG_TYPE_SOCKET_FILTER'
has_not 'wrong-type: its consequence is no mistake' "$tmp/err" 'mistake'
finds two-errors "refused   perf_event_open (a PMU's type): ENOENT" "ended by  perf_event_open (a PMU's type): EINVAL"
finds half 'ended by  BPF_PROG_LOAD'
run watch --insns "$watched" half
has_not 'half: no instruction is made up' "$tmp/err" '(95) exit'
finds small-log 'ENOSPC; the program is accepted, but its log of the verifier does not fit into the 16 bytes given'
finds bound-twice 'EEXIST; the event has a program, which was bound before'
has_not 'bound-twice: what was not done after it is no mistake' "$tmp/err" 'never'
finds no-fd "EBADF; the event's descriptor is -1, which is not open"
finds pin-event 'BPF_OBJ_PIN of /sys/fs/bpf/watched: EINVAL; the descriptor is a perf event'
finds pin-elsewhere 'EPERM; /tmp is in no bpffs'
finds no-fds-left 'EMFILE; each map, program, event and link needs a file descriptor, and the limit is 16'
finds no-btf 'given up  BPF_BTF_LOAD: EINVAL; programs were loaded without BTF'
run watch --format=summary -- sh -c '"$1" good; exit 5' sh "$watched"
has 'a failure without a refused call' "$tmp/err" 'has refused none of these calls: if the command has failed'
run watch --format=summary -- false
has 'no call at all' "$tmp/err" 'nothing: bpf(2) and perf_event_open(2) were not called'
has_not 'no call at all: nothing is said of calls' "$tmp/err" 'refused'
run watch --format=summary -- "${JSON%json}refuse" memfd_create:1 "$watched" good
has 'a filter of its own is mentioned' "$tmp/err" 'a filter of seccomp(2) of its own'
if unshare -Ur true 2>/dev/null; then
	run watch --format=summary -- unshare -Ur "$watched" good
	has 'a user namespace: the cause' "$tmp/err" 'EPERM; it requires CAP_BPF'
	has 'a user namespace: which' "$tmp/err" 'but this process is in another'
else
	skip 'a user namespace: the cause' 'no user namespace can be created here'
fi
cp "$watched" "$tmp/watched" && chmod 755 "$tmp/watched"
if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	run watch --format=summary -- setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/watched" verifier
	has 'a command without privileges, with those of its own: the cause' "$tmp/err" 'EPERM; it requires CAP_BPF and CAP_PERFMON'
	has_not 'the hint is not one for pload' "$tmp/err" 'pload'
else
	skip 'a command without privileges' 'setpriv cannot become nobody here'
fi
finds thread-exec 'program tick by type+ioctl'
has_not 'thread-exec: no thread is left' "$tmp/err" 'run on'
finds many '19968 calls that read or write elements of maps'
finds copies 'loaded    1 map (moved: array of 1)'
run watch "$watched" copies
has 'a copied descriptor has its name' "$tmp/err" '<map moved>, key='
has 'a copy is reported' "$tmp/err" 'a copy of descriptor '

# --- other loaders, where they are installed ---

# peer NAME TEXT COMMAND... - with this loader, the findings have TEXT.
peer() {
	name=$1 text=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		skip "$name: $text" "$1 is not installed"
		return
	fi
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	wanted=$?
	run watch --format=summary -o "$tmp/findings" -- "$@"
	is "$name: status" "$status" "$wanted"
	has "$name: $text" "$tmp/findings" "$text"
}
clock='PERF_COUNT_SW_CPU_CLOCK at'
peer pload-core "program ip_count by type+ioctl to $clock 99 Hz" "${CORE:-build/pload-core}" -d 0 -e cpu-clock "$object"
peer 'the tour by ioctl' "program ip_count by type+ioctl to $clock 999 Hz" build/tour-loader "$object" ioctl 0
peer 'the tour by a link' 'cookie 7' build/tour-loader "$object" link 7
peer 'system calls alone' "by type+link to $clock 999 Hz of its own task" build/raw
has 'system calls alone: its program is no probe' "$tmp/findings" '1 program (without a name: perf_event, '
peer python "program ip_count by type+ioctl to $clock 999 Hz" python3 test/judge/loaders/loader.py "$object" pmu 0
peer bpftrace "to $clock 99 Hz" bpftrace -e 'profile:hz:99 { @[comm] = count(); } interval:ms:200 { exit(); }'
peer bpftool 'loaded    nothing' bpftool prog show id 4294967295
if [ -e /sys/bus/event_source/devices/uprobe ]; then
	peer 'a uprobe' 'by pmu+ioctl to PMU uprobe, /' "$PLOAD" -d 0 --attach=pmu -e "uprobe:$(readlink -f "$watched"):main" "$tmp/uprobe.bpf.o" --prog=on_getenv
else
	skip 'a uprobe' 'this kernel has no PMU uprobe'
fi
peer perf 'loaded    nothing' perf stat -e cpu-clock true

# --- what is left ---

mkdir "$tmp/bpffs"
if unshare --mount sh -c 'mount -t bpf bpf "$1" && exec "$2" watch --format=summary -- "$2" -d 0 -e cpu-clock --attach=link "--pin=$1/x" "$3"' \
	sh "$tmp/bpffs" "$PLOAD" "$object" >"$tmp/out" 2>"$tmp/err"; then
	has 'pins that are left' "$tmp/err" "left      pins: $tmp/bpffs/x"
else
	: >"$tmp/err"
	skip 'pins that are left' 'no bpffs can be mounted here'
fi

# --- a process that runs ---

# traced PID WANTED - wait until it has a tracer (yes), or none (no).
traced() {
	until [ "$([ "$(sed -n 's/^TracerPid:[[:space:]]*//p' "/proc/$1/status")" = 0 ] && echo no || echo yes)" = "$2" ]; do sleep 0.05; done
}
mkfifo "$tmp/later"
exec 7<>"$tmp/later"
"$watched" good-later <&7 7<&- &
loader=$!
"$PLOAD" watch -o "$tmp/calls" -p $loader 7<&- >"$tmp/out" 2>"$tmp/err" &
pload=$!
traced $loader yes
kill -INT $pload
wait $pload
is '-p: ^C ends it' "$?" 0
traced $loader no
has '-p: the process runs on' "$tmp/calls" 'the process runs on'
"$PLOAD" watch -o "$tmp/calls" -p $loader 7<&- >"$tmp/out" 2>"$tmp/err" &
pload=$!
traced $loader yes
echo >&7
wait $loader
is '-p: the process ends as it does' "$?" 0
wait $pload
is '-p: and so does pload' "$?" 0
has '-p: the calls' "$tmp/calls" 'PERF_EVENT_IOC_SET_BPF, '
has '-p: the findings' "$tmp/calls" 'attached  program tick by type+ioctl'
exec 7<&-

# --- a daemon ---

mkfifo "$tmp/go" "$tmp/loaded"
exec 8<>"$tmp/go" 9<>"$tmp/loaded"
"$PLOAD" watch --format=summary -- "$watched" daemonise 3>&9 4<&8 8<&- 9<&- >"$tmp/out" 2>"$tmp/err"
is 'a daemon: pload ends with the command' "$?" 3
has 'a daemon: it runs on' "$tmp/err" 'processes of the command run on'
echo >&8
read -r line <&9
is 'a daemon: its calls pass' "$line" 1
exec 8<&- 9<&-
done_testing
