#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each file of the tree says under which license it is, or is one of those that .reuse/dep5 names for having no header; and the tree has
# the text of each license. `make check-licences` asks the reuse tool, to which the lines of dep5 for all files are enough.
# Lane: free
. test/cli/lib.sh

sh docs/install/files >"$tmp/files"
grep -vE '^(LICENSE|LICENSES/.*|\.reuse/dep5)$' "$tmp/files" >"$tmp/mine"
is 'there are files' "$([ "$(wc -l <"$tmp/mine")" -gt 1900 ] && echo so)" so

# Patterns are those of dep5, in which * stands for slashes, too.
sed -n '/^Files: debian/,/^Copyright/s/^\(Files:\| \) *//p' .reuse/dep5 >"$tmp/patterns"
named() {
	while read -r pattern; do
		# shellcheck disable=SC2254 # a pattern
		case $1 in $pattern) return ;; esac
	done <"$tmp/patterns"
	return 1
}
# shellcheck disable=SC2046 # names without blanks
awk 'FNR <= 3 && /SPDX-License-[I]dentifier: GPL-2\.0-only( OR BSD-2-Clause|$)/ { print FILENAME; nextfile }' $(cat "$tmp/mine") >"$tmp/headed"
is 'each has the license in its first three lines, or is named for having no header' \
	"$(grep -vxFf "$tmp/headed" "$tmp/mine" | while read -r file; do [ ! -f "$file" ] || named "$file" || echo "$file"; done)" ''
# shellcheck disable=SC2046
is 'only what changes the kernel is under its license alone' "$(awk 'FNR <= 3 && /-Identifier: GPL-2\.0-only$/ { print FILENAME; nextfile }' \
	$(cat "$tmp/mine") | grep -v '^test/kernel_mutants/.*\.patch$')" ''
is 'the license that dep5 names has its text' "$(sed -n 's/^License: //p' .reuse/dep5 | sed 's/ OR /\n/' | sort -u)" \
	"$(ls LICENSES | sed 's/\.txt$//' | sort)"
has 'LICENSE names them' LICENSE 'Identifier: GPL-2.0-only OR BSD-2-Clause'
done_testing
