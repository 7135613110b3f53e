#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each fault of the kernel has a switch, a sentence and tests that exist; the script keeps what it finds, tries survivors again, and
# believes no test that fails without a fault. The kernel and the emulator are fakes.
# Lane: free
. "${0%/*}/lib.sh"

here=test/kernel_mutants
bad='' unknown=''
for patch in "$here"/*.patch; do
	name=$(basename "$patch" .patch)
	[ "$name" != switch ] || continue
	grep -q "^+.*bpf_mutant(\"$name\")" "$patch" && sed -n 2p "$patch" | grep -q '^# .*[.:]$' || bad="$bad $name"
	set -f
	for glob in $(sed -n 's/^tests //p' "$patch"); do
		"$(dirname "$SELF")/attach-regress" --list -t "$glob" >"$tmp/meant" 2>&1 || unknown="$unknown $name:$glob"
	done
	set +f
done
is 'there are faults' "$([ "$(find "$here" -name '*.patch' | wc -l)" -ge 30 ] && echo enough)" enough
is 'each has a sentence and a switch of its own name' "$bad" ''
is 'each names tests that there are' "$unknown" ''
skip_rest_if 'the runner' "$(unchanged test/kernel_mutants test/cli/kernel_mutants.sh)"

if [ ! -x "${WATCH:-}" ] || [ ! -x "${MKINITRD:-}" ]; then
	skip 'guests' 'test/vm/watch.c and initrd.c are not built'
	done_testing
	exit
fi

# A tree of its own, with three faults of a kernel that has one file.
mkdir -p "$tmp/test/kernel_mutants" "$tmp/cache/kernel-mutants/source" "$tmp/says"
ln -s "$PWD/test/vm" "$tmp/test/vm"
cp "$here/run" "$here/build" "$tmp/test/kernel_mutants/"
echo CONFIG_A=y >"$tmp/test/kernel_mutants/config"
source=$tmp/cache/kernel-mutants/source
printf 'one\n\n\n\ntwo\n\n\n\nthree\n' >"$source/file.c"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n' >"$source/Makefile"
touch "$source/complete"
patch_of() {
	printf '# A fault.\ntests binding/*\n--- a/file.c\n+++ b/file.c\n@@ -%d +%d @@\n-%s\n+%s %s\n' "$2" "$2" "$3" "$3" "$1" \
		>"$tmp/test/kernel_mutants/$1.patch"
}
printf -- '--- /dev/null\n+++ b/include/linux/bpf_mutant.h\n@@ -0,0 +1 @@\n+switch\n' >"$tmp/test/kernel_mutants/switch.patch"
patch_of first 1 one
patch_of second 5 two
patch_of third 9 four

cat >"$tmp/make" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
	case $1 in
	-C) tree=$2 ;;
	O=*) out=${1#O=} ;;
	allnoconfig) cp "$KCONFIG_ALLCONFIG" "$out/.config" ;;
	bzImage) mkdir -p "$out/arch/x86/boot" && cat "$tree"/*.c "$tree"/include/linux/*.h >"$out/arch/x86/boot/bzImage" ;;
	esac
	shift
done
END
for tool in flex bison pahole bc; do printf '#!/bin/sh\n' >"$tmp/$tool"; done
chmod +x "$tmp/make" "$tmp/flex" "$tmp/bison" "$tmp/pahole" "$tmp/bc"

# The emulator says the lines in $tmp/says/NAME, or those of a kernel without a fault.
cat >"$tmp/qemu" <<END
while [ \$# -gt 0 ]; do
	[ "\$1" != -append ] || append=\$2
	shift
done
echo "\$append" >>"$tmp/append"
name=\$(echo "\$append" | sed -n 's/.*mutant=\\([a-z]*\\).*/\\1/p')
. "$tmp/says/\${name:-none}"
END
says() {
	cat >"$tmp/says/$1" <<END
printf 'KTAP version 1\r\n1..1\r\n  KTAP version 1\r\n  # Subtest: binding\r\n  1..1\r\n'
printf '  $2 1 a fact [binding.7]\r\nattach-regress: exit $3\r\n'
END
}
says none ok 0
says first 'not ok' 1
says second ok 0

