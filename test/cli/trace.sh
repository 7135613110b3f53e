#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The forms of --trace: stages, reasons and names; calls alone as strace shows them; JSON by its schema.
. test/cli/lib.sh

object=$PROGS/ip_count.bpf.o
dry="--dry-run -e cpu-clock -d 0 --attach=link"

# --- text ---

run $dry "$object"
cp "$tmp/err" "$tmp/text"
has 'a stage is a heading' "$tmp/text" '## load: types and maps, then programs'
has 'a call has its reason' "$tmp/text" '# the verifier checks the linked program'
has 'a descriptor has a name when it is created' "$tmp/text" '<map hits>'
has 'a descriptor has a name when it is used' "$tmp/text" ' <prog ip_count>) = 0'
has 'a relocation is a line' "$tmp/text" "#   relocation: insn 6 of 'ip_count': imm 0 -> "
has_not 'instructions are not printed' "$tmp/text" '(b7)'
for stage in open plan load attach stop report end; do
	has "stage $stage" "$tmp/text" "## $stage: "
done
for form in calls insns json; do
	run $dry --trace=$form "$object"
	is "$form: status" "$status" 0
	cp "$tmp/err" "$tmp/$form"
done
has_not 'calls: no remarks' "$tmp/calls" '#'
has_not 'calls: no names' "$tmp/calls" '<'
# Addresses differ between two runs.
sed -e '/^#/d' -e '/^$/d' -e 's/ <[^>]*>//g' -e 's/0x[0-9a-f]*/PTR/g' "$tmp/text" >"$tmp/text.calls"
sed -e 's/0x[0-9a-f]*/PTR/g' "$tmp/calls" >"$tmp/calls.calls"
: >"$tmp/err"
is 'without remarks and names the text is that of calls' "$(diff "$tmp/text.calls" "$tmp/calls.calls")" ''
has 'insns: an instruction' "$tmp/insns" '(95) exit'
has 'insns: a line of C' "$tmp/insns" '; count = bpf_map_lookup_elem(&hits, &ip);'
refused 'no such form' 2 "'xml' is not text, insns, calls or json" $dry --trace=xml "$object"

# --- strace ---

if ! command -v strace >/dev/null || ! strace -o "$tmp/s" true 2>/dev/null; then
	skip 'as strace shows it' 'strace is not installed, or may not trace'
else
	# The names of calls and their results; of bpf(2) and ioctl(2) the command, too. The C library makes the first ones.
	strace -o "$tmp/strace" "$PLOAD" -e cpu-clock -d 0 --attach=ioctl --trace "$object" >"$tmp/out" 2>"$tmp/err"
	calls() {
		sed -nE -e 's/^(bpf\([A-Z_]+|ioctl\([0-9]+, [A-Z_]+|[a-z_0-9]+\().*\) += (-1 E[A-Z]+|[0-9]+).*/\1 \2/p'
	}
	sed -e 's/ <[^>]*>//g' "$tmp/err" | calls >"$tmp/mine"
	sed -n '/openat.*ip_count/,$p' "$tmp/strace" | grep -v '^write(\|^ppoll(.*POLLOUT\|^exit_group\|^brk\|^mmap\|^munmap\|^+++' | calls >"$tmp/strace.calls"
	: >"$tmp/err"
	is 'the calls and their results are those that strace shows' "$(diff "$tmp/strace.calls" "$tmp/mine")" ''
fi

# --- JSON ---

if ! command -v python3 >/dev/null; then
	skip 'JSON keeps its schema' 'python3 is not installed'
else
	grep '^{' "$tmp/json" >"$tmp/lines"
	: >"$tmp/err"
	is 'JSON keeps its schema' "$(python3 test/cli/schema.py docs/trace.schema.json "$tmp/lines" 2>&1)" 'ok'
	is 'JSON has an object for each call' "$(wc -l <"$tmp/lines")" "$(grep -c . "$tmp/calls.calls")"
fi

# --- a hostile name ---

esc=$(printf '\033')
cp "$object" "$tmp/a${esc}[31m<b>.o"
run $dry "$tmp/a${esc}[31m<b>.o"
has_not 'no escape sequence reaches the terminal' "$tmp/err" "$esc"
done_testing
