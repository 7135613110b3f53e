#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The harness of the regression suite: its results for tests that do things which no test should do (test/regress/self).
# Lane: kernel
. "$(dirname "$0")/lib.sh"

PLOAD=${SELF:-build/tests/regress-self}
SELF_DIR=$tmp
export SELF_DIR
: >"$tmp/kmsg"

# plain - the output without the parts that differ from run to run, and without notes on missing privileges.
plain() {
	sed -e 's/^# Linux .*/# Linux/' -e '/^# hardware breakpoints can be opened here and /d' -e '/^# tracing_on of tracefs is 0, /d' -e '/^# [a-z]* is not mounted, and may not be by this process$/d' \
		-e '/^# what is left in the kernel cannot be known: /d' -e '/^# not root of the machine, /d' \
		-e 's/^\(  # [a-z]* test\/[a-z/]*\.c:\)[0-9]*$/\1N/' -e 's|^\(  # alone: \)[^ ]*/|\1|' "$tmp/out"
}

# says NAME STATUS - the output is equal to standard input, and the exit status is STATUS.
says() {
	cat >"$tmp/wanted"
	plain >"$tmp/plain"
	if [ "$status" != "$2" ]; then
		not_ok "$1" "exit status $status, wanted $2"
	elif cmp -s "$tmp/wanted" "$tmp/plain"; then
		ok "$1"
	else
		not_ok "$1" 'it said something else:'
		diff "$tmp/wanted" "$tmp/plain" | sed 's/^/# /'
	fi
}

# wrong NAME TEXT ARG... - status 2, one line with TEXT and a hint, and nothing is run.
wrong() {
	wrong_name=$1 wrong_text=$2
	shift 2
	run "$@"
	if [ "$status" = 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 2 ] &&
		head -n 1 "$tmp/err" | grep -qF -- "$wrong_text" && tail -n 1 "$tmp/err" | grep -q '^hint: .'; then
		ok "$wrong_name"
	else
		not_ok "$wrong_name" "status $status"
	fi
}

# Without ids.
results() { sed -n -e 's/^\(  .*\) \[[a-z]*\.[0-9]*\]/\1/' -e 's/# SKIP it rests on .*/# SKIP rests/' -e 's/^  \(not ok\|ok\) [0-9]* /\1 /p' "$tmp/out"; }

# --- KTAP ---

run -t good
says 'what passes' 0 <<'END'
KTAP version 1
# Linux
1..1
  KTAP version 1
  # Subtest: good
  1..3
  ok 1 passes [good.1]
  ok 2 number %232 of: them %23 SKIP not at all [good.2]
  ok 3 sees [good.3]
ok 1 good
# Totals: pass:3 fail:0 xfail:0 xpass:0 skip:0 error:0
END

run -t skipped -t mixed
says 'what is skipped, and why a group is' 4 <<'END'
KTAP version 1
# Linux
1..2
  KTAP version 1
  # Subtest: skipped
  1..2
  ok 1 the first [skipped.1] # SKIP no such machine
  ok 2 the second [skipped.2] # SKIP no such machine
ok 1 skipped # SKIP no such machine
  KTAP version 1
  # Subtest: mixed
  1..2
  ok 1 the first [mixed.1] # SKIP no such machine
  ok 2 the second [mixed.2] # SKIP no such kernel # at all
ok 2 mixed # SKIP each of its 2 tests
# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:4 error:0
END

