#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# judge --conformance: the pages of docs/loading are whole, pload does what they say, and for each MUST a wrong loader fails.
# Lane: conformance
. test/cli/lib.sh
export TMPDIR="$tmp/files"
mkdir "$TMPDIR"
judge=${PROGS%/progs}/judge here=test/judge/conformance

conformance() {
	last_run="judge --conformance $*"
	"$judge" --conformance "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# --- the words of the command line, for which no kernel is needed ---

conformance
is 'the statements: status' $status 0
is 'the statements: as many as there should be' "$([ "$(wc -l <"$tmp/out")" -ge 150 ] || wc -l <"$tmp/out")" ''
awk '$2 == "MUST" { print $1 }' "$tmp/out" | sort >"$tmp/musts"
conformance maps.1
is 'one statement: a line' "$(cut -d ' ' -f 1 "$tmp/out")" maps.1
conformance --help
has '--help: usage' "$tmp/out" 'usage: judge --conformance '
for words in 'map -- true|there is no chapter or statement '\''map'\' 'maps --|the command of your loader is missing' \
		'--format=xml -- true|--format=xml: text, tap or json' '--timeout=0 -- true|--timeout=0: a number from 1' \
		'--nothing|judge --conformance --help shows'; do
	# shellcheck disable=SC2086 # words are words
	conformance ${words%%|*}
	is "--conformance ${words%%|*}: status" $status 2
	has "--conformance ${words%%|*}: message" "$tmp/err" "${words#*|}"
done
conformance --pages="$tmp/none"
is 'no such pages: status' $status 4
has 'no such pages: message' "$tmp/err" "--pages=$tmp/none: No such file"

# --- pages that are wrong ---

mkdir "$tmp/pages"
cat >"$tmp/page.md" <<'END'
# Maps

## maps.1: One

**MUST.** A map is created. The kernel has it.

```object
section perf_event
func main
r0 = 0
exit
section .maps
map counts type=hash key_size=4 value_size=8 max_entries=16
```
```expect
map counts max_entries=16
loaded
```
END
cp "$tmp/page.md" "$tmp/pages/maps.md"
conformance --pages="$tmp/pages"
is 'a page: status' $status 0
is 'a page: its statement' "$(cat "$tmp/out")" 'maps.1         MUST   One'

# wrong_page NAME LINE SENTENCE SED - the page after the sed script has that mistake.
wrong_page() {
	sed "$4" "$tmp/page.md" >"$tmp/pages/maps.md"
	conformance --pages="$tmp/pages"
	is "a page $1: status" $status 4
	has "a page $1: place and message" "$tmp/err" "docs/loading/maps.md:$2: $3"
}
wrong_page 'with a gap' 3 "the heading 'maps.2' does not begin a statement: '## maps.1: TITLE' would" 's/maps\.1/maps.2/'
wrong_page 'with an id twice' 20 "the heading 'maps.1' does not begin a statement: '## maps.2: TITLE' would" '$a\
\
## maps.1: Again'
wrong_page 'of another chapter' 3 "the heading 'data.1' does not" 's/maps\.1/data.1/'
wrong_page 'without a title' 3 "the heading 'maps.1' does not" 's/maps\.1: One/maps.1/'
wrong_page 'without a level' 3 'maps.1 has no level' 's/\*\*MUST\.\*\* //'
wrong_page 'with two levels' 6 'maps.1 has two levels' '5a\
**MAY.** Or not.'
wrong_page 'without a reason' 3 'maps.1 has no reason' 's/ The kernel has it\.//'
wrong_page 'without an object' 3 'maps.1 has no object' 's/^```object/```text/'
wrong_page 'with two objects' 15 'maps.1 has two objects' '14a\
```object\
```'
wrong_page 'that expects nothing' 3 'maps.1 expects nothing' 's/^```expect/```text/'
wrong_page 'with an empty block' 16 'maps.1 expects nothing' '/^map counts max/d; /^loaded/d'
wrong_page 'with a block that does not end' 17 'the block has no end' '$d'
wrong_page 'with a misspelt key' 16 "'map counts max_entry=16': a line 'map' has no 'max_entry'; it has: type key_size" 's/counts max_entries/counts max_entry/'
wrong_page 'with an unknown line' 16 "'mpa counts max_entries=16': no line of what is seen begins so" 's/^map counts max/mpa counts max/'
wrong_page 'with a word too many' 16 "'map counts hash max_entries=16': the line has too many words" 's/counts max/counts hash max/'
wrong_page 'with words after a key' 16 "'map max_entries=16 counts': after the first KEY=VALUE" 's/counts max_entries=16$/max_entries=16 counts/'
wrong_page 'with bytes of a map' 16 "'map counts = 16': no bytes can follow here" 's/counts max_entries=16$/counts = 16/'
wrong_page 'with an unknown placeholder' 16 "'map counts max_entries={cpu}': there is no such placeholder" 's/counts max_entries=16$/counts max_entries={cpu}/'
wrong_page 'with an unknown call' 7 'Call: is followed by load, ioctl, pmu or link' '6a\
Call: attach'
wrong_page 'with an unknown condition' 7 "the judge does not know what 'Linx 5.8' is" '6a\
Needs: little-endian, Linx 5.8'
wrong_page 'with one block where loaders differ' 3 'maps.1 needs a name for each of two blocks' 's/\*\*MUST\.\*\*/**Loaders differ.**/'
wrong_page 'with a named block of a MUST' 3 'maps.1 has several blocks, or one with a name' 's/^```expect/& one/'

sed 's/^map counts type/mpa counts type/' "$tmp/page.md" >"$tmp/pages/maps.md"
conformance --pages="$tmp/pages" --assemble="$tmp/objects"
is 'a wrong object: status' $status 4
has 'a wrong object: place' "$tmp/err" 'docs/loading/maps.md: the object of maps.1, which begins at line 8: line 6: '

# --- the bytes of the objects ---

if [ "$(printf '\001\000' | od -An -td2 | tr -d ' ')" != 1 ]; then
	skip 'the objects are as they were' 'this machine has the other byte order'
else
	conformance --assemble="$tmp/objects"
	is 'the objects: status' $status 0
	is 'the objects are as they were: make conformance-objects' "$(cd "$tmp/objects" && sha256sum ./*.o | diff - "$OLDPWD/$here/objects.sha256" |
		sed -n 's|.*\./\(.*\)\.o$|\1|p' | sort -u | tr '\n' ' ')" ''
