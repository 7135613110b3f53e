#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The command line itself: help, version, and its errors before any file is opened (exit status 2).
# Lane: free
. test/cli/lib.sh

# hint NAME TEXT - the hint says so.
hint() { has "$1" "$tmp/err" "hint: $2"; }

run --help
is '--help: status' "$status" 0
has_not '--help: nothing on stderr' "$tmp/err" pload
is '--help: at most 50 lines' "$(($(wc -l <"$tmp/out") <= 50))" 1
has '--help: how to see the rest' "$tmp/out" '--help=all'
has '--help: names the other commands' "$tmp/out" 'pload load '
cp "$tmp/out" "$tmp/help.main"
# Each option that it names, in whatever words, is one of --help=all, with the same letter.
grep -oE -- '(-[a-zA-Z], )?--[a-z][a-z-]+' "$tmp/out" | sort -u >"$tmp/brief"
is '--help: the options that everyone needs' "$(($(wc -l <"$tmp/brief") >= 12))" 1
run --help=all
is '--help=all: status' "$status" 0
is '--help=all: has each option of --help' "$(grep -oE -- '(-[a-zA-Z], )?--[a-z][a-z-]+' "$tmp/out" | sort -u | comm -23 "$tmp/brief" -)" ''
has '--help=all: names the three methods' "$tmp/out" '--attach=pmu'
# describes HELP FILE... - the options in the tables of these files are in the help.
describes() {
	help=$1 missing=''
	shift
	for option in $(sed -n 's/^\t{ "\([a-z-]*\)", \(0\|'"'.'"'\), .*/\1/p' "$@"); do
		grep -qE -- "--$option([=, ]|\[|$)" "$tmp/out" || missing="$missing $option"
	done
	is "$help: describes every option" "$missing" ''
}
describes '--help=all' loader/core/cmd/options.c loader/commands/options/session_options.c loader/commands/options/event_options.c loader/commands/options/shared_options.c
run -h
is '-h is --help' "$(cat "$tmp/out")" "$(cat "$tmp/help.main")"
run help
is 'help: status' "$status" 0
is 'help is --help' "$(cat "$tmp/out")" "$(cat "$tmp/help.main")"
refused 'help on something else' 2 "'load' is not all" --help=load
hint 'help on something else: what prints it' 'pload help load prints the help of a command'
run load --help=all
cp "$tmp/out" "$tmp/help"
run load --help
is 'load --help=all is load --help' "$(cat "$tmp/out")" "$(cat "$tmp/help")"
is 'load --help: status' "$status" 0
has 'load --help: usage' "$tmp/out" 'usage: pload load [options] OBJ...'
awk 'length > 110 { exit 1 }' "$tmp/out"
is 'load --help: fits a terminal' $? 0
describes 'load --help' loader/core/cmd/options.c loader/commands/load.c loader/commands/options/shared_options.c
cp "$tmp/out" "$tmp/help"
run help load
is 'help load is load --help' "$(cat "$tmp/out")" "$(cat "$tmp/help")"
run --version
has '--version' "$tmp/out" 'pload '
has_commit 'pload'

# A reader finds examples first, and each of them is right.
for command in '' $(sed -n 's/^  pload \([a-z]*\) .*/\1/p' "$tmp/help.main"); do
	# shellcheck disable=SC2086 # no command is no argument
	run $command --help
	is "$command --help: fits 100 columns" "$(awk 'length > 100' "$tmp/out")" ''
	is "$command --help: examples before options" "$(grep -m 1 -noE '^(Examples:| +-.*)$' "$tmp/out" |
		awk -F: '{ print $2, $1 < 12 }')" 'Examples 1'
	has "$command --help: all have --help" "$tmp/out" '  -h, --help'
	sed -n '/^Examples:$/,/^$/s/^    pload \(.*[^ ]\)  *# .*/\1/p' "$tmp/out" >"$tmp/examples"
	while read -r words; do
		set -f
		eval "set -- $words"
		set +f
		case $1 in
		"$command") shift && run "$command" --help "$@" ;;
		*) run --help "$@" ;;
		esac
		is "example: pload $words" "$status" 0
	done <"$tmp/examples"
done
run --help
has '--help: the command' "$tmp/out" 'With -- COMMAND, '
is '--help: the command comes first' "$(sed -n '1,12{/-- COMMAND/p;/-- make/p}' "$tmp/out" | wc -l)" 3

