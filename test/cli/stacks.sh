#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Rows and records are printed with their call stacks, and rows with the names of their addresses: which fields these are is found in
# the code and by tags.
# Lane: sampling
. test/cli/lib.sh

obj=$tmp/stacks.bpf.o
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c test/cli/stacks.bpf.c -o "$obj" || { not_ok 'compiles' "$CLANG failed"; exit 1; }

# --- bad input, which is refused before anything is attached ---

# tagged TAG - an object whose member "where", which no program writes, has this declaration tag.
tagged() {
	cat >"$tmp/tag.bpf.c" <<-END
	#include <linux/bpf.h>
	#include <bpf/bpf_helpers.h>
	struct { __uint(type, BPF_MAP_TYPE_STACK_TRACE); __uint(max_entries, 8); __uint(key_size, 4); __uint(value_size, 64); }
		stacks SEC(".maps");
	struct inner { __u32 other; __s32 where __attribute__((btf_decl_tag("$1"))); };
	struct key { __u64 other; struct inner inner; };
	struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 8); __type(key, struct key); __type(value, __u32); }
		counts SEC(".maps");
	SEC("perf_event") int p(void *ctx)
	{
		struct key key = { .inner.where = -17 };
		__u32 one = 1;
		bpf_map_update_elem(&counts, &key, &one, 0);
		return 0;
	}
	char LICENSE[] SEC("license") = "GPL";
	END
	${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/tag.bpf.c" -o "$tmp/tag.bpf.o"
}
if tagged 'stack_id:none' 2>"$tmp/cc"; then
	refused 'a tag for a map that does not exist' 1 'declaration tag "stack_id:none"' -d 0.1 -e cpu-clock --dry-run "$tmp/tag.bpf.o"
	has '... its reason' "$tmp/err" '[output/stack-field]'
else
	skip 'a tag for a map that does not exist' "$CLANG has no declaration tags"
fi

skip_rest_if 'stacks' "$(kernel_refuses)"

# --- a program with a known stack: each function waits for the next one, and is in a file with frame pointers ---

cat >"$tmp/hot.c" <<END
#include <time.h>
volatile unsigned long x;
#define STEP(name, work) __attribute__((noinline)) void name(void) { work; __asm__ volatile(""); }
STEP(inner_hot, for (clock_t end = clock() + CLOCKS_PER_SEC / 10; clock() < end;) for (int i = 0; i < 100000; i++) x += i)
STEP(middle, inner_hot())
STEP(outer, middle())
int main(void) { outer(); return 0; }
END
${CC:-cc} -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls "$tmp/hot.c" -o "$tmp/hot" || { not_ok 'compiles' "$CC failed"; exit 1; }

# field TYPE PATH WHERE - of what was printed.
field() { "$JSON" "$1" "$2" "$3" <"$tmp/out"; }
# fields MAP - which fields of MAP are stacks, of what, and how it is known.
fields() {
	for i in 0 1 2 3 4; do
		name=$(field stack-fields "fields.$i.role" "map=$1")
		[ "$name" != null ] || break
		printf '%s:%s:%s:%s:%s ' "$(field stack-fields "fields.$i.field" "map=$1")" "$name" \
			"$(field stack-fields "fields.$i.stacks" "map=$1")" "$(field stack-fields "fields.$i.space" "map=$1")" \
			"$(field stack-fields "fields.$i.known_by" "map=$1")"
	done | sed 's/null//g'
}
# sample PROGRAM... - its maps and records, while the hot program runs.
sample() { run --format=json -e cpu-clock -c 1000000 --prog="$1" "$obj" -- "$tmp/hot"; }

sample ids
is 'ids: status' "$status" 0
is 'the whole key' "$(fields whole)" ':stack-id:stacks:user:code '
is 'an id of 64 bits' "$(fields wide)" ':stack-id:stacks:user:code '
is 'copied, on one of two paths' "$(fields nested)" \
	'ids.kernel:stack-id:stacks:kernel:code ids.user:stack-id:stacks:user:code tgid:pid:::code '
is 'the value counts' "$(field stack-fields count map=whole)" ''
has_not 'no stack is printed without its row' "$tmp/out" '"type":"stack",'
is 'all stacks are in rows' "$(field stack-map in_no_row map=stacks)" 0
field map stacks.0.frames.0.address map=whole >"$tmp/frames"
is 'a row has a frame' "$(($(grep -c '^0x' "$tmp/frames") > 0))" 1

