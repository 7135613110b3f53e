#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload without root: what needs no privilege works, and the suite skips what is refused, with that cause, so that nothing fails.
. "$(dirname "$0")/lib.sh"

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

nobody true 2>/dev/null || skip_rest 'the suite for nobody' 'setpriv cannot become nobody here'
# The user nobody may not be able to reach the directory of the build, so the files are copied.
cp "$(dirname "$SELF")/attach-regress" "$tmp/suite"
cp "$PLOAD" "$tmp/pload"
cp "$PROGS/ip_count.bpf.o" "$tmp/prog.o"
chmod 755 "$tmp" "$tmp/suite" "$tmp/pload"

nobody "$tmp/pload" list hw >"$tmp/out" 2>"$tmp/err" </dev/null
is 'list: what is in no tracefs is listed without it' "$?$(cat "$tmp/err")" 0
has 'list: ... all of it' "$tmp/out" 'ref-cycles'

# Installed setuid, it would give away root: it does nothing at all. A file system that is mounted nosuid ignores the bit.
for bits in 4755 2755; do
	cp "$PLOAD" "$tmp/set"
	chmod $bits "$tmp/set"
	nobody "$tmp/set" --version >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	if findmnt -no OPTIONS -T "$tmp" 2>"$tmp/null" | grep -q nosuid; then
		skip "mode $bits" 'this file system is mounted nosuid'
		continue
	fi
	is "mode $bits: status" "$status" 1
	has "mode $bits: why" "$tmp/err" '[pload/setuid]'
	has "mode $bits: what to give instead, as below" "$tmp/err" 'setcap cap_bpf,cap_perfmon=ep pload'
	is "mode $bits: nothing is done" "$(cat "$tmp/out")" ''
done

# as WHO OPTION... - a few tests of each kind, by nobody with such options for setpriv.
as() {
	who=$1
	shift
	nobody "$@" "$tmp/suite" -t 'binding/page*' -t 'limits/*RLIMIT*' -t 'visibility/page*' -t 'privilege/page*' \
		-t 'reasons/CAP*' -t 'calls/a p*' -t 'races/remove*' -t 'leaks/page*' >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	passed=$(sed -n 's/^# Totals: pass:\([0-9]*\) .*/\1/p' "$tmp/out")
	is "$who: nothing fails" "$(grep '^ *not ok' "$tmp/out")" ''
	case $status in
	0 | 4) ok "$who: status" ;;
	*) not_ok "$who: status" "it is $status" ;;
	esac
	has "$who: it is said what is skipped" "$tmp/out" '# not root of the machine, '
}

as 'no capability'
why=$(kernel_refuses)

# setcap(8) replaces what a file has: each refusal of a session names all that it takes, and with these none is left.
hint_of() {
	nobody "$@" "$tmp/pload" -d 0 -e cpu-clock "$tmp/prog.o" >"$tmp/out" 2>"$tmp/err" </dev/null
	sed -n 's/^hint: .*setcap \([a-z_,]*\)=ep .*/\1/p' "$tmp/err"
}
if [ "$(cat /proc/sys/kernel/unprivileged_bpf_disabled)" = 0 ]; then
	skip 'the hint of a map' 'kernel.unprivileged_bpf_disabled lets anybody create one'
else
	is 'the hint of a map has what the programs take' "$(hint_of)" cap_bpf,cap_perfmon
	for caps in +bpf +bpf,+perfmon; do
		if ! nobody --inh-caps="$caps" --ambient-caps="$caps" true 2>/dev/null; then
			skip "the hint with $caps" 'setpriv cannot give them'
		elif [ $caps = +bpf ]; then
			is 'the hint of a program is the same' "$(hint_of --inh-caps="$caps" --ambient-caps="$caps")" cap_bpf,cap_perfmon
		else
			is 'there is none for who has these' "$(hint_of --inh-caps="$caps" --ambient-caps="$caps")" ''
		fi
	done
fi

for caps in +bpf,+perfmon +sys_admin; do
	if ! nobody --inh-caps="$caps" --ambient-caps="$caps" true 2>/dev/null; then
		skip "$caps" 'setpriv cannot give them'
		continue
	fi
	as "$caps" --inh-caps="$caps" --ambient-caps="$caps"
	nobody --inh-caps="$caps" --ambient-caps="$caps" "$tmp/pload" --attach=link -d 0 -e 'sched:sched_*' \
		"$tmp/prog.o" >"$tmp/out" 2>"$tmp/err" </dev/null
	if grep -q '\[event/no-tracefs\]' "$tmp/err"; then
		has "$caps: tracefs: the capability that is missing" "$tmp/err" 'it requires CAP_'
	else
		skip "$caps: tracefs" "$(sed -n 's/^pload: //p;q' "$tmp/err") it can be read"
	fi
	if [ -n "$why" ]; then
		skip "$caps: what they are enough for passes" "$why"
	else
		is "$caps: what they are enough for passes" "$((passed > 0))" 1
	fi
done
done_testing
