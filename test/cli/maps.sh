#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What maps begin with, on the real kernel: programs in a program array, inner maps in maps of maps.
. test/cli/lib.sh

object=$tmp/maps.bpf.o
if ! $CLANG -O2 -g -target bpf -I. -Iuapi -c -o "$object" test/cli/maps.bpf.c 2>"$tmp/err"; then
	not_ok 'compiles' "$CLANG failed"
	done_testing
	exit 0
fi

run --dry-run --test-run "$object"
is 'dry run: status' "$status" 0
has 'dry run: an inner map is put in' "$tmp/err" 'bpf(BPF_MAP_UPDATE_ELEM'
has 'an empty slot is named' "$tmp/err" "map 'calls': slot 2 stays empty: program 'left_out'"

cause=$(kernel_refuses)
if [ -n "$cause" ]; then
	skip 'maps of a session' "$cause"
	done_testing
	exit 0
fi
# value TYPE PATH [WHERE=TEXT] - from the JSON of the last run.
value() { "$JSON" "$@" <"$tmp/out"; }

run --test-run --format=json "$object"
is 'status' "$status" 0
is 'a tail call arrives' "$(value test-run retval name=entry)" 41
is 'the first inner map was reached' "$(value map value map=first | sort -n | tr '\n' ' ')" '2 200 '
is 'the static inner map was reached' "$(value map value map=second | sort -n | tr '\n' ' ')" '0 20 '

run --test-run --format=json --prog=entry "$object"
is '--prog: status' "$status" 0
is '--prog: no tail call' "$(value test-run retval name=entry)" 60
has '--prog: empty slots are named' "$tmp/err" "map 'calls': slot 1 and 1 more stay empty: program 'target'"
run --test-run --format=json --prog=entry --prog=left_out "$object"
hasnt=$(grep -c 'slot 2' "$tmp/err")
is '--prog: an optional one that is named is put in' "$hasnt" 0

done_testing
