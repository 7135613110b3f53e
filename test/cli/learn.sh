#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The exercises of test/holes: each fails as it is handed out, passes with the body of this tree, and its tests notice the wrong body.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/holes/lib.sh
. test/holes/lib.sh
S=$(dirname "$SELF") O=${PROGS%/*} CC=${CC:-cc} LEAKS=detect_leaks=0
export LEAKS

# failure OUT - the first line that did not pass, for a message.
failure() { grep -m 1 '^not ok' "$1" || head -n 1 "$1.err"; }

# is_helpful OUT - the failure is an assertion with a place in a file, and a message; not a crash.
is_helpful() {
	at=$(assertion "$1")
	[ -n "$at" ] && [ -n "$(sed -n "${at##*:}p" "${at%:*}")" ] && failure "$1" | grep -vE ': Early exit|Received signal|the process after' | grep -q ' - .*: .'
}

# compile_with HOLE - the file $tmp/tree/FILE becomes the library $tmp/lib.so, with the other files of this tree.
compile_with() {
	compiled=''
	for source in $(sources "$1"); do
		[ ! -e "$tmp/tree/$source" ] || source=$tmp/tree/$source
		compiled="$compiled $source"
	done
	# shellcheck disable=SC2086 # words
	compile "$tmp/tree" "$tmp/lib.so" -O0 $compiled 2>"$tmp/err"
}

# prove HOLE - prints why the exercise is none, or nothing.
prove() {
	file=$(field "$1" file)
	rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/${file%/*}"
	take_out "$1" "$file" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err"; return; }
	awk -f test/mutants/apply.awk -v mutant="$holes/$1.hole" "$file" >"$tmp/wrong" 2>"$tmp/err" || { cat "$tmp/err"; return; }
	take_out "$1" "$tmp/wrong" | cmp -s - "$tmp/out" || { echo 'the wrong body is not in the function'; return; }
	judges "$1" | grep -q " $(field "$1" fails)\$" || { echo 'the test that has to fail is not among those that judge'; return; }

	cp "$tmp/out" "$tmp/tree/$file"
	compile_with "$1" || { echo 'as handed out it does not compile'; return; }
	! judge "$1" "$tmp/lib.so" "$tmp/run" || { echo 'as handed out it passes'; return; }
	noticed=$judged
	is_helpful "$tmp/run" || { echo "as handed out it fails without a message: $(failure "$tmp/run")"; return; }

	cp "$tmp/wrong" "$tmp/tree/$file"
	compile_with "$1" || { echo 'with the wrong body it does not compile'; return; }
	program=$(judges "$1" | sed -n "s/ $(field "$1" fails)\$//p")
	! run_case "$tmp/lib.so" "$program" "$(field "$1" fails)" "$tmp/run" || { echo 'the wrong body passes'; return; }
	is_helpful "$tmp/run" || { echo "the wrong body fails without a message: $(failure "$tmp/run")"; return; }

	# The file of this tree makes one library for all exercises that are in it. Those that have failed above pass with it; that the
	# others do is what they are tests for.
	whole=$tmp/$(echo "$file" | tr / -).so
	if [ ! -e "$whole" ]; then
		rm -rf "$tmp/tree" && mkdir "$tmp/tree"
		compile_with "$1" || { echo 'the file of this tree does not compile'; return; }
		mv "$tmp/lib.so" "$whole"
	fi
	judges "$1" | grep -E " ($noticed|$(field "$1" fails))\$" | while read -r program name; do
		grep -qx "$file $name" "$tmp/passed" 2>/dev/null && continue
		echo "$file $name" >>"$tmp/passed"
		run_case "$whole" "$program" "$name" "$tmp/run" || echo "with the body of this tree $name fails: $(failure "$tmp/run")"
	done
}

# learn ARG... - the command, with a place of its own for what is handed out.
learn() {
	last_run="learn $*"
	LEAKS='' AGAIN=${AGAIN:-} O=$tmp/o S=$S CC=$CC sh test/holes/learn "$@" >"$tmp/out" 2>&1 </dev/null
	status=$?
}

# Handed out anew, an answer is never lost: each goes to a folder of its own, and what was not edited to none.
again() {
	answer=loader/core/attach/attach.c kept=$tmp/o/learn/22-kept
	learn lay 22
	has 'an edited file stays' "$tmp/out" 'This is as you left it: AGAIN=1 '
	has '... and without the comment its function has the line' "$tmp/out" \
		"attach.c, line $(grep -n '^static int close_from' "$copy/$answer" | cut -d : -f 1), and"
	AGAIN=1 learn lay 22
	has '... unless it is handed out anew' "$copy/$answer" TODO
	is '... when it is kept' "$(cmp "$answer" "$kept-1/$answer" 2>&1)" ''
	has '... and that is printed' "$tmp/out" "What you had edited is kept: $kept-1/$answer"
	AGAIN=1 learn lay 22
	is 'what was not edited is not kept' "$(ls -d "$kept"*) $(grep kept "$tmp/out")" "$kept-1 "
	echo '/* second */' >>"$copy/$answer"
	sleep 0.1 && echo '/* also */' >>"$copy/elf/image.c"
	AGAIN=1 learn lay 22
	has 'a second answer does not replace the first' "$kept-2/$answer" second
	has '... another file is kept, too' "$kept-2/elf/image.c" also
	is '... and the first is as it was' "$(cmp "$answer" "$kept-1/$answer" 2>&1)" ''
}

