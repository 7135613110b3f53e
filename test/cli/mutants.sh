#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# That each mutant still fits the source and names tests which exist: a run of `make mutants` takes long to find that out.
. test/cli/lib.sh

stale='' unknown=''
for mutant in test/mutants/*.mutant; do
	awk -f test/mutants/apply.awk -v mutant="$mutant" "$(sed -n 's/^file //p' "$mutant")" >"$tmp/new" 2>&1 ||
		stale="$stale $(basename "$mutant")"
	set -f
	for glob in $(sed -n 's/^tests //p' "$mutant"); do
		"$(dirname "$SELF")/attach-regress" --list -t "$glob" >"$tmp/meant" 2>&1 || unknown="$unknown $(basename "$mutant"):$glob"
	done
	set +f
done
is 'there are mutants' "$([ "$(find test/mutants -name '*.mutant' | wc -l)" -ge 30 ] && echo enough)" enough
is 'the lines of each are in the source' "$stale" ''
is 'each names tests that there are' "$unknown" ''

done_testing
