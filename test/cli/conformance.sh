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
awk '{ print $1 }' "$tmp/out" | sort >"$tmp/ids"
chapters=$(sed 's/\..*//' "$tmp/ids" | sort -u | paste -sd '|')
is 'the pages name only statements that exist' "$(grep -owhE "($chapters)\.[0-9]+" docs/loading/*.md | sort -u | comm -23 - "$tmp/ids" | tr '\n' ' ')" ''
# "elf.1 to elf.3" is each of the three, and "all of [core]" is a chapter.
sed -n '/^## The steps/,/^Steps /p' docs/loading/order.md >"$tmp/order"
grep -oE '[a-z_]+\.[0-9]+( to [a-z_]+\.[0-9]+)?' "$tmp/order" | awk '{
	split($1, first, ".")
	split($NF, last, ".")
	for (i = first[2]; i <= last[2]; i++) print first[1] "." i
}' | sort -u >"$tmp/steps"
is 'each MUST has a step in docs/loading/order.md' "$(comm -23 "$tmp/musts" "$tmp/steps" |
	grep -vE "^($(sed -n 's/.*all of \[\([a-z_]*\)\].*/\1/p' "$tmp/order" | paste -sd '|'))\." | tr '\n' ' ')" ''
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

sed 's/^# Maps/&\n\n## Prose: first/' "$tmp/page.md" >"$tmp/pages/maps.md"
conformance --pages="$tmp/pages"
is 'a page: a heading before the statements' "$status $(cat "$tmp/out")" '0 maps.1         MUST   One'

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
wrong_page 'with a heading among the statements' 20 "the heading 'Prose' does not begin a statement: '## maps.2: TITLE' would" '$a\
\
## Prose'
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

# --- the table of loaders, with a judge that answers by the last word of the command ---

cat >"$tmp/fake" <<'END'
#!/bin/sh
for last; do :; done
case $last in
--conformance) printf '%s\n' 'maps.1 MUST One' 'maps.2 MUST Two' 'core.1 differ Three' 'attach.1 MUST Four' ;;
right) printf '%s\n' 'ok 1 - maps.1: One' 'ok 2 - maps.2: Two: (of two) # SKIP this machine lacks x' \
	'ok 3 - core.1: Three (loaders differ: by-name)' 'ok 4 - attach.1: Four (MAY: does not)' ;;
wrong) printf '%s\n' 'ok 1 - maps.1: One' 'not ok 2 - maps.2: Two: (of two)' '# it is 1 | and not 2' 'ok 3 - core.1: Three (loaders differ: other)'; exit 1 ;;
tool) echo "$*" >&2; printf 'ok 1 - maps.1: One\n' ;;
*) echo 'judge: no reason' >&2; exit 4 ;;
esac
END
chmod +x "$tmp/fake"
printf '%s\n' 'one - right' 'two 1.1 a wrong' '' 'bpftool 7 tool' 'bad - bad' | sh test/judge/loaders/statements "$tmp/fake" "$tmp/table" >"$tmp/out" 2>"$tmp/err"
is 'the table of loaders' "$(cat "$tmp/out")" '| MUST that hold | one | two 1.1 | bpftool 7 |
| --- | --- | --- | --- |
| maps | 1 of 1 | 1 of 2 | 1 of 1 |
| core | 0 of 0 | 0 of 0 | 0 of 0 |
| attach | 0 of 0 | 0 of 0 | 0 of 0 |
| all | 1 of 1 | 1 of 2 | 1 of 1 |

one:


two 1.1:
- maps.2, Two: (of two): it is 1 | and not 2


bpftool 7:

| statement | one | two 1.1 | bpftool 7 |
| --- | --- | --- | --- |
| maps.1 | ok | ok | ok |
| maps.2 | skip | FAIL |  |
| core.1 | by-name | other |  |
| attach.1 | does not |  |  |'
has 'a loader that cannot be judged is reported' "$tmp/err" 'bad: judge: no reason'
printf 'bpftool 7 tool\n' | sh test/judge/loaders/statements "$tmp/fake" "$tmp/table" >"$tmp/out" 2>&1
is 'bpftool is not asked to attach' "$(cat "$tmp/table/err")" '--conformance --format=tap maps core -- tool'
printf 'one - tool\n' | sh test/judge/loaders/statements "$tmp/fake" "$tmp/table" core maps.1 >"$tmp/out" 2>&1
is 'statements are selected' "$(cat "$tmp/table/err")" '--conformance --format=tap core maps.1 -- tool'

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