fi

refused=$(kernel_refuses)
[ -z "$refused" ] || skip_rest 'it judges' "$refused"
[ "$(id -u)" = 0 ] || skip_rest 'it judges' 'it needs root'

# --- pload ---

loader="sh test/judge/loaders/pload.sh"
# shellcheck disable=SC2086 # words
conformance --format=json -- $loader
is 'pload: status' $status 0
is 'pload: a line for each statement' "$("$JSON" statement id <"$tmp/out" 2>/dev/null | wc -l)" "$("$judge" --conformance | wc -l)"
is 'pload does what a loader MUST do' "$(sed -n 's/.*"id":"\([^"]*\)".*"result":"fail".*/\1/p' "$tmp/out" | tr '\n' ' ')" ''

# --- wrong loaders; WRONG=PATTERN selects some ---

# The other files of pload, to be linked with the one that is wrong; main() is among them.
archive() { [ -e "$tmp/pload.a" ] || find "${PROGS%/progs}/elf" "${PROGS%/progs}/loader" -name '*.o' | xargs ar rcs "$tmp/pload.a"; }

# build WRONG - the command of the wrong loader is in $command; it is empty where it cannot be built, and $cause says why.
build() {
	file=$(sed -n 's/^file //p' "$1") command=''
	awk -f test/mutants/apply.awk -v mutant="$1" "$file" >"$tmp/wrong.c" 2>"$tmp/err" || { cause=$(cat "$tmp/err"); return; }
	case $file in
	*.py)
		rm -rf "$tmp/python" && mkdir "$tmp/python" && cp test/judge/loaders/*.py "$tmp/python" && cp "$tmp/wrong.c" "$tmp/python/${file##*/}"
		command="python3 -B $tmp/python/loader.py"
		;;
	*)
		archive
		rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/${file%/*}" && cp "$tmp/wrong.c" "$tmp/tree/$file"
		sources=$tmp/tree/$file
		# A function of a header is in each file that includes it.
		[ "${file%.h}" = "$file" ] || sources=$(grep -rlF --include='*.c' "\"$file\"" elf loader)
		# shellcheck disable=SC2086 # words
		if (for source in $sources; do
			${CC:-cc} -std=gnu11 -w -O1 -D_GNU_SOURCE -I"$tmp/tree" -I. -Iuapi -I"${PROGS%/progs}/embedded" -c \
				-o "$tmp/tree/$(echo "$source" | tr / -).o" "$source" || exit 1
		done && ${CC:-cc} -static -o "$tmp/wrong" "$tmp"/tree/*.o "$tmp/pload.a" -lz -liberty -lm -pthread) 2>"$tmp/err"; then
			command="env PLOAD=$tmp/wrong $loader"
		fi
		cause='it cannot be built'
		;;
	esac
}

# The first of a chapter is tried in any case, unless it needs a compiler.
python=$(python3 -c 'import ctypes' 2>/dev/null || echo 'there is no python3 with ctypes')
cause_c=$(unchanged elf loader) cause_python=$(unchanged test/judge/conformance test/judge/loaders docs/loading)
: >"$tmp/proved"
for wrong in "$here"/wrong/${WRONG:-*}.wrong; do
	name=$(basename "$wrong" .wrong) checks=$(sed -n 's/^checks //p' "$wrong")
	case $(sed -n 's/^file //p' "$wrong") in *.py) cause=${python:-$cause_python} ;; *) cause=$cause_c ;; esac
	echo "$checks" | tr ' ' '\n' >>"$tmp/proved"
	if [ -n "$cause" ]; then
		skip "$name" "$cause"
		continue
	fi
	build "$wrong"
	[ -n "$command" ] || { not_ok "$name: it is built" "$cause"; continue; }
	# shellcheck disable=SC2086 # words
	conformance --format=json $checks -- $command
	is "$name: fails at" "$(sed -n 's/.*"id":"\([^"]*\)".*"result":"\(fail\|skip\)".*/\1/p' "$tmp/out" | sort | tr '\n' ' ')" \
		"$(echo "$checks" | tr ' ' '\n' | sort | tr '\n' ' ')"
done
sort -u "$tmp/proved" >"$tmp/sorted"
is 'a wrong loader fails at statements that exist' "$(comm -23 "$tmp/sorted" "$tmp/musts" | tr '\n' ' ')" ''
echo "# no wrong loader for: $(comm -13 "$tmp/sorted" "$tmp/musts" | tr '\n' ' ')"

done_testing
