#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Sessions that outlive pload on the real kernel, in a bpffs that only this test sees: --pin, adopt, show, detach.
. test/cli/lib.sh

cause=$(kernel_refuses)
if [ -z "$cause" ]; then
	run --attach=link -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
	[ "$status" = 0 ] || cause=$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)
fi
[ -n "$cause" ] || [ -n "$OWN_MOUNTS" ] || unshare -m true 2>"$tmp/err" || cause="unshare -m: $(head -n 1 "$tmp/err")"
skip_rest_if 'what outlives pload' "$cause"
if [ -z "$OWN_MOUNTS" ]; then
	rm -rf "$tmp"
	OWN_MOUNTS=1 exec unshare -m sh test/cli/life.sh
fi
# "remove all" must not find what this machine has pinned: here, and here only, it is mounted nowhere.
umount -a -t bpf 2>/dev/null
! grep -q ' bpf ' /proc/self/mounts || skip_rest 'what outlives pload' 'a bpffs of this machine cannot be hidden'
dir=$tmp/bpffs
mkdir "$dir" "$tmp/plain"
mount -t bpf bpf "$dir" 2>"$tmp/err" || skip_rest 'what outlives pload' "mount -t bpf: $(head -n 1 "$tmp/err")"
trap 'umount "$dir"; rm -rf "$tmp"' EXIT
# names DIR - what is in it, in one line, but for what the kernel itself may put there (maps.debug).
names() { (cd "$1" && for name in *; do case $name in '*' | *.debug) ;; *) printf '%s ' "$name" ;; esac; done); }
# columns NAME - no line of the last run is longer than 100 columns.
columns() { is "$1: 100 columns" "$(awk 'length > 100' "$tmp/out")" ''; }

# --- programs and sessions that cannot be pinned ---
for method in ioctl pmu; do
	refused "--attach=$method" 2 '[pin/no-link]' --attach=$method --pin="$dir/x" "$PROGS/ip_count.bpf.o"
done
refused 'not in a bpffs' 1 '[pin/no-bpffs]' --attach=link --pin="$tmp/plain/x" "$PROGS/ip_count.bpf.o"
has 'not in a bpffs: how to mount one' "$tmp/err" 'mount -t bpf'
refused 'a dot in the name' 1 'pin' --attach=link -d 0 -e cpu-clock --pin="$dir/a.b" "$PROGS/ip_count.bpf.o"
refused '--test-run' 2 '--test-run' --attach=link --test-run --pin="$dir/x" "$PROGS/xdp_output.bpf.o"
is 'nothing is left of them' "$(names "$dir")" ''

# --- directories of somebody else ---
mkdir "$dir/theirs" "$dir/open"
chown 65534 "$dir/theirs"
chmod 777 "$dir/open"
ln -s theirs "$dir/link"
for name in theirs theirs/x link open open/x; do
	refused "--pin=$name" 1 '[pin/foreign]' --attach=link -d 0 -e cpu-clock --pin="$dir/$name" "$PROGS/ip_count.bpf.o"
	refused "load --pin=$name" 1 '[pin/foreign]' load --pin="$dir/$name" "$PROGS/ip_count.bpf.o"
done
is 'nothing is pinned there' "$(names "$dir/theirs")$(names "$dir/open")" ''
rm "$dir/link"
rmdir "$dir/theirs" "$dir/open"

