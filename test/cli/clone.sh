#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each target that the documentation names can be made from a fresh clone, and each list of tests
# names only files that its goal makes.
# Lane: free
. test/cli/lib.sh
skip_rest_if 'goals of make' "$(unchanged GNUmakefile README.md CONTRIBUTING.md docs test)"

mkdir "$tmp/clone"
git -c safe.directory="$PWD" ls-files -z 2>"$tmp/err" | xargs -0 cp --parents -t "$tmp/clone" 2>>"$tmp/err" ||
	skip_rest 'a fresh clone' "no list of its files: $(head -n 1 "$tmp/err")"
cd "$tmp/clone" || exit 1
# Nothing that this make was told is for the clone.
make() { env -u SETUP -u MAKEFLAGS -u MAKELEVEL -u O "${MAKE:-make}" "$@"; }

make help >"$tmp/out" 2>"$tmp/err"
is 'make help: status' $? 0
# Words after "make" that are no variable; in code blocks, in backquotes, and in the help.
# shellcheck disable=SC2016 # backquotes
goals=$({
	sed -n '/^```/,/^```/s/^\(.*&& \)\{0,1\}make \([^#&|]*\).*/\2/p' README.md CONTRIBUTING.md docs/*.md
	grep -ho '`make [^`]*`' README.md CONTRIBUTING.md docs/*.md docs/*/*.md | sed 's/`make \(.*\)`/\1/'
	sed -n 's/^make \([^ ]*\) .*/\1/p' "$tmp/out"
} | sed 's/   *.*//' | grep -v -e ' -C ' -e '^-C ' | tr ' ' '\n' | grep -E '^[a-z][a-z/_-]*$' | LC_ALL=C sort -u)
is 'documented targets are found' "$(echo "$goals" | grep -cE '^(check|check-unit|corpus|demo|regress|setup|vm-check)$')" 7
# shellcheck disable=SC2086 # words
make -n -k $goals >"$tmp/out" 2>"$tmp/err"
is 'each documented target has a rule, and so has what it needs' "$? $(grep 'No rule' "$tmp/err")" '0 '

# For each goal the files of its list of tests, and those that make would make for it.
for goal in check check-quick check-unit; do
	case $goal in
	check) list=TEST_LIST ;;
	check-quick) list=QUICK_LIST ;;
	check-unit) list=UNIT_LIST ;;
	esac
	# The records of the suite are written while it runs.
	make -n --eval="list: ; \$(info \$($list))" list 2>/dev/null | tr ' ' '\n' | grep '^build/' | grep -v '/vm/here-' >"$tmp/named"
	make -n --trace "$goal" 2>/dev/null | sed -n "s/.*target '\(build\/[^']*\)' d[ou]e.*/\1/p" >"$tmp/made"
	is "make $goal: there are tests in its list" "$(awk '/test_/ { n++ } END { print (n >= 50) }' "$tmp/named")" 1
	# Some are in a directory that is made as a whole.
	is "make $goal: all that it names is made" "$(awk 'NR == FNR { made[$0]; next }
		{ for (path = $0; path != "" && !(path in made); sub(/\/?[^\/]*$/, "", path)); if (path == "") print }' \
		"$tmp/made" "$tmp/named")" ''
done

make -s build/raw >"$tmp/out" 2>"$tmp/err"
is 'the smallest program is built' "$? $(cat "$tmp/err")" '0 '
is 'make -s prints nothing' "$(cat "$tmp/out")" ''
make clean >"$tmp/out" 2>"$tmp/err"
is 'make clean leaves what was cloned' "$? $(ls -d build pload 2>/dev/null)" '0 '
done_testing