run -t bad
says 'what fails, and how' 1 <<'END'
KTAP version 1
# Linux
1..1
  KTAP version 1
  # Subtest: bad
  1..9
  # seen before
  # at test/regress/self/self.c:N
  # it is 7
  # alone: regress-self -v -t bad.1
  not ok 1 fails [bad.1] # it is 7
  # at test/regress/self/self.c:N
  # wanted more
  # about: the loader, and not the kernel
  # alone: regress-self -v -t bad.2
  not ok 2 expects [bad.2] # wanted more
  # at test/regress/self/self.c:N
  # second: 'EEXIST' where kernels before Linux 255.0 have 'ENOENT|EPERM'
  # alone: regress-self -v -t bad.3
  not ok 3 answers [bad.3] # second: 'EEXIST' where kernels before Linux 255.0 have 'ENOENT|EPERM'
  # in test/regress/self/self.c
  # it was killed by signal 11 (Segmentation fault)
  # alone: regress-self -v -t bad.4
  not ok 4 crashes [bad.4] # it was killed by signal 11 (Segmentation fault)
  # after test/regress/self/self.c:N
  # it has not ended within 1 seconds
  # alone: regress-self -v -t bad.5
  not ok 5 hangs [bad.5] # TIMEOUT it has not ended within 1 seconds
  # in test/regress/self/self.c
  # it ended with status 0 before it was through
  # alone: regress-self -v -t bad.6
  not ok 6 ends without a word [bad.6] # it ended with status 0 before it was through
  # in test/regress/self/self.c
  # it passed, and then ended with status 3
  # alone: regress-self -v -t bad.7
  not ok 7 fails late [bad.7] # it passed, and then ended with status 3
  # at test/regress/self/self.c:N
  # not ok 1 of a child
  # 1..99
  # KTAP version 1
  # ok 1 ?[31mred
  # it has printed
  # alone: regress-self -v -t bad.8
  not ok 8 prints [bad.8] # it has printed
  # in test/regress/self/self.c
  # it was killed by signal 4 (Illegal instruction)
  # alone: regress-self -v -t 'bad/is illegal'
  not ok 9 is illegal # it was killed by signal 4 (Illegal instruction)
not ok 1 bad
# Totals: pass:0 fail:9 xfail:0 xpass:0 skip:0 error:0
END

# --- facts that do not hold ---

# It would be twenty seconds for each that waits, and sixty for the one that hangs.
run -t facts -t shared
is 'who rests on a fact that failed is skipped; who crashes, or has not used it, fails' "$(results)" 'not ok states # nothing runs
ok states another, and rests # SKIP rests
ok waits, after # SKIP rests
ok hangs # SKIP rests
not ok crashes # it was killed by signal 9 (Killed)
ok passes
not ok uses nothing # it has measured nothing
ok runs a session # SKIP rests
ok measures # SKIP rests
ok looks at what was measured # SKIP rests' 
run -t facts.1 --repeat=2
is 'the test of a fact fails the second time, too' "$(results)" 'not ok states # nothing runs
not ok states # nothing runs'
run -t facts.3 -t shared.2 --timeout=1
is 'without the failure of the fact they fail' "$(results)" 'not ok waits, after # TIMEOUT it has not ended within 1 seconds
not ok looks at what was measured # it has measured nothing'

# --- parts of the suite ---

run --quick
is '--quick: its tests' "$(results)" 'ok passes
not ok fails # it is 7'
# conformance - the lines of its table, and those on differences.
conformance() { sed -n -e 's/^# conformance: *//p' -e 's/^# \(differs: .*\)/\1/p' -e 's/^# \(may differ: .*\)/\1/p' "$tmp/out" | tr -s ' '; }
run --conformance -t good -t bad.1 -t bad.2 -t skipped -t exclusive
is '--conformance: no test of the loader, and a table' "$(conformance)" 'must implementation-defined
area met differs unsupported met differs unsupported
first 3 0 2 0 0 0
second 0 1 0 0 0 0
differs: must: bad.1: bad/fails: it is 7'
run --conformance -t good.1 -t bad.3
is '--conformance: an implementation-defined answer does not fail' "$status" 0
is '... and is reported' "$(conformance | tail -n 3)" "second 0 0 0 0 1 0
differs: implementation-defined: bad.3: bad/answers: second: 'EEXIST' where kernels before Linux 255.0 have 'ENOENT|EPERM'
may differ: nobody documents it"
has '... as XFAIL' "$tmp/out" '  ok 1 answers [bad.3] # XFAIL implementation-defined: second: '
has '... in the totals' "$tmp/out" '# Totals: pass:1 fail:0 xfail:1 xpass:0 skip:0 error:0'
run --conformance --names=id -t bad.3
is '... as the only one' "$status" 0
has '... by its id' "$tmp/out" '  ok 1 bad.3 # XFAIL'
run --conformance -t bad.3 -t bad.4
is '... but a test that crashes fails' "$status" 1
has '... as the second of its group' "$tmp/out" '  not ok 2 crashes [bad.4]'
has '... and has broken a must' "$tmp/out" '# differs: must: bad.4: bad/crashes: '
run -t bad.3
is '... and without --conformance each one does' "$status" 1
run -t bad.2
has 'a failure of the loader says so' "$tmp/out" '  # about: the loader, and not the kernel'
run -t bad.1
has_not 'and one of the kernel does not' "$tmp/out" 'about: the loader'
run --requires -t good -t bad
is '--requires: options that some test needs' "$(sed 1d "$tmp/out")" '# 12 of 12 tests
CONFIG_FIRST=y
# 2 of 12 tests
CONFIG_SECOND=y'
run -l --format=json -t good.1 -t bad.2
is 'the list as JSON: what a test is about, and needs' "$(jq -c '.[] | [.id, .area, .about, .quick, .needs]' "$tmp/out")" \
	'["good.1","first","kernel",true,["CONFIG_FIRST","CONFIG_SECOND"]]