# A directory that looks like a session and leads to that of another user: nothing of it is removed.
run --attach=link -d 0 -e cpu-clock --pin="$dir/ours" "$PROGS/ip_count.bpf.o"
is 'a session to be led to' "$status" 0
ours=$(find "$dir/ours" | sort)
mkdir "$dir/evil"
ln -s "$(readlink "$dir/ours/pload")" "$dir/evil/pload"
for name in links maps progs; do ln -s "$dir/ours/$name" "$dir/evil/$name"; done
refused 'remove: links to the pins of another session' 1 'evil' pin remove "$dir/evil"
chown 65534 "$dir/evil"
refused 'remove: a directory of somebody else' 1 '[pin/foreign]' pin remove "$dir/evil"
rm "$dir/evil/links" "$dir/evil/progs" "$dir/evil/maps"
mkdir "$dir/evil/links"
ln -s "$dir"/ours/links/* "$dir/evil/links"
chown 0 "$dir/evil"
run pin remove "$dir/evil"
is 'remove: links in its directories: not its own' "$status" 1
is 'remove: none of these has removed a pin' "$(find "$dir/ours" | sort)" "$ours"
chown 65534 "$dir/evil"
ln -sf "$(readlink "$dir/ours/pload")" "$dir/evil/pload"
[ -d "$dir/evil/links" ] || mkdir "$dir/evil/links"
run load --pin="$dir/ours2" "$PROGS/ip_count.bpf.o"
run pin remove all
is 'remove all: status' "$status" 0
is 'remove all: ours is gone' "$(ls "$dir" | grep -c '^ours$')" 0
rm -r "$dir/evil" "$dir/ours2"

# --- a session of each program is kept, gone on with, and ended ---
for name in cookie counter_read counter_read_value event_output ip_count profile ringbuf; do
	file=$PROGS/$name.bpf.o
	run --attach=link --pin="$dir/$name" -d 0 --format=json "$file"
	is "$name: pinned" "$status $(value pinned dir)" "0 $dir/$name"
	is "$name: in the summary" "$(value summary pinned)" "$dir/$name"
	is "$name: as many links as are there" "$(value pinned links)" "$(names "$dir/$name/links" | wc -w)"
	run pin adopt -d 0.3 --format=json "$dir/$name"
	is "$name: adopted" "$status" 0
	is "$name: ran meanwhile" "$([ "$(value summary programs.0.run_cnt)" -gt 0 ] && echo yes)" yes
	run pin adopt -d 0 "$dir/$name"
	is "$name: adopt -d 0" "$status" 0
	has "$name: adopt says where" "$tmp/out" "adopted $dir/$name ($file): "
	run pin remove "$dir/$name"
	is "$name: detached" "$status" 0
	has "$name: the links have ended" "$tmp/out" '; the links have ended'
	is "$name: nothing is left" "$(names "$dir")" ''
done

# --- the names of pins: program, event and CPU ---
run --attach=link --pin="$dir/a/b" --cookie=77 -e cpu-clock -e page-faults -C 0 -d 0 "$PROGS/ip_count.bpf.o"
is 'names of links' "$(names "$dir/a/b/links")" 'ip_count-cpu-clock-cpu0 ip_count-page-faults-cpu0 '
has 'how to go on is said' "$tmp/out" "pload pin adopt $dir/a/b resumes the session, pload pin remove $dir/a/b ends it"
refused 'a directory that is not empty' 1 '[pin/exists]' --attach=link --pin="$dir/a/b" -d 0 "$PROGS/ip_count.bpf.o"

# --- show ---
run show
is 'show: status' "$status" 0
columns 'show'
has 'show: the pin' "$tmp/out" "pinned $dir/a/b/links/ip_count-cpu-clock-cpu0"
pin=$dir/a/b/links/ip_count-cpu-clock-cpu0
run show links --format=json
id=$(value link id pins.0="$pin")
prog=$(value link prog_id pins.0="$pin")
where=$(value link where pins.0="$pin")
run show "$id"
is 'show ID: status' "$status" 0
has 'show ID: its type as the ABI calls it' "$tmp/out" 'BPF_LINK_TYPE_PERF_EVENT'
if [ "$where" = null ]; then
	skip 'show ID: its place and cookie' 'this kernel does not tell of links to events where they are (Linux 6.6)'
else
	has 'show ID: its place' "$tmp/out" 'where           cpu-clock'
fi
run show prog "$prog" --format=json
is 'show prog ID: name' "$(value program-details name)" ip_count
refused 'show: an id of nothing' 1 '[show/no-such-id]' show 4294967295
refused 'show: a word of nothing' 2 "'linkz'" show linkz
run show --trace
has 'show --trace: decoded' "$tmp/err" 'bpf(BPF_LINK_GET_NEXT_ID, {start_id=0}, 8) = 0 => {next_id='
run pin remove "$dir/a/b/links/ip_count-page-faults-cpu0"
is 'remove PIN: status' "$status" 0
is 'remove PIN: only that' "$(names "$dir/a/b/links")" 'ip_count-cpu-clock-cpu0 '

# --- pins of others remain ---
run load --pin="$dir/load" "$PROGS/profile.bpf.o"
mkdir "$dir/a/b/links/more"
refused 'remove: a directory that pload has not pinned a session in' 1 '[kept/none]' pin remove "$dir/load"
is 'remove: and nothing has gone' "$(names "$dir/load")" 'maps profile '
run --attach=link --pin="$dir/c" -e cpu-clock -d 0 "$PROGS/profile.bpf.o"
run pin list
is 'list: both' "$(sed 's/, .*//' "$tmp/out" | sort | tr '\n' ' ')" "$dir/a/b: 1 link $dir/c: $(ls "$dir/c/links" | wc -l) links "
run pin remove all
is 'remove all: status' "$status" 0
has 'remove all: the first' "$tmp/out" "$dir/a/b: removed"
has 'remove all: the directory that pload did not create remains' "$tmp/out" 'the directory remains, because it is not empty'
has 'remove all: the second' "$tmp/out" "$dir/c: removed"
is 'remove all: no link is left' "$(find "$dir" -name '*cpu[0-9]*')" ''
refused 'remove all: nothing is left' 1 '[kept/none]' pin remove all
refused 'remove: nothing is named' 2 'nothing to remove' pin remove

