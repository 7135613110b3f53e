#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A command after "--": its arguments, its status, the events that are counted of it, and how it ends with the session.
. test/cli/lib.sh

refused 'no command' 2 "no command follows '--'" a.o --
refused 'a command without a name' 2 'is empty' a.o -- ''
refused 'two objects before the command' 2 "'b.o'" a.o b.o -- true
refused 'only a command' 2 'no object file' -- true
refused '--test-run with a command' 2 '--test-run' --test-run a.o -- true
run --dry-run -e cpu-clock "$PROGS/ip_count.bpf.o" -- nosuch --help -x
is 'options of the command are its own' "$status" 0
has 'dry run: a child is made' "$tmp/err" 'clone(SIGCHLD)'
has 'dry run: its events enable themselves' "$tmp/err" 'enable_on_exec=1'
has_not 'dry run: nothing is executed' "$tmp/err" 'execve'

skip_rest_if 'commands' "$(kernel_refuses)"
clock='-e cpu-clock,freq=1000 --format=json'
work='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'

for method in ioctl pmu link; do
	run $clock --attach=$method "$PROGS/ip_count.bpf.o" -- sh -c "$work; exit 7"
	is "$method: the status is passed on" "$status" 7
	is "$method: the summary has it" "$(value summary command.exit_code)" 7
	is "$method: it was counted" "$([ "$(value summary programs.0.run_cnt)" -gt 0 ] && echo yes)" yes
done
run $clock "$PROGS/ip_count.bpf.o" -- sh -c "sh -c '$work'"
is 'what it starts is counted' "$([ "$(value summary programs.0.run_cnt)" -gt 0 ] && echo yes)" yes
run $clock -a "$PROGS/ip_count.bpf.o" -- true
is '-a: the whole machine, while it runs' "$status" 0
run $clock -p $$ "$PROGS/ip_count.bpf.o" -- sh -c "$work"
is '-p: while it runs' "$status" 0
is '-p: the command is not counted' "$(value summary programs.0.run_cnt)" 0

# Before execve nothing is counted: the child that waits makes page faults on its way there.
run -e page-faults,period=1 --format=json "$PROGS/ip_count.bpf.o" -- /nonexistent/thing
is 'a path that is not there' "$status" 127
has 'a path that is not there: said' "$tmp/err" "pload: command '/nonexistent/thing': execve: No such file or directory [command/not-found]"
run -d 0 $clock "$PROGS/ip_count.bpf.o" -- false
is '-d 0: it is not run' "$status" 0
has '-d 0: said' "$tmp/err" 'note: with -d 0, the command is not run'

run $clock "$PROGS/ip_count.bpf.o" -- nosuchcommand
is 'a name that is nowhere' "$status" 127
has 'a name that is nowhere: hint' "$tmp/err" 'PATH'
run $clock "$PROGS/ip_count.bpf.o" -- /etc/passwd
is 'a file that may not be executed' "$status" 126
has 'a file that may not be executed: reason' "$tmp/err" '[command/cannot-run]'
printf '#!/nonexistent/interpreter\n' >"$tmp/script"
chmod +x "$tmp/script"
run $clock "$PROGS/ip_count.bpf.o" -- "$tmp/script"
is 'an interpreter that is not there' "$status" 127
has 'an interpreter that is not there: hint' "$tmp/err" 'hint: the file exists, but the interpreter'
printf 'echo hello\n' >"$tmp/words"
chmod +x "$tmp/words"
run $clock "$PROGS/ip_count.bpf.o" -- "$tmp/words"
is 'words without #!' "$status" 126
has 'words without #!: hint' "$tmp/err" "hint: it is not ELF and does not start with #!: -- sh $tmp/words"

run $clock "$PROGS/ip_count.bpf.o" -- sh -c 'kill -SEGV $$'
is 'killed: 128 and the signal' "$status" 139
is 'killed: the summary has it' "$(value summary command.signal)" SIGSEGV
run -d 0.2 $clock "$PROGS/ip_count.bpf.o" -- sleep 600
is 'the time is over: it is ended' "$status" 143
has 'the time is over: said' "$tmp/err" "note: waiting for command 'sleep' after sending it SIGTERM"

echo words >"$tmp/in"
"$PLOAD" -e cpu-clock "$PROGS/ip_count.bpf.o" -- cat <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
has 'standard input and output are its own' "$tmp/out" 'words'
run $clock "$PROGS/ip_count.bpf.o" -- sh -c 'ls /proc/self/fd | wc -l'
is 'it has no descriptors of ours' "$(head -n 1 "$tmp/err")" "$(ls /proc/self/fd </dev/null | wc -l)"
run $clock "$PROGS/ip_count.bpf.o" -- sh -c 'grep SigBlk /proc/self/status'
is 'it has no signals blocked' "$(head -n 1 "$tmp/err" | tr -d '0\t ')" SigBlk:

# A signal to pload alone ends the command, too.
mkfifo "$tmp/pipe"
"$PLOAD" $clock "$PROGS/ip_count.bpf.o" -- sh -c 'echo up >"$1"; exec sleep 600' sh "$tmp/pipe" \
	>"$tmp/out" 2>"$tmp/err" &
pid=$!
read -r up <"$tmp/pipe"
kill -INT $pid
wait $pid
is 'a signal ends the command' $? 143
is 'a signal: with the summary' "$(value summary command.signal)" SIGTERM

run -e sched:sched_switch "$PROGS/event_output.bpf.o" -- true
has 'a traced event is for all, and this is said' "$tmp/err" 'whatever the command is'
done_testing
