#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Root samples all processes while another user attacks the session by files, names and mappings: it costs the session a bounded
# time and doubts, and nothing else. A row of the table is an attack of test/hostile; ATTACKS='map-*' runs some of them.
# Lane: hostile
. test/cli/lib.sh

HOSTILE=${HOSTILE:-build/tests/hostile}
WATCHDOG=${WATCHDOG:-60}	# seconds after which a session hangs; see below for a slow machine
skip_rest_if 'attacks' "$(kernel_refuses)"
[ "$(id -u)" = 0 ] || skip_rest 'attacks' 'they are attacks on root'
chmod 755 "$tmp"
ulimit -n 256	# less than some attacks have files
dir=$tmp/attack

# said KEY - the values of KEY that the last attack has printed.
said() { sed -n "s/^$1=//p" "$tmp/said"; }
fault() { faults="$faults$1; "; }

# control_bytes FILE - the number of bytes that a terminal obeys: C0, DEL, and C1 in UTF-8.
control_bytes() { LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$1" | wc -c; }
c1_bytes() { LC_ALL=C grep -ac "$(printf '\302[\200-\237]')" "$1"; }

# check_output FORMAT MUST MUST_NOT - what the session has printed can be read, and names only what it may.
check_output() {
	iconv -f UTF-8 -t UTF-8 "$dir/out" >/dev/null 2>&1 || fault 'it is no UTF-8'
	[ "$1" != json ] || "$JSON" summary type <"$dir/out" >"$tmp/checked" 2>&1 || fault 'it is no JSON that ends in a summary'
	for file in out err; do
		[ "$(control_bytes "$dir/$file")$(c1_bytes "$dir/$file")" = 00 ] || fault "std$file has control bytes"
	done
	for name in well_behaved $2; do
		grep -qF "$name" "$dir/out" || unnamed="$unnamed$name is not named; "
	done
	for name in $3; do
		! grep -qF "$name" "$dir/out" || fault "$name is named"
	done
}

# session NAME FORMAT SECONDS SIGNALS MB MUST MUST_NOT - one session; faults= what is wrong with it, unnamed= names that it lacks.
session() {
	rm -rf "$dir"
	mkdir "$dir"
	faults='' unnamed=''
	duration=${3%-}
	# shellcheck disable=SC2086 # without a duration there is no option
	"$HOSTILE" run "$1" "$dir" $((WATCHDOG + ${duration:-1})) "$4" "$PLOAD" --attach=ioctl ${duration:+-d $duration} -e cpu-clock -F 999 \
		--format="$2" "$PROGS/profile.bpf.o" >"$tmp/said"
	cp "$dir/err" "$tmp/err"
	cause=$(said skip)
	[ -z "$cause" ] || return
	# Until something is attached, a signal ends it as any process.
	case "$(said status) $4" in '0 '* | 'signal 2 INT:maps') ;; *) fault "status: $(said status)" ;; esac
	[ "$(said status)" != 0 ] || check_output "$2" "$6" "$7"
	[ -n "$4" ] || [ "$(said ms)" -ge $((duration * 1000)) ] || fault 'it ended early'
	[ "$(said peak_mb)" -lt "$5" ] || fault "$(said peak_mb) MB of memory"
	[ "$(said programs)" -gt 0 ] || fault 'no program of it was seen'
	[ -z "$(said unsent)" ] || fault 'no mappings were read'
	[ -z "$(said left)" ] || fault "left: $(said left | tr '\n' ' ')"
}

# is_too_slow SECONDS - of three sessions that nobody attacks, names are missing in two.
is_too_slow() (
	lacking=0
	for try in 1 2 3; do
		session nothing json "$1" '' 1000 '' ''
		[ -z "$faults$unnamed" ] || lacking=$((lacking + 1))
	done
	[ $lacking -ge 2 ]
)

# attack NAME FORMAT SECONDS SIGNALS MB MUST MUST_NOT - a session with -d SECONDS (-: until a signal); SIGNALS as test/hostile has
# them. It takes at most MB of memory; MUST and MUST_NOT are names in its output. The session gives names so many seconds and no
# more: where other work has taken those from it, and names are all that it lacks, another session has three times as many.
attack() {
	seconds=$3
	for try in 1 2 3; do
		session "$1" "$2" "$seconds" "$4" "$5" "$6" "$7"
		[ -n "$unnamed" ] && [ -z "$faults" ] && [ "$seconds" != - ] || break
		echo "# $1: session $try, of $seconds s: $unnamed"
		seconds=$((seconds * 3))
	done
	if [ -n "$cause" ]; then
		skip "$1" "$cause"
		return
	fi
	costs="$(said ms) ms, $(said peak_mb) MB"
	if [ -n "$unnamed" ] && [ -z "$faults" ] && [ "$seconds" != - ] && is_too_slow $((seconds / 3)); then
		skip "$1" "this machine is too slow to name functions in $((seconds / 3)) s, even when nobody attacks"
		return
	fi
	faults=$faults$unnamed
	if [ -z "$faults" ]; then ok "$1${4:+ $4}"; else not_ok "$1${4:+ $4}" "$faults"; fi
	echo "# $1: $costs"
}

