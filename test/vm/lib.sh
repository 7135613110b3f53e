# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The functions that the scripts of the guests share: the chosen kernels, their images, and the programs built for them. This file
# is sourced and not run. It uses O CACHE MAKE KERNEL KERNELS of the environment, and writes to $vm; $vm/*.why has the reason for
# each part that is missing.
# shellcheck shell=sh

here=$(dirname "$0")
vm=$O/vm

fail() {
	echo "${0##*/}: $*" >&2
	exit 2
}

# The architecture of this machine, as test/vm/kernels has it.
native() {
	case $(uname -m) in
	x86_64) echo x86-64 ;;
	aarch64) echo arm64 ;;
	*) uname -m ;;
	esac
}

# debian_of ARCH - the name of the architecture in Debian.
debian_of() {
	case $1 in
	x86-64) echo amd64 ;;
	*) echo "$1" ;;
	esac
}

# triplet_of ARCH - the prefix of the compiler for the architecture.
triplet_of() {
	case $1 in
	x86-64) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	s390x) echo s390x-linux-gnu ;;
	esac
}

# console_of ARCH - the kernel's parameter for its serial line, where it needs one.
console_of() {
	case $1 in
	x86-64) echo console=ttyS0 ;;
	arm64) echo console=ttyAMA0 ;;
	esac
}

# "ARCH VERSION SUITE PACKAGE" of every kernel that is meant, with tabs between; for one's own the first two.
chosen() {
	if [ -n "${KERNEL:-}" ]; then
		arch=$(sh "$here/arch" "$KERNEL") || exit 2
		printf '%s\town\n' "$arch"
		return
	fi
	found=$(grep -v '^#' "$here/kernels" | while IFS='	' read -r arch version suite package; do
		set -f
		for glob in ${KERNELS:-*}; do
			# shellcheck disable=SC2254 # a pattern
			case $arch/$version in
			$glob)
				# A kernel that is built here is meant where it has been built, or by its whole name.
				[ "$suite" != built ] || [ -e "$CACHE/$package" ] || [ "$glob" = "$arch/$version" ] || continue
				printf '%s\t%s\t%s\t%s\n' "$arch" "$version" "$suite" "$package" && break
				;;
			esac
		done
		set +f
	done)
	[ -n "$found" ] || fail "KERNELS='$KERNELS' means none of $(awk '!/^#/ { printf "%s/%s ", $1, $2 }' "$here/kernels")"
	printf '%s\n' "$found"
}

# built_of ARCH suite|all: the directory in which these are, built for that architecture. For this one all has been built before.
# Variables of this make, such as compilers and flags, are not passed on for another architecture.
built_of() {
	case $(uname -m)/$1 in
	x86_64/x86-64 | aarch64/arm64 | s390x/s390x)
		[ "$2" = all ] || [ -x "$O/attach-regress" ] || "${MAKE:-make}" --no-print-directory "O=$O" "$O/attach-regress" >"$vm/make-$1.log" 2>&1 || return
		echo "$O"
		return
		;;
	esac
	make_arch=$(echo "$1" | tr - _)
	goals=$O/$make_arch/attach-regress
	[ "$2" = suite ] || goals="all $goals"
	echo "building for $1, which takes a minute or two unless it is there ($vm/make-$1.log)" >&2
	# shellcheck disable=SC2086 # words
	env -u CC -u AR -u CFLAGS -u CPPFLAGS -u LDFLAGS MAKEFLAGS='' "${MAKE:-make}" --no-print-directory "-j$(nproc)" "ARCH=$make_arch" "O=$O/$make_arch" $goals \
		>"$vm/make-$1.log" 2>&1 && [ -x "$O/$make_arch/attach-regress" ] || return
	echo "$O/$make_arch"
}

# why_of LOG: its last line, and the first error of apt before it, or else the line before it.
why_of() {
	apt=$(grep -m 1 '^E: ' "$1" || sed '$d' "$1" | tail -n 1)
	echo "$(tail -n 1 "$1")${apt:+ ($apt)}"
}

# image_of ARCH VERSION SUITE PACKAGE: the image, as $vm/kernel-ARCH-VERSION; or in $vm/ARCH-VERSION.why why there is none.
image_of() {
	image=${KERNEL:-}
	if [ -z "$image" ] && [ "$3" = built ]; then
		image=$CACHE/$4
		echo "'make kernel-mutants-build' builds it" >"$vm/fetch.log"
	elif [ -z "$image" ]; then
		image=$(sh "$here/fetch" "$CACHE" kernel "$1-$2" "$(debian_of "$1")" "$3" "$4" 2>"$vm/fetch.log")/vmlinuz
	fi
	if [ -r "$image" ]; then
		ln -sf "$(realpath "$image")" "$vm/kernel-$1-$2"
	else
		echo "no kernel: $(why_of "$vm/fetch.log")" >"$vm/$1-$2.why"
	fi
}
