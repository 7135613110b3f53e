#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each fault of the kernel has a switch, a sentence and tests that exist.
# Lane: free
. "${0%/*}/lib.sh"

here=test/kernel_mutants
bad='' unknown=''
for patch in "$here"/*.patch; do
	name=$(basename "$patch" .patch)
	[ "$name" != switch ] || continue
	grep -q "^+.*bpf_mutant(\"$name\")" "$patch" && sed -n 2p "$patch" | grep -q '^# .*[.:]$' || bad="$bad $name"
	set -f
	for glob in $(sed -n 's/^tests //p' "$patch"); do
		"$(dirname "$SELF")/attach-regress" --list -t "$glob" >"$tmp/meant" 2>&1 || unknown="$unknown $name:$glob"
	done
	set +f
done
is 'there are faults' "$([ "$(find "$here" -name '*.patch' | wc -l)" -ge 30 ] && echo enough)" enough
is 'each has a sentence and a switch of its own name' "$bad" ''
is 'each names tests that there are' "$unknown" ''
done_testing
