#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# XDP and TC programs run over our packet: a struct only, payload only, and both through the upper 32 bits of flags; byte for byte.
. test/cli/lib.sh

packet=020000000002020000000001080045000 # the head of it; enough to know it by
value() { "$JSON" "$@" <"$tmp/out"; }

run --test-run=3 --format=json "$PROGS/xdp_output.bpf.o"
if [ "$status" != 0 ]; then
	skip 'packets' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
	done_testing
	exit 0
fi
for kind in xdp tc; do
	run --test-run=3 --format=json "$PROGS/${kind}_output.bpf.o"
	is "$kind: status" "$status" 0
	is "$kind: three programs ran" "$(value test-run runs | tr '\n' ' ')" '3 3 3 '
	size=$(value test-run data_size | head -n 1)
	for map in struct_only both; do
		is "$kind: $map: a record for each run" "$(value record value.length map=$map | tr '\n' ' ')" "$size $size $size "
	done
	is "$kind: struct only: nothing behind it" "$(value record payload map=struct_only | sort -u)" null
	for map in payload_only both; do
		payload=$(value record payload map=$map | sort -u)
		is "$kind: $map: the payload is the packet" "${payload#$packet}" "${payload#??????????????????????????????????????}"
		is "$kind: $map: all of it" "$((${#payload} / 2))" "$size"
		is "$kind: $map: to its last byte" "${payload#"${payload%2074657374207061636b657421}"}" 2074657374207061636b657421
	done
	is "$kind: nothing lost" "$(value summary lost)" 0
done
done_testing
