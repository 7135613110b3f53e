#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Output that only a terminal gets: the line of progress, and colours.
. test/cli/lib.sh

skip_because=$(kernel_refuses)
[ -n "$skip_because" ] || [ "$(script -qec 'echo yes' /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ] ||
	skip_because='script(1) of util-linux cannot open a terminal here'
skip_rest_if 'terminal' "$skip_because"

# on_terminal COMMAND - what that shell command writes to a terminal is in $tmp/out.
on_terminal() {
	TERM=${TERM_OF_TEST-xterm} script -qec "stty cols 80; $1" /dev/null >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}
# A screen shows of each row what was written after the last return.
esc=$(printf '\033')
counts="$PLOAD -e cpu-clock -F 99 --rows=1 $PROGS/ip_count.bpf.o"

export NO_COLOR=1
# It is drawn before the first sample comes.
on_terminal "$counts -d 200ms"
is 'progress: status' "$status" 0
has 'time left of -d' "$tmp/out" ' s left'
is 'removed before anything else is printed' \
	"$(sed -n "s/.*s left.*\r$esc\[J\(hits\) (hash.*/\1/p" "$tmp/out")" hits
is 'and not drawn again' "$(sed "1,/hits/d" "$tmp/out" | grep -c "$esc")" 0
on_terminal "$counts -d 200ms >$tmp/stdout"
has 'standard output is no terminal' "$tmp/out" 's left'
has_not 'which has nothing of it' "$tmp/stdout" "$esc"
on_terminal "stty cols 6; $counts -d 200ms"
is 'not wider than the terminal' "$(tr -d '\r\n' <"$tmp/out" | sed -n "s/.*$esc\[J\(0\.[0-9] s\)$esc\[J.*/\1/p" | wc -c)" 5

# none NAME COMMAND - no line of progress, nor another escape.
none() { on_terminal "$2"; has_not "no progress: $1" "$tmp/out" "$esc"; }
none 'standard error is no terminal' "$counts -d 200ms 2>$tmp/stderr"
none '-d 0' "$counts -d 0"
none 'a command' "$counts -- true"
none 'a dry run' "$counts -d 200ms --dry-run"
on_terminal "stty cols 70; $PLOAD step --dry-run -e cpu-clock $PROGS/ip_count.bpf.o"
is 'pload step: not wider than the terminal' "$(tr -d '\r' <"$tmp/out" | awk 'length > 70' | head -n 1)" ''
is 'pload step: as wide as the terminal' "$(tr -d '\r' <"$tmp/out" | awk 'length > 55' | head -n 3 | wc -l)" 3
TERM_OF_TEST=dumb
none 'TERM=dumb' "$counts -d 200ms"
unset TERM_OF_TEST

# Colours: a program cannot add its own, which bad_input.sh holds.
colors() { tr -d '\r' <"$tmp/out" | sed "s/$esc\[J//g" | grep -c "$esc\[[0-9;]*m"; }
profile="$PLOAD -e cpu-clock:k -F 999 --rows=1 $PROGS/profile.bpf.o"
busy='-- dd if=/dev/zero of=/dev/null bs=1M count=5000 status=none'	# in the kernel, whose functions have names
NO_COLOR='' on_terminal "$profile $busy"
has 'colours: a headline' "$tmp/out" "${esc}[1mcounts (hash"
is 'a function' "$(grep -c "^      $esc\[36m[^+]*$esc\[m+0x" "$tmp/out" | sed 's/^[1-9].*/some/')" some
NO_COLOR=1 on_terminal "$profile $busy"
is 'NO_COLOR' "$(colors)" 0
unset NO_COLOR
on_terminal "$profile --format=json $busy"
is 'JSON has none' "$(colors)" 0
on_terminal "$PLOAD $tmp/none.o"
has 'an error' "$tmp/out" "${esc}[1;31mpload:${esc}[m $tmp/none.o: "
run -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
has_not 'no terminal' "$tmp/out" "$esc"

# until_has TEXT COMMAND - until a terminal shows it; ^C ends the session then, with its summary.
until_has() {
	mkfifo "$tmp/keys"
	TERM=xterm script -qfec "stty cols 80; $2" /dev/null >"$tmp/out" 2>"$tmp/err" <"$tmp/keys" &
	session=$!
	exec 9>"$tmp/keys"
	until grep -qE "$1" "$tmp/out"; do
		sleep 0.1
		kill -0 $session 2>/dev/null || break
	done
	printf '\003' >&9
	wait $session
	status=$?
	exec 9>&-
	rm "$tmp/keys"
	if grep -qE "$1" "$tmp/out"; then ok "$1"; else not_ok "$1" 'not on the terminal'; fi
	is "$1: ^C: status" "$status" 0
	has "$1: ^C: summary" "$tmp/out" 'attached by '
}
until_has '[0-9] s, .C ends it, [0-9]+ samples/s, 0 lost' "$counts"
until_has '[0-9] records/s' "$PLOAD -e cpu-clock -F 99 $PROGS/ringbuf.bpf.o >$tmp/stdout; cat $tmp/stdout"
has_not 'a ring buffer: lost is not known' "$tmp/out" 'records/s, 0 lost'
# The first ring knows what it has lost, and the second does not.
cat >"$tmp/rings.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} a_perf SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} b_ringbuf SEC(".maps");
SEC("perf_event") int both(void *ctx)
{
	__u64 n = 0;

	bpf_perf_event_output(ctx, &a_perf, BPF_F_CURRENT_CPU, &n, sizeof(n));
	bpf_ringbuf_output(&b_ringbuf, &n, sizeof(n), 0);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/rings.c" -o "$tmp/rings.o" || not_ok 'compiles' "$CLANG failed"
until_has '[0-9] records/s' "$PLOAD -e cpu-clock -F 99 $tmp/rings.o >$tmp/stdout; cat $tmp/stdout"
has_not 'two rings: lost is not known' "$tmp/out" 'records/s, 0 lost'
# A rate is per second, and the line is drawn twice a second: a count would be half of what the whole session has.
on_terminal "$PLOAD -e cpu-clock -F 1000 -C 0 -d 3 --rows=1 $PROGS/ip_count.bpf.o"
rates=$(tr -d '\r' <"$tmp/out" | tr "$esc" '\n' | sed -n 's/.* left, \([0-9]*\) samples.*/rate \1/p; s/.*: \([0-9]*\) runs, .*/ran \1/p')
is 'a rate is per second' "$(echo "$rates" |
	awk '/rate/ { rate += $2; nr++ } /ran/ { ran = $2 } END { print (nr > 2 && rate / nr > 0.75 * ran / 3) }')" 1
done_testing