["bad.2","second","loader",false,["CONFIG_FIRST"]]'
run -l --format=json -t good.1 -t bad.3
is '... and whether it is a must' "$(jq -c '.[] | [.conformance, .may_differ]' "$tmp/out")" \
	'["must",null]
["implementation-defined","nobody documents it"]'

run --explain good.1
is '--explain: what it is about' "$(sed -n '2,5p' "$tmp/out")" 'group: what passes
about: the kernel; part of the ABI: first
conformance: must
needs: CONFIG_FIRST CONFIG_SECOND'
is '--explain: the source of each, with its comment' "$(sed -n -e '/^source/{s/:[0-9]*$//; p;}' -e '/^static/p' "$tmp/out")" 'source: test/regress/self/self.c
static void pass(struct regress *t)'
run --explain facts.4
has '--explain: the end of the function' "$tmp/out" '	pause();
}'
run --coverage
is '--coverage: names with the sources that use them' "$(cat "$tmp/out")" "$(printf 'raise\tself\nno_such_name\tnone')"
"${PROGS%/progs}/attach-regress" --explain '*' >"$tmp/out"
is '--explain: each test of the suite has its source' "$(grep -c '^source: .*:[0-9]*$' "$tmp/out")" \
	"$("${PROGS%/progs}/attach-regress" -l | grep -vc '^#')"

# --- the line of a failure ---

run -t bad.1
is 'the line is that of the failure' "$(sed -n 's/^  # at //p' "$tmp/out")" \
	"$(grep -n 'regress_fail(t, "it is %d"' test/regress/self/self.c | sed 's|:.*||; s|^|test/regress/self/self.c:|')"
cp "$tmp/out" "$tmp/first"
# shellcheck disable=SC2046 # words
run $(sed -n 's/^  # alone: [^ ]* //p' "$tmp/first")
is 'what is printed runs that test alone' "$(results)" 'not ok fails # it is 7'

run -t 'loud/prints*'
is 'what a test prints is shown if it fails' "$(results)" 'ok prints and passes
not ok prints too much # it has printed'
has 'and is bounded' "$tmp/out" ' bytes more)'
run -v -t 'good/passes' -t 'loud/prints and*'
has 'with -v, notes of those that pass' "$tmp/out" "  # a note of 'one'"
has 'with -v, what they print' "$tmp/out" '  # 1..99'
has 'with -v, how long they took' "$tmp/out" '  # took 0.'

run -t 'loud/crashes*'
is 'a crash is no fault of a machine without breakpoints' "$(results)" \
	'not ok crashes at a breakpoint # it was killed by signal 11 (Segmentation fault)'

