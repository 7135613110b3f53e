#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Output that only a terminal gets: the line of progress, colours, and the tables of --top.
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
TERM_OF_TEST=dumb
none 'TERM=dumb' "$counts -d 200ms"
unset TERM_OF_TEST

# A binary file is not for a terminal.
on_terminal "$PLOAD --format=pprof -e cpu-clock -F 99 -d 100ms $PROGS/profile.bpf.o"
is 'pprof: status' "$status" 1
has 'pprof: it is refused' "$tmp/out" '--format=pprof is a binary file, and standard output is a terminal [output/terminal]'
has_not 'pprof: nothing of it' "$tmp/out" "$(printf '\037\213')"
on_terminal "$PLOAD --format=pprof -e cpu-clock -F 99 -d 100ms $PROGS/profile.bpf.o | gzip -t"
is 'pprof: a pipe gets it' "$status" 0

# Colours: a program cannot add its own, which bad_input.sh holds.
colors() { tr -d '\r' <"$tmp/out" | sed "s/$esc\[J//g" | grep -c "$esc\[[0-9;]*m"; }
profile="$PLOAD -e cpu-clock:k -F 999 --rows=1 $PROGS/profile.bpf.o"
busy='-- dd if=/dev/zero of=/dev/null bs=1M count=5000 status=none'	# in the kernel, whose functions have names
NO_COLOR='' on_terminal "$profile $busy"
has 'colours: a headline' "$tmp/out" "${esc}[1mcounts (hash"
is 'a function' "$(grep -c "^      $esc\[36m[^+]*$esc\[m+0x" "$tmp/out" | sed 's/^[1-9].*/some/')" some
NO_COLOR=1 on_terminal "$profile $busy"
is 'NO_COLOR' "$(colors)" 0
NO_COLOR=1 on_terminal "$profile --color=always $busy"
is '--color=always' "$(colors | sed 's/^[1-9].*/some/')" some
unset NO_COLOR
on_terminal "$profile --color=never $busy"
is '--color=never' "$(colors)" 0
on_terminal "$profile --format=json --color=always $busy"
is 'JSON has none' "$(colors)" 0
on_terminal "$PLOAD $tmp/none.o"
has 'an error' "$tmp/out" "${esc}[1;31mpload:${esc}[m $tmp/none.o: "
run --color=always -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
has 'no terminal: --color=always' "$tmp/out" "${esc}[1mattached by"
run -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
has_not 'no terminal: auto' "$tmp/out" "$esc"
refused 'no such --color' 2 --color --color=blue "$PROGS/ip_count.bpf.o"

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
# --top: a screen of its own, the first rows of which fit, and at the end the maps as without it.
export NO_COLOR=1
on_terminal "stty rows 3 cols 12; $counts -d 200ms --top"
is '--top: status' "$status" 0
tr -d '\r\n' <"$tmp/out" >"$tmp/joined"
has 'enters the alternate screen' "$tmp/joined" "${esc}[?1049h${esc}[?25l${esc}[?7l${esc}[H0."
is 'which has as many rows and columns as the terminal' "$(tr -d '\r' <"$tmp/out" | tr '\n' '|' |
	sed -n "s/$esc\[K//g; s/.*$esc\[H\(.*\)$esc\[J$esc\[?7h.*/\1/; s/[^|]\{1,12\}/x/gp")" 'x|x|x'
has 'leaves it before the maps are printed' "$tmp/joined" "${esc}[?7h${esc}[?25h${esc}[?1049lhits (hash"
# As many rows as are asked for, and no more because there is room.
until_has ' more \(of [0-9]+ elements' "stty rows 20; $counts --top -I 50"
is '--top: --rows' "$(tr -d '\r' <"$tmp/out" | sed "s/$esc\[H/\n\n/g" | awk '/1049l|[.][0-9] s, / { n = 0 } /^  0x[0-9a-f]* = / && ++n > most { most = n } END { print most }')" 1
# A serial line does not tell its size, and is taken for one of 80 columns and 24 rows.
on_terminal "stty rows 0 cols 0; $counts --top -d 200ms"
has 'a terminal without a size' "$tmp/out" "$(printf 'hits (hash, ')"
is 'a terminal without a size: it has rows' "$(tr -d '\r' <"$tmp/out" | sed -n "/?1049l/q; /^hits (hash, [0-9]* element/p" | sed -n 1p |
	cut -d ' ' -f 1)" hits
# A character of UTF-8 has one column, however many bytes: those of a task's name, in a row that is cut.
name=$(printf '\303\244\303\244\303\244\303\244')
cp "$(command -v sh)" "$tmp/$name"
"$tmp/$name" -c 'while :; do :; done' &
busy=$!
# Call stacks are drawn as functions; without one, the table is replaced by a line that there is none.
top="$PLOAD profile -e cpu-clock -F 99 -I 50 --top"
until_has "  \[$name" "stty rows 12 cols 45; $top -p $busy"
is 'a row is as wide as the terminal' "$(tr -d '\r' <"$tmp/out" | sed -n "h; s/$esc.*//; /  \[$name/p; g; /?1049l/q" |
	LC_ALL=C tr -d '\200-\277' | awk '{ print length($0) }' | sort -u)" 45
is '--top of a profile: a table of functions and no map' \
	"$(tr -d '\r' <"$tmp/out" | sed -n '/?1049l/q; s/samples  f.*/samples/; /^ *self/p; /(hash/p' | sort -u | tr -s ' ')" \
	' self samples total samples'
has '--top of a profile: all of it at the end' "$tmp/out" 'call tree, callers first'
# A table that is drawn counts no loss a second time.
on_terminal "$top --map=stacks.max_entries=1 -p $busy -d 1"
is '--top of a profile: no more is lost than there was' "$(tr -d '\r' <"$tmp/out" |
	sed -n 's/^profile: \([0-9]*\) samples in .* functions; \([0-9]*\) lost/\1 \2/p' | awk '{ print ($2 > 0 && $2 <= $1) }')" 1
