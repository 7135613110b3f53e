#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The results of guests that end well, fail, hang, panic, or never start the suite; the emulator is a script that only prints their
# lines.
# Lane: free
. "${0%/*}/lib.sh"
skip_rest_if 'scripts of guests' "$(unchanged test/vm test/cli/vm.sh)"

if [ ! -x "${WATCH:-}" ] || [ ! -x "${MKINITRD:-}" ]; then
	skip 'guests' 'test/vm/watch.c and initrd.c are not built'
	done_testing
	exit
fi
WATCH=$(realpath "$WATCH") MKINITRD=$(realpath "$MKINITRD")
vm=test/vm
O=$tmp/o CACHE=$tmp/cache SILENCE=60 QEMU="sh $tmp/qemu" MAKE=true
KERNEL='' KERNELS='' TESTS='' OPTIONS='' ROUNDS='' JOBS='' RESUME=''
export WATCH MKINITRD O CACHE SILENCE QEMU MAKE KERNEL KERNELS TESTS OPTIONS ROUNDS JOBS RESUME
mkdir -p "$O" "$O/arm64" "$O/s390x" "$O/x86_64"

# The suites, and every kernel of the list, as if they had been built and fetched.
for suite in "$O" "$O/arm64" "$O/s390x" "$O/x86_64"; do
	printf 'a suite' >"$suite/attach-regress"
	chmod +x "$suite/attach-regress"
done
grep -v '^#' "$vm/kernels" | while IFS='	' read -r arch version suite package; do
	dir=$CACHE/kernels/$arch-$version
	mkdir -p "$dir"
	echo "$arch/$version" >"$dir/vmlinuz"
	echo "$suite $package" >"$dir/wanted"
done

# Its lines are in $tmp/says/KERNEL, or those of any; each attempt is counted, and the command line kept.
mkdir "$tmp/says"
cat >"$tmp/qemu" <<END
while [ \$# -gt 0 ]; do
	case \$1 in
	-kernel) kernel=\$(cat "\$2" | tr / -) ;;
	-append) echo "\$kernel \$2" >>"$tmp/append" ;;
	esac
	shift
done
echo x >>"$tmp/attempts-\$kernel"
[ -f "$tmp/says/\$kernel" ] || kernel=any
. "$tmp/says/\$kernel"
END

# The output as the serial line has it, between lines of the firmware and of the kernel.
good() {
	cat <<END
printf '\033c\033[?7lBooting from ROM..\033cKTAP version 1\r\n# Linux 6.1\r\n1..2\r\n'
printf '  KTAP version 1\r\n  # Subtest: binding\r\n  1..3\r\n  ok 1 one: fact\r\n  ok 2 two # SKIP no PMU\r\n'
printf '[    1.2] a word of the kernel\r\n  ok 3 three\r\nok 1 binding\r\n'
printf '  KTAP version 1\r\n  # Subtest: races\r\n  1..1\r\n  $1\r\n$2 2 races\r\n'
printf '# saw: binding/one\\\\: fact: answer: ${3:-0}\r\n# saw: races/four: : same\r\n'
printf 'attach-regress: exit ${4:-0}\r\n[    3.1] reboot: Power down\r\n'
END
}
ok_line='ok 1 four'

check() {
	rm -f "$tmp"/attempts-* "$tmp/append"
	sh "$vm/check" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}
attempts() { wc -l <"$tmp/attempts-$1" | tr -d ' '; }

good "$ok_line" ok >"$tmp/says/any"
check
is 'twelve guests that pass: 0' "$status" 0
has 'the table sums them up' "$tmp/out" '36 passed, 0 failed, 12 skipped on 12 kernels'
is 'a column each' "$(sed -n 2p "$tmp/out" | wc -w | tr -d ' ')" 13
is 'a cell: passed and skipped' "$(awk '$1 == "binding" { print $2; exit }' "$tmp/out")" 2-1s
has 'causes of skips, once' "$tmp/out" '12  no PMU  [everywhere]'
has_not 'no difference' "$tmp/out" 'differences'
has 'it asks for what was seen' "$tmp/append" '-- --record=-'
has '... and lets a test take longer' "$tmp/append" '--timeout=180'
has 'no kernel messages between' "$tmp/append" 'loglevel=1'