# Those that do not open one have none to lack.
run -t 'loud/lacks *others*'
case $(results) in
*'# ENOSPC after '* | *'SKIP others hold'*)
	is 'who is refused a debug register that others held is skipped, although it is free again' "$(results)" \
		'ok lacks registers that others held for a moment # SKIP others hold debug registers of this machine'
	# Others may hold some now, and that is a cause as well.
	tries=0
	until run -t 'loud/lacks *itself'; ! grep -q 'SKIP others hold' "$tmp/out" || [ $((tries += 1)) -ge 20 ]; do :; done
	if grep -q SKIP "$tmp/out"; then
		skip 'who holds them itself fails' "$(results | sed 's/.*# SKIP //;q')"
	else
		has 'who holds them itself fails' "$tmp/out" \
			'not ok 1 lacks registers that it holds itself [loud.6] # ENOSPC after '
	fi
	;;
*) skip 'debug registers that others hold' "$(results)" ;;
esac

run --timeout=1 -t 'loud/hangs*'
has '--timeout' "$tmp/out" 'not ok 1 hangs for long [loud.3] # TIMEOUT it has not ended within 1 seconds'
is '--timeout: status' "$status" 1

# --- choosing ---

run -l -t good -t 'rounds/shares, *'
says '-l says which tests there are' 0 <<'END'
# good: what passes
good.1	good/passes
good.2	good/number #2 of: them # SKIP not at all
good.3	good/sees
# rounds: what is repeated
rounds.3	rounds/shares, 0
rounds.4	rounds/shares, 1
rounds.5	rounds/shares, 2
rounds.6	rounds/shares, 3
rounds.7	rounds/shares, 4
rounds.8	rounds/shares, 5
END

list() { sed '/^#/d' "$tmp/out" | cut -f 2 | tr '\n' ' '; }
printf '# what we want\n  good/pass*  # yes\n\nskipped\n' >"$tmp/allow"
printf 'skipped/the second\nnever/there\n' >"$tmp/deny"
run -l -a "$tmp/allow"
is '-a FILE' "$(list)" 'good/passes skipped/the first skipped/the second '
run -l -a "@$tmp/allow" -d "$tmp/deny"
is '-a @FILE -d FILE' "$(list)" 'good/passes skipped/the first '
has 'of a file, what means no test is noted' "$tmp/err" "note: -d: no test is meant by 'never/there'"
run -l -a 'good/passes,skipped,mixed' -d 'mixed,skipped/*second'
is 'lists without a file' "$(list)" 'good/passes skipped/the first '
printf 'good/passes  # until=9999-12-31 https://x.invalid/1; a reason\ngood/sees # https://x.invalid/2 until=1999-01-31\n' >"$tmp/until"
run -l -t good/passes -t good/sees -d "$tmp/until"
is 'a denied test whose last day is over is wanted again' "$(list)" 'good/sees '
run -t good/passes -t good/sees -d "$tmp/until"
is '... and is named once' "$(grep -c '^# expired: ' "$tmp/out")" 1
has '... by its glob' "$tmp/out" '# expired: -d: good/sees'
printf 'good/sees\ngood/passes # until=2027-02-xx\n' >"$tmp/until"
wrong 'a last day that is no date' 'until:2: until= is followed by no day' -d "$tmp/until"
run -l -t good.3 -d 'mixed.1,skipped.2' -t skipped
is 'ids' "$(list)" 'good/sees skipped/the first '
run -l -t good -a 'good/*s,skipped'
is '-t and -a together' "$(list)" 'good/passes good/sees '

wrong 'a glob that means nothing' "no test is meant by 'godo'" -t godo
wrong 'a denied glob that means nothing' "no test is meant by 'godo'" -d godo
wrong 'nothing is left' 'no test is left' -t good -d good
wrong 'a file that is not there' 'No such file' -a @/nonexistent/file
: >"$tmp/empty"
wrong 'a list with nothing in it' 'no glob is in it' -d "$tmp/empty"
wrong 'a word' "what is 'good'?" good
wrong 'an unknown option' "unknown option '--colour'" --colour
wrong 'an unknown letter' "unknown option '-x'" -x
wrong 'the beginning of an option' "unknown option '--timeou=3'" --timeou=3
wrong 'no number' "'soon' is no number" --timeout=soon
wrong 'a number that is none of use' "'0'" --repeat=0
wrong 'a number with more behind it' "'3s'" --timeout=3s
wrong 'no value' "'--timeout' needs a value" --timeout
wrong '--steps without --random' 'are those of --random' --steps=3
wrong '--strict alone' 'nothing to differ from' --strict
wrong 'a summary that cannot be written' 'No such file' -t good -j /nonexistent/file
wrong 'a record that cannot be written' 'No such file' -t good --record=/nonexistent/file

