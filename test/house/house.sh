#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tree keeps the rules of the house, and test/house/check finds a violation of each of them.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$(dirname "$0")
rules=$(sed -n "s/^rules='\(.*\)'$/\1/p" "$here/check")

for rule in $rules; do
	if sh "$here/check" . "$rule" >"$tmp/out" 2>&1; then
		ok "this tree keeps the rule '$rule'"
	else
		not_ok "this tree keeps the rule '$rule'" "$(head -n 20 "$tmp/out" | tr '\n' ';')"
	fi
done

# source PATH LINE... - a source file of the small tree, with the two lines that each has first.
source_file() {
	path=$tmp/tree/$1
	shift
	mkdir -p "$(dirname "$path")"
	{
		echo '// SPDX-License-''Identifier: GPL-2.0-only OR BSD-2-Clause'
		echo '/* A file of a small tree. */'
		for line; do printf '%s\n' "$line"; done
	} >"$path"
}

repeat() { awk -v n="$1" -v line="$2" 'BEGIN { for (i = 0; i < n; i++) print line }'; }

# Each file here is at the limit of every rule, and breaks none.
small_tree() {
	rm -rf "$tmp/tree"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do source_file "elf/file$i.c"; done
	source_file elf/error.h '/* Returns a number. */'
	source_file elf/image.c '#include "elf/elf_internal.h"' 'int image(void)' '{' "$(repeat 58 '	;')" '}'
	source_file elf/elf_internal.h "$(printf '/* %096d */' 0 | cut -c 1-100)" "$(repeat 497 ';')"
	source_file loader/core/sys/sys.h '#include "elf/error.h"'
	source_file loader/observe/trace/trace.c '#include "loader/core/sys/sys.h"'
	source_file loader/core/event/event.h '#include "loader/core/sys/sys.h"'
	source_file loader/explain/event/open_failed.c '#include "loader/core/event/event.h"'
	source_file loader/objects/co_re/co_re.h '#include "elf/error.h"'
	source_file loader/observe/firing/firing.c '#include "loader/objects/co_re/co_re.h"'
	source_file loader/compare/run/run.c '#include "loader/observe/firing/firing.h"'
	source_file loader/core/cmd/main.c '#include "loader/core/event/event.h"'
	source_file test/regress/regress.c '/* sys.h, sys_call() and other_call(); loader/core/sys/NAME.c; test/regress/regress. */' \
		'/* sys_fork() of kernel/fork.c, which is like clone.c. */' 'int sys_call(void);'
	mkdir -p "$tmp/tree/docs" "$tmp/tree/uapi" "$tmp/tree/progs"
	echo 'test/regress/, sys_gone()' >"$tmp/tree/README.md"
	printf '%s\n' '#!/bin/sh' '# SPDX-License-''Identifier: X' '# A comment that ends in the next line, with the words' '# That is all.' \
		'echo Where # no comment' 'echo "Of it"' >"$tmp/tree/test/script.sh"
}

skip_rest_if 'violations of the rules' "$(unchanged test/house)"
small_tree
for rule in $rules; do
	sh "$here/check" "$tmp/tree" "$rule" >"$tmp/out" 2>&1
	status=$?
	[ "$rule" = annexes ] && sed -i '/^hooks: /d' "$tmp/out" && status=0
	is "a small tree that breaks no rule: '$rule'" "$status$(cat "$tmp/out")" 0
done

# broken RULE WHERE - the small tree, changed by the caller, breaks this rule in one place.
broken() {
	sh "$here/check" "$tmp/tree" "$1" >"$tmp/out" 2>&1
	status=$?
	sed -i '/^hooks: /d' "$tmp/out"
	is "a violation of '$1' is found: status" "$status" 1
	is "a violation of '$1' is found: one" "$(grep -vc '^	' "$tmp/out")" 1
	has "a violation of '$1' is found: where" "$tmp/out" "$2"
	small_tree
}

