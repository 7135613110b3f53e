#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# `make install` and the Debian packages install a pload that works, its manual pages and documentation, its completion for three
# shells, and headers with which each example compiles; and remove it. What is built does not depend on where and when.
# Lane: free
. test/cli/lib.sh

out=${PROGS%/progs}
# It is for all users, whatever mask whoever installs it has.
run_make() { (umask 077 && "${MAKE:-make}" --no-print-directory O="$out" "$@" >"$tmp/make" 2>"$tmp/err"); }
files() { (cd "$1" && find . -type f -o -type l) | sort; }

root=$tmp/root
run_make install DESTDIR="$root" PREFIX=/usr
status=$?
is 'make install' "$status" 0
[ "$status" = 0 ] || { done_testing; exit; }
for file in sbin/pload sbin/attach-regress sbin/pload-judge lib/pload/progs/ip_count.bpf.o share/man/man8/pload.8 \
	share/man/man8/pload-judge.8 share/man/man7/pload-events.7 \
	share/man/man7/pload-profile.7 share/man/man8/attach-regress.8 share/bash-completion/completions/pload \
	share/doc/pload/CHANGELOG.md include/pload/uapi/linux/bpf.h share/pkgconfig/pload.pc; do
	is "it installs $file" "$([ -s "$root/usr/$file" ] && echo so)" so
done
is 'everybody may read all of it' "$(find "$root" ! -type l ! -perm -o+r)" ''
PLOAD=$root/usr/sbin/pload
run --version
has 'the installed pload has the version of the change log' "$tmp/out" \
	"pload $(sed -n 's/^## \([0-9.]*\), .*/\1/p' CHANGELOG.md | head -n 1)"
run profile --dry-run -d 0
has 'pload profile finds the installed object' "$tmp/err" "\"$root/usr/sbin/../lib/pload/progs/profile.bpf.o\""

# --- manual pages ---

man=$root/usr/share/man
for page in "$man"/*/*; do
	name=$(basename "$page")
	if ! command -v mandoc >/dev/null; then
		skip "$name is clean" 'mandoc is not installed'
		continue
	fi
	is "$name is clean" "$(mandoc -T lint -W warning "$page")" ''
done
commands=$(sh "$root/usr/share/pload/complete.sh" "$PLOAD" '' | grep -vx help)
for command in '' $commands; do
	# shellcheck disable=SC2086 # no command is no argument
	run $command --help=all
	missing=$(sed -n 's/^ .*\(--[a-z][a-z-]*\).*/\1/p' "$tmp/out" | sort -u | while read -r option; do
		tr -d '\\' <"$man/man8/pload.8" | grep -qF -- "$option" || echo "$option"
	done)
	is "pload(8) has each option of pload $command" "$missing" ''
done
is 'no page has Markdown in it' "$(grep '`' "$man"/*/* | sed "s|^$man/||")" ''
has 'attach-regress(8) has what the suite takes from the environment' "$man/man8/attach-regress.8" 'PLOAD_TEST_HOTPLUG=1'
is 'pload(8) names files where they were installed' "$(grep -o '/[a-z/]*lib/pload/progs' "$man/man8/pload.8" | sort -u)" /usr/lib/pload/progs
# An installed pload has manual pages to refer to, and no tree.
# pload profile looks for its object in a build, too, and the page about that says so.
is 'no message names a file of a build' "$(grep -aoE '.{0,20}build/(progs|attach)[^ ]*' "$PLOAD" "$root/usr/sbin/attach-regress" |
	grep -avE 'profile\.bpf\.o|lib/pload/progs')" ''
is 'no message refers to a page of the tree' "$(grep -aoE 'docs/[a-z]+\.md' "$PLOAD" | sort -u)" ''
grep -aohE 'pload-[a-z]+\([78]\)' "$PLOAD" | sort -u >"$tmp/pages"
is 'messages refer to manual pages' "$([ "$(wc -l <"$tmp/pages")" -ge 3 ] && echo so)" so
is 'and each is there' "$(while IFS='()' read -r page section _; do
	[ -e "$man/man$section/$page.$section" ] || echo "$page($section)"