run --help
is '--help: status' "$status" 0
has '--help' "$tmp/out" '--against=FILE'
is 'each option is in docs/regress.md' "$(grep -oE -- '--[a-z-]+' "$tmp/out" | sort -u | while read -r option; do
	grep -q -- "^| .*\`$option" docs/regress.md || echo "$option"
done)" ''
run --version
has '--version' "$tmp/out" "on Linux $(uname -r) $(uname -m)"
has_commit 'the suite'

# --- order and rounds ---

shuffled() { rm -f "$tmp/rounds"; run --shuffle=7 -t rounds -t good; }
shuffled
results >"$tmp/first"
has 'the seed is said' "$tmp/out" '# --shuffle=7'
shuffled
results >"$tmp/second"
is 'the same seed is the same order' "$(cat "$tmp/first")" "$(cat "$tmp/second")"
rm -f "$tmp/rounds"
run -t rounds -t good
is 'which is another one' "$(results | cmp -s - "$tmp/first"; echo $?)" 1
is 'of the same tests' "$(results | sort)" "$(sort "$tmp/first")"
blocks=$(grep -c '^  # Subtest' "$tmp/out")
shuffled
is 'groups are mixed' "$([ "$(grep -c '^  # Subtest' "$tmp/out")" -gt "$blocks" ]; echo $?)" 0
is 'the plan is of the parts' "$(sed -n 's/^1\.\.//p' "$tmp/out")" "$(grep -c '^\(not \)\{0,1\}ok' "$tmp/out")"
run --shuffle -t good
seed=$(sed -n 's/^# --shuffle=//p' "$tmp/out")
is 'a seed of chance is said' "${seed:+yes}" yes

rm -f "$tmp/rounds"
run --repeat=5 -t rounds -t good/passes
is '--repeat runs all so often' "$(results | wc -l)" 45
has 'and says which did not always pass' "$tmp/out" \
	'# flake: rounds/fails every second time: failed 2 and skipped 0 of 5 times: in round 2'
is 'and only these' "$(grep -c '^# flake' "$tmp/out")" 1
is 'and fails' "$status" 1
has 'rounds are numbered' "$tmp/out" '# round 5 of 5'

run --stop -t bad -t good
is '--stop: the first failure is the last' "$(grep -c '^  not ok' "$tmp/out")" 1
is '--stop: the others are in the plan' "$(grep -c 'SKIP not run: one has failed' "$tmp/out")" 8

# --- JSON ---

run -t good -t 'bad/prints' -t skipped -j "$tmp/summary"
{
	cat <<'END'
{
  "success":2,
  "success_subtest":3,
  "skipped":2,
  "failed":1,
  "results":[
    {
      "name":"bad",
      "number":4,
      "message":"",
      "failed":true,
      "subtests":[
        {
          "name":"prints",
          "number":8,
          "message":"it has printed\nat test/regress/self/self.c:N\nnot ok 1 of a child\n1..99\nKTAP version 1\nok 1 \u001b[31mred\n",
          "failed":true,
          "id":"bad.8",
          "conformance":"must"
        }
      ]
    }
  ]
}
END
} >"$tmp/wanted"
is 'the summary is as test_progs writes it' "$(sed 's/self\.c:[0-9]*/self.c:N/' "$tmp/summary")" "$(cat "$tmp/wanted")"
run -v -t good --json-summary="$tmp/summary"
is 'with -v also what passed' "$(grep -c '"failed":false' "$tmp/summary")" 4