# --- the loader in Python, in chapters of which it knows all ---

python=$(python3 -c 'import ctypes' 2>/dev/null || echo 'there is no python3 with ctypes')
for chapter in data calls btf_ext attach; do
	[ -z "$python" ] || { skip "loader.py: $chapter" "$python"; continue; }
	conformance --format=json $chapter -- python3 -B test/judge/loaders/loader.py
	is "loader.py: $chapter: what it does not do" "$(sed -n 's/.*"id":"\([^"]*\)".*"result":"fail".*/\1/p' "$tmp/out" | tr '\n' ' ')" ''
done

# --- the language of expectations, with an object of which all is known ---

# language TITLE EXPECT RESULT [SENTENCE] - pload's result of the object above with these lines, and the sentence of a failure.
language() {
	awk -v expect="$2" '{ print } /^```expect/ { print expect; print "```"; exit }' "$tmp/page.md" >"$tmp/pages/maps.md"
	# shellcheck disable=SC2086 # words
	conformance --pages="$tmp/pages" --format=json -- $loader
	is "$1" "$("$JSON" statement result <"$tmp/out" 2>>"$tmp/err")" "$3"
	[ -z "${4:-}" ] || has "$1: sentence" "$tmp/out" "$4"
}
cat >"$tmp/page.md" <<'END'
## maps.1: One

**MUST.** A map is created. The kernel has it.

```object
section perf_event
func main
r1 = &counts
r0 = 0
exit
func other_program_with_a_long_name
r0 = 0
exit
section .maps
map counts type=hash key_size=4 value_size=8 max_entries=16
section .data
var one
u32 7
var two
u32 0x90000000
license "Dual BSD/GPL"
```
```expect
END
cp "$tmp/page.md" "$tmp/known.md"
language 'numbers are equal in any base' 'map counts type=hash max_entries=0x10 key_size=04' pass
language 'a number that differs' 'map counts type=hash max_entries=17 key_size=4' fail \
	"'map counts type=hash max_entries=17 key_size=4' was expected, and map counts max_entries=16 was seen"
language 'all that differs is named' 'map counts type=array max_entries=17' fail 'and map counts type=hash max_entries=16 was seen'
language 'a name that differs' 'map count max_entries=16' fail 'and only map counts, ' 
language 'a key that was not seen' 'map counts key_type=int' fail 'map counts key_type is not known was seen'
language 'a word may be left out' 'map max_entries=16' pass
language 'alternatives' 'map counts max_entries=15|16' pass
language 'alternatives that all differ' 'map counts max_entries=15|17' fail
language 'anything but' 'map counts max_entries=!15' pass
language 'anything but that' 'map counts max_entries=!16' fail
language 'at least' 'map counts max_entries>=16' pass
language 'not at least' 'map counts max_entries>=17' fail
language 'at most' 'map counts max_entries<=16' pass
language 'not at most' 'map counts max_entries<=15' fail
language 'not 0' 'map counts max_entries=nonzero' pass
language 'not 0, but it is' 'map counts map_flags=nonzero' fail
language 'not' 'not map other' pass
language 'not, but it was seen' 'not map counts key_size=4' fail "'not map counts key_size=4' was expected, and 'map counts type=hash "
language 'not with other fields' 'not map counts key_size=8' pass
language 'each line counts' 'maps nr=2
maps nr=3' fail
language 'a name that the kernel has cut' 'prog other_program_with_a_long_name insns=2' pass
language 'a name that is the beginning of another' 'prog other_program' fail
language 'a section with the name of the object' 'map .data value_size=8' pass
language 'a word in quotes' 'prog main license="Dual BSD/GPL"' pass
language 'a byte in quotes' 'prog main license="Dual\\x20BSD/GPL"' pass
language 'half of a word' 'prog main license=Dual' fail
language 'bytes' 'value .data 0 = 07 00 00 00 00 00 00 90' pass
language 'a byte that differs' 'value .data 0 = 07 00 00 00 00 00 00 91' fail 'and value .data 0 = 07 00 00 00 00 00 00 90 was seen'
language 'a byte less' 'value .data 0 = 07 00 00 00 00 00 00' fail
language 'a byte more' 'value .data 0 = 07 00 00 00 00 00 00 90 00' fail
language 'any byte' 'value .data 0 = 07 ?? 00 00 00 00 00 90' pass
language 'any rest' 'value .data 0 = 07 ...' pass
language 'numbers among bytes' 'value .data 0 = u32:7 u16:0 u16:0x9000' pass
language 'another key' 'value .data 1 = ...' fail
language 'an instruction by its number' 'insn main 0 code=0x18 src=1 map=counts' pass
language 'any instruction' 'insn main code=0x95' pass
language 'an instruction that does not exist' 'insn main 4' fail
language 'a placeholder' 'map counts max_entries<={page}' pass
language 'a comment' '# nothing
map counts # max_entries=17' pass
language 'loaded' 'loaded' pass
language 'refused' 'refused' fail "'refused' was expected, and a program was loaded"
language 'the status' 'exit status=0' pass

cat >"$tmp/page.md" <<'END'
## maps.1: One

**MUST.** A function is appended. The kernel has it.

```object
section perf_event
func main proto=2
r1 = 1
call leaf
exit
section .text
func leaf proto=2
r0 = 7
exit
[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[2] FUNC_PROTO '(anon)' ret_type_id=1 vlen=0
```
```expect
END
language 'the first instruction of a function' 'insn main at=leaf+0 imm=7
insn main at=main+0 imm=1' pass
language 'the last instruction of a function' 'insn main at=leaf+1 code=0x95
insn main at=main+2 code=0x95' pass
language 'an instruction after a function' 'insn main at=main+3' fail
language 'the function that is called' 'insn main at=main+1 src=1 func=leaf' pass
language 'another function that is called' 'insn main func=main' fail
language 'records of functions' 'func_info main 0 insn=0 func=main
func_info main func=leaf insn=3' pass

# needs CONDITION RESULT
needs() {
	sed "s/^\*\*MUST.*/&\n\nNeeds: $1/" "$tmp/known.md" >"$tmp/page.md"
	language "Needs: $1" loaded "$2" "${3:-}"
}
needs 'Linux 5.8' pass
needs "Linux $(uname -r | cut -d . -f 1-2)" pass
needs 'Linux 99.0' skip 'this machine lacks Linux 99.0'
needs 'BTF of the kernel, Linux 5.8, little-endian' "$([ -r /sys/kernel/btf/vmlinux ] && echo pass || echo skip)"
needs 'BTF STRUCT no_such_type' skip 'this machine lacks BTF STRUCT no_such_type'
needs 'symbol no_such_symbol' skip

# --- levels and formats ---

loaders_differ() {
	sed 's/\*\*MUST\.\*\*/**Loaders differ.**/; s/^```expect$/```expect sixteen/' "$tmp/known.md"
	printf 'map counts max_entries=%s\n```\n```expect %s\nmap counts max_entries=%s\n```\n' "$1" seventeen "$2"
}
for of in '16 17 sixteen' '18 16 seventeen' '18 17 other' '16 16 sixteen'; do
	# shellcheck disable=SC2086 # words
	set -- $of
	loaders_differ "$1" "$2" >"$tmp/pages/maps.md"
	# shellcheck disable=SC2086 # words
	conformance --pages="$tmp/pages" --format=json -- $loader
	is "loaders differ, $1 or $2: status" $status 0
	is "loaders differ, $1 or $2: result" "$("$JSON" statement result <"$tmp/out")" "$3"
done
for of in '16 does' '17 does-not'; do
	{ sed 's/\*\*MUST\.\*\*/**MAY.**/' "$tmp/known.md"; printf 'map counts max_entries=%s\n```\n' "${of% *}"; } >"$tmp/pages/maps.md"
	# shellcheck disable=SC2086 # words
	conformance --pages="$tmp/pages" --format=json -- $loader
	is "MAY ${of#* }: status" $status 0
	is "MAY ${of#* }: result" "$("$JSON" statement result <"$tmp/out")" "${of#* }"
done

printf 'map counts max_entries=17\n```\n' | cat "$tmp/known.md" - | sed 's/: One/: The `__uint(a, N)`, and _b_/' >"$tmp/pages/maps.md"
# shellcheck disable=SC2086 # words
conformance --pages="$tmp/pages" --seen maps.1 -- $loader
is 'text: status' $status 1
has 'text: what was seen' "$tmp/out" 'map counts type=hash key_size=4 value_size=8 max_entries=16 '
has 'text: id and title' "$tmp/out" 'maps.1         FAIL     The `__uint(a, N)`, and _b_'
has 'text: the sentence' "$tmp/out" "      'map counts max_entries=17' was expected, and map counts max_entries=16 was seen"
has 'text: the page' "$tmp/out" '      read: docs/loading/maps.md#maps1-the-__uinta-n-and-_b_'
has 'text: again' "$tmp/out" "      again: $judge --conformance --pages=$tmp/pages --seen maps.1 -- $loader"
has 'text: the sum' "$tmp/out" '0 of 1 MUST hold; 0 of 0 MAY are done; in 0 loaders differ'
# shellcheck disable=SC2086 # words
conformance --pages="$tmp/pages" --format=tap -- $loader
is 'tap: status' $status 1
is 'tap: its lines' "$(cat "$tmp/out")" "not ok 1 - maps.1: The \`__uint(a, N)\`, and _b_
# 'map counts max_entries=17' was expected, and map counts max_entries=16 was seen
1..1"
conformance elf.1 -- "$tmp/none"
is 'no such loader: its exit is no refusal' $status 1
has 'no such loader: sentence' "$tmp/out" "'$tmp/none' cannot be run"
conformance --pages="$tmp/pages" -- "$tmp/none"
has 'no such loader: its words' "$tmp/out" "your program says: judge: $tmp/none: No such file"

# --- loaders that do not behave ---

# behaves NAME SENTENCE SCRIPT: the judge prints it, ends, and nothing of the loader remains.
behaves() {
	printf '#!/bin/sh\n%s\n' "$3" >"$tmp/loader.sh"
	conformance --pages="$tmp/pages" --timeout=2 -- sh "$tmp/loader.sh" "$mark"
	is "$1: status" $status 1
	has "$1: sentence" "$tmp/out" "$2"
	is "$1: no process remains" "$(pgrep -f "$mark" | tr '\n' ' ')" ''
}
mark=mark-of-$$
behaves 'nothing' 'nothing was seen' 'exit 0'
behaves 'a hang' 'the loader did not end within 2 s' 'sleep 1000'
behaves 'a hang after ready' 'the loader did not end within 2 s after its standard input had ended' 'echo ready; sleep 1000'
behaves 'a daemon' 'the loader did not end within 2 s after' 'sleep 1000 >/dev/null 2>&1 </dev/null & exit 0'
[ -n "$python" ] || behaves 'a link that is refused' 'nothing was seen' "exec python3 -B -c '
import ctypes, platform, struct
attr = struct.pack(\"<iIIIQ\", -1, 0, 48, 0, 1) + bytes(40)  # BPF_TRACE_UPROBE_MULTI; its file has a bad address
ctypes.CDLL(None).syscall({\"x86_64\": 321}.get(platform.machine(), 280), 28, attr, len(attr))'"
behaves 'a flood' 'the loader has printed more than a megabyte' 'exec yes'
{ cat "$tmp/known.md"; printf 'refused\nnot loaded\nexit status=%s\n```\n' 3; } >"$tmp/pages/maps.md"
conformance --pages="$tmp/pages" -- sh -c 'exit 3'
is 'a refusal: status' $status 0
{ cat "$tmp/known.md"; printf 'exit status=139\nnot refused\n```\n'; } >"$tmp/pages/maps.md"
conformance --pages="$tmp/pages" -- sh -c 'kill -SEGV $$'
is 'a crash is no refusal: status' $status 0
{ cat "$tmp/known.md"; printf 'loaded\nmap counts max_entries=16\nprogs nr=2\n```\n'; } >"$tmp/pages/maps.md"
# shellcheck disable=SC2086 # words
conformance --pages="$tmp/pages" -- sh -c "$loader \"\$@\"; exit \$?" sh
is 'a loader behind a shell: status' $status 0

# A loader that probes the kernel: its first map is closed, and held by a program that is closed, too.
cat >"$tmp/probing.py" <<'END'
import os
import sys
sys.path.insert(0, "test/judge/loaders")
loader = {"__name__": "loader"}
source = open("test/judge/loaders/loader.py").read()
exec(source[:source.index("\ntry:\n    main()")], loader)
ctypes = loader["ctypes"]
probe = loader["Map"]("probe", 0, 0, type=1, key_size=4, value_size=8, max_entries=1)
loader["create_map"](probe)
insns = ctypes.create_string_buffer(bytes([0x18, 0x11, 0, 0]) + probe.fd.to_bytes(4, "little") + bytes(8) +
                                    bytes([0xb7, 0, 0, 0, 0, 0, 0, 0, 0x95, 0, 0, 0, 0, 0, 0, 0]))
license_ = ctypes.create_string_buffer(b"GPL")
program = loader["bpf"](loader["BPF_PROG_LOAD"], loader["ProgLoad"](prog_type=7, insn_cnt=4, insns=ctypes.addressof(insns),
                        license=ctypes.addressof(license_), prog_name=b"probe"))
if program < 0:
    sys.exit("the probe is refused")
os.close(program)
os.close(probe.fd)
loader["main"]()
END
{ cat "$tmp/known.md"; printf 'loaded\nmaps nr=2\nnot map probe\nnot prog probe\nprogs nr=2\n```\n'; } |
	awk '/^func other/ { skip = 3 } skip-- > 0 { next } { sub(/progs nr=2/, "progs nr=1"); print }' >"$tmp/pages/maps.md"
if [ -n "$python" ] || [ "$(printf '\001\000' | od -An -td2 | tr -d ' ')" != 1 ]; then
	skip 'a loader that probes the kernel' "${python:-the program is in the other byte order}"
else
	conformance --pages="$tmp/pages" -- python3 -B "$tmp/probing.py"
	is 'a loader that probes the kernel: status' $status 0
	has 'a loader that probes the kernel: result' "$tmp/out" '1 of 1 MUST hold'
fi
is 'nothing is left of the files' "$(ls "$TMPDIR")" ''

# --- wrong loaders; WRONG=PATTERN selects some ---

# The other files of pload, to be linked with the one that is wrong; main() is among them. Those of pload-core are not,
# nor are objects that an earlier build left of files which have since moved.
archive() {
	[ -e "$tmp/pload.a" ] || find elf loader -name '*.c' ! -path '*/core/plain/*' | while read -r source; do
		object=${PROGS%/progs}/${source%.c}.o
		[ ! -e "$object" ] || echo "$object"
	done | xargs ar qcs "$tmp/pload.a"
}

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

# The first of a chapter is tried in any case, if it needs no compiler.
cause_c=$(unchanged elf loader) cause_python=$(unchanged "$here" test/judge/loaders docs/loading) first=' '
for wrong in "$here"/wrong/${WRONG:-*}.wrong; do
	name=$(basename "$wrong" .wrong) checks=$(sed -n 's/^checks //p' "$wrong")
	chapter=${checks%%.*} cause=$cause_c
	if grep -q '^file .*\.py$' "$wrong"; then
		cause=${python:-$cause_python}
		case $first in *" $chapter "*) ;; *) first="$first$chapter " cause=$python ;; esac
	fi
	if [ -n "$cause" ]; then
		skip "$name" "$cause"
		continue
	fi
	build "$wrong"
	[ -n "$command" ] || { not_ok "$name: it is built" "$cause"; continue; }
	# shellcheck disable=SC2086 # words
	conformance --format=json $checks -- $command
	is "$name: fails at" "$(sed -n 's/.*"id":"\([^"]*\)".*"result":"\(fail\|skip\|does-not\|other\)".*/\1/p' "$tmp/out" | sort | tr '\n' ' ')" \
		"$(echo "$checks" | tr ' ' '\n' | sort | tr '\n' ' ')"
done
sed -n 's/^checks //p' "$here"/wrong/*.wrong | tr ' ' '\n' | sort -u >"$tmp/sorted"
is 'a wrong loader fails at statements that exist' "$(comm -23 "$tmp/sorted" "$tmp/ids" | tr '\n' ' ')" ''
is 'no MUST is without a wrong loader' "$(comm -13 "$tmp/sorted" "$tmp/musts" | tr '\n' ' ')" ''

done_testing
