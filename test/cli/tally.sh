#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The script that counts the tests counts right, and passes no program that fails, dies, ends early or prints nothing; and what is
# proved anew is what has changed.
# Lane: free
. test/cli/lib.sh

# tally STATUS TAP - a program that prints this and ends with STATUS, as test/tally sees it.
tally() {
	printf "cat <<'END'\n%s\nEND\nexit %s\n" "$2" "$1" >"$tmp/program.sh"
	echo "sh $tmp/program.sh" | sh test/tally >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# counts NAME WANTED STATUS - the last line, and the status.
counts() { is "$1" "$(tail -n 1 "$tmp/out"), $status" "$2, $3"; }

V=''
export V
tally 0 '1..3
ok 1 - one
ok 2 - two # SKIP no kernel
ok 3 - three'
counts 'passed and skipped' '2 passed, 0 failed, 1 skipped' 0
has '... which has a name and a cause' "$tmp/out" 'skipped program.sh: two: no kernel'

tally 1 '1..2
ok 1 - one
not ok 2 - two
# got 1, wanted 2'
counts 'a failed test' '1 passed, 1 failed, 0 skipped' 1
has '... is named' "$tmp/out" 'FAILED  program.sh: two'
has '... and explained' "$tmp/out" '        # got 1, wanted 2'

tally 0 'ok 1 - one
ok 2 - two
1..2'
counts 'a plan at the end' '2 passed, 0 failed, 0 skipped' 0
tally 0 '1..3
ok 1 - one'
counts 'one that ends early' '1 passed, 1 failed, 0 skipped' 1
tally 139 'ok 1 - one'
counts 'one that dies before its plan' '1 passed, 1 failed, 0 skipped' 1
has '... says how' "$tmp/out" 'planned -1 tests and ended after 1 with status 139'
tally 1 '1..1
ok 1 - one'
counts 'a status without a failure' '1 passed, 1 failed, 0 skipped' 1
tally 0 ''
counts 'one that says nothing' '0 passed, 1 failed, 0 skipped' 1
tally 0 '1..0'
counts 'one without a test' '0 passed, 1 failed, 0 skipped' 1
tally 0 '1..1
ok 1 - one # SKIP no kernel'
counts 'nothing but skips' '0 passed, 0 failed, 1 skipped' 1
tally 4 '1..1
ok 1 - one # SKIP no kernel'
counts '... with a status that only KTAP may have' '0 passed, 1 failed, 1 skipped' 1

nested='KTAP version 1
1..2
    KTAP version 1
    # Subtest: rings
    1..4
    ok 1 one # SKIP no ring
    ok 2 two # SKIP no ring
    ok 3 three # SKIP no page
    # saw 1, wanted 2
    not ok 4 four
not ok 1 rings
    KTAP version 1
    # Subtest: stacks
    1..2
    ok 1 one # SKIP no ring
    ok 2 two
ok 2 stacks'
tally 1 "$nested"
counts 'KTAP: groups are no tests' '1 passed, 1 failed, 4 skipped' 1
has '... a failure is named with its group' "$tmp/out" 'FAILED  program.sh: rings/four'
has '... and what explains it stands before it' "$tmp/out" '        saw 1, wanted 2'
is '... one line for what a group skips for one cause' "$(grep '^skipped' "$tmp/out")" "$(cat <<'END'
skipped program.sh: rings/one and 1 more: no ring
skipped program.sh: rings/three: no page
skipped program.sh: stacks/one: no ring
END
)"
V=1
tally 1 "$nested"
is '... or each, with V=1' "$(grep -c '^skipped program.sh: [a-z/]*: no' "$tmp/out")" 4
V=''
skipped=$(echo "$nested" | sed 's/not ok 4/ok 4/; s/\(four\|    ok 2 two\)$/\1 # SKIP no perf/')
tally 4 "$skipped"
counts 'KTAP: status 4 says that all was skipped' '0 passed, 0 failed, 6 skipped' 1
has '... and that is no failure of the program' "$tmp/out" 'ok      program.sh: 0 passed, 0 failed, 6 skipped'
tally 1 "$skipped"
counts '... another is one' '0 passed, 1 failed, 6 skipped' 1
tally 4 "$(echo "$nested" | sed 's/not ok/ok/')"
counts '... and is wrong if not' '2 passed, 1 failed, 4 skipped' 1

cat >"$tmp/other.sh" <<'END'
echo '1..1'
echo 'ok 1 - one'
END
printf 'sh %s\nsh %s\n' "$tmp/other.sh" "$tmp/other.sh" | sh test/tally >"$tmp/out"
status=$?
counts 'several programs' '2 passed, 0 failed, 0 skipped' 0

