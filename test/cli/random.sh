#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# attach-regress --random: 20 seconds from a seed that stays the same and 10 from that of the day, what it prints of a kernel that is
# wrong, and the tables of docs/lifetime.md against its model.
# Lane: kernel
. "${0%/*}/lib.sh"

PLOAD=$(dirname "$SELF")/attach-regress
CC=${CC:-cc}

"$CC" -std=gnu11 -I. -Wno-missing-field-initializers -o "$tmp/holders" test/regress/random/prove/holders.c test/regress/random/model.c
is 'docs/lifetime.md says what the model says' "$("$tmp/holders" <docs/lifetime.md)" ''
is 'and a sentence that is not so is found' "$(sed 's/^| its descriptor is closed | keeps running/| its descriptor is closed | stops/' docs/lifetime.md |
	"$tmp/holders")" 'its descriptor is closed: the model: it keeps running'
is 'the model calls no kernel: what it includes' "$(sed -n 's/^#include //p' test/regress/random/model.c | tr '\n' ' ')" \
	'<errno.h> <string.h> "test/regress/random/model.h" '
is 'the model is a file that can be read: lines over 900' "$(sed -n '901,$p' test/regress/random/model.c | grep -c .)" 0

run --random=1 --steps=1
if [ "$status" = 4 ]; then
	skip 'random lives' "$(sed -n 's/^1..0 # SKIP //p' "$tmp/out")"
	done_testing
	exit
fi

# lives NAME SEED SECONDS: no difference. The line of the result has the seed.
lives() {
	run --random="$2" --time="$3"
	is "$1: $(sed -n 's/^ok 1 the kernel does what the model says: //p' "$tmp/out")" "$status $(grep '^#' "$tmp/out" | tr '\n' ' ')" \
		"0 # --random=$2 $(sed -n '/^# once, and not again/p' "$tmp/out" | tr '\n' ' ')"
}
lives 'a seed that stays the same' 1 20
lives 'the seed of the day' "$(date -u +%Y%m%d)" 10

run -v --random=5 --steps=60
sed 's/ in .*//' "$tmp/out" >"$tmp/first"
run -v --random=5 --steps=60
is 'the same seed makes the same steps' "$(sed 's/ in .*//' "$tmp/out" | cmp - "$tmp/first" 2>&1)" ''
has 'and -v prints each before it is made' "$tmp/out" '# 0. process 0: '

# --- a kernel that is wrong: test/regress/random/prove/wrong.c ---

PLOAD=$SELF
export PLOAD_TEST_WRONG=period_ignored
run --random=2 --time=120 --program="$tmp/life.c"
is 'PERIOD is ignored: found' "$status" 1
has 'what differs is printed in words' "$tmp/out" ': PERIOD fd '
has '... and as steps' "$tmp/out" '{ OP_PERIOD, '
steps=$(grep -c '^#   [0-9]*\. ' "$tmp/out")
is 'of few steps' "$([ "$steps" -gt 0 ] && [ "$steps" -le 12 ] || cat "$tmp/out")" ''
unset PLOAD_TEST_WRONG
is '... and as a C program, which needs nothing of this tree' \
	"$(cd "$tmp" && "$CC" -Wall -Werror -o life life.c 2>&1 && ./life | grep -c '^[0-9]*\. process')" "$steps"

export PLOAD_TEST_WRONG=dies
run --random=2 --time=120
has 'a process that dies of a step: which one' "$tmp/out" ': the process died with status 0x9'
has '... is printed in words' "$tmp/out" ': SET_OUTPUT fd '
unset PLOAD_TEST_WRONG

done_testing
