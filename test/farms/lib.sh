# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The functions that the engines' checks share: the kernel, the guest's initramfs, and the comparison of two lists of results.
# This file is sourced by a script in a directory of test/farms, and not run.
# shellcheck shell=sh

farm=$(dirname "$0")
here=$farm/../../vm
vm=$O/vm

fail() {
	echo "${0##*test/}: $*" >&2
	exit 2
}

# kernel_or_fail - the image of the first kernel that KERNEL or KERNELS means, as $image; $arch and $version name it.
kernel_or_fail() {
	row=$(chosen | head -n 1)
	[ -n "$row" ] || exit 2
	IFS='	' read -r arch version suite package <<END
$row
END
	[ "$arch" = x86-64 ] || fail "$arch/$version: the device is an x86-64 machine"
	mkdir -p "$vm"
	rm -f "$vm/$arch-$version.why"
	image_of "$arch" "$version" "$suite" "$package"
	[ ! -e "$vm/$arch-$version.why" ] || fail "$arch/$version: $(cat "$vm/$arch-$version.why")"
	image=$vm/kernel-$arch-$version
}

# The results in the suite's output: "ID pass|fail|skip", a line each.
results() {
	tr -d '\r' | sed -nE \
		-e 's/^ +not ok [0-9]+ (- )?([^ ]+)( # .*)?$/\2 fail/p' \
		-e 's/^ +ok [0-9]+ (- )?([^ ]+) # SKIP.*$/\2 skip/p' \
		-e 's/^ +ok [0-9]+ (- )?([^ ]+)$/\2 pass/p'
}

# totals - the same three numbers of a list of results.
totals() { awk '{ n[$2]++ } END { printf "%d passed, %d failed, %d skipped\n", n["pass"], n["fail"], n["skip"] }' "$1"; }

# planned RAN OPTION... - fail unless the tests in the file RAN are those that the suite lists with these options.
planned() {
	cut -d ' ' -f 1 "$1" | sort >"$1.ids"
	list=$1
	shift
	"$O/attach-regress" --list "$@" | grep -v '^#' | cut -f 1 | sort | cmp -s - "$list.ids" ||
		fail "the tests in $list are not those of attach-regress --list $*"
}

# compare ENGINE RAN SEEN - fail unless the lists in the files RAN and SEEN are the same, and one of them passed.
compare() {
	sort "$2" >"$2.sorted"
	sort "$3" >"$3.sorted"
	ran=$(grep -c . "$2")
	seen=$(grep -c . "$3")
	echo "$1: tests run $ran ($(totals "$2")), seen $seen ($(totals "$3"))"
	grep -q ' pass$' "$2" || fail "$1: no test passed"
	cmp -s "$2.sorted" "$3.sorted" && return
	diff "$2.sorted" "$3.sorted" | head -n 20 >&2
	fail "$1: the results are not those of the suite"
}