# With git, a file that it does not know is not of the tree.
untracked() {
	[ -e .git ] && git ls-files >/dev/null 2>&1 || return 0
	is 'the copy has the files that git knows' "$(cd "$copy" && find . -type f ! -path './build/*' ! -name .laid | sort | sed 's|^./||')" \
		"$(git ls-files | LC_ALL=C sort | while read -r known; do [ -L "$known" ] || echo "$known"; done)"
}

walk() {
	mkdir -p "$tmp/o" && ln -s "$(realpath "$O/embedded")" "$tmp/o/embedded"
	copy=$tmp/o/learn/22
	learn check 22
	has 'an exercise has to be handed out first' "$tmp/out" 'exercise 22 has not been handed out yet: make learn N=22'
	learn lay 22
	has 'the page is printed' "$tmp/out" '# 22. close_from'
	has 'the file has no body' "$copy/loader/core/attach/attach.c" TODO
	has '... at the line that is printed' "$tmp/out" "attach.c, line $(grep -n TODO "$copy/loader/core/attach/attach.c" | cut -d : -f 1), and"
	is 'the copy is a tree, without what is built' "$(ls -d "$copy/GNUmakefile" "$copy/build/tests" 2>/dev/null)" "$copy/GNUmakefile"
	untracked
	learn check 22
	is 'it is not solved' "$status $(head -n 1 "$tmp/out")" '1 not solved: test keeps_the_order fails.'
	has 'the place of the assertion' "$tmp/out" '  at test/unit/attach/test_attach.c:'
	has '... and the row of its table' "$tmp/out" ', row orders[0]:'
	sed 's/TODO.*/*\/ *(volatile int *)0 = 1;/' "$copy/loader/core/attach/attach.c" >"$tmp/new" && cp "$tmp/new" "$copy/loader/core/attach/attach.c"
	learn check 22
	has 'a crash is printed with the place' "$tmp/out" "$copy/loader/core/attach/attach.c:"
	has '... and the test' "$tmp/out" 'in the test at test/unit/attach/test_attach.c:'
	echo '}' >>"$copy/loader/core/attach/attach.c"
	learn check 22
	has 'so is an error of the compiler' "$tmp/out" 'not solved: it does not compile'
	cp loader/core/attach/attach.c "$copy/loader/core/attach/attach.c"
	learn check 22
	is 'the body of this tree solves it' "$status $(head -n 1 "$tmp/out" | cut -d ' ' -f 1-2)" "0 solved: $(judges "$(find_hole 22)" | wc -l)"
	learn list
	has '... and that is remembered' "$tmp/out" '[x] 22  close_from'
	has '... and 1 is the next' "$tmp/out" 'make learn N=1'
	cp "$tmp/o/learn/solved" "$tmp/solved" && all_holes >"$tmp/o/learn/solved"
	learn list
	is 'all are solved' "$(tail -n 1 "$tmp/out" | cut -d ';' -f 1)" "$(all_holes | wc -l) of $(all_holes | wc -l) exercises are solved [x]"
	cp "$tmp/solved" "$tmp/o/learn/solved"
	again
	learn hint 22 1
	has 'a hint' "$tmp/out" 'closes the links of all attachments'
	learn hint 22 4
	has 'there are three' "$tmp/out" "there is no hint '4': they are HINT=1 to HINT=3"
	learn lay 99
	has 'there is no such exercise' "$tmp/out" "there is no exercise '99': they are 1 to"
	CC=no-compiler learn check 22
	has 'there is no compiler' "$tmp/out" "there is no compiler 'no-compiler' here: \`make setup\`"
	learn run 22
	has 'nothing to run' "$tmp/out" 'exercise 22 has nothing to run'
}

# Each exercise has a number, a page with its name, a row in the list, and three hints.
incomplete() {
	next=0
	for hole in $(all_holes); do
		next=$((next + 1)) name=$(field "$hole" function)
		[ "$(number "$hole") ${hole#*-}" = "$next $name" ] || echo "$hole is not number $next, $name"
		[ "$(part "$hole" page | head -n 1)" = "# $next. $name" ] || echo "$hole has no page with its title"
		grep -qxF "| $next | \`$name()\` | $(field "$hole" title) | $(field "$hole" minutes) |" \
			docs/course/holes.md || echo "$hole is not in the list"
		for part in 'handed out' 'hint 1' 'hint 2' 'hint 3'; do
			[ -n "$(part "$hole" "$part")" ] || echo "$hole has no $part"
		done
	done
	[ $next -ge 24 ] || echo "there are only $next"
}

# A function with another name is the matter of whoever renames it.
renamed() {
	printf 'file elf/relocs.c\nfunction no_more\n' >"$tmp/07-renamed.hole"
	cp test/holes/take_out.awk "$tmp/"
	holes=$tmp take_out 07-renamed elf/relocs.c 2>"$tmp/err" >/dev/null
	cat "$tmp/err"
}
is 'a function that does not exist' "$(renamed)" 'exercise 7 names function no_more of file elf/relocs.c, which does not exist there'
is 'each exercise is complete' "$(incomplete)" ''
[ -n "${EXERCISE:-}" ] || walk

for hole in $(all_holes); do
	[ -z "${EXERCISE:-}" ] || [ "$(find_hole "$EXERCISE")" = "$hole" ] || continue
	# shellcheck disable=SC2046 # names of files
	cause=$(unchanged test/holes test/cli/learn.sh "$(field "$hole" file)" $(judges "$hole" | sed 's|.*/\(test/[^ ]*\) .*|\1.c|' | sort -u))
	if [ -z "$cause" ]; then is "exercise $hole" "$(prove "$hole")" ''; else skip "exercise $hole" "$cause"; fi
done
done_testing
