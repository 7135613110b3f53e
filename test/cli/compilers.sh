#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The sources are clean under each of COMPILERS that is here, and the BPF programs under every clang;
# none is run before the set-up.
# Lane: free
. test/cli/lib.sh

warnings='-std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -I. -Iuapi -fsyntax-only'
embedded=${PROGS%/progs}/embedded

# compiles FLAGS FILE... - $compiler finds nothing to complain of in these files. What clang does
# before it starts its front end takes longer than most files: -### prints the command for the first
# one, and its last word is replaced by each file. Not by all at once: the front end of clang 19
# then forgets what the _Pragma of a macro has pushed when it comes to the second file.
compiles() {
	flags=$1
	shift
	case $compiler in
	clang*)
		# shellcheck disable=SC2086 # words
		front_end=$($compiler -### $flags "$1" 2>&1 | tail -n 1)
		: >"$tmp/err"
		for file; do
			eval "${front_end% *}"' "$file"' 2>>"$tmp/err" || return 1
		done
		;;
	*)
		# shellcheck disable=SC2086
		$compiler $flags "$@" 2>"$tmp/err"
		;;
	esac
}

# In `make check` those that have changed, or all where a header has.
sources=$(find elf loader -name '*.c')
cause=$(unchanged uapi test/cli/compilers.sh)
if [ -n "$cause" ] && ! grep -qE '^(elf|loader)/.*\.h$' "$CHANGES"; then
	sources=$(echo "$sources" | grep -xFf "$CHANGES")
fi
cause_of_progs=$(unchanged uapi progs test/compat test/cli/compilers.sh)

for compiler in ${COMPILERS:-gcc clang-14 clang-19}; do
	# The build has tried its own already, with these warnings.
	[ "$compiler" != "$(basename "${CC:-cc}")" ] || continue
	[ "$compiler" != gcc ] || [ "${CC:-cc}" != cc ] || continue
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" 'not installed'
		continue
	fi
	if [ -n "$sources" ]; then
		# shellcheck disable=SC2086 # names of files
		compiles "$warnings -I$embedded" $sources
		is "$compiler: pload" "$? $(head -n 1 "$tmp/err")" '0 '
	else
		skip "$compiler: pload" "$cause"
	fi
	case $cause_of_progs$compiler in
	clang*)
		compiles '-target bpf -O2 -g -Wall -Werror -D__TARGET_ARCH_x86 -I. -Iuapi -fsyntax-only' progs/*.bpf.c
		is "$compiler: progs" "$? $(head -n 1 "$tmp/err")" '0 '
		for target in 'bpfel -D__TARGET_ARCH_arm64' 'bpfeb -D__TARGET_ARCH_s390'; do
			compiles "-target $target -O2 -g -Wall -I. -Iuapi -fsyntax-only" progs/*.bpf.c test/compat/*.bpf.c
			is "$compiler: progs and others' programs for $target" $? 0
		done
		;;
	*clang*) skip "$compiler: progs" "$cause_of_progs" ;;
	esac
done

# On a new machine `make -j` would run a compiler that is about to be installed. From make's own
# database: a file of the build directory that a compiler makes, and to which no way leads from the
# set-up.
unprepared() {
	${MAKE:-make} -npR O="$tmp/new" FUZZ_RUNTIME="$1" check bench fuzz objects corpus-table >"$tmp/database" 2>/dev/null
	awk -v build="$tmp/new/" '
		function prepared(target, of, i, count) {
			if (target ~ /^setup-/)
				return 1
			if (target in known)
				return known[target]
			known[target] = 0
			count = split(needs[target], of, " ")
			for (i = 1; i <= count && !known[target]; i++)
				known[target] = prepared(of[i])
			return known[target]
		}
		/^# Not a target/ { getline; next }
		/^[^#\t ][^=]*:/ && index($0, build) == 1 && !/[%=]/ {
			target = substr($0, 1, index($0, ":") - 1)
			needs[target] = needs[target] " " substr($0, length(target) + 2)
		}
		/^\t/ { recipe[target] = 1 }
		END {
			for (target in recipe)
				if (index(target, build) == 1) {
					total++
					if (target !~ /\.(c|h|inc)$|\/flags$/ && !prepared(target))
						print substr(target, length(build) + 1)
				}
			print total >counted
		}' counted="$tmp/counted" "$tmp/database"
}
for fuzzer in '' libclang_rt.fuzzer.a; do
	files=$(unprepared "$fuzzer")
	with=${fuzzer:+with libFuzzer}
	with=${with:-without libFuzzer}
	is "$with: make builds hundreds of files" "$([ "$(cat "$tmp/counted")" -ge 300 ] && echo so)" so
	is "$with: and none before the set-up" "$files" ''
done
done_testing