SELF_KERNEL=old
export SELF_KERNEL
run -t good -t skipped --record="$tmp/record"
has 'a record has a test by its id' "$tmp/record" '"skipped.1":{'
has 'a record has the kernel' "$tmp/record" "\"release\":\"$(uname -r)\""
has 'and what was seen' "$tmp/record" '"a key: with a colon":"a # value: with one"'
has 'and why not' "$tmp/record" '"why":"no such machine"'
run -t good/sees --record=-
has 'as lines' "$tmp/out" '# saw: good/sees: a key\: with a colon: a # value: with one'
has 'also without a key' "$tmp/out" '# saw: good/sees: : plain'
run -t good --against="$tmp/record"
has 'nothing differs' "$tmp/out" '# 0 differences'
is 'nothing differs: status' "$status" 0
SELF_KERNEL=new
run -t good -t skipped -t mixed --against="$tmp/record"
has 'a behaviour differs' "$tmp/out" '# differs: good/sees: kernel: old -> new'
has 'a test that was not there' "$tmp/out" '# only here: mixed/the second'
is 'which is no failure' "$status" 0
run -t good --strict --against="$tmp/record"
is 'but with --strict' "$status" 1
sed 's/"state":"skipped"/"state":"passed"/; s/"skipped\.1"/"skipped.99"/; s/skipped\/the first/gone\/the first/' "$tmp/record" >"$tmp/other"
run -t good -t skipped --against="$tmp/other"
has 'a state differs' "$tmp/out" 'passed: no such machine -> skipped: no such machine'
has 'a test that is no more' "$tmp/out" '# only there: gone/the first'
wrong 'a record that is none' 'is no JSON document' --against="$tmp/allow"
echo '{"type": "summary"}' >"$tmp/foreign"
wrong 'another document' 'is no record of this suite' --against="$tmp/foreign"
sed 's/"version":"[0-9]*"/"version":"0"/' "$tmp/record" >"$tmp/other"
wrong 'of another version' 'another version' --against="$tmp/other"
sed 's/"old"/7/' "$tmp/record" >"$tmp/other"
wrong 'damaged' 'not as it is recorded' --against="$tmp/other"
wrong 'not there' 'No such file' --against=/nonexistent/file

# --- messages of the kernel ---

# The kernel's messages about time are forgiven if this machine has stood still meanwhile. Processes of others are recognized only
# in the PID namespace of the machine, and if this process is no child of process 1.
of_others='ok a warning in a process of others'
why=' # the kernel said: WARNING: CPU: 1 PID: 2 at fs/x.c:3 y+0x4/0x5'
[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ] || of_others="not $of_others$why"
tries=0
until run -t said; ! grep -q 'run for a while' "$tmp/out" || [ $((tries += 1)) -ge 20 ]; do :; done
is 'what the kernel says of itself fails a test, unless it is of others' "$(results)" \
"not ok a warning # the kernel said: WARNING: CPU: 1 PID: 2 at kernel/x.c:3 y+0x4/0x5
ok a warning that is known
not ok a stall # the kernel said: rcu: INFO: rcu_preempt self-detected stall on CPU
not ok an expedited stall # the kernel said: rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }
ok what a process has written
not ok a warning in our process$why
$of_others
not ok ... in an interrupt$why
not ok ... of BPF$why
not ok ... and no context is printed$why
ok what only looks like it"
has 'and is shown' "$tmp/out" '  # dmesg: Call Trace:'
has 'what is known is counted' "$tmp/out" '# 1 warnings of the kernel that are about neither perf events nor BPF: no failure'
is '... as is what is of others' "$(grep -c '# 1 times the kernel found a fault in a process outside the suite' "$tmp/out")" \
	"$(echo "$of_others" | grep -c '^ok')"
SELF_DIR=/nonexistent
run -t good
has 'who cannot read it says so' "$tmp/out" '# what the kernel says of itself is not watched'
SELF_DIR=$tmp

# --- signals ---