done <"$tmp/pages")" ''

# --- documentation ---

# links FILE... - "FILE LINK" for each relative link of these pages.
links() {
	for page; do
		tr '\n' ' ' <"$page" | grep -oE '\]\([^() ]*\)' | sed "s|^](|$page |; s/)\$//" | grep -vE ' [a-z]+:'
	done
}
# broken DIRECTORY - those below it that lead to no file, or to no chapter of it as GitHub names chapters.
broken() {
	# shellcheck disable=SC2046 # names without blanks
	(cd "$1" && links $(find . -name '*.md' ! -path './build/*') | while read -r page link; do
		file=${link%%#*} chapter=''
		case $link in *'#'*) chapter=${link#*#} ;; esac
		file=${file:+${page%/*}/$file}
		[ -e "${file:-$page}" ] || echo "$page: $link"
		[ -z "$chapter" ] || sed -n 's/^##* //p' "${file:-$page}" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx -e "$chapter" ||
			echo "$page: $link"
	done)
}

doc=$root/usr/share/doc/pload
is 'links of the tree lead somewhere' "$(broken .)" ''
is 'links of installed pages lead to what is installed' "$(broken "$doc")" ''
# shellcheck disable=SC2046
is 'and most of them are kept' "$([ "$(cd "$doc" && links $(find . -name '*.md') | wc -l)" -ge 100 ] && echo so)" so
cat >"$tmp/page.md" <<'END'
![a picture](none.svg)
![ours](../a.svg) [`here`](#x), [a](a.md#b) and [b c](../none.md), [two
lines](none.c) ([dir](../d/)) [out](https://x.org/y) build/progs/x.o ./pload @DATADIR@
END
is 'other links become their text' "$(awk -v name=docs/page.md -v installed='a.svg docs/page.md docs/a.md' -v libdir=/l -v datadir=/d \
	-f docs/install/place.awk "$tmp/page.md")" '
![ours](../a.svg) [`here`](#x), [a](a.md#b) and b c, two
lines (dir) [out](https://x.org/y) /l/progs/x.o pload /d'
is 'no page but README.md names what only the tree has' "$(grep -rlE 'build/|\./pload' "$root/usr/share" | grep -v README.md)" ''

# --- headers ---

if ! command -v pkg-config >/dev/null; then
	skip 'each example compiles with the installed headers' 'pkg-config is not installed'
else
	flags=$(PKG_CONFIG_LIBDIR=$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags pload)
	sources="$doc/progs/*.bpf.c $PWD/test/compat/*.c"
	# shellcheck disable=SC2086 # words
	(cd "$tmp" && for source in $sources; do
		$CLANG -O2 -g -Wall -Werror -nostdlibinc $flags -c "$source" -o example.o && echo "$source"
	done) >"$tmp/out" 2>"$tmp/err"
	is 'and so does each program for other headers' "$(grep -c compat/ "$tmp/out")" "$(ls test/compat/*.c | wc -l)"
	is 'each example compiles with the installed headers' "$(grep -c progs/ "$tmp/out") $(cat "$tmp/err")" "$(ls progs/*.bpf.c | wc -l) "
fi

# --- completion ---

# completed NAME WORDS CANDIDATE - CANDIDATE is among those for these words, of which the last is
# being written.
completed() {
	# shellcheck disable=SC2086 # words
	sh "$root/usr/share/pload/complete.sh" "$PLOAD" $2 >"$tmp/out"
	is "completion: $1" "$(grep -cxF -- "$3" "$tmp/out")" 1
}
completed 'a command' 'comp' compare
completed 'an option' '--dur' --duration=
completed 'an option of a command' 'load --skip' --skip-failing
completed 'a value' '--attach=' --attach=link
completed 'a value of a command' 'compare --format=h' --format=html
completed 'a value that is a word' '--attach l' link
completed 'a format of a session' '--format=fl' --format=flamegraph
completed 'a part of a list' 'compare --only=l' --only=least
completed 'help' 'hel' help
completed 'a command to explain' 'help st' stat
completed 'an argument' 'probe ty' types
completed 'the second event' '-e cpu-clock,page-f' cpu-clock,page-faults
completed 'an event of a group' '-e {cpu-clock,page-f' '{cpu-clock,page-faults'
completed 'an alternative' '--counter=cycles,or=page-f' --counter=cycles,or=page-faults
completed 'an event' '-e cpu-c' cpu-clock
completed 'an event of a long option' '--event=page-f' --event=page-faults
completed 'a reason' 'explain perf-open/no-p' perf-open/no-pmu
sh "$root/usr/share/pload/complete.sh" "$PLOAD" prog.o comp >"$tmp/out"
is 'completion: no command after an object' "$(cat "$tmp/out")" ''
sh "$root/usr/share/pload/complete.sh" "$PLOAD" stat -- ls --f >"$tmp/out"
is 'completion: no option of another program' "$(cat "$tmp/out")" ''

# Every word of the parser is offered, and no other. The parser is asked about each option of the tables in the source, and about each
# word that its refusal of a value has.
offers() { sh "$root/usr/share/pload/complete.sh" "$PLOAD" "$@"; }
grep -rhoE '^	t?\{ "[a-z-]+", (0|'"'.'"'), ("=[^"]*"|"\[=[^"]*"|NULL)' loader/core/cmd loader/commands | sort -u >"$tmp/table"
sed 's/[^"]*"\([a-z-]*\)".*/--\1/' "$tmp/table" | sort -u >"$tmp/options"
sed -n "s/.*, '\(.\)', .*/-\1/p" "$tmp/table" | sort -u >>"$tmp/options"
is 'completion: options in the source' "$([ "$(wc -l <"$tmp/options")" -gt 70 ] && echo so)" so
# takes COMMAND OPTION VALUE - the parser takes it, and with --help runs nothing.
takes() {
	# shellcheck disable=SC2086 # no command is no argument
	case $2 in
	--*) "$PLOAD" $1 --help "$2${3:+=$3}" >/dev/null 2>"$tmp/err" ;;
	*) "$PLOAD" $1 --help "$2" ${3:+"$3"} >/dev/null 2>"$tmp/err" ;;
	esac
}
values=0
for command in '' $commands; do
	: >"$tmp/known"
	: >"$tmp/valued"
	while read -r option; do
		takes "$command" "$option" '' || ! grep -q '^pload: unknown ' "$tmp/err" || continue
		echo "$option" >>"$tmp/known"
		# shellcheck disable=SC2020 # letters, as they come
		case $option in --*) takes "$command" "$option" @ || tr -c 'a-z_\n' '\n' <"$tmp/err" | grep -xE '[a-z_]{3,}' | sort -u | while read -r word; do
			! takes "$command" "$option" "$word" || echo "$option=$word"
		done >>"$tmp/valued" ;; esac
	done <"$tmp/options"
	# shellcheck disable=SC2086 # no command is no argument
	offers $command - >"$tmp/offered"
	is "completion: each option of pload $command, and no other" "$(sed 's/=.*//' "$tmp/offered" | sort -u)" "$(sort -u "$tmp/known")"
	is "completion: each value of an option of pload $command" "$(sort -u "$tmp/valued" | grep -vxFf "$tmp/offered" | tr '\n' ' ')" ''
	values=$((values + $(wc -l <"$tmp/valued")))
done
is 'completion: there are values' "$([ "$values" -gt 30 ] && echo so)" so
run list --format=json '*'
{ value list-event event; value list-event alias; } | grep -vx -e null -e '' | sort -u >"$tmp/events"
offers -e '' | sort -u >"$tmp/offered"
is 'completion: each event of pload list' "$(comm -23 "$tmp/events" "$tmp/offered" | head -n 5)" ''
is 'completion: each command' "$(offers '' | sort)" "$(printf '%s\n' help $(grep -rhoE '^	\.name = "[a-z]+"' loader/core/cmd loader/commands | cut -d'"' -f 2) | sort)"
for command in $commands; do
	run help "$command"
	is "completion: pload help $command" "$status $(offers help "$command")" "0 $command"
done
sh "$root/usr/share/pload/complete.sh" "$root/usr/sbin/attach-regress" -t bind >"$tmp/out"
is 'completion: a group of tests' "$(grep -cxF binding "$tmp/out")" 1
is 'completion: a test' "$(grep -cxF binding.1 "$tmp/out")" 1

sed "s|/usr/share/pload|$root&|" "$root/usr/share/bash-completion/completions/pload" >"$tmp/pload.bash"
sed "s|/usr/share/pload|$root&|" "$root/usr/share/zsh/site-functions/_pload" >"$tmp/pload.zsh"
sed "s|/usr/share/pload|$root&|" "$root/usr/share/fish/vendor_completions.d/pload.fish" >"$tmp/pload.fish"
PATH=$root/usr/sbin:$PATH
export PATH
in_shell() {
	if command -v "$1" >/dev/null; then
		is "$1: $2" "$(cat "$tmp/out")" "$3"
	else
		skip "$1: $2" "$1 is not installed"
	fi
}
! command -v bash >/dev/null || bash -c '. "$1"; COMP_LINE="pload --attach=li"; COMP_POINT=${#COMP_LINE}; _pload; echo "${COMPREPLY[@]}"' \
	bash "$tmp/pload.bash" >"$tmp/out" 2>"$tmp/err"
in_shell bash 'what follows =' link
! command -v zsh >/dev/null || zsh -fc 'compadd() { [[ $1 == -a ]] && print -l -- ${(P)2}; }; words=(pload comp); CURRENT=2
	_files() { }; . "$1"' zsh "$tmp/pload.zsh" >"$tmp/out" 2>"$tmp/err"
in_shell zsh 'a command' compare
! command -v fish >/dev/null || HOME=$tmp fish -c 'source $argv[1]; complete -C "pload --no-in"' "$tmp/pload.fish" >"$tmp/out" 2>"$tmp/err"
in_shell fish 'an option' --no-inherit

# --- uninstall ---

others='./usr/share/doc/pload/other
./usr/share/man/man8/other.8'
for file in $others; do : >"$root/$file"; done
run_make uninstall DESTDIR="$root" PREFIX=/usr
is 'make uninstall' $? 0
is 'it removes what was installed, and nothing else' "$(files "$root")" "$others"
is 'and directories that are then empty' "$(cd "$root/usr" && ls -d lib/pload share/pload include/pload share/doc/pload/* 2>/dev/null)" \
	share/doc/pload/other

# --- the Debian packages ---

skip_rest_if 'the Debian packages' "$(unchanged debian docs/install GNUmakefile CHANGELOG.md)"
version=$(sed -n 's/^## \([0-9.]*\), .*/\1/p' CHANGELOG.md | head -n 1)
is 'they have the version of the change log' "$(sed -n '1s/^pload (\(.*\)) .*/\1/p' debian/changelog)" "$version"
tree=$tmp/other/place/pload
# build WORD... - build in a copy of this tree with what it has built, whose flags are ours and not those of dpkg-buildflags.
build() {
	(cd "$tree" && umask 027 && env -u MAKEFLAGS -u MAKELEVEL TZ=Asia/Tokyo DEB_CFLAGS_SET= DEB_CPPFLAGS_SET= DEB_LDFLAGS_SET= \
		"$@" >"$tmp/make" 2>"$tmp/err")
}
mkdir -p "$tree/build"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tree"
tar -c -C "$out" attach-regress docs elf embedded flags judge judge-embedded.c judge-embedded.o loader man progs raw regress test tour tour-loader | tar -x -C "$tree/build"
build "${MAKE:-make}" build/flags
[ "$out" = build ] && cmp -s build/flags "$tree/build/flags"
skip_rest_if 'the same build elsewhere, and the packages' "$([ $? = 0 ] || echo 'this build has flags of its own')"

# The rest is compiled by the same rules; `make reproducible` compares whole packages.
parts='build/elf/image.o build/loader/core/cmd/options.o build/docs/tour/raw.o build/raw build/progs/ip_count.bpf.o build/regress/embedded.o'
# shellcheck disable=SC2086 # words
(cd "$tree" && rm $parts build/regress/embedded.c)
# shellcheck disable=SC2086
build "${MAKE:-make}" $parts
is 'elsewhere, and later, the same is built: status' $? 0
for part in $parts; do
	cmp -s "$out/${part#build/}" "$tree/$part"
	is "elsewhere, and later, the same is built: ${part#build/}" $? 0
done

{ command -v dpkg-buildpackage && command -v dh; } >"$tmp/out" || skip_rest 'the packages' 'dpkg-buildpackage or debhelper is not installed'
skip_rest_if 'the packages' "$(dpkg-checkbuilddeps 2>&1)"
build dpkg-buildpackage -b -nc -us -uc
is 'dpkg-buildpackage' $? 0
debs=$(ls "$tree"/../*.deb)
# shellcheck disable=SC2086
is 'three packages' "$(for deb in $debs; do dpkg-deb -f "$deb" Package; done | LC_ALL=C sort)" 'attach-regress
pload
pload-dev'
for deb in $debs; do
	name=$(dpkg-deb -f "$deb" Package)
	dpkg-deb -x "$deb" "$tmp/packages"
	case $name in
	pload-dev) wanted='all ' ;;
	*) wanted="$(dpkg --print-architecture) glibc" ;;
	esac
	is "$name: architecture, and what it was built with" \
		"$(dpkg-deb -f "$deb" Architecture) $(dpkg-deb -f "$deb" Built-Using | sed 's/ .*//')" "$wanted"
done
is 'their links lead to what they install' "$(broken "$tmp/packages/usr/share/doc/pload")" ''
if command -v lintian >/dev/null; then
	# shellcheck disable=SC2086
	lintian --allow-root $debs >"$tmp/out" 2>&1
	is 'lintian: nothing but what is overridden with its reason' "$(cat "$tmp/out")" ''
else
	skip 'lintian' 'it is not installed'
fi
if [ "$(id -u)" != 0 ]; then
	skip 'they are installed in a bare root, used and removed' 'this needs root'
else
	bare=$tmp/bare
	mkdir -p "$bare/var/lib/dpkg/info" "$bare/var/lib/dpkg/updates" && : >"$bare/var/lib/dpkg/status"
	# shellcheck disable=SC2086
	dpkg --root="$bare" -i $debs >"$tmp/make" 2>"$tmp/err"
	is 'they are installed where nothing else is' $? 0
	chroot "$bare" /usr/sbin/pload --dry-run -d 0 /usr/lib/pload/progs/ip_count.bpf.o >"$tmp/out" 2>"$tmp/err"
	is 'and used there: status' $? 0
	has 'and used there: output' "$tmp/out" 'ip_count on cpu-clock'
	chroot "$bare" /usr/sbin/attach-regress --version >"$tmp/out" 2>"$tmp/err"
	is 'the suite, too' $? 0
	dpkg --root="$bare" -P pload pload-dev attach-regress >"$tmp/make" 2>"$tmp/err"
	is 'and removed' "$(find "$bare" -name '*pload*' -o -name attach-regress)" ''
fi
done_testing
