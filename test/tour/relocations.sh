#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The bytes of docs/relocations.md are those of the object, before and after it was relocated.
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
object=$tmp/references.o page=docs/relocations.md
compile_or_end docs/tour/references.bpf.c "$object"
version=$($CLANG --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
skip_rest_if 'bytes of docs/relocations.md' "$([ "$version" = 14 ] || echo "they are of clang 14, and this is $version")"
skip_rest_if 'bytes of docs/relocations.md' "$(kernel_refuses)"
# Descriptors begin with 3, as on the page.
"${PROGS%/progs}/tour-loader" "$object" link >"$tmp/out" 2>"$tmp/err" </dev/null 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
is 'it runs' $? 0

# Each line of bytes after the line with what they belong to, "'top' in the file:" or "the program, linked:".
bytes() { awk '/^(.* in the file|the program, linked):$/ { of = $0; next } /^ +[0-9]+:  ([0-9a-f][0-9a-f] ?)+/ { print of, $0 }' "$1"; }
bytes "$tmp/out" >"$tmp/bytes"
bytes "$page" >"$tmp/quoted"
is 'every line of the page is one of the object' "$(grep -vxF -f "$tmp/bytes" "$tmp/quoted")" ''
is 'the page has lines' "$(grep -c . "$tmp/quoted")" 20

# The page has the offsets of functions in their section and in the program.
while read -r name start; do
	first=$(sed -n "s/^[a-z]* $name section=.* first=\([0-9]*\) .*/\1/p" "$tmp/out")
	has "$name: its offset in bytes" "$page" "| \`$name\` | $((first * 8)) of "
	has "$name: its first instruction" "$page" " | $start |"
	insn=$(sed -n "/^'$name' in the file:/{n;s/^ *0: //p;}" "$tmp/out")
	has "$name: it begins there" "$tmp/out" "$(printf '  %3u: %s' "$start" "$insn")"
done <<-EOF
	top 0
	mid 27
	leaf 31
	step 42
EOF
done_testing