# --- ^C ends the reading, not the session ---
mkfifo "$tmp/pipe"
"$PLOAD" --attach=link --pin="$dir/e" --format=json "$PROGS/event_output.bpf.o" >"$tmp/pipe" 2>"$tmp/err" &
pid=$!
exec 3<"$tmp/pipe"
read -r _ <&3
kill -INT $pid
cat <&3 >"$tmp/out" &
reader=$!
exec 3<&-
wait $pid
is '^C: status' "$?" 0
wait $reader
is '^C: the summary says that it is pinned' "$(value summary pinned)" "$dir/e"
is '^C: the link stays' "$(names "$dir/e/links")" 'event_output '
"$PLOAD" pin adopt --format=json "$dir/e" >"$tmp/pipe" 2>"$tmp/err" &
pid=$!
exec 3<"$tmp/pipe"
read -r _ <&3
read -r _ <&3
refused 'adopt: a ring has one reader' 1 "pload[$pid] has it open" pin adopt "$dir/e"
cat <&3 >"$tmp/out" &
reader=$!
exec 3<&-
kill -TERM $pid
wait $pid
is 'adopt: SIGTERM ends it' "$?" 0
wait $reader
is 'adopt: and it ends with its summary' "$(value summary adopted)" "$dir/e"
has 'adopt: with what was missed meanwhile' "$tmp/out" '"recursion_misses":'
run pin adopt -d 0 --record=nonsense "$dir/e"
is 'adopt: a type that is not there' "$status" 1
run pin remove "$dir/e"
is 'detached at the end' "$status" 0

# --- without privilege ---
if chmod 755 "$tmp" && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	cp "$PLOAD" "$tmp/pload"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/pload" show >"$tmp/out" 2>"$tmp/err"
	is 'show without privilege: nothing is listed, which is a failure' "$?" 1
	has 'show without privilege: its cause' "$tmp/err" 'it requires CAP_SYS_ADMIN [show/no-capability]'
	has 'show without privilege: says what it does not see' "$tmp/out" 'could not read: links: '
	columns 'show without privilege'
else
	skip 'show without privilege' 'setpriv cannot give up privilege here'
fi
run show --dry-run
is 'show --dry-run: status' "$status" 0
run --attach=link --pin="$dir/dry" --dry-run "$PROGS/ip_count.bpf.o"
is '--pin --dry-run: status' "$status" 0
is '--pin --dry-run: nothing is there' "$(find "$dir" -name dry)" ''
run show
has_not 'no program (the id is that of a link) is left at the end' "$tmp/out" "$dir/a"
done_testing
