# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The functions of the exercises: read one, take the body of its function out, compile a file, and let its tests judge it.
# shellcheck shell=sh

# A file N-NAME.hole is one exercise: lines "WORD TEXT", then the parts, each after a line "--- PART" (docs/course/holes.md).
holes=${0%/*}
case $holes in */test/holes) ;; *) holes=test/holes ;; esac

# number HOLE - without a leading 0.
number() {
	number=${1%%-*}
	echo "${number#0}"
}

all_holes() { (cd "$holes" && printf '%s\n' [0-9]*.hole | sed 's/\.hole$//'); }

# find_hole N - the name of exercise N, such as 03-check-reloc.
find_hole() {
	case $1 in '' | *[!0-9]*) return 1 ;; esac
	all_holes | grep "^0*$1-"
}

field() { sed -n "/^--- /q; s/^$2 //p" "$holes/$1.hole"; }
part() { awk -v part="--- $2" '/^--- / { inside = $0 == part; next } inside' "$holes/$1.hole"; }

# take_out HOLE FILE - FILE with the body that the exercise hands out.
take_out() {
	awk -f "$holes/take_out.awk" -v hole="$holes/$1.hole" "$2" && return
	echo "exercise $(number "$1") names function $(field "$1" function) of file $(field "$1" file), which does not exist there" >&2
	return 1
}

# A variable that is not used yet, or a function that is not called any more, is no mistake.
WARNINGS='-Wall -Wextra -Wshadow -Werror=implicit-function-declaration -Wno-unused -Wno-unused-parameter -Wno-unused-const-variable'

# sources HOLE - the C files that have to be compiled: those that call the function, if it is in a header; also among the tests, which
# then register themselves a second time.
sources() {
	case $(field "$1" file) in
	*.c) field "$1" file ;;
	*)
		grep -rlw --include='*.c' "$(field "$1" function)" elf loader
		judges "$1" | sed 's/ .*/.c/' | sort -u | xargs grep -lw "$(field "$1" function)"
		;;
	esac
}

# compile DIR OUT FLAGS FILE... - a library of these files; what they include is first looked for in DIR. It is loaded before the
# tests' own library, so that its functions are called, and the tests need not be linked again.
compile() {
	compile_in=$1 compile_out=$2 compile_flags=$3
	shift 3
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=gnu11 $WARNINGS $compile_flags -I"$compile_in" -I"$compile_in/uapi" -I. -Iuapi -I"$O/embedded" -D_GNU_SOURCE \
		-fPIC -shared -o "$compile_out" "$@"
}

# run_program FORK LIBRARY PROGRAM CASE OUT - leaks are looked for at the end of a test that passes.
run_program() {
	CK_FORK=$1 CK_RUN_CASE=$4 timeout 30 \
		env LD_PRELOAD="$2" "ASAN_OPTIONS=verify_asan_link_order=0:detect_odr_violation=0:${LEAKS:-detect_leaks=1}" "$S/$3" \
		>"$5" 2>"$5.err" </dev/null
	case_status=$?
	[ $case_status = 0 ]
}

# run_case LIBRARY PROGRAM CASE OUT - one test; OUT gets its lines, OUT.err what it prints besides. LIBRARY may be empty. If the
# process ended after a test that failed, and before it printed where, each runs again in a process of its own.
run_case() {
	run_program no "$@" && return
	grep -q '^# at ' "$4" || ! grep '^not ok' "$4" | grep -qv 'the process after the test above' ||
		LEAKS=detect_leaks=0 run_program yes "$@"
	return 1
}

# judges HOLE - lines "PROGRAM CASE", in the order in which they run.
judges() {
	field "$1" judge | while read -r program cases; do
		for one in $cases; do echo "$program $one"; done
	done
}

# judge HOLE LIBRARY OUT - run its tests up to the first that fails; $judged is its name then.
judge() {
	judges "$1" >"$3.list"
	while read -r program judged; do
		run_case "$2" "$program" "$judged" "$3" || return 1
	done <"$3.list"
}

# assertion OUT - "FILE:LINE" of the first assertion that failed, or nothing.
assertion() { sed -n 's/^# at //p' "$1" | sed 's|^\./||' | head -n 1; }
