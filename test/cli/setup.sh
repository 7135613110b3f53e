#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Only `make setup`, `make demo` and `make check` install a missing package; other goals name it,
# and the command that does.
# Lane: free
. test/cli/lib.sh
skip_rest_if 'the set-up' "$(unchanged .ci GNUmakefile test/cli/setup.sh)"
unset SETUP	# `make check` itself installs

# A machine without any compiler, whose apt-get writes down what it is asked for.
mkdir -p "$tmp/bin" "$tmp/tmpdir" "$tmp/sysroot/usr/include/json-c" "$tmp/sysroot/usr/include/libiberty"
(cd "$tmp/sysroot/usr/include" && : >json-c/json_object.h >zlib.h >libiberty/demangle.h)
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "apt-get \$*" >>"$tmp/apt"
[ ! -e "$tmp/fails" ] || { echo 'E: the mirror is away'; exit 100; }
END
cat >"$tmp/bin/sudo" <<'END'
#!/bin/sh
[ "$1" = -n ] && shift
exec "$@"
END
chmod +x "$tmp/bin"/*

# setup WORD... - .ci/setup on that machine, with $SETUP; leaves $status, $tmp/out, $tmp/err and
# $tmp/apt.
setup() {
	: >"$tmp/apt"
	env ${1:+"SETUP=$1"} PATH="$tmp/bin:$PATH" TMPDIR="$tmp/tmpdir" CC=no-such-cc CLANG=no-such-clang \
		CACHE="$tmp/cache" SYSROOT="$tmp/sysroot" sh .ci/setup ${2:+"$2"} ${3:+"$3"} >"$tmp/out" 2>"$tmp/err"
	status=$?
}

setup '' build
is 'what is missing: status' "$status" 1
has '... is named' "$tmp/err" 'this machine lacks: gcc clang libc6-dev zlib1g-dev libiberty-dev'
has '... with the goal that installs it' "$tmp/err" 'make setup'
has '... and the command' "$tmp/err" 'apt-get install -y --no-install-recommends gcc clang'
is '... and nothing is installed' "$(cat "$tmp/apt")" ''
setup '' cross s390x
has 'for another machine: the goal' "$tmp/err" 'make setup ARCH=s390x'
mkdir -p "$tmp/python/debian"
: >"$tmp/python/debian/__init__.py"
export PYTHONPATH="$tmp/python"
setup '' autopkgtest
unset PYTHONPATH
has "Debian's test runner: the library that it needs" "$tmp/err" 'this machine lacks: python3-debian'
has '... the goal' "$tmp/err" 'make check-autopkgtest'
setup install build
is 'SETUP=install: status' "$status" 0
has '... it is installed' "$tmp/apt" 'apt-get install -y --no-install-recommends gcc clang'
: >"$tmp/fails"
setup install build
is 'what cannot be installed: status' "$status" 1
has "... apt's words" "$tmp/err" 'E: the mirror is away'
has '... the packages' "$tmp/err" 'the packages are needed: gcc clang'
is 'no file is left in a directory of others' "$(ls "$tmp/tmpdir")" ''

# A clang that is there, and one that the set-up has installed, may be too old. apt has a newer one, under another name.
: >"$tmp/old"
cat >"$tmp/bin/no-such-clang" <<END
#!/bin/sh
[ ! -e "$tmp/old" ] || { echo 11.0.1; exit 0; }
echo 14.0.6
END
printf '#!/bin/sh\nprintf "clang-9\\nclang-16\\nclang-16-doc\\n"\n' >"$tmp/bin/apt-cache"
chmod +x "$tmp/bin/no-such-clang" "$tmp/bin/apt-cache"
rm "$tmp/fails"
for goal in '' install; do
	setup "$goal" build
	has_not "clang 11, SETUP=$goal: it builds" "$tmp/err" 'clang'
	setup "$goal" check
	is '... and tests nothing: status' "$status" 1
	is '... the versions are named' "$(cat "$tmp/err")" \
		"pload: no-such-clang is version 11.0.1, and version 14 or newer is needed
hint: apt-get install clang-16; make takes the newest there is"
	is '... and nothing is installed' "$(cat "$tmp/apt")" ''
done
rm "$tmp/old"
setup '' check
has_not 'clang 14 is not too old' "$tmp/err" 'clang'
mv "$tmp/bin/no-such-clang" "$tmp/old-clang"
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "apt-get \$*" >>"$tmp/apt"
: >"$tmp/old"
mv "$tmp/old-clang" "$tmp/bin/no-such-clang" 2>/dev/null || :
END
setup install check
is 'an old clang has been installed: status' "$status" 1
has '... and its version is named' "$tmp/err" 'version 11.0.1, and version 14'
rm "$tmp/bin/no-such-clang" "$tmp/bin/apt-cache"

# apt has no chromium, as Ubuntu's, nor lintian, and one package that is named like another one of these.
cat >"$tmp/bin/apt-cache" <<'END'
#!/bin/sh
case $1 in
search) printf '%s\n' mandoc mandoc-doc zsh fish | grep -E "$3" | sed 's/$/ - a tool/' ;;
show) [ "$2" = fish ] ;;
esac
END
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "apt-get \$*" >>"$tmp/apt"
END
chmod +x "$tmp/bin/apt-cache"
setup_alone() {
	: >"$tmp/apt"
	PATH="$tmp/bin:$tmp/alone" SETUP=install CC=no-such-cc CLANG=gcc sh .ci/setup "$1" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
mkdir "$tmp/alone"
for tool in sh sed grep id cut tr tail head ls flock sleep mktemp rm awk; do
	ln -s "$(command -v $tool)" "$tmp/alone/$tool"
done
printf '#!/bin/sh\necho 14\n' >"$tmp/bin/gcc"
chmod +x "$tmp/bin/gcc"
setup_alone check-all
is 'for all tests: what few of them need, and apt has' "$(grep -o 'pkg-config.* fish\|chromium' "$tmp/apt")" 'pkg-config fish'
setup_alone check
has_not 'which make check does without' "$tmp/apt" 'fish'
is 'what tests skip, and apt has not: status' "$status" 0
has '... the rest is installed' "$tmp/apt" 'linux-libc-dev pkg-config mandoc zsh'
is '... and nothing like it' "$(grep -c -e chromium -e mandoc-doc "$tmp/apt")" 0
rm "$tmp/bin/apt-cache" "$tmp/bin/gcc"

# Other systems: the command is printed with their names, each once, for building and testing, and nothing is installed.
mv "$tmp/bin/apt-get" "$tmp/apt-get"
for system in 'dnf|install|gcc clang glibc-devel glibc-static zlib-devel zlib-static binutils-devel check-devel json-c-devel' \
	'pacman|-S --needed|gcc clang glibc zlib check json-c libelf linux-api-headers' \
	'apk|add|gcc clang musl-dev zlib-dev zlib-static binutils-dev check-dev' \
	'zypper|install|gcc clang glibc-devel glibc-devel-static zlib-devel zlib-devel-static libiberty-devel check-devel'; do
	manager=${system%%|*} words=${system#*|}
	printf '#!/bin/sh\necho "$0 $*" >>%s\n' "$tmp/apt" >"$tmp/bin/$manager"
	chmod +x "$tmp/bin/$manager"
	: >"$tmp/apt"
	PATH="$tmp/bin:$tmp/alone" SETUP=install CC=no-such-cc CLANG=no-such-clang sh .ci/setup build >"$tmp/out" 2>"$tmp/err"
	is "$manager: status" "$?" 1
	has "$manager: the command" "$tmp/err" "hint: not tried on this system: $manager ${words%%|*} ${words#*|}"
	is "$manager: nothing is installed" "$(cat "$tmp/apt")" ''
	PATH="$tmp/bin:$tmp/alone" CC=no-such-cc CLANG=no-such-clang sh .ci/setup build >"$tmp/out" 2>"$tmp/err"
	has_not "$manager: to build alone, nothing for tests" "$tmp/err" check
	rm "$tmp/bin/$manager"
done
mv "$tmp/apt-get" "$tmp/bin/apt-get"
# Each package that the set-up cannot do without has a row.
is 'other systems: each package that is needed has a name there' \
	"$(grep -oE "(command_or|header_or) [^ ]+ \"?[a-z0-9-]+$|need (clang|gcc)[;}]" .ci/setup | sed 's/.* "\{0,1\}//; s/[;}]//' | sort -u |
		while read -r package; do grep -q "^$package|" .ci/packages || echo "$package"; done)" ''

# A second one begins while the first one installs. The first one's apt-get ends when the second one
# waits for the first, or has called apt-get as well, which refuses that.
mkfifo "$tmp/installs" "$tmp/second"
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
[ "\$1" = update ] || exit 0
if ! mkdir "$tmp/lists" 2>/dev/null; then
	echo >"$tmp/second"
	echo 'E: Unable to lock directory'
	exit 100
fi
if [ "\$WHICH" = first ]; then
	echo >"$tmp/installs"
	read -r _ <"$tmp/second"
fi
rmdir "$tmp/lists"
END
cat >"$tmp/bin/flock" <<END
#!/bin/sh
[ "\$WHICH" = first ] || echo >"$tmp/second"
exec "$(command -v flock)" "\$@"
END
chmod +x "$tmp/bin/flock"
setup_of() {
	WHICH=$1 SETUP=install PATH="$tmp/bin:$PATH" CC=no-such-cc CLANG=no-such-clang sh .ci/setup build >"$tmp/of_$1" 2>&1
}
setup_of first &
first=$!
read -r _ <"$tmp/installs"
setup_of other
is 'a second set-up waits for the first: status' "$?" 0
wait "$first"
is '... and that of the first' "$?" 0
rm "$tmp/bin/flock"

# Another apt has the lock of the lists, twice; the third time it is free.
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "apt-get \$*" >>"$tmp/apt"
[ "\$(grep -c update "$tmp/apt")" -gt 2 ] ||
	{ echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'; exit 100; }
END
printf '#!/bin/sh\n' >"$tmp/bin/sleep"
chmod +x "$tmp/bin/sleep"
setup install build
is 'the lock of another apt: status' "$status" 0
is '... it is tried until it is free' "$(grep -c update "$tmp/apt")" 3
is '... and named once' "$(cat "$tmp/err")" \
	'pload: waiting for another apt: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'

# how_with GOAL... - how make calls the set-up for these goals: "install", or nothing. It stops
# before anything is made.
how_with() {
	# shellcheck disable=SC2016 # make expands it
	env -u SETUP -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -n --eval='how: ; $(error set-up: $(SETUP))' how "$@" 2>&1 |
		sed -n 's/.*\*\*\* set-up: *\(.*\)\.  Stop\.$/(\1)/p'
}
for goal in setup demo check check-all; do
	is "make $goal: the set-up installs" "$(how_with $goal)" '(install)'
done
for goal in all check-unit vm-check; do
	is "make $goal: the set-up installs nothing" "$(how_with $goal)" '()'
done
done_testing
