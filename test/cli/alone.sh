#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A test that fails prints its file, its line and a command, and that command runs it alone: scripts and unit tests.
# (test/cli/regress.sh has the same of the regression suite.)
# Lane: free
. test/cli/lib.sh

# --- a script ---

cat >"$tmp/sample.sh" <<'END'
. test/cli/lib.sh
compared() { is "$1: the sum" "$2" 4; }
compared 'two and two' 5
for word in text; do
	has "$word: a letter" /dev/null x
done
PLOAD=true
run list 'two
ok 7 lines'
is 'it has "quotes"' 1 2
is 'a test that passes' 1 1
done_testing
END
sh "$tmp/sample.sh" >"$tmp/out" 2>"$tmp/err"
is 'a script: the lines of each failure' "$(sed -n "s|^# at $tmp/sample.sh:||p; s/^\(not \)\{0,1\}ok \([0-9]\).*/\1\2/p" "$tmp/out" |
	tr '\n' ' ')" 'not 1 2 3 not 2 5 not 3 10 4 '
is '... and what it ran last' "$(grep '^# last run' "$tmp/out")" '# last run: true list two ok 7 lines'
is '... and a command' "$(grep -c '^# alone: make check ONLY=sample.sh$' "$tmp/out")" 3
${MAKE:-make} -s --eval='list: ; $(info $(TEST_LIST))' list 2>"$tmp/err" | grep -F -e "${0##*/}" >"$tmp/lines"
is '... which chooses one line of the list of tests' "$(cat "$tmp/lines")" "sh $0"

# --- a unit test ---

cat >"$tmp/sample.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "test/unit/common/suite.h"

static int begun;
static void begin(void) { begun++; }

TEST(without_fixture) { ck_assert_int_eq(begun, 0); }
TEST_FIXTURE(begin, NULL)
TEST(passes) { ck_assert_int_ge(begun, 1); }
TEST(is_skipped) { suite_skip("no reason"); }
TEST_EACH(fails_once_of_three, 3) { ck_assert_msg(_i != 1, "row %d", _i); }
TEST(crashes) { abort(); }
END
# shellcheck disable=SC2046 # words
if ! ${CC:-cc} -D_GNU_SOURCE -I. -o "$tmp/sample" "$tmp/sample.c" test/unit/common/suite.c test/unit/common/main.c \
	$(pkg-config --cflags --libs check) 2>"$tmp/err"; then
	not_ok 'a unit test is built' 'see below'
	done_testing
	exit 0
fi
# unit CASE - run one test of the sample; leaves $status, and $tmp/results without what Check says of files.
unit() {
	CK_RUN_CASE=$1 "$tmp/sample" >"$tmp/out" 2>"$tmp/err"
	status=$?
	sed -n 's/^\(.*ok [0-9]*\) - [^ :]*:\([a-z_]*\)[^ ]*\( # SKIP\)\{0,1\}.*/\1 \2\3/p; /^1\.\./p; /^Bail/p' "$tmp/out" >"$tmp/results"
}
unset CK_RUN_CASE
"$tmp/sample" >"$tmp/out" 2>/dev/null
at=$(sed -n "s|^# at $tmp/sample.c:||p" "$tmp/out" | tr '\n' ' ')
is 'a unit test: the lines of the failures, a crash among them, and none of the skipped test' "$at" \
	"$(grep -n -e '"row %d"' -e 'abort()' "$tmp/sample.c" | sed 's/:.*//' | tr '\n' ' ')"
sed -n 's/^# alone: //p' "$tmp/out" >"$tmp/alone"
is '... and their commands' "$(cat "$tmp/alone")" "CK_RUN_CASE=fails_once_of_three $tmp/sample
CK_RUN_CASE=crashes $tmp/sample"
sh -c "$(head -n 1 "$tmp/alone")" >"$tmp/out" 2>&1
is '... of which one runs one test' "$(grep -c ':fails_once_of_three:' "$tmp/out") $(tail -n 1 "$tmp/out")" '3 1..3'
unit passes
is 'CK_RUN_CASE: a test that passes, with its fixture' "$status $(cat "$tmp/results")" '0 ok 1 passes
1..1'
unit is_skipped
is 'CK_RUN_CASE: a test that is skipped' "$status $(cat "$tmp/results")" '0 ok 1 is_skipped # SKIP
1..1'
unit passe
is 'CK_RUN_CASE: a name that no test has is a failure' "$status $(cat "$tmp/results")" '1 Bail out! no test has that name'
done_testing