# interrupt SIGNAL - the suite, once it runs a test that hangs.
interrupt() {
	rm -f "$SELF_DIR/hangs"
	"$PLOAD" -v -t good/passes -t 'loud/hangs*' -t said >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	tries=0
	until [ -e "$SELF_DIR/hangs" ] || [ $((tries += 1)) -gt 6000 ]; do sleep 0.05; done
	kill -"$1" "$pid"
	wait "$pid"
	status=$?
}
interrupt TERM
is 'SIGTERM ends it' "$status" 143
has 'what ran is known' "$tmp/out" 'hangs for long [loud.3] # SKIP not finished: Terminated'
is 'and what did not' "$(grep -c '^  ok .*SKIP not run: Terminated' "$tmp/out")" 11
is 'with a plan that holds' "$(sed -n 's/^1\.\.//p' "$tmp/out")" "$(grep -c '^\(not \)\{0,1\}ok' "$tmp/out")"

{ "$PLOAD" --repeat=100000 -t good/passes; echo $? >"$tmp/status"; } 2>"$tmp/err" | head -n 1 >"$tmp/out"
is 'when nobody reads on it ends' "$(cat "$tmp/status")" 141

# --- CPUs that are taken away ---

# disturbing - the processes of the suite that come before others: the fourth field of proc_pid_stat(5) is the parent, the 41st the
# policy, SCHED_FIFO; before Linux 5.11 the 19th, the nice value.
disturbing() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed -n 's/^\([0-9]*\) (disturb) /\1 /p' | awk -v suite="$pid" '$3 == suite && ($40 == 1 || $18 == -20) { print $1 }'
}
run --disturb -t good
if grep -q 'CPUs cannot be taken away' "$tmp/err"; then
	skip '--disturb' "$(head -n 1 "$tmp/err")"
	is 'what cannot be disturbed is not run' "$status$(cat "$tmp/out")" 2
else
	has '--disturb says so' "$tmp/out" "# --disturb: $(nproc) CPUs are taken away at random moments"
	is 'and tests pass' "$(results | grep -c '^ok ')" 3
	# After SIGKILL the suite cannot restore the settings that it changed.
	sampling=/proc/sys/kernel/perf_cpu_time_max_percent
	was=$(cat $sampling)
	rm -f "$SELF_DIR/hangs"
	"$PLOAD" --disturb -t 'loud/hangs*' >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	tries=0
	until [ -e "$SELF_DIR/hangs" ] || [ $((tries += 1)) -gt 6000 ]; do sleep 0.05; done
	is 'by a process on each' "$(disturbing | wc -l)" "$(nproc)"
	pids=$(disturbing)
	kill -KILL "$pid"
	wait "$pid"
	echo "$was" 2>/dev/null >$sampling
	left=1 tries=0
	until [ "$left" = 0 ] || [ $((tries += 1)) -gt 6000 ]; do
		left=0
		for one in $pids; do
			! grep -q '(disturb) [^Z]' "/proc/$one/stat" 2>/dev/null || left=1
		done
		[ "$left" = 0 ] || sleep 0.05
	done
	is 'they end with the suite, whatever ended it' "$left" 0
	# shellcheck disable=SC2086 # words
	[ "$left" = 0 ] || kill -KILL $pids
fi

# --- resources of which a kernel has only one ---

: >"$tmp/exclusive"
"$PLOAD" --repeat=3 -t exclusive >"$tmp/other" 2>&1 </dev/null &
run --repeat=3 -t exclusive
wait $!
# It is on tracefs, which the suite mounts for itself.
mkdir "$tmp/tracefs"
if unshare -m mount -t tracefs tracefs "$tmp/tracefs" 2>/dev/null; then
	is 'one suite at a time uses it' "$(uniq -c "$tmp/exclusive" | awk '{ print $1 }' | sort -u)$(sort "$tmp/exclusive" |
		uniq -c | tr -d ' \n')" 16begin6end
else
	skip 'one suite at a time uses it' 'this process may not mount tracefs, which has the lock'
fi

# --- leaks of tests ---