sample called
is 'passed to a function' "$(fields processes)" 'tgid:pid:::code user:stack-id:stacks:user:code '
pid=$("$JSON" summary command.pid <"$tmp/out")
is 'the process of the rows' "$(field map key.tgid map=processes | sort -u)" "$pid"
is 'the functions of a stack have names' "$(grep -c \
	'"map":"processes".*"symbol":"inner_hot".*"symbol":"middle".*"symbol":"outer".*"symbol":"main"' "$tmp/out" | sed 's/[1-9].*/some/')" some
has 'truncated' "$tmp/out" '"doubt":"truncated at 2 frames"'
is 'an id that is reused is not trusted' "$(field stack-fields fields.1.replaces map=truncated)" true
field map stacks.0.error map=collided >"$tmp/errors"
has 'a collision' "$tmp/errors" EEXIST
has 'the offset in a file' "$tmp/out" '"file_offset":"0x'

sample stored
is 'through the pointer to a value' "$(fields in_value)" \
	':pid:::code kernel:stack-id:stacks:kernel:code user:stack-id:stacks:user:code '
is 'from a value to a key' "$(fields through)" 'user:stack-id:stacks:user:code '

record=':pid:::code id:stack-id:stacks:user:code comm:comm:::code user:stack::user:code kernel:stack::kernel:code '
for prog in reserve output; do
	case $prog in reserve) map=reserved ;; output) map=events ;; esac
	sample $prog
	is "$prog: fields" "$(fields "$map")" "tgid$record"
	field record stacks.0.frames.0.address map=$map >"$tmp/by_id"
	field record stacks.1.frames.0.address map=$map >"$tmp/buffers"
	is "$prog: an id and a buffer have the same stack" \
		"$(paste "$tmp/by_id" "$tmp/buffers" | awk '/^0x.*\t0x/ && $1 != $2' | head -n 1)" ''
	is "$prog: there are records" "$(($(grep -c '^0x' "$tmp/buffers") > 0))" 1
done

# --- rows with an address: of a process that runs on, for no event records what it maps ---

cat >"$tmp/spin.c" <<END
volatile unsigned long x;
__attribute__((noinline)) void spin_on(void) { for (int i = 0; i < 100000; i++) x += i; }
int main(void) { for (;;) spin_on(); }
END
${CC:-cc} -O1 "$tmp/spin.c" -o "$tmp/spin" || { not_ok 'compiles' "$CC failed"; exit 1; }
"$tmp/spin" &
spin=$!
# On a busy machine it may have had no CPU, or its file was not read in the time that the session takes for names.
tries=0
until run --format=json -d 0.5 -e cpu-clock -p $spin "$PROGS/ip_count.bpf.o"; grep -q spin_on "$tmp/out" || [ $((tries += 1)) -ge 10 ]; do :; done
is 'an address: its function' "$(field map addresses.0.symbol map=hits | grep -x spin_on | sort -u)" spin_on
is 'an address: its field' "$(field map addresses.0.part map=hits | grep -x key | sort -u)" key
is 'an address is no stack' "$(grep -cE '"type":"(stack-fields|profile)"|"stacks"' "$tmp/out")" 0
tries=0
until run -d 0.5 -e cpu-clock -p $spin "$PROGS/ip_count.bpf.o"; grep -q spin_on "$tmp/out" || [ $((tries += 1)) -ge 10 ]; do :; done
is 'an address: text' "$(sed -n "s|^  0x[0-9a-f]* = [0-9]*  \(spin_on\)+0x[0-9a-f]* ($tmp/spin)\$|\1|p" "$tmp/out" | sort -u)" spin_on
kill $spin

# --- text, and what the user names ---

run -e cpu-clock -c 1000000 --rows=5 "$PROGS/profile.bpf.o" -- "$tmp/hot"
has 'text: how it is known' "$tmp/out" \
	'rows by samples; stacks: kernel_stack in stacks (by code), user_stack in stacks (by code); process: tgid (by code), comm (by code)'
has 'text: no stack' "$tmp/out" 'kernel_stack: no stack (EFAULT): the sample was taken in user space'
has 'text: the map of stacks' "$tmp/out" 'shown with their rows'
sed -n 's/.*\.samples = \([0-9]*\),.*/\1/p' "$tmp/out" >"$tmp/counts"
is 'text: rows by count' "$(cat "$tmp/counts")" "$(sort -rn "$tmp/counts")"

if [ ! -s "$tmp/cc" ] && tagged 'stack_id:stacks'; then
	run --format=json -e cpu-clock -c 1000000 "$tmp/tag.bpf.o" -- "$tmp/hot"
	is 'a tag in a nested struct' "$(fields counts)" 'inner.where:stack-id:stacks::tag '
	is 'a tag: the id' "$(field map stacks.0.error map=counts)" EEXIST
else
	skip 'a tag in a nested struct' "$CLANG has no declaration tags"
fi

done_testing
