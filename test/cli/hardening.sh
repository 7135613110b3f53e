#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The program is hardened, and the flags of whoever builds it add to ours: a package's, a
# debugger's, those of another compiler.
# Lane: free
. test/cli/lib.sh

build=${PROGS%/progs} target=$tmp/new/loader/core/cmd/main.o
missing=''
for tool in readelf nm; do
	command -v $tool >/dev/null || missing="$missing $tool"
done

# shows FILE PATTERN READELF-OPTION... - what readelf prints of the file has such a line.
shows() {
	file=$1 pattern=$2
	shift 2
	readelf -W "$@" "$file" | grep -Eq "$pattern"
}

# object_calls PATTERN - objects of the loader that call such a function.
object_calls() {
	find "$build/elf" "$build/loader" -name '*.o' -exec nm -A -u {} + | grep -Ec " U $1\$"
}

if [ -n "$missing" ]; then
	skip 'the program' "no$missing here"
else
	shows "$PLOAD" 'GNU_STACK .* RW ' -l
	is 'no executable stack' $? 0
	! shows "$PLOAD" 'LOAD .* RWE ' -l
	is 'nothing is writable and executable' $? 0
	shows "$PLOAD" 'GNU_RELRO' -l
	is 'relocated data is read-only' $? 0
	is 'most functions with a buffer guard their stack' "$([ "$(object_calls __stack_chk_fail)" -ge 50 ] && echo so)" so
	if grep -q -- '-D_FORTIFY_SOURCE=[1-9]' "$build/flags"; then
		is 'glibc checks the sizes of buffers' "$([ "$(object_calls '__[a-z]*printf_chk')" -ge 20 ] && echo so)" so
	else
		skip 'glibc checks the sizes of buffers' 'this build is not optimized, or has flags of its own'
	fi
fi
# It reads tables of dynamic linking, which a static program lacks: the same objects are linked to a
# dynamic one.
if ! command -v hardening-check >/dev/null; then
	skip 'hardening-check' 'not installed (package devscripts)'
elif ! grep -q -- '-D_FORTIFY_SOURCE=[1-9]' "$build/flags"; then
	skip 'hardening-check' 'this build is not optimized, or has flags of its own'
else
	# shellcheck disable=SC2046,SC2086 # words
	"${CC:-cc}" -no-pie -Wl,-z,relro,-z,now -o "$tmp/dynamic" $(find "$build/elf" "$build/loader" -name '*.o') $LIBS
	hardening-check --nopie --nocfprotection "$tmp/dynamic" >"$tmp/out" 2>&1
	is 'hardening-check' "$? $(grep -v flow "$tmp/out" | grep -w no,)" '0 '
fi

# commands GOAL-OR-VARIABLE... - what make would run for an object and a program, in $tmp/out.
commands() {
	env -u MAKEFLAGS -u MAKELEVEL -u CPPFLAGS -u CFLAGS -u LDFLAGS "${MAKE:-make}" -n O="$tmp/new" "$@" "$target" "$tmp/new/raw" |
		grep -v '^echo' | grep ' -o ' >"$tmp/out"
}
# follows FLAG OTHER - in each command that has them the first one comes after the other.
follows() { grep -Eq -- "$2 .*$1 " "$tmp/out" && ! grep -Eq -- "$1 .*$2 " "$tmp/out"; }

commands CPPFLAGS=-DPACKAGE CFLAGS=-Os LDFLAGS=-Wl,--as-needed
follows -Os -O2
is 'CFLAGS follow ours' $? 0
follows -DPACKAGE -D_GNU_SOURCE
is 'CPPFLAGS follow ours' $? 0
follows -Wl,--as-needed -static
is 'LDFLAGS follow ours' $? 0
commands CPPFLAGS=-D_FORTIFY_SOURCE=3
is 'a level of _FORTIFY_SOURCE is kept' "$(grep -o -- '_FORTIFY_SOURCE[=0-9]*' "$tmp/out" | sort -u)" _FORTIFY_SOURCE=3
commands WERROR=0
is 'WERROR=0: warnings are no errors' "$(grep -c -- -Werror "$tmp/out")" 0
commands STATIC=pie
has 'STATIC=pie: a static program that moves' "$tmp/out" ' -static-pie '

# Files without optimization are compiled by the walks; this test compiles the others.
env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -s O="$tmp/new" CFLAGS='-O0 -g' "$target" "$tmp/new/raw" >"$tmp/out" 2>"$tmp/err"
is "CFLAGS='-O0 -g' builds" "$? $(cat "$tmp/err")" '0 '
has '... and is what was asked for' "$tmp/new/flags" ' -O0 -g '
has_not '... without what needs optimization' "$tmp/new/flags" _FORTIFY_SOURCE
done_testing