export CACHE="$tmp/cache" O="$tmp/o" MAKE="$tmp/make" QEMU="sh $tmp/qemu" SUITE="$tmp/suite" SILENCE=60 PATH="$tmp:$PATH"
export KERNEL='' MUTANT='' QUICK='' AGAIN='' JOBS=''
WATCH=$(realpath "$WATCH") MKINITRD=$(realpath "$MKINITRD")
printf 'a suite' >"$SUITE"
dir=$tmp/results
mutants() {
	rm -f "$tmp/append"
	sh "$tmp/test/kernel_mutants/run" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	touch "$tmp/append"
}
guests() { wc -l <"$tmp/append" | tr -d ' '; }

[ "$(uname -m)" = x86_64 ] || skip_rest 'a kernel with faults' 'it is built on x86-64 only'
mutants "$dir"
is 'a fault that no test notices: 1' "$status" 1
has 'the kernel has the faults whose patches apply' "$tmp/cache/kernel-mutants/bzImage" 'two second'
has 'one line: which test caught it' "$tmp/out" 'first                            binding/a fact '
has '... or that none did' "$tmp/out" 'second                           (survived) no test failed'
has '... or why nobody knows' "$tmp/out" 'third                            (unknown) the patch does not apply'
has 'the sum' "$tmp/out" '1 of 3 caught, 1 survived, 1 unknown'
has 'first the tests that the patch names' "$tmp/append" 'mutant=first'
has '... by their globs' "$tmp/append" '-t binding/*'
is '... and all of them, before it counts as a survivor; then what caught, without a fault' "$(guests)" 4
has '... by its id' "$tmp/append" '-a binding.7'

mutants "$dir"
is 'what is known is not run again' "$(guests)" 0
has '... and is in the table' "$tmp/out" '1 of 3 caught, 1 survived, 1 unknown'
printf 'another suite' >"$SUITE"
says second 'not ok' 1
MUTANT='[fs]*' mutants "$dir"
is 'another suite is tried on survivors: 0 when all are caught' "$status" 0
has_not '... and not on what was caught' "$tmp/append" 'mutant=first'
has '... by a pattern of names' "$tmp/out" '2 of 2 caught'
mutants table "$dir"
has 'the table alone' "$tmp/out" '2 of 3 caught, 1 unknown'
is '... boots nothing' "$(guests)" 0

says none 'not ok' 1
AGAIN=1 MUTANT=first QUICK=1 mutants "$dir"
has 'a test that fails without a fault has caught nothing' "$tmp/out" 'first: the test that caught it fails without it, too'
is '... which is no success' "$status" 1

echo "printf 'KTAP version 1\r\n1..1\r\n[ 9.9] Kernel panic - not syncing: KASAN\r\n'" >"$tmp/says/first"
says none ok 0
AGAIN=1 MUTANT=first QUICK=1 mutants "$dir"
has 'a guest that ends by a panic is a catch' "$tmp/out" 'the guest: ended without a word: Kernel panic - not syncing: KASAN'
echo 'exit 139' >"$tmp/says/first"
AGAIN=1 MUTANT=first QUICK=1 mutants "$dir"
has 'an emulator that dies is none' "$tmp/out" '(unknown) never came to the suite'

patch_of first 1 none
MUTANT=first mutants "$dir"
has 'a patch that no longer fits is left out' "$tmp/out" '(unknown) the patch does not apply'
has_not '... of the kernel, too' "$tmp/cache/kernel-mutants/bzImage" 'one first'
MUTANT=none mutants "$dir"
is 'a pattern that means none: 2' "$status" 2

done_testing