source_file elf/one_more.c
source_file elf/file2.c '/* Whether it is one. */'
sh "$here/check" "$tmp/tree" >"$tmp/out" 2>&1
is 'without a rule, all are checked: status' $? 1
has 'without a rule: the first one' "$tmp/out" 'elf: 17 files'
has 'without a rule: the last one' "$tmp/out" 'elf/file2.c:3: a comment'
has 'without a rule: how large the core is' "$tmp/out" "core: $(sh "$here/code" "$tmp/tree") lines of code; calls outside of it: unknown"
small_tree
lines=$(sh "$here/code" "$tmp/tree")
source_file loader/core/sys/sys.h '/* No' 'code. */ int a; /* None' '*/' '' 'int b; // one' '// two' '/* c */ /* d */'
source_file elf/flow/flow.c 'int annex;'
is 'code: neither comments, blank lines nor annexes count' "$(($(sh "$here/code" "$tmp/tree") - lines))" 1
small_tree
small_tree
source_file elf/one_more.c
broken files 'elf: 17 files'
source_file elf/file1.c '#include "loader/core/sys/sys.h"'
broken arrows 'elf/file1.c:3: it includes loader/core/sys/sys.h'
source_file loader/observe/firing/firing.c '#include "loader/compare/run/run.h"'
broken arrows 'loader/observe/firing/firing.c:3: it includes loader/compare/run/run.h'
source_file loader/core/session/load.c '#include "loader/compare/run/run.h"'
broken arrows 'loader/core/session/load.c:3: it includes loader/compare/run/run.h'
source_file loader/core/event/open.c '#include "loader/events/scope/cgroups.h"'
broken annexes 'loader/core/event/open.c:3: a core file includes the header of an annex'
source_file loader/core/event/open.c '#include "elf/elf_internal.h"'
broken internal 'loader/core/event/open.c:3: it includes elf/elf_internal.h'
source_file loader/compare/run/run.c '#include "loader/core/print/print_internal.h"'
broken internal 'loader/compare/run/run.c:3: it includes loader/core/print/print_internal.h'
source_file loader/objects/co_re/a.c '#include "loader/objects/externs/b.h"'
source_file loader/objects/externs/b.h '#include "loader/objects/co_re/co_re.h"'
broken circles 'form a circle'
source_file elf/file1.c 'int f(void)' '{' "$(repeat 59 '	;')" '}'
broken functions 'elf/file1.c:4: a function of 61 lines'
source_file elf/file1.c "$(repeat 499 ';')"
broken lengths 'elf/file1.c: it has more than 500 lines'
source_file elf/file1.c "	$(printf '%093d' 0)"
broken columns 'elf/file1.c:3: 101 columns'
echo 'int x;' >"$tmp/tree/elf/file1.c"
broken headers 'elf/file1.c: the first line is no SPDX line'
source_file loader/core/cmd/list.c '/* Whose it is. */'
broken comments 'loader/core/cmd/list.c:3: a comment that begins like a fragment'
source_file loader/core/cmd/list.c '/*' ' * Of these.' ' */'
broken comments 'loader/core/cmd/list.c:3: a comment that begins like a fragment'
source_file test/regress/more.c '/* f() - That it is so. */'
broken comments 'test/regress/more.c:3: a comment'
source_file test/unit/more.c '// Who it is.' '// What it is goes on.'
broken comments 'test/unit/more.c:3: a comment'
source_file test/unit/more.c 'int x; // By it.'
broken comments 'test/unit/more.c:3: a comment'
for line in SPDX-License-''Identifier: 'It is so.' '' 'What it is.'; do echo "${line:+	# $line}"; done >"$tmp/tree/test/more.mk"
broken comments 'test/more.mk:4: a comment'
source_file loader/core/sys/list.c 'int i;' '/*' ' * See gone.c.' ' */'
broken names 'loader/core/sys/list.c:5: there is no gone.c'
source_file loader/core/sys/list.c 'int x; // sys_gone() does it, below loader/core/kernel/.'
mkdir -p "$tmp/tree/loader/core/kernel"
broken names 'loader/core/sys/list.c:3: there is no sys_gone()'
printf '%s See test/gone.sh.\n' '#' >"$tmp/tree/test/more.mk"
broken names 'test/more.mk:1: there is no test/gone.sh'
echo '[gone](docs/gone.md)' >"$tmp/tree/README.md"
broken names 'README.md:1: there is no docs/gone.md'

# Calls that leave the core: there are none.
if sh "$here/check_calls" "${BUILD:-build}" >"$tmp/calls"; then
	ok 'core files call nothing outside of the core'
else
	not_ok 'core files call nothing outside of the core' "$(head -n 20 "$tmp/calls" | tr '\n' ';')"
fi

# A call, a row of a table, and a call among annexes.
source_file loader/core/sys/core.c 'int annex(void); int row(void); int core_row(void) { return 3; } int (*const table[])(void) = { row, core_row };' \
	'int core(int i) { return annex() + table[i](); }'
source_file loader/base/other/annex.c 'int other(void); int annex(void) { return other(); } int row(void) { return 2; }'
source_file loader/base/other/other.c 'int other(void) { return 1; }'
(
	cd "$tmp/tree" || exit
	mkdir -p build/loader/base/other build/loader/core/sys
	for file in loader/core/sys/core loader/base/other/annex loader/base/other/other; do
		${CC:-cc} -c -o "build/$file.o" "$file.c"
	done
)
is 'references: the call, and neither the row nor the annexes' "$(cd "$tmp/tree" && sh "$OLDPWD/test/house/references" build)" \
	'loader/core/sys/core.c loader/base/other/annex.c annex'

is 'each table of the loader is referred to' "$(sh test/house/tables "${BUILD:-build}")" ''
is 'a table that nothing refers to is found' "$(cd "$tmp/tree" && sh "$OLDPWD/test/house/tables" build)" \
	'build/loader/core/sys/core.o table'

house=$PWD/test/house
listed() {
	printf '%s\n' '# A comment.' "$@" >"$tmp/table"
	(cd "$tmp/tree" && sh "$house/check_calls" build "$tmp/table")
}
is 'check_calls: a call and its row' "$(listed 'loader/core/sys/core.c annex a reason')" ''
is 'check_calls: a call without a row' "$(listed | sed 's/:.*//')" 'loader/core/sys/core.c calls annex(), of loader/base/other/annex.c'
is 'check_calls: a row without a call' "$(listed 'loader/core/sys/core.c annex a reason' 'loader/core/sys/core.c gone a reason')" \
	'a row without a call: loader/core/sys/core.c gone'
is 'check_calls: a row without a reason' "$(listed 'loader/core/sys/core.c annex')" 'no reason in this row: loader/core/sys/core.c annex'

done_testing