refused 'no object' 2 'no object file'
refused 'two objects' 2 "'b.o'" a.o b.o
refused 'a command without --' 2 "'ls'" a.o ls
hint 'a command without --: where it goes' "a command to run goes after '--': pload a.o -- ls"
refused 'no object before --' 2 'no object file' --format=flamegraph -- ./x
hint 'no object before --: where it goes' "the object goes before '--': pload prog.o -- ./x"
refused "perf's record" 2 "'record'" record
hint "perf's record: what does the same" 'pload profile -- COMMAND samples call stacks'
refused "perf's report" 2 "'report'" report
hint "perf's report: what does the same" 'a session prints its report when it ends'
for line in 'adopt|adopt DIR' 'detach|remove DIR|PIN|all'; do
	refused "an earlier name, ${line%%|*}" 2 "there is no command" "${line%%|*}" /sys/fs/bpf/x
	hint "an earlier name, ${line%%|*}: the new one" "pload pin ${line#*|}"
done
refused 'pin: nothing to do' 2 'not named' pin
refused 'pin: another word' 2 "'lists'" pin lists
refused 'pin list: an argument' 2 'takes no argument' pin list x
refused 'pin remove: an option of adopt' 2 'takes no --duration' pin remove --trace=calls -d 1 /sys/fs/bpf/x
refused "perf's top" 2 "'top'" top
hint "perf's top: what does the same" 'pload profile prints the functions'
refused 'a format of pictures that there is not' 2 "'svg'" --format=svg a.o
hint 'a format of pictures that there is not: those that there are' \
	'the formats are text, json, folded, flamegraph'
refused 'a longer name of an option' 2 '--frequency' --frequency=99 a.o
hint 'a longer name of an option: which' 'did you mean --freq=HZ?'
refused 'unknown long option' 2 '--frobnicate' --frobnicate a.o
refused 'unknown short option' 2 "'-Z'" -Z a.o
refused 'option without its value' 2 '-e' a.o -e
refused 'unknown method' 2 "'jump'" --attach=jump a.o
refused 'unknown format' 2 "'xml'" --format=xml a.o
refused 'a cookie with ioctl' 2 '--attach=ioctl cannot pass a cookie' --cookie=1 --attach=ioctl -e cpu-clock a.o
refused 'a cookie with pmu' 2 '--attach=pmu cannot pass a cookie' --cookie=1 --attach=pmu -e kprobe:x a.o
refused 'a cookie that is no number' 2 '--cookie' --cookie=x --attach=link a.o
refused 'a cookie above 64 bits' 2 '--cookie' --cookie=18446744073709551616 --attach=link a.o
refused 'a period of 0' 2 '-c' -c 0 a.o
hint 'a period of 0: what comes of it' 'without a period or frequency an event only counts'
refused 'a frequency of 0' 2 '-F' -F 0 a.o
refused 'a negative frequency' 2 '-F' -F -5 a.o
refused 'period and frequency' 2 '-c and -F' -c 5 -F 5 a.o
refused 'a duration that is no number' 2 '-d' -d soon a.o
refused 'a negative duration' 2 '-d' -d -1 a.o
refused 'a duration of an unknown unit' 2 '-d' -d 5x a.o
hint 'a duration of an unknown unit: those that there are' 'as in -d 10, -d 500ms'
for duration in 1s 500ms 1.5m 1h 0.2; do
	refused "a duration of $duration is taken" 1 'a.o' -d "$duration" a.o
done
# Both sides of each limit.
for taken in '-d 0' '-d 1e9' '-c 1' '-c 9223372036854775807' '-F 1' '-F 4294967295' '--pages=1' '--pages=262144' \
	 '--rows=0' '--rows=4294967295' '--test-run=1' '--test-run=1048576' '-C 65535' '-p 2147483647' \
	'--cookie=18446744073709551615 --attach=link' '-I 1' '-I 3600000'; do
	# shellcheck disable=SC2086 # words
	refused "at the limit: $taken" 1 'a.o' $taken a.o
done
for beyond in '-d 1.000001e9' '-d nan' '-d inf' '-d -0.001' '-d m' '-c 9223372036854775808' '-F 4294967296' '--pages=0' '--pages=524288' \
	'--rows=4294967296' '--test-run=0' '--test-run=1048577' '-p 2147483648' '-p 0' '-I 0' '-I 3600001'; do
	option=${beyond%%[ =]*}
	# shellcheck disable=SC2086 # words
	refused "beyond the limit: $beyond" 2 "$option" $beyond a.o