cause=
# The suite has a mount namespace of its own, which is not possible in a chroot.
awk '$5 == "/"' /proc/self/mountinfo | grep -q . || cause='/ is no mount, as in a chroot'
run -t 'leaves/nothing'
grep -q '^  ok 1 nothing ' "$tmp/out" || cause=$(sed -n 's/.*# SKIP //p' "$tmp/out" | head -n 1)
SELF_CGROUP=
for cgroup in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ ! -f "$cgroup/cgroup.procs" ] || ! mkdir "$cgroup/pload-self-$$" 2>/dev/null || SELF_CGROUP=$cgroup/pload-self-$$
done
export SELF_CGROUP
run -t leaves
sed -i 's/^\(  .*ok [0-9]* .*\) \[leaves\.[0-9]*\]/\1/' "$tmp/out"
[ -z "$SELF_CGROUP" ] || rmdir "$SELF_CGROUP"
unset SELF_CGROUP
# left NAME TEST PATTERN - the test fails because it has left something that PATTERN names.
left() {
	if [ -n "$cause" ]; then
		skip "$1" "$cause"
	elif grep -q "^  ok [0-9]* $2 # SKIP" "$tmp/out"; then
		skip "$1" "$(sed -n "s/^  ok [0-9]* $2 # SKIP //p" "$tmp/out")"
	elif grep -q "^  not ok [0-9]* $2 # .*$3" "$tmp/out"; then
		ok "$1"
	else
		not_ok "$1" "$(grep "^  .*ok [0-9]* $2" "$tmp/out")"
	fi
}
left 'a map is left' 'a map' "map [0-9]* (BPF_MAP_TYPE_ARRAY 'left_map'), pinned at /sys/fs/bpf/left_map"
left 'a link is left' 'a link' "program [0-9]* (BPF_PROG_TYPE_PERF_EVENT 'pload_trial')"
left 'a directory of pins is left' 'a directory' 'pin /sys/fs/bpf/left/below'
left 'a descriptor is left' 'a descriptor' 'descriptor [0-9]* open: /dev/null'
left 'a descriptor is closed that is somebody else'\''s' 'one descriptor less' 'closed descriptor 0'
left 'a process is left' 'a process' 'process [0-9]* .*, still running'
left 'a mount is left' 'a mount' 'mount [0-9]* /tmp'
left 'a cgroup is left' 'a cgroup' 'cgroup /sys/fs/cgroup/.*left-[0-9]*'
left 'a line of a probe is left' 'a line of a probe' 'line /sys/kernel/tracing/uprobe_events pload/left_'
left 'who fails is not blamed for it' 'a map, and has failed' 'in the midst of it'
left 'who is skipped is, for what the kernel keeps' 'a program of a cgroup, and is skipped' \
	"program [0-9]* (BPF_PROG_TYPE_CGROUP_SKB"
if [ -n "$cause" ]; then
	skip 'who is skipped is not blamed for what is taken away' "$cause"
else
	is 'who is skipped is not blamed for what is taken away' "$(grep 'and is skipped # SKIP' "$tmp/out" |
		sed -n 's/^  ok [0-9]* \(a map.*\)/\1/p')" 'a map, and is skipped # SKIP it has found out later'
fi
if [ -n "$cause" ]; then
	skip 'nothing is left for the next one' "$cause"
else
	is 'nothing is left for the next one' "$(results | grep -c '^ok \(again nothing\|processes that end\)$')" 2
fi
# late TEST - what it releases another process holds for longer than a grace period should take.
late() {
	rm -f "$tmp/late" "$tmp/held"
	"$PLOAD" -t late.1 >"$tmp/other" 2>&1 </dev/null &
	run -t "$1"
	wait $!
}
if [ -n "$cause" ]; then
	skip 'what is released late' "$cause"
else
	late late.2
	has 'what is released late is a leak' "$tmp/out" "it left something behind: map"
	late late.3
	is '... but is waited for where grace periods run late' "$(results)" 'ok released late, and the kernel says so'
	has '... which is counted' "$tmp/out" '# 1 times what a test had released was waited for longer, since grace periods of RCU-tasks'
fi
is 'no cgroup is there any more' "$(find /sys/fs/cgroup -maxdepth 2 -name 'left-*' 2>/dev/null)" ''

done_testing
