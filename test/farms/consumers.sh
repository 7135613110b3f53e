#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Farms read the suite's output: the programs that read it there count as many tests as ran, and the name of a test depends
# neither on its result nor on the machine.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
skip_rest_if 'readers of farms' "$(unchanged test/farms test/regress/harness test/regress/self)"

SUITE=${SELF:-build/tests/regress-self}
SELF_DIR=$tmp
export SELF_DIR
: >"$tmp/kmsg"

# results FILE - the lines of tests in a KTAP text, without their groups'.
results() { grep -E '^ *(not )?ok [0-9]+ ' "$1" | grep -E '^  '; }

# kernelci - the names and results that KernelCI's test definitions for kselftest (Linaro/test-definitions) find: the text after
# "ok N " up to "# SKIP", or of a failure up to the first "# "; what is no letter, digit, _ or - becomes _.
kernelci() {
	awk '
		function name(text) {
			gsub(/\[[0-9]+\]/, "", text)
			gsub(/[^A-Za-z0-9_-]+/, "_", text)
			gsub(/^_|_$/, "", text)
			return text
		}
		match($0, /not ok [0-9]+ /) { text = substr($0, RSTART + RLENGTH); sub(/# .*/, "", text); print name(text), "fail"; next }
		match($0, /ok [0-9]+ /) {
			text = substr($0, RSTART + RLENGTH)
			result = text ~ /# SKIP/ ? "skip" : "pass"
			sub(/# SKIP/, "", text)
			print name(text), result
		}'
}

"$SUITE" --timeout=3 --names=id --junit="$tmp/junit.xml" --max-failures=1000 >"$tmp/ids" 2>"$tmp/err"
"$SUITE" --list >"$tmp/list" 2>>"$tmp/err"
ran=$(results "$tmp/ids" | wc -l)
totals=$(sed -n 's/^# Totals: pass:\([0-9]*\) fail:\([0-9]*\) .*skip:\([0-9]*\) .*/\1 \2 \3/p' "$tmp/ids")
# shellcheck disable=SC2086 # three numbers
set -- $totals
is 'the lines of results are as many as the totals count' "$ran" "$(($1 + $2 + $3))"
[ "$1" -gt 0 ] && [ "$2" -gt 0 ] && [ "$3" -gt 0 ] && ok 'some pass, some fail, some are skipped' ||
	not_ok 'some pass, some fail, some are skipped' "$totals"

# --- KernelCI ---

# bad/is illegal has no id, as a test that has just been written, and so is known by its name.
sed 's/^/# /' "$tmp/ids" | kernelci | grep -E '^([a-z_]+_[0-9]+|is_illegal) ' >"$tmp/kernelci"
is 'KernelCI: as many tests as ran' "$(wc -l <"$tmp/kernelci")" "$ran"
is 'KernelCI: no name occurs twice' "$(cut -d ' ' -f 1 "$tmp/kernelci" | sort | uniq -d)" ''
is 'KernelCI: each name is an id of the list' "$(cut -d ' ' -f 1 "$tmp/kernelci" | sort)" \
	"$(grep -v '^#' "$tmp/list" | cut -f 1 | tr . _ | sed 's/^-$/is_illegal/' | sort)"
is 'KernelCI: passed, failed, skipped' "$(for r in pass fail skip; do grep -c " $r\$" "$tmp/kernelci"; done | xargs)" "$totals"

# --- prove: TAP::Parser of Perl reads the groups; it skips what is nested, which a diagnostic line repeats for nobody ---

if command -v prove >/dev/null 2>&1; then
	groups=$(grep -cE '^(not )?ok ' "$tmp/ids")
	prove --exec cat --verbose "$tmp/ids" >"$tmp/out" 2>&1
	is 'prove: as many groups as ran' "$(sed -n 's/.*Tests=\([0-9]*\).*/\1/p' "$tmp/out")" "$groups"
	has 'prove: it finds that one failed' "$tmp/out" 'Result: FAIL'
	# One level is what it counts: the groups' tests as a plan of their own.
	{ echo "1..$ran"; results "$tmp/ids" | awk '{ sub(/^ */, ""); sub(/ok [0-9]+/, "ok " NR); print }'; } >"$tmp/flat"
	prove --exec cat "$tmp/flat" >"$tmp/out" 2>&1
	is 'prove: as many tests as ran' "$(sed -n 's/.*Tests=\([0-9]*\).*/\1/p' "$tmp/out")" "$ran"
else
	skip 'prove' 'it is not installed (perl)'
fi

# --- the kernel's kunit.py, and the TAP parser of Python, where they are ---

kunit=${KUNIT:-$(find /usr/src -path '*/tools/testing/kunit/kunit.py' 2>/dev/null | head -n 1)}
if [ -f "$kunit" ]; then
	python3 "$kunit" parse "$tmp/ids" >"$tmp/out" 2>&1
	is 'kunit.py: passed, failed, skipped' \
		"$(sed -n 's/.*Ran \([0-9]*\) tests: passed: \([0-9]*\), failed: \([0-9]*\), skipped: \([0-9]*\).*/\1 \2 \3 \4/p' "$tmp/out")" "$ran $totals"
	# As process 1 it follows the firmware, which may leave the console within a line.
	{ printf 'Booting from ROM...\n'; cat "$tmp/ids"; } >"$tmp/console"
	python3 "$kunit" parse "$tmp/console" >"$tmp/out" 2>&1
	has 'kunit.py: of a console' "$tmp/out" "Ran $ran tests"
else
	skip 'kunit.py' 'it is not here: unpack the kernel source below /usr/src, or set KUNIT=.../tools/testing/kunit/kunit.py'
fi
if /usr/bin/python3 -c 'import tap' 2>/dev/null; then
	is 'python3-tap: as many groups as ran' "$(/usr/bin/python3 -c 'import sys
from tap.parser import Parser
print(sum(line.category == "test" for line in Parser().parse_file(sys.argv[1])))' "$tmp/ids")" "$(grep -cE '^(not )?ok ' "$tmp/ids")"
else
	skip 'python3-tap' 'it is not installed'
fi

# --- JUnit ---

if command -v xmllint >/dev/null 2>&1; then
	if xmllint --noout --relaxng test/farms/junit.rng "$tmp/junit.xml" 2>"$tmp/err"; then
		ok 'JUnit: it is valid'
	else
		not_ok 'JUnit: it is valid' "$(head -n 3 "$tmp/err")"
	fi
	is 'JUnit: as many tests as ran' "$(xmllint --xpath 'count(//testcase)' "$tmp/junit.xml")" "$ran"
	is 'JUnit: as many failures' "$(xmllint --xpath 'count(//failure)' "$tmp/junit.xml")" "$2"
	is 'JUnit: as many skips' "$(xmllint --xpath 'count(//skipped)' "$tmp/junit.xml")" "$3"
else
	skip 'JUnit' 'xmllint is not installed (libxml2-utils)'
fi

# --- parts of the whole ---

for i in 1 2 3; do "$SUITE" --list --shard=$i/3 2>/dev/null; done | grep -v '^#' | sort >"$tmp/parts"
is 'three shards have each test once' "$(cat "$tmp/parts")" "$(grep -v '^#' "$tmp/list" | sort)"
"$SUITE" --list --format=json >"$tmp/out" 2>/dev/null
is 'the list as JSON has each id' "$(jq -r '.[] | if .id == "" then "-" else .id end' "$tmp/out")" "$(grep -v '^#' "$tmp/list" | cut -f 1)"

for bad in --shard=0/3 --shard=4/3 --shard=1/3x --names=number --format=xml --format=json; do
	"$SUITE" "$bad" >"$tmp/out" 2>&1
	is "$bad: status" $? 2
done

done_testing
