#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each test of the regression suite has an id that never changes, in test/regress/suite.ids.
. "${0%/*}/lib.sh"

PLOAD=$(dirname "$SELF")/attach-regress
ids=test/regress/suite.ids
run -l
grep -v '^#' "$tmp/out" >"$tmp/list"
sed -n 's/^# \([a-z_]*\): .*/\1/p' "$tmp/out" | sort >"$tmp/groups"
is 'every test has an id; make test-ids gives it one' "$(grep '^-' "$tmp/list" | head -n 3)" ''
is 'no id has two tests' "$(grep -v '^#' "$ids" | cut -f 1 | sort | uniq -d)" ''
is 'no test is there twice' "$(cut -f 2 "$tmp/list" | sort | uniq -d)" ''
sort "$tmp/list" >"$tmp/sorted"
is 'every id has a test, which is listed whatever compilers and kernel this machine has, or is retired' \
	"$(grep -v -e '^#' -e '	-$' "$ids" | sort | comm -3 - "$tmp/sorted" | head -n 3)" ''

# A group that groups.h does not name is compiled and never run.
is 'each group of a source is in test/regress/groups/groups.h' \
	"$(sed -n 's/^const struct regress_group regress_group_\([a-z_]*\) .*/\1/p' test/regress/groups/*/*.c | sort |
		comm -3 - "$tmp/groups")" ''

# --- tests that are no must ---

sed -n 's/^	{ "\([^"]*\)",.*/\1/p' test/regress/groups/may_differ.c >"$tmp/globs"
while IFS= read -r glob; do
	run -l -t "$glob"
	[ "$status" = 0 ] || echo "$glob"
done <"$tmp/globs" >"$tmp/unknown"
is 'test/regress/groups/may_differ.c: each row has a test' "$(grep -c . "$tmp/globs")/$(head -n 3 "$tmp/unknown")" \
	"$(grep -c '^	{ "' test/regress/groups/may_differ.c)/"

# --- the museum of regressions ---

# Globs in backquotes in the column of tests; mutants in that of proofs.
sed -n '/^| fault | versions/,/^$/p' docs/museum.md | sed -e 1,2d -e '/^$/d' >"$tmp/museum"
cut -d '|' -f 5 "$tmp/museum" | grep -o '`[^`]*`' | tr -d '`' >"$tmp/globs"
while IFS= read -r glob; do
	run -l -t "$glob"
	[ "$status" = 0 ] || echo "$glob"
done <"$tmp/globs" >"$tmp/unknown"
is 'docs/museum.md: each row has a test' "$(wc -l <"$tmp/museum")/$(cut -d '|' -f 5 "$tmp/museum" | grep -c '`')/$(head -n 3 "$tmp/unknown")" \
	"$(grep -c . "$tmp/museum")/$(grep -c . "$tmp/museum")/"
is 'docs/museum.md: each mutant exists' \
	"$(sed 's/.*|\(.*\)|$/\1/' "$tmp/museum" | grep -o 'mutant `[^`]*`' | tr -d '`' | while read -r _ name; do
		[ -f "test/kernel_mutants/$name.patch" ] || echo "$name"
	done)" ''

# --- new ones ---

cat >"$tmp/ids" <<'END'
# two groups, and a test that was removed
a.1	a/the first
a.7	-
b.1	b/another
END
number() { printf "$1" | sh test/regress/renumber "$tmp/ids" >"$tmp/out" 2>"$tmp/err"; status=$?; }
number '# a: a group\na.1\ta/the first\n-\ta/a new one\n-\tc/the first\nb.1\tb/another\n'
is 'a new test has the next number' "$(grep -v '^#' "$tmp/out")" 'a.1	a/the first
a.8	a/a new one
c.1	c/the first
b.1	b/another
a.7	-'
is '... and that is all' "$status$(cat "$tmp/err")" 0
number 'a.1\ta/the first\n-\tb/another wording\n'
is 'a sentence that has changed is reported' "$status" 1
has '... by its id' "$tmp/err" "b.1 has no test: 'b/another'"
done_testing
