#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload explain: every reason in the source has a page, every page a use, and every code a test.
# Lane: free
. test/cli/lib.sh

run explain
is 'the list: status' "$status" 0
is 'the list: a code and what it means' "$(grep -c '^[a-z-]*/[a-z0-9-]* *[^ ]' "$tmp/out")" "$(wc -l <"$tmp/out" | tr -d ' ')"
cut -d' ' -f1 "$tmp/out" | sort >"$tmp/pages"
is 'the list: each code once' "$(uniq -d "$tmp/pages")" ''
run explain --format=json
is 'the list: JSON says the same' "$(sed 's/.*"code":"\([^"]*\)".*/\1/' "$tmp/out" | sort)" "$(cat "$tmp/pages")"
run explain '*'
is 'the pages: status' "$status" 0
is 'the pages: fit a terminal' "$(awk '!/^[a-z-]*\/[a-z0-9-]*: / && length > 80' "$tmp/out")" ''
is 'the pages: each says three things more' \
	"$(grep -cE '^  (from|check|remedy) +[^ ]' "$tmp/out")" "$(($(wc -l <"$tmp/pages") * 3))"
run explain --format=json '*'
is 'the pages: JSON has them too' "$(grep -c '"type":"reason-page".*"from":"..*"check":"..*"remedy":".' "$tmp/out")" \
	"$(wc -l <"$tmp/pages" | tr -d ' ')"
is 'the pages: are JSON' "$("$JSON" reason-page code <"$tmp/out" | tr -d '"' | sort)" "$(cat "$tmp/pages")"

run explain perf-open/no-pmu
is 'a page: status' "$status" 0
is 'a page: begins with its code' "$(sed 's/:.*//;q' "$tmp/out")" perf-open/no-pmu
run explain '[perf-open/no-pmu]' attach/too-many
is 'pages, one in the brackets of an error' "$(sed -n 's/^\([a-z-]*\/[a-z-]*\): .*/\1/p' "$tmp/out" | tr '\n' ' ')" \
	'perf-open/no-pmu attach/too-many '
run explain 'perf-open/no-*'
is 'a pattern' "$(sed -n 's/^\([a-z-]*\/[a-z-]*\): .*/\1/p' "$tmp/out" | sort)" "$(grep '^perf-open/no-' "$tmp/pages")"
run explain map-pin
is 'a beginning' "$(sed -n 's/^\([a-z-]*\/[a-z-]*\): .*/\1/p' "$tmp/out" | sort)" "$(grep '^map-pin/' "$tmp/pages")"
refused 'a code that is not there' 1 "no reason 'perf-open/nopmu'" explain perf-open/nopmu
has 'a code that is not there: which may be meant' "$tmp/err" 'did you mean perf-open/no-pmu'
has 'a code that is not there: its reason' "$tmp/err" '[usage/code]'
refused 'a code like no other' 1 "no reason 'xyzzy'" explain xyzzy
has 'a code like no other: where they are' "$tmp/err" 'hint: pload explain lists them all'

# --- a search: an errno, a call, a text ---

# found NAME CODES - of a search.
found() { is "$1" "$(sed -n 's/^\([a-z-]*\/[a-z0-9-]*\)[: ].*/\1/p' "$tmp/out" | sort | paste -sd' ' -)" "$2"; }
run explain 'missing btf func_info'
is 'the text of a log: status' "$status" 0
found 'the text of a log' writing/no-func-info
has 'the text of a log: the page' "$tmp/out" '  remedy'
run explain 'r1 TYPE=scalar Expected=map_ptr'
found 'upper and lower case' writing/map-reference
run explain '12: (85) call bpf_map_lookup_elem#1: R1 type=scalar expected=map_ptr, trusted_ptr_'
found 'a line with more than the page quotes' writing/map-reference
run explain '"x'
is 'a text like no other: status' "$status" 1
run explain EINVAL BPF_PROG_LOAD
is 'errno and call: status' "$status" 0
has 'errno and call: of a loader in the making' "$tmp/out" 'writing/empty-log '
has 'errno and call: of pload, whose file names the call' "$tmp/out" 'prog-load/too-old '
has_not 'errno and call: no other call' "$tmp/out" 'writing/datasec-size'
has_not 'errno and call: no other errno' "$tmp/out" 'writing/map-reference'
has_not 'errno and call: many pages are a list' "$tmp/out" '  remedy'
cp "$tmp/out" "$tmp/both"
run explain BPF_PROG_LOAD EINVAL
cmp -s "$tmp/out" "$tmp/both"
is 'errno and call: in either order' $? 0
run explain perf-open/no-pmu nonsense_text
is 'a code, and a text that no page has: status' "$status" 1
has 'a code, and a text that no page has: it is named' "$tmp/err" "no reason 'nonsense_text'"

# --- --attr: the compiler computes the same offsets ---

run explain --attr
is '--attr: status' "$status" 0
names=$(cut -d' ' -f1 "$tmp/out")
is '--attr: the list has each command of the trace once, and perf_event_attr' \
	"$(grep -oE '^	\[BPF_[A-Z_]*\]' loader/observe/trace/trace_bpf.c | tr -d '\t[]' | sort; echo perf_event_attr)" \
	"$(echo "$names" | sort)"
# shellcheck disable=SC2086 # names without blanks
run explain --attr $names
is '--attr: the fields of all: status' "$status" 0
awk '
	BEGIN {
		print "#include <stddef.h>\n#include <string.h>\n#include <linux/bpf.h>\n#include <linux/perf_event.h>"
		print "#define IS(type, field, off, size) _Static_assert(offsetof(type, field) == (off) && \\"
		print "\tsizeof(((type *)0)->field) == (size), #field)"
		print "#define BITS(field, off, mask) memset(&attr, 0, sizeof(attr)); attr.field = (mask); \\"
		print "\tmemcpy(&word, (char *)&attr + (off), 8); if (word != (mask) << first) return 1"
		print "int main(void)\n{\n\tstruct perf_event_attr attr;\n\tunsigned long long word, first;"
	}
	/^[A-Za-z]/ { type = /^perf/ ? "struct perf_event_attr" : "union bpf_attr"; next }
	/^ *offset/ { next }
	{ field = $3; sub(/,$/, "", field) }
	/, bits? / { printf "\tfirst = %d;\n\tBITS(%s, %d, %dull);\n", $5, field, $1, $7 ? 2 ^ ($7 - $5 + 1) - 1 : 1; next }
	{ printf "\tIS(%s, %s, %d, %d);\n", type, field, $1, $2 }
	END { print "\treturn 0;\n}" }' "$tmp/out" >"$tmp/offsets.c"
# at_least N TEXT - more than N lines of the program have it.
at_least() { [ "$(grep -c "$2" "$tmp/offsets.c")" -gt "$1" ] && echo yes; }
is '--attr: fields of both calls, and flags' "$(at_least 150 'IS(union')$(at_least 20 'IS(struct')$(at_least 35 '	BITS(')" yesyesyes
${CC:-cc} -Iuapi -w -o "$tmp/offsets" "$tmp/offsets.c" 2>"$tmp/err"
is '--attr: offsetof and sizeof are the same' "$?$(grep -o 'error:.*' "$tmp/err" | head -n 3)" 0
[ ! -x "$tmp/offsets" ] || "$tmp/offsets"
is '--attr: a program that sets a flag sets these bits' $? 0
run explain --attr BPF_PROG_LOAD
# Linux 3.18 has fixed these offsets.
is '--attr: fields that have never moved' "$(awk '$3 ~ /^(prog_type|insns|license|log_buf)$/ { print $3, $1, $2 }' "$tmp/out" |
	paste -sd, -)" 'prog_type 0 4,insns 8 8,license 16 8,log_buf 32 8'
has '--attr: what the kernel writes' "$tmp/out" 'log_true_size (a result)'
run explain --attr --format=json BPF_LINK_CREATE perf_event_attr
has '--attr: JSON: a field in a struct' "$tmp/out" \
	'{"type":"attr-field","attr":"BPF_LINK_CREATE","field":"link_create.perf_event.bpf_cookie","offset":16,"bytes":8,"result":false}'
has '--attr: JSON: a bit field' "$tmp/out" '"field":"precise_ip","offset":40,"bytes":8,"bit":15,"bits":2,"result":false}'
has '--attr: JSON: the size' "$tmp/out" '{"type":"attr","attr":"perf_event_attr","bytes":144}'
refused '--attr: a name that is not there' 1 "--attr does not know 'BPF_PROG_LOD'" explain --attr BPF_PROG_LOD
has '--attr: which may be meant' "$tmp/err" 'did you mean BPF_PROG_LOAD'

# --- the source and the tests ---

code='[a-z][a-z-]*/[a-z0-9-]*[a-z0-9]'

# Strings of C that are codes. "room/" word is put together by the preprocessor.
codes() {
	for file; do
		if grep -qE '"[a-z-]+/" ?[a-z]' "$file"; then
			${CC:-cc} -E -P -D_GNU_SOURCE -I. -Iuapi "$file" | sed 's/" *"//g'
		else
			cat "$file"
		fi
	done | grep -oE "\"$code\"" | tr -d '"' | sort -u
}
# Comments are no code, and what is skipped is not provoked: neither are comparisons that decide on a skip. The compiler only drops
# comments here; a macro whose lines begin with "#" is no directive, which it does not know.
stripped() {
	for file; do
		${CC:-cc} -fpreprocessed -dD -E -P -w "$file" 2>/dev/null | sed '/lacking\[\] = {/,/};/d' |
			grep -vE '^# |suite_skip|strcmp\(' # asserts compare by ck_assert_str_eq and the like
	done
}

for file in docs/reasons/*.md; do
	name=$(basename "$file" .md)
	[ "$name" = README ] || echo "| [$name]($name.md) | $(sed -n 's/^# //p' "$file") |"
done | sort >"$tmp/files"
is 'the index of docs/reasons has each file, with its title' \
	"$(grep '^| \[' docs/reasons/README.md | sort | comm -3 "$tmp/files" -)" ''

# shellcheck disable=SC2016 # backticks of Markdown
is 'the pages: sources that they name exist' \
	"$(grep -ohE '`(elf|loader|test|uapi)(/[A-Za-z0-9_./-]*)?`' docs/reasons/*.md | tr -d '`' | sort -u |
		while read -r file; do [ -e "$file" ] || echo "$file"; done)" ''

prefixes=$(cut -d/ -f1 "$tmp/pages" | sort -u | paste -sd'|' -)
find elf loader -name '*.c' -exec grep -lE "\"($prefixes)/|error_reason" {} + >"$tmp/files"
# shellcheck disable=SC2046 # names without blanks
codes $(cat "$tmp/files") >"$tmp/strings"
# shellcheck disable=SC2046
{
	grep -E "^($prefixes)/" "$tmp/strings"
	# The argument of error_reason() is a code, whatever it begins with.
	cat $(cat "$tmp/files") | tr '\n\t' '  ' | grep -oE "error_reason(_default)?\([^;\"]*\"$code\"" | grep -oE "$code"
} | sort -u >"$tmp/used"
is 'every code in the source has a page' "$(comm -23 "$tmp/used" "$tmp/pages" | tr '\n' ' ')" ''
# pload makes none of the mistakes of writing/, of which test/tour/mistakes.sh provokes each.
is 'every page is of a code in the source' "$(comm -13 "$tmp/used" "$tmp/pages" | grep -v '^writing/' | tr '\n' ' ')" ''

find test/unit test/fault test/regress -name '*.c' -exec grep -lE "\"($prefixes)/" {} + >"$tmp/tests"
# shellcheck disable=SC2046
stripped $(cat "$tmp/tests") | grep -oE "\"$code\"" | tr -d '"' >"$tmp/named"
# A script does not count for a code that it skips for, or on which a skip depends.
find test/cli -name '*.sh' ! -name explain.sh -exec cat {} + |
	grep -vE '^[[:space:]]*(#|skip |if |elif )' | grep -oE "($prefixes)/[a-z0-9-]+" >>"$tmp/named"
sort -u "$tmp/named" >"$tmp/named.sorted"
# Differences that pload compare explains are no errors.
grep -vE '^(differs|writing)/' "$tmp/pages" >"$tmp/reasons"
is 'every code is provoked by a test' "$(comm -23 "$tmp/reasons" "$tmp/named.sorted" | tr '\n' ' ')" ''
done_testing
