#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each stage of a session takes as many instructions as test/bench/instructions has, and the session as many system calls, up to 3 %, and
# as many bytes of code, up to 10 %. It takes at most a fifth more page faults and resident memory (kB): how the page cache holds
# the program decides about the rest. Instructions for an event do not depend on the number of
# events, nor those for a map and its share of programs on the size of the object. Callgrind counts them in user space,
# without those of the simulated kernel; --trace=calls keeps a dry session from making the remarks that other sessions do not make.
# The sessions are dry, with a /sys of their own, so that neither the load, the CPU nor the kernel of a machine changes them; the
# compilers and the C library do, so that the counts are compared only where the first lines of the file name those that are installed.
# How many pages a fault maps is the kernel's choice: page faults and memory are compared on the kernel that the file names.
# usage: instructions.sh [write]	write: print the file anew, instead of the results of tests
# Lane: free
set -u
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/lib.sh"

file=$(dirname "$0")/../bench/instructions
bench=$(cd "${PROGS%/progs}" && pwd)/bench
# The lengths of paths are not those of this directory.
ln -s "$(realpath "$PLOAD")" "$tmp/pload"
ln -s "$bench"/*.bpf.o "$tmp"
flags=${PROGS%/progs}/flags
stages='main options_parse loading_begin plan_create session_begin_scope loading_maps load_program attach_alternatives session_finish'

# built_by - the compilers and the C library, a line each; "cc" and "gcc" may be one.
built_by() {
	echo "# C: $(${CC:-gcc} --version | sed -n '1s/^[a-z]*cc[^ ]* /gcc /p;1s/.*clang/clang/p')"
	echo "# BPF: $(${CLANG:-clang} --version | sed -n '1s/.*clang/clang/p')"
	echo "# $(ldd --version 2>/dev/null | head -n 1)"
}

kernel="# Linux $(uname -r | cut -d . -f 1,2)"

# The variants of memcpy() and its like that every CPU has.
tunables=glibc.cpu.hwcaps
for feature in AVX AVX2 AVX_Fast_Unaligned_Load AVX512F AVX512VL AVX512BW SSSE3 SSE4_1 SSE4_2 BMI2 ERMS FSRM Fast_Unaligned_Copy; do
	tunables="$tunables${separator-=}-$feature"
	separator=,
done

# with_sys ROOT COMMAND... - the command, for which ROOT is /sys.
with_sys() {
	[ "$(id -u)" = 0 ] && user='' || user=--map-root-user
	# shellcheck disable=SC2016,SC2086 # for the inner shell; no word or one
	unshare --mount $user sh -c 'mount --bind "$1" /sys && shift && exec "$@"' sh "$@"
}

# machine CPUS - the /sys of a machine with so many CPUs.
machine() {
	mkdir -p "$tmp/sys-$1/devices/system/cpu" "$tmp/sys-$1/kernel/btf"
	echo "0-$(($1 - 1))" | tee "$tmp/sys-$1/devices/system/cpu/online" >"$tmp/sys-$1/devices/system/cpu/possible"
	cp "$bench/types.btf" "$tmp/sys-$1/kernel/btf/vmlinux"
	echo "$tmp/sys-$1"
}

# count CPUS ARG... - a dry session; leaves in $tmp/counts a line "FUNCTION COUNT" for each stage, and in $tmp/err what it printed.
# Stage functions that are called by others of them are counted in both.
count() {
	root=$(machine "$1")
	shift
	rm -f "$tmp/callgrind"
	# The environment is the same everywhere: its length decides where the strings of argv lie, and the C library compares
	# those that cross the end of a page more slowly.
	(cd "$tmp" && with_sys "$root" env -i PATH=/bin "GLIBC_TUNABLES=$tunables" \
		${threads:+"$bench/threads" "$threads"} "$(command -v valgrind)" -q --tool=callgrind \
		"--callgrind-out-file=$tmp/callgrind" --toggle-collect=trace_enter --collect-atstart=yes ./pload --dry-run --trace=calls "$@") >"$tmp/out" 2>"$tmp/err" || return
	callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$tmp/callgrind" 2>/dev/null | awk -v stages="$stages" '
		BEGIN { nr = split(stages, stage, " ") }
		match($0, /:[a-z_]+ \[/) {
			name = substr($0, RSTART + 1, RLENGTH - 3)
			gsub(",", "", $1)
			count[name] = $1
		}
		END { for (i = 1; i <= nr; i++) print stage[i], count[stage[i]] + 0 }' >"$tmp/counts"
	! grep ' 0$' "$tmp/counts" >"$tmp/err"	# no function has that name
}

# footprint CPUS ARG... - adds to $tmp/counts what a dry session takes of the machine.
footprint() {
	root=$(machine "$1")
	shift
	(cd "$tmp" && with_sys "$root" env -i PATH=/bin "$bench/bench" x x 5 "empty=$bench/empty" "a=./pload --dry-run --trace=calls $*") \
		2>/dev/null >"$tmp/figures" || return
	awk -F '\t' '$3 ~ /: (memory|page faults|calls)$/ { sub(/.*: /, "", $3); gsub(" ", "_", $3); print $3, $NF }' "$tmp/figures" >>"$tmp/counts"
	size "$tmp/pload" | awk 'NR == 2 { print "code", $1 }' >>"$tmp/counts"
}

# sessions FUNCTION - calls FUNCTION NAME CPUS ARG... for each session that the file has.
sessions() {
	"$1" link 2 -d 0 --attach=link -e cpu-clock small.bpf.o &&
	"$1" ioctl 2 -d 0 --attach=ioctl -e cpu-clock small.bpf.o &&
	"$1" pmu 2 -d 0 --attach=pmu -e cpu-clock small.bpf.o &&
	"$1" core 2 -d 0 --attach=link -e cpu-clock core.bpf.o &&
	"$1" large 2 -d 0 --attach=link -e cpu-clock large-40-20-40-10.bpf.o
}

write_session() {
	name=$1
	shift
	count "$@" && footprint "$@" && sed "s/^/$name /" "$tmp/counts"
}

check_session() {
	name=$1
	shift
	if ! count "$@" || ! footprint "$@"; then
		not_ok "instructions of session '$name'" 'it failed'
		return
	fi
	awk -v name="$name" -v same_kernel="$(grep -cx "$kernel" "$file")" '
		!same_kernel && $(NF - 1) ~ /^(memory|page_faults)$/ { next }
		FNR == NR { if ($1 == name) kept[$2] = $3; next }
		{
			off = $2 - kept[$1]
			by_page = $1 ~ /^(memory|page_faults)$/
			margin = by_page ? 0.2 : $1 == "code" ? 0.1 : 0.03
			if (off > margin * kept[$1] || (-off > margin * kept[$1] && !by_page))
				printf "%s: %d instead of %d; ", $1, $2, kept[$1]
		}' "$file" "$tmp/counts" >"$tmp/off"
	: >"$tmp/err"	# a dry run prints its calls there
	is "instructions of session '$name'" "$(cat "$tmp/off")" ''
}

# per_item NAME FEW SOME MANY [LIMIT] - the counts $few, $some and $many of sessions with so many of something: each costs the same, or
# at most LIMIT times as much.
per_item() {
	name=$1
	shift
	is_constant "$@" && result=constant || result="$few $some $many"
	: >"$tmp/err"
	is "$name" "$result" constant
}

# is_constant FEW SOME MANY [LIMIT]
is_constant() {
	awk -v few="$few" -v some="$some" -v many="$many" -v nr="$1 $2 $3" -v limit="${4-1.03}" 'BEGIN {
		split(nr, n, " ")
		first = (some - few) / (n[2] - n[1])
		then = (many - some) / (n[3] - n[2])
		printf "# %d instructions for one, %d when there are many\n", first, then
		exit !(first > 0 && then < first * limit)
	}'
}

main_count() { awk '$1 == "main" { print $2 }' "$tmp/counts"; }

events_of_cpus() {
	for cpus in 8 64 256; do
		count "$cpus" "--attach=$1" -d 1 -e cpu-clock small.bpf.o
		few=${some-} some=${many-} many=$(main_count)
	done
	per_item "by $1, an event on each of 8, 64 and 256 CPUs" 8 64 256
}

# The numbers of threads, and with them the order in /proc, differ from run to run: a few thousand instructions in one of some runs.
events_of_threads() {
	for _ in 1 2 3; do
		for threads in 10 100 1000; do
			count 2 "--attach=$1" -d 1 -e cpu-clock -p PID small.bpf.o
			few=${some-} some=${many-} many=$(main_count)
		done
		! is_constant 10 100 1000 || break
	done
	threads=''
	per_item "by $1, an event for each of 10, 100 and 1000 threads" 10 100 1000
}

# Half a program and 20 relocations come with each map. Binary searches take one step more in twice as many.
maps_of_objects() {
	for size in 125-62 250-125 500-250; do
		count 2 -d 0 --attach=link -e cpu-clock "large-$size-40-0.bpf.o"
		few=${some-} some=${many-} many=$(main_count)
	done
	per_item 'maps and programs of an object: 125, 250 and 500 maps' 125 250 500 1.02
}

why=''
command -v valgrind >/dev/null || why='valgrind is not installed'
[ "$(uname -m)" = x86_64 ] || why='they are kept for x86-64'
grep -Eq -- '-O2 .* -static( |$)' "$flags" || why='this build is not the static one with optimization'
! grep -Eq -- '-O2 .* (-O|-fsanitize)' "$flags" || why='this build has flags of its own'
[ -n "$why" ] || with_sys "$(machine 2)" true 2>/dev/null || why='no mount namespace can be created here'
# As valgrind 3.22 of Ubuntu 24.04.
[ -n "$why" ] || count 2 -d 0 --attach=link -e cpu-clock small.bpf.o || [ "$(main_count)" != 0 ] ||
	why="$(valgrind --version) finds the names of no functions in this program"

if [ "${1-}" = write ]; then
	[ -z "$why" ] || { echo "instructions: $why" >&2; exit 1; }
	echo '# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause'
	echo '# Instructions in user space, of each stage of a session and of all that it calls: session, function, count. Built by'
	built_by
	echo "$kernel"
	sessions write_session
	exit
fi
skip_rest_if 'instructions of a session' "$why"
if [ "$(sed -n '3,5p' "$file")" = "$(built_by)" ]; then
	sessions check_session
else
	skip 'instructions of a session' "they are kept for $(sed -n '3,5s/^# //p' "$file" | paste -sd ';')"
fi
for method in link ioctl; do
	events_of_cpus $method
	events_of_threads $method
done
maps_of_objects
done_testing