is '--top of a profile: nor more stacks, of which a sample has two' "$(tr -d '\r' <"$tmp/out" |
	sed -n 's/^profile: \([0-9]*\) samples .*/\1/p; s/^  lost: \([0-9]*\) stacks .*/\1/p' |
	awk 'NR == 1 { samples = $1 } END { print (NR == 2 && $1 > 0 && $1 <= 2 * samples) }')" 1
kill $busy
# This shell runs now and then; a process that sleeps does not.
sleep 600 &
idle=$!
until grep -q '(sleep) S' "/proc/$idle/stat"; do :; done
until_has 'the profile is empty: no row' "$top -p $idle"
has '--top of an empty profile: so it is at the end' "$tmp/out" 'the profile is empty: no program ran'
kill $idle
until_has 'hits \(hash, [1-9]' "$counts --top -I 50"
# A rate is per second, however often it is drawn: 50 samples come in 50 ms, and the median is of 20 lines.
on_terminal "stty rows 20; $PLOAD -e cpu-clock -F 1000 -C 0 -d 2 --top -I 50 --rows=1 $PROGS/ip_count.bpf.o"
rates=$(tr -d '\r' <"$tmp/out" | sed -n 's/.* s left, \([0-9]*\) samples\/s.*/\1/p' | sort -n)
is 'a rate is per second' "$(printf '%s\n' "$rates" | awk '{ rate[NR] = $1 } END { at = rate[int((NR + 1) / 2)]; print (at > 200 && at < 5000) }')" 1
run -e cpu-clock -d 100ms --top "$PROGS/ip_count.bpf.o"
has 'no terminal: a note' "$tmp/err" '--top updates a terminal, with --format=text'
has_not 'no terminal: no screen' "$tmp/out" "$esc"
run profile -e cpu-clock -d 100ms --top
has 'no terminal, a profile: a note' "$tmp/err" 'the tables are printed at the end'
has_not 'no terminal, a profile: no screen' "$tmp/out" "$esc"
none '--top and a command' "$counts --top -- true"
done_testing