KERNELS='x86-64/6.1* s390x/*' TESTS='binding/two *' OPTIONS='-v' check
is 'globs choose kernels' "$(sed -n 2p "$tmp/out" | tr -s ' ')" 'group 6.1 6.12 6.1 6.12 newest'
has 'a name with a space is one word' "$tmp/append" '-t "binding/two *" -v'
mkdir "$tmp/bin"
for tool in apt-get apt-cache; do
	cat >"$tmp/bin/$tool" <<-'END'
		#!/bin/sh
		case $* in
		indextargets*) echo http://mirror/debian/ ;;
		*update*) echo "E: Failed to fetch http://mirror 503" >&2; exit 100 ;;
		esac
	END
	chmod +x "$tmp/bin/$tool"
done
mv "$CACHE/kernels/x86-64-6.1" "$tmp/kept"
PATH=$tmp/bin:$PATH DEBIAN_KEYRING=$tmp/qemu KERNELS='x86-64/6.1' check
mv "$tmp/kept" "$CACHE/kernels/x86-64-6.1"
has 'a mirror that fails is reported in the words of apt' "$tmp/out" '(E: Failed to fetch http://mirror 503)'
KERNELS='riscv/*' check
is 'globs that choose none: 2' "$status" 2
has '... and it says which there are' "$tmp/err" 'x86-64/5.10 x86-64/6.1'

