#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Profiles of a real program, each format opened by a reader of it: a browser, a JSON parser, a grammar.
# Lane: sampling
. test/cli/lib.sh

refused 'no stacks, no picture' 1 '[output/no-stacks]' --dry-run --format=folded -e cpu-clock "$PROGS/ip_count.bpf.o"
refused 'formats of a session only' 2 "unknown output format 'folded'" list --format=folded

# Without the path of an object: it is found from where pload lies, unless others may write there.
pload=$PLOAD
cp "$pload" "$tmp/pload"
PLOAD=$tmp/pload
refused 'pload profile: an object in none of three folders' 1 'object/no-file' profile --dry-run -d 1
for folder in build/progs progs; do
	mkdir -p "$tmp/$folder"
	cp "$PROGS/profile.bpf.o" "$tmp/$folder"
	run profile --dry-run -d 1
	is "pload profile: the object in $folder: status" "$status" 0
	has "pload profile: the object in $folder" "$tmp/err" "\"$tmp/$folder/profile.bpf.o\""
	for part in "$tmp/$folder" "$tmp/$folder/profile.bpf.o"; do
		chmod o+w "$part"
		refused "pload profile: all may write to ${part#"$tmp/"}" 1 "'$part' is another user's" profile --dry-run -d 1
		has "pload profile: all may write to ${part#"$tmp/"}: the reason" "$tmp/err" object/foreign
		chmod o-w "$part"
	done
	[ "$(id -u)" != 0 ] || {
		chown 65534 "$tmp/$folder"
		refused "pload profile: $folder is another user's" 1 object/foreign profile --dry-run -d 1
		chown 65534 "$PLOAD"
		run profile --dry-run -d 1
		is "pload profile: $folder is that of the owner of pload" "$status" 0
		chown 0 "$PLOAD"
	}
	rm -r "${tmp:?}/$folder"
done
PLOAD=$pload

skip_rest_if 'profiles' "$(kernel_refuses)"
hot="$tmp/<b>;\"x"
${CC:-cc} -O0 -fno-omit-frame-pointer -o "$hot" test/cli/profile.c || exit 1

# draw FORMAT - the profile of the program in that format, in $tmp/FORMAT.
draw() { run "--format=$1" -o "$tmp/$1" -e cpu-clock -F 499 "$PROGS/profile.bpf.o" -- "$hot"; }
for format in text folded flamegraph json; do
	draw $format
	is "$format: the status" "$status" 0
	is "$format: nothing on standard output" "$(cat "$tmp/out")" ''
	case $format in
	text | json) ;;
	*) has "$format: the summary is on standard error" "$tmp/err" 'attached by ioctl for' ;;
	esac
done

run profile --format=json -e cpu-clock -F 499 -- "$hot"
is 'pload profile: status' "$status" 0
is 'pload profile: the profile and the summary, and no row' \
	"$(sed 's/^{"type":"\([a-z-]*\)".*/\1/' "$tmp/out" | tr '\n' ' ')" 'session profile summary '
is 'pload profile: the rate that was asked for' "$(value profile period_ns)" 2004008
run profile --format=json -- "$hot"
is 'pload profile: 999 Hz' "$(value profile period_ns)" 1001001
run profile -- "$hot"
has 'pload profile: text is its format' "$tmp/out" '    self   samples    total   samples  function'
has_not 'pload profile: no rows' "$tmp/out" 'counts (hash'
run profile -d 50ms -e cpu-clock -p $$
is 'an empty profile: status' "$status" 0
has 'an empty profile: a note' "$tmp/err" 'note: the profile is empty: no program ran'

has 'text: the functions' "$tmp/text" '    self   samples    total   samples  function'
has 'text: inner_hot' "$tmp/text" 'inner_hot ('
has 'text: the tree' "$tmp/text" 'call tree, callers first'

