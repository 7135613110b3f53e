# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The functions that `run` and `generated` share: trees to break, one test, the suite, and the test of it that failed. Sourced, not
# run.
# shellcheck shell=sh

make=${MAKE:-make}

say() { printf '%-32s %-64s %6s\n' "$1" "$2" "$3"; }

die() { echo "mutants: $*" >&2; exit 2; }

# copy TREE: copies the sources. In an existing tree it replaces the files that differ, which makes them newer than the objects
# built from them, and removes those that do not exist here.
copy()
{
	mkdir -p "$1" && LC_ALL=C diff -rqN -x .git -x pload -x 'build*' . "$1" | sed -n 's/^Files \(.*\) and .* differ$/\1/p' |
		while read -r file; do
			if [ -e "$file" ]; then
				mkdir -p "$1/$(dirname "$file")" && cp "$file" "$1/$file"
			else
				rm "$1/$file"
			fi || return 1
		done
}

# alone COMMAND...: while no other run of mutants on this kernel has its turn. Two suites, and tests of the command line
# that look at the kernel's lines of probes, disturb each other. sysfs is one for all trees.
alone() { flock /sys/kernel "$@"; }

# run_test TREE TEST SECONDS: 0 when it passes. The kernel is for one at a time. Unit tests need no process for each test,
# which would only show what comes after a crash. The tree is in no git: it was not built from a commit.
run_test()
{
	case $2 in build/tests/*) turn= ;; *) turn=alone ;; esac
	(cd "$1" && CK_FORK=no GIT_DIR=/dev/null CC="${CC:-cc}" CLANG="${CLANG:-clang}" PLOAD="${PLOAD:-./pload}" PROGS=build/progs SELF=build/regress-self \
		JSON=build/tests/test/cli/json LIBS='-ljson-c -lz -liberty -pthread' \
		$turn timeout -k 5 "$3" sh -c "set -f; exec $2") >"${OUT:-$1.out}" 2>&1 </dev/null
	status=$?
	case $2 in
	*attach-regress*) [ $status = 0 ] || [ $status = 4 ] ;;
	*) [ $status = 0 ] && ! grep -q '^not ok' "${OUT:-$1.out}" && grep -q '^1\.\.' "${OUT:-$1.out}" ;;
	esac
}

# failed OUT: the tests that failed, each as "group/test [id]"
failed()
{
	awk '/# Subtest: / { group = $NF }
	     /^ +not ok / { sub(/^ +not ok [0-9]+ (- )?/, ""); sub(/ # .*/, ""); print group "/" $0 }' "$1"
}

# id NAME: that of a test, as the suite prints it after its name.
id() { printf '%s\n' "$1" | sed 's/.* \[\([^]]*\)\]$/\1/'; }

# suite TREE OUT GLOB...: 0 when a test failed and fails again alone; $noticed is that test. 1 when there is none.
suite()
{
	tree=$1 out=$2
	shift 2
	set -f
	for glob; do set -- "$@" -t "$glob"; shift; done
	set +f
	run_suite "$tree" "$out" --stop "$@" && return 1
	fails_again "$tree" "$out" "$@" && return 0
	run_suite "$tree" "$out" "$@" && return 1	# another test may fail each time
	fails_again "$tree" "$out" "$@"
}

# fails_again TREE OUT ARG...: 0 when a test that failed in OUT, or the suite in which none did, fails again
fails_again()
{
	tree=$1 out=$2
	shift 2
	failed "$out" >"$out.failed"
	noticed='the suite itself'
	[ -s "$out.failed" ] || { run_suite "$tree" "$out.again" "$@" && return 1 || return 0; }
	while read -r noticed; do
		run_suite "$tree" "$out.again" -t "$(id "$noticed")" || return 0
		echo "mutants: $(basename "$out" .out): $noticed fails, and then it does not" >&2
	done <"$out.failed"
	return 1
}

# run_suite TREE OUT ARG...: 0 when nothing failed
run_suite()
{
	tree=$1 out=$2
	shift 2
	alone timeout -k 10 900 "$tree/build/attach-regress" --timeout 20 "$@" >"$out" 2>&1 </dev/null
	case $? in
	0 | 4) return 0 ;;
	2) die "the suite does not know what to run: $out" ;;
	esac
	return 1
}
