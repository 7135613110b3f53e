#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# XDP and TC programs run over our packet: a struct only, payload only, and both through the upper 32 bits of flags; byte for byte.
. test/cli/lib.sh

# Our packet begins with its Ethernet addresses, and ends with " test packet!".
is_packet() { case $1 in 02000000000202000000000108004500*2074657374207061636b657421) echo yes ;; *) echo "no: $1" ;; esac; }
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
	is "$kind: payload only: no struct in front of it" "$(value record value map=payload_only | sort -u)" null
	is "$kind: struct only: nothing behind it" "$(value record payload map=struct_only | sort -u)" null
	for map in payload_only both; do
		payload=$(value record payload map=$map | sort -u)
		is "$kind: $map: the payload is the packet" "$(is_packet "$payload")" yes
		is "$kind: $map: all of it" "$((${#payload} / 2))" "$size"
	done
	is "$kind: nothing lost" "$(value summary lost)" 0
done
done_testing