done
many=$(printf -- '-e cpu-clock %.0s' $(seq 32))
# shellcheck disable=SC2086 # words
{
	refused 'an option 32 times' 1 'a.o' $many a.o
	refused 'an option 33 times' 2 'given more than 32 times' $many -e cpu-clock a.o
}
refused 'one dash' 2 "'-attach'" -attach=ioctl a.o
hint 'one dash: two' 'with two dashes: --attach='
refused 'one dash, of a command' 2 "'-pin'" load -pin=x a.o
refused 'no command of that name' 2 "no command and no file 'annotate'" annotate
hint 'no command of that name: those that there are' 'the commands are load, '
refused 'no command of that name, but nearly' 2 "'shwo'" shwo
hint 'no command of that name, but nearly: which' 'did you mean pload show?'
refused 'a pid that is no number' 2 '-p' -p self a.o
refused 'pid 0' 2 '-p' -p 0 a.o
refused 'ring pages not a power of two' 2 '--pages' --pages=3 a.o
refused '--test-run with an event' 2 '--test-run' --test-run -e cpu-clock a.o

refused 'a command nearly named' 2 "'laod'" laod a.o
hint 'a command nearly named: which' 'did you mean pload load a.o?'
refused 'a command behind an option' 2 "'load'" --trace load a.o
hint 'a command behind an option: where it goes' 'a command goes before its options: pload load'
refused 'help on a command nearly named' 2 "'laod'" help laod
hint 'help on a command nearly named: which' 'did you mean pload help load?'
refused 'help on no command at all' 2 "'frobnicate'" help frobnicate
hint 'help on no command at all: where they are' 'pload --help lists the commands'
refused 'step: no object' 2 'no object file' step
hint 'step: no object: how it is given' 'as in: pload step prog.o'
refused 'an option nearly named' 2 '--trcae' --trcae a.o
hint 'an option nearly named: which' 'did you mean --trace[='
refused 'an option nearly named, with a value' 2 '--formt=json' load --formt=json a.o
hint 'an option nearly named, with a value: which' 'did you mean --format=text|json?'
refused 'an option of which others begin so' 2 "'--xdp=generic'" --xdp=generic a.o
hint 'an option of which others begin so: which' 'did you mean --xdp-mode=generic|native|offload?'
refused 'the beginning of an option, without a value' 2 "unknown option '--pag'" a.o --pag
hint 'the beginning of an option, without a value: which' 'did you mean --pages=N?'
refused 'the beginning of an option, its value apart' 2 "'--dur'" --dur 1 a.o
run --trace -vh
is 'letters in one behind a long option' "$status" 0
run -vd1 -h
is 'a letter with its value' "$status" 0
refused 'a value for an option that takes none' 2 "'--verbose=1'" --verbose=1 a.o
refused 'a dash alone is a file' 2 "no file '-'" -
run --attach=link --duration 1 -vh
is 'a whole name, its value apart' "$status" 0
refused 'profile: an object' 2 "'a.o': pload profile uses its own object" profile a.o
hint 'profile: an object: how it is given' "a command goes after '--': pload profile -- a.o; pload OBJECT attaches"
refused 'profile: a process' 2 "'12,13'" profile -d 1 12,13
hint 'profile: a process: how it is given' 'a process is given by -p: pload profile -p 12,13'
refused 'profile: two of what there can be one of' 2 '-p and -u' profile -p 1 -u 0
refused 'profile: no command' 2 "no command follows '--'" profile --
run profile --help
describes 'profile --help' loader/core/cmd/options.c loader/commands/options/shared_options.c
refused 'load: no object' 2 'no object file' load
refused 'load: an option of the other command' 2 '--duration' load --duration=1 a.o
refused 'load: a format there is not' 2 "'xml'" load --format=xml a.o

# --- an option or a command that no page or no test names was forgotten there ---

find loader/core/cmd loader/commands -name '*.c' -exec sed -n "s/^\t{ \"\([a-z-]*\)\", \(0\|'\(.\)'\), .*/\1 \3/p" {} + | sort -u >"$tmp/options"
is 'there are options, and no more than sixty' "$(($(wc -l <"$tmp/options") > 40)) $(($(cut -d ' ' -f 1 "$tmp/options" | sort -u | wc -l) <= 60))" '1 1'
# lacking FILE... - the options that none of these files has, by name or letter.
lacking() {
	while read -r name letter; do
		grep -qE -e "--$name([^a-z-]|$)${letter:+|(^|[^-a-z])-$letter([^-a-z]|$)}" "$@" || echo "$name"
	done <"$tmp/options"
}
is 'each option is in a page of docs/' "$(lacking README.md docs/*.md)" ''
# shellcheck disable=SC2016 # a backtick of Markdown
is 'each command is in a page of docs/' "$(sed -n 's/^  pload \([a-z]*\) .*/\1/p' "$tmp/help.main" | while read -r command; do
	grep -qE "pload $command( |\`|$)" README.md docs/*.md || echo "$command"; done)" ''
is 'each option is used by a test' "$(lacking test/cli/*.sh test/unit/*/*.c)" ''
done_testing