cat >"$tmp/table" <<END
nothing|json|1||1000||
symbol-rust|folded|1||1000||
symbol-rust|json|-|INT:1000|1000||
symbol-cast|json|1||1000||
symbol-cast|json|1|TERM:1300|1000||
symbol-nested|folded|1||1000||
symbol-control|json|1||1000||
symbol-control|folded|1||1000||
symbol-control|flamegraph|1||1000||
map-rust|folded|1||1000||
map-cast|json|1||1000||
map-nested|folded|1||1000||
map-control|json|1||1000||
map-control|folded|1||1000||
map-symlink|json|1||1000||linked_name
map-zero|json|1||1000||
map-fifo|folded|1||1000||
map-directory|folded|1||1000||
map-many|json|2||1000|jit_of_many|
map-of-root|json|1||1000|foreign|forged_name
map-of-ended|json|2||1000|foreign|forged_name
note-segments|folded|1||1000||
note-sections|json|1||1000||
long-names|json|1||1000||
long-names|folded|1|INT:1300|1000||
long-names-of-two|folded|1||1000||
fuse-read|folded|1||1000||
fuse-read|json|-|INT:1000,TERM:1500|1000||
fuse-open|json|1||1000||
fuse-flush|folded|1||1000||
fuse-flush|json|-|INT:7000|1000||
many-paths|json|2||400|late_comer|
many-long-paths|folded|2||400|late_comer|
many-mappings|folded|1||400||
many-mappings|folded|1|INT:maps|400||
other-root|json|1||1000|elsewhere|name_of_the_host
other-root-ended|json|2||1000|elsewhere|name_of_the_host
END
# reader_of PID - the process in which PID reads symbols.
reader_of() {
	for child in $(cat "/proc/$1/task/$1/children"); do
		[ "$(cat "/proc/$child/comm" 2>/dev/null)" != pload-symbols ] || echo "$child"
	done
}

# It starts with the first program that somebody executes, such as those of this loop.
"$PLOAD" --attach=ioctl -e cpu-clock -F 999 --format=folded "$PROGS/profile.bpf.o" >"$tmp/out" 2>"$tmp/err" &
session=$!
filter=$(grep -c '^Seccomp:' /proc/self/status) tries=0
until reader=$(reader_of $session) && [ -n "$reader" ] && grep -q "^Seccomp:.*$((2 * filter))" "/proc/$reader/status"; do
	tries=$((tries + 1))
	[ $tries -lt 3000 ] && kill -0 $session 2>/dev/null || break
done
reader=${reader:-none}
status=/proc/$reader/status
capabilities=$(sed -n 's/^CapEff:[[:space:]]*//p' "$status")
is 'the reader: its system calls are filtered' "$(sed -n 's/^Seccomp:[[:space:]]*//p' "$status")" "$([ "$filter" = 0 ] || echo 2)"
is 'the reader: it can raise no privilege' "$(sed -n 's/^NoNewPrivs:[[:space:]]*//p' "$status")" 1
is 'the reader: capabilities but those to read files of others' $((0x${capabilities:-ffffffff} & ~0x10000080004)) 0
is 'the reader: memory has a limit' "$(grep -c 'Max address space *[0-9]' "/proc/$reader/limits")" 1
for fd in "/proc/$reader/fd/"*; do
	case $(readlink "$fd") in socket:* | /*[!\)] | '') ;; *) echo "$fd: $(readlink "$fd")" ;; esac
done >"$tmp/fds"
is 'the reader: its connection and files' "$(grep -v '(deleted)' "$tmp/fds")" ''
kill -KILL "$reader"	# as a parser that crashes
kill -INT $session
wait $session
is 'a reader that ends does not end the session' $? 0

# A session that nobody attacks shows how fast this machine is: one of a second takes little more on most.
session nothing json 1 '' 1000 '' ''
WATCHDOG=$((WATCHDOG * (1 + $(said ms) / 2000)))

is 'each attack has a row' "$(cut -d '|' -f 1 "$tmp/table" | sort -u)" "$("$HOSTILE" list | grep -vx storm | sort)"
while IFS='|' read -r name format seconds signals mb must must_not; do
	# shellcheck disable=SC2254 # it is a pattern
	case "$name" in ${ATTACKS:-*}) attack "$name" "$format" "$seconds" "$signals" "$mb" "$must" "$must_not" ;; esac
done <"$tmp/table"

# command STATUS TEXT COMMAND... - a command about processes for which the kernel waits; "@" is the pid of one. Its output has TEXT.
command() {
	status=$1 text=$2
	shift 2
	rm -rf "$dir"
	mkdir "$dir"
	"$HOSTILE" run fuse-flush "$dir" "$WATCHDOG" '' "$PLOAD" "$@" >"$tmp/said"
	cause=$(said skip)
	if [ -n "$cause" ]; then
		skip "fuse-flush: $1" "$cause"
	elif [ "$(said status)" = "$status" ] && grep -qF "$text" "$dir/out" "$dir/err" && [ -z "$(said left)" ]; then
		ok "fuse-flush: $1"
	else
		not_ok "fuse-flush: $1" "status $(said status), left: $(said left), $(head -n 3 "$dir/err")"
	fi
	echo "# $1: $(said ms) ms"
}

case fuse-flush in ${ATTACKS:-*})
	command 1 '[perf-open/waits]' stat -p @ -d 1
	command 1 '[perf-open/waits]' --attach=ioctl -d 1 -p @ -e cpu-clock "$PROGS/profile.bpf.o"
	command 0 'the kernel waited too long for them' show
	command 1 '[perf-open/waits]' --attach=ioctl -d 1 -u 65533 -e page-faults "$PROGS/profile.bpf.o"
	;;
esac
done_testing