# program NAME BODY - a script that prints one test around BODY.
program() { printf '%s\necho "ok 1 - x"\necho 1..1\n' "$2" >"$tmp/$1.sh"; }

program one "mkdir $tmp/held || exit 1; sleep 0.3; rmdir $tmp/held"
program first "touch $tmp/began; while [ ! -e $tmp/second ]; do sleep 0.05; done"
program second "touch $tmp/second; while [ ! -e $tmp/began ]; do sleep 0.05; done"
printf '@lane sh %s\n  @lane sh %s\nsh %s\nsh %s\n' "$tmp/one.sh" "$tmp/one.sh" "$tmp/first.sh" "$tmp/second.sh" |
	JOBS=2 sh test/tally >"$tmp/out"
status=$?
counts 'a lane runs in turn, the others side by side' '4 passed, 0 failed, 0 skipped' 0
is '... and are printed in the order of the input' "$(sed -n 's/^ok *\([a-z]*\)\.sh:.*/\1/p' "$tmp/out" | tr '\n' ' ')" 'one one first second '

# A line that waits for a program: for each line that runs it, in whichever lane. They are many, so that one that did not wait would
# be the first to end.
program waits "grep -c x $tmp/ran >$tmp/seen"
program run "echo x >>$tmp/ran"
sed -i '1i#!/bin/sh' "$tmp/run.sh"
chmod +x "$tmp/run.sh"
{
	echo "@after:run.sh sh $tmp/waits.sh"
	for _ in $(seq 20); do printf '@lane %s\n' "$tmp/run.sh"; done
	printf '@other %s\nsh %s\n' "$tmp/run.sh" "$tmp/other.sh"
} | sh test/tally >"$tmp/out"
status=$?
counts 'a line that waits for a program is counted' '23 passed, 0 failed, 0 skipped' 0
is '... and begins when all of its lines have ended' "$(cat "$tmp/seen")" 21
printf '@after:run.sh sh %s\n' "$tmp/other.sh" | sh test/tally >"$tmp/out"
status=$?
counts '... at once if there is none' '1 passed, 0 failed, 0 skipped' 0

# The CPU time of a program is its own and that of its children; the next one of its lane begins at 0.
program busy "sh -c 'i=0; while [ \$i -lt 200000 ]; do i=\$((i + 1)); done'"
printf '@lane sh %s\n@lane sh %s\n' "$tmp/busy.sh" "$tmp/other.sh" | TIMES=$tmp/times sh test/tally >"$tmp/out"
is 'the CPU time of each program' "$(awk '{ print $3, ($2 >= 0.1) }' "$tmp/times" | tr '\n' ' ')" 'busy.sh 1 other.sh 0 '

# --- what is proved anew: where the tree differs from its upstream, or the upstream from the commit before ---

command -v git >/dev/null || skip_rest 'what has changed' 'git is not installed'
# here ARG... - git in the upstream, or in the clone.
here() { git -C "$tmp/$where" -c user.name=x -c user.email=x@example.org "$@" >"$tmp/out" 2>"$tmp/err" || not_ok "git $*" 'it fails'; }
commit() { mkdir -p "$tmp/$where/$(dirname "$1")" && echo "$1" >"$tmp/$where/$1" && here add . && here commit -m "$1"; }
# proves NAME WANTED - those of these paths that are proved there.
proves() {
	(cd "$tmp/$where" && sh "$OLDPWD/test/changed") >"$tmp/changed"
	is "$1" "$(for path in one two/b two tw new; do ! CHANGES=$tmp/changed changed "$path" || echo "$path"; done | tr '\n' ' ')" "$2"
}
where=up
mkdir "$tmp/up"
proves 'without git: everything' 'one two/b two tw new '
here init
commit a/one
proves 'a commit with none before it: everything' 'one two/b two tw new '
commit one
commit two/b
proves 'no upstream: the last commit; a folder has its files' 'two/b two '
git clone -q "$tmp/up" "$tmp/down" 2>"$tmp/err"
where=down
proves 'nothing but what the upstream has: its last commit' 'two/b two '
commit new && commit two-c
proves 'commits of its own: all of them' 'new '
echo >>"$tmp/down/one"
mkdir "$tmp/down/tw" && : >"$tmp/down/tw/x"
proves '... and what is in no commit' 'one tw new '
is 'without a list: everything' "$(! CHANGES=$tmp/none changed no/such || echo changed)" changed

done_testing
