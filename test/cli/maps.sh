#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Maps on the real kernel: their initial contents, --map and --set.
. test/cli/lib.sh

object=$tmp/maps.bpf.o
compile_or_end test/cli/maps.bpf.c "$object"

# Nothing is to be pinned here: pins.sh does, where nobody else sees it.
unpinned=--map=runs.pin=none

run --dry-run --test-run "$object"
has 'dry run: a map is pinned' "$tmp/err" 'bpf(BPF_OBJ_PIN, {pathname="/sys/fs/bpf/runs"'
is 'dry run: status' "$status" 0
has 'dry run: an inner map is put in' "$tmp/err" 'bpf(BPF_MAP_UPDATE_ELEM'
has 'an empty slot is named' "$tmp/err" "map 'calls': slot 2 stays empty: program 'left_out'"

for wrong in small=256 smal=1 'slots[3]=1' colour=BLUE text=12345678 state=1 LICENSE=GPL2; do
	refused "--set $wrong" 1 "--set $wrong" --dry-run --test-run --set "$wrong" "$object" 
done
# An argument that is not NAME=VALUE is refused without regard to the object.
refused '--set without a value' 2 '--set small' --dry-run --test-run --set small "$object"
refused '--map without a value' 2 '--map runs.max_entries' load --map runs.max_entries "$object"
refused '--set without a name' 2 '--set =1' --dry-run --set =1 "$object"
for wrong in run.max_entries=1 runs.max=1 .rodata.max_entries=2 runs=1 runs.max_entries=-1 runs.pin=; do
	refused "--map $wrong" 1 "--map $wrong" --dry-run --test-run --map "$wrong" "$object"
done

skip_rest_if 'maps of a session' "$(kernel_refuses)"

run --test-run --format=json $unpinned "$object"
is 'status' "$status" 0
is 'a tail call arrives' "$(value test-run retval name=entry)" 41
is 'the first inner map was reached' "$(value map value map=first | sort -n | tr '\n' ' ')" '2 200 '
is 'the static inner map was reached' "$(value map value map=second | sort -n | tr '\n' ' ')" '0 20 '

run --test-run --format=json $unpinned --prog=entry "$object"
is '--prog: status' "$status" 0
is '--prog: no tail call' "$(value test-run retval name=entry)" 60
has '--prog: empty slots are named' "$tmp/err" "map 'calls': slot 1 and 1 more stay empty: program 'target'"
run --test-run --format=json $unpinned --prog=entry --prog=left_out "$object"
hasnt=$(grep -c 'slot 2' "$tmp/err")
is '--prog: an optional one that is named is put in' "$hasnt" 0

# Every type there is, with no more in its definition than the kernel cannot know.
$CLANG -O2 -g -target bpf -I. -Iuapi -c -o "$tmp/types.bpf.o" test/cli/map_types.bpf.c 2>"$tmp/err"
run --test-run --map bloom.map_extra=4 "$tmp/types.bpf.o"
if [ "$status" = 1 ] && grep -qE 'map-create/(type|cpu)' "$tmp/err"; then
	skip 'every map type is created' "$(sed -n 's/^pload: [^:]*: //p' "$tmp/err" | tail -n 1)"
else
	is 'every map type is created' "$status" 0
fi
run --dry-run --test-run "$tmp/types.bpf.o"
has 'a ring is rounded up, which is said' "$tmp/err" "map 'ringbuf': max_entries rounded to 8192 from 5000"

# Only some clangs have address spaces for BPF, only some kernels arenas.
if ! $CLANG -O2 -g -mcpu=v3 -target bpf -I. -Iuapi -c -o "$tmp/arena.bpf.o" test/cli/arena.bpf.c 2>"$tmp/err"; then
	skip 'arena' "$CLANG: $(head -n 1 "$tmp/err")"
else
	run --test-run=3 "$tmp/arena.bpf.o"
	if grep -qE 'map-create/(type|cpu)' "$tmp/err"; then
		skip 'arena' "$(sed -n 's/^pload: [^:]*: //p' "$tmp/err" | tail -n 1)"
	else
		has 'arena: variables begin with what they are given, and last' "$tmp/out" 'returned 463'
		run --test-run --set counter=1 --set zero=5 --map arena.map_extra=0x100000000000 "$tmp/arena.bpf.o"
		has 'arena: at an address, set' "$tmp/out" 'returned 36'
		refused 'arena: too large' 1 "map 'arena'" --test-run --map arena.max_entries=2000000 "$tmp/arena.bpf.o"
	fi
fi

# An endless loop to a verifier that does not know the constant, or knows a bad one.
run --test-run $unpinned --set colour=GREEN "$object"
is '--set: the verifier knows the constant' "$status" 0
refused '--set: and refuses another one' 1 "prog 'entry'" --test-run $unpinned --set colour=3 "$object"
run --test-run --format=json $unpinned --set small=200 --set 'slots[1]=3' --set state.in.deep=-1 --set state.yes=true \
	--set text=A --set wanted=5 --map first.max_entries=2 "$object"
is '--set: a byte' "$(value map value map=runs)" 200
is '--set: an element' "$(value test-run retval name=entry)" 60
is '--set: a member, a bool, a string' "$(value test-run retval name=target)" 104
is '--set: in .bss' "$(value data value.wanted map=.bss)" 5
run --test-run --format=json $unpinned --map runs.max_entries=7 "$object"
is '--map: as many entries' "$(value map key map=runs | wc -l | tr -d ' ')" 7
refused '--map: an inner map unlike its description' 1 "slot 0, 'first'" --test-run $unpinned --map first.max_entries=3 "$object"
has '--map: what is unlike' "$tmp/err" 'max_entries is 3, but 2 in the description'
refused '--map: a slot too many' 1 "map 'outer': slot 5, 'second'" --test-run $unpinned --map outer.max_entries=5 "$object"

done_testing