# stackcollapse's lines, as flamegraph.pl takes them apart: /^(.*)\s+?(\d+(?:\.\d*)?)$/, frames between semicolons.
is 'folded: each line is a stack' "$(grep -cvE '^[^;]+(;[^;]+)* [0-9]+$' "$tmp/folded")" 0
has 'folded: a semicolon in a name ends no frame' "$tmp/folded" '<b>:"x;'
is 'folded: inner_hot below outer' "$(grep -cE ';outer;inner_hot(;| [0-9]+$)' "$tmp/folded" | sed 's/[1-9][0-9]*/some/')" some
is 'folded: aside beside it' "$(grep -cE ';main;aside(;| [0-9]+$)' "$tmp/folded" | sed 's/[1-9][0-9]*/some/')" some
is 'folded: no stack twice' "$(sed 's/ [0-9]*$//' "$tmp/folded" | sort | uniq -d)" ''

# --- JSON ---

if command -v python3 >/dev/null; then
	python3 - "$tmp/json" >"$tmp/checked" 2>&1 <<-'END'
	import json, sys
	# The message of JSON: sums agree with the stacks.
	with open(sys.argv[1]) as f:
	    (m,) = [m for m in map(json.loads, f) if m["type"] == "profile"]
	assert m["total"] == sum(m["weights"]) == sum(f["self"] for f in m["functions"])
	for i, f in enumerate(m["functions"]):
	    assert f["total"] == sum(w for s, w in zip(m["stacks"], m["weights"]) if i in s)
	assert any(m["functions"][stack[-1]]["symbol"] == "inner_hot" for stack in m["stacks"])
	print("right")
	END
	is 'JSON: as its readers expect' "$(tail -n 1 "$tmp/checked")" right
else
	skip 'JSON' 'no python3'
fi

has 'JSON: the title is the command' "$tmp/json" '\u003cb>;\u0022x ('
has 'JSON: and the object' "$tmp/json" 'profile.bpf.o: cpu-clock, attached by ioctl)'

# --- the flame graph, in a browser ---

has_not 'flame graph: nothing from elsewhere' "$tmp/flamegraph" '://'
browser=$(browser)
if [ -n "$browser" ]; then
	# A page that is driven: the same bytes, and the script after them.
	{ cat "$tmp/flamegraph"; echo '<script>{'; cat test/cli/profile.js; echo '}</script>'; } >"$tmp/page.html"
	rendered "$browser" "$tmp/page.html" --window-size=1200,800 >"$tmp/dom"
	sed -n '/<pre id="seen">/,/<\/pre>/p' "$tmp/dom" | sed 's/.*<pre id="seen">//; s/<\/pre>.*//' >"$tmp/seen"
	: >"$tmp/err"
	while IFS='|' read -r what wanted; do
		is "flame graph: $what" "$(sed -n "s/^$what=//p" "$tmp/seen")" "$wanted"
	done <<-'END'
	sorted by name|true
	sorted by total|&lt;b&gt;;"x
	state|#node=N&amp;search=R_h&amp;sort=total&amp;turned=1
	no state|
	restored|true
	a wrong state|
	markup|&lt;img src=x onerror=document.title=1&gt; 0
	searched by Enter|true
	a long search|4096
	boxes|true
	elements of names|0
	command|true
	rows|true
	widths|true
	hover|true
	search has focus|search
	found|true
	matches|true
	regular expression|true
	no regular expression|no match
	row|^inner_hot$ true
	nothing|no match
	before|false
	click|true
	share of the enlarged one|true
	escape|false
	arrow|&lt;b&gt;;"x
	enter|true
	back|all
	turned|true
	END
	is 'flame graph: a link does not start a search that may take for ever' \
		"$(grep -c '^slow=.* Enter searches for it$' "$tmp/seen") $(grep -c ^slow= "$tmp/seen")" '7 7'
	is 'flame graph: a link starts other searches' "$(grep -c '^quick=.* true$' "$tmp/seen") $(grep -c ^quick= "$tmp/seen")" '4 4'
else
	skip 'flame graph' 'no chromium'
fi
done_testing