good 'not ok 1 four # EINVAL where 0 was due' 'not ok' EINVAL 1 >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/*' check
is 'a test that fails: 1' "$status" 1
has '... with its cause' "$tmp/out" 'x86-64/6.1: races/four: EINVAL where 0 was due'
has '... and a cell' "$tmp/out" '0 1F'
has 'what differs, a letter for each value' "$tmp/out" 'a b a a   binding/one: fact: answer: a=0, b=EINVAL'
has_not 'what does not differ is left out' "$tmp/out" 'races/four: a='
has 'all that differs is in a file' "$O/vm/differences" 'a b a a   binding/one: fact: answer: a=0, b=EINVAL'
for answer in EINVAL EPERM; do
	{
		good "$ok_line" ok | sed '$d'
		n=0
		while [ $((n += 1)) -le 30 ]; do
			echo "printf '# saw: many/test: key $n: $answer\\r\\n'"
		done
		echo "printf 'attach-regress: exit 0\\r\\n'"
	} >"$tmp/says/x86-64-6.1$([ $answer = EPERM ] || echo 2)"
done
KERNELS='x86-64/6.1*' check
rm -f "$tmp/says/x86-64-6.12"
is 'many differences: ten are printed' "$(grep -c 'many/test: key' "$tmp/out")" 10
has '... and where the others are' "$tmp/out" "and 20 more: $O/vm/differences"
is '... all of them' "$(grep -c 'many/test: key' "$O/vm/differences")" 30

echo "printf 'KTAP version 1\r\n1..1\r\n  # Subtest: binding\r\n  1..2\r\n  ok 1 one\r\n'; sleep 60" >"$tmp/says/x86-64-6.1"
SILENCE=5 KERNELS='x86-64/6.1' check
is 'a guest that hangs: 1' "$status" 1
has '... and it says so' "$tmp/out" 'x86-64/6.1: nothing heard for 5 seconds'
has '... and in which group' "$tmp/out" 'x86-64/6.1: ended in the group binding'
has '... with the last lines' "$tmp/err" '  ok 1 one'
is '... and is not booted again' "$(attempts x86-64-6.1)" 1

cat >"$tmp/says/x86-64-6.1" <<'END'
printf 'KTAP version 1\r\n1..1\r\n'
while sleep 1; do printf '[  865.057271] watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [init:4160]\r\n'; done
END
SILENCE=5 KERNELS='x86-64/6.1' check
is 'a guest whose kernel alone goes on talking: 1' "$status" 1
has '... hangs' "$tmp/out" 'x86-64/6.1: nothing heard for 5 seconds'

echo "printf 'KTAP version 1\r\n1..1\r\n[ 9.9] Kernel panic - not syncing: Fatal exception\r\n'" >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
is 'a panic: 1' "$status" 1
has '... by its own words' "$tmp/out" 'ended without a word: Kernel panic - not syncing: Fatal exception'

echo 'exit 139' >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
is 'an emulator that dies: 1' "$status" 1
is '... after two more attempts' "$(attempts x86-64-6.1)" 3
has '... which is said' "$tmp/err" 'once more'
{ echo "[ \$(wc -l <$tmp/attempts-x86-64-6.1) = 2 ] || exit"; good "$ok_line" ok; } >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
is 'one that dies once: 0' "$status" 0

good "$ok_line" ok 0 4 >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
is 'all skipped is no failure of the guest' "$status" 0
good "$ok_line" ok 0 1 >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
has 'a status that no test explains' "$tmp/out" 'exit status 1 although no test failed'
good "$ok_line" ok | sed 's/  ok 3 three//' >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
has 'a test that got lost' "$tmp/out" 'the group binding has 3 tests, of which 2 ended'
good "$ok_line" ok >"$tmp/says/any"
refused='BPF_LINK_CREATE: Invalid argument: too old'
for kernel in x86-64-6.1 arm64-6.1; do
	# Each with another task, address and way to it, as the next run would have.
	task=${#kernel}
	good "ok 1 four # SKIP link: event \"page-faults\": task $task: $refused" ok |
		sed "s/\"/\\\\047/g; s/no PMU/attaching: $refused/; s/ok 3 three/& # SKIP mem:0x$task: no PMU/" >"$tmp/says/$kernel"
done
KERNELS='*/6.1' check
rm -f "$tmp"/says/*-6.1
has 'a cause is one, whichever the task and the way to it' "$tmp/out" "  4  $refused  [x86-64/6.1 arm64/6.1]"
has '... and whichever the address' "$tmp/out" '  2  mem:0x...: no PMU  [x86-64/6.1 arm64/6.1]'
echo 'head -c 100000 /dev/urandom' >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' check
is 'noise: 1' "$status" 1

# A run that continues an earlier one: finished guests with the same options are not run again.
good "$ok_line" ok >"$tmp/says/any"
KERNELS='arm64/6.*' ROUNDS=2 check
rm -f "$O/vm/round-2/arm64-6.1.what"
KERNELS='arm64/6.*' ROUNDS=2 RESUME=1 check
is 'a run that was interrupted goes on: 0' "$status" 0
is '... with what was not done' "$(cat "$tmp"/attempts-* | wc -l | tr -d ' ')" "$(attempts arm64-6.1)"
is '... once' "$(attempts arm64-6.1)" 1
has '... and all is in the table' "$tmp/out" '18 passed, 0 failed, 6 skipped on 3 kernels, 2 times'
KERNELS='arm64/6.1' ROUNDS=2 RESUME=1 TESTS='binding/*' check
is 'with other options all is done again' "$(attempts arm64-6.1)" 2
KERNELS='arm64/6.1' ROUNDS=2 TESTS='binding/*' check
is 'without RESUME all is done again' "$(attempts arm64-6.1)" 2

{ echo "if [ \$(wc -l <$tmp/attempts-x86-64-6.1) = 2 ]; then"; good 'not ok 1 four # late' 'not ok' 0 1; echo else
  good "$ok_line" ok; echo fi; } >"$tmp/says/x86-64-6.1"
KERNELS='x86-64/6.1' ROUNDS=3 JOBS=1 check
is 'a flake in three rounds: 1' "$status" 1
has '... is named, with how often' "$tmp/out" 'x86-64/6.1: races/four: passed 2, failed 1'
has '... and in which round' "$tmp/out" 'x86-64/6.1 (round 2): races/four: late'
KERNELS='x86-64/6.12' ROUNDS=2 check
has 'none in two' "$tmp/out" 'no flakes in 2 rounds'

# The rounds that an interrupted run did not reach are reported in one line.
{ echo '= 1 arm64 6.1 0 5'; cat "$O/vm/round-1/x86-64-6.12.log"; echo '= 2 arm64 6.1 - 0'; echo '= 3 arm64 6.1 - 0'; } |
	awk -v rounds=3 -v tap=0 -f "$vm/table.awk" >"$tmp/out"
is 'rounds that were not run are a failure' $? 1
has '... told in one line' "$tmp/out" '  arm64/6.1: not run in 2 of 3 rounds'
is '... and not in one each' "$(grep -c 'not run in' "$tmp/out")" 1

# --- one's own kernel ---

{ head -c 514 /dev/zero; printf 'HdrS'; head -c 99 /dev/zero; } >"$tmp/bzImage"
is 'a bzImage' "$(sh "$vm/arch" "$tmp/bzImage")" x86-64
{ head -c 56 /dev/zero; printf 'ARMd'; head -c 999 /dev/zero; } >"$tmp/Image"
is 'an Image' "$(sh "$vm/arch" "$tmp/Image")" arm64
gzip -c "$tmp/Image" >"$tmp/Image.gz"
is 'an Image.gz' "$(sh "$vm/arch" "$tmp/Image.gz")" arm64
{ printf 'MZ\0\0zimg'; head -c 52 /dev/zero; printf '\100\0\0\0PE\0\0\144\252'; } >"$tmp/vmlinuz.efi"
is 'an image that EFI unpacks' "$(sh "$vm/arch" "$tmp/vmlinuz.efi")" arm64
{ head -c 65544 /dev/zero; printf 'S390EP'; } >"$tmp/s390"
is 'one for s390x' "$(sh "$vm/arch" "$tmp/s390")" s390x
KERNEL=README.md check
is 'what is no kernel: 2' "$status" 2
cp "$tmp/bzImage" "$tmp/own"
good "$ok_line" ok >"$tmp/says/any"
KERNEL=$tmp/own check
is 'it is booted: 0' "$status" 0
has '... as the only column' "$tmp/out" '3 passed, 0 failed, 1 skipped on 1 kernels'

# --- git bisect: a make that is the kernel's, and ours ---

mkdir "$tmp/linux"
cat >"$tmp/make" <<END
case " \$* " in
*' olddefconfig '*) ;;
*' image_name '*) echo arch/x86/boot/bzImage ;;
*' bzImage '*) [ ! -e broken ] && mkdir -p arch/x86/boot && cp "$tmp/own" arch/x86/boot/bzImage ;;
*' vm-check '*)
	echo "\${ARCH:-none} \${CROSS_COMPILE:-none}" >"$tmp/meant-for-the-kernel"
	for word in "\$@"; do
		case \$word in
		KERNEL=* | TESTS=*) export "\$word" ;;
		esac
	done
	cd "$PWD" && MAKE=true sh "$vm/check"
	;;
esac
END
chmod +x "$tmp/make"
ours=$PWD
bisect() {
	# Its results are looked for where a build has them: there, in a tree of links.
	(cd "$tmp/linux" && MAKE="$tmp/make" sh "$tmp/pload/test/vm/bisect" 'binding/*' >"$tmp/out" 2>"$tmp/err")
	status=$?
}
mkdir -p "$tmp/pload/test" "$O"
ln -s "$ours/test/vm" "$tmp/pload/test/vm"
ln -s "$O" "$tmp/pload/build"
good "$ok_line" ok >"$tmp/says/any"
bisect
is 'bisect: good' "$status" 0
good 'not ok 1 four # late' 'not ok' 0 1 >"$tmp/says/any"
bisect
is 'bisect: bad' "$status" 1
echo "printf 'KTAP version 1\r\n[ 9.9] Kernel panic - not syncing: x\r\n'" >"$tmp/says/any"
bisect
is 'bisect: one that panics in the suite is bad' "$status" 1
echo 'exit 1' >"$tmp/says/any"
bisect
is 'bisect: one that does not boot says nothing' "$status" 125
# The suite answers a glob that matches no test with exit status 2 and no line of KTAP.
echo "printf 'KTAP version 1\r\nattach-regress: exit 2\r\n'" >"$tmp/says/any"
ARCH=x86 CROSS_COMPILE=x86_64-linux-gnu- bisect
is 'bisect: tests that there are not say nothing of the kernel' "$status" 125
has '... and what was wrong is said' "$tmp/err" "the suite does not know what 'binding/*' means"
is '... an exported ARCH is for the kernel alone' "$(cat "$tmp/meant-for-the-kernel")" 'none none'
good "$ok_line" ok 0 4 >"$tmp/says/any"
bisect
is 'bisect: one on which all is skipped says nothing' "$status" 125
touch "$tmp/linux/broken"
bisect
is 'bisect: one that does not build says nothing' "$status" 125

# --- as TAP ---

good 'not ok 1 four # late' 'not ok' 0 1 >"$tmp/says/s390x-6.1"
rm -r "$O/arm64"
KERNELS='x86-64/5.10 arm64/6.1' check
has 'what has no guest is said at once' "$tmp/err" 'not run: arm64: no suite for arm64'
TAP=1 KERNELS='x86-64/5.10 arm64/6.1 s390x/6.1' check
has 'a line for each group' "$tmp/out" 'ok 2 - x86-64/5.10 binding: 2-1s'
has 'what fails' "$tmp/out" 'not ok 7 - s390x/6.1 races: 0 1F'
if grep -q 'arm64/6.1 # SKIP no suite for arm64' "$tmp/out"; then
	ok 'what cannot be built is skipped'
else
	has 'what cannot be built although there is a compiler fails' "$tmp/out" 'not ok 4 - arm64/6.1'
fi

printf '= 1 arm64 6.1 - 0 no kernel: no network\n= 1 s390x 6.1 ! 0 it does not build\n' |
	awk -v rounds=1 -v tap=1 -f "$vm/table.awk" >"$tmp/out"
is 'what cannot be had is skipped with its cause' "$(sed -n 1p "$tmp/out")" 'ok 1 - arm64/6.1 # SKIP no kernel: no network'
is '... and what could have been had is not' "$(sed -n 2p "$tmp/out")" 'not ok 2 - s390x/6.1 runs the suite to its end'

# --- where BPF is refused ---

refuses() { printf '#!/bin/sh\necho "pload: x.o: %s" >&2\nexit 1\n' "$1" >"$tmp/pload-here" && chmod +x "$tmp/pload-here"; }
refused() { sh "$vm/refused" "$tmp/pload-here" x.o >"$tmp/out"; status=$?; }
refuses "map 'm': BPF_MAP_CREATE: Operation not permitted: it requires CAP_BPF [map-create/unprivileged]"
refused
is 'what is refused' "$status $(cat "$tmp/out")" \
	"0 this machine refuses BPF: map 'm': BPF_MAP_CREATE: Operation not permitted: it requires CAP_BPF [map-create/unprivileged]"
refuses "program 'p': the verifier rejected it: Invalid argument"
refused
is 'another failure is not refused' "$status$(cat "$tmp/out")" 1
printf '#!/bin/sh\n' >"$tmp/pload-here"
refused
is 'nor is what works' "$status$(cat "$tmp/out")" 1

# The demo in a guest, whose kernel is that of another release where there is no newest one.
mkdir -p "$CACHE/sysroot/bookworm-amd64/usr/bin" "$O/progs"
: >"$O/progs/x.bpf.o" >"$O/busy"
echo busybox-static >"$CACHE/sysroot/bookworm-amd64/.packages"
: >"$CACHE/sysroot/bookworm-amd64/usr/bin/busybox"
printf 'printf "guest: begins\\r\\nby ioctl\\r\\nguest: exit 0\\r\\n"\n' >"$tmp/says/x86-64-6.12"
refuses "map 'm': BPF_MAP_CREATE: Operation not permitted: it requires CAP_BPF"
demo() {
	PATH=$tmp/bin:$PATH DEBIAN_KEYRING=$tmp/pload-here KERNELS=$1 BUSY=$O/busy sh "$vm/demo" "$tmp/pload-here" x.bpf.o ioctl \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
}
mv "$CACHE/kernels/x86-64-newest" "$tmp/kept"
demo ''
is 'demo without a newest kernel: status' "$status" 0
has '... it is that of another release' "$tmp/out" 'by ioctl'
has '... and why' "$tmp/err" 'shell: x86-64/newest: no kernel'
is '... a program with frame pointers is profiled' "$(grep ' profile ' "$O/vm/command")" './pload profile -- ./busy || exit'
mv "$O/attach-regress" "$tmp/suite-kept"
MAKE=false
demo ''
MAKE=true
is '... and needs no suite' "$status" 0
mv "$tmp/suite-kept" "$O/attach-regress"
is '... no terminal reads it: neither colours nor a progress line' "$(head -n 1 "$O/vm/command")" 'export TERM=dumb'
demo x86-64/newest
is 'a kernel that was named is no other: status' "$status" 2
has '... with the words of apt' "$tmp/err" 'E: Failed to fetch http://mirror 503'
mv "$tmp/kept" "$CACHE/kernels/x86-64-newest"
rm "$tmp/says/x86-64-6.12"
printf '#!/bin/sh\n' >"$tmp/pload-here"

case $(uname -m) in
x86_64) own=x86-64-newest other=x86-64-5.10 ;;
aarch64) own=arm64-newest other=x86-64-5.10 ;;
*) own=$(uname -m)-newest other=x86-64-5.10 ;;
esac
mkdir -p "$O/arm64"
cp "$O/attach-regress" "$O/arm64/attach-regress"
good "$ok_line" ok >"$tmp/says/any"
rm -f "$tmp/append" "$tmp/says/s390x-6.1"
# The runs below are proofs of their own: what make check knows of changes is not for them.
unset CHANGES
tap() { PLOAD=$tmp/pload-here PROGS=$tmp sh "$vm/tap" >"$tmp/out" 2>"$tmp/err"; status=$?; }
tap
is 'make check: a quick run everywhere' "$status $(grep -c -- ' --quick' "$tmp/append")" '0 4'
rm -f "$tmp/append"
CHANGES=$tmp/null tap
is '... what has passed is not run again' "$status $(cat "$tmp/append" 2>"$tmp/null")" '0 '
has '... and printed' "$tmp/out" 'ok 4 - '
echo 1 5 >"$O/vm/x86-64-5.10.status"
CHANGES=$tmp/null tap
is '... what has failed is' "$(cut -d ' ' -f 1 "$tmp/append")" x86-64-5.10
tap
is '... and by make check-all everything is' "$(grep -c . "$tmp/append")" 5
has_not '... and nothing said' "$tmp/out" 'refuses'
refuses "map 'm': BPF_MAP_CREATE: Operation not permitted: x"
rm -f "$tmp/append"
tap
is 'all of the suite where BPF is refused' "$(grep "^$own " "$tmp/append" | grep -c -- ' --quick')" 0
is '... on one kernel' "$(grep "^$other " "$tmp/append" | grep -c -- ' --quick')" 1
has '... and why' "$tmp/out" "# this machine refuses BPF: map 'm'"

# --- tests that this machine skips ---

record() {
	printf '{\n  "tests":{\n'
	for id; do printf '    "%s":{\n      "name":"x",\n      "state":"skipped",\n    },\n' "$id"; done
	printf '    "rings.1":{\n      "state":"passed",\n    }\n  }\n}\n'
}
for arch in amd64 arm64 s390x; do
	mkdir -p "$CACHE/sysroot/bookworm-$arch/bin"
	echo busybox-static >"$CACHE/sysroot/bookworm-$arch/.packages"
	echo busybox >"$CACHE/sysroot/bookworm-$arch/bin/busybox"
done
# shellcheck disable=SC2016 # the script's
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho "object of $*" >"$2"\n' >"$tmp/clang"
chmod +x "$tmp/clang"
touch "$tmp/ip_count.bpf.o" "$tmp/kprobe.bpf.o"
elsewhere() {
	rm -f "$tmp/append"
	CLANG=$tmp/clang PLOAD=$tmp/pload-here PROGS=$tmp sh "$vm/elsewhere" "$tmp/first.json" "$tmp/last.json" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
printf '#!/bin/sh\n' >"$tmp/pload-here"
record kprobes.1 many.2 >"$tmp/first.json"
record kprobes.10 >"$tmp/last.json"
good "$ok_line" ok >"$tmp/says/any"
elsewhere
is 'elsewhere: what was skipped here runs in one guest' "$status $(cat "$tmp/append" | wc -l | tr -d ' ')" '0 1'
has '... all of it' "$tmp/append" '-a @/tests'
is '... of each record, and nothing else' "$(tr '\n' ' ' <"$O/vm/elsewhere/tests")" 'kprobes.1 many.2 kprobes.10 '
is '... of which the guest has the list' "$(grep -ac '^kprobes\.10$' "$O/vm/elsewhere/initrd")" 1
has '... and the tests of the command line' "$O/vm/elsewhere/initrd" 'root/test/cli/kprobes.sh'
is '... and its lines are all that is printed' "$(sed -n '1p;$p' "$tmp/out" | tr '\n' ' ')" \
	'KTAP version 1 # saw: races/four: : same '
has_not '... as they are on other machines' "$tmp/out" "$(printf '\r')"
cp "$tmp/out" "$tmp/seen"
CHANGES=$tmp/null elsewhere
is 'elsewhere: the same again is printed, and no guest is booted' "$status$(cmp "$tmp/out" "$tmp/seen" 2>&1)$(cat "$tmp/append" 2>"$tmp/null")" 0
elsewhere
is '... but by make check-all' "$(grep -c . "$tmp/append")" 1
record kprobes.11 >"$tmp/last.json"
CHANGES=$tmp/null elsewhere
is '... and so is another list' "$status $(grep -c . "$tmp/append")" '0 1'
good '# alone: attach-regress -v -t kprobes.1\r\n  not ok 1 four # late' 'not ok' 0 1 >"$tmp/says/any"
record kprobes.12 >"$tmp/last.json"
CHANGES=$tmp/null elsewhere
CHANGES=$tmp/null elsewhere
is 'elsewhere: a test that fails: 1, each time' "$status" 1
has '... and the command that runs it alone' "$tmp/out" "6.12 TESTS=kprobes.1 OPTIONS=-v"
echo "printf 'KTAP version 1\r\n1..1\r\n[ 9.9] Kernel panic - not syncing: x\r\n'" >"$tmp/says/any"
elsewhere
is 'elsewhere: a guest that panics: 1' "$status" 1
good "$ok_line" ok >"$tmp/says/any"
mv "$CACHE/kernels" "$tmp/kept"
PATH=$tmp/bin:$PATH elsewhere
mv "$tmp/kept" "$CACHE/kernels"
is 'elsewhere: no kernel' "$status $(grep -c '# SKIP no kernel: .*503' "$tmp/out")" '0 1'
record >"$tmp/last.json"
# shellcheck disable=SC2046 # words
record $(seq -f 'many.%g' 801) >"$tmp/first.json"
elsewhere
has 'elsewhere: too many for a minute are left to vm-check' "$tmp/out" 'skipped 801 tests on this machine'
record >"$tmp/first.json"
elsewhere
has 'elsewhere: nothing was skipped here' "$tmp/out" '# SKIP the suite skipped no test on this machine'
refuses "map 'm': BPF_MAP_CREATE: Operation not permitted: x"
elsewhere
has 'elsewhere: where BPF is refused test/vm/tap does it' "$tmp/out" '# SKIP this machine refuses BPF'
is '... and no guest is booted' "$(cat "$tmp/append" 2>"$tmp/null")" ''
rm "$tmp/first.json"
elsewhere
is 'elsewhere: a record that does not exist is a fault' "$status" 2

# --- an old emulator ---

printf '#!/bin/sh\necho QEMU emulator version 7.2.1\n' >"$tmp/bin/qemu-system-x86_64"
chmod +x "$tmp/bin/qemu-system-x86_64"
PATH=$tmp/bin:$PATH QEMU='' sh "$vm/qemu" "$tmp/new cache" x86-64 >"$tmp/out" 2>"$tmp/err"
has 'only an old emulator: it is used' "$tmp/out" 'qemu-system-x86_64 -accel'
has '... and why there is no newer one, also in a cache that did not exist' "$tmp/err" '503'
done_testing
